//! What stands at the end of the help.

/// An example, as a literal that can be joined with others.
macro_rules! example {
    () => {
        "\
Example:
  $ cat test.sh
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in fold_convert_loc'
  $ dwindle ./test.sh bug.c        # writes bug.reduced.c
  $ dwindle bug.c -- gcc -O2 -c {} # the same without a script: the crash is recognised
  $ dwindle bug.c --stderr-contains 'control reaches end' -- gcc -Wall -c {}

Stop with Ctrl-C at any time; the same command continues."
    };
}

/// The end of the short help.
pub(super) const EXAMPLE: &str = example!();

/// The end of the long help.
pub(super) const EXAMPLE_AND_CODES: &str = concat!(
    example!(),
    "

Exit codes:
  0  reduced, or stopped by a budget
  2  the command line is wrong
  3  the input cannot be read
  4  the test cannot be run, or the server of --executor is not there
  5  the test rejects the input, or a command does nothing unusual with it
  6  two runs of the test on the input disagree
  7  the result or the journal cannot be written
  8  the test broke on the way; the best result is kept
  9  another run is using the result or the journal
  10 the test accepts the empty file, or anything; nothing is written, an earlier result stays
  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM; the best result is kept"
);

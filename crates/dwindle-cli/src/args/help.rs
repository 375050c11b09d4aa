//! What the help shows, and what stands at its end.

use clap::Command;

/// An example, as a literal that can be joined with others.
macro_rules! example {
    () => {
        "\
Example:
  $ dwindle bug.c -- gcc -O2 -c {}  # recognises the crash, and writes bug.reduced.c
  $ dwindle bug.c --stderr-contains 'control reaches end' -- gcc -Wall -c {}
  $ cat test.sh                     # or a test of your own
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in fold_convert_loc'
  $ dwindle ./test.sh bug.c

Stop with Ctrl-C at any time; the same command continues."
    };
}

/// Headings whose options only the long help shows.
const LONG_HEADINGS: [&str; 2] = ["Remote execution", "Algorithm parameters"];
/// Other options that only the long help shows: few people need them, and all people read past them.
const LONG_ONLY: [&str; 20] = [
    "lexer",
    "start",
    "tree",
    "trace",
    "dump",
    "events",
    "no_config",
    "passes",
    "no_rename",
    "external",
    "clang_delta",
    "confidence",
    "memory_limit",
    "cpu_limit",
    "file_size_limit",
    "resume",
    "journal",
    "journal_limit",
    "only",
    "keep_file",
];

/// The command with a short help that fits on two screens.
pub(super) fn with_short_help(command: Command) -> Command {
    let is_long = |arg: &clap::Arg| {
        arg.get_help_heading().is_some_and(|heading| LONG_HEADINGS.contains(&heading))
            || LONG_ONLY.contains(&arg.get_id().as_str())
    };
    let command = command.mut_args(|arg| {
        let is_long = is_long(&arg);
        arg.hide_short_help(is_long)
    });
    command.mut_subcommands(|subcommand| match subcommand.get_name() {
        "reduce" | "debloat" => with_short_help(subcommand),
        _ => subcommand,
    })
}

/// What a command line without a word is told.
pub(super) const NOTHING: &str = concat!(
    "error: name a file, and a command or a test that shows the bug in it\n\n",
    example!(),
    "\n\n`dwindle -h` lists the options.\n"
);

/// The end of the short help.
pub(super) const EXAMPLE: &str = concat!(
    "`--help` says more of all this, and of the options for algorithms, grammars, folders, limits and remote execution.\n\n",
    example!()
);

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

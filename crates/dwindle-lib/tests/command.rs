//! The library: a reduction in memory by a command. A program that runs commands is their keeper as well, so this
//! one has a `main` of its own.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

use dwindle::probe::Word;
use dwindle::{End, Error, Reducer};

fn main() -> ExitCode {
    if let Some(code) = dwindle::serve_if_asked() {
        return code;
    }
    a_command_reduces_as_a_script_does();
    what_is_wrong_with_a_command_is_said();
    ExitCode::SUCCESS
}

fn grep(pattern: &str) -> [Word; 4] {
    ["grep".into(), "-q".into(), pattern.into(), Word::Candidate]
}

fn a_command_reduces_as_a_script_does() {
    let text = "int main(void) { return needle(1, 2); }\n";
    for jobs in 1..=3 {
        let number = NonZeroUsize::new(jobs).expect("it is above 0");
        let reduced = Reducer::new(text).name("a.c").jobs(number).run_command(grep("needle"));
        let reduced = reduced.expect("grep is there");
        assert_eq!(String::from_utf8_lossy(&reduced.bytes).trim_end(), "needle");
        assert_eq!((reduced.report.end, reduced.report.jobs), (End::Finished, jobs));
    }
    // The candidate has the name of the document, is the standard input, and lies in a folder of its own.
    let command = ["sh", "-c", "[ $(ls) = a.c ] && grep -q needle"].map(Word::from);
    let reduced = Reducer::new(text).name("a.c").run_command(command).expect("sh is there");
    assert_eq!(String::from_utf8_lossy(&reduced.bytes).trim_end(), "needle");
}

fn what_is_wrong_with_a_command_is_said() {
    let run = |command: &[Word]| Reducer::new("text").run_command(command.to_vec()).expect_err("it is wrong");
    let missing = run(&["no-such-program-at-all".into()]);
    assert!(matches!(&missing, Error::Test { what, .. } if what == "there is no such program"), "{missing}");
    assert!(matches!(run(&[]), Error::Test { .. }));
    assert!(matches!(run(&grep("needle")), Error::NotInteresting { .. }));
    let slow = Reducer::new("text").timeout(Duration::from_millis(100));
    let error = slow.run_command(["sleep".into(), "9".into()]).expect_err("it is slow");
    assert!(matches!(error, Error::NotInteresting { .. }), "{error}");
}

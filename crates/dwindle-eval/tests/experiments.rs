//! `dwindle-eval experiment` on the inputs that are built in, and on a case.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dwindle-eval"))
        .arg("experiment")
        .args(args)
        .output()
        .expect("our program")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_experiment_prints_its_table_and_claims_and_runs_nothing_twice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let results = folder.path().join("results").to_string_lossy().into_owned();
    let args = ["cdd-classes", "--results", &results];
    let first = run(&args);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let said = text(&first.stdout);
    assert!(said.contains("## Questions by class") && said.contains("| hdd*, ddmin | Revisit |"), "{said}");
    // The direction of the paper is a matter of exact questions here.
    assert!(said.contains("| yes |") && !said.contains("**no**"), "{said}");
    let second = run(&args);
    assert_eq!((text(&second.stdout), text(&second.stderr)), (said, String::new()));
}

#[test]
fn experiments_are_listed_and_others_are_refused() {
    let listed = text(&run(&["--list"]).stdout);
    assert!(listed.lines().count() >= 16 && listed.contains("probdd-rq2 "), "{listed}");
    let refused = run(&["probdd-rq4"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("there is no experiment probdd-rq4: --list names them"));
    assert_eq!(run(&[]).status.code(), Some(2));
}

#[test]
fn the_lists_of_a_case_are_looked_at_as_long_as_the_limit_allows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let case = folder.path().join("case");
    fs::create_dir(&case).expect("a fresh folder");
    fs::write(case.join("input.c"), "int a;\nint b;\nint c;\nint d;\n").expect("a fresh file");
    let test = case.join("interesting.sh");
    fs::write(&test, "#!/bin/sh\ngrep -q 'int c' input.c && grep -q . \"$1\"\n").expect("a fresh file");
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755)).expect("our file");
    let cases = folder.path().to_string_lossy();
    // The test is asked by this program, so any file will do for the one that is measured.
    let said = |limit| {
        let args = ["cdd-minimality", "--cases", &cases, "--limit", limit, "--program", "/dev/null"];
        let output = run(&args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let whole = said("60");
    assert!(whole.contains("| 0 | 0.00 % | 0.00 | 1 | 0 | 0 |"), "{whole}");
    assert!(said("0").contains("| hdd*, ddmin | 0 | 0 | - | 0.00 | 0 | 0 | 1 |"), "{}", said("0"));
}

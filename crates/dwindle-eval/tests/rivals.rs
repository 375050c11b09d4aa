//! `dwindle-eval rivals` with reducers that are shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

fn script(path: &Path, body: &str) {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).expect("a file of ours");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a file of ours");
}

#[test]
fn each_reducer_is_measured_by_what_the_same_test_accepts() {
    let folder = tempfile::tempdir().expect("a file of ours");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("cases/one")).expect("a file of ours");
    fs::write(at("cases/one/input.txt"), "hay hay needle hay\n").expect("a file of ours");
    script(&at("cases/one/interesting.sh"), "grep -q needle input.txt");
    // The test is the argument before the last, the file the last.
    script(
        &at("dwindle"),
        "for last; do test=$before; before=$last; done\nprintf 'needle\\n' > here; \"$test\" \"$PWD/here\"",
    );
    let left = at("left");
    let leave = format!(
        "setsid sh -c 'echo $$ >> {0}; exec sleep 60' & until [ -s {0} ]; do :; done",
        left.display()
    );
    let ask = "printf 'hay needle\\n' > input.txt; $1 && { printf 'hay\\n' > input.txt; ! $1; }";
    script(&at("named"), &format!("{leave}\n{ask}"));
    script(&at("piped"), "[ -d $3 ] && printf 'hay hay needle\\n' | $1 | grep -q INTERESTING; sleep 60");
    let rival = |name: &str, program: &str| {
        let input = if name == "Named" { "{name}" } else { "{input}" };
        let command = format!("[\"{program}\", \"{{test}}\", \"{input}\", \"{{grammars}}\"]");
        format!("[[rival]]\nname = \"{name}\"\ncommand = {command}\n")
    };
    let path = |name: &str| at(name).to_string_lossy().into_owned();
    let list =
        [rival("Named", &path("named")), rival("Piped", &path("piped")), rival("Gone", "no-such-reducer")];
    fs::write(at("rivals.toml"), list.concat()).expect("a file of ours");
    let run = |grammars: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_dwindle-eval"))
            .args(["rivals", &path("cases"), "--limit", "1.5", "--rivals", &path("rivals.toml")])
            .args(["--program", &path("dwindle"), "--results", &path("results"), "--outshrink", "1.5"])
            .args(["--html", &path("page.html")])
            .args(grammars)
            .output()
            .expect("a file of ours");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let with_grammars = ["--grammars", &path("cases")];
    let (text, said) = run(&with_grammars);
    let cells = |name: &str| -> Vec<String> {
        let row = text
            .lines()
            .find(|line| line.contains(&format!("| {name} |")))
            .unwrap_or_else(|| panic!("{text}"));
        row.split(" | ").map(|cell| cell.trim_matches([' ', '|']).to_owned()).collect()
    };
    let of = |name: &str| cells(name)[2..4].to_vec();
    assert_eq!(of("dwindle"), ["1", "1"]);
    assert_eq!(of("Named"), ["2", "2"]);
    assert_eq!(of("Piped"), ["3*", "1"]);
    // From the one token that dwindle left, nothing is smaller.
    assert_eq!(cells("Named").last().unwrap(), "1");
    assert!(text.contains("Not installed, so not here: Gone."), "{text}");
    assert!(fs::read_to_string(at("page.html")).unwrap().contains("<td>Piped</td>"));
    assert!(said.contains("one Named input: 2 tokens"), "{said}");
    let left = fs::read_to_string(left).expect("a file of ours");
    for pid in left.lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} is left behind");
    }
    assert_eq!(run(&with_grammars), (text.clone(), String::new()), "nothing is run again");
    let (text, _) = run(&[]);
    assert!(text.contains("Not installed, so not here: Named, Piped, Gone."), "{text}");
}

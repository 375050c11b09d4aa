//! The real `dwindle-eval` on cases of its own, with a fake dwindle: a shell script that counts
//! how often it is run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dwindle::Size;
use dwindle::journal::{Journal, Place, Policy, Subject};
use tempfile::TempDir;

/// What the fake does when all is well: it keeps the first ten bytes, and its last argument is
/// the number of questions.
const WELL: &str = r#"
head -c 10 "$input" >"$output"
before=$(wc -c <"$input")
printf '{"version":"0.1.0","end":"finished","input":"x","seed":0,
"before":{"bytes":%d,"lines":1,"tokens":%d},"after":{"bytes":10,"lines":1,"tokens":3},
"questions":{"total":%d,"interesting":3,"uninteresting":9,"timeout":0},"cached":4,
"seconds":{"total":1.5,"test":1.2,"dwindle":0.3},"cpu_seconds":{"test":1.1,"dwindle":0.01},
"peak_memory_bytes":1048576}' "$before" "$before" "$last"
"#;

/// A folder with the cases `one` and `two`, the runs `few` and `many`, and a fake dwindle.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(body: &str) -> Bench {
        let bench = Bench { folder: tempfile::tempdir().expect("a temporary folder") };
        for (name, input) in [("one", "a b c d e f g h"), ("two", "a b c d e f g h i j k l")] {
            let case = bench.path("cases").join(name);
            fs::create_dir_all(&case).expect("a fresh folder");
            fs::write(case.join("input.c"), input).expect("a fresh file");
            let test = case.join("interesting.sh");
            fs::write(&test, "#!/bin/sh\n").expect("a fresh file");
            fs::set_permissions(&test, fs::Permissions::from_mode(0o755)).expect("our file");
        }
        bench.write("runs", "# questions\nfew: --max-questions 7\nmany: --max-questions 70\n");
        bench.set_program(body);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file of ours");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Makes `body` the fake dwindle. Another process writes it: a file that this one, with its
    /// many threads, has open for writing may be inherited by a child for a moment, and then
    /// nobody can execute it.
    fn set_program(&self, body: &str) {
        let prelude = r#"#!/bin/sh
here=${0%/*}
echo "$PWD $*" >>"$here/log"
input=$2
for last; do
    case $before_last in --output) output=$last ;; esac
    before_last=$last
done
"#;
        self.write("program.txt", &format!("{prelude}{body}"));
        let installed = Command::new("install")
            .args(["-m", "755"])
            .args([self.path("program.txt"), self.path("dwindle")])
            .status();
        assert!(installed.expect("install is there").success());
    }

    /// How often the fake has been run.
    fn runs(&self) -> usize {
        self.read("log").lines().count()
    }

    fn command(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_dwindle-eval"))
            .arg(self.path("cases"))
            .arg("--runs")
            .arg(self.path("runs"))
            .arg("--results")
            .arg(self.path("results"))
            .arg("--program")
            .arg(self.path("dwindle"))
            .args(arguments)
            .output()
            .expect("the binary is built")
    }

    /// The table, of an evaluation that has to succeed.
    fn table(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a table is UTF-8")
    }

    /// Standard error, of an evaluation that has to end with exit code 1.
    fn error(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).expect("a message is UTF-8")
    }
}

#[test]
fn every_case_is_run_with_every_configuration() {
    let bench = Bench::new(WELL);
    let table = bench.table(&["--format", "markdown"]);
    assert!(table.contains("| case | original | few | many |"), "{table}");
    assert!(table.contains("| one | 15 | 3 / 7 / 1.50 | 3 / 70 / 1.50 |"), "{table}");
    assert!(table.contains("| two | 23 | 3 / 7 / 1.50 | 3 / 70 / 1.50 |"), "{table}");
    assert_eq!(bench.runs(), 4);
    assert_eq!(bench.read("results").lines().count(), 4);
}

#[test]
fn the_program_gets_absolute_paths_and_a_folder_of_its_own() {
    let bench = Bench::new(WELL);
    bench.table(&["--case", "one"]);
    let log = bench.read("log");
    let words: Vec<Vec<&str>> = log.lines().map(|line| line.split(' ').collect()).collect();
    let case = bench.path("cases").join("one");
    for words in &words {
        assert_eq!(words[1], "reduce");
        assert_eq!(Path::new(words[2]), case.join("input.c"));
        assert_eq!(words[3], "--test");
        assert_eq!(Path::new(words[4]), case.join("interesting.sh"));
        assert_eq!(words[5], "--output");
        assert!(words[6].ends_with(".c"));
        assert!(!Path::new(words[6]).exists());
        assert_eq!(words[7..10], ["--json", "-q", "--max-questions"]);
    }
    assert_ne!(words[0][0], words[1][0]);
    assert_ne!(words[0][6], words[1][6]);
}

#[test]
fn what_is_in_the_results_is_not_run_again() {
    let bench = Bench::new(WELL);
    bench.table(&["--case", "one"]);
    assert_eq!(bench.runs(), 2);
    let table = bench.table(&[]);
    assert_eq!(bench.runs(), 4);
    assert_eq!(bench.table(&[]), table);
    assert_eq!(bench.runs(), 4);
    // A configuration with other arguments is another one, even under its old name.
    bench.write("runs", "few: --max-questions 8\nmany: --max-questions 70\n");
    bench.table(&[]);
    assert_eq!(bench.runs(), 6);
}

#[test]
fn a_torn_last_line_is_run_again() {
    let bench = Bench::new(WELL);
    let table = bench.table(&[]);
    let results = bench.read("results");
    bench.write("results", &results[..results.len() - 20]);
    assert_eq!(bench.table(&[]), table);
    assert_eq!(bench.runs(), 5);
    assert_eq!(bench.read("results"), results);
}

#[test]
fn another_build_runs_again_unless_any_will_do() {
    let bench = Bench::new(WELL);
    let table = bench.table(&["--format", "tsv"]);
    bench.set_program(&format!("{WELL}# another build\n"));
    assert_eq!(bench.table(&["--format", "tsv", "--any-program"]), table);
    assert_eq!(bench.runs(), 4);
    assert_eq!(bench.table(&["--format", "tsv"]), table);
    assert_eq!(bench.runs(), 8);
}

#[test]
fn a_failing_program_is_recorded_and_retried_only_when_asked() {
    let bench = Bench::new(&format!(
        "test -e $here/fixed || {{ echo 'error: the input is boring' >&2; exit 5; }}\n{WELL}"
    ));
    let output = bench.command(&["--case", "one", "--format", "markdown"]);
    assert!(output.status.success());
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("| one | - | failed | failed |"), "{table}");
    let reason = "exit status: 5: error: the input is boring";
    assert!(String::from_utf8_lossy(&output.stderr).contains(reason));
    assert_eq!(bench.read("results").matches(reason).count(), 2);

    bench.write("fixed", "");
    assert!(bench.table(&["--case", "one"]).contains("failed"));
    assert_eq!(bench.runs(), 2);
    assert!(!bench.table(&["--case", "one", "--retry-failed"]).contains("failed"));
    assert_eq!(bench.runs(), 4);
    assert!(!bench.table(&["--case", "one", "--retry-failed"]).contains("failed"));
    assert_eq!(bench.runs(), 4);
}

#[test]
fn a_run_without_report_or_result_has_failed() {
    let check = |body: &str, reason: &str| {
        let bench = Bench::new(body);
        assert!(bench.table(&["--case", "one"]).contains("| one | - | failed | failed |"));
        let results = bench.read("results");
        assert!(results.contains(reason), "{results}");
    };
    check("echo hello", "its report cannot be read");
    check(&WELL.replace("finished", "interrupted"), "it was interrupted");
    check(&WELL.replace(">\"$output\"", ">/dev/null"), "it reported a result and wrote none");
}

#[test]
fn the_table_does_not_depend_on_how_many_run_at_once() {
    let alone = Bench::new(WELL);
    // The first of the runs ends last.
    let together =
        Bench::new(&format!("case $last in 7) until test -s $here/results; do :; done ;; esac\n{WELL}"));
    assert_eq!(
        together.table(&["--parallel", "2", "--case", "one", "--format", "tsv"]),
        alone.table(&["--case", "one", "--format", "tsv"])
    );
    let results = together.read("results");
    assert!(results.find("\"many\"") < results.find("\"few\""));
}

#[test]
fn the_counting_command_counts_inputs_and_results() {
    let bench = Bench::new(WELL);
    let count = "sh -c \"wc -w <$0\"";
    let table = bench.table(&["--count-tokens", count, "--format", "markdown"]);
    assert!(table.contains("| one | 8 | 5 / 7 / 1.50 | 5 / 70 / 1.50 |"), "{table}");
    assert!(table.contains("| two | 12 | 5 / 7 / 1.50 | 5 / 70 / 1.50 |"), "{table}");
    // The counts are in the results: the table needs the command no more.
    assert_eq!(bench.table(&["--table-only", "--format", "markdown"]), table);
}

#[test]
fn a_counting_command_that_does_not_work_costs_no_run() {
    let bench = Bench::new(WELL);
    let error = bench.error(&["--count-tokens", "echo many"]);
    assert!(error.contains("it has to print a number"), "{error}");
    assert_eq!(bench.runs(), 0);
}

#[test]
fn the_list_of_cases_gives_the_order_of_the_table() {
    let bench = Bench::new(WELL);
    bench.write("LIST", "two\none\n");
    let list = bench.path("LIST");
    let table = bench.table(&["--only", list.to_str().unwrap(), "--format", "tsv"]);
    let cases: Vec<&str> = table.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(cases, ["case", "two", "two", "one", "one"]);
}

#[test]
fn table_only_runs_nothing() {
    let bench = Bench::new(WELL);
    assert!(bench.error(&["--table-only"]).contains("run without --table-only first"));
    bench.table(&["--case", "one"]);
    let table = bench.table(&["--table-only", "--format", "tsv"]);
    assert_eq!(table.lines().filter(|line| line.ends_with("\tmissing")).count(), 2);
    assert_eq!(bench.runs(), 2);
    // With any program there need not even be one.
    fs::remove_file(bench.path("dwindle")).unwrap();
    assert!(bench.error(&["--table-only"]).contains("name it by --program"));
    assert_eq!(bench.table(&["--table-only", "--any-program", "--format", "tsv"]), table);
}

#[test]
fn a_mistake_in_the_runs_file_names_file_and_line() {
    let bench = Bench::new(WELL);
    bench.write("runs", "few: -v\nmany -v\n");
    let error = bench.error(&[]);
    let place = format!("in the runs file {}: line 2: no colon", bench.path("runs").display());
    assert!(error.contains(&place), "{error}");
}

#[test]
fn a_test_that_is_not_executable_is_named_before_any_run() {
    let bench = Bench::new(WELL);
    let test = bench.path("cases").join("two/interesting.sh");
    fs::set_permissions(&test, fs::Permissions::from_mode(0o644)).unwrap();
    let error = bench.error(&[]);
    assert!(error.contains(&format!("{} is not executable", test.display())), "{error}");
    assert_eq!(bench.runs(), 0);
}

#[test]
fn refused_candidates_are_sorted_by_what_a_command_says() {
    let tests = r#"for text in b a 'a b' c 'a c' b; do
    printf %s "$text" >"$PWD/candidate"
    "$4" "$PWD/candidate" || echo "$text refused" >>"$here/refused"
done
"#;
    let bench = Bench::new(&format!("{tests}{WELL}"));
    bench.write("cases/one/interesting.sh", "#!/bin/sh\ngrep -q b \"$1\"\n");
    bench.table(&["--case", "one"]);
    assert_eq!(bench.runs(), 2);
    bench.write("rules", "command: tail -n 1 \"$TEST\"; cat input.c \"$1\"\nlost: ^a\nunused: ^b\n");
    let rules = bench.path("rules");
    let rules = ["--case", "one", "--refusals", rules.to_str().unwrap(), "--format", "refusals"];
    let table = bench.table(&rules);
    assert!(table.contains("| case | run | refused | lost | unused | other |"), "{table}");
    assert!(table.contains("| one | few | 3 | 66.7 % | 0.0 % | 33.3 % |"), "{table}");
    assert_eq!(bench.runs(), 4, "what was not sorted is run again");
    assert_eq!(bench.read("refused").lines().count(), 4 * 3, "the test's answers get through");
    assert_eq!(bench.table(&rules), table);
    assert_eq!(bench.runs(), 4);
}

#[test]
fn curves_are_read_from_the_journal() {
    let bench = Bench::new(&WELL.replace("\"cached\":4", "\"cached\":4,\"journal\":\"'$here'/journal\""));
    let (input, test) = (bench.path("cases/one/input.c"), bench.path("cases/one/interesting.sh"));
    let size = |tokens| Size::with_tokens(b"", tokens);
    let subject = Subject::new(&input, b"", size(15), &test, &bench.path("output")).unwrap();
    let place = Place::File(bench.path("journal"));
    let mut journal = Journal::open(&place, &subject, Policy::Fresh, 1 << 20).unwrap().0;
    journal.step(b"x", size(9), 4).unwrap();
    journal.step(b"y", size(1), 30).unwrap();
    journal.finish().unwrap();
    let table = bench.table(&["--case", "one", "--format", "curves"]);
    let curve = "| one | 15 | 100.0 | 100.0 | 60.0 | 60.0 | 60.0 | 6.7 | 6.7 | 6.7 | 6.7 |";
    assert_eq!(table.matches(curve).count(), 2, "{table}");
    assert!(table.contains("1 of 1 are below 10 % within 40 questions."), "{table}");
}

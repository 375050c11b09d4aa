//! What was asked, as lines and as files.

use std::fs;
use std::path::Path;

use dwindle::trace::{Line, Question};

use super::support::{World, haystack};

/// A world with a program that is reduced to what has `needle` and a test that says so.
fn sound() -> World {
    let world = World::new();
    let functions = (0..12).map(|number| format!("int f{number}(int a) {{ return a + {number}; }}\n"));
    world.write("in.c", functions.collect::<String>() + "int needle(void) { return f3(1); }\n");
    world.test("test.sh", "grep -q 'needle(' \"$1\" && grep -q 'f3(int' \"$1\"");
    world
}

/// The lines of a trace.
fn lines(world: &World, name: &str) -> Vec<Line> {
    let text = String::from_utf8(world.read(name)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn questions(lines: &[Line]) -> Vec<Question> {
    let question =
        |line: &Line| if let Line::Question(question) = line { Some(question.clone()) } else { None };
    lines.iter().filter_map(question).collect()
}

/// The files in a folder, sorted, with what they hold.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let file = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

#[test]
fn lines_and_files_are_those_of_the_questions_for_any_number_of_jobs() {
    for reducer in ["linked", "hdd*", "perses", "list"] {
        let world = sound();
        let run = |jobs: &str| {
            let (trace, dump) = (format!("trace{jobs}"), format!("dump{jobs}"));
            let flags = ["--reducer", reducer, "--jobs", jobs, "--fresh", "--trace", &trace, "--dump", &dump];
            let report = world.report([&["test.sh", "in.c"], &flags[..]].concat());
            let untimed = |line| match line {
                Line::Question(question) => Line::Question(Question { at: 0.0, seconds: None, ..question }),
                list => list,
            };
            let lines: Vec<Line> = lines(&world, &trace).into_iter().map(untimed).collect();
            (report, lines, files(&world.path(dump)))
        };
        let (report, lines, dumped) = run("1");
        assert_eq!(run("4").1, lines, "{reducer}");
        assert_eq!(run("3").2, dumped, "{reducer}");

        let questions = questions(&lines);
        assert!((1..).zip(&questions).all(|(number, question)| question.number == number));
        let tested: Vec<&Question> = questions.iter().filter(|question| question.from == "test").collect();
        assert_eq!(report["questions"]["total"], tested.len(), "{reducer}");
        let cached = questions.iter().filter(|question| question.from == "cache").count();
        assert_eq!(report["cached"], cached, "{reducer}");
        let last = questions.iter().rfind(|question| question.accepted).unwrap();
        assert_eq!(report["after"]["bytes"], last.size.bytes, "{reducer}");
        // The second run on the input and the one on the result are of contents that are there already.
        let name = |question: &&Question| format!("{:06}-{}-in.c", question.number, question.outcome);
        let names: Vec<String> = tested.iter().map(name).collect();
        assert_eq!(dumped.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), names, "{reducer}");
        for ((name, bytes), question) in dumped.iter().zip(tested) {
            let yes = world.finds_interesting(&world.path("test.sh"), "in.c", bytes);
            assert_eq!(yes, question.outcome == "interesting", "{name}");
            assert_eq!(bytes.len() as u64, question.size.bytes, "{name}");
        }
    }
}

#[test]
fn questions_about_a_list_say_what_they_take_and_what_that_weighs() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle \"$1\"");
    let flags = ["--format", "lines", "--minimizer", "ddmin", "--jobs", "1", "--trace", "trace"];
    world.report([&["test.sh", "in.txt"], &flags[..]].concat());
    let lines = lines(&world, "trace");
    let Some(Line::List(list)) = lines.iter().find(|line| matches!(line, Line::List(_))) else {
        panic!("there is a list: {lines:?}")
    };
    assert_eq!((list.list, list.elements.len()), (1, 20));
    assert_eq!((list.weights[0], list.weights[7]), (5, 1));
    let questions = questions(&lines);
    assert_eq!([&questions[0].kind, &questions[1].kind], ["input", "input"]);
    let first = &questions[2];
    let of = first.of.as_ref().unwrap();
    assert_eq!((of.list, of.standing, &of.removed[..]), (1, 20, &[(10, 20)][..]));
    assert_eq!((of.weight, first.fewer), (50, 50));
    assert!(first.accepted && first.same.is_none(), "{first:?}");
}

#[test]
fn candidates_that_are_folders_are_dumped_as_folders() {
    let world = World::new();
    world.write("in/d/a.txt", "needle\nhay\n");
    world.write("in/b.png", b"\x89PNG\0");
    world.write("in/c.txt", "hay\n");
    world.test("test.sh", "grep -q needle \"$1/d/a.txt\" && [ -f \"$1/b.png\" ]");
    let report = world.report(["test.sh", "in/.", "-o", "out", "--trace", "trace", "--dump", "dump"]);
    let questions = questions(&lines(&world, "trace"));
    let tested: Vec<&Question> = questions.iter().filter(|question| question.from == "test").collect();
    assert_eq!(report["questions"]["total"], tested.len());
    let mut names: Vec<String> = fs::read_dir(world.path("dump"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let name = |question: &&Question| format!("{:06}-{}-in", question.number, question.outcome);
    assert_eq!(names, tested.iter().map(name).collect::<Vec<_>>());
    for name in &names {
        let test = format!("./test.sh dump/{name} && [ -d dump/{name} ]");
        assert_eq!(world.shell(&test).code == Some(0), name.contains("-interesting-"), "{name}");
    }
    assert_eq!(world.read("dump/000001-interesting-in/b.png"), b"\x89PNG\0");
}

#[test]
fn a_trace_and_a_dump_replace_nothing_of_the_reduction() {
    let world = sound();
    world.write("full/file", "");
    world.write("file", "");
    for (flags, expected) in [
        (["--dump", "full"], "full is not empty; name a new or an empty folder"),
        (["--dump", "file"], "cannot write what was asked to file"),
        (["--trace", "in.c"], "cannot write what was asked to in.c: it is the input; name another file\n"),
        (["--trace", "test.sh"], "it is the test; name another file\n"),
        (["--trace", "no/such/folder"], "cannot write what was asked to no/such/folder"),
    ] {
        world.run([&["test.sh", "in.c"][..], &flags].concat()).ends_with(7, &[expected]);
        assert_eq!(world.runs(), 0, "found before the first question");
    }
    let full = ["test.sh", "in.c", "--trace", "/dev/full"];
    world.run(full).ends_with(7, &["cannot write what was asked to /dev/full: No space left"]);
    assert!(world.finds_interesting(&world.path("test.sh"), "in.c", &world.read("in.reduced.c")));
}

//! A folder as an input.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::support::{World, wait_until};

/// A project of C in `p`, in which `needle` is a function of one file that another one calls.
fn project() -> World {
    let world = World::new().one_by_one();
    project_in(&world);
    world
}

fn project_in(world: &World) {
    for (path, text) in [
        ("p/include/util.h", "#ifndef UTIL\n#define UTIL\nint needle(int a);\nint other(int a);\n#endif\n"),
        ("p/include/log.h", "void log_it(const char *what);\n"),
        (
            "p/src/util.c",
            "#include \"util.h\"\nint needle(int a) { return a; }\nint other(int a) { return a + 1; }\n",
        ),
        ("p/src/log.c", "#include \"log.h\"\nvoid log_it(const char *what) { (void)what; }\n"),
        (
            "p/src/main.c",
            "#include \"util.h\"\n#include \"log.h\"\nint main(void) {\n  log_it(\"a\");\n  return needle(other(1));\n}\n",
        ),
        ("p/README.md", "# A project\n\nIt has some text.\n"),
    ] {
        write(world, path, text);
    }
}

fn write(world: &World, path: &str, text: impl AsRef<[u8]>) {
    fs::create_dir_all(world.path(path).parent().unwrap()).unwrap();
    world.write(path, text);
}

/// Wants a definition and a call of `needle`, and the headers that are included.
const COMPILES: &str = r#"cd "$1" || exit 1
for header in util log; do
  [ -f include/$header.h ] || ! grep -q "include \"$header.h" src/*.c || exit 1
done
grep -q '^int needle(.*) {' src/util.c && grep -q 'return needle(' src/main.c"#;

/// All that is in a folder: paths with contents, targets or nothing.
fn found(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            let content = if about.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if about.is_dir() {
                open.push(path.clone());
                "folder".into()
            } else {
                String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()
            };
            all.push((path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), content));
        }
    }
    all.sort();
    all
}

fn paths(folder: &Path) -> Vec<String> {
    found(folder).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn files_go_with_what_names_them() {
    let world = project();
    world.test("test.sh", COMPILES);
    let before = found(&world.path("p"));
    let report = world.report(["test.sh", "p"]);
    assert_eq!(found(&world.path("p")), before, "the input stays as it was");
    let result = found(&world.path("p.reduced"));
    let files: Vec<_> = result.iter().filter(|(_, text)| text != "folder").collect();
    let names: Vec<_> = files.iter().map(|(path, _)| &path[..]).collect();
    assert_eq!(names, ["src/main.c", "src/util.c"], "{result:?}");
    assert!(report["after"]["tokens"].as_u64().unwrap() < 30, "{report} {result:?}");
    assert!(report["questions"]["total"].as_u64().unwrap() < 150, "{report}");
    assert_eq!(report["language"], "folder");
    assert_eq!(
        world.names().iter().filter(|name| name.contains("dwindle")).count(),
        0,
        "{:?}",
        world.names()
    );
    world.assert_no_file_is_left();
}

#[test]
fn every_search_and_every_number_of_jobs_reduces_folders() {
    let mut by_jobs = Vec::new();
    for options in [
        &["--jobs", "1"][..],
        &["--jobs", "4"],
        &["--reducer", "hdd*"],
        &["--reducer", "perses"],
        &["--reducer", "list"],
        &["--format", "lines"],
        &["--minimizer", "probdd"],
        &["--format-result", "never"],
    ] {
        let world = World::new();
        project_in(&world);
        world.test("test.sh", COMPILES);
        let some = ["test.sh", "p", "--max-questions", "60"];
        let report = world.report([&some[..], options].concat());
        let names = paths(&world.path("p.reduced"));
        assert!(names.contains(&"src/util.c".to_owned()), "{options:?} {names:?}");
        assert!(!names.contains(&"README.md".to_owned()), "{options:?} {names:?}");
        assert!(report["after"]["bytes"].as_u64() < report["before"]["bytes"].as_u64(), "{report}");
        if options[0] == "--jobs" {
            by_jobs.push(found(&world.path("p.reduced")));
        }
    }
    assert_eq!(by_jobs[0], by_jobs[1]);
}

#[test]
fn links_rights_empty_folders_and_bytes_survive_where_they_are_needed() {
    let world = World::new();
    write(&world, "in/a/run.sh", "#!/bin/sh\necho needle\n");
    fs::set_permissions(world.path("in/a/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    write(&world, "in/a/picture", b"\x89PNG\0\xff\xfe");
    write(&world, "in/a/other picture", b"\0\0\0");
    write(&world, "in/b/text", "text\n");
    fs::create_dir_all(world.path("in/c/empty")).unwrap();
    symlink("a/run.sh", world.path("in/link")).unwrap();
    world.test(
        "test.sh",
        r#"cd "$1" || exit 1
        [ -d c/empty ] && [ "$(wc -c < a/picture)" = 7 ] && [ -L link ] && ./link | grep -q needle"#,
    );
    world.run(["test.sh", "in", "--format-result", "never"]).ends_with(0, &["reduced: in -> in.reduced"]);
    let result = found(&world.path("in.reduced"));
    let names: Vec<_> = result.iter().map(|(path, _)| &path[..]).collect();
    assert_eq!(names, ["a", "a/picture", "a/run.sh", "c", "c/empty", "link"]);
    assert_eq!(fs::read(world.path("in.reduced/a/picture")).unwrap(), b"\x89PNG\0\xff\xfe");
    assert_eq!(fs::metadata(world.path("in.reduced/a/run.sh")).unwrap().mode() & 0o777, 0o755);
}

#[test]
fn what_a_test_does_to_its_folder_does_not_reach_the_next_one() {
    let asked = |body: &str| {
        let world = project();
        world.test("test.sh", &format!("{COMPILES} || exit 1\n{body}"));
        let report = world.report(["test.sh", "p", "--max-questions", "25"]);
        world.assert_no_process_is_left();
        (report["questions"].clone(), found(&world.path("p.reduced")))
    };
    let clean = asked("exit 0");
    for body in [
        "rm -rf \"$1\"; exit 0",
        "cd \"$1\"; echo 'return needle(' >> src/main.c; mkdir -p x/y; touch x/y/z; exit 0",
        "cd \"$1\"; for file in src/*.c; do sed s/needle/eedlen/ \"$file\" > n; touch -r \"$file\" n; cat n > \"$file\"; done; exit 0",
        "cd \"$1\"; rm -r src; ln -s / src; exit 0",
        "chmod -R 0 \"$1\"; exit 0",
        "rm -rf \"$1\"; echo file > \"$1\"; exit 0",
    ] {
        assert_eq!(asked(body), clean, "{body}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let world = project();
    world.test("test.sh", COMPILES);
    let part = world.report(["test.sh", "p", "--max-questions", "20"]);
    assert_eq!(part["end"], "max-questions", "{part}");
    let bytes = |report: &serde_json::Value| report["after"]["bytes"].as_u64();
    assert!(bytes(&part) < part["before"]["bytes"].as_u64(), "{part}");
    let rest = world.report(["test.sh", "p"]);
    assert!(rest["replayed"].as_u64().unwrap() > 0 && bytes(&rest) < bytes(&part), "{rest}");
    let other = project();
    other.test("test.sh", COMPILES);
    other.report(["test.sh", "p"]);
    assert_eq!(found(&world.path("p.reduced")), found(&other.path("p.reduced")));
}

#[test]
fn a_killed_run_leaves_a_whole_result_and_nothing_else() {
    let world = project();
    world.test("test.sh", &format!("{COMPILES} || exit 1\n[ $(($(echo x >> \"$WORLD/n\"; wc -l < \"$WORLD/n\"))) -lt 12 ] || {{ touch \"$WORLD/there\"; sleep 60; }}"));
    let mut run = world.command(["test.sh", "p"]).spawn().unwrap();
    wait_until(|| world.root().join("there").exists());
    run.kill().unwrap();
    run.wait().unwrap();
    world.assert_no_process_is_left();
    world.assert_no_file_is_left();
    let left: Vec<String> = world.names().into_iter().filter(|name| name.contains("dwindle-")).collect();
    assert_eq!(left, [""; 0]);
    let names = paths(&world.path("p.reduced"));
    assert!(names.contains(&"src/util.c".to_owned()), "{names:?}");
}

#[test]
fn in_place_neither_folders_nor_archives_are_written_over() {
    let world = project();
    world.test("test.sh", COMPILES);
    world.shell("tar -C p -cf a.tar .");
    let before = (found(&world.path("p")), world.read("a.tar"));
    for input in ["p", "a.tar"] {
        world.run(["test.sh", input, "--in-place"]).ends_with(7, &["--in-place does not write over"]);
    }
    assert_eq!((found(&world.path("p")), world.read("a.tar")), before);
}

#[test]
fn what_was_there_before_a_result_of_no_use_is_there_again() {
    let world = project();
    world.test("test.sh", "true");
    fs::create_dir_all(world.path("p.reduced/src")).unwrap();
    fs::write(world.path("p.reduced/src/main.c"), b"\0 earlier").unwrap();
    let before = found(&world.path("p.reduced"));
    world.run(["test.sh", "p"]).ends_with(10, &["accepts"]);
    assert_eq!(found(&world.path("p.reduced")), before);
}

#[test]
fn a_result_that_is_a_link_is_judged_by_where_it_leads() {
    let world = project();
    world.test("test.sh", COMPILES);
    for (link, target) in
        [("link", "result"), ("inside", "p/src"), ("new", "p/new"), ("around", "."), ("same", "p")]
    {
        symlink(target, world.path(link)).unwrap();
    }
    let before = found(&world.path("p"));
    // The second time there is a folder where the link leads.
    for _ in 0..2 {
        world.run(["test.sh", "p", "--output", "link", "--fresh"]).ends_with(0, &["reduced: p -> "]);
        assert_eq!(fs::read_link(world.path("link")).unwrap(), Path::new("result"));
        assert!(paths(&world.path("result")).contains(&"src/util.c".to_owned()));
    }
    for (link, why) in [
        ("inside", "inside: it is in the input"),
        ("new", "new: it is in the input"),
        ("around", "around: it is a folder with files that the input has not"),
        ("same", "same: it is the input;"),
    ] {
        world.run(["test.sh", "p", "--output", link]).ends_with(7, &[why]);
    }
    assert_eq!(found(&world.path("p")), before);
}

#[test]
fn sizes_are_those_of_the_files() {
    let world = project();
    world.write("p/blob.bin", [0_u8; 100]);
    world.test("test.sh", &format!("[ -f \"$1/blob.bin\" ] || exit 1\n{COMPILES}"));
    let sizes = |folder: &str| {
        let all = found(&world.path(folder)).into_iter().filter(|(_, text)| text != "folder");
        all.fold((0, 0), |(bytes, lines), (_, text)| (bytes + text.len(), lines + text.lines().count()))
    };
    let input = sizes("p");
    let report = world.report(["test.sh", "p"]);
    for (size, (bytes, lines)) in [("before", input), ("after", sizes("p.reduced"))] {
        // The binary file has bytes only.
        assert_eq!(report[size]["bytes"], bytes, "{report}");
        assert_eq!(report[size]["lines"], lines - 1, "{report}");
    }
}

#[test]
fn a_command_gets_the_folder_where_its_place_is() {
    let world = World::new();
    project_in(&world);
    let finished = world.run(["p", "--exit-code", "0", "--", "grep", "-rq", "needle(int", "{}"]);
    finished.ends_with(0, &["reduced: p -> p.reduced"]);
    let names = paths(&world.path("p.reduced"));
    assert_eq!(names.iter().filter(|name| name.ends_with(['c', 'h'])).count(), 1, "{names:?}");
    let options = ["p", "--exit-code", "0", "--max-questions", "3", "--fresh", "--save-test", "saved.sh"];
    world.run([&options[..], &["--", "grep", "-rq", "needle(int", "{}"]].concat()).ends_with(0, &[]);
    assert_eq!(world.shell("./saved.sh p </dev/null").code, Some(0), "{:?}", world.read("saved.sh"));
}

#[test]
fn what_cannot_be_reduced_or_written_is_said() {
    let world = project();
    world.test("test.sh", COMPILES);
    world.run(["test.sh", "p", "--language", "c"]).ends_with(3, &["p: it is a folder, in which each file"]);
    fs::create_dir_all(world.path("mine")).unwrap();
    write(&world, "mine/thesis.tex", "years of work");
    let refused = world.run(["test.sh", "p", "--output", "mine"]);
    refused.ends_with(7, &["a folder with files that the input has not"]);
    assert!(world.path("mine/thesis.tex").exists());
    world.run(["test.sh", "p", "--output", "p/result"]).ends_with(7, &["in the input"]);
    world.write("file", "x");
    world.run(["test.sh", "p", "--output", "file"]).ends_with(7, &["no folder"]);
    fs::create_dir_all(world.path("empty")).unwrap();
    world.run(["test.sh", "empty"]).ends_with(3, &["it is empty already"]);
    let pipe: PathBuf = world.path("p/pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
        .unwrap();
    world.run(["test.sh", "p"]).ends_with(3, &["p/pipe: it is neither a file nor a folder nor a link"]);
    fs::remove_file(pipe).unwrap();
    world.test("never.sh", "exit 1");
    world.run(["never.sh", "p"]).ends_with(5, &["cp -R ", "< /dev/null"]);
}

#[test]
fn files_that_are_to_stay_do() {
    let world = project();
    world.test("test.sh", COMPILES);
    world.report(["test.sh", "p", "--only", "*.c", "--keep-file", "log.*"]);
    let (before, after) = (found(&world.path("p")), found(&world.path("p.reduced")));
    for path in ["README.md", "include/util.h", "include/log.h", "src/log.c"] {
        let of = |all: &[(String, String)]| all.iter().find(|(other, _)| other == path).cloned();
        assert_eq!(of(&after), of(&before), "{path}");
    }
    assert!(after.iter().any(|(path, text)| path == "src/main.c" && text.len() < 50), "{after:?}");
    world.run(["test.sh", "p", "--only", "["]).ends_with(2, &["the glob \"[\" is wrong"]);
    world.write("a.c", "int a;");
    world
        .run(["test.sh", "a.c", "--only", "*"])
        .ends_with(3, &["--only and --keep-file choose among the files of a folder"]);
}

#[test]
fn an_archive_is_reduced_as_the_folder_in_it() {
    let world = project();
    world.test("test.sh", COMPILES);
    let folder = world.report(["test.sh", "p"]);
    world.shell("tar -C p -czf p.tar.gz include src README.md");
    let packed = world.report(["test.sh", "p.tar.gz"]);
    assert_eq!(packed["output"], "p.reduced.tar.gz");
    assert_eq!((&packed["after"], &packed["questions"]), (&folder["after"], &folder["questions"]));
    world.shell("mkdir unpacked && tar -C unpacked -xzf p.reduced.tar.gz");
    assert_eq!(found(&world.path("unpacked")), found(&world.path("p.reduced")));
    world.write("a.zip", "no archive");
    world.run(["test.sh", "a.zip"]).ends_with(3, &["it has the name of an archive, but", "--format bytes"]);
    world.test("bytes.sh", "grep -q 'arch' \"$1\"");
    world.run(["bytes.sh", "a.zip", "--format", "bytes"]).ends_with(0, &["reduced: a.zip -> a.reduced.zip"]);
    assert_eq!(world.read("a.reduced.zip"), b"arch");
}

#[test]
fn a_test_of_folders_can_be_checked() {
    let world = World::new();
    project_in(&world);
    world.program("test.sh", format!("#!/bin/sh\n{COMPILES}\n"));
    let said = world.run(["check", "test.sh", "p"]).ends_with(0, &[]).out;
    assert!(said.starts_with("The test is fine: ") && !said.contains("by that name"), "{said}");
    world.program("named.sh", "#!/bin/sh\ngrep -q needle p/src/util.c\n");
    let said = world.run(["check", "named.sh", "p"]).ends_with(0, &[]).out;
    assert!(said.contains("It looks for p by that name"), "{said}");
    world.program("any.sh", "#!/bin/sh\n[ -d \"$1\" ]\n");
    let checked = world.run(["check", "any.sh", "p"]);
    assert_ne!(checked.code, Some(0), "{}", checked.err);
}

#[test]
fn a_step_is_restored_as_a_folder() {
    let world = World::new();
    project_in(&world);
    write(&world, "p/logo.png", b"\x89PNG\0");
    world.test("test.sh", COMPILES);
    world.report(["test.sh", "p", "--max-questions", "12"]);
    let before = found(&world.path("p"));
    let restore = |to: &str| {
        let mut command = world.command(["history", "p.reduced", "--restore", "0", "--to", to]);
        command.output().unwrap()
    };
    assert!(restore("again").status.success());
    assert_eq!(found(&world.path("again")), before);
    assert!(!restore("again").status.success(), "what is there is not replaced");
    fs::remove_file(world.path("p/logo.png")).unwrap();
    let gone = restore("other");
    let said = String::from_utf8(gone.stderr).unwrap();
    assert!(!gone.status.success() && said.contains("logo.png is not in"), "{said}");
}

#[test]
fn each_file_is_laid_out_as_it_was() {
    let world = World::new();
    let unused = "  in the   way\n";
    let kernighan = "int one(int a) {\n\tif (a) {\n\t\treturn 1;\n\t}\n\treturn 2;\n}\nint unused(int a) {\n\treturn a;\n}\n";
    let gnu = "int\ntwo (int a)\n{\n  if (a)\n    {\n      return 1;\n    }\n  return 2;\n}\nint\nunused_too (int a)\n{\n  return a;\n}\n";
    let python =
        "def three(a):\n    if a:\n        return 1\n    return 2\n\n\ndef unused(a):\n    return a\n";
    for (path, text) in [("p/a.c", kernighan), ("p/b.c", gnu), ("p/c.py", python)] {
        write(&world, path, text);
    }
    write(&world, "p/d.txt", format!("{unused}a {{  b\t}}\n{unused}"));
    // White space does not matter to it.
    world.test(
        "test.sh",
        r#"cd "$1" || exit 1
words() { tr -s ' \t\n' ' ' < "$1" | sed 's/ *\([^a-z0-9]\) */\1/g'; }
words a.c | grep -q 'int one(int a){if(a){return 1;}return 2;}' && words b.c | grep -q 'int two(int a){if(a){return 1;}return 2;}' &&
words c.py | grep -q 'def three(a):if a:return 1 return 2' && grep -q 'a {  b	}' d.txt"#,
    );
    world.report(["test.sh", "p", "--passes", "layout"]);
    let read = |path: &str| String::from_utf8(world.read(format!("p.reduced/{path}"))).unwrap();
    let before = |text: &str, end: &str| text[..text.find(end).unwrap()].trim_end().to_owned() + "\n";
    assert_eq!(read("a.c"), before(kernighan, "int unused"));
    assert_eq!(read("b.c"), before(gnu, "int\nunused"));
    assert_eq!(read("c.py"), before(python, "def unused"));
    assert_eq!(read("d.txt").trim_end(), "a {  b\t}");
}

#[test]
fn a_folder_of_which_all_is_needed_was_not_changed_by_somebody_else() {
    let world = World::new();
    write(&world, "in/a.txt", "needle");
    world.test("test.sh", "[ \"$(cat \"$1\"/a.txt)\" = needle ]");
    let said = world.run(["test.sh", "in"]).ends_with(0, &[]);
    assert!(!said.err.contains("somebody else"), "{}", said.err);
    assert_eq!(world.read("in.reduced/a.txt"), b"needle");
}

/// The results for the files of a folder: each has a path, a text, and a pattern of what is needed of it, without its white space.
fn laid_out<const N: usize>(files: [(&str, &str, &str); N]) -> [String; N] {
    let world = World::new();
    let mut checks = vec!["cd \"$1\"".to_owned()];
    for (path, text, needed) in files {
        write(&world, &format!("p/{path}"), text);
        checks.push(format!("tr -d ' \\t\\n' < {path} | grep -q '{needed}'"));
    }
    world.test("test.sh", &checks.join(" &&\n"));
    world.report(["test.sh", "p", "--passes", "layout"]);
    files.map(|(path, ..)| String::from_utf8(world.read(format!("p.reduced/{path}"))).unwrap())
}

const PYTHON: &str = "def three(a):\n    if a:\n        return 1\n    return 2\n";
const PYTHON_NEEDED: &str = "defthree(a):ifa:return1return2";

#[test]
fn a_file_with_a_region_is_laid_out_around_it_and_others_as_ever() {
    // Such a line is not broken anywhere else, so the layout that changes most would change the region.
    let unused = "int unused(int a) {\n    int b = a + 1;\n    int c = a + 1;\n    return a;\n}\n";
    let kept = "/* dwindle: keep */\nint kept =\n    1 + 2;\n/* dwindle: end */\n";
    let one = "int one(int a) {\n    if (a) {\n        return 1;\n    }\n    return 2;\n}\n";
    let with_call = one.replace("2;", "2  /  unused(a);");
    let files = [
        ("a.c", &*format!("{unused}{kept}{with_call}"), "intone(inta){if(a){return1;}return2.*;}"),
        ("b.py", &format!("{PYTHON}\n\ndef unused(a):\n    return a\n"), PYTHON_NEEDED),
    ];
    assert_eq!(laid_out(files), [format!("{kept}{one}"), PYTHON.to_owned()]);
}

#[test]
fn a_file_with_a_line_like_those_between_files_is_laid_out() {
    let title = "TITLE = \"\"\"\n=====\n\"\"\"\n";
    let text = format!("{title}{PYTHON}\n\ndef unused(a):\n    return a\n");
    let needed = format!("TITLE=\"\"\"=====\"\"\".*{PYTHON_NEEDED}");
    assert_eq!(laid_out([("a.py", &text, &needed)]), [format!("{title}{PYTHON}")]);
}

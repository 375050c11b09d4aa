//! The book: the commands of each page are run in their order, and must print what the page shows.
//!
//! A block with `file=NAME` behind its language is written to that file, executable if it begins with `#!`. A `console`
//! block has commands behind `$ ` (`> ` goes on with one) and below each what it prints, where `…` is any text and a line
//! of `…` any lines; a command without such lines may print anything. `$ echo $?` shows an exit code other than 0. What `sh`
//! blocks say is run as well. The programs of the book are in `testdata/book/bin`.

use std::fs;
use std::path::{Path, PathBuf};

use super::support::World;

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src")
}

/// A test for each page.
macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];

        $(#[test]
        fn $test() {
            let text = fs::read_to_string(book().join($page)).unwrap();
            if let Some(problem) = problem(&text) {
                panic!("{}:{problem}", $page);
            }
        })*
    };
}

pages! {
    the_introduction: "introduction.md",
    the_first_reduction: "first-reduction.md",
    writing_tests: "writing-tests.md",
    reading_the_report: "report.md",
    languages: "languages.md",
    choosing_an_algorithm: "algorithms.md",
    recipes: "recipes.md",
    recipe_for_compilers: "recipes/compilers.md",
    recipe_for_wrong_code: "recipes/wrong-code.md",
    recipe_for_sanitizers: "recipes/sanitizers.md",
    recipe_for_smt: "recipes/smt.md",
    recipe_for_sql: "recipes/sql.md",
    recipe_for_javascript: "recipes/javascript.md",
    recipe_for_python: "recipes/python.md",
    recipe_for_xml: "recipes/xml.md",
    recipe_for_hangs: "recipes/hangs.md",
    recipe_for_flaky_tests: "recipes/flaky.md",
    recipe_for_headers: "recipes/headers.md",
    folders_and_archives: "folders.md",
    isolating_and_debloating: "isolate-debloat.md",
    lists_of_anything: "lists.md",
    ci_and_commits: "ci.md",
    coming_from_others: "coming-from.md",
    the_library: "library.md",
    the_python_package: "python-package.md",
}

#[test]
fn every_page_of_the_book_is_tested() {
    let summary = fs::read_to_string(book().join("SUMMARY.md")).unwrap();
    let linked: Vec<&str> = summary.split("](").skip(1).map(|link| link.split(')').next().unwrap()).collect();
    assert_eq!(linked, PAGES);
}

#[test]
fn a_page_that_shows_what_does_not_happen_is_found() {
    let page =
        |commands: &str| format!("Text.\n\n```txt,file=a.txt\nneedle\n```\n\n```console\n{commands}\n```\n");
    for good in [
        "$ cat a.txt\nneedle",
        "$ cat a.txt\nn…e",
        "$ printf '1\\n2\\n3\\n'\n1\n…\n3",
        "$ cat \\\n> a.txt\nneedle",
        "$ (echo out; exit 3)\nout\n$ echo $?\n3",
    ] {
        assert_eq!(problem(&page(good)), None, "{good}");
    }
    for (bad, line) in [
        ("$ cat a.txt\nneedles", 8),
        ("$ cat a.txt\nneedle\nmore", 8),
        ("$ cat a.txt\nneedle\n$ printf '1\\n2\\n'\n1", 10),
        ("$ false", 8),
        ("$ true\n$ echo $?\n1", 8),
        ("$ cat b.txt", 8),
        ("no command", 8),
    ] {
        let problem = problem(&page(bad)).unwrap_or_else(|| panic!("not found: {bad}"));
        assert!(problem.starts_with(&format!("{line}: ")), "{problem}");
    }
    assert!(problem("```text\n$ dwindle a.c\n```\n").is_some(), "a command that nobody runs");
}

/// A command of a page.
#[derive(Debug)]
struct Command {
    line: usize,
    words: String,
    shown: Vec<String>,
    code: i32,
}

/// What is wrong with a page, behind the number of its line.
fn problem(page: &str) -> Option<String> {
    let world = World::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((start, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        let text: String = block.iter().map(|(_, line)| format!("{line}\n")).collect();
        let (language, file) = match info.split_once(",file=") {
            Some((language, file)) => (language, Some(file)),
            None => (info, None),
        };
        let commands = match (language, file) {
            (_, Some(file)) if text.starts_with("#!") => {
                world.program(file, text);
                continue;
            }
            (_, Some(file)) => {
                world.write(file, text);
                continue;
            }
            ("console", None) => match commands(&block) {
                Ok(commands) => commands,
                Err(problem) => return Some(problem),
            },
            ("sh", None) => vec![Command { line: start, words: text, shown: Vec::new(), code: 0 }],
            _ if text.starts_with("$ ") => return Some(format!("{start}: a command that is not run")),
            _ => continue,
        };
        if let Some(problem) = commands.iter().find_map(|command| fault(&world, command)) {
            return Some(problem);
        }
    }
    None
}

fn commands(block: &[(usize, &str)]) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    for &(line, text) in block {
        match (text.strip_prefix("$ "), text.strip_prefix("> "), commands.last_mut()) {
            (Some(words), ..) => {
                commands.push(Command { line, words: words.to_owned(), shown: Vec::new(), code: 0 });
            }
            (None, Some(words), Some(command)) if command.words.ends_with('\\') => {
                command.words += &format!("\n{words}");
            }
            (None, _, Some(command)) => command.shown.push(text.to_owned()),
            (None, _, None) => return Err(format!("{line}: a command begins with `$ `")),
        }
    }
    let mut with_codes: Vec<Command> = Vec::new();
    for command in commands {
        match (&command.words[..], with_codes.last_mut()) {
            ("echo $?", Some(before)) => before.code = command.shown.concat().parse().unwrap_or(-1),
            _ => with_codes.push(command),
        }
    }
    Ok(with_codes)
}

/// What is wrong with a command, if it does not do what the page shows.
fn fault(world: &World, command: &Command) -> Option<String> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/book/bin");
    let programs = fs::canonicalize(programs).unwrap();
    let set_up = format!("exec 2>&1; export PATH='{}':\"$PATH\" DWINDLE_PROGRESS=none", programs.display());
    let finished = world.shell(&format!("{set_up}\n{}", command.words));
    // Whoever reads the book need not be root, as tests in containers are.
    let is_meant = |line: &&str| !line.starts_with("warning: the test runs as root");
    let printed: Vec<&str> = finished.out.lines().filter(is_meant).collect();
    let Command { line, words, shown, code } = command;
    let told = format!("`{words}` printed\n{}\n", printed.join("\n"));
    if finished.code != Some(*code) {
        return Some(format!("{line}: {told}and ended with {:?}, not {code}", finished.code));
    }
    let is_shown =
        shown.is_empty() || are_shown(&printed, &shown.iter().map(String::as_str).collect::<Vec<_>>());
    (!is_shown).then(|| format!("{line}: {told}and not\n{}", shown.join("\n")))
}

fn are_shown(printed: &[&str], shown: &[&str]) -> bool {
    match (printed, shown) {
        ([], []) => true,
        (_, ["…", rest @ ..]) => (0..=printed.len()).any(|skipped| are_shown(&printed[skipped..], rest)),
        ([line, printed @ ..], [pattern, shown @ ..]) => {
            is_shown(line.trim_end(), pattern) && are_shown(printed, shown)
        }
        _ => false,
    }
}

fn is_shown(line: &str, pattern: &str) -> bool {
    match pattern.split_once('…') {
        None => line == pattern,
        Some((head, tail)) => line.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_shown(&rest[at..], tail))
        }),
    }
}

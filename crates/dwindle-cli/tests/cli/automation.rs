//! The GitHub action, and the hooks for pre-commit: their scripts do what `action.yml` and `.pre-commit-hooks.yaml` promise.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::support::{Finished, World, haystack};

fn repository() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

fn world() -> World {
    let world = World::new();
    world.write("in.txt", haystack(30, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle \"$1\"");
    world
}

/// A step of the action, with its variables; what it says to the runner is in the files of `said`.
fn step(world: &World, script: &str, variables: &[(&str, &str)]) -> Finished {
    let variables: String =
        variables.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
    let (action, root) = (repository(), world.root().display());
    let runner = format!(
        "export GITHUB_ACTION_PATH='{action}' RUNNER_TEMP='{root}/tmp' GITHUB_OUTPUT='{root}/outputs' \
         GITHUB_PATH='{root}/paths' GITHUB_STEP_SUMMARY='{root}/page'",
        action = action.display()
    );
    world.shell(&format!("{runner}\n{variables}exec \"$GITHUB_ACTION_PATH/packaging/action/{script}\""))
}

fn reduce(world: &World, variables: &[(&str, &str)]) -> Finished {
    let all = ["FILE", "COMMAND", "TEST", "OPTIONS", "MAX_TIME"];
    let given =
        |name: &str| variables.iter().find(|(given, _)| *given == name).map_or("", |(_, value)| *value);
    step(world, "reduce", &all.map(|name| (name, given(name))))
}

fn outputs(world: &World) -> BTreeMap<String, String> {
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    world.note("outputs").lines().filter_map(pair).collect()
}

#[test]
fn the_action_reduces_and_says_where_the_result_is() {
    for (number, how) in [("TEST", "./test.sh"), ("COMMAND", "grep \"need\"le {}")].into_iter().enumerate() {
        let world = world();
        let said = reduce(
            &world,
            &[("FILE", "in.txt"), how, ("OPTIONS", "--seed 3 --keep \"line 5 .*\""), ("MAX_TIME", "60")],
        );
        assert_eq!(said.code, Some(0), "{number}: {}{}", said.out, said.err);
        let outputs = outputs(&world);
        assert_eq!(fs::read_to_string(&outputs["result"]).unwrap(), "line 5 of the input\nneedle\n");
        assert_eq!((&*outputs["tokens-before"], &*outputs["tokens-after"]), ("146", "6"));
        let names: Vec<String> = fs::read_dir(&outputs["folder"])
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        for name in ["in.txt", "report.html", "journal", "summary.json"] {
            assert!(names.iter().any(|there| there == name), "{name} is not among {names:?}");
        }
        assert!(fs::read_to_string(&outputs["report"]).unwrap().contains("<html"));
        let page = world.note("page");
        assert!(page.contains("6 tokens are left of 146, after "), "{page}");
        assert!(page.contains("```txt\nline 5 of the input\nneedle\n```\n"), "{page}");
    }
}

#[test]
fn the_action_says_what_is_wrong_and_runs_nothing_of_its_inputs() {
    for (variables, what) in [
        (&[("TEST", "./test.sh")][..], "there is no input"),
        (&[("FILE", "in.txt")], "neither a command nor a test"),
        (&[("FILE", "in.txt"), ("TEST", "./test.sh"), ("COMMAND", "true")], "a command and a test"),
        (&[("FILE", "in.txt"), ("COMMAND", "grep \"$(touch run)\" `touch run` {}")], "exit code 5"),
        (&[("FILE", "in.txt; touch run"), ("TEST", "./test.sh")], "exit code 3"),
    ] {
        let world = world();
        let said = reduce(&world, variables);
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(
            said.out.starts_with("::error title=dwindle::") && said.out.contains(what),
            "{what}: {}",
            said.out
        );
        assert_eq!(world.names(), ["in.txt", "test.sh"]);
        assert_eq!(outputs(&world).get("result"), None);
    }
}

#[test]
fn the_action_builds_only_where_there_is_no_dwindle() {
    let world = world();
    let install = |folder: &str| step(&world, "install", &[("INSTALL", ""), ("FOLDER", folder)]);
    assert_eq!(step(&world, "look", &[("INSTALL", "")]).code, Some(0));
    assert_eq!(world.note("outputs"), "", "the dwindle of this test is in PATH");
    assert!(install("").out.starts_with("dwindle "));
    assert!(Path::new(world.note("paths").trim()).join("dwindle").is_file());

    let without = "PATH=/usr/bin:/bin";
    let said = world.shell(&format!("{without} command -v dwindle"));
    assert_ne!(said.code, Some(0), "a dwindle is installed here");
    let look = || {
        let said = step(&world, "look", &[("INSTALL", ""), ("PATH", "/usr/bin:/bin")]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        outputs(&world)
    };
    let (first, second) = (look(), look());
    assert_eq!(first, second, "the key of the cache is that of the sources");
    assert!(first["key"].len() > 16, "{first:?}");
    // As the cache has brought it.
    world.program("built/bin/dwindle", "#!/bin/sh\necho built before");
    assert_eq!(install(&world.path("built").display().to_string()).out, "built before\n");
}

#[test]
fn what_the_action_names_is_there() {
    let text = fs::read_to_string(repository().join("action.yml")).unwrap();
    let (inputs, rest) = text.split_once("\noutputs:").unwrap();
    let declared: Vec<&str> =
        inputs.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':')).collect();
    let used = |text: &str, before: &str| -> Vec<String> {
        let name = |part: &str| {
            part.split(|char: char| !char.is_alphanumeric() && char != '-').next().unwrap().to_owned()
        };
        text.split(before).skip(1).map(name).collect()
    };
    for input in used(rest, "inputs.") {
        assert!(declared.contains(&&*input), "{input} is no input");
    }
    for input in &declared {
        assert!(used(rest, "inputs.").iter().any(|used| used == input), "{input} is not used");
    }
    let scripts = used(rest, "packaging/action/");
    assert_eq!(scripts, ["look", "install", "reduce"]);
    for name in scripts {
        let script = fs::read_to_string(repository().join("packaging/action").join(&name)).unwrap();
        for output in used(rest, &format!("steps.{name}.outputs.")) {
            assert!(script.contains(&format!("{output}=")), "{name} does not say {output}");
        }
    }
    let page = fs::read_to_string(repository().join("docs/book/src/ci.md")).unwrap();
    for input in declared {
        assert!(page.contains(&format!("| `{input}` |")), "{input} is not in the book");
    }
}

fn hook(world: &World, name: &str, arguments: &str) -> Finished {
    let manifest = fs::read_to_string(repository().join(".pre-commit-hooks.yaml")).unwrap();
    let entry = format!("packaging/pre-commit/{name}");
    assert!(manifest.contains(&format!("entry: {entry}\n")), "{manifest}");
    world.shell(&format!("'{}/{entry}' {arguments}", repository().display()))
}

#[test]
fn a_hook_finds_reproducers_that_show_nothing_any_more() {
    let world = world();
    world.write("dwindle.toml", "test = 'test.sh'\n");
    world.write("fixed by now.txt", "hay\n");
    let said = hook(&world, "check", "in.txt");
    assert_eq!((said.code, &*said.out), (Some(0), ""), "{}", said.err);
    let said = hook(&world, "check", "--timeout 5 -- in.txt 'fixed by now.txt'");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(
        said.out.starts_with("fixed by now.txt:\n") && said.out.contains("not interesting"),
        "{}",
        said.out
    );
    assert_eq!(hook(&world, "check", "--no-config -- in.txt").code, Some(1));
    let said = world
        .shell(&format!("PATH=/usr/bin:/bin '{}/packaging/pre-commit/check' in.txt", repository().display()));
    assert!(said.code == Some(1) && said.out.contains("dwindle is not in PATH"), "{}", said.out);
}

#[test]
fn a_hook_reduces_what_is_not_reduced_and_leaves_nothing_else() {
    let world = world();
    world.write("dwindle.toml", "test = 'test.sh'\n");
    world.write("small.txt", "  needle  \n");
    world.write("none.txt", "hay\n");
    let said = hook(&world, "reduced", "--max-time 60 --jobs 1 -- in.txt small.txt none.txt");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("in.txt: 1 tokens are left of 146\n"), "{}", said.out);
    assert!(said.out.contains("none.txt: exit code 5\n"), "{}", said.out);
    assert_eq!(world.read("in.txt"), b"needle\n");
    assert_eq!(world.read("small.txt"), b"  needle  \n", "as somebody laid it out");
    assert_eq!(hook(&world, "reduced", "in.txt small.txt").code, Some(0));
    assert_eq!(world.names(), ["dwindle.toml", "in.txt", "none.txt", "small.txt", "test.sh"]);
    assert!(!world.root().join(".local").exists(), "no journal stays");
}

//! The changes between two commits or folders that make one of them fail.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::support::{DWINDLE, Finished, World, finish, haystack};

/// What hangs in these tests hangs for longer than this by far.
const SOON: Duration = Duration::from_secs(30);

/// A repository in the user's folder, and what git says there.
struct Repository(World);

impl Repository {
    fn new() -> Self {
        let repository = Self(World::new());
        fs::create_dir(repository.0.path("repo")).unwrap();
        repository.git("git init -q .");
        repository
    }

    fn git(&self, line: &str) -> String {
        let who =
            "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c core.hooksPath=/dev/null ";
        let mut command = Command::new("sh");
        command.args(["-c", &line.replace("git ", who)]).current_dir(self.0.path("repo"));
        command.env("HOME", self.0.root()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let finished = finish(command);
        assert_eq!(finished.code, Some(0), "{line}: {}", finished.err);
        finished.out
    }

    fn commit(&self, tag: &str) {
        self.git(&format!("git add -A . && git commit -q -m {tag} && git tag {tag}"));
    }

    /// Four files that change in eleven places over two commits, of which `needle` and `pin` matter.
    fn haystack() -> Self {
        let repository = Self::new();
        let write = |name: &str, needles: &[(usize, &str)]| {
            repository.0.write(format!("repo/{name}"), haystack(90, needles));
        };
        for name in ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt"] {
            write(name, &[]);
        }
        repository.commit("good");
        write("a.txt", &[(2, "one"), (30, "two"), (70, "three")]);
        write("sub/c.txt", &[(10, "four"), (40, "needle"), (80, "five")]);
        repository.commit("middle");
        write("b.txt", &[(10, "six"), (50, "pin"), (80, "seven")]);
        write("sub/d.txt", &[(10, "eight")]);
        repository.0.write("repo/new.txt", "new\n");
        repository.commit("bad");
        repository
    }

    fn isolate(&self, flags: &[&str]) -> Finished {
        self.0.run([&["isolate", "--repository", "repo"], flags].concat())
    }

    /// The patch, which git applies to `good`, and the text of a file then.
    #[track_caller]
    fn patched(&self, patch: &str, name: &str) -> String {
        self.0.write("out.patch", patch);
        self.git("git checkout -q good && git apply --check ../out.patch && git apply ../out.patch");
        let text = String::from_utf8(self.0.read(format!("repo/{name}"))).unwrap();
        self.git("git reset -q --hard main && git clean -qfdx && git checkout -q main");
        text
    }

    /// Nothing of a run is left.
    #[track_caller]
    fn assert_is_untouched(&self) {
        assert_eq!(self.git("git status --porcelain"), "");
        assert_eq!(self.git("git worktree list").lines().count(), 1);
        self.0.assert_no_file_is_left();
        self.0.assert_no_process_is_left();
    }
}

const HAS_NEEDLE: &str = "grep -q needle sub/c.txt";

#[test]
fn the_hunk_that_matters_is_the_patch() {
    let repository = Repository::haystack();
    for algorithm in ["dd", "guided"] {
        let flags = ["--git", "good..bad", "--algorithm", algorithm, "--", "sh", "-c", HAS_NEEDLE];
        let said = repository.isolate(&flags);
        let said =
            said.ends_with(0, &["changes 11 in 5 files -> 1\n    sub/c.txt:38 line 36 of the input\n"]);
        assert_eq!(said.out.matches("@@ -").count(), 1, "{}", said.out);
        assert_eq!(repository.patched(&said.out, "sub/c.txt"), haystack(90, &[(40, "needle")]));
        repository.assert_is_untouched();
    }
}

#[test]
fn a_test_runs_in_the_checkout_which_is_clean_each_time() {
    let repository = Repository::haystack();
    let body =
        "[ \"$PWD\" = \"$1\" ] && [ -f a.txt ] && git log -1 --format=%s | grep -qx good || kill -9 $PPID
[ -e left ] && touch \"$WORLD/dirty\"
touch left sub/left; echo changed >> a.txt; rm -f b.txt; cat > \"$WORLD/stdin\"
grep -q needle sub/c.txt";
    let test = repository.0.test("test.sh", body);
    let said = repository.isolate(&["--git", "good..bad", test.to_str().unwrap()]).ends_with(0, &["-> 1\n"]);
    assert_eq!(repository.patched(&said.out, "sub/c.txt"), haystack(90, &[(40, "needle")]));
    assert!(!repository.0.root().join("dirty").exists());
    assert_eq!(repository.0.note("stdin"), "");
    repository.assert_is_untouched();
}

#[test]
fn what_the_change_needs_is_in_the_patch() {
    let repository = Repository::haystack();
    let both = "grep -q needle sub/c.txt && grep -q pin b.txt";
    let said = repository
        .isolate(&["--git", "good..bad", "--json", "--", "sh", "-c", both])
        .ends_with(0, &["  that needs 1 more, which pass alone:\n"]);
    let report = said.json();
    assert_eq!((&report["left"], &report["applied"]), (&1.into(), &1.into()), "{report}");
    let names = format!("{}{}", report["changes"]["difference"][0], report["changes"]["needed"][0]);
    assert!(names.contains("sub/c.txt:38") && names.contains("b.txt:48"), "{names}");
    let diff = report["diff"].as_str().unwrap();
    assert_eq!(repository.patched(diff, "sub/c.txt"), haystack(90, &[(40, "needle")]));
    assert_eq!(repository.patched(diff, "b.txt"), haystack(90, &[(50, "pin")]));
}

#[test]
fn questions_and_patch_are_the_same_with_any_number_of_jobs() {
    let repository = Repository::haystack();
    let unresolved =
        "grep -q four sub/c.txt && { grep -q five sub/c.txt || exit 125; }; grep -q needle sub/c.txt";
    let report = |jobs| {
        let flags = ["--git", "good..bad", "--json", "--jobs", jobs, "--", "sh", "-c", unresolved];
        let report = repository.isolate(&flags).ends_with(0, &[]).json();
        (report["questions"].clone(), report["diff"].clone())
    };
    assert_eq!(report("1"), report("3"));
    repository.assert_is_untouched();
}

#[test]
fn renamed_new_binary_and_executable_files_are_single_changes() {
    let repository = Repository::new();
    let world = &repository.0;
    world.write("repo/old name.py", haystack(30, &[]));
    world.write("repo/run.sh", "#!/bin/sh\n");
    world.write("repo/logo.png", b"\x89PNG\0\0one");
    world.write("repo/place", "a file\n");
    symlink("nowhere", world.path("repo/link")).unwrap();
    repository.commit("good");
    fs::remove_file(world.path("repo/old name.py")).unwrap();
    world.write("repo/ü/new name.py", haystack(30, &[(3, "moved")]));
    fs::set_permissions(world.path("repo/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    world.write("repo/logo.png", b"\x89PNG\0\0two");
    fs::remove_file(world.path("repo/place")).unwrap();
    world.write("repo/place/inside", "a folder\n");
    fs::remove_file(world.path("repo/link")).unwrap();
    world.write("repo/link", "a file now\n");
    repository.commit("bad");
    for (condition, title) in [
        ("[ -x run.sh ]", "run.sh: permissions"),
        ("grep -q two logo.png", "logo.png: binary"),
        ("[ -f 'ü/new name.py' ]", "old name.py: renamed to ü/new name.py"),
        ("[ -f place/inside ]", "place: deleted, place/inside: new"),
        ("[ -f link ] && [ ! -L link ]", "link: deleted, link: new"),
    ] {
        let said = repository.isolate(&["--git", "good..bad", "--", "sh", "-c", condition]);
        let said = said.ends_with(0, &["changes 5 in 7 files -> 1", title]);
        repository.0.write("out.patch", &said.out);
        repository.git(&format!("git checkout -q good && git apply ../out.patch && {condition}"));
        repository.git("git reset -q --hard && git clean -qfdx && git checkout -q main");
    }
    repository.assert_is_untouched();
}

#[test]
fn folders_differ_in_hunks_too() {
    let world = World::new();
    for (folder, marks) in [("old", &[][..]), ("new", &[(5, "one"), (30, "needle"), (70, "two")])] {
        world.write(format!("{folder}/a.txt"), haystack(90, marks));
        world.write(format!("{folder}/same.txt"), "same\r\n");
        world.write(format!("{folder}/.gitignore"), "*.bin\n");
        world.write(format!("{folder}/.gitattributes"), "* text=auto eol=crlf\n");
        world.write(format!("{folder}/x.bin"), [b"\0", folder.as_bytes()].concat());
    }
    let needle = "grep -q '^needle$' a.txt && [ ! -d ../old ]";
    let said = world.run(["isolate", "--passing", "old", "--failing", "new", "--", "sh", "-c", needle]);
    let said = said.ends_with(0, &["isolated: old and new", "changes 4 in 2 files -> 1\n    a.txt:28"]);
    world.write("out.patch", &said.out);
    assert_eq!(world.shell("patch -s -p1 -d old < out.patch").code, Some(0));
    assert_eq!(world.read("old/a.txt"), haystack(90, &[(30, "needle")]).as_bytes());
    assert_eq!(world.names(), ["new", "old", "out.patch"]);
    let bin =
        world.run(["isolate", "--passing", "old", "--failing", "new", "--", "grep", "-q", "new", "x.bin"]);
    bin.ends_with(0, &["    x.bin: binary\n"]);
    world.assert_no_process_is_left();
}

#[test]
fn a_signal_leaves_the_repository_as_it_was() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let repository = Repository::haystack();
        // Two runs on each version come first.
        let stop = format!(
            "[ $(wc -l < \"$WORLD/runs\") = 6 ] && {{ trap '' INT TERM; kill -{signal} {DWINDLE}; sleep 300; }}"
        );
        let test = repository.0.test("test.sh", &format!("{stop}\n{HAS_NEEDLE}"));
        let began = Instant::now();
        let flags = ["--git", "good..bad", "--jobs", "1", test.to_str().unwrap()];
        let said = repository.isolate(&flags).ends_with(code, &["interrupted: "]);
        assert!(began.elapsed() < SOON);
        let patched = repository.patched(&said.out, "sub/c.txt");
        assert!(patched.contains("needle"), "the nearest variant that fails: {}", said.out);
        fs::remove_file(repository.0.path("out.patch")).unwrap();
        repository.assert_is_untouched();
    }
}

#[test]
fn versions_that_cannot_be_compared_are_errors() {
    let repository = Repository::haystack();
    let gone = repository.0.run(["isolate", "--git", "a..b", "--repository", "gone", "--", "true"]);
    gone.ends_with(3, &["there is no folder gone"]);
    repository.0.write("file", "text\n");
    let test = repository.0.test("test.sh", HAS_NEEDLE);
    let test = test.to_str().unwrap();
    for (flags, code, expected) in [
        (&["--repository", "repo", "--git", "good", test][..], 3, "write GOOD..BAD"),
        (&["--repository", "repo", "--git", "good..gone", test], 3, "there is no commit gone"),
        (&["--repository", "repo", "--git", "good..good", test], 3, "are the same"),
        (&["--git", "good..bad", test], 3, "git says: fatal: not a git repository"),
        (
            &["--repository", "repo", "--git", "bad..good", test],
            5,
            "does not fail: the test ended with exit code 1",
        ),
        (
            &["--repository", "repo", "--git", "good..bad", "--", "true"],
            5,
            "does not pass: the test ended with exit code 0",
        ),
        (&["--repository", "repo", "--git", "good..bad"], 2, "nothing tests the variants"),
        (&["--repository", "repo", "--git", "good..bad", test, "--", "true"], 2, "name one of them"),
        (
            &["--repository", "repo", "--git", "good..bad", "--", "no-such-program"],
            4,
            "there is no such program in PATH",
        ),
        (&["--passing", "repo", "--failing", "file", test], 3, "cannot compare file: it is no folder"),
        (&["--passing", "repo", "--failing", "repo", test], 3, "are the same"),
    ] {
        repository.0.run([&["isolate"], flags].concat()).ends_with(code, &[expected]);
    }
    repository.git("git checkout -q -b side good && echo x > x.txt");
    repository.commit("other");
    let said = repository.isolate(&["--git", "other...bad", "--", "sh", "-c", HAS_NEEDLE]);
    said.ends_with(0, &["changes 11 in 5 files -> 1"]);
}

#[test]
fn nothing_is_left_of_folders_when_dwindle_is_killed() {
    let world = World::new();
    world.write("old/a.txt", haystack(90, &[]));
    world.write("new/a.txt", haystack(90, &[(5, "one"), (30, "needle"), (70, "two")]));
    let kill = format!("[ $(wc -l < \"$WORLD/runs\") = 6 ] && {{ kill -9 {DWINDLE}; sleep 300; }}");
    world.test("test.sh", &format!("{kill}\ngrep -q needle a.txt"));
    let killed =
        finish(world.command(["isolate", "--passing", "old", "--failing", "new", "-j", "1", "./test.sh"]));
    assert_eq!(killed.code, None);
    world.assert_no_process_is_left();
    world.assert_no_file_is_left();
    assert_eq!(world.names(), ["new", "old", "test.sh"]);
}

/// Runs dwindle with a `git` that does something first when it is told to do `what`.
fn with_git(world: &World, words: &[&str], what: &str, body: &str) -> Finished {
    let path = std::env::var("PATH").unwrap();
    let git =
        format!("#!/bin/sh\ncase \" $* \" in *' {what} '*) {body} ;; esac\nPATH='{path}' exec git \"$@\"\n");
    let programs = world.program("../programs/git", git).parent().unwrap().display().to_string();
    let mut command = world.command(words.iter().copied());
    command.env("PATH", format!("{programs}:{path}"));
    finish(command)
}

fn folders() -> World {
    let world = World::new();
    world.write("old/a.txt", haystack(90, &[]));
    world.write("new/a.txt", haystack(90, &[(5, "one"), (30, "needle"), (70, "two")]));
    world
}

const NEEDLE_IN_FOLDERS: [&str; 9] =
    ["isolate", "--passing", "old", "--failing", "new", "--", "grep", "-q", "needle"];

#[test]
fn a_signal_while_folders_are_taken_in_ends_git_and_leaves_nothing() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let world = folders();
        let began = Instant::now();
        let body = format!("kill -{signal} $PPID; exec sleep 300");
        with_git(&world, &NEEDLE_IN_FOLDERS, "add", &body).ends_with(code, &[]);
        assert!(began.elapsed() < SOON);
        world.assert_no_file_is_left();
        world.assert_no_process_is_left();
    }
}

#[test]
fn git_that_is_left_when_dwindle_is_killed_is_ended_at_the_next_start() {
    let check = |world: &World, words: &[&str], what: &str, expected: &str| {
        let killed = with_git(world, words, what, "kill -9 $PPID; exec sleep 300");
        assert_eq!(killed.code, None, "{what}");
        world.run(words.iter().copied()).ends_with(0, &[expected]);
        world.assert_no_process_is_left();
        world.assert_no_file_is_left();
    };
    let words = [&NEEDLE_IN_FOLDERS[..], &["a.txt"]].concat();
    for what in ["add", "diff"] {
        check(&folders(), &words, what, "changes 3 in 1 files -> 1");
    }
    let Repository(world) = Repository::haystack();
    let words =
        ["isolate", "--repository", "repo", "--git", "good...bad", "--", "grep", "-q", "needle", "sub/c.txt"];
    for what in ["merge-base", "ls-tree", "diff"] {
        check(&world, &words, what, "changes 11 in 5 files -> 1");
    }
}

#[test]
fn a_program_of_the_project_is_the_one_in_the_checkout() {
    let repository = Repository::new();
    let write = |end: &str| repository.0.program("repo/sub/check", format!("#!/bin/sh\n{end}\n"));
    repository.0.write("repo/a.txt", "old\n");
    write("exit 1");
    repository.commit("good");
    repository.0.write("repo/a.txt", "new\n");
    write("exit 0");
    repository.commit("bad");
    for program in ["repo/sub/check", "./repo/sub/check"] {
        let said = repository.isolate(&["--git", "good..bad", "--", program]);
        let said = said.ends_with(0, &["changes 2 in 2 files -> 1", "sub/check:1"]);
        assert!(said.out.ends_with("-exit 1\n+exit 0\n"), "{}", said.out);
    }
}

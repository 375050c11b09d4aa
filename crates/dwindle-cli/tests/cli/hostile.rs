//! Tests that do what they should not: the reduction goes on or says why it cannot, and nothing is
//! left behind, neither of them nor of a command that was killed itself.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use super::support::{DWINDLE, World, finish, haystack, skip, spawn, wait_until};

/// Starts a loop that ends by `SIGKILL` alone; a world finds it by its argument, whatever its
/// environment is.
const STUBBORN: &str = "\"$WORLD/home/stubborn\" \"$WORLD\"";
/// The process above the keeper.
const GUARD: &str = "$(parent $PPID)";

/// A world whose test does `what` before it looks for the needle.
fn world(what: &str) -> World {
    let world = World::new();
    world.program("stubborn", "#!/bin/sh\ntrap '' TERM HUP INT\nwhile :; do sleep 1; done\n");
    world.write("in.txt", haystack(12, &[(7, "needle")]));
    world.test("test.sh", &format!("{what}\ngrep -q needle in.txt"));
    world
}

/// The command, once its test has run so often.
fn started(world: &World, args: &[&str], runs: usize) -> Child {
    let child = spawn(world.command(args)).unwrap();
    wait_until(|| world.runs() >= runs);
    child
}

/// That the reduction has come to its end and nothing of it is left.
#[track_caller]
fn assert_reduced(world: &World) {
    world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: in.txt -> in.reduced.txt"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn whatever_a_test_has_started_ends_with_it() {
    for escape in [
        format!("{STUBBORN} &"),
        format!("setsid {STUBBORN} > /dev/null 2>&1 &"),
        format!("(setsid --fork {STUBBORN} &) &"),
        format!("env -i setsid --fork {STUBBORN} > /dev/null 2>&1 < /dev/null"),
        format!("cd /; env -u TMPDIR setsid --fork {STUBBORN}; cd \"$OLDPWD\""),
        format!("timeout 300 {STUBBORN} &"),
        format!("timeout 0.01 {STUBBORN} & setsid sleep 300 & kill -STOP $!"),
    ] {
        let world = world(&escape);
        assert_reduced(&world);
    }
}

#[test]
fn whatever_a_test_has_started_ends_with_its_time() {
    let world = World::new();
    world.program("stubborn", "#!/bin/sh\ntrap '' TERM HUP INT\nwhile :; do sleep 1; done\n");
    world.write("in.txt", "a\nneedle\nquick\nb\n");
    let hang = format!("{{ env -i setsid --fork {STUBBORN}; timeout 300 {STUBBORN}; }}");
    world.test("test.sh", &format!("grep -q needle in.txt || exit 1\ngrep -q quick in.txt || {hang}"));
    let report = world.report(["test.sh", "in.txt", "--timeout", "1.5"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"needle\nquick\n");
    assert!(report["questions"]["timeout"].as_u64().unwrap() >= 1, "{report}");
}

#[test]
fn processes_that_run_away_are_caught() {
    // Each starts the next one in a session of its own and ends.
    let world = world("for i in 1 2 3; do setsid --fork \"$WORLD/home/run\" \"$WORLD\"; done");
    world.program("run", "#!/bin/sh\nsetsid --fork \"$0\" \"$1\"\n");
    assert_reduced(&world);
}

#[test]
fn what_a_test_does_to_its_folder_is_undone() {
    for what in [
        "i=0; while [ $i -lt 30 ]; do mkdir -p d$i/e; : > d$i/e/f; chmod 0 d$i/e; i=$((i + 1)); done",
        "cat > ../copy; chmod 555 . .. \"$TMPDIR\"",
        "cp in.txt ..; cd ..; rm -r run tmp",
        "cp in.txt ../..; cd ../..; rm -r [0-9]*",
        "exec < in.txt; rm -r \"${PWD%/*/*}\"; grep -q needle; exit",
        "cat > \"$TMPDIR/in.txt\"; chmod 0 in.txt; cd \"$TMPDIR\"",
    ] {
        let Some(world) = World::unprivileged() else { return };
        world.write("in.txt", haystack(12, &[(7, "needle")]));
        world.test("test.sh", &format!("{what}\ngrep -q needle in.txt"));
        assert_reduced(&world);
    }
}

#[test]
fn a_gigabyte_of_output_is_read_and_forgotten() {
    let world = World::new();
    world.write("in.txt", "needle\n");
    world.test("test.sh", "yes | head -c 1G\ngrep -q needle in.txt");
    let report = world.report(["test.sh", "in.txt", "--timeout", "100"]);
    assert_eq!(report["questions"]["timeout"], 0);
    assert!(report["peak_memory_bytes"].as_u64().unwrap() < 100 << 20, "{report}");
}

#[test]
fn a_test_whose_keeper_was_killed_is_repeated() {
    let once = |what: &str| format!("[ $(wc -l < \"$WORLD/runs\") = 4 ] && {{ {what}; sleep 300; }}");
    for what in [
        "kill -KILL $PPID".to_owned(),
        format!("env -i setsid --fork {STUBBORN}; kill -KILL $PPID"),
        format!("kill -KILL {GUARD} $PPID"),
    ] {
        let world = world(&once(&what)).one_by_one();
        let report = world.report(["test.sh", "in.txt", "--timeout", "100"]);
        world.assert_no_process_is_left();
        assert_eq!(world.read("in.reduced.txt"), b"needle\n", "{what}");
        assert_eq!(report["questions"]["total"].as_u64().unwrap() + 1, world.runs() as u64, "{what}");
    }
}

#[test]
fn a_keeper_outlives_its_guard() {
    let world = world(&format!("[ $(wc -l < \"$WORLD/runs\") = 4 ] && kill -KILL {GUARD}; {STUBBORN} &"));
    assert_reduced(&world);
}

#[test]
fn a_test_that_always_kills_its_keeper_breaks_the_run_and_is_never_uninteresting() {
    let world = world(&format!("env -i setsid --fork {STUBBORN}\nkill -KILL $PPID"));
    let said = world.run(["test.sh", "in.txt"]);
    said.ends_with(4, &["cannot run the test", "was killed twice on one candidate"]);
    world.assert_no_process_is_left();
    assert_eq!(world.runs(), 2);
    assert_eq!(world.names(), ["in.txt", "stubborn", "test.sh"]);

    let world = self::world("grep -q needle in.txt || kill -KILL $PPID");
    let said = world.run(["test.sh", "in.txt"]);
    said.ends_with(
        8,
        &["test.sh broke after", "was killed twice", "the best result so far is in in.reduced.txt"],
    );
    world.assert_no_process_is_left();
    assert!(String::from_utf8(world.read("in.reduced.txt")).unwrap().contains("needle\n"));
}

#[test]
fn nothing_is_left_when_the_command_is_killed() {
    for what in [format!("{STUBBORN} & env -i setsid --fork {STUBBORN}; sleep 300"), "sleep 0.01".to_owned()]
    {
        let world = world(&format!("[ $(wc -l < \"$WORLD/runs\") -ge 4 ] && {{ {what}; }}"));
        let mut child = started(&world, &["test.sh", "in.txt", "--timeout", "100"], 4);
        // As if it had been killed just before the result was replaced.
        world.write(format!(".in.reduced.txt.dwindle-{}.tmp", child.id()), "");
        child.kill().unwrap();
        child.wait().unwrap();
        world.assert_no_process_is_left();
        wait_until(|| world.run_folders().is_empty());
        world.assert_no_file_is_left();
        assert!(String::from_utf8(world.read("in.reduced.txt")).unwrap().contains("needle\n"));
    }
}

#[test]
fn what_is_left_when_the_command_and_its_helpers_are_killed_goes_with_the_next_run() {
    let all = format!("{DWINDLE} {GUARD} $PPID");
    // None of them acts any more when the first is killed.
    let kill =
        format!("all=\"{all}\"; kill -STOP $all; kill -KILL $all; setsid --fork {STUBBORN}; sleep 300");
    let world = world(&format!("[ ! -e \"$WORLD/once\" ] && {{ : > \"$WORLD/once\"; {kill}; }}"));
    assert_eq!(finish(world.command(["test.sh", "in.txt"])).code, None, "killed");
    wait_until(|| world.runs() == 1);
    assert_reduced(&world);
}

#[test]
fn what_is_left_when_a_test_kills_all_it_can_goes_with_the_next_run() {
    let world = world("[ -e \"$WORLD/once\" ] || { : > \"$WORLD/once\"; kill -KILL -1; sleep 300; }");
    let among_ourselves = |then: &str| world.shell(&format!("unshare -rpf --mount-proc sh -c '{then}'"));
    if among_ourselves("true").code != Some(0) {
        skip("no process namespace can be made here");
        return;
    }
    let said = among_ourselves("dwindle test.sh in.txt; echo $?; dwindle test.sh in.txt");
    assert_eq!(said.ends_with(0, &["reduced: in.txt -> in.reduced.txt"]).out, "137\n");
    world.assert_no_process_is_left();
    world.assert_no_file_is_left();
}

#[test]
fn a_signal_to_the_whole_group_ends_the_command_as_one_to_itself() {
    let world = world("[ $(wc -l < \"$WORLD/runs\") -ge 4 ] && sleep 300").one_by_one();
    let mut command = world.command(["test.sh", "in.txt", "--timeout", "100"]);
    command.process_group(0);
    let child = spawn(command).unwrap();
    wait_until(|| world.runs() >= 4);
    let killed = Command::new("sh").args(["-c", &format!("kill -INT -{}", child.id())]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let err = String::from_utf8(ended.stderr).unwrap();
    assert!(err.contains("interrupted, reduced so far") && err.contains("questions 3"), "{err}");
    world.assert_no_process_is_left();
}

/// Whether a test that does `what` as soon as a line is missing ends by itself, and ends the
/// interest.
#[track_caller]
fn check_limit(what: &str, flags: &[&str], is_stopped: bool) {
    let world = World::new();
    world.write("in.txt", "guard\nneedle\n");
    world.test("test.sh", &format!("grep -q guard in.txt || {{ {what}; }} || exit 1\ngrep -q needle in.txt"));
    let report =
        world.report([&["test.sh", "in.txt", "--format", "lines", "--timeout", "100"], flags].concat());
    let expect: &[u8] = if is_stopped { b"guard\nneedle\n" } else { b"needle\n" };
    assert_eq!(world.read("in.reduced.txt"), expect, "{what} {flags:?}");
    assert_eq!(report["questions"]["timeout"], 0);
    world.assert_no_process_is_left();
}

#[test]
fn each_limit_stops_what_goes_beyond_it_and_nothing_else() {
    let allocate = "head -c 100000000 /dev/zero | tail -c 90000000 | wc -c | grep -qx 90000000";
    check_limit(allocate, &[], false);
    check_limit(allocate, &["--memory-limit", "1G"], false);
    check_limit(allocate, &["--memory-limit", "50M"], true);
    let write = "head -c 3000000 /dev/zero > out && [ $(wc -c < out) = 3000000 ]";
    check_limit(write, &[], false);
    check_limit(write, &["--file-size-limit", "3000000"], false);
    check_limit(write, &["--file-size-limit", "2M"], true);
    check_limit("sh -c 'while :; do :; done'", &["--cpu-limit", "1"], true);
    check_limit("sh -c 'trap : XCPU; while :; do :; done'", &["--cpu-limit", "1"], true);
    check_limit("i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done", &["--cpu-limit", "60"], false);
}

#[test]
fn a_limit_that_is_none_is_a_usage_error() {
    let world = world("");
    for (flag, value) in [("--memory-limit", "much"), ("--cpu-limit", "0"), ("--file-size-limit", "1T")] {
        world.run(["test.sh", "in.txt", flag, value]).ends_with(2, &[flag]);
    }
}

/// Runs the command where `/dev/shm` and `TMPDIR` are memory file systems with room for so few
/// files; `None` where such cannot be mounted.
fn with_room(world: &World, shm: u32, tmp: u32) -> Option<super::support::Finished> {
    let mount = |size: &str, files: u32, at: &str| {
        format!("mount -t tmpfs -o size={size},nr_inodes={files} tmpfs {at}")
    };
    // The smaller one is none that is chosen for its memory.
    let mounts = [mount("2G", shm, "/dev/shm"), mount("500M", tmp, "\"$WORLD/tmp\"")].join(" && ");
    let unshared = |then: &str| world.shell(&format!("unshare -rm sh -c '{mounts} && {then}'"));
    if unshared("true").code != Some(0) {
        skip("no file system can be mounted here");
        return None;
    }
    Some(unshared(
        "TMPDIR=\"$WORLD/tmp\" dwindle test.sh in.txt --jobs 1 && find /dev/shm \"$WORLD/tmp\" -mindepth 1 >&2",
    ))
}

/// Fails where there is no room for a hundred files.
const HUNDRED: &str = "i=0; while [ $i -lt 100 ]; do : > \"$TMPDIR/$i\" || exit 1; i=$((i + 1)); done";

#[test]
fn a_test_that_has_no_room_in_memory_is_asked_again_on_a_disk() {
    let world = world(HUNDRED);
    let Some(said) = with_room(&world, 60, 5000) else { return };
    let said =
        said.ends_with(0, &["warning: there is no room any more in /dev/shm/dwindle-", "may be slower"]);
    assert_eq!(said.err.matches("no room").count(), 1, "{}", said.err);
    assert_eq!(
        said.err.lines().last().unwrap().split(' ').nth(2),
        Some("time"),
        "nothing is left: {}",
        said.err
    );
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn a_test_that_has_no_room_at_all_stops_the_run() {
    let world = world(&format!("grep -q 'line 11' in.txt || {{ {HUNDRED}; }}"));
    let Some(said) = with_room(&world, 60, 60) else { return };
    let told = ["broke after", "there is no room any more in ", "name another place by TMPDIR"];
    said.ends_with(8, &told);
}

/// How often it is said that the test runs as root, where the variable `container` says so, and not this machine.
fn warnings_of_root(world: &World, container: &str, flags: &str) -> usize {
    let said =
        world.shell(&format!("container={container} dwindle test.sh in.txt {flags}")).ends_with(0, &[]);
    said.err.matches("warning: the test runs as root").count()
}

#[test]
fn root_is_warned_once() {
    let world = world("");
    let is_root = world.shell("[ $(id -u) = 0 ]").code == Some(0);
    assert_eq!(warnings_of_root(&world, "", ""), usize::from(is_root));
    assert_eq!(warnings_of_root(&world, "", "-q"), 0);
    assert_eq!(warnings_of_root(&world, "podman", ""), 0, "it is the container's root");
    let Some(world) = World::unprivileged() else { return };
    world.test("test.sh", "grep -q needle in.txt");
    world.write("in.txt", "needle\nb\n");
    assert_eq!(warnings_of_root(&world, "", ""), 0);
}

/// Runs a line of a shell where it can mount what it likes, which nobody else sees; `None` where that is
/// not possible.
fn among_own_mounts(world: &World, line: &str) -> Option<super::support::Finished> {
    if world.shell("unshare -rm mount -t tmpfs tmpfs /mnt").code != Some(0) {
        skip("nothing can be mounted here");
        return None;
    }
    world.write("line.sh", line);
    Some(world.shell("unshare -rm sh ./line.sh"))
}

#[test]
fn what_a_test_has_mounted_is_unmounted_and_never_emptied() {
    let mount = "mount --bind \"$WORLD/host\"";
    for what in [
        format!("mkdir m 'm m'; {mount} m; {mount} 'm m'; {mount} m"),
        format!("mkdir -p a/b m; {mount} m; {mount} a/b; chmod 0 a"),
        format!("{mount} \"$PWD\"; cd .; cd \"$PWD\""),
        format!("{mount} \"$TMPDIR\""),
        format!("{mount} \"${{PWD%/*}}\""),
        format!("{mount} \"${{PWD%/*/*}}\""),
        ": > f; mount --bind \"$WORLD/host/1/in.txt\" f".to_owned(),
    ] {
        let world = world(&format!("grep -q needle in.txt; end=$?; {what}; exit $end"));
        for folder in ["1/2", "run", "0/run", "tmp"] {
            std::fs::create_dir_all(world.root().join("host").join(folder)).unwrap();
        }
        for name in ["1/in.txt", "run/in.txt", "0/run/in.txt", "precious", "in.txt"] {
            std::fs::write(world.root().join("host").join(name), "precious").unwrap();
        }
        let files = || world.shell("cd \"$WORLD/host\"; find . | sort").out;
        let before = files();
        let Some(said) =
            among_own_mounts(&world, "dwindle test.sh in.txt --jobs 1 && ! grep host /proc/self/mountinfo")
        else {
            return;
        };
        let said = said.ends_with(0, &["reduced: "]);
        assert_eq!(files(), before, "{what}: {}", said.err);
        assert_eq!(world.read("in.reduced.txt"), b"needle\n", "{what}: {}", said.err);
        assert_eq!(said.out, "", "{what}: nothing is mounted any more");
        assert_eq!(world.run_folders(), Vec::<std::path::PathBuf>::new(), "{what}");
    }
}

#[test]
fn what_cannot_be_unmounted_stays_and_is_named() {
    let world = world("");
    std::fs::create_dir(world.root().join("host")).unwrap();
    std::fs::write(world.root().join("host/precious"), "precious").unwrap();
    let old = "\"$TMPDIR/dwindle-11111111\"";
    // What was mounted outside of a user's name space cannot be unmounted inside of it.
    let line = format!(
        "mkdir -p {old}/0/1/m; : > {old}/lock; mount --bind \"$WORLD/host\" {old}/0/1/m\n\
         unshare -rm dwindle test.sh in.txt; ls {old} {old}/0/1/m; umount {old}/0/1/m; dwindle test.sh in.txt; \
         ls -d {old}"
    );
    let Some(said) = among_own_mounts(&world, &line) else { return };
    let mounted = world.root().canonicalize().unwrap().join("dwindle-11111111/0/1/m");
    assert!(
        said.err.contains(&format!("mounted something at {} that cannot be", mounted.display())),
        "{}",
        said.err
    );
    assert_eq!(said.err.matches("cannot be unmounted").count(), 1, "{}", said.err);
    assert!(said.out.contains("precious") && !said.out.ends_with("dwindle-11111111\n"), "{}", said.out);
    assert!(world.root().join("host/precious").exists());
}

#[test]
fn nobody_else_can_look_into_the_folders_of_a_run() {
    let modes = "stat -c %a in.txt . .. ../.. ../../.. \"$TMPDIR\" | tr '\\n' ' ' > \"$WORLD/modes\"";
    let world = world(modes);
    for (mask, mode, expect) in [("000", "666", "600"), ("022", "755", "700"), ("077", "444", "600")] {
        world.write("in.txt", "needle\n");
        let said = world
            .shell(&format!("chmod {mode} in.txt; umask {mask}; dwindle test.sh in.txt; chmod 644 in.txt"));
        said.ends_with(0, &["reduced"]);
        assert_eq!(world.note("modes"), format!("{expect} 700 700 700 700 700 "));
    }
}

#[test]
fn a_test_under_limits_is_started_as_one_without() {
    // As it was begun: its open files, the signals that it ignores, its name and its limits.
    let about = "{ ls /proc/$$/fd; grep SigIgn /proc/$$/status; tr '\\0' ' ' < /proc/$$/cmdline; echo; } > \"$WORLD/about\"\n\
        for limit in v t f; do ulimit -S -$limit; ulimit -H -$limit; done > \"$WORLD/limits\"";
    let about_of = |flags: &[&str]| {
        let world = world(about);
        world.write("in.txt", "needle\n");
        world.run([&["test.sh", "in.txt"], flags].concat()).ends_with(0, &[]);
        let about = world.note("about");
        let (files, words) = about.rsplit_once("test.sh ").unwrap();
        assert!(words.trim_end().ends_with("run/in.txt"), "{words}");
        (
            files.rsplit_once('/').unwrap().0.replace(&world.root().display().to_string(), ""),
            world.note("limits"),
        )
    };
    let (plain, none) = about_of(&[]);
    let (limited, limits) =
        about_of(&["--memory-limit", "1G", "--cpu-limit", "7", "--file-size-limit", "1M"]);
    assert_eq!(plain, limited);
    assert_ne!(none, limits);
    assert_eq!(limits, "1048576\n1048576\n7\n8\n2048\n2048\n");
}

#[test]
fn a_test_under_limits_that_cannot_be_started_breaks_the_run() {
    let broke = &["test.sh broke after", "cannot start it: "][..];
    for (what, expected) in [
        ("rm \"$0\"", broke),
        ("chmod -x \"$0\"", broke),
        (
            "echo true > \"$WORLD/new\"; chmod +x \"$WORLD/new\"; mv \"$WORLD/new\" \"$0\"",
            &["test.sh was changed while it was in use"],
        ),
    ] {
        let world = world(&format!("[ $(wc -l < \"$WORLD/runs\") -lt 4 ] || {{ {what}; }}")).one_by_one();
        let said = world.run(["test.sh", "in.txt", "--cpu-limit", "100"]);
        said.ends_with(8, expected);
    }
}

#[test]
fn a_lock_that_is_a_pipe_is_not_waited_for() {
    let world = world("");
    let said = world.shell("mkdir \"$TMPDIR/dwindle-11111111\"; mkfifo \"$TMPDIR/dwindle-11111111/lock\"; dwindle test.sh in.txt");
    said.ends_with(0, &["reduced: "]);
}

#[test]
fn pipes_in_place_of_files_are_not_waited_for() {
    let world = world("");
    assert!(world.shell("mkfifo pipe in.txt.orig").code == Some(0));
    world.run(["test.sh", "pipe"]).ends_with(3, &["it is no regular file"]);
    world.run(["./pipe", "in.txt"]).ends_with(4, &["it is no regular file"]);
    world.run(["test.sh", "in.txt", "-o", "pipe"]).ends_with(7, &["it is no regular file"]);
    world.run(["test.sh", "in.txt", "--in-place"]).ends_with(7, &["in.txt.orig is there already"]);
    world.run(["test.sh", "in.txt", "--journal", "pipe"]).ends_with(7, &["pipe"]);
    world.run(["test.sh", "in.txt", "--external", "./pipe"]).ends_with(2, &["it is no regular file"]);
    let state = "mkdir -p \"$HOME/.local/state/dwindle\"; mkfifo \"$HOME/.local/state/dwindle/x.journal\"";
    world.shell(&format!("{state}; dwindle test.sh in.txt && dwindle history")).ends_with(0, &["reduced: "]);
}

#[test]
fn signals_that_were_ignored_do_no_harm_and_are_not_ignored_by_tests() {
    let world = world("grep SigIgn /proc/$$/status > \"$WORLD/ignored\"");
    world.shell("trap '' CHLD XFSZ; exec dwindle test.sh in.txt").ends_with(0, &["reduced: "]);
    let ignored = world.note("ignored");
    let mask = u64::from_str_radix(ignored.split_whitespace().nth(1).unwrap(), 16).unwrap();
    let (child, size) = (1 << (17 - 1), 1 << (25 - 1));
    assert_eq!(mask & (child | size), 0, "{mask:x}");
}

#[test]
fn a_file_that_may_not_grow_is_an_error_and_not_the_end() {
    let world = world("");
    world.shell("ulimit -f 1; exec dwindle test.sh in.txt").ends_with(7, &["File too large"]);
    world.assert_no_file_is_left();
}

#[test]
fn what_a_killed_run_has_left_before_it_had_keepers_goes_with_the_next_run() {
    let world = world("");
    world.write(".in.reduced.txt.dwindle-4194305.tmp", "");
    std::fs::create_dir_all(world.root().join("tmp/dwindle-11111111")).unwrap();
    std::fs::create_dir_all(world.root().join("tmp/dwindle-22222222")).unwrap();
    std::fs::write(world.root().join("tmp/dwindle-22222222/fresh"), "").unwrap();
    assert_reduced(&world);
}

#[test]
fn a_parser_ends_with_whoever_asked_it() {
    let world = world("");
    // Its input never ends: it has both ends of that pipe itself.
    let line = "mkfifo in out; exec 3<> in 4<> out; \"$DWINDLE\" __outline html < in > out 4>&- & echo $! > pid; wait";
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(world.path("")).env("WORLD", world.root());
    let mut shell = spawn({
        command.env("DWINDLE", env!("CARGO_BIN_EXE_dwindle"));
        command
    })
    .unwrap();
    let process = || std::fs::read_to_string(world.path("pid")).unwrap_or_default();
    let words = || std::fs::read(format!("/proc/{}/cmdline", process().trim())).unwrap_or_default();
    wait_until(|| words().windows(9).any(|word| word == b"__outline"));
    shell.kill().unwrap();
    shell.wait().unwrap();
    world.assert_no_process_is_left();
}

#[test]
fn a_result_runs_as_nobody_else() {
    let world = world("");
    world.shell("chmod 6755 in.txt").ends_with(0, &[]);
    assert_reduced(&world);
    assert_eq!(world.shell("stat -c %a in.reduced.txt").out, "755\n");
    world.run(["test.sh", "in.txt", "--in-place"]).ends_with(0, &[]);
    assert_eq!(world.shell("stat -c %a in.txt in.txt.orig").out, "755\n755\n");
}

#[test]
fn more_tests_at_once_than_there_can_be_are_a_usage_error() {
    let world = world("");
    let said = world.shell("ulimit -n 60; dwindle test.sh in.txt --jobs 6");
    said.ends_with(2, &["6 tests cannot run at once", "allow 5"]);
    assert_eq!(world.runs(), 0);
    world.shell("ulimit -n 60; dwindle test.sh in.txt --jobs 5").ends_with(0, &["reduced: "]);
    world.shell("ulimit -n 24; dwindle test.sh in.txt").ends_with(0, &["reduced: "]);
}

#[test]
fn two_runs_into_one_file_exclude_each_other_across_networks() {
    let world =
        world("[ $(wc -l < \"$WORLD/runs\") -lt 4 ] || [ -e \"$WORLD/go\" ] || sleep 300").one_by_one();
    world.program("other.sh", "#!/bin/sh\ngrep -q line in.txt\n");
    if world.shell("unshare -rn true").code != Some(0) {
        skip("no network can be made here");
        return;
    }
    let mut child = started(&world, &["test.sh", "in.txt", "--timeout", "100"], 4);
    let said = world.shell("unshare -rn dwindle other.sh in.txt -o in.reduced.txt");
    said.ends_with(9, &["another run is reducing into in.reduced.txt"]);
    child.kill().unwrap();
    child.wait().unwrap();
    world.assert_no_process_is_left();
    std::fs::write(world.root().join("go"), "").unwrap();
    assert_reduced(&world);
}

#[test]
fn names_may_be_as_long_as_can_be() {
    let name = format!("{}.txt", "x".repeat(251));
    let world = World::new();
    world.write(&name, "needle\nb\n");
    world.test("test.sh", &format!("grep -q needle {name}"));
    world.run(["test.sh", &name]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read(format!("{}.reduced.txt", "x".repeat(243))), b"needle\n");
    world.run(["test.sh", &name, "--in-place"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read(format!("{}.orig", "x".repeat(250))), b"needle\nb\n");
    let said = world.run(["test.sh", &name, "-o", &"x".repeat(256), "--fresh"]);
    said.ends_with(7, &["cannot write the result to ", "File name too long"]);
}

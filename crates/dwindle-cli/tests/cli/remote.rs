//! Tests on servers: the same results as here, and what is said where a server fails.

#[path = "../../../dwindle-remote/tests/remote/fake.rs"]
mod fake;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::support::{Finished, World, haystack, skip, spawn, wait_until};
use fake::{Fake, Manners};

/// A world with a test that looks for a needle, by all the ways in which it gets a candidate.
fn world() -> World {
    let world = World::new();
    world.write("in.txt", haystack(40, &[(7, "needle"), (30, "pin")]));
    let body = "#!/bin/sh\n[ -d \"$TMPDIR\" ] && [ \"$PWD/in.txt\" = \"$1\" ] && grep -q needle \"$1\" && grep -q pin\n";
    world.program("test.sh", body);
    world
}

/// The lines of a trace, without times.
fn trace(world: &World, name: &str) -> Vec<Value> {
    let untimed = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        fields.retain(|name, _| name != "at" && name != "seconds");
        line
    };
    String::from_utf8(world.read(name)).unwrap().lines().map(untimed).collect()
}

/// The flags of a reduction whose tests run at `address`, and nothing is tried again for long.
fn at(address: &str) -> Vec<String> {
    ["--executor", address, "--remote-jobs", "3", "--remote-retries", "1"].map(str::to_owned).into()
}

/// Runs a reduction whose tests run at `address`.
fn run(world: &World, address: &str, reduction: &[&str]) -> Finished {
    let flags = at(address);
    world.run(flags.iter().map(String::as_str).chain(reduction.iter().copied()))
}

/// Reduces here and with these flags; result and trace must be the same. Returns the report of the second.
fn same_as_here(world: &World, reduction: &[&str], elsewhere: &[String]) -> Value {
    let run = |name: &str, flags: &[String]| {
        let traced = format!("{name}.trace");
        let all = [&["--fresh", "--output", name, "--trace", &traced], reduction].concat();
        let (own, behind) = match all.iter().position(|word| *word == "--") {
            Some(at) => all.split_at(at),
            None => (&all[..], &[][..]),
        };
        let words = |part: &[&str]| part.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let all = [words(own), flags.to_vec(), vec!["--json".to_owned()], words(behind)].concat();
        let report = world.run(all).ends_with(0, &[]).json();
        (fs::read(world.path(name)).ok(), trace(world, &traced), report)
    };
    let here = run("here", &["--jobs".to_owned(), "1".to_owned()]);
    let there = run("there", elsewhere);
    assert_eq!((here.0, here.1), (there.0, there.1));
    assert_eq!(here.2["questions"], there.2["questions"]);
    there.2
}

#[test]
fn a_server_finds_what_this_machine_finds_by_the_same_questions() {
    for by_digest in [false, true] {
        let fake = Fake::start(Manners { by_digest, ..Manners::default() });
        let world = world();
        same_as_here(&world, &["test.sh", "in.txt"], &at(&fake.address()));
        assert_eq!(world.read("there"), b"needle\npin\n");
        let asked = fake.seen().cached;
        let again = same_as_here(&world, &["test.sh", "in.txt"], &at(&fake.address()));
        let from_cache = u64::from(fake.seen().cached - asked);
        assert!(from_cache >= again["questions"]["total"].as_u64().unwrap(), "{from_cache} of {again}");
    }
}

#[test]
fn a_server_that_is_slower_than_this_machine_is_said_to_be() {
    let fake = Fake::start(Manners { delay: Duration::from_millis(50), ..Manners::default() });
    let said = run(&world(), &fake.address(), &["test.sh", "in.txt"]);
    said.ends_with(0, &["warning: it is slower elsewhere than on this machine", "run it here"]);
}

#[test]
fn this_machine_and_a_server_work_together() {
    let fake = Fake::start(Manners::default());
    let world = world();
    let flags =
        [at(&fake.address()), ["--executor", "local", "--jobs", "2"].map(str::to_owned).into()].concat();
    world.program(
        "test.sh",
        "#!/bin/sh\n[ -n \"$WORLD\" ] && touch \"$WORLD/here\"\ngrep -q needle && sleep 0.02\n",
    );
    let report = same_as_here(&world, &["test.sh", "in.txt"], &flags);
    assert_eq!(report["jobs"], 5);
    assert!(world.root().join("here").exists() && fake.seen().executed > 0);
}

#[test]
fn commands_conditions_and_files_go_along() {
    let fake = Fake::start(Manners::default());
    let world = world();
    world.write("words.txt", "pin\n");
    world.program("tools/look", "#!/bin/sh\necho \"$0: found\" >&2\ngrep -q needle \"$1\"\n");
    let flags = [at(&fake.address()), ["--remote-env", "MARK=it's"].map(str::to_owned).into()].concat();
    for command in [
        &["in.txt", "--with", "words.txt", "--", "grep", "-q", "-f", "words.txt", "{}"][..],
        &["in.txt", "--stderr-contains", "found", "--exit-code", "0", "--", "tools/look", "{}"],
        &["in.txt", "--also", "grep -q pin {}", "--", "grep", "-q", "needle", "{}"],
        &["in.txt", "--differs-from", "cat {}", "--", "sed", "s/needle/thread/", "{}"],
        &["in.txt", "--", "sh", "-c", "grep -q needle && kill -SEGV $$"],
        &["in.txt", "--", "sh", "-c", "grep needle >&2 && echo out && exit 7"],
    ] {
        same_as_here(&world, command, &flags);
    }
    let said = same_as_here(&world, &["in.txt", "--", "sh", "-c", "grep -q needle && kill -SEGV $$"], &flags);
    assert_eq!(world.read("there"), b"needle\n", "{said}");
    let marked = ["in.txt", "-o", "marked", "--", "sh", "-c", "[ \"$MARK\" = \"it's\" ] && grep -q needle"];
    world.run(flags.iter().map(String::as_str).chain(marked)).ends_with(0, &[]);
    assert_eq!(world.read("marked"), b"needle\n");
}

#[test]
fn a_difference_is_isolated_as_here() {
    let fake = Fake::start(Manners::default());
    let world = world();
    world.write("old.txt", haystack(40, &[]));
    let isolate = |flags: &[String]| {
        let words = ["isolate", "--passing", "old.txt", "--failing", "in.txt", "--json"].map(str::to_owned);
        let test = ["--", "sh", "-c", "grep -q needle in.txt"].map(str::to_owned);
        let report = world.run([&words[..], flags, &test].concat()).ends_with(0, &["isolated:"]).json();
        ["diff", "questions", "left"].map(|name| report[name].clone())
    };
    let here = isolate(&["--jobs".to_owned(), "1".to_owned()]);
    assert_eq!(isolate(&at(&fake.address())), here);
    assert!(fake.seen().executed > 0 && here[2] == 1, "{here:?}");
}

#[test]
fn a_folder_goes_along_as_one() {
    let fake = Fake::start(Manners::default());
    let world = World::new();
    world.write("in/a.txt", "one\nneedle\n");
    world.write("in/sub/b.txt", "two\n");
    world.write("in/sub/c.bin", [0, 255, 0]);
    world.program("test.sh", "#!/bin/sh\ngrep -rq needle \"$1\" && [ -f in/sub/c.bin ]\n");
    same_as_here(&world, &["test.sh", "in"], &at(&fake.address()));
    let files = |name: &str| {
        [fs::read(world.path(format!("{name}/a.txt"))), fs::read(world.path(format!("{name}/sub/c.bin")))]
            .map(|file| file.unwrap())
    };
    assert_eq!(files("here"), files("there"));
}

#[test]
fn limits_on_time_and_size_hold_there() {
    let fake = Fake::start(Manners::default());
    let world = World::new();
    world.write("in.txt", "a\nneedle\nquick\nb\n");
    world
        .program("test.sh", "#!/bin/sh\ngrep -q needle in.txt || exit 1\ngrep -q quick in.txt || sleep 60\n");
    let report = same_as_here(&world, &["test.sh", "in.txt", "--timeout", "0.8"], &at(&fake.address()));
    assert!(report["questions"]["timeout"].as_u64().unwrap() > 0);
    assert_eq!(world.read("there"), b"needle\nquick\n");
    world.program(
        "test.sh",
        "#!/bin/sh\ngrep -q needle in.txt && ! (head -c 100000 /dev/zero > \"$TMPDIR/x\")\n",
    );
    same_as_here(&world, &["test.sh", "in.txt", "--file-size-limit", "50000"], &at(&fake.address()));
    assert_eq!(world.read("there"), b"needle\n");
}

#[test]
fn a_test_that_wavers_is_found_though_the_server_remembers() {
    let fake = Fake::start(Manners::default());
    let world = World::new();
    world.write("in.txt", "a\nneedle\n");
    world.program(
        "test.sh",
        "#!/bin/sh\necho run >> \"$WORLD/wavers\"\n[ $(wc -l < \"$WORLD/wavers\") != 2 ]\n",
    );
    let flags = [at(&fake.address()), ["--remote-env", "WORLD"].map(str::to_owned).into()].concat();
    world
        .run(flags.iter().map(String::as_str).chain(["test.sh", "in.txt"]))
        .ends_with(6, &["the test is flaky"]);
}

#[test]
fn a_test_that_needs_a_file_of_this_machine_is_told_about_with() {
    let fake = Fake::start(Manners::default());
    let world = world();
    world.write("words.txt", "needle\n");
    world.program("test.sh", "#!/bin/sh\ngrep -q -f \"$(dirname \"$0\")/words.txt\" \"$1\"\n");
    world.run(["test.sh", "in.txt"]).ends_with(0, &[]);
    let said = run(&world, &fake.address(), &["test.sh", "in.txt"]);
    said.ends_with(5, &["the test ended with exit code 2", &fake.address(), "add --with words.txt"]);
}

#[test]
fn a_server_that_fails_for_ever_stops_the_run_and_says_nothing_of_candidates() {
    let world = world();
    for (after, code, expected) in [
        (0, 4, &["cannot run the test test.sh: reapi://", "not now (UNAVAILABLE)", "tried 2 times"][..]),
        (8, 8, &["broke after ", "not now (UNAVAILABLE)", "the best result so far is in in.reduced.txt"]),
    ] {
        let fake = Fake::start(Manners { refuses_after: Some(after), ..Manners::default() });
        run(&world, &fake.address(), &["test.sh", "in.txt"]).ends_with(code, expected);
    }
    // What the server did not say is asked again, of another one.
    let fake = Fake::start(Manners::default());
    let said = run(&world, &fake.address(), &["test.sh", "in.txt"]);
    said.ends_with(0, &["answered by the run that this one continued"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\npin\n");
}

#[test]
fn a_server_that_lies_or_speaks_no_tls_stops_the_run() {
    let world = world();
    world.program("test.sh", "#!/bin/sh\necho yes; grep -q needle \"$1\"\n");
    let fake = Fake::start(Manners { lies: true, ..Manners::default() });
    let said = |address: &str| run(&world, address, &["test.sh", "in.txt"]);
    said(&fake.address()).ends_with(4, &["cannot be believed: an output of the test is said to be "]);
    said(&format!("reapis://{}", fake.at))
        .ends_with(4, &["if it does not speak TLS, its address is reapi://"]);
    assert!(!world.path("in.reduced.txt").exists());
}

#[test]
fn a_signal_ends_what_runs_on_the_server() {
    let fake = Fake::start(Manners::default());
    let world = world();
    world.program("test.sh", "#!/bin/sh\ngrep -q 'line 3' \"$1\" && exit\nsleep 300\n");
    let flags = [at(&fake.address()), ["--timeout", "200"].map(str::to_owned).into()].concat();
    let words = ["test.sh", "in.txt"].into_iter().chain(flags.iter().map(String::as_str));
    let child = spawn(world.command(words)).unwrap();
    wait_until(|| fake.seen().asked >= 5);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    let running = fake.seen().asked - fake.seen().executed;
    wait_until(|| fake.seen().asked == fake.seen().executed);
    assert!(fake.seen().cancelled.len() >= running as usize, "{:?}", fake.seen());
    world.assert_no_process_is_left();
}

#[test]
fn tokens_are_in_no_file_of_a_run_and_in_no_list_of_processes() {
    const TOKEN: &str = "s3same-0pen-up";
    let fake = Fake::start(Manners {
        token: Some(TOKEN.to_owned()),
        delay: Duration::from_millis(5),
        ..Manners::default()
    });
    let world = world();
    fs::write(world.root().join("token"), TOKEN).unwrap();
    let file = world.root().join("token");
    for way in [["--remote-token-file", file.to_str().unwrap()], ["--remote-token-env", "MY_TOKEN"]] {
        let flags = at(&fake.address());
        let more = ["--fresh", "-v", "--trace", "trace", "--events", "events", "--report", "page.html"];
        let words =
            ["test.sh", "in.txt"].into_iter().chain(way).chain(more).chain(flags.iter().map(String::as_str));
        let mut command = world.command(words);
        command.env("MY_TOKEN", TOKEN);
        // What the cache knows is not asked for.
        let done = || fake.seen().asked + fake.seen().cached;
        let before = done();
        let child = spawn(command).unwrap();
        wait_until(|| done() > before);
        let line = fs::read(format!("/proc/{}/cmdline", child.id())).unwrap();
        assert!(!line.is_empty() && !holds(&line, TOKEN));
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
        assert!(!holds(&ended.stderr, TOKEN));
        fs::rename(&file, world.root().join("moved")).unwrap();
        assert_eq!(holders(world.root(), TOKEN), [world.root().join("moved")]);
        fs::rename(world.root().join("moved"), &file).unwrap();
    }
    run(&world, &fake.address(), &["test.sh", "in.txt", "--fresh"])
        .ends_with(4, &["does not let us in", "--remote-token-file"]);
}

fn holds(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

/// The files in a folder and below that hold a text.
fn holders(folder: &Path, text: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => holders(&path, text),
            false => vec![path].into_iter().filter(|path| holds(&fs::read(path).unwrap(), text)).collect(),
        })
        .collect()
}

#[test]
fn options_that_do_not_go_together_are_told() {
    let world = world();
    for (flags, expected) in [
        (&["--executor", "localhost:8980"][..], "reapi://HOST:PORT"),
        (&["--remote-jobs", "4"], "--remote-jobs is for tests on a server, and none is named"),
        (&["--executor", "local", "--remote-ca", "ca.pem"], "--remote-ca is for tests on a server"),
        (
            &["--executor", "reapi://a:1", "--executor", "reapi://b:1"],
            "two servers, reapi://a:1 and reapi://b:1",
        ),
        (&["--executor", "reapi://a:1", "--remote-ca", "test.sh"], "--executor reapis://a:1"),
        (&["--executor", "reapis://a:1", "--remote-ca", "no.pem"], "cannot read no.pem: No such file"),
        (&["--executor", "reapi://a:1", "--remote-token-file", "no"], "cannot read no: No such file"),
        (&["--executor", "reapi://a:1", "--remote-token-env", "NO_SUCH"], "the environment has no NO_SUCH"),
        (&["--executor", "reapi://a:1", "--remote-env", "NO_SUCH"], "the environment has no such variable"),
        (&["--executor", "reapis://a:1", "--remote-cert", "test.sh"], "--remote-key"),
    ] {
        world.run([&["test.sh", "in.txt"], flags].concat()).ends_with(2, &[expected]);
    }
    let debloat = ["debloat", "in.txt", "--test", "test.sh", "--executor", "reapi://a:1"];
    world.run(debloat).ends_with(2, &["leave --executor out"]);
    let folders = ["isolate", "--passing", ".", "--failing", ".", "test.sh", "--executor", "reapi://a:1"];
    world.run(folders).ends_with(2, &["leave --executor out"]);
}

#[test]
fn a_server_can_be_configured_for_a_project() {
    let fake = Fake::start(Manners::default());
    let world = world();
    let (address, path) = (fake.address(), world.root().join("token"));
    fs::write(&path, "token").unwrap();
    let text = format!(
        "executor = \"{address}\"\nremote-jobs = 2\nremote-token-file = \"../token\"\nremote-property = [\"pool=small\"]\n"
    );
    world.write("dwindle.toml", text);
    world.run(["test.sh", "in.txt"]).ends_with(0, &["jobs 2"]);
    assert_eq!(fake.seen().properties, ["pool=small"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\npin\n");
}

/// A server of its own for a test: buildbox-casd, which runs commands in sandboxes.
struct Casd {
    child: Child,
    address: String,
    _cache: tempfile::TempDir,
}

impl Drop for Casd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One that is running; nothing where it is not installed, which lets the test fail unless that is allowed.
fn casd() -> Option<Casd> {
    let target = Path::new(env!("CARGO_BIN_EXE_dwindle")).ancestors().nth(2).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !target.join("casd/buildstream").exists() || !has_bubblewrap() {
        skip("buildbox-casd is not installed: tools/casd --install");
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(root.join("tools/casd"));
    command.args(["--jobs", "4", "--port", &port.to_string(), "--cache"]).arg(cache.path());
    command.env("CARGO_TARGET_DIR", target).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    wait_until(|| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    Some(Casd { child, address: format!("reapi://127.0.0.1:{port}"), _cache: cache })
}

fn has_bubblewrap() -> bool {
    Command::new("bwrap").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn casd_finds_what_this_machine_finds_and_remembers_it() {
    let Some(casd) = casd() else { return };
    let world = world();
    let body = "#!/bin/sh\nsleep 0.2\ngrep -q needle \"$1\" || { echo \"$0: no needle in $1\" >&2; exit 1; }\ngrep -q pin\n";
    world.program("test.sh", body);
    let flags = at(&casd.address);
    let first = same_as_here(&world, &["test.sh", "in.txt"], &flags);
    let again = same_as_here(&world, &["test.sh", "in.txt"], &flags);
    let in_test = |report: &Value| report["seconds"]["test"].as_f64().unwrap();
    assert!(in_test(&first) > 20.0 * in_test(&again), "{first} {again}");
}

#[test]
fn casd_ends_what_is_late_what_is_cancelled_and_what_crashes() {
    let Some(casd) = casd() else { return };
    let world = World::new();
    world.write("in.txt", "a\nneedle\nquick\nb\n");
    let mark = format!("mark-{}", std::process::id());
    let body = format!(
        "#!/bin/sh\ngrep -q needle in.txt || kill -SEGV $$\ngrep -q quick in.txt || {{ (exec -a x sleep 301; true) & sh -c 'sleep 301' {mark}; }}\n"
    );
    world.program("test.sh", body);
    let mut flags = at(&casd.address);
    let report = same_as_here(&world, &["test.sh", "in.txt", "--timeout", "1"], &flags);
    assert_eq!(world.read("there"), b"needle\nquick\n");
    assert!(report["questions"]["timeout"].as_u64().unwrap() > 0);
    let is_left = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes
            .into_iter()
            .any(|process| holds(&fs::read(process.path().join("cmdline")).unwrap_or_default(), &mark))
    };
    wait_until(|| !is_left());
    // Without a limit, one that hangs ends with the signal that ends dwindle.
    flags.extend(["--timeout", "250", "--fresh"].map(str::to_owned));
    let words = ["test.sh", "in.txt"].into_iter().chain(flags.iter().map(String::as_str));
    let child = spawn(world.command(words)).unwrap();
    wait_until(is_left);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    wait_until(|| !is_left());
}

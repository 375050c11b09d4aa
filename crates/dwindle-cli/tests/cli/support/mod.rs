//! A folder of its own for every test, and the command run in it.

#[path = "../../../../skip.rs"]
mod skip;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(crate) use skip::skip;

/// After this long the command hangs, and the test fails.
const HANGS: Duration = Duration::from_secs(120);
/// Who is nobody on most systems.
const NOBODY: u32 = 65534;

/// In the shell of a [`World::test`]: the process of dwindle, which stands above guard and keeper.
pub(crate) const DWINDLE: &str = "$(parent $(parent $PPID))";
const PARENT: &str = "parent() { cut -d ' ' -f 4 /proc/$1/stat; }";

/// A folder with `home`, where the user stands, and `tmp`, which is `TMPDIR`. Its name is in the
/// variable `WORLD`, also for the tests under test, which keep notes there.
#[derive(Debug)]
pub(crate) struct World {
    folder: TempDir,
    program: PathBuf,
    user: Option<u32>,
    /// Arguments of every command.
    arguments: &'static [&'static str],
}

/// How the command ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("world-").tempdir().unwrap();
        let world =
            Self { folder, program: env!("CARGO_BIN_EXE_dwindle").into(), user: None, arguments: &[] };
        fs::create_dir(world.path("")).unwrap();
        fs::create_dir(world.root().join("tmp")).unwrap();
        world
    }

    /// The same, in which reductions run one test at a time, so that runs are questions.
    pub(crate) fn one_by_one(self) -> Self {
        Self { arguments: &["--jobs", "1"], ..self }
    }

    /// One whose user is not root, for whom permissions mean something; `None` where root cannot
    /// become somebody else, which lets the test fail unless that is allowed.
    pub(crate) fn unprivileged() -> Option<Self> {
        let world = Self::of_nobody();
        if world.is_none() {
            skip("root cannot become somebody else");
        }
        world
    }

    fn of_nobody() -> Option<Self> {
        let mut world = Self::new();
        if fs::metadata(world.root()).unwrap().uid() != 0 {
            return Some(world);
        }
        // The build folder may be out of reach for others.
        let program = world.root().join("dwindle");
        fs::copy(&world.program, &program).unwrap();
        world.program = program;
        world.user = Some(NOBODY);
        for path in [world.root().to_owned(), world.path(""), world.root().join("tmp")] {
            chown(&path, Some(NOBODY), Some(NOBODY)).ok()?;
        }
        let reached = spawn(world.command(["--version"])).ok()?.wait_with_output().unwrap();
        reached.status.success().then_some(world)
    }

    /// Outside of the user's folder, where tests keep notes.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// In the user's folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join("home").join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let folder = path.parent().unwrap();
        fs::create_dir_all(folder).unwrap();
        fs::write(&path, bytes).unwrap();
        for path in [folder, &path] {
            chown(path, self.user, self.user).unwrap();
        }
        path
    }

    /// An executable of exactly these bytes.
    pub(crate) fn program(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.write(name, bytes);
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A test that takes a note of each of its runs, and of where it was.
    pub(crate) fn test(&self, name: impl AsRef<Path>, body: &str) -> PathBuf {
        self.program(name, format!("#!/bin/sh\npwd >> \"$WORLD/runs\"\n{PARENT}\n{body}\n"))
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in the user's folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.path(""))
    }

    /// How often the [`test`](Self::test) has run.
    pub(crate) fn runs(&self) -> usize {
        self.note("runs").lines().count()
    }

    /// What tests have noted under that name.
    pub(crate) fn note(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap_or_default()
    }

    /// The command with these arguments, not yet started.
    pub(crate) fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = self.prepared(Command::new(&self.program), args);
        command.args(self.arguments);
        command
    }

    /// A line for a shell; `dwindle` is the command.
    pub(crate) fn shell(&self, line: &str) -> Finished {
        let mut command = self.prepared(Command::new("sh"), ["-c", line]);
        let path = std::env::var("PATH").unwrap_or_default();
        let programs = self.program.parent().unwrap().display();
        command.env("PATH", format!("{programs}:{path}")).env("TMPDIR", self.root());
        finish(command)
    }

    fn prepared(&self, mut command: Command, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        command.args(args).current_dir(self.path("")).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("WORLD", self.root()).env("TMPDIR", self.root().join("tmp")).env("HOME", self.root());
        command.env_remove("XDG_STATE_HOME");
        let options =
            std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"DWINDLE_"));
        options.for_each(|(name, _)| _ = command.env_remove(name));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Runs the command to its end. Whatever it does, it leaves no temporary files behind.
    pub(crate) fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
        let finished = finish(self.command(args));
        self.assert_no_file_is_left();
        finished
    }

    /// Runs the command, which must end with 0 and a report.
    pub(crate) fn report(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> serde_json::Value {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.run(args.chain(["--json".into()])).ends_with(0, &[]).json()
    }

    /// What the test says of these bytes, asked in the simplest way.
    pub(crate) fn finds_interesting(&self, test: &Path, name: &str, bytes: &[u8]) -> bool {
        let folder = tempfile::Builder::new().prefix("asked-").tempdir_in(self.root()).unwrap();
        let candidate = folder.path().join(name);
        fs::write(&candidate, bytes).unwrap();
        let mut command = self.prepared(Command::new("sh"), [test, &candidate]);
        command.current_dir(folder.path()).stdin(fs::File::open(&candidate).unwrap());
        finish(command).code == Some(0)
    }

    pub(crate) fn assert_no_file_is_left(&self) {
        assert_eq!(names(&self.root().join("tmp")), [""; 0], "in TMPDIR");
        assert_eq!(self.run_folders(), Vec::<PathBuf>::new(), "where tests have run");
        let temporary = self.names().into_iter().find(|name| name.ends_with(".tmp"));
        assert_eq!(temporary, None, "beside the result");
    }

    /// The folders of runs that are still there.
    pub(crate) fn run_folders(&self) -> Vec<PathBuf> {
        let ours = |path: &&Path| path.file_name().is_some_and(is_run_folder);
        let note = self.note("runs");
        let folders = note.lines().filter_map(|run| Path::new(run).ancestors().find(ours));
        folders.filter(|folder| folder.exists()).map(Path::to_owned).collect()
    }

    /// That no process that the command has started, or that names the world's folder, is there any
    /// more, or will be in a moment.
    pub(crate) fn assert_no_process_is_left(&self) {
        let folder = self.root().as_os_str().as_encoded_bytes();
        let mark = [b"WORLD=", folder].concat();
        let has = |process: &PathBuf, file: &str, is_ours: &dyn Fn(&[u8]) -> bool| {
            fs::read(process.join(file)).unwrap_or_default().split(|&byte| byte == 0).any(is_ours)
        };
        let left = || -> Vec<PathBuf> {
            let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
            let ours = |process: &PathBuf| {
                has(process, "environ", &|variable| variable == mark)
                    || has(process, "cmdline", &|argument| argument == folder)
            };
            processes.filter(ours).collect()
        };
        let until = Instant::now() + Duration::from_secs(10);
        while !left().is_empty() && Instant::now() < until {
            thread::yield_now();
        }
        let lines = left().into_iter().map(|process| fs::read_to_string(process.join("cmdline")));
        assert_eq!(lines.flatten().collect::<Vec<_>>(), [""; 0], "still there");
    }
}

/// Takes options of dwindle out of the environment.
pub(crate) fn forget_options(command: &mut Command) {
    let options = std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"DWINDLE_"));
    options.for_each(|(name, _)| _ = command.env_remove(name));
}

impl Finished {
    /// Checks the exit code and that the messages say all of `expected`.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32, expected: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.err);
        for part in expected {
            assert!(self.err.contains(part), "not said: {part}\n{}", self.err);
        }
        if code != 0 && code < 128 {
            // A warning may come before, and on a busy machine a line of progress.
            let is_before = |line: &&str| line.starts_with("warning: ") || line.contains(" tokens left (");
            let is_error = |line: &str| line.starts_with("error: ");
            let first = self.err.lines().find(|line| !is_before(line));
            assert!(first.is_some_and(is_error), "{}", self.err);
            assert_eq!(self.out, "", "errors go to standard error");
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// The report on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Names that a shell sees more in than a name, and one that it does not.
pub(crate) const NAMES: [&str; 6] =
    ["plain", "two words", "it's", "\"quoted\" $HOME `id`", "-dash", "ümlaut; exit 9 #"];

/// Lines of text, those of `needles` among them.
pub(crate) fn haystack(lines: usize, needles: &[(usize, &str)]) -> String {
    let line = |number| match needles.iter().find(|(at, _)| *at == number) {
        Some((_, needle)) => format!("{needle}\n"),
        None => format!("line {number} of the input\n"),
    };
    (0..lines).map(line).collect()
}

fn is_run_folder(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"dwindle-")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub(crate) fn spawn(mut command: Command) -> std::io::Result<Child> {
    loop {
        match command.spawn() {
            // Another thread's child may not have let go of the program that was just written.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::yield_now(),
            result => return result,
        }
    }
}

pub(crate) fn finish(command: Command) -> Finished {
    let said = format!("{command:?}");
    let mut child = spawn(command).unwrap_or_else(|error| panic!("{said}: {error}"));
    let (send, receive) = mpsc::channel();
    let collect = |stream: Option<Box<dyn Read + Send>>| {
        let send = send.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // A stream that the test has redirected is none to collect.
            stream.map(|mut stream| stream.read_to_end(&mut bytes).unwrap());
            let _ = send.send(());
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = collect(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = collect(child.stderr.take().map(|stream| Box::new(stream) as _));
    let until = Instant::now() + HANGS;
    for _ in 0..2 {
        if receive.recv_timeout(until.saturating_duration_since(Instant::now())).is_err() {
            child.kill().unwrap();
            panic!("hangs: {said}");
        }
    }
    let code = child.wait().unwrap().code();
    Finished { code, out: out.join().unwrap(), err: err.join().unwrap() }
}

#[track_caller]
pub(crate) fn wait_until(mut come: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !come() {
        assert!(Instant::now() < until, "waited in vain");
        thread::yield_now();
    }
}

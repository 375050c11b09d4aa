//! Other reducers on the same cases: the same test, counted by the same wrapper, under the same limit. `rivals.toml`
//! says how each is called; what is not installed is named and left out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use dwindle::shell::quoted;
use dwindle::{Document, FrontEnd};
use dwindle_run::{children_seconds, end_all};
use rustix::process::{Pid, Signal, getpid, kill_process_group, set_child_subreaper};
use serde::{Deserialize, Serialize};

use crate::cases::{self, Case};
use crate::jsonl;
use crate::page::{Page, Table, html, short};
use crate::program::Program;

/// Runs dwindle and other reducers on cases, and prints one table
#[derive(Args, Debug)]
pub(crate) struct Rivals {
    /// Folder of cases, each a folder with one `input.*` and an executable `interesting.sh`
    #[arg(value_name = "CASES")]
    cases: PathBuf,

    /// Take only cases with these names
    #[arg(long, value_name = "NAME", num_args = 1..)]
    case: Vec<String>,

    /// How each reducer is called [default: the list that comes along]
    #[arg(long, value_name = "FILE")]
    rivals: Option<PathBuf>,

    /// The most seconds that a reducer may take on a case
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    limit: f64,

    /// Folder of ANTLR grammars (`C.g4`), for the reducers that read one
    #[arg(long, value_name = "FOLDER")]
    grammars: Option<PathBuf>,

    /// How many tests each may run at once
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: u32,

    /// Also let each start from the result of dwindle, for so many seconds
    #[arg(long, value_name = "SECONDS")]
    outshrink: Option<f64>,

    /// Keep what was measured in FILE, and do not run again what is there
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// The dwindle to measure [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Also write the table into an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct File {
    rival: Vec<Rival>,
}

/// Another reducer.
#[derive(Clone, Debug, Deserialize)]
struct Rival {
    name: String,
    command: Vec<String>,
    /// The extensions of inputs that it reads; none where it reads any.
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
}

impl Rival {
    fn reads(&self, input: &Path) -> bool {
        let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let has = |all: &[String]| all.iter().any(|one| one == extension);
        (self.languages.is_empty() || has(&self.languages)) && !has(&self.except)
    }

    /// Whether its program is there, and the grammars if it wants any.
    fn is_installed(&self) -> bool {
        let program = Path::new(self.command.first().map_or("", String::as_str));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_there =
            program.is_file() || std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
        is_there && !self.command.iter().any(|word| word.contains("{grammars}"))
    }
}

/// What came of a reducer on a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Ran {
    /// Which reducer, case, start and limits.
    key: String,
    tokens: u64,
    questions: u64,
    seconds: f64,
    cpu_seconds: f64,
    /// The mean over the limit of what is left, in bytes, over the input: the area under its curve.
    area: f64,
    /// Whether it ended by itself.
    ended: bool,
    /// The smallest text that the test accepted.
    best: Vec<u8>,
}

impl Rivals {
    pub(crate) fn run(&self) -> anyhow::Result<String> {
        let text = match &self.rivals {
            Some(path) => {
                fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?
            }
            None => include_str!("../rivals.toml").to_owned(),
        };
        let File { rival: mut rivals } = toml::from_str(&text).context("in the list of rivals")?;
        let cases = match self.case.is_empty() {
            true => cases::all(&self.cases)?,
            false => cases::named(&self.cases, &self.case)?,
        };
        if let Some(folder) = &self.grammars {
            let folder = std::path::absolute(folder)?;
            for word in rivals.iter_mut().flat_map(|rival| &mut rival.command) {
                *word = word.replace("{grammars}", &folder.to_string_lossy());
            }
        }
        let program = Program::find(self.program.as_deref())?;
        let words = [
            &program.path.to_string_lossy(),
            "reduce",
            "--jobs",
            "{jobs}",
            "-q",
            "--fresh",
            "--output",
            "{result}",
            "--test",
            "{test}",
            "{input}",
        ];
        let own = Rival {
            name: "dwindle".to_owned(),
            command: words.map(str::to_owned).to_vec(),
            languages: Vec::new(),
            except: Vec::new(),
        };
        let missing: Vec<String> =
            rivals.iter().filter(|rival| !rival.is_installed()).map(|rival| rival.name.clone()).collect();
        rivals.retain(Rival::is_installed);
        let (mut known, mut appender) = (Vec::new(), None);
        if let Some(path) = &self.results {
            let (records, file) = jsonl::open::<Ran>(path)?;
            (known, appender) = (records, Some(file));
        }
        let mut measure =
            |case: &Case, rival: &Rival, start: &[u8], from: &str, limit: f64| -> anyhow::Result<Ran> {
                let key = format!(
                    "{} {} {from} {limit} {} {}",
                    rival.name, case.name, self.jobs, program.fingerprint
                );
                if let Some(ran) = known.iter().find(|ran| ran.key == key) {
                    return Ok(ran.clone());
                }
                let ran = run(case, rival, start, key, limit, self.jobs)?;
                eprintln!(
                    "dwindle-eval: {} {} {from}: {} tokens, {} questions, {:.1} s",
                    case.name, rival.name, ran.tokens, ran.questions, ran.seconds
                );
                appender.iter_mut().try_for_each(|appender| appender.append(&ran))?;
                known.push(ran.clone());
                Ok(ran)
            };
        let mut header = vec![
            "case",
            "reducer",
            "tokens",
            "questions",
            "seconds",
            "processor seconds",
            "mean % of the bytes left",
        ];
        header.extend(self.outshrink.map(|_| "tokens, from our result"));
        let mut table = Table::new(&format!("{} s, {} at once", self.limit, self.jobs), &header);
        for case in &cases {
            let input =
                fs::read(&case.input).with_context(|| format!("cannot read {}", case.input.display()))?;
            let ours = measure(case, &own, &input, "input", self.limit)?;
            for rival in [&own].into_iter().chain(rivals.iter().filter(|rival| rival.reads(&case.input))) {
                let ran = measure(case, rival, &input, "input", self.limit)?;
                let further = match self.outshrink {
                    Some(limit) if rival.name != own.name => {
                        let from = format!("ours, {} bytes", ours.best.len());
                        Some(measure(case, rival, &ours.best, &from, limit)?.tokens.to_string())
                    }
                    Some(_) => Some("-".to_owned()),
                    None => None,
                };
                let mark = if ran.ended { "" } else { "*" };
                let figures = [
                    case.name.clone(),
                    rival.name.clone(),
                    format!("{}{mark}", ran.tokens),
                    ran.questions.to_string(),
                    short(ran.seconds),
                    short(ran.cpu_seconds),
                    short(100.0 * ran.area),
                ];
                table.row(figures.into_iter().chain(further));
            }
        }
        let notes = vec![
            "`*` stopped by the limit, the smallest text that its test had accepted. Tokens are counted by dwindle's front \
             ends; a question is a run of the test, counted by one wrapper for all."
                .to_owned(),
            match missing.is_empty() {
                true => "All reducers of the list are installed.".to_owned(),
                false => format!("Not installed, so not here: {}.", missing.join(", ")),
            },
        ];
        let command = format!("dwindle-eval rivals {} --limit {}", self.cases.display(), self.limit);
        let page = Page {
            title: "Other reducers".to_owned(),
            command,
            notes,
            tables: vec![table],
            ..Page::default()
        };
        if let Some(path) = &self.html {
            let pages = std::slice::from_ref(&page);
            fs::write(path, html(pages)).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(page.markdown())
    }
}

/// Runs `rival` on `start` with the test of `case`.
fn run(case: &Case, rival: &Rival, start: &[u8], key: String, limit: f64, jobs: u32) -> anyhow::Result<Ran> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let at = |name: &str| folder.path().join(name);
    let name = case.input.file_name().unwrap_or_default();
    for folder in ["work", "input", "best", "tmp"] {
        fs::create_dir(at(folder))?;
    }
    // Where it is called by its name alone it lies where the reducer stands; otherwise not, so that a test that finds
    // it there does not take it for a candidate.
    let by_name = rival.command.iter().any(|word| word.contains("{name}"));
    let (input, test) = (at(if by_name { "work" } else { "input" }).join(name), at("test.sh"));
    fs::write(&input, start)?;
    fs::write(&test, wrapper(case, folder.path()))?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    let place = |word: &String| {
        word.replace("{test}", &test.to_string_lossy())
            .replace("{input}", &input.to_string_lossy())
            .replace("{name}", &name.to_string_lossy())
            .replace("{result}", &at("result").join(name).to_string_lossy())
            .replace("{folder}", &at("result").to_string_lossy())
            .replace("{jobs}", &jobs.to_string())
            .replace("{limit}", &limit.to_string())
    };
    let words: Vec<String> = rival.command.iter().map(place).collect();
    let [program, arguments @ ..] = &words[..] else { bail!("{} has no command", rival.name) };
    fs::create_dir(at("result"))?;
    set_child_subreaper(Some(getpid()))?;
    let (began, cpu_before) = (Instant::now(), children_seconds());
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(at("work"))
        .env("TMPDIR", at("tmp"))
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let deadline = began + Duration::try_from_secs_f64(limit).context("--limit takes seconds")?;
    let mut ended = true;
    while child.try_wait()?.is_none() {
        if Instant::now() >= deadline {
            ended = false;
            let group = Pid::from_child(&child);
            // First so that it can end what it has started.
            let _ = kill_process_group(group, Signal::TERM);
            std::thread::sleep(Duration::from_secs(2));
            let _ = kill_process_group(group, Signal::KILL);
            child.wait()?;
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let seconds = began.elapsed().as_secs_f64().min(limit);
    // Picire leaves a process in a group of its own, even where it ends by itself.
    end_all()?;
    let log = fs::read_to_string(at("log")).unwrap_or_default();
    let (best, area) = course(&log, start.len(), limit);
    let best = match best {
        Some(number) => fs::read(at("best").join(number)).context("a copy of a candidate has gone")?,
        None => start.to_vec(),
    };
    Ok(Ran {
        key,
        tokens: tokens(&case.input, &best),
        questions: log.lines().count() as u64,
        seconds,
        cpu_seconds: children_seconds() - cpu_before,
        area,
        ended,
        best,
    })
}

/// A test that finds the candidate wherever a reducer puts it, asks the test of the case about a copy in a folder of its
/// own, and notes seconds, exit code, bytes and the name of a copy.
fn wrapper(case: &Case, folder: &Path) -> String {
    let name = Path::new(case.input.file_name().unwrap_or_default());
    format!(
        "#!/bin/sh\n\
         place=$(mktemp -d {folder}/tmp/test.XXXXXX) || exit 1\n\
         copy=\"$place\"/{name}\n\
         if [ -f \"$1\" ]; then cp \"$1\" \"$copy\"; elif [ -f {name} ]; then cp {name} \"$copy\"; else cat > \"$copy\"; fi\n\
         (cd \"$place\" && exec {test} \"$copy\" < \"$copy\" > /dev/null 2>&1)\n\
         code=$?\n\
         kept=${{place##*/}}\n\
         [ $code = 0 ] && echo INTERESTING && cp \"$copy\" {folder}/best/$kept\n\
         echo \"$(cut -d ' ' -f 1 /proc/uptime) $code $(wc -c < \"$copy\") $kept\" >> {folder}/log\n\
         rm -rf \"$place\"\n\
         exit $code\n",
        folder = quoted(folder),
        name = quoted(name),
        test = quoted(&case.test),
    )
}

/// The name of the smallest text that was accepted, and the mean of what was left over the time, of an input of `whole`
/// bytes.
fn course(log: &str, whole: usize, limit: f64) -> (Option<&str>, f64) {
    let (mut best, mut least, mut area) = (None, whole, 0.0);
    let mut before: Option<(f64, f64)> = None;
    for line in log.lines() {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (at, code, bytes, kept) = (word(), word(), word(), word());
        let (Ok(at), Ok(bytes)) = (at.parse::<f64>(), bytes.parse::<usize>()) else { continue };
        let (began, last) = *before.get_or_insert((at, at));
        let end = at.min(began + limit);
        area += least as f64 * (end - last).max(0.0);
        before = Some((began, end.max(last)));
        if code == "0" && (bytes < least || best.is_none()) && bytes <= least {
            (best, least) = (Some(kept), bytes);
        }
    }
    let spent = before.map_or(0.0, |(began, last)| last - began);
    area += least as f64 * (limit - spent).max(0.0);
    (best, area / (limit * whole.max(1) as f64))
}

/// The tokens of a text as the front end of the input counts them.
fn tokens(input: &Path, text: &[u8]) -> u64 {
    let document = Document::file(input, 0o644, text.to_vec());
    let front_end = FrontEnd::recognise(input, text);
    let (tree, _) = dwindle::plan::read_tree(&document, Some(front_end));
    tree.text().len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_what_is_left_over_the_time() {
        // A hundred bytes for 2 s, 50 for 3 s, 10 for the other 5 s.
        let log = "7.0 0 100 a\n9.0 0 50 b\n10.0 1 5 c\n12.0 0 10 d\n";
        let (best, area) = course(log, 100, 10.0);
        assert_eq!(best, Some("d"));
        assert!((area - (200.0 + 150.0 + 50.0) / 1000.0).abs() < 1e-9, "{area}");
        assert_eq!(course("", 100, 10.0), (None, 1.0));
    }

    #[test]
    fn the_list_that_comes_along_is_sound() {
        let File { rival } = toml::from_str(include_str!("../rivals.toml")).unwrap();
        assert!(rival.len() >= 12);
        for rival in rival {
            assert!(rival.command.iter().any(|word| word.contains("{test}")), "{}", rival.name);
            let input = |word: &String| word.contains("{input}") || word.contains("{name}");
            assert!(rival.command.iter().any(input), "{}", rival.name);
            assert!(rival.reads(Path::new("a.c")) || !rival.languages.is_empty() || !rival.except.is_empty());
        }
    }
}

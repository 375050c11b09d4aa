//! One run of a setting on an input, and the file that keeps what was measured, so that nothing runs twice.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use dwindle::trace::{Line, Lines};
use dwindle::{Document, End, Reducer};
use serde::{Deserialize, Serialize};

pub(crate) use super::measured::Measured;
use super::once;
use super::setting::Setting;
use super::studies::Studies;
use super::subjects::{Subject, Suite};
use crate::cases::Case;
use crate::jsonl::{self, Appender};
use crate::limit::Limit;
use crate::program::Program;
use crate::report::{self, Report, last_line};

/// What is reduced.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// In this process.
    Own(Box<Subject>),
    /// By the command.
    Case(Case),
}

impl Input {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Own(subject) => &subject.name,
            Self::Case(case) => &case.name,
        }
    }

    /// Its file, whose name says its language.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Own(subject) => Path::new(&subject.name),
            Self::Case(case) => &case.input,
        }
    }

    /// What is reduced.
    pub(crate) fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Own(subject) => Ok(subject.bytes.clone()),
            Self::Case(case) => {
                fs::read(&case.input).with_context(|| format!("cannot read {}", case.input.display()))
            }
        }
    }

    /// Whether a candidate is interesting. The test of a case runs in a folder of its own, without a time limit.
    pub(crate) fn is_interesting(&self, candidate: &[u8]) -> anyhow::Result<bool> {
        let case = match self {
            Self::Own(subject) => return Ok(subject.is_interesting(candidate)),
            Self::Case(case) => case,
        };
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let input = case.input.file_name().context("an input has a name")?;
        fs::write(folder.path().join(input), candidate).context("cannot write a candidate")?;
        let status = Command::new(&case.test)
            .arg(folder.path().join(input))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("cannot start {}", case.test.display()))?;
        Ok(status.success())
    }

    /// The suite of the papers that it belongs to.
    pub(crate) fn suite(&self) -> Suite {
        match self {
            Self::Own(subject) => subject.suite,
            Self::Case(case) => {
                let extension = case.input.extension().and_then(|extension| extension.to_str());
                if matches!(extension, Some("xml" | "xsl" | "svg" | "html")) { Suite::Xml } else { Suite::C }
            }
        }
    }
}

/// What was measured before, and how to measure more.
pub(crate) struct Bench<'a> {
    pub(crate) program: Option<&'a Program>,
    /// How long a run may take.
    pub(crate) limit: Duration,
    known: HashMap<String, Measured>,
    appender: Option<Appender>,
}

#[derive(Serialize, Deserialize)]
struct Record {
    key: String,
    measured: Measured,
}

impl<'a> Bench<'a> {
    /// With what is in the file `results`, if one is named.
    pub(crate) fn new(
        program: Option<&'a Program>,
        limit: Duration,
        results: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let (mut known, mut appender) = (HashMap::new(), None);
        if let Some(path) = results {
            let (records, file) = jsonl::open::<Record>(path)?;
            known = records.into_iter().map(|record| (record.key, record.measured)).collect();
            appender = Some(file);
        }
        Ok(Self { program, limit, known, appender })
    }

    /// What `setting` does to `input`; from the file where that is known.
    pub(crate) fn measure(&mut self, input: &Input, setting: &Setting) -> anyhow::Result<Measured> {
        let program = match (input, self.program) {
            (Input::Own(_), _) | (_, None) => env!("CARGO_PKG_VERSION"),
            (_, Some(program)) => &program.fingerprint,
        };
        let arguments = setting.arguments().join(" ");
        let once = if setting.once { " once" } else { "" };
        let key = format!("{program} {} {} {arguments}{once}", input.name(), self.limit.as_secs_f64());
        if let Some(measured) = self.known.get(&key) {
            return Ok(measured.clone());
        }
        let measured = match (input, self.program) {
            (Input::Own(subject), _) if setting.once => once::measure(subject, setting),
            (Input::Case(case), _) if setting.once => {
                bail!("{}: the command has no option for one round", case.name)
            }
            (Input::Own(subject), _) => own(subject, setting, self.limit)?,
            (Input::Case(case), Some(program)) => of_case(program, case, setting, self.limit)?,
            (Input::Case(_), None) => bail!("a case needs the program: build it or name it by --program"),
        };
        eprintln!(
            "dwindle-eval: {} {}: {} tokens, {} questions, {:.1} s",
            input.name(),
            setting.name,
            measured.tokens,
            measured.questions,
            measured.seconds
        );
        if let Some(appender) = &mut self.appender {
            appender.append(&Record { key: key.clone(), measured: measured.clone() })?;
        }
        self.known.insert(key, measured.clone());
        Ok(measured)
    }
}

fn own(subject: &Subject, setting: &Setting, limit: Duration) -> anyhow::Result<Measured> {
    let mut trace = Lines::default();
    let mut invalid = 0;
    let reducer = Reducer::new(subject.bytes.clone())
        .name(&subject.name)
        .method(setting.method())
        .minimizer(setting.minimizer())
        .max_time(limit);
    let reduced = reducer.run_traced(
        |candidate| {
            let is_valid = subject.is_valid(candidate);
            invalid += u64::from(!is_valid);
            is_valid && subject.has_needs(candidate)
        },
        &mut trace,
    )?;
    let report = reduced.report;
    Ok(Measured {
        before: report.before.tokens,
        tokens: report.after.tokens,
        questions: report.questions.total,
        seconds: report.seconds.total,
        memory: None,
        finished: report.end == End::Finished,
        invalid: Some(invalid),
        limit: Limit::of(&Document::file(&subject.name, 0o644, subject.bytes.clone()), &reduced.bytes),
        studies: Studies::of(&trace.lines),
    })
}

fn of_case(program: &Program, case: &Case, setting: &Setting, limit: Duration) -> anyhow::Result<Measured> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let trace = folder.path().join("trace");
    let output = Command::new(&program.path)
        .args(["reduce", "--jobs", "1", "--json", "-q", "--fresh", "--output"])
        .arg(folder.path().join("reduced"))
        .arg("--trace")
        .arg(&trace)
        .arg("--max-time")
        .arg(limit.as_secs_f64().to_string())
        .args(setting.arguments())
        .arg("--test")
        .arg(&case.test)
        .arg(&case.input)
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start the program {}", program.path.display()))?;
    if !output.status.success() {
        bail!("{} with {}: {}", case.name, setting.name, last_line(&output.stderr));
    }
    let report: Report = serde_json::from_slice(&output.stdout).context("cannot read the report")?;
    let input = fs::read(&case.input).context("cannot read the input")?;
    let result = fs::read(folder.path().join("reduced")).context("cannot read the result")?;
    let text = fs::read_to_string(&trace).context("cannot read the trace")?;
    let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(Measured {
        before: report.before.tokens,
        tokens: report.after.tokens,
        questions: report.questions.total,
        seconds: report.seconds.total,
        memory: report.peak_memory_bytes,
        finished: report.end == report::End::Finished,
        invalid: None,
        limit: Limit::of(&Document::file(&case.input, 0o644, input), &result),
        studies: Studies::of(&lines),
    })
}

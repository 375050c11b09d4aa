//! What was asked, question by question, for whoever studies a search: one line of JSON for each, and each candidate
//! as the file or the folder that it is.
//!
//! The records are those of the sequential search, so they are the same for any number of jobs, but for the times.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dwindle_core::{ListQuestion, Outcome};
use dwindle_read::Size;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::driver::{ContentKey, Source};
use crate::folder::Others;
use crate::questions::Questions;
use crate::sink::OutputError;

/// Takes note of questions.
pub trait Trace {
    /// A question that was answered for good.
    ///
    /// # Errors
    ///
    /// Where it cannot be written down; the reduction ends then.
    fn note(&mut self, asked: &Asked<'_>) -> Result<(), OutputError>;

    /// There are no more questions.
    ///
    /// # Errors
    ///
    /// Where what was noted cannot be written.
    fn finish(&mut self) -> Result<(), OutputError>;
}

/// A question that was answered for good.
#[derive(Debug)]
pub struct Asked<'a> {
    /// What was tried, in a word or two.
    pub kind: &'static str,
    /// The list that it is about.
    pub list: Option<&'a ListQuestion>,
    /// The tokens of its base.
    pub base: u64,
    /// Which content it asks about.
    pub key: ContentKey,
    /// The content, unless it is known from an earlier question.
    pub bytes: Option<&'a [u8]>,
    /// The size of the content.
    pub size: Size,
    /// What the test said.
    pub outcome: Outcome,
    /// Whether the search took it.
    pub accepted: bool,
    /// Who says so.
    pub source: Source,
    /// How often the test ran.
    pub runs: Questions,
    /// How long the last run took, if there was one.
    pub seconds: Option<f64>,
    /// How long the reduction has taken so far, in seconds.
    pub at: f64,
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A question.
    Question(Question),
    /// A list, before the first question about it.
    List(List),
}

/// A list that is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// Its number: 1 for the first.
    pub list: u32,
    /// What its elements are, by number: nodes of the tree, or pieces of the text.
    pub elements: Vec<u32>,
    /// The tokens of each of them; at least 1.
    pub weights: Vec<u32>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Its number: 1 for the first of the two about the input.
    pub number: u64,
    /// What was tried, in a word or two.
    pub kind: String,
    /// What it asks of which list.
    #[serde(flatten)]
    pub of: Option<OfList>,
    /// The tokens that it has less than its base.
    pub fewer: i64,
    /// `interesting`, `uninteresting` or `timeout`.
    pub outcome: String,
    /// Whether the search took the candidate: it was interesting, and smaller.
    pub accepted: bool,
    /// Who says so: `test`, `cache`, `journal` or `filter`.
    pub from: String,
    /// The number of the question that had the same content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<u64>,
    /// The size of the candidate.
    #[serde(flatten)]
    pub size: Size,
    /// How often the test ran, if that was more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// How many of these runs were interesting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interesting_runs: Option<u64>,
    /// How long the last run took, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How long the reduction had taken until then, in seconds.
    pub at: f64,
}

/// What is asked of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfList {
    /// The list.
    pub list: u32,
    /// How many of its elements the base has.
    pub standing: u64,
    /// The positions in the list of what the candidate has less, as ranges: first, and behind the last. Those in
    /// between that the base lacks are left out.
    pub removed: Vec<(u32, u32)>,
    /// What the removed elements weigh.
    pub weight: u64,
}

impl OfList {
    fn of(list: &ListQuestion) -> Self {
        let removed = list.best.without(&list.kept);
        Self {
            list: list.number,
            standing: list.best.len() as u64,
            removed: removed.runs().map(|run| (run.start as u32, run.end as u32)).collect(),
            weight: removed.iter().map(|position| u64::from(list.weights[position])).sum(),
        }
    }

    /// The positions of the removed elements.
    pub fn positions(&self) -> impl Iterator<Item = u32> + '_ {
        self.removed.iter().flat_map(|&(first, end)| first..end)
    }
}

/// Numbers questions and makes lines of them.
#[derive(Debug, Default)]
pub struct Tracer {
    /// The number of the question that asked about a content first.
    numbers: HashMap<ContentKey, u64>,
    questions: u64,
    /// The list of the last question about one.
    list: Option<u32>,
}

impl Tracer {
    /// The lines for a question.
    pub fn lines(&mut self, asked: &Asked<'_>) -> (Option<List>, Question) {
        self.questions += 1;
        let first = *self.numbers.entry(asked.key).or_insert(self.questions);
        let new = asked.list.filter(|list| self.list != Some(list.number)).map(|list| {
            self.list = Some(list.number);
            List { list: list.number, elements: list.elements.to_vec(), weights: list.weights.to_vec() }
        });
        let repeated = Some(asked.runs).filter(|runs| runs.total > 1);
        let question = Question {
            number: self.questions,
            kind: asked.kind.to_owned(),
            of: asked.list.map(OfList::of),
            fewer: asked.base as i64 - asked.size.tokens as i64,
            outcome: word(asked.outcome).to_owned(),
            accepted: asked.accepted,
            from: match asked.source {
                Source::Test => "test",
                Source::Journal => "journal",
                Source::Cache => "cache",
                Source::Filter => "filter",
            }
            .to_owned(),
            same: (first != self.questions).then_some(first),
            size: asked.size,
            runs: repeated.map(|runs| runs.total),
            interesting_runs: repeated.map(|runs| runs.interesting),
            seconds: asked.seconds,
            at: asked.at,
        };
        (new, question)
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Interesting => "interesting",
        Outcome::Uninteresting => "uninteresting",
        Outcome::Unresolved => "timeout",
    }
}

/// A trace in memory.
#[derive(Debug, Default)]
pub struct Lines {
    tracer: Tracer,
    /// What was noted.
    pub lines: Vec<Line>,
}

impl Trace for Lines {
    fn note(&mut self, asked: &Asked<'_>) -> Result<(), OutputError> {
        let (list, question) = self.tracer.lines(asked);
        self.lines.extend(list.map(Line::List));
        self.lines.push(Line::Question(question));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// A file of lines, a folder of candidates, or both.
#[derive(Debug)]
pub(crate) struct TraceFiles {
    tracer: Tracer,
    lines: Option<(PathBuf, BufWriter<File>)>,
    dump: Option<PathBuf>,
    /// The ends of the names of candidates.
    name: OsString,
    /// Of a folder, what is no text in it.
    others: Option<Others>,
}

impl TraceFiles {
    /// Writes lines into the file `lines`, which is replaced, and the candidates, called like the document, into the folder
    /// `dump`, which is new or empty.
    pub(crate) fn open(
        lines: Option<&Path>,
        dump: Option<&Path>,
        document: &Document,
    ) -> Result<Self, OutputError> {
        if let Some(folder) = dump {
            let fail = |source| OutputError::Trace { path: folder.to_owned(), source };
            fs::create_dir_all(folder).map_err(fail)?;
            if fs::read_dir(folder).map_err(fail)?.next().is_some() {
                return Err(OutputError::NotEmpty { path: folder.to_owned() });
            }
        }
        let lines = lines.map(|path| {
            let file = File::create(path);
            let file = file.map_err(|source| OutputError::Trace { path: path.to_owned(), source });
            file.map(|file| (path.to_owned(), BufWriter::new(file)))
        });
        Ok(Self {
            tracer: Tracer::default(),
            lines: lines.transpose()?,
            dump: dump.map(Path::to_owned),
            name: document.path().file_name().unwrap_or_default().to_owned(),
            others: document.others().cloned(),
        })
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let Some((path, file)) = &mut self.lines else { return Ok(()) };
        write(file).map_err(|source| OutputError::Trace { path: path.clone(), source })
    }
}

impl Trace for TraceFiles {
    fn note(&mut self, asked: &Asked<'_>) -> Result<(), OutputError> {
        let (list, question) = self.tracer.lines(asked);
        let was_asked = matches!(asked.source, Source::Test | Source::Journal);
        if let (Some(folder), Some(bytes), true) = (&self.dump, asked.bytes, was_asked) {
            let mut name = OsString::from(format!("{:06}-{}-", question.number, question.outcome));
            name.push(&self.name);
            let path = folder.join(name);
            let written = match &self.others {
                Some(others) => others.write(&path, bytes),
                None => fs::write(&path, bytes),
            };
            written.map_err(|source| OutputError::Trace { path, source })?;
        }
        self.write(|file| {
            for line in list.map(Line::List).into_iter().chain([Line::Question(question)]) {
                serde_json::to_writer(&mut *file, &line)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
    }

    fn finish(&mut self) -> Result<(), OutputError> {
        self.write(BufWriter::flush)
    }
}

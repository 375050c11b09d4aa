//! Helpers: programs of others that offer smaller texts in place of a variant.
//!
//! They run as the test does, under a keeper and its limits, in a folder of their own. A *command* of the
//! user gets what the test gets, the path of the variant as its argument and the variant as standard input,
//! and prints a line of JSON for each text that it offers: `{"text": "..."}`, or
//! `{"edits": [{"start": 0, "end": 5, "with": "..."}]}` with offsets in bytes, in order and apart. What is
//! not smaller is passed over.
//!
//! What a helper does wrong is said and never stops a reduction: a run that does not end with 0, runs over
//! its time or prints too much offers nothing, a line that is no offer is passed over. After [`FAULTS`]
//! runs with something wrong a command is not run any more.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, unbounded};
use dwindle_core::{Answer, Cancellation, Format, Offers, Request, Shape, Text, Variant};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::driver::Candidate;
use crate::formatter;
use crate::inbox::{Message, Slip};
use crate::report::{External, Warning};
use dwindle_read::FrontEnd;
use dwindle_read::cancellation::unless;
use dwindle_run::{Cancel, PRINTED_LIMIT, Run, RunEnd, Station, Stations};

/// A command is given up after this many runs in which something was wrong: one may be an accident.
const FAULTS: u32 = 3;
/// The most offers of one run that are looked at. Each is a question.
const MOST_OFFERS: usize = 10_000;
/// The most bytes that these may have together, since all are in memory.
const MOST_BYTES: usize = 256 << 20;
/// So many transformations of `clang_delta` are made before the first of them is tested.
const PAGE: u32 = 8;

/// What offers texts.
#[derive(Clone, Debug)]
pub(crate) enum Helper {
    /// A function of the program that calls the library.
    Closure(Closure),
    /// A command of the user.
    Command(PathBuf),
    /// A transformation of `clang_delta`, which makes one instance of it at a time.
    ClangDelta { program: PathBuf, transformation: &'static str },
    /// A formatter, which offers one text, however large.
    Formatter(formatter::Formatter),
}

/// A function that offers texts in place of one.
#[derive(Clone)]
pub(crate) struct Closure(Arc<Offer>);

type Offer = dyn Fn(&[u8]) -> Vec<Vec<u8>> + Send + Sync;

impl Closure {
    pub(crate) fn new(offer: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(offer))
    }
}

impl Debug for Closure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Closure")
    }
}

/// The helpers of a reduction, and the thread that runs them, one at a time. It ends when this is closed.
#[derive(Debug)]
pub(crate) struct Helping {
    helpers: Arc<Helpers>,
    /// Nothing once it is closed.
    queue: Option<Sender<Errand>>,
    /// What they run, whatever it is, ends with this.
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// Something that a helper is to offer.
#[derive(Debug)]
struct Errand {
    variant: Variant,
    request: Request,
    front_end: Option<FrontEnd>,
    limit: Duration,
    slip: Slip,
}

impl Helping {
    /// These, at one of the `stations`; what they offer is not read any more once `reduction` is cancelled.
    pub(crate) fn new(all: Vec<Helper>, stations: Stations, reduction: Cancellation) -> io::Result<Self> {
        Self::start(all, Some(stations), reduction)
    }

    /// These, which need no station.
    pub(crate) fn of_closures(all: Vec<Closure>, reduction: Cancellation) -> io::Result<Self> {
        Self::start(all.into_iter().map(Helper::Closure).collect(), None, reduction)
    }

    fn start(all: Vec<Helper>, stations: Option<Stations>, reduction: Cancellation) -> io::Result<Self> {
        let faults = vec![0; all.len()];
        let state = Mutex::new(State { done: External::default(), faults, warnings: Vec::new() });
        let helpers = Arc::new(Helpers { all, state });
        let (queue, errands) = unbounded::<Errand>();
        let cancel = Cancel::new()?;
        let (known, over) = (helpers.clone(), cancel.clone());
        let run_all = move || {
            // Made before the first test can have filled the place where it will be.
            let station = stations.map(|stations| stations.station());
            // Where there is none, the next test will say so.
            let mut station = station.transpose().unwrap_or_default();
            for Errand { variant, request, front_end, limit, slip } in errands {
                slip.send_what_comes_of(|| {
                    let station = station.as_mut();
                    let mut run = Helped { helpers: &known, station, limit, cancel: &over };
                    let offers = unless(&reduction, || run.offers(&variant, request, front_end))?;
                    Some(Message::Parsed(Answer::Offers(offers.into())))
                });
            }
        };
        let thread = thread::Builder::new().name("helper".to_owned()).spawn(run_all)?;
        Ok(Self { helpers, queue: Some(queue), cancel, thread: Some(thread) })
    }

    /// Asks for what a helper offers in place of `variant`.
    pub(crate) fn ask(
        &self,
        variant: Variant,
        request: Request,
        front_end: Option<FrontEnd>,
        limit: Duration,
        slip: Slip,
    ) {
        if let Some(queue) = &self.queue {
            let _ = queue.send(Errand { variant, request, front_end, limit, slip });
        }
    }

    /// What they have done.
    pub(crate) fn done(&self) -> External {
        self.helpers.state().done
    }

    /// Which they are, for the journal: the commands, and whether `clang_delta` is one.
    pub(crate) fn facts(&self) -> Value {
        let command = |helper: &Helper| match helper {
            Helper::Command(program) => Some(program.to_string_lossy().into_owned()),
            Helper::Closure(_) | Helper::ClangDelta { .. } | Helper::Formatter(_) => None,
        };
        let all = &self.helpers.all;
        json!({
            "external": all.iter().filter_map(command).collect::<Vec<_>>(),
            "clang_delta": all.iter().any(|helper| matches!(helper, Helper::ClangDelta { .. })),
        })
    }

    /// What has to be said and was not yet.
    pub(crate) fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut self.helpers.state().warnings)
    }

    /// Ends whatever runs, and waits for that.
    pub(crate) fn close(&mut self) {
        self.cancel.cancel();
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Panics were sent as messages.
            let _ = thread.join();
        }
    }
}

impl Drop for Helping {
    fn drop(&mut self) {
        self.close();
    }
}

#[derive(Debug)]
struct Helpers {
    all: Vec<Helper>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    done: External,
    warnings: Vec<Warning>,
    /// How many runs of each helper had something wrong.
    faults: Vec<u32>,
}

impl Helpers {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // It is counted in steps that do not panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A helper that runs.
struct Helped<'a> {
    helpers: &'a Helpers,
    station: Option<&'a mut Station>,
    limit: Duration,
    cancel: &'a Cancel,
}

impl Helped<'_> {
    /// What a helper offers in place of `variant`. Whatever is wrong with it becomes a warning.
    fn offers(&mut self, variant: &Variant, request: Request, front_end: Option<FrontEnd>) -> Offers {
        let base = Candidate::new(variant);
        // What the front end refuses cannot be compared by its tokens.
        let read = |bytes: Vec<u8>| match front_end {
            Some(front_end) => match dwindle_read::read(bytes, Shape::Tree, front_end) {
                Answer::Tree(tree) => Some(tree.text().clone()),
                _ => None,
            },
            None => Some(dwindle_read::cut(bytes, Format::Lines)),
        };
        let smaller = |text: &Arc<Text>| Candidate::new(&Variant::whole(text.clone())).is_smaller_than(&base);
        let over = self.cancel;
        let all_smaller = |texts: Vec<Vec<u8>>| {
            let going_on = texts.into_iter().take_while(|_| !over.is_cancelled().unwrap_or(true));
            let texts = going_on.filter_map(read).filter(smaller).map(|text| (0, text)).collect();
            Offers { texts, next: None }
        };
        let number = request.helper as usize;
        match &self.helpers.all[number] {
            Helper::Closure(closure) => all_smaller(self.closure(closure, &base.bytes)),
            Helper::Command(program) => all_smaller(self.command(number, program, &base.bytes)),
            Helper::Formatter(formatter) => {
                let words = |candidate: &Path| formatter.words(candidate);
                let Some(station) = &mut self.station else { return Offers::default() };
                let printed = station.capture(&base.bytes, words, self.limit, self.cancel).ok();
                let printed = printed.filter(|(run, _)| run.end == RunEnd::Exited(0));
                let texts =
                    printed.into_iter().filter_map(|(_, printed)| Some((0, read(printed)?))).collect();
                Offers { texts, next: None }
            }
            Helper::ClangDelta { program, transformation } => {
                let mut texts = Vec::new();
                for instance in request.from..request.from + PAGE {
                    let Some(bytes) =
                        self.clang_delta(number, program, transformation, instance + 1, &base.bytes)
                    else {
                        return Offers { texts, next: None };
                    };
                    let text = read(bytes).filter(smaller);
                    texts.extend(text.map(|text| (instance, text)));
                }
                Offers { texts, next: Some(request.from + PAGE) }
            }
        }
    }

    /// The texts that a function offers, each once, in its order.
    fn closure(&self, Closure(offer): &Closure, base: &[u8]) -> Vec<Vec<u8>> {
        let began = Instant::now();
        let mut texts = offer(base);
        let mut seen = HashSet::from([blake3::hash(base)]);
        texts.retain(|text| seen.insert(blake3::hash(text)));
        let mut state = self.helpers.state();
        state.done.runs += 1;
        state.done.seconds += began.elapsed().as_secs_f64();
        texts
    }

    /// The texts that a command offers, each once, in its order.
    fn command(&mut self, number: usize, program: &Path, base: &[u8]) -> Vec<Vec<u8>> {
        if self.helpers.state().faults[number] >= FAULTS {
            return Vec::new();
        }
        let words = |candidate: &Path| vec![program.into(), candidate.into()];
        let Some((run, printed)) = self.run(number, base, words, program) else { return Vec::new() };
        let is_too_long = printed.len() as u64 >= PRINTED_LIMIT;
        match run.end {
            RunEnd::Stopped => return Vec::new(),
            RunEnd::Exited(0) if !is_too_long => {}
            end => {
                let what = match is_too_long {
                    true => format!("it printed more than {} MiB", PRINTED_LIMIT >> 20),
                    false => format!("it ended {end}{}", last_line(&run.output)),
                };
                self.fault(number, program, format!("{what}; what it offered is not looked at"));
                return Vec::new();
            }
        }
        let (offers, wrong) = read_offers(&printed, base);
        if let Some(wrong) = wrong {
            self.fault(number, program, wrong);
        }
        offers
    }

    /// An instance of a transformation, if there are so many.
    fn clang_delta(
        &mut self,
        number: usize,
        program: &Path,
        transformation: &str,
        instance: u32,
        base: &[u8],
    ) -> Option<Vec<u8>> {
        let words = |candidate: &Path| -> Vec<OsString> {
            vec![
                program.into(),
                format!("--transformation={transformation}").into(),
                format!("--counter={instance}").into(),
                candidate.into(),
            ]
        };
        let (run, printed) = self.run(number, base, words, program)?;
        // It says by its exit code that there is none, or that it cannot read the text; and it crashes.
        (run.end == RunEnd::Exited(0)).then_some(printed)
    }

    fn run(
        &mut self,
        number: usize,
        base: &[u8],
        words: impl Fn(&Path) -> Vec<OsString>,
        program: &Path,
    ) -> Option<(Run, Vec<u8>)> {
        match self.station.as_mut()?.capture(base, words, self.limit, self.cancel) {
            Ok((run, printed)) => {
                let mut state = self.helpers.state();
                state.done.runs += 1;
                state.done.seconds += run.seconds;
                state.done.cpu_seconds += run.cpu_seconds;
                Some((run, printed))
            }
            Err(error) => {
                self.fault(number, program, error.to_string());
                None
            }
        }
    }

    fn fault(&self, number: usize, program: &Path, what: String) {
        let mut state = self.helpers.state();
        state.faults[number] += 1;
        let is_command = matches!(self.helpers.all[number], Helper::Command(_));
        let given_up = is_command && state.faults[number] >= FAULTS;
        state.warnings.push(Warning::External { program: program.to_owned(), what, given_up });
    }
}

/// A line that a command prints.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Text(String),
    Edits(Vec<Edit>),
}

/// These bytes become others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    start: usize,
    end: usize,
    #[serde(default)]
    with: String,
}

/// The texts that a command offers in place of `base`, each once, and what is wrong with the first line that
/// cannot be understood.
fn read_offers(printed: &[u8], base: &[u8]) -> (Vec<Vec<u8>>, Option<String>) {
    let (mut offers, mut seen, mut wrong, mut bytes) = (Vec::new(), HashSet::new(), None, 0);
    for (number, line) in (1..).zip(printed.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let text = serde_json::from_slice(line).map_err(|error| error.to_string());
        match text.and_then(|line| offered(line, base)) {
            Ok(text) => {
                if text != base && seen.insert(blake3::hash(&text)) {
                    bytes += text.len();
                    if offers.len() == MOST_OFFERS || bytes > MOST_BYTES {
                        let most = offers.len();
                        wrong.get_or_insert(format!(
                            "only the first {most} texts that it offers are looked at"
                        ));
                        break;
                    }
                    offers.push(text);
                }
            }
            Err(what) => {
                wrong.get_or_insert_with(|| {
                    format!(
                        "line {number} of its output is no offer ({what}) and is passed over; one is \
                         {{\"text\": \"...\"}} or {{\"edits\": [{{\"start\": 0, \"end\": 5, \"with\": \"...\"}}]}}"
                    )
                });
            }
        }
    }
    (offers, wrong)
}

fn offered(line: Line, base: &[u8]) -> Result<Vec<u8>, String> {
    let edits = match line {
        Line::Text(text) => return Ok(text.into_bytes()),
        Line::Edits(edits) => edits,
    };
    let (mut text, mut at) = (Vec::with_capacity(base.len()), 0);
    for Edit { start, end, with } in edits {
        if start < at || end < start || end > base.len() {
            let length = base.len();
            return Err(format!("the edit of {start}..{end} is not behind {at} and within {length} bytes"));
        }
        text.extend_from_slice(&base[at..start]);
        text.extend_from_slice(with.as_bytes());
        at = end;
    }
    text.extend_from_slice(&base[at..]);
    Ok(text)
}

/// The last line of what a program has said, behind a colon.
fn last_line(output: &[u8]) -> String {
    const SHOWN: usize = 200;
    let text = String::from_utf8_lossy(output);
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    if last.is_empty() {
        String::new()
    } else {
        format!(": {}", last.chars().take(SHOWN).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(printed: &str) -> (Vec<String>, Option<String>) {
        let (offers, wrong) = read_offers(printed.as_bytes(), b"one two three");
        (offers.into_iter().map(|offer| String::from_utf8(offer).unwrap()).collect(), wrong)
    }

    #[test]
    fn texts_and_edits_are_offers() {
        let (offers, wrong) = read(
            "{\"text\": \"four\"}\n\n  {\"edits\": [{\"start\": 0, \"end\": 4}, {\"start\": 8, \"end\": 13, \"with\": \"é\"}]}\r\n\
             {\"edits\":[{\"start\":13,\"end\":13,\"with\":\"!\"}]}",
        );
        assert_eq!(offers, ["four", "two é", "one two three!"]);
        assert_eq!(wrong, None);
    }

    #[test]
    fn what_was_offered_before_or_is_the_text_itself_is_no_offer() {
        let (offers, wrong) =
            read("{\"edits\":[]}\n{\"text\":\"a\"}\n{\"text\":\"a\"}\n{\"text\":\"one two three\"}");
        assert_eq!((offers, wrong), (vec!["a".to_owned()], None));
    }

    #[test]
    fn a_line_that_is_no_offer_is_named_and_the_others_count() {
        for (line, said) in [
            ("nonsense", "expected"),
            ("{\"txt\":\"a\"}", "unknown variant `txt`"),
            ("{\"text\":1}", "invalid type"),
            ("{\"text\":\"a\",\"edits\":[]}", ""),
            ("{\"edits\":[{\"start\":5,\"end\":4}]}", "5..4"),
            ("{\"edits\":[{\"start\":0,\"end\":14}]}", "within 13 bytes"),
            ("{\"edits\":[{\"start\":3,\"end\":5},{\"start\":4,\"end\":6}]}", "not behind 5"),
        ] {
            let (offers, wrong) =
                read(&format!("{{\"text\":\"a\"}}\n{line}\n{{\"text\":\"b\"}}\nalso wrong"));
            let wrong = wrong.unwrap();
            assert_eq!(offers, ["a", "b"], "{line}");
            assert!(
                wrong.starts_with("line 2 of its output is no offer (") && wrong.contains(said),
                "{wrong}"
            );
        }
    }

    #[test]
    fn no_more_offers_are_looked_at_than_can_be_tested() {
        let printed: String = (0..MOST_OFFERS + 5).map(|i| format!("{{\"text\":\"{i}\"}}\n")).collect();
        let (offers, wrong) = read(&printed);
        assert_eq!(offers.len(), MOST_OFFERS);
        assert_eq!(wrong.as_deref(), Some("only the first 10000 texts that it offers are looked at"));
    }
}

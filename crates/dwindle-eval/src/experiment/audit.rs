//! Whether the lists of a reduction are 1-minimal when they are over.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use dwindle::core::{Answer, Ask, ListQuestion, MinimizerKind, Outcome, Search, Subset};
use dwindle::driver::Candidate;
use dwindle::plan::{Options, Plan, plan};
use dwindle::read::read;
use dwindle::{Document, FrontEnd, Reducer};

use super::measure::Input;
use super::setting::Setting;

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Violations {
    /// Lists that were searched to their end.
    pub(crate) lists: u64,
    /// Those of which a single element could still be deleted, and how many of their elements could.
    pub(crate) violated: u64,
    pub(crate) elements: u64,
    /// Runs that came to their end, and those of them whose result a sweep over all nodes makes smaller.
    pub(crate) runs: u64,
    pub(crate) runs_left: u64,
    /// Runs that the limit stopped.
    pub(crate) stopped: u64,
}

impl Violations {
    pub(crate) fn add(&mut self, other: &Self) {
        self.lists += other.lists;
        self.violated += other.violated;
        self.elements += other.elements;
        self.runs += other.runs;
        self.runs_left += other.runs_left;
        self.stopped += other.stopped;
    }
}

/// Runs `setting` on `input` for `limit` at most, and tries each element alone that a list leaves. Nothing of that is
/// kept.
pub(crate) fn audit(input: &Input, setting: &Setting, limit: Duration) -> anyhow::Result<Violations> {
    let began = Instant::now();
    let document = Document::file(input.path(), 0o644, input.bytes()?);
    let mut options = Options::new(setting.method());
    options.minimizer = setting.minimizer();
    let Plan { mut search, front_end, .. } = plan(&document, &options);
    let mut known = HashMap::new();
    let mut is_interesting = |candidate: &Candidate| -> anyhow::Result<bool> {
        if let Some(&known) = known.get(&candidate.key) {
            return Ok(known);
        }
        let yes = input.is_interesting(&candidate.bytes)?;
        known.insert(candidate.key, yes);
        Ok(yes)
    };
    let mut found = Violations::default();
    loop {
        let variant = match search.ask() {
            Ask::Done => break,
            Ask::Test(_) if began.elapsed() > limit => {
                found.stopped += 1;
                return Ok(found);
            }
            Ask::Parse(variant, shape) => {
                let front_end = front_end.unwrap_or(FrontEnd::Brackets);
                search.tell(read(variant.render(), shape, front_end));
                continue;
            }
            Ask::Test(variant) => variant,
        };
        let (candidate, base) = (Candidate::new(&variant), Candidate::new(search.best()));
        let accepted = is_interesting(&candidate)? && candidate.is_smaller_than(&base);
        let list = search.list();
        let before = list.is_some().then(|| search.clone());
        search.tell(Answer::Outcome(if accepted { Outcome::Interesting } else { Outcome::Uninteresting }));
        let Some((before, ListQuestion { number, best, kept, .. })) = before.zip(list) else { continue };
        if search.list().is_some_and(|list| list.number == number) {
            continue;
        }
        let (left, base) = if accepted { (kept, candidate) } else { (best, base) };
        let without = |element: usize| {
            let mut rest: Subset = left.clone();
            rest.remove(element);
            before.with_elements(&rest).map(|variant| Candidate::new(&variant))
        };
        let mut removable = 0;
        for single in left.iter().filter_map(without).filter(|single| single.is_smaller_than(&base)) {
            removable += u64::from(is_interesting(&single)?);
        }
        found.lists += 1;
        found.violated += u64::from(removable > 0);
        found.elements += removable;
    }
    let result = search.best().render();
    let sweep = Setting::tree("hdd+", MinimizerKind::Ddmin);
    let mut failed = None;
    let swept =
        Reducer::new(result).name(input.path()).method(sweep.method()).minimizer(sweep.minimizer()).run(
            |candidate| {
                input.is_interesting(candidate).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                })
            },
        );
    failed.map_or(Ok(()), Err)?;
    let report = swept?.report;
    found.runs += 1;
    found.runs_left += u64::from(report.after.tokens < report.before.tokens);
    Ok(found)
}

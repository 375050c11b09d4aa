//! Whether the lists of a reduction are 1-minimal when they are over.

use std::collections::HashMap;

use dwindle::core::{Answer, Ask, ListQuestion, MinimizerKind, Outcome, Search, Subset};
use dwindle::driver::Candidate;
use dwindle::plan::{Options, Plan, plan};
use dwindle::read::read;
use dwindle::{Document, FrontEnd, Reducer};

use super::setting::Setting;
use super::subjects::Subject;

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Violations {
    /// Lists that were searched to their end.
    pub(crate) lists: u64,
    /// Those of which a single element could still be deleted, and how many of their elements could.
    pub(crate) violated: u64,
    pub(crate) elements: u64,
    /// Runs, and those whose result a sweep over all nodes makes smaller.
    pub(crate) runs: u64,
    pub(crate) runs_left: u64,
}

impl Violations {
    pub(crate) fn add(&mut self, other: &Self) {
        self.lists += other.lists;
        self.violated += other.violated;
        self.elements += other.elements;
        self.runs += other.runs;
        self.runs_left += other.runs_left;
    }
}

/// Runs `setting` on `subject`, and tries each element alone that a list leaves. Nothing of that is kept.
pub(crate) fn audit(subject: &Subject, setting: &Setting) -> anyhow::Result<Violations> {
    let document = Document::file(&subject.name, 0o644, subject.bytes.clone());
    let mut options = Options::new(setting.method());
    options.minimizer = setting.minimizer();
    let Plan { mut search, front_end, .. } = plan(&document, &options);
    let mut known: HashMap<Vec<u8>, bool> = HashMap::new();
    let mut is_interesting = |candidate: &Candidate| match known.get(&candidate.bytes) {
        Some(&known) => known,
        None => {
            let yes = subject.is_interesting(&candidate.bytes);
            known.insert(candidate.bytes.clone(), yes);
            yes
        }
    };
    let mut found = Violations { runs: 1, ..Violations::default() };
    loop {
        let variant = match search.ask() {
            Ask::Done => break,
            Ask::Parse(variant, shape) => {
                let front_end = front_end.unwrap_or(FrontEnd::Brackets);
                search.tell(read(variant.render(), shape, front_end));
                continue;
            }
            Ask::Test(variant) => variant,
        };
        let (candidate, base) = (Candidate::new(&variant), Candidate::new(search.best()));
        let accepted = is_interesting(&candidate) && candidate.is_smaller_than(&base);
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
        let single = left.iter().filter_map(without);
        let removable =
            single.filter(|single| single.is_smaller_than(&base) && is_interesting(single)).count() as u64;
        found.lists += 1;
        found.violated += u64::from(removable > 0);
        found.elements += removable;
    }
    let result = search.best().render();
    let sweep = Setting::tree("hdd+", MinimizerKind::Ddmin);
    let swept = Reducer::new(result)
        .name(&subject.name)
        .method(sweep.method())
        .minimizer(sweep.minimizer())
        .run(|candidate| subject.is_interesting(candidate))?;
    found.runs_left += u64::from(swept.report.after.tokens < swept.report.before.tokens);
    Ok(found)
}

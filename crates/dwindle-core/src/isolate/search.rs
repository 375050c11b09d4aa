//! The differences of two texts, and the search for those that matter.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::any::{Algorithm, AnyIsolator};
use super::isolator::Isolator;
use crate::{
    Answer, AnyMinimizer, Ask, EmptyPolicy, Minimizer, MinimizerConfig, MinimizerKind, Outcome, Pieces,
    Search, Subset, Text, Variant, WithEmpty,
};

/// A difference of two texts: what lies in `old` of the one is what lies in `new` of the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delta {
    /// Bytes of the text that passes.
    pub old: Range<usize>,
    /// Bytes of the text that fails.
    pub new: Range<usize>,
}

/// How differences are put together before they are looked at one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// What the groups are, for people.
    pub name: &'static str,
    /// Behind which difference each group ends. The groups of a level are parts of those of the level before.
    pub ends: Vec<u32>,
}

/// The differences of two texts, over one text that holds both.
#[derive(Clone, Debug)]
pub struct Differences {
    text: Arc<Text>,
    /// The pieces that both texts have.
    common: Subset,
    /// The pieces that only the one has and only the other, for each difference that has such.
    own: Vec<[Option<u32>; 2]>,
    levels: Vec<Level>,
}

impl Differences {
    /// The `deltas` from `old` to `new`, which are in order and leave nothing out, and what they are put together to,
    /// the coarsest level first.
    pub fn new(old: &[u8], new: &[u8], deltas: &[Delta], levels: Vec<Level>) -> Self {
        let (mut bytes, mut starts) = (Vec::with_capacity(old.len() + new.len()), Vec::new());
        let mut piece = |part: &[u8]| {
            (!part.is_empty()).then(|| {
                starts.push(bytes.len() as u32);
                bytes.extend_from_slice(part);
                starts.len() as u32 - 1
            })
        };
        let (mut own, mut common, mut end) = (Vec::with_capacity(deltas.len()), Vec::new(), 0);
        for delta in deltas {
            common.extend(piece(&old[end..delta.old.start]));
            own.push([piece(&old[delta.old.clone()]), piece(&new[delta.new.clone()])]);
            end = delta.old.end;
        }
        common.extend(piece(&old[end..]));
        let text = Text::new(bytes, Pieces::Starts(starts));
        let mut subset = Subset::empty(text.len());
        subset.insert_all(common.into_iter().map(|piece| piece as usize));
        Self { text: text.into(), common: subset, own, levels }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// Whether the texts are the same.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// How they are put together.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The text that passes with these differences.
    pub fn apply(&self, applied: &Subset) -> Variant {
        let mut kept = self.common.clone();
        let piece =
            |(difference, own): (usize, &[Option<u32>; 2])| own[usize::from(applied.contains(difference))];
        kept.insert_all(self.own.iter().enumerate().filter_map(piece).map(|piece| piece as usize));
        Variant { kept, ..Variant::whole(self.text.clone()) }
    }

    /// The groups of a level.
    fn groups(&self, level: usize) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let ends = self.levels[level].ends.iter().map(|&end| end as usize);
        ends.map(move |end| core::mem::replace(&mut start, end)..end)
    }
}

/// Looks for two variants of near texts, one that passes and one that fails, as an [`Isolator`] of the groups of one
/// level after the other.
///
/// Where the variant that passes is not the text that does, the difference alone is tried on that at the end
/// of each level: if it fails there, the search goes on between the text and that. What is left in the variant that
/// passes after the last level is minimised, too, while it passes and the difference makes it fail; then the difference
/// is searched once more, should there be several and something have gone.
///
/// The difference is 1-minimal in the groups of the last level, as far as the isolator's is.
#[derive(Clone, Debug)]
pub struct IsolateSearch {
    differences: Arc<Differences>,
    algorithm: Algorithm,
    level: usize,
    /// The differences of what passes and of what fails.
    passing: Subset,
    failing: Subset,
    /// The variant that fails.
    base: Variant,
    machine: AnyIsolator,
    /// What the machine chooses from, and the differences that all its candidates have.
    groups: Arc<[Range<usize>]>,
    below: Subset,
    /// How much passed before it was minimised.
    before_needs: usize,
    /// Chooses from the same groups, of which it is to keep what the difference needs.
    needs: Option<WithEmpty<AnyMinimizer>>,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// What the machine asks.
    Isolating,
    /// Whether the difference alone fails.
    Alone,
    /// Whether the difference fails with less of what passes.
    Fails,
    /// Whether that passes without it.
    Passes,
    Done,
}

impl IsolateSearch {
    /// The label while what the difference needs is minimised.
    pub const NEEDS: &'static str = "what it needs";

    /// A search from the text that passes and the one that fails; there is a difference and a level.
    pub fn new(differences: Arc<Differences>, algorithm: Algorithm) -> Self {
        let all = Subset::full(differences.len());
        let mut search = Self {
            algorithm,
            level: 0,
            passing: Subset::empty(differences.len()),
            base: differences.apply(&all),
            failing: all,
            machine: algorithm.start(0),
            groups: Arc::new([]),
            below: Subset::empty(differences.len()),
            before_needs: 0,
            needs: None,
            state: State::Isolating,
            differences,
        };
        search.isolate();
        search
    }

    /// The differences of the variant that passes.
    pub fn passing(&self) -> &Subset {
        &self.passing
    }

    /// The differences of the variant that fails.
    pub fn failing(&self) -> &Subset {
        &self.failing
    }

    /// Begins with the groups of this level.
    fn isolate(&mut self) {
        let open = self.failing.without(&self.passing);
        // It has each of them whole or not at all.
        self.groups =
            self.differences.groups(self.level).filter(|group| open.contains(group.start)).collect();
        self.machine = self.algorithm.start(self.groups.len());
        self.below = self.passing.clone();
        self.state = State::Isolating;
        self.settle();
    }

    /// Goes on when the machine has come to its end.
    fn settle(&mut self) {
        let last = self.level + 1 == self.differences.levels.len();
        match self.state {
            State::Isolating if self.machine.ask().is_some() => {}
            State::Isolating if !self.passing.is_empty() => self.state = State::Alone,
            State::Isolating | State::Alone if !last => {
                self.level += 1;
                self.isolate();
            }
            State::Isolating | State::Done => self.state = State::Done,
            State::Alone => {
                self.before_needs = self.passing.len();
                self.level = 0;
                self.need();
            }
            State::Fails | State::Passes
                if self.needs.as_ref().is_some_and(|needs| needs.ask().is_some()) =>
            {
                self.state = State::Fails;
            }
            State::Fails | State::Passes if !last => {
                self.level += 1;
                self.need();
            }
            State::Fails | State::Passes if self.is_one() || self.passing.len() == self.before_needs => {
                self.state = State::Done;
            }
            State::Fails | State::Passes => self.isolate(),
        }
    }

    /// Whether the difference is a single one.
    fn is_one(&self) -> bool {
        self.failing.len() == self.passing.len() + 1
    }

    /// Begins to take groups of this level from what passes.
    fn need(&mut self) {
        let groups = self.differences.groups(self.level);
        let has_some = |group: &Range<usize>| self.passing.count(group.clone()) > 0;
        self.groups = groups.filter(has_some).collect();
        self.below = self.passing.clone();
        let machine =
            MinimizerConfig::new(MinimizerKind::Splitting).start(&alloc::vec![1; self.groups.len()]);
        self.needs = Some(WithEmpty::new(machine, EmptyPolicy::TestLast));
        self.state = State::Fails;
        self.settle();
    }

    /// What passes of the groups that are needed.
    fn needed(&self) -> Option<Subset> {
        let chosen = self.needs.as_ref()?.ask()?;
        let mut needed = Subset::empty(self.below.universe());
        needed.insert_all(self.differences_in(&chosen).filter(|&at| self.below.contains(at)));
        Some(needed)
    }

    /// These and the difference.
    fn and_difference(&self, mut differences: Subset) -> Subset {
        differences.insert_all(self.failing.without(&self.passing).iter());
        differences
    }

    /// What the question is about.
    fn candidate(&self) -> Option<Subset> {
        match self.state {
            State::Isolating => self.machine.ask().map(|chosen| self.with(&chosen)),
            State::Alone => Some(self.failing.without(&self.passing)),
            State::Fails => self.needed().map(|needed| self.and_difference(needed)),
            State::Passes => self.needed(),
            State::Done => None,
        }
    }

    /// The differences of all candidates, and those of the chosen groups.
    fn with(&self, chosen: &Subset) -> Subset {
        let mut all = self.below.clone();
        all.insert_all(self.differences_in(chosen));
        all
    }

    fn differences_in(&self, chosen: &Subset) -> impl Iterator<Item = usize> {
        chosen.iter().flat_map(|group| self.groups[group].clone())
    }
}

impl Search for IsolateSearch {
    fn ask(&self) -> Ask {
        self.candidate().map_or(Ask::Done, |candidate| Ask::Test(self.differences.apply(&candidate)))
    }

    fn tell(&mut self, answer: Answer) {
        let (Answer::Outcome(outcome), Some(candidate)) = (&answer, self.candidate()) else {
            panic!("{answer:?} does not answer {:?}", self.state)
        };
        let before = self.failing.clone();
        match self.state {
            State::Isolating => {
                self.machine.tell(*outcome);
                self.passing = self.with(self.machine.passing());
                self.failing = self.with(self.machine.failing());
            }
            State::Alone if outcome.is_interesting() => {
                self.passing = Subset::empty(self.differences.len());
                self.failing = candidate;
            }
            State::Fails if outcome.is_interesting() => {
                self.state = State::Passes;
                return;
            }
            State::Passes if *outcome == Outcome::Uninteresting => {
                self.failing = self.and_difference(candidate.clone());
                self.passing = candidate;
                self.needs.iter_mut().for_each(|needs| needs.tell(Outcome::Interesting));
            }
            State::Fails | State::Passes => {
                self.needs.iter_mut().for_each(|needs| needs.tell(Outcome::Uninteresting));
            }
            State::Alone | State::Done => {}
        }
        if self.failing != before {
            self.base = self.differences.apply(&self.failing);
        }
        match self.state {
            State::Alone if *outcome == Outcome::Interesting => self.isolate(),
            _ => self.settle(),
        }
    }

    fn best(&self) -> &Variant {
        &self.base
    }

    fn label(&self) -> &'static str {
        match self.state {
            State::Alone => "the difference alone",
            State::Fails | State::Passes => Self::NEEDS,
            _ => self.differences.levels[self.level].name,
        }
    }

    fn wants_smaller(&self) -> bool {
        false
    }
}

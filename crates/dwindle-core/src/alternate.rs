//! Deletion by two readings of one text in turns: by its grammar, and by its brackets, lines and indentation.
//!
//! A grammar may misread a text in places: a macro, a dialect, an attribute that it does not know. There the tree
//! is wrong, and so are the scopes of all names inside. And where the test needs no valid text, closures by names
//! take too much along. What one reading leaves, the other often takes at once; which of them does, and where in
//! the reduction, only the answers show. So two [`LinkedSearch`]es, one for each reading, work on one text:
//!
//! - The grammar gets a *stretch* of questions, and then the brackets a short one. A stretch that takes a good part of the
//!   text is followed by another; of brackets that is asked more.
//! - The stretches of the grammar double as long as its questions win more than those of the brackets. Long stretches of
//!   brackets win little: what only they can take is gone after a few questions.
//! - Once the grammar has nothing more to ask, a stretch of brackets that wins nothing is the last.
//! - A search that waits goes on where it was, with what it knew then. If the text has changed, it reads that and begins
//!   anew, and does not ask what the search before it knows to be refused, whichever reading proposed it.
//! - When a large text has shrunk to an eighth, both forget what they learned, and the turns begin anew. Where a grammar reads
//!   well, what is learned of names holds, so a search alone forgets nothing.
//! - Small texts are left to the grammar: passes look at every token of them anyway.

use alloc::sync::Arc;
use core::mem;

use crate::memory::Memory;
use crate::tuning::TurnTuning;
use crate::{Answer, Ask, Evidence, LinkedSearch, ListQuestion, Search, Shape, Subset, Tree, Variant};

/// The search; see the [module](self).
#[derive(Clone, Debug)]
pub struct AlternatingSearch {
    tuning: TurnTuning,
    /// Whose turn it is, by its position in [`SHAPES`].
    now: usize,
    search: Arc<LinkedSearch>,
    /// The other as it was left; nothing before its first turn, or where the text has changed since.
    waiting: Option<Arc<LinkedSearch>>,
    /// Questions of the grammar's next stretch.
    stretch: u32,
    /// How much of the text a question of the last stretch by brackets took, in millionths; nothing before.
    brackets_won: Option<u64>,
    /// Tokens when the stretch began, and questions since.
    began: u64,
    asked: u32,
}

/// How each of them reads.
const SHAPES: [Shape; 2] = [Shape::Tree, Shape::Brackets];

/// The position of the one that reads by the grammar. It comes first.
const GRAMMAR: usize = 0;

impl AlternatingSearch {
    /// Goes on with `search`, which has the tree of the grammar, and another like it.
    pub fn new(search: LinkedSearch) -> Self {
        Self::of(Arc::new(search.forgetting()), GRAMMAR)
    }

    /// Begins with `search`, whose turn it is, and nothing known of the other.
    fn of(search: Arc<LinkedSearch>, now: usize) -> Self {
        let tuning = search.tuning().turns;
        let (stretch, began) = (tuning.stretch, tokens(search.best()));
        Self { tuning, now, search, waiting: None, stretch, brackets_won: None, began, asked: 0 }
    }

    pub(crate) fn tree(&self) -> &Arc<Tree> {
        self.search.tree()
    }

    pub(crate) fn memory(&self) -> &Memory {
        self.search.memory()
    }

    /// Begins again with `best`, which the grammar reads first, with what is known to be refused in it.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        Arc::make_mut(&mut self.search).restart(best, memory);
        self.waiting = None;
        self.begin_turn(GRAMMAR);
    }

    fn begin_turn(&mut self, now: usize) {
        (self.now, self.began, self.asked) = (now, tokens(self.search.best()), 0);
    }

    /// It is the other's turn.
    fn switch(&mut self) {
        let next = self.waiting.take().unwrap_or_else(|| {
            let mut next = (*self.search).clone();
            next.restart(self.search.best().clone(), Some(self.search.memory().clone()));
            Arc::new(next)
        });
        self.waiting = Some(mem::replace(&mut self.search, next));
        self.begin_turn(1 - self.now);
    }

    /// Decides whose turn it is when a search has come to a rest.
    fn settle(&mut self) {
        let Some(is_over) = self.search.is_over() else { return };
        let (stretch, goes_on) = match self.now {
            GRAMMAR => (self.stretch, self.tuning.goes_on),
            _ => (self.tuning.stretch, self.tuning.brackets_go_on),
        };
        if !is_over && (self.asked < stretch || !self.search.is_at_rest()) {
            return;
        }
        let left = tokens(self.search.best());
        let taken = self.began.saturating_sub(left);
        let gives_way = is_over || taken * 100 < self.began * goes_on;
        let won = taken * 1_000_000 / self.began.max(1) / u64::from(self.asked.max(1));
        if self.now == GRAMMAR {
            let is_better = self.brackets_won.is_some_and(|brackets| won > brackets);
            self.stretch = if is_better { stretch.saturating_mul(2) } else { self.tuning.stretch };
        } else {
            self.brackets_won = Some(won);
        }
        (self.began, self.asked) = (left, 0);
        let switches = match (&self.waiting, self.now) {
            (_, GRAMMAR) if left < self.tuning.fewest => false,
            (Some(brackets), GRAMMAR) if brackets.is_over() == Some(true) => false,
            (Some(_), GRAMMAR) => !is_over || self.brackets_won != Some(0),
            _ => true,
        };
        if gives_way && switches {
            self.switch();
        }
    }
}

fn tokens(variant: &Variant) -> u64 {
    variant.tokens().unwrap_or(0)
}

impl Search for AlternatingSearch {
    fn ask(&self) -> Ask {
        match self.search.ask() {
            Ask::Parse(variant, Shape::Tree) => Ask::Parse(variant, SHAPES[self.now]),
            ask => ask,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let is_outcome = matches!(answer, Answer::Outcome(_) | Answer::Refused(_));
        let before = is_outcome.then(|| self.search.best().clone());
        let learned_since = self.search.learns_since();
        Arc::make_mut(&mut self.search).tell(answer);
        let forgot = |since| self.search.learns_since().is_some_and(|now| now != since);
        if learned_since.is_some_and(forgot) {
            *self = Self::of(self.search.clone(), self.now);
        }
        self.asked += u32::from(is_outcome);
        if before.is_some_and(|before| before != *self.search.best()) {
            self.waiting = None;
        }
        self.settle();
    }

    fn best(&self) -> &Variant {
        self.search.best()
    }

    fn label(&self) -> &'static str {
        if self.now == GRAMMAR { self.search.label() } else { "brackets and lines" }
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.search.learns_from(evidence)
    }

    fn list(&self) -> Option<ListQuestion> {
        self.search.list()
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        self.search.with_elements(kept)
    }
}

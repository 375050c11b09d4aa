//! Deletion by two readings of one text in turns: by its grammar, and by its brackets, lines and indentation.
//!
//! A grammar may misread a text in places: a macro, a dialect, an attribute that it does not know. There the tree
//! is wrong, and so are the scopes of all names inside. And where the test needs no valid text, closures by names
//! take too much along. What one reading leaves, the other often takes at once; which of them does, and where in
//! the reduction, only the answers show. So two [`LinkedSearch`]es, one for each reading, work on one text:
//!
//! - A search goes on as long as a *stretch* of questions takes a good part of the text. Otherwise it is the other's turn.
//! - The search that won more in its last stretch gets a stretch twice as long each time, the other a short one. So a reading
//!   that wins nothing costs few questions, and one that begins to win is noticed.
//! - What was refused is known to both: a set of tokens is asked about once, whichever reading proposes it.
//! - A search that waits goes on where it was, unless the text has changed; then it reads that.
//! - Small texts are left to the grammar: passes look at every token of them anyway.

use alloc::sync::Arc;

use crate::memory::Memory;
use crate::tuning::TurnTuning;
use crate::{Answer, Ask, Evidence, LinkedSearch, ListQuestion, Search, Shape, Subset, Variant};

/// The search; see the [module](self).
#[derive(Clone, Debug)]
pub struct AlternatingSearch {
    tuning: TurnTuning,
    turns: [Turn; 2],
    /// Whose turn it is.
    now: usize,
    /// What is to be read for it, with what is known to be refused in that.
    reading: Option<(Variant, Option<Arc<Memory>>)>,
    /// Whether the grammar could not read what the other left.
    is_unreadable: bool,
    /// Tokens when the stretch began, and questions since.
    began: u64,
    asked: u32,
}

/// One of the searches.
#[derive(Clone, Debug)]
struct Turn {
    /// As it was left; nothing before its first turn.
    search: Option<Arc<LinkedSearch>>,
    /// Whether the text has changed since.
    is_stale: bool,
    /// How much of the text a question of its last stretch took, in millionths; nothing before.
    won: Option<u64>,
    /// Questions of its next stretch.
    stretch: u32,
}

/// How each of them reads: the grammar comes first.
const SHAPES: [Shape; 2] = [Shape::Tree, Shape::Brackets];

impl AlternatingSearch {
    /// Goes on with `search`, which has the tree of the grammar, and another like it.
    pub fn new(search: LinkedSearch) -> Self {
        let tuning = search.tuning().turns;
        let turn = Turn { search: None, is_stale: true, won: None, stretch: tuning.stretch };
        let began = tokens(search.best());
        let first = Turn { search: Some(Arc::new(search)), is_stale: false, ..turn.clone() };
        Self { tuning, turns: [first, turn], now: 0, reading: None, is_unreadable: false, began, asked: 0 }
    }

    fn search(&self) -> Option<&LinkedSearch> {
        self.turns[self.now].search.as_deref()
    }

    /// What is known to be refused.
    pub(crate) fn memory(&self) -> Option<&Memory> {
        match &self.reading {
            Some((_, memory)) => memory.as_deref(),
            None => self.search().map(LinkedSearch::memory),
        }
    }

    /// Begins again with `best`, which the grammar reads first, with what is known to be refused in it.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        self.turns.iter_mut().for_each(|turn| turn.is_stale = true);
        self.begin_turn(0, best, memory.map(Arc::new));
    }

    fn begin_turn(&mut self, now: usize, best: Variant, memory: Option<Arc<Memory>>) {
        (self.now, self.began, self.asked) = (now, tokens(&best), 0);
        if self.turns[now].is_stale {
            self.reading = Some((best, memory));
        }
    }

    /// It is the other's turn.
    fn switch(&mut self) {
        let Some(search) = self.search() else { return };
        let (best, memory) = (search.best().clone(), Arc::new(search.memory().clone()));
        self.begin_turn(1 - self.now, best, Some(memory));
    }

    /// Decides whose turn it is when a search has come to a rest.
    fn settle(&mut self) {
        let Some(search) = self.search().filter(|_| self.reading.is_none()) else { return };
        let (left, is_over) = (tokens(search.best()), search.is_over());
        if !is_over && (self.asked < self.turns[self.now].stretch || !search.is_at_rest()) {
            return;
        }
        let taken = self.began.saturating_sub(left);
        let won = taken * 1_000_000 / self.began.max(1) / u64::from(self.asked.max(1));
        let other = 1 - self.now;
        let others = self.turns[other].won;
        let is_good = taken * 100 >= self.began * self.tuning.goes_on;
        let turn = &mut self.turns[self.now];
        turn.won = Some(won);
        (self.began, self.asked) = (left, 0);
        let is_better = others.is_some_and(|others| won > others);
        turn.stretch = if is_better { turn.stretch.saturating_mul(2) } else { self.tuning.stretch };
        let is_small = left < self.tuning.fewest;
        let waits = &self.turns[other];
        let has_more = waits.is_stale || waits.search.as_ref().is_some_and(|search| !search.is_over());
        let switches = match (self.now, is_over) {
            (0, true) => has_more && !is_small,
            (_, true) => has_more,
            (0, false) => !is_small && !is_good && has_more,
            (_, false) => is_small || !is_good && has_more,
        };
        if switches {
            self.switch();
        }
    }
}

fn tokens(variant: &Variant) -> u64 {
    variant.tokens().unwrap_or(0)
}

impl Search for AlternatingSearch {
    fn ask(&self) -> Ask {
        if self.is_unreadable {
            return Ask::Done;
        }
        let shape = SHAPES[self.now];
        match (&self.reading, self.search()) {
            (Some((best, _)), _) => Ask::Parse(best.clone(), shape),
            (None, Some(search)) => match search.ask() {
                Ask::Parse(variant, Shape::Tree) => Ask::Parse(variant, shape),
                ask => ask,
            },
            (None, None) => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (self.reading.take(), answer) {
            (Some((best, memory)), Answer::Tree(tree)) => {
                let like = self.turns[self.now].search.as_ref().or(self.turns[1 - self.now].search.as_ref());
                let search =
                    like.map(|like| Arc::new(like.anew(&best, tree, memory.map(Arc::unwrap_or_clone))));
                let turn = &mut self.turns[self.now];
                (turn.search, turn.is_stale) = (search, false);
            }
            (Some((best, memory)), Answer::Unreadable(_)) => {
                self.reading = Some((best, memory));
                self.is_unreadable = true;
            }
            (Some(_), answer) => panic!("{answer:?} is no tree"),
            (None, answer) => {
                let is_outcome = matches!(answer, Answer::Outcome(_) | Answer::Refused(_));
                self.asked += u32::from(is_outcome);
                let Some(search) = &mut self.turns[self.now].search else { return };
                let before = search.best().clone();
                Arc::make_mut(search).tell(answer);
                let has_changed = *search.best() != before;
                self.turns[1 - self.now].is_stale |= is_outcome && has_changed;
            }
        }
        self.settle();
    }

    fn best(&self) -> &Variant {
        match (&self.reading, self.search()) {
            (Some((best, _)), _) => best,
            (None, search) => search.expect("a search has had a turn").best(),
        }
    }

    fn label(&self) -> &'static str {
        self.search().map_or("reading", Search::label)
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.reading.is_none() && self.search().is_some_and(|search| search.learns_from(evidence))
    }

    fn list(&self) -> Option<ListQuestion> {
        self.search().filter(|_| self.reading.is_none())?.list()
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        self.search().filter(|_| self.reading.is_none())?.with_elements(kept)
    }
}

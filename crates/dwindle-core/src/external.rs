//! Help from outside: programs that offer smaller texts in place of what a search has come to.

use alloc::sync::Arc;

use crate::{
    Answer, AnySearch, Ask, Evidence, ListQuestion, Offers, Origin, Request, Search, Shape, Subset, Variant,
};

/// Runs a search to its end, then asks one helper after the other for what may stand in place of the
/// result. What is taken is the next variant to be asked about. When no helper offers anything any more that
/// is taken, the search goes on with what is left; all is over when neither finds anything.
///
/// Without helpers it is the search.
#[derive(Clone, Debug)]
pub struct ExternalSearch {
    search: AnySearch,
    /// For each helper, the text in place of which it offers nothing that is taken; the last one is the
    /// text in which the search finds nothing.
    exhausted: Arc<[Option<Arc<[u8]>>]>,
    phase: Phase,
    /// What was best when the search was last at its end, or was found since.
    best: Arc<Variant>,
    helper: usize,
    /// The number of the next offer, and whether all of them before it were refused for this variant.
    from: u32,
    from_first: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    Searching,
    /// A helper is asked.
    Asking,
    /// The offer at this place is tested.
    Trying(Arc<Offers>, usize),
    Done,
}

impl ExternalSearch {
    /// Runs `search`, and asks so many helpers.
    pub fn new(search: AnySearch, helpers: usize) -> Self {
        let best = search.best().clone().into();
        let exhausted = alloc::vec![None; helpers + 1].into();
        let phase = Phase::Searching;
        let (helper, from, from_first) = (helpers, 0, true);
        let mut search = Self { search, exhausted, phase, best, helper, from, from_first };
        search.settle();
        search
    }

    /// How many candidates [its search](AnySearch::held_back) held back.
    pub fn held_back(&self) -> u64 {
        self.search.held_back()
    }

    /// The search, while it searches.
    fn searching(&self) -> Option<&AnySearch> {
        matches!(self.phase, Phase::Searching).then_some(&self.search)
    }

    fn helpers(&self) -> usize {
        self.exhausted.len() - 1
    }

    /// Goes on when the search, or what was offered, is at its end.
    fn settle(&mut self) {
        match &self.phase {
            Phase::Searching if self.helpers() == 0 => {}
            Phase::Searching if matches!(self.search.ask(), Ask::Done) => {
                self.best = self.search.best().clone().into();
                self.helper = self.helpers();
                self.take_turns(true);
            }
            Phase::Trying(offers, at) if *at == offers.texts.len() => match offers.next {
                Some(next) => {
                    self.from = next;
                    self.phase = Phase::Asking;
                }
                None => self.take_turns(self.from_first),
            },
            _ => {}
        }
    }

    /// Takes note of whether there is nothing more to be had here, and goes on where there may be.
    fn take_turns(&mut self, exhausted: bool) {
        let best: Arc<[u8]> = self.best.render().into();
        if exhausted {
            Arc::make_mut(&mut self.exhausted)[self.helper] = Some(best.clone());
        }
        let helpers = self.helpers();
        // The one behind this comes first; behind the search that is the first of them.
        let next = self.helper + usize::from(self.helper < helpers);
        let others = (next..next + helpers).map(|turn| turn % helpers);
        let is_open = |&turn: &usize| self.exhausted[turn].as_ref() != Some(&best);
        match others.chain([helpers]).find(is_open) {
            None => self.phase = Phase::Done,
            Some(turn) if turn == helpers => {
                self.search.restart((*self.best).clone(), None);
                self.phase = Phase::Searching;
            }
            Some(helper) => {
                (self.helper, self.from, self.from_first) = (helper, 0, true);
                self.phase = Phase::Asking;
            }
        }
    }
}

impl Search for ExternalSearch {
    fn ask(&self) -> Ask {
        let request = || Request { helper: self.helper as u32, from: self.from };
        match &self.phase {
            Phase::Searching => self.search.ask(),
            Phase::Asking => Ask::Parse((*self.best).clone(), Shape::Offers(request())),
            Phase::Trying(offers, at) => Ask::Test(Variant::whole(offers.texts[*at].1.clone())),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (&mut self.phase, answer) {
            (Phase::Searching, answer) => self.search.tell(answer),
            (Phase::Asking, Answer::Offers(offers)) => self.phase = Phase::Trying(offers, 0),
            (Phase::Trying(offers, at), Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    let (number, text) = &offers.texts[*at];
                    self.best = Variant::whole(text.clone()).into();
                    (self.from, self.from_first) = (*number, *number == 0);
                    self.phase = Phase::Asking;
                } else {
                    *at += 1;
                }
            }
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
        self.settle();
    }

    fn skip(&mut self) -> bool {
        matches!(self.phase, Phase::Searching) && self.search.skip() && {
            self.settle();
            true
        }
    }

    fn best(&self) -> &Variant {
        self.searching().map_or(&self.best, Search::best)
    }

    fn label(&self) -> &'static str {
        self.searching().map_or("external", Search::label)
    }

    fn origin(&self) -> Origin {
        self.searching().map_or(Origin::Helper, Search::origin)
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.searching().is_some_and(|search| search.learns_from(evidence))
    }

    fn list(&self) -> Option<ListQuestion> {
        self.searching()?.list()
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        self.searching()?.with_elements(kept)
    }
}

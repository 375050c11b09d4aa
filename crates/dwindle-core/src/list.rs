//! The list reducer: one list minimiser after the other over ever finer pieces of the input.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::memory::Memory;
use crate::open_list::OpenList;
use crate::{
    Answer, Ask, EmptyPolicy, Format, ListQuestion, Minimizer, MinimizerConfig, Search, Shape, Subset, Text,
    Variant,
};

/// What a [`ListSearch`] does.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The formats, from the coarsest to the finest.
    pub formats: Vec<Format>,
    /// The minimiser that searches each list.
    pub minimizer: MinimizerConfig,
}

/// Reduces the input as a list of lines, say, then what is left as a list of tokens, until a whole
/// round over all formats changes nothing; or the pieces of a text that was cut by somebody else, once.
///
/// The result is 1-minimal in the pieces of the last format if the minimiser's result is.
#[derive(Clone, Debug)]
pub struct ListSearch {
    plan: Arc<Plan>,
    /// Which of the formats is being searched, and whether anything went since the first of them.
    stage: usize,
    changed: bool,
    best: Variant,
    /// How many lists were begun.
    lists: u32,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Waits for the pieces of the best variant.
    Cutting,
    Minimizing(OpenList<u32>),
    Done,
}

impl ListSearch {
    /// A search from `input`, whose pieces in the first format it will ask for.
    pub fn new(input: Arc<Text>, plan: Plan) -> Self {
        Self {
            plan: Arc::new(plan),
            stage: 0,
            changed: false,
            best: Variant::whole(input),
            lists: 0,
            state: State::Cutting,
        }
    }

    /// A search of the pieces of `items` as they are, which asks what the minimiser asks of such a list.
    pub fn of_pieces(items: Arc<Text>, minimizer: MinimizerConfig) -> Self {
        let mut search = Self::new(items.clone(), Plan { formats: Vec::new(), minimizer });
        search.minimize(items);
        search.settle();
        search
    }

    fn minimize(&mut self, text: Arc<Text>) {
        self.lists += 1;
        let pieces = (0..).zip(text.weights());
        self.state =
            State::Minimizing(OpenList::new(self.lists, pieces, self.plan.minimizer, EmptyPolicy::TestLast));
        self.best = Variant::whole(text);
    }

    pub(crate) fn restart(&mut self, best: Variant, _: Option<Memory>) {
        // What others have cut cannot be cut again.
        let state = if self.plan.formats.is_empty() { State::Done } else { State::Cutting };
        (self.stage, self.changed, self.best, self.state) = (0, false, best, state);
    }

    /// Goes on to the next format when the minimiser is done.
    fn settle(&mut self) {
        if !matches!(&self.state, State::Minimizing(list) if list.search.ask().is_none()) {
            return;
        }
        self.stage += 1;
        self.state = State::Cutting;
        if self.stage >= self.plan.formats.len() {
            if !self.changed || self.plan.formats.is_empty() {
                self.state = State::Done;
            }
            (self.stage, self.changed) = (0, false);
        }
    }
}

impl Search for ListSearch {
    fn ask(&self) -> Ask {
        match &self.state {
            State::Cutting => Ask::Parse(self.best.clone(), Shape::Pieces(self.plan.formats[self.stage])),
            State::Minimizing(list) => {
                list.search.ask().map_or(Ask::Done, |kept| Ask::Test(Variant { kept, ..self.best.clone() }))
            }
            State::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (&mut self.state, answer) {
            (State::Cutting, Answer::Text(text)) => self.minimize(text),
            (State::Minimizing(list), Answer::Outcome(outcome)) => {
                if let Some(kept) = list.search.ask().filter(|_| outcome.is_interesting()) {
                    self.changed = true;
                    self.best.kept = kept;
                }
                list.search.tell(outcome);
            }
            (state, answer) => panic!("{answer:?} does not answer {state:?}"),
        }
        self.settle();
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn list(&self) -> Option<ListQuestion> {
        if let State::Minimizing(list) = &self.state { list.question(|&piece| piece) } else { None }
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        Some(Variant { kept: kept.clone(), ..self.best.clone() })
    }

    fn label(&self) -> &'static str {
        match self.plan.formats.get(self.stage) {
            Some(Format::Bytes) => "bytes",
            Some(Format::Chars) => "characters",
            Some(Format::Lines) => "lines",
            Some(Format::Tokens) => "tokens",
            None => "items",
        }
    }
}

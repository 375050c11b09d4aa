//! A list that is being searched by a list minimiser, as a part of a search.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::{AnyMinimizer, EmptyPolicy, ListQuestion, Minimizer, MinimizerConfig, Subset, WithEmpty};

/// A list with the search of it.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<E> {
    /// Which of the lists of the whole search it is.
    number: u32,
    /// All elements, those that have gone too.
    pub(crate) elements: Arc<[E]>,
    /// How many tokens each had when the list began, at least one.
    weights: Arc<[u32]>,
    /// Chooses positions in the list.
    pub(crate) search: Box<WithEmpty<AnyMinimizer>>,
}

impl<E: Clone> OpenList<E> {
    /// Begins to search these elements, each with its weight.
    pub(crate) fn new(
        number: u32,
        elements: impl IntoIterator<Item = (E, u32)>,
        minimizer: MinimizerConfig,
        policy: EmptyPolicy,
    ) -> Self {
        let (elements, weights): (Vec<E>, Vec<u32>) = elements.into_iter().unzip();
        let search = Box::new(WithEmpty::new(minimizer.start(&weights), policy));
        Self { number, elements: elements.into(), weights: weights.into(), search }
    }

    /// The elements that the base has and `kept` has not.
    pub(crate) fn missing(&self, kept: &Subset) -> Vec<E> {
        self.search.best().without(kept).iter().map(|position| self.elements[position].clone()).collect()
    }

    /// What is asked, for whoever records the search; `number_of` tells what an element is.
    pub(crate) fn question(&self, number_of: impl Fn(&E) -> u32) -> Option<ListQuestion> {
        Some(ListQuestion {
            number: self.number,
            elements: self.elements.iter().map(number_of).collect(),
            weights: self.weights.clone(),
            best: self.search.best().clone(),
            kept: self.search.ask()?,
        })
    }
}

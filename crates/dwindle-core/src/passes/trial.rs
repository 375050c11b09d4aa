//! One pass over one tree: the search for those of its choices that can be taken.
//!
//! The first alternatives of all choices are searched first. Then come the second alternatives of the choices that were not
//! taken, and so on, and at the end parts of those that can be taken in part. A variant that is no smaller than the best is
//! refused without a question.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::choice::{Choice, Menu, Taken};
use super::pass::{Level, Pass};
use super::schedule::{ScheduledPass, Way};
use super::shorten;
use crate::edit::Change;
use crate::linked::{Links, SuccessBudget};
use crate::memory::{Context, Key, Memory};
use crate::minimizers::OneByOne;
use crate::screen::Screen;
use crate::{
    AnyMinimizer, Ask, EmptyPolicy, Minimizer, MinimizerConfig, Outcome, Subset, Tree, Tuning, Variant,
    WithEmpty,
};

/// A pass over one tree.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    tree: Arc<Tree>,
    menu: Menu,
    step: ScheduledPass,
    minimizer: MinimizerConfig,
    best: Variant,
    /// The alternatives that the best variant takes.
    taken: Vec<Taken>,
    /// Those of them that come before the alternatives that are being tried.
    earlier: Vec<Taken>,
    /// The choices before this one have been tried.
    first: usize,
    /// Which alternative of each choice is being tried.
    alternative: u32,
    /// The choices that have such an alternative and are not taken.
    open: Arc<[u32]>,
    /// The search for those of these choices that have to be left out.
    search: Box<WithEmpty<AnyMinimizer>>,
    question: Option<Variant>,
    /// After how many refusals in a row the pass is given up.
    patience: u32,
    /// How many there were last.
    refusals: u32,
    /// Whether the user has skipped the rest.
    skipped: bool,
    /// The alternatives that were refused by themselves.
    refused: Vec<Taken>,
    /// Those that were not asked about because they parse worse.
    held_back: Vec<Taken>,
    /// Of choices that are searched together, those that are known to be refused by themselves.
    known: Arc<Subset>,
    /// The most choices that were taken by one question.
    at_once: usize,
    filter: Filter,
}

/// Tells which variants are not worth a question.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    pub(super) links: Arc<Links>,
    /// How questions about variants with dangling references have fared.
    pub(super) dangling: SuccessBudget,
    pub(super) tuning: Tuning,
    /// The changes that were refused before.
    pub(super) memory: Arc<Memory>,
    /// Those that were held back before, each with its context.
    pub(super) held_back: Arc<BTreeSet<(Key, Context)>>,
    /// Holds back variants that parse worse than the best one. None where they are asked about.
    pub(super) screen: Option<Screen>,
}

impl Trial {
    /// The trial of `choices` over `tree`, without those that were refused before.
    pub(super) fn new(
        tree: Arc<Tree>,
        choices: Vec<Choice>,
        step: ScheduledPass,
        minimizer: MinimizerConfig,
        patience: u32,
        filter: Filter,
    ) -> Self {
        // A 1-minimality check is never given up.
        let patience = if step.again { u32::MAX } else { patience };
        let best = Variant::whole(tree.text().clone());
        let mut trial = Self {
            menu: Menu::new(tree.clone()),
            tree,
            step,
            minimizer,
            best,
            taken: Vec::new(),
            earlier: Vec::new(),
            first: 0,
            alternative: 0,
            open: Arc::new([]),
            search: Box::new(search_of(step.way, 0, minimizer)),
            question: None,
            patience,
            refusals: 0,
            skipped: false,
            refused: Vec::new(),
            held_back: Vec::new(),
            known: Arc::new(Subset::empty(0)),
            at_once: 0,
            filter,
        };
        trial.add(choices);
        trial.settle();
        trial
    }

    /// Goes on with these choices, without those that were refused before.
    fn add(&mut self, mut choices: Vec<Choice>) {
        if choices.is_empty() {
            return;
        }
        let (tree, links) = (self.tree.clone(), self.filter.links.clone());
        let Filter { memory, held_back, screen, .. } = &self.filter;
        let is_screened = screen.as_ref().is_some_and(Screen::knows_before);
        let kept = Subset::full(tree.text().len());
        // Whether a replacement fits does not depend on the tokens beside it.
        let replaces = matches!(self.step.pass, Pass::Replace | Pass::Merge);
        let is_known = |change: &Change| {
            let known = |key| {
                let context = memory.context(&tree, &kept, change);
                is_screened && held_back.contains(&(key, context))
                    || links.is_pointless(&tree, memory, key, (!replaces).then_some(context), change)
            };
            memory.key(&tree, change).is_some_and(known)
        };
        let searches_sets = self.step.again && self.step.way == Way::Together;
        let first = self.menu.choices().len();
        let mut known = Subset::empty(first + choices.len());
        for (index, choice) in choices.iter_mut().enumerate() {
            if searches_sets && choice.alternatives.iter().all(is_known) {
                known.insert(first + index);
            }
            let asks_again = self.step.again;
            choice
                .alternatives
                .retain(|change| change.is_possible(&tree) && (asks_again || !is_known(change)));
        }
        self.known = Arc::new(known);
        (self.alternative, self.first) = (0, self.menu.choices().len());
        self.menu.extend(choices);
        self.open();
    }

    /// The best variant, at first the whole tree.
    pub(super) fn best(&self) -> &Variant {
        &self.best
    }

    /// The tree, if nothing was taken.
    pub(super) fn unchanged(&self) -> Option<&Arc<Tree>> {
        self.taken.is_empty().then_some(&self.tree)
    }

    /// Remembers what was refused, what was held back, and what was taken.
    pub(super) fn remember(&self, memory: &mut Memory, held_back: &mut BTreeSet<(Key, Context)>) {
        let kept = Subset::full(self.tree.text().len());
        for &taken in &self.held_back {
            let change = self.menu.change(taken);
            let key = memory.key(&self.tree, change);
            held_back.extend(key.map(|key| (key, memory.context(&self.tree, &kept, change))));
        }
        for &taken in &self.refused {
            let change = self.menu.change(taken);
            if let Some(key) = memory.key(&self.tree, change) {
                memory.refuse(key, &self.tree, &kept, change);
            }
        }
        match self.taken.is_empty() {
            true => memory.know(),
            false => self.filter.links.accept(memory, &self.best),
        }
    }

    /// Whether it was given up after many refusals in a row.
    pub(super) fn is_given_up(&self) -> bool {
        self.step.way == Way::OneByOne && self.refusals >= self.patience
    }

    /// Asks nothing more.
    pub(super) fn skip(&mut self) {
        (self.question, self.skipped) = (None, true);
    }

    pub(super) fn is_skipped(&self) -> bool {
        self.skipped
    }

    /// Whether the parser saw syntax errors.
    pub(super) fn is_misread(&self) -> bool {
        self.tree.errors().is_some_and(|errors| errors > 0)
    }

    /// Whether one question took several choices.
    pub(super) fn took_several(&self) -> bool {
        self.at_once > 1
    }

    /// Whether there is nothing left to ask.
    pub(super) fn is_over(&self) -> bool {
        self.question.is_none()
    }

    pub(super) fn ask(&self) -> Option<Ask> {
        let question = self.question.as_ref()?;
        let errors = self.filter.screen.as_ref().and_then(|screen| screen.ask(&self.best, question));
        Some(errors.unwrap_or_else(|| Ask::Test(question.clone())))
    }

    /// How many variants were not asked about because they parse worse.
    pub(super) fn held_back_in_all(&self) -> u64 {
        self.filter.screen.as_ref().map_or(0, Screen::held_back)
    }

    /// How questions about variants with dangling references have fared.
    pub(super) fn dangling(&self) -> SuccessBudget {
        self.filter.dangling
    }

    /// Takes the number of syntax errors of the variant that the screen has asked about.
    pub(super) fn tell_errors(&mut self, errors: Option<u64>) {
        if self.filter.screen.as_mut().is_some_and(|screen| screen.tell(errors, &self.best)) {
            self.held_back.extend(self.asked_alone());
            self.advance(Outcome::Uninteresting);
        }
    }

    pub(super) fn tell(&mut self, outcome: Outcome) {
        if self.question.as_ref().is_some_and(|question| self.leaves_dangling(question)) {
            self.filter.dangling.note(outcome.is_interesting());
        }
        if !outcome.is_interesting() {
            self.refused.extend(self.asked_alone());
        }
        self.refusals = if outcome.is_interesting() { 0 } else { self.refusals + 1 };
        self.advance(outcome);
    }

    /// The choice that the question takes, if it is one alone.
    fn asked_alone(&self) -> Option<Taken> {
        let (_, taken) = self.menu.variant(self.taken_without(&self.search.ask()?));
        let mut new = taken.iter().filter(|taken| !self.taken.contains(taken));
        match (new.next(), new.next()) {
            (Some(&taken), None) => Some(taken),
            _ => None,
        }
    }

    /// Goes on with the outcome of the question, whether it was asked or not.
    fn advance(&mut self, outcome: Outcome) {
        let before = self.search.best().len();
        self.search.tell(outcome);
        if self.search.best().len() < before {
            let taken = self.taken.len();
            (self.best, self.taken) = self.menu.variant(self.taken_without(self.search.best()));
            self.at_once = self.at_once.max(self.taken.len().saturating_sub(taken));
        }
        if let Some(screen) = &mut self.filter.screen {
            screen.advance();
        }
        self.settle();
    }

    /// What is taken if all open choices are but those in `left`.
    fn taken_without(&self, left: &Subset) -> impl Iterator<Item = Taken> + '_ {
        let gone: Vec<u32> =
            (0..).zip(&*self.open).filter(|(i, _)| !left.contains(*i)).map(|(_, &choice)| choice).collect();
        self.earlier.iter().copied().chain(gone.into_iter().map(|choice| (choice, self.alternative)))
    }

    /// Opens the choices that have the alternative with the current number and are not taken.
    fn open(&mut self) {
        let choices = self.menu.choices();
        let mut taken = Subset::empty(choices.len());
        taken.insert_all(self.taken.iter().map(|&(choice, _)| choice as usize));
        let open = (self.first..choices.len())
            .filter(|&choice| !taken.contains(choice))
            .filter(|&choice| choices[choice].alternatives.len() > self.alternative as usize);
        self.open = open.map(|choice| choice as u32).collect();
        self.earlier = self.taken.clone();
        *self.search = search_of(self.step.way, self.open.len(), self.minimizer);
    }

    /// When there are no more alternatives, goes on with parts of choices.
    fn refine(&mut self) {
        if !self.open.is_empty() {
            return;
        }
        let choices = self.menu.choices();
        let mut left = Subset::full(choices.len());
        left.remove_range(0..self.first);
        left.remove_all(self.taken.iter().map(|&(choice, _)| choice));
        let tuning = &self.filter.tuning.passes;
        let finer = left.iter().flat_map(|choice| shorten::finer(self.tree.text(), &choices[choice], tuning));
        self.add(finer.collect());
    }

    /// Whether `variant` leaves dangling references and the best variant does not.
    fn leaves_dangling(&self, variant: &Variant) -> bool {
        let loses = |variant| self.filter.links.leaves_dangling(&self.tree, variant);
        loses(variant) && !loses(&self.best)
    }

    /// The same, and such variants have failed too often.
    fn fails_by_dangling(&self, variant: &Variant) -> bool {
        let asks_all = self.step.again || self.step.level == Level::Thorough;
        !asks_all
            && !self.filter.dangling.is_worth(self.filter.tuning.dangling)
            && self.leaves_dangling(variant)
    }

    /// Whether a question about this many tokens together is not worth asking.
    fn is_too_much(&self, candidate: &Subset) -> bool {
        let together = self.search.best().len() - candidate.len();
        self.step.pass == Pass::Tokens
            && self.search.may_skip_sets()
            && together > self.filter.tuning.passes.tokens_together
    }

    /// Whether it deletes one token alone that is known to stay. The 1-minimality check asks about that.
    fn is_known(&self, candidate: &Subset) -> bool {
        let gone = self.search.best().without(candidate);
        gone.len() == 1 && gone.iter().all(|open| self.known.contains(self.open[open] as usize))
    }

    /// Finds the next question.
    fn settle(&mut self) {
        self.question = None;
        while !self.open.is_empty() && !self.is_given_up() {
            let Some(candidate) = self.search.ask() else {
                self.alternative += 1;
                self.open();
                self.refine();
                continue;
            };
            if !self.is_too_much(&candidate) && !self.is_known(&candidate) {
                let (variant, _) = self.menu.variant(self.taken_without(&candidate));
                if variant.is_smaller_than(&self.best) && !self.fails_by_dangling(&variant) {
                    self.question = Some(variant);
                    return;
                }
            }
            self.search.tell(Outcome::Uninteresting);
        }
    }
}

/// The search for those choices that have to be left out.
fn search_of(way: Way, choices: usize, minimizer: MinimizerConfig) -> WithEmpty<AnyMinimizer> {
    match way {
        Way::OneByOne => WithEmpty::new(AnyMinimizer::OneByOne(OneByOne::new(choices)), EmptyPolicy::AsAsked),
        Way::Together => WithEmpty::new(minimizer.start(&alloc::vec![1; choices]), EmptyPolicy::TestFirst),
    }
}

//! The machine: deletion, then the passes of the schedule, until neither finds anything.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;

use super::lexical::Lexical;
use super::numbered;
use super::pass::{Level, Pass};
use super::schedule::{DEEPENED, Schedule, ScheduledPass, Way};
use super::trial::{Filter, Trial};
use crate::linked::{Links, SuccessBudget};
use crate::memory::{Context, Key, Memory};
use crate::screen::Screen;
use crate::{
    Answer, AnySearch, Ask, Evidence, ListQuestion, MinimizerConfig, Origin, Search, Shape, Subset, Tree,
    Tuning, Variant,
};

/// The search; see the [module](super).
#[derive(Clone, Debug)]
pub struct PassSearch {
    schedule: Schedule,
    minimizer: MinimizerConfig,
    tuning: Tuning,
    /// The search that deletes, as it ended last.
    deletion: Arc<AnySearch>,
    phase: Phase,
    /// What was best when the phase began.
    best: Variant,
    /// Where in the schedule it is.
    stage: usize,
    step: usize,
    /// What was refused, and what was not asked since it parses worse.
    memory: Option<Arc<Memory>>,
    not_asked: Arc<BTreeSet<(Key, Context)>>,
    /// What came of variants that leave dangling references.
    dangling: SuccessBudget,
    /// Refusals in a row after which a pass is given up.
    patience: u32,
    /// The first stage of which a pass was.
    given_up: Option<usize>,
    /// Whether the tokens were searched together without finding any that only go together: then that is not worth its
    /// questions a second time, unless one goes alone where the grammar misreads the text.
    searched: bool,
    /// How many variants were not asked about, since they parse worse, before this phase.
    held_back: u64,
    /// What was best when the stage began, and how many tokens deletion left.
    at_stage: Variant,
    deleted_to: u64,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The whole text is tried with names for what it only numbers.
    Naming(Box<Variant>, Box<AnySearch>),
    Deleting(Box<AnySearch>),
    /// The best variant is read anew, for the next step.
    Reading,
    Trying(Box<Trial>),
    Done,
}

impl PassSearch {
    /// Runs `deletion`, and then the passes of `schedule`.
    pub fn new(deletion: AnySearch, schedule: Schedule, minimizer: MinimizerConfig) -> Self {
        Self::tuned(deletion, schedule, minimizer, Tuning::DEFAULT)
    }

    /// The same with other constants, for experiments.
    pub fn tuned(
        deletion: AnySearch,
        schedule: Schedule,
        minimizer: MinimizerConfig,
        tuning: Tuning,
    ) -> Self {
        let best = deletion.best().clone();
        let tree = deletion.tree().filter(|_| schedule.names_anew());
        let phase = match tree.and_then(|tree| numbered::with_names(tree)) {
            Some(variant) => Phase::Naming(Box::new(variant), Box::new(deletion.clone())),
            None => Phase::Deleting(Box::new(deletion.clone())),
        };
        let mut search = Self {
            schedule,
            minimizer,
            tuning,
            deletion: Arc::new(deletion),
            phase,
            at_stage: best.clone(),
            best,
            stage: 0,
            step: 0,
            memory: None,
            not_asked: Arc::default(),
            dangling: SuccessBudget::default(),
            patience: tuning.passes.patience,
            given_up: None,
            searched: false,
            held_back: 0,
            deleted_to: 0,
        };
        search.settle();
        search
    }

    /// How many variants were not asked about, because they have more syntax errors than their base.
    pub(crate) fn held_back(&self) -> u64 {
        let now = if let Phase::Trying(trial) = &self.phase { trial.held_back_in_all() } else { 0 };
        self.held_back + now
    }

    /// Begins again with all passes over `best`, with what is known to be refused in it.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        self.deleted_to = best.tokens().unwrap_or(0);
        self.begin();
        (self.best, self.memory, self.phase) = (best, memory.map(Arc::new), Phase::Reading);
    }

    /// Goes to the first step of the schedule.
    fn begin(&mut self) {
        (self.stage, self.step, self.patience, self.given_up) = (0, 0, self.tuning.passes.patience, None);
    }

    /// The next step. Where no tokens could only be deleted together, they are searched one by one, but for those that
    /// were refused.
    fn step(&self) -> Option<ScheduledPass> {
        let step = self.schedule.stages().get(self.stage)?.get(self.step).copied()?;
        let found_none = self.searched && step.pass == Pass::Tokens && step.way == Way::Together;
        Some(if found_none { ScheduledPass { way: Way::OneByOne, again: false, ..step } } else { step })
    }

    /// Goes on when deletion or a pass is over.
    fn settle(&mut self) {
        match &self.phase {
            Phase::Deleting(search) if matches!(search.ask(), Ask::Done) => self.end_deletion(),
            Phase::Trying(trial) if trial.is_over() => {
                self.best = trial.best().clone();
                if let Some(memory) = &mut self.memory {
                    trial.remember(Arc::make_mut(memory), Arc::make_mut(&mut self.not_asked));
                }
                if trial.is_given_up() {
                    self.given_up.get_or_insert(self.stage);
                }
                self.dangling = trial.dangling();
                let unchanged = trial.unchanged().cloned();
                if let Some(step) = self.step().filter(|step| step.pass == Pass::Tokens) {
                    self.searched = match step.way {
                        Way::Together => self.searched || !trial.took_several() && !trial.is_skipped(),
                        Way::OneByOne => self.searched && (unchanged.is_some() || !trial.is_misread()),
                    };
                }
                self.held_back += trial.held_back_in_all();
                self.step += 1;
                self.phase = Phase::Reading;
                if let Some(tree) = unchanged {
                    self.begin_step(tree);
                }
            }
            _ => {}
        }
    }

    /// The passes follow what deletion has found so far.
    fn end_deletion(&mut self) {
        let Phase::Deleting(search) = &self.phase else { return };
        self.best = search.best().clone();
        self.memory = search.memory().cloned().map(Arc::new);
        self.deletion = Arc::new((**search).clone());
        self.deleted_to = self.best.tokens().unwrap_or(0);
        self.begin();
        self.phase = Phase::Reading;
    }

    /// Begins with the next step that has something to ask.
    fn begin_step(&mut self, tree: Arc<Tree>) {
        if (self.stage, self.step) == (0, 0) {
            self.at_stage = self.best.clone();
        }
        let links = Arc::new(Links::of(&tree));
        let memory = self.memory.get_or_insert_with(|| Arc::new(Memory::new(&tree))).clone();
        let lexical = Lexical::new(&tree, &links, self.tuning.passes);
        loop {
            let Some(step) = self.step() else {
                if !self.end_stage() {
                    return;
                }
                continue;
            };
            let choices = step.pass.choices(&lexical);
            let screen = self.screen(step, &tree);
            let filter = Filter {
                links: links.clone(),
                dangling: self.dangling,
                tuning: self.tuning,
                memory: memory.clone(),
                held_back: self.not_asked.clone(),
                screen,
            };
            let trial = Trial::new(tree.clone(), choices, step, self.minimizer, self.patience, filter);
            if !trial.is_over() {
                self.phase = Phase::Trying(Box::new(trial));
                return;
            }
            self.step += 1;
        }
    }

    /// What holds variants back that parse worse. What proves something asks about all; so do the passes of
    /// the thorough level.
    fn screen(&self, step: ScheduledPass, tree: &Tree) -> Option<Screen> {
        if step.proves()
            || step.level == Level::Thorough
            || tree.text().len() >= self.tuning.passes.screened_text
        {
            return None;
        }
        let screen = Screen::new();
        Some(if step.pass == Pass::Tokens { screen.of_clean_bases() } else { screen })
    }

    /// Goes on with the next stage, or the first; whether that is a step of this schedule.
    fn end_stage(&mut self) -> bool {
        self.step = 0;
        if self.best.is_smaller_than(&self.at_stage) {
            self.begin();
            self.at_stage = self.best.clone();
            let tokens = self.best.tokens().unwrap_or(0);
            if self.deleted_to - tokens.min(self.deleted_to)
                > self.deleted_to / self.tuning.passes.deletion_again
            {
                let mut again = (*self.deletion).clone();
                again.restart(self.best.clone(), self.memory.take().map(Arc::unwrap_or_clone));
                self.phase = Phase::Deleting(Box::new(again));
                return false;
            }
            return true;
        }
        if let Some(stage) = self.given_up
            && self.stage + 1 >= DEEPENED
        {
            (self.stage, self.given_up) = (stage, None);
            self.patience = self.patience.saturating_mul(self.tuning.passes.more_patience);
            return true;
        }
        self.stage += 1;
        if self.stage >= DEEPENED {
            self.patience = self.tuning.passes.patience;
        }
        if self.stage == self.schedule.stages().len() {
            self.phase = Phase::Done;
            return false;
        }
        true
    }
}

impl Search for PassSearch {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Naming(variant, _) => Ask::Test((**variant).clone()),
            Phase::Deleting(search) => search.ask(),
            Phase::Reading => Ask::Parse(self.best.clone(), Shape::Tree),
            Phase::Trying(trial) => trial.ask().unwrap_or(Ask::Done),
            Phase::Done => Ask::Done,
        }
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        matches!(&self.phase, Phase::Deleting(search) if search.learns_from(evidence))
    }

    fn list(&self) -> Option<ListQuestion> {
        if let Phase::Deleting(search) = &self.phase { search.list() } else { None }
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        if let Phase::Deleting(search) = &self.phase { search.with_elements(kept) } else { None }
    }

    fn tell(&mut self, answer: Answer) {
        match (&mut self.phase, answer) {
            (Phase::Naming(variant, deletion), Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    deletion.restart((**variant).clone(), None);
                }
                self.phase = Phase::Deleting(deletion.clone());
            }
            (Phase::Deleting(search), answer) => search.tell(answer),
            (Phase::Reading, Answer::Tree(tree)) => {
                if let Some(memory) = &mut self.memory {
                    Arc::make_mut(memory).read(&self.best, &tree);
                }
                self.best = Variant::whole(tree.text().clone());
                self.begin_step(tree);
            }
            (Phase::Reading, Answer::Unreadable(_)) => self.phase = Phase::Done,
            (Phase::Trying(trial), Answer::Outcome(outcome)) => trial.tell(outcome),
            (Phase::Trying(trial), Answer::Errors(errors)) => trial.tell_errors(errors),
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
        self.settle();
    }

    fn skip(&mut self) -> bool {
        match &mut self.phase {
            Phase::Deleting(_) => self.end_deletion(),
            Phase::Trying(trial) => {
                trial.skip();
                self.settle();
            }
            Phase::Naming(..) | Phase::Reading | Phase::Done => return false,
        }
        true
    }

    fn best(&self) -> &Variant {
        match &self.phase {
            Phase::Naming(_, deletion) => deletion.best(),
            Phase::Deleting(search) => search.best(),
            Phase::Trying(trial) => trial.best(),
            Phase::Reading | Phase::Done => &self.best,
        }
    }

    fn origin(&self) -> Origin {
        match (&self.phase, self.step()) {
            (Phase::Trying(_), Some(step)) => Origin::Pass(step.pass),
            _ => Origin::Deletion,
        }
    }

    fn label(&self) -> &'static str {
        match (&self.phase, self.step()) {
            (Phase::Naming(..), _) => "names for numbers",
            (Phase::Deleting(search), _) => search.label(),
            (Phase::Trying(_), Some(step)) => step.pass.name(),
            _ => "reading",
        }
    }
}

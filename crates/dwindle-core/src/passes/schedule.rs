//! Which passes run, in which order and how they are searched: one table.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use super::pass::{Level, Pass};
use super::{
    alike, along, bodies, brackets, calls, delete, files, flatten, fold, generics, halves, hoist, inline,
    join, layout, literals, names, pairs, parameters, phrases, pointers, relocate, replace, results, shorten,
    splice, unwrap, values, windows, words,
};
use crate::linked::Links;
use crate::{Tree, Tuning};

/// How the choices of a pass are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// All at once, then as the list minimiser says: most of them succeed.
    Together,
    /// One by one: most of them fail.
    OneByOne,
}

/// A line of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScheduledPass {
    /// The pass.
    pub pass: Pass,
    /// From which level on it runs.
    pub level: Level,
    /// How its choices are searched.
    pub way: Way,
    /// Whether it asks again about what was refused while nothing near it has changed.
    pub again: bool,
}

impl ScheduledPass {
    /// Whether it proves that none of its choices can be taken alone.
    pub(super) fn proves(self) -> bool {
        self.again && self.way == Way::OneByOne
    }
}

/// How many stages come before those that save bytes only. They find nothing with the least patience, all of them, before the
/// first is searched with more.
pub(super) const DEEPENED: usize = 4;

/// The schedule. When the steps of a stage have found something, all begins again from the first
/// stage; a later stage begins when the ones before it find nothing any more.
pub const SCHEDULE: &[&[ScheduledPass]] = {
    use Level::{Default, Thorough};
    use Pass::*;
    use Way::{OneByOne, Together};
    &[
        // What deletion can do, most of which is known to be refused, and what wins much with few
        // questions.
        &[
            ScheduledPass { pass: Delete, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Layout, level: Default, way: Together, again: false },
            ScheduledPass { pass: Rename, level: Default, way: Together, again: false },
            ScheduledPass { pass: Brackets, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Join, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Phrases, level: Default, way: Together, again: false },
            ScheduledPass { pass: Fold, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Splice, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Merge, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Literals, level: Default, way: OneByOne, again: false },
        ],
        // What has many alternatives.
        &[
            ScheduledPass { pass: Files, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Inline, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Relocate, level: Default, way: OneByOne, again: false },
        ],
        // What functions are about: few questions where little is left of them.
        &[
            ScheduledPass { pass: Parameters, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Results, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Calls, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Bodies, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Flatten, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Halves, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Values, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Pointers, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Unwrap, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Generics, level: Default, way: OneByOne, again: false },
            ScheduledPass { pass: Alike, level: Default, way: OneByOne, again: false },
        ],
        // What has most alternatives.
        &[ScheduledPass { pass: Replace, level: Default, way: OneByOne, again: false }],
        // What saves bytes only.
        &[
            ScheduledPass { pass: Shorten, level: Default, way: Together, again: false },
            ScheduledPass { pass: LongNames, level: Default, way: Together, again: false },
        ],
        // What goes together only, then the proof that the result is 1-minimal in tokens.
        &[ScheduledPass { pass: Tokens, level: Default, way: Together, again: true }],
        &[ScheduledPass { pass: Tokens, level: Default, way: OneByOne, again: true }],
        // What tries everything.
        &[
            ScheduledPass { pass: Along, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Hoist, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Unite, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Windows, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Twins, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Pairs, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Abbreviate, level: Thorough, way: Together, again: false },
            ScheduledPass { pass: Words, level: Thorough, way: OneByOne, again: false },
            ScheduledPass { pass: Operators, level: Thorough, way: OneByOne, again: false },
        ],
    ]
};

impl Pass {
    /// What it proposes for a tree.
    pub fn propose(self, tree: &Tree) -> Vec<Choice> {
        self.choices(&Lexical::new(tree, &Links::of(tree), Tuning::DEFAULT.passes))
    }

    pub(super) fn choices(self, lexical: &Lexical<'_>) -> Vec<Choice> {
        match self {
            Self::Delete => delete::choices(lexical),
            Self::Brackets => brackets::choices(lexical),
            Self::Alike => alike::choices(lexical),
            Self::Along => along::choices(lexical),
            Self::Parameters => parameters::choices(lexical),
            Self::Calls => calls::choices(lexical),
            Self::Bodies => bodies::choices(lexical),
            Self::Values => values::choices(lexical),
            Self::Pointers => pointers::choices(lexical),
            Self::Unwrap => unwrap::choices(lexical),
            Self::Generics => generics::choices(lexical),
            Self::Halves => halves::choices(lexical),
            Self::Results => results::choices(lexical),
            Self::Flatten => flatten::choices(lexical),
            Self::Hoist => hoist::choices(lexical),
            Self::Splice => splice::choices(lexical),
            Self::Replace => replace::choices(lexical),
            Self::Join => join::choices(lexical),
            Self::Fold => fold::choices(lexical),
            Self::Inline => inline::choices(lexical),
            Self::Relocate => relocate::choices(lexical),
            Self::Merge => names::merges(lexical),
            Self::Unite => names::unions(lexical),
            Self::Rename => names::renames(lexical),
            Self::Literals => literals::choices(lexical),
            Self::Shorten => shorten::literals(lexical),
            Self::LongNames => shorten::long_names(lexical),
            Self::Abbreviate => shorten::names(lexical),
            Self::Twins => pairs::twins(lexical),
            Self::Pairs => pairs::others(lexical),
            Self::Layout => layout::choices(lexical),
            Self::Phrases => phrases::choices(lexical),
            Self::Files => files::choices(lexical),
            Self::Words => words::choices(lexical),
            Self::Operators => words::operators(lexical),
            Self::Tokens => delete::tokens(lexical),
            Self::Windows => windows::choices(lexical),
        }
    }
}

/// The passes that make names shorter which people can read.
const SHORTENING: [Pass; 2] = [Pass::Rename, Pass::Abbreviate];

/// Whether a pass gives something another name.
fn names_anew(pass: Pass) -> bool {
    SHORTENING.contains(&pass) || matches!(pass, Pass::LongNames | Pass::Merge | Pass::Unite)
}

/// The steps of a run, a part of [`SCHEDULE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    stages: Arc<[Vec<ScheduledPass>]>,
}

impl Schedule {
    /// The steps of a level but for those that make ordinary names shorter: that wins no token.
    pub fn of(level: Level) -> Self {
        Self::filtered(|step| step.level <= level && !SHORTENING.contains(&step.pass))
    }

    /// All steps of a level.
    pub fn with_short_names(level: Level) -> Self {
        Self::filtered(|step| step.level <= level)
    }

    /// The level whose schedule it is, if it is that of one.
    pub fn level(&self) -> Option<Level> {
        let is_of = |level| [Self::of(level), Self::with_short_names(level)].contains(self);
        Level::ALL.into_iter().find(|&level| is_of(level))
    }

    /// The steps of these passes, whatever their level.
    pub fn only(passes: &[Pass]) -> Self {
        Self::filtered(|step| passes.contains(&step.pass))
    }

    /// The same, but nothing gets another name.
    pub fn without_names(self) -> Self {
        self.without(names_anew)
    }

    /// The same without these passes.
    pub fn without(self, goes: impl Fn(Pass) -> bool) -> Self {
        let stays = |step: &ScheduledPass| !goes(step.pass);
        let stages = self.stages.iter().map(|steps| steps.iter().copied().filter(stays).collect());
        Self { stages: stages.collect() }
    }

    fn filtered(wanted: impl Fn(&ScheduledPass) -> bool) -> Self {
        let stages = SCHEDULE.iter().map(|steps| steps.iter().copied().filter(&wanted).collect());
        Self { stages: stages.collect() }
    }

    /// Whether something may get another name.
    pub(super) fn names_anew(&self) -> bool {
        self.stages.iter().flatten().any(|step| names_anew(step.pass))
    }

    /// Whether a pass is part of it.
    pub fn has(&self, pass: Pass) -> bool {
        self.stages.iter().flatten().any(|step| step.pass == pass)
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.stages.iter().all(Vec::is_empty)
    }

    pub(super) fn stages(&self) -> &[Vec<ScheduledPass>] {
        &self.stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_that_are_searched_together_come_right_before_those_that_save_bytes_only() {
        let of = |pass| SCHEDULE.iter().position(|stage| stage.iter().any(|step| step.pass == pass));
        assert_eq!((of(Pass::Replace), of(Pass::Shorten)), (Some(DEEPENED - 1), Some(DEEPENED)));
    }
}

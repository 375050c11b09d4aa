//! All isolators behind one type.

use super::dd::Dd;
use super::guided::Guided;
use super::isolator::Isolator;
use crate::named::named;
use crate::{Outcome, Subset};

named! {
    /// Which isolator it is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Algorithm {
        /// [`Dd`], as published.
        Dd = "dd",
        /// [`Guided`], by a model of which differences can stand alone.
        #[default]
        Guided = "guided",
    }
}

impl Algorithm {
    /// A search over `0..len`.
    pub fn start(self, len: usize) -> AnyIsolator {
        match self {
            Self::Dd => AnyIsolator::Dd(Dd::new(len)),
            Self::Guided => AnyIsolator::Guided(Guided::new(len)),
        }
    }
}

/// Any of the isolators.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant is the isolator of its name")]
pub enum AnyIsolator {
    Dd(Dd),
    Guided(Guided),
}

impl Isolator for AnyIsolator {
    fn ask(&self) -> Option<Subset> {
        match self {
            Self::Dd(machine) => machine.ask(),
            Self::Guided(machine) => machine.ask(),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match self {
            Self::Dd(machine) => machine.tell(outcome),
            Self::Guided(machine) => machine.tell(outcome),
        }
    }

    fn passing(&self) -> &Subset {
        match self {
            Self::Dd(machine) => machine.passing(),
            Self::Guided(machine) => machine.passing(),
        }
    }

    fn failing(&self) -> &Subset {
        match self {
            Self::Dd(machine) => machine.failing(),
            Self::Guided(machine) => machine.failing(),
        }
    }
}

//! All minimisers behind one type, so that any of them fits wherever a list is searched.

use crate::minimizers::{
    ActiveCoarsen, Cdd, Ddmin, DdminOptions, Dfs, OneByOne, Opdd, ProbDd, SplitTie, Splitting, TieOrder,
    WProbDd, Wddmin,
};
use crate::named::named;
use crate::{Minimizer, Outcome, Subset};

/// A list minimiser and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimizerConfig {
    /// Which one.
    pub kind: MinimizerKind,
    /// The assumed share of elements that stay, for ProbDD and WProbDD; in (0, 1).
    pub sigma: f64,
    /// The same for CDD.
    pub p0: f64,
    /// The probability from which on an element counts as needed, for ProbDD and WProbDD; in (0, 1].
    pub theta: f64,
    /// The probability with which ActiveCoarsen keeps an element of its first sample; in (0, 1).
    pub alpha: f64,
    /// Which ddmin it is, for ddmin and ddmin-complement.
    pub ddmin: DdminOptions,
    /// Which of two equally good cuts Wddmin takes.
    pub split_tie: SplitTie,
    /// Whether ProbDD orders elements of equal probability at random.
    pub random: bool,
    /// The seed of what is random.
    pub seed: u64,
}

impl MinimizerConfig {
    /// `kind` with the papers' parameters.
    pub fn new(kind: MinimizerKind) -> Self {
        let ddmin = match kind {
            MinimizerKind::DdminComplement => DdminOptions::complements_only(),
            _ => DdminOptions::default(),
        };
        Self {
            kind,
            sigma: 0.1,
            p0: 0.1,
            theta: 1.0,
            alpha: 0.5,
            ddmin,
            split_tie: SplitTie::default(),
            random: false,
            seed: 0,
        }
    }
}

macro_rules! minimizers {
    ($($(#[$default:meta])? $kind:ident $name:literal $machine:ident = $start:expr;)*) => {
        named! {
            /// Which list minimiser. The default is the one with the smallest results for the fewest questions on
            /// real inputs.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            #[expect(missing_docs, reason = "the names are documented at the machines")]
            #[non_exhaustive]
            pub enum MinimizerKind {
                $($(#[$default])? $kind = $name,)*
            }
        }

        /// Any of the list minimisers.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the machine of its name")]
        pub enum AnyMinimizer {
            $($kind($machine),)*
            /// The one of the passes, which nobody chooses.
            OneByOne(OneByOne),
        }

        impl MinimizerConfig {
            /// A fresh search over elements of these weights.
            pub fn start(&self, weights: &[u32]) -> AnyMinimizer {
                match self.kind {
                    $(MinimizerKind::$kind => {
                        let start: fn(&Self, &[u32]) -> $machine = $start;
                        AnyMinimizer::$kind(start(self, weights))
                    })*
                }
            }
        }

        impl Minimizer for AnyMinimizer {
            fn may_skip_sets(&self) -> bool {
                match self {
                    $(Self::$kind(machine) => machine.may_skip_sets(),)*
                    Self::OneByOne(machine) => machine.may_skip_sets(),
                }
            }

            fn ask(&self) -> Option<Subset> {
                match self {
                    $(Self::$kind(machine) => machine.ask(),)*
                    Self::OneByOne(machine) => machine.ask(),
                }
            }

            fn tell(&mut self, outcome: Outcome) {
                match self {
                    $(Self::$kind(machine) => machine.tell(outcome),)*
                    Self::OneByOne(machine) => machine.tell(outcome),
                }
            }

            fn best(&self) -> &Subset {
                match self {
                    $(Self::$kind(machine) => machine.best(),)*
                    Self::OneByOne(machine) => machine.best(),
                }
            }
        }
    };
}

// The kind, its name, its machine, and how that begins with a configuration and the weights of a list.
minimizers! {
    Ddmin "ddmin" Ddmin = |config, weights| Ddmin::new(weights.len(), config.ddmin);
    DdminComplement "ddmin-complement" Ddmin = |config, weights| Ddmin::new(weights.len(), config.ddmin);
    Opdd "opdd" Opdd = |_, weights| Opdd::new(weights.len());
    ProbDd "probdd" ProbDd = |config, weights| ProbDd::new(weights.len(), config.sigma, config.ties()).with_threshold(config.theta);
    Cdd "cdd" Cdd = |config, weights| Cdd::new(weights.len(), config.p0);
    Wddmin "wddmin" Wddmin = |config, weights| Wddmin::new(weights, config.split_tie);
    WProbDd "wprobdd" WProbDd = |config, weights| WProbDd::new(weights, config.sigma).with_threshold(config.theta);
    ActiveCoarsen "active-coarsen" ActiveCoarsen = |config, weights| ActiveCoarsen::new(weights.len(), config.alpha, config.seed);
    #[default]
    Dfs "dfs" Dfs = |_, weights| Dfs::new(weights.len());
    Splitting "splitting" Splitting = |_, weights| Splitting::new(weights.len());
}

impl MinimizerConfig {
    /// How ProbDD orders elements of equal probability.
    fn ties(&self) -> TieOrder {
        if self.random { TieOrder::Seeded(self.seed) } else { TieOrder::Index }
    }
}

//! All minimisers behind one type, so that any of them fits wherever a list is searched.

use crate::minimizers::{
    ActiveCoarsen, Cdd, Ddmin, DdminOptions, Dfs, OneByOne, Opdd, ProbDd, SplitTie, Splitting,
    SplittingOptions, TieOrder, WProbDd, Wddmin,
};
use crate::named::named;
use crate::{Minimizer, Outcome, Subset};

named! {
    /// Which list minimiser. The default is the one with the smallest results for the fewest questions on
    /// real inputs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are documented at the machines")]
    #[non_exhaustive]
    pub enum MinimizerKind {
        Ddmin = "ddmin",
        DdminComplement = "ddmin-complement",
        Opdd = "opdd",
        ProbDd = "probdd",
        Cdd = "cdd",
        Wddmin = "wddmin",
        WProbDd = "wprobdd",
        ActiveCoarsen = "active-coarsen",
        #[default]
        Dfs = "dfs",
        Splitting = "splitting",
    }
}

/// A list minimiser and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimizerConfig {
    /// Which one.
    pub kind: MinimizerKind,
    /// The assumed share of elements that stay, for ProbDD and WProbDD; in (0, 1).
    pub sigma: f64,
    /// The same for CDD.
    pub p0: f64,
    /// Whether ProbDD orders elements of equal probability at random.
    pub random: bool,
    /// The seed of what is random.
    pub seed: u64,
}

impl MinimizerConfig {
    /// `kind` with the papers' parameters.
    pub fn new(kind: MinimizerKind) -> Self {
        Self { kind, sigma: 0.1, p0: 0.1, random: false, seed: 0 }
    }

    /// A fresh search over elements of these weights.
    pub fn start(&self, weights: &[u32]) -> AnyMinimizer {
        let len = weights.len();
        match self.kind {
            MinimizerKind::Ddmin => AnyMinimizer::Ddmin(Ddmin::new(len, DdminOptions::default())),
            MinimizerKind::DdminComplement => {
                AnyMinimizer::Ddmin(Ddmin::new(len, DdminOptions::complements_only()))
            }
            MinimizerKind::Opdd => AnyMinimizer::Opdd(Opdd::new(len)),
            MinimizerKind::ProbDd => {
                let ties = if self.random { TieOrder::Seeded(self.seed) } else { TieOrder::Index };
                AnyMinimizer::ProbDd(ProbDd::new(len, self.sigma, ties))
            }
            MinimizerKind::Cdd => AnyMinimizer::Cdd(Cdd::new(len, self.p0)),
            MinimizerKind::Wddmin => AnyMinimizer::Wddmin(Wddmin::new(weights, SplitTie::default())),
            MinimizerKind::WProbDd => AnyMinimizer::WProbDd(WProbDd::new(weights, self.sigma)),
            MinimizerKind::ActiveCoarsen => AnyMinimizer::ActiveCoarsen(ActiveCoarsen::new(len, self.seed)),
            MinimizerKind::Dfs => AnyMinimizer::Dfs(Dfs::new(len)),
            MinimizerKind::Splitting => {
                AnyMinimizer::Splitting(Splitting::new(len, SplittingOptions::default()))
            }
        }
    }
}

macro_rules! any_minimizer {
    ($($machine:ident),*) => {
        /// Any of the list minimisers.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the machine of its name")]
        pub enum AnyMinimizer {
            $($machine($machine),)*
        }

        impl Minimizer for AnyMinimizer {
            fn may_skip_sets(&self) -> bool {
                match self { $(Self::$machine(machine) => machine.may_skip_sets(),)* }
            }

            fn ask(&self) -> Option<Subset> {
                match self { $(Self::$machine(machine) => machine.ask(),)* }
            }

            fn tell(&mut self, outcome: Outcome) {
                match self { $(Self::$machine(machine) => machine.tell(outcome),)* }
            }

            fn best(&self) -> &Subset {
                match self { $(Self::$machine(machine) => machine.best(),)* }
            }
        }
    };
}

any_minimizer!(Ddmin, Opdd, ProbDd, Cdd, Wddmin, WProbDd, ActiveCoarsen, Dfs, Splitting, OneByOne);

//! All minimisers in all their configurations, each with its reference and its claims.

use dwindle_core::AnyMinimizer;
use dwindle_core::minimizers::{
    ActiveCoarsen, AfterSuccess, Cdd, Ddmin, DdminOptions, Dfs, OneByOne, Opdd, Order, ProbDd, Split,
    SplitTie, Splitting, TieOrder, WProbDd, Wddmin,
};

use crate::reference::{self, Test};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Machine {
    Ddmin(DdminOptions),
    Opdd,
    ProbDd(f64, TieOrder),
    /// With a threshold, which makes results worse.
    ProbDdUpTo(f64),
    Cdd(f64),
    Wddmin(SplitTie),
    WProbDd(f64),
    /// The same.
    WProbDdUpTo(f64),
    /// How likely an element is kept at first, and the seed.
    ActiveCoarsen(f64, u64),
    Dfs,
    OneByOne,
    Splitting,
}

impl Machine {
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::Opdd, Self::Dfs, Self::OneByOne];
        for split in [Split::Zeller, Split::Balanced, Split::FirstHeavy] {
            for subsets in [true, false] {
                for after_success in [AfterSuccess::Restart, AfterSuccess::Continue] {
                    let options = DdminOptions { split, subsets, after_success, ..DdminOptions::default() };
                    all.push(Self::Ddmin(options));
                }
            }
        }
        for options in [DdminOptions::default(), DdminOptions::complements_only()] {
            for order in [Order::Backward, Order::Random] {
                all.push(Self::Ddmin(DdminOptions { order, seed: 1, ..options }));
            }
            all.push(Self::Ddmin(DdminOptions { factor: 3, ..options }));
            all.push(Self::Ddmin(DdminOptions { factor: 4, order: Order::Backward, ..options }));
            all.push(Self::Ddmin(DdminOptions { start_size: Some(3), ..options }));
            all.push(Self::Ddmin(DdminOptions { complements_first: true, ..options }));
            all.push(Self::Ddmin(DdminOptions {
                complements_first: true,
                factor: 3,
                again: true,
                ..options
            }));
        }
        for p in [0.1, 0.25, 0.01] {
            all.extend([Self::ProbDd(p, TieOrder::Index), Self::Cdd(p), Self::WProbDd(p)]);
        }
        all.extend([1, 2].map(|seed| Self::ProbDd(0.1, TieOrder::Seeded(seed))));
        all.extend([SplitTie::Larger, SplitTie::PersesFloor].map(Self::Wddmin));
        all.extend([(0.5, 1), (0.5, 2), (0.9, 3)].map(|(alpha, seed)| Self::ActiveCoarsen(alpha, seed)));
        all.push(Self::Splitting);
        all
    }

    /// All that have a reference: also those whose parameters leave less to be promised.
    pub(crate) fn compared() -> Vec<Self> {
        [
            Self::all(),
            [0.6, 0.8].into_iter().flat_map(|p| [Self::ProbDdUpTo(p), Self::WProbDdUpTo(p)]).collect(),
        ]
        .concat()
    }

    /// Those that ask `O(n)` questions whatever the oracle says.
    pub(crate) fn linear() -> Vec<Self> {
        let quadratic = |machine: &Self| matches!(machine, Self::Ddmin(_) | Self::Wddmin(_));
        Self::all().into_iter().filter(|machine| !quadratic(machine)).collect()
    }

    pub(crate) fn start(self, weights: &[u32]) -> AnyMinimizer {
        let len = weights.len();
        match self {
            Self::Ddmin(options) => AnyMinimizer::Ddmin(Ddmin::new(len, options)),
            Self::Opdd => AnyMinimizer::Opdd(Opdd::new(len)),
            Self::ProbDd(sigma, ties) => AnyMinimizer::ProbDd(ProbDd::new(len, sigma, ties)),
            Self::ProbDdUpTo(theta) => {
                AnyMinimizer::ProbDd(ProbDd::new(len, 0.1, TieOrder::Index).with_threshold(theta))
            }
            Self::WProbDdUpTo(theta) => {
                AnyMinimizer::WProbDd(WProbDd::new(weights, 0.1).with_threshold(theta))
            }
            Self::Cdd(p0) => AnyMinimizer::Cdd(Cdd::new(len, p0)),
            Self::Wddmin(tie) => AnyMinimizer::Wddmin(Wddmin::new(weights, tie)),
            Self::WProbDd(p0) => AnyMinimizer::WProbDd(WProbDd::new(weights, p0)),
            Self::ActiveCoarsen(alpha, seed) => {
                AnyMinimizer::ActiveCoarsen(ActiveCoarsen::new(len, alpha, seed))
            }
            Self::Dfs => AnyMinimizer::Dfs(Dfs::new(len)),
            Self::OneByOne => AnyMinimizer::OneByOne(OneByOne::new(len)),
            Self::Splitting => AnyMinimizer::Splitting(Splitting::new(len)),
        }
    }

    /// The result of the blocking algorithm, `None` if its questions are drawn at random.
    pub(crate) fn reference(self, weights: &[u32], test: Test<'_>) -> Option<Vec<usize>> {
        let list: Vec<usize> = (0..weights.len()).collect();
        Some(match self {
            Self::Ddmin(DdminOptions { order: Order::Random, .. }) => return None,
            Self::Ddmin(options) => reference::ddmin(list, options, test),
            Self::Opdd => reference::opdd(list, test),
            Self::ProbDd(sigma, TieOrder::Index) => reference::probdd(list, sigma, 1.0, test),
            Self::ProbDdUpTo(theta) => reference::probdd(list, 0.1, theta, test),
            Self::WProbDdUpTo(theta) => reference::wprobdd(list, weights, 0.1, theta, test),
            Self::Cdd(p0) => reference::cdd(list, p0, test),
            Self::Wddmin(tie) => reference::wddmin(list, weights, tie, test),
            Self::WProbDd(p0) => reference::wprobdd(list, weights, p0, 1.0, test),
            Self::Dfs => reference::dfs(list, test),
            Self::OneByOne => reference::one_by_one(list, test),
            Self::Splitting => reference::splitting(list, test),
            Self::ProbDd(_, TieOrder::Seeded(_)) | Self::ActiveCoarsen(..) => return None,
        })
    }

    /// Whether the result is 1-minimal for any oracle.
    pub(crate) fn is_one_minimal(self) -> bool {
        match self {
            Self::Ddmin(_) | Self::Wddmin(_) | Self::ActiveCoarsen(..) | Self::Splitting => true,
            Self::Opdd
            | Self::ProbDd(..)
            | Self::ProbDdUpTo(_)
            | Self::Cdd(_)
            | Self::WProbDd(_)
            | Self::WProbDdUpTo(_)
            | Self::Dfs
            | Self::OneByOne => false,
        }
    }

    /// The number of executed questions over `n` elements that is never exceeded, where there is a
    /// closed form for any oracle.
    pub(crate) fn bound(self, n: usize) -> Option<usize> {
        match self {
            Self::Ddmin(DdminOptions { again: true, .. }) => None,
            Self::Ddmin(_) => Some(n * n + 3 * n),
            Self::Wddmin(_) => Some(2 * (n * n + 3 * n)),
            Self::Opdd => Some(2 * n.next_power_of_two()),
            Self::OneByOne => Some(2 * n),
            Self::Dfs => Some((2 * n).saturating_sub(1)),
            Self::Cdd(p0) => Some(reference::cdd_sizes(p0).into_iter().map(|size| n.div_ceil(size)).sum()),
            Self::ProbDdUpTo(_) => None,
            Self::ProbDd(sigma, _) => {
                let delta = 0.5 * sigma * sigma / (1.0 - 0.5 * sigma);
                Some(2 * n + (0.5 * n as f64 / delta) as usize)
            }
            Self::WProbDd(_) | Self::WProbDdUpTo(_) | Self::ActiveCoarsen(..) | Self::Splitting => None,
        }
    }
}

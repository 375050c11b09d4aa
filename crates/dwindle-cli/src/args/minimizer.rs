//! The parameters of the algorithms that search lists.

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::core::minimizers::{AfterSuccess, DdminOptions, Order, Split, SplitTie};
use dwindle::core::{MinimizerConfig, MinimizerKind};

use super::values::{chosen, named, share, share_or_one};
use crate::failure::Failure;

/// Parameters of list minimisers.
#[derive(Args, Debug)]
pub(super) struct MinimizerArgs {
    /// probdd, wprobdd: the assumed share of elements that stay [default: 0.1].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true)]
    pub(super) sigma: Option<f64>,
    /// cdd: the assumed share of elements that stay [default: 0.1].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true)]
    pub(super) p0: Option<f64>,
    /// probdd, wprobdd: the probability from which on an element counts as needed [default: 1].
    ///
    /// The authors' programs have 0.8. Below 1, wprobdd may keep what could go.
    #[arg(long, value_name = "P", value_parser = share_or_one, allow_negative_numbers = true)]
    pub(super) theta: Option<f64>,
    /// active-coarsen: the probability with which an element of the first sample is kept [default: 0.5].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true)]
    pub(super) alpha: Option<f64>,
    /// ddmin, ddmin-complement: how a list is cut into chunks [default: balanced].
    ///
    /// Where their number does not divide the list: `zeller` cuts larger chunks last, `first-heavy` first.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Split::ALL.map(Split::name)))]
    pub(super) split: Option<String>,
    /// ddmin, ddmin-complement: into how many chunks each chunk is cut [default: 2].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    pub(super) split_factor: Option<u32>,
    /// ddmin, ddmin-complement: the most elements of a chunk at the start [default: half of the list].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) start_size: Option<u32>,
    /// ddmin, ddmin-complement: the order in which chunks are tried [default: forward].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Order::ALL.map(Order::name)))]
    pub(super) order: Option<String>,
    /// ddmin, ddmin-complement: where to go on when a chunk was deleted.
    ///
    /// At the first chunk (`restart`, the default of ddmin) or at the next one (`continue`, that of ddmin-complement).
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(AfterSuccess::ALL.map(AfterSuccess::name)))]
    pub(super) after_success: Option<String>,
    /// ddmin: try to delete each chunk before all but a chunk.
    #[arg(long)]
    pub(super) complements_first: bool,
    /// ddmin, ddmin-complement: search each list again until nothing more goes (ddmin*).
    #[arg(long)]
    pub(super) again: bool,
    /// wddmin: which of two cuts that are equally near to half of the weight [default: larger].
    ///
    /// `larger` takes the longer first part; `perses-floor` cuts as Perses does.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SplitTie::ALL.map(SplitTie::name)))]
    pub(super) split_tie: Option<String>,
    /// probdd: choose at random among elements of equal probability.
    #[arg(long)]
    pub(super) random: bool,
    /// The seed of --random, of --order random and of active-coarsen.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}

impl MinimizerArgs {
    /// The minimiser of this kind.
    pub(super) fn minimizer(&self, kind: MinimizerKind) -> Result<MinimizerConfig, Failure> {
        use MinimizerKind::{ActiveCoarsen, Cdd, Ddmin, DdminComplement, ProbDd, WProbDd, Wddmin};
        let of_probability = ("probdd and wprobdd", matches!(kind, ProbDd | WProbDd));
        let of_chunks = ("ddmin and ddmin-complement", matches!(kind, Ddmin | DdminComplement));
        let misplaced = [
            (self.sigma.is_some(), "--sigma", of_probability.0, of_probability.1),
            (self.theta.is_some(), "--theta", of_probability.0, of_probability.1),
            (self.p0.is_some(), "--p0", "cdd", kind == Cdd),
            (self.alpha.is_some(), "--alpha", "active-coarsen", kind == ActiveCoarsen),
            (self.split.is_some(), "--split", of_chunks.0, of_chunks.1),
            (self.split_factor.is_some(), "--split-factor", of_chunks.0, of_chunks.1),
            (self.start_size.is_some(), "--start-size", of_chunks.0, of_chunks.1),
            (self.order.is_some(), "--order", of_chunks.0, of_chunks.1),
            (self.after_success.is_some(), "--after-success", of_chunks.0, of_chunks.1),
            (self.complements_first, "--complements-first", "ddmin", kind == Ddmin),
            (self.again, "--again", of_chunks.0, of_chunks.1),
            (self.split_tie.is_some(), "--split-tie", "wddmin", kind == Wddmin),
            (self.random, "--random", "probdd", kind == ProbDd),
        ];
        for (given, flag, fitting, fits) in misplaced {
            if given && !fits {
                return Err(Failure::Usage(format!(
                    "{flag} goes with --minimizer {fitting}, not with {}",
                    kind.name()
                )));
            }
        }
        let default = MinimizerConfig::new(kind);
        let DdminOptions { split, order, after_success, factor, .. } = default.ddmin;
        let ddmin = DdminOptions {
            split: chosen(&Split::ALL.map(|split| (split.name(), split)), &self.split, split),
            order: chosen(&Order::ALL.map(|order| (order.name(), order)), &self.order, order),
            after_success: chosen(
                &AfterSuccess::ALL.map(|after| (after.name(), after)),
                &self.after_success,
                after_success,
            ),
            factor: self.split_factor.unwrap_or(factor),
            start_size: self.start_size,
            seed: self.seed,
            complements_first: self.complements_first,
            again: self.again,
            ..default.ddmin
        };
        let ties = SplitTie::ALL.map(|tie| (tie.name(), tie));
        Ok(MinimizerConfig {
            sigma: self.sigma.unwrap_or(default.sigma),
            p0: self.p0.unwrap_or(default.p0),
            theta: self.theta.unwrap_or(default.theta),
            alpha: self.alpha.unwrap_or(default.alpha),
            ddmin,
            split_tie: chosen(&ties, &self.split_tie, default.split_tie),
            random: self.random,
            seed: self.seed,
            ..default
        })
    }
}

/// The kind of this name, which the parser has admitted.
pub(super) fn kind(name: &str) -> MinimizerKind {
    named(&MinimizerKind::ALL.map(|kind| (kind.name(), kind)), name)
}

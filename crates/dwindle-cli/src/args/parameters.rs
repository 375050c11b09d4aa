//! The parameters of all algorithms.

use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::Method;
use dwindle::core::{HddrOrder, MinimizerConfig, MinimizerKind, Transform};

use super::minimizer::{self, MinimizerArgs};
use super::values::{count, named};
use crate::failure::Failure;

/// Parameters.
#[derive(Args, Debug)]
pub(super) struct ParameterArgs {
    /// The algorithm that decides which elements of a list are tried together.
    #[arg(long, value_name = "NAME", default_value = MinimizerKind::default().name(),
          value_parser = PossibleValuesParser::new(MinimizerKind::ALL.map(MinimizerKind::name)))]
    pub(super) minimizer: String,
    #[command(flatten)]
    pub(super) of_minimizer: MinimizerArgs,
    /// hdd, hdd+, hdd*, hddr, coarse: what is done to the tree [default: skip].
    ///
    /// `squeeze` merges a node with its only child; `flatten` turns a chain of nodes of one kind into a list;
    /// `skip` asks nothing about nodes that cannot be deleted; `hoist` replaces nodes by nodes below them.
    #[arg(long, value_name = "LIST", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Transform::ALL.map(Transform::name).into_iter().chain(["none"])))]
    pub(super) transform: Option<Vec<String>>,
    /// linked: how many questions are asked about one base [default: 64].
    ///
    /// It does not depend on --jobs.
    #[arg(long, value_name = "W", value_parser = count, allow_negative_numbers = true)]
    pub(super) batch_width: Option<NonZeroUsize>,
    /// hddr: the order of its walk [default: pop-first-forward, which is breadth first].
    ///
    /// Whether the queue of nodes is taken from its first or its last end, and whether children come into it forward or
    /// reversed. `pop-last-reversed` is depth first.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(HddrOrder::ALL.map(HddrOrder::name)))]
    pub(super) hddr_order: Option<String>,
    /// hddr, coarse: end after one round over the tree.
    #[arg(long)]
    pub(super) once: bool,
}

impl ParameterArgs {
    /// `method` with the parameters that are given.
    pub(super) fn apply(&self, method: Method) -> Result<Method, String> {
        let method = self.batch_width.map_or(Ok(method), |width| method.batched(width))?;
        let order = self
            .hddr_order
            .as_ref()
            .map(|name| named(&HddrOrder::ALL.map(|order| (order.name(), order)), name));
        let method = order.map_or(Ok(method), |order| method.ordered(order))?;
        let method = if self.once { method.once()? } else { method };
        let Some(names) = &self.transform else { return Ok(method) };
        if names.len() > 1 && names.iter().any(|name| name == "none") {
            return Err("--transform none goes with no other transformation".to_owned());
        }
        let named = |transform: &Transform| names.iter().any(|name| name == transform.name());
        method.transformed(Transform::ALL.into_iter().filter(named).collect())
    }

    /// The minimiser of lists.
    pub(super) fn minimizer(&self) -> Result<MinimizerConfig, Failure> {
        self.of_minimizer.minimizer(minimizer::kind(&self.minimizer))
    }
}

//! How long a reduction may take, how often a candidate is asked about, and what a test may use.

use std::time::Duration;

use clap::Args;
use dwindle::{Limits, Repeats};

use super::values::{bytes, seconds, share};
use crate::failure::Failure;

/// The heading of these options in the help.
pub(super) const HEADING: &str = "Limits and budgets";

/// Budgets, repeats and limits.
#[derive(Args, Debug)]
pub(super) struct LimitArgs {
    /// Stop after S seconds.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) max_time: Option<Duration>,
    /// Stop after N runs of the test, including the two on INPUT.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub(super) max_questions: Option<u64>,
    /// Kill a test after S seconds [default: 10 times the time on INPUT, 1 to 300].
    ///
    /// The time on INPUT is that of the slower of two runs. An external command may take as long as a test, and
    /// at least 60 seconds unless this is given.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) timeout: Option<Duration>,
    /// Accept a candidate only after N interesting runs in a row.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) confirm: u32,
    /// Reduce with a test that is interesting only sometimes: ask about each candidate up to N times, or as often as needed.
    ///
    /// With N, the first interesting run accepts a candidate. `auto` measures how often INPUT is interesting, and asks so often
    /// that a candidate which is interesting as often is noticed with --confidence; one that turns out to be much rarer is
    /// rejected. If all runs on INPUT are interesting, no candidate is asked about twice. Every run is a question. At the end
    /// the result is measured as well.
    #[arg(long, value_name = "auto|N", value_parser = repeats, conflicts_with = "confirm")]
    pub(super) repeats: Option<Wished>,
    /// --repeats auto: how probably a candidate is noticed that is interesting as often as INPUT [default: 0.95].
    #[arg(long, value_name = "P", value_parser = share, requires = "repeats", allow_negative_numbers = true)]
    pub(super) confidence: Option<f64>,
    /// Limit the address space of each process of a test, such as 500M or 2G.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) memory_limit: Option<u64>,
    /// Limit the processor time of each process of a test, in whole seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) cpu_limit: Option<u64>,
    /// Limit the size of each file that a test writes, such as 500M or 2G.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) file_size_limit: Option<u64>,
}

impl LimitArgs {
    /// How often a candidate is asked about.
    pub(super) fn repeats(&self) -> Result<Repeats, Failure> {
        match (self.repeats, self.confidence) {
            (None, _) => Ok(Repeats::All(self.confirm)),
            (Some(Wished::Auto), confidence) => {
                Ok(Repeats::Measured { confidence: confidence.unwrap_or(CONFIDENCE) })
            }
            (Some(Wished::Times(times)), None) => Ok(Repeats::Any(times)),
            (Some(Wished::Times(_)), Some(_)) => Err(Failure::Usage(
                "--confidence goes with --repeats auto, which finds the number".to_owned(),
            )),
        }
    }

    /// What the processes of a test may use.
    pub(super) fn limits(&self) -> Limits {
        Limits { memory: self.memory_limit, cpu: self.cpu_limit, file_size: self.file_size_limit }
    }
}

/// How often a candidate is to be asked about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wished {
    /// As often as the rate on the input needs.
    Auto,
    /// Up to so many times.
    Times(u32),
}

/// The confidence that is common where nothing depends on a single answer.
const CONFIDENCE: f64 = 0.95;

fn repeats(text: &str) -> Result<Wished, String> {
    match text.parse() {
        _ if text == "auto" => Ok(Wished::Auto),
        Ok(times) if times > 0 => Ok(Wished::Times(times)),
        _ => Err("`auto` or a whole number above 0 is wanted".to_owned()),
    }
}

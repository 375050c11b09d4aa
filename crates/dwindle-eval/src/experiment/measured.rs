//! What is noted of a run.

use serde::{Deserialize, Serialize};

use super::studies::Studies;
use crate::limit::Limit;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Tokens of the input and of the result.
    pub(crate) before: u64,
    pub(crate) tokens: u64,
    pub(crate) questions: u64,
    pub(crate) seconds: f64,
    /// The most memory that was held, in bytes; nothing where more than one ran in a process.
    pub(crate) memory: Option<u64>,
    /// Whether the search came to its end.
    pub(crate) finished: bool,
    /// Questions about texts that the grammar refuses, where that was looked at.
    pub(crate) invalid: Option<u64>,
    /// The least questions for this result.
    pub(crate) limit: Limit,
    pub(crate) studies: Studies,
}

//! What a journal says of itself.

use serde::{Deserialize, Serialize};

/// What a journal is about, for people and machines. What is no UTF-8 in a path became U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The absolute path of the input.
    pub input: String,
    /// The absolute path of the test, or the command and what is asked of it.
    pub test: String,
    /// The absolute path of the result.
    pub output: String,
    /// The version of the program that began it.
    pub version: String,
    /// The size of the input in bytes.
    pub input_bytes: u64,
    /// When it was begun, in seconds since 1970.
    pub began: u64,
}

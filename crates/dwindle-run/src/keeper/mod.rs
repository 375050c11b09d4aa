//! Keepers: processes of our own between dwindle and the tests, so that nothing of a test outlives
//! its run, nor dwindle.
//!
//! Each runner of tests has a *keeper*, which starts one test at a time and is its subreaper: what
//! leaves the test's process group or its session is still a descendant, and is found and killed
//! when the test has ended. When dwindle dies, of whatever, the keeper's end of a pipe closes; it
//! kills its test, removes the folders and ends. Above every keeper stands a *guard*, a subreaper
//! that does nothing but wait: should the keeper be killed, its descendants become the guard's.
//! So dwindle need not adopt, and could not confuse, processes that a host program has started.

mod family;
mod guard;
mod handle;
mod keep;
mod limits;
mod wire;

pub(crate) use guard::guard;
pub(crate) use handle::{Died, Keeper, Kept};
pub(crate) use keep::keep;
pub use limits::Limits;
pub(crate) use limits::limited;

/// The file in a place that holds what a program other than the test has printed.
pub(crate) const PRINTED: &str = "printed";
/// How much that may be, in bytes, and any other file that it writes; beyond, it is killed.
pub const PRINTED_LIMIT: u64 = 64 << 20;
/// The hidden first argument of a guard.
pub(crate) const GUARD: &str = "__guard";
/// The hidden first argument of a keeper.
pub(crate) const KEEP: &str = "__keep";
/// The hidden first argument of what becomes a test under limits.
pub(crate) const LIMITED: &str = "__limited";

//! Keepers: processes of our own between dwindle and the tests, so that nothing of a test outlives
//! its run, nor dwindle.
//!
//! Each runner of tests has a *keeper*, which starts one test at a time and is its subreaper: what
//! leaves the test's process group or its session is still a descendant, and is found and killed
//! when the test has ended. When dwindle dies, of whatever, the keeper's end of a pipe closes; it
//! kills its test, removes the folders and ends. Above every keeper stands a *guard*, a subreaper
//! that does nothing but wait: should the keeper be killed, its descendants become the guard's.
//! So dwindle need not adopt, and could not confuse, processes that a host program has started.

mod arguments;
mod family;
mod guard;
mod handle;
mod input;
mod keep;
mod limits;
mod printed;
mod wire;

pub(crate) use arguments::{GUARD, KEEP, LIMITED};
pub use family::end_all;
pub(crate) use guard::guard;
pub(crate) use handle::{Died, Keeper, Kept};
pub(crate) use keep::keep;
pub(crate) use limits::limited;
pub use limits::{Limits, PRINTED_LIMIT};
pub use printed::run_that_printed;
pub(crate) use wire::Order;

//! Runs tests on candidates, each in a folder of its own, and leaves nothing of them.

#[cfg(not(target_os = "linux"))]
compile_error!("tests are run on Linux only; docs/platforms.md of dwindle says what is missing elsewhere");

mod engine;
mod files;
mod interrupt;
mod keeper;
mod lay;
mod program;
mod remove;
mod root;
mod run;
mod serve;
#[cfg(test)]
#[path = "../../skip.rs"]
mod skip;
mod station;
mod sweep;
mod usage;
mod workspace;

pub use engine::{Done, Engine, Errand};
pub use files::open_regular;
pub use interrupt::{Cancel, Interrupt, Interrupter, poll_until};
pub use keeper::{Limits, PRINTED_LIMIT, end_all, run_that_printed};
pub use lay::{Known, Laid, What, lay};
pub use program::set_program;
pub use run::{Part, Printed, Run, RunEnd, RunError, Sought, Stream, Wanted};
pub use serve::serve_if_asked;
pub use station::{Call, Moved, Station, Stations, most_stations};
pub use usage::{children_seconds, usage};
pub use workspace::{CandidateFile, FixedFile, Unfold, Workspace};

//! Test-case reduction: an input that makes a program misbehave, made as small as can be while a
//! test still finds it interesting.
//!
//! [`reduce`] runs a whole reduction as the command does; [`read`] and [`driver`]
//! are its parts, around the pure searches of [`dwindle_core`].

mod cancellation;
mod checks;
pub mod claim;
mod clang_delta;
mod crew;
pub mod driver;
mod external;
mod files;
mod formatting;
pub mod journal;
pub mod keep;
mod layout;
pub mod method;
mod oracle;
mod output;
mod reduce;
mod report;
mod serve;
mod session;
pub mod shell;
pub mod simulation;
mod test_file;

pub use dwindle_core as core;
pub use dwindle_read as read;
pub use dwindle_read::{FrontEnd, Reading, Size, shown};
pub use dwindle_run::{Interrupt, Interrupter, Limits, Run, RunEnd, RunError};
pub use method::Method;
pub use output::OutputError;
pub use reduce::{Config, Error, Event, NextRun, Progress, Target, When, reduce};
pub use report::{
    CpuSeconds, End, External, Formatted, Formatting, LongToken, Questions, Report, Seconds, Warning,
};
pub use serve::serve_if_asked;

//! Test-case reduction: an input that makes a program misbehave, made as small as can be while a
//! test still finds it interesting.
//!
//! [`reduce`] runs a whole reduction as the command does; [`front_end`], [`oracle`] and [`driver`]
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
pub mod front_end;
mod interrupt;
pub mod journal;
pub mod keep;
mod keeper;
mod layout;
pub mod lexer;
pub mod method;
pub mod oracle;
mod output;
mod reduce;
mod report;
mod serve;
mod session;
pub mod shell;
pub mod simulation;
mod sweep;
mod workspace;

pub use dwindle_core as core;
pub use front_end::{FrontEnd, Reading};
pub use interrupt::{Interrupt, Interrupter};
pub use keeper::Limits;
pub use method::Method;
pub use output::OutputError;
pub use reduce::{Config, Error, Event, Progress, Target, When, reduce};
pub use report::{
    CpuSeconds, End, External, Formatted, Formatting, Questions, Report, Seconds, Size, Warning,
};
pub use serve::serve_if_asked;

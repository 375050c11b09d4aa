//! Test-case reduction: an input that makes a program misbehave, made as small as can be while a
//! test still finds it interesting.
//!
//! [`Reducer`] reduces bytes by a closure or a command. [`reduce_file`] reduces a file by a script, as the command
//! `dwindle` does; [`isolate_files`] looks for the difference between two files that matters. Both reductions assemble what [`reduce`] works with: a [`Document`], a [`plan`](plan::plan) of its search, a
//! [`Probe`](probe::Probe) that an [`Executor`](executor::Executor) runs, a [`Sink`](sink::Sink) for results and a
//! [`Store`](store::Store) for what is known beside them. The searches are in [`dwindle_core`].

/// The code of the book's page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/library.md")]
struct Book;

mod aside;
mod asking;
mod checks;
mod checkup;
mod chores;
pub mod claim;
mod clang_delta;
mod config;
mod coverage;
mod differences;
mod document;
pub mod driver;
mod error;
mod event;
pub mod executor;
mod expression;
mod external;
mod file;
mod files;
mod filter;
mod first_look;
mod folder;
mod formatter;
mod guards;
mod inbox;
mod isolation;
mod isolator;
mod items;
pub mod journal;
pub mod keep;
mod layout;
mod marking;
pub mod method;
mod other_crashes;
mod output;
mod paths;
pub mod plan;
pub mod probe;
mod questions;
pub mod recognition;
mod reduce;
mod reducer;
mod reduction;
mod repeats;
mod report;
mod root;
mod same_file;
mod script;
mod serve;
pub mod shell;
pub mod simulation;
pub mod sink;
mod stop;
pub mod store;
pub mod trace;
mod verdict;

pub use checkup::{Checkup, Doubt, Problem, Remark, check_test};
pub use config::{Config, ItemList, Remote, Target, Test, When};
pub use differences::Units;
pub use document::{Document, File};
pub use dwindle_core as core;
pub use dwindle_read as read;
pub use dwindle_read::{FrontEnd, Reading, Size, shown};
pub use dwindle_run::{Engine, Interrupt, Interrupter, Limits, Part, Run, RunEnd, RunError, Stream, Wanted};
pub use error::{Error, NextRun, Rejection};
pub use event::Event;
pub use file::reduce_file;
pub use first_look::recognise_command;
pub use folder::{Selection, folder_as_text, restore_folder};
pub use guards::Guard;
pub use inbox::Reply;
pub use isolation::{Changes, Counts, GitRange, Isolated, Isolation, Versions, isolate_files};
pub use isolator::Isolator;
pub use items::Items;
pub use method::Method;
pub use other_crashes::AlsoInteresting;
pub use paths::{folder_of, followed};
pub use questions::Questions;
pub use reduce::{Ports, reduce};
pub use reducer::{Reduced, Reducer};
pub use repeats::Repeats;
pub use report::{
    CpuSeconds, End, External, Formatted, Formatting, LongToken, Progress, Repeated, Report, Seconds, Stage,
    Warning,
};
pub use same_file::is_same_file;
pub use serve::serve_if_asked;
pub use sink::OutputError;
pub use stop::Stop;
pub use verdict::{Criteria, Matching, Ran, signal_name};

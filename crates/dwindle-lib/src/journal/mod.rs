//! The journal of a reduction: what its tests said and which variants were kept, so that a run that
//! was killed goes on where it was, and so that its history can be looked at.
//!
//! A journal is one file that is only appended to. It begins with `dwindleJ` and the version of the
//! format; behind that come records, each with its length, its kind and a checksum. A record is one
//! `write`, so a process that is killed leaves whole records and at most one torn one behind them.
//! Reading stops at the first record that is not whole, and going on cuts off what is behind it.
//!
//! - [`Subject`] is what a journal is about; its key is the name of the file in a [`Place`].
//! - [`Journal`] is written by the one run that holds the lock on the file.
//! - [`History`] reads a journal, also while it is written. It needs nothing but the file: the
//!   input is its step 0.

mod about;
mod compact;
mod contents;
mod error;
mod file;
mod history;
mod place;
mod record;
mod steps;
mod store;
mod subject;

pub use about::About;
pub use error::JournalError;
pub use history::History;
pub use place::{GIVEN_UP, Place};
pub use record::{KnownOutcome, Step};
pub use steps::Steps;
pub use store::{Journal, Policy, Recovered};
pub use subject::Subject;
pub(crate) use subject::real;

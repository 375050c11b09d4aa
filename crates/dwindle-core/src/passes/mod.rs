//! Transformations beyond deletion.
//!
//! A *pass* is a function from a tree to a list of *choices*: places with ordered alternatives, each
//! of which puts other tokens into the place of some. A search decides which are taken: a list
//! minimiser where most choices succeed, else one after the other. Of two that touch the same token
//! the one with the lower index is taken. A variant is asked about only where it is smaller than the
//! best: it has fewer tokens, else fewer bytes, else it comes earlier in the order of the bytes. So
//! nothing is done in circles, whatever the passes propose.
//!
//! No pass knows a word of a language. They go by the tree, the slots of its nodes, what tokens look like
//! (`lexical.rs`: brackets, quotes, digits), and what the front end says of kinds and signs ([`crate::Lexicon`]).
//!
//! [`PassSearch`] runs any search that deletes, and then the passes in the order of one table, the
//! [`SCHEDULE`]; when they took much away, deletion again.

mod alike;
mod along;
mod bodies;
mod brackets;
mod calls;
mod choice;
mod delete;
mod files;
mod flatten;
mod fold;
mod generics;
mod halves;
mod hoist;
mod indentation;
mod inline;
mod join;
mod layout;
mod lexical;
mod literals;
mod names;
mod numbered;
mod pairs;
mod parameters;
mod pass;
mod phrases;
mod pointers;
mod relocate;
mod replace;
mod results;
mod schedule;
mod search;
mod shorten;
mod splice;
mod trial;
mod unwrap;
mod values;
mod windows;
mod words;

pub use choice::Choice;
pub use pass::{Level, Pass};
pub use schedule::{SCHEDULE, Schedule, ScheduledPass, Way};
pub use search::PassSearch;

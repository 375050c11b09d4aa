//! The pure search of dwindle: list minimisers and reducers as cloneable ask/tell machines.
//!
//! Nothing here knows of files, processes, clocks or threads. A [`Minimizer`] searches a [`Subset`]
//! of the positions `0..n`; a [`Search`] uses one to search the variants of a [`Text`] and is what
//! a driver runs. [`minimize`] is all of that for a list of anything and a closure. An
//! [`Isolator`](isolate::Isolator) looks for the difference between two lists; [`isolate()`] is that for a closure.
#![no_std]

extern crate alloc;

pub mod alternate;
mod any;
mod buckets;
mod cancellation;
pub mod chisel;
mod comments;
pub mod debloat;
mod edit;
mod empty;
mod evidence;
mod external;
pub mod hdd;
pub mod isolate;
mod kind;
mod lexicon;
pub mod linked;
mod list;
mod memory;
mod minimize;
mod minimizer;
pub mod minimizers;
mod named;
mod names;
mod open_list;
mod ordered;
pub mod passes;
pub mod perses;
mod random;
mod range;
mod residual;
mod screen;
mod search;
mod stand_in;
mod subset;
mod sums;
mod text;
mod tree;
pub mod tuning;
mod variant;
mod walk;

pub use alternate::AlternatingSearch;
pub use any::AnySearch;
pub use cancellation::{Cancel, Cancellation};
pub use chisel::ChiselSearch;
pub use comments::WithComments;
pub use debloat::{Coverage, DebloatSearch};
pub use edit::{Change, Edit};
pub use empty::{EmptyPolicy, WithEmpty};
pub use evidence::{Evidence, Vocabulary};
pub use external::ExternalSearch;
pub use hdd::{HddrOrder, TreeOptions, TreeReducer, TreeSearch};
pub use isolate::isolate;
pub use kind::{AnyMinimizer, MinimizerConfig, MinimizerKind};
pub use lexicon::{Kind, Lexicon, Operation, Phrase, Signs};
pub use linked::LinkedSearch;
pub use list::{ListSearch, Plan};
pub use minimize::{minimize, minimize_with};
pub use minimizer::{Minimizer, Outcome};
pub use names::{How, Mention, Names};
pub use passes::PassSearch;
pub use perses::{PersesReducer, PersesSearch};
pub use search::{Answer, Ask, ListQuestion, Offers, Origin, Request, Search, Shape};
pub use subset::Subset;
pub use text::{Format, Gaps, Insertion, Pieces, Quotes, StandIn, Text, Tokens};
pub use tree::builder::TreeBuilder;
pub use tree::transform::{Transform, Transforms};
pub use tree::{List, Node, Role, Slot, Syntax, Tree};
pub use tuning::Tuning;
pub use variant::Variant;

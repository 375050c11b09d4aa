//! What a grammar says of the children of a node: which are elements of a list, which are optional
//! and go together, which must stay and what may stand in their places.
//!
//! A [`Grammar`] is read as it is written. [`Productions`] are what remains of it when rules without
//! nodes of their own are put into those that mention them: for each kind of visible node one regular
//! expression over the kinds of its children, in a normal form, small enough to be kept in a file.

mod expr;
mod matcher;
mod minimal;
mod pattern;
mod productions;
mod rule;

pub use expr::{Child, Class, Expr, List};
pub use matcher::{Derived, InList, Matcher, Unit};
pub use minimal::{Minimal, Sentence};
pub use productions::{Kind, Productions};
pub use rule::{Grammar, Malformed, Rule};

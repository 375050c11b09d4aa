//! Isolation: what makes the difference between a list that passes and one that fails.
//!
//! A minimiser looks for a small list that fails. An [`Isolator`] has two lists, one within the other: one passes,
//! one fails, and it moves them towards each other until hardly anything lies between them. Its questions have three
//! outcomes: [`Interesting`](crate::Outcome::Interesting) fails as the larger list does,
//! [`Uninteresting`](crate::Outcome::Uninteresting) passes as the smaller one does, and with
//! [`Unresolved`](crate::Outcome::Unresolved) the test can say neither.

mod any;
mod dd;
mod guided;
mod isolator;
mod list;
mod search;

pub use any::{Algorithm, AnyIsolator};
pub use dd::Dd;
pub use guided::Guided;
pub use isolator::Isolator;
pub use list::{Isolated, isolate, isolate_with};
pub use search::{Delta, Differences, IsolateSearch, Level};

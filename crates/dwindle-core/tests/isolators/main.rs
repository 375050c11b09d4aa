//! The isolators against the published algorithm as it is printed, against worked examples, and for the guarantees
//! that they claim under oracles with three outcomes.

mod guarantees;
mod oracle;
mod reference;
mod run;
mod same_questions;
mod search;

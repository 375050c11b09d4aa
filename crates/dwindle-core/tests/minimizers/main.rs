//! The list minimisers against published traces, against the papers' blocking pseudocode, for the
//! guarantees they claim and under hostile oracles.

mod adversarial;
mod empty_policy;
mod guarantees;
mod machine;
mod oracle;
mod published;
mod reference;
mod run;
mod same_questions;
mod state;

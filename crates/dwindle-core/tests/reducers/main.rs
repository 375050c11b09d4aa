//! The tree reducers against the pseudocode of their papers: blocking, over plain trees that are changed as the papers
//! change them. Machine and model ask the same executed questions in the same order, whatever the oracle answers.
//!
//! Lists are searched by the list minimisers, which have references of their own (`tests/minimizers/reference`).

mod hdd;
mod lists;
mod oracle;
mod perses;

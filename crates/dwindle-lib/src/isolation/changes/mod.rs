//! Isolation between two trees of files, such as two commits: their differences are the hunks of a patch.

mod checkout;
mod git;
mod isolate;
mod patch;
mod repository;

pub(super) use isolate::isolate_changes;

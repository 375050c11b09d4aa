//! The layout of results.

mod brackets;
mod conventions;
mod files;
mod foreign;
mod ours;
mod result;

pub(crate) use conventions::Conventions;
pub(crate) use ours::has_layout;
pub(crate) use result::Manner;

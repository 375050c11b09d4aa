//! The layout of results.

mod brackets;
mod conventions;
mod foreign;
mod result;

pub(crate) use conventions::Conventions;
pub(crate) use result::{Manner, has_layout};

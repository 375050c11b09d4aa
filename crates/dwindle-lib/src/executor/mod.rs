//! Where tests run.

mod closure;
mod commands;
mod elsewhere;
mod paths;
mod pool;
mod port;
mod worth;

pub(crate) use closure::Closure;
pub(crate) use pool::Pool;
pub use port::Executor;
pub(crate) use worth::{Slower, Worth};

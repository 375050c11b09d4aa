//! Where tests run.

mod closure;
mod commands;
mod elsewhere;
mod paths;
mod pool;
mod port;

pub(crate) use closure::Closure;
pub(crate) use pool::Pool;
pub use port::Executor;

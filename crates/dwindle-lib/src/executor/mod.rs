//! Where tests run.

mod closure;
mod local;
mod port;

pub(crate) use closure::Closure;
pub(crate) use local::Local;
pub use port::Executor;

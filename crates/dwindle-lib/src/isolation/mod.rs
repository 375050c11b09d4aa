//! Isolation: what makes one version fail where another one passes.

mod changes;
mod options;
mod report;
mod start;
mod texts;
mod world;

pub use options::{GitRange, Isolation};
pub use report::{Changes, Counts, Isolated, Versions};
pub use start::isolate_files;
pub(crate) use texts::isolate;

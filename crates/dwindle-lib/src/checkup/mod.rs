//! A look at a test as a reduction would use it: whether it says the same every time, whether it looks at the candidate, and
//! what it does beside that.

mod examine;
mod findings;

pub use examine::check_test;
pub use findings::{Checkup, Doubt, Problem, Remark};

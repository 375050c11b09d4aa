//! Programs that come with dwindle and look whether a candidate is one that nobody wants.

mod guard;

pub use guard::Guard;

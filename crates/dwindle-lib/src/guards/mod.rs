//! Programs that come with dwindle and look for what must not be in a candidate.

mod guard;

pub use guard::Guard;

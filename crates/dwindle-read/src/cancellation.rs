//! When what dwindle itself computes is not wanted any more.
//!
//! A test is waited for, so it can be ended by whoever waits. What a thread
//! computes (a parse, a search between two questions) has to ask: [`unless`] runs it, and while it runs,
//! `current` is what it asks. Asking leaves it by unwinding, so nothing half done is ever used, and no result is
//! passed through all that computes. Where a program aborts instead of unwinding, a computation comes to its end.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use dwindle_core::Cancellation;

/// What a computation ends with that was left.
struct Left;

/// Leaves the computation that asks. Only what [`unless`] runs may do so.
pub fn leave() {
    if cfg!(not(panic = "abort")) {
        resume_unwind(Box::new(Left));
    }
}

thread_local! {
    static CURRENT: RefCell<Cancellation> = RefCell::default();
}

/// What cancels the computation that this thread does; nothing does outside of [`unless`].
pub(crate) fn current() -> Cancellation {
    CURRENT.with_borrow(Clone::clone)
}

/// What `compute` comes to; nothing if it was left because of `cancellation`.
pub fn unless<T>(cancellation: &Cancellation, compute: impl FnOnce() -> T) -> Option<T> {
    let around = CURRENT.replace(cancellation.clone());
    // What it has changed is whatever its questions and steps have made of it, as if the next one had not come.
    let computed = catch_unwind(AssertUnwindSafe(compute));
    CURRENT.set(around);
    match computed {
        Ok(computed) => Some(computed),
        Err(left) if left.is::<Left>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(any(test, feature = "samples"))]
#[expect(missing_docs, reason = "for tests")]
pub mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Cancels when it was asked so often.
    #[derive(Debug)]
    struct After(AtomicU64);

    impl dwindle_core::Cancel for After {
        fn is_cancelled(&self) -> bool {
            let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            left.is_err()
        }

        fn leave(&self) {
            leave();
        }
    }

    /// What `compute` comes to if nobody waits any more when it has asked so often.
    pub fn within<T>(asks: u64, compute: impl FnOnce() -> T) -> Option<T> {
        unless(&Cancellation::new(Arc::new(After(AtomicU64::new(asks)))), compute)
    }

    /// How often `compute` asks.
    pub fn asks<T>(compute: impl FnOnce() -> T) -> u64 {
        let all = Arc::new(After(AtomicU64::new(u64::MAX)));
        unless(&Cancellation::new(all.clone()), compute);
        u64::MAX - all.0.load(Ordering::Relaxed)
    }

    #[test]
    fn what_nobody_waits_for_is_left() {
        assert_eq!(within(2, || (current().check(), current().check())), Some(((), ())));
        assert_eq!(within(1, || (current().check(), current().check())), None);
        let inner = || within(0, || current().check());
        assert_eq!(within(1, || (inner(), current().check())), Some((None, ())), "each its own");
        current().check();
    }
}

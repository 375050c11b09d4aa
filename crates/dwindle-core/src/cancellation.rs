//! Whether a computation is still wanted.

use alloc::sync::Arc;
use core::fmt::Debug;

/// What long computations ask again and again: whether anybody still waits for what they compute. By default
/// somebody always does.
///
/// A computation that nobody waits for is left without a result, so that no caller can go on with half a one:
/// [`check`](Self::check) does not return then. A [`Text`](crate::Text) carries the value of the run that it
/// belongs to, so whatever works on a text, a tree or a variant can ask.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Option<Arc<dyn Cancel>>);

/// What cancels computations, and how they end.
pub trait Cancel: Debug + Send + Sync {
    /// Whether nobody waits any more. Once it is so it stays so.
    fn is_cancelled(&self) -> bool;

    /// Leaves the computation that asks, by unwinding. It goes on where this returns.
    fn leave(&self);
}

impl Cancellation {
    /// One that says what `cancel` says.
    pub fn new(cancel: Arc<dyn Cancel>) -> Self {
        Self(Some(cancel))
    }

    /// Whether nobody waits any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|cancel| cancel.is_cancelled())
    }

    /// Leaves the computation if nobody waits for it any more. Cheap enough for every turn of a loop.
    pub fn check(&self) {
        if let Some(cancel) = &self.0
            && cancel.is_cancelled()
        {
            cancel.leave();
        }
    }
}

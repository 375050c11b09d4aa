//! Why a grammar gives no tree.

/// Why there is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The parser took more steps than any input of that size should need.
    #[error("the grammar takes too many steps on this input")]
    TooManySteps,
    /// The process in which it ran died or answered nonsense.
    #[error("the grammar crashes on this input")]
    Crashed,
    /// No process could be started for it.
    #[error("no process could be started to run the grammar in")]
    NotStarted,
    /// The process in which it ran had used up its time of a processor.
    #[error("the grammar takes too long on this input")]
    TooSlow,
    /// The input has 2 GiB or more.
    #[error("the input is too large for a grammar")]
    TooLarge,
}

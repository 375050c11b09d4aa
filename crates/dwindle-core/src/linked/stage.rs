//! What is asked of a tree, stage by stage.

/// What a walk over the tree asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// All that there is a reason to ask.
    Search,
    /// Parts of nodes in their place, and strings in their stead.
    Parts,
    /// Each node that can go, alone: the check for 1-minimality.
    Check,
}

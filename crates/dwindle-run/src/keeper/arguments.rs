//! The hidden first arguments by which this program serves as something else.

/// Of a guard.
pub(crate) const GUARD: &str = "__guard";
/// Of a keeper.
pub(crate) const KEEP: &str = "__keep";
/// Of what becomes a program under limits.
pub(crate) const LIMITED: &str = "__limited";

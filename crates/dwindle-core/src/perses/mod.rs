//! Syntax-guided reduction: Perses (Sun et al., ICSE 2018) and our successor of it.
//!
//! The places of the tree wait in a queue, those with most tokens first. What becomes of one depends
//! on what the grammar says of it:
//!
//! - a *list* is searched by any list minimiser, as a whole first where it may be empty; one that needs
//!   an element is tried with its first element alone, and never emptied;
//! - any other node goes if it can, or is replaced by a node below it that fits its
//!   [slot](crate::Tree::slot) (found breadth first, down to a depth), the smallest first; an element of
//!   a list also by the elements of a list below it;
//! - a *chain* is nodes of one kind, each inside of the one before, such as `a + b + c` or `f(g(h(x)))`.
//!   Each of them but the innermost is a wrapper that can go alone, so they are searched as a list:
//!   whatever the depth, a few questions find what is needed. Perses' normal form of a grammar makes
//!   lists of those that recur at their beginning or end.
//!
//! A replacement deletes the tokens of a node that are outside of another, so all of this is done on
//! one unchanged tree. When the queue is empty and something went, the result is read anew and all
//! begins again, until nothing goes.
//!
//! | reducer | replacements |
//! |---|---|
//! | perses | as above, chains that recur at an end |
//! | perses+ (ours) | also the minimal string of the place, chains that recur anywhere |
//!
//! Where we differ from Perses 2.0:
//!
//! - its tree has nodes for lists and options and none for chains of single children, which moves the
//!   depths a little;
//! - a token that is all of its rule is tried alone as any node is, which Perses leaves to the search of its list;
//! - nothing is tried that the grammar would refuse, such as the last element of a list inside of one that needs it;
//! - only lists without separators are put in the place of an element;
//! - an element of a list with several is not tried in the place of a node around the list. The
//!   elements together are, where that may be; else the list is searched first, and when it has come
//!   down to one element the next round tries that. This saved a third of the questions where a grammar
//!   lets statements stand outside of functions (`gcc-unswitch-fold`: 719 without, 439 with it) and cost
//!   nothing in size.
//!
//! With a minimiser whose results are 1-minimal, both end in a round in which every node that the grammar
//! lets go was refused alone: the result is 1-tree-minimal in such nodes.
//!
//! An example of how it is run is at [`Search`](crate::Search).

mod search;

pub use search::{PersesReducer, PersesSearch};

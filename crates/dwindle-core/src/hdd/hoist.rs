//! Hoisting (Vince et al. 2021): a node is replaced by one below it that fits its place.
//!
//! Where nodes that fit are nested, it goes 1, 2, 4, ... of them down at once, along the heaviest, and
//! when that was too far, half of the way that is left: whatever the depth, its logarithm is asked. Then
//! all others that are the first to fit on their way down are tried, and after a success all begins
//! again. picireny tries those alone, one step at a time, and looks for them at any depth; here it is
//! five at most.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::tree::{Role, Tree};
use crate::{Subset, Variant};

/// How far below a node another is looked for that fits its place.
const DEPTH: usize = 5;

/// The state at one place.
#[derive(Clone, Debug)]
pub(super) struct Hoist {
    pub(super) place: usize,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// This many nodes down at once; `too_far` of them are known to be too many.
    Down { inner: usize, steps: usize, too_far: Option<usize> },
    /// One of the others.
    Others { others: Arc<[usize]>, next: usize },
}

/// What is left of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) tree: &'a Tree,
    pub(super) alive: &'a Subset,
    pub(super) best: &'a Variant,
}

impl Hoist {
    /// The search at `place`, if anything below it fits.
    pub(super) fn at(place: usize, ground: Ground<'_>) -> Option<Self> {
        ground.stands(place).then(|| Self::down(place, 1, None, ground)).flatten()
    }

    /// What is to stand there.
    pub(super) fn inner(&self) -> usize {
        match &self.stage {
            Stage::Down { inner, .. } => *inner,
            Stage::Others { others, next } => others[*next],
        }
    }

    /// What is to be tried next. After a success the ground is that on which it stands there.
    pub(super) fn next(&self, success: bool, ground: Ground<'_>) -> Option<Self> {
        let place = self.place;
        match &self.stage {
            Stage::Down { steps, too_far, .. } => {
                let too_far = if success { too_far.map(|far| far - steps) } else { Some(*steps) };
                match too_far.map_or(2 * steps, |far| far / 2) {
                    0 => {
                        let heaviest = ground.step(place, place);
                        let others = ground.fitting(place, place).filter(|other| Some(*other) != heaviest);
                        Self::other(place, others.collect(), 0)
                    }
                    steps => Self::down(place, steps, too_far, ground),
                }
            }
            Stage::Others { .. } if success => Self::at(place, ground),
            Stage::Others { others, next } => Self::other(place, others.clone(), next + 1),
        }
    }

    fn down(place: usize, most: usize, too_far: Option<usize>, ground: Ground<'_>) -> Option<Self> {
        let path = core::iter::successors(ground.step(place, place), |&node| ground.step(place, node));
        let (steps, inner) = (1..=most).zip(path).last()?;
        Some(Self { place, stage: Stage::Down { inner, steps, too_far } })
    }

    fn other(place: usize, others: Arc<[usize]>, next: usize) -> Option<Self> {
        (next < others.len()).then_some(Self { place, stage: Stage::Others { others, next } })
    }
}

impl Ground<'_> {
    fn stands(&self, node: usize) -> bool {
        let is = &self.tree.nodes()[node];
        is.role != Role::Separator && self.alive.contains(node) && self.best.has(is.tokens())
    }

    /// The heaviest of those below `node` that fit at `place`.
    fn step(&self, place: usize, node: usize) -> Option<usize> {
        let tokens = |node: usize| self.tree.tokens(node).len();
        self.fitting(place, node).max_by_key(|&inner| (tokens(inner), core::cmp::Reverse(inner)))
    }

    /// The nodes below `node` that fit at `place` and are less than `node`, the first on each way down.
    fn fitting(&self, place: usize, node: usize) -> impl Iterator<Item = usize> {
        let tree = self.tree;
        let whole = tree.tokens(node);
        let less = move |inner: usize| {
            let tokens = tree.tokens(inner);
            self.best.has(whole.start..tokens.start) || self.best.has(tokens.end..whole.end)
        };
        let mut found = Vec::new();
        let mut ways = VecDeque::from([(node, 0)]);
        while let Some((node, depth)) = ways.pop_front() {
            for child in tree.children(node).filter(|&child| self.stands(child)) {
                if tree.can_replace(child, place) && less(child) {
                    found.push(child);
                } else if depth + 1 < DEPTH {
                    ways.push_back((child, depth + 1));
                }
            }
        }
        found.into_iter()
    }
}

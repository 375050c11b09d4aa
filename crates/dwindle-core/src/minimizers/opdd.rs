//! OPDD, one-pass delta debugging (Gharachorlu & Sumner 2018).
//!
//! Every chunk of a granularity is deleted or kept once, nothing is restarted or revisited, then
//! every surviving chunk is halved. At most `2·2^⌈log2 n⌉` questions; minimal for a monotone
//! oracle, not 1-minimal in general.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::range::widen;
use crate::{Minimizer, Outcome, Subset};

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct Opdd {
    best: Subset,
    /// The chunks of this granularity. A chunk goes as a whole, so it stays one range of positions.
    chunks: Arc<[Range<u32>]>,
    /// The chunk that is being tried; behind the last one the search is over.
    chunk: usize,
}

impl Opdd {
    /// A search over `0..len`.
    pub fn new(len: usize) -> Self {
        let whole = 0..len as u32;
        let chunks = if len < 2 { Vec::new() } else { halves(&whole).into() };
        Self { best: Subset::full(len), chunks: chunks.into(), chunk: 0 }
    }
}

fn halves(chunk: &Range<u32>) -> [Range<u32>; 2] {
    let middle = chunk.start + (chunk.end - chunk.start) / 2;
    [chunk.start..middle, middle..chunk.end]
}

impl Minimizer for Opdd {
    fn ask(&self) -> Option<Subset> {
        Some(self.best.without_range(widen(self.chunks.get(self.chunk)?)))
    }

    fn tell(&mut self, outcome: Outcome) {
        if outcome.is_interesting()
            && let Some(candidate) = self.ask()
        {
            self.best = candidate;
        }
        self.chunk += 1;
        if self.chunk < self.chunks.len() {
            return;
        }
        let survivors = self.chunks.iter().filter(|chunk| self.best.contains(chunk.start as usize));
        let mut finer = Vec::new();
        let mut split = false;
        for chunk in survivors {
            if chunk.len() > 1 {
                finer.extend(halves(chunk));
                split = true;
            } else {
                finer.push(chunk.clone());
            }
        }
        if split {
            self.chunks = finer.into();
            self.chunk = 0;
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

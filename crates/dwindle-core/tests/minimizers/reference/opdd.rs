//! OPDD: each chunk of a granularity once, then all are halved.

use dwindle_core::minimizers::Split;

use super::ddmin::cut;
use super::list::{Test, without};

pub(crate) fn opdd(list: Vec<usize>, test: Test<'_>) -> Vec<usize> {
    let mut best = list;
    if best.len() < 2 {
        return best;
    }
    let mut chunks = cut(&best, 2, Split::Balanced);
    loop {
        chunks.retain(|chunk| {
            let candidate = without(&best, chunk);
            let passed = test(&candidate);
            if passed {
                best = candidate;
            }
            !passed
        });
        if chunks.iter().all(|chunk| chunk.len() <= 1) {
            return best;
        }
        chunks = chunks.iter().flat_map(|chunk| cut(chunk, 2, Split::Balanced)).collect();
    }
}

//! ddmin by number of chunks; surviving chunks are kept.

use dwindle_core::minimizers::{AfterSuccess, DdminOptions, Split};

use super::list::{Test, without};

pub(crate) fn ddmin(list: Vec<usize>, options: DdminOptions, test: Test<'_>) -> Vec<usize> {
    let mut best = list;
    let mut chunks = cut(&best, 2, options.split);
    let mut offset = 0;
    while best.len() >= 2 {
        let n = chunks.len();
        if options.subsets
            && let Some(i) = (0..n).find(|&i| test(&chunks[i]))
        {
            best = chunks.remove(i);
            chunks = cut(&best, 2, options.split);
            offset = 0;
            continue;
        }
        let first = match options.after_success {
            AfterSuccess::Restart => 0,
            AfterSuccess::Continue => offset,
        };
        let passing = (0..n).map(|i| (first + i) % n).find(|&i| test(&without(&best, &chunks[i])));
        if let Some(i) = passing {
            best = without(&best, &chunks.remove(i));
            offset = i;
            if chunks.len() < 2 {
                chunks = cut(&best, 2, options.split);
                offset = 0;
            }
        } else if n < best.len() {
            let finer = (2 * n).min(best.len());
            offset = offset * finer / n;
            chunks = cut(&best, finer, options.split);
        } else {
            break;
        }
    }
    best
}

pub(super) fn cut(list: &[usize], n: usize, split: Split) -> Vec<Vec<usize>> {
    let (len, n) = (list.len(), n.min(list.len()));
    let mut rest = list;
    let mut chunks = Vec::new();
    for i in 0..n {
        let size = match split {
            Split::Zeller => rest.len() / (n - i),
            Split::Balanced => len * (i + 1) / n - len * i / n,
            Split::FirstHeavy => len / n + usize::from(i < len % n),
        };
        let (chunk, behind) = rest.split_at(size);
        chunks.push(chunk.to_vec());
        rest = behind;
    }
    chunks
}

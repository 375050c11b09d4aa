//! ddmin by number of chunks; surviving chunks are kept.

use dwindle_core::minimizers::{AfterSuccess, DdminOptions, Order, Split};

use super::list::{Test, without};

pub(crate) fn ddmin(list: Vec<usize>, options: DdminOptions, test: Test<'_>) -> Vec<usize> {
    let mut best = list;
    loop {
        let before = best.len();
        best = one_run(best, options, test);
        if !options.again || best.len() == before {
            return best;
        }
    }
}

fn one_run(list: Vec<usize>, options: DdminOptions, test: Test<'_>) -> Vec<usize> {
    let factor = options.factor as usize;
    let in_order = |list: &[usize], n: usize| {
        let mut chunks = cut(list, n, options.split);
        if options.order == Order::Backward {
            chunks.reverse();
        }
        chunks
    };
    let start = options.start_size.map_or(factor, |size| list.len().div_ceil(size as usize));
    let mut best = list;
    let mut chunks = in_order(&best, start.max(factor));
    let mut offset = 0;
    while best.len() >= 2 {
        let n = chunks.len();
        let mut subset = |chunks: &[Vec<usize>]| {
            if options.subsets { (0..n).find(|&i| test(&chunks[i])) } else { None }
        };
        let mut passing = if options.complements_first { None } else { subset(&chunks) };
        if passing.is_none() {
            let first = match options.after_success {
                AfterSuccess::Restart => 0,
                AfterSuccess::Continue => offset,
            };
            let complement = (0..n).map(|i| (first + i) % n).find(|&i| test(&without(&best, &chunks[i])));
            if let Some(i) = complement {
                best = without(&best, &chunks.remove(i));
                offset = i;
                if chunks.len() < 2 {
                    chunks = in_order(&best, factor);
                    offset = 0;
                }
                continue;
            }
            if options.complements_first && options.subsets {
                passing = (0..n).find(|&i| test(&chunks[i]));
            }
        }
        if let Some(i) = passing {
            best = chunks.remove(i);
            chunks = in_order(&best, factor);
            offset = 0;
        } else if n < best.len() {
            let finer = (factor * n).min(best.len());
            offset = offset * finer / n;
            chunks = in_order(&best, finer);
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

//! Adaptive generalised binary splitting on a list of unseen elements.

use super::list::{Test, without};

pub(crate) fn splitting(list: Vec<usize>, test: Test<'_>) -> Vec<usize> {
    let mut best = list.clone();
    let mut unseen: Vec<usize> = list.into_iter().rev().collect();
    let (mut needed, mut seen): (f64, f64) = (0.1, 1.0);
    while !unseen.is_empty() {
        let size = (-(2.0f64.ln()) / (-needed / seen).ln_1p()).floor().max(1.0) as usize;
        let mut suspects = unseen[..size.min(unseen.len())].to_vec();
        if remove(&mut best, &suspects, test) {
            seen += suspects.len() as f64;
            unseen.drain(..suspects.len());
            continue;
        }
        while suspects.len() > 1 {
            let right = suspects.split_off(suspects.len() / 2);
            if remove(&mut best, &suspects, test) {
                seen += suspects.len() as f64;
                suspects = right;
            }
        }
        (needed, seen) = (needed + 1.0, seen + 1.0);
        let found = unseen.iter().position(|element| *element == suspects[0]).expect("suspects are unseen");
        unseen.drain(..=found);
    }
    // Round and round until everything was refused in a row; what was refused before is in the
    // cache, so leaving it out does not show among the executed questions.
    let mut queue: Vec<usize> = best.iter().rev().copied().collect();
    let mut refused = 0;
    while refused < queue.len() {
        let element = queue.remove(0);
        if remove(&mut best, &[element], test) {
            refused = 0;
        } else {
            refused += 1;
            queue.push(element);
        }
    }
    best
}

fn remove(best: &mut Vec<usize>, removal: &[usize], test: Test<'_>) -> bool {
    let candidate = without(best, removal);
    let passed = test(&candidate);
    if passed {
        *best = candidate;
    }
    passed
}

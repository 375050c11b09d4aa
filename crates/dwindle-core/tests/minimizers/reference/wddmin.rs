//! Wddmin with its final pass.

use dwindle_core::minimizers::SplitTie;

use super::list::{Test, without};

pub(crate) fn wddmin(list: Vec<usize>, weights: &[u32], tie: SplitTie, test: Test<'_>) -> Vec<usize> {
    let mut best = list;
    let mut parts = partition(std::slice::from_ref(&best), weights, tie);
    while !parts.is_empty() {
        if let Some(i) = (0..parts.len()).find(|&i| test(&parts[i])) {
            best = parts.remove(i);
            parts = partition(std::slice::from_ref(&best), weights, tie);
        } else if let Some(i) = (0..parts.len()).find(|&i| test(&without(&best, &parts[i]))) {
            best = without(&best, &parts.remove(i));
        } else {
            parts = partition(&parts, weights, tie);
        }
    }
    while let Some(i) = (0..best.len()).find(|&i| test(&without(&best, &best[i..i + 1]))) {
        best.remove(i);
    }
    best
}

fn partition(parts: &[Vec<usize>], weights: &[u32], tie: SplitTie) -> Vec<Vec<usize>> {
    let divisible = parts.iter().filter(|part| part.len() > 1);
    divisible
        .flat_map(|part| {
            let (left, right) = part.split_at(cut(part, weights, tie));
            [left.to_vec(), right.to_vec()]
        })
        .collect()
}

fn cut(part: &[usize], weights: &[u32], tie: SplitTie) -> usize {
    let weight = |part: &[usize]| part.iter().map(|&element| i64::from(weights[element].max(1))).sum::<i64>();
    let total = weight(part);
    match tie {
        SplitTie::Larger => {
            let distance = |&at: &usize| (2 * weight(&part[..at]) - total).abs();
            (1..part.len()).rev().min_by_key(distance).expect("a part of two elements or more")
        }
        SplitTie::PersesFloor => {
            // Perses' loop: the element that crosses half of the weight goes where it is nearer.
            let half = total / 2;
            let mut at = 1;
            while at < part.len() - 1 && weight(&part[..at + 1]) <= half {
                at += 1;
            }
            let (below, above) = (weight(&part[..at]), weight(&part[..at + 1]));
            let crosses_nearer = above > half && half - below >= above - half;
            if crosses_nearer && at < part.len() - 1 { at + 1 } else { at }
        }
    }
}

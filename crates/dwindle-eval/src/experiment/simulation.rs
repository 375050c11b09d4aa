//! The simulation of the WDD paper (section IV-D): random lists whose elements are the less likely to go the heavier
//! they are.

use std::collections::HashMap;

use dwindle::core::{Minimizer, MinimizerConfig, MinimizerKind, Outcome, Subset};

use super::lab::Lab;
use crate::page::{Page, Table};
use crate::random::Random;
use crate::statistics::mean;

/// A random list: the weights of its elements, and which of them must stay.
fn list(
    random: &mut Random,
    (least, most): (usize, usize),
    (low, high): (f64, f64),
) -> (Vec<u32>, Vec<bool>) {
    let elements = least + random.below(most - least + 1);
    let tokens = elements + random.below(9 * elements + 1);
    let mut weights = vec![1; elements];
    (elements..tokens).for_each(|_| weights[random.below(elements)] += 1);
    let chance = low + (high - low) * random.unit();
    let stays = weights.iter().map(|&weight| random.unit() >= libm::pow(chance, f64::from(weight))).collect();
    (weights, stays)
}

/// How many questions it takes to find what stays; none is asked twice.
fn questions(kind: MinimizerKind, weights: &[u32], stays: &[bool]) -> u64 {
    let mut search = MinimizerConfig::new(kind).start(weights);
    let mut known: HashMap<Subset, Outcome> = HashMap::new();
    while let Some(candidate) = search.ask() {
        let lost = |(element, &stays): (usize, &bool)| stays && !candidate.contains(element);
        let outcome = *known.entry(candidate.clone()).or_insert_with(|| {
            let refused = stays.iter().enumerate().any(lost);
            if refused { Outcome::Uninteresting } else { Outcome::Interesting }
        });
        search.tell(outcome);
    }
    known.len() as u64
}

/// Lists in each row of the table.
const LISTS: u64 = 300;

pub(super) fn run(_: &mut Lab<'_>, page: &mut Page) -> anyhow::Result<()> {
    let mut table = Table::new(
        "Questions of Wddmin over those of ddmin, each with a full cache",
        &[
            "elements",
            "chance of a token to go",
            "mean of the ratios",
            "ratio of the sums",
            "lists that got worse",
        ],
    );
    let mut means = Vec::new();
    for (sizes, chances) in [
        ((2, 50), (0.0, 1.0)),
        ((2, 100), (0.0, 1.0)),
        ((10, 300), (0.0, 1.0)),
        ((2, 100), (0.8, 1.0)),
        ((2, 100), (0.99, 1.0)),
    ] {
        let mut random = Random::new(1);
        let (mut ratios, mut sums) = (Vec::new(), (0, 0));
        for _ in 0..LISTS {
            let (weights, stays) = list(&mut random, sizes, chances);
            let plain = questions(MinimizerKind::Ddmin, &weights, &stays);
            let weighted = questions(MinimizerKind::Wddmin, &weights, &stays);
            sums = (sums.0 + plain, sums.1 + weighted);
            ratios.push(weighted as f64 / plain.max(1) as f64);
        }
        let mean = mean(&ratios).unwrap_or(f64::NAN);
        let worse = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
        table.row([
            format!("{}–{}", sizes.0, sizes.1),
            format!("{}–{}", chances.0, chances.1),
            format!("{mean:.3}"),
            format!("{:.3}", sums.1 as f64 / sums.0 as f64),
            format!("{:.0} %", 100.0 * worse as f64 / ratios.len() as f64),
        ]);
        means.push(mean);
    }
    page.tables.push(table);
    let [small, middle, large, ..] = means[..] else { unreachable!("there are five rows") };
    page.claim(
        "Wddmin asks fewer questions",
        "mean ratio below 1",
        format!("{middle:.3}"),
        Some(middle < 1.0),
    );
    page.claim(
        "the longer the lists, the more so",
        "the ratio falls with the length",
        format!("{small:.3}, {middle:.3}, {large:.3}"),
        Some(large < middle && middle <= small + 0.01),
    );
    page.notes.push(
        "The paper's ranges of lengths and chances are lost. Tokens beyond the first of each element are thrown at \
         random. On sparse lists Wddmin loses."
            .to_owned(),
    );
    Ok(())
}

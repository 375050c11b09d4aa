//! Questions of the isolators on random instances, as a table in Markdown:
//!
//!     cargo run --release --manifest-path crates/dwindle-core/Cargo.toml --example isolators

use std::cell::Cell;

use dwindle_core::Outcome;
use dwindle_core::isolate::{Algorithm, isolate_with};

/// Instances for each row.
const INSTANCES: u64 = 200;

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn share(state: &mut u64) -> f64 {
    (random(state) >> 11) as f64 / (1u64 << 53) as f64
}

/// What makes a list unresolved.
#[derive(Clone, Copy)]
enum Unresolved {
    /// Chance, list by list.
    Chance,
    /// An item without one of the three next to it on either side that it requires.
    Near,
    /// An item without another one, anywhere, that it requires.
    Far,
}

/// Mean questions, and mean items in the difference.
fn measure(algorithm: Algorithm, kind: Unresolved, rate: f64, n: usize) -> (f64, f64) {
    let (mut questions, mut left) = (0, 0);
    let items: Vec<usize> = (0..n).collect();
    for instance in 0..INSTANCES {
        let mut state = instance;
        let causes: Vec<usize> =
            (0..1 + random(&mut state) % 3).map(|_| random(&mut state) as usize % n).collect();
        let mut requires = Vec::new();
        for item in items.iter().filter(|_| !matches!(kind, Unresolved::Chance)) {
            let chosen = share(&mut state) < rate;
            let other = match (kind, random(&mut state) as usize) {
                (Unresolved::Near, random) => (item + [1, 2, 3, n - 1, n - 2, n - 3][random % 6]) % n,
                (_, random) => random % n,
            };
            requires.extend((chosen && other != *item).then_some((*item, other)));
        }
        let salt = random(&mut state);
        let asked = Cell::new(0);
        let isolated = isolate_with(algorithm, &items, |chosen| {
            asked.set(asked.get() + 1);
            let mut has = vec![false; n];
            chosen.iter().for_each(|item| has[**item] = true);
            let unresolved = match kind {
                Unresolved::Chance => {
                    let mut hash = chosen.iter().fold(salt, |hash, item| random(&mut (hash ^ **item as u64)));
                    share(&mut hash) < rate
                }
                Unresolved::Near | Unresolved::Far => {
                    requires.iter().any(|&(item, other)| has[item] && !has[other])
                }
            };
            match causes.iter().all(|&cause| has[cause]) {
                _ if unresolved => Outcome::Unresolved,
                true => Outcome::Interesting,
                false => Outcome::Uninteresting,
            }
        });
        questions += asked.get();
        left += isolated.difference.len();
    }
    (f64::from(questions) / INSTANCES as f64, left as f64 / INSTANCES as f64)
}

fn main() {
    println!("| unresolved | rate | items | dd | guided | left by dd | left by guided |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let kinds = [("by chance", Unresolved::Chance), ("near", Unresolved::Near), ("far", Unresolved::Far)];
    for (name, kind) in kinds {
        for rate in [0.0, 0.3, 0.7] {
            for n in [20, 200] {
                if rate == 0.0 && !matches!(kind, Unresolved::Chance) {
                    continue;
                }
                let [dd, guided] = Algorithm::ALL.map(|algorithm| measure(algorithm, kind, rate, n));
                println!(
                    "| {name} | {rate} | {n} | {:.1} | {:.1} | {:.2} | {:.2} |",
                    dd.0, guided.0, dd.1, guided.1
                );
            }
        }
    }
}

//! Lists of anything, without a driver.

use alloc::vec::Vec;

use crate::{EmptyPolicy, Minimizer, MinimizerConfig, MinimizerKind, Outcome, Subset, WithEmpty};

/// A small part of `items`, in their order, that `test` finds interesting.
///
/// All `items` together are taken to be interesting and not tested. The result is 1-minimal: without any one of its
/// items, it is not interesting, as far as the answers of `test` depend on its argument alone. The empty list is
/// tested when one item is left.
///
/// ```
/// let words = ["the", "quick", "brown", "fox", "jumps"];
/// let needed = dwindle_core::minimize(&words, |words| words.contains(&&"quick") && words.contains(&&"fox"));
/// assert_eq!(needed, [&"quick", &"fox"]);
/// ```
pub fn minimize<'a, T>(items: &'a [T], test: impl FnMut(&[&'a T]) -> bool) -> Vec<&'a T> {
    minimize_with(MinimizerConfig::new(MinimizerKind::Splitting), items, test)
}

/// The same by any list minimiser, with the guarantee that this one gives.
///
/// ```
/// use dwindle_core::{MinimizerConfig, MinimizerKind, minimize_with};
///
/// let numbers: Vec<u32> = (1..=100).collect();
/// let ddmin = MinimizerConfig::new(MinimizerKind::Ddmin);
/// let needed = minimize_with(ddmin, &numbers, |numbers| numbers.contains(&&7) && numbers.contains(&&42));
/// assert_eq!(needed, [&7, &42]);
/// ```
pub fn minimize_with<'a, T>(
    config: MinimizerConfig,
    items: &'a [T],
    mut test: impl FnMut(&[&'a T]) -> bool,
) -> Vec<&'a T> {
    let chosen = |subset: &Subset| -> Vec<&'a T> { subset.iter().map(|index| &items[index]).collect() };
    let mut search = WithEmpty::new(config.start(&alloc::vec![1; items.len()]), EmptyPolicy::TestLast);
    while let Some(candidate) = search.ask() {
        let interesting = test(&chosen(&candidate));
        search.tell(if interesting { Outcome::Interesting } else { Outcome::Uninteresting });
    }
    chosen(search.best())
}

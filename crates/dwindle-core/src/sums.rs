//! Prefix sums.

use core::iter;
use core::ops::Add;

/// The sum of the values before each, and that of all.
pub(crate) fn sums<T: Copy + Default + Add<Output = T>>(
    values: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = T> {
    let sums = values.into_iter().scan(T::default(), |sum, value| {
        *sum = *sum + value;
        Some(*sum)
    });
    iter::once(T::default()).chain(sums)
}

//! Ranges of positions that are kept in 32 bits.

use core::ops::Range;

pub(crate) fn narrow(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

pub(crate) fn widen(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

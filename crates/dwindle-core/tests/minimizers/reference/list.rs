//! What all references use.

/// Tests a candidate, given as its elements in the order of the input.
pub(crate) type Test<'a> = &'a mut dyn FnMut(&[usize]) -> bool;

pub(super) fn without(list: &[usize], removal: &[usize]) -> Vec<usize> {
    list.iter().copied().filter(|element| !removal.contains(element)).collect()
}

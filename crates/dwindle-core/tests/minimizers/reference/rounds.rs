//! Adaptive splitting in rounds, with every set a plain list from the last element to the first.

use dwindle_core::minimizers::RoundsOptions;

use super::list::{Test, without};

/// Elements that go or stay together as far as is known; of those known to be refused the first half
/// is asked about.
#[derive(Clone)]
struct Group {
    members: Vec<usize>,
    refused: bool,
    stale: bool,
    again: bool,
}

impl Group {
    fn removal(&self) -> &[usize] {
        if self.refused { &self.members[..self.members.len() / 2] } else { &self.members }
    }
}

struct State {
    undecided: Vec<usize>,
    again: Vec<usize>,
    /// Needed elements, with whether something behind them went since they were refused.
    needed: Vec<(usize, bool)>,
    /// Stale elements below this one have not been looked at.
    unchecked_below: usize,
    trusted: usize,
    first: [f64; 2],
    second: [f64; 2],
    sequential: f64,
}

pub(crate) fn rounds(list: Vec<usize>, options: RoundsOptions, test: Test<'_>) -> Vec<usize> {
    let mut best = list.clone();
    let mut state = State {
        undecided: list.iter().rev().copied().collect(),
        again: Vec::new(),
        needed: Vec::new(),
        unchecked_below: list.len(),
        trusted: 0,
        first: [0.1, 0.9],
        second: [0.8, 0.2],
        sequential: 1.0,
    };
    let mut groups: Vec<Group> = Vec::new();
    let mut refused_alone: Vec<usize> = Vec::new();
    loop {
        state.open(&mut groups, options.width.max(1));
        if groups.is_empty() {
            if !options.sweep || refused_alone.len() == best.len() {
                return best;
            }
            state.again = best.iter().rev().copied().filter(|e| !refused_alone.contains(e)).collect();
            state.needed.retain(|(element, _)| refused_alone.contains(element));
            continue;
        }
        let passed: Vec<bool> = groups.iter().map(|group| test(&without(&best, group.removal()))).collect();
        let removals = groups.iter().zip(&passed).filter(|(_, passed)| **passed);
        let removals: Vec<&[usize]> = removals.map(|(group, _)| group.removal()).collect();
        let merged = merge(&best, &removals, test);
        let gone = removals[..merged].concat();
        best = without(&best, &gone);
        if !gone.is_empty() {
            refused_alone.clear();
        } else {
            let alone = groups.iter().filter(|group| group.removal().len() == 1);
            refused_alone.extend(alone.map(|group| group.removal()[0]));
        }
        state.sequential +=
            if state.sequential < 2.0 { 1.0 / f64::from(options.patience.max(1)) } else { 0.0 };
        groups = state.conclude(&groups, &passed, &gone);
    }
}

/// How many of the removals pass together.
fn merge(best: &[usize], removals: &[&[usize]], test: Test<'_>) -> usize {
    let mut passes = |count: usize| test(&without(best, &removals[..count].concat()));
    if removals.len() < 2 || passes(removals.len()) {
        return removals.len();
    }
    let (mut pass, mut refused) = (1, removals.len());
    while refused - pass > 1 {
        let middle = (pass + refused) / 2;
        *if passes(middle) { &mut pass } else { &mut refused } = middle;
    }
    pass
}

impl State {
    fn conclude(&mut self, groups: &[Group], passed: &[bool], gone: &[usize]) -> Vec<Group> {
        let behind = |element: usize| gone.iter().any(|&gone| gone > element);
        for (element, stale) in &mut self.needed {
            *stale |= behind(*element);
        }
        let mut next = Vec::new();
        for (index, (group, passed)) in groups.iter().zip(passed).enumerate() {
            let removal = group.removal();
            let mut rest = group.clone();
            rest.refused = true;
            if gone.contains(&removal[0]) {
                rest.members.drain(..removal.len());
                rest.stale |= behind(removal[0]);
                self.undecided = without(&self.undecided, removal);
                self.again = without(&self.again, removal);
                if group.again {
                    self.second[1] += removal.len() as f64;
                    self.unchecked_below = usize::MAX;
                    self.sequential = 1.0;
                } else {
                    self.first[1] += removal.len() as f64;
                    self.sequential += if index > 0 { 1.0 } else { 0.0 };
                }
                if !group.refused {
                    continue;
                }
            } else if *passed {
                continue;
            } else {
                rest.members = removal.to_vec();
                rest.stale = behind(removal[0]);
            }
            if rest.members.len() > 1 {
                next.push(rest);
                continue;
            }
            if group.again {
                self.second[0] += 1.0;
                self.sequential += 1.0;
            } else {
                self.first[0] += 1.0;
            }
            self.undecided = without(&self.undecided, &rest.members);
            self.again = without(&self.again, &rest.members);
            self.needed.push((rest.members[0], rest.stale));
        }
        next
    }

    fn open(&mut self, groups: &mut Vec<Group>, width: usize) {
        let overturned = self.second[1] / (self.second[0] + self.second[1]);
        let end = self.undecided.iter().chain(&self.again).max().map_or(0, |last| last + 1);
        self.needed.sort_unstable();
        for (element, stale) in std::mem::take(&mut self.needed) {
            if stale && element >= end && element < self.unchecked_below {
                self.trusted += 1;
                if overturned > 0.05 + 1e-9 || self.trusted.is_multiple_of(8) {
                    self.again.insert(0, element);
                    continue;
                }
            }
            self.needed.push((element, stale));
        }
        self.unchecked_below = end;
        let worth = match overturned {
            o if o > 0.2 + 1e-9 => 1,
            o if o > 0.1 + 1e-9 => 2,
            _ => width,
        };
        let sizes = [self.size(groups, true), self.size(groups, false)];
        fill(groups, &self.again, true, width, sizes[0]);
        fill(groups, &self.undecided, false, width.min(worth).min(self.sequential as usize), sizes[1]);
    }

    fn size(&self, groups: &[Group], again: bool) -> usize {
        let [mut needed, mut unneeded] = if again { self.second } else { self.first };
        for group in groups.iter().filter(|group| group.again == again) {
            needed += 1.0;
            unneeded += 0.5 * group.members.len() as f64;
        }
        (-(2.0f64.ln()) / (-needed / (needed + unneeded)).ln_1p()).floor().max(1.0) as usize
    }
}

/// Adds groups of elements that are in none, between those there are.
fn fill(groups: &mut Vec<Group>, elements: &[usize], again: bool, width: usize, size: usize) {
    let taken: Vec<usize> = groups.iter().flat_map(|group| group.members.clone()).collect();
    let free = without(elements, &taken);
    let old = std::mem::take(groups);
    let mut room = width.saturating_sub(old.len());
    for index in 0..=old.len() {
        let behind = |element: &usize| old.get(index).is_none_or(|group| *element > group.members[0]);
        let ahead = |element: &usize| index == 0 || *element < old[index - 1].members[0];
        let mut gap: Vec<usize> = free.iter().copied().filter(|e| behind(e) && ahead(e)).collect();
        while room > 0 && !gap.is_empty() {
            let later = old
                .get(index)
                .map_or(0, |group| elements.iter().filter(|element| **element <= group.members[0]).count());
            if index < old.len() && !groups.is_empty() && 5 * gap.len() < 3 * size && later > size * room {
                break;
            }
            let members = gap.drain(..size.min(gap.len())).collect();
            groups.push(Group { members, refused: false, stale: false, again });
            room -= 1;
        }
        groups.extend(old.get(index).cloned());
    }
}

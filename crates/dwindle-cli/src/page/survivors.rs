//! Where in the input the words of a result stood.
//!
//! A search replaces texts by texts, and forgets where their words came from. Each step changes little, so the words are followed
//! from step to step: a word that is renamed in its place stays the same one, a word that is new came from nowhere. This is for
//! people to look at; where a text repeats itself, a word may be taken for another one like it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::Instant;

/// How many words must agree, so that a text goes on there: the more, the surer.
const AGREE: [usize; 3] = [6, 3, 1];

/// The words of a text, each with where it stood in the input.
#[derive(Debug)]
pub(crate) struct Survivors {
    words: Vec<Word>,
    /// The places of the words of the input that each came from, if it came from one.
    origins: Vec<Option<u32>>,
    input: Vec<Range<usize>>,
    until: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    hash: u64,
    bytes: Range<usize>,
}

impl Survivors {
    /// All of the input. Steps after `until` are left out, so that this ends.
    pub(crate) fn of(input: &[u8], until: Instant) -> Self {
        let words = words(input);
        let origins = (0..words.len()).map(|place| u32::try_from(place).ok()).collect();
        let input = words.iter().map(|word| word.bytes.clone()).collect();
        Self { words, origins, input, until }
    }

    /// The next text.
    pub(crate) fn step(&mut self, text: &[u8]) {
        if Instant::now() < self.until {
            self.last(text);
        }
    }

    /// The last text, however late it is.
    pub(crate) fn last(&mut self, text: &[u8]) {
        let new = words(text);
        let from = align(&self.words, &new);
        self.origins = from.into_iter().map(|place| self.origins[place?]).collect();
        self.words = new;
    }

    /// What of the input survived, as ranges of bytes, in order; the space between two such words is in them.
    pub(crate) fn of_input(&self) -> Vec<Range<usize>> {
        let mut places: Vec<usize> = self.origins.iter().flatten().map(|&place| place as usize).collect();
        places.sort_unstable();
        places.dedup();
        let runs = places.chunk_by(|one, next| one + 1 == *next);
        runs.map(|run| self.input[run[0]].start..self.input[run[run.len() - 1]].end).collect()
    }
}

/// Words and signs. What is no ASCII is a part of a word.
fn words(text: &[u8]) -> Vec<Word> {
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut words = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        if text[start].is_ascii_whitespace() {
            continue;
        }
        if in_word(text[start]) {
            at += text[at..].iter().take_while(|&&byte| in_word(byte)).count();
        }
        let mut hasher = DefaultHasher::new();
        text[start..at].hash(&mut hasher);
        words.push(Word { hash: hasher.finish(), bytes: start..at });
    }
    words
}

/// For each word of `new`, which word of `old` it was.
fn align(old: &[Word], new: &[Word]) -> Vec<Option<usize>> {
    let same = |pair: &(&Word, &Word)| pair.0.hash == pair.1.hash;
    let front = old.iter().zip(new).take_while(same).count();
    let back = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    // Where they overlap, the longer one is more likely what stayed.
    let room = old.len().min(new.len());
    let (front, back) =
        if front >= back { (front, back.min(room - front)) } else { (front.min(room - back), back) };
    let mut from: Vec<Option<usize>> = (0..front).map(Some).collect();
    align_middle(old, new, back, &mut from);
    from.extend((old.len() - back..old.len()).map(Some));
    from
}

/// Adds to `from` where the words come from that are neither in it nor among the last `back` ones.
fn align_middle(old: &[Word], new: &[Word], back: usize, from: &mut Vec<Option<usize>>) {
    let front = from.len();
    let (end, old_end) = (new.len() - back, old.len() - back);
    if front == end {
        return;
    }
    let indexes = AGREE.map(|count| index(&old[front..old_end], count));
    let agree = |at: usize, place: usize, count: usize| {
        let (old, new) = (old.get(at..at + count), new.get(place..place + count));
        matches!((old, new), (Some(old), Some(new)) if old.iter().zip(new).all(|(old, new)| old.hash == new.hash))
    };
    let mut at = front;
    while from.len() < end {
        let place = from.len();
        let goes_on = at < old_end && (agree(at, place, 1) || agree(at + 1, place + 1, 3));
        let next = if goes_on {
            Some(at)
        } else if agree(at, place + 1, 3) {
            None
        } else {
            AGREE.iter().zip(&indexes).find_map(|(&count, index)| {
                let places = index.get(&key(new[..end].get(place..place + count)?))?;
                let behind = places.partition_point(|&known| front + (known as usize) < at);
                places.get(behind).map(|&known| front + known as usize)
            })
        };
        from.push(next);
        at = next.map_or(at, |next| next + 1);
    }
}

/// Where each run of so many words is.
fn index(words: &[Word], count: usize) -> HashMap<u64, Vec<u32>> {
    let mut index: HashMap<u64, Vec<u32>> = HashMap::new();
    for (at, run) in words.windows(count).enumerate() {
        index.entry(key(run)).or_default().push(at as u32);
    }
    index
}

fn key(words: &[Word]) -> u64 {
    words.iter().fold(0, |key, word| key.rotate_left(7) ^ word.hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[track_caller]
    fn check(texts: &[&str], expect: &str) {
        let mut survivors = Survivors::of(texts[0].as_bytes(), Instant::now() + Duration::from_secs(60));
        texts[1..].iter().for_each(|text| survivors.step(text.as_bytes()));
        let found: Vec<&str> = survivors.of_input().into_iter().map(|range| &texts[0][range]).collect();
        assert_eq!(found.join("|"), expect);
    }

    #[test]
    fn words_are_followed_from_step_to_step() {
        check(&["a b c d"], "a b c d");
        check(&["a b c d", "b d"], "b|d");
        check(
            &["int f(int x) { return x; } int g() { return 2; }", "int g() { return 2; }"],
            "int g() { return 2; }",
        );
        check(&["a b", ""], "");
        check(&["", "a"], "");
    }

    #[test]
    fn a_renamed_word_is_where_it_was() {
        check(&["call long_name ( 1 ) ;", "call a ( 1 ) ;"], "call long_name ( 1 ) ;");
        check(
            &["x; call long_name ( 1 ) ;", "call long_name ( 1 ) ;", "call a ( 1 ) ;"],
            "call long_name ( 1 ) ;",
        );
    }

    #[test]
    fn a_new_word_came_from_nowhere() {
        check(&["a b c d e", "a new b c d e"], "a b c d e");
    }

    #[test]
    fn late_steps_are_left_out_but_for_the_last() {
        let mut survivors = Survivors::of(b"a b c", Instant::now());
        survivors.step(b"c");
        assert_eq!(survivors.of_input()[0], 0..5);
        survivors.last(b"c");
        assert_eq!(survivors.of_input()[0], 4..5);
    }
}

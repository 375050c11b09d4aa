//! Where in the input the words of a result stood.
//!
//! A search replaces texts by texts, and forgets where their words came from. Each step changes little, so the words are followed
//! from step to step: a word that is renamed in its place stays the same one, a word that is new came from nowhere. This is for
//! people to look at; where a text repeats itself, a word may be taken for another one like it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffTag, capture_diff_deadline};

/// How long the last text is aligned, however late it is.
const LAST: Duration = Duration::from_secs(1);

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
            self.go_on(text, self.until);
        }
    }

    /// The last text, however late it is.
    pub(crate) fn last(&mut self, text: &[u8]) {
        self.go_on(text, self.until.max(Instant::now() + LAST));
    }

    fn go_on(&mut self, text: &[u8], until: Instant) {
        let new = words(text);
        let from = align(&self.words, &new, until);
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

/// For each word of `new`, which word of `old` it was. After `until` it need not be the best guess.
fn align(old: &[Word], new: &[Word], until: Instant) -> Vec<Option<usize>> {
    let [old, new] = [old, new].map(|words| words.iter().map(|word| word.hash).collect::<Vec<u64>>());
    let same = |pair: &(&u64, &u64)| pair.0 == pair.1;
    let front = old.iter().zip(&new).take_while(same).count();
    let back = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    // Where they overlap, the longer one is more likely what stayed.
    let room = old.len().min(new.len());
    let (front, back) =
        if front >= back { (front, back.min(room - front)) } else { (front.min(room - back), back) };
    let (old_end, end) = (old.len() - back, new.len() - back);
    let mut from = vec![None; new.len()];
    (0..front).for_each(|at| from[at] = Some(at));
    (end..new.len()).for_each(|at| from[at] = Some(old_end + at - end));
    let changes =
        capture_diff_deadline(Algorithm::Myers, &old, front..old_end, &new, front..end, Some(until));
    for change in changes {
        let (tag, old, new) = change.as_tag_tuple();
        // As many words as before are the same ones by other names.
        if tag == DiffTag::Equal || tag == DiffTag::Replace && old.len() == new.len() {
            new.zip(old).for_each(|(new, old)| from[new] = Some(old));
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_sign_that_is_everywhere_does_not_lead_away() {
        check(
            &[
                "a ( ) { b ; c ; } d ( ) { e ; } f ( ) { g ; }",
                "a ( ) { c ; } ( ) { e ; } g ; }",
                "a ( ) { c ; }",
            ],
            "a ( ) {|c ; }",
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

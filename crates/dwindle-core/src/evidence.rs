//! What the output of a refused test gives away: the words of the input that stand in it.
//!
//! Compilers name what they miss. Words that the input does not have (those of the message itself,
//! dates, numbers of processes) say nothing about it, and change from run to run.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::Names;

/// How many words of an output count, at most.
const WORDS: usize = 64;

/// The words of an input. They are numbered in the order of their bytes, so that numbers mean the
/// same in every run on the same input.
#[derive(Clone, Default)]
pub struct Vocabulary(Vec<Box<[u8]>>);

impl Vocabulary {
    /// The words of `text`: letters, digits, `_` and `$`, with no digit in front.
    pub fn of(text: &[u8]) -> Self {
        Self(words(text).collect::<BTreeSet<_>>().into_iter().map(Box::from).collect())
    }

    /// How many words there are; they have the numbers below.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The word with this number.
    pub fn word(&self, number: u32) -> &[u8] {
        &self.0[number as usize]
    }

    /// The number of a word.
    pub fn find(&self, word: &[u8]) -> Option<u32> {
        self.0.binary_search_by(|known| (**known).cmp(word)).ok().map(|number| number as u32)
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vocabulary of {} words", self.len())
    }
}

/// The words of the input that stand in the output of a refused test. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Evidence(Option<(Arc<Vocabulary>, Arc<[u32]>)>);

impl Evidence {
    /// What `output` says: its first 64 different words that `vocabulary` has.
    pub fn in_output(vocabulary: &Arc<Vocabulary>, output: &[u8]) -> Self {
        let mut numbers = BTreeSet::new();
        for word in words(output) {
            numbers.extend(vocabulary.find(word));
            if numbers.len() == WORDS {
                break;
            }
        }
        Self::of(vocabulary, &numbers.into_iter().collect::<Box<[u32]>>())
    }

    /// The evidence that had these [numbers](Self::numbers).
    pub fn of(vocabulary: &Arc<Vocabulary>, numbers: &[u32]) -> Self {
        // Numbers that were stored may be of other words than these.
        let known = numbers.iter().all(|&number| (number as usize) < vocabulary.len());
        Self((known && !numbers.is_empty()).then(|| (vocabulary.clone(), numbers.into())))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The numbers of the words in the vocabulary, in order.
    pub fn numbers(&self) -> &[u32] {
        self.0.as_ref().map_or(&[], |(_, numbers)| numbers)
    }

    /// The words in the order of their bytes.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        let found = self.0.iter();
        found.flat_map(|(vocabulary, numbers)| numbers.iter().map(|&number| vocabulary.word(number)))
    }

    /// The numbers of those words that are among `names`.
    pub fn names<'a>(&'a self, names: &'a Names) -> impl Iterator<Item = u32> + 'a {
        // A grammar may read the sign that marks a variable as a token of its own.
        let is_mark = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
        self.words().filter_map(move |word| {
            let marks = word.iter().take_while(|byte| is_mark(byte)).count();
            names.find(word).or_else(|| names.find(&word[marks..]))
        })
    }
}

/// Decoded, because the quotation marks around a name need not be ASCII.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let all = text.utf8_chunks().flat_map(move |chunk| chunk.valid().split(move |c| !is_part(c)));
    all.filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit())).map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::How;

    fn check(input: &str, output: &[u8], expected: &[&str]) {
        let vocabulary = Arc::new(Vocabulary::of(input.as_bytes()));
        let evidence = Evidence::in_output(&vocabulary, output);
        let expected: Vec<&[u8]> = expected.iter().map(|word| word.as_bytes()).collect();
        assert_eq!(evidence.words().collect::<Vec<_>>(), expected, "{input:?}");
        assert_eq!(evidence.is_empty(), expected.is_empty());
        let again = Evidence::of(&vocabulary, evidence.numbers());
        assert_eq!(again.words().collect::<Vec<_>>(), expected, "from its numbers");
    }

    #[test]
    fn evidence_is_the_words_of_the_input_in_the_output() {
        let input = "int main(void) { return foo_1(größe, 2x, $y); }";
        check(input, b"a.c:1:24: error: 'foo_1' undeclared; int foo_1", &["foo_1", "int"]);
        check(input, "‘größe’ was not declared, nor «$y», foo, main2".as_bytes(), &["$y", "größe"]);
        check(input, b"2x x \xff foo_1\xfe\n", &["foo_1"]);
        check(input, b"Segmentation fault", &[]);
        check(input, b"", &[]);
        check("", b"foo", &[]);
    }

    #[test]
    fn the_first_words_of_a_long_output_count() {
        let word = |i: u32| alloc::format!("w{i:03}");
        let input: Vec<_> = (0..100).map(word).collect();
        let output: Vec<_> = (0..100).rev().flat_map(|i| [word(i), word(99)]).collect();
        let expected: Vec<_> = (36..100).map(word).collect();
        let expected: Vec<&str> = expected.iter().map(|word| &word[..]).collect();
        check(&input.join(" "), output.join("\n").as_bytes(), &expected);
    }

    #[test]
    fn words_are_found_by_number_and_by_letters() {
        let vocabulary = Vocabulary::of(b"b a b ab aa 1 _");
        let words: Vec<&[u8]> = (0..vocabulary.len() as u32).map(|number| vocabulary.word(number)).collect();
        assert_eq!(words, [&b"_"[..], b"a", b"aa", b"ab", b"b"]);
        assert!((0..).zip(words).all(|(number, word)| vocabulary.find(word) == Some(number)));
        assert_eq!(["", "0", "ac", "c"].map(|word| vocabulary.find(word.as_bytes())), [None; 4]);
    }

    #[test]
    fn numbers_of_another_vocabulary_are_no_evidence() {
        let vocabulary = Arc::new(Vocabulary::of(b"a b"));
        assert!(Evidence::of(&vocabulary, &[1, 2]).is_empty());
        assert_eq!(Evidence::of(&vocabulary, &[0, 1]).numbers(), [0, 1]);
    }

    #[test]
    fn words_lead_to_names() {
        let mut names = Names::default();
        for name in ["x", "$y", "z"] {
            names.add(0, name.as_bytes(), How::Uses);
        }
        let vocabulary = Arc::new(Vocabulary::of(b"$x $y other"));
        let evidence = Evidence::in_output(&vocabulary, b"$y $x z other");
        assert_eq!(evidence.names(&names).collect::<Vec<_>>(), [0, 1]);
    }
}

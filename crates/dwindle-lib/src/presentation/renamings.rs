//! The names that the input has for what the result calls by short ones.

use std::collections::{BTreeMap, BTreeSet};

use dwindle_core::{How, Tree};
use dwindle_read::FrontEnd;

/// The texts before and after each renaming.
#[derive(Debug, Default)]
pub(crate) struct Renamings(Vec<[Vec<u8>; 2]>);

/// A short name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shortened {
    /// The tokens that mention it.
    pub(crate) tokens: Vec<usize>,
    /// What each of them was in the input.
    pub(crate) original: Vec<u8>,
}

impl Renamings {
    /// A text with shorter names took the place of another one.
    pub(crate) fn note(&mut self, before: &[u8], after: &[u8]) {
        self.0.push([before.to_vec(), after.to_vec()]);
    }

    /// Whether there were none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names in `tree` that were longer, in the order of their first mentions. Two that had the same name, and one
    /// whose name something else has by now, stay short.
    pub(crate) fn shortened(&self, tree: &Tree, front_end: FrontEnd) -> Vec<Shortened> {
        let originals = self.originals(front_end);
        if originals.is_empty() {
            return Vec::new();
        }
        let text = tree.text();
        let mut mentions: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for token in names(tree) {
            mentions.entry(text.piece(token)).or_default().push(token);
        }
        let mut found: Vec<Shortened> = mentions
            .into_iter()
            .filter_map(|(piece, tokens)| Some(Shortened { tokens, original: originals.get(piece)?.clone() }))
            .collect();
        found.sort_by_key(|name| name.tokens[0]);
        let mut taken: BTreeSet<&[u8]> = (0..text.len()).map(|token| text.piece(token)).collect();
        let free: Vec<bool> = found.iter().map(|name| taken.insert(&name.original)).collect();
        let mut free = free.into_iter();
        found.retain(|_| free.next().unwrap_or(false));
        found
    }

    /// What the input has for each short name.
    fn originals(&self, front_end: FrontEnd) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let mut originals: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for [before, after] in &self.0 {
            let [before, after] = [before, after].map(|text| dwindle_read::tree(text.clone(), front_end).0);
            let (before, after) = (before.text(), after.text());
            if before.len() != after.len() {
                continue;
            }
            let mut now: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
            for token in 0..before.len() {
                let (old, new) = (before.piece(token), after.piece(token));
                if old != new {
                    let original = originals.get(old).map_or(old, Vec::as_slice);
                    now.entry(new.to_vec()).or_insert_with(|| original.to_vec());
                }
            }
            originals.extend(now);
        }
        originals
    }
}

/// The tokens that mention names; where the front end does not know names, any token may.
fn names(tree: &Tree) -> BTreeSet<usize> {
    let known = tree.names();
    if known.is_empty() {
        return (0..tree.text().len()).collect();
    }
    let strong = known.mentions().iter().filter(|mention| mention.how != How::Weak);
    strong.map(|mention| mention.token as usize).collect()
}

/// The text of `tree` with these names as they were.
pub(crate) fn restored<'a>(tree: &Tree, names: impl IntoIterator<Item = &'a Shortened>) -> Vec<u8> {
    let mut originals: BTreeMap<usize, &[u8]> = BTreeMap::new();
    for name in names {
        originals.extend(name.tokens.iter().map(|&token| (token, &name.original[..])));
    }
    let text = tree.text();
    let mut out = Vec::with_capacity(text.bytes().len() * 2);
    let mut end = 0;
    for (token, original) in originals {
        let span = text.span(token);
        out.extend_from_slice(&text.bytes()[end..span.start]);
        out.extend_from_slice(original);
        end = span.end;
    }
    out.extend_from_slice(&text.bytes()[end..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes back in `result` after these renamings, all of C.
    fn check(renamings: &[[&str; 2]], result: &str, expected: &str) {
        let front_end = FrontEnd::named("c").unwrap();
        let mut noted = Renamings::default();
        for [before, after] in renamings {
            noted.note(before.as_bytes(), after.as_bytes());
        }
        let tree = dwindle_read::tree(result.into(), front_end).0;
        let names = noted.shortened(&tree, front_end);
        assert_eq!(String::from_utf8(restored(&tree, &names)).unwrap(), expected);
    }

    #[test]
    fn names_come_back() {
        let first = ["int count, *first; f(count, first)", "int a, *first; b(a, first)"];
        check(&[], "int a;", "int a;");
        check(&[first], "int a; b(a)", "int count; f(count)");
        let second = ["int a, *first; b(a, first)", "int a, *c; b(a, c)"];
        check(&[first, second], "int a, *c; ", "int count, *first; ");
        // A name that was short already is given anew.
        let third = ["long a; int b_value;", "long a; int b;"];
        check(&[first, third], "b(a)", "b_value(count)");
        // One that is renamed twice.
        check(&[["int outer;", "int mid;"], ["int mid;", "int m;"]], "int m;", "int outer;");
    }

    #[test]
    fn names_that_are_taken_stay_short() {
        let both = [["int one;", "int a;"], ["int one;", "int b;"]];
        check(&both, "int a, b;", "int one, b;");
        check(&both, "int a, b, one;", "int a, b, one;");
    }

    #[test]
    fn what_is_no_name_stays() {
        check(&[["int one;", "int a;"]], "char *b = \"a\";", "char *b = \"a\";");
        // No renaming: the texts have different tokens.
        check(&[["int one, two;", "int a;"]], "int a;", "int a;");
    }
}

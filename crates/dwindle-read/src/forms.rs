//! What the atoms of S-expressions have to do with names: `(define-fun f ((x Int)) ..)`, `(let ((x 1)) ..)`,
//! `(func $f (param $x i32) ..)`.
//!
//! The head of a form tells. One that begins with `def` or `declare` introduces the atom behind it, or
//! the atoms of the list behind it; then come parameters, unless it only declares. One that binds
//! (`let`, `forall`, `lambda` and their like) has a list of what it introduces. In WebAssembly the `$name`
//! behind the head of a definition is introduced. `vocabulary.toml` has the heads.

use super::languages::{BINDS, LABELLED, NAMED, REFERRING, TAKES, VALUES};
use super::naming::Naming;

/// What a token of an S-expression has to do with names, and whether it opens a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Atom {
    pub(super) naming: Naming,
    pub(super) scope: bool,
}

/// A list that is open.
#[derive(Clone, Copy)]
struct List<'a> {
    head: &'a [u8],
    part: Part,
    bracket: u8,
    items: u32,
    /// Whether a list was in it since its name.
    had_list: bool,
    /// Whether the atom before it takes a label.
    labelled: bool,
}

/// What a list is in the form around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A form of its own, by its head.
    Form(Head),
    /// A name and parameters: `(define (f x) ..)`.
    Names,
    /// Names, or lists that begin with one.
    Parameters,
    /// Lists that begin with a name; in `[]`, names and values in turn.
    Bindings,
    /// The first atom is a name.
    Binding,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Its name may be in a list with parameters.
    Defines,
    /// Behind its name are parameters.
    Makes,
    Declares,
    Binds,
    Takes,
    Other,
}

/// What each token does; `wat` if the text is one of WebAssembly.
pub(super) fn atoms(tokens: &[&[u8]], wat: bool) -> Vec<Atom> {
    let mut open: Vec<List<'_>> = Vec::new();
    let mut atoms = Vec::with_capacity(tokens.len());
    for (index, &token) in tokens.iter().enumerate() {
        match token {
            b"(" | b"[" | b"{" => {
                let head = tokens.get(index + 1).copied().unwrap_or_default();
                let part =
                    open.last_mut().map_or(Part::Form(Head::of(head)), |list| list.inner(token[0], head));
                open.push(List { head, part, bracket: token[0], items: 0, had_list: false, labelled: false });
                let behind = tokens.get(index + 2).copied().unwrap_or_default();
                atoms.push(Atom { naming: Naming::Nothing, scope: opens_scope(part, head, behind, wat) });
            }
            b")" | b"]" | b"}" => {
                open.pop();
                atoms.push(Atom::default());
            }
            _ => {
                let around = open.len().checked_sub(2).map_or(&b""[..], |above| open[above].head);
                let introduces = open.last_mut().is_some_and(|list| {
                    if wat { list.introduces_in_wat(token, around) } else { list.introduces() }
                });
                let naming = match token {
                    [b'"', ..] => Naming::Words,
                    _ if !is_name(token, wat) => Naming::Nothing,
                    _ if introduces => Naming::Introduces,
                    _ => Naming::Uses,
                };
                atoms.push(Atom { naming, scope: false });
            }
        }
    }
    atoms
}

fn opens_scope(part: Part, head: &[u8], behind: &[u8], wat: bool) -> bool {
    if wat {
        return matches!(head, b"func" | b"module");
    }
    match part {
        Part::Form(Head::Binds | Head::Takes | Head::Makes) => true,
        Part::Form(Head::Defines) => behind == b"(",
        _ => false,
    }
}

impl Head {
    fn of(word: &[u8]) -> Self {
        let is = |words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes()));
        let begins = |with: &str| {
            word.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        if begins("declare") {
            Self::Declares
        } else if is(VALUES) {
            Self::Defines
        } else if begins("def") {
            Self::Makes
        } else if is(BINDS) {
            Self::Binds
        } else if is(TAKES) {
            Self::Takes
        } else {
            Self::Other
        }
    }
}

impl List<'_> {
    /// What a list in this one is, with its bracket and its first token.
    fn inner(&mut self, bracket: u8, head: &[u8]) -> Part {
        let first = !std::mem::replace(&mut self.had_list, true);
        let place = self.items;
        self.items += 1;
        self.labelled = false;
        match self.part {
            Part::Form(Head::Defines | Head::Makes) if place == 1 && bracket == b'(' => Part::Names,
            Part::Form(Head::Makes) if first && place >= 2 => Part::Parameters,
            Part::Form(Head::Binds) if first && place <= 2 => Part::Bindings,
            Part::Form(Head::Takes) if first && place <= 2 => Part::Parameters,
            Part::Parameters if bracket == b'[' && self.bracket == b'(' && place == 0 => {
                // One of several bodies of a function.
                self.part = Part::Form(Head::Other);
                Part::Parameters
            }
            Part::Parameters | Part::Names | Part::Bindings => Part::Binding,
            _ => Part::Form(Head::of(head)),
        }
    }

    fn introduces(&mut self) -> bool {
        let place = self.items;
        self.items += 1;
        match self.part {
            Part::Form(Head::Defines | Head::Makes | Head::Declares) => place == 1,
            // A loop with a name.
            Part::Form(Head::Binds) => place == 1 && !self.had_list,
            Part::Names | Part::Parameters => true,
            Part::Bindings => self.bracket == b'[' && place.is_multiple_of(2),
            Part::Binding => place == 0,
            Part::Form(_) => false,
        }
    }

    fn introduces_in_wat(&mut self, token: &[u8], around: &[u8]) -> bool {
        let is = |words: &[&str], word: &[u8]| words.iter().any(|other| other.as_bytes() == word);
        let place = self.items;
        self.items += 1;
        let labels = std::mem::replace(&mut self.labelled, is(LABELLED, token));
        let named = place == 1 && is(NAMED, self.head);
        let refers = is(REFERRING, around) && !matches!(self.head, b"param" | b"local");
        labels || named && !refers
    }
}

/// Whether an atom can be a name.
fn is_name(token: &[u8], wat: bool) -> bool {
    if wat {
        return token.starts_with(b"$");
    }
    let number = token[0].is_ascii_digit() || matches!(token, [b'-' | b'+' | b'#' | b'.', b'0'..=b'9', ..]);
    !number
        && !matches!(token[0], b':' | b'#')
        && token.iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
}

//! What a front end tells of a language beside the shape of a tree, so that searches know no word of any
//! language.

use alloc::vec::Vec;

/// The kinds of nodes and the signs of a language.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// The kinds of nodes by their number.
    pub kinds: Vec<Kind>,
    /// Its signs.
    pub signs: Signs,
    /// Whether nothing tells what introduces a name, so that the first mention is taken for that.
    pub guesses_names: bool,
}

/// What the kind of a node means. By itself, its name means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// What people call it.
    pub name: &'static str,
    /// As a scope it has no name of its own, as loops have none: what it introduces first is known inside.
    pub nameless: bool,
    /// It may belong to the element behind it, as attributes and decorators do.
    pub attribute: bool,
    /// A leaf of it is a string, or what is between the quotes of one.
    pub string: bool,
    /// It returns from a function.
    pub returns: bool,
    /// A leaf of it is the value that stands for no object.
    pub nothing: bool,
    /// It holds what the grammar cannot read.
    pub error: bool,
}

/// Tokens that mean something for names and values. By default there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Opens the parameters or arguments right behind the name of a function.
    pub calls: &'static [&'static str],
    /// Stands between a value and the name of its member.
    pub members: &'static [&'static str],
    /// Stands between a name and what it qualifies.
    pub qualifies: &'static [&'static str],
    /// Stands between a name and the value that it gets.
    pub assigns: &'static [&'static str],
    /// Stands behind names that get their values by their order.
    pub unpacks: &'static [&'static str],
    /// Begin a name and belong to it.
    pub sigils: &'static [&'static str],
    /// Stands between the elements of a list.
    pub separator: Option<&'static str>,
    /// Stands behind a statement, and in the place of a body.
    pub terminator: Option<&'static str>,
    /// The least of values.
    pub least: Option<&'static str>,
    /// May stand in the place of a value, whatever its type.
    pub any_value: Option<&'static str>,
    /// The value that stands for no object.
    pub nothing: Option<&'static str>,
    /// The tokens of a statement behind which nothing is reached, so that a function may end with it, whatever its result.
    pub diverges: &'static [&'static str],
    /// Stands between two strings that are put together.
    pub joins: &'static [&'static str],
    /// Stands between two whole numbers, and what it makes of them.
    pub operations: &'static [(&'static str, Operation)],
    /// What can be said with fewer tokens.
    pub phrases: &'static [Phrase],
}

/// What is made of two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after the operation that it is")]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    ExclusiveOr,
    ShiftLeft,
    ShiftRight,
}

/// Tokens in a row, and fewer that say the same. In both, `$` and a letter is a word or a number, the same one wherever
/// it stands; `$..`, or that and a letter, is all that is left between the brackets around it. What stands in both stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// The longer one.
    pub long: &'static [&'static str],
    /// The shorter one.
    pub short: &'static [&'static str],
}

impl Signs {
    /// What a sign makes of the numbers around it.
    pub(crate) fn operation(&self, sign: &[u8]) -> Option<Operation> {
        self.operations.iter().find(|(known, _)| known.as_bytes() == sign).map(|&(_, operation)| operation)
    }

    /// How many bytes of sigils a word begins with.
    pub(crate) fn sigil(&self, word: &[u8]) -> usize {
        let begins = |at: usize| self.sigils.iter().find(|sigil| word[at..].starts_with(sigil.as_bytes()));
        let mut length = 0;
        while let Some(sigil) = begins(length).filter(|sigil| !sigil.is_empty()) {
            length += sigil.len();
        }
        length
    }
}

pub(crate) fn is_one_of<'a>(piece: &[u8], signs: impl IntoIterator<Item = &'a &'a str>) -> bool {
    signs.into_iter().any(|sign| sign.as_bytes() == piece)
}

impl From<&'static str> for Kind {
    fn from(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }
}

/// Kinds of which nothing but their names is known.
impl From<Vec<&'static str>> for Lexicon {
    fn from(kinds: Vec<&'static str>) -> Self {
        Self { kinds: kinds.into_iter().map(Kind::from).collect(), ..Self::default() }
    }
}

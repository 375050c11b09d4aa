//! What a text says of names, as far as one sees it without a compiler: which tokens mention which
//! names, and which of them introduce them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The mentions of names in a text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    mentions: Vec<Mention>,
    numbers: BTreeMap<Arc<[u8]>, u32>,
    spellings: Vec<Arc<[u8]>>,
}

/// A token and a name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The token.
    pub token: u32,
    /// The number of the name; [`Names::spelling`] has its letters.
    pub name: u32,
    /// What the token does with it.
    pub how: How,
    /// Whether it stands in an import: what it introduces may come from another file.
    pub imported: bool,
}

/// Whether a byte may stand in a word: a letter, a digit, `_`, or a part of a character beyond ASCII.
pub(crate) fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..)
}

/// What a mention does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// It declares or defines the name.
    Introduces,
    /// It uses the name.
    Uses,
    /// It may use the name: a word in a string, or in a comment before the token.
    Weak,
}

impl Names {
    /// The names of these mentions, which are in the order of the tokens; `spellings` has their letters. They are
    /// numbered anew, in the order of their first mentions.
    pub(crate) fn of(spellings: &[Arc<[u8]>], mut mentions: Vec<Mention>) -> Self {
        let mut names = Self::default();
        let mut numbers: Vec<Option<u32>> = alloc::vec![None; spellings.len()];
        for Mention { name, .. } in &mut mentions {
            let spelling = &spellings[*name as usize];
            *name = *numbers[*name as usize].get_or_insert_with(|| names.number(spelling));
        }
        mentions.shrink_to_fit();
        Self { mentions, ..names }
    }

    /// Adds a mention by `token`, which is not before those of the mentions so far.
    pub(crate) fn add(&mut self, token: u32, spelling: &[u8], how: How) {
        let name = self.find(spelling).unwrap_or_else(|| self.number(&spelling.into()));
        self.mentions.push(Mention { token, name, how, imported: false });
    }

    /// The number of a name that has none yet.
    fn number(&mut self, spelling: &Arc<[u8]>) -> u32 {
        let name = self.spellings.len() as u32;
        self.numbers.insert(spelling.clone(), name);
        self.spellings.push(spelling.clone());
        name
    }

    /// All mentions in the order of the tokens.
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    pub(crate) fn token(&self, mention: usize) -> usize {
        self.mentions[mention].token as usize
    }

    pub(crate) fn introduces(&self, mention: usize) -> bool {
        self.mentions[mention].how == How::Introduces
    }

    /// Whether a token is a name, introduced or used.
    pub(crate) fn has_mention(&self, token: u32) -> bool {
        let first = self.mentions.partition_point(|mention| mention.token < token);
        let mut here = self.mentions[first..].iter().take_while(|mention| mention.token == token);
        here.any(|mention| mention.how != How::Weak)
    }

    /// How many names there are; they have the numbers below.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }

    /// The letters of a name.
    pub fn spelling(&self, name: u32) -> &[u8] {
        &self.spellings[name as usize]
    }

    /// The name that is spelled so.
    pub fn find(&self, spelling: &[u8]) -> Option<u32> {
        self.numbers.get(spelling).copied()
    }
}

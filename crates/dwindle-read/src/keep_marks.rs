//! The marks of regions that stay, `dwindle: keep` and `dwindle: end`, and the comments that they make tokens.

use memchr::memmem;

const NAME: &[u8] = b"dwindle:";

/// A mark of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Keep,
    End,
}

impl Mark {
    const ALL: [(Self, &'static [u8]); 2] = [(Self::Keep, b"keep"), (Self::End, b"end")];
}

/// Where the marks in a text stand.
pub(crate) fn marks(text: &[u8]) -> impl Iterator<Item = (usize, Mark)> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memmem::find_iter(text, NAME).filter_map(move |at| {
        let behind = &text[at + NAME.len()..];
        let blanks = behind.iter().take_while(|byte| b" \t".contains(byte)).count();
        let is_called = |name: &[u8]| {
            let rest = behind[blanks..].strip_prefix(name);
            rest.is_some_and(|rest| !rest.first().is_some_and(is_of_word))
        };
        let mark = Mark::ALL.into_iter().find(|(_, name)| is_called(name))?.0;
        let stands_alone = !text[..at].last().is_some_and(is_of_word);
        stands_alone.then_some((at, mark))
    })
}

/// Tells which of the comments of a text are in a region.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    inside: bool,
}

impl Comments {
    /// Whether this comment, the next one of the text, is in a region or marks one.
    pub(crate) fn stays(&mut self, comment: &[u8]) -> bool {
        let mut stays = self.inside;
        for (_, mark) in marks(comment) {
            (stays, self.inside) = (true, mark == Mark::Keep);
        }
        stays
    }
}

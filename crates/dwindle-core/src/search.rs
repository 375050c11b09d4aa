//! The one interface between algorithms and whoever runs them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use crate::memory::Memory;
use crate::passes::Pass;
use crate::{
    Evidence, Format, Gaps, Insertion, LinkedSearch, ListSearch, Offers, Outcome, PassSearch, PersesSearch,
    Pieces, Request, Subset, Text, Tree, TreeSearch,
};

/// A search for a small interesting variant of an input, as a cloneable ask/tell machine without
/// I/O. A driver may run it step by step, ahead of the answers on clones, or again from recorded
/// answers: the same answers always lead to the same questions.
///
/// A search may ask several questions about one base before it draws a conclusion. The questions of such
/// a round are the same whatever the outcomes of the earlier ones: that is how a driver that looks ahead on
/// clones finds out that it can test them at the same time.
pub trait Search: Clone {
    /// What the search wants to know next. Pure: it may be called twice.
    fn ask(&self) -> Ask;

    /// Takes the answer to what [`ask`](Self::ask) returns.
    fn tell(&mut self, answer: Answer);

    /// The base: the variant that the question is about, from which something was taken. It was told
    /// to be interesting, or is the whole text. What is told of a question says whether it is
    /// interesting and smaller than this. It may stay what it is after an interesting outcome and
    /// change after another, the last of a round.
    fn best(&self) -> &Variant;

    /// What is being tried, in a word or two for people.
    fn label(&self) -> &'static str;

    /// What kind of work that is. Logic depends on this, never on the label.
    fn origin(&self) -> Origin {
        Origin::Deletion
    }

    /// Whether these words in the output of a test that refuses what is asked would be taken into
    /// account. Only then is the refusal told as [`Answer::Refused`]: whoever looks ahead foresees
    /// refusals, but not what they say, and has to look again. Pure.
    fn learns_from(&self, _evidence: &Evidence) -> bool {
        false
    }
}

/// Where a question comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// A search that deletes.
    Deletion,
    /// A pass.
    Pass(Pass),
    /// A helper outside of the search.
    Helper,
}

/// What a search wants to know.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Is this variant interesting? The answer is an [`Answer::Outcome`] or an [`Answer::Refused`].
    Test(Variant),
    /// How do the bytes of this variant read in that shape? The answer is an [`Answer::Text`], an
    /// [`Answer::Tree`], [`Answer::Unreadable`] or [`Answer::Errors`], or [`Answer::Offers`] of a helper. Parsers and helpers live outside the search,
    /// and a driver may remember what they said.
    Parse(Variant, Shape),
    /// Nothing; the search is over.
    Done,
}

/// What a variant is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Pieces of a format.
    Pieces(Format),
    /// A syntax tree, by the front end of this name.
    Tree(&'static str),
    /// The number of its syntax errors, by the front end of this name.
    Errors(&'static str),
    /// What a helper offers in its place.
    Offers(Request),
}

/// The answer to an [`Ask`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// What the test said.
    Outcome(Outcome),
    /// It is uninteresting, and the test named what the search
    /// [learns from](Search::learns_from).
    Refused(Evidence),
    /// The variant, cut into pieces.
    Text(Arc<Text>),
    /// The variant as a tree.
    Tree(Arc<Tree>),
    /// The front end cannot read the variant, for this reason, though it has read what it was made of. A search keeps
    /// its base as it was read before, and ends: another front end would count other tokens.
    Unreadable(Arc<str>),
    /// How many syntax errors it has; nothing where the front end does not count them.
    Errors(Option<u64>),
    /// What a helper offers.
    Offers(Arc<Offers>),
}

/// A variant of the input: some of the pieces of an unchanged text, and strings that stand in for
/// others.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The text, shared between variants.
    pub text: Arc<Text>,
    /// The pieces that are kept.
    pub kept: Subset,
    /// Where stand-ins stand, in order.
    pub insertions: Vec<Insertion>,
    /// What became of the comments.
    pub gaps: Gaps,
}

impl Variant {
    /// The whole text.
    pub fn whole(text: Arc<Text>) -> Self {
        Self { kept: Subset::full(text.len()), text, insertions: Vec::new(), gaps: Gaps::Original }
    }

    /// Whether anything stands where the pieces of `range` were.
    pub(crate) fn has(&self, range: Range<usize>) -> bool {
        self.text.cancellation().check();
        let place = self.insertions.partition_point(|place| (place.at as usize) < range.start);
        self.kept.count(range.clone()) > 0
            || self.insertions.get(place).is_some_and(|place| (place.at as usize) < range.end)
    }

    /// Takes all that stands in `range` out.
    pub(crate) fn clear(&mut self, range: Range<u32>) {
        self.text.cancellation().check();
        self.kept.remove_range(range.start as usize..range.end as usize);
        let first = self.insertions.partition_point(|place| place.at < range.start);
        let end = self.insertions.partition_point(|place| place.at < range.end);
        self.insertions.drain(first..end.max(first));
    }

    /// The number of tokens, where the pieces of the text say it.
    pub fn tokens(&self) -> Option<u64> {
        let strings = self.insertions.iter().map(|place| u64::from(place.string.tokens));
        Some(self.text.tokens(&self.kept)? + strings.sum::<u64>())
    }

    /// The length in bytes of its longest token; nothing where the pieces of the text are no tokens.
    pub fn longest_token(&self) -> Option<usize> {
        let Pieces::Tokens(_) = self.text.pieces() else { return None };
        let stand_ins = self.insertions.iter().map(|place| place.string.bytes.len());
        self.kept.iter().map(|token| self.text.span(token).len()).chain(stand_ins).max()
    }

    /// Whether it comes before `other` in the order of results: it has fewer tokens, or as many and
    /// fewer bytes, or as many of both and earlier bytes.
    pub fn is_smaller_than(&self, other: &Self) -> bool {
        match self.tokens().cmp(&other.tokens()) {
            Ordering::Equal => {
                let (bytes, others) = (self.render(), other.render());
                (bytes.len(), bytes) < (others.len(), others)
            }
            order => order.is_lt(),
        }
    }

    /// The bytes of the variant, in place of what `out` held.
    pub fn render_into(&self, out: &mut Vec<u8>) {
        out.clear();
        self.text.render_into(&self.kept, &self.insertions, self.gaps, out);
    }

    /// Appends what tells this variant from others: of the text, a hash.
    pub fn identify(&self, out: &mut Vec<u8>) {
        out.extend(self.text.digest().to_le_bytes());
        out.push(self.gaps as u8);
        self.kept.identify(out);
        for place in &self.insertions {
            out.extend(place.at.to_le_bytes());
            out.extend((place.string.bytes.len() as u32).to_le_bytes());
            out.extend(&place.string.bytes);
        }
    }

    /// The bytes of the variant.
    pub fn render(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.render_into(&mut out);
        out
    }
}

/// Variants are equal if they keep and put the same into the same text.
impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        self.text.digest() == other.text.digest()
            && self.gaps == other.gaps
            && self.insertions == other.insertions
            && self.kept == other.kept
    }
}

impl Eq for Variant {}

macro_rules! any_search {
    ($($variant:ident($search:ty)),*) => {
        /// Any of the searches.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the search of its name")]
        pub enum AnySearch {
            $($variant($search),)*
        }

        impl AnySearch {
            /// Begins again with `best`, which it reads first where it has to, with what is known to be refused in it.
            pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
                match self { $(Self::$variant(search) => search.restart(best, memory),)* }
            }
        }

        impl Search for AnySearch {
            fn ask(&self) -> Ask {
                match self { $(Self::$variant(search) => search.ask(),)* }
            }

            fn tell(&mut self, answer: Answer) {
                match self { $(Self::$variant(search) => search.tell(answer),)* }
            }

            fn best(&self) -> &Variant {
                match self { $(Self::$variant(search) => search.best(),)* }
            }

            fn label(&self) -> &'static str {
                match self { $(Self::$variant(search) => search.label(),)* }
            }

            fn origin(&self) -> Origin {
                match self { $(Self::$variant(search) => search.origin(),)* }
            }

            fn learns_from(&self, evidence: &Evidence) -> bool {
                match self { $(Self::$variant(search) => search.learns_from(evidence),)* }
            }
        }
    };
}

any_search!(
    List(ListSearch),
    Tree(TreeSearch),
    Perses(PersesSearch),
    Linked(Box<LinkedSearch>),
    Passes(Box<PassSearch>)
);

impl AnySearch {
    /// What it knows to be refused.
    pub(crate) fn memory(&self) -> Option<&Memory> {
        if let Self::Linked(search) = self { Some(search.memory()) } else { None }
    }

    /// How many candidates were not asked about, because they have more syntax errors than their base.
    pub fn held_back(&self) -> u64 {
        if let Self::Passes(search) = self { search.held_back() } else { 0 }
    }
}

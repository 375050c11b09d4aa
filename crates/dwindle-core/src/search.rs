//! The one interface between algorithms and whoever runs them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::passes::Pass;
use crate::{Evidence, Format, Outcome, Subset, Text, Tree, Variant};

/// A search for a small interesting variant of an input, as a cloneable ask/tell machine without
/// I/O. A driver may run it step by step, ahead of the answers on clones, or again from recorded
/// answers: the same answers always lead to the same questions.
///
/// A search may ask several questions about one base before it draws a conclusion. The questions of such
/// a round are the same whatever the outcomes of the earlier ones: that is how a driver that looks ahead on
/// clones finds out that it can test them at the same time.
///
/// ```
/// use std::sync::Arc;
///
/// use dwindle_core::*;
///
/// /// A tree of letters, any of which can be deleted.
/// fn parse(text: &[u8]) -> Arc<Tree> {
///     let list = List { id: 0, some: false };
///     let letter = Syntax { list: Some(list), ..Role::Deletable.into() };
///     let mut builder = TreeBuilder::new(text.to_vec(), vec!["letters", "letter"]);
///     builder.open(0, Role::Fixed);
///     for (at, _) in (0..).zip(text).filter(|(_, byte)| byte.is_ascii_alphabetic()) {
///         builder.token(at..at + 1, 1, 1, letter);
///     }
///     builder.close();
///     Arc::new(builder.finish(Quotes::Known, &[]))
/// }
///
/// /// The result of `search` where a variant is interesting if it contains a `c`.
/// fn run(mut search: impl Search) -> Vec<u8> {
///     loop {
///         let answer = match search.ask() {
///             Ask::Test(variant) if variant.render().contains(&b'c') => Answer::Outcome(Outcome::Interesting),
///             Ask::Test(_) => Answer::Outcome(Outcome::Uninteresting),
///             Ask::Parse(variant, _) => Answer::Tree(parse(&variant.render())),
///             Ask::Done => return search.best().render(),
///         };
///         search.tell(answer);
///     }
/// }
///
/// let (tree, minimizer) = (parse(b"a b c d"), MinimizerConfig::new(MinimizerKind::default()));
/// assert_eq!(run(TreeSearch::new(tree.clone(), TreeReducer::HddStar, minimizer)), b"c");
/// assert_eq!(run(PersesSearch::new(tree.clone(), PersesReducer::Perses, minimizer)), b"c");
/// assert_eq!(run(LinkedSearch::new(tree, minimizer, LinkedSearch::DEFAULT_BATCH_WIDTH)), b"c");
/// ```
pub trait Search: Clone {
    /// What the search wants to know next. Pure: it may be called twice.
    fn ask(&self) -> Ask;

    /// Takes the answer to what [`ask`](Self::ask) returns.
    ///
    /// # Panics
    ///
    /// When the answer is of another sort than that question, such as an outcome for a text that is to be read.
    fn tell(&mut self, answer: Answer);

    /// The base: the variant that the question is about, from which something was taken. It was told
    /// to be interesting, or is the whole text. What is told of a question says whether it is
    /// interesting and smaller than this, unless the search [says otherwise](Self::wants_smaller). It may stay what it
    /// is after an interesting outcome and change after another, the last of a round.
    fn best(&self) -> &Variant;

    /// Whether an interesting outcome is told as such only where the candidate is smaller than the base.
    fn wants_smaller(&self) -> bool {
        true
    }

    /// Gives up what is being tried and goes on with what comes behind it, because somebody does not want to wait for it.
    /// Whether there is anything behind it.
    fn skip(&mut self) -> bool {
        false
    }

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

    /// The list that the question is about, if it is one about a list. Pure, and only for whoever records a search:
    /// it costs nothing where nobody asks.
    fn list(&self) -> Option<ListQuestion> {
        None
    }

    /// The [base](Self::best) with only these elements of that list, as the question has only those that it keeps.
    fn with_elements(&self, _kept: &Subset) -> Option<Variant> {
        None
    }
}

/// A question about a list, for whoever records a search.
#[derive(Clone, Debug)]
pub struct ListQuestion {
    /// Which of the lists of the search it is; each has the next number.
    pub number: u32,
    /// What the elements are: nodes of the tree, or pieces of the text, by number.
    pub elements: Arc<[u32]>,
    /// How many tokens each had when the list began, at least one.
    pub weights: Arc<[u32]>,
    /// The positions in the list that the base has.
    pub best: Subset,
    /// Those that the question has.
    pub kept: Subset,
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
    /// A syntax tree, by the front end that has read the input.
    Tree,
    /// A tree of its brackets, lines and indentation, which any text has, with the tokens of the other tree.
    Brackets,
    /// The number of its syntax errors, as that front end sees them.
    Errors,
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

/// What a program outside of the search, a *helper*, is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Which of the helpers.
    pub helper: u32,
    /// With which of its offers it is to begin.
    pub from: u32,
}

/// Texts that a helper offers in place of a variant, all of them smaller.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// Each with the number by which to go on when it is taken.
    pub texts: Vec<(u32, Arc<Text>)>,
    /// The number from which on there may be more of them.
    pub next: Option<u32>,
}

//! What a pass proposes: places with ordered alternatives, and how those that are taken become a variant.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::text::{Place, StandIn, Text};
use crate::{Subset, Variant};

/// A place where something can be done, in one of several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The ways, in the order in which they are tried.
    pub alternatives: Vec<Change>,
}

/// One way to change a text, of edits that are made together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    edits: Vec<Edit>,
}

/// Tokens that go, and what comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The tokens.
    pub tokens: Range<u32>,
    /// What comes in their place.
    pub with: Option<StandIn>,
    /// Where that is the one token without some of its bytes: which ones. Several such edits of a token
    /// can be made together.
    pub(super) cut: Option<Range<u32>>,
}

impl Choice {
    /// A choice with one alternative.
    pub fn one(change: Change) -> Self {
        Self { alternatives: alloc::vec![change] }
    }
}

impl Change {
    /// These edits together.
    pub fn new(mut edits: Vec<Edit>) -> Self {
        edits.retain(|edit| !edit.tokens.is_empty());
        edits.sort_unstable_by_key(|edit| edit.tokens.start);
        Self { edits }
    }

    /// The tokens of all these ranges go.
    pub fn removal(ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self::new(ranges.into_iter().map(Edit::removal).collect())
    }

    /// These tokens go.
    pub fn without(tokens: Range<usize>) -> Self {
        Self::new(alloc::vec![Edit::removal(tokens)])
    }

    /// `string` comes in the place of these tokens.
    pub fn replacement(tokens: Range<usize>, string: StandIn) -> Self {
        Self::new(alloc::vec![Edit::replacement(tokens, string)])
    }

    /// Of the tokens of `outer` only those of `inner` stay.
    pub fn keep(outer: Range<usize>, inner: Range<usize>) -> Self {
        Self::removal([outer.start..inner.start, inner.end..outer.end])
    }

    /// The text with these edits made, which must be possible.
    pub fn variant(&self, text: &Text) -> Variant {
        Menu::new(text, alloc::vec![Choice::one(self.clone())]).variant([(0, 0)]).0
    }

    /// Whether no two of its edits are about the same token.
    pub fn is_possible(&self) -> bool {
        self.edits.windows(2).all(|pair| pair[0].tokens.end <= pair[1].tokens.start)
    }

    /// The edits, in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }
}

impl Edit {
    /// These tokens go.
    pub fn removal(tokens: Range<usize>) -> Self {
        Self { tokens: tokens.start as u32..tokens.end as u32, with: None, cut: None }
    }

    /// `string` comes in the place of these tokens.
    pub fn replacement(tokens: Range<usize>, string: StandIn) -> Self {
        Self { with: Some(string), ..Self::removal(tokens) }
    }

    /// A token of `text` loses these bytes.
    pub(super) fn cut(text: &Text, token: usize, bytes: Range<usize>) -> Self {
        let cut = bytes.start as u32..bytes.end as u32;
        let with = without(text, token, core::slice::from_ref(&cut));
        Self { with: Some(with), cut: Some(cut), ..Self::removal(token..token + 1) }
    }

    /// The tokens, as positions.
    pub fn range(&self) -> Range<usize> {
        self.tokens.start as usize..self.tokens.end as usize
    }
}

/// A token without some ranges of its bytes.
fn without(text: &Text, token: usize, cuts: &[Range<u32>]) -> StandIn {
    let piece = (0..).zip(text.piece(token));
    let bytes: Vec<u8> =
        piece.filter(|(at, _)| !cuts.iter().any(|cut| cut.contains(at))).map(|(_, &byte)| byte).collect();
    StandIn { tokens: weight_of(&bytes, text.weight(token)), bytes }
}

/// How many tokens count what is left of one that counts as `weight`: quotes and what is between them may
/// be one piece here, but are up to three.
pub(super) fn weight_of(bytes: &[u8], weight: u32) -> u32 {
    match bytes {
        [] => 0,
        [_, _] => weight.min(2),
        // Escapes are tokens of their own in some languages.
        _ if bytes.contains(&b'\\') => weight,
        _ => weight.min(3),
    }
}

/// Choices over one text, with all that they may put into it.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    /// The text, with the strings of all alternatives as its stand-ins.
    text: Arc<Text>,
    choices: Arc<[Choice]>,
    /// The number of the first string of each alternative of each choice.
    first_string: Arc<[Vec<u32>]>,
}

impl Menu {
    pub(super) fn new(text: &Text, choices: Vec<Choice>) -> Self {
        let mut strings = Vec::new();
        let mut first_string = Vec::with_capacity(choices.len());
        for choice in &choices {
            let mut first = Vec::with_capacity(choice.alternatives.len());
            for change in &choice.alternatives {
                first.push(strings.len() as u32);
                strings.extend(change.edits.iter().filter_map(|edit| edit.with.clone()));
            }
            first_string.push(first);
        }
        Self {
            text: Arc::new(text.clone_with_stand_ins(strings)),
            choices: choices.into(),
            first_string: first_string.into(),
        }
    }

    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The variant in which the alternatives `taken` are taken, each a choice and the number of its
    /// alternative, and those of them that found their place untouched by the ones before them, or that
    /// cut the same token.
    pub(super) fn variant(&self, taken: impl IntoIterator<Item = (u32, u32)>) -> (Variant, Vec<(u32, u32)>) {
        let mut untouched = Subset::full(self.text.len());
        let (mut places, mut made) = (Vec::new(), Vec::new());
        let mut kept = untouched.clone();
        let mut cuts: BTreeMap<u32, Vec<Range<u32>>> = BTreeMap::new();
        for (choice, alternative) in taken {
            self.text.cancellation().check();
            let change = &self.choices[choice as usize].alternatives[alternative as usize];
            let is_free = |edit: &Edit| {
                untouched.count(edit.range()) == edit.range().len()
                    || edit.cut.is_some() && cuts.contains_key(&edit.tokens.start)
            };
            if !change.edits.iter().all(is_free) {
                continue;
            }
            let mut stand_in = self.first_string[choice as usize][alternative as usize];
            for edit in &change.edits {
                untouched.remove_range(edit.range());
                kept.remove_range(edit.range());
                let before = edit.cut.as_ref().map_or(0, |cut| {
                    let cuts = cuts.entry(edit.tokens.start).or_default();
                    cuts.push(cut.clone());
                    cuts.len() - 1
                });
                if edit.with.is_some() {
                    places.extend((before == 0).then_some(Place { at: edit.tokens.start, stand_in }));
                    stand_in += 1;
                }
            }
            made.push((choice, alternative));
        }
        places.sort_unstable_by_key(|place| place.at);
        cuts.retain(|_, cuts| cuts.len() > 1);
        let text = if cuts.is_empty() { self.text.clone() } else { self.cut(&mut places, &cuts).into() };
        (Variant { text, kept, places, gaps: Default::default() }, made)
    }

    /// The text with stand-ins for the tokens that are cut more than once, which get their `places`.
    fn cut(&self, places: &mut [Place], cuts: &BTreeMap<u32, Vec<Range<u32>>>) -> Text {
        let mut strings = self.text.stand_ins().to_vec();
        for place in places {
            if let Some(cuts) = cuts.get(&place.at) {
                place.stand_in = strings.len() as u32;
                strings.push(without(&self.text, place.at as usize, cuts));
            }
        }
        self.text.clone_with_stand_ins(strings)
    }
}

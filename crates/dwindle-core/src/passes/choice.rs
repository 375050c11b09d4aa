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

/// Something that is done to tokens one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The tokens.
    pub tokens: Range<u32>,
    /// What becomes of them.
    pub with: With,
}

/// What comes in the place of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum With {
    /// Nothing.
    Nothing,
    /// A string.
    String(StandIn),
    /// The one token without these of its bytes. Several such edits of a token can be made together.
    Rest(Range<u32>),
    /// The one token with this gap before it. The number of tokens stands for the gap behind the last one.
    Gap(Vec<u8>),
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
        Self { tokens: tokens.start as u32..tokens.end as u32, with: With::Nothing }
    }

    /// `string` comes in the place of these tokens.
    pub fn replacement(tokens: Range<usize>, string: StandIn) -> Self {
        Self { with: With::String(string), ..Self::removal(tokens) }
    }

    /// A token loses these bytes.
    pub(super) fn cut(token: usize, bytes: Range<usize>) -> Self {
        Self { with: With::Rest(bytes.start as u32..bytes.end as u32), ..Self::removal(token..token + 1) }
    }

    /// The gap before a token becomes another one.
    pub(super) fn gap(token: usize, gap: Vec<u8>) -> Self {
        Self { with: With::Gap(gap), ..Self::removal(token..token + 1) }
    }

    /// The string that comes in their place, if it is one.
    pub(super) fn string(&self) -> Option<&StandIn> {
        match &self.with {
            With::String(string) => Some(string),
            With::Nothing | With::Rest(_) | With::Gap(_) => None,
        }
    }

    /// The tokens, as positions.
    pub fn range(&self) -> Range<usize> {
        self.tokens.start as usize..self.tokens.end as usize
    }
}

/// A token without some ranges of its bytes.
fn without(text: &Text, token: usize, cuts: &mut [Range<u32>]) -> StandIn {
    let bytes = rest(text.piece(token), cuts);
    StandIn { tokens: weight_of(&bytes, text.weight(token)), bytes }
}

/// What is left of a token without some ranges of its bytes.
pub(super) fn rest(piece: &[u8], cuts: &mut [Range<u32>]) -> Vec<u8> {
    cuts.sort_unstable_by_key(|cut| cut.start);
    let mut bytes = Vec::with_capacity(piece.len());
    let mut at = 0;
    for cut in cuts {
        bytes.extend_from_slice(&piece[at..cut.start as usize]);
        at = cut.end as usize;
    }
    bytes.extend_from_slice(&piece[at..]);
    bytes
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
    choices: Arc<Vec<Choice>>,
    /// The number of the first string of each alternative of each choice.
    first_string: Arc<Vec<Vec<u32>>>,
}

impl Menu {
    pub(super) fn new(text: &Text, choices: Vec<Choice>) -> Self {
        let text = Arc::new(text.clone_with_stand_ins(Vec::new()));
        let mut menu = Self { text, choices: Arc::default(), first_string: Arc::default() };
        menu.extend(choices);
        menu
    }

    /// More choices, behind those that are there.
    pub(super) fn extend(&mut self, choices: Vec<Choice>) {
        let mut strings = self.text.stand_ins().to_vec();
        let first_string = Arc::make_mut(&mut self.first_string);
        for choice in &choices {
            let mut first = Vec::with_capacity(choice.alternatives.len());
            for change in &choice.alternatives {
                first.push(strings.len() as u32);
                strings.extend(change.edits.iter().filter_map(Edit::string).cloned());
            }
            first_string.push(first);
        }
        if strings.len() > self.text.stand_ins().len() {
            self.text = Arc::new(self.text.clone_with_stand_ins(strings));
        }
        Arc::make_mut(&mut self.choices).extend(choices);
    }

    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The variant in which the alternatives `taken` are taken, each a choice and the number of its
    /// alternative, and those of them that found their place untouched by the ones before them, or that
    /// cut the same token.
    pub(super) fn variant(&self, taken: impl IntoIterator<Item = (u32, u32)>) -> (Variant, Vec<(u32, u32)>) {
        let mut kept = Subset::full(self.text.len());
        let (mut places, mut made) = (Vec::new(), Vec::new());
        let mut cuts: BTreeMap<u32, Vec<Range<u32>>> = BTreeMap::new();
        let mut gaps: BTreeMap<usize, &[u8]> = BTreeMap::new();
        for (choice, alternative) in taken {
            self.text.cancellation().check();
            let change = &self.choices[choice as usize].alternatives[alternative as usize];
            let is_free = |edit: &Edit| match edit.with {
                With::Gap(_) => !gaps.contains_key(&edit.range().start),
                With::Rest(_) if cuts.contains_key(&edit.tokens.start) => true,
                _ => kept.count(edit.range()) == edit.range().len(),
            };
            if !change.edits.iter().all(is_free) {
                continue;
            }
            let mut stand_in = self.first_string[choice as usize][alternative as usize];
            for edit in &change.edits {
                match &edit.with {
                    With::Gap(gap) => {
                        gaps.insert(edit.range().start, gap);
                        continue;
                    }
                    With::Rest(cut) => cuts.entry(edit.tokens.start).or_default().push(cut.clone()),
                    With::String(_) => {
                        places.push(Place { at: edit.tokens.start, stand_in });
                        stand_in += 1;
                    }
                    With::Nothing => {}
                }
                kept.remove_range(edit.range());
            }
            made.push((choice, alternative));
        }
        let mut text = self.text.clone();
        if !gaps.is_empty() {
            text = text.with_gaps(gaps).into();
        }
        if !cuts.is_empty() {
            let mut strings = text.stand_ins().to_vec();
            for (at, cuts) in &mut cuts {
                places.push(Place { at: *at, stand_in: strings.len() as u32 });
                strings.push(without(&text, *at as usize, cuts));
            }
            text = text.clone_with_stand_ins(strings).into();
        }
        places.sort_unstable_by_key(|place| place.at);
        (Variant { text, kept, places, gaps: Default::default() }, made)
    }
}

//! Lists of letters in brackets, read as trees.

use std::sync::Arc;

use dwindle_core::{How, List, Quotes, Role, Slot, StandIn, Syntax, Tree, TreeBuilder};

/// `(` and `)` around a list of groups and letters, which may be empty; a letter or a group may stand
/// where the other does. Letters behind a bracket that is closed too early are outside of all, and what
/// is left open is closed at the end. Groups are scopes; where letters are `named`, a capital introduces a
/// name and its small letter uses it.
pub(crate) fn tree(text: &[u8], named: bool) -> Arc<Tree> {
    let slots = [Slot { kinds: vec![1, 2], minimal: Some(StandIn { bytes: b"m".to_vec(), tokens: 1 }) }];
    let element =
        |id| Syntax { slot: Some(0), list: Some(List { id, some: false }), ..Role::Deletable.into() };
    let mut builder = TreeBuilder::new(text.to_vec(), vec!["root", "group", "letter", "bracket"]);
    builder.open(0, Role::Fixed);
    let (mut open, mut lists) = (vec![0], 0);
    for (at, &byte) in (0..).zip(text) {
        match byte {
            b'(' => {
                builder.open(1, element(open[open.len() - 1]));
                builder.scope();
                lists += 1;
                open.push(lists);
                builder.token(at..at + 1, 1, 3, Role::Fixed);
            }
            b')' if open.len() > 1 => {
                builder.token(at..at + 1, 1, 3, Role::Fixed);
                builder.close();
                open.pop();
            }
            _ => {
                builder.token(at..at + 1, 1, 2, element(open[open.len() - 1]));
                let how = if byte.is_ascii_uppercase() { How::Introduces } else { How::Uses };
                if named && byte.is_ascii_alphabetic() {
                    builder.name(&[byte.to_ascii_lowercase()], how);
                }
            }
        }
    }
    open.iter().for_each(|_| builder.close());
    Arc::new(builder.finish(Quotes::Known, &slots))
}

pub(crate) fn letters(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// An arbitrary but fixed answer for every text; about one in `rarity` is interesting.
pub(crate) fn arbitrary(seed: u64, rarity: u64) -> impl Fn(&[u8]) -> bool {
    move |text| {
        let hash =
            text.iter().fold(seed | 1, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33 < (1 << 31) / rarity
    }
}

//! What the productions of a language say, by the numbers that tree-sitter gives to kinds.
//!
//! `productions.txt` is written by `cargo run -p xtask -- grammars` from the crates that bring the
//! grammars: after a line `= LANGUAGE`, the lines of its [`Productions`].

use dwindle_core::{Slot, StandIn};
use dwindle_grammar::{Class, Derived, Expr, Matcher, Productions};

/// All languages.
const TEXT: &str = include_str!("productions.txt");

/// What there is to know about a language.
pub(super) struct Knowledge {
    /// What the children of each kind may be.
    children: Vec<Option<Expr>>,
    /// The kinds of each class, in ascending order.
    classes: Vec<Vec<u32>>,
}

impl Knowledge {
    /// What there is to know about the language of that name, and what may stand in the place of a
    /// child of each class.
    pub(super) fn new(name: &str, language: &tree_sitter::Language) -> (Self, Vec<Slot>) {
        Self::of(section(name).and_then(Productions::read).unwrap_or_default(), language)
    }

    /// The same of a language with these productions.
    pub(super) fn of(productions: Productions, language: &tree_sitter::Language) -> (Self, Vec<Slot>) {
        let count = language.node_kind_count();
        let numbers: Vec<Option<u32>> = productions
            .kinds
            .iter()
            .map(|kind| {
                let id = language.id_for_node_kind(&kind.name, kind.named);
                Some(u32::from(id)).filter(|&id| id != 0 && (id as usize) < count)
            })
            .collect();
        let by_id = |kinds: &[u32]| {
            let mut kinds: Vec<u32> = kinds.iter().filter_map(|&kind| numbers[kind as usize]).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        };
        let slots = productions.classes.iter().map(|class| {
            let minimal = productions
                .minimal(class)
                .map(|(text, tokens)| StandIn { bytes: text.as_bytes().to_vec(), tokens: *tokens });
            Slot { kinds: by_id(&productions.fitting(class)), minimal }
        });
        let slots = slots.collect();
        let classes = productions.classes.iter().map(|class| by_id(class)).collect();
        let mut children = vec![None; count];
        for (kind, id) in productions.kinds.into_iter().zip(numbers) {
            if let Some(id) = id {
                children[id as usize] = kind.children;
            }
        }
        (Self { children, classes }, slots)
    }

    fn holds(&self, class: Class, kind: u32) -> bool {
        self.classes[class as usize].binary_search(&kind).is_ok()
    }
}

fn section(name: &str) -> Option<&'static str> {
    let title = format!("= {name}\n");
    let mut sections = TEXT.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let (start, line) = sections.find(|(_, line)| *line == title)?;
    let rest = &TEXT[start + line.len()..];
    Some(rest.find("\n= ").map_or(rest, |end| &rest[..end + 1]))
}

/// The names of the kinds of all languages that there is a grammar for, whether it is compiled in or not.
#[cfg(test)]
pub(super) fn named_kinds() -> Vec<Vec<String>> {
    let names = TEXT.lines().filter_map(|line| line.strip_prefix("= "));
    let kinds = |name| section(name).and_then(Productions::read).unwrap_or_default().kinds.into_iter();
    names.map(|name| kinds(name).filter(|kind| kind.named).map(|kind| kind.name).collect()).collect()
}

/// The automata of the kinds that a text has, made when they are needed.
pub(super) struct Matchers<'a> {
    knowledge: &'a Knowledge,
    matchers: Vec<Option<Matcher>>,
}

impl<'a> Matchers<'a> {
    pub(super) fn new(knowledge: &'a Knowledge) -> Self {
        let mut matchers = Vec::new();
        matchers.resize_with(knowledge.children.len(), || None);
        Self { knowledge, matchers }
    }

    /// What the productions of `kind` say of children of the kinds `children`; none if they do not
    /// derive such.
    pub(super) fn derive(&mut self, kind: u32, children: &[u32]) -> Option<Vec<Derived>> {
        let knowledge = self.knowledge;
        let expr = knowledge.children.get(kind as usize)?.as_ref()?;
        let matcher = self.matchers[kind as usize].get_or_insert_with(|| Matcher::new(expr));
        matcher.derive(children, |class, kind| knowledge.holds(class, kind))
    }
}

//! What a grammar lets go of, from the `node-types.json` that comes with it. This is for nodes whose
//! children the [productions](super::productions) do not derive, such as those with errors.
//!
//! The file says of each kind of node which fields and unnamed children it has, whether each is
//! required and whether there may be several, and of which kinds they are. It does not say in which
//! order they come nor where tokens without a name stand, so separators are found in the tree.

use std::collections::{BTreeMap, HashMap, HashSet};

use dwindle_core::{Lexicon, Role, Signs, Slot};
use serde::Deserialize;

use super::languages::{Language, Trait};
use super::productions::Knowledge;
use super::queries::Queries;
use super::vocabulary::{Facts, Field, Vocabulary};

/// A grammar with what its node types say, by the numbers that tree-sitter gives to kinds.
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    kinds: Vec<Kind>,
    /// What may stand in a place: in those of the productions' classes, then as the node types say.
    pub(super) slots: Vec<Slot>,
    pub(super) knowledge: Knowledge,
    pub(super) queries: Queries,
    /// Whether an assignment may introduce what it is to.
    pub(super) assigns: bool,
    /// What is special about its language.
    pub(super) traits: &'static [Trait],
    signs: Signs,
    /// What the fields are for names, by their number.
    fields: Vec<Field>,
}

/// What there is to know about a kind.
#[derive(Default)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) named: bool,
    /// Nothing but punctuation, and not a bracket.
    pub(super) punctuation: bool,
    pub(super) comma: bool,
    /// What its name says.
    pub(super) facts: Facts,
    /// Its fields by their number, ascending; 0 are the children without a field.
    places: Vec<(u16, Place)>,
}

/// Where a child stands, as far as its role is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Exactly one of the kinds of this slot.
    Required(u32),
    /// One or none.
    Optional,
    /// Any number, at least one.
    Some,
    /// Any number.
    Any,
}

impl Place {
    /// Whether others may stand beside it.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Some | Self::Any)
    }

    /// The role of a node with a name.
    pub(super) fn role(self) -> Role {
        match self {
            Self::Required(slot) => Role::StandIn(slot),
            Self::Optional | Self::Some | Self::Any => Role::Deletable,
        }
    }
}

impl Grammar {
    /// The kind of nodes that hold what cannot be parsed.
    pub(super) fn error(&self) -> u32 {
        self.kinds.len() as u32 - 3
    }

    /// The kind of text that no leaf of the tree covers.
    pub(super) fn uncovered(&self) -> u32 {
        self.kinds.len() as u32 - 2
    }

    /// The kind of nodes that hold siblings that go together.
    pub(super) fn group(&self) -> u32 {
        self.kinds.len() as u32 - 1
    }

    /// A kind by tree-sitter's number.
    pub(super) fn number(&self, id: u16) -> u32 {
        u32::from(id).min(self.error())
    }

    pub(super) fn kind(&self, kind: u32) -> &Kind {
        &self.kinds[kind as usize]
    }

    /// Where a child in this field of a node of kind `parent` stands, if the grammar knows.
    pub(super) fn place(&self, parent: u32, field: u16) -> Option<Place> {
        let places = &self.kind(parent).places;
        places.iter().find(|(number, _)| *number == field).map(|(_, place)| *place)
    }

    /// What a field is for names; 0 is no field.
    pub(super) fn field(&self, field: u16) -> Field {
        self.fields.get(usize::from(field)).copied().unwrap_or(Field::Other)
    }

    /// The field of a body.
    pub(super) fn body(&self) -> Option<u16> {
        self.language.field_id_for_name("body").map(|field| field.get())
    }

    /// What searches may know of the language.
    pub(super) fn lexicon(&'static self) -> Lexicon {
        let kinds = self.kinds[..self.group() as usize].iter().map(|kind| kind.facts.kind(&kind.name));
        Lexicon { kinds: kinds.collect(), signs: self.signs, guesses_names: false }
    }

    pub(super) fn has(&self, own: Trait) -> bool {
        self.traits.contains(&own)
    }

    /// The grammar of a language, with the queries that its crate brings.
    pub(super) fn new(language: Language) -> Self {
        let parser = language.parser();
        let knowledge = Knowledge::new(language.name(), &parser);
        let queries = Queries::new(&parser, language.queries());
        let grammar = Self::of(knowledge, parser, language.node_types(), language.vocabulary());
        let grammar = grammar.expect("a grammar crate's node types are well-formed");
        Self { queries, traits: language.traits(), ..grammar }
    }

    /// A grammar of which there is this to know.
    pub(super) fn of(
        (knowledge, known_slots): (Knowledge, Vec<Slot>),
        language: tree_sitter::Language,
        node_types: &str,
        vocabulary: &Vocabulary,
    ) -> serde_json::Result<Self> {
        let types: Vec<serde_json::Value> = serde_json::from_str(node_types)?;
        // One crate has an entry that says nothing.
        let types = types.into_iter().filter_map(|entry| serde_json::from_value(entry).ok());
        let types: Vec<NodeType> = types.collect();
        let mut slots = Slots::new(&language, &types, known_slots);
        let mut kinds: Vec<Kind> = (0..language.node_kind_count() as u16)
            .map(|id| Kind::new(language.node_kind_for_id(id).unwrap_or(""), language.node_kind_is_named(id)))
            .collect();
        for node_type in &types {
            let places = node_type.fields.iter().filter_map(|(name, children)| {
                Some((language.field_id_for_name(name)?.get(), slots.place(children)))
            });
            let mut places: Vec<(u16, Place)> = places.collect();
            places.extend(node_type.children.iter().map(|children| (0, slots.place(children))));
            places.sort_by_key(|(field, _)| *field);
            let id = language.id_for_node_kind(&node_type.kind, node_type.named);
            kinds[usize::from(id)].places = places;
        }
        kinds.push(Kind::new("ERROR", true));
        kinds.push(Kind::new("text", true));
        kinds.push(Kind::new("group", true));
        let slots = slots.slots;
        let count = language.field_count() as u16;
        let fields: Vec<Field> =
            (0..=count).map(|id| Field::new(language.field_name_for_id(id).unwrap_or(""))).collect();
        for kind in &mut kinds {
            let own: Vec<Field> = kind.places.iter().map(|(field, _)| fields[usize::from(*field)]).collect();
            kind.facts = Facts::new(&vocabulary.meanings(&kind.name, kind.named), &own);
        }
        let error = kinds.len() - 3;
        kinds[error].facts.error = true;
        let assigns = !kinds.iter().any(|kind| kind.facts.declares_variables);
        Ok(Self {
            assigns,
            language,
            kinds,
            slots,
            knowledge,
            queries: Queries::default(),
            traits: &[],
            signs: vocabulary.signs,
            fields,
        })
    }
}

impl Kind {
    fn new(name: &str, named: bool) -> Self {
        Self {
            name: name.to_owned(),
            named,
            punctuation: !named
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_punctuation() && !b"()[]{}\"'`".contains(&byte)),
            comma: !named && name == ",",
            facts: Facts::default(),
            places: Vec::new(),
        }
    }
}

/// An entry of `node-types.json`.
#[derive(Deserialize)]
struct NodeType {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    fields: BTreeMap<String, Children>,
    children: Option<Children>,
    #[serde(default)]
    subtypes: Vec<TypeName>,
}

#[derive(Deserialize)]
struct Children {
    multiple: bool,
    required: bool,
    types: Vec<TypeName>,
}

#[derive(Deserialize)]
struct TypeName {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
}

/// Collects the lists of kinds of required places.
struct Slots<'a> {
    language: &'a tree_sitter::Language,
    subtypes: HashMap<&'a str, &'a [TypeName]>,
    numbers: HashMap<Vec<u32>, u32>,
    slots: Vec<Slot>,
}

impl<'a> Slots<'a> {
    fn new(language: &'a tree_sitter::Language, types: &'a [NodeType], slots: Vec<Slot>) -> Self {
        let supertypes = types.iter().filter(|node_type| !node_type.subtypes.is_empty());
        Self {
            language,
            subtypes: supertypes.map(|supertype| (&*supertype.kind, &*supertype.subtypes)).collect(),
            numbers: HashMap::new(),
            slots,
        }
    }

    fn place(&mut self, children: &'a Children) -> Place {
        match (children.required, children.multiple) {
            (true, true) => Place::Some,
            (false, true) => Place::Any,
            (false, false) => Place::Optional,
            (true, false) => {
                let kinds = self.expand(&children.types);
                let next = self.slots.len() as u32;
                let slot = *self.numbers.entry(kinds.clone()).or_insert(next);
                if slot == next {
                    self.slots.push(Slot { kinds, minimal: None });
                }
                Place::Required(slot)
            }
        }
    }

    /// The named kinds among `types`, with those of which a supertype among them consists.
    fn expand(&self, types: &'a [TypeName]) -> Vec<u32> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut open: Vec<&TypeName> = types.iter().collect();
        let mut kinds = Vec::new();
        while let Some(name) = open.pop() {
            if !name.named || !seen.insert(&name.kind) {
                continue;
            }
            match self.subtypes.get(&*name.kind) {
                Some(subtypes) => open.extend(*subtypes),
                None => kinds.push(u32::from(self.language.id_for_node_kind(&name.kind, true))),
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

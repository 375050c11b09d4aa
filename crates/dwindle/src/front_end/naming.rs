//! Which leaves of a syntax tree are names, which of them introduce their names, and which nodes are
//! scopes.
//!
//! Grammars do not say so, but they call things by their names: a field `name` or `declarator` of
//! something that is a declaration, a definition or a parameter holds what it introduces, a
//! `function_body` is a scope. The tables below are substrings of kinds and names of fields that mean
//! the same in all grammars; there is no rule for one language. What a grammar's own queries say goes
//! before (see [`super::queries`]).
//!
//! A wrong introduction costs more than a missed one, because what it is in takes all mentions along
//! when it goes. So what refers to something that is declared elsewhere (calls, members, qualified
//! names, jumps) introduces nothing, however its fields are called.

/// What a token has to do with names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Naming {
    /// Nothing: punctuation and keywords.
    #[default]
    Nothing,
    /// It is a name, and introduces it.
    Introduces,
    /// It is the name of the scope that it is directly in, and introduces it around that.
    Heads,
    /// It is a name, and introduces it where nothing else does.
    Assigns,
    /// It is a name that is known from elsewhere.
    Uses,
    /// There may be names in it, as in a string.
    Words,
    /// There are names in it, as in the body of a macro.
    Code,
}

impl Naming {
    /// All of them; the position is the number in an outline.
    pub(super) const ALL: [Self; 7] =
        [Self::Nothing, Self::Introduces, Self::Heads, Self::Assigns, Self::Uses, Self::Words, Self::Code];
}

/// What a name does in a place of the syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It is used, but what declares something may stand there.
    Uses,
    /// It refers to something, and so does what is below.
    Refers,
    /// It is introduced.
    Introduces,
    /// It is introduced unless it is a constructor, as in what a `match` compares with.
    Matches,
    /// It is introduced if nothing else does.
    Assigns,
}

/// What the name of a kind says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// A leaf of this kind is a name if its text is a word.
    name: bool,
    /// A leaf of this kind may have names in it, which are used.
    code: bool,
    named: bool,
    /// A node of this kind introduces something.
    declares: bool,
    /// A node of this kind is a list of things that are introduced.
    introduces_all: bool,
    /// What is below stands in the same place as the node.
    passes: bool,
    pattern: bool,
    is_reference: bool,
    /// What is below is declared elsewhere.
    refers: bool,
    jumps: bool,
    matches: bool,
    assigns: bool,
    /// A loop, which introduces what is to the left.
    loops: bool,
    needs_body: bool,
    is_type: bool,
    field_name: bool,
    scope: bool,
    pub(super) import: bool,
    /// By its fields: something introduces itself in one of them.
    names_by_field: bool,
    has_body: bool,
}

/// What the name of a field says of what stands in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    /// No field.
    None,
    /// The name of what the node declares.
    Name,
    /// What a pattern or an assignment introduces.
    Left,
    /// A name of something else, valid here.
    Alias,
    /// The name or pattern, whatever the node is called.
    Declarator,
    Value,
    Body,
    Parameters,
    Other,
}

const DECLARES: &[&str] = &[
    "decl",
    "definition",
    "_item",
    "_spec",
    "param",
    "variant",
    "enumerator",
    "enum_member",
    "enum_assignment",
    "enum_entry",
    "enum_constant",
    "signature",
    "alias",
    "binding",
    "label",
    "typedef",
    "create_",
    "cte",
    "_header",
    "initialized_",
];

/// Kinds that are called like declarations and are none.
const REFERS: &[&str] = &[
    "call",
    "invocation",
    "argument",
    "access",
    "qualified",
    "scoped",
    "member_expression",
    "selector",
    "subscript",
    "index_expression",
    "field_expression",
    "attribute",
    "package",
    "global",
    "export_spec",
    "pragma",
    "dotted",
    "destructor",
    "instantiation",
    "generic_type",
    "decltype",
    "constructor",
    "initializer",
];

const JUMPS: &[&str] = &["break", "continue", "goto"];

const PASSES: &[&str] = &[
    "pattern",
    "expression_list",
    "identifier_list",
    "variable_list",
    "name_list",
    "parenthesized",
    "tuple",
    "splat",
    "list_of_",
    "declarator",
    "reference",
    "ident",
    "_name",
];

/// Leaves of these kinds are no names.
const NO_NAMES: &[&str] = &[
    "literal",
    "number",
    "integer",
    "float",
    "string",
    "char",
    "bool",
    "null",
    "nil",
    "none",
    "undefined",
    "primitive",
    "predefined",
    "builtin",
    "keyword",
    "comment",
    "content",
    "fragment",
    "escape",
    "modifier",
    "specifier",
    "qualifier",
    "operator",
    "text",
    "void_type",
    "preproc",
    "raw",
    "heredoc",
    "regex",
    "unit",
    "color",
    "error",
    "property_name",
    "tag_name",
    "inline",
    "paragraph",
];

/// Leaves of these kinds hold code as it is, such as the body of a macro.
const CODE: &[&str] = &["preproc", "macro"];

/// Kinds of scopes.
const SCOPES: &[&str] = &[
    "block",
    "compound_statement",
    "function",
    "method",
    "procedure",
    "subprogram",
    "subroutine",
    "lambda",
    "closure",
    "comprehension",
    "for_statement",
    "for_expression",
    "match_arm",
    "case_clause",
    "catch",
];

/// Parts of the kinds above that are no scopes.
const NO_SCOPES: &[&str] = &[
    "declarator",
    "type",
    "call",
    "invocation",
    "name",
    "identifier",
    "signature",
    "header",
    "modifier",
    "specifi",
    "attribute",
    "statement_list",
    "enum",
    "argument",
    "parameter",
    "reference",
];

fn any(name: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| name.contains(part))
}

impl Facts {
    /// What a kind of that name is; `fields` are its fields.
    pub(super) fn new(kind: &str, named: bool, fields: &[Field]) -> Self {
        if !named {
            return Self::default();
        }
        let lower = kind.to_ascii_lowercase();
        let has = |field| fields.contains(&field);
        let specifier = lower.ends_with("specifier");
        let import = any(&lower, &["import", "include", "using", "_use_"])
            || lower.starts_with("use_") && lower != "use_clause"
            || lower.ends_with("uses");
        let jumps = any(&lower, JUMPS);
        let refers = any(&lower, REFERS) || jumps;
        let parameters = ["parameters", "parameter_list", "targets"].iter().any(|end| lower.ends_with(end));
        let enumerates = lower.contains("enum") && any(&lower, &["body", "list"]);
        let ends = ["_def", "_elem"].iter().any(|end| lower.ends_with(end));
        let declares = any(&lower, DECLARES) || ends || specifier;
        let by_fields = has(Field::Name)
            && (has(Field::Body) || has(Field::Parameters))
            && (!lower.contains("expression") || any(&lower, &["function", "class", "lambda"]));
        Self {
            name: !any(&lower, NO_NAMES),
            code: any(&lower, CODE),
            named,
            declares: (declares || by_fields) && !refers,
            introduces_all: parameters || enumerates,
            passes: (any(&lower, PASSES) || lower == "name") && !refers,
            is_reference: lower.contains("reference"),
            pattern: lower.contains("pattern"),
            refers,
            jumps,
            matches: any(&lower, &["match", "case", "arm"]),
            assigns: lower.contains("assign") && !any(&lower, &["augmented", "compound", "operator"]),
            loops: any(&lower, &["for_", "foreach", "range_clause", "generator"]),
            needs_body: specifier && !import,
            is_type: lower.contains("type"),
            field_name: lower.contains("field") && !lower.contains("shorthand"),
            scope: (has(Field::Body) || any(&lower, SCOPES)) && !any(&lower, NO_SCOPES)
                || has(Field::Body) && specifier && !lower.contains("enum"),
            import,
            names_by_field: has(Field::Name) || has(Field::Left) || has(Field::Declarator),
            has_body: has(Field::Body),
        }
    }
}

impl Field {
    pub(super) fn new(name: &str) -> Self {
        match name {
            "" => Self::None,
            "name" | "names" | "label" | "parameter" | "identifier" | "id" | "variable" | "port_name" => {
                Self::Name
            }
            "left" | "lhs" => Self::Left,
            "alias" => Self::Alias,
            "declarator" | "pattern" | "bound_identifier" => Self::Declarator,
            "value" => Self::Value,
            "body" | "consequence" => Self::Body,
            "parameters" | "parameter_list" => Self::Parameters,
            _ => Self::Other,
        }
    }
}

/// A node that is open, as far as names are concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    facts: Facts,
    place: Place,
    /// Whether what it may need to declare something is there.
    has_body: bool,
    /// Whether it is the declarator of something that has a body, which its parameters belong to.
    heads_body: bool,
    /// How far it is with the names that come first in it.
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Before,
    During,
    Behind,
}

impl Frame {
    pub(super) fn root(facts: Facts) -> Self {
        Self { facts, place: Place::Uses, has_body: true, heads_body: false, phase: Phase::Before }
    }

    /// A child that stands in `field`, and whether it is a scope.
    pub(super) fn below(
        &mut self,
        facts: Facts,
        field: Field,
        has_body: impl FnOnce() -> bool,
    ) -> (Self, bool) {
        let place = self.place(facts, field, false);
        let heads_body =
            (self.facts.has_body || self.heads_body) && matches!(field, Field::Declarator | Field::None);
        let has_body = !facts.needs_body || has_body();
        let parameters = field == Field::Parameters && !self.heads_body && !self.facts.has_body;
        let scope = facts.scope && has_body || parameters;
        (Self { facts, place, has_body, heads_body, phase: Phase::Before }, scope)
    }

    /// What a leaf with the text `word` does.
    pub(super) fn leaf(&mut self, facts: Facts, field: Field, kind: &str, word: &[u8]) -> Naming {
        let name = facts.name && is_word(word) && !is_keyword(kind.as_bytes(), word);
        if !name {
            if self.phase == Phase::During && word != b"," {
                self.phase = Phase::Behind;
            }
            return match facts {
                Facts { code: true, .. } => Naming::Code,
                Facts { named: true, .. } => Naming::Words,
                _ => Naming::Nothing,
            };
        }
        let direct = field == Field::Name && self.facts.scope;
        match self.place(facts, field, true) {
            Place::Uses | Place::Refers => Naming::Uses,
            Place::Introduces if direct => Naming::Heads,
            Place::Introduces => Naming::Introduces,
            Place::Matches if word.first().is_some_and(u8::is_ascii_uppercase) => Naming::Uses,
            Place::Matches => Naming::Introduces,
            Place::Assigns => Naming::Assigns,
        }
    }

    fn place(&mut self, child: Facts, field: Field, leaf: bool) -> Place {
        let (own, place) = (self.facts, self.place);
        if own.jumps || place == Place::Refers && !own.has_body {
            return Place::Refers;
        }
        if own.refers {
            return Place::Uses;
        }
        let passed = place != Place::Uses && own.passes;
        match field {
            Field::Name | Field::Declarator if own.pattern && passed => {
                if child.field_name {
                    Place::Uses
                } else {
                    place
                }
            }
            Field::Name if own.is_reference => {
                if passed {
                    place
                } else {
                    Place::Uses
                }
            }
            Field::Name | Field::Left if own.declares && self.has_body => Place::Introduces,
            Field::Left if own.loops => Place::Introduces,
            Field::Left if own.assigns && !own.pattern => {
                if place == Place::Introduces {
                    place
                } else {
                    Place::Assigns
                }
            }
            Field::Name if own.assigns => Place::Assigns,
            Field::Alias => Place::Introduces,
            Field::Declarator if own.matches => Place::Matches,
            Field::Declarator => {
                if own.passes && place != Place::Uses {
                    place
                } else {
                    Place::Introduces
                }
            }
            Field::Left | Field::Value if own.pattern && passed => place,
            Field::None if passed => place,
            Field::None if own.introduces_all => Place::Introduces,
            Field::None if own.declares && !own.names_by_field && self.has_body => self.first(child, leaf),
            _ => Place::Uses,
        }
    }

    /// The place of a child of something that says nothing of its fields: names that come first are
    /// what it introduces.
    fn first(&mut self, child: Facts, leaf: bool) -> Place {
        let fits = child.name && (leaf || child.passes) && (self.facts.is_type || !child.is_type);
        if !fits || self.phase == Phase::Behind {
            if self.phase == Phase::During {
                self.phase = Phase::Behind;
            }
            return Place::Uses;
        }
        self.phase = Phase::During;
        Place::Introduces
    }
}

/// Whether a leaf is called like its text, such as `keyword_from` or `kFrom`.
fn is_keyword(kind: &[u8], word: &[u8]) -> bool {
    kind.len().checked_sub(word.len()).is_some_and(|start| {
        let called = matches!(&kind[..start], b"" | b"k") || kind[..start].ends_with(b"_");
        called && kind[start..].eq_ignore_ascii_case(word)
    })
}

/// Whether the text of a leaf can be a name.
fn is_word(text: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..);
    bare(text).first().is_some_and(letter) && !text.contains(&b' ') && !text.contains(&b'\n')
}

/// A name without what marks it as one: `%x`, `x:` and `x` are the same.
pub(super) fn bare(text: &[u8]) -> &[u8] {
    let mark = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..));
    let start = text.iter().position(|byte| !mark(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !mark(byte)).map_or(start, |end| end + 1);
    &text[start..end]
}

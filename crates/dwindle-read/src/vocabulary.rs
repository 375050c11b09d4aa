//! What grammars call things, as far as names are concerned.
//!
//! The tables are substrings of the names of kinds, and names of fields, that mean the same in all grammars.
//! There is no rule for one language.

/// What the name of a kind says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// A leaf of this kind is a name if its text is a word.
    pub(super) name: bool,
    /// A leaf of this kind is a word of the language, which a text may introduce nevertheless.
    pub(super) builtin: bool,
    /// A leaf of this kind is a property of a style, unless it is marked as a variable.
    pub(super) property: bool,
    /// A leaf of this kind may have names in it, which are used.
    pub(super) code: bool,
    pub(super) named: bool,
    /// A node of this kind introduces something.
    pub(super) declares: bool,
    /// A node of this kind is a list of things that are introduced.
    pub(super) introduces_all: bool,
    /// What is below stands in the same place as the node.
    pub(super) passes: bool,
    pub(super) pattern: bool,
    pub(super) is_reference: bool,
    /// What is below is declared elsewhere.
    pub(super) refers: bool,
    /// What is below is one name with what leads to it.
    pub(super) path: bool,
    /// What is below is the name of the package that the text belongs to.
    pub(super) package: bool,
    pub(super) jumps: bool,
    pub(super) matches: bool,
    pub(super) assigns: bool,
    /// A loop, which introduces what is to the left.
    pub(super) loops: bool,
    pub(super) needs_body: bool,
    pub(super) is_type: bool,
    pub(super) label: bool,
    pub(super) field_name: bool,
    pub(super) scope: bool,
    pub(super) import: bool,
    /// By its fields: something introduces itself in one of them.
    pub(super) names_by_field: bool,
    pub(super) has_body: bool,
    pub(super) has_alias: bool,
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
        let import = any(&lower, &["import", "_include", "using", "_use_"]) && !lower.contains("important")
            || lower.starts_with("use_") && lower != "use_clause"
            || lower.ends_with("uses");
        let jumps = any(&lower, JUMPS);
        let refers = any(&lower, REFERS) || jumps || lower.starts_with("end_");
        let parameters = ["parameters", "parameter_list", "targets"].iter().any(|end| lower.ends_with(end));
        let enumerates = lower.contains("enum") && any(&lower, &["body", "list"]);
        let ends = ["_def", "_elem"].iter().any(|end| lower.ends_with(end));
        let declares = any(&lower, DECLARES) || ends || specifier;
        let by_fields = has(Field::Name)
            && (has(Field::Body) || has(Field::Parameters))
            && (!lower.contains("expression") || any(&lower, &["function", "class", "lambda"]));
        Self {
            name: !any(&lower, NO_NAMES),
            builtin: any(&lower, BUILTIN),
            property: lower == "property_name",
            code: any(&lower, CODE),
            named,
            declares: (declares || by_fields) && !refers,
            introduces_all: parameters || enumerates,
            passes: (any(&lower, PASSES) || lower == "name") && !refers,
            is_reference: lower.contains("reference"),
            pattern: lower.contains("pattern"),
            refers,
            path: refers && !lower.contains("list"),
            package: lower.starts_with("package") && !lower.contains("ident"),
            jumps,
            matches: any(&lower, &["match", "case", "arm"]),
            assigns: lower.contains("assign") && !any(&lower, &["augmented", "compound", "operator"]),
            loops: any(&lower, &["for_", "foreach", "range_clause", "generator"]),
            needs_body: specifier && !import,
            is_type: lower.contains("type"),
            label: lower.contains("label"),
            field_name: lower.contains("field") && !lower.contains("shorthand"),
            scope: (has(Field::Body) || any(&lower, SCOPES)) && !any(&lower, NO_SCOPES)
                || has(Field::Body) && specifier && !lower.contains("enum"),
            import,
            names_by_field: has(Field::Name) || has(Field::Left) || has(Field::Declarator),
            has_body: has(Field::Body),
            has_alias: has(Field::Alias),
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

/// Kinds of declarations.
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
    "struct_member",
    "type_statement",
    "module_statement",
    "program_statement",
    "function_statement",
    "mixin_statement",
    "import_clause",
    "namespace_import",
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
    "global_decl",
    "export_spec",
    "pragma",
    "dotted",
    "destructor",
    "instantiation",
    "generic_type",
    "decltype",
    "constructor",
    "initializer",
    "self_param",
];

/// Kinds of jumps, which refer to labels.
const JUMPS: &[&str] = &["break", "continue", "goto"];

/// Kinds of nodes whose children stand where the node does.
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
    "lifetime",
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
    "tag_name",
    "attribute_name",
    "plain_value",
    "inline",
    "paragraph",
];

/// Leaves of these kinds are words of the language: C knows `int64_t`, which a text may define.
const BUILTIN: &[&str] = &["primitive", "predefined", "builtin"];

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
    "literal",
];

/// Kinds of languages in which variables have declarations, so that an assignment is none.
const DECLARED: &[&str] = &[
    "init_declarator",
    "variable_declarator",
    "let_declaration",
    "var_spec",
    "variable_declaration_statement",
];

/// Whether a grammar with a kind of this name has declarations of variables.
pub(super) fn declares_variables(kind: &str) -> bool {
    DECLARED.contains(&kind)
}

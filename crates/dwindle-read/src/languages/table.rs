//! Written by `cargo run -p xtask -- languages` from `languages.toml` and `vocabulary.toml`.

use std::sync::OnceLock;

use dwindle_core::{Operation, Phrase, Signs};

use super::{Definition, Trait, parser};
use crate::node_types::Grammar;
use crate::vocabulary::{Field, Meaning, Vocabulary, Words};

pub(crate) const KINDS: &[Words] = &[
    Words { meaning: Meaning::Assigns, words: &["assign"], unless: &["augmented", "compound", "operator"] },
    Words { meaning: Meaning::Attribute, words: &["attribute", "annotation", "decorator"], unless: &[] },
    Words { meaning: Meaning::Builtin, words: &["primitive", "predefined", "builtin"], unless: &[] },
    Words { meaning: Meaning::Code, words: &["preproc", "macro"], unless: &[] },
    Words { meaning: Meaning::Comment, words: &["comment"], unless: &[] },
    Words { meaning: Meaning::Declares, words: &["decl", "definition", "_item", "_spec", "param", "variant", "enumerator", "enum_assignment", "enum_entry", "enum_constant", "signature", "alias", "binding", "label", "cte", "_header", "struct_member", "function_statement", "import_clause", "namespace_import", "_def$", "_elem$"], unless: &[] },
    Words { meaning: Meaning::DeclaresVariables, words: &["^init_declarator$", "^variable_declarator$", "^let_declaration$"], unless: &[] },
    Words { meaning: Meaning::Delimiter, words: &["_start$", "_end$", "_delimiter$"], unless: &[] },
    Words { meaning: Meaning::Enum, words: &["enum"], unless: &[] },
    Words { meaning: Meaning::Expression, words: &["expression"], unless: &["function", "class", "lambda"] },
    Words { meaning: Meaning::FieldName, words: &["field"], unless: &[] },
    Words { meaning: Meaning::Import, words: &["import", "_include", "using", "_use_", "^use_", "uses$"], unless: &["important", "^use_clause$"] },
    Words { meaning: Meaning::Jumps, words: &["break", "continue", "goto"], unless: &[] },
    Words { meaning: Meaning::Label, words: &["label"], unless: &[] },
    Words { meaning: Meaning::List, words: &["list"], unless: &[] },
    Words { meaning: Meaning::Literal, words: &["string", "char*literal", "^regex$"], unless: &["concatenated"] },
    Words { meaning: Meaning::LiteralPart, words: &["escape", "content", "fragment", "quot", "delimiter", "regex", "char"], unless: &[] },
    Words { meaning: Meaning::Loops, words: &["for_", "foreach", "generator"], unless: &[] },
    Words { meaning: Meaning::Matches, words: &["match", "case"], unless: &[] },
    Words { meaning: Meaning::Nameless, words: &["loop", "lambda", "arrow", "block", "catch", "^for_", "_for_", "^for$", "foreach"], unless: &[] },
    Words { meaning: Meaning::NoName, words: &["literal", "number", "integer", "float", "string", "char", "bool", "null", "nil", "none", "undefined", "primitive", "predefined", "builtin", "keyword", "comment", "content", "fragment", "escape", "modifier", "specifier", "qualifier", "operator", "text", "void_type", "preproc", "heredoc", "regex", "unit", "color", "error", "tag_name", "attribute_name", "plain_value", "inline", "paragraph"], unless: &[] },
    Words { meaning: Meaning::NoScope, words: &["declarator", "type", "call", "invocation", "name", "identifier", "signature", "header", "modifier", "specifi", "attribute", "enum", "argument", "parameter", "reference", "literal"], unless: &["namespace"] },
    Words { meaning: Meaning::Nothing, words: &["^null$", "^nil$", "^none$", "^null_literal$", "^nil_literal$"], unless: &[] },
    Words { meaning: Meaning::Package, words: &["^package"], unless: &["ident"] },
    Words { meaning: Meaning::Parameters, words: &["parameters$", "parameter_list$", "enum*body", "enum*list"], unless: &[] },
    Words { meaning: Meaning::Passes, words: &["pattern", "expression_list", "parenthesized", "tuple", "splat", "declarator", "reference", "ident", "lifetime", "_name", "^name$"], unless: &[] },
    Words { meaning: Meaning::Pattern, words: &["pattern"], unless: &[] },
    Words { meaning: Meaning::Property, words: &["^property_name$"], unless: &[] },
    Words { meaning: Meaning::Reference, words: &["reference"], unless: &[] },
    Words { meaning: Meaning::Refers, words: &["call", "invocation", "argument", "access", "qualified", "scoped", "member_expression", "selector", "subscript", "index_expression", "field_expression", "attribute", "package", "export_spec", "pragma", "dotted", "destructor", "instantiation", "generic_type", "decltype", "constructor", "initializer", "^end_"], unless: &[] },
    Words { meaning: Meaning::Returns, words: &["return"], unless: &[] },
    Words { meaning: Meaning::Scope, words: &["block", "compound_statement", "function", "method", "procedure", "subprogram", "subroutine", "lambda", "comprehension", "for_statement", "for_expression", "case_clause", "catch"], unless: &[] },
    Words { meaning: Meaning::Specifier, words: &["specifier$"], unless: &[] },
    Words { meaning: Meaning::String, words: &["string"], unless: &[] },
    Words { meaning: Meaning::Type, words: &["type"], unless: &[] },
];

pub(crate) const FIELDS: &[(Field, &[&str])] = &[
    (Field::Alias, &["alias"]),
    (Field::Body, &["body", "consequence"]),
    (Field::Declarator, &["declarator", "pattern", "bound_identifier"]),
    (Field::Left, &["left", "lhs"]),
    (Field::Name, &["name", "names", "label", "parameter", "identifier", "id", "variable", "port_name"]),
    (Field::Parameters, &["parameters", "parameter_list"]),
    (Field::Value, &["value"]),
];

pub(crate) const SIGNS: Signs = Signs {
    assigns: &["="],
    calls: &["("],
    joins: &["+", ".", "..", "||", "++", "<>", "&", "^", "~"],
    least: Some("0"),
    members: &[".", "->", "::"],
    qualifies: &["::", ".", "->", ":"],
    separator: Some(","),
    sigils: &["$", "@"],
    terminator: Some(";"),
    unpacks: &["=", ":=", "in", "of", "<-"],
    any_value: None,
    nothing: None,
    diverges: &[],
    operations: &[
        ("+", Operation::Add),
        ("&", Operation::And),
        ("/", Operation::Divide),
        ("^", Operation::ExclusiveOr),
        ("*", Operation::Multiply),
        ("|", Operation::Or),
        ("%", Operation::Remainder),
        ("<<", Operation::ShiftLeft),
        (">>", Operation::ShiftRight),
        ("-", Operation::Subtract),
    ],
    phrases: &[Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }],
};
pub(crate) const ALL_NAMES: &[&str] = &["*", "_", "..."];
pub(crate) const ENDS_NAMES: &[&str] = &[":", "=", ":="];
pub(crate) const INTRODUCES: &[&str] = &["=", ":=", "<-"];
pub(crate) const VARIABLES: &[&str] = &["$", "@", "--"];
pub(crate) const BINDS: &[&str] = &["let", "let*", "letrec", "letrec*", "forall", "exists"];
pub(crate) const LABELLED: &[&str] = &["block", "loop", "if", "try"];
pub(crate) const NAMED: &[&str] = &["func", "param", "local", "global", "memory", "table", "type", "elem", "data", "module", "tag", "field", "sub", "rec"];
pub(crate) const REFERRING: &[&str] = &["export", "elem", "data", "func", "ref"];
pub(crate) const TAKES: &[&str] = &["lambda", "fn", "λ"];
pub(crate) const VALUES: &[&str] = &["define", "def", "defvar", "defparameter", "defconstant", "defconst", "defonce", "define-const"];

pub(super) static ALL: &[Definition] = &[
    #[cfg(feature = "lang-ada")]
    Definition {
        name: "ada",
        aliases: &["adb", "ads"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::FoldsCase],
        parser: || parser(tree_sitter_ada::LANGUAGE),
        node_types: tree_sitter_ada::NODE_TYPES,
        queries: &[tree_sitter_ada::LOCALS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("with Ada.Text_IO; use Ada.Text_IO;\nprocedure P (A : in Integer; B : Boolean) is\n   X : Integer := 1; -- c\nbegin\n   if A > X and B then\n      Put_Line (\"a\");\n   else\n      null;\n   end if;\nend P;\n", None),
    },
    #[cfg(feature = "lang-asm")]
    Definition {
        name: "asm",
        aliases: &["s", "nasm"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_asm::LANGUAGE),
        node_types: tree_sitter_asm::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("main:\n    mov rax, 1\n    add rax, rbx ; c\n    ret\n", None),
    },
    #[cfg(feature = "lang-bash")]
    Definition {
        name: "bash",
        aliases: &["sh", "ksh", "zsh", "bats", "ebuild"],
        files: &[],
        interpreters: &["sh", "bash", "dash", "ksh", "zsh"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_bash::LANGUAGE),
        node_types: tree_sitter_bash::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("if [ -f x ]; then echo \"a $b\" | cat; fi # c\nfor i in 1 2; do rm $i; done\ncat <<E\n t $x\nE\n", Some(35)),
    },
    #[cfg(feature = "lang-c")]
    Definition {
        name: "c",
        aliases: &["h", "i"],
        files: &[],
        interpreters: &["tcc"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_c::LANGUAGE),
        node_types: tree_sitter_c::NODE_TYPES,
        queries: &[tree_sitter_c::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("#define N 3\nstruct s { int a, b; };\n/* c */ int f(int x, char *y) {\n  if (x > N) { g(x, \"a\\n\", 'c'); } else return y[0];\n}\n", Some(54)),
    },
    #[cfg(feature = "lang-clojure")]
    Definition {
        name: "clojure",
        aliases: &["clj", "cljs", "cljc", "edn"],
        files: &[],
        interpreters: &["bb", "clojure"],
        beginnings: &[],
        traits: &[Trait::Lisp],
        parser: || parser(tree_sitter_clojure_orchard::LANGUAGE),
        node_types: tree_sitter_clojure_orchard::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("(ns a.b (:require [c.d :as e])) ; c\n(defn f [x & y] {:a (+ x 1) \"k\" #{1 2}})\n", None),
    },
    #[cfg(feature = "lang-cmake")]
    Definition {
        name: "cmake",
        aliases: &[],
        files: &["cmakelists.txt"],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_cmake::LANGUAGE),
        node_types: tree_sitter_cmake::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("cmake_minimum_required(VERSION 3.10) # c\nif(A AND NOT B)\n  set(X \"a ${Y}\" z)\nelse()\n  message(STATUS a)\nendif()\n", None),
    },
    #[cfg(feature = "lang-commonlisp")]
    Definition {
        name: "commonlisp",
        aliases: &["cl", "lsp", "asd"],
        files: &[],
        interpreters: &["sbcl", "clisp"],
        beginnings: &[],
        traits: &[Trait::Lisp],
        parser: || parser(tree_sitter_commonlisp::LANGUAGE_COMMONLISP),
        node_types: tree_sitter_commonlisp::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("(defun f (x &optional y) ; c\n  (let ((a 1) (b \"s\")) (if x (+ a 2) '(b c))))\n", None),
    },
    #[cfg(feature = "lang-cpp")]
    Definition {
        name: "cpp",
        aliases: &["c++", "cc", "cxx", "hpp", "hh", "hxx", "h++", "ii", "ipp", "tpp", "inl", "cppm", "ixx"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_cpp::LANGUAGE),
        node_types: tree_sitter_cpp::NODE_TYPES,
        queries: &[tree_sitter_cpp::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("template <class T> struct A : B<T> { T a{1}; auto f() const -> int { return R\"(x)\"[0]; } };\n", Some(40)),
    },
    #[cfg(feature = "lang-csharp")]
    Definition {
        name: "csharp",
        aliases: &["cs", "c#", "csx"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_c_sharp::LANGUAGE),
        node_types: tree_sitter_c_sharp::NODE_TYPES,
        queries: &[tree_sitter_c_sharp::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::Matches, &["switch_expression_arm"])], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["throw", "null", ";"], phrases: &[Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "true", ")"] }, Phrase { long: &["Nullable", "<", "$a", ">"], short: &["$a", "?"] }, Phrase { long: &["=>", "{", "return", "$..", ";", "}"], short: &["=>", "$.."] }, Phrase { long: &["{", "get", "{", "return", "$..", ";", "}", "}"], short: &["=>", "$..", ";"] }, Phrase { long: &["{", "return", "$..", ";", "}"], short: &["=>", "$..", ";"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("using System;\nnamespace N { class A<T> : B { [X] private int a = 1, b; /* c */ public int F(int x, T y) { if (x > 1) return a; else { G(x, \"s\\n\"); } return 0; } } }\n", None),
    },
    #[cfg(feature = "lang-css")]
    Definition {
        name: "css",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_css::LANGUAGE),
        node_types: tree_sitter_css::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("a, b > c { color: red; margin: 0 1px } /* c */\n@media screen { d::e { x: url(\"f\") } }\n", Some(32)),
    },
    #[cfg(feature = "lang-dart")]
    Definition {
        name: "dart",
        aliases: &[],
        files: &[],
        interpreters: &["dart"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_dart_orchard::LANGUAGE),
        node_types: tree_sitter_dart_orchard::NODE_TYPES,
        queries: &[tree_sitter_dart_orchard::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::Declares, &["initialized_"])], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["throw", "0", ";"], phrases: &[Phrase { long: &["{", "return", "$..", ";", "}"], short: &["=>", "$..", ";"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("import 'a.dart';\nclass A<T> extends B { final int a = 1; /* c */ int f(int x, {T? y}) { if (x > 1) { return g(x, 's'); } else { return 0; } } }\n", None),
    },
    #[cfg(feature = "lang-devicetree")]
    Definition {
        name: "devicetree",
        aliases: &["dts", "dtsi"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_devicetree::LANGUAGE),
        node_types: tree_sitter_devicetree::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("/dts-v1/;\n/ { /* c */ a: b@1 { reg = <0x1 2>, <3>; compatible = \"x\", \"y\"; c; }; };\n", None),
    },
    #[cfg(feature = "lang-dockerfile")]
    Definition {
        name: "dockerfile",
        aliases: &["containerfile"],
        files: &["containerfile", "dockerfile"],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_containerfile::LANGUAGE),
        node_types: tree_sitter_containerfile::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\nFROM a:1 AS b\nENV X=1 Y=\"z\"\nRUN apt-get update && make\nCOPY --from=b /a /b /c\nCMD [\"a\", \"b\"]\n", None),
    },
    #[cfg(feature = "lang-dot")]
    Definition {
        name: "dot",
        aliases: &["gv", "graphviz"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(arborium_dot::language()),
        node_types: "[]",
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("digraph g { // c\n  a [label=\"x\", color=red];\n  a -> b -> c; subgraph s { d; e }\n}\n", None),
    },
    #[cfg(feature = "lang-elixir")]
    Definition {
        name: "elixir",
        aliases: &["ex", "exs"],
        files: &[],
        interpreters: &["elixir"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_elixir::LANGUAGE),
        node_types: tree_sitter_elixir::NODE_TYPES,
        queries: &[tree_sitter_elixir::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("defmodule A do\n  # c\n  def f(x, y \\\\ 1) when x > 0 do\n    case g(x, [a: 1]) do\n      {:ok, z} -> \"s #{z}\"\n      _ -> nil\n    end\n  end\nend\n", None),
    },
    #[cfg(feature = "lang-erlang")]
    Definition {
        name: "erlang",
        aliases: &["erl", "hrl"],
        files: &[],
        interpreters: &["escript"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_erlang::LANGUAGE),
        node_types: tree_sitter_erlang::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("-module(a).\n-export([f/2, g/1]).\n% c\nf(X, [Y | T]) when X > 1 -> g({X, Y}), T;\nf(_, []) -> case 1 of 1 -> ok; _ -> \"s\" end.\n", None),
    },
    #[cfg(feature = "lang-fish")]
    Definition {
        name: "fish",
        aliases: &[],
        files: &[],
        interpreters: &["fish"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_fish::language()),
        node_types: tree_sitter_fish::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\nfunction f -a x y\n  if test $x = 1\n    echo \"a $y\" | cat\n  else\n    set -l z 1 2\n  end\nend\n", None),
    },
    #[cfg(feature = "lang-fortran")]
    Definition {
        name: "fortran",
        aliases: &["f90", "f95", "f03", "f08", "f18", "f", "for", "f77", "fpp"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner, Trait::FoldsCase],
        parser: || parser(tree_sitter_fortran::LANGUAGE),
        node_types: tree_sitter_fortran::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Declares, &["type_statement", "module_statement", "program_statement"])], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("program p ! c\n  implicit none\n  integer :: a, b = 1\n  real, dimension(3) :: x\n  if (a > b) then\n    call f(a, b + 1)\n  else\n    print *, \"s\", x(1)\n  end if\ncontains\n  subroutine f(c, d)\n    integer, intent(in) :: c, d\n  end subroutine f\nend program p\n", None),
    },
    #[cfg(feature = "lang-fsharp")]
    Definition {
        name: "fsharp",
        aliases: &["fs", "f#", "fsx"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_fsharp::LANGUAGE_FSHARP),
        node_types: tree_sitter_fsharp::FSHARP_NODE_TYPES,
        queries: &[tree_sitter_fsharp::LOCALS_QUERY, tree_sitter_fsharp::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("module A\n// c\nlet f (x: int) y =\n    if x > 1 then g x \"s\"\n    else match y with\n         | 1 -> [1; 2]\n         | _ -> []\n", None),
    },
    #[cfg(feature = "lang-gleam")]
    Definition {
        name: "gleam",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_gleam::LANGUAGE),
        node_types: tree_sitter_gleam::NODE_TYPES,
        queries: &[tree_sitter_gleam::LOCALS_QUERY, tree_sitter_gleam::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("import a/b.{c}\n// c\npub fn f(x: Int, y) -> Int {\n  let z = [1, 2]\n  case x {\n    1 -> g(y, \"s\")\n    _ -> z\n  }\n}\n", None),
    },
    #[cfg(feature = "lang-glsl")]
    Definition {
        name: "glsl",
        aliases: &["vert", "frag", "comp", "geom", "tesc", "tese", "rgen", "rchit", "rmiss"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_glsl::LANGUAGE_GLSL),
        node_types: tree_sitter_glsl::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("#version 450\nlayout(location = 0) in vec3 a;\nuniform float b, c; // c\nvoid main() { vec4 x = vec4(a, 1.0); if (b > c) { gl_Position = x * 2.0; } else discard; }\n", None),
    },
    #[cfg(feature = "lang-go")]
    Definition {
        name: "go",
        aliases: &["golang"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::VersionedImports],
        parser: || parser(tree_sitter_go::LANGUAGE),
        node_types: tree_sitter_go::NODE_TYPES,
        queries: &[tree_sitter_go::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::DeclaresVariables, &["var_spec"]), (Meaning::Loops, &["range_clause"]), (Meaning::NoScope, &["statement_list"])], is_not: &[], signs: Signs { nothing: Some("nil"), diverges: &["for", "{", "}"], phrases: &[Phrase { long: &["interface", "{", "}"], short: &["any"] }, Phrase { long: &["var", "$a", "="], short: &["$a", ":="] }, Phrase { long: &["func", "$a", "(", "$..", ")", "{", "}"], short: &["var", "$a", "int"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("package a\nimport (\"fmt\"; \"os\")\nfunc f(a, b int) (x int, err error) {\n\tif a > 1 { return b, nil }\n\treturn 1, nil // c\n}\n", Some(43)),
    },
    #[cfg(feature = "lang-graphql")]
    Definition {
        name: "graphql",
        aliases: &["gql", "graphqls"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_graphql::LANGUAGE),
        node_types: tree_sitter_graphql::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\nquery Q($a: Int = 1, $b: [S!]) { x(a: $a) { y z ...F } }\ntype T implements I { a(x: Int): S! @d b: [Int] }\n", None),
    },
    #[cfg(feature = "lang-haskell")]
    Definition {
        name: "haskell",
        aliases: &["hs"],
        files: &[],
        interpreters: &["runghc", "runhaskell"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_haskell::LANGUAGE),
        node_types: tree_sitter_haskell::NODE_TYPES,
        queries: &[tree_sitter_haskell::LOCALS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("module A (f, g) where\nimport B (c, d)\n-- c\ndata T a = X a | Y { z :: Int } deriving (Show, Eq)\nf :: Int -> [a] -> Maybe a\nf x (y : _) | x > 1 = Just y\n            | otherwise = let a = 1 in g a \"s\"\nf _ [] = Nothing\n", None),
    },
    #[cfg(feature = "lang-hcl")]
    Definition {
        name: "hcl",
        aliases: &["tf", "tfvars", "terraform"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_hcl::LANGUAGE),
        node_types: tree_sitter_hcl::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\nresource \"a\" \"b\" {\n  x = [1, var.y, \"s-${z}\"]\n  block {\n    y = { a = 1, b = true }\n  }\n}\n", None),
    },
    #[cfg(feature = "lang-hlsl")]
    Definition {
        name: "hlsl",
        aliases: &["fx", "fxh", "hlsli"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_hlsl::LANGUAGE_HLSL),
        node_types: tree_sitter_hlsl::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("struct B { float4x4 m; float a : A; }; // c\nfloat4 main(float3 p : POSITION, uint i : ID) : SV_Target { if (i > 1) return mul(m, float4(p, 1)); else return a; }\n", None),
    },
    #[cfg(feature = "lang-html")]
    Definition {
        name: "html",
        aliases: &["htm", "xhtml"],
        files: &[],
        interpreters: &[],
        beginnings: &["<!doctype html", "<html"],
        traits: &[Trait::DoubtfulScanner, Trait::NestsTags],
        parser: || parser(tree_sitter_html::LANGUAGE),
        node_types: tree_sitter_html::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("<!DOCTYPE html>\n<html><body class=\"a\">x <b>y</b><br><!-- c --></body></html>\n", Some(31)),
    },
    #[cfg(feature = "lang-java")]
    Definition {
        name: "java",
        aliases: &["jav"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_java::LANGUAGE),
        node_types: tree_sitter_java::NODE_TYPES,
        queries: &[tree_sitter_java::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["throw", "null", ";"], phrases: &[Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "true", ")"] }, Phrase { long: &["->", "{", "return", "$..", ";", "}"], short: &["->", "$.."] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("class A<T> extends B { @X private int a = 1; /* c */ int f(int x, T y) throws E { return \"s\\n\".length(); } }\n", Some(40)),
    },
    #[cfg(feature = "lang-javascript")]
    Definition {
        name: "javascript",
        aliases: &["js", "mjs", "cjs", "jsx", "es6"],
        files: &[],
        interpreters: &["node", "nodejs", "bun", "qjs", "d8"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_javascript::LANGUAGE),
        node_types: tree_sitter_javascript::NODE_TYPES,
        queries: &[tree_sitter_javascript::LOCALS_QUERY, tree_sitter_javascript::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["function", "(", "$a", ")", "{"], short: &["$a", "=>", "{"] }, Phrase { long: &["function", "(", ")", "{"], short: &["_", "=>", "{"] }, Phrase { long: &["function", "(", "$..a", ")", "{", "return", "$..b", ";", "}"], short: &["(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["=>", "{", "return", "$..", ";", "}"], short: &["=>", "$.."] }, Phrase { long: &["=>", "{", "return", "$..", "}"], short: &["=>", "$.."] }, Phrase { long: &["function", "$a", "(", "$..", ")", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["class", "$a", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("class A { x = 1; f(a, b) { return `q ${a}` + /x/g.test(\"s\"); } }\nlet {a, b} = {a: 1, b: [2, ,3]}; // c\n", Some(58)),
    },
    #[cfg(feature = "lang-json")]
    Definition {
        name: "json",
        aliases: &["geojson", "jsonl", "webmanifest"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_json::LANGUAGE),
        node_types: tree_sitter_json::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("{\"a\": [1, 2.5, true], \"b\\n\": {\"c\": null}}\n", Some(26)),
    },
    #[cfg(feature = "lang-julia")]
    Definition {
        name: "julia",
        aliases: &["jl"],
        files: &[],
        interpreters: &["julia"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_julia::LANGUAGE),
        node_types: tree_sitter_julia::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("module A\nusing B: c, d # c\nstruct S{T} <: U\n    x::Int\n    y::T\nend\nfunction f(x, y = 1; z)\n    if x > y\n        return [1, 2]\n    else\n        g(\"s $x\")\n    end\nend\nend\n", None),
    },
    #[cfg(feature = "lang-kotlin")]
    Definition {
        name: "kotlin",
        aliases: &["kt", "kts"],
        files: &[],
        interpreters: &["kotlin"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_kotlin_ng::LANGUAGE),
        node_types: tree_sitter_kotlin_ng::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["TODO", "(", ")"], phrases: &[Phrase { long: &["{", "return", "$..", "}"], short: &["=", "$.."] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("package a\nimport b.c\n// c\nclass A<T>(val x: Int, y: T? = null) : B(), C {\n    private fun f(a: Int): Int {\n        if (a > 1) return g(a, \"s $x\") else { h() }\n        return when (a) { 1 -> 2; else -> 3 }\n    }\n}\n", None),
    },
    #[cfg(feature = "lang-latex")]
    Definition {
        name: "latex",
        aliases: &["tex", "sty", "cls", "ltx"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(codebook_tree_sitter_latex::LANGUAGE),
        node_types: codebook_tree_sitter_latex::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("\\documentclass[a4paper]{article} % c\n\\begin{document}\n\\section{A} Some \\emph{text} and $x_1 + y^2$.\n\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}\n\\end{document}\n", None),
    },
    #[cfg(feature = "lang-llvm")]
    Definition {
        name: "llvm",
        aliases: &["ll", "llvmir"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_llvm::LANGUAGE),
        node_types: tree_sitter_llvm::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Declares, &["^argument$"]), (Meaning::Jumps, &["instruction_"]), (Meaning::Passes, &["^value$", "^var$"])], is_not: &[(Meaning::Refers, &["^argument$"])], signs: Signs { any_value: Some("undef"), ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("target triple = \"x\"\n%s = type { i32, ptr }\n@g = global i32 1, align 4 ; c\ndefine i32 @f(i32 %a, ptr %b) {\nentry:\n  %c = add nsw i32 %a, 1\n  %d = icmp eq i32 %c, 2\n  br i1 %d, label %x, label %y\nx:\n  store i32 %c, ptr %b, align 4\n  ret i32 %c\ny:\n  %e = call i32 @f(i32 1, ptr null)\n  ret i32 %e\n}\n", None),
    },
    #[cfg(feature = "lang-lua")]
    Definition {
        name: "lua",
        aliases: &[],
        files: &[],
        interpreters: &["lua", "luajit"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_lua::LANGUAGE),
        node_types: tree_sitter_lua::NODE_TYPES,
        queries: &[tree_sitter_lua::LOCALS_QUERY, tree_sitter_lua::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::Passes, &["variable_list"])], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["local", "function", "$a", "(", "$..", ")", "end"], short: &["local", "$a"] }, Phrase { long: &["function", "$a", "(", "$..", ")", "end"], short: &["$a", "=", "0"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("local a, b = 1, \"x\\n y\" -- c\nfunction f(x, ...) if x then return {1, y = 2} end end\n", Some(30)),
    },
    #[cfg(feature = "lang-make")]
    Definition {
        name: "make",
        aliases: &["mk", "mak", "makefile"],
        files: &["gnumakefile", "makefile"],
        interpreters: &["make"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_make::LANGUAGE),
        node_types: tree_sitter_make::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Parameters, &["targets"])], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\nCC := gcc -O2\nall: a.o b.o | dir\n\t$(CC) -o $@ $^\n\techo done\nifeq ($(X),1)\nY = z\nendif\n.PHONY: all\n", None),
    },
    #[cfg(feature = "lang-markdown")]
    Definition {
        name: "markdown",
        aliases: &["md", "mkd", "mdown"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_md::LANGUAGE),
        node_types: tree_sitter_md::NODE_TYPES_BLOCK,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# A title\n\nSome *text* and `code`.\n\n- a\n- b\n\n```c\nint x;\n```\n\n> quote\n", None),
    },
    #[cfg(feature = "lang-nix")]
    Definition {
        name: "nix",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_nix::LANGUAGE),
        node_types: tree_sitter_nix::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("{ pkgs ? null, x, ... }: # c\nlet a = 1; b = [ x \"s ${a}\" ]; in\nif a > 1 then { inherit b; c.d = f a; } else with pkgs; y\n", None),
    },
    #[cfg(feature = "lang-objc")]
    Definition {
        name: "objc",
        aliases: &["m", "objective-c"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_objc::LANGUAGE),
        node_types: tree_sitter_objc::NODE_TYPES,
        queries: &[tree_sitter_objc::LOCALS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("#import <A/B.h>\n@interface A : B <P>\n@property (nonatomic, strong) C *c; // c\n- (int)f:(int)x with:(C *)y;\n@end\n@implementation A\n- (int)f:(int)x with:(C *)y { if (x > 1) { [y g:x h:@\"s\"]; } else return 0; return x; }\n@end\n", None),
    },
    #[cfg(feature = "lang-ocaml")]
    Definition {
        name: "ocaml",
        aliases: &["ml"],
        files: &[],
        interpreters: &["ocaml"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_ocaml::LANGUAGE_OCAML),
        node_types: tree_sitter_ocaml::OCAML_NODE_TYPES,
        queries: &[tree_sitter_ocaml::LOCALS_QUERY, tree_sitter_ocaml::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["let", "$a", "=", "fun", "$b", "->"], short: &["let", "$a", "$b", "="] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("open A (* c *)\ntype 'a t = X of 'a * int | Y of { z : int; w : string }\nlet rec f x ?(y = 1) = match x with\n  | X (a, b) when b > y -> g a [1; 2]\n  | _ -> if y = 1 then \"s\" else (h (); \"t\")\n", None),
    },
    #[cfg(feature = "lang-pascal")]
    Definition {
        name: "pascal",
        aliases: &["pas", "pp", "dpr", "lpr"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::FoldsCase],
        parser: || parser(tree_sitter_pascal::LANGUAGE),
        node_types: tree_sitter_pascal::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Literal, &["literalchar"])], is_not: &[(Meaning::String, &["declstring", "kstring"])], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("program P;\nuses A, B; { c }\nvar x, y: Integer;\nfunction F(a: Integer; const b: string): Boolean;\nbegin\n  if a > 1 then Result := G(a, 's') else begin x := 1; y := 2 end;\nend;\nbegin\n  F(1, 'a');\nend.\n", None),
    },
    #[cfg(feature = "lang-php")]
    Definition {
        name: "php",
        aliases: &["phtml", "phpt", "php3", "php4", "php5", "php7"],
        files: &[],
        interpreters: &["php"],
        beginnings: &["<?php"],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_php::LANGUAGE_PHP),
        node_types: tree_sitter_php::PHP_NODE_TYPES,
        queries: &[tree_sitter_php::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::Refers, &["global_declaration"])], is_not: &[], signs: Signs { qualifies: &["::", ".", "->", ":", "\\"], phrases: &[Phrase { long: &["array", "(", "$..", ")"], short: &["[", "$..", "]"] }, Phrase { long: &["list", "(", "$..", ")"], short: &["[", "$..", "]"] }, Phrase { long: &["function", "(", "$..a", ")", "{", "$..b", ";", "}"], short: &["fn", "(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["function", "(", "$..a", ")", "{", "return", "$..b", ";", "}"], short: &["fn", "(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["function", "(", "$..a", ")", "use", "(", "$..c", ")", "{", "$..b", ";", "}"], short: &["fn", "(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["function", "(", "$..a", ")", "use", "(", "$..c", ")", "{", "return", "$..b", ";", "}"], short: &["fn", "(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("<p>x</p>\n<?php function f(int $a, $b = 1) { return \"x $a\\n\" . 's'; } // c\n", Some(28)),
    },
    #[cfg(feature = "lang-proto")]
    Definition {
        name: "proto",
        aliases: &["protobuf"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_proto::LANGUAGE),
        node_types: tree_sitter_proto::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("syntax = \"proto3\";\npackage a.b; // c\nimport \"c.proto\";\nmessage M { optional int32 x = 1 [deprecated = true]; repeated N y = 2; oneof o { string s = 3; bytes t = 4; } enum E { A = 0; B = 1; } }\nservice S { rpc F (M) returns (stream M); }\n", None),
    },
    #[cfg(feature = "lang-python")]
    Definition {
        name: "python",
        aliases: &["py", "pyw", "pyi"],
        files: &[],
        interpreters: &["python", "pypy"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_python::LANGUAGE),
        node_types: tree_sitter_python::NODE_TYPES,
        queries: &[tree_sitter_python::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { nothing: Some("None"), phrases: &[Phrase { long: &["dict", "(", ")"], short: &["{", "}"] }, Phrase { long: &["list", "(", ")"], short: &["[", "]"] }, Phrase { long: &["tuple", "(", ")"], short: &["(", ")"] }, Phrase { long: &["def", "$a", "(", "$..", ")", ":", "$b"], short: &["$a", "=", "0"] }, Phrase { long: &["class", "$a", ":", "$b"], short: &["$a", "=", "0"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("def f(a, b=1, *c):\n    if a < b:\n        return \"x\\n y\" + f\"q {a} \\n r\"  # c\n    return [1, 2,]\n", Some(37)),
    },
    #[cfg(feature = "lang-r")]
    Definition {
        name: "r",
        aliases: &[],
        files: &[],
        interpreters: &["Rscript"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_r::LANGUAGE),
        node_types: tree_sitter_r::NODE_TYPES,
        queries: &[tree_sitter_r::LOCALS_QUERY, tree_sitter_r::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("f <- function(x, y = 1, ...) { # c\n  if (x > y) g(x, a = \"s\") else { for (i in 1:10) print(i) }\n}\n", None),
    },
    #[cfg(feature = "lang-racket")]
    Definition {
        name: "racket",
        aliases: &["rkt"],
        files: &[],
        interpreters: &["racket"],
        beginnings: &[],
        traits: &[Trait::Lisp],
        parser: || parser(tree_sitter_racket::LANGUAGE),
        node_types: tree_sitter_racket::NODE_TYPES,
        queries: &[tree_sitter_racket::LOCALS_QUERY, tree_sitter_racket::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("#lang racket\n(require a b) ; c\n(define (f x [y 1]) (if (> x y) '(1 \"s\") #t))\n", None),
    },
    #[cfg(feature = "lang-regex")]
    Definition {
        name: "regex",
        aliases: &["re"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_regex::LANGUAGE),
        node_types: tree_sitter_regex::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("^(a|b[^c-e]+?)*(?:x{2,3})\\d$", None),
    },
    #[cfg(feature = "lang-ruby")]
    Definition {
        name: "ruby",
        aliases: &["rb", "rake", "gemspec"],
        files: &[],
        interpreters: &["ruby", "jruby"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_ruby::LANGUAGE),
        node_types: tree_sitter_ruby::NODE_TYPES,
        queries: &[tree_sitter_ruby::LOCALS_QUERY, tree_sitter_ruby::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["Proc", ".", "new"], short: &["proc"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("require 'a' # c\nclass A < B\n  attr_reader :x, :y\n  def f(a, b = 1, *c)\n    if a > b\n      g(a, \"s #{b}\") { |z| z + 1 }\n    else\n      [1, :b, { c: 2 }]\n    end\n  end\nend\n", None),
    },
    #[cfg(feature = "lang-rust")]
    Definition {
        name: "rust",
        aliases: &["rs"],
        files: &[],
        interpreters: &["rust-script"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_rust::LANGUAGE),
        node_types: tree_sitter_rust::NODE_TYPES,
        queries: &[tree_sitter_rust::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::Nameless, &["closure"]), (Meaning::Refers, &["self_parameter"]), (Meaning::Scope, &["closure", "match_arm"])], is_not: &[(Meaning::Attribute, &["inner_attribute_item"]), (Meaning::FieldName, &["shorthand"])], signs: Signs { diverges: &["loop", "{", "}"], phrases: &[Phrase { long: &["while", "true"], short: &["loop"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("/// d\nfn f<T: A>(a: u8, b: T,) -> u8 { let x = S { a: 1, b }; match x { 1 | 2 => g!(\"s\\n\", a), _ => 4 } }\n", Some(55)),
    },
    #[cfg(feature = "lang-scala")]
    Definition {
        name: "scala",
        aliases: &["sc", "sbt"],
        files: &[],
        interpreters: &["scala"],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_scala::LANGUAGE),
        node_types: tree_sitter_scala::NODE_TYPES,
        queries: &[tree_sitter_scala::LOCALS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["???"], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("package a\nimport b.{C, D} // c\nclass A[T](x: Int, val y: T) extends B with C {\n  def f(a: Int, b: Int = 1): Int = {\n    if (a > b) g(a, s\"s $x\") else a match { case 1 => 2; case _ => 3 }\n  }\n}\n", None),
    },
    #[cfg(feature = "lang-scheme")]
    Definition {
        name: "scheme",
        aliases: &["scm", "ss", "sld"],
        files: &[],
        interpreters: &["guile", "chibi"],
        beginnings: &[],
        traits: &[Trait::Lisp],
        parser: || parser(tree_sitter_scheme::LANGUAGE),
        node_types: tree_sitter_scheme::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("(define (f x . y) ; c\n  (let ((a 1) (b \"s\")) (if (> x a) '(b c) #t)))\n", None),
    },
    #[cfg(feature = "lang-scss")]
    Definition {
        name: "scss",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_scss::language()),
        node_types: tree_sitter_scss::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Declares, &["mixin_statement"])], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("$a: 1px; // c\n@mixin m($x, $y: 2) { margin: $x + $y; }\n.a { &:hover { color: red; } @include m(1px, 2px); @if $a > 1 { b: c; } @else { d: e; } }\n", None),
    },
    #[cfg(feature = "lang-solidity")]
    Definition {
        name: "solidity",
        aliases: &["sol"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_solidity::LANGUAGE),
        node_types: tree_sitter_solidity::NODE_TYPES,
        queries: &[tree_sitter_solidity::LOCALS_QUERY, tree_sitter_solidity::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::DeclaresVariables, &["variable_declaration_statement"])], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("pragma solidity ^0.8.0;\nimport \"a.sol\";\ncontract A is B, C {\n    uint256 public x = 1; // c\n    event E(address indexed a, uint b);\n    function f(uint a, address b) public view returns (uint, bool) { if (a > x) { g(a, b); } else revert(\"s\"); return (1, true); }\n}\n", None),
    },
    #[cfg(feature = "lang-souffle")]
    Definition {
        name: "souffle",
        aliases: &["dl"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_souffle::LANGUAGE),
        node_types: tree_sitter_souffle::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: (".decl a(x: number, y: symbol) // c\n.input a\na(1, \"s\").\nb(x, y) :- a(x, y), !c(x), x > 1.\n", None),
    },
    #[cfg(feature = "lang-sql")]
    Definition {
        name: "sql",
        aliases: &["sqlite", "ddl", "dml", "sequel"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner, Trait::FoldsCase],
        parser: || parser(tree_sitter_sequel::LANGUAGE),
        node_types: tree_sitter_sequel::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Declares, &["create_"])], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["IS", "NOT", "NULL"], short: &["NOTNULL"] }, Phrase { long: &["IS", "NULL"], short: &["ISNULL"] }, Phrase { long: &["VALUES", "(", "$..", ")"], short: &["SELECT", "$.."] }, Phrase { long: &["CAST", "(", "$a", "AS", "$b", ")"], short: &["$a", "::", "$b"] }, Phrase { long: &["CROSS", "JOIN"], short: &[","] }, Phrase { long: &["INNER", "JOIN"], short: &[","] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT); -- c\nSELECT b, count(*) FROM a WHERE c = 'x' GROUP BY b;\n", Some(30)),
    },
    #[cfg(feature = "lang-swift")]
    Definition {
        name: "swift",
        aliases: &["swiftinterface"],
        files: &[],
        interpreters: &["swift"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_swift::LANGUAGE),
        node_types: tree_sitter_swift::NODE_TYPES,
        queries: &[tree_sitter_swift::LOCALS_QUERY, tree_sitter_swift::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[(Meaning::NoName, &["raw_str"])], is_not: &[], signs: Signs { nothing: Some("nil"), diverges: &["fatalError", "(", ")"], phrases: &[Phrase { long: &["Array", "<", "$a", ">"], short: &["[", "$a", "]"] }, Phrase { long: &["Optional", "<", "$a", ">"], short: &["$a", "?"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("import A\n// c\nclass B<T>: C, D {\n    var x: Int = 1, y: [T]?\n    func f(_ a: Int, b c: T? = nil) throws -> Int {\n        if a > x { return g(a, \"s \\(c)\") } else { switch a { case 1: h() default: break } }\n        return 0\n    }\n}\n", None),
    },
    #[cfg(feature = "lang-toml")]
    Definition {
        name: "toml",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_toml_ng::LANGUAGE),
        node_types: tree_sitter_toml_ng::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("a = 1 # c\n[b.c]\nd = [1, 2, \"s\"]\ne = { f = true, g = 1979-05-27 }\n[[h]]\n", None),
    },
    #[cfg(feature = "lang-typescript")]
    Definition {
        name: "tsx",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_typescript::LANGUAGE_TSX),
        node_types: tree_sitter_typescript::TSX_NODE_TYPES,
        queries: &[tree_sitter_typescript::LOCALS_QUERY, tree_sitter_typescript::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["function", "(", "$a", ")", "{"], short: &["$a", "=>", "{"] }, Phrase { long: &["function", "(", ")", "{"], short: &["_", "=>", "{"] }, Phrase { long: &["function", "(", "$..a", ")", "{", "return", "$..b", ";", "}"], short: &["(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["=>", "{", "return", "$..", ";", "}"], short: &["=>", "$.."] }, Phrase { long: &["=>", "{", "return", "$..", "}"], short: &["=>", "$.."] }, Phrase { long: &["function", "$a", "(", "$..", ")", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["class", "$a", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["Array", "<", "$a", ">"], short: &["$a", "[", "]"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("const a = (x: P) => <A b={x.c} d=\"e\" {...x}>t <B/></A>; // c\n", Some(36)),
    },
    #[cfg(feature = "lang-typescript")]
    Definition {
        name: "typescript",
        aliases: &["ts", "mts", "cts"],
        files: &[],
        interpreters: &["deno", "ts-node", "tsx"],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
        node_types: tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
        queries: &[tree_sitter_typescript::LOCALS_QUERY, tree_sitter_typescript::TAGS_QUERY],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["function", "(", "$a", ")", "{"], short: &["$a", "=>", "{"] }, Phrase { long: &["function", "(", ")", "{"], short: &["_", "=>", "{"] }, Phrase { long: &["function", "(", "$..a", ")", "{", "return", "$..b", ";", "}"], short: &["(", "$..a", ")", "=>", "$..b"] }, Phrase { long: &["=>", "{", "return", "$..", ";", "}"], short: &["=>", "$.."] }, Phrase { long: &["=>", "{", "return", "$..", "}"], short: &["=>", "$.."] }, Phrase { long: &["function", "$a", "(", "$..", ")", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["class", "$a", "{", "}"], short: &["var", "$a"] }, Phrase { long: &["Array", "<", "$a", ">"], short: &["$a", "[", "]"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("interface I<T> { a: number; b?: string }\nexport const f = (a: I<number>, ...b: any[]): string | null => a.b ?? `x ${b}`; // c\n", Some(50)),
    },
    #[cfg(feature = "lang-verilog")]
    Definition {
        name: "verilog",
        aliases: &["v", "sv", "svh", "vh", "systemverilog"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_verilog::LANGUAGE),
        node_types: tree_sitter_verilog::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[(Meaning::Passes, &["list_of_"])], is_not: &[], signs: Signs { phrases: &[Phrase { long: &["always", "@", "(", "*", ")"], short: &["always_comb"] }, Phrase { long: &["always", "@", "*"], short: &["always_comb"] }, Phrase { long: &["declare-fun", "$a", "(", ")"], short: &["declare-const", "$a"] }, Phrase { long: &["define-fun", "$a", "(", ")"], short: &["define-const", "$a"] }, Phrase { long: &[">", "</", "$a", ">"], short: &["/>"] }, Phrase { long: &["for", "(", ";", ";", ")"], short: &["while", "(", "1", ")"] }, Phrase { long: &["for", "(", ";", "$..", ";", ")"], short: &["while", "(", "$..", ")"] }, Phrase { long: &["(", "*", "$a", ")", "."], short: &["$a", "->"] }, Phrase { long: &["(", "&", "$a", ")", "->"], short: &["$a", "."] }, Phrase { long: &["*", "(", "$a", "+", "$..", ")"], short: &["$a", "[", "$..", "]"] }, Phrase { long: &["&", "$a", "[", "0", "]"], short: &["$a"] }, Phrase { long: &["sizeof", "(", "char", ")"], short: &["1"] }, Phrase { long: &["sizeof", "(", "int", ")"], short: &["4"] }, Phrase { long: &["sizeof", "(", "$a", ")"], short: &["8"] }, Phrase { long: &["$a", "=", "$a", "+"], short: &["$a", "+="] }, Phrase { long: &["$a", "=", "$a", "-"], short: &["$a", "-="] }, Phrase { long: &["$a", "=", "$a", "*"], short: &["$a", "*="] }, Phrase { long: &["$a", "+=", "1"], short: &["$a", "++"] }, Phrase { long: &["$a", "-=", "1"], short: &["$a", "--"] }], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("module m #(parameter W = 8) (input wire clk, input [W-1:0] a, output reg b); // c\n  wire x, y;\n  assign x = a[0] & ~y;\n  n u (.p(x), .q(y));\n  always @(posedge clk) begin\n    if (a > 1) b <= x; else b <= 1'b0;\n  end\nendmodule\n", None),
    },
    #[cfg(feature = "lang-vhdl")]
    Definition {
        name: "vhdl",
        aliases: &["vhd"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::FoldsCase],
        parser: || parser(tree_sitter_vhdl::LANGUAGE),
        node_types: tree_sitter_vhdl::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("library ieee;\nuse ieee.std_logic_1164.all; -- c\nentity e is\n  port (a, b : in std_logic; c : out std_logic);\nend entity e;\narchitecture r of e is\n  signal s : integer := 1;\nbegin\n  process (a, b)\n  begin\n    if a = '1' then\n      c <= b;\n    else\n      c <= '0';\n    end if;\n  end process;\nend architecture r;\n", None),
    },
    #[cfg(feature = "lang-wgsl")]
    Definition {
        name: "wgsl",
        aliases: &[],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_wgsl_bevy::LANGUAGE),
        node_types: tree_sitter_wgsl_bevy::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("struct S { @location(0) a: vec3<f32>, b: f32, } // c\n@group(0) @binding(1) var<uniform> u: S;\n@fragment\nfn f(x: S, y: i32) -> @location(0) vec4<f32> { let z = x.b * 2.0; if (y > 1) { return vec4<f32>(x.a, z); } else { z = 1.0; } return u; }\n", None),
    },
    #[cfg(feature = "lang-yaml")]
    Definition {
        name: "yaml",
        aliases: &["yml"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[Trait::DoubtfulScanner],
        parser: || parser(tree_sitter_yaml::LANGUAGE),
        node_types: tree_sitter_yaml::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: SIGNS },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("# c\na: 1\nb:\n  - x\n  - {y: 2, z: [3, 4]}\nc: \"s\"\n", None),
    },
    #[cfg(feature = "lang-zig")]
    Definition {
        name: "zig",
        aliases: &["zon"],
        files: &[],
        interpreters: &[],
        beginnings: &[],
        traits: &[],
        parser: || parser(tree_sitter_zig::LANGUAGE),
        node_types: tree_sitter_zig::NODE_TYPES,
        queries: &[],
        vocabulary: Vocabulary { is: &[], is_not: &[], signs: Signs { nothing: Some("null"), diverges: &["unreachable", ";"], ..SIGNS } },
        grammar: || { static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR },
        #[cfg(any(test, feature = "samples"))]
        sample: ("const std = @import(\"std\"); // c\npub fn f(x: u8, y: []const u8) !u32 { var a: u32 = 1; if (x > 1) { return g(x, .{ .b = 1, .c = \"s\" }); } else a += 1; while (a < 2) : (a += 1) {} return a; }\nconst S = struct { a: u8 = 0, b: bool };\n", None),
    },
];

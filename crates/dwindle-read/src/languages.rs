//! The languages for which a grammar is compiled in, and how they are recognised.
//!
//! Each lies behind a cargo feature; one that is not compiled in is not recognised, so its text is
//! read like any other.

use std::fmt;
use std::path::Path;

use super::markup;
use super::node_types::Grammar;

/// A language whose grammar is compiled in.
#[derive(Clone, Copy)]
pub struct Language(&'static Definition);

struct Definition {
    name: &'static str,
    /// Other names, which are also the extensions of its files, as the name is.
    aliases: &'static [&'static str],
    /// Programs that a `#!` line names.
    interpreters: &'static [&'static str],
    /// What the text begins with, in lower case, white space apart.
    beginnings: &'static [&'static str],
    parser: fn() -> tree_sitter::Language,
    grammar: fn() -> &'static Grammar,
}

/// Languages whose grammars bring code of their own that keeps a stack, which tree-sitter limits to
/// 1,024 bytes: such code is known to abort, to hang or to go quadratic beyond.
const DOUBTFUL: [&str; 16] = [
    "bash",
    "dockerfile",
    "fortran",
    "fsharp",
    "haskell",
    "hcl",
    "html",
    "markdown",
    "php",
    "python",
    "r",
    "ruby",
    "scala",
    "scss",
    "sql",
    "yaml",
];

/// Files that are known by their whole name, in lower case.
const FILES: [(&str, &str); 5] = [
    ("cmakelists.txt", "cmake"),
    ("containerfile", "dockerfile"),
    ("dockerfile", "dockerfile"),
    ("gnumakefile", "make"),
    ("makefile", "make"),
];

macro_rules! definition {
    ($name:literal, $aliases:expr, $interpreters:expr, $beginnings:expr,
     $language:expr, $node_types:expr $(, $query:expr)*) => {
        Definition {
            name: $name,
            aliases: &$aliases,
            interpreters: &$interpreters,
            beginnings: &$beginnings,
            parser: || $language.into(),
            grammar: || {
                static GRAMMAR: std::sync::OnceLock<Grammar> = std::sync::OnceLock::new();
                GRAMMAR.get_or_init(|| Grammar::new($name, $language.into(), $node_types, &[$($query),*]))
            },
        }
    };
}

/// All of them, by name.
#[rustfmt::skip]
static ALL: &[Definition] = &[
    #[cfg(feature = "lang-ada")]
    definition!("ada", ["adb", "ads"], [], [],
        tree_sitter_ada::LANGUAGE, tree_sitter_ada::NODE_TYPES,
        tree_sitter_ada::LOCALS_QUERY),
    #[cfg(feature = "lang-asm")]
    definition!("asm", ["s", "nasm"], [], [],
        tree_sitter_asm::LANGUAGE, tree_sitter_asm::NODE_TYPES),
    #[cfg(feature = "lang-bash")]
    definition!("bash", ["sh", "ksh", "zsh", "bats", "ebuild"], ["sh", "bash", "dash", "ksh", "zsh"], [],
        tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES),
    #[cfg(feature = "lang-c")]
    definition!("c", ["h", "i"], ["tcc"], [], tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES,
        tree_sitter_c::TAGS_QUERY),
    #[cfg(feature = "lang-clojure")]
    definition!("clojure", ["clj", "cljs", "cljc", "edn"], ["bb", "clojure"], [],
        tree_sitter_clojure_orchard::LANGUAGE, tree_sitter_clojure_orchard::NODE_TYPES),
    #[cfg(feature = "lang-cmake")]
    definition!("cmake", [], [], [],
        tree_sitter_cmake::LANGUAGE, tree_sitter_cmake::NODE_TYPES),
    #[cfg(feature = "lang-commonlisp")]
    definition!("commonlisp", ["cl", "lsp", "asd"], ["sbcl", "clisp"], [],
        tree_sitter_commonlisp::LANGUAGE_COMMONLISP, tree_sitter_commonlisp::NODE_TYPES),
    #[cfg(feature = "lang-cpp")]
    definition!("cpp", ["c++", "cc", "cxx", "hpp", "hh", "hxx", "h++", "ii", "ipp", "tpp", "inl", "cppm", "ixx"], [], [],
        tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES,
        tree_sitter_cpp::TAGS_QUERY),
    #[cfg(feature = "lang-csharp")]
    definition!("csharp", ["cs", "c#", "csx"], [], [],
        tree_sitter_c_sharp::LANGUAGE, tree_sitter_c_sharp::NODE_TYPES,
        tree_sitter_c_sharp::TAGS_QUERY),
    #[cfg(feature = "lang-css")]
    definition!("css", [], [], [], tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES),
    #[cfg(feature = "lang-dart")]
    definition!("dart", [], ["dart"], [],
        tree_sitter_dart_orchard::LANGUAGE, tree_sitter_dart_orchard::NODE_TYPES,
        tree_sitter_dart_orchard::TAGS_QUERY),
    #[cfg(feature = "lang-devicetree")]
    definition!("devicetree", ["dts", "dtsi"], [], [],
        tree_sitter_devicetree::LANGUAGE, tree_sitter_devicetree::NODE_TYPES),
    #[cfg(feature = "lang-dockerfile")]
    definition!("dockerfile", ["containerfile"], [], [],
        tree_sitter_containerfile::LANGUAGE, tree_sitter_containerfile::NODE_TYPES),
    #[cfg(feature = "lang-dot")]
    definition!("dot", ["gv", "graphviz"], [], [],
        arborium_dot::language(), "[]"),
    #[cfg(feature = "lang-elixir")]
    definition!("elixir", ["ex", "exs"], ["elixir"], [],
        tree_sitter_elixir::LANGUAGE, tree_sitter_elixir::NODE_TYPES,
        tree_sitter_elixir::TAGS_QUERY),
    #[cfg(feature = "lang-erlang")]
    definition!("erlang", ["erl", "hrl"], ["escript"], [],
        tree_sitter_erlang::LANGUAGE, tree_sitter_erlang::NODE_TYPES),
    #[cfg(feature = "lang-fish")]
    definition!("fish", [], ["fish"], [],
        tree_sitter_fish::language(), tree_sitter_fish::NODE_TYPES),
    #[cfg(feature = "lang-fortran")]
    definition!("fortran", ["f90", "f95", "f03", "f08", "f18", "f", "for", "f77", "fpp"], [], [],
        tree_sitter_fortran::LANGUAGE, tree_sitter_fortran::NODE_TYPES),
    #[cfg(feature = "lang-fsharp")]
    definition!("fsharp", ["fs", "f#", "fsx"], [], [],
        tree_sitter_fsharp::LANGUAGE_FSHARP, tree_sitter_fsharp::FSHARP_NODE_TYPES,
        tree_sitter_fsharp::LOCALS_QUERY, tree_sitter_fsharp::TAGS_QUERY),
    #[cfg(feature = "lang-gleam")]
    definition!("gleam", [], [], [],
        tree_sitter_gleam::LANGUAGE, tree_sitter_gleam::NODE_TYPES,
        tree_sitter_gleam::LOCALS_QUERY, tree_sitter_gleam::TAGS_QUERY),
    #[cfg(feature = "lang-glsl")]
    definition!("glsl", ["vert", "frag", "comp", "geom", "tesc", "tese", "rgen", "rchit", "rmiss"], [], [],
        tree_sitter_glsl::LANGUAGE_GLSL, tree_sitter_glsl::NODE_TYPES),
    #[cfg(feature = "lang-go")]
    definition!("go", ["golang"], [], [], tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES,
        tree_sitter_go::TAGS_QUERY),
    #[cfg(feature = "lang-graphql")]
    definition!("graphql", ["gql", "graphqls"], [], [],
        tree_sitter_graphql::LANGUAGE, tree_sitter_graphql::NODE_TYPES),
    #[cfg(feature = "lang-haskell")]
    definition!("haskell", ["hs"], ["runghc", "runhaskell"], [],
        tree_sitter_haskell::LANGUAGE, tree_sitter_haskell::NODE_TYPES,
        tree_sitter_haskell::LOCALS_QUERY),
    #[cfg(feature = "lang-hcl")]
    definition!("hcl", ["tf", "tfvars", "terraform"], [], [],
        tree_sitter_hcl::LANGUAGE, tree_sitter_hcl::NODE_TYPES),
    #[cfg(feature = "lang-hlsl")]
    definition!("hlsl", ["fx", "fxh", "hlsli"], [], [],
        tree_sitter_hlsl::LANGUAGE_HLSL, tree_sitter_hlsl::NODE_TYPES),
    #[cfg(feature = "lang-html")]
    definition!("html", ["htm", "xhtml"], [], ["<!doctype html", "<html"],
        tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES),
    #[cfg(feature = "lang-java")]
    definition!("java", ["jav"], [], [], tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES,
        tree_sitter_java::TAGS_QUERY),
    #[cfg(feature = "lang-javascript")]
    definition!("javascript", ["js", "mjs", "cjs", "jsx", "es6"], ["node", "nodejs", "bun", "qjs", "d8"], [],
        tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES,
        tree_sitter_javascript::LOCALS_QUERY, tree_sitter_javascript::TAGS_QUERY),
    #[cfg(feature = "lang-json")]
    definition!("json", ["geojson", "jsonl", "webmanifest"], [], [],
        tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES),
    #[cfg(feature = "lang-julia")]
    definition!("julia", ["jl"], ["julia"], [],
        tree_sitter_julia::LANGUAGE, tree_sitter_julia::NODE_TYPES),
    #[cfg(feature = "lang-kotlin")]
    definition!("kotlin", ["kt", "kts"], ["kotlin"], [],
        tree_sitter_kotlin_ng::LANGUAGE, tree_sitter_kotlin_ng::NODE_TYPES),
    #[cfg(feature = "lang-latex")]
    definition!("latex", ["tex", "sty", "cls", "ltx"], [], [],
        codebook_tree_sitter_latex::LANGUAGE, codebook_tree_sitter_latex::NODE_TYPES),
    #[cfg(feature = "lang-llvm")]
    definition!("llvm", ["ll", "llvmir"], [], [],
        tree_sitter_llvm::LANGUAGE, tree_sitter_llvm::NODE_TYPES),
    #[cfg(feature = "lang-lua")]
    definition!("lua", [], ["lua", "luajit"], [], tree_sitter_lua::LANGUAGE, tree_sitter_lua::NODE_TYPES,
        tree_sitter_lua::LOCALS_QUERY, tree_sitter_lua::TAGS_QUERY),
    #[cfg(feature = "lang-make")]
    definition!("make", ["mk", "mak", "makefile"], ["make"], [],
        tree_sitter_make::LANGUAGE, tree_sitter_make::NODE_TYPES),
    #[cfg(feature = "lang-markdown")]
    definition!("markdown", ["md", "mkd", "mdown"], [], [],
        tree_sitter_md::LANGUAGE, tree_sitter_md::NODE_TYPES_BLOCK),
    #[cfg(feature = "lang-nix")]
    definition!("nix", [], [], [],
        tree_sitter_nix::LANGUAGE, tree_sitter_nix::NODE_TYPES),
    #[cfg(feature = "lang-objc")]
    definition!("objc", ["m", "objective-c"], [], [],
        tree_sitter_objc::LANGUAGE, tree_sitter_objc::NODE_TYPES,
        tree_sitter_objc::LOCALS_QUERY),
    #[cfg(feature = "lang-ocaml")]
    definition!("ocaml", ["ml"], ["ocaml"], [],
        tree_sitter_ocaml::LANGUAGE_OCAML, tree_sitter_ocaml::OCAML_NODE_TYPES,
        tree_sitter_ocaml::LOCALS_QUERY, tree_sitter_ocaml::TAGS_QUERY),
    #[cfg(feature = "lang-pascal")]
    definition!("pascal", ["pas", "pp", "dpr", "lpr"], [], [],
        tree_sitter_pascal::LANGUAGE, tree_sitter_pascal::NODE_TYPES),
    #[cfg(feature = "lang-php")]
    definition!("php", ["phtml", "phpt", "php3", "php4", "php5", "php7"], ["php"], ["<?php"],
        tree_sitter_php::LANGUAGE_PHP, tree_sitter_php::PHP_NODE_TYPES,
        tree_sitter_php::TAGS_QUERY),
    #[cfg(feature = "lang-proto")]
    definition!("proto", ["protobuf"], [], [],
        tree_sitter_proto::LANGUAGE, tree_sitter_proto::NODE_TYPES),
    #[cfg(feature = "lang-python")]
    definition!("python", ["py", "pyw", "pyi"], ["python", "pypy"], [],
        tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES,
        tree_sitter_python::TAGS_QUERY),
    #[cfg(feature = "lang-r")]
    definition!("r", [], ["Rscript"], [],
        tree_sitter_r::LANGUAGE, tree_sitter_r::NODE_TYPES,
        tree_sitter_r::LOCALS_QUERY, tree_sitter_r::TAGS_QUERY),
    #[cfg(feature = "lang-racket")]
    definition!("racket", ["rkt"], ["racket"], [],
        tree_sitter_racket::LANGUAGE, tree_sitter_racket::NODE_TYPES,
        tree_sitter_racket::LOCALS_QUERY, tree_sitter_racket::TAGS_QUERY),
    #[cfg(feature = "lang-regex")]
    definition!("regex", ["re"], [], [],
        tree_sitter_regex::LANGUAGE, tree_sitter_regex::NODE_TYPES),
    #[cfg(feature = "lang-ruby")]
    definition!("ruby", ["rb", "rake", "gemspec"], ["ruby", "jruby"], [],
        tree_sitter_ruby::LANGUAGE, tree_sitter_ruby::NODE_TYPES,
        tree_sitter_ruby::LOCALS_QUERY, tree_sitter_ruby::TAGS_QUERY),
    #[cfg(feature = "lang-rust")]
    definition!("rust", ["rs"], ["rust-script"], [],
        tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES,
        tree_sitter_rust::TAGS_QUERY),
    #[cfg(feature = "lang-scala")]
    definition!("scala", ["sc", "sbt"], ["scala"], [],
        tree_sitter_scala::LANGUAGE, tree_sitter_scala::NODE_TYPES,
        tree_sitter_scala::LOCALS_QUERY),
    #[cfg(feature = "lang-scheme")]
    definition!("scheme", ["scm", "ss", "sld"], ["guile", "chibi"], [],
        tree_sitter_scheme::LANGUAGE, tree_sitter_scheme::NODE_TYPES),
    #[cfg(feature = "lang-scss")]
    definition!("scss", [], [], [],
        tree_sitter_scss::language(), tree_sitter_scss::NODE_TYPES),
    #[cfg(feature = "lang-solidity")]
    definition!("solidity", ["sol"], [], [],
        tree_sitter_solidity::LANGUAGE, tree_sitter_solidity::NODE_TYPES,
        tree_sitter_solidity::LOCALS_QUERY, tree_sitter_solidity::TAGS_QUERY),
    #[cfg(feature = "lang-souffle")]
    definition!("souffle", ["dl"], [], [],
        tree_sitter_souffle::LANGUAGE, tree_sitter_souffle::NODE_TYPES),
    #[cfg(feature = "lang-sql")]
    definition!("sql", ["sqlite", "ddl", "dml", "sequel"], [], [],
        tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES),
    #[cfg(feature = "lang-swift")]
    definition!("swift", ["swiftinterface"], ["swift"], [],
        tree_sitter_swift::LANGUAGE, tree_sitter_swift::NODE_TYPES,
        tree_sitter_swift::LOCALS_QUERY, tree_sitter_swift::TAGS_QUERY),
    #[cfg(feature = "lang-toml")]
    definition!("toml", [], [], [],
        tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES),
    #[cfg(feature = "lang-typescript")]
    definition!("tsx", [], [], [],
        tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES,
        tree_sitter_typescript::LOCALS_QUERY, tree_sitter_typescript::TAGS_QUERY),
    #[cfg(feature = "lang-typescript")]
    definition!("typescript", ["ts", "mts", "cts"], ["deno", "ts-node", "tsx"], [],
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT, tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
        tree_sitter_typescript::LOCALS_QUERY, tree_sitter_typescript::TAGS_QUERY),
    #[cfg(feature = "lang-verilog")]
    definition!("verilog", ["v", "sv", "svh", "vh", "systemverilog"], [], [],
        tree_sitter_verilog::LANGUAGE, tree_sitter_verilog::NODE_TYPES),
    #[cfg(feature = "lang-vhdl")]
    definition!("vhdl", ["vhd"], [], [],
        tree_sitter_vhdl::LANGUAGE, tree_sitter_vhdl::NODE_TYPES),
    #[cfg(feature = "lang-wgsl")]
    definition!("wgsl", [], [], [],
        tree_sitter_wgsl_bevy::LANGUAGE, tree_sitter_wgsl_bevy::NODE_TYPES),
    #[cfg(feature = "lang-yaml")]
    definition!("yaml", ["yml"], [], [],
        tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES),
    #[cfg(feature = "lang-zig")]
    definition!("zig", ["zon"], [], [],
        tree_sitter_zig::LANGUAGE, tree_sitter_zig::NODE_TYPES),
];

impl Language {
    /// All of them, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().map(Self)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().map(Self::name)
    }

    /// The language of that name, in any case; its other names and its extensions will do.
    pub fn named(name: &str) -> Option<Self> {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        Self::all()
            .find(|language| is(language.0.name))
            .or_else(|| Self::all().find(|language| language.0.aliases.iter().any(|alias| is(alias))))
    }

    /// The language of a file, by its name, by the extension of that, else by how it begins.
    pub fn recognise(path: &Path, bytes: &[u8]) -> Option<Self> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let known = FILES.iter().find(|(file, _)| file.eq_ignore_ascii_case(name));
        let extension = path.extension().and_then(|extension| extension.to_str());
        let named = known.map(|(_, language)| *language).or(extension).and_then(Self::named);
        named.or_else(|| Self::by_beginning(bytes))
    }

    /// Its other names, which are also the extensions of its files, as its name is.
    pub fn aliases(self) -> &'static [&'static str] {
        self.0.aliases
    }

    /// The language that the beginning of a text names: `#!` with an interpreter, `<?php`,
    /// `<!DOCTYPE html`.
    pub fn by_beginning(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if let Some(line) = bytes.strip_prefix(b"#!") {
            let line = line.split(|&byte| byte == b'\n').next().unwrap_or(line);
            return Self::by_interpreter(&String::from_utf8_lossy(line));
        }
        let bytes = bytes.trim_ascii_start();
        let begins = |with: &&'static str| {
            bytes.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        Self::all().find(|language| language.0.beginnings.iter().any(begins))
    }

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn by_interpreter(line: &str) -> Option<Self> {
        let program = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        let mut words = line.split_ascii_whitespace().map(program);
        let mut name = words.next()?;
        if name == "env" {
            name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        }
        let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        Self::all().find(|language| language.0.interpreters.contains(&name))
    }

    /// What parses it.
    pub(super) fn parser(self) -> tree_sitter::Language {
        (self.0.parser)()
    }

    pub(super) fn grammar(self) -> &'static Grammar {
        (self.0.grammar)()
    }

    /// What the scanner does with this text beyond the steps that the parser counts.
    pub(super) fn hidden_work(self, bytes: &[u8]) -> u64 {
        if self.0.name == "html" { markup::work(bytes) } else { 0 }
    }

    pub(crate) fn is_doubtful(self) -> bool {
        DOUBTFUL.contains(&self.0.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, beginning: &str, expect: &str) {
        let known = ALL.iter().any(|definition| definition.name == expect);
        let found = Language::recognise(path.as_ref(), beginning.as_bytes()).map(Language::name);
        assert_eq!(found, known.then_some(expect), "{path} {beginning:?}");
    }

    #[test]
    fn languages_are_recognised_by_extension() {
        let cases = "a.c=c a.h=c a.i=c a.cc=cpp a.CPP=cpp a.ii=cpp a.rs=rust a.py=python a.mjs=javascript \
                     a.jsx=javascript a.ts=typescript a.tsx=tsx a.java=java a.go=go a.json=json a.htm=html \
                     a.css=css a.sh=bash a.php=php a.lua=lua a.sqlite=sql a.txt= a= .c=";
        for case in cases.split_ascii_whitespace() {
            let (path, language) = case.split_once('=').unwrap();
            check(path, "", language);
        }
    }

    #[test]
    fn languages_are_recognised_by_how_a_text_begins() {
        check("a", "#!/bin/sh -e\n", "bash");
        check("a", "#!/usr/bin/env -S FOO=1 python3.11 -u\n", "python");
        check("a", "#! /usr/bin/nodejs", "javascript");
        check("a", "#!/usr/bin/perl", "");
        check("a", "\u{feff}<?php echo 1;", "php");
        check("a", "\n <!DOCTYPE HTML>", "html");
        check("a.c", "#!/bin/sh", "c");
        check("a.txt", "#!/bin/sh", "bash");
    }

    #[test]
    fn languages_have_other_names() {
        for name in ["C++", "golang", "Rust", "ts"] {
            assert!(Language::named(name).is_some() || Language::all().count() < 16, "{name}");
        }
        assert_eq!(Language::named("nothing"), None);
    }
}

//! Grammars of tree-sitter: a `grammar.json` is made into C and compiled by the compiler of this
//! machine, once; a library that somebody has compiled already is loaded as it is.
//!
//! What was compiled is kept below `$XDG_CACHE_HOME/dwindle/grammars`, under the hash of what it was
//! made from. Loading is the safe function of tree-sitter's own loader; as the code may do anything,
//! texts are parsed in a child process wherever there is one.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dwindle_core::Tree;
use dwindle_grammar::Productions;
use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};
use tree_sitter_loader::Loader;

use crate::child;
use crate::node_types::Grammar;
use crate::outline::build;
use crate::productions::Knowledge;
use crate::refusal::Refusal;
use crate::shown::shown;
use crate::tree_sitter::{errors_of, outline};
use crate::vocabulary::Vocabulary;

/// Why there is no library, or why it cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot read or write {}: {error}", shown(path))]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// There is no place for what is compiled.
    #[error("neither XDG_CACHE_HOME nor HOME says where compiled grammars are kept")]
    NoCache,
    /// The grammar is malformed.
    #[error("{}: {what}", shown(path))]
    Malformed {
        /// The grammar.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// It cannot be compiled.
    #[error("cannot compile {}: {what}", shown(path))]
    Compiler {
        /// The grammar.
        path: PathBuf,
        /// What the compiler says.
        what: String,
    },
    /// The library cannot be loaded.
    #[error("cannot load {}: {what}", shown(path))]
    Library {
        /// The library.
        path: PathBuf,
        /// Why not.
        what: String,
    },
}

const NODE_TYPES: &str = "node-types.json";
const GRAMMAR: &str = "grammar.json";
const SCANNER: &str = "scanner.c";

/// The library of a `grammar.json`, with a `scanner.c` if there is one beside it.
pub(super) fn library(path: &Path) -> Result<PathBuf, Error> {
    let json = read(path)?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let scanner = beside.join(SCANNER);
    let scanner = match scanner.exists() {
        true => Some(fs::canonicalize(&scanner).map_err(|error| Error::File { path: scanner, error })?),
        false => None,
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes()).update(&(json.len() as u64).to_le_bytes());
    hasher.update(json.as_bytes());
    if let Some(scanner) = &scanner {
        hasher.update(scanner.as_os_str().as_encoded_bytes()).update(read(scanner)?.as_bytes());
    }
    let malformed = |what: String| Error::Malformed { path: path.to_owned(), what };
    let name = dwindle_grammar::Grammar::from_json(&json).map_err(|error| malformed(error.to_string()))?.name;
    let cache = cache().ok_or(Error::NoCache)?;
    let folder = cache.join(hasher.finalize().to_hex().as_str());
    let library = folder.join(&name).with_extension(std::env::consts::DLL_EXTENSION);
    if library.exists() {
        return Ok(library);
    }
    // Made aside, so that others see all of it or nothing.
    let file = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::File { path, error }
    };
    fs::create_dir_all(&cache).map_err(file(&cache))?;
    let aside = tempfile::tempdir_in(&cache).map_err(file(&cache))?;
    let source = aside.path().join("src");
    generate_parser_in_directory(
        aside.path(),
        Some(&source),
        Some(path),
        ABI_VERSION_MAX,
        None,
        None,
        true,
        OptLevel::default(),
        &mut Vec::new(),
    )
    .map_err(|error| malformed(chain(&error)))?;
    fs::write(source.join(GRAMMAR), &json).map_err(file(&source))?;
    if let Some(scanner) = scanner {
        // What it includes lies where it is.
        let include = format!("#include \"{}\"\n", scanner.display());
        fs::write(source.join(SCANNER), include).map_err(file(&source))?;
    }
    for known in [GRAMMAR, NODE_TYPES] {
        fs::copy(source.join(known), aside.path().join(known)).map_err(file(&source))?;
    }
    let compiled = aside.path().join(library.file_name().unwrap_or(OsStr::new(&name)));
    let loader = Loader::with_parser_lib_path(aside.path().to_owned());
    loader
        .compile_parser_at_path(aside.path(), compiled, &[])
        .map_err(|error| Error::Compiler { path: path.to_owned(), what: chain(&error) })?;
    match fs::rename(aside.path(), &folder) {
        // Somebody else was faster.
        Err(_) if library.exists() => {}
        renamed => renamed.map_err(file(&folder))?,
    }
    Ok(library)
}

fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("dwindle/grammars"))
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::File { path: path.to_owned(), error })
}

/// What an error says, with the reasons behind it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut all = error.to_string();
    let mut error = error;
    while let Some(source) = error.source() {
        let reason = source.to_string();
        if !all.contains(&reason) {
            all = format!("{all}: {reason}");
        }
        error = source;
    }
    all
}

/// The grammar of a library. What it lets go of is told by its productions and its node types where
/// they lie beside it or in `src`; without them, nothing but what stands in errors can go.
pub(in super::super) fn grammar(library: &Path) -> Result<&'static Grammar, Error> {
    let refuse = |what: String| Error::Library { path: library.to_owned(), what };
    let language = parser(library)?;
    let beside = |name: &str| {
        let folder = library.parent().unwrap_or(Path::new(""));
        [folder.join(name), folder.join("src").join(name)].into_iter().find_map(|path| read(&path).ok())
    };
    let productions = match beside(GRAMMAR) {
        Some(json) => {
            let grammar = dwindle_grammar::Grammar::from_json(&json);
            Productions::new(&grammar.map_err(|error| refuse(error.to_string()))?)
        }
        None => Productions::default(),
    };
    let node_types = beside(NODE_TYPES).unwrap_or_else(|| "[]".to_owned());
    let grammar =
        Grammar::of(Knowledge::of(productions, &language), language, &node_types, &Vocabulary::COMMON);
    Ok(Box::leak(Box::new(grammar.map_err(|error| refuse(format!("{NODE_TYPES}: {error}")))?)))
}

/// What a library parses by.
pub(in super::super) fn parser(library: &Path) -> Result<tree_sitter::Language, Error> {
    let symbol = format!("tree_sitter_{}", name(library));
    let refuse = |what: String| Error::Library { path: library.to_owned(), what };
    // The loader does not say why it cannot open it.
    fs::File::open(library).map_err(|error| refuse(error.to_string()))?;
    Loader::load_language(library, &symbol).map_err(|error| refuse(chain(&error)))
}

/// The name of the grammar in a library: `libtree-sitter-java.so.14` is of `java`.
fn name(library: &Path) -> String {
    let file = library.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.split('.').next().unwrap_or_default();
    let stem = stem.strip_prefix("lib").filter(|stem| stem.starts_with("tree")).unwrap_or(stem);
    let name = stem.strip_prefix("tree-sitter-").or(stem.strip_prefix("tree_sitter_")).unwrap_or(stem);
    name.replace('-', "_")
}

/// The tree of a text.
pub(super) fn parse(bytes: Vec<u8>, library: &Path, grammar: &'static Grammar) -> Result<Tree, Refusal> {
    if bytes.len() > i32::MAX as usize {
        return Err(Refusal::TooLarge);
    }
    let outline = match child::program() {
        Some(program) => child::outline_by_library(program, &bytes, library, grammar)?,
        None => outline(&bytes, grammar)?,
    };
    Ok(build(bytes, outline, grammar))
}

/// The number of syntax errors of a text.
pub(super) fn errors(bytes: &[u8], library: &Path, grammar: &Grammar) -> Result<u64, Refusal> {
    if bytes.len() > i32::MAX as usize {
        return Err(Refusal::TooLarge);
    }
    match child::program() {
        Some(program) => child::errors_by_library(program, bytes, library),
        None => errors_of(bytes, &grammar.language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_library_tells_the_grammar() {
        for file in
            ["java.so", "libtree-sitter-java.so.14.0", "tree_sitter_java.so", "/a.b/tree-sitter-java.so"]
        {
            assert_eq!(name(Path::new(file)), "java", "{file}");
        }
        assert_eq!(name(Path::new("library.so")), "library");
        assert_eq!(name(Path::new("c-sharp.so")), "c_sharp");
    }
}

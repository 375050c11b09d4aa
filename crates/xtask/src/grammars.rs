//! From the `grammar.json` of the crates to one compact file of ours.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dwindle_grammar::{Grammar, Productions};
use serde::Deserialize;

/// The languages, the crates that bring their grammars, and where the grammars lie in those.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str, &str); 64] = [
    ("ada", "tree-sitter-ada", "src/grammar.json"),
    ("asm", "tree-sitter-asm", "src/grammar.json"),
    ("bash", "tree-sitter-bash", "src/grammar.json"),
    ("c", "tree-sitter-c", "src/grammar.json"),
    ("clojure", "tree-sitter-clojure-orchard", "src/grammar.json"),
    ("cmake", "tree-sitter-cmake", "src/grammar.json"),
    ("commonlisp", "tree-sitter-commonlisp", "src/grammar.json"),
    ("cpp", "tree-sitter-cpp", "src/grammar.json"),
    ("csharp", "tree-sitter-c-sharp", "src/grammar.json"),
    ("css", "tree-sitter-css", "src/grammar.json"),
    ("dart", "tree-sitter-dart-orchard", "src/grammar.json"),
    ("devicetree", "tree-sitter-devicetree", "src/grammar.json"),
    ("dockerfile", "tree-sitter-containerfile", "src/grammar.json"),
    ("dot", "arborium-dot", "grammar/src/grammar.json"),
    ("elixir", "tree-sitter-elixir", "src/grammar.json"),
    ("erlang", "tree-sitter-erlang", "src/grammar.json"),
    ("fish", "tree-sitter-fish", "src/grammar.json"),
    ("fortran", "tree-sitter-fortran", "src/grammar.json"),
    ("fsharp", "tree-sitter-fsharp", "fsharp/src/grammar.json"),
    ("gleam", "tree-sitter-gleam", "src/grammar.json"),
    ("glsl", "tree-sitter-glsl", "src/grammar.json"),
    ("go", "tree-sitter-go", "src/grammar.json"),
    ("graphql", "tree-sitter-graphql", "src/grammar.json"),
    ("haskell", "tree-sitter-haskell", "src/grammar.json"),
    ("hcl", "tree-sitter-hcl", "src/grammar.json"),
    ("hlsl", "tree-sitter-hlsl", "src/grammar.json"),
    ("html", "tree-sitter-html", "src/grammar.json"),
    ("java", "tree-sitter-java", "src/grammar.json"),
    ("javascript", "tree-sitter-javascript", "src/grammar.json"),
    ("json", "tree-sitter-json", "src/grammar.json"),
    ("julia", "tree-sitter-julia", "src/grammar.json"),
    ("kotlin", "tree-sitter-kotlin-ng", "src/grammar.json"),
    ("latex", "codebook-tree-sitter-latex", "src/grammar.json"),
    ("llvm", "tree-sitter-llvm", "src/grammar.json"),
    ("lua", "tree-sitter-lua", "src/grammar.json"),
    ("make", "tree-sitter-make", "src/grammar.json"),
    ("markdown", "tree-sitter-md", "tree-sitter-markdown/src/grammar.json"),
    ("nix", "tree-sitter-nix", "src/grammar.json"),
    ("objc", "tree-sitter-objc", "src/grammar.json"),
    ("ocaml", "tree-sitter-ocaml", "grammars/ocaml/src/grammar.json"),
    ("pascal", "tree-sitter-pascal", "src/grammar.json"),
    ("php", "tree-sitter-php", "php/src/grammar.json"),
    ("proto", "tree-sitter-proto", "src/grammar.json"),
    ("python", "tree-sitter-python", "src/grammar.json"),
    ("r", "tree-sitter-r", "src/grammar.json"),
    ("racket", "tree-sitter-racket", "src/grammar.json"),
    ("regex", "tree-sitter-regex", "src/grammar.json"),
    ("ruby", "tree-sitter-ruby", "src/grammar.json"),
    ("rust", "tree-sitter-rust", "src/grammar.json"),
    ("scala", "tree-sitter-scala", "src/grammar.json"),
    ("scheme", "tree-sitter-scheme", "src/grammar.json"),
    ("scss", "tree-sitter-scss", "src/grammar.json"),
    ("solidity", "tree-sitter-solidity", "src/grammar.json"),
    ("souffle", "tree-sitter-souffle", "src/grammar.json"),
    ("sql", "tree-sitter-sequel", "src/grammar.json"),
    ("swift", "tree-sitter-swift", "src/grammar.json"),
    ("toml", "tree-sitter-toml-ng", "src/grammar.json"),
    ("tsx", "tree-sitter-typescript", "tsx/src/grammar.json"),
    ("typescript", "tree-sitter-typescript", "typescript/src/grammar.json"),
    ("verilog", "tree-sitter-verilog", "src/grammar.json"),
    ("vhdl", "tree-sitter-vhdl", "src/grammar.json"),
    ("wgsl", "tree-sitter-wgsl-bevy", "src/grammar.json"),
    ("yaml", "tree-sitter-yaml", "src/grammar.json"),
    ("zig", "tree-sitter-zig", "src/grammar.json"),
];

/// The compact file, from the root of the workspace.
const FILE: &str = "crates/dwindle-read/src/productions.txt";

/// Writes the compact file.
pub(crate) fn write() -> Result<()> {
    let file = workspace().join(FILE);
    let text = derive()?;
    std::fs::write(&file, &text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: {} languages, {} bytes", file.display(), LANGUAGES.len(), text.len());
    Ok(())
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// What the crates say, in the compact form: a line with the name of a language before its own lines.
fn derive() -> Result<String> {
    let packages = packages()?;
    let mut text = String::new();
    for (language, package, path) in LANGUAGES {
        let folder = packages.get(package).with_context(|| format!("no package {package}"))?;
        let file = folder.join(path);
        let json =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let grammar = Grammar::from_json(&json).with_context(|| format!("cannot read {}", file.display()))?;
        text.push_str(&format!("= {language}\n"));
        Productions::new(&grammar).write(&mut text);
    }
    Ok(text)
}

/// The folders of all packages that the workspace may need, by name.
fn packages() -> Result<HashMap<String, PathBuf>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }

    #[derive(Deserialize)]
    struct Package {
        name: String,
        manifest_path: PathBuf,
    }

    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked", "--all-features"])
        .current_dir(workspace())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let folder = |package: Package| Some((package.name, package.manifest_path.parent()?.to_owned()));
    Ok(metadata.packages.into_iter().filter_map(folder).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_the_crates_say() {
        let kept = std::fs::read_to_string(workspace().join(FILE)).unwrap();
        let differs = kept.lines().zip(derive().unwrap().lines()).position(|(kept, derived)| kept != derived);
        assert_eq!(differs, None, "line: run `cargo run -p xtask -- grammars`");
        assert_eq!(kept, derive().unwrap());
    }
}

//! From the `grammar.json` of the crates to one compact file of ours.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dwindle_grammar::{Grammar, Productions};
use serde::Deserialize;

use crate::{languages, workspace};

/// The compact file, from the root of the workspace.
const FILE: &str = "crates/dwindle-read/src/productions.txt";

/// Writes the compact file.
pub(crate) fn write() -> Result<()> {
    let file = workspace().join(FILE);
    let text = derive(&[])?;
    std::fs::write(&file, &text).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{FILE}");
    Ok(())
}

/// What the crates say, in the compact form: a line with the name of a language before its own lines.
/// `options` are those of cargo.
fn derive(options: &[&str]) -> Result<String> {
    let packages = packages(options)?;
    let mut text = String::new();
    for (name, language) in languages::read()? {
        let package = &language.package;
        let folder = packages.get(package).with_context(|| format!("no package {package}"))?;
        let file = folder.join(&language.grammar);
        let json =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let grammar = Grammar::from_json(&json).with_context(|| format!("cannot read {}", file.display()))?;
        text.push_str(&format!("= {name}\n"));
        Productions::new(&grammar).write(&mut text);
    }
    Ok(text)
}

/// The folders of all packages that the workspace may need, by name.
fn packages(options: &[&str]) -> Result<HashMap<String, PathBuf>> {
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
        .args(["metadata", "--format-version=1", "--all-features"])
        .args(options)
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
        let derived = derive(&["--offline", "--locked"]).unwrap();
        let differs = kept.lines().zip(derived.lines()).position(|(kept, derived)| kept != derived);
        assert_eq!(differs, None, "line: run `cargo run -p xtask -- languages`");
        assert_eq!(kept.len(), derived.len());
    }
}

//! The cases: folders with an input and a test that says whether a candidate is interesting.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A problem to reduce: a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// The name of its folder.
    pub(crate) name: String,
    /// Absolute path of its only file `input.*`.
    pub(crate) input: PathBuf,
    /// Absolute path of its `interesting.sh`, which is executable.
    pub(crate) test: PathBuf,
}

/// The name of the test in the folder of a case.
const TEST: &str = "interesting.sh";

/// Whether constants of dwindle were chosen on the case of that name. What was chosen on a case shows nothing there.
pub(crate) fn is_tuned(name: &str) -> bool {
    include_str!("../tuned.txt").lines().any(|line| line == name)
}

/// Every folder in `cases` that holds an `interesting.sh`, by name.
pub(crate) fn all(cases: &Path) -> anyhow::Result<Vec<Case>> {
    let mut names = Vec::new();
    for name in file_names(cases)? {
        if cases.join(&name).join(TEST).exists() {
            names.push(name);
        }
    }
    if names.is_empty() {
        bail!("no case in {}: a case is a folder that holds an {TEST}", cases.display());
    }
    names.sort();
    names.iter().map(|name| load(cases, name)).collect()
}

/// The cases with these names, in their order, each once.
pub(crate) fn named(cases: &Path, names: &[String]) -> anyhow::Result<Vec<Case>> {
    let mut found: Vec<Case> = Vec::new();
    for name in names {
        if found.iter().all(|case| case.name != *name) {
            found.push(load(cases, name)?);
        }
    }
    Ok(found)
}

/// The cases that the file `list` names, one a line, in its order, each once. Blank lines and
/// lines that begin with `#` are left out.
pub(crate) fn listed(cases: &Path, list: &Path) -> anyhow::Result<Vec<Case>> {
    let text = fs::read_to_string(list)
        .with_context(|| format!("cannot read the list of cases {}", list.display()))?;
    let mut found: Vec<Case> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let name = line.trim();
        let known = found.iter().any(|case| case.name == name);
        if name.is_empty() || name.starts_with('#') || known {
            continue;
        }
        let place = || format!("{} line {number}", list.display());
        found.push(load(cases, name).with_context(place)?);
    }
    if found.is_empty() {
        bail!("no case in the list {}: name one a line", list.display());
    }
    Ok(found)
}

fn load(cases: &Path, name: &str) -> anyhow::Result<Case> {
    let folder = std::path::absolute(cases)?.join(name);
    let test = folder.join(TEST);
    // Checked beforehand: every run of the case would fail with the same error otherwise.
    let Ok(metadata) = fs::metadata(&test) else {
        bail!("no case called {name:?}: there is no {}", test.display());
    };
    if metadata.permissions().mode() & 0o111 == 0 {
        bail!("{} is not executable, so it cannot be run directly: `chmod +x` it", test.display());
    }
    let inputs: Vec<String> =
        file_names(&folder)?.into_iter().filter(|name| name.starts_with("input.")).collect();
    let [input] = inputs.as_slice() else {
        bail!("{} holds {} files called `input.*`: a case has exactly one", folder.display(), inputs.len());
    };
    Ok(Case { name: name.to_owned(), input: folder.join(input), test })
}

fn file_names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let context = || format!("cannot read the folder {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        // A name that is not UTF-8 is no case and no input of ours.
        names.extend(entry.with_context(context)?.file_name().into_string());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{all, listed, named};

    fn case(cases: &Path, name: &str, inputs: &[&str], mode: u32) {
        let folder = cases.join(name);
        fs::create_dir(&folder).expect("a fresh folder");
        for input in inputs {
            fs::write(folder.join(input), "x").expect("a fresh file");
        }
        let test = folder.join("interesting.sh");
        fs::write(&test, "#!/bin/sh\n").expect("a fresh file");
        fs::set_permissions(&test, fs::Permissions::from_mode(mode)).expect("our file");
    }

    #[test]
    fn cases_come_by_name_or_in_the_order_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let cases = folder.path();
        for name in ["b", "a", "c"] {
            case(cases, name, &["input.c"], 0o755);
        }
        fs::create_dir(cases.join("assets")).unwrap();
        let names =
            |cases: Vec<super::Case>| cases.into_iter().map(|case| case.name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(all(cases).unwrap()), "a b c");
        let asked = ["c", "a", "c"].map(str::to_owned);
        assert_eq!(names(named(cases, &asked).unwrap()), "c a");
        let list = cases.join("LIST");
        fs::write(&list, "# some\nb\n\n a \nb\n").unwrap();
        assert_eq!(names(listed(cases, &list).unwrap()), "b a");
    }

    #[test]
    fn what_is_wrong_with_a_case_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let cases = folder.path();
        case(cases, "two", &["input.c", "input.h"], 0o755);
        case(cases, "plain", &["input.c"], 0o644);
        fs::write(cases.join("LIST"), "\nabsent\n").unwrap();
        let here = cases.display();
        let error = |name: &str| format!("{:#}", named(cases, &[name.to_owned()]).unwrap_err());
        assert_eq!(
            error("two"),
            format!("{here}/two holds 2 files called `input.*`: a case has exactly one")
        );
        assert_eq!(
            error("plain"),
            format!(
                "{here}/plain/interesting.sh is not executable, so it cannot be run directly: \
                 `chmod +x` it"
            )
        );
        assert_eq!(
            format!("{:#}", listed(cases, &cases.join("LIST")).unwrap_err()),
            format!(
                "{here}/LIST line 2: no case called \"absent\": there is no \
                 {here}/absent/interesting.sh"
            )
        );
    }
}

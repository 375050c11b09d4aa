//! Which files of a folder are reduced.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Which files of a folder are reduced: all, but for those that are said to stay.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// If there are any, only files that match one of these are reduced.
    only: Option<GlobSet>,
    /// Files that match one of these stay.
    keep: Option<GlobSet>,
}

impl Selection {
    /// That of two lists of globs, either of which may be empty. A glob without `/` is for names in all folders; one that
    /// matches a folder matches all that is in it.
    ///
    /// # Errors
    ///
    /// What is wrong with a glob.
    pub fn new(only: &[String], keep: &[String]) -> Result<Self, String> {
        Ok(Self { only: set(only)?, keep: set(keep)? })
    }

    /// Whether all files are reduced.
    pub fn is_all(&self) -> bool {
        self.only.is_none() && self.keep.is_none()
    }

    /// Whether the file at this path in the folder stays as it is.
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        let matches = |set: &GlobSet| path.ancestors().any(|path| set.is_match(path));
        self.keep.as_ref().is_some_and(matches) || self.only.as_ref().is_some_and(|only| !matches(only))
    }
}

fn set(globs: &[String]) -> Result<Option<GlobSet>, String> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let anywhere =
            if glob.contains('/') { glob.trim_start_matches("./").to_owned() } else { format!("**/{glob}") };
        let built = GlobBuilder::new(&anywhere).literal_separator(true).build();
        set.add(built.map_err(|error| format!("the glob {glob:?} is wrong: {}", error.kind()))?);
    }
    set.build().map(Some).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_for_names_or_for_paths() {
        let check = |only: &[&str], keep: &[&str], path: &str, kept: bool| {
            let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
            let selection = Selection::new(&owned(only), &owned(keep)).unwrap();
            assert_eq!(selection.keeps(Path::new(path)), kept, "{only:?} {keep:?} {path}");
        };
        check(&[], &[], "a.c", false);
        check(&["*.c"], &[], "src/a.c", false);
        check(&["*.c"], &[], "src/a.h", true);
        check(&["src"], &[], "src/x/a.h", false);
        check(&["src/*.c"], &[], "src/x/a.c", true);
        check(&["src/**/*.c"], &[], "src/x/a.c", false);
        check(&[], &["Makefile", "include/**"], "x/Makefile", true);
        check(&[], &["Makefile", "include/**"], "include/a/b.h", true);
        check(&["*.h"], &["util.h"], "include/util.h", true);
        check(&["./src/a.c"], &[], "src/a.c", false);
        let wrong = Selection::new(&["[".to_owned()], &[]).unwrap_err();
        assert!(wrong.starts_with("the glob \"[\" is wrong: "), "{wrong}");
    }
}

//! Which tokens lead to other files of the folder: `"util.h"`, `./util`, `mod util;`, `import pkg.util`.
//!
//! Nothing is known of how a language finds files. A path leads to the file of this path, seen from the file that it stands
//! in, from the top or from anywhere; its extension may be missing, and a folder stands for the file in it that is called
//! `index`, `mod` or `__init__`. In an import, and in a statement of a few words, a name leads to the file of this name.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use dwindle_core::{How, Role, Tree};

/// What stands for its folder.
const FOR_FOLDERS: [&str; 3] = ["index", "mod", "__init__"];
/// The most tokens of a statement whose name may lead to a file: `mod util;`, `pub mod util;`.
const FEW: usize = 4;

/// The files of a folder, by what may lead to them.
pub(super) struct Links<'a> {
    paths: &'a [&'a Path],
    /// By their whole paths.
    whole: HashMap<&'a Path, usize>,
    /// By their paths without extension, and by their folders where they stand for these.
    bare: HashMap<PathBuf, usize>,
    /// By their base names; nothing where several have one.
    named: HashMap<&'a str, Option<usize>>,
    /// The same without extension.
    stems: HashMap<&'a str, Option<usize>>,
}

impl<'a> Links<'a> {
    pub(super) fn new(paths: &'a [&'a Path]) -> Self {
        let whole = paths.iter().enumerate().map(|(index, &path)| (path, index)).collect();
        let (mut bare, mut named, mut stems) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (index, path) in paths.iter().enumerate() {
            let name = path.file_name().and_then(|name| name.to_str());
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let add = |map: &mut HashMap<&'a str, Option<usize>>, word: Option<&'a str>| {
                if let Some(word) = word {
                    map.entry(word).and_modify(|file| *file = None).or_insert(Some(index));
                }
            };
            add(&mut named, name);
            add(&mut stems, stem);
            bare.entry(path.with_extension("")).or_insert(index);
            if let (Some(stem), Some(folder)) = (stem, path.parent())
                && FOR_FOLDERS.contains(&stem)
            {
                bare.entry(folder.to_owned()).or_insert(index);
                add(&mut stems, folder.file_name().and_then(|name| name.to_str()));
            }
        }
        Self { paths, whole, bare, named, stems }
    }

    /// The tokens of the tree of a file that lead to other files, in order.
    pub(super) fn of(&self, file: usize, tree: &Tree) -> Vec<(u32, usize)> {
        let (text, names) = (tree.text(), tree.names());
        let mut links = Vec::new();
        let short = tokens_of_short_statements(tree);
        let mut mentions = names.mentions().iter().peekable();
        for token in 0..text.len() as u32 {
            let mut name = None;
            while let Some(mention) = mentions.next_if(|mention| mention.token <= token) {
                let may_lead = mention.imported || mention.how == How::Introduces && short[token as usize];
                if mention.token == token && may_lead {
                    name = Some(names.spelling(mention.name));
                }
            }
            let Ok(piece) = std::str::from_utf8(text.piece(token as usize)) else { continue };
            let path = piece.trim_matches(|sign: char| "\"'`<>".contains(sign));
            let found = match name.and_then(|name| std::str::from_utf8(name).ok()) {
                _ if path.contains(['/', '.']) && path.len() > 1 => self.by_path(file, path),
                Some(name) => self.by_name(file, name),
                None => None,
            };
            links.extend(found.filter(|&found| found != file).map(|found| (token, found)));
        }
        links
    }

    fn by_path(&self, file: usize, path: &str) -> Option<usize> {
        let here = self.paths[file].parent().unwrap_or(Path::new(""));
        let near = normal(&here.join(path));
        let top = normal(Path::new(path));
        let exact = |path: &Option<PathBuf>| {
            let path = path.as_deref()?;
            self.whole.get(path).or_else(|| self.bare.get(path)).copied()
        };
        // As `./util.js` stands for a file `util.ts`.
        let bare = |path: &Option<PathBuf>| self.bare.get(&path.as_deref()?.with_extension("")).copied();
        let anywhere = || {
            let top = top.as_deref()?;
            let found = (*self.named.get(top.file_name()?.to_str()?)?)?;
            self.paths[found].ends_with(top).then_some(found)
        };
        exact(&near).or_else(|| exact(&top)).or_else(|| bare(&near)).or_else(anywhere)
    }

    fn by_name(&self, file: usize, name: &str) -> Option<usize> {
        let path = self.paths[file];
        let here = path.parent().unwrap_or(Path::new(""));
        let inside = path.with_extension("").join(name);
        let near = self.bare.get(&here.join(name)).or_else(|| self.bare.get(&inside)).copied();
        near.or_else(|| *self.stems.get(name)?)
    }
}

/// A path without `.` and `..`, unless it leads out of the folder.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => normal.push(part),
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!normal.as_os_str().is_empty()).then_some(normal)
}

/// Of each token whether the smallest element around it that has more tokens than it has few.
fn tokens_of_short_statements(tree: &Tree) -> Vec<bool> {
    let mut short = vec![false; tree.text().len()];
    for (index, node) in tree.nodes().iter().enumerate() {
        let tokens = node.tokens();
        if node.role == Role::Deletable && tree.list(index).is_some() && (2..=FEW).contains(&tokens.len()) {
            short[tokens].fill(true);
        }
    }
    short
}

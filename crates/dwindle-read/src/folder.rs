//! The tree of a folder: folders and files are its upper nodes, and below a file is the tree of what is in it, by the
//! front end for its language. The text is a [`bundle`].
//!
//! Names tie files to each other. What an import introduces uses what another file introduces; and a path, or the name of
//! a module, uses the file that it leads to (`links.rs`).
//!
//! Of a large folder not all files are read. Where there are very many, none is at first, so that most go as a whole; then the small
//! ones are, and the others when these have become smaller. A file that is not read is one token, which counts for all that the
//! generic lexer sees in it.

mod links;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use dwindle_core::{How, Kind, Lexicon, Role, Syntax, Tree, TreeBuilder};

use crate::bundle::{self, Content, Entry};
use crate::{cancellation, lexer};
use links::Links;

/// The kinds of nodes that are not of a language.
const KINDS: [&str; 3] = ["folder", "file", "line"];
const FOLDER: u32 = 0;
const FILE: u32 = 1;
const LINE: u32 = 2;

/// Where there are more files than this, and more bytes than the next says, no file is read: whole files go first.
const MANY: usize = 1000;
/// The bytes of all files together. A megabyte of C takes 0.75 s to read.
const LARGE: usize = 16 << 20;
/// Otherwise the smallest files are read until they have this many bytes; the last of them is read whole.
const ENOUGH: usize = 4 << 20;

/// The paths and texts of the files in a bundle that are read.
pub(super) fn texts(bundle: &[u8]) -> Option<impl Iterator<Item = (PathBuf, &[u8])>> {
    let entries = bundle::split(bundle)?;
    let read = read_now(&entries);
    let texts = entries.into_iter().zip(read).filter(|(_, is_read)| *is_read);
    Some(texts.filter_map(|(Entry { path, content, .. }, _)| match content {
        Content::Text { bytes, .. } => Some((path, &bundle[bytes])),
        _ => None,
    }))
}

/// The tree of a bundle, of which `read_file` reads the files, or why it is none.
pub(super) fn parse(bytes: Vec<u8>, read_file: impl Fn(&Path, &[u8]) -> Tree) -> Result<Tree, String> {
    let entries = bundle::split(&bytes).ok_or("its files cannot be told apart")?;
    let trees: Vec<Option<Tree>> = entries
        .iter()
        .zip(read_now(&entries))
        .map(|(entry, is_read)| match &entry.content {
            Content::Text { bytes: range, .. } if is_read => {
                Some(read_file(&entry.path, &bytes[range.clone()]))
            }
            _ => None,
        })
        .collect();
    let counts: Vec<u32> = entries
        .iter()
        .zip(&trees)
        .map(|(entry, tree)| match &entry.content {
            Content::Text { bytes: range, .. } if tree.is_none() => {
                1 + lexer::count(&bytes[range.clone()]) as u32
            }
            _ => 0,
        })
        .collect();
    let paths: Vec<&Path> = entries.iter().map(|entry| &*entry.path).collect();
    // What must stay keeps the folders around it.
    let kept = entries
        .iter()
        .filter(|entry| matches!(entry.content, Content::Kept { .. } | Content::KeptLink { .. }));
    let holding: HashSet<&Path> = kept.flat_map(|entry| entry.path.ancestors()).collect();
    let links = Links::new(&paths);
    let owners = owners(&trees);
    let kinds = KINDS.map(|name| Kind { nameless: true, ..Kind::from(name) });
    let lexicon = Lexicon { kinds: kinds.to_vec(), guesses_names: true, ..Lexicon::default() };
    let mut builder = TreeBuilder::cancelled_by(cancellation::current(), bytes, lexicon);
    builder.open(FOLDER, Role::Fixed);
    let mut open: Vec<(PathBuf, Syntax)> = vec![(PathBuf::new(), in_list(&mut builder))];
    for (index, (entry, tree)) in entries.iter().zip(&trees).enumerate() {
        while open.len() > 1 && !open.last().is_some_and(|(folder, _)| entry.path.starts_with(folder)) {
            builder.close();
            open.pop();
        }
        let (_, syntax) = open[open.len() - 1];
        match &entry.content {
            Content::Folder { .. } => {
                builder
                    .open(FOLDER, if holding.contains(&*entry.path) { Role::Fixed.into() } else { syntax });
                line(&mut builder, entry, Role::Fixed.into());
                let inside = in_list(&mut builder);
                open.push((entry.path.clone(), inside));
            }
            Content::Other { .. } | Content::Link { .. } => line(&mut builder, entry, syntax),
            Content::Kept { .. } | Content::KeptLink { .. } => line(&mut builder, entry, Role::Fixed.into()),
            Content::Text { end, .. } if tree.is_none() => {
                let weight = counts[index];
                builder.token(entry.line.start as u32..end.end as u32, weight, FILE, syntax);
                builder.on_own_line();
                builder.name(&name_of(&entry.path), How::Introduces);
            }
            Content::Text { bytes, end, .. } => {
                builder.open(FILE, syntax);
                builder.scope();
                line(&mut builder, entry, Role::Fixed.into());
                if let Some(tree) = tree {
                    let links = links.of(index, tree);
                    let links: Vec<(u32, Vec<u8>)> =
                        links.into_iter().map(|(token, file)| (token, name_of(paths[file]))).collect();
                    let is_elsewhere =
                        |name: &[u8]| owners.get(name).is_some_and(|owner| *owner != Owner::One(index));
                    builder.graft(tree, bytes.start as u32, &mentions(tree, &links, is_elsewhere));
                }
                builder.token(end.start as u32..end.end as u32, 0, LINE, Role::Fixed);
                builder.on_own_line();
                builder.close();
            }
        }
    }
    open.iter().for_each(|_| builder.close());
    Ok(builder.finish_grafted())
}

/// Which texts are read.
fn read_now(entries: &[Entry]) -> Vec<bool> {
    let mut sizes: Vec<(usize, usize)> = sizes(entries).collect();
    let is_large = too_many(&sizes).is_some();
    sizes.sort_unstable();
    let mut read = vec![false; entries.len()];
    let mut sum = 0;
    for (size, index) in sizes.into_iter().take_while(|_| !is_large) {
        read[index] = sum < ENOUGH;
        sum += size;
    }
    read
}

/// The sizes of texts, with the numbers of their entries.
fn sizes(entries: &[Entry]) -> impl Iterator<Item = (usize, usize)> + '_ {
    entries.iter().enumerate().filter_map(|(index, entry)| match &entry.content {
        Content::Text { bytes, .. } => Some((bytes.len(), index)),
        _ => None,
    })
}

/// How many these files are and how many bytes they have, if that is too much for any of them to be read.
fn too_many(sizes: &[(usize, usize)]) -> Option<(usize, usize)> {
    let (files, bytes) = (sizes.len(), sizes.iter().map(|(size, _)| size).sum());
    (files > MANY && bytes > LARGE).then_some((files, bytes))
}

/// How many files are in a bundle of which none is read because there are too many, and how many bytes they have.
pub fn too_many_files(bundle: &[u8]) -> Option<(usize, usize)> {
    let entries = bundle::split(bundle)?;
    too_many(&sizes(&entries).collect::<Vec<_>>())
}

/// Elements of one more list.
fn in_list(builder: &mut TreeBuilder) -> Syntax {
    Syntax { list: Some(builder.new_list()), ..Role::Deletable.into() }
}

/// The line of an entry, which introduces its name.
fn line(builder: &mut TreeBuilder, entry: &Entry, syntax: Syntax) {
    builder.token(entry.line.start as u32..entry.line.end as u32, 1, LINE, syntax);
    builder.on_own_line();
    builder.name(&name_of(&entry.path), How::Introduces);
}

/// The name of a file. No token is spelled so: nothing renames it.
fn name_of(path: &Path) -> Vec<u8> {
    format!("file {}", path.display()).into_bytes()
}

/// Which file introduces a name other than by an import.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    One(usize),
    Several,
}

fn owners(trees: &[Option<Tree>]) -> HashMap<Vec<u8>, Owner> {
    let mut owners = HashMap::new();
    for (index, tree) in trees.iter().enumerate() {
        let Some(tree) = tree.as_ref().filter(|tree| !tree.guesses_names()) else { continue };
        let names = tree.names();
        for mention in names.mentions() {
            if mention.how == How::Introduces && !mention.imported {
                let owner = owners.entry(names.spelling(mention.name).to_vec()).or_insert(Owner::One(index));
                if *owner != Owner::One(index) {
                    *owner = Owner::Several;
                }
            }
        }
    }
    owners
}

/// What the tokens of a file mention. Where it is only guessed what introduces a name, words may use those of others.
fn mentions<'a>(
    tree: &'a Tree,
    links: &'a [(u32, Vec<u8>)],
    is_elsewhere: impl Fn(&[u8]) -> bool,
) -> Vec<(u32, &'a [u8], How)> {
    let (names, guesses) = (tree.names(), tree.guesses_names());
    let mut links = links.iter().map(|(token, name)| (*token, &name[..], How::Uses)).peekable();
    let mut all = Vec::with_capacity(names.mentions().len());
    for mention in names.mentions() {
        while let Some(link) = links.next_if(|link| link.0 < mention.token) {
            all.push(link);
        }
        let spelling = names.spelling(mention.name);
        let how = match mention.how {
            _ if guesses => How::Weak,
            How::Introduces if mention.imported && is_elsewhere(spelling) => How::Uses,
            how => how,
        };
        all.push((mention.token, spelling, how));
    }
    all.extend(links);
    all
}

#[cfg(test)]
mod tests;

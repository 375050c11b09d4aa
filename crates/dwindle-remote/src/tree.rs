//! The tree of files of a run, by digests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Component, Path};

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Digest, Directory, DirectoryNode, FileNode, SymlinkNode,
};
use dwindle_run::{Laid, What};

use crate::digest::Blob;
use crate::error::Error;

/// A folder while it is put together. Names are sorted, so the same files always have the same digest.
#[derive(Default)]
pub(crate) struct Tree<'a> {
    folders: BTreeMap<String, Tree<'a>>,
    files: BTreeMap<String, (Blob<'a>, bool)>,
    links: BTreeMap<String, String>,
}

impl<'a> Tree<'a> {
    /// Puts something into it.
    pub(crate) fn lay(&mut self, laid: &Laid<'a>) -> Result<(), Error> {
        match &laid.what {
            What::Folder(_) => self.folder(&laid.path).map(|_| ()),
            What::File(mode, bytes) => self.file(&laid.path, *mode, Blob::of(*bytes)),
            What::Link(target) => {
                let target = text(target)?;
                let (folder, name) = self.place(&laid.path)?;
                folder.links.insert(name, target);
                Ok(())
            }
        }
    }

    /// Puts a file into it, which may be run if its owner may.
    pub(crate) fn file(&mut self, path: &Path, mode: u32, blob: Blob<'a>) -> Result<(), Error> {
        let (folder, name) = self.place(path)?;
        folder.files.insert(name, (blob, mode & 0o100 != 0));
        Ok(())
    }

    /// The folder that `path` is in, and its name there.
    fn place(&mut self, path: &Path) -> Result<(&mut Self, String), Error> {
        let name = text(Path::new(path.file_name().unwrap_or_default()))?;
        Ok((self.folder(path.parent().unwrap_or(Path::new("")))?, name))
    }

    fn folder(&mut self, path: &Path) -> Result<&mut Self, Error> {
        let mut folder = self;
        for part in path.components() {
            if let Component::Normal(name) = part {
                folder = folder.folders.entry(text(Path::new(name))?).or_default();
            }
        }
        Ok(folder)
    }

    /// The digest of it all; what it consists of goes to `blobs`.
    pub(crate) fn into_blobs(self, blobs: &mut Vec<Blob<'a>>) -> Digest {
        let mut directory = Directory::default();
        for (name, folder) in self.folders {
            let digest = Some(folder.into_blobs(blobs));
            directory.directories.push(DirectoryNode { name, digest });
        }
        for (name, (blob, is_executable)) in self.files {
            let digest = Some(blob.digest.clone());
            directory.files.push(FileNode { name, digest, is_executable, node_properties: None });
            blobs.push(blob);
        }
        let links = self.links.into_iter();
        directory.symlinks =
            links.map(|(name, target)| SymlinkNode { name, target, node_properties: None }).collect();
        let Blob { digest, bytes } = Blob::message(&directory);
        blobs.push(Blob { digest: digest.clone(), bytes: Cow::Owned(bytes.into_owned()) });
        digest
    }
}

/// A name as the protocol has them.
fn text(path: &Path) -> Result<String, Error> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Error::Unsent(format!("the name {} is not UTF-8, and the protocol knows no other", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;

    fn lay<'a>(files: &[Laid<'a>]) -> (Digest, Vec<Blob<'a>>) {
        let mut tree = Tree::default();
        files.iter().for_each(|laid| tree.lay(laid).unwrap());
        let mut blobs = Vec::new();
        (tree.into_blobs(&mut blobs), blobs)
    }

    #[test]
    fn the_order_of_files_does_not_matter_and_what_is_in_them_does() {
        let file = |path: &str, mode, bytes| Laid { path: path.into(), what: What::File(mode, bytes) };
        let (one, blobs) = lay(&[file("a/b/c", 0o600, b"1"), file("a/d", 0o700, b"2")]);
        let (other, _) = lay(&[file("a/d", 0o700, b"2"), file("a/b/c", 0o600, b"1")]);
        assert_eq!(one, other);
        assert_ne!(one, lay(&[file("a/d", 0o600, b"2"), file("a/b/c", 0o600, b"1")]).0);
        let find = |digest: &Option<Digest>| {
            let blob = blobs.iter().find(|blob| Some(&blob.digest) == digest.as_ref()).unwrap();
            Directory::decode(&blob.bytes[..]).unwrap()
        };
        let inside = find(&find(&Some(one)).directories[0].digest);
        assert_eq!((inside.files[0].name.as_str(), inside.files[0].is_executable), ("d", true));
        assert_eq!(find(&inside.directories[0].digest).files[0].name, "c");
    }

    #[test]
    fn folders_may_be_empty_and_links_lead_anywhere() {
        let folder = Laid { path: "tmp".into(), what: What::Folder(0o700) };
        let link = Laid { path: "run/l".into(), what: What::Link("../x".into()) };
        let (root, blobs) = lay(&[folder, link]);
        let root = blobs.iter().find(|blob| blob.digest == root).unwrap();
        let names: Vec<String> = Directory::decode(&root.bytes[..])
            .unwrap()
            .directories
            .into_iter()
            .map(|node| node.name)
            .collect();
        assert_eq!(names, ["run", "tmp"]);
    }
}

//! Folders that are made again and again, as candidates and results: what is left of one becomes the next one, so only what
//! differs is written.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use blake3::Hash;

use crate::remove::remove;

/// Something in a folder that is a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid<'a> {
    /// Its path in the folder; what it lies in comes before it.
    pub path: PathBuf,
    /// What it is.
    pub what: What<'a>,
}

/// What lies in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What<'a> {
    /// A folder, with its permissions; its owner may write there.
    Folder(u32),
    /// A file with its permissions and bytes.
    File(u32, &'a [u8]),
    /// A symbolic link.
    Link(PathBuf),
}

/// What was laid, as it was then.
#[derive(Debug, Default)]
pub struct Known {
    stamps: HashMap<PathBuf, Stamp>,
    /// When the last of it had been laid.
    laid: Option<SystemTime>,
}

/// How long the clock of a file system may stand still. What was changed sooner after it was laid may look as it did.
const TICK: Duration = Duration::from_millis(50);

/// By what a file is known that was not changed: a change leaves it at least another time of change, once the clock of the
/// file system has gone on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    number: u64,
    bytes: u64,
    changed: (i64, i64),
    content: Hash,
}

impl Stamp {
    fn of(found: &Metadata, content: Hash) -> Self {
        let changed = (found.ctime(), found.ctime_nsec());
        Self { device: found.dev(), number: found.ino(), bytes: found.len(), changed, content }
    }

    /// Whether it could look the same although the file was changed after `laid`.
    fn is_young(&self, laid: Option<SystemTime>) -> bool {
        let since = laid.and_then(|laid| laid.duration_since(UNIX_EPOCH).ok()).unwrap_or(Duration::MAX);
        let changed = Duration::new(self.changed.0.max(0) as u64, self.changed.1.max(0) as u32);
        changed.saturating_add(TICK) >= since
    }
}

/// Makes `folder`, in `root` and on one file system, hold `wanted` and nothing else, for its owner alone. What is `known` of it is what was laid
/// there before.
pub fn lay(root: &Path, folder: &Path, wanted: &[Laid<'_>], known: &mut Known) -> io::Result<()> {
    let by_path: HashMap<&Path, &What<'_>> = wanted.iter().map(|laid| (&*laid.path, &laid.what)).collect();
    if fs::symlink_metadata(folder)?.permissions().mode() & 0o7777 != 0o700 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    let mut there = HashSet::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(folder.join(&inside))? {
            let entry = entry?;
            let path = inside.join(entry.file_name());
            let found = entry.metadata()?;
            match by_path.get(&*path) {
                Some(what) if fits(what, &entry.path(), &found, known.stamps.get(&path), known.laid) => {
                    if found.is_dir() {
                        open.push(path.clone());
                    }
                    there.insert(path);
                }
                _ if found.is_dir() => {
                    let gone = entry.path();
                    let gone = gone.strip_prefix(root).unwrap_or(&gone);
                    remove(root, gone).map_err(|_| io::ErrorKind::ResourceBusy)?;
                }
                _ => fs::remove_file(entry.path())?,
            }
        }
    }
    known.stamps.retain(|path, _| there.contains(path));
    for Laid { path, what } in wanted {
        if there.contains(path) {
            continue;
        }
        let to = folder.join(path);
        match what {
            What::Folder(mode) => {
                DirBuilder::new().mode(0o700).create(&to)?;
                fs::set_permissions(&to, Permissions::from_mode(*mode))?;
            }
            What::Link(target) => symlink(target, &to)?,
            What::File(mode, bytes) => {
                let mut file = File::options().write(true).create_new(true).mode(0o600).open(&to)?;
                file.write_all(bytes)?;
                file.set_permissions(Permissions::from_mode(*mode))?;
                drop(file);
                known
                    .stamps
                    .insert(path.clone(), Stamp::of(&fs::symlink_metadata(&to)?, blake3::hash(bytes)));
            }
        }
    }
    known.laid = Some(SystemTime::now());
    Ok(())
}

/// Whether what was found at `path` is what is wanted there, and was `known` when all was `laid`.
fn fits(
    what: &What<'_>,
    path: &Path,
    found: &Metadata,
    known: Option<&Stamp>,
    laid: Option<SystemTime>,
) -> bool {
    let has_mode = |mode: u32| found.permissions().mode() & 0o7777 == mode;
    match what {
        What::Folder(mode) => found.is_dir() && has_mode(*mode),
        // A link is soon made anew.
        What::Link(_) => false,
        What::File(mode, bytes) => {
            found.is_file()
                && has_mode(*mode)
                && known.is_some_and(|known| {
                    known.bytes == bytes.len() as u64
                        && *known == Stamp::of(found, blake3::hash(bytes))
                        && (!known.is_young(laid) || fs::read(path).is_ok_and(|found| found == *bytes))
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(path: &str, what: What<'static>) -> Laid<'static> {
        Laid { path: path.into(), what }
    }

    /// All that is in a folder: paths with contents, targets or nothing.
    fn found(folder: &Path) -> Vec<(String, String)> {
        let mut all = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(inside) = open.pop() {
            for entry in fs::read_dir(inside).unwrap() {
                let path = entry.unwrap().path();
                let about = fs::symlink_metadata(&path).unwrap();
                let content = match () {
                    () if about.is_symlink() => format!("-> {}", fs::read_link(&path).unwrap().display()),
                    () if about.is_dir() => {
                        open.push(path.clone());
                        "folder".into()
                    }
                    () => fs::read_to_string(&path).unwrap(),
                };
                all.push((path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), content));
            }
        }
        all.sort();
        all
    }

    #[test]
    fn only_what_differs_is_written_and_what_a_test_has_left_goes() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let folder = root.join("a");
        fs::create_dir(&folder).unwrap();
        let mut known = Known::default();
        let changed = |path: &str| {
            let found = fs::metadata(folder.join(path)).unwrap();
            (found.ctime(), found.ctime_nsec())
        };
        let first = [
            laid("d", What::Folder(0o755)),
            laid("d/same", What::File(0o644, b"same")),
            laid("d/other", What::File(0o644, b"one")),
            laid("edited", What::File(0o755, b"edited")),
            laid("link", What::Link("d/same".into())),
            laid("gone", What::Folder(0o755)),
            laid("gone/file", What::File(0o644, b"")),
        ];
        lay(&root, &folder, &first, &mut known).unwrap();
        let expected = [
            ("d", "folder"),
            ("d/other", "one"),
            ("d/same", "same"),
            ("edited", "edited"),
            ("gone", "folder"),
            ("gone/file", ""),
            ("link", "-> d/same"),
        ];
        let owned = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(path, content)| ((*path).into(), (*content).into())).collect()
        };
        assert_eq!(found(&folder), owned(&expected));
        let same = changed("d/same");
        // What a test does: builds, edits without a change in size, takes rights away, follows no rule.
        fs::create_dir_all(folder.join("target/x")).unwrap();
        fs::write(folder.join("target/x/o"), "o").unwrap();
        let edited = File::options().write(true).open(folder.join("edited")).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&edited, b"EDITED", 0).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(folder.join("gone"), Permissions::from_mode(0o000)).unwrap();
        let second = [
            laid("d", What::Folder(0o755)),
            laid("d/same", What::File(0o644, b"same")),
            laid("d/other", What::File(0o644, b"two")),
            laid("edited", What::File(0o755, b"edited")),
            laid("link", What::File(0o644, b"no link")),
        ];
        lay(&root, &folder, &second, &mut known).unwrap();
        let expected = [
            ("d", "folder"),
            ("d/other", "two"),
            ("d/same", "same"),
            ("edited", "edited"),
            ("link", "no link"),
        ];
        assert_eq!(found(&folder), owned(&expected));
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(changed("d/same"), same, "it was not written again");
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (folder, outside) = (root.join("a"), root.join("outside"));
        [&folder, &outside].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(outside.join("file"), "mine").unwrap();
        let mut known = Known::default();
        lay(&root, &folder, &[laid("d", What::Folder(0o755))], &mut known).unwrap();
        fs::remove_dir(folder.join("d")).unwrap();
        symlink(&outside, folder.join("d")).unwrap();
        let wanted = [laid("d", What::Folder(0o755)), laid("d/file", What::File(0o644, b"new"))];
        lay(&root, &folder, &wanted, &mut known).unwrap();
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"mine");
        assert_eq!(found(&folder), [("d".into(), "folder".into()), ("d/file".into(), "new".to_owned())]);
    }
}

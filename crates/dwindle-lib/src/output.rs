//! The result file: always a whole, interesting variant, replaced in one step.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::claim::{self, ClaimError};
use crate::document::Document;
use crate::folder::{Others, Packing, Selection, Twins, end_of, read_folder};
use crate::paths::{folder_of, followed};
use crate::shown::shown;
use crate::sink::{OutputError, Sink};
use dwindle_read::bundle::split;
use dwindle_run::{Unfold, open_regular};

/// The longest name that file systems take, in bytes.
const LONGEST: usize = 255;
/// The ends of the names of temporary files, around the number of the process.
const TEMPORARY: (&str, &str) = (".dwindle-", ".tmp");
/// The most digits that the number of a process has.
const DIGITS: usize = 7;

/// Where the result goes.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    /// In place: where the original is kept.
    keep: Option<PathBuf>,
    /// Whether it is there already, of a reduction that was killed.
    copied: bool,
    /// What was there before this reduction, once it has begun.
    earlier: Option<Earlier>,
    /// Whether that is there again.
    withdrawn: bool,
    form: Form,
    /// The file that is there, locked.
    held: Mutex<Option<File>>,
}

/// What was there before.
#[derive(Clone, Debug)]
enum Earlier {
    File(Vec<u8>),
    Folder(Vec<u8>, Others),
}

/// What a result is.
#[derive(Debug)]
enum Form {
    /// A file with these permissions.
    File(Permissions),
    /// A folder.
    Folder(Mutex<Twins>),
    /// An archive with these permissions, and the files in it that are no texts.
    Archive(Permissions, Packing, Others),
}

fn locked(twins: &Mutex<Twins>) -> MutexGuard<'_, Twins> {
    twins.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    /// `a.c` becomes `a.reduced.c`, `a` becomes `a.reduced`, and so does any folder.
    pub(crate) fn beside(input: &Path) -> PathBuf {
        let mut end = OsString::from(".reduced");
        if input.is_dir() {
            return input.with_file_name(with_end(input.file_name().unwrap_or_default(), &end));
        }
        if let Some(archive) = end_of(input) {
            let name = input.file_name().unwrap_or_default();
            let stem = OsStr::from_bytes(&name.as_bytes()[..name.len() - archive.len()]);
            end.push(archive);
            return input.with_file_name(with_end(stem, &end));
        }
        if let Some(extension) = input.extension() {
            end.push(".");
            end.push(extension);
        }
        input.with_file_name(with_end(input.file_stem().unwrap_or_default(), &end))
    }

    /// The result at `path`, which must be neither the input nor the test.
    pub(crate) fn at(
        path: PathBuf,
        document: &Document,
        input: &Metadata,
        test: &Metadata,
    ) -> Result<Self, OutputError> {
        // A link stays one: what it points to is replaced, so all depends on where it leads.
        let target = followed(&path).map_err(|source| OutputError::Write { path: path.clone(), source })?;
        let is_inside = |path: &Path| document.is_folder() && lies_in(path, document.path());
        let what = match fs::metadata(&path) {
            Ok(found) if same(&found, input) => Some(match document.others() {
                Some(_) => "the input",
                None => "the input (--in-place writes over it and keeps a copy)",
            }),
            Ok(found) if same(&found, test) => Some("the test"),
            _ if is_inside(&path) || is_inside(&target) => Some("in the input"),
            Ok(_) if document.is_folder() => not_ours(&target, document),
            Ok(found) if found.is_dir() => Some("a folder"),
            Ok(found) if !found.is_file() => Some("no regular file"),
            Ok(_) | Err(_) => None,
        };
        if let Some(what) = what {
            return Err(OutputError::Taken { path, what });
        }
        Self::new(target, None, document, input).checked()
    }

    /// The result over `input`, whose bytes are or will be kept beside it, and which must not be the test.
    pub(crate) fn in_place(
        document: &Document,
        metadata: &Metadata,
        test: &Metadata,
    ) -> Result<Self, OutputError> {
        let input = document.path();
        if document.others().is_some() {
            let what = "a folder or an archive, which --in-place does not write over";
            return Err(OutputError::Taken { path: input.to_owned(), what });
        }
        if same(metadata, test) {
            return Err(OutputError::Taken { path: input.to_owned(), what: "the test" });
        }
        let keep = input.with_file_name(with_end(input.file_name().unwrap_or_default(), ".orig".as_ref()));
        // A link stays one: what it points to is replaced.
        let path = fs::canonicalize(input)
            .map_err(|source| OutputError::Write { path: input.to_owned(), source })?;
        Self::new(path, Some(keep), document, metadata).checked()
    }

    fn new(path: PathBuf, keep: Option<PathBuf>, document: &Document, input: &Metadata) -> Self {
        // Nothing that was made of the input runs as somebody else.
        let permissions = Permissions::from_mode(input.permissions().mode() & 0o777);
        let form = match (document.others(), document.packing()) {
            (Some(others), Some(packing)) => Form::Archive(permissions, packing.clone(), others.clone()),
            (Some(others), None) => Form::Folder(Mutex::new(Twins::new(others.clone(), document.mode()))),
            (None, _) => Form::File(permissions),
        };
        Self { path, keep, copied: false, earlier: None, withdrawn: false, form, held: Mutex::default() }
    }

    /// Finds out before the first question whether the folder can be written to. Nothing is left there,
    /// whenever this is killed.
    fn checked(self) -> Result<Self, OutputError> {
        for path in self.files() {
            let check = || match fs::symlink_metadata(path) {
                // Its name may be too long.
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ if !folder_of(path).exists() => {
                    let folder = shown(folder_of(path));
                    Err(io::Error::other(format!("there is no folder {folder}; make it first")))
                }
                _ => tempfile::tempfile_in(folder_of(path)).map(|_| ()),
            };
            check().map_err(|source| OutputError::Write { path: path.to_owned(), source })?;
        }
        Ok(self)
    }

    /// The result and the copy of the original.
    fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.path), self.keep.as_ref()].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Locks the file that is there, so that runs who do not see the claim of this one see that it lives; and
    /// removes the temporary files of runs that were killed.
    pub(crate) fn hold(&self) -> Result<(), ClaimError> {
        self.hold_found()?;
        for path in self.files() {
            let (start, (before, behind)) = (temporary_start(path), TEMPORARY);
            for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let number = name.as_bytes().strip_prefix(start.as_bytes());
                let number = number.and_then(|rest| rest.strip_prefix(before.as_bytes()));
                let number = number.and_then(|rest| rest.strip_suffix(behind.as_bytes()));
                if number.is_some_and(|number| number.iter().all(u8::is_ascii_digit)) {
                    let _ = remove(&entry.path());
                }
            }
        }
        Ok(())
    }

    fn hold_found(&self) -> Result<(), ClaimError> {
        // Where it cannot be read, it cannot be locked either.
        let found = match self.form {
            Form::File(_) | Form::Archive(..) => open_regular(&self.path),
            Form::Folder(_) => File::open(&self.path),
        };
        if let Ok(file) = found {
            claim::lock(&file, &self.path)?;
            *self.held() = Some(file);
        }
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, Option<File>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the original is or will be kept, in place.
    pub(crate) fn copy(&self) -> Option<&Path> {
        self.keep.as_deref()
    }

    /// The original, where one is kept already.
    pub(crate) fn original(&mut self) -> Result<Option<Vec<u8>>, OutputError> {
        let Some(keep) = self.keep.as_ref().filter(|keep| fs::symlink_metadata(keep).is_ok()) else {
            return Ok(None);
        };
        let mut original = Vec::new();
        match open_regular(keep).and_then(|mut file| file.read_to_end(&mut original)) {
            Ok(_) => {
                self.copied = true;
                Ok(Some(original))
            }
            Err(_) => Err(self.original_kept()),
        }
    }

    /// What a result of these bytes looks like on the disk, if it is a file.
    fn packed<'b>(&self, best: &'b [u8]) -> io::Result<Cow<'b, [u8]>> {
        match &self.form {
            Form::Archive(_, packing, others) => packing.pack(others.unfold(best)).map(Cow::Owned),
            Form::File(_) | Form::Folder(_) => Ok(Cow::Borrowed(best)),
        }
    }

    /// An original is kept, and not one of a reduction that can be continued.
    pub(crate) fn original_kept(&self) -> OutputError {
        OutputError::OriginalKept { path: self.keep.as_ref().unwrap_or(&self.path).clone() }
    }

    /// Keeps the input, in place.
    fn copy_input(&mut self, input: &[u8]) -> Result<(), OutputError> {
        let Some(keep) = self.keep.as_ref().filter(|_| !self.copied) else { return Ok(()) };
        let copy = || {
            let file = self.temporary(keep)?;
            file.as_file().write_all(input)?;
            file.as_file().sync_all()?;
            file.persist_noclobber(keep)?;
            Ok(())
        };
        copy().map_err(|source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => self.original_kept(),
            _ => OutputError::Write { path: keep.clone(), source },
        })?;
        self.copied = true;
        Ok(())
    }

    /// Makes `best` the result, whole at every moment.
    fn replace(&self, best: &[u8]) -> Result<(), OutputError> {
        if self.held().is_none() {
            // Another run may have come first.
            self.hold_found()?;
        }
        let replace = || match &self.form {
            Form::Folder(twins) => {
                let folder = locked(twins).replace(&self.path, &temporary_name(&self.path), best)?;
                *self.held() = Some(folder);
                Ok(())
            }
            Form::File(_) | Form::Archive(..) => self.replace_file(&self.packed(best)?),
        };
        replace().map_err(|source: io::Error| OutputError::Write { path: self.path.clone(), source })
    }

    fn replace_file(&self, bytes: &[u8]) -> io::Result<()> {
        let file = self.temporary(&self.path)?;
        // By itself, so that no error names it.
        file.as_file().write_all(bytes)?;
        // No other run can have it.
        let _ = file.as_file().try_lock();
        *self.held() = Some(file.persist(&self.path)?);
        Ok(())
    }

    /// What is there now.
    fn found(&self) -> Option<Earlier> {
        match &self.form {
            Form::File(_) | Form::Archive(..) => fs::read(&self.path).ok().map(Earlier::File),
            Form::Folder(_) => {
                let found = read_folder(&self.path, &Selection::default());
                found.ok().map(|(bundle, others)| Earlier::Folder(bundle, others))
            }
        }
    }

    /// Puts back what was there before.
    fn put_back(&self, earlier: &Earlier) -> Result<(), OutputError> {
        let put_back = match earlier {
            Earlier::File(bytes) => self.replace_file(bytes),
            Earlier::Folder(bundle, others) => others.write(&self.path, bundle),
        };
        put_back.map_err(|source| OutputError::Write { path: self.path.clone(), source })
    }

    /// The temporary files that may be left when dwindle is killed.
    pub(crate) fn temporaries(&self) -> Vec<PathBuf> {
        self.files().filter_map(|path| std::path::absolute(temporary_name(path)).ok()).collect()
    }

    /// A temporary file in the folder of `path`, so that it can be renamed to it.
    fn temporary(&self, path: &Path) -> io::Result<NamedTempFile> {
        let temporary = temporary_name(path);
        // One of that name is of a process that was killed, and whose number is ours now.
        let _ = fs::remove_file(&temporary);
        let name = temporary.file_name().unwrap_or_default();
        let file = tempfile::Builder::new().prefix(name).rand_bytes(0).tempfile_in(folder_of(path))?;
        if let Form::File(permissions) | Form::Archive(permissions, ..) = &self.form {
            file.as_file().set_permissions(permissions.clone())?;
        }
        Ok(file)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Form::Folder(twins) = &self.form {
            locked(twins).tidy(&temporary_name(&self.path));
        }
    }
}

impl Sink for Output {
    fn path(&self) -> &Path {
        &self.path
    }

    /// In place the input itself is the result until there is a better one, and so is a folder wherever the result goes.
    fn begin(&mut self, input: &[u8], best: &[u8]) -> Result<(), OutputError> {
        let is_there = self.keep.is_some() && !self.copied && best == input;
        self.copy_input(input)?;
        self.earlier = match &self.keep {
            Some(_) => Some(Earlier::File(input.to_vec())),
            None => self.found(),
        };
        // A copy of a large folder takes long, and what is best is there until something smaller is found.
        let comes_later = matches!(self.form, Form::Folder(_)) && best == input && self.earlier.is_none();
        if is_there || comes_later { Ok(()) } else { self.replace(best) }
    }

    fn keep(&mut self, best: &[u8]) -> Result<(), OutputError> {
        if std::mem::take(&mut self.withdrawn)
            && let Some(Earlier::File(input)) = self.earlier.clone()
        {
            self.copy_input(&input)?;
        }
        self.replace(best)
    }

    /// In place the copy of the original goes as well: the input is as it was.
    fn keep_nothing(&mut self, _: &[u8]) -> Result<(), OutputError> {
        if self.withdrawn {
            return Ok(());
        }
        let remove =
            |path: &Path| remove(path).map_err(|source| OutputError::Write { path: path.to_owned(), source });
        match &self.earlier {
            Some(earlier) => self.put_back(earlier)?,
            None => remove(&self.path)?,
        }
        if let Some(copy) = &self.keep {
            remove(copy)?;
            self.copied = false;
        }
        self.withdrawn = true;
        Ok(())
    }

    /// Waits until it has reached the disk.
    fn settle(&mut self, best: &[u8]) -> Result<bool, OutputError> {
        if self.withdrawn {
            return Ok(false);
        }
        let holds = |found: Metadata| found.is_file() && found.len() == best.len() as u64;
        let is_there = match &self.form {
            Form::File(_) => {
                fs::metadata(&self.path).is_ok_and(holds)
                    && fs::read(&self.path).is_ok_and(|found| found == best)
            }
            Form::Folder(twins) => locked(twins).holds(&self.path, best),
            Form::Archive(..) => {
                let packed = self.packed(best);
                packed.is_ok_and(|packed| fs::read(&self.path).is_ok_and(|found| found == *packed))
            }
        };
        // Where a folder is the best result itself, nothing was written until now.
        let was_there = self.keep.is_some() || self.held().is_some();
        if !is_there {
            self.replace(best)?;
        }
        let sync = || {
            let result = File::open(&self.path)?;
            match self.form {
                Form::File(_) | Form::Archive(..) => result.sync_all(),
                Form::Folder(ref twins) => {
                    locked(twins).tidy(&temporary_name(&self.path));
                    Ok(rustix::fs::syncfs(&result)?)
                }
            }
        };
        sync().map_err(|source| OutputError::Write { path: self.path.clone(), source })?;
        Ok(!is_there && was_there)
    }
}

/// `.NAME.dwindle-PID.tmp` in the folder of NAME.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = temporary_start(path);
    name.push(format!("{}{}{}", TEMPORARY.0, std::process::id(), TEMPORARY.1));
    folder_of(path).join(name)
}

/// `.NAME`, of which a long one is cut.
fn temporary_start(path: &Path) -> OsString {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let rest = 1 + TEMPORARY.0.len() + DIGITS + TEMPORARY.1.len();
    let name = &name[..name.len().min(LONGEST - rest)];
    OsStr::from_bytes(&[b".", name].concat()).to_owned()
}

/// Removes a file or a folder, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        _ => fs::remove_file(path),
    }
}

/// What keeps what is at `path` from being replaced by a folder: a result has no other files than its input.
fn not_ours(path: &Path, document: &Document) -> Option<&'static str> {
    if !path.is_dir() {
        return Some("no folder");
    }
    let entries = split(document.bytes()).unwrap_or_default();
    let known: HashSet<&Path> = entries.iter().flat_map(|entry| entry.path.ancestors()).collect();
    (!has_only(path, &known)).then_some("a folder with files that the input has not")
}

/// Whether all that is in a folder has one of these paths there. What cannot be looked at has none.
fn has_only(folder: &Path, known: &HashSet<&Path>) -> bool {
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        let Ok(entries) = fs::read_dir(&at) else { return false };
        for entry in entries {
            let Ok(entry) = entry else { return false };
            let path = entry.path();
            if !path.strip_prefix(folder).is_ok_and(|inside| known.contains(inside)) {
                return false;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            }
        }
    }
    true
}

fn lies_in(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    matches!((real(folder_of(path)), real(folder)), (Ok(parent), Ok(folder)) if parent.starts_with(&folder))
}

/// A name with this end, before which it is cut where it would be too long.
fn with_end(name: &OsStr, end: &OsStr) -> OsString {
    let mut most = name.len().min(LONGEST.saturating_sub(end.len()));
    if let Some(name) = name.to_str() {
        most = name.floor_char_boundary(most);
    }
    let whole = [&name.as_bytes()[..most], end.as_bytes()].concat();
    OsStr::from_bytes(&whole[..whole.len().min(LONGEST)]).to_owned()
}

fn same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_lies_beside_the_input() {
        let check =
            |input: &str, expect: &str| assert_eq!(Output::beside(Path::new(input)), Path::new(expect));
        check("a.c", "a.reduced.c");
        check("dir/a", "dir/a.reduced");
        check("two words é.tar.gz", "two words é.reduced.tar.gz");
        check("a.docx", "a.reduced.docx");
        check(".hidden", ".hidden.reduced");
        check(&"x".repeat(255), &format!("{}.reduced", "x".repeat(247)));
        check(&format!("{}.c", "é".repeat(126)), &format!("{}.reduced.c", "é".repeat(122)));
        check(&format!("a.{}", "x".repeat(253)), &format!(".reduced.{}", "x".repeat(246)));
    }

    #[test]
    fn temporary_files_lie_beside_the_result_and_are_known_before() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.c".to_owned(), "x".repeat(255)] {
            let path = folder.path().join(name);
            let output = Output::new(path, None, &Document::of(""), &folder.path().metadata().unwrap());
            let [temporary] = &output.temporaries()[..] else { panic!("one result") };
            // Of a process of this number that was killed.
            fs::write(temporary, "old").unwrap();
            let file = output.temporary(&output.path).unwrap();
            assert_eq!(file.path(), temporary);
            assert_eq!(fs::read(temporary).unwrap(), b"");
            drop(file);
            output.replace(b"new").unwrap();
            assert_eq!(fs::read(&output.path).unwrap(), b"new");
            assert!(!temporary.exists());
        }
    }

    #[test]
    fn what_killed_runs_have_left_beside_the_result_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        let others = [".a.c.dwindle-x.tmp", ".b.c.dwindle-1.tmp", ".a.c.dwindle-1", "a.c.dwindle-1.tmp"];
        for name in [".a.c.dwindle-1.tmp", ".a.c.dwindle-4194304.tmp"].into_iter().chain(others) {
            fs::write(at(name), "").unwrap();
        }
        Output::new(at("a.c"), None, &Document::of(""), &parent.path().metadata().unwrap()).hold().unwrap();
        let mut left: Vec<_> =
            fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let mut others = others;
        others.sort_unstable();
        assert_eq!(left, others);
    }

    #[test]
    fn a_result_is_locked_from_its_first_to_its_last_version() {
        let parent = tempfile::tempdir().unwrap();
        let about = parent.path().metadata().unwrap();
        let output = || Output::new(parent.path().join("a.c"), None, &Document::of(""), &about);
        let (one, other) = (output(), output());
        one.hold().unwrap();
        other.hold().unwrap();
        for best in [b"abc", b"ab ", b"a  "] {
            one.replace(best).unwrap();
            assert!(matches!(output().hold(), Err(ClaimError::Taken { .. })));
        }
        assert!(matches!(other.replace(b"other"), Err(OutputError::Claim(_))), "it came later");
        assert_eq!(fs::read(one.path()).unwrap(), b"a  ");
    }
}

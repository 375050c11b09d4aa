//! Archives, which are reduced as the folders that are packed in them.

use std::collections::{HashMap, HashSet};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dwindle_run::{Laid, What};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::read::Found;

/// What may be unpacked, so that no archive fills the memory.
const MOST: u64 = 4 << 30;
/// The permissions of files and folders of which an archive does not tell.
const MODES: (u32, u32) = (0o644, 0o755);
/// The ends of names of archives.
const ENDS: [(&str, Kind); 17] = [
    (".zip", Kind::Zip),
    (".jar", Kind::Zip),
    (".war", Kind::Zip),
    (".apk", Kind::Zip),
    (".whl", Kind::Zip),
    (".docx", Kind::Zip),
    (".xlsx", Kind::Zip),
    (".pptx", Kind::Zip),
    (".odt", Kind::Zip),
    (".ods", Kind::Zip),
    (".odp", Kind::Zip),
    (".epub", Kind::Zip),
    (".crate", Kind::TarGz),
    (".tar", Kind::Tar),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar.gzip", Kind::TarGz),
];

/// How files are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zip,
    Tar,
    TarGz,
}

/// How an archive was packed, so that results are packed in the same way.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    kind: Kind,
    /// The order of what is in it: some readers want a certain file first.
    order: Arc<HashMap<PathBuf, usize>>,
    /// What is not compressed.
    stored: Arc<HashSet<PathBuf>>,
}

/// What was in an archive, and how it was packed.
pub(crate) struct Unpacked {
    pub(crate) all: Vec<(PathBuf, Found)>,
    pub(crate) packing: Packing,
}

/// The end of the name of an archive.
pub(crate) fn end_of(path: &Path) -> Option<&'static str> {
    known(path).map(|(end, _)| end)
}

fn known(path: &Path) -> Option<(&'static str, Kind)> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let fits = |(end, _): &(&str, Kind)| name.len() > end.len() && name.ends_with(end);
    ENDS.into_iter().filter(fits).max_by_key(|(end, _)| end.len())
}

/// What is in an archive with this name and these bytes, and how it is packed; nothing where the name is of no archive.
pub(crate) fn unpack(path: &Path, bytes: &[u8]) -> Option<io::Result<Unpacked>> {
    let (_, kind) = known(path)?;
    let mut stored = HashSet::new();
    let all = match kind {
        Kind::Zip => unzip(bytes, &mut stored),
        Kind::Tar => untar(bytes),
        Kind::TarGz => untar(MultiGzDecoder::new(bytes)),
    };
    Some(all.and_then(apart).map(|all| {
        let order = all.iter().enumerate().map(|(number, (path, _))| (path.clone(), number)).collect();
        Unpacked { all, packing: Packing { kind, order: Arc::new(order), stored: Arc::new(stored) } }
    }))
}

/// Each path once, as it is when all has been unpacked: the last one counts.
fn apart(all: Vec<(PathBuf, Found)>) -> io::Result<Vec<(PathBuf, Found)>> {
    let mut last: HashMap<PathBuf, usize> = HashMap::new();
    for (number, (path, _)) in all.iter().enumerate() {
        last.insert(path.clone(), number);
    }
    let is_folder =
        |path: &Path| last.get(path).is_none_or(|&number| matches!(all[number].1, Found::Folder(_)));
    for path in last.keys() {
        if let Some(file) = path.ancestors().skip(1).find(|folder| !is_folder(folder)) {
            let what = format!("{} is both a folder and something else in it", file.display());
            return Err(io::Error::other(what));
        }
    }
    let numbered = all.into_iter().enumerate();
    let once = numbered.filter(|(number, (path, _))| last[path] == *number && !path.as_os_str().is_empty());
    Ok(once.map(|(_, found)| found).collect())
}

fn outside(name: &Path) -> io::Error {
    io::Error::other(format!("it has a path that leads out of it: {}", name.display()))
}

fn read(from: impl Read, rest: &mut u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(*rest).read_to_end(&mut bytes)?;
    *rest -= bytes.len() as u64;
    if *rest == 0 { Err(io::Error::other("it holds more than 4 GiB")) } else { Ok(bytes) }
}

fn target(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

fn unzip(bytes: &[u8], stored: &mut HashSet<PathBuf>) -> io::Result<Vec<(PathBuf, Found)>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let (mut all, mut rest) = (Vec::new(), MOST);
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number)?;
        let path = match entry.enclosed_name() {
            Some(path) => path,
            None => return Err(outside(Path::new(&*entry.name()?))),
        };
        let mode = entry.unix_mode().map(|mode| mode & 0o777).filter(|&mode| mode != 0);
        if entry.compression() == CompressionMethod::Stored && entry.is_file() {
            stored.insert(path.clone());
        }
        let found = if entry.is_dir() {
            Found::Folder(mode.unwrap_or(MODES.1))
        } else if entry.is_symlink() {
            Found::Link(target(read(&mut entry, &mut rest)?))
        } else {
            Found::File(mode.unwrap_or(MODES.0), read(&mut entry, &mut rest)?)
        };
        all.push((path, found));
    }
    Ok(all)
}

fn untar(bytes: impl Read) -> io::Result<Vec<(PathBuf, Found)>> {
    let mut archive = tar::Archive::new(bytes);
    let (mut all, mut rest) = (Vec::new(), MOST);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let named = entry.path()?.into_owned();
        let path: PathBuf = named.components().filter(|part| *part != std::path::Component::CurDir).collect();
        if path.components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
            return Err(outside(&named));
        }
        let mode = entry.header().mode()? & 0o777;
        let found = match entry.header().entry_type() {
            _ if path.as_os_str().is_empty() => continue,
            tar::EntryType::Directory => Found::Folder(mode),
            tar::EntryType::XGlobalHeader => continue,
            tar::EntryType::Link => {
                let to = entry.link_name()?.unwrap_or_default().into_owned();
                let linked = all.iter().rev().find(|(path, _): &&(PathBuf, Found)| *path == to);
                let missing = || io::Error::other(format!("{} is a link to nothing", path.display()));
                linked.map(|(_, found)| found.clone()).ok_or_else(missing)?
            }
            tar::EntryType::Symlink => Found::Link(entry.link_name()?.unwrap_or_default().into_owned()),
            tar::EntryType::Regular | tar::EntryType::Continuous => {
                Found::File(mode, read(&mut entry, &mut rest)?)
            }
            kind => {
                let what = format!(
                    "{} is neither a file nor a folder nor a symbolic link but {kind:?}",
                    path.display()
                );
                return Err(io::Error::other(what));
            }
        };
        all.push((path, found));
    }
    Ok(all)
}

impl Packing {
    /// The archive of what lies in a folder.
    pub(crate) fn pack(&self, mut all: Vec<Laid<'_>>) -> io::Result<Vec<u8>> {
        all.retain(|laid| self.order.contains_key(&laid.path));
        all.sort_by_key(|laid| self.order[&laid.path]);
        match self.kind {
            Kind::Zip => self.zip(&all),
            Kind::Tar => tarred(Vec::new(), &all),
            Kind::TarGz => tarred(GzEncoder::new(Vec::new(), Compression::default()), &all)?.finish(),
        }
    }

    fn zip(&self, all: &[Laid<'_>]) -> io::Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for Laid { path, what } in all {
            let name = path.to_string_lossy();
            let options = SimpleFileOptions::default();
            match what {
                What::Folder(mode) => zip.add_directory(name, options.unix_permissions(*mode))?,
                What::Link(target) => zip.add_symlink(name, target.to_string_lossy(), options)?,
                What::File(mode, bytes) => {
                    let method = match self.stored.contains(path) {
                        true => CompressionMethod::Stored,
                        false => CompressionMethod::Deflated,
                    };
                    zip.start_file(name, options.unix_permissions(*mode).compression_method(method))?;
                    zip.write_all(bytes)?;
                }
            }
        }
        Ok(zip.finish()?.into_inner())
    }
}

fn tarred<W: Write>(to: W, all: &[Laid<'_>]) -> io::Result<W> {
    let mut archive = tar::Builder::new(to);
    for Laid { path, what } in all {
        let mut header = tar::Header::new_gnu();
        let (kind, mode, bytes) = match what {
            What::Folder(mode) => (tar::EntryType::Directory, *mode, &[][..]),
            What::Link(_) => (tar::EntryType::Symlink, 0o777, &[][..]),
            What::File(mode, bytes) => (tar::EntryType::Regular, *mode, *bytes),
        };
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(bytes.len() as u64);
        match what {
            What::Link(target) => archive.append_link(&mut header, path, target)?,
            _ => archive.append_data(&mut header, path, bytes)?,
        }
    }
    archive.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid() -> Vec<Laid<'static>> {
        let laid = |path: &str, what| Laid { path: path.into(), what };
        vec![
            laid("z first", What::File(0o644, b"first\n")),
            laid("d", What::Folder(0o755)),
            laid("d/run", What::File(0o755, b"\0\xff")),
            laid("link", What::Link("d/run".into())),
        ]
    }

    #[test]
    fn what_is_packed_comes_out_again_in_its_order() {
        for name in ["a.zip", "A.DOCX", "a.tar", "a.tar.gz", "b.tgz"] {
            let order = laid().into_iter().enumerate().map(|(number, laid)| (laid.path, number)).collect();
            let stored = HashSet::from([PathBuf::from("z first")]);
            let (_, kind) = known(Path::new(name)).unwrap();
            let packing = Packing { kind, order: Arc::new(order), stored: Arc::new(stored) };
            let mut mixed = laid();
            mixed.reverse();
            let bytes = packing.pack(mixed).unwrap();
            let Unpacked { all, packing: again } = unpack(Path::new(name), &bytes).unwrap().unwrap();
            let expected: Vec<(PathBuf, Found)> = laid()
                .into_iter()
                .map(|Laid { path, what }| {
                    let found = match what {
                        What::Folder(mode) => Found::Folder(mode),
                        What::File(mode, bytes) => Found::File(mode, bytes.to_vec()),
                        What::Link(target) => Found::Link(target),
                    };
                    (path, found)
                })
                .collect();
            assert_eq!(all, expected, "{name}");
            if kind == Kind::Zip {
                assert_eq!(again.stored, packing.stored);
            }
            assert_eq!(again.pack(laid()).unwrap(), bytes, "{name}");
        }
        assert!(unpack(Path::new("a.c"), b"").is_none() && unpack(Path::new(".zip"), b"").is_none());
        assert!(unpack(Path::new("a.zip"), b"no archive").unwrap().is_err());
    }

    #[test]
    fn each_path_is_there_once() {
        let file = |path: &str, text: &str| (PathBuf::from(path), Found::File(0o644, text.into()));
        let all =
            vec![file("a", "1"), file("b/c", "2"), (PathBuf::new(), Found::Folder(0o755)), file("a", "3")];
        assert_eq!(apart(all).unwrap(), [file("b/c", "2"), file("a", "3")]);
        assert!(apart(vec![file("a", "1"), file("a/b", "2")]).is_err());
    }

    #[test]
    fn a_path_that_leads_out_is_refused() {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_old();
        header.set_size(1);
        header.set_mode(0o644);
        header.as_old_mut().name[..6].copy_from_slice(b"../out");
        header.set_cksum();
        archive.append(&header, &b"x"[..]).unwrap();
        let bytes = archive.into_inner().unwrap();
        let refused = unpack(Path::new("a.tar"), &bytes).unwrap().err().unwrap();
        assert!(refused.to_string().contains("leads out"), "{refused}");
    }
}

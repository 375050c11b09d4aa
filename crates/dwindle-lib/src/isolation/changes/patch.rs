//! A patch as git writes it, cut into what can be applied apart.
//!
//! A hunk of a file is an element: git has put lines together whose contexts overlap. What has no hunks, or only makes sense as a
//! whole, is one element: a file that is new, deleted, renamed or binary; permissions. Elements that want the same path, or one in
//! the place of another's folder, are one, because either alone would not apply.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A patch and its elements.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    files: Vec<FilePatch>,
    elements: Vec<Vec<Part>>,
}

/// What a patch does to one file.
#[derive(Clone, Debug, Default)]
struct FilePatch {
    /// Its lines before the first hunk, or all of them if it has none.
    header: Vec<u8>,
    hunks: Vec<Hunk>,
}

#[derive(Clone, Debug)]
struct Hunk {
    /// How many lines of the old file are before it, and how many old and new ones it has.
    before: usize,
    old: usize,
    new: usize,
    /// What git says behind the numbers, and the lines.
    section: Vec<u8>,
    lines: Vec<u8>,
}

/// A part of what a patch does to the file of that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Whole(usize),
    Mode(usize),
    Hunk(usize, usize),
}

impl Part {
    fn file(self) -> usize {
        match self {
            Self::Whole(file) | Self::Mode(file) | Self::Hunk(file, _) => file,
        }
    }
}

impl Patch {
    /// Reads what `git diff --binary` prints; nothing where it is something else.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut files: Vec<FilePatch> = Vec::new();
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').peekable();
        while let Some(line) = lines.next() {
            if line.starts_with(b"diff --git ") {
                files.push(FilePatch { header: line.to_vec(), hunks: Vec::new() });
                continue;
            }
            let file = files.last_mut()?;
            let Some(mut hunk) = Hunk::begin(line) else {
                // Nothing comes behind the hunks of a file but another file.
                if !file.hunks.is_empty() {
                    return None;
                }
                file.header.extend_from_slice(line);
                continue;
            };
            let (mut old, mut new) = (hunk.old, hunk.new);
            while old > 0 || new > 0 || lines.peek().is_some_and(|line| line.starts_with(b"\\")) {
                let line = lines.next()?;
                match line[0] {
                    b'-' => old = old.checked_sub(1)?,
                    b'+' => new = new.checked_sub(1)?,
                    b'\\' => {}
                    b' ' | b'\n' => (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?),
                    _ => return None,
                }
                hunk.lines.extend_from_slice(line);
            }
            file.hunks.push(hunk);
        }
        let mut patch = Self { files, elements: Vec::new() };
        patch.elements = patch.find_elements();
        Some(patch)
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// How many files it changes.
    pub(super) fn files(&self) -> usize {
        self.files.len()
    }

    /// Behind which element the last one of each file stands.
    pub(super) fn ends_of_files(&self) -> Vec<u32> {
        let file = |element: &Vec<Part>| element[0].file();
        let is_end =
            |&at: &usize| self.elements.get(at).is_none_or(|next| file(next) != file(&self.elements[at - 1]));
        (1..=self.elements.len()).filter(is_end).map(|end| end as u32).collect()
    }

    fn find_elements(&self) -> Vec<Vec<Part>> {
        let (mut elements, mut whole) = (Vec::new(), Vec::new());
        for (number, file) in self.files.iter().enumerate() {
            if file.is_whole() {
                whole.push(number);
                continue;
            }
            if file.has("old mode ") {
                elements.push(vec![Part::Mode(number)]);
            }
            elements.extend((0..file.hunks.len()).map(|hunk| vec![Part::Hunk(number, hunk)]));
        }
        elements.extend(
            self.together(&whole).into_iter().map(|group| group.into_iter().map(Part::Whole).collect()),
        );
        elements.sort_by_key(|parts| (parts[0].file(), parts[0]));
        elements
    }

    /// Those of the `whole` files that one path, or a path and its folder, ties together.
    fn together(&self, whole: &[usize]) -> Vec<Vec<usize>> {
        let mut group_of: Vec<usize> = (0..whole.len()).collect();
        let mut owner: HashMap<PathBuf, usize> = HashMap::new();
        let paths: Vec<Vec<PathBuf>> = whole.iter().map(|&file| self.files[file].paths()).collect();
        let find = |group_of: &[usize], mut at: usize| {
            while group_of[at] != at {
                at = group_of[at];
            }
            at
        };
        let mut tie = |one: usize, other: usize| {
            let (one, other) = (find(&group_of, one), find(&group_of, other));
            group_of[one.max(other)] = one.min(other);
        };
        for (at, path) in
            paths.iter().enumerate().flat_map(|(at, paths)| paths.iter().map(move |path| (at, path)))
        {
            match owner.get(path) {
                Some(&other) => tie(at, other),
                None => drop(owner.insert(path.clone(), at)),
            }
        }
        for (at, path) in
            paths.iter().enumerate().flat_map(|(at, paths)| paths.iter().map(move |path| (at, path)))
        {
            let above = path.ancestors().skip(1).filter_map(|folder| owner.get(folder));
            above.for_each(|&other| tie(at, other));
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, &file) in whole.iter().enumerate() {
            groups.entry(find(&group_of, at)).or_default().push(file);
        }
        groups.into_values().collect()
    }

    /// The patch with nothing but these elements.
    pub(super) fn of(&self, elements: impl IntoIterator<Item = usize>) -> Vec<u8> {
        let mut parts: Vec<Part> =
            elements.into_iter().flat_map(|at| self.elements[at].iter().copied()).collect();
        parts.sort_by_key(|part| (part.file(), *part));
        let mut text = Vec::new();
        for parts in parts.chunk_by(|one, other| one.file() == other.file()) {
            self.files[parts[0].file()].write(parts, &mut text);
        }
        text
    }

    /// An element in a few words: where it is, and what it does.
    pub(super) fn title(&self, element: usize) -> String {
        let title = |part: &Part| {
            let file = &self.files[part.file()];
            let paths = file.paths();
            let path = |at: usize| paths[at.min(paths.len() - 1)].to_string_lossy().into_owned();
            let (old, new) = (path(0), path(1));
            match part {
                Part::Hunk(_, hunk) => {
                    let Hunk { before, section, .. } = &file.hunks[*hunk];
                    format!("{new}:{}{}", before + 1, String::from_utf8_lossy(section).trim_end())
                }
                Part::Mode(_) => format!("{new}: permissions"),
                Part::Whole(_) if file.has("new file ") => format!("{new}: new"),
                Part::Whole(_) if file.has("deleted file ") => format!("{old}: deleted"),
                Part::Whole(_) if old != new => format!("{old}: renamed to {new}"),
                Part::Whole(_) => format!("{new}: binary"),
            }
        };
        self.elements[element].iter().map(title).collect::<Vec<_>>().join(", ")
    }
}

impl Hunk {
    /// One that begins with this line, without its lines.
    fn begin(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"@@ -")?;
        let end = memchr::memmem::find(rest, b" @@")?;
        let numbers = std::str::from_utf8(&rest[..end]).ok()?;
        let (old, new) = numbers.split_once(" +")?;
        let range = |text: &str| -> Option<(usize, usize)> {
            match text.split_once(',') {
                Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
                None => Some((text.parse().ok()?, 1)),
            }
        };
        let ((start, old), (_, new)) = (range(old)?, range(new)?);
        // Where there is none, the line before is named.
        let before = if old == 0 { start } else { start.checked_sub(1)? };
        Some(Self { before, old, new, section: rest[end + 3..].to_vec(), lines: Vec::new() })
    }
}

impl FilePatch {
    fn header_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.header.split_inclusive(|&byte| byte == b'\n')
    }

    fn has(&self, start: &str) -> bool {
        self.header_lines().any(|line| line.starts_with(start.as_bytes()))
    }

    /// Whether it is applied as a whole or not at all.
    fn is_whole(&self) -> bool {
        let starts = ["new file ", "deleted file ", "rename from ", "copy from ", "GIT binary patch"];
        starts.into_iter().any(|start| self.has(start))
    }

    /// The path before and the one afterwards, without doubles.
    fn paths(&self) -> Vec<PathBuf> {
        let named = |start: &str| {
            let line = self.header_lines().find_map(|line| line.strip_prefix(start.as_bytes()))?;
            Some(unquoted(line.trim_ascii_end()))
        };
        let mut paths: Vec<PathBuf> =
            ["rename from ", "rename to ", "copy to "].into_iter().filter_map(named).collect();
        if paths.is_empty() {
            // Both names are the same, behind `a/` and `b/`.
            let line = self.header_lines().next().unwrap_or_default().trim_ascii_end();
            let names = line.strip_prefix(b"diff --git ").unwrap_or(line);
            let name = unquoted(&names[..names.len() / 2]);
            paths.push(name.strip_prefix("a").map(Path::to_owned).unwrap_or(name));
        }
        paths
    }

    /// Writes the `parts` of it, which are in order.
    fn write(&self, parts: &[Part], text: &mut Vec<u8>) {
        let is_whole = matches!(parts[0], Part::Whole(_));
        let has_mode = matches!(parts[0], Part::Mode(_));
        let has_hunks = parts.iter().any(|part| matches!(part, Part::Hunk(..)));
        for line in self.header_lines() {
            let is_mode = line.starts_with(b"old mode ") || line.starts_with(b"new mode ");
            let is_name = line.starts_with(b"--- ") || line.starts_with(b"+++ ");
            // The hashes of `index` are those of all hunks.
            let stays = match line.starts_with(b"diff --git ") {
                true => true,
                false => is_whole || is_mode && has_mode || is_name && has_hunks,
            };
            if stays {
                text.extend_from_slice(line);
            }
        }
        let chosen = |number: usize| {
            is_whole || parts.iter().any(|part| matches!(part, Part::Hunk(_, hunk) if *hunk == number))
        };
        let mut more = 0isize;
        for (_, Hunk { before, old, new, section, lines }) in
            self.hunks.iter().enumerate().filter(|(number, _)| chosen(*number))
        {
            let new_before = before.saturating_add_signed(more);
            let start = |before: usize, count: usize| if count == 0 { before } else { before + 1 };
            let numbers = format!("@@ -{},{old} +{},{new} @@", start(*before, *old), start(new_before, *new));
            text.extend([numbers.as_bytes(), section].concat());
            text.extend_from_slice(lines);
            more += *new as isize - *old as isize;
        }
    }
}

/// A name as git writes it, in quotes if it has odd bytes.
fn unquoted(name: &[u8]) -> PathBuf {
    let Some(inside) = name.strip_prefix(b"\"").map(|name| name.strip_suffix(b"\"").unwrap_or(name)) else {
        return Path::new(OsStr::from_bytes(name)).to_owned();
    };
    let (mut bytes, mut rest) = (Vec::new(), inside);
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let octal =
            rest.get(..3).and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        if let Some(value) = octal {
            bytes.push(value);
            rest = &rest[3..];
        } else if let Some((&sign, behind)) = rest.split_first() {
            rest = behind;
            let signs =
                [(b'n', b'\n'), (b't', b'\t'), (b'r', b'\r'), (b'a', 7), (b'b', 8), (b'v', 11), (b'f', 12)];
            bytes.push(signs.iter().find(|(name, _)| *name == sign).map_or(sign, |(_, byte)| *byte));
        }
    }
    OsStr::from_bytes(&mem::take(&mut bytes)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "\
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
index 1111111..2222222
--- a/run.sh
+++ b/run.sh
@@ -1,4 +1,5 @@
 a
+b
 c
 d
 e
@@ -20,3 +21,2 @@ main
 x
-y
 z
\\ No newline at end of file
diff --git a/old b.txt b/old b.txt
deleted file mode 100644
index 1111111..0000000
--- a/old b.txt\t
+++ /dev/null
@@ -1 +0,0 @@
-diff --git a/x b/x
diff --git a/lib.py b/lib/core.py
similarity index 90%
rename from lib.py
rename to lib/core.py
index 1111111..2222222 100644
--- a/lib.py
+++ b/lib/core.py
@@ -3,3 +3,3 @@
 p
-q
+Q
 r
diff --git a/lib b/lib
deleted file mode 120000
index 1111111..0000000
--- a/lib
+++ /dev/null
@@ -1 +0,0 @@
-elsewhere
\\ No newline at end of file
diff --git \"a/\\303\\274.png\" \"b/\\303\\274.png\"
index 1111111..2222222 100644
GIT binary patch
literal 3
Kcmxxx

literal 2
Jcmxxx

";

    fn patch() -> Patch {
        Patch::parse(PATCH.as_bytes()).unwrap()
    }

    #[test]
    fn what_cannot_be_applied_apart_is_one_element() {
        let patch = patch();
        let titles: Vec<String> = (0..patch.len()).map(|element| patch.title(element)).collect();
        let expected = [
            "run.sh: permissions",
            "run.sh:1",
            "run.sh:20 main",
            "old b.txt: deleted",
            "lib.py: renamed to lib/core.py, lib: deleted",
            "ü.png: binary",
        ];
        let mut sorted = titles.clone();
        sorted.sort();
        let mut wanted = expected.map(str::to_owned).to_vec();
        wanted.sort();
        assert_eq!(sorted, wanted);
        assert_eq!(patch.ends_of_files().last(), Some(&6));
        assert_eq!(patch.ends_of_files().len(), 4);
    }

    #[test]
    fn all_elements_are_the_patch() {
        let patch = patch();
        let numbers =
            |text: String| text.replace("-1 +0,0", "-1,1 +0,0").replace("index 1111111..2222222\n", "");
        let all = String::from_utf8(patch.of(0..patch.len())).unwrap();
        assert_eq!(all, numbers(PATCH.to_owned()));
        assert!(patch.of([]).is_empty());
    }

    #[test]
    fn numbers_count_the_hunks_that_are_there() {
        let patch = patch();
        let second = (0..patch.len()).find(|&element| patch.title(element) == "run.sh:20 main").unwrap();
        let text = String::from_utf8(patch.of([second])).unwrap();
        assert!(text.contains("@@ -20,3 +20,2 @@ main\n") && !text.contains("mode"), "{text}");
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        for text in ["text\n", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n"] {
            assert!(Patch::parse(text.as_bytes()).is_none(), "{text}");
        }
    }
}

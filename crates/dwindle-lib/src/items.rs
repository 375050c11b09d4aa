//! Lists of anything: from what was given to items, one on each line.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::files::read_file;

/// Items, as a list of them is reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Items {
    /// They, each with a line end behind it.
    pub text: Vec<u8>,
    /// What each of them weighs, if they do not weigh the same.
    pub weights: Option<Vec<u32>>,
}

impl Items {
    /// Those of the file at `path`.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse), and that it cannot be read.
    pub fn read(path: &Path, weighted: bool) -> Result<Self, Error> {
        Self::parse(path, &read_file(path)?, weighted)
    }

    /// Those of `text`, which is that of `path`: its lines but for blank ones. Where they are `weighted`, a tab and a whole number
    /// above 0 end each line.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] says which line is no item, or that there is none.
    pub fn parse(path: &Path, text: &[u8], weighted: bool) -> Result<Self, Error> {
        let fail = |what: String| Error::Input { path: path.to_owned(), what };
        let (mut items, mut weights, mut sum) = (Vec::new(), Vec::new(), 0u32);
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.contains(&0) {
                return Err(fail(format!("line {number} has a NUL byte, which no argument can have")));
            }
            let (item, weight) = match weighted {
                true => split(line).ok_or_else(|| {
                    fail(format!(
                        "line {number} has no weight: with --weights each line is an item, a tab and a whole number above 0"
                    ))
                })?,
                false => (line, 1),
            };
            sum = sum.checked_add(weight).ok_or_else(|| {
                fail(format!("from line {number} on, the weights add up to more than {}", u32::MAX))
            })?;
            items.extend_from_slice(item);
            items.push(b'\n');
            weights.push(weight);
        }
        if items.is_empty() {
            return Err(fail("it has no items; each line is one".to_owned()));
        }
        Ok(Self { text: items, weights: weighted.then_some(weights) })
    }

    /// The commits of a range in the repository of `folder`, oldest first. Merges are left out: what they bring are commits of
    /// the range, too.
    ///
    /// # Errors
    ///
    /// [`Error::Input`], with what git says, or that there is none.
    pub fn commits(folder: &Path, range: &str) -> Result<Self, Error> {
        let fail = |what: String| Error::Input { path: range.into(), what };
        if !range.contains("..") || range.starts_with('-') {
            return Err(fail("it is no range of commits; write one such as v1.0..HEAD".to_owned()));
        }
        let mut git = Command::new("git");
        git.arg("-C").arg(folder).args(["rev-list", "--reverse", "--topo-order", "--no-merges", range, "--"]);
        let output = git.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                fail("its commits cannot be listed: there is no git in PATH".to_owned())
            }
            _ => fail(format!("its commits cannot be listed: {error}")),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(fail(format!("git says: {}", said.lines().next().unwrap_or_default())));
        }
        match output.stdout.is_empty() {
            true => Err(fail("there are no commits in it but merges, if any".to_owned())),
            false => Ok(Self { text: output.stdout, weights: None }),
        }
    }
}

/// An item and its weight.
fn split(line: &[u8]) -> Option<(&[u8], u32)> {
    let tab = line.iter().rposition(|&byte| byte == b'\t')?;
    let weight = std::str::from_utf8(&line[tab + 1..]).ok()?.trim().parse().ok()?;
    (!line[..tab].trim_ascii().is_empty() && weight > 0).then_some((&line[..tab], weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, weighted: bool) -> Result<Items, String> {
        Items::parse("list".as_ref(), text.as_bytes(), weighted).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_items_but_for_blank_ones() {
        let items = parsed("-O2\n\n  \n-g 3\r\n\t-x", false).unwrap();
        assert_eq!(items, Items { text: b"-O2\n-g 3\n\t-x\n".to_vec(), weights: None });
    }

    #[test]
    fn weights_stand_behind_the_last_tab() {
        let items = parsed("a\tb\t3\nc\t 10\r\n", true).unwrap();
        assert_eq!(items, Items { text: b"a\tb\nc\n".to_vec(), weights: Some(vec![3, 10]) });
    }

    #[test]
    fn what_is_no_item_is_named() {
        for (text, weighted, expect) in [
            ("", false, "no items"),
            ("\n \n", false, "no items"),
            ("a\nb\0c\n", false, "line 2 has a NUL"),
            ("a\t1\n\nb 2\n", true, "line 3 has no weight"),
            ("a\t0\n", true, "line 1 has no weight"),
            ("a\t1.5\n", true, "line 1 has no weight"),
            ("\t1\n", true, "line 1 has no weight"),
            ("a\t4294967295\nb\t1\n", true, "from line 2 on, the weights add up to more than 4294967295"),
        ] {
            let error = parsed(text, weighted).unwrap_err();
            assert!(error.starts_with("cannot reduce list: ") && error.contains(expect), "{text:?}: {error}");
        }
    }
}

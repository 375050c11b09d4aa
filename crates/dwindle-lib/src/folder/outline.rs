//! Which variants of a bundle are folders of the same files.

use dwindle_read::bundle::{Content, Entry, split};

/// The entries of the input, and whether each must stay.
#[derive(Clone, Debug)]
pub(crate) struct Outline(Vec<(Vec<u8>, bool)>);

impl Outline {
    /// That of a bundle.
    pub(crate) fn of(bundle: &[u8]) -> Self {
        let entries = split(bundle).unwrap_or_default().into_iter();
        let kept = |entry: &Entry| matches!(entry.content, Content::Kept { .. } | Content::KeptLink { .. });
        Self(entries.map(|entry| (bundle[entry.line.clone()].to_vec(), kept(&entry))).collect())
    }

    /// Whether a candidate is a bundle of some of these entries, in their order, with all that must stay. So no pass gives a
    /// file another name.
    pub(crate) fn admits(&self, candidate: &[u8]) -> bool {
        let Some(entries) = split(candidate) else { return false };
        let mut entries = entries.into_iter().map(|entry| &candidate[entry.line]).peekable();
        let all_kept =
            self.0.iter().all(|(line, kept)| entries.next_if(|entry| entry == line).is_some() || !kept);
        all_kept && entries.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_input_are_in_candidates() {
        let outline = Outline::of(b"===== folder 755 d\n===== file 644 d/a\nx\n===== end\n===== link b d\n");
        let check = |candidate: &str, admitted| {
            assert_eq!(outline.admits(candidate.as_bytes()), admitted, "{candidate}")
        };
        check("", true);
        check("===== file 644 d/a\ny\n===== end\n", true);
        check("===== folder 755 d\n===== link b d\n", true);
        check("===== link b d\n===== folder 755 d\n", false);
        check("===== file 644 d/b\n===== end\n", false);
        check("===== file 600 d/a\n===== end\n", false);
        check("===== file 644 d/a\nx\n", false);
        check("x", false);
    }

    #[test]
    fn what_must_stay_is_in_every_candidate() {
        let outline =
            Outline::of(b"===== file 644 a\n===== end\n===== kept 644 b 00\n===== file 644 c\n===== end\n");
        let check = |candidate: &str, admitted| {
            assert_eq!(outline.admits(candidate.as_bytes()), admitted, "{candidate}")
        };
        check("===== kept 644 b 00\n", true);
        check("===== kept 644 b 00\n===== file 644 c\n===== end\n", true);
        check("===== file 644 a\n===== end\n===== file 644 c\n===== end\n", false);
        check("", false);
    }
}

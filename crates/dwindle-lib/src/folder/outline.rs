//! Which variants of a bundle are folders of the same files.

use dwindle_read::bundle::split;

/// The entries of the input.
#[derive(Clone, Debug)]
pub(crate) struct Outline(Vec<Vec<u8>>);

impl Outline {
    /// That of a bundle.
    pub(crate) fn of(bundle: &[u8]) -> Self {
        Self(lines(bundle).unwrap_or_default().into_iter().map(<[u8]>::to_vec).collect())
    }

    /// Whether a candidate is a bundle of some of these entries, in their order: passes that change words do not give files
    /// other names.
    pub(crate) fn admits(&self, candidate: &[u8]) -> bool {
        let Some(lines) = lines(candidate) else { return false };
        let mut ours = self.0.iter();
        lines.into_iter().all(|line| ours.any(|our| our == line))
    }
}

fn lines(bundle: &[u8]) -> Option<Vec<&[u8]>> {
    Some(split(bundle)?.into_iter().map(|entry| &bundle[entry.line]).collect())
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
}

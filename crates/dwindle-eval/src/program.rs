//! The program that is measured, and what tells one build of it from another.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A build of dwindle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// Its absolute path.
    pub(crate) path: PathBuf,
    /// FNV-1a of its bytes, in 16 hexadecimal digits.
    pub(crate) fingerprint: String,
}

impl Program {
    /// The program at `path`, or else the `dwindle` beside this executable.
    pub(crate) fn find(path: Option<&Path>) -> anyhow::Result<Program> {
        let path = match path {
            Some(path) => std::path::absolute(path)?,
            None => std::env::current_exe()
                .context("cannot tell where this program is: name dwindle by --program")?
                .with_file_name("dwindle"),
        };
        let bytes = fs::read(&path).with_context(|| {
            format!("cannot read the program {}: build it or name it by --program", path.display())
        })?;
        Ok(Program { fingerprint: format!("{:016x}", fnv1a(&bytes)), path })
    }
}

/// The 64-bit FNV-1a hash: the same in every version of Rust, which the hashers of the standard
/// library are not.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn the_hash_is_the_published_one() {
        // The test vectors of http://www.isthe.com/chongo/tech/comp/fnv/.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}

//! Digests of contents.

use std::borrow::Cow;

use bazel_remote_apis::build::bazel::remote::execution::v2::Digest;
use prost::Message;
use sha2::{Digest as _, Sha256};

/// Something to be stored under its digest.
#[derive(Clone, Debug)]
pub(crate) struct Blob<'a> {
    pub(crate) digest: Digest,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl Blob<'static> {
    /// A message, as the server will read it.
    pub(crate) fn message(message: &impl Message) -> Self {
        Blob::of(message.encode_to_vec())
    }
}

impl<'a> Blob<'a> {
    pub(crate) fn of(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let bytes = bytes.into();
        Self { digest: digest(&bytes), bytes }
    }
}

/// The digest of some bytes.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    use std::fmt::Write;
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    Digest { hash, size_bytes: bytes.len() as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_a_sha256_and_a_size() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest(b""), Digest { hash: empty.to_owned(), size_bytes: 0 });
        assert_eq!(Blob::of(&b"abc"[..]).digest.size_bytes, 3);
    }
}

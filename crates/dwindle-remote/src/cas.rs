//! The server's store of contents.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};

use bazel_remote_apis::build::bazel::remote::execution::v2::batch_update_blobs_request::Request as Part;
use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    BatchUpdateBlobsRequest, Digest, FindMissingBlobsRequest, compressor, digest_function,
};
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use tonic::{Code, Status};

use crate::digest::{Blob, digest};
use crate::error::Error;
use crate::link::Wire;
use crate::patience::Patience;

/// How much of an output is fetched.
const LONGEST_OUTPUT: i64 = 256 << 20;
/// What one request may hold where the server does not say: less than every server takes.
const BATCH: usize = 3 << 20;
/// What each content in a request needs beside its bytes.
const ENTRY: usize = 160;
/// How much is sent in one message of a stream.
const CHUNK: usize = 512 << 10;
/// What is shorter is not worth to be compressed.
const COMPRESSED: usize = 1 << 10;
const SHA256: i32 = digest_function::Value::Sha256 as i32;
const ZSTD: i32 = compressor::Value::Zstd as i32;

/// What a store can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    /// How much a request may hold.
    pub(crate) batch: usize,
    /// Whether requests and streams may be compressed.
    pub(crate) zstd_batches: bool,
    pub(crate) zstd_streams: bool,
}

impl Abilities {
    pub(crate) fn new(batch: i64, compressors: &[i32], of_batches: &[i32]) -> Self {
        let batch = usize::try_from(batch).ok().filter(|&batch| batch > 0).unwrap_or(BATCH);
        Self {
            batch: batch.min(BATCH),
            zstd_batches: of_batches.contains(&ZSTD),
            zstd_streams: compressors.contains(&ZSTD),
        }
    }
}

/// The contents that a server is known to have.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<HashSet<String>>);

impl Known {
    fn locked(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add<'a>(&self, digests: impl IntoIterator<Item = &'a Digest>) {
        self.locked().extend(digests.into_iter().map(|digest| digest.hash.clone()));
    }

    fn has(&self, digest: &Digest) -> bool {
        self.locked().contains(&digest.hash)
    }

    /// Believes nothing of it any more: the server has thrown something away.
    pub(crate) fn forget(&self) {
        self.locked().clear();
    }
}

/// The store, as seen by one run.
pub(crate) struct Cas<'a> {
    pub(crate) wire: Wire,
    pub(crate) instance: &'a str,
    pub(crate) known: &'a Known,
    pub(crate) patience: &'a (dyn Fn() -> Patience + Sync),
}

impl Cas<'_> {
    fn client(&self) -> ContentAddressableStorageClient<Wire> {
        ContentAddressableStorageClient::new(self.wire.clone())
    }

    /// Which of these the server lacks.
    pub(crate) async fn missing<'b, 'c>(&self, blobs: &'c [Blob<'b>]) -> Result<Vec<&'c Blob<'b>>, Error> {
        let mut asked: Vec<&Blob<'_>> = Vec::new();
        let mut seen = HashSet::new();
        for blob in blobs {
            if !self.known.has(&blob.digest) && seen.insert(&blob.digest.hash) {
                asked.push(blob);
            }
        }
        if asked.is_empty() {
            return Ok(asked);
        }
        let request = FindMissingBlobsRequest {
            instance_name: self.instance.to_owned(),
            blob_digests: asked.iter().map(|blob| blob.digest.clone()).collect(),
            digest_function: SHA256,
        };
        let ask = || {
            let (mut client, request) = (self.client(), request.clone());
            async move { client.find_missing_blobs(request).await }
        };
        let missing = (self.patience)().ask(ask).await?.into_inner().missing_blob_digests;
        let missing: HashSet<String> = missing.into_iter().map(|digest| digest.hash).collect();
        let (missing, there): (Vec<&Blob<'_>>, Vec<_>) =
            asked.into_iter().partition(|blob| missing.contains(&blob.digest.hash));
        self.known.add(there.iter().map(|blob| &blob.digest));
        Ok(missing)
    }

    /// Sends these: small ones together, large ones each in a stream.
    pub(crate) async fn send(&self, blobs: &[&Blob<'_>], able: Abilities) -> Result<(), Error> {
        let mut batch: Vec<Part> = Vec::new();
        let mut size = 0;
        for blob in blobs {
            if blob.bytes.len() + ENTRY > able.batch {
                self.stream(blob, able.zstd_streams).await?;
                continue;
            }
            let (data, compressor) = packed(&blob.bytes, able.zstd_batches);
            if size + data.len() + ENTRY > able.batch {
                self.send_batch(std::mem::take(&mut batch)).await?;
                size = 0;
            }
            size += data.len() + ENTRY;
            batch.push(Part { digest: Some(blob.digest.clone()), data: data.into_owned(), compressor });
        }
        self.send_batch(batch).await?;
        self.known.add(blobs.iter().map(|blob| &blob.digest));
        Ok(())
    }

    async fn send_batch(&self, requests: Vec<Part>) -> Result<(), Error> {
        if requests.is_empty() {
            return Ok(());
        }
        let wanted = requests.len();
        let request = BatchUpdateBlobsRequest {
            instance_name: self.instance.to_owned(),
            requests,
            digest_function: SHA256,
        };
        let ask = || {
            let (mut client, request) = (self.client(), request.clone());
            async move {
                let responses = client.batch_update_blobs(request).await?.into_inner().responses;
                // One that failed for a moment fails the request, which is sent again as a whole.
                for status in responses.iter().filter_map(|response| response.status.as_ref()) {
                    if status.code != 0 {
                        return Err(Status::new(Code::from_i32(status.code), status.message.clone()));
                    }
                }
                Ok(responses.len())
            }
        };
        match (self.patience)().ask(ask).await? {
            stored if stored == wanted => Ok(()),
            stored => Err(Error::Lies(format!("it says that it has stored {stored} contents of {wanted}"))),
        }
    }

    async fn stream(&self, blob: &Blob<'_>, may_compress: bool) -> Result<(), Error> {
        let Digest { hash, size_bytes } = &blob.digest;
        let (data, compressor) = packed(&blob.bytes, may_compress);
        let kind = if compressor == ZSTD { "compressed-blobs/zstd" } else { "blobs" };
        let name = self.resource(&format!("uploads/{}/{kind}/{hash}/{size_bytes}", unique()));
        let ask = || {
            let mut client = ByteStreamClient::new(self.wire.clone());
            let chunks = data.chunks(CHUNK).enumerate().map(|(number, chunk)| WriteRequest {
                resource_name: name.clone(),
                write_offset: (number * CHUNK) as i64,
                finish_write: (number + 1) * CHUNK >= data.len(),
                data: chunk.to_vec(),
            });
            let chunks: Vec<WriteRequest> = chunks.collect();
            async move { client.write(tokio_stream::iter(chunks)).await }
        };
        let stored = (self.patience)().ask(ask).await?.into_inner().committed_size;
        // Less than all, where it had it all along.
        if [data.len() as i64, *size_bytes, -1].contains(&stored) {
            return Ok(());
        }
        let length = data.len();
        Err(Error::Lies(format!(
            "it says that it has stored {stored} bytes of {length} of the content {hash}"
        )))
    }

    /// The content of this digest. What comes is not believed before it was looked at.
    pub(crate) async fn fetch(&self, wanted: &Digest) -> Result<Vec<u8>, Error> {
        if wanted.size_bytes == 0 {
            return Ok(Vec::new());
        }
        if !(0..=LONGEST_OUTPUT).contains(&wanted.size_bytes) {
            return Err(Error::Refused(format!(
                "the test has printed {} bytes, and {LONGEST_OUTPUT} are fetched at most; have it print less",
                wanted.size_bytes
            )));
        }
        let name = self.resource(&format!("blobs/{}/{}", wanted.hash, wanted.size_bytes));
        let ask = || {
            let mut client = ByteStreamClient::new(self.wire.clone());
            let request = ReadRequest { resource_name: name.clone(), ..ReadRequest::default() };
            async move {
                let mut stream = client.read(request).await?.into_inner();
                let mut bytes = Vec::new();
                while let Some(part) = stream.message().await? {
                    bytes.extend(part.data);
                    if bytes.len() as i64 > wanted.size_bytes {
                        break;
                    }
                }
                Ok(bytes)
            }
        };
        let bytes = (self.patience)().ask(ask).await?;
        check(&bytes, wanted)?;
        Ok(bytes)
    }

    fn resource(&self, name: &str) -> String {
        if self.instance.is_empty() { name.to_owned() } else { format!("{}/{name}", self.instance) }
    }
}

/// That `bytes` are what `wanted` says.
pub(crate) fn check(bytes: &[u8], wanted: &Digest) -> Result<(), Error> {
    let found = digest(bytes);
    if found == *wanted {
        return Ok(());
    }
    Err(Error::Lies(format!(
        "an output of the test is said to be {}/{}, and what it sends is {}/{}",
        wanted.hash, wanted.size_bytes, found.hash, found.size_bytes
    )))
}

/// Some bytes as they are sent, and how they are compressed.
fn packed(bytes: &[u8], may_compress: bool) -> (Cow<'_, [u8]>, i32) {
    if may_compress
        && bytes.len() > COMPRESSED
        && let Ok(packed) = zstd::bulk::compress(bytes, zstd::DEFAULT_COMPRESSION_LEVEL)
        && packed.len() < bytes.len()
    {
        return (packed.into(), ZSTD);
    }
    (bytes.into(), compressor::Value::Identity as i32)
}

/// A name that nobody else gives an upload, in the form of a UUID.
fn unique() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (one, two) = (random(), random());
    let (a, b, c) = (one >> 32, one >> 16 & 0xffff, one & 0xfff);
    let (d, e) = (two >> 48 & 0x3fff | 0x8000, two & 0xffff_ffff_ffff);
    format!("{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{e:012x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_gets_smaller_is_compressed() {
        let text = b"the same again and again, ".repeat(1000);
        let (sent, compressor) = packed(&text, true);
        assert!(compressor == ZSTD && sent.len() < text.len() / 10);
        assert_eq!(zstd::bulk::decompress(&sent, text.len()).unwrap(), text);
        assert_eq!(packed(&text, false).1, 0);
        assert_eq!(packed(b"short", true).1, 0);
    }

    #[test]
    fn what_is_sent_under_the_digest_of_something_else_is_found_out() {
        check(b"abc", &digest(b"abc")).unwrap();
        let error = check(b"abd", &digest(b"abc")).unwrap_err().to_string();
        assert!(error.starts_with("cannot be believed: ") && error.contains("ba7816bf"), "{error}");
    }

    #[test]
    fn an_upload_has_a_name_of_its_own() {
        let name = unique();
        assert_ne!(name, unique());
        let lengths: Vec<usize> = name.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
    }
}

//! Two runs do not reduce into the same file at the same time.

use std::fs::{File, TryLockError};
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};

use crate::shown::shown;

/// Why an output cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another run reduces into it.
    #[error(
        "another run is reducing into {}; wait for its end, or name another file with --output",
        shown(path)
    )]
    Taken {
        /// The output.
        path: PathBuf,
    },
    /// Its folder cannot be looked at.
    #[error("cannot claim {}: {source}", shown(path))]
    Io {
        /// The output.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The right to reduce into a file; ends with the process, however that ends.
///
/// It is an abstract socket, which no file stands for and which the kernel takes away with its owner.
/// Processes that see other networks (in containers) do not see it, but that the result is locked, as soon
/// as there is one. A child that is just being started holds on to it until it becomes another program.
#[derive(Debug)]
pub struct Claim {
    _socket: UnixListener,
}

impl Claim {
    /// Claims a file, which need not be there. However the way to its folder is spelled, it is the same.
    pub fn take(output: &Path) -> Result<Self, ClaimError> {
        let path = output.to_owned();
        let claim = address(output).and_then(|address| UnixListener::bind_addr(&address));
        claim.map(|_socket| Self { _socket }).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ClaimError::Taken { path },
            _ => ClaimError::Io { path, source },
        })
    }
}

fn address(output: &Path) -> io::Result<SocketAddr> {
    let Some(name) = output.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no name of a file"));
    };
    // Also for `a.c`, whose parent is "", which is no path.
    let folder = std::path::absolute(output)?.parent().unwrap_or(output).metadata()?;
    let mut hash = blake3::Hasher::new();
    hash.update(&folder.dev().to_le_bytes()).update(&folder.ino().to_le_bytes());
    hash.update(name.as_encoded_bytes());
    SocketAddr::from_abstract_name(format!("dwindle-{}", hash.finalize().to_hex()))
}

/// Locks a result, which says that the run lives that writes it.
pub(crate) fn lock(result: &File, path: &Path) -> Result<(), ClaimError> {
    match result.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ClaimError::Taken { path: path.to_owned() }),
        // Not every file system can.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

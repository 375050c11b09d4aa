//! What a client proves by who it is. It is never shown: neither in messages nor by `Debug`.

use std::fmt::{self, Debug, Formatter};
use std::fs;
use std::path::PathBuf;

use tonic::metadata::{Ascii, MetadataValue};

/// A bearer token, or where it is.
#[derive(Clone)]
pub enum Token {
    /// A file with nothing but the token. It is read for each request, so another one may take its place.
    File(PathBuf),
    /// The token itself.
    Known(String),
}

impl Debug for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Known(_) => f.write_str("Known(..)"),
        }
    }
}

impl Token {
    /// It as a server wants it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, without it.
    pub(crate) fn header(&self) -> Result<MetadataValue<Ascii>, String> {
        let (text, place) = match self {
            Self::Known(token) => (token.clone(), "the token".to_owned()),
            Self::File(path) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| format!("the token in {} cannot be read: {error}", path.display()))?;
                (text, format!("the token in {}", path.display()))
            }
        };
        let token = text.trim();
        if token.is_empty() {
            return Err(format!("{place} is empty"));
        }
        let header = MetadataValue::try_from(format!("Bearer {token}"));
        let mut header = header.map_err(|_| format!("{place} has characters that no token has"))?;
        header.set_sensitive(true);
        Ok(header)
    }
}

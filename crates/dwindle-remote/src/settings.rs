//! What is to be known about a server.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::address::Address;
use crate::token::Token;

/// A server, and how tests are run there.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it is.
    pub address: Address,
    /// Which of the instances that it serves.
    pub instance: String,
    /// The certificates, in PEM, of whoever may have signed its own; without them, those that this machine trusts.
    pub ca: Option<Vec<u8>>,
    /// What proves to it who asks.
    pub identity: Option<Identity>,
    /// The same by a token.
    pub token: Option<Token>,
    /// What the worker that runs a test must be like.
    pub properties: Vec<(String, String)>,
    /// The environment of a test.
    pub environment: Vec<(String, String)>,
    /// How many tests are run at once.
    pub slots: NonZeroUsize,
    /// How often in a row something is tried again.
    pub retries: u32,
    /// How long to wait before the first time; then twice as long each time.
    pub delay: Duration,
}

/// A client's certificate and its key, both in PEM.
#[derive(Clone)]
pub struct Identity {
    /// The certificate, with those up to the root that the server knows.
    pub certificate: Vec<u8>,
    /// The key.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity(..)")
    }
}

impl Settings {
    /// How often in a row something is tried again if nothing else is said: for about eight seconds.
    pub const RETRIES: u32 = 5;

    /// The server at `address`, where nothing else is said.
    pub fn new(address: Address) -> Self {
        Self {
            address,
            instance: String::new(),
            ca: None,
            identity: None,
            token: None,
            properties: Vec::new(),
            environment: Vec::new(),
            slots: NonZeroUsize::MIN,
            retries: Self::RETRIES,
            delay: Duration::from_millis(250),
        }
    }
}

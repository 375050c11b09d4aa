//! Why a server has not run a test.

use std::error::Error as _;
use std::io;

use tonic::{Code, Status};

/// Why a server has not run a test. None of these says anything of a candidate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be reached, or is out of order.
    #[error(
        "does not do what it should: {what} (tried {tries} times in {seconds:.0} s); see whether it runs and can be reached, \
         and run the same command again"
    )]
    Unavailable {
        /// What it said last.
        what: String,
        /// How often it was tried.
        tries: u32,
        /// For how long.
        seconds: f64,
    },
    /// It is not the server that it should be.
    #[error(
        "cannot be trusted: {0}; --remote-ca names the file with the certificate of whoever has signed its own"
    )]
    Certificate(String),
    /// It does not know us.
    #[error(
        "does not let us in: {0}; see --remote-token-file, --remote-token-env, --remote-cert and --remote-key"
    )]
    Denied(String),
    /// What it has sent is not what it says it is.
    #[error("cannot be believed: {0}")]
    Lies(String),
    /// It cannot do what is needed.
    #[error("cannot run tests: {0}")]
    Unable(String),
    /// It has refused to run the test.
    #[error("has refused to run the test: {0}")]
    Refused(String),
    /// Something cannot be sent.
    #[error("cannot be sent the test: {0}")]
    Unsent(String),
}

/// Whether something that ended so may do if it is tried again.
pub(crate) fn is_passing(code: Code) -> bool {
    matches!(
        code,
        Code::Unavailable
            | Code::ResourceExhausted
            | Code::Aborted
            | Code::Internal
            | Code::Unknown
            | Code::Cancelled
            | Code::DeadlineExceeded
    )
}

impl Error {
    /// What `status` means where it is no use to try again; nothing where it is.
    pub(crate) fn lasting(status: &Status) -> Option<Self> {
        let what = said(status);
        let causes = chain(status);
        if let Some(alert) = causes.iter().find(|text| rejects_ours(text)) {
            return Some(Self::Denied(alert.clone()));
        }
        if let Some(certificate) = causes.into_iter().find(|text| text.contains("certificate")) {
            return Some(Self::Certificate(certificate));
        }
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => Some(Self::Denied(what)),
            code if is_passing(code) => None,
            _ => Some(Self::Refused(what)),
        }
    }
}

/// What a server says, or the system of a connection, in a line.
pub(crate) fn said(status: &Status) -> String {
    let mut parts = vec![status.message().to_owned()];
    for cause in chain(status) {
        // Many say what is behind them as well.
        if !parts.iter().any(|part| part.contains(&cause)) {
            parts.push(cause);
        }
    }
    parts.retain(|part| !part.is_empty() && part != "transport error");
    let message = parts.join(": ").replace(char::is_control, " ");
    let message: String = message.trim().chars().take(500).collect();
    if message.is_empty() { name(status.code()) } else { format!("{message} ({})", name(status.code())) }
}

/// The name of a code in the documentation of gRPC.
fn name(code: Code) -> String {
    let camel = format!("{code:?}");
    let mut name = String::new();
    for (at, char) in camel.char_indices() {
        if at > 0 && char.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(char.to_ascii_uppercase());
    }
    name
}

/// What an error says, and what is behind it.
fn chain(status: &Status) -> Vec<String> {
    let mut texts = Vec::new();
    let mut next = status.source();
    while let Some(error) = next {
        texts.push(error.to_string());
        // What an error of the system wraps is no source of it.
        let inner = error.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        next = match inner {
            Some(inner) => Some(inner as &(dyn std::error::Error + 'static)),
            None => error.source(),
        };
    }
    texts
}

/// Whether a server says so of our certificate, or that there is none.
fn rejects_ours(text: &str) -> bool {
    let alerts = ["Certificate", "UnknownCA", "AccessDenied"];
    text.contains("received fatal alert") && alerts.iter().any(|alert| text.contains(alert))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_tried_again_and_nothing_else() {
        for (code, tried) in [
            (Code::Unavailable, true),
            (Code::Internal, true),
            (Code::ResourceExhausted, true),
            (Code::InvalidArgument, false),
            (Code::Unauthenticated, false),
            (Code::Unimplemented, false),
        ] {
            assert_eq!(Error::lasting(&Status::new(code, "x")).is_none(), tried, "{code:?}");
        }
        assert_eq!(said(&Status::resource_exhausted("no\nroom")), "no room (RESOURCE_EXHAUSTED)");
    }
}

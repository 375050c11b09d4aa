//! Where a server is.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The address of a server: `reapi://HOST:PORT`, or `reapis://HOST:PORT` for one that is spoken to by TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Whether by TLS.
    pub secure: bool,
    /// The host and the port.
    pub authority: String,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = "reapi://HOST:PORT is wanted, or reapis://HOST:PORT for TLS";
        let (scheme, rest) = text.split_once("://").ok_or(wanted)?;
        let secure = match scheme {
            // As Bazel spells them.
            "reapi" | "grpc" => false,
            "reapis" | "grpcs" => true,
            _ => return Err(wanted.to_owned()),
        };
        if rest.contains('@') {
            return Err(
                "an address has no user and no password: a token is read from --remote-token-file".to_owned()
            );
        }
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#']) {
            return Err(format!("{wanted}; --remote-instance names an instance"));
        }
        let port = authority.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        match port.and_then(|(_, port)| port.parse::<u16>().ok()) {
            Some(1..) => Ok(Self { secure, authority: authority.to_owned() }),
            _ => Err(wanted.to_owned()),
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.secure { "reapis" } else { "reapi" }, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_scheme_a_host_and_a_port() {
        for (text, expect) in [
            ("reapi://localhost:8980", Ok("reapi://localhost:8980")),
            ("grpc://[::1]:1/", Ok("reapi://[::1]:1")),
            ("grpcs://build.example.com:443", Ok("reapis://build.example.com:443")),
            ("localhost:8980", Err("reapi://HOST:PORT")),
            ("http://localhost:8980", Err("reapi://HOST:PORT")),
            ("reapi://localhost", Err("reapi://HOST:PORT")),
            ("reapi://localhost:0", Err("reapi://HOST:PORT")),
            ("reapi://:8980", Err("reapi://HOST:PORT")),
            ("reapi://localhost:8980/main", Err("--remote-instance")),
            ("reapi://me:secret@localhost:8980", Err("--remote-token-file")),
        ] {
            match (text.parse::<Address>(), expect) {
                (Ok(address), Ok(shown)) => assert_eq!(address.to_string(), shown),
                (Err(what), Err(part)) => assert!(what.contains(part) && !what.contains("secret"), "{what}"),
                (parsed, _) => panic!("{text}: {parsed:?}"),
            }
        }
    }
}

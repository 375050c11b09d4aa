//! Tests on other machines.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use dwindle::Remote;
use dwindle::shown::shown;
use dwindle_remote::{Address, Identity, Reapi, Settings, Token};

use super::values::count;
use crate::failure::Failure;

/// The heading of these options in the help.
pub(super) const HEADING: &str = "Remote execution";
/// How many tests run elsewhere at once if nothing else is said.
const SLOTS: usize = 8;

/// Where tests run, and how they get there.
#[derive(Args, Debug)]
pub(crate) struct RemoteArgs {
    /// Run tests on this server of the Remote Execution API, or `local`; repeatable [default: local].
    ///
    /// The address is reapi://HOST:PORT, or reapis://HOST:PORT for TLS. With `local` beside it, tests run here (--jobs) and there
    /// (--remote-jobs). The result is the same as here.
    #[arg(long, value_name = "WHERE")]
    executor: Vec<Executor>,
    /// Run N tests at once on the server [default: 8].
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    remote_jobs: Option<NonZeroUsize>,
    /// The instance of the server, where it has several.
    #[arg(long, value_name = "NAME")]
    remote_instance: Option<String>,
    /// What a worker must be like, such as OSFamily=linux; repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    remote_property: Vec<(String, String)>,
    /// Set a variable in the environment of tests on the server; repeatable.
    ///
    /// Without a value, it has the one that it has here. Nothing else of the environment is sent.
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = variable)]
    remote_env: Vec<(String, String)>,
    /// Trust a server whose certificate was signed by one in FILE (PEM) [default: those that this machine trusts].
    #[arg(long, value_name = "FILE")]
    remote_ca: Option<PathBuf>,
    /// Show the server the certificate in FILE (PEM).
    #[arg(long, value_name = "FILE", requires = "remote_key")]
    remote_cert: Option<PathBuf>,
    /// The key of --remote-cert (PEM).
    #[arg(long, value_name = "FILE", requires = "remote_cert")]
    remote_key: Option<PathBuf>,
    /// Send the token in FILE with each request, as a bearer token.
    #[arg(long, value_name = "FILE", conflicts_with = "remote_token_env")]
    remote_token_file: Option<PathBuf>,
    /// Send the token that the variable NAME holds.
    #[arg(long, value_name = "NAME")]
    remote_token_env: Option<String>,
    /// Try a request that failed N times more, for longer each time, and then stop [default: 5].
    #[arg(long, value_name = "N")]
    remote_retries: Option<u32>,
}

/// A place where tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Executor {
    Local,
    Server(Address),
}

impl FromStr for Executor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "local" {
            return Ok(Self::Local);
        }
        text.parse().map(Self::Server).map_err(|error| format!("`local` or {error}"))
    }
}

impl RemoteArgs {
    /// What was asked for; nothing if tests run here alone.
    pub(crate) fn remote(&self) -> Result<Option<Remote>, Failure> {
        let mut servers = self.executor.iter().filter_map(|executor| match executor {
            Executor::Local => None,
            Executor::Server(address) => Some(address),
        });
        let (server, more) = (servers.next(), servers.next());
        let Some(address) = server else {
            return match self.needs_a_server() {
                None => Ok(None),
                Some(flag) => Err(Failure::Usage(format!(
                    "{flag} is for tests on a server, and none is named: add --executor reapi://HOST:PORT"
                ))),
            };
        };
        if let Some(other) = more {
            return Err(Failure::Usage(format!(
                "--executor names two servers, {address} and {other}; name one, which hands tests to all of its workers"
            )));
        }
        if !address.secure {
            let tls = [(&self.remote_ca, "--remote-ca"), (&self.remote_cert, "--remote-cert")];
            if let Some((_, flag)) = tls.into_iter().find(|(file, _)| file.is_some()) {
                let secure = Address { secure: true, ..address.clone() };
                return Err(Failure::Usage(format!("{flag} is for TLS: write --executor {secure}")));
            }
        }
        let slots = self.remote_jobs.unwrap_or(NonZeroUsize::new(SLOTS).expect("it is a number above 0"));
        let settings = Settings {
            instance: self.remote_instance.clone().unwrap_or_default(),
            ca: self.remote_ca.as_deref().map(read).transpose()?,
            identity: match (&self.remote_cert, &self.remote_key) {
                (Some(certificate), Some(key)) => {
                    Some(Identity { certificate: read(certificate)?, key: read(key)? })
                }
                _ => None,
            },
            token: self.token()?,
            properties: self.remote_property.clone(),
            environment: self.remote_env.clone(),
            slots,
            retries: self.remote_retries.unwrap_or(Settings::RETRIES),
            ..Settings::new(address.clone())
        };
        let engine = Reapi::new(settings).map_err(|error| Failure::Usage(format!("{address} {error}")))?;
        let and_here = self.executor.contains(&Executor::Local);
        Ok(Some(Remote { engine: Arc::new(engine), slots, and_here }))
    }

    fn token(&self) -> Result<Option<Token>, Failure> {
        if let Some(path) = &self.remote_token_file {
            // It is read again for each request.
            read(path)?;
            return Ok(Some(Token::File(path.clone())));
        }
        let Some(name) = &self.remote_token_env else { return Ok(None) };
        match env::var(name) {
            Ok(token) if !token.trim().is_empty() => Ok(Some(Token::Known(token))),
            _ => Err(Failure::Usage(format!(
                "--remote-token-env: the environment has no {}, or nothing in it",
                shown(name)
            ))),
        }
    }

    /// An option that says something of a server.
    fn needs_a_server(&self) -> Option<&'static str> {
        let given = [
            (self.remote_jobs.is_some(), "--remote-jobs"),
            (self.remote_instance.is_some(), "--remote-instance"),
            (!self.remote_property.is_empty(), "--remote-property"),
            (!self.remote_env.is_empty(), "--remote-env"),
            (self.remote_ca.is_some(), "--remote-ca"),
            (self.remote_cert.is_some(), "--remote-cert"),
            (self.remote_token_file.is_some(), "--remote-token-file"),
            (self.remote_token_env.is_some(), "--remote-token-env"),
            (self.remote_retries.is_some(), "--remote-retries"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
    }
}

fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, Failure> {
    let path = path.as_ref();
    fs::read(path).map_err(|error| Failure::Usage(format!("cannot read {}: {error}", shown(path))))
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is wanted")?;
    if name.is_empty() {
        return Err("there is no name before the `=`".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn variable(text: &str) -> Result<(String, String), String> {
    if text.contains('=') {
        return pair(text);
    }
    env::var(text)
        .map(|value| (text.to_owned(), value))
        .map_err(|_| "the environment has no such variable; NAME=VALUE says what it is".to_owned())
}

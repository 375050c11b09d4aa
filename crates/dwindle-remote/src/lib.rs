//! Runs tests on servers that speak the Bazel Remote Execution API, version 2: an
//! [`Engine`](dwindle_run::Engine) made of one such server.
//!
//! A run is an *action*: a tree of files by their digests, a line for the shell, a time limit. The server's cache of results is
//! asked first. Of what is not there, only the files that the server lacks are sent. See `docs/decisions/remote.md`.

mod action;
mod address;
mod cas;
mod digest;
mod engine;
mod error;
mod execution;
mod link;
mod patience;
mod settings;
mod token;
mod tree;

pub use address::Address;
pub use engine::Reapi;
pub use error::Error;
pub use settings::{Identity, Settings};
pub use token::Token;

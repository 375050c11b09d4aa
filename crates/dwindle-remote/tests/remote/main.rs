//! Runs on servers.

#[cfg(test)]
mod fake;
#[cfg(test)]
mod server;

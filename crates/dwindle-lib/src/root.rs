//! Whether a test can harm the machine.

use std::env;
use std::path::Path;

use rustix::process::geteuid;

/// Whether tests run as root, and not in a container, where a candidate can damage what is thrown away anyway.
pub(crate) fn endangers_the_machine() -> bool {
    geteuid().is_root() && !is_container()
}

/// What podman and systemd say to what they contain, and then Docker and Kubernetes. An empty `container` says that this is none.
fn is_container() -> bool {
    if let Some(name) = env::var_os("container") {
        return !name.is_empty();
    }
    ["/.dockerenv", "/run/.containerenv"].iter().any(|file| Path::new(file).exists())
        || env::var_os("KUBERNETES_SERVICE_HOST").is_some()
}

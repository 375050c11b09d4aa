//! Whether a test can harm the machine.

use std::env;
use std::path::Path;

use rustix::process::geteuid;

/// Whether tests run as root, and not in a container, where a candidate can damage what is thrown away anyway.
pub(crate) fn endangers_the_machine() -> bool {
    geteuid().is_root() && !is_container()
}

/// What Docker, podman, systemd and Kubernetes say to what they contain.
fn is_container() -> bool {
    ["/.dockerenv", "/run/.containerenv"].iter().any(|file| Path::new(file).exists())
        || ["container", "KUBERNETES_SERVICE_HOST"].iter().any(|name| env::var_os(name).is_some())
}

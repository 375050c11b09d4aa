//! What this process and its children have used.

// rustix has no getrusage.
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// Seconds of processors that this process has used, and the most memory that it has held.
pub fn usage() -> (f64, u64) {
    let own = getrusage(UsageWho::RUSAGE_SELF);
    // Linux counts in KiB. What it tells of a process by getrusage was inherited if whoever started it had more.
    let peak = peak_kib().or_else(|| own.as_ref().ok().map(|usage| usage.max_rss() as u64));
    (own.as_ref().map_or(0.0, seconds), peak.unwrap_or(0) * 1024)
}

/// The most memory that this very program has held, where `/proc` is there to tell.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Seconds of processors that the children of this process have used, once they were waited for, and
/// what they have waited for.
pub fn children_seconds() -> f64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).as_ref().map_or(0.0, seconds)
}

fn seconds(usage: &Usage) -> f64 {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

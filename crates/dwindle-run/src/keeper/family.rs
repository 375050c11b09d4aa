//! The descendants of this process, which must be their subreaper: whatever they do, they cannot
//! leave the family but by dying.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

/// How long processes may take to die of `SIGKILL`. Those of another user never do.
const PATIENCE: Duration = Duration::from_secs(10);

/// Kills and reaps all descendants; says whether none is left.
///
/// In the usual case there is none, and that is one system call to learn.
pub fn end_all() -> io::Result<bool> {
    let until = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(50);
    while !reap()? {
        if until < Instant::now() {
            return Ok(false);
        }
        // All are stopped before the first is killed: whoever starts processes without end would
        // else use the room that the killed ones leave.
        let family = reach_all(|pid| {
            let _ = kill_process(pid, Signal::STOP);
        });
        for pid in family {
            // Where it is dead already, all is well.
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(10));
    }
    Ok(true)
}

/// Does something to every descendant, until there is none that it was not done to.
///
/// Whoever is forked before it is done to its parent is found in the next round.
fn reach_all(mut reach: impl FnMut(Pid)) -> HashSet<Pid> {
    let mut reached = HashSet::new();
    loop {
        let before = reached.len();
        for pid in descendants() {
            if reached.insert(pid) {
                reach(pid);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// Reaps the children that have ended; says whether there are no others.
fn reap() -> io::Result<bool> {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return Ok(false),
            Err(Errno::CHILD) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

fn descendants() -> Vec<Pid> {
    // Not every kernel has these files.
    if Path::new("/proc/thread-self/children").exists() {
        descendants_by(children)
    } else {
        let family = table();
        descendants_by(|pid| family.get(&pid).cloned().unwrap_or_default())
    }
}

fn descendants_by(children: impl Fn(Pid) -> Vec<Pid>) -> Vec<Pid> {
    let mut found = children(getpid());
    let mut asked = 0;
    while let Some(&pid) = found.get(asked) {
        found.extend(children(pid));
        asked += 1;
    }
    found
}

/// The children of a process, which each of its threads may have.
fn children(pid: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten();
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(parse).collect::<Vec<_>>()).collect()
}

/// All processes by their parents.
fn table() -> HashMap<Pid, Vec<Pid>> {
    let mut table: HashMap<_, Vec<_>> = HashMap::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = process.file_name().to_str().and_then(parse);
        let stat = fs::read(process.path().join("stat")).unwrap_or_default();
        // The name before stands in brackets and may hold anything.
        let behind = stat.iter().rposition(|&byte| byte == b')').map_or(stat.len(), |at| at + 1);
        let fields = String::from_utf8_lossy(&stat[behind..]);
        let parent = fields.split_whitespace().nth(1).and_then(parse);
        if let (Some(pid), Some(parent)) = (pid, parent) {
            table.entry(parent).or_default().push(pid);
        }
    }
    table
}

fn parse(number: &str) -> Option<Pid> {
    number.parse().ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn both_ways_to_look_for_descendants_find_them() {
        let mut child = Command::new("sh").args(["-c", "sleep 300 & sleep 300 & wait"]).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let look = || {
            let family = table();
            let ways: [&dyn Fn(Pid) -> Vec<Pid>; 2] =
                [&children, &|pid| family.get(&pid).cloned().unwrap_or_default()];
            ways.map(|way| {
                let found = descendants_by(way);
                (found.contains(&pid), way(pid))
            })
        };
        let until = Instant::now() + Duration::from_secs(60);
        while look().iter().any(|(_, below)| below.len() < 2) && Instant::now() < until {
            thread::yield_now();
        }
        let [(by_file, below_by_file), (by_table, below_by_table)] = look();
        for pid in [below_by_file.as_slice(), &below_by_table].concat() {
            let _ = kill_process(pid, Signal::KILL);
        }
        child.wait().unwrap();
        assert!(by_table && below_by_table.len() == 2, "{below_by_table:?}");
        if Path::new("/proc/thread-self/children").exists() {
            assert!(by_file && below_by_file == below_by_table, "{below_by_file:?}");
        }
    }
}

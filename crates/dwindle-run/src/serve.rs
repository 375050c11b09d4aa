//! The program as its own helper: children with a hidden first argument keep the tests.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::keeper;

/// Serves as a keeper or a guard if that is what this process was started for, by these arguments.
pub fn serve_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    match arguments.next()?.to_str()? {
        keeper::GUARD => Some(keeper::guard(arguments)),
        keeper::KEEP => Some(keeper::keep(arguments)),
        keeper::LIMITED => Some(keeper::limited(arguments)),
        _ => None,
    }
}

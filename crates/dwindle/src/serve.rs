//! The program as its own helper: children with a hidden first argument parse doubtful inputs, or
//! keep the tests.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use crate::front_end::child;
use crate::keeper;

/// The program that answers to the hidden arguments.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// To be called first thing in `main` by every program that reduces. If this process was started
/// as a helper, it has served as one and should end with the code that comes back; else helpers
/// will be children of this program from now on.
///
/// Without it nothing can be reduced: tests run below such helpers, so that nothing of a test
/// outlives the reduction, however that ends.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let asked = arguments.next();
    match asked.as_ref().and_then(|argument| argument.to_str()) {
        Some(asked @ (child::OUTLINE | child::ERRORS | child::OUTLINE_BY | child::ERRORS_BY)) => {
            Some(child::serve(asked, arguments))
        }
        Some(keeper::GUARD) => Some(keeper::guard(arguments)),
        Some(keeper::KEEP) => Some(keeper::keep(arguments)),
        Some(keeper::LIMITED) => Some(keeper::limited(arguments)),
        _ => {
            // The very file that runs, also when another has taken its place meanwhile. A second call
            // changes nothing.
            let _ = PROGRAM.set("/proc/self/exe".into());
            None
        }
    }
}

/// The program to start; an error where it is not known to answer.
pub(crate) fn program() -> io::Result<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path).ok_or_else(|| {
        io::Error::other("this program must call `dwindle::serve_if_asked` first thing in its `main`")
    })
}

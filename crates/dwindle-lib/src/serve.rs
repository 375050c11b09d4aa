//! The program as its own helper: children with a hidden first argument parse doubtful inputs, or
//! keep the tests.

use std::path::Path;
use std::process::ExitCode;

/// To be called first thing in `main` by every program that reduces. If this process was started
/// as a helper, it has served as one and should end with the code that comes back; else helpers
/// will be children of this program from now on.
///
/// Without it nothing can be reduced: tests run below such helpers, so that nothing of a test
/// outlives the reduction, however that ends.
pub fn serve_if_asked() -> Option<ExitCode> {
    let arguments = || std::env::args_os().skip(1);
    let served = dwindle_read::serve::serve_if_asked(arguments());
    let served = served.or_else(|| dwindle_run::serve_if_asked(arguments()));
    if served.is_none() {
        // The very file that runs, also when another has taken its place meanwhile.
        let program = Path::new("/proc/self/exe");
        dwindle_read::child::set_program(program);
        dwindle_run::set_program(program);
    }
    served
}

//! A stack of known size, for what recurses as deep as a grammar is nested.

use std::io;
use std::thread;

/// The stack on which a grammar is read, in bytes. At the nesting that is allowed, the readers and the crates that
/// they use need 4 MB without optimisation. Pages that are never touched cost nothing.
const SIZE: usize = 64 << 20;

/// Does something on a stack of its own, whatever is left of the caller's.
pub(crate) fn large<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(SIZE).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

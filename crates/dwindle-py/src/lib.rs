//! The native half of the Python package `dwindle`.
//!
//! A `Run` is a search on a thread of its own. Python takes its questions, calls what the user gave, and answers:
//! so a predicate is called by a thread of Python's, its exceptions stay in Python, and the search never holds the
//! interpreter's lock.

mod executor;
mod lists;
mod options;
mod run;
mod texts;

use std::path::PathBuf;

use dwindle::Size;
use pyo3::prelude::*;

/// The tokens and bytes of a text.
#[pyfunction]
fn size(text: &[u8]) -> (u64, u64) {
    let Size { tokens, bytes, .. } = Size::of(text);
    (tokens, bytes)
}

/// From now on this command, which is the `dwindle` of the same version, parses what may make a parser fail.
#[pyfunction]
fn parse_by(command: PathBuf) {
    dwindle::read::child::set_program(&command);
}

/// The native half of the package.
#[pymodule]
fn _dwindle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<run::Run>()?;
    module.add_class::<run::Question>()?;
    module.add_class::<run::News>()?;
    module.add_class::<run::Ended>()?;
    module.add_function(wrap_pyfunction!(size, module)?)?;
    module.add_function(wrap_pyfunction!(parse_by, module)?)?;
    module.add_function(wrap_pyfunction!(texts::reduce, module)?)?;
    module.add_function(wrap_pyfunction!(texts::isolate, module)?)?;
    module.add_function(wrap_pyfunction!(lists::minimize, module)?)?;
    module.add_function(wrap_pyfunction!(lists::isolate_list, module)?)?;
    module.add_function(wrap_pyfunction!(options::choices, module)?)
}

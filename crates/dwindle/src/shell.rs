//! Names in commands that people copy into a shell.

use std::path::Path;

/// The path for a shell, in quotes where it would see more than a name. What is no UTF-8 is shown
/// as U+FFFD.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(&byte)) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

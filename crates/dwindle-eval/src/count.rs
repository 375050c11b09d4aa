//! The counting command: how many tokens a file has, told by somebody else than the program that
//! is measured.

use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

use anyhow::{Context, bail};

use crate::report::last_line;
use crate::words;

/// A command that prints the tokens of the file it gets as last argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountCommand {
    /// The command as it was given.
    pub(crate) text: String,
    program: String,
    arguments: Vec<String>,
}

impl FromStr for CountCommand {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<CountCommand> {
        let mut words = words::split(text)?.into_iter();
        let program = words.next().context("it is empty: name a program")?;
        Ok(CountCommand { text: text.to_owned(), program, arguments: words.collect() })
    }
}

impl CountCommand {
    /// The tokens of `file`.
    pub(crate) fn count(&self, file: &Path) -> anyhow::Result<u64> {
        let output = Command::new(&self.program)
            .args(&self.arguments)
            .arg(file)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start the counting command `{}`", self.text))?;
        let place = format!("the counting command `{}` on {}", self.text, file.display());
        if !output.status.success() {
            bail!("{place} ended with {}: {}", output.status, last_line(&output.stderr));
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        printed
            .trim()
            .parse()
            .with_context(|| format!("{place} printed {:?}: it has to print a number", printed.trim()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::CountCommand;

    #[test]
    fn the_file_is_the_last_argument() {
        let command: CountCommand = r#"sh -c "echo 7; test $# = 0 -a $0 = here""#.parse().unwrap();
        assert_eq!(command.count(Path::new("here")).unwrap(), 7);
    }

    #[test]
    fn a_command_that_prints_no_number_is_named() {
        let command: CountCommand = "echo many".parse().unwrap();
        let error = command.count(Path::new("here")).unwrap_err().to_string();
        assert!(
            error.starts_with("the counting command `echo many` on here printed \"many here\""),
            "{error}"
        );
    }
}

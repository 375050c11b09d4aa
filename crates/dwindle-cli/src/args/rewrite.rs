//! What is rewritten after deletion.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::core::passes::{Level, Pass, Schedule};
use dwindle::{Method, When};

use super::values::named;
use crate::failure::Failure;

/// The names that a result may have.
const ORIGINAL: &str = "original";
const SHORT: &str = "short";

/// Passes and helpers.
#[derive(Args, Debug)]
pub(super) struct RewriteArgs {
    /// How much is rewritten after deletion [default: default with linked, else fast].
    ///
    /// `fast` only deletes. `default` also runs the passes that usually pay, until they find nothing more.
    /// `thorough` runs all passes and asks many times as many questions for the last few tokens.
    #[arg(long, value_name = "LEVEL",
          value_parser = PossibleValuesParser::new(Level::ALL.map(Level::name)))]
    pub(super) level: Option<String>,
    /// Rewrite by these passes only, whatever the level.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "level",
          value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)))]
    pub(super) passes: Option<Vec<String>>,
    /// Which names the result has: `original`, as in the input, or `short` ones [default: original].
    ///
    /// With `original`, two things may still get the name of one of them where that saves tokens.
    #[arg(long, value_name = "WHICH", default_value = ORIGINAL, hide_default_value = true, conflicts_with_all = ["passes", "no_rename"],
          value_parser = [ORIGINAL, SHORT])]
    names: String,
    /// Give nothing another name, even where that saves tokens.
    #[arg(long)]
    pub(super) no_rename: bool,
    /// Run your own transformer when nothing more is found; repeatable.
    ///
    /// CMD gets the path of the best variant as its argument and the text as standard input. Each line that it
    /// prints is a candidate: {"text": "..."} or {"edits": [{"start": 0, "end": 5, "with": "..."}]}, with
    /// positions in bytes and in order. The first smaller one that is interesting is taken, and CMD runs again.
    #[arg(long, value_name = "CMD")]
    pub(super) external: Vec<PathBuf>,
    /// Let clang_delta of C-Reduce and C-Vise transform C and C++.
    ///
    /// `auto` does so at level thorough, if it is installed.
    #[arg(long, value_name = "WHEN", default_value = When::Auto.name(),
          value_parser = PossibleValuesParser::new(When::ALL.map(When::name)))]
    pub(super) clang_delta: String,
}

impl RewriteArgs {
    /// The passes that run after `method`, by default those of the level `default`.
    pub(super) fn schedule(&self, method: Method, default: Option<Level>) -> Result<Schedule, Failure> {
        let level =
            self.level.as_ref().map(|name| named(&Level::ALL.map(|level| (level.name(), level)), name));
        let chosen = level.is_some_and(|level| level > Level::Fast) || self.passes.is_some();
        if chosen && !method.has_tree() {
            let flag = if self.passes.is_some() { "--passes" } else { "--level" };
            return Err(Failure::Usage(format!("{flag} transforms trees: it does not go with lists")));
        }
        let schedule = match &self.passes {
            Some(names) => {
                let all = Pass::ALL.map(|pass| (pass.name(), pass));
                let passes: Vec<Pass> = names.iter().map(|name| named(&all, name)).collect();
                Schedule::only(&passes)
            }
            None => match method.schedule(level.or(default)) {
                schedule if self.names == ORIGINAL => schedule,
                schedule => schedule.level().map_or(schedule, Schedule::with_short_names),
            },
        };
        Ok(if self.no_rename { schedule.without_names() } else { schedule })
    }

    /// When clang_delta helps.
    pub(super) fn clang_delta(&self) -> When {
        named(&When::ALL.map(|when| (when.name(), when)), &self.clang_delta)
    }
}

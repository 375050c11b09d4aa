//! What is deleted.

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::keep::Pattern;
use dwindle::method::{FORMATS, REDUCERS};
use dwindle::{Method, Selection};

/// The search, and what it must not touch.
#[derive(Args, Debug)]
pub(super) struct DeleteArgs {
    /// How the syntax tree is searched [default: linked].
    ///
    /// `linked` deletes declarations together with their uses. `list` ignores the tree and deletes lines, then
    /// tokens. `perses+` is Perses with more replacements. The others are the published algorithms of these names.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(REDUCERS))]
    pub(super) reducer: Option<String>,
    /// The units that are deleted.
    ///
    /// `tree` is nodes of the syntax tree. `auto` is `tree`, or lines and then tokens with --reducer list.
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(FORMATS))]
    pub(super) format: String,
    /// Keep everything in the input that matches this regular expression; repeatable.
    ///
    /// `^` and `$` match at the ends of lines, and a match that ends inside a word is extended to the whole
    /// word. Every candidate contains all matches, byte for byte and in their order; one that does not is
    /// rejected without a question.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(super) keep: Vec<Pattern>,
    /// Of a folder, reduce only the files that match GLOB; repeatable.
    ///
    /// A glob without `/` is for names in all folders, and one that matches a folder is for all that is in it.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Of a folder, keep the files that match GLOB as they are; repeatable.
    #[arg(long, value_name = "GLOB")]
    keep_file: Vec<String>,
}

impl DeleteArgs {
    /// Which files of a folder are reduced.
    pub(super) fn selection(&self) -> Result<Selection, String> {
        Selection::new(&self.only, &self.keep_file)
    }

    /// How the input is searched.
    pub(super) fn method(&self) -> Result<Method, String> {
        Method::named(&self.format, self.reducer.as_deref())
    }
}

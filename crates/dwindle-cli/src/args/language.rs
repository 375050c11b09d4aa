//! What the input is written in.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::FrontEnd;
use dwindle::read::brought::{self, Files, TreeForm};

use super::values::named;
use crate::failure::Failure;

/// The heading of these options in the help.
pub(super) const HEADING: &str = "Input and language";

/// The language, or a grammar.
#[derive(Args, Debug)]
pub(crate) struct LanguageArgs {
    /// Read the input as this language [default: recognised by the file name or the first line].
    ///
    /// One that `dwindle languages` lists, or the file of a compiled tree-sitter grammar (`.so`).
    #[arg(long, value_name = "NAME", value_parser = language, conflicts_with = "grammar")]
    language: Option<String>,
    /// Read the input by a grammar of your own.
    ///
    /// YACC (`.y`, with --lexer), ANTLR 4 (`.g4`), or tree-sitter (`grammar.json`, with its `scanner.c` beside
    /// it; or compiled, `.so`).
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// The lexer that belongs to --grammar.
    ///
    /// The lexical specification of a YACC grammar, or the lexer of an ANTLR parser [default: the one that the
    /// parser names].
    #[arg(long, value_name = "FILE", requires = "grammar")]
    lexer: Option<PathBuf>,
    /// The rule of --grammar that describes a whole input.
    ///
    /// [default: what the grammar says; in ANTLR, the first rule with EOF]
    #[arg(long, value_name = "RULE", requires = "grammar")]
    start: Option<String>,
    /// What the trees of --grammar are like: `lists`, or `thesis`.
    ///
    /// In `lists`, what the grammar repeats is a list whose elements can be deleted. `thesis` is the parse tree of
    /// the thesis on HDD: recursive rules are chains of nodes, and a node is replaced by the shortest text of its
    /// rule. It goes with YACC and ANTLR grammars and the reducers hdd, hdd+, hdd*, hddr and coarse.
    #[arg(long, value_name = "NAME", default_value = TreeForm::default().name(),
          value_parser = PossibleValuesParser::new(TreeForm::ALL.map(TreeForm::name)))]
    tree: String,
}

impl LanguageArgs {
    pub(super) fn tree_form(&self) -> TreeForm {
        named(&TreeForm::ALL.map(|form| (form.name(), form)), &self.tree)
    }

    /// The front end, if one was asked for; a grammar is loaded, and what is wrong with it goes to `warn`.
    pub(crate) fn front_end(&self, warn: &mut dyn FnMut(&str)) -> Result<Option<FrontEnd>, Failure> {
        let library = self.language.as_ref().map(PathBuf::from).filter(|path| brought::is_library(path));
        let Some(grammar) = self.grammar.clone().or(library) else {
            if self.tree_form() == TreeForm::Thesis {
                let what = "--tree thesis wants to know every rule that the input goes through: give a YACC or ANTLR \
                            grammar with --grammar";
                return Err(Failure::Usage(what.to_owned()));
            }
            let named = self.language.as_deref().map(FrontEnd::of_language).transpose();
            return named.map_err(|error| Failure::Usage(error.to_string()));
        };
        let tree = self.tree_form();
        let files = Files { grammar, lexer: self.lexer.clone(), start: self.start.clone(), tree };
        let brought = brought::load(&files).map_err(Failure::Grammar)?;
        brought.warnings().iter().for_each(|warning| warn(warning));
        Ok(Some(brought.into()))
    }
}

fn language(text: &str) -> Result<String, String> {
    if FrontEnd::named(text).is_some() || brought::is_library(Path::new(text)) {
        return Ok(text.to_owned());
    }
    let is_meant = |name: &str| name.eq_ignore_ascii_case(text);
    let by_any_name = |front_end: &FrontEnd| {
        is_meant(front_end.name()) || front_end.aliases().iter().any(|alias| is_meant(alias))
    };
    if let Some(front_end) = FrontEnd::all().into_iter().find(by_any_name) {
        return Ok(front_end.name().to_owned());
    }
    let names = FrontEnd::names();
    Err(format!("possible values: {}, or the file of a compiled grammar (.so)", names.join(", ")))
}

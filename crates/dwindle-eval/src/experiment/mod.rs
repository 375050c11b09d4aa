//! The experiments of the papers, one command each: their own table next to the published one, and whether the
//! direction agrees.
//!
//! - [`papers`] has the experiments, [`subjects`] the inputs that are built in;
//! - [`setting`] is a configuration, [`measure`] one run of it, [`studies`] what its trace says;
//! - [`lab`] compares settings over inputs; [`audit`] looks at lists when they are over, [`simulation`] at random ones;
//! - [`reasons`] tries the reasons for directions that are not those of the papers.

mod audit;
mod lab;
mod measure;
mod measured;
mod once;
mod papers;
mod reasons;
mod setting;
mod simulation;
mod studies;
mod subjects;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use self::lab::Lab;
use self::measure::{Bench, Input};
pub(crate) use self::setting::Setting;
pub(crate) use self::subjects::{Subject, document, mult, program};
use crate::cases;
use crate::page::{Page, html};
use crate::program::Program;
use crate::published::Published;

/// How many inputs of either sort are built in.
const OF_EACH: u64 = 7;

/// Runs experiments of the papers and prints their tables next to the published figures
#[derive(Args, Debug)]
pub(crate) struct Experiments {
    /// Names of experiments, or `all`
    #[arg(value_name = "NAME", required_unless_present = "list")]
    names: Vec<String>,

    /// List the experiments
    #[arg(long)]
    list: bool,

    /// Folders of cases to run them on [default: small inputs that are built in]
    #[arg(long, value_name = "DIR", num_args = 1..)]
    cases: Vec<PathBuf>,

    /// Take only cases with these names
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "cases")]
    case: Vec<String>,

    /// The most seconds that a run may take
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    limit: f64,

    /// How often what draws at random is run
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u64).range(1..))]
    repetitions: u64,

    /// Keep what was measured in FILE, and do not run again what is there
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// The dwindle to measure on cases [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Also write everything, with plots, into one HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Experiments {
    /// Runs what was asked for; the text to print.
    pub(crate) fn run(&self) -> anyhow::Result<String> {
        if self.list {
            return Ok(papers::ALL
                .iter()
                .map(|each| format!("{:<16} {}\n", each.name, each.title))
                .collect());
        }
        let is_asked = |name: &str| self.names.iter().any(|asked| asked == name || asked == "all");
        if let Some(name) = self
            .names
            .iter()
            .find(|name| *name != "all" && papers::ALL.iter().all(|each| each.name != **name))
        {
            bail!("there is no experiment {name}: --list names them");
        }
        let program =
            if self.cases.is_empty() { None } else { Some(Program::find(self.program.as_deref())?) };
        let limit = Duration::try_from_secs_f64(self.limit).context("--limit takes seconds")?;
        let bench = Bench::new(program.as_ref(), limit, self.results.as_deref())?;
        let mut lab = Lab {
            bench,
            inputs: self.inputs()?,
            repetitions: self.repetitions,
            published: Published::read(),
            is_tuned: cases::is_tuned,
        };
        let mut pages = Vec::new();
        for each in papers::ALL.iter().filter(|each| is_asked(each.name)) {
            let command = format!("dwindle-eval experiment {}{}", each.name, self.flags());
            let mut page = Page { title: each.title.to_owned(), command, ..Page::default() };
            (each.run)(&mut lab, &mut page)?;
            pages.push(page);
        }
        if let Some(path) = &self.html {
            fs::write(path, html(&pages)).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(pages.iter().map(Page::markdown).collect::<Vec<_>>().join("\n"))
    }

    /// What else makes the same tables again.
    fn flags(&self) -> String {
        let cases = self.cases.iter().map(|folder| format!(" --cases {}", folder.display()));
        let case = self.case.iter().map(|name| format!(" --case {name}"));
        let limit = (!self.cases.is_empty()).then(|| format!(" --limit {}", self.limit));
        cases.chain(case).chain(limit).collect()
    }

    fn inputs(&self) -> anyhow::Result<Vec<Input>> {
        if self.cases.is_empty() {
            return Ok(subjects::all(OF_EACH)
                .into_iter()
                .map(|subject| Input::Own(Box::new(subject)))
                .collect());
        }
        let mut inputs = Vec::new();
        for folder in &self.cases {
            let found =
                if self.case.is_empty() { cases::all(folder)? } else { cases::named(folder, &self.case)? };
            inputs.extend(found.into_iter().map(Input::Case));
        }
        Ok(inputs)
    }
}

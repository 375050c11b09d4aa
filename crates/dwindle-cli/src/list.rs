//! `dwindle list`: a list of anything is reduced as the lines of a text, by a command that gets the items.

use std::env;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use dwindle::{Config, ItemList, Items, Target};

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::reducing::reduce_files;
use crate::streams::{STANDARD_INPUT, Streams, is_read, is_written, read};

/// Reduces a list; returns the exit code.
pub(crate) fn list(args: &ListArgs) -> Result<u8, Failure> {
    let folder = env::current_dir().map_err(|error| Failure::Read(".".into(), error))?;
    let repository = args.repository.as_deref().unwrap_or(&folder);
    let path = args.items.clone().unwrap_or_default();
    let mut config = args.config(path.clone())?;
    let (items, title) = match &args.commits {
        Some(range) => (Items::commits(repository, range)?, Some(format!("the commits {range}"))),
        None if is_read(&path) => {
            let items = Items::parse(Path::new(STANDARD_INPUT), &read()?, args.weights)?;
            (items, Some(STANDARD_INPUT.to_owned()))
        }
        None => (Items::read(&path, args.weights)?, None),
    };
    let streams = open(args, &mut config, title.map(|title| (title, items.text.clone())))?;
    config.options.weights = items.weights;
    config.list = Some(ItemList { items: items.text, folder: folder.clone() });
    let commits_of = args.commits.as_ref().map(|_| repository);
    reduce_files(&args.telling(commits_of), &config, &streams)
}

/// Lets files stand for items that are in no file, and for standard output.
fn open(args: &ListArgs, config: &mut Config, input: Option<(String, Vec<u8>)>) -> Result<Streams, Failure> {
    let output: Option<&PathBuf> = args.output.as_ref().filter(|output| !is_written(output));
    config.target = output.map_or(Target::Beside, |output| Target::File(output.clone()));
    if input.is_none() && output.is_some() {
        return Ok(Streams::default());
    }
    // Lists with other commands have other results.
    let purpose: Vec<&[u8]> = args.words.iter().map(|word| word.as_bytes()).collect();
    Streams::stand_for(config, input, output.is_none(), &purpose.join(&0))
}

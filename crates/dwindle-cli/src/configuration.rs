//! Options that are not on the command line: `dwindle.toml`, and the environment.
//!
//! Both say what flags would say, so they become flags: what they set is put in front of the arguments, unless these set
//! it or something that does not go with it. So a value means the same and is checked the same wherever it stands.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches, ValueHint};
use dwindle::shown::{shown, shown_lines};
use rustix::process::geteuid;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::{self, Cli};
use crate::failure::Failure;

/// The name of the file.
const NAME: &str = "dwindle.toml";
/// How the names of variables begin.
const PREFIX: &str = "DWINDLE_";
/// The subcommands that have options from elsewhere; the command without one does, too.
const READERS: [&str; 4] = ["reduce", "debloat", "check", "init"];
/// Options that say what this command is to do, which is nothing to be configured.
const HERE_ONLY: [&str; 4] = ["help", "version", "no-config", "print-config"];

/// What the options are, and who says so.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The file that was read.
    file: Option<PathBuf>,
    /// Options that are not from the command line, by their long names.
    origins: BTreeMap<String, Origin>,
    /// What should be said before anything else.
    pub(crate) warnings: Vec<String>,
    matches: ArgMatches,
}

/// Where an option comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// The file, and a line in it.
    File(PathBuf, usize),
    /// A variable.
    Environment(String),
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, line) => write!(f, "{}:{line}", shown(path)),
            Self::Environment(name) => f.write_str(&shown(name)),
        }
    }
}

/// An option that is set elsewhere.
#[derive(Debug)]
struct Setting<'a> {
    option: &'a Arg,
    /// What it would be on the command line.
    flags: Vec<OsString>,
    origin: Origin,
}

/// The command line `words`, with what is configured.
pub(crate) fn read(words: Vec<OsString>) -> Result<(Cli, Settings), Failure> {
    let (cli, matches) = args::parse(&words)?;
    let mut command = Cli::command();
    command.build();
    let name = matches.subcommand_name();
    if name.is_some_and(|name| !READERS.contains(&name)) {
        return Ok((cli, Settings { matches, ..Settings::default() }));
    }
    let given = matches.subcommand().map_or(&matches, |(_, given)| given);
    if matches!(given.try_get_one::<bool>("no_config"), Ok(Some(true))) {
        return Ok((cli, Settings { matches, ..Settings::default() }));
    }
    let reduce = command.find_subcommand("reduce").expect("it is a subcommand");
    let reader = name.and_then(|name| command.find_subcommand(name)).unwrap_or(reduce);
    let mut settings = Settings::default();
    let mut layers = vec![environment(reduce, &mut settings.warnings)?];
    if let Some(path) = find(&input(given), &mut settings.warnings) {
        layers.push(file(&path, reduce)?);
        settings.file = Some(path);
    }
    let taken = effective(layers, given, reader);
    let mut at = 1 + usize::from(name.is_some());
    let mut words = words;
    if name.is_none() && taken.iter().any(|setting| setting.option.get_id() == "tests") {
        // Only so the test can be a flag.
        words.insert(1, "reduce".into());
        at = 2;
    }
    let with = |settings: &[Setting<'_>]| {
        let flags = settings.iter().flat_map(|setting| setting.flags.iter().cloned());
        let all: Vec<OsString> =
            words[..at].iter().cloned().chain(flags).chain(words[at..].to_vec()).collect();
        Cli::command().try_get_matches_from(all)
    };
    settings.matches = with(&taken).map_err(|error| {
        // Whose fault it is: one that is wrong by itself, or one that lacks another.
        let alone = taken.iter().filter_map(|one| Some((one, with(std::slice::from_ref(one)).err()?)));
        let wrong = alone.min_by_key(|(_, error)| error.kind() == ErrorKind::MissingRequiredArgument);
        match (wrong, taken.first()) {
            (Some((setting, error)), _) => refused(setting, &error),
            (None, Some(first)) => refused(first, &error),
            (None, None) => Failure::Arguments(error.to_string()),
        }
    })?;
    let cli =
        Cli::from_arg_matches(&settings.matches).map_err(|error| Failure::Arguments(error.to_string()))?;
    settings.origins = taken
        .into_iter()
        .map(|setting| (setting.option.get_long().unwrap_or_default().to_owned(), setting.origin))
        .collect();
    Ok((cli, settings))
}

/// The file that is reduced.
fn input(given: &ArgMatches) -> PathBuf {
    // In the short form, the test may be the input.
    let named =
        ["input", "first", "test"].into_iter().find_map(|id| given.try_get_one::<PathBuf>(id).ok().flatten());
    named.cloned().unwrap_or_default()
}

/// The file that configures a reduction of `input`: beside it, or in a folder above it.
fn find(input: &Path, warnings: &mut Vec<String>) -> Option<PathBuf> {
    let input = fs::canonicalize(input).or_else(|_| std::path::absolute(input)).ok()?;
    let path = input.ancestors().skip(1).map(|folder| folder.join(NAME)).find(|path| path.is_file())?;
    // It can name programs to run, so whoever can write above a file of somebody else must not write it.
    let owner = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.uid());
    let trusted = [Some(0), Some(geteuid().as_raw()), owner(&input)];
    if !trusted.contains(&owner(&path)) {
        let path = shown(&path);
        warnings.push(format!("{path} is not read: it belongs neither to you nor to the owner of the input"));
        return None;
    }
    Some(path)
}

/// The options of `command` that can be configured.
fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let named = command.get_arguments().filter_map(|option| Some((option.get_long()?, option)));
    named.filter(|(name, _)| !HERE_ONLY.contains(name))
}

/// What is set by the environment.
fn environment<'a>(command: &'a Command, warnings: &mut Vec<String>) -> Result<Vec<Setting<'a>>, Failure> {
    let mut settings = Vec::new();
    let mut variables: Vec<(OsString, OsString)> = env::vars_os().collect();
    variables.sort();
    for (variable, value) in variables {
        let Some(name) = variable.to_str().and_then(|variable| variable.strip_prefix(PREFIX)) else {
            continue;
        };
        let name = name.to_lowercase().replace('_', "-");
        let Some((_, option)) = options(command).find(|(known, _)| *known == name) else {
            // Many a variable of a script begins so.
            if let Some(near) = nearest(&name, options(command)) {
                let (variable, near) = (shown(&variable), near.to_uppercase().replace('-', "_"));
                warnings.push(format!(
                    "the environment has {variable}, which sets nothing; did you mean {PREFIX}{near}?"
                ));
            }
            continue;
        };
        let origin = Origin::Environment(variable.to_string_lossy().into_owned());
        let flags = if takes_value(option) {
            vec![flag(&name, Some(&value))]
        } else {
            match value.to_str() {
                Some("1" | "true") => vec![flag(&name, None)],
                Some("0" | "false" | "") => Vec::new(),
                _ => {
                    return Err(wrong(&origin, &format!("it is `true` or `false`, not `{}`", shown(&value))));
                }
            }
        };
        settings.push(Setting { option, flags, origin });
    }
    Ok(settings)
}

/// What is set by the file at `path`.
fn file<'a>(path: &Path, command: &'a Command) -> Result<Vec<Setting<'a>>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::Read(path.to_owned(), error))?;
    let at = |byte: usize| {
        let line = 1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&byte| byte == b'\n').count();
        Origin::File(path.to_owned(), line)
    };
    let table = DeTable::parse(&text)
        .map_err(|error| wrong(&at(error.span().map_or(0, |span| span.start)), error.message()))?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut settings = Vec::new();
    for (key, value) in table.get_ref() {
        let (name, origin) = (key.get_ref().as_ref(), at(key.span().start));
        let Some((_, option)) = options(command).find(|(known, _)| *known == name) else {
            let near = nearest(name, options(command));
            let advice = near.map_or_else(
                || "the keys are the long flags of `dwindle reduce --help`".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(wrong(&origin, &format!("there is no option `{}`; {advice}", shown(name))));
        };
        let flags = flags(name, option, value, folder).map_err(|wanted| {
            wrong(&origin, &format!("`{name}` is {wanted}, not {}", value.get_ref().type_str()))
        })?;
        settings.push(Setting { option, flags, origin });
    }
    Ok(settings)
}

/// The flags that say what `value` says; or what kind of value is wanted.
fn flags(
    name: &str,
    option: &Arg,
    value: &Spanned<DeValue<'_>>,
    folder: &Path,
) -> Result<Vec<OsString>, &'static str> {
    let one = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        // Files are found from where they are named.
        DeValue::String(text) if option.get_value_hint() == ValueHint::AnyPath => {
            let path = Path::new(&**text);
            let known = if text == "-" { path.to_owned() } else { folder.join(path) };
            Some(flag(name, Some(known.as_os_str())))
        }
        DeValue::String(text) => Some(flag(name, Some(OsStr::new(&**text)))),
        DeValue::Integer(number) => Some(flag(name, Some(OsStr::new(&number.to_string())))),
        DeValue::Float(number) => Some(flag(name, Some(OsStr::new(&number.to_string())))),
        _ => None,
    };
    let is_list = matches!(option.get_action(), ArgAction::Append);
    match value.get_ref() {
        DeValue::Boolean(on) if !takes_value(option) => {
            Ok(on.then(|| flag(name, None)).into_iter().collect())
        }
        _ if !takes_value(option) => Err("`true` or `false`"),
        DeValue::Array(values) if is_list => {
            values.iter().map(one).collect::<Option<_>>().ok_or("a list of texts or numbers")
        }
        _ if is_list => one(value).map(|flag| vec![flag]).ok_or("a text, or a list of them"),
        _ => one(value).map(|flag| vec![flag]).ok_or("a text or a number"),
    }
}

fn takes_value(option: &Arg) -> bool {
    option.get_action().takes_values()
}

fn flag(name: &str, value: Option<&OsStr>) -> OsString {
    let mut flag = OsString::from(format!("--{name}"));
    if let Some(value) = value {
        flag.push("=");
        flag.push(value);
    }
    flag
}

/// What `layers`, the strongest first, set for `reader`, where it was given nothing else.
fn effective<'a>(layers: Vec<Vec<Setting<'a>>>, given: &ArgMatches, reader: &'a Command) -> Vec<Setting<'a>> {
    let is_given = |id: &str| {
        given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine)
    };
    let mut set: Vec<&str> =
        reader.get_arguments().map(|option| option.get_id().as_str()).filter(|id| is_given(id)).collect();
    // A test or a command behind `--` is there; the short forms have both a test and an input, or one of them.
    let has_test = is_given("words") || (["test", "first"].into_iter().any(is_given) && is_given("input"));
    set.extend(has_test.then_some("tests"));
    let mut taken = Vec::new();
    for layer in layers {
        let before = set.clone();
        for setting in layer {
            let id = setting.option.get_id().as_str();
            let Some(option) = reader.get_arguments().find(|option| option.get_id() == id) else { continue };
            let excludes = |one: &Arg, other: &str| {
                reader.get_arg_conflicts_with(one).iter().any(|excluded| excluded.get_id() == other)
            };
            let conflicts = before.iter().any(|&other| {
                let other_option = reader.get_arguments().find(|option| option.get_id() == other);
                excludes(option, other) || other_option.is_some_and(|other| excludes(other, id))
            });
            if !before.contains(&id) && !conflicts {
                set.push(id);
                taken.push(setting);
            }
        }
    }
    taken
}

/// The option whose name is most like `name`, if one is.
fn nearest<'a>(name: &str, options: impl Iterator<Item = (&'a str, &'a Arg)>) -> Option<&'a str> {
    /// As much alike as what clap proposes for flags.
    const ALIKE: f64 = 0.7;
    let name = name.to_lowercase().replace('_', "-");
    let rated = options.map(|(known, _)| (strsim::jaro_winkler(&name, known), known));
    let best = rated.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(alike, _)| *alike > ALIKE).map(|(_, known)| known)
}

fn wrong(origin: &Origin, what: &str) -> Failure {
    Failure::Arguments(format!(
        "error: {origin}: {}\n",
        shown_lines(what.as_bytes()).collect::<Vec<_>>().join("\n  ")
    ))
}

/// What clap says of a setting.
fn refused(setting: &Setting<'_>, error: &clap::Error) -> Failure {
    let said = error.to_string();
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let said = said.split("\n\nUsage:").next().unwrap_or(said);
    wrong(&setting.origin, said.split("\n\nFor more").next().unwrap_or(said).trim_end())
}

impl Settings {
    /// What was read from where, in a line, if anything was.
    pub(crate) fn said(&self) -> Option<String> {
        let named = |from: fn(&Origin) -> bool| {
            let names = self.origins.iter().filter(|(_, origin)| from(origin)).map(|(name, _)| &**name);
            names.collect::<Vec<_>>().join(", ")
        };
        let of_file = self.file.as_ref().map(|path| {
            let names = named(|origin| matches!(origin, Origin::File(..)));
            let names = if names.is_empty() { "nothing".to_owned() } else { names };
            format!("{} sets {names}", shown(path))
        });
        let names = named(|origin| matches!(origin, Origin::Environment(_)));
        let of_environment = (!names.is_empty()).then(|| format!("the environment sets {names}"));
        let all: Vec<String> = of_file.into_iter().chain(of_environment).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Prints all options as a `dwindle.toml`, with where each comes from.
    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.file {
            Some(path) => writeln!(out, "# {} was read.", shown(path))?,
            None => writeln!(out, "# There is no {NAME} beside the input or in a folder above it.")?,
        }
        let mut command = Cli::command();
        command.build();
        let (matches, command) = match self.matches.subcommand() {
            Some((name, matches)) => (matches, command.find_subcommand(name).unwrap_or(&command)),
            None => (&self.matches, &command),
        };
        for (name, option) in options(command) {
            let id = option.get_id().as_str();
            let values: Vec<String> = matches.get_raw(id).into_iter().flatten().map(quoted).collect();
            let is_default = matches.value_source(id) != Some(ValueSource::CommandLine);
            let value = match option.get_action() {
                ArgAction::SetTrue => matches.get_flag(id).to_string(),
                ArgAction::Append => format!("[{}]", values.join(", ")),
                _ => values.first().cloned().unwrap_or_default(),
            };
            match self.origins.get(name) {
                Some(origin) => writeln!(out, "{name} = {value}  # {origin}")?,
                None if !is_default => writeln!(out, "{name} = {value}  # command line")?,
                None if value.is_empty() || value == "[]" => writeln!(out, "# {name} is not set")?,
                None => writeln!(out, "# {name} = {value}  (default)")?,
            }
        }
        Ok(())
    }
}

/// A value as it stands in the file.
fn quoted(value: &OsStr) -> String {
    let text = value.to_string_lossy();
    let is_number = text.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok();
    if is_number { text.into_owned() } else { toml::Value::from(&*text).to_string() }
}

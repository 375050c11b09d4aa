//! The runs file: one configuration of dwindle a line, `name: arguments for dwindle`.

use anyhow::{Context, bail};

use crate::words;

/// A named list of arguments for dwindle: a column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Configuration {
    /// Its name, without white space and `|`.
    pub(crate) name: String,
    /// What is added to the command line of dwindle.
    pub(crate) arguments: Vec<String>,
}

/// The configurations of `text`, in its order; errors name the line.
pub(crate) fn parse(text: &str) -> anyhow::Result<Vec<Configuration>> {
    let mut configurations: Vec<Configuration> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let configuration = parse_line(line).with_context(|| format!("line {number}"))?;
        if configurations.iter().any(|other| other.name == configuration.name) {
            bail!("line {number}: a second run called {:?}: rename one", configuration.name);
        }
        configurations.push(configuration);
    }
    if configurations.is_empty() {
        bail!("it has no runs: write one a line, as `name: arguments for dwindle`");
    }
    Ok(configurations)
}

fn parse_line(line: &str) -> anyhow::Result<Configuration> {
    let Some((name, arguments)) = line.split_once(':') else {
        bail!("no colon in {line:?}: write `name: arguments for dwindle`");
    };
    if name.is_empty() {
        bail!("no name before the colon of {line:?}: write `name: arguments for dwindle`");
    }
    if name.contains(|c: char| c.is_whitespace() || c == '|') {
        bail!("a blank or `|` in the name {name:?}: join its words with `-`");
    }
    Ok(Configuration { name: name.to_owned(), arguments: words::split(arguments)? })
}

#[cfg(test)]
mod tests {
    use super::{Configuration, parse};

    #[test]
    fn blank_lines_and_comments_are_left_out() {
        let configurations = parse("# two\n\nddmin: --minimizer ddmin\n  plain:\n").unwrap();
        assert_eq!(
            configurations,
            [
                Configuration {
                    name: "ddmin".to_owned(),
                    arguments: vec!["--minimizer".to_owned(), "ddmin".to_owned()],
                },
                Configuration { name: "plain".to_owned(), arguments: vec![] },
            ]
        );
    }

    #[test]
    fn errors_name_the_line_and_the_remedy() {
        let check = |text: &str, expect: &str| {
            assert_eq!(format!("{:#}", parse(text).unwrap_err()), expect);
        };
        check(
            "a: -v\n\nddmin --seed 1\n",
            "line 3: no colon in \"ddmin --seed 1\": write `name: arguments for dwindle`",
        );
        check(
            ": --seed 1",
            "line 1: no name before the colon of \": --seed 1\": write `name: arguments for dwindle`",
        );
        check("a b: -v", "line 1: a blank or `|` in the name \"a b\": join its words with `-`");
        check("# x\na: -v\na: -q", "line 3: a second run called \"a\": rename one");
        check("a: \"b", "line 1: a double quote is not closed: close it (there are no escapes)");
        check("# x\n", "it has no runs: write one a line, as `name: arguments for dwindle`");
    }

    /// A run that leaves its reducer or its minimiser to dwindle measures something else under the same name when the
    /// default changes.
    #[test]
    fn the_runs_files_that_come_along_name_the_reducer_and_the_minimizer_that_they_run() {
        let files = [
            include_str!("../runs/minimizers.txt"),
            include_str!("../runs/trees.txt"),
            include_str!("../runs/syntax.txt"),
        ];
        for Configuration { name, arguments } in files.into_iter().flat_map(|text| parse(text).unwrap()) {
            let value = |flag: &str| {
                let at = arguments.iter().position(|argument| argument == flag);
                at.map(|at| arguments[at + 1].replace('*', "star").replace('+', "plus"))
            };
            let (reducer, minimizer) = (value("--reducer"), value("--minimizer"));
            let (reducer, minimizer) = reducer.zip(minimizer).expect("both are said");
            let words = |text: &str| text.split('-').map(str::to_owned).collect::<Vec<_>>();
            let names = words(&name);
            assert!(names.starts_with(&words(&reducer)) && names.ends_with(&words(&minimizer)), "{name}");
        }
        let default = parse(include_str!("../runs/default.txt")).unwrap();
        assert!(default[0].arguments.iter().all(|flag| flag != "--reducer" && flag != "--minimizer"));
    }
}

//! What refused candidates die of: each one is kept, a command says what is wrong with it, and rules
//! sort the answers into classes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use dwindle::shell::quoted;
use regex::bytes::RegexSet;
use serde::{Deserialize, Serialize};

use crate::cases::Case;

/// The class of what no rule knows.
const OTHER: &str = "other";

/// The rules file: a line `command: SHELL COMMAND` and a line `CLASS: REGEX` for each rule.
#[derive(Debug)]
pub(crate) struct Rules {
    command: String,
    classes: Vec<String>,
    set: RegexSet,
}

/// How many refused candidates are in each class, in the order of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusals(pub(crate) Vec<(String, u64)>);

impl Rules {
    /// The rules in `file`.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Rules> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("cannot read the rules file {}", file.display()))?;
        parse(&text).with_context(|| format!("in the rules file {}", file.display()))
    }

    /// The class of an output: that of the first line that a rule matches, by the first such rule.
    /// Blank lines are left out; of an output without others, an empty line is looked at.
    fn class(&self, output: &[u8]) -> &str {
        let lines =
            output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let mut lines = lines.peekable();
        let silent = lines.peek().is_none().then_some(&b""[..]);
        let rule = lines.chain(silent).find_map(|line| self.set.matches(line).iter().next());
        rule.map_or(OTHER, |rule| &self.classes[rule])
    }

    fn count(&self, classes: &[&str]) -> Refusals {
        let mut counts: Vec<(String, u64)> = Vec::new();
        for name in self.classes.iter().map(String::as_str).chain([OTHER]) {
            if counts.iter().all(|(other, _)| other != name) {
                let count = classes.iter().filter(|class| **class == name).count();
                counts.push((name.to_owned(), count as u64));
            }
        }
        Refusals(counts)
    }
}

fn parse(text: &str) -> anyhow::Result<Rules> {
    let (mut command, mut classes, mut patterns) = (None, Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once(": ") {
            Some(("command", line)) => command = Some(line.to_owned()),
            Some((class, pattern)) => {
                RegexSet::new([pattern]).with_context(|| format!("line {number}"))?;
                classes.push(class.to_owned());
                patterns.push(pattern);
            }
            None => bail!("line {number}: no colon and blank in {line:?}: write `CLASS: REGEX`"),
        }
    }
    let command = command.context("it has no line `command: SHELL COMMAND`")?;
    Ok(Rules { command, classes, set: RegexSet::new(&patterns)? })
}

/// Stands between dwindle and a test, and keeps a copy of each candidate that the test refuses.
#[derive(Debug)]
pub(crate) struct Witness {
    folder: PathBuf,
    /// The executable to run in place of the test.
    pub(crate) test: PathBuf,
}

impl Witness {
    /// One for the test of `case`, which keeps the copies in the empty `folder`.
    pub(crate) fn new(folder: PathBuf, case: &Case) -> anyhow::Result<Witness> {
        let (place, test) = (quoted(&folder), quoted(&case.test));
        // A test that is killed, at its time limit or because nobody needs its answer, leaves a
        // copy that does not count.
        let script = format!(
            "#!/bin/sh\n\
             asked=$(mktemp {place}/asked.XXXXXXXX) && cp -- \"$1\" \"$asked\" || exit 1\n\
             {test} \"$1\"\n\
             code=$?\n\
             if [ $code = 0 ]; then rm -f \"$asked\"; else mv \"$asked\" {place}/refused.\"${{asked##*.}}\"; fi\n\
             exit $code\n"
        );
        let witness = Witness { test: folder.join("witness"), folder };
        let context = || format!("cannot write {}", witness.test.display());
        fs::write(&witness.test, script).with_context(context)?;
        fs::set_permissions(&witness.test, fs::Permissions::from_mode(0o755)).with_context(context)?;
        Ok(witness)
    }

    /// Sorts what was refused. The command runs in a folder that holds the candidate under the name of
    /// the input, gets that name as `$1`, and the path of the test in `TEST`.
    pub(crate) fn sort(&self, case: &Case, rules: &Rules) -> anyhow::Result<Refusals> {
        let input = case.input.file_name().context("an input has a name")?;
        let mut classes = Vec::new();
        let kept = fs::read_dir(&self.folder)?.collect::<Result<Vec<_>, _>>()?;
        for candidate in kept {
            if !candidate.file_name().to_string_lossy().starts_with("refused.") {
                continue;
            }
            let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
            fs::rename(candidate.path(), folder.path().join(input))?;
            let output = Command::new("sh")
                .args(["-c", &rules.command, "sh"])
                .arg(input)
                .env("TEST", &case.test)
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .output()
                .context("cannot start sh")?;
            classes.push(rules.class(&[output.stderr, output.stdout].concat()));
        }
        Ok(rules.count(&classes))
    }
}

#[cfg(test)]
mod tests {
    use super::{Refusals, Rules, parse};

    fn rules() -> Rules {
        parse("# some\ncommand: cc: \"$1\"\n\nlost: undeclared|unknown\nsyntax: expected\nlost: gone\nfine: ^$\n").unwrap()
    }

    #[test]
    fn the_first_line_that_a_rule_matches_gives_the_class() {
        let rules = rules();
        assert_eq!(rules.command, "cc: \"$1\"");
        let check = |output: &str, class| assert_eq!(rules.class(output.as_bytes()), class, "{output:?}");
        check("In f:\n\nexpected ;\n'x' undeclared\n", "syntax");
        check("expected x, undeclared", "lost");
        check("x is gone", "lost");
        check("\n  \n", "fine");
        check("", "fine");
        check("killed\n\n", "other");
    }

    #[test]
    fn rules_with_mistakes_are_refused() {
        let error = |text: &str| format!("{:#}", parse(text).unwrap_err());
        assert_eq!(error("a: b\n"), "it has no line `command: SHELL COMMAND`");
        assert_eq!(
            error("command: x\nlost\n"),
            "line 2: no colon and blank in \"lost\": write `CLASS: REGEX`"
        );
        assert!(error("a: (\n").starts_with("line 1: regex parse error"));
    }

    #[test]
    fn the_rules_file_that_comes_along_knows_what_compilers_say() {
        let rules = parse(include_str!("../refusals/compilers.txt")).unwrap();
        let check = |class, outputs: &[&str]| {
            for output in outputs {
                assert_eq!(rules.class(output.as_bytes()), class, "{output:?}");
            }
        };
        check(
            "lost name",
            &[
                "input.c: In function 'f':\ninput.c:3:5: error: 'x' undeclared (first use in this function)",
                "input.c:1:1: error: unknown type name 'T'; did you mean 'U'?",
                "input.c:1:1: error: 'struct s' has no member named 'a'",
                "input.c:2:3: error: label 'l' used but not defined",
                "input.c:2:3: error: expected specifier-qualifier-list before 'T'",
                "input.c:2:3: error: expected declaration specifiers or '...' before 'size_t'",
                "input.c:2:3: error: storage size of 's' isn't known",
                "input.c:2:3: error: invalid use of undefined type 'struct s'",
                "input.cc:2:3: error: 'std' has not been declared",
                "input.cc:2:3: error: 'x' was not declared in this scope",
                "input.go:3:4: undefined: x\ninput.go:5:6: y declared but not used",
                "input.go:3:4: x.f undefined (type T has no field or method f)",
                "input.go:3:4: label L not defined",
            ],
        );
        check(
            "unused name",
            &[
                "input.go:5:6: y declared but not used",
                "input.go:5:6: declared and not used: y",
                "input.go:3:2: \"fmt\" imported but not used",
                "input.go:3:2: \"fmt\" imported and not used",
                "input.go:9:1: label L defined and not used",
            ],
        );
        check(
            "syntax",
            &[
                "input.c:1:1: error: expected ';' before '}' token",
                "input.c:1:1: error: expected declaration specifiers or '...' before '(' token",
                "input.c:1:1: error: expected identifier or '(' before '{' token",
                "input.go:5:6: syntax error: unexpected }",
            ],
        );
        check("other error", &["input.c:1:1: error: void value not ignored", "input.go:1:1: missing return"]);
        check("another crash", &["input.c:9:9: internal compiler error: in foo, at foo.cc:1"]);
        check("compiles, no bug", &["", "\n"]);
    }

    #[test]
    fn each_class_is_counted() {
        let refusals = rules().count(&["lost", "fine", "lost", "other"]);
        let names = [("lost", 2), ("syntax", 0), ("fine", 1), ("other", 1)];
        assert_eq!(refusals, Refusals(names.map(|(name, count)| (name.to_owned(), count)).into()));
    }
}

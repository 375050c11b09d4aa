//! Splits a line into words, for the arguments of a configuration and the counting command.

use anyhow::bail;

/// The words of `line`: split at white space, except between double quotes, which are taken
/// away. There are no escapes, so a word cannot hold a double quote.
pub(crate) fn split(line: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        if c == '"' {
            quoted = !quoted;
            word.get_or_insert_default();
        } else if c.is_whitespace() && !quoted {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(c);
        }
    }
    if quoted {
        bail!("a double quote is not closed: close it (there are no escapes)");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn white_space_splits_and_double_quotes_keep_together() {
        let check = |line: &str, expect: &[&str]| assert_eq!(split(line).unwrap(), expect);
        check("", &[]);
        check("  --seed\t1 ", &["--seed", "1"]);
        check(r#"--test "a b" c"#, &["--test", "a b", "c"]);
        check(r#"--name="a b"c"#, &["--name=a bc"]);
        check(r#"--empty """#, &["--empty", ""]);
    }

    #[test]
    fn an_open_quote_is_an_error() {
        assert!(split(r#"--test "a b"#).unwrap_err().to_string().contains("not closed"));
    }
}

//! The published figures: `published.toml`.

use toml::{Table, Value};

/// All of them.
pub(crate) struct Published(Table);

impl Published {
    pub(crate) fn read() -> Self {
        Self(include_str!("../published.toml").parse().expect("a test reads the file that comes along"))
    }

    fn at(&self, path: &str) -> &Value {
        let mut names = path.split('.');
        let first = &self.0[names.next().unwrap_or_default()];
        names.fold(first, |value, name| &value[name])
    }

    /// The numbers at a path such as `cdd.c.size`; a number alone is one.
    pub(crate) fn numbers(&self, path: &str) -> Vec<f64> {
        let number = |value: &Value| {
            let whole = value.as_integer().map(|whole| whole as f64);
            whole.or_else(|| value.as_float()).expect("figures are numbers")
        };
        match self.at(path) {
            Value::Array(values) => values.iter().map(number).collect(),
            value => vec![number(value)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Published;

    #[test]
    fn figures_are_found_by_their_path() {
        let published = Published::read();
        assert_eq!(published.numbers("thesis.bug_c.hdd"), [86.0, 51.0]);
        assert_eq!(published.numbers("probdd.speeds")[1], 14.5);
        assert_eq!(published.numbers("cdd.violations.percent"), [1.11]);
    }
}

//! Values of options.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The value of that name; the parser has admitted no other.
pub(crate) fn named<T: Copy>(all: &[(&str, T)], name: &str) -> T {
    let found = all.iter().find(|(known, _)| *known == name);
    found.expect("the parser admits the names of this list only").1
}

/// The value of a name that may be missing.
pub(super) fn chosen<T: Copy>(all: &[(&str, T)], name: &Option<String>, default: T) -> T {
    name.as_ref().map_or(default, |name| named(all, name))
}

pub(super) fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a whole number above 0 is wanted".into())
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("a number between 0 and 1, both excluded, is wanted".into()),
    }
}

pub(super) fn share_or_one(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a number above 0 and up to 1 is wanted".into()),
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, 1.0));
    let seconds = number.parse().ok().map(|number: f64| number * factor).filter(|&seconds| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds above 0 is wanted, or one with m or h behind it for more".into())
}

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, 1));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    bytes.ok_or_else(|| "a number of bytes is wanted, with K, M or G behind it for more".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_have_a_unit() {
        for (text, expect) in [("1.5", 1.5), ("20s", 20.0), ("5m", 300.0), ("0.5h", 1800.0)] {
            assert_eq!(seconds(text), Ok(Duration::from_secs_f64(expect)), "{text}");
        }
        for text in ["", "0", "0m", "-1s", "NaN", "inf", "infs", "m", "5 m", "5M", "5min", "1e300h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_bytes_may_have_a_unit() {
        for (text, expect) in
            [("0", 0), ("1000", 1000), ("2K", 2 << 10), ("500M", 500 << 20), ("3G", 3 << 30)]
        {
            assert_eq!(bytes(text), Ok(expect), "{text}");
        }
        for text in ["", "K", "-1", "1.5G", "1k", "1GB", "99999999999G", "18446744073709551616"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}

//! Numbers between 0 and 1 with 256 binary places: far more than the machines have, and by other means.

use num_bigint::BigUint;

pub(super) const PLACES: u32 = 256;

/// How far two numbers are apart that are equal but for rounding.
pub(super) fn rounding() -> BigUint {
    one() >> 200u32
}

pub(super) fn one() -> BigUint {
    BigUint::from(1u8) << PLACES
}

/// What a decimal fraction says, such as 0.1.
pub(super) fn decimal(fraction: f64) -> BigUint {
    let written = fraction.to_string();
    let (whole, digits) = written.split_once('.').unwrap_or((&written, ""));
    let number: BigUint = format!("{whole}{digits}").parse().expect("digits");
    (number << PLACES) / BigUint::from(10u8).pow(digits.len() as u32)
}

pub(super) fn times(one: &BigUint, other: &BigUint) -> BigUint {
    (one * other) >> PLACES
}

/// The probability that all of these can go.
pub(super) fn pass<'a>(p: impl Iterator<Item = &'a BigUint>) -> BigUint {
    p.fold(one(), |pass, p| times(&pass, &(one() - p)))
}

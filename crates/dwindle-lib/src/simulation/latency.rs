//! How long simulated tests take.

use crate::driver::ContentKey;

/// How long tests take, in microseconds; a function of the content, so that the order in which
/// tests begin changes nothing.
#[derive(Clone, Copy, Debug)]
pub enum Latency {
    /// All the same.
    Fixed(u64),
    /// Anything in between, equally often.
    Uniform {
        /// The shortest.
        min: u64,
        /// The longest.
        max: u64,
        /// Which of the many such worlds.
        seed: u64,
    },
    /// Most are short and a few very long (a Pareto distribution with exponent 1.5).
    LongTailed {
        /// The shortest.
        min: u64,
        /// The longest.
        max: u64,
        /// Which of the many such worlds.
        seed: u64,
    },
}

impl Latency {
    /// The time that the test of this content takes.
    pub(super) fn of(self, key: &ContentKey) -> u64 {
        match self {
            Self::Fixed(micros) => micros,
            Self::Uniform { min, max, seed } => min + (share(key, seed) * (max - min) as f64) as u64,
            Self::LongTailed { min, max, seed } => {
                let micros = min as f64 * (1.0 - share(key, seed)).powf(-1.0 / 1.5);
                (micros as u64).min(max)
            }
        }
    }
}

/// A number in [0, 1) that looks random.
fn share(key: &ContentKey, seed: u64) -> f64 {
    let hash = blake3::Hasher::new().update(key).update(&seed.to_le_bytes()).finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    (u64::from_le_bytes(first) >> 11) as f64 / (1u64 << 53) as f64
}

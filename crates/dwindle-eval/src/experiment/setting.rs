//! A configuration of an experiment: what it is called in the papers, and what it is here.

use dwindle::Method;
use dwindle::core::{MinimizerConfig, MinimizerKind};

/// A configuration of dwindle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    /// Its name in tables.
    pub(crate) name: String,
    /// `tree`, or what a list is made of.
    format: &'static str,
    reducer: &'static str,
    minimizer: MinimizerConfig,
    /// Whether it draws at random, so that it is repeated with other seeds.
    pub(crate) random: bool,
    /// Whether it ends before its result is read anew. Only what runs in this process can.
    pub(crate) once: bool,
}

impl Setting {
    /// Lists of `format`.
    pub(crate) fn list(format: &'static str, minimizer: MinimizerKind) -> Self {
        let name = format!("{}, {format}", minimizer.name());
        Self {
            name,
            format,
            reducer: "list",
            minimizer: MinimizerConfig::new(minimizer),
            random: false,
            once: false,
        }
    }

    /// A search of the tree.
    pub(crate) fn tree(reducer: &'static str, minimizer: MinimizerKind) -> Self {
        let name = format!("{reducer}, {}", minimizer.name());
        let random = minimizer == MinimizerKind::ActiveCoarsen;
        Self {
            name,
            format: "tree",
            reducer,
            minimizer: MinimizerConfig::new(minimizer),
            random,
            once: false,
        }
    }

    /// With this share of elements that are assumed to stay.
    pub(crate) fn assuming(self, share: f64) -> Self {
        let name = format!("{} {share}", self.name);
        Self { name, minimizer: MinimizerConfig { sigma: share, p0: share, ..self.minimizer }, ..self }
    }

    /// One round of it.
    pub(crate) fn once(self) -> Self {
        Self { name: format!("{}, one round", self.name), once: true, ..self }
    }

    /// With ties broken at random.
    pub(crate) fn at_random(self) -> Self {
        let name = format!("{}, random", self.name);
        Self { name, minimizer: MinimizerConfig { random: true, ..self.minimizer }, random: true, ..self }
    }

    /// With this seed.
    pub(crate) fn seeded(&self, seed: u64) -> Self {
        Self { minimizer: MinimizerConfig { seed, ..self.minimizer }, ..self.clone() }
    }

    pub(crate) fn minimizer(&self) -> MinimizerConfig {
        self.minimizer
    }

    /// What the library calls it.
    pub(crate) fn method(&self) -> Method {
        Method::named(self.format, Some(self.reducer)).expect("settings name what there is")
    }

    /// What the command calls it.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let MinimizerConfig { kind, sigma, p0, random, seed, .. } = self.minimizer;
        let mut arguments: Vec<String> =
            ["--format", self.format, "--reducer", self.reducer, "--minimizer", kind.name()]
                .map(String::from)
                .to_vec();
        let mut flag = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
        match kind {
            MinimizerKind::ProbDd | MinimizerKind::WProbDd => flag("--sigma", sigma.to_string()),
            MinimizerKind::Cdd => flag("--p0", p0.to_string()),
            _ => {}
        }
        flag("--seed", seed.to_string());
        arguments.extend(random.then(|| "--random".to_owned()));
        arguments
    }
}

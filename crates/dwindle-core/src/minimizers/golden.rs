//! Replays the traces of `testdata/vectors.json`, which models of the papers computed: every
//! question, which of them a cache answers, and the probabilities behind them.
//!
//! The file calls element 1 bit 0 of a mask. Traces of the probabilistic machines and CDD list all
//! questions, the others only what is executed.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{AfterSuccess, Cdd, Ddmin, DdminOptions, Opdd, ProbDd, SplitTie, TieOrder, WProbDd, Wddmin};
use crate::{Minimizer, Outcome, Subset};

#[derive(Deserialize)]
struct Vectors {
    oracles: BTreeMap<String, Oracle>,
    weights: BTreeMap<String, Vec<u32>>,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Oracle {
    n: usize,
    passing_masks: BTreeSet<u32>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    algorithm: String,
    oracle: String,
    params: Params,
    steps: Vec<Step>,
    executed_tests: usize,
    result: u32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Params {
    subsets: Option<bool>,
    after_complement: Option<String>,
    p0: f64,
    forced_removals: Vec<u32>,
}

#[derive(Debug, Deserialize)]
struct Step {
    kept: u32,
    outcome: String,
    cached: bool,
    /// Rounded to six digits.
    p_after: Option<Vec<f64>>,
}

fn vectors(algorithm: &str) -> (Vectors, Vec<Vector>) {
    let mut all: Vectors = serde_json::from_str(include_str!("../../testdata/vectors.json")).unwrap();
    let vectors: Vec<Vector> = all.vectors.extract_if(.., |vector| vector.algorithm == algorithm).collect();
    assert!(!vectors.is_empty(), "no vectors for {algorithm}");
    (all, vectors)
}

fn mask(subset: &Subset) -> u32 {
    subset.iter().map(|position| 1 << position).sum()
}

fn subset(n: usize, mask: u32) -> Subset {
    let mut subset = Subset::full(n);
    subset.remove_all((0..n as u32).filter(|position| mask >> position & 1 == 0));
    subset
}

/// A machine, and what the probabilistic ones give to look at.
struct Inspected<M> {
    machine: M,
    probabilities: Option<fn(&M) -> Vec<f64>>,
    force: fn(&mut M, &Subset),
}

fn plain<M>(machine: M) -> Inspected<M> {
    Inspected { machine, probabilities: None, force: |_, _| {} }
}

fn check<M: Minimizer>(vector: &Vector, oracle: &Oracle, inspected: Inspected<M>) {
    let Inspected { mut machine, probabilities, force } = inspected;
    let name = &vector.name;
    let lists_all = ["probdd", "cdd", "wprobdd"].contains(&vector.algorithm.as_str());
    let mut seen = BTreeSet::new();
    let mut steps = vector.steps.iter();
    let mut forced = vector.params.forced_removals.iter();
    let mut model = vec![vector.params.p0; oracle.n];
    let mut executed = 0;
    while machine.ask().is_some() {
        if let Some(&removal) = forced.next() {
            force(&mut machine, &subset(oracle.n, removal));
        }
        let kept = mask(&machine.ask().unwrap());
        let removal = mask(machine.best()) & !kept;
        let interesting = oracle.passing_masks.contains(&kept);
        let cached = !seen.insert(kept);
        executed += usize::from(!cached);
        machine.tell(if interesting { Outcome::Interesting } else { Outcome::Uninteresting });
        if cached && !lists_all {
            continue;
        }
        let step = steps.next().unwrap_or_else(|| panic!("{name}: {kept:#b} is one question too many"));
        assert_eq!((kept, interesting, cached), (step.kept, step.outcome == "T", step.cached), "{name}");
        let (Some(probabilities), Some(p_after)) = (probabilities, &step.p_after) else { continue };
        update(&mut model, removal, interesting);
        for (element, (p, (exact, rounded))) in
            probabilities(&machine).iter().zip(model.iter().zip(p_after)).enumerate()
        {
            assert!((p - exact).abs() < 1e-12, "{name}: element {element} has {p}, not {exact}");
            assert!((p - rounded).abs() < 5.1e-7, "{name}: element {element} has {p}, not {rounded}");
        }
    }
    assert!(steps.next().is_none() && forced.next().is_none(), "{name} ends too early");
    assert_eq!((executed, mask(machine.best())), (vector.executed_tests, vector.result), "{name}");
}

/// Bayes' rule with plain products.
fn update(p: &mut [f64], removal: u32, interesting: bool) {
    let pass: f64 = (0..p.len()).filter(|i| removal >> i & 1 == 1).map(|i| 1.0 - p[i]).product();
    for i in (0..p.len()).filter(|i| removal >> i & 1 == 1) {
        p[i] = match interesting {
            true => 0.0,
            false if removal.count_ones() == 1 => 1.0,
            false => p[i] / (1.0 - pass),
        };
    }
}

#[test]
fn ddmin_replays_its_traces() {
    let (all, vectors) = vectors("ddmin");
    for vector in &vectors {
        let oracle = &all.oracles[&vector.oracle];
        let options = DdminOptions {
            subsets: vector.params.subsets.unwrap_or(true),
            after_success: match vector.params.after_complement.as_deref() {
                Some("continue") => AfterSuccess::Continue,
                _ => AfterSuccess::Restart,
            },
            ..DdminOptions::default()
        };
        check(vector, oracle, plain(Ddmin::new(oracle.n, options)));
    }
}

#[test]
fn opdd_replays_its_traces() {
    let (all, vectors) = vectors("opdd");
    for vector in &vectors {
        let oracle = &all.oracles[&vector.oracle];
        check(vector, oracle, plain(Opdd::new(oracle.n)));
    }
}

#[test]
fn probdd_replays_its_traces_and_those_of_the_papers() {
    let (all, vectors) = vectors("probdd");
    for vector in &vectors {
        let oracle = &all.oracles[&vector.oracle];
        let machine = ProbDd::new(oracle.n, vector.params.p0, TieOrder::Index);
        let force: fn(&mut ProbDd, &Subset) = ProbDd::force;
        check(vector, oracle, Inspected { machine, probabilities: Some(ProbDd::probabilities), force });
    }
}

#[test]
fn cdd_replays_its_traces() {
    let (all, vectors) = vectors("cdd");
    for vector in &vectors {
        let oracle = &all.oracles[&vector.oracle];
        check(vector, oracle, plain(Cdd::new(oracle.n, vector.params.p0)));
    }
}

#[test]
fn wddmin_replays_its_traces() {
    let (all, vectors) = vectors("wddmin");
    for vector in &vectors {
        let machine = Wddmin::new(&all.weights[&vector.oracle], SplitTie::Larger);
        check(vector, &all.oracles[&vector.oracle], plain(machine));
    }
}

#[test]
fn wprobdd_replays_its_traces() {
    let (all, vectors) = vectors("wprobdd");
    for vector in &vectors {
        let machine = WProbDd::new(&all.weights[&vector.oracle], vector.params.p0);
        let probabilities: Option<fn(&WProbDd) -> Vec<f64>> = Some(WProbDd::probabilities);
        check(vector, &all.oracles[&vector.oracle], Inspected { machine, probabilities, force: |_, _| {} });
    }
}

#[test]
fn every_vector_belongs_to_a_machine() {
    let (all, _) = vectors("ddmin");
    let machines = ["opdd", "probdd", "cdd", "wddmin", "wprobdd"];
    for vector in &all.vectors {
        assert!(machines.contains(&vector.algorithm.as_str()), "{} is not replayed", vector.name);
    }
}

//! What looking ahead on clones gains with each list minimiser: questions, the size of the result,
//! and the time with so many jobs, where each question takes one unit of time.
//!
//! It is a simulation, so nothing but the algorithms is measured:
//! `cargo bench -p dwindle-core --bench speedup -- [LENGTHS [JOBS [ORACLES [MACHINES]]]]`, lists with
//! commas. The driver it stands for keeps the jobs busy with the questions that are most likely to be
//! asked, where the outcome of one that is still being tested is predicted by a running average.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use dwindle_core::{AnyMinimizer, Minimizer, MinimizerConfig, MinimizerKind, Outcome, Subset};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

const ORACLES: [&str; 7] = ["0.5%", "5%", "30%", "clustered", "uses", "uses-far", "noise"];

/// Some elements are needed, and what an element uses has to be there as long as it is.
struct Oracle {
    needed: Subset,
    uses: Vec<Vec<usize>>,
    /// So many out of 256 candidates are refused at random.
    noise: u64,
    seed: u64,
}

impl Oracle {
    fn random(name: &str, n: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut needed = Subset::empty(n);
        let mut uses = vec![Vec::new(); n];
        let share = match name {
            "0.5%" => 0.005,
            "5%" | "noise" => 0.05,
            "30%" => 0.3,
            "clustered" => 0.01,
            "uses" | "uses-far" => 0.02,
            _ => panic!("{name} is none of {ORACLES:?}"),
        };
        for i in 0..n {
            if random.unit() < share {
                let cluster = if name == "clustered" { 1 + random.below(10) } else { 1 };
                (i..n.min(i + cluster)).for_each(|i| needed.insert(i));
            }
        }
        if needed.is_empty() {
            needed.insert(random.below(n));
        }
        if name.starts_with("uses") {
            for (i, uses) in uses.iter_mut().enumerate().skip(1) {
                for _ in 0..[0, 1, 1, 2][random.below(4)] {
                    let near = name == "uses" && random.unit() < 0.7;
                    let distance = 1 + (-(1.0 - random.unit()).ln() * 8.0) as usize;
                    uses.push(if near { i.saturating_sub(distance) } else { random.below(i) });
                }
            }
        }
        Self { needed, uses, noise: if name == "noise" { 26 } else { 0 }, seed }
    }

    fn outcome(&self, kept: &Subset) -> Outcome {
        let positions = kept.to_vec();
        let used = || positions.iter().flat_map(|&i| &self.uses[i as usize]);
        let hash = |hash: u64, &i: &u32| Random(hash ^ u64::from(i + 1)).next();
        let interesting = self.needed.iter().all(|i| kept.contains(i))
            && used().all(|&i| kept.contains(i))
            && (self.noise == 0 || positions.iter().fold(self.seed, hash) % 256 >= self.noise);
        if interesting { Outcome::Interesting } else { Outcome::Uninteresting }
    }
}

/// A state that the search may come to.
struct Node {
    /// How likely its question is asked, and how likely all the outcomes that lead to it are.
    useful: f64,
    path: f64,
    order: usize,
    machine: AnyMinimizer,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        self.useful.total_cmp(&other.useful).then(other.order.cmp(&self.order))
    }
}

struct Run {
    questions: usize,
    size: usize,
    time: usize,
}

fn run(mut machine: AnyMinimizer, oracle: &Oracle, jobs: usize) -> Run {
    let mut known: HashMap<Subset, (Outcome, bool)> = HashMap::new();
    let (mut interesting, mut told) = (0.5, 2.0);
    let (mut questions, mut time) = (0, 0);
    loop {
        while let Some(candidate) = machine.ask()
            && let Some((outcome, asked)) = known.get_mut(&candidate)
        {
            questions += usize::from(!std::mem::replace(asked, true));
            interesting = 0.98 * interesting + f64::from(u8::from(outcome.is_interesting()));
            told = 0.98 * told + 1.0;
            machine.tell(*outcome);
        }
        if machine.ask().is_none() {
            return Run { questions, size: machine.best().len(), time };
        }
        for candidate in look_ahead(&machine, &known, jobs, interesting / told) {
            let outcome = oracle.outcome(&candidate);
            known.insert(candidate, (outcome, false));
        }
        time += 1;
    }
}

/// The questions that are most likely to be asked, of those that are not `known`.
fn look_ahead(
    machine: &AnyMinimizer,
    known: &HashMap<Subset, (Outcome, bool)>,
    jobs: usize,
    interesting: f64,
) -> Vec<Subset> {
    let mut questions: Vec<Subset> = Vec::new();
    let mut heap = BinaryHeap::from([Node { useful: 1.0, path: 1.0, order: 0, machine: machine.clone() }]);
    let mut order = 0;
    while questions.len() < jobs
        && order <= 4 * jobs + 32
        && let Some(mut node) = heap.pop()
    {
        let Some(candidate) = node.machine.ask() else { continue };
        order += 1;
        if let Some((outcome, _)) = known.get(&candidate) {
            node.machine.tell(*outcome);
            heap.push(Node { order, ..node });
            continue;
        }
        if !questions.contains(&candidate) {
            questions.push(candidate);
        }
        let mut refused = node.machine.clone();
        refused.tell(Outcome::Uninteresting);
        node.machine.tell(Outcome::Interesting);
        // A question that comes next whatever the outcome is no less likely than this one.
        let same = refused.ask() == node.machine.ask();
        let (refusal, success) = (node.path * (1.0 - interesting), node.path * interesting);
        let useful = if same { node.useful } else { refusal };
        heap.push(Node { useful, path: refusal, order, machine: refused });
        order += 1;
        heap.push(Node { useful: success, path: success, order, machine: node.machine });
    }
    questions
}

fn machines(n: usize) -> Vec<(String, AnyMinimizer)> {
    let kinds = [
        MinimizerKind::Dfs,
        MinimizerKind::Splitting,
        MinimizerKind::ProbDd,
        MinimizerKind::Cdd,
        MinimizerKind::DdminComplement,
    ];
    let start = |kind: MinimizerKind| MinimizerConfig::new(kind).start(&vec![1; n]);
    kinds.map(|kind| (kind.name().to_owned(), start(kind))).into()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let list = |index: usize, default: &str| -> Vec<String> {
        let list = arguments.get(index).map_or(default, |list| list);
        list.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect()
    };
    let numbers = |list: Vec<String>| -> Vec<usize> {
        list.iter().map(|number| number.parse().expect("a list of numbers is wanted")).collect()
    };
    let (lengths, jobs) = (numbers(list(0, "3,10,30,100,500,2000")), numbers(list(1, "1,2,8,16,32,64")));
    let chosen = list(3, "");
    for oracle in list(2, &ORACLES.join(",")) {
        for &n in &lengths {
            let runs = (4000 / n).clamp(8, 200);
            println!("\n{oracle}, {n} elements, averages of {runs} runs");
            println!("{:20} questions   size  time with {jobs:?} jobs", "");
            for (name, machine) in machines(n) {
                if !chosen.is_empty() && !chosen.contains(&name) {
                    continue;
                }
                let average = |of: &dyn Fn(&Oracle) -> usize| {
                    let seeds = (0..runs as u64).map(|i| i * 7919 + 1);
                    let sum: usize = seeds.map(|seed| of(&Oracle::random(&oracle, n, seed))).sum();
                    sum as f64 / runs as f64
                };
                let questions = average(&|oracle| run(machine.clone(), oracle, 1).questions);
                let size = average(&|oracle| run(machine.clone(), oracle, 1).size);
                print!("{name:20} {questions:9.1} {size:6.1}  ");
                for &jobs in &jobs {
                    print!(" {:7.1}", average(&|oracle| run(machine.clone(), oracle, jobs).time));
                }
                println!();
            }
        }
    }
}

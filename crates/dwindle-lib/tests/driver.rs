//! What the driver promises of every search, in a simulated world.

use std::collections::HashSet;

use dwindle::core::passes::{Level, Pass, Schedule};
use dwindle::core::{
    Answer, AnySearch, Ask, MinimizerConfig, MinimizerKind, Outcome, PersesReducer, Search, Transform,
    Transforms, TreeOptions, TreeReducer, Variant,
};
use dwindle::driver::Candidate;
use dwindle::plan::{Options, plan};
use dwindle::read;
use dwindle::simulation::{Course, Latency, Line, Oracle, Structural, simulate};
use dwindle::{Document, FrontEnd, Method};

/// A program of functions that call each other; `f7` and `f13` are needed, and so is what they call.
fn front_end() -> FrontEnd {
    FrontEnd::named("c").expect("it is known")
}

fn program() -> (Vec<u8>, Structural) {
    let mut text = String::new();
    let mut dependencies = Vec::new();
    for i in 0..16 {
        let callee = (i * 7 + 3) % (i + 1);
        text += &format!(
            "int f{i}(int a{i}, int b{i}) {{ int c{i} = a{i} + {i}; return g{callee} (c{i}, b{i}); }}\n"
        );
        text += &format!("#define g{i} f{i}\n");
        dependencies.push((format!("g{callee}").into_bytes(), format!("f{callee}").into_bytes()));
        dependencies.push((format!("c{i}").into_bytes(), format!("a{i}").into_bytes()));
    }
    (text.into_bytes(), Structural { needed: vec![b"f7".into(), b"f13".into(), b"c12".into()], dependencies })
}

fn search(input: &[u8], method: Method, kind: MinimizerKind) -> AnySearch {
    planned(input, method, kind, Schedule::only(&[]))
}

fn planned(input: &[u8], method: Method, kind: MinimizerKind, schedule: Schedule) -> AnySearch {
    let mut options = Options::new(method);
    (options.minimizer, options.schedule) = (MinimizerConfig::new(kind), schedule);
    plan(&Document::file("a.c", 0, input.to_vec()), &options).search
}

fn methods() -> Vec<Method> {
    let usual = TreeReducer::ALL.map(|reducer| Method::Tree(reducer, TreeOptions::default()));
    let transformed =
        Method::Tree(TreeReducer::HddStar, Transform::ALL.into_iter().collect::<Transforms>().into());
    let trees = usual.into_iter().chain([transformed]);
    let perses = PersesReducer::ALL.into_iter().map(Method::Perses);
    [Method::LinesThenTokens, Method::DEFAULT].into_iter().chain(trees).chain(perses).collect()
}

const BUDGET: u64 = 150;

fn check(input: &[u8], method: Method, kind: MinimizerKind, oracle: impl Oracle + Clone) {
    check_search(&search(input, method, kind), input, &format!("{method:?} {kind:?}"), oracle);
}

fn check_search(search: &AnySearch, input: &[u8], name: &str, oracle: impl Oracle + Clone) {
    let run =
        |jobs, latency| simulate(search.clone(), front_end(), input, jobs, BUDGET, oracle.clone(), latency);
    let alone = run(1, Latency::Fixed(1000));
    assert_eq!(alone.begun as usize, alone.questions(), "{name}: one job begins nothing ahead");
    let worlds = [
        (1, Latency::Uniform { min: 10, max: 2000, seed: 0 }),
        (2, Latency::Uniform { min: 10, max: 2000, seed: 1 }),
        (8, Latency::LongTailed { min: 100, max: 100_000, seed: 2 }),
        (64, Latency::LongTailed { min: 100, max: 100_000, seed: 3 }),
    ];
    for (jobs, latency) in worlds {
        let course = run(jobs, latency);
        assert_eq!(course.json_lines(), alone.json_lines(), "{name} {jobs} {latency:?}");
        assert_eq!(course.result, alone.result);
    }
}

#[test]
fn traces_are_the_same_at_every_job_count_and_timing() {
    let (input, oracle) = program();
    for kind in MinimizerKind::ALL {
        check(&input, Method::LinesThenTokens, kind, oracle.clone());
        check(&input, Method::DEFAULT, kind, oracle.clone());
    }
    for method in methods() {
        for kind in [MinimizerKind::Ddmin, MinimizerKind::Dfs, MinimizerKind::WProbDd] {
            check(&input, method, kind, oracle.clone());
        }
    }
}

/// Says this or that by the hash of the content: no search can guess it.
#[derive(Clone)]
struct Arbitrary(u8);

impl Oracle for Arbitrary {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        let outcome = match candidate.key[0] {
            hash if hash < self.0 => Outcome::Interesting,
            hash if hash > 250 => Outcome::Unresolved,
            _ => Outcome::Uninteresting,
        };
        (outcome, None)
    }
}

/// The same, but its unresolved ones are so only beside others.
#[derive(Clone)]
struct Hurried(Arbitrary);

impl Oracle for Hurried {
    fn test(&mut self, candidate: &Candidate, beside: usize) -> (Outcome, Option<u64>) {
        match self.0.test(candidate, beside) {
            (Outcome::Unresolved, micros) if beside == 0 => (Outcome::Interesting, micros),
            answer => answer,
        }
    }
}

#[test]
fn traces_are_the_same_under_oracles_that_cannot_be_foreseen() {
    let (input, _) = program();
    for rarity in [30, 150] {
        for method in methods() {
            check(&input, method, MinimizerKind::Dfs, Arbitrary(rarity));
            check(&input, method, MinimizerKind::ProbDd, Arbitrary(rarity));
        }
    }
}

/// The same program, reduced by the passes of a level from the first question on.
fn with_passes(input: &[u8], kind: MinimizerKind, schedule: &Schedule) -> AnySearch {
    planned(input, Method::Perses(PersesReducer::Perses), kind, schedule.clone())
}

/// How many candidates `search` holds back until it is over.
fn held_back(mut search: AnySearch, mut oracle: impl Oracle) -> u64 {
    loop {
        let answer = match search.ask() {
            Ask::Done => return search.held_back(),
            Ask::Parse(variant, shape) => read::read(variant.render(), shape, front_end()),
            Ask::Test(variant) => match variant.is_smaller_than(search.best()) {
                true => Answer::Outcome(oracle.test(&Candidate::new(&variant), 0).0),
                false => Answer::Outcome(Outcome::Uninteresting),
            },
        };
        search.tell(answer);
    }
}

#[test]
fn passes_hold_back_what_parses_worse_and_the_proof_asks_about_every_token() {
    let (input, _) = program();
    for rarity in [20, 60] {
        let search = with_passes(&input, MinimizerKind::Dfs, &Schedule::of(Level::Default));
        let course =
            simulate(search.clone(), front_end(), &input, 1, 10_000, Arbitrary(rarity), Latency::Fixed(1));
        assert!(held_back(search, Arbitrary(rarity)) > 0, "{rarity}");
        let last = course.trace.iter().rev().take_while(|line| !line.kept);
        let refused: HashSet<&str> = last.map(|line| &line.content[..]).collect();
        let (tree, _) = read::tree(course.result.clone(), FrontEnd::named("c").unwrap());
        for token in 0..tree.text().len() {
            let mut alone = Variant::whole(tree.text().clone());
            alone.kept.remove(token);
            let key = Candidate::new(&alone).key;
            let content: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(refused.contains(&content[..]), "{rarity} {token}");
        }
    }
}

#[test]
fn traces_of_passes_are_the_same_at_every_job_count_and_timing() {
    let input = b"int f(int first) { return g((first), 42); } int second; int third = 15 - 50;";
    for level in [Level::Default, Level::Thorough] {
        for kind in [MinimizerKind::Dfs, MinimizerKind::ProbDd, MinimizerKind::Splitting] {
            let search = with_passes(input, kind, &Schedule::of(level));
            for rarity in [30, 150] {
                check_search(&search, input, &format!("{level:?} {kind:?}"), Arbitrary(rarity));
            }
            let needed = Structural { needed: vec![b"g".into(), b";".into()], dependencies: Vec::new() };
            check_search(&search, input, &format!("{level:?} {kind:?}"), needed);
        }
    }
}

#[test]
fn results_of_passes_are_interesting_and_each_smaller_than_the_one_before() {
    let (input, oracle) = program();
    for pass in Pass::ALL {
        let search = with_passes(&input, MinimizerKind::Dfs, &Schedule::only(&[pass]));
        let course = simulate(search, front_end(), &input, 1, 4000, oracle.clone(), Latency::Fixed(1000));
        let kept: Vec<_> = course.trace.iter().filter(|line| line.kept).collect();
        let size = |line: &Line| (line.size.tokens, line.size.bytes);
        assert!(kept.windows(2).all(|pair| size(pair[1]) <= size(pair[0])), "{pass:?}");
        let contents: HashSet<_> = kept.iter().map(|line| &line.content).collect();
        assert_eq!(contents.len(), kept.len(), "{pass:?}");
        let result = Candidate::of(course.result.clone(), dwindle::Size::of(&course.result));
        assert!(oracle.clone().test(&result, 0).0.is_interesting(), "{pass:?}");
    }
}

#[test]
fn the_fast_level_asks_what_deletion_asks() {
    let (input, oracle) = program();
    let method = Method::Perses(PersesReducer::Perses);
    let run = |search| simulate(search, front_end(), &input, 1, BUDGET, oracle.clone(), Latency::Fixed(1000));
    let fast = run(with_passes(&input, MinimizerKind::Dfs, &Schedule::of(Level::Fast)));
    assert_eq!(fast.json_lines(), run(search(&input, method, MinimizerKind::Dfs)).json_lines());
}

#[test]
fn a_test_that_runs_over_its_time_beside_others_is_run_again_alone() {
    let (input, _) = program();
    let method = Method::Tree(TreeReducer::Hddr, TreeOptions::default());
    let run = |jobs| {
        let search = search(&input, method, MinimizerKind::Dfs);
        simulate(search, front_end(), &input, jobs, BUDGET, Hurried(Arbitrary(30)), Latency::Fixed(1000))
    };
    let alone = run(1);
    assert!(alone.trace.iter().all(|line| line.outcome != "unresolved"));
    for jobs in [2, 8, 64] {
        assert_eq!(run(jobs).json_lines(), alone.json_lines(), "{jobs} jobs");
    }
}

#[test]
fn a_budget_is_kept_at_every_job_count() {
    let (input, oracle) = program();
    let run = |jobs| {
        let search = search(&input, Method::DEFAULT, MinimizerKind::Dfs);
        simulate(search, front_end(), &input, jobs, 50, oracle.clone(), Latency::Fixed(1000))
    };
    let courses = [1, 2, 8].map(run);
    assert!(
        courses.iter().all(|course: &Course| course.questions() == 50 && course.trace == courses[0].trace)
    );
    assert_eq!(courses[0].begun, 50);
}

#[test]
fn more_jobs_take_less_time() {
    let (input, oracle) = program();
    let micros = |jobs| {
        let search = search(&input, Method::DEFAULT, MinimizerKind::Dfs);
        simulate(search, front_end(), &input, jobs, BUDGET, oracle.clone(), Latency::Fixed(1000)).micros
            as f64
    };
    let alone = micros(1);
    let speedup = [2, 8, 64].map(|jobs| alone / micros(jobs));
    assert!(speedup[0] > 1.5 && speedup[1] > 2.5 && speedup[2] > speedup[1], "{speedup:?}");
}

#[test]
fn what_errors_are_made_of_is_searched_as_a_list() {
    // Nothing but errors, and no list among them.
    let input = ["[".repeat(2_000), "needle".to_owned(), "]".repeat(2_000)].concat().into_bytes();
    let oracle = Structural { needed: vec![b"needle".into()], dependencies: Vec::new() };
    let search = search(&input, Method::DEFAULT, MinimizerKind::default());
    let course = simulate(search, front_end(), &input, 1, 1_000, oracle, Latency::Fixed(1));
    assert!(course.result.len() < 16, "{}", course.result.escape_ascii());
    assert!(course.questions() < 60, "{}", course.questions());
}

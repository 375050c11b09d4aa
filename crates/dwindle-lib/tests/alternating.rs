//! A text that its grammar misreads is deleted from by two readings in turns.

use std::collections::BTreeMap;

use dwindle::core::{Answer, AnySearch, Ask, Outcome, Search, Shape, Tuning};
use dwindle::plan::{Options, Plan, plan};
use dwindle::simulation::{Latency, Structural, simulate};
use dwindle::{Document, Method};

/// Namespaces with a macro that the grammar of C++ does not know there, so that their blocks are nobody's.
fn misread(namespaces: usize) -> String {
    let namespace = |i: usize| {
        format!(
            "namespace n{i} EXPORTED {{\n\
             struct s{i} {{ int m; }};\ninline int f{i}(s{i} *p) {{ return p->m + {i}; }}\n}}\n"
        )
    };
    (0..namespaces).map(namespace).collect()
}

fn planned(text: &str) -> Plan {
    plan(&Document::file("a.cc", 0, text.as_bytes().into()), &Options::new(Method::DEFAULT))
}

/// Whether each namespace is whole or gone, and `f7` is there.
fn interesting(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let count = |word: &str| text.matches(word).count();
    let heads = count("namespace");
    text.contains("f7") && heads == count("EXPORTED") && heads == count("inline") && heads == count("struct")
}

#[test]
fn what_the_grammar_misreads_goes_by_brackets() {
    let Plan { mut search, front_end, effective, .. } = planned(&misread(60));
    if front_end.is_none_or(|front_end| front_end.name() != "cpp") {
        return;
    }
    assert!(effective.syntax_errors >= Some(60), "{:?}", effective.syntax_errors);
    assert!(matches!(search, AnySearch::Passes(_)));
    let (mut questions, mut readings) = (0, BTreeMap::new());
    loop {
        let answer = match search.ask() {
            Ask::Test(candidate) => {
                questions += 1;
                let smaller = candidate.is_smaller_than(search.best());
                let yes = smaller && interesting(&candidate.render());
                Answer::Outcome(if yes { Outcome::Interesting } else { Outcome::Uninteresting })
            }
            Ask::Parse(variant, shape) => {
                let by_brackets = shape == Shape::Brackets;
                *readings.entry(by_brackets).or_insert(0) += 1;
                dwindle_read::read(variant.render(), shape, front_end.expect("C++"))
            }
            Ask::Done => break,
        };
        search.tell(answer);
    }
    let result = search.best().render();
    assert!(interesting(&result));
    assert!(readings.contains_key(&true), "{readings:?}");
    assert!(
        search.best().tokens() < Some(60),
        "{questions} {readings:?} {}",
        String::from_utf8_lossy(&result)
    );
}

#[test]
fn readings_take_turns_alike_at_every_job_count() {
    let text = misread(40);
    let run = |jobs| {
        let Plan { search, front_end, .. } = planned(&text);
        let oracle = Structural { needed: vec![b"f7".into(), b"m".into()], dependencies: Vec::new() };
        let latency = Latency::Fixed(1);
        simulate(search, front_end.expect("a tree"), text.as_bytes(), jobs, 10_000, oracle, latency)
    };
    let alone = run(1);
    for jobs in [2, 8] {
        let course = run(jobs);
        assert_eq!((course.result, course.trace), (alone.result.clone(), alone.trace.clone()), "{jobs}");
    }
}

#[test]
fn a_large_text_that_is_misread_and_has_become_small_is_searched_as_if_nothing_were_known_of_it() {
    // A statement has three tokens. What must stay are more than 1,000 tokens, and fewer than an eighth of all.
    let text: String = (0..3200).map(|i| format!("int a{i};\n")).collect::<String>() + &misread(4);
    let needed: String = (0..340).map(|i| format!("int a{i};\n")).collect();
    let questions_of_sweeps = |forgets: usize| {
        let mut options = Options::new(Method::DEFAULT);
        options.tuning.turns.forgets = forgets;
        let Plan { mut search, front_end, .. } =
            plan(&Document::file("a.cc", 0, text.clone().into()), &options);
        let mut labels = Vec::new();
        while labels.len() < 400 {
            let answer = match search.ask() {
                Ask::Test(candidate) => {
                    labels.push(search.label());
                    let yes = String::from_utf8_lossy(&candidate.render()).contains(needed.trim_end());
                    Answer::Outcome(if yes { Outcome::Interesting } else { Outcome::Uninteresting })
                }
                Ask::Parse(variant, shape) => {
                    dwindle_read::read(variant.render(), shape, front_end.expect("C++"))
                }
                Ask::Done => break,
            };
            search.tell(answer);
        }
        labels.iter().filter(|label| **label == "backwards sweep").count()
    };
    let (once, again) = (questions_of_sweeps(10), questions_of_sweeps(Tuning::DEFAULT.turns.forgets));
    assert!(0 < once && once < again, "{once} {again}");
}

#[test]
fn a_text_without_errors_has_one_reading() {
    let clean = "int f(int a) { return a + 1; }\n".repeat(40);
    let Plan { mut search, front_end, effective, .. } = planned(&clean);
    assert_eq!(effective.syntax_errors, None);
    loop {
        let answer = match search.ask() {
            Ask::Test(_) => Answer::Outcome(Outcome::Uninteresting),
            Ask::Parse(variant, shape) => {
                assert_ne!(shape, Shape::Brackets);
                dwindle_read::read(variant.render(), shape, front_end.expect("a tree"))
            }
            Ask::Done => break,
        };
        search.tell(answer);
    }
}

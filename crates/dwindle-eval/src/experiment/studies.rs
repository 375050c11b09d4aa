//! What a trace says beside sizes and times: the studies of the papers.

use std::collections::HashMap;

use dwindle::trace::{Line, List, Question};
use serde::{Deserialize, Serialize};

use crate::statistics::{Pair, mean, spearman};

/// Questions and successes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) questions: u64,
    pub(crate) successes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.successes += other.successes;
    }
}

/// The classes of questions of a list minimiser (section IV-F of the CDD paper).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Classes {
    /// What is kept is less than half of the list.
    pub(crate) complement: Count,
    /// The same elements were tried in the same list before.
    pub(crate) revisit: Count,
    pub(crate) other: Count,
}

/// What the studies need of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Studies {
    /// Of the questions that a test answered, and that are about lists.
    pub(crate) classes: Classes,
    /// For each list of which something was deleted: the correlation of weight and share deleted.
    pub(crate) correlations: Vec<f64>,
    /// The mean share of the list that a question takes, in each tenth of the questions about it; of lists of at least
    /// 20 questions.
    pub(crate) sizes: Vec<Option<f64>>,
    /// Each time that the result became smaller: questions, seconds, tokens.
    pub(crate) curve: Vec<(u64, f64, u64)>,
}

/// A list, and what was asked about it.
struct Execution<'a> {
    list: &'a List,
    questions: Vec<&'a Question>,
}

/// The lists of a trace, in order.
fn executions(lines: &[Line]) -> Vec<Execution<'_>> {
    let mut all: Vec<Execution<'_>> = Vec::new();
    for line in lines {
        match line {
            Line::List(list) => all.push(Execution { list, questions: Vec::new() }),
            Line::Question(question) if question.of.is_some() => {
                all.iter_mut().next_back().into_iter().for_each(|list| list.questions.push(question));
            }
            Line::Question(_) => {}
        }
    }
    all
}

impl Execution<'_> {
    fn classes(&self) -> Classes {
        let mut classes = Classes::default();
        let mut seen: HashMap<&[(u32, u32)], ()> = HashMap::new();
        for question in &self.questions {
            let Some(of) = &question.of else { continue };
            let kept = of.standing - of.positions().count() as u64;
            let is_complement = 2 * kept < of.standing && kept > 0;
            let class = match (is_complement, !is_complement && seen.insert(&of.removed, ()).is_some()) {
                (true, _) => &mut classes.complement,
                (_, true) => &mut classes.revisit,
                _ => &mut classes.other,
            };
            if question.from == "test" {
                class.add(Count { questions: 1, successes: u64::from(question.accepted) });
            }
        }
        classes
    }

    /// Spearman's ρ of the weights of the list and the share of each weight that was deleted (section IV-A of the WDD
    /// paper).
    fn correlation(&self) -> Option<f64> {
        let mut deleted = vec![false; self.list.weights.len()];
        for question in self.questions.iter().filter(|question| question.accepted) {
            let positions = question.of.iter().flat_map(|of| of.positions());
            positions.for_each(|position| deleted[position as usize] = true);
        }
        let mut by_weight: HashMap<u32, (f64, f64)> = HashMap::new();
        for (&weight, &deleted) in self.list.weights.iter().zip(&deleted) {
            let (gone, all) = by_weight.entry(weight).or_default();
            *all += 1.0;
            *gone += f64::from(u8::from(deleted));
        }
        let pairs: Vec<Pair> =
            by_weight.iter().map(|(&weight, (gone, all))| (f64::from(weight), gone / all)).collect();
        spearman(&pairs).filter(|_| deleted.contains(&true))
    }
}

/// How many parts the questions about a list are cut into.
const PARTS: usize = 10;

impl Studies {
    /// What `lines` say.
    pub(crate) fn of(lines: &[Line]) -> Self {
        let executions = executions(lines);
        let mut classes = Classes::default();
        let mut sizes = vec![Vec::new(); PARTS];
        for execution in &executions {
            let own = execution.classes();
            classes.complement.add(own.complement);
            classes.revisit.add(own.revisit);
            classes.other.add(own.other);
            let count = execution.questions.len();
            for (number, question) in execution.questions.iter().enumerate().filter(|_| count >= 2 * PARTS) {
                let of = question.of.iter().next();
                let share = of.map(|of| of.positions().count() as f64 / self_len(execution) as f64);
                sizes[number * PARTS / count].extend(share);
            }
        }
        let questions = lines.iter().filter_map(|line| match line {
            Line::Question(question) => Some(question),
            Line::List(_) => None,
        });
        let (mut curve, mut best, mut asked) = (Vec::new(), u64::MAX, 0);
        for question in questions {
            asked += u64::from(question.from == "test");
            if question.accepted && question.size.tokens < best {
                best = question.size.tokens;
                curve.push((asked, question.at, best));
            }
        }
        Self {
            classes,
            correlations: executions.iter().filter_map(Execution::correlation).collect(),
            sizes: sizes.iter().map(|shares| mean(shares)).collect(),
            curve,
        }
    }
}

fn self_len(execution: &Execution<'_>) -> usize {
    execution.list.elements.len().max(1)
}

#[cfg(test)]
mod tests {
    use dwindle::core::{MinimizerConfig, MinimizerKind};
    use dwindle::trace::Lines;
    use dwindle::{Method, Reducer};

    use super::*;

    /// The first list of ddmin over eight lines.
    fn ddmin(interesting: impl Fn(&str) -> bool) -> Vec<Line> {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let mut trace = Lines::default();
        let digits = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\n', "");
        Reducer::new(text)
            .method(Method::named("lines", None).unwrap())
            .minimizer(MinimizerConfig::new(MinimizerKind::Ddmin))
            .run_traced(|candidate| interesting(&digits(candidate)), &mut trace)
            .unwrap();
        let second = trace.lines.iter().position(|line| matches!(line, Line::List(list) if list.list == 2));
        trace.lines[..second.unwrap_or(trace.lines.len())].to_vec()
    }

    #[test]
    fn the_published_examples_have_their_classes() {
        let has = |text: &str, digit: char| text.contains(digit);
        let w8 = |text: &str| "13678".chars().all(|digit| has(text, digit));
        let crash = |text: &str| {
            let needs = |digit: char, of: &[char]| !has(text, digit) || of.iter().all(|&of| has(text, of));
            has(text, '8')
                && needs('2', &['1'])
                && needs('3', &['2'])
                && needs('4', &['1'])
                && needs('6', &['3', '4'])
                && needs('7', &['1', '4', '6'])
                && (has(text, '5') || has(text, '7'))
        };
        let classes = |lines: Vec<Line>| {
            let Classes { complement, revisit, other } = Studies::of(&lines).classes;
            [other, complement, revisit].map(|count| (count.questions, count.successes))
        };
        assert_eq!(classes(ddmin(crash)), [(13, 1), (12, 0), (4, 0)]);
        assert_eq!(classes(ddmin(w8)), [(14, 3), (12, 0), (4, 0)]);
    }

    #[test]
    fn heavier_elements_that_stay_give_a_negative_correlation() {
        let list = List { list: 1, elements: vec![0, 1, 2, 3], weights: vec![1, 2, 3, 3] };
        let mut lines = ddmin(|text| text.contains('8'));
        let Some(Line::Question(question)) = lines.iter().rfind(|line| matches!(line, Line::Question(_)))
        else {
            panic!("there are questions")
        };
        let mut question = question.clone();
        question.of = Some(dwindle::trace::OfList { list: 1, standing: 4, removed: vec![(0, 2)], weight: 3 });
        question.accepted = true;
        lines = vec![Line::List(list), Line::Question(question)];
        let rho = Studies::of(&lines).correlations[0];
        assert!((rho + 0.866).abs() < 1e-3, "{rho}");
    }
}

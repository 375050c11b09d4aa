//! Why some directions are not those of the papers: experiments that change one thing each.

use dwindle::core::MinimizerKind::{self, ActiveCoarsen, Ddmin, ProbDd, WProbDd};

use super::lab::{Column, Figure, Figures, Lab, QUESTIONS, TOKENS, change, less, p_value};
use super::measure::Input;
use super::setting::Setting;
use super::subjects::{Subject, TextOrder, document, ordered_program, program};
use crate::page::{Page, Table, short};
use crate::statistics::wilcoxon;

/// How many inputs there are of each kind: enough for a test of significance.
const INPUTS: u64 = 15;
/// The functions of a program, and the elements of a document: a list of each is long enough for questions of all sizes.
const FUNCTIONS: usize = 16;
const ELEMENTS: usize = 48;

/// Runs on inputs that are built in, whatever cases are named for other experiments.
pub(super) fn run(lab: &mut Lab<'_>, page: &mut Page) -> anyhow::Result<()> {
    page.notes.push(
        "It always runs on inputs that are built in. The programs are the same functions and variables in another order, \
         or with a test that wants no declarations; \"at ProbDD's end\" is what ddmin leaves after as many questions as \
         ProbDD asks."
            .to_owned(),
    );
    let asked = std::mem::take(&mut lab.inputs);
    let outcome = dependencies(lab, page).and_then(|()| weights(lab, page));
    lab.inputs = asked;
    outcome
}

fn inputs(subject: impl Fn(u64) -> Subject) -> Vec<Input> {
    (1..=INPUTS).map(|seed| Input::Own(Box::new(subject(seed)))).collect()
}

/// What the order of the text, and what elements of a list need of each other, do to one run of HDD and to ties that are
/// broken at random.
fn dependencies(lab: &mut Lab<'_>, page: &mut Page) -> anyhow::Result<()> {
    let settings = [
        Setting::tree("hdd", Ddmin),
        Setting::tree("hdd", ActiveCoarsen),
        Setting::tree("hdd", ProbDd),
        Setting::tree("hdd*", ProbDd),
        Setting::tree("hdd*", ProbDd).at_random(),
    ];
    let mut table = Table::new(
        "Programs: geometric means of tokens / questions",
        &[
            "text",
            "hdd, ddmin",
            "at ProbDD's end",
            "hdd, active-coarsen",
            "hdd, probdd",
            "hdd*, probdd",
            "hdd*, probdd, random",
        ],
    );
    let ordered = |order| inputs(|seed| ordered_program(seed, FUNCTIONS, order));
    let unlinked = inputs(|seed| ordered_program(seed, FUNCTIONS, TextOrder::Callees).without_links());
    for (name, programs) in [
        ("callees first", ordered(TextOrder::Callees)),
        ("callers first", ordered(TextOrder::Callers)),
        ("shuffled", ordered(TextOrder::Shuffled)),
        ("no declarations wanted", unlinked),
    ] {
        lab.inputs = programs;
        let columns = lab.columns(None, &settings)?;
        let [ddmin, coarsen, once, star, random] = &columns[..] else {
            unreachable!("there are five settings")
        };
        let mut stopped = ddmin.clone();
        for (figures, probdd) in stopped.figures.iter_mut().zip(&once.figures) {
            figures.questions = figures.questions.min(probdd.questions);
            let curve = &figures.runs[0].studies.curve;
            let then = curve.iter().rfind(|(questions, ..)| *questions as f64 <= figures.questions);
            figures.tokens = then.map_or(figures.before, |(.., tokens)| *tokens as f64);
        }
        let cells = [ddmin, &stopped, coarsen, once, star, random]
            .map(|column| format!("{} / {}", short(column.mean(TOKENS)), short(column.mean(QUESTIONS))));
        table.row([name.to_owned()].into_iter().chain(cells));
        for (other, what) in
            [(ddmin, "ddmin"), (&stopped, "ddmin at ProbDD's end"), (coarsen, "ActiveCoarsen")]
        {
            page.claim(
                &format!("{name}: ProbDD leaves less than {what} in one run of HDD"),
                "yes",
                compared(other, once, TOKENS),
                less(other, once, TOKENS),
            );
        }
        page.claim(
            &format!("{name}: randomness makes no difference to the questions of ProbDD"),
            "p = 0.1",
            compared(star, random, QUESTIONS),
            Some(!differ(star, random, QUESTIONS)),
        );
    }
    page.tables.push(table);
    Ok(())
}

/// What of WProbDD's questions comes from the rule for ties, and what from the weights.
fn weights(lab: &mut Lab<'_>, page: &mut Page) -> anyhow::Result<()> {
    let mut table = Table::new(
        "ProbDD and WProbDD: geometric means of questions, and means of the tokens that are left, over the questions of \
         the slower",
        &["inputs", "lists", "p0", "ProbDD asks", "WProbDD asks", "ProbDD leaves", "WProbDD leaves"],
    );
    type Lists = fn(MinimizerKind) -> Setting;
    let tokens: (&str, Lists) = ("tokens (all weigh 1)", |kind| Setting::list("tokens", kind));
    let nodes: (&str, Lists) = ("hdd*", |kind| Setting::tree("hdd*", kind));
    let perses: (&str, Lists) = ("perses", |kind| Setting::tree("perses", kind));
    for (what, subject, lists) in [
        ("programs", (|seed| program(seed, FUNCTIONS)) as fn(u64) -> Subject, vec![tokens, nodes, perses]),
        ("documents", |seed| document(seed, ELEMENTS), vec![nodes, perses]),
    ] {
        lab.inputs = inputs(subject);
        for (list, with) in lists {
            // A quarter is where a prefix of three elements promises as much as one of four.
            for p0 in [0.25, 0.24] {
                let columns = lab.columns(None, &[with(ProbDd).assuming(p0), with(WProbDd).assuming(p0)])?;
                let [plain, weighted] = &columns[..] else { unreachable!("there are two settings") };
                let left_until = |figures: &Figures, until| {
                    mean_left(figures.before, &figures.runs[0].studies.curve, until)
                };
                let (mut left, mut left_weighted) = (0.0, 0.0);
                for (plain, weighted) in plain.figures.iter().zip(&weighted.figures) {
                    let until = plain.questions.max(weighted.questions);
                    left += left_until(plain, until) / INPUTS as f64;
                    left_weighted += left_until(weighted, until) / INPUTS as f64;
                }
                let figures =
                    [plain.mean(QUESTIONS), weighted.mean(QUESTIONS), left, left_weighted].map(short);
                table.row([what.to_owned(), list.to_owned(), p0.to_string()].into_iter().chain(figures));
                page.claim(
                    &format!("{what}, {list}, p0 = {p0}: WProbDD asks fewer questions than ProbDD"),
                    "fewer seconds",
                    compared(plain, weighted, QUESTIONS),
                    less(plain, weighted, QUESTIONS),
                );
            }
        }
    }
    page.tables.push(table);
    Ok(())
}

fn pairs(first: &Column, second: &Column, figure: Figure) -> Vec<(f64, f64)> {
    first.all(figure).into_iter().zip(second.all(figure)).collect()
}

fn differ(first: &Column, second: &Column, figure: Figure) -> bool {
    wilcoxon(&pairs(first, second, figure)).is_some_and(|test| test.p < 0.05)
}

/// By how much `second` differs from `first`, and how sure that is.
fn compared(first: &Column, second: &Column, figure: Figure) -> String {
    let test = wilcoxon(&pairs(first, second, figure));
    test.map_or("equal".to_owned(), |test| {
        format!("{}, p = {}", change(first, second, figure).0, p_value(test.p))
    })
}

/// The mean of the tokens that are left, from the first question until so many have been asked; the curve has questions,
/// seconds and tokens where it falls.
fn mean_left(before: f64, curve: &[(u64, f64, u64)], until: f64) -> f64 {
    let (mut sum, mut at, mut left) = (0.0, 0.0, before);
    for &(questions, _, tokens) in curve {
        sum += left * (questions as f64 - at);
        (at, left) = (questions as f64, tokens as f64);
    }
    (sum + left * (until - at)) / until
}

#[cfg(test)]
mod tests {
    use super::mean_left;

    #[test]
    fn the_mean_is_over_questions() {
        assert_eq!(mean_left(10.0, &[(2, 0.0, 6), (3, 0.0, 2)], 4.0), (10.0 * 2.0 + 6.0 + 2.0) / 4.0);
    }
}

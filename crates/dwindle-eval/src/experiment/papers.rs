//! The experiments of the papers.

use dwindle::core::MinimizerKind::{self, ActiveCoarsen, Cdd, Ddmin, ProbDd, WProbDd, Wddmin};

use super::audit::{Violations, audit};
use super::lab::{
    BY_QUESTION, Column, Lab, QUESTIONS, SECONDS, SPEED, TOKENS, change, less, no_more, p_value,
};
use super::measure::Input;
use super::reasons;
use super::setting::Setting;
use super::simulation;
use super::studies::{Classes, Count};
use super::subjects::Suite;
use crate::page::{Page, Table, short};
use crate::statistics::{mean, wilcoxon};

type Outcome = anyhow::Result<()>;

/// An experiment.
pub(crate) struct Experiment {
    /// The name by which it is asked for.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) run: fn(&mut Lab<'_>, &mut Page) -> Outcome,
}

/// All of them.
pub(crate) const ALL: [Experiment; 17] = [
    Experiment {
        name: "thesis-4.1",
        title: "Thesis, table 4.1: C programs by ddmin, HDD, HDD*",
        run: thesis_c,
    },
    Experiment {
        name: "thesis-4.2",
        title: "Thesis, table 4.2: XML documents by ddmin, HDD, HDD*",
        run: thesis_xml,
    },
    Experiment {
        name: "thesis-5.1",
        title: "Thesis, table 5.1: syntax errors among the tests",
        run: thesis_errors,
    },
    Experiment { name: "probdd-rq1", title: "ProbDD, RQ1: ProbDD against ddmin in HDD", run: probdd_rq1 },
    Experiment { name: "probdd-rq2", title: "ProbDD, RQ2: the initial probability", run: probdd_rq2 },
    Experiment { name: "probdd-rq3", title: "ProbDD, RQ3: against ActiveCoarsen", run: probdd_rq3 },
    Experiment { name: "cdd-tables", title: "CDD, tables IV and V: ddmin, ProbDD, CDD", run: cdd_tables },
    Experiment {
        name: "cdd-random",
        title: "CDD, Finding 3: ProbDD with and without randomness",
        run: cdd_random,
    },
    Experiment { name: "cdd-classes", title: "CDD, Finding 4: classes of questions", run: cdd_classes },
    Experiment {
        name: "cdd-minimality",
        title: "CDD, Finding 2: 1-minimality of lists and runs",
        run: cdd_minimality,
    },
    Experiment { name: "cdd-sizes", title: "CDD, Lemmas III.1 and III.2: sizes of removals", run: cdd_sizes },
    Experiment {
        name: "wdd-simulation",
        title: "WDD, IV-D: Wddmin against ddmin on random lists",
        run: simulation::run,
    },
    Experiment { name: "wdd-spearman", title: "WDD, RQ1: weight against deletion", run: wdd_spearman },
    Experiment { name: "wdd-hdd", title: "WDD, RQ2 and RQ3 in HDD, with and without fixpoint", run: wdd_hdd },
    Experiment {
        name: "wdd-perses",
        title: "WDD, RQ2 and RQ3 in Perses, with and without fixpoint",
        run: wdd_perses,
    },
    Experiment {
        name: "reasons",
        title: "Reasons for other directions: order of the text, ties, weights",
        run: reasons::run,
    },
    Experiment { name: "limit", title: "Questions over the least that the tree allows", run: limit },
];

fn thesis(lab: &mut Lab<'_>, page: &mut Page, suite: Suite, published: [(&str, &str); 3]) -> Outcome {
    let settings = [
        Setting::list("chars", Ddmin),
        Setting::list("lines", Ddmin),
        Setting::tree("hdd", Ddmin),
        Setting::tree("hdd*", Ddmin),
    ];
    let columns = lab.columns(Some(suite), &settings)?;
    lab.compare(page, "ddmin, HDD, HDD*", &columns)?;
    let [chars, lines, hdd, star] = &columns[..] else { unreachable!("there are four settings") };
    let [tests, size, again] = published;
    let text = |path: &str| -> String {
        let figures: Vec<String> = lab.published.numbers(path).iter().map(|figure| short(*figure)).collect();
        figures.join(" tests, size ")
    };
    page.claim(
        "HDD asks fewer questions than ddmin by characters",
        format!("{} / {}", text(tests.0), text(tests.1)),
        change(chars, hdd, QUESTIONS).0,
        less(chars, hdd, QUESTIONS),
    );
    page.claim(
        "HDD leaves less than ddmin by lines",
        format!("{} / {}", text(size.0), text(size.1)),
        change(lines, hdd, TOKENS).0,
        less(lines, hdd, TOKENS),
    );
    page.claim(
        "HDD* leaves no more than HDD, for more questions",
        format!("{} / {}", text(again.0), text(again.1)),
        format!("tokens {}, questions {}", change(hdd, star, TOKENS).0, change(hdd, star, QUESTIONS).0),
        no_more(hdd, star, TOKENS)
            .zip(no_more(star, hdd, QUESTIONS))
            .map(|(tokens, questions)| tokens && questions),
    );
    Ok(())
}

fn thesis_c(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let bug = ("thesis.bug_c.ddmin", "thesis.bug_c.hdd");
    thesis(lab, page, Suite::C, [bug, bug, ("thesis.boom7_c.hdd", "thesis.boom7_c.hdd_star")])
}

fn thesis_xml(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let ui = "thesis.uiwrapper_xsl";
    let path = |name: &str| format!("{ui}.{name}");
    let [ddmin, line, hdd, star] = ["ddmin", "ddmin_line", "hdd", "hdd_star"].map(path);
    thesis(lab, page, Suite::Xml, [(&ddmin, &hdd), (&line, &hdd), (&hdd, &star)])
}

fn thesis_errors(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let settings = [Setting::list("chars", Ddmin), Setting::tree("hdd", Ddmin)];
    let columns = lab.columns(Some(Suite::C), &settings)?;
    lab.compare(page, "ddmin and HDD", &columns)?;
    let share = |column: &Column| {
        let run =
            |figures: &super::lab::Figures| figures.runs[0].invalid.map(|bad| bad as f64 / figures.questions);
        mean(&column.figures.iter().filter_map(run).collect::<Vec<_>>())
    };
    let [chars, hdd] = [0, 1].map(|column| share(&columns[column]));
    let errors = lab.published.numbers("thesis.sha1_java.ddmin_syntax_errors")[0];
    let all = lab.published.numbers("thesis.sha1_java.ddmin")[0];
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    page.claim(
        "most tests of ddmin by characters are syntax errors",
        format!("{:.1} % (SHA1.java)", 100.0 * errors / all),
        percent(chars),
        chars.map(|share| share > 0.5),
    );
    page.claim("tests of HDD are not", "0 %", percent(hdd), hdd.map(|share| share < 0.05));
    page.notes.push("The grammar that makes the tree also says what a syntax error is.".to_owned());
    Ok(())
}

fn probdd_rq1(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let columns = lab.columns(None, &[Setting::tree("hdd", Ddmin), Setting::tree("hdd", ProbDd)])?;
    lab.compare(page, "ddmin and ProbDD in HDD", &columns)?;
    let [ddmin, probdd] = &columns[..] else { unreachable!("there are two settings") };
    let was = lab.published.numbers("probdd.ddmin");
    let (sizes, speeds) = (lab.published.numbers("probdd.sizes"), lab.published.numbers("probdd.speeds"));
    page.claim(
        "ProbDD leaves less",
        format!("{} → {} tokens", was[0], sizes[2]),
        change(ddmin, probdd, TOKENS).0,
        less(ddmin, probdd, TOKENS),
    );
    page.claim(
        "ProbDD removes more tokens with a question (in the paper: in a second)",
        format!("{} → {}", was[1], speeds[2]),
        change(ddmin, probdd, BY_QUESTION).0,
        less(probdd, ddmin, BY_QUESTION),
    );
    page.claim(
        "ProbDD asks fewer questions",
        "(time)",
        change(ddmin, probdd, QUESTIONS).0,
        less(ddmin, probdd, QUESTIONS),
    );
    Ok(())
}

fn probdd_rq2(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let sigmas = lab.published.numbers("probdd.sigmas");
    let settings = sigmas.iter().map(|&sigma| Setting::tree("hdd", ProbDd).assuming(sigma));
    let settings: Vec<Setting> = [Setting::tree("hdd", Ddmin)].into_iter().chain(settings).collect();
    let columns = lab.columns(None, &settings)?;
    lab.compare(page, "ProbDD by initial probability", &columns)?;
    let mut table = Table::new(
        "Initial probability: published and here",
        &["σ", "tokens, published", "tokens", "tokens/s, published", "tokens/s", "questions"],
    );
    let (sizes, speeds) = (lab.published.numbers("probdd.sizes"), lab.published.numbers("probdd.speeds"));
    for (number, column) in columns[1..].iter().enumerate() {
        let ours = [column.mean(TOKENS), column.mean(SPEED), column.mean(QUESTIONS)].map(short);
        let [tokens, speed, questions] = ours;
        table.row([
            short(sigmas[number]),
            short(sizes[number]),
            tokens,
            short(speeds[number]),
            speed,
            questions,
        ]);
    }
    page.tables.push(table);
    let spread = |figures: &[f64]| {
        let (low, high) =
            figures.iter().fold((f64::MAX, 0.0_f64), |(low, high), &f| (low.min(f), high.max(f)));
        high / low
    };
    let ours = spread(&columns[1..].iter().map(|column| column.mean(TOKENS)).collect::<Vec<_>>());
    page.claim(
        "the result hardly depends on it (largest over smallest mean size)",
        short(spread(&sizes)),
        short(ours),
        (!ours.is_nan()).then_some(ours < 1.25),
    );
    let best = columns[1..].iter().map(|column| column.mean(QUESTIONS)).fold(0.0_f64, f64::max);
    page.claim(
        "every value asks fewer questions than ddmin",
        "every one is faster",
        format!("at most {} of {}", short(best), short(columns[0].mean(QUESTIONS))),
        (best > 0.0).then_some(best < columns[0].mean(QUESTIONS)),
    );
    Ok(())
}

fn probdd_rq3(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let columns = lab.columns(None, &[Setting::tree("hdd", ActiveCoarsen), Setting::tree("hdd", ProbDd)])?;
    lab.compare(page, "ActiveCoarsen and ProbDD in HDD", &columns)?;
    let was = lab.published.numbers("probdd.table3.active_coarsen");
    let is = lab.published.numbers("probdd.table3.probdd");
    let [coarsen, probdd] = &columns[..] else { unreachable!("there are two settings") };
    page.claim(
        "ProbDD leaves less than ActiveCoarsen",
        format!("{} → {} tokens", was[0], is[0]),
        change(coarsen, probdd, TOKENS).0,
        less(coarsen, probdd, TOKENS),
    );
    page.claim(
        "ProbDD needs less time, which here is questions",
        format!("{} → {} s", was[2], is[2]),
        change(coarsen, probdd, QUESTIONS).0,
        less(coarsen, probdd, QUESTIONS),
    );
    page.notes.push("ActiveCoarsen is a reconstruction: its paper was not at hand.".to_owned());
    Ok(())
}

/// The share that the CDD paper assumes.
fn share_of(suite: Suite) -> f64 {
    if suite == Suite::Xml { 0.0025 } else { 0.1 }
}

fn suites() -> [(Suite, &'static str); 2] {
    [(Suite::C, "c"), (Suite::Xml, "xml")]
}

fn cdd_tables(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    for (suite, name) in suites() {
        let share = share_of(suite);
        let settings = [
            Setting::tree("hdd*", Ddmin),
            Setting::tree("hdd*", ProbDd).assuming(share),
            Setting::tree("hdd*", Cdd).assuming(share),
        ];
        let columns = lab.columns(Some(suite), &settings)?;
        lab.compare(page, name, &columns)?;
        if columns[0].figures.is_empty() {
            continue;
        }
        let [ddmin, probdd, cdd] = &columns[..] else { unreachable!("there are three settings") };
        let mut table = Table::new(
            &format!("{name}: geometric means, published and here"),
            &["figure", "ddmin, published", "ProbDD", "CDD", "ddmin, here", "ProbDD", "CDD"],
        );
        for (figure, of) in [("size", TOKENS), ("seconds", SECONDS), ("queries", QUESTIONS)] {
            let published = lab.published.numbers(&format!("cdd.{name}.{figure}"));
            let ours = [ddmin, probdd, cdd].map(|column| column.mean(of));
            table.row([figure.to_owned()].into_iter().chain(published.into_iter().chain(ours).map(short)));
        }
        page.tables.push(table);
        let queries = lab.published.numbers(&format!("cdd.{name}.queries"));
        let percent = |to: f64| format!("{:+.1} %", 100.0 * (to / queries[0] - 1.0));
        page.claim(
            &format!("{name}: ProbDD asks fewer questions than ddmin"),
            percent(queries[1]),
            change(ddmin, probdd, QUESTIONS).0,
            less(ddmin, probdd, QUESTIONS),
        );
        page.claim(
            &format!("{name}: CDD asks fewer questions than ddmin"),
            percent(queries[2]),
            change(ddmin, cdd, QUESTIONS).0,
            less(ddmin, cdd, QUESTIONS),
        );
        let pairs: Vec<(f64, f64)> = probdd.all(QUESTIONS).into_iter().zip(cdd.all(QUESTIONS)).collect();
        page.claim(
            &format!("{name}: CDD and ProbDD do not differ (questions)"),
            format!("p = {}", lab.published.numbers("cdd.p_cdd")[2]),
            wilcoxon(&pairs).map_or("equal".to_owned(), |test| {
                format!("{}, p = {}", change(probdd, cdd, QUESTIONS).0, p_value(test.p))
            }),
            (!pairs.is_empty()).then(|| wilcoxon(&pairs).is_none_or(|test| test.p >= 0.05)),
        );
    }
    page.notes.push("No difference found is no proof that there is none: that takes many pairs.".to_owned());
    Ok(())
}

fn cdd_random(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let settings = [Setting::tree("hdd*", ProbDd), Setting::tree("hdd*", ProbDd).at_random()];
    let columns = lab.columns(None, &settings)?;
    lab.compare(page, "ProbDD by index and at random", &columns)?;
    let published = lab.published.numbers("cdd.p_random");
    for (number, name, figure) in [(0, "size", TOKENS), (2, "questions", QUESTIONS)] {
        let pairs: Vec<(f64, f64)> = columns[0].all(figure).into_iter().zip(columns[1].all(figure)).collect();
        let test = wilcoxon(&pairs);
        page.claim(
            &format!("randomness makes no difference: {name}"),
            format!("p = {}", published[number]),
            test.map_or("equal".to_owned(), |test| {
                format!("{}, p = {}", change(&columns[0], &columns[1], figure).0, p_value(test.p))
            }),
            (!pairs.is_empty()).then(|| test.is_none_or(|test| test.p >= 0.05)),
        );
    }
    Ok(())
}

fn all_classes(column: &Column) -> Classes {
    let mut all = Classes::default();
    for run in column.figures.iter().flat_map(|figures| &figures.runs) {
        all.complement.add(run.studies.classes.complement);
        all.revisit.add(run.studies.classes.revisit);
        all.other.add(run.studies.classes.other);
    }
    all
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { f64::NAN } else { 100.0 * part as f64 / whole as f64 }
}

/// As a cell; a share of nothing is a dash.
fn percent_cell(percent: f64) -> String {
    if percent.is_nan() { "-".to_owned() } else { format!("{percent:.2} %") }
}

fn cdd_classes(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let columns = lab.columns(None, &[Setting::tree("hdd*", Ddmin), Setting::tree("hdd*", ProbDd)])?;
    let classes: Vec<Classes> = columns.iter().map(all_classes).collect();
    let mut table = Table::new(
        "Questions by class",
        &["setting", "class", "questions", "share", "successes", "success rate"],
    );
    let [ddmin, probdd] = [classes[0], classes[1]];
    let mut all = probdd.complement;
    all.add(probdd.revisit);
    all.add(probdd.other);
    let rows = [("Complement", ddmin.complement), ("Revisit", ddmin.revisit), ("Other", ddmin.other)];
    let asked = rows.iter().map(|(_, count)| count.questions).sum();
    let rows = rows.map(|row| (&columns[0], row, asked));
    for (column, (name, Count { questions, successes }), asked) in
        rows.into_iter().chain([(&columns[1], ("all", all), all.questions)])
    {
        let rates = [percent(questions, asked), percent(successes, questions)].map(percent_cell);
        let [share, rate] = rates;
        table.row([
            column.name.clone(),
            name.to_owned(),
            questions.to_string(),
            share,
            successes.to_string(),
            rate,
        ]);
    }
    page.tables.push(table);
    let Classes { complement, revisit, other } = classes[0];
    let all = lab.published.numbers("cdd.queries")[0];
    for (name, class, path) in
        [("Complement", complement, "cdd.complement"), ("Revisit", revisit, "cdd.revisit")]
    {
        let published = lab.published.numbers(path);
        let rate = percent(class.successes, class.questions);
        page.claim(
            &format!("questions of class {name} hardly ever succeed, compared with Other"),
            format!(
                "{:.1} % of questions, {:.3} % succeed",
                100.0 * published[0] / all,
                100.0 * published[1] / published[0]
            ),
            format!(
                "{} succeed; Other {}",
                percent_cell(rate),
                percent_cell(percent(other.successes, other.questions))
            ),
            (class.questions > 0).then(|| rate < percent(other.successes, other.questions) / 2.0),
        );
    }
    let other_rate = lab.published.numbers("cdd.other_percent")[0];
    page.notes.push(format!(
        "Complement: less than half of the list is kept; Revisit: the same elements were tried in this list before; \
         cached questions are not counted, but remembered. Of class Other {other_rate} % succeed in the paper."
    ));
    Ok(())
}

fn cdd_minimality(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let mut table = Table::new(
        "Lists whose result is not 1-minimal",
        &[
            "setting",
            "lists",
            "not 1-minimal",
            "share",
            "elements left in each",
            "runs",
            "with something left",
            "stopped",
        ],
    );
    let mut found = Vec::new();
    for kind in [Ddmin, ProbDd, Cdd] {
        let mut all = Violations::default();
        for input in &lab.inputs {
            let setting = Setting::tree("hdd*", kind).assuming(share_of(input.suite()));
            let found = audit(input, &setting, lab.bench.limit)?;
            let Violations { lists, violated, .. } = found;
            eprintln!("dwindle-eval: {} {}: {violated} of {lists} lists", input.name(), setting.name);
            all.add(&found);
        }
        let share = percent(all.violated, all.lists);
        let each = if all.violated == 0 { 0.0 } else { all.elements as f64 / all.violated as f64 };
        table.row([
            format!("hdd*, {}", kind.name()),
            all.lists.to_string(),
            all.violated.to_string(),
            percent_cell(share),
            short(each),
            all.runs.to_string(),
            all.runs_left.to_string(),
            all.stopped.to_string(),
        ]);
        found.push((kind, all, share, each));
    }
    page.tables.push(table);
    let published = lab.published.numbers("cdd.violations.percent")[0];
    let elements = lab.published.numbers("cdd.violations.elements")[0];
    for (kind, all, share, each) in found {
        let (what, says, agrees) = match kind {
            Ddmin => ("every list of ddmin is 1-minimal", "0 %".to_owned(), all.violated == 0),
            _ => (
                "a few lists are not 1-minimal",
                format!("{published} %, {elements} elements each (ProbDD)"),
                share < 5.0,
            ),
        };
        let ours = format!("{} of {}, {} each", percent_cell(share), all.lists, short(each));
        page.claim(&format!("{}: {what}", kind.name()), says, ours, (all.lists > 0).then_some(agrees));
    }
    page.notes.push(
        "Each list is looked at when it is over: every element that is left is tried alone, and nothing of that is kept. \
         A run has something left where a sweep over all nodes (HDD+) makes its result smaller. Runs that the limit \
         stopped are not among the runs, but their lists are among the lists."
            .to_owned(),
    );
    Ok(())
}

fn cdd_sizes(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let columns = lab.columns(None, &[Setting::tree("hdd*", ProbDd), Setting::tree("hdd*", Cdd)])?;
    let tenths = |column: &Column| -> Vec<Option<f64>> {
        let runs: Vec<_> = column.figures.iter().flat_map(|figures| &figures.runs).collect();
        (0..10)
            .map(|at| mean(&runs.iter().filter_map(|run| *run.studies.sizes.get(at)?).collect::<Vec<_>>()))
            .collect()
    };
    let mut table = Table::new(
        "The mean share of a list that a question takes, by tenth of the questions about it",
        &["setting", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
    );
    let shares: Vec<Vec<Option<f64>>> = columns.iter().map(tenths).collect();
    for (column, shares) in columns.iter().zip(&shares) {
        let cells = shares.iter().map(|share| share.map_or("-".to_owned(), |share| format!("{share:.3}")));
        table.row([column.name.clone()].into_iter().chain(cells));
    }
    page.tables.push(table);
    for (column, shares) in columns.iter().zip(&shares) {
        let known: Vec<f64> = shares.iter().copied().flatten().collect();
        let first_and_last = known.first().zip(known.last());
        page.claim(
            &format!("{}: removals become smaller from round to round, by one factor", column.name),
            "sizes fall with the growing probability",
            first_and_last.map_or("-".to_owned(), |(first, last)| format!("{first:.3} → {last:.3}")),
            first_and_last.map(|(first, last)| last < first),
        );
    }
    let apart: Vec<f64> =
        shares[0].iter().zip(&shares[1]).filter_map(|(a, b)| Some(((*a)? - (*b)?).abs())).collect();
    page.claim(
        "ProbDD and CDD take sets of the same sizes (mean distance of the shares)",
        "the same, but for remainders",
        mean(&apart).map_or("-".to_owned(), |apart| format!("{apart:.3}")),
        mean(&apart).map(|apart| apart < 0.05),
    );
    Ok(())
}

fn wdd_spearman(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let settings = [Setting::tree("hdd*", Ddmin), Setting::tree("perses", Ddmin)];
    for setting in &settings {
        let columns = lab.columns(None, std::slice::from_ref(setting))?;
        let mut table = Table::new(&setting.name, &["input", "lists", "mean ρ"]);
        let mut by_suite = suites().map(|(suite, name)| (suite, name, Vec::new()));
        for figures in &columns[0].figures {
            let all = &figures.runs[0].studies.correlations;
            let rho = mean(all);
            let cell = rho.map_or("-".to_owned(), |rho| format!("{rho:.2}"));
            table.row([figures.input.clone(), all.len().to_string(), cell]);
            let own = by_suite.iter_mut().find(|(suite, ..)| *suite == figures.suite);
            own.into_iter().for_each(|(.., all)| all.extend(rho));
        }
        page.tables.push(table);
        for (_, name, all) in by_suite {
            let ours = mean(&all);
            page.claim(
                &format!("{}, {name}: heavier elements are deleted less often", setting.name),
                "ρ < 0 on average",
                ours.map_or("-".to_owned(), |rho| format!("ρ = {rho:.2} over {} inputs", all.len())),
                ours.map(|rho| rho < 0.0),
            );
        }
    }
    Ok(())
}

/// Wddmin against ddmin and WProbDD against ProbDD, each made of a minimiser by `with`.
fn wdd(
    lab: &mut Lab<'_>,
    page: &mut Page,
    what: &str,
    path: &str,
    with: fn(MinimizerKind) -> Setting,
) -> Outcome {
    for (which, (plain, weighted)) in [("wddmin", (Ddmin, Wddmin)), ("wprobdd", (ProbDd, WProbDd))] {
        let columns = lab.columns(None, &[with(plain).assuming(0.25), with(weighted).assuming(0.25)])?;
        lab.compare(page, &format!("{what}: {which}"), &columns)?;
        let at = usize::from(path == "wdd.perses");
        let time = lab.published.numbers(&format!("wdd.{which}.time"))[at];
        let size = lab.published.numbers(&format!("wdd.{which}.size"))[at];
        page.claim(
            &format!("{what}: {which} needs less time, which here is questions"),
            format!("-{time} % time"),
            change(&columns[0], &columns[1], QUESTIONS).0,
            less(&columns[0], &columns[1], QUESTIONS),
        );
        page.claim(
            &format!("{what}: {which} leaves no more"),
            format!("-{size} % tokens"),
            change(&columns[0], &columns[1], TOKENS).0,
            no_more(&columns[0], &columns[1], TOKENS),
        );
    }
    Ok(())
}

fn wdd_hdd(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    page.notes.push("`hdd` is without the fixpoint, `hdd*` with it, as in the paper.".to_owned());
    wdd(lab, page, "hdd*", "wdd.hdd", |kind| Setting::tree("hdd*", kind))?;
    wdd(lab, page, "hdd", "wdd.hdd", |kind| Setting::tree("hdd", kind))
}

fn wdd_perses(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    wdd(lab, page, "perses", "wdd.perses", |kind| Setting::tree("perses", kind))?;
    if lab.inputs.iter().any(|input| matches!(input, Input::Case(_))) {
        page.notes.push("Perses without the fixpoint runs on the inputs that are built in only.".to_owned());
        return Ok(());
    }
    wdd(lab, page, "perses, one round", "wdd.perses", |kind| Setting::tree("perses", kind).once())
}

fn limit(lab: &mut Lab<'_>, page: &mut Page) -> Outcome {
    let settings = [
        Setting::tree("linked", MinimizerKind::default()),
        Setting::tree("perses", MinimizerKind::default()),
        Setting::tree("hdd*", Ddmin),
    ];
    let columns = lab.columns(None, &settings)?;
    let names = columns.iter().map(|column| column.name.as_str());
    let mut table = Table::new(
        "Questions / the least for that result / their ratio",
        &["input"].into_iter().chain(names).collect::<Vec<_>>(),
    );
    let ratio =
        |figures: &super::lab::Figures| figures.questions / figures.runs[0].limit.questions().max(1.0);
    for row in 0..columns[0].figures.len() {
        let cells = columns.iter().map(|column| {
            let figures = &column.figures[row];
            let least = figures.runs[0].limit.questions();
            format!("{} / {} / {}", short(figures.questions), short(least), short(ratio(figures)))
        });
        table.row([columns[0].figures[row].input.clone()].into_iter().chain(cells));
    }
    let means = columns.iter().map(|column| short(column.mean(ratio)));
    table.row(["**geometric mean of the ratios**".to_owned()].into_iter().chain(means));
    page.tables.push(table);
    page.notes.push(
        "A search that knows only the tree needs log2 of the number of choices for every list of siblings, and one \
         question for each element that stays. Less than 1 is possible: names and what is known of a language tell more \
         than the tree does. The passes of linked ask about other texts as well, which count against it here."
            .to_owned(),
    );
    Ok(())
}

//! A whole reduction, from an input to its result.

use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dwindle_core::passes::Pass;
use dwindle_core::{ExternalSearch, Format, Search, Vocabulary};
use dwindle_read::cancellation::unless;
use dwindle_read::{FrontEnd, Reading, lexer, too_many_files};
use dwindle_run::{children_seconds, usage};

use crate::asking::{Asking, Terms};
use crate::checks::{LONGEST_LIMIT, check_input, measure_input};
use crate::document::Document;
use crate::driver::{Candidate, Ended, drive};
use crate::error::Error;
use crate::event::Event;
use crate::executor::Executor;
use crate::external::Helping;
use crate::filter::Filter;
use crate::inbox::said_by;
use crate::journal::Recovered;
use crate::layout::{Conventions, Manner, has_layout};
use crate::method::Method;
use crate::other_crashes::OtherCrashes;
use crate::plan::{Effective, Options, Plan, plan_by, recognise};
use crate::probe::Probe;
use crate::reduction::Reduction;
use crate::repeats::Rule;
use crate::report::{
    CpuSeconds, End, Formatted, Formatting, LongToken, Progress, Report, Seconds, Stage, Warning, is_trivial,
};
use crate::sink::Sink;
use crate::stop::Stop;
use crate::store::Store;
use crate::trace::Trace;
use crate::verdict::{Judge, Words};

/// What a reduction does its work with.
pub struct Ports<'a> {
    /// What is run on a candidate.
    pub probe: &'a mut Probe,
    /// Where it runs.
    pub executor: &'a mut dyn Executor,
    /// Where results go.
    pub sink: &'a mut dyn Sink,
    /// What is known beside the result, so that a reduction can go on.
    pub store: &'a mut dyn Store,
    /// Other programs that have a part in it.
    pub(crate) helpers: Option<Helpers<'a>>,
    /// What keeps candidates that make the command crash in another way.
    pub(crate) others: Option<&'a mut OtherCrashes>,
    /// What takes note of every question.
    pub trace: Option<&'a mut dyn Trace>,
    /// What ends it early.
    pub stop: &'a Stop,
    /// Set, it makes the search give up what it is trying.
    pub skip: Option<&'a AtomicBool>,
}

impl<'a> Ports<'a> {
    /// These, without other programs that have a part in it.
    pub fn new(
        probe: &'a mut Probe,
        executor: &'a mut dyn Executor,
        sink: &'a mut dyn Sink,
        store: &'a mut dyn Store,
        stop: &'a Stop,
    ) -> Self {
        Self { probe, executor, sink, store, helpers: None, others: None, trace: None, stop, skip: None }
    }
}

/// Other programs that have a part in a reduction.
pub(crate) struct Helpers<'a> {
    pub(crate) helping: &'a mut Helping,
    /// How many of them offer smaller texts; a formatter may come behind them.
    pub(crate) offering: usize,
    /// The name of that formatter.
    pub(crate) formatter: Option<&'static str>,
}

/// Reduces `document`: tests it twice, then lets the search ask until it is over, a budget is spent or the
/// reduction is to stop. The best variant so far is in the sink at every moment. `watch` is told of every question.
///
/// # Errors
///
/// All but [`Error::StoppedEarly`] say what is wrong with the input, its test or the machine. What was the best
/// until then stays in the sink.
pub fn reduce(
    document: &Document,
    options: &Options,
    ports: Ports<'_>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Error> {
    let (began, (cpu_before, _), helpers_before) = (Instant::now(), usage(), children_seconds());
    let Ports { probe, executor, sink, store, helpers, others, trace, stop, skip } = ports;
    let filter = || Filter::new(&options.keep, options.front_end, document);
    let (filter, about_marks) = unless(&stop.cancellation(), filter).ok_or(Error::StoppedEarly)??;
    let before = options.size_of(document.bytes());
    let (helping, offering, formatter) = match helpers {
        Some(Helpers { helping, offering, formatter }) => (Some(helping), offering, formatter),
        None => (None, 0, None),
    };
    let helper_facts = helping.as_ref().map(|helping| helping.facts()).unwrap_or_default();
    let words = document.bytes().to_vec();
    let vocabulary = Words::new(Box::new(move || std::sync::Arc::new(Vocabulary::of(&words))));
    let crashes_of = others.as_ref().and_then(|_| document.path().file_name().map(OsStr::to_owned));
    let judge = Judge { vocabulary, criteria: probe.criteria().clone(), crashes_of };
    let terms = Terms {
        limit: options.timeout.unwrap_or(LONGEST_LIMIT),
        help_limit: LONGEST_LIMIT,
        rule: Rule::ONCE,
    };
    let stages = probe.stages();
    let progress = Progress::at(document.in_files(document.bytes(), before), began);
    let mut asking =
        Asking::new(executor, helping, stop, judge, terms, progress, watch).map_err(Error::Workspace)?;
    asking.refused_by = vec![0; stages.len()];
    about_marks.iter().for_each(|warning| asking.warn(warning));
    if let Some(trace) = trace {
        asking.trace_to(trace);
    }
    let looked = match check_input(&mut asking, document, probe, options) {
        Ok(looked) => looked,
        Err(error) => {
            if matches!(error, Error::NotInteresting { .. }) {
                store.doubt()?;
            }
            return Err(error);
        }
    };
    let recovered = store.open()?;
    if let Some(Recovered { questions, finished, .. }) = recovered {
        asking.tell(|_| Event::Resumed { questions, finished });
    }
    let slowest = looked.slowest;
    let facts = recovered.as_ref().and_then(|recovered| recovered.facts.as_ref());
    let repeated = measure_input(&mut asking, document, probe, options, looked, facts)?;
    if let Some(repeated) = &repeated {
        asking.tell(|_| Event::Measured { repeated });
    }
    let mut reduction = Reduction::new(asking, document, probe, sink, store, filter, options);
    reduction.repeated = repeated;
    reduction.others = others;
    reduction.skip = skip;
    reduction.late = last_start(stop.deadline(), began, slowest);
    let earlier = reduction.go_on(options, recovered)?;
    reduction.asking.progress.label = "reading";
    let mut report = reduction.draft(Effective::of(options, Reading::default()));
    reduction.asking.tell(|progress| Event::Draft { progress, report: &report });

    let cancellation = stop.cancellation();
    let mut conventions = Conventions::default();
    let searched = guarded(|| {
        unless(&cancellation, || {
            let recognised = recognise(document, options.front_end);
            let ran = match options.debloats {
                true => reduction.measure_coverage(recognised)?,
                false => None,
            };
            let (front_end, why) = match &earlier.language {
                Some(name) => {
                    // One that was brought is known by its name alone.
                    let same = Some(recognised).filter(|front_end| front_end.name() == name);
                    let front_end = same.or_else(|| FrontEnd::named(name)).unwrap_or(recognised);
                    (front_end, earlier.fallback.clone())
                }
                None => (recognised, None),
            };
            let Plan { search, tree, front_end, of_statements, effective } =
                plan_by(document, options, front_end, why, ran.as_ref());
            reduction.begin(search.best().tokens(), &effective, &options.keep, &helper_facts, &earlier)?;
            report = reduction.draft(effective);
            (reduction.asking.front_end, reduction.asking.of_statements) = (front_end, of_statements);
            reduction.asking.tell(|progress| Event::Draft { progress, report: &report });
            if let (true, Some(tree)) = (options.format_result, tree) {
                // Of a folder, those of each file are asked for at the end.
                if document.others().is_none() {
                    conventions = Conventions::of(&tree);
                }
                reduction.lays_out = front_end.is_some_and(has_layout);
            }
            let search = ExternalSearch::new(search, offering);
            let input = Candidate::of(document.bytes().to_vec(), reduction.input);
            // Nothing was tried before.
            skip.into_iter().for_each(|skip| skip.store(false, Ordering::Relaxed));
            let slots = reduction.asking.slots();
            drive(search, input, slots, &mut reduction)
        })
    });
    let search = match searched.map_err(|what| reduction.internal(what))?.transpose()? {
        Some(Ended { finished, search }) => {
            if finished {
                reduction.end = End::Finished;
            }
            Some(search)
        }
        None => {
            reduction.stopped();
            None
        }
    };

    let checked = reduction.check_result()?;
    if reduction.end == End::Finished && reduction.asking.progress.best != report.before {
        unless(&cancellation, || reduction.recount());
    }
    if reduction.end == End::Finished
        && matches!(reduction.asking.front_end, Some(FrontEnd::Folder))
        && let Some((files, bytes)) = too_many_files(&reduction.kept.bytes)
    {
        reduction.asking.warn(&Warning::TooManyFiles { files, bytes });
    }
    if reduction.lays_out
        && reduction.asking.progress.best != report.before
        && !is_trivial(reduction.kept.size)
        && let Some(front_end) = reduction.asking.front_end
    {
        stop.grant_a_moment();
        let formatter = formatter.map(|name| (offering as u32, name));
        let manner = Manner { front_end, input: document, conventions, formatter };
        let formatting = guarded(|| unless(&cancellation, || reduction.lay_out(&manner)));
        report.formatting = Some(match formatting.map_err(|what| reduction.internal(what))? {
            Some(formatting) => formatting?,
            None => {
                reduction.stopped();
                Formatting { by: None, outcome: Formatted::NoTime }
            }
        });
    }
    reduction.asking.end_trace()?;
    reduction.check_probe()?;
    if reduction.sink.settle(&reduction.kept.bytes)? {
        let output = reduction.sink.path().to_owned();
        reduction.asking.warn(&Warning::Rewritten { output });
    }
    let longest_token = match options.method {
        Method::List(Format::Bytes | Format::Chars) | Method::Items => None,
        _ => search
            .as_ref()
            .and_then(|search| search.best().longest_token())
            .or_else(|| lexer::tokens(&reduction.kept.bytes).map(|token| token.len()).max()),
    };
    let (was_cut, has_tree) = (options.schedule.has(Pass::Shorten), options.method.has_tree());
    report.long_token = LongToken::of(longest_token, reduction.asking.progress.best.bytes, was_cut, has_tree);
    // What was skipped may be asked when the same command goes on.
    if reduction.end == End::Finished && reduction.skipped == 0 {
        reduction.store.finish()?;
    }
    // The processor time of what runs tests is known when it has ended, unless it was killed.
    reduction.asking.close();
    let Reduction { asking, taken, begun, asked, end, flaky, repeated, skipped, .. } = reduction;
    let (cpu, peak_memory_bytes) = usage();
    let cpu_and_helpers = cpu - cpu_before + children_seconds() - helpers_before;
    let external = crate::report::External { taken, ..asking.helped() };
    let (total, test) = (began.elapsed().as_secs_f64(), asking.busy().as_secs_f64());
    let (progress, refused_by) = (asking.progress, asking.refused_by);
    Ok(Report {
        end,
        after: progress.best,
        questions: progress.questions,
        stages: stages.into_iter().zip(refused_by).map(|(test, refused)| Stage { test, refused }).collect(),
        cached: progress.cached,
        replayed: progress.replayed,
        held_back: search.map_or(0, |search| search.held_back()),
        filtered: progress.filtered,
        discarded: begun - asked,
        discarded_per_needed: (report.jobs > 1 && asked > 0).then(|| (begun - asked) as f64 / asked as f64),
        external,
        checked: checked.is_some(),
        steps_back: checked.unwrap_or(0),
        flaky,
        repeated,
        skipped,
        killed: asking.killed,
        seconds: Seconds { total, test, dwindle: (total - test - external.seconds).max(0.0) },
        cpu_seconds: CpuSeconds {
            test: asking.cpu_in_test,
            dwindle: (cpu_and_helpers - asking.cpu_in_test - external.cpu_seconds).max(0.0),
        },
        peak_memory_bytes,
        ..report
    })
}

/// When a search is to end that must end at `deadline`, so that a test that takes so many seconds can be run once more: at
/// most a tenth of the time is kept for that.
fn last_start(deadline: Option<Instant>, began: Instant, slowest: f64) -> Option<Instant> {
    let deadline = deadline?;
    let kept = Duration::try_from_secs_f64(2.0 * slowest).unwrap_or(Duration::MAX);
    deadline.checked_sub(kept.min(deadline.saturating_duration_since(began) / 10))
}

/// What `work` comes to, or what it says when it panics.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| said_by(&*panic))
}

//! What is known, under way or still to be found out about the questions of a search.
//!
//! A question is known by its variant as soon as it is asked, and by its content when a worker has
//! rendered it; several variants can have the same content.

use std::collections::HashMap;
use std::sync::Arc;

use dwindle_core::{Answer, Evidence, Outcome, Shape, Variant};

use super::candidate::{Candidate, ContentKey};
use super::world::{Job, Source, Verdict};
use dwindle_read::Size;

/// What tells variants apart without rendering them.
pub(super) type VariantKey = [u8; 16];

#[derive(Debug)]
pub(super) struct Questions<R> {
    forms: HashMap<VariantKey, Form>,
    contents: HashMap<ContentKey, Content<R>>,
    parses: HashMap<(VariantKey, Shape), Option<Answer>>,
    jobs: HashMap<Job, Purpose>,
    /// The contents whose bytes are kept.
    held: Vec<ContentKey>,
}

/// A variant as bytes.
#[derive(Clone, Copy, Debug)]
enum Form {
    Preparing,
    Ready { content: ContentKey, size: Size },
}

#[derive(Debug)]
pub(super) struct Content<R> {
    state: State,
    /// What the test gave away; nothing unless it is known to be uninteresting.
    evidence: Evidence,
    /// The bytes, as long as somebody may need them.
    pub(super) candidate: Option<Arc<Candidate>>,
    pub(super) run: Option<R>,
    /// Who knew of it, if it was not the test.
    recalled: Option<Source>,
    /// Whether the search has been told of it.
    pub(super) committed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    Untested,
    Running(Job),
    /// It ran over its time or was killed, but beside others.
    Suspect,
    Known(Outcome),
}

#[derive(Clone, Copy, Debug)]
enum Purpose {
    Prepare(VariantKey),
    Parse(VariantKey, Shape),
    Test(ContentKey),
}

impl<R> Default for Questions<R> {
    fn default() -> Self {
        Self {
            forms: HashMap::new(),
            contents: HashMap::new(),
            parses: HashMap::new(),
            jobs: HashMap::new(),
            held: Vec::new(),
        }
    }
}

impl<R> Content<R> {
    fn new(state: State) -> Self {
        let evidence = Evidence::default();
        Self { state, evidence, candidate: None, run: None, recalled: None, committed: false }
    }

    /// Where the answer comes from when it is committed.
    pub(super) fn source(&self) -> Source {
        match self.committed {
            true => Source::Cache,
            false => self.recalled.unwrap_or(Source::Test),
        }
    }
}

impl<R> Questions<R> {
    /// The input is interesting.
    pub(super) fn insert_input(&mut self, key: VariantKey, input: &Candidate) {
        let known = Content { committed: true, ..Content::new(State::Known(Outcome::Interesting)) };
        self.contents.insert(input.key, known);
        self.forms.insert(key, Form::Ready { content: input.key, size: input.size });
    }

    /// The content and the size of a variant, once they are known.
    pub(super) fn form(&self, key: VariantKey) -> Option<(ContentKey, Size)> {
        match *self.forms.get(&key)? {
            Form::Preparing => None,
            Form::Ready { content, size } => Some((content, size)),
        }
    }

    /// Whether somebody has been asked for the content of a variant.
    pub(super) fn is_preparing(&self, key: VariantKey) -> bool {
        matches!(self.forms.get(&key), Some(Form::Preparing))
    }

    /// Whether an answer to this would be a question more, as far as is known.
    pub(super) fn is_new(&self, key: VariantKey) -> bool {
        let is_new = |content: &Content<R>| !content.committed && content.recalled != Some(Source::Filter);
        self.form(key).is_some_and(|(key, _)| is_new(self.content(key)))
    }

    fn content(&self, key: ContentKey) -> &Content<R> {
        &self.contents[&key]
    }

    pub(super) fn content_mut(&mut self, key: ContentKey) -> &mut Content<R> {
        self.contents.get_mut(&key).expect("a form names a content that is there")
    }

    pub(super) fn state(&self, key: ContentKey) -> State {
        self.content(key).state
    }

    pub(super) fn evidence(&self, key: ContentKey) -> &Evidence {
        &self.content(key).evidence
    }

    pub(super) fn preparing(&mut self, key: VariantKey, job: Job) {
        self.forms.insert(key, Form::Preparing);
        self.jobs.insert(job, Purpose::Prepare(key));
    }

    pub(super) fn prepared(&mut self, job: Job, candidate: Candidate, recalled: Option<(Verdict, Source)>) {
        let Some(Purpose::Prepare(key)) = self.jobs.remove(&job) else { return };
        self.ready(key, candidate, recalled);
    }

    fn ready(&mut self, key: VariantKey, candidate: Candidate, recalled: Option<(Verdict, Source)>) {
        self.forms.insert(key, Form::Ready { content: candidate.key, size: candidate.size });
        let content = self.contents.entry(candidate.key).or_insert_with(|| match recalled {
            None => Content::new(State::Untested),
            Some((Verdict { outcome, evidence, .. }, source)) => {
                Content { evidence, recalled: Some(source), ..Content::new(State::Known(outcome)) }
            }
        });
        let refused = matches!(content.state, State::Known(outcome) if !outcome.is_interesting());
        if !refused && !content.committed && content.candidate.is_none() {
            self.held.push(candidate.key);
            content.candidate = Some(Arc::new(candidate));
        }
    }

    /// Makes the size of a base known, should nobody have prepared it.
    pub(super) fn ensure_form(&mut self, key: VariantKey, variant: &Variant) {
        if self.form(key).is_none() {
            self.ready(key, Candidate::new(variant), Some((Outcome::Interesting.into(), Source::Journal)));
        }
    }

    /// Whether a candidate comes before a base in the order of results; a base that is not measured
    /// yet is taken to be larger.
    pub(super) fn is_smaller(
        &self,
        key: VariantKey,
        variant: &Variant,
        base_key: VariantKey,
        base: &Variant,
    ) -> bool {
        let (Some((content, size)), Some((base_content, base_size))) = (self.form(key), self.form(base_key))
        else {
            return true;
        };
        match (size.tokens, size.bytes).cmp(&(base_size.tokens, base_size.bytes)) {
            std::cmp::Ordering::Equal => content != base_content && variant.render() < base.render(),
            order => order.is_lt(),
        }
    }

    /// Whether its bytes are there to be tested, or its test runs.
    pub(super) fn is_testable(&self, key: ContentKey) -> bool {
        let content = self.content(key);
        content.candidate.is_some() || matches!(content.state, State::Running(_))
    }

    /// Forgets the bytes of all contents that are not `wanted`; whoever needs them renders again.
    pub(super) fn hold_only(&mut self, wanted: &HashMap<ContentKey, usize>) {
        let contents = &mut self.contents;
        self.held.retain(|key| {
            let content = contents.get_mut(key).expect("what is held is there");
            if !wanted.contains_key(key) {
                content.candidate = None;
            }
            content.candidate.is_some()
        });
    }

    /// The candidate to test, which runs from now on.
    pub(super) fn testing(&mut self, key: ContentKey, job: Job) -> Option<Arc<Candidate>> {
        let content = self.contents.get_mut(&key)?;
        let candidate = content.candidate.clone()?;
        content.state = State::Running(job);
        self.jobs.insert(job, Purpose::Test(key));
        Some(candidate)
    }

    /// This job is over without an answer.
    pub(super) fn forget(&mut self, job: Job) {
        self.jobs.remove(&job);
    }

    pub(super) fn cancelled(&mut self, key: ContentKey) {
        self.content_mut(key).state = State::Untested;
    }

    /// Takes what a test said; returns the job that was running for it, if any.
    pub(super) fn tested(&mut self, job: Job, verdict: Verdict, run: R, beside: bool) -> Option<Job> {
        let Verdict { outcome, evidence, unsure } = verdict;
        let Some(Purpose::Test(key)) = self.jobs.remove(&job) else { return None };
        let content = self.content_mut(key);
        let running = match content.state {
            State::Running(job) => Some(job),
            State::Untested => None,
            State::Suspect | State::Known(_) => return None,
        };
        // One that was cancelled and ran over its time or was killed all the same says nothing.
        if unsure && running != Some(job) {
            return None;
        }
        content.run = Some(run);
        if unsure && beside {
            content.state = State::Suspect;
        } else {
            content.state = State::Known(outcome);
            content.evidence = evidence;
            if !outcome.is_interesting() {
                content.candidate = None;
            }
        }
        running
    }

    pub(super) fn parsing(&mut self, key: VariantKey, shape: Shape, job: Job) {
        self.parses.insert((key, shape), None);
        self.jobs.insert(job, Purpose::Parse(key, shape));
    }

    pub(super) fn parse_done(&mut self, job: Job, answer: Answer) {
        if let Some(Purpose::Parse(key, shape)) = self.jobs.remove(&job) {
            self.parses.insert((key, shape), Some(answer));
        }
    }

    /// The pieces or the tree, if they are known.
    pub(super) fn parsed(&self, key: VariantKey, shape: Shape) -> Option<Answer> {
        self.parses.get(&(key, shape))?.clone()
    }

    /// Whether somebody has been asked for them.
    pub(super) fn is_parsing(&self, key: VariantKey, shape: Shape) -> bool {
        self.parses.contains_key(&(key, shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_was_killed_beside_others_is_believed_when_it_is_killed_alone() {
        let mut questions = Questions::default();
        let candidate = Candidate::of(b"text".to_vec(), Size::default());
        let key = candidate.key;
        questions.preparing([0; 16], 1);
        questions.prepared(1, candidate, None);
        let killed = || Verdict { unsure: true, ..Outcome::Uninteresting.into() };
        for (job, beside) in [(2, true), (3, false)] {
            questions.testing(key, job).unwrap();
            questions.tested(job, killed(), (), beside);
            assert_eq!(matches!(questions.state(key), State::Suspect), beside);
        }
        assert!(matches!(questions.state(key), State::Known(Outcome::Uninteresting)));
    }
}

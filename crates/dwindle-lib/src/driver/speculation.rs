//! The tree of what a search may ask: clones of it, told this outcome or that.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use dwindle_core::{Answer, Ask, Outcome, Search, Shape, Variant};

use super::candidate::ContentKey;
use super::forecast::{Forecast, Sight};
use super::questions::{Questions, State, VariantKey};

/// Where a node is in the tree.
pub(super) type Place = usize;

/// A search in one possible state.
#[derive(Debug)]
pub(super) struct Node<S> {
    pub(super) search: S,
    pub(super) asked: Asked,
    /// What is seen of a test before it is asked.
    pub(super) sight: Option<Sight>,
    /// The search's best variant.
    pub(super) base: VariantKey,
    /// The states that follow: interesting, uninteresting (or the only one), unresolved, and refused with
    /// evidence, which is never foreseen.
    next: [Option<Place>; 4],
}

/// What a search asks in a state.
#[derive(Debug)]
pub(super) enum Asked {
    Test(VariantKey, Variant),
    Parse(VariantKey, Variant, Shape),
    Done,
}

/// A question that may be asked and whose answer is not known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// A content that is not tested.
    Test(ContentKey),
    /// What this node asks is not rendered, or not parsed.
    Prepare(Place),
    /// The same, but somebody is at it.
    Preparing,
}

/// The tree; its root is the state that is committed.
#[derive(Debug)]
pub(super) struct Speculation<S> {
    nodes: Vec<Option<Node<S>>>,
    free: Vec<Place>,
    root: Place,
}

/// A node to be looked at.
struct Visit {
    /// How probably its question is asked.
    asked: f64,
    /// How probably this very state is reached.
    reached: f64,
    /// How many candidates in a row were refused before it.
    refusals: u32,
    /// Among equals the one that was found first.
    number: usize,
    place: Place,
}

/// How many nodes are looked at for each question that is wanted, at most: before each test may stand two
/// counts of syntax errors, and what these hold back.
const VISITS: usize = 16;

impl<S: Search> Node<S> {
    fn of(search: S, base: VariantKey, before: Option<&Self>) -> Self {
        let asked = asked(&search, before);
        let sight = match &asked {
            Asked::Test(_, variant) => Some(Sight::of(&search, variant)),
            Asked::Parse(..) | Asked::Done => None,
        };
        Self { search, asked, sight, base, next: [None; 4] }
    }
}

impl<S: Search> Speculation<S> {
    pub(super) fn new(search: S) -> Self {
        let base = variant_key(search.best());
        let root = Node::of(search, base, None);
        Self { nodes: vec![Some(root)], free: Vec::new(), root: 0 }
    }

    pub(super) fn root(&self) -> &Node<S> {
        self.at(self.root)
    }

    pub(super) fn at(&self, place: Place) -> &Node<S> {
        self.nodes[place].as_ref().expect("places lead to nodes")
    }

    /// The search in the state at the root.
    pub(super) fn into_search(mut self) -> S {
        self.nodes[self.root].take().expect("there is always a root").search
    }

    /// Commits the answer to what the root asks.
    pub(super) fn advance(&mut self, answer: Answer) {
        let child = self.child(self.root, answer);
        let mut gone = vec![self.root];
        while let Some(place) = gone.pop() {
            let node = self.nodes[place].take().expect("a tree has no place twice");
            gone.extend(node.next.into_iter().flatten().filter(|&next| next != child));
            self.free.push(place);
        }
        self.root = child;
    }

    /// Gives up what the root tries, if there is something behind it; then all that was foreseen is wrong.
    pub(super) fn skip(&mut self) -> bool {
        let mut search = self.root().search.clone();
        let skips = search.skip();
        if skips {
            *self = Self::new(search);
        }
        skips
    }

    /// The state after `answer`.
    fn child(&mut self, place: Place, answer: Answer) -> Place {
        let node = self.at(place);
        let branch = match answer {
            Answer::Outcome(Outcome::Interesting) => 0,
            Answer::Outcome(Outcome::Uninteresting)
            | Answer::Text(_)
            | Answer::Tree(_)
            | Answer::Unreadable(_)
            | Answer::Errors(_)
            | Answer::Offers(_) => 1,
            Answer::Outcome(Outcome::Unresolved) => 2,
            Answer::Refused(_) => 3,
        };
        if let Some(child) = node.next[branch] {
            return child;
        }
        let mut search = node.search.clone();
        search.tell(answer);
        let base = match &node.asked {
            _ if search.best() == node.search.best() => node.base,
            Asked::Test(key, variant) if search.best() == variant => *key,
            _ => variant_key(search.best()),
        };
        let child = Node::of(search, base, Some(node));
        let child_place = match self.free.pop() {
            Some(free) => {
                self.nodes[free] = Some(child);
                free
            }
            None => {
                self.nodes.push(Some(child));
                self.nodes.len() - 1
            }
        };
        if let Some(node) = &mut self.nodes[place] {
            node.next[branch] = Some(child_place);
        }
        child_place
    }

    /// The unanswered questions that are most probably asked, at most `limit`, the most probable
    /// first.
    ///
    /// A question that is asked whatever the outcome of the one before (the questions of a
    /// search's round are) is as probable as that, however improbable the state is in which it is
    /// found.
    pub(super) fn wanted<R>(
        &mut self,
        questions: &Questions<R>,
        forecast: &Forecast,
        limit: usize,
    ) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        let mut visits = BinaryHeap::new();
        let refusals = forecast.refusals;
        visits.push(Visit { asked: 1.0, reached: 1.0, refusals, number: 0, place: self.root });
        let mut number = 0;
        while let Some(Visit { asked, reached, refusals, place, .. }) = visits.pop() {
            if number > VISITS * limit + 32 {
                break;
            }
            let mut visit = |asked, reached, refusals, place| {
                number += 1;
                visits.push(Visit { asked, reached, refusals, number, place });
            };
            let node = self.at(place);
            let variant_key = match &node.asked {
                Asked::Done => continue,
                Asked::Parse(key, _, shape) => {
                    if let Some(answer) = questions.parsed(*key, *shape) {
                        visit(asked, reached, refusals, self.child(place, answer));
                    } else if matches!(shape, Shape::Offers(_)) && place != self.root {
                        // A helper may take its time, so it is asked only what is asked for certain.
                    } else if !questions.is_parsing(*key, *shape) && seen.insert(*key) {
                        wanted.push(Wanted::Prepare(place));
                    }
                    continue;
                }
                Asked::Test(key, _) => *key,
            };
            if let Some(answer) = self.foreseen(place, questions) {
                let refusals = match answer {
                    Answer::Outcome(Outcome::Interesting) => 0,
                    _ => refusals + 1,
                };
                visit(asked, reached, refusals, self.child(place, answer));
                continue;
            }
            let key = questions.form(variant_key).map(|(key, _)| key);
            if seen.insert(key.unwrap_or(variant_key)) {
                wanted.push(match key {
                    Some(key) if questions.is_testable(key) => Wanted::Test(key),
                    _ if questions.is_preparing(variant_key) => Wanted::Preparing,
                    _ => Wanted::Prepare(place),
                });
                if seen.len() >= limit {
                    break;
                }
            }
            let interesting = node.sight.map_or(0.0, |sight| forecast.interesting(sight, refusals));
            let refused = self.child(place, Answer::Outcome(Outcome::Uninteresting));
            let accepted = self.child(place, Answer::Outcome(Outcome::Interesting));
            let whatever = match (&self.at(refused).asked, &self.at(accepted).asked) {
                (Asked::Test(one, _), Asked::Test(other, _)) => one == other,
                _ => false,
            };
            let (refusal, success) = (reached * (1.0 - interesting), reached * interesting);
            visit(if whatever { asked } else { refusal }, refusal, refusals + 1, refused);
            visit(success, success, 0, accepted);
        }
        wanted
    }
}

impl<S: Search> Speculation<S> {
    /// What the search is told of the question at the root, if the answer is known.
    pub(super) fn foreseen_at_root<R>(&self, questions: &Questions<R>) -> Option<Answer> {
        self.foreseen(self.root, questions)
    }

    /// What the search will be told of a question whose answer is known.
    fn foreseen<R>(&self, place: Place, questions: &Questions<R>) -> Option<Answer> {
        let node = self.at(place);
        let Asked::Test(key, variant) = &node.asked else { return None };
        let (content, _) = questions.form(*key)?;
        let outcome = match questions.state(content) {
            State::Known(Outcome::Interesting)
                if node.search.wants_smaller()
                    && !questions.is_smaller(*key, variant, node.base, node.search.best()) =>
            {
                Outcome::Uninteresting
            }
            State::Known(outcome) => outcome,
            // The root's is run again; whoever comes later goes by what is likely.
            State::Suspect if place != self.root => Outcome::Unresolved,
            State::Suspect | State::Untested | State::Running(_) => return None,
        };
        let evidence = questions.evidence(content);
        if !evidence.is_empty() && node.search.learns_from(evidence) {
            return Some(Answer::Refused(evidence.clone()));
        }
        Some(Answer::Outcome(outcome))
    }
}

fn asked<S: Search>(search: &S, before: Option<&Node<S>>) -> Asked {
    match search.ask() {
        Ask::Done => Asked::Done,
        Ask::Parse(variant, shape) => Asked::Parse(variant_key(&variant), variant, shape),
        Ask::Test(variant) => match before.map(|node| &node.asked) {
            // A round of questions about one base can end with the question that it began with.
            Some(Asked::Test(key, last)) if *last == variant => Asked::Test(*key, variant),
            _ => Asked::Test(variant_key(&variant), variant),
        },
    }
}

fn variant_key(variant: &Variant) -> VariantKey {
    let mut bytes = Vec::new();
    variant.identify(&mut bytes);
    let mut key = [0; 16];
    blake3::Hasher::new().update(&bytes).finalize_xof().fill(&mut key);
    key
}

impl Ord for Visit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.asked.total_cmp(&other.asked).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Visit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Visit {}

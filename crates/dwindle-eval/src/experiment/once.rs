//! A search that ends when it would read its result anew: one round of a search to a fixpoint.

use dwindle::core::{Answer, Ask, Search, Shape, Variant};
use dwindle::plan::{Options, Plan, plan};
use dwindle::simulation::{Latency, simulate};
use dwindle::{Document, FrontEnd};

use super::measured::Measured;
use super::setting::Setting;
use super::studies::Studies;
use super::subjects::Subject;
use crate::limit::Limit;

/// One round of a search.
#[derive(Clone, Debug)]
struct Once<S>(S);

impl<S: Search> Search for Once<S> {
    fn ask(&self) -> Ask {
        match self.0.ask() {
            Ask::Parse(_, Shape::Tree) => Ask::Done,
            ask => ask,
        }
    }

    fn tell(&mut self, answer: Answer) {
        self.0.tell(answer);
    }

    fn best(&self) -> &Variant {
        self.0.best()
    }

    fn label(&self) -> &'static str {
        self.0.label()
    }
}

/// The first round of `setting` on `subject`; the two questions about the input and the one about the result count, as
/// they do in a whole run.
pub(super) fn measure(subject: &Subject, setting: &Setting) -> Measured {
    let document = Document::file(&subject.name, 0o644, subject.bytes.clone());
    let mut options = Options::new(setting.method());
    options.minimizer = setting.minimizer();
    let Plan { search, front_end, .. } = plan(&document, &options);
    let before = search.best().tokens().unwrap_or_default();
    let course = simulate(
        Once(search),
        front_end.unwrap_or(FrontEnd::Brackets),
        &subject.bytes,
        1,
        u64::MAX,
        |candidate: &[u8]| subject.is_interesting(candidate),
        Latency::Fixed(1),
    );
    let kept = course.trace.iter().rfind(|line| line.kept);
    Measured {
        before,
        tokens: kept.map_or(before, |line| line.size.tokens),
        questions: course.questions() as u64 + 3,
        seconds: 0.0,
        memory: None,
        finished: true,
        invalid: None,
        limit: Limit::of(&document, &course.result),
        studies: Studies::default(),
    }
}

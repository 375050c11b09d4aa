//! What ActiveCoarsen may ask, as we have reconstructed it.

use dwindle_core::Subset;

use crate::run::{Question, is_subset};

/// Whether `questions` are samples as long as one of them removes an element on average, and single elements from then
/// on, round and round, until all have failed in a row.
pub(crate) fn check_samples(n: usize, alpha: f64, questions: &[Question]) {
    let mut best = Subset::full(n);
    let mut questions = questions.iter();
    let mut theta = (alpha / (1.0 - alpha)).ln();
    while best.len() as f64 / (1.0 + theta.exp()) >= 1.0 {
        let question = questions.next().expect("a sample is due");
        assert!(question.kept.len() < best.len() && is_subset(&question.kept, &best));
        // A sample passes with probability 1/e where progress is fastest.
        theta += (-1.0f64).exp() - f64::from(u8::from(question.interesting));
        if question.interesting {
            best = question.kept.clone();
        }
    }
    let (mut from, mut failed) = (0, 0);
    while failed < best.len() {
        let position = best.next_from(from).or_else(|| best.next_from(0)).expect("something is left");
        let mut candidate = best.clone();
        candidate.remove(position);
        let question = questions.next().expect("an element is due");
        assert_eq!(question.kept, candidate);
        failed += 1;
        if question.interesting {
            (best, failed) = (candidate, 0);
        }
        from = position + 1;
    }
    assert_eq!(questions.next(), None);
}

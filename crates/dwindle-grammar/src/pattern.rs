//! Regular expressions of grammars.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// How many characters a pattern has, repeated as often as it says; 0 where it cannot be read.
pub(crate) fn size(pattern: &str) -> u64 {
    fn of(hir: &Hir) -> u64 {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => 0,
            HirKind::Literal(literal) => literal.0.len() as u64,
            HirKind::Class(_) => 1,
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(repetition.min).max(1);
                of(&repetition.sub).saturating_mul(most.into())
            }
            HirKind::Capture(capture) => of(&capture.sub),
            HirKind::Concat(all) | HirKind::Alternation(all) => {
                all.iter().fold(0, |sum: u64, one| sum.saturating_add(of(one)))
            }
        }
    }
    let hir = ParserBuilder::new().utf8(true).build().parse(&pattern.replace("\\/", "/"));
    hir.map_or(0, |hir| of(&hir))
}

//! What the search of a tree costs at 1 MB and 300,000 nodes: a clone, a question, its bytes.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use dwindle_core::{
    Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, Quotes, Role, Search, Tree, TreeBuilder,
    TreeReducer, TreeSearch,
};

/// 20,000 lines of 50 bytes, each a node with two groups of tokens below it.
fn tree() -> Arc<Tree> {
    let line = "call_it (first, second) + { third fourth fifth }; \n";
    let spans = [0..7, 8..9, 9..14, 16..22, 22..23, 24..25, 26..27, 28..33, 34..40, 41..46, 47..48];
    let mut builder = TreeBuilder::new(line.repeat(20_000).into(), vec!["root", "line", "group", "token"]);
    builder.open(0, Role::Fixed);
    for at in (0..20_000).map(|i| i * line.len() as u32) {
        builder.open(1, Role::Deletable);
        for group in spans.chunks(5) {
            builder.open(2, Role::Deletable);
            group
                .iter()
                .for_each(|span| builder.token(at + span.start..at + span.end, 1, 3, Role::Deletable));
            builder.close();
        }
        builder.close();
    }
    builder.close();
    Arc::new(builder.finish(Quotes::Known, &[]))
}

fn benches(criterion: &mut Criterion) {
    let tree = tree();
    for kind in [MinimizerKind::Dfs, MinimizerKind::ProbDd, MinimizerKind::Ddmin] {
        let mut search = TreeSearch::new(tree.clone(), TreeReducer::Hddr, MinimizerConfig::new(kind));
        (0..100).for_each(|i| {
            let outcome = if i % 3 == 0 { Outcome::Interesting } else { Outcome::Uninteresting };
            search.tell(Answer::Outcome(outcome));
        });
        let name = format!("{} nodes, {}", tree.nodes().len(), kind.name());
        criterion
            .bench_function(&format!("clone, {name}"), |bencher| bencher.iter(|| black_box(search.clone())));
        criterion.bench_function(&format!("question, {name}"), |bencher| {
            let mut search = search.clone();
            let mut bytes = Vec::new();
            bencher.iter(|| {
                if let Ask::Test(variant) = search.ask() {
                    variant.render_into(&mut bytes);
                    search.tell(Answer::Outcome(Outcome::Uninteresting));
                }
            });
        });
    }
}

criterion_group!(group, benches);
criterion_main!(group);

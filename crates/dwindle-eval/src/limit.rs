//! How many questions a search must ask that knows only the tree: for each list of siblings that can be deleted, enough
//! to tell which of them stay, which is log2 of the number of choices; and one for each that stays, since that it cannot
//! go is known only when it was refused.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use dwindle::Document;
use dwindle::core::{Role, Tree};
use dwindle::plan::read_tree;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::page::short;

/// The least questions, by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limit {
    /// To find what stays, in bits, of which a question gives one at most.
    pub(crate) choices: f64,
    /// To prove that it must.
    pub(crate) proofs: u64,
}

impl Limit {
    pub(crate) fn questions(self) -> f64 {
        self.choices + self.proofs as f64
    }

    /// The limit of a reduction of `document` to `result`, which is laid over its tree token by token; what the result
    /// has not from the document counts for nothing.
    pub(crate) fn of(document: &Document, result: &[u8]) -> Self {
        let (tree, _) = read_tree(document, None);
        let (reduced, _) = read_tree(&Document::file(document.path(), 0o644, result.to_vec()), None);
        let (before, after) = (tokens(&tree), tokens(&reduced));
        let mut stays = vec![false; before.len()];
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            if let DiffOp::Equal { old_index, len, .. } = op {
                stays[old_index..old_index + len].fill(true);
            }
        }
        Self::by_tokens(&tree, &stays)
    }

    fn by_tokens(tree: &Tree, stays: &[bool]) -> Self {
        let nodes = tree.nodes();
        let stands = |node: usize| stays[nodes[node].tokens()].contains(&true);
        let mut limit = Self::default();
        for parent in (0..nodes.len()).filter(|&node| stands(node)) {
            let elements: Vec<usize> =
                tree.children(parent).filter(|&child| nodes[child].role == Role::Deletable).collect();
            let kept = elements.iter().filter(|&&child| stands(child)).count();
            limit.choices += log2_binomial(elements.len(), kept);
            limit.proofs += kept as u64;
        }
        limit
    }
}

fn tokens(tree: &Tree) -> Vec<Vec<u8>> {
    let text = tree.text();
    (0..text.len()).map(|token| text.bytes()[text.span(token)].to_vec()).collect()
}

/// log2 of n over k.
fn log2_binomial(n: usize, k: usize) -> f64 {
    let factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    (factorial(n) - factorial(k) - factorial(n - k)) / core::f64::consts::LN_2
}

/// Prints how many questions a search must ask that knows only the tree, and the questions of a run over that
#[derive(Args, Debug)]
pub(crate) struct Limits {
    /// The input of the run
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Its result
    #[arg(value_name = "RESULT")]
    result: PathBuf,

    /// How many questions it asked
    #[arg(long, value_name = "N")]
    questions: Option<u64>,
}

impl Limits {
    pub(crate) fn run(&self) -> anyhow::Result<String> {
        let read =
            |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let document = Document::file(&self.input, 0o644, read(&self.input)?);
        let limit = Limit::of(&document, &read(&self.result)?);
        let mut text = format!(
            "{} questions: {} to find what stays, {} to prove that it must\n",
            short(limit.questions()),
            short(limit.choices),
            limit.proofs
        );
        if let Some(questions) = self.questions {
            text +=
                &format!("{questions} are {} times as many\n", short(questions as f64 / limit.questions()));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_chosen_list_by_list_and_proved_one_by_one() {
        let document = Document::file("a.json", 0o644, b"[1, [2, 3, 4, 5], 6, 7]".to_vec());
        // The whole, which can go as well; one of its four elements; in that one of four.
        let limit = Limit::of(&document, b"[[4]]");
        assert!((limit.choices - 4.0).abs() < 1e-9, "{limit:?}");
        assert_eq!(limit.proofs, 3);
        assert_eq!(Limit::of(&document, document.bytes()).choices, 0.0);
        assert!((log2_binomial(8, 4) - libm::log2(70.0)).abs() < 1e-9);
    }
}

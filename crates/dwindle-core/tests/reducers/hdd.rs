//! HDD, HDD*, HDD+, HDDr and coarse HDD: `hdd`, `hdd_star`, `hdd_plus`, `hddr` and `coarse` below are the papers'
//! pseudocode.
//!
//! Two things are ours and part of the model: a string stands in for a node only if that makes the text smaller (the
//! papers leave out the nodes that are equal to their strings), and of a list that needs an element the first stays.

use std::collections::BTreeSet;
use std::sync::Arc;

use dwindle_core::{
    EmptyPolicy, HddrOrder, List, MinimizerConfig, MinimizerKind, Quotes, Role, StandIn, Syntax, Transforms,
    Tree, TreeBuilder, TreeOptions, TreeReducer, TreeSearch,
};
use proptest::prelude::*;

use crate::lists::minimised;
use crate::oracle::{Oracle, Tester, assert_same, cases, run};

/// The strings that stand in for nodes, of one, two and three tokens.
const STRINGS: [&str; 3] = ["1", "12", "312"];

/// What becomes of a node that is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    /// It goes if another element of its parent's list stays.
    GoesFromList,
    /// A string comes in its place.
    Replaced(usize),
}

/// A random tree.
#[derive(Clone, Debug)]
enum Shape {
    Token(u8, Fate),
    Node(Vec<Shape>, Fate),
}

fn shapes() -> impl Strategy<Value = Shape> {
    let fate = || {
        prop_oneof![
            1 => Just(Fate::Stays),
            3 => Just(Fate::Goes),
            2 => Just(Fate::GoesFromList),
            3 => (0..STRINGS.len()).prop_map(Fate::Replaced),
        ]
    };
    // Tokens that are smaller than the string of a place, as small, and larger.
    let token = prop_oneof![1 => b'0'..=b'3', 8 => b'a'..=b'p'];
    let leaf = (token, fate()).prop_map(|(token, fate)| Shape::Token(token, fate));
    leaf.prop_recursive(5, 40, 5, move |inner| {
        (prop::collection::vec(inner, 1..5), fate()).prop_map(|(children, fate)| Shape::Node(children, fate))
    })
}

/// The tree as the machine gets it.
fn built(shape: &Shape) -> Arc<Tree> {
    fn bytes(shape: &Shape, out: &mut Vec<u8>) {
        match shape {
            Shape::Token(token, _) => out.extend([*token, b' ']),
            Shape::Node(children, _) => children.iter().for_each(|child| bytes(child, out)),
        }
    }
    fn add(shape: &Shape, parent: u32, nodes: &mut u32, at: &mut u32, builder: &mut TreeBuilder) {
        let this = *nodes;
        *nodes += 1;
        let (Shape::Token(_, fate) | Shape::Node(_, fate)) = shape;
        let syntax = match *fate {
            Fate::Stays => Role::Fixed.into(),
            Fate::Goes => Role::Deletable.into(),
            Fate::GoesFromList => {
                Syntax { list: Some(List { id: parent, some: true }), ..Role::Deletable.into() }
            }
            Fate::Replaced(string) => Role::StandIn(string as u32).into(),
        };
        match shape {
            Shape::Token(..) => {
                builder.token(*at..*at + 1, 1, 1, syntax);
                *at += 2;
            }
            Shape::Node(children, _) => {
                builder.open(0, syntax);
                children.iter().for_each(|child| add(child, this, nodes, at, builder));
                builder.close();
            }
        }
    }
    let mut text = Vec::new();
    bytes(shape, &mut text);
    let mut builder = TreeBuilder::new(text, vec!["node", "token"]);
    // The root is in no list.
    builder.open(0, Role::Fixed);
    add(shape, 0, &mut 1, &mut 0, &mut builder);
    builder.close();
    let string = |string: &&str| {
        let spaced: Vec<u8> = string.bytes().flat_map(|byte| [byte, b' ']).collect();
        StandIn { bytes: spaced.trim_ascii().to_vec(), tokens: string.len() as u32 }
    };
    Arc::new(builder.finish_with(Quotes::Known, STRINGS.iter().map(string).collect()))
}

/// The tree of the papers: nodes that are kept or removed.
struct Model {
    nodes: Vec<Node>,
    minimizer: MinimizerConfig,
}

struct Node {
    parent: Option<usize>,
    children: Vec<usize>,
    token: Option<u8>,
    fate: Fate,
    removed: bool,
}

impl Model {
    fn new(shape: &Shape, minimizer: MinimizerConfig) -> Self {
        fn add(shape: &Shape, parent: Option<usize>, nodes: &mut Vec<Node>) -> usize {
            let this = nodes.len();
            let (Shape::Token(_, fate) | Shape::Node(_, fate)) = *shape;
            let token = if let Shape::Token(token, _) = shape { Some(*token) } else { None };
            nodes.push(Node { parent, children: Vec::new(), token, fate, removed: false });
            if let Shape::Node(children, _) = shape {
                nodes[this].children = children.iter().map(|child| add(child, Some(this), nodes)).collect();
            }
            this
        }
        let mut nodes =
            vec![Node { parent: None, children: vec![1], token: None, fate: Fate::Stays, removed: false }];
        add(shape, Some(0), &mut nodes);
        Self { nodes, minimizer }
    }

    /// The text without the nodes that are removed, or `off`.
    fn unparse(&self, off: &BTreeSet<usize>) -> String {
        self.unparse_node(0, off)
    }

    fn unparse_node(&self, node: usize, off: &BTreeSet<usize>) -> String {
        let Node { children, token, fate, removed, .. } = &self.nodes[node];
        if *removed || off.contains(&node) {
            return replacement(*fate).to_owned();
        }
        let own: String = token.iter().map(|&token| char::from(token)).collect();
        children.iter().fold(own, |text, &child| text + &self.unparse_node(child, off))
    }

    fn text_of(&self, node: usize) -> String {
        self.unparse_node(node, &BTreeSet::new())
    }

    fn is_kept(&self, node: usize) -> bool {
        !self.nodes[node].removed && self.nodes[node].parent.is_none_or(|parent| self.is_kept(parent))
    }

    /// The elements of the list of `node` that are still there.
    fn list(&self, node: usize) -> Vec<usize> {
        let parent = self.nodes[node].parent.expect("an element has a parent");
        let is_element = |&other: &usize| self.nodes[other].fate == Fate::GoesFromList;
        let siblings = self.nodes[parent].children.iter().copied().filter(is_element);
        siblings.filter(|&other| !self.text_of(other).is_empty()).collect()
    }

    /// Whether removing `node` makes the text smaller.
    fn is_removable(&self, node: usize) -> bool {
        let text = self.text_of(node);
        match self.nodes[node].fate {
            Fate::Stays => false,
            Fate::Goes => !text.is_empty(),
            Fate::GoesFromList => !text.is_empty() && self.list(node).len() > 1,
            Fate::Replaced(string) => {
                let string = STRINGS[string];
                string.len() < text.len() || (string.len() == 1 && text.len() == 1 && string < &text)
            }
        }
    }

    /// How many tokens are left below `node`.
    fn weight(&self, node: usize) -> u32 {
        let Node { children, token, removed, .. } = &self.nodes[node];
        let below = children.iter().map(|&child| self.weight(child)).sum::<u32>();
        if *removed { 0 } else { u32::from(token.is_some()) + below }
    }

    /// The text without `gone`, and what of that is removed: of a list that needs an element the first stays.
    fn without(&self, gone: &[usize]) -> (String, BTreeSet<usize>) {
        let mut off: BTreeSet<usize> = gone.iter().copied().collect();
        for &node in gone.iter().filter(|&&node| self.nodes[node].fate == Fate::GoesFromList) {
            let list = self.list(node);
            if list.iter().all(|element| off.contains(element)) {
                off.remove(&list[0]);
            }
        }
        (self.unparse(&off), off)
    }

    /// Searches `list` and removes what can go of it; whether that is anything.
    fn minimise(&mut self, mut list: Vec<usize>, tester: &mut Tester<'_>) -> bool {
        list.retain(|&node| self.is_kept(node) && self.is_removable(node));
        let weights: Vec<u32> = list.iter().map(|&node| self.weight(node).max(1)).collect();
        let mut best: Vec<usize> = (0..list.len()).collect();
        let kept = minimised(self.minimizer, &weights, EmptyPolicy::TestLast, &mut |kept| {
            let gone = best.iter().filter(|position| !kept.contains(position));
            let gone: Vec<usize> = gone.map(|&position| list[position]).collect();
            let (text, removed) = self.without(&gone);
            let passed = tester.test(&text);
            if passed {
                best = kept.to_vec();
                removed.into_iter().for_each(|node| self.nodes[node].removed = true);
            }
            passed
        });
        kept.len() < list.len()
    }

    /// The nodes at a depth that are reached through kept nodes.
    fn level(&self, depth: usize) -> Vec<usize> {
        let mut level = vec![0];
        for _ in 0..depth {
            let kept = level.into_iter().filter(|&node| !self.nodes[node].removed);
            level = kept.flat_map(|node| self.nodes[node].children.clone()).collect();
        }
        level
    }

    fn hdd(&mut self, tester: &mut Tester<'_>, takes_part: impl Fn(Fate) -> bool) -> bool {
        let mut changed = false;
        let mut depth = 0;
        while !self.level(depth).is_empty() {
            let mut level = self.level(depth);
            level.retain(|&node| takes_part(self.nodes[node].fate));
            changed |= self.minimise(level, tester);
            depth += 1;
        }
        changed
    }

    fn hdd_plus(&mut self, tester: &mut Tester<'_>) {
        self.hdd(tester, |_| true);
        loop {
            let mut changed = false;
            let mut depth = 0;
            while !self.level(depth).is_empty() {
                for node in self.level(depth) {
                    changed |= self.minimise(vec![node], tester);
                }
                depth += 1;
            }
            if !changed {
                return;
            }
        }
    }

    fn hddr(&mut self, tester: &mut Tester<'_>, order: HddrOrder) -> bool {
        use HddrOrder::{PopFirstForward, PopFirstReversed, PopLastReversed};
        let mut changed = self.minimise(vec![0], tester);
        let mut queue = std::collections::VecDeque::from([0]);
        let pop_first = matches!(order, PopFirstForward | PopFirstReversed);
        while let Some(node) = if pop_first { queue.pop_front() } else { queue.pop_back() } {
            if self.nodes[node].removed {
                continue;
            }
            let mut children = self.nodes[node].children.clone();
            changed |= self.minimise(children.clone(), tester);
            if matches!(order, PopFirstReversed | PopLastReversed) {
                children.reverse();
            }
            queue.extend(children);
        }
        changed
    }

    fn reduce(&mut self, reducer: TreeReducer, options: TreeOptions, tester: &mut Tester<'_>) -> String {
        let more = |changed: bool| changed && !options.once;
        match reducer {
            TreeReducer::Hdd => _ = self.hdd(tester, |_| true),
            TreeReducer::HddStar => while more(self.hdd(tester, |_| true)) {},
            TreeReducer::HddPlus => self.hdd_plus(tester),
            TreeReducer::Hddr => while more(self.hddr(tester, options.order)) {},
            TreeReducer::Coarse => while more(self.hdd(tester, |fate| replacement(fate).is_empty())) {},
            _ => unreachable!("{reducer:?} has no model"),
        }
        self.unparse(&BTreeSet::new())
    }
}

/// What comes in the place of a node that is removed.
fn replacement(fate: Fate) -> &'static str {
    match fate {
        Fate::Replaced(string) => STRINGS[string],
        Fate::Stays | Fate::Goes | Fate::GoesFromList => "",
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn the_hdd_family_asks_as_its_pseudocode(
        shape in shapes(), oracle in Oracle::any(), kind in prop::sample::select(&MinimizerKind::ALL[..]),
        order in prop::sample::select(&HddrOrder::ALL[..]), once in any::<bool>(),
    ) {
        let minimizer = MinimizerConfig::new(kind);
        for reducer in TreeReducer::ALL {
            let once = once && reducer != TreeReducer::HddPlus;
            let options = TreeOptions { transforms: Transforms::default(), order, once };
            let tree = built(&shape);
            let mut model = Model::new(&shape, minimizer);
            let input = model.unparse(&BTreeSet::new());
            let (mut asked, mut expected) = (Tester::new(&input, &oracle), Tester::new(&input, &oracle));
            let result = run(TreeSearch::with(tree.clone(), reducer, minimizer, options), &mut asked, |_| tree.clone());
            let expected_result = model.reduce(reducer, options, &mut expected);
            assert_same(&(reducer, options, kind, &shape), (&asked, result), (&expected, expected_result));
        }
    }
}

//! Perses, as 6.3 of its description has it: a priority queue over a tree with nodes for lists and options, which is
//! really edited, and read anew between rounds.
//!
//! What we do by design otherwise is part of the model, with the word DESIGN at each place:
//!
//! - depths count rules, not lists and options;
//! - an element of a list with several is not tried in the place of a node around the list;
//! - a token that is all of a rule is a node like any other;
//! - nothing is tried that the grammar would refuse: an inner list that stands in a list of at least one is not
//!   emptied when it is the last there.
//!
//! The grammar has no separators and no nests that recur at an end, where we differ from Perses for other reasons.

use std::collections::VecDeque;
use std::sync::Arc;

use dwindle_core::{
    EmptyPolicy, List, MinimizerConfig, MinimizerKind, PersesReducer, PersesSearch, Quotes, Role, Slot,
    Syntax, Tree, TreeBuilder,
};
use proptest::prelude::*;

use crate::lists::minimised;
use crate::oracle::{Oracle, Tester, assert_same, cases, run};

/// How far below a node a list is looked for that may replace it, and a node.
const LIST_DEPTH: usize = 3;
const DEPTH: usize = 5;

/// The rules of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// `item*`
    Root,
    /// `a`
    Letter,
    /// `( item* )`
    Group,
    /// `[ item+ ]`
    Some,
    /// `< atom item? >`
    Pair,
    /// `{ letter* }`
    Letters,
}

const RULES: [Rule; 6] = [Rule::Root, Rule::Letter, Rule::Group, Rule::Some, Rule::Pair, Rule::Letters];

/// What a place wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Anything but the root.
    Item,
    /// A letter or a group.
    Atom,
    Letter,
}

impl Wanted {
    fn admits(self, rule: Rule) -> bool {
        match self {
            Self::Item => rule != Rule::Root,
            Self::Atom => matches!(rule, Rule::Letter | Rule::Group),
            Self::Letter => rule == Rule::Letter,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Token(u8),
    /// A list; whether it needs an element.
    List(bool),
    Option,
    Rule(Rule, Wanted),
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// A tree that is edited; the root is node 0.
#[derive(Clone, Debug)]
struct Spar(Vec<Node>);

fn items() -> impl Strategy<Value = String> {
    let letter = || (b'a'..=b'p').prop_map(|letter| char::from(letter).to_string());
    let atom = letter().prop_recursive(4, 30, 4, move |item| {
        let list = |sizes: std::ops::Range<usize>, item| {
            prop::collection::vec(item, sizes).prop_map(|all| all.concat())
        };
        let atom = prop_oneof![letter(), list(0..4, item.clone().boxed()).prop_map(|all| format!("({all})"))];
        prop_oneof![
            2 => list(0..4, item.clone().boxed()).prop_map(|all| format!("({all})")),
            2 => list(1..4, item.clone().boxed()).prop_map(|all| format!("[{all}]")),
            2 => (atom, list(0..2, item.boxed())).prop_map(|(atom, item)| format!("<{atom}{item}>")),
            1 => list(0..4, letter().boxed()).prop_map(|all| format!("{{{all}}}")),
        ]
    });
    prop::collection::vec(atom, 1..4).prop_map(|all| all.concat())
}

impl Spar {
    fn parse(text: &str) -> Self {
        let mut spar = Self(Vec::new());
        let root = spar.add(Kind::Rule(Rule::Root, Wanted::Item), None);
        let mut rest = text.bytes().peekable();
        spar.list(root, false, Wanted::Item, &mut rest);
        assert_eq!(rest.next(), None, "{text} is not of the grammar");
        spar
    }

    fn add(&mut self, kind: Kind, parent: Option<usize>) -> usize {
        self.0.push(Node { kind, parent, children: Vec::new() });
        let node = self.0.len() - 1;
        if let Some(parent) = parent {
            self.0[parent].children.push(node);
        }
        node
    }

    fn list(
        &mut self,
        parent: usize,
        some: bool,
        wanted: Wanted,
        rest: &mut std::iter::Peekable<std::str::Bytes<'_>>,
    ) {
        let list = self.add(Kind::List(some), Some(parent));
        while rest.peek().is_some_and(|byte| !b")]>}".contains(byte)) {
            self.rule(list, wanted, rest);
        }
        assert!(!some || !self.0[list].children.is_empty(), "a list without the element that it needs");
    }

    fn rule(&mut self, parent: usize, wanted: Wanted, rest: &mut std::iter::Peekable<std::str::Bytes<'_>>) {
        let first = rest.next().expect("something is wanted");
        let rule = match first {
            b'(' => Rule::Group,
            b'[' => Rule::Some,
            b'<' => Rule::Pair,
            b'{' => Rule::Letters,
            _ => Rule::Letter,
        };
        assert!(wanted.admits(rule), "{rule:?} where {wanted:?} is wanted");
        let node = self.add(Kind::Rule(rule, wanted), Some(parent));
        self.add(Kind::Token(first), Some(node));
        match rule {
            Rule::Root | Rule::Letter => return,
            Rule::Group => self.list(node, false, Wanted::Item, rest),
            Rule::Some => self.list(node, true, Wanted::Item, rest),
            Rule::Letters => self.list(node, false, Wanted::Letter, rest),
            Rule::Pair => {
                self.rule(node, Wanted::Atom, rest);
                let option = self.add(Kind::Option, Some(node));
                if rest.peek() != Some(&b'>') {
                    self.rule(option, Wanted::Item, rest);
                }
            }
        }
        let last = rest.next().expect("every bracket is closed");
        self.add(Kind::Token(last), Some(node));
    }

    fn text(&self) -> String {
        self.preorder(0).iter().filter_map(|&node| self.token(node)).collect()
    }

    fn token(&self, node: usize) -> Option<char> {
        if let Kind::Token(token) = self.0[node].kind { Some(char::from(token)) } else { None }
    }

    fn preorder(&self, node: usize) -> Vec<usize> {
        let below = self.0[node].children.iter().flat_map(|&child| self.preorder(child));
        std::iter::once(node).chain(below).collect()
    }

    fn size(&self, node: usize) -> usize {
        self.preorder(node).iter().filter(|&&node| self.token(node).is_some()).count()
    }

    fn is_list(&self, node: Option<usize>) -> bool {
        node.is_some_and(|node| matches!(self.0[node].kind, Kind::List(_)))
    }

    /// The rules below `node`, seen through options and through lists of one element. DESIGN: not of several.
    fn rules_below(&self, node: usize) -> Vec<usize> {
        let seen_through = |&child: &usize| match self.0[child].kind {
            Kind::Token(_) => Vec::new(),
            Kind::Rule(..) => vec![child],
            Kind::List(_) if self.0[child].children.len() > 1 => Vec::new(),
            Kind::List(_) | Kind::Option => self.0[child].children.clone(),
        };
        self.0[node].children.iter().flat_map(seen_through).collect()
    }

    /// Whether `node` can go and leave a text of the grammar.
    fn can_be_epsilon(&self, node: usize) -> bool {
        let Some(parent) = self.0[node].parent else { return false };
        let is_only = self.0[parent].children.len() == 1;
        match self.0[parent].kind {
            Kind::Option => true,
            Kind::List(_) if !is_only => true,
            // DESIGN: a list inside of a list that needs an element.
            Kind::List(_) if self.is_list(self.0[parent].parent) => self.can_be_epsilon(parent),
            Kind::List(some) => !some,
            Kind::Token(_) | Kind::Rule(..) => false,
        }
    }

    fn without(&self, nodes: &[usize]) -> Self {
        let mut spar = self.clone();
        for &node in nodes {
            let mut node = node;
            // An inner list goes with its last element.
            while let Some(parent) = spar.0[node].parent {
                spar.0[parent].children.retain(|&child| child != node);
                if !(spar.0[parent].children.is_empty() && spar.is_list(spar.0[parent].parent)) {
                    break;
                }
                node = parent;
            }
        }
        spar
    }

    fn replaced(&self, node: usize, by: usize) -> Self {
        let mut spar = self.clone();
        let parent = spar.0[node].parent.expect("the root is not replaced");
        let place = spar.0[parent].children.iter_mut().find(|child| **child == node);
        *place.expect("a child of its parent") = by;
        spar.0[by].parent = Some(parent);
        if let (Kind::Rule(_, wanted), Kind::Rule(rule, _)) = (self.0[node].kind, self.0[by].kind) {
            spar.0[by].kind = Kind::Rule(rule, wanted);
        }
        spar
    }

    /// The lists that may stand in the place of `node`, an element of a list: the first on each way down.
    fn lists_for(&self, node: usize, wanted: Wanted) -> Vec<usize> {
        let mut found = Vec::new();
        let mut ways = VecDeque::from([(node, 0)]);
        while let Some((node, depth)) = ways.pop_front() {
            let fits = |&element: &usize| match self.0[element].kind {
                Kind::Rule(rule, _) => wanted.admits(rule),
                _ => false,
            };
            let list = self.0[node].children.iter().copied().find(|&child| self.is_list(Some(child)));
            let list = list.filter(|&list| !self.0[list].children.is_empty());
            match list.filter(|&list| self.0[list].children.iter().all(fits)) {
                Some(list) => found.push(list),
                None if depth + 1 < LIST_DEPTH => {
                    ways.extend(self.rules_below(node).into_iter().map(|child| (child, depth + 1)));
                }
                None => {}
            }
        }
        found
    }

    /// The nodes that may stand in the place of `node`.
    fn nodes_for(&self, node: usize, wanted: Wanted) -> Vec<usize> {
        let mut found = Vec::new();
        let mut ways = VecDeque::from([(node, 0)]);
        while let Some((node, depth)) = ways.pop_front() {
            for child in self.rules_below(node) {
                let Kind::Rule(rule, _) = self.0[child].kind else { continue };
                if wanted.admits(rule) {
                    found.push(child);
                }
                if depth + 1 < DEPTH {
                    ways.push_back((child, depth + 1));
                }
            }
        }
        found
    }

    /// The tree for the machine: elements are children of the rule that their list is in.
    fn tree(&self) -> Arc<Tree> {
        let kinds = ["root", "letter", "group", "some", "pair", "letters", "bracket"];
        let slot = |wanted: Wanted| {
            let kinds = (0..).zip(RULES).filter(|(_, rule)| wanted.admits(*rule)).map(|(kind, _)| kind);
            Slot { kinds: kinds.collect(), minimal: None }
        };
        let mut builder = TreeBuilder::new(self.text().into_bytes(), kinds.to_vec());
        let mut at = 0;
        self.build(0, Role::Fixed.into(), &mut at, &mut builder);
        Arc::new(builder.finish(Quotes::Known, &[Wanted::Item, Wanted::Atom, Wanted::Letter].map(slot)))
    }

    fn build(&self, node: usize, syntax: Syntax, at: &mut u32, builder: &mut TreeBuilder) {
        match self.0[node].kind {
            Kind::Token(_) => {
                builder.token(*at..*at + 1, 1, RULES.len() as u32, Role::Fixed);
                *at += 1;
            }
            Kind::List(some) => {
                let list = Some(List { id: node as u32, some });
                let element = Syntax { list, ..Role::Deletable.into() };
                self.0[node].children.iter().for_each(|&child| self.build(child, element, at, builder));
            }
            Kind::Option => {
                let syntax = Role::Deletable.into();
                self.0[node].children.iter().for_each(|&child| self.build(child, syntax, at, builder));
            }
            Kind::Rule(rule, wanted) => {
                let kind = RULES.iter().position(|other| *other == rule).expect("one of them") as u32;
                let slot = (rule != Rule::Root).then_some(wanted as u32);
                let syntax = Syntax { slot, ..syntax };
                if rule == Rule::Letter {
                    builder.token(*at..*at + 1, 1, kind, syntax);
                    *at += 1;
                    return;
                }
                builder.open(kind, syntax);
                let children = self.0[node].children.iter();
                children.for_each(|&child| self.build(child, Role::Fixed.into(), at, builder));
                builder.close();
            }
        }
    }
}

struct Perses<'a, 'b> {
    spar: Spar,
    minimizer: MinimizerConfig,
    tester: &'a mut Tester<'b>,
}

impl Perses<'_, '_> {
    fn run(&mut self) -> String {
        loop {
            let before = self.spar.text();
            self.reduce();
            let after = self.spar.text();
            if before == after {
                return after;
            }
            self.spar = Spar::parse(&after);
        }
    }

    /// Takes `spar` if its text is interesting.
    fn try_out(&mut self, spar: Spar) -> bool {
        let passed = self.tester.test(&spar.text());
        if passed {
            self.spar = spar;
        }
        passed
    }

    fn reduce(&mut self) {
        let mut queue = self.spar.0[0].children.clone();
        while !queue.is_empty() {
            // Those with most tokens first, then what stands last.
            let order = self.spar.preorder(0);
            let position = |node: &usize| order.iter().position(|other| other == node);
            queue.retain(|node| position(node).is_some());
            queue.sort_by_key(|node| (self.spar.size(*node), position(node)));
            let Some(node) = queue.pop() else { return };
            let left = match self.spar.0[node].kind {
                Kind::Token(_) => Vec::new(),
                Kind::List(true) => self.plus(node),
                Kind::List(false) | Kind::Option => self.star(node),
                Kind::Rule(_, wanted) => self.regular(node, wanted),
            };
            queue.extend(left);
        }
    }

    /// A star or an option: what of it is to be looked at.
    fn star(&mut self, node: usize) -> Vec<usize> {
        // DESIGN: as above.
        let can_be_empty = !self.spar.is_list(self.spar.0[node].parent) || self.spar.can_be_epsilon(node);
        self.minimise(node, if can_be_empty { EmptyPolicy::TestFirst } else { EmptyPolicy::Never })
    }

    fn plus(&mut self, node: usize) -> Vec<usize> {
        if self.spar.is_list(self.spar.0[node].parent)
            && self.spar.can_be_epsilon(node)
            && self.try_out(self.spar.without(&[node]))
        {
            return Vec::new();
        }
        if let [first, others @ ..] = &self.spar.0[node].children[..]
            && !others.is_empty()
        {
            let first = *first;
            if self.try_out(self.spar.without(others)) {
                return vec![first];
            }
        }
        self.minimise(node, EmptyPolicy::Never)
    }

    fn minimise(&mut self, node: usize, policy: EmptyPolicy) -> Vec<usize> {
        let children = self.spar.0[node].children.clone();
        let weights: Vec<u32> = children.iter().map(|&child| self.spar.size(child) as u32).collect();
        let kept = minimised(self.minimizer, &weights, policy, &mut |kept| {
            let stays: Vec<usize> = kept.iter().map(|&position| children[position]).collect();
            let gone = self.spar.0[node].children.iter().copied();
            let gone: Vec<usize> = gone.filter(|child| !stays.contains(child)).collect();
            self.try_out(self.spar.without(&gone))
        });
        kept.into_iter().map(|position| children[position]).collect()
    }

    fn regular(&mut self, node: usize, wanted: Wanted) -> Vec<usize> {
        let size = self.spar.size(node);
        let in_list = self.spar.is_list(self.spar.0[node].parent);
        let lists = if in_list { self.spar.lists_for(node, wanted) } else { Vec::new() };
        let mut replacements: Vec<usize> =
            lists.into_iter().chain(self.spar.nodes_for(node, wanted)).collect();
        replacements.retain(|&other| self.spar.size(other) < size);
        replacements.sort_by_key(|&other| self.spar.size(other));
        if self.spar.can_be_epsilon(node) && self.try_out(self.spar.without(&[node])) {
            return Vec::new();
        }
        for other in replacements {
            if self.try_out(self.spar.replaced(node, other)) {
                return vec![other];
            }
        }
        self.spar.0[node].children.clone()
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn perses_asks_as_its_pseudocode(
        input in items(), oracle in Oracle::any(), kind in prop::sample::select(&MinimizerKind::ALL[..]),
    ) {
        let minimizer = MinimizerConfig::new(kind);
        let parse = |text: &str| Spar::parse(text).tree();
        let (mut asked, mut expected) = (Tester::new(&input, &oracle), Tester::new(&input, &oracle));
        let search = PersesSearch::new(parse(&input), PersesReducer::Perses, minimizer);
        let result = run(search, &mut asked, parse);
        let model = Perses { spar: Spar::parse(&input), minimizer, tester: &mut expected }.run();
        assert_same(&(kind, &input), (&asked, result), (&expected, model));
    }
}

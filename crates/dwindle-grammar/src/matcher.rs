//! Which children of a node are elements of a list, which are optional together, and what may stand
//! in the place of each.
//!
//! The expression of a kind is an automaton whose states are its [`Expr::Child`]s (Glushkov). The
//! sets of states that can be reached are remembered with what leads from one to the next, so a
//! match takes one look-up a child; a walk back through them chooses one derivation.

use std::collections::HashMap;

use crate::expr::{Child, Class, Expr};

/// The automaton of one kind.
#[derive(Debug)]
pub struct Matcher {
    /// The expression, outermost first.
    parts: Vec<Part>,
    /// The places that the states are, and the parts that these are.
    states: Vec<(Child, u32)>,
    /// The states that can come first, and behind each state, in ascending order.
    first: Vec<u32>,
    follow: Vec<Vec<u32>>,
    /// Whether a state can be the last.
    last: Vec<bool>,
    nullable: bool,
    /// Sets of states, the first being that of the start (and empty), and the ways between them.
    sets: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
    ways: HashMap<(u32, u32), u32>,
}

/// A part of an expression.
#[derive(Debug)]
struct Part {
    /// The part that it is in, and as which of its parts.
    parent: u32,
    index: u32,
    nullable: bool,
    kind: PartKind,
    /// What it consists of.
    parts: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartKind {
    Leaf,
    Seq,
    Choice,
    Optional,
    /// Parts 0 are elements, parts 1 separators.
    List {
        some: bool,
        trailing: bool,
    },
}

/// A list that some children of a node are elements of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InList {
    /// Which list of the node, from 0.
    pub list: u32,
    /// Whether it needs one element.
    pub some: bool,
}

/// Children that go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// An optional part.
    Optional,
    /// An element of a list.
    Element(InList),
    /// What stands between two elements.
    Separator(InList),
    /// A separator behind the last element.
    Trailing(InList),
}

/// What a match says of a child.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Derived {
    /// The units that begin with it, outermost first, and how many units end with it.
    pub begins: Vec<Unit>,
    /// How many.
    pub ends: u32,
    /// The kinds that may stand in its place.
    pub fits: Class,
}

const ROOT: u32 = u32::MAX;

impl Matcher {
    /// The automaton of an expression.
    pub fn new(expr: &Expr) -> Self {
        let mut matcher = Self {
            parts: Vec::new(),
            states: Vec::new(),
            first: Vec::new(),
            follow: Vec::new(),
            last: Vec::new(),
            nullable: expr.is_nullable(),
            sets: vec![Vec::new()],
            numbers: HashMap::new(),
            ways: HashMap::new(),
        };
        let ends = matcher.add(expr, ROOT, 0);
        matcher.first = ends.first;
        matcher.last = vec![false; matcher.states.len()];
        ends.last.iter().for_each(|&state| matcher.last[state as usize] = true);
        for follow in &mut matcher.follow {
            follow.sort_unstable();
            follow.dedup();
        }
        matcher
    }

    /// Matches children of these kinds; `holds` tells whether a kind is of a class. None if there is
    /// no derivation, else what the one found says of each child.
    pub fn derive(&mut self, kinds: &[u32], holds: impl Fn(Class, u32) -> bool) -> Option<Vec<Derived>> {
        if kinds.is_empty() {
            return self.nullable.then(Vec::new);
        }
        let mut sets = Vec::with_capacity(kinds.len() + 1);
        let mut set = 0;
        sets.push(set);
        for &kind in kinds {
            set = self.step(set, kind, &holds);
            if self.sets[set as usize].is_empty() {
                return None;
            }
            sets.push(set);
        }
        let ends = |state: &&u32| self.last[**state as usize];
        let mut state = *self.sets[set as usize].iter().find(ends)?;
        let mut states = vec![state; kinds.len()];
        for at in (1..kinds.len()).rev() {
            let before = &self.sets[sets[at] as usize];
            // One of them has led to the state.
            state =
                *before.iter().find(|&&before| self.follow[before as usize].binary_search(&state).is_ok())?;
            states[at - 1] = state;
        }
        Some(self.units(&states))
    }

    fn step(&mut self, set: u32, kind: u32, holds: &impl Fn(Class, u32) -> bool) -> u32 {
        if let Some(&next) = self.ways.get(&(set, kind)) {
            return next;
        }
        let states = &self.sets[set as usize];
        let mut next: Vec<u32> = if set == 0 {
            self.first.clone()
        } else {
            states.iter().flat_map(|&state| &self.follow[state as usize]).copied().collect()
        };
        next.sort_unstable();
        next.dedup();
        next.retain(|&state| holds(self.states[state as usize].0.class, kind));
        let new = self.sets.len() as u32;
        let sets = &mut self.sets;
        let number = *self.numbers.entry(next).or_insert_with_key(|states| {
            sets.push(states.clone());
            new
        });
        self.ways.insert((set, kind), number);
        number
    }

    /// Adds an expression and what follows what in it.
    fn add(&mut self, expr: &Expr, parent: u32, index: u32) -> Ends {
        let number = self.parts.len() as u32;
        let kind = match expr {
            Expr::Hidden | Expr::Child(_) => PartKind::Leaf,
            Expr::Seq(_) => PartKind::Seq,
            Expr::Choice(_) => PartKind::Choice,
            Expr::Optional(_) => PartKind::Optional,
            Expr::List(list) => PartKind::List { some: list.some, trailing: list.trailing },
        };
        self.parts.push(Part { parent, index, nullable: expr.is_nullable(), kind, parts: Vec::new() });
        if parent != ROOT {
            self.parts[parent as usize].parts.push(number);
        }
        match expr {
            Expr::Hidden => Ends::default(),
            Expr::Child(child) => {
                let state = self.states.len() as u32;
                self.states.push((*child, number));
                self.follow.push(Vec::new());
                Ends { first: vec![state], last: vec![state] }
            }
            Expr::Seq(parts) => {
                let mut all = Ends::default();
                let mut nullable = true;
                for (index, part) in parts.iter().enumerate() {
                    let ends = self.add(part, number, index as u32);
                    self.follows(&all.last, &ends.first);
                    if nullable {
                        all.first.extend_from_slice(&ends.first);
                    }
                    if part.is_nullable() {
                        all.last.extend_from_slice(&ends.last);
                    } else {
                        nullable = false;
                        all.last = ends.last;
                    }
                }
                all
            }
            Expr::Choice(ways) => {
                let mut all = Ends::default();
                for (index, way) in ways.iter().enumerate() {
                    let ends = self.add(way, number, index as u32);
                    all.first.extend(ends.first);
                    all.last.extend(ends.last);
                }
                all
            }
            Expr::Optional(inner) => self.add(inner, number, 0),
            Expr::List(list) => {
                let mut ends = self.add(&list.item, number, 0);
                let Some(separator) = &list.separator else {
                    self.follows(&ends.last, &ends.first);
                    return ends;
                };
                let between = self.add(separator, number, 1);
                self.follows(&ends.last, &between.first);
                self.follows(&between.last, &ends.first);
                if separator.is_nullable() {
                    self.follows(&ends.last, &ends.first);
                }
                if list.item.is_nullable() {
                    self.follows(&between.last, &between.first);
                    ends.first.extend_from_slice(&between.first);
                }
                if list.trailing || list.item.is_nullable() {
                    ends.last.extend_from_slice(&between.last);
                }
                ends
            }
        }
    }

    fn follows(&mut self, last: &[u32], first: &[u32]) {
        for &state in last {
            self.follow[state as usize].extend_from_slice(first);
        }
    }

    fn path(&self, state: u32) -> Path {
        let mut path = Vec::new();
        let mut part = &self.parts[self.states[state as usize].1 as usize];
        while part.parent != ROOT {
            path.push((part.parent, part.index));
            part = &self.parts[part.parent as usize];
        }
        path.reverse();
        path
    }

    /// What the derivation that goes through these states says.
    fn units(&self, states: &[u32]) -> Vec<Derived> {
        let mut derived: Vec<Derived> = Vec::with_capacity(states.len());
        let mut open: Vec<Open> = Vec::new();
        let mut lists = 0;
        let mut before: Option<Path> = None;
        for &state in states {
            let path = self.path(state);
            let (kept, mut again) = before.as_ref().map_or((0, false), |before| self.shared(before, &path));
            let mut list_again = None;
            while open.len() > kept {
                let Some(ended) = open.pop() else { break };
                let goes_on = again && open.len() == kept;
                list_again = ended.list.filter(|_| goes_on);
                self.end(&ended, goes_on, &mut derived);
            }
            let mut begins = Vec::new();
            for &(part, index) in &path[kept..] {
                let list = list_again.take().filter(|_| std::mem::take(&mut again));
                let (list, unit) = match self.parts[part as usize].kind {
                    PartKind::Leaf | PartKind::Seq | PartKind::Choice => (None, None),
                    PartKind::Optional => (None, Some(Unit::Optional)),
                    PartKind::List { some, .. } => {
                        let list = list.unwrap_or_else(|| {
                            lists += 1;
                            lists - 1
                        });
                        let place = InList { list, some };
                        (
                            Some(list),
                            Some(if index == 0 { Unit::Element(place) } else { Unit::Separator(place) }),
                        )
                    }
                };
                let begin = unit.is_some().then_some((derived.len(), begins.len()));
                begins.extend(unit);
                open.push(Open { begin, list });
            }
            derived.push(Derived { begins, ends: 0, fits: self.states[state as usize].0.fits });
            before = Some(path);
        }
        while let Some(ended) = open.pop() {
            self.end(&ended, false, &mut derived);
        }
        derived
    }

    /// Notes the end of an open part at the last child.
    fn end(&self, ended: &Open, list_goes_on: bool, derived: &mut [Derived]) {
        let Some((child, unit)) = ended.begin else { return };
        if let unit @ Unit::Separator(_) = &mut derived[child].begins[unit]
            && !list_goes_on
            && let Unit::Separator(list) = *unit
        {
            *unit = Unit::Trailing(list);
        }
        if let Some(last) = derived.last_mut() {
            last.ends += 1;
        }
    }

    /// How many of the parts around a state are still open at the next one, and whether the part
    /// behind those is a list that goes on with another element or separator.
    fn shared(&self, before: &Path, next: &Path) -> (usize, bool) {
        let common = before.iter().zip(next).take_while(|(before, next)| before == next).count();
        if let (Some(&(part, from)), Some(&(_, to))) = (before.get(common), next.get(common)) {
            let part = &self.parts[part as usize];
            let between = || part.parts[from as usize + 1..to as usize].iter();
            let forward = part.kind == PartKind::Seq
                && from < to
                && between().all(|&part| self.parts[part as usize].nullable)
                && self.is_last(&before[common + 1..])
                && self.is_first(&next[common + 1..]);
            if forward {
                return (common, false);
            }
            if matches!(part.kind, PartKind::List { .. }) {
                return (common, true);
            }
        }
        let goes_round = |at: &usize| {
            matches!(self.parts[before[*at].0 as usize].kind, PartKind::List { .. })
                && self.is_last(&before[at + 1..])
                && self.is_first(&next[at + 1..])
        };
        // What follows without being ahead follows by way of a list.
        let list = (0..common).rev().find(goes_round).unwrap_or(0);
        (list, true)
    }

    /// Whether the end of a path can be the last of what is below its start.
    fn is_last(&self, path: &[(u32, u32)]) -> bool {
        path.iter().all(|&(part, index)| {
            let part = &self.parts[part as usize];
            let nullable = |&part: &u32| self.parts[part as usize].nullable;
            match part.kind {
                PartKind::Seq => part.parts[index as usize + 1..].iter().all(nullable),
                PartKind::List { trailing, .. } => index == 0 || trailing || nullable(&part.parts[0]),
                _ => true,
            }
        })
    }

    /// Whether the end of a path can be the first of what is below its start.
    fn is_first(&self, path: &[(u32, u32)]) -> bool {
        path.iter().all(|&(part, index)| {
            let part = &self.parts[part as usize];
            let nullable = |&part: &u32| self.parts[part as usize].nullable;
            match part.kind {
                PartKind::Seq | PartKind::List { .. } => part.parts[..index as usize].iter().all(nullable),
                _ => true,
            }
        })
    }
}

/// The parts around a state, outermost first, each with which of its parts leads there.
type Path = Vec<(u32, u32)>;

/// A part that a derivation is in.
struct Open {
    /// The child with which it begins, and which of the units that begin there it is.
    begin: Option<(usize, usize)>,
    /// The list that it is an element or a separator of.
    list: Option<u32>,
}

/// The states that can come first and last in a part.
#[derive(Default)]
struct Ends {
    first: Vec<u32>,
    last: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::List;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The derivation in one line: units in brackets by what they are (`?` optional, `e` element, `,`
    /// separator, `;` last separator) with the number of the list, children by their kinds.
    fn check(expr: &str, kinds: &[u32], expect: Option<&str>) {
        let expr = Expr::read(&mut &*expr).unwrap();
        let mut matcher = Matcher::new(&expr);
        let found = matcher.derive(kinds, |class, kind| class == kind).map(|derived| {
            let mut out = String::new();
            for (derived, kind) in derived.iter().zip(kinds) {
                for unit in &derived.begins {
                    let (sign, list) = match unit {
                        Unit::Optional => ("?", String::new()),
                        Unit::Element(list) => ("e", list.list.to_string()),
                        Unit::Separator(list) => (",", list.list.to_string()),
                        Unit::Trailing(list) => (";", list.list.to_string()),
                    };
                    out += &format!("{sign}{list}(");
                }
                out += &kind.to_string();
                out += &")".repeat(derived.ends as usize);
                out += " ";
            }
            out.trim_end().to_owned()
        });
        assert_eq!(found.as_deref(), expect, "{expr:?} {kinds:?}");
    }

    #[test]
    fn optional_parts_go_together() {
        check("(1?(2 3)4)", &[1, 2, 3, 4], Some("1 ?(2 3) 4"));
        check("(1?(2 3)4)", &[1, 4], Some("1 4"));
        check("(1?(2 3)4)", &[1, 2, 4], None);
        check("(1?(2?3))", &[1, 2, 3], Some("1 ?(2 ?(3))"));
        check("?1", &[], Some(""));
        check("1", &[], None);
    }

    #[test]
    fn elements_of_lists_are_told_from_each_other() {
        check("*(1?2)", &[1, 2, 1, 1, 2], Some("e0(1 ?(2)) e0(1) e0(1 ?(2))"));
        check("*+1", &[1, 1], Some("e0(e1(1) e1(1))"));
        check("(*1*2)", &[1, 1, 2], Some("e0(1) e0(1) e1(2)"));
        check("+(1*,3 2 4)", &[1, 2, 3, 2, 4, 1, 4], Some("e0(1 e1(2) ,1(3) e1(2) 4) e0(1 4)"));
        check("*[(1 2)3]", &[1, 2, 3, 1, 2], Some("e0(1 2) e0(3) e0(1 2)"));
    }

    #[test]
    fn separators_stand_between_elements_or_behind_the_last() {
        check("(7*,9 1 8)", &[7, 1, 9, 1, 8], Some("7 e0(1) ,0(9) e0(1) 8"));
        check("(7*;9 1 8)", &[7, 1, 9, 1, 9, 8], Some("7 e0(1) ,0(9) e0(1) ;0(9) 8"));
        check("(7*,9 1 8)", &[7, 1, 9, 8], None);
        check("*,[9 _]1", &[1, 1, 9, 1], Some("e0(1) e0(1) ,0(9) e0(1)"));
        check("*,9?1", &[9, 1, 9, 9], Some(",0(9) e0(?(1)) ,0(9) ;0(9)"));
        check("*,(9 9)(1 2)", &[1, 2, 9, 9, 1, 2], Some("e0(1 2) ,0(9 9) e0(1 2)"));
    }

    #[test]
    fn long_lists_and_deep_nests_take_linear_time() {
        const CHILDREN: usize = 100_000;
        for (expr, period) in [
            ("*1", &[1][..]),
            ("*,2 1", &[1, 2]),
            ("*[(1?2)*,3(1 2)]", &[1, 2, 3]),
            ("*(?1?2?3)", &[1, 2, 3]),
            // Sets of states that differ at every child.
            ("(*[1 2]1[1 2][1 2][1 2][1 2][1 2][1 2][1 2][1 2])", &[1, 1, 2, 1, 2, 2, 1]),
        ] {
            let expr = Expr::read(&mut &*expr).unwrap();
            let kinds: Vec<u32> = period.iter().copied().cycle().take(CHILDREN).collect();
            let derived = Matcher::new(&expr).derive(&kinds, |class, kind| class == kind);
            assert!(derived.is_none_or(|derived| derived.len() == CHILDREN), "{expr:?}");
        }
    }

    /// Where what an expression derives from `from` on may end.
    fn ends(expr: &Expr, kinds: &[u32], from: usize) -> BTreeSet<usize> {
        let after = |expr: &Expr, starts: &BTreeSet<usize>| -> BTreeSet<usize> {
            starts.iter().flat_map(|&start| ends(expr, kinds, start)).collect()
        };
        match expr {
            Expr::Hidden => BTreeSet::from([from]),
            Expr::Child(child) => {
                (kinds.get(from) == Some(&child.class)).then_some(from + 1).into_iter().collect()
            }
            Expr::Seq(parts) => {
                parts.iter().fold(BTreeSet::from([from]), |starts, part| after(part, &starts))
            }
            Expr::Choice(ways) => ways.iter().flat_map(|way| ends(way, kinds, from)).collect(),
            Expr::Optional(inner) => [from].into_iter().chain(ends(inner, kinds, from)).collect(),
            Expr::List(list) => {
                let mut all = ends(&list.item, kinds, from);
                loop {
                    let between = list.separator.as_ref().map_or(all.clone(), |between| after(between, &all));
                    let longer: BTreeSet<usize> = after(&list.item, &between).union(&all).copied().collect();
                    if longer == all {
                        break;
                    }
                    all = longer;
                }
                if let (true, Some(separator)) = (list.trailing, &list.separator) {
                    all.extend(after(separator, &all));
                }
                all.extend((!list.some).then_some(from));
                all
            }
        }
    }

    fn expr() -> impl Strategy<Value = Expr> {
        let leaf = prop_oneof![1 => Just(Expr::Hidden), 6 => (1..4u32).prop_map(Expr::child)];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                4 => prop::collection::vec(inner.clone(), 1..4).prop_map(Expr::Seq),
                3 => prop::collection::vec(inner.clone(), 1..4).prop_map(Expr::Choice),
                2 => inner.clone().prop_map(|inner| Expr::Optional(Box::new(inner))),
                3 => (inner.clone(), prop::option::of(inner), any::<bool>(), any::<bool>()).prop_map(
                    |(item, separator, some, trailing)| {
                        let trailing = trailing && separator.is_some();
                        Expr::List(Box::new(List { item, separator, some, trailing }))
                    }
                ),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_derived_is_what_brute_force_derives(
            expr in expr(),
            kinds in prop::collection::vec(1..4u32, 0..7),
        ) {
            let derived = Matcher::new(&expr).derive(&kinds, |class, kind| class == kind);
            let expect = ends(&expr, &kinds, 0).contains(&kinds.len());
            prop_assert_eq!(derived.is_some(), expect, "{:?}", expr);
            if let Some(derived) = derived {
                let mut open = 0;
                for child in &derived {
                    open += child.begins.len();
                    prop_assert!(open >= child.ends as usize);
                    open -= child.ends as usize;
                }
                prop_assert_eq!((derived.len(), open), (kinds.len(), 0));
            }
        }
    }
}

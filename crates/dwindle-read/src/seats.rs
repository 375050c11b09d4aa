//! From the derivation of a node's children to what may become of each of them.

use dwindle_core::{List, Role, Syntax};
use dwindle_grammar::{Derived, InList, Unit};

/// A child, as far as its place is concerned.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Whether it has a name and is more than the beginning or end of its parent.
    pub(super) replaceable: bool,
    /// Whether it has text.
    pub(super) has_text: bool,
}

/// Where a child sits.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// The groups that begin with it, outermost first.
    pub(super) begins: Vec<Syntax>,
    /// How many groups end with it.
    pub(super) ends: u32,
    pub(super) syntax: Syntax,
}

/// The seats of children that derive so. The node has as many lists before it as `lists`, which goes
/// on from there. `required` is what becomes of a child that has to stay, given its class and whether a
/// unit that can go is around it.
pub(super) fn seats(
    derived: &[Derived],
    children: &[Child],
    lists: &mut u32,
    required: impl Fn(Child, u32, bool) -> Role,
) -> Vec<Seat> {
    let mut depth = 0;
    let mut seats: Vec<Seat> = derived
        .iter()
        .zip(children)
        .map(|(derived, child)| {
            depth += derived.begins.len() as u32;
            let role = required(*child, derived.fits, depth > 0);
            depth -= derived.ends;
            let syntax = Syntax { slot: Some(derived.fits), ..role.into() };
            Seat { begins: Vec::new(), ends: 0, syntax }
        })
        .collect();
    let units = units(derived);
    let elements = elements(&units);
    for &(unit, start, end) in &units {
        let with_text = |child: &usize| children[*child].has_text;
        let (Some(first), Some(last)) = ((start..end).find(with_text), (start..end).rev().find(with_text))
        else {
            continue;
        };
        let list = |place: InList| Some(List { id: *lists + place.list, some: place.some });
        let syntax = match unit {
            Unit::Optional => Role::Deletable.into(),
            // The only element of a list that needs one has to stay.
            Unit::Element(place) if place.some && elements[place.list as usize] == 1 => {
                if first == last {
                    seats[first].syntax.list = list(place);
                }
                continue;
            }
            Unit::Element(place) => Syntax { list: list(place), ..Role::Deletable.into() },
            Unit::Separator(place) => Syntax { list: list(place), ..Role::Separator.into() },
            Unit::Trailing(place) => Syntax { list: list(place), trailing: true, ..Role::Deletable.into() },
        };
        if first < last {
            seats[first].begins.push(syntax);
            seats[last].ends += 1;
            continue;
        }
        // What is around it alone has been seen before it, and lets it go if anything does.
        let seat = &mut seats[first].syntax;
        seat.trailing |= syntax.trailing;
        seat.list = syntax.list.or(seat.list);
        seat.role = syntax.role;
    }
    *lists += elements.len() as u32;
    seats
}

/// The units with the children that they hold, outer ones first.
fn units(derived: &[Derived]) -> Vec<(Unit, usize, usize)> {
    let mut units: Vec<(Unit, usize, usize)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, child) in derived.iter().enumerate() {
        for &unit in &child.begins {
            open.push(units.len());
            units.push((unit, at, at));
        }
        for _ in 0..child.ends {
            let unit = open.pop().expect("a unit ends where it is open");
            units[unit].2 = at + 1;
        }
    }
    units
}

/// The number of elements of each list.
fn elements(units: &[(Unit, usize, usize)]) -> Vec<u32> {
    let mut elements = Vec::new();
    for (unit, ..) in units {
        let (place, counts) = match unit {
            Unit::Optional => continue,
            Unit::Element(place) => (place, 1),
            Unit::Separator(place) | Unit::Trailing(place) => (place, 0),
        };
        let list = place.list as usize;
        if elements.len() <= list {
            elements.resize(list + 1, 0);
        }
        elements[list] += counts;
    }
    elements
}

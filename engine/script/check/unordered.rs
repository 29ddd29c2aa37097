//! Words that go by order, asked of a bag, which has none.

use super::super::vocabulary::{ORDERED, without_order};
use super::chain::{Link, Links};
use super::code::{Code, each_statement, is_unbound, times_given};
use super::known::Known;
use super::{Visit, place};
use crate::diagnostic::Diagnostic;
use crate::model::{Family, Per};
use rhai::{Expr, Position, Stmt};
use rustc_hash::FxHashMap;

/// The property that lists what lies in a bag: whatever order the list has says nothing.
const PIECES: &str = "pieces";

/// How a place in a list is asked for, in a message.
const PLACE: &str = "[…]";

/// A bag, or the list of what lies in it.
#[derive(Clone, Copy)]
pub(super) struct Bag<'k> {
    id: &'k str,
    is_listed: bool,
}

/// The local variables that stand for a bag or for what lies in it.
pub(super) type Bags<'k> = FxHashMap<String, Bag<'k>>;

/// Finds the variables of a function that are given a bag, or what lies in it, and nothing else.
pub(super) fn locals<'k>(known: &Known<'k>, code: &Code) -> Bags<'k> {
    let times = times_given(code);
    let mut bags = Bags::default();
    each_statement(code, &mut |statement| {
        let Stmt::Var(var, ..) = statement else { return };
        let (name, links) = (var.0.name.to_string(), Links::of(&var.1));
        let start = start(known, &bags, links.start);
        let found = links.rest.iter().fold(start, |bag, link| after(known, bag, link));
        if let Some(bag) = found.filter(|_| times.get(&name) == Some(&1)) {
            bags.insert(name, bag);
        }
    });
    bags
}

/// Checks what is asked of the bags in a chain.
pub(super) fn check(visit: &mut Visit<'_>, links: &Links<'_>) {
    let mut bag = start(visit.known, &visit.bags, links.start);
    let mut before = match links.start {
        Expr::Variable(name, _, at) => Some((name.1.as_str(), *at)),
        _ => None,
    };
    for link in &links.rest {
        let asked = match name_of(link) {
            Some((name, at)) if ORDERED.contains(&name) => Some((name, name, at)),
            Some(_) => None,
            None => before.filter(|_| bag.is_some_and(|bag| bag.is_listed)).map(|(name, at)| (PLACE, name, at)),
        };
        if let (Some(bag), Some((word, name, at))) = (bag, asked) {
            let (message, help) = without_order(bag.id, word);
            let here = place::of_name(visit.source, at, name);
            let found = Diagnostic::error("no-order", message).mark(here, "a bag is drawn from by lot");
            visit.found.push(found.help(help));
            return;
        }
        bag = after(visit.known, bag, link);
        before = name_of(link);
    }
}

/// What a chain begins with.
fn start<'k>(known: &Known<'k>, bags: &Bags<'k>, start: &Expr) -> Option<Bag<'k>> {
    let Expr::Variable(name, ..) = start else { return None };
    let global = || global(known, start).map(|id| Bag { id, is_listed: false });
    bags.get(name.1.as_str()).copied().or_else(global)
}

/// What stands behind one more link.
fn after<'k>(known: &Known<'k>, bag: Option<Bag<'k>>, link: &Link<'_>) -> Option<Bag<'k>> {
    let Some((name, _)) = name_of(link) else { return bag.filter(|bag| !bag.is_listed) };
    let own = own(known, name).map(|id| Bag { id, is_listed: false });
    own.or_else(|| bag.filter(|_| name == PIECES).map(|bag| Bag { is_listed: true, ..bag }))
}

/// The name of a link behind a dot.
fn name_of<'e>(link: &Link<'e>) -> Option<(&'e str, Position)> {
    match link {
        Link::Dot(Expr::Property(property, at)) => Some((property.2.as_str(), *at)),
        Link::Dot(Expr::MethodCall(call, at)) => Some((call.name.as_str(), *at)),
        _ => None,
    }
}

/// The bag that a name stands for by itself.
fn global<'k>(known: &Known<'k>, start: &Expr) -> Option<&'k str> {
    let Expr::Variable(name, ..) = start else { return None };
    bag(known, &name.1, false).filter(|_| is_unbound(start))
}

/// The bag of a seat that a name behind a dot stands for.
fn own<'k>(known: &Known<'k>, name: &str) -> Option<&'k str> {
    bag(known, name, true).filter(|_| !known.is_part(name))
}

fn bag<'k>(known: &Known<'k>, name: &str, of_seat: bool) -> Option<&'k str> {
    let is_meant = |family: &&Family| *family.id == *name && family.per.contains(&Per::Seat) == of_seat;
    let mut all = known.models().iter().flat_map(|model| model.families.iter().filter(is_meant));
    all.find(|family| family.is_bag()).map(|family| &*family.id)
}

//! Words that go by order, asked of a bag, which has none.

use super::super::vocabulary::{ORDERED, without_order};
use super::chain::{Link, Links};
use super::evident::is_unbound;
use super::known::Known;
use super::{Visit, place};
use crate::diagnostic::Diagnostic;
use crate::model::{Family, Per};
use rhai::Expr;

/// The property that lists what lies in a bag: whatever order the list has says nothing.
const PIECES: &str = "pieces";

/// Checks what is asked of the bags in a chain.
pub(super) fn check(visit: &mut Visit<'_>, links: &Links<'_>) {
    let mut bag = global(visit.known, links.start);
    for link in &links.rest {
        let (name, at) = match link {
            Link::Dot(Expr::Property(property, at)) => (property.2.as_str(), *at),
            Link::Dot(Expr::MethodCall(call, at)) => (call.name.as_str(), *at),
            _ => continue,
        };
        if let Some(bag) = bag.filter(|_| ORDERED.contains(&name)) {
            let (message, help) = without_order(bag, name);
            let here = place::of_name(visit.source, at, name);
            let found = Diagnostic::error("no-order", message).mark(here, "a bag is drawn from by lot");
            visit.found.push(found.help(help));
            return;
        }
        bag = own(visit.known, name).or_else(|| bag.filter(|_| name == PIECES));
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

//! `no-order`: an operation that depends on order is applied to a bag, which has no order.

use super::super::program::{Code, Program};
use crate::diagnostic::Diagnostic;
use crate::library::{PIECES, depends_on_order, unordered_bag_message};
use crate::model::{Family, Per};
use crate::syntax::{Expr, ExprKind, Name, StatementKind, each_expr, each_statement};
use rustc_hash::FxHashMap;

/// Index access as shown in messages.
const PLACE: &str = "[…]";

/// A bag, or the list of its contents.
#[derive(Clone, Copy)]
struct UnorderedSource<'k> {
    id: &'k str,
    is_listed: bool,
}

/// Variables that refer to a bag or to its contents.
type Bags<'k> = FxHashMap<&'k str, UnorderedSource<'k>>;

/// Reports operations on bags that depend on order.
pub(crate) fn report_uses_of_order(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let bags = OrderReader::new(program, code);
    each_expr(&code.tree.body.statements, &mut |expr| bags.check(expr, found));
}

struct OrderReader<'p, 'a> {
    program: &'p Program<'a>,
    code: &'p Code<'a>,
    assignment_counts: FxHashMap<&'a str, usize>,
    bags: Bags<'a>,
}

impl<'p, 'a> OrderReader<'p, 'a> {
    /// Creates a reader, and finds the variables of the function that are assigned once and refer to a bag or its contents.
    fn new(program: &'p Program<'a>, code: &'p Code<'a>) -> Self {
        let mut reader = Self { program, code, assignment_counts: code.assignment_counts(), bags: Bags::default() };
        each_statement(&code.tree.body.statements, &mut |statement| {
            let StatementKind::Let { name, value: Some(value) } = &statement.kind else { return };
            if let Some(bag) = reader.bag(value).filter(|_| reader.assignment_counts.get(&*name.text) == Some(&1)) {
                reader.bags.insert(&name.text, bag);
            }
        });
        reader
    }

    /// Reports an operation on a bag that depends on order.
    fn check(&self, expr: &Expr, found: &mut Vec<Diagnostic>) {
        let asked = match &expr.kind {
            ExprKind::Field { receiver: of, name, .. } | ExprKind::Method { receiver: of, name, .. } => {
                let is_ordered = depends_on_order(&name.text);
                self.bag(of).filter(|_| is_ordered).map(|bag| (bag, &*name.text, name.span))
            }
            ExprKind::Index { receiver: of, .. } => {
                let listed = self.bag(of).filter(|bag| bag.is_listed);
                listed.map(|bag| (bag, PLACE, last_access(of).map_or(of.span, |(_, name)| name.span)))
            }
            _ => None,
        };
        if let Some((bag, word, at)) = asked {
            let (message, help) = unordered_bag_message(bag.id, word);
            let no_order =
                Diagnostic::error("no-order", message).mark(self.code.at(at), "a bag is drawn from at random");
            found.push(no_order.help(help));
        }
    }

    /// Returns the bag that an expression refers to.
    fn bag(&self, expr: &Expr) -> Option<UnorderedSource<'a>> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let local = self.bags.get(&**name).copied();
                local.or_else(|| self.global(name).map(|id| UnorderedSource { id, is_listed: false }))
            }
            ExprKind::Index { receiver: of, .. } => self.bag(of).filter(|bag| !bag.is_listed),
            _ => {
                let (object, name) = last_access(expr)?;
                let own = self.bag_of_seat(&name.text).map(|id| UnorderedSource { id, is_listed: false });
                // `pieces` lists the contents of a bag in an arbitrary order.
                let listed = || self.bag(object).filter(|_| &*name.text == PIECES);
                own.or_else(|| listed().map(|bag| UnorderedSource { is_listed: true, ..bag }))
            }
        }
    }

    /// Returns the id of the bag that a name without a dot before it refers to.
    fn global(&self, name: &str) -> Option<&'a str> {
        family(self.program, name, false).filter(|_| !self.assignment_counts.contains_key(name))
    }

    /// Returns the id of the seat's bag that a name after a dot refers to.
    fn bag_of_seat(&self, name: &str) -> Option<&'a str> {
        family(self.program, name, true).filter(|_| !self.program.is_part(name))
    }
}

/// Returns the last name of an access, and the expression before it.
fn last_access(expr: &Expr) -> Option<(&Expr, &Name)> {
    match &expr.kind {
        ExprKind::Field { receiver: of, name, .. } | ExprKind::Method { receiver: of, name, .. } => Some((of, name)),
        _ => None,
    }
}

fn family<'a>(program: &Program<'a>, name: &str, of_seat: bool) -> Option<&'a str> {
    let is_meant = |family: &&Family| *family.id == *name && family.per.contains(&Per::Seat) == of_seat;
    let mut all = program.models.iter().flat_map(|model| model.families.iter().filter(is_meant));
    all.find(|family| family.is_bag()).map(|family| &*family.id)
}

//! Finds moves of all matching pieces out of a hidden hand, if no seat learns that the remaining pieces do not match.
//!
//! This is a heuristic on the syntax tree of the rules. Functions that call `learn` or `narrow` are not reported, and neither are their
//! direct callers and callees, because the fact may be recorded there.

use super::mistakes::unlearned_move;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{LEARN, MOVE_TO, NARROW, WHERE};
use crate::model::{FaceDownVisibility, Model, Per, Shape};
use crate::syntax::{Expr, ExprKind, File, Function, Name, Node, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the names of zones that are hidden hands of the seats in every variant that has them.
pub(crate) fn hidden_hands(model: &Model) -> BTreeSet<Arc<str>> {
    let all = || std::iter::once(model).chain(model.variants_with_more_names().iter().map(|model| &**model));
    let is_hidden = |shape: Shape, per: &[Per], seen_by: FaceDownVisibility| {
        shape == Shape::Hand && per.contains(&Per::Seat) && seen_by != FaceDownVisibility::Everybody
    };
    let named = |wanted: bool| {
        let families = all().flat_map(|model| &model.families);
        let families = families.filter(move |one| is_hidden(one.shape, &one.per, one.seen_by) == wanted);
        families.map(|family| family.id.clone()).collect::<BTreeSet<_>>()
    };
    &named(true) - &named(false)
}

/// Returns a warning for each move of all matching pieces out of a hidden hand, if no seat learns that the remaining pieces do not match.
/// `hidden` are the names of the hidden hands.
pub(crate) fn check_files<'a>(
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
    hidden: &BTreeSet<Arc<str>>,
) -> Vec<Diagnostic> {
    if hidden.is_empty() {
        return Vec::new();
    }
    let functions: Vec<(&Arc<Source>, &Function)> =
        files.flat_map(|(source, file)| file.functions.iter().map(move |function| (source, function))).collect();
    let calls: BTreeMap<&str, Calls<'_>> =
        functions.iter().map(|(_, function)| (&*function.key, Calls::of(function))).collect();
    let tells =
        |key: &str| calls.get(key).is_some_and(|calls| calls.library.contains(LEARN) || calls.library.contains(NARROW));
    let is_told = |function: &Function| {
        let key = &*function.key;
        let callers = || calls.iter().filter(|(_, calls)| calls.own.contains(key)).map(|(caller, _)| *caller);
        tells(key) || calls[key].own.iter().any(|callee| tells(callee)) || callers().any(tells)
    };
    let untold = functions.iter().filter(|(_, function)| !is_told(function));
    untold.flat_map(|(source, function)| moves(source, function, hidden)).collect()
}

/// The functions that a function calls.
#[derive(Default)]
struct Calls<'a> {
    /// Keys of functions of the game.
    own: BTreeSet<&'a str>,
    /// Names of functions of the library.
    library: BTreeSet<&'a str>,
}

impl<'a> Calls<'a> {
    fn of(function: &'a Function) -> Self {
        let mut found = Self::default();
        function.each_node(&mut |node| match node {
            Node::Expr(Expr { kind: ExprKind::Call { name, .. } | ExprKind::Method { name, .. }, .. }) => {
                found.library.insert(&*name.text);
            }
            Node::Expr(Expr { kind: ExprKind::OwnCall { key, .. }, .. }) => drop(found.own.insert(key)),
            _ => {}
        });
        found
    }
}

/// Returns warnings for moves of all matching pieces out of a hidden hand. The receiver of the move may be the selection itself, or a
/// variable that never has another value.
fn moves(source: &Arc<Source>, function: &Function, hidden: &BTreeSet<Arc<str>>) -> Vec<Diagnostic> {
    let mut variables: BTreeMap<&str, Option<&Arc<str>>> = BTreeMap::new();
    let mut found = Vec::new();
    function.each_node(&mut |node| match node {
        Node::Statement(Statement { kind: StatementKind::Let { name, value: Some(value) }, .. }) => {
            let is_first = !variables.contains_key(&*name.text);
            variables.insert(&name.text, tested_hand(value, hidden).filter(|_| is_first));
        }
        Node::Statement(Statement {
            kind: StatementKind::Assign { target: Expr { kind: ExprKind::Name(name), .. }, .. },
            ..
        }) => drop(variables.insert(name, None)),
        Node::Expr(Expr { kind: ExprKind::Method { receiver: of, name, .. }, .. }) if &*name.text == MOVE_TO => {
            let zone = match &of.kind {
                ExprKind::Name(variable) => variables.get(&**variable).copied().flatten(),
                _ => tested_hand(of, hidden),
            };
            found.extend(zone.map(|zone| unlearned_move(zone, place(source, name))));
        }
        _ => {}
    });
    found
}

/// Returns the hidden hand if an expression selects all its pieces that pass a test, such as `seat.hand.where("color", "red")`.
fn tested_hand<'a>(expr: &'a Expr, hidden: &BTreeSet<Arc<str>>) -> Option<&'a Arc<str>> {
    let ExprKind::Method { receiver: of, name, .. } = &expr.kind else { return None };
    let ExprKind::Field { name: zone, .. } = &of.kind else { return None };
    (&*name.text == WHERE && hidden.contains(&zone.text)).then_some(&zone.text)
}

fn place(source: &Arc<Source>, name: &Name) -> Place {
    Place { source: source.clone(), span: name.span.range() }
}

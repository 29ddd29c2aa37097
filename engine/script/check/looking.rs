//! Functions that may only look at the table: what they come to must neither ask a seat nor change anything.

use super::super::step::INVARIANT;
use super::super::vocabulary::{Form, Type};
use super::chain::{Link, Links};
use super::code::{Code, Edge, Graph, unnamed};
use super::known::Known;
use super::{assigned, place};
use crate::diagnostic::{Diagnostic, Place};
use rhai::{ASTNode, Expr, Stmt};

/// The words that put a question to a seat.
const ASKING: [&str; 7] =
    ["choose", "choose_if_any", "choose_or_pass", "choose_number", "choose_some", "choose_order", "confirm"];

/// The words that change how the game goes on, besides those that move pieces.
const STEERING: [&str; 8] = ["again", "next_turn", "last_round", "end_game", "ends_as", "set_first", "any_of", "roll"];

/// The topic of the words that move pieces.
const MOVES: &str = "Moves";

/// The word that compares by a function of the rules.
const SORT: &str = "sort";

/// A function that may not do everything.
struct Looking {
    name: String,
    place: Place,
    note: String,
    may_change: bool,
}

/// Looks at everything that `until`, `when`, `order`, `score`, `rank`, invariants and comparisons come to.
pub(super) fn check(known: &Known<'_>, graph: &Graph, found: &mut Vec<Diagnostic>) {
    let first = found.len();
    for looking in all(known) {
        for function in graph.reached(&looking.name) {
            let mut here: Vec<Diagnostic> =
                graph.from(function).filter_map(|edge| out_of_place(known, &looking, edge)).collect();
            if !looking.may_change {
                here.extend(known.codes.iter().filter(|code| code.name == function).flat_map(|code| sets(known, code)));
            }
            for diagnostic in here {
                let is_told = found[first..].iter().any(|told| told.marks[0].place == diagnostic.marks[0].place);
                if !is_told {
                    found.push(diagnostic.mark(looking.place.clone(), looking.note.clone()));
                }
            }
        }
    }
}

fn all(known: &Known<'_>) -> Vec<Looking> {
    let mut all = Vec::new();
    for code in known.codes.iter().filter(|code| only_looks(known, code)) {
        let note = format!("`{}` may only look", code.name);
        all.push(Looking { name: code.name.clone(), place: code.place(), note, may_change: false });
    }
    for code in known.codes {
        code.walk(&mut |path| {
            let Some(ASTNode::Expr(Expr::MethodCall(call, at) | Expr::FnCall(call, at))) = path.last() else { return };
            if call.name == SORT
                && let Some(name) = call.args.last().and_then(unnamed)
            {
                let place = place::of_name(&code.source, *at, SORT);
                let note = "a comparison may only look".to_owned();
                all.push(Looking { name, place, note, may_change: true });
            }
        });
    }
    all
}

fn only_looks(known: &Known<'_>, code: &Code) -> bool {
    let mut named = known.model.flow.named.iter().filter(|named| *named.call.function == *code.name).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    by_flow || matches!(code.name.as_str(), "score" | "rank" | "standing") || code.name.starts_with(INVARIANT)
}

fn out_of_place(known: &Known<'_>, looking: &Looking, edge: &Edge) -> Option<Diagnostic> {
    let name = edge.to.as_str();
    if known.functions.iter().any(|function| function.name == name) {
        return None;
    }
    if ASKING.contains(&name) {
        let found = Diagnostic::error("choice-out-of-place", "no decision can be asked here")
            .mark(edge.place(), "asks a seat")
            .help("ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look");
        return Some(found);
    }
    let mut words = known.words.iter().filter(|word| word.form == Form::Function && word.name == name);
    let changes = STEERING.contains(&name) || words.any(|word| word.topic == MOVES);
    (changes && !looking.may_change).then(|| changing(edge.place()))
}

/// Where a function sets values.
fn sets(known: &Known<'_>, code: &Code) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    code.walk(&mut |path| {
        let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() else { return };
        let links = Links::of(&assignment.1.lhs);
        if let Some(Link::Dot(Expr::Property(property, at))) = links.rest.last()
            && is_of_the_table(known, links.start, &property.2)
        {
            found.push(changing(place::of_name(&code.source, *at, &property.2)));
        }
    });
    found
}

/// Whether a name behind a dot is a value for certain, and not a part of a map.
fn is_of_the_table(known: &Known<'_>, start: &Expr, name: &str) -> bool {
    let is_game =
        matches!(start, Expr::Variable(variable, ..) if known.kind_of_global(&variable.1) == Some(Type::Game));
    is_game || !known.is_part(name) && !assigned::values(known, None, name).is_empty()
}

fn changing(place: Place) -> Diagnostic {
    Diagnostic::error("change-while-looking", "nothing can change here")
        .mark(place, "changes the table")
        .help("change the table in a step of a phase")
}

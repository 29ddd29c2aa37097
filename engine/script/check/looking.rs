//! Functions that may only look at the table: what they come to must neither ask a seat nor change anything.

use super::super::vocabulary::Form;
use super::code::{Code, Edge, Graph};
use super::known::Known;
use crate::diagnostic::Diagnostic;

/// The words that put a question to a seat.
const ASKING: [&str; 7] =
    ["choose", "choose_if_any", "choose_or_pass", "choose_number", "choose_some", "choose_order", "confirm"];

/// The words that change how the game goes on, besides those that move pieces.
const STEERING: [&str; 8] = ["again", "next_turn", "last_round", "end_game", "ends_as", "set_first", "any_of", "roll"];

/// The topic of the words that move pieces.
const MOVES: &str = "Moves";

/// Looks at everything that `until`, `when`, `order`, `score`, `rank` and invariants come to.
pub(super) fn check(known: &Known<'_>, graph: &Graph, found: &mut Vec<Diagnostic>) {
    for code in known.codes.iter().filter(|code| only_looks(known, code)) {
        for function in graph.reached(&code.name) {
            for edge in graph.from(function) {
                found.extend(out_of_place(known, code, edge));
            }
        }
    }
}

fn only_looks(known: &Known<'_>, code: &Code) -> bool {
    let mut named = known.model.flow.named.iter().filter(|named| *named.call.function == *code.name).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    by_flow || matches!(code.name.as_str(), "score" | "rank") || code.name.starts_with("invariant_")
}

fn out_of_place(known: &Known<'_>, looking: &Code, edge: &Edge) -> Option<Diagnostic> {
    let name = edge.to.as_str();
    if known.functions.iter().any(|function| function.name == name) {
        return None;
    }
    let note = format!("`{}` may only look", looking.name);
    if ASKING.contains(&name) {
        let found = Diagnostic::error("choice-out-of-place", "no decision can be asked here")
            .mark(edge.place(), "asks a seat")
            .mark(looking.place(), note)
            .help("ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look");
        return Some(found);
    }
    let mut words = known.words.iter().filter(|word| word.form == Form::Function && word.name == name);
    let changes = STEERING.contains(&name) || words.any(|word| word.topic == MOVES);
    changes.then(|| {
        Diagnostic::error("change-while-looking", "nothing can change here")
            .mark(edge.place(), "changes the table")
            .mark(looking.place(), note)
            .help("change the table in a step of a phase")
    })
}

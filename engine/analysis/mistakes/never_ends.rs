//! `never-ends`: turns that nothing ends.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;
use crate::library::Effects;
use crate::model::Op;

/// Looks for turns without `until` in rules of which no function ends the game.
pub(crate) fn never_ending(program: &Program<'_>) -> Option<Diagnostic> {
    let flow = &program.model.flow;
    let until = flow.ops.iter().position(|op| matches!(op, Op::Until { function: None, .. }))?;
    let leaving = program.leading_to(Effects::ENDS);
    if program.rules().any(|code| leaving.contains(code.name())) {
        return None;
    }
    let turn = flow.ops[until..].iter().find_map(|op| match op {
        Op::Call(call) => Some(&*call.function),
        _ => None,
    })?;
    let found = Diagnostic::warning(
        "never-ends",
        "these turns never end: they have no `until`, and no rule ends the game",
    )
    .mark(flow.place_of(turn)?.clone(), "again and again")
    .help("give the step an `until`, write `each_seat` if every seat has one turn, or call `end_game(…)` in a rule");
    Some(found)
}

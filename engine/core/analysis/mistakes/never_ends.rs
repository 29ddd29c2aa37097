//! `never-ends`: turns that never end.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;
use crate::library::Effects;
use crate::model::Op;

/// Returns a warning about `turns` without `until`, if no function ends the game.
pub(crate) fn never_ending(program: &Program<'_>) -> Option<Diagnostic> {
    let flow = &program.model.flow;
    let is_endless = |op: &Op| if let Op::Until { function: None, end } = op { Some(usize::from(*end)) } else { None };
    let (begin, end) = flow.ops.iter().enumerate().find_map(|(at, op)| Some((at, is_endless(op)?)))?;
    if program.has_call(|effects| effects.has(Effects::ENDS) && !effects.has(Effects::STOPS)) {
        return None;
    }
    let turn = flow.ops.get(begin..end)?.iter().find_map(|op| match op {
        Op::Call(call) => Some(&*call.function),
        _ => None,
    })?;
    // The same function may be used earlier in the setup, so the last use is marked.
    let named = flow.named.iter().rfind(|named| *named.call.function == *turn)?;
    let found = Diagnostic::warning(
        "never-ends",
        "these turns never end: they have no `until`, and no rule ends the game",
    )
    .mark(named.place.clone(), "again and again")
    .help("give the step an `until`, write `each_seat` if every seat has one turn, or call `end_game(…)` in a rule");
    Some(found)
}

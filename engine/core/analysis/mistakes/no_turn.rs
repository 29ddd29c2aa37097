//! `no-turn`: the rules call `again` or `next_turn` in a function that is reached only from steps without suitable turns.

use super::super::program::{Callee, Program};
use crate::diagnostic::{Diagnostic, Fault, another_turn_of_nobody, next_turn_of_none};
use crate::library::{AGAIN, NEXT_TURN};
use crate::model::{FlowFunctionName, Turns};
use rustc_hash::FxHashSet;

/// Reports calls of `again` and `next_turn` in functions that are reached only from steps without suitable turns.
pub(crate) fn report_turns_without_seat(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let functions: [(_, fn() -> Fault, _); 2] =
        [(AGAIN, another_turn_of_nobody, Turns::Once), (NEXT_TURN, next_turn_of_none, Turns::Endless)];
    let steps: Vec<&FlowFunctionName> = program.named_by_flow().into_iter().filter(|named| named.is_step).collect();
    for (function, sentence, needed) in functions {
        for call in
            program.calls_to(Callee::Library(function)).filter(|call| !call.from.is_agent && !call.from.is_text())
        {
            let leading = steps.iter().filter(|step| leads_to(program, &step.call.function, call.from.key()));
            let leading: Vec<&&FlowFunctionName> = leading.collect();
            if let Some(first) = leading.first().filter(|_| leading.iter().all(|step| step.turns < needed)) {
                let place = first.place.clone();
                found.push(sentence().at(call.place()).mark(place, "the step that leads there"));
            }
        }
    }
}

/// Returns whether the function `from` can reach the function `to`: directly, through other calls, or by a trigger.
fn leads_to(program: &Program<'_>, from: &str, to: &str) -> bool {
    let Some(code) = program.code(from) else { return false };
    program.reachable(vec![code.key()], &mut FxHashSet::default()).contains(&to)
}

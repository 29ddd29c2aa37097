//! `no-turn`: rules give a turn away, and every step that leads there is outside the turns it could be given in.

use super::super::program::Program;
use crate::diagnostic::{Diagnostic, Sentence, another_turn_of_nobody, next_turn_of_none};
use crate::library::{AGAIN, NEXT_TURN};
use crate::model::{Named, Turns};
use rustc_hash::FxHashSet;

/// Looks for calls of `again` and `next_turn` that no step with such turns leads to.
pub(crate) fn given_without_turns(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let given: [(_, fn() -> Sentence, _); 2] =
        [(AGAIN, another_turn_of_nobody, Turns::Once), (NEXT_TURN, next_turn_of_none, Turns::Endless)];
    let steps: Vec<&Named> = program.named_by_flow().into_iter().filter(|named| named.is_step).collect();
    for (function, sentence, needed) in given {
        // A function of the rules may have this name.
        if program.code(function).is_some() {
            continue;
        }
        for call in program.to(function).filter(|call| !call.from.is_agent && !call.from.is_text()) {
            let leading = steps.iter().filter(|step| leads_to(program, &step.call.function, call.from.name()));
            let leading: Vec<&&Named> = leading.collect();
            if let Some(first) = leading.first().filter(|_| leading.iter().all(|step| step.turns < needed)) {
                let place = first.place.clone();
                found.push(Diagnostic::said(sentence(), call.place()).mark(place, "the step that leads there"));
            }
        }
    }
}

/// Whether a function reaches another one, at once or by what it triggers.
fn leads_to(program: &Program<'_>, from: &str, to: &str) -> bool {
    let Some(code) = program.code(from) else { return false };
    program.go_from(vec![code.name()], &mut FxHashSet::default()).contains(&to)
}

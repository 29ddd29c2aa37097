//! `while-supposing`: what is carried out on a copy of the table reaches something that no copy can answer.

use super::super::program::{Program, ProgramCall};
use crate::diagnostic::{Diagnostic, choice_in_a_trial, draw_in_a_trial, end_in_a_trial};
use crate::library::Effects;
use rustc_hash::FxHashSet;

/// Looks at everything that functions `|…|` reach which are carried out on a copy. A function that several of them reach is reported
/// once.
pub(crate) fn out_of_trials(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen = FxHashSet::default();
    for trial in &program.trials {
        let is_within = |call: &&ProgramCall<'_>| trial.has(call.span);
        let mut calls: Vec<ProgramCall<'_>> = program.at_once(trial.code.name()).filter(is_within).copied().collect();
        let further = calls.iter().map(|call| call.to).collect();
        let reached = program.go_at_once(further, &mut seen);
        calls.extend(reached.into_iter().flat_map(|function| program.at_once(function)).copied());
        let found_here = calls.iter().filter_map(|call| out_of_place(program, call));
        found.extend(found_here.map(|found| found.mark(trial.code.at(trial.name), "is tried out here")));
    }
}

fn out_of_place(program: &Program<'_>, call: &ProgramCall<'_>) -> Option<Diagnostic> {
    if program.code(call.to).is_some() {
        return None;
    }
    let words = program.language.functions(call.to);
    let has = |effects: Effects| words.iter().any(|word| word.effects.has(effects));
    let sentence = if has(Effects::ASKS) {
        choice_in_a_trial()
    } else if has(Effects::DRAWS) {
        draw_in_a_trial()
    } else if has(Effects::ENDS) && !has(Effects::STOPS) {
        end_in_a_trial()
    } else {
        return None;
    };
    Some(Diagnostic::said(sentence, call.place()))
}

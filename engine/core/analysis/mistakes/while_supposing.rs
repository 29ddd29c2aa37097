//! `while-supposing`: code that runs on a copy of the table asks a decision, draws at random, or ends the game. None of these is possible
//! on a copy.

use super::super::program::{Program, ProgramCall};
use crate::diagnostic::{Diagnostic, choice_in_a_trial, draw_in_a_trial, end_in_a_trial};
use crate::library::Effects;
use rustc_hash::FxHashSet;

/// Reports calls that ask a decision, draw at random or end the game, if they are reached from a trial closure, directly or through other
/// functions. A function that several closures reach is reported only once.
pub(crate) fn report_forbidden_in_trials(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen = FxHashSet::default();
    for trial in &program.trials {
        let is_within = |call: &&ProgramCall<'_>| trial.has(call.span);
        let mut calls: Vec<ProgramCall<'_>> =
            program.immediate_calls(trial.code.key()).filter(is_within).copied().collect();
        let further = calls.iter().filter_map(|call| call.to.own()).collect();
        let reached = program.reachable_without_triggers(further, &mut seen);
        calls.extend(reached.into_iter().flat_map(|function| program.immediate_calls(function)).copied());
        let found_here = calls.iter().filter_map(|call| out_of_place(program, call));
        found.extend(found_here.map(|found| found.mark(trial.code.at(trial.name), "is tried out here")));
    }
}

fn out_of_place(program: &Program<'_>, call: &ProgramCall<'_>) -> Option<Diagnostic> {
    let called = call.to.library()?;
    let has = |effects: Effects| program.has_effects(called, effects);
    let sentence = if has(Effects::ASKS) {
        choice_in_a_trial()
    } else if has(Effects::DRAWS) {
        draw_in_a_trial()
    } else if has(Effects::ENDS) && !has(Effects::STOPS) {
        end_in_a_trial()
    } else {
        return None;
    };
    Some(sentence.at(call.place()))
}

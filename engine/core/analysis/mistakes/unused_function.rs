//! `unused-function`: a function that is never called. The same check also finds functions that have only unreachable callers
//! (`unreached-function`).

use super::super::program::{Callee, Code, Program};
use super::script_words::ScriptWords;
use super::unreached_function::unreached_function;
use crate::diagnostic::{Diagnostic, nearest};
use crate::library::INVARIANT;
use crate::model::{Model, SCORING};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Reports functions that cannot be reached from the engine, the game's data, agents or playscripts, neither directly nor through other
/// functions.
pub(crate) fn report_unused_functions(program: &Program<'_>, words: &ScriptWords<'_>, found: &mut Vec<Diagnostic>) {
    let mut reached = FxHashSet::default();
    let called = program.codes.iter().filter(|code| is_called_externally(program, code)).map(Code::key);
    program.reachable(called.collect(), &mut reached);
    for code in program.rules() {
        if !reached.contains(code.key()) && is_used_outside_rules(words, code.name()) {
            program.reachable(vec![code.key()], &mut reached);
        }
    }
    found.extend(
        program.codes.iter().filter(|code| !reached.contains(code.key())).map(|code| uncalled_function(program, code)),
    );
}

/// Returns whether a function is called from outside the rules: by the engine under a fixed name, or because the game's data name it.
pub(super) fn is_called_externally(program: &Program<'_>, code: &Code<'_>) -> bool {
    let name = code.name();
    SCORING.contains(&name)
        || name.starts_with(INVARIANT)
        || program.models.iter().any(|model| is_mentioned(model, name))
}

/// Returns whether an agent's file or a playscript contains a word.
fn is_used_outside_rules(words: &ScriptWords<'_>, word: &str) -> bool {
    words.by_agents(word) || words.by_plays(word)
}

/// Returns whether the game's data files contain the function name `name`. The declaration of a component with the same name does not
/// count.
fn is_mentioned(model: &Model, name: &str) -> bool {
    let own = usize::from(model.components.iter().any(|component| *component.id == *name));
    model.mentions.get(name).is_some_and(|mention| mention.times > own)
}

/// Returns the names of the functions that call `code`, except `code` itself.
fn callers(program: &Program<'_>, code: &Code<'_>) -> Vec<String> {
    let others = program.calls_to(Callee::Own(code.key())).filter(|call| call.from.key() != code.key());
    let calls = others.map(|call| call.from.name());
    let callers: BTreeSet<&str> = calls.collect();
    callers.into_iter().map(|caller| format!("`{caller}`")).collect()
}

fn uncalled_function(program: &Program<'_>, code: &Code<'_>) -> Diagnostic {
    let name = code.name();
    let callers = callers(program, code);
    if !callers.is_empty() {
        return unreached_function(code, &callers);
    }
    let found = Diagnostic::warning("unused-function", format!("nobody calls `{name}`"))
        .mark(code.place(), "named neither in the data nor by another function");
    let (beginning, rest) = name.split_once('_').unwrap_or((name, ""));
    let word = INVARIANT.trim_end_matches('_');
    if nearest(beginning, [word]).is_some() && beginning.len() + 2 >= word.len() {
        return found.help(format!("did you mean `{INVARIANT}{}`?", if rest.is_empty() { "…" } else { rest }));
    }
    let missing = SCORING.into_iter().filter(|word| program.code(word).is_none());
    match nearest(name, missing) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("call it, or take it out"),
    }
}

//! `hidden-name`: a variable hides a name of the game, and the same function also uses this name for the game's object.

use super::super::program::{Code, Program};
use super::super::variables::{VariableEvent, visit_function};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Name, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Reports variables that hide a name of the game in functions that use the name in both meanings.
pub(crate) fn report_hidden_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in program.codes.iter().filter(|code| !code.is_text()) {
        let (declared, of_game) = names_in(code);
        for name in declared {
            let (Some(what), Some(other)) = (program.what_is(&name.text), of_game.get(&name.text)) else { continue };
            found.push(
                Diagnostic::warning(
                    "hidden-name",
                    format!("the name `{}` has two meanings in this function", name.text),
                )
                .mark(code.at(name.span), format!("a variable, which hides {what} `{}`", name.text))
                .mark(code.at(*other), format!("{what} `{}`", name.text))
                .help("give the variable another name"),
            );
        }
    }
}

/// Returns the variables that a function declares, and the first use of each name that is not a variable where it is used.
fn names_in<'a>(code: &Code<'a>) -> (Vec<&'a Name>, FxHashMap<&'a Arc<str>, Span>) {
    let (mut declared, mut of_game) = (Vec::new(), FxHashMap::default());
    visit_function(code.tree, &mut |event, in_scope| match event {
        VariableEvent::Declared(variable) => declared.push(variable.name),
        VariableEvent::Used { name, span, .. } if in_scope.iter().all(|variable| variable.name.text != *name) => {
            of_game.entry(name).or_insert(span);
        }
        _ => {}
    });
    (declared, of_game)
}

//! `taken-name`: a function, or a field whose values are functions, with the name of a function of the language.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;

/// Reports such names of functions and fields.
pub(super) fn taken_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    for code in &program.codes {
        let name = code.name();
        if is_function(program, name) {
            found.push(
                Diagnostic::error("taken-name", format!("`{name}` is a function of the language"))
                    .mark(code.place(), "a function of the same name")
                    .help(format!("give the function another name, as `{name}_…`")),
            );
        }
    }
    found.extend(program.function_fields.iter().filter_map(|field| ambiguous_field(program, field)));
}

/// Returns whether the library has a function of this name. Functions of plain lists, maps and texts do not count: a game may have its own
/// `split`.
fn is_function(program: &Program<'_>, name: &str) -> bool {
    program.language.functions(name).iter().any(|function| !function.is_own())
}

/// Returns a diagnostic if calls of a field's functions would be ambiguous.
fn ambiguous_field(program: &Program<'_>, field: &str) -> Option<Diagnostic> {
    let is_function = is_function(program, field);
    let own = program.code(field);
    let what = if is_function { "a function of the language" } else { own.map(|_| "a function of the rules")? };
    let message = format!("the field `{field}` names functions and is called like {what}");
    let mut found = Diagnostic::error("taken-name", message).help("give the field another name");
    for named in program.named_functions().filter(|named| *named.field == *field).take(1) {
        found = found.mark(named.place.clone(), "a field that names a function");
    }
    for own in own.into_iter().filter(|_| !is_function) {
        found = found.mark(own.place(), "a function");
    }
    Some(found)
}

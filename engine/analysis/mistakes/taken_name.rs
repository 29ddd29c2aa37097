//! `taken-name`: a function, or a field that names functions, is called like a function of the language.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;

/// Looks at the names of all functions, and of the fields that name functions.
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
    found.extend(program.function_fields.iter().filter_map(|field| taken(program, field)));
}

/// Whether the library has a function of a name. Those of plain lists, maps and texts may be called otherwise in a game: `split`.
fn is_function(program: &Program<'_>, name: &str) -> bool {
    program.language.functions(name).iter().any(|function| !function.is_own())
}

/// A call of such a field must not mean something else as well.
fn taken(program: &Program<'_>, field: &str) -> Option<Diagnostic> {
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

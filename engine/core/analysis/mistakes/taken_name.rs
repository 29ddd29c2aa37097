//! `taken-name`: a field that names functions has the name of a rule function.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;

/// Reports fields that name functions but share their own name with a rule function. For a call of this name, the number of arguments would
/// decide whether the field or the rule function is meant.
pub(super) fn report_taken_names(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(program.function_fields.iter().filter_map(|field| ambiguous_field(program, field)));
}

fn ambiguous_field(program: &Program<'_>, field: &str) -> Option<Diagnostic> {
    let own = program.code(field)?;
    let message = format!("the field `{field}` names functions and is called like a function of the rules");
    let mut found = Diagnostic::error("taken-name", message).help("give the field another name");
    for named in program.named_functions().filter(|named| *named.field == *field).take(1) {
        found = found.mark(named.place.clone(), "a field that names a function");
    }
    Some(found.mark(own.place(), "a function"))
}

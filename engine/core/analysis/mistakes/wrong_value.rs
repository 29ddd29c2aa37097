//! `wrong-value`: a value that its target does not accept, in an assignment, in a list value, or as the ends of a link.

use super::super::infer::inference::LinkUse;
use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, Severity, sentence};
use crate::model::{Component, FieldValue, Model};

/// Creates the diagnostic for a value that `name` does not accept. `takes` describes the accepted values. The rejected value is shown as
/// `literal` if given, otherwise by its tags `bad`.
pub(crate) fn wrong_value(name: &str, takes: &str, bad: Tags, literal: Option<&str>, here: Place) -> Diagnostic {
    let what = literal.map_or_else(|| in_words(bad), |literal| format!("`{literal}`"));
    sentence::wrong_value(name, takes, &what).at(here)
}

/// Checks the fields that the rules read as the two ends of a link. For each kind, reports the first row whose field does not have exactly
/// two ends.
pub(crate) fn links_without_two_ends(model: &Model, uses: &[LinkUse]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for LinkUse { kinds, is_components, field, place } in uses {
        let Some(id) = model.find_field(field) else { continue };
        for kind in model.kinds.iter().filter(|kind| kinds.contains(&kind.id)) {
            // The rules may skip rows without the field, so these rows are not mistakes.
            let ends = |row: &Component| match row.fields.get(&id)? {
                FieldValue::List(ends) => Some(ends.len()),
                FieldValue::Nothing => None,
                _ => Some(1),
            };
            let mut rows = kind.components.iter().map(|row| model.component(*row));
            let wrong = rows.find_map(|row| Some((row, ends(row).filter(|ends| *ends != 2)?)));
            if let Some((row, ends)) = wrong {
                let mistake = link_without_two_ends(&row.id, ends, field, place.clone());
                let severity = if *is_components { Severity::Error } else { Severity::Warning };
                found.push(Diagnostic { severity, ..mistake });
            }
        }
    }
    found.dedup_by(|one, other| one.message == other.message);
    found
}

fn link_without_two_ends(row: &str, ends: usize, field: &str, here: Place) -> Diagnostic {
    let listed = match ends {
        0 => "no end".to_owned(),
        1 => "one end".to_owned(),
        more => format!("{more} ends"),
    };
    Diagnostic::error("wrong-value", format!("`{row}` has {listed} in `{field}`: a link has two"))
        .mark(here, "read as the two ends of a link")
        .help(format!("in the row of `{row}`, write the two components that it joins"))
}

/// Creates the diagnostic for an item that is added to a list value but has the wrong type.
pub(crate) fn wrong_entry(name: &str, takes: &str, bad: Tags, here: Place) -> Diagnostic {
    let message = format!("each entry of `{name}` is {takes}, not {}", in_words(bad));
    Diagnostic::error("wrong-value", message).mark(here, "an entry of another type")
}

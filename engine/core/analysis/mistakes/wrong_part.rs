//! `wrong-part`: a part of an option never has the type that the decision declares.

use crate::analysis::infer::RuleTypes;
use crate::analysis::types::in_words;
use crate::diagnostic::Diagnostic;
use crate::library::context::part_types::{declared_in_words, how_to_offer};
use crate::model::Model;

/// Returns a mistake for each declared part that no option has in the declared type.
pub(crate) fn wrong_parts(model: &Model, rules: &RuleTypes) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for decision in &model.decisions {
        let Some(place) = rules.asked_at.get(&decision.id).and_then(|places| places.first()) else { continue };
        for (name, wanted) in &decision.parts {
            let Some(tags) = rules.wrong_part(model, &decision.id, (&**name, *wanted)) else { continue };
            let (wanted, given) = (declared_in_words(model, *wanted), in_words(tags));
            let message =
                format!("the part `{name}` of `{}` is declared as {wanted}, but is {given} here", decision.id);
            found.push(
                Diagnostic::error("wrong-part", message)
                    .mark(place.clone(), "an option of another type")
                    .help(how_to_offer(&decision.id)),
            );
        }
    }
    found
}

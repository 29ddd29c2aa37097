//! Describes components for players who ask what is printed on them. This reveals nothing hidden, since the content of the box is public.

use crate::model::{Component, FieldId, FieldValue, Language, Model};
use crate::phrases::{Phrases, filled};
use crate::wording::{Wording, says_something};

/// Maximum number of components that are described at once.
const MAX_DESCRIBED: usize = 12;

/// Describes the components in the box whose name, kind and id together contain every word of `text`. Exact matches come first. At most
/// [`MAX_DESCRIBED`] components are described; a last line gives the number of others. If no component matches, returns a line that says
/// so.
pub(crate) fn describe_components(model: &Model, wording: &Wording, text: &str, language: Language) -> Vec<String> {
    let phrases = Phrases::for_language(language);
    let wanted = text.to_lowercase();
    let names = |component: &Component| {
        let name = component.name.get(language).to_lowercase();
        let kind = model.kinds[component.kind.index()].name.get(language).to_lowercase();
        (name, kind, component.id.to_lowercase())
    };
    let is_named = |component: &&Component| {
        let (name, kind, id) = names(component);
        [name, kind, id].contains(&wanted)
    };
    let has_words = |component: &&Component| {
        let (name, kind, id) = names(component);
        wanted.split_whitespace().all(|word| [&name, &kind, &id].iter().any(|text| has_word(text, word)))
    };
    let in_box = || model.components.iter().filter(|component| component.count > 0);
    let others = in_box().filter(|component| !is_named(component) && has_words(component));
    let found: Vec<&Component> = in_box().filter(is_named).chain(others).collect();
    if found.is_empty() {
        return vec![format!("  {}", filled(phrases.look.not_in_box, &[("text", &text)]))];
    }
    let mut lines: Vec<String> =
        found.iter().take(MAX_DESCRIBED).map(|component| description(model, wording, component, language)).collect();
    if found.len() > MAX_DESCRIBED {
        let more = found.len() - MAX_DESCRIBED;
        lines.push(format!("  {}", filled(phrases.look.more, &[("count", &more)])));
    }
    lines
}

/// Returns whether a text contains a word, even as part of a longer one. A number does not match inside a longer number.
fn has_word(text: &str, word: &str) -> bool {
    let are_digits =
        |a: Option<char>, b: Option<char>| [a, b].iter().all(|one| one.is_some_and(|letter| letter.is_ascii_digit()));
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !are_digits(before.chars().next_back(), word.chars().next())
            && !are_digits(word.chars().next_back(), after.chars().next())
    })
}

/// Describes a component in one line: name, kind, count, and everything printed on the component.
fn description(model: &Model, wording: &Wording, component: &Component, language: Language) -> String {
    let phrases = Phrases::for_language(language);
    let kind = model.kinds[component.kind.index()].name.get(language);
    let count = if component.each_seat {
        filled(phrases.look.for_each_player, &[("kind", &kind), ("count", &component.count)])
    } else {
        format!("{kind} × {}", component.count)
    };
    let fields = facts(model, wording, component).into_iter();
    let fields = fields.map(|(name, text)| if text.is_empty() { name } else { format!("{name} {text}") });
    let faces = component.faces.iter().map(|face| wording.field(face)).collect::<Vec<_>>().join(" / ");
    let cells = model.cells.rows(&component.cells).join(" / ");
    let rest = [faces, cells].into_iter().filter(|text| !text.is_empty());
    let printed: Vec<String> = fields.chain(rest).collect();
    let name = component.name.get(language);
    let head = filled(phrases.log.in_parentheses, &[("what", &name), ("remark", &count)]);
    let log = &phrases.log;
    let end = if printed.is_empty() { String::new() } else { format!("{}{}", log.colon, printed.join(log.semicolon)) };
    format!("  {head}{end}")
}

/// Returns the printed fields of a component that are meaningful for people: name and value. The value of a flag is empty.
pub(crate) fn facts(model: &Model, wording: &Wording, component: &Component) -> Vec<(String, String)> {
    let facts = component.fields.iter().filter(|(_, value)| says_something(value));
    let fact = |(field, value): (&FieldId, &FieldValue)| {
        let name = wording.field_name(&model.fields[field.index()]);
        (name, if *value == FieldValue::Flag(true) { String::new() } else { wording.field(value) })
    };
    facts.map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_number_is_not_found_within_a_longer_one() {
        assert!(has_word("board 7", "7") && has_word("版圖7號", "7") && has_word("board 7", "boa"));
        assert!(!has_word("board 17", "7") && !has_word("board 17", "1"));
        assert!(has_word("board 17, 7", "7"));
    }
}

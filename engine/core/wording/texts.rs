//! Collects the texts that can occur in the log.

use super::log_phrases;
use super::names::Wording;
use crate::model::{FieldValue, Model, Seat, Text, ValueType};

impl Wording {
    /// Returns every text that can be part of a log line, except numbers. These are the game's texts and words, the names of players, the
    /// phrases of the engine, and the texts in `rules`.
    pub fn texts(&self, rules: &[String]) -> Vec<String> {
        let model = &self.model;
        let mut words: Vec<String> = log_phrases::all_texts(self.language);
        words.extend(model.all_seats().map(|seat: Seat| self.seat(seat).to_owned()));
        words.extend(texts_of(model).map(|text| self.text(text).to_owned()));
        words.extend(model.spaces.iter().map(|space| space.label.to_string()));
        for value in &model.values {
            if let ValueType::Word(known) = &value.kind {
                words.extend(known.iter().map(|word| self.named_word(word)));
            }
        }
        let mut note = |word: &str| words.push(self.named_word(word));
        model
            .components
            .iter()
            .flat_map(|component| component.fields.values())
            .for_each(|one| each_word(one, &mut note));
        model.components.iter().flat_map(|component| &component.faces).for_each(|one| each_word(one, &mut note));
        model.spaces.iter().flat_map(|space| space.fields.values()).for_each(|one| each_word(one, &mut note));
        model.cells.prints.iter().flat_map(|print| &print.fields).for_each(|one| each_word(one, &mut note));
        for text in rules {
            note(text);
        }
        for decision in &model.decisions {
            words.extend(decision.parts.iter().map(|(name, _)| self.named_word(name)));
        }
        words
    }
}

/// Returns the texts in a game's files, in all languages.
fn texts_of(model: &Model) -> impl Iterator<Item = &Text> {
    let decisions = model.decisions.iter().flat_map(|decision| {
        let tells = decision.tells.iter().map(|(_, text)| text);
        [&decision.ask].into_iter().chain(&decision.tell).chain(&decision.pass).chain(tells)
    });
    [&model.name]
        .into_iter()
        .chain(model.kinds.iter().map(|kind| &kind.name))
        .chain(model.components.iter().map(|component| &component.name))
        .chain(model.cells.symbols.iter().map(|symbol| &symbol.name))
        .chain(model.families.iter().map(|family| &family.name))
        .chain(model.values.iter().map(|value| &value.name))
        .chain(model.derived.iter().map(|derived| &derived.name))
        .chain(model.phases.iter().map(|phase| &phase.name))
        .chain(model.endings.iter().map(|ending| &ending.name))
        .chain(model.says.iter().map(|say| &say.text))
        .chain(model.words.values())
        .chain(model.altered.values())
        .chain(decisions)
}

fn each_word(value: &FieldValue, note: &mut impl FnMut(&str)) {
    match value {
        FieldValue::Word(word) | FieldValue::Function(word) => note(word),
        FieldValue::List(list) => list.iter().for_each(|one| each_word(one, note)),
        FieldValue::Record(parts) => parts.values().for_each(|one| each_word(one, note)),
        _ => {}
    }
}

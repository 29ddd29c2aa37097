//! Facts printed on components, as text.

use super::palette::Palette;
use crate::model::{Alteration, Component, FieldId, FieldType, FieldValue, Model, capitalized, split_section};
use crate::wording::Wording;
use std::sync::Arc;

/// Maximum length in characters of a printed description of an altered property. Longer descriptions are assumed to be meant for authors.
const LONGEST: usize = 48;

/// A printed fact of a component.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PrintedFact {
    /// A number with its label.
    Number(String, i64),
    /// Words with their label.
    Words(String, Vec<Chip>),
    /// The name of a flag that is set.
    Flag(String),
    /// A list of records as a table: label, column names, and rows.
    Rows(String, Vec<String>, Vec<Vec<String>>),
    /// A sentence about an effect.
    Does(String),
}

/// A word, with a color if the word names a component.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chip {
    pub(super) text: String,
    pub(super) tint: Option<usize>,
}

impl PrintedFact {
    /// Formats the fact as plain text. `comma` separates words and rows.
    pub(super) fn text(self, comma: &str) -> String {
        match self {
            Self::Number(name, number) => format!("{name} {number}"),
            Self::Words(name, chips) => {
                let words: Vec<String> = chips.into_iter().map(|chip| chip.text).collect();
                format!("{name} {}", words.join(comma))
            }
            Self::Flag(name) => name,
            Self::Rows(name, _, rows) => {
                let rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
                format!("{name} {}", rows.join(comma))
            }
            Self::Does(sentence) => sentence,
        }
    }
}

/// Formatter for printed facts.
pub(super) struct FactFormatter<'a> {
    pub(super) model: &'a Model,
    pub(super) wording: &'a Wording,
}

impl FactFormatter<'_> {
    /// Returns the facts of a component, in the order of its fields, and then its effects. Leaves out values that are not worth printing,
    /// and the field `elsewhere`, which is printed in another part of the face.
    pub(super) fn facts(
        &self,
        component: &Component,
        elsewhere: Option<FieldId>,
        palette: &Palette<'_>,
    ) -> Vec<PrintedFact> {
        let kind = &self.model.kinds[component.kind.index()];
        let fields = component.fields.iter().filter(|(field, _)| Some(**field) != elsewhere);
        let fields = fields.filter(|(field, value)| !self.repeats_kind(component, **field, value, palette));
        let fields = fields.filter(|(field, value)| {
            **value != FieldValue::Number(0) || palette.is_mostly_nonzero(component.kind, **field)
        });
        let fields = fields.filter(|(_, value)| !self.is_itself(component, value));
        let mut facts: Vec<PrintedFact> = fields
            .filter_map(|(field, value)| {
                self.fact(&self.model.fields[field.index()], kind.fields.get(field), value, palette)
            })
            .collect();
        if let Some(text) = self.own_text(component) {
            facts.retain(|fact| matches!(fact, PrintedFact::Number(..)));
            facts.push(PrintedFact::Does(text.to_owned()));
            return facts;
        }
        facts.extend(component.alters.iter().map(|alters| PrintedFact::Does(self.alteration(alters))));
        let rules = component.fields.iter().filter(|(field, value)| !self.is_usual(component, **field, value, palette));
        facts.extend(rules.flat_map(|(_, value)| self.sentences(value)).map(PrintedFact::Does));
        facts
    }

    /// Returns the text that the game gives for a component: the word with the component's id, if it is a sentence. The text takes the
    /// place of everything that would be printed except numbers.
    pub(super) fn own_text(&self, component: &Component) -> Option<&str> {
        let text = self.model.words.get(&component.id)?.get(self.wording.language());
        text.ends_with(['.', '\u{3002}']).then_some(text)
    }

    /// Formats the facts of a component for a list. If the game has a text for the component, leaves out zeros and numbers that the text
    /// states.
    pub(super) fn texts(&self, component: &Component, palette: &Palette<'_>) -> Vec<String> {
        let own = self.own_text(component);
        let is_stated = |number: i64| {
            let digits = number.unsigned_abs().to_string();
            let mut numbers = own.unwrap_or_default().split(|letter: char| !letter.is_ascii_digit());
            own.is_some() && (number == 0 || numbers.any(|stated| stated == digits))
        };
        let facts = self.facts(component, None, palette).into_iter();
        let facts = facts.filter(|fact| !matches!(fact, PrintedFact::Number(_, number) if is_stated(*number)));
        facts.map(|fact| fact.text(self.wording.comma())).collect()
    }

    /// Returns whether a value refers only to the component itself.
    fn is_itself(&self, component: &Component, value: &FieldValue) -> bool {
        match value {
            FieldValue::Component(id) => self.model.component(*id).id == component.id,
            FieldValue::List(list) => !list.is_empty() && list.iter().all(|one| self.is_itself(component, one)),
            _ => false,
        }
    }

    /// Returns whether a field has the same word or component in the whole kind, so that it would only repeat the kind. Such fields are not
    /// printed.
    fn repeats_kind(&self, component: &Component, field: FieldId, value: &FieldValue, palette: &Palette<'_>) -> bool {
        let kind = &self.model.kinds[component.kind.index()];
        matches!(value, FieldValue::Word(_) | FieldValue::Component(_))
            && kind.components.len() > 1
            && !palette.differs(component.kind, field)
    }

    /// Returns whether more than half of a kind's components have this value. Effects that most components have in
    /// common are not printed on single cards.
    fn is_usual(&self, component: &Component, field: FieldId, value: &FieldValue, palette: &Palette<'_>) -> bool {
        let kind = &self.model.kinds[component.kind.index()];
        kind.components.len() > 1 && palette.majority_value(component.kind, field) == Some(value)
    }

    fn fact(
        &self,
        field: &Arc<str>,
        of: Option<&FieldType>,
        value: &FieldValue,
        palette: &Palette<'_>,
    ) -> Option<PrintedFact> {
        let name = self.wording.field_name(field);
        match value {
            FieldValue::Number(number) => Some(PrintedFact::Number(name, *number)),
            FieldValue::Flag(true) => Some(PrintedFact::Flag(name)),
            FieldValue::Word(_) | FieldValue::Component(_) => {
                Some(PrintedFact::Words(name, vec![self.format_chip(value, palette)]))
            }
            FieldValue::Record(_) => self.rows(name, std::slice::from_ref(value)),
            FieldValue::List(list) if list.iter().any(|one| matches!(one, FieldValue::Record(_))) => {
                self.rows(name, list)
            }
            FieldValue::List(list) if of.is_none_or(|of| !is_function(of)) && !list.is_empty() => {
                Some(PrintedFact::Words(name, list.iter().map(|one| self.format_chip(one, palette)).collect()))
            }
            _ => None,
        }
    }

    fn rows(&self, name: String, list: &[FieldValue]) -> Option<PrintedFact> {
        let records: Vec<_> = list
            .iter()
            .filter_map(|one| match one {
                FieldValue::Record(parts) => Some(parts),
                _ => None,
            })
            .collect();
        let mut heads: Vec<&Arc<str>> = Vec::new();
        for (part, value) in records.iter().flat_map(|parts| parts.iter()) {
            if says_something(value) && !heads.contains(&part) {
                heads.push(part);
            }
        }
        let row = |parts: &&indexmap::IndexMap<Arc<str>, FieldValue>| {
            heads
                .iter()
                .map(|head| parts.get(*head).map_or_else(String::new, |value| self.wording.field(value)))
                .collect()
        };
        let rows: Vec<Vec<String>> = records.iter().map(row).collect();
        let heads: Vec<String> = heads.iter().map(|head| self.wording.field_name(head)).collect();
        (!heads.is_empty()).then_some(PrintedFact::Rows(name, heads, rows))
    }

    /// Formats a value as a word. If the value is a component, the word has the component's color.
    pub(super) fn format_chip(&self, value: &FieldValue, palette: &Palette<'_>) -> Chip {
        let tint = match value {
            FieldValue::Component(id) => Some(palette.own_tint(*id)),
            _ => None,
        };
        Chip { text: self.wording.field(value), tint }
    }

    /// Formats the effect of an alteration, such as "cost −1".
    pub(super) fn alteration(&self, alters: &Alteration) -> String {
        let altered = self.altered_name(&alters.what);
        let only: Vec<String> =
            alters.only.iter().flat_map(|(_, of)| of.iter().map(|one| self.condition(one))).collect();
        let altered =
            if only.is_empty() { altered } else { self.wording.remarked(&altered, &only.join(self.wording.comma())) };
        let set = alters.set.as_ref().map(|value| format!("= {}", self.wording.field(value)));
        let times = (alters.multiply != 1).then(|| format!("×{}", alters.multiply));
        let added = match alters.add {
            0 if set.is_some() || times.is_some() => None,
            less @ ..0 => Some(format!("−{}", less.unsigned_abs())),
            more => Some(format!("+{more}")),
        };
        let change: Vec<String> = [set, times, added].into_iter().flatten().collect();
        format!("{altered} {}", change.join(" "))
    }

    /// Formats a condition that limits an alteration. If the condition is the id of a component, uses the component's name.
    fn condition(&self, value: &FieldValue) -> String {
        let component = match value {
            FieldValue::Word(word) => self.model.find_component(word),
            _ => None,
        };
        // A word of the game takes precedence, unless it is the text of the component.
        let component = component.filter(|id| {
            let component = self.model.component(*id);
            !self.model.words.contains_key(&component.id) || self.own_text(component).is_some()
        });
        component.map_or_else(|| self.wording.field(value), |id| self.wording.component(id).to_owned())
    }

    /// Returns the name of the altered property. Uses its description if this is short and contains no code; other descriptions are meant
    /// for authors.
    fn altered_name(&self, what: &str) -> String {
        let about = self.wording.altered(what);
        let is_short = !about.contains('`') && about.chars().count() <= LONGEST;
        if is_short { about } else { self.wording.named_word(what) }
    }

    /// Returns the sentences about the functions that a field names.
    fn sentences(&self, value: &FieldValue) -> Vec<String> {
        match value {
            FieldValue::Function(name) => self.sentence(name).into_iter().collect(),
            FieldValue::List(list) => list.iter().flat_map(|one| self.sentences(one)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the sentence about a function: the game's text for it, or its doc comment.
    pub(super) fn sentence(&self, function: &str) -> Option<String> {
        if self.model.words.contains_key(function) {
            return Some(self.wording.named_word(function));
        }
        let said = self.model.sentence(function, self.wording.language())?;
        // Section numbers are removed, since nobody looks them up on a card.
        Some(capitalized(split_section(&said).1)).filter(|said| !said.is_empty())
    }
}

/// Returns whether a value is worth printing. Empty values, zeros, unset flags and functions are not.
pub(super) fn says_something(value: &FieldValue) -> bool {
    crate::wording::says_something(value)
}

fn is_function(of: &FieldType) -> bool {
    match of {
        FieldType::Function => true,
        FieldType::List(inner) => is_function(inner),
        _ => false,
    }
}

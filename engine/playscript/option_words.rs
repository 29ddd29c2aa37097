//! Checks whether an answer could be offered in any position of the game. Rejecting an impossible answer would prove nothing.

use super::errors::{CheckResult, fail, with_help};
use super::matching::{has_word, parse_space};
use super::play::{PlayStatement, StatementKind};
use crate::diagnostic::did_you_mean;
use crate::model::{FamilyId, FieldValue, KindId, Model, PartType, Per, Seat, Setting, ValueType};
use crate::session::{Pass, Setup};
use crate::syntax::{Lexeme, lexemes};
use crate::table::RelativePosition;
use crate::wording::shown_word;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// Returns the note that marks an answer that can never be offered.
pub(super) fn never_offered_note(statement: &PlayStatement) -> &'static str {
    if matches!(statement.what, StatementKind::Reject { .. }) { "this would always hold" } else { "never offered" }
}

/// Checks that every word of an answer could occur in an option of the decision.
///
/// # Errors
/// Fails if a part has an undeclared name, is given twice or has no value, if a value does not have the declared type, if a label does not
/// exist, if the game does not know a word, or if a word names a component although no part of the decision can be one.
pub(super) fn check(
    statement: &PlayStatement,
    decision: &str,
    answer: &str,
    model: &Model,
    setup: &Setup,
    words: &OptionWords,
) -> CheckResult {
    let never = never_offered_note(statement);
    let Some(asked) = model.find_decision(decision).map(|id| &model.decisions[id.index()]) else { return Ok(()) };
    let models = variants(model);
    let mut seen_parts: Vec<&str> = Vec::new();
    let known = Vocabulary { words: words.get_or_init(|| collect_words(&models, setup)), models, setup };
    for word in answer.split_whitespace() {
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        if let Some(part) = part {
            if seen_parts.contains(&part) {
                let message = format!("`{part}` is given twice in one option");
                return Err(fail(statement, "unknown-word", message, never));
            }
            seen_parts.push(part);
            if value.is_empty() {
                let message = format!("`{part}` has no value");
                let found = fail(statement, "unknown-word", message, "nothing after `=`");
                return Err(with_help(found, Some(format!("write `{part}=…`, without blanks"))));
            }
        } else if value == "+" {
            seen_parts.clear();
        }
        let is_way = part == Some(WAY) && asked.parts.iter().any(|(name, _)| **name == *TURNED);
        if is_way && !RelativePosition::ALL.iter().any(|way| way.word() == value) {
            let message = format!("`{word}` is never offered: there is no such way to lay pieces");
            let help = did_you_mean(value, RelativePosition::ALL.map(RelativePosition::word))
                .unwrap_or_else(|| "write `way=beside`, `way=over` or `way=under`".to_owned());
            return Err(with_help(fail(statement, "unknown-word", message, never), Some(help)));
        }
        let declared =
            part.and_then(|part| asked.parts.iter().find(|(name, _)| **name == *part)).map(|(_, kind)| *kind);
        if let Some(part) = part
            && declared.is_none()
            && (!asked.parts.is_empty() || !known.has(part))
        {
            let message = format!("no option of `{decision}` has a part `{part}`");
            let parts = asked.parts.iter().map(|(name, _)| &**name);
            let words = known.words.iter().map(String::as_str).filter(|_| asked.parts.is_empty());
            let help = did_you_mean(part, parts.chain(words));
            return Err(with_help(fail(statement, "unknown-word", message, "never offered"), help));
        }
        if let (Some(part), Some(kind)) = (part, declared)
            && let Some((found, help)) = known.type_mismatch(kind, value, part, asked.parts.len())
        {
            let message = format!("`{word}` is never offered: {found}");
            return Err(with_help(fail(statement, "unknown-word", message, never), help));
        }
        if let Some((found, help)) = known.label_mismatch(value) {
            return Err(with_help(fail(statement, "unknown-word", found, never), help));
        }
        let names_components = |kind: &PartType| match kind {
            PartType::Any | PartType::Kind(_) | PartType::Component | PartType::Piece | PartType::Space => true,
            PartType::Family(family) => known.models.iter().any(|model| {
                model.families.get(family.index()).is_none_or(|family| family.per.iter().any(|per| *per != Per::Seat))
            }),
            PartType::Number | PartType::Flag | PartType::Word | PartType::Seat => false,
        };
        if part.is_none()
            && model.find_component(value).is_some()
            && !asked.parts.is_empty()
            && !asked.parts.iter().any(|(_, kind)| names_components(kind))
        {
            let message = format!("no part of `{decision}` is a component, so `{value}` is never offered");
            let parts: Vec<String> = asked.parts.iter().map(|(name, _)| format!("`{name}=…`")).collect();
            let help = format!("write {}", parts.join(" or "));
            return Err(with_help(fail(statement, "unknown-word", message, never), Some(help)));
        }
        let is_part = |word: &str| asked.parts.iter().any(|(name, _)| **name == *word);
        if let Some(stray) = split_words(value).find(|word| !known.has(word) && !is_part(word)) {
            let message = format!("`{stray}` is not a word that the game offers, so `{answer}` is never offered");
            let help = did_you_mean(stray, known.words.iter().map(String::as_str));
            return Err(with_help(fail(statement, "unknown-word", message, never), help));
        }
    }
    Ok(())
}

/// Words that may occur in options of a game and its variants.
struct Vocabulary<'a> {
    models: Vec<&'a Model>,
    setup: &'a Setup,
    words: &'a FxHashSet<String>,
}

/// Cache of the words that may occur in options of a game.
pub(super) type OptionWords = OnceCell<FxHashSet<String>>;

/// Description of an impossible value, and a suggestion. `None` if the value is possible.
type Mismatch = Option<(String, Option<String>)>;

/// Name of the option part that says whether a placed piece lies beside, over or under other pieces.
const WAY: &str = "way";

/// Name of the option part that says by how many steps a placed piece is rotated.
const TURNED: &str = "turned";

/// Returns the variants of a game that add names, then the game itself. Variants differ in their options or number of seats.
fn variants(model: &Model) -> Vec<&Model> {
    model.variants_with_more_names().iter().map(|other| &**other).chain([model]).collect()
}

fn collect_words(models: &[&Model], setup: &Setup) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let mut add = |text: &str| words.extend(split_words(text).map(str::to_owned));
    for word in ["yes", "no", "nothing", Pass::Done.word(), Pass::Pass.word(), "over", "under", "beside"] {
        add(word);
    }
    for model in models {
        for component in &model.components {
            add(&component.id);
            component.fields.values().chain(&component.faces).for_each(|value| add_field_words(value, &mut add));
        }
        model.kinds.iter().for_each(|kind| add(&kind.id));
        for space in &model.spaces {
            add(&space.label.to_string());
            space.fields.values().for_each(|value| add_field_words(value, &mut add));
        }
        for family in &model.families {
            add(&family.id);
            add(family.name.get(crate::model::Language::English));
            family.copies.iter().flatten().for_each(|label| add(&label.to_string()));
        }
        for value in &model.values {
            if let ValueType::Word(words) = &value.kind {
                for word in words {
                    add(word);
                }
            }
        }
        let options = model.options.values().map(|option| &option.value);
        model
            .params
            .values()
            .map(|param| &param.value)
            .chain(options)
            .for_each(|value| add_setting_words(value, &mut add));
        model.altered.keys().for_each(|word| add(word));
        model.scripts.iter().for_each(|source| add_script_words(&source.text, &mut add));
        (0..model.seats).for_each(|seat| add(setup.name(Seat(seat))));
    }
    words
}

impl Vocabulary<'_> {
    /// Returns whether `word` is a number or a known word. A known word may be followed by an index, such as `_2` or `#2`.
    fn has(&self, word: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
        let numbered = word.rsplit_once(['_', '-', '#']).filter(|(_, number)| is_number(number));
        is_number(word) || self.words.contains(word) || numbered.is_some_and(|(word, _)| self.words.contains(word))
    }

    /// Checks a value against the declared type of its part.
    fn type_mismatch(&self, kind: PartType, value: &str, part: &str, parts: usize) -> Mismatch {
        if value.is_empty() || value == "nothing" || value.contains('#') {
            return None;
        }
        match kind {
            PartType::Any | PartType::Word | PartType::Component | PartType::Piece | PartType::Space => None,
            PartType::Flag => (!matches!(value, "yes" | "no")).then(|| {
                (format!("`{value}` is not `yes` or `no`"), Some(format!("write `{part}=yes` or `{part}=no`")))
            }),
            PartType::Number => {
                let Ok(number) = value.parse::<i64>() else {
                    return Some((
                        format!("`{value}` is not a number"),
                        Some(format!("write `{part}=3`, or another number")),
                    ));
                };
                let turns = self.models.last().map_or(4, |model| i64::from(model.cells.turns()));
                (part == TURNED && parts >= 3 && !(0..turns).contains(&number)).then(|| {
                    let help = format!("write `{part}={}`", number.rem_euclid(turns));
                    (format!("a piece is turned 0 to {} times", turns - 1), Some(help))
                })
            }
            PartType::Seat => {
                let seats = self.models.last().map_or(0, |model| model.seats);
                let names: Vec<&str> = (0..seats).map(|seat| self.setup.name(Seat(seat))).collect();
                let is_known = names.iter().any(|name| has_word(name, value));
                (!is_known).then(|| (format!("`{value}` is not a player"), did_you_mean(value, names.iter().copied())))
            }
            PartType::Family(family) => self.place_mismatch(family, value),
            PartType::Kind(kind) => self.component_mismatch(kind, value),
        }
    }

    fn place_mismatch(&self, family: FamilyId, value: &str) -> Mismatch {
        let id = self.models.last()?.family(family).id.clone();
        let mut labels: Vec<String> = Vec::new();
        for model in &self.models {
            let Some(family) = model.find_family(&id).map(|family| model.family(family)) else { continue };
            labels.push(family.name.get(crate::model::Language::English).to_owned());
            labels.extend(family.copies.iter().flatten().map(ToString::to_string));
            for zone in family.zones.clone() {
                let zone = &model.zones[zone as usize];
                labels.extend(zone.components().map(|component| model.component(component).id.to_string()));
                labels.extend(zone.spaces.clone().map(|space| model.spaces[space as usize].label.to_string()));
            }
        }
        let bare = parse_space(value).filter(|space| *space.zone == *id).map_or(value, |space| space.label);
        let is_known = labels.iter().any(|label| label == bare || has_word(label, bare));
        (!is_known).then(|| (format!("`{id}` has no `{value}`"), nearest_label(value, &labels)))
    }

    /// Returns whether a die of the kind has the face `value`.
    fn is_shown(&self, kind: KindId, value: &str) -> bool {
        let Some(model) = self.models.last() else { return false };
        let dice = model.components.iter().filter(|component| component.kind == kind);
        dice.flat_map(|die| &die.faces).any(|face| shown_word(model, face) == value)
    }

    fn component_mismatch(&self, kind: KindId, value: &str) -> Mismatch {
        let id = self.models.last()?.kinds[kind.index()].id.clone();
        let mut known: Vec<&str> = Vec::new();
        for model in &self.models {
            let Some(kind) = model.find_kind(&id) else { continue };
            known.extend(
                model.components.iter().filter(|component| component.kind == kind).map(|component| &*component.id),
            );
        }
        let is_known = known.iter().any(|id| has_word(value, id) || has_word(id, value)) || self.is_shown(kind, value);
        (!is_known).then(|| {
            let last = value.rsplit('.').next().unwrap_or(value);
            (format!("`{value}` is not a component of the kind `{id}`"), did_you_mean(last, known.iter().copied()))
        })
    }

    /// Checks the label in a value such as `board[2,3]`, which names a space with its zone.
    fn label_mismatch(&self, value: &str) -> Mismatch {
        let (zone, label) = value.split_once('[').and_then(|(zone, rest)| Some((zone, rest.split_once(']')?.0)))?;
        let id = split_words(zone).last()?;
        let mut labels: Vec<String> = Vec::new();
        for model in &self.models {
            let Some(family) = model.find_family(id).map(|family| model.family(family)) else { continue };
            labels.extend(family.copies.iter().flatten().map(ToString::to_string));
            for zone in family.zones.clone() {
                let zone = &model.zones[zone as usize];
                labels.extend(zone.components().map(|component| model.component(component).id.to_string()));
                labels.extend(zone.spaces.clone().map(|space| model.spaces[space as usize].label.to_string()));
            }
        }
        let is_known = labels.is_empty() || labels.iter().any(|known| known == label || has_word(known, label));
        (!is_known).then(|| (format!("`{id}` has no `{label}`"), nearest_label(label, &labels)))
    }
}

/// Suggests the label nearest to `value`: by distance for coordinates, otherwise by spelling.
fn nearest_label(value: &str, labels: &[String]) -> Option<String> {
    let numbers = |text: &str| text.split(',').map(|part| part.parse::<i64>().ok()).collect::<Option<Vec<i64>>>();
    let Some(wanted) = numbers(value) else { return did_you_mean(value, labels.iter().map(String::as_str)) };
    let distance = |label: &&String| {
        let coordinates = numbers(label).filter(|coordinates| coordinates.len() == wanted.len())?;
        Some(coordinates.iter().zip(&wanted).map(|(a, b)| a.abs_diff(*b)).fold(0, u64::saturating_add))
    };
    let near = labels.iter().filter_map(|label| Some((distance(&label)?, label))).min();
    near.map(|(_, label)| format!("the nearest is `{label}`"))
}

fn add_field_words(value: &FieldValue, add: &mut impl FnMut(&str)) {
    match value {
        FieldValue::Word(word) | FieldValue::Function(word) => add(word),
        FieldValue::List(list) => list.iter().for_each(|one| add_field_words(one, add)),
        FieldValue::Record(parts) => parts.iter().for_each(|(name, one)| {
            add(name);
            add_field_words(one, add);
        }),
        _ => {}
    }
}

fn add_setting_words(value: &Setting, add: &mut impl FnMut(&str)) {
    match value {
        Setting::Word(word) => add(word),
        Setting::List(list) => list.iter().for_each(|one| add_setting_words(one, add)),
        Setting::Table(parts) => parts.iter().for_each(|(name, one)| {
            add(name);
            add_setting_words(one, add);
        }),
        _ => {}
    }
}

/// Adds the string literals and templates of a script, and the identifiers before colons, which may be names of option parts.
fn add_script_words(script: &str, add: &mut impl FnMut(&str)) {
    let lexemes = lexemes(script);
    for (at, (what, _)) in lexemes.iter().enumerate() {
        match what {
            Lexeme::Quoted(text) | Lexeme::Template(text) => add(text),
            Lexeme::Word(word) if matches!(lexemes.get(at + 1), Some((Lexeme::Symbol(":"), _))) => add(word),
            _ => {}
        }
    }
}

/// Iterates over the identifiers and numbers in `text`.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|piece| !piece.is_empty())
}

//! Whether an answer could be offered by a decision in any position: what never could shows nothing when it is rejected.

use super::failing::{Checked, fail, with_help};
use super::matching::{has_word, in_zone};
use super::play::{PlayStatement, What};
use crate::diagnostic::did_you_mean;
use crate::model::{FamilyId, FieldValue, KindId, Model, PartType, Per, Seat, Setting, ValueType};
use crate::session::{Pass, Setup};
use crate::syntax::{Lexeme, lexemes};
use crate::table::Way;
use crate::wording::shown_word;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// What an option that is offered nowhere comes to in a statement.
pub(super) fn never(statement: &PlayStatement) -> &'static str {
    if matches!(statement.what, What::Reject { .. }) { "this would always hold" } else { "never offered" }
}

/// Refuses an answer with a word that no option of the decision can have.
///
/// # Errors
/// When a part has a name that the decision declares no part by, when the value of a part is not of the type that is
/// declared for it, and when a word is none that the game's files could offer.
pub(super) fn known(
    statement: &PlayStatement,
    (decision, answer): (&str, &str),
    (model, setup): (&Model, &Setup),
    words: &OptionWords,
) -> Checked {
    let never = never(statement);
    let Some(asked) = model.find_decision(decision).map(|id| &model.decisions[id.index()]) else { return Ok(()) };
    let models = models(model);
    let mut said: Vec<&str> = Vec::new();
    let known = Vocabulary { words: words.get_or_init(|| words_of(&models, setup)), models, setup };
    for word in answer.split_whitespace() {
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        if let Some(part) = part {
            if said.contains(&part) {
                let message = format!("`{part}` is said twice of one option");
                return Err(fail(statement, "unknown-word", message, never));
            }
            said.push(part);
            if value.is_empty() {
                let message = format!("nothing is said of `{part}`");
                let found = fail(statement, "unknown-word", message, "nothing behind `=`");
                return Err(with_help(found, Some(format!("write `{part}=…`, without blanks"))));
            }
        } else if value == "+" {
            said.clear();
        }
        let is_way = part == Some(WAY) && asked.parts.iter().any(|(name, _)| **name == *TURNED);
        if is_way && !Way::ALL.iter().any(|way| way.word() == value) {
            let message = format!("`{word}` is offered nowhere: nothing is laid so");
            let help = did_you_mean(value, Way::ALL.map(Way::word))
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
            return Err(with_help(fail(statement, "unknown-word", message, "would be offered nowhere"), help));
        }
        if let (Some(part), Some(kind)) = (part, declared)
            && let Some((found, help)) = known.stray(kind, value, part, asked.parts.len())
        {
            let message = format!("`{word}` is offered nowhere: {found}");
            return Err(with_help(fail(statement, "unknown-word", message, never), help));
        }
        if let Some((found, help)) = known.stray_label(value) {
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
            let message = format!("no part of `{decision}` names a component: `{value}` is offered nowhere");
            let parts: Vec<String> = asked.parts.iter().map(|(name, _)| format!("`{name}=…`")).collect();
            let help = format!("write {}", parts.join(" or "));
            return Err(with_help(fail(statement, "unknown-word", message, never), Some(help)));
        }
        let is_part = |word: &str| asked.parts.iter().any(|(name, _)| **name == *word);
        if let Some(stray) = pieces(value).find(|word| !known.has(word) && !is_part(word)) {
            let message = format!("`{stray}` is no word that the game offers: `{answer}` is offered nowhere");
            let help = did_you_mean(stray, known.words.iter().map(String::as_str));
            return Err(with_help(fail(statement, "unknown-word", message, never), help));
        }
    }
    Ok(())
}

/// Every word that an option may be written with.
struct Vocabulary<'a> {
    models: Vec<&'a Model>,
    setup: &'a Setup,
    words: &'a FxHashSet<String>,
}

/// Every word that an option of a game may be written with, once it has been asked for.
pub(super) type OptionWords = OnceCell<FxHashSet<String>>;

/// What is wrong with a value, and the nearest thing that was meant.
type Stray = Option<(String, Option<String>)>;

/// The part of a placement that says how the piece is laid.
const WAY: &str = "way";

/// The part of a placement that says how often the piece is turned.
const TURNED: &str = "turned";

/// A game with other options and numbers of seats too, as it is played last.
fn models(model: &Model) -> Vec<&Model> {
    model.elsewhere().iter().map(|other| &**other).chain([model]).collect()
}

fn words_of(models: &[&Model], setup: &Setup) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let mut add = |text: &str| words.extend(pieces(text).map(str::to_owned));
    for word in ["yes", "no", "nothing", Pass::Done.word(), Pass::Pass.word(), "over", "under", "beside"] {
        add(word);
    }
    for model in models {
        for component in &model.components {
            add(&component.id);
            component.fields.values().chain(&component.faces).for_each(|value| field_words(value, &mut add));
        }
        model.kinds.iter().for_each(|kind| add(&kind.id));
        for space in &model.spaces {
            add(&space.label.to_string());
            space.fields.values().for_each(|value| field_words(value, &mut add));
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
        model.params.values().map(|param| &param.value).chain(options).for_each(|value| setting_words(value, &mut add));
        model.altered.keys().for_each(|word| add(word));
        model.scripts.iter().for_each(|source| named_in(&source.text, &mut add));
        (0..model.seats).for_each(|seat| add(setup.name(Seat(seat))));
    }
    words
}

impl Vocabulary<'_> {
    /// Whether a word is known, or is a number, or one of several that are told apart by a number.
    fn has(&self, word: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
        let numbered = word.rsplit_once(['_', '-', '#']).filter(|(_, number)| is_number(number));
        is_number(word) || self.words.contains(word) || numbered.is_some_and(|(word, _)| self.words.contains(word))
    }

    /// What is wrong with the value of a part of a declared type, if anything.
    fn stray(&self, kind: PartType, value: &str, part: &str, parts: usize) -> Stray {
        if value.is_empty() || value == "nothing" || value.contains('#') {
            return None;
        }
        match kind {
            PartType::Any | PartType::Word | PartType::Component | PartType::Piece | PartType::Space => None,
            PartType::Flag => (!matches!(value, "yes" | "no")).then(|| {
                (format!("`{value}` is neither yes nor no"), Some(format!("write `{part}=yes` or `{part}=no`")))
            }),
            PartType::Number => {
                let Ok(number) = value.parse::<i64>() else {
                    return Some((
                        format!("`{value}` is no number"),
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
                (!is_known).then(|| (format!("`{value}` is no player"), did_you_mean(value, names.iter().copied())))
            }
            PartType::Family(family) => self.stray_place(family, value),
            PartType::Kind(kind) => self.stray_component(kind, value),
        }
    }

    fn stray_place(&self, family: FamilyId, value: &str) -> Stray {
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
        let bare = in_zone(value).filter(|space| *space.zone == *id).map_or(value, |space| space.label);
        let is_known = labels.iter().any(|label| label == bare || has_word(label, bare));
        (!is_known).then(|| (format!("`{id}` has no `{value}`"), nearest(value, &labels)))
    }

    /// Whether dice of a kind show that.
    fn is_shown(&self, kind: KindId, value: &str) -> bool {
        let Some(model) = self.models.last() else { return false };
        let dice = model.components.iter().filter(|component| component.kind == kind);
        dice.flat_map(|die| &die.faces).any(|face| shown_word(model, face) == value)
    }

    fn stray_component(&self, kind: KindId, value: &str) -> Stray {
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
            (format!("`{value}` is no component of the kind `{id}`"), did_you_mean(last, known.iter().copied()))
        })
    }

    /// What is wrong with a place written with its label, as `board[2,3]`, if anything.
    fn stray_label(&self, value: &str) -> Stray {
        let (zone, label) = value.split_once('[').and_then(|(zone, rest)| Some((zone, rest.split_once(']')?.0)))?;
        let id = pieces(zone).last()?;
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
        (!is_known).then(|| (format!("`{id}` has no `{label}`"), nearest(label, &labels)))
    }
}

/// The label that is nearest to one that is not there: by numbers, or by letters.
fn nearest(value: &str, labels: &[String]) -> Option<String> {
    let numbers = |text: &str| text.split(',').map(|part| part.parse::<i64>().ok()).collect::<Option<Vec<i64>>>();
    let Some(wanted) = numbers(value) else { return did_you_mean(value, labels.iter().map(String::as_str)) };
    let distance = |label: &&String| {
        let is = numbers(label).filter(|is| is.len() == wanted.len())?;
        Some(is.iter().zip(&wanted).map(|(a, b)| a.abs_diff(*b)).fold(0, u64::saturating_add))
    };
    let near = labels.iter().filter_map(|label| Some((distance(&label)?, label))).min();
    near.map(|(_, label)| format!("the nearest is `{label}`"))
}

fn field_words(value: &FieldValue, add: &mut impl FnMut(&str)) {
    match value {
        FieldValue::Word(word) | FieldValue::Function(word) => add(word),
        FieldValue::List(list) => list.iter().for_each(|one| field_words(one, add)),
        FieldValue::Record(parts) => parts.iter().for_each(|(name, one)| {
            add(name);
            field_words(one, add);
        }),
        _ => {}
    }
}

fn setting_words(value: &Setting, add: &mut impl FnMut(&str)) {
    match value {
        Setting::Word(word) => add(word),
        Setting::List(list) => list.iter().for_each(|one| setting_words(one, add)),
        Setting::Table(parts) => parts.iter().for_each(|(name, one)| {
            add(name);
            setting_words(one, add);
        }),
        _ => {}
    }
}

/// Notes the texts in quotes of a script, and the names of parts: what stands before a colon.
fn named_in(script: &str, add: &mut impl FnMut(&str)) {
    let lexemes = lexemes(script);
    for (at, (what, _)) in lexemes.iter().enumerate() {
        match what {
            Lexeme::Quoted(said) | Lexeme::Template(said) => add(said),
            Lexeme::Word(word) if matches!(lexemes.get(at + 1), Some((Lexeme::Symbol(":"), _))) => add(word),
            _ => {}
        }
    }
}

/// The words and numbers in a text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|piece| !piece.is_empty())
}

//! Kinds of values that a decision can offer, determined from its declaration, the open decision, and random play. Values of all other
//! kinds are assumed never to be offered.

use super::errors::{CheckResult, fail, with_help};
use super::matching::has_word;
use super::option_words::never_offered_note;
use super::play::PlayStatement;
use super::runner::Runner;
use crate::diagnostic::did_you_mean;
use crate::model::{
    Component, ComponentId, DecisionId, FamilyId, FieldValue, KindId, Model, PartType, SpaceId, ZoneId,
};
use crate::session::{Choice, Decision, Pass, Session, words_near};
use crate::table::{Chance, Table};
use crate::wording::{OptionTexts, shown_word};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of random games that are played to find out what a decision offers.
const GAMES: u64 = 16;

/// Maximum number of answers in each random game.
const ANSWERS: usize = 2_000;

/// Maximum number of options examined per decision, evenly spaced.
const SAMPLED_OPTIONS: usize = 256;

/// Number of times a decision must have been seen before its offers count as complete.
const MIN_OCCURRENCES: usize = 8;

/// Kind of a value that an option may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ThingKind {
    Number,
    Flag,
    Word,
    Seat,
    Owner,
    Nothing,
    Kind(KindId),
    Family(FamilyId),
}

/// Kinds of the values that a decision offers, separately for options without parts and for each part.
#[derive(Debug, Default)]
struct OfferedKinds {
    whole: BTreeSet<ThingKind>,
    parts: BTreeMap<String, BTreeSet<ThingKind>>,
    /// Words that were offered.
    words: BTreeSet<String>,
    /// Number of times the decision was seen.
    asked: usize,
}

impl OfferedKinds {
    /// Returns the kinds of values that the declared parts of a decision allow. A part has no kinds if its type does not determine them.
    fn from_declaration(model: &Model, id: DecisionId) -> Self {
        let declared = &model.decisions[id.index()];
        let mut offered = Self::default();
        for (name, kind) in &declared.parts {
            let kinds = offered.parts.entry(name.to_string()).or_default();
            match *kind {
                // The declaration does not determine the kinds; random play must show them.
                PartType::Any | PartType::Component | PartType::Piece | PartType::Space => {}
                PartType::Number => drop(kinds.insert(ThingKind::Number)),
                PartType::Flag => drop(kinds.insert(ThingKind::Flag)),
                PartType::Word => drop(kinds.insert(ThingKind::Word)),
                PartType::Seat => drop(kinds.insert(ThingKind::Seat)),
                PartType::Kind(kind) => kinds.extend([ThingKind::Kind(kind), ThingKind::Owner]),
                PartType::Family(family) => {
                    model.family(family).zones.clone().for_each(|zone| add_zone(model, ZoneId(zone), kinds));
                }
            }
        }
        offered
    }

    /// Adds the kinds of the values in the options of an open decision.
    fn record(&mut self, table: &Table, asked: &Decision) {
        // Passing is not collected: any decision could allow it (see `is_pass`).
        let count = asked.options.len();
        self.asked += 1;
        for at in (0..count).step_by(count / SAMPLED_OPTIONS + 1) {
            let mut note = |name: Option<&str>, choice: &Choice| {
                let kinds = match name {
                    Some(name) => self.parts.entry(name.to_owned()).or_default(),
                    None => &mut self.whole,
                };
                choice.each_leaf(&mut |leaf| {
                    add_leaf(table, leaf, kinds);
                    if let Choice::Word(word) = leaf {
                        self.words.insert(word.to_string());
                    }
                });
            };
            match asked.option(at) {
                Choice::Parts(parts) => parts.iter().for_each(|(name, part)| note(Some(name), part)),
                whole => note(None, &whole),
            }
        }
    }

    /// Returns the kinds of a part, or the kinds of all options if `part` is `None` or unknown.
    fn kinds(&self, part: Option<&str>) -> BTreeSet<ThingKind> {
        match part.and_then(|part| self.parts.get(part)) {
            Some(kinds) => kinds.clone(),
            None => self.parts.values().flatten().chain(&self.whole).copied().collect(),
        }
    }

    fn has(&self, model: &Model, seats: &[&str], word: &str) -> bool {
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        let kinds = self.kinds(part);
        let is_open = if part.is_some() { value == NOTHING } else { is_pass(value) };
        is_open || fits(model, seats, value, &kinds, &self.words)
    }
}

fn add_leaf(table: &Table, leaf: &Choice, kinds: &mut BTreeSet<ThingKind>) {
    let model = table.model();
    let kind = |component: ComponentId| ThingKind::Kind(model.component(component).kind);
    match leaf {
        Choice::Number(_) => drop(kinds.insert(ThingKind::Number)),
        Choice::Flag(_) => drop(kinds.insert(ThingKind::Flag)),
        Choice::Word(_) => drop(kinds.insert(ThingKind::Word)),
        Choice::Seat(_) => drop(kinds.insert(ThingKind::Seat)),
        Choice::Component(component) => drop(kinds.insert(kind(*component))),
        Choice::Piece(piece) => {
            kinds.insert(kind(table.component(*piece)));
            kinds.extend(table.owner(*piece).map(|_| ThingKind::Owner));
            // If equal pieces lie in several places, options name the place too.
            add_zone(model, table.zone_of(*piece), kinds);
        }
        Choice::Zone(zone) => add_zone(model, *zone, kinds),
        Choice::Space(space) => add_zone(model, model.space(*space).zone, kinds),
        Choice::Nothing => drop(kinds.insert(ThingKind::Nothing)),
        Choice::Many(_) | Choice::Parts(_) => {}
    }
}

/// Adds the kinds of values that occur in a zone's name: its family, and the seat and components to which the zone belongs.
fn add_zone(model: &Model, zone: ZoneId, kinds: &mut BTreeSet<ThingKind>) {
    let found = model.zone(zone);
    kinds.insert(ThingKind::Family(found.family));
    kinds.extend(found.seat.map(|_| ThingKind::Owner));
    kinds.extend(found.components().map(|component| ThingKind::Kind(model.component(component).kind)));
}

/// Word for an empty value.
const NOTHING: &str = "nothing";

/// Returns whether a word means passing or finishing, which any decision could allow.
fn is_pass(word: &str) -> bool {
    word == Pass::Pass.word() || word == Pass::Done.word()
}

/// Returns whether the word `value` could stand for a value of one of `kinds`. `words` contains the words that the decision offers.
fn fits(model: &Model, seats: &[&str], value: &str, kinds: &BTreeSet<ThingKind>, words: &BTreeSet<String>) -> bool {
    let has = |kind: ThingKind| kinds.contains(&kind);
    if value == NOTHING {
        return has(ThingKind::Nothing);
    }
    let is_flag = matches!(value, "yes" | "no") && has(ThingKind::Flag);
    if is_flag || value.parse::<i64>().is_ok() && has(ThingKind::Number) {
        return true;
    }
    kinds.iter().any(|kind| match *kind {
        ThingKind::Seat => seats.iter().any(|name| has_word(value, name) || has_word(name, value)),
        ThingKind::Kind(kind) => {
            let mut of_kind = model.components.iter().filter(|component| component.kind == kind);
            let shows = |component: &Component| component.faces.iter().any(|face| shown_word(model, face) == value);
            of_kind
                .any(|component| has_word(value, &component.id) || has_word(&component.id, value) || shows(component))
        }
        ThingKind::Family(family) => is_place(model, family, value),
        ThingKind::Word => words.iter().any(|word| has_word(word, value)) || is_field_word(model, value, words),
        ThingKind::Owner => seats.iter().any(|name| has_word(name, value)),
        ThingKind::Number | ThingKind::Flag | ThingKind::Nothing => false,
    })
}

/// Returns whether `value` occurs in a component field in which one of `words` also occurs.
fn is_field_word(model: &Model, value: &str, words: &BTreeSet<String>) -> bool {
    let fields = |word: &str| {
        let says = |field: &FieldValue| matches!(field, FieldValue::Word(known) if **known == *word);
        let found = model.components.iter().flat_map(|component| &component.fields);
        found.filter(|(_, field)| says(field)).map(|(name, _)| *name).collect::<BTreeSet<_>>()
    };
    let own = fields(value);
    !own.is_empty() && words.iter().any(|word| !fields(word).is_disjoint(&own))
}

/// Returns whether `value` matches the id of a family, or the label of one of its zones or spaces.
fn is_place(model: &Model, family: FamilyId, value: &str) -> bool {
    let found = model.family(family);
    if has_word(value, &found.id) || has_word(&found.id, value) {
        return true;
    }
    let is_label = |label: String| label == value || has_word(&label, value);
    let zones = found.zones.clone().map(|zone| model.zone(ZoneId(zone)));
    found.copies.iter().flatten().any(|label| is_label(label.to_string()))
        || zones
            .flat_map(|zone| zone.spaces.clone())
            .any(|space| is_label(model.space(SpaceId(space)).label.to_string()))
}

impl Runner<'_> {
    /// Checks that every word of an answer is of a kind that the decision offers.
    ///
    /// # Errors
    /// Fails if neither the declaration, the open decision nor [`GAMES`] random games offer a value of that kind. Passes if the decision
    /// has been seen fewer than [`MIN_OCCURRENCES`] times.
    pub(super) fn check_could_be_offered(
        &self,
        statement: &PlayStatement,
        decision: &str,
        answer: &str,
    ) -> CheckResult {
        let model = self.session().model().clone();
        let Some(id) = model.find_decision(decision) else { return Ok(()) };
        let seats: Vec<&str> = model.all_seats().map(|seat| self.setup.name(seat)).collect();
        let mut offered = OfferedKinds::from_declaration(&model, id);
        offered.words = words_near(&model, decision).iter().map(ToString::to_string).collect();
        if let Some(open) = self.session().decision().filter(|open| open.id == id) {
            offered.record(self.session().table(), open);
        }
        let words: Vec<&str> = answer.split_whitespace().filter(|word| *word != "+").collect();
        let missing = |offered: &OfferedKinds| words.iter().find(|word| !offered.has(&model, &seats, word)).copied();
        for seed in 0..GAMES {
            if missing(&offered).is_none() {
                return Ok(());
            }
            self.play_at_random(seed, id, &mut offered);
        }
        let Some(word) = missing(&offered).filter(|_| offered.asked >= MIN_OCCURRENCES) else { return Ok(()) };
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        let kinds: Vec<String> =
            offered.kinds(part).into_iter().filter_map(|kind| describe_kind(&model, kind)).collect();
        let kinds_text = if kinds.is_empty() { "no such thing".to_owned() } else { kinds.join(", ") };
        let whose = part.map_or_else(|| format!("`{decision}`"), |part| format!("`{part}` of `{decision}`"));
        let message = format!("`{word}` is never offered: {whose} offers {kinds_text}");
        let none = || OptionTexts::listed(Vec::new());
        let options = self.session().decision().map_or_else(none, |open| self.option_texts(open));
        let some = options.some();
        let near = some.iter().flat_map(|option| option.split([' ', '='])).collect::<BTreeSet<_>>();
        let found = fail(statement, "unknown-word", message, never_offered_note(statement));
        let found = with_help(found, did_you_mean(value, near));
        let seat = self.session().decision().map(|open| open.seat);
        Err(self.with_options(found, &options, answer, seat))
    }

    /// Plays a random game and collects what a decision offers in it.
    fn play_at_random(&self, seed: u64, id: DecisionId, offered: &mut OfferedKinds) {
        let Some(game) = &self.game else { return };
        let Ok(mut session) = Session::start(game, &self.setup.clone().seed(seed)) else { return };
        let mut chance = Chance::new(seed, "offering");
        for _ in 0..ANSWERS {
            let Some(open) = session.decision() else { return };
            if open.id == id {
                offered.record(session.table(), open);
            }
            let at = open.draw(&mut chance);
            if session.choose(at).is_err() {
                return;
            }
        }
    }
}

/// Describes a kind for a message. Returns `None` for owners, which are covered by the description of what they own.
fn describe_kind(model: &Model, kind: ThingKind) -> Option<String> {
    Some(match kind {
        ThingKind::Number => "numbers".to_owned(),
        ThingKind::Flag => "yes or no".to_owned(),
        ThingKind::Word => "words of its own".to_owned(),
        ThingKind::Seat => "players".to_owned(),
        ThingKind::Nothing => NOTHING.to_owned(),
        ThingKind::Owner => return None,
        ThingKind::Kind(kind) => format!("what is of the kind `{}`", model.kinds[kind.index()].id),
        ThingKind::Family(family) => format!("places of `{}`", model.family(family).id),
    })
}

//! What sorts of things a decision offers: as it declares them, as the open decision has them, and as games show it that are
//! played at random. What is of no such sort it could offer in no position.

use super::failing::{Checked, fail, with_help};
use super::matching::has_word;
use super::play::PlayStatement;
use super::runner::Runner;
use super::words::never;
use crate::diagnostic::did_you_mean;
use crate::model::{
    Component, ComponentId, DecisionId, FamilyId, FieldValue, KindId, Model, PartType, SpaceId, ZoneId,
};
use crate::session::{Choice, Decision, Pass, Session, words_near};
use crate::table::{Chance, Table};
use crate::wording::{OptionTexts, shown_word};
use std::collections::{BTreeMap, BTreeSet};

/// How many games are played at most to see whether something is ever offered.
const GAMES: u64 = 16;

/// How many answers are given in each at most.
const ANSWERS: usize = 2_000;

/// How many options of a decision are looked at, evenly spread.
const LOOKED_AT: usize = 256;

/// So often a decision has to be asked before it is said what it never offers.
const ENOUGH: usize = 8;

/// A sort of thing that an option may have.
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

/// What a decision offers: as a whole, and by the parts of its options.
#[derive(Debug, Default)]
struct Offered {
    whole: BTreeSet<ThingKind>,
    parts: BTreeMap<String, BTreeSet<ThingKind>>,
    /// The words among it.
    words: BTreeSet<String>,
    /// How often it was asked.
    asked: usize,
}

impl Offered {
    /// As far as the decision declares it.
    fn declared(model: &Model, id: DecisionId) -> Self {
        let declared = &model.decisions[id.index()];
        let mut offered = Self::default();
        for (name, kind) in &declared.parts {
            let sorts = offered.parts.entry(name.to_string()).or_default();
            match *kind {
                // Of what it is no more is declared than games show that are played.
                PartType::Any | PartType::Component | PartType::Piece | PartType::Space => {}
                PartType::Number => drop(sorts.insert(ThingKind::Number)),
                PartType::Flag => drop(sorts.insert(ThingKind::Flag)),
                PartType::Word => drop(sorts.insert(ThingKind::Word)),
                PartType::Seat => drop(sorts.insert(ThingKind::Seat)),
                PartType::Kind(kind) => sorts.extend([ThingKind::Kind(kind), ThingKind::Owner]),
                PartType::Family(family) => {
                    model.family(family).zones.clone().for_each(|zone| note_zone(model, ZoneId(zone), sorts));
                }
            }
        }
        offered
    }

    /// Adds what a decision offers.
    fn note(&mut self, table: &Table, asked: &Decision) {
        // That a seat may pass, every decision could offer.
        let count = asked.options.len();
        self.asked += 1;
        for at in (0..count).step_by(count / LOOKED_AT + 1) {
            let mut note = |name: Option<&str>, choice: &Choice| {
                let sorts = match name {
                    Some(name) => self.parts.entry(name.to_owned()).or_default(),
                    None => &mut self.whole,
                };
                choice.each_leaf(&mut |leaf| {
                    note_leaf(table, leaf, sorts);
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

    /// The sorts of a part, or of anything in an option.
    fn sorts(&self, part: Option<&str>) -> BTreeSet<ThingKind> {
        match part.and_then(|part| self.parts.get(part)) {
            Some(sorts) => sorts.clone(),
            None => self.parts.values().flatten().chain(&self.whole).copied().collect(),
        }
    }

    fn has(&self, model: &Model, seats: &[&str], word: &str) -> bool {
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        let sorts = self.sorts(part);
        let is_open = if part.is_some() { value == NOTHING } else { is_pass(value) };
        is_open || fits(model, seats, value, &sorts, &self.words)
    }
}

fn note_leaf(table: &Table, leaf: &Choice, sorts: &mut BTreeSet<ThingKind>) {
    let model = table.model();
    let kind = |component: ComponentId| ThingKind::Kind(model.component(component).kind);
    match leaf {
        Choice::Number(_) => drop(sorts.insert(ThingKind::Number)),
        Choice::Flag(_) => drop(sorts.insert(ThingKind::Flag)),
        Choice::Word(_) => drop(sorts.insert(ThingKind::Word)),
        Choice::Seat(_) => drop(sorts.insert(ThingKind::Seat)),
        Choice::Component(component) => drop(sorts.insert(kind(*component))),
        Choice::Piece(piece) => {
            sorts.insert(kind(table.component(*piece)));
            sorts.extend(table.owner(*piece).map(|_| ThingKind::Owner));
            // Where alike pieces lie in several places, the place is written too.
            note_zone(model, table.zone_of(*piece), sorts);
        }
        Choice::Zone(zone) => note_zone(model, *zone, sorts),
        Choice::Space(space) => note_zone(model, model.space(*space).zone, sorts),
        Choice::Nothing => drop(sorts.insert(ThingKind::Nothing)),
        Choice::Many(_) | Choice::Parts(_) => {}
    }
}

/// A zone is written with what it belongs to.
fn note_zone(model: &Model, zone: ZoneId, sorts: &mut BTreeSet<ThingKind>) {
    let found = model.zone(zone);
    sorts.insert(ThingKind::Family(found.family));
    sorts.extend(found.seat.map(|_| ThingKind::Owner));
    sorts.extend(found.components().map(|component| ThingKind::Kind(model.component(component).kind)));
}

/// What stands for nothing in an option.
const NOTHING: &str = "nothing";

/// Whether a word says that nothing is chosen, or nothing more: any decision could let a seat do that.
fn is_pass(word: &str) -> bool {
    word == Pass::Pass.word() || word == Pass::Done.word()
}

/// Whether a word may be written of something of one of these sorts.
fn fits(model: &Model, seats: &[&str], value: &str, sorts: &BTreeSet<ThingKind>, words: &BTreeSet<String>) -> bool {
    let has = |sort: ThingKind| sorts.contains(&sort);
    if value == NOTHING {
        return has(ThingKind::Nothing);
    }
    let is_flag = matches!(value, "yes" | "no") && has(ThingKind::Flag);
    if is_flag || value.parse::<i64>().is_ok() && has(ThingKind::Number) {
        return true;
    }
    sorts.iter().any(|sort| match *sort {
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

/// Whether a word stands in a field of components from which other words are offered.
fn is_field_word(model: &Model, value: &str, words: &BTreeSet<String>) -> bool {
    let fields = |word: &str| {
        let says = |field: &FieldValue| matches!(field, FieldValue::Word(known) if **known == *word);
        let found = model.components.iter().flat_map(|component| &component.fields);
        found.filter(|(_, field)| says(field)).map(|(name, _)| *name).collect::<BTreeSet<_>>()
    };
    let own = fields(value);
    !own.is_empty() && words.iter().any(|word| !fields(word).is_disjoint(&own))
}

/// Whether a word names a zone or space of a family, or its label.
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
    /// Refuses an answer with a word of a sort that the decision offers in no position.
    ///
    /// # Errors
    /// When neither the open decision has it, nor any of some games that are played at random.
    pub(super) fn could_be_offered(&self, statement: &PlayStatement, decision: &str, answer: &str) -> Checked {
        let model = self.session().model().clone();
        let Some(id) = model.find_decision(decision) else { return Ok(()) };
        let seats: Vec<&str> = model.all_seats().map(|seat| self.setup.name(seat)).collect();
        let mut offered = Offered::declared(&model, id);
        offered.words = words_near(&model, decision).iter().map(ToString::to_string).collect();
        if let Some(open) = self.session().decision().filter(|open| open.id == id) {
            offered.note(self.session().table(), open);
        }
        let words: Vec<&str> = answer.split_whitespace().filter(|word| *word != "+").collect();
        let missing = |offered: &Offered| words.iter().find(|word| !offered.has(&model, &seats, word)).copied();
        for seed in 0..GAMES {
            if missing(&offered).is_none() {
                return Ok(());
            }
            self.play_at_random(seed, id, &mut offered);
        }
        let Some(word) = missing(&offered).filter(|_| offered.asked >= ENOUGH) else { return Ok(()) };
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        let sorts: Vec<String> = offered.sorts(part).into_iter().filter_map(|sort| of_sort(&model, sort)).collect();
        let what = if sorts.is_empty() { "no such thing".to_owned() } else { sorts.join(", ") };
        let whose = part.map_or_else(|| format!("`{decision}`"), |part| format!("`{part}` of `{decision}`"));
        let message = format!("`{word}` is offered nowhere: {whose} offers {what}");
        let none = || OptionTexts::listed(Vec::new());
        let options = self.session().decision().map_or_else(none, |open| self.written(open));
        let some = options.some();
        let near = some.iter().flat_map(|option| option.split([' ', '='])).collect::<BTreeSet<_>>();
        let found = fail(statement, "unknown-word", message, never(statement));
        let found = with_help(found, did_you_mean(value, near));
        let seat = self.session().decision().map(|open| open.seat);
        Err(self.with_options(found, &options, answer, seat))
    }

    /// Plays a game at random, and adds what a decision offers in it.
    fn play_at_random(&self, seed: u64, id: DecisionId, offered: &mut Offered) {
        let Some(game) = &self.game else { return };
        let Ok(mut session) = Session::start(game, &self.setup.clone().seed(seed)) else { return };
        let mut chance = Chance::new(seed, "offering");
        for _ in 0..ANSWERS {
            let Some(open) = session.decision() else { return };
            if open.id == id {
                offered.note(session.table(), open);
            }
            let at = open.draw(&mut chance);
            if session.choose(at).is_err() {
                return;
            }
        }
    }
}

/// A sort in words; whose something is stands with what it is.
fn of_sort(model: &Model, sort: ThingKind) -> Option<String> {
    Some(match sort {
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

//! English names of the subjects of figures, such as options, components and zones.

use crate::model::{DecisionId, Label, Language, Model, SpaceId, ZoneId};
use crate::simulation::{BandKey, OWN_ROW, OptionKey, OptionReferent};

const LANGUAGE: Language = Language::English;

/// Returns the name of the subject of an option, such as a component or a zone.
pub(super) fn thing(model: &Model, thing: &OptionReferent) -> String {
    match thing {
        OptionReferent::Pass => "pass".to_owned(),
        OptionReferent::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        OptionReferent::Number(number) if number.unsigned_abs() < OWN_ROW => number.to_string(),
        OptionReferent::Number(number) => format!("about {number}"),
        OptionReferent::Word(word) => model.named_word(word, LANGUAGE),
        OptionReferent::Seat(0) => "oneself".to_owned(),
        OptionReferent::Seat(ahead) => seat_ahead(model, *ahead),
        OptionReferent::Zone(at) => zone(model, ZoneId(*at)),
        OptionReferent::Space(at) => space(model, SpaceId(*at)),
        OptionReferent::ZoneOf(at, ahead) => owned_by_seat(model, *ahead, &zone_without_seat(model, ZoneId(*at))),
        OptionReferent::SpaceOf(at, ahead) => {
            owned_by_seat(model, *ahead, &space_in(model, SpaceId(*at), zone_without_seat))
        }
        OptionReferent::Component(at) => component(model, *at),
    }
}

/// Describes a seat by its distance from the choosing seat, clockwise.
fn seat_ahead(model: &Model, ahead: u8) -> String {
    match (ahead, model.seats - ahead) {
        (1, 1) => "the other seat".to_owned(),
        (1, _) => "the next seat".to_owned(),
        (_, 1) => "the seat before".to_owned(),
        _ => format!("the seat {ahead} further"),
    }
}

/// Describes something that a seat owns, relative to the choosing seat.
fn owned_by_seat(model: &Model, ahead: u8, what: &str) -> String {
    if ahead == 0 { format!("own {what}") } else { format!("{what} of {}", seat_ahead(model, ahead)) }
}

/// Returns the identifier of the subject of an option. It does not depend on display names.
pub(super) fn id(model: &Model, thing: &OptionReferent) -> String {
    let path = |zone: ZoneId| model.zone(zone).path.to_string();
    let space = |at: u16| {
        let space = model.space(SpaceId(at));
        let is_single = model.zone(space.zone).spaces.len() == 1;
        if is_single { path(space.zone) } else { format!("{}[{}]", path(space.zone), space.label) }
    };
    match thing {
        OptionReferent::Pass => "pass".to_owned(),
        OptionReferent::Flag(flag) => flag.to_string(),
        OptionReferent::Number(number) => number.to_string(),
        OptionReferent::Word(word) => word.to_string(),
        OptionReferent::Seat(ahead) => format!("seat+{ahead}"),
        OptionReferent::Zone(at) => path(ZoneId(*at)),
        OptionReferent::ZoneOf(at, ahead) => format!("seat+{ahead}.{}", path(ZoneId(*at))),
        OptionReferent::Space(at) => space(*at),
        OptionReferent::SpaceOf(at, ahead) => format!("seat+{ahead}.{}", space(*at)),
        OptionReferent::Component(at) => model.components[*at as usize].id.to_string(),
    }
}

/// Returns the name of an option, without the name of its decision.
pub(super) fn option(model: &Model, key: &OptionKey) -> String {
    let named = thing(model, &key.thing);
    match &key.part {
        Some(part) => {
            let word = model.named_word(part, LANGUAGE);
            format!("{word}: {named}")
        }
        None => named,
    }
}

/// Returns the name of a component.
pub(super) fn component(model: &Model, at: u16) -> String {
    model.components[at as usize].name.get(LANGUAGE).to_owned()
}

/// Returns the name of a decision.
pub fn decision_name(model: &Model, decision: DecisionId) -> String {
    self::decision(model, decision.0)
}

/// Returns the name of a decision, by its index.
pub(super) fn decision(model: &Model, at: u16) -> String {
    model.decisions[at as usize].id.replace('_', " ")
}

/// Returns the name of a zone, followed by its seat if it has one.
pub(super) fn zone(model: &Model, id: ZoneId) -> String {
    let seat = model.zone(id).seat.map(|seat| format!(" of seat {}", seat.number())).unwrap_or_default();
    format!("{}{seat}", zone_without_seat(model, id))
}

/// Returns the name of a zone without its seat.
fn zone_without_seat(model: &Model, id: ZoneId) -> String {
    let family = model.family_of(id);
    let rest = model.zone(id).path.strip_prefix(&*family.id).unwrap_or("");
    format!("{}{}", family.name.get(LANGUAGE), rest.replace(['[', ']'], " ").trim_end())
}

/// Returns the name of a space: its zone and, if the zone has several spaces, its label.
pub(super) fn space(model: &Model, id: SpaceId) -> String {
    space_in(model, id, zone)
}

fn space_in(model: &Model, id: SpaceId, zone: fn(&Model, ZoneId) -> String) -> String {
    let space = model.space(id);
    if model.zone(space.zone).spaces.len() == 1 {
        return zone(model, space.zone);
    }
    let label = match &space.label {
        Label::Cell(column, row) => format!("{column},{row}"),
        Label::Word(word) => model.named_word(word, LANGUAGE),
        Label::Number(number) => number.to_string(),
    };
    format!("{} {label}", zone(model, space.zone))
}

/// Returns the name of a value shown in a chart by round, together with its holder.
pub(super) fn band(model: &Model, key: BandKey) -> String {
    if key.value == BandKey::STANDING {
        return "standing of a seat".to_owned();
    }
    let value = &model.values[key.value as usize];
    let name = value.name.get(LANGUAGE);
    match (key.holder, value.owner) {
        (BandKey::EVERY_SEAT, _) => format!("{name} of a seat"),
        (holder, crate::model::Owner::Component(_) | crate::model::Owner::Pair(..)) => {
            format!("{name} of {}", component(model, holder))
        }
        _ => name.to_owned(),
    }
}

/// Iterates over the names of the functions that are steps of the flow, in order, without duplicates.
pub(super) fn steps(model: &Model) -> impl Iterator<Item = &str> {
    let named = model.flow.named.iter().filter(|named| named.is_step).map(|named| &*named.call.function);
    named.collect::<indexmap::IndexSet<&str>>().into_iter()
}

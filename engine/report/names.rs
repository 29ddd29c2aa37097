//! What the things that figures are about are called.

use crate::model::{Label, Language, Model, SpaceId, ZoneId};
use crate::simulation::{BandKey, OWN_ROW, OptionKey, Thing};
use crate::table::label_text;

const LANGUAGE: Language = Language::English;

/// A thing that an option names.
pub(super) fn thing(model: &Model, thing: &Thing) -> String {
    match thing {
        Thing::Pass => "pass".to_owned(),
        Thing::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Thing::Number(number) if number.unsigned_abs() < OWN_ROW => number.to_string(),
        Thing::Number(number) => format!("about {number}"),
        Thing::Word(word) => word.replace('_', " "),
        Thing::Seat(seat) => format!("seat {}", seat + 1),
        Thing::Zone(at) => zone(model, ZoneId(*at)),
        Thing::Space(at) => space(model, SpaceId(*at)),
        Thing::Component(at) => component(model, *at),
    }
}

/// An option, without its decision.
pub(super) fn option(model: &Model, key: &OptionKey) -> String {
    let named = thing(model, &key.thing);
    match &key.part {
        Some(part) => {
            let word = model
                .words
                .get(part.as_str())
                .map_or_else(|| part.replace('_', " "), |text| text.get(LANGUAGE).to_owned());
            format!("{word}: {named}")
        }
        None => named,
    }
}

/// A component.
pub(super) fn component(model: &Model, at: u16) -> String {
    model.components[at as usize].name.get(LANGUAGE).to_owned()
}

/// A decision.
pub(super) fn decision(model: &Model, at: u16) -> String {
    model.decisions[at as usize].id.replace('_', " ")
}

/// A zone: its family, and which of them.
pub(super) fn zone(model: &Model, id: ZoneId) -> String {
    let family = model.family_of(id);
    let name = family.name.get(LANGUAGE);
    let path = &model.zone(id).path;
    let rest = path.strip_prefix(&*family.id).unwrap_or("");
    let seat = model.zone(id).seat.map(|seat| format!(" of seat {}", seat.number())).unwrap_or_default();
    format!("{name}{}{seat}", rest.replace(['[', ']'], " ").trim_end())
}

/// A space: its zone and its label.
pub(super) fn space(model: &Model, id: SpaceId) -> String {
    let space = model.space(id);
    if model.zone(space.zone).spaces.len() == 1 {
        return zone(model, space.zone);
    }
    let label = match &space.label {
        Label::Cell(column, row) => format!("{column},{row}"),
        other => label_text(other),
    };
    format!("{} {label}", zone(model, space.zone))
}

/// A value whose readings are shown, and whose it is.
pub(super) fn band(model: &Model, key: BandKey) -> String {
    if key.value == BandKey::STANDING {
        return "standing of a seat".to_owned();
    }
    let value = &model.values[key.value as usize];
    let name = value.name.get(LANGUAGE);
    match (key.holder, value.owner) {
        (BandKey::EVERY_SEAT, _) => format!("{name} of a seat"),
        (holder, crate::model::Owner::Component(_)) => format!("{name} of {}", component(model, holder)),
        _ => name.to_owned(),
    }
}

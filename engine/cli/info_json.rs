//! `parlour info --format json`: formats the declarations of a game as JSON.

use super::flow;
use super::info_text::{contents_text, owner_text, pieces_of, spaces_text, value_start, value_type};
use crate::model::{
    Bounds, FaceDownVisibility, Family, FieldValue, Kind, Language, Model, OptionType, Param, Per, Setting, Text,
};
use serde_json::{Map, Value, json};

/// Returns all declarations of a game as JSON.
pub(super) fn document(model: &Model, language: Language) -> Value {
    let name = |text: &Text| text.get(language).to_owned();
    let values = model.values.iter().map(|value| {
        json!({
            "of": owner_text(model, value.owner),
            "id": *value.id,
            "name": name(&value.name),
            "type": value_type(model, value),
            "start": value_start(model, value),
            "lasts": value.lasts.word(),
            "min": value.min,
            "max": value.max,
            "stops": value.stops,
            "on": value.on.iter().map(|zone| model.family(*zone).id.to_string()).collect::<Vec<_>>(),
            "public": value.is_public(),
            "quiet": value.is_quiet,
            "shown": value.is_shown,
        })
    });
    let derived = model.derived.iter().map(|derived| {
        json!({
            "of": owner_text(model, derived.owner),
            "id": *derived.id,
            "name": name(&derived.name),
            "type": "number",
            "derived": *derived.named.function,
        })
    });
    let decisions = model.decisions.iter().map(|decision| {
        let parts: Vec<&str> = decision.parts.iter().map(|(name, _)| &**name).collect();
        json!({ "id": *decision.id, "ask": name(&decision.ask), "parts": parts, "secret": decision.is_secret, "quiet": decision.is_quiet })
    });
    let phases = model.phases.iter().map(|phase| json!({ "id": *phase.id, "name": name(&phase.name) }));
    let endings = model.endings.iter().map(|ending| json!({ "id": *ending.id, "name": name(&ending.name) }));
    json!({
        "format": 1,
        "id": *model.id,
        "name": name(&model.name),
        "players": { "min": model.players.start(), "max": model.players.end() },
        "shown_for": model.seats,
        "least_score_wins": model.least_score_wins,
        "provenance": model.provenance.iter().map(|(path, source)| (path.clone(), json!(**source))).collect::<Map<_, _>>(),
        "teams": model.teams.iter().map(|team| {
            let component = model.component(team.component);
            let seats: Vec<i64> = team.seats.iter().map(|seat| seat.number()).collect();
            json!({ "id": *component.id, "name": name(&component.name), "seats": seats })
        }).collect::<Vec<_>>(),
        "automas": model.automas.iter().map(|seat| seat.number()).collect::<Vec<_>>(),
        "pieces": model.pieces.len(),
        "kinds": model.kinds.iter().map(|kind| kind_document(model, kind, language)).collect::<Vec<_>>(),
        "zones": model.families.iter().map(|family| zone(model, family, language)).collect::<Vec<_>>(),
        "values": values.chain(derived).collect::<Vec<_>>(),
        "phases": phases.collect::<Vec<_>>(),
        "flow": flow::lines(model, language),
        "decisions": decisions.collect::<Vec<_>>(),
        "params": model.params.values().map(|one| param(one, language)).collect::<Vec<_>>(),
        "options": options(model, language),
        "campaign": model.campaign.as_ref().map(|campaign| json!({
            "option": *campaign.option,
            "carry": campaign.carried(model).collect::<Vec<_>>(),
            "next": campaign.next.as_ref().map(|next| &*next.call.function),
        })),
        "endings": endings.collect::<Vec<_>>(),
    })
}

fn kind_document(model: &Model, kind: &Kind, language: Language) -> Value {
    let components = kind.components.iter().map(|id| model.component(*id)).map(|component| {
        let fields: Map<String, Value> = component
            .fields
            .iter()
            .map(|(field, value)| (model.fields[field.index()].to_string(), field_document(model, value)))
            .collect();
        let faces: Vec<Value> = component.faces.iter().map(|face| field_document(model, face)).collect();
        json!({
            "id": *component.id,
            "name": component.name.get(language),
            "count": component.count,
            "each_seat": component.each_seat,
            "fields": fields,
            "faces": faces,
            "cells": model.cells.rows(&component.cells),
        })
    });
    json!({
        "id": *kind.id,
        "name": kind.name.get(language),
        "pieces": pieces_of(model, kind),
        "components": components.collect::<Vec<_>>(),
    })
}

fn field_document(model: &Model, value: &FieldValue) -> Value {
    match value {
        FieldValue::Nothing => Value::Null,
        FieldValue::Number(number) => json!(number),
        FieldValue::Flag(flag) => json!(flag),
        FieldValue::Word(_) | FieldValue::Function(_) | FieldValue::Component(_) => json!(model.field_text(value)),
        FieldValue::List(list) => list.iter().map(|value| field_document(model, value)).collect(),
        FieldValue::Record(parts) => {
            parts.iter().map(|(name, value)| (name.to_string(), field_document(model, value))).collect()
        }
    }
}

fn zone(model: &Model, family: &Family, language: Language) -> Value {
    let per = family.per.iter().map(|per| match per {
        Per::Seat => "seat".to_owned(),
        Per::Kind(kind) => model.kinds[kind.index()].id.to_string(),
    });
    let seen_by = if family.face_up { FaceDownVisibility::Everybody } else { family.seen_by }.word();
    json!({
        "id": *family.id,
        "name": family.name.get(language),
        "shape": family.shape.word(),
        "per": per.collect::<Vec<_>>(),
        "copies": family.copies.as_ref().map(|copies| copies.iter().map(ToString::to_string).collect::<Vec<_>>()),
        "spaces": spaces_text(model, family),
        "printed": printed_document(model, family),
        "face_up": family.face_up,
        "shows_top": family.shows_top,
        "seen_by": seen_by,
        "starts_with": contents_text(model, &family.starts_with),
        "accepts": contents_text(model, &family.accepts),
        "refill": family.refill.map(|from| model.family(from).id.to_string()),
        "quiet": family.is_quiet,
        "shown": family.is_shown,
    })
}

/// Returns the printed fields of the spaces in all zones of a family, keyed by the name of the space in playscripts.
fn printed_document(model: &Model, family: &Family) -> Value {
    let zones = family.zones.clone().map(|at| &model.zones[usize::from(at)]);
    let spaces = zones.flat_map(|zone| zone.spaces.clone().map(move |at| (zone, &model.spaces[usize::from(at)])));
    let printed = spaces.filter(|(_, space)| !space.fields.is_empty()).map(|(zone, space)| {
        let seat = zone.seat.map_or_else(String::new, |seat| format!("seat {}.", seat.number()));
        let fields = space.fields.iter().map(|(name, value)| (name.to_string(), field_document(model, value)));
        (format!("{seat}{}[{}]", zone.path, space.label), Value::Object(fields.collect()))
    });
    Value::Object(printed.collect())
}

fn setting(setting: &Setting) -> Value {
    match setting {
        Setting::Number(number) => json!(number),
        Setting::Flag(flag) => json!(flag),
        Setting::Nothing => Value::Null,
        Setting::Word(_) | Setting::Seat(_) => json!(setting.to_string()),
        Setting::List(list) => list.iter().map(self::setting).collect(),
        Setting::Table(parts) => {
            Value::Object(parts.iter().map(|(name, one)| (name.to_string(), self::setting(one))).collect())
        }
    }
}

fn param(param: &Param, language: Language) -> Value {
    let by_players: Map<String, Value> =
        param.by_players.iter().map(|(players, value)| (players.to_string(), setting(value))).collect();
    let bounds = |bounds: &Bounds| json!({ "min": bounds.min, "max": bounds.max });
    let bounds_by_players: Map<String, Value> =
        param.bounds_by_players.iter().map(|(players, own)| (players.to_string(), bounds(own))).collect();
    json!({
        "id": *param.id,
        "value": setting(&param.value),
        "by_players": by_players,
        "bounds": bounds(&param.bounds),
        "bounds_by_players": bounds_by_players,
        "about": param.about.as_ref().map(|about| about.get(language)),
    })
}

fn options(model: &Model, language: Language) -> Vec<Value> {
    let option = |option: &crate::model::GameOption| {
        let values = match &option.kind {
            OptionType::Word(words) => words.iter().map(|word| json!(**word)).collect(),
            OptionType::Number { min, max } => json!({ "min": min, "max": max }),
            OptionType::Seat => json!("seat"),
        };
        json!({
            "id": *option.id,
            "name": option.name.get(language),
            "values": values,
            "default": setting(&option.default),
            "value": setting(&option.value),
        })
    };
    model.options.values().map(option).collect()
}

//! Messages that external programs receive (the agent protocol).
//!
//! Seats are numbers from 1. Zones and spaces are written as in playscripts, with a prefix such as `seat 2.` if they belong to a seat. A
//! piece is named by its component, or by its back if the seat does not know its face.

use crate::model::{ComponentId, FieldValue, Language, Model, Owner, Seat, SpaceId, Team, ValueId, ValueType, ZoneId};
use crate::session::{Altered, Costs, Observation, place};
use crate::table::{Holder, Member, ReferencedPiece, View, VisiblePiece};
use crate::wording::shown_word;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Default time limit for a message, from sending it to receiving the reply.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);

/// Current version of the protocol.
pub(crate) const PROTOCOL: u32 = 2;

/// Oldest supported version of the protocol. Also assumed if the program's `hello` reply does not name a version.
pub(super) const OLDEST: u32 = 1;

/// Builds the `hello` message, which starts the conversation.
pub(super) fn hello_message(observation: &Observation<'_>, seed: u64, deadline: Duration) -> Value {
    let model = observation.model();
    let names: Vec<&str> = model.all_seats().map(|seat| observation.name(seat)).collect();
    let mut message = json!({
        "type": "hello",
        "protocol": PROTOCOL,
        "game": *model.id,
        "rules": format!("{:016x}", model.fingerprint),
        "seat": observation.seat().number(),
        "players": names,
        "seed": seed,
        "printed": printed(model),
        "deadline_ms": deadline.as_millis() as u64,
    });
    if !model.teams.is_empty() {
        message["teams"] = teams(model);
    }
    message
}

/// Returns the seat numbers of each team, keyed by team.
fn teams(model: &Model) -> Value {
    let team = |team: &Team| {
        let seats: Vec<i64> = team.seats.iter().map(|seat| seat.number()).collect();
        (model.component(team.component).id.to_string(), json!(seats))
    };
    Value::Object(model.teams.iter().map(team).collect())
}

/// Returns the printed fields of spaces, keyed by space. They never change, so they are sent once.
pub fn printed(model: &Model) -> Value {
    let spaces = (0..model.spaces.len()).map(|at| SpaceId(at as u16));
    let own = spaces.filter(|id| !model.space(*id).fields.is_empty()).map(|id| {
        let fields = model.space(id).fields.iter().map(|(name, value)| (name.to_string(), field_value(model, value)));
        (place(model, id), Value::Object(fields.collect()))
    });
    Value::Object(own.collect())
}

/// Converts a printed field to JSON.
fn field_value(model: &Model, printed: &FieldValue) -> Value {
    match printed {
        FieldValue::Nothing => Value::Null,
        FieldValue::Number(number) => json!(number),
        FieldValue::Flag(flag) => json!(flag),
        FieldValue::Word(word) | FieldValue::Function(word) => json!(**word),
        FieldValue::Component(component) => json!(*model.component(*component).id),
        FieldValue::List(all) => all.iter().map(|one| field_value(model, one)).collect(),
        FieldValue::Record(parts) => {
            Value::Object(parts.iter().map(|(name, part)| (name.to_string(), field_value(model, part))).collect())
        }
    }
}

/// Builds the `decide` message for the open decision, with the id 1 and the default time limit.
pub fn question(observation: &Observation<'_>) -> Value {
    decide(observation, 1, DEADLINE)
}

/// Builds the `decide` message, which asks for a decision.
pub(super) fn decide(observation: &Observation<'_>, id: u64, deadline: Duration) -> Value {
    let (decision, texts) = (observation.decision(), observation.written());
    let declared = &observation.model().decisions[decision.id.index()];
    let considered = decision.considered();
    let options: Vec<_> = considered.iter().map(|at| texts.get(at)).collect();
    let mut message = json!({
        "type": "decide",
        "id": id,
        "seat": observation.seat().number(),
        "decision": *declared.id,
        "ask": observation.asked(Language::English),
        "options": options,
        "view": view(&observation.memory_with_derived()),
        "deadline_ms": deadline.as_millis() as u64,
    });
    if considered.is_sample() {
        message["count"] = json!(decision.count().to_string());
    }
    let positions: Vec<usize> = considered.iter().collect();
    if let Some(answers) =
        decision.answer_counts(&positions).filter(|answers| answers.iter().any(|one| *one != answers[0]))
    {
        message["answers"] = answers.iter().map(ToString::to_string).collect();
    }
    if declared.costs.is_some() && observation.decision().picks.is_none() {
        message["costs"] = costs(observation);
    }
    if let Some((least, most)) = observation.decision().picks {
        message["picked"] = json!(observation.written_picks());
        message["least"] = json!(least);
        message["most"] = json!(most);
    }
    message
}

/// Maximum number of options whose costs are sent.
const MAX_COSTED: usize = 500;

/// Returns the costs of each considered option: `null` if the seat does not know them, and for all options after the first [`MAX_COSTED`].
fn costs(observation: &Observation<'_>) -> Value {
    let decision = observation.decision();
    let costs = |at: usize| {
        let Some(Costs { parts, altered }) = observation.costs(&decision.option(at)) else { return Value::Null };
        let name = |name: Option<Arc<str>>| name.map_or_else(|| "costs".to_owned(), |name| name.to_string());
        let parts: Map<String, Value> = parts.into_iter().map(|(part, number)| (name(part), json!(number))).collect();
        let altered: Vec<Value> = altered
            .into_iter()
            .map(|(component, made)| {
                let component = &*observation.model().component(component).id;
                match made {
                    Altered::Added(number) => json!({ "component": component, "add": number }),
                    Altered::Multiplied(number) => json!({ "component": component, "multiply": number }),
                    Altered::Set(number) => json!({ "component": component, "set": number }),
                }
            })
            .collect();
        json!({ "parts": parts, "altered": altered })
    };
    let considered = decision.considered();
    let costs = |(number, at)| if number < MAX_COSTED { costs(at) } else { Value::Null };
    considered.iter().enumerate().map(costs).collect()
}

/// Builds the `bye` message, which ends the conversation.
pub(super) fn bye_message() -> Value {
    json!({ "type": "bye" })
}

/// Converts a view of the table to JSON.
pub fn view(view: &View<'_>) -> Value {
    let model = view.model();
    let zones = (0..model.zones.len()).map(ZoneId::at).filter(|zone| view.count(*zone) > 0);
    json!({
        "round": view.round(),
        "phase": view.phase().map(|phase| &*model.phases[phase.index()].id),
        "first": view.first().number(),
        "active": view.active().map(Seat::number),
        "eliminated": view.eliminated().map(Seat::number).collect::<Vec<_>>(),
        "zones": zones.map(|id| zone(view, id)).collect::<Vec<_>>(),
        "values": values(view),
    })
}

fn zone(view: &View<'_>, id: ZoneId) -> Value {
    let model = view.model();
    let found = model.zone(id);
    let spaces = found.spaces.clone().map(SpaceId).filter(|space| view.height(*space) > 0);
    let spaces = spaces.map(|space| {
        let pieces: Vec<Value> =
            view.seen(space).iter().enumerate().map(|(place, seen)| piece(view, space, place, seen)).collect();
        let label = model.space(space).label.to_string();
        let mut message = json!({ "space": label, "count": view.height(space), "pieces": pieces });
        let hidden = view.hidden(space);
        if !hidden.among.is_empty() {
            message["among_hidden"] = count_faces(model, &hidden.among);
        }
        if hidden.sections.len() > 1 {
            let sections = hidden.sections.iter();
            message["sections"] = sections
                .map(|part| json!({ "pieces": part.places, "among_hidden": count_faces(model, &part.among) }))
                .collect();
        }
        if !hidden.others.is_empty() {
            message["others_may_be"] = faces(model, &hidden.others);
        }
        message
    });
    json!({
        "zone": &*found.path,
        "seat": found.seat.map(Seat::number),
        "count": view.count(id),
        "spaces": spaces.collect::<Vec<_>>(),
    })
}

/// Face of a piece: its component, and the seat whose color it has, if any.
type ColoredFace = (ComponentId, Option<Seat>);

fn face_fields(model: &Model, (component, owner): ColoredFace) -> Map<String, Value> {
    let mut message = Map::new();
    message.insert("component".to_owned(), json!(*model.component(component).id));
    if let Some(owner) = owner {
        message.insert("owner".to_owned(), json!(owner.number()));
    }
    message
}

/// Returns each distinct face with its count. `faces` must be sorted.
fn count_faces(model: &Model, faces: &[ColoredFace]) -> Value {
    let with_count = |run: &[ColoredFace]| {
        let mut message = face_fields(model, run[0]);
        message.insert("count".to_owned(), json!(run.len()));
        Value::Object(message)
    };
    faces.chunk_by(|a, b| a == b).map(with_count).collect()
}

fn faces(model: &Model, faces: &[ColoredFace]) -> Value {
    faces.iter().map(|face| Value::Object(face_fields(model, *face))).collect()
}

fn piece(view: &View<'_>, space: SpaceId, place: usize, seen: &VisiblePiece<'_>) -> Value {
    let model = view.model();
    let mut message = seen.face.map(|face| face_fields(model, face)).unwrap_or_default();
    if let Some((component, _)) = seen.face {
        let shows = |turned: u8| model.component(component).faces.get(usize::from(turned));
        if let Some(shown) = seen.turned.and_then(shows) {
            message.insert("shown".to_owned(), die_face(model, shown));
        }
    } else {
        message.insert("back".to_owned(), json!(seen.back));
        let may_be = view.may_be(space, place);
        if !may_be.is_empty() {
            message.insert("may_be".to_owned(), faces(model, &may_be));
        }
    }
    if seen.up {
        message.insert("up".to_owned(), json!(true));
    }
    if let Some(turned) = seen.turned.filter(|turned| *turned > 0) {
        message.insert("turned".to_owned(), json!(turned));
    }
    let values = (0..model.values.len()).map(ValueId::at).filter_map(|id| {
        let raw = view.piece_value(id, space, place)?;
        Some((model.value(id).id.to_string(), value(view, id, raw)))
    });
    let derived =
        model.derived.iter().enumerate().filter_map(|(at, derived)| {
            Some((derived.id.to_string(), json!(view.derived_of_piece(at, space, place)?)))
        });
    let values: Map<String, Value> = values.chain(derived).collect();
    if !values.is_empty() {
        message.insert("values".to_owned(), Value::Object(values));
    }
    Value::Object(message)
}

/// Converts the visible face of a die to JSON.
fn die_face(model: &Model, shown: &FieldValue) -> Value {
    match shown {
        FieldValue::Number(number) => json!(number),
        other => json!(shown_word(model, other)),
    }
}

/// Returns all values and derived values that the seat may know, except those of pieces. They are keyed by name, then by holder: `game`,
/// seat number, component id or space name. Values of pairs are keyed by row and column instead.
fn values(view: &View<'_>) -> Value {
    let model = view.model();
    let mut message = Map::new();
    for id in (0..model.values.len()).map(ValueId::at) {
        let declared = model.value(id);
        let holders = match declared.owner {
            Owner::Piece(_) => continue,
            Owner::Pair(..) => {
                message.insert(declared.id.to_string(), pairs(view, id));
                continue;
            }
            owner => holders(model, owner),
        };
        if declared.is_held() {
            let known = holders.into_iter().filter_map(|(name, holder)| Some((name, view.value_entries(id, holder)?)));
            let known: Map<String, Value> = known.map(|(name, raws)| (name, held_value(view, id, raws))).collect();
            message.insert(declared.id.to_string(), Value::Object(known));
            continue;
        }
        let known = holders.into_iter().filter_map(|(name, holder)| Some((name, view.value(id, holder)?)));
        let known: Map<String, Value> = known.map(|(name, raw)| (name, value(view, id, raw))).collect();
        message.insert(declared.id.to_string(), Value::Object(known));
    }
    let derived = model.derived.iter().enumerate().filter(|(_, derived)| !matches!(derived.owner, Owner::Piece(_)));
    for (at, derived) in derived {
        let known = holders(model, derived.owner).into_iter();
        let known: Map<String, Value> =
            known.filter_map(|(name, holder)| Some((name, json!(view.derived(at, holder)?)))).collect();
        message.insert(derived.id.to_string(), Value::Object(known));
    }
    Value::Object(message)
}

/// Returns the holders of a value with their names: the game, the seats, the components of a kind, or all spaces. Empty for values of
/// pieces and pairs.
fn holders(model: &Model, owner: Owner) -> Vec<(String, Holder)> {
    match owner {
        Owner::Game => vec![("game".to_owned(), Holder::Game)],
        Owner::Seat => model.all_seats().map(|seat| (seat.number().to_string(), Holder::Seat(seat))).collect(),
        Owner::Component(kind) => {
            let all = model.kinds[kind.index()].components.iter();
            all.map(|id| (model.component(*id).id.to_string(), Holder::Component(*id))).collect()
        }
        Owner::Space(_) => {
            let all = (0..model.spaces.len()).map(|at| SpaceId(at as u16));
            all.map(|id| (place(model, id), Holder::Space(id))).collect()
        }
        Owner::Piece(_) | Owner::Pair(..) => Vec::new(),
    }
}

/// Returns a value that has one entry for each pair of seats or components, as far as the seat may know it. The entries are keyed by row,
/// then by column. Keys are seat numbers or component ids.
fn pairs(view: &View<'_>, id: ValueId) -> Value {
    let model = view.model();
    let name = |member: Member| match member {
        Member::Seat(seat) => seat.number().to_string(),
        Member::Component(component) => model.component(component).id.to_string(),
    };
    let mut message: Map<String, Value> = Map::new();
    for holder in view.holders(id) {
        let (Holder::Pair(one, other), Some(raws)) = (holder, view.value_entries(id, holder)) else { continue };
        let row = message.entry(name(one)).or_insert_with(|| json!({}));
        row[name(other)] = held_value(view, id, raws);
    }
    Value::Object(message)
}

/// Converts a list value to an array, and any other value to its only entry.
fn held_value(view: &View<'_>, id: ValueId, raws: &[i64]) -> Value {
    let mut entries = raws.iter().map(|raw| value(view, id, *raw));
    if view.model().value(id).most.is_some() { entries.collect() } else { entries.next().unwrap_or(Value::Null) }
}

fn value(view: &View<'_>, id: ValueId, raw: i64) -> Value {
    let model = view.model();
    if raw == crate::model::Value::NOTHING {
        return Value::Null;
    }
    match &model.value(id).kind {
        ValueType::Number => json!(raw),
        ValueType::Flag => json!(raw != 0),
        ValueType::Word(words) => json!(*words[raw as usize]),
        ValueType::Seat => json!(Seat(raw as u8).number()),
        ValueType::Component(_) => json!(*model.components[raw as usize].id),
        ValueType::Space(_) => json!(place(model, SpaceId(raw as u16))),
        ValueType::Piece => {
            let ReferencedPiece { seen, space, place: height } = view.referenced_piece(raw);
            let mut message = seen.face.map(|face| face_fields(model, face)).unwrap_or_default();
            if seen.face.is_none() {
                message.insert("back".to_owned(), json!(seen.back));
            }
            message.insert("at".to_owned(), json!(place(model, space)));
            if let Some(height) = height {
                message.insert("place".to_owned(), json!(height));
            }
            Value::Object(message)
        }
    }
}

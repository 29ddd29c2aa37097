//! What has happened since a program was last asked: the lines of its seat's log, and the events behind them as data.

use super::message::{named, place, plain_value};
use crate::decision::{Event, EventKind, Look};
use crate::model::{Language, Model, Seat};
use crate::session::{GameOver, Observation};
use crate::table::{Holder, Layout, Member};
use crate::wording::Wording;
use serde_json::{Map, Value, json};

/// The lines of the log of the seat that is asked since there were so many events, and these events as data, as far as it learned of them.
pub fn news(observation: &Observation<'_>, heard: usize) -> (Vec<String>, Vec<Value>) {
    told(
        observation.model(),
        observation.seat(),
        &observation.wording(Language::English),
        &observation.events_since(heard),
    )
}

fn told(model: &Model, seat: Seat, wording: &Wording, events: &[&Event]) -> (Vec<String>, Vec<Value>) {
    let data = events.iter().filter_map(|event| data(model, wording, seat, event));
    (wording.narrate(events.iter().copied()), data.collect())
}

/// How a game ended, with what has happened since the program was last asked.
pub fn over(over: &GameOver<'_>, seat: Seat, heard: usize) -> Value {
    let (log, events) = told(over.model(), seat, &over.wording(seat), &over.events_since(heard));
    let outcome = over.outcome();
    json!({
        "type": "over",
        "seat": seat.number(),
        "scores": outcome.standings.iter().map(|standing| standing.score).collect::<Vec<_>>(),
        "ranks": outcome.standings.iter().map(|standing| standing.rank).collect::<Vec<_>>(),
        "winners": outcome.winners().map(Seat::number).collect::<Vec<_>>(),
        "log": log,
        "events": events,
    })
}

/// An event as data; nothing where the seat does not learn of it, or it only says where a line of the log begins.
fn data(model: &Model, wording: &Wording, seat: Seat, event: &Event) -> Option<Value> {
    let bit = Layout::only(seat);
    if event.to & bit == 0 {
        return None;
    }
    let piece = |look: &Look| {
        let mut piece = if look.known & bit == 0 { Map::new() } else { named(model, (look.component, look.owner)) };
        if look.turn_known & bit != 0 && look.turned > 0 {
            piece.insert("turned".to_owned(), json!(look.turned));
        }
        Value::Object(piece)
    };
    let member = |member: Member| match member {
        Member::Seat(seat) => json!(seat.number()),
        Member::Component(component) => json!(*model.component(component).id),
    };
    let of = |holder: &Holder, look: Option<&Look>| match holder {
        Holder::Game => json!("game"),
        Holder::Seat(seat) => json!(seat.number()),
        Holder::Component(component) => json!(*model.component(*component).id),
        Holder::Space(space) => json!(place(model, *space)),
        Holder::Piece(_) => {
            look.map_or(Value::Null, |look| json!({ "piece": piece(look), "at": place(model, look.space) }))
        }
        Holder::Pair(one, other) => json!([member(*one), member(*other)]),
    };
    Some(match &event.what {
        EventKind::Round(round) => json!({ "event": "round", "round": round }),
        EventKind::First(first) => json!({ "event": "first", "seat": first.number() }),
        EventKind::Phase(phase) => json!({ "event": "phase", "phase": *model.phases[phase.index()].id }),
        EventKind::Step => return None,
        EventKind::Turn(seat) => json!({ "event": "turn", "seat": seat.number() }),
        EventKind::Eliminated(seat) => json!({ "event": "eliminated", "seat": seat.number() }),
        EventKind::Triggered { look } => {
            json!({ "event": "triggered", "piece": piece(look), "at": place(model, look.space) })
        }
        EventKind::Chose { seat, decision, choice, looks } => json!({
            "event": "chose",
            "seat": seat.number(),
            "decision": *model.decisions[decision.index()].id,
            "answer": wording.written_picks(*seat, *decision, choice, looks),
        }),
        EventKind::Moved { look, to } => json!({
            "event": "moved",
            "piece": piece(look),
            "from": place(model, look.space),
            "to": place(model, *to),
        }),
        EventKind::Shown { look, is_turned } => json!({
            "event": if *is_turned { "turned_over" } else { "shown" },
            "piece": piece(look),
            "at": place(model, look.space),
            "up": look.is_up,
        }),
        EventKind::Turned { look, turned, by } => json!({
            "event": "turned",
            "piece": piece(look),
            "at": place(model, look.space),
            "turned": turned,
            "by": by.map(Seat::number),
        }),
        EventKind::Set { value, holder, look, new, .. } => json!({
            "event": "set",
            "value": *model.value(*value).id,
            "of": of(holder, look.as_ref()),
            "new": plain_value(model, *value, *new),
        }),
        EventKind::Held { value, holder, .. } => {
            json!({ "event": "set", "value": *model.value(*value).id, "of": of(holder, None) })
        }
        EventKind::Refilled { zone, from } => {
            json!({ "event": "refilled", "zone": *model.zone(*zone).path, "from": *model.zone(*from).path })
        }
        EventKind::Passed { into, is_left, count } => json!({
            "event": "passed",
            "into": *model.family(*into).id,
            "direction": if *is_left { "left" } else { "right" },
            "count": count,
        }),
        EventKind::Shuffled(space) => json!({ "event": "shuffled", "at": place(model, *space) }),
        EventKind::Drawn(number) => json!({ "event": "rolled", "number": number }),
        EventKind::Said { say, .. } => json!({ "event": "said", "say": *model.says[usize::from(say.0)].id }),
        EventKind::Pictured(_) => json!({ "event": "pictured" }),
        EventKind::Redealt { by, consent, is_dealt } => json!({
            "event": "redealt",
            "seat": by.map(Seat::number),
            "consent": consent.word(),
            "dealt": is_dealt,
        }),
        EventKind::Finish => json!({ "event": "finish" }),
        EventKind::Ended(ending) => json!({ "event": "ended", "ending": *model.endings[ending.index()].id }),
    })
}

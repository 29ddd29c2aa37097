//! Playback of the events since a viewer's own last answer. It consists of beats: sentences of the viewer's log, each with the pieces that
//! moved.
//!
//! Beats are made from the same events as the viewer's log. They name places and printed faces, never individual pieces.

use super::log_lines::LogEntry;
use crate::faces::Faces;
use crate::model::{ComponentId, Language, Seat, SpaceId};
use crate::session::{Event, EventKind, Session};
use crate::table::View;
use crate::web::dom_ids;
use crate::web::links::Viewer;
use crate::web::scene::{is_open, view_of, wording_of};
use crate::wording::{LogLine, Wording};
use serde::Serialize;
use std::collections::BTreeSet;

/// Maximum number of events in a playback. Earlier events are left out.
const MAX_EVENTS: usize = 240;

/// Maximum number of beats. Earlier ones are left out.
const MAX_BEATS: usize = 16;

/// Maximum number of animated moves in a beat. Further pieces arrive without animation.
const MAX_FLIGHTS: usize = 8;

/// Maximum number of faces that are sent with a playback. These are faces of moved pieces that the viewer no longer sees.
const MAX_FACES: usize = 12;

/// Beats, oldest first, with the faces of moved pieces that the viewer no longer sees.
#[derive(Debug, Default, Serialize)]
pub(in crate::web) struct Playback {
    beats: Vec<Beat>,
    faces: Vec<SentFace>,
}

/// A beat: a sentence of the log with its moves.
#[derive(Debug, Serialize)]
struct Beat {
    /// Number of events that the viewer has learned of up to the end of the beat.
    number: usize,
    line: LogEntry,
    flights: Vec<Flight>,
}

/// Move of a piece that the page animates.
#[derive(Debug, Serialize)]
struct Flight {
    /// Number of events that the viewer has learned of up to this one.
    number: usize,
    /// Mark of the component; empty if the viewer does not know the component.
    face: String,
    /// Marks of the place that the piece left, the most exact first.
    from: String,
    /// Marks of the place where the piece arrived.
    to: String,
}

/// Face of a moved piece that the viewer no longer sees.
#[derive(Debug, Serialize)]
struct SentFace {
    mark: String,
    html: String,
}

/// Returns the beats since the viewer's own last answer, including the answer itself. If the viewer has given no answer, returns the latest
/// beats.
pub(in crate::web) fn playback(session: &Session, viewer: Viewer, language: Language, faces: &Faces) -> Playback {
    let wording = wording_of(session, viewer, language);
    let own = match viewer {
        Viewer::Seat(seat) => Some(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => None,
    };
    let events = session.events();
    let count = wording.count_heard(events);
    let heard: Vec<&Event> =
        events.iter().filter(|event| wording.hears(event)).skip(count.saturating_sub(MAX_EVENTS)).collect();
    let first = count - heard.len();
    let is_own_answer = |event: &&Event| matches!(&event.kind, EventKind::Chose { seat, .. } if Some(*seat) == own);
    let start = heard.iter().rposition(is_own_answer).unwrap_or_default();
    let names: Vec<&str> = session.model().all_seats().map(|seat| wording.seat(seat)).collect();
    let mut beats: Vec<Beat> = Vec::new();
    let mut known: Vec<(ComponentId, Option<Seat>)> = Vec::new();
    let mut at = start;
    for chunk in heard[start..].chunk_by(|_, next| !begins_beat(&next.kind)) {
        let number = first + at;
        at += chunk.len();
        let Some(line) = line_of(chunk, &wording, &names, own) else { continue };
        let mut flights = Vec::new();
        for (index, event) in chunk.iter().enumerate() {
            let EventKind::Moved { look, to } = &event.kind else { continue };
            if flights.len() >= MAX_FLIGHTS {
                break;
            }
            let face = wording.face_known(look);
            known.extend(face);
            flights.push(Flight {
                number: number + index + 1,
                face: face.map_or_else(String::new, |(component, _)| dom_ids::of_component(component)),
                from: place(session, look.space),
                to: place(session, *to),
            });
        }
        let number = number + chunk.len();
        // The rules often announce the meaning of moves right after making them. The announcement then replaces the line of these moves.
        match beats.last_mut() {
            Some(last) if !last.line.has_sentence() && flights.is_empty() => {
                (last.number, last.line) = (number, line);
            }
            _ => beats.push(Beat { number, line, flights }),
        }
    }
    beats.drain(..beats.len().saturating_sub(MAX_BEATS));
    let in_sight = components_in_sight(&view_of(session, viewer));
    let used = |(component, _): &(ComponentId, Option<Seat>)| {
        let mark = dom_ids::of_component(*component);
        !in_sight.contains(component) && beats.iter().any(|beat| beat.flights.iter().any(|flight| flight.face == mark))
    };
    known.retain(used);
    known.sort_unstable();
    known.dedup_by_key(|(component, _)| *component);
    known.truncate(MAX_FACES);
    let sent = |(component, owner): (ComponentId, Option<Seat>)| SentFace {
        mark: dom_ids::of_component(component),
        html: faces.front(component, owner).html.clone(),
    };
    Playback { faces: known.into_iter().map(sent).collect(), beats }
}

const fn begins_beat(event: &EventKind) -> bool {
    matches!(
        event,
        EventKind::Chose { .. }
            | EventKind::Said { .. }
            | EventKind::Triggered { .. }
            | EventKind::Called { .. }
            | EventKind::EffectEnded
            | EventKind::Step
            | EventKind::Turn(_)
    )
}

/// Returns the first log line about `events` that is neither a heading nor a drawing. Returns `None` if there is no such line, for
/// example for moves of quiet zones.
fn line_of(events: &[&Event], wording: &Wording, names: &[&str], own: Option<Seat>) -> Option<LogEntry> {
    let lines = wording.log_lines(events.iter().copied());
    let line = lines.iter().find(|line| matches!(line, LogLine::Event { .. }))?;
    Some(LogEntry::new(line, wording, names).about(own, names))
}

/// Returns the marks of a place, the most exact first: its space, its zone, and a region that is drawn even if the zone
/// is not. The region is the strip of a seat (`t0`), the part of the board before a seat (`b0`), or the board (`b`).
fn place(session: &Session, space: SpaceId) -> String {
    let model = session.model();
    let zone = model.space(space).zone;
    let mut found = vec![dom_ids::of_space(space), dom_ids::of_zone(zone)];
    let seat = model.zone(zone).seat;
    found.push(match seat {
        Some(seat) if !is_open(model, zone) => dom_ids::of_seat(seat),
        Some(seat) => format!("b{}", seat.0),
        None => "b".to_owned(),
    });
    found.join(" ")
}

fn components_in_sight(view: &View<'_>) -> BTreeSet<ComponentId> {
    let spaces = (0..view.model().spaces.len()).map(SpaceId::at);
    spaces.flat_map(|space| view.seen(space)).filter_map(|seen| Some(seen.face?.0)).collect()
}

//! Events as data for external agents, limited to what one seat has learned of the events.

use super::observation::{GameOver, Observation};
use super::status::Session;
use crate::decision::{Appearance, Event, EventKind};
use crate::model::{ComponentId, Language, Model, Seat, SpaceId, Value, ValueId, ValueType, ZoneId};
use crate::table::{Holder, Layout, Member};
use crate::wording::Wording;

/// A value in a form that external agents can read, without types of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum {
    /// No value.
    Nothing,
    /// A Boolean.
    Flag(bool),
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
    /// An ordered list.
    List(Vec<Self>),
    /// A map from names to values, in order.
    Parts(Vec<(&'static str, Self)>),
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Position up to which a player has received the events.
#[derive(Debug, Clone, Default)]
pub struct EventPosition {
    /// Number of events so far, including those that the seat has not learned of.
    count: usize,
    /// Event indices of the simultaneous answers that the seat did not know yet.
    pending: Vec<usize>,
}

/// New events: the lines of a seat's log, and the events as data.
pub type News = (Vec<String>, Vec<Datum>);

impl Observation<'_> {
    /// Returns the events that the asked seat has learned of since the last call with the same `heard`. Returns no events in games that do
    /// not record them (see [`Player::hears`](super::Player::hears)).
    pub fn news(&self, heard: &mut EventPosition) -> News {
        let Some(session) = self.session() else { return News::default() };
        heard.news(session, self.seat())
    }
}

impl GameOver<'_> {
    /// Returns the events that `seat` has learned of since the last call with the same `heard`.
    pub fn news(&self, seat: Seat, heard: &mut EventPosition) -> News {
        heard.news(self.session(), seat)
    }
}

impl EventPosition {
    fn news(&mut self, session: &Session, seat: Seat) -> News {
        let (events, pending) = (session.events(), &session.state.journal.pending);
        let given = std::mem::take(&mut self.pending).into_iter().filter(|at| !pending.contains(at));
        let given = given.filter_map(|at| events.since(at).next());
        let news: Vec<&Event> = given.chain(events.since(self.count)).collect();
        let is_of_others =
            |at: &usize| events.since(*at).next().is_some_and(|event| event.audience & Layout::only(seat) == 0);
        self.pending = pending.iter().copied().filter(is_of_others).collect();
        self.count = events.len();
        collect_news(session, seat, &news)
    }
}

fn collect_news(session: &Session, seat: Seat, events: &[&Event]) -> News {
    let (model, setup) = (session.model(), session.setup());
    let wording = Wording::new(model.clone(), setup.clone(), Language::English).for_seat(seat);
    let data = events.iter().filter_map(|event| data(model, &wording, seat, event));
    // Empty lines before rounds and phases are for human readers only.
    let lines =
        wording.narrate(events.iter().copied()).into_iter().map(|line| line.trim_start_matches('\n').to_owned());
    (lines.collect(), data.collect())
}

/// Returns the name of a space as in playscripts. If a seat owns the zone of the space, a prefix such as `seat 2.` is added.
pub fn place(model: &Model, id: SpaceId) -> String {
    let space = model.space(id);
    let zone = model.zone(space.zone);
    let seat = zone.seat.map_or_else(String::new, |seat| format!("seat {}.", seat.number()));
    format!("{seat}{}[{}]", zone.path, space.label)
}

/// Converts the raw content of a value's slot. Pieces become `Nothing`, since not every seat knows the same about them.
fn value(model: &Model, id: ValueId, raw: i64) -> Datum {
    if raw == Value::NOTHING {
        return Datum::Nothing;
    }
    match &model.value(id).kind {
        ValueType::Number => raw.into(),
        ValueType::Flag => (raw != 0).into(),
        ValueType::Word(words) => (&*words[raw as usize]).into(),
        ValueType::Seat => Seat(raw as u8).number().into(),
        ValueType::Component(_) => (&*model.components[raw as usize].id).into(),
        ValueType::Space(_) => place(model, SpaceId(raw as u16)).into(),
        ValueType::Piece => Datum::Nothing,
    }
}

/// Converts an event to data; `None` if the seat does not learn of it, or if it only marks the beginning of a log line.
fn data(model: &Model, wording: &Wording, seat: Seat, event: &Event) -> Option<Datum> {
    let bit = Layout::only(seat);
    if event.audience & bit == 0 {
        return None;
    }
    let component = |id: ComponentId| Datum::from(&*model.component(id).id);
    let piece = |look: &Appearance| {
        let mut piece = Vec::new();
        if look.known & bit != 0 {
            piece.push(("component", component(look.component)));
            piece.extend(look.owner.map(|owner| ("owner", owner.number().into())));
        }
        if look.turn_known & bit != 0 && look.turned > 0 {
            piece.push(("turned", i64::from(look.turned).into()));
        }
        Datum::Parts(piece)
    };
    let at = |space: SpaceId| Datum::from(place(model, space));
    let member = |member: Member| match member {
        Member::Seat(seat) => seat.number().into(),
        Member::Component(id) => component(id),
    };
    let of = |holder: &Holder, look: Option<&Appearance>| match holder {
        Holder::Game => "game".into(),
        Holder::Seat(seat) => seat.number().into(),
        Holder::Component(id) => component(*id),
        Holder::Space(space) => at(*space),
        Holder::Piece(_) => {
            look.map_or(Datum::Nothing, |look| Datum::Parts(vec![("piece", piece(look)), ("at", at(look.space))]))
        }
        Holder::Pair(one, other) => Datum::List(vec![member(*one), member(*other)]),
    };
    let (event, parts): (&str, Vec<(&'static str, Datum)>) = match &event.kind {
        EventKind::Step => return None,
        EventKind::Round(round) => ("round", vec![("round", (*round).into())]),
        EventKind::First(first) => ("first", vec![("seat", first.number().into())]),
        EventKind::Phase(phase) => ("phase", vec![("phase", (&*model.phases[phase.index()].id).into())]),
        EventKind::Turn(seat) => ("turn", vec![("seat", seat.number().into())]),
        EventKind::Eliminated(seat) => ("eliminated", vec![("seat", seat.number().into())]),
        EventKind::Triggered { look } => ("triggered", vec![("piece", piece(look)), ("at", at(look.space))]),
        EventKind::Called { look } => ("called", vec![("piece", piece(look)), ("at", at(look.space))]),
        EventKind::EffectEnded => ("effect_ended", Vec::new()),
        EventKind::Chose { seat, decision, choice, appearances } => {
            let answer = wording.written_picks(*seat, *decision, choice, appearances).into_iter().map(Datum::Text);
            let decision = (&*model.decisions[decision.index()].id).into();
            let answer = Datum::List(answer.collect());
            ("chose", vec![("seat", seat.number().into()), ("decision", decision), ("answer", answer)])
        }
        EventKind::Moved { look, to } => {
            ("moved", vec![("piece", piece(look)), ("from", at(look.space)), ("to", at(*to))])
        }
        EventKind::Shown { look, is_turned, .. } => {
            let name = if *is_turned { "turned_over" } else { "shown" };
            (name, vec![("piece", piece(look)), ("at", at(look.space)), ("up", look.is_up.into())])
        }
        EventKind::Turned { look, turned, by } => {
            let by = by.map_or(Datum::Nothing, |by| by.number().into());
            let turned = i64::from(*turned).into();
            ("turned", vec![("piece", piece(look)), ("at", at(look.space)), ("turned", turned), ("by", by)])
        }
        EventKind::Set { value: id, holder, look, new, .. } => {
            let name = (&*model.value(*id).id).into();
            ("set", vec![("value", name), ("of", of(holder, look.as_ref())), ("new", value(model, *id, *new))])
        }
        EventKind::Held { value: id, holder, .. } => {
            ("set", vec![("value", (&*model.value(*id).id).into()), ("of", of(holder, None))])
        }
        EventKind::Refilled { zone, from } => {
            let path = |id: ZoneId| Datum::from(&*model.zone(id).path);
            ("refilled", vec![("zone", path(*zone)), ("from", path(*from))])
        }
        EventKind::Passed { into, is_left, count } => {
            let direction = if *is_left { "left" } else { "right" };
            let into = (&*model.family(*into).id).into();
            ("passed", vec![("into", into), ("direction", direction.into()), ("count", (*count as i64).into())])
        }
        EventKind::Shuffled(space) => ("shuffled", vec![("at", at(*space))]),
        EventKind::Drawn(number) => ("rolled", vec![("number", (*number).into())]),
        EventKind::Said { say, .. } => ("said", vec![("say", (&*model.says[usize::from(say.0)].id).into())]),
        EventKind::Pictured(_) => ("pictured", Vec::new()),
        EventKind::Redealt { by, consent, is_dealt } => {
            let by = by.map_or(Datum::Nothing, |by| by.number().into());
            ("redealt", vec![("seat", by), ("consent", consent.word().into()), ("dealt", (*is_dealt).into())])
        }
        EventKind::Finish => ("finish", Vec::new()),
        EventKind::Ended(ending) => ("ended", vec![("ending", (&*model.endings[ending.index()].id).into())]),
    };
    Some(Datum::Parts([("event", event.into())].into_iter().chain(parts).collect()))
}

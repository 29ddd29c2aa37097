//! What is written down of one game while it is played.

use super::measure::Measure;
use crate::model::{
    ComponentId, FamilyId, MAX_SEATS, Model, Owner, PhaseId, SayId, Seat, SpaceId, Value, ValueType, ZoneId,
};
use crate::session::{Choice, Decision, Event, Happening, Log, Observer, OptionSet};
use crate::table::{Holder, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an option, or a part of one, names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Thing {
    /// A pass, or having picked enough.
    Pass,
    /// Yes or no.
    Flag(bool),
    /// A number; large ones share a place.
    Number(i64),
    /// A word.
    Word(String),
    /// A seat, by how many seats it comes after the one that chooses: 0 for itself.
    Seat(u8),
    /// A zone that belongs to no seat.
    Zone(u16),
    /// A zone that every seat has, by that of the first seat, and whose it is, as seats are counted.
    ZoneOf(u16, u8),
    /// A space of a zone that belongs to no seat.
    Space(u16),
    /// A space of a zone that every seat has, likewise.
    SpaceOf(u16, u8),
    /// A component, or a piece of it.
    Component(u16),
}

/// An option of a decision, or one value of one of its parts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OptionKey {
    /// Which decision.
    pub decision: u16,
    /// The name of the part; nothing for a whole option.
    pub part: Option<String>,
    /// What it is.
    pub thing: Thing,
}

/// How an option fared in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fared {
    pub(super) offered: u32,
    pub(super) picked: u32,
    pub(super) offered_to: u16,
    pub(super) picked_by: u16,
}

/// How the seats stood at one look.
#[derive(Debug, Clone)]
struct Look {
    decisions: u64,
    standings: Vec<i64>,
}

/// One reading of a value: which value, whose, in which round, and the number.
pub(super) type Reading = (u16, u16, u16, i64);

/// A decision's part and its options, where an option without parts has one part without a name.
type PartKey = (u16, u8);

/// What was written down of one game.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The position of every answer among its options, in order.
    pub(super) answers: Vec<u32>,
    pub(super) turns: u64,
    pub(super) options: u64,
    /// Questions put to each seat.
    pub(super) asked: Vec<u64>,
    /// How often each decision was asked, and how many options each time.
    pub(super) questions: Vec<(u16, u32)>,
    pub(super) steps: FxHashMap<Arc<str>, u64>,
    pub(super) readings: Vec<Reading>,
    looks: Vec<Look>,
    fared: FxHashMap<(PartKey, Thing), Fared>,
    part_names: Vec<((u16, u8), Arc<str>)>,
}

/// The values of a part of a question, or its options without parts, are not counted one by one beyond this many.
const MOST_LISTED: usize = 256;

/// A list of more options is not looked at.
const MOST_LOOKED_AT: usize = 4096;

/// Numbers up to this are counted one by one; larger ones share a place with their neighbors.
pub const OWN_ROW: u64 = 1 << 16;

/// Values are read in this many rounds.
const MOST_ROUNDS: i64 = 60;

/// The holder that stands for all seats together.
pub(super) const EVERY_SEAT: u16 = u16::MAX;

/// The value that stands for how seats stand.
pub(super) const STANDING: u16 = u16::MAX;

/// A part without a name.
const WHOLE: u8 = u8::MAX;

impl Notes {
    pub(super) fn new(seats: u8) -> Self {
        Self { asked: vec![0; seats as usize], ..Self::default() }
    }

    /// The options of the game, with how they fared.
    pub(super) fn options(&self) -> impl Iterator<Item = (OptionKey, Fared)> + '_ {
        self.fared.iter().map(|((part, thing), fared)| {
            let name = self.part_names.iter().find(|(known, _)| known == part).map(|(_, name)| name.to_string());
            (OptionKey { decision: part.0, part: name, thing: thing.clone() }, *fared)
        })
    }

    /// What is known of the lead: how often it changed and when, whether leaders won, how far the winner was behind.
    pub(super) fn leads(&self, wins: &[i64], whole: i64, decisions: u64) -> Vec<(Measure, i64)> {
        let mut found = Vec::new();
        if self.looks.is_empty() {
            return found;
        }
        let (mut leader, mut changes, mut last) = (None, 0, 0);
        for look in &self.looks {
            let now = look.alone();
            if now.is_some() && leader.is_some() && now != leader {
                changes += 1;
                last = look.decisions;
            }
            leader = now.or(leader);
        }
        found.push((Measure::LeadChanges, changes));
        if changes > 0 && decisions > 0 {
            found.push((Measure::LastLead, super::measure::thousandths(last.min(decisions).into(), decisions.into())));
        }
        for quarter in 1..=3 {
            let before = self.looks.iter().rfind(|look| look.decisions * 4 <= decisions * quarter);
            let share = before.and_then(|look| look.share_of_leaders(wins, whole));
            found.extend(share.map(|share| (Measure::LeaderWins(quarter as u8), share)));
        }
        let behind = self.looks.iter().flat_map(|look| {
            let best = look.best();
            let winners = look.standings.iter().zip(wins).filter(|(_, win)| **win > 0);
            winners.map(move |(standing, _)| best.saturating_sub(*standing))
        });
        found.extend(behind.max().map(|behind| (Measure::Comeback, behind)));
        found
    }

    fn part(&mut self, decision: &Decision, name: &str) -> u8 {
        let same = |(known, word): &&((u16, u8), Arc<str>)| known.0 == decision.id.0 && **word == *name;
        if let Some(((_, at), _)) = self.part_names.iter().find(same) {
            return *at;
        }
        let at = self.part_names.iter().filter(|(known, _)| known.0 == decision.id.0).count().min(254) as u8;
        self.part_names.push(((decision.id.0, at), name.into()));
        at
    }

    /// Notes the options of a question, each thing once, however many options name it; gives the parts that are counted: those
    /// whose values are not too many.
    fn note_offered(&mut self, table: &Table, decision: &Decision, options: &OptionSet) -> Vec<u8> {
        let mut offered = Offered::default();
        self.gather(table, decision, options, &mut offered);
        let seat = 1 << decision.seat.0;
        let left_out = std::mem::take(&mut offered.left_out);
        let is_cut = offered.is_cut;
        let is_counted = |part: u8, things: usize| !is_cut && things <= MOST_LISTED && !left_out.contains(&part);
        offered.parts.retain(|(part, things)| is_counted(*part, things.len()));
        for (part, things) in &offered.parts {
            for thing in things {
                let fared = self.fared.entry(((decision.id.0, *part), thing.clone())).or_default();
                fared.offered += 1;
                fared.offered_to |= seat;
            }
        }
        offered.parts.into_iter().map(|(part, _)| part).collect()
    }

    /// Gathers what is offered by part.
    fn gather(&mut self, table: &Table, decision: &Decision, options: &OptionSet, offered: &mut Offered) {
        match options {
            OptionSet::Union(sets) => sets.iter().for_each(|set| self.gather(table, decision, set, offered)),
            OptionSet::Product(parts) => {
                for (name, set) in parts.iter() {
                    let part = self.part(decision, name);
                    offered.list((table, decision.seat), part, set.len(), set.iter());
                }
            }
            OptionSet::Pairs(first, second, pairs) => {
                let (one, two) = (self.part(decision, first), self.part(decision, second));
                offered.list((table, decision.seat), one, 0, pairs.iter().map(|(one, _)| one.clone()));
                offered.list((table, decision.seat), two, 0, pairs.iter().map(|(_, two)| two.clone()));
            }
            listed if listed.len() > MOST_LOOKED_AT => offered.is_cut = true,
            OptionSet::Placements(all) => {
                let examples = OptionSet::Placements(all.examples().into());
                self.list(table, decision, &examples, offered);
            }
            listed => self.list(table, decision, listed, offered),
        }
    }

    /// Gathers what is offered, option by option.
    fn list(&mut self, table: &Table, decision: &Decision, listed: &OptionSet, offered: &mut Offered) {
        for option in listed.iter() {
            match &option {
                Choice::Parts(parts) => {
                    for (name, value) in parts.iter() {
                        let part = self.part(decision, name);
                        offered.one((table, decision.seat), part, value);
                    }
                }
                _ => offered.one((table, decision.seat), WHOLE, &option),
            }
        }
    }

    /// Notes what was picked, as far as it is counted.
    fn note_picked(&mut self, table: &Table, decision: &Decision, choice: &Choice, counted: &[u8]) {
        match choice {
            Choice::Parts(parts) => {
                for (name, value) in parts.iter() {
                    let part = self.part(decision, name);
                    self.note_pick(table, decision, part, value, counted);
                }
            }
            other => self.note_pick(table, decision, WHOLE, other, counted),
        }
    }

    fn note_pick(&mut self, table: &Table, decision: &Decision, part: u8, choice: &Choice, counted: &[u8]) {
        let Some(thing) =
            thing(choice, (table, decision.seat)).filter(|thing| counted.contains(&part) || *thing == Thing::Pass)
        else {
            return;
        };
        let fared = self.fared.entry(((decision.id.0, part), thing)).or_default();
        fared.picked += 1;
        fared.picked_by |= 1 << decision.seat.0;
    }

    /// Notes that passing was offered.
    fn note_pass(&mut self, decision: &Decision) {
        let fared = self.fared.entry(((decision.id.0, WHOLE), Thing::Pass)).or_default();
        fared.offered += 1;
        fared.offered_to |= 1 << decision.seat.0;
    }
}

/// What a question offers, by part.
#[derive(Default)]
struct Offered {
    parts: Vec<(u8, FxHashSet<Thing>)>,
    /// Parts that are known to have too many values.
    left_out: Vec<u8>,
    /// Whether there are more options than are looked at.
    is_cut: bool,
}

impl Offered {
    /// One value of a part.
    fn one(&mut self, at: (&Table, Seat), part: u8, choice: &Choice) {
        let Some(thing) = thing(choice, at) else { return };
        let place = self.parts.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            self.parts.push((part, FxHashSet::default()));
            self.parts.len() - 1
        });
        self.parts[place].1.insert(thing);
    }

    /// All values of a part, unless they are known to be too many.
    fn list(&mut self, at: (&Table, Seat), part: u8, count: usize, choices: impl Iterator<Item = Choice>) {
        if count > MOST_LISTED {
            self.left_out.push(part);
        } else {
            choices.for_each(|choice| self.one(at, part, &choice));
        }
    }
}

/// What an option names to the seat that chooses, as far as it can be counted.
fn thing(choice: &Choice, (table, chooser): (&Table, Seat)) -> Option<Thing> {
    let model = table.model();
    Some(match choice {
        Choice::Nothing => Thing::Pass,
        Choice::Flag(flag) => Thing::Flag(*flag),
        Choice::Number(number) if number.unsigned_abs() < OWN_ROW => Thing::Number(*number),
        Choice::Number(number) => Thing::Number(super::spread::place(*number)),
        Choice::Word(word) => Thing::Word(word.to_string()),
        Choice::Seat(seat) => Thing::Seat(ahead(model, *seat, chooser)),
        Choice::Zone(zone) => match of_first_seat(model, *zone, chooser) {
            Some((first, ahead)) => Thing::ZoneOf(first.0, ahead),
            None => Thing::Zone(zone.0),
        },
        Choice::Space(space) => {
            let zone = model.space(*space).zone;
            let at = space.0 - model.zone(zone).spaces.start;
            match of_first_seat(model, zone, chooser) {
                Some((first, ahead)) => Thing::SpaceOf(model.zone(first).spaces.start + at, ahead),
                None => Thing::Space(space.0),
            }
        }
        Choice::Component(component) => Thing::Component(component.0),
        Choice::Piece(piece) => Thing::Component(table.component(*piece).0),
        Choice::Parts(_) | Choice::Many(_) => return None,
    })
}

/// How many seats one comes after another.
fn ahead(model: &Model, seat: Seat, chooser: Seat) -> u8 {
    (seat.0 + model.seats - chooser.0) % model.seats
}

/// The first seat's zone that is to it what a zone of a seat is to that one, and how many seats this comes after the chooser.
fn of_first_seat(model: &Model, zone: ZoneId, chooser: Seat) -> Option<(ZoneId, u8)> {
    let own = model.zone(zone);
    let seat = own.seat?;
    let is_same = |other: &&u16| {
        let other = &model.zones[**other as usize];
        other.seat == Some(Seat(0)) && other.of == own.of && other.copy == own.copy
    };
    let zones: Vec<u16> = model.family_of(zone).zones.clone().collect();
    zones.iter().find(is_same).map(|first| (ZoneId(*first), ahead(model, seat, chooser)))
}

impl Look {
    fn best(&self) -> i64 {
        self.standings.iter().copied().max().unwrap_or(0)
    }

    /// The seat that leads, if one does alone.
    fn alone(&self) -> Option<usize> {
        let best = self.best();
        let mut leaders = self.standings.iter().enumerate().filter(|(_, standing)| **standing == best);
        let first = leaders.next()?.0;
        leaders.next().is_none().then_some(first)
    }

    /// What the leaders got of the first place on their mean, in squared units; nothing where all stand alike.
    fn share_of_leaders(&self, wins: &[i64], whole: i64) -> Option<i64> {
        let best = self.best();
        let leaders = self.standings.iter().zip(wins).filter(|(standing, _)| **standing == best);
        let (count, won) = leaders.fold((0, 0), |(count, won), (_, win)| (count + 1, won + win));
        (count < self.standings.len() as i64).then(|| won * whole / count)
    }
}

/// The observer that writes everything down.
#[derive(Debug)]
pub(super) struct Notebook {
    pub(super) notes: Notes,
    values: Arc<[Watched]>,
    /// The last round at whose end values were read.
    read: i64,
}

/// A value that is read at the end of rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    value: u16,
    owner: Owner,
    is_space: bool,
}

/// Values of more components than this are not read one by one.
const MOST_HOLDERS: usize = 24;

/// The values of a game that are read at the end of rounds.
pub(super) fn watched(model: &Model) -> Arc<[Watched]> {
    let values = model.values.iter().enumerate().filter(|(_, value)| {
        let counts = matches!(value.kind, ValueType::Number | ValueType::Space(_));
        let few = match value.owner {
            Owner::Game | Owner::Seat => true,
            Owner::Component(kind) => model.kinds[kind.index()].components.len() <= MOST_HOLDERS,
            Owner::Piece(_) | Owner::Space(_) => false,
        };
        counts && few && value.lasts == crate::model::Lasts::Game
    });
    values
        .map(|(at, value)| Watched {
            value: at as u16,
            owner: value.owner,
            is_space: matches!(value.kind, ValueType::Space(_)),
        })
        .collect()
}

impl Notebook {
    pub(super) fn new(seats: u8, values: Arc<[Watched]>) -> Self {
        Self { notes: Notes::new(seats), values, read: 0 }
    }

    fn read_at(&mut self, table: &Table, watched: Watched, holder: Holder, named: u16, round: i64) {
        let id = crate::model::ValueId(watched.value);
        let Some(slot) = table.slot(id, holder) else { return };
        let number = table.value(slot);
        if number == Value::NOTHING {
            return;
        }
        let number = if watched.is_space { place_in_zone(table.model(), number) } else { number };
        self.notes.readings.push((watched.value, named, round as u16, number));
    }
}

/// The number of a space in its zone, from 1.
fn place_in_zone(model: &Model, space: i64) -> i64 {
    let Ok(space) = u16::try_from(space) else { return 0 };
    let zone = model.space(SpaceId(space)).zone;
    i64::from(space - model.zone(zone).spaces.start) + 1
}

impl Observer for Notebook {
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize) {
        let notes = &mut self.notes;
        notes.answers.push(at as u32);
        let count = decision.count();
        notes.options += count as u64;
        notes.asked[decision.seat.index()] += 1;
        notes.questions.push((decision.id.0, count.min(u32::MAX as usize) as u32));
        let counted = notes.note_offered(table, decision, &decision.options);
        if decision.pass.is_some() {
            notes.note_pass(decision);
        }
        notes.note_picked(table, decision, &decision.option(at), &counted);
    }

    fn step_begins(&mut self, function: &Arc<str>) {
        *self.notes.steps.entry(function.clone()).or_default() += 1;
    }

    fn turn_ends(&mut self) {
        self.notes.turns += 1;
    }

    fn rests(&mut self, table: &Table, standings: Option<&[i64]>) {
        if let Some(standings) = standings {
            let decisions = self.notes.asked.iter().sum();
            self.notes.looks.push(Look { decisions, standings: standings.to_vec() });
        }
        // A game of one round may be looked at after every step; values are read when a round has ended.
        let round = table.position.round - i64::from(!table.position.finishing);
        if round <= self.read || round > MOST_ROUNDS {
            return;
        }
        self.read = round;
        for at in 0..self.values.len() {
            let watched = self.values[at];
            match watched.owner {
                Owner::Game => self.read_at(table, watched, Holder::Game, 0, round),
                Owner::Seat => {
                    for seat in table.model().all_seats() {
                        self.read_at(table, watched, Holder::Seat(seat), EVERY_SEAT, round);
                    }
                }
                Owner::Component(kind) => {
                    let model = table.model().clone();
                    for component in &model.kinds[kind.index()].components {
                        self.read_at(table, watched, Holder::Component(*component), component.0, round);
                    }
                }
                Owner::Piece(_) | Owner::Space(_) => {}
            }
        }
        for standing in standings.unwrap_or_default() {
            self.notes.readings.push((STANDING, EVERY_SEAT, round as u16, *standing));
        }
    }
}

/// What the events of a game say: which components seats acquired, which spaces were used, what took part.
#[derive(Debug, Default)]
pub(super) struct Traces {
    /// By component and seat: how often the seat acquired a piece of it.
    pub(super) acquired: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// Components that moved at all.
    pub(super) moved: FxHashMap<u16, u64>,
    /// Spaces that a piece came to.
    pub(super) spaces: FxHashMap<u16, u64>,
    pub(super) phases: FxHashMap<u16, u64>,
    pub(super) says: FxHashMap<u16, u64>,
}

impl Traces {
    /// Reads what happened.
    pub(super) fn of(model: &Model, events: &Log<Event>) -> Self {
        let mut traces = Self::default();
        let homes = homes(model);
        for event in events {
            match &event.what {
                Happening::Moved { look, to } => {
                    let is_own = |seat| look.owner == Some(seat);
                    traces.moved(model, (look.component, look.space, *to), &is_own, &homes);
                }
                Happening::Phase(PhaseId(phase)) => *traces.phases.entry(*phase).or_default() += 1,
                Happening::Said { say: SayId(say), .. } => *traces.says.entry(*say).or_default() += 1,
                _ => {}
            }
        }
        traces
    }

    fn moved(
        &mut self,
        model: &Model,
        (ComponentId(component), from, to): (ComponentId, SpaceId, SpaceId),
        is_own: &dyn Fn(Seat) -> bool,
        homes: &FxHashSet<(u16, FamilyId)>,
    ) {
        *self.moved.entry(component).or_default() += 1;
        let zone = model.zone(model.space(to).zone);
        if zone.spaces.len() > 1 {
            *self.spaces.entry(to.0).or_default() += 1;
        }
        let Some(seat) = zone.seat else { return };
        let before = model.zone(model.space(from).zone).seat;
        // What is a seat's own, and what comes back to where seats have it from the box, returns and is not acquired.
        let is_return = is_own(seat) || before.is_none() && homes.contains(&(component, zone.family));
        if before != Some(seat) && !is_return {
            self.acquired.entry(component).or_default()[seat.index()] += 1;
        }
    }
}

/// The components that lie in zones of seats when the box is opened, with these.
fn homes(model: &Model) -> FxHashSet<(u16, FamilyId)> {
    let of_seats = model.pieces.iter().filter(|piece| model.zone(piece.zone).seat.is_some());
    of_seats.map(|piece| (piece.component.0, model.zone(piece.zone).family)).collect()
}

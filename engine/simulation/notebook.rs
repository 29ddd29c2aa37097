//! What is written down of one game while it is played.

use super::measure::Measure;
use super::offered::{AskedDecision, OptionCounts, OptionKey, OptionsSeen};
use super::scheme::{Scheme, Watched};
use super::traces::Traces;
use crate::model::{ComponentId, DecisionId, Model, Owner, PhaseId, SayId, Seat, SpaceId, Value};
use crate::session::{Decision, Observer};
use crate::table::{Holder, Member, Table, View};
use smallvec::SmallVec;
use std::sync::Arc;

/// How the seats stood at one look.
#[derive(Debug, Clone)]
struct Look {
    decisions: u64,
    standings: Standings,
}

/// How each who wins and loses as one stands.
type Standings = SmallVec<[i64; 4]>;

/// One reading of a value: which value, whose, in which round, and the number.
pub(super) type Reading = (u16, u16, u16, i64);

/// What was written down of one game.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The position of every answer among its options, in order.
    pub(super) answers: Vec<u64>,
    /// Who went first in the first round.
    pub(super) first: Option<Seat>,
    /// All seats in the order in which they first took turns in a round; empty where they never did.
    pub(super) order: SmallVec<[Seat; 8]>,
    pub(super) turns: u64,
    pub(super) options: u64,
    /// Questions put to each seat.
    pub(super) asked: Vec<u64>,
    /// Which decision was asked, and how many options it had, each time.
    pub(super) questions: Vec<(u16, u32)>,
    /// How often each function was called by the flow.
    pub(super) steps: Vec<(Arc<str>, u64)>,
    pub(super) readings: Vec<Reading>,
    looks: Vec<Look>,
    options_seen: OptionsSeen,
}

/// Values are read in this many rounds.
const MOST_ROUNDS: i64 = 60;

/// The holder that stands for all seats together.
pub(super) const EVERY_SEAT: u16 = u16::MAX;

/// The value that stands for how seats stand.
pub(super) const STANDING: u16 = u16::MAX;

impl Notes {
    pub(super) fn new(seats: u8) -> Self {
        Self { asked: vec![0; seats as usize], ..Self::default() }
    }

    /// Begins another game, with what can be kept of this one.
    fn clear(&mut self) {
        self.answers.clear();
        self.first = None;
        self.order.clear();
        (self.turns, self.options) = (0, 0);
        self.asked.fill(0);
        self.questions.clear();
        self.steps.clear();
        self.readings.clear();
        self.looks.clear();
        self.options_seen.clear();
    }

    /// The options of the game by their places, with what was counted of them.
    pub(super) fn options(&self) -> impl Iterator<Item = (usize, &OptionKey, &OptionCounts)> + '_ {
        self.options_seen.of_game()
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
    /// Handed on from game to game: what is large of it stays where it is.
    pub(super) notes: Box<Notes>,
    pub(super) traces: Box<Traces>,
    pub(super) scheme: Arc<Scheme>,
    /// The last round at whose end values were read.
    read: i64,
}

impl Notebook {
    pub(super) fn new(scheme: Arc<Scheme>) -> Self {
        let model = &scheme.model;
        let (notes, traces) = (Box::new(Notes::new(model.seats)), Box::new(Traces::new(model)));
        Self { notes, traces, scheme, read: 0 }
    }

    /// The notebook for another game of the batch.
    pub(super) fn anew(mut self) -> Self {
        self.notes.clear();
        self.traces.clear();
        self.read = 0;
        self
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

/// The component by which an entry of a table is known among the readings, or every seat.
fn named_of_pair(holder: Holder) -> u16 {
    match holder {
        Holder::Pair(_, Member::Component(component)) | Holder::Pair(Member::Component(component), _) => component.0,
        _ => EVERY_SEAT,
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
        notes.answers.push(at as u64);
        let count = decision.count();
        notes.options = notes.options.saturating_add(count as u64);
        notes.asked[decision.seat.index()] += 1;
        let few = count.min(u32::MAX as usize) as u32;
        notes.questions.push((decision.id.0, few));
        self.traces.asked(decision.id, few);
        let (question, scheme) = (notes.questions.len() as u32, &*self.scheme);
        let asked = &AskedDecision { table, scheme, decision: decision.id, seat: decision.seat, question };
        let options = &mut notes.options_seen;
        let counted = options.note_offered(asked, &decision.options);
        if decision.pass.is_some() {
            options.note_pass(asked);
        }
        options.note_picked(asked, &decision.option(at), counted.as_deref());
    }

    fn answered(&mut self, decision: DecisionId, offered: usize) {
        self.traces.answered(decision, offered);
    }

    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        self.traces.moved((&self.scheme.model, &self.scheme.homes), (component, owner), (from, to));
    }

    fn round_begins(&mut self, _round: i64, first: Seat) {
        self.notes.first.get_or_insert(first);
    }

    fn turns_begin(&mut self, order: &[Seat]) {
        let is_whole = order.len() == self.scheme.model.seats as usize;
        if is_whole && self.notes.first.is_some() && self.notes.order.is_empty() {
            self.notes.order.extend_from_slice(order);
        }
    }

    fn phase_begins(&mut self, phase: PhaseId) {
        self.traces.phases[usize::from(phase.0)] += 1;
    }

    fn said(&mut self, say: SayId) {
        self.traces.says[usize::from(say.0)] += 1;
    }

    fn step_begins(&mut self, function: &Arc<str>) {
        let steps = &mut self.notes.steps;
        // Nearly always it is the name that the flow gave before.
        let given = steps.iter().position(|(known, _)| Arc::ptr_eq(known, function));
        match given.or_else(|| steps.iter().position(|(known, _)| *known == *function)) {
            Some(at) => steps[at].1 += 1,
            None => steps.push((function.clone(), 1)),
        }
    }

    fn turn_ends(&mut self) {
        self.notes.turns += 1;
    }

    fn rests(&mut self, table: &Table, standings: Option<&[i64]>) {
        // A team stands as one.
        let standings: Option<Standings> =
            standings.map(|all| self.scheme.leaders.iter().map(|seat| all[*seat]).collect());
        if let Some(standings) = standings.clone() {
            let decisions = self.notes.asked.iter().sum();
            self.notes.looks.push(Look { decisions, standings });
        }
        // A game of one round may be looked at after every step; values are read when a round has ended.
        let round = table.position.round - i64::from(!table.position.finishing);
        if round <= self.read || round > MOST_ROUNDS {
            return;
        }
        self.read = round;
        for at in 0..self.scheme.values.len() {
            let watched = self.scheme.values[at];
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
                Owner::Pair(..) => {
                    let holders = View::whole(table).holders(crate::model::ValueId(watched.value));
                    for holder in holders {
                        self.read_at(table, watched, holder, named_of_pair(holder), round);
                    }
                }
                Owner::Piece(_) | Owner::Space(_) => {}
            }
        }
        for standing in standings.unwrap_or_default() {
            self.notes.readings.push((STANDING, EVERY_SEAT, round as u16, standing));
        }
    }
}

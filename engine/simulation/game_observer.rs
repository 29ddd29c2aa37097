//! Observer that collects the raw statistics of a game.

use super::batch_context::{BatchContext, TrackedValue};
use super::matched::Standing;
use super::measure::Measure;
use super::option_stats::{AskedDecision, OptionCounter, OptionCounts, OptionKey};
use super::traces::Traces;
use crate::model::{ComponentId, DecisionId, Model, Owner, PhaseId, SayId, Seat, SpaceId, Value};
use crate::session::{Decision, Observer};
use crate::table::{Holder, Member, Table, View};
use smallvec::SmallVec;
use std::sync::Arc;

/// Standings at one point of the game.
#[derive(Debug, Clone)]
struct Sample {
    /// Number of decisions so far.
    decisions: u64,
    standings: Standings,
}

/// Standing of each team, or of each seat without teams. Larger is better.
type Standings = SmallVec<[i64; 4]>;

/// A value at the end of a round: index of the value, its holder, the round, and the number.
pub(super) type Reading = (u16, u16, u16, i64);

/// Raw statistics of one game.
#[derive(Debug, Default)]
pub(super) struct GameStats {
    /// Indices of the chosen options, in order.
    pub(super) answers: Vec<u64>,
    /// Seat that went first in the first round.
    pub(super) first: Option<Seat>,
    /// Order of the seats in the first sequence of turns that includes all seats. Empty if there was none.
    pub(super) order: SmallVec<[Seat; 8]>,
    /// Number of turns.
    pub(super) turns: u64,
    /// Total number of options of all decisions.
    pub(super) options: u64,
    /// Number of decisions of each seat.
    pub(super) asked: Vec<u64>,
    /// Decision and number of options of each question that was asked.
    pub(super) questions: Vec<(u16, u32)>,
    /// Functions that the flow called, each with its number of calls.
    pub(super) steps: Vec<(Arc<str>, u64)>,
    pub(super) readings: Vec<Reading>,
    samples: Vec<Sample>,
    option_counter: OptionCounter,
}

/// Last round at the end of which values are read.
const MAX_ROUNDS: i64 = 60;

/// Holder in a [`Reading`] of a value that seats hold. Readings do not record which seat holds the value.
pub(super) const EVERY_SEAT: u16 = u16::MAX;

/// Index in a [`Reading`] that stands for the standings instead of a value.
pub(super) const STANDING: u16 = u16::MAX;

impl GameStats {
    pub(super) fn new(seats: u8) -> Self {
        Self { asked: vec![0; seats as usize], ..Self::default() }
    }

    /// Resets the statistics for another game, keeping allocations.
    fn clear(&mut self) {
        self.answers.clear();
        self.first = None;
        self.order.clear();
        (self.turns, self.options) = (0, 0);
        self.asked.fill(0);
        self.questions.clear();
        self.steps.clear();
        self.readings.clear();
        self.samples.clear();
        self.option_counter.clear();
    }

    /// Iterates over the options that occurred in the game, each with its index, key and counts.
    pub(super) fn options(&self) -> impl Iterator<Item = (usize, &OptionKey, &OptionCounts)> + '_ {
        self.option_counter.seen_options()
    }

    /// Returns the measures about the lead: the number of lead changes, the time of the last one, the leaders' share of first place after
    /// each quarter of the game, and the winner's largest deficit.
    pub(super) fn leads(&self, wins: &[i64], whole: i64, decisions: u64) -> Vec<(Measure, i64)> {
        let mut found = Vec::new();
        if self.samples.is_empty() {
            return found;
        }
        let (mut leader, mut changes, mut last) = (None, 0, 0);
        for sample in &self.samples {
            let now = sample.sole_leader();
            if now.is_some() && leader.is_some() && now != leader {
                changes += 1;
                last = sample.decisions;
            }
            leader = now.or(leader);
        }
        found.push((Measure::LeadChanges, changes));
        if changes > 0 && decisions > 0 {
            found.push((Measure::LastLead, super::measure::thousandths(last.min(decisions).into(), decisions.into())));
        }
        for quarter in 1..=3 {
            let before = self.samples.iter().rfind(|sample| sample.decisions * 4 <= decisions * quarter);
            let share = before.and_then(|sample| sample.share_of_leaders(wins, whole));
            found.extend(share.map(|share| (Measure::LeaderWins(quarter as u8), share)));
        }
        let behind = self.samples.iter().flat_map(|sample| {
            let best = sample.best();
            let winners = sample.standings.iter().zip(wins).filter(|(_, win)| **win > 0);
            winners.map(move |(standing, _)| best.saturating_sub(*standing))
        });
        found.extend(behind.max().map(|behind| (Measure::Comeback, behind)));
        found
    }
}

impl Sample {
    /// Returns whether a seat, or its team, is ahead, behind or level.
    fn standing_of(&self, context: &BatchContext, seat: Seat) -> Standing {
        let is_own = |leader: &usize| match context.sides.get(seat.index()) {
            Some(side) => context.sides.get(*leader) == Some(side),
            None => *leader == seat.index(),
        };
        let Some(side) = context.leaders.iter().position(is_own) else { return Standing::default() };
        let Some(own) = self.standings.get(side) else { return Standing::default() };
        let others = self.standings.iter().enumerate().filter(|(at, _)| *at != side).map(|(_, standing)| *standing);
        match others.max() {
            Some(best) if best > *own => Standing::Behind,
            Some(best) if best < *own => Standing::Ahead,
            _ => Standing::Level,
        }
    }

    fn best(&self) -> i64 {
        self.standings.iter().copied().max().unwrap_or(0)
    }

    /// Returns the index of the leading team or seat. `None` if several share the lead.
    fn sole_leader(&self) -> Option<usize> {
        let best = self.best();
        let mut leaders = self.standings.iter().enumerate().filter(|(_, standing)| **standing == best);
        let first = leaders.next()?.0;
        leaders.next().is_none().then_some(first)
    }

    /// Returns the leaders' mean share of first place. `None` if all standings are equal.
    ///
    /// The unit is the square of the win unit. The win unit is divisible by every number of leaders, so the mean is an
    /// integer.
    fn share_of_leaders(&self, wins: &[i64], whole: i64) -> Option<i64> {
        let best = self.best();
        let leaders = self.standings.iter().zip(wins).filter(|(standing, _)| **standing == best);
        let (count, won) = leaders.fold((0, 0), |(count, won), (_, win)| (count + 1, won + win));
        (count < self.standings.len() as i64).then(|| won * whole / count)
    }
}

/// Observer that collects statistics of one game after another.
#[derive(Debug)]
pub(super) struct GameObserver {
    /// Statistics of the current game. Boxed, so that passing the observer from game to game does not move them.
    pub(super) stats: Box<GameStats>,
    pub(super) traces: Box<Traces>,
    pub(super) context: Arc<BatchContext>,
    /// Last round after which values were read.
    read: i64,
}

impl GameObserver {
    pub(super) fn new(context: Arc<BatchContext>) -> Self {
        let model = &context.model;
        let (stats, traces) = (Box::new(GameStats::new(model.seats)), Box::new(Traces::new(model)));
        Self { stats, traces, context, read: 0 }
    }

    /// Resets the observer for another game of the batch.
    pub(super) fn reset(mut self) -> Self {
        self.stats.clear();
        self.traces.clear();
        self.read = 0;
        self
    }

    fn read_value(&mut self, table: &Table, tracked: TrackedValue, holder: Holder, named: u16, round: i64) {
        let id = crate::model::ValueId(tracked.value);
        let Some(slot) = table.slot(id, holder) else { return };
        let number = table.value(slot);
        if number == Value::NOTHING {
            return;
        }
        let number = if tracked.is_space { place_in_zone(table.model(), number) } else { number };
        self.stats.readings.push((tracked.value, named, round as u16, number));
    }
}

/// Returns the holder for a [`Reading`] of a value that belongs to a pair: the component of the pair, or [`EVERY_SEAT`] if there is none.
fn reading_holder(holder: Holder) -> u16 {
    match holder {
        Holder::Pair(_, Member::Component(component)) | Holder::Pair(Member::Component(component), _) => component.0,
        _ => EVERY_SEAT,
    }
}

/// Returns the number of a space within its zone, from 1. Returns 0 if `space` is negative or exceeds `u16::MAX`.
fn place_in_zone(model: &Model, space: i64) -> i64 {
    let Ok(space) = u16::try_from(space) else { return 0 };
    let zone = model.space(SpaceId(space)).zone;
    i64::from(space - model.zone(zone).spaces.start) + 1
}

impl Observer for GameObserver {
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize) {
        let stats = &mut self.stats;
        stats.answers.push(at as u64);
        let count = decision.count();
        stats.options = stats.options.saturating_add(count as u64);
        stats.asked[decision.seat.index()] += 1;
        let few = count.min(u32::MAX as usize) as u32;
        stats.questions.push((decision.id.0, few));
        self.traces.add_asked(decision.id, few);
        let (question, context) = (stats.questions.len() as u32, &*self.context);
        let standing =
            stats.samples.last().map_or(Standing::default(), |sample| sample.standing_of(context, decision.seat));
        let asked = &AskedDecision { table, context, decision: decision.id, seat: decision.seat, question, standing };
        let options = &mut stats.option_counter;
        let counted = options.note_offered(asked, &decision.options);
        if decision.pass.is_some() {
            options.note_pass(asked);
        }
        options.note_picked(asked, &decision.option(at), counted.as_deref());
    }

    fn answered(&mut self, decision: DecisionId, offered: usize) {
        self.traces.add_answered(decision, offered);
    }

    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        self.traces.add_move(&self.context.model, &self.context.homes, component, owner, from, to);
    }

    fn round_begins(&mut self, _round: i64, first: Seat) {
        self.stats.first.get_or_insert(first);
    }

    fn turns_begin(&mut self, order: &[Seat]) {
        let is_whole = order.len() == self.context.model.seats as usize;
        if is_whole && self.stats.first.is_some() && self.stats.order.is_empty() {
            self.stats.order.extend_from_slice(order);
        }
    }

    fn phase_begins(&mut self, phase: PhaseId) {
        self.traces.phases[usize::from(phase.0)] += 1;
    }

    fn said(&mut self, say: SayId) {
        self.traces.says[usize::from(say.0)] += 1;
    }

    fn step_begins(&mut self, function: &Arc<str>) {
        let steps = &mut self.stats.steps;
        // Addresses are compared first, which is faster and almost always sufficient.
        let given = steps.iter().position(|(known, _)| Arc::ptr_eq(known, function));
        match given.or_else(|| steps.iter().position(|(known, _)| *known == *function)) {
            Some(at) => steps[at].1 += 1,
            None => steps.push((function.clone(), 1)),
        }
    }

    fn turn_ends(&mut self) {
        self.stats.turns += 1;
    }

    fn rests(&mut self, table: &Table, standings: Option<&[i64]>) {
        // The standing of a team is the standing of its first seat.
        let standings: Option<Standings> =
            standings.map(|all| self.context.leaders.iter().map(|seat| all[*seat]).collect());
        if let Some(standings) = standings.clone() {
            let decisions = self.stats.asked.iter().sum();
            self.stats.samples.push(Sample { decisions, standings });
        }
        // In a single-round game, `rests` may be called after every step. Values are read only at the end of a round.
        let round = table.position.round - i64::from(!table.position.finishing);
        if round <= self.read || round > MAX_ROUNDS {
            return;
        }
        self.read = round;
        for at in 0..self.context.values.len() {
            let tracked = self.context.values[at];
            match tracked.owner {
                Owner::Game => self.read_value(table, tracked, Holder::Game, 0, round),
                Owner::Seat => {
                    for seat in table.model().all_seats() {
                        self.read_value(table, tracked, Holder::Seat(seat), EVERY_SEAT, round);
                    }
                }
                Owner::Component(kind) => {
                    let model = table.model().clone();
                    for component in &model.kinds[kind.index()].components {
                        self.read_value(table, tracked, Holder::Component(*component), component.0, round);
                    }
                }
                Owner::Pair(..) => {
                    let holders = View::whole(table).holders(crate::model::ValueId(tracked.value));
                    for holder in holders {
                        self.read_value(table, tracked, holder, reading_holder(holder), round);
                    }
                }
                Owner::Piece(_) | Owner::Space(_) => {}
            }
        }
        for standing in standings.unwrap_or_default() {
            self.stats.readings.push((STANDING, EVERY_SEAT, round as u16, standing));
        }
    }
}

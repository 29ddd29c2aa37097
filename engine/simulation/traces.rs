//! Counts of events in one game: moves, acquisitions, and occurrences of phases, announcements and decisions.

use crate::model::{ComponentId, DecisionId, FamilyId, MAX_SEATS, Model, Seat, SpaceId, Zone};
use rustc_hash::{FxHashMap, FxHashSet};

/// Counts of events in one game.
#[derive(Debug, Default)]
pub(super) struct Traces {
    /// For each component, the number of times that each seat acquired one of its pieces.
    pub(super) acquired: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// For each kind, the number of times that each seat acquired one of its pieces.
    pub(super) kinds: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// Number of moves of each component.
    pub(super) moved: Vec<u32>,
    /// Number of moves into each space. Not counted in zones with a single space.
    pub(super) spaces: Vec<u32>,
    /// Number of times that each phase began.
    pub(super) phases: Vec<u32>,
    /// Number of times that each announcement was made.
    pub(super) says: Vec<u32>,
    pub(super) decisions: Vec<TracedDecision>,
}

/// Counts of one decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct TracedDecision {
    pub(super) asked: i64,
    /// Total number of options over all times that the decision was asked.
    pub(super) options: i64,
    /// Number of answers, including automatic ones.
    pub(super) answered: i64,
    /// Number of automatic answers.
    pub(super) forced: i64,
}

impl TracedDecision {
    /// Returns whether the decision was asked, or answered without being asked.
    pub(super) fn occurred(&self) -> bool {
        self.asked > 0 || self.answered > 0
    }
}

impl Traces {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            acquired: FxHashMap::default(),
            kinds: FxHashMap::default(),
            moved: vec![0; model.components.len()],
            spaces: vec![0; model.spaces.len()],
            phases: vec![0; model.phases.len()],
            says: vec![0; model.says.len()],
            decisions: vec![TracedDecision::default(); model.decisions.len()],
        }
    }

    /// Resets the counts for another game.
    pub(super) fn clear(&mut self) {
        self.acquired.clear();
        self.kinds.clear();
        for list in [&mut self.moved, &mut self.spaces, &mut self.phases, &mut self.says] {
            list.fill(0);
        }
        self.decisions.fill(TracedDecision::default());
    }

    fn add_acquired(&mut self, model: &Model, component: ComponentId, seat: Seat) {
        let kind = model.components[component.index()].kind.0;
        self.acquired.entry(component.0).or_default()[seat.index()] += 1;
        self.kinds.entry(kind).or_default()[seat.index()] += 1;
    }

    /// Counts a question that offers `options` options.
    pub(super) fn add_asked(&mut self, decision: DecisionId, options: u32) {
        let traced = &mut self.decisions[decision.index()];
        traced.asked += 1;
        traced.options += i64::from(options);
    }

    /// Counts an answer to a question that offered `offered` options.
    pub(super) fn add_answered(&mut self, decision: DecisionId, offered: usize) {
        let traced = &mut self.decisions[decision.index()];
        traced.answered += 1;
        traced.forced += i64::from(offered == 1);
    }

    /// Counts a move. `homes` contains the components that lie in zones of seats at the start, each paired with the family of its zone.
    pub(super) fn add_move(
        &mut self,
        model: &Model,
        homes: &FxHashSet<(u16, FamilyId)>,
        component: ComponentId,
        owner: Option<Seat>,
        from: SpaceId,
        to: SpaceId,
    ) {
        self.moved[component.index()] += 1;
        let zone = model.zone(model.space(to).zone);
        if zone.spaces.len() > 1 {
            self.spaces[to.index()] += 1;
        }
        let left = model.zone(model.space(from).zone);
        let Some(seat) = zone.seat else {
            return self.add_team_acquisition(model, component, left, zone);
        };
        let before = left.seat;
        // If the seat owns the piece, or had it at the start, the piece is returned rather than acquired.
        let is_return = owner == Some(seat) || before.is_none() && homes.contains(&(component.0, zone.family));
        if before != Some(seat) && !is_return {
            self.add_acquired(model, component, seat);
        }
    }

    /// Counts an acquisition by a team: a piece enters a zone of the team from a zone that belongs neither to the team nor to its seats.
    /// The acquisition is attributed to the first seat of the team.
    fn add_team_acquisition(&mut self, model: &Model, component: ComponentId, from: &Zone, to: &Zone) {
        let team_of = |zone: &Zone| zone.team(model).and_then(|of| model.team(of));
        let Some(team) = team_of(to) else { return };
        let is_own = from.seat.is_some_and(|seat| team.seats.contains(&seat)) || team_of(from) == Some(team);
        if !is_own {
            self.add_acquired(model, component, team.seats[0]);
        }
    }
}

/// Iterates over the nonzero entries of a list of counts, with their indices.
pub(super) fn nonzero(times: &[u32]) -> impl Iterator<Item = (u16, u64)> + '_ {
    times.iter().enumerate().filter(|(_, times)| **times > 0).map(|(at, times)| (at as u16, u64::from(*times)))
}

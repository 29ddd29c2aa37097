//! What happened in a game besides its answers: what moved, what took part, what came up.

use crate::model::{ComponentId, DecisionId, FamilyId, MAX_SEATS, Model, Seat, SpaceId, Zone};
use rustc_hash::{FxHashMap, FxHashSet};

/// What happened in a game: which components seats acquired, which spaces were used, what took part.
#[derive(Debug, Default)]
pub(super) struct Traces {
    /// By component and seat: how often the seat acquired a piece of it.
    pub(super) acquired: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// The same by kind.
    pub(super) kinds: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// How often each component moved.
    pub(super) moved: Vec<u32>,
    /// How often a piece came to each space.
    pub(super) spaces: Vec<u32>,
    /// How often each phase began.
    pub(super) phases: Vec<u32>,
    /// How often each text was said.
    pub(super) says: Vec<u32>,
    pub(super) decisions: Vec<TracedDecision>,
}

/// How often a decision came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct TracedDecision {
    pub(super) asked: i64,
    /// The options of all questions.
    pub(super) options: i64,
    /// Answers that stand, asked for or not.
    pub(super) answered: i64,
    /// Those of them that nobody was asked for.
    pub(super) forced: i64,
}

impl TracedDecision {
    pub(super) fn came_up(&self) -> bool {
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

    /// Begins another game.
    pub(super) fn clear(&mut self) {
        self.acquired.clear();
        self.kinds.clear();
        for list in [&mut self.moved, &mut self.spaces, &mut self.phases, &mut self.says] {
            list.fill(0);
        }
        self.decisions.fill(TracedDecision::default());
    }

    fn acquired(&mut self, model: &Model, component: ComponentId, seat: Seat) {
        let kind = model.components[component.index()].kind.0;
        self.acquired.entry(component.0).or_default()[seat.index()] += 1;
        self.kinds.entry(kind).or_default()[seat.index()] += 1;
    }

    pub(super) fn asked(&mut self, decision: DecisionId, options: u32) {
        let traced = &mut self.decisions[decision.index()];
        traced.asked += 1;
        traced.options += i64::from(options);
    }

    pub(super) fn answered(&mut self, decision: DecisionId, offered: usize) {
        let traced = &mut self.decisions[decision.index()];
        traced.answered += 1;
        traced.forced += i64::from(offered == 1);
    }

    /// A piece moves; `homes` are what seats have in their zones before the game, by component.
    pub(super) fn moved(
        &mut self,
        (model, homes): (&Model, &FxHashSet<(u16, FamilyId)>),
        (component, owner): (ComponentId, Option<Seat>),
        (from, to): (SpaceId, SpaceId),
    ) {
        self.moved[component.index()] += 1;
        let zone = model.zone(model.space(to).zone);
        if zone.spaces.len() > 1 {
            self.spaces[to.index()] += 1;
        }
        let left = model.zone(model.space(from).zone);
        let Some(seat) = zone.seat else {
            return self.moved_to_team(model, component, left, zone);
        };
        let before = left.seat;
        // What is a seat's own, and what comes back to where seats have it from the box, returns and is not acquired.
        let is_return = owner == Some(seat) || before.is_none() && homes.contains(&(component.0, zone.family));
        if before != Some(seat) && !is_return {
            self.acquired(model, component, seat);
        }
    }

    /// What comes into a zone of a team from elsewhere than its own zones and those of its seats, the team acquires: it is counted
    /// at the first seat, which stands for it.
    fn moved_to_team(&mut self, model: &Model, component: ComponentId, from: &Zone, to: &Zone) {
        let team_of = |zone: &Zone| zone.team(model).and_then(|of| model.team(of));
        let Some(team) = team_of(to) else { return };
        let is_own = from.seat.is_some_and(|seat| team.seats.contains(&seat)) || team_of(from) == Some(team);
        if !is_own {
            self.acquired(model, component, team.seats[0]);
        }
    }
}

/// What happened at all, of a list of how often everything did: its number and how often.
pub(super) fn happened(times: &[u32]) -> impl Iterator<Item = (u16, u64)> + '_ {
    times.iter().enumerate().filter(|(_, times)| **times > 0).map(|(at, times)| (at as u16, u64::from(*times)))
}

//! Conclusions of a seat: facts that hold in every world of its information set, as far as they can be found cheaply.
//!
//! Worlds are defined as in `imagine.rs`: the faces that come out of a mix are the faces that went in, every piece may have its face at its
//! place, and all learned conditions hold. Each world that is found bounds every count. The search then looks for a world with a smaller or
//! larger count. If a question is still undecided after the maximum number of trials ([`TRIALS`]), nothing is concluded.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::learned::{Judge, JudgeSource};
use crate::table::knowledge::limits::Limits;
use crate::table::knowledge::puzzle::{Count, Effort, Puzzle, Search, World};
use crate::table::{FaceIdentity, SeatSet, Table};
use std::collections::BTreeMap;

/// Maximum number of partial worlds tried for all conclusions of a viewer.
const TRIALS: u32 = 2_000;

/// Like [`TRIALS`], for tables with joint conditions. Counts partial worlds and evaluations of conditions together.
const TRIALS_LEARNED: u32 = 20_000;

/// Maximum number of possible faces reported for a piece.
const MAX_FACES: usize = 3;

/// Conclusions of a seat about the faces that it does not see.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Conclusions {
    faces: BTreeMap<PieceId, Vec<FaceIdentity>>,
    hidden: BTreeMap<SpaceId, HiddenConclusions>,
}

/// Conclusions about the pieces of a space whose faces are unknown.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct HiddenConclusions {
    /// Faces that are known to be among the pieces, sorted.
    pub(in crate::table) among: Vec<FaceIdentity>,
    /// Faces that the other pieces may have. Empty if there are too many, and always empty for ordered spaces.
    pub(in crate::table) others: Vec<FaceIdentity>,
    is_vague: bool,
    /// Groups of pieces that came out of the same mix, each with the faces known to be among them. Only for ordered spaces.
    pub(in crate::table) sections: Vec<(Vec<PieceId>, Vec<FaceIdentity>)>,
}

impl Conclusions {
    /// Computes the conclusions of a viewer. `knows` returns whether the viewer knows the faces that a set of seats knows.
    pub(in crate::table) fn drawn(
        table: &Table,
        knows: impl Fn(SeatSet) -> bool,
        judges: Option<&dyn JudgeSource>,
    ) -> Self {
        let mut found = Self::default();
        let mut judge = judges.map(JudgeSource::judge);
        let limits = Limits::new(table, &knows, judge.as_deref_mut());
        let mut effort = effort(&limits, judge);
        for puzzle in Puzzle::all(table, knows, &limits) {
            found.add(table, &puzzle, &mut effort);
        }
        for hidden in found.hidden.values_mut() {
            hidden.among.sort_unstable();
            hidden.others.sort_unstable();
            hidden.others.dedup();
            if hidden.is_vague || hidden.others.len() > MAX_FACES {
                hidden.others.clear();
            }
        }
        found
    }

    /// Returns a lower bound for the number of pieces on `spaces` that have a given face. Counts only pieces whose face the viewer does not
    /// know. Unless the search is cut short, the bound is the minimum over all worlds.
    pub(in crate::table) fn least(
        table: &Table,
        knows: impl Fn(SeatSet) -> bool,
        judges: Option<&dyn JudgeSource>,
        spaces: &[SpaceId],
        identity: FaceIdentity,
    ) -> u32 {
        let mut judge = judges.map(JudgeSource::judge);
        let limits = Limits::new(table, &knows, judge.as_deref_mut());
        let mut effort = effort(&limits, judge);
        let mut least = 0;
        for puzzle in Puzzle::all(table, knows, &limits) {
            let is_there = |sink: &usize| puzzle.sinks[*sink].space.is_some_and(|space| spaces.contains(&space));
            let sinks: Vec<usize> = (0..puzzle.sinks.len()).filter(is_there).collect();
            let solver = Solver::new(&puzzle, &mut effort);
            least += solver.map_or(0, |mut solver| solver.least(Count { identity, sinks: &sinks }, &mut effort));
        }
        least
    }

    /// Returns the possible faces of a piece; empty if there are too many, or if nothing was concluded.
    pub(in crate::table) fn faces(&self, piece: PieceId) -> &[FaceIdentity] {
        self.faces.get(&piece).map_or(&[], Vec::as_slice)
    }

    /// Returns the face of a piece if it is the only possible one.
    pub(in crate::table) fn face(&self, piece: PieceId) -> Option<FaceIdentity> {
        match self.faces(piece) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns the conclusions about a space.
    pub(in crate::table) fn hidden(&self, space: SpaceId) -> Option<&HiddenConclusions> {
        self.hidden.get(&space)
    }

    fn add(&mut self, table: &Table, puzzle: &Puzzle, effort: &mut Effort<'_, '_>) {
        let Some(mut solver) = Solver::new(puzzle, effort) else { return };
        let open =
            |space: SpaceId| (0..puzzle.sinks.len()).filter(move |sink| puzzle.sinks[*sink].space == Some(space));
        let mut spaces: Vec<SpaceId> = puzzle.sinks.iter().filter_map(|sink| sink.space).collect();
        spaces.sort_unstable();
        spaces.dedup();
        for space in spaces {
            let is_ordered = !table.layout.traits_of(table.layout.zone_of(space)).unordered;
            let mut group: Vec<usize> = Vec::new();
            for sink in open(space) {
                let faces = solver.faces(sink, effort);
                if is_ordered && faces.len() == 1 {
                    puzzle.sinks[sink].pieces.iter().for_each(|piece| drop(self.faces.insert(*piece, faces.clone())));
                    continue;
                }
                group.push(sink);
                if faces.len() <= MAX_FACES {
                    puzzle.sinks[sink].pieces.iter().for_each(|piece| drop(self.faces.insert(*piece, faces.clone())));
                }
            }
            if group.is_empty() {
                continue;
            }
            let hidden = self.hidden.entry(space).or_default();
            let sections = if is_ordered { solver.sections(&group, effort) } else { Vec::new() };
            match &sections[..] {
                [(_, among)] => hidden.among.extend_from_slice(among),
                _ => solver.conclude(&group, !is_ordered, hidden, effort),
            }
            hidden.sections.extend(sections);
        }
    }
}

fn effort<'e, 't>(limits: &'e Limits<'t>, judge: Option<Box<dyn Judge + 'e>>) -> Effort<'e, 't> {
    Effort { trials: if limits.joint_count() == 0 { TRIALS } else { TRIALS_LEARNED }, limits, judge }
}

/// A puzzle and the solutions found so far.
struct Solver<'p> {
    puzzle: &'p Puzzle,
    /// A solution of the puzzle without its cycles and joint conditions. Anything that holds in all solutions of this simpler puzzle holds
    /// in all worlds.
    large: World,
    is_plain: bool,
    /// Worlds found so far.
    worlds: Vec<World>,
}

impl<'p> Solver<'p> {
    fn new(puzzle: &'p Puzzle, effort: &mut Effort<'_, '_>) -> Option<Self> {
        let large = puzzle.clone().solve_relaxed(None)?;
        let is_plain = puzzle.is_plain();
        let mut solver = Self { puzzle, large, is_plain, worlds: Vec::new() };
        if is_plain {
            solver.worlds.push(solver.large.clone());
        } else {
            solver.exists(None, effort);
        }
        Some(solver)
    }

    /// Returns whether there is a world that satisfies `wanted` (see [`Puzzle::search`]). If such a world is found, it is kept. Returns
    /// `None` if the search was cut short.
    fn exists(&mut self, wanted: Option<(Count<'_>, i64, i64)>, effort: &mut Effort<'_, '_>) -> Option<bool> {
        match self.puzzle.clone().search(&self.large, wanted, effort) {
            Search::Found(world) => {
                self.worlds.push(*world);
                Some(true)
            }
            Search::None => Some(false),
            Search::GivenUp => None,
        }
    }

    /// Returns the possible faces of a sink's pieces. May contain impossible faces if there are many, or if the search
    /// was cut short.
    fn faces(&mut self, sink: usize, effort: &mut Effort<'_, '_>) -> Vec<FaceIdentity> {
        let mut faces = self.large.possible(sink);
        if self.is_plain {
            return faces;
        }
        let alike = self.alike(sink);
        let mut at = 0;
        while let Some(&identity) = faces.get(at) {
            let possible = |world| alike.iter().flat_map(move |sink| World::possible(world, *sink));
            let mut sure: Vec<FaceIdentity> = self.worlds.iter().flat_map(possible).collect();
            sure.sort_unstable();
            sure.dedup();
            if sure.len() > MAX_FACES {
                break;
            }
            let count = Count { identity, sinks: &alike };
            if !sure.contains(&identity) && self.exists(Some((count, -1, -1)), effort) == Some(false) {
                faces.remove(at);
            } else {
                at += 1;
            }
        }
        faces
    }

    /// Returns the sinks that are interchangeable with `sink`, including `sink`. The search considers only one order of these sinks.
    fn alike(&self, sink: usize) -> Vec<usize> {
        let group = self.puzzle.sinks[sink].group;
        let is_alike = |other: &usize| group.is_some() && self.puzzle.sinks[*other].group == group;
        (0..self.puzzle.sinks.len()).filter(|other| *other == sink || is_alike(other)).collect()
    }

    /// Returns each face with the minimum number of pieces that have it, counted over the sinks in `group`.
    fn among(&mut self, group: &[usize], effort: &mut Effort<'_, '_>) -> Vec<(FaceIdentity, u32)> {
        let identities = self.puzzle.identities().into_iter();
        identities.map(|identity| (identity, self.least(Count { identity, sinks: group }, effort))).collect()
    }

    /// Groups the sinks of a space by mix. Returns the pieces of each group and the faces known to be among them.
    fn sections(&mut self, group: &[usize], effort: &mut Effort<'_, '_>) -> Vec<(Vec<PieceId>, Vec<FaceIdentity>)> {
        let pool = |sink: &usize| self.puzzle.sinks[*sink].pool;
        let mut pools: Vec<usize> = group.iter().map(pool).collect();
        pools.sort_unstable();
        pools.dedup();
        let mut sections = Vec::new();
        for of in pools {
            let part: Vec<usize> = group.iter().copied().filter(|sink| self.puzzle.sinks[*sink].pool == of).collect();
            let pieces = part.iter().flat_map(|sink| self.puzzle.sinks[*sink].pieces.iter().copied()).collect();
            sections.push((pieces, listed(&self.among(&part, effort))));
        }
        sections
    }

    /// Adds the conclusions about a group of sinks to `hidden`.
    fn conclude(
        &mut self,
        group: &[usize],
        tells_others: bool,
        hidden: &mut HiddenConclusions,
        effort: &mut Effort<'_, '_>,
    ) {
        let all: u32 = group.iter().map(|sink| self.puzzle.sinks[*sink].pieces.len() as u32).sum();
        let least = self.among(group, effort);
        let known: u32 = least.iter().map(|(_, count)| count).sum();
        hidden.among.extend(listed(&least));
        if known == all || !tells_others || hidden.is_vague {
            return;
        }
        let mut others = Vec::new();
        for (identity, count) in least {
            if self.has_more(Count { identity, sinks: group }, count, effort) {
                others.push(identity);
            }
            if others.len() > MAX_FACES {
                hidden.is_vague = true;
                return;
            }
        }
        hidden.others.extend(others);
    }

    /// Returns the minimum of a count over all worlds, or a lower bound if the search was cut short.
    fn least(&mut self, count: Count<'_>, effort: &mut Effort<'_, '_>) -> u32 {
        let met = self.worlds.iter().map(|world| world.count(count)).min();
        if met == Some(0) {
            return 0;
        }
        let bound = self.large.minimize_count(count, 1, 0) as u32;
        if self.is_plain {
            return bound;
        }
        let Some(met) = met else { return bound };
        (bound..met).find(|most| self.exists(Some((count, 1, i64::from(*most))), effort) != Some(false)).unwrap_or(met)
    }

    /// Returns whether a count is larger than `than` in some world. Returns true if the search was cut short.
    fn has_more(&mut self, count: Count<'_>, than: u32, effort: &mut Effort<'_, '_>) -> bool {
        if self.worlds.iter().any(|world| world.count(count) > than) {
            return true;
        }
        let more = i64::from(than) + 1;
        -self.large.minimize_count(count, -1, -more) >= more
            && (self.is_plain || self.exists(Some((count, -1, -more)), effort) != Some(false))
    }
}

/// Returns a list that contains each face as many times as its count.
fn listed(counts: &[(FaceIdentity, u32)]) -> Vec<FaceIdentity> {
    counts.iter().flat_map(|(identity, count)| (0..*count).map(|_| *identity)).collect()
}

//! What follows from all a seat knows: what is the same in every world that explains it, as far as that can be told at little cost.
//!
//! The worlds are those that imagining deals: every mix gives what went into it to what came out, and every piece is one that may
//! lie where it does, and all holds that was learned. A world that is found bounds every count; where other worlds may have less or more,
//! one is looked for. What is not settled within [`TRIALS`] is not concluded.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::learned::{Judge, Judges};
use crate::table::knowledge::limits::Limits;
use crate::table::knowledge::puzzle::{Count, Effort, Puzzle, Search, World};
use crate::table::{Print, SeatSet, Table};
use std::collections::BTreeMap;

/// How many partial worlds may be tried out for all conclusions that are drawn at once.
const TRIALS: u32 = 2_000;

/// The same where conditions on several faces have to hold, partial worlds and answers of conditions together.
const TRIALS_LEARNED: u32 = 20_000;

/// Of a piece that may have more faces than these it is not told which.
const MOST_FACES: usize = 3;

/// What a seat can conclude of what it does not know at sight.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Conclusions {
    faces: BTreeMap<PieceId, Vec<Print>>,
    hidden: BTreeMap<SpaceId, Hidden>,
}

/// What is concluded of the pieces of a space that cannot be told one by one.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Hidden {
    /// Faces known to be among them, in order.
    pub(in crate::table) among: Vec<Print>,
    /// Each of the others, if any, has one of these faces; empty where these are too many to be told.
    pub(in crate::table) others: Vec<Print>,
    is_vague: bool,
    /// Where they have an order: those that came out of one mix, with the faces known to be among these.
    pub(in crate::table) sections: Vec<(Vec<PieceId>, Vec<Print>)>,
}

impl Conclusions {
    /// What a viewer can conclude who knows what these sets of seats know.
    pub(in crate::table) fn drawn(table: &Table, knows: impl Fn(SeatSet) -> bool, judges: Option<&dyn Judges>) -> Self {
        let mut found = Self::default();
        let mut judge = judges.map(Judges::judge);
        let limits = Limits::new(table, &knows, judge.as_deref_mut());
        let mut effort = effort(&limits, judge);
        for puzzle in Puzzle::all(table, knows, &limits) {
            found.add(table, &puzzle, &mut effort);
        }
        for hidden in found.hidden.values_mut() {
            hidden.among.sort_unstable();
            hidden.others.sort_unstable();
            hidden.others.dedup();
            if hidden.is_vague || hidden.others.len() > MOST_FACES {
                hidden.others.clear();
            }
        }
        found
    }

    /// How many of the pieces that cannot be told on some spaces, taken together, have a face in every world.
    pub(in crate::table) fn least(
        table: &Table,
        knows: impl Fn(SeatSet) -> bool,
        judges: Option<&dyn Judges>,
        spaces: &[SpaceId],
        print: Print,
    ) -> u32 {
        let mut judge = judges.map(Judges::judge);
        let limits = Limits::new(table, &knows, judge.as_deref_mut());
        let mut effort = effort(&limits, judge);
        let mut least = 0;
        for puzzle in Puzzle::all(table, knows, &limits) {
            let is_there = |sink: &usize| puzzle.sinks[*sink].space.is_some_and(|space| spaces.contains(&space));
            let sinks: Vec<usize> = (0..puzzle.sinks.len()).filter(is_there).collect();
            let solver = Solver::new(&puzzle, &mut effort);
            least += solver.map_or(0, |mut solver| solver.least(Count { print, sinks: &sinks }, &mut effort));
        }
        least
    }

    /// The faces that a piece may have, where these are few.
    pub(in crate::table) fn faces(&self, piece: PieceId) -> &[Print] {
        self.faces.get(&piece).map_or(&[], Vec::as_slice)
    }

    /// The only face that a piece can have.
    pub(in crate::table) fn face(&self, piece: PieceId) -> Option<Print> {
        match self.faces(piece) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// What is concluded of a space as a whole.
    pub(in crate::table) fn hidden(&self, space: SpaceId) -> Option<&Hidden> {
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
                if faces.len() <= MOST_FACES {
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
    Effort { trials: if limits.joint() == 0 { TRIALS } else { TRIALS_LEARNED }, limits, judge }
}

/// A puzzle with what is known of its solutions so far.
struct Solver<'p> {
    puzzle: &'p Puzzle,
    /// A world at large: what holds in all of these holds in all worlds.
    large: World,
    is_plain: bool,
    /// Some worlds.
    worlds: Vec<World>,
}

impl<'p> Solver<'p> {
    fn new(puzzle: &'p Puzzle, effort: &mut Effort<'_, '_>) -> Option<Self> {
        let large = puzzle.clone().at_large(None)?;
        let is_plain = puzzle.is_plain();
        let mut solver = Self { puzzle, large, is_plain, worlds: Vec::new() };
        if is_plain {
            solver.worlds.push(solver.large.clone());
        } else {
            solver.exists(None, effort);
        }
        Some(solver)
    }

    /// Whether there is a world like this; one that is met is kept. Nothing where it was given up.
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

    /// The faces that the pieces of a sink may have; perhaps some more, where these are many or it was given up.
    fn faces(&mut self, sink: usize, effort: &mut Effort<'_, '_>) -> Vec<Print> {
        let mut faces = self.large.possible(sink);
        if self.is_plain {
            return faces;
        }
        let alike = self.alike(sink);
        let mut at = 0;
        while let Some(&print) = faces.get(at) {
            let possible = |world| alike.iter().flat_map(move |sink| World::possible(world, *sink));
            let mut sure: Vec<Print> = self.worlds.iter().flat_map(possible).collect();
            sure.sort_unstable();
            sure.dedup();
            if sure.len() > MOST_FACES {
                break;
            }
            let count = Count { print, sinks: &alike };
            if !sure.contains(&print) && self.exists(Some((count, -1, -1)), effort) == Some(false) {
                faces.remove(at);
            } else {
                at += 1;
            }
        }
        faces
    }

    /// The sinks of which worlds are looked for in one order only, because nothing tells them apart.
    fn alike(&self, sink: usize) -> Vec<usize> {
        let group = self.puzzle.sinks[sink].group;
        let is_alike = |other: &usize| group.is_some() && self.puzzle.sinks[*other].group == group;
        (0..self.puzzle.sinks.len()).filter(|other| *other == sink || is_alike(other)).collect()
    }

    /// How many of each face are at least among some sinks.
    fn among(&mut self, group: &[usize], effort: &mut Effort<'_, '_>) -> Vec<(Print, u32)> {
        let prints = self.puzzle.prints().into_iter();
        prints.map(|print| (print, self.least(Count { print, sinks: group }, effort))).collect()
    }

    /// Of sinks on a space, those that belong to one mix: the pieces, and the faces known to be among them.
    fn sections(&mut self, group: &[usize], effort: &mut Effort<'_, '_>) -> Vec<(Vec<PieceId>, Vec<Print>)> {
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

    /// What can be concluded of some sinks together.
    fn conclude(&mut self, group: &[usize], tells_others: bool, hidden: &mut Hidden, effort: &mut Effort<'_, '_>) {
        let all: u32 = group.iter().map(|sink| self.puzzle.sinks[*sink].pieces.len() as u32).sum();
        let least = self.among(group, effort);
        let known: u32 = least.iter().map(|(_, count)| count).sum();
        hidden.among.extend(listed(&least));
        if known == all || !tells_others || hidden.is_vague {
            return;
        }
        let mut others = Vec::new();
        for (print, count) in least {
            if self.has_more(Count { print, sinks: group }, count, effort) {
                others.push(print);
            }
            if others.len() > MOST_FACES {
                hidden.is_vague = true;
                return;
            }
        }
        hidden.others.extend(others);
    }

    /// How many there are in every world.
    fn least(&mut self, count: Count<'_>, effort: &mut Effort<'_, '_>) -> u32 {
        let met = self.worlds.iter().map(|world| world.count(count)).min();
        if met == Some(0) {
            return 0;
        }
        let bound = self.large.lessen(count, 1, 0) as u32;
        if self.is_plain {
            return bound;
        }
        let Some(met) = met else { return bound };
        (bound..met).find(|most| self.exists(Some((count, 1, i64::from(*most))), effort) != Some(false)).unwrap_or(met)
    }

    /// Whether there are more in some world; perhaps also where it was given up.
    fn has_more(&mut self, count: Count<'_>, than: u32, effort: &mut Effort<'_, '_>) -> bool {
        if self.worlds.iter().any(|world| world.count(count) > than) {
            return true;
        }
        let more = i64::from(than) + 1;
        -self.large.lessen(count, -1, -more) >= more
            && (self.is_plain || self.exists(Some((count, -1, -more)), effort) != Some(false))
    }
}

/// Faces as often as they are there.
fn listed(counts: &[(Print, u32)]) -> Vec<Print> {
    counts.iter().flat_map(|(print, count)| (0..*count).map(|_| *print)).collect()
}

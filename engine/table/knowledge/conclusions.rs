//! What follows from all a seat knows: what is the same in every world that explains it, as far as that can be told at little cost.
//!
//! The worlds are those that imagining deals: every mix gives what went into it to what came out, and every piece is one that may
//! lie where it does. A world that is found bounds every count; where other worlds may have less or more, one is looked for. What
//! is not settled within [`TRIALS`] is not concluded.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::puzzle::{Count, Puzzle, Search, World};
use crate::table::{Print, SeatSet, Table};
use std::collections::BTreeMap;

/// How many partial worlds may be tried out for all conclusions that are drawn at once.
const TRIALS: u32 = 2_000;

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
}

impl Conclusions {
    /// What somebody can conclude who knows what these sets of seats know.
    pub(in crate::table) fn drawn(table: &Table, knows: impl Fn(SeatSet) -> bool) -> Self {
        let mut found = Self::default();
        let mut trials = TRIALS;
        for puzzle in Puzzle::all(table, knows) {
            found.add(table, &puzzle, &mut trials);
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
        spaces: &[SpaceId],
        print: Print,
    ) -> u32 {
        let mut trials = TRIALS;
        let mut least = 0;
        for puzzle in Puzzle::all(table, knows) {
            let is_there = |sink: &usize| puzzle.sinks[*sink].space.is_some_and(|space| spaces.contains(&space));
            let sinks: Vec<usize> = (0..puzzle.sinks.len()).filter(is_there).collect();
            let solver = Solver::new(&puzzle, &mut trials);
            least += solver.map_or(0, |mut solver| solver.least(Count { print, sinks: &sinks }, &mut trials));
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

    fn add(&mut self, table: &Table, puzzle: &Puzzle, trials: &mut u32) {
        let Some(mut solver) = Solver::new(puzzle, trials) else { return };
        let open =
            |space: SpaceId| (0..puzzle.sinks.len()).filter(move |sink| puzzle.sinks[*sink].space == Some(space));
        let mut spaces: Vec<SpaceId> = puzzle.sinks.iter().filter_map(|sink| sink.space).collect();
        spaces.sort_unstable();
        spaces.dedup();
        for space in spaces {
            let is_ordered = !table.layout.traits_of(table.layout.zone_of(space)).unordered;
            let mut group: Vec<usize> = Vec::new();
            for sink in open(space) {
                let faces = solver.faces(sink, trials);
                if is_ordered && faces.len() == 1 {
                    puzzle.sinks[sink].pieces.iter().for_each(|piece| drop(self.faces.insert(*piece, faces.clone())));
                    continue;
                }
                group.push(sink);
                if faces.len() <= MOST_FACES {
                    puzzle.sinks[sink].pieces.iter().for_each(|piece| drop(self.faces.insert(*piece, faces.clone())));
                }
            }
            if !group.is_empty() {
                solver.conclude(&group, !is_ordered, self.hidden.entry(space).or_default(), trials);
            }
        }
    }
}

/// A puzzle with what is known of its solutions so far.
struct Solver<'p> {
    puzzle: &'p Puzzle,
    /// A world at large: what holds in all of these holds in all worlds.
    large: World,
    is_tree: bool,
    /// Some worlds.
    worlds: Vec<World>,
}

impl<'p> Solver<'p> {
    fn new(puzzle: &'p Puzzle, trials: &mut u32) -> Option<Self> {
        let large = puzzle.clone().at_large(None)?;
        let is_tree = puzzle.is_tree();
        let mut solver = Self { puzzle, large, is_tree, worlds: Vec::new() };
        if is_tree {
            solver.worlds.push(solver.large.clone());
        } else {
            solver.exists(None, trials);
        }
        Some(solver)
    }

    /// Whether there is a world like this; one that is met is kept. Nothing where it was given up.
    fn exists(&mut self, wanted: Option<(Count<'_>, i64, i64)>, trials: &mut u32) -> Option<bool> {
        match self.puzzle.clone().search(&self.large, wanted, trials) {
            Search::Found(world) => {
                self.worlds.push(*world);
                Some(true)
            }
            Search::None => Some(false),
            Search::GivenUp => None,
        }
    }

    /// The faces that the pieces of a sink may have; perhaps some more, where these are many or it was given up.
    fn faces(&mut self, sink: usize, trials: &mut u32) -> Vec<Print> {
        let mut faces = self.large.possible(sink);
        if self.is_tree {
            return faces;
        }
        let mut at = 0;
        while let Some(&print) = faces.get(at) {
            let mut sure: Vec<Print> = self.worlds.iter().flat_map(|world| world.possible(sink)).collect();
            sure.sort_unstable();
            sure.dedup();
            if sure.len() > MOST_FACES {
                break;
            }
            let count = Count { print, sinks: &[sink] };
            if !sure.contains(&print) && self.exists(Some((count, -1, -1)), trials) == Some(false) {
                faces.remove(at);
            } else {
                at += 1;
            }
        }
        faces
    }

    /// What can be concluded of some sinks together.
    fn conclude(&mut self, group: &[usize], tells_others: bool, hidden: &mut Hidden, trials: &mut u32) {
        let all: u32 = group.iter().map(|sink| self.puzzle.sinks[*sink].pieces.len() as u32).sum();
        let mut told = 0;
        let mut least: Vec<(Print, u32)> = Vec::new();
        for print in self.puzzle.prints() {
            let count = self.least(Count { print, sinks: group }, trials);
            told += count;
            least.push((print, count));
        }
        for &(print, count) in &least {
            hidden.among.extend((0..count).map(|_| print));
        }
        if told == all || !tells_others || hidden.is_vague {
            return;
        }
        let mut others = Vec::new();
        for (print, count) in least {
            if self.has_more(Count { print, sinks: group }, count, trials) {
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
    fn least(&mut self, count: Count<'_>, trials: &mut u32) -> u32 {
        let met = self.worlds.iter().map(|world| world.count(count)).min();
        if met == Some(0) {
            return 0;
        }
        let bound = self.large.lessen(count, 1, 0) as u32;
        if self.is_tree {
            return bound;
        }
        let Some(met) = met else { return bound };
        (bound..met).find(|most| self.exists(Some((count, 1, i64::from(*most))), trials) != Some(false)).unwrap_or(met)
    }

    /// Whether there are more in some world; perhaps also where it was given up.
    fn has_more(&mut self, count: Count<'_>, than: u32, trials: &mut u32) -> bool {
        if self.worlds.iter().any(|world| world.count(count) > than) {
            return true;
        }
        let more = i64::from(than) + 1;
        -self.large.lessen(count, -1, -more) >= more
            && (self.is_tree || self.exists(Some((count, -1, -more)), trials) != Some(false))
    }
}

//! Connected mixes as a constraint problem: which faces went into which mixes, and which places they may have reached.
//!
//! If the mixes form a tree, the worlds are the flows from faces to places. Otherwise, the faces along the links that
//! close cycles are enumerated, with the flow as a bound (branch and bound). The arguments of joint conditions are
//! enumerated too, and each condition is evaluated as soon as its arguments are settled. Conditions on single faces
//! limit the places that a face may reach.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::flow::Flow;
use crate::table::knowledge::learned::Judge;
use crate::table::knowledge::limits::{Limit, Limits};
use crate::table::knowledge::mix::Mixes;
use crate::table::{FaceIdentity, SeatSet, Table};
use std::rc::Rc;

/// Maximum number of connected mixes. If there are more, nothing is concluded about them.
const MAX_POOLS: usize = 64;

/// Copies of a known face among the inputs of a mix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pool: usize,
    pub(super) identity: FaceIdentity,
    count: u32,
}

/// Interchangeable outputs of a mix.
#[derive(Debug, Clone)]
pub(super) struct Sink {
    pub(super) pool: usize,
    /// Possible faces, sorted.
    allowed: Rc<[FaceIdentity]>,
    count: u32,
    /// Pieces of the sink. Empty for outputs whose face is settled.
    pub(super) pieces: Rc<[PieceId]>,
    pub(super) space: Option<SpaceId>,
    /// Group of the sink's only piece, if a joint condition is about this piece.
    pub(super) group: Option<usize>,
    /// Face that the search is trying for the sink.
    settled: Option<FaceIdentity>,
}

/// Outputs of a mix that have unknown faces and are inputs of a younger mix.
#[derive(Debug, Clone)]
struct Link {
    from: usize,
    to: usize,
    count: u32,
    limit: Limit,
    /// Smallest face that the next unit may have. Units are settled in ascending order of their faces, because they are interchangeable.
    least: Option<FaceIdentity>,
}

/// Connected mixes and their constraints.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Puzzle {
    pub(super) sources: Vec<Source>,
    pub(super) sinks: Vec<Sink>,
    links: Vec<Link>,
    /// Indices of the joint conditions that must hold.
    joint: Vec<usize>,
    /// Settled faces of each group.
    given: Vec<Vec<FaceIdentity>>,
}

/// Next branching variable.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// The face of a unit along a link.
    Link(usize),
    /// The face of the only piece of a sink.
    Sink(usize),
}

/// Remaining budget of a search, with everything needed to evaluate joint conditions.
pub(super) struct Effort<'e, 't> {
    /// Number of partial worlds that may still be tried.
    pub(super) trials: u32,
    pub(super) limits: &'e Limits<'t>,
    pub(super) judge: Option<Box<dyn Judge + 'e>>,
}

impl Effort<'_, '_> {
    /// Spends one trial; `None` if none is left.
    fn spend(&mut self) -> Option<()> {
        self.trials = self.trials.checked_sub(1)?;
        Some(())
    }

    /// Evaluates a joint condition for the given faces of all groups. Returns `None` if the result cannot be determined.
    fn holds(&mut self, joint: usize, given: &[Vec<FaceIdentity>]) -> Option<bool> {
        self.spend()?;
        let holds = self.limits.holds(joint, given, &mut **self.judge.as_mut()?);
        if holds.is_err() {
            // A fault of the rules ends the search.
            self.trials = 0;
        }
        holds.ok()
    }
}

/// Quantity to be counted in a world: the number of copies of a face at some places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count<'a> {
    pub(super) identity: FaceIdentity,
    /// The places, as indices of sinks.
    pub(super) sinks: &'a [usize],
}

/// A solution of a puzzle.
#[derive(Debug, Clone)]
pub(super) struct World {
    /// The puzzle with the faces that were tried.
    puzzle: Puzzle,
    flow: Flow,
}

/// Result of a search.
#[derive(Debug)]
pub(super) enum Search {
    Found(Box<World>),
    /// There is no world.
    None,
    /// The search was cut short.
    GivenUp,
}

impl World {
    /// Returns the number of copies that `count` describes in this world.
    pub(super) fn count(&self, count: Count<'_>) -> u32 {
        let rows = (0..self.puzzle.sources.len()).filter(|row| self.puzzle.sources[*row].identity == count.identity);
        rows.flat_map(|row| count.sinks.iter().map(move |sink| self.flow.flow_between(row, *sink))).sum()
    }

    /// Returns the faces to try for a branching variable. The nodes of a group are interchangeable, so their faces are tried in ascending
    /// order only.
    fn identities_at(&self, open: Open) -> Vec<FaceIdentity> {
        match open {
            Open::Link(at) => self.puzzle.identities_along(&self.puzzle.links[at]),
            Open::Sink(at) => {
                let least = self.puzzle.group_of(open).and_then(|group| self.puzzle.given[group].last().copied());
                let mut identities = self.possible(at);
                identities.retain(|identity| least.is_none_or(|least| *identity >= least));
                identities
            }
        }
    }

    /// Returns the possible faces of a sink's pieces, sorted: the faces that they have in this world, and those that they get if the flow
    /// of this world is rerouted.
    pub(super) fn possible(&self, sink: usize) -> Vec<FaceIdentity> {
        let can = self.flow.rows_that_may_flow_to(sink);
        let able = self.puzzle.sources.iter().zip(can).filter(|(_, can)| *can);
        let mut identities: Vec<FaceIdentity> = able.map(|(source, _)| source.identity).collect();
        identities.sort_unstable();
        identities.dedup();
        identities
    }

    /// Minimizes `sign` times a count and returns the result. If the value is already at most `enough`, returns it without minimizing.
    pub(super) fn minimize_count(&mut self, count: Count<'_>, sign: i64, enough: i64) -> i64 {
        let now = sign * i64::from(self.count(count));
        if now <= enough {
            return now;
        }
        let Self { puzzle, flow } = self;
        let is_counted =
            |row: usize, sink: usize| puzzle.sources[row].identity == count.identity && count.sinks.contains(&sink);
        flow.minimize_cost(|row, sink| if is_counted(row, sink) { sign } else { 0 })
    }
}

impl Puzzle {
    /// Creates the puzzles of a viewer, ordered by the oldest mix of each.
    pub(in crate::table) fn all(table: &Table, knows: impl Fn(SeatSet) -> bool, limits: &Limits<'_>) -> Vec<Self> {
        let mut ids: Vec<(u32, u16)> = table.mixes.iter().map(|(id, mix)| (mix.order, id)).collect();
        ids.sort_unstable();
        let mut pools = Pools::new(&ids);
        pools.given = vec![Vec::new(); limits.groups()];
        let mut pieces: Vec<PieceId> =
            table.all_pieces().filter(|piece| table.pieces[piece.index()].mix != Mixes::NONE).collect();
        if !limits.is_none() {
            // The order determines what is tried first, so it must not depend on hidden faces.
            let stacks = (0..table.stacks.len()).flat_map(|index| table.stack(SpaceId::at(index)));
            pieces = stacks.filter(|piece| table.pieces[piece.index()].mix != Mixes::NONE).collect();
        }
        for piece in pieces {
            let entry = &table.pieces[piece.index()];
            let pool = pools.of(entry.mix);
            if knows(entry.known) {
                pools.settled[pool].push(entry.face.identity);
            } else {
                pools.unknown[pool].push((piece, limits.of_piece(piece)));
            }
        }
        for &(_, id) in &ids {
            let (mix, to) = (table.mixes.get(id), pools.of(id));
            pools.known[to].extend_from_slice(&mix.open);
            for (at, input) in mix.special.iter().enumerate() {
                let from = pools.of(input.older);
                if knows(input.known) {
                    pools.known[to].push(input.identity);
                    pools.settled[from].push(input.identity);
                } else {
                    pools.link(from, to, limits.of_input(id, at));
                }
            }
        }
        pools.join_learned(limits);
        pools.puzzles(table)
    }

    /// Returns the faces of the sources, sorted.
    pub(super) fn identities(&self) -> Vec<FaceIdentity> {
        let mut identities: Vec<FaceIdentity> = self.sources.iter().map(|source| source.identity).collect();
        identities.sort_unstable();
        identities.dedup();
        identities
    }

    /// Returns for each source the pools that its face may have reached, including its own.
    fn reach(&self) -> Vec<u64> {
        if self.links.iter().all(|link| link.limit.may.is_none()) {
            let reach = self.reach_of(None);
            return self.sources.iter().map(|source| reach[source.pool]).collect();
        }
        self.sources.iter().map(|source| self.reach_of(Some(source.identity))[source.pool]).collect()
    }

    /// Returns for each pool the pools that a face may have reached from there. If `identity` is `None`, all links may be
    /// used.
    fn reach_of(&self, identity: Option<FaceIdentity>) -> [u64; MAX_POOLS] {
        let mut reach: [u64; MAX_POOLS] = std::array::from_fn(|pool| 1 << pool);
        let may = |link: &&Link| link.count > 0 && identity.is_none_or(|identity| link.limit.allows(identity));
        // Links lead from older pools to younger ones, which have larger indices.
        let mut links: Vec<&Link> = self.links.iter().filter(may).collect();
        links.sort_unstable_by_key(|link| std::cmp::Reverse(link.from));
        for link in links {
            reach[link.from] |= reach[link.to];
        }
        reach
    }

    /// Solves the relaxation, in which the counts of links are ignored. Returns `None` if the relaxation has no solution. `near` is a
    /// solution of a puzzle from which this puzzle was derived; the search starts from it.
    pub(super) fn solve_relaxed(self, near: Option<&World>) -> Option<World> {
        let reach = self.reach();
        let supply: Vec<u32> = self.sources.iter().map(|source| source.count).collect();
        let demand: Vec<u32> = self.sinks.iter().map(|sink| sink.count).collect();
        let reaches = |row: usize, column: usize| {
            let sink = &self.sinks[column];
            reach[row] & 1 << sink.pool != 0
                && sink.settled.is_none_or(|identity| identity == self.sources[row].identity)
        };
        let may =
            |row: usize, column: usize| self.sinks[column].allowed.binary_search(&self.sources[row].identity).is_ok();
        let flow = Flow::new(&supply, &demand, near.map(|world| &world.flow), reaches, may)?;
        Some(World { puzzle: self, flow })
    }

    /// Returns whether [`Self::solve_relaxed`] is exact: the links form no cycle, and there are no joint conditions.
    pub(in crate::table) fn is_plain(&self) -> bool {
        self.joint.is_empty() && self.find_cycle_link().is_none()
    }

    /// Returns a link that closes a cycle with links whose counts are at least as large. Returns `None` if the links form no cycle.
    fn find_cycle_link(&self) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.links.len()).filter(|at| self.links[*at].count > 0).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.links[*at].count));
        let mut group: Vec<usize> = (0..MAX_POOLS).collect();
        order.into_iter().find(|at| {
            let link = &self.links[*at];
            let (a, b) = (root(&group, link.from), root(&group, link.to));
            group[a] = b;
            a == b
        })
    }

    /// Searches for a world that satisfies `wanted`: a count, a sign, and a bound that the sign times the count must not exceed. If
    /// `wanted` is `None`, any world is accepted. Starts from `near`, a solution of the relaxation.
    pub(super) fn search(
        self,
        near: &World,
        wanted: Option<(Count<'_>, i64, i64)>,
        effort: &mut Effort<'_, '_>,
    ) -> Search {
        if effort.spend().is_none() {
            return Search::GivenUp;
        }
        let Some(mut world) = self.solve_relaxed(Some(near)) else { return Search::None };
        if wanted.is_some_and(|(count, sign, most)| world.minimize_count(count, sign, most) > most) {
            return Search::None;
        }
        let Some(open) = world.puzzle.open(effort.limits) else { return Search::Found(Box::new(world)) };
        for identity in world.identities_at(open) {
            let puzzle = world.puzzle.settled(open, identity);
            match puzzle.holds_of(world.puzzle.group_of(open), effort) {
                Some(true) => {}
                Some(false) => continue,
                None => return Search::GivenUp,
            }
            match puzzle.search(&world, wanted, effort) {
                Search::None => {}
                found => return found,
            }
        }
        Search::None
    }

    /// Chooses the next variable: an argument of the joint condition with the fewest open arguments, or else a link
    /// that closes a cycle.
    fn open(&self, limits: &Limits<'_>) -> Option<Open> {
        let left = |group: usize| limits.size(group) - self.given[group].len();
        let least = self.joint.iter().copied().filter_map(|joint| {
            let open: usize = limits.groups_of(joint).iter().map(|group| left(*group)).sum();
            (open > 0).then_some((open, joint))
        });
        let Some((_, joint)) = least.min() else { return self.find_cycle_link().map(Open::Link) };
        let group = limits.groups_of(joint).iter().copied().find(|group| left(*group) > 0)?;
        let link = self.links.iter().position(|link| link.limit.group == Some(group) && link.count > 0);
        let is_next = |sink: &Sink| sink.group == Some(group) && sink.settled.is_none();
        link.map(Open::Link).or_else(|| self.sinks.iter().position(is_next).map(Open::Sink))
    }

    fn group_of(&self, open: Open) -> Option<usize> {
        match open {
            Open::Link(at) => self.links[at].limit.group,
            Open::Sink(at) => self.sinks[at].group,
        }
    }

    /// Evaluates the joint conditions that involve `group`, if all their arguments are settled. Returns whether these conditions hold, or
    /// `None` if that cannot be determined.
    fn holds_of(&self, group: Option<usize>, effort: &mut Effort<'_, '_>) -> Option<bool> {
        let (Some(group), limits) = (group, effort.limits) else { return Some(true) };
        for &joint in &self.joint {
            let groups = limits.groups_of(joint);
            let is_settled = |group: &usize| self.given[*group].len() == limits.size(*group);
            if groups.contains(&group) && groups.iter().all(is_settled) && !effort.holds(joint, &self.given)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the faces that the next unit along a link may have.
    fn identities_along(&self, link: &Link) -> Vec<FaceIdentity> {
        let may = |(source, reach): &(&Source, u64)| {
            reach & 1 << link.from != 0
                && link.least.is_none_or(|least| source.identity >= least)
                && link.limit.allows(source.identity)
        };
        let sources = self.sources.iter().zip(self.reach());
        let mut identities: Vec<FaceIdentity> = sources.filter(may).map(|(source, _)| source.identity).collect();
        identities.sort_unstable();
        identities.dedup();
        identities
    }

    /// Returns the puzzle with a variable set to a face.
    fn settled(&self, open: Open, identity: FaceIdentity) -> Self {
        let mut puzzle = self.clone();
        if let Some(group) = self.group_of(open) {
            puzzle.given[group].push(identity);
        }
        match open {
            Open::Sink(at) => puzzle.sinks[at].settled = Some(identity),
            Open::Link(at) => {
                let link = &mut puzzle.links[at];
                link.count -= 1;
                link.least = Some(identity);
                let (from, to) = (link.from, link.to);
                puzzle.sources.push(Source { pool: to, identity, count: 1 });
                puzzle.sinks.push(Sink::settled(from, identity, 1));
            }
        }
        puzzle
    }
}

impl Sink {
    /// Creates a sink for units with a settled face.
    fn settled(pool: usize, identity: FaceIdentity, count: u32) -> Self {
        let allowed = Rc::new([identity]);
        Self { pool, allowed, count, pieces: Rc::default(), space: None, group: None, settled: None }
    }
}

fn root(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

/// Intermediate data for creating puzzles: all mixes of a table, oldest first.
struct Pools {
    /// Index of each mix, by its id.
    at: Vec<usize>,
    known: Vec<Vec<FaceIdentity>>,
    settled: Vec<Vec<FaceIdentity>>,
    unknown: Vec<Vec<(PieceId, Limit)>>,
    links: Vec<Link>,
    group: Vec<usize>,
    /// The joint conditions, each with one of the pools that it connects.
    joint: Vec<(usize, usize)>,
    given: Vec<Vec<FaceIdentity>>,
}

impl Pools {
    fn new(ids: &[(u32, u16)]) -> Self {
        let mut at = vec![0; ids.iter().map(|(_, id)| usize::from(*id) + 1).max().unwrap_or(0)];
        for (pool, (_, id)) in ids.iter().enumerate() {
            at[usize::from(*id)] = pool;
        }
        Self {
            at,
            known: vec![Vec::new(); ids.len()],
            settled: vec![Vec::new(); ids.len()],
            unknown: vec![Vec::new(); ids.len()],
            links: Vec::new(),
            group: (0..ids.len()).collect(),
            joint: Vec::new(),
            given: Vec::new(),
        }
    }

    fn of(&self, mix: u16) -> usize {
        self.at[usize::from(mix)]
    }

    fn link(&mut self, from: usize, to: usize, limit: Limit) {
        match self.links.iter_mut().find(|link| (link.from, link.to, &link.limit) == (from, to, &limit)) {
            Some(link) => link.count += 1,
            None => self.links.push(Link { from, to, count: 1, limit, least: None }),
        }
        self.join(from, to);
    }

    fn join(&mut self, one: usize, other: usize) {
        let (a, b) = (root(&self.group, one), root(&self.group, other));
        self.group[a.max(b)] = a.min(b);
    }

    /// Connects mixes if a joint condition is about outputs of all of them. Ignores conditions that would connect more than [`MAX_POOLS`]
    /// mixes.
    fn join_learned(&mut self, limits: &Limits<'_>) {
        let mut pool_of = vec![None; limits.groups()];
        for (group, pool) in self.links.iter().filter_map(|link| Some((link.limit.group?, link.from))) {
            pool_of[group] = Some(pool);
        }
        for (pool, unknown) in self.unknown.iter().enumerate() {
            unknown.iter().filter_map(|(_, limit)| limit.group).for_each(|group| pool_of[group] = Some(pool));
        }
        for joint in 0..limits.joint_count() {
            let pools: Option<Vec<usize>> = limits.groups_of(joint).iter().map(|group| pool_of[*group]).collect();
            let Some(pools) = pools else { continue };
            let roots: Vec<usize> = pools.iter().map(|pool| root(&self.group, *pool)).collect();
            let all = (0..self.group.len()).filter(|pool| roots.contains(&root(&self.group, *pool)));
            if all.count() <= MAX_POOLS {
                pools.windows(2).for_each(|two| self.join(two[0], two[1]));
                self.joint.push((joint, pools[0]));
            }
        }
    }

    fn puzzles(&self, table: &Table) -> Vec<Puzzle> {
        let firsts = (0..self.group.len()).filter(|pool| self.group[*pool] == *pool);
        firsts.filter_map(|first| self.puzzle(table, first)).collect()
    }

    /// Creates the puzzle of all pools that are connected with `first`. Returns `None` if no piece of the puzzle has an unknown face, or if
    /// there are more than [`MAX_POOLS`] pools.
    fn puzzle(&self, table: &Table, first: usize) -> Option<Puzzle> {
        let pools: Vec<usize> = (first..self.group.len()).filter(|pool| root(&self.group, *pool) == first).collect();
        if pools.len() > MAX_POOLS || pools.iter().all(|pool| self.unknown[*pool].is_empty()) {
            return None;
        }
        let local = |pool: usize| pools.binary_search(&pool).expect("links stay among what hangs together");
        let mut puzzle = Puzzle::default();
        let links = self.links.iter().filter(|link| root(&self.group, link.from) == first);
        puzzle.links.extend(links.map(|link| Link { from: local(link.from), to: local(link.to), ..link.clone() }));
        puzzle.links.sort_by(|one, other| (one.from, one.to, &one.limit).cmp(&(other.from, other.to, &other.limit)));
        let joint = self.joint.iter().filter(|(_, pool)| root(&self.group, *pool) == first);
        puzzle.joint.extend(joint.map(|(joint, _)| *joint));
        puzzle.given.clone_from(&self.given);
        for (at, &pool) in pools.iter().enumerate() {
            // A settled face is matched with an equal face that went in here, if there is one.
            let mut known = self.known[pool].clone();
            known.sort_unstable();
            let mut settled = Vec::new();
            for &identity in &self.settled[pool] {
                match known.binary_search(&identity) {
                    Ok(found) => drop(known.remove(found)),
                    Err(_) => settled.push(identity),
                }
            }
            settled.sort_unstable();
            puzzle.sources.extend(runs(&known).map(|(identity, count)| Source { pool: at, identity, count }));
            puzzle.sinks.extend(runs(&settled).map(|(identity, count)| Sink::settled(at, identity, count)));
        }
        let identities = puzzle.identities();
        for (at, &pool) in pools.iter().enumerate() {
            puzzle.sinks.extend(self.unknown_sinks(table, pool, at, &identities));
        }
        Some(puzzle)
    }

    /// Groups the pieces that have unknown faces in a pool into sinks. The pieces of a sink are interchangeable.
    fn unknown_sinks(&self, table: &Table, pool: usize, at: usize, identities: &[FaceIdentity]) -> Vec<Sink> {
        let mut alike: Vec<(SpaceId, &Limit, Vec<PieceId>)> = Vec::new();
        for (piece, limit) in &self.unknown[pool] {
            let space = table.space_of(*piece);
            let is_same = |(other, as_limited, pieces): &&mut (SpaceId, &Limit, Vec<PieceId>)| {
                *other == space
                    && *as_limited == limit
                    && limit.group.is_none()
                    && table.may_have_alike(pieces[0], *piece)
            };
            match alike.iter_mut().find(is_same) {
                Some((.., pieces)) => pieces.push(*piece),
                None => alike.push((space, limit, vec![*piece])),
            }
        }
        let allowed = |piece: PieceId, limit: &Limit| {
            let may = |identity: &FaceIdentity| table.may_have(piece, *identity) && limit.allows(*identity);
            identities.iter().copied().filter(may).collect()
        };
        let mut sinks: Vec<(SpaceId, Rc<[FaceIdentity]>, Option<usize>, Vec<PieceId>)> = alike
            .into_iter()
            .map(|(space, limit, pieces)| (space, allowed(pieces[0], limit), limit.group, pieces))
            .collect();
        // The order of handles depends on hidden faces, so it must not determine the order of sinks.
        sinks.sort_by(|one, other| (one.0, &one.1, one.2).cmp(&(other.0, &other.1, other.2)));
        sinks.dedup_by(|one, kept| {
            let is_alike = one.2.is_none() && (one.0, &one.1, one.2) == (kept.0, &kept.1, kept.2);
            if is_alike {
                kept.3.append(&mut one.3);
            }
            is_alike
        });
        let sink = |(space, allowed, group, pieces): (SpaceId, Rc<[FaceIdentity]>, Option<usize>, Vec<PieceId>)| Sink {
            pool: at,
            allowed,
            count: pieces.len() as u32,
            pieces: pieces.into(),
            space: Some(space),
            group,
            settled: None,
        };
        sinks.into_iter().map(sink).collect()
    }
}

/// Iterates over the distinct faces of a sorted list, with their counts.
fn runs(identities: &[FaceIdentity]) -> impl Iterator<Item = (FaceIdentity, u32)> + '_ {
    identities.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32))
}

impl Table {
    /// Returns whether two pieces of one space certainly have the same possible faces, judged by public facts other than mixes. Always
    /// false on grids in games with pieces that cover several spaces.
    pub(in crate::table) fn may_have_alike(&self, one: PieceId, other: PieceId) -> bool {
        let looks = |piece: PieceId| {
            let entry = &self.pieces[piece.index()];
            (self.layout.back_of(entry.face.identity.component), entry.narrowed)
        };
        looks(one) == looks(other) && !self.layout.is_ground(self.zone_of(one))
    }
}

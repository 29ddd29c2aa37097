//! What a seat does not know, as a puzzle: which faces went into which mixes, and which places they may have come to.
//!
//! Where the mixes that hang together form a tree, every count of what goes from one to another follows, and the worlds are the
//! flows from faces to the places that they reach. Where they do not, what goes along the links that close a circle is tried
//! out, face by face, with the flow as a bound.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::flow::Flow;
use crate::table::knowledge::mix::Mixes;
use crate::table::{Print, SeatSet, Table};
use std::rc::Rc;

/// The most mixes that may hang together by what the seat does not know; of more than these nothing is concluded.
const MOST_POOLS: usize = 64;

/// Copies of a face that the seat knows to have gone into a mix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pool: usize,
    pub(super) print: Print,
    count: u32,
}

/// What comes out of a mix and that nothing tells apart.
#[derive(Debug, Clone)]
pub(super) struct Sink {
    pool: usize,
    /// The faces it may have, in order.
    allowed: Rc<[Print]>,
    count: u32,
    /// The pieces, and where they lie; none for what went on into a younger mix with a face that is settled.
    pub(super) pieces: Rc<[PieceId]>,
    pub(super) space: Option<SpaceId>,
}

/// What went from a mix into a younger one, with faces the seat does not know.
#[derive(Debug, Clone, Copy)]
struct Link {
    from: usize,
    to: usize,
    count: u32,
    /// The first face that is still to be tried out for it.
    least: Option<Print>,
}

/// Mixes that hang together.
#[derive(Debug, Clone, Default)]
pub(in crate::table) struct Puzzle {
    pub(super) sources: Vec<Source>,
    pub(super) sinks: Vec<Sink>,
    links: Vec<Link>,
}

/// A number of copies of a face among some places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count<'a> {
    pub(super) print: Print,
    /// The places, by their sinks.
    pub(super) sinks: &'a [usize],
}

/// A world that solves a puzzle.
#[derive(Debug, Clone)]
pub(super) struct World {
    /// The puzzle, with what was tried out.
    puzzle: Puzzle,
    flow: Flow,
}

/// What came of looking for a world.
#[derive(Debug)]
pub(super) enum Search {
    Found(Box<World>),
    /// There is none.
    None,
    /// It was given up.
    GivenUp,
}

impl World {
    /// A count in this world.
    pub(super) fn count(&self, count: Count<'_>) -> u32 {
        let rows = (0..self.puzzle.sources.len()).filter(|row| self.puzzle.sources[*row].print == count.print);
        rows.flat_map(|row| count.sinks.iter().map(move |sink| self.flow.dealt(row, *sink))).sum()
    }

    /// The faces that pieces of a sink have in this world, or in one like it, in order.
    pub(super) fn possible(&self, sink: usize) -> Vec<Print> {
        let can = self.flow.possible(sink);
        let able = self.puzzle.sources.iter().zip(can).filter(|(_, can)| *can);
        let mut prints: Vec<Print> = able.map(|(source, _)| source.print).collect();
        prints.sort_unstable();
        prints.dedup();
        prints
    }

    /// Deals as little as can be of a count times a sign, or no more than enough of it; gives what that is.
    pub(super) fn lessen(&mut self, count: Count<'_>, sign: i64, enough: i64) -> i64 {
        let now = sign * i64::from(self.count(count));
        if now <= enough {
            return now;
        }
        let Self { puzzle, flow } = self;
        let is_counted =
            |row: usize, sink: usize| puzzle.sources[row].print == count.print && count.sinks.contains(&sink);
        flow.lessen(|row, sink| if is_counted(row, sink) { sign } else { 0 })
    }
}

impl Puzzle {
    /// The puzzles that a table is to somebody who knows what these sets of seats know, in the order of their oldest mixes.
    pub(in crate::table) fn all(table: &Table, knows: impl Fn(SeatSet) -> bool) -> Vec<Self> {
        let mut ids: Vec<(u32, u16)> = table.mixes.iter().map(|(id, mix)| (mix.order, id)).collect();
        ids.sort_unstable();
        let mut pools = Pools::new(&ids);
        for piece in table.all_pieces().filter(|piece| table.pieces[piece.index()].mix != Mixes::NONE) {
            let entry = &table.pieces[piece.index()];
            let pool = pools.of(entry.mix);
            if knows(entry.known) {
                pools.settled[pool].push(entry.face.print);
            } else {
                pools.unknown[pool].push(piece);
            }
        }
        for &(_, id) in &ids {
            let (mix, to) = (table.mixes.get(id), pools.of(id));
            pools.known[to].extend_from_slice(&mix.open);
            for input in &mix.special {
                let from = pools.of(input.older);
                if knows(input.known) {
                    pools.known[to].push(input.print);
                    pools.settled[from].push(input.print);
                } else {
                    pools.join(from, to);
                }
            }
        }
        pools.puzzles(table)
    }

    /// The faces that sources have, in order.
    pub(super) fn prints(&self) -> Vec<Print> {
        let mut prints: Vec<Print> = self.sources.iter().map(|source| source.print).collect();
        prints.sort_unstable();
        prints.dedup();
        prints
    }

    /// By pool: the pools that its faces may have gone on to, itself included.
    fn reach(&self) -> [u64; MOST_POOLS] {
        let mut reach: [u64; MOST_POOLS] = std::array::from_fn(|pool| 1 << pool);
        // Links lead from older pools to younger ones, which have larger numbers.
        let mut links: Vec<&Link> = self.links.iter().filter(|link| link.count > 0).collect();
        links.sort_unstable_by_key(|link| std::cmp::Reverse(link.from));
        for link in links {
            reach[link.from] |= reach[link.to];
        }
        reach
    }

    /// A world, if counts along links need not be minded; looked for from one of a puzzle that this has been made from.
    pub(super) fn at_large(self, near: Option<&World>) -> Option<World> {
        let reach = self.reach();
        let supply: Vec<u32> = self.sources.iter().map(|source| source.count).collect();
        let demand: Vec<u32> = self.sinks.iter().map(|sink| sink.count).collect();
        let reaches = |row: usize, column: usize| reach[self.sources[row].pool] & 1 << self.sinks[column].pool != 0;
        let may =
            |row: usize, column: usize| self.sinks[column].allowed.binary_search(&self.sources[row].print).is_ok();
        let flow = Flow::new(&supply, &demand, near.map(|world| &world.flow), reaches, may)?;
        Some(World { puzzle: self, flow })
    }

    /// Whether no links close a circle: then every world at large is one.
    pub(in crate::table) fn is_tree(&self) -> bool {
        self.closing().is_none()
    }

    /// A link that closes a circle with larger ones.
    fn closing(&self) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.links.len()).filter(|at| self.links[*at].count > 0).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.links[*at].count));
        let mut group: Vec<usize> = (0..MOST_POOLS).collect();
        order.into_iter().find(|at| {
            let link = self.links[*at];
            let (a, b) = (root(&group, link.from), root(&group, link.to));
            group[a] = b;
            a == b
        })
    }

    /// Looks for a world in which a count times a sign is at most a bound, in so many trials, from one at large.
    pub(super) fn search(self, near: &World, wanted: Option<(Count<'_>, i64, i64)>, trials: &mut u32) -> Search {
        if *trials == 0 {
            return Search::GivenUp;
        }
        *trials -= 1;
        let Some(mut world) = self.at_large(Some(near)) else { return Search::None };
        if wanted.is_some_and(|(count, sign, most)| world.lessen(count, sign, most) > most) {
            return Search::None;
        }
        let Some(at) = world.puzzle.closing() else { return Search::Found(Box::new(world)) };
        for print in world.puzzle.prints_along(world.puzzle.links[at]) {
            match world.puzzle.settled(at, print).search(&world, wanted, trials) {
                Search::None => {}
                found => return found,
            }
        }
        Search::None
    }

    /// The faces that may go along a link, from the first on that is still to be tried out.
    fn prints_along(&self, link: Link) -> Vec<Print> {
        let reach = self.reach();
        let may = |source: &&Source| {
            reach[source.pool] & 1 << link.from != 0 && link.least.is_none_or(|least| source.print >= least)
        };
        let mut prints: Vec<Print> = self.sources.iter().filter(may).map(|source| source.print).collect();
        prints.sort_unstable();
        prints.dedup();
        prints
    }

    /// This puzzle where one piece that went along a link had a face.
    fn settled(&self, at: usize, print: Print) -> Self {
        let mut puzzle = self.clone();
        let link = &mut puzzle.links[at];
        link.count -= 1;
        link.least = Some(print);
        let Link { from, to, .. } = *link;
        puzzle.sources.push(Source { pool: to, print, count: 1 });
        let allowed = Rc::new([print]);
        puzzle.sinks.push(Sink { pool: from, allowed, count: 1, pieces: Rc::default(), space: None });
        puzzle
    }
}

fn root(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

/// All mixes of a table while they are read, each a pool, the oldest first.
struct Pools {
    /// By the id of a mix.
    at: Vec<usize>,
    known: Vec<Vec<Print>>,
    settled: Vec<Vec<Print>>,
    unknown: Vec<Vec<PieceId>>,
    links: Vec<Link>,
    group: Vec<usize>,
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
        }
    }

    fn of(&self, mix: u16) -> usize {
        self.at[usize::from(mix)]
    }

    fn join(&mut self, from: usize, to: usize) {
        match self.links.iter_mut().find(|link| (link.from, link.to) == (from, to)) {
            Some(link) => link.count += 1,
            None => self.links.push(Link { from, to, count: 1, least: None }),
        }
        let (a, b) = (root(&self.group, from), root(&self.group, to));
        self.group[a.max(b)] = a.min(b);
    }

    fn puzzles(&self, table: &Table) -> Vec<Puzzle> {
        let firsts = (0..self.group.len()).filter(|pool| self.group[*pool] == *pool);
        firsts.filter_map(|first| self.puzzle(table, first)).collect()
    }

    /// The puzzle of the pools that hang together with one; nothing where nothing in it is unknown, or too much of it.
    fn puzzle(&self, table: &Table, first: usize) -> Option<Puzzle> {
        let pools: Vec<usize> = (first..self.group.len()).filter(|pool| root(&self.group, *pool) == first).collect();
        if pools.len() > MOST_POOLS || pools.iter().all(|pool| self.unknown[*pool].is_empty()) {
            return None;
        }
        let local = |pool: usize| pools.binary_search(&pool).expect("links stay among what hangs together");
        let mut puzzle = Puzzle::default();
        let links = self.links.iter().filter(|link| root(&self.group, link.from) == first);
        puzzle.links.extend(links.map(|link| Link { from: local(link.from), to: local(link.to), ..*link }));
        puzzle.links.sort_by_key(|link| (link.from, link.to));
        for (at, &pool) in pools.iter().enumerate() {
            // What is settled takes a face that went in here, if there is one: faces that are alike may be exchanged.
            let mut known = self.known[pool].clone();
            known.sort_unstable();
            let mut settled = Vec::new();
            for &print in &self.settled[pool] {
                match known.binary_search(&print) {
                    Ok(found) => drop(known.remove(found)),
                    Err(_) => settled.push(print),
                }
            }
            settled.sort_unstable();
            puzzle.sources.extend(runs(&known).map(|(print, count)| Source { pool: at, print, count }));
            let settled = runs(&settled).map(|(print, count)| Sink {
                pool: at,
                allowed: Rc::new([print]),
                count,
                pieces: Rc::default(),
                space: None,
            });
            puzzle.sinks.extend(settled);
        }
        let prints = puzzle.prints();
        for (at, &pool) in pools.iter().enumerate() {
            puzzle.sinks.extend(self.unknown_sinks(table, pool, at, &prints));
        }
        Some(puzzle)
    }

    /// The pieces of a pool that the seat cannot tell, those that nothing tells apart together.
    fn unknown_sinks(&self, table: &Table, pool: usize, at: usize, prints: &[Print]) -> Vec<Sink> {
        let mut alike: Vec<(SpaceId, Vec<PieceId>)> = Vec::new();
        for &piece in &self.unknown[pool] {
            let space = table.space_of(piece);
            let same =
                alike.iter_mut().find(|(other, pieces)| *other == space && table.may_have_alike(pieces[0], piece));
            match same {
                Some((_, pieces)) => pieces.push(piece),
                None => alike.push((space, vec![piece])),
            }
        }
        let allowed = |piece: PieceId| prints.iter().copied().filter(|print| table.may_have(piece, *print)).collect();
        let mut sinks: Vec<(SpaceId, Rc<[Print]>, Vec<PieceId>)> =
            alike.into_iter().map(|(space, pieces)| (space, allowed(pieces[0]), pieces)).collect();
        // In an order that says nothing of what the seat does not know, as handles may.
        sinks.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        sinks.dedup_by(|one, kept| {
            let is_alike = (one.0, &one.1) == (kept.0, &kept.1);
            if is_alike {
                kept.2.append(&mut one.2);
            }
            is_alike
        });
        let sink = |(space, allowed, pieces): (SpaceId, Rc<[Print]>, Vec<PieceId>)| Sink {
            pool: at,
            allowed,
            count: pieces.len() as u32,
            pieces: pieces.into(),
            space: Some(space),
        };
        sinks.into_iter().map(sink).collect()
    }
}

/// The faces of a list in order, each with how often it is there.
fn runs(prints: &[Print]) -> impl Iterator<Item = (Print, u32)> + '_ {
    prints.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32))
}

impl Table {
    /// Whether what is public besides mixes allows two pieces of one space the same faces.
    pub(in crate::table) fn may_have_alike(&self, one: PieceId, other: PieceId) -> bool {
        let looks = |piece: PieceId| {
            let entry = &self.pieces[piece.index()];
            (self.layout.back_of(entry.face.print.component), entry.narrowed)
        };
        looks(one) == looks(other) && !self.layout.is_ground(self.zone_of(one))
    }
}

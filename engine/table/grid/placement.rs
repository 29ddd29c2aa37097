//! Where pieces that take up several spaces may be laid, and what would come of it, without laying them.
//!
//! A placement is a *spin* (a piece in one turn) at a *site* (an anchor, and whether beside, over or under what lies there).
//! Sites are the same for all pieces of one outline, so whatever does not depend on what is printed is asked once a site.

use crate::model::{Cell, PieceId, SpaceId, ZoneId};
use crate::table::Table;
use crate::table::grid::region::Lattice;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// How a piece lies to those that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// On bare spaces, with an edge at another square; anywhere on an empty grid.
    Beside,
    /// Above all that lies there, on at least one square.
    Over,
    /// Below all that lies there, with at least one square of its own to be seen.
    Under,
}

impl Way {
    /// Every way, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Beside, Self::Over, Self::Under];

    /// The word for it in scripts and plays.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Beside => "beside",
            Self::Over => "over",
            Self::Under => "under",
        }
    }

    /// The way with a name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.word() == word)
    }
}

/// One way to lay one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The piece.
    pub piece: PieceId,
    /// The space of its north-west corner; on hexagons that of the first cell of its first row.
    pub to: SpaceId,
    /// How often it is turned clockwise.
    pub turned: u8,
    /// How it lies to those that are there.
    pub way: Way,
}

/// A piece in one turn.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Spin {
    piece: PieceId,
    turned: u8,
    outline: u16,
    /// What is printed on its squares, in their order.
    pub(in crate::table) prints: SmallVec<[u16; 8]>,
}

/// A place for pieces of one outline.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Site {
    to: SpaceId,
    way: Way,
    outline: u16,
    /// The places of its squares, in their order.
    pub(in crate::table) places: SmallVec<[u16; 8]>,
    /// Which squares would be seen, one bit each.
    seen: u64,
    /// Which squares would lie on squares of other pieces, one bit each.
    covering: u64,
}

impl Site {
    /// Whether a square would be seen.
    pub(in crate::table) const fn is_seen(&self, index: usize) -> bool {
        self.seen & 1 << index != 0
    }

    /// Whether a square would cover what is seen there now.
    pub(in crate::table) fn covers(&self, index: usize) -> bool {
        self.way == Way::Over && self.covering & 1 << index != 0
    }
}

/// Several placements of several pieces on one grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placements {
    zone: ZoneId,
    lattice: Lattice,
    pub(in crate::table) spins: Arc<[Spin]>,
    pub(in crate::table) sites: Arc<[Site]>,
    /// By the numbers of their spins and sites, ascending.
    pub(in crate::table) list: Vec<(u16, u32)>,
}

impl Placements {
    /// The most pieces whose placements are listed together.
    pub const MOST_PIECES: usize = 1_000;

    /// Every placement of some pieces on a grid in some ways: by piece, turn and place. Turns that look alike are listed once.
    ///
    /// # Panics
    /// When there are more than [`Self::MOST_PIECES`] pieces.
    pub fn new(table: &Table, zone: ZoneId, pieces: &[PieceId], ways: &[Way]) -> Self {
        assert!(pieces.len() <= Self::MOST_PIECES, "{} pieces are too many", pieces.len());
        let mut outlines: Vec<Vec<(i8, i8)>> = Vec::new();
        let mut spins = Vec::new();
        for &piece in pieces {
            spins.extend(spins_of(table, piece, &mut outlines));
        }
        let standing = SeenSquares::new(table, zone);
        let mut sites = Vec::new();
        let mut of_outline = Vec::new();
        for (outline, cells) in outlines.iter().enumerate() {
            let first = sites.len();
            standing.add_sites((outline as u16, cells), ways, &mut sites);
            of_outline.push(first as u32..sites.len() as u32);
        }
        let mut list = Vec::new();
        for (spin, found) in spins.iter().enumerate() {
            list.extend(of_outline[found.outline as usize].clone().map(|site| (spin as u16, site)));
        }
        Self { zone, lattice: standing.lattice, list, spins: spins.into(), sites: sites.into() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The grid.
    pub const fn zone(&self) -> ZoneId {
        self.zone
    }

    /// The placement at a position.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn get(&self, at: usize) -> Placement {
        let (spin, site) = self.list[at];
        let (spin, site) = (&self.spins[spin as usize], &self.sites[site as usize]);
        Placement { piece: spin.piece, to: site.to, turned: spin.turned, way: site.way }
    }

    /// Where a placement stands, if it is one of these.
    pub fn position(&self, wanted: &Placement) -> Option<usize> {
        (0..self.len()).find(|at| self.get(*at) == *wanted)
    }

    /// Whether one of them is among others. Of such as were taken from the same ones this is told by their numbers.
    pub fn shares(&self, other: &Self) -> bool {
        let (fewer, more) = if self.len() < other.len() { (self, other) } else { (other, self) };
        if Arc::ptr_eq(&self.sites, &other.sites) && Arc::ptr_eq(&self.spins, &other.spins) {
            return fewer.list.iter().any(|numbers| more.list.binary_search(numbers).is_ok());
        }
        let known: FxHashSet<Placement> = (0..more.len()).map(|at| more.get(at)).collect();
        (0..fewer.len()).any(|at| known.contains(&fewer.get(at)))
    }

    /// The spaces whose squares a placement would cover.
    pub fn covered(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = &self.sites[self.list[at].1 as usize];
        let places = site.places.iter().enumerate().filter(|(index, _)| site.covers(*index));
        places.map(|(_, at)| self.lattice.space(*at))
    }

    /// The spaces on which squares of the piece would be seen.
    pub fn seen(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = &self.sites[self.list[at].1 as usize];
        let places = site.places.iter().enumerate().filter(|(index, _)| site.is_seen(*index));
        places.map(|(_, at)| self.lattice.space(*at))
    }

    /// Those that cover none of some spaces.
    #[must_use]
    pub fn not_covering(&self, table: &Table, spaces: &[SpaceId]) -> Self {
        let mut is_kept = vec![false; self.lattice.places()];
        for space in spaces {
            is_kept[self.lattice.at(table.layout().ground_space(*space)) as usize] = true;
        }
        let covers =
            |site: &Site| site.places.iter().enumerate().any(|(index, at)| is_kept[*at as usize] && site.covers(index));
        let is_free: Vec<bool> = self.sites.iter().map(|site| !covers(site)).collect();
        self.kept(|_, site| is_free[site as usize])
    }

    /// The pieces, as often as they can be turned.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        self.spins.iter().map(|spin| spin.piece)
    }

    /// The different pieces, spaces, turns and ways among them, each once.
    pub fn values(&self) -> (Vec<PieceId>, Vec<SpaceId>, Vec<u8>, Vec<Way>) {
        let (mut spins, mut sites) = (vec![false; self.spins.len()], vec![false; self.sites.len()]);
        for (spin, site) in &self.list {
            spins[usize::from(*spin)] = true;
            sites[*site as usize] = true;
        }
        let spins = || self.spins.iter().zip(&spins).filter(|(_, is_there)| **is_there).map(|(spin, _)| spin);
        let sites = || self.sites.iter().zip(&sites).filter(|(_, is_there)| **is_there).map(|(site, _)| site);
        (
            different(spins().map(|spin| spin.piece)),
            different(sites().map(|site| site.to)),
            different(spins().map(|spin| spin.turned)),
            different(sites().map(|site| site.way)),
        )
    }

    /// Those of some pieces.
    #[must_use]
    pub fn with_pieces(&self, wanted: impl Fn(PieceId) -> bool) -> Self {
        self.kept(|spin, _| wanted(self.spins[spin as usize].piece))
    }

    /// Those that are wanted, told by the numbers of their spin and their site.
    pub(in crate::table) fn kept(&self, mut wanted: impl FnMut(u16, u32) -> bool) -> Self {
        let mut list = Vec::with_capacity(self.list.len());
        list.extend(self.list.iter().copied().filter(|(spin, site)| wanted(*spin, *site)));
        Self { list, ..self.clone_empty() }
    }

    /// None of them, on the same grid.
    pub(in crate::table) fn clone_empty(&self) -> Self {
        let (zone, lattice) = (self.zone, self.lattice.clone());
        Self { zone, lattice, spins: self.spins.clone(), sites: self.sites.clone(), list: Vec::new() }
    }
}

/// Each of some things once, in order.
fn different<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A piece in each turn in which it looks different; its outlines are noted.
fn spins_of(table: &Table, piece: PieceId, outlines: &mut Vec<Vec<(i8, i8)>>) -> Vec<Spin> {
    let cells = &table.layout().cells;
    let component = table.component(piece);
    let mut different: Vec<&[Cell]> = Vec::new();
    let mut spins = Vec::new();
    for turned in 0..table.model().cells.turns() {
        let cells = cells.cells(component, turned);
        if cells.is_empty() || different.contains(&cells) {
            continue;
        }
        different.push(cells);
        let outline: Vec<(i8, i8)> = cells.iter().map(|cell| (cell.x, cell.y)).collect();
        let known = outlines.iter().position(|other| *other == outline);
        let number = known.unwrap_or_else(|| {
            outlines.push(outline);
            outlines.len() - 1
        });
        let prints = cells.iter().map(|cell| cell.print).collect();
        spins.push(Spin { piece, turned, outline: number as u16, prints });
    }
    spins
}

/// Where squares are seen on a grid.
struct SeenSquares {
    lattice: Lattice,
    taken: Vec<bool>,
    is_empty: bool,
}

impl SeenSquares {
    fn new(table: &Table, zone: ZoneId) -> Self {
        let lattice = Lattice::new(table.layout(), zone);
        let mut taken = vec![false; lattice.places()];
        for (space, at) in lattice.spaces() {
            taken[at as usize] = table.shows(space).is_some();
        }
        Self { is_empty: !taken.contains(&true), lattice, taken }
    }

    /// Every place for pieces of an outline.
    fn add_sites(&self, outline: (u16, &[(i8, i8)]), ways: &[Way], sites: &mut Vec<Site>) {
        let sides = |side: fn(&(i8, i8)) -> i8| {
            let all = || outline.1.iter().map(side).map(isize::from);
            (all().min().unwrap_or_default(), all().max().unwrap_or_default())
        };
        let ((least_x, most_x), (least_y, most_y)) = (sides(|cell| cell.0), sides(|cell| cell.1));
        let width = self.lattice.width() as isize;
        let offset = |cell: &(i8, i8)| (isize::from(cell.1) * width + isize::from(cell.0)) as u16;
        let offsets: SmallVec<[u16; 8]> = outline.1.iter().map(offset).collect();
        let (columns, rows) = (self.lattice.columns as isize, self.lattice.rows as isize);
        for (index, (to, at)) in self.lattice.spaces().enumerate() {
            let (x, y) = self.lattice.cell(index);
            let (x, y) = (x as isize, y as isize);
            let is_inside = x + least_x >= 0 && x + most_x < columns && y + least_y >= 0 && y + most_y < rows;
            let is_there =
                |cell: &(i8, i8)| self.lattice.has(x as i16 + i16::from(cell.0), y as i16 + i16::from(cell.1));
            if is_inside && outline.1.iter().all(is_there) {
                let places = offsets.iter().map(|offset| at.wrapping_add(*offset)).collect();
                sites.extend(self.sites_at(to, outline.0, places, ways));
            }
        }
    }

    /// The ways in which a piece of an outline can lie on some places.
    fn sites_at(
        &self,
        to: SpaceId,
        outline: u16,
        places: SmallVec<[u16; 8]>,
        ways: &[Way],
    ) -> impl Iterator<Item = Site> {
        let mut covering = 0_u64;
        for (index, at) in places.iter().enumerate() {
            covering |= u64::from(self.taken[*at as usize]) << index;
        }
        let all = u64::MAX >> (64 - places.len());
        ways.iter().filter_map(move |&way| {
            let fits = match way {
                Way::Beside => covering == 0 && (self.is_empty || self.touch(&places)),
                Way::Over => covering != 0,
                Way::Under => covering != 0 && covering != all,
            };
            let seen = if way == Way::Under { all & !covering } else { all };
            fits.then(|| Site { to, way, outline, places: places.clone(), seen, covering })
        })
    }

    /// Whether a square lies beside one of some places.
    fn touch(&self, places: &[u16]) -> bool {
        places.iter().any(|at| self.lattice.beside(*at).any(|beside| self.taken[beside as usize]))
    }
}

//! Where pieces that take up several spaces may be laid, and what would come of it, without laying them.
//!
//! A placement is a *spin* (a piece in one turn) at a *site* (an anchor, and whether beside, over or under what lies there).
//! Sites are the same for all pieces of one outline, so whatever does not depend on what is printed is asked once a site.

use crate::model::{Cell, PieceId, SpaceId, ZoneId};
use crate::table::Table;
use crate::table::grid::listing::{Listing, lowest, ones};
use crate::table::grid::region::Lattice;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
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
    /// The word that its bits begin with.
    word: u32,
    /// What is printed on its squares, in their order.
    pub(in crate::table) prints: SmallVec<[u16; 8]>,
}

/// Where the squares of some spins lie to their anchor, and their sites.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Outline {
    /// What leads from the place of the anchor to that of each square, in their order.
    offsets: SmallVec<[u16; 8]>,
    /// Its first site.
    first: u32,
    /// How many sites it has.
    count: u32,
    /// The word that bits of its sites alone begin with.
    word: u32,
}

impl Outline {
    /// How many words have a bit for each of its sites.
    const fn words(&self) -> usize {
        self.count.div_ceil(u64::BITS) as usize
    }

    /// The numbers of its sites whose bits are set.
    fn sites_in<'w>(&self, words: &'w [u64]) -> impl Iterator<Item = u32> + use<'w> {
        let words = words[self.word as usize..].iter().take(self.words());
        let words = words.zip((self.first..).step_by(u64::BITS as usize));
        words.flat_map(|(word, first)| ones(*word).map(move |bit| first + bit))
    }
}

/// A place for pieces of one outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Site {
    to: SpaceId,
    /// The place of its anchor.
    at: u16,
    outline: u16,
    way: Way,
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

/// Every spin and every site of some pieces on a grid as it is.
#[derive(Debug, PartialEq, Eq)]
struct Candidates {
    zone: ZoneId,
    lattice: Lattice,
    spins: Vec<Spin>,
    outlines: Vec<Outline>,
    sites: Vec<Site>,
}

/// Several placements of several pieces on one grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placements {
    candidates: Arc<Candidates>,
    /// Spin after spin a bit for each site of its outline.
    listing: Listing,
}

/// What is said of sites, whichever of the pieces is laid there: words of those that are kept, and of those of which more has to be
/// looked at.
pub(in crate::table) struct Settled {
    kept: Vec<u64>,
    open: Vec<u64>,
}

impl Placements {
    /// The most pieces whose placements are listed together.
    pub const MOST_PIECES: usize = 1_000;

    /// Every placement of some pieces on a grid in some ways: by piece, turn and place. Turns that look alike are listed once.
    ///
    /// # Panics
    /// When there are more than [`Self::MOST_PIECES`] pieces.
    pub fn new(table: &Table, zone: ZoneId, pieces: &[PieceId], ways: &[Way]) -> Self {
        Self::listed(table, (zone, None), pieces, ways)
    }

    /// A placement alone, in each turn of its piece: nothing where it cannot be laid so.
    pub fn alone(table: &Table, placement: &Placement) -> Self {
        let zone = table.layout().zone_of(placement.to);
        Self::listed(table, (zone, Some(placement.to)), &[placement.piece], &[placement.way])
    }

    /// Every placement on a grid, or at one anchor of it.
    fn listed(table: &Table, (zone, anchor): (ZoneId, Option<SpaceId>), pieces: &[PieceId], ways: &[Way]) -> Self {
        assert!(pieces.len() <= Self::MOST_PIECES, "{} pieces are too many", pieces.len());
        let mut cells: Vec<Vec<(i8, i8)>> = Vec::new();
        let mut spins = Vec::new();
        for &piece in pieces {
            spins.extend(spins_of(table, piece, &mut cells));
        }
        let standing = match anchor {
            None => SeenSquares::new(table, zone),
            Some(anchor) => SeenSquares::around(table, (zone, anchor), &cells),
        };
        let (mut sites, mut outlines) = (Vec::new(), Vec::new());
        let mut word = 0;
        for (number, cells) in cells.iter().enumerate() {
            let (first, offsets) = (sites.len() as u32, standing.offsets(cells));
            standing.add_sites((number as u16, cells, &offsets), anchor, ways, &mut sites);
            let outline = Outline { offsets, first, count: sites.len() as u32 - first, word };
            word += outline.words() as u32;
            outlines.push(outline);
        }
        let mut words = Vec::new();
        for spin in &mut spins {
            let outline = &outlines[usize::from(spin.outline)];
            spin.word = words.len() as u32;
            let each = |word: usize| lowest(outline.count as usize - word * u64::BITS as usize);
            words.extend((0..outline.words()).map(each));
        }
        let candidates = Candidates { zone, lattice: standing.lattice, spins, outlines, sites };
        Self { candidates: Arc::new(candidates), listing: Listing::new(words) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.listing.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The grid.
    pub fn zone(&self) -> ZoneId {
        self.candidates.zone
    }

    /// The placement at a position.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn get(&self, at: usize) -> Placement {
        let (spin, site) = self.numbers_at(at);
        let (spin, site) = (self.spin(spin), self.site(site));
        Placement { piece: spin.piece, to: site.to, turned: spin.turned, way: site.way }
    }

    /// Where a placement stands, if it is one of these.
    pub fn position(&self, wanted: &Placement) -> Option<usize> {
        let Candidates { spins, outlines, sites, .. } = &*self.candidates;
        let spins = spins.iter().filter(|spin| (spin.piece, spin.turned) == (wanted.piece, wanted.turned));
        let mut found = spins.flat_map(|spin| {
            let outline = &outlines[usize::from(spin.outline)];
            let sites = sites[outline.first as usize..].iter().take(outline.count as usize).enumerate();
            let here = sites.filter(|(_, site)| (site.to, site.way) == (wanted.to, wanted.way));
            here.filter_map(|(index, _)| {
                let (word, bit) = (index / u64::BITS as usize, index as u32 % u64::BITS);
                self.listing.position(spin.word as usize + word, bit)
            })
        });
        found.next()
    }

    /// Whether one of them is among others. Of such as were taken from the same ones this is told by their numbers.
    pub fn shares(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.candidates, &other.candidates) {
            let mut both = self.listing.words().iter().zip(other.listing.words());
            return both.any(|(one, other)| one & other != 0);
        }
        let (fewer, more) = if self.len() < other.len() { (self, other) } else { (other, self) };
        let known: FxHashSet<Placement> = more.iter().collect();
        fewer.iter().any(|one| known.contains(&one))
    }

    /// All of them, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Placement> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The spaces whose squares a placement would cover.
    pub fn covered(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = self.site(self.numbers_at(at).1);
        let places = self.places(site).enumerate().filter(|(index, _)| site.covers(*index));
        places.map(|(_, at)| self.candidates.lattice.space(at))
    }

    /// The spaces on which squares of the piece would be seen.
    pub fn seen(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = self.site(self.numbers_at(at).1);
        let places = self.places(site).enumerate().filter(|(index, _)| site.is_seen(*index));
        places.map(|(_, at)| self.candidates.lattice.space(at))
    }

    /// Those that cover none of some spaces.
    #[must_use]
    pub fn not_covering(&self, table: &Table, spaces: &[SpaceId]) -> Self {
        let lattice = &self.candidates.lattice;
        let mut is_kept = vec![false; lattice.places()];
        for space in spaces {
            is_kept[lattice.at(table.layout().ground_space(*space)) as usize] = true;
        }
        let covers =
            |site: &Site| self.places(site).enumerate().any(|(index, at)| is_kept[at as usize] && site.covers(index));
        let settled = self.settled(|site| Some(self.site(site).way != Way::Over || !covers(self.site(site))));
        self.kept(&settled, |_, _| true)
    }

    /// The pieces, as often as they can be turned.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        self.candidates.spins.iter().map(|spin| spin.piece)
    }

    /// The different pieces, spaces, turns and ways among them, each once.
    pub fn values(&self) -> (Vec<PieceId>, Vec<SpaceId>, Vec<u8>, Vec<Way>) {
        let spins = || {
            let all = self.candidates.spins.iter();
            all.filter(|spin| self.words_of(spin).iter().any(|word| *word != 0))
        };
        let sites = || self.numbers_of_sites().into_iter().map(|site| self.site(site));
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
        let mut words = self.listing.words().to_vec();
        for spin in self.candidates.spins.iter().filter(|spin| !wanted(spin.piece)) {
            words[self.range_of(spin)].fill(0);
        }
        self.with(words)
    }

    /// What is said of each site that one of them has, by its number.
    pub(in crate::table) fn settled(&self, mut say: impl FnMut(u32) -> Option<bool>) -> Settled {
        let listed = self.listed_sites();
        let (mut kept, mut open) = (vec![0; listed.len()], vec![0; listed.len()]);
        for outline in &self.candidates.outlines {
            for site in outline.sites_in(&listed) {
                let index = site - outline.first;
                let (word, bit) = ((outline.word + index / u64::BITS) as usize, 1 << (index % u64::BITS));
                match say(site) {
                    Some(true) => kept[word] |= bit,
                    Some(false) => {}
                    None => open[word] |= bit,
                }
            }
        }
        Settled { kept, open }
    }

    /// Those that are wanted: by what is settled of their sites, and of the others by the numbers of their spin and their site.
    pub(in crate::table) fn kept(&self, settled: &Settled, mut wanted: impl FnMut(u16, u32) -> bool) -> Self {
        let mut words = Vec::with_capacity(self.listing.words().len());
        for (number, spin) in self.candidates.spins.iter().enumerate() {
            let outline = &self.candidates.outlines[usize::from(spin.outline)];
            for (word, listed) in self.words_of(spin).iter().enumerate() {
                let of_sites = outline.word as usize + word;
                let mut kept = listed & settled.kept[of_sites];
                for bit in ones(listed & settled.open[of_sites]) {
                    if wanted(number as u16, outline.first + word as u32 * u64::BITS + bit) {
                        kept |= 1 << bit;
                    }
                }
                words.push(kept);
            }
        }
        self.with(words)
    }

    /// Their numbers: of their spin and their site.
    pub(in crate::table) fn numbers(&self) -> impl Iterator<Item = (u16, u32)> + '_ {
        self.candidates.spins.iter().enumerate().flat_map(|(number, spin)| {
            let first = self.candidates.outlines[usize::from(spin.outline)].first;
            let words = self.words_of(spin).iter().zip((first..).step_by(u64::BITS as usize));
            words.flat_map(move |(word, first)| ones(*word).map(move |bit| (number as u16, first + bit)))
        })
    }

    /// The numbers of the placement at a position.
    pub(in crate::table) fn numbers_at(&self, at: usize) -> (u16, u32) {
        let Candidates { spins, outlines, .. } = &*self.candidates;
        let (word, bit) = self.listing.at(at);
        let number = spins.partition_point(|spin| spin.word as usize <= word) - 1;
        let spin = &spins[number];
        let site = (word as u32 - spin.word) * u64::BITS + bit;
        (number as u16, outlines[usize::from(spin.outline)].first + site)
    }

    /// Those of them that have some numbers.
    pub(in crate::table) fn of_numbers(&self, numbers: impl IntoIterator<Item = (u16, u32)>) -> Self {
        let mut words = vec![0; self.listing.words().len()];
        for (spin, site) in numbers {
            let spin = self.spin(spin);
            let index = site - self.candidates.outlines[usize::from(spin.outline)].first;
            words[(spin.word + index / u64::BITS) as usize] |= 1 << (index % u64::BITS);
        }
        self.with(words)
    }

    /// The spin with a number.
    pub(in crate::table) fn spin(&self, number: u16) -> &Spin {
        &self.candidates.spins[usize::from(number)]
    }

    /// How many sites there are, listed or not.
    pub(in crate::table) fn sites(&self) -> usize {
        self.candidates.sites.len()
    }

    /// The site with a number.
    pub(in crate::table) fn site(&self, number: u32) -> &Site {
        &self.candidates.sites[number as usize]
    }

    /// The places of the squares of a site, in their order.
    pub(in crate::table) fn places(&self, site: &Site) -> impl Iterator<Item = u16> + Clone + '_ {
        let at = site.at;
        let offsets = self.candidates.outlines[usize::from(site.outline)].offsets.iter();
        offsets.map(move |offset| at.wrapping_add(*offset))
    }

    /// The words of a spin.
    fn words_of(&self, spin: &Spin) -> &[u64] {
        &self.listing.words()[self.range_of(spin)]
    }

    fn range_of(&self, spin: &Spin) -> Range<usize> {
        let start = spin.word as usize;
        start..start + self.candidates.outlines[usize::from(spin.outline)].words()
    }

    /// Words with a bit for each site that one of them has.
    fn listed_sites(&self) -> Vec<u64> {
        let Candidates { spins, outlines, .. } = &*self.candidates;
        let mut listed = vec![0; outlines.iter().map(Outline::words).sum()];
        for spin in spins {
            let of_sites = &mut listed[outlines[usize::from(spin.outline)].word as usize..];
            of_sites.iter_mut().zip(self.words_of(spin)).for_each(|(all, word)| *all |= word);
        }
        listed
    }

    /// The numbers of the sites that one of them has.
    pub(in crate::table) fn numbers_of_sites(&self) -> Vec<u32> {
        let listed = self.listed_sites();
        self.candidates.outlines.iter().flat_map(|outline| outline.sites_in(&listed)).collect()
    }

    fn with(&self, words: Vec<u64>) -> Self {
        Self { candidates: self.candidates.clone(), listing: Listing::new(words) }
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
        spins.push(Spin { piece, turned, outline: number as u16, word: 0, prints });
    }
    spins
}

/// Where squares are seen on a grid.
struct SeenSquares {
    lattice: Lattice,
    taken: Vec<bool>,
    /// The places beside those.
    is_beside: Vec<bool>,
    is_empty: bool,
}

impl SeenSquares {
    fn new(table: &Table, zone: ZoneId) -> Self {
        let lattice = Lattice::new(table.layout(), zone);
        let (mut taken, mut is_beside) = (vec![false; lattice.places()], vec![false; lattice.places()]);
        for at in lattice.ids().filter(|space| table.shows(*space).is_some()).map(|space| lattice.at(space)) {
            taken[usize::from(at)] = true;
            lattice.beside(at).for_each(|beside| is_beside[usize::from(beside)] = true);
        }
        Self { is_empty: !taken.contains(&true), lattice, taken, is_beside }
    }

    /// The same as far as it matters to pieces that are laid at one anchor.
    fn around(table: &Table, (zone, anchor): (ZoneId, SpaceId), outlines: &[Vec<(i8, i8)>]) -> Self {
        let lattice = Lattice::new(table.layout(), zone);
        let is_seen = |space: SpaceId| table.shows(space).is_some();
        let is_taken = |at: u16| lattice.space_if_any(at).is_some_and(is_seen);
        let (places, at) = (lattice.places(), lattice.at(anchor));
        let mut found = Self {
            taken: vec![false; places],
            is_beside: vec![false; places],
            is_empty: !lattice.ids().any(is_seen),
            lattice: lattice.clone(),
        };
        for cells in outlines {
            for place in found.offsets(cells).into_iter().map(|offset| at.wrapping_add(offset)) {
                if lattice.space_if_any(place).is_some() {
                    found.taken[usize::from(place)] = is_taken(place);
                    found.is_beside[usize::from(place)] = lattice.beside(place).any(is_taken);
                }
            }
        }
        found
    }

    /// What leads from the place of an anchor to those of some squares.
    fn offsets(&self, cells: &[(i8, i8)]) -> SmallVec<[u16; 8]> {
        let width = self.lattice.width() as isize;
        cells.iter().map(|cell| (isize::from(cell.1) * width + isize::from(cell.0)) as u16).collect()
    }

    /// The places from which a square would lie on or beside one that is seen; on an empty grid all.
    fn anchors(&self, offsets: &[u16]) -> Vec<bool> {
        let mut found = vec![self.is_empty; self.lattice.places()];
        let near =
            self.taken.iter().zip(&self.is_beside).enumerate().filter(|(_, (taken, beside))| **taken || **beside);
        for (at, _) in near {
            for offset in offsets {
                if let Some(found) = found.get_mut(usize::from((at as u16).wrapping_sub(*offset))) {
                    *found = true;
                }
            }
        }
        found
    }

    /// Every place for pieces of an outline, or those at one anchor.
    fn add_sites(
        &self,
        (outline, cells, offsets): (u16, &[(i8, i8)], &[u16]),
        anchor: Option<SpaceId>,
        ways: &[Way],
        sites: &mut Vec<Site>,
    ) {
        let sides = |side: fn(&(i8, i8)) -> i8| {
            let all = || cells.iter().map(side).map(isize::from);
            (all().min().unwrap_or_default(), all().max().unwrap_or_default())
        };
        let ((least_x, most_x), (least_y, most_y)) = (sides(|cell| cell.0), sides(|cell| cell.1));
        let (columns, rows) = (self.lattice.columns as isize, self.lattice.rows as isize);
        let anchors = if anchor.is_none() { self.anchors(offsets) } else { Vec::new() };
        for index in self.lattice.numbers(anchor) {
            let (to, at) = self.lattice.numbered(index);
            if !anchors.is_empty() && !anchors[usize::from(at)] {
                continue;
            }
            let (x, y) = self.lattice.cell(index);
            let (x, y) = (x as isize, y as isize);
            let is_inside = x + least_x >= 0 && x + most_x < columns && y + least_y >= 0 && y + most_y < rows;
            let is_there =
                |cell: &(i8, i8)| self.lattice.has(x as i16 + i16::from(cell.0), y as i16 + i16::from(cell.1));
            if is_inside && cells.iter().all(is_there) {
                self.add_sites_at((to, at, outline), offsets, ways, sites);
            }
        }
    }

    /// The ways in which a piece of an outline can lie at a place.
    fn add_sites_at(
        &self,
        (to, at, outline): (SpaceId, u16, u16),
        offsets: &[u16],
        ways: &[Way],
        sites: &mut Vec<Site>,
    ) {
        let (mut covering, mut touches) = (0_u64, false);
        for (index, offset) in offsets.iter().enumerate() {
            let place = usize::from(at.wrapping_add(*offset));
            covering |= u64::from(self.taken[place]) << index;
            touches |= self.is_beside[place];
        }
        let all = lowest(offsets.len());
        sites.extend(ways.iter().filter_map(|&way| {
            let fits = match way {
                Way::Beside => covering == 0 && (self.is_empty || touches),
                Way::Over => covering != 0,
                Way::Under => covering != 0 && covering != all,
            };
            let seen = if way == Way::Under { all & !covering } else { all };
            fits.then_some(Site { to, at, outline, way, seen, covering })
        }));
    }
}

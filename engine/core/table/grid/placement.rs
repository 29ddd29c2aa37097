//! Possible placements of pieces that cover several spaces of a grid, listed without changing the table.
//!
//! A placement is a *spin* (a piece in one rotation) at a *site* (an anchor space, and a position relative to what lies
//! there: beside, over or under). Pieces with the same outline share their sites. Everything that does not depend on
//! the contents of the squares is therefore decided only once per site.

use crate::model::{Cell, PieceId, SpaceId, ZoneId};
use crate::table::Table;
use crate::table::grid::lattice::Lattice;
use crate::table::grid::ranked_bits::{
    RankedBits, combine_shifted, has, insert, insert_range, lowest_bits, members, set_bits,
};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Position of a placed piece relative to the pieces on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelativePosition {
    /// Beside other pieces: all squares are on empty spaces, and at least one shares an edge with a square of another piece. On an empty
    /// grid, any position is allowed.
    Beside,
    /// Above all other pieces, covering at least one square of another piece.
    Over,
    /// Below all other pieces. At least one square of the placed piece is covered, and at least one is visible.
    Under,
}

impl RelativePosition {
    /// All relative positions, in the order in which placements are listed.
    pub const ALL: [Self; 3] = [Self::Beside, Self::Over, Self::Under];

    /// Returns the word for the relative position in scripts and playscripts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Beside => "beside",
            Self::Over => "over",
            Self::Under => "under",
        }
    }

    /// Parses a [`word`](Self::word).
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.word() == word)
    }
}

/// One possible placement of one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The piece.
    pub piece: PieceId,
    /// Space of the piece's anchor: the north-west corner of its bounding box or, on hexagons, the first cell of its first row.
    pub to: SpaceId,
    /// Number of clockwise turns.
    pub turned: u8,
    /// Position relative to the pieces that lie there.
    pub way: RelativePosition,
}

/// A piece in one rotation.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct RotatedShape {
    piece: PieceId,
    turned: u8,
    outline: u16,
    /// Index of the spin's first word in the bitmap of placements.
    word: u32,
    /// Kinds of the piece's squares, in the order of the squares.
    pub(in crate::table) prints: SmallVec<[u16; 8]>,
}

/// Positions of a piece's squares relative to the anchor, and the sites at which a piece with this outline fits.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Outline {
    /// Offset of each square's cell from the anchor's cell, in the order of the squares.
    offsets: SmallVec<[u16; 8]>,
    /// Index of the outline's first site.
    first: u32,
    /// Number of the outline's sites.
    count: u32,
    /// Index of the outline's first word in a bitmap with one bit per site.
    word: u32,
}

impl Outline {
    /// Returns the number of words needed for one bit per site.
    const fn words(&self) -> usize {
        self.count.div_ceil(u64::BITS) as usize
    }

    /// Iterates over the indices of the outline's sites whose bits are set.
    fn sites_in<'w>(&self, words: &'w [u64]) -> impl Iterator<Item = u32> + use<'w> {
        let words = words[self.word as usize..].iter().take(self.words());
        let words = words.zip((self.first..).step_by(u64::BITS as usize));
        words.flat_map(|(word, first)| set_bits(*word).map(move |bit| first + bit))
    }
}

/// An anchor and a relative position at which pieces with the same outline fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Site {
    to: SpaceId,
    /// Cell of the anchor in the lattice.
    at: u16,
    outline: u16,
    way: RelativePosition,
    /// Squares of the piece that would be visible, one bit each.
    seen: u64,
    /// Squares of the piece that would lie over or under squares of other pieces, one bit each.
    covering: u64,
}

impl Site {
    /// Returns whether the piece's square at `index` would be visible.
    pub(in crate::table) const fn is_seen(&self, index: usize) -> bool {
        self.seen & 1 << index != 0
    }

    /// Returns whether the piece's square at `index` would cover a square that is visible now.
    pub(in crate::table) fn covers(&self, index: usize) -> bool {
        self.way == RelativePosition::Over && self.covering & 1 << index != 0
    }
}

/// All spins of some pieces, and all sites for them on a grid.
#[derive(Debug, PartialEq, Eq)]
struct Candidates {
    zone: ZoneId,
    lattice: Arc<Lattice>,
    spins: Vec<RotatedShape>,
    outlines: Vec<Outline>,
    sites: Vec<Site>,
}

/// A set of placements of some pieces on one grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placements {
    candidates: Arc<Candidates>,
    /// Placements in the set: a bit for each spin and each site of its outline.
    listed: RankedBits,
}

/// Decisions about sites, as bitmaps: sites that are kept for every piece, and sites at which the decision depends on
/// the piece.
pub(in crate::table) struct SiteDecisions {
    kept: Vec<u64>,
    open: Vec<u64>,
}

/// A bitmap of anchors for each outline.
pub(in crate::table) struct OutlineAnchors(Vec<Vec<u64>>);

impl OutlineAnchors {
    /// Returns whether the anchor of a site is in the bitmap of its outline.
    pub(in crate::table) fn has(&self, site: &Site) -> bool {
        has(&self.0[usize::from(site.outline)], usize::from(site.at))
    }
}

impl Placements {
    /// Maximum number of pieces whose placements are listed together.
    pub const MAX_PIECES: usize = 1_000;

    /// Lists all placements of `pieces` on a grid in the given relative positions, ordered by piece, rotation and site. Rotations that look
    /// alike are listed once.
    ///
    /// # Panics
    /// Panics if there are more than [`Self::MAX_PIECES`] pieces.
    pub fn new(table: &Table, zone: ZoneId, pieces: &[PieceId], ways: &[RelativePosition]) -> Self {
        Self::enumerate(table, zone, None, pieces, ways)
    }

    /// Lists the possible placements of a piece in all rotations, at the anchor and relative position of `placement`. The rotation of
    /// `placement` is ignored.
    pub fn at_site(table: &Table, placement: &Placement) -> Self {
        let zone = table.layout().zone_of(placement.to);
        Self::enumerate(table, zone, Some(placement.to), &[placement.piece], &[placement.way])
    }

    /// Lists placements on a grid. If an anchor is given, lists only those at this anchor.
    fn enumerate(
        table: &Table,
        zone: ZoneId,
        anchor: Option<SpaceId>,
        pieces: &[PieceId],
        ways: &[RelativePosition],
    ) -> Self {
        assert!(pieces.len() <= Self::MAX_PIECES, "{} pieces are too many", pieces.len());
        let mut cells: Vec<Vec<(i8, i8)>> = Vec::new();
        let mut spins = Vec::new();
        for &piece in pieces {
            spins.extend(spins_of(table, piece, &mut cells));
        }
        let standing = SeenSquares::new(table, zone);
        let (mut sites, mut outlines) = (Vec::new(), Vec::new());
        let mut word = 0;
        for (number, cells) in cells.iter().enumerate() {
            let (first, offsets) = (sites.len() as u32, standing.offsets(cells));
            standing.add_sites((number as u16, &offsets), cells, anchor, ways, &mut sites);
            let outline = Outline { offsets, first, count: sites.len() as u32 - first, word };
            word += outline.words() as u32;
            outlines.push(outline);
        }
        let mut words = Vec::new();
        for spin in &mut spins {
            let outline = &outlines[usize::from(spin.outline)];
            spin.word = words.len() as u32;
            let each = |word: usize| lowest_bits(outline.count as usize - word * u64::BITS as usize);
            words.extend((0..outline.words()).map(each));
        }
        let candidates = Candidates { zone, lattice: standing.lattice, spins, outlines, sites };
        Self { candidates: Arc::new(candidates), listed: RankedBits::new(words) }
    }

    /// Returns the number of placements.
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Returns whether there are no placements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the grid.
    pub fn zone(&self) -> ZoneId {
        self.candidates.zone
    }

    /// Returns the placement at an index.
    ///
    /// # Panics
    /// Panics if `at` is not below [`len`](Self::len).
    pub fn get(&self, at: usize) -> Placement {
        let (spin, site) = self.indices_at(at);
        let (spin, site) = (self.spin(spin), self.site(site));
        Placement { piece: spin.piece, to: site.to, turned: spin.turned, way: site.way }
    }

    /// Returns the index of a placement; `None` if it is not in the set.
    pub fn position(&self, wanted: &Placement) -> Option<usize> {
        let Candidates { spins, outlines, sites, .. } = &*self.candidates;
        let spins = spins.iter().filter(|spin| (spin.piece, spin.turned) == (wanted.piece, wanted.turned));
        let mut found = spins.flat_map(|spin| {
            let outline = &outlines[usize::from(spin.outline)];
            let sites = sites[outline.first as usize..].iter().take(outline.count as usize).enumerate();
            let here = sites.filter(|(_, site)| (site.to, site.way) == (wanted.to, wanted.way));
            here.filter_map(|(index, _)| {
                let (word, bit) = (index / u64::BITS as usize, index as u32 % u64::BITS);
                self.listed.position(spin.word as usize + word, bit)
            })
        });
        found.next()
    }

    /// Returns whether the two sets have a placement in common. Fast if both are subsets of the same list.
    pub fn intersects(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.candidates, &other.candidates) {
            let mut both = self.listed.words().iter().zip(other.listed.words());
            return both.any(|(one, other)| one & other != 0);
        }
        let (fewer, more) = if self.len() < other.len() { (self, other) } else { (other, self) };
        let known: FxHashSet<Placement> = more.iter().collect();
        fewer.iter().any(|one| known.contains(&one))
    }

    /// Iterates over the placements.
    pub fn iter(&self) -> impl Iterator<Item = Placement> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Iterates over the spaces whose visible squares would be covered by the placement at an index.
    pub fn spaces_covered(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = self.site(self.indices_at(at).1);
        let places = self.places(site).enumerate().filter(|(index, _)| site.covers(*index));
        places.map(|(_, at)| self.candidates.lattice.space(at))
    }

    /// Iterates over the spaces on which squares of the placement at an index would be visible.
    pub fn spaces_seen(&self, at: usize) -> impl Iterator<Item = SpaceId> + '_ {
        let site = self.site(self.indices_at(at).1);
        let places = self.places(site).enumerate().filter(|(index, _)| site.is_seen(*index));
        places.map(|(_, at)| self.candidates.lattice.space(at))
    }

    /// Keeps the placements that put no visible square on any of the given spaces, even on spaces that are empty now.
    #[must_use]
    pub fn not_covering(&self, table: &Table, spaces: &[SpaceId]) -> Self {
        let lattice = &self.candidates.lattice;
        let mut kept = vec![0; lattice.inside().len()];
        for space in spaces {
            insert(&mut kept, usize::from(lattice.at(table.layout().ground_space(*space))));
        }
        let near = self.anchors_on(&kept);
        let covers = |site: &Site| {
            let mut seen = self.places(site).enumerate().filter(|(index, _)| site.is_seen(*index));
            near.has(site) && seen.any(|(_, at)| has(&kept, usize::from(at)))
        };
        let decisions = self.decide_sites(|site| Some(!covers(self.site(site))));
        self.filter(&decisions, |_, _| true)
    }

    /// Returns, for each outline, the anchors at which at least one square lies on one of `cells`.
    pub(in crate::table) fn anchors_on(&self, cells: &[u64]) -> OutlineAnchors {
        let of_outline = |outline: &Outline| {
            let mut found = vec![0; cells.len()];
            for offset in &outline.offsets {
                // Offsets to earlier cells are negative.
                combine_shifted(&mut found, cells, isize::from(*offset as i16), |word, cells| *word |= cells);
            }
            found
        };
        OutlineAnchors(self.candidates.outlines.iter().map(of_outline).collect())
    }

    /// Iterates over the pieces that the set was created for, even if none of their placements are left. Each piece occurs once for each of
    /// its different rotations.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        self.candidates.spins.iter().map(|spin| spin.piece)
    }

    /// Returns the pieces, anchors, rotations and relative positions that occur in the set, sorted and without duplicates.
    pub fn values(&self) -> (Vec<PieceId>, Vec<SpaceId>, Vec<u8>, Vec<RelativePosition>) {
        let spins = || {
            let all = self.candidates.spins.iter();
            all.filter(|spin| self.bits_of(spin).iter().any(|word| *word != 0))
        };
        let sites = || self.occurring_sites().into_iter().map(|site| self.site(site));
        (
            sorted_distinct(spins().map(|spin| spin.piece)),
            sorted_distinct(sites().map(|site| site.to)),
            sorted_distinct(spins().map(|spin| spin.turned)),
            sorted_distinct(sites().map(|site| site.way)),
        )
    }

    /// Keeps the placements of the pieces that `wanted` accepts.
    #[must_use]
    pub fn with_pieces(&self, wanted: impl Fn(PieceId) -> bool) -> Self {
        let mut words = self.listed.words().to_vec();
        for spin in self.candidates.spins.iter().filter(|spin| !wanted(spin.piece)) {
            words[self.range_of(spin)].fill(0);
        }
        self.with_bits(words)
    }

    /// Calls `decide` for each site that occurs in the set. `Some` decides for all pieces at the site. `None` leaves the decision to
    /// [`filter`](Self::filter).
    pub(in crate::table) fn decide_sites(&self, mut decide: impl FnMut(u32) -> Option<bool>) -> SiteDecisions {
        let listed = self.listed_sites();
        let (mut kept, mut open) = (vec![0; listed.len()], vec![0; listed.len()]);
        for outline in &self.candidates.outlines {
            for site in outline.sites_in(&listed) {
                let index = site - outline.first;
                let (word, bit) = ((outline.word + index / u64::BITS) as usize, 1 << (index % u64::BITS));
                match decide(site) {
                    Some(true) => kept[word] |= bit,
                    Some(false) => {}
                    None => open[word] |= bit,
                }
            }
        }
        SiteDecisions { kept, open }
    }

    /// Keeps the placements at sites that `decisions` has decided to keep. At sites that it leaves open, keeps the placements whose spin
    /// and site `is_wanted` accepts.
    pub(in crate::table) fn filter(
        &self,
        decisions: &SiteDecisions,
        mut is_wanted: impl FnMut(u16, u32) -> bool,
    ) -> Self {
        let mut words = Vec::with_capacity(self.listed.words().len());
        for (number, spin) in self.candidates.spins.iter().enumerate() {
            let outline = &self.candidates.outlines[usize::from(spin.outline)];
            for (word, listed) in self.bits_of(spin).iter().enumerate() {
                let of_sites = outline.word as usize + word;
                let mut kept = listed & decisions.kept[of_sites];
                for bit in set_bits(listed & decisions.open[of_sites]) {
                    if is_wanted(number as u16, outline.first + word as u32 * u64::BITS + bit) {
                        kept |= 1 << bit;
                    }
                }
                words.push(kept);
            }
        }
        self.with_bits(words)
    }

    /// Iterates over the placements as pairs of spin index and site index.
    pub(in crate::table) fn numbers(&self) -> impl Iterator<Item = (u16, u32)> + '_ {
        self.candidates.spins.iter().enumerate().flat_map(|(number, spin)| {
            let first = self.candidates.outlines[usize::from(spin.outline)].first;
            let words = self.bits_of(spin).iter().zip((first..).step_by(u64::BITS as usize));
            words.flat_map(move |(word, first)| set_bits(*word).map(move |bit| (number as u16, first + bit)))
        })
    }

    /// Returns the spin index and the site index of the placement at `at`.
    pub(in crate::table) fn indices_at(&self, at: usize) -> (u16, u32) {
        let Candidates { spins, outlines, .. } = &*self.candidates;
        let (word, bit) = self.listed.at(at);
        let number = spins.partition_point(|spin| spin.word as usize <= word) - 1;
        let spin = &spins[number];
        let site = (word as u32 - spin.word) * u64::BITS + bit;
        (number as u16, outlines[usize::from(spin.outline)].first + site)
    }

    /// Keeps the placements with the given pairs of spin index and site index.
    pub(in crate::table) fn with_numbers(&self, numbers: impl IntoIterator<Item = (u16, u32)>) -> Self {
        let mut words = vec![0; self.listed.words().len()];
        for (spin, site) in numbers {
            let spin = self.spin(spin);
            let index = site - self.candidates.outlines[usize::from(spin.outline)].first;
            words[(spin.word + index / u64::BITS) as usize] |= 1 << (index % u64::BITS);
        }
        self.with_bits(words)
    }

    /// Returns a spin by its index.
    pub(in crate::table) fn spin(&self, number: u16) -> &RotatedShape {
        &self.candidates.spins[usize::from(number)]
    }

    /// Returns the number of all sites, including those that do not occur in the set.
    pub(in crate::table) fn sites(&self) -> usize {
        self.candidates.sites.len()
    }

    /// Returns a site by its index.
    pub(in crate::table) fn site(&self, number: u32) -> &Site {
        &self.candidates.sites[number as usize]
    }

    /// Iterates over the lattice cells that the squares of a piece at a site would cover, in the order of the squares.
    pub(in crate::table) fn places(&self, site: &Site) -> impl Iterator<Item = u16> + Clone + '_ {
        let at = site.at;
        let offsets = self.candidates.outlines[usize::from(site.outline)].offsets.iter();
        offsets.map(move |offset| at.wrapping_add(*offset))
    }

    /// Returns the part of the bitmap that belongs to a spin.
    fn bits_of(&self, spin: &RotatedShape) -> &[u64] {
        &self.listed.words()[self.range_of(spin)]
    }

    fn range_of(&self, spin: &RotatedShape) -> Range<usize> {
        let start = spin.word as usize;
        start..start + self.candidates.outlines[usize::from(spin.outline)].words()
    }

    /// Returns a bitmap of the sites that occur in the set.
    fn listed_sites(&self) -> Vec<u64> {
        let Candidates { spins, outlines, .. } = &*self.candidates;
        let mut listed = vec![0; outlines.iter().map(Outline::words).sum()];
        for spin in spins {
            let of_sites = &mut listed[outlines[usize::from(spin.outline)].word as usize..];
            of_sites.iter_mut().zip(self.bits_of(spin)).for_each(|(all, word)| *all |= word);
        }
        listed
    }

    /// Returns the indices of the sites that occur in the set.
    pub(in crate::table) fn occurring_sites(&self) -> Vec<u32> {
        let listed = self.listed_sites();
        self.candidates.outlines.iter().flat_map(|outline| outline.sites_in(&listed)).collect()
    }

    fn with_bits(&self, words: Vec<u64>) -> Self {
        Self { candidates: self.candidates.clone(), listed: RankedBits::new(words) }
    }
}

/// Returns the distinct items, sorted.
fn sorted_distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns a spin for each rotation in which a piece looks different. Adds new outlines to `outlines`.
fn spins_of(table: &Table, piece: PieceId, outlines: &mut Vec<Vec<(i8, i8)>>) -> Vec<RotatedShape> {
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
        spins.push(RotatedShape { piece, turned, outline: number as u16, word: 0, prints });
    }
    spins
}

/// Cells of a grid on which squares of pieces are visible, as bitmaps.
struct SeenSquares {
    lattice: Arc<Lattice>,
    taken: Vec<u64>,
    /// Cells next to the taken cells.
    beside: Vec<u64>,
    is_empty: bool,
}

impl SeenSquares {
    fn new(table: &Table, zone: ZoneId) -> Self {
        let layout = table.layout();
        let (lattice, ground) = (layout.lattice(zone).clone(), layout.ground_zone(zone));
        let mut taken = vec![0; lattice.inside().len()];
        for space in table.covered_spaces_of(ground) {
            // Zones over a grid number their spaces in the same way as the grid.
            let number = space.0 - table.model().zone(ground).spaces.start;
            insert(&mut taken, usize::from(lattice.cell_by_number(number)));
        }
        let mut beside = vec![0; taken.len()];
        for at in members(&taken) {
            lattice.beside(at as u16).for_each(|near| insert(&mut beside, usize::from(near)));
        }
        Self { is_empty: taken.iter().all(|word| *word == 0), lattice, taken, beside }
    }

    /// Returns the offset of each square's cell from the anchor's cell.
    fn offsets(&self, cells: &[(i8, i8)]) -> SmallVec<[u16; 8]> {
        cells.iter().map(|cell| self.offset(*cell) as u16).collect()
    }

    /// Returns the offset of a square's cell from the anchor's cell.
    fn offset(&self, (x, y): (i8, i8)) -> isize {
        isize::from(y) * self.lattice.width() as isize + isize::from(x)
    }

    /// Returns a bitmap of the anchors on the grid at which all squares of an outline also lie on the grid.
    fn anchors_inside(&self, cells: &[(i8, i8)]) -> Vec<u64> {
        let sides = |side: fn(&(i8, i8)) -> i8| {
            let all = || cells.iter().map(side).map(isize::from);
            (all().min().unwrap_or_default(), all().max().unwrap_or_default())
        };
        let ((least_x, most_x), (least_y, most_y)) = (sides(|cell| cell.0), sides(|cell| cell.1));
        let (columns, rows) = (self.lattice.columns as isize, self.lattice.rows as isize);
        let mut found = vec![0; self.taken.len()];
        // Without these limits, squares beyond an edge would appear at the other end of the next row.
        let (left, right) = ((-least_x).max(0), (columns - most_x).min(columns));
        for row in (-least_y).max(0)..(rows - most_y).min(rows) {
            let start = (row + 1) * self.lattice.width() as isize + 1;
            if left < right {
                insert_range(&mut found, (start + left) as usize..(start + right) as usize);
            }
        }
        for cell in cells.iter().chain([&(0, 0)]) {
            combine_shifted(&mut found, self.lattice.inside(), self.offset(*cell), |word, inside| *word &= inside);
        }
        found
    }

    /// Adds the sites of an outline, in the order of their anchors. If an anchor is given, adds only the sites at this anchor.
    fn add_sites(
        &self,
        (outline, offsets): (u16, &[u16]),
        cells: &[(i8, i8)],
        anchor: Option<SpaceId>,
        ways: &[RelativePosition],
        sites: &mut Vec<Site>,
    ) {
        let mut anchors = self.anchors_inside(cells);
        let (mut covering, mut touching) = (vec![0; anchors.len()], vec![0; anchors.len()]);
        for cell in cells {
            combine_shifted(&mut covering, &self.taken, self.offset(*cell), |word, taken| *word |= taken);
            combine_shifted(&mut touching, &self.beside, self.offset(*cell), |word, beside| *word |= beside);
        }
        if !self.is_empty {
            for ((anchors, covering), touching) in anchors.iter_mut().zip(&covering).zip(&touching) {
                *anchors &= covering | touching;
            }
        }
        let mut numbers: Vec<u16> = match anchor {
            None => members(&anchors).filter_map(|at| self.lattice.number_at(at as u16)).collect(),
            Some(anchor) => self.lattice.number_at(self.lattice.at(anchor)).into_iter().collect(),
        };
        // The spaces of a zone may be numbered in another order than the cells of its lattice.
        numbers.sort_unstable();
        for number in numbers {
            let at = self.lattice.cell_by_number(number);
            if has(&anchors, usize::from(at)) {
                let to = self.lattice.space_by_number(number);
                self.add_sites_at((to, at, outline), offsets, has(&touching, usize::from(at)), ways, sites);
            }
        }
    }

    /// Adds a site for each relative position in which a piece with this outline fits at an anchor.
    fn add_sites_at(
        &self,
        (to, at, outline): (SpaceId, u16, u16),
        offsets: &[u16],
        touches: bool,
        ways: &[RelativePosition],
        sites: &mut Vec<Site>,
    ) {
        let is_taken = |offset: &u16| u64::from(has(&self.taken, usize::from(at.wrapping_add(*offset))));
        let covering = offsets.iter().enumerate().fold(0, |bits, (index, offset)| bits | is_taken(offset) << index);
        let all = lowest_bits(offsets.len());
        sites.extend(ways.iter().filter_map(|&way| {
            let fits = match way {
                RelativePosition::Beside => covering == 0 && (self.is_empty || touches),
                RelativePosition::Over => covering != 0,
                RelativePosition::Under => covering != 0 && covering != all,
            };
            let seen = if way == RelativePosition::Under { all & !covering } else { all };
            fits.then_some(Site { to, at, outline, way, seen, covering })
        }));
    }
}

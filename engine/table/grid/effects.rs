//! What placements would do to the regions of a grid, calculated without laying anything.
//!
//! The grid is written into an array of numbers once; a placement changes a few of them, and they are set back after it
//! was looked at. Only those are looked at for which it is not settled by the regions they touch.

use crate::model::SpaceId;
use crate::table::Table;
use crate::table::grid::placement::{Placement, Placements, Settled, Site};
use crate::table::grid::region::{Ground, Lattice, RegionSearch};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The total of a region with any of some spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Joined {
    /// Which of the spaces lie in it, by their positions in the list asked for.
    pub spaces: Vec<usize>,
    /// Those of them whose own region counted as much before.
    pub same: Vec<usize>,
    /// Those of them whose regions before are wholly in it.
    pub whole: Vec<usize>,
}

/// Placements that do the same to some spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacementEffect {
    /// The placements.
    pub placements: Placements,
    /// The regions with any of the spaces.
    pub regions: Vec<Joined>,
    /// Which of the spaces show something else than before.
    pub lost: Vec<usize>,
}

/// A space whose region is followed.
struct Mark {
    at: u16,
    code: u16,
    weight: i64,
    /// One bit for its region; where there are many regions, several share a bit.
    bit: u64,
    region: usize,
}

/// What a site has to do with the regions followed.
#[derive(Clone, Copy, Default)]
struct Contact {
    /// The regions of which one of its squares takes a space.
    covered: u64,
    /// Which of the edges it has part in, the first and how many.
    first: u32,
    edges: u32,
}

/// A square of a site beside a region.
struct Edge {
    /// The square.
    index: u8,
    /// What it must say to join the region.
    code: u16,
    bit: u64,
}

/// Placements being looked at.
///
/// What they do to regions is told apart without laying anything as far as that is certain: a placement that neither takes
/// a space of a region nor puts a square that says the same beside it changes nothing of it.
struct Study<'p> {
    placements: &'p Placements,
    ground: Ground,
    /// What a square says in the field followed, and what it counts, by what is printed on it.
    codes: Vec<u16>,
    weights: Vec<i32>,
    /// Whether every square counts something.
    is_positive: bool,
    /// The spaces asked for, then the others.
    marks: Vec<Mark>,
    asked: usize,
    /// The places of each region followed.
    regions: Vec<Vec<u16>>,
    contacts: Vec<Contact>,
    edges: Vec<Edge>,
    search: RegionSearch,
    before: SmallVec<[(u16, u16, i32); 8]>,
}

impl<'p> Study<'p> {
    /// Follows the regions of some spaces, and of others that they may have to do with.
    fn new(
        placements: &'p Placements,
        table: &Table,
        (field, weight): (usize, Option<usize>),
        spaces: &[SpaceId],
        others: &[SpaceId],
    ) -> Self {
        let layout = table.layout();
        let ground = Ground::new(table, placements.zone(), field, weight);
        let codes = layout.cells.codes(field).to_vec();
        let weights = weight.map_or_else(|| vec![1; codes.len()], |weight| layout.cells.numbers(weight).to_vec());
        let mut study = Self {
            placements,
            codes,
            is_positive: weights.iter().all(|weight| *weight > 0),
            weights,
            marks: Vec::with_capacity(spaces.len() + others.len()),
            asked: spaces.len(),
            regions: Vec::new(),
            contacts: Vec::new(),
            edges: Vec::new(),
            search: RegionSearch::default(),
            before: SmallVec::new(),
            ground,
        };
        study.follow(table, spaces.iter().chain(others));
        study
    }

    /// Notes the regions of some spaces, and which sites have to do with them.
    fn follow<'s>(&mut self, table: &Table, spaces: impl Iterator<Item = &'s SpaceId>) {
        let mut bits = vec![0_u64; self.ground.codes.len()];
        for space in spaces {
            let at = self.ground.at(table.layout(), *space);
            let weight = self.ground.gather(at, &mut self.search);
            let known = self.marks.iter().find(|mark| self.search.has(mark.at)).map(|mark| mark.region);
            let region = known.unwrap_or(self.regions.len());
            if known.is_none() {
                self.regions.push(self.search.found.clone());
            }
            let bit = 1 << (region % u64::BITS as usize);
            self.search.found.iter().for_each(|at| bits[*at as usize] |= bit);
            // A space that says nothing has no region, and may come to say something.
            bits[at as usize] |= bit;
            self.marks.push(Mark { at, code: self.ground.codes[at as usize], weight, bit, region });
        }
        let mut near = bits.clone();
        // The first place stands for the spaces of other grids.
        for (at, bit) in bits.iter().enumerate().skip(1).filter(|(_, bit)| **bit != 0) {
            for beside in self.ground.lattice.beside(at as u16) {
                near[beside as usize] |= bit;
            }
        }
        let placements = self.placements;
        let mut edges = Vec::new();
        self.contacts = vec![Contact::default(); placements.sites()];
        for site in placements.numbers_of_sites() {
            self.contacts[site as usize] = self.contact(placements.site(site), (&bits, &near), &mut edges);
        }
        self.edges = edges;
    }

    /// What a site has to do with regions whose places have bits, and which places are in or beside them.
    fn contact(&self, site: &Site, (bits, near): (&[u64], &[u64]), edges: &mut Vec<Edge>) -> Contact {
        let (mut covered, first) = (0, edges.len());
        let places = self.placements.places(site);
        for (index, at) in places.clone().enumerate() {
            if near[usize::from(at)] == 0 || !site.is_seen(index) {
                continue;
            }
            covered |= bits[usize::from(at)];
            for beside in self.ground.lattice.beside(at) {
                let (bit, code) = (bits[usize::from(beside)], self.ground.codes[usize::from(beside)]);
                let is_own = || places.clone().enumerate().any(|(own, place)| place == beside && site.is_seen(own));
                if bit != 0 && code != 0 && !is_own() {
                    edges.push(Edge { index: index as u8, code, bit });
                }
            }
        }
        Contact { covered, first: first as u32, edges: (edges.len() - first) as u32 }
    }

    /// The regions a placement has to do with, one bit each.
    fn touched(&self, spin: u16, site: u32) -> u64 {
        let Contact { covered, first, edges } = self.contacts[site as usize];
        if edges == 0 {
            return covered;
        }
        let prints = &self.placements.spin(spin).prints;
        let says_same = |edge: &&Edge| self.codes[prints[edge.index as usize] as usize] == edge.code;
        let edges = &self.edges[first as usize..(first + edges) as usize];
        edges.iter().filter(says_same).fold(covered, |touched, edge| touched | edge.bit)
    }

    /// What is said of all placements at a site by the regions that they touch, where the piece makes no difference to these: nothing
    /// where it does, or where more has to be looked at.
    fn settled(&self, say: impl Fn(u64) -> Option<bool>) -> Settled {
        self.placements.settled(|site| {
            let contact = self.contacts[site as usize];
            if contact.edges == 0 { say(contact.covered) } else { None }
        })
    }

    /// Whether every region has a bit of its own; where several share one, it is not certain which of them is touched.
    fn is_exact(&self) -> bool {
        self.regions.len() <= u64::BITS as usize
    }

    /// The bits of regions that say the same, for each that they say.
    fn kinds(&self) -> Vec<u64> {
        let mut codes: Vec<u16> = self.marks.iter().map(|mark| mark.code).filter(|code| *code != 0).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().map(|code| bits(self.marks.iter().filter(|mark| mark.code == code))).collect()
    }

    /// Whether a region of a mark that a placement touches is certainly larger or smaller afterwards.
    fn changes_size(&self, spin: u16, site: u32, mark: &Mark) -> bool {
        if !self.is_positive || !self.is_exact() {
            return false;
        }
        let found = self.placements.site(site);
        let prints = &self.placements.spin(spin).prints;
        let says_same =
            |(index, print): (usize, &u16)| found.is_seen(index) && self.codes[*print as usize] == mark.code;
        self.contacts[site as usize].covered & mark.bit == 0 || !prints.iter().enumerate().any(says_same)
    }

    /// Lays a piece, for as long as it is looked at.
    fn lay(&mut self, spin: u16, site: u32) {
        let found = self.placements.site(site);
        let prints = &self.placements.spin(spin).prints;
        for (index, at) in self.placements.places(found).enumerate().filter(|(index, _)| found.is_seen(*index)) {
            let place = usize::from(at);
            self.before.push((at, self.ground.codes[place], self.ground.weights[place]));
            self.ground.codes[place] = self.codes[prints[index] as usize];
            self.ground.weights[place] = self.weights[prints[index] as usize];
        }
    }

    /// Takes it up again.
    fn take_up(&mut self) {
        for (at, code, weight) in self.before.drain(..) {
            self.ground.codes[at as usize] = code;
            self.ground.weights[at as usize] = weight;
        }
    }

    /// Whether a space still shows what it did.
    fn is_same(&self, at: u16, code: u16) -> bool {
        self.ground.codes[at as usize] == code
    }

    /// What a placement does to every space followed.
    fn outcome(&mut self) -> (Vec<Joined>, Vec<usize>) {
        let mut regions: Vec<Joined> = Vec::new();
        let lost = self.marks.iter().enumerate().filter(|(_, mark)| !self.is_same(mark.at, mark.code));
        let lost: Vec<usize> = lost.map(|(index, _)| index).collect();
        for index in 0..self.marks.len() {
            if regions.iter().any(|region| region.spaces.contains(&index)) {
                continue;
            }
            let weight = self.ground.gather(self.marks[index].at, &mut self.search);
            let spaces: Vec<usize> = (0..self.marks.len()).filter(|at| self.search.has(self.marks[*at].at)).collect();
            if spaces.is_empty() {
                continue;
            }
            let kept: Vec<usize> = spaces.iter().copied().filter(|at| !lost.contains(at)).collect();
            let same = kept.iter().copied().filter(|at| self.marks[*at].weight == weight).collect();
            let is_whole = |at: &usize| self.regions[self.marks[*at].region].iter().all(|at| self.search.has(*at));
            let whole = kept.into_iter().filter(is_whole).collect();
            regions.push(Joined { spaces, same, whole });
        }
        (regions, lost)
    }
}

/// The bits of the regions of some marks.
fn bits<'m>(marks: impl IntoIterator<Item = &'m Mark>) -> u64 {
    marks.into_iter().fold(0, |bits, mark| bits | mark.bit)
}

impl Placements {
    /// Those after which the regions of some spaces count as much as before, and the spaces show what they showed.
    #[must_use]
    pub fn keeping_size(&self, table: &Table, field: usize, weight: usize, spaces: &[SpaceId]) -> Self {
        let mut study = Study::new(self, table, (field, Some(weight)), spaces, &[]);
        let settled = study.settled(|touched| (touched == 0).then_some(true));
        self.kept(&settled, |spin, site| {
            let touched = study.touched(spin, site);
            if touched == 0 {
                return true;
            }
            if study.marks.iter().any(|mark| mark.bit & touched != 0 && study.changes_size(spin, site, mark)) {
                return false;
            }
            study.lay(spin, site);
            let keeps = (0..study.marks.len()).all(|index| {
                let Mark { at, code, weight, bit, .. } = study.marks[index];
                bit & touched == 0 || study.is_same(at, code) && study.ground.gather(at, &mut study.search) == weight
            });
            study.take_up();
            keeps
        })
    }

    /// Those after which no region of one of `spaces` that holds one of `with`, whatever that shows, counts more than before.
    #[must_use]
    pub fn not_growing(
        &self,
        table: &Table,
        field: usize,
        weight: usize,
        spaces: &[SpaceId],
        with: &[SpaceId],
    ) -> Self {
        let mut study = Study::new(self, table, (field, Some(weight)), spaces, with);
        let (marks, others) = study.marks.split_at(study.asked);
        let with: Vec<u16> = others.iter().map(|mark| mark.at).collect();
        let (own, theirs) = (bits(marks), bits(others));
        let settled = study.settled(|touched| (touched & own == 0).then_some(true));
        self.kept(&settled, |spin, site| {
            let touched = study.touched(spin, site);
            // Only a region that has one of them, or may be joined with theirs, is asked for.
            let may_grow = |mark: &Mark| mark.bit & touched != 0 && (touched | mark.bit) & theirs != 0;
            if touched & own == 0 || !study.marks[..study.asked].iter().any(may_grow) {
                return true;
            }
            study.lay(spin, site);
            let grows = (0..study.asked).any(|index| {
                let Mark { at, code, weight, bit, .. } = study.marks[index];
                bit & touched != 0
                    && study.is_same(at, code)
                    && study.ground.gather(at, &mut study.search) > weight
                    && with.iter().any(|at| study.search.has(*at))
            });
            study.take_up();
            !grows
        })
    }

    /// Those after which (or, if not `joined`, after which not) one of `spaces` and another one of `others` lie in the same
    /// region; a space that shows something else than before lies in none.
    #[must_use]
    pub fn joining(
        &self,
        table: &Table,
        field: usize,
        (spaces, others): (&[SpaceId], &[SpaceId]),
        joined: bool,
    ) -> Self {
        let mut study = Study::new(self, table, (field, None), spaces, others);
        let (marks, others) = study.marks.split_at(study.asked);
        let (own, theirs, kinds, is_exact) = (bits(marks), bits(others), study.kinds(), study.is_exact());
        // Two regions are joined only if they say the same, and both are touched.
        let may_join = |touched: u64| {
            let joins = |kind: &u64| {
                let alike = kind & touched;
                alike & own != 0 && alike & theirs != 0 && (alike.count_ones() > 1 || !is_exact)
            };
            kinds.iter().any(joins)
        };
        let others: Vec<(u16, u16)> = others.iter().map(|mark| (mark.at, mark.code)).collect();
        let meets = |study: &mut Study<'_>, index: usize| {
            let Mark { at, code, .. } = study.marks[index];
            if !study.is_same(at, code) {
                return false;
            }
            study.ground.gather(at, &mut study.search);
            others.iter().any(|(other, code)| *other != at && study.search.has(*other) && study.is_same(*other, *code))
        };
        let together: Vec<usize> = (0..study.asked).filter(|index| meets(&mut study, *index)).collect();
        let together = bits(together.into_iter().map(|index| &study.marks[index]));
        let by_regions = |touched: u64| {
            if together & !touched != 0 {
                return Some(joined);
            }
            (together == 0 && (touched == 0 || !may_join(touched))).then_some(!joined)
        };
        let settled = study.settled(by_regions);
        self.kept(&settled, |spin, site| {
            let touched = study.touched(spin, site);
            if let Some(is_wanted) = by_regions(touched) {
                return is_wanted;
            }
            study.lay(spin, site);
            let found = (0..study.asked).any(|index| study.marks[index].bit & touched != 0 && meets(&mut study, index));
            study.take_up();
            found == joined
        })
    }

    /// All of them, put together by what they do to some spaces, in the order in which that first comes.
    pub fn outcomes(&self, table: &Table, field: usize, weight: usize, spaces: &[SpaceId]) -> Vec<PlacementEffect> {
        let mut study = Study::new(self, table, (field, Some(weight)), spaces, &[]);
        let untouched = study.outcome();
        let mut known: FxHashMap<(Vec<Joined>, Vec<usize>), usize> = FxHashMap::default();
        let mut found: Vec<(Vec<(u16, u32)>, Vec<Joined>, Vec<usize>)> = Vec::new();
        for (spin, site) in self.numbers() {
            let touched = study.touched(spin, site);
            let what = if touched == 0 {
                untouched.clone()
            } else {
                study.lay(spin, site);
                let what = study.outcome();
                study.take_up();
                what
            };
            let at = *known.entry(what).or_insert_with_key(|(regions, lost)| {
                found.push((Vec::new(), regions.clone(), lost.clone()));
                found.len() - 1
            });
            found[at].0.push((spin, site));
        }
        let effect = |(numbers, regions, lost)| PlacementEffect { placements: self.of_numbers(numbers), regions, lost };
        found.into_iter().map(effect).collect()
    }

    /// The region a space would be in after a placement, as [`Table::region`] returns it, those first that are seen longest.
    pub fn region_after(
        &self,
        table: &Table,
        placement: &Placement,
        field: usize,
        space: SpaceId,
    ) -> Option<Vec<SpaceId>> {
        let (spin, site) = self.numbers_at(self.position(placement)?);
        let (site, prints, layout) = (self.site(site), &self.spin(spin).prints, table.layout());
        let (codes, lattice) = (layout.cells.codes(field), Lattice::of_ground(layout, self.zone()));
        let seen = self.places(site).enumerate().filter(|(index, _)| site.is_seen(*index));
        let laid: SmallVec<[(u16, u16); 8]> = seen.map(|(index, at)| (at, codes[prints[index] as usize])).collect();
        let laid_at = |at: u16| laid.iter().find(|(place, _)| *place == at).map(|(_, code)| *code);
        let lies_at = |at: u16| Some(codes[table.print_at(lattice.space_if_any(at)?)? as usize]);
        let code_at = |at: u16| laid_at(at).or_else(|| lies_at(at)).unwrap_or_default();
        let mut search = RegionSearch::default();
        search.gather(&lattice, lattice.at(layout.ground_space(space)), code_at);
        let age = |at: u16| {
            let lies = || table.shows(lattice.space(at)).map_or(0, |piece| table.laid(piece));
            laid_at(at).map_or_else(lies, |_| u16::MAX)
        };
        search.found.sort_by_cached_key(|at| (age(*at), *at));
        Some(search.found.into_iter().map(|at| lattice.space(at)).collect())
    }
}

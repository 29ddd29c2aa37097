//! Effects of placements on the regions of a grid, calculated without changing the table.
//!
//! The grid is copied into an array of numbers once. A placement changes a few of the numbers, which are restored
//! afterwards. Placements are simulated only if their effect does not follow from the regions that they touch.

use crate::model::SpaceId;
use crate::table::Table;
use crate::table::grid::placement::{Placement, Placements, Site, SiteDecisions};
use crate::table::grid::ranked_bits::insert;
use crate::table::grid::region::{FieldGrid, RegionSearch};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A region after a placement. It contains at least one of the examined spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JoinedRegion {
    /// Examined spaces in the region, as indices in the list of examined spaces.
    pub spaces: Vec<usize>,
    /// Elements of `spaces` whose content has not changed, and whose region had the same total before the placement.
    pub same: Vec<usize>,
    /// Elements of `spaces` whose content has not changed, and whose former region lies completely within this region.
    pub whole: Vec<usize>,
}

/// Placements that have the same effect on the examined spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacementEffect {
    /// The placements.
    pub placements: Placements,
    /// Regions that contain at least one of the examined spaces.
    pub regions: Vec<JoinedRegion>,
    /// Examined spaces whose visible content has changed.
    pub lost: Vec<usize>,
}

/// A tracked space, with its region before the placement.
struct Mark {
    at: u16,
    code: u16,
    weight: i64,
    /// Bit of the region. If there are more than 64 regions, several regions share a bit.
    bit: u64,
    region: usize,
}

/// Contact of a site with the tracked regions.
#[derive(Clone, Copy, Default)]
struct RegionContact {
    /// Regions that the site covers at least partly, one bit each.
    covered: u64,
    /// Index of the site's first entry in `edges`.
    first: u32,
    /// Number of the site's entries in `edges`.
    edges: u32,
}

/// Contact between a square of a site and an adjacent region.
struct Edge {
    /// Index of the square in the piece.
    index: u8,
    /// Code of the content that the square must have to join the region.
    code: u16,
    bit: u64,
}

/// Simulation of placements and their effects on regions.
///
/// Most placements need no simulation. A placement leaves a region unchanged if it neither covers a space of the region nor puts a square
/// with the same content next to the region.
struct Simulation<'p> {
    placements: &'p Placements,
    ground: FieldGrid,
    /// Code that the region-defining field has for each kind of square.
    codes: Vec<u16>,
    weights: Vec<i32>,
    /// Whether all weights are positive.
    is_positive: bool,
    /// Tracked spaces: first the examined spaces, then the others.
    marks: Vec<Mark>,
    asked_count: usize,
    /// Cells of each tracked region.
    regions: Vec<Vec<u16>>,
    contacts: Vec<RegionContact>,
    edges: Vec<Edge>,
    search: RegionSearch,
    /// Cells changed by the placement being simulated, with their former codes and weights.
    before: SmallVec<[(u16, u16, i32); 8]>,
}

impl<'p> Simulation<'p> {
    /// Creates a simulation that tracks the regions of `spaces` and of `others`.
    fn new(
        placements: &'p Placements,
        table: &Table,
        field: usize,
        weight: Option<usize>,
        spaces: &[SpaceId],
        others: &[SpaceId],
    ) -> Self {
        let layout = table.layout();
        let ground = FieldGrid::new(table, placements.zone(), field, weight);
        let codes = layout.cells.codes(field).to_vec();
        let weights = weight.map_or_else(|| vec![1; codes.len()], |weight| layout.cells.numbers(weight).to_vec());
        let mut simulation = Self {
            placements,
            codes,
            is_positive: weights.iter().all(|weight| *weight > 0),
            weights,
            marks: Vec::with_capacity(spaces.len() + others.len()),
            asked_count: spaces.len(),
            regions: Vec::new(),
            contacts: Vec::new(),
            edges: Vec::new(),
            search: RegionSearch::default(),
            before: SmallVec::new(),
            ground,
        };
        simulation.follow(table, spaces.iter().chain(others));
        simulation
    }

    /// Records the regions of some spaces, and the sites that are in contact with these regions.
    fn follow<'s>(&mut self, table: &Table, spaces: impl Iterator<Item = &'s SpaceId>) {
        let mut bits = vec![0_u64; self.ground.codes.len()];
        let mut tracked: SmallVec<[u16; 64]> = SmallVec::new();
        for space in spaces {
            let at = self.ground.at(table.layout(), *space);
            let weight = self.ground.gather(at, &mut self.search);
            let known = self.marks.iter().find(|mark| self.search.has(mark.at)).map(|mark| mark.region);
            let region = known.unwrap_or(self.regions.len());
            let bit = 1 << (region % u64::BITS as usize);
            if known.is_none() {
                self.regions.push(self.search.found.clone());
                self.search.found.iter().for_each(|at| bits[*at as usize] |= bit);
                tracked.extend_from_slice(&self.search.found);
            }
            // A space without content has no region yet, but a placement may create a region there.
            bits[at as usize] |= bit;
            tracked.push(at);
            self.marks.push(Mark { at, code: self.ground.codes[at as usize], weight, bit, region });
        }
        let mut near = bits.clone();
        // Cell 0 represents all spaces of other grids.
        let mut near_cells = vec![0; self.ground.lattice.inside().len()];
        for at in tracked {
            insert(&mut near_cells, usize::from(at));
            for beside in self.ground.lattice.beside(at).filter(|_| at != 0) {
                near[usize::from(beside)] |= bits[usize::from(at)];
                insert(&mut near_cells, usize::from(beside));
            }
        }
        let placements = self.placements;
        let mut edges = Vec::new();
        self.contacts = vec![RegionContact::default(); placements.sites()];
        let anchors = placements.anchors_on(&near_cells);
        let is_near = |site: &u32| anchors.has(placements.site(*site));
        for site in placements.occurring_sites().into_iter().filter(is_near) {
            self.contacts[site as usize] = self.find_contact(placements.site(site), &bits, &near, &mut edges);
        }
        self.edges = edges;
    }

    /// Finds the contact of a site with the tracked regions, and appends the site's edges to `edges`. `bits` contains the regions of each
    /// cell. `near` also contains the regions of the neighboring cells.
    fn find_contact(&self, site: &Site, bits: &[u64], near: &[u64], edges: &mut Vec<Edge>) -> RegionContact {
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
        RegionContact { covered, first: first as u32, edges: (edges.len() - first) as u32 }
    }

    /// Returns the regions that a placement affects, as a bit set.
    fn affected_regions(&self, spin: u16, site: u32) -> u64 {
        let RegionContact { covered, first, edges } = self.contacts[site as usize];
        if edges == 0 {
            return covered;
        }
        let prints = &self.placements.spin(spin).prints;
        let says_same = |edge: &&Edge| self.codes[prints[edge.index as usize] as usize] == edge.code;
        let edges = &self.edges[first as usize..(first + edges) as usize];
        edges.iter().filter(says_same).fold(covered, |touched, edge| touched | edge.bit)
    }

    /// Decides the sites at which the result does not depend on the piece. `decide` receives the affected regions; it returns `None` if
    /// they do not determine the result.
    fn decide_sites(&self, decide: impl Fn(u64) -> Option<bool>) -> SiteDecisions {
        self.placements.decide_sites(|site| {
            let contact = self.contacts[site as usize];
            if contact.edges == 0 { decide(contact.covered) } else { None }
        })
    }

    /// Returns whether every region has a bit of its own. If not, a bit does not identify the affected region.
    fn is_exact(&self) -> bool {
        self.regions.len() <= u64::BITS as usize
    }

    /// Returns a bit set for each content: the regions whose squares have this content.
    fn bits_by_code(&self) -> Vec<u64> {
        let mut codes: Vec<u16> = self.marks.iter().map(|mark| mark.code).filter(|code| *code != 0).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().map(|code| region_bits(self.marks.iter().filter(|mark| mark.code == code))).collect()
    }

    /// Returns whether the total of a mark's region certainly changes. Assumes that the placement affects the region.
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

    /// Applies a placement to the copied grid. [`restore`](Self::restore) reverts it.
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

    /// Reverts the applied placement.
    fn restore(&mut self) {
        for (at, code, weight) in self.before.drain(..) {
            self.ground.codes[at as usize] = code;
            self.ground.weights[at as usize] = weight;
        }
    }

    /// Returns whether the content of a cell still has the given code.
    fn is_same(&self, at: u16, code: u16) -> bool {
        self.ground.codes[at as usize] == code
    }

    /// Returns the regions that contain examined spaces, and the examined spaces whose content has changed.
    fn outcome(&mut self) -> (Vec<JoinedRegion>, Vec<usize>) {
        let mut regions: Vec<JoinedRegion> = Vec::new();
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
            regions.push(JoinedRegion { spaces, same, whole });
        }
        (regions, lost)
    }
}

/// Returns the regions of some marks as a bit set.
fn region_bits<'m>(marks: impl IntoIterator<Item = &'m Mark>) -> u64 {
    marks.into_iter().fold(0, |bits, mark| bits | mark.bit)
}

impl Placements {
    /// Keeps the placements that change neither the totals of the regions of `spaces` nor the visible contents of these
    /// spaces.
    #[must_use]
    pub fn keeping_size(&self, table: &Table, field: usize, weight: usize, spaces: &[SpaceId]) -> Self {
        let mut simulation = Simulation::new(self, table, field, Some(weight), spaces, &[]);
        let decisions = simulation.decide_sites(|touched| (touched == 0).then_some(true));
        self.filter(&decisions, |spin, site| {
            let touched = simulation.affected_regions(spin, site);
            if touched == 0 {
                return true;
            }
            if simulation.marks.iter().any(|mark| mark.bit & touched != 0 && simulation.changes_size(spin, site, mark))
            {
                return false;
            }
            simulation.lay(spin, site);
            let keeps = (0..simulation.marks.len()).all(|index| {
                let Mark { at, code, weight, bit, .. } = simulation.marks[index];
                bit & touched == 0
                    || simulation.is_same(at, code) && simulation.ground.gather(at, &mut simulation.search) == weight
            });
            simulation.restore();
            keeps
        })
    }

    /// Excludes each placement that increases the total of the region of a space in `spaces`, if this region then contains one of `with`.
    /// Spaces in `spaces` whose content has changed are ignored. The visible contents of `with` may change.
    #[must_use]
    pub fn not_growing(
        &self,
        table: &Table,
        field: usize,
        weight: usize,
        spaces: &[SpaceId],
        with: &[SpaceId],
    ) -> Self {
        let mut simulation = Simulation::new(self, table, field, Some(weight), spaces, with);
        let (marks, others) = simulation.marks.split_at(simulation.asked_count);
        let with: Vec<u16> = others.iter().map(|mark| mark.at).collect();
        let (own, theirs) = (region_bits(marks), region_bits(others));
        let decisions = simulation.decide_sites(|touched| (touched & own == 0).then_some(true));
        self.filter(&decisions, |spin, site| {
            let touched = simulation.affected_regions(spin, site);
            // Only regions that contain one of `with`, or that may join such a region, can violate the condition.
            let may_grow = |mark: &Mark| mark.bit & touched != 0 && (touched | mark.bit) & theirs != 0;
            if touched & own == 0 || !simulation.marks[..simulation.asked_count].iter().any(may_grow) {
                return true;
            }
            simulation.lay(spin, site);
            let grows = (0..simulation.asked_count).any(|index| {
                let Mark { at, code, weight, bit, .. } = simulation.marks[index];
                bit & touched != 0
                    && simulation.is_same(at, code)
                    && simulation.ground.gather(at, &mut simulation.search) > weight
                    && with.iter().any(|at| simulation.search.has(*at))
            });
            simulation.restore();
            !grows
        })
    }

    /// Keeps the placements after which a space of `spaces` and a different space of `others` are in the same region.
    /// If `joined` is false, keeps the other placements instead. A space whose content has changed is in no region.
    #[must_use]
    pub fn joining(
        &self,
        table: &Table,
        field: usize,
        (spaces, others): (&[SpaceId], &[SpaceId]),
        joined: bool,
    ) -> Self {
        let mut simulation = Simulation::new(self, table, field, None, spaces, others);
        let (marks, others) = simulation.marks.split_at(simulation.asked_count);
        let (own, theirs, kinds, is_exact) =
            (region_bits(marks), region_bits(others), simulation.bits_by_code(), simulation.is_exact());
        // Two regions can join only if they have the same content and the placement affects both.
        let may_join = |touched: u64| {
            let joins = |kind: &u64| {
                let alike = kind & touched;
                alike & own != 0 && alike & theirs != 0 && (alike.count_ones() > 1 || !is_exact)
            };
            kinds.iter().any(joins)
        };
        let others: Vec<(u16, u16)> = others.iter().map(|mark| (mark.at, mark.code)).collect();
        let meets = |simulation: &mut Simulation<'_>, index: usize| {
            let Mark { at, code, .. } = simulation.marks[index];
            if !simulation.is_same(at, code) {
                return false;
            }
            simulation.ground.gather(at, &mut simulation.search);
            others
                .iter()
                .any(|(other, code)| *other != at && simulation.search.has(*other) && simulation.is_same(*other, *code))
        };
        let together: Vec<usize> = (0..simulation.asked_count).filter(|index| meets(&mut simulation, *index)).collect();
        let together = region_bits(together.into_iter().map(|index| &simulation.marks[index]));
        let by_regions = |touched: u64| {
            if together & !touched != 0 {
                return Some(joined);
            }
            (together == 0 && (touched == 0 || !may_join(touched))).then_some(!joined)
        };
        let decisions = simulation.decide_sites(by_regions);
        self.filter(&decisions, |spin, site| {
            let touched = simulation.affected_regions(spin, site);
            if let Some(is_wanted) = by_regions(touched) {
                return is_wanted;
            }
            simulation.lay(spin, site);
            let found = (0..simulation.asked_count)
                .any(|index| simulation.marks[index].bit & touched != 0 && meets(&mut simulation, index));
            simulation.restore();
            found == joined
        })
    }

    /// Groups all placements by their effect on `spaces`, in the order in which the effects first occur.
    pub fn outcomes(&self, table: &Table, field: usize, weight: usize, spaces: &[SpaceId]) -> Vec<PlacementEffect> {
        let mut simulation = Simulation::new(self, table, field, Some(weight), spaces, &[]);
        let untouched = simulation.outcome();
        let mut known: FxHashMap<(Vec<JoinedRegion>, Vec<usize>), usize> = FxHashMap::default();
        let mut found: Vec<(Vec<(u16, u32)>, Vec<JoinedRegion>, Vec<usize>)> = Vec::new();
        for (spin, site) in self.numbers() {
            let touched = simulation.affected_regions(spin, site);
            let effect = if touched == 0 {
                untouched.clone()
            } else {
                simulation.lay(spin, site);
                let effect = simulation.outcome();
                simulation.restore();
                effect
            };
            let at = *known.entry(effect).or_insert_with_key(|(regions, lost)| {
                found.push((Vec::new(), regions.clone(), lost.clone()));
                found.len() - 1
            });
            found[at].0.push((spin, site));
        }
        let effect =
            |(numbers, regions, lost)| PlacementEffect { placements: self.with_numbers(numbers), regions, lost };
        found.into_iter().map(effect).collect()
    }

    /// Returns the region of a space after a placement, or `None` if the placement is not in the set. Like [`Table::region`], begins with
    /// the squares that have been visible longest.
    pub fn region_after(
        &self,
        table: &Table,
        placement: &Placement,
        field: usize,
        space: SpaceId,
    ) -> Option<Vec<SpaceId>> {
        let (spin, site) = self.indices_at(self.position(placement)?);
        let (site, prints, layout) = (self.site(site), &self.spin(spin).prints, table.layout());
        let (codes, lattice) = (layout.cells.codes(field), layout.lattice(layout.ground_zone(self.zone())));
        let seen = self.places(site).enumerate().filter(|(index, _)| site.is_seen(*index));
        let laid: SmallVec<[(u16, u16); 8]> = seen.map(|(index, at)| (at, codes[prints[index] as usize])).collect();
        let laid_at = |at: u16| laid.iter().find(|(place, _)| *place == at).map(|(_, code)| *code);
        let lies_at = |at: u16| Some(codes[table.print_at(lattice.space_if_any(at)?)? as usize]);
        let code_at = |at: u16| laid_at(at).or_else(|| lies_at(at)).unwrap_or_default();
        let mut search = RegionSearch::default();
        search.gather(lattice, lattice.at(layout.ground_space(space)), code_at);
        let age = |at: u16| {
            let present_age =
                || table.visible_piece(lattice.space(at)).map_or(0, |piece| table.placement_number(piece));
            laid_at(at).map_or_else(present_age, |_| u16::MAX)
        };
        search.found.sort_by_cached_key(|at| (age(*at), *at));
        Some(search.found.into_iter().map(|at| lattice.space(at)).collect())
    }
}

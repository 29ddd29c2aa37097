//! A game in which tiles are laid on a grid at random, and a slow and simple reference for the tiles' visible faces and possible
//! placements.

#![allow(clippy::trivially_copy_pass_by_ref, reason = "tests are to be read")]

use parlour::model::{PieceId, SpaceId, ZoneId};
use parlour::session::Setup;
use parlour::table::{Chance, End, Layout, Placement, Placements, RelativePosition, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const GAME: &str = r#"
[game]
id = "tiles"
name = "Tiles"
players = { min = 2, max = 2 }
[zones.map]
shape = "grid"
columns = [-3, 4]
rows = [-2, 4]
[zones.elsewhere]
shape = "grid"
columns = 6
rows = 6
[zones.figures]
over = "map"
accepts = ["pawn"]
[zones.stock]
shape = "pile"
starts_with = ["tile"]
[zones.bag]
shape = "pile"
starts_with = ["pawn"]
[flow]
setup = ["set_up"]
"#;

pub(super) const TILES: &str = r#"
[cells]
A = { land = "a", size = 1 }
B = { land = "b", size = 1 }
C = { land = "c", size = 1 }
N = { size = 1 }
"*" = { size = 2 }
"!" = { old = true }
[[tile]]
id = "square"
cells = ["A B", "C* A!"]
count = 4
[[tile]]
id = "pair"
cells = ["A A", "B B"]
count = 3
[[tile]]
id = "corner"
cells = ["A .", "B* B"]
count = 3
[[tile]]
id = "bar"
cells = ["C N A"]
count = 3
[[tile]]
id = "plain"
cells = ["B"]
count = 2
[[pawn]]
id = "pawn"
"#;

pub(super) fn layout() -> Arc<Layout> {
    let texts = [("game.toml", GAME), ("components/tiles.toml", TILES), ("rules/play.rhai", "fn set_up() {}")];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("tiles", texts).unwrap().layout(&Setup::seats(2)).unwrap()
}

/// Placed tiles in the reference, from bottom to top.
pub(super) type Lying = Vec<Placement>;

/// Table with tiles laid at random, and the same tiles in the reference. `land` and `size` are indexes of the fields of squares.
pub(super) struct Scene {
    pub(super) table: Table,
    pub(super) map: ZoneId,
    pub(super) lying: Lying,
    pub(super) land: usize,
    pub(super) size: usize,
}

impl Scene {
    /// Creates a scene with some tiles that are laid at random where they fit.
    pub(super) fn new(layout: &Arc<Layout>, seed: u64) -> Self {
        let mut chance = Chance::new(seed, "tiles");
        let table = Table::new(layout.clone(), Chance::new(seed, "table"));
        let zone = |name| ZoneId(layout.model.family(layout.model.find_family(name).unwrap()).zones.start);
        let cells = &layout.model.cells;
        let (land, size) = (cells.find_field("land").unwrap(), cells.find_field("size").unwrap());
        let mut scene = Self { table, map: zone("map"), lying: Vec::new(), land, size };
        let mut stock: Vec<PieceId> = scene.table.pieces(zone("stock")).collect();
        chance.shuffle(&mut stock);
        for &piece in stock.iter().take(2 + chance.below(7) as usize) {
            let all = scene.every(&[piece]);
            let placement = all[chance.below(all.len() as u32) as usize];
            scene.lay(placement);
        }
        scene
    }

    /// Lays a tile, both on the table and in the reference.
    pub(super) fn lay(&mut self, placement: Placement) {
        let end = if placement.way == RelativePosition::Under { End::Bottom } else { End::Top };
        self.table.lay(placement.piece, placement.to, placement.turned, end).unwrap();
        let at = if end == End::Top { self.lying.len() } else { 0 };
        self.lying.insert(at, placement);
    }

    /// Returns the spaces and prints that a placed piece covers, or `None` if it extends beyond the grid.
    pub(super) fn squares(&self, placement: &Placement) -> Option<Vec<(SpaceId, u16)>> {
        let model = self.table.model();
        let cells = &model.component(self.table.component(placement.piece)).cells;
        let (width, height) = (cells.iter().map(|c| c.x).max()? + 1, cells.iter().map(|c| c.y).max()? + 1);
        let found = cells.iter().map(|cell| {
            let (x, y) = match placement.turned {
                0 => (cell.x, cell.y),
                1 => (height - 1 - cell.y, cell.x),
                2 => (width - 1 - cell.x, height - 1 - cell.y),
                _ => (cell.y, width - 1 - cell.x),
            };
            Some((self.table.layout().offset(placement.to, x.into(), y.into())?, cell.print))
        });
        found.collect()
    }

    /// Returns, for each covered space, the topmost piece and its print.
    pub(super) fn seen(&self, lying: &Lying) -> BTreeMap<SpaceId, (PieceId, u16)> {
        let mut seen = BTreeMap::new();
        for placement in lying {
            for (space, print) in self.squares(placement).unwrap() {
                seen.insert(space, (placement.piece, print));
            }
        }
        seen
    }

    /// Returns the region of a space: the connected spaces that show the same land.
    pub(super) fn region(&self, lying: &Lying, space: SpaceId) -> BTreeSet<SpaceId> {
        let seen = self.seen(lying);
        let land = |space: &SpaceId| {
            let (_, print) = seen.get(space)?;
            let value = self.table.model().cells.prints[*print as usize].fields[self.land].clone();
            (value != parlour::model::FieldValue::Nothing).then_some(value)
        };
        let mut found = BTreeSet::new();
        if land(&space).is_some() {
            found.insert(space);
        }
        loop {
            let more: Vec<SpaceId> = found
                .iter()
                .flat_map(|at| self.table.layout().neighbors(*at, false).collect::<Vec<_>>())
                .filter(|at| !found.contains(at) && land(at) == land(&space))
                .collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Returns the sum of `size` over a region.
    pub(super) fn weight(&self, lying: &Lying, region: &BTreeSet<SpaceId>) -> i64 {
        let seen = self.seen(lying);
        let number = |space: &SpaceId| match self.table.model().cells.prints[seen[space].1 as usize].fields[self.size] {
            parlour::model::FieldValue::Number(number) => number,
            _ => 0,
        };
        region.iter().map(number).sum()
    }

    /// Returns the tiles after a placement.
    pub(super) fn after(&self, placement: &Placement) -> Lying {
        let mut lying = self.lying.clone();
        let at = if placement.way == RelativePosition::Under { 0 } else { lying.len() };
        lying.insert(at, *placement);
        lying
    }

    /// Returns whether a space shows the same land before and after a placement.
    pub(super) fn shows_same(&self, after: &Lying, space: SpaceId) -> bool {
        let print = |lying: &Lying| {
            self.seen(lying)
                .get(&space)
                .map(|(_, print)| self.table.model().cells.prints[*print as usize].fields[self.land].clone())
        };
        print(&self.lying) == print(after)
    }

    /// Returns all possible placements of these pieces, found by exhaustive search.
    pub(super) fn every(&self, pieces: &[PieceId]) -> Vec<Placement> {
        let seen = self.seen(&self.lying);
        let mut found = Vec::new();
        for &piece in pieces {
            let mut looks = Vec::new();
            for turned in 0..4 {
                let at = |to, way| Placement { piece, to, turned, way };
                let corner = self.table.spaces(self.map).next().unwrap();
                let mut look = self.squares(&at(corner, RelativePosition::Over)).unwrap();
                look.sort_unstable();
                if looks.contains(&look) {
                    continue;
                }
                looks.push(look);
                for to in self.table.spaces(self.map) {
                    let Some(squares) = self.squares(&at(to, RelativePosition::Over)) else { continue };
                    let on = squares.iter().filter(|(space, _)| seen.contains_key(space)).count();
                    let beside = squares.iter().any(|(space, _)| {
                        self.table.layout().neighbors(*space, false).any(|near| seen.contains_key(&near))
                    });
                    if on == 0 && (beside || seen.is_empty()) {
                        found.push(at(to, RelativePosition::Beside));
                    }
                    if on > 0 {
                        found.push(at(to, RelativePosition::Over));
                    }
                    if on > 0 && on < squares.len() {
                        found.push(at(to, RelativePosition::Under));
                    }
                }
            }
        }
        found
    }

    /// Returns the placements that the engine finds for [`Self::hand`].
    pub(super) fn placements(&self) -> Placements {
        Placements::new(&self.table, self.map, &self.hand(), &RelativePosition::ALL)
    }

    /// Returns up to three tiles that are not on the map, all of different components.
    pub(super) fn hand(&self) -> Vec<PieceId> {
        let mut hand: Vec<PieceId> = Vec::new();
        for piece in self.table.all_pieces().filter(|piece| self.table.zone_of(*piece) != self.map) {
            let component = self.table.component(piece);
            let has_cells = !self.table.model().component(component).cells.is_empty();
            if has_cells && !hand.iter().any(|other| self.table.component(*other) == component) {
                hand.push(piece);
            }
        }
        hand.truncate(3);
        hand
    }

    /// Returns whether all of these spaces still show the same land after a placement, and their regions have the same weight as before.
    pub(super) fn keeps_size(&self, placement: &Placement, spaces: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().all(|space| {
            let (old, new) = (self.region(&self.lying, *space), self.region(&after, *space));
            self.shows_same(&after, *space) && self.weight(&self.lying, &old) == self.weight(&after, &new)
        })
    }

    /// Returns whether a placement makes the region of one of these spaces heavier while the space shows the same land, and the new region
    /// contains one of the watchers.
    pub(super) fn grows(&self, placement: &Placement, spaces: &[SpaceId], watchers: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().any(|space| {
            let (old, new) = (self.region(&self.lying, *space), self.region(&after, *space));
            self.shows_same(&after, *space)
                && self.weight(&after, &new) > self.weight(&self.lying, &old)
                && watchers.iter().any(|space| new.contains(space))
        })
    }

    /// Returns whether one of these spaces and one of the others are in the same region after a placement.
    pub(super) fn joins(&self, placement: &Placement, spaces: &[SpaceId], others: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().any(|space| {
            let region = self.region(&after, *space);
            let meets =
                |other: &&SpaceId| *other != space && region.contains(other) && self.shows_same(&after, **other);
            self.shows_same(&after, *space) && others.iter().any(|other| meets(&other))
        })
    }

    /// Filters placements in every way, and compares each result with the reference.
    pub(super) fn check_narrowing(&self, placements: &Placements, spaces: &[SpaceId], others: &[SpaceId]) {
        let (table, land, size) = (&self.table, self.land, self.size);
        let all = listed(placements);
        let check = |what: &str, found: Placements, is_wanted: &dyn Fn(&Placement) -> bool| {
            let wanted: Vec<Placement> = all.iter().copied().filter(is_wanted).collect();
            let found = listed(&found);
            assert!(found == wanted, "{what}: {} kept, {} wanted", found.len(), wanted.len());
        };
        check("keeping_size", placements.keeping_size(table, land, size, spaces), &|at| self.keeps_size(at, spaces));
        check("not_growing", placements.not_growing(table, land, size, spaces, others), &|at| {
            !self.grows(at, spaces, others)
        });
        let pair = (spaces, others);
        check("joining", placements.joining(table, land, pair, true), &|at| self.joins(at, spaces, others));
        check("not_joining", placements.joining(table, land, pair, false), &|at| !self.joins(at, spaces, others));
    }

    /// Returns one space from each of up to `most` regions chosen at random.
    pub(super) fn some_regions(&self, chance: &mut Chance, most: u32) -> Vec<SpaceId> {
        let mut names = self.table.regions(self.map, self.land);
        chance.shuffle(&mut names);
        names.truncate(1 + chance.below(most) as usize);
        names
    }

    /// Returns all spaces of both grids. Most of them show nothing, and many are not on the map.
    pub(super) fn all_spaces(&self) -> Vec<SpaceId> {
        let elsewhere = self.table.model().find_family("elsewhere").unwrap();
        let elsewhere = ZoneId(self.table.model().family(elsewhere).zones.start);
        self.table.spaces(self.map).chain(self.table.spaces(elsewhere)).collect()
    }

    /// Returns up to `most` random spaces of the map on which tiles lie.
    pub(super) fn some_spaces(&self, chance: &mut Chance, most: u32) -> Vec<SpaceId> {
        let mut spaces: Vec<SpaceId> =
            self.table.spaces(self.map).filter(|space| self.table.visible_piece(*space).is_some()).collect();
        chance.shuffle(&mut spaces);
        spaces.truncate(1 + chance.below(most) as usize);
        spaces
    }
}

/// Returns the placements as a list.
pub(super) fn listed(placements: &Placements) -> Vec<Placement> {
    (0..placements.len()).map(|at| placements.get(at)).collect()
}

/// Generates `count` scenes from the seeds 0, 1, …, each with a random number generator for questions about the scene.
pub(super) fn scenes(count: u64) -> impl Iterator<Item = (Scene, Chance)> {
    let layout = layout();
    (0..count).map(move |seed| (Scene::new(&layout, seed), Chance::new(seed, "questions")))
}

//! Pieces of several spaces: what a grid shows, its regions, and what placements would do, against a slow and obvious reference.

#![allow(clippy::trivially_copy_pass_by_ref, reason = "tests are to be read")]

use parlour::model::{Language, PieceId, Seat, SpaceId, ZoneId};
use parlour::session::{Session, Setup, Status};
use parlour::table::{Chance, End, Layout, Placement, Placements, Table, View, Way};
use parlour::wording::Wording;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const GAME: &str = r#"
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

const TILES: &str = r#"
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

fn layout() -> Arc<Layout> {
    let texts = [("game.toml", GAME), ("components/tiles.toml", TILES), ("rules/play.rhai", "fn set_up() {}")];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    parlour::load_texts("tiles", texts).unwrap().layout(&Setup::seats(2)).unwrap()
}

/// The tiles on the map from the lowest to the topmost, as the reference knows them.
type Lying = Vec<Placement>;

struct Scene {
    table: Table,
    map: ZoneId,
    lying: Lying,
    land: usize,
    size: usize,
}

impl Scene {
    /// Tiles laid at random, as they fit.
    fn new(layout: &Arc<Layout>, seed: u64) -> Self {
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

    fn lay(&mut self, placement: Placement) {
        let end = if placement.way == Way::Under { End::Bottom } else { End::Top };
        self.table.lay(placement.piece, placement.to, placement.turned, end).unwrap();
        let at = if end == End::Top { self.lying.len() } else { 0 };
        self.lying.insert(at, placement);
    }

    /// The spaces and prints of a piece that is laid so; nothing where the grid ends.
    fn squares(&self, placement: &Placement) -> Option<Vec<(SpaceId, u16)>> {
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

    /// What is seen of every space.
    fn seen(&self, lying: &Lying) -> BTreeMap<SpaceId, (PieceId, u16)> {
        let mut seen = BTreeMap::new();
        for placement in lying {
            for (space, print) in self.squares(placement).unwrap() {
                seen.insert(space, (placement.piece, print));
            }
        }
        seen
    }

    /// The spaces of the region of a space.
    fn region(&self, lying: &Lying, space: SpaceId) -> BTreeSet<SpaceId> {
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

    fn weight(&self, lying: &Lying, region: &BTreeSet<SpaceId>) -> i64 {
        let seen = self.seen(lying);
        let number = |space: &SpaceId| match self.table.model().cells.prints[seen[space].1 as usize].fields[self.size] {
            parlour::model::FieldValue::Number(number) => number,
            _ => 0,
        };
        region.iter().map(number).sum()
    }

    fn after(&self, placement: &Placement) -> Lying {
        let mut lying = self.lying.clone();
        let at = if placement.way == Way::Under { 0 } else { lying.len() };
        lying.insert(at, *placement);
        lying
    }

    fn shows_same(&self, after: &Lying, space: SpaceId) -> bool {
        let print = |lying: &Lying| {
            self.seen(lying)
                .get(&space)
                .map(|(_, print)| self.table.model().cells.prints[*print as usize].fields[self.land].clone())
        };
        print(&self.lying) == print(after)
    }

    /// Every placement, found by trying all.
    fn every(&self, pieces: &[PieceId]) -> Vec<Placement> {
        let seen = self.seen(&self.lying);
        let mut found = Vec::new();
        for &piece in pieces {
            let mut looks = Vec::new();
            for turned in 0..4 {
                let at = |to, way| Placement { piece, to, turned, way };
                let corner = self.table.spaces(self.map).next().unwrap();
                let mut look = self.squares(&at(corner, Way::Over)).unwrap();
                look.sort_unstable();
                if looks.contains(&look) {
                    continue;
                }
                looks.push(look);
                for to in self.table.spaces(self.map) {
                    let Some(squares) = self.squares(&at(to, Way::Over)) else { continue };
                    let on = squares.iter().filter(|(space, _)| seen.contains_key(space)).count();
                    let beside = squares.iter().any(|(space, _)| {
                        self.table.layout().neighbors(*space, false).any(|near| seen.contains_key(&near))
                    });
                    if on == 0 && (beside || seen.is_empty()) {
                        found.push(at(to, Way::Beside));
                    }
                    if on > 0 {
                        found.push(at(to, Way::Over));
                    }
                    if on > 0 && on < squares.len() {
                        found.push(at(to, Way::Under));
                    }
                }
            }
        }
        found
    }

    fn placements(&self) -> Placements {
        Placements::new(&self.table, self.map, &self.hand(), &Way::ALL)
    }

    /// Some tiles that do not lie on the map: one of each sort that is left.
    fn hand(&self) -> Vec<PieceId> {
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

    /// Whether some spaces say what they said after a placement, and their regions count as much.
    fn keeps_size(&self, placement: &Placement, spaces: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().all(|space| {
            let (old, new) = (self.region(&self.lying, *space), self.region(&after, *space));
            self.shows_same(&after, *space) && self.weight(&self.lying, &old) == self.weight(&after, &new)
        })
    }

    /// Whether a region of some spaces that has one of the watchers in it counts more after a placement.
    fn grows(&self, placement: &Placement, spaces: &[SpaceId], watchers: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().any(|space| {
            let (old, new) = (self.region(&self.lying, *space), self.region(&after, *space));
            self.shows_same(&after, *space)
                && self.weight(&after, &new) > self.weight(&self.lying, &old)
                && watchers.iter().any(|space| new.contains(space))
        })
    }

    /// Whether one of some spaces lies in a region with another one of others after a placement.
    fn joins(&self, placement: &Placement, spaces: &[SpaceId], others: &[SpaceId]) -> bool {
        let after = self.after(placement);
        spaces.iter().any(|space| {
            let region = self.region(&after, *space);
            let meets =
                |other: &&SpaceId| *other != space && region.contains(other) && self.shows_same(&after, **other);
            self.shows_same(&after, *space) && others.iter().any(|other| meets(&other))
        })
    }

    /// Narrows placements by some spaces and others, and holds each answer against the reference.
    fn check_narrowing(&self, placements: &Placements, spaces: &[SpaceId], others: &[SpaceId]) {
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

    /// One space of each of some regions.
    fn some_regions(&self, chance: &mut Chance, most: u32) -> Vec<SpaceId> {
        let mut names = self.table.regions(self.map, self.land);
        chance.shuffle(&mut names);
        names.truncate(1 + chance.below(most) as usize);
        names
    }

    /// Every space there is on grids: most say nothing, and many lie elsewhere.
    fn all_spaces(&self) -> Vec<SpaceId> {
        let elsewhere = self.table.model().find_family("elsewhere").unwrap();
        let elsewhere = ZoneId(self.table.model().family(elsewhere).zones.start);
        self.table.spaces(self.map).chain(self.table.spaces(elsewhere)).collect()
    }

    /// Some spaces, most of them with squares.
    fn some_spaces(&self, chance: &mut Chance, most: u32) -> Vec<SpaceId> {
        let mut spaces: Vec<SpaceId> =
            self.table.spaces(self.map).filter(|space| self.table.shows(*space).is_some()).collect();
        chance.shuffle(&mut spaces);
        spaces.truncate(1 + chance.below(most) as usize);
        spaces
    }
}

fn listed(placements: &Placements) -> Vec<Placement> {
    (0..placements.len()).map(|at| placements.get(at)).collect()
}

fn scenes(count: u64) -> impl Iterator<Item = (Scene, Chance)> {
    let layout = layout();
    (0..count).map(move |seed| (Scene::new(&layout, seed), Chance::new(seed, "questions")))
}

#[test]
fn a_space_shows_its_topmost_cell() {
    for (scene, _) in scenes(200) {
        let seen = scene.seen(&scene.lying);
        for space in scene.table.spaces(scene.map) {
            assert_eq!(scene.table.shows(space), seen.get(&space).map(|(piece, _)| *piece));
            assert_eq!(scene.table.print_at(space), seen.get(&space).map(|(_, print)| *print));
        }
    }
}

#[test]
fn what_a_piece_leaves_is_seen_again() {
    for (mut scene, mut chance) in scenes(200) {
        let gone = scene.lying.remove(chance.below(scene.lying.len() as u32) as usize);
        let stock = scene.table.model().find_family("stock").unwrap();
        let to = scene.table.model().zone(ZoneId(scene.table.model().family(stock).zones.start)).space();
        scene.table.move_piece(gone.piece, to, End::Top, None).unwrap();
        assert_eq!(scene.table.turned(gone.piece), 0);
        let seen = scene.seen(&scene.lying);
        for space in scene.table.spaces(scene.map) {
            assert_eq!(scene.table.print_at(space), seen.get(&space).map(|(_, print)| *print));
        }
    }
}

#[test]
fn regions_are_what_is_connected() {
    for (scene, _) in scenes(200) {
        for space in scene.table.spaces(scene.map) {
            let found: BTreeSet<SpaceId> = scene.table.region(space, scene.land).into_iter().collect();
            assert_eq!(found, scene.region(&scene.lying, space));
        }
        let names = scene.table.regions(scene.map, scene.land);
        let all: usize = names.iter().map(|name| scene.table.region(*name, scene.land).len()).sum();
        assert!(names.iter().all(|name| scene.table.region(*name, scene.land)[0] == *name));
        let saying = scene.table.spaces(scene.map).filter(|space| !scene.region(&scene.lying, *space).is_empty());
        assert_eq!(all, saying.count());
    }
}

#[test]
fn a_region_keeps_its_name_as_long_as_the_space_is_seen() {
    for (mut scene, mut chance) in scenes(200) {
        let placements = scene.placements();
        if placements.is_empty() {
            continue;
        }
        let names = scene.table.regions(scene.map, scene.land);
        let placement = placements.get(chance.below(placements.len() as u32) as usize);
        let after = scene.after(&placement);
        let kept: Vec<SpaceId> = names
            .into_iter()
            .filter(|name| scene.seen(&after).get(name).map(|(piece, _)| *piece) == scene.table.shows(*name))
            .collect();
        let before = scene.table.clone();
        scene.lay(placement);
        for name in &kept {
            let first = scene.table.region(*name, scene.land)[0];
            assert!(before.shows(first) == scene.table.shows(first), "a newer space took the region over");
            assert!(first == *name || before.region(first, scene.land)[0] != *name, "the name was lost without need");
        }
    }
}

#[test]
fn placements_are_all_that_fit() {
    for (scene, _) in scenes(100) {
        let mut wanted = scene.every(&scene.hand());
        let mut found = listed(&scene.placements());
        let key = |p: &Placement| (p.piece, p.turned, p.to, p.way);
        wanted.sort_unstable_by_key(key);
        found.sort_unstable_by_key(key);
        assert!(found == wanted);
    }
}

#[test]
fn every_placement_is_found_where_it_stands() {
    for (scene, _) in scenes(10) {
        let placements = scene.placements();
        for (at, placement) in listed(&placements).iter().enumerate() {
            assert_eq!(placements.position(placement), Some(at));
        }
    }
}

#[test]
fn placements_that_cover_spaces_are_left_out() {
    for (scene, mut chance) in scenes(60) {
        let spaces = scene.some_spaces(&mut chance, 6);
        let placements = scene.placements();
        let kept = listed(&placements.not_covering(&scene.table, &spaces));
        let seen = scene.seen(&scene.lying);
        let wanted = |placement: &Placement| {
            let after = scene.seen(&scene.after(placement));
            !spaces.iter().any(|space| seen.contains_key(space) && after.get(space) != seen.get(space))
        };
        let wanted: Vec<Placement> = listed(&placements).into_iter().filter(wanted).collect();
        assert!(kept == wanted, "{} kept, {} wanted", kept.len(), wanted.len());
    }
}

#[test]
fn placements_are_told_by_what_they_do_to_regions() {
    for (scene, mut chance) in scenes(60) {
        let spaces = scene.some_spaces(&mut chance, 4);
        let others = scene.some_spaces(&mut chance, 3);
        scene.check_narrowing(&scene.placements(), &spaces, &others);
    }
}

#[test]
fn placements_are_told_by_what_they_do_to_regions_that_are_apart() {
    for (scene, mut chance) in scenes(60) {
        let mut spaces = scene.some_regions(&mut chance, 6);
        let others = spaces.split_off(spaces.len().div_ceil(2));
        scene.check_narrowing(&scene.placements(), &spaces, &others);
    }
}

#[test]
fn more_regions_can_be_asked_for_than_are_told_apart_at_a_glance() {
    for (scene, mut chance) in scenes(3) {
        let (spaces, others) = (scene.all_spaces(), scene.some_spaces(&mut chance, 3));
        let placements = Placements::new(&scene.table, scene.map, &scene.hand()[..1], &Way::ALL);
        scene.check_narrowing(&placements, &spaces, &others);
        scene.check_narrowing(&placements, &others, &spaces);
    }
}

#[test]
fn the_values_of_placements_are_those_of_each() {
    fn different<T: Ord>(mut all: Vec<T>) -> Vec<T> {
        all.sort_unstable();
        all.dedup();
        all
    }
    for (scene, _) in scenes(3) {
        let all = scene.placements();
        let (pieces, spaces, turns, ways) = all.values();
        let each: Vec<Placement> = (0..all.len()).map(|at| all.get(at)).collect();
        assert_eq!(pieces, different(each.iter().map(|placement| placement.piece).collect()));
        assert_eq!(spaces, different(each.iter().map(|placement| placement.to).collect()));
        assert_eq!(turns, different(each.iter().map(|placement| placement.turned).collect()));
        assert_eq!(ways, different(each.iter().map(|placement| placement.way).collect()));
    }
}

#[test]
fn a_placement_joins_regions_that_were_apart() {
    let joining = |(scene, mut chance): (Scene, Chance)| {
        let mut spaces = scene.some_regions(&mut chance, 6);
        let others = spaces.split_off(spaces.len().div_ceil(2));
        scene.placements().joining(&scene.table, scene.land, (&spaces, &others), true).len()
    };
    assert!(scenes(60).map(joining).filter(|count| *count > 0).count() > 20);
}

#[test]
fn outcomes_tell_what_becomes_of_regions() {
    for (scene, mut chance) in scenes(40) {
        let spaces = scene.some_spaces(&mut chance, 4);
        let placements = scene.placements();
        let outcomes = placements.outcomes(&scene.table, scene.land, scene.size, &spaces);
        assert_eq!(outcomes.iter().map(|outcome| outcome.placements.len()).sum::<usize>(), placements.len());
        for outcome in &outcomes {
            for placement in listed(&outcome.placements) {
                let after = scene.after(&placement);
                let lost: Vec<usize> = (0..spaces.len()).filter(|at| !scene.shows_same(&after, spaces[*at])).collect();
                assert_eq!(outcome.lost, lost);
                for joined in &outcome.regions {
                    let region = scene.region(&after, spaces[joined.spaces[0]]);
                    let inside: Vec<usize> = (0..spaces.len()).filter(|at| region.contains(&spaces[*at])).collect();
                    assert_eq!(joined.spaces, inside);
                    let weight = scene.weight(&after, &region);
                    let same = |at: &usize| {
                        let own = scene.region(&scene.lying, spaces[*at]);
                        !lost.contains(at) && scene.weight(&scene.lying, &own) == weight
                    };
                    assert_eq!(joined.same, inside.iter().copied().filter(same).collect::<Vec<_>>());
                    let whole =
                        |at: &usize| !lost.contains(at) && scene.region(&scene.lying, spaces[*at]).is_subset(&region);
                    assert_eq!(joined.whole, inside.into_iter().filter(whole).collect::<Vec<_>>());
                }
            }
        }
    }
}

#[test]
fn a_question_is_answered_as_the_table_answers_after_the_placement() {
    for (scene, mut chance) in scenes(100) {
        let placements = scene.placements();
        if placements.is_empty() {
            continue;
        }
        let placement = placements.get(chance.below(placements.len() as u32) as usize);
        let space = scene.table.spaces(scene.map).nth(chance.below(56) as usize).unwrap();
        let asked = placements.region_after(&scene.table, &placement, scene.land, space).unwrap();
        let before = scene.table.fingerprint();
        let mut table = scene.table.clone();
        let end = if placement.way == Way::Under { End::Bottom } else { End::Top };
        table.lay(placement.piece, placement.to, placement.turned, end).unwrap();
        assert_eq!(asked, table.region(space, scene.land));
        assert_eq!(scene.table.fingerprint(), before);
        assert_ne!(table.fingerprint(), before);
    }
}

#[test]
fn what_lies_above_what_is_part_of_the_fingerprint_and_of_the_view() {
    let layout = layout();
    let scene = Scene::new(&layout, 1);
    let tiles: Vec<PieceId> = scene.hand();
    let to = scene.table.spaces(scene.map).nth(20).unwrap();
    let build = |order: [usize; 2], end: End| {
        let mut table = Table::new(layout.clone(), Chance::new(1, "table"));
        table.lay(tiles[order[0]], to, 0, End::Top).unwrap();
        table.lay(tiles[order[1]], to, 0, end).unwrap();
        (table.fingerprint(), View::new(&table, None).digest())
    };
    assert_ne!(build([0, 1], End::Top), build([1, 0], End::Top));
    assert_ne!(build([0, 1], End::Top).1, build([0, 1], End::Bottom).1);
}

#[test]
fn a_piece_does_not_lie_beyond_the_edge() {
    let layout = layout();
    let mut table = Table::new(layout.clone(), Chance::new(1, "table"));
    let scene = Scene::new(&layout, 1);
    let last = table.spaces(scene.map).next_back().unwrap();
    let before = table.fingerprint();
    let refused = table.lay(scene.hand()[0], last, 0, End::Top).unwrap_err();
    assert_eq!(refused.to_string(), "`square` does not fit on `map[4,4]`: the grid ends");
    assert_eq!(table.fingerprint(), before);
}

#[test]
fn ways_lead_over_the_spaces_given_only() {
    for (scene, mut chance) in scenes(50) {
        let over: Vec<SpaceId> =
            scene.table.spaces(scene.map).filter(|space| scene.table.shows(*space).is_some()).collect();
        let from = over[chance.below(over.len() as u32) as usize];
        let steps = chance.below(5) as usize;
        let mut wanted: BTreeSet<SpaceId> = BTreeSet::from([from]);
        for _ in 0..steps {
            let next: Vec<SpaceId> = wanted.iter().flat_map(|at| scene.table.layout().neighbors(*at, false)).collect();
            wanted.extend(next.into_iter().filter(|at| over.contains(at)));
        }
        wanted.remove(&from);
        let found: BTreeSet<SpaceId> =
            scene.table.reached(&[from], steps, &over).into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn more_pieces_than_are_listed_together_are_a_fault() {
    let rules = "fn set_up() { placements(map, stock.pieces, [\"beside\"]); }";
    let tiles = TILES.replace("count = 4", "count = 1000");
    let texts = [("game.toml", GAME), ("components/tiles.toml", &tiles), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("tiles", texts).unwrap();
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    let Status::Failed(diagnostic) = session.status() else { panic!("{:?}", session.status()) };
    let told = &diagnostic.message;
    assert!(told.contains("placements of 1011 pieces at once are too many, 1000 is the most"), "{told}");
}

/// No drawn piece reaches into another one, or out of its space below.
fn assert_pieces_lie_apart(drawing: &str) {
    let boxes: Vec<Vec<i32>> = drawing
        .split("<g transform=\"translate(")
        .skip(1)
        .map(|rest| {
            let numbers = rest.split(")\">").next().unwrap().replace(") scale(", " ").replace('.', "");
            numbers.split(' ').map(|number| number.parse().unwrap()).collect()
        })
        .collect();
    assert!(boxes.len() > 2, "{drawing}");
    for (at, one) in boxes.iter().enumerate() {
        let size = one[2] * 20 / 1000;
        assert!(one[1] % 40 + size / 2 <= 40 && one[1] % 40 - size / 2 >= 14, "{one:?} of {drawing}");
        for other in &boxes[at + 1..] {
            assert!((one[0] - other[0]).abs() >= size || (one[1] - other[1]).abs() >= size, "{one:?} and {other:?}");
        }
    }
}

/// A game whose map is drawn: a tile on it, and pieces of two kinds of two seats over it.
const DRAWN: &str = r#"
[game]
id = "drawn"
name = "Drawn"
players = { min = 2, max = 2 }
[zones.map]
shape = "grid"
columns = [-1, 2]
rows = [-1, 2]
[zones.figures]
over = "map"
accepts = ["guard", "pawn"]
[zones.secrets]
per = "seat"
over = "map"
accepts = ["token"]
face = "down"
seen_by = "owner"
[zones.stock]
shape = "pile"
starts_with = ["tile", "guard"]
[zones.bags]
per = "seat"
shape = "hand"
starts_with = ["pawn", "token"]
[decisions.stop]
[flow]
setup = ["set_up"]
"#;

const PAINTED: &str = r##"
[cells]
A = { name = "ash & oak", color = "#202020" }
B = { name = "birch, beech", color = "#f0f0f0" }
[[tile]]
id = "tile"
cells = ["A B", "B B"]
[[guard]]
id = "guard"
[[pawn]]
id = "pawn"
each = "seat"
[[token]]
id = "token"
number = 7
each = "seat"
"##;

#[test]
fn a_drawing_tells_kinds_seats_and_numbers_apart_and_is_read_on_any_paint() {
    let rules = "fn set_up() {
        stock.find(\"kind\", \"tile\").lay(map.at(0, 0), 0, \"beside\");
        stock.find(\"kind\", \"guard\").move_to(figures.at(0, 0));
        for seat in seats {
            seat.bags.find(\"kind\", \"pawn\").move_to(figures.at(1, 0));
            seat.bags.find(\"kind\", \"token\").move_to(seat.secrets.at(1, 1));
        }
        choose_or_pass(first, \"stop\", [1, 2]);
    }
    fn score(seat) { 0 }";
    let texts = [("game.toml", DRAWN), ("components/tiles.toml", PAINTED), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("drawn", texts).unwrap();
    let setup = Setup::seats(2);
    let session = Session::start(&game, &setup).unwrap();
    assert!(session.decision().is_some(), "{:?}", session.status());
    let wording = Wording::new(session.model().clone(), setup, Language::English);
    let picture = session.table().pictures().remove(0);
    let drawing = wording.drawing(&picture, "A <title>");
    let count = |text: &str| drawing.matches(text).count();
    assert_eq!(count("<svg "), 1);
    assert_eq!(count("</svg>"), 1);
    assert_eq!(count("A &lt;title&gt;"), 1, "{drawing}");
    assert_eq!(count("fill=\"#202020\""), 1, "the dark cell: {drawing}");
    assert_eq!(count("fill=\"#f0f0f0\""), 3, "the light cells: {drawing}");
    assert_eq!(count("font-size=\"12\" fill=\"#ffffff\">A<"), 1, "light ink on it: {drawing}");
    assert_eq!(count("font-size=\"12\" fill=\"#222222\">B<"), 3, "dark ink on them: {drawing}");
    assert_eq!(count("<circle"), 1, "the guard: {drawing}");
    assert_eq!(count("h15v15h-15z"), 2, "the pawns: {drawing}");
    assert_eq!(count("l10 17h-20z"), 2, "the tokens: {drawing}");
    assert_eq!(count(">7</text>"), 2, "their numbers: {drawing}");
    assert_eq!(count("A = ash &amp; oak; B = birch, beech"), 1, "the signs: {drawing}");
    assert_pieces_lie_apart(&drawing);
    let of_ann = wording.clone().for_seat(Seat(0)).drawing(&picture, "");
    assert_eq!(of_ann.matches(">7</text>").count(), 1, "another's number is not told: {of_ann}");
}

#[test]
fn who_does_not_see_into_a_hand_cannot_tell_what_begins_there() {
    let rules = "fn set_up() { choose_or_pass(first, \"stop\", [1, 2]); } fn score(seat) { 0 }";
    let texts = [("game.toml", DRAWN), ("components/tiles.toml", PAINTED), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("drawn", texts).unwrap();
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    let bags = session.model().family(session.model().find_family("bags").unwrap()).zones.start;
    for seat in 0..2 {
        for piece in session.table().pieces(ZoneId(bags + seat)) {
            assert_eq!(session.table().knowers(piece), 1 << seat, "only its owner knows it");
        }
    }
}

/// A grid that is one for each component may say of each what is printed on its own.
#[test]
fn each_board_of_a_component_is_printed_by_itself() {
    let game = r#"
[game]
id = "labs"
players = { min = 2, max = 2 }
[zones.lab]
shape = "grid"
per = "team"
[zones.lab.printed.pays]
red = ["1 2 .", "3 . 4"]
blue = ["9 8 7", "6 5 4"]
[zones.lab.printed.is_last]
blue = [". . .", ". . true"]
[zones.dig]
shape = "hex"
columns = [0, 1]
rows = [0, 0]
per = "team"
[zones.dig.printed.ore]
red = ["iron ."]
blue = [". gold"]
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = ["look"]
[kinds.team]
[[team]]
id = "red"
[[team]]
id = "blue"
"#;
    let game = game.replace("team", "crew");
    let (data, rows) = game.split_at(game.find("[kinds.crew]").unwrap());
    let rules = r#"
fn look() {
    ensure(lab["red"].at(3, 2).pays == 4 && lab["red"].at(3, 1).pays == (), "red pays");
    ensure(lab["blue"].at(1, 1).pays == 9 && lab["blue"].at(3, 2).is_last && !lab["red"].at(3, 2).is_last, "blue pays");
    ensure(dig["red"].at(0, 0).ore == "iron" && dig["blue"].at(1, 0).ore == "gold" && dig["blue"].at(0, 0).ore == (), "ore");
}
fn score(seat) { 0 }
"#;
    let texts = [("game.toml", data), ("components/crews.toml", rows), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("labs", texts).unwrap_or_else(|found| panic!("{found}"));
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    assert!(matches!(session.status(), Status::Over(_)), "{:?}", session.status());
}

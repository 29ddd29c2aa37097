//! Tests of pieces that cover several spaces. The faces that a grid shows, its regions and the effects of placements are compared with a
//! slow and simple reference.

use super::tiles::{GAME, Scene, TILES, layout, listed, scenes};
use parlour::model::{PieceId, SpaceId, ZoneId};
use parlour::session::{Session, Setup, Status};
use parlour::table::{Chance, End, Placement, Placements, RelativePosition, Table, View};
use std::collections::BTreeSet;

#[test]
fn a_space_shows_the_topmost_cell() {
    for (scene, _) in scenes(200) {
        let seen = scene.seen(&scene.lying);
        for space in scene.table.spaces(scene.map) {
            assert_eq!(scene.table.visible_piece(space), seen.get(&space).map(|(piece, _)| *piece));
            assert_eq!(scene.table.print_at(space), seen.get(&space).map(|(_, print)| *print));
        }
    }
}

#[test]
fn removing_a_piece_uncovers_the_cells_below() {
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
fn regions_are_connected_components() {
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
fn a_region_keeps_its_name_while_that_space_is_uncovered() {
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
            .filter(|name| scene.seen(&after).get(name).map(|(piece, _)| *piece) == scene.table.visible_piece(*name))
            .collect();
        let before = scene.table.clone();
        scene.lay(placement);
        for name in &kept {
            let first = scene.table.region(*name, scene.land)[0];
            assert!(
                before.visible_piece(first) == scene.table.visible_piece(first),
                "a newer space took the region over"
            );
            assert!(first == *name || before.region(first, scene.land)[0] != *name, "the name was lost without need");
        }
    }
}

#[test]
fn placements_are_complete_and_valid() {
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
fn position_inverts_get_on_placements() {
    for (scene, _) in scenes(10) {
        let placements = scene.placements();
        for (at, placement) in listed(&placements).iter().enumerate() {
            assert_eq!(placements.position(placement), Some(at));
        }
    }
}

#[test]
fn not_covering_excludes_placements_that_cover_spaces() {
    for (scene, mut chance) in scenes(60) {
        let spaces = scene.some_spaces(&mut chance, 6);
        let placements = scene.placements();
        let kept = listed(&placements.not_covering(&scene.table, &spaces));
        let seen = scene.seen(&scene.lying);
        let wanted = |placement: &Placement| {
            let after = scene.seen(&scene.after(placement));
            !spaces.iter().any(|space| after.get(space) != seen.get(space))
        };
        let wanted: Vec<Placement> = listed(&placements).into_iter().filter(wanted).collect();
        assert!(kept == wanted, "{} kept, {} wanted", kept.len(), wanted.len());
    }
}

#[test]
fn placement_filters_on_random_spaces_match_brute_force() {
    for (scene, mut chance) in scenes(60) {
        let spaces = scene.some_spaces(&mut chance, 4);
        let others = scene.some_spaces(&mut chance, 3);
        scene.check_narrowing(&scene.placements(), &spaces, &others);
    }
}

#[test]
fn placement_filters_on_separate_regions_match_brute_force() {
    for (scene, mut chance) in scenes(60) {
        let mut spaces = scene.some_regions(&mut chance, 6);
        let others = spaces.split_off(spaces.len().div_ceil(2));
        scene.check_narrowing(&scene.placements(), &spaces, &others);
    }
}

#[test]
fn placement_filters_on_all_spaces_match_brute_force() {
    for (scene, mut chance) in scenes(3) {
        let (spaces, others) = (scene.all_spaces(), scene.some_spaces(&mut chance, 3));
        let placements = Placements::new(&scene.table, scene.map, &scene.hand()[..1], &RelativePosition::ALL);
        scene.check_narrowing(&placements, &spaces, &others);
        scene.check_narrowing(&placements, &others, &spaces);
    }
}

#[test]
fn values_of_placements_are_the_distinct_values_of_each() {
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
fn random_scenes_contain_placements_that_join_regions() {
    let joining = |(scene, mut chance): (Scene, Chance)| {
        let mut spaces = scene.some_regions(&mut chance, 6);
        let others = spaces.split_off(spaces.len().div_ceil(2));
        scene.placements().joining(&scene.table, scene.land, (&spaces, &others), true).len()
    };
    assert!(scenes(60).map(joining).filter(|count| *count > 0).count() > 20);
}

#[test]
fn placement_outcomes_describe_the_resulting_regions() {
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
fn region_after_equals_the_region_once_placed() {
    for (scene, mut chance) in scenes(100) {
        let placements = scene.placements();
        if placements.is_empty() {
            continue;
        }
        let placement = placements.get(chance.below(placements.len() as u32) as usize);
        let space = scene.table.spaces(scene.map).nth(chance.below(56) as usize).unwrap();
        let asked = placements.region_after(&scene.table, &placement, scene.land, space).unwrap();
        let alone = Placements::at_site(&scene.table, &placement);
        let is_here = |one: &Placement| (one.piece, one.to, one.way) == (placement.piece, placement.to, placement.way);
        assert!(alone.iter().eq(placements.iter().filter(is_here)), "a placement alone is listed as among all");
        assert_eq!(alone.region_after(&scene.table, &placement, scene.land, space).as_ref(), Some(&asked));
        let before = scene.table.fingerprint();
        let mut table = scene.table.clone();
        let end = if placement.way == RelativePosition::Under { End::Bottom } else { End::Top };
        table.lay(placement.piece, placement.to, placement.turned, end).unwrap();
        assert_eq!(asked, table.region(space, scene.land));
        assert_eq!(scene.table.fingerprint(), before);
        assert_ne!(table.fingerprint(), before);
    }
}

#[test]
fn stacking_order_affects_fingerprint_and_view() {
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
fn pieces_beyond_the_edge_of_a_grid_are_refused() {
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
fn reachability_uses_only_the_given_spaces() {
    for (scene, mut chance) in scenes(50) {
        let over: Vec<SpaceId> =
            scene.table.spaces(scene.map).filter(|space| scene.table.visible_piece(*space).is_some()).collect();
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
fn placements_of_too_many_pieces_are_a_fault() {
    let rules = "fn set_up() { placements(map, stock.pieces, [\"beside\"]); }";
    let tiles = TILES.replace("count = 4", "count = 1000");
    let texts = [("game.toml", GAME), ("components/tiles.toml", &tiles), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("tiles", texts).unwrap();
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    let Status::Failed(diagnostic) = session.status() else { panic!("{:?}", session.status()) };
    let told = &diagnostic.message;
    assert!(told.contains("placements of 1011 pieces at once are too many, 1000 is the most"), "{told}");
}

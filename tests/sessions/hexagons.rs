//! Tests of hexagonal boards. Distances are checked against coordinates, and placements against brute force.

use parlour::model::{HexOrientation, Label, PieceId, SpaceId, Tessellation, ZoneId};
use parlour::session::{Session, Setup, Status};
use parlour::table::{Chance, Direction, End, Layout, Placements, RelativePosition, Table};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

const TILES: &str = r#"
[cells]
A = { land = "a" }
B = { land = "b" }
[[tile]]
id = "bend"
cells = ["A B", "A ."]
count = 3
[[tile]]
id = "bar"
cells = ["A B B"]
count = 2
[[tile]]
id = "clump"
cells = [". B", "B B"]
count = 2
[[tile]]
id = "ring"
cells = [". A A", "A . A", "A A ."]
"#;

fn layout(shape: &str) -> Arc<Layout> {
    let game = format!(
        "[game]\nid = \"hexes\"\nname = \"Hexes\"\nplayers = {{ min = 2, max = 2 }}\n[zones.map]\nshape = \"hex\"\n{shape}\n\
         [zones.stock]\nshape = \"pile\"\nstarts_with = [\"tile\"]\n[flow]\nsetup = [\"set_up\"]\n"
    );
    let texts = [("game.toml", game.as_str()), ("components/tiles.toml", TILES), ("rules/play.rhai", "fn set_up() {}")];
    let texts = crate::folder::owned_files(texts);
    parlour::load_texts("hexes", texts).unwrap().layout(&Setup::seats(2)).unwrap()
}

/// Declarations of boards of every kind.
const BOARDS: [&str; 6] = [
    "radius = 3",
    "radius = 2\ntops = \"flat\"",
    "columns = 5\nrows = 4",
    "columns = [-2, 2]\nrows = [0, 4]\ntops = \"flat\"",
    "columns = 5\nrows = 6\noutline = \"rectangle\"",
    "columns = 6\nrows = 4\noutline = \"rectangle\"\ntops = \"flat\"",
];

fn map(layout: &Layout) -> ZoneId {
    ZoneId(layout.model.family(layout.model.find_family("map").unwrap()).zones.start)
}

fn spaces(layout: &Layout) -> Vec<SpaceId> {
    layout.model.zone(map(layout)).spaces.clone().map(SpaceId).collect()
}

fn label(layout: &Layout, space: SpaceId) -> (i32, i32) {
    let Label::Cell(column, row) = layout.model.space(space).label else { panic!("a hexagon has a column and a row") };
    (column.into(), row.into())
}

/// Returns the squared distance between the centers of two hexagons. Neighbors have the distance 1.
fn apart(layout: &Layout, a: SpaceId, b: SpaceId) -> i32 {
    let ((c1, r1), (c2, r2)) = (label(layout, a), label(layout, b));
    let (dc, dr) = (c2 - c1, r2 - r1);
    // Squared length of the vector (dc, dr) in a triangular lattice with side 1.
    dc * dc + dc * dr + dr * dr
}

#[test]
fn neighbors_of_a_hexagon_are_at_distance_one() {
    for board in BOARDS {
        let layout = layout(board);
        let all = spaces(&layout);
        for &space in &all {
            let near: BTreeSet<SpaceId> = layout.neighbors(space, false).collect();
            let wanted: BTreeSet<SpaceId> =
                all.iter().copied().filter(|other| apart(&layout, space, *other) == 1).collect();
            assert_eq!(near, wanted, "{board}");
            assert_eq!(layout.neighbors(space, true).collect::<BTreeSet<_>>(), wanted, "{board}");
            for direction in Direction::all(layout.shape_at(space).tessellation()) {
                let back = Direction { dx: -direction.dx, dy: -direction.dy };
                assert!(layout.step(space, direction).is_none_or(|next| layout.step(next, back) == Some(space)));
            }
        }
    }
}

#[test]
fn hex_boards_have_the_declared_outlines() {
    let count = |board: &str| spaces(&layout(board)).len();
    assert_eq!(BOARDS.map(count), [37, 19, 20, 25, 30, 24]);
    assert_eq!(count("radius = 0"), 1);
    // A rectangle has straight sides: its rows begin at most half a hexagon apart.
    let layout = layout(BOARDS[4]);
    let halves: BTreeSet<i32> = (1..=6)
        .map(|row| {
            let labels = spaces(&layout).into_iter().map(|space| label(&layout, space));
            labels.filter(|at| at.1 == row).map(|at| 2 * at.0 + at.1).min().unwrap()
        })
        .collect();
    assert_eq!(halves.len(), 2, "{halves:?}");
}

#[test]
fn hex_direction_names_depend_on_the_orientation() {
    let [pointy, flat] = [HexOrientation::Pointy, HexOrientation::Flat].map(Tessellation::Hex);
    for (tessellation, names) in [(pointy, ["e", "se", "w"]), (flat, ["n", "ne", "s"])] {
        assert_eq!(Direction::all(tessellation).count(), 6);
        assert!(names.iter().all(|name| Direction::named(name, tessellation).is_some()), "{tessellation:?}");
    }
    assert!(Direction::named("n", pointy).is_none());
    assert!(Direction::named("e", flat).is_none());
}

/// Returns the spaces that can be reached from a space through the spaces `over`, each with the number of steps.
fn steps(layout: &Layout, from: SpaceId, over: &BTreeSet<SpaceId>) -> Vec<(SpaceId, usize)> {
    let (mut found, mut queue, mut met) = (Vec::new(), VecDeque::from([(from, 0)]), BTreeSet::from([from]));
    while let Some((at, far)) = queue.pop_front() {
        found.push((at, far));
        for &next in over.iter().filter(|next| apart(layout, at, **next) == 1) {
            if met.insert(next) {
                queue.push_back((next, far + 1));
            }
        }
    }
    found
}

#[test]
fn reachability_on_hexagons_matches_breadth_first_search() {
    for board in BOARDS {
        let layout = layout(board);
        let table = Table::new(layout.clone(), Chance::new(1, "table"));
        let mut chance = Chance::new(2, "holes");
        for from in spaces(&layout) {
            let over: Vec<SpaceId> = spaces(&layout).into_iter().filter(|_| chance.below(4) > 0).collect();
            let mut found: Vec<(SpaceId, usize)> = table.reached(&[from], usize::MAX, &over);
            let mut wanted = steps(&layout, from, &over.iter().copied().collect());
            wanted.retain(|(space, _)| *space != from);
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{board}");
        }
    }
}

#[test]
fn lines_of_sight_are_shortest_paths_and_symmetric() {
    let boards = [
        "radius = 4",
        "radius = 3\ntops = \"flat\"",
        "columns = 5\nrows = 4",
        "columns = 5\nrows = 6\noutline = \"rectangle\"",
        "columns = 6\nrows = 5\noutline = \"rectangle\"\ntops = \"flat\"",
    ];
    for board in boards {
        let layout = layout(board);
        let all = spaces(&layout);
        let everywhere: BTreeSet<SpaceId> = all.iter().copied().collect();
        for &from in &all {
            for (to, far) in steps(&layout, from, &everywhere) {
                let line = layout.between(from, to).unwrap();
                assert_eq!(line.len(), far.saturating_sub(1), "{board}");
                let whole: Vec<SpaceId> = [from].into_iter().chain(line.iter().copied()).chain([to]).collect();
                assert!(
                    far == 0 || whole.windows(2).all(|two| apart(&layout, two[0], two[1]) == 1),
                    "{board}: {whole:?}"
                );
                let mut back = layout.between(to, from).unwrap();
                back.reverse();
                assert_eq!(line, back, "{board}");
            }
        }
    }
}

/// Distances and lines of sight between two zones over the same grid are the same as within that grid.
#[test]
fn spaces_over_a_grid_are_equivalent_in_distance_queries() {
    let game = |shape: &str, asks: &str| {
        let zones = format!(
            "[zones.land]\n{shape}\n[zones.sheep]\nper = \"seat\"\nover = \"land\"\n[zones.fog]\nover = \"land\"\n\
             [zones.sea]\n{shape}\n[zones.hand]\nper = \"seat\"\nshape = \"hand\"\n"
        );
        let game = format!(
            "[game]\nid = \"hexes\"\nname = \"Hexes\"\nplayers = {{ min = 2, max = 2 }}\n{zones}[flow]\nsetup = [\"set_up\"]\n"
        );
        let rules = format!(
            "fn set_up() {{ let a = land.at(1, 1); let b = land.at(3, 1); \
             let sheep = seats[1].sheep; let far = first.sheep.at(3, 1); {asks} }}"
        );
        let texts = [("game.toml", game), ("rules/play.rhai", rules)];
        let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
        let game = parlour::load_texts("hexes", texts).unwrap_or_else(|found| panic!("{found}"));
        let session = Session::start(&game, &Setup::seats(2)).unwrap_or_else(|found| panic!("{found}"));
        if let Status::Failed(found) = session.status() {
            Err(parlour::diagnostic::render(found, false))
        } else {
            Ok(())
        }
    };
    for shape in ["shape = \"hex\"\ncolumns = 3\nrows = 3", "shape = \"grid\"\ncolumns = 3\nrows = 3"] {
        for asked in [
            "a.between(b).all(|space| space == land.at(2, 1)) && a.between(b).count() == 1",
            "a.between(far).all(|space| space == land.at(2, 1)) && a.between(far).count() == 1",
            "far.between(a).all(|space| space == first.sheep.at(2, 1)) && far.between(a).count() == 1",
            "sheep.at(1, 1).between(far).all(|space| space == sheep.at(2, 1)) && sheep.at(1, 1).between(far).count() == 1",
            "far.between(fog.at(1, 1)).all(|space| space == first.sheep.at(2, 1)) && far.between(fog.at(1, 1)).count() == 1",
            "far.within(1, land.spaces) == b.within(1, land.spaces) && far.within(1, land.spaces).count() > 1",
            "b.within(1, sheep.spaces).count() == b.neighbors().count()",
            "[far, a].within(1, land.spaces) == [b, a].within(1, land.spaces)",
            "far.within(1, sea.spaces).is_empty() && first.hand.spaces[0].within(1, land.spaces).is_empty()",
            "sheep.at(1, 1).distance(far, land.spaces) == 2 && a.distance(far, land.spaces) == 2",
            "a.distance(far, sheep.spaces) == 2 && b.distance(far, land.spaces.filter(|space| false)) == 0",
            "a.distance(sea.at(1, 1), land.spaces) == ()",
            "far.connected(land.spaces).count() == 9 && far.connected(land.spaces)[0] == b",
            "land.spaces.distance(far, sheep.at(1, 1), \"x\") == 3 && land.spaces.distance(b, far, \"x\") == 0",
            "land.spaces.within(far, 2, \"x\") == land.spaces.within(b, 2, \"x\")",
        ] {
            let ensured = format!("ensure({asked}, \"it is so\");");
            game(shape, &ensured).unwrap_or_else(|found| panic!("{shape}: {asked}: {found}"));
        }
    }
    for other in ["sea.at(1, 1)", "first.hand.spaces[0]"] {
        let found = game(
            "shape = \"grid\"\ncolumns = 3\nrows = 3",
            &format!("say_nothing(a.between({other}));\n}}\nfn say_nothing(what) {{"),
        );
        let found = found.unwrap_err();
        assert!(found.contains("no straight line leads from `land[1,1]` to"), "{found}");
    }
}

#[test]
fn hex_tiles_rotate_by_sixty_degrees() {
    let layout = layout("radius = 3");
    let cells = &layout.model.cells;
    assert_eq!(cells.turns(), 6);
    for component in layout.model.components.iter().filter(|component| !component.cells.is_empty()) {
        let turned: Vec<Vec<(i32, i32, u16)>> = (0..6)
            .map(|turns| {
                cells.turned(&component.cells, turns).iter().map(|c| (c.x.into(), c.y.into(), c.print)).collect()
            })
            .collect();
        assert_eq!(cells.turned(&component.cells, 6), cells.turned(&component.cells, 0));
        // Turning a tile keeps the distances between its cells and does not mirror the tile. Three turns are half a rotation.
        let far = |all: &[(i32, i32, u16)]| {
            let mut found: Vec<(u16, u16, i32)> = Vec::new();
            for a in all {
                for b in all {
                    let (dc, dr) = (b.0 - a.0, b.1 - a.1);
                    found.push((a.2, b.2, dc * dc + dc * dr + dr * dr));
                }
            }
            found.sort_unstable();
            found
        };
        assert!(turned.iter().all(|one| far(one) == far(&turned[0])), "{}", component.id);
        let half: BTreeSet<(i32, i32, u16)> = turned[0].iter().map(|(x, y, print)| (-x, -y, *print)).collect();
        let (x, y) = half.iter().map(|at| (at.1, at.0)).min().map(|(y, x)| (x, y)).unwrap();
        let half: BTreeSet<(i32, i32, u16)> = half.into_iter().map(|(a, b, print)| (a - x, b - y, print)).collect();
        assert_eq!(turned[3].iter().copied().collect::<BTreeSet<_>>(), half, "{}", component.id);
    }
}

#[test]
fn hex_placements_and_regions_match_brute_force() {
    for (seed, board) in BOARDS.iter().enumerate() {
        let layout = layout(board);
        let mut table = Table::new(layout.clone(), Chance::new(seed as u64, "table"));
        let mut chance = Chance::new(seed as u64, "tiles");
        let stock = ZoneId(layout.model.family(layout.model.find_family("stock").unwrap()).zones.start);
        let pieces: Vec<PieceId> = table.pieces(stock).collect();
        let land = layout.model.cells.find_field("land").unwrap();
        for &piece in &pieces {
            let found =
                Placements::new(&table, map(&layout), &[piece], &[RelativePosition::Beside, RelativePosition::Over]);
            let mut listed = BTreeSet::new();
            for at in 0..found.len() {
                let placement = found.get(at);
                let mut tried = table.clone();
                tried.lay(piece, placement.to, placement.turned, End::Top).unwrap();
                let taken: BTreeSet<SpaceId> = tried.covered_spaces(piece).into_iter().collect();
                assert!(
                    listed.insert((looks(&tried, &taken), placement.way == RelativePosition::Over)),
                    "{board}: listed twice"
                );
            }
            let mut wanted = BTreeSet::new();
            let laid: BTreeSet<SpaceId> =
                spaces(&layout).into_iter().filter(|at| table.visible_piece(*at).is_some()).collect();
            for to in spaces(&layout) {
                for turned in 0..6 {
                    let mut tried = table.clone();
                    if tried.lay(piece, to, turned, End::Top).is_err() {
                        continue;
                    }
                    let taken: BTreeSet<SpaceId> = tried.covered_spaces(piece).into_iter().collect();
                    let covers = taken.iter().any(|at| laid.contains(at));
                    let touches = taken.iter().any(|at| laid.iter().any(|other| apart(&layout, *at, *other) == 1));
                    if covers || laid.is_empty() || touches {
                        wanted.insert((looks(&tried, &taken), covers));
                    }
                }
            }
            assert_eq!(listed, wanted, "{board}");
            if found.is_empty() {
                continue;
            }
            let placement = found.get(chance.below(found.len() as u32) as usize);
            let space = placement.to;
            let after = found.region_after(&table, &placement, land, space).unwrap();
            let alone = Placements::at_site(&table, &placement);
            assert_eq!(alone.region_after(&table, &placement, land, space).as_ref(), Some(&after), "{board}");
            table.lay(piece, placement.to, placement.turned, End::Top).unwrap();
            assert_eq!(after.iter().collect::<BTreeSet<_>>(), table.region(space, land).iter().collect(), "{board}");
            for from in spaces(&layout) {
                let says = |at: SpaceId| table.cell_field(at, land).cloned();
                let alike: BTreeSet<SpaceId> =
                    spaces(&layout).into_iter().filter(|at| says(*at).is_some() && says(*at) == says(from)).collect();
                let wanted: BTreeSet<SpaceId> = if alike.contains(&from) {
                    steps(&layout, from, &alike).into_iter().map(|(space, _)| space).collect()
                } else {
                    BTreeSet::new()
                };
                assert_eq!(table.region(from, land).into_iter().collect::<BTreeSet<_>>(), wanted, "{board}");
            }
        }
    }
}

/// Returns the print that each of the spaces in `taken` shows.
fn looks(table: &Table, taken: &BTreeSet<SpaceId>) -> Vec<(SpaceId, Option<u16>)> {
    taken.iter().map(|at| (*at, table.print_at(*at))).collect()
}

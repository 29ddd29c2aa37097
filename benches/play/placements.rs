//! What it costs to list the placements of tiles on a large map, and to narrow them by what they would do.

use super::clock;
use parlour::model::{PieceId, SpaceId, ZoneId};
use parlour::session::Setup;
use parlour::table::{Chance, End, Placements, Table, Way};
use std::hint::black_box;
use std::path::Path;

/// How many tiles lie on the map, and how many are in hand.
const LAID: usize = 25;
const HAND: usize = 5;

/// How many spaces are watched.
const WATCHED: usize = 8;

/// Measures a game whose pieces have cells; others are left out.
pub(super) fn placements(name: &str, path: &Path) {
    let game = parlour::load(path).unwrap();
    let layout = game.layout(&Setup::seats(*game.players().end())).unwrap();
    let model = layout.model.clone();
    let Some(field) = (!model.cells.fields.is_empty()).then_some(0) else { return };
    let Some(size) = model.cells.find_field("size") else { return };
    let mut table = Table::new(layout, Chance::new(7, "table"));
    let mut chance = Chance::new(7, "tiles");
    let grid = (0..model.zones.len()).map(ZoneId::at).find(|zone| model.family_of(*zone).columns > 1).unwrap();
    let has_cells = |piece: &PieceId| !model.component(table.component(*piece)).cells.is_empty();
    let mut tiles: Vec<PieceId> = table.all_pieces().filter(has_cells).collect();
    chance.shuffle(&mut tiles);
    for _ in 0..LAID {
        let tile = tiles.pop().unwrap();
        let all = Placements::new(&table, grid, &[tile], &[Way::Beside]);
        let placement = all.get(chance.below(all.len() as u32) as usize);
        table.lay(placement.piece, placement.to, placement.turned, End::Top).unwrap();
    }
    tiles.truncate(HAND);
    let mut laid: Vec<SpaceId> = table.spaces(grid).filter(|space| table.shows(*space).is_some()).collect();
    chance.shuffle(&mut laid);
    let (own, others) = laid[..WATCHED].split_at(WATCHED / 4);
    let list = || Placements::new(&table, grid, &tiles, &Way::ALL);
    let narrow = || {
        let all = list().not_covering(&table, others);
        let quiet = all.keeping_size(&table, field, size, others);
        let quiet = quiet.joining(&table, field, (others, &laid[..WATCHED]), false);
        (quiet.len(), all.joining(&table, field, (own, others), true).len())
    };
    let (count, (kept, joining)) = (list().len(), narrow());
    let listed = clock::operation(|_| _ = black_box(list()));
    let narrowed = clock::operation(|_| _ = black_box(narrow()));
    println!("{name:<18} {count:>10} {:>10.1} {:>10.1} {kept:>10} {joining:>10}", listed * 1e6, narrowed * 1e6);
}

//! Measures listing the placements of tiles on a large map, and filtering them by their effects.

use super::clock;
use parlour::model::{FieldValue, PieceId, SpaceId, ZoneId};
use parlour::session::Setup;
use parlour::table::{Chance, End, Placements, RelativePosition, Table};
use std::hint::black_box;
use std::path::Path;

/// Number of positions that are measured.
const POSITIONS: u64 = 16;

/// Number of tiles on the map.
const LAID: usize = 25;
/// Number of tiles in hand.
const HAND: usize = 5;

/// Number of the player's own regions that are watched.
const OWN: usize = 2;
/// Number of other players' regions that are watched.
const OTHERS: usize = 6;

/// Map with tiles on it, tiles in hand, and the spaces that rules watch.
struct Position {
    table: Table,
    grid: ZoneId,
    field: usize,
    size: usize,
    hand: Vec<PieceId>,
    /// Spaces whose visible cell has a flag. Placements must not cover them.
    lasting: Vec<SpaceId>,
    own: Vec<SpaceId>,
    others: Vec<SpaceId>,
    watch: Vec<SpaceId>,
}

/// Numbers of placements: all, legal ones that do not join regions of other players, legal ones that join a region of the player with one
/// of another player, and the distinct outcomes of the latter.
type Counts = [usize; 4];

/// Measures the placements of a game. Skips games whose pieces have no cells.
pub(super) fn placements(name: &str, path: &Path) {
    let positions: Option<Vec<Position>> = (0..POSITIONS).map(|seed| position(path, seed)).collect();
    let Some(positions) = positions else { return };
    let mean = |of: &dyn Fn(&Position) -> f64| positions.iter().map(of).sum::<f64>() / positions.len() as f64;
    let listed = mean(&|position| clock::operation(|_| _ = black_box(position.list())));
    let narrowed = mean(&|position| clock::operation(|_| _ = black_box(position.legal())));
    let [count, quiet, joining, outcomes] =
        std::array::from_fn(|at| mean(&|position| position.legal()[at] as f64).round());
    println!(
        "{name:<18} {count:>10} {:>10.1} {:>10.1} {quiet:>10} {joining:>10} {outcomes:>10}",
        listed * 1e6,
        narrowed * 1e6
    );
}

fn position(path: &Path, seed: u64) -> Option<Position> {
    let game = parlour::load(path).unwrap();
    let layout = game.layout(&Setup::seats(*game.players().end())).unwrap();
    let model = layout.model.clone();
    let field = (!model.cells.fields.is_empty()).then_some(0)?;
    let size = model.cells.find_field("size")?;
    let mut table = Table::new(layout, Chance::new(seed, "table"));
    let mut chance = Chance::new(seed, "tiles");
    let grid = (0..model.zones.len()).map(ZoneId::at).find(|zone| model.family_of(*zone).columns > 1).unwrap();
    let has_cells = |piece: &PieceId| !model.component(table.component(*piece)).cells.is_empty();
    let mut hand: Vec<PieceId> = table.all_pieces().filter(has_cells).collect();
    chance.shuffle(&mut hand);
    for _ in 0..LAID {
        let tile = hand.pop().unwrap();
        let all = Placements::new(&table, grid, &[tile], &[RelativePosition::Beside]);
        let placement = all.get(chance.below(all.len() as u32) as usize);
        table.lay(placement.piece, placement.to, placement.turned, End::Top).unwrap();
    }
    hand.truncate(HAND);
    let laid = table.spaces(grid).filter(|space| table.visible_piece(*space).is_some());
    let is_lasting = |space: &SpaceId| {
        (0..model.cells.fields.len()).any(|field| table.cell_field(*space, field) == Some(&FieldValue::Flag(true)))
    };
    let lasting = laid.filter(is_lasting).collect();
    let mut watched = table.regions(grid, field);
    chance.shuffle(&mut watched);
    let (own, others) = (watched[..OWN].to_vec(), watched[OWN..OWN + OTHERS].to_vec());
    let watch = vec![watched[OWN + OTHERS]];
    Some(Position { table, grid, field, size, hand, lasting, own, others, watch })
}

impl Position {
    fn list(&self) -> Placements {
        Placements::new(&self.table, self.grid, &self.hand, &RelativePosition::ALL)
    }

    /// Filters the placements like a rule that protects some cells, keeps the size of other players' regions, and restricts which regions
    /// may be joined. Returns the counts described at [`Counts`].
    fn legal(&self) -> Counts {
        let Self { table, field, size, lasting, own, others, watch, .. } = self;
        let (field, size) = (*field, *size);
        let everybody = [own.as_slice(), others.as_slice()].concat();
        let watched = [everybody.as_slice(), watch.as_slice()].concat();
        let all = self.list();
        let possible = all.not_covering(table, lasting).not_covering(table, others);
        let possible = possible.not_growing(table, field, size, own, watch);
        let quiet = possible.keeping_size(table, field, size, others);
        let quiet = quiet.joining(table, field, (others, &everybody), false);
        let joining = possible.joining(table, field, (own, others), true);
        let outcomes = joining.outcomes(table, field, size, &watched);
        [all.len(), quiet.len(), joining.len(), outcomes.len()]
    }
}

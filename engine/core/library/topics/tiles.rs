//! Pieces that cover several spaces: placing them, the visible cells of a grid, regions, and the effects of placements.

use super::moves::{MOVE_COST, report_move};
use super::zones::charge_spaces;
use crate::decision::{Choice, EventKind, HandleList, List, Map, OptionSet, Value, look, placement_of};
use crate::library::context::fault::{Answer, Fault, table_result};
use crate::library::context::plain::{describe, plain};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::model::{PieceId, SpaceId, ZoneId};
use crate::table::{End, Placement, PlacementEffect, Placements, RelativePosition};
use arcstr::ArcStr;
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Laying tiles");
    register_laying(registry);
    register_region_functions(registry);
    register_placements(registry);
    register_placement_filters(registry);
    register_placement_effects(registry);
}

fn register_laying(registry: &mut RegistryBuilder) {
    registry.effects(Effects::CHANGES);
    registry.function(
        "lay",
        "piece to turned way:way",
        "Lays a piece on a grid with its north-west corner on a space (on hexagons, the first cell of its first row), turned clockwise 0 to 3 times (0 to 5 on hexagons). `\"beside\"` and `\"over\"` lay it above all pieces there, `\"under\"` below them.",
        "tiles.top.lay(map.at(1, 1), 1, \"beside\"); map.at(2, 2).land // \"field\"",
        |ctx: &mut Context<'_>, piece: PieceId, to: SpaceId, turned: i64, way: ArcStr| -> Answer<()> {

                let way = way_named(&way)?;
                lay(ctx, Placement { piece, to, turned: turned.rem_euclid(ctx.table.model().cells.turns().into()) as u8, way })

        },
    );
    registry.effects(Effects::NONE);
    registry.property(
        "tile",
        "space -> piece?",
        "The piece whose cell is visible on a space, or `()`. For a space of a zone that lies over a grid, the piece visible on the grid.",
        "let tile = tiles.top; tile.lay(map.at(1, 1), 0, \"beside\"); map.at(2, 2).tile == tile // true",
        |ctx: &mut Context<'_>, space: SpaceId| -> Value {
            ctx.table.visible_piece(space).map_or(Value::Nothing, Value::from)
        },
    );
    registry.property(
        "cells",
        "piece",
        "The spaces that a piece covers, row by row, visible or not; for a piece without cells, its space.",
        "let tile = tiles.top; tile.lay(map.at(1, 1), 0, \"beside\"); tile.cells.count() // 4",
        |ctx: &mut Context<'_>, piece: PieceId| -> HandleList<SpaceId> {
            ctx.table.covered_spaces(piece).into_iter().collect()
        },
    );
    registry.property(
        "laid",
        "grid -> places",
        "The spaces of a grid on which a cell is visible, in order.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); map.laid.count() // 4",
        |ctx: &mut Context<'_>, zone: ZoneId| -> HandleList<SpaceId> {
            charge_spaces(ctx, zone);
            ctx.table.spaces(zone).filter(|space| ctx.table.visible_piece(*space).is_some()).collect()
        },
    );
    registry.function(
        "standing_on",
        "pieces spaces -> several",
        "The pieces that lie on the given spaces, or on the corresponding spaces of a zone over their grid.",
        "board.pieces.standing_on(board.spaces).count() // 0",
        |ctx: &mut Context<'_>,
         pieces: HandleList<PieceId>,
         spaces: HandleList<SpaceId>|
         -> Answer<HandleList<PieceId>> {
            ctx.spend(pieces.len() * spaces.len() / 64)?;
            let layout = ctx.table.layout();
            let ground: Vec<SpaceId> = spaces.iter().map(|space| layout.ground_space(*space)).collect();
            let stands = |piece: &PieceId| ground.contains(&layout.ground_space(ctx.table.space_of(*piece)));
            Ok(pieces.iter().copied().filter(stands).collect())
        },
    );
    registry.function(
        "printed",
        "pieces field:cell is",
        "Number of cells of the pieces whose `field` equals `is`, wherever the pieces lie.",
        "tiles.pieces.printed(\"land\", \"field\") // 8",
        |ctx: &mut Context<'_>, pieces: HandleList<PieceId>, field: ArcStr, is: Value| -> Answer<i64> {
            let is = plain(&is)?;
            let field = cell_field(ctx, &field)?;
            let model = ctx.table.model();
            let cells = pieces.iter().map(|piece| &model.component(ctx.table.component(*piece)).cells);
            ctx.charge(cells.clone().map(Vec::len).sum::<usize>() / (OBJECTS_PER_OPERATION / 2));
            let cells = cells.flatten();
            let says = |print: u16| Choice::from(&model.cells.prints[print as usize].fields[field]) == is;
            Ok(cells.filter(|cell| says(cell.print)).count() as i64)
        },
    );
}

fn register_region_functions(registry: &mut RegistryBuilder) {
    registry.function(
        "region",
        "space field:cell -> places",
        "The spaces connected with a space by cells with the same value in a field, including itself. The space that has been visible longest comes first and represents the region however it grows; when regions join, the older representative remains.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); map.at(1, 1).region(\"land\").count() // 3",
        |ctx: &mut Context<'_>, space: SpaceId, field: ArcStr| -> Answer<HandleList<SpaceId>> {

                let field = cell_field(ctx, &field)?;
                spend_on_grid(ctx, space)?;
                Ok(ctx.table.region(space, field).into_iter().collect())

        },
    );
    registry.function(
        "regions",
        "grid field:cell -> places",
        "The representative space (see `region`) of each region of a grid whose cells have a value in a field.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); map.regions(\"land\").count() // 2",
        |ctx: &mut Context<'_>, zone: ZoneId, field: ArcStr| -> Answer<HandleList<SpaceId>> {
            let field = cell_field(ctx, &field)?;
            spend_on_grid(ctx, ctx.table.model().zone(zone).space())?;
            Ok(ctx.table.regions(zone, field).into_iter().collect())
        },
    );
}

fn register_placements(registry: &mut RegistryBuilder) {
    registry.function(
        "placements",
        "grid pieces:piece|choices<piece> ways:list<way> -> options<{piece:piece,to:place,turned:number,way:text}>",
        "Options with the parts `piece`, `to`, `turned` and `way`: every position and rotation in which a piece fits on a grid in the given ways. `\"beside\"`: on bare spaces, sharing an edge with another cell (anywhere on an empty grid); `\"over\"`: above at least one cell; `\"under\"`: below at least one cell, with at least one of its own visible.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"over\"]).count() // 36",
        |ctx: &mut Context<'_>, grid: ZoneId, pieces: Value, ways: List| -> Answer<OptionSet> {
            let ways = ways.iter().map(way_of).collect::<Answer<Vec<_>>>()?;
            let pieces = match super::decisions::options_from(ctx, &pieces_given(&pieces))? {
                OptionSet::Pieces(pieces) => pieces.to_vec(),
                other => other.iter().filter_map(|one| if let Choice::Piece(piece) = one { Some(piece) } else { None }).collect(),
            };
            check_count(pieces.len())?;
            spend_on_grid(ctx, ctx.table.model().zone(grid).space())?;
            let found = Placements::new(&ctx.table, grid, &pieces, &ways);
            ctx.spend(found.len() / PLACEMENTS_PER_OPERATION)?;
            Ok(OptionSet::Placements(Arc::new(found)))
        },
    );
}

fn register_placement_filters(registry: &mut RegistryBuilder) {
    registry.function(
        "not_covering",
        "placements spaces:ground -> same",
        "The placements that cover none of the spaces.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"over\"]).not_covering(map.laid.take(1)).count() // 20",
        |ctx: &mut Context<'_>, options: Arc<OptionSet>, spaces: Value| -> Answer<OptionSet> {
            narrow_each(ctx, &options, |ctx, from| Ok(from.not_covering(&ctx.table, &spaces_of(ctx, &spaces)?)))
        },
    );
    registry.function(
        "keeping_size",
        "placements field:cell size:cell spaces:ground -> same",
        "The placements after which the regions of the spaces have the same size as before, counted by the cells' field `size`, and the spaces keep their value in `field`.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"over\"]).keeping_size(\"land\", \"size\", [map.at(1, 1)]).count() // 4",
        |ctx: &mut Context<'_>, options: Arc<OptionSet>, field: ArcStr, size: ArcStr, spaces: Value| -> Answer<OptionSet> {
            narrow_each(ctx, &options, |ctx, from| {
                let (field, size) = (cell_field(ctx, &field)?, cell_field(ctx, &size)?);
                Ok(from.keeping_size(&ctx.table, field, size, &spaces_of(ctx, &spaces)?))
            })
        },
    );
    registry.function(
        "not_growing",
        "placements field:cell size:cell spaces:ground having:ground -> same",
        "The placements after which no region that contains both one of the spaces and one of the spaces `having` has grown.",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"beside\"]).not_growing(\"land\", \"size\", [map.at(1, 1)], [map.at(1, 2)]).count() // 4",
        |ctx: &mut Context<'_>, options: Arc<OptionSet>, field: ArcStr, size: ArcStr, spaces: Value, having: Value| -> Answer<OptionSet> {
            narrow_each(ctx, &options, |ctx, from| {
                let (field, size) = (cell_field(ctx, &field)?, cell_field(ctx, &size)?);
                Ok(from.not_growing(&ctx.table, field, size, &spaces_of(ctx, &spaces)?, &spaces_of(ctx, &having)?))
            })
        },
    );
    for (word, joined) in [("joining", true), ("not_joining", false)] {
        let (doc, example) = if joined {
            (
                "The placements after which one of the spaces is in the same region as one of `others`. A space whose value changes is in no region.",
                "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"over\"]).joining(\"land\", [map.at(1, 1)], [map.at(1, 2)]).count() // 28",
            )
        } else {
            (
                "The placements after which none of the spaces is in the same region as one of `others`.",
                "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"over\"]).not_joining(\"land\", [map.at(1, 1)], [map.at(1, 2)]).count() // 8",
            )
        };
        registry.function(
            word,
            "placements field:cell spaces:ground others:ground -> same",
            doc,
            example,
            move |ctx: &mut Context<'_>,
                  options: Arc<OptionSet>,
                  field: ArcStr,
                  spaces: Value,
                  others: Value|
                  -> Answer<OptionSet> {
                narrow_each(ctx, &options, |ctx, from| {
                    let field = cell_field(ctx, &field)?;
                    Ok(from.joining(&ctx.table, field, (&spaces_of(ctx, &spaces)?, &spaces_of(ctx, &others)?), joined))
                })
            },
        );
    }
    registry.function(
        "outcomes",
        "placements field:cell size:cell spaces:ground -> list<{regions:list<{spaces:spaces,same:spaces,whole:spaces}>,lost:spaces,placements:same}>",
        "Groups placements by their effect on the regions of the spaces: a list of maps with `placements`, `regions` and `lost` (the spaces whose value changes). Each of `regions` has `spaces` (those in it), `same` (those whose own region had the same size before) and `whole` (those whose own region before lies entirely in it).",
        "tiles.top.lay(map.at(1, 1), 0, \"beside\"); placements(map, tiles.top, [\"under\"]).outcomes(\"land\", \"size\", [map.at(1, 1)])[0].lost.count() // 0",
        |ctx: &mut Context<'_>, options: Arc<OptionSet>, field: ArcStr, size: ArcStr, spaces: Value| -> Answer<Vec<Value>> {

                let (field, size) = (cell_field(ctx, &field)?, cell_field(ctx, &size)?);
                let spaces = spaces_of(ctx, &spaces)?;
                let mut all = Vec::new();
                for set in parts(&options)? {
                    ctx.spend(REGIONS_COST + set.len() * (1 + spaces.len()) / PLACEMENTS_PER_OPERATION)?;
                    let found = set.outcomes(&ctx.table, field, size, &spaces);
                    all.extend(found.into_iter().map(|outcome| outcome_map(outcome, &spaces)));
                }
                if all.len() <= MAX_OUTCOMES {
                    return Ok(all);
                }
                let fault = Fault::new("too-many-options", "there are too many different outcomes", "too many to look at");
                Err(fault.help("narrow the placements first").into())

        },
    );
}

fn register_placement_effects(registry: &mut RegistryBuilder) {
    registry.function(
        "region_after",
        "placement field:cell space",
        "The region of a space after a placement, as returned by `region`.",
        "let tile = tiles.top; placements(map, tile, [\"beside\"]); #{ piece: tile, to: map.at(1, 1), turned: 0, way: \"beside\" }.region_after(\"land\", map.at(1, 1)).count() // 3",
        |ctx: &mut Context<'_>, placement: Arc<Map>, field: ArcStr, space: SpaceId| -> Answer<HandleList<SpaceId>> {

                let field = cell_field(ctx, &field)?;
                let (one, at) = single_placement(ctx, &placement)?;
                spend_on_grid(ctx, space)?;
                Ok(one.region_after(&ctx.table, &at, field, space).unwrap_or_default().into_iter().collect())

        },
    );
    registry.function(
        "seen_after",
        "placement",
        "The spaces on which cells of the piece would be visible after a placement.",
        "#{ piece: tiles.top, to: map.at(1, 1), turned: 0, way: \"beside\" }.seen_after().count() // 4",
        |ctx: &mut Context<'_>, placement: Arc<Map>| -> Answer<HandleList<SpaceId>> {
            let (one, at) = single_placement(ctx, &placement)?;
            Ok(one.position(&at).into_iter().flat_map(|at| one.spaces_seen(at).collect::<Vec<_>>()).collect())
        },
    );
    registry.function(
        "covered_after",
        "placement",
        "The spaces whose cells a placement would cover.",
        "let tile = tiles.top; tile.lay(map.at(1, 1), 0, \"beside\"); #{ piece: tiles.top, to: map.at(2, 2), turned: 0, way: \"over\" }.covered_after().count() // 1",
        |ctx: &mut Context<'_>, placement: Arc<Map>| -> Answer<HandleList<SpaceId>> {

                let (one, at) = single_placement(ctx, &placement)?;
                Ok(one.position(&at).into_iter().flat_map(|at| one.spaces_covered(at).collect::<Vec<_>>()).collect())

        },
    );
}

/// Checks that placements of this many pieces may be listed at once.
fn check_count(pieces: usize) -> Answer<()> {
    if pieces <= Placements::MAX_PIECES {
        return Ok(());
    }
    let message = format!("placements of {pieces} pieces at once are too many, {} is the most", Placements::MAX_PIECES);
    let fault = Fault::new("too-many-options", message, "too many pieces");
    Err(fault.help("list the placements of fewer pieces, as of those in a hand").into())
}

/// Number of placements that are listed or examined per operation charged.
const PLACEMENTS_PER_OPERATION: usize = 2;

/// Operations charged for computing regions, or for finding the ways in which one piece fits.
const REGIONS_COST: usize = 16;

/// Maximum number of different outcomes that `outcomes` returns.
const MAX_OUTCOMES: usize = 500;

fn lay(ctx: &mut Context<'_>, placement: Placement) -> Answer<()> {
    ctx.check_may_change()?;
    ctx.spend(MOVE_COST)?;
    ctx.charge_look(placement.piece);
    let Placement { piece, to, turned, way } = placement;
    let before = ctx.is_noting().then(|| look(&ctx.table, piece));
    let from = ctx.table.space_of(piece);
    let end = if way == RelativePosition::Under { End::Bottom } else { End::Top };
    table_result(ctx.table.lay(piece, to, turned, end))?;
    report_move(ctx, piece, from, to);
    ctx.note(|table| {
        let mut seen = look(table, piece);
        if let Some(before) = before {
            seen.set_origin(&before);
        }
        EventKind::Moved { look: seen, to }
    });
    Ok(())
}

fn way_of(given: &Value) -> Answer<RelativePosition> {
    match plain(given)? {
        Choice::Word(word) => way_named(&word),
        other => way_named(&describe(&other)),
    }
}

fn way_named(word: &str) -> Answer<RelativePosition> {
    RelativePosition::from_word(word)
        .ok_or_else(|| unknown_quoted(&[NameRole::Way], word, RelativePosition::ALL.map(RelativePosition::word)).into())
}

fn cell_field(ctx: &Context<'_>, name: &str) -> Answer<usize> {
    let cells = &ctx.table.model().cells;
    let known = || cells.fields.keys().map(|name| &**name);
    cells.find_field(name).ok_or_else(|| unknown_quoted(&[NameRole::Cell], name, known()).into())
}

/// Charges operations for a search on the grid to which `space` belongs.
fn spend_on_grid(ctx: &mut Context<'_>, space: SpaceId) -> Answer<()> {
    let spaces = ctx.table.model().zone(ctx.table.layout().zone_of(space)).spaces.len();
    ctx.spend(spaces / 16)
}

/// Converts a single piece to a collection. Returns other values unchanged.
fn pieces_given(given: &Value) -> Value {
    match given {
        Value::Piece(piece) => Value::Pieces(std::iter::once(piece.get()).collect()),
        given => given.clone(),
    }
}

/// Converts an argument to spaces. It may be a space, several spaces, or pieces, which represent their spaces.
pub(super) fn spaces_of(ctx: &Context<'_>, given: &Value) -> Answer<Vec<SpaceId>> {
    fn collect(ctx: &Context<'_>, choice: &Choice, found: &mut Vec<SpaceId>) -> Answer<()> {
        match choice {
            Choice::Space(space) => found.push(*space),
            Choice::Piece(piece) => found.push(ctx.table.space_of(*piece)),
            Choice::Many(all) => return all.iter().try_for_each(|one| collect(ctx, one, found)),
            other => {
                let what = describe(other);
                let fault =
                    Fault::new("wrong-space", format!("{what} is not a space"), "neither a space nor a piece on one");
                return Err(fault.into());
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    collect(ctx, &plain(given)?, &mut found)?;
    Ok(found)
}

/// Returns the sets of placements that make up `options`. Fails for options of other types.
fn parts(options: &OptionSet) -> Answer<Vec<Arc<Placements>>> {
    match options {
        OptionSet::Placements(found) => Ok(vec![found.clone()]),
        OptionSet::Union(sets) => Ok(sets.iter().map(parts).collect::<Answer<Vec<_>>>()?.concat()),
        _ => {
            let fault = Fault::new("not-placements", "these options are not placements", "options of another sort");
            Err(fault.help("list them with `placements(…)`").into())
        }
    }
}

fn narrow_each(
    ctx: &mut Context<'_>,
    options: &OptionSet,
    mut narrow: impl FnMut(&Context<'_>, &Placements) -> Answer<Placements>,
) -> Answer<OptionSet> {
    let mut sets = Vec::new();
    for set in parts(options)? {
        ctx.spend(REGIONS_COST + set.len() / PLACEMENTS_PER_OPERATION)?;
        sets.push(OptionSet::Placements(Arc::new(narrow(ctx, &set)?)));
    }
    Ok(if let [set] = sets.as_slice() { set.clone() } else { OptionSet::Union(sets.into()) })
}

fn outcome_map(outcome: PlacementEffect, spaces: &[SpaceId]) -> Value {
    let named = |list: &[usize]| Value::from(list.iter().map(|at| spaces[*at]).collect::<HandleList<SpaceId>>());
    let regions = outcome.regions.iter().map(|region| {
        let parts = [("spaces", &region.spaces), ("same", &region.same), ("whole", &region.whole)];
        Value::from(Map::new(parts.map(|(name, list)| (name.into(), named(list)))))
    });
    Value::from(Map::new([
        ("regions".into(), regions.collect::<Vec<Value>>().into()),
        ("lost".into(), named(&outcome.lost)),
        ("placements".into(), OptionSet::Placements(Arc::new(outcome.placements)).into()),
    ]))
}

/// Converts a map of a script to a placement. Also returns the placements of the piece at the same place in all rotations in which it fits.
fn single_placement(ctx: &mut Context<'_>, given: &Map) -> Answer<(Placements, Placement)> {
    let wanted = Choice::from_value(&Value::from(given.clone()));
    let Some(placement) = wanted.as_ref().and_then(placement_of) else {
        let fault = Fault::new("not-placements", "this is not a placement", "lacks `piece`, `to`, `turned` or `way`");
        return Err(fault.help("take it from `placements(…)`").into());
    };
    ctx.spend(REGIONS_COST)?;
    spend_on_grid(ctx, placement.to)?;
    Ok((Placements::at_site(&ctx.table, &placement), placement))
}

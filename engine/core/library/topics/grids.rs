//! Geometry of grids, rows and rings.

use super::zones::{charge_spaces, space_name};
use crate::decision::{Choice, HandleList, List, OptionSet, Value};
use crate::diagnostic::did_you_mean;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{describe, plain};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::model::{PieceId, Shape, SpaceId, Tessellation, ZoneId};
use crate::table::Direction;
use arcstr::{ArcStr, literal};
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Grids, rows and rings");
    registry.function(
        "neighbors",
        "space -> places",
        "The spaces beside a space, along rows and columns; all six on hexagons.",
        "board.at(1, 1).neighbors().count() // 2",
        |ctx: &mut Context<'_>, space: SpaceId| -> HandleList<SpaceId> {
            ctx.table.layout().neighbors(space, false).collect()
        },
    );
    registry.function(
        "around",
        "space -> places",
        "The spaces beside a space, including diagonals.",
        "board.at(1, 1).around().count() // 3",
        |ctx: &mut Context<'_>, space: SpaceId| -> HandleList<SpaceId> {
            ctx.table.layout().neighbors(space, true).collect()
        },
    );
    registry.function(
        "step",
        "space direction:direction -> next",
        "The next space in a direction (`\"n\"`, `\"ne\"`, … `\"nw\"`; on hexagons those with a neighbor), or `()`. Rings wrap around.",
        "board.at(1, 1).step(\"se\") == board.at(2, 2) // true",
        |ctx: &mut Context<'_>, space: SpaceId, direction: ArcStr| -> Answer<Value> {
            let direction = direction_named(&direction, ctx.table.layout().shape_at(space))?;
            Ok(ctx.table.layout().step(space, direction).map_or(Value::Nothing, Value::from))
        },
    );
    registry.function(
        "along",
        "space count -> next",
        "The space `count` steps further along a row or ring (back, if negative), or `()`. Rings wrap around.",
        "track[2].along(3) == track[5] // true",
        |ctx: &mut Context<'_>, space: SpaceId, count: i64| -> Value {
            ctx.table.layout().along(space, count).map_or(Value::Nothing, Value::from)
        },
    );
    registry.function(
        "above",
        "space -> places",
        "The spaces of a row after this one, in order.",
        "track[4].above().count() // 1",
        |ctx: &mut Context<'_>, space: SpaceId| -> HandleList<SpaceId> {
            let zone = ctx.table.layout().zone_of(space);
            charge_spaces(ctx, zone);
            ctx.table.spaces(zone).filter(|other| *other > space).collect()
        },
    );
    registry.function(
        "ray",
        "space direction:direction -> places",
        "The spaces in a direction up to the edge, nearest first.",
        "board.at(1, 1).ray(\"e\").count() // 2",
        |ctx: &mut Context<'_>, space: SpaceId, direction: ArcStr| -> Answer<HandleList<SpaceId>> {
            let direction = direction_named(&direction, ctx.table.layout().shape_at(space))?;
            Ok(ctx.table.layout().ray(space, direction).collect())
        },
    );
    registry.function(
        "between",
        "from:space to:space -> places",
        "The spaces on the straight line between the centers of two spaces of a grid, one per step, without the two spaces themselves: a line of sight in the zone of the first. The second space may be in a zone over the same grid. If the line runs exactly between two spaces, the same one of them is chosen in both directions.",
        "board.at(1, 1).between(board.at(3, 3)).count() // 1",
        |ctx: &mut Context<'_>, from: SpaceId, to: SpaceId| -> Answer<HandleList<SpaceId>> {
            let Some(found) = ctx.table.layout().between(from, to) else { return Err(no_line(ctx, from, to).into()) };
            ctx.spend(found.len() / OBJECTS_PER_OPERATION)?;
            Ok(found.into_iter().collect())
        },
    );
    registry.function(
        "line",
        "space",
        "Number of spaces in the longest straight line through a space on which all top pieces have the same owner.",
        "board.at(2, 2).line() // 0",
        |ctx: &mut Context<'_>, space: SpaceId| -> i64 {
            let longest = ctx.table.longest_line(space);
            ctx.charge(longest / 2);
            longest as i64
        },
    );
    registry.function(
        "resting",
        "zone direction:direction -> places",
        "The empty spaces where a piece that falls in a direction comes to rest.",
        "board.resting(\"s\").count() // 3",
        |ctx: &mut Context<'_>, zone: ZoneId, direction: ArcStr| -> Answer<HandleList<SpaceId>> {
            let direction = direction_named(&direction, ctx.table.model().family_of(zone).shape)?;
            charge_spaces(ctx, zone);
            Ok(ctx.table.resting_spaces(zone, direction).collect())
        },
    );
    registry.function("steps", "pieces directions:list<direction> onto:onto -> options<{piece:one,to:space}>", "Options with the parts `piece` and `to`: every move of a piece by one step in one of the directions, onto a space that is `\"empty\"`, `\"hostile\"` (another owner's piece on top), `\"free\"` (empty or hostile) or `\"any\"`.", "steps(board.pieces, [\"n\"], \"empty\").count() // 0", |ctx: &mut Context<'_>, pieces: HandleList<PieceId>, directions: List, onto: ArcStr| -> Answer<OptionSet> {
        let names = directions.iter().map(word).collect::<Answer<Vec<_>>>()?;
        steps(ctx, &pieces, &names, &onto)
    });
}

fn no_line(ctx: &Context<'_>, from: SpaceId, to: SpaceId) -> Fault {
    let model = ctx.table.model();
    let message = format!("no straight line leads from `{}` to `{}`", space_name(model, from), space_name(model, to));
    let fault = Fault::new("wrong-space", message, "not two spaces of one grid");
    fault.help("ask for it between two spaces of one grid, or of zones that lie `over` it")
}

fn word(name: &Value) -> Answer<ArcStr> {
    match plain(name)? {
        Choice::Word(name) => Ok(name),
        other => {
            let fault = Fault::new(
                "unknown-direction",
                format!("{} is no direction", describe(&other)),
                "not the name of a direction",
            );
            Err(fault.help("write `\"n\"`, `\"ne\"`, … `\"nw\"`").into())
        }
    }
}

fn direction_named(name: &str, shape: Shape) -> Answer<Direction> {
    let tessellation = shape.tessellation();
    Direction::named(name, tessellation).ok_or_else(|| {
        let is_known = Direction::all_names().contains(&name);
        let (message, mark) = match tessellation {
            Tessellation::Hex(_) if is_known => {
                (format!("no hexagon lies in the direction `{name}` here"), "towards a corner")
            }
            Tessellation::Square | Tessellation::Hex(_) => {
                (format!("`{name}` is no direction"), "not a point of the compass")
            }
        };
        let names = match tessellation {
            Tessellation::Square => "`\"n\"`, `\"ne\"`, … `\"nw\"`".to_owned(),
            Tessellation::Hex(_) => {
                let names: Vec<String> = Direction::names(tessellation).map(|name| format!("`\"{name}\"`")).collect();
                let (last, others) = names.split_last().expect("a compass has directions");
                format!("{} or {last}", others.join(", "))
            }
        };
        let fault = Fault::new("unknown-direction", message, mark).help(format!("write {names}"));
        fault.maybe_help(if is_known { None } else { did_you_mean(name, Direction::names(tessellation)) }).into()
    })
}

/// Classes of spaces to step onto. The flags say whether the class includes empty spaces, spaces with a piece of
/// another seat, and spaces with a piece of the same seat.
const ONTO: [(&str, [bool; 3]); 4] = [
    ("empty", [true, false, false]),
    ("hostile", [false, true, false]),
    ("free", [true, true, false]),
    ("any", [true, true, true]),
];

/// Iterates over the names of the classes of spaces to step onto.
pub(super) fn onto_names() -> impl Iterator<Item = &'static str> {
    ONTO.iter().map(|(name, _)| *name)
}

fn steps(ctx: &Context<'_>, pieces: &HandleList<PieceId>, directions: &[ArcStr], onto: &str) -> Answer<OptionSet> {
    let table = &ctx.table;
    let Some((_, [empty, hostile, own])) = ONTO.iter().copied().find(|(name, _)| *name == onto) else {
        return Err(unknown_quoted(&[NameRole::Onto], onto, onto_names()).into());
    };
    ctx.charge(pieces.len() * directions.len() / OBJECTS_PER_OPERATION);
    let most = pieces.len() * directions.len();
    let (mut movers, mut targets) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut known: Option<(Shape, Vec<Direction>)> = None;
    for &piece in pieces.iter() {
        let owner = table.owner(piece);
        let shape = table.layout().shape_at(table.space_of(piece));
        if known.as_ref().is_none_or(|(of, _)| *of != shape) {
            let found = directions.iter().map(|name| direction_named(name, shape)).collect::<Answer<Vec<_>>>()?;
            known = Some((shape, found));
        }
        for direction in known.iter().flat_map(|(_, directions)| directions) {
            let Some(to) = table.layout().step(table.space_of(piece), *direction) else { continue };
            let wanted = match table.top(to) {
                None => empty,
                Some(other) if table.owner(other) == owner => own,
                Some(_) => hostile,
            };
            if wanted {
                movers.push(piece);
                targets.push(to);
            }
        }
    }
    let (movers, targets) = (OptionSet::Pieces(movers.into()), OptionSet::Spaces(targets.into()));
    Ok(OptionSet::Rows(Arc::new([(literal!("piece"), movers), (literal!("to"), targets)])))
}

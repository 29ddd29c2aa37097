//! How spaces lie to each other on grids, rows and rings.

use super::zones::looks_through;
use crate::decision::{Choice, List, OptionSet, Set, Value};
use crate::diagnostic::did_you_mean;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{describe, plain};
use crate::library::context::{Context, THINGS};
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{PieceId, SpaceId, ZoneId};
use crate::table::Direction;
use arcstr::{ArcStr, literal};

pub(super) fn write(registry: &mut RegistryBuilder) {
    registry.topic("Grids, rows and rings");
    registry.function(
        "neighbors",
        "space -> places",
        "The spaces beside a space, along rows and columns.",
        "board.at(1, 1).neighbors().count() // 2",
        |ctx: &mut Context<'_>, space: SpaceId| -> Set<SpaceId> {
            ctx.table.layout().neighbors(space, false).collect()
        },
    );
    registry.function(
        "around",
        "space -> places",
        "The spaces beside a space, across corners too.",
        "board.at(1, 1).around().count() // 3",
        |ctx: &mut Context<'_>, space: SpaceId| -> Set<SpaceId> { ctx.table.layout().neighbors(space, true).collect() },
    );
    registry.function(
        "step",
        "space direction:direction -> next",
        "The next space in a direction (`\"n\"`, `\"ne\"`, … `\"nw\"`), or `()`. A ring goes round.",
        "board.at(1, 1).step(\"se\") == board.at(2, 2) // true",
        |ctx: &mut Context<'_>, space: SpaceId, direction: ArcStr| -> Answer<Value> {
            let direction = direction_named(&direction)?;
            Ok(ctx.table.layout().step(space, direction).map_or(Value::Nothing, Value::from))
        },
    );
    registry.function(
        "along",
        "space count -> next",
        "The space so many further on along a row or ring (back, if below 0), or `()`. A ring goes round.",
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
        |ctx: &mut Context<'_>, space: SpaceId| -> Set<SpaceId> {
            let zone = ctx.table.layout().zone_of(space);
            looks_through(ctx, zone);
            ctx.table.spaces(zone).filter(|other| *other > space).collect()
        },
    );
    registry.function(
        "ray",
        "space direction:direction -> places",
        "The spaces in a direction up to the edge, nearest first.",
        "board.at(1, 1).ray(\"e\").count() // 2",
        |ctx: &mut Context<'_>, space: SpaceId, direction: ArcStr| -> Answer<Set<SpaceId>> {
            let direction = direction_named(&direction)?;
            Ok(ctx.table.layout().ray(space, direction).collect())
        },
    );
    registry.function(
        "line",
        "space",
        "How long the longest straight line through a space is in which every top piece has the same owner.",
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
        |ctx: &mut Context<'_>, zone: ZoneId, direction: ArcStr| -> Answer<Set<SpaceId>> {
            let direction = direction_named(&direction)?;
            looks_through(ctx, zone);
            Ok(ctx.table.resting(zone, direction).collect())
        },
    );
    registry.function("steps", "pieces directions:list<direction> onto:onto -> options<{piece:one,to:space}>", "Options with the parts `piece` and `to`: each piece one step in each direction, onto spaces that are `\"empty\"`, `\"hostile\"` (another's piece on top), `\"free\"` (empty or hostile) or `\"any\"`.", "steps(board.pieces, [\"n\"], \"empty\").count() // 0", |ctx: &mut Context<'_>, pieces: Set<PieceId>, directions: List, onto: ArcStr| -> Answer<OptionSet> {
        let directions = directions.iter().map(direction_of).collect::<Answer<Vec<_>>>()?;
        steps(ctx, &pieces, &directions, &onto)
    });
}

fn direction_of(name: &Value) -> Answer<Direction> {
    match plain(name)? {
        Choice::Word(name) => direction_named(&name),
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

fn direction_named(name: &str) -> Answer<Direction> {
    Direction::named(name).ok_or_else(|| {
        let fault = Fault::new("unknown-direction", format!("`{name}` is no direction"), "not a point of the compass");
        fault.help("write `\"n\"`, `\"ne\"`, … `\"nw\"`").maybe_help(did_you_mean(name, Direction::names())).into()
    })
}

fn steps(ctx: &Context<'_>, pieces: &Set<PieceId>, directions: &[Direction], onto: &str) -> Answer<OptionSet> {
    let table = &ctx.table;
    let (empty, hostile, own) = match onto {
        "empty" => (true, false, false),
        "hostile" => (false, true, false),
        "free" => (true, true, false),
        "any" => (true, true, true),
        other => {
            let fault =
                Fault::new("unknown-target", format!("`{other}` says nothing of a space"), "not a sort of space");
            let help = did_you_mean(other, ["empty", "hostile", "free", "any"]);
            return Err(fault
                .help("write `\"empty\"`, `\"hostile\"`, `\"free\"` or `\"any\"`")
                .maybe_help(help)
                .into());
        }
    };
    ctx.charge(pieces.len() * directions.len() / THINGS);
    let mut found = Vec::with_capacity(pieces.len() * directions.len());
    for &piece in pieces.iter() {
        let owner = table.owner(piece);
        for direction in directions {
            let Some(to) = table.layout().step(table.space_of(piece), *direction) else { continue };
            let wanted = match table.top(to) {
                None => empty,
                Some(other) if table.owner(other) == owner => own,
                Some(_) => hostile,
            };
            if wanted {
                found.push((Choice::Piece(piece), Choice::Space(to)));
            }
        }
    }
    Ok(OptionSet::Pairs(literal!("piece"), literal!("to"), found.into()))
}

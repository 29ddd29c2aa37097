//! Paths over neighboring spaces: distances, costs, and the longest path.

use super::facts::known_facts;
use super::tiles::spaces_of;
use crate::decision::{HandleList, Value};
use crate::library::context::Context;
use crate::library::context::fact_table::read;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::describe_value;
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{SpaceId, ZoneId};
use crate::table::{cheapest_first, longest_path};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Paths over spaces");
    register_step_functions(registry);
    register_connected(registry);
    register_cost_functions(registry);
    register_longest_path(registry);
}

fn register_step_functions(registry: &mut RegistryBuilder) {
    registry.function(
        "within",
        "from:ground steps over",
        "The spaces that can be reached in 1 to `steps` steps between neighbors, all of them among the spaces `over`, from a space or any of several; nearest first. A space of a zone over or under their grid counts as the space below or above it.",
        "board.at(1, 1).within(2, board.spaces).count() // 5",
        |ctx: &mut Context<'_>, from: Value, steps: i64, over: HandleList<SpaceId>| -> Answer<HandleList<SpaceId>> {
            let from = spaces_of(ctx, &from)?;
                let steps = usize::try_from(steps).unwrap_or(0);
                ctx.spend(over.len())?;
                let from = map_to_zones(ctx, &from, &over);
                Ok(ctx.table.reached(&from, steps, &over).into_iter().map(|(space, _)| space).collect())

        },
    );
    registry.function(
        "distance",
        "from:ground to over -> number?",
        "Number of steps between neighbors from a space, or from the nearest of several spaces, to another space, over the given spaces; `()` if there is no path.",
        "board.at(1, 1).distance(board.at(3, 2), board.spaces) // 3",
        |ctx: &mut Context<'_>, from: Value, to: SpaceId, over: HandleList<SpaceId>| -> Answer<Value> {

                let from = spaces_of(ctx, &from)?;
                if is_same_place(ctx, to, &from) {
                    return Ok(Value::from(0_i64));
                }
                ctx.spend(over.len())?;
                let (from, to) = (map_to_zones(ctx, &from, &over), map_to_zones(ctx, &[to], &over));
                let reached = ctx.table.reached(&from, usize::MAX, &over);
                let found = reached.iter().find(|(space, _)| to.contains(space));
                Ok(found.map_or(Value::Nothing, |(_, steps)| Value::from(*steps as i64)))

        },
    );
}

/// Maps spaces to the zones of `over`. A space in another zone is replaced with the spaces above or below it in these zones. If there are
/// none, it is kept.
fn map_to_zones(ctx: &Context<'_>, spaces: &[SpaceId], over: &HandleList<SpaceId>) -> Vec<SpaceId> {
    let layout = ctx.table.layout();
    let mut zones: Vec<ZoneId> = over.iter().map(|space| layout.zone_of(*space)).collect();
    zones.sort_unstable();
    zones.dedup();
    let mut all = Vec::new();
    for &space in spaces {
        let known = all.len();
        if !zones.contains(&layout.zone_of(space)) {
            all.extend(zones.iter().filter_map(|zone| layout.counterpart(space, *zone)));
        }
        if all.len() == known {
            all.push(space);
        }
    }
    all
}

/// Returns whether a space is one of `from`, or is above or below one of them.
fn is_same_place(ctx: &Context<'_>, to: SpaceId, from: &[SpaceId]) -> bool {
    let layout = ctx.table.layout();
    from.iter().any(|from| layout.counterpart(*from, layout.zone_of(to)) == Some(to))
}

fn register_connected(registry: &mut RegistryBuilder) {
    registry.function(
        "connected",
        "from:ground over",
        "The spaces connected with a space, or with any of several, by steps between neighbors among the spaces `over`: the given spaces first, then the others, nearest first.",
        "board.at(1, 1).connected(board.spaces).count() // 9",
        |ctx: &mut Context<'_>, from: Value, over: HandleList<SpaceId>| -> Answer<HandleList<SpaceId>> {
            let from = spaces_of(ctx, &from)?;
            ctx.spend(over.len())?;
            let from = map_to_zones(ctx, &from, &over);
            let found = ctx.table.reached(&from, usize::MAX, &over);
            Ok(from.into_iter().chain(found.into_iter().map(|(space, _)| space)).collect())
        },
    );
}

/// Registers the path functions that charge a cost for entering a space.
fn register_cost_functions(registry: &mut RegistryBuilder) {
    registry.function(
        "within",
        "over from:space most cost:measure -> several",
        "The spaces that can be reached from a space at a total cost of at most `most`, cheapest first. `cost` names the field that contains the cost of entering a space.",
        "board.spaces.within(board.at(1, 1), 3, \"x\").count() // 4",
        |ctx: &mut Context<'_>, over: HandleList<SpaceId>, from: SpaceId, most: i64, cost: ArcStr| -> Answer<HandleList<SpaceId>> {
            Ok(spaces_within_cost(ctx, from, most, &over, &cost)?.into_iter().map(|(space, _)| space).collect())
        },
    );
    registry.function(
        "distance",
        "over from:space to:space cost:measure -> number?",
        "Cost of the cheapest path between two spaces over the given spaces; `()` if there is no path. `cost` names the field that contains the cost of entering a space.",
        "board.spaces.distance(board.at(1, 1), board.at(3, 1), \"x\") // 5",
        |ctx: &mut Context<'_>, over: HandleList<SpaceId>, from: SpaceId, to: SpaceId, cost: ArcStr| -> Answer<Value> {
            if is_same_place(ctx, to, &[from]) {
                return Ok(Value::from(0_i64));
            }
            let found = spaces_within_cost(ctx, from, i64::MAX, &over, &cost)?;
            let to = map_to_zones(ctx, &[to], &over);
            let found = found.into_iter().find(|(space, _)| to.contains(space));
            Ok(found.map_or(Value::Nothing, |(_, cost)| Value::from(cost)))
        },
    );
}

/// Limits of the search for the longest path: number of spaces, and number of steps.
const MAX_SPACES: usize = 64;
const MAX_STEPS: usize = 500_000;

fn register_longest_path(registry: &mut RegistryBuilder) {
    registry.function(
        "longest_path",
        "over -> several",
        "The longest path between neighbors that visits each of the spaces at most once, in order. The result is exact. It is a fault if there are more than 64 spaces or if the search exceeds the limit on operations.",
        "board.spaces.longest_path().count() // 9",
        |ctx: &mut Context<'_>, over: HandleList<SpaceId>| -> Answer<HandleList<SpaceId>> { longest(ctx, &over, None) },
    );
    registry.function(
        "longest_path",
        "over worth:measure -> several",
        "Like `longest_path` without `worth`, but returns the path with the largest sum of a field over its spaces.",
        "board.spaces.longest_path(\"x\").sum(\"x\") // 18",
        |ctx: &mut Context<'_>, over: HandleList<SpaceId>, worth: ArcStr| -> Answer<HandleList<SpaceId>> {
            longest(ctx, &over, Some(&worth))
        },
    );
}

fn longest(ctx: &mut Context<'_>, over: &HandleList<SpaceId>, worth: Option<&str>) -> Answer<HandleList<SpaceId>> {
    let spaces = over.to_vec();
    ctx.spend(2 * spaces.len())?;
    if spaces.len() > MAX_SPACES {
        return Err(too_large(format!(
            "the longest path is looked for over {} spaces, and {MAX_SPACES} are the most",
            spaces.len()
        ))
        .into());
    }
    let worths = match worth {
        None => vec![1; spaces.len()],
        Some(name) => {
            let facts = known_facts::<SpaceId>(ctx, name)?;
            let worth = |space: &SpaceId| match read(*space, &ctx.table, facts).unwrap_or_default() {
                Value::Number(number) if (0..=i64::from(i32::MAX)).contains(&number) => Ok(number),
                other => {
                    let message = format!("`{name}` of a space is {}", describe_value(&other));
                    let fault = Fault::new("wrong-value", message, "no worth");
                    Err(fault.help("a worth is a number from 0 on").into())
                }
            };
            spaces.iter().map(worth).collect::<Answer<Vec<i64>>>()?
        }
    };
    let number: FxHashMap<SpaceId, usize> = spaces.iter().enumerate().map(|(at, space)| (*space, at)).collect();
    let layout = ctx.table.layout();
    let beside = |space: &SpaceId| {
        let others = layout.neighbors(*space, false).filter(|other| other != space);
        others.filter_map(|other| number.get(&other)).fold(0, |all, at| all | 1 << at)
    };
    let beside: Vec<u64> = spaces.iter().map(beside).collect();
    let (found, steps) = longest_path(&beside, &worths, MAX_STEPS);
    ctx.spend(steps)?;
    let found = found.ok_or_else(|| {
        too_large(format!("the longest path over {} spaces takes more than {MAX_STEPS} steps to find", spaces.len()))
    })?;
    Ok(found.into_iter().map(|at| spaces[at]).collect())
}

fn too_large(message: String) -> Fault {
    Fault::new("too-large", message, "too much to look through")
        .help("ask it of fewer spaces: those of one seat, or what is connected")
}

/// Returns the spaces that can be reached from `from` at a total cost of at most `most`, each with its cost, cheapest first.
fn spaces_within_cost(
    ctx: &mut Context<'_>,
    from: SpaceId,
    most: i64,
    over: &HandleList<SpaceId>,
    cost: &str,
) -> Answer<Vec<(SpaceId, i64)>> {
    ctx.spend(2 * over.len())?;
    let facts = known_facts::<SpaceId>(ctx, cost)?;
    let mut closed = vec![true; ctx.table.model().spaces.len()];
    over.iter().for_each(|space| closed[space.index()] = false);
    let is_open = closed.clone();
    cheapest_first(&map_to_zones(ctx, &[from], over), most, closed, SpaceId::index, |at| {
        let beside = ctx.table.layout().neighbors(at, false).filter(|space| !is_open[space.index()]);
        let costs = beside.map(|space| match read(space, &ctx.table, facts).unwrap_or_default() {
            Value::Number(number) if number >= 0 => Ok((space, number)),
            other => {
                let message = format!("to enter a space costs its `{cost}`, which is {}", describe_value(&other));
                let fault = Fault::new("wrong-value", message, "no cost");
                Err(fault.help("a cost is a number from 0 on; leave out of `over` what cannot be entered").into())
            }
        });
        costs.collect::<Answer<Vec<_>>>()
    })
}

//! Graphs of components. A field of each component lists its neighbors, such as the towns to which a town is connected by roads.

use super::facts::known_facts;
use super::routes;
use crate::decision::{Choice, HandleList, Value};
use crate::library::context::Context;
use crate::library::context::fact_table::{Column, read};
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::{describe, describe_value, plain};
use crate::library::entry::builder::RegistryBuilder;
use crate::model::ComponentId;
use crate::table::nearest_first;
use arcstr::ArcStr;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Links");
    registry.function(
        "neighbors",
        "from:component name:fact -> components",
        "The components listed in a field of a component.",
        "component(\"clover\").neighbors(\"roads\").count() // 1",
        |ctx: &mut Context<'_>, from: ComponentId, name: ArcStr| -> Answer<HandleList<ComponentId>> {
            let facts = known_facts::<ComponentId>(ctx, &name)?;
            Ok(links(ctx, from, &name, facts)?.into_iter().collect())
        },
    );
    registry.function(
        "connected",
        "from:component name:fact -> components",
        "The components connected with a component by the lists in a field: the component itself first, then the others, nearest first.",
        "component(\"clover\").connected(\"roads\").count() // 3",
        |ctx: &mut Context<'_>, from: ComponentId, name: ArcStr| -> Answer<HandleList<ComponentId>> {
            connected(ctx, from, &name, None)
        },
    );
    registry.function(
        "connected",
        "from:component name:fact over -> components",
        "Like the function without `over`, restricted to the components `over`.",
        "component(\"clover\").connected(\"roads\", components(\"tile\")).count() // 2",
        |ctx: &mut Context<'_>,
         from: ComponentId,
         name: ArcStr,
         over: HandleList<ComponentId>|
         -> Answer<HandleList<ComponentId>> { connected(ctx, from, &name, Some(&over)) },
    );
    registry.function(
        "within",
        "from:component|components|piece|pieces|list steps name:fact",
        "The components that can be reached in 1 to `steps` steps along the lists in a field, from a component or any of several; nearest first.",
        "component(\"clover\").within(2, \"roads\").count() // 2",
        |ctx: &mut Context<'_>, from: Value, steps: i64, name: ArcStr| -> Answer<HandleList<ComponentId>> { within(ctx, &from, steps, &name, None) },
    );
    registry.function(
        "within",
        "from:component|components|piece|pieces|list steps name:fact over",
        "Like the function without `over`, restricted to the components `over`.",
        "component(\"clover\").within(2, \"roads\", components(\"tile\")).count() // 1",
        |ctx: &mut Context<'_>,
         from: Value,
         steps: i64,
         name: ArcStr,
         over: HandleList<ComponentId>|
         -> Answer<HandleList<ComponentId>> { within(ctx, &from, steps, &name, Some(&over)) },
    );
    registry.function(
        "distance",
        "from:component|components|piece|pieces|list to name:fact -> number?",
        "Number of steps along the lists in a field from a component, or from the nearest of several components, to another component; `()` if there is no path.",
        "component(\"clover\").distance(component(\"die\"), \"roads\") // 2",
        |ctx: &mut Context<'_>, from: Value, to: ComponentId, name: ArcStr| -> Answer<Value> { distance(ctx, &from, to, &name, None) },
    );
    registry.function(
        "distance",
        "from:component|components|piece|pieces|list to name:fact over -> number?",
        "Like the function without `over`, restricted to the components `over`.",
        "component(\"clover\").distance(component(\"die\"), \"roads\", components(\"die\")) // ()",
        |ctx: &mut Context<'_>,
         from: Value,
         to: ComponentId,
         name: ArcStr,
         over: HandleList<ComponentId>|
         -> Answer<Value> { distance(ctx, &from, to, &name, Some(&over)) },
    );
    routes::register(registry);
}

fn connected(
    ctx: &mut Context<'_>,
    from: ComponentId,
    name: &str,
    over: Option<&HandleList<ComponentId>>,
) -> Answer<HandleList<ComponentId>> {
    let others = find_reachable(ctx, &[from], usize::MAX, name, over)?;
    Ok(std::iter::once(from).chain(others.into_iter().map(|(one, _)| one)).collect())
}

fn within(
    ctx: &mut Context<'_>,
    from: &Value,
    steps: i64,
    name: &str,
    over: Option<&HandleList<ComponentId>>,
) -> Answer<HandleList<ComponentId>> {
    let steps = usize::try_from(steps).unwrap_or(0);
    Ok(find_reachable(ctx, &starting_points(from)?, steps, name, over)?.into_iter().map(|(one, _)| one).collect())
}

fn distance(
    ctx: &mut Context<'_>,
    from: &Value,
    to: ComponentId,
    name: &str,
    over: Option<&HandleList<ComponentId>>,
) -> Answer<Value> {
    let from = starting_points(from)?;
    if from.contains(&to) {
        return Ok(Value::from(0_i64));
    }
    let reached = find_reachable(ctx, &from, usize::MAX, name, over)?;
    let found = reached.iter().find(|(one, _)| *one == to);
    Ok(found.map_or(Value::Nothing, |(_, steps)| Value::from(*steps as i64)))
}

/// Converts the argument `from` to the starting points of a search.
fn starting_points(from: &Value) -> Answer<Vec<ComponentId>> {
    let one = |choice: &Choice| match choice {
        Choice::Component(one) => Ok(*one),
        other => {
            let fault =
                Fault::new("wrong-value", format!("{} is not a component", describe(other)), "steps begin there");
            Err(fault.into())
        }
    };
    match plain(from)? {
        Choice::Many(all) => all.iter().map(one).collect(),
        single => Ok(vec![one(&single)?]),
    }
}

/// Returns the components within a number of steps, with their distances, nearest first. The starting points are not included. If `over` is
/// given, only its components are visited.
fn find_reachable(
    ctx: &mut Context<'_>,
    from: &[ComponentId],
    steps: usize,
    name: &str,
    over: Option<&HandleList<ComponentId>>,
) -> Answer<Vec<(ComponentId, usize)>> {
    let facts = known_facts::<ComponentId>(ctx, name)?;
    let mut closed = vec![over.is_some(); ctx.table.model().components.len()];
    for open in over.into_iter().flat_map(|over| over.iter()) {
        closed[open.index()] = false;
    }
    nearest_first(from, steps, closed, ComponentId::index, |at| {
        let linked = links(ctx, at, name, facts)?;
        ctx.spend(linked.len())?;
        Ok(linked)
    })
}

/// Returns the neighbors of a component.
fn links(ctx: &Context<'_>, of: ComponentId, name: &str, facts: &[Column]) -> Answer<Vec<ComponentId>> {
    let one = |value: &Value| match value {
        Value::Component(one) => Ok(one.get()),
        other => {
            let message = format!("`{name}` has {} in it, not components alone", describe_value(other));
            let fault = Fault::new("wrong-value", message, "steps lead to components");
            Err(fault.help("name a field whose rows list components").into())
        }
    };
    match &read(of, &ctx.table, facts).unwrap_or_default() {
        Value::Nothing => Ok(Vec::new()),
        Value::Components(all) => Ok(all.to_vec()),
        Value::List(all) => all.iter().map(one).collect(),
        single => Ok(vec![one(single)?]),
    }
}

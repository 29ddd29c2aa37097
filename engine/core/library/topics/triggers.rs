//! Triggers: when an event occurs, the engine calls the rule functions that the pieces in force name for this event.

use super::data_functions::functions_in;
use super::facts::known_facts;
use super::modifiers::in_force;
use crate::decision::{MAX_HELD, Value};
use crate::library::context::fact_table::read;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::check_plain;
use crate::library::context::triggers::Triggered;
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{PieceId, Seat};
use arcstr::ArcStr;
use smallvec::smallvec;

/// Maximum number of triggered functions that can wait in a step.
const MAX_WAITING: usize = 10_000;

/// Maximum memory use of the arguments of these functions, in list entries.
const MAX_WAITING_WEIGHT: usize = 4 * MAX_HELD;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Triggers");
    registry.effects(Effects::CHANGES);
    registry.function(
        "trigger",
        "event:event seat",
        "Reports that an event has occurred for a seat. If a piece in force for the seat lists functions in the field with the name of the event, these functions are triggered. They wait in a queue until the current function of the flow has returned, and are called with the piece and the seat before the flow continues.",
        "trigger(\"struck\", first); first.cash // 5",
        |ctx: &mut Context<'_>, event: ArcStr, seat: Seat| trigger(ctx, &event, seat, None),
    );
    registry.function(
        "trigger",
        "event:event seat what:any",
        "Like `trigger` without `what`, but also passes `what` to the triggered functions: a number, a piece, or a map of facts.",
        "trigger(\"struck\", first, 3) // ()",
        |ctx: &mut Context<'_>, event: ArcStr, seat: Seat, what: Value| trigger(ctx, &event, seat, Some(what)),
    );
}

fn trigger(ctx: &mut Context<'_>, event: &ArcStr, seat: Seat, what: Option<Value>) -> Answer<()> {
    ctx.check_may_change()?;
    let mut weight = 2;
    if let Some(what) = &what {
        check_plain(what)?;
        // The argument stays in memory until all waiting functions have run.
        weight += what.weight();
        ctx.spend(what.weight())?;
    }
    if ctx.permissions.trials > 0 {
        // A trial ends before any triggered function can run.
        return Ok(());
    }
    if !ctx.table.position.is_in_play(seat) {
        return Ok(());
    }
    let columns = known_facts::<PieceId>(ctx, event)?;
    let (mut all, mut looked) = (Vec::new(), 0);
    for piece in in_force(&ctx.table, seat) {
        looked += 1;
        let Some(functions) = read(piece, &ctx.table, columns).as_ref().and_then(functions_in) else { continue };
        for function in functions {
            let mut arguments = smallvec![Value::from(piece), Value::from(seat)];
            arguments.extend(what.clone());
            all.push(Triggered { event: event.clone(), piece, seat, function, arguments, weight, by: None, time: 0 });
        }
    }
    ctx.spend(1 + all.len() + looked / OBJECTS_PER_OPERATION)?;
    if ctx.triggers.len() + all.len() > MAX_WAITING {
        return Err(Fault::new("endless", "cards trigger each other without end", "triggers still more").into());
    }
    if !all.is_empty() && ctx.triggers.weight() + weight.saturating_mul(all.len()) > MAX_WAITING_WEIGHT {
        let message = "the functions that cards have triggered hold too much together";
        let fault = Fault::new("too-large", message, "triggers functions that hold still more");
        return Err(fault.help("pass a piece or a number, and store the rest on the table").into());
    }
    let order = ctx.table.model().flow.triggers;
    ctx.triggers.add(all, order);
    Ok(())
}

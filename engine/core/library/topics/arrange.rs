//! Functions for setting up a position by hand, in the `arrange` statement of a playscript.

use super::moves::{move_one, space_of};
use super::zones::component_of;
use crate::decision::{Choice, Value};
use crate::diagnostic::sentence;
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::plain::plain;
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::model::{BOX, ComponentId, PieceId, SpaceId, ZoneId};
use crate::table::End;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Setting up positions");
    registry.effects(Effects::CHANGES.union(Effects::ARRANGES));
    registry.function(
        "stack",
        "place:spot components:component_id|component|components|piece|pieces|list",
        "In `arrange`: puts pieces of these components on top of a zone or space, the first one topmost, wherever they were.",
        "stack(discard, [\"ace\", \"king\"]); discard.top.component == component(\"ace\") // true",
        |ctx: &mut Context<'_>, place: Value, components: Value| -> Answer<()> {

                let to = space_of(ctx, &place)?;
                let mut wanted = components_of(ctx, &components)?;
                wanted.reverse();
                put_all(ctx, "stack", &wanted, to)

        },
    );
    registry.function(
        "put",
        "components:component_id|component|components|piece|pieces|list place:spot",
        "In `arrange`: puts pieces of one component, or of each component in a list, on top of a zone or space, one after the other.",
        "put([\"ace\", \"king\"], discard); discard.top.component == component(\"king\") // true",
        |ctx: &mut Context<'_>, components: Value, place: Value| -> Answer<()> {

                let to = space_of(ctx, &place)?;
                let wanted = components_of(ctx, &components)?;
                put_all(ctx, "put", &wanted, to)

        },
    );
    registry.function(
        "put",
        "component:component_id|component|piece count place:spot",
        "In `arrange`: puts `count` pieces of a component on top of a zone or space.",
        "put(\"king\", 3, discard); discard.count() // 3",
        |ctx: &mut Context<'_>, component: Value, count: i64, place: Value| -> Answer<()> {
            let to = space_of(ctx, &place)?;
            let component = component_of(ctx, &component)?;
            let wanted = vec![component; usize::try_from(count).unwrap_or(0).min(1_000)];
            put_all(ctx, "put", &wanted, to)
        },
    );
    registry.function(
        "clear",
        "place:spot",
        "In `arrange`: returns all pieces of a zone or space to the box.",
        "clear(deck); deck.count() // 0",
        |ctx: &mut Context<'_>, place: ZoneId| {
            let pieces = ctx.table.pieces(place).collect();
            clear(ctx, pieces)
        },
    );
    registry.function(
        "clear",
        "place",
        "In `arrange`: returns all pieces of a zone or space to the box.",
        "",
        |ctx: &mut Context<'_>, place: SpaceId| {
            let pieces = ctx.table.stack(place).collect();
            clear(ctx, pieces)
        },
    );
}

fn components_of(ctx: &Context<'_>, given: &Value) -> Answer<Vec<ComponentId>> {
    match plain(given)? {
        Choice::Many(all) => all.iter().map(|one| component_of(ctx, &one.to_value())).collect(),
        _ => Ok(vec![component_of(ctx, given)?]),
    }
}

fn check_is_arranging(ctx: &Context<'_>) -> Answer<()> {
    if ctx.permissions.arranged.is_some() {
        return Ok(());
    }
    Err(sentence::not_arranging().into())
}

/// Puts one piece of each component in `wanted` on a space, in order. Uses each piece at most once.
fn put_all(ctx: &mut Context<'_>, by: &'static str, wanted: &[ComponentId], to: SpaceId) -> Answer<()> {
    check_is_arranging(ctx)?;
    let mut used: Vec<PieceId> = Vec::new();
    for &component in wanted {
        let Some(piece) = nearest(ctx, component, to, &used) else {
            return Err(none_left(ctx, component, &used).into());
        };
        move_one(ctx, piece, to, End::Top, None)?;
        used.push(piece);
    }
    ctx.permissions.arranged.iter_mut().for_each(|arranged| arranged.extend(used.iter().map(|piece| (*piece, by))));
    Ok(())
}

/// Creates the fault for a component that has no piece left to place.
fn none_left(ctx: &Context<'_>, component: ComponentId, used: &[PieceId]) -> Fault {
    let id = ctx.table.model().component(component).id.clone();
    let all = ctx.table.all_pieces().filter(|piece| ctx.table.component(*piece) == component).count();
    if all <= used.len() {
        return Fault::new("no-piece-left", format!("there is no further `{id}`"), "more than there are in the box");
    }
    // The most recent placement is most likely the relevant one.
    let mut put = ctx.permissions.arranged.iter().flatten().rev();
    let before = put.find(|(piece, _)| !used.contains(piece) && ctx.table.component(*piece) == component);
    let whether = if all == 1 { "the only".to_owned() } else { format!("every one of {all}") };
    let message = match before {
        Some((piece, by)) => {
            let path = &ctx.table.model().zone(ctx.table.zone_of(*piece)).path;
            format!("{whether} `{id}` lies where this `arrange` put it: `{by}` before this put one on `{path}`")
        }
        None => format!("{whether} `{id}` lies where this `arrange` put it"),
    };
    Fault::new("no-piece-left", message, "would take away what was put before")
        .help("put fewer, or `clear(…)` the place first where it is no longer meant to lie")
}

/// Chooses a piece of a component that is not in `used`: from the box, otherwise from its initial zone, otherwise from the destination,
/// otherwise from anywhere. Pieces that belong to another seat than the destination come last. Chooses pieces that were placed by hand only
/// if they lie in the box.
fn nearest(ctx: &Context<'_>, component: ComponentId, to: SpaceId, used: &[PieceId]) -> Option<PieceId> {
    let table = &ctx.table;
    let model = table.model();
    let owner = model.zone(model.space(to).zone).seat;
    let home = |piece: &PieceId| -> usize {
        let zone = table.zone_of(*piece);
        let whose = usize::from(table.owner(*piece).is_some() && table.owner(*piece) != owner);
        let place = match () {
            () if &*model.family_of(zone).id == BOX => 0,
            () if zone == model.pieces[piece.index()].zone => 1,
            () if table.space_of(*piece) == to => 2,
            () => 3,
        };
        whose * 4 + place
    };
    let is_put = |piece: &PieceId| {
        let by_hand =
            ctx.permissions.arranged.as_ref().is_some_and(|arranged| arranged.iter().any(|(put, _)| put == piece));
        used.contains(piece) || by_hand && &*model.family_of(table.zone_of(*piece)).id != BOX
    };
    let fitting = table.all_pieces().filter(|piece| table.component(*piece) == component && !is_put(piece));
    fitting.min_by_key(home)
}

fn clear(ctx: &mut Context<'_>, pieces: Vec<PieceId>) -> Answer<()> {
    check_is_arranging(ctx)?;
    let into = ctx.table.model().zone(ZoneId(0)).space();
    pieces.into_iter().try_for_each(|piece| move_one(ctx, piece, into, End::Top, None))
}

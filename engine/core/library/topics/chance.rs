//! Dice and random draws.

use crate::decision::{Choice, EventKind, HandleList, List, Value, look};
use crate::library::context::facts::Item;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::effect::Effects;
use crate::library::entry::argument::Handle;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::well_known::ROLL;
use crate::model::{ComponentId, FieldValue, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{Layout, SeatSet, Stream, ThrowResult};

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Chance");
    registry.effects(Effects::CHANGES.union(Effects::DRAWS));
    registry.function(
        ROLL,
        "sides",
        "A random number from 1 to `sides`, all equally likely.",
        "roll(1) // 1",
        |ctx: &mut Context<'_>, sides: i64| -> Answer<i64> { roll(ctx, sides, ctx.table.layout().everybody) },
    );
    registry.function(
        ROLL,
        "sides seat",
        "Like `roll(sides)`, but only one seat learns the number.",
        "roll(1, first) // 1",
        |ctx: &mut Context<'_>, sides: i64, seat: Seat| -> Answer<i64> { roll(ctx, sides, Layout::only(seat)) },
    );
    registry.function(
        ROLL,
        "die",
        "Rolls a piece that has faces and returns the result. Only seats that see the piece learn it.",
        "cup.top.roll() in [1, 2, 3] // true",
        |ctx: &mut Context<'_>, die: PieceId| -> Answer<Value> { roll_die(ctx, die) },
    );
    register_random_choice::<Seat>(registry, "any_of(seats).number <= 3 // true");
    register_random_choice::<PieceId>(registry, "");
    register_random_choice::<SpaceId>(registry, "");
    register_random_choice::<ZoneId>(registry, "");
    register_random_choice::<ComponentId>(registry, "");
    registry.function(
        "any_of",
        "list:list<T> -> T",
        "A random entry of a list.",
        "any_of([7]) // 7",
        |ctx: &mut Context<'_>, list: List| -> Answer<Value> {
            let at = draw_among(ctx, Stream::DRAW, list.len())?;
            let at = ctx.imagined_pick(0, list.len()).unwrap_or(at);
            Ok(list[at].clone())
        },
    );
}

/// Creates the fault for a predetermined result that the die cannot show.
fn not_rolled(number: i64, sides: u32) -> Box<Failure> {
    let message = format!("{number} was fixed, and 1 to {sides} is rolled");
    Fault::new("no-faces", message, "cannot come so").help("fix a number that can come").into()
}

/// Rolls a random number from 1 to `sides`, which the seats in `to` see.
fn roll(ctx: &mut Context<'_>, sides: i64, to: SeatSet) -> Answer<i64> {
    ctx.check_may_change()?;
    ctx.permissions.check_may_draw()?;
    let Some(bound) = u32::try_from(sides).ok().filter(|bound| *bound > 0) else { return Err(no_sides(sides)) };
    let chance = &mut ctx.table.chance;
    let stream = Stream::ROLL.nth_substream(bound);
    let fixed = chance.fixed_roll(None).map(|thrown| match thrown {
        ThrowResult::Number(number) => number,
        ThrowResult::Face(face) => i64::from(face) + 1,
    });
    let number = match fixed {
        Some(number) if !(1..=i64::from(bound)).contains(&number) => return Err(not_rolled(number, bound)),
        Some(number) => number,
        None => i64::from(chance.event(stream).below(bound)) + 1,
    };
    let number = ctx.imagined_draw(to, bound as usize).map_or(number, |at| at as i64 + 1);
    ctx.note_to(to, |_| EventKind::Drawn(number));
    Ok(number)
}

fn register_random_choice<T: Item + Handle>(registry: &mut RegistryBuilder, example: &'static str) {
    registry.function(
        "any_of",
        "list -> one",
        "A random entry of a set.",
        example,
        |ctx: &mut Context<'_>, list: HandleList<T>| -> Answer<T> {
            ctx.charge(list.len() / OBJECTS_PER_OPERATION);
            ctx.check_may_change()?;
            ctx.permissions.check_may_draw()?;
            let components: Vec<ComponentId> = list.iter().filter_map(|item| component_of(ctx, *item)).collect();
            let zone = zone_of(ctx, &list);
            if let Some(bag) = zone.filter(|zone| ctx.table.model().family_of(*zone).is_bag()) {
                let space = ctx.table.model().zone(bag).space();
                ctx.table.lose_track(space);
            }
            let at = match ctx.table.chance.fixed_draw(zone) {
                Some(wanted) => components.iter().position(|component| *component == wanted).ok_or_else(not_among)?,
                None => draw_among(ctx, draw_stream(ctx, list.first().copied()), list.len())?,
            };
            let seats = seats_without_knowledge(ctx, &list);
            let at = ctx.imagined_pick(seats, list.len()).unwrap_or(at);
            Ok(list[at])
        },
    );
}

/// Returns the index of a random piece in a bag, or of the piece that a playscript predetermined.
pub(super) fn draw_index_from_bag(ctx: &mut Context<'_>, bag: ZoneId, pieces: &[PieceId]) -> Answer<usize> {
    ctx.permissions.check_may_draw()?;
    match ctx.table.chance.fixed_draw(Some(bag)) {
        Some(wanted) => {
            let found = pieces.iter().position(|piece| ctx.table.component(*piece) == wanted);
            found.ok_or_else(not_among)
        }
        None => draw_among(ctx, draw_stream(ctx, pieces.first().copied()), pieces.len()),
    }
}

fn component_of<T: Item>(ctx: &Context<'_>, item: T) -> Option<ComponentId> {
    match item.choice() {
        Choice::Piece(piece) => Some(ctx.table.component(piece)),
        Choice::Component(component) => Some(component),
        _ => None,
    }
}

/// Returns the seats that cannot tell which piece is drawn, because they know none of the pieces. Returns no seats if the list contains
/// anything other than pieces.
fn seats_without_knowledge<T: Item>(ctx: &Context<'_>, list: &HandleList<T>) -> SeatSet {
    let everybody = ctx.table.layout().everybody;
    list.iter().fold(everybody, |seats, item| match item.choice() {
        Choice::Piece(piece) => seats & !ctx.table.knowers(piece),
        _ => 0,
    })
}

/// Returns the zone that contains all of the pieces; `None` if there is no such zone.
fn zone_of<T: Item>(ctx: &Context<'_>, list: &HandleList<T>) -> Option<ZoneId> {
    let zone = |item: &T| match item.choice() {
        Choice::Piece(piece) => Some(ctx.table.layout().zone_of(ctx.table.space_of(piece))),
        _ => None,
    };
    let first = list.iter().next().and_then(zone)?;
    list.iter().all(|item| zone(item) == Some(first)).then_some(first)
}

fn not_among() -> Box<Failure> {
    Fault::new("not-among", "what this draw was fixed to is not among what is drawn from", "drawn at random here")
        .into()
}

/// Returns the random stream for draws. There is one stream for the pieces of each space, and one for each other type of game object.
fn draw_stream<T: Item>(ctx: &Context<'_>, first: Option<T>) -> Stream {
    match first.map(Item::choice) {
        Some(Choice::Piece(piece)) => {
            Stream::DRAW.substream(ctx.table.layout().stream_of_space(ctx.table.space_of(piece)))
        }
        _ => Stream::DRAW.substream(Stream::from_name(T::WORD)),
    }
}

fn draw_among(ctx: &mut Context<'_>, stream: Stream, among: usize) -> Answer<usize> {
    ctx.check_may_change()?;
    ctx.permissions.check_may_draw()?;
    if among == 0 {
        let fault = Fault::new("empty-list", "there is nothing to draw from", "an empty list");
        return Err(fault.help("ask whether there is any first").into());
    }
    Ok(ctx.table.chance.event(stream).below(among as u32) as usize)
}

fn roll_die(ctx: &mut Context<'_>, die: PieceId) -> Answer<Value> {
    ctx.check_may_change()?;
    ctx.permissions.check_may_draw()?;
    let faces = ctx.table.model().component(ctx.table.component(die)).faces.len();
    if faces == 0 {
        let id = &ctx.table.model().component(ctx.table.component(die)).id;
        let fault = Fault::new("no-faces", format!("`{id}` cannot be thrown"), "has no faces");
        return Err(fault.help("give the component `faces = […]`").into());
    }
    let component = ctx.table.component(die);
    let face = if let Some(shown) = ctx.table.chance.fixed_roll(Some(component)) {
        fixed_face(ctx, die, shown)?
    } else {
        let stream = Stream::ROLL.substream(ctx.table.layout().stream_of_component(component));
        ctx.table.chance.event(stream).below(faces as u32) as u8
    };
    let watchers = ctx.table.watchers(die);
    let face = ctx.imagined_draw(watchers, faces).map_or(face, |at| at as u8);
    ctx.table.set_turned(die, face);
    ctx.charge_look(die);
    ctx.note_to(watchers, |table| {
        let by = table.position.active;
        EventKind::Turned { look: look(table, die), turned: table.turned(die), by }
    });
    Ok(ctx.table.shown(die).map_or(Choice::Nothing, Choice::from).to_value())
}

/// Returns the face that a playscript predetermined for a throw. On dice without numbers, faces are counted from 1.
fn fixed_face(ctx: &Context<'_>, die: PieceId, shown: ThrowResult) -> Answer<u8> {
    let faces = &ctx.table.model().component(ctx.table.component(die)).faces;
    let shown = match shown {
        ThrowResult::Number(number) => number,
        ThrowResult::Face(face) => return Ok(face),
    };
    let by_number = faces.iter().position(|face| *face == FieldValue::Number(shown));
    let has_numbers = faces.iter().any(|face| matches!(face, FieldValue::Number(_)));
    let by_place = usize::try_from(shown.saturating_sub(1)).ok().filter(|at| *at < faces.len() && !has_numbers);
    by_number.or(by_place).map(|at| at as u8).ok_or_else(|| {
        Fault::new(
            "no-faces",
            format!("the die has no face {shown}"),
            "this throw was fixed to a face it does not have",
        )
        .into()
    })
}

fn no_sides(sides: i64) -> Box<Failure> {
    Fault::new("no-faces", format!("there is no die with {sides} sides"), "needs 1 or more").into()
}

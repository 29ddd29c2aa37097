//! Zones and spaces, and the pieces on them.

use crate::decision::{HandleList, Value};
use crate::diagnostic::did_you_mean;
use crate::library::bag_order::unordered_bag_message;
use crate::library::context::facts::label_value;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::plain::{check_plain, describe_value};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::topics::facts::find_component;
use crate::library::well_known::{BOTTOM, FIRST, LAST, PIECES, PIECES_OF, TOP};
use crate::model::{ComponentId, Label, Model, PieceId, Seat, SpaceId, Zone, ZoneId};

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Zones and spaces");
    register_top_and_bottom(registry);
    register_contents(registry);
    register_space_functions(registry);
}

/// Registers the properties for the top and bottom pieces.
fn register_top_and_bottom(registry: &mut RegistryBuilder) {
    registry.property(
        TOP,
        "zone -> one",
        "The top piece of a pile or hand. If there is none, reading `top` is a fault, whereas `first` is `()`.",
        "deck.top.kind // \"card\"",
        |ctx: &mut Context<'_>, zone: ZoneId| {
            check_has_order(ctx, zone, TOP)?;
            end_piece(ctx, only_space(ctx, zone)?, ctx.table.top(only_space(ctx, zone)?), FIRST)
        },
    );
    registry.mark_ordered();
    registry.property(
        TOP,
        "space -> one",
        "The top piece of a space. If there is none, reading `top` is a fault, whereas `first` is `()`.",
        "",
        |ctx: &mut Context<'_>, space: SpaceId| {
            check_has_order(ctx, ctx.table.layout().zone_of(space), TOP)?;
            end_piece(ctx, space, ctx.table.top(space), FIRST)
        },
    );
    registry.mark_ordered();
    registry.property(
        BOTTOM,
        "zone -> one",
        "The bottom piece of a pile or hand. If there is none, reading `bottom` is a fault, whereas `last` is `()`.",
        "deck.bottom.kind // \"card\"",
        |ctx: &mut Context<'_>, zone: ZoneId| {
            check_has_order(ctx, zone, BOTTOM)?;
            end_piece(ctx, only_space(ctx, zone)?, ctx.table.bottom(only_space(ctx, zone)?), LAST)
        },
    );
    registry.mark_ordered();
    registry.property(
        BOTTOM,
        "space -> one",
        "The bottom piece of a space. If there is none, reading `bottom` is a fault, whereas `last` is `()`.",
        "",
        |ctx: &mut Context<'_>, space: SpaceId| {
            check_has_order(ctx, ctx.table.layout().zone_of(space), BOTTOM)?;
            end_piece(ctx, space, ctx.table.bottom(space), LAST)
        },
    );
    registry.mark_ordered();
    registry.property(
        PIECES,
        "zone -> held",
        "The pieces of a zone: space by space, each from top to bottom.",
        "deck.pieces.count() // 8",
        |ctx: &mut Context<'_>, zone: ZoneId| -> HandleList<PieceId> { ctx.table.pieces(zone).collect() },
    );
}

/// Registers the functions and properties for the contents of zones, and for their empty spaces.
fn register_contents(registry: &mut RegistryBuilder) {
    registry.property(
        PIECES,
        "space -> held",
        "The pieces of a space, from top to bottom.",
        "track[1].pieces.count() // 0",
        |ctx: &mut Context<'_>, space: SpaceId| -> HandleList<PieceId> { ctx.table.stack(space).collect() },
    );
    registry.property(
        PIECES,
        "zones -> held",
        "The pieces of several zones, one zone after the other.",
        "lots.pieces.count() // 0",
        |ctx: &mut Context<'_>, zones: HandleList<ZoneId>| -> HandleList<PieceId> {
            ctx.charge(zones.len() / 2);
            let table = &ctx.table;
            zones.iter().flat_map(|zone| table.pieces(*zone)).collect()
        },
    );
    registry.property(
        PIECES,
        "spaces -> held",
        "The pieces of several spaces, one space after the other.",
        "board.spaces.pieces.count() // 0",
        |ctx: &mut Context<'_>, spaces: HandleList<SpaceId>| -> HandleList<PieceId> {
            ctx.charge(spaces.len() / 2);
            let table = &ctx.table;
            spaces.iter().flat_map(|space| table.stack(*space)).collect()
        },
    );
    registry.function(
        PIECES_OF,
        "seat",
        "The pieces in all zones that belong to a seat, zone by zone.",
        "deck.draw(2, first.hand); pieces_of(first).count() // 2",
        |ctx: &mut Context<'_>, seat: Seat| -> HandleList<PieceId> {
            let model = ctx.table.model();
            ctx.charge(model.zones.len() / OBJECTS_PER_OPERATION);
            let own = (0..model.zones.len()).map(ZoneId::at).filter(|zone| model.zone(*zone).seat == Some(seat));
            let table = &ctx.table;
            own.flat_map(|zone| table.pieces(zone)).collect()
        },
    );
    registry.property(
        "spaces",
        "zone -> places",
        "The spaces of a zone, in order; on a grid, row by row.",
        "board.spaces.count() // 9",
        |ctx: &mut Context<'_>, zone: ZoneId| -> HandleList<SpaceId> { ctx.table.spaces(zone).collect() },
    );
    registry.property(
        "empty",
        "zone -> places",
        "The spaces of a zone without a piece.",
        "board.empty.count() // 9",
        |ctx: &mut Context<'_>, zone: ZoneId| -> HandleList<SpaceId> {
            charge_spaces(ctx, zone);
            ctx.table.bare_spaces(zone).collect()
        },
    );
    registry.property(
        "empty",
        "spaces -> same",
        "The spaces in the set without a piece.",
        "board.column(1).empty.count() // 3",
        |ctx: &mut Context<'_>, spaces: HandleList<SpaceId>| -> HandleList<SpaceId> {
            spaces.iter().copied().filter(|space| ctx.table.is_bare(*space)).collect()
        },
    );
}

/// Registers the functions and properties that find spaces and zones, for example by label.
fn register_space_functions(registry: &mut RegistryBuilder) {
    registry.property(
        "beyond",
        "zone -> places",
        "The spaces of a row after the last space with a piece; all spaces if the row is empty.",
        "track.beyond.count() // 5",
        |ctx: &mut Context<'_>, zone: ZoneId| -> HandleList<SpaceId> {
            charge_spaces(ctx, zone);
            let last = ctx.table.last_occupied(zone);
            ctx.table.spaces(zone).filter(|space| Some(*space) > last).collect()
        },
    );
    registry.property(
        "labels",
        "spaces",
        "The labels of the spaces, in order.",
        "track.spaces.labels // [1, 2, 3, 4, 5]",
        |ctx: &mut Context<'_>, spaces: HandleList<SpaceId>| -> Vec<Value> {
            let model = ctx.table.model();
            spaces.iter().map(|space| label_value(&model.space(*space).label)).collect()
        },
    );
    registry.function(
        "is_full",
        "zone",
        "Returns whether every space of a zone has a piece.",
        "board.is_full() // false",
        |ctx: &mut Context<'_>, zone: ZoneId| -> bool {
            charge_spaces(ctx, zone);
            ctx.table.bare_spaces(zone).next().is_none()
        },
    );
    registry.function(
        "column",
        "zone x -> places",
        "The spaces in a column of a grid, from north to south.",
        "board.column(2).count() // 3",
        |ctx: &mut Context<'_>, zone: ZoneId, x: i64| -> HandleList<SpaceId> {
            cells(ctx, zone, |column, _| i64::from(column) == x)
        },
    );
    registry.function(
        "row",
        "zone y -> places",
        "The spaces in a row of a grid, from west to east.",
        "board.row(2).count() // 3",
        |ctx: &mut Context<'_>, zone: ZoneId, y: i64| -> HandleList<SpaceId> {
            cells(ctx, zone, |_, row| i64::from(row) == y)
        },
    );
    registry.function(
        "at",
        "zone x y -> place",
        "The space of a grid in column `x` and row `y`.",
        "board.at(2, 3).y // 3",
        |ctx: &mut Context<'_>, zone: ZoneId, x: i64, y: i64| -> Answer<SpaceId> {
            charge_spaces(ctx, zone);
            ctx.table.layout().space_at(zone, x, y).ok_or_else(|| {
                let path = &ctx.table.model().zone(zone).path;
                Fault::new("no-such-space", format!("`{path}` has no space {x},{y}"), "not a space of it").into()
            })
        },
    );
    registry.index(
        "zone label:number|text|list|space -> place",
        "The space with this label, a number or a word.",
        "track[3].label // 3",
        |ctx: &mut Context<'_>, zone: ZoneId, label: Value| -> Answer<SpaceId> {
            check_plain(&label)?;
            space_labeled(ctx, zone, &label)
        },
    );
    registry.index(
        "zones label:number|text|list|component|piece|seat|zone|space -> one",
        "The zone with this label, the zone of a seat or of a component (or its id), or the zone beside another zone or space. If several copies match, returns all of them.",
        "lots[2].label // 2",
        |ctx: &mut Context<'_>, zones: HandleList<ZoneId>, label: Value| -> Answer<Value> {
            check_plain(&label)?;
            zones_labeled(ctx, &zones, &label)
        },
    );
    registry.property(
        "spaces",
        "zones -> places",
        "The spaces of several zones, one zone after the other.",
        "lots.spaces.count() // 3",
        |ctx: &mut Context<'_>, zones: HandleList<ZoneId>| -> HandleList<SpaceId> {
            ctx.charge(zones.len() / 4);
            zones.iter().flat_map(|zone| ctx.table.spaces(*zone)).collect()
        },
    );
}

/// Returns the only space of a zone, or a fault if the zone has several spaces.
pub(super) fn only_space(ctx: &Context<'_>, zone: ZoneId) -> Answer<SpaceId> {
    let found = ctx.table.model().zone(zone);
    if found.spaces.len() == 1 {
        return Ok(found.space());
    }
    let fault = Fault::new(
        "many-spaces",
        format!("`{}` has {} spaces", found.path, found.spaces.len()),
        "which of its spaces?",
    );
    Err(fault.help(format!("name the space: `{}[…]`", found.path)).into())
}

/// Checks that a zone is ordered, that is, not a bag. `word` is the name of the function or property that needs the order.
pub(super) fn check_has_order(ctx: &Context<'_>, zone: ZoneId, word: &str) -> Answer<()> {
    let model = ctx.table.model();
    if !model.family_of(zone).is_bag() {
        return Ok(());
    }
    let (message, help) = unordered_bag_message(&model.zone(zone).path, word);
    Err(Fault::new("no-order", message, "a bag is drawn from at random").help(help).into())
}

/// Returns `piece`, the piece at an end of a space, or a fault if the space is empty. The fault recommends the property `instead`.
fn end_piece(ctx: &Context<'_>, space: SpaceId, piece: Option<PieceId>, instead: &str) -> Answer<PieceId> {
    piece.ok_or_else(|| {
        let name = space_name(ctx.table.model(), space);
        Fault::new("empty-zone", format!("`{name}` has no piece"), "asked for a piece of an empty zone")
            .help(format!("ask `{name}.is_empty()` first, or for `{name}.{instead}`, which is `()` where nothing lies"))
            .into()
    })
}

/// Formats a space as in scripts: `deck`, `track[3]`.
pub(super) fn space_name(model: &Model, space: SpaceId) -> String {
    let found = model.space(space);
    let zone = model.zone(found.zone);
    if zone.spaces.len() == 1 { zone.path.to_string() } else { format!("{}[{}]", zone.path, found.label) }
}

fn cells(ctx: &Context<'_>, zone: ZoneId, wanted: impl Fn(i16, i16) -> bool) -> HandleList<SpaceId> {
    let model = ctx.table.model();
    charge_spaces(ctx, zone);
    ctx.table
        .spaces(zone)
        .filter(|space| matches!(model.space(*space).label, Label::Cell(column, row) if wanted(column, row)))
        .collect()
}

/// Charges for iterating over the spaces of a zone.
pub(super) fn charge_spaces(ctx: &Context<'_>, zone: ZoneId) {
    ctx.charge(ctx.table.model().zone(zone).spaces.len() / OBJECTS_PER_OPERATION);
}

fn is_labeled(label: &Label, wanted: &Value) -> bool {
    match (label, wanted) {
        (Label::Number(a), Value::Number(b)) => a == b,
        (Label::Word(a), Value::Text(b)) => **a == **b,
        (Label::Cell(x, y), Value::List(pair)) => {
            matches!(pair.as_slice(), [Value::Number(a), Value::Number(b)] if (*a, *b) == ((*x).into(), (*y).into()))
        }
        _ => false,
    }
}

fn space_labeled(ctx: &Context<'_>, zone: ZoneId, wanted: &Value) -> Answer<SpaceId> {
    let model = ctx.table.model();
    let spaces = &model.zone(zone).spaces;
    // Labels are usually consecutive numbers, so the position is computed before searching.
    if let (Value::Number(wanted), Label::Number(first)) = (wanted, &model.space(SpaceId(spaces.start)).label)
        && let Some(at) = wanted.checked_sub(*first).and_then(|at| usize::try_from(at).ok())
        && at < spaces.len()
    {
        let space = SpaceId(spaces.start + at as u16);
        if matches!(model.space(space).label, Label::Number(number) if number == *wanted) {
            return Ok(space);
        }
    }
    charge_spaces(ctx, zone);
    let found = match wanted {
        Value::Space(other) => {
            let label = &model.space(other.get()).label;
            ctx.table.spaces(zone).find(|space| model.space(*space).label == *label)
        }
        wanted => ctx.table.spaces(zone).find(|space| is_labeled(&model.space(*space).label, wanted)),
    };
    found.ok_or_else(|| {
        let labels: Vec<String> = ctx.table.spaces(zone).map(|space| model.space(space).label.to_string()).collect();
        let path = &model.zone(zone).path;
        no_such(&format!("`{path}` has no space"), wanted, &labels)
    })
}

fn zones_labeled(ctx: &Context<'_>, zones: &HandleList<ZoneId>, wanted: &Value) -> Answer<Value> {
    let model = ctx.table.model();
    ctx.charge(zones.len() / OBJECTS_PER_OPERATION);
    if let Some(zone) = zone_by_position(model, zones, wanted) {
        return Ok(Value::from(zone));
    }
    let is_beside = |zone: &Zone, other: ZoneId| zone.copy == model.zone(other).copy && zone.copy.is_some();
    let belongs = |zone: &ZoneId| -> bool {
        let found = model.zone(*zone);
        match wanted {
            Value::Component(component) => found.components().any(|of| of == component.get()),
            Value::Seat(seat) => found.seat == Some(seat.get()),
            Value::Zone(other) => is_beside(found, other.get()),
            Value::Space(space) => is_beside(found, model.space(space.get()).zone),
            label => {
                copy_label(model, *zone).is_some_and(|known| is_labeled(known, label))
                    || belongs_to_id(model, *zone, label)
            }
        }
    };
    let mut found = zones.iter().copied().filter(belongs);
    match (found.next(), found.next()) {
        (Some(zone), None) => Ok(Value::from(zone)),
        (Some(one), Some(two)) => Ok(Value::Zones([one, two].into_iter().chain(found).collect())),
        _ => {
            let ids_of = |zone: &ZoneId| model.zone(*zone).components().map(|of| model.component(of).id.to_string());
            let labels_of = |zone: &ZoneId| match copy_label(model, *zone) {
                Some(label) => vec![label.to_string()],
                None => ids_of(zone).collect(),
            };
            let labels: Vec<String> = zones.iter().flat_map(labels_of).collect();
            let name = zones.first().map_or("", |zone| &*model.family_of(*zone).id);
            Err(no_such(&format!("`{name}` has no copy"), wanted, &labels))
        }
    }
}

/// Finds a zone by index instead of searching. `wanted` is a number label, or a zone or space of another family with the same copies.
///
/// Returns `None` unless `zones` are all zones of a family that has copies but is not repeated in any other way. The labels of such a
/// family are distinct and usually consecutive.
fn zone_by_position(model: &Model, zones: &HandleList<ZoneId>, wanted: &Value) -> Option<ZoneId> {
    let family = model.family_of(*zones.first()?);
    let copies = family.copies.as_ref()?;
    let at = match (wanted, copies.first()?) {
        (Value::Number(wanted), Label::Number(first)) => {
            let at = usize::try_from(wanted.checked_sub(*first)?).ok()?;
            (copies.get(at)? == &Label::Number(*wanted)).then_some(at)?
        }
        (Value::Zone(other), _) => model.zone(other.get()).copy?.into(),
        (Value::Space(space), _) => model.zone(model.space(space.get()).zone).copy?.into(),
        _ => return None,
    };
    let is_whole = family.per.is_empty() && zones.iter().map(|zone| zone.0).eq(family.zones.clone());
    if is_whole { zones.get(at).copied() } else { None }
}

/// Returns whether a zone belongs to the component whose id is `id`.
fn belongs_to_id(model: &Model, zone: ZoneId, id: &Value) -> bool {
    let Value::Text(id) = id else { return false };
    model.zone(zone).components().any(|of| *model.component(of).id == **id)
}

fn copy_label(model: &Model, zone: ZoneId) -> Option<&Label> {
    model.family_of(zone).copies.as_ref().zip(model.zone(zone).copy).map(|(labels, copy)| &labels[copy as usize])
}

#[cold]
fn no_such(what: &str, wanted: &Value, labels: &[String]) -> Box<Failure> {
    let label = describe_value(wanted);
    let known = labels.iter().map(String::as_str);
    let help = match wanted {
        Value::Text(word) => did_you_mean(word, known.clone()),
        _ => None,
    };
    Fault::new("no-such-space", format!("{what} {label}"), "not one of its labels")
        .help(format!("its labels are {}", shorten_labels(labels)))
        .maybe_help(help)
        .into()
}

fn shorten_labels(labels: &[String]) -> String {
    match labels {
        [] => "none".to_owned(),
        [first, .., last] if labels.len() > 12 => format!("{first} to {last}"),
        labels => labels.join(", "),
    }
}

/// Converts a component, a piece or an id to a component.
pub(super) fn component_of(ctx: &Context<'_>, given: &Value) -> Answer<ComponentId> {
    match given {
        Value::Component(component) => Ok(component.get()),
        Value::Piece(piece) => Ok(ctx.table.component(piece.get())),
        Value::Text(id) => find_component(ctx, id),
        other => {
            check_plain(other)?;
            let message = format!("{} is not a component", describe_value(other));
            Err(Fault::new("wrong-value", message, "neither a component nor the id of one").into())
        }
    }
}

//! Modifiers: how pieces in force change the quantities that rules read with `altered`.

use crate::decision::{Choice, HandleList, Map, Value};
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::journal::LaidByChance;
use crate::library::context::plain::{describe, plain};
use crate::library::context::{Context, OBJECTS_PER_OPERATION};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::model::{Alteration, ComponentId, FieldValue, Model, PieceId, Seat};
use crate::table::Table;
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Standing effects");
    registry.function(
        "altered",
        "alteration:alteration base:T seat -> T",
        "A number, flag or word as altered by the pieces in force for a seat: the pieces in its own zones and in shared zones that have `in_force`. First, a row with `set` replaces the base. If there are several such rows, the row of the piece that was laid last in the last of these zones applies. Then rows with `multiply` apply, and finally rows with `add`.",
        "deck.find(\"points\", 11).move_to(first.charms); altered(\"upkeep\", 5, first) // 8",
        |ctx: &mut Context<'_>, alteration: ArcStr, base: Value, seat: Seat| apply_alterations(ctx, &alteration, &base, seat, &Map::default()),
    );
    registry.function(
        "altered",
        "alteration:alteration base:T seat facts -> T",
        "Like the function without `facts`, for alterations that depend on facts: rows with conditions apply only if they match the facts.",
        "deck.find(\"points\", 2).move_to(first.charms); altered(\"upkeep\", 5, first, #{ color: \"red\" }) // 0",
        |ctx: &mut Context<'_>, alteration: ArcStr, base: Value, seat: Seat, facts: Arc<Map>| {
            apply_alterations(ctx, &alteration, &base, seat, &facts)
        },
    );
    registry.function(
        "altered",
        "alteration:alteration base:T piece facts -> T",
        "The base as altered by one piece alone, wherever the piece is. Use this for effects that a card offers rather than imposes.",
        "altered(\"upkeep\", 5, deck.find(\"points\", 11), #{}) // 8",
        |ctx: &mut Context<'_>, alteration: ArcStr, base: Value, piece: PieceId, facts: Arc<Map>| {
            check_alteration(ctx, &alteration)?;
            apply(ctx, &alteration, &base, std::iter::once(piece), &facts)
        },
    );
    registry.function(
        "altered",
        "alteration:alteration base:T pieces facts -> T",
        "The base as altered by the given pieces, whether they are in force or not. Use this if the rules decide which pieces count.",
        "altered(\"upkeep\", 5, deck.pieces.where(\"points\", 11), #{}) // 8",
        |ctx: &mut Context<'_>, alteration: ArcStr, base: Value, pieces: HandleList<PieceId>, facts: Arc<Map>| {

                check_alteration(ctx, &alteration)?;
                apply(ctx, &alteration, &base, pieces.iter().copied(), &facts)

        },
    );
    registry.function(
        "altering",
        "alteration:alteration seat facts",
        "The pieces in force for a seat whose rows for this alteration match the facts. Use this to let the seat choose one of these pieces.",
        "deck.find(\"points\", 11).move_to(first.charms); altering(\"upkeep\", first, #{}).count() // 1",
        |ctx: &mut Context<'_>, alteration: ArcStr, seat: Seat, facts: Arc<Map>| altering_pieces(ctx, &alteration, seat, &facts),
    );
}

fn apply_alterations(ctx: &mut Context<'_>, what: &str, base: &Value, seat: Seat, facts: &Map) -> Answer<Value> {
    check_alteration(ctx, what)?;
    let mut pieces: SmallVec<[PieceId; 16]> = SmallVec::new();
    for zone in ctx.table.layout().in_force(seat) {
        let begin = pieces.len();
        pieces.extend(ctx.table.pieces(*zone));
        // The piece that was placed last takes precedence, so it must be at the end.
        pieces[begin..].reverse();
    }
    if !ctx.journal.laid_together.is_empty() {
        note_laid_by_chance(ctx, what, &pieces, facts)?;
    }
    apply(ctx, what, base, pieces.into_iter(), facts)
}

/// Records that chance decides the value of the quantity `what` if the last of the pieces that set it was laid together with another piece
/// that sets a different value.
fn note_laid_by_chance(ctx: &mut Context<'_>, what: &str, pieces: &[PieceId], facts: &Map) -> Answer<()> {
    if ctx.answers.is_rerunning() || ctx.journal.laid_by_chance.iter().any(|known| *known.what == *what) {
        return Ok(());
    }
    let found = ctx.table.without_recording_reads(|table| -> Answer<Option<[ComponentId; 2]>> {
        let mut setters: Vec<(PieceId, &FieldValue)> = Vec::new();
        for piece in pieces {
            let set =
                alterations(table, *piece, what, facts)?.into_iter().filter_map(|found| found.set.as_ref()).next_back();
            setters.extend(set.map(|value| (*piece, value)));
        }
        let Some((last, value)) = setters.pop() else { return Ok(None) };
        let is_pair =
            |piece: PieceId| ctx.journal.laid_together.iter().any(|pair| pair.contains(&piece) && pair.contains(&last));
        let rival = setters.iter().find(|(piece, other)| *other != value && is_pair(*piece));
        Ok(rival.map(|(piece, _)| [table.component(*piece), table.component(last)]))
    })?;
    let components = found.into_iter();
    ctx.journal.laid_by_chance.extend(components.map(|components| LaidByChance { what: what.into(), components }));
    Ok(())
}

fn altering_pieces(ctx: &mut Context<'_>, what: &str, seat: Seat, facts: &Map) -> Answer<HandleList<PieceId>> {
    check_alteration(ctx, what)?;
    let (mut found, mut asked) = (Vec::new(), 0);
    for piece in in_force(&ctx.table, seat) {
        asked += 1;
        if !alterations(&ctx.table, piece, what, facts)?.is_empty() {
            found.push(piece);
        }
    }
    ctx.charge(asked / MODIFIERS_PER_OPERATION);
    Ok(found.into_iter().collect())
}

fn check_alteration(ctx: &Context<'_>, what: &str) -> Answer<()> {
    if !ctx.facts().is_altered(what) {
        let model = ctx.table.model();
        let known = model.altered.keys().map(|name| &**name);
        return Err(unknown_quoted(&[NameRole::Alteration], what, known).into());
    }
    Ok(())
}

/// Number of pieces whose modifiers can be checked for one operation.
const MODIFIERS_PER_OPERATION: usize = OBJECTS_PER_OPERATION / 4;

/// Applies the modifiers of pieces to a base value. The last `set` replaces the base. Then all factors are multiplied in, and finally all
/// summands are added.
fn apply(
    ctx: &mut Context<'_>,
    what: &str,
    base: &Value,
    pieces: impl Iterator<Item = PieceId>,
    facts: &Map,
) -> Answer<Value> {
    let mut found = plain(base)?;
    let (mut added, mut times, mut asked) = (0_i64, 1_i64, 0);
    for piece in pieces {
        asked += 1;
        let state = &mut *ctx.state;
        for alteration in alterations(&state.table, piece, what, facts)? {
            if let Some(set) = &alteration.set {
                found = Choice::from(set);
            }
            added = added.saturating_add(alteration.add);
            times = times.saturating_mul(alteration.multiply);
            if let Some(altering) = &mut state.altering {
                altering.push((piece, alteration.clone()));
            }
        }
    }
    ctx.charge(asked / MODIFIERS_PER_OPERATION);
    // The order of the pieces does not matter for products and sums, only for `set`.
    match found {
        Choice::Number(number) => Ok(number.saturating_mul(times).saturating_add(added).into()),
        found if added == 0 && times == 1 => Ok(found.to_value()),
        found if added == 0 => {
            let message = format!("`{what}` is {}, and cannot be multiplied by {times}", describe(&found));
            Err(Fault::new("wrong-value", message, "not a number").into())
        }
        found => {
            let message = format!("`{what}` is {}, and {added} cannot be added to it", describe(&found));
            Err(Fault::new("wrong-value", message, "not a number").into())
        }
    }
}

/// Returns those modifiers of a piece that change the quantity `what` in a query with these facts.
fn alterations<'t>(table: &'t Table, piece: PieceId, what: &str, facts: &Map) -> Answer<SmallVec<[&'t Alteration; 2]>> {
    let mut found = SmallVec::new();
    for alteration in &table.model().component(table.component(piece)).alters {
        if *alteration.what == *what && applies_to(alteration, table, facts)? {
            found.push(alteration);
        }
    }
    Ok(found)
}

/// Iterates over the pieces in force for a seat, zone by zone.
pub(super) fn in_force(table: &Table, seat: Seat) -> impl Iterator<Item = PieceId> + '_ {
    table.layout().in_force(seat).iter().flat_map(|zone| table.pieces(*zone))
}

/// Returns whether a modifier applies to a query with these facts.
fn applies_to(alteration: &Alteration, table: &Table, facts: &Map) -> Answer<bool> {
    for (name, allowed) in &alteration.only {
        let Some(given) = facts.get(name) else { return Ok(false) };
        let given = plain(given)?;
        if !allowed.iter().any(|allowed| matches_value(allowed, &given, table)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a value in a data row matches a value of a script. Components and pieces match by id.
fn matches_value(written: &FieldValue, given: &Choice, table: &Table) -> bool {
    let id = |model: &Model, component| FieldValue::Word(model.component(component).id.clone());
    match given {
        Choice::Component(component) => *written == id(table.model(), *component),
        Choice::Piece(piece) => *written == id(table.model(), table.component(*piece)),
        given => Choice::from(written) == *given,
    }
}

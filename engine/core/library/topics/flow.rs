//! Turns, the end of the game, and announcements.

use super::seats::seat_or_seats;
use crate::decision::{Choice, EventKind, Map, Value, appearances};
use crate::diagnostic::{another_turn_of_nobody, next_turn_of_none};
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::plain::plain;
use crate::library::context::{Context, OBJECTS_PER_OPERATION, Stop};
use crate::library::effect::Effects;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::library::well_known::{AGAIN, ENSURE, NEXT_TURN, SAY, TALLY};
use crate::model::{EndingId, Seat};
use crate::table::{Layout, SeatSet};
use arcstr::ArcStr;
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Flow");
    registry.effects(Effects::CHANGES);
    registry.function(
        AGAIN,
        "",
        "Gives the seat on turn another turn after this one, or two turns if it is called twice. Outside of turns, this is a fault.",
        "again() // ()",
        |ctx: &mut Context<'_>| -> Answer<()> {
            ctx.check_may_change()?;
            let mut loops = ctx.table.position.loops.iter_mut().rev();
            let turns = loops.find(|turns| turns.seat().is_some());
            let turns = turns.ok_or_else(another_turn_of_nobody)?;
            if turns.again == MAX_TURNS {
                return Err(too_many_turns());
            }
            turns.again += 1;
            Ok(())
        },
    );
    registry.function(
        NEXT_TURN,
        "seat",
        "Gives the next turn of `turns` to a seat; play continues clockwise from there. Called twice, both seats take a turn, one after the other. Turns from `again` come first. Outside of `turns`, this is a fault.",
        "next_turn(next(first)) // ()",
        |ctx: &mut Context<'_>, seat: Seat| -> Answer<()> {
            ctx.check_may_change()?;
            let mut loops = ctx.table.position.loops.iter_mut().rev();
            let turns = loops.find(|turns| turns.is_endless && turns.seat().is_some());
            let turns = turns.ok_or_else(next_turn_of_none)?;
            let at = turns.order.iter().position(|other| *other == seat).ok_or_else(not_in_turn)?;
            if turns.given.len() == usize::from(MAX_TURNS) {
                return Err(too_many_turns());
            }
            turns.given.push(at as u8);
            Ok(())
        },
    );
    registry.function(
        "last_round",
        "",
        "Makes this round the last one.",
        "last_round() // ()",
        |ctx: &mut Context<'_>| -> Answer<()> {
            ctx.check_may_change()?;
            ctx.table.position.last_round = true;
            Ok(())
        },
    );
    registry.effects(Effects::CHANGES.union(Effects::ENDS));
    registry.function(
        "end_game",
        "ending:ending -> never",
        "Ends the game at once with a declared ending: the rest of the rules is skipped, and `finish` begins.",
        "end_game(\"over\") // ends the game",
        |ctx: &mut Context<'_>, ending: ArcStr| -> Answer<()> {
            ctx.permissions.check_may_end()?;
            end_game(ctx, &ending)?;
            Err(ctx.stop(Stop::Ended))
        },
    );
    registry.effects(Effects::CHANGES);
    registry.function(
        "ends_as",
        "ending:ending",
        "Sets the ending that the game will have when it ends.",
        "ends_as(\"broke\") // ()",
        |ctx: &mut Context<'_>, ending: ArcStr| -> Answer<()> { end_game(ctx, &ending) },
    );
    registry.topic("Announcements");
    registry.effects(Effects::ANNOUNCES);
    registry.function(
        SAY,
        "text:announcement facts",
        "Announces a declared text to everybody; `facts` fill its `{placeholders}`.",
        "say(\"pays\", #{ seat: first, price: 3 }) // ()",
        |ctx: &mut Context<'_>, text: ArcStr, facts: Arc<Map>| -> Answer<()> {
            let everybody = ctx.table.layout().everybody;
            announce(ctx, &text, &facts, everybody)
        },
    );
    registry.function(
        SAY,
        "text:announcement facts seats:whom",
        "Announces a declared text to one or more seats only.",
        "say(\"pays\", #{ seat: first, price: 3 }, next(first)) // ()",
        |ctx: &mut Context<'_>, text: ArcStr, facts: Arc<Map>, seats: Value| -> Answer<()> {
            let to = seat_or_seats(&seats)?.iter().fold(0, |set: SeatSet, seat| set | Layout::only(*seat));
            announce(ctx, &text, &facts, to)
        },
    );
    registry.effects(Effects::COUNTS);
    registry.function(
        TALLY,
        "name number",
        "Adds to a counter of the game that only appears in statistics.",
        "tally(\"trades\", 1) // ()",
        |ctx: &mut Context<'_>, name: ArcStr, number: i64| -> Answer<()> { tally(ctx, &name, None, number) },
    );
    registry.function(
        TALLY,
        "name seat number",
        "Adds to a counter of a seat that only appears in statistics.",
        "tally(\"trades\", first, 1) // ()",
        |ctx: &mut Context<'_>, name: ArcStr, seat: Seat, number: i64| -> Answer<()> {
            tally(ctx, &name, Some(seat), number)
        },
    );
    registry.effects(Effects::STOPS.union(Effects::ENDS));
    registry.function(
        "fault",
        "message -> never",
        "Stops the game with a message. Use this for cases that must never happen.",
        "fault(\"no card is left\") // stops with the message",
        |message: ArcStr| -> Answer<()> {
            Err(Fault::new("fault", message.as_str(), "the rules say this cannot happen").into())
        },
    );
    registry.effects(Effects::STOPS);
    registry.function(
        ENSURE,
        "holds:holds message",
        "Stops the game with a message unless a condition holds. Use this for invariants.",
        "ensure(1 < 2, \"order\") // ()",
        |holds: bool, message: ArcStr| -> Answer<()> {
            if holds { Ok(()) } else { Err(Fault::new("broken-invariant", message.as_str(), "does not hold").into()) }
        },
    );
}

/// Maximum number of turns that can be granted in advance.
const MAX_TURNS: u16 = 1_000;

/// Creates the fault for giving the next turn to a seat that is not part of the current loop.
fn not_in_turn() -> Box<Failure> {
    Fault::new("no-seats", "the next turn is given to a seat that takes no turns here", "gives the next turn away")
        .help("give it to one of the seats in `order`")
        .into()
}

fn too_many_turns() -> Box<Failure> {
    let message = format!("more than {MAX_TURNS} turns are given away before any of them is taken");
    Fault::new("too-large", message, "gives still more").into()
}

fn end_game(ctx: &mut Context<'_>, name: &str) -> Answer<()> {
    // The size of the journal is not checked, so that a game with a full journal can still end.
    ctx.permissions.check_may_change()?;
    let model = ctx.table.model();
    let found: Option<EndingId> = model.find_ending(name);
    let Some(ending) = found else {
        let known = model.endings.iter().map(|ending| &*ending.id);
        return Err(unknown_quoted(&[NameRole::Ending], name, known).into());
    };
    ctx.table.position.ending = Some(ending);
    Ok(())
}

/// Operations charged per entry of an announcement. The announcement is recorded together with descriptions of the
/// pieces in it.
const COST_PER_ENTRY: usize = 2;

fn announce(ctx: &mut Context<'_>, name: &str, facts: &Map, to: SeatSet) -> Answer<()> {
    let model = ctx.table.model();
    let Some(say) = model.find_say(name) else {
        let known = model.says.iter().map(|say| &*say.id);
        return Err(unknown_quoted(&[NameRole::Announcement], name, known).into());
    };
    ctx.journal.check_room()?;
    for (_, fact) in facts.iter() {
        // The announcement is recorded with everything that it mentions.
        ctx.spend(fact.weight() * COST_PER_ENTRY)?;
        ctx.journal.weight += fact.weight();
        plain(fact)?.each_piece(|piece| ctx.charge_look(piece));
    }
    ctx.observe(|observer| observer.said(say));
    if !ctx.is_noting() {
        return Ok(());
    }
    let facts: Arc<[(Arc<str>, Choice)]> =
        facts.iter().map(|(name, fact)| Ok((name.as_str().into(), plain(fact)?))).collect::<Answer<Vec<_>>>()?.into();
    let all = Choice::Many(facts.iter().map(|(_, fact)| fact.clone()).collect());
    ctx.note_to(to, |table| EventKind::Said {
        say,
        appearances: appearances(table, &all).into(),
        facts: facts.clone(),
    });
    Ok(())
}

fn tally(ctx: &mut Context<'_>, name: &str, seat: Option<Seat>, number: i64) -> Answer<()> {
    ctx.spend(1 + (ctx.tallies.all().len() + name.len()) / OBJECTS_PER_OPERATION)?;
    if ctx.answers.is_rerunning() { Ok(()) } else { ctx.tallies.add(name, seat, number) }
}

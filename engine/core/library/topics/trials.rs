//! Trials: running a closure on a copy of the table.

use crate::decision::Value;
use crate::diagnostic::sentence::nested_trials;
use crate::library::context::OBJECTS_PER_OPERATION;
use crate::library::context::fault::{Answer, Fault};
use crate::library::context::permissions::Permissions;
use crate::library::context::plain::NOT_PLAIN;
use crate::library::effect::Effects;
use crate::library::entry::argument::FunctionArgument;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use std::mem::take;

/// Maximum nesting of trials. Each trial holds a copy of the table.
const MAX_TRIALS: u8 = 8;

/// Operations charged for each copy of the table, in addition to those that depend on its size.
const COPY_COST: usize = 8;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Trial runs");
    registry.effects(Effects::TRIES);
    registry.function(
        "suppose",
        "what:()=>T -> T",
        "Runs a function on a copy of the table and returns its result. Use this to find out what a move would lead to. The copy is discarded afterwards and leaves no trace in the log, in the knowledge of seats, or in random numbers. On the copy, nobody can be asked, nothing can be drawn at random, and the game cannot end.",
        "suppose(|| { deck.draw(3, first.hand); first.hand.count() }) + first.hand.count() // 3",
        suppose,
    );
}

fn suppose(caller: &mut Caller<'_, '_>, _what: FunctionArgument) -> Answer<Value> {
    let trials = caller.permissions.trials + 1;
    if trials > MAX_TRIALS {
        return Err(nested_trials(MAX_TRIALS).into());
    }
    let size = caller.table.all_pieces().count() + caller.table.model().slots;
    caller.spend(COPY_COST + size / OBJECTS_PER_OPERATION)?;
    let permissions = Permissions {
        may_ask: false,
        trials,
        only_known: caller.permissions.only_known.clone(),
        ..Permissions::default()
    };
    let permissions = std::mem::replace(&mut caller.permissions, permissions);
    // The trial works on an empty journal, answer log and tallies, which are discarded afterwards.
    let (journal, answers, tallies) = (take(&mut caller.journal), take(&mut caller.answers), take(&mut caller.tallies));
    let stands = caller.table.begin_trial();
    let found = caller.call_closure::<Value>(&[]);
    caller.table.end_trial(stands);
    (caller.journal, caller.answers, caller.tallies) = (journal, answers, tallies);
    caller.permissions = permissions;
    let found = found?;
    if found.is_plain() {
        return Ok(found);
    }
    let message = format!("{} cannot be brought out of a trial", found.kind());
    Err(Fault::new("wrong-value", message, NOT_PLAIN)
        .help("return what is to be known of it: a number, a flag, or things of the game")
        .into())
}

//! Script fragments that are run on a session. They arrange positions, carry out statements, fix random results and evaluate expressions.

use super::checkpoint::Checkpoint;
use super::game::Game;
use super::opening::Start;
use super::outcome::Standing;
use super::status::{Progress, Session};
use crate::decision::{Choice, Value};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::library::State;
use crate::model::Setup;
use crate::model::{Model, Seat};
use crate::script::{self, Call, Ended, Host, PHASE, STANDING, Step};
use crate::table::Fixed;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Checks script fragments for a game without running them. Returns the mistakes in the fragments.
///
/// # Errors
/// Returns all mistakes in the game's files and in the setup.
pub fn mistakes_in_texts(game: &Game, setup: &Setup, texts: &[Arc<Source>]) -> Result<Vec<Diagnostic>, Diagnostics> {
    let (layout, host) = game.host(setup)?;
    let players = seat_names(&layout.model, setup).into_iter().map(|(name, _)| name);
    Ok(host.mistakes_in(texts, &with_standing(&host, players.collect())))
}

/// Returns the names of all tallies in the rules of a game; `None` if any name is computed at run time.
pub fn tallied_names(model: &Model) -> Option<Vec<Arc<str>>> {
    Host::tally_names(model)
}

/// Returns all string literals and templates in the rules of a game.
pub fn texts_of_rules(model: &Model) -> Vec<String> {
    Host::text_literals(model)
}

/// Returns the string literals in the functions that ask `decision`, and in the functions that these call, directly or indirectly. Calls
/// and functions that ask another decision are left out.
pub fn words_near(model: &Model, decision: &str) -> FxHashSet<Arc<str>> {
    Host::words_near(model, decision)
}

impl Session {
    /// Changes the position by running script fragments in order.
    ///
    /// If a decision is open, the fragments change the position before the step that asks it. The step then runs again from the changed
    /// position. Call this function before the step has received an answer. If the step would overwrite a value that the fragments have
    /// set, the value of the fragments is kept.
    ///
    /// If no decision is open, and play rests or is outside the flow, the fragments change the current position.
    ///
    /// # Errors
    /// Returns the mistake in a fragment, or an error if no step is under way that could run again.
    pub fn arrange(&mut self, sources: &[Arc<Source>]) -> Result<(), Box<Diagnostic>> {
        self.changes();
        let is_between = self.opening.start == Start::Nowhere || matches!(self.progress, Progress::Resting);
        if is_between && self.decision().is_none() {
            return self.arrange_here(sources);
        }
        let Some(checkpoint) = self.checkpoint.clone() else {
            let found = Diagnostic::error("arrange", "nothing can be arranged here");
            let place = sources.first().map(|source| Place::at(source, 1, 1));
            return Err(Box::new(
                place.into_iter().fold(found, |found, place| found.mark(place, "no step is under way")),
            ));
        };
        let otherwise = std::mem::replace(&mut self.state.table, checkpoint.table.clone());
        if let Err(diagnostic) = self.arrange_here(sources) {
            self.progress = Progress::Failed(diagnostic.clone());
            return Err(diagnostic);
        }
        let arranged = self.checkpoint_before(checkpoint.call.clone());
        let mut ended = Step::begin(&self.host, &mut self.state, &arranged.call);
        self.checkpoint = Some(arranged.clone());
        if matches!(ended, Ended::Asked(_)) {
            // A step that sets a value before it asks would overwrite the value of the fragments, so the step runs once more with these
            // values pinned.
            let undone = self.state.table.overwritten_slots(&checkpoint.table, &arranged.table, &otherwise);
            if !undone.is_empty() {
                self.state.table = arranged.table.clone();
                self.state.table.pin_slots(undone);
                ended = Step::begin(&self.host, &mut self.state, &arranged.call);
                self.state.table.pin_slots(FxHashSet::default());
            }
        }
        self.advance(ended);
        Ok(())
    }

    /// Runs script fragments that change the current position.
    pub(super) fn arrange_here(&mut self, sources: &[Arc<Source>]) -> Result<(), Box<Diagnostic>> {
        let names = self.names();
        script::arrange(&self.host, &mut self.state, sources, &names).map_err(Box::new)
    }

    /// Takes a checkpoint of the current table, from which `call` can be run again.
    pub(super) fn checkpoint_before(&mut self, call: Call) -> Arc<Checkpoint> {
        self.state.table.mark_checkpoint();
        Arc::new(Checkpoint { table: self.state.table.clone(), call })
    }

    /// Runs a script fragment as a separate step, outside the flow.
    pub fn carry_out(&mut self, source: &Arc<Source>) {
        self.changes();
        let checkpoint = self.checkpoint_before(Call::Text(source.clone(), self.names().into()));
        let ended = Step::begin(&self.host, &mut self.state, &checkpoint.call);
        self.checkpoint = Some(checkpoint);
        self.advance(ended);
    }

    /// Returns the predetermined random results for editing. Random results are taken from them until they are used up.
    pub fn fix_chance(&mut self) -> &mut Fixed {
        self.changes();
        self.state.table.chance.fix()
    }

    /// Checks script fragments without running them. Returns the mistakes in the fragments.
    pub fn mistakes_in(&self, texts: &[Arc<Source>]) -> Vec<Diagnostic> {
        self.host.mistakes_in(texts, &self.names().into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    /// Returns the count of a tally, for a seat or for the game; `None` if the tally was never counted.
    pub fn tally(&self, name: &str, seat: Option<Seat>) -> Option<i64> {
        self.state.tallies.get(name, seat)
    }

    /// Discards the coverage recorded since [`Self::take_coverage`] was last called.
    pub fn forget_covered(&self) {
        let _ = self.host.take_coverage();
    }

    /// Checks every invariant of the rules in the current position.
    ///
    /// # Errors
    /// Returns a diagnostic for the first invariant that does not hold or whose check fails.
    pub fn check_invariants(&mut self) -> Result<(), Box<Diagnostic>> {
        script::invariants(&self.host, &mut self.state)
    }

    /// Evaluates an expression on a copy of the table, so that the session does not change.
    ///
    /// # Errors
    /// Returns the mistake in the expression, or the fault that occurred while evaluating it.
    pub fn evaluate(&mut self, expression: &Arc<Source>) -> Result<Choice, Box<Diagnostic>> {
        let mut aside = State::new(self.state.table.clone());
        script::evaluate(&self.host, &mut aside, expression, &self.names(), true).map_err(Box::new)
    }

    /// Returns the variables that only script fragments can use: each seat under the name of its player, and the variables in [`STANDING`].
    fn names(&self) -> Vec<(String, Value)> {
        let seats = seat_names(self.model(), &self.setup).into_iter().map(|(name, seat)| (name, Value::from(seat)));
        let mut names: Vec<(String, Value)> = seats.collect();
        for name in
            with_standing(&self.host, names.iter().map(|(name, _)| name.clone()).collect()).split_off(names.len())
        {
            let value = self.standing(&name);
            names.push((name, value));
        }
        names
    }

    /// Returns the value of a variable in [`STANDING`].
    fn standing(&self, name: &str) -> Value {
        let standings = self.outcome().map_or(&[] as &[Standing], |outcome| &outcome.standings);
        let of_seats = |number: fn(&Standing) -> i64| {
            let all: Vec<(Seat, Value)> =
                standings.iter().map(|standing| (standing.seat, Value::Number(number(standing)))).collect();
            if all.is_empty() { Value::Nothing } else { Value::Answers(Arc::new(all)) }
        };
        match name {
            PHASE => {
                let phase = self.state.table.position.phase.map(|phase| &self.model().phases[phase.index()]);
                phase.map_or(Value::Nothing, |phase| Value::text(&phase.id))
            }
            "ranks" => of_seats(|standing| i64::from(standing.rank)),
            "scores" => of_seats(|standing| standing.score),
            _ => Value::from(self.state.tallies.by_name(self.model())),
        }
    }
}

/// Adds the variables in [`STANDING`] to `names`, except those whose name is already taken.
fn with_standing(host: &Host, mut names: Vec<String>) -> Vec<String> {
    for name in STANDING {
        if !host.has_name(name) && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn seat_names(model: &Model, setup: &Setup) -> Vec<(String, Seat)> {
    model.all_seats().map(|seat| (as_identifier(setup.name(seat)), seat)).collect()
}

/// Converts a name to an identifier. Characters other than letters and digits become `_`. A name that does not begin with a letter gets the
/// prefix `player_`.
fn as_identifier(name: &str) -> String {
    let fits = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let name: String = name.chars().map(fits).collect();
    if name.starts_with(char::is_alphabetic) { name } else { format!("player_{name}") }
}

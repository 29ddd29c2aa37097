//! What a text does to a session besides choosing: positions set up by hand, rules carried out, chance given, expressions.

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

/// What is wrong with texts for sessions of a game, as far as that can be told before they are carried out.
///
/// # Errors
/// What is wrong with the game.
pub fn mistakes_in_texts(game: &Game, setup: &Setup, texts: &[Arc<Source>]) -> Result<Vec<Diagnostic>, Diagnostics> {
    let (layout, host) = game.host(setup)?;
    let players = seat_names(&layout.model, setup).into_iter().map(|(name, _)| name);
    Ok(host.mistakes_in(texts, &with_standing(&host, players.collect())))
}

/// The names that the rules of a game count by; nothing where one of them is put together while they run.
pub fn tallied_names(model: &Model) -> Option<Vec<Arc<str>>> {
    Host::tally_names(model)
}

/// Every text that the rules of a game write.
pub fn texts_of_rules(model: &Model) -> Vec<String> {
    Host::text_literals(model)
}

/// The texts that the rules of a game write where they ask a decision, and in whatever they call there.
pub fn words_near(model: &Model, decision: &str) -> FxHashSet<Arc<str>> {
    Host::words_near(model, decision)
}

impl Session {
    /// Changes the position by one text after the other at the open decision, before anything was answered in this step; between steps that are carried
    /// out one by one, and where play rests, the position that the last one left.
    ///
    /// The step runs again from the changed position. A value that it would set itself, whatever was arranged, stays as arranged.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn arrange(&mut self, sources: &[Arc<Source>]) -> Result<(), Box<Diagnostic>> {
        self.changes();
        let is_between = self.opening.start == Start::Nowhere || matches!(self.progress, Progress::Resting);
        if is_between && self.decision().is_none() {
            return self.arrange_here(sources);
        }
        let Some(checkpoint) = self.checkpoint.clone() else {
            let found = Diagnostic::error("arrange", "there is nothing to arrange here");
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
            // A step that sets a value itself before it asks would undo what was arranged: it runs again with that value held.
            let undone = self.state.table.overwritten_slots(&checkpoint.table, &arranged.table, &otherwise);
            if !undone.is_empty() {
                self.state.table = arranged.table.clone();
                self.state.table.pin_slots(undone);
                ended = Step::begin(&self.host, &mut self.state, &arranged.call);
                self.state.table.pin_slots(FxHashSet::default());
            }
        }
        self.go_on(ended);
        Ok(())
    }

    /// Changes the position as it is now.
    pub(super) fn arrange_here(&mut self, sources: &[Arc<Source>]) -> Result<(), Box<Diagnostic>> {
        let names = self.names();
        script::arrange(&self.host, &mut self.state, sources, &names).map_err(Box::new)
    }

    /// The table as it is now, before something runs.
    pub(super) fn checkpoint_before(&mut self, call: Call) -> Arc<Checkpoint> {
        self.state.table.mark_checkpoint();
        Arc::new(Checkpoint { table: self.state.table.clone(), call })
    }

    /// Carries out a text in the game's own vocabulary as a step of its own, outside the flow.
    pub fn carry_out(&mut self, source: &Arc<Source>) {
        self.changes();
        let checkpoint = self.checkpoint_before(Call::Text(source.clone(), self.names().into()));
        let ended = Step::begin(&self.host, &mut self.state, &checkpoint.call);
        self.checkpoint = Some(checkpoint);
        self.go_on(ended);
    }

    /// The results of chance to come that are given instead of drawn.
    pub fn fix_chance(&mut self) -> &mut Fixed {
        self.changes();
        self.state.table.chance.fix()
    }

    /// What is wrong with texts in the game's own vocabulary, as far as that can be told before they are evaluated.
    pub fn mistakes_in(&self, texts: &[Arc<Source>]) -> Vec<Diagnostic> {
        self.host.mistakes_in(texts, &self.names().into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    /// What the rules have counted under a name, for a seat or for the game; nothing where they never counted it.
    pub fn tally(&self, name: &str, seat: Option<Seat>) -> Option<i64> {
        self.state.tallies.get(name, seat)
    }

    /// Leaves out of the game what was tried: forgets which rules ran since this was last asked.
    pub fn forget_covered(&self) {
        let _ = self.host.take_coverage();
    }

    /// Checks every invariant of the rules here.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), Box<Diagnostic>> {
        script::invariants(&self.host, &mut self.state)
    }

    /// Evaluates an expression of the game's own vocabulary.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn evaluate(&mut self, expression: &Arc<Source>) -> Result<Choice, Box<Diagnostic>> {
        let mut aside = State::new(self.state.table.clone());
        script::evaluate(&self.host, &mut aside, expression, &self.names(), true).map_err(Box::new)
    }

    /// What stands for something in texts alone: the seats by the names of their players, as a script can write them, and how
    /// the game stands.
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

    /// How the game stands, by one of its names in texts.
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

/// Some names, and those of how the game stands, unless the game has something by them.
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

/// A name as a script can write it: with `_` for what cannot stand in one, behind `player_` if it begins with no letter.
fn as_identifier(name: &str) -> String {
    let fits = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let name: String = name.chars().map(fits).collect();
    if name.starts_with(char::is_alphabetic) { name } else { format!("player_{name}") }
}

//! What a text does to a session besides choosing: positions set up by hand, rules carried out, chance given, expressions.

use super::game::Game;
use super::opening::Start;
use super::status::{Checkpoint, Session, Status};
use crate::decision::Choice;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::model::Setup;
use crate::model::{Model, Seat};
use crate::script::{self, Asking, Call, Stage, Step};
use crate::table::Fixed;
use std::rc::Rc;
use std::sync::Arc;

/// What is wrong with texts for sessions of a game, as far as that can be told before they are carried out.
///
/// # Errors
/// What is wrong with the game.
pub fn mistakes_in_texts(game: &Game, setup: &Setup, texts: &[Arc<Source>]) -> Result<Vec<Diagnostic>, Diagnostics> {
    let (layout, host) = game.host(setup)?;
    Ok(host.mistakes_in(texts, &seat_names(&layout.model, setup)))
}

impl Session {
    /// Changes the position by one text after the other at the open question, before anything was answered in this step; between steps that are carried
    /// out one by one, and where play rests, the position that the last one left.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn arrange(&mut self, sources: &[Arc<Source>]) -> Result<(), Box<Diagnostic>> {
        let is_between = self.opening.start == Start::Nowhere || self.is_resting();
        if !matches!(self.status, Status::Waiting(_)) && is_between {
            let stage = self.stage.take().expect("a session has its stage between choices");
            let (stage, result) = self.arranged(stage, sources);
            self.stage = Some(stage);
            return result;
        }
        let Some(checkpoint) = self.checkpoint.clone() else {
            let found = Diagnostic::error("arrange", "there is nothing to arrange here");
            let place = sources.first().map(|source| Place::at(source, 1, 1));
            return Err(Box::new(
                place.into_iter().fold(found, |found, place| found.mark(place, "no step is under way")),
            ));
        };
        let is_idle = self.opening.start == Start::Nowhere && self.decision().is_none();
        self.step = None;
        let mut stage = self.stage.take().expect("a session has its stage between choices");
        if !is_idle {
            stage.table = checkpoint.table.clone();
        }
        let (mut stage, result) = self.arranged(stage, sources);
        if is_idle || result.is_err() {
            self.stage = Some(stage);
            return result;
        }
        stage.table.mark_checkpoint();
        let arranged = Checkpoint { table: stage.table.clone(), call: checkpoint.call.clone() };
        self.checkpoint = Some(Rc::new(arranged));
        let (stage, ended) = Step::begin(&self.host, stage, &checkpoint.call);
        self.go_on(stage, ended);
        Ok(())
    }

    pub(super) fn arranged(
        &self,
        mut stage: Box<Stage>,
        sources: &[Arc<Source>],
    ) -> (Box<Stage>, Result<(), Box<Diagnostic>>) {
        let noting = std::mem::replace(&mut stage.noting, false);
        stage.arranged = Some(Vec::new());
        let mut result = Ok(());
        for source in sources {
            let (back, done) = script::evaluate(&self.host, stage, source, &self.seat_names(), true);
            stage = back;
            result = done.map(|_| ()).map_err(Box::new);
            if result.is_err() {
                break;
            }
        }
        stage.arranged = None;
        stage.noting = noting;
        (stage, result)
    }

    /// Carries out a text in the game's own vocabulary as a step of its own, outside the flow.
    pub fn carry_out(&mut self, source: &Arc<Source>) {
        let mut stage = self.stage.take().expect("a session has its stage between choices");
        stage.table.mark_checkpoint();
        let call = Call::Text(source.clone(), self.seat_names().into());
        self.checkpoint = Some(Rc::new(Checkpoint { table: stage.table.clone(), call: call.clone() }));
        let (stage, ended) = Step::begin(&self.host, stage, &call);
        self.go_on(stage, ended);
    }

    /// The results of chance to come that are given instead of drawn.
    pub fn fix_chance(&mut self) -> &mut Fixed {
        self.stage.as_mut().expect("a session has its stage between choices").table.chance.fix()
    }

    /// What is wrong with texts in the game's own vocabulary, as far as that can be told before they are worked out.
    pub fn mistakes_in(&self, texts: &[Arc<Source>]) -> Vec<Diagnostic> {
        self.host.mistakes_in(texts, &self.seat_names())
    }

    /// What the rules have counted under a name, for a seat or for the game; nothing where they never counted it.
    pub fn tally(&self, name: &str, seat: Option<Seat>) -> Option<i64> {
        let tallies = self.stage().tallies.iter();
        tallies.filter(|(known, whose, _)| **known == *name && *whose == seat).map(|(_, _, number)| *number).next()
    }

    /// Leaves out of the game what was tried: forgets which rules ran since this was last asked.
    pub fn forget_covered(&self) {
        let _ = self.host.covered();
    }

    /// Checks every invariant of the rules here.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), Box<Diagnostic>> {
        let stage = self.stage.take().expect("a session has its stage between choices");
        let (stage, result) = script::invariants(&self.host, stage);
        self.stage = Some(stage);
        result
    }

    /// Works out an expression of the game's own vocabulary.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn evaluate(&mut self, expression: &Arc<Source>) -> Result<Choice, Box<Diagnostic>> {
        let mut scratch = Box::new(Stage::new(self.stage().table.clone(), Asking::Suspend));
        scratch.noting = false;
        let (_, result) = script::evaluate(&self.host, scratch, expression, &self.seat_names(), true);
        result.map_err(Box::new)
    }

    /// The seats by the names of their players, as a script can write them.
    fn seat_names(&self) -> Vec<(String, Seat)> {
        seat_names(self.model(), &self.setup)
    }
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

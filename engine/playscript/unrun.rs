//! What is wrong with a play as it is written: the game, the options and the names it speaks of, without running it.

use super::play::{Expect, Play, Statement, Until, What};
use super::run::{Cast, scenes, statements_of};
use super::runner::{Runner, decision_named, ending_named, phase_named, seat_named};
use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::session::Setup;

/// What is wrong with the names of a play, each mistake once.
pub fn mistakes(play: &Play, cast: &Cast<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for at in 0..scenes(play).len() {
        for one in Runner::new(cast, false).mistakes(&statements_of(play, at)) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

impl Runner<'_> {
    fn mistakes(&mut self, statements: &[&Statement]) -> Vec<Diagnostic> {
        for (at, statement) in statements.iter().enumerate().filter(|(_, statement)| statement.what.is_head()) {
            if let Err(found) = self.statement(statement, &statements[at..]) {
                return vec![*found];
            }
        }
        let (Some(game), Some(first)) = (self.game.clone(), statements.first()) else { return Vec::new() };
        if self.setup.names.is_empty() {
            self.setup.seats = *game.players().start();
        }
        match game.layout(&self.setup) {
            // What is wrong with the game itself is told of the game.
            Err(_) if game.layout(&Setup::seats(self.setup.seats)).is_err() => Vec::new(),
            Err(found) => vec![*self.refused(first, found)],
            Ok(layout) => {
                let names = |statement: &&Statement| names(statement, &layout.model, &self.setup);
                statements.iter().filter_map(|statement| names(statement).err()).map(|found| *found).collect()
            }
        }
    }
}

/// Whether everything that a statement names is there.
fn names(statement: &Statement, model: &Model, setup: &Setup) -> Result<(), Box<Diagnostic>> {
    let seat = |name: &str| seat_named(statement, name, model, setup).map(|_| ());
    let decision = |name: &str| decision_named(statement, name, model).map(|_| ());
    let phase = |name: &str| phase_named(statement, name, model).map(|_| ());
    match &statement.what {
        What::Choice { seat: who, decision: what, .. }
        | What::Reject { seat: who, decision: what, .. }
        | What::Offers { seat: who, decision: what, .. }
        | What::Expect(Expect::Options { seat: who, decision: what, .. }) => seat(who).and_then(|()| decision(what)),
        What::Start { phase: at, seat: who, .. } => phase(at).and_then(|()| who.as_deref().map_or(Ok(()), seat)),
        What::Auto(Until::Phase(at), _) => phase(at),
        What::Auto(Until::Decision(what), _) => decision(what),
        What::Expect(Expect::Winners(names)) => names.iter().try_for_each(|name| seat(name)),
        What::Expect(Expect::Score(who, _) | Expect::Log(who, _) | Expect::Sight { seat: who, .. }) => seat(who),
        What::Expect(Expect::Ending(ending)) => ending_named(statement, ending, model),
        _ => Ok(()),
    }
}

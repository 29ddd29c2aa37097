//! Plays a complete game with the script engine, which interprets the rules. The engine cannot suspend a step, so decisions are answered
//! during the call that asks them.

use super::game::Game;
use super::observation::Observation;
use super::opening::Opening;
use super::playout::{PlayedGame, SeatedPlayers};
use super::status::{RecordingSettings, Session};
use crate::decision::Decision;
use crate::diagnostic::Diagnostic;
use crate::model::Setup;
use crate::script::{self, Answerer};
use crate::table::Table;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The players, shared so that the number of decisions can be read after the game.
struct SharedPlayers(Rc<RefCell<SeatedPlayers>>, Rc<Setup>);

impl Answerer for SharedPlayers {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.0.borrow_mut().ask(&Observation::of_table(table, decision, &self.1))
    }
}

impl Game {
    /// Plays to the end of the game or to the first fault.
    pub(super) fn play_walked(&self, setup: &Setup, seated: SeatedPlayers, keeping: RecordingSettings) -> PlayedGame {
        let seated = Rc::new(RefCell::new(seated));
        let players = Box::new(SharedPlayers(seated.clone(), Rc::new(setup.clone())));
        let compiled = self.host(setup).expect("the rules have been compiled");
        let setup = Arc::new(setup.clone());
        let open = || Session::open_keeping((self, compiled), setup, Opening::default(), keeping);
        let session = script::answering(players, open).expect("nothing was carried over that is wrong");
        let (outcome, decisions) = (session.ended(), seated.borrow().decisions);
        session.into_played(outcome, decisions)
    }
}

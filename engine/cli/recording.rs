//! A game that is written down while agents play it, from its beginning or from where a recording ends.

use super::arguments::Agents;
use super::interruption::{is_stopped, listen};
use super::output::{Failure, Output, usage};
use super::saving::write_atomic_private;
use crate::agents;
use crate::desk::saved_game::{Recording, SavedGame};
use crate::diagnostic::{Diagnostic, Source, shown};
use crate::model::Seat;
use crate::playscript::{Recorder, Resumed};
use crate::session::{Game, Played, Player, Session, Setup, Status};
use std::path::Path;
use std::sync::Arc;

/// Brings a game to where a recording ends. What goes wrong is shown with what lies on the table, unless a player reads it.
pub(super) fn open(
    file: &Path,
    game: Option<&Game>,
    is_for_player: bool,
    output: &mut Output,
) -> Result<Recording, Failure> {
    let kept = SavedGame::read(file)?;
    if kept.is_cut {
        output.remark(format!("the last line of `{}` is cut off, and left out", shown(file)))?;
    }
    Recording::open(&kept, file, game, is_for_player).map_err(|why| output.unopened(why))
}

/// Begins a game.
pub(super) fn begin(game: &Game, setup: &Setup, output: &mut Output) -> Result<Recording, Failure> {
    Recording::begin(game, setup).map_err(|mistakes| output.mistakes_with(setup, &mistakes))
}

/// Lets agents play to the end, and writes the recording to a file; `invariants` says whether those of the rules must hold
/// at every decision.
pub(super) fn finish(
    begun: Recording,
    agents: &Agents,
    invariants: bool,
    file: Option<&Path>,
) -> Result<Played, Failure> {
    let (setup, named) = (begun.setup().clone(), begun.agents());
    let own = begun.session().model().agents.clone();
    let seats = || (0..setup.seats).map(Seat);
    let mut players: Vec<Box<dyn Player>> = seats().map(|seat| player(agents, named, &own, &setup, seat)).collect();
    begun.take_up(&[], players.iter_mut().map(Some))?;
    let Resumed { mut session, mut recorder, .. } = begun.into_resumed();
    if file.is_some() {
        listen();
    }
    let mut holds = |session: &mut Session| match is_stopped() {
        true => Err(Box::new(Diagnostic::error("no-answer", "the game was interrupted"))),
        false if invariants => session.check_invariants(),
        false => Ok(()),
    };
    let result = play_on(&mut session, &mut recorder, &mut players, &mut holds);
    recorder.end(&session);
    if let Some(file) = file {
        write_atomic_private(file, recorder.play().to_string())?;
    }
    if is_stopped() {
        return Err(Failure::Interrupted);
    }
    let broken = result.map_err(usage)?;
    let (next, broken) = match (session.next_game(), broken) {
        (Ok(next), broken) => (next, broken),
        (Err(found), broken) => (None, Some(broken.unwrap_or(found))),
    };
    Ok(Played { outcome: broken.map_or_else(|| session.played().outcome, Err), next, ..session.played() })
}

/// Plays to the end, or until something does not hold any more.
fn play_on(
    session: &mut Session,
    recorder: &mut Recorder,
    players: &mut [Box<dyn Player>],
    holds: &mut dyn FnMut(&mut Session) -> Result<(), Box<Diagnostic>>,
) -> Result<Option<Box<Diagnostic>>, String> {
    loop {
        if let Status::Failed(_) = session.status() {
            return Ok(None);
        }
        if let Err(broken) = holds(session) {
            return Ok(Some(broken));
        }
        let Some(observation) = session.observation() else { return Ok(None) };
        let at = match players[observation.seat().index()].choose(&observation) {
            Ok(at) => at,
            Err(why) => return Ok(Some(why.diagnostic())),
        };
        recorder.choose(session, at).map_err(|error| error.to_string())?;
    }
}

/// The agent of a seat: as given, or as the recording says where nothing was given.
fn player(given: &Agents, named: &[String], own_agents: &[Arc<Source>], setup: &Setup, seat: Seat) -> Box<dyn Player> {
    let own = if named.len() == 1 { named.first() } else { named.get(seat.index()) };
    let own = own.filter(|_| given.words().is_empty());
    let own = own.and_then(|name| agents::in_play(own_agents, name, setup.seed, seat.index()).ok());
    own.unwrap_or_else(|| given.player(setup.seed, seat))
}

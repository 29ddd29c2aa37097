//! Recorded games: starting them, resuming them, and letting agents play them to the end.

use super::arguments::Agents;
use super::interruption::{is_stopped, listen};
use super::output::{Failure, Output, usage};
use super::saving::write_atomic_private;
use crate::agents;
use crate::desk::saved_game::{Recording, SavedGame};
use crate::diagnostic::{Diagnostic, Source};
use crate::model::Seat;
use crate::playscript::{Recorder, Resumed};
use crate::session::{Game, PlayedGame, Player, Session, Setup, Status};
use std::path::Path;
use std::sync::Arc;

/// Opens a saved game and replays it to its end. If replaying fails, the message includes the state of the table, unless `is_for_player` is
/// set.
pub(super) fn open(
    file: &Path,
    game: Option<&Game>,
    is_for_player: bool,
    output: &mut Output,
) -> Result<Recording, Failure> {
    let kept = SavedGame::read(file)?;
    if let Some(remark) = &kept.remark {
        output.remark(remark)?;
    }
    Recording::open(&kept, file, game, is_for_player).map_err(|why| output.report_unopened(why))
}

/// Starts a game.
pub(super) fn begin(game: &Game, setup: &Setup, output: &mut Output) -> Result<Recording, Failure> {
    Recording::begin(game, setup).map_err(|mistakes| output.report_mistakes_with(setup, &mistakes))
}

/// Lets agents play a game to the end, and writes the recording to `file` if it is given. If `invariants` is set, checks the invariants of
/// the rules at every decision.
pub(super) fn finish(
    begun: Recording,
    agents: &Agents,
    invariants: bool,
    file: Option<&Path>,
) -> Result<PlayedGame, Failure> {
    let (setup, named) = (begun.setup().clone(), begun.agents());
    let own_agents = begun.session().model().agents.clone();
    let seats = || (0..setup.seats).map(Seat);
    let mut players: Vec<Box<dyn Player>> =
        seats().map(|seat| player(agents, named, &own_agents, &setup, seat)).collect();
    begun.take_up(&[], players.iter_mut().map(Some))?;
    let Resumed { mut session, mut recorder, .. } = begun.into_resumed();
    if file.is_some() {
        listen();
    }
    let mut check = |session: &mut Session| match is_stopped() {
        true => Err(Box::new(Diagnostic::error("no-answer", "the game was interrupted"))),
        false if invariants => session.check_invariants(),
        false => Ok(()),
    };
    let result = play_to_end(&mut session, &mut recorder, &mut players, &mut check);
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
    Ok(PlayedGame { outcome: broken.map_or_else(|| session.played().outcome, Err), next, ..session.played() })
}

/// Plays until the game ends or fails. Stops earlier if `check` fails or an agent gives no answer, and returns the diagnostic.
fn play_to_end(
    session: &mut Session,
    recorder: &mut Recorder,
    players: &mut [Box<dyn Player>],
    check: &mut dyn FnMut(&mut Session) -> Result<(), Box<Diagnostic>>,
) -> Result<Option<Box<Diagnostic>>, String> {
    loop {
        if let Status::Failed(_) = session.status() {
            return Ok(None);
        }
        if let Err(broken) = check(session) {
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

/// Creates the agent of a seat: the agent given on the command line, or else the agent that the recording names.
fn player(given: &Agents, named: &[String], own_agents: &[Arc<Source>], setup: &Setup, seat: Seat) -> Box<dyn Player> {
    let recorded = if named.len() == 1 { named.first() } else { named.get(seat.index()) };
    let recorded = recorded.filter(|_| given.arguments().is_empty());
    let recorded = recorded.and_then(|name| agents::in_play(own_agents, name, setup.seed, seat.index()).ok());
    recorded.unwrap_or_else(|| given.player(setup.seed, seat))
}

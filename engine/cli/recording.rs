//! A game that is written down while agents play it, from its beginning or from where a recording ends.

use super::arguments::Agents;
use super::bundle;
use super::output::{Failure, Output, usage};
use super::reading::read_play;
use super::running::{is_stopped, listen};
use super::saving::write_whole;
use super::test_files;
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, shown};
use crate::model::Seat;
use crate::playscript::{self, Cast, Recorder, Resumed, Statement, What, unknown_game};
use crate::session::{Game, Played, Player, Session, Setup, Status};
use std::path::Path;
use std::sync::Arc;

/// A game under way, and its recording.
pub(super) struct Recording {
    resumed: Resumed,
}

/// Brings a game to where a recording ends. What goes wrong is told with what lies on the table, unless a player reads it.
pub(super) fn open(
    file: &Path,
    game: Option<&Game>,
    is_for_player: bool,
    output: &mut Output,
) -> Result<Recording, Failure> {
    let name = shown(file);
    let text = read_play(file).map_err(usage)?;
    let (text, is_cut) = whole_lines(&text);
    if is_cut {
        output.remark(format!("the last line of `{name}` is cut off, and left out"))?;
    }
    let source = Arc::new(Source { path: name, text: text.to_owned() });
    let play = playscript::parse(&source).map_err(|mistakes| output.mistakes(&mistakes))?;
    let find = |name: &str| game_named(name, file, game);
    let cast = Cast { game: &find, agent: &agents::in_play, covering: false };
    match playscript::resume(&play, &cast) {
        Ok(resumed) => Ok(Recording { resumed }),
        Err(found) => {
            let details = if is_for_player { Vec::new() } else { found.details };
            Err(output.mistakes(&Diagnostics(vec![Diagnostic { details, ..*found }])))
        }
    }
}

/// The game that was named, the one in whose folder the file lies, or one that comes with the program.
pub(super) fn game_named(name: &str, file: &Path, given: Option<&Game>) -> Result<Game, Diagnostics> {
    if let Some(game) = given {
        return if game.id() == name { Ok(game.clone()) } else { Err(unknown_game(name, [game.id()])) };
    }
    let at_home = test_files::home(file).map(crate::load).transpose()?;
    match at_home {
        Some(game) if game.id() == name => Ok(game),
        Some(game) => Err(test_files::lies_elsewhere(name, game.id())),
        None => bundle::open(name).unwrap_or_else(|| Err(unknown_game(name, bundle::names()))),
    }
}

/// A recording without a last line that was cut off; whether there was one.
fn whole_lines(text: &str) -> (&str, bool) {
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    let has_mark = text[last..]
        .rsplit_once(" @ ")
        .is_some_and(|(_, mark)| mark.len() == 16 && mark.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if last == text.len() || has_mark { (text, false) } else { (&text[..last], true) }
}

impl Recording {
    /// Begins a game.
    pub(super) fn begin(game: &Game, setup: &Setup, output: &mut Output) -> Result<Self, Failure> {
        let session = Session::start(game, setup).map_err(|mistakes| output.mistakes_with(setup, &mistakes))?;
        let recorder = Recorder::begin(game, &session, true);
        Ok(Self { resumed: Resumed { game: game.clone(), session, agents: Vec::new(), recorder } })
    }

    pub(super) fn game(&self) -> &Game {
        &self.resumed.game
    }

    /// The game as it stands when it goes on.
    pub(super) fn session(&self) -> Session {
        self.resumed.session.fork()
    }

    /// How many answers it holds.
    pub(super) fn answers(&self) -> usize {
        self.resumed.session.answers().len()
    }

    /// Who sits where, as far as the recording says so.
    pub(super) fn agents(&self) -> &[String] {
        &self.resumed.agents
    }

    /// How many questions each seat has answered, with more answers; those with one answer alone do not count.
    fn answered(&self, answers: &[u32]) -> Result<Vec<usize>, Failure> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for &answer in answers {
            recorder.choose(&mut session, answer as usize).map_err(|error| usage(error.to_string()))?;
        }
        let play = recorder.play();
        let of = |name: &str| {
            let is_of = |told: &&Statement| matches!(&told.what, What::Choice { seat, .. } if seat == name);
            play.head.iter().filter(is_of).count()
        };
        Ok((0..self.setup().seats).map(|seat| of(self.setup().name(Seat(seat)))).collect())
    }

    /// Tells players who sit down after more answers how many questions of theirs were answered before.
    pub(super) fn take_up<'p>(
        &self,
        answers: &[u32],
        players: impl Iterator<Item = Option<&'p mut Box<dyn Player>>>,
    ) -> Result<(), Failure> {
        if self.answers() + answers.len() == 0 {
            return Ok(());
        }
        for (player, answered) in players.zip(self.answered(answers)?) {
            if let Some(player) = player {
                player.taken_up(answered);
            }
        }
        Ok(())
    }

    /// Writes the recording to a file, with more answers, and with who sits where.
    pub(super) fn keep(&self, answers: &[u32], agents: Vec<String>, file: &Path) -> Result<(), Failure> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for &answer in answers {
            recorder.choose(&mut session, answer as usize).map_err(|error| usage(error.to_string()))?;
        }
        recorder.end(&session);
        recorder.seat(agents);
        write_whole(file, recorder.play().to_string())
    }

    pub(super) fn setup(&self) -> &Setup {
        self.resumed.session.setup()
    }

    /// Lets agents play to the end, and writes the recording to a file; `invariants` says whether those of the rules must hold
    /// at every decision.
    pub(super) fn finish(self, agents: &Agents, invariants: bool, file: Option<&Path>) -> Result<Played, Failure> {
        let (setup, named) = (self.setup().clone(), self.agents());
        let own = self.resumed.session.model().agents.clone();
        let seats = || (0..setup.seats).map(Seat);
        let mut players: Vec<Box<dyn Player>> = seats().map(|seat| player(agents, named, &own, &setup, seat)).collect();
        self.take_up(&[], players.iter_mut().map(Some))?;
        let Resumed { mut session, mut recorder, .. } = self.resumed;
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
            write_whole(file, recorder.play().to_string())?;
        }
        if is_stopped() {
            return Err(Failure::Interrupted);
        }
        let broken = result.map_err(usage)?;
        Ok(Played { outcome: broken.map_or_else(|| session.played().outcome, Err), ..session.played() })
    }
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
        let Some(outlook) = session.outlook() else { return Ok(None) };
        let at = match players[outlook.seat().index()].choose(&outlook) {
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

#[cfg(test)]
mod tests {
    use super::whole_lines;

    #[test]
    fn a_last_line_without_its_end_is_left_out_unless_it_is_whole() {
        assert_eq!(whole_lines("a\nb\n"), ("a\nb\n", false));
        assert_eq!(whole_lines("a\nAnn: bid 1"), ("a\n", true));
        assert_eq!(whole_lines("a\nAnn: bid 1 @ 0123456789abcde"), ("a\n", true));
        assert_eq!(whole_lines("Ann: bid 1 @ 0123456789abcdef"), ("Ann: bid 1 @ 0123456789abcdef", false));
    }
}

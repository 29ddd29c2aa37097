//! Saved games: playscripts from which play continues.

use super::game_folder::game_named;
use super::play_file::read_recording;
use super::refusal::{OpenError, Refusal};
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, shown};
use crate::model::Seat;
use crate::playscript::{self, Cast, PlayStatement, Recorder, Resumed, StatementKind};
use crate::session::{Act, Game, Player, Session, Setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A new or loaded game: its session, its agents, and the recorder of its statements.
pub(crate) struct Recording {
    resumed: Resumed,
}

/// A saved game as read from its file, not replayed yet.
pub(crate) struct SavedGame {
    source: Arc<Source>,
    /// Remark about an incomplete last line that was dropped.
    pub(crate) remark: Option<String>,
}

impl SavedGame {
    /// Reads a saved game. An incomplete last line, left by a crash, is dropped.
    pub(crate) fn read(file: &Path) -> Result<Self, Refusal> {
        let (text, is_cut) = read_recording(file).map_err(Refusal::new)?;
        let path = shown(file);
        let remark = is_cut.then(|| format!("the last line of `{path}` is incomplete and was ignored"));
        Ok(Self { source: Arc::new(Source { path, text }), remark })
    }

    /// Returns the text and its path.
    #[cfg(feature = "page")]
    pub(crate) const fn source(&self) -> &Arc<Source> {
        &self.source
    }
}

impl Recording {
    /// Replays a saved game to its end. Errors include the state of the table, unless they are shown to a player (`is_for_player`), who
    /// must not see hidden information.
    pub(crate) fn open(
        saved: &SavedGame,
        file: &Path,
        game: Option<&Game>,
        is_for_player: bool,
    ) -> Result<Self, OpenError> {
        let play = playscript::parse(&saved.source)?;
        let find = |name: &str| game_named(name, file, game);
        let cast = Cast { game: &find, agent: &agents::in_play, covering: false };
        match playscript::resume(&play, &cast) {
            Ok(resumed) => Ok(Self { resumed }),
            Err(found) => {
                let details = if is_for_player { Vec::new() } else { found.details };
                Err(Diagnostic { details, ..*found }.into())
            }
        }
    }

    /// Begins a new game.
    pub(crate) fn begin(game: &Game, setup: &Setup) -> Result<Self, Diagnostics> {
        let session = Session::start(game, setup)?;
        let recorder = Recorder::begin(game, &session, true);
        Ok(Self { resumed: Resumed { game: game.clone(), session, agents: Vec::new(), recorder } })
    }

    /// Returns the game.
    pub(crate) fn game(&self) -> &Game {
        &self.resumed.game
    }

    /// Returns a copy of the session from which play continues.
    pub(crate) fn session(&self) -> Session {
        self.resumed.session.fork()
    }

    /// Returns the answers and redeals of `session` that follow this recording.
    pub(crate) fn acts_since(&self, session: &Session) -> Vec<Act> {
        session.acts().split_off(self.resumed.session.acts().len())
    }

    /// Returns the number of answers.
    pub(crate) fn answers(&self) -> usize {
        self.resumed.session.answers().len()
    }

    /// Returns the names of the agents as recorded. May be empty.
    pub(crate) fn agents(&self) -> &[String] {
        &self.resumed.agents
    }

    /// Counts the decisions that each seat has answered, in the recording and in `acts`. Decisions with a single option do not count.
    fn count_answered(&self, acts: &[Act]) -> Result<Vec<usize>, Refusal> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for act in acts {
            recorder.repeat(&mut session, act).map_err(|error| Refusal::new(error.to_string()))?;
        }
        let play = recorder.play();
        let count_for = |name: &str| {
            let is_of = |statement: &&PlayStatement| matches!(&statement.what, StatementKind::Choice { seat, .. } if seat == name);
            play.head.iter().filter(is_of).count()
        };
        Ok((0..self.setup().seats).map(|seat| count_for(self.setup().name(Seat(seat)))).collect())
    }

    /// Tells each agent how many decisions its seat has already answered, in the recording and in `acts`. Does nothing if there are no
    /// answers yet.
    pub(crate) fn take_up<'p>(
        &self,
        acts: &[Act],
        players: impl Iterator<Item = Option<&'p mut Box<dyn Player>>>,
    ) -> Result<(), Refusal> {
        if self.answers() + acts.len() == 0 {
            return Ok(());
        }
        for (player, answered) in players.zip(self.count_answered(acts)?) {
            if let Some(player) = player {
                player.taken_up(answered);
            }
        }
        Ok(())
    }

    /// Formats the recording, extended by `acts`, as a playscript that names these agents.
    pub(crate) fn to_text(&self, acts: &[Act], agents: Vec<String>) -> Result<String, Refusal> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for act in acts {
            recorder.repeat(&mut session, act).map_err(|error| Refusal::new(error.to_string()))?;
        }
        recorder.end(&session);
        recorder.seat(agents);
        Ok(recorder.play().to_string())
    }

    /// Returns the setup.
    pub(crate) fn setup(&self) -> &Setup {
        self.resumed.session.setup()
    }

    /// Returns the resumed game and its recorder.
    pub(crate) fn into_resumed(self) -> Resumed {
        self.resumed
    }
}

/// Inserts a number before the extension of a path. Used for copies of finished games.
pub(crate) fn numbered(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
}

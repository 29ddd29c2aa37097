//! Games that were kept as playscripts: taken up where they end, and written down with what was answered since.

use super::home::game_named;
use super::reading::read_play;
use super::refusal::{Refusal, Unopened};
use crate::agents;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, shown};
use crate::model::Seat;
use crate::playscript::{self, Cast, PlayStatement, Recorder, Resumed, What};
use crate::session::{Act, Game, Player, Session, Setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game under way, and its recording.
pub(crate) struct Recording {
    resumed: Resumed,
}

/// A kept game as it is written.
pub(crate) struct Kept {
    source: Arc<Source>,
    /// Whether its last line was cut off, and is left out.
    pub is_cut: bool,
}

impl Kept {
    /// Reads a kept game.
    pub(crate) fn read(file: &Path) -> Result<Self, Refusal> {
        let text = read_play(file).map_err(Refusal::new)?;
        let (text, is_cut) = whole_lines(&text);
        Ok(Self { source: Arc::new(Source { path: shown(file), text: text.to_owned() }), is_cut })
    }

    /// Its text.
    #[cfg(feature = "web")]
    pub(crate) const fn source(&self) -> &Arc<Source> {
        &self.source
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
    /// Brings a game to where what was kept ends. What goes wrong is shown with what lies on the table, unless a player reads it.
    pub(crate) fn open(kept: &Kept, file: &Path, game: Option<&Game>, is_for_player: bool) -> Result<Self, Unopened> {
        let play = playscript::parse(&kept.source)?;
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

    /// Begins a game.
    pub(crate) fn begin(game: &Game, setup: &Setup) -> Result<Self, Diagnostics> {
        let session = Session::start(game, setup)?;
        let recorder = Recorder::begin(game, &session, true);
        Ok(Self { resumed: Resumed { game: game.clone(), session, agents: Vec::new(), recorder } })
    }

    /// The game that is played.
    pub(crate) fn game(&self) -> &Game {
        &self.resumed.game
    }

    /// The game as it stands when it goes on.
    pub(crate) fn session(&self) -> Session {
        self.resumed.session.fork()
    }

    /// The answers and redeals of a session that has gone on from here.
    pub(crate) fn acts_since(&self, session: &Session) -> Vec<Act> {
        session.acts().split_off(self.resumed.session.acts().len())
    }

    /// How many answers it holds.
    pub(crate) fn answers(&self) -> usize {
        self.resumed.session.answers().len()
    }

    /// Who sits where, as far as the recording says so.
    pub(crate) fn agents(&self) -> &[String] {
        &self.resumed.agents
    }

    /// How many decisions each seat has answered, with more answers; those with one answer alone do not count.
    fn answered(&self, acts: &[Act]) -> Result<Vec<usize>, Refusal> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for act in acts {
            recorder.repeat(&mut session, act).map_err(|error| Refusal::new(error.to_string()))?;
        }
        let play = recorder.play();
        let of = |name: &str| {
            let is_of =
                |statement: &&PlayStatement| matches!(&statement.what, What::Choice { seat, .. } if seat == name);
            play.head.iter().filter(is_of).count()
        };
        Ok((0..self.setup().seats).map(|seat| of(self.setup().name(Seat(seat)))).collect())
    }

    /// Tells players who sit down after more answers how many decisions of theirs were answered before.
    pub(crate) fn take_up<'p>(
        &self,
        acts: &[Act],
        players: impl Iterator<Item = Option<&'p mut Box<dyn Player>>>,
    ) -> Result<(), Refusal> {
        if self.answers() + acts.len() == 0 {
            return Ok(());
        }
        for (player, answered) in players.zip(self.answered(acts)?) {
            if let Some(player) = player {
                player.taken_up(answered);
            }
        }
        Ok(())
    }

    /// The recording as a playscript, with more answers, and with who sits where.
    pub(crate) fn written(&self, acts: &[Act], agents: Vec<String>) -> Result<String, Refusal> {
        let (mut session, mut recorder) = (self.session(), self.resumed.recorder.clone());
        for act in acts {
            recorder.repeat(&mut session, act).map_err(|error| Refusal::new(error.to_string()))?;
        }
        recorder.end(&session);
        recorder.seat(agents);
        Ok(recorder.play().to_string())
    }

    /// How it was set up.
    pub(crate) fn setup(&self) -> &Setup {
        self.resumed.session.setup()
    }

    /// The game, and its recording, to go on with.
    pub(crate) fn into_resumed(self) -> Resumed {
        self.resumed
    }
}

/// A path with a number before its ending: that of a game of a campaign.
pub(crate) fn numbered(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
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

//! Going on from a recording, and recording a game anew after its rules were changed.

use super::answering::behind_answer;
use super::cast::Cast;
use super::failing::{fail, seat_named, unanswered, with_help};
use super::play::{Play, PlayStatement, Role, What};
use super::record::Recorder;
use super::runner::Runner;
use super::statements::with_format;
use crate::diagnostic::Diagnostic;
use crate::session::{Game, Redeal, Session, Status};
use std::fmt::Write;

/// A game brought to where a recording ends.
pub struct Resumed {
    /// The game.
    pub game: Game,
    /// Where it stands.
    pub session: Session,
    /// Who plays on, if the recording says so.
    pub agents: Vec<String>,
    /// The recording, which goes on from here.
    pub recorder: Recorder,
}

/// A game recorded anew.
pub struct Again {
    /// The new recording.
    pub play: Play,
    /// How many choices of the old one were made again.
    pub kept: usize,
    /// How many choices the old one had.
    pub choices: usize,
}

/// A game whose choices were made again for as long as they hold.
pub struct Remade {
    /// Where it stands.
    pub session: Session,
    /// The recording of it, with fingerprints.
    pub recorder: Recorder,
    /// How many choices were made again.
    pub kept: usize,
    /// Why the next one does not hold, where there is one.
    pub broken: Option<Box<Diagnostic>>,
}

/// Whether a play is a recording: one game, of choices alone, with fingerprints.
pub fn is_recording(play: &Play) -> bool {
    let mark = |what: &What| match what {
        What::Choice { mark, .. } | What::End { mark, .. } | What::Table { mark, .. } => mark.is_some(),
        _ => false,
    };
    let may_stand = |statement: &PlayStatement| match statement.what.role() {
        Role::Head | Role::Chance | Role::Choice | Role::Redeal | Role::Record | Role::Note => true,
        Role::Start | Role::Arrange | Role::Offer | Role::Expect | Role::Do | Role::Auto => false,
    };
    play.scenes.is_empty() && play.head.iter().all(may_stand) && play.head.iter().any(|one| mark(&one.what))
}

/// A new recording under the head of the old one, with its comments; a head that names an older format, or none, is given the newest.
pub fn with_head(old: &Play, new: &Play) -> String {
    let is_head = |statement: &&PlayStatement| statement.what.is_head();
    let last = old.head.iter().filter(is_head).filter_map(|statement| statement.place.as_ref()).next_back();
    let head = last.map_or_else(String::new, |place| {
        let text = &place.source.text;
        let end = text[place.span.end..].find('\n').map_or(text.len(), |at| place.span.end + at);
        format!("{}\n", &text[..end])
    });
    let mut body = String::new();
    for statement in new.head.iter().filter(|statement| !statement.what.is_head()) {
        writeln!(body, "{}", statement.what).expect("a text takes a line");
    }
    format!("{}{body}", with_format(&head).unwrap_or(head))
}

/// Brings a game to where a recording ends.
///
/// # Errors
/// Whatever does not hold in it, or that it holds several games.
pub fn resume(play: &Play, cast: &Cast<'_>) -> Result<Resumed, Box<Diagnostic>> {
    if let Some(scene) = play.scenes.first() {
        let found = Diagnostic::error("several-games", "this file holds scenes, each a game of its own");
        let place = scene.statements.first().and_then(|statement| statement.place.clone());
        let found = place.into_iter().fold(found, |found, place| found.mark(place, "of a scene"));
        return Err(Box::new(found.help("go on from a recording: a file with one game")));
    }
    let statements: Vec<&PlayStatement> = play.head.iter().collect();
    let mut runner = Runner::new(cast, false);
    runner.scene(&statements)?;
    let (Some(game), Some(session)) = (runner.game, runner.session) else {
        let found = Diagnostic::error("play-order", "no game is named in this file");
        return Err(Box::new(found.help("begin it with `game` and the game's id")));
    };
    let kept = play.head.iter().filter(|statement| !matches!(statement.what, What::End { .. })).cloned().collect();
    let recorder = Recorder::resume(kept, &session, runner.seen);
    Ok(Resumed { game, session, agents: runner.agents, recorder })
}

/// Records a game anew: its choices are made again for as long as they are offered to whom they were, then its agents play on.
///
/// # Errors
/// What keeps it from being played to where the old recording ended.
pub fn record_again(play: &Play, cast: &Cast<'_>) -> Result<Again, Box<Diagnostic>> {
    let (mut runner, last, remade) = made_again(play, cast)?;
    let Remade { session, mut recorder, kept, .. } = remade;
    let choices = choices(play).count();
    let was_over = play.head.iter().any(|statement| matches!(statement.what, What::End { .. }));
    runner.session = Some(session);
    let mut players = runner.players(&last, None)?;
    let mut session = runner.session.take().expect("it was just put there");
    while let Some(observation) = session.observation() {
        if kept == choices && !was_over {
            break;
        }
        let at = players[observation.seat().index()].choose(&observation).map_err(|why| unanswered(&last, why))?;
        recorder.choose(&mut session, at).map_err(|error| fail(&last, "not-offered", error.to_string(), "here"))?;
    }
    if let Status::Failed(found) = session.status() {
        return Err(with_help(Box::new(found.clone()), found.help.clone()));
    }
    recorder.end(&session);
    Ok(Again { play: recorder.play(), kept, choices })
}

/// Makes the choices of a game again, for as long as they are offered to whom they were. What agents are named is not asked.
///
/// # Errors
/// What keeps it from being begun.
#[cfg(feature = "web")]
pub(crate) fn remake(play: &Play, cast: &Cast<'_>) -> Result<Remade, Box<Diagnostic>> {
    made_again(play, cast).map(|(.., remade)| remade)
}

fn choices(play: &Play) -> impl Iterator<Item = &PlayStatement> {
    play.head.iter().filter(|statement| matches!(statement.what, What::Choice { .. }))
}

/// A game whose choices are made again, with what runs it, and the last statement before play.
fn made_again<'c>(play: &Play, cast: &'c Cast<'c>) -> Result<(Runner<'c>, PlayStatement, Remade), Box<Diagnostic>> {
    let mut runner = Runner::new(cast, false);
    let head: Vec<&PlayStatement> = play.head.iter().take_while(|statement| is_before_play(&statement.what)).collect();
    runner.scene(&head)?;
    let last = head.last().copied().cloned().unwrap_or(PlayStatement { what: What::Note(String::new()), place: None });
    let (Some(game), Some(mut session)) = (runner.game.clone(), runner.session.take()) else {
        return Err(fail(&last, "play-order", "no game is named", "which game?"));
    };
    let mut recorder = Recorder::begin(&game, &session, true);
    let (mut kept, mut broken) = (0, None);
    for statement in
        play.head.iter().filter(|statement| matches!(statement.what, What::Choice { .. } | What::Redeal { .. }))
    {
        if let What::Redeal { seed, by, consent, .. } = &statement.what {
            let seat = |name: &String| seat_named(statement, name, session.model(), session.setup());
            let by = by.as_ref().map(seat).transpose()?;
            recorder.redeal(&mut session, &Redeal { seed: *seed, by, consent: *consent });
            runner.seen = session.events().len();
            continue;
        }
        runner.session = Some(session);
        let positions = runner.positions(statement);
        if positions.is_none() {
            broken = Some(runner.why_broken(statement));
        }
        session = runner.session.take().expect("it was just put there");
        let Some(positions) = positions else { break };
        for at in positions {
            recorder
                .choose(&mut session, at)
                .map_err(|error| fail(statement, "not-offered", error.to_string(), "here"))?;
        }
        kept += 1;
    }
    Ok((runner, last, Remade { session, recorder, kept, broken }))
}

/// Whether a statement stands before the first choice and says nothing of the table.
fn is_before_play(what: &What) -> bool {
    !matches!(what, What::Choice { .. } | What::Redeal { .. } | What::Table { .. } | What::End { .. } | What::Note(_))
}

impl Runner<'_> {
    /// The positions of the options that a recorded choice means, if it can be made here.
    fn positions(&mut self, statement: &PlayStatement) -> Option<Vec<usize>> {
        let What::Choice { seat, decision, answer, .. } = &statement.what else { return None };
        self.forced = self.forced.max(behind_answer(self.session(), self.seen));
        let (positions, is_all) = self.way(statement, seat, decision, answer);
        let positions = is_all.is_ok().then_some(positions);
        self.seen = self.session().events().len();
        // What had alternatives when it was recorded may have none now.
        if positions.is_none()
            && let Some(at) = self.was_forced(seat, decision, answer)
        {
            self.forced = at + 1;
            return Some(Vec::new());
        }
        positions
    }

    /// Why a recorded choice cannot be made here.
    fn why_broken(&self, statement: &PlayStatement) -> Box<Diagnostic> {
        let What::Choice { seat, decision, answer, .. } = &statement.what else {
            return fail(statement, "not-offered", "this is no choice", "here");
        };
        if let Status::Failed(found) = self.session().status() {
            return Box::new(found.clone());
        }
        let mut parts = answer.split(" + ").map(|part| self.position(statement, seat, decision, part));
        let why = parts.find_map(Result::err);
        why.unwrap_or_else(|| fail(statement, "not-offered", format!("`{answer}` is not offered"), "these together"))
    }
}

#[cfg(test)]
mod tests {
    use super::is_recording;
    use crate::diagnostic::Source;
    use crate::playscript::parse;
    use std::sync::Arc;

    #[test]
    fn what_says_what_is_offered_or_expected_is_no_recording() {
        let is_one = |line: &str| {
            let text = format!(
                "game dice\nplayers Ann Ben\nseed 1\nAnn: roll\n{line}\nend full Ann 1 Ben 2 @ 76b366f4f09fb27a\n"
            );
            is_recording(&parse(&Arc::new(Source { path: "a.play".to_owned(), text })).unwrap())
        };
        assert!(is_one("Ben: roll"));
        for line in ["allows Ben: roll", "offers Ben: bid 11", "reject Ben: roll", "expect true"] {
            assert!(!is_one(line), "{line}");
        }
    }
}

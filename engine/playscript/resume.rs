//! Continuing recorded games, and recording games again after their rules have changed.

use super::answer_events::index_after_answer;
use super::cast::Cast;
use super::errors::{fail, find_seat, no_answer, with_help};
use super::matching::split_picks;
use super::play::{Play, PlayStatement, Role, StatementKind};
use super::record::Recorder;
use super::runner::Runner;
use super::statements::with_format;
use crate::diagnostic::Diagnostic;
use crate::session::{Game, Redeal, Session, Status};
use std::fmt::Write;

/// Game at the end of a recording, ready to be continued.
pub struct Resumed {
    /// The game.
    pub game: Game,
    /// Session at the end of the recording.
    pub session: Session,
    /// Names of the agents in the recording, by seat; empty if it names none.
    pub agents: Vec<String>,
    /// Recorder that continues the recording.
    pub recorder: Recorder,
}

/// Result of recording a game again.
pub struct Rerecorded {
    /// The new recording.
    pub play: Play,
    /// Number of choices of the old recording that could be repeated.
    pub kept: usize,
    /// Number of choices in the old recording.
    pub choices: usize,
}

/// Session in which the choices of a recording were repeated up to the first that is impossible.
pub struct RepeatedSession {
    /// The session.
    pub session: Session,
    /// Recorder of the repeated choices, with fingerprints.
    pub recorder: Recorder,
    /// Number of choices repeated.
    pub kept: usize,
    /// Reason why the next choice is impossible, if there is one.
    pub broken: Option<Box<Diagnostic>>,
}

/// Returns whether a playscript is a recording: a single game with fingerprints. A recording must not set or arrange the start, check
/// options or expectations, run code, or let agents play.
pub fn is_recording(play: &Play) -> bool {
    let mark = |what: &StatementKind| match what {
        StatementKind::Choice { mark, .. } | StatementKind::End { mark, .. } | StatementKind::Table { mark, .. } => {
            mark.is_some()
        }
        _ => false,
    };
    let may_stand = |statement: &PlayStatement| match statement.what.role() {
        Role::Head | Role::Chance | Role::Choice | Role::Redeal | Role::Record | Role::Note => true,
        Role::Start | Role::Arrange | Role::Offer | Role::Expect | Role::Do | Role::Auto => false,
    };
    play.scenes.is_empty() && play.head.iter().all(may_stand) && play.head.iter().any(|one| mark(&one.what))
}

/// Formats the recording `new` with the head of `old`, including the comments there. Updates the `format` line.
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

/// Plays a recording to its end so that the game can be continued.
///
/// # Errors
/// Returns the first failure, or an error if the playscript has scenes or names no game.
pub fn resume(play: &Play, cast: &Cast<'_>) -> Result<Resumed, Box<Diagnostic>> {
    if let Some(scene) = play.scenes.first() {
        let found = Diagnostic::error("several-games", "this file holds scenes, each a game of its own");
        let place = scene.statements.first().and_then(|statement| statement.place.clone());
        let found = place.into_iter().fold(found, |found, place| found.mark(place, "of a scene"));
        return Err(Box::new(found.help("continue from a recording, which contains a single game")));
    }
    let statements: Vec<&PlayStatement> = play.head.iter().collect();
    let mut runner = Runner::new(cast, false);
    runner.scene(&statements)?;
    let (Some(game), Some(session)) = (runner.game, runner.session) else {
        let found = Diagnostic::error("play-order", "no game is named in this file");
        return Err(Box::new(found.help("begin it with `game` and the game's id")));
    };
    let kept =
        play.head.iter().filter(|statement| !matches!(statement.what, StatementKind::End { .. })).cloned().collect();
    let recorder = Recorder::resume(kept, &session, runner.seen);
    Ok(Resumed { game, session, agents: runner.agents, recorder })
}

/// Records a game again: repeats its choices up to the first that is impossible, then lets the agents of the recording continue to the end
/// of the game. They do not continue if all choices were repeated and the recorded game was not over.
///
/// # Errors
/// Returns the reason if the game cannot be started, an agent gives no answer, or the rules fail.
pub fn record_again(play: &Play, cast: &Cast<'_>) -> Result<Rerecorded, Box<Diagnostic>> {
    let (mut runner, last, remade) = repeat_choices(play, cast)?;
    let RepeatedSession { session, mut recorder, kept, .. } = remade;
    let choices = choices(play).count();
    let was_over = play.head.iter().any(|statement| matches!(statement.what, StatementKind::End { .. }));
    runner.session = Some(session);
    let mut players = runner.players(&last, None)?;
    let mut session = runner.session.take().expect("it was just put there");
    while let Some(observation) = session.observation() {
        if kept == choices && !was_over {
            break;
        }
        let at = players[observation.seat().index()].choose(&observation).map_err(|why| no_answer(&last, why))?;
        recorder.choose(&mut session, at).map_err(|error| fail(&last, "not-offered", error.to_string(), "here"))?;
    }
    if let Status::Failed(found) = session.status() {
        return Err(with_help(Box::new(found.clone()), found.help.clone()));
    }
    recorder.end(&session);
    Ok(Rerecorded { play: recorder.play(), kept, choices })
}

/// Repeats the choices of a recording up to the first that is impossible, without asking its agents.
///
/// # Errors
/// Returns the reason if the game cannot be started, or if a redeal names an unknown player.
#[cfg(feature = "page")]
pub(crate) fn repeat(play: &Play, cast: &Cast<'_>) -> Result<RepeatedSession, Box<Diagnostic>> {
    repeat_choices(play, cast).map(|(.., remade)| remade)
}

fn choices(play: &Play) -> impl Iterator<Item = &PlayStatement> {
    play.head.iter().filter(|statement| matches!(statement.what, StatementKind::Choice { .. }))
}

/// Repeats the choices of a recording up to the first that is impossible. Returns the runner, the last statement before play, and the
/// session in which the choices were repeated.
fn repeat_choices<'c>(
    play: &Play,
    cast: &'c Cast<'c>,
) -> Result<(Runner<'c>, PlayStatement, RepeatedSession), Box<Diagnostic>> {
    let mut runner = Runner::new(cast, false);
    let head: Vec<&PlayStatement> = play.head.iter().take_while(|statement| is_before_play(&statement.what)).collect();
    runner.scene(&head)?;
    let last = head
        .last()
        .copied()
        .cloned()
        .unwrap_or(PlayStatement { what: StatementKind::Note(String::new()), place: None });
    let (Some(game), Some(mut session)) = (runner.game.clone(), runner.session.take()) else {
        return Err(fail(&last, "play-order", "no game is named", "which game?"));
    };
    let mut recorder = Recorder::begin(&game, &session, true);
    let (mut kept, mut broken) = (0, None);
    for statement in play
        .head
        .iter()
        .filter(|statement| matches!(statement.what, StatementKind::Choice { .. } | StatementKind::Redeal { .. }))
    {
        if let StatementKind::Redeal { seed, by, consent, .. } = &statement.what {
            let seat = |name: &String| find_seat(statement, name, session.model(), session.setup());
            let by = by.as_ref().map(seat).transpose()?;
            recorder.redeal(&mut session, &Redeal { seed: *seed, by, consent: *consent });
            runner.seen = session.events().len();
            continue;
        }
        runner.session = Some(session);
        let positions = runner.option_indices(statement);
        if positions.is_none() {
            broken = Some(runner.explain_impossible(statement));
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
    Ok((runner, last, RepeatedSession { session, recorder, kept, broken }))
}

/// Returns whether a statement may precede play in a recording: it is not a choice, a redeal, a table, a note or the end.
fn is_before_play(what: &StatementKind) -> bool {
    !matches!(
        what,
        StatementKind::Choice { .. }
            | StatementKind::Redeal { .. }
            | StatementKind::Table { .. }
            | StatementKind::End { .. }
            | StatementKind::Note(_)
    )
}

impl Runner<'_> {
    /// Resolves a recorded choice to the indices of options. The list is empty if the choice is automatic now. Returns `None` if the choice
    /// is impossible now.
    fn option_indices(&mut self, statement: &PlayStatement) -> Option<Vec<usize>> {
        let StatementKind::Choice { seat, decision, answer, .. } = &statement.what else { return None };
        self.forced = self.forced.max(index_after_answer(self.session(), self.seen));
        let (positions, is_all) = self.resolve_answer(statement, seat, decision, answer);
        let positions = is_all.is_ok().then_some(positions);
        self.seen = self.session().events().len();
        // A choice that had alternatives when it was recorded may be automatic now.
        if positions.is_none()
            && let Some(at) = self.find_forced(seat, decision, answer)
        {
            self.forced = at + 1;
            return Some(Vec::new());
        }
        positions
    }

    /// Explains why a recorded choice is impossible.
    fn explain_impossible(&self, statement: &PlayStatement) -> Box<Diagnostic> {
        let StatementKind::Choice { seat, decision, answer, .. } = &statement.what else {
            return fail(statement, "not-offered", "this is not a choice", "here");
        };
        if let Status::Failed(found) = self.session().status() {
            return Box::new(found.clone());
        }
        let mut parts = split_picks(answer).into_iter().map(|part| self.option_index(statement, seat, decision, part));
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
    fn a_playscript_with_checks_is_not_a_recording() {
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

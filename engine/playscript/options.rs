//! What can be chosen at a place of a scene: the scene is played up to it.

use super::cast::Cast;
use super::play::{Play, PlayStatement, What};
use super::run::{scenes, statements_of};
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::session::Status;
use crate::wording::table_lines;

/// What is asked at a place of a play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayQuestion {
    /// Who is asked, as the play calls them.
    pub seat: String,
    /// What is asked.
    pub decision: String,
    /// The options, as a play writes them.
    pub options: Vec<String>,
}

/// The most options that are written out.
const MOST_OPTIONS: usize = 2_000;

/// The decision that is open behind the statements of a play that end at or before a byte; nothing where play has ended, or comes to
/// a fault on the way.
pub fn question_at(play: &Play, at: usize, cast: &Cast<'_>) -> Option<PlayQuestion> {
    let (statements, _) = before(play, at);
    let mut runner = Runner::new(cast, false);
    for (number, statement) in statements.iter().enumerate() {
        // What does not hold says nothing about what comes next; only what changes the game counts.
        if !is_question(&statement.what) {
            runner.statement(statement, &statements[number..]).ok()?;
        }
    }
    if runner.session.is_none() {
        runner.open(statements.last()?, &[]).ok()?;
    }
    let session = runner.session.as_mut()?;
    if session.is_resting() {
        session.rest_at(None);
        session.go_on_from_rest();
    }
    let Status::Waiting(decision) = session.status() else { return None };
    let observation = session.observation()?;
    let is_short = decision.options.len() <= MOST_OPTIONS;
    let options = if is_short { observation.written().some().into_owned() } else { Vec::new() };
    Some(PlayQuestion {
        seat: observation.name(decision.seat).to_owned(),
        decision: observation.model().decisions[decision.id.index()].id.to_string(),
        options,
    })
}

/// The statements of the scene that a byte lies in, or of the head, that end before it; and which scene that is.
fn before(play: &Play, at: usize) -> (Vec<&PlayStatement>, usize) {
    let starts = |statement: &&PlayStatement| statement.place.as_ref().map(|place| place.span.start);
    let first = |scene: usize| play.scenes[scene].statements.first().as_ref().and_then(starts);
    let scene = (0..play.scenes.len()).rev().find(|scene| first(*scene).is_some_and(|start| start <= at)).unwrap_or(0);
    debug_assert!(scene < scenes(play).len());
    let is_before = |statement: &&PlayStatement| statement.place.as_ref().is_none_or(|place| place.span.end <= at);
    (statements_of(play, scene).into_iter().filter(is_before).collect(), scene)
}

/// Whether a statement only asks how things stand.
fn is_question(what: &What) -> bool {
    matches!(
        what,
        What::Expect(_)
            | What::Reject { .. }
            | What::Allows { .. }
            | What::Offers { .. }
            | What::Table { .. }
            | What::Forced { .. }
            | What::End { .. }
    )
}

/// The table as it stands behind the statements of a play that end at or before a byte, and what is asked there.
///
/// # Errors
/// What does not hold on the way.
pub fn table_at(play: &Play, at: usize, cast: &Cast<'_>) -> Result<Vec<String>, Box<Diagnostic>> {
    let (statements, _) = before(play, at);
    let mut runner = Runner::new(cast, false);
    for (number, statement) in statements.iter().enumerate() {
        runner.statement(statement, &statements[number..])?;
    }
    if runner.session.is_none()
        && let Some(last) = statements.last()
    {
        runner.open(last, &[])?;
    }
    let Some(session) = &runner.session else { return Ok(Vec::new()) };
    Ok(table_lines(&session.listing(None)))
}

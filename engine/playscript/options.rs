//! Plays a scene up to a position in a playscript, so that editors can show the open decision, its options and the table.

use super::cast::Cast;
use super::play::{Play, PlayStatement, StatementKind};
use super::run::{scene_statements, scenes};
use super::runner::Runner;
use crate::diagnostic::Diagnostic;
use crate::session::Status;
use crate::wording::table_lines;

/// Decision that is open at a position in a playscript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayQuestion {
    /// Name of the player who is asked.
    pub seat: String,
    /// Id of the decision.
    pub decision: String,
    /// Options as playscripts write them; empty if there are too many.
    pub options: Vec<String>,
}

/// Maximum number of options to list. If there are more, none are listed.
const MAX_OPTIONS: usize = 2_000;

/// Returns the decision that is open after the statements that end at or before byte `at`. Returns `None` if no decision is open there, or
/// if an earlier statement other than a check fails.
pub fn question_at(play: &Play, at: usize, cast: &Cast<'_>) -> Option<PlayQuestion> {
    let (statements, _) = statements_before(play, at);
    let mut runner = Runner::new(cast, false);
    for (number, statement) in statements.iter().enumerate() {
        // Statements that only check something are skipped, because their failures do not matter here.
        if !is_check(&statement.what) {
            runner.statement(statement, &statements[number..]).ok()?;
        }
    }
    if runner.session.is_none() {
        runner.open(statements.last()?, &[]).ok()?;
    }
    let session = runner.session.as_mut()?;
    if session.is_resting() {
        session.rest_at(None);
        session.resume_from_rest();
    }
    let Status::Waiting(decision) = session.status() else { return None };
    let observation = session.observation()?;
    let is_short = decision.options.len() <= MAX_OPTIONS;
    let options = if is_short { observation.written().some().into_owned() } else { Vec::new() };
    Some(PlayQuestion {
        seat: observation.name(decision.seat).to_owned(),
        decision: observation.model().decisions[decision.id.index()].id.to_string(),
        options,
    })
}

/// Returns the statements of the head and of the scene at byte `at` that end at or before `at`, and the index of the scene.
fn statements_before(play: &Play, at: usize) -> (Vec<&PlayStatement>, usize) {
    let starts = |statement: &&PlayStatement| statement.place.as_ref().map(|place| place.span.start);
    let first = |scene: usize| play.scenes[scene].statements.first().as_ref().and_then(starts);
    let scene = (0..play.scenes.len()).rev().find(|scene| first(*scene).is_some_and(|start| start <= at)).unwrap_or(0);
    debug_assert!(scene < scenes(play).len());
    let is_before = |statement: &&PlayStatement| statement.place.as_ref().is_none_or(|place| place.span.end <= at);
    (scene_statements(play, scene).into_iter().filter(is_before).collect(), scene)
}

/// Returns whether a statement only checks something.
fn is_check(what: &StatementKind) -> bool {
    matches!(
        what,
        StatementKind::Expect(_)
            | StatementKind::Reject { .. }
            | StatementKind::Allows { .. }
            | StatementKind::Offers { .. }
            | StatementKind::Table { .. }
            | StatementKind::Forced { .. }
            | StatementKind::End { .. }
    )
}

/// Returns the table, in lines, after the statements that end at or before byte `at`.
///
/// # Errors
/// Returns the first failure before that point.
pub fn table_at(play: &Play, at: usize, cast: &Cast<'_>) -> Result<Vec<String>, Box<Diagnostic>> {
    let (statements, _) = statements_before(play, at);
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

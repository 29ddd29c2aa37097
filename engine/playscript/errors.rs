//! Errors in playscript statements, and lookup of the names that statements use.

use super::play::{EVERYBODY, PlayStatement};
use crate::diagnostic::{Detail, Diagnostic, Diagnostics, Place, Source, did_you_mean, how_to_declare};
use crate::model::{Model, Seat};
use crate::session::{NoAnswer, Setup};
use std::sync::Arc;

/// Code of the error for a table that differs from the recording.
pub(super) const WENT_ANOTHER_WAY: &str = "went-another-way";

/// Result of checking a statement.
pub(super) type CheckResult = Result<(), Box<Diagnostic>>;

/// Creates an error that marks a statement with `note`.
pub(super) fn fail(
    statement: &PlayStatement,
    code: &'static str,
    message: impl Into<String>,
    note: impl Into<String>,
) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error(code, message);
    Box::new(match &statement.place {
        Some(place) => diagnostic.mark(place.clone(), note),
        None => diagnostic,
    })
}

/// Creates the diagnostic for an agent that gave no answer. It marks the statement. If the cause is in the agent's file, that place is
/// marked first.
pub(super) fn no_answer(statement: &PlayStatement, why: NoAnswer) -> Box<Diagnostic> {
    let found = why.diagnostic();
    match &statement.place {
        Some(place) if found.marks.is_empty() => Box::new(found.mark(place.clone(), "no answer")),
        Some(place) => Box::new(found.mark(place.clone(), "asked here")),
        None => found,
    }
}

/// Replaces the help text of a diagnostic, unless `help` is `None`.
pub(super) fn with_help(mut found: Box<Diagnostic>, help: Option<String>) -> Box<Diagnostic> {
    found.help = help.or(found.help);
    found
}

/// Adds a section of lines under a heading to a diagnostic.
pub(super) fn with_detail(
    mut found: Box<Diagnostic>,
    heading: impl Into<String>,
    lines: Vec<String>,
) -> Box<Diagnostic> {
    found.details.push(Detail { heading: heading.into(), lines });
    found
}

// ----- names in a play

/// Returns the seat of the player called `name`. Fails with a help text if there is no such player.
pub(super) fn find_seat(
    statement: &PlayStatement,
    name: &str,
    model: &Model,
    setup: &Setup,
) -> Result<Seat, Box<Diagnostic>> {
    let names: Vec<&str> = model.all_seats().map(|seat| setup.name(seat)).collect();
    names.iter().position(|known| *known == name).map(Seat::at).ok_or_else(|| {
        let help = did_you_mean(name, names.iter().copied())
            .unwrap_or_else(|| format!("name one of the players: {}", names.join(", ")));
        let message = format!("there is no player `{name}`");
        with_help(fail(statement, "unknown-player", message, "not at this table"), Some(help))
    })
}

/// Returns the seats that `name` denotes as winners: a player, a team, or everybody.
pub(super) fn find_winners(
    statement: &PlayStatement,
    name: &str,
    model: &Model,
    setup: &Setup,
) -> Result<Vec<Seat>, Box<Diagnostic>> {
    let team = model.teams.iter().find(|team| *model.component(team.component).id == *name);
    let is_player = model.all_seats().any(|seat| setup.name(seat) == name);
    if name == EVERYBODY && !is_player && team.is_none() {
        return Ok(model.all_seats().collect());
    }
    match team.filter(|_| !is_player) {
        Some(team) => Ok(team.seats.clone()),
        None => Ok(vec![find_seat(statement, name, model, setup)?]),
    }
}

/// Returns the id of a decision. Fails with a help text if the game has no such decision.
pub(super) fn find_decision(
    statement: &PlayStatement,
    decision: &str,
    model: &Model,
) -> Result<crate::model::DecisionId, Box<Diagnostic>> {
    model.find_decision(decision).ok_or_else(|| {
        let help = did_you_mean(decision, model.decisions.iter().map(|d| &*d.id));
        let help = help.or_else(|| how_to_declare("unknown-decision", decision));
        let message = format!("there is no decision `{decision}`");
        with_help(fail(statement, "unknown-decision", message, "not a decision of the game"), help)
    })
}

/// Returns the id of a phase. Fails with a help text if the game has no such phase.
pub(super) fn find_phase(
    statement: &PlayStatement,
    phase: &str,
    model: &Model,
) -> Result<crate::model::PhaseId, Box<Diagnostic>> {
    let found = model.phases.iter().position(|known| *known.id == *phase);
    found.map(crate::model::PhaseId::at).ok_or_else(|| {
        let help = did_you_mean(phase, model.phases.iter().map(|known| &*known.id));
        let help = help.or_else(|| how_to_declare("unknown-phase", phase));
        let message = format!("there is no phase `{phase}`");
        with_help(fail(statement, "unknown-phase", message, "not a phase of the game"), help)
    })
}

/// Fails with a help text if the game has no such ending.
pub(super) fn check_ending_name(statement: &PlayStatement, ending: &str, model: &Model) -> CheckResult {
    if model.endings.iter().any(|known| *known.id == *ending) {
        return Ok(());
    }
    let help = did_you_mean(ending, model.endings.iter().map(|known| &*known.id));
    let help = help.or_else(|| how_to_declare("unknown-ending", ending));
    let message = format!("there is no ending `{ending}`");
    Err(with_help(fail(statement, "unknown-ending", message, "not an ending of the game"), help))
}

// ----- code fragments in a play

/// Wraps a code fragment in a source of its own, with the path of the playscript.
pub(super) fn source_of(statement: &PlayStatement, code: &str) -> Arc<Source> {
    let path = statement.place.as_ref().map_or_else(|| "play".to_owned(), |place| place.source.path.clone());
    Arc::new(Source { path, text: code.to_owned() })
}

/// Translates the marks and the trace of a diagnostic from a code fragment to the playscript that contains the fragment. If the diagnostic
/// has no marks, marks the statement.
pub(super) fn place_in_play(statement: &PlayStatement, mut found: Diagnostic, text: &Arc<Source>) -> Box<Diagnostic> {
    if let Some(place) = &statement.place {
        let offset = place.source.text[place.span.clone()]
            .find(text.text.as_str())
            .map_or(place.span.start, |at| place.span.start + at);
        for mark in &mut found.marks {
            if Arc::ptr_eq(&mark.place.source, text) {
                let span = mark.place.span.start + offset..mark.place.span.end + offset;
                mark.place = Place { source: place.source.clone(), span };
            }
        }
        found.trace = found.trace.iter().map(|line| translate_trace_line(line, place, offset)).collect();
        if found.marks.is_empty() {
            found = found.mark(place.clone(), "fails here");
        }
    }
    Box::new(found)
}

/// Translates the position `(file:line:column)` in a line of a stack trace from a code fragment to the playscript. The fragment is at
/// `offset` in the playscript.
fn translate_trace_line(line: &str, place: &Place, offset: usize) -> String {
    let file = place.source.path.rsplit('/').next().unwrap_or_default();
    let Some((before, rest)) = line.split_once(&format!("({file}:")) else { return line.to_owned() };
    let Some((at, after)) = rest.split_once(')') else { return line.to_owned() };
    let Some((line_of_text, column)) = at
        .split_once(':')
        .and_then(|(line, column)| Some((line.parse::<usize>().ok()?, column.parse::<usize>().ok()?)))
    else {
        return line.to_owned();
    };
    let (first_line, first_column) = Place { source: place.source.clone(), span: offset..offset }.line_column();
    let column = if line_of_text == 1 { first_column + column - 1 } else { column };
    format!("{before}({file}:{}:{column}){after}", first_line + line_of_text - 1)
}

/// Returns the first of the diagnostics. Panics if there are none.
pub(super) fn first_diagnostic(found: Diagnostics) -> Box<Diagnostic> {
    Box::new(found.0.into_iter().next().expect("a game that is refused has a mistake"))
}

//! `no-score`: the rules do not determine a winner.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;
use crate::model::SCORING;

/// Returns a warning about a game whose rules define neither `score` nor `rank`.
pub(crate) fn no_score(program: &Program<'_>) -> Option<Diagnostic> {
    if program.rules().any(|code| SCORING.contains(&code.name())) {
        return None;
    }
    let place = program.model.flow.place.clone()?;
    let found =
        Diagnostic::warning("no-score", "the rules have neither `score` nor `rank`: all players share the first rank")
            .mark(place, "ends without a winner")
            .help("write `fn score(seat)` in a file of rules/");
    Some(found)
}

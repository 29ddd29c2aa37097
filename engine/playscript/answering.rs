//! Which events an answer brought about.

use crate::session::{Event, EventKind, Session};

/// Where events begin that came after an answer, which was given when there were so many: the first that is chosen is the answer
/// itself, unless more has to be picked.
pub(super) fn behind_answer(session: &Session, seen: usize) -> usize {
    let is_chosen = |event: &Event| matches!(event.what, EventKind::Chose { .. });
    let at = session.events().since(seen).position(is_chosen);
    at.map_or(seen, |at| seen + at + 1)
}

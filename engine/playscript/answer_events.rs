//! Events caused by an answer.

use crate::session::{Event, EventKind, Session};

/// Returns the index of the first event after an answer, given the number of events before it. The first `Chose` event is the answer
/// itself; if there is none, more has to be picked.
pub(super) fn index_after_answer(session: &Session, seen: usize) -> usize {
    let is_chosen = |event: &Event| matches!(event.kind, EventKind::Chose { .. });
    let at = session.events().since(seen).position(is_chosen);
    at.map_or(seen, |at| seen + at + 1)
}

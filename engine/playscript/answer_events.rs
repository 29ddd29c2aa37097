//! Events caused by an answer.

use crate::session::{Event, EventKind, Session};

/// Returns the index of the first event after an answer. `seen` is the number of events before the answer.
///
/// The first `Chose` event since then is the answer itself. If there is none, the answer is incomplete and `seen` is
/// returned.
pub(super) fn index_after_answer(session: &Session, seen: usize) -> usize {
    let is_chosen = |event: &Event| matches!(event.kind, EventKind::Chose { .. });
    let at = session.events().since(seen).position(is_chosen);
    at.map_or(seen, |at| seen + at + 1)
}

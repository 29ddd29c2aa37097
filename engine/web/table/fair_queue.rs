//! Queue of requests to a thread of a table. The number of waiting requests is limited for each link, and the links take turns. A viewer
//! who sends many requests therefore delays only these requests.

use crate::web::links::Viewer;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of waiting requests per link of a seat or the host.
const MAX_PER_SEAT: usize = 4;

/// Maximum number of waiting requests of the onlookers' link, which many people share.
const MAX_FOR_ONLOOKERS: usize = 16;

/// Queue in which the links take turns.
pub(super) struct FairQueue<T> {
    state: Mutex<Waiting<T>>,
    changed: Condvar,
}

/// Result of adding a request to the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PushResult {
    /// The request is in the queue.
    Waits,
    /// The link already has the maximum number of waiting requests.
    Full,
    /// The queue is closed.
    Closed,
}

/// Result of waiting for the next request in the queue.
pub(super) enum PopResult<T> {
    /// The next request.
    Request(T),
    /// No request came in time.
    TimedOut,
    /// The queue is closed.
    Closed,
}

/// Guard that closes a queue when the consumer thread returns or panics, so that nobody keeps waiting for a response.
pub(super) struct CloseOnDrop<T>(pub(super) Arc<FairQueue<T>>);

impl<T> Drop for CloseOnDrop<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Waiting<T> {
    /// The links with waiting requests, in the order of their turns. `None` is the table itself, which has no limit.
    waiting: VecDeque<(Option<Viewer>, VecDeque<T>)>,
    is_closed: bool,
}

impl<T> FairQueue<T> {
    pub(super) const fn new() -> Self {
        Self { state: Mutex::new(Waiting { waiting: VecDeque::new(), is_closed: false }), changed: Condvar::new() }
    }

    /// Adds a request of a link, unless the queue is closed or the link already has the maximum number of waiting requests.
    pub(super) fn push(&self, viewer: Viewer, request: T) -> PushResult {
        let most = if viewer == Viewer::Onlooker { MAX_FOR_ONLOOKERS } else { MAX_PER_SEAT };
        self.add(Some(viewer), request, most)
    }

    /// Adds a message of the table itself, such as the choice of an agent.
    pub(super) fn push_own(&self, request: T) {
        self.add(None, request, usize::MAX);
    }

    fn add(&self, who: Option<Viewer>, request: T, most: usize) -> PushResult {
        let mut state = self.state();
        if state.is_closed {
            return PushResult::Closed;
        }
        match state.waiting.iter_mut().find(|(known, _)| *known == who) {
            Some((_, own)) if own.len() >= most => return PushResult::Full,
            Some((_, own)) => own.push_back(request),
            None => state.waiting.push_back((who, [request].into())),
        }
        self.changed.notify_one();
        PushResult::Waits
    }

    /// Waits for the next request. Returns `None` once the queue is closed.
    pub(super) fn pop(&self) -> Option<T> {
        if let PopResult::Request(request) = self.pop_within(None) { Some(request) } else { None }
    }

    /// Waits for the next request, at most for `time` if it is given.
    pub(super) fn pop_within(&self, time: Option<Duration>) -> PopResult<T> {
        let until = time.map(|time| Instant::now() + time);
        let mut state = self.state();
        loop {
            if state.is_closed {
                return PopResult::Closed;
            }
            if let Some((who, mut own)) = state.waiting.pop_front() {
                let request = own.pop_front().expect("a link is listed while a request of it waits");
                if !own.is_empty() {
                    state.waiting.push_back((who, own));
                }
                return PopResult::Request(request);
            }
            state = match until {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return PopResult::TimedOut;
                    }
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Returns the next request without waiting for one.
    #[cfg(not(feature = "system"))]
    pub(super) fn try_pop(&self) -> Option<T> {
        let mut state = self.state();
        let (who, mut own) = state.waiting.pop_front()?;
        let request = own.pop_front();
        if !own.is_empty() {
            state.waiting.push_back((who, own));
        }
        request
    }

    /// Closes the queue, which ends the consumer thread, and drops the waiting requests.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let dropped = std::mem::take(&mut state.waiting);
        self.changed.notify_all();
        drop(state);
        drop(dropped);
    }

    fn state(&self) -> MutexGuard<'_, Waiting<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_closed_when_its_thread_ends() {
        let queue = Arc::new(FairQueue::new());
        assert!(matches!(queue.pop_within(Some(Duration::from_millis(1))), PopResult::TimedOut));
        let taken = CloseOnDrop(queue.clone());
        assert!(std::thread::spawn(move || drop(taken)).join().is_ok());
        assert_eq!(queue.push(Viewer::Host, 1), PushResult::Closed);
    }

    #[test]
    fn a_link_that_floods_the_queue_delays_only_itself() {
        let queue = FairQueue::new();
        let sent =
            (0..100).filter(|number| queue.push(Viewer::Onlooker, ("watch", *number)) == PushResult::Waits).count();
        assert_eq!(sent, MAX_FOR_ONLOOKERS);
        assert!((0..MAX_PER_SEAT).all(|number| queue.push(Viewer::Seat(0), ("seat", number)) == PushResult::Waits));
        assert_eq!(queue.push(Viewer::Seat(0), ("seat", 9)), PushResult::Full);
        assert_eq!(queue.push(Viewer::Seat(1), ("other", 0)), PushResult::Waits);
        queue.push_own(("own", 0));
        let next = |count| (0..count).map(|_| queue.pop().unwrap()).collect::<Vec<_>>();
        // The links take turns, regardless of how many requests each of them has sent.
        assert_eq!(next(4), [("watch", 0), ("seat", 0), ("other", 0), ("own", 0)]);
        assert_eq!(next(4), [("watch", 1), ("seat", 1), ("watch", 2), ("seat", 2)]);
        assert_eq!(queue.push(Viewer::Seat(0), ("seat", 4)), PushResult::Waits, "there is room again");
        queue.close();
        assert!(queue.pop().is_none() && queue.push(Viewer::Seat(0), ("seat", 5)) == PushResult::Closed);
    }
}

//! Distributes the games of a batch among threads and collects the results in order.

use super::batch::{Batch, BatchError};
use super::precision::LOOK;
use crate::diagnostic::{Diagnostic, Diagnostics};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Target duration of the games that a thread takes at once. A thread doubles their number until they take this long. If it took more
/// games, more work would be lost when the user interrupts.
const TARGET_TIME: Duration = Duration::from_millis(20);

/// Maximum number of games that a thread takes at once.
const MAX_AT_ONCE: u64 = 250;

/// Maximum number of games that may be started after the first unfinished one. Limits the memory for results that wait
/// for that game.
const MAX_AHEAD: u64 = 16_384;

/// State of the queue.
struct GameQueue {
    /// Next game to start.
    next: u64,
    /// Exclusive end of the range of games to start.
    end: u64,
    /// Number of the first game whose result has not been taken yet.
    taken: u64,
}

/// Thread-safe queue of games.
struct Dispatcher {
    queue: Mutex<GameQueue>,
    /// Signaled when results have been taken.
    taken: Condvar,
}

impl Dispatcher {
    fn queue(&self) -> MutexGuard<'_, GameQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next games, at most `count`. Waits while too many games are ahead of the first unfinished one.
    /// Returns `None` if no games are left.
    fn next(&self, count: u64) -> Option<Range<u64>> {
        let queue = self.queue();
        let is_ahead = |queue: &mut GameQueue| queue.next < queue.end && queue.next - queue.taken >= MAX_AHEAD;
        let mut queue = self.taken.wait_while(queue, is_ahead).unwrap_or_else(PoisonError::into_inner);
        let begin = queue.next;
        // The stopping rule is checked at multiples of `LOOK` and only between chunks, so a chunk must not cross a multiple.
        let look = (begin / LOOK + 1).saturating_mul(LOOK);
        queue.next = queue.end.min(begin + count).min(look);
        (begin < queue.next).then(|| begin..queue.next)
    }

    fn take(&self, until: u64) {
        self.queue().taken = until;
        self.taken.notify_all();
    }

    fn close(&self) {
        let mut queue = self.queue();
        queue.end = queue.next;
        drop(queue);
        self.taken.notify_all();
    }
}

/// Plays chunks of a batch's games on several threads. `play` is called with the index of the thread. The results are
/// passed to `take` in the order of the games, until `take` returns `false`.
pub(super) fn run_in_order<T: Send>(
    batch: &Batch,
    play: &(dyn Fn(usize, Range<u64>) -> Result<T, Diagnostics> + Sync),
    mut take: impl FnMut(T) -> std::io::Result<bool>,
) -> Result<(), BatchError> {
    let Range { start, end } = batch.games;
    let queue = Mutex::new(GameQueue { next: start, end, taken: start });
    let dispatcher = Dispatcher { queue, taken: Condvar::new() };
    let (send, receive) = mpsc::channel();
    let work = |number: usize, send: mpsc::Sender<_>| {
        let mut count = 1;
        while let Some(games) = dispatcher.next(count) {
            let begun = Instant::now();
            let played = play(number, games.clone());
            if begun.elapsed() < TARGET_TIME {
                count = MAX_AT_ONCE.min(count * 2);
            }
            if send.send((games, played)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for number in batch.threads() {
            let (send, work) = (send.clone(), &work);
            let thread = crate::system::thread(format!("games {number}"));
            if let Err(error) = thread.spawn_scoped(scope, move || work(number, send)) {
                dispatcher.close();
                return Err(no_threads(&error));
            }
        }
        drop(send);
        let mut sorted = ReorderBuffer { at: start, waiting: BTreeMap::new() };
        let ended = receive.iter().try_for_each(|(games, played)| {
            sorted.put(games, played, |until, played| {
                dispatcher.take(until);
                match played.map_err(BatchError::Game).and_then(|part| take(part).map_err(BatchError::Output)) {
                    Ok(true) => ControlFlow::Continue(()),
                    Ok(false) => ControlFlow::Break(Ok(())),
                    Err(error) => ControlFlow::Break(Err(error)),
                }
            })
        });
        dispatcher.close();
        drop(receive);
        ended.break_value().unwrap_or(Ok(()))
    })
}

/// Results that wait for the results of earlier games.
struct ReorderBuffer<T> {
    /// Next game whose result is to be taken.
    at: u64,
    /// Results, keyed by their first game, each with the exclusive end of its range of games.
    waiting: BTreeMap<u64, (u64, T)>,
}

impl<T> ReorderBuffer<T> {
    /// Adds the result of a range of games. Passes to `take` all results that are now in order.
    fn put<B>(&mut self, games: Range<u64>, part: T, mut take: impl FnMut(u64, T) -> ControlFlow<B>) -> ControlFlow<B> {
        self.waiting.insert(games.start, (games.end, part));
        while let Some((end, part)) = self.waiting.remove(&self.at) {
            self.at = end;
            take(end, part)?;
        }
        ControlFlow::Continue(())
    }
}

fn no_threads(error: &std::io::Error) -> BatchError {
    BatchError::Game(Diagnostics(vec![
        Diagnostic::error("no-threads", format!("the games cannot be played side by side: {error}"))
            .help("give a smaller number of `--jobs`"),
    ]))
}

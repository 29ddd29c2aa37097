//! Games of a batch handed out to threads, and taken back in their order.

use super::batch::{Batch, BatchError};
use super::precision::LOOK;
use crate::diagnostic::{Diagnostic, Diagnostics};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A thread takes more games at once as long as they take less time than this: what it has not finished when the user
/// interrupts is lost, with whatever lies behind it.
const QUICK: Duration = Duration::from_millis(20);

/// Games that one thread plays before they are counted.
const MOST_AT_ONCE: u64 = 250;

/// Threads wait for a game that so many are ahead of: what is played is kept until its turn comes.
const AHEAD: u64 = 16_384;

/// What is left to be played.
struct GameQueue {
    next: u64,
    end: u64,
    taken: u64,
}

/// The line, and a bell for a thread that waits until games have been taken.
struct Counter {
    line: Mutex<GameQueue>,
    taken: Condvar,
}

impl Counter {
    fn line(&self) -> MutexGuard<'_, GameQueue> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next games, as many as these; nothing when there are no more.
    fn next(&self, count: u64) -> Option<Range<u64>> {
        let line = self.line();
        let is_ahead = |line: &mut GameQueue| line.next < line.end && line.next - line.taken >= AHEAD;
        let mut line = self.taken.wait_while(line, is_ahead).unwrap_or_else(PoisonError::into_inner);
        let begin = line.next;
        // What is played together is counted together: up to where it is looked whether that is enough.
        let look = (begin / LOOK + 1).saturating_mul(LOOK);
        line.next = line.end.min(begin + count).min(look);
        (begin < line.next).then(|| begin..line.next)
    }

    fn take(&self, until: u64) {
        self.line().taken = until;
        self.taken.notify_all();
    }

    fn close(&self) {
        let mut line = self.line();
        line.end = line.next;
        drop(line);
        self.taken.notify_all();
    }
}

/// Does something with the games of a batch, a few at a time, side by side, given the number of the thread; takes what comes out in the order of the games,
/// until it says to go no further.
pub(super) fn in_order<T: Send>(
    batch: &Batch,
    play: &(dyn Fn(usize, Range<u64>) -> Result<T, Diagnostics> + Sync),
    mut take: impl FnMut(T) -> std::io::Result<bool>,
) -> Result<(), BatchError> {
    let Range { start, end } = batch.games;
    let counter = Counter { line: Mutex::new(GameQueue { next: start, end, taken: start }), taken: Condvar::new() };
    let (send, receive) = mpsc::channel();
    let work = |number: usize, send: mpsc::Sender<_>| {
        let mut count = 1;
        while let Some(games) = counter.next(count) {
            let begun = Instant::now();
            let played = play(number, games.clone());
            if begun.elapsed() < QUICK {
                count = MOST_AT_ONCE.min(count * 2);
            }
            if send.send((games, played)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for number in batch.threads() {
            let (send, work) = (send.clone(), &work);
            let thread = std::thread::Builder::new().name(format!("games {number}"));
            if let Err(error) = thread.spawn_scoped(scope, move || work(number, send)) {
                counter.close();
                return Err(no_threads(&error));
            }
        }
        drop(send);
        let mut sorted = Sorted { at: start, waiting: BTreeMap::new() };
        let ended = receive.iter().try_for_each(|(games, played)| {
            sorted.put(games, played, |until, played| {
                counter.take(until);
                match played.map_err(BatchError::Game).and_then(|part| take(part).map_err(BatchError::Output)) {
                    Ok(true) => ControlFlow::Continue(()),
                    Ok(false) => ControlFlow::Break(Ok(())),
                    Err(error) => ControlFlow::Break(Err(error)),
                }
            })
        });
        counter.close();
        drop(receive);
        ended.break_value().unwrap_or(Ok(()))
    })
}

/// What has been played, up to its turn.
struct Sorted<T> {
    at: u64,
    waiting: BTreeMap<u64, (u64, T)>,
}

impl<T> Sorted<T> {
    /// Puts some games where they belong, and takes all whose turn has come.
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

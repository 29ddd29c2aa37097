//! What is done when the user interrupts.

use super::output::to_whoever_sits_there;
use crate::agents::end_programs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// From now on no games are played, as if the user had interrupted.
pub(super) fn stop() {
    STOPPED.store(true, Ordering::SeqCst);
}

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends the program, and those that play in it.
fn leave() -> ! {
    end_programs();
    std::process::exit(130);
}

/// From now on an interruption ends the program, and those that play in it: there is nothing to keep.
pub(super) fn listen_to_leave() {
    // As below.
    let _ = ctrlc::set_handler(|| leave());
}

/// From now on an interruption ends the games under way instead of the program; a second one ends the program.
pub(super) fn listen() {
    let handler = || {
        if STOPPED.swap(true, Ordering::SeqCst) {
            leave();
        }
    };
    // Without a handler an interruption ends the program, which is what happens anyway.
    let _ = ctrlc::set_handler(handler);
}

/// The same for many games: the first interruption lets the games under way be finished, a second one gives them up,
/// and a third one ends the program. Each says so.
pub(super) fn listen_to_games() {
    let handler = || match INTERRUPTIONS.fetch_add(1, Ordering::SeqCst) {
        0 => {
            STOPPED.store(true, Ordering::SeqCst);
            to_whoever_sits_there(format_args!(
                "\ninterrupted: the games under way are finished; interrupt again to give them up"
            ));
        }
        1 => to_whoever_sits_there(format_args!(
            "\nthe games under way are given up; interrupt again to lose everything"
        )),
        _ => leave(),
    };
    let _ = ctrlc::set_handler(handler);
}

static INTERRUPTIONS: AtomicU32 = AtomicU32::new(0);

/// Whether the user interrupted games twice.
pub(super) fn is_given_up() -> bool {
    INTERRUPTIONS.load(Ordering::Relaxed) > 1
}

/// A terminal that closes interrupts twice: what comes so soon is no second interruption.
const MOMENT: Duration = Duration::from_millis(300);

/// The same at a table. An interruption while `thinking` is set waits until it is not, and is answered with a word.
pub(super) fn listen_at_table(thinking: Arc<AtomicBool>, word: &'static str) {
    let first = OnceLock::new();
    let handler = move || {
        let is_second = STOPPED.swap(true, Ordering::SeqCst);
        let since = first.get_or_init(Instant::now).elapsed();
        if is_second && since > MOMENT {
            leave();
        }
        if !is_second && thinking.load(Ordering::SeqCst) {
            to_whoever_sits_there(format_args!("\n{word}"));
        }
    };
    // As above.
    let _ = ctrlc::set_handler(handler);
}

/// Whether the user interrupted.
pub(super) fn is_stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

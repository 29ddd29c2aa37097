//! Handling of interruptions (Ctrl+C).

use super::output::write_stderr;
use crate::agents::end_programs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Stops playing, as if the user had pressed Ctrl+C.
pub(super) fn stop() {
    STOPPED.store(true, Ordering::SeqCst);
}

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends this program and all programs that play as agents.
fn leave() -> ! {
    end_programs();
    std::process::exit(130);
}

/// Makes an interruption end the program immediately, since there is nothing to save.
pub(super) fn exit_on_interruption() {
    // If no handler can be set, an interruption ends the program anyway.
    let _ = ctrlc::set_handler(|| leave());
}

/// Makes the first interruption stop the running games. A second one ends the program.
pub(super) fn listen() {
    let handler = || {
        if STOPPED.swap(true, Ordering::SeqCst) {
            leave();
        }
    };
    // If no handler can be set, an interruption ends the program immediately.
    let _ = ctrlc::set_handler(handler);
}

/// Like [`listen`], but for many games: the first interruption lets running games finish, the second one aborts them, and the third one
/// ends the program. Reports the first two.
pub(super) fn listen_to_games() {
    let handler = || match INTERRUPTIONS.fetch_add(1, Ordering::SeqCst) {
        0 => {
            STOPPED.store(true, Ordering::SeqCst);
            write_stderr(format_args!(
                "\ninterrupted: the games under way are finished; interrupt again to give them up"
            ));
        }
        1 => write_stderr(format_args!("\nthe games under way are given up; interrupt again to lose everything")),
        _ => leave(),
    };
    let _ = ctrlc::set_handler(handler);
}

static INTERRUPTIONS: AtomicU32 = AtomicU32::new(0);

/// Returns whether the user interrupted twice to abort running games.
pub(super) fn is_aborted() -> bool {
    INTERRUPTIONS.load(Ordering::Relaxed) > 1
}

/// Time within which a second interruption is ignored, because closing a terminal sends two signals.
const SAME_INTERRUPTION: Duration = Duration::from_millis(300);

/// Like [`listen`], but for a game with people. While `thinking` is set, an interruption takes effect after the agent's answer, and the
/// handler prints `word` to say so.
pub(super) fn listen_at_table(thinking: Arc<AtomicBool>, word: &'static str) {
    let first = OnceLock::new();
    let handler = move || {
        let is_second = STOPPED.swap(true, Ordering::SeqCst);
        let since = first.get_or_init(Instant::now).elapsed();
        if is_second && since > SAME_INTERRUPTION {
            leave();
        }
        if !is_second && thinking.load(Ordering::SeqCst) {
            write_stderr(format_args!("\n{word}"));
        }
    };
    // If no handler can be set, an interruption ends the program immediately.
    let _ = ctrlc::set_handler(handler);
}

/// Returns whether the user interrupted.
pub(super) fn is_stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

//! Measures the run time of functions. Uses the processor time of the current thread where possible, so that other programs on the machine
//! do not count.

use std::time::Duration;

/// Number of passes per measurement. The second-fastest pass is reported, because other load on the machine can only slow a pass down.
const PASSES: usize = 7;

/// Minimum duration of a pass that plays whole games.
const GAME_PASS: Duration = Duration::from_millis(30);

/// Minimum duration of a pass that repeats a single operation.
const OPERATION_PASS: Duration = Duration::from_millis(8);

/// Returns the processor time of this thread.
#[cfg(unix)]
pub(super) fn now() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(spent.tv_sec.unsigned_abs(), u32::try_from(spent.tv_nsec).unwrap_or(0))
}

/// Returns the time since the first call. Used on systems that do not report a thread's processor time.
#[cfg(not(unix))]
pub(super) fn now() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// Measures several functions in alternating passes, so that a disturbance affects all of them. Returns the seconds per call of each
/// function in its second-fastest pass. Each call gets a different number, usually used as a seed.
pub(super) fn games(things: &mut [&mut dyn FnMut(u64)]) -> Vec<f64> {
    measure_alternately(things, GAME_PASS)
}

/// Like [`games`], but measures a single function, in shorter passes.
pub(super) fn operation(mut thing: impl FnMut(u64)) -> f64 {
    measure_alternately(&mut [&mut thing], OPERATION_PASS)[0]
}

fn measure_alternately(things: &mut [&mut dyn FnMut(u64)], least: Duration) -> Vec<f64> {
    let mut runs = vec![0; things.len()];
    let mut passes = vec![Vec::new(); things.len()];
    for _ in 0..PASSES {
        for ((thing, runs), passes) in things.iter_mut().zip(&mut runs).zip(&mut passes) {
            passes.push(pass(*thing, runs, least.as_secs_f64()));
        }
    }
    passes.into_iter().map(second_fastest).collect()
}

/// Calls a function repeatedly for at least `least` seconds. Returns the seconds per call. The argument of each call is `runs`, which
/// counts the calls. The faster the calls are, the less often the clock is read.
pub(super) fn pass(thing: &mut dyn FnMut(u64), runs: &mut u64, least: f64) -> f64 {
    let (begin, first, mut stride) = (now(), *runs, 1);
    let least = Duration::from_secs_f64(least);
    loop {
        for _ in 0..stride {
            thing(*runs);
            *runs += 1;
        }
        let spent = now().saturating_sub(begin);
        if spent >= least {
            return spent.as_secs_f64() / (*runs - first) as f64;
        }
        if spent < least / 8 {
            stride *= 2;
        }
    }
}

fn second_fastest(mut passes: Vec<f64>) -> f64 {
    passes.sort_by(f64::total_cmp);
    passes[1]
}

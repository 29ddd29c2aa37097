//! How long something takes: time this thread spent computing, so that other programs on the machine do not count.

use std::time::Duration;

/// How many passes a measurement has; the second fastest counts: neighbours on the machine only ever slow a pass down.
const PASSES: usize = 7;

/// How long one pass of whole games takes at least.
const GAMES: Duration = Duration::from_millis(30);

/// How long one pass of a single operation takes at least.
const OPERATIONS: Duration = Duration::from_millis(8);

/// The time this thread has been computing.
#[cfg(unix)]
pub(super) fn now() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(spent.tv_sec.unsigned_abs(), u32::try_from(spent.tv_nsec).unwrap_or(0))
}

/// Where a thread's own time is not to be had: the time that passes.
#[cfg(not(unix))]
pub(super) fn now() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// Several things measured in turns, pass by pass, so that what slows the machine slows all of them: for each, the
/// second fastest of its passes, in seconds for one run. A run is told its number, so that no two are alike.
pub(super) fn games(things: &mut [&mut dyn FnMut(u64)]) -> Vec<f64> {
    in_turns(things, GAMES)
}

/// The same for one operation alone, with shorter passes.
pub(super) fn operation(mut thing: impl FnMut(u64)) -> f64 {
    in_turns(&mut [&mut thing], OPERATIONS)[0]
}

fn in_turns(things: &mut [&mut dyn FnMut(u64)], least: Duration) -> Vec<f64> {
    let mut runs = vec![0; things.len()];
    let mut passes = vec![Vec::new(); things.len()];
    for _ in 0..PASSES {
        for ((thing, runs), passes) in things.iter_mut().zip(&mut runs).zip(&mut passes) {
            passes.push(pass(*thing, runs, least.as_secs_f64()));
        }
    }
    passes.into_iter().map(second).collect()
}

/// Runs something for so many seconds; gives the seconds of one run. The clock is read more and more rarely.
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

fn second(mut passes: Vec<f64>) -> f64 {
    passes.sort_by(f64::total_cmp);
    passes[1]
}

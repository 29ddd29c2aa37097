//! The group of a program that plays: what the engine has on Unix alone. What such a program has started ends with it.

use std::process::Command;

/// Lets a program begin a group of its own: Ctrl-C reaches the engine alone, which then ends the program.
#[cfg(unix)]
pub(super) fn apart(program: &mut Command) {
    std::os::unix::process::CommandExt::process_group(program, 0);
}

/// Ends a program and what it has started.
#[cfg(unix)]
pub(super) fn end_group(number: u32) {
    if let Some(group) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) {
        // There may be nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Where there are no groups, a program shares its signals with the engine, which has started it.
#[cfg(not(unix))]
pub(super) fn apart(_program: &mut Command) {}

/// Where there are no groups, the program itself is ended by its own handle.
#[cfg(not(unix))]
pub(super) fn end_group(_number: u32) {}

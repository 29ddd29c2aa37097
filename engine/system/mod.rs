//! What the engine has on Unix alone, and what stands for it elsewhere: groups of programs, so that what a program that plays has started
//! ends with it, and files that nobody else may read.

#[cfg(feature = "web")]
use std::fs::OpenOptions;
use std::process::Command;

/// Lets a program begin a group of its own: Ctrl-C reaches the engine alone, which then ends the program.
#[cfg(unix)]
pub(crate) fn apart(program: &mut Command) {
    std::os::unix::process::CommandExt::process_group(program, 0);
}

/// Ends a program and what it has started.
#[cfg(unix)]
pub(crate) fn end_group(number: u32) {
    if let Some(group) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) {
        // There may be nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Where there are no groups, a program shares its signals with the engine, which has started it.
#[cfg(not(unix))]
pub(crate) fn apart(_program: &mut Command) {}

/// Where there are no groups, the program itself is ended by its own handle.
#[cfg(not(unix))]
pub(crate) fn end_group(_number: u32) {}

/// Lets nobody else on the machine read a file that is made so.
#[cfg(all(unix, feature = "web"))]
pub(crate) fn private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

/// Elsewhere who may read a file goes by its folder.
#[cfg(all(not(unix), feature = "web"))]
pub(crate) fn private(_options: &mut OpenOptions) {}

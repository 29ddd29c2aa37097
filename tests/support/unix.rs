//! What tests do on Unix alone: make links, interrupt the program as Ctrl-C does, and see who may read a file.
#![cfg(unix)]
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::Child;

/// Makes a link at a place that leads to another.
pub(crate) fn link(to: impl AsRef<Path>, at: impl AsRef<Path>) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

/// Interrupts a run of the program.
pub(crate) fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Lets others use a file, or not: the mode in octal digits.
pub(crate) fn set_mode(path: impl AsRef<Path>, mode: u32) {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

/// Whether nobody but its owner may read a file.
pub(crate) fn is_private(path: impl AsRef<Path>) -> bool {
    let permissions = path.as_ref().metadata().unwrap().permissions();
    std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777 == 0o600
}

/// Makes a pipe that has a name.
pub(crate) fn fifo(at: impl AsRef<Path>) {
    assert!(std::process::Command::new("mkfifo").arg(at.as_ref()).status().unwrap().success());
}

/// Gives a file a second name.
pub(crate) fn hard_link(to: impl AsRef<Path>, at: impl AsRef<Path>) {
    std::fs::hard_link(to, at).unwrap();
}

/// Permissions by their bits.
pub(crate) fn mode(bits: u32) -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(bits)
}

//! Test helpers that exist only on Unix: links, named pipes, file modes, and interrupting the program like Ctrl-C.
#![cfg(unix)]
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses a part of it")]

use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::Child;

/// Creates a symbolic link at `at` that points to `to`.
pub(crate) fn link(to: impl AsRef<Path>, at: impl AsRef<Path>) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

/// Sends `SIGINT` to a running program.
pub(crate) fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Sets the permission bits of a file.
pub(crate) fn set_mode(path: impl AsRef<Path>, mode: u32) {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

/// Returns whether a file has the mode 0600: only the owner may read and write it.
pub(crate) fn is_private(path: impl AsRef<Path>) -> bool {
    let permissions = path.as_ref().metadata().unwrap().permissions();
    std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777 == 0o600
}

/// Creates a named pipe.
pub(crate) fn fifo(at: impl AsRef<Path>) {
    assert!(std::process::Command::new("mkfifo").arg(at.as_ref()).status().unwrap().success());
}

/// Creates a hard link at `at` to the file `to`.
pub(crate) fn hard_link(to: impl AsRef<Path>, at: impl AsRef<Path>) {
    std::fs::hard_link(to, at).unwrap();
}

/// Converts permission bits to [`std::fs::Permissions`].
pub(crate) fn mode(bits: u32) -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(bits)
}

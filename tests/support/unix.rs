//! What tests do on Unix alone: make links, and interrupt the program as Ctrl-C does.
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

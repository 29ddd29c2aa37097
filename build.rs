//! Tells the program where the checkout logs its commits, and embeds the engine for pages that `PARLOUR_PAGE` names.
//!
//! The Python module is built with this file too.

#![allow(clippy::disallowed_methods, reason = "what is built is told here, and no game is played")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed={}build.rs", if is_python_module() { "../" } else { "" });
    println!("cargo::rustc-check-cfg=cfg(has_commit_log)");
    tell_commit();
    println!("cargo::rustc-check-cfg=cfg(has_page_engine)");
    println!("cargo::rerun-if-env-changed=PARLOUR_PAGE");
    if let Some(file) = std::env::var_os("PARLOUR_PAGE").filter(|file| !file.is_empty()) {
        // A file that is missing is an error of the build, which names it.
        let file = std::path::absolute(file).expect("the working directory is known");
        println!("cargo::rerun-if-changed={}", file.display());
        println!("cargo::rustc-env=PARLOUR_PAGE_ENGINE={}", file.display());
        println!("cargo::rustc-cfg=has_page_engine");
    }
}

/// Returns whether the Python module is built, whose manifest is one folder below the checkout.
fn is_python_module() -> bool {
    Path::new("../engine/lib.rs").exists()
}

/// Tells the program of a checkout its commit.
///
/// The program includes the log to which Git appends each commit that is checked out, and reads its last line (`engine/main.rs`). So a
/// commit compiles the program again, and not the library. Where Git keeps no such log, the commit is passed on, which compiles both.
fn tell_commit() {
    let checkout = if is_python_module() { "../" } else { "" };
    // A copy of these sources inside another repository has no commit of its own.
    if !Path::new(checkout).join(".git").exists() {
        return;
    }
    let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) else { return };
    if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        // Relative to `engine/commit.rs`, which includes it: a checkout may be moved together with what was built in it. The manifest
        // of the Python module is as deep as that file.
        let log = if Path::new(&log).is_absolute() || is_python_module() { log } else { format!("../{log}") };
        println!("cargo::rustc-env=PARLOUR_COMMIT_LOG={log}");
        println!("cargo::rustc-cfg=has_commit_log");
        return;
    }
    let changed = ["HEAD", "packed-refs"].map(str::to_owned).into_iter().chain(git(&["symbolic-ref", "HEAD"]));
    let files = changed.filter_map(|name| git(&["rev-parse", "--git-path", &name]));
    // A file that is missing would run this script again with every build.
    for file in files.filter(|file| Path::new(file).exists()) {
        println!("cargo::rerun-if-changed={file}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=PARLOUR_CHECKED_OUT={commit}");
    }
}

/// Returns what Git prints; `None` if it fails or is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

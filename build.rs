//! Passes the checkout's commit to the program, and embeds the engine for web pages if the variable `PARLOUR_PAGE` names its file.
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
        // If the file is missing, the compiler reports an error that names it.
        let file = std::path::absolute(file).expect("the working directory is known");
        println!("cargo::rerun-if-changed={}", file.display());
        println!("cargo::rustc-env=PARLOUR_PAGE_ENGINE={}", file.display());
        println!("cargo::rustc-cfg=has_page_engine");
    }
}

/// Returns whether the Python module is being built. Its manifest is one folder below the root of the checkout.
fn is_python_module() -> bool {
    Path::new("../engine/lib.rs").exists()
}

/// Passes the commit of the checkout to the program.
///
/// Git appends each commit that is checked out to a log. The program includes this log and reads its last line (`engine/commit.rs`), so a
/// new commit recompiles the program but not the library. If Git keeps no log, the commit is passed as an environment variable, and a new
/// commit recompiles both.
fn tell_commit() {
    let checkout = if is_python_module() { "../" } else { "" };
    // A copy of these sources inside another repository has no commit of its own.
    if !Path::new(checkout).join(".git").exists() {
        return;
    }
    let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) else { return };
    if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        // The path is relative to `engine/commit.rs`, which includes the log, so that a checkout can be moved together with its build. The
        // manifest of the Python module is as deep as that file.
        let log = if Path::new(&log).is_absolute() || is_python_module() { log } else { format!("../{log}") };
        println!("cargo::rustc-env=PARLOUR_COMMIT_LOG={log}");
        println!("cargo::rustc-cfg=has_commit_log");
        return;
    }
    let changed = ["HEAD", "packed-refs"].map(str::to_owned).into_iter().chain(git(&["symbolic-ref", "HEAD"]));
    let files = changed.filter_map(|name| git(&["rev-parse", "--git-path", &name]));
    // Cargo would run this script on every build if one of the files were missing.
    for file in files.filter(|file| Path::new(file).exists()) {
        println!("cargo::rerun-if-changed={file}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=PARLOUR_CHECKED_OUT={commit}");
    }
}

/// Returns the output of a Git command; `None` if the command fails or Git is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

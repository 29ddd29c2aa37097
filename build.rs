//! Tells `parlour --version` the commit it is built from.

#![allow(clippy::disallowed_methods, reason = "what is built is told here, and no game is played")]

use std::path::Path;
use std::process::Command;

/// What changes with every commit.
const COMMITS: &str = ".git/logs/HEAD";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PARLOUR_COMMIT");
    let given = std::env::var("PARLOUR_COMMIT").ok().filter(|given| !given.is_empty());
    if let Some(commit) = given.or_else(commit) {
        println!("cargo::rustc-env=PARLOUR_COMMIT={commit}");
    }
}

/// The commit that is checked out here. While somebody works on the engine or measures it, a commit is no reason to compile it
/// again: only what is shipped tells it, which the profile `dist` builds into a folder of its name. A copy of these sources inside
/// another repository has none.
fn commit() -> Option<String> {
    let folder = std::env::var("OUT_DIR").ok()?;
    let is_shipped = Path::new(&folder).components().any(|part| part.as_os_str() == "dist");
    if !is_shipped || !Path::new(COMMITS).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={COMMITS}");
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

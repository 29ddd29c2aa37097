//! Tells `parlour --version` the commit it is built from, and embeds the engine for pages that `PARLOUR_PAGE` names.

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

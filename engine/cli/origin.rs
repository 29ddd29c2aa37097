//! Resuming runs: where relative paths start, and which agents may continue.
//!
//! The folder of a run may come from a stranger. It names the game and the agents, but must never cause a program to be started: agents
//! that are programs or files continue only if the command line names them again.

use super::output::{Failure, usage};
use crate::agents::is_outside;
use crate::diagnostic::{shortened, shown};
use crate::session::quoted;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};

/// Maximum number of characters of a suggested option. Users would not read a longer one before running it.
const LONGEST_OPTION: usize = 400;

/// Returns the working directory relative to a run's folder, so that the run can be resumed from anywhere.
pub(super) fn working_directory_from(run: &Path) -> Option<String> {
    relative_to_run(run, Path::new("."))
}

/// Returns the path of a folder relative to a run's folder.
pub(super) fn relative_to_run(run: &Path, folder: &Path) -> Option<String> {
    relative(&resolve_links(run)?, &folder.canonicalize().ok()?)
}

/// Returns the directory in which a run began, if it exists and is not the working directory.
pub(super) fn base_of(run: &Path, directory: Option<&str>) -> Option<PathBuf> {
    let folder = run.join(directory?);
    let is_here = folder.canonicalize().ok() == Path::new(".").canonicalize().ok();
    (folder.is_dir() && !is_here).then_some(folder)
}

/// Resolves symbolic links in the part of a path that exists.
fn resolve_links(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(rest))
    })
}

/// Returns the relative path from one folder to another, with `/` as separator. Returns an absolute path if there is no relative one, for
/// example between drives.
fn relative(from: &Path, to: &Path) -> Option<String> {
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return to.to_str().map(str::to_owned);
    }
    let up = from.components().skip(common).map(|_| Some(".."));
    let down = to.components().skip(common).map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    parts.map(|parts| if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

/// Returns the agents named in the folder of a resumed run. If any of them is a program or file, `given` must list the same agents, because
/// only the command line may name these. Fails if `given` is not empty and differs. `argument` is the name of the command-line argument for
/// `given`.
pub(super) fn resumed_agents(
    argument: &str,
    given: &[String],
    kept: Vec<String>,
    run: &Path,
) -> Result<Vec<String>, Failure> {
    if given == kept || given.is_empty() && !kept.iter().any(|name| is_outside(name)) {
        return Ok(kept);
    }
    let (run, option) = (shown(run), format!("{argument} {}", quoted(&kept.join(","))));
    let is_short = option.chars().count() <= LONGEST_OPTION;
    let Some(outside) = kept.iter().find(|name| is_outside(name)) else {
        let message = format!("`{argument}` differs from the agents of the run in `{run}`");
        return Err(Failure::Usage(message, Some("remove it: the folder lists them".to_owned())));
    };
    let help = if is_short {
        format!("if it is yours, add `{option}`")
    } else {
        format!("give `{argument}` as it was when the run began")
    };
    let message = if given.is_empty() {
        let outside = shortened(outside);
        format!("the run in `{run}` uses `{outside}`, but only the command line may select programs or files as agents")
    } else {
        format!("`{argument}` differs from the agents of the run in `{run}`")
    };
    Err(Failure::Usage(message, Some(help)))
}

/// Checks the number of imagined worlds in the folder of a resumed run. The folder may come from a stranger, so a number that the command
/// line would refuse is refused here too: with billions of worlds, not even the first game would end.
pub(super) fn check_kept_worlds(worlds: u32, range: RangeInclusive<u32>, run: &Path) -> Result<(), Failure> {
    if range.contains(&worlds) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    Err(usage(format!("the run in `{}` imagines {worlds} worlds, but {least} to {most} are possible", shown(run))))
}

#[cfg(test)]
mod tests {
    use super::{relative, resumed_agents};
    use std::path::Path;

    #[test]
    fn finds_relative_paths() {
        let leads = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).unwrap();
        assert_eq!(leads("/a/runs/x", "/a"), "../..");
        assert_eq!(leads("/a", "/a/b/c"), "b/c");
        assert_eq!(leads("/a/b", "/c"), "../../c");
        assert_eq!(leads("/a", "/a"), ".");
    }

    #[test]
    fn programs_and_files_resume_only_if_the_command_line_names_them() {
        let names = |names: &str| names.split(',').map(str::to_owned).collect::<Vec<_>>();
        let resumed =
            |given: &[String], kept: &str| resumed_agents("--agents", given, names(kept), Path::new("run")).is_ok();
        assert!(resumed(&[], "random,trader,search:400"));
        for outside in ["cmd:a", " cmd:a", "cmd=5s:a", "script:a", "playscript:a", "random, script:a", "search:1,cmd:a"]
        {
            assert!(!resumed(&[], outside), "{outside}");
            assert!(resumed(&names(outside), outside), "{outside}");
            assert!(!resumed(&names("cmd:b"), outside), "{outside}");
        }
        assert!(!resumed(&names("first"), "random"));
    }
}

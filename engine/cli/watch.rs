//! `parlour check --watch`: checks a game and runs its playscripts again whenever a file is saved.

use super::interruption::{is_stopped, listen};
use super::output::{Failure, Output};
use super::test::Test;
use crate::desk::game_watch::GameWatch;
use crate::desk::{bundle, opening};
use crate::diagnostic::{Role, shown};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Callback that checks the game. Returns whether its playscripts can be run, and the result of the check.
type CheckGame<'c> = &'c dyn Fn(&mut Output) -> (bool, Result<(), Failure>);

/// Checks a game repeatedly until the user interrupts. Fails at the end if the last check found mistakes or warnings, or a playscript
/// failed.
pub(super) fn watch(game: &str, check: CheckGame<'_>, output: &mut Output) -> Result<(), Failure> {
    let folder = folder(game)?;
    listen();
    let mut watch = GameWatch::new(&folder).map_err(|error| watch_error(&folder, &error))?;
    let mut saved = BTreeSet::new();
    loop {
        let is_well = print_screen(game, check, &folder, &saved, output)?;
        let Some(more) = watch.wait_for_change(&is_stopped) else {
            output.line("ended")?;
            return if is_well { Ok(()) } else { Err(Failure::Fault) };
        };
        saved = more;
    }
}

/// Returns the absolute path of a game's folder.
///
/// # Errors
/// Fails for games that come with the program, because their files cannot be watched, and if there is no such folder.
fn folder(game: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(game);
    let folder = opening::folder_of(path).unwrap_or(path);
    if folder.is_dir() {
        return Ok(folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()));
    }
    if bundle::names().contains(&game) {
        let help = format!("copy it first: `parlour new my-{game} --from {game}`");
        return Err(Failure::Usage(format!("`{game}` comes with the program and has no files to watch"), Some(help)));
    }
    Err(Failure::Usage(format!("there is no folder `{game}`"), Some(opening::games(game))))
}

fn watch_error(folder: &Path, error: &dyn Display) -> Failure {
    Failure::Usage(format!("`{}` cannot be watched: {error}", shown(folder)), None)
}

/// Prints one screen: the saved files, the mistakes, and the results of the playscripts. Returns whether the check and all playscripts
/// succeeded.
fn print_screen(
    game: &str,
    check: CheckGame<'_>,
    folder: &Path,
    saved: &BTreeSet<String>,
    output: &mut Output,
) -> Result<bool, Failure> {
    if std::io::stdout().is_terminal() {
        output.clear_screen()?;
    }
    if !saved.is_empty() {
        let saved: Vec<&str> = saved.iter().map(String::as_str).collect();
        output.line(format!("saved: {}", saved.join(", ")))?;
    }
    let (can_be_played, checked) = check(output);
    let mut is_well = continue_after_fault(checked, output)?;
    if has_plays(folder) && can_be_played {
        output.write("plays: ")?;
        is_well &= continue_after_fault(Test::for_game(game).run_plays(output), output)?;
    } else if has_plays(folder) {
        output.line("playscripts: not run until the game has no errors")?;
    }
    output.line(format!("watching {game}: save a file to check again, Ctrl-C ends it"))?;
    output.flush()?;
    Ok(is_well)
}

/// Reports a failure of the game and continues. Returns the failure if the output cannot be written, otherwise whether there was no
/// failure.
fn continue_after_fault(result: Result<(), Failure>, output: &mut Output) -> Result<bool, Failure> {
    match result {
        Err(failure @ Failure::Output(_)) => Err(failure),
        Err(failure) => {
            let _ = output.fail(&failure);
            Ok(false)
        }
        Ok(()) => Ok(true),
    }
}

fn has_plays(folder: &Path) -> bool {
    let Ok(mut files) = folder.join(Role::Play.folder()).read_dir() else { return false };
    files.any(|file| file.is_ok_and(|file| Role::Play.is_called(&file.file_name().to_string_lossy())))
}

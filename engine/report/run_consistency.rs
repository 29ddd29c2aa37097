//! Consistency check of a run: the figures, the tables and the manifest must describe the same games.

use super::game_lines::{GameLines, is_table};
use super::manifest::Manifest;
use super::run_file::{FolderError, GAME_FILES};
use crate::diagnostic::shown;
use crate::files::Directory;
use crate::simulation::Figures;
use std::collections::BTreeMap;

/// Checks the figures and the game files of a run against its manifest. Reads each file up to its length in `lengths`, or completely if
/// `lengths` is `None`.
pub(super) fn check_consistency(
    run: &Directory,
    manifest: &Manifest,
    figures: &[Figures],
    lengths: Option<&[u64; GAME_FILES.len()]>,
) -> Result<(), FolderError> {
    let apart = |what: String| FolderError::Inconsistent(format!("`{}` is not whole: {what}", shown(run.path())));
    for (batch, figures) in manifest.batches.iter().zip(figures) {
        let (players, count) = (batch.players, batch.count());
        if figures.seats != players || figures.games != count {
            let games = figures.games;
            return Err(apart(format!(
                "its figures are of {games} games with {players} players, and {count} were played"
            )));
        }
        if !figures.is_consistent() {
            return Err(apart(format!("its figures with {players} players do not add up")));
        }
    }
    for (file, name) in GAME_FILES.into_iter().enumerate() {
        let seen = count_games(run, name, lengths.map_or(u64::MAX, |lengths| lengths[file]))?;
        for (batch, figures) in manifest.batches.iter().zip(figures) {
            let found = seen.get(&u64::from(batch.players)).copied().unwrap_or_default();
            let wanted = match name {
                "details.csv" => continue,
                "seats.csv" => (figures.finished * u64::from(batch.players), figures.finished),
                _ => (batch.count(), batch.count()),
            };
            if found != wanted {
                let ((lines, games), players) = (found, batch.players);
                let (more_lines, more_games) = wanted;
                return Err(apart(format!(
                    "`{name}` has {lines} lines of {games} games with {players} players, not {more_lines} of {more_games}"
                )));
            }
        }
    }
    Ok(())
}

/// Returns the number of lines and the number of games for each number of players, in the first `length` bytes of a file.
fn count_games(folder: &Directory, name: &str, length: u64) -> Result<BTreeMap<u64, (u64, u64)>, FolderError> {
    let mut lines = GameLines::open(folder, name, length)?;
    let mut seen: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    let mut before = None;
    if is_table(name) && !lines.next()? {
        return Ok(seen);
    }
    while lines.next()? && lines.line.ends_with(b"\n") {
        let (players, _) = lines.key;
        let (all, games) = seen.entry(players).or_default();
        *all += 1;
        *games += u64::from(before != Some(lines.key));
        before = Some(lines.key);
    }
    Ok(seen)
}

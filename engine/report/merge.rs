//! Merging of separately played parts of a run.

use super::checkpoint;
use super::folder::Folder;
use super::game_lines::{GameLines, is_table};
use super::manifest::{BatchManifest, Manifest};
use super::run_consistency::check_consistency;
use super::run_file::{FolderError, GAME_FILES, at, open};
use crate::diagnostic::shown;
use crate::simulation::Figures;
use std::path::{Path, PathBuf};

/// Merges the folders of the parts of a run into a new folder.
///
/// If no part is missing, the new folder becomes byte-for-byte identical to the folder of a single run, once the caller has written the
/// derived files and finished the run.
///
/// # Errors
/// Fails if the folders do not contain parts of the same run, if parts have games in common, if a part is unfinished, or if a folder cannot
/// be read or written.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<(Folder, Manifest, Vec<Figures>), FolderError> {
    let mut read = Vec::new();
    for path in parts {
        let (manifest, figures) = Folder::read(path)?;
        read.push((path, manifest, figures));
    }
    let Some((first_path, first, _)) = read.first() else {
        return Err(FolderError::Inconsistent("there is nothing to merge".to_owned()));
    };
    for (path, manifest, _) in &read[1..] {
        if let Some(what) = first.first_difference(manifest) {
            let text = format!("`{}` and `{}` have not the same {what}", shown(first_path), shown(path));
            return Err(FolderError::Inconsistent(text));
        }
    }
    for (path, manifest, figures) in &read {
        let run = open(path)?;
        let held = check_consistency(&run, manifest, figures, None);
        let is_ended = manifest.complete || !checkpoint::is_there(&run);
        held.map_err(|error| if is_ended { error } else { FolderError::Unfinished(shown(path)) })?;
    }
    let mut manifest = Manifest { shard: None, files: Vec::new(), ..first.clone() };
    for at in 0..manifest.batches.len() {
        let batches: Vec<&BatchManifest> = read.iter().map(|(_, manifest, _)| &manifest.batches[at]).collect();
        manifest.batches[at].played = merge_ranges(&batches)?;
    }
    manifest.complete = manifest.is_complete();
    let mut figures: Vec<Figures> = manifest.batches.iter().map(|batch| Figures::new(batch.players)).collect();
    for (_, _, more) in &read {
        figures.iter_mut().zip(more).for_each(|(figures, more)| figures.merge(more));
    }
    let folder = Folder::create(into, &Manifest { complete: false, ..manifest.clone() })?;
    for (file, name) in GAME_FILES.iter().enumerate() {
        merge_lines(parts, name, &|line| folder.append(file, line).map_err(|error| at(into, error)))?;
    }
    folder.write_figures(&figures)?;
    Ok((folder, manifest, figures))
}

/// Merges the ranges of games that several parts played. Joins adjacent ranges.
///
/// # Errors
/// Fails if the ranges overlap.
fn merge_ranges(batches: &[&BatchManifest]) -> Result<Vec<(u64, u64)>, FolderError> {
    let mut ranges: Vec<(u64, u64)> = batches.iter().flat_map(|batch| batch.played.iter().copied()).collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in ranges {
        match joined.last_mut() {
            Some((_, before)) if begin < *before => {
                let players = batches[0].players;
                let text = format!("game {begin} with {players} players is in two of the folders");
                return Err(FolderError::Inconsistent(text));
            }
            Some((_, before)) if begin == *before => *before = end,
            _ => joined.push((begin, end)),
        }
    }
    Ok(joined)
}

fn merge_lines(
    parts: &[PathBuf],
    name: &str,
    write: &dyn Fn(&[u8]) -> Result<(), FolderError>,
) -> Result<(), FolderError> {
    let mut open_parts = Vec::new();
    for path in parts {
        let mut lines = GameLines::open(&open(path)?, name, u64::MAX)?;
        // The heading has already been written to the new folder.
        if is_table(name) && !lines.next()? {
            continue;
        }
        if lines.next()? {
            open_parts.push(lines);
        }
    }
    while let Some(least) = (0..open_parts.len()).min_by_key(|at| open_parts[*at].key) {
        write(&open_parts[least].line)?;
        if !open_parts[least].next()? {
            open_parts.remove(least);
        }
    }
    Ok(())
}

//! Putting the parts of a run together.

use super::checkpoint;
use super::folder::{Folder, FolderError, GAME_FILES, at};
use super::manifest::{BatchManifest, Manifest};
use crate::diagnostic::shown;
use crate::simulation::Figures;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::{Path, PathBuf};

/// Puts the folders of parts of one run together into a new one: what one run would have written, byte for byte, when no
/// part is missing and it is derived and finished.
///
/// # Errors
/// When they are not parts of one run, have games in common, or cannot be read or written.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<(Folder, Manifest, Vec<Figures>), FolderError> {
    let mut read = Vec::new();
    for path in parts {
        let (manifest, figures) = Folder::read(path)?;
        read.push((path, manifest, figures));
    }
    let Some((first_path, first, _)) = read.first() else {
        return Err(FolderError::Apart("there is nothing to merge".to_owned()));
    };
    for (path, manifest, _) in &read[1..] {
        if let Some(what) = first.differs(manifest) {
            let text = format!("`{}` and `{}` have not the same {what}", shown(first_path), shown(path));
            return Err(FolderError::Apart(text));
        }
    }
    for (path, manifest, figures) in &read {
        let held = hold_together(path, manifest, figures, None);
        let is_ended = manifest.complete || !checkpoint::is_there(path);
        held.map_err(|error| if is_ended { error } else { FolderError::Unfinished(shown(path)) })?;
    }
    let mut manifest = Manifest { shard: None, files: Vec::new(), ..first.clone() };
    for at in 0..manifest.batches.len() {
        let batches: Vec<&BatchManifest> = read.iter().map(|(_, manifest, _)| &manifest.batches[at]).collect();
        manifest.batches[at].played = joined(&batches)?;
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

/// Holds what was counted, and the tables of games, against the games that the manifest says were played; of the tables so
/// many bytes, or all.
pub(super) fn hold_together(
    path: &Path,
    manifest: &Manifest,
    figures: &[Figures],
    lengths: Option<&[u64; GAME_FILES.len()]>,
) -> Result<(), FolderError> {
    let apart = |what: String| FolderError::Apart(format!("`{}` is not whole: {what}", shown(path)));
    for (batch, figures) in manifest.batches.iter().zip(figures) {
        let (players, count) = (batch.players, batch.count());
        if figures.seats != players || figures.games != count {
            let games = figures.games;
            return Err(apart(format!(
                "its figures are of {games} games with {players} players, and {count} were played"
            )));
        }
        if !figures.adds_up() {
            return Err(apart(format!("its figures with {players} players do not add up")));
        }
    }
    for (file, name) in GAME_FILES.into_iter().enumerate() {
        let seen = games_in(path, name, lengths.map_or(u64::MAX, |lengths| lengths[file]))?;
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

/// How many lines, and of how many games, a table has for each number of players.
fn games_in(folder: &Path, name: &str, length: u64) -> Result<BTreeMap<u64, (u64, u64)>, FolderError> {
    let mut lines = Lines::open(folder, name, length)?;
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

/// Whether the first line is a heading.
fn is_table(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "csv")
}

/// The games of several parts, side by side.
fn joined(batches: &[&BatchManifest]) -> Result<Vec<(u64, u64)>, FolderError> {
    let mut ranges: Vec<(u64, u64)> = batches.iter().flat_map(|batch| batch.played.iter().copied()).collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in ranges {
        match joined.last_mut() {
            Some((_, before)) if begin < *before => {
                let players = batches[0].players;
                let text = format!("game {begin} with {players} players is in two of the folders");
                return Err(FolderError::Apart(text));
            }
            Some((_, before)) if begin == *before => *before = end,
            _ => joined.push((begin, end)),
        }
    }
    Ok(joined)
}

/// One file with a line or several for each game, and the line it has come to.
struct Lines {
    path: PathBuf,
    reader: BufReader<Take<File>>,
    line: Vec<u8>,
    key: (u64, u64),
}

impl Lines {
    fn open(folder: &Path, name: &str, length: u64) -> Result<Self, FolderError> {
        let path = folder.join(name);
        let file = File::open(&path).map_err(|error| at(&path, error))?;
        Ok(Self { path, reader: BufReader::new(file.take(length)), line: Vec::new(), key: (0, 0) })
    }

    /// Goes to the next line; whether there is one.
    fn next(&mut self) -> Result<bool, FolderError> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| at(&self.path, error))?;
        // A program for tables may have written its own ends of lines.
        if self.line.ends_with(b"\r\n") {
            self.line.truncate(self.line.len() - 2);
            self.line.push(b'\n');
        }
        self.key = key(&self.line);
        Ok(read > 0)
    }
}

/// The number of players and of the game, with which every line begins.
fn key(line: &[u8]) -> (u64, u64) {
    let mut numbers = line.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut next = || numbers.next().and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()).unwrap_or(0);
    (next(), next())
}

fn merge_lines(
    parts: &[PathBuf],
    name: &str,
    write: &dyn Fn(&[u8]) -> Result<(), FolderError>,
) -> Result<(), FolderError> {
    let mut open = Vec::new();
    for path in parts {
        let mut lines = Lines::open(path, name, u64::MAX)?;
        // The heading has been written.
        if is_table(name) && !lines.next()? {
            continue;
        }
        if lines.next()? {
            open.push(lines);
        }
    }
    while let Some(least) = (0..open.len()).min_by_key(|at| open[*at].key) {
        write(&open[least].line)?;
        if !open[least].next()? {
            open.remove(least);
        }
    }
    Ok(())
}

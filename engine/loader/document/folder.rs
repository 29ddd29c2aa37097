//! Reads the files of a game from a folder.

use super::files::{FileContent, Files, MAX_FILES, file_too_large, gather, max_file_bytes, sources, too_many_files};
use crate::diagnostic::{Diagnostic, Diagnostics, GAME, Role, Source};
use crate::files::{Directory, Refused};
use crate::loader::lint::misplaced_files;
use crate::loader::mistake::whole_file;
use crate::loader::report::Report;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Maximum depth of subfolders searched for misplaced files.
const MAX_DEPTH: usize = 3;

impl Files {
    /// Reads the files of a game. Other files are not read, but files that look misplaced are listed with a warning. Symbolic links are
    /// never followed.
    ///
    /// # Errors
    /// Reports files that cannot be read, are links, are not UTF-8, or exceed a limit, and a missing `game.toml`. Playscripts that cannot
    /// be read are skipped.
    pub fn read(folder: &Path) -> Result<Self, Diagnostics> {
        let report = Report::default();
        let mut texts = Vec::new();
        let mut paths = vec![GAME.to_owned()];
        for role in Role::IN_FOLDERS.into_iter().filter(|role| !matches!(role, Role::Face | Role::Play)) {
            paths.extend(list(folder, role, &report));
        }
        if paths.len() > MAX_FILES {
            report.add(too_many_files(&paths[MAX_FILES]));
            // Reads only `game.toml`, which comes first, because there may be far too many other files.
            paths.truncate(1);
        }
        for path in paths {
            if let Some(bytes) = read_file(folder, &path, &report) {
                texts.push((path, FileContent::Bytes(bytes)));
            }
        }
        let faces = list(folder, Role::Face, &report).into_iter();
        let faces = faces
            .filter_map(|path| Some((path.clone(), FileContent::Bytes(read_file(folder, &path, &report)?))))
            .collect();
        let faces = sources(faces, &report);
        let name = folder.to_string_lossy();
        let mut all = Vec::new();
        for name in names_in_folder(folder).iter().filter(|name| misplaced_files::may_be_game_folder(name)) {
            list_all(folder, name, MAX_DEPTH, &mut all);
        }
        let files = gather(&name, texts, &names_in_folder(folder), report)?;
        let strays = misplaced_files::check_paths(all.iter().map(String::as_str));
        Ok(Self { plays: read_plays(folder), faces, strays, ..files })
    }
}

/// Returns the sorted paths of the files with the role `role`. Reports a folder that is a link or cannot be read.
fn list(game: &Path, role: Role, report: &Report) -> Vec<String> {
    let name = role.folder();
    let folder = game.join(name);
    match fs::symlink_metadata(&folder) {
        Ok(found) if found.is_symlink() => report.add(is_link(name)),
        Ok(found) if found.is_dir() => return list_folder(&folder, role, report),
        _ => {}
    }
    Vec::new()
}

fn list_folder(folder: &Path, role: Role, report: &Report) -> Vec<String> {
    let name = role.folder();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            report.add(unreadable(name, &error));
            return Vec::new();
        }
    };
    let files = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut paths: Vec<String> =
        files.filter(|file| role.is_called(file)).take(MAX_FILES + 1).map(|file| format!("{name}/{file}")).collect();
    paths.sort();
    paths
}

/// Reads the playscripts. Unreadable playscripts are skipped here, and reported when they are run.
fn read_plays(game: &Path) -> Vec<Arc<Source>> {
    let unread = Report::default();
    let paths = list(game, Role::Play, &unread);
    let text = |path: String| {
        let text = String::from_utf8(read_file(game, &path, &unread)?).ok()?;
        Some(Arc::new(Source { path, text }))
    };
    paths.into_iter().filter_map(text).collect()
}

/// Collects the paths of the files at or below `path`, in the order of their names. Enters folders at most `depth` levels deep, and only
/// until [`MAX_FILES`] files are found.
fn list_all(game: &Path, path: &str, depth: usize, found: &mut Vec<String>) {
    let Ok(kind) = fs::symlink_metadata(game.join(path)).map(|found| found.file_type()) else { return };
    if kind.is_file() {
        found.push(path.to_owned());
    } else if kind.is_dir() && depth > 0 && found.len() < MAX_FILES {
        for name in names_in_folder(&game.join(path)) {
            list_all(game, &format!("{path}/{name}"), depth - 1, found);
        }
    }
}

/// Reads a file. Returns `None` if the file is missing. Returns `None` and reports a mistake if it cannot be read.
fn read_file(game: &Path, path: &str, report: &Report) -> Option<Vec<u8>> {
    let read =
        Directory::open(game).map_err(Refused::from).and_then(|game| game.read(path, max_file_bytes(path) as u64));
    match read {
        Ok(bytes) => Some(bytes),
        Err(refused) if refused.is_missing() => None,
        Err(Refused::Link) => refuse(report, is_link(path)),
        Err(Refused::NotAFile) => refuse(report, not_a_file(path)),
        Err(Refused::TooLarge(_)) => refuse(report, file_too_large(path)),
        Err(error) => refuse(report, unreadable(path, &error.into())),
    }
}

/// Reads a picture from the game's folder of faces, at most `largest + 1` bytes. Returns `None` if the picture does not exist, is a link or
/// cannot be read.
pub(crate) fn read_picture(game: &Path, name: &str, largest: usize) -> Option<Vec<u8>> {
    let path = format!("{}/{name}", Role::Face.folder());
    // The extra byte tells the caller that the picture is too large.
    let file = Directory::open(game).ok()?.open_file(&path).ok()?;
    let mut bytes = Vec::new();
    file.take(largest as u64 + 1).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn refuse(report: &Report, diagnostic: Diagnostic) -> Option<Vec<u8>> {
    report.add(diagnostic);
    None
}

/// Returns the names of at most [`MAX_FILES`] entries of a folder, sorted. Returns an empty list if the folder cannot be read.
fn names_in_folder(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn is_link(path: &str) -> Diagnostic {
    Diagnostic::error("link", format!("`{path}` is a symbolic link"))
        .mark(whole_file(path), "not followed")
        .help("put the file itself into the game's folder")
}

fn not_a_file(path: &str) -> Diagnostic {
    Diagnostic::error("unreadable", format!("`{path}` is not a file"))
        .mark(whole_file(path), "a folder or a special file")
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("unreadable", format!("`{path}` cannot be read: {error}")).mark(whole_file(path), "not read")
}

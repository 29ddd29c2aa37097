//! The files of a game in memory.

use crate::diagnostic::{Diagnostic, Diagnostics, GAME, Place, Role, Source, is_workbook, nearest};
use crate::loader::lint::misplaced_files;
use crate::loader::mistake::whole_file;
use crate::loader::report::Report;
use std::sync::Arc;

/// Maximum size of a text file in bytes.
pub(super) const MAX_FILE_BYTES: usize = 64 * 1024;

/// Maximum size of a CSV file in bytes. Larger than [`MAX_FILE_BYTES`], because a CSV file consists of many rows.
pub(super) const MAX_SHEET_BYTES: usize = 1024 * 1024;

/// Maximum total size of all files except workbooks, in bytes.
const MAX_GAME_BYTES: usize = 1024 * 1024;

/// Maximum total size of all workbooks, in bytes.
const MAX_WORKBOOK_BYTES: usize = 4 * 1024 * 1024;

/// Maximum number of files.
pub(super) const MAX_FILES: usize = 256;

/// Content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// Text.
    Text(String),
    /// Raw bytes of a workbook, or of a text file that has not yet been checked for UTF-8.
    Bytes(Vec<u8>),
}

impl From<String> for FileContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for FileContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for FileContent {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl FileContent {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// A workbook with one or more sheets.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Workbook {
    /// Path relative to the game's folder.
    pub(in crate::loader) path: String,
    /// Raw content.
    pub(in crate::loader) bytes: Arc<[u8]>,
}

/// A game's files in memory.
#[derive(Debug, Clone)]
pub struct Files {
    /// Path of the game's folder as the user typed it, or the name of a bundled game.
    pub name: String,
    /// The data files and scripts, sorted by path. Paths are relative to the game's folder.
    pub sources: Vec<Arc<Source>>,
    /// The workbooks, sorted by path.
    pub(in crate::loader) workbooks: Vec<Workbook>,
    /// Overlays from outside the game's folder. They are applied in this order, regardless of the chosen options.
    pub laid: Vec<Arc<Source>>,
    /// The playscripts, sorted by path. The loader only collects the words that they use.
    pub plays: Vec<Arc<Source>>,
    /// The templates of faces, sorted by path. They do not affect the rules.
    pub faces: Vec<Arc<Source>>,
    /// Drawings among the faces, by name, if the game is held in memory. Drawings in a folder are not listed here, because they are read
    /// from disk when they are shown.
    pub drawings: Vec<(String, Arc<str>)>,
    /// Warnings about files that the engine does not read but that look misplaced.
    pub(in crate::loader) strays: Vec<Diagnostic>,
}

impl Files {
    /// Creates the files from paths and contents. Used for bundled games and in tests. Workbooks are given as bytes.
    ///
    /// # Errors
    /// Reports files that exceed a limit or are not UTF-8, and a missing `game.toml`.
    pub fn from_texts<C: Into<FileContent>>(
        name: &str,
        texts: impl IntoIterator<Item = (String, C)>,
    ) -> Result<Self, Diagnostics> {
        let texts = texts.into_iter().map(|(path, content)| (path, content.into()));
        let (ours, others): (Vec<_>, Vec<_>) = texts.partition(|(path, _)| is_game_file(path));
        let strays = misplaced_files::check_paths(ours.iter().chain(&others).map(|(path, _)| path.as_str()));
        let (faces, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(path, _)| Role::of(path) == Some(Role::Face));
        let drawings = others.iter().filter_map(|(path, content)| match content {
            FileContent::Text(text) => Some((drawing_name(path)?, text.as_str().into())),
            FileContent::Bytes(_) => None,
        });
        let drawings = drawings.collect();
        let plays = others.into_iter().filter(|(path, _)| is_play(path));
        let text = |(path, content)| match content {
            FileContent::Text(text) => Some(Arc::new(Source { path, text })),
            FileContent::Bytes(_) => None,
        };
        let plays = plays.filter_map(text).collect();
        let report = Report::default();
        let faces = sources(faces, &report);
        let files = gather(name, ours, &[], report)?;
        Ok(Self { plays, faces, drawings, strays, ..files })
    }

    /// Adds an overlay from outside the game's folder. `path` is the path shown in diagnostics.
    #[must_use]
    pub fn with_overlay(mut self, path: &str, text: String) -> Self {
        self.laid.push(Arc::new(Source::of_file(path, text)));
        self
    }

    /// Replaces or adds text files by path. Used by editors for documents that are not saved yet.
    ///
    /// # Errors
    /// Reports files that exceed a limit.
    pub fn with_texts(self, texts: &[(String, String)]) -> Result<Self, Diagnostics> {
        let Self { name, sources, workbooks, laid, mut plays, mut faces, drawings, strays } = self;
        let texts = texts.iter().map(|(path, text)| (path.clone(), FileContent::Text(text.clone())));
        let (ours, others): (Vec<_>, Vec<_>) = texts.partition(|(path, _)| is_game_file(path));
        let (new_plays, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(path, _)| is_play(path));
        let new_faces = others.into_iter().filter(|(path, _)| Role::of(path) == Some(Role::Face)).collect();
        let report = Report::default();
        for (known, new) in [(&mut plays, new_plays), (&mut faces, new_faces)] {
            let new = self::sources(new, &report);
            known.retain(|file| !new.iter().any(|other| other.path == file.path));
            known.extend(new);
            known.sort_by(|a, b| a.path.cmp(&b.path));
        }
        let mut kept: Vec<Arc<Source>> = sources;
        kept.retain(|source| !ours.iter().any(|(path, _)| *path == source.path));
        let mut checked = gather(&name, with_game(ours, &kept), &[], report)?;
        checked.sources.retain(|source| !kept.iter().any(|known| known.path == source.path));
        checked.sources.extend(kept);
        checked.sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { workbooks, laid, plays, faces, drawings, strays, ..checked })
    }

    /// Returns the data file or script with the given path.
    pub fn find(&self, path: &str) -> Option<&Arc<Source>> {
        self.sources.iter().find(|source| source.path == path)
    }
}

/// Adds the kept `game.toml`, unless a new text replaces it. Without a `game.toml`, the new texts would be rejected.
fn with_game(mut texts: Vec<(String, FileContent)>, kept: &[Arc<Source>]) -> Vec<(String, FileContent)> {
    let game = kept.iter().find(|source| source.role() == Some(Role::Game));
    texts.extend(game.map(|source| (source.path.clone(), FileContent::Text(source.text.clone()))));
    texts
}

/// Returns whether a path is a data file, script or workbook, rather than a face, a playscript or an unknown file.
fn is_game_file(path: &str) -> bool {
    Role::of(path).is_some_and(|role| !matches!(role, Role::Face | Role::Play))
}

/// Converts text files to sources, sorted by path. Reports files that are too large or not UTF-8.
pub(super) fn sources(texts: Vec<(String, FileContent)>, report: &Report) -> Vec<Arc<Source>> {
    let mut sources = Vec::with_capacity(texts.len());
    for (path, content) in texts {
        if content.len() > max_file_bytes(&path) {
            report.add(file_too_large(&path));
        }
        match content {
            FileContent::Text(text) => sources.push(Arc::new(Source::of_file(&path, text))),
            FileContent::Bytes(bytes) => match String::from_utf8(bytes) {
                Ok(text) => sources.push(Arc::new(Source::of_file(&path, text))),
                Err(error) => report.add(not_utf8(&path, &error)),
            },
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// Returns the name of a file in the folder of faces. Returns `None` for paths elsewhere.
fn drawing_name(path: &str) -> Option<String> {
    let name = path.strip_prefix(Role::Face.folder())?.strip_prefix('/')?;
    Some(name.to_owned())
}

fn is_play(path: &str) -> bool {
    Role::of(path) == Some(Role::Play)
}

/// Sorts the contents of a game's files into [`Files`]. Reports files that exceed a limit or are not UTF-8, and a missing `game.toml`.
/// `beside` lists the names in the game's folder, so that a name close to `game.toml` can be suggested.
pub(super) fn gather(
    name: &str,
    contents: Vec<(String, FileContent)>,
    beside: &[String],
    report: Report,
) -> Result<Files, Diagnostics> {
    if let Some((path, _)) = contents.get(MAX_FILES) {
        report.add(too_many_files(path));
    }
    let (workbooks, texts): (Vec<_>, Vec<_>) = contents.into_iter().partition(|(path, _)| is_workbook(path));
    report_total_size(&texts, MAX_GAME_BYTES, "files", &report);
    report_total_size(&workbooks, MAX_WORKBOOK_BYTES, "workbooks", &report);
    let sources = sources(texts, &report);
    let book = |(path, content)| {
        let bytes = match content {
            FileContent::Text(text) => text.into_bytes(),
            FileContent::Bytes(bytes) => bytes,
        };
        Workbook { path, bytes: bytes.into() }
    };
    let mut workbooks: Vec<Workbook> = workbooks.into_iter().map(book).collect();
    workbooks.sort_by(|a, b| a.path.cmp(&b.path));
    // Returns early, because a `game.toml` that is not UTF-8 would otherwise be reported as missing too.
    report.result(())?;
    let report = Report::default();
    if !sources.iter().any(|source| source.role() == Some(Role::Game)) {
        report.add(no_game(name, beside));
    }
    report.result(Files {
        name: name.to_owned(),
        sources,
        workbooks,
        laid: Vec::new(),
        plays: Vec::new(),
        faces: Vec::new(),
        drawings: Vec::new(),
        strays: Vec::new(),
    })
}

/// Reports the first file with which the total size exceeds `room` bytes.
fn report_total_size(contents: &[(String, FileContent)], mut room: usize, what: &str, report: &Report) {
    let most = room;
    let first = contents.iter().find(|(_, content)| {
        let has_room = content.len() <= room;
        room = room.saturating_sub(content.len());
        !has_room
    });
    if let Some((path, _)) = first {
        report.add(game_too_large(path, what, most));
    }
}

/// Returns the maximum size in bytes of the file at `path`. It depends on the type of the file.
pub(super) fn max_file_bytes(path: &str) -> usize {
    if is_workbook(path) {
        MAX_WORKBOOK_BYTES
    } else if is_comma_separated(path) {
        MAX_SHEET_BYTES
    } else {
        MAX_FILE_BYTES
    }
}

/// Returns whether a file is a CSV spreadsheet.
pub(in crate::loader) fn is_comma_separated(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "csv")
}

fn no_game(name: &str, beside: &[String]) -> Diagnostic {
    let found = Diagnostic::error("missing-file", format!("`{name}` has no file `game.toml`"))
        .mark(whole_file(GAME), "not there");
    match nearest(GAME, beside.iter().map(String::as_str)) {
        Some(near) => found.help(format!("rename `{near}` to `game.toml`")),
        None => found.help("give the folder of a game, which contains a `game.toml`"),
    }
}

pub(super) fn too_many_files(path: &str) -> Diagnostic {
    Diagnostic::error("too-many", format!("the game has more than {MAX_FILES} files"))
        .mark(whole_file(path), "one too many")
        .help("combine several files into one")
}

fn game_too_large(path: &str, what: &str, most: usize) -> Diagnostic {
    Diagnostic::error("too-large", format!("the game's {what} are larger than {} KB together", most / 1024))
        .mark(whole_file(path), "the limit is exceeded here")
}

pub(super) fn file_too_large(path: &str) -> Diagnostic {
    Diagnostic::error("too-large", format!("`{path}` is larger than {} KB", max_file_bytes(path) / 1024))
        .mark(whole_file(path), "too large")
        .help("split it into several files")
}

/// Creates the diagnostic for a file that is not UTF-8. Guesses the encoding that was used.
fn not_utf8(path: &str, error: &std::string::FromUtf8Error) -> Diagnostic {
    let (bytes, good) = (error.as_bytes(), error.utf8_error().valid_up_to());
    let place = |text: String, span: std::ops::Range<usize>| {
        let source = Arc::new(Source { path: path.to_owned(), text });
        Place { source, span }
    };
    let not_utf8 = |what: String| Diagnostic::error("not-utf8", format!("`{path}` is not UTF-8 text{what}"));
    let sheet = if is_comma_separated(path) { ": in Excel, \"CSV UTF-8\"" } else { "" };
    let help = format!("save the file as UTF-8{sheet}");
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return not_utf8(": it is UTF-16".to_owned())
            .mark(place(String::new(), 0..0), "in another encoding")
            .help(help);
    }
    if let Some(text) = decode_big5(bytes, good) {
        let end = text[good..].find(|character: char| character.is_ascii()).map_or(text.len(), |at| good + at);
        let words = text[good..end].chars().take(8).collect::<String>();
        let found = not_utf8(format!(": read as Big5, it says `{words}`"));
        return found.mark(place(text, good..end), "the first that is not UTF-8").help(help);
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    let wrong = place(text, good..good + char::REPLACEMENT_CHARACTER.len_utf8());
    let is_mixed = !bytes[..good].is_ascii();
    let how = if is_mixed { ", though its beginning is: two encodings are mixed in it" } else { "" };
    not_utf8(how.to_owned()).mark(wrong, "the first wrong byte").help(help)
}

/// Decodes bytes as Big5. Returns `None` if they are not valid Big5, or if the first `good` bytes are not plain ASCII.
#[cfg(feature = "system")]
fn decode_big5(bytes: &[u8], good: usize) -> Option<String> {
    let is_plain = bytes[..good].is_ascii();
    let text = encoding_rs::BIG5.decode_without_bom_handling_and_without_replacement(bytes).filter(|_| is_plain)?;
    Some(text.into_owned())
}

#[cfg(not(feature = "system"))]
fn decode_big5(_: &[u8], _: usize) -> Option<String> {
    None
}

//! Notes of people at a table, stored in a file beside the recording. Undo, reloading and changed rules do not affect them.

#![allow(clippy::disallowed_types, reason = "what serde derives for a flattened field names every type of number")]

use super::refusal::Refusal;
use crate::diagnostic::{find_invisible, shown, unseen_message};
use crate::files::{Trust, read_trusted, read_unlinked, remove, write_private};
use crate::model::Seat;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Version of the file format, stated in its first line.
const FORMAT: u32 = 1;

/// Maximum number of notes of one author.
pub(crate) const MAX_NOTES: usize = 200;

/// Maximum total size of the notes of one author, in bytes.
pub(crate) const MAX_BYTES: usize = 64 << 10;

/// Maximum size of the file, in bytes.
const MAX_FILE_BYTES: u64 = 8 << 20;

/// Maximum length of a line of the file, in bytes. The line of the longest note is much shorter. Serde stores unknown parts of a line, which
/// take up to 16 times as much memory as their text.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Author of a note, identified by the link used to write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Author {
    /// The player in a seat.
    Seat(Seat),
    /// A person with the link for spectators.
    Onlooker,
    /// The host.
    Host,
    /// Unknown: the note is a `note` statement of the recording, which has no author.
    Recording,
}

impl From<Author> for String {
    fn from(author: Author) -> Self {
        match author {
            Author::Seat(seat) => format!("seat-{}", u16::from(seat.0) + 1),
            Author::Onlooker => "watch".to_owned(),
            Author::Host => "host".to_owned(),
            Author::Recording => "recording".to_owned(),
        }
    }
}

impl TryFrom<String> for Author {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let seat = |number: &str| number.parse::<u8>().ok()?.checked_sub(1).map(|seat| Self::Seat(Seat(seat)));
        let known = match word.as_str() {
            "watch" => Some(Self::Onlooker),
            "host" => Some(Self::Host),
            _ => word.strip_prefix("seat-").and_then(seat),
        };
        known.ok_or_else(|| format!("nobody is called `{word}`: `seat-1`, `watch` or `host`"))
    }
}

/// A note, with its author and its position in the game.
#[allow(
    clippy::disallowed_types,
    reason = "the derived code names every type of number, since the position is flattened"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// Author of the note.
    pub(crate) author: Author,
    /// Name of the player if the author has a seat.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// Time in UTC: `2026-11-28T22:14:05Z`.
    pub(crate) time: String,
    #[serde(flatten)]
    pub(crate) position: Position,
    /// Text of the note, in one line.
    pub(crate) text: String,
}

/// Position in a game at which a note was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Number of choices in the recording.
    pub(crate) choices: usize,
    /// Number of answers. A choice with several picks has several answers.
    pub(crate) answers: usize,
    /// Round, counted from 1; 0 before the first round.
    pub(crate) round: i64,
    /// Id of the phase, if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) phase: String,
    /// Fingerprint of the table in hexadecimal.
    pub(crate) table: String,
    /// Fingerprint of the rules, data and options.
    pub(crate) rules: String,
}

/// Formats a fingerprint in hexadecimal.
pub(crate) fn fingerprint(number: u64) -> String {
    format!("{number:016x}")
}

/// Reason why a note was not added.
#[derive(Debug)]
pub(crate) enum AddNoteError {
    /// The author has reached a quota, or the file its maximum size.
    Full,
    /// The file cannot be written.
    Unwritten(Refusal),
}

/// First line of a notes file: the version of its format.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
}

/// The notes beside one recording.
#[derive(Debug)]
pub(crate) struct NoteFile {
    path: PathBuf,
    notes: Vec<Note>,
}

impl NoteFile {
    /// Returns the path of the notes beside a recording.
    pub(crate) fn beside(recording: &Path) -> PathBuf {
        let mut name = recording.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
        name.push(".notes");
        recording.with_file_name(name)
    }

    /// Opens the notes beside a recording for reading and writing. If there is no file, there are no notes yet.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not valid, or could have been written by another user.
    pub(crate) fn open(recording: &Path) -> Result<Self, Refusal> {
        let path = Self::beside(recording);
        match read_trusted(&path, MAX_FILE_BYTES, Trust::NobodyElseWrites) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if error.is_missing() => Ok(Self { path, notes: Vec::new() }),
            Err(error) => {
                let refusal = Refusal::new(format!("the notes in `{}` are not taken over: {error}", shown(&path)));
                Err(refusal.help("move the file away, or make it writable by you only: `chmod 600`"))
            }
        }
    }

    /// Reads the notes beside a recording, regardless of who owns the file. Returns no notes if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not valid.
    pub(crate) fn read_beside(recording: &Path) -> Result<Self, Refusal> {
        let path = Self::beside(recording);
        match read_unlinked(&path, MAX_FILE_BYTES) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if error.is_missing() => Ok(Self { path, notes: Vec::new() }),
            Err(error) => Err(Refusal::new(format!("`{}` cannot be read: {error}", shown(&path)))),
        }
    }

    fn parse(path: PathBuf, text: &str) -> Result<Self, Refusal> {
        let wrong = |line: usize, why: String| Refusal::new(format!("`{}`, line {}: {why}", shown(&path), line + 1));
        let mut notes = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.len() > MAX_LINE_BYTES {
                return Err(wrong(number, format!("the line is longer than {} KB", MAX_LINE_BYTES >> 10)));
            }
            if number == 0 {
                let head: Head = serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
                if head.format != FORMAT {
                    let why = format!("notes are in format {}, but this program reads {FORMAT}", head.format);
                    return Err(wrong(number, why));
                }
                continue;
            }
            let note: Note = serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
            let position = &note.position;
            let texts = [&note.name, &note.time, &note.text, &position.phase, &position.table, &position.rules];
            if let Some((_, character)) = texts.into_iter().find_map(|text| find_invisible(text)) {
                return Err(wrong(number, unseen_message(character)));
            }
            // Notes are written with blanks in their place. Other line breaks could imitate further notes.
            if texts.into_iter().any(|text| text.contains(['\n', '\r', '\t'])) {
                return Err(wrong(number, "a note is a single line".to_owned()));
            }
            notes.push(note);
        }
        Ok(Self { path, notes })
    }

    /// Returns the notes in chronological order.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Adds a note and writes the file. When this returns, the note is on the disk.
    ///
    /// # Errors
    /// Returns an error if a quota is exceeded or the file cannot be written. In that case the notes are unchanged.
    pub(crate) fn add(&mut self, note: Note) -> Result<(), AddNoteError> {
        let own = || self.notes.iter().filter(|known| known.author == note.author);
        let bytes: usize = own().map(|known| known.text.len()).sum();
        if own().count() >= MAX_NOTES || bytes + note.text.len() > MAX_BYTES {
            return Err(AddNoteError::Full);
        }
        self.notes.push(note);
        let text = self.text();
        let added = if text.len() as u64 > MAX_FILE_BYTES { Err(AddNoteError::Full) } else { write(&self.path, &text) };
        if added.is_err() {
            self.notes.pop();
        }
        added
    }

    /// Writes a copy of the notes beside another recording. Does nothing if there are no notes.
    ///
    /// # Errors
    /// Returns an error if the copy cannot be written.
    pub(crate) fn copy_beside(&self, recording: &Path) -> Result<(), Refusal> {
        if self.notes.is_empty() {
            return Ok(());
        }
        match write(&Self::beside(recording), &self.text()) {
            Err(AddNoteError::Unwritten(why)) => Err(why),
            _ => Ok(()),
        }
    }

    /// Deletes all notes and the file. Called after the notes were copied beside another recording.
    ///
    /// # Errors
    /// Returns an error if the file cannot be deleted.
    pub(crate) fn remove(&mut self) -> Result<(), Refusal> {
        self.notes.clear();
        remove(&self.path).map_err(|error| Refusal::new(format!("`{}` cannot be removed: {error}", shown(&self.path))))
    }

    fn text(&self) -> String {
        let mut text = format!("{{\"format\":{FORMAT}}}\n");
        for note in &self.notes {
            let line = serde_json::to_string(note).expect("a note is made of texts and numbers");
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

/// Replaces the whole file. The file is small, and an atomic write leaves no incomplete line if the program is killed.
fn write(path: &Path, text: &str) -> Result<(), AddNoteError> {
    write_private(path, text.as_bytes())
        .map_err(|error| AddNoteError::Unwritten(Refusal::new(format!("`{}` cannot be written: {error}", shown(path)))))
}

/// Formats seconds since 1970 as a date and time in UTC. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// `civil_from_days`, for days after 1970.
pub(crate) fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March here, so that the leap day is the last day of the year.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Directory;

    fn note(author: Author, text: &str) -> Note {
        let (table, rules) = (fingerprint(7), fingerprint(8));
        let position = Position { choices: 3, answers: 4, round: 2, phase: "auction".to_owned(), table, rules };
        Note { author, name: "Ann".to_owned(), time: utc(0), position, text: text.to_owned() }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("OUT_DIR")).join(name);
        Directory::create(&folder).unwrap();
        remove(&NoteFile::beside(&folder.join("evening.play"))).unwrap();
        folder
    }

    #[test]
    fn time_is_formatted_in_utc() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_904_045, "2026-11-28T22:14:05Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn notes_survive_writing_and_reading() {
        let folder = folder("notes-read");
        let recording = folder.join("evening.play");
        let mut file = NoteFile::open(&recording).unwrap();
        assert!(file.notes().is_empty());
        for author in [Author::Seat(Seat(0)), Author::Onlooker, Author::Host] {
            file.add(note(author, "Ben: \"I resign\", \\ 說")).unwrap();
        }
        assert_eq!(NoteFile::open(&recording).unwrap().notes(), file.notes());
        let text = read_unlinked(&NoteFile::beside(&recording), MAX_FILE_BYTES).unwrap();
        assert!(text.starts_with("{\"format\":1}\n{\"author\":\"seat-1\",\"name\":\"Ann\","), "{text}");
        for (wrong, why) in [
            ("{\"format\":2}\n", "format 2"),
            ("x\n", "line 1"),
            ("{\"format\":1}\n{\"author\":\"ann\"}\n", "line 2"),
            (&text.replace("auction", "auc\\u001btion"), "line 2"),
            (&format!("{{\"format\":1}}\n{{\"z\":[{}0]}}\n", "0,".repeat(40_000)), "longer than 64 KB"),
        ] {
            write_private(&NoteFile::beside(&recording), wrong.as_bytes()).unwrap();
            let refused = NoteFile::read_beside(&recording).unwrap_err();
            assert!(refused.message.contains(why), "{}", refused.message);
        }
    }

    #[test]
    fn the_quota_of_an_author_is_enforced() {
        let folder = folder("notes-quota");
        let recording = folder.join("evening.play");
        let mut file = NoteFile::open(&recording).unwrap();
        let long = "說".repeat(1_000);
        let written = (0..MAX_NOTES).take_while(|_| file.add(note(Author::Onlooker, &long)).is_ok()).count();
        assert_eq!(written, MAX_BYTES / long.len(), "size is limited");
        assert!(matches!(file.add(note(Author::Onlooker, &long)), Err(AddNoteError::Full)));
        let written = (0..=MAX_NOTES).take_while(|_| file.add(note(Author::Host, "a")).is_ok()).count();
        assert_eq!(written, MAX_NOTES, "number is limited");
        file.add(note(Author::Seat(Seat(0)), "still mine")).unwrap();
        let all = NoteFile::open(&recording).unwrap();
        assert_eq!(all.notes().len(), MAX_BYTES / long.len() + MAX_NOTES + 1);
    }
}

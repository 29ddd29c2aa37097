//! Notes that people write down at a table: data in a file beside the recording, which no undo, reload or change of the rules touches.

#![allow(clippy::disallowed_types, reason = "what serde derives for a flattened field names every type of number")]

use super::refusal::Refusal;
use crate::diagnostic::{shown, unseen_in, unseen_message};
use crate::files::{Trust, read_trusted, read_unlinked, remove, write_private};
use crate::model::Seat;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Version of the file's format, named by its first line.
const FORMAT: u32 = 1;

/// Maximum number of notes of one author.
pub(crate) const MOST_NOTES: usize = 200;

/// Maximum size of all notes of one author together, in bytes.
pub(crate) const MOST_BYTES: usize = 64 << 10;

/// Maximum size of the file, in bytes.
const LARGEST: u64 = 8 << 20;

/// Author of a note: whose link it was written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Author {
    /// The player in a seat.
    Seat(Seat),
    /// Somebody with the link to watch.
    Onlooker,
    /// The host.
    Host,
    /// Unknown: a `note` statement of the recording, which names nobody.
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

/// One note.
#[allow(
    clippy::disallowed_types,
    reason = "the derived code names every type of number, since the position is flattened"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// Whose link it was written with.
    pub(crate) author: Author,
    /// Name of the player, for an author in a seat.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// When it was written, in UTC: `2026-11-28T22:14:05Z`.
    pub(crate) time: String,
    #[serde(flatten)]
    pub(crate) position: Position,
    /// The note itself, in one line.
    pub(crate) text: String,
}

/// Position in a game at which a note was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Number of choices in the recording.
    pub(crate) choices: usize,
    /// Number of answers, of which a choice of several picks has more than one.
    pub(crate) answers: usize,
    /// Round, counted from 1; 0 before the first.
    pub(crate) round: i64,
    /// Id of the phase, if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) phase: String,
    /// Fingerprint of the table, in hexadecimal digits.
    pub(crate) table: String,
    /// Fingerprint of the rules, data and options that were played by.
    pub(crate) rules: String,
}

/// A fingerprint as notes hold it.
pub(crate) fn fingerprint(number: u64) -> String {
    format!("{number:016x}")
}

/// Reason for which a note is not added.
#[derive(Debug)]
pub(crate) enum NotAdded {
    /// The author has written as much as one author may.
    Full,
    /// The file cannot be written.
    Unwritten(Refusal),
}

/// First line of the file.
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
    /// Path of the notes beside a recording.
    pub(crate) fn beside(recording: &Path) -> PathBuf {
        let mut name = recording.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
        name.push(".notes");
        recording.with_file_name(name)
    }

    /// Opens the notes beside a recording, to show them and add to them.
    ///
    /// # Errors
    /// When the file cannot be read, is of another format, or somebody else may have written it.
    pub(crate) fn open(recording: &Path) -> Result<Self, Refusal> {
        let path = Self::beside(recording);
        match read_trusted(&path, LARGEST, Trust::NobodyElseWrites) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if error.is_missing() => Ok(Self { path, notes: Vec::new() }),
            Err(error) => {
                let refusal = Refusal::new(format!("the notes in `{}` are not taken over: {error}", shown(&path)));
                Err(refusal.help("move the file away, or make it one that you alone can write: `chmod 600`"))
            }
        }
    }

    /// Reads the notes beside a recording, whoever wrote them; none if there is no such file.
    ///
    /// # Errors
    /// When the file cannot be read, or is of another format.
    pub(crate) fn read_beside(recording: &Path) -> Result<Self, Refusal> {
        let path = Self::beside(recording);
        match read_unlinked(&path, LARGEST) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if error.is_missing() => Ok(Self { path, notes: Vec::new() }),
            Err(error) => Err(Refusal::new(format!("`{}` cannot be read: {error}", shown(&path)))),
        }
    }

    fn parse(path: PathBuf, text: &str) -> Result<Self, Refusal> {
        let wrong = |line: usize, why: String| Refusal::new(format!("`{}`, line {}: {why}", shown(&path), line + 1));
        let mut notes = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if number == 0 {
                let head: Head = serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
                if head.format != FORMAT {
                    let why = format!("notes of format {}, and this program reads {FORMAT}", head.format);
                    return Err(wrong(number, why));
                }
                continue;
            }
            let note: Note = serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
            let position = &note.position;
            let texts = [&note.name, &note.time, &note.text, &position.phase, &position.table, &position.rules];
            if let Some((_, character)) = texts.into_iter().find_map(|text| unseen_in(text)) {
                return Err(wrong(number, unseen_message(character)));
            }
            notes.push(note);
        }
        Ok(Self { path, notes })
    }

    /// The notes, in the order in which they were written.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Adds a note. It is on the disk when this returns.
    ///
    /// # Errors
    /// When the author's quota is used up, or the file cannot be written: then no note is added or lost.
    pub(crate) fn add(&mut self, note: Note) -> Result<(), NotAdded> {
        let own = || self.notes.iter().filter(|known| known.author == note.author);
        let bytes: usize = own().map(|known| known.text.len()).sum();
        if own().count() >= MOST_NOTES || bytes + note.text.len() > MOST_BYTES {
            return Err(NotAdded::Full);
        }
        self.notes.push(note);
        let text = self.text();
        let added = if text.len() as u64 > LARGEST { Err(NotAdded::Full) } else { write(&self.path, &text) };
        if added.is_err() {
            self.notes.pop();
        }
        added
    }

    /// Writes the same notes beside another recording, unless there are none.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn copy_beside(&self, recording: &Path) -> Result<(), Refusal> {
        if self.notes.is_empty() {
            return Ok(());
        }
        match write(&Self::beside(recording), &self.text()) {
            Err(NotAdded::Unwritten(why)) => Err(why),
            _ => Ok(()),
        }
    }

    /// Removes the file, once its notes lie beside another recording.
    ///
    /// # Errors
    /// When it cannot be removed.
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

// The whole file is written anew each time: it is small, and a program that is killed meanwhile leaves no half line.
fn write(path: &Path, text: &str) -> Result<(), NotAdded> {
    write_private(path, text.as_bytes())
        .map_err(|error| NotAdded::Unwritten(Refusal::new(format!("`{}` cannot be written: {error}", shown(path)))))
}

/// Formats seconds since 1970 as a date and time in UTC. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// `civil_from_days`, for days after 1970.
pub(crate) fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years of this calendar begin in March, so that the day of a leap year is the last.
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
    fn a_time_is_shown_as_a_date_in_utc() {
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
    fn notes_are_read_as_they_were_written() {
        let folder = folder("notes-read");
        let recording = folder.join("evening.play");
        let mut file = NoteFile::open(&recording).unwrap();
        assert!(file.notes().is_empty());
        for author in [Author::Seat(Seat(0)), Author::Onlooker, Author::Host] {
            file.add(note(author, "Ben: \"I resign\", \\ 說")).unwrap();
        }
        assert_eq!(NoteFile::open(&recording).unwrap().notes(), file.notes());
        let text = read_unlinked(&NoteFile::beside(&recording), LARGEST).unwrap();
        assert!(text.starts_with("{\"format\":1}\n{\"author\":\"seat-1\",\"name\":\"Ann\","), "{text}");
        for (wrong, why) in [
            ("{\"format\":2}\n", "format 2"),
            ("x\n", "line 1"),
            ("{\"format\":1}\n{\"author\":\"ann\"}\n", "line 2"),
            (&text.replace("auction", "auc\\u001btion"), "line 2"),
        ] {
            write_private(&NoteFile::beside(&recording), wrong.as_bytes()).unwrap();
            let refused = NoteFile::read_beside(&recording).unwrap_err();
            assert!(refused.message.contains(why), "{}", refused.message);
        }
    }

    #[test]
    fn an_author_has_a_quota_and_what_is_there_stays() {
        let folder = folder("notes-quota");
        let recording = folder.join("evening.play");
        let mut file = NoteFile::open(&recording).unwrap();
        let long = "說".repeat(1_000);
        let written = (0..MOST_NOTES).take_while(|_| file.add(note(Author::Onlooker, &long)).is_ok()).count();
        assert_eq!(written, MOST_BYTES / long.len(), "size is limited");
        assert!(matches!(file.add(note(Author::Onlooker, &long)), Err(NotAdded::Full)));
        let written = (0..=MOST_NOTES).take_while(|_| file.add(note(Author::Host, "a")).is_ok()).count();
        assert_eq!(written, MOST_NOTES, "number is limited");
        file.add(note(Author::Seat(Seat(0)), "still mine")).unwrap();
        let all = NoteFile::open(&recording).unwrap();
        assert_eq!(all.notes().len(), MOST_BYTES / long.len() + MOST_NOTES + 1);
    }
}

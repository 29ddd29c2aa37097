//! One message about one place in a game's files, its rendering, and "did you mean".

mod comment;
mod declaring;
mod format;
mod grouped;
mod lacking;
mod lookalikes;
mod path;
mod registry;
mod render;
mod role;
pub mod sentence;
mod shortened;
mod suggest;
mod unseen;

pub use comment::without_comment;
#[cfg(feature = "system")]
pub(crate) use declaring::is_name;
pub use declaring::{how_to_declare, how_to_give};
pub use lacking::UnknownField;
pub use lookalikes::{QUOTES, Unlike, is_quote, plain};
pub use path::{OTHER_SPREADSHEETS, is_workbook, shown};
pub use registry::{Example, Explanation, explain, explanations};
pub use render::render;
pub use role::{AGENT_WORDS, FIRST_RULES, GAME, Role};
pub use sentence::{
    Sentence, another_turn_of_nobody, change_at_once, change_while_asking, change_while_reading, choice_in_a_closure,
    choice_in_a_trial, choice_out_of_place, draw_in_a_trial, end_in_a_trial, flag_expected, next_turn_of_none,
};
pub use shortened::{shortened, shortened_to};
pub use suggest::{did_you_mean, is_one_slip_from, nearest, unlikeness};
pub use unseen::{is_unseen, unseen_in, unseen_in_json, unseen_message, unseen_written_out};

use std::ops::Range;
use std::sync::Arc;

/// A text a diagnostic may point into: a file of a game, or what was written on the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name as people see it: a path below the game's folder, or `--set`.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

impl Source {
    /// A file, without the mark of its byte order that some editors begin it with.
    pub fn of_file(path: &str, text: String) -> Self {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Self { path: path.to_owned(), text }
    }

    /// A sheet of a workbook: its text has a line for each row, and a tab behind each cell.
    pub fn of_sheet(path: &str, sheet: &str, text: String) -> Self {
        Self { path: format!("{path}{SHEET}{sheet}"), text }
    }

    /// The file it is, or is a sheet of.
    pub fn file(&self) -> &str {
        sheet_of(&self.path).map_or(&self.path, |(file, _)| file)
    }
}

/// What stands between a workbook and the name of one of its sheets.
const SHEET: &str = ", sheet ";

/// The file and the name of a sheet of a workbook.
fn sheet_of(path: &str) -> Option<(&str, &str)> {
    path.split_once(SHEET).filter(|(file, _)| is_workbook(file))
}

impl Diagnostic {
    /// A text holds a character that nobody sees.
    pub fn unseen(character: char, place: Place) -> Self {
        let found = Self::error("unseen-character", unseen_message(character));
        found.mark(place, "holds a character that is not seen").help(unseen::UNSEEN_HELP)
    }
}

/// A stretch of bytes in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub source: Arc<Source>,
    /// The bytes, on character boundaries.
    pub span: Range<usize>,
}

impl Place {
    /// Line and column of the first byte, both from 1, the column in characters.
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.span.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// Where it is, for people: file, line and column, or file, sheet and cell.
    pub fn shown(&self) -> String {
        let (line, column) = self.line_column();
        if sheet_of(&self.source.path).is_none() {
            return format!("{}:{line}:{column}", self.source.path);
        }
        let before = self.source.text[..self.span.start].rsplit('\n').next().unwrap_or_default();
        format!("{}, {}{line}", self.source.path, letters(before.matches('\t').count()))
    }

    /// The place of the word that begins at a line and column (both from 1, in characters).
    pub fn at(source: &Arc<Source>, line: usize, column: usize) -> Self {
        let text = &source.text;
        let line_start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
        let rest = &text[line_start..];
        let line_text = rest.split('\n').next().unwrap_or("");
        let offset = line_text.char_indices().nth(column.saturating_sub(1)).map_or(line_text.len(), |(at, _)| at);
        Self::word_at(source, line_start + offset)
    }

    /// The place of the word that begins at a byte; of what is no word, the first character.
    pub fn word_at(source: &Arc<Source>, start: usize) -> Self {
        let tail = source.text[start..].split('\n').next().unwrap_or("");
        let word = tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len());
        let length = if word > 0 { word } else { tail.chars().next().map_or(0, char::len_utf8) };
        Self { source: source.clone(), span: start..start + length }
    }
}

/// A column of a spreadsheet, counted from 0, as it is called: `A` to `Z`, then `AA`.
fn letters(column: usize) -> String {
    let last = char::from(b'A' + (column % 26) as u8);
    if column < 26 { last.to_string() } else { format!("{}{last}", letters(column / 26 - 1)) }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The game cannot be played like this.
    Error,
    /// It can, but the author should look.
    Warning,
}

/// A place that matters, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub place: Place,
    /// What is there.
    pub note: String,
}

/// Lines that belong to a message, under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// What they are.
    pub heading: String,
    /// The lines; a single one stands beside the heading.
    pub lines: Vec<String>,
}

/// One message for the author of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable word for this sort of mistake.
    pub code: &'static str,
    /// What is there and what was expected: lower case, no full stop.
    pub message: String,
    /// The places, the one to look at first.
    pub marks: Vec<Mark>,
    /// How play came there, innermost first.
    pub trace: Vec<String>,
    /// What stood on the table, or was offered: what a person wants to look at beside the place.
    pub details: Vec<Detail>,
    /// What to do: begins with a verb or "did you mean".
    pub help: Option<String>,
    /// The command that shows the mistake again.
    pub reproduce: Option<String>,
}

/// Maximum number of characters of one sentence of a message, which may repeat texts of files.
const LONGEST_SENTENCE: usize = 2000;

fn cut(sentence: String) -> String {
    match shortened_to(&sentence, LONGEST_SENTENCE) {
        std::borrow::Cow::Borrowed(_) => sentence,
        std::borrow::Cow::Owned(short) => short,
    }
}

impl Diagnostic {
    /// An error without a place yet. Sentences of a message that are too long to be read are shortened.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: cut(message.into()),
            marks: Vec::new(),
            trace: Vec::new(),
            details: Vec::new(),
            help: None,
            reproduce: None,
        }
    }

    /// What several parts say in the same words, at a place.
    pub fn said(sentence: Sentence, place: Place) -> Self {
        let found = Self::error(sentence.code, sentence.headline).mark(place, sentence.note);
        sentence.help.into_iter().fold(found, Self::help)
    }

    /// A warning without a place yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// What it comes before and after among others: its file, and where it begins and ends there.
    pub(crate) fn order(&self) -> Option<(&str, usize, usize)> {
        let place = &self.marks.first()?.place;
        Some((&place.source.path, place.span.start, place.span.end))
    }

    /// The same with one more place; the first one added is the one to look at first.
    #[must_use]
    pub fn mark(mut self, place: Place, note: impl Into<String>) -> Self {
        self.marks.push(Mark { place, note: cut(note.into()) });
        self
    }

    /// The same with lines under a heading; without lines there is nothing to show.
    #[must_use]
    pub fn detail(mut self, heading: impl Into<String>, lines: Vec<String>) -> Self {
        if !lines.is_empty() {
            self.details.push(Detail { heading: heading.into(), lines });
        }
        self
    }

    /// The same with a help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(cut(help.into()));
        self
    }

    /// The same with a help line, if there is one.
    #[must_use]
    pub(crate) fn maybe_help(self, help: Option<&str>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Whether a mistake lies in what was chosen for a game, as on a command line, and not in its files.
    pub fn is_about_choices(&self) -> bool {
        self.marks.first().is_some_and(|mark| mark.place.source.path.starts_with("--"))
    }

    /// The message in one line, with the place to look at first.
    pub fn in_a_line(&self) -> String {
        let place = self.marks.first().map(|mark| format!(" ({})", mark.place.shown()));
        format!("{}{}", self.message, place.unwrap_or_default())
    }

    /// The same with "did you mean", if any of the words known is near enough to the one written.
    #[must_use]
    pub fn suggest<'a>(mut self, written: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        if let Some(help) = did_you_mean(written, known) {
            self.help = Some(help);
        }
        self
    }
}

/// Every mistake that was found at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl std::error::Error for Diagnostics {}

//! Diagnostics: messages about places in a game's files, their rendering, and "did you mean".

mod declaration_help;
mod fault;
mod format;
mod lookalikes;
mod merge_similar;
mod path;
mod playscript_comment;
mod registry;
mod render;
mod role;
pub mod sentence;
mod shorten;
mod suggest;
mod unknown_field;
mod unseen;

pub use declaration_help::{how_to_declare, how_to_give, is_name};
pub use fault::Fault;
pub use lookalikes::{LookalikePair, QUOTES, is_quote, plain};
pub(crate) use merge_similar::drop_repeated;
pub use path::{OTHER_SPREADSHEETS, is_workbook, shown};
pub use playscript_comment::without_comment;
pub use registry::{Example, Explanation, explain, explanations};
pub use render::render;
pub use role::{AGENT_WORDS, FIRST_RULES, GAME, Role};
pub use sentence::{
    another_turn_of_nobody, change_at_once, change_while_asking, change_while_reading, choice_in_a_closure,
    choice_in_a_trial, choice_out_of_place, draw_in_a_trial, end_in_a_trial, flag_expected, next_turn_of_none,
};
pub use shorten::{shortened, shortened_to};
pub use suggest::{did_you_mean, edit_distance, is_one_slip_from, nearest};
pub use unknown_field::UnknownField;
pub use unseen::{escape_unseen, find_invisible, find_invisible_in_json, is_unseen, unseen_message};

use std::ops::Range;
use std::sync::Arc;

/// Maximum number of mistakes of one kind that a check looks for.
pub(crate) const MAX_REPORTED: usize = 200;

/// Text that a diagnostic can point into: a file of a game, or a command-line argument.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Name for messages: a path below the game's folder, or an option such as `--set`.
    pub path: String,
    /// The complete text.
    pub text: String,
}

impl Source {
    /// Creates the source of a file. A byte order mark at the beginning is removed.
    pub fn of_file(path: &str, text: String) -> Self {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Self { path: path.to_owned(), text }
    }

    /// Creates the source of a sheet of a workbook. `text` has a line for each row, with a tab after each cell.
    pub fn of_sheet(path: &str, sheet: &str, text: String) -> Self {
        Self { path: format!("{path}{SHEET}{sheet}"), text }
    }

    /// Returns the path of the file. For a sheet, this is the path of its workbook.
    pub fn file(&self) -> &str {
        sheet_of(&self.path).map_or(&self.path, |(file, _)| file)
    }
}

/// Separator between the path of a workbook and the name of a sheet.
const SHEET: &str = ", sheet ";

/// Splits the path of a sheet into the path of the workbook and the name of the sheet.
fn sheet_of(path: &str) -> Option<(&str, &str)> {
    path.split_once(SHEET).filter(|(file, _)| is_workbook(file))
}

impl Diagnostic {
    /// Creates the error for an invisible character.
    pub fn unseen(character: char, place: Place) -> Self {
        let found = Self::error("unseen-character", unseen_message(character));
        found.mark(place, "contains an invisible character").help(unseen::UNSEEN_HELP)
    }
}

/// Range of bytes in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The source that contains the range.
    pub source: Arc<Source>,
    /// The range in bytes; both ends lie on character boundaries.
    pub span: Range<usize>,
}

impl Place {
    /// Returns the line and the column of the first byte. Both count from 1, and the column counts characters.
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.span.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// Formats the place for messages: `file:line:column`, or file, sheet and cell.
    pub fn shown(&self) -> String {
        let (line, column) = self.line_column();
        if sheet_of(&self.source.path).is_none() {
            return format!("{}:{line}:{column}", self.source.path);
        }
        let before = self.source.text[..self.span.start].rsplit('\n').next().unwrap_or_default();
        format!("{}, {}{line}", self.source.path, letters(before.matches('\t').count()))
    }

    /// Returns the place of the word that begins at `line` and `column`. Both count from 1, and the column counts characters.
    pub fn at(source: &Arc<Source>, line: usize, column: usize) -> Self {
        let text = &source.text;
        let line_start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
        let rest = &text[line_start..];
        let line_text = rest.split('\n').next().unwrap_or("");
        let offset = line_text.char_indices().nth(column.saturating_sub(1)).map_or(line_text.len(), |(at, _)| at);
        Self::word_at(source, line_start + offset)
    }

    /// Returns the place of the word that begins at byte `start`. If there is no word, returns the place of the character there.
    pub fn word_at(source: &Arc<Source>, start: usize) -> Self {
        let tail = source.text[start..].split('\n').next().unwrap_or("");
        let word = tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len());
        let length = if word > 0 { word } else { tail.chars().next().map_or(0, char::len_utf8) };
        Self { source: source.clone(), span: start..start + length }
    }
}

/// Formats a column index (from 0) as spreadsheets do: `A` to `Z`, then `AA`.
fn letters(column: usize) -> String {
    let last = char::from(b'A' + (column % 26) as u8);
    if column < 26 { last.to_string() } else { format!("{}{last}", letters(column / 26 - 1)) }
}

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The game cannot be played.
    Error,
    /// The game can be played, but this is probably not what the author meant.
    Warning,
}

/// A marked place with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The marked place.
    pub place: Place,
    /// Label at the place.
    pub note: String,
}

/// Lines under a heading, shown below the snippets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The heading.
    pub heading: String,
    /// The lines. If there is only one, it is shown beside the heading.
    pub lines: Vec<String>,
}

/// One message for the author of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Severity: error or warning.
    pub severity: Severity,
    /// Stable identifier of this kind of mistake, such as `unknown-field`.
    pub code: &'static str,
    /// Headline: lower case, without a full stop.
    pub message: String,
    /// Marked places, the primary one first.
    pub marks: Vec<Mark>,
    /// Calls that led to the place while playing, innermost first.
    pub trace: Vec<String>,
    /// Context of the mistake, such as the table or the options offered.
    pub details: Vec<Detail>,
    /// Help line: begins with a verb or "did you mean".
    pub help: Option<String>,
    /// Command that reproduces the mistake.
    pub reproduce: Option<String>,
}

/// Maximum number of characters of a headline, note or help. Longer ones are shortened, because they may quote arbitrarily long parts of
/// files.
const MAX_SENTENCE_CHARS: usize = 2000;

fn limit_length(sentence: String) -> String {
    match shortened_to(&sentence, MAX_SENTENCE_CHARS) {
        std::borrow::Cow::Borrowed(_) => sentence,
        std::borrow::Cow::Owned(short) => short,
    }
}

impl Diagnostic {
    /// Creates an error without a place. The headline, notes and help are shortened if they are very long.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: limit_length(message.into()),
            marks: Vec::new(),
            trace: Vec::new(),
            details: Vec::new(),
            help: None,
            reproduce: None,
        }
    }

    /// Creates a warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Returns the sort key: the path of the first place, and the offsets of its start and end. Returns `None` if the diagnostic has no
    /// place.
    pub fn order(&self) -> Option<(&str, usize, usize)> {
        let place = &self.marks.first()?.place;
        Some((&place.source.path, place.span.start, place.span.end))
    }

    /// Adds a place with a note. The first place added is the primary one.
    #[must_use]
    pub fn mark(mut self, place: Place, note: impl Into<String>) -> Self {
        self.marks.push(Mark { place, note: limit_length(note.into()) });
        self
    }

    /// Adds lines under a heading. Does nothing if there are no lines.
    #[must_use]
    pub fn detail(mut self, heading: impl Into<String>, lines: Vec<String>) -> Self {
        if !lines.is_empty() {
            self.details.push(Detail { heading: heading.into(), lines });
        }
        self
    }

    /// Sets the help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(limit_length(help.into()));
        self
    }

    /// Sets the help line if `help` is `Some`.
    #[must_use]
    pub(crate) fn maybe_help(self, help: Option<&str>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Returns whether the mistake is in the user's choices, such as a command-line option, rather than in the game's files.
    pub fn is_about_choices(&self) -> bool {
        self.marks.first().is_some_and(|mark| mark.place.source.path.starts_with("--"))
    }

    /// Formats the message and the primary place on one line.
    pub fn in_a_line(&self) -> String {
        let place = self.marks.first().map(|mark| format!(" ({})", mark.place.shown()));
        format!("{}{}", self.message, place.unwrap_or_default())
    }

    /// Sets the help line to "did you mean" if one of the `known` words is similar to `written`.
    #[must_use]
    pub fn suggest<'a>(mut self, written: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        if let Some(help) = did_you_mean(written, known) {
            self.help = Some(help);
        }
        self
    }
}

/// All diagnostics of one check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl std::error::Error for Diagnostics {}

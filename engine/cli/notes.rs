//! `parlour notes`: prints the notes that people wrote at a table in the browser.

use super::examples;
use super::opening;
use super::output::{Failure, Output};
use super::wrap::wrap_line;
use crate::desk::game_folder::game_named;
use crate::desk::note_file::{Author, Note, NoteFile, Position, fingerprint};
use crate::desk::saved_game::SavedGame;
use crate::diagnostic::shown;
use crate::playscript::{Play, StatementKind};
use crate::report::csv_line;
use crate::session::{Game, Setup};
use clap::{Args, ValueEnum};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Output format of `parlour notes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum NotesFormat {
    /// Human-readable text
    #[default]
    Text,
    /// Markdown, for a page or an issue
    Markdown,
    /// CSV, for a spreadsheet
    Csv,
}

/// Prints the notes that people wrote at a table in the browser
///
/// If `parlour serve` saves a game to FILE, its notes are in FILE.notes. Each note is printed with its author, the time, the position in
/// the game, and whether the rules have changed since.
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour notes evening.play",
    "parlour notes evening.play --format csv > notes.csv         for a spreadsheet",
    "parlour notes evening.play --format markdown > notes.md     for a page or an issue",
    "parlour notes evening.play --game games/my-game             compares with the rules in this folder",
))]
pub(super) struct Notes {
    /// Saved game
    file: PathBuf,
    /// Folder or name of the current game [default: the game whose folder contains the recording, otherwise the game that comes with the
    /// program under the recorded name]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = NotesFormat::Text)]
    format: NotesFormat,
}

/// Comparison of the current rules with the rules at the time of a note.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RulesSince {
    Same,
    Changed,
    Unknown,
}

impl RulesSince {
    const fn word(self) -> &'static str {
        match self {
            Self::Same => "no",
            Self::Changed => "yes",
            Self::Unknown => "unknown",
        }
    }
}

impl Notes {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let given = self.game.as_deref().map(|name| opening::open(name, output)).transpose()?;
        let source = SavedGame::read(&self.file)?;
        let play = crate::playscript::parse(source.source()).map_err(|mistakes| output.mistakes(&mistakes))?;
        let notes = NoteFile::read_beside(&self.file)?;
        let all: Vec<Note> = remarks(&play).into_iter().chain(notes.notes().iter().cloned()).collect();
        let now = current_rules_fingerprint(&play, &self.file, given.as_ref());
        if now.is_none() && !all.is_empty() {
            let why = "the game of this recording cannot be opened, so it is unknown whether its rules have changed";
            output.remark(format!("{why}: `--game` names it"))?;
        }
        let judged: Vec<(&Note, RulesSince)> =
            all.iter().map(|note| (note, rules_since(note, now.as_deref()))).collect();
        match self.format {
            NotesFormat::Text => print_text(&judged, output)?,
            NotesFormat::Markdown => output.write(&markdown(&judged, &shown(&self.file)))?,
            NotesFormat::Csv => output.write(&csv(&judged))?,
        }
        output.flush()
    }
}

/// Returns the notes in the recording itself. Earlier versions of the program stored all notes there, and people may add notes by hand.
fn remarks(play: &Play) -> Vec<Note> {
    let mut choices = 0;
    let mut found = Vec::new();
    for statement in &play.head {
        match &statement.what {
            StatementKind::Choice { .. } => choices += 1,
            // The recorder itself writes notes at the beginning of rounds.
            StatementKind::Note(text) if !is_round(text) => found.push(Note {
                author: Author::Recording,
                name: String::new(),
                time: String::new(),
                position: Position { choices, ..Position::default() },
                text: text.clone(),
            }),
            _ => {}
        }
    }
    found
}

fn is_round(note: &str) -> bool {
    note.strip_prefix("Round ").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the fingerprint of the current rules for the setup of the recording, or `None` if the game cannot be opened with this setup.
fn current_rules_fingerprint(play: &Play, file: &Path, given: Option<&Game>) -> Option<String> {
    let mut setup = Setup::seats(0);
    let mut name = None;
    for statement in &play.head {
        match &statement.what {
            StatementKind::Game(word) => name = Some(word),
            StatementKind::Players(names) => setup = Setup { seats: names.len() as u8, names: names.clone(), ..setup },
            StatementKind::Option(option, value) => setup.options.push((option.clone(), value.clone())),
            StatementKind::Set(path, value) => setup.sets.push((path.clone(), value.clone())),
            _ => {}
        }
    }
    let game = game_named(name?, file, given).ok()?;
    game.layout(&setup).ok().map(|layout| fingerprint(layout.model.fingerprint))
}

fn rules_since(note: &Note, now: Option<&str>) -> RulesSince {
    match now {
        Some(now) if !note.position.rules.is_empty() => {
            if note.position.rules == now {
                RulesSince::Same
            } else {
                RulesSince::Changed
            }
        }
        _ => RulesSince::Unknown,
    }
}

fn author(note: &Note) -> String {
    match note.author {
        Author::Seat(seat) if note.name.is_empty() => format!("seat {}", u16::from(seat.0) + 1),
        Author::Seat(_) => note.name.clone(),
        Author::Onlooker => "an onlooker".to_owned(),
        Author::Host => "the host".to_owned(),
        Author::Recording => "in the recording".to_owned(),
    }
}

fn time(note: &Note) -> String {
    let plain = note.time.trim_end_matches('Z').replace('T', " ");
    if plain.is_empty() { plain } else { format!("{plain} UTC") }
}

/// Formats a position in the game, such as "round 2, after choice 14".
fn place(position: &Position) -> String {
    let choices = match position.choices {
        0 => "before the first choice".to_owned(),
        number => format!("after choice {number}"),
    };
    let round = (position.round > 0).then(|| format!("round {}", position.round));
    let phase = Some(position.phase.clone()).filter(|phase| !phase.is_empty());
    [round, phase, Some(choices)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the heading of a note: author, time, position, and whether the rules have changed.
fn heading(note: &Note, rules: RulesSince) -> String {
    let changed = (rules == RulesSince::Changed).then(|| "the rules have changed since".to_owned());
    let time = Some(time(note)).filter(|time| !time.is_empty());
    [Some(author(note)), time, Some(place(&note.position)), changed]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}

fn print_text(notes: &[(&Note, RulesSince)], output: &mut Output) -> Result<(), Failure> {
    if notes.is_empty() {
        return output.line("nobody has written anything down");
    }
    for (at, (note, rules)) in notes.iter().enumerate() {
        if at > 0 {
            output.line("")?;
        }
        output.line(heading(note, *rules))?;
        for line in wrap_line(&format!("  {}", note.text)) {
            output.line(line)?;
        }
    }
    Ok(())
}

fn markdown(notes: &[(&Note, RulesSince)], file: &str) -> String {
    let mut page = format!("# Notes on {}\n", escaped(file));
    for (note, rules) in notes {
        let _ = write!(page, "\n- **{}**\n\n  {}\n", escaped(&heading(note, *rules)), escaped(&note.text));
    }
    page
}

/// Escapes text for Markdown, so that it cannot contain markup or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn csv(notes: &[(&Note, RulesSince)]) -> String {
    let headings =
        ["author", "name", "time", "choices", "answers", "round", "phase", "table", "rules", "rules_changed", "text"];
    let mut table = csv_line(&headings);
    for (note, rules) in notes {
        let position = &note.position;
        table.push_str(&csv_line(&[
            String::from(note.author),
            note.name.clone(),
            note.time.clone(),
            position.choices.to_string(),
            position.answers.to_string(),
            position.round.to_string(),
            position.phase.clone(),
            position.table.clone(),
            position.rules.clone(),
            rules.word().to_owned(),
            note.text.clone(),
        ]));
    }
    table
}

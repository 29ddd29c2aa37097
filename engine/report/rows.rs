//! Single games as CSV rows and JSON lines.

use crate::model::{Model, Seat, escape_formula};
use crate::simulation::{Measure, Record};
use itoa::Integer;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

/// Lines of one game for each of the run's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameRows {
    /// A line of `games.csv`.
    pub games: Vec<u8>,
    /// Lines of `seats.csv`.
    pub seats: Vec<u8>,
    /// Lines of `details.csv`.
    pub details: Vec<u8>,
    /// A line of `games.jsonl`.
    pub lines: Vec<u8>,
}

/// Measures that have a column in `games.csv`.
const COLUMNS: [Measure; 14] = [
    Measure::Rounds,
    Measure::Turns,
    Measure::Decisions,
    Measure::Forced,
    Measure::Options,
    Measure::Tie,
    Measure::Margin,
    Measure::LastGap,
    Measure::LeadChanges,
    Measure::LastLead,
    Measure::LeaderWins(1),
    Measure::LeaderWins(2),
    Measure::LeaderWins(3),
    Measure::Comeback,
];

/// Renders games of one batch.
#[derive(Debug, Clone)]
pub struct Rows {
    model: Arc<Model>,
    agents: Vec<String>,
}

impl Rows {
    /// Creates a renderer for games of a model, given the agent of each seat.
    pub fn new(model: Arc<Model>, agents: Vec<String>) -> Self {
        Self { model, agents }
    }

    /// Returns the headings of the tables, as lines.
    pub fn headings() -> GameRows {
        let mut games = vec!["players", "game", "seed", "ending", "winners"];
        games.extend(COLUMNS.iter().map(Measure::id));
        games.extend(["fingerprint", "fault"]);
        GameRows {
            games: line(&games),
            seats: line(&["players", "game", "seat", "agent", "rank", "score", "win", "decisions"]),
            details: line(&["players", "game", "seat", "what", "name", "number"]),
            lines: Vec::new(),
        }
    }

    /// Renders one game.
    pub fn game_rows(&self, record: &Record) -> GameRows {
        GameRows {
            games: self.game(record),
            seats: self.seats(record),
            details: self.details(record),
            lines: self.json(record),
        }
    }

    /// Writes the number of a measure, or an empty field if the game has no number for it.
    fn put_number(&self, lines: &mut CsvLines, record: &Record, wanted: &Measure) {
        let number = record.numbers.iter().find(|(measure, _)| measure == wanted).map(|(_, number)| *number);
        match (number, wanted.unit(self.model.seats)) {
            (Some(number), 1) => lines.number(number),
            (Some(number), unit) => lines.decimal(number, unit),
            (None, _) => lines.empty(),
        }
    }

    fn game(&self, record: &Record) -> Vec<u8> {
        let mut lines = CsvLines::new(160);
        lines.number(self.model.seats);
        lines.number(record.game);
        lines.number(record.seed);
        if let Some(outcome) = &record.outcome {
            lines.text(record.ending(outcome));
            lines.several(outcome.winners().map(Seat::number));
        } else {
            lines.empty();
            lines.empty();
        }
        for measure in &COLUMNS {
            self.put_number(&mut lines, record, measure);
        }
        lines.fingerprint(record.fingerprint);
        match &record.fault {
            Some(fault) => lines.text(&one_line(&fault.message)),
            None => lines.empty(),
        }
        lines.end();
        lines.text
    }

    fn seats(&self, record: &Record) -> Vec<u8> {
        let mut lines = CsvLines::new(48 * usize::from(self.model.seats));
        for standing in record.outcome.iter().flat_map(|outcome| &outcome.standings) {
            let seat = standing.seat;
            lines.number(self.model.seats);
            lines.number(record.game);
            lines.number(seat.number());
            lines.text(self.agents.get(seat.index()).or(self.agents.first()).map_or("", |agent| agent));
            lines.number(standing.rank);
            lines.number(standing.score);
            self.put_number(&mut lines, record, &Measure::Win(seat.0));
            self.put_number(&mut lines, record, &Measure::DecisionsOf(seat.0));
            lines.end();
        }
        lines.text
    }

    fn details(&self, record: &Record) -> Vec<u8> {
        let mut lines = CsvLines::new(0);
        for (measure, number) in &record.numbers {
            let (name, seat) = match measure {
                Measure::Part(name, seat) => (Cow::from(&**name), Some(*seat)),
                Measure::Tally(name, seat) => (Cow::from(&**name), *seat),
                Measure::Attempts(scenario) | Measure::ScenarioWon(scenario) => (Cow::from(&**scenario), None),
                Measure::Carried(scenario, place) => (Cow::from(format!("{scenario}.{place}")), None),
                _ => continue,
            };
            lines.number(self.model.seats);
            lines.number(record.game);
            match seat {
                Some(seat) => lines.number(u16::from(seat) + 1),
                None => lines.empty(),
            }
            lines.text(measure.id());
            lines.text(&name);
            lines.number(*number);
            lines.end();
        }
        lines.text
    }

    /// Serializes directly into the line. Building a document in memory first would take most of the time of writing a
    /// game.
    fn json(&self, record: &Record) -> Vec<u8> {
        let mut text = Vec::with_capacity(1024);
        let written = self.put_json(record, &mut serde_json::Serializer::new(&mut text));
        written.expect("a document in memory takes every game");
        text.push(b'\n');
        text
    }

    fn put_json<S: Serializer>(&self, record: &Record, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_map(None)?;
        document.serialize_entry("players", &self.model.seats)?;
        document.serialize_entry("game", &record.game)?;
        document.serialize_entry("seed", &record.seed)?;
        if let Some(outcome) = &record.outcome {
            let standings = || outcome.standings.iter();
            document.serialize_entry("ending", record.ending(outcome))?;
            document.serialize_entry("ranks", &standings().map(|standing| standing.rank).collect::<Vec<_>>())?;
            document.serialize_entry("scores", &standings().map(|standing| standing.score).collect::<Vec<_>>())?;
        }
        for (measure, number) in &record.numbers {
            match measure.unit(self.model.seats) {
                _ if matches!(measure, Measure::Score(_) | Measure::Ending(_)) => {}
                1 => document.serialize_entry(&MeasureKey(measure), number)?,
                unit => document.serialize_entry(&MeasureKey(measure), &(*number as f64 / unit as f64))?,
            }
        }
        document.serialize_entry("fingerprint", &format_args!("{:016x}", record.fingerprint))?;
        if let Some(fault) = &record.fault {
            document.serialize_entry("fault", &json!({ "code": fault.code, "message": fault.message }))?;
        }
        document.end()
    }
}

/// A measure's id as a JSON key.
struct MeasureKey<'a>(&'a Measure);

impl Serialize for MeasureKey<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.unqualified_word() {
            Some(word) => serializer.serialize_str(word),
            None => serializer.collect_str(self.0),
        }
    }
}

/// CSV lines under construction.
struct CsvLines {
    text: Vec<u8>,
    /// Whether the current line has a field.
    is_begun: bool,
}

impl CsvLines {
    /// Creates an empty buffer with a capacity in bytes.
    fn new(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes), is_begun: false }
    }

    fn empty(&mut self) {
        self.begin_field();
    }

    /// Writes an integer. Uses `itoa`, because a run writes millions of them.
    fn number(&mut self, number: impl Integer) {
        self.begin_field();
        self.digits(number);
    }

    fn digits(&mut self, number: impl Integer) {
        self.text.extend(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Writes `number / unit` with four decimals, rounded to nearest, ties to even.
    fn decimal(&mut self, number: i64, unit: i64) {
        const PLACES: i128 = 10_000;
        let (number, unit) = (i128::from(number), i128::from(unit));
        let (whole, rest) = (number.abs() * PLACES / unit, number.abs() * PLACES % unit);
        let rounded = whole + i128::from(rest * 2 > unit || rest * 2 == unit && whole % 2 == 1);
        self.begin_field();
        if number < 0 {
            self.text.push(b'-');
        }
        self.digits((rounded / PLACES) as u64);
        self.text.push(b'.');
        // Adding `PLACES` puts a 1 in front, so that leading zeros are kept. The 1 is then cut off.
        let decimals = (PLACES + rounded % PLACES) as u64;
        self.text.extend(&itoa::Buffer::new().format(decimals).as_bytes()[1..]);
    }

    fn several(&mut self, numbers: impl Iterator<Item = i64>) {
        self.begin_field();
        for (at, number) in numbers.enumerate() {
            if at > 0 {
                self.text.push(b'+');
            }
            self.digits(number);
        }
    }

    fn fingerprint(&mut self, fingerprint: u64) {
        self.begin_field();
        write!(self.text, "{fingerprint:016x}").expect("a table in memory takes every line");
    }

    fn text(&mut self, field: &str) {
        self.begin_field();
        let field = escaped(field);
        if field.contains([',', '"', '\r', '\n']) {
            self.quoted(&field);
        } else {
            self.text.extend(field.as_bytes());
        }
    }

    fn quoted(&mut self, field: &str) {
        self.text.push(b'"');
        self.text.extend(field.replace('"', "\"\"").as_bytes());
        self.text.push(b'"');
    }

    fn begin_field(&mut self) {
        if self.is_begun {
            self.text.push(b',');
        }
        self.is_begun = true;
    }

    fn end(&mut self) {
        self.text.push(b'\n');
        self.is_begun = false;
    }
}

/// Formats a CSV line.
pub(super) fn line<S: AsRef<str>>(fields: &[S]) -> Vec<u8> {
    let mut lines = CsvLines::new(0);
    for field in fields {
        lines.text(field.as_ref());
    }
    lines.end();
    lines.text
}

/// Formats a line of a CSV file, with its end.
#[cfg(feature = "page")]
pub(crate) fn csv_line<S: AsRef<str>>(fields: &[S]) -> String {
    String::from_utf8(line(fields)).expect("a line is made of texts")
}

/// Escapes a text that a spreadsheet would evaluate as a formula. A sign before a number is allowed.
fn escaped(field: &str) -> Cow<'_, str> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    let is_number =
        !digits.is_empty() && digits.chars().all(|character| character.is_ascii_digit() || character == '.');
    if is_number { field.into() } else { escape_formula(field) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{CsvLines, line};

    #[test]
    fn fields_with_separators_are_quoted() {
        let line = line(&["a,b", "say \"no\"", "two\nlines", "", "plain text"]);
        assert_eq!(
            String::from_utf8(line).expect("it is text"),
            "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",,plain text\n"
        );
    }

    #[test]
    fn decimals_equal_those_of_the_standard_formatter() {
        for (number, unit) in [
            (0, 12),
            (1, 3),
            (2, 3),
            (7, 12),
            (12, 12),
            (1, 64),
            (3, 64),
            (-5, 4),
            (1_999_999, 1_000),
            (99_999, 100_000),
        ] {
            let mut lines = CsvLines::new(0);
            lines.decimal(number, unit);
            assert_eq!(String::from_utf8(lines.text).unwrap(), format!("{:.4}", number as f64 / unit as f64));
        }
    }

    #[test]
    fn formulas_are_escaped_and_numbers_are_not() {
        let line = line(&["=cmd", "@a", "-x", "-3", "-0.5", "ace", "'=1"]);
        assert_eq!(String::from_utf8(line).expect("it is text"), "'=cmd,'@a,'-x,-3,-0.5,ace,''=1\n");
    }
}

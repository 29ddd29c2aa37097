//! Single games as CSV rows and JSON lines.

use crate::model::{Model, Seat, escape_formulas};
use crate::simulation::{Measure, Record, win_unit};
use itoa::Integer;
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;
use std::sync::Arc;

/// Lines that one game adds to each game file of a run.
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

/// Returns the index of a measure in [`COLUMNS`].
fn column(measure: &Measure) -> Option<usize> {
    Some(match measure {
        Measure::Rounds => 0,
        Measure::Turns => 1,
        Measure::Decisions => 2,
        Measure::Forced => 3,
        Measure::Options => 4,
        Measure::Tie => 5,
        Measure::Margin => 6,
        Measure::LastGap => 7,
        Measure::LeadChanges => 8,
        Measure::LastLead => 9,
        Measure::LeaderWins(quarter @ 1..=3) => 9 + usize::from(*quarter),
        Measure::Comeback => 13,
        _ => return None,
    })
}

/// Renderer for the games of one batch.
#[derive(Debug, Clone)]
pub struct Rows {
    model: Arc<Model>,
    agents: Vec<String>,
    /// Integer that represents an undivided win.
    win_unit: i64,
}

/// Numbers of one game that have a column, collected in one pass over its measures.
#[derive(Default)]
struct ColumnNumbers {
    /// Number of each measure in [`COLUMNS`].
    game: [Option<i64>; COLUMNS.len()],
    /// Wins and decisions of each seat.
    seats: Vec<[Option<i64>; 2]>,
}

impl ColumnNumbers {
    fn new(record: &Record, seats: u8) -> Self {
        let mut found = Self { seats: vec![[None; 2]; usize::from(seats)], ..Self::default() };
        for (measure, number) in &record.numbers {
            let entry = match measure {
                Measure::Win(seat) => found.seats.get_mut(usize::from(*seat)).map(|seat| &mut seat[0]),
                Measure::DecisionsOf(seat) => found.seats.get_mut(usize::from(*seat)).map(|seat| &mut seat[1]),
                _ => column(measure).map(|at| &mut found.game[at]),
            };
            if let Some(entry) = entry {
                *entry = Some(*number);
            }
        }
        found
    }
}

impl Rows {
    /// Creates a renderer for games of a model, given the agent of each seat.
    pub fn new(model: Arc<Model>, agents: Vec<String>) -> Self {
        let win_unit = win_unit(model.seats);
        Self { model, agents, win_unit }
    }

    /// Returns the heading lines of the CSV files.
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
        let numbers = ColumnNumbers::new(record, self.model.seats);
        GameRows {
            games: self.game(record, &numbers),
            seats: self.seats(record, &numbers),
            details: self.details(record),
            lines: self.json(record),
        }
    }

    /// Writes the number of a measure, or an empty field if the game has no number for it.
    fn put_number(&self, lines: &mut CsvLines, measure: &Measure, number: Option<i64>) {
        match (number, measure.unit_with(self.model.seats, self.win_unit)) {
            (Some(number), 1) => lines.number(number),
            (Some(number), unit) => lines.decimal(number, unit),
            (None, _) => lines.empty(),
        }
    }

    fn game(&self, record: &Record, numbers: &ColumnNumbers) -> Vec<u8> {
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
        for (measure, number) in COLUMNS.iter().zip(numbers.game) {
            self.put_number(&mut lines, measure, number);
        }
        lines.fingerprint(record.fingerprint);
        match &record.fault {
            Some(fault) => lines.text(&one_line(&fault.message)),
            None => lines.empty(),
        }
        lines.end();
        lines.text
    }

    fn seats(&self, record: &Record, numbers: &ColumnNumbers) -> Vec<u8> {
        let mut lines = CsvLines::new(48 * usize::from(self.model.seats));
        for standing in record.outcome.iter().flat_map(|outcome| &outcome.standings) {
            let seat = standing.seat;
            lines.number(self.model.seats);
            lines.number(record.game);
            lines.number(seat.number());
            lines.text(self.agents.get(seat.index()).or(self.agents.first()).map_or("", |agent| agent));
            lines.number(standing.rank);
            lines.number(standing.score);
            let [wins, decisions] = numbers.seats[seat.index()];
            self.put_number(&mut lines, &Measure::Win(seat.0), wins);
            self.put_number(&mut lines, &Measure::DecisionsOf(seat.0), decisions);
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

    fn json(&self, record: &Record) -> Vec<u8> {
        let mut line = JsonLine::new();
        line.number("players", self.model.seats);
        line.number("game", record.game);
        line.number("seed", record.seed);
        if let Some(outcome) = &record.outcome {
            let standings = || outcome.standings.iter();
            line.text("ending", record.ending(outcome));
            line.numbers("ranks", standings().map(|standing| standing.rank));
            line.numbers("scores", standings().map(|standing| standing.score));
        }
        for (measure, number) in &record.numbers {
            if !matches!(measure, Measure::Score(_) | Measure::Ending(_)) {
                line.measure(measure, *number, measure.unit_with(self.model.seats, self.win_unit));
            }
        }
        line.key("fingerprint");
        line.text.push(b'"');
        line.text.extend(hexadecimal(record.fingerprint));
        line.text.push(b'"');
        if let Some(fault) = &record.fault {
            line.key("fault");
            line.value(&json!({ "code": fault.code, "message": fault.message }));
        }
        line.end()
    }
}

/// Formats a number as 16 hexadecimal digits.
fn hexadecimal(number: u64) -> [u8; 16] {
    std::array::from_fn(|at| b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize])
}

/// Builder for a JSON object on one line. Writes most entries without a serializer, which would take most of the time needed to write a
/// game.
struct JsonLine {
    text: Vec<u8>,
}

impl JsonLine {
    fn new() -> Self {
        let mut text = Vec::with_capacity(1024);
        text.push(b'{');
        Self { text }
    }

    /// Writes a key that needs no escapes.
    fn key(&mut self, key: &str) {
        self.begin_entry();
        self.text.extend(key.as_bytes());
        self.text.extend(b"\":");
    }

    /// Writes the quotation mark before a key, preceded by a comma unless the key is the first one.
    fn begin_entry(&mut self) {
        self.text.extend(if self.text.len() > 1 { &b",\""[..] } else { &b"\""[..] });
    }

    fn number(&mut self, key: &str, number: impl Integer) {
        self.key(key);
        self.write_digits(number);
    }

    fn write_digits(&mut self, number: impl Integer) {
        self.text.extend(itoa::Buffer::new().format(number).as_bytes());
    }

    fn numbers<I: Integer>(&mut self, key: &str, numbers: impl Iterator<Item = I>) {
        self.key(key);
        self.text.push(b'[');
        for (at, number) in numbers.enumerate() {
            if at > 0 {
                self.text.push(b',');
            }
            self.write_digits(number);
        }
        self.text.push(b']');
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.value(text);
    }

    /// Writes an entry with the name of a measure and the value `number / unit`.
    fn measure(&mut self, measure: &Measure, number: i64, unit: i64) {
        self.begin_entry();
        let is_plain = !measure.has_names();
        measure.for_each_word_part(|part| {
            if is_plain || part.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.text.extend(part.as_bytes());
            } else {
                let quoted = serde_json::to_string(part).expect("every text is valid JSON");
                self.text.extend(&quoted.as_bytes()[1..quoted.len() - 1]);
            }
        });
        self.text.extend(b"\":");
        match unit {
            1 => self.write_digits(number),
            // Fast path for integers, which are frequent. Very large numbers are left to the serializer, because it writes them with an
            // exponent.
            unit if number % unit == 0 && number.unsigned_abs() < 1 << 50 => {
                self.write_digits(number / unit);
                self.text.extend(b".0");
            }
            unit => self.value(&(number as f64 / unit as f64)),
        }
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.text, value).expect("a document in memory takes every game");
    }

    fn end(mut self) -> Vec<u8> {
        self.text.extend(b"}\n");
        self.text
    }
}

/// Builder for CSV lines.
struct CsvLines {
    text: Vec<u8>,
    /// Whether the current line has a field.
    is_begun: bool,
}

impl CsvLines {
    /// Creates an empty builder with the given capacity in bytes.
    fn new(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes), is_begun: false }
    }

    fn empty(&mut self) {
        self.begin_field();
    }

    /// Writes an integer. Uses `itoa`, because a run writes millions of them.
    fn number(&mut self, number: impl Integer) {
        self.begin_field();
        self.write_digits(number);
    }

    fn write_digits(&mut self, number: impl Integer) {
        self.text.extend(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Writes `number / unit` with four decimals, rounded to nearest, ties to even.
    fn decimal(&mut self, number: i64, unit: i64) {
        const PLACES: u64 = 10_000;
        let (is_negative, number, unit) = (number < 0, number.unsigned_abs(), unit.unsigned_abs());
        // Rounding only the remainder avoids overflow without 128-bit integers, whose division is slow.
        let (whole, rest) = (number / unit, number % unit * PLACES);
        let (part, left) = (rest / unit, rest % unit);
        let part = part + u64::from(left * 2 > unit || left * 2 == unit && part % 2 == 1);
        self.begin_field();
        if is_negative {
            self.text.push(b'-');
        }
        self.write_digits(whole + part / PLACES);
        self.text.push(b'.');
        // Adding `PLACES` puts a 1 in front, so that leading zeros are kept. The 1 is then cut off.
        let decimals = PLACES + part % PLACES;
        self.text.extend(&itoa::Buffer::new().format(decimals).as_bytes()[1..]);
    }

    fn several(&mut self, numbers: impl Iterator<Item = i64>) {
        self.begin_field();
        for (at, number) in numbers.enumerate() {
            if at > 0 {
                self.text.push(b'+');
            }
            self.write_digits(number);
        }
    }

    fn fingerprint(&mut self, fingerprint: u64) {
        self.begin_field();
        self.text.extend(hexadecimal(fingerprint));
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

/// Formats a CSV line, including its line break, as bytes.
pub(super) fn line<S: AsRef<str>>(fields: &[S]) -> Vec<u8> {
    let mut lines = CsvLines::new(0);
    for field in fields {
        lines.text(field.as_ref());
    }
    lines.end();
    lines.text
}

/// Formats a CSV line, including its line break.
#[cfg(feature = "page")]
pub(crate) fn csv_line<S: AsRef<str>>(fields: &[S]) -> String {
    String::from_utf8(line(fields)).expect("a line is made of texts")
}

/// Escapes a field that a spreadsheet would evaluate as a formula. Negative numbers are left as they are.
fn escaped(field: &str) -> Cow<'_, str> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    let is_number =
        !digits.is_empty() && digits.chars().all(|character| character.is_ascii_digit() || character == '.');
    if is_number { field.into() } else { escape_formulas(field) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, CsvLines, JsonLine, column, hexadecimal, line};
    use crate::simulation::Measure;

    #[test]
    fn fields_with_separators_are_quoted() {
        let line = line(&["a,b", "say \"no\"", "two\nlines", "", "plain text"]);
        assert_eq!(
            String::from_utf8(line).expect("it is text"),
            "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",,plain text\n"
        );
    }

    #[test]
    fn columns_have_their_own_index() {
        for (at, measure) in COLUMNS.iter().enumerate() {
            assert_eq!(column(measure), Some(at), "{measure}");
        }
        assert_eq!(column(&Measure::Win(0)), None);
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
    fn json_lines_equal_those_of_the_serializer() {
        let measures = [Measure::Rounds, Measure::Win(11), Measure::Tally("a \"b\" \\ é".into(), Some(1))];
        for number in [0, 5, -1, 999, 1000, -2500, 1 << 49, 1 << 50, 1 << 53, i64::MAX, i64::MIN] {
            for (unit, measure) in
                [1, 2, 12, 1000, 720_720].into_iter().flat_map(|unit| measures.iter().map(move |one| (unit, one)))
            {
                let mut line = JsonLine::new();
                line.text("ending", "é \"\n");
                line.numbers("ranks", [1, 2].into_iter());
                line.measure(measure, number, unit);
                let digits = hexadecimal(number as u64);
                assert_eq!(digits, *format!("{:016x}", number as u64).as_bytes());
                let key = measure.word();
                let expected = match unit {
                    1 => serde_json::json!({ "ending": "é \"\n", "ranks": [1, 2], key: number }),
                    unit => {
                        serde_json::json!({ "ending": "é \"\n", "ranks": [1, 2], key: number as f64 / unit as f64 })
                    }
                };
                assert_eq!(String::from_utf8(line.end()).unwrap(), format!("{expected}\n"));
            }
        }
    }

    #[test]
    fn formulas_are_escaped_and_numbers_are_not() {
        let line = line(&["=cmd", "@a", "-x", "-3", "-0.5", "ace", "'=1"]);
        assert_eq!(String::from_utf8(line).expect("it is text"), "'=cmd,'@a,'-x,-3,-0.5,ace,''=1\n");
    }
}

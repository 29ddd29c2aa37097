//! Every game as rows of tables, and as a line of JSON.

use crate::model::{Model, harmless};
use crate::simulation::{Measure, Record};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The lines of one game, by file.
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

/// The measures that have a column in `games.csv`.
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

/// Writes games of one batch down.
#[derive(Debug, Clone)]
pub struct Rows {
    model: Arc<Model>,
    agents: Vec<String>,
}

impl Rows {
    /// For games of a model, with the agent of each seat.
    pub fn new(model: Arc<Model>, agents: Vec<String>) -> Self {
        Self { model, agents }
    }

    /// The first lines of the tables.
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

    /// The lines of a game.
    pub fn of(&self, record: &Record) -> GameRows {
        GameRows {
            games: self.game(record),
            seats: self.seats(record),
            details: self.details(record),
            lines: self.json(record),
        }
    }

    fn number(&self, record: &Record, wanted: &Measure) -> Option<String> {
        let (measure, number) = record.numbers.iter().find(|(measure, _)| measure == wanted)?;
        Some(decimal(*number, measure.unit(self.model.seats)))
    }

    fn game(&self, record: &Record) -> Vec<u8> {
        let outcome = record.outcome.as_ref();
        let ending = outcome.map(|outcome| self.model.endings[outcome.ending.index()].id.to_string());
        let winners = outcome
            .map(|outcome| outcome.winners().map(|seat| seat.number().to_string()).collect::<Vec<_>>().join("+"));
        let mut fields = vec![
            self.model.seats.to_string(),
            record.game.to_string(),
            record.seed.to_string(),
            ending.unwrap_or_default(),
            winners.unwrap_or_default(),
        ];
        fields.extend(COLUMNS.iter().map(|measure| self.number(record, measure).unwrap_or_default()));
        fields.push(format!("{:016x}", record.fingerprint));
        fields.push(record.fault.as_ref().map_or_else(String::new, |fault| one_line(&fault.message)));
        line(&fields)
    }

    fn seats(&self, record: &Record) -> Vec<u8> {
        let mut lines = Vec::new();
        for standing in record.outcome.iter().flat_map(|outcome| &outcome.standings) {
            let seat = standing.seat;
            let agent = self.agents.get(seat.index()).or(self.agents.first()).cloned().unwrap_or_default();
            lines.extend(line(&[
                self.model.seats.to_string(),
                record.game.to_string(),
                seat.number().to_string(),
                agent,
                standing.rank.to_string(),
                standing.score.to_string(),
                self.number(record, &Measure::Win(seat.0)).unwrap_or_default(),
                self.number(record, &Measure::DecisionsOf(seat.0)).unwrap_or_default(),
            ]));
        }
        lines
    }

    fn details(&self, record: &Record) -> Vec<u8> {
        let mut lines = Vec::new();
        for (measure, number) in &record.numbers {
            let (seat, name) = match measure {
                Measure::Part(name, seat) => ((seat + 1).to_string(), name),
                Measure::Tally(name, seat) => (seat.map_or_else(String::new, |seat| (seat + 1).to_string()), name),
                _ => continue,
            };
            let (players, game) = (self.model.seats.to_string(), record.game.to_string());
            lines.extend(line(&[&players, &game, &seat, measure.id(), name, &number.to_string()]));
        }
        lines
    }

    fn json(&self, record: &Record) -> Vec<u8> {
        let mut document = Map::new();
        document.insert("players".to_owned(), json!(self.model.seats));
        document.insert("game".to_owned(), json!(record.game));
        document.insert("seed".to_owned(), json!(record.seed));
        if let Some(outcome) = &record.outcome {
            document.insert("ending".to_owned(), json!(*self.model.endings[outcome.ending.index()].id));
            let standings = || outcome.standings.iter();
            document.insert("ranks".to_owned(), standings().map(|standing| json!(standing.rank)).collect());
            document.insert("scores".to_owned(), standings().map(|standing| json!(standing.score)).collect());
        }
        for (measure, number) in &record.numbers {
            let unit = measure.unit(self.model.seats);
            if !matches!(measure, Measure::Score(_) | Measure::Ending(_)) {
                let number = if unit == 1 { json!(number) } else { json!(*number as f64 / unit as f64) };
                document.insert(measure.word(), number);
            }
        }
        document.insert("fingerprint".to_owned(), json!(format!("{:016x}", record.fingerprint)));
        if let Some(fault) = &record.fault {
            document.insert("fault".to_owned(), json!({ "code": fault.code, "message": fault.message }));
        }
        let mut text = Value::Object(document).to_string().into_bytes();
        text.push(b'\n');
        text
    }
}

/// A line of a table.
pub(super) fn line<S: AsRef<str>>(fields: &[S]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields.iter().map(|field| shown(field.as_ref()).into_owned()));
    written.expect("a table in memory takes every line");
    writer.into_inner().expect("a table in memory takes every line")
}

/// A field as it stands in a table: a text that a spreadsheet would compute is harmless; numbers may begin with a sign.
fn shown(field: &str) -> std::borrow::Cow<'_, str> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    let is_number = !digits.is_empty() && digits.chars().all(|sign| sign.is_ascii_digit() || sign == '.');
    if is_number { field.into() } else { harmless(field) }
}

/// A number of units as a decimal number.
fn decimal(number: i64, unit: i64) -> String {
    if unit == 1 { number.to_string() } else { format!("{:.4}", number as f64 / unit as f64) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn texts_that_a_spreadsheet_would_compute_are_harmless_and_numbers_stay_numbers() {
        let line = line(&["=cmd", "@a", "-x", "-3", "-0.5", "ace", "'=1"]);
        assert_eq!(String::from_utf8(line).expect("it is text"), "'=cmd,'@a,'-x,-3,-0.5,ace,''=1\n");
    }
}

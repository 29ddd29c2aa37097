//! Reads amounts: numbers that are given directly, by the name of a param, or by number of players.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE, Table, is_by_players, is_count, param_value};
use crate::loader::keys::key::{Amount, Key};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{out_of_range, quoted_number, unknown, wrong_type};
use crate::loader::section::draft::Draft;
use crate::model::Setting;
use std::ops::RangeInclusive;

/// Expected form of an amount, for messages.
const AMOUNT: &str = "a whole number, a param or a table by number of players";

impl Draft<'_> {
    /// Returns the value of an amount for the draft's number of players. Returns `None` and reports a mistake if the amount cannot be read.
    pub(in crate::loader) fn amount(&self, name: &str, node: &Node) -> Option<i64> {
        match &node.data {
            Data::Number(number) => Some(*number),
            Data::Text(param) => self.number_param(name, param, &node.place),
            Data::Table(table) if is_by_players(table) => {
                let column = self.column(name, table, &node.place)?;
                if column.table().is_some() {
                    self.mistake(wrong_type(name, "a whole number or a param for each number of players", column));
                    return None;
                }
                self.amount(name, column)
            }
            _ => {
                self.mistake(wrong_type(name, AMOUNT, node));
                None
            }
        }
    }

    /// Like [`Draft::amount`], but also reports numbers outside `from..=to`.
    pub(in crate::loader) fn amount_within(&self, name: &str, node: &Node, from: i64, to: i64) -> Option<i64> {
        let number = self.amount(name, node)?;
        if (from..=to).contains(&number) {
            return Some(number);
        }
        self.mistake(out_of_range(name, number, from, to, &node.place));
        None
    }

    /// Reads the amount of a key, if present.
    pub(in crate::loader) fn read_amount(&self, fields: &Fields<'_>, key: &Key<Amount>) -> Option<i64> {
        self.amount_within(key.name, fields.get(key)?, key.value_type.0, key.value_type.1)
    }

    fn number_param(&self, name: &str, param: &str, place: &Place) -> Option<i64> {
        let chosen = self.params.get(param).map(|param| &param.value);
        match chosen.or_else(|| self.options.get(param).map(|option| &option.value)) {
            Some(Setting::Number(number)) => return Some(*number),
            // A mistake in the param itself has been reported where it is declared.
            Some(Setting::Nothing) => {}
            Some(_) => self.mistake(self.not_a_number(name, param, place)),
            None if param.parse::<i64>().is_ok() => self.mistake(quoted_number(name, param, place)),
            None if param.starts_with(|first: char| first.is_ascii_digit()) => {
                self.mistake(bad_number(name, param, place));
            }
            None => self.mistake(self.unknown_param(param, place)),
        }
        None
    }

    /// Creates the diagnostic for a param or option that is not a number. Also marks the value of the param.
    fn not_a_number(&self, name: &str, param: &str, place: &Place) -> Diagnostic {
        let message = format!("`{name}` must be a whole number, but `{param}` is not");
        let found = Diagnostic::error("wrong-type", message).mark(place.clone(), "not a number");
        match self.section("params").iter().find(|(known, _)| ***known == *param) {
            Some((_, entry)) => {
                let said = param_value(&entry.node);
                found.mark(said.place.clone(), format!("this is {}", said.sort()))
            }
            None => found,
        }
    }

    /// Creates the diagnostic for a word that is neither a param nor an option.
    pub(in crate::loader) fn unknown_param(&self, word: &str, place: &Place) -> Diagnostic {
        let known = self.params.keys().chain(self.options.keys()).map(|name| &**name);
        unknown("unknown-param", "param", word, place, known)
    }

    /// Returns the node for the draft's number of players if `node` is a table by number of players. Otherwise returns `node` itself.
    pub(in crate::loader) fn for_players<'n>(&self, name: &str, node: &'n Node) -> Option<&'n Node> {
        match &node.data {
            Data::Table(table) if is_by_players(table) => self.column(name, table, &node.place),
            _ => Some(node),
        }
    }

    /// Returns the value for the draft's number of players in a table by number of players. Reports missing numbers of players and other
    /// keys.
    pub(in crate::loader) fn column<'n>(&self, name: &str, table: &'n Table, place: &Place) -> Option<&'n Node> {
        for (key, entry) in table.iter().filter(|(key, _)| !is_count(key) && !matches!(&***key, PROVENANCE | "about")) {
            self.mistake(not_a_count(name, key, entry));
        }
        if self.knows_players {
            self.check_counts(name, table, place);
        }
        table.get(&*self.seats.to_string()).map(|entry| &entry.node)
    }

    /// Reports numbers of players that are missing from the table, and numbers of players that the game does not allow.
    fn check_counts(&self, name: &str, table: &Table, place: &Place) {
        let missing: Vec<u8> = self.players.clone().filter(|count| !table.contains_key(&*count.to_string())).collect();
        if !missing.is_empty() {
            self.mistake(missing_count(name, &missing, place));
        }
        let is_unused = |key: &str| is_count(key) && !self.players.clone().any(|count| count.to_string() == key);
        for (key, entry) in table.iter().filter(|(key, _)| is_unused(key)) {
            self.mistake(unused_count(name, key, &entry.key, &self.players));
        }
    }
}

/// Creates the diagnostic for a word that starts with a digit, and is neither a number nor the name of a param.
fn bad_number(name: &str, word: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::error("wrong-type", format!("`{name}` must be a whole number, but `{word}` is not"))
        .mark(place.clone(), "not a number");
    // Letters that look like digits.
    let number: String = word
        .chars()
        .map(|c| match c {
            'O' | 'o' => '0',
            'l' | 'I' => '1',
            c => c,
        })
        .collect();
    if number.bytes().all(|byte| byte.is_ascii_digit()) {
        found.help(format!("did you mean `{number}`?"))
    } else {
        found.help("write digits alone")
    }
}

/// Formats numbers of players with ranges: "1, 2 and 6 to 10".
fn format_counts(counts: &[u8]) -> String {
    let runs = counts.chunk_by(|one, next| one + 1 == *next).flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        short => short.iter().map(u8::to_string).collect(),
    });
    let runs: Vec<String> = runs.collect();
    match runs.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

fn not_a_count(name: &str, key: &str, entry: &KeyedNode) -> Diagnostic {
    Diagnostic::error("unknown-key", format!("the entries of `{name}` are numbers of players, but `{key}` is not"))
        .mark(entry.key.clone(), "not a number of players")
        .suggest(key, ["about", PROVENANCE])
}

fn missing_count(name: &str, missing: &[u8], place: &Place) -> Diagnostic {
    let list = format_counts(missing);
    let players = if list == "1" { "player" } else { "players" };
    Diagnostic::error("missing-count", format!("`{name}` has no entry for {list} {players}"))
        .mark(place.clone(), format!("no entry for {list}"))
        .help(format!(
            "add {}",
            missing.iter().map(|number| format!("`{number} = …`")).collect::<Vec<_>>().join(" and ")
        ))
}

fn unused_count(name: &str, key: &str, place: &Place, players: &RangeInclusive<u8>) -> Diagnostic {
    let players: Vec<u8> = players.clone().collect();
    let found = format!("`{name}` has an entry for {key} players, but the game is for {}", format_counts(&players));
    Diagnostic::error("out-of-range", found).mark(place.clone(), "never used")
}

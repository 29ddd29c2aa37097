//! Formats values for messages to the author of a game.

use crate::decision::{HandleList, Value};
use crate::model::{Model, SpaceId, ZoneId};
use crate::table::Table;
use crate::vm::BacktraceEntry;

/// Maximum number of entries shown of a list, map or collection.
const MAX_ENTRIES: usize = 8;

/// Maximum nesting depth shown.
const MAX_DEPTH: usize = 3;

/// Maximum number of characters shown of a string.
const MAX_CHARACTERS: usize = 40;

/// Maximum number of variables shown for a call.
const MAX_VARIABLES: usize = 12;

/// Maximum number of calls whose variables are shown.
const MAX_CALLS_SHOWN: usize = 8;

/// Formats a value in the syntax of the rules.
pub(super) fn display(table: &Table, value: &Value) -> String {
    display_nested(table, value, MAX_DEPTH)
}

/// Formats the variables of the calls in a backtrace, one line for each call, innermost first.
pub(super) fn variables(table: &Table, calls: &[BacktraceEntry]) -> Vec<String> {
    let with_some: Vec<&BacktraceEntry> = calls.iter().filter(|call| !call.variables.is_empty()).collect();
    let line = |call: &&BacktraceEntry| {
        let (first, rest) = call.variables.split_at(call.variables.len().min(MAX_VARIABLES));
        let mut all: Vec<String> =
            first.iter().map(|(name, value)| format!("{name} = {}", display(table, value))).collect();
        all.extend((!rest.is_empty()).then(|| format!("{} more", rest.len())));
        let all = all.join(", ");
        match calls {
            [_] => all,
            _ if call.function.is_empty() => format!("here: {all}"),
            _ => format!("in {}: {all}", super::trace::function_name(&call.function)),
        }
    };
    if with_some.len() <= MAX_CALLS_SHOWN {
        return with_some.iter().map(line).collect();
    }
    let (first, last) = (&with_some[..MAX_CALLS_SHOWN / 2], &with_some[with_some.len() - MAX_CALLS_SHOWN / 2..]);
    let left_out = format!("{} more calls", with_some.len() - MAX_CALLS_SHOWN);
    first.iter().map(line).chain([left_out]).chain(last.iter().map(line)).collect()
}

fn display_nested(table: &Table, value: &Value, levels: usize) -> String {
    let model = &**table.model();
    match value {
        Value::Nothing => "`()`".to_owned(),
        Value::Flag(flag) => format!("`{}`", flag.get()),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => display_text(text),
        Value::List(_) | Value::Map(_) | Value::Answers(_) if levels == 0 => "…".to_owned(),
        Value::List(list) => display_list(list.iter(), |one| display_nested(table, one, levels - 1)),
        Value::Map(map) => {
            let parts = map.iter().take(MAX_ENTRIES);
            let mut parts: Vec<String> =
                parts.map(|(name, part)| format!("{name}: {}", display_nested(table, part, levels - 1))).collect();
            parts.extend(left_out(map.len()));
            format!("#{{ {} }}", parts.join(", "))
        }
        Value::Range(range) => {
            format!("{}{}{}", range.start, if range.is_inclusive { "..=" } else { ".." }, range.end)
        }
        Value::Function(_) => "a function `|…|`".to_owned(),
        Value::Entries(entries) => format!("the table `{}`", model.value(entries.get().value).id),
        Value::Seat(seat) => format!("player {}", seat.get().number()),
        Value::Zone(zone) => display_zone(model, zone.get()),
        Value::Space(space) => display_space(model, space.get()),
        Value::Component(component) => format!("`{}`", model.component(component.get()).id),
        Value::Piece(piece) => format!("a piece of `{}`", model.component(table.component(piece.get())).id),
        Value::Seats(set) => display_set(table, set),
        Value::Zones(set) => display_set(table, set),
        Value::Spaces(set) => display_set(table, set),
        Value::Components(set) => display_set(table, set),
        Value::Pieces(set) => display_set(table, set),
        Value::Options(options) => match options.len() {
            1 => "1 option".to_owned(),
            count => format!("{count} options"),
        },
        Value::Answers(answers) => display_list(answers.iter(), |(seat, one)| {
            format!("player {}: {}", seat.number(), display_nested(table, one, levels - 1))
        }),
        Value::Game => "`game`".to_owned(),
    }
}

fn display_set<T: Copy>(table: &Table, set: &HandleList<T>) -> String
where
    Value: From<T>,
{
    display_list(set.iter(), |one| display_nested(table, &Value::from(*one), 1))
}

fn display_list<'v, T: 'v>(all: impl ExactSizeIterator<Item = &'v T>, show: impl Fn(&T) -> String) -> String {
    let count = all.len();
    let mut shown: Vec<String> = all.take(MAX_ENTRIES).map(show).collect();
    shown.extend(left_out(count));
    format!("[{}]", shown.join(", "))
}

/// Returns a note that counts the entries that are left out. Returns `None` if all entries are shown.
fn left_out(count: usize) -> Option<String> {
    (count > MAX_ENTRIES).then(|| format!("and {} more", count - MAX_ENTRIES))
}

fn display_text(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn display_zone(model: &Model, zone: ZoneId) -> String {
    let zone = model.zone(zone);
    match zone.seat {
        Some(seat) => format!("`{}` of player {}", zone.path, seat.number()),
        None => format!("`{}`", zone.path),
    }
}

fn display_space(model: &Model, space: SpaceId) -> String {
    let space = model.space(space);
    let zone = display_zone(model, space.zone);
    if model.zone(space.zone).spaces.len() == 1 { zone } else { format!("[{}] of {zone}", space.label) }
}

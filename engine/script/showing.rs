//! Formats values for messages to the author of a game.

use crate::decision::{Several, Value};
use crate::model::{Model, SpaceId, ZoneId};
use crate::table::Table;
use crate::vm::BacktraceEntry;

/// Maximum number of entries shown.
const MOST_ENTRIES: usize = 8;

/// Maximum nesting depth shown.
const MOST_NESTED: usize = 3;

/// Maximum number of characters shown of a text.
const MOST_CHARACTERS: usize = 40;

/// Maximum number of variables shown for a call.
const MOST_VARIABLES: usize = 12;

/// Maximum number of calls whose variables are shown.
const MAX_CALLS_SHOWN: usize = 8;

/// Formats a value in the notation of the rules.
pub(super) fn shown(table: &Table, value: &Value) -> String {
    within(table, value, MOST_NESTED)
}

/// Formats the variables of the calls in a backtrace, one line for each call, innermost first.
pub(super) fn variables(table: &Table, calls: &[BacktraceEntry]) -> Vec<String> {
    let with_some: Vec<&BacktraceEntry> = calls.iter().filter(|call| !call.variables.is_empty()).collect();
    let line = |call: &&BacktraceEntry| {
        let (first, rest) = call.variables.split_at(call.variables.len().min(MOST_VARIABLES));
        let mut all: Vec<String> =
            first.iter().map(|(name, value)| format!("{name} = {}", shown(table, value))).collect();
        all.extend((!rest.is_empty()).then(|| format!("{} more", rest.len())));
        let all = all.join(", ");
        match calls {
            [_] => all,
            _ if call.function.is_empty() => format!("here: {all}"),
            _ => format!("in {}: {all}", super::trace::called(&call.function)),
        }
    };
    if with_some.len() <= MAX_CALLS_SHOWN {
        return with_some.iter().map(line).collect();
    }
    let (first, last) = (&with_some[..MAX_CALLS_SHOWN / 2], &with_some[with_some.len() - MAX_CALLS_SHOWN / 2..]);
    let left_out = format!("{} more calls", with_some.len() - MAX_CALLS_SHOWN);
    first.iter().map(line).chain([left_out]).chain(last.iter().map(line)).collect()
}

fn within(table: &Table, value: &Value, levels: usize) -> String {
    let model = &**table.model();
    match value {
        Value::Nothing => "`()`".to_owned(),
        Value::Flag(flag) => format!("`{}`", flag.get()),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => quoted(text),
        Value::List(_) | Value::Map(_) | Value::Answers(_) if levels == 0 => "…".to_owned(),
        Value::List(list) => listed(list.iter(), |one| within(table, one, levels - 1)),
        Value::Map(map) => {
            let parts = map.iter().take(MOST_ENTRIES);
            let mut parts: Vec<String> =
                parts.map(|(name, part)| format!("{name}: {}", within(table, part, levels - 1))).collect();
            parts.extend(more(map.len()));
            format!("#{{ {} }}", parts.join(", "))
        }
        Value::Range(range) => {
            format!("{}{}{}", range.start, if range.is_inclusive { "..=" } else { ".." }, range.end)
        }
        Value::Function(_) => "a function `|…|`".to_owned(),
        Value::Entries(entries) => format!("the table `{}`", model.value(entries.get().value).id),
        Value::Seat(seat) => format!("player {}", seat.get().number()),
        Value::Zone(zone) => named_zone(model, zone.get()),
        Value::Space(space) => named_space(model, space.get()),
        Value::Component(component) => format!("`{}`", model.component(component.get()).id),
        Value::Piece(piece) => format!("a piece of `{}`", model.component(table.component(piece.get())).id),
        Value::Seats(set) => of_set(table, set),
        Value::Zones(set) => of_set(table, set),
        Value::Spaces(set) => of_set(table, set),
        Value::Components(set) => of_set(table, set),
        Value::Pieces(set) => of_set(table, set),
        Value::Options(options) => match options.len() {
            1 => "1 option".to_owned(),
            count => format!("{count} options"),
        },
        Value::Answers(answers) => listed(answers.iter(), |(seat, one)| {
            format!("player {}: {}", seat.number(), within(table, one, levels - 1))
        }),
        Value::Game => "`game`".to_owned(),
    }
}

fn of_set<T: Copy>(table: &Table, set: &Several<T>) -> String
where
    Value: From<T>,
{
    listed(set.iter(), |one| within(table, &Value::from(*one), 1))
}

fn listed<'v, T: 'v>(all: impl ExactSizeIterator<Item = &'v T>, show: impl Fn(&T) -> String) -> String {
    let count = all.len();
    let mut shown: Vec<String> = all.take(MOST_ENTRIES).map(show).collect();
    shown.extend(more(count));
    format!("[{}]", shown.join(", "))
}

/// Describes the number of entries that are left out.
fn more(count: usize) -> Option<String> {
    (count > MOST_ENTRIES).then(|| format!("and {} more", count - MOST_ENTRIES))
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn named_zone(model: &Model, zone: ZoneId) -> String {
    let zone = model.zone(zone);
    match zone.seat {
        Some(seat) => format!("`{}` of player {}", zone.path, seat.number()),
        None => format!("`{}`", zone.path),
    }
}

fn named_space(model: &Model, space: SpaceId) -> String {
    let space = model.space(space);
    let zone = named_zone(model, space.zone);
    if model.zone(space.zone).spaces.len() == 1 { zone } else { format!("[{}] of {zone}", space.label) }
}

//! Changes one number in the text of a file and leaves the rest of the text unchanged.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Optional key of a component row that sets the number of copies.
const COUNT: &str = "count";

/// Sets the number at a path such as `params.fee` or `card.ace.count` in the text of a TOML file. Adds the `count` of a component row if it
/// is missing. Returns `None` if the text has a syntax error, no other number at this path, or a separate number for each number of
/// players.
pub fn set_number(text: &str, path: &[&str], number: &str) -> Option<String> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return None;
    }
    let (first, rest) = path.split_first()?;
    let found = entry(document.get_ref(), first)?;
    let (range, written) = match found.get_ref() {
        DeValue::Array(rows) => row_edit(rows.iter(), rest, number)?,
        _ => (number_at(found, rest)?, number.to_owned()),
    };
    let mut edited = text.to_owned();
    edited.replace_range(range, &written);
    Some(edited)
}

fn entry<'t, 'i>(table: &'t DeTable<'i>, name: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

/// Returns the edit that changes a number in a component row. `path` begins with the id of the row. If the row has no `count`, the edit
/// adds the count below the id.
fn row_edit<'t, 'i: 't>(
    mut rows: impl Iterator<Item = &'t Spanned<DeValue<'i>>>,
    path: &[&str],
    number: &str,
) -> Option<(Range<usize>, String)> {
    let (id, rest) = path.split_first()?;
    let row = rows.find_map(|row| match row.get_ref() {
        DeValue::Table(row) if entry(row, "id").is_some_and(|known| is_text(known, id)) => Some(row),
        _ => None,
    })?;
    if let ([COUNT], None) = (rest, entry(row, COUNT)) {
        let end = entry(row, "id")?.span().end;
        return Some((end..end, format!("\n{COUNT} = {number}")));
    }
    let (first, rest) = rest.split_first()?;
    Some((number_at(entry(row, first)?, rest)?, number.to_owned()))
}

fn is_text(value: &Spanned<DeValue<'_>>, text: &str) -> bool {
    matches!(value.get_ref(), DeValue::String(known) if known == text)
}

/// Returns the span of the number at `path` within `value`. If the number is described by a table, this is the span of the table's `value`.
fn number_at(value: &Spanned<DeValue<'_>>, path: &[&str]) -> Option<Range<usize>> {
    match (value.get_ref(), path) {
        (DeValue::Integer(_), []) => Some(value.span()),
        (DeValue::Table(table), []) => number_at(entry(table, "value")?, &[]),
        (DeValue::Table(table), [first, rest @ ..]) => match entry(table, first) {
            Some(found) => number_at(found, rest),
            None => number_at(entry(table, "value")?, path),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::set_number;

    const TEXT: &str = "[params]\nfee = 3 # a coin\ncash = { value = 20, min = 0 }\nbonus = { 2 = 5, 3 = 6 }\n\n\
                        [[card]]\nid = \"ace\"\n\n[[card]]\nid = \"king\"\ncount = 4\nworth = 13\n";

    #[test]
    fn one_number_is_changed_and_the_rest_stays() {
        let edited = |path: &[&str]| set_number(TEXT, path, "9");
        let replaced = |old: &str, new: &str| Some(TEXT.replacen(old, new, 1));
        assert_eq!(edited(&["params", "fee"]), replaced("fee = 3", "fee = 9"));
        assert_eq!(edited(&["params", "cash"]), replaced("value = 20", "value = 9"));
        assert_eq!(edited(&["params", "bonus", "3"]), replaced("3 = 6", "3 = 9"));
        assert_eq!(edited(&["card", "king", "count"]), replaced("count = 4", "count = 9"));
        assert_eq!(edited(&["card", "king", "worth"]), replaced("worth = 13", "worth = 9"));
        assert_eq!(edited(&["card", "ace", "count"]), replaced("\"ace\"", "\"ace\"\ncount = 9"));
    }

    #[test]
    fn editing_a_value_that_is_not_a_number_returns_none() {
        for path in
            [&["params", "bonus"][..], &["params", "none"], &["card", "joker", "count"], &["card", "ace", "worth"], &[]]
        {
            assert_eq!(set_number(TEXT, path, "9"), None, "{path:?}");
        }
        assert_eq!(set_number("[params\nfee = 3", &["params", "fee"], "9"), None);
    }
}

//! Names of the spaces of a grid that consist of a part for the column and a part for the row, such as `e4`.

use crate::wording::AxisLabel;
use std::collections::BTreeMap;

/// Parts of names by column or row.
type Parts<'a> = BTreeMap<i16, &'a str>;

/// Texts for the columns and rows of a grid. The name of each space is the text of its column followed by the text of its row, or the other
/// way round.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AxisNames {
    columns: BTreeMap<i16, String>,
    rows: BTreeMap<i16, String>,
}

impl AxisNames {
    /// Splits the names of spaces, by column and row. Returns `None` if the names do not consist of two such parts.
    pub(super) fn of(names: &BTreeMap<(i16, i16), String>) -> Option<Self> {
        let by_column: Vec<(i16, i16, &str)> = names.iter().map(|(at, name)| (at.0, at.1, &**name)).collect();
        let by_row: Vec<(i16, i16, &str)> = names.iter().map(|(at, name)| (at.1, at.0, &**name)).collect();
        let (columns, rows) = split(&by_column).or_else(|| split(&by_row).map(|(rows, columns)| (columns, rows)))?;
        let owned = |parts: Parts<'_>| parts.into_iter().map(|(number, part)| (number, part.to_owned())).collect();
        Some(Self { columns: owned(columns), rows: owned(rows) })
    }

    /// Returns the text for a column or row; empty if none of its spaces has a name.
    pub(super) fn text(&self, label: AxisLabel) -> String {
        let parts = if label.is_column { &self.columns } else { &self.rows };
        parts.get(&label.number).cloned().unwrap_or_default()
    }
}

/// Splits names into a head that depends only on the first number, and a tail that depends only on the second one.
fn split<'a>(names: &[(i16, i16, &'a str)]) -> Option<(Parts<'a>, Parts<'a>)> {
    let (mut heads, mut tails) = (Parts::new(), Parts::new());
    for &(first, second, name) in names {
        heads.entry(first).and_modify(|head| *head = common_prefix(head, name)).or_insert(name);
        tails.entry(second).and_modify(|tail| *tail = common_suffix(tail, name)).or_insert(name);
    }
    let is_split = |(first, second, name): &(i16, i16, &str)| {
        let (head, tail) = (heads[first], tails[second]);
        !head.is_empty() && !tail.is_empty() && name.strip_prefix(head) == Some(tail)
    };
    (heads.len() > 1 && tails.len() > 1 && names.iter().all(is_split)).then_some((heads, tails))
}

fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let end = a.char_indices().zip(b.chars()).find(|((_, one), other)| one != other).map(|((at, _), _)| at);
    &a[..end.unwrap_or(a.len().min(b.len()))]
}

fn common_suffix<'a>(a: &'a str, b: &str) -> &'a str {
    let pairs = a.char_indices().rev().zip(b.chars().rev());
    let start = pairs.take_while(|((_, one), other)| one == other).last().map_or(a.len(), |((at, _), _)| at);
    &a[start..]
}

#[cfg(test)]
mod tests {
    use super::AxisNames;
    use std::collections::BTreeMap;

    fn split(rows: &[&str]) -> Option<String> {
        let cells = |(row, line): (usize, &&str)| -> Vec<((i16, i16), String)> {
            let words = line.split_whitespace().enumerate().filter(|(_, name)| *name != ".");
            words.map(|(column, name)| ((column as i16, row as i16), name.to_owned())).collect()
        };
        let named: BTreeMap<(i16, i16), String> = rows.iter().enumerate().flat_map(cells).collect();
        let AxisNames { columns, rows } = AxisNames::of(&named)?;
        let listed = |parts: BTreeMap<i16, String>| parts.into_values().collect::<Vec<_>>().join(" ");
        Some(format!("{} | {}", listed(columns), listed(rows)))
    }

    #[test]
    fn names_of_columns_and_rows_are_split() {
        assert_eq!(split(&["a2 b2 c2", "a1 b1 c1"]).as_deref(), Some("a b c | 2 1"));
        assert_eq!(split(&["a10 b10", "a9 b9", "a1 b1"]).as_deref(), Some("a b | 10 9 1"));
        assert_eq!(split(&["A1 A2", "B1 B2"]).as_deref(), Some("1 2 | A B"));
        assert_eq!(split(&["é1 ë1", "é2 ë2"]).as_deref(), Some("é ë | 1 2"));
        assert_eq!(split(&["a3 . c3", "a2 b2 .", ". b1 c1"]).as_deref(), Some("a b c | 3 2 1"));
    }

    #[test]
    fn other_names_are_not_split() {
        assert_eq!(split(&["mill farm", "inn port"]), None);
        assert_eq!(split(&["a1 b1 c1"]), None, "one row says nothing about the parts");
        assert_eq!(split(&["a1 b2", "a2 b1"]), None);
        assert_eq!(split(&["a3 . c3", ". b2 .", "a1 . c1"]), None, "nothing tells where b2 is to be split");
    }
}

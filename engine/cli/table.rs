//! Plain-text tables.

use crate::report::Heading;
use unicode_width::UnicodeWidthStr;

/// Plain-text table with headings and aligned columns.
#[derive(Debug, Default)]
pub(super) struct TextTable {
    rows: Vec<Vec<String>>,
    numbers: Vec<bool>,
}

impl TextTable {
    /// Creates a table that contains only the headings.
    pub(super) fn new(headings: impl IntoIterator<Item = Heading>) -> Self {
        let (row, numbers) = headings.into_iter().map(|heading| (heading.text, heading.is_number)).unzip();
        Self { rows: vec![row], numbers }
    }

    /// Adds a row, which must have a cell for each column.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Returns whether the table has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }

    /// Returns the lines of the table, each indented by `indent`. Omits columns whose cells are all empty.
    pub(super) fn lines(&self, indent: &str) -> Vec<String> {
        let widths: Vec<usize> = (0..self.numbers.len())
            .map(|column| {
                let has_content = self.rows.iter().skip(1).any(|row| !row[column].is_empty());
                let width = self.rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
                if has_content { width } else { 0 }
            })
            .collect();
        self.rows.iter().map(|row| format!("{indent}{}", self.line(row, &widths)).trim_end().to_owned()).collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let cells = row.iter().zip(widths).zip(&self.numbers).filter(|((_, width), _)| **width > 0);
        let padded = cells.map(|((cell, width), is_number)| {
            let space = " ".repeat(width - cell.width());
            if *is_number { format!("{space}{cell}") } else { format!("{cell}{space}") }
        });
        padded.collect::<Vec<_>>().join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Heading, TextTable};

    #[test]
    fn columns_are_as_wide_as_their_content() {
        let mut table =
            TextTable::new([Heading::number("n"), Heading::text("名"), Heading::text("none"), Heading::text("x")]);
        table.row(vec!["1".into(), "股票".into(), String::new(), "a".into()]);
        table.row(vec!["10".into(), "b".into(), String::new(), String::new()]);
        assert_eq!(table.lines("  "), ["   n  名    x", "   1  股票  a", "  10  b"]);
    }
}

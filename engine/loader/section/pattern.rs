//! Reads the values printed on the spaces of a board. For each field, the values are arranged as on the board, one for each space.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::{ENTRY, size_of_node};
use crate::loader::document::node::{Data, KeyedNode, Node, Table, entries_without_provenance, is_by_players};
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::mistake::wrong_type;
use crate::loader::section::declared::NewSpace;
use crate::loader::section::draft::Draft;
use crate::loader::section::field::{Columns, DeclaredField, FieldRows, SheetRow};
use crate::model::{FieldType, FieldValue};
use indexmap::IndexMap;
use std::sync::Arc;

/// Value for a space on which nothing is printed.
const BLANK: &str = ".";

/// A printed value: a number, a flag, or a word without spaces.
const PRINTED_VALUE: Form = Form::AnyOf(&[Form::Integer, Form::Word, Form::Flag]);

/// A row of values: a string with spaces between the values, or a list.
const PRINTED_ROW: Form = Form::AnyOf(&[Form::Word, Form::Some(&PRINTED_VALUE)]);

/// Form of `printed`: the values of each field, optionally separate for each component. For a row or ring, the values are a row. For a
/// grid, they are a list of rows.
pub(in crate::loader) const PRINTED: Form = Form::NamedForScripts(&Form::AnyOf(&[
    Form::ByPlayers(&Form::AnyOf(&[PRINTED_ROW, Form::Some(&PRINTED_ROW)])),
    Form::Named(&Form::ByPlayers(&PRINTED_ROW)),
]));

/// The values of one field, row by row; `None` for blank spaces.
struct Pattern<'n> {
    name: &'n Arc<str>,
    key: &'n Place,
    rows: Vec<(&'n Place, Vec<Option<&'n Node>>)>,
}

/// The patterns of all fields of a board.
pub(in crate::loader) struct BoardPatterns<'n> {
    patterns: Vec<Pattern<'n>>,
}

/// Returns whether a pattern contains anything other than blanks.
fn has_figure(node: &Node) -> bool {
    node.list().map_or_else(|| node.text().is_none_or(|text| &**text != BLANK), |list| list.iter().any(has_figure))
}

/// Returns the patterns of a field by component, if the patterns differ by component.
pub(in crate::loader) fn by_component(node: &Node) -> Option<&Table> {
    node.table().filter(|table| !is_by_players(table))
}

impl<'a> BoardPatterns<'a> {
    /// Returns the number of columns and the number of rows of the first pattern, each at least 1.
    pub(in crate::loader) fn size(&self) -> (usize, usize) {
        let rows = self.patterns.first().map_or(&[][..], |pattern| &pattern.rows);
        (rows.first().map_or(1, |(_, row)| row.len().max(1)), rows.len().max(1))
    }

    /// Returns the name of the first field.
    pub(in crate::loader) fn first(&self) -> Option<&'a Arc<str>> {
        self.patterns.first().map(|pattern| pattern.name)
    }
}

impl<'a> Draft<'a> {
    /// Reads the patterns of a zone. If patterns differ by component, `component` selects the pattern. Reports mistakes, and returns `None`
    /// if no pattern can be read.
    pub(in crate::loader) fn board(
        &self,
        node: &'a Node,
        is_grid: bool,
        component: Option<&str>,
    ) -> Option<BoardPatterns<'a>> {
        let Some(table) = node.table() else {
            self.mistake(wrong_type("printed", "a table with the printed values of each field", node));
            return None;
        };
        let fields = entries_without_provenance(table);
        let patterns =
            fields.filter_map(|(name, entry)| self.pattern(name, entry, is_grid, component)).collect::<Vec<_>>();
        (!patterns.is_empty()).then_some(BoardPatterns { patterns })
    }

    fn pattern(
        &self,
        name: &'a Arc<str>,
        entry: &'a KeyedNode,
        is_grid: bool,
        component: Option<&str>,
    ) -> Option<Pattern<'a>> {
        let node = match (component, by_component(&entry.node)) {
            // Nothing is printed for components that the table leaves out.
            (Some(component), Some(all)) => &all.get(component)?.node,
            _ => &entry.node,
        };
        let node = self.for_players(name, node)?;
        let list = node.list().filter(|rows| !is_grid || rows.iter().all(|row| row.list().is_some()));
        let has_figure = list.is_some_and(|list| list.iter().any(has_figure));
        let Some(list) = list.filter(|_| has_figure) else {
            let expected = if is_grid {
                "a list of rows, each a text of values separated by spaces"
            } else {
                "a text of values separated by spaces, or a list of values"
            };
            self.mistake(wrong_type(name, expected, node));
            return None;
        };
        let rows: Vec<_> = if is_grid {
            list.iter().map(|row| self.row_values(name, row)).collect::<Option<_>>()?
        } else {
            vec![self.row_values(name, node)?]
        };
        Some(Pattern { name, key: &entry.key, rows })
    }

    /// Reads a row of values.
    fn row_values(&self, name: &str, row: &'a Node) -> Option<(&'a Place, Vec<Option<&'a Node>>)> {
        fn add<'n>(node: &'n Node, found: &mut Vec<Option<&'n Node>>) -> Result<(), &'n Node> {
            match &node.data {
                Data::List(list) => return list.iter().try_for_each(|one| add(one, found)),
                Data::Text(text) if &**text == BLANK => found.push(None),
                Data::Table(_) | Data::Fraction(_) => return Err(node),
                _ => found.push(Some(node)),
            }
            Ok(())
        }
        let mut found = Vec::new();
        if let Err(odd) = add(row, &mut found) {
            self.mistake(wrong_type(name, "values: numbers, or words without spaces", odd));
            return None;
        }
        Some((&row.place, found))
    }

    /// Writes the values of patterns into the fields of spaces. `boards` and `spaces` have an entry for each zone. `rows` contains the
    /// number of spaces in each row; if it is empty, all spaces are in one row. Returns the types of the fields, or no types if the budget
    /// is exceeded.
    pub(in crate::loader) fn print_boards(
        &self,
        zone: &str,
        boards: &[BoardPatterns<'a>],
        rows: &[usize],
        declared: &IndexMap<Arc<str>, DeclaredField<'a>>,
        spaces: &mut [Vec<NewSpace>],
    ) -> Columns {
        let mut tables: Vec<Table> = Vec::new();
        for (board, spaces) in boards.iter().zip(&*spaces) {
            let alone = [spaces.len()];
            let rows = if rows.is_empty() { &alone } else { rows };
            let size = spaces.len().saturating_mul((1 + board.patterns.len()) * ENTRY);
            if let Some(pattern) = board.patterns.first()
                && !self.charge(size, pattern.key)
            {
                return Columns::new();
            }
            let mut own: Vec<Table> = vec![Table::new(); spaces.len()];
            for pattern in &board.patterns {
                // The values of a pattern that does not fit are stored all the same, so that the field has its type in the rules.
                self.check_fit(pattern, rows);
                let values = pattern.rows.iter().flat_map(|(_, row)| row);
                for (table, node) in own.iter_mut().zip(values).filter_map(|(table, node)| Some((table, (*node)?))) {
                    table.insert(pattern.name.clone(), KeyedNode { key: pattern.key.clone(), node: node.clone() });
                }
            }
            tables.append(&mut own);
        }
        let Some(place) = boards.first().and_then(|board| board.patterns.first()).map(|pattern| pattern.key) else {
            return Columns::new();
        };
        let rows = tables.iter().map(|table| SheetRow { name: None, place, table }).collect();
        let (plural, own) = (format!("spaces of `{zone}`"), &TableSpec::PLAIN);
        let fields = self.column_types(&FieldRows { plural, rows, own, closed: false, has_blanks: true }, declared);
        for (space, table) in spaces.iter_mut().flatten().zip(&tables) {
            for (name, (field_type, place)) in &fields {
                let in_row = table.get(name).map(|entry| &entry.node);
                let default = declared.get(name).and_then(|field| field.default);
                let size = ENTRY + if in_row.is_some() { 0 } else { default.map_or(0, size_of_node) };
                if !self.charge(size, place) {
                    return Columns::new();
                }
                let node = in_row.or_else(|| declared.get(name).and_then(|field| field.default));
                // A flag without a printed value is `false`, not missing.
                let blank = if *field_type == FieldType::Flag { FieldValue::Flag(false) } else { FieldValue::Nothing };
                space.fields.insert(name.clone(), node.map_or(blank, |node| self.field_value(name, node, field_type)));
            }
        }
        fields
    }

    /// Checks that a pattern has an entry for each space. Reports the first row of the wrong length, or a wrong number of rows.
    fn check_fit(&self, pattern: &Pattern<'_>, rows: &[usize]) {
        let is_even = rows.windows(2).all(|two| two[0] == two[1]);
        let of_row = match rows.len() {
            1 => "space",
            _ if is_even => "column",
            _ => "space in this row",
        };
        let uneven_row = pattern.rows.iter().zip(rows).find(|((_, row), length)| row.len() != **length);
        if let Some(((place, row), length)) = uneven_row {
            self.mistake(uneven_pattern(pattern.name, (row.len(), "figure"), (*length, of_row), place));
        } else if pattern.rows.len() != rows.len() {
            self.mistake(uneven_pattern(pattern.name, (pattern.rows.len(), "row"), (rows.len(), "row"), pattern.key));
        }
    }
}

fn uneven_pattern(
    name: &str,
    (count, noun): (usize, &str),
    (wanted, wanted_noun): (usize, &str),
    place: &Place,
) -> Diagnostic {
    let counted = |count: usize, noun: &str| match noun.split_once(' ') {
        _ if count == 1 => format!("1 {noun}"),
        Some((noun, where_)) => format!("{count} {noun}s {where_}"),
        None => format!("{count} {noun}s"),
    };
    let (has, board) = (counted(count, noun), counted(wanted, wanted_noun));
    Diagnostic::error("uneven-pattern", format!("`{name}` has {has} here, but the board has {board}"))
        .mark(place.clone(), has)
        .help("write a value for each space, and `.` where nothing is printed")
}

//! Reads the arrangement of the table. Areas are written as a string, with a line for each row.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::Node;
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{Key, NameList, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{too_many, unknown, unknown_word, wrong_type};
use crate::loader::section::draft::Draft;
use crate::model::{Area, AreaGrid, AreaItem, Derived, FamilyId, Owner, Per, SEAT_COLORS, TableAreas, Value, ValueId};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Word for a cell without an area.
const EMPTY: &str = ".";

/// Maximum number of rows in a grid of areas.
const MAX_ROWS: usize = 24;
const MAX_COLUMNS: usize = 24;

/// Maximum number of groups, and of names in a list of areas.
const MAX_NAMES: usize = 64;

declare_table! {
    pub(in crate::loader) const TABLE: TableSpec = TableSpec::new("the arrangement of the table", "arrangements of the table")
        .also(&[("common", &SHARED.spec), ("own", &MAT.spec), ("rivals", &RIVAL.spec), ("groups", &GROUP.spec),
            ("colours", &COLORS.spec)]);

    const SHARED: Key = Key::new(
        "shared", "areas of the board, a line of names for each row: zones, values, groups, and `.` for nothing",
        Form::Word);
    const BOARD: Key<Word> = Key::word("board", "file in `faces/` with the drawn board; `board.svg` by default", Form::Word);
    const MAT: Key = Key::new("mat", "areas of a player's own mat, like `shared`", Form::Word);
    const RIVAL: Key = Key::new(
        "rival", "values and zones that are shown of other players, in order", Form::List(&Form::Word));
    const GROUP: Key = Key::new(
        "group", "groups of zones that share an area, in which the zones of each copy are side by side",
        Form::Named(&Form::List(&Form::Word)));
    const COLORS: Key<NameList> = Key::list(
        "colors",
        "colors of the players, in seating order: `red`, `blue`, `yellow`, `black`, `teal`, `white`, `violet`, `orange`",
        &Form::OneOf(&SEAT_COLORS), "colors, such as `[\"white\", \"black\"]`");
}

/// Declarations to which the names of areas can refer.
struct Names<'d, 'a> {
    draft: &'d Draft<'a>,
    values: &'d [Value],
    derived: &'d [Derived],
    groups: BTreeMap<Arc<str>, Vec<AreaItem>>,
    /// Whether an unknown name has been reported.
    has_unknown: Cell<bool>,
}

/// Owner whose values take precedence when a name is looked up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Seat,
    Others,
}

impl Draft<'_> {
    /// Reads the section `table`.
    pub(in crate::loader) fn table_areas(&self, values: &[Value], derived: &[Derived]) -> Option<TableAreas> {
        let entry = self.tree.root.get("table")?;
        let fields = Fields::from_entry(self.report, "table", entry, &TABLE)?;
        let mut names = Names { draft: self, values, derived, groups: BTreeMap::new(), has_unknown: Cell::new(false) };
        names.read_groups(&fields);
        let areas = TableAreas {
            board: fields.read(&BOARD).map(|(name, _)| name.clone()),
            shared: fields.get(&SHARED).and_then(|node| names.grid(SHARED.name, node, Whose::Others)),
            mat: fields.get(&MAT).and_then(|node| names.grid(MAT.name, node, Whose::Seat)),
            rival: fields.get(&RIVAL).map(|node| names.list(RIVAL.name, node, Whose::Seat)),
            colors: self.seat_colors(fields.read(&COLORS).unwrap_or_default()),
        };
        self.report_twice(&areas, &fields);
        // A zone whose name is misspelled in an area has an area.
        if !names.has_unknown.get() {
            self.report_unplaced(&areas, fields.place);
        }
        Some(areas)
    }

    /// Reads the colors of seats. Reports unknown colors, and colors that two seats have.
    fn seat_colors(&self, names: Vec<(&Arc<str>, &Place)>) -> Vec<usize> {
        let mut colors = Vec::new();
        for (word, place) in names {
            match SEAT_COLORS.iter().position(|color| *color == &**word) {
                Some(color) if colors.contains(&color) => self.mistake(
                    Diagnostic::error("duplicate-id", format!("two players have the color `{word}`"))
                        .mark(place.clone(), "chosen a second time")
                        .help("choose another color"),
                ),
                Some(color) => colors.push(color),
                None => self.mistake(unknown_word(COLORS.name, word, place, SEAT_COLORS)),
            }
        }
        colors
    }

    /// Reports zones and values that appear in two areas of the board or in two areas of the mat.
    fn report_twice(&self, areas: &TableAreas, fields: &Fields<'_>) {
        for (key, grid) in [(&SHARED, &areas.shared), (&MAT, &areas.mat)] {
            let (Some(grid), Some(node)) = (grid, fields.get(key)) else { continue };
            for (at, area) in grid.areas.iter().enumerate() {
                let earlier =
                    grid.areas[..at].iter().find(|other| other.items.iter().any(|item| area.items.contains(item)));
                if let Some(earlier) = earlier {
                    let message =
                        format!("the areas `{}` and `{}` contain the same zone or value", earlier.name, area.name);
                    self.mistake(
                        Diagnostic::error("uneven-areas", message)
                            .mark(place_of_word(node, &area.name), "shown a second time")
                            .help("leave one of them out"),
                    );
                }
            }
        }
    }

    /// Warns about visible zones without an area, if the board or mat on which they lie has areas.
    fn report_unplaced(&self, areas: &TableAreas, place: &Place) {
        for (at, family) in self.families.iter().enumerate().skip(1) {
            let is_own = family.per.contains(&Per::Seat);
            let is_arranged = if is_own { areas.mat.is_some() } else { areas.shared.is_some() };
            let is_seen = family.is_shown && family.over.is_none() && !family.zones.is_empty();
            if !is_arranged || !is_seen || areas.places(AreaItem::Zone(FamilyId::at(at))) {
                continue;
            }
            let key = if is_own { MAT.name } else { SHARED.name };
            let found = Diagnostic::warning("without-area", format!("the zone `{}` has no area", family.id))
                .mark(place.clone(), "arranges the others")
                .help(format!("name it in `{key}`, or write `shown = false` if players need not see it"));
            self.mistake(found);
        }
    }
}

impl Names<'_, '_> {
    fn read_groups(&mut self, fields: &Fields<'_>) {
        let Some(node) = fields.get(&GROUP) else { return };
        let Some(table) = node.table() else {
            let expected = "a table of lists, as `lots = [\"pile\", \"track\"]`";
            return self.draft.mistake(wrong_type(GROUP.name, expected, node));
        };
        if table.len() > MAX_NAMES {
            return self.draft.mistake(too_many("groups of zones", table.len(), MAX_NAMES, Some(&node.place)));
        }
        for (name, entry) in table {
            let items = self.list(name, &entry.node, Whose::Others);
            self.groups.insert(name.clone(), items);
        }
    }

    /// Reads a list of names of zones, values and groups.
    fn list(&self, key: &str, node: &Node, whose: Whose) -> Vec<AreaItem> {
        let Some(list) = node.list() else {
            self.draft.mistake(wrong_type(key, "a list of zones and values", node));
            return Vec::new();
        };
        if list.len() > MAX_NAMES {
            self.draft.mistake(too_many("names in a list of areas", list.len(), MAX_NAMES, Some(&node.place)));
            return Vec::new();
        }
        let mut items = Vec::new();
        for node in list {
            match node.text() {
                Some(word) => items.extend(self.items(word, &node.place, whose).unwrap_or_default()),
                None => self.draft.mistake(wrong_type(key, "a list of zones and values", node)),
            }
        }
        items
    }

    /// Reads a grid of areas from a string. Returns `None` if the string is blank, or if it contains a mistake.
    fn grid(&self, key: &str, node: &Node, whose: Whose) -> Option<AreaGrid> {
        let Some(text) = node.text() else {
            self.draft.mistake(wrong_type(key, "a text with a line of names for each row", node));
            return None;
        };
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .filter(|line: &Vec<&str>| !line.is_empty())
            .collect();
        let columns = lines.first()?.len();
        if lines.len() > MAX_ROWS || columns > MAX_COLUMNS {
            let number = if lines.len() > MAX_ROWS { lines.len() } else { columns };
            self.draft.mistake(too_many("rows or columns of areas", number, MAX_ROWS, Some(&node.place)));
            return None;
        }
        if let Some(line) = lines.iter().find(|line| line.len() != columns) {
            let names = if line.len() == 1 { "1 name".to_owned() } else { format!("{} names", line.len()) };
            let message =
                format!("the line `{}` of `{key}` has {names}, but the first line has {columns}", line.join(" "));
            let found = Diagnostic::error("uneven-areas", message)
                .mark(node.place.clone(), "lines of different lengths")
                .help("write as many names in each line; repeat a name for a wider area, and write `.` for nothing");
            self.draft.mistake(found);
            return None;
        }
        let mut areas: Vec<Area> = Vec::new();
        let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
        let mut is_complete = true;
        for line in &lines {
            let mut row = Vec::new();
            for word in line {
                let known = areas.iter().position(|area| *area.name == **word);
                if *word == EMPTY || known.is_some() {
                    row.push(known);
                    continue;
                }
                match self.items(word, &place_of_word(node, word), whose) {
                    Some(items) => {
                        row.push(Some(areas.len()));
                        areas.push(Area { name: (*word).into(), items });
                    }
                    None => is_complete = false,
                }
            }
            rows.push(row);
        }
        if !is_complete {
            return None;
        }
        for (at, area) in areas.iter().enumerate() {
            if !is_rectangle(&rows, at) {
                let found = Diagnostic::error("uneven-areas", format!("the area `{}` is not a rectangle", area.name))
                    .mark(place_of_word(node, &area.name), "begins here")
                    .help("write its name in all cells between its corners, and nowhere else");
                self.draft.mistake(found);
                return None;
            }
        }
        Some(AreaGrid { rows, areas })
    }

    /// Returns the items that a name refers to: a group, zone, value, derived value or map. Reports an unknown name.
    fn items(&self, word: &str, place: &Place, whose: Whose) -> Option<Vec<AreaItem>> {
        if let Some(group) = self.groups.get(word) {
            return Some(group.clone());
        }
        if let Some(family) = self.draft.family_id(word).filter(|family| family.index() > 0) {
            return Some(vec![AreaItem::Zone(family)]);
        }
        let is_seats = |owner: Owner| (owner == Owner::Seat) == (whose == Whose::Seat);
        let value = |wanted: bool| {
            let all = self.values.iter().enumerate();
            let mut named = all.filter(|(_, value)| *value.id == *word && is_seats(value.owner) == wanted);
            named.next().map(|(at, _)| AreaItem::Value(ValueId::at(at)))
        };
        let number = || self.derived.iter().position(|derived| *derived.id == *word).map(AreaItem::Derived);
        let map = || self.draft.kind_id(word).map(AreaItem::Map);
        let item = value(true).or_else(|| value(false)).or_else(number).or_else(map);
        if item.is_none() && !self.draft.declares_value_or_zone(word) {
            let kinds = self.draft.known_kinds();
            let values = self.values.iter().map(|value| &*value.id).chain(self.derived.iter().map(|one| &*one.id));
            let groups = self.groups.keys().map(|name| &**name);
            let known = self.draft.known_zones().skip(1).chain(values).chain(groups).chain(kinds);
            self.draft.mistake(unknown("unknown-area", "zone, value or group", word, place, known));
            self.has_unknown.set(true);
        }
        Some(vec![item?])
    }
}

/// Returns whether the cells of an area form a rectangle.
fn is_rectangle(rows: &[Vec<Option<usize>>], area: usize) -> bool {
    let cells = || {
        let row = |(y, row): (usize, &Vec<Option<usize>>)| {
            row.iter().enumerate().filter(|(_, cell)| **cell == Some(area)).map(|(x, _)| (x, y)).collect::<Vec<_>>()
        };
        rows.iter().enumerate().flat_map(row)
    };
    let (left, right) = (cells().map(|at| at.0).min(), cells().map(|at| at.0).max());
    let (top, bottom) = (cells().map(|at| at.1).min(), cells().map(|at| at.1).max());
    let side = |from: Option<usize>, to: Option<usize>| to.unwrap_or_default() + 1 - from.unwrap_or_default();
    cells().count() == side(left, right) * side(top, bottom)
}

/// Returns the place of the first occurrence of `word` as a whole word in a string. If there is none, returns the place of the string.
fn place_of_word(node: &Node, word: &str) -> Place {
    let Place { source, span } = &node.place;
    let text = source.text.get(span.clone()).unwrap_or_default();
    let is_part = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole =
        |at: &usize| !is_part(text[..*at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next());
    let found = text.match_indices(word).map(|(at, _)| at).find(is_whole);
    let span = found.map_or(span.clone(), |at| span.start + at..span.start + at + word.len());
    Place { source: source.clone(), span }
}

//! Reads the layout of zones: shape, spaces and copies.

use crate::diagnostic::{Diagnostic, Place, Source, UnknownField};
use crate::loader::document::budget::{ENTRY, size_of_node};
use crate::loader::document::node::{KeyedNode, Node, Table, entries_without_provenance};
use crate::loader::keys::form::{Form, NameSet, Needs, TableSpec};
use crate::loader::keys::key::{self, DisplayText, Flag, Key, NameList, OneOf, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{quoted_number, too_many, unknown, wrong_type};
use crate::loader::name::{Scope, check_script_name};
use crate::loader::section::declared::{Declared, NewSpace, SpacesOf};
use crate::loader::section::draft::Draft;
use crate::loader::section::field::{self, Columns, FieldRows, SheetRow};
use crate::loader::section::pattern::{self, BoardPatterns, by_component};
use crate::model::{
    BOX, ComponentId, FaceDownVisibility, FieldValue, FirstSeat, GridLook, HexOrientation, KindId, Label, Shape,
    Tessellation,
};
use indexmap::IndexMap;
use std::sync::Arc;

/// Maximum number of spaces in one zone, and in all zones together.
pub(in crate::loader) const MAX_SPACES: usize = 16384;

/// Maximum radius of a hexagonal board. Its 16,207 hexagons are just below [`MAX_SPACES`].
const MAX_RADIUS: i64 = 73;

/// Maximum number of copies of a zone.
const MAX_COPIES: i64 = 1000;

/// Form of an axis of `per`.
const OWNER: Form = Form::WordOrName(&["seat"], &[NameSet::Kinds]);

/// Form of an axis of a grid: a count, or the first and the last coordinate.
const AXIS: Form = Form::ByPlayers(&Form::AnyOf(&[Form::Amount, Form::Pair(&Form::Amount)]));

const CONTENTS: Form = Form::Name(NameSet::Contents);

const LABEL: Form = Form::AnyOf(&[Form::Integer, Form::Word]);

/// Form of labels: a count, a list of labels, or a name, such as the name of a param.
const LABELS: Form = Form::AnyOf(&[Form::Integer, Form::Word, Form::Some(&LABEL)]);

/// Form of the spaces of a row: a count, a name such as that of a param, a list of labels, or a list of tables that each have a label and
/// printed fields.
const LINE: Form =
    Form::AnyOf(&[Form::Integer, Form::Word, Form::List(&LABEL), Form::List(&Form::Table(&LABELED_SPACE))]);

declare_table! {
    /// Keys of a space with printed fields.
    const LABELED_SPACE: TableSpec = TableSpec::new("a space", "spaces")
        .needs(Needs::Always(&[&AT.spec])).with_others(&Form::Anything);

    const AT: Key = Key::new("at", "its label", LABEL);
}

declare_table! {
    pub(in crate::loader) const ZONE: TableSpec = TableSpec::new("a zone", "zones")
        .also(&[("visible", &SEEN_BY.spec), ("visibility", &SEEN_BY.spec), ("owner", &PER.spec),
            ("type", &SHAPE.spec), ("holds", &ACCEPTS.spec), ("size", &SPACES.spec), ("count", &COPIES.spec),
            ("width", &COLUMNS.spec), ("height", &ROWS.spec)]);

    const NAME: Key<DisplayText> = Key::text("name", "display name of the zone");
    const SHAPE: Key<OneOf<Shape>> = Key::one_of("shape", "arrangement of its pieces", &Shape::WORDS);
    const PER: Key = Key::new(
        "per", "owners that each have a copy of the zone: `seat`, or a kind", Form::AnyOf(&[OWNER, Form::List(&OWNER)]));
    const COPIES: Key = Key::new(
        "copies", "number of copies, their labels, or the zone with as many copies", Form::ByPlayers(&LABELS))
        .with_own_words();
    const SPACES: Key = Key::new(
        "spaces", "spaces of a row or ring: their number, their labels, or tables with `at`",
        Form::AnyOf(&[Form::ByPlayers(&LINE), Form::Named(&Form::ByPlayers(&LINE))]))
        .with_own_words();
    const PRINTED: Key = Key::new(
        "printed", "values printed on the spaces, for each field, laid out like the board", pattern::PRINTED)
        .with_own_words();
    const FIELDS: Key = Key::new(
        "fields", "declarations of the spaces' fields, where `printed` does not determine their types", field::FIELDS)
        .with_own_words();
    const READS: Key<Word> = Key::word("reads", "field that is displayed instead of the labels of spaces", Form::Word);
    const COLUMNS: Key = Key::new("columns", "columns of a grid: their number, or the first and the last", AXIS);
    const ROWS: Key = Key::new("rows", "rows of a grid: their number, or the first and the last", AXIS);
    const RADIUS: Key = Key::new(
        "radius", "radius of a hexagon of hexagons: steps from its center to its edge", Form::ByPlayers(&Form::Amount));
    const TOPS: Key<OneOf<HexOrientation>> = Key::one_of(
        "tops", "orientation of hexagons: a corner or an edge at the top",
        &[("pointy", HexOrientation::Pointy), ("flat", HexOrientation::Flat)]);
    // Whether the sides are straight.
    const OUTLINE: Key<OneOf<bool>> = Key::one_of(
        "outline", "outline of a grid of hexagons: slanted, or with straight sides",
        &[("rhombus", false), ("rectangle", true)]);
    const LOOKS: Key<OneOf<GridLook>> = Key::one_of(
        "looks", "appearance of a grid of squares: squares, or crossings of lines", &GridLook::WORDS);
    const FIRST_SEAT: Key<OneOf<FirstSeat>> = Key::one_of(
        "first_seat", "edge of a grid at which the first seat sits; each seat then sees the grid from its own side",
        &FirstSeat::WORDS);
    const STARTS_WITH: Key<NameList> = Key::list(
        "starts_with", "kinds and components that start here", &CONTENTS, "kinds and components");
    const ACCEPTS: Key<NameList> = Key::list(
        "accepts", "kinds and components that may lie here; any by default", &CONTENTS, "kinds and components");
    // Whether pieces arrive face up.
    const FACE: Key<OneOf<bool>> = Key::one_of("face", "side on which pieces arrive", &[("up", true), ("down", false)]);
    const SEEN_BY: Key<OneOf<FaceDownVisibility>> = Key::one_of(
        "seen_by", "who sees pieces that lie face down", &FaceDownVisibility::WORDS);
    // Whether only the top piece is visible.
    const SHOWS: Key<OneOf<bool>> = Key::one_of(
        "shows", "whether all pieces of a stack are visible, or only the top one", &[("top", true), ("all", false)]);
    const OVER: Key<Word> = Key::word("over", "zone whose spaces it shares", Form::Name(NameSet::Zones));
    const IN_FORCE: Key<Flag> = Key::flag("in_force", "whether the `alters` of its pieces are in force");
    const QUIET: Key<Flag> = Key::flag("quiet", "whether moves, rotations and rolls in it are omitted from the log");
    const SHOWN: Key<Flag> = key::SHOWN;
    const REFILL: Key<Word> = Key::word(
        "refill", "zone that is shuffled into this one when it is empty", Form::Name(NameSet::Zones));
}

/// Axial coordinates of hexagons (column, row), row by row as in patterns.
type Hexagons = Vec<Vec<(i64, i64)>>;

/// Shape and spaces of a zone.
#[derive(Debug)]
pub(in crate::loader) struct ZoneShape {
    pub(in crate::loader) shape: Shape,
    pub(in crate::loader) spaces: Vec<NewSpace>,
    /// Spaces of each component's zone, if they differ by component. In that case, `spaces` are the spaces of the first component's zone.
    pub(in crate::loader) spaces_of: SpacesOf,
    /// Number of columns of a grid, 1 for other shapes.
    pub(in crate::loader) columns: u16,
    /// Number of rows of a grid, 1 for other shapes.
    pub(in crate::loader) rows: u16,
    /// Printed fields of the spaces.
    pub(in crate::loader) fields: Columns,
    /// Field that is displayed instead of a space's label.
    pub(in crate::loader) reads: Option<Arc<str>>,
}

impl<'a> Declared<'a> {
    fn new(place: Place, entry: Option<&'a KeyedNode>) -> Self {
        Self { place, entry, spaces: Vec::new(), spaces_of: SpacesOf::new() }
    }
}

impl ZoneShape {
    /// Returns a layout with a single space, for zones without declared spaces. Also used in place of a layout that could not be read.
    pub(in crate::loader) fn single(shape: Shape) -> Self {
        Self {
            shape,
            spaces: vec![NewSpace::plain(Label::Number(1))],
            spaces_of: SpacesOf::new(),
            columns: 1,
            rows: 1,
            fields: Columns::new(),
            reads: None,
        }
    }
}

impl NewSpace {
    fn plain(label: Label) -> Self {
        Self { label, fields: IndexMap::new() }
    }
}

impl<'a> Draft<'a> {
    /// Reads the names of the zones, starting with the box.
    pub(in crate::loader) fn read_zone_names(&mut self) {
        let nowhere = Arc::new(Source { path: String::new(), text: String::new() });
        let place = Place { source: nowhere, span: 0..0 };
        self.declared.insert(BOX.into(), Declared::new(place, None));
        for (name, entry) in self.section("zones") {
            check_script_name(name, "a zone", &entry.key, self.report);
            if &**name == BOX {
                continue;
            }
            self.names.declare(Scope::Global, name, "a zone", &entry.key, self.report);
            self.declared.insert(name.clone(), Declared::new(entry.key.clone(), Some(entry)));
        }
    }

    fn zone_fields(&self, name: &str) -> Option<Fields<'a>> {
        let at = self.tree.root.get("zones")?.node.table()?.get_full(name);
        let (_, name, entry) = at?;
        Fields::from_entry(self.report, name, entry, &ZONE)
    }

    /// Returns the shape and spaces of a zone, or of the zone with which it shares its spaces. `trail` contains the zones visited so far,
    /// to detect cycles.
    pub(in crate::loader) fn ground(&self, name: &str, trail: &mut Vec<String>) -> ZoneShape {
        let Some(fields) = self.zone_fields(name) else { return ZoneShape::single(Shape::Pile) };
        trail.push(name.to_owned());
        let Some((over, place)) = fields.read(&OVER) else { return self.own_ground(&fields) };
        let why = "a zone over another has its shape and spaces";
        fields.refuse(&[&SHAPE, &SPACES, &PRINTED, &FIELDS, &READS, &COLUMNS, &ROWS], why);
        fields.refuse(&[&RADIUS, &TOPS, &OUTLINE, &LOOKS, &FIRST_SEAT], why);
        if trail.iter().any(|seen| **seen == **over) {
            self.mistake(circular(name, over, place));
            return ZoneShape::single(Shape::Pile);
        }
        if !self.declared.contains_key(over) {
            self.mistake(self.unknown_zone(over, place));
            return ZoneShape::single(Shape::Pile);
        }
        self.ground(over, trail)
    }

    /// Returns the shape and spaces that a zone declares itself, without sharing those of another zone.
    fn own_ground(&self, fields: &Fields<'a>) -> ZoneShape {
        let shape = fields.require(&SHAPE).and_then(|_| fields.read(&SHAPE));
        if !matches!(shape, None | Some(Shape::Grid(Tessellation::Hex(_)))) {
            fields.refuse(&[&RADIUS, &TOPS, &OUTLINE], "only for hexagons: `shape = \"hex\"`");
        }
        if !matches!(shape, None | Some(Shape::Grid(Tessellation::Square))) {
            fields.refuse(&[&LOOKS], "only for grids of squares: `shape = \"grid\"`");
        }
        if shape.is_some_and(|shape| !shape.is_grid()) {
            fields.refuse(&[&FIRST_SEAT], "only for grids of squares or hexagons");
        }
        match shape {
            None => ZoneShape::single(Shape::Pile),
            Some(line @ (Shape::Row | Shape::Ring)) => {
                fields.refuse(&[&COLUMNS, &ROWS], "only a grid has columns and rows");
                let read = self.line(fields).map(|ground| self.set_reading_field(fields, ground));
                ZoneShape { shape: line, ..read.unwrap_or_else(|| ZoneShape::single(line)) }
            }
            Some(shape @ Shape::Grid(Tessellation::Square)) => {
                fields.refuse(&[&SPACES], "a grid has columns and rows");
                let read = self.grid(fields).map(|ground| self.set_reading_field(fields, ground));
                read.unwrap_or_else(|| ZoneShape::single(shape))
            }
            Some(Shape::Grid(Tessellation::Hex(default))) => {
                fields.refuse(&[&SPACES], "hexagons have columns and rows, or a radius");
                let orientation = fields.read(&TOPS).unwrap_or(default);
                let read = self.hexagons(fields, orientation).map(|ground| self.set_reading_field(fields, ground));
                read.unwrap_or_else(|| ZoneShape::single(Shape::Grid(Tessellation::Hex(orientation))))
            }
            Some(single @ (Shape::Pile | Shape::Hand | Shape::Bag)) => {
                fields
                    .refuse(&[&SPACES, &PRINTED, &FIELDS, &READS, &COLUMNS, &ROWS], "a pile, hand or bag is one stack");
                ZoneShape::single(single)
            }
        }
    }

    /// Reads the patterns of a grid: one board, or one for each component of the kind in `per`.
    fn patterns(&self, fields: &Fields<'a>) -> ZoneBoards<'a> {
        let Some(printed) = fields.get(&PRINTED) else { return ZoneBoards::default() };
        if is_by_component(printed) {
            return self.boards_by_component(fields, printed, true).unwrap_or_default();
        }
        ZoneBoards { components: Vec::new(), boards: self.board(printed, true, None).into_iter().collect() }
    }

    /// Reads `reads`, the field that is displayed instead of the labels of spaces. Reports an unknown field.
    fn set_reading_field(&self, fields: &Fields<'a>, mut ground: ZoneShape) -> ZoneShape {
        if let Some((name, place)) = fields.read(&READS) {
            if ground.fields.contains_key(name) {
                ground.reads = Some(name.clone());
            } else {
                let known = ground.fields.keys().map(|name| &**name);
                self.mistake(UnknownField::of_one("a space", name).suggest(name, known).at(place.clone()));
            }
        }
        ground
    }

    /// Writes the values of patterns into the spaces. If the zone does not declare `spaces`, the first field is displayed instead of their
    /// labels.
    fn print_patterns(
        &self,
        fields: &Fields<'a>,
        boards: ZoneBoards<'a>,
        rows: &[usize],
        mut ground: ZoneShape,
    ) -> ZoneShape {
        let ZoneBoards { components, boards } = boards;
        let declared = fields.get(&FIELDS).map(|node| self.declared_fields(node)).unwrap_or_default();
        let first = boards.first().and_then(BoardPatterns::first).cloned();
        let mut spaces = vec![std::mem::take(&mut ground.spaces); boards.len()];
        ground.fields = self.print_boards(fields.name, &boards, rows, &declared, &mut spaces);
        ground.spaces = spaces.first().cloned().unwrap_or_default();
        ground.spaces_of = components.into_iter().zip(spaces).collect();
        let has_labels = fields.get(&SPACES).is_some();
        ground.reads = first.filter(|name| !has_labels && ground.fields.contains_key(name));
        ground
    }

    /// Returns the spaces of a row or ring. They are the same for all zones of the family, or declared separately for each component of the
    /// kind in `per`.
    fn line(&self, fields: &Fields<'a>) -> Option<ZoneShape> {
        let Some(printed) = fields.get(&PRINTED) else {
            return fields.require(&SPACES).and_then(|node| self.listed_spaces(fields, node));
        };
        let node = fields.get(&SPACES);
        let resolved = node.and_then(|node| self.for_players(SPACES.name, node));
        let is_described = |node: &Node| node.list().is_some_and(|list| list.iter().any(|one| one.table().is_some()));
        if let Some(node) = node.filter(|_| resolved.is_some_and(|node| node.table().is_some() || is_described(node))) {
            fields.refuse(&[&PRINTED], "spaces that are tables with `at` have their fields in these tables");
            return self.listed_spaces(fields, node);
        }
        if is_by_component(printed) {
            fields.refuse(&[&SPACES], "if values are listed by component, they determine the number of spaces");
            return self.printed_by_component(fields, printed);
        }
        let board = self.board(printed, false, None)?;
        let labels = match node {
            Some(node) => self.labels(SPACES.name, node, 1, MAX_SPACES as i64)?,
            None => (1..=board.size().0 as i64).map(Label::Number).collect(),
        };
        let spaces = labels.into_iter().map(NewSpace::plain).collect();
        let boards = ZoneBoards { components: Vec::new(), boards: vec![board] };
        Some(self.print_patterns(fields, boards, &[], ZoneShape { spaces, ..ZoneShape::single(Shape::Row) }))
    }

    /// Returns the spaces of a row or ring whose patterns differ by component. The patterns determine the number of spaces.
    fn printed_by_component(&self, fields: &Fields<'a>, printed: &'a Node) -> Option<ZoneShape> {
        let ZoneBoards { components, boards } = self.boards_by_component(fields, printed, false)?;
        let numbered =
            |board: &BoardPatterns<'_>| (1..=board.size().0 as i64).map(Label::Number).map(NewSpace::plain).collect();
        let mut lines: Vec<Vec<NewSpace>> = boards.iter().map(numbered).collect();
        let declared = fields.get(&FIELDS).map(|node| self.declared_fields(node)).unwrap_or_default();
        let columns = self.print_boards(fields.name, &boards, &[], &declared, &mut lines);
        let reads = boards.first().and_then(BoardPatterns::first).filter(|name| columns.contains_key(*name)).cloned();
        let spaces = lines.first()?.clone();
        let spaces_of = components.into_iter().zip(lines).collect();
        Some(ZoneShape { spaces, spaces_of, fields: columns, reads, ..ZoneShape::single(Shape::Row) })
    }

    /// Reads the board of each component of the kind in `per`. Returns `None` and reports a mistake if a board is missing.
    fn boards_by_component(&self, fields: &Fields<'a>, printed: &'a Node, is_grid: bool) -> Option<ZoneBoards<'a>> {
        let kind = self.kind_in_per(fields, &PRINTED, "the same for all", printed)?;
        let by_components = printed.table().into_iter().flat_map(|table| table.values());
        for table in by_components.filter_map(|entry| by_component(&entry.node)) {
            self.check_components(table, kind);
        }
        let ids = self.kinds[kind.index()].components.clone();
        let (mut components, mut boards) = (Vec::new(), Vec::new());
        for id in ids {
            let name = &self.components[id.index()].id;
            match self.board(printed, is_grid, Some(name)) {
                Some(board) => {
                    let (wide, high) = board.size();
                    if !self.charge(wide.saturating_mul(high).saturating_mul(ENTRY), &printed.place) {
                        return None;
                    }
                    components.push(id);
                    boards.push(board);
                }
                None => self.mistake(missing_component_spaces(fields.name, name, table_without(printed, name))),
            }
        }
        (!boards.is_empty()).then_some(ZoneBoards { components, boards })
    }

    /// Returns the kind in `per`. Reports a mistake if there is none, because a table by component needs a kind. `others` are the other
    /// allowed values of the key.
    fn kind_in_per(&self, fields: &Fields<'a>, key: &Key, others: &str, node: &Node) -> Option<KindId> {
        let words = fields.get(&PER).map(|per| per.list().unwrap_or(std::slice::from_ref(per))).unwrap_or_default();
        let kind = words.iter().filter_map(Node::text).find_map(|word| self.kind_id(word));
        if kind.is_none() {
            let expected = format!("{others}, or a table by component where `per` is a kind");
            self.mistake(wrong_type(key.name, &expected, node));
        }
        kind
    }

    /// Reports the keys of a table by component that are not components of `kind`.
    fn check_components(&self, table: &Table, kind: KindId) {
        for (name, entry) in entries_without_provenance(table) {
            if self.component_id(name).is_none_or(|id| self.components[id.index()].kind != kind) {
                let known = self.known_components(Some(kind));
                self.mistake(unknown("unknown-component", "component", name, &entry.key, known));
            }
        }
    }

    /// Reads the spaces of a row or ring from the key `spaces`.
    fn listed_spaces(&self, fields: &Fields<'a>, node: &'a Node) -> Option<ZoneShape> {
        let resolved = self.for_players(SPACES.name, node)?;
        if let Some(table) = resolved.table() {
            return self.spaces_by_component(fields, table, resolved);
        }
        let (mut lines, columns) = self.lines(fields, &[resolved])?;
        Some(ZoneShape { spaces: lines.pop()?, fields: columns, ..ZoneShape::single(Shape::Row) })
    }

    /// Reads the spaces of each component's zone from a table by component.
    fn spaces_by_component(&self, fields: &Fields<'a>, table: &'a Table, node: &Node) -> Option<ZoneShape> {
        let kind = self.kind_in_per(fields, &SPACES, "a number, a list", node)?;
        self.check_components(table, kind);
        let ids = self.kinds[kind.index()].components.clone();
        let mut nodes: Vec<&'a Node> = Vec::new();
        for id in &ids {
            match table.get(&*self.components[id.index()].id) {
                Some(entry) => nodes.push(self.for_players(SPACES.name, &entry.node)?),
                None => {
                    self.mistake(missing_component_spaces(fields.name, &self.components[id.index()].id, &node.place));
                }
            }
        }
        let (lines, columns) = self.lines(fields, &nodes)?;
        let spaces = lines.first()?.clone();
        Some(ZoneShape {
            spaces,
            spaces_of: ids.into_iter().zip(lines).collect(),
            fields: columns,
            ..ZoneShape::single(Shape::Row)
        })
    }

    /// Reads the spaces of one or several rows, and their common fields.
    fn lines(&self, fields: &Fields<'a>, nodes: &[&'a Node]) -> Option<(Vec<Vec<NewSpace>>, Columns)> {
        let is_described = |node: &&Node| node.list().is_some_and(|list| list.iter().any(|one| one.table().is_some()));
        if nodes.iter().any(is_described) {
            return self.described_lines(fields, nodes);
        }
        fields.refuse(
            &[&FIELDS],
            "only spaces that are tables with `at`, or for which `printed` has figures, have fields",
        );
        let line = |node: &&Node| {
            let labels = self.labels(SPACES.name, node, 1, MAX_SPACES as i64)?;
            if !self.charge(labels.len() * ENTRY, &node.place) {
                return None;
            }
            Some(labels.into_iter().map(NewSpace::plain).collect())
        };
        Some((nodes.iter().map(line).collect::<Option<_>>()?, Columns::new()))
    }

    /// Reads spaces that have printed fields.
    fn described_lines(&self, fields: &Fields<'a>, nodes: &[&'a Node]) -> Option<(Vec<Vec<NewSpace>>, Columns)> {
        let declared = fields.get(&FIELDS).map(|node| self.declared_fields(node)).unwrap_or_default();
        let mut lines: Vec<Vec<NewSpace>> = Vec::new();
        let mut rows = Vec::new();
        for node in nodes {
            let read = self.described_line(node);
            lines.push(read.iter().map(|(label, _)| NewSpace::plain(label.clone())).collect());
            rows.extend(read.into_iter().map(|(_, row)| row));
        }
        let sheet = FieldRows {
            plural: format!("spaces of `{}`", fields.name),
            rows,
            own: &LABELED_SPACE,
            closed: false,
            has_blanks: false,
        };
        let columns = self.column_types(&sheet, &declared);
        for (space, row) in lines.iter_mut().flatten().zip(&sheet.rows) {
            for (name, (field_type, _)) in &columns {
                let in_row = row.table.get(name).map(|entry| &entry.node);
                let default = declared.get(name).and_then(|field| field.default).filter(|_| in_row.is_none());
                if let Some(default) = default
                    && !self.charge(size_of_node(default), &default.place)
                {
                    return None;
                }
                let node = in_row.or(default);
                let value = node.map_or(FieldValue::Nothing, |node| self.field_value(name, node, field_type));
                space.fields.insert(name.clone(), value);
            }
        }
        (!lines.is_empty() && lines.iter().all(|line| !line.is_empty())).then_some((lines, columns))
    }

    /// Reads the labels of a row's spaces, with the table of each space.
    fn described_line<'n>(&self, node: &'n Node) -> Vec<(Label, SheetRow<'n>)> {
        let mut labels = Vec::new();
        let mut rows = Vec::new();
        for node in node.list().unwrap_or(std::slice::from_ref(node)) {
            let Some(table) = node.table() else {
                self.mistake(wrong_type(SPACES.name, "a list of tables only, or of labels only", node));
                continue;
            };
            let Some(at) = AT.value_in(table) else {
                self.mistake(no_label(&node.place));
                continue;
            };
            let before = labels.len();
            if let Some(label) = self.label(AT.name, at) {
                self.add_label(&mut labels, label, &at.place);
            }
            if labels.len() > before {
                rows.push(SheetRow { name: None, place: &at.place, table });
            }
        }
        labels.into_iter().zip(rows).collect()
    }

    fn grid(&self, fields: &Fields<'a>) -> Option<ZoneShape> {
        let boards = self.patterns(fields);
        let ((left, right), (top, bottom)) = self.extent(fields, boards.boards.first())?;
        let (width, height) = ((right - left + 1) as u16, (bottom - top + 1) as u16);
        let cells =
            (top..=bottom).flat_map(|row| (left..=right).map(move |column| Label::Cell(column as i16, row as i16)));
        let spaces = cells.map(NewSpace::plain).collect();
        let ground =
            ZoneShape { spaces, columns: width, rows: height, ..ZoneShape::single(Shape::Grid(Tessellation::Square)) };
        Some(self.print_grid(fields, boards, &vec![usize::from(width); usize::from(height)], ground))
    }

    /// Returns the first and last column, and the first and last row. An axis that is not declared has the size of the pattern.
    fn extent(&self, fields: &Fields<'a>, board: Option<&BoardPatterns<'a>>) -> Option<((i64, i64), (i64, i64))> {
        let (most, size) = (MAX_SPACES as i64, board.map(BoardPatterns::size));
        let axis = |key: &Key, printed: Option<usize>| match printed.filter(|_| fields.get(key).is_none()) {
            Some(count) => Some((1, count as i64)),
            None => fields.require(key).and_then(|node| self.read_axis(key.name, node, most)),
        };
        let columns = axis(&COLUMNS, size.map(|(columns, _)| columns));
        let rows = axis(&ROWS, size.map(|(_, rows)| rows));
        let ((left, right), (top, bottom)) = (columns?, rows?);
        let number = (right - left + 1) * (bottom - top + 1);
        if number > most {
            self.mistake(too_many("spaces", number as usize, MAX_SPACES, Some(fields.place)));
            return None;
        }
        Some(((left, right), (top, bottom)))
    }

    /// Writes the values of patterns onto a grid, if there are patterns. `rows` contains the number of spaces in each row.
    fn print_grid(&self, fields: &Fields<'a>, boards: ZoneBoards<'a>, rows: &[usize], ground: ZoneShape) -> ZoneShape {
        if !boards.boards.is_empty() {
            return self.print_patterns(fields, boards, rows, ground);
        }
        fields.refuse(&[&FIELDS], "a grid has fields where `printed` has figures for them");
        ground
    }

    /// Returns the shape and spaces of a hexagonal grid. Columns and rows are axial coordinates.
    fn hexagons(&self, fields: &Fields<'a>, orientation: HexOrientation) -> Option<ZoneShape> {
        let boards = self.patterns(fields);
        let rows = if let Some(node) = fields.get(&RADIUS) {
            fields.refuse(&[&COLUMNS, &ROWS, &OUTLINE], "a hexagon of hexagons is as large as its `radius` says");
            hexagon(self.amount_within(RADIUS.name, node, 0, MAX_RADIUS)?)
        } else {
            let is_straight = fields.read(&OUTLINE).unwrap_or(false);
            let (columns, rows) = self.extent(fields, boards.boards.first())?;
            block(columns, rows, is_straight.then_some(orientation))
        };
        let all = || rows.iter().flatten();
        let extent = |coordinate: fn(&(i64, i64)) -> i64| {
            let (least, most) =
                (all().map(coordinate).min().unwrap_or_default(), all().map(coordinate).max().unwrap_or_default());
            (most - least + 1) as u16
        };
        let spaces = all().map(|(column, row)| NewSpace::plain(Label::Cell(*column as i16, *row as i16))).collect();
        let (columns, high) = (extent(|at| at.0), extent(|at| at.1));
        let shape = Shape::Grid(Tessellation::Hex(orientation));
        let ground = ZoneShape { spaces, columns, rows: high, ..ZoneShape::single(shape) };
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        Some(self.print_grid(fields, boards, &lengths, ground))
    }

    /// Returns the labels of a zone's copies, if it has copies. `trail` contains the zones visited so far, to detect cycles.
    pub(in crate::loader) fn copies(&self, name: &str, trail: &mut Vec<String>) -> Option<Vec<Label>> {
        let fields = self.zone_fields(name)?;
        let node = fields.get(&COPIES)?;
        trail.push(name.to_owned());
        let Some(other) = node.text().filter(|word| self.declared.contains_key(*word)) else {
            return self.own_copies(node);
        };
        if trail.iter().any(|seen| **seen == **other) {
            self.mistake(circular(name, other, &node.place));
            return None;
        }
        let copies = self.copies(other, trail);
        let is_without = self.zone_fields(other).is_none_or(|fields| fields.get(&COPIES).is_none());
        if is_without {
            self.mistake(no_copies(name, other, &node.place));
        }
        copies
    }

    /// Returns the labels of copies, given by an amount or a list. Reports a word that names neither a zone nor an amount.
    fn own_copies(&self, node: &Node) -> Option<Vec<Label>> {
        let is_amount = |word: &str| self.params.contains_key(word) || self.options.contains_key(word);
        if let Some(word) = node.text().filter(|word| !is_amount(word)) {
            let amounts = self.params.keys().chain(self.options.keys());
            let known = self.known_zones().chain(amounts.map(|name| &**name));
            self.mistake(match word.parse::<i64>() {
                Ok(_) => quoted_number(COPIES.name, word, &node.place),
                Err(_) => unknown("unknown-zone", "zone, param or option", word, &node.place, known),
            });
            return None;
        }
        self.labels(COPIES.name, node, 0, MAX_COPIES)
    }

    /// Creates the diagnostic for an unknown zone.
    pub(in crate::loader) fn unknown_zone(&self, word: &str, place: &Place) -> Diagnostic {
        unknown("unknown-zone", "zone", word, place, self.known_zones())
    }
}

/// Returns all hexagons within `radius` steps of the hexagon in column 0 and row 0.
fn hexagon(radius: i64) -> Hexagons {
    let row =
        |row: i64| ((-radius).max(-radius - row)..=radius.min(radius - row)).map(|column| (column, row)).collect();
    (-radius..=radius).map(row).collect()
}

/// Returns a block of hexagons with equally long rows and equally long columns. If `straight` gives an orientation, the sides are straight:
/// every second row (for flat tops, every second column) is shifted by half a hexagon.
fn block((left, right): (i64, i64), (top, bottom): (i64, i64), straight: Option<HexOrientation>) -> Hexagons {
    let place = |column: i64, row: i64| match straight {
        None => (column, row),
        Some(HexOrientation::Pointy) => (column - (row - top).div_euclid(2), row),
        Some(HexOrientation::Flat) => (column, row - (column - left).div_euclid(2)),
    };
    (top..=bottom).map(|row| (left..=right).map(|column| place(column, row)).collect()).collect()
}

/// The boards of a zone: a single board, or a board for the zone of each component.
#[derive(Default)]
struct ZoneBoards<'a> {
    /// The components; empty if there is one board for all.
    components: Vec<ComponentId>,
    boards: Vec<BoardPatterns<'a>>,
}

/// Returns whether the pattern of any field is written separately for each component.
fn is_by_component(printed: &Node) -> bool {
    printed.table().is_some_and(|table| table.values().any(|entry| by_component(&entry.node).is_some()))
}

/// Returns the place of the first table by component that lacks `component`.
fn table_without<'n>(printed: &'n Node, component: &str) -> &'n Place {
    let mut nodes = printed.table().into_iter().flat_map(|table| table.values()).map(|entry| &entry.node);
    let lacking = nodes.find(|node| by_component(node).is_some_and(|table| !table.contains_key(component)));
    &lacking.unwrap_or(printed).place
}

fn missing_component_spaces(zone: &str, component: &str, place: &Place) -> Diagnostic {
    Diagnostic::error(
        "missing-key",
        format!("the spaces of `{zone}` are listed by component, but `{component}` has no entry"),
    )
    .mark(place.clone(), format!("no entry for `{component}`"))
    .help(format!("add `{component} = …`"))
}

fn no_label(place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", "a space with fields needs `at`, its label").mark(place.clone(), "no `at` here")
}

fn circular(name: &str, other: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("circular-zone", format!("`{name}` and `{other}` are copies of each other"))
        .mark(place.clone(), "circular")
}

fn no_copies(name: &str, other: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("`{name}` has as many copies as `{other}`, which has no `copies`"))
        .mark(place.clone(), "a zone without `copies`")
}

//! Draws grids: as text for the log, and as SVG.

use super::names::Wording;
use super::statement::Face;
use super::svg::Svg;
use super::tiling::{AxisLabel, Tiling, hexagon_parts};
use crate::model::{Content, Family, FamilyId, FieldValue, KindId, Label, Seat, SpaceId, Tessellation, ZoneId};
use crate::table::{Picture, PicturedCell, PicturedSpace, PlacedPiece};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Color of spaces for which the game declares no color.
pub const DEFAULT_COLOR: &str = "#dddddd";

/// Colors of the pieces, by the seat that owns them. [`UNOWNED_COLOR`] is for pieces without an owner.
const SEAT_COLORS: [&str; 8] = ["#d62828", "#1d4ed8", "#15803d", "#7e22ce", "#c2410c", "#0e7490", "#be185d", "#4d7c0f"];
const UNOWNED_COLOR: &str = "#1a1a1a";

/// Text for a field without a value.
const NO_VALUE: &str = "-";

/// Text color on light backgrounds. [`LIGHT_INK`] is for dark backgrounds.
const DARK_INK: &str = "#222222";
const LIGHT_INK: &str = "#ffffff";

/// Side length of a space, in units of the drawing.
const SIDE: i32 = 40;

/// Maximum width of a text on a space, in units of the drawing.
const MAX_TEXT_WIDTH: i32 = SIDE - 12;

/// Line height of the text below the grid. [`FONT_SIZE`] is its font size.
const LINE_HEIGHT: i32 = 18;
const FONT_SIZE: i32 = 13;

/// Offset of the pieces from the top left corner of a space. [`PIECES_AREA`] is the width and height available for pieces.
const PIECES_OFFSET: (i32, i32) = (2, 16);
const PIECES_AREA: (i32, i32) = (SIDE - 4, SIDE - 18);

/// Size of a piece, if there is enough space.
const PIECE_SIZE: i32 = 20;

/// Shapes of pieces around the origin, one for each kind of piece on a grid. The shapes repeat if there are more kinds.
const OUTLINES: [Outline; 4] = [
    Outline { element: "circle", attribute: "r", value: "8" },
    Outline { element: "path", attribute: "d", value: "M-7 -7h15v15h-15z" },
    Outline { element: "path", attribute: "d", value: "M0 -9l10 17h-20z" },
    Outline { element: "path", attribute: "d", value: "M0 -10l9 10l-9 10l-9 -10z" },
];

/// Shape of a piece as an SVG element with one attribute.
#[derive(Debug, Clone, Copy)]
struct Outline {
    element: &'static str,
    attribute: &'static str,
    value: &'static str,
}

/// Letters for marks. A mark identifies a space with pieces.
const MARKS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Returns the mark at an index: `a` to `Z`, then `aa`, `ab`, and so on. All marks are different.
fn mark(position: usize) -> String {
    let count = MARKS.len();
    let before = if position < count { String::new() } else { mark(position / count - 1) };
    before + &MARKS[position % count..=position % count]
}

/// Range of visible columns and rows.
struct Extent {
    columns: std::ops::RangeInclusive<i16>,
    rows: std::ops::RangeInclusive<i16>,
}

impl Extent {
    /// Computes the range of columns and rows with content. Spaces in `always_visible` count as content.
    fn new(picture: &Picture, always_visible: &(impl Iterator<Item = (i16, i16)> + Clone)) -> Self {
        let printed = || picture.printed.iter().map(|space| space.at).chain(always_visible.clone());
        let cells = || picture.cells.iter().map(|cell| cell.at);
        let places = || printed().chain(cells()).chain(picture.standing.iter().map(|piece| piece.at));
        let range = |coordinate: fn((i16, i16)) -> i16| {
            places().map(coordinate).min().unwrap_or_default()..=places().map(coordinate).max().unwrap_or_default()
        };
        Self { columns: range(|at| at.0), rows: range(|at| at.1) }
    }

    fn has(&self, (column, row): (i16, i16)) -> bool {
        self.columns.contains(&column) && self.rows.contains(&row)
    }
}

/// The pieces on one space, with their mark.
struct Group<'p> {
    at: (i16, i16),
    mark: String,
    pieces: Vec<&'p PlacedPiece>,
}

fn groups(picture: &Picture) -> Vec<Group<'_>> {
    let mut found: Vec<Group<'_>> = Vec::new();
    for piece in &picture.standing {
        match found.last_mut().filter(|group| group.at == piece.at) {
            Some(group) => group.pieces.push(piece),
            None => found.push(Group { at: piece.at, mark: mark(found.len()), pieces: vec![piece] }),
        }
    }
    found
}

impl Wording {
    /// Draws a grid as text: rows of cells in the notation of the game's files, with marks for pieces. A list below the grid describes the
    /// pieces at each mark.
    pub fn picture(&self, picture: &Picture) -> Vec<String> {
        let extent = self.extent(picture);
        let groups = groups(picture);
        let texts = self.space_texts(picture);
        let mark_width = groups.iter().map(|group| group.mark.len()).max().unwrap_or(1);
        let mark_at = |at: (i16, i16)| groups.iter().find(|group| group.at == at).map_or("", |group| &*group.mark);
        let width = texts.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(1);
        let across = width + mark_width + 3;
        let cell = |at: (i16, i16)| {
            let text = texts.iter().find(|(known, _)| *known == at).map_or("·", |(_, text)| &**text);
            format!("{text:<width$} {:<mark_width$}", mark_at(at))
        };
        let mut lines = vec![format!("{}{}", self.zone_name(picture.zone), self.fields_of(picture.zone))];
        match self.tessellation(picture.zone) {
            Tessellation::Square => {
                let columns: Vec<i16> = extent.columns.clone().collect();
                // A map that is wider than a line is drawn in parts, one below the other.
                for columns in columns.chunks((self.map_width.saturating_sub(6) / across).max(1)) {
                    let mut head = " ".repeat(6);
                    for column in columns {
                        let _ = write!(head, "{column:<across$}");
                    }
                    lines.push(head.trim_end().to_owned());
                    for row in extent.rows.clone() {
                        let cells: Vec<String> = columns.iter().map(|column| cell((*column, row))).collect();
                        lines.push(format!("{row:>4}  {}", cells.join("  ")).trim_end().to_owned());
                    }
                }
            }
            Tessellation::Hex(orientation) => {
                let places = self.places(picture.zone).filter(|at| extent.has(*at));
                let spaces: Vec<_> = places.map(|at| (at, cell(at))).collect();
                lines.extend(hexagon_parts(orientation, &spaces, across, self.map_width));
            }
        }
        lines.extend(groups.iter().map(|group| self.group_line(group)));
        lines
    }

    /// Returns the visible part of a grid. A printed map is always completely visible, because its empty spaces belong to the map.
    fn extent(&self, picture: &Picture) -> Extent {
        let is_printed = !self.model.family_of(picture.zone).printed.is_empty();
        let always_visible: Vec<(i16, i16)> = if is_printed { self.places(picture.zone).collect() } else { Vec::new() };
        Extent::new(picture, &always_visible.into_iter())
    }

    fn tessellation(&self, zone: ZoneId) -> Tessellation {
        self.model.family_of(zone).shape.tessellation()
    }

    /// Returns the column and row of every space of a grid.
    fn places(&self, zone: ZoneId) -> impl Iterator<Item = (i16, i16)> + '_ {
        self.model.zone(zone).spaces.clone().filter_map(|space| match self.model.space(SpaceId(space)).label {
            Label::Cell(column, row) => Some((column, row)),
            _ => None,
        })
    }

    /// Returns a title for the state of a grid after a round. Round 0 is the setup.
    pub fn after_round(&self, round: i64) -> String {
        self.log.after_round(round, &self.round_word())
    }

    /// Returns the legend of the cell symbols in one line.
    pub fn symbols(&self) -> String {
        self.each_symbol().join(self.log.semicolon)
    }

    fn each_symbol(&self) -> Vec<String> {
        let symbols = self.model.cells.symbols.iter();
        symbols.map(|symbol| format!("{} = {}", symbol.written, self.text(&symbol.name))).collect()
    }

    /// Returns the text on each space: the symbol of the cell that covers the space, or else the printed fields of the space.
    fn space_texts<'p>(&'p self, picture: &Picture) -> Vec<((i16, i16), Cow<'p, str>)> {
        let cells = picture.cells.iter().map(|cell| (cell.at, Cow::Borrowed(self.cell_text(*cell))));
        let printed = spaces_without_cells(picture).map(|printed| (printed.at, Cow::Owned(self.figure(printed.space))));
        cells.chain(printed).collect()
    }

    fn cell_text(&self, cell: PicturedCell) -> &str {
        cell.print.map_or("?", |print| &self.model.cells.prints[print as usize].text)
    }

    fn group_line(&self, group: &Group<'_>) -> String {
        format!("      {}", self.marked_pieces(group).join(self.log.comma))
    }

    /// Describes the pieces of a group. The mark precedes the first description.
    fn marked_pieces(&self, group: &Group<'_>) -> Vec<String> {
        let mut pieces: Vec<String> = group.pieces.iter().map(|piece| self.describe_piece(piece)).collect();
        pieces[0].insert_str(0, &format!("{} ", group.mark));
        pieces
    }

    /// Describes a piece on a grid, as far as the reader knows it.
    fn describe_piece(&self, piece: &PlacedPiece) -> String {
        if self.reader.knows(piece.known) {
            return self.face_of(Face {
                component: piece.component,
                owner: piece.owner,
                turned: self.is_turn_known(piece).then_some(piece.turned),
            });
        }
        self.log.remarked(&self.hidden(piece.component), &self.zone_name(piece.zone))
    }

    /// Draws a grid as SVG, with a title above and the list of pieces below.
    pub fn drawing(&self, picture: &Picture, title: &str) -> String {
        let extent = self.extent(picture);
        let groups = groups(picture);
        let tiling = Tiling { tessellation: self.tessellation(picture.zone), side: SIDE };
        // Hexagons extend further than squares beyond the centers of the outermost rows and columns.
        let (places, more): (Vec<(i16, i16)>, i32) = match tiling.tessellation {
            Tessellation::Square => {
                let row = |row| extent.columns.clone().map(move |column| (column, row));
                (extent.rows.clone().flat_map(row).collect(), 0)
            }
            Tessellation::Hex(_) => (self.places(picture.zone).filter(|at| extent.has(*at)).collect(), SIDE / 4),
        };
        let ((left, top), (right, bottom)) = tiling.bounds(&places);
        let room = ((right - left) / SIDE + 1).max(14) * SIDE + SIDE;
        let high = bottom - top + SIDE + more;
        let pieces = groups.iter().flat_map(|group| wrap_list(&self.marked_pieces(group), self.log.comma, room));
        let fields = self.fields_of(picture.zone);
        let named = (!fields.is_empty()).then(|| format!("{}{fields}", self.zone_name(picture.zone)));
        let lines: Vec<String> =
            named.into_iter().chain(pieces).chain(wrap_list(&self.each_symbol(), self.log.semicolon, room)).collect();
        let longest = lines.iter().map(|line| text_width(line, FONT_SIZE)).max().unwrap_or_default();
        let width = room.max(longest).max(text_width(title, LINE_HEIGHT)) + 2 * SIDE;
        let height = high + 3 * SIDE + lines.len() as i32 * LINE_HEIGHT;
        let middle = |at: (i16, i16)| {
            let (x, y) = tiling.middle(at);
            (x - left + SIDE * 3 / 2, y - top + SIDE * 5 / 2)
        };
        let mut svg = Svg::default();
        svg.image((0, 0), (width, height)).set("font-family", "sans-serif").content(|svg| {
            svg.end_line();
            svg.element("rect").set("width", width).set("height", height).set("fill", "#fbfaf5").empty();
            svg.end_line();
            svg.label((SIDE, 24)).set("font-size", LINE_HEIGHT).text(title);
            svg.end_line();
            draw_labels(tiling, &places, (left, top), svg);
            for printed in spaces_without_cells(picture) {
                draw_space(tiling, DEFAULT_COLOR, &self.figure(printed.space), middle(printed.at), svg);
            }
            for cell in &picture.cells {
                draw_space(tiling, self.paint(*cell), self.cell_text(*cell), middle(cell.at), svg);
            }
            for cell in &picture.cells {
                for (from, to) in edges(tiling, &picture.cells, *cell, middle(cell.at)) {
                    svg.line(from, to).set("stroke", "#333333").set("stroke-width", "1.5").empty();
                    svg.end_line();
                }
            }
            for group in &groups {
                let (x, y) = middle(group.at);
                self.draw_group(picture, group, (x - SIDE / 2, y - SIDE / 2), svg);
            }
            for (at, line) in lines.iter().enumerate() {
                let y = high + 2 * SIDE + 30 + at as i32 * LINE_HEIGHT;
                svg.label((SIDE, y)).set("font-size", FONT_SIZE).text(line);
                svg.end_line();
            }
        });
        svg.end_line();
        svg.into_text()
    }

    /// Returns the text for the printed fields of a space. The field that names the space comes first.
    pub fn figure(&self, space: SpaceId) -> String {
        let (found, family) = (self.model.space(space), self.model.family_of(self.model.space(space).zone));
        let reads = family.reads.as_ref();
        let others = family.printed.keys().filter(|name| reads != Some(name));
        let facts = reads.into_iter().chain(others).filter_map(|name| match found.fields.get(name)? {
            FieldValue::Flag(is_so) => is_so.then(|| self.named_word(name)),
            // A space without a name, such as a light square of a checkers board, is not used by pieces.
            FieldValue::Nothing if reads == Some(name) => None,
            FieldValue::Nothing => Some(NO_VALUE.to_owned()),
            FieldValue::List(none) if none.is_empty() => Some(NO_VALUE.to_owned()),
            printed => Some(self.field(printed)),
        });
        facts.collect::<Vec<_>>().join(" ")
    }

    /// Returns a colon and the names of a zone's printed fields. Returns an empty string if there are fewer than two.
    fn fields_of(&self, zone: ZoneId) -> String {
        let family = self.model.family_of(zone);
        let reads = family.reads.as_ref();
        let others = family.printed.keys().filter(|name| reads != Some(name));
        let names: Vec<String> = reads.into_iter().chain(others).map(|name| self.named_word(name)).collect();
        if names.len() > 1 { format!("{}{}", self.log.colon, names.join(self.log.comma)) } else { String::new() }
    }

    fn paint(&self, cell: PicturedCell) -> &str {
        let print = cell.print.map(|print| &self.model.cells.prints[print as usize]);
        print.and_then(|print| print.color.as_deref()).unwrap_or(DEFAULT_COLOR)
    }

    /// Returns the shape of a piece, which depends on the kind of the piece.
    fn outline(&self, piece: &PlacedPiece) -> Outline {
        let kind = self.model.component(piece.component).kind;
        let ground = |zone: ZoneId| self.model.family_of(zone).over.unwrap_or(self.model.zone(zone).family);
        let stands = |pieces_kind: &KindId| {
            let all = self.model.families.iter().enumerate();
            let is_here = |at: usize, family: &Family| family.over.unwrap_or(FamilyId::at(at)) == ground(piece.zone);
            let here = all.filter(|(at, family)| is_here(*at, family)).map(|(_, family)| family);
            here.flat_map(|family| &family.accepts).any(|accepted| match accepted {
                Content::Kind(kind) => kind == pieces_kind,
                Content::Component(component) => self.model.component(*component).kind == *pieces_kind,
            })
        };
        let before = (0..self.model.kinds.len()).map(KindId::at).take_while(|other| *other != kind).filter(stands);
        OUTLINES[before.count() % OUTLINES.len()]
    }

    fn is_turn_known(&self, piece: &PlacedPiece) -> bool {
        self.reader.knows(piece.turn_known)
    }

    /// Returns the number that a die shows, or the first number printed on a piece. Returns an empty string if there is no number or the
    /// reader does not know the piece.
    fn number_on(&self, piece: &PlacedPiece) -> String {
        let is_known = self.reader.knows(piece.known);
        let component = self.model.component(piece.component);
        let shown = component.faces.get(usize::from(piece.turned)).filter(|_| self.is_turn_known(piece));
        let printed = shown.into_iter().chain(component.fields.values()).filter(|_| is_known);
        let mut numbers = printed.filter(|field| matches!(field, FieldValue::Number(_)));
        numbers.next().map_or_else(String::new, |number| self.field(number))
    }

    /// Draws the pieces of a group in the shapes of their kinds and the colors of their owners, scaled to fit, together
    /// with the mark of the space.
    fn draw_group(&self, picture: &Picture, group: &Group<'_>, (x, y): (i32, i32), svg: &mut Svg) {
        let paint =
            picture.cells.iter().find(|cell| cell.at == group.at).map_or(DEFAULT_COLOR, |cell| self.paint(*cell));
        let count = group.pieces.len() as i32;
        let columns = columns_for(count);
        let (across, down) = (PIECES_AREA.0 / columns, PIECES_AREA.1 / rows_for(count, columns));
        let scale = across.min(down).min(PIECE_SIZE) * 1000 / PIECE_SIZE;
        for (at, piece) in group.pieces.iter().enumerate() {
            let owner = self.model.zone(piece.zone).seat.or(piece.owner);
            let color = owner.map_or(UNOWNED_COLOR, |seat: Seat| SEAT_COLORS[seat.index() % SEAT_COLORS.len()]);
            let (column, row) = (at as i32 % columns, at as i32 / columns);
            let (cx, cy) =
                (x + PIECES_OFFSET.0 + column * across + across / 2, y + PIECES_OFFSET.1 + row * down + down / 2);
            let Outline { element, attribute, value } = self.outline(piece);
            let place = format!("translate({cx} {cy}) scale({}.{:03})", scale / 1000, scale % 1000);
            svg.element("g").set("transform", place).content(|svg| {
                let shape = svg.element(element).set(attribute, value).set("fill", color).set("stroke", "#ffffff");
                shape.titled(&self.describe_piece(piece));
                let label = svg.element("text").set("y", 4).set("font-size", 11).set("fill", LIGHT_INK);
                label.set("text-anchor", "middle").text(self.number_on(piece));
            });
            svg.end_line();
        }
        let mark = svg.label((x + SIDE - 3, y + 13)).set("font-size", 12).set("font-weight", "bold");
        mark.set("fill", contrasting_ink(paint)).set("text-anchor", "end").text(&group.mark);
        svg.end_line();
    }
}

/// Returns the printed spaces that no cell covers.
fn spaces_without_cells(picture: &Picture) -> impl Iterator<Item = &PicturedSpace> {
    picture.printed.iter().filter(|printed| !picture.cells.iter().any(|cell| cell.at == printed.at))
}

/// Draws a space with its color and text. A long text is written in a smaller size, and compressed if it still does not fit.
fn draw_space(tiling: Tiling, color: &str, text: &str, middle: (i32, i32), svg: &mut Svg) {
    let (x, y) = (middle.0 - SIDE / 2, middle.1 - SIDE / 2);
    let indent = match tiling.tessellation {
        Tessellation::Square => 3,
        Tessellation::Hex(_) => 8,
    };
    tiling.space(middle, svg).set("fill", color).set("stroke", "#ffffff").set("stroke-width", "0.5").empty();
    svg.end_line();
    let size = [12, 9, 7].into_iter().find(|size| text_width(text, *size) <= MAX_TEXT_WIDTH).unwrap_or(7);
    let label = svg.label((x + indent, y + 13)).set("font-size", size).set("fill", contrasting_ink(color));
    let is_squeezed = text_width(text, size) > MAX_TEXT_WIDTH;
    let label = label.set_some("textLength", is_squeezed.then_some(MAX_TEXT_WIDTH));
    label.set_some("lengthAdjust", is_squeezed.then_some("spacingAndGlyphs")).text(text);
    svg.end_line();
}

/// Returns the number of columns with which `count` pieces can be drawn largest.
fn columns_for(count: i32) -> i32 {
    let size = |columns: i32| (PIECES_AREA.0 / columns).min(PIECES_AREA.1 / rows_for(count, columns));
    (1..=count).rev().max_by_key(|columns| size(*columns)).unwrap_or(1)
}

const fn rows_for(count: i32, columns: i32) -> i32 {
    (count + columns - 1) / columns
}

/// Joins texts with `separator`. Starts a new line before a text that would make the line wider than `room`.
fn wrap_list(things: &[String], separator: &str, room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, thing) in things.iter().enumerate() {
        let end = if at + 1 < things.len() { separator } else { "" };
        match lines.last_mut().filter(|line| text_width(line, FONT_SIZE) + text_width(thing, FONT_SIZE) <= room) {
            Some(line) => line.extend([thing, end]),
            None => lines.push(format!("{thing}{end}")),
        }
    }
    lines
}

/// Returns the estimated width of a text at the font size `letter`. East Asian characters are as wide as the font size, and other
/// characters are three fifths as wide.
pub fn text_width(text: &str, letter: i32) -> i32 {
    text.chars().map(|c| if c >= '\u{2e80}' { letter } else { letter * 3 / 5 }).sum()
}

/// Returns a readable text color for a background color in the notation `#7a2f22`: light on dark backgrounds, dark on light ones.
pub fn contrasting_ink(paint: &str) -> &'static str {
    let part = |at: usize| paint.get(at..at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) if red * 3 + green * 6 + blue < 1_000 => LIGHT_INK,
        _ => DARK_INK,
    }
}

/// Draws the column and row numbers.
fn draw_labels(tiling: Tiling, places: &[(i16, i16)], (left, top): (i32, i32), svg: &mut Svg) {
    for AxisLabel { position: (x, y), number, .. } in tiling.axis_labels(places, 14) {
        let (x, y) = (x - left + SIDE * 3 / 2, y - top + SIDE * 5 / 2);
        svg.label((x, y)).set("font-size", 12).set("text-anchor", "middle").set("fill", "#666").text(number);
        svg.end_line();
    }
}

/// Returns the edges of a cell that do not border on another cell of the same piece, as pairs of points. `middle` is the center of the
/// cell.
pub fn edges(
    tiling: Tiling,
    cells: &[PicturedCell],
    cell: PicturedCell,
    middle: (i32, i32),
) -> Vec<((i32, i32), (i32, i32))> {
    let (column, row) = cell.at;
    let is_same = |(dx, dy): (i16, i16)| {
        cells.iter().any(|other| other.at == (column + dx, row + dy) && other.piece == cell.piece)
    };
    let sides = tiling.edges(middle).into_iter();
    sides.filter(|(neighbor, ..)| !is_same(*neighbor)).map(|(_, from, to)| (from, to)).collect()
}

#[cfg(test)]
mod tests {
    use super::{columns_for, mark, text_width, wrap_list};
    use std::collections::BTreeSet;

    #[test]
    fn marks_are_unique() {
        assert_eq!([0, 25, 26, 51, 52, 53, 104].map(mark), ["a", "z", "A", "Z", "aa", "ab", "ba"]);
        assert_eq!((0..5_000).map(mark).collect::<BTreeSet<_>>().len(), 5_000);
    }

    #[test]
    fn lists_are_wrapped_at_the_width() {
        let things = ["aaaa", "bbbb", "cccc"].map(str::to_owned);
        assert_eq!(wrap_list(&things, "; ", 1_000), ["aaaa; bbbb; cccc"]);
        assert_eq!(wrap_list(&things, "; ", text_width("aaaa; bbbb", 13)), ["aaaa; bbbb; ", "cccc"]);
        assert_eq!(wrap_list(&things, "; ", 1), ["aaaa; ", "bbbb; ", "cccc"]);
        assert_eq!(text_width("地圖", 13), 26);
    }

    #[test]
    fn the_number_of_columns_makes_pieces_largest() {
        assert_eq!([1, 2, 3, 4, 5, 6, 9].map(columns_for), [1, 2, 3, 2, 3, 3, 3]);
    }
}

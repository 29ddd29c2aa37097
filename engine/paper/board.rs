//! Boards and tracks: rows, rings and grids of spaces with their printed contents, large enough for the pieces that lie on them.

use super::canvas::{Canvas, HEAD, heading, room as sheet_room};
use super::drawn::{self, is_drawn};
use super::layout::{Area, Tenths, tenths};
use super::order::Order;
use super::piece_sizes::{accepted_sizes, is_card};
use super::size_limit::{LARGEST as LARGEST_PRINT, TooLarge};
use crate::faces::Faces;
use crate::model::{
    ComponentId, Family, FamilyId, FieldValue, Label, Model, Per, Shape, Space, Tessellation, ValueType, Zone, ZoneId,
};
use crate::phrases::{Phrases, filled};
use crate::wording::{Svg, Tiling, Wording, escaped, says_something};
use std::fmt::Display;

/// Maximum side, in tenths of a millimeter, to which a space is enlarged to fill a sheet. A token fits on such a space.
const LARGEST: Tenths = 320;
/// Minimum side of a space in tenths of a millimeter. Text on smaller spaces would not be readable.
const SMALLEST: Tenths = 140;

/// Minimum number of spaces of a ring that is drawn as a ring. Smaller rings are drawn as rows.
const MIN_RING_LENGTH: usize = 8;

/// Returns the boards of a game: the board that the author has drawn, then a board for each printed zone that is not on a drawing. If a
/// zone exists once per seat or component, each of these zones gets a board.
///
/// # Errors
/// Fails if the text on the spaces exceeds the limit of a print.
pub(super) fn boards(model: &Model, wording: &Wording, faces: &Faces, order: &Order) -> Result<Vec<Canvas>, TooLarge> {
    let (mut boards, mut room) = (Vec::new(), LARGEST_PRINT);
    let title = Phrases::for_language(order.language).paper.board;
    boards.extend(drawn::board(model, faces, title, order));
    let is_printed = |family: &Family| is_board(model, faces, family) && !is_drawn(model, faces, family);
    for (at, family) in model.families.iter().enumerate().filter(|(_, family)| is_printed(family)) {
        let zones: Vec<&Zone> = family.zones.clone().map(|zone| &model.zones[usize::from(zone)]).collect();
        let fields: usize = zones.iter().map(|zone| text_length(model, zone)).sum();
        room = room.checked_sub(fields).ok_or_else(|| TooLarge::Pages { what: format!("the zone `{}`", family.id) })?;
        for (copy, zone) in zones.iter().enumerate() {
            let name = if zones.len() == 1 { family.id.to_string() } else { format!("{}-{}", family.id, copy + 1) };
            let least = space_size(model, faces, FamilyId::at(at));
            boards.push(board(&BoardParts { model, wording, family, zone, least }, name, order));
        }
    }
    Ok(boards)
}

/// Returns the total size in bytes of the fields on a zone's spaces.
fn text_length(model: &Model, zone: &Zone) -> usize {
    let spaces = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
    spaces.iter().flat_map(|space| space.fields.values()).map(field_length).sum()
}

/// Returns the size in bytes of a field when it is printed on a space.
fn field_length(value: &FieldValue) -> usize {
    match value {
        FieldValue::Word(word) | FieldValue::Function(word) => word.len(),
        FieldValue::List(list) => list.iter().map(field_length).sum(),
        FieldValue::Record(parts) => parts.values().map(field_length).sum(),
        _ => 8,
    }
}

/// Returns whether the zones of a family are printed as boards.
///
/// Only rows, rings and grids that are shown and that lie on no other zone are printed. Grids without printed contents are left out if they
/// hold tiles or have more than 400 spaces. Players' rows and rings for cards are left out if they have no printed contents, because they
/// are on the player's mat.
pub(super) fn is_board(model: &Model, faces: &Faces, family: &Family) -> bool {
    if family.shape.is_single() || family.over.is_some() || family.zones.is_empty() || !family.is_shown {
        return false;
    }
    let is_of_seat = family.printed.is_empty() && !family.shape.is_grid() && family.per.contains(&Per::Seat);
    if is_of_seat && accepted_sizes(model, faces, family).any(is_card) {
        return false;
    }
    let number = usize::from(family.columns) * usize::from(family.rows);
    let is_blank = family.shape.is_grid() && family.printed.is_empty();
    let holds_tiles = || {
        model.components.iter().enumerate().any(|(at, component)| {
            !component.cells.is_empty() && model.accepts(ZoneId(family.zones.start), ComponentId::at(at))
        })
    };
    !(is_blank && (holds_tiles() || number > 400))
}

/// Returns the minimum size of the spaces of a family's zones: at least [`SMALLEST`], with room for the pieces that these zones and the
/// zones on top of them accept. Zones that accept everything need no room for cards.
fn space_size(model: &Model, faces: &Faces, id: FamilyId) -> (Tenths, Tenths) {
    let here =
        model.families.iter().enumerate().filter(|(at, family)| FamilyId::at(*at) == id || family.over == Some(id));
    let mut least = (SMALLEST, SMALLEST);
    for (_, family) in here {
        // If a zone does not list what it accepts, and a value marks one of its spaces, it is a track, which holds no pieces.
        let is_marked = model.values.iter().any(|value| value.kind == ValueType::Space(Some(id)));
        if family.accepts.is_empty() && is_marked {
            continue;
        }
        for (width, height) in accepted_sizes(model, faces, family) {
            if !(family.accepts.is_empty() && is_card((width, height))) {
                least = (least.0.max(width), least.1.max(height));
            }
        }
    }
    least
}

/// Input for drawing a board.
struct BoardParts<'b> {
    model: &'b Model,
    wording: &'b Wording,
    family: &'b Family,
    zone: &'b Zone,
    /// Minimum size of a space.
    least: (Tenths, Tenths),
}

/// Draws a board. Its spaces are large enough for the pieces on them, and larger if the board still fits on a sheet.
fn board(parts: &BoardParts<'_>, name: String, order: &Order) -> Canvas {
    let BoardParts { model, family, zone, .. } = *parts;
    let spaces = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
    match family.shape.tessellation() {
        Tessellation::Square => squares(parts, name, spaces, order),
        tessellation @ Tessellation::Hex(_) => hexagons(parts, name, tessellation, spaces, order),
    }
}

/// Draws a board of squares.
fn squares(parts: &BoardParts<'_>, name: String, spaces: &[Space], order: &Order) -> Canvas {
    let BoardParts { model, wording, family, zone, least } = *parts;
    let (wide, high) = sheet_room(order.paper);
    let (places, columns, rows) = places(family, spaces.len(), wide / least.0);
    let enlarged = (wide / columns).min((high - HEAD) / rows).min(LARGEST);
    let side = (least.0.max(enlarged), least.1.max(enlarged));
    let title = zone_name(model, wording, zone);
    let mut html = heading(&title);
    for (space, place) in spaces.iter().zip(&places) {
        let at = (place.column * side.0, HEAD + place.row * side.1);
        html.push_str(&render_space(wording, family, space, at, (side.0, place.high * side.1)));
    }
    Canvas { name, title, html, size: (columns * side.0, HEAD + rows * side.1), picture: None }
}

/// Draws a board of hexagons.
fn hexagons(
    parts: &BoardParts<'_>,
    name: String,
    tessellation: Tessellation,
    spaces: &[Space],
    order: &Order,
) -> Canvas {
    let BoardParts { model, wording, family, zone, least } = *parts;
    let at = |space: &Space| if let Label::Cell(column, row) = space.label { (column, row) } else { (0, 0) };
    let places: Vec<(i16, i16)> = spaces.iter().map(at).collect();
    let (wide, high) = sheet_room(order.paper);
    // Except for rounding, the size of the board is proportional to the size of a hexagon.
    let board_size = |side: u32| {
        let tiling = Tiling { tessellation, side: side as i32 };
        let (((left, top), (right, bottom)), (across, down)) = (tiling.bounds(&places), tiling.extent_from_center());
        ((right - left + 2 * across) as u32, (bottom - top + 2 * down) as u32)
    };
    let fits = |side: &u32| {
        let (width, height) = board_size(*side);
        width <= wide && height <= high - HEAD
    };
    let side = (SMALLEST..=LARGEST).rev().find(fits).unwrap_or(SMALLEST).max(least.0.max(least.1));
    let (tiling, (width, height)) = (Tiling { tessellation, side: side as i32 }, board_size(side));
    let (((left, top), _), (across, down)) = (tiling.bounds(&places), tiling.extent_from_center());
    let title = zone_name(model, wording, zone);
    let mut html = heading(&title);
    let area = Area { left: 0, top: HEAD, width, height };
    let mut svg = Svg::default();
    let image = svg.inline_image("hexagons", (0, 0), (width, height));
    image.set("style", area.style()).content(|svg| {
        for (space, place) in spaces.iter().zip(&places) {
            svg.end_line();
            let (x, y) = tiling.middle(*place);
            let (x, y) = (x - left + across, y - top + down);
            tiling.space((x, y), svg).set("class", "hexagon").empty();
            let printed = facts(wording, family, space);
            let lines: Vec<&String> = std::iter::once(&printed.big).chain(&printed.others).collect();
            let small = (side / 9) as i32;
            let label = svg.label((x, y - side as i32 / 3)).set("class", "label").set("font-size", small);
            label.text(printed.small.as_deref().unwrap_or_default());
            let first = y + small - (lines.len() as i32 - 1) * small * 5 / 8;
            for (at, line) in lines.iter().enumerate() {
                let size = if at == 0 { fitting_font_size(line, side).min(side / 6) as i32 } else { small };
                svg.label((x, first + at as i32 * small * 5 / 4)).set("font-size", size).text(line);
            }
        }
        svg.end_line();
    });
    svg.end_line();
    html.push_str(&svg.into_text());
    Canvas { name, title, html, size: (width, HEAD + height), picture: None }
}

/// Returns the name of a zone, with the component, copy or player to which the zone belongs.
pub(super) fn zone_name(model: &Model, wording: &Wording, zone: &Zone) -> String {
    let name = shared_zone_name(model, wording, zone);
    zone.seat.map_or_else(
        || name.clone(),
        |seat| {
            let paper = &Phrases::for_language(wording.language()).paper;
            filled(paper.one_a_player, &[("what", &name as &dyn Display), ("seat", &wording.seat(seat))])
        },
    )
}

/// Returns the name of a zone without its player.
pub(super) fn shared_zone_name(model: &Model, wording: &Wording, zone: &Zone) -> String {
    let family = model.family(zone.family);
    let name = wording.family_name(family);
    let component_names = zone.components().map(|id| wording.component(id).to_owned());
    let copies = family.copies.as_ref().filter(|copies| copies.len() > 1);
    let copy = zone.copy.and_then(|copy| copies?.get(usize::from(copy))).map(|label| wording.label(label));
    let parts: Vec<String> = std::iter::once(name).chain(component_names).chain(copy).collect();
    parts.join(" · ")
}

/// Position of a space on a board, and the space's height in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BoardSpot {
    column: u32,
    row: u32,
    high: u32,
}

impl BoardSpot {
    const fn at((column, row): (u32, u32)) -> Self {
        Self { column, row, high: 1 }
    }
}

/// Returns the positions of a zone's spaces, the number of columns and the number of rows. `across` is the number of spaces that fit side
/// by side.
fn places(family: &Family, number: usize, across: u32) -> (Vec<BoardSpot>, u32, u32) {
    let by_rows = |columns: u32| (0..number as u32).map(|at| BoardSpot::at((at % columns, at / columns))).collect();
    match family.shape {
        Shape::Grid(_) => {
            let columns = u32::from(family.columns).max(1);
            (by_rows(columns), columns, (number as u32).div_ceil(columns))
        }
        Shape::Ring if number >= MIN_RING_LENGTH => arrange_ring(number as u32),
        _ => {
            // A row that is longer than the sheet is wrapped into parts of equal length.
            let columns = (number as u32).div_ceil((number as u32).div_ceil(across.max(1))).max(1);
            (by_rows(columns), columns, (number as u32).div_ceil(columns))
        }
    }
}

/// Arranges spaces clockwise around a rectangle. If their number is odd, the last one is two rows high, so that the ring closes.
fn arrange_ring(number: u32) -> (Vec<BoardSpot>, u32, u32) {
    let half = number.div_ceil(2);
    let columns = (half / 2).clamp(2, 7);
    let rows = half + 2 - columns;
    let (right, bottom) = (columns - 1, rows - 1);
    let top = (0..right).map(|column| (column, 0));
    let down = (0..bottom).map(|row| (right, row));
    let back = (1..=right).rev().map(|column| (column, bottom));
    let up = (1..=bottom).rev().map(|row| (0, row));
    let mut all: Vec<BoardSpot> = top.chain(down).chain(back).chain(up).map(BoardSpot::at).collect();
    if !number.is_multiple_of(2) {
        all.truncate(number as usize - 1);
        all.push(BoardSpot { column: 0, row: 1, high: 2 });
    }
    (all, columns, rows)
}

/// Printed contents of a space: main text, label if it differs, and other facts.
struct Facts {
    big: String,
    small: Option<String>,
    others: Vec<String>,
}

fn facts(wording: &Wording, family: &Family, space: &Space) -> Facts {
    let reads = family.reads.as_ref().or_else(|| family.printed.keys().next());
    let head = reads.and_then(|field| space.fields.get(field)).filter(|value| !is_blank(value));
    let label = match &space.label {
        Label::Cell(column, row) => format!("{column},{row}"),
        label => wording.label(label),
    };
    let is_word = matches!(space.label, Label::Word(_));
    let (big, small) = match head {
        Some(value) if !is_word => (wording.field(value), Some(label)),
        _ if family.printed.is_empty() && family.shape.is_grid() => (String::new(), Some(label)),
        _ => (label, None),
    };
    let others = family.printed.keys().filter(|field| is_word || Some(*field) != reads);
    let facts = others.filter_map(|field| {
        let value = space.fields.get(field).filter(|value| says_something(value) || is_function(value))?;
        let name = wording.field_name(field);
        Some(match value {
            FieldValue::Flag(_) => name,
            FieldValue::Function(_) => wording.field(value),
            value => format!("{name} {}", wording.field(value)),
        })
    });
    let facts = facts.collect();
    Facts { small: small.filter(|label| *label != big), big, others: facts }
}

fn render_space(
    wording: &Wording,
    family: &Family,
    space: &Space,
    (left, top): (Tenths, Tenths),
    (wide, high): (Tenths, Tenths),
) -> String {
    let side = wide.min(high);
    let Facts { big, small, others } = facts(wording, family, space);
    let lines: Vec<String> =
        others.iter().map(|fact| format!("<span class=\"small\">{}</span>", escaped(fact))).collect();
    let lines = lines.concat();
    let is_alone = lines.is_empty();
    let letters = fitting_font_size(&big, side).min(if is_alone { side } else { side / 6 });
    let is_dark =
        matches!(space.label, Label::Cell(column, row) if family.printed.is_empty() && (column + row) % 2 == 0);
    let class = if family.shape.is_grid() { " plain" } else { "" };
    let dark = if is_dark { " dark" } else { "" };
    let label = small.map(|label| format!("<span class=\"label\">{}</span>", escaped(&label))).unwrap_or_default();
    let area = Area { left, top, width: wide, height: high };
    format!(
        "<div class=\"space{class}{dark}\" style=\"{};font-size:{}mm\">{label}\
         <span class=\"big\" style=\"font-size:{}mm\">{}</span>{lines}</div>\n",
        area.style(),
        tenths((side / 11).clamp(16, 34)),
        tenths(letters),
        escaped(&big)
    )
}

/// Returns the font size in tenths of a millimeter at which the longest word fits on a space. The size is between 14 and 100, even if a
/// word is then too long.
fn fitting_font_size(text: &str, side: u32) -> u32 {
    let breadth = |word: &str| word.chars().map(|character| if character >= '\u{2e80}' { 2 } else { 1 }).sum::<u32>();
    let longest = text.split_whitespace().map(breadth).max().unwrap_or(1).max(1);
    (side * 15 / (longest * 10)).min(side * 4 / 10).clamp(14, 100)
}

fn is_function(value: &FieldValue) -> bool {
    matches!(value, FieldValue::Function(_))
}

fn is_blank(value: &FieldValue) -> bool {
    matches!(value, FieldValue::Nothing)
}

#[cfg(test)]
mod tests {
    use super::arrange_ring;

    #[test]
    fn a_ring_closes() {
        for number in 8..60 {
            let (places, columns, rows) = arrange_ring(number);
            assert_eq!(places.len(), number as usize, "{number}");
            let taken: Vec<(u32, u32)> = places
                .iter()
                .flat_map(|spot| (spot.row..spot.row + spot.high).rev().map(|row| (spot.column, row)))
                .collect();
            assert!(taken.iter().all(|(column, row)| *column < columns && *row < rows), "{number}");
            let beside = |(a, b): (&(u32, u32), &(u32, u32))| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
            assert!(taken.iter().zip(taken.iter().cycle().skip(1)).all(beside), "{number}");
        }
    }
}

//! Boards and tracks: rows, rings and grids of spaces with their printed contents, as large as a sheet allows.

use super::layout::tenths;
use super::order::{Order, foot};
use super::size_limit::{LARGEST as LARGEST_PRINT, TooLarge};
use crate::model::{ComponentId, Family, FieldValue, HexOrientation, Label, Model, Shape, Space, Zone, ZoneId};
use crate::phrases::{Phrases, filled};
use crate::wording::{Tiling, Wording, escaped, says_something};
use std::fmt::{Display, Write as _};

/// Largest and smallest side of a space, in tenths of a millimeter. A token fits on the largest; on spaces below the smallest, nothing is
/// readable.
const LARGEST: u32 = 320;
const SMALLEST: u32 = 140;

/// Space for the title above a board, between boards, and at the top and bottom of a sheet.
const HEAD: u32 = 90;
const GAP: u32 = 60;
const TOP: u32 = 80;
const FOOT: u32 = 40;

/// Maximum number of spaces in a row before it is wrapped.
const MAX_ROW_LENGTH: u32 = 8;

/// Minimum number of spaces for a ring to be drawn as one. Smaller rings are drawn as rows.
const MIN_RING_LENGTH: usize = 8;

/// A board, or a part of one that is too large for a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    /// Identifier.
    pub(super) name: String,
    /// Display name.
    pub(super) title: String,
    /// Spaces as HTML, centered on the sheet.
    pub(super) html: String,
    /// Height including the title.
    height: u32,
}

/// Returns the boards of a game. Boards that exist once per seat or component are repeated.
///
/// # Errors
/// Fails if the text on the spaces exceeds the limit of a print.
pub(super) fn boards(model: &Model, wording: &Wording, order: &Order) -> Result<Vec<Board>, TooLarge> {
    let (mut boards, mut room) = (Vec::new(), LARGEST_PRINT);
    for family in model.families.iter().filter(|family| is_printed(model, family)) {
        let zones: Vec<&Zone> = family.zones.clone().map(|zone| &model.zones[usize::from(zone)]).collect();
        for (at, zone) in zones.iter().enumerate() {
            let printed = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
            let length = printed.iter().flat_map(|space| space.fields.values()).map(text_length).sum();
            room = room
                .checked_sub(length)
                .ok_or_else(|| TooLarge::Pages { what: format!("the zone `{}`", family.id) })?;
            let name = if zones.len() == 1 { family.id.to_string() } else { format!("{}-{}", family.id, at + 1) };
            boards.extend(board_parts(model, wording, (family, zone, &name), order));
        }
    }
    Ok(boards)
}

/// Returns the size in bytes of a field's text, which is written for each space that has the field.
fn text_length(value: &FieldValue) -> usize {
    match value {
        FieldValue::Word(word) | FieldValue::Function(word) => word.len(),
        FieldValue::List(list) => list.iter().map(text_length).sum(),
        FieldValue::Record(parts) => parts.values().map(text_length).sum(),
        _ => 8,
    }
}

/// Arranges boards on sheets, one below the other.
pub(super) fn sheets(boards: &[Board], title: &str, order: &Order) -> Vec<String> {
    let (room, mut sheets, mut page, mut used) = (order.paper.room().1 - FOOT, Vec::new(), String::new(), 0);
    let paper = &Phrases::for_language(order.language).paper;
    let sheet = |page: &str| {
        let foot = foot(&format!("{title} · {}", paper.board), order);
        format!("<section class=\"sheet\">\n{page}{foot}</section>\n")
    };
    for board in boards {
        if used > 0 && used + board.height > room {
            sheets.push(sheet(&std::mem::take(&mut page)));
            used = 0;
        }
        let _ = write!(page, "<div class=\"board\" style=\"top:{}mm\">\n{}</div>\n", tenths(TOP + used), board.html);
        used += board.height;
    }
    if used > 0 {
        sheets.push(sheet(&page));
    }
    sheets
}

/// Returns whether a zone needs a board: its spaces have printed contents, or pieces move along or stand on them. Grids that tiles form as
/// they are laid do not.
fn is_printed(model: &Model, family: &Family) -> bool {
    if family.shape.is_single() || family.over.is_some() || family.zones.is_empty() {
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

/// Renders a board; one that is too large for a sheet in several parts, to be put side by side.
fn board_parts(
    model: &Model,
    wording: &Wording,
    (family, zone, name): (&Family, &Zone, &str),
    order: &Order,
) -> Vec<Board> {
    let spaces = &model.spaces[usize::from(zone.spaces.start)..usize::from(zone.spaces.end)];
    if let Some(tops) = family.shape.tops() {
        return vec![hexagons(model, wording, (family, zone, name), (tops, spaces), order)];
    }
    let (places, columns, rows) = places(family, spaces.len());
    let (wide, high) = order.paper.room();
    let high = high - HEAD - FOOT;
    let side = (wide / columns).min(high / rows).clamp(SMALLEST, LARGEST);
    let (across, down) = ((wide / side).max(1), (high / side).max(1));
    let title = zone_name(model, wording, zone);
    let mut parts = Vec::new();
    for top in (0..rows).step_by(down as usize) {
        for left in (0..columns).step_by(across as usize) {
            let is_on_it =
                |(column, row): (u32, u32)| (left..left + across).contains(&column) && (top..top + down).contains(&row);
            let (part_wide, part_high) = (across.min(columns - left), down.min(rows - top));
            let from_left = (order.paper.size().0 - part_wide * side) / 2;
            let mut html =
                format!("<h1 class=\"board-name\" style=\"left:{}mm\">{}</h1>\n", tenths(from_left), escaped(&title));
            for (space, place) in spaces.iter().zip(&places).filter(|(_, place)| is_on_it((place.column, place.row))) {
                let at = (from_left + (place.column - left) * side, HEAD + (place.row - top) * side);
                html.push_str(&render_spaces(wording, family, space, at, (side, place.high * side)));
            }
            let number = if parts.is_empty() { String::new() } else { format!("-part-{}", parts.len() + 1) };
            parts.push(Board {
                name: format!("{name}{number}"),
                title: title.clone(),
                html,
                height: HEAD + part_high * side + GAP,
            });
        }
    }
    parts
}

/// Renders a board of hexagons, as large as a sheet allows.
fn hexagons(
    model: &Model,
    wording: &Wording,
    (family, zone, name): (&Family, &Zone, &str),
    (tops, spaces): (HexOrientation, &[Space]),
    order: &Order,
) -> Board {
    let at = |space: &Space| if let Label::Cell(column, row) = space.label { (column, row) } else { (0, 0) };
    let places: Vec<(i16, i16)> = spaces.iter().map(at).collect();
    let (wide, high) = order.paper.room();
    // The size of the board is nearly proportional to that of a hexagon, except for rounding.
    let board_size = |side: i32| {
        let tiling = Tiling { tops: Some(tops), side };
        let (((left, top), (right, bottom)), (across, down)) = (tiling.bounds(&places), tiling.extent_from_center());
        ((right - left + 2 * across) as u32, (bottom - top + 2 * down) as u32)
    };
    let fits = |side: &u32| {
        let (width, height) = board_size(*side as i32);
        width <= wide && height <= high - HEAD - FOOT
    };
    let side = (1..=LARGEST).rev().find(fits).unwrap_or(1);
    let (tiling, (width, height)) = (Tiling { tops: Some(tops), side: side as i32 }, board_size(side as i32));
    let (((left, top), _), (across, down)) = (tiling.bounds(&places), tiling.extent_from_center());
    let from_left = (order.paper.size().0 - width) / 2;
    let mut html = format!(
        "<h1 class=\"board-name\" style=\"left:{}mm\">{}</h1>\n<svg class=\"hexagons\" viewBox=\"0 0 {width} {height}\" \
         style=\"left:{}mm;top:{}mm;width:{}mm;height:{}mm\">\n",
        tenths(from_left),
        escaped(&zone_name(model, wording, zone)),
        tenths(from_left),
        tenths(HEAD),
        tenths(width),
        tenths(height)
    );
    for (space, place) in spaces.iter().zip(&places) {
        let (x, y) = tiling.middle(*place);
        let (x, y) = (x - left + across, y - top + down);
        html.push_str(&tiling.element((x, y), "class=\"hexagon\""));
        let printed = facts(wording, family, space);
        let lines: Vec<&String> = std::iter::once(&printed.big).chain(&printed.others).collect();
        let small = (side / 9) as i32;
        let label = printed.small.unwrap_or_default();
        let _ = write!(
            html,
            "<text class=\"label\" x=\"{x}\" y=\"{}\" font-size=\"{small}\">{}</text>",
            y - side as i32 / 3,
            escaped(&label)
        );
        let first = y + small - (lines.len() as i32 - 1) * small * 5 / 8;
        for (at, line) in lines.iter().enumerate() {
            let size = if at == 0 { fitting_font_size(line, side).min(side / 6) as i32 } else { small };
            let at = first + at as i32 * small * 5 / 4;
            let _ = write!(html, "<text x=\"{x}\" y=\"{at}\" font-size=\"{size}\">{}</text>", escaped(line));
        }
        html.push('\n');
    }
    html.push_str("</svg>\n");
    Board { name: name.to_owned(), title: zone_name(model, wording, zone), html, height: HEAD + height + GAP }
}

fn zone_name(model: &Model, wording: &Wording, zone: &Zone) -> String {
    let family = model.family(zone.family);
    let name = wording.family_name(family);
    let component_names = zone.components().map(|id| wording.component(id).to_owned());
    let copy =
        zone.copy.and_then(|copy| family.copies.as_ref()?.get(usize::from(copy))).map(|label| wording.label(label));
    let parts: Vec<String> = std::iter::once(name).chain(component_names).chain(copy).collect();
    let name = parts.join(" · ");
    zone.seat.map_or_else(
        || name.clone(),
        |seat| {
            let paper = &Phrases::for_language(wording.language()).paper;
            filled(paper.one_a_player, &[("what", &name as &dyn Display), ("seat", &wording.seat(seat))])
        },
    )
}

/// Position of a space on a board, and its height in rows.
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

/// Returns the positions of a zone's spaces, and the numbers of columns and rows.
fn places(family: &Family, number: usize) -> (Vec<BoardSpot>, u32, u32) {
    let by_rows = |columns: u32| (0..number as u32).map(|at| BoardSpot::at((at % columns, at / columns))).collect();
    match family.shape {
        Shape::Grid => {
            let columns = u32::from(family.columns).max(1);
            (by_rows(columns), columns, (number as u32).div_ceil(columns))
        }
        Shape::Ring if number >= MIN_RING_LENGTH => ring(number as u32),
        _ => {
            // A row that is too long is wrapped into parts of equal length.
            let columns = (number as u32).div_ceil((number as u32).div_ceil(MAX_ROW_LENGTH)).max(1);
            (by_rows(columns), columns, (number as u32).div_ceil(columns))
        }
    }
}

/// Arranges spaces clockwise around a rectangle. If their number is odd, the last one is two rows high, so that the ring closes.
fn ring(number: u32) -> (Vec<BoardSpot>, u32, u32) {
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

fn render_spaces(
    wording: &Wording,
    family: &Family,
    space: &Space,
    (left, top): (u32, u32),
    (side, high): (u32, u32),
) -> String {
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
    let (x, y, wide, high) = (tenths(left), tenths(top), tenths(side), tenths(high));
    format!(
        "<div class=\"space{class}{dark}\" style=\"left:{x}mm;top:{y}mm;width:{wide}mm;height:{high}mm;font-size:{}mm\">{label}\
         <span class=\"big\" style=\"font-size:{}mm\">{}</span>{lines}</div>\n",
        tenths((side / 11).clamp(16, 28)),
        tenths(letters),
        escaped(&big)
    )
}

/// Returns the font size at which the longest word fits on a space.
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
    use super::ring;

    #[test]
    fn a_ring_closes() {
        for number in 8..60 {
            let (places, columns, rows) = ring(number);
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

//! Canvases: boards, tracks and mats, true to size. Small ones share a sheet; large ones are divided among several sheets that overlap.

use super::layout::{Area, Paper, Tenths, tenths};
use super::order::{Order, render_footer};
use crate::phrases::{Phrases, filled};
use crate::wording::escaped;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Height reserved for the title at the top of a canvas.
pub(super) const HEAD: Tenths = 90;

/// Width of the strip that neighboring sheets of a canvas share.
const OVERLAP: Tenths = 100;

/// Distance between canvases on a sheet.
const GAP: Tenths = 60;
/// Height reserved for the footer.
const FOOT: Tenths = 60;

/// Margin of a sheet.
const MARGIN: Tenths = 70;

/// A printed board, track or mat. Unlike a piece, it may be larger than a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Canvas {
    /// Identifier in manifests.
    pub(super) name: String,
    /// Display name.
    pub(super) title: String,
    /// Content as HTML, relative to the canvas's top left corner.
    pub(super) html: String,
    /// Width and height.
    pub(super) size: (Tenths, Tenths),
    /// Index of the picture on the canvas, if there is one.
    pub(super) picture: Option<usize>,
}

/// Pages on which one or more canvases are printed.
#[derive(Default)]
pub(super) struct CanvasSheet {
    /// Pages as HTML.
    pub(super) pages: String,
    /// Number of pages.
    pub(super) sides: usize,
    /// Indices of the pictures on the pages.
    pub(super) pictures: BTreeSet<usize>,
}

impl Canvas {
    /// Renders a section of the canvas into `area` of a sheet. The section begins at `offset`; everything outside the area is cut off.
    fn window(&self, area: Area, offset: (Tenths, Tenths), is_turned: bool) -> String {
        let (width, height) = self.size;
        // A turned canvas has its top at the left side of the sheet.
        let (high, turn) = if is_turned {
            (width, format!("top:{}mm;transform:rotate(-90deg)", tenths(width)))
        } else {
            (height, "top:0".to_owned())
        };
        let wide = if is_turned { height } else { width };
        format!(
            "<div class=\"window\" style=\"{}\">\n<div class=\"whole\" style=\"left:-{}mm;top:-{}mm;width:{}mm;height:{}mm\">\
             <div class=\"canvas\" style=\"{turn};width:{}mm;height:{}mm\">\n{}</div></div>\n</div>\n",
            area.style(),
            tenths(offset.0),
            tenths(offset.1),
            tenths(wide),
            tenths(high),
            tenths(width),
            tenths(height),
            self.html
        )
    }
}

/// Returns the width and height of the area for canvases on a sheet.
pub(super) const fn room(paper: Paper) -> (Tenths, Tenths) {
    let (width, height) = paper.room();
    (width, height - FOOT)
}

/// Returns the number of sheets needed for a length, if neighboring sheets overlap.
const fn parts(length: Tenths, room: Tenths) -> u32 {
    if length <= room { 1 } else { (length - OVERLAP).div_ceil(room - OVERLAP) }
}

/// Lays out canvases on sheets.
pub(super) fn sheets(canvases: &[Canvas], title: &str, order: &Order) -> Vec<CanvasSheet> {
    let (mut sheets, mut page, mut used) = (Vec::new(), CanvasSheet::default(), 0);
    let (wide, high) = room(order.paper);
    let what = Phrases::for_language(order.language).paper.board;
    let close = |page: &mut CanvasSheet, used: &mut Tenths, sheets: &mut Vec<CanvasSheet>| {
        if *used > 0 {
            let CanvasSheet { pages, pictures, .. } = std::mem::take(page);
            sheets.push(CanvasSheet { pages: sheet(&pages, &format!("{title} · {what}"), order), sides: 1, pictures });
            *used = 0;
        }
    };
    for canvas in canvases {
        let (width, height) = canvas.size;
        if width > wide || height > high {
            sheets.push(divided(canvas, title, order));
            continue;
        }
        if used > 0 && used + height > high {
            close(&mut page, &mut used, &mut sheets);
        }
        let left = (order.paper.size().0 - width) / 2;
        page.pages.push_str(&canvas.window(Area { left, top: MARGIN + used, width, height }, (0, 0), false));
        page.pictures.extend(canvas.picture);
        used += height + GAP;
    }
    close(&mut page, &mut used, &mut sheets);
    sheets
}

fn sheet(content: &str, note: &str, order: &Order) -> String {
    format!("<section class=\"sheet\">\n{content}{}</section>\n", render_footer(note, order))
}

/// Divides a canvas among sheets. Turns the canvas if this needs fewer sheets.
fn divided(canvas: &Canvas, title: &str, order: &Order) -> CanvasSheet {
    let room = room(order.paper);
    let number = |(width, height): (Tenths, Tenths)| parts(width, room.0) * parts(height, room.1);
    let turned = (canvas.size.1, canvas.size.0);
    let is_turned = number(turned) < number(canvas.size);
    let size = if is_turned { turned } else { canvas.size };
    let (columns, rows) = (parts(size.0, room.0), parts(size.1, room.1));
    let paper = &Phrases::for_language(order.language).paper;
    let mut pages = String::new();
    for row in 0..rows {
        for column in 0..columns {
            let offset = (column * (room.0 - OVERLAP), row * (room.1 - OVERLAP));
            let area = Area {
                left: MARGIN,
                top: MARGIN,
                width: room.0.min(size.0 - offset.0),
                height: room.1.min(size.1 - offset.1),
            };
            let mut content = canvas.window(area, offset, is_turned);
            content.push_str(&overlap_marks(area, (column > 0, row > 0), (column + 1 < columns, row + 1 < rows)));
            let part = part_name(column, row);
            let values = [
                ("name", &title as &dyn std::fmt::Display),
                ("what", &canvas.title),
                ("part", &part),
                ("columns", &columns),
                ("rows", &rows),
            ];
            let is_whole = columns * rows == 1;
            let note = if is_whole { format!("{title} · {}", canvas.title) } else { filled(paper.part, &values) };
            pages.push_str(&sheet(&content, &note, order));
        }
    }
    CanvasSheet { pages, sides: (columns * rows) as usize, pictures: canvas.picture.into_iter().collect() }
}

/// Returns the name of a part of a canvas: a letter for the column and a number for the row.
fn part_name(column: u32, row: u32) -> String {
    let letter = char::from_u32('A' as u32 + column % 26).unwrap_or('A');
    format!("{}{}", letter.to_string().repeat(column as usize / 26 + 1), row + 1)
}

/// Renders the lines along which a part of a canvas is glued to its neighbors. On the left and top, the part is cut at the line. On the
/// right and bottom, the neighbor covers the part up to the line. `before` tells whether there are parts to the left and above, `after`
/// whether there are parts to the right and below.
fn overlap_marks(area: Area, before: (bool, bool), after: (bool, bool)) -> String {
    let mut marks = String::new();
    let Area { left, top, width, height } = area;
    let mut down = |class: &str, at: Tenths| {
        let _ = writeln!(
            marks,
            "<i class=\"{class} down\" style=\"left:{}mm;top:{}mm;height:{}mm\"></i>",
            tenths(at),
            tenths(top - 40),
            tenths(height + 80)
        );
    };
    if before.0 {
        down("glue", left + OVERLAP / 2);
    }
    if after.0 {
        down("glue", left + width - OVERLAP / 2);
    }
    let mut across = |at: Tenths| {
        let _ = writeln!(
            marks,
            "<i class=\"glue across\" style=\"left:{}mm;top:{}mm;width:{}mm\"></i>",
            tenths(left - 40),
            tenths(at),
            tenths(width + 80)
        );
    };
    if before.1 {
        across(top + OVERLAP / 2);
    }
    if after.1 {
        across(top + height - OVERLAP / 2);
    }
    marks
}

/// Renders the title of a canvas.
pub(super) fn heading(title: &str) -> String {
    format!("<h1 class=\"board-name\">{}</h1>\n", escaped(title))
}

#[cfg(test)]
mod tests {
    use super::{OVERLAP, part_name, parts};

    #[test]
    fn the_parts_of_a_canvas_overlap() {
        assert_eq!((parts(1_000, 1_000), parts(1_001, 1_000)), (1, 2));
        let covered = |sheets: u32| sheets * (1_000 - OVERLAP) + OVERLAP;
        assert_eq!((parts(covered(3), 1_000), parts(covered(3) + 1, 1_000)), (3, 4));
    }

    #[test]
    fn parts_are_named_like_cells_of_a_sheet() {
        assert_eq!(
            [(0, 0), (1, 0), (25, 2), (26, 0)].map(|(column, row)| part_name(column, row)),
            ["A1", "B1", "Z3", "AA1"]
        );
    }
}

//! Generates a first drawing of a board or of a player's mat, to be edited in a drawing program. Each space has a frame, whose id is the
//! name that a drawn board expects.

use super::drawn_board::zone_names;
use crate::model::{AreaGrid, AreaItem, FamilyId, Label, Model, Per, Seat, Shape, SpaceId, ZoneId};
use crate::wording::{Svg, Tiling, Wording};

/// Width of the drawing. One unit of the drawing stands for 1 mm on the table.
const WIDTH: i32 = 700;

/// Width and height of a card, in millimeters. [`SPACE`] is the side of a space on a track or grid.
const CARD: (i32, i32) = (63, 88);
const SPACE: i32 = 26;

/// Width of an unordered zone (a hand), in cards side by side.
const ABREAST: i32 = 3;

/// Distances in millimeters: margin around the drawing, gap between zones, and height of the line above a zone for its name.
const MARGIN: i32 = 14;
const GAP: i32 = 12;
const TITLE: i32 = 16;

/// Maximum number of spaces in a zone that are drawn individually.
const MAX_SPACES: usize = 500;

/// Generates a first drawing of the board, as SVG.
pub(crate) fn board_sketch(model: &Model, wording: &Wording) -> String {
    sketch(model, wording, None)
}

/// Generates a first drawing of a player's mat, as SVG.
pub(crate) fn mat_sketch(model: &Model, wording: &Wording) -> String {
    sketch(model, wording, model.all_seats().next())
}

fn sketch(model: &Model, wording: &Wording, mat_of: Option<Seat>) -> String {
    let mut sketch = Sketch { model, wording, mat_of, svg: Svg::default(), x: MARGIN, y: MARGIN, high: 0 };
    for row in rows(model, mat_of) {
        for family in row {
            for zone in model.family(family).zones.clone().map(ZoneId) {
                if mat_of.is_none() || model.zone(zone).seat == mat_of {
                    sketch.zone(zone);
                }
            }
        }
        sketch.end_row();
    }
    let height = sketch.y + MARGIN;
    let mut svg = Svg::default();
    let image = svg.image((0, 0), (WIDTH, height)).set("font-family", "sans-serif").set("font-size", 9);
    image.content(|svg| {
        svg.end_line();
        let ground = svg.element("rect").set("width", WIDTH).set("height", height);
        ground.set("rx", 8).set("fill", "#efe9da").empty();
        svg.end_line();
        svg.append(&sketch.svg);
    });
    svg.end_line();
    svg.into_text()
}

/// Returns the zone declarations to draw, in rows: first those in the areas that the author has arranged, then the others.
fn rows(model: &Model, mat_of: Option<Seat>) -> Vec<Vec<FamilyId>> {
    let is_drawn = |id: &FamilyId| {
        let family = model.family(*id);
        family.per.contains(&Per::Seat) == mat_of.is_some()
            && family.over.is_none()
            && family.is_shown
            && !family.zones.is_empty()
    };
    let all = || (1..model.families.len()).map(FamilyId::at).filter(is_drawn);
    let table = model.table.as_ref();
    let grid = table.and_then(|table| if mat_of.is_some() { table.mat.as_ref() } else { table.shared.as_ref() });
    let arranged = |grid: &AreaGrid| {
        let mut rows: Vec<Vec<FamilyId>> = Vec::new();
        let mut known: Vec<usize> = Vec::new();
        for row in &grid.rows {
            let fresh: Vec<usize> = row.iter().flatten().copied().filter(|area| !known.contains(area)).collect();
            let mut families = Vec::new();
            for area in fresh {
                if known.contains(&area) {
                    continue;
                }
                known.push(area);
                let zone = |item: &AreaItem| if let AreaItem::Zone(family) = item { Some(*family) } else { None };
                families.extend(grid.areas[area].items.iter().filter_map(zone).filter(is_drawn));
            }
            rows.push(families);
        }
        rows
    };
    let mut rows = grid.map(arranged).unwrap_or_default();
    let placed: Vec<FamilyId> = rows.iter().flatten().copied().collect();
    rows.push(all().filter(|family| !placed.contains(family)).collect());
    rows.retain(|row| !row.is_empty());
    rows
}

struct Sketch<'a> {
    model: &'a Model,
    wording: &'a Wording,
    /// Seat whose mat is drawn; `None` for the board.
    mat_of: Option<Seat>,
    svg: Svg,
    x: i32,
    y: i32,
    /// Height of the current row.
    high: i32,
}

impl Sketch<'_> {
    fn end_row(&mut self) {
        if self.high > 0 {
            (self.x, self.y, self.high) = (MARGIN, self.y + self.high + GAP, 0);
        }
    }

    /// Reserves space for a block of this size, in the current row if it fits there. Returns the position of the block.
    fn place(&mut self, (width, height): (i32, i32)) -> (i32, i32) {
        if self.x > MARGIN && self.x + width > WIDTH - MARGIN {
            self.end_row();
        }
        let at = (self.x, self.y);
        self.x += width + GAP;
        self.high = self.high.max(height);
        at
    }

    fn zone(&mut self, zone: ZoneId) {
        let (found, family) = (self.model.zone(zone), self.model.family_of(zone));
        let spaces: Vec<SpaceId> = found.spaces.clone().map(SpaceId).take(MAX_SPACES).collect();
        let names = zone_names(self.model, zone, self.mat_of);
        let name = names.last().cloned().unwrap_or_default();
        let title =
            if self.mat_of.is_some() { self.wording.zone_label_text(zone) } else { self.wording.zone_name(zone) };
        if spaces.len() == 1 {
            let width = if family.shape == Shape::Hand { ABREAST * CARD.0 } else { CARD.0 };
            let (x, y) = self.place((width, CARD.1 + TITLE));
            self.title(&title, (x, y), width);
            let frame = self.svg.rect((x, y + TITLE), (width, CARD.1)).set("id", name).set("rx", 4);
            frame.set("fill", "#fffdf7").set("stroke", "#8d8675").empty();
            self.svg.end_line();
            return;
        }
        let tiling = Tiling { tessellation: family.shape.tessellation(), side: SPACE };
        let columns = ((WIDTH - 2 * MARGIN) / SPACE).max(1);
        let center = |at: usize, space: &SpaceId| match self.model.space(*space).label {
            Label::Cell(column, row) if family.shape.is_grid() => tiling.middle((column, row)),
            _ => (at as i32 % columns * SPACE, at as i32 / columns * SPACE),
        };
        let centers: Vec<(i32, i32)> = spaces.iter().enumerate().map(|(at, space)| center(at, space)).collect();
        let least = |of: fn(&(i32, i32)) -> i32| centers.iter().map(of).min().unwrap_or_default();
        let most = |of: fn(&(i32, i32)) -> i32| centers.iter().map(of).max().unwrap_or_default();
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        let size = (most(|at| at.0) - left + SPACE, most(|at| at.1) - top + SPACE + TITLE);
        let (x, y) = self.place(size);
        self.title(&title, (x, y), size.0);
        for (space, at) in spaces.iter().zip(&centers) {
            let label = match &self.model.space(*space).label {
                Label::Cell(column, row) => format!("{column}.{row}"),
                label => label.to_string(),
            };
            let (left, top) = (x + at.0 - left, y + TITLE + at.1 - top);
            let read = self.wording.space_label_text(*space);
            let frame = self.svg.rect((left, top), (SPACE, SPACE)).set("id", format_args!("{name}.{label}"));
            frame.set("fill", "#f7f3e8").set("stroke", "#8d8675").empty();
            let text = self.svg.label((left + SPACE / 2, top + SPACE / 2 + 3)).set("text-anchor", "middle");
            text.set("fill", "#5f594c").text(read.chars().take(5).collect::<String>());
            self.svg.end_line();
        }
    }

    fn title(&mut self, title: &str, (x, y): (i32, i32), width: i32) {
        let letters = (width / 5).max(6) as usize;
        let short: String = title.chars().take(letters).collect();
        let text = self.svg.label((x, y + TITLE - 5)).set("font-weight", "bold").set("fill", "#1d1b16");
        text.text(short);
        self.svg.end_line();
    }
}

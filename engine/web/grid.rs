//! Draws a grid as SVG: its spaces with what is printed on them, the squares of tiles, and pieces.

use super::dom_ids;
use super::piece::{Drawing, Piece};
use crate::desk::board::Board;
use crate::model::{Label, SpaceId, ZoneId};
use crate::table::{Picture, PicturedCell};
use crate::wording::{DEFAULT_COLOR, Tiling, breadth, edges, escaped, ink_on};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Side of a space, in units of the drawing.
const SIDE: i32 = 48;

/// Room for the labels of columns and rows.
const MARGIN: i32 = 18;

/// Maximum number of pieces per line of a space.
const ABREAST: i32 = 3;

/// Color of a space without print.
const GROUND: &str = "#f1eee4";

/// Alternating colors of a board whose squares have printed names.
const CHECKERED: [&str; 2] = ["#efe6cf", "#cdbd97"];

/// Maximum width of a text on a space.
const ROOM: i32 = SIDE - 8;

/// Input of the drawing.
pub(super) struct Grid<'a> {
    pub(super) board: &'a Board<'a>,
    pub(super) zone: ZoneId,
    /// Tiles and prints of the grid, if it has any.
    pub(super) picture: Option<&'a Picture>,
    /// Marks of everything that is offered.
    pub(super) offered: &'a BTreeSet<String>,
    pub(super) drawing: Drawing<'a>,
}

/// A space with everything drawn on it.
struct Square {
    at: (i16, i16),
    space: SpaceId,
    cell: Option<PicturedCell>,
    /// Pieces on the space and on the layers above it, each with its mark (see [`dom_ids`]). A piece whose face is
    /// unknown is `None`.
    standing: Vec<(Option<Piece>, String)>,
}

impl Grid<'_> {
    /// Returns the SVG element.
    pub(super) fn svg(&self) -> String {
        let squares = self.squares();
        let tiling = self.tiling();
        let places: Vec<(i16, i16)> = squares.iter().map(|square| square.at).collect();
        let ((left, top), (right, bottom)) = tiling.bounds(&places);
        // Hexagons extend farther from their centers than squares do.
        let more = if tiling.tops.is_some() { SIDE / 4 } else { 0 };
        let shifted = |(x, y): (i32, i32)| (x - left + MARGIN + SIDE / 2 + more, y - top + MARGIN + SIDE / 2 + more);
        let (width, height) =
            (right - left + SIDE + MARGIN + 2 + 2 * more, bottom - top + SIDE + MARGIN + 2 + 2 * more);
        let name = escaped(&self.board.wording.zone_name(self.zone));
        let mut svg = format!(
            "<svg class=\"grid\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"group\" aria-label=\"{name}\">"
        );
        let heads = if self.has_names() { Vec::new() } else { tiling.axis_labels(&places, 10) };
        for ((x, y), number) in heads {
            let (x, y) = shifted((x, y));
            let _ = write!(svg, "<text class=\"at\" x=\"{x}\" y=\"{y}\">{number}</text>");
        }
        for square in &squares {
            self.square(square, tiling, shifted(tiling.middle(square.at)), &mut svg);
        }
        let cells: Vec<PicturedCell> = squares.iter().filter_map(|square| square.cell).collect();
        for cell in &cells {
            for ((x1, y1), (x2, y2)) in edges(tiling, &cells, *cell, shifted(tiling.middle(cell.at))) {
                let _ = write!(svg, "<line class=\"edge\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
            }
        }
        svg.push_str("</svg>");
        svg
    }

    /// Returns whether the only print on each space is the name that people read it by, such as `e4`.
    fn has_names(&self) -> bool {
        let family = self.board.view.model().family_of(self.zone);
        let has_tiles = self.picture.is_some_and(|picture| !picture.cells.is_empty());
        family.reads.is_some() && family.printed.len() == 1 && !has_tiles
    }

    fn tiling(&self) -> Tiling {
        Tiling { tops: self.board.view.model().family_of(self.zone).shape.tops(), side: SIDE }
    }

    /// Returns the spaces to draw: all of a printed grid; of a grid of tiles, the region around what is used or offered.
    fn squares(&self) -> Vec<Square> {
        let model = self.board.view.model();
        let family = model.family_of(self.zone);
        let all: Vec<Square> =
            model.zone(self.zone).spaces.clone().map(SpaceId).map(|space| self.look(space)).collect();
        let has_tiles = self.picture.is_some_and(|picture| picture.printed.is_empty());
        if !has_tiles || !family.printed.is_empty() {
            return all;
        }
        let is_used = |square: &&Square| {
            square.cell.is_some()
                || !square.standing.is_empty()
                || self.offered.contains(&dom_ids::of_space(square.space))
        };
        let used: Vec<(i16, i16)> = all.iter().filter(is_used).map(|square| square.at).collect();
        let range = |of: fn(&(i16, i16)) -> i16| {
            let all = || used.iter().map(of);
            all().min().unwrap_or_default() - 1..=all().max().unwrap_or_default() + 1
        };
        let (columns, rows) = (range(|at| at.0), range(|at| at.1));
        all.into_iter().filter(|square| columns.contains(&square.at.0) && rows.contains(&square.at.1)).collect()
    }

    fn look(&self, space: SpaceId) -> Square {
        let model = self.board.view.model();
        let at = match model.space(space).label {
            Label::Cell(column, row) => (column, row),
            _ => (1, 1),
        };
        let cell = self.picture.and_then(|picture| picture.cells.iter().find(|cell| cell.at == at)).copied();
        let first = model.zone(self.zone).spaces.start;
        let own = model.zone(self.zone).family;
        let over = (0..model.zones.len()).map(ZoneId::at).filter(|zone| model.family_of(*zone).over == Some(own));
        let over = over.map(|zone| SpaceId(model.zone(zone).spaces.start + space.0 - first));
        let standing = std::iter::once(space).chain(over).flat_map(|space| self.standing(space)).collect();
        Square { at, space, cell, standing }
    }

    /// Returns the pieces of a space that are drawn as discs, not as squares of a tile.
    fn standing(&self, space: SpaceId) -> Vec<(Option<Piece>, String)> {
        let view = &self.board.view;
        let model = view.model();
        let seen = view.seen(space);
        let has_cells = |component| !model.component(component).cells.is_empty();
        if model.family_of(model.space(space).zone).shape.is_grid()
            && self.picture.is_some_and(|picture| !picture.cells.is_empty())
            && seen.iter().any(|one| one.face.is_none_or(|(component, _)| has_cells(component)))
            && model.space(space).zone == self.zone
        {
            return Vec::new();
        }
        let mut found: Vec<(Option<Piece>, String)> = seen
            .iter()
            .enumerate()
            .map(|(place, one)| {
                let drawn = one.face.map(|(component, owner)| {
                    let owner = owner.or(model.zone(model.space(space).zone).seat);
                    self.drawing.piece(component, owner, one.turned)
                });
                (drawn, dom_ids::of_piece(space, one, Some(place)))
            })
            .collect();
        found.extend((seen.len()..view.height(space)).map(|_| (None, dom_ids::of_hidden(space))));
        found
    }

    fn square(&self, square: &Square, tiling: Tiling, middle: (i32, i32), svg: &mut String) {
        let (x, y) = (middle.0 - SIDE / 2, middle.1 - SIDE / 2);
        let Board { view, wording, .. } = self.board;
        let prints = &view.model().cells.prints;
        let print = square.cell.and_then(|cell| cell.print).map(|print| &prints[usize::from(print)]);
        let figure = wording.figure(square.space);
        let (paint, text) = match (square.cell, print) {
            (Some(_), Some(print)) => (print.color.as_deref().unwrap_or(DEFAULT_COLOR), &*print.text),
            (Some(_), None) => (DEFAULT_COLOR, "?"),
            (None, _) if self.has_names() && tiling.tops.is_none() => {
                (CHECKERED[usize::from((square.at.0 + square.at.1).rem_euclid(2) != 0)], &*figure)
            }
            (None, _) => (if figure.is_empty() { GROUND } else { DEFAULT_COLOR }, &*figure),
        };
        let is_bare = square.cell.is_none() && figure.is_empty();
        let named: Vec<&str> = square.standing.iter().filter_map(|(piece, _)| Some(&*piece.as_ref()?.name)).collect();
        let label = format!("{}, {}  {text} {}", square.at.0, square.at.1, named.join(", "));
        let _ = write!(
            svg,
            "<g class=\"space{}\" role=\"img\" data-k=\"{}\" aria-label=\"{}\">{}",
            if is_bare { " bare" } else { "" },
            dom_ids::of_space(square.space),
            escaped(label.trim_end()),
            tiling.element(middle, &format!("fill=\"{}\"", escaped(paint))),
        );
        if self.has_names() && tiling.tops.is_none() {
            let (tx, ty) = (x + 2, y + 8);
            let _ = write!(svg, "<text class=\"at name\" x=\"{tx}\" y=\"{ty}\">{}</text></g>", escaped(text));
        } else {
            let size = [14, 11, 9].into_iter().find(|size| breadth(text, *size) <= ROOM).unwrap_or(8);
            let squeezed = if breadth(text, size) > ROOM { format!(" textLength=\"{ROOM}\"") } else { String::new() };
            let (tx, ty) =
                if square.standing.is_empty() { (x + SIDE / 2, y + SIDE / 2 + 5) } else { (x + SIDE / 2, y + 12) };
            let _ = write!(
                svg,
                "<text class=\"print\" x=\"{tx}\" y=\"{ty}\" font-size=\"{size}\" fill=\"{}\"{squeezed}>{}</text></g>",
                ink_on(paint),
                escaped(text)
            );
        }
        self.tokens(square, (x, y), svg);
    }

    /// Draws the pieces of a space as large as the space allows.
    fn tokens(&self, square: &Square, (x, y): (i32, i32), svg: &mut String) {
        let count = square.standing.len() as i32;
        let abreast = count.clamp(1, ABREAST);
        let lines = (count + abreast - 1) / abreast;
        let has_text =
            square.cell.is_some() || !self.has_names() && !self.board.wording.figure(square.space).is_empty();
        let (top, room) = if has_text { (y + 14, SIDE - 16) } else { (y + 2, SIDE - 4) };
        let radius = ((SIDE - 4) / abreast).min(room / lines.max(1)) / 2 - 1;
        for (at, (drawn, mark)) in square.standing.iter().enumerate() {
            let (column, line) = (at as i32 % abreast, at as i32 / abreast);
            let cx = x + 2 + (SIDE - 4) * (2 * column + 1) / (2 * abreast);
            let cy = top + room * (2 * line + 1) / (2 * lines);
            let (class, name, text) = match drawn {
                Some(piece) => (tint(piece), piece.name.clone(), piece.letters.clone()),
                None => ("back".to_owned(), "?".to_owned(), "?".to_owned()),
            };
            let _ = write!(
                svg,
                "<g class=\"piece {class}\" role=\"img\" data-k=\"{mark}\" aria-label=\"{0}\"><title>{0}</title>\
                 <circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\"/>",
                escaped(&name),
            );
            match drawn.as_ref().filter(|piece| piece.has_own_face) {
                Some(piece) => {
                    let _ = write!(
                        svg,
                        "<foreignObject x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\">{3}</foreignObject>",
                        cx - radius,
                        cy - radius,
                        2 * radius,
                        piece.face
                    );
                }
                None if text.is_empty() => {}
                None => {
                    let size = (radius * 11 / 10).clamp(7, 24);
                    let y = cy + size * 7 / 20;
                    let _ = write!(
                        svg,
                        "<text class=\"print\" x=\"{cx}\" y=\"{y}\" font-size=\"{size}\">{}</text>",
                        escaped(&text)
                    );
                }
            }
            svg.push_str("</g>");
        }
    }
}

/// Returns the color class of a piece.
fn tint(piece: &Piece) -> String {
    piece.owner.map_or_else(|| "neutral".to_owned(), |owner| format!("of-{}", owner % 8))
}

//! Draws a grid as SVG: the spaces with their printed contents, the squares of tiles, and the pieces.

use super::axis_names::AxisNames;
use super::disc::{Disc, badge};
use super::dom_ids;
use super::piece::Drawing;
use crate::desk::board::Board;
use crate::model::{Family, GridLook, Label, SpaceId, Tessellation, ZoneId};
use crate::table::{Picture, PicturedCell};
use crate::wording::{DEFAULT_COLOR, Svg, Terrain, Tiling, contrasting_ink, edges, text_width};
use std::collections::{BTreeMap, BTreeSet};

/// Side length of a space, in units of the drawing.
const SIDE: i32 = 48;

/// Width of the margin for the labels of columns and rows, in units of the drawing.
const MARGIN: i32 = 16;

/// Maximum number of pieces per line of a space.
const MAX_PIECES_PER_LINE: i32 = 3;

/// Fill color of a space without printed text or terrain.
const GROUND: &str = "#f1eee4";

/// Alternating fill colors of a board whose squares have printed names.
const CHECKERED: [&str; 2] = ["#efe6cf", "#cdbd97"];

/// Maximum width of the text on a space, in units of the drawing.
const ROOM: i32 = SIDE - 8;

/// Radius of the dot that marks an offered space.
const DOT: i32 = SIDE / 7;

/// Font size of values on a space.
const VALUE_SIZE: i32 = 8;

/// Input for drawing a grid.
pub(super) struct Grid<'a> {
    pub(super) board: &'a Board<'a>,
    pub(super) zone: ZoneId,
    /// Visible tiles and printed contents of the grid; `None` if the grid has neither.
    pub(super) picture: Option<&'a Picture>,
    /// Marks of everything that the viewer's options name, see [`dom_ids`].
    pub(super) offered: &'a BTreeSet<String>,
    pub(super) drawing: Drawing<'a>,
}

/// Drawing of the names that are printed on the spaces of a grid, such as `e4`.
enum Names {
    /// Spaces have no names. Their columns and rows are numbered.
    Coordinates,
    /// Each name is written on its space: in a corner of a square, in the middle of a hexagon.
    Corners,
    /// The two parts of the names are written along the edges of the grid.
    Axes(AxisNames),
}

/// A space with everything drawn on it.
struct Square {
    /// Column and row.
    at: (i16, i16),
    /// Column and row at which the space is drawn, see [`Grid::drawn_at`].
    drawn_at: (i16, i16),
    space: SpaceId,
    cell: Option<PicturedCell>,
    /// Pieces on the space, and on the same space of zones that lie over the grid. Tiles are not included.
    standing: Vec<Disc>,
    /// Values of the space, and of the tile whose first visible square is on the space.
    values: Vec<String>,
}

impl Grid<'_> {
    /// Renders the grid as an SVG element.
    pub(super) fn svg(&self) -> String {
        let squares = self.squares();
        let tiling = self.tiling();
        let places: Vec<(i16, i16)> = squares.iter().map(|square| square.drawn_at).collect();
        let ((left, top), (right, bottom)) = tiling.bounds(&places);
        let (across, down) = tiling.extent_from_center();
        let shifted = |(x, y): (i32, i32)| (x - left + MARGIN + across, y - top + MARGIN + down);
        let (width, height) = (right - left + 2 * across + 2 * MARGIN, bottom - top + 2 * down + 2 * MARGIN);
        let terrain = Terrain::new(self.board.view.model(), self.board.view.model().family_of(self.zone));
        let name = self.board.wording.zone_name(self.zone);
        let mut svg = Svg::default();
        let class = match self.family().look {
            GridLook::Squares => "grid",
            GridLook::Crossings => "grid crossings",
        };
        let image = svg.inline_image(class, (0, 0), (width, height)).set("width", width);
        image.set("role", "group").set("aria-label", name).content(|svg| {
            let names = self.names();
            self.axes(&names, &places, shifted, svg);
            if self.family().look == GridLook::Crossings {
                self.lines(&squares, shifted, svg);
            }
            for square in &squares {
                let middle = shifted(tiling.middle(square.drawn_at));
                self.square(square, &names, terrain.as_ref(), middle, svg);
            }
            let cell = |square: &Square| Some(PicturedCell { at: square.drawn_at, ..square.cell? });
            let cells: Vec<PicturedCell> = squares.iter().filter_map(cell).collect();
            for cell in &cells {
                for (from, to) in edges(tiling, &cells, *cell, shifted(tiling.middle(cell.at))) {
                    svg.line(from, to).set("class", "edge").empty();
                }
            }
            // Pieces are drawn last, so that they lie above the outlines of tiles.
            for square in &squares {
                let (x, y) = shifted(tiling.middle(square.drawn_at));
                self.tokens(square, &names, (x - SIDE / 2, y - SIDE / 2), svg);
            }
        });
        svg.into_text()
    }

    /// Returns whether the drawing has numbers of columns and rows, which are hidden at first.
    pub(super) fn has_coordinates(&self) -> bool {
        matches!(self.names(), Names::Coordinates)
    }

    fn family(&self) -> &Family {
        self.board.view.model().family_of(self.zone)
    }

    /// Returns the column and row at which a space is drawn. If each seat sees the grid from its own side, it is turned by half for the
    /// seats at its first row.
    fn drawn_at(&self, (column, row): (i16, i16)) -> (i16, i16) {
        let view = &self.board.view;
        let first = self.family().first_seat.zip(view.seat());
        let is_turned = first.is_some_and(|(first, seat)| first.is_at_north(seat, view.model().seats));
        if is_turned { (-column, -row) } else { (column, row) }
    }

    /// Determines how the names of spaces are drawn. Spaces have names if the name is the only printed field, no two spaces have the same
    /// name, and no tiles lie on the grid. A space may have no name.
    fn names(&self) -> Names {
        let (model, family) = (self.board.view.model(), self.family());
        let has_tiles = self.picture.is_some_and(|picture| !picture.cells.is_empty());
        let Some(field) = family.reads.as_ref().filter(|_| family.printed.len() == 1 && !has_tiles) else {
            return Names::Coordinates;
        };
        let name = |space: SpaceId| {
            let name = model.field_text(model.space(space).fields.get(field)?);
            (!name.is_empty()).then(|| (self.drawn_at(cell_of(&model.space(space).label)), name))
        };
        let named: BTreeMap<(i16, i16), String> =
            model.zone(self.zone).spaces.clone().map(SpaceId).filter_map(name).collect();
        if named.values().collect::<BTreeSet<_>>().len() < named.len() {
            return Names::Coordinates;
        }
        match family.shape.tessellation() {
            Tessellation::Square => AxisNames::of(&named).map_or(Names::Corners, Names::Axes),
            // The rows and columns of hexagons are slanted, and a hexagon has no corner for a name.
            Tessellation::Hex(_) => Names::Corners,
        }
    }

    /// Returns whether the grid is drawn as a checkerboard.
    fn is_checkered(&self, names: &Names) -> bool {
        let is_square = match self.tiling().tessellation {
            Tessellation::Square => true,
            // Two colors cannot alternate among neighboring hexagons.
            Tessellation::Hex(_) => false,
        };
        is_square && self.family().look == GridLook::Squares && !matches!(names, Names::Coordinates)
    }

    /// Writes the coordinates, or the names, of columns and rows along the edges of the grid.
    fn axes(&self, names: &Names, places: &[(i16, i16)], shifted: impl Fn((i32, i32)) -> (i32, i32), svg: &mut Svg) {
        for label in self.tiling().axis_labels(places, 10) {
            // Turning the grid by half twice restores it, so this is the position in the grid.
            let at = (label.number, label.number);
            let (text, class) = match names {
                Names::Corners => return,
                Names::Coordinates if label.is_column => (self.drawn_at(at).0.to_string(), "at"),
                Names::Coordinates => (self.drawn_at(at).1.to_string(), "at"),
                Names::Axes(axes) => (axes.text(label), "at name"),
            };
            svg.label(shifted(label.position)).set("class", class).text(text);
        }
    }

    /// Draws lines between the centers of adjacent spaces.
    fn lines(&self, squares: &[Square], shifted: impl Fn((i32, i32)) -> (i32, i32), svg: &mut Svg) {
        let tiling = self.tiling();
        let places: BTreeSet<(i16, i16)> = squares.iter().map(|square| square.drawn_at).collect();
        for &(column, row) in &places {
            for next in [(column + 1, row), (column, row + 1)] {
                if places.contains(&next) {
                    let [from, to] = [(column, row), next].map(|at| shifted(tiling.middle(at)));
                    svg.line(from, to).set("class", "rule").empty();
                }
            }
        }
    }

    fn tiling(&self) -> Tiling {
        Tiling { tessellation: self.board.view.model().family_of(self.zone).shape.tessellation(), side: SIDE }
    }

    /// Returns the spaces to draw. If the grid has tiles and no printed contents, these are the spaces of the smallest rectangle that
    /// contains all used and offered spaces, with a margin of one space. Otherwise, these are all spaces.
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
                || !square.values.is_empty()
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
        let at = cell_of(&model.space(space).label);
        let cell = self.picture.and_then(|picture| picture.cells.iter().find(|cell| cell.at == at)).copied();
        let first = model.zone(self.zone).spaces.start;
        let own = model.zone(self.zone).family;
        let over = (0..model.zones.len()).map(ZoneId::at).filter(|zone| model.family_of(*zone).over == Some(own));
        let over = over.map(|zone| SpaceId(model.zone(zone).spaces.start + space.0 - first));
        let standing = std::iter::once(space).chain(over).flat_map(|space| self.standing(space)).collect();
        let mut values = self.board.values_of_space(space);
        values.extend(self.tile_values(cell));
        Square { at, drawn_at: self.drawn_at(at), space, cell, standing: Disc::grouped(standing), values }
    }

    /// Returns the values of the tile that `cell` belongs to, if `cell` is the first visible square of the tile.
    fn tile_values(&self, cell: Option<PicturedCell>) -> Option<String> {
        let (cell, picture) = (cell?, self.picture?);
        let first = picture.cells.iter().find(|other| other.piece == cell.piece)?;
        if first.at != cell.at {
            return None;
        }
        let view = &self.board.view;
        // A tile is stored at the space of its origin, which may be a different space.
        let origin = view.referenced_piece(i64::from(cell.piece.0));
        let (component, _) = origin.seen.face?;
        if view.model().component(component).cells.is_empty() {
            return None;
        }
        Some(self.board.values_of_piece(origin.space, origin.place?)).filter(|values| !values.is_empty())
    }

    /// Returns the pieces of a space that are drawn as discs, not as squares of a tile.
    fn standing(&self, space: SpaceId) -> Vec<Disc> {
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
        discs(self.board, self.drawing, space)
    }

    fn square(&self, square: &Square, names: &Names, terrain: Option<&Terrain>, middle: (i32, i32), svg: &mut Svg) {
        let tiling = self.tiling();
        let (x, y) = (middle.0 - SIDE / 2, middle.1 - SIDE / 2);
        let Board { view, wording, .. } = self.board;
        let prints = &view.model().cells.prints;
        let print = square.cell.and_then(|cell| cell.print).map(|print| &prints[usize::from(print)]);
        let figure = wording.figure(square.space);
        let ground = terrain.and_then(|terrain| terrain.color_of(view.model().space(square.space)));
        let (paint, text) = match (square.cell, print) {
            (Some(_), Some(print)) => (print.color.as_deref().unwrap_or(DEFAULT_COLOR), &*print.text),
            (Some(_), None) => (DEFAULT_COLOR, "?"),
            (None, _) if self.family().look == GridLook::Crossings => ("transparent", &*figure),
            (None, _) if self.is_checkered(names) => {
                (CHECKERED[usize::from((square.at.0 + square.at.1).rem_euclid(2) != 0)], &*figure)
            }
            (None, _) => (ground.unwrap_or(if figure.is_empty() { GROUND } else { DEFAULT_COLOR }), &*figure),
        };
        let is_bare = square.cell.is_none() && figure.is_empty();
        // The accessible label also names the text that is printed below a tile, which the drawing hides.
        let under = if square.cell.is_some() && !figure.is_empty() { format!("({figure})") } else { String::new() };
        let named = square.standing.iter().map(Disc::name);
        let parts = [text, &under].into_iter().chain(square.values.iter().map(|value| &**value)).chain(named);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let (column, row) = square.at;
        let contents = parts.join(self.board.comma());
        let is_named = !matches!(names, Names::Coordinates) && !figure.is_empty();
        let label = if is_named { contents } else { format!("{column}, {row}  {contents}") };
        let space = svg.element("g").set("class", if is_bare { "space bare" } else { "space" }).set("role", "img");
        let space = space.set("data-k", dom_ids::of_space(square.space)).set("aria-label", label.trim_end());
        space.content(|svg| {
            tiling.space(middle, svg).set("fill", paint).empty();
            let shown = match names {
                Names::Axes(_) => "",
                Names::Coordinates | Names::Corners => text,
            };
            let is_named = self.is_checkered(names);
            let is_offered = self.offered.contains(&dom_ids::of_space(square.space));
            let is_free = square.cell.is_none() && square.standing.is_empty() && square.values.is_empty();
            if is_offered && is_free && (shown.is_empty() || is_named) {
                svg.circle(middle, DOT).set("class", "dot").empty();
            }
            if is_named {
                svg.label((x + 2, y + 8)).set("class", "at corner").text(shown);
                return;
            }
            let size = [14, 11, 9].into_iter().find(|size| text_width(shown, *size) <= ROOM).unwrap_or(8);
            let is_alone = square.standing.is_empty() && square.values.is_empty();
            let top = match tiling.tessellation {
                Tessellation::Square => 12,
                // Hexagons are narrow at the top.
                Tessellation::Hex(_) => 13,
            };
            let base = if is_alone { y + SIDE / 2 + 5 } else { y + top };
            let label = svg.label((x + SIDE / 2, base)).set("class", "print").set("font-size", size);
            let squeezed = (text_width(shown, size) > ROOM).then_some(ROOM);
            label.set("fill", contrasting_ink(paint)).set_some("textLength", squeezed).text(shown);
        });
    }

    /// Draws the pieces of a space, as large as the space allows, and the values of the space.
    fn tokens(&self, square: &Square, names: &Names, (x, y): (i32, i32), svg: &mut Svg) {
        let count = square.standing.len() as i32;
        let abreast = count.clamp(1, MAX_PIECES_PER_LINE);
        let lines = (count + abreast - 1) / abreast;
        let has_names = !matches!(names, Names::Coordinates);
        let has_text = square.cell.is_some() || !has_names && !self.board.wording.figure(square.space).is_empty();
        let (top, room) = if has_text { (y + 15, SIDE - 17) } else { (y + 2, SIDE - 4) };
        let radius = ((SIDE - 4) / abreast).min(room / lines.max(1)) / 2 - 1;
        for (at, disc) in square.standing.iter().enumerate() {
            let (column, line) = (at as i32 % abreast, at as i32 / abreast);
            let cx = x + 2 + (SIDE - 4) * (2 * column + 1) / (2 * abreast);
            let cy = top + room * (2 * line + 1) / (2 * lines);
            disc.draw((cx, cy), radius, svg);
        }
        for (line, value) in square.values.iter().rev().enumerate() {
            let y = y + SIDE - 7 - line as i32 * (VALUE_SIZE + 3);
            svg.element("g").set("class", "value").content(|svg| {
                badge((x + SIDE / 2, y), VALUE_SIZE * 4 / 5, &shortened(value), svg);
            });
        }
    }
}

/// Returns the column and row of a space of a grid.
fn cell_of(label: &Label) -> (i16, i16) {
    match label {
        Label::Cell(column, row) => (*column, *row),
        Label::Number(_) | Label::Word(_) => (1, 1),
    }
}

/// Truncates a text so that it fits on a space, and marks the cut with an ellipsis.
fn shortened(text: &str) -> String {
    let room = ROOM - VALUE_SIZE;
    if text_width(text, VALUE_SIZE) <= room {
        return text.to_owned();
    }
    let mut width = VALUE_SIZE;
    let fits = |c: &char| {
        width += text_width(c.encode_utf8(&mut [0; 4]), VALUE_SIZE);
        width <= room
    };
    format!("{}…", text.chars().take_while(fits).collect::<String>().trim_end())
}

/// Returns the pieces of a space as discs. Pieces that the viewer cannot tell apart come last.
pub(super) fn discs(board: &Board<'_>, drawing: Drawing<'_>, space: SpaceId) -> Vec<Disc> {
    let (view, model) = (&board.view, board.view.model());
    let seen = view.seen(space);
    let mut found: Vec<Disc> = seen
        .iter()
        .enumerate()
        .map(|(place, one)| {
            let piece = one.face.map(|(component, owner)| {
                drawing.piece(component, owner.or(model.zone(model.space(space).zone).seat), one.turned)
            });
            Disc {
                piece,
                marks: dom_ids::of_piece(space, one, Some(place)),
                numbers: board.numbers_of_piece(space, place),
                note: board.values_of_piece(space, place),
                count: 1,
            }
        })
        .collect();
    let hidden =
        || Disc { piece: None, marks: dom_ids::of_hidden(space), numbers: Vec::new(), note: String::new(), count: 1 };
    found.extend((seen.len()..view.height(space)).map(|_| hidden()));
    found
}

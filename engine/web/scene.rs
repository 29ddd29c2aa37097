//! The table as one viewer sees it, as template values: zones grouped into boxes, and a strip per seat.

use super::dom_ids;
use super::grid::Grid;
use super::links::Viewer;
use super::map::{MapDrawing, holds_only_links, zones_on};
use super::piece::{Drawing, Piece};
use crate::desk::board::Board;
use crate::faces::{COLORS, CardShape, DrawnBoard, DrawnSpot, SpotTarget, color_of};
use crate::model::{
    AreaGrid, AreaItem, ComponentId, Content, FaceDownVisibility as SeenBy, Family, FamilyId, FieldValue, KindId,
    Language, Model, Per, Seat, Shape, SpaceId, Value, ValueId, ValueType, ZoneId,
};
use crate::phrases::Phrases;
use crate::session::Session;
use crate::table::{Holder, Picture, View, VisiblePiece};
use crate::wording::Wording;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of hidden pieces that are drawn one by one; more are shown as a count.
const MAX_FANNED: usize = 7;

/// Maximum number of characters of a label in a cell of a track.
const SHORT_LABEL: usize = 3;

/// Template values of the table as one viewer sees it.
#[derive(Debug, Serialize)]
pub(super) struct Scene {
    /// Board that the author has drawn. Areas and other boxes are below it.
    drawn: Option<Drawn>,
    /// Areas in which the author has arranged the board. The other boxes are below them.
    areas: Vec<AreaBox>,
    /// Boxes that are in no area and no row. The page places them freely.
    loose: Vec<Group>,
    /// Rows of boxes. The boxes of a row contain zones of the same families, such as the areas of a map. The last row has one box for each
    /// seat with open zones.
    rows: Vec<Vec<Group>>,
    /// Names and texts of the values that are not shown in an area or on the drawn board.
    facts: Vec<(String, String)>,
    /// Strips of the seats, the viewer's own first.
    seats: Vec<Strip>,
}

/// Board or mat that the author has drawn.
#[derive(Debug, Serialize)]
struct Drawn {
    html: String,
    /// Width in pixels before the board is scaled to the window.
    width: i64,
    spots: Vec<Spot>,
}

/// Place on a drawn board.
#[derive(Debug, Serialize)]
struct Spot {
    /// Index N of the place. The CSS class `at-N` sets its position.
    at: usize,
    /// Whether the place is in the lower half of the board.
    is_low: bool,
    title: String,
    marks: String,
    /// `pile`, `hand`, `bag` or `track`; empty for a value.
    shape: &'static str,
    /// Number of pieces.
    count: usize,
    /// Contents; `None` for a value.
    space: Option<DrawnSpace>,
    /// Text of a value.
    text: String,
}

/// Area of the board: boxes side by side, and values.
#[derive(Debug, Serialize)]
struct AreaBox {
    /// Name of the area, chosen by the author.
    name: Arc<str>,
    groups: Vec<Group>,
    /// Names and texts of the values in the area.
    facts: Vec<(String, String)>,
}

/// Area of the viewer's own mat.
#[derive(Debug, Serialize)]
struct MatArea {
    /// Index of the area, which is part of its CSS class.
    index: usize,
    /// Name of the area, chosen by the author.
    name: Arc<str>,
}

impl MatArea {
    /// Returns the area of a mat that shows `item`; `None` if no area does.
    fn of(mat: &AreaGrid, item: AreaItem) -> Option<Self> {
        let index = mat.area_of(item)?;
        Some(Self { index, name: mat.areas[index].name.clone() })
    }
}

/// Value in an area of the viewer's own mat.
#[derive(Debug, Serialize)]
struct AreaValue {
    area: MatArea,
    name: String,
    text: String,
}

/// Box of zones that belong together.
#[derive(Debug, Serialize)]
struct Group {
    title: Option<String>,
    /// Index of the seat that owns all zones of the box; `None` for other boxes.
    seat: Option<u8>,
    /// Whether the box contains a map, a grid or a table of tracks. Smaller boxes are placed beside such a box.
    is_large: bool,
    marks: String,
    zones: Vec<Place>,
    /// Names and texts of the values of the component to which the zones belong.
    facts: Vec<(String, String)>,
}

impl Group {
    fn new(title: Option<String>, seat: Option<u8>, marks: String, zones: Vec<Place>) -> Self {
        let is_table = zones.len() > 1 && zones.iter().all(|zone| zone.is_line);
        let is_large = is_table || zones.iter().any(|zone| zone.drawing.is_some());
        Self { title, seat, is_large, marks, zones, facts: Vec::new() }
    }
}

/// Strip with the name, the values and the zones of a seat.
#[derive(Debug, Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a condition of its own in the template")]
struct Strip {
    name: String,
    number: u8,
    /// Text that names the agent or the rules that play the seat; `None` for a person.
    played_by: Option<String>,
    is_own: bool,
    is_asked: bool,
    is_active: bool,
    /// Whether the seat has left the game.
    is_out: bool,
    marks: String,
    values: Vec<(String, String)>,
    zones: Vec<Place>,
    /// Whether the author has arranged the mat.
    is_arranged: bool,
    /// Values that the author has placed in an area of the mat.
    placed_values: Vec<AreaValue>,
    /// The viewer's own mat, if the author has drawn it.
    drawn: Option<Drawn>,
}

/// Template values of a zone.
#[derive(Debug, Serialize)]
struct Place {
    title: String,
    /// Area of the viewer's own mat in which the zone is shown.
    area: Option<MatArea>,
    /// `grid`, `network`, `track`, `pile`, `bag` or `hand`.
    shape: &'static str,
    /// Whether the zone is a hand that is not shown on the board, see [`is_open`].
    is_held: bool,
    /// Whether the zone is a row that fits in one line: its labels are short, nothing else is printed, and it accepts no cards or tiles.
    is_line: bool,
    marks: String,
    count: usize,
    drawing: Option<String>,
    /// Whether the drawing has numbers of columns and rows, which are shown on request.
    has_coordinates: bool,
    spaces: Vec<DrawnSpace>,
    /// Label of the first space, to which a ring returns; `None` for other shapes.
    around_to: Option<String>,
}

/// Template values of a space.
#[derive(Debug, Serialize)]
struct DrawnSpace {
    label: String,
    marks: String,
    pieces: Vec<DrawnPiece>,
    /// Number of hidden pieces that are not drawn one by one.
    hidden: usize,
    hidden_marks: String,
    /// HTML of the back of the hidden pieces.
    back: String,
    /// Text that says what the viewer knows about the hidden pieces.
    hidden_note: String,
    /// Whether the topmost piece is hidden.
    is_top_hidden: bool,
    /// Names and texts of the printed fields other than the label.
    facts: Vec<(String, String)>,
    /// Markers of the values that name the space.
    pins: Vec<SpaceMarker>,
}

/// Marker on the space that a value names.
#[derive(Debug, Clone, Serialize)]
struct SpaceMarker {
    name: String,
    /// Index of the marker's color in the palette. Used only if `seat` is `None`.
    color: usize,
    seat: Option<u8>,
    /// Whether the zone belongs to the holder of the value, so that the marker needs no name.
    is_own: bool,
}

/// Pieces that look alike.
#[derive(Debug, Serialize)]
struct DrawnPiece {
    /// The piece; `None` if only its back is seen.
    piece: Option<Piece>,
    /// HTML of the back.
    back: String,
    marks: String,
    count: usize,
    /// Values of the piece; for a hidden piece, the viewer's knowledge of the piece.
    note: String,
}

/// Content of the board, and the zones that are on it.
struct Layout {
    areas: Vec<AreaBox>,
    loose: Vec<Group>,
    rows: Vec<Vec<Group>>,
    zones: BTreeSet<ZoneId>,
}

/// Builder of the [`Scene`] of a viewer.
pub(super) struct SceneBuilder<'a> {
    board: Board<'a>,
    drawing: Drawing<'a>,
    pictures: Vec<Picture>,
    offered: &'a BTreeSet<String>,
    /// Zones that are drawn on a map of places.
    on_maps: BTreeSet<ZoneId>,
    language: Language,
    own: Option<Seat>,
    asked: Option<Seat>,
    played_by: &'a [Option<String>],
}

/// Returns what a viewer sees and remembers of a table.
pub(super) fn view_of(session: &Session, viewer: Viewer) -> View<'_> {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => None,
    };
    session.memory(seat)
}

/// Returns the wording for a viewer.
pub(super) fn wording_of(session: &Session, viewer: Viewer, language: Language) -> Wording {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    match viewer {
        Viewer::Seat(seat) => wording.for_seat(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => wording.for_onlookers(),
    }
}

impl<'a> SceneBuilder<'a> {
    /// Creates a builder. `offered` contains the marks of the viewer's options. `asked` is the seat whose decision is open, as far as the
    /// viewer may know this.
    pub(super) fn new(
        session: &'a Session,
        viewer: Viewer,
        drawing: Drawing<'a>,
        offered: &'a BTreeSet<String>,
        asked: Option<Seat>,
    ) -> Self {
        let Drawing { wording, language, .. } = drawing;
        let board = Board::new(session.with_derived(view_of(session, viewer)), wording, language);
        let own = match viewer {
            Viewer::Seat(seat) => Some(Seat(seat)),
            Viewer::Onlooker | Viewer::Host => None,
        };
        let pictures = session.table().pictures();
        let on_maps = drawing.faces.maps().iter().flat_map(|map| zones_on(&board, map)).collect();
        Self { board, drawing, pictures, offered, on_maps, language, own, asked, played_by: &[] }
    }

    /// Sets the texts that name the agent or the rules that play each seat.
    pub(super) fn played_by(self, played_by: &'a [Option<String>]) -> Self {
        Self { played_by, ..self }
    }

    /// Builds the scene.
    pub(super) fn scene(&self) -> Scene {
        let model = self.board.view.model();
        let mut seats: Vec<Seat> = model.all_seats().collect();
        if let Some(own) = self.own {
            seats.rotate_left(own.index());
        }
        let Layout { areas, loose, rows, zones: on_board } = self.lay_out_board();
        let shared = model.table.as_ref().and_then(|table| table.shared.as_ref());
        let board = self.drawing.faces.board();
        let is_free = |item: AreaItem| {
            shared.is_none_or(|grid| grid.area_of(item).is_none()) && !board.is_some_and(|board| board.has_item(item))
        };
        let facts = self.table_facts().into_iter().filter(|(item, ..)| is_free(*item));
        Scene {
            drawn: board.map(|board| self.drawn_board(board, None)),
            areas,
            loose,
            rows,
            facts: facts.map(|(_, name, text)| (name, text)).collect(),
            seats: seats.into_iter().map(|seat| self.strip(seat, &on_board)).collect(),
        }
    }

    /// Returns the values and derived values that belong neither to seats nor to pieces, with names and texts. Values that are drawn as
    /// markers or shown in the boxes of components are left out.
    fn table_facts(&self) -> Vec<(AreaItem, String, String)> {
        let elsewhere: BTreeSet<ValueId> = self.pinned().into_iter().chain(self.boxed()).collect();
        let set = self.board.other_values().into_iter().filter(|(id, _)| !elsewhere.contains(id));
        let set = set.map(|(id, texts)| (AreaItem::Value(id), self.board.name_of(id), texts));
        let derived = self.board.other_derived_items().into_iter();
        let derived = derived.map(|(at, name, texts)| (AreaItem::Derived(at), name, texts));
        set.chain(derived).map(|(item, name, texts)| (item, name, texts.join(self.board.comma()))).collect()
    }

    fn strip(&self, seat: Seat, on_board: &BTreeSet<ZoneId>) -> Strip {
        let model = self.board.view.model();
        let is_own = self.own == Some(seat);
        let table = model.table.as_ref();
        let mat = table.and_then(|table| table.mat.as_ref()).filter(|_| is_own);
        let drawn = self.drawing.faces.mat(seat).filter(|_| is_own);
        let rival = table.and_then(|table| table.rival.as_ref()).filter(|_| !is_own);
        let mut values: Vec<(AreaItem, String, String)> = self
            .board
            .seat_items()
            .into_iter()
            .filter_map(|(item, name, mut texts)| Some((item, name, texts[seat.index()].take()?)))
            .collect();
        let rank = |item: AreaItem| rival.map_or(Some(0), |items| items.iter().position(|known| *known == item));
        values.retain(|(item, ..)| rank(*item).is_some() && !drawn.is_some_and(|mat| mat.has_item(*item)));
        values.sort_by_key(|(item, ..)| rank(*item));
        let (placed, values): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(item, ..)| mat.is_some_and(|mat| mat.area_of(*item).is_some()));
        let placed_values = placed
            .into_iter()
            .filter_map(|(item, name, text)| Some(AreaValue { area: MatArea::of(mat?, item)?, name, text }));
        let values = values.into_iter().map(|(_, name, text)| (name, text));
        let team = self.board.wording.team(seat);
        let team = team.map(|team| (Phrases::for_language(self.language).story.team.to_owned(), team.to_owned()));
        let zones = (1..model.zones.len()).map(ZoneId::at);
        let family = |zone: ZoneId| AreaItem::Zone(model.zone(zone).family);
        let mut zones: Vec<ZoneId> = zones
            .filter(|zone| model.zone(*zone).seat == Some(seat) && !on_board.contains(zone) && self.is_shown(*zone))
            .filter(|zone| rank(family(*zone)).is_some() || self.is_offered(*zone))
            .filter(|zone| !drawn.is_some_and(|mat| mat.has_zone(model, *zone)))
            .collect();
        zones.sort_by_key(|zone| rank(family(*zone)).unwrap_or(usize::MAX));
        let zones = zones.into_iter().map(|zone| Place {
            area: mat.and_then(|mat| MatArea::of(mat, family(zone))),
            ..self.place(zone, self.title_of_own(zone))
        });
        Strip {
            name: self.board.wording.seat(seat).to_owned(),
            number: seat.0,
            played_by: self.played_by.get(seat.index()).cloned().flatten(),
            is_own,
            is_asked: self.asked == Some(seat),
            is_active: self.board.view.active() == Some(seat),
            is_out: self.board.view.eliminated().any(|out| out == seat),
            marks: dom_ids::of_seat(seat),
            values: team.into_iter().chain(values).collect(),
            zones: zones.collect(),
            is_arranged: mat.is_some(),
            placed_values: placed_values.collect(),
            drawn: drawn.map(|mat| self.drawn_board(mat, Some(seat))),
        }
    }

    /// Returns the title of a zone in its owner's strip.
    fn title_of_own(&self, zone: ZoneId) -> String {
        let family = self.board.view.model().family_of(zone).name.get(self.language);
        let read = self.board.wording.zone_label_text(zone);
        if read == family { read } else { format!("{family} {read}") }
    }

    /// Groups the open zones of each seat, in seating order. Adds these zones to `taken`.
    fn tableaus(&self, taken: &mut BTreeSet<ZoneId>) -> Vec<Group> {
        let model = self.board.view.model();
        let mut groups = Vec::new();
        for seat in model.all_seats() {
            let own = (1..model.zones.len()).map(ZoneId::at).filter(|zone| model.zone(*zone).seat == Some(seat));
            let is_on_mat = |zone: ZoneId| {
                let item = AreaItem::Zone(model.zone(zone).family);
                model.table.as_ref().is_some_and(|table| table.places(item))
                    || self.drawing.faces.mat(seat).is_some_and(|mat| mat.has_zone(model, zone))
            };
            let open: Vec<ZoneId> =
                own.filter(|zone| !taken.contains(zone) && is_open(model, *zone) && !is_on_mat(*zone)).collect();
            taken.extend(open.iter().copied());
            let shown = open.into_iter().filter(|zone| self.is_shown(*zone));
            let zones: Vec<Place> = shown.map(|zone| self.place(zone, self.title_of_own(zone))).collect();
            if !zones.is_empty() {
                let title = Some(self.board.wording.seat(seat).to_owned());
                groups.push(Group::new(title, Some(seat.0), String::new(), zones));
            }
        }
        groups
    }

    /// Returns whether a zone is drawn in a box. This is so if options name the zone, or if the author wants it to be shown and it has
    /// pieces or several spaces. Several spaces of a seat's zone count only if fields are printed on them. Zones that lie over another zone
    /// or that are drawn on a map have no box.
    fn is_shown(&self, zone: ZoneId) -> bool {
        let model = self.board.view.model();
        let (family, found) = (model.family_of(zone), model.zone(zone));
        let is_filled = || {
            found.spaces.len() > 1 && (found.seat.is_none() || !family.printed.is_empty())
                || self.board.view.count(zone) > 0
        };
        let is_on_map = || {
            self.on_maps.contains(&zone)
                || self.drawing.faces.maps().iter().any(|map| holds_only_links(&self.board, map, zone))
                    && !self.offered.contains(&dom_ids::of_zone(zone))
        };
        family.over.is_none() && (self.is_offered(zone) || self.board.is_shown(zone) && is_filled()) && !is_on_map()
    }

    /// Returns whether options name a zone, one of its spaces, or the component to which only this zone belongs.
    fn is_offered(&self, zone: ZoneId) -> bool {
        let found = self.board.view.model().zone(zone);
        let mut spaces = found.spaces.clone().map(SpaceId);
        let owner = found.of.filter(|_| self.stands_for(zone).is_none());
        self.offered.contains(&dom_ids::of_zone(zone))
            || spaces.any(|space| self.offered.contains(&dom_ids::of_space(space)))
            || owner.is_some_and(|of| self.offered.contains(&dom_ids::of_component(of)))
    }

    /// Returns the template values of a drawn board, or of the drawn mat of the seat `mat_of`, with their contents.
    fn drawn_board(&self, board: &DrawnBoard, mat_of: Option<Seat>) -> Drawn {
        let spot = |(at, spot): (usize, &DrawnSpot)| {
            let found = match spot.target {
                SpotTarget::Space(space) => self.space_on_board(at, space),
                SpotTarget::Value(item, component) => self.value_on_board(at, item, component, mat_of),
            };
            Spot { is_low: spot.is_low(), ..found }
        };
        Drawn {
            html: board.html.clone(),
            width: board.width,
            spots: board.spots.iter().enumerate().map(spot).collect(),
        }
    }

    fn space_on_board(&self, at: usize, space: SpaceId) -> Spot {
        let (model, wording) = (self.board.view.model(), self.board.wording);
        let zone = model.space(space).zone;
        let shape = match model.family_of(zone).shape {
            Shape::Hand => "hand",
            Shape::Bag => "bag",
            Shape::Pile => "pile",
            _ => "track",
        };
        let mut marks = vec![dom_ids::of_space(space)];
        if shape != "track" {
            marks.push(dom_ids::of_zone(zone));
            marks.extend(model.zone(zone).of.filter(|_| self.stands_for(zone).is_none()).map(dom_ids::of_component));
        }
        Spot {
            at,
            is_low: false,
            title: wording.space_name(space),
            marks: marks.join(" "),
            shape,
            count: self.board.view.height(space),
            space: Some(self.spot(zone, space, shape)),
            text: String::new(),
        }
    }

    fn value_on_board(&self, at: usize, item: AreaItem, component: Option<ComponentId>, mat_of: Option<Seat>) -> Spot {
        let holder = component.map(Holder::Component).or_else(|| mat_of.map(Holder::Seat)).unwrap_or(Holder::Game);
        let (name, text) = match item {
            AreaItem::Value(id) => (self.board.name_of(id), self.board.value(id, holder)),
            AreaItem::Derived(at) => {
                let name = self.board.view.model().derived[at].name.get(self.language).to_owned();
                (name, self.board.view.derived(at, holder).map(|number| number.to_string()))
            }
            _ => (String::new(), None),
        };
        let whose = component.map(|component| format!("{} · ", self.board.wording.component(component)));
        Spot {
            at,
            is_low: false,
            title: format!("{}{name}", whose.unwrap_or_default()),
            marks: component.map(dom_ids::of_component).unwrap_or_default(),
            shape: "",
            count: 0,
            space: None,
            text: text.unwrap_or_default(),
        }
    }

    /// Returns the areas in which the author has arranged the board. Adds the zones in these areas to `taken`.
    fn areas(&self, taken: &mut BTreeSet<ZoneId>) -> Vec<AreaBox> {
        let model = self.board.view.model();
        let Some(grid) = model.table.as_ref().and_then(|table| table.shared.as_ref()) else { return Vec::new() };
        let facts = self.table_facts();
        let all = || (1..model.zones.len()).map(ZoneId::at);
        let mut boxes = Vec::new();
        for area in &grid.areas {
            let is_in = |zone: &ZoneId| area.items.contains(&AreaItem::Zone(model.zone(*zone).family));
            let here: Vec<ZoneId> = all().filter(|zone| is_in(zone) && !taken.contains(zone)).collect();
            taken.extend(here.iter().copied());
            let mut groups: Vec<Group> = self.maps(|kind| area.items.contains(&AreaItem::Map(kind)));
            let families: Vec<&Family> = area
                .items
                .iter()
                .filter_map(|item| if let AreaItem::Zone(family) = item { Some(model.family(*family)) } else { None })
                .collect();
            let key = |zone: ZoneId| together_in_area(model, &families, zone);
            // Zones keep the order in which the author names them.
            let rank =
                |zone: ZoneId| area.items.iter().position(|item| *item == AreaItem::Zone(model.zone(zone).family));
            let mut keys: Vec<_> = here.iter().map(|zone| key(*zone)).collect();
            keys.sort_unstable();
            keys.dedup();
            for wanted in keys {
                let mut zones: Vec<ZoneId> =
                    here.iter().copied().filter(|zone| key(*zone) == wanted && self.is_shown(*zone)).collect();
                zones.sort_by_key(|zone| rank(*zone));
                // The box has the title of the first declaration, even if none of that declaration's zones is shown.
                let first = here.iter().copied().filter(|zone| key(*zone) == wanted).min_by_key(|zone| rank(*zone));
                if let Some(first) = first.filter(|_| !zones.is_empty()) {
                    groups.push(self.group(first, &zones));
                }
            }
            let facts = facts.iter().filter(|(item, ..)| area.items.contains(item));
            let facts = facts.map(|(_, name, text)| (name.clone(), text.clone())).collect();
            boxes.push(AreaBox { name: area.name.clone(), groups, facts });
        }
        boxes
    }

    /// Returns the maps whose kind satisfies `is_wanted`, each in a box of its own.
    fn maps(&self, is_wanted: impl Fn(KindId) -> bool) -> Vec<Group> {
        let place = |map| {
            let svg = MapDrawing { board: &self.board, map, drawing: self.drawing, own: self.own }.svg();
            Place {
                title: Phrases::for_language(self.language).web.map.to_owned(),
                area: None,
                shape: "network",
                is_held: false,
                is_line: false,
                marks: String::new(),
                count: 0,
                drawing: Some(svg),
                has_coordinates: false,
                spaces: Vec::new(),
                around_to: None,
            }
        };
        let wanted = self.drawing.faces.maps().iter().filter(|map| is_wanted(map.kind));
        wanted.map(|map| Group::new(None, None, String::new(), vec![place(map)])).collect()
    }

    /// Lays out the zones and maps on the board.
    fn lay_out_board(&self) -> Layout {
        let model = self.board.view.model();
        let mut zones: BTreeSet<ZoneId> = BTreeSet::new();
        if let Some(board) = self.drawing.faces.board() {
            zones.extend((1..model.zones.len()).map(ZoneId::at).filter(|zone| board.has_zone(model, *zone)));
        }
        let areas = self.areas(&mut zones);
        let shared = model.table.as_ref().and_then(|table| table.shared.as_ref());
        let mut loose: Vec<Group> =
            self.maps(|kind| shared.is_none_or(|grid| grid.area_of(AreaItem::Map(kind)).is_none()));
        let mut alike: BTreeMap<BTreeSet<FamilyId>, Vec<Group>> = BTreeMap::new();
        for zone in (1..model.zones.len()).map(ZoneId::at) {
            let found = model.zone(zone);
            let is_common = found.seat.is_none() || self.stands_for(zone).is_some();
            if zones.contains(&zone) || !is_common {
                continue;
            }
            let together: Vec<ZoneId> = self.together(zone).into_iter().filter(|zone| !zones.contains(zone)).collect();
            zones.extend(together.iter().copied());
            let shown: Vec<ZoneId> = together.iter().copied().filter(|zone| self.is_shown(*zone)).collect();
            if shown.is_empty() {
                continue;
            }
            let families: BTreeSet<FamilyId> = together.iter().map(|zone| model.zone(*zone).family).collect();
            let group = self.group(zone, &shown);
            if families.len() > 1 { alike.entry(families).or_default().push(group) } else { loose.push(group) }
        }
        let mut rows: Vec<Vec<Group>> = alike.into_values().collect();
        let tableaus = self.tableaus(&mut zones);
        if !tableaus.is_empty() {
            rows.push(tableaus);
        }
        Layout { areas, loose, rows, zones }
    }

    /// Returns the component to which a zone belongs, if several families have a zone for each component of this kind.
    fn stands_for(&self, zone: ZoneId) -> Option<ComponentId> {
        let model = self.board.view.model();
        let of = model.zone(zone).of?;
        let kind = model.component(of).kind;
        let families = model.families.iter().filter(|family| family.per.contains(&Per::Kind(kind)));
        (families.count() > 1).then_some(of)
    }

    /// Returns the zones that share a box with `zone`: all zones of the same component, of the same copy, or of the same family.
    fn together(&self, zone: ZoneId) -> Vec<ZoneId> {
        let model = self.board.view.model();
        let all = || (1..model.zones.len()).map(ZoneId::at);
        let found = model.zone(zone);
        if let Some(of) = self.stands_for(zone) {
            return all().filter(|other| model.zone(*other).of == Some(of)).collect();
        }
        let family = model.family_of(zone);
        let is_alike = |other: FamilyId| {
            let other = model.family(other);
            other.copies.as_ref().is_some_and(|copies| copies.len() > 1)
                && other.copies == family.copies
                && other.per.is_empty()
        };
        let alike = (0..model.families.len()).map(FamilyId::at).filter(|other| is_alike(*other)).count();
        if is_alike(found.family) && alike > 1 {
            return all()
                .filter(|other| is_alike(model.zone(*other).family) && model.zone(*other).copy == found.copy)
                .collect();
        }
        all().filter(|other| model.zone(*other).family == found.family).collect()
    }

    fn group(&self, first: ZoneId, zones: &[ZoneId]) -> Group {
        let model = self.board.view.model();
        let wording = self.board.wording;
        let family = model.family_of(first);
        let name = |zone: ZoneId| model.family_of(zone).name.get(self.language).to_owned();
        let title_in_group = |zone: ZoneId| {
            let found = model.zone(zone);
            found.seat.map_or_else(|| name(zone), |seat| format!("{} · {}", wording.seat(seat), name(zone)))
        };
        let is_one_family = zones.iter().all(|zone| model.zone(*zone).family == model.zone(first).family);
        let (title, marks, titles): (Option<String>, String, Vec<String>) = if let Some(of) = self.stands_for(first) {
            let titles = zones.iter().map(|zone| title_in_group(*zone)).collect();
            (Some(wording.component(of).to_owned()), dom_ids::of_component(of), titles)
        } else if is_one_family && family.zones.len() > 1 {
            (Some(name(first)), String::new(), zones.iter().map(|zone| wording.zone_label_text(*zone)).collect())
        } else if zones.len() > 1 || !zones.contains(&first) {
            (Some(wording.zone_name(first)), String::new(), zones.iter().map(|zone| name(*zone)).collect())
        } else {
            (None, String::new(), zones.iter().map(|zone| wording.zone_name(*zone)).collect())
        };
        let of = self.stands_for(first).filter(|of| self.box_of(*of).is_some_and(|zone| zones.contains(&zone)));
        let places = zones.iter().zip(titles).map(|(zone, title)| self.place(*zone, title)).collect();
        Group { facts: of.map_or_else(Vec::new, |of| self.facts_of(of)), ..Group::new(title, None, marks, places) }
    }

    /// Returns the zone whose box shows the values of a component: the first shown zone of a component that has several.
    fn box_of(&self, component: ComponentId) -> Option<ZoneId> {
        let model = self.board.view.model();
        let is_drawn = |zone: ZoneId| self.drawing.faces.board().is_some_and(|board| board.has_zone(model, zone));
        let mut own = (1..model.zones.len()).map(ZoneId::at).filter(|zone| self.stands_for(*zone) == Some(component));
        own.find(|zone| self.is_shown(*zone) && !is_drawn(*zone))
    }

    /// Returns the values that are shown in the boxes of components, because each component that has such a value has a box. Values that the
    /// author places elsewhere are left out.
    fn boxed(&self) -> Vec<ValueId> {
        let model = self.board.view.model();
        let is_free = |id: ValueId| {
            let item = AreaItem::Value(id);
            !model.table.as_ref().is_some_and(|table| table.places(item))
                && !self.drawing.faces.board().is_some_and(|board| board.has_item(item))
        };
        let is_boxed = |id: &ValueId| {
            let texts = self.board.texts_by_component(*id);
            !texts.is_empty() && is_free(*id) && texts.keys().all(|component| self.box_of(*component).is_some())
        };
        let pinned = self.pinned();
        (0..model.values.len()).map(ValueId::at).filter(|id| !pinned.contains(id) && is_boxed(id)).collect()
    }

    /// Returns the names and texts of a component's values that its box shows.
    fn facts_of(&self, component: ComponentId) -> Vec<(String, String)> {
        let fact = |id: ValueId| {
            let texts = self.board.texts_by_component(id).remove(&component)?;
            Some((self.board.name_of(id), texts.join(self.board.comma())))
        };
        self.boxed().into_iter().filter_map(fact).collect()
    }

    fn place(&self, zone: ZoneId, title: String) -> Place {
        let model = self.board.view.model();
        let (found, family) = (model.zone(zone), model.family_of(zone));
        let shape = match family.shape {
            Shape::Grid(_) => "grid",
            _ if found.spaces.len() > 1 => "track",
            Shape::Hand => "hand",
            Shape::Bag => "bag",
            _ => "pile",
        };
        let grid = (shape == "grid").then(|| {
            let picture = self.pictures.iter().find(|picture| picture.zone == zone);
            let Self { board, offered, drawing, .. } = self;
            Grid { board, zone, picture, offered, drawing: *drawing }
        });
        let is_drawn = grid.is_some();
        let spaces = found.spaces.clone().map(SpaceId).filter(|_| !is_drawn);
        let first_label = |first: SpaceId| self.board.wording.space_label_text(first);
        let mut own = vec![dom_ids::of_zone(zone)];
        if found.spaces.len() == 1 {
            own.push(dom_ids::of_space(found.space()));
            own.extend(found.of.filter(|_| self.stands_for(zone).is_none()).map(dom_ids::of_component));
        }
        let spots: Vec<DrawnSpace> = spaces.clone().map(|space| self.spot(zone, space, shape)).collect();
        let is_short = |spot: &DrawnSpace| spot.label.chars().count() <= SHORT_LABEL && spot.facts.is_empty();
        Place {
            title,
            area: None,
            shape,
            is_held: family.shape == Shape::Hand && !is_open(model, zone),
            is_line: shape == "track"
                && family.shape == Shape::Row
                && spots.iter().all(is_short)
                && (family.accepts.is_empty() || !takes_cards(model, family)),
            marks: own.join(" "),
            count: self.board.view.count(zone),
            has_coordinates: grid.as_ref().is_some_and(Grid::has_coordinates),
            drawing: grid.map(|grid| grid.svg()),
            around_to: spaces
                .clone()
                .next()
                .filter(|_| family.shape == Shape::Ring && shape == "track")
                .map(first_label),
            spaces: spots,
        }
    }

    fn spot(&self, zone: ZoneId, space: SpaceId, shape: &str) -> DrawnSpace {
        let model = self.board.view.model();
        let label = if shape == "track" { self.board.wording.space_label_text(space) } else { String::new() };
        let first = model.zone(zone).spaces.start;
        let own = model.zone(zone).family;
        let over = (0..model.zones.len()).map(ZoneId::at).filter(|other| {
            let (found, family) = (model.zone(*other), model.family_of(*other));
            family.over == Some(own)
                && found.components().eq(model.zone(zone).components())
                && found.spaces.len() == model.zone(zone).spaces.len()
        });
        let over = over.map(|other| SpaceId(model.zone(other).spaces.start + space.0 - first));
        let mut spot = DrawnSpace {
            label,
            marks: if shape == "track" { dom_ids::of_space(space) } else { String::new() },
            pieces: Vec::new(),
            hidden: 0,
            hidden_marks: dom_ids::of_hidden(space),
            back: String::new(),
            hidden_note: String::new(),
            is_top_hidden: false,
            facts: if shape == "track" { self.facts(space) } else { Vec::new() },
            pins: self.pins(space),
        };
        for space in std::iter::once(space).chain(over) {
            self.pieces(space, shape, &mut spot);
        }
        spot
    }

    /// Returns the names and texts of a space's printed fields. Leaves out the field that labels the space, and fields without content.
    fn facts(&self, space: SpaceId) -> Vec<(String, String)> {
        let model = self.board.view.model();
        let (found, family) = (model.space(space), model.family_of(model.space(space).zone));
        let wording = self.board.wording;
        let others = family.printed.keys().filter(|name| family.reads.as_ref() != Some(*name));
        let facts = others.filter_map(|name| match found.fields.get(name)? {
            FieldValue::Nothing | FieldValue::Flag(false) => None,
            FieldValue::Flag(true) => Some((wording.named_word(name), String::new())),
            printed => Some((wording.named_word(name), wording.field(printed))),
        });
        facts.collect()
    }

    /// Adds the pieces of a space to `spot`. Pieces that look alike are grouped. The pieces of a pile are listed from the top, the pieces
    /// of other zones in their order.
    fn pieces(&self, space: SpaceId, shape: &str, spot: &mut DrawnSpace) {
        let view = &self.board.view;
        let seen = view.seen(space);
        let unseen = view.height(space) - seen.len();
        let places: Vec<(usize, &VisiblePiece<'_>)> = seen.iter().enumerate().collect();
        let in_order: Vec<_> = if shape == "pile" { places.into_iter().rev().collect() } else { places };
        for (place, one) in in_order {
            if one.face.is_none() && shape == "pile" {
                // Hidden pieces of a pile are shown only as a number.
                spot.hidden += 1;
                spot.is_top_hidden |= spot.hidden == 1 && spot.pieces.is_empty();
                spot.hidden_marks.push(' ');
                spot.hidden_marks.push_str(&dom_ids::of_piece(space, one, Some(place)));
                self.hide(one.back, None, spot);
                continue;
            }
            let drawn = self.drawn(one, space, place);
            let same = |other: &&mut DrawnPiece| {
                (&other.piece, &other.marks, &other.note, &other.back)
                    == (&drawn.piece, &drawn.marks, &drawn.note, &drawn.back)
            };
            match spot.pieces.iter_mut().find(same) {
                Some(other) => other.count += 1,
                None => spot.pieces.push(drawn),
            }
        }
        if view.is_ordered(space) && (shape == "pile" || view.height(space) > 1) {
            note(self.board.pile(space), self.board.comma(), &mut spot.hidden_note);
        }
        if unseen == 0 {
            return;
        }
        let back = self.only_back(space);
        let note = self.among(space);
        if shape == "pile" || unseen > MAX_FANNED {
            spot.hidden += unseen;
            self.hide(&back, Some(note).filter(|note| !note.is_empty()), spot);
            return;
        }
        let marks = dom_ids::of_hidden(space);
        let back = self.drawing.back(&back);
        let hidden =
            || DrawnPiece { piece: None, back: back.clone(), marks: marks.clone(), count: 1, note: note.clone() };
        spot.pieces.extend((0..unseen).map(|_| hidden()));
    }

    /// Adds to `spot` the back and the known facts of pieces that are shown as a count.
    fn hide(&self, back: &str, known: Option<String>, spot: &mut DrawnSpace) {
        if spot.back.is_empty() {
            spot.back = self.drawing.back(back);
        }
        note(known, self.board.comma(), &mut spot.hidden_note);
    }

    /// Returns the name of the back that all kinds accepted by a space share; an empty string if there is no such back.
    fn only_back(&self, space: SpaceId) -> String {
        let model = self.board.view.model();
        let accepts = &model.family_of(model.space(space).zone).accepts;
        let kinds = accepts.iter().map(|content| match content {
            Content::Kind(kind) => *kind,
            Content::Component(component) => model.component(*component).kind,
        });
        let mut backs: Vec<&str> = kinds.map(|kind| &*model.kinds[kind.index()].back).collect();
        backs.dedup();
        if let [back] = backs[..] { back.to_owned() } else { String::new() }
    }

    /// Returns the viewer's knowledge of unordered hidden pieces: which faces each of them may have, and which faces are among them.
    fn among(&self, space: SpaceId) -> String {
        let hidden = self.board.view.hidden(space);
        let names: Vec<String> = hidden.among.iter().map(|face| self.board.named(*face, None)).collect();
        let among = (!names.is_empty()).then(|| names.join(self.board.comma()));
        let may_be = self.board.one_of(&hidden.others);
        may_be.into_iter().chain(among).collect::<Vec<_>>().join(self.board.comma())
    }

    fn drawn(&self, one: &VisiblePiece<'_>, space: SpaceId, place: usize) -> DrawnPiece {
        let piece = one.face.map(|(component, owner)| self.drawing.piece(component, owner, one.turned));
        let mut marks = vec![dom_ids::of_piece(space, one, Some(place))];
        marks.extend(one.face.map(|(component, _)| dom_ids::of_component(component)));
        let values = self.board.values_of_piece(space, place);
        let may_be = self.board.one_of(&self.board.view.may_be(space, place));
        let facts = may_be.into_iter().chain(Some(values).filter(|values| !values.is_empty()));
        let note = facts.collect::<Vec<_>>().join(self.board.comma());
        let back = if piece.is_none() { self.drawing.back(one.back) } else { String::new() };
        DrawnPiece { piece, back, marks: marks.join(" "), count: 1, note }
    }

    /// Returns the values that are drawn as markers on the spaces of tracks.
    fn pinned(&self) -> BTreeSet<ValueId> {
        let model = self.board.view.model();
        let is_drawn = |id: &ValueId| {
            let value = model.value(*id);
            let is_track = |family: &FamilyId| {
                let family = model.family(*family);
                matches!(family.shape, Shape::Row | Shape::Ring) && !family.zones.is_empty()
            };
            matches!(&value.kind, ValueType::Space(Some(family)) if is_track(family))
                && !value.is_held()
                && value.is_shown
        };
        (0..model.values.len()).map(ValueId::at).filter(is_drawn).collect()
    }

    /// Returns the markers on a space.
    fn pins(&self, space: SpaceId) -> Vec<SpaceMarker> {
        let view = &self.board.view;
        let model = view.model();
        let mut pins = Vec::new();
        for id in self.pinned() {
            for holder in view.holders(id) {
                let here = view.value(id, holder).filter(|raw| *raw != Value::NOTHING && *raw == i64::from(space.0));
                if here.is_none() {
                    continue;
                }
                pins.push(match holder {
                    Holder::Seat(seat) => {
                        let is_own = model.zone(model.space(space).zone).seat == Some(seat);
                        SpaceMarker {
                            name: self.board.wording.seat(seat).to_owned(),
                            color: 0,
                            seat: Some(seat.0),
                            is_own,
                        }
                    }
                    Holder::Component(component) => SpaceMarker {
                        name: self.board.wording.component(component).to_owned(),
                        color: color_of(model, component),
                        seat: None,
                        is_own: model.zone(model.space(space).zone).of == Some(component),
                    },
                    _ => SpaceMarker {
                        name: self.board.name_of(id),
                        color: id.index() % COLORS,
                        seat: None,
                        is_own: false,
                    },
                });
            }
        }
        pins
    }
}

/// Returns whether a zone of a seat is shown on the board. This is so for grids, and for zones that everybody sees and that may contain
/// cards or tiles. Only the declaration decides, so that neither a secret nor the number of pieces moves a zone from one region to another.
pub(super) fn is_open(model: &Model, zone: ZoneId) -> bool {
    let family = model.family_of(zone);
    let is_seen = family.face_up || family.seen_by == SeenBy::Everybody;
    family.shape.is_grid() || is_seen && takes_cards(model, family)
}

/// Returns a key that is equal for all zones in one box of an area: zones of the same component, of the same copy, or of the same
/// declaration.
fn together_in_area(model: &Model, families: &[&Family], zone: ZoneId) -> (usize, usize) {
    let found = model.zone(zone);
    let kinds =
        |family: &Family| family.per.iter().filter(|per| matches!(per, Per::Kind(_))).copied().collect::<Vec<_>>();
    let own = model.family_of(zone);
    let is_same = |same: &dyn Fn(&Family) -> bool| families.len() > 1 && families.iter().all(|family| same(family));
    if let Some(of) = found.of.filter(|_| is_same(&|family| kinds(family) == kinds(own))) {
        return (0, of.index());
    }
    let has_copies = own.copies.as_ref().is_some_and(|copies| copies.len() > 1);
    if has_copies && is_same(&|family| family.copies == own.copies && family.per == own.per) {
        let seat = found.seat.map_or(0, |seat| seat.index() + 1);
        return (1 + seat, usize::from(found.copy.unwrap_or_default()));
    }
    (usize::MAX, found.family.index())
}

/// Returns whether the zones of a family may contain cards or tiles, as far as the declaration tells.
fn takes_cards(model: &Model, family: &Family) -> bool {
    let is_large = |content: &Content| {
        let components = match content {
            Content::Kind(kind) => &model.kinds[kind.index()].components[..],
            Content::Component(component) => std::slice::from_ref(component),
        };
        let mut shapes = components.iter().map(|component| CardShape::of(model, *component));
        shapes.any(|shape| matches!(shape, CardShape::Card | CardShape::Tile))
    };
    let contents = if family.accepts.is_empty() { &family.starts_with } else { &family.accepts };
    contents.is_empty() || contents.iter().any(is_large)
}

/// Appends `known` to `noted`, after a comma if `noted` is not empty. Does nothing if `known` is `None`.
fn note(known: Option<String>, comma: &str, noted: &mut String) {
    if let Some(known) = known {
        if !noted.is_empty() {
            noted.push_str(comma);
        }
        noted.push_str(&known);
    }
}

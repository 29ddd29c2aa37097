//! The table as one viewer sees it, laid out to be drawn: what belongs together in boxes, and a strip for each seat.

use super::grid::Grid;
use super::links::Viewer;
use super::marks;
use super::piece::{Drawing, Piece};
use crate::desk::board::Board;
use crate::faces::{COLORS, CardShape, color_of};
use crate::model::{
    ComponentId, Content, Family, FamilyId, FieldValue, Language, Per, Seat, Seen as SeenBy, Shape, SpaceId, Value,
    ValueId, ValueType, ZoneId,
};
use crate::phrases::Phrases;
use crate::session::Session;
use crate::table::{Holder, Picture, Seen, View};
use crate::wording::Wording;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// More pieces than this of what nobody sees into are shown by their number.
const FANNED: usize = 7;

/// Most characters of a label that fits into a cell of a track.
const SHORT_LABEL: usize = 3;

/// What a viewer sees.
#[derive(Debug, Serialize)]
pub(super) struct Scene {
    /// What belongs to nobody alone and flows over the board.
    loose: Vec<Group>,
    /// Below that, groups that stand side by side: those of the same families of zones, for example the areas of a map, and last the open
    /// zones of each seat.
    rows: Vec<Vec<Group>>,
    /// Other values, each with what there is of it.
    facts: Vec<(String, String)>,
    /// The viewer's own seat first.
    seats: Vec<Strip>,
}

/// Zones that belong together.
#[derive(Debug, Serialize)]
struct Group {
    title: Option<String>,
    /// The seat whose zones these are.
    seat: Option<u8>,
    /// Whether it is a map, or a table of tracks, beside which smaller groups stand.
    is_large: bool,
    marks: String,
    zones: Vec<Place>,
}

impl Group {
    fn new(title: Option<String>, seat: Option<u8>, marks: String, zones: Vec<Place>) -> Self {
        let is_table = zones.len() > 1 && zones.iter().all(|zone| zone.is_line);
        let is_large = is_table || zones.iter().any(|zone| zone.drawing.is_some());
        Self { title, seat, is_large, marks, zones }
    }
}

/// A seat with what it has.
#[derive(Debug, Serialize)]
struct Strip {
    name: String,
    number: u8,
    /// What is said of who plays it, where that is no person.
    played_by: Option<String>,
    is_own: bool,
    is_asked: bool,
    is_active: bool,
    marks: String,
    values: Vec<(String, String)>,
    zones: Vec<Place>,
}

/// A zone.
#[derive(Debug, Serialize)]
struct Place {
    title: String,
    /// `grid`, `track`, `pile`, `bag` or `hand`.
    shape: &'static str,
    /// Whether the zone is a hand that only its owner looks into.
    is_held: bool,
    /// Whether the spaces of a track have short labels, nothing else printed, and room for tokens alone, so that they fit in one line.
    is_line: bool,
    marks: String,
    count: usize,
    drawing: Option<String>,
    spaces: Vec<Spot>,
    /// Of a ring, the space that comes after its last: its first.
    around_to: Option<String>,
}

/// A space.
#[derive(Debug, Serialize)]
struct Spot {
    label: String,
    marks: String,
    pieces: Vec<Drawn>,
    /// How many lie there that the viewer cannot tell, where they are not drawn one by one.
    hidden: usize,
    hidden_marks: String,
    /// What these have for a back, and what is known of them beside their number.
    back: String,
    hidden_note: String,
    /// Whether what lies hidden begins with the top.
    is_top_hidden: bool,
    /// What else is printed there, and what each is called.
    facts: Vec<(String, String)>,
    /// What stands there as a value: of whom, in which color.
    pins: Vec<Pin>,
}

/// A value that is a space, where it is.
#[derive(Debug, Clone, Serialize)]
struct Pin {
    name: String,
    /// Its color, where it is that of no seat.
    color: usize,
    seat: Option<u8>,
    /// Whether the zone is its own, so that nobody has to read whose it is.
    is_own: bool,
}

/// Alike pieces.
#[derive(Debug, Serialize)]
struct Drawn {
    /// Nothing for what is seen from behind.
    piece: Option<Piece>,
    /// What that has for a back.
    back: String,
    marks: String,
    count: usize,
    /// The values that it has; of what is seen from behind, what it may be where so much is known.
    note: String,
}

/// The board, and the zones on it.
struct Layout {
    loose: Vec<Group>,
    rows: Vec<Vec<Group>>,
    zones: BTreeSet<ZoneId>,
}

/// Lays out a table for a viewer.
pub(super) struct SceneBuilder<'a> {
    board: Board<'a>,
    drawing: Drawing<'a>,
    pictures: Vec<Picture>,
    offered: &'a BTreeSet<String>,
    language: Language,
    own: Option<Seat>,
    asked: Option<Seat>,
    played_by: &'a [Option<String>],
}

/// What a viewer sees of a table.
pub(super) fn view_of(session: &Session, viewer: Viewer) -> View<'_> {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => None,
    };
    session.memory(seat)
}

/// How a viewer reads.
pub(super) fn wording_of(session: &Session, viewer: Viewer, language: Language) -> Wording {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    match viewer {
        Viewer::Seat(seat) => wording.for_seat(Seat(seat)),
        Viewer::Onlooker | Viewer::Host => wording.for_onlookers(),
    }
}

impl<'a> SceneBuilder<'a> {
    /// Of a session, for a viewer; `offered` are the marks of what is offered to it, and `asked` is who it knows to be asked.
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
        Self { board, drawing, pictures, offered, language, own, asked, played_by: &[] }
    }

    /// With what is said of who plays each seat, where that is no person.
    pub(super) fn played_by(self, played_by: &'a [Option<String>]) -> Self {
        Self { played_by, ..self }
    }

    /// What is seen.
    pub(super) fn scene(&self) -> Scene {
        let model = self.board.view.model();
        let mut seats: Vec<Seat> = model.all_seats().collect();
        if let Some(own) = self.own {
            seats.rotate_left(own.index());
        }
        let Layout { loose, rows, zones: on_board } = self.lay_out_board();
        let pinned = self.pinned();
        let facts = self.board.other_values().into_iter().filter(|(id, _)| !pinned.contains(id));
        let comma = self.board.comma();
        Scene {
            loose,
            rows,
            facts: facts
                .map(|(id, texts)| (self.board.name_of(id), texts))
                .chain(self.board.other_derived())
                .map(|(name, texts)| (name, texts.join(comma)))
                .collect(),
            seats: seats.into_iter().map(|seat| self.strip(seat, &on_board)).collect(),
        }
    }

    fn strip(&self, seat: Seat, on_board: &BTreeSet<ZoneId>) -> Strip {
        let model = self.board.view.model();
        let values = self.board.seat_columns().into_iter();
        let values = values.filter_map(|(name, mut texts)| Some((name, texts[seat.index()].take()?)));
        let team = self.board.wording.team(seat);
        let team = team.map(|team| (Phrases::of(self.language).story.team.to_owned(), team.to_owned()));
        let zones = (1..model.zones.len()).map(ZoneId::at);
        let zones = zones
            .filter(|zone| model.zone(*zone).seat == Some(seat) && !on_board.contains(zone) && self.is_shown(*zone));
        Strip {
            name: self.board.wording.seat(seat).to_owned(),
            number: seat.0,
            played_by: self.played_by.get(seat.index()).cloned().flatten(),
            is_own: self.own == Some(seat),
            is_asked: self.asked == Some(seat),
            is_active: self.board.view.active() == Some(seat),
            marks: marks::of_seat(seat),
            values: team.into_iter().chain(values).collect(),
            zones: zones.map(|zone| self.place(zone, self.title_of_own(zone))).collect(),
        }
    }

    /// The title of a zone beside its owner's name.
    fn title_of_own(&self, zone: ZoneId) -> String {
        let family = self.board.view.model().family_of(zone).name.get(self.language);
        let read = self.board.wording.zone_read(zone);
        if read == family { read } else { format!("{family} {read}") }
    }

    /// Whether a zone of a seat lies on the board: everybody sees what it holds, and that is more than tokens and dice. Decided by the
    /// declaration alone, so that neither a secret nor the number of pieces moves a zone from one region to another.
    fn is_open(&self, zone: ZoneId) -> bool {
        let family = self.board.view.model().family_of(zone);
        let is_seen = family.face_up || family.seen_by == SeenBy::Everybody;
        family.shape.is_grid() || is_seen && self.takes_cards(family)
    }

    /// Whether cards or tiles may lie in the zones of a family.
    fn takes_cards(&self, family: &Family) -> bool {
        let model = self.board.view.model();
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

    /// The open zones of each seat, in the order of seating.
    fn tableaus(&self, taken: &mut BTreeSet<ZoneId>) -> Vec<Group> {
        let model = self.board.view.model();
        let mut groups = Vec::new();
        for seat in model.all_seats() {
            let own = (1..model.zones.len()).map(ZoneId::at).filter(|zone| model.zone(*zone).seat == Some(seat));
            let open: Vec<ZoneId> = own.filter(|zone| !taken.contains(zone) && self.is_open(*zone)).collect();
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

    /// Whether a zone is drawn: it has something in it, or several spaces, or is offered.
    fn is_shown(&self, zone: ZoneId) -> bool {
        let model = self.board.view.model();
        let (family, found) = (model.family_of(zone), model.zone(zone));
        let is_offered = || {
            self.offered.contains(&marks::of_zone(zone))
                || found.spaces.clone().any(|space| self.offered.contains(&marks::of_space(SpaceId(space))))
        };
        let is_filled = || {
            found.spaces.len() > 1 && (found.seat.is_none() || !family.printed.is_empty())
                || self.board.view.count(zone) > 0
        };
        family.over.is_none() && (is_offered() || self.board.is_shown(zone) && is_filled())
    }

    /// Lays out what lies on the board.
    fn lay_out_board(&self) -> Layout {
        let model = self.board.view.model();
        let mut zones: BTreeSet<ZoneId> = BTreeSet::new();
        let mut loose: Vec<Group> = Vec::new();
        let mut alike: BTreeMap<BTreeSet<FamilyId>, Vec<Group>> = BTreeMap::new();
        for zone in (1..model.zones.len()).map(ZoneId::at) {
            let found = model.zone(zone);
            let is_common = found.seat.is_none() || self.stands_for(zone).is_some();
            if zones.contains(&zone) || !is_common {
                continue;
            }
            let together = self.together(zone);
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
        Layout { loose, rows, zones }
    }

    /// The component that a zone stands for, where several sorts of zones stand for it.
    fn stands_for(&self, zone: ZoneId) -> Option<ComponentId> {
        let model = self.board.view.model();
        let of = model.zone(zone).of?;
        let kind = model.component(of).kind;
        let families = model.families.iter().filter(|family| family.per.contains(&Per::Kind(kind)));
        (families.count() > 1).then_some(of)
    }

    /// The zones that belong to the same thing: for one component, with one label, or of one declaration.
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
            (Some(wording.component(of).to_owned()), marks::of_component(of), titles)
        } else if is_one_family && family.zones.len() > 1 {
            (Some(name(first)), String::new(), zones.iter().map(|zone| wording.zone_read(*zone)).collect())
        } else if zones.len() > 1 {
            (Some(wording.zone_name(first)), String::new(), zones.iter().map(|zone| name(*zone)).collect())
        } else {
            (None, String::new(), zones.iter().map(|zone| wording.zone_name(*zone)).collect())
        };
        let zones = zones.iter().zip(titles).map(|(zone, title)| self.place(*zone, title)).collect();
        Group::new(title, None, marks, zones)
    }

    fn place(&self, zone: ZoneId, title: String) -> Place {
        let model = self.board.view.model();
        let (found, family) = (model.zone(zone), model.family_of(zone));
        let shape = match family.shape {
            Shape::Grid | Shape::Hex(_) => "grid",
            _ if found.spaces.len() > 1 => "track",
            Shape::Hand => "hand",
            Shape::Bag => "bag",
            _ => "pile",
        };
        let drawing = (shape == "grid").then(|| {
            let picture = self.pictures.iter().find(|picture| picture.zone == zone);
            let Self { board, offered, drawing, .. } = self;
            Grid { board, zone, picture, offered, drawing: *drawing }.svg()
        });
        let is_drawn = drawing.is_some();
        let spaces = found.spaces.clone().map(SpaceId).filter(|_| !is_drawn);
        let first_label = |first: SpaceId| self.board.wording.space_read(first);
        let mut own = vec![marks::of_zone(zone)];
        if found.spaces.len() == 1 {
            own.push(marks::of_space(found.space()));
            own.extend(found.of.filter(|_| self.stands_for(zone).is_none()).map(marks::of_component));
        }
        let spots: Vec<Spot> = spaces.clone().map(|space| self.spot(zone, space, shape)).collect();
        let is_short = |spot: &Spot| spot.label.chars().count() <= SHORT_LABEL && spot.facts.is_empty();
        Place {
            title,
            shape,
            is_held: family.shape == Shape::Hand && !self.is_open(zone),
            is_line: shape == "track"
                && family.shape == Shape::Row
                && spots.iter().all(is_short)
                && (family.accepts.is_empty() || !self.takes_cards(family)),
            marks: own.join(" "),
            count: self.board.view.count(zone),
            drawing,
            around_to: spaces
                .clone()
                .next()
                .filter(|_| family.shape == Shape::Ring && shape == "track")
                .map(first_label),
            spaces: spots,
        }
    }

    fn spot(&self, zone: ZoneId, space: SpaceId, shape: &str) -> Spot {
        let model = self.board.view.model();
        let label = if shape == "track" { self.board.wording.space_read(space) } else { String::new() };
        let first = model.zone(zone).spaces.start;
        let own = model.zone(zone).family;
        let over = (0..model.zones.len()).map(ZoneId::at).filter(|other| {
            let (found, family) = (model.zone(*other), model.family_of(*other));
            family.over == Some(own)
                && found.components().eq(model.zone(zone).components())
                && found.spaces.len() == model.zone(zone).spaces.len()
        });
        let over = over.map(|other| SpaceId(model.zone(other).spaces.start + space.0 - first));
        let mut spot = Spot {
            label,
            marks: if shape == "track" { marks::of_space(space) } else { String::new() },
            pieces: Vec::new(),
            hidden: 0,
            hidden_marks: marks::of_hidden(space),
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

    /// What is printed on a space beside what people read it by.
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

    /// The pieces of a space: of a pile the topmost first, of anything else as they are sorted; alike ones together.
    fn pieces(&self, space: SpaceId, shape: &str, spot: &mut Spot) {
        let view = &self.board.view;
        let seen = view.seen(space);
        let unseen = view.height(space) - seen.len();
        let places: Vec<(usize, &Seen<'_>)> = seen.iter().enumerate().collect();
        let in_order: Vec<_> = if shape == "pile" { places.into_iter().rev().collect() } else { places };
        for (place, one) in in_order {
            if one.face.is_none() && shape == "pile" {
                // What lies hidden in a pile is a number.
                spot.hidden += 1;
                spot.is_top_hidden |= spot.hidden == 1 && spot.pieces.is_empty();
                spot.hidden_marks.push(' ');
                spot.hidden_marks.push_str(&marks::of_piece(space, one, Some(place)));
                self.hide(one.back, None, spot);
                continue;
            }
            let drawn = self.drawn(one, space, place);
            let same = |other: &&mut Drawn| {
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
        if shape == "pile" || unseen > FANNED {
            spot.hidden += unseen;
            self.hide(&back, Some(note).filter(|note| !note.is_empty()), spot);
            return;
        }
        let marks = marks::of_hidden(space);
        let back = self.drawing.back(&back);
        let hidden = || Drawn { piece: None, back: back.clone(), marks: marks.clone(), count: 1, note: note.clone() };
        spot.pieces.extend((0..unseen).map(|_| hidden()));
    }

    /// Of what is shown by its number: the back of the first, and what is known of any.
    fn hide(&self, back: &str, known: Option<String>, spot: &mut Spot) {
        if spot.back.is_empty() {
            spot.back = self.drawing.back(back);
        }
        note(known, self.board.comma(), &mut spot.hidden_note);
    }

    /// The back of everything that may come to lie on a space, where there is but one.
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

    /// What is known of the pieces of a space that have no place: what each of them may be, and what is among them.
    fn among(&self, space: SpaceId) -> String {
        let hidden = self.board.view.hidden(space);
        let names: Vec<String> = hidden.among.iter().map(|face| self.board.named(*face, None)).collect();
        let among = (!names.is_empty()).then(|| names.join(self.board.comma()));
        let may_be = self.board.one_of(&hidden.others);
        may_be.into_iter().chain(among).collect::<Vec<_>>().join(self.board.comma())
    }

    fn drawn(&self, one: &Seen<'_>, space: SpaceId, place: usize) -> Drawn {
        let piece = one.face.map(|(component, owner)| self.drawing.piece(component, owner, one.turned));
        let mut marks = vec![marks::of_piece(space, one, Some(place))];
        marks.extend(one.face.map(|(component, _)| marks::of_component(component)));
        let values = self.board.values_of_piece(space, place);
        let may_be = self.board.one_of(&self.board.view.may_be(space, place));
        let facts = may_be.into_iter().chain(Some(values).filter(|values| !values.is_empty()));
        let note = facts.collect::<Vec<_>>().join(self.board.comma());
        let back = if piece.is_none() { self.drawing.back(one.back) } else { String::new() };
        Drawn { piece, back, marks: marks.join(" "), count: 1, note }
    }

    /// The values that are spaces and are drawn where they are.
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

    /// What stands on a space as a value.
    fn pins(&self, space: SpaceId) -> Vec<Pin> {
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
                        Pin { name: self.board.wording.seat(seat).to_owned(), color: 0, seat: Some(seat.0), is_own }
                    }
                    Holder::Component(component) => Pin {
                        name: self.board.wording.component(component).to_owned(),
                        color: color_of(model, component),
                        seat: None,
                        is_own: model.zone(model.space(space).zone).of == Some(component),
                    },
                    _ => Pin { name: self.board.name_of(id), color: id.index() % COLORS, seat: None, is_own: false },
                });
            }
        }
        pins
    }
}

/// Notes what is known, if anything is, beside what is noted.
fn note(known: Option<String>, comma: &str, noted: &mut String) {
    if let Some(known) = known {
        if !noted.is_empty() {
            noted.push_str(comma);
        }
        noted.push_str(&known);
    }
}

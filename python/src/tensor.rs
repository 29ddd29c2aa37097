//! Observations and options as vectors of numbers for machine learning.
//!
//! The layout of a vector depends only on the model: the same game with the same number of players and the same options has the same
//! layout. Seats and their zones and values are listed in turn order, starting from the viewing seat. A vector contains only information
//! that the seat sees or remembers, and no conclusions derived from it.

use parlour::decision::Choice;
use parlour::model::{
    BOX, Component, ComponentId, FamilyId, FieldId, FieldValue, Model, Owner, PieceId, Seat, SpaceId, Value, ValueId,
    ValueType, ZoneId,
};
use parlour::session::Session;
use parlour::table::{Holder, Member, View};
use std::sync::Arc;

/// Maximum number of indices that are one-hot encoded. If there are more, each index is encoded in binary digits.
const MAX_APART: usize = 64;

/// Maximum number of spaces times faces of a zone in which each space has a count for every face. In larger zones, each space encodes only
/// its topmost piece.
const MAX_OF_A_ZONE: usize = 2048;

/// Maximum length of the encoding of a list whose entries are encoded separately. In longer lists, the encodings of the entries are added
/// up.
const MAX_OF_A_LIST: usize = 256;

/// Maximum number of floats in the rows of all options of a decision, 256 MB.
const MAX_ROW_NUMBERS: usize = 1 << 26;

/// Number of positions in an option's vector for the numbers of the option. Further numbers are added to the last position.
const NUMBERS: usize = 4;

/// Number of hash buckets for words that the rules use.
const WORDS: usize = 32;

/// Number of positions in an option's vector for spaces, and for components. Further ones are added to the last position.
const PLACES: usize = 2;

/// Encoding of an index below this count.
#[derive(Clone, Copy)]
struct Code(usize);

impl Code {
    /// Returns the length of the encoding.
    const fn width(self) -> usize {
        if self.0 <= MAX_APART { self.0 } else { (usize::BITS - self.0.leading_zeros()) as usize }
    }

    /// Adds the encoding of the index `at`.
    fn put(self, at: usize, into: &mut [f32]) {
        if self.0 <= MAX_APART {
            into[at] += 1.0;
        } else {
            for (digit, number) in into.iter_mut().enumerate().take(self.width()) {
                *number += ((at + 1) >> digit & 1) as f32;
            }
        }
    }
}

/// Component and, if each seat has its own copy, the distance of the copy's seat from the viewing seat.
type Face = (ComponentId, Option<u8>);

/// Layout of the zones of a family.
struct FamilyRow {
    family: FamilyId,
    spaces: usize,
    faces: Vec<Face>,
    /// Index in `faces` of the first face of each component.
    face_of: Vec<Option<u16>>,
    /// Values of the pieces that may lie in these zones.
    values: Vec<ValueId>,
    /// Whether the zones exceed [`MAX_OF_A_ZONE`]. If so, each zone has one count for each face, and each space encodes the index of its
    /// topmost face.
    is_wide: bool,
}

impl FamilyRow {
    fn of(model: &Model, family: FamilyId) -> Option<Self> {
        let zones = model.family(family).zones.clone();
        let first = ZoneId(zones.start);
        if zones.is_empty() {
            return None;
        }
        let mut faces = Vec::new();
        let mut face_of = vec![None; model.components.len()];
        for (at, component) in model.components.iter().enumerate() {
            let id = ComponentId::at(at);
            if !model.accepts(first, id) {
                continue;
            }
            face_of[at] = Some(faces.len() as u16);
            if component.each_seat {
                faces.extend((0..model.seats).map(|ahead| (id, Some(ahead))));
            } else {
                faces.push((id, None));
            }
        }
        let spaces = model.zone(first).spaces.len();
        let is_here = |value: &Value| match value.owner {
            Owner::Piece(None) => true,
            Owner::Piece(Some(kind)) => faces.iter().any(|(component, _)| model.component(*component).kind == kind),
            _ => false,
        };
        let values = (0..model.values.len()).map(ValueId::at).filter(|id| is_here(model.value(*id))).collect();
        let is_wide = spaces * faces.len() > MAX_OF_A_ZONE;
        Some(Self { family, spaces, faces, face_of, values, is_wide })
    }

    fn code(&self) -> Code {
        Code(self.faces.len())
    }

    /// Returns the length of the encoding of one space.
    fn space_width(&self) -> usize {
        let faces = if self.is_wide { self.code().width() } else { self.faces.len() };
        3 + faces + self.values.len()
    }

    /// Returns the length of the encoding of one zone.
    fn width(&self) -> usize {
        let faces = if self.is_wide { self.faces.len() } else { 0 };
        faces + self.spaces * self.space_width()
    }

    /// Returns the index in `faces` of a component and its owner; `None` if the component cannot lie in these zones.
    fn face(&self, (component, owner): (ComponentId, Option<Seat>), looks: Looks) -> Option<usize> {
        let first = usize::from(self.face_of[component.index()]?);
        let ahead = owner.map_or(0, |owner| looks.ahead(owner));
        let is_of_seats = self.faces[first].1.is_some();
        Some(first + if is_of_seats { ahead } else { 0 })
    }
}

/// Viewing seat, and number of seats.
#[derive(Clone, Copy)]
struct Looks {
    seat: u8,
    seats: u8,
}

impl Looks {
    /// Returns the distance of a seat from the viewing seat, in turn order.
    fn ahead(self, seat: Seat) -> usize {
        usize::from((seat.0 + self.seats - self.seat) % self.seats)
    }
}

/// Layout of a game's vectors.
pub struct Scheme {
    model: Arc<Model>,
    families: Vec<FamilyRow>,
    /// For each viewing seat, the position of every space. Within a family, zones are ordered by the distance of their seat from the
    /// viewing seat.
    places: Vec<Vec<u16>>,
    /// Fields that are numbers in at least one component.
    fields: Vec<FieldId>,
    values: Vec<ValueId>,
    width: usize,
    option_width: usize,
}

impl Scheme {
    /// Creates the layout for a model.
    pub fn new(model: &Arc<Model>) -> Self {
        let families = (0..model.families.len()).map(FamilyId::at).filter(|id| *model.family(*id).id != *BOX);
        let families = families.filter_map(|id| FamilyRow::of(model, id)).collect();
        let places = (0..model.seats).map(|seat| places(model, Looks { seat, seats: model.seats })).collect();
        let is_number = |field: &FieldId| {
            model.components.iter().any(|one| matches!(one.fields.get(field), Some(FieldValue::Number(_))))
        };
        let fields = (0..model.fields.len()).map(FieldId::at).filter(is_number).collect();
        let is_piece = |id: &ValueId| matches!(model.value(*id).owner, Owner::Piece(_));
        let values = (0..model.values.len()).map(ValueId::at).filter(|id| !is_piece(id)).collect();
        let mut scheme = Self { model: model.clone(), families, places, fields, values, width: 0, option_width: 0 };
        scheme.width = scheme.names().iter().map(|(_, length)| length).sum();
        scheme.option_width = scheme.option_names().iter().map(|(_, length)| length).sum();
        scheme
    }

    /// Returns the length of an observation.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the length of the vector of an option.
    pub const fn option_width(&self) -> usize {
        self.option_width
    }

    /// Returns the names and lengths of the parts of an observation, in order.
    pub fn names(&self) -> Vec<(String, usize)> {
        let model = &self.model;
        let seats = usize::from(model.seats);
        let looks = Looks { seat: 0, seats: model.seats };
        let mut names = vec![
            ("round".to_owned(), 1),
            ("phase".to_owned(), Code(model.phases.len()).width()),
            ("first".to_owned(), seats),
            ("active".to_owned(), seats),
            ("asked".to_owned(), 1),
            ("decision".to_owned(), Code(model.decisions.len()).width()),
            ("picked".to_owned(), 1),
        ];
        for row in &self.families {
            for zone in zones(model, row.family, looks) {
                names.push((named(model, zone), row.width()));
            }
        }
        for id in &self.values {
            let value = model.value(*id);
            let one = self.value_width(value);
            for holder in self.holders(*id, looks) {
                names.push((format!("{}[{}]", value.id, self.holder_name(holder)), one));
            }
        }
        names
    }

    /// Returns the names and lengths of the parts of an option's vector, in order.
    pub fn option_names(&self) -> Vec<(String, usize)> {
        let model = &self.model;
        let seats = usize::from(model.seats);
        let mut names = vec![("pass".to_owned(), 1), ("things".to_owned(), 1)];
        names.extend((1..=NUMBERS).map(|at| (format!("number {at}"), 2)));
        names.extend([("flags".to_owned(), 2), ("words".to_owned(), WORDS), ("seats".to_owned(), seats)]);
        names.push(("zones".to_owned(), Code(model.families.len()).width() + seats));
        names.extend((1..=PLACES).map(|at| (format!("space {at}"), self.spaces().width())));
        for at in 1..=PLACES {
            names.push((format!("component {at}"), self.components().width() + seats));
        }
        names.push(("lies on".to_owned(), self.spaces().width()));
        names.extend(self.fields.iter().map(|field| (format!("printed {}", model.fields[field.index()]), 1)));
        names
    }

    fn spaces(&self) -> Code {
        Code(self.model.spaces.len())
    }

    fn components(&self) -> Code {
        Code(self.model.components.len())
    }

    fn holder_name(&self, holder: Holder) -> String {
        let model = &self.model;
        let member = |member: Member| match member {
            Member::Seat(seat) => ahead_name(usize::from(seat.0)),
            Member::Component(component) => model.component(component).id.to_string(),
        };
        match holder {
            Holder::Game | Holder::Piece(_) => "game".to_owned(),
            Holder::Seat(seat) => member(Member::Seat(seat)),
            Holder::Component(component) => member(Member::Component(component)),
            Holder::Space(space) => {
                let at = model.space(space);
                format!("{}[{}]", named(model, at.zone), at.label)
            }
            Holder::Pair(one, other) => format!("{}, {}", member(one), member(other)),
        }
    }

    /// Returns the length of the encoding of one entry of a value.
    fn entry_width(&self, value: &Value) -> usize {
        match &value.kind {
            ValueType::Number | ValueType::Flag => 1,
            ValueType::Word(words) => Code(words.len()).width(),
            ValueType::Seat => usize::from(self.model.seats),
            ValueType::Component(_) | ValueType::Piece => self.components().width(),
            ValueType::Space(_) => self.spaces().width(),
        }
    }

    /// Returns the length of the encoding of a value: a flag that the value is known, the number of entries if it is a list, and the
    /// entries.
    fn value_width(&self, value: &Value) -> usize {
        let one = self.entry_width(value);
        match value.most {
            None => 1 + one,
            Some(most) if usize::from(most) * one <= MAX_OF_A_LIST => 2 + usize::from(most) * one,
            Some(_) => 2 + one,
        }
    }

    /// Returns the holders of a value, starting with holders that belong to the viewing seat.
    fn holders(&self, id: ValueId, looks: Looks) -> Vec<Holder> {
        let model = &self.model;
        let member = |kind: parlour::model::Party| -> Vec<Member> {
            match kind {
                parlour::model::Party::Seat => seats_from(looks).map(Member::Seat).collect(),
                parlour::model::Party::Component(kind) => {
                    model.kinds[kind.index()].components.iter().copied().map(Member::Component).collect()
                }
            }
        };
        match model.value(id).owner {
            Owner::Game => vec![Holder::Game],
            Owner::Seat => seats_from(looks).map(Holder::Seat).collect(),
            Owner::Component(kind) => {
                model.kinds[kind.index()].components.iter().copied().map(Holder::Component).collect()
            }
            Owner::Space(family) => {
                let zones = zones(model, family, looks);
                let spaces = zones.into_iter().flat_map(|zone| model.zone(zone).spaces.clone());
                spaces.map(|space| Holder::Space(SpaceId(space))).collect()
            }
            Owner::Piece(_) => Vec::new(),
            Owner::Pair(one, other) => {
                let (one, other) = (member(one), member(other));
                let row = |first: &Member| other.iter().map(|second| Holder::Pair(*first, *second)).collect::<Vec<_>>();
                one.iter().flat_map(row).collect()
            }
        }
    }

    /// Appends the observation of a seat to `into`.
    pub fn observe(&self, session: &Session, seat: Seat, into: &mut Vec<f32>) {
        let model = &self.model;
        let looks = Looks { seat: seat.0, seats: model.seats };
        let view = View::memory_without_conclusions(session.table(), Some(seat));
        let begin = into.len();
        into.resize(begin + self.width, 0.0);
        let mut row = Row { numbers: &mut into[begin..], at: 0 };
        row.next(1)[0] = view.round() as f32;
        let phases = Code(model.phases.len());
        let part = row.next(phases.width());
        if let Some(phase) = view.phase() {
            phases.put(phase.index(), part);
        }
        row.next(usize::from(model.seats))[looks.ahead(view.first())] = 1.0;
        let part = row.next(usize::from(model.seats));
        if let Some(active) = view.active() {
            part[looks.ahead(active)] = 1.0;
        }
        // The fact that other seats are asked may be secret, so only the seat's own decision is encoded.
        let own = session.decision().filter(|asked| asked.seat == seat);
        row.next(1)[0] = f32::from(u8::from(own.is_some()));
        let decisions = Code(model.decisions.len());
        let part = row.next(decisions.width());
        if let Some(asked) = own {
            decisions.put(asked.id.index(), part);
        }
        row.next(1)[0] = own.map_or(0, |asked| asked.picked.len()) as f32;
        for family in &self.families {
            for zone in zones(model, family.family, looks) {
                observe_zone(&view, family, zone, looks, row.next(family.width()));
            }
        }
        for id in &self.values {
            let width = self.value_width(model.value(*id));
            for holder in self.holders(*id, looks) {
                self.observe_value(&view, *id, holder, looks, row.next(width));
            }
        }
    }

    fn observe_value(&self, view: &View<'_>, id: ValueId, holder: Holder, looks: Looks, into: &mut [f32]) {
        let value = self.model.value(id);
        let single;
        let raws: &[i64] = if value.is_held() {
            let Some(raws) = view.value_entries(id, holder) else { return };
            raws
        } else {
            let Some(raw) = view.value(id, holder) else { return };
            single = [raw];
            &single
        };
        into[0] = 1.0;
        let one = self.entry_width(value);
        let (first, is_apart) = match value.most {
            None => (1, true),
            Some(most) => {
                into[1] = raws.len() as f32;
                (2, usize::from(most) * one <= MAX_OF_A_LIST)
            }
        };
        for (at, raw) in raws.iter().enumerate() {
            let begin = first + if is_apart { at * one } else { 0 };
            if let Some(part) = into.get_mut(begin..begin + one) {
                self.put_entry(view, value, *raw, looks, part);
            }
        }
    }

    /// Adds one entry of a value to the numbers that encode the value.
    fn put_entry(&self, view: &View<'_>, value: &Value, raw: i64, looks: Looks, into: &mut [f32]) {
        if raw == Value::NOTHING {
            return;
        }
        match &value.kind {
            ValueType::Number | ValueType::Flag => into[0] += raw as f32,
            ValueType::Word(words) => Code(words.len()).put(raw as usize, into),
            ValueType::Seat => into[looks.ahead(Seat(raw as u8))] += 1.0,
            ValueType::Component(_) => self.components().put(raw as usize, into),
            ValueType::Space(_) => self.spaces().put(self.place(looks, SpaceId(raw as u16)), into),
            ValueType::Piece => {
                if let Some((component, _)) = view.referenced_piece(raw).seen.face {
                    self.components().put(component.index(), into);
                }
            }
        }
    }

    /// Returns the position of a space in the order of the viewing seat.
    fn place(&self, looks: Looks, space: SpaceId) -> usize {
        usize::from(self.places[usize::from(looks.seat)][space.index()])
    }

    /// Appends a vector for each option of the open decision to `into`.
    ///
    /// # Errors
    /// Returns a message if there are too many options. A decision may have up to 2^62 of them.
    pub fn options(&self, session: &Session, into: &mut Vec<f32>) -> Result<(), String> {
        let Some(decision) = session.decision() else { return Ok(()) };
        let (count, most) = (decision.count(), MAX_ROW_NUMBERS / self.option_width.max(1));
        if count > most {
            let name = &self.model.decisions[decision.id.index()].id;
            return Err(format!("`{name}` has {count} options, but rows of at most {most} can be made"));
        }
        let looks = Looks { seat: decision.seat.0, seats: self.model.seats };
        let view = View::memory_without_conclusions(session.table(), Some(decision.seat));
        into.reserve(decision.count() * self.option_width);
        for at in 0..decision.count() {
            let begin = into.len();
            into.resize(begin + self.option_width, 0.0);
            self.option(session, &view, &decision.option(at), looks, &mut into[begin..]);
        }
        Ok(())
    }

    /// Fills the vector of one option.
    fn option(&self, session: &Session, view: &View<'_>, choice: &Choice, looks: Looks, into: &mut [f32]) {
        let seats = usize::from(self.model.seats);
        let mut row = Row { numbers: into, at: 0 };
        let mut parts = OptionRow {
            pass: row.range(1),
            things: row.range(1),
            numbers: row.range(2 * NUMBERS),
            flags: row.range(2),
            words: row.range(WORDS),
            seats: row.range(seats),
            zones: row.range(Code(self.model.families.len()).width()),
            zone_seats: row.range(seats),
            spaces: [(); PLACES].map(|()| row.range(self.spaces().width())),
            components: [(); PLACES].map(|()| (row.range(self.components().width()), row.range(seats))),
            lies_on: row.range(self.spaces().width()),
            fields: row.range(self.fields.len()),
            seen: [0; 3],
        };
        let numbers = row.numbers;
        numbers[parts.pass.start] = f32::from(u8::from(*choice == Choice::Nothing));
        choice.each_leaf(&mut |leaf| {
            numbers[parts.things.start] += 1.0;
            self.put_leaf(session, view, leaf, looks, &mut parts, numbers);
        });
    }

    /// Adds the encoding of a part of an option that is not itself composed of parts.
    fn put_leaf(
        &self,
        session: &Session,
        view: &View<'_>,
        leaf: &Choice,
        looks: Looks,
        parts: &mut OptionRow,
        into: &mut [f32],
    ) {
        let model = &self.model;
        match leaf {
            Choice::Nothing | Choice::Parts(_) | Choice::Many(_) => {}
            Choice::Flag(flag) => into[parts.flags.start + usize::from(!flag)] += 1.0,
            Choice::Number(number) => {
                let at = parts.numbers.start + 2 * parts.place(0, NUMBERS);
                into[at] += 1.0;
                into[at + 1] += *number as f32;
            }
            Choice::Word(word) => into[parts.words.start + bucket(word)] += 1.0,
            Choice::Seat(seat) => into[parts.seats.start + looks.ahead(*seat)] += 1.0,
            Choice::Zone(zone) => {
                let zone = model.zone(*zone);
                Code(model.families.len()).put(zone.family.index(), &mut into[parts.zones.clone()]);
                if let Some(seat) = zone.seat {
                    into[parts.zone_seats.start + looks.ahead(seat)] += 1.0;
                }
            }
            Choice::Space(space) => {
                let part = parts.spaces[parts.place(1, PLACES)].clone();
                self.spaces().put(self.place(looks, *space), &mut into[part]);
            }
            Choice::Component(component) => self.put_component(*component, None, looks, parts, into),
            Choice::Piece(piece) => {
                let table = session.table();
                if view.knows(*piece) {
                    self.put_component(table.component(*piece), table.owner(*piece), looks, parts, into);
                }
                let place = self.place(looks, self.lies_on(session, *piece));
                self.spaces().put(place, &mut into[parts.lies_on.clone()]);
            }
        }
    }

    fn lies_on(&self, session: &Session, piece: PieceId) -> SpaceId {
        session.table().space_of(piece)
    }

    /// Adds a component at the next position for components, and adds its number fields.
    fn put_component(
        &self,
        id: ComponentId,
        owner: Option<Seat>,
        looks: Looks,
        parts: &mut OptionRow,
        into: &mut [f32],
    ) {
        let (which, whose) = parts.components[parts.place(2, PLACES)].clone();
        self.components().put(id.index(), &mut into[which]);
        if let Some(owner) = owner {
            into[whose.start + looks.ahead(owner)] += 1.0;
        }
        let component: &Component = self.model.component(id);
        for (at, field) in self.fields.iter().enumerate() {
            if let Some(FieldValue::Number(number)) = component.fields.get(field) {
                into[parts.fields.start + at] += *number as f32;
            }
        }
    }
}

type Range = std::ops::Range<usize>;

/// Ranges of the parts in an option's vector.
struct OptionRow {
    pass: Range,
    things: Range,
    numbers: Range,
    flags: Range,
    words: Range,
    seats: Range,
    zones: Range,
    zone_seats: Range,
    spaces: [Range; PLACES],
    components: [(Range, Range); PLACES],
    lies_on: Range,
    fields: Range,
    /// Counts of the numbers, spaces and components that have been encoded so far.
    seen: [usize; 3],
}

impl OptionRow {
    /// Returns the position for the next item of a kind: a number, a space or a component. There are `places` positions; further items
    /// share the last one.
    fn place(&mut self, sort: usize, places: usize) -> usize {
        self.seen[sort] += 1;
        self.seen[sort].min(places) - 1
    }
}

/// Vector that is filled from the start.
struct Row<'a> {
    numbers: &'a mut [f32],
    at: usize,
}

impl Row<'_> {
    fn range(&mut self, width: usize) -> Range {
        self.at += width;
        self.at - width..self.at
    }

    fn next(&mut self, width: usize) -> &mut [f32] {
        let range = self.range(width);
        &mut self.numbers[range]
    }
}

/// Fills the encoding of one zone.
fn observe_zone(view: &View<'_>, family: &FamilyRow, zone: ZoneId, looks: Looks, into: &mut [f32]) {
    let faces = if family.is_wide { family.faces.len() } else { 0 };
    let (counts, spaces) = into.split_at_mut(faces);
    let width = family.space_width();
    for (space, row) in view.model().zone(zone).spaces.clone().map(SpaceId).zip(spaces.chunks_mut(width)) {
        let height = view.height(space);
        if height == 0 {
            continue;
        }
        row[0] = height as f32;
        let (row, values) = row.split_at_mut(width - family.values.len());
        let seen = view.seen(space);
        for (place, piece) in seen.iter().enumerate() {
            row[1] += f32::from(u8::from(piece.up));
            if place + 1 == seen.len() {
                row[2] = f32::from(piece.turned.unwrap_or_default());
            }
            for (at, id) in family.values.iter().enumerate() {
                let raw = view.piece_value(*id, space, place).filter(|raw| *raw != Value::NOTHING);
                let is_number = matches!(view.model().value(*id).kind, ValueType::Number | ValueType::Flag);
                // Values that are not numbers are shifted by 1, so that the first value differs from an absent value.
                values[at] += raw.map_or(0.0, |raw| raw as f32 + f32::from(u8::from(!is_number)));
            }
            let Some(face) = piece.face.and_then(|face| family.face(face, looks)) else { continue };
            if !family.is_wide {
                row[3 + face] += 1.0;
                continue;
            }
            counts[face] += 1.0;
            if place + 1 == seen.len() {
                family.code().put(face, &mut row[3..]);
            }
        }
    }
}

/// Returns all seats in turn order, starting with the viewing seat.
fn seats_from(looks: Looks) -> impl Iterator<Item = Seat> {
    (0..looks.seats).map(move |ahead| Seat((looks.seat + ahead) % looks.seats))
}

/// Returns the zones of a family, ordered by the distance of their seat from the viewing seat.
fn zones(model: &Model, family: FamilyId, looks: Looks) -> Vec<ZoneId> {
    let mut zones: Vec<ZoneId> = model.family(family).zones.clone().map(ZoneId).collect();
    zones.sort_by_key(|zone| model.zone(*zone).seat.map_or(0, |seat| looks.ahead(seat)));
    zones
}

/// Returns the position of every space. Within a family, zones are ordered by the distance of their seat from the viewing seat.
fn places(model: &Model, looks: Looks) -> Vec<u16> {
    let families = (0..model.families.len()).map(FamilyId::at);
    let spaces = families.flat_map(|family| zones(model, family, looks));
    let spaces = spaces.flat_map(|zone| model.zone(zone).spaces.clone());
    let mut places = vec![0; model.spaces.len()];
    spaces.enumerate().for_each(|(place, space)| places[usize::from(space)] = place as u16);
    places
}

/// Returns the name of a zone. A seat's zone is named after the distance of the seat from the first seat.
fn named(model: &Model, zone: ZoneId) -> String {
    let zone = model.zone(zone);
    match zone.seat {
        Some(seat) => format!("{} of {}", zone.path, ahead_name(usize::from(seat.0))),
        None => zone.path.to_string(),
    }
}

/// Returns the name of a seat by its distance from the viewing seat.
fn ahead_name(ahead: usize) -> String {
    if ahead == 0 { "you".to_owned() } else { format!("seat +{ahead}") }
}

/// Returns the hash bucket of a word. Uses the FNV-1a hash (Fowler, Noll and Vo), which is the same in every version.
fn bucket(word: &str) -> usize {
    let hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) as usize % WORDS
}

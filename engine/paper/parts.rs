//! Printed parts that a game needs besides its pieces and boards: markers, money, tracks, forms, player mats, and dice to fold.
//!
//! Most parts record the values of the game. They are derived from the declarations of the values. The key `paper` of a value overrides the
//! default choice.

use super::board::{is_board, shared_zone_name};
use super::canvas::{Canvas, HEAD, heading, room};
use super::drawn::{self, is_drawn};
use super::layout::{Area, Tenths, tenths};
use super::order::Order;
use crate::faces::{Face, Faces, Size, color_of, seat_color};
use crate::model::{
    ComponentId, Family, KindId, Model, OnPaper, Op, Owner, Per, Seat, Shape, Value, ValueType, ZoneId,
};
use crate::phrases::{Paper as PaperPhrases, Phrases, filled};
use crate::wording::{Svg, Wording, escaped};
use std::fmt::{Display, Write as _};

/// Size of markers in millimeters.
const MARKER: Size = Size { width: 16, height: 16 };
/// Size of banknotes in millimeters.
const NOTE: Size = Size { width: 60, height: 30 };

/// Side of a track's spaces.
const SPACE: Tenths = 180;
/// Side of the faces of a die to be folded.
const DIE: Tenths = 180;
/// Width of the tabs with which a folded die is glued.
const TAB: Tenths = 45;

/// Maximum number of spaces of a track. Larger numbers start over at the beginning of the track.
const LAP: i64 = 100;

/// Maximum number of holders of a value that is recorded with markers. If there are more holders, their values are written down.
const MAX_HOLDERS: usize = 12;

/// Number of counters printed for a number or flag that belongs to pieces. Also the minimum number of copies of each piece of money.
const COUNTERS: usize = 12;

/// Denominations of money, each with the number of notes per player.
const DENOMINATIONS: [(i64, usize); 8] = [(1, 5), (5, 3), (10, 5), (50, 2), (100, 2), (500, 2), (1_000, 2), (5_000, 2)];

/// Minimum height of a place on a mat. It leaves room for the upper part of a card.
const LEAST_PLACE: Tenths = 350;

/// Number of faces of a cube.
const CUBE: usize = 6;

/// Width and height of the field in which a value is written down.
const FIELD: (Tenths, Tenths) = (380, 160);

/// A printed piece that the game's files do not declare.
pub(super) struct Part {
    /// Key in manifests.
    pub(super) key: String,
    /// Display name.
    pub(super) name: String,
    /// Number of copies.
    pub(super) count: usize,
    /// Face of the piece. The other side is blank.
    pub(super) face: Face,
}

/// Printed parts that a game needs besides its pieces and boards.
#[derive(Default)]
pub(super) struct Parts {
    /// Pieces to cut out.
    pub(super) pieces: Vec<Part>,
    /// Tracks, forms, mats and dice.
    pub(super) canvases: Vec<Canvas>,
    /// Sentences about components that cannot be printed and have to be taken from elsewhere.
    pub(super) to_take: Vec<String>,
}

/// Way of recording a value on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Means {
    /// The value is not recorded.
    Nothing,
    /// Pieces of a kind that the game declares as money; printed banknotes for `None`.
    Money(Option<KindId>),
    /// A track with a marker for each holder. The fields are the first and the last number.
    Track(i64, i64),
    /// A row of words with a marker for each holder.
    Words,
    /// A marker for each holder. It lies where the value says; for a flag, it is present or absent.
    Marker,
    /// Counters on pieces.
    Counters,
    /// A form on which the value is written down.
    Written,
}

/// Holder of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Game,
    Seat(Seat),
    Component(ComponentId),
}

/// Returns the printed parts that a game needs besides its pieces and boards.
pub(super) fn parts(model: &Model, wording: &Wording, faces: &Faces, order: &Order) -> Parts {
    let maker = Maker { model, wording, faces, order, paper: &Phrases::for_language(order.language).paper };
    let mut parts = Parts::default();
    maker.round(&mut parts);
    for value in &model.values {
        maker.value(value, &mut parts);
    }
    maker.dice(&mut parts);
    for seat in model.all_seats() {
        parts.canvases.extend(drawn::mat(model, faces, seat, &maker.mat_title(seat), order));
        parts.canvases.extend(maker.make_mat(seat));
    }
    parts
}

struct Maker<'a> {
    model: &'a Model,
    wording: &'a Wording,
    faces: &'a Faces,
    order: &'a Order,
    paper: &'static PaperPhrases,
}

impl Maker<'_> {
    /// Makes the round track with its marker, and the token of the first player.
    fn round(&self, parts: &mut Parts) {
        let flow = &self.model.flow;
        let by_players = self.order.rounds();
        let most = by_players.iter().map(|(_, rounds)| *rounds).chain(flow.rounds).max();
        let is_played = flow.ops.iter().any(|op| matches!(op, Op::Call(_)));
        if self.model.seats > 1 && is_played {
            let face = marker("1", self.paper.first_player, 13);
            parts.pieces.push(Part {
                key: "marker/first".to_owned(),
                name: self.paper.first_player.to_owned(),
                count: 1,
                face,
            });
        }
        let Some(most) = most.filter(|most| (2..=LAP).contains(most)) else { return };
        let title = self.paper.round_track;
        let spaces: Vec<(String, String)> = (1..=most)
            .map(|round| {
                let last: Vec<String> = by_players
                    .iter()
                    .filter(|(_, rounds)| *rounds == round)
                    .map(|(players, _)| players.to_string())
                    .collect();
                let is_same = by_players.windows(2).all(|two| two[0].1 == two[1].1);
                let players = last.join(self.wording.comma());
                let last = !last.is_empty() && !is_same;
                (
                    round.to_string(),
                    if last { filled(self.paper.last_round, &[("players", &players)]) } else { String::new() },
                )
            })
            .collect();
        parts.canvases.push(self.make_track("round", title, &spaces));
        let face = marker("", self.paper.round_marker, 14);
        parts.pieces.push(Part {
            key: "marker/round".to_owned(),
            name: self.paper.round_marker.to_owned(),
            count: 1,
            face,
        });
    }

    /// Makes the parts that record a value.
    fn value(&self, value: &Value, parts: &mut Parts) {
        let (id, name) = (&value.id, value.name.get(self.order.language));
        let holders = self.holders(value);
        match self.choose_means(value) {
            Means::Nothing => {}
            Means::Money(kind) => self.add_money(value, kind, parts),
            Means::Track(first, last) => {
                let laps = last.saturating_sub(first) >= LAP;
                let last = last.min(first.saturating_add(LAP - 1));
                let spaces: Vec<(String, String)> =
                    (first..=last).map(|number| (number.to_string(), String::new())).collect();
                let title = if laps {
                    filled(self.paper.lap_track, &[("value", &name), ("last", &last)])
                } else {
                    name.to_owned()
                };
                parts.canvases.push(self.make_track(&format!("track-{id}"), &title, &spaces));
                self.markers(value, &holders, parts);
            }
            Means::Words => {
                let ValueType::Word(words) = &value.kind else { return };
                let spaces: Vec<(String, String)> =
                    words.iter().map(|word| (self.wording.named_word(word), String::new())).collect();
                parts.canvases.push(self.make_track(&format!("track-{id}"), name, &spaces));
                self.markers(value, &holders, parts);
            }
            Means::Marker => self.markers(value, &holders, parts),
            Means::Counters => {
                let face = marker("", name, 4);
                parts.pieces.push(Part { key: format!("counter/{id}"), name: name.to_owned(), count: COUNTERS, face });
            }
            Means::Written => parts.canvases.push(self.form(value, &holders)),
        }
    }

    /// Chooses how a value is recorded on paper.
    fn choose_means(&self, value: &Value) -> Means {
        let (least, most) = (value.min.unwrap_or(0).min(value.start), value.max);
        let track = || Means::Track(least, most.unwrap_or(least.saturating_add(LAP)));
        let number = self.holders(value).len();
        match value.on_paper {
            Some(OnPaper::Nothing) => return Means::Nothing,
            Some(OnPaper::Money(kind)) => return Means::Money(kind),
            Some(OnPaper::Track) => return track(),
            Some(OnPaper::Written) => return Means::Written,
            None if value.is_quiet || !value.is_shown => return Means::Nothing,
            None => {}
        }
        if value.most.is_some() || matches!(value.owner, Owner::Pair(..) | Owner::Space(_)) {
            return Means::Written;
        }
        match (&value.kind, value.owner) {
            (ValueType::Number | ValueType::Flag, Owner::Piece(_)) => Means::Counters,
            (_, Owner::Piece(_)) => Means::Nothing,
            _ if number > MAX_HOLDERS => Means::Written,
            (ValueType::Number, _) => track(),
            (ValueType::Word(_), _) => Means::Words,
            _ => Means::Marker,
        }
    }

    fn holders(&self, value: &Value) -> Vec<Holder> {
        match value.owner {
            Owner::Game => vec![Holder::Game],
            Owner::Seat | Owner::Pair(crate::model::Party::Seat, _) => {
                self.model.all_seats().map(Holder::Seat).collect()
            }
            Owner::Component(kind) | Owner::Pair(crate::model::Party::Component(kind), _) => {
                self.model.kinds[kind.index()].components.iter().copied().map(Holder::Component).collect()
            }
            Owner::Piece(_) | Owner::Space(_) => Vec::new(),
        }
    }

    /// Returns the symbol, the name and the color of a holder.
    fn holder(&self, value: &Value, holder: Holder) -> (String, String, usize) {
        let name = value.name.get(self.order.language).to_owned();
        match holder {
            Holder::Game => (String::new(), name, 13),
            Holder::Seat(seat) => (seat.number().to_string(), name, seat_color(self.model, seat)),
            Holder::Component(id) => (String::new(), self.wording.component(id).to_owned(), color_of(self.model, id)),
        }
    }

    /// Makes a marker for each holder of a value.
    fn markers(&self, value: &Value, holders: &[Holder], parts: &mut Parts) {
        for (at, holder) in holders.iter().enumerate() {
            let (symbol, name, tint) = self.holder(value, *holder);
            let own = value.name.get(self.order.language);
            let called = match holder {
                Holder::Game => own.to_owned(),
                Holder::Seat(seat) => self.wording.remarked(own, self.wording.seat(*seat)),
                Holder::Component(_) => self.wording.remarked(own, &name),
            };
            let key = format!("marker/{}/{}", value.id, at + 1);
            parts.pieces.push(Part { key, name: called, count: 1, face: marker(&symbol, &name, tint) });
        }
    }

    /// Makes the money for a value: banknotes or, if `kind` is given, copies of the kind's components that have no pieces in the box.
    fn add_money(&self, value: &Value, kind: Option<KindId>, parts: &mut Parts) {
        let seats = usize::from(self.model.seats);
        let name = value.name.get(self.order.language);
        if let Some(kind) = kind {
            for id in &self.model.kinds[kind.index()].components {
                let component = self.model.component(*id);
                if component.count == 0 {
                    let (key, name) =
                        (format!("money/{}", component.id), component.name.get(self.order.language).to_owned());
                    parts.pieces.push(Part {
                        key,
                        name,
                        count: COUNTERS.max(4 * seats),
                        face: self.faces.front(*id, None).clone(),
                    });
                }
            }
            return;
        }
        let most = value.start.saturating_mul(2).max(LAP);
        for (at, (denomination, each)) in DENOMINATIONS.iter().filter(|(one, _)| *one <= most).enumerate() {
            let long = if *denomination >= 100 { " long" } else { "" };
            let html = format!(
                "<div class=\"face note tint-{}{long}\"><div class=\"in\"><b>{denomination}</b><span>{}</span><b>{denomination}</b></div></div>",
                [2, 0, 1, 3, 5, 6, 8, 9][at],
                escaped(name)
            );
            let face = Face { html, size: NOTE, pictures: Vec::new(), edge: None };
            let (key, name) = (format!("money/{}/{denomination}", value.id), format!("{name} {denomination}"));
            parts.pieces.push(Part { key, name, count: each * seats, face });
        }
    }

    /// Makes a track: a row of spaces that is wrapped at the width of the sheet.
    fn make_track(&self, name: &str, title: &str, spaces: &[(String, String)]) -> Canvas {
        let across = (room(self.order.paper).0 / SPACE).min(10) as usize;
        let rows = spaces.len().div_ceil(across).max(1);
        // Tracks of 100 or more spaces have full rows of ten, so that numbers with the same tens are in one row. The spaces of shorter
        // tracks are divided evenly among the rows.
        let columns = if spaces.len() >= LAP as usize { across } else { spaces.len().div_ceil(rows).max(1) };
        let mut html = heading(title);
        for (at, (text, note)) in spaces.iter().enumerate() {
            let (column, row) = ((at % columns) as Tenths, (at / columns) as Tenths);
            let letters = if text.chars().count() > 4 { 26 } else { 60 };
            let area = Area { left: column * SPACE, top: HEAD + row * SPACE, width: SPACE, height: SPACE };
            let _ = writeln!(
                html,
                "<div class=\"space\" style=\"{};font-size:{}mm\"><span class=\"big\">{}</span><span class=\"note\">{}</span></div>",
                area.style(),
                tenths(letters),
                escaped(text),
                escaped(note)
            );
        }
        let rows = spaces.len().div_ceil(columns).max(1) as Tenths;
        Canvas {
            name: name.to_owned(),
            title: title.to_owned(),
            html,
            size: (columns as Tenths * SPACE, HEAD + rows * SPACE),
            picture: None,
        }
    }

    /// Makes a form with a field for each holder of a value.
    fn form(&self, value: &Value, holders: &[Holder]) -> Canvas {
        let (wide, high) = FIELD;
        let across = (room(self.order.paper).0 / wide).max(1);
        let title = value.name.get(self.order.language);
        let names: Vec<String> = holders
            .iter()
            .map(|holder| match holder {
                Holder::Game => String::new(),
                Holder::Seat(seat) => self.wording.seat(*seat).to_owned(),
                Holder::Component(id) => self.wording.component(*id).to_owned(),
            })
            .collect();
        let names = if names.is_empty() { vec![String::new()] } else { names };
        let mut html = heading(title);
        for (at, name) in names.iter().enumerate() {
            let (column, row) = (at as Tenths % across, at as Tenths / across);
            let area = Area { left: column * wide, top: HEAD + row * high, width: wide, height: high };
            let _ = writeln!(
                html,
                "<div class=\"space field\" style=\"{}\"><span class=\"label\">{}</span></div>",
                area.style(),
                escaped(name)
            );
        }
        let rows = (names.len() as Tenths).div_ceil(across);
        let columns = across.min(names.len() as Tenths);
        Canvas {
            name: format!("form-{}", value.id),
            title: title.to_owned(),
            html,
            size: (columns * wide, HEAD + rows * high),
            picture: None,
        }
    }

    /// Makes nets of the dice in the box, for folding. A die whose number of faces does not divide six is added to `to_take` instead.
    fn dice(&self, parts: &mut Parts) {
        for (at, component) in self.model.components.iter().enumerate() {
            let id = ComponentId::at(at);
            let number = self.model.pieces.iter().filter(|piece| piece.component == id).count();
            if number == 0 || component.faces.is_empty() {
                continue;
            }
            let name = component.name.get(self.order.language);
            let faces: Vec<String> = component.faces.iter().map(|face| self.wording.field(face)).collect();
            if !CUBE.is_multiple_of(faces.len()) {
                let shown = faces.join(self.wording.comma());
                let values: [(&str, &dyn Display); 4] =
                    [("count", &number), ("name", &name), ("sides", &faces.len()), ("faces", &shown)];
                parts.to_take.push(filled(self.paper.take_dice, &values));
                continue;
            }
            let tint = color_of(self.model, id);
            for (copy, count) in dice_on_sheets(number) {
                parts.canvases.push(dice_net(&format!("die-{}-{copy}", component.id), name, &faces, tint, count));
            }
        }
    }

    /// Returns the title of a player's mat.
    fn mat_title(&self, seat: Seat) -> String {
        let values: [(&str, &dyn Display); 2] = [("what", &self.paper.mat), ("seat", &self.wording.seat(seat))];
        filled(self.paper.one_a_player, &values)
    }

    /// Makes the mat of a player, with a place for each zone for which [`is_on_mat`](Self::is_on_mat) holds. Returns `None` if there is no
    /// such zone.
    fn make_mat(&self, seat: Seat) -> Option<Canvas> {
        let zones =
            (0..self.model.zones.len()).map(ZoneId::at).filter(|zone| self.model.zone(*zone).seat == Some(seat));
        let places: Vec<(String, Place)> = zones
            .filter(|zone| self.is_on_mat(self.model.family_of(*zone)))
            .map(|zone| (shared_zone_name(self.model, self.wording, self.model.zone(zone)), self.place(zone)))
            .collect();
        if places.is_empty() {
            return None;
        }
        // Mats are printed in landscape, so their width is the height of the sheet.
        let (high, wide) = room(self.order.paper);
        let (gap, head) = (50, 60);
        let title = self.wording.seat(seat).to_owned();
        let rows = mat_rows(&places, wide, gap);
        let row_height =
            |row: &Vec<&(String, Place)>| row.iter().map(|(_, place)| place.height + head).max().unwrap_or(0);
        let whole = HEAD + gap + rows.iter().map(|row| row_height(row) + gap).sum::<Tenths>();
        // If the rows do not fit on a sheet, places are made lower than cards. Cards then extend below their places.
        let number = rows.len() as Tenths;
        let low = high.saturating_sub(HEAD + gap * (number + 1)) / number.max(1);
        let is_low = whole > high && low >= LEAST_PLACE;
        let mut html = String::new();
        let mut y = HEAD + gap;
        for row in &rows {
            let mut x = gap;
            for (name, place) in row {
                let width = place.width.min(wide - 2 * gap);
                let height = if is_low { low.min(place.height + head) } else { place.height + head };
                let area = Area { left: x, top: y, width, height };
                let _ = writeln!(
                    html,
                    "<div class=\"place\" style=\"{}\"><b>{}</b>{}</div>",
                    area.style(),
                    escaped(name),
                    if is_low { String::new() } else { outlines(place, head) }
                );
                x += width + gap;
            }
            y += gap + if is_low { low } else { row_height(row) };
        }
        let height = y;
        let tint = seat_color(self.model, seat);
        let html = format!(
            "<div class=\"mat tinted tint-{tint}\" style=\"width:{}mm;height:{}mm\">{}{html}</div>",
            tenths(wide),
            tenths(height),
            heading(&title)
        );
        let title = self.mat_title(seat);
        Some(Canvas { name: format!("mat-{}", seat.number()), title, html, size: (wide, height), picture: None })
    }

    /// Returns whether the zones of a family have a place on the printed mat of a player. These are the zones of seats that are shown and
    /// lie on no other zone, except the hand `hand`, bags, grids, printed boards, and zones that the author has drawn.
    fn is_on_mat(&self, family: &Family) -> bool {
        let is_hand = family.shape == Shape::Hand && *family.id == *"hand";
        family.is_shown
            && family.per.contains(&Per::Seat)
            && family.over.is_none()
            && !is_hand
            && family.shape != Shape::Bag
            && !family.shape.is_grid()
            && !is_board(self.model, self.faces, family)
            && !is_drawn(self.model, self.faces, family)
    }

    /// Returns the place of a zone on a mat. Each space has room for the largest piece that the zone accepts. If a hand holds only small
    /// pieces, its place is three pieces wide.
    fn place(&self, zone: ZoneId) -> Place {
        let family = self.model.family_of(zone);
        let accepted = (0..self.model.components.len()).map(ComponentId::at).filter(|id| self.model.accepts(zone, *id));
        let sizes: Vec<Size> = accepted
            .filter(|id| !family.accepts.is_empty() || self.model.component(*id).count > 0)
            .map(|id| self.faces.front(id, None).size)
            .collect();
        let width = sizes.iter().map(|size| Tenths::from(size.width) * 10).max().unwrap_or(630);
        let height = sizes.iter().map(|size| Tenths::from(size.height) * 10).max().unwrap_or(880);
        let is_small = width.min(height) < 380;
        let labels: Vec<String> = if family.shape.is_single() {
            vec![String::new()]
        } else {
            let spaces = self.model.zone(zone).spaces.clone();
            spaces.map(|space| self.wording.label(&self.model.spaces[usize::from(space)].label)).collect()
        };
        let count = labels.len() as Tenths;
        // Small pieces lie side by side, three in a row.
        let across = if is_small && family.shape == Shape::Hand { 3 } else { count };
        Place {
            width: across * width + 20,
            height: height + 20,
            piece: (width, height),
            labels,
            is_outlined: !is_small,
        }
    }
}

/// A place for a zone on a mat.
struct Place {
    width: Tenths,
    height: Tenths,
    /// Size of the largest piece of the zone.
    piece: (Tenths, Tenths),
    /// Labels of the zone's spaces.
    labels: Vec<String>,
    /// Whether outlines of cards are drawn.
    is_outlined: bool,
}

/// Divides places among the rows of a mat.
fn mat_rows(places: &[(String, Place)], wide: Tenths, gap: Tenths) -> Vec<Vec<&(String, Place)>> {
    let (mut rows, mut x): (Vec<Vec<&(String, Place)>>, Tenths) = (vec![Vec::new()], gap);
    for place in places {
        if x > gap && x + place.1.width + gap > wide {
            rows.push(Vec::new());
            x = gap;
        }
        x += place.1.width + gap;
        rows.last_mut().expect("there is a first row").push(place);
    }
    rows
}

/// Draws an outline for the card on each space of a place.
fn outlines(place: &Place, head: Tenths) -> String {
    if !place.is_outlined {
        return String::new();
    }
    let outline = |(at, label): (usize, &String)| {
        let (width, height) = place.piece;
        let area = Area { left: 10 + at as Tenths * width, top: head + 10, width, height };
        format!("<i style=\"{}\">{}</i>", area.style(), escaped(label))
    };
    place.labels.iter().enumerate().map(outline).collect()
}

/// Renders a marker with a symbol and a name.
fn marker(symbol: &str, name: &str, tint: usize) -> Face {
    let long = if name.chars().count() > 14 { " long" } else { "" };
    let symbol = if symbol.is_empty() { String::new() } else { format!("<b>{}</b>", escaped(symbol)) };
    let html = format!(
        "<div class=\"face marker tint-{tint}\"><div class=\"in\">{symbol}<span class=\"said{long}\">{}</span></div></div>",
        escaped(name)
    );
    Face { html, size: MARKER, pictures: Vec::new(), edge: None }
}

/// Divides a number of dice among sheets. Yields the number of each sheet, from 1, and the number of dice on it.
fn dice_on_sheets(number: usize) -> impl Iterator<Item = (usize, usize)> {
    const ON_SHEET: usize = 6;
    (0..number.div_ceil(ON_SHEET)).map(move |sheet| (sheet + 1, (number - sheet * ON_SHEET).min(ON_SHEET)))
}

/// Draws the nets of dice, two side by side, with tabs for gluing.
fn dice_net(key: &str, name: &str, faces: &[String], tint: usize, count: usize) -> Canvas {
    // Column and row of each face. The indices of opposite faces add up to 5.
    const PLACES: [(Tenths, Tenths); CUBE] = [(1, 1), (1, 0), (2, 1), (0, 1), (1, 2), (3, 1)];
    let (width, height) = (4 * DIE + 2 * TAB, 3 * DIE + 2 * TAB);
    let mut html = heading(name);
    for copy in 0..count as Tenths {
        let (left, top) = (copy % 2 * (width + TAB), HEAD + copy / 2 * (height + TAB));
        let area = Area { left, top, width, height };
        let mut svg = Svg::default();
        let image = svg.inline_image(format_args!("net tinted tint-{tint}"), (0, 0), (width, height));
        image.set("style", area.style()).content(|svg| {
            draw_tabs(svg);
            for (at, (column, row)) in PLACES.iter().enumerate() {
                let (x, y) = (TAB + column * DIE, TAB + row * DIE);
                let text = &faces[at % faces.len()];
                let breadth: u32 = text.chars().map(|letter| if letter >= '\u{2e80}' { 2 } else { 1 }).sum();
                let size = (DIE * 17 / 10 / breadth.max(2)).clamp(16, 90);
                svg.rect((x, y), (DIE, DIE)).empty();
                svg.label((x + DIE / 2, y + DIE / 2 + size * 35 / 100)).set("font-size", size).text(text);
            }
        });
        svg.end_line();
        html.push_str(&svg.into_text());
    }
    let (columns, rows) = ((count as Tenths).min(2), (count as Tenths).div_ceil(2));
    let size = (columns * (width + TAB) - TAB, HEAD + rows * (height + TAB));
    Canvas { name: key.to_owned(), title: name.to_owned(), html, size, picture: None }
}

/// Draws the tabs of a cube's net: on the free sides of the top and bottom faces, and on the left.
fn draw_tabs(svg: &mut Svg) {
    let (d, t, n) = (DIE, TAB, 12);
    let at = |column: u32, row: u32| (t + column * d, t + row * d);
    let up = |(x, y): (u32, u32)| [(x, y), (x + n, y - t), (x + d - n, y - t), (x + d, y)];
    let down = |(x, y): (u32, u32)| [(x, y + d), (x + n, y + d + t), (x + d - n, y + d + t), (x + d, y + d)];
    let left = |(x, y): (u32, u32)| [(x, y), (x - t, y + n), (x - t, y + d - n), (x, y + d)];
    let right = |(x, y): (u32, u32)| [(x + d, y), (x + d + t, y + n), (x + d + t, y + d - n), (x + d, y + d)];
    let all = [
        up(at(1, 0)),
        left(at(1, 0)),
        right(at(1, 0)),
        left(at(1, 2)),
        right(at(1, 2)),
        down(at(1, 2)),
        left(at(0, 1)),
    ];
    for corners in all {
        svg.polygon(corners).set("class", "tab").empty();
    }
}

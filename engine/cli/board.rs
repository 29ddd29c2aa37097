//! The table as a seat sees it, in lines: zones with their pieces, grids as maps, values in columns.

use super::table::Table;
use super::wrap::wrapped;
use crate::model::{
    ComponentId, Content, KindId, Label, Language, Owner, Seat, Shape, SpaceId, ValueId, ValueType, ZoneId,
};
use crate::phrases::{Phrases, filled};
use crate::table::{Holder, Member, Picture, Pointed, Seen, View};
use crate::wording::Wording;

/// What is drawn.
pub(super) struct Board<'a> {
    view: View<'a>,
    /// The grids on which pieces of several cells lie.
    pictures: Vec<Picture>,
    wording: &'a Wording,
    language: Language,
    phrases: &'static Phrases,
}

/// The letters of a map, one for each sort of thing on it.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// What is told of a piece.
#[derive(PartialEq, Eq)]
enum Told {
    Face(String),
    Hidden,
}

/// A sort of thing on a map: the component and whose it is, and its face once it is seen.
type Lettered = ((ComponentId, Option<Seat>), String);

/// Of so many sorts of pieces it is told that they are known to be among the hidden ones of a pile, or in a bag.
const MOST_AMONG: usize = 8;

/// Of so many components the value of each is told, whatever it is.
const MANY: usize = 12;

impl<'a> Board<'a> {
    pub(super) fn new(view: View<'a>, pictures: Vec<Picture>, wording: &'a Wording, language: Language) -> Self {
        Self { view, pictures, wording, language, phrases: Phrases::of(language) }
    }

    /// Everything, from what belongs to nobody to what belongs to each seat.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new()];
        self.pictures(&mut lines);
        let zones = || (1..self.view.model().zones.len()).map(ZoneId::at).filter(|zone| self.is_shown(*zone));
        for zone in zones().filter(|zone| self.view.model().zone(*zone).seat.is_none()) {
            self.zone(zone, &mut lines);
        }
        for seat in self.view.model().all_seats() {
            for zone in zones().filter(|zone| self.view.model().zone(*zone).seat == Some(seat)) {
                self.zone(zone, &mut lines);
            }
        }
        self.values(&mut lines);
        lines
    }

    /// Grids with pieces of several cells on them, and what their signs mean.
    fn pictures(&self, lines: &mut Vec<String>) {
        for picture in &self.pictures {
            lines.extend(self.wording.picture(picture).into_iter().map(|line| format!("  {line}")));
            if !picture.cells.is_empty() {
                lines.push(format!("        {}", self.wording.signs()));
            }
        }
    }

    /// Whether a zone is told by itself: there is something in it, or it is an empty map or printed, and no picture shows it.
    fn is_shown(&self, zone: ZoneId) -> bool {
        let is_pictured =
            |picture: &Picture| picture.zone == zone || picture.standing.iter().any(|standing| standing.zone == zone);
        (self.view.count(zone) > 0 || self.is_empty_map(zone) || self.is_printed_line(zone))
            && !self.pictures.iter().any(is_pictured)
    }

    /// Whether a zone is a row or ring that is read by what is printed on it, and that pieces come to lie on.
    fn is_printed_line(&self, zone: ZoneId) -> bool {
        let family = self.view.model().family_of(zone);
        let may_hold = !family.accepts.is_empty() || self.view.count(zone) > 0;
        family.shape != Shape::Grid && family.over.is_none() && family.reads.is_some() && may_hold
    }

    /// Whether a zone is a grid on which pieces of one space may come to lie, and nothing lies there or over it.
    fn is_empty_map(&self, zone: ZoneId) -> bool {
        let model = self.view.model();
        let family = model.family_of(zone);
        if family.shape != Shape::Grid || family.over.is_some() || self.view.count(zone) > 0 {
            return false;
        }
        let is_over = |other: &ZoneId| model.family_of(*other).over == Some(model.zone(zone).family);
        let mut over = (0..model.zones.len()).map(ZoneId::at).filter(is_over);
        let takes = |id: &ComponentId| {
            let is_named = |content: &Content| match content {
                Content::Kind(kind) => *kind == model.component(*id).kind,
                Content::Component(component) => component == id,
            };
            family.accepts.is_empty() || family.accepts.iter().any(is_named)
        };
        let taken: Vec<ComponentId> = model.pieces.iter().map(|piece| piece.component).filter(takes).collect();
        let is_plain = |id: &ComponentId| model.component(*id).cells.is_empty();
        !taken.is_empty() && taken.iter().all(is_plain) && over.all(|other| self.view.count(other) == 0)
    }

    fn zone(&self, zone: ZoneId, lines: &mut Vec<String>) {
        let model = self.view.model();
        if model.family_of(zone).shape == Shape::Grid {
            return self.grid(zone, lines);
        }
        let name = self.wording.zone_name(zone);
        let is_whole = self.is_printed_line(zone);
        let is_told = |space: &SpaceId| is_whole || self.view.height(*space) > 0;
        let spaces: Vec<SpaceId> = model.zone(zone).spaces.clone().map(SpaceId).filter(is_told).collect();
        let single = model.zone(zone).spaces.len() == 1;
        let told: Vec<String> = spaces
            .iter()
            .map(|space| {
                let pieces = self.pieces(*space);
                let read = if is_whole { self.wording.figure(*space) } else { self.wording.space_read(*space) };
                let told = if single { pieces } else { format!("{read} {pieces}") };
                told.trim_end().to_owned()
            })
            .collect();
        lines.extend(wrapped(&format!("  {name} ({}): {}", self.view.count(zone), told.join(" · "))));
    }

    /// The pieces of a space. Where they have an order it is told, from the top; otherwise alike ones stand together, and those
    /// that the seat cannot tell last.
    fn pieces(&self, space: SpaceId) -> String {
        let hidden = self.view.hidden(space);
        let mut told: Vec<(Told, usize)> = Vec::new();
        for (place, one) in self.view.seen(space).iter().enumerate().rev() {
            let is_said_of_all = hidden.are_alike && !hidden.among.is_empty();
            let may_be = || if is_said_of_all { Vec::new() } else { self.view.may_be(space, place) };
            let it = self.standing(one, space, place).map_or_else(|| self.one_of(&may_be()), Told::Face);
            match told.last_mut() {
                Some((last, count)) if *last == it => *count += 1,
                _ => told.push((it, 1)),
            }
        }
        if !self.view.is_ordered(space) {
            let is_bag = self.view.model().family_of(self.view.model().space(space).zone).shape == Shape::Bag;
            if is_bag && told.len() > MOST_AMONG {
                told = vec![(Told::Hidden, self.view.height(space))];
            } else if hidden.count > 0 {
                told.push((self.one_of(&hidden.others), hidden.count));
            }
        }
        let words: Vec<String> = told.into_iter().map(|(it, count)| self.counted(it, count)).collect();
        let pieces = words.join(self.phrases.log.comma);
        let among: Vec<String> = hidden
            .among
            .chunk_by(|a, b| a == b)
            .map(|run| self.counted(Told::Face(self.named(run[0], None)), run.len()))
            .collect();
        if among.is_empty() || among.len() > MOST_AMONG {
            return pieces;
        }
        let faces = among.join(self.phrases.log.comma);
        filled(self.phrases.board.among, &[("pieces", &pieces), ("faces", &faces)])
    }

    fn counted(&self, told: Told, count: usize) -> String {
        match told {
            Told::Hidden => filled(self.phrases.board.hidden, &[("count", &count)]),
            Told::Face(face) if count == 1 => face,
            Told::Face(face) => format!("{count} × {face}"),
        }
    }

    /// A piece of which so much is known that it has one of these faces.
    fn one_of(&self, faces: &[(ComponentId, Option<Seat>)]) -> Told {
        if faces.is_empty() {
            return Told::Hidden;
        }
        let names: Vec<String> = faces.iter().map(|face| self.named(*face, None)).collect();
        Told::Face(filled(self.phrases.board.one_of, &[("faces", &names.join(self.phrases.board.or))]))
    }

    /// A piece by its name, with its owner and what its cells say.
    fn face(&self, seen: &Seen<'_>) -> Option<String> {
        let face = seen.face?;
        let name = self.named(face, seen.turned);
        let model = self.view.model();
        let rows = model.cells.rows(&model.component(face.0).cells);
        Some(if rows.is_empty() { name } else { format!("{name} [{}]", rows.join(" / ")) })
    }

    fn named(&self, (component, owner): (ComponentId, Option<Seat>), turned: Option<u8>) -> String {
        let name = self.wording.as_shown(component, turned);
        owner.map_or_else(|| name.clone(), |owner| format!("{}/{name}", self.wording.seat(owner)))
    }

    /// A piece with the values that are not as they start.
    fn standing(&self, seen: &Seen<'_>, space: SpaceId, place: usize) -> Option<String> {
        let face = self.face(seen)?;
        let model = self.view.model();
        let of_pieces = (0..model.values.len()).map(ValueId::at).filter(|id| {
            let value = model.value(*id);
            matches!(value.owner, Owner::Piece(_)) && !value.is_quiet
        });
        let told = of_pieces.filter_map(|id| {
            let raw = self.view.piece_value(id, space, place)?;
            let is_told = raw != model.value(id).start && raw != crate::model::Value::NOTHING;
            is_told.then(|| format!("{} {}", self.name_of(id), self.wording.standing_value(id, raw)))
        });
        let side = if seen.up { self.phrases.log.face_up } else { self.phrases.log.face_down };
        let side = self.view.tells_side(space, place).then(|| side.to_owned());
        let told: Vec<String> = side.into_iter().chain(told).collect();
        Some(if told.is_empty() { face } else { format!("{face} ({})", told.join(self.phrases.log.comma)) })
    }

    /// A map with the labels of columns and rows: a letter for each sort of thing on top of a space, a dot for nothing.
    fn grid(&self, zone: ZoneId, lines: &mut Vec<String>) {
        lines.push(format!("  {}:", self.wording.zone_name(zone)));
        let columns = usize::from(self.view.model().family_of(zone).columns);
        let spaces: Vec<SpaceId> = self.view.model().zone(zone).spaces.clone().map(SpaceId).collect();
        let mut known = self.sorts(&spaces);
        let heads: Vec<String> = spaces.iter().take(columns).map(|space| self.place(*space).0.to_string()).collect();
        let width = heads.iter().map(String::len).max().unwrap_or(1) + 1;
        let head: Vec<String> = heads.iter().map(|column| format!("{column:>width$}")).collect();
        lines.push(format!("      {}", head.join("")));
        for spaces in spaces.chunks(columns) {
            let cells: Vec<String> =
                spaces.iter().map(|space| format!("{:>width$}", self.cell(*space, &mut known))).collect();
            lines.push(format!("    {:>2}{}", self.place(spaces[0]).1, cells.join("")));
        }
        let named = known.iter().zip(LETTERS.chars()).filter(|((_, face), _)| !face.is_empty());
        let legend: Vec<String> = named.map(|((_, face), letter)| format!("{letter} {face}")).collect();
        if !legend.is_empty() {
            lines.push(format!("      {}", legend.join(self.phrases.log.comma)));
        }
    }

    /// The sorts of things that have the first letters of a map, without their faces: all pieces of the kinds on it, so that a
    /// letter means the same as the game goes on. There are none where these are too many.
    fn sorts(&self, spaces: &[SpaceId]) -> Vec<Lettered> {
        let model = self.view.model();
        let kind_of = |component: ComponentId| model.component(component).kind;
        let mut kinds = Vec::new();
        for (component, _) in spaces.iter().filter_map(|space| self.view.seen(*space).last()?.face) {
            if !kinds.contains(&kind_of(component)) {
                kinds.push(kind_of(component));
            }
        }
        let mut sorts: Vec<Lettered> = Vec::new();
        for piece in model.pieces.iter().filter(|piece| kinds.contains(&kind_of(piece.component))) {
            let sort = (piece.component, piece.owner);
            if !sorts.iter().any(|(known, _)| *known == sort) {
                sorts.push((sort, String::new()));
            }
        }
        if sorts.len() > LETTERS.len() / 2 { Vec::new() } else { sorts }
    }

    /// The column and the row of a space of a grid, as they are labeled.
    fn place(&self, space: SpaceId) -> (i16, i16) {
        match self.view.model().space(space).label {
            Label::Cell(column, row) => (column, row),
            _ => (1, 1),
        }
    }

    fn cell(&self, space: SpaceId, known: &mut Vec<Lettered>) -> char {
        if self.view.height(space) == 0 {
            return '.';
        }
        let seen = self.view.seen(space);
        let top = seen.last().and_then(|top| Some((top.face?, self.standing(top, space, seen.len() - 1)?)));
        let Some((sort, face)) = top else { return '#' };
        let same = known.iter().position(|(_, other)| *other == face);
        let fresh = || known.iter().position(|(other, face)| *other == sort && face.is_empty());
        let at = same.or_else(fresh).unwrap_or(known.len());
        match known.get_mut(at) {
            Some((_, known)) => *known = face,
            None => known.push((sort, face)),
        }
        LETTERS.chars().nth(at).unwrap_or('+')
    }

    fn values(&self, lines: &mut Vec<String>) {
        let model = self.view.model();
        let of_seats: Vec<ValueId> = (0..model.values.len())
            .map(ValueId::at)
            .filter(|id| model.value(*id).owner == Owner::Seat && self.is_told(*id, Holder::Seat))
            .collect();
        let named = of_seats.iter().map(|id| format!("#{}", self.name_of(*id)));
        let mut table = Table::new(std::iter::once(self.phrases.story.player.to_owned()).chain(named));
        for seat in model.all_seats() {
            let values = of_seats.iter().map(|id| self.value(*id, Holder::Seat(seat)).unwrap_or_default());
            table.row(std::iter::once(self.wording.seat(seat).to_owned()).chain(values).collect());
        }
        if !of_seats.is_empty() {
            lines.extend(table.lines("  "));
        }
        for id in (0..model.values.len()).map(ValueId::at) {
            let told: Vec<String> = match model.value(id).owner {
                Owner::Game => self.value(id, Holder::Game).into_iter().collect(),
                Owner::Component(kind) if self.is_played_with(kind, id) => {
                    self.values_of(id, &model.kinds[kind.index()].components)
                }
                Owner::Space(_) => self.values_of_spaces(id),
                Owner::Pair(..) => self.values_of_pairs(id),
                _ => Vec::new(),
            };
            if !told.is_empty() {
                lines.extend(wrapped(&format!("  {}: {}", self.name_of(id), told.join(self.phrases.log.comma))));
            }
        }
    }

    /// Whether a kind has pieces in play, or a value of it is another than at the start.
    fn is_played_with(&self, kind: KindId, id: ValueId) -> bool {
        let model = self.view.model();
        let is_changed = |component: &ComponentId| {
            let holder = Holder::Component(*component);
            if model.value(id).is_held() {
                return self.view.held(id, holder).is_some_and(|held| !held.is_empty());
            }
            self.view.value(id, holder).is_some_and(|value| value != model.value(id).start)
        };
        self.view.is_in_play(kind) || model.kinds[kind.index()].components.iter().any(is_changed)
    }

    /// The entries of each row of a table, but for those that are nothing yet.
    fn values_of_pairs(&self, id: ValueId) -> Vec<String> {
        let start = self.view.model().value(id).start;
        let mut rows: Vec<(Member, Vec<String>)> = Vec::new();
        for holder in self.view.holders(id) {
            let Holder::Pair(one, other) = holder else { continue };
            let is_idle = start == 0 && self.view.value(id, holder) == Some(start);
            let Some(value) = self.value(id, holder).filter(|_| !is_idle) else { continue };
            let entry = format!("{} {value}", self.wording.member(other));
            match rows.last_mut().filter(|(known, _)| *known == one) {
                Some((_, entries)) => entries.push(entry),
                None => rows.push((one, vec![entry])),
            }
        }
        let row = |(one, entries): (Member, Vec<String>)| {
            format!("{} ({})", self.wording.member(one), entries.join(self.phrases.log.comma))
        };
        rows.into_iter().map(row).collect()
    }

    /// The value of each space that has another than at the start.
    fn values_of_spaces(&self, id: ValueId) -> Vec<String> {
        let start = self.view.model().value(id).start;
        let told = self.view.holders(id).filter_map(|holder| match holder {
            Holder::Space(space)
                if self.view.model().value(id).is_held() || self.view.value(id, holder) != Some(start) =>
            {
                Some(format!("{} {}", self.wording.space_name(space), self.value(id, holder)?))
            }
            _ => None,
        });
        told.collect()
    }

    /// The value of each component; where there are many, of those alone that have another than at the start.
    fn values_of(&self, id: ValueId, components: &[ComponentId]) -> Vec<String> {
        let start = self.view.model().value(id).start;
        let is_still = |component: &&ComponentId| {
            let holder = Holder::Component(**component);
            if self.view.model().value(id).is_held() {
                return self.view.held(id, holder).is_none_or(<[i64]>::is_empty);
            }
            self.view.value(id, holder) == Some(start)
        };
        let still = components.iter().filter(is_still).count();
        let is_short = components.len() > MANY && still > 1;
        let told = components.iter().filter(|component| !is_short || !is_still(component));
        let mut told: Vec<String> = told
            .filter_map(|component| {
                let value = self.value(id, Holder::Component(*component))?;
                Some(format!("{} {value}", self.wording.component(*component)))
            })
            .collect();
        if is_short && start != crate::model::Value::NOTHING && !self.view.model().value(id).is_held() {
            let value = self.wording.standing_value(id, start);
            let phrase = if told.is_empty() { self.phrases.board.all } else { self.phrases.board.others };
            told.push(filled(phrase, &[("count", &still), ("value", &value)]));
        }
        told
    }

    /// Whether a value of some seat is not as it starts, or starts with something.
    fn is_told(&self, id: ValueId, holder: impl Fn(Seat) -> Holder) -> bool {
        let nothing = crate::model::Value::NOTHING;
        self.view.model().all_seats().any(|seat| {
            if self.view.model().value(id).is_held() {
                self.view.held(id, holder(seat)).is_some_and(|held| !held.is_empty())
            } else {
                self.view.value(id, holder(seat)).is_some_and(|value| value != 0 && value != nothing)
            }
        })
    }

    fn name_of(&self, id: ValueId) -> String {
        self.view.model().value(id).name.get(self.language).to_owned()
    }

    /// What a value is; nothing where it is not known, or nothing yet.
    fn value(&self, id: ValueId, holder: Holder) -> Option<String> {
        if !self.view.model().value(id).is_held() {
            let known = self.view.value(id, holder).filter(|raw| *raw != crate::model::Value::NOTHING);
            return known.map(|raw| self.wording.standing_value(id, raw));
        }
        let held = self.view.held(id, holder).filter(|held| !held.is_empty())?;
        let is_piece = self.view.model().value(id).kind == ValueType::Piece;
        let entry = |raw: &i64| if is_piece { self.held_piece(*raw) } else { self.wording.standing_value(id, *raw) };
        Some(held.iter().map(entry).collect::<Vec<_>>().join(self.phrases.log.comma))
    }

    /// A piece that a value holds, with where it lies.
    fn held_piece(&self, raw: i64) -> String {
        let Pointed { seen, space, .. } = self.view.pointed(raw);
        let face = self.face(&seen).unwrap_or_else(|| self.phrases.log.piece.to_owned());
        self.phrases.log.remarked(&face, &self.wording.space_name(space))
    }
}

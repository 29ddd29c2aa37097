//! Formats pieces and values as text, as a seat sees them. The terminal or the page decides on the layout of the texts.

use crate::model::{
    AreaItem, ComponentId, Content, Derived, KindId, Label, Language, Owner, Seat, Shape, SpaceId, ValueId, ValueType,
    ZoneId,
};
use crate::phrases::{Phrases, filled};
use crate::table::{Holder, Member, ReferencedPiece, View, VisiblePiece};
use crate::wording::Wording;
use std::collections::BTreeMap;

/// Formatter for the pieces and values of a view.
pub(crate) struct Board<'a> {
    /// The table as the viewer sees it.
    pub(crate) view: View<'a>,
    /// Wording of names and values.
    pub(crate) wording: &'a Wording,
    language: Language,
    phrases: &'static Phrases,
}

/// Display form of a piece: the text that describes its face, or only that the piece is hidden.
#[derive(PartialEq, Eq)]
enum PieceFace {
    Face(String),
    Hidden,
}

/// Maximum number of different faces that are listed for the hidden pieces of a space. Also the maximum number of groups of pieces that are
/// listed for a bag.
const MAX_HIDDEN_FACES: usize = 8;

/// Maximum number of components whose values are all listed. Beyond that, values that have not changed are summarized.
const MAX_COMPONENTS_LISTED: usize = 12;

impl<'a> Board<'a> {
    /// Creates the formatter for a view.
    pub(crate) fn new(view: View<'a>, wording: &'a Wording, language: Language) -> Self {
        Self { view, wording, language, phrases: Phrases::for_language(language) }
    }

    /// Returns whether the author of the game wants a zone to be shown.
    pub(crate) fn is_shown(&self, zone: ZoneId) -> bool {
        self.view.model().family_of(zone).is_shown
    }

    /// Returns whether a zone is a row or ring whose spaces are identified by a printed field. A track on which a value marks a space does
    /// not count, unless the zone accepts or holds pieces.
    pub(crate) fn is_printed_line(&self, zone: ZoneId) -> bool {
        let model = self.view.model();
        let (id, family) = (model.zone(zone).family, model.family_of(zone));
        let may_hold = !family.accepts.is_empty() || self.view.count(zone) > 0;
        let says_where = || model.values.iter().any(|value| value.kind == ValueType::Space(Some(id)));
        !family.shape.is_grid() && family.over.is_none() && family.reads.is_some() && (may_hold || !says_where())
    }

    /// Returns whether a zone is an empty grid for pieces that cover a single space each. The zones laid over the grid must be empty, too.
    pub(crate) fn is_empty_map(&self, zone: ZoneId) -> bool {
        let model = self.view.model();
        let family = model.family_of(zone);
        if !family.shape.is_grid() || family.over.is_some() || self.view.count(zone) > 0 {
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

    /// Returns the name of a visible piece, with its owner and its cells. `None` if its face is hidden.
    pub(crate) fn face(&self, seen: &VisiblePiece<'_>) -> Option<String> {
        let face = seen.face?;
        let name = self.named(face, seen.turned);
        let model = self.view.model();
        let rows = model.cells.rows(&model.component(face.0).cells);
        Some(if rows.is_empty() { name } else { format!("{name} [{}]", rows.join(" / ")) })
    }

    /// Returns the name of a face with its owner. For a die, `turned` selects the side.
    pub(crate) fn named(&self, (component, owner): (ComponentId, Option<Seat>), turned: Option<u8>) -> String {
        let name = self.wording.as_shown(component, turned);
        owner.map_or_else(|| name.clone(), |owner| format!("{}/{name}", self.wording.seat(owner)))
    }

    /// Returns the name of a visible piece, its side, its derived values, and those values that differ from their start values. `None` if
    /// its face is hidden.
    pub(crate) fn standing(&self, seen: &VisiblePiece<'_>, space: SpaceId, place: usize) -> Option<String> {
        let face = self.face(seen)?;
        let shown = self.values_of_piece(space, place);
        Some(if shown.is_empty() { face } else { format!("{face} ({shown})") })
    }

    /// Formats the knowledge that a hidden piece has one of `faces`. Returns `None` if `faces` is empty, since then nothing is known.
    pub(crate) fn one_of(&self, faces: &[(ComponentId, Option<Seat>)]) -> Option<String> {
        let names: Vec<String> = faces.iter().map(|face| self.named(*face, None)).collect();
        let board = &self.phrases.board;
        (!names.is_empty()).then(|| filled(board.one_of, &[("faces", &names.join(board.or))]))
    }

    /// Lists the pieces of a space: from the top in an ordered space, and with unknown pieces last in any other space. Equal pieces are
    /// grouped. If it is known which faces are among the hidden pieces, these are listed as well, unless there are too many.
    pub(crate) fn pieces(&self, space: SpaceId) -> String {
        let pieces = self.piece_groups(space).join(self.phrases.log.comma);
        match self.hidden_faces(&self.view.hidden(space).among_any()) {
            None => pieces,
            Some(faces) => filled(self.phrases.board.among_all, &[("pieces", &pieces), ("faces", &faces)]),
        }
    }

    /// Lists the pieces of a pile. `None` if no piece is hidden, or if nothing is known about the hidden ones except that they lie together
    /// at the top or bottom.
    #[cfg(feature = "page")]
    pub(crate) fn pile(&self, space: SpaceId) -> Option<String> {
        let hidden = self.view.hidden(space);
        let (groups, all) = (self.piece_groups(space), self.counted(PieceFace::Hidden, hidden.count));
        let is_plain = [groups.first(), groups.last()].contains(&Some(&all)) && hidden.among_any().is_empty();
        (hidden.count > 0 && !is_plain).then(|| self.pieces(space))
    }

    /// Returns the texts of the groups of equal pieces in a space.
    fn piece_groups(&self, space: SpaceId) -> Vec<String> {
        let hidden = self.view.hidden(space);
        let mut shown: Vec<(PieceFace, usize)> = Vec::new();
        let mut words: Vec<String> = Vec::new();
        let mut within = None;
        for (place, one) in self.view.seen(space).iter().enumerate().rev() {
            let section =
                hidden.section_at(place).and_then(|section| Some((section, self.known_faces(&section.among)?)));
            let is_said_of_all = section.as_ref().is_some_and(|(section, _)| section.are_alike);
            let may_be = || if is_said_of_all { Vec::new() } else { self.view.may_be(space, place) };
            let text = self.standing(one, space, place).map_or_else(|| self.shown_face(&may_be()), PieceFace::Face);
            let first = section.as_ref().map(|(section, _)| section.places[0]);
            if std::mem::replace(&mut within, first) != first {
                words.extend(shown.drain(..).map(|(text, count)| self.counted(text, count)));
            }
            match shown.last_mut() {
                Some((last, count)) if *last == text => *count += 1,
                _ => shown.push((text, 1)),
            }
            if let Some((_, faces)) = section.filter(|(section, _)| section.places.last() == Some(&place)) {
                words.extend(shown.drain(..).map(|(text, count)| self.counted(text, count)));
                let pieces = words.pop().unwrap_or_default();
                words.push(filled(self.phrases.board.among, &[("pieces", &pieces), ("faces", &faces)]));
            }
        }
        if !self.view.is_ordered(space) {
            let is_bag = self.view.model().family_of(self.view.model().space(space).zone).shape == Shape::Bag;
            if is_bag && shown.len() > MAX_HIDDEN_FACES {
                shown = vec![(PieceFace::Hidden, self.view.height(space))];
            } else if hidden.count > 0 {
                shown.push((self.shown_face(&hidden.others), hidden.count));
            }
        }
        words.extend(shown.into_iter().map(|(text, count)| self.counted(text, count)));
        words
    }

    /// Lists the faces known to be among all hidden pieces of a space. Returns `None` if there are no known faces, or if more than
    /// [`MAX_HIDDEN_FACES`] different ones are known. In a pile that nobody has looked through, these would be most of the faces in the
    /// game.
    fn hidden_faces(&self, faces: &[(ComponentId, Option<Seat>)]) -> Option<String> {
        let distinct = faces.chunk_by(|a, b| a == b).count();
        self.known_faces(faces).filter(|_| distinct <= MAX_HIDDEN_FACES)
    }

    /// Lists the faces known to be among the pieces of a section of a pile, without a limit. `None` if there are none.
    fn known_faces(&self, faces: &[(ComponentId, Option<Seat>)]) -> Option<String> {
        let counted =
            |run: &[(ComponentId, Option<Seat>)]| self.counted(PieceFace::Face(self.named(run[0], None)), run.len());
        let among: Vec<String> = faces.chunk_by(|a, b| a == b).map(counted).collect();
        (!among.is_empty()).then(|| among.join(self.phrases.log.comma))
    }

    /// Formats a number of equal pieces.
    fn counted(&self, shown: PieceFace, count: usize) -> String {
        match shown {
            PieceFace::Hidden => filled(self.phrases.board.hidden, &[("count", &count)]),
            PieceFace::Face(face) if count == 1 => face,
            PieceFace::Face(face) => format!("{count} × {face}"),
        }
    }

    /// Returns how to show a hidden piece that has one of these faces.
    fn shown_face(&self, faces: &[(ComponentId, Option<Seat>)]) -> PieceFace {
        self.one_of(faces).map_or(PieceFace::Hidden, PieceFace::Face)
    }

    /// Returns the separator of list items.
    #[cfg(feature = "page")]
    pub(crate) const fn comma(&self) -> &'static str {
        self.phrases.log.comma
    }

    /// Lists the side of a piece if its place does not imply it, the values that differ from their start values, and the derived values.
    pub(crate) fn values_of_piece(&self, space: SpaceId, place: usize) -> String {
        let model = self.view.model();
        let of_pieces = (0..model.values.len()).map(ValueId::at).filter(|id| {
            let value = model.value(*id);
            matches!(value.owner, Owner::Piece(_)) && !value.is_quiet && value.is_shown
        });
        let shown = of_pieces.filter_map(|id| {
            let raw = self.view.piece_value(id, space, place)?;
            let is_shown = raw != model.value(id).start && raw != crate::model::Value::NOTHING;
            is_shown.then(|| format!("{} {}", self.name_of(id), self.wording.standing_value(id, raw)))
        });
        let derived = model.derived.iter().enumerate().filter_map(|(at, derived)| {
            let number = self.view.derived_of_piece(at, space, place)?;
            Some(format!("{} {number}", derived.name.get(self.language)))
        });
        let side = self.side(space, place);
        side.into_iter().chain(shown).chain(derived).collect::<Vec<String>>().join(self.phrases.log.comma)
    }

    /// Returns the numbers that are shown on a piece: its number values, including those that still have their start value, and its derived
    /// values.
    #[cfg(feature = "page")]
    pub(crate) fn numbers_of_piece(&self, space: SpaceId, place: usize) -> Vec<i64> {
        let model = self.view.model();
        let of_pieces = (0..model.values.len()).map(ValueId::at).filter(|id| {
            let value = model.value(*id);
            matches!(value.owner, Owner::Piece(_))
                && value.kind == ValueType::Number
                && !value.is_held()
                && !value.is_quiet
                && value.is_shown
        });
        let set = of_pieces.filter_map(|id| self.view.piece_value(id, space, place));
        let derived = (0..model.derived.len()).filter_map(|at| self.view.derived_of_piece(at, space, place));
        set.chain(derived).collect()
    }

    /// Lists the values of a space that differ from their start values.
    #[cfg(feature = "page")]
    pub(crate) fn values_of_space(&self, space: SpaceId) -> Vec<String> {
        self.values_at(&|owner| matches!(owner, Owner::Space(_)), Holder::Space(space))
    }

    /// Lists the values of a component that differ from their start values.
    #[cfg(feature = "page")]
    pub(crate) fn values_of_component(&self, component: ComponentId) -> Vec<String> {
        let kind = self.view.model().component(component).kind;
        self.values_at(&|owner| owner == Owner::Component(kind), Holder::Component(component))
    }

    #[cfg(feature = "page")]
    fn values_at(&self, is_owner: &dyn Fn(Owner) -> bool, holder: Holder) -> Vec<String> {
        let model = self.view.model();
        let shown = |id: &ValueId| is_owner(model.value(*id).owner) && model.value(*id).is_shown;
        let all = (0..model.values.len()).map(ValueId::at).filter(shown);
        all.filter(|id| self.view.holders(*id).any(|known| known == holder))
            .filter_map(|id| {
                let value = model.value(id);
                let is_idle = !value.is_held() && self.view.value(id, holder) == Some(value.start);
                let text = self.value(id, holder).filter(|_| !is_idle)?;
                let name = self.name_of(id);
                Some(if value.kind == ValueType::Flag { name } else { format!("{name} {text}") })
            })
            .collect()
    }

    /// Returns which side of a piece is up, if the place does not imply it.
    fn side(&self, space: SpaceId, place: usize) -> Option<String> {
        let is_up = self.view.seen(space).get(place)?.up;
        let side = if is_up { self.phrases.log.face_up } else { self.phrases.log.face_down };
        self.view.tells_side(space, place).then(|| side.to_owned())
    }

    /// Returns the column and row in the label of a grid space; (1, 1) for spaces of other zones.
    pub(crate) fn place(&self, space: SpaceId) -> (i16, i16) {
        match self.view.model().space(space).label {
            Label::Cell(column, row) => (column, row),
            _ => (1, 1),
        }
    }

    /// Returns whether a kind is relevant for a value: the kind has pieces in play, its components are the teams, or the value has changed
    /// for one of its components.
    fn is_played_with(&self, kind: KindId, id: ValueId) -> bool {
        let model = self.view.model();
        let is_changed = |component: &ComponentId| {
            let holder = Holder::Component(*component);
            if model.value(id).is_held() {
                return self.view.value_entries(id, holder).is_some_and(|held| !held.is_empty());
            }
            self.view.value(id, holder).is_some_and(|value| value != model.value(id).start)
        };
        let is_of_teams = model.teams.first().is_some_and(|team| model.component(team.component).kind == kind);
        is_of_teams || self.view.is_in_play(kind) || model.kinds[kind.index()].components.iter().any(is_changed)
    }

    /// Formats the rows of a table of values. Entries that are still 0 are left out.
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

    /// Returns the texts of a shown value by the component that owns it. If the value belongs to pairs of a component and something else,
    /// returns a component's entries that differ from 0. Returns nothing for other values.
    pub(crate) fn texts_by_component(&self, id: ValueId) -> BTreeMap<ComponentId, Vec<String>> {
        let mut texts: BTreeMap<ComponentId, Vec<String>> = BTreeMap::new();
        if !self.view.model().value(id).is_shown {
            return texts;
        }
        for holder in self.view.holders(id) {
            let (component, other) = match holder {
                Holder::Component(component) => (component, None),
                // Tables of two kinds are left out: both components of an entry have the same claim to it.
                Holder::Pair(Member::Component(component), other @ Member::Seat(_))
                | Holder::Pair(other @ Member::Seat(_), Member::Component(component)) => (component, Some(other)),
                _ => continue,
            };
            let is_idle = other.is_some() && self.view.value(id, holder) == Some(0);
            if let Some(text) = self.value(id, holder).filter(|_| !is_idle) {
                let text = other.map_or_else(|| text.clone(), |other| format!("{} {text}", self.wording.member(other)));
                texts.entry(component).or_default().push(text);
            }
        }
        texts
    }

    /// Lists the spaces whose value differs from the start value, each with its value.
    fn values_of_spaces(&self, id: ValueId) -> Vec<String> {
        let start = self.view.model().value(id).start;
        let shown = self.view.holders(id).filter_map(|holder| match holder {
            Holder::Space(space)
                if self.view.model().value(id).is_held() || self.view.value(id, holder) != Some(start) =>
            {
                Some(format!("{} {}", self.wording.space_name(space), self.value(id, holder)?))
            }
            _ => None,
        });
        shown.collect()
    }

    /// Lists the values of components. If there are many components, those with the start value are summarized.
    fn values_of(&self, id: ValueId, components: &[ComponentId]) -> Vec<String> {
        let start = self.view.model().value(id).start;
        let is_still = |component: &&ComponentId| {
            let holder = Holder::Component(**component);
            if self.view.model().value(id).is_held() {
                return self.view.value_entries(id, holder).is_none_or(<[i64]>::is_empty);
            }
            self.view.value(id, holder) == Some(start)
        };
        let still = components.iter().filter(is_still).count();
        let is_short = components.len() > MAX_COMPONENTS_LISTED && still > 1;
        let shown = components.iter().filter(|component| !is_short || !is_still(component));
        let mut shown: Vec<String> = shown
            .filter_map(|component| {
                let value = self.value(id, Holder::Component(*component))?;
                Some(format!("{} {value}", self.wording.component(*component)))
            })
            .collect();
        if is_short && start != crate::model::Value::NOTHING && !self.view.model().value(id).is_held() {
            let value = self.wording.standing_value(id, start);
            let phrase = if shown.is_empty() { self.phrases.board.all } else { self.phrases.board.others };
            shown.push(filled(phrase, &[("count", &still), ("value", &value)]));
        }
        shown
    }

    /// Returns whether the value of any seat is known and neither empty nor 0.
    fn has_any_value(&self, id: ValueId, holder: impl Fn(Seat) -> Holder) -> bool {
        let nothing = crate::model::Value::NOTHING;
        self.view.model().all_seats().any(|seat| {
            if self.view.model().value(id).is_held() {
                self.view.value_entries(id, holder(seat)).is_some_and(|held| !held.is_empty())
            } else {
                self.view.value(id, holder(seat)).is_some_and(|value| value != 0 && value != nothing)
            }
        })
    }

    /// Returns the name of a value.
    pub(crate) fn name_of(&self, id: ValueId) -> String {
        self.view.model().value(id).name.get(self.language).to_owned()
    }

    /// Formats a value. Returns `None` if the value is unknown or empty.
    pub(crate) fn value(&self, id: ValueId, holder: Holder) -> Option<String> {
        if !self.view.model().value(id).is_held() {
            let known = self.view.value(id, holder).filter(|raw| *raw != crate::model::Value::NOTHING);
            return known.map(|raw| self.wording.standing_value(id, raw));
        }
        let held = self.view.value_entries(id, holder).filter(|held| !held.is_empty())?;
        let is_piece = self.view.model().value(id).kind == ValueType::Piece;
        let entry = |raw: &i64| if is_piece { self.held_piece(*raw) } else { self.wording.standing_value(id, *raw) };
        Some(held.iter().map(entry).collect::<Vec<_>>().join(self.phrases.log.comma))
    }

    /// Formats a piece that a value holds, with the space that contains the piece.
    fn held_piece(&self, raw: i64) -> String {
        let ReferencedPiece { seen, space, .. } = self.view.referenced_piece(raw);
        let face = self.face(&seen).unwrap_or_else(|| self.phrases.log.piece.to_owned());
        self.phrases.log.remarked(&face, &self.wording.space_name(space))
    }

    /// Returns the seats' values and derived values as columns of a table: for each, its name and one text per seat.
    pub(crate) fn seat_columns(&self) -> Vec<(String, Vec<Option<String>>)> {
        self.seat_items().into_iter().map(|(_, name, texts)| (name, texts)).collect()
    }

    /// Like [`Board::seat_columns`], but also returns the value or derived value that each column shows.
    pub(crate) fn seat_items(&self) -> Vec<(AreaItem, String, Vec<Option<String>>)> {
        let model = self.view.model();
        let column = |shown: &dyn Fn(Holder) -> Option<String>| {
            model.all_seats().map(|seat| shown(Holder::Seat(seat))).collect::<Vec<_>>()
        };
        let set = self
            .seat_values()
            .into_iter()
            .map(|id| (AreaItem::Value(id), self.name_of(id), column(&|seat| self.value(id, seat))));
        let derived = model.derived.iter().enumerate().filter(|(_, derived)| derived.owner == Owner::Seat);
        let derived = derived.map(|(at, derived)| {
            let name = derived.name.get(self.language).to_owned();
            (AreaItem::Derived(at), name, column(&|seat| self.view.derived(at, seat).map(|number| number.to_string())))
        });
        set.chain(derived.filter(|(_, _, shown)| shown.iter().any(Option::is_some))).collect()
    }

    /// Returns the derived values of the game and of components: for each, its name and one text per owner.
    pub(crate) fn other_derived(&self) -> Vec<(String, Vec<String>)> {
        self.other_derived_items().into_iter().map(|(_, name, texts)| (name, texts)).collect()
    }

    /// Like [`Board::other_derived`], but also returns the index of each derived value.
    pub(crate) fn other_derived_items(&self) -> Vec<(usize, String, Vec<String>)> {
        let model = self.view.model();
        let shown = |(at, derived): (usize, &Derived)| {
            let number = |holder: Holder| self.view.derived(at, holder).map(|number| number.to_string());
            let all: Vec<String> = match derived.owner {
                Owner::Game => number(Holder::Game).into_iter().collect(),
                Owner::Component(kind) => {
                    let all = model.kinds[kind.index()].components.iter();
                    all.filter_map(|one| {
                        Some(format!("{} {}", self.wording.component(*one), number(Holder::Component(*one))?))
                    })
                    .collect()
                }
                _ => Vec::new(),
            };
            (at, derived.name.get(self.language).to_owned(), all)
        };
        model.derived.iter().enumerate().map(shown).filter(|(_, _, shown)| !shown.is_empty()).collect()
    }

    /// Returns the shown values of seats, except those that are 0, empty or unknown for all seats.
    fn seat_values(&self) -> Vec<ValueId> {
        let model = self.view.model();
        let of_seats = (0..model.values.len()).map(ValueId::at);
        let is_shown = |id: &ValueId| model.value(*id).owner == Owner::Seat && model.value(*id).is_shown;
        of_seats.filter(is_shown).filter(|id| self.has_any_value(*id, Holder::Seat)).collect()
    }

    /// Returns the shown values of all owners other than seats and pieces, with their texts.
    pub(crate) fn other_values(&self) -> Vec<(ValueId, Vec<String>)> {
        let model = self.view.model();
        let texts = |id: ValueId| match model.value(id).owner {
            Owner::Game => self.value(id, Holder::Game).into_iter().collect(),
            Owner::Component(kind) if self.is_played_with(kind, id) => {
                self.values_of(id, &model.kinds[kind.index()].components)
            }
            Owner::Space(_) => self.values_of_spaces(id),
            Owner::Pair(..) => self.values_of_pairs(id),
            _ => Vec::new(),
        };
        let shown = (0..model.values.len()).map(ValueId::at).filter(|id| model.value(*id).is_shown);
        let all = shown.map(|id| (id, texts(id)));
        all.filter(|(_, texts)| !texts.is_empty()).collect()
    }
}

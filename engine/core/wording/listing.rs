//! Lists the contents of a table in rows: one for each space with pieces, and one for each value that is worth listing. The rows contain
//! what a viewer sees, in the notation of playscripts.

use crate::model::Setup;
use crate::model::{ComponentId, FieldValue, Model, Seat, SpaceId, Value, ValueId, ValueType, ZoneId};
use crate::table::{Holder, Member, ReferencedPiece, View, VisiblePiece};
use std::fmt::Write as _;

/// Row of a listing: a space or a value, with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Name of the space or value: `Ann.cash`, `deck`, `board[2,3]`.
    pub place: String,
    /// Zone and label of a space. `None` for a value, and for a space that is the only one of its zone.
    zone: Option<(String, String)>,
    /// Content of the space or value.
    pub content: String,
    /// Number of pieces on the space; 0 for a value.
    pieces: usize,
}

/// Formats the face that a die shows, in the notation of playscripts.
pub fn shown_word(model: &Model, shown: &FieldValue) -> String {
    match shown {
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Word(word) | FieldValue::Function(word) => word.to_string(),
        FieldValue::Component(component) => model.component(*component).id.to_string(),
        FieldValue::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        FieldValue::List(all) => all.iter().map(|one| shown_word(model, one)).collect::<Vec<_>>().join("+"),
        FieldValue::Record(parts) => parts.values().map(|part| shown_word(model, part)).collect::<Vec<_>>().join("+"),
        FieldValue::Nothing => "nothing".to_owned(),
    }
}

/// Formats a zone in the notation of playscripts: `deck`, `Ann.hand`.
pub(super) fn zone_path(model: &Model, setup: &Setup, zone: ZoneId) -> String {
    let found = model.zone(zone);
    found.seat.map_or_else(|| found.path.to_string(), |seat| format!("{}.{}", setup.name(seat), found.path))
}

/// Formats a space in the notation of playscripts: `lots[2]`, `Ann.hand`, `board[2,3]`.
pub(super) fn space_path(model: &Model, setup: &Setup, space: SpaceId) -> String {
    let found = model.space(space);
    let zone = zone_path(model, setup, found.zone);
    if model.zone(found.zone).spaces.len() == 1 { zone } else { format!("{zone}[{}]", found.label) }
}

/// Maximum number of different faces to list among the hidden pieces of a pile.
const MAX_LISTED_FACES: usize = 8;

/// Maximum length of a row's content in recordings, in characters. Longer content is abbreviated.
const MAX_CONTENT_LENGTH: usize = 60;

impl Row {
    fn value(place: String, content: String) -> Self {
        Self { place, zone: None, content, pieces: 0 }
    }

    /// Returns the content. If it is too long, returns the number of pieces and a checksum instead.
    pub fn brief(&self) -> String {
        if self.content.chars().count() <= MAX_CONTENT_LENGTH {
            return self.content.clone();
        }
        let sum =
            // FNV-1a, folded to 16 bits. The checksum distinguishes abbreviated contents with the same number of pieces.
            self.content.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{} pieces #{:04x}", self.pieces, sum >> 16 ^ sum & 0xffff)
    }
}

/// Returns the rows of the table that `view` shows. Leaves out empty spaces. Also leaves out values in their initial state, except for
/// nonzero numbers of the game, of seats and of pairs of seats.
pub fn listing(view: &View<'_>, setup: &Setup) -> Vec<Row> {
    let lister = Lister { view, model: view.model(), setup };
    let mut rows = lister.flow();
    rows.extend((0..lister.model.values.len()).flat_map(|value| lister.values(ValueId::at(value))));
    rows.extend((0..lister.model.zones.len()).flat_map(|zone| lister.zone(ZoneId::at(zone))));
    rows
}

/// Formats rows as lines in two columns. The spaces of a zone share a line.
pub fn table_lines(rows: &[Row]) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for row in rows {
        let (name, content) = match &row.zone {
            None => (row.place.clone(), row.content.clone()),
            Some((zone, label)) => (zone.clone(), format!("{label}: {}", row.content)),
        };
        match lines.last_mut() {
            Some((last, so_far)) if row.zone.is_some() && *last == name => {
                so_far.push_str("; ");
                so_far.push_str(&content);
            }
            _ => lines.push((name, content)),
        }
    }
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    lines.into_iter().map(|(name, content)| format!("{}  {}", padded(&name, width), truncated(&content))).collect()
}

/// Maximum width of the second column, in characters.
const MAX_COLUMN_WIDTH: usize = 120;

fn truncated(content: &str) -> String {
    if content.chars().count() <= MAX_COLUMN_WIDTH {
        return content.to_owned();
    }
    content.chars().take(MAX_COLUMN_WIDTH).chain(['…']).collect()
}

fn padded(name: &str, width: usize) -> String {
    format!("{name}{}", " ".repeat(width.saturating_sub(name.chars().count())))
}

struct Lister<'a> {
    view: &'a View<'a>,
    model: &'a Model,
    setup: &'a Setup,
}

impl Lister<'_> {
    fn flow(&self) -> Vec<Row> {
        let phase = self.view.phase().map(|phase| self.model.phases[phase.index()].id.to_string());
        let active = self.view.active().map(|seat| self.seat(seat));
        let mut rows = vec![Row::value("round".to_owned(), self.view.round().to_string())];
        rows.extend(phase.map(|phase| Row::value("phase".to_owned(), phase)));
        rows.push(Row::value("first".to_owned(), self.seat(self.view.first())));
        rows.extend(active.map(|active| Row::value("active".to_owned(), active)));
        let eliminated: Vec<String> = self.view.eliminated().map(|seat| self.seat(seat)).collect();
        rows.extend((!eliminated.is_empty()).then(|| Row::value("eliminated".to_owned(), eliminated.join(", "))));
        rows
    }

    fn seat(&self, seat: Seat) -> String {
        self.setup.name(seat).to_owned()
    }

    fn values(&self, id: ValueId) -> Vec<Row> {
        let value = self.model.value(id);
        let rows = self.view.holders(id).filter_map(|holder| {
            if value.is_held() {
                let held = self.view.value_entries(id, holder).filter(|held| !held.is_empty())?;
                let entries = held.iter().map(|raw| self.stored_text(id, *raw)).collect::<Vec<_>>().join(", ");
                return Some(Row::value(self.place(holder, &value.id), entries));
            }
            let raw = self.view.value(id, holder)?;
            let is_counted =
                matches!(holder, Holder::Game | Holder::Seat(_) | Holder::Pair(..)) && value.kind == ValueType::Number;
            if raw == value.start && (raw == 0 || !is_counted) {
                return None;
            }
            Some(Row::value(self.place(holder, &value.id), self.stored_text(id, raw)))
        });
        rows.collect()
    }

    /// Formats the name of a value with its owner, in the notation of playscripts: `Ann.cash`.
    fn place(&self, holder: Holder, name: &str) -> String {
        match holder {
            Holder::Game | Holder::Piece(_) => name.to_owned(),
            Holder::Seat(seat) => format!("{}.{name}", self.seat(seat)),
            Holder::Component(component) => format!("{}.{name}", self.component(component)),
            Holder::Space(space) => format!("{}.{name}", self.space(space)),
            Holder::Pair(one, other) => format!("{}.{name}[{}]", self.member(one), self.member(other)),
        }
    }

    fn member(&self, member: Member) -> String {
        match member {
            Member::Seat(seat) => self.seat(seat),
            Member::Component(component) => self.component(component),
        }
    }

    fn stored_text(&self, id: ValueId, raw: i64) -> String {
        if raw == Value::NOTHING {
            return "nothing".to_owned();
        }
        match &self.model.value(id).kind {
            ValueType::Number => raw.to_string(),
            ValueType::Flag => if raw == 0 { "no" } else { "yes" }.to_owned(),
            ValueType::Word(words) => words[raw as usize].to_string(),
            ValueType::Seat => self.seat(Seat(raw as u8)),
            ValueType::Component(_) => self.component(ComponentId(raw as u16)),
            ValueType::Space(_) => self.space(SpaceId(raw as u16)),
            ValueType::Piece => {
                let ReferencedPiece { seen, space, .. } = self.view.referenced_piece(raw);
                let face = seen.face.map_or_else(|| "?".to_owned(), |(component, _)| self.component(component));
                format!("{face} ({})", self.space(space))
            }
        }
    }

    fn component(&self, component: ComponentId) -> String {
        self.model.component(component).id.to_string()
    }

    fn space(&self, space: SpaceId) -> String {
        space_path(self.model, self.setup, space)
    }

    fn zone(&self, zone: ZoneId) -> Vec<Row> {
        let spaces = self.model.zone(zone).spaces.clone();
        let is_one = spaces.len() == 1;
        let occupied = spaces.map(SpaceId).filter(|space| self.view.height(*space) > 0);
        let row = |space: SpaceId| Row {
            place: self.space(space),
            zone: (!is_one)
                .then(|| (zone_path(self.model, self.setup, zone), self.model.space(space).label.to_string())),
            content: self.pieces(space),
            pieces: self.view.height(space),
        };
        occupied.map(row).collect()
    }

    /// Describes the pieces of a space from top to bottom. Adjacent equal pieces are combined. In an unordered space, such as a hand, the
    /// hidden pieces come last.
    fn pieces(&self, space: SpaceId) -> String {
        let seen = self.view.seen(space);
        let hidden = self.view.hidden(space);
        let mut runs: Vec<(usize, String, Option<usize>)> = Vec::new();
        for (place, piece) in seen.iter().enumerate().rev() {
            let section =
                hidden.section_at(place).and_then(|section| Some((section, self.known_faces(&section.among)?)));
            let word = match piece.face {
                None if section.as_ref().is_some_and(|(section, _)| section.are_alike) => self.one_of_faces(&[]),
                None => self.one_of_faces(&self.view.may_be(space, place)),
                Some(face) => self.piece(space, place, piece, face),
            };
            let first = section.as_ref().map(|(section, _)| section.places[0]);
            match runs.last_mut() {
                Some((count, last, last_first)) if *last == word && *last_first == first => *count += 1,
                _ => runs.push((1, word, first)),
            }
            if let Some((_, faces)) = section.filter(|(section, _)| section.places.last() == Some(&place))
                && let Some((_, last, _)) = runs.last_mut()
            {
                let _ = write!(last, " (among ?: {faces})");
            }
        }
        if !self.view.is_ordered(space) && hidden.count > 0 {
            runs.push((hidden.count, self.one_of_faces(&hidden.others), None));
        }
        let listed = counted(runs.into_iter().map(|(count, word, _)| (count, word)));
        self.faces_among(&hidden.among_any())
            .map_or_else(|| listed.clone(), |faces| format!("{listed} (among all ?: {faces})"))
    }

    /// Lists the faces known to be among all hidden pieces of a space. Returns `None` if no faces are known, or if there are too many
    /// different faces: for a pile that was never searched, the list would contain most faces of the game.
    fn faces_among(&self, faces: &[(ComponentId, Option<Seat>)]) -> Option<String> {
        let sorts = faces.chunk_by(|a, b| a == b).count();
        self.known_faces(faces).filter(|_| sorts <= MAX_LISTED_FACES)
    }

    /// Lists the faces known to be among a group of hidden pieces, such as a section of a pile. Returns `None` if no faces are known.
    fn known_faces(&self, faces: &[(ComponentId, Option<Seat>)]) -> Option<String> {
        let among: Vec<_> = faces.chunk_by(|a, b| a == b).map(|run| (run.len(), self.face(run[0]))).collect();
        (!among.is_empty()).then(|| counted(among))
    }

    /// Describes a piece by the faces that it may have. Returns `?` if `faces` is empty.
    fn one_of_faces(&self, faces: &[(ComponentId, Option<Seat>)]) -> String {
        let words: Vec<String> = faces.iter().map(|face| self.face(*face)).collect();
        if words.is_empty() { "?".to_owned() } else { format!("({})", words.join(" or ")) }
    }

    fn face(&self, (component, owner): (ComponentId, Option<Seat>)) -> String {
        let owner = owner.map_or_else(String::new, |owner| format!("{}.", self.seat(owner)));
        format!("{owner}{}", self.component(component))
    }

    fn piece(
        &self,
        space: SpaceId,
        place: usize,
        seen: &VisiblePiece<'_>,
        face: (ComponentId, Option<Seat>),
    ) -> String {
        let faces = &self.model.component(face.0).faces;
        let turned = match (seen.turned, seen.turned.and_then(|turned| faces.get(usize::from(turned)))) {
            (_, Some(shown)) => format!(" shown={}", shown_word(self.model, shown)),
            (None | Some(0), None) => String::new(),
            (Some(turned), None) => format!("~{turned}"),
        };
        let side = match (self.view.tells_side(space, place), seen.up) {
            (true, true) => " up",
            (true, false) => " down",
            (false, _) => "",
        };
        let mut word = format!("{}{turned}{side}", self.face(face));
        for value in (0..self.model.values.len()).map(ValueId::at) {
            let Some(raw) = self.view.piece_value(value, space, place) else { continue };
            if raw != self.model.value(value).start {
                let _ = write!(word, " {}={}", self.model.value(value).id, self.stored_text(value, raw));
            }
        }
        word
    }
}

/// Formats words with their counts.
fn counted(runs: impl IntoIterator<Item = (usize, String)>) -> String {
    let words = runs.into_iter().map(|(count, word)| if count == 1 { word } else { format!("{count} {word}") });
    words.collect::<Vec<_>>().join(", ")
}

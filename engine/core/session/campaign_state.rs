//! Text form of the state that a game of a campaign carries over to the next game. Each line contains the contents of one value or zone at
//! the end of the game. The next game starts with these contents.
//!
//! Values and zones are written as in rules, but with the number of the seat: `seat1.experience`, `trust[red]`, `seat2.deck`. The pieces of
//! a zone are listed from the top: `3 coin, seat1.knight~1 down wounds=2 [2,3]`.

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::library::State;
use crate::model::{
    Campaign, ComponentId, Model, NOTHING, Owner, PieceId, Seat, Setup, SpaceId, Value, ValueId, ValueType, ZoneId,
};
use crate::table::{End, Holder, Member, Table, TableError, holder_of};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

/// Carried values and zones, as pairs of name and contents in text form.
pub(super) type Carried = Vec<(String, String)>;

/// Returns the carried state of a table in text form.
pub(super) fn written(table: &Table, campaign: &Campaign) -> Carried {
    let names = NameIndex { model: table.model() };
    let mut found = Carried::new();
    for &id in &campaign.values {
        for (holder, place) in names.holders(id) {
            let slot = table.slot(id, holder).expect("a holder of a value has it");
            found.push((place, names.content(table, id, slot)));
        }
    }
    for (zone, place) in names.zones(campaign) {
        found.push((place, names.pieces(table, campaign, zone)));
    }
    found
}

/// Puts the carried state of a setup on the table.
///
/// # Errors
/// Returns a diagnostic for each line that names a value or zone which this game does not carry, or whose contents do not fit.
pub(super) fn place_carried_state(state: &mut State, setup: &Setup) -> Result<(), Diagnostics> {
    let mut carried = setup.carried().peekable();
    if carried.peek().is_none() {
        return Ok(());
    }
    let mut found = Diagnostics::default();
    let model = state.table.model().clone();
    let Some(campaign) = &model.campaign else {
        found.0.extend(
            carried.map(|line| CarriedLine::of(line).refused("this game has no `[campaign]` that carries anything")),
        );
        return Err(found);
    };
    let names = NameIndex { model: &model };
    let mut brought: Vec<(ZoneId, Vec<CarriedPiece>, CarriedLine)> = Vec::new();
    for written in carried {
        let line = CarriedLine::of(written);
        let read = if let Some((zone, _)) = names.zones(campaign).into_iter().find(|(_, place)| *place == written.0) {
            names.read_pieces(campaign, zone, &line).map(|pieces| brought.push((zone, pieces, line)))
        } else {
            names.set_value(&mut state.table, campaign, &line)
        };
        found.0.extend(read.err());
    }
    // A carried zone holds only the carried pieces. The pieces with which it would normally start go back to the box.
    let box_space = model.zone(ZoneId::at(0)).space();
    for (zone, ..) in &brought {
        let here: Vec<PieceId> = state.table.pieces(*zone).collect();
        for piece in here {
            state.table.move_piece(piece, box_space, End::Top, None).expect("the box takes every piece");
        }
    }
    let mut used = Vec::new();
    for (_, pieces, line) in &brought {
        // Pieces are listed from the top down but laid from the bottom up.
        for piece in pieces.iter().rev() {
            found.0.extend(piece.lay(&mut state.table, &mut used).err().map(|why| line.refused(&why)));
        }
    }
    if !found.0.is_empty() {
        return Err(found);
    }
    let table = &state.table;
    if used.iter().any(|piece| !table.is_watched_by_all(*piece)) {
        state.table.hide_what_is_hidden();
    }
    Ok(())
}

/// A line of carried state. Serves as the source of diagnostics about the line.
struct CarriedLine {
    source: Arc<Source>,
    place: Range<usize>,
}

impl CarriedLine {
    fn of((place, content): (&str, &str)) -> Self {
        let text = format!("{}{place}={content}", Setup::CARRY);
        let place = Setup::CARRY.len()..Setup::CARRY.len() + place.len();
        Self { source: Arc::new(Source { path: "--set".to_owned(), text }), place }
    }

    fn place(&self) -> &str {
        &self.source.text[self.place.clone()]
    }

    fn content(&self) -> &str {
        &self.source.text[self.place.end + 1..]
    }

    fn refused(&self, why: &str) -> Diagnostic {
        let place = Place { span: 0..self.source.text.len(), source: self.source.clone() };
        Diagnostic::error("not-carried", format!("`{}` cannot be carried over: {why}", self.place()))
            .mark(place, "brought here")
    }
}

/// A piece of the carried state that is to be put on the table.
struct CarriedPiece {
    print: (ComponentId, Option<Seat>),
    turned: u8,
    up: Option<bool>,
    space: SpaceId,
    values: Vec<(ValueId, i64)>,
}

impl CarriedPiece {
    fn lay(&self, table: &mut Table, used: &mut Vec<PieceId>) -> Result<(), String> {
        let (component, owner) = self.print;
        let is_it = |piece: &PieceId| {
            let is_like = table.component(*piece) == component && table.owner(*piece) == owner;
            is_like && !used.contains(piece)
        };
        let in_box = table.pieces(ZoneId::at(0)).find(is_it);
        let Some(piece) = in_box.or_else(|| table.all_pieces().find(is_it)) else {
            return Err(format!("there is no other `{}` in this game", table.model().component(component).id));
        };
        used.push(piece);
        table.lay(piece, self.space, self.turned, End::Top).map_err(|why| why.to_string())?;
        table.set_turned(piece, self.turned);
        if let Some(up) = self.up {
            table.turn_over(piece, up);
        }
        for (id, number) in &self.values {
            let slot = table.slot(*id, Holder::Piece(piece));
            if let Some(slot) = slot {
                table.set_value(*id, slot, *number).map_err(|why| why.to_string())?;
            }
        }
        Ok(())
    }
}

/// Converter between the text form of carried state and the items of a model.
struct NameIndex<'m> {
    model: &'m Model,
}

impl NameIndex<'_> {
    // ----- places

    /// Returns all holders of a value, each with the name of the value for this holder, such as `seat1.experience`.
    fn holders(&self, id: ValueId) -> Vec<(Holder, String)> {
        let value = self.model.value(id);
        // The values of pieces are written together with the pieces.
        let count = if matches!(value.owner, Owner::Piece(_)) { 0 } else { value.slots / value.width.max(1) };
        let all = (0..count).map(|at| holder_of(self.model, value, at));
        all.map(|holder| (holder, self.holder(holder, &value.id))).collect()
    }

    fn holder(&self, holder: Holder, name: &str) -> String {
        match holder {
            Holder::Game | Holder::Piece(_) => name.to_owned(),
            Holder::Seat(seat) => format!("{}.{name}", seat_word(seat)),
            Holder::Component(component) => format!("{}.{name}", self.component(component)),
            Holder::Space(space) => format!("{}.{name}", self.space(space)),
            Holder::Pair(one, other) => format!("{}.{name}[{}]", self.member(one), self.member(other)),
        }
    }

    fn member(&self, member: Member) -> String {
        match member {
            Member::Seat(seat) => seat_word(seat),
            Member::Component(component) => self.component(component),
        }
    }

    /// Returns the carried zones, each with its name, such as `seat2.deck`.
    fn zones(&self, campaign: &Campaign) -> Vec<(ZoneId, String)> {
        let of = campaign.families.iter().flat_map(|id| self.model.family(*id).zones.clone());
        of.map(ZoneId).map(|zone| (zone, self.zone(zone))).collect()
    }

    fn zone(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        found.seat.map_or_else(|| found.path.to_string(), |seat| format!("{}.{}", seat_word(seat), found.path))
    }

    fn space(&self, space: SpaceId) -> String {
        let zone = self.model.space(space).zone;
        let one = self.model.zone(zone).spaces.len() == 1;
        if one { self.zone(zone) } else { format!("{}[{}]", self.zone(zone), self.label(space)) }
    }

    fn label(&self, space: SpaceId) -> String {
        self.model.space(space).label.to_string()
    }

    fn component(&self, component: ComponentId) -> String {
        self.model.component(component).id.to_string()
    }

    // ----- values

    fn content(&self, table: &Table, id: ValueId, slot: usize) -> String {
        if self.model.value(id).most.is_none() {
            return self.format_raw(id, table.value(slot));
        }
        let entries: Vec<String> = table.entries(id, slot).iter().map(|raw| self.format_raw(id, *raw)).collect();
        format!("[{}]", entries.join(", "))
    }

    fn format_raw(&self, id: ValueId, raw: i64) -> String {
        if raw == Value::NOTHING {
            return NOTHING.to_owned();
        }
        match &self.model.value(id).kind {
            ValueType::Number | ValueType::Piece => raw.to_string(),
            ValueType::Flag => if raw == 0 { "no" } else { "yes" }.to_owned(),
            ValueType::Word(words) => words[raw as usize].to_string(),
            ValueType::Seat => seat_word(Seat(raw as u8)),
            ValueType::Component(_) => self.component(ComponentId(raw as u16)),
            ValueType::Space(_) => self.space(SpaceId(raw as u16)),
        }
    }

    fn read_raw(&self, id: ValueId, text: &str) -> Option<i64> {
        let value = self.model.value(id);
        let is_reference = matches!(value.kind, ValueType::Seat | ValueType::Component(_) | ValueType::Space(_));
        if text == NOTHING && is_reference {
            return Some(Value::NOTHING);
        }
        match &value.kind {
            ValueType::Number => text.parse().ok(),
            ValueType::Flag => ["no", "yes"].iter().position(|word| *word == text).map(|at| at as i64),
            ValueType::Word(words) => words.iter().position(|word| **word == *text).map(|at| at as i64),
            ValueType::Seat => self.seat(text).map(|seat| i64::from(seat.0)),
            ValueType::Component(kind) => {
                let found = self.model.find_component(text)?;
                kind.is_none_or(|kind| self.model.component(found).kind == kind).then_some(i64::from(found.0))
            }
            ValueType::Space(family) => {
                let of = |space: &SpaceId| {
                    let zone = self.model.zone(self.model.space(*space).zone);
                    family.is_none_or(|family| zone.family == family)
                };
                let mut all = (0..self.model.spaces.len()).map(SpaceId::at).filter(of);
                all.find(|space| self.space(*space) == text).map(|space| i64::from(space.0))
            }
            ValueType::Piece => None,
        }
    }

    fn seat(&self, word: &str) -> Option<Seat> {
        self.model.all_seats().find(|seat| seat_word(*seat) == word)
    }

    fn set_value(&self, table: &mut Table, campaign: &Campaign, line: &CarriedLine) -> Result<(), Diagnostic> {
        let mut held = campaign.values.iter().flat_map(|id| self.holders(*id).into_iter().map(move |one| (*id, one)));
        let Some((id, (holder, _))) = held.find(|(_, (_, place))| place == line.place()) else {
            return Err(self.not_carried(campaign, line));
        };
        let value = self.model.value(id);
        let read = |text: &str| {
            let raw = self.read_raw(id, text);
            raw.ok_or_else(|| line.refused(&format!("`{}` cannot be `{text}`", value.id)))
        };
        let slot = table.slot(id, holder).expect("a holder of a value has it");
        let refused = |why: TableError| line.refused(&why.to_string());
        if value.most.is_none() {
            let wanted = read(line.content())?;
            table.set_value(id, slot, wanted).map_err(refused)?;
            // A number outside the bounds of the value is rejected too, although `set_value` would clamp it.
            if table.value(slot) != wanted {
                return Err(line.refused(&format!("`{}` stops at {}", value.id, table.value(slot))));
            }
            return Ok(());
        }
        let listed = line.content().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let Some(listed) = listed else {
            return Err(line.refused(&format!("`{}` is a list, written as `[a, b]`", value.id)));
        };
        let entries: Vec<i64> = split(listed).into_iter().map(read).collect::<Result<_, _>>()?;
        table.set_entries(id, slot, &entries).map_err(refused)
    }

    fn not_carried(&self, campaign: &Campaign, line: &CarriedLine) -> Diagnostic {
        let values = campaign.values.iter().flat_map(|id| self.holders(*id)).map(|(_, place)| place);
        let all: Vec<String> = values.chain(self.zones(campaign).into_iter().map(|(_, place)| place)).collect();
        let found = line.refused("this game does not carry it over");
        match crate::diagnostic::nearest(line.place(), all.iter().map(String::as_str)) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None if all.is_empty() => found,
            None => found.help(format!(
                "carried over are {}",
                all.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(", ")
            )),
        }
    }

    // ----- pieces

    /// Formats the pieces of a zone. Higher layers come first. Within a layer, pieces are listed space by space, from the top down.
    fn pieces(&self, table: &Table, campaign: &Campaign, zone: ZoneId) -> String {
        let mut all: Vec<PieceId> = table.pieces(zone).collect();
        all.sort_by_key(|piece| std::cmp::Reverse(table.layer(*piece)));
        let mut runs: Vec<(usize, String)> = Vec::new();
        for piece in all {
            let word = self.piece(table, campaign, piece);
            match runs.last_mut() {
                Some((count, last)) if *last == word => *count += 1,
                _ => runs.push((1, word)),
            }
        }
        if runs.is_empty() {
            return NOTHING.to_owned();
        }
        let words = runs.into_iter().map(|(count, word)| if count == 1 { word } else { format!("{count} {word}") });
        words.collect::<Vec<_>>().join(", ")
    }

    fn piece(&self, table: &Table, campaign: &Campaign, piece: PieceId) -> String {
        let owner = table.owner(piece).map_or_else(String::new, |owner| format!("{}.", seat_word(owner)));
        let mut word = format!("{owner}{}", self.component(table.component(piece)));
        let (space, zone) = (table.space_of(piece), table.zone_of(piece));
        if table.turned(piece) > 0 {
            let _ = write!(word, "~{}", table.turned(piece));
        }
        if table.is_up(piece) != self.model.family_of(zone).face_up {
            word.push_str(if table.is_up(piece) { " up" } else { " down" });
        }
        for &id in &campaign.values {
            let Some(slot) = table.slot(id, Holder::Piece(piece)) else { continue };
            if table.value(slot) != self.model.value(id).start {
                let _ = write!(word, " {}={}", self.model.value(id).id, self.format_raw(id, table.value(slot)));
            }
        }
        if self.model.zone(zone).spaces.len() > 1 {
            let _ = write!(word, " [{}]", self.label(space));
        }
        word
    }

    fn read_pieces(
        &self,
        campaign: &Campaign,
        zone: ZoneId,
        line: &CarriedLine,
    ) -> Result<Vec<CarriedPiece>, Diagnostic> {
        if line.content() == NOTHING {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for text in split(line.content()) {
            let refused = |why: String| line.refused(&why);
            let (count, text) = match text.split_once(' ') {
                Some((count, rest)) if count.bytes().all(|byte| byte.is_ascii_digit()) => (count.parse().ok(), rest),
                _ => (Some(1), text),
            };
            let count = count.filter(|count: &usize| *count <= self.model.pieces.len());
            let Some(count) = count else { return Err(refused("there are not as many pieces".to_owned())) };
            for _ in 0..count {
                found.push(self.read_piece(campaign, zone, text).map_err(refused)?);
            }
        }
        Ok(found)
    }

    fn read_piece(&self, campaign: &Campaign, zone: ZoneId, text: &str) -> Result<CarriedPiece, String> {
        let (text, label) = match text.strip_suffix(']').and_then(|text| text.rsplit_once(" [")) {
            Some((text, label)) => (text, Some(label)),
            None => (text, None),
        };
        let mut words = text.split(' ');
        let (face, turned) = match words.next().unwrap_or_default().split_once('~') {
            Some((face, turned)) => (face, turned.parse::<u8>().map_err(|_| format!("`{turned}` is not a rotation"))?),
            None => (first_word(text), 0),
        };
        let (owner, name) = match face.split_once('.') {
            Some((owner, name)) => (Some(self.seat(owner).ok_or_else(|| format!("there is no `{owner}`"))?), name),
            None => (None, face),
        };
        let component = self.model.find_component(name).ok_or_else(|| format!("this game has no `{name}`"))?;
        let faces = self.model.component(component).faces.len();
        let turns = if faces > 0 { faces } else { usize::from(self.model.cells.turns()) };
        if usize::from(turned) >= turns {
            return Err(format!("`{face}` cannot be turned {turned} times"));
        }
        let spaces = self.model.zone(zone).spaces.clone().map(SpaceId);
        let space = match label {
            None => spaces.clone().next(),
            Some(label) => spaces.clone().find(|space| self.label(*space) == label),
        };
        let space = space.ok_or_else(|| format!("it has no space `{}`", label.unwrap_or_default()))?;
        let mut up = None;
        let mut values = Vec::new();
        for word in words {
            match (word, word.split_once('=')) {
                ("up", _) => up = Some(true),
                ("down", _) => up = Some(false),
                (_, Some((value, content))) => {
                    let of_pieces = |id: &&ValueId| {
                        let known = self.model.value(**id);
                        matches!(known.owner, Owner::Piece(_)) && *known.id == *value
                    };
                    let id =
                        campaign.values.iter().find(of_pieces).ok_or_else(|| format!("pieces carry no `{value}`"))?;
                    let raw = self.read_raw(*id, content).ok_or_else(|| format!("`{value}` cannot be `{content}`"))?;
                    values.push((*id, raw));
                }
                _ => return Err(format!("`{word}` is not a property of a piece")),
            }
        }
        Ok(CarriedPiece { print: (component, owner), turned, up, space, values })
    }
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Splits a list at `, `. Commas inside a label have no space after them.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split(", ").collect() }
}

/// Returns the name of a seat in carried state, such as `seat1`.
fn seat_word(seat: Seat) -> String {
    format!("seat{}", seat.number())
}

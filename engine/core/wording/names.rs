//! Names of the objects in a game: in natural language, and in the notation of playscripts.

use super::listing::{shown_word, space_path, zone_path};
use super::statement::Face;
use crate::decision::{Appearance, Choice, Name, Pass, appearances};
use crate::model::Setup;
use crate::model::{
    ComponentId, Decision as Declared, DecisionId, Family, FamilyId, FieldValue, KindId, Label, Language, Model,
    PartType, PieceId, Seat, Space, SpaceId, Text, ValueId, ValueType, ZoneId,
};
use crate::phrases::{Log, Phrases, filled};
use crate::table::{Layout, SeatSet, Table};
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// The reader of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// A reader who may see everything.
    All,
    /// The player in a seat.
    Seat(SeatSet),
    /// A spectator, who knows what all seats know.
    Onlooker(SeatSet),
}

impl Reader {
    /// Returns whether the reader knows a fact that the given seats know.
    pub(super) const fn knows(self, seats: SeatSet) -> bool {
        match self {
            Self::All => true,
            Self::Seat(seat) => seats & seat != 0,
            Self::Onlooker(everybody) => seats == everybody,
        }
    }
}

/// Formatter of names and events for one reader.
#[derive(Debug, Clone)]
pub struct Wording {
    pub(super) model: Arc<Model>,
    pub(super) reader: Reader,
    pub(super) log: &'static Log,
    setup: Setup,
    pub(super) language: Language,
    /// Maximum width of a map, in characters.
    pub(super) map_width: usize,
}

/// Returns whether a character is a symbol that is not on every keyboard.
fn is_foreign_symbol(character: char) -> bool {
    !character.is_ascii() && !character.is_alphanumeric()
}

/// Maximum width of a map in characters, unless the terminal is narrower.
const MAP_WIDTH: usize = 92;

/// Appearance of the pieces in an answer or event, by piece.
pub(super) type Appearances<'a> = &'a [(PieceId, Appearance)];

/// Context that determines how a value in an answer is formatted: the part of the answer that contains the value, and the seat that
/// answers. Zones and spaces are abbreviated if the context leaves only one possibility.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    part: PartType,
    asked_seat: Option<Seat>,
}

impl Slot {
    /// Slot of a value outside an answer, or in a part that accepts any value.
    pub(super) const ANY: Self = Self { part: PartType::Any, asked_seat: None };

    /// Creates the slot of a part in the answer of a seat.
    pub(super) const fn new(part: PartType, asked_seat: Seat) -> Self {
        Self { part, asked_seat: Some(asked_seat) }
    }

    /// Returns the family of zones to which the part is limited, if there is one.
    const fn family(self) -> Option<FamilyId> {
        match self.part {
            PartType::Family(family) => Some(family),
            _ => None,
        }
    }
}

impl Wording {
    /// Creates a wording for a reader who may see everything.
    pub fn new(model: Arc<Model>, setup: Setup, language: Language) -> Self {
        let log = &Phrases::for_language(language).log;
        Self { model, setup, language, reader: Reader::All, log, map_width: MAP_WIDTH }
    }

    /// Creates a wording for printed materials. Since there are no players yet, seats are called by their numbers.
    pub fn printed(model: Arc<Model>, language: Language) -> Self {
        let called = Phrases::for_language(language).look.player;
        let name = |seat: Seat| filled(called, &[("number", &seat.number() as &dyn Display)]);
        let names = model.all_seats().map(name).collect();
        let setup = Setup { names, ..Setup::seats(model.seats) };
        Self::new(model, setup, language)
    }

    /// Limits the lines of maps to a number of characters. Wider maps are drawn in parts.
    #[must_use]
    pub fn with_map_width(mut self, characters: usize) -> Self {
        self.map_width = characters.min(MAP_WIDTH);
        self
    }

    /// Restricts the wording to what the player in a seat knows.
    #[must_use]
    pub fn for_seat(mut self, seat: Seat) -> Self {
        self.reader = Reader::Seat(Layout::only(seat));
        self
    }

    /// Restricts the wording to what spectators know, which is what all seats know.
    #[must_use]
    pub fn for_onlookers(mut self) -> Self {
        self.reader = Reader::Onlooker(self.model.all_seats().fold(0, |all, seat| all | Layout::only(seat)));
        self
    }

    /// Returns the name of the player in a seat.
    pub fn seat(&self, seat: Seat) -> &str {
        self.setup.name(seat)
    }

    /// Returns the name of a seat's team; `None` without teams.
    pub fn team(&self, seat: Seat) -> Option<&str> {
        let team = self.model.team_of(seat)?;
        Some(self.model.component(team.component).name.get(self.language))
    }

    /// Formats an answer for people, in the order of the decision's parts.
    pub(super) fn answer(
        &self,
        asked_seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        appearances: Appearances<'_>,
    ) -> String {
        let declared = &self.model.decisions[decision.index()];
        let Choice::Parts(parts) = choice else {
            let part = if let [(_, part)] = declared.parts.as_slice() { *part } else { PartType::Any };
            return self.thing(choice, Slot::new(part, asked_seat), appearances);
        };
        let texts = ordered(declared, parts).map(|(name, part, value)| {
            self.worded_part(name, &self.thing(value, Slot::new(part, asked_seat), appearances))
        });
        texts.collect::<Vec<_>>().join(self.log.comma)
    }

    /// Formats a part of an option: its display name, then `value`.
    pub(super) fn worded_part(&self, name: &str, value: &str) -> String {
        format!("{} {value}", self.named_word(name))
    }

    /// Returns a text in the reader's language.
    pub(super) fn text<'t>(&self, text: &'t Text) -> &'t str {
        text.get(self.language)
    }

    /// Returns the display name of a word in the game's files.
    pub fn named_word(&self, word: &str) -> String {
        self.model.named_word(word, self.language)
    }

    /// Returns the name of a part of a score. This is the name of the value or word with the same id.
    pub fn part_of_score(&self, part: &str) -> String {
        self.model.part_of_score(part, self.language)
    }

    /// Formats any value in the notation of playscripts.
    pub fn plain(&self, table: &Table, choice: &Choice) -> String {
        self.short_notation(&appearances(table, choice), choice, Slot::ANY)
    }

    /// Formats the answer of a seat in the notation of playscripts.
    pub fn written_answer(
        &self,
        asked_seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        appearances: &[(PieceId, Appearance)],
    ) -> String {
        let declared = &self.model.decisions[decision.index()];
        match choice {
            Choice::Nothing => Pass::Pass.word().to_owned(),
            Choice::Parts(parts) if !parts.is_empty() => {
                let texts = ordered(declared, parts).map(|(name, part, value)| {
                    format!("{name}={}", self.short_notation(appearances, value, Slot::new(part, asked_seat)))
                });
                texts.collect::<Vec<_>>().join(" ")
            }
            other => self.short_notation(appearances, other, Slot::ANY),
        }
    }

    /// Formats each item of an answer in the notation of playscripts. An answer that is not a list counts as one item.
    pub fn written_picks(
        &self,
        asked_seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        appearances: &[(PieceId, Appearance)],
    ) -> Vec<String> {
        match choice {
            Choice::Many(all) => {
                all.iter().map(|one| self.written_answer(asked_seat, decision, one, appearances)).collect()
            }
            one => vec![self.written_answer(asked_seat, decision, one, appearances)],
        }
    }

    /// Formats a choice in the notation of playscripts. Zones and spaces are written by their labels instead of their paths if the label is
    /// unambiguous in `slot`.
    pub(super) fn short_notation(&self, appearances: Appearances<'_>, choice: &Choice, slot: Slot) -> String {
        match choice {
            Choice::Zone(zone) => {
                self.zone_label(*zone, slot).unwrap_or_else(|| zone_path(&self.model, &self.setup, *zone))
            }
            Choice::Space(space) => self.space_label(*space, slot).unwrap_or_else(|| self.space_path(*space)),
            Choice::Component(component) => self.model.component(*component).id.to_string(),
            Choice::Piece(piece) => self.short_piece(appearances, *piece),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Many(all) if all.is_empty() => "[]".to_owned(),
            Choice::Parts(parts) if parts.is_empty() => "{}".to_owned(),
            Choice::Many(all) => {
                all.iter().map(|one| self.short_notation(appearances, one, Slot::ANY)).collect::<Vec<_>>().join(" + ")
            }
            Choice::Parts(parts) => {
                let texts = parts
                    .iter()
                    .map(|(name, value)| format!("{name}={}", self.short_notation(appearances, value, Slot::ANY)));
                texts.collect::<Vec<_>>().join(" ")
            }
            Choice::Nothing => "nothing".to_owned(),
            Choice::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Choice::Number(number) => number.to_string(),
            // Escapes words that could not be read back from a line.
            Choice::Word(word) if word.trim().is_empty() || word.contains(char::is_control) => format!("{:?}", &**word),
            // Outside of quotes, symbols such as a full-width comma are reported as typing errors.
            Choice::Word(word) if word.contains(is_foreign_symbol) => format!("\"{word}\""),
            Choice::Word(word) => word.to_string(),
        }
    }

    fn short_piece(&self, appearances: Appearances<'_>, piece: PieceId) -> String {
        let Some((_, look)) = appearances.iter().find(|(known, _)| *known == piece) else { return "piece".to_owned() };
        let place = self.space_path(look.space);
        if !self.knows(look) {
            return format!("{place}#{}", look.depth + 1);
        }
        let component = self.model.component(look.component);
        let shown = component.faces.get(usize::from(look.turned)).filter(|_| self.knows_turn(look));
        let id = match shown {
            Some(shown) => format!("{}:{}", component.id, shown_word(&self.model, shown)),
            None => component.id.to_string(),
        };
        let owner = look.owner.map(|owner| format!("{}.", self.seat(owner))).unwrap_or_default();
        let zone = self.model.space(look.space).zone;
        let is_lone_pile = self.model.zone(zone).spaces.len() == 1 && self.copy_of(zone).is_none();
        if self.is_among(look.twins) {
            format!("{owner}{id}@{place}#{}", look.depth + 1)
        } else if is_lone_pile && !self.is_among(look.elsewhere) {
            format!("{owner}{id}")
        } else {
            format!("{owner}{id}@{place}")
        }
    }

    /// Returns whether the reader knows a fact that the given seats know. Returns `false` if no seat knows the fact.
    fn is_among(&self, seats: SeatSet) -> bool {
        seats != 0 && self.reader.knows(seats)
    }

    // ----- values, for people

    /// Formats a script value for people.
    pub(super) fn thing(&self, choice: &Choice, slot: Slot, appearances: Appearances<'_>) -> String {
        match choice {
            Choice::Nothing => self.log.nothing.to_owned(),
            Choice::Many(all) if all.is_empty() => self.log.nothing.to_owned(),
            Choice::Parts(parts) if parts.is_empty() => self.log.nothing.to_owned(),
            Choice::Flag(flag) => self.log.flag(*flag).to_owned(),
            Choice::Number(number) => number.to_string(),
            Choice::Word(word) if word.trim().is_empty() => format!("\"{word}\""),
            Choice::Word(word) => self.word_apart(word),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Zone(zone) => self.zone_among(*zone, slot).unwrap_or_else(|| self.zone_name(*zone)),
            Choice::Space(space) => self.space_among(*space, slot).unwrap_or_else(|| self.space_name(*space)),
            Choice::Component(component) => self.component_apart(*component),
            Choice::Piece(piece) => match appearances.iter().find(|(known, _)| known == piece) {
                Some((_, look)) => self.look(look),
                None => self.log.piece.to_owned(),
            },
            Choice::Parts(parts) => {
                let texts = parts
                    .iter()
                    .map(|(name, value)| self.worded_part(name, &self.thing(value, Slot::ANY, appearances)));
                texts.collect::<Vec<_>>().join(self.log.comma)
            }
            Choice::Many(all) => {
                let all = all.iter().map(|one| self.thing(one, Slot::ANY, appearances));
                all.collect::<Vec<_>>().join(self.log.comma)
            }
        }
    }

    /// Returns the name of a component.
    pub fn component(&self, component: ComponentId) -> &str {
        self.text(&self.model.component(component).name)
    }

    /// Formats a label for people.
    pub fn label(&self, label: &Label) -> String {
        match label {
            Label::Word(word) => self.named_word(word),
            label => label.to_string(),
        }
    }

    /// Formats a label for people. Adds the label itself if another label of `all` has the same text.
    fn label_among<'l>(&self, label: &Label, mut all: impl Iterator<Item = &'l Label>) -> String {
        let text = self.label(label);
        let is_word = matches!(label, Label::Word(_));
        if is_word && all.any(|other| other != label && self.label(other) == text) {
            self.log.remarked(&text, &label.to_string())
        } else {
            text
        }
    }

    /// Formats the label of one of a family's copies for people. Adds the label itself if another copy's label has the same text.
    fn copy_text(&self, family: &Family, label: &Label) -> String {
        self.label_among(label, family.copies.iter().flatten())
    }

    /// Returns whether the reader knows the face of a piece.
    pub(super) fn knows(&self, look: &Appearance) -> bool {
        self.reader.knows(look.known)
    }

    /// Describes a piece by its face. Adds the remarks that tell the piece apart from others:
    ///
    /// * its id, if another component has the same name
    /// * its zone, if the zone is one of several copies and has a single space, or if an equal piece is in another zone
    /// * its space, if the zone has several spaces
    /// * its side, or its position in the stack, if a similar piece is in the same space
    /// * its position in the stack, if the reader does not know the piece and its zone is one of several copies
    pub(super) fn look(&self, look: &Appearance) -> String {
        let face = self.face(look).unwrap_or_else(|| self.hidden(look.component));
        let zone = self.model.space(look.space).zone;
        let is_copy = self.copy_of(zone).is_some();
        let mut remarks = Vec::new();
        if self.knows(look) && self.shares_name(look.component) {
            remarks.push(self.model.component(look.component).id.to_string());
        }
        let is_single = self.model.zone(zone).spaces.len() == 1;
        if is_single && is_copy || self.is_among(look.other_zone) {
            remarks.push(self.zone_name(zone));
        }
        if !is_single {
            remarks.push(self.space_label_text(look.space));
        }
        // If the reader sees the number on a die, it does not matter which die it is.
        let is_die = !self.model.component(look.component).faces.is_empty() && self.knows_turn(look);
        let is_twin = self.is_among(look.twins) && !is_die;
        if self.model.family_of(zone).shape.is_unordered() {
            let lies = if look.is_up { self.log.face_up } else { self.log.face_down };
            // Pieces with the same side up get the same text, even if they differ in another way.
            let is_other_side = is_twin && self.is_among(look.other_side);
            remarks.extend(is_other_side.then(|| lies.to_owned()));
        } else if is_twin || is_copy && !self.knows(look) {
            remarks.push(self.language.nth_from_below(usize::from(look.depth) + 1));
        }
        if remarks.is_empty() { face } else { self.log.remarked(&face, &remarks.join(self.log.comma)) }
    }

    /// Describes a piece whose face the reader does not know. Its back may show the kind.
    pub(super) fn hidden(&self, component: ComponentId) -> String {
        let kind = self.model.kind_of(component);
        let has_twin = self.model.kinds.iter().filter(|other| other.back == kind.back).count() == 1;
        if has_twin && kind.components.len() > 1 {
            self.log.hidden_one(self.text(&kind.name))
        } else {
            self.log.hidden_piece.to_owned()
        }
    }

    /// Returns the word for a round: the game's own word for `round`, or the default.
    pub(super) fn round_word(&self) -> String {
        let own = self.model.words.get("round").map(|text| self.text(text));
        own.unwrap_or(self.log.round_word).to_owned()
    }

    /// Returns the heading of a round.
    pub fn round(&self, number: i64) -> String {
        self.log.round(number, &self.round_word())
    }

    /// Describes a number of rounds.
    pub fn rounds(&self, number: i64) -> String {
        self.log.rounds(number, &self.round_word())
    }

    /// Describes an option of the game and its chosen value.
    pub fn chosen_option(&self, name: &str, value: &str) -> String {
        let called = self.model.options.get(name).map_or(name, |option| self.text(&option.name));
        format!("{called}{}{}", self.log.colon, self.named_word(value))
    }

    /// Describes a piece by its face. Returns `None` if the reader does not know the face.
    pub(super) fn face(&self, look: &Appearance) -> Option<String> {
        self.seen_face(look).map(|face| self.face_of(face))
    }

    /// Returns the face of a piece. Returns `None` if the reader does not know the face.
    pub(super) fn seen_face(&self, look: &Appearance) -> Option<Face> {
        let turned = self.knows_turn(look).then_some(look.turned);
        self.knows(look).then_some(Face { component: look.component, owner: look.owner, turned })
    }

    /// Returns whether the reader knows how a piece is turned.
    fn knows_turn(&self, look: &Appearance) -> bool {
        self.reader.knows(look.turn_known)
    }

    /// Describes the visible face of a piece.
    pub(super) fn face_of(&self, face: Face) -> String {
        let name = self.as_shown(face.component, face.turned);
        face.owner.map_or_else(|| name.clone(), |owner| self.of_seat(owner, &name))
    }

    /// Returns the name of a component. For a die, adds the face that it shows, if known. If another face of the die has the same text, also
    /// adds the face in the notation of playscripts.
    pub fn as_shown(&self, component: ComponentId, turned: Option<u8>) -> String {
        let name = self.component(component);
        let faces = &self.model.component(component).faces;
        let Some(shown) = turned.and_then(|turned| faces.get(usize::from(turned))) else { return name.to_owned() };
        let text = self.field(shown);
        let is_alike = |other: &FieldValue| other != shown && self.field(other) == text;
        let text =
            if faces.iter().any(is_alike) { self.log.remarked(&text, &shown_word(&self.model, shown)) } else { text };
        format!("{name} {text}")
    }

    fn of_seat(&self, seat: Seat, what: &str) -> String {
        self.language.possessive(self.seat(seat), what)
    }

    /// Describes a zone within its family: by the label of its copy, or else by its component. A zone with several components is described
    /// by its full name, and a zone without components by the name of the family.
    fn zone_within(
        &self,
        zone: ZoneId,
        label: impl Fn(&Label) -> String,
        owner: impl Fn(ComponentId) -> String,
    ) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        match (found.of, copy_label(family, found.copy)) {
            (_, Some(copy)) => label(copy),
            _ if !found.others.is_empty() => self.zone_name(zone),
            (Some(component), None) => owner(component),
            (None, None) => self.text(&family.name).to_owned(),
        }
    }

    /// Returns the zones of a part's family that are possible if no owner is named: the zones of the answering seat, and the zones without
    /// an owner.
    fn zones_meant(&self, slot: Slot) -> impl Iterator<Item = ZoneId> + '_ {
        let family = slot.family().map(|family| self.model.family(family).zones.clone()).unwrap_or_default();
        family
            .map(ZoneId)
            .filter(move |zone| self.model.zone(*zone).seat.is_none_or(|seat| Some(seat) == slot.asked_seat))
    }

    /// Returns `text(zone)` if the text is unambiguous in `slot`. Returns `None` if another zone that is possible in this slot has the same
    /// text, or if the slot is not limited to a family.
    fn zone_text(&self, zone: ZoneId, slot: Slot, text: impl Fn(ZoneId) -> String) -> Option<String> {
        slot.family()?;
        let own = text(zone);
        let mut alike = self.zones_meant(slot).filter(|other| text(*other) == own);
        (alike.next() == Some(zone) && alike.next().is_none()).then_some(own)
    }

    fn zone_label(&self, zone: ZoneId, slot: Slot) -> Option<String> {
        self.zone_text(zone, slot, |zone| {
            self.zone_within(zone, ToString::to_string, |owner| self.component(owner).to_owned())
        })
    }

    fn zone_among(&self, zone: ZoneId, slot: Slot) -> Option<String> {
        self.zone_text(zone, slot, |zone| self.zone_label_text(zone))
    }

    /// Returns whether the label of a space is unambiguous in `slot`, because only one zone is possible there.
    fn is_label_enough(&self, space: SpaceId, slot: Slot) -> bool {
        let mut zones = self.zones_meant(slot);
        zones.next() == Some(self.model.space(space).zone) && zones.next().is_none()
    }

    fn space_label(&self, space: SpaceId, slot: Slot) -> Option<String> {
        self.is_label_enough(space, slot).then(|| self.model.space(space).label.to_string())
    }

    fn space_among(&self, space: SpaceId, slot: Slot) -> Option<String> {
        self.is_label_enough(space, slot).then(|| self.space_label_text(space))
    }

    /// Returns whether another component has the same name in the reader's language. A component that is in the box is not confused with
    /// one that is not, such as a card for other numbers of players.
    fn shares_name(&self, component: ComponentId) -> bool {
        let name = self.component(component);
        let is_in_box = |id: ComponentId| self.model.component(id).count > 0;
        (0..self.model.components.len())
            .map(ComponentId::at)
            .filter(|other| *other != component && (is_in_box(*other) || !is_in_box(component)))
            .any(|other| self.component(other) == name)
    }

    /// Returns the name of a component. Adds its id if another component has the same name.
    pub(super) fn component_apart(&self, component: ComponentId) -> String {
        let name = self.component(component);
        if self.shares_name(component) {
            self.log.remarked(name, &self.model.component(component).id)
        } else {
            name.to_owned()
        }
    }

    /// Returns the display name of a word. Adds the word itself if another word of the game has the same display name.
    fn word_apart(&self, word: &str) -> String {
        let text = self.named_word(word);
        let is_alike = |(other, name): (&Arc<str>, &Text)| **other != *word && self.text(name) == text;
        if self.model.words.iter().any(is_alike) { self.log.remarked(&text, word) } else { text }
    }

    /// Describes a zone by its name, owner and components. Adds its label if it is one of several copies.
    pub fn zone_name(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        let mut name = self.text(&family.name).to_owned();
        if let (Some(component), None) = (found.of, found.seat) {
            name = self.language.possessive(&self.component_apart(component), &name);
        }
        if let Some(label) = self.copy_of(zone) {
            let _ = write!(name, " {}", self.copy_text(family, label));
        }
        if let Some(seat) = found.seat {
            name = self.of_seat(seat, &name);
        }
        // If the zone has no owner, the name already contains the zone's first component.
        let further = found.components().skip(usize::from(found.seat.is_none()));
        further.fold(name, |name, component| self.log.remarked(&name, &self.component_apart(component)))
    }

    /// Returns the label of a zone if it is one of several copies.
    pub(super) fn copy_of(&self, zone: ZoneId) -> Option<&Label> {
        let family = self.model.family_of(zone);
        let is_one_of_several = family.copies.as_ref().is_some_and(|copies| copies.len() > 1);
        copy_label(family, self.model.zone(zone).copy).filter(|_| is_one_of_several)
    }

    /// Describes a space by its zone and label.
    pub fn space_name(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let zone = self.zone_name(found.zone);
        if self.model.zone(found.zone).spaces.len() == 1 {
            zone
        } else {
            self.log.remarked(&zone, &self.space_label_text(space))
        }
    }

    /// Describes a space within its zone for people. Uses the field that names the space, and adds the label if other spaces have the same
    /// text. Without such a field, uses the label.
    pub fn space_label_text(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let labels = self.model.zone(found.zone).spaces.clone().map(|at| &self.model.space(SpaceId(at)).label);
        let label = self.label_among(&found.label, labels);
        let field = self.model.family_of(found.zone).reads.as_ref();
        let read = |space: &Space| field.and_then(|field| space.fields.get(field)).map(|printed| self.field(printed));
        if field.is_none() {
            return label;
        }
        let shown =
            |space: &Space| read(space).filter(|text| !text.is_empty()).unwrap_or_else(|| self.label(&space.label));
        let text = shown(found);
        let spaces = self.model.zone(found.zone).spaces.clone().map(|at| self.model.space(SpaceId(at)));
        if text != label && spaces.map(shown).filter(|other| *other == text).count() > 1 {
            format!("{text} [{label}]")
        } else {
            text
        }
    }

    /// Describes a zone within its family for people: by its label or its component. A zone with several components is described by its
    /// full name, and a zone with neither by the name of the family.
    pub fn zone_label_text(&self, zone: ZoneId) -> String {
        let family = self.model.family_of(zone);
        self.zone_within(zone, |label| self.copy_text(family, label), |owner| self.component_apart(owner))
    }

    /// Formats a space in the notation of playscripts: `lots[2]`, `Ann.hand`, `board[2,3]`.
    pub fn space_path(&self, space: SpaceId) -> String {
        space_path(&self.model, &self.setup, space)
    }

    /// Formats a field's value for people.
    pub fn field(&self, value: &FieldValue) -> String {
        match value {
            FieldValue::Number(number) => number.to_string(),
            FieldValue::Word(word) | FieldValue::Function(word) => self.named_word(word),
            FieldValue::Component(component) => self.component(*component).to_owned(),
            FieldValue::Flag(flag) => self.log.flag(*flag).to_owned(),
            FieldValue::List(list) => {
                list.iter().map(|entry| self.field(entry)).collect::<Vec<_>>().join(self.log.comma)
            }
            FieldValue::Record(parts) => parts.values().map(|part| self.field(part)).collect::<Vec<_>>().join(" "),
            FieldValue::Nothing => String::new(),
        }
    }

    /// Returns the name of a field: the game's word for it, or the name of the kind or value with the same id.
    pub fn field_name(&self, field: &str) -> String {
        let kind = || self.model.kinds.iter().find(|kind| &*kind.id == field).map(|kind| &kind.name);
        let value = || self.model.values.iter().find(|value| &*value.id == field).map(|value| &value.name);
        let own = (!self.model.words.contains_key(field)).then(|| kind().or_else(value)).flatten();
        own.map_or_else(|| self.named_word(field), |name| self.text(name).to_owned())
    }

    /// Returns the name of a family of zones.
    pub fn family_name(&self, family: &Family) -> String {
        self.text(&family.name).to_owned()
    }

    /// Returns the reader's language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the name of a kind.
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.text(&self.model.kinds[kind.index()].name)
    }

    /// Returns the name of a quantity that pieces in force can alter.
    pub fn altered(&self, what: &str) -> String {
        self.model.altered.get(what).map_or_else(|| self.named_word(what), |name| self.text(name).to_owned())
    }

    /// Describes the costs of an option. `parts` are the costs with optional names. `altered` are the components that altered the costs,
    /// each with its change.
    pub fn costs(&self, parts: &[(Option<Arc<str>>, i64)], altered: &[(ComponentId, String)]) -> String {
        let part = |(name, number): &(Option<Arc<str>>, i64)| match name {
            Some(name) => format!("{} {number}", self.part_of_score(name)),
            None => filled(self.log.costs, &[("number", number)]),
        };
        let texts = parts.iter().map(part).collect::<Vec<_>>().join(self.log.comma);
        let by = |(component, change): &(ComponentId, String)| format!("{} {change}", self.component(*component));
        if altered.is_empty() {
            return texts;
        }
        self.remarked(&texts, &altered.iter().map(by).collect::<Vec<_>>().join(self.log.comma))
    }

    /// Returns the separator between the entries of a list.
    pub fn comma(&self) -> &'static str {
        self.log.comma
    }

    /// Appends a remark in parentheses to `what`.
    pub fn remarked(&self, what: &str, remark: &str) -> String {
        self.log.remarked(what, remark)
    }

    /// Like [`Wording::value`], but appends the label of the space if the value is a space that is described by a field.
    pub(super) fn value_in_full(&self, id: ValueId, raw: i64) -> String {
        let text = self.value(id, raw);
        match (&self.model.value(id).kind, &self.model.value(id).reads) {
            (ValueType::Space(_), Some(_)) if raw != crate::model::Value::NOTHING => {
                let label = self.label(&self.model.space(SpaceId(raw as u16)).label);
                self.log.remarked(&text, &self.log.space_labeled(&label))
            }
            _ => text,
        }
    }

    /// Describes a value as shown on the table.
    ///
    /// If the value is a space that is described by a field, adds the label of the space if another space of the zone has the same text.
    /// Also adds the printed flags of the space for which the game has a word.
    pub fn standing_value(&self, id: ValueId, raw: i64) -> String {
        let (ValueType::Space(_), Some(field)) = (&self.model.value(id).kind, &self.model.value(id).reads) else {
            return self.value(id, raw);
        };
        if raw == crate::model::Value::NOTHING {
            return self.value(id, raw);
        }
        let space = self.model.space(SpaceId(raw as u16));
        let others = self.model.zone(space.zone).spaces.clone().map(SpaceId).filter(|other| i64::from(other.0) != raw);
        let mut remarks = Vec::new();
        if others.map(|other| self.model.space(other)).any(|other| other.fields.get(field) == space.fields.get(field)) {
            remarks.push(self.log.space_labeled(&self.label(&space.label)));
        }
        let printed = space.fields.iter().filter(|(_, value)| **value == FieldValue::Flag(true));
        remarks
            .extend(printed.filter_map(|(name, _)| self.model.words.get(name)).map(|word| self.text(word).to_owned()));
        let text = self.value(id, raw);
        if remarks.is_empty() { text } else { self.log.remarked(&text, &remarks.join(self.log.comma)) }
    }

    /// Returns the text of a stored value, as shown to people.
    pub fn value(&self, id: ValueId, raw: i64) -> String {
        if raw == crate::model::Value::NOTHING {
            return self.log.nothing.to_owned();
        }
        match &self.model.value(id).kind {
            ValueType::Number => raw.to_string(),
            ValueType::Flag => self.log.flag(raw != 0).to_owned(),
            ValueType::Word(words) => self.named_word(&words[raw as usize]),
            ValueType::Seat => self.seat(Seat(raw as u8)).to_owned(),
            ValueType::Component(_) => self.component(ComponentId(raw as u16)).to_owned(),
            ValueType::Space(Some(_)) => {
                let space = self.model.space(SpaceId(raw as u16));
                let field = self.model.value(id).reads.as_ref().and_then(|name| space.fields.get(name));
                field.map_or_else(|| self.space_label_text(SpaceId(raw as u16)), |field| self.field(field))
            }
            ValueType::Space(None) => self.space_name(SpaceId(raw as u16)),
            // Callers describe the piece by its appearance.
            ValueType::Piece => self.log.piece.to_owned(),
        }
    }

    /// Describes the content of a value that holds a list or a piece.
    pub(super) fn entries(&self, id: ValueId, entries: &[i64], appearances: Appearances<'_>) -> String {
        let entry = |raw: &i64| match appearances.iter().find(|(piece, _)| i64::from(piece.0) == *raw) {
            Some((_, look)) => self.look(look),
            None => self.value(id, *raw),
        };
        match entries {
            [] => self.log.nothing.to_owned(),
            entries => entries.iter().map(entry).collect::<Vec<_>>().join(self.log.comma),
        }
    }
}

fn copy_label(family: &Family, copy: Option<u16>) -> Option<&Label> {
    family.copies.as_ref().zip(copy).map(|(labels, copy)| &labels[copy as usize])
}

/// Returns the parts of an answer in the order in which the decision declares them. Undeclared parts come last.
pub(super) fn ordered<'a>(
    declared: &'a Declared,
    parts: &'a [(Name, Choice)],
) -> impl Iterator<Item = (&'a str, PartType, &'a Choice)> {
    let known = declared.parts.iter().filter_map(|(name, part)| {
        parts.iter().find(|(given, _)| **given == **name).map(|(name, value)| (&**name, *part, value))
    });
    let other = parts.iter().filter(|(name, _)| !declared.parts.iter().any(|(known, _)| **known == **name));
    known.chain(other.map(|(name, value)| (&**name, PartType::Any, value)))
}

/// Returns whether a field's value is worth showing to people. `()`, 0, `false` and functions are not, and neither are lists and records
/// that contain nothing else.
pub fn says_something(value: &FieldValue) -> bool {
    match value {
        FieldValue::Nothing | FieldValue::Function(_) | FieldValue::Number(0) | FieldValue::Flag(false) => false,
        FieldValue::List(list) => list.iter().any(says_something),
        FieldValue::Record(parts) => parts.values().any(says_something),
        _ => true,
    }
}

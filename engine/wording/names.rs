//! How a game is put into words: for people in their language, and in the short form that plays are written in.

use super::listing::{shown_word, space_path, zone_path};
use super::statement::Face;
use crate::decision::{Choice, Look, Name, Pass, looks};
use crate::model::Setup;
use crate::model::{
    ComponentId, Decision as Declared, DecisionId, Family, FamilyId, FieldValue, KindId, Label, Language, Model,
    PartType, PieceId, Seat, Space, SpaceId, Text, ValueId, ValueType, ZoneId,
};
use crate::phrases::{Log, Phrases, filled};
use crate::table::{Layout, SeatSet, Table};
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// Who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// A reader who sees everything.
    All,
    /// The player in a seat.
    Seat(SeatSet),
    /// A reader without a seat, who knows what every seat knows.
    Onlooker(SeatSet),
}

impl Reader {
    /// Whether the reader knows what these seats know.
    pub(super) const fn knows(self, seats: SeatSet) -> bool {
        match self {
            Self::All => true,
            Self::Seat(seat) => seats & seat != 0,
            Self::Onlooker(everybody) => seats == everybody,
        }
    }
}

/// Puts what happens into words for one reader.
#[derive(Debug, Clone)]
pub struct Wording {
    pub(super) model: Arc<Model>,
    pub(super) reader: Reader,
    pub(super) log: &'static Log,
    setup: Setup,
    pub(super) language: Language,
}

/// What pieces an answer or event speaks of looked like.
pub(super) type Looks<'a> = &'a [(PieceId, Look)];

/// The part of an answer that a thing is, and the seat that answers: they decide how much of a place is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    part: PartType,
    asked: Option<Seat>,
}

impl Slot {
    /// A thing outside of an answer, or a part of it that may be anything.
    pub(super) const ANY: Self = Self { part: PartType::Any, asked: None };

    /// A part of an answer that a seat gives.
    pub(super) const fn new(part: PartType, asked: Seat) -> Self {
        Self { part, asked: Some(asked) }
    }

    /// The declared zones that the part ranges over.
    const fn family(self) -> Option<FamilyId> {
        match self.part {
            PartType::Family(family) => Some(family),
            _ => None,
        }
    }
}

impl Wording {
    /// For a reader who sees everything.
    pub fn new(model: Arc<Model>, setup: Setup, language: Language) -> Self {
        Self { model, setup, language, reader: Reader::All, log: &Phrases::of(language).log }
    }

    /// For what is printed before anybody sits down: seats go by their numbers.
    pub fn printed(model: Arc<Model>, language: Language) -> Self {
        let called = Phrases::of(language).look.player;
        let name = |seat: Seat| filled(called, &[("number", &seat.number() as &dyn Display)]);
        let names = model.all_seats().map(name).collect();
        let setup = Setup { names, ..Setup::seats(model.seats) };
        Self::new(model, setup, language)
    }

    /// For the player in a seat, who reads only what that seat knows.
    #[must_use]
    pub fn for_seat(mut self, seat: Seat) -> Self {
        self.reader = Reader::Seat(Layout::only(seat));
        self
    }

    /// For a reader without a seat, who reads only what every seat knows.
    #[must_use]
    pub fn for_onlookers(mut self) -> Self {
        self.reader = Reader::Onlooker(self.model.all_seats().fold(0, |all, seat| all | Layout::only(seat)));
        self
    }

    /// What the player in a seat is called.
    pub fn seat(&self, seat: Seat) -> &str {
        self.setup.name(seat)
    }

    /// What a seat's team is called, in a game of teams.
    pub fn team(&self, seat: Seat) -> Option<&str> {
        let team = self.model.team_of(seat)?;
        Some(self.model.component(team.component).name.get(self.language))
    }

    /// An answer as people read it, in the order of the decision's parts.
    pub(super) fn answer(&self, asked: Seat, decision: DecisionId, choice: &Choice, looks: Looks<'_>) -> String {
        let declared = &self.model.decisions[decision.index()];
        let Choice::Parts(parts) = choice else {
            let part = if let [(_, part)] = declared.parts.as_slice() { *part } else { PartType::Any };
            return self.thing(choice, Slot::new(part, asked), looks);
        };
        let worded = ordered(declared, parts)
            .map(|(name, part, value)| self.worded_part(name, &self.thing(value, Slot::new(part, asked), looks)));
        worded.collect::<Vec<_>>().join(self.log.comma)
    }

    pub(super) fn worded_part(&self, name: &str, value: &str) -> String {
        format!("{} {value}", self.named_word(name))
    }

    /// A text in the reader's language.
    pub(super) fn text<'t>(&self, text: &'t Text) -> &'t str {
        text.get(self.language)
    }

    /// What a word of the game's files is called by people.
    pub fn named_word(&self, word: &str) -> String {
        self.model.named_word(word, self.language)
    }

    /// What a part of a score is called: like the value or the word of that name.
    pub fn part_of_score(&self, part: &str) -> String {
        self.model.part_of_score(part, self.language)
    }

    /// Any value in the short form of plays.
    pub fn plain(&self, table: &Table, choice: &Choice) -> String {
        self.short(&looks(table, choice), choice, Slot::ANY)
    }

    /// An answer that a seat has given, in the short form of plays.
    pub fn written_answer(
        &self,
        asked: Seat,
        decision: DecisionId,
        choice: &Choice,
        looks: &[(PieceId, Look)],
    ) -> String {
        let declared = &self.model.decisions[decision.index()];
        let Choice::Parts(parts) = choice else {
            return if *choice == Choice::Nothing {
                Pass::Pass.word().to_owned()
            } else {
                self.short(looks, choice, Slot::ANY)
            };
        };
        let written = ordered(declared, parts)
            .map(|(name, part, value)| format!("{name}={}", self.short(looks, value, Slot::new(part, asked))));
        written.collect::<Vec<_>>().join(" ")
    }

    /// Each of the things that an answer picks, in the short form of plays: of one thing that alone.
    pub fn written_picks(
        &self,
        asked: Seat,
        decision: DecisionId,
        choice: &Choice,
        looks: &[(PieceId, Look)],
    ) -> Vec<String> {
        match choice {
            Choice::Many(all) => all.iter().map(|one| self.written_answer(asked, decision, one, looks)).collect(),
            one => vec![self.written_answer(asked, decision, one, looks)],
        }
    }

    pub(super) fn short(&self, looks: Looks<'_>, choice: &Choice, slot: Slot) -> String {
        match choice {
            Choice::Zone(zone) => {
                self.zone_label(*zone, slot).unwrap_or_else(|| zone_path(&self.model, &self.setup, *zone))
            }
            Choice::Space(space) => self.space_label(*space, slot).unwrap_or_else(|| self.space_path(*space)),
            Choice::Component(component) => self.model.component(*component).id.to_string(),
            Choice::Piece(piece) => self.short_piece(looks, *piece),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Many(all) => {
                all.iter().map(|one| self.short(looks, one, Slot::ANY)).collect::<Vec<_>>().join(" + ")
            }
            Choice::Parts(parts) => {
                let written =
                    parts.iter().map(|(name, value)| format!("{name}={}", self.short(looks, value, Slot::ANY)));
                written.collect::<Vec<_>>().join(" ")
            }
            Choice::Nothing => "nothing".to_owned(),
            Choice::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Choice::Number(number) => number.to_string(),
            Choice::Word(word) => word.to_string(),
        }
    }

    fn short_piece(&self, looks: Looks<'_>, piece: PieceId) -> String {
        let Some((_, look)) = looks.iter().find(|(known, _)| *known == piece) else { return "piece".to_owned() };
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

    /// Whether the reader is one of these seats; a reader who sees everything is, if there are any.
    fn is_among(&self, seats: SeatSet) -> bool {
        seats != 0 && self.reader.knows(seats)
    }

    // ----- things, as people read them

    /// Something a script names, as the reader reads it.
    pub(super) fn thing(&self, choice: &Choice, slot: Slot, looks: Looks<'_>) -> String {
        match choice {
            Choice::Nothing => self.log.nothing.to_owned(),
            Choice::Flag(flag) => self.log.flag(*flag).to_owned(),
            Choice::Number(number) => number.to_string(),
            Choice::Word(word) => self.word_apart(word),
            Choice::Seat(seat) => self.seat(*seat).to_owned(),
            Choice::Zone(zone) => self.zone_among(*zone, slot).unwrap_or_else(|| self.zone_name(*zone)),
            Choice::Space(space) => self.space_among(*space, slot).unwrap_or_else(|| self.space_name(*space)),
            Choice::Component(component) => self.component_apart(*component),
            Choice::Piece(piece) => match looks.iter().find(|(known, _)| known == piece) {
                Some((_, look)) => self.look(look),
                None => self.log.piece.to_owned(),
            },
            Choice::Parts(parts) => {
                let written =
                    parts.iter().map(|(name, value)| self.worded_part(name, &self.thing(value, Slot::ANY, looks)));
                written.collect::<Vec<_>>().join(self.log.comma)
            }
            Choice::Many(all) if all.is_empty() => self.log.nothing.to_owned(),
            Choice::Many(all) => {
                let all = all.iter().map(|one| self.thing(one, Slot::ANY, looks));
                all.collect::<Vec<_>>().join(self.log.comma)
            }
        }
    }

    /// A component by its name.
    pub fn component(&self, component: ComponentId) -> &str {
        self.text(&self.model.component(component).name)
    }

    /// A label as the reader reads it.
    pub fn label(&self, label: &Label) -> String {
        match label {
            Label::Word(word) => self.named_word(word),
            label => label.to_string(),
        }
    }

    /// Whether the reader knows the face of a piece that looked like this.
    pub(super) fn knows(&self, look: &Look) -> bool {
        self.reader.knows(look.known)
    }

    /// A piece by its face, with its place where alike pieces lie in several, or differ in one.
    pub(super) fn look(&self, look: &Look) -> String {
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
            remarks.push(self.space_read(look.space));
        }
        // Which of several dice it is, nobody asks who knows what they show.
        let is_die = !self.model.component(look.component).faces.is_empty() && self.knows_turn(look);
        let is_twin = self.is_among(look.twins) && !is_die;
        if self.model.family_of(zone).shape.is_unordered() {
            let lies = if look.is_up { self.log.face_up } else { self.log.face_down };
            // What lies on the same side has the same name, whatever else tells it apart.
            let is_other_side = is_twin && self.is_among(look.other_side);
            remarks.extend(is_other_side.then(|| lies.to_owned()));
        } else if is_twin || is_copy && !self.knows(look) {
            remarks.push(self.language.nth_from_below(usize::from(look.depth) + 1));
        }
        if remarks.is_empty() { face } else { self.log.remarked(&face, &remarks.join(self.log.comma)) }
    }

    /// A piece whose face the reader does not know: its back may tell of which kind it is.
    pub(super) fn hidden(&self, component: ComponentId) -> String {
        let kind = self.model.kind_of(component);
        let has_twin = self.model.kinds.iter().filter(|other| other.back == kind.back).count() == 1;
        if has_twin && kind.components.len() > 1 {
            self.log.hidden_one(self.text(&kind.name))
        } else {
            self.log.hidden_piece.to_owned()
        }
    }

    /// What a round is called: the game's own word for `round`, if it has one.
    pub(super) fn round_word(&self) -> String {
        let own = self.model.words.get("round").map(|text| self.text(text));
        own.unwrap_or(self.log.round_word).to_owned()
    }

    /// The head of a round.
    pub(crate) fn round(&self, number: i64) -> String {
        self.log.round(number, &self.round_word())
    }

    /// How many rounds there were.
    pub fn rounds(&self, number: i64) -> String {
        self.log.rounds(number, &self.round_word())
    }

    /// An option of the game with what was chosen for it.
    pub fn chosen_option(&self, name: &str, value: &str) -> String {
        let called = self.model.options.get(name).map_or(name, |option| self.text(&option.name));
        format!("{called}{}{}", self.log.colon, self.named_word(value))
    }

    /// A piece by its face, if the reader knows it.
    pub(super) fn face(&self, look: &Look) -> Option<String> {
        self.seen_face(look).map(|face| self.face_of(face))
    }

    /// What the reader knows of the face of a piece, if he knows it.
    pub(super) fn seen_face(&self, look: &Look) -> Option<Face> {
        let turned = self.knows_turn(look).then_some(look.turned);
        self.knows(look).then_some(Face { component: look.component, owner: look.owner, turned })
    }

    /// Whether the reader knows how a piece is turned.
    fn knows_turn(&self, look: &Look) -> bool {
        self.reader.knows(look.turn_known)
    }

    /// What is seen of a piece.
    pub(super) fn face_of(&self, face: Face) -> String {
        let name = self.as_shown(face.component, face.turned);
        face.owner.map_or_else(|| name.clone(), |owner| self.of_seat(owner, &name))
    }

    /// A component by its name, a die with what it shows if that is known.
    pub fn as_shown(&self, component: ComponentId, turned: Option<u8>) -> String {
        let name = self.component(component);
        let shown = turned.and_then(|turned| self.model.component(component).faces.get(usize::from(turned)));
        shown.map_or_else(|| name.to_owned(), |shown| format!("{name} {}", self.field(shown)))
    }

    fn of_seat(&self, seat: Seat, what: &str) -> String {
        self.language.possessive(self.seat(seat), what)
    }

    /// A zone among those of a family: by the label of its copy, or the components that it is for.
    fn zone_within(&self, zone: ZoneId, label: impl Fn(&Label) -> String) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        match (found.of, copy_label(family, found.copy)) {
            (_, Some(copy)) => label(copy),
            _ if !found.others.is_empty() => self.zone_name(zone),
            (Some(component), None) => self.component(component).to_owned(),
            (None, None) => self.text(&family.name).to_owned(),
        }
    }

    /// The zones of a part's family that a seat means where it names no owner: its own, or those of nobody.
    fn zones_meant(&self, slot: Slot) -> impl Iterator<Item = ZoneId> + '_ {
        let family = slot.family().map(|family| self.model.family(family).zones.clone()).unwrap_or_default();
        family.map(ZoneId).filter(move |zone| self.model.zone(*zone).seat.is_none_or(|seat| Some(seat) == slot.asked))
    }

    /// A short text for a zone in a part of an answer, unless another zone that may be meant there has the same text.
    fn zone_text(&self, zone: ZoneId, slot: Slot, text: impl Fn(ZoneId) -> String) -> Option<String> {
        slot.family()?;
        let own = text(zone);
        let mut alike = self.zones_meant(slot).filter(|other| text(*other) == own);
        (alike.next() == Some(zone) && alike.next().is_none()).then_some(own)
    }

    fn zone_label(&self, zone: ZoneId, slot: Slot) -> Option<String> {
        self.zone_text(zone, slot, |zone| self.zone_within(zone, ToString::to_string))
    }

    fn zone_among(&self, zone: ZoneId, slot: Slot) -> Option<String> {
        self.zone_text(zone, slot, |zone| self.zone_read(zone))
    }

    /// Whether the label of a space says which one it is: its zone is the only one that may be meant.
    fn is_label_enough(&self, space: SpaceId, slot: Slot) -> bool {
        let mut zones = self.zones_meant(slot);
        zones.next() == Some(self.model.space(space).zone) && zones.next().is_none()
    }

    fn space_label(&self, space: SpaceId, slot: Slot) -> Option<String> {
        self.is_label_enough(space, slot).then(|| self.model.space(space).label.to_string())
    }

    fn space_among(&self, space: SpaceId, slot: Slot) -> Option<String> {
        self.is_label_enough(space, slot).then(|| self.space_read(space))
    }

    /// Whether another component has the name of this one in the reader's language.
    fn shares_name(&self, component: ComponentId) -> bool {
        let name = self.component(component);
        (0..self.model.components.len())
            .map(ComponentId::at)
            .any(|other| other != component && self.component(other) == name)
    }

    /// A component by its name, with its id where another one has the same name.
    pub(super) fn component_apart(&self, component: ComponentId) -> String {
        let name = self.component(component);
        if self.shares_name(component) {
            self.log.remarked(name, &self.model.component(component).id)
        } else {
            name.to_owned()
        }
    }

    /// A word as people read it, with the word itself where another one of the game reads the same.
    fn word_apart(&self, word: &str) -> String {
        let text = self.named_word(word);
        let is_alike = |(other, name): (&Arc<str>, &Text)| **other != *word && self.text(name) == text;
        if self.model.words.iter().any(is_alike) { self.log.remarked(&text, word) } else { text }
    }

    /// A zone by its declared name, its owner and its label, if there are several.
    pub fn zone_name(&self, zone: ZoneId) -> String {
        let found = self.model.zone(zone);
        let family = self.model.family_of(zone);
        let mut name = self.text(&family.name).to_owned();
        if let (Some(component), None) = (found.of, found.seat) {
            name = self.language.possessive(self.component(component), &name);
        }
        if let Some(label) = self.copy_of(zone) {
            let _ = write!(name, " {}", self.label(label));
        }
        if let Some(seat) = found.seat {
            name = self.of_seat(seat, &name);
        }
        // The first of them has been said already, where it belongs to no seat.
        let further = found.components().skip(usize::from(found.seat.is_none()));
        further.fold(name, |name, component| self.log.remarked(&name, self.component(component)))
    }

    /// The label of a zone that is one of several copies.
    pub(super) fn copy_of(&self, zone: ZoneId) -> Option<&Label> {
        let family = self.model.family_of(zone);
        let is_one_of_several = family.copies.as_ref().is_some_and(|copies| copies.len() > 1);
        copy_label(family, self.model.zone(zone).copy).filter(|_| is_one_of_several)
    }

    /// A space by its zone and its label.
    pub fn space_name(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let zone = self.zone_name(found.zone);
        if self.model.zone(found.zone).spaces.len() == 1 {
            zone
        } else {
            self.log.remarked(&zone, &self.space_read(space))
        }
    }

    /// A space within its zone as people read it: by what is printed there, with its label where others read alike; by its
    /// label where nothing is.
    pub fn space_read(&self, space: SpaceId) -> String {
        let found = self.model.space(space);
        let label = self.label(&found.label);
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

    /// A zone among its like: by its label, or the component it is for; by its name where it has no like.
    pub fn zone_read(&self, zone: ZoneId) -> String {
        self.zone_within(zone, |label| self.label(label))
    }

    /// A space in the short form of plays: `lots[2]`, `Ann.hand`, `board[2,3]`.
    pub fn space_path(&self, space: SpaceId) -> String {
        space_path(&self.model, &self.setup, space)
    }

    /// A printed fact as people read it.
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

    /// What a field is called: by the game's word for it, or like the kind or the value of its name.
    pub fn field_name(&self, field: &str) -> String {
        let kind = || self.model.kinds.iter().find(|kind| &*kind.id == field).map(|kind| &kind.name);
        let value = || self.model.values.iter().find(|value| &*value.id == field).map(|value| &value.name);
        let own = (!self.model.words.contains_key(field)).then(|| kind().or_else(value)).flatten();
        own.map_or_else(|| self.named_word(field), |name| self.text(name).to_owned())
    }

    /// What zones of a family are called, whosever they are.
    pub fn family_name(&self, family: &Family) -> String {
        self.text(&family.name).to_owned()
    }

    /// The reader's language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What a kind is called.
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.text(&self.model.kinds[kind.index()].name)
    }

    /// What is called so that pieces in force change.
    pub fn altered(&self, what: &str) -> String {
        self.model.altered.get(what).map_or_else(|| self.named_word(what), |name| self.text(name).to_owned())
    }

    /// What an option costs and gives, by parts that may have a name, and the components that altered it: by how much, or to what.
    pub fn costs(&self, parts: &[(Option<Arc<str>>, i64)], altered: &[(ComponentId, String)]) -> String {
        let part = |(name, number): &(Option<Arc<str>>, i64)| match name {
            Some(name) => format!("{} {number}", self.part_of_score(name)),
            None => filled(self.log.costs, &[("number", number)]),
        };
        let whole = parts.iter().map(part).collect::<Vec<_>>().join(self.log.comma);
        let by = |(component, change): &(ComponentId, String)| format!("{} {change}", self.component(*component));
        if altered.is_empty() {
            return whole;
        }
        self.remarked(&whole, &altered.iter().map(by).collect::<Vec<_>>().join(self.log.comma))
    }

    /// What stands between the things of a list.
    pub fn comma(&self) -> &'static str {
        self.log.comma
    }

    /// A thing with a remark.
    pub fn remarked(&self, what: &str, remark: &str) -> String {
        self.log.remarked(what, remark)
    }

    /// What a seat has, as people say it.
    pub fn owned(&self, seat: Seat, what: &str) -> String {
        self.of_seat(seat, what)
    }

    /// The same, with the label of a space that is read by one of its fields.
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

    /// A value that stands on the table: a space that reads like another one of its zone with its label, and with what else
    /// is printed on it that the game has a word for.
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

    /// What a stored value means, as people read it.
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
                field.map_or_else(|| self.space_read(SpaceId(raw as u16)), |field| self.field(field))
            }
            ValueType::Space(None) => self.space_name(SpaceId(raw as u16)),
            // Which one it is, its look says.
            ValueType::Piece => self.log.piece.to_owned(),
        }
    }

    /// What a list holds, or which piece a value is.
    pub(super) fn entries(&self, id: ValueId, entries: &[i64], looks: Looks<'_>) -> String {
        let entry = |raw: &i64| match looks.iter().find(|(piece, _)| i64::from(piece.0) == *raw) {
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

/// The parts of an answer in the order in which the decision declares them; others after them.
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

/// Whether a field says something to a person: what is none, nought or not so is not printed, and rules are not either.
pub fn says_something(value: &FieldValue) -> bool {
    match value {
        FieldValue::Nothing | FieldValue::Function(_) | FieldValue::Number(0) | FieldValue::Flag(false) => false,
        FieldValue::List(list) => list.iter().any(says_something),
        FieldValue::Record(parts) => parts.values().any(says_something),
        _ => true,
    }
}

//! What happened in a game, told line by line as one reader sees it.
//!
//! Whatever follows a choice or an announcement within a step is told with it; what merely carries a choice out is not
//! told again.

use super::wording::{Looks, Wording};
use crate::model::{
    ComponentId, DecisionId, Label, Lasts, Model, PieceId, Seat, SpaceId, Value, ValueId, ValueType, ZoneId,
};
use crate::script::{Choice, Event, Happening, Look};
use crate::table::{Holder, Picture, label_text};
use std::sync::Arc;

/// One thing that happened, with more of the same sort that followed it.
enum Item<'e> {
    Moved {
        from: Vec<ZoneId>,
        to: SpaceId,
        is_one_space: bool,
        looks: Vec<&'e Look>,
    },
    /// `turned_up` is nothing where the pieces lie as they did.
    Shown {
        zone: ZoneId,
        turned_up: Option<bool>,
        looks: Vec<&'e Look>,
    },
    Turned {
        look: &'e Look,
        turned: u8,
    },
    Set {
        value: ValueId,
        holder: Holder,
        look: Option<&'e Look>,
        course: Vec<i64>,
    },
    Shuffled(SpaceId),
    Refilled {
        zone: ZoneId,
        from: ZoneId,
    },
    Drawn(i64),
}

/// What can be told in one line without a head: items with the same key.
#[derive(PartialEq)]
enum Key {
    Moved(Vec<ZoneId>),
    Set(ValueId),
    Shuffled,
    Drawn,
    Alone(usize),
}

/// A choice or an announcement, to which what follows belongs.
struct Head<'e> {
    text: String,
    chose: Option<Chose<'e>>,
    subjects: Vec<Holder>,
    /// The chosen pieces whose move has been told with the choice.
    spent: Vec<PieceId>,
}

/// A choice, with its pieces as the reader knows them by now: a card that is chosen from a hand is seen when it is played.
struct Chose<'e> {
    seat: Seat,
    decision: DecisionId,
    choice: &'e Choice,
    looks: Vec<(PieceId, Look)>,
}

/// The lines told so far, and what is being gathered for the next.
struct Narration<'w, 'e> {
    wording: &'w Wording,
    lines: Vec<String>,
    phase: Option<String>,
    head: Option<Head<'e>>,
    items: Vec<(usize, Item<'e>)>,
    /// Pieces that went back to where they belong, with their step: told only together with others that come there too.
    home: Vec<(usize, SpaceId, &'e Look)>,
    step: usize,
    /// Whether a grid has been shown.
    has_shown: bool,
}

impl Wording {
    /// What happened, line by line.
    pub fn narrate(&self, events: &[Event]) -> Vec<String> {
        let mut narration = Narration {
            wording: self,
            lines: Vec::new(),
            phase: None,
            head: None,
            items: Vec::new(),
            home: Vec::new(),
            step: 0,
            has_shown: false,
        };
        for event in events.iter().filter(|event| self.reader.is_none_or(|reader| event.to & reader != 0)) {
            narration.take(&event.what);
        }
        narration.close();
        narration.lines
    }
}

impl<'e> Narration<'_, 'e> {
    fn take(&mut self, what: &'e Happening) {
        match what {
            Happening::Round(round) => {
                self.close();
                self.phase = None;
                self.lines.push(format!("\n{}", self.wording.round(*round)));
            }
            Happening::Phase(phase) => {
                self.close();
                let name = self.wording.text(&self.wording.model.phases[phase.index()].name);
                self.phase = Some(format!("  {name}"));
            }
            Happening::Ended(ending) => {
                self.close();
                self.phase = None;
                let name = self.wording.text(&self.wording.model.endings[ending.index()].name);
                self.lines.push(format!("\n{name}"));
            }
            Happening::Step => {
                if self.head.is_some() {
                    self.close();
                }
                self.step += 1;
            }
            Happening::Turn(_) => {}
            Happening::Pictured(picture) => self.show(picture),
            Happening::Chose { decision, .. } if self.wording.model.decisions[decision.index()].is_quiet => {
                self.close();
            }
            Happening::Chose { seat, decision, choice, looks } => {
                self.close();
                let mut subjects = vec![Holder::Seat(*seat)];
                subjects_of(choice, &mut subjects);
                let chose = Chose { seat: *seat, decision: *decision, choice, looks: looks.to_vec() };
                self.head = Some(Head { text: String::new(), chose: Some(chose), subjects, spent: Vec::new() });
            }
            Happening::Said { say, facts, looks } => self.say(say.index(), facts, looks),
            happening => self.gather(happening),
        }
    }

    /// A grid as it lies; what its signs mean the first time.
    fn show(&mut self, picture: &Picture) {
        self.close();
        self.lines.push(String::new());
        self.lines.extend(self.wording.picture(picture).into_iter().map(|line| format!("    {line}")));
        if !self.has_shown {
            self.lines.push(format!("          {}", self.wording.signs()));
        }
        self.has_shown = true;
    }

    /// An announcement; what was shown just before is part of it if it speaks of just that.
    fn say(&mut self, say: usize, facts: &'e [(Arc<str>, Choice)], looks: Looks<'e>) {
        let mut subjects = Vec::new();
        for (_, fact) in facts {
            subjects_of(fact, &mut subjects);
        }
        let mut text = self.wording.said(say, facts, looks);
        while let Some((step, Item::Shown { looks: shown, .. })) = self.items.last()
            && *step == self.step
            && shown.iter().all(|look| is_among(looks, look))
        {
            self.items.pop();
        }
        if let Some((step, Item::Shown { zone, looks: shown, .. })) = self.items.last()
            && *step == self.step
            && shown.iter().all(|look| subjects.contains(&Holder::Component(look.component)))
        {
            // An announcement may name the place itself.
            if !facts.iter().any(|(_, fact)| *fact == Choice::Zone(*zone)) {
                text = format!("{}{}{text}", self.wording.zone_name(*zone), self.wording.phrases.colon);
            }
            self.items.pop();
        }
        self.close();
        self.head = Some(Head { text, chose: None, subjects, spent: Vec::new() });
    }

    /// Gathers a thing that happened with what it belongs to.
    fn gather(&mut self, happening: &'e Happening) {
        if let Happening::Moved { look, .. } | Happening::Shown { look, .. } = happening {
            self.learn(look);
        }
        if let Happening::Moved { look, to } = happening
            && (look.space == *to || self.is_homecoming(look, *to) || self.is_told(look, *to))
        {
            return;
        }
        let last = self.items.last_mut().filter(|(step, _)| *step == self.step).map(|(_, item)| item);
        let item = match happening {
            Happening::Moved { look, to } => {
                let model = &self.wording.model;
                let (source, target) = (model.space(look.space).zone, model.space(*to).zone);
                if let Some(Item::Moved { from, to: known, is_one_space, looks }) = last
                    && model.space(*known).zone == target
                {
                    *is_one_space &= known == to;
                    looks.push(look);
                    if !from.contains(&source) {
                        from.push(source);
                    }
                    return;
                }
                let step = self.step;
                let home = self.home.extract_if(.., |(at, space, _)| *at == step && space == to);
                let mut looks: Vec<&Look> = home.map(|(_, _, look)| look).collect();
                looks.push(look);
                let mut from: Vec<ZoneId> = looks.iter().map(|look| model.space(look.space).zone).collect();
                from.dedup();
                Item::Moved { from, to: *to, is_one_space: true, looks }
            }
            Happening::Shown { look, is_turned } => {
                let place = self.wording.model.space(look.space).zone;
                let now = is_turned.then_some(look.is_up);
                if let Some(Item::Shown { zone, turned_up, looks }) = last
                    && (*zone, *turned_up) == (place, now)
                {
                    looks.push(look);
                    return;
                }
                Item::Shown { zone: place, turned_up: now, looks: vec![look] }
            }
            Happening::Set { value, holder, look, old, new } => {
                let declared = self.wording.model.value(*value);
                // What ends without a word is not told when it begins either.
                let is_told = !declared.is_quiet && declared.lasts == Lasts::Game && !self.is_chosen(*value, *new);
                if old != new && is_told {
                    self.set(*value, *holder, look.as_ref(), *old, *new);
                }
                return;
            }
            Happening::Turned { look, turned } => Item::Turned { look, turned: *turned },
            Happening::Shuffled(space) => Item::Shuffled(*space),
            Happening::Refilled { zone, from } => Item::Refilled { zone: *zone, from: *from },
            Happening::Drawn(number) => Item::Drawn(*number),
            _ => return,
        };
        self.items.push((self.step, item));
    }

    fn set(&mut self, value: ValueId, holder: Holder, look: Option<&'e Look>, old: i64, new: i64) {
        let step = self.step;
        let known = self.items.iter_mut().rev().take_while(|(at, _)| *at == step).find_map(|(_, item)| match item {
            Item::Set { value: known, holder: of, course, .. } if *known == value && *of == holder => Some(course),
            _ => None,
        });
        match known {
            Some(course) => course.push(new),
            None => self.items.push((step, Item::Set { value, holder, look, course: vec![old, new] })),
        }
    }

    /// Whether a value only keeps the thing that was chosen.
    fn is_chosen(&self, value: ValueId, new: i64) -> bool {
        let Some(chose) = self.head.as_ref().and_then(|head| head.chose.as_ref()) else { return false };
        let kept = match self.wording.model.value(value).kind {
            _ if new == Value::NOTHING => return false,
            ValueType::Seat => Choice::Seat(Seat(new as u8)),
            ValueType::Component(_) => Choice::Component(ComponentId(new as u16)),
            ValueType::Space(_) => Choice::Space(SpaceId(new as u16)),
            _ => return false,
        };
        chose.choice.leaves().contains(&&kept)
    }

    /// Whether a move only carries out what was chosen: it goes where the choice says, with the piece it says.
    fn is_told(&mut self, look: &Look, to: SpaceId) -> bool {
        let Some(Chose { seat, choice, .. }) = self.head.as_ref().and_then(|head| head.chose.as_ref()) else {
            return false;
        };
        let (seat, choice) = (*seat, *choice);
        let leaves = choice.leaves();
        let is_named_place = self.names_place(&leaves, to) || self.names_labels(&leaves, to);
        if !(is_named_place || self.is_taken(&leaves, look, to, seat)) {
            return false;
        }
        if let Some(piece) = self.chosen_piece(look) {
            self.head.iter_mut().for_each(|head| head.spent.push(piece));
            return true;
        }
        let is_named = leaves.contains(&&Choice::Component(look.component));
        let is_only_one = is_named_place && self.wording.is_only_one(look.component);
        is_named || is_only_one || look.owner == Some(seat) || !self.wording.knows(look)
    }

    /// The chosen piece that this one is, if its move has not been told yet.
    fn chosen_piece(&self, look: &Look) -> Option<PieceId> {
        let head = self.head.as_ref()?;
        let looked = |(piece, known): &&(PieceId, Look)| {
            (known.component, known.owner, known.space) == (look.component, look.owner, look.space)
                && !head.spent.contains(piece)
        };
        head.chose.as_ref()?.looks.iter().find(looked).map(|(piece, _)| *piece)
    }

    /// The reader may know a chosen piece by now.
    fn learn(&mut self, look: &Look) {
        let Some(piece) = self.chosen_piece(look) else { return };
        let chose = self.head.as_mut().and_then(|head| head.chose.as_mut());
        let looks = chose.into_iter().flat_map(|chose| &mut chose.looks);
        looks.filter(|(known, _)| *known == piece).for_each(|(_, known)| known.known |= look.known);
    }

    /// Whether a choice names a space, its zone, or what the zone belongs to.
    fn names_place(&self, leaves: &[&Choice], space: SpaceId) -> bool {
        let zone = self.wording.model.space(space).zone;
        let of = self.wording.model.zone(zone).of;
        leaves.iter().any(|leaf| match leaf {
            Choice::Space(named) => *named == space,
            Choice::Zone(named) => *named == zone,
            Choice::Component(named) => of == Some(*named),
            _ => false,
        })
    }

    /// Whether somebody takes a piece to himself: from where the choice says, or the chosen one from where it was not his.
    fn is_taken(&self, leaves: &[&Choice], look: &Look, to: SpaceId, seat: Seat) -> bool {
        let seat_of = |space: SpaceId| self.wording.model.zone(self.wording.model.space(space).zone).seat;
        let is_chosen = || seat_of(look.space) != Some(seat) && self.chosen_piece(look).is_some();
        seat_of(to) == Some(seat) && (self.names_place(leaves, look.space) || is_chosen())
    }

    /// Whether a choice has every label that leads to a space.
    fn names_labels(&self, leaves: &[&Choice], to: SpaceId) -> bool {
        let model = &self.wording.model;
        let space = model.space(to);
        let own = (model.zone(space.zone).spaces.len() > 1).then_some(&space.label);
        let wanted: Vec<&Label> = self.wording.copy_of(space.zone).into_iter().chain(own).collect();
        let label_of = |leaf: &&Choice| match leaf {
            Choice::Number(number) => Some(number.to_string()),
            Choice::Word(word) => Some(word.to_string()),
            Choice::Space(space) => Some(label_text(&model.space(*space).label)),
            Choice::Zone(zone) => self.wording.copy_of(*zone).map(label_text),
            _ => None,
        };
        let given: Vec<String> = leaves.iter().filter_map(label_of).collect();
        !wanted.is_empty() && wanted.iter().all(|label| given.contains(&label_text(label)))
    }

    /// Whether a piece goes back to where it belongs, which is not told: unless pieces came from there in the same step, or
    /// others come there with it.
    fn is_homecoming(&mut self, look: &'e Look, to: SpaceId) -> bool {
        if !self.wording.is_home(look, to) {
            return false;
        }
        let model = &self.wording.model;
        let zone_of = |space: SpaceId| model.space(space).zone;
        let is_told = |item: &Item<'_>| match item {
            Item::Moved { from, to: known, .. } => {
                *known == to || zone_of(*known) == zone_of(look.space) && from.contains(&zone_of(to))
            }
            _ => false,
        };
        if self.items.iter().rev().take_while(|(step, _)| *step == self.step).any(|(_, item)| is_told(item)) {
            return false;
        }
        self.home.push((self.step, to, look));
        true
    }

    /// Tells what was gathered.
    fn close(&mut self) {
        self.home.clear();
        let items = std::mem::take(&mut self.items);
        if let Some(mut head) = self.head.take() {
            if let Some(Chose { seat, decision, choice, looks }) = &head.chose {
                head.text = self.wording.chose(*seat, *decision, choice, looks);
            }
            let told: Vec<String> = items.iter().map(|(_, item)| self.with_head(item, &head)).collect();
            let dash = if told.is_empty() { "" } else { self.wording.phrases.dash };
            self.tell(&format!("{}{dash}", head.text), &told, self.wording.phrases.semicolon);
            return;
        }
        let mut rest = items.as_slice();
        let mut at = 0;
        let mut single: Vec<String> = Vec::new();
        let mut single_step = 0;
        while let Some((step, first)) = rest.first() {
            let key = key_of(first, at);
            let count = rest.iter().enumerate().take_while(|(i, (_, item))| key_of(item, at + i) == key).count();
            let (group, others) = rest.split_at(count);
            if !single.is_empty() && (count > 1 || *step != single_step) {
                self.tell("", &std::mem::take(&mut single), self.wording.phrases.semicolon);
            }
            let (begin, parts, separator) = self.group(&key, &group.iter().map(|(_, item)| item).collect::<Vec<_>>());
            if let [part] = parts.as_slice() {
                single.push(format!("{begin}{part}"));
                single_step = *step;
            } else {
                self.tell(&begin, &parts, separator);
            }
            (rest, at) = (others, at + count);
        }
        if !single.is_empty() {
            self.tell("", &single, self.wording.phrases.semicolon);
        }
    }

    /// Things of one sort: what they begin with, the parts, and what stands between them.
    fn group(&self, key: &Key, group: &[&Item<'_>]) -> (String, Vec<String>, &'static str) {
        let wording = self.wording;
        let phrases = wording.phrases;
        match key {
            Key::Moved(from) => {
                let begin = format!("{} → ", wording.zone_names(from).join(phrases.comma));
                (begin, group.iter().map(|item| self.arrived(item)).collect(), phrases.semicolon)
            }
            Key::Set(value) if group.len() > 1 => {
                let begin = format!("{}{}", wording.text(&wording.model.value(*value).name), phrases.colon);
                (begin, group.iter().map(|item| self.went(item)).collect(), phrases.comma)
            }
            Key::Shuffled | Key::Drawn => {
                let word = if *key == Key::Drawn { "drawn" } else { "shuffled" };
                let begin = format!("{}{}", phrases.word(word), phrases.colon);
                (begin, group.iter().map(|item| self.went(item)).collect(), phrases.comma)
            }
            Key::Set(_) | Key::Alone(_) => {
                let nobody = Head { text: String::new(), chose: None, subjects: Vec::new(), spent: Vec::new() };
                (String::new(), group.iter().map(|item| self.with_head(item, &nobody)).collect::<Vec<_>>(), "")
            }
        }
    }

    /// A group's part: where pieces arrived.
    fn arrived(&self, item: &Item<'_>) -> String {
        let Item::Moved { to, is_one_space, looks, .. } = item else { return String::new() };
        let wording = self.wording;
        format!("{}{}{}", wording.destination(*to, *is_one_space), wording.phrases.colon, wording.faces(looks))
    }

    /// A group's part: what has which value, what was shuffled, which number was drawn.
    fn went(&self, item: &Item<'_>) -> String {
        match item {
            Item::Set { value, holder, look, course } => {
                let course = self.wording.course(*value, course);
                self.wording.holder(*holder, *look).map_or(course.clone(), |holder| format!("{holder} {course}"))
            }
            Item::Shuffled(space) => self.wording.space_name(*space),
            Item::Drawn(number) => number.to_string(),
            _ => String::new(),
        }
    }

    /// A thing that happened after a choice or an announcement, without what that has named already.
    fn with_head(&self, item: &Item<'_>, head: &Head<'_>) -> String {
        let wording = self.wording;
        let phrases = wording.phrases;
        match item {
            Item::Moved { to, is_one_space, looks, .. } => {
                format!("{} → {}", wording.faces(looks), wording.destination(*to, *is_one_space))
            }
            Item::Shown { zone, turned_up, looks } => {
                let (place, faces) = (wording.zone_name(*zone), wording.faces(looks));
                if head.text.is_empty() {
                    phrases.shown(&place, &faces, *turned_up)
                } else {
                    format!("{place}{}{faces}", phrases.colon)
                }
            }
            Item::Turned { look, turned } => {
                let faces = &wording.model.component(look.component).faces;
                match faces.get(*turned as usize) {
                    Some(face) => {
                        format!("{}{}{}", wording.component(look.component), phrases.colon, wording.field(face))
                    }
                    None => format!("{}{}{turned}", wording.faces(&[look]), phrases.colon),
                }
            }
            Item::Set { value, holder, look, course } => {
                let name = wording.text(&wording.model.value(*value).name);
                let course = wording.course(*value, course);
                let of = wording.holder(*holder, *look).filter(|_| !head.is_about(*holder, &wording.model));
                let name = of.map_or_else(|| name.to_owned(), |of| phrases.possessive(&of, name));
                format!("{name} {course}")
            }
            Item::Shuffled(_) => format!("{}{}{}", phrases.word("shuffled"), phrases.colon, self.went(item)),
            Item::Drawn(_) => format!("{}{}{}", phrases.word("drawn"), phrases.colon, self.went(item)),
            Item::Refilled { zone, from } => phrases.refilled(&wording.zone_name(*zone), &wording.zone_name(*from)),
        }
    }

    /// A line; the name of the phase first if it is the first there.
    fn tell(&mut self, begin: &str, parts: &[String], separator: &str) {
        self.lines.extend(self.phase.take());
        let mut line = format!("    {}", capitalized(begin));
        for (at, part) in parts.iter().enumerate() {
            line.push_str(&if begin.is_empty() && at == 0 { capitalized(part) } else { part.clone() });
            if at + 1 < parts.len() {
                line.push_str(separator);
            }
        }
        self.lines.push(line);
    }
}

impl Head<'_> {
    /// Whether it names this holder and no other of its sort.
    fn is_about(&self, holder: Holder, model: &Model) -> bool {
        let mut named: Vec<&Holder> =
            self.subjects.iter().filter(|other| is_same_sort(**other, holder, model)).collect();
        named.dedup();
        named == [&holder]
    }
}

/// Whether one of the pieces that an announcement names is the one that was shown.
fn is_among(named: Looks<'_>, shown: &Look) -> bool {
    named
        .iter()
        .any(|(_, look)| (look.component, look.owner, look.space) == (shown.component, shown.owner, shown.space))
}

/// Whether two holders are both seats, or components of one kind.
fn is_same_sort(a: Holder, b: Holder, model: &Model) -> bool {
    match (a, b) {
        (Holder::Component(a), Holder::Component(b)) => model.component(a).kind == model.component(b).kind,
        (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    }
}

fn key_of(item: &Item<'_>, at: usize) -> Key {
    match item {
        Item::Moved { from, .. } => Key::Moved(from.clone()),
        Item::Set { value, .. } => Key::Set(*value),
        Item::Shuffled(_) => Key::Shuffled,
        Item::Drawn(_) => Key::Drawn,
        Item::Shown { .. } | Item::Turned { .. } | Item::Refilled { .. } => Key::Alone(at),
    }
}

fn subjects_of(choice: &Choice, found: &mut Vec<Holder>) {
    found.extend(choice.leaves().into_iter().filter_map(|leaf| match leaf {
        Choice::Seat(seat) => Some(Holder::Seat(*seat)),
        Choice::Component(component) => Some(Holder::Component(*component)),
        Choice::Piece(piece) => Some(Holder::Piece(*piece)),
        _ => None,
    }));
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

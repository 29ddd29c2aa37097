//! What happened in a game, texts line by line as one reader sees it.
//!
//! Whatever follows a choice or an announcement within a step is texts with it; what merely carries a choice out is not
//! texts again.

use super::names::{Looks, Wording};
use super::statement::Statement;
use crate::decision::{Choice, Event, EventKind, Look};
use crate::model::{
    ComponentId, DecisionId, FamilyId, FieldValue, Model, PieceId, Seat, Seen, Shape, SpaceId, Value, ValueId,
    ValueType, ZoneId,
};
use crate::table::{Holder, Picture};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One thing that happened, with more of the same sort that followed it.
enum Item<'e> {
    Moved {
        from: ZoneId,
        to: ZoneId,
        moves: Vec<(&'e Look, SpaceId)>,
    },
    /// What the answer just texts says already.
    Carried {
        look: &'e Look,
        to: SpaceId,
    },
    /// What the answer just texts says already: that a value is what was chosen.
    Kept {
        value: ValueId,
        holder: Holder,
        now: i64,
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
    /// A die, and whose turn it was.
    Thrown {
        look: &'e Look,
        turned: u8,
        by: Option<Seat>,
    },
    Set {
        value: ValueId,
        holder: Holder,
        look: Option<&'e Look>,
        course: Vec<i64>,
    },
    /// A list, or a piece that a value holds.
    Held {
        value: ValueId,
        holder: Holder,
        entries: &'e [i64],
        looks: Looks<'e>,
    },
    Eliminated(Seat),
    Shuffled(SpaceId),
    Refilled {
        zone: ZoneId,
        from: ZoneId,
    },
    /// Pieces that seats hand on; so many are still to come.
    Passed {
        into: FamilyId,
        is_left: bool,
        to_come: usize,
        moves: Vec<(&'e Look, SpaceId)>,
    },
    Drawn(i64),
}

/// What can be texts in one line without a head: items with the same key.
#[derive(PartialEq)]
enum Key {
    Moved(ZoneId),
    Set(ValueId),
    Shuffled,
    Drawn,
    Thrown(Option<Seat>),
    Alone(usize),
}

/// A choice or an announcement, to which what follows belongs.
struct Head<'e> {
    text: String,
    chose: Option<Chose<'e>>,
    subjects: Vec<Holder>,
    /// The chosen pieces whose move has been texts with the choice.
    spent: Vec<PieceId>,
    /// Whether it is texts where nothing follows.
    stands_alone: bool,
    /// Whether several seats have answered the same decision before anything was done: what follows is caused by all of them.
    is_shared: bool,
}

/// A choice, with its pieces as the reader knows them by now: a card that is chosen from a hand is seen when it is played.
struct Chose<'e> {
    seat: Seat,
    decision: DecisionId,
    choice: &'e Choice,
    looks: Vec<(PieceId, Look)>,
}

/// The lines texts so far, and what is being gathered for the next.
struct Narration<'w, 'e> {
    wording: &'w Wording,
    lines: Vec<String>,
    phase: Option<String>,
    head: Option<Head<'e>>,
    items: Vec<(usize, Item<'e>)>,
    /// What the lines say of the table.
    statements: Vec<Statement>,
    step: usize,
    /// The piece whose effect is carried out, by its name, until the effects of the step are over.
    effect: Option<String>,
    /// Whether a grid has been shown.
    has_shown: bool,
}

impl Wording {
    /// What pieces each seat hands on to which other.
    fn passed(&self, moves: &[(&Look, SpaceId)]) -> Vec<String> {
        let seat_of = |space: SpaceId| self.model.zone(self.model.space(space).zone).seat;
        let ways = |(look, to): &(&Look, SpaceId)| (seat_of(look.space), seat_of(*to));
        let all = moves.chunk_by(|one, other| ways(one) == ways(other));
        let texts = all.filter_map(|lot| {
            let (Some(from), Some(to)) = ways(&lot[0]) else { return None };
            Some(self.log.handed(self.seat(from), self.seat(to), &self.faces(&self.lots(lot))))
        });
        texts.collect()
    }

    /// What happened, line by line.
    pub fn narrate<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<String> {
        self.narration(events).lines
    }

    /// Of how many events the reader is texts.
    pub fn heard<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> usize {
        events.into_iter().filter(|event| self.reader.knows(event.to)).count()
    }

    /// What those lines say of the table, in the same order, as data.
    pub fn statements<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<Statement> {
        self.narration(events).statements
    }

    fn narration<'w, 'e>(&'w self, events: impl IntoIterator<Item = &'e Event>) -> Narration<'w, 'e> {
        let mut narration = Narration {
            wording: self,
            lines: Vec::new(),
            phase: None,
            head: None,
            items: Vec::new(),
            statements: Vec::new(),
            step: 0,
            effect: None,
            has_shown: false,
        };
        for event in events.into_iter().filter(|event| self.reader.knows(event.to)) {
            narration.take(&event.what);
        }
        narration.close();
        narration
    }
}

impl<'e> Narration<'_, 'e> {
    fn take(&mut self, what: &'e EventKind) {
        match what {
            EventKind::Round(round) => {
                self.close();
                self.effect = None;
                self.phase = None;
                self.lines.push(format!("\n{}", self.wording.round(*round)));
            }
            EventKind::First(seat) => {
                // It stands beside the round's own line, which came just before; who is drawn at random is texts before all else.
                let seat = self.wording.seat(*seat);
                match self.lines.last_mut() {
                    Some(line) => *line = self.wording.log.begun_by(line, seat),
                    None => self.lines.push(format!("    {}", self.wording.log.begins_at_random(seat))),
                }
            }
            EventKind::Phase(phase) => {
                self.close();
                self.effect = None;
                let name = self.wording.text(&self.wording.model.phases[phase.index()].name);
                self.phase = Some(format!("  {name}"));
            }
            EventKind::Ended(ending) => {
                self.close();
                self.phase = None;
                let name = self.wording.text(&self.wording.model.endings[ending.index()].name);
                self.lines.push(format!("\n{name}"));
            }
            EventKind::Step => {
                if self.head.is_some() {
                    self.close();
                }
                self.effect = None;
                self.step += 1;
            }
            EventKind::Turn(_) => {}
            EventKind::Redealt { by, consent, is_dealt } => {
                self.close();
                let by = by.map(|seat| self.wording.seat(seat));
                self.lines.push(format!("    {}", self.wording.log.redealt(by, *consent, *is_dealt)));
            }
            EventKind::Finish => {
                self.close();
                self.effect = None;
                self.phase = Some(format!("\n{}", self.wording.log.game_ends));
            }
            EventKind::Pictured(picture) => self.show(picture),
            EventKind::Chose { decision, .. } if self.wording.model.decisions[decision.index()].is_quiet => {
                self.close();
            }
            EventKind::Chose { seat, decision, choice, looks } => {
                let is_shared = self.is_asked_of_others(*seat, *decision);
                self.close();
                let mut subjects = vec![Holder::Seat(*seat)];
                subjects_of(choice, &mut subjects);
                let chose = Chose { seat: *seat, decision: *decision, choice, looks: looks.to_vec() };
                self.head = Some(Head {
                    text: String::new(),
                    chose: Some(chose),
                    subjects,
                    spent: Vec::new(),
                    stands_alone: true,
                    is_shared,
                });
            }
            EventKind::Passed { into, is_left, count } => {
                self.close();
                let (into, is_left, to_come) = (*into, *is_left, *count);
                self.items.push((self.step, Item::Passed { into, is_left, to_come, moves: Vec::new() }));
            }
            EventKind::Said { say, facts, looks } => self.say(say.index(), facts, looks),
            // The seat that chose what comes next has named it.
            EventKind::Triggered { .. } if self.is_just_chosen() => {}
            EventKind::Triggered { look } => {
                self.close();
                let owner = self.wording.model.zone(self.wording.model.space(look.space).zone).seat;
                let face = self.wording.look(look);
                let text = owner.map_or_else(
                    || face.clone(),
                    |seat| self.wording.language.possessive(self.wording.seat(seat), &face),
                );
                let subjects = owner.map(Holder::Seat).into_iter().collect();
                self.effect = Some(text.clone());
                self.head = Some(Head {
                    text,
                    chose: None,
                    subjects,
                    spent: Vec::new(),
                    stands_alone: false,
                    is_shared: false,
                });
            }
            kind => self.gather(kind),
        }
    }

    /// Whether another seat has just answered the same decision, and nothing was done since.
    fn is_asked_of_others(&self, seat: Seat, decision: DecisionId) -> bool {
        let chose = self.head.as_ref().and_then(|head| head.chose.as_ref()).filter(|_| self.items.is_empty());
        chose.is_some_and(|chose| chose.decision == decision && chose.seat != seat)
    }

    /// A sentence within the effect of a piece: the piece is named first.
    fn in_effect(&self, text: String) -> String {
        match &self.effect {
            Some(effect) if !text.starts_with(effect.as_str()) => format!("{effect}{}{text}", self.wording.log.colon),
            _ => text,
        }
    }

    /// Whether a seat has just chosen which of several effects comes next.
    fn is_just_chosen(&self) -> bool {
        let chose = self.head.as_ref().and_then(|head| head.chose.as_ref()).filter(|_| self.items.is_empty());
        chose.is_some_and(|chose| self.wording.model.flow.trigger_choice == Some(chose.decision))
    }

    /// A grid as it lies; what its symbols mean the first time.
    fn show(&mut self, picture: &Picture) {
        self.close();
        if !self.wording.model.family_of(picture.zone).is_shown {
            return;
        }
        self.lines.push(String::new());
        self.lines.extend(self.wording.picture(picture).into_iter().map(|line| format!("    {line}")));
        if !self.has_shown && !picture.cells.is_empty() {
            self.lines.push(format!("          {}", self.wording.symbols()));
        }
        self.has_shown |= !picture.cells.is_empty();
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
            self.drop_last();
        }
        if let Some((step, Item::Shown { zone, looks: shown, turned_up: Some(true) })) = self.items.last()
            && *step == self.step
            && shown.iter().all(|look| subjects.contains(&Holder::Component(look.component)))
        {
            // An announcement may name the place itself.
            if !facts.iter().any(|(_, fact)| *fact == Choice::Zone(*zone)) {
                text = format!("{}{}{text}", self.wording.zone_name(*zone), self.wording.log.colon);
            }
            self.drop_last();
        }
        self.close();
        let text = self.in_effect(text);
        self.head = Some(Head { text, chose: None, subjects, spent: Vec::new(), stands_alone: true, is_shared: false });
    }

    /// Leaves out of the lines what an announcement tells.
    fn drop_last(&mut self) {
        let last = self.items.pop();
        self.statements.extend(last.map(|(_, item)| item.statement(self.wording)));
    }

    /// Gathers a thing that happened with what it belongs to.
    fn gather(&mut self, kind: &'e EventKind) {
        if let EventKind::Moved { look, .. } | EventKind::Shown { look, .. } = kind {
            self.learn(look);
        }
        if let EventKind::Moved { look, to } = kind {
            if let Some((_, Item::Passed { to_come, moves, .. })) = self.items.last_mut()
                && *to_come > 0
            {
                *to_come -= 1;
                moves.push((look, *to));
                return;
            }
            if look.space != *to && !self.is_refill(look, *to) {
                self.moved(look, *to);
            }
            return;
        }
        let last = self.items.last_mut().filter(|(step, _)| *step == self.step).map(|(_, item)| item);
        let item = match kind {
            EventKind::Shown { look, is_turned } => {
                let place = self.wording.model.space(look.space).zone;
                let now = is_turned.then_some(look.is_up);
                if let Some(Item::Shown { zone, turned_up, looks }) = last
                    && (*zone, *turned_up) == (place, now)
                {
                    // The same piece may be shown again.
                    let at = |look: &Look| (look.component, look.owner, look.space, look.depth);
                    if !looks.iter().any(|known| at(known) == at(look)) {
                        looks.push(look);
                    }
                    return;
                }
                Item::Shown { zone: place, turned_up: now, looks: vec![look] }
            }
            EventKind::Set { value, holder, look, old, new } => {
                if old == new || self.wording.model.value(*value).is_quiet {
                    return;
                }
                if !self.is_chosen(*value, *new) {
                    self.set(*value, *holder, look.as_ref(), *old, *new);
                    return;
                }
                Item::Kept { value: *value, holder: *holder, now: *new }
            }
            EventKind::Held { value, holder, entries, looks } => {
                if self.wording.model.value(*value).is_quiet {
                    return;
                }
                match &**entries {
                    [raw] if self.is_chosen(*value, *raw) => Item::Kept { value: *value, holder: *holder, now: *raw },
                    _ => {
                        self.held(*value, *holder, entries, looks);
                        return;
                    }
                }
            }
            EventKind::Turned { look, turned, by } => {
                let is_die = !self.wording.model.component(look.component).faces.is_empty();
                let (turned, by) = (*turned, *by);
                if is_die { Item::Thrown { look, turned, by } } else { Item::Turned { look, turned } }
            }
            EventKind::Eliminated(seat) => Item::Eliminated(*seat),
            EventKind::Shuffled(space) => Item::Shuffled(*space),
            EventKind::Refilled { zone, from } => Item::Refilled { zone: *zone, from: *from },
            EventKind::Drawn(number) => Item::Drawn(*number),
            _ => return,
        };
        self.items.push((self.step, item));
    }

    /// Whether a pile has just been refilled with this piece among others, which is texts already.
    fn is_refill(&self, look: &Look, to: SpaceId) -> bool {
        let zone_of = |space: SpaceId| self.wording.model.space(space).zone;
        let Some((_, Item::Refilled { zone, from })) = self.items.last() else { return false };
        (*zone, *from) == (zone_of(to), zone_of(look.space))
    }

    /// A piece that moved, with those that went from the same zone to the same zone before it, if only moves out of that zone
    /// lie between.
    fn moved(&mut self, look: &'e Look, to: SpaceId) {
        if self.is_carried(look, to) {
            self.items.push((self.step, Item::Carried { look, to }));
            return;
        }
        let look = self.take_passing(look, to).unwrap_or(look);
        let model = &self.wording.model;
        let (source, target) = (model.space(look.space).zone, model.space(to).zone);
        let is_out = |item: &Item<'_>| matches!(item, Item::Moved { from, to, .. } if *from == source && *to != source);
        let mut is_next = true;
        for (step, item) in self.items.iter_mut().rev().filter(|(_, item)| !matches!(item, Item::Kept { .. })) {
            if *step != self.step || !is_next && !is_out(item) {
                break;
            }
            let is_passed = is_out(item);
            if let Item::Moved { from, to: known, moves } = item
                && (*from, *known) == (source, target)
            {
                moves.push((look, to));
                return;
            }
            if !is_passed || target == source {
                break;
            }
            is_next = false;
        }
        self.items.push((self.step, Item::Moved { from: source, to: target, moves: vec![(look, to)] }));
    }

    /// A piece that goes on from where it has just come is texts of once: where it was before, taken out of what was gathered.
    /// Only a face that the reader knows says that it is the same piece, or one just like it; one that has gone on already, or
    /// goes back to where it was, is none.
    fn take_passing(&mut self, look: &Look, to: SpaceId) -> Option<&'e Look> {
        let face = self.wording.seen_face(look)?;
        for at in (0..self.items.len()).rev() {
            let (step, item) = &mut self.items[at];
            if *step != self.step {
                return None;
            }
            let moves = match item {
                Item::Kept { .. } => continue,
                Item::Moved { moves, .. } => moves,
                _ => return None,
            };
            let comes_or_goes = |(before, reached): &(&Look, SpaceId)| {
                self.wording.seen_face(before) == Some(face) && (*reached == look.space || before.space == look.space)
            };
            let Some(found) = moves.iter().rposition(comes_or_goes) else { continue };
            let (before, reached) = moves[found];
            if reached != look.space || before.space == to {
                return None;
            }
            moves.remove(found);
            if moves.is_empty() {
                self.items.remove(at);
            }
            return Some(before);
        }
        None
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

    /// A list or a piece, as it is in the end.
    fn held(&mut self, value: ValueId, holder: Holder, entries: &'e [i64], looks: Looks<'e>) {
        let step = self.step;
        self.items.retain(|(at, item)| {
            *at != step
                || !matches!(item, Item::Held { value: known, holder: of, .. } if *known == value && *of == holder)
        });
        self.items.push((step, Item::Held { value, holder, entries, looks }));
    }

    /// Whether a value only keeps the thing that was chosen: the sentence of the answer names it, and no other of its sort.
    fn is_chosen(&self, value: ValueId, new: i64) -> bool {
        let Some(chose) = self.head.as_ref().and_then(|head| head.chose.as_ref()) else { return false };
        let kept = match self.wording.model.value(value).kind {
            _ if new == Value::NOTHING => return false,
            ValueType::Seat => Choice::Seat(Seat(new as u8)),
            ValueType::Component(_) => Choice::Component(ComponentId(new as u16)),
            ValueType::Space(_) => Choice::Space(SpaceId(new as u16)),
            ValueType::Piece => Choice::Piece(PieceId(new as u16)),
            _ => return false,
        };
        let mut alike = self.wording.leaves_in_sentence(chose.decision, chose.choice);
        alike.retain(|leaf| std::mem::discriminant(*leaf) == std::mem::discriminant(&kept));
        alike == [&kept]
    }

    /// Whether the sentence of the answer just given tells this very move: which piece, and where it goes. Where it was goes
    /// without saying only for a piece that has not its like, and for one unknown to the reader that comes from a place of the
    /// seat that answered.
    fn is_carried(&mut self, look: &Look, to: SpaceId) -> bool {
        let Some(Chose { seat, decision, choice, .. }) = self.head.as_ref().and_then(|head| head.chose.as_ref()) else {
            return false;
        };
        let (seat, model) = (*seat, &self.wording.model);
        let leaves = self.wording.leaves_in_sentence(*decision, choice);
        let (zone, source) = (model.space(to).zone, model.space(look.space).zone);
        // The places it names besides the one where the piece was.
        let mut places = leaves.iter().filter(|leaf| match leaf {
            Choice::Space(space) => *space != look.space,
            Choice::Zone(named) => *named != source,
            _ => false,
        });
        let is_said = match (places.next(), places.next()) {
            (Some(Choice::Space(space)), None) => *space == to,
            (Some(Choice::Zone(named)), None) => *named == zone && model.zone(zone).spaces.len() == 1,
            // A seat that takes something takes it into its hand, unless something else is said.
            (None, _) => self.is_only_hand(zone, seat, look),
            _ => false,
        };
        if !is_said {
            return false;
        }
        let is_known = self.wording.knows(look);
        let family = model.family_of(source);
        let is_own = model.zone(source).seat == Some(seat);
        let is_seen = is_own || family.face_up || family.seen_by == Seen::Everybody;
        let is_without_like = is_known && is_seen && self.wording.is_only_one(look);
        let is_own = !is_known && is_own;
        if is_without_like && leaves.contains(&&Choice::Component(look.component)) {
            return true;
        }
        let chosen = self.chosen_piece(look).filter(|piece| leaves.contains(&&Choice::Piece(*piece)));
        let Some(piece) = chosen.filter(|_| is_without_like || is_own) else { return false };
        self.head.iter_mut().for_each(|head| head.spent.push(piece));
        true
    }

    /// Whether a zone is the only hand of a seat that takes a piece: then it needs no name.
    fn is_only_hand(&self, zone: ZoneId, seat: Seat, look: &Look) -> bool {
        let model = &self.wording.model;
        let mut hands = (0..model.zones.len()).map(ZoneId::at).filter(|hand| {
            model.zone(*hand).seat == Some(seat)
                && model.family_of(*hand).shape == Shape::Hand
                && model.accepts(*hand, look.component)
        });
        hands.next() == Some(zone) && hands.next().is_none()
    }

    /// The chosen piece that this one is, if its move has not been texts yet.
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

    /// Tells what was gathered.
    fn close(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        self.statements.extend(items.iter().map(|(_, item)| item.statement(self.wording)));
        let model = &self.wording.model;
        items.retain(|(_, item)| !matches!(item, Item::Carried { .. } | Item::Kept { .. }) && !item.is_quiet(model));
        if let Some(mut head) = self.head.take() {
            if let Some(Chose { seat, decision, choice, looks }) = &head.chose {
                head.text = self.in_effect(self.wording.chose(*seat, *decision, choice, looks));
            }
            if head.is_shared {
                self.write_line(&head.text, &[], "");
                return self.write_items(&items);
            }
            let parts = self.all_with_head(&items, &head);
            if parts.is_empty() && !head.stands_alone {
                return;
            }
            let dash = if parts.is_empty() { "" } else { self.wording.log.dash };
            self.write_line(&format!("{}{dash}", head.text), &parts, self.wording.log.semicolon);
            return;
        }
        self.write_items(&items);
    }

    /// Writes lines about things that belong to no sentence, those of one sort together.
    fn write_items(&mut self, items: &[(usize, Item<'e>)]) {
        let mut rest = items;
        let mut at = 0;
        let mut single: Vec<String> = Vec::new();
        let mut single_step = 0;
        while let Some((step, first)) = rest.first() {
            let key = key_of(first, at);
            let count = rest.iter().enumerate().take_while(|(i, (_, item))| key_of(item, at + i) == key).count();
            let (group, others) = rest.split_at(count);
            if !single.is_empty() && (count > 1 || *step != single_step) {
                self.write_line("", &std::mem::take(&mut single), self.wording.log.semicolon);
            }
            let (begin, parts, separator) = self.group(&key, &group.iter().map(|(_, item)| item).collect::<Vec<_>>());
            if let [part] = parts.as_slice() {
                single.push(format!("{begin}{part}"));
                single_step = *step;
            } else {
                self.write_line(&begin, &parts, separator);
            }
            (rest, at) = (others, at + count);
        }
        if !single.is_empty() {
            self.write_line("", &single, self.wording.log.semicolon);
        }
    }

    /// Things of one sort: what they begin with, the parts, and what stands between them.
    fn group(&self, key: &Key, group: &[&Item<'_>]) -> (String, Vec<String>, &'static str) {
        let wording = self.wording;
        let log = wording.log;
        match key {
            Key::Moved(_) => {
                let spaces: Vec<SpaceId> = group.iter().flat_map(|item| item.sources()).collect();
                if group.len() > 1 && spaces.iter().any(|space| *space != spaces[0]) {
                    let parts = group.iter().map(|item| self.with_head(item, &Head::of_nobody())).collect();
                    return (String::new(), parts, log.semicolon);
                }
                let begin = format!("{} → ", wording.place_of(spaces.iter().copied()));
                (begin, group.iter().map(|item| self.arrived(item)).collect(), log.semicolon)
            }
            Key::Set(value) if group.len() > 1 => {
                let begin = format!("{}{}", wording.text(&wording.model.value(*value).name), log.colon);
                (begin, group.iter().map(|item| self.went(item)).collect(), log.comma)
            }
            Key::Shuffled | Key::Drawn => {
                let word = if *key == Key::Drawn { log.drawn } else { log.shuffled };
                let begin = format!("{}{}", word, log.colon);
                (begin, group.iter().map(|item| self.went(item)).collect(), log.comma)
            }
            Key::Thrown(by) => {
                let faces = self.throw(group);
                let text = match by {
                    Some(seat) => log.rolls(wording.seat(*seat), &faces),
                    None => format!("{}{}{faces}", log.rolled, log.colon),
                };
                (String::new(), vec![text], "")
            }
            Key::Set(_) | Key::Alone(_) => {
                let nobody = Head::of_nobody();
                (String::new(), group.iter().map(|item| self.with_head(item, &nobody)).collect::<Vec<_>>(), "")
            }
        }
    }

    /// What dice show that were thrown one after the other, by their names; numbers alone where there is no other die in the box.
    fn throw(&self, group: &[&Item<'_>]) -> String {
        let wording = self.wording;
        let dice = group.iter().filter_map(|item| match item {
            Item::Thrown { look, turned, .. } => Some((look.component, *turned)),
            _ => None,
        });
        let dice: Vec<(ComponentId, u8)> = dice.collect();
        let sorts: Vec<ComponentId> = dice.iter().map(|(die, _)| *die).collect::<BTreeSet<_>>().into_iter().collect();
        let is_only_sort = wording.model.components.iter().filter(|one| !one.faces.is_empty()).count() == 1;
        let shown = |die: ComponentId| -> String {
            let faces = dice.iter().filter(|(other, _)| *other == die).map(|(_, turned)| self.face(die, *turned));
            faces.collect::<Vec<_>>().join(" ")
        };
        let is_number = |die: ComponentId| {
            wording.model.component(die).faces.iter().all(|face| matches!(face, FieldValue::Number(_)))
        };
        let named = |die: &ComponentId| {
            let shown = shown(*die);
            if is_only_sort && is_number(*die) { shown } else { format!("{} {shown}", wording.component(*die)) }
        };
        sorts.iter().map(named).collect::<Vec<_>>().join(wording.log.comma)
    }

    /// What a die shows.
    fn face(&self, die: ComponentId, turned: u8) -> String {
        let face = self.wording.model.component(die).faces.get(usize::from(turned));
        face.map_or_else(|| turned.to_string(), |face| self.wording.field(face))
    }

    /// What followed a choice or an announcement; dice that are alike and were thrown one after the other as one throw.
    fn all_with_head(&self, items: &[(usize, Item<'_>)], head: &Head<'_>) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut last: Option<ComponentId> = None;
        for (_, item) in items {
            let die = match item {
                Item::Thrown { look, .. } => Some(look.component),
                _ => None,
            };
            match (item, texts.last_mut()) {
                (Item::Thrown { look, turned, .. }, Some(throw)) if die == last => {
                    throw.push(' ');
                    throw.push_str(&self.face(look.component, *turned));
                }
                _ => texts.push(self.with_head(item, head)),
            }
            last = die;
        }
        texts
    }

    /// A group's part: where pieces arrived.
    fn arrived(&self, item: &Item<'_>) -> String {
        let Item::Moved { moves, .. } = item else { return String::new() };
        let wording = self.wording;
        let place = wording.place_of(moves.iter().map(|(_, to)| *to));
        format!("{place}{}{}", wording.log.colon, wording.faces(&wording.lots(moves)))
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
        let log = wording.log;
        match item {
            Item::Moved { moves, .. } => {
                format!("{} → {}", wording.place_of(moves.iter().map(|(look, _)| look.space)), self.arrived(item))
            }
            Item::Carried { .. } | Item::Kept { .. } => String::new(),
            Item::Shown { turned_up, looks, zone }
                if *turned_up != Some(false) && wording.model.zone(*zone).seat.is_some() =>
            {
                let (of, model) = (wording.model.zone(*zone), &wording.model);
                let faces = wording.faces(&wording.lots(&lying(looks)));
                let is_hand = model.family(of.family).shape == Shape::Hand;
                let faces = if is_hand {
                    faces
                } else {
                    let place = wording.place_of(looks.iter().map(|look| look.space));
                    log.remarked(&faces, &place)
                };
                log.reveals(of.seat.map_or("", |seat| wording.seat(seat)), &faces)
            }
            Item::Shown { turned_up, looks, .. } => {
                let place = wording.place_of(looks.iter().map(|look| look.space));
                let faces = wording.faces(&wording.lots(&lying(looks)));
                if head.text.is_empty() {
                    log.shown(&place, &faces, *turned_up)
                } else {
                    format!("{place}{}{faces}", log.colon)
                }
            }
            Item::Turned { look, turned } => {
                format!("{}{}{turned}", wording.faces(&wording.lots(&lying(&[look]))), log.colon)
            }
            Item::Thrown { look, turned, .. } => {
                let face = self.face(look.component, *turned);
                format!("{}{}{face}", wording.component(look.component), log.colon)
            }
            Item::Set { value, holder, look, course } => {
                let course = wording.course(*value, course);
                format!("{} {course}", self.title(*value, *holder, *look, head))
            }
            Item::Held { value, holder, entries, looks } => {
                let name = self.title(*value, *holder, None, head);
                format!("{name}{}{}", log.colon, wording.entries(*value, entries, looks))
            }
            Item::Shuffled(_) => format!("{}{}{}", log.shuffled, log.colon, self.went(item)),
            Item::Drawn(_) => format!("{}{}{}", log.drawn, log.colon, self.went(item)),
            Item::Eliminated(seat) => log.is_eliminated(wording.seat(*seat)),
            Item::Refilled { zone, from } => log.refilled(&wording.zone_name(*zone), &wording.zone_name(*from)),
            Item::Passed { into, is_left, moves, .. } => {
                let zone = wording.text(&wording.model.family(*into).name);
                log.passed(zone, *is_left, &wording.passed(moves).join(log.semicolon))
            }
        }
    }

    /// What a value is called, with whose it is where the head does not say so.
    fn title(&self, value: ValueId, holder: Holder, look: Option<&Look>, head: &Head<'_>) -> String {
        let wording = self.wording;
        let name = wording.text(&wording.model.value(value).name);
        let (name, holder) = match holder {
            Holder::Pair(one, other) => (wording.log.remarked(name, &wording.member(other)), Holder::from(one)),
            holder => (name.to_owned(), holder),
        };
        let of = wording.holder(holder, look).filter(|_| !head.is_about(holder, &wording.model));
        of.map_or_else(|| name.clone(), |of| wording.language.possessive(&of, &name))
    }

    /// A line; the name of the phase first if it is the first there.
    fn write_line(&mut self, begin: &str, parts: &[String], separator: &str) {
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

impl Item<'_> {
    /// What it says of the table to a reader.
    fn statement(&self, wording: &Wording) -> Statement {
        let face = |look: &Look| wording.seen_face(look);
        match self {
            Item::Moved { moves, .. } | Item::Passed { moves, .. } => Statement::Moved(wording.lots(moves)),
            Item::Carried { look, to } => Statement::Carried { face: face(look), from: look.space, to: *to },
            Item::Kept { value, holder, now } => Statement::Kept { value: *value, holder: *holder, now: *now },
            Item::Shown { looks, .. } => Statement::Shown(wording.lots(&lying(looks))),
            Item::Turned { look, .. } | Item::Thrown { look, .. } => {
                Statement::Turned { face: face(look), space: look.space }
            }
            Item::Set { value, holder, course, .. } => {
                Statement::Set { value: *value, holder: *holder, course: course.clone() }
            }
            Item::Held { value, holder, entries, .. } => {
                Statement::Held { value: *value, holder: *holder, entries: entries.to_vec() }
            }
            Item::Shuffled(space) => Statement::Shuffled(*space),
            Item::Eliminated(seat) => Statement::Eliminated(*seat),
            Item::Refilled { zone, from } => Statement::Refilled { zone: *zone, from: *from },
            Item::Drawn(number) => Statement::Drawn(*number),
        }
    }

    /// Whether it happened on a zone of which nothing is texts, or between such a zone and another one.
    fn is_quiet(&self, model: &Model) -> bool {
        let is_quiet = |zone: ZoneId| model.family_of(zone).is_quiet;
        let is_on = |space: SpaceId| is_quiet(model.space(space).zone);
        match self {
            Item::Moved { from, to, .. } => is_quiet(*from) || is_quiet(*to),
            Item::Passed { into, .. } => model.family(*into).is_quiet,
            Item::Refilled { zone, from } => is_quiet(*zone) || is_quiet(*from),
            Item::Shown { zone, .. } => is_quiet(*zone),
            Item::Turned { look, .. } | Item::Thrown { look, .. } => is_on(look.space),
            Item::Shuffled(space) => is_on(*space),
            _ => false,
        }
    }

    /// Where the pieces were that moved.
    fn sources(&self) -> Vec<SpaceId> {
        match self {
            Item::Moved { moves, .. } => moves.iter().map(|(look, _)| look.space).collect(),
            _ => Vec::new(),
        }
    }
}

/// Pieces that stay where they are.
fn lying<'l>(looks: &[&'l Look]) -> Vec<(&'l Look, SpaceId)> {
    looks.iter().map(|look| (*look, look.space)).collect()
}

impl Head<'_> {
    const fn of_nobody() -> Self {
        Head {
            text: String::new(),
            chose: None,
            subjects: Vec::new(),
            spent: Vec::new(),
            stands_alone: true,
            is_shared: false,
        }
    }

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
        Item::Moved { from, .. } => Key::Moved(*from),
        Item::Set { value, .. } => Key::Set(*value),
        Item::Shuffled(_) => Key::Shuffled,
        Item::Drawn(_) => Key::Drawn,
        Item::Thrown { by, .. } => Key::Thrown(*by),
        Item::Carried { .. }
        | Item::Kept { .. }
        | Item::Shown { .. }
        | Item::Turned { .. }
        | Item::Eliminated(_)
        | Item::Refilled { .. }
        | Item::Passed { .. }
        | Item::Held { .. } => Key::Alone(at),
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

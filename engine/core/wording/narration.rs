//! Narrates a game: turns events into log lines with the information that one reader may have.
//!
//! Events that follow a choice or an announcement within a step are written on the same line. An event that only carries out a choice is
//! not written at all, because the sentence about the choice already describes the event.

use super::log_line::LogLine;
use super::names::{Appearances, Wording};
use super::statement::Statement;
use crate::decision::{Appearance, Choice, Event, EventKind};
use crate::model::{
    ComponentId, DecisionId, FaceDownVisibility, FamilyId, FieldValue, Model, PieceId, Seat, Shape, SpaceId, Value,
    ValueId, ValueType, ZoneId,
};
use crate::table::{Holder, Layout, Picture, SeatSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One event, or several similar events that are narrated together.
enum Item<'e> {
    Moved {
        from: ZoneId,
        to: ZoneId,
        moves: Vec<(&'e Appearance, SpaceId)>,
    },
    /// A move that the sentence about the answer already describes.
    Carried {
        look: &'e Appearance,
        to: SpaceId,
    },
    /// A value that was set to a chosen object. The sentence about the answer already describes the change.
    Kept {
        value: ValueId,
        holder: Holder,
        now: i64,
    },
    /// Pieces that were shown. `turned_up` is `None` if the pieces were not turned.
    Shown {
        zone: ZoneId,
        turned_up: Option<bool>,
        /// The seat that revealed the pieces to everybody, if it is known.
        by: Option<Seat>,
        appearances: Vec<&'e Appearance>,
    },
    Turned {
        look: &'e Appearance,
        turned: u8,
    },
    /// A die that was rolled, and the seat that had the turn.
    Thrown {
        look: &'e Appearance,
        turned: u8,
        by: Option<Seat>,
    },
    Set {
        value: ValueId,
        holder: Holder,
        look: Option<&'e Appearance>,
        course: Vec<i64>,
    },
    /// The content of a value that holds a list or a piece.
    Held {
        value: ValueId,
        holder: Holder,
        entries: &'e [i64],
        appearances: Appearances<'e>,
    },
    Eliminated(Seat),
    Shuffled(SpaceId),
    Refilled {
        zone: ZoneId,
        from: ZoneId,
    },
    /// Pieces that seats pass to their neighbors. `to_come` is the number of moves that have not been collected yet.
    Passed {
        into: FamilyId,
        is_left: bool,
        to_come: usize,
        moves: Vec<(&'e Appearance, SpaceId)>,
    },
    Drawn(i64),
}

/// Key for grouping items that have no head. Consecutive items with equal keys share a line.
#[derive(PartialEq)]
enum Key {
    Moved(ZoneId),
    Set(ValueId),
    Shuffled,
    Drawn,
    Thrown(Option<Seat>),
    Alone(usize),
}

/// A choice, an announcement or a triggered effect to which the following events belong.
struct Head<'e> {
    text: String,
    chose: Option<NarratedChoice<'e>>,
    subjects: Vec<Holder>,
    /// Components that the text names.
    cards: Vec<ComponentId>,
    /// Name of the piece whose effect the text belongs to, if the text itself does not name the piece.
    effect: Option<String>,
    /// Chosen pieces whose moves have been narrated together with the choice.
    narrated: Vec<PieceId>,
    /// Whether the line is printed even if no events follow.
    stands_alone: bool,
    /// Whether another seat answered the same decision immediately before. The following events are then caused by all these answers, so
    /// they get lines of their own.
    is_shared: bool,
}

/// A choice, with the appearance of its pieces as known to the reader now. For example, a card chosen from a hand becomes visible when it
/// is played.
struct NarratedChoice<'e> {
    seat: Seat,
    decision: DecisionId,
    choice: &'e Choice,
    appearances: Vec<(PieceId, Appearance)>,
}

/// The effect of a piece that is being carried out.
struct Effect {
    /// Name of the piece, with its owner.
    name: String,
    card: ComponentId,
    owner: Option<Seat>,
    /// Number of the head that already names the piece. The effect then belongs to the sentence of this head.
    head: Option<usize>,
}

/// State of a narration: the lines so far, and the events that are collected for the next line.
struct Narration<'w, 'e> {
    wording: &'w Wording,
    lines: Vec<LogLine>,
    /// Heading that precedes the next line.
    heading: Option<LogLine>,
    head: Option<Head<'e>>,
    /// Number of heads so far.
    heads: usize,
    items: Vec<(usize, Item<'e>)>,
    /// The statements that the lines make about the table.
    statements: Vec<Statement>,
    step: usize,
    /// Effects that are being carried out. Later effects are parts of earlier ones.
    effects: Vec<Effect>,
    /// Whether a grid with cells has been shown.
    has_shown: bool,
}

impl Wording {
    /// Describes the pieces that each seat passes to another.
    fn passed(&self, moves: &[(&Appearance, SpaceId)]) -> Vec<String> {
        let seat_of = |space: SpaceId| self.model.zone(self.model.space(space).zone).seat;
        let ways = |(look, to): &(&Appearance, SpaceId)| (seat_of(look.space), seat_of(*to));
        let all = moves.chunk_by(|one, other| ways(one) == ways(other));
        let texts = all.filter_map(|lot| {
            let (Some(from), Some(to)) = ways(&lot[0]) else { return None };
            Some(self.log.passed_between(self.seat(from), self.seat(to), &self.faces(&self.group_moves(lot))))
        });
        texts.collect()
    }

    /// Returns the log lines for events, laid out for a terminal.
    pub fn narrate<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<String> {
        self.log_lines(events).iter().flat_map(|line| self.lay_out(line)).collect()
    }

    /// Returns the log lines for events.
    pub fn log_lines<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<LogLine> {
        self.narration(events).lines
    }

    /// Returns whether the reader learns of an event.
    pub fn hears(&self, event: &Event) -> bool {
        self.reader.knows(event.audience)
    }

    /// Returns the printed face and the owner of a piece. Returns `None` if the reader does not know the face.
    pub fn face_known(&self, look: &Appearance) -> Option<(ComponentId, Option<Seat>)> {
        self.knows(look).then_some((look.component, look.owner))
    }

    /// Returns the number of events that the reader learns of.
    pub fn count_heard<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> usize {
        events.into_iter().filter(|event| self.reader.knows(event.audience)).count()
    }

    /// Returns the statements that the lines of [`log_lines`](Self::log_lines) make about the table, in the same order.
    pub fn statements<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<Statement> {
        self.narration(events).statements
    }

    fn narration<'w, 'e>(&'w self, events: impl IntoIterator<Item = &'e Event>) -> Narration<'w, 'e> {
        let mut narration = Narration {
            wording: self,
            lines: Vec::new(),
            heading: None,
            head: None,
            heads: 0,
            items: Vec::new(),
            statements: Vec::new(),
            step: 0,
            effects: Vec::new(),
            has_shown: false,
        };
        for event in events.into_iter().filter(|event| self.reader.knows(event.audience)) {
            narration.narrate_event(&event.kind, event.audience);
        }
        narration.flush();
        narration
    }
}

impl<'e> Narration<'_, 'e> {
    fn narrate_event(&mut self, what: &'e EventKind, audience: SeatSet) {
        match what {
            EventKind::Round(round) => {
                self.flush();
                self.effects.clear();
                self.heading = None;
                self.lines.push(LogLine::Round(self.wording.round(*round)));
            }
            EventKind::First(seat) => {
                // The first player is appended to the heading of the round, which has just been written. If the first player is drawn at
                // random, this event comes before all lines.
                let seat = self.wording.seat(*seat);
                match self.lines.last_mut() {
                    Some(LogLine::Round(heading)) => *heading = self.wording.log.round_begun_by(heading, seat),
                    _ => self.lines.push(LogLine::sentence(self.wording.log.begins_at_random(seat))),
                }
            }
            EventKind::Phase(phase) => {
                self.flush();
                self.effects.clear();
                let name = self.wording.text(&self.wording.model.phases[phase.index()].name);
                self.heading = Some(LogLine::Phase(name.to_owned()));
            }
            EventKind::Ended(ending) => {
                self.flush();
                self.heading = None;
                let name = self.wording.text(&self.wording.model.endings[ending.index()].name);
                self.lines.push(LogLine::Round(name.to_owned()));
            }
            EventKind::Step => {
                if self.head.is_some() {
                    self.flush();
                }
                self.step += 1;
                self.resume_effect();
            }
            EventKind::Turn(_) => {}
            EventKind::Redealt { by, consent, is_dealt } => {
                self.flush();
                let by = by.map(|seat| self.wording.seat(seat));
                self.lines.push(LogLine::sentence(self.wording.log.redealt(by, *consent, *is_dealt)));
            }
            EventKind::Finish => {
                self.flush();
                self.effects.clear();
                self.heading = Some(LogLine::Round(self.wording.log.game_ends.to_owned()));
            }
            EventKind::Pictured(picture) => self.show(picture),
            EventKind::Chose { decision, .. } if self.wording.model.decisions[decision.index()].is_quiet => {
                self.flush();
                self.resume_effect();
            }
            EventKind::Chose { seat, decision, choice, appearances } => {
                let is_shared = self.is_same_question(*seat, *decision);
                self.flush();
                let mut subjects = vec![Holder::Seat(*seat)];
                subjects_of(choice, &mut subjects);
                let cards = self.wording.components_in_sentence(*decision, choice, appearances);
                let chose =
                    NarratedChoice { seat: *seat, decision: *decision, choice, appearances: appearances.to_vec() };
                let effect = self.unnamed_effect(&cards);
                self.set_head(Head { chose: Some(chose), subjects, cards, effect, is_shared, ..Head::empty() });
            }
            EventKind::Passed { into, is_left, count } => {
                self.flush();
                let (into, is_left, to_come) = (*into, *is_left, *count);
                self.items.push((self.step, Item::Passed { into, is_left, to_come, moves: Vec::new() }));
            }
            EventKind::Said { say, facts, appearances } => self.say(say.index(), facts, appearances),
            EventKind::Triggered { look } => {
                // The line about the choice of the next effect already names the piece.
                let is_named = self.is_just_chosen();
                self.begin_effect(look, is_named);
            }
            EventKind::Called { look } => {
                self.update_known(look);
                let is_named = self.head.as_ref().is_some_and(|head| head.cards.contains(&look.component));
                self.begin_effect(look, is_named);
            }
            EventKind::EffectEnded => {
                let Some(effect) = self.effects.last() else { return };
                // The sentence that names the piece goes on.
                let goes_on = effect.head == Some(self.heads) && self.head.is_some();
                if !goes_on {
                    self.flush();
                }
                self.effects.pop();
                if !goes_on {
                    self.resume_effect();
                }
            }
            kind => self.collect(kind, audience),
        }
    }

    /// Returns whether another seat has just answered the same decision, with no other event in between.
    fn is_same_question(&self, seat: Seat, decision: DecisionId) -> bool {
        let chose = self.head.as_ref().and_then(|head| head.chose.as_ref()).filter(|_| self.items.is_empty());
        chose.is_some_and(|chose| chose.decision == decision && chose.seat != seat)
    }

    fn set_head(&mut self, head: Head<'e>) {
        self.heads += 1;
        self.head = Some(head);
    }

    /// Begins the effect of a piece. If the current sentence names the piece, the effect is part of the sentence.
    fn begin_effect(&mut self, look: &Appearance, is_named: bool) {
        let seat = self.wording.model.zone(self.wording.model.space(look.space).zone).seat;
        let face = self.wording.look(look);
        let name =
            seat.map_or_else(|| face.clone(), |seat| self.wording.language.possessive(self.wording.seat(seat), &face));
        if !is_named {
            self.flush();
        }
        let head = is_named.then_some(self.heads);
        self.effects.push(Effect { name, card: look.component, owner: seat, head });
        if !is_named {
            self.resume_effect();
        }
    }

    /// Begins a sentence about the effect that is being carried out, if there is one. The sentence is not written if nothing follows.
    fn resume_effect(&mut self) {
        let Some(effect) = self.effects.last() else { return };
        let text = effect.name.clone();
        let subjects = effect.owner.map(Holder::Seat).into_iter().collect();
        let cards = vec![effect.card];
        self.set_head(Head { text, subjects, cards, stands_alone: false, ..Head::empty() });
    }

    /// Returns the name of the piece whose effect is being carried out, if a sentence that names `cards` does not name the piece.
    fn unnamed_effect(&self, cards: &[ComponentId]) -> Option<String> {
        self.effects.last().filter(|effect| !cards.contains(&effect.card)).map(|effect| effect.name.clone())
    }

    /// Prefixes a sentence with the name of the piece whose effect it belongs to, unless the sentence begins with this name.
    fn with_effect(&self, text: String, effect: Option<String>) -> String {
        match effect {
            Some(effect) if !text.starts_with(&effect) => format!("{effect}{}{text}", self.wording.log.colon),
            _ => text,
        }
    }

    /// Returns whether a seat has just chosen which of several triggered effects happens next.
    fn is_just_chosen(&self) -> bool {
        let chose = self.head.as_ref().and_then(|head| head.chose.as_ref()).filter(|_| self.items.is_empty());
        chose.is_some_and(|chose| self.wording.model.flow.trigger_choice == Some(chose.decision))
    }

    /// Adds the picture of a grid, if the log shows this grid. The first picture with cells is followed by the legend of the cell symbols.
    fn show(&mut self, picture: &Picture) {
        self.flush();
        if !self.wording.model.family_of(picture.zone).is_shown {
            return;
        }
        let mut rows = self.wording.picture(picture);
        if !self.has_shown && !picture.cells.is_empty() {
            rows.push(format!("      {}", self.wording.symbols()));
        }
        self.lines.push(LogLine::Drawing(rows));
        self.has_shown |= !picture.cells.is_empty();
    }

    /// Adds an announcement. Pieces that were shown immediately before are not narrated separately if the announcement mentions all of
    /// them.
    fn say(&mut self, say: usize, facts: &'e [(Arc<str>, Choice)], appearances: Appearances<'e>) {
        let mut subjects = Vec::new();
        for (_, fact) in facts {
            subjects_of(fact, &mut subjects);
        }
        let mut text = self.wording.announcement(say, facts, appearances);
        while let Some((step, Item::Shown { appearances: shown, .. })) = self.items.last()
            && *step == self.step
            && shown.iter().all(|look| is_named(appearances, look))
        {
            self.absorb_last();
        }
        if let Some((step, Item::Shown { zone, appearances: shown, turned_up: Some(true), .. })) = self.items.last()
            && *step == self.step
            && shown.iter().all(|look| subjects.contains(&Holder::Component(look.component)))
        {
            // The announcement may already name the zone.
            if !facts.iter().any(|(_, fact)| *fact == Choice::Zone(*zone)) {
                text = format!("{}{}{text}", self.wording.zone_name(*zone), self.wording.log.colon);
            }
            self.absorb_last();
        }
        self.flush();
        let mut cards: Vec<ComponentId> = appearances.iter().map(|(_, look)| look.component).collect();
        cards.extend(subjects.iter().filter_map(|subject| match subject {
            Holder::Component(component) => Some(*component),
            _ => None,
        }));
        cards.retain(|card| text.contains(self.wording.component(*card)));
        let text = self.with_effect(text, self.unnamed_effect(&cards));
        self.set_head(Head { text, subjects, cards, ..Head::empty() });
    }

    /// Removes the last item, because an announcement has the same content. Keeps the statement of the item.
    fn absorb_last(&mut self) {
        let last = self.items.pop();
        self.statements.extend(last.map(|(_, item)| item.statement(self.wording)));
    }

    /// Adds an event to the collected items.
    fn collect(&mut self, kind: &'e EventKind, audience: SeatSet) {
        if let EventKind::Moved { look, .. } | EventKind::Shown { look, .. } = kind {
            self.update_known(look);
        }
        if let EventKind::Moved { look, to } = kind {
            if let Some((_, Item::Passed { to_come, moves, .. })) = self.items.last_mut()
                && *to_come > 0
            {
                *to_come -= 1;
                moves.push((look, *to));
                return;
            }
            // Moves within a space and moves of a refill do not get lines.
            if look.space != *to && !self.is_refill(look, *to) {
                self.add_move(look, *to);
            }
            return;
        }
        let item = match kind {
            EventKind::Shown { look, is_turned, by } => {
                let place = self.wording.model.space(look.space).zone;
                let now = is_turned.then_some(look.is_up);
                let by = self.revealing_seat(place, *by, audience).filter(|_| now != Some(false));
                if let Some((step, Item::Shown { zone, turned_up, by: known_by, appearances })) = self.items.last_mut()
                    && *step == self.step
                    && (*zone, *turned_up, *known_by) == (place, now, by)
                {
                    // The same piece may be shown several times.
                    let at = |look: &Appearance| (look.component, look.owner, look.space, look.depth);
                    if !appearances.iter().any(|known| at(known) == at(look)) {
                        appearances.push(look);
                    }
                    return;
                }
                Item::Shown { zone: place, turned_up: now, by, appearances: vec![look] }
            }
            EventKind::Set { value, holder, look, old, new } => {
                if old == new || self.wording.model.value(*value).is_quiet {
                    return;
                }
                if !self.sentence_says_value(*value, *new) {
                    self.add_value_change(*value, *holder, look.as_ref(), *old, *new);
                    return;
                }
                Item::Kept { value: *value, holder: *holder, now: *new }
            }
            EventKind::Held { value, holder, entries, appearances } => {
                if self.wording.model.value(*value).is_quiet {
                    return;
                }
                match &**entries {
                    [raw] if self.sentence_says_value(*value, *raw) => {
                        Item::Kept { value: *value, holder: *holder, now: *raw }
                    }
                    _ => {
                        self.add_list_value(*value, *holder, entries, appearances);
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

    /// Returns the seat that reveals pieces in a zone: the seat that owns the zone. In a shared zone, it is the seat that has just answered
    /// or else the one that has the turn, if everybody sees the pieces.
    fn revealing_seat(&self, zone: ZoneId, active: Option<Seat>, audience: SeatSet) -> Option<Seat> {
        if let Some(owner) = self.wording.model.zone(zone).seat {
            return Some(owner);
        }
        let everybody = self.wording.model.all_seats().fold(0, |all, seat| all | Layout::only(seat));
        let answered = self.head.as_ref().filter(|head| !head.is_shared).and_then(|head| head.chose.as_ref());
        answered.map(|chose| chose.seat).or(active).filter(|_| audience == everybody)
    }

    /// Returns whether a move belongs to the refill of a pile. The line about the refill already describes such moves.
    fn is_refill(&self, look: &Appearance, to: SpaceId) -> bool {
        let zone_of = |space: SpaceId| self.wording.model.space(space).zone;
        let Some((_, Item::Refilled { zone, from })) = self.items.last() else { return false };
        (*zone, *from) == (zone_of(to), zone_of(look.space))
    }

    /// Adds a move. Merges the move with an earlier move of the same step between the same two zones, if every move in between also leaves
    /// the source zone.
    fn add_move(&mut self, look: &'e Appearance, to: SpaceId) {
        if self.sentence_says_move(look, to) {
            self.items.push((self.step, Item::Carried { look, to }));
            return;
        }
        let look = self.take_previous_move(look, to).unwrap_or(look);
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

    /// Removes the previous move of a piece that now moves on from the space where it arrived in the same step. Returns the piece as it was
    /// before that move. Two pieces are considered the same if the reader knows their faces and the faces are equal. Returns `None` if
    /// there is no such move, or if the piece has already moved on or moves back.
    fn take_previous_move(&mut self, look: &Appearance, to: SpaceId) -> Option<&'e Appearance> {
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
            let comes_or_goes = |(before, reached): &(&Appearance, SpaceId)| {
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

    fn add_value_change(&mut self, value: ValueId, holder: Holder, look: Option<&'e Appearance>, old: i64, new: i64) {
        let step = self.step;
        let known = self.items.iter_mut().rev().take_while(|(at, _)| *at == step).find_map(|(_, item)| match item {
            Item::Set { value: known, holder: known_holder, course, .. }
                if *known == value && *known_holder == holder =>
            {
                Some(course)
            }
            _ => None,
        });
        match known {
            Some(course) => course.push(new),
            None => self.items.push((step, Item::Set { value, holder, look, course: vec![old, new] })),
        }
    }

    /// Adds a change of a value that holds a list or a piece. If the value changes several times in a step, only the final content is
    /// narrated.
    fn add_list_value(&mut self, value: ValueId, holder: Holder, entries: &'e [i64], appearances: Appearances<'e>) {
        let step = self.step;
        self.items.retain(|(at, item)| {
            *at != step
                || !matches!(item, Item::Held { value: known, holder: known_holder, .. } if *known == value && *known_holder == holder)
        });
        self.items.push((step, Item::Held { value, holder, entries, appearances }));
    }

    /// Returns whether a value is set to an object that the sentence about the answer names, and the sentence names no other object of the
    /// same type.
    fn sentence_says_value(&self, value: ValueId, new: i64) -> bool {
        let Some(chose) = self.head.as_ref().and_then(|head| head.chose.as_ref()) else { return false };
        let stored = match self.wording.model.value(value).kind {
            _ if new == Value::NOTHING => return false,
            ValueType::Seat => Choice::Seat(Seat(new as u8)),
            ValueType::Component(_) => Choice::Component(ComponentId(new as u16)),
            ValueType::Space(_) => Choice::Space(SpaceId(new as u16)),
            ValueType::Piece => Choice::Piece(PieceId(new as u16)),
            _ => return false,
        };
        let mut named = self.wording.leaves_in_sentence(chose.decision, chose.choice);
        named.retain(|leaf| std::mem::discriminant(*leaf) == std::mem::discriminant(&stored));
        named == [&stored]
    }

    /// Returns whether the sentence about the last answer already describes a move: which piece moved, and where to. If the sentence refers
    /// to a chosen piece, marks the piece as narrated.
    ///
    /// The origin of the piece must also be clear. This is the case if the reader knows the piece, the piece is unique, and it came from a
    /// zone of the answering seat or from one that everybody sees. It is also the case if the reader does not know the piece and it came
    /// from a zone of the answering seat.
    fn sentence_says_move(&mut self, look: &Appearance, to: SpaceId) -> bool {
        let Some(NarratedChoice { seat, decision, choice, .. }) =
            self.head.as_ref().and_then(|head| head.chose.as_ref())
        else {
            return false;
        };
        let (seat, model) = (*seat, &self.wording.model);
        let leaves = self.wording.leaves_in_sentence(*decision, choice);
        let (zone, source) = (model.space(to).zone, model.space(look.space).zone);
        // The places named in the sentence, except the place where the piece was.
        let mut places = leaves.iter().filter(|leaf| match leaf {
            Choice::Space(space) => *space != look.space,
            Choice::Zone(named) => *named != source,
            _ => false,
        });
        let is_said = match (places.next(), places.next()) {
            (Some(Choice::Space(space)), None) => *space == to,
            (Some(Choice::Zone(named)), None) => *named == zone && model.zone(zone).spaces.len() == 1,
            // If the sentence names no destination, the seat takes the piece into its hand.
            (None, _) => self.is_only_hand(zone, seat, look),
            _ => false,
        };
        if !is_said {
            return false;
        }
        let is_known = self.wording.knows(look);
        let family = model.family_of(source);
        let is_own = model.zone(source).seat == Some(seat);
        let is_seen = is_own || family.face_up || family.seen_by == FaceDownVisibility::Everybody;
        let is_without_like = is_known && is_seen && self.wording.is_only_one(look);
        let is_own = !is_known && is_own;
        if is_without_like && leaves.contains(&&Choice::Component(look.component)) {
            return true;
        }
        let chosen = self.chosen_piece(look).filter(|piece| leaves.contains(&&Choice::Piece(*piece)));
        let Some(piece) = chosen.filter(|_| is_without_like || is_own) else { return false };
        self.head.iter_mut().for_each(|head| head.narrated.push(piece));
        true
    }

    /// Returns whether `zone` is the only hand of the seat in which the piece may be placed. The sentence then need not name the zone.
    fn is_only_hand(&self, zone: ZoneId, seat: Seat, look: &Appearance) -> bool {
        let model = &self.wording.model;
        let mut hands = (0..model.zones.len()).map(ZoneId::at).filter(|hand| {
            model.zone(*hand).seat == Some(seat)
                && model.family_of(*hand).shape == Shape::Hand
                && model.accepts(*hand, look.component)
        });
        hands.next() == Some(zone) && hands.next().is_none()
    }

    /// Returns the chosen piece that looks like the piece in an event, if its move has not been narrated yet.
    fn chosen_piece(&self, look: &Appearance) -> Option<PieceId> {
        let head = self.head.as_ref()?;
        let looked = |(piece, known): &&(PieceId, Appearance)| {
            (known.component, known.owner, known.space) == (look.component, look.owner, look.space)
                && !head.narrated.contains(piece)
        };
        head.chose.as_ref()?.appearances.iter().find(looked).map(|(piece, _)| *piece)
    }

    /// Updates what the reader knows about a chosen piece.
    fn update_known(&mut self, look: &Appearance) {
        let Some(piece) = self.chosen_piece(look) else { return };
        let chose = self.head.as_mut().and_then(|head| head.chose.as_mut());
        let appearances = chose.into_iter().flat_map(|chose| &mut chose.appearances);
        appearances.filter(|(known, _)| *known == piece).for_each(|(_, known)| known.known |= look.known);
    }

    /// Writes the lines for the head and the collected items, and records the statements of the items.
    fn flush(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        self.statements.extend(items.iter().map(|(_, item)| item.statement(self.wording)));
        let model = &self.wording.model;
        // Moves and changes that the sentence already describes, and items in quiet zones, are not written. Their statements were recorded
        // above.
        items.retain(|(_, item)| !matches!(item, Item::Carried { .. } | Item::Kept { .. }) && !item.is_quiet(model));
        if let Some(mut head) = self.head.take() {
            if let Some(NarratedChoice { seat, decision, choice, appearances }) = &head.chose {
                let sentence = self.wording.choice_sentence(*seat, *decision, choice, appearances);
                head.text = self.with_effect(sentence, head.effect.take());
            }
            if head.is_shared {
                self.write_line(&head.text, "");
                return self.write_items(&items);
            }
            let parts = self.item_texts(&items, &head);
            if parts.is_empty() && !head.stands_alone {
                return;
            }
            self.write_line(&head.text, &parts.join(self.wording.log.semicolon));
            return;
        }
        self.write_items(&items);
    }

    /// Writes items without a head. Consecutive items with equal keys share a line. The items of a step that have no such neighbors share a
    /// line as well.
    fn write_items(&mut self, items: &[(usize, Item<'e>)]) {
        let mut rest = items;
        let mut at = 0;
        let mut single: Vec<(&Item<'e>, String)> = Vec::new();
        let mut single_step = 0;
        while let Some((step, first)) = rest.first() {
            let key = key_of(first, at);
            let count = rest.iter().enumerate().take_while(|(i, (_, item))| key_of(item, at + i) == key).count();
            let (group, others) = rest.split_at(count);
            if !single.is_empty() && (count > 1 || *step != single_step) {
                self.write_single_items(&std::mem::take(&mut single));
            }
            let group: Vec<&Item<'_>> = group.iter().map(|(_, item)| item).collect();
            let (begin, parts, separator) = self.group_texts(&key, &group);
            if let [part] = parts.as_slice() {
                single.push((first, format!("{begin}{part}")));
                single_step = *step;
            } else {
                self.write_text(&format!("{begin}{}", parts.join(separator)), first.is_sentence());
            }
            (rest, at) = (others, at + count);
        }
        if !single.is_empty() {
            self.write_single_items(&single);
        }
    }

    /// Writes items that share no text in one line.
    fn write_single_items(&mut self, items: &[(&Item<'e>, String)]) {
        let texts: Vec<&str> = items.iter().map(|(_, text)| &**text).collect();
        let is_sentence = items.iter().all(|(item, _)| item.is_sentence());
        self.write_text(&texts.join(self.wording.log.semicolon), is_sentence);
    }

    /// Writes a line about items without a head.
    fn write_text(&mut self, text: &str, is_sentence: bool) {
        if is_sentence { self.write_line(text, "") } else { self.write_line("", text) }
    }

    /// Formats items with equal keys. Returns the beginning of the line, the parts, and the separator.
    fn group_texts(&self, key: &Key, group: &[&Item<'_>]) -> (String, Vec<String>, &'static str) {
        let wording = self.wording;
        let log = wording.log;
        match key {
            Key::Moved(_) => {
                let spaces: Vec<SpaceId> = group.iter().flat_map(|item| item.sources()).collect();
                if group.len() > 1 && spaces.iter().any(|space| *space != spaces[0]) {
                    let parts = group.iter().map(|item| self.item_text(item, &Head::empty())).collect();
                    return (String::new(), parts, log.semicolon);
                }
                let begin = format!("{} → ", wording.common_place(spaces.iter().copied()));
                (begin, group.iter().map(|item| self.destination_text(item)).collect(), log.semicolon)
            }
            Key::Set(value) if group.len() > 1 => {
                let begin = format!("{}{}", wording.text(&wording.model.value(*value).name), log.colon);
                (begin, group.iter().map(|item| self.group_part(item)).collect(), log.comma)
            }
            Key::Shuffled | Key::Drawn => {
                let word = if *key == Key::Drawn { log.drawn } else { log.shuffled };
                let begin = format!("{}{}", word, log.colon);
                (begin, group.iter().map(|item| self.group_part(item)).collect(), log.comma)
            }
            Key::Thrown(by) => {
                let faces = self.roll_text(group);
                let text = match by {
                    Some(seat) => log.rolls(wording.seat(*seat), &faces),
                    None => format!("{}{}{faces}", log.rolled, log.colon),
                };
                (String::new(), vec![text], "")
            }
            Key::Set(_) | Key::Alone(_) => {
                let nobody = Head::empty();
                (String::new(), group.iter().map(|item| self.item_text(item, &nobody)).collect::<Vec<_>>(), "")
            }
        }
    }

    /// Describes the results of dice that were rolled together, grouped by die. The name of the dice is omitted if the game has only one
    /// kind of dice and they show numbers.
    fn roll_text(&self, group: &[&Item<'_>]) -> String {
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

    /// Describes the face that a die shows.
    fn face(&self, die: ComponentId, turned: u8) -> String {
        let face = self.wording.model.component(die).faces.get(usize::from(turned));
        face.map_or_else(|| turned.to_string(), |face| self.wording.field(face))
    }

    /// Formats the items after a head. Equal dice that are rolled one after another form one roll.
    fn item_texts(&self, items: &[(usize, Item<'_>)], head: &Head<'_>) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut last: Option<ComponentId> = None;
        for (_, item) in items {
            let die = match item {
                Item::Thrown { look, .. } => Some(look.component),
                _ => None,
            };
            match (item, texts.last_mut()) {
                (Item::Thrown { look, turned, .. }, Some(roll)) if die == last => {
                    roll.push(' ');
                    roll.push_str(&self.face(look.component, *turned));
                }
                _ => texts.push(self.item_text(item, head)),
            }
            last = die;
        }
        texts
    }

    /// Formats a part of a line about moves: the destination and the pieces.
    fn destination_text(&self, item: &Item<'_>) -> String {
        let Item::Moved { moves, .. } = item else { return String::new() };
        let wording = self.wording;
        let place = wording.common_place(moves.iter().map(|(_, to)| *to));
        format!("{place}{}{}", wording.log.colon, wording.faces(&wording.group_moves(moves)))
    }

    /// Formats a part of a line about values, shuffles or drawn numbers.
    fn group_part(&self, item: &Item<'_>) -> String {
        match item {
            Item::Set { value, holder, look, course } => {
                let course = self.wording.describe_course(*value, course);
                self.wording.holder(*holder, *look).map_or(course.clone(), |holder| format!("{holder} {course}"))
            }
            Item::Shuffled(space) => self.wording.space_name(*space),
            Item::Drawn(number) => number.to_string(),
            _ => String::new(),
        }
    }

    /// Formats an item after a head. Leaves out names that the head already contains.
    fn item_text(&self, item: &Item<'_>, head: &Head<'_>) -> String {
        let wording = self.wording;
        let log = wording.log;
        match item {
            Item::Moved { moves, .. } => {
                format!(
                    "{} → {}",
                    wording.common_place(moves.iter().map(|(look, _)| look.space)),
                    self.destination_text(item)
                )
            }
            Item::Carried { .. } | Item::Kept { .. } => String::new(),
            Item::Shown { turned_up, by, appearances, zone } => {
                let faces = wording.faces(&wording.group_moves(&as_moves(appearances)));
                let place = wording.common_place(appearances.iter().map(|look| look.space));
                let Some(by) = by else { return log.pieces_shown(&place, &faces, *turned_up) };
                let (zone, model) = (wording.model.zone(*zone), &wording.model);
                // Cards that a seat reveals need no place if they are in its hand.
                let is_own_hand = zone.seat.is_some() && model.family(zone.family).shape == Shape::Hand;
                log.reveals(wording.seat(*by), &if is_own_hand { faces } else { log.remarked(&faces, &place) })
            }
            Item::Turned { look, turned } => {
                format!("{}{}{turned}", wording.faces(&wording.group_moves(&as_moves(&[look]))), log.colon)
            }
            Item::Thrown { look, turned, .. } => {
                let face = self.face(look.component, *turned);
                format!("{}{}{face}", wording.component(look.component), log.colon)
            }
            Item::Set { value, holder, look, course } => {
                let course = wording.describe_course(*value, course);
                format!("{} {course}", self.value_name(*value, *holder, *look, head))
            }
            Item::Held { value, holder, entries, appearances } => {
                let name = self.value_name(*value, *holder, None, head);
                format!("{name}{}{}", log.colon, wording.entries(*value, entries, appearances))
            }
            Item::Shuffled(_) => format!("{}{}{}", log.shuffled, log.colon, self.group_part(item)),
            Item::Drawn(_) => format!("{}{}{}", log.drawn, log.colon, self.group_part(item)),
            Item::Eliminated(seat) => log.is_eliminated(wording.seat(*seat)),
            Item::Refilled { zone, from } => log.refilled(&wording.zone_name(*zone), &wording.zone_name(*from)),
            Item::Passed { into, is_left, moves, .. } => {
                let zone = wording.text(&wording.model.family(*into).name);
                log.pieces_passed(zone, *is_left, &wording.passed(moves).join(log.semicolon))
            }
        }
    }

    /// Returns the name of a value. Adds the name of its owner, unless the head contains it.
    fn value_name(&self, value: ValueId, holder: Holder, look: Option<&Appearance>, head: &Head<'_>) -> String {
        let wording = self.wording;
        let name = wording.text(&wording.model.value(value).name);
        let (name, holder) = match holder {
            Holder::Pair(one, other) => (wording.log.remarked(name, &wording.member(other)), Holder::from(one)),
            holder => (name.to_owned(), holder),
        };
        let holder = wording.holder(holder, look).filter(|_| !head.is_about(holder, &wording.model));
        holder.map_or_else(|| name.clone(), |holder| wording.language.possessive(&holder, &name))
    }

    /// Writes a line with a sentence, with changes, or with both. The first line of a phase is preceded by the name of the phase.
    fn write_line(&mut self, sentence: &str, changes: &str) {
        self.lines.extend(self.heading.take());
        let changes = if sentence.is_empty() { capitalized(changes) } else { changes.to_owned() };
        self.lines.push(LogLine::Event { sentence: capitalized(sentence), changes });
    }
}

impl Item<'_> {
    /// Returns the statement that the item makes about the table.
    fn statement(&self, wording: &Wording) -> Statement {
        let face = |look: &Appearance| wording.seen_face(look);
        match self {
            Item::Moved { moves, .. } | Item::Passed { moves, .. } => Statement::Moved(wording.group_moves(moves)),
            Item::Carried { look, to } => Statement::Carried { face: face(look), from: look.space, to: *to },
            Item::Kept { value, holder, now } => Statement::Kept { value: *value, holder: *holder, now: *now },
            Item::Shown { appearances, .. } => Statement::Shown(wording.group_moves(&as_moves(appearances))),
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

    /// Returns whether the text of the item without a head is a sentence rather than a list of moves or changes.
    const fn is_sentence(&self) -> bool {
        match self {
            Item::Moved { .. }
            | Item::Carried { .. }
            | Item::Kept { .. }
            | Item::Set { .. }
            | Item::Held { .. }
            | Item::Turned { .. } => false,
            Item::Shown { .. }
            | Item::Thrown { .. }
            | Item::Eliminated(_)
            | Item::Shuffled(_)
            | Item::Refilled { .. }
            | Item::Passed { .. }
            | Item::Drawn(_) => true,
        }
    }

    /// Returns whether the item happened in a quiet zone, or between a quiet zone and another zone.
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

    /// Returns the spaces from which pieces moved.
    fn sources(&self) -> Vec<SpaceId> {
        match self {
            Item::Moved { moves, .. } => moves.iter().map(|(look, _)| look.space).collect(),
            _ => Vec::new(),
        }
    }
}

/// Represents pieces that stay in their places as moves within a space.
fn as_moves<'l>(appearances: &[&'l Appearance]) -> Vec<(&'l Appearance, SpaceId)> {
    appearances.iter().map(|look| (*look, look.space)).collect()
}

impl Head<'_> {
    const fn empty() -> Self {
        Head {
            text: String::new(),
            chose: None,
            subjects: Vec::new(),
            cards: Vec::new(),
            effect: None,
            narrated: Vec::new(),
            stands_alone: true,
            is_shared: false,
        }
    }

    /// Returns whether the head names this owner and no other owner of the same type.
    fn is_about(&self, holder: Holder, model: &Model) -> bool {
        let mut named: Vec<&Holder> =
            self.subjects.iter().filter(|other| is_same_sort(**other, holder, model)).collect();
        named.dedup();
        named == [&holder]
    }
}

/// Returns whether the shown piece looks like one of the pieces that an announcement names.
fn is_named(named: Appearances<'_>, shown: &Appearance) -> bool {
    named
        .iter()
        .any(|(_, look)| (look.component, look.owner, look.space) == (shown.component, shown.owner, shown.space))
}

/// Returns whether two owners have the same type: both are seats, components of the same kind, and so on.
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

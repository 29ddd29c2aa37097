//! Sentences of a narration about choices, announcements, values and faces.

use super::log_phrases::with_count;
use super::names::{Appearances, Slot, Wording, ordered};
use super::statement::Lot;
use crate::decision::{Appearance, Choice, Decision, appearances};
use crate::model::{
    ComponentId, DecisionId, Seat, SpaceId, TELLS_CHOICE, TELLS_SEAT, Value, ValueId, ValueType, filled, rooms,
};
use crate::table::{Holder, Member, Table};
use std::sync::Arc;

/// Maximum number of different pieces to name in one move. If there are more, only their number is written.
const MAX_NAMED: usize = 20;

/// Number used to select the plural form next to a placeholder that has not been filled. Any number other than one would do.
const MANY: i64 = 2;

/// Piece of the sentence about an incomplete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentencePiece {
    /// Text of the sentence.
    Words(String),
    /// A part of the answer, as an index into the list of requested parts.
    Part(usize),
}

/// Character that marks a missing part while a sentence is being composed. Texts of games cannot contain control characters.
const OPEN: char = '\u{1}';

impl Wording {
    /// Returns the sentence for [`Offer::open_sentence`](super::offer::Offer::open_sentence).
    pub(super) fn open_sentence(&self, seat: Seat, decision: DecisionId, parts: &[String]) -> Vec<SentencePiece> {
        let own = self.template_for_parts(decision, parts);
        let mut text = own.map_or_else(String::new, |tell| filled(tell, TELLS_SEAT, self.seat(seat), 1));
        for (index, name) in parts.iter().enumerate() {
            let open = format!("{OPEN}{index}{OPEN}");
            text = filled(&text, name, &open, MANY);
            if !text.contains(&open) {
                let gap = if text.is_empty() { "" } else { " · " };
                text = format!("{text}{gap}{}", self.worded_part(name, &open));
            }
        }
        let mut pieces = Vec::new();
        for (at, piece) in text.split(OPEN).enumerate() {
            match piece.parse() {
                Ok(index) if at % 2 == 1 => pieces.push(SentencePiece::Part(index)),
                _ if piece.is_empty() => {}
                _ => pieces.push(SentencePiece::Words(piece.to_owned())),
            }
        }
        pieces
    }

    /// Returns the game's sentence for an answer with these parts. Returns `None` if every possible sentence has a placeholder for
    /// something other than the seat and these parts.
    fn template_for_parts(&self, decision: DecisionId, parts: &[String]) -> Option<&str> {
        let declared = &self.model.decisions[decision.index()];
        let is_part = |word: &str| parts.iter().any(|name| **name == *word);
        let own = declared.tells.iter().filter(|(name, _)| is_part(name)).map(|(_, tell)| tell);
        let is_complete = |text: &&str| rooms(text).all(|room| room == TELLS_SEAT || is_part(room));
        own.chain(&declared.tell).map(|tell| self.text(tell)).find(is_complete)
    }

    /// Returns the sentence for [`Offer::sentence`](super::offer::Offer::sentence). `parts` are the names and texts of the parts.
    pub(super) fn sentence_without_seat(
        &self,
        seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        parts: &[(String, String)],
    ) -> Option<String> {
        let names: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
        let template = self.template_for_parts(decision, &names)?;
        if !names.iter().all(|name| rooms(template).any(|room| room == name)) {
            return None;
        }
        // A colon or comma between the name and the sentence, as in `{seat}: …`, is left out too. The last two are full-width.
        let is_separator =
            |letter: char| letter.is_whitespace() || matches!(letter, ':' | ',' | '\u{ff1a}' | '\u{ff0c}');
        let without_seat = template.strip_prefix("{seat}").map(|rest| rest.trim_start_matches(is_separator));
        let mut text = filled(without_seat.unwrap_or(template), TELLS_SEAT, self.seat(seat), 1);
        for (name, part) in parts {
            text = filled(&text, name, part, choice.part(name).map_or(1, number_of));
        }
        Some(text)
    }

    /// Formats the sentence about an answer of a seat.
    pub(super) fn choice_sentence(
        &self,
        seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        appearances: Appearances<'_>,
    ) -> String {
        let declared = &self.model.decisions[decision.index()];
        let name = self.seat(seat);
        if *choice == Choice::Nothing {
            return self.log.passes(name, declared.pass.as_ref().map(|text| self.text(text)));
        }
        match self.template(decision, choice) {
            Some(tell) => self.filled(&filled(tell, TELLS_SEAT, name, 1), seat, decision, choice, appearances),
            None => self.log.answers(
                name,
                &self.question(decision, Some(seat)),
                &self.answer(seat, decision, choice, appearances),
            ),
        }
    }

    /// Returns the question of an open decision, with its placeholders filled.
    pub fn asked(&self, table: &Table, decision: &Decision) -> String {
        let ask = self.text(&self.model.decisions[decision.id.index()].ask);
        let mut text = filled(ask, TELLS_SEAT, self.seat(decision.seat), 1);
        for (name, fact) in decision.about.iter() {
            text = filled(&text, name, &self.thing(fact, Slot::ANY, &appearances(table, fact)), number_of(fact));
        }
        text
    }

    /// Returns the question of a decision that is not open. Placeholders without a known value are shown as "…".
    pub fn question(&self, decision: DecisionId, seat: Option<Seat>) -> String {
        let declared = &self.model.decisions[decision.index()];
        let ask = filled(self.text(&declared.ask), TELLS_SEAT, seat.map_or("…", |seat| self.seat(seat)), 1);
        declared.about.iter().fold(ask, |text, name| filled(&text, name, "…", MANY))
    }

    /// Returns the game's sentence for an answer. Returns `None` if there is none, or if the sentence mentions parts that the answer does
    /// not have.
    fn template(&self, decision: DecisionId, choice: &Choice) -> Option<&str> {
        let declared = &self.model.decisions[decision.index()];
        let suits = |name: &str| match choice {
            Choice::Word(word) => **word == *name,
            Choice::Flag(flag) => name == if *flag { "yes" } else { "no" },
            answer => answer.part(name).is_some(),
        };
        let is_given = |name: &str| match choice {
            Choice::Parts(_) => choice.part(name).is_some(),
            _ => declared.parts.len() == 1,
        };
        let own = declared.tells.iter().filter(|(name, _)| suits(name)).map(|(_, tell)| tell);
        let is_complete = |tell: &&str| {
            declared.parts.iter().all(|(name, _)| is_given(name) || !rooms(tell).any(|room| room == &**name))
        };
        own.chain(&declared.tell).map(|tell| self.text(tell)).find(is_complete)
    }

    /// Returns the values of an answer that the sentence about the answer mentions. If the game has no sentence for the answer, returns all
    /// values.
    pub(super) fn leaves_in_sentence<'c>(&self, decision: DecisionId, choice: &'c Choice) -> Vec<&'c Choice> {
        let Some(tell) = self.template(decision, choice) else { return choice.leaves() };
        let prints = |name: &str| rooms(tell).any(|room| room == name);
        if prints(TELLS_CHOICE) {
            return choice.leaves();
        }
        match choice {
            Choice::Parts(parts) => {
                parts.iter().filter(|(name, _)| prints(name)).flat_map(|(_, part)| part.leaves()).collect()
            }
            single => match self.model.decisions[decision.index()].parts.as_slice() {
                [(name, _)] if prints(name) => single.leaves(),
                _ => Vec::new(),
            },
        }
    }

    /// Returns the components that the sentence about an answer names, including the faces of pieces.
    pub(super) fn components_in_sentence(
        &self,
        decision: DecisionId,
        choice: &Choice,
        appearances: Appearances<'_>,
    ) -> Vec<ComponentId> {
        let component = |leaf: &Choice| match leaf {
            Choice::Component(component) => Some(*component),
            Choice::Piece(piece) => {
                appearances.iter().find(|(known, _)| known == piece).map(|(_, look)| look.component)
            }
            _ => None,
        };
        self.leaves_in_sentence(decision, choice).into_iter().filter_map(component).collect()
    }

    /// Fills the placeholders of a sentence with the parts of an answer.
    fn filled(
        &self,
        text: &str,
        seat: Seat,
        decision: DecisionId,
        choice: &Choice,
        appearances: Appearances<'_>,
    ) -> String {
        let declared = &self.model.decisions[decision.index()];
        let mut text = filled(text, TELLS_CHOICE, &self.answer(seat, decision, choice, appearances), number_of(choice));
        match choice {
            Choice::Parts(parts) => {
                for (name, part, value) in ordered(declared, parts) {
                    text =
                        filled(&text, name, &self.thing(value, Slot::new(part, seat), appearances), number_of(value));
                }
            }
            single => {
                if let [(name, part)] = declared.parts.as_slice() {
                    text = filled(
                        &text,
                        name,
                        &self.thing(single, Slot::new(*part, seat), appearances),
                        number_of(single),
                    );
                }
            }
        }
        text
    }

    /// Formats an announcement, given by its index, with its facts.
    pub(super) fn announcement(
        &self,
        say: usize,
        facts: &[(Arc<str>, Choice)],
        appearances: Appearances<'_>,
    ) -> String {
        let mut text = self.text(&self.model.says[say].text).to_owned();
        for (name, fact) in facts {
            text = filled(&text, name, &self.thing(fact, Slot::ANY, appearances), number_of(fact));
        }
        text
    }

    /// Describes the owner of a value. If the owner is a piece, describes it by its appearance.
    pub(super) fn holder(&self, holder: Holder, look: Option<&Appearance>) -> Option<String> {
        match holder {
            Holder::Game => None,
            Holder::Seat(seat) => Some(self.seat(seat).to_owned()),
            Holder::Component(component) => Some(self.component(component).to_owned()),
            Holder::Piece(_) => look.map(|look| self.look(look)),
            Holder::Space(space) => Some(self.space_name(space)),
            Holder::Pair(one, other) => Some(self.log.remarked(&self.member(one), &self.member(other))),
        }
    }

    /// Describes one member of a pair of owners.
    pub fn member(&self, member: Member) -> String {
        match member {
            Member::Seat(seat) => self.seat(seat).to_owned(),
            Member::Component(component) => self.component(component).to_owned(),
        }
    }

    /// Groups moves with the same face, source and destination. Groups whose face the reader does not know come last.
    pub(super) fn group_moves(&self, moves: &[(&Appearance, SpaceId)]) -> Vec<Lot> {
        let mut lots: Vec<Lot> = Vec::new();
        for (look, to) in moves {
            let lot = Lot { face: self.seen_face(look), count: 1, from: look.space, to: *to };
            match lots.iter_mut().find(|known| Lot { count: 1, ..**known } == lot) {
                Some(known) => known.count += 1,
                None => lots.push(lot),
            }
        }
        lots.sort_by_key(|lot| lot.face.is_none());
        lots
    }

    /// Describes groups of pieces by their faces. Adds their spaces if these differ. If more than [`MAX_NAMED`] groups have the same source
    /// and destination, describes only the total number of pieces.
    pub(super) fn faces(&self, lots: &[Lot]) -> String {
        let is_from_one = is_one_place(lots.iter().map(|lot| lot.from));
        let is_to_one = is_one_place(lots.iter().map(|lot| lot.to));
        if is_from_one && is_to_one && lots.len() > MAX_NAMED {
            return self.log.too_many(lots.iter().map(|lot| lot.count).sum());
        }
        let label = |space: SpaceId| {
            let zone = self.model.space(space).zone;
            let is_named = self.model.zone(zone).spaces.len() > 1;
            if is_named { self.space_label_text(space) } else { self.zone_name(zone) }
        };
        let draws = lots.iter().map(|lot| {
            let faces = match lot.face {
                Some(face) => with_count(lot.count, &self.face_of(face)),
                None => self.log.hidden(lot.count),
            };
            match (is_from_one, is_to_one) {
                (true, true) => faces,
                (false, true) => self.log.remarked(&faces, &label(lot.from)),
                (true, false) => self.log.remarked(&faces, &label(lot.to)),
                (false, false) if lot.from == lot.to => self.log.remarked(&faces, &label(lot.from)),
                (false, false) => self.log.remarked(&faces, &format!("{} → {}", label(lot.from), label(lot.to))),
            }
        });
        draws.collect::<Vec<_>>().join(self.log.comma)
    }

    /// Describes the contents that a value had, in order. An initial `()` is left out. For numbers and spaces, describes only the first and
    /// the last content and the turning points in between.
    pub(super) fn describe_course(&self, value: ValueId, course: &[i64]) -> String {
        let is_ordered = matches!(self.model.value(value).kind, ValueType::Number | ValueType::Space(_));
        let from_nothing = usize::from(course.first() == Some(&Value::NOTHING));
        let points = if is_ordered { turning_points(&course[from_nothing..]) } else { course[from_nothing..].to_vec() };
        let texts: Vec<String> = points.iter().map(|raw| self.value(value, *raw)).collect();
        let reads_alike = texts.windows(2).any(|pair| pair[0] == pair[1]);
        let texts =
            if reads_alike { points.iter().map(|raw| self.value_in_full(value, *raw)).collect() } else { texts };
        texts.join(" → ")
    }

    /// Describes where pieces are: by their space if all are in the same space, otherwise by their zone.
    pub(super) fn common_place(&self, spaces: impl Iterator<Item = SpaceId> + Clone) -> String {
        let is_one = is_one_place(spaces.clone());
        let mut spaces = spaces;
        spaces.next().map_or_else(String::new, |space| {
            if is_one { self.space_name(space) } else { self.zone_name(self.model.space(space).zone) }
        })
    }

    /// Returns whether no other piece of the game has the same component and owner. If so, a reader who knows the name of the piece knows
    /// which piece it is.
    pub(super) fn is_only_one(&self, look: &Appearance) -> bool {
        let alike =
            self.model.pieces.iter().filter(|piece| (piece.component, piece.owner) == (look.component, look.owner));
        alike.count() == 1
    }
}

/// Returns the number that determines plural forms: the value of a number, or the length of a list.
fn number_of(choice: &Choice) -> i64 {
    match choice {
        Choice::Number(number) => *number,
        Choice::Many(all) => all.len() as i64,
        _ => 1,
    }
}

fn is_one_place(mut spaces: impl Iterator<Item = SpaceId>) -> bool {
    spaces.next().is_none_or(|first| spaces.all(|space| space == first))
}

/// Reduces a series of numbers to the first number, the last number, and the turning points in between.
fn turning_points(course: &[i64]) -> Vec<i64> {
    let mut points: Vec<i64> = Vec::new();
    for &number in course {
        if let [.., before, last] = points[..]
            && (before < last) == (last < number)
        {
            points.pop();
        }
        points.push(number);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::turning_points;

    #[test]
    fn a_sequence_is_reduced_to_its_ends_and_turning_points() {
        assert_eq!(turning_points(&[5, 6, 7]), [5, 7]);
        assert_eq!(turning_points(&[0, 7, 6]), [0, 7, 6]);
        assert_eq!(turning_points(&[9, 10, 6, 5, 8]), [9, 10, 5, 8]);
        assert_eq!(turning_points(&[3]), [3]);
    }
}

//! The sentences of a narration: choices, announcements, values and faces in words.

use super::phrase::several;
use super::wording::{Looks, Wording, ordered};
use crate::model::{
    ComponentId, DecisionId, PartType, Seat, Seen, SpaceId, TELLS_CHOICE, TELLS_SEAT, Value, ValueId, ValueType,
};
use crate::script::{Choice, Look};
use crate::table::Holder;
use std::sync::Arc;

impl Wording {
    pub(super) fn chose(&self, seat: Seat, decision: DecisionId, choice: &Choice, looks: Looks<'_>) -> String {
        let declared = &self.model.decisions[decision.index()];
        let name = self.seat(seat);
        if *choice == Choice::Nothing {
            return self.phrases.passes(name, declared.pass.as_ref().map(|text| self.text(text)));
        }
        let suits = |name: &str| match choice {
            Choice::Word(word) => **word == *name,
            Choice::Flag(flag) => name == if *flag { "yes" } else { "no" },
            answer => answer.part(name).is_some(),
        };
        let own = declared.tells.iter().filter(|(name, _)| suits(name)).map(|(_, tell)| tell);
        let told = own.chain(&declared.tell).find_map(|tell| {
            let text = self.text(tell).replace(&format!("{{{TELLS_SEAT}}}"), name);
            self.filled(&text, decision, choice, looks)
        });
        told.unwrap_or_else(|| {
            self.phrases.answers(name, self.text(&declared.ask), &self.answer(decision, choice, looks))
        })
    }

    /// A sentence with the parts of an answer in it, if the answer has all of them.
    fn filled(&self, text: &str, decision: DecisionId, choice: &Choice, looks: Looks<'_>) -> Option<String> {
        let declared = &self.model.decisions[decision.index()];
        let mut text = text.replace(&format!("{{{TELLS_CHOICE}}}"), &self.answer(decision, choice, looks));
        match choice {
            Choice::Parts(parts) => {
                for (name, part, value) in ordered(declared, parts) {
                    text = text.replace(&format!("{{{name}}}"), &self.thing(value, part, looks));
                }
            }
            single => {
                if let [(name, part)] = declared.parts.as_slice() {
                    text = text.replace(&format!("{{{name}}}"), &self.thing(single, *part, looks));
                }
            }
        }
        (!declared.parts.iter().any(|(name, _)| text.contains(&format!("{{{name}}}")))).then_some(text)
    }

    pub(super) fn said(&self, say: usize, facts: &[(Arc<str>, Choice)], looks: Looks<'_>) -> String {
        let mut text = self.text(&self.model.says[say].text).to_owned();
        for (name, fact) in facts {
            text = text.replace(&format!("{{{name}}}"), &self.thing(fact, PartType::Any, looks));
        }
        text
    }

    /// What has a value; a piece is named as it looked.
    pub(super) fn holder(&self, holder: Holder, look: Option<&Look>) -> Option<String> {
        match holder {
            Holder::Game => None,
            Holder::Seat(seat) => Some(self.seat(seat).to_owned()),
            Holder::Component(component) => Some(self.component(component).to_owned()),
            Holder::Piece(_) => look.map(|look| self.look(look)),
            Holder::Space(space) => Some(self.space_name(space)),
        }
    }

    /// Several pieces by their faces, alike ones together, unknown ones last.
    pub(super) fn faces(&self, looks: &[&Look]) -> String {
        let mut faces: Vec<(String, usize)> = Vec::new();
        let mut hidden = 0;
        for face in looks.iter().map(|look| self.face(look)) {
            match face.map(|face| (faces.iter().position(|(known, _)| *known == face), face)) {
                None => hidden += 1,
                Some((Some(at), _)) => faces[at].1 += 1,
                Some((None, face)) => faces.push((face, 1)),
            }
        }
        let known = faces.into_iter().map(|(face, count)| several(count, &face));
        let unknown = (hidden > 0).then(|| self.phrases.hidden(hidden));
        known.chain(unknown).collect::<Vec<_>>().join(self.phrases.comma)
    }

    /// How a value went, from what it was to what it is, with the turns between.
    pub(super) fn course(&self, value: ValueId, course: &[i64]) -> String {
        let is_ordered = matches!(self.model.value(value).kind, ValueType::Number | ValueType::Space(_));
        let from_nothing = usize::from(course.first() == Some(&Value::NOTHING));
        let points = if is_ordered { turns(&course[from_nothing..]) } else { course[from_nothing..].to_vec() };
        let texts: Vec<String> = points.iter().map(|raw| self.value(value, *raw)).collect();
        let reads_alike = texts.windows(2).any(|pair| pair[0] == pair[1]);
        let texts =
            if reads_alike { points.iter().map(|raw| self.value_in_full(value, *raw)).collect() } else { texts };
        texts.join(" → ")
    }

    /// Where pieces went: the zone, with the space if they all went to the same one.
    pub(super) fn destination(&self, to: SpaceId, is_one_space: bool) -> String {
        if is_one_space { self.space_name(to) } else { self.zone_name(self.model.space(to).zone) }
    }

    /// Whether a component is the only piece of its kind, which needs no name where its place is told.
    pub(super) fn is_only_one(&self, component: ComponentId) -> bool {
        let kind = self.model.component(component).kind;
        self.model.pieces.iter().filter(|piece| self.model.component(piece.component).kind == kind).count() == 1
    }

    /// Whether a piece went back to where it belongs: a seat's own to its seat, any other to a closed pile.
    pub(super) fn is_home(&self, look: &Look, to: SpaceId) -> bool {
        let zone = self.model.space(to).zone;
        let family = self.model.family_of(zone);
        let closed = !family.face_up && family.seen_by == Seen::Nobody;
        family.shape.is_single()
            && (look.owner.is_some() || closed)
            && self
                .model
                .pieces
                .iter()
                .any(|piece| piece.zone == zone && piece.component == look.component && piece.owner == look.owner)
    }
}

/// The first and the last of some numbers, and those between at which they turn from up to down or back.
fn turns(course: &[i64]) -> Vec<i64> {
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
    use super::turns;

    #[test]
    fn a_course_keeps_its_ends_and_its_turns() {
        assert_eq!(turns(&[5, 6, 7]), [5, 7]);
        assert_eq!(turns(&[0, 7, 6]), [0, 7, 6]);
        assert_eq!(turns(&[9, 10, 6, 5, 8]), [9, 10, 5, 8]);
        assert_eq!(turns(&[3]), [3]);
    }
}

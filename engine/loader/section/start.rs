//! Reads the initial states of values.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::Node;
use crate::loader::keys::key::{Flag, Word};
use crate::loader::keys::reading::Fields;
use crate::loader::section::declared::NewSpace;
use crate::loader::section::draft::Draft;
use crate::loader::section::field::unknown_component;
use crate::loader::section::value::START;
use crate::model::{FamilyId, KindId, Label, Setting, Value, ValueType};

impl Draft<'_> {
    /// Returns the initial state of a value, as the integer that the table stores. Reports mistakes in `start`.
    pub(in crate::loader) fn initial(
        &self,
        fields: &Fields<'_>,
        kind: &ValueType,
        min: Option<i64>,
        max: Option<i64>,
    ) -> i64 {
        let node = fields.get(&START);
        match kind {
            ValueType::Number => self.number_start(node, min, max),
            ValueType::Flag => self.flag_start(fields, node),
            ValueType::Word(words) => {
                let word = fields.read_as(&START, &Word);
                let word = word.filter(|(word, place)| self.check_word(START.name, word, place, words));
                word.and_then(|(word, _)| words.iter().position(|known| known == word)).unwrap_or(0) as i64
            }
            ValueType::Seat | ValueType::Space(None) | ValueType::Piece => {
                fields.refuse(&[&START], "a value of type seat, piece or space starts as `()`");
                Value::NOTHING
            }
            ValueType::Component(kind) => self.component_start(fields, *kind).unwrap_or(Value::NOTHING),
            ValueType::Space(Some(zone)) => {
                node.and_then(|node| self.space_start(node, *zone)).unwrap_or(Value::NOTHING)
            }
        }
    }

    fn number_start(&self, node: Option<&Node>, min: Option<i64>, max: Option<i64>) -> i64 {
        let clamped = |number: i64| number.min(max.unwrap_or(number)).max(min.unwrap_or(i64::MIN));
        let Some((node, start)) = node.and_then(|node| Some((node, self.amount(START.name, node)?))) else {
            return clamped(0);
        };
        if clamped(start) != start {
            self.mistake(start_out_of_bounds(start, min, max, &node.place));
        }
        start
    }

    fn flag_start(&self, fields: &Fields<'_>, node: Option<&Node>) -> i64 {
        let param = node.and_then(Node::text).and_then(|param| self.params.get(param)).map(|param| &param.value);
        match param {
            Some(Setting::Flag(flag)) => i64::from(*flag),
            _ => i64::from(fields.read_as(&START, &Flag).unwrap_or(false)),
        }
    }

    fn component_start(&self, fields: &Fields<'_>, kind: Option<KindId>) -> Option<i64> {
        let (word, place) = fields.read_as(&START, &Word)?;
        let Some(id) = self.component_id(word) else {
            self.mistake(unknown_component(word, place, self.known_components(kind), false));
            return None;
        };
        let found = self.components[id.index()].kind;
        if kind.is_some_and(|kind| kind != found) {
            self.mistake(self.wrong_kind(word, place, found, kind));
        }
        Some(i64::from(id.0))
    }

    /// Returns the position of a space in its zone, given its label.
    fn space_start(&self, node: &Node, zone: FamilyId) -> Option<i64> {
        let (name, declared) = self.declared.get_index(zone.index())?;
        let position_in = |line: &[NewSpace], label: &Label| line.iter().position(|space| space.label == *label);
        // The same start applies to every zone of the family, so all zones must have the label at the same position.
        let position = |label: &Label| {
            let first = position_in(&declared.spaces, label);
            first.filter(|_| declared.spaces_of.values().all(|line| position_in(line, label) == first))
        };
        let word = node.text().map(|word| Label::Word(word.clone())).and_then(|label| position(&label));
        if let Some(at) = word {
            return Some(at as i64);
        }
        let label = match node.list() {
            Some([column, row]) => {
                Label::Cell(self.amount(START.name, column)? as i16, self.amount(START.name, row)? as i16)
            }
            _ => Label::Number(self.amount(START.name, node)?),
        };
        let found = position(&label);
        if found.is_none() {
            self.mistake(no_space(name, &label.to_string(), &node.place));
        }
        found.map(|at| at as i64)
    }
}

fn start_out_of_bounds(start: i64, min: Option<i64>, max: Option<i64>, place: &Place) -> Diagnostic {
    let bounds = match (min, max) {
        (Some(min), Some(max)) => format!("between {min} and {max}"),
        (Some(min), None) => format!("at least {min}"),
        (_, Some(max)) => format!("at most {max}"),
        (None, None) => String::new(),
    };
    Diagnostic::error("start-out-of-bounds", format!("the value starts at {start}, but must be {bounds}"))
        .mark(place.clone(), format!("{start} here"))
}

fn no_space(zone: &str, label: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("unknown-space", format!("`{zone}` has no space `{label}`")).mark(place.clone(), "no such label")
}

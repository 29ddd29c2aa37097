//! Reads expectations: advantages that the author already knows about, so that reports do not list them as findings.

use crate::diagnostic::UnknownField;
use crate::loader::document::node::{Data, KeyedNode, Node};
use crate::loader::mistake::{unknown, unknown_word, wrong_type};
use crate::loader::section::draft::Draft;
use crate::model::{Bias, DecisionId, Expected, FieldId, FieldType, Kind, Subject};
use std::sync::Arc;

/// Word for the chosen number itself, in decisions whose options are numbers.
const NUMBER: &str = "number";

impl Draft<'_> {
    /// Reads the section `expected`.
    pub(in crate::loader) fn expected(&self) -> Vec<Expected> {
        self.section("expected").into_iter().filter_map(|(name, entry)| self.expectation(name, entry)).collect()
    }

    fn expectation(&self, name: &Arc<str>, entry: &KeyedNode) -> Option<Expected> {
        let decisions = self.section("decisions");
        let decision = decisions.iter().position(|(known, _)| **known == *name);
        let (what, by) = if let Some(kind) = self.kind_id(name) {
            (
                Subject::Kind(kind),
                self.field_of(std::slice::from_ref(&self.kinds[kind.index()]), name, &entry.node, None)?,
            )
        } else if let Some(component) = self.component_id(name) {
            (Subject::Component(component), self.bias(name, &entry.node)?)
        } else if let Some(decision) = decision {
            let by = self.field_of(&self.kinds, name, &entry.node, Some(NUMBER))?;
            (Subject::Decision(DecisionId::at(decision)), by)
        } else {
            let known = self.known_kinds().chain(self.known_components(None));
            let known = known.chain(decisions.iter().map(|(known, _)| &***known));
            self.mistake(unknown("unknown-kind", "kind, component or decision", name, &entry.key, known));
            return None;
        };
        Some(Expected { what, by })
    }

    /// Reads the name of a number field of any of `kinds`. If `also` is given, this word is accepted too and stands for the chosen number
    /// itself.
    fn field_of(&self, kinds: &[Kind], name: &str, node: &Node, also: Option<&'static str>) -> Option<Bias> {
        let Data::Text(word) = &node.data else {
            self.mistake(wrong_type(name, "the name of a field that is a number", node));
            return None;
        };
        if also == Some(&**word) {
            return Some(Bias::Number);
        }
        let is_number = |(_, field): &(&FieldId, &FieldType)| matches!(field, FieldType::Number);
        let mut numbers = kinds.iter().flat_map(|kind| kind.fields.iter().filter(is_number)).map(|(field, _)| *field);
        let called = |field: FieldId| &*self.fields[field.index()];
        if let Some(field) = numbers.clone().find(|field| *called(*field) == **word) {
            return Some(Bias::Field(field));
        }
        let known: Vec<&str> = numbers.by_ref().map(called).chain(also).collect();
        let found = UnknownField::of_nothing(word).note("not a printed number");
        self.mistake(found.suggest(word, known).at(node.place.clone()));
        None
    }

    fn bias(&self, name: &str, node: &Node) -> Option<Bias> {
        match &node.data {
            Data::Text(word) if &**word == "strong" => Some(Bias::Strong),
            Data::Text(word) if &**word == "weak" => Some(Bias::Weak),
            Data::Text(word) => {
                self.mistake(unknown_word(name, word, &node.place, ["strong", "weak"]));
                None
            }
            _ => {
                self.mistake(wrong_type(name, "`strong` or `weak`", node));
                None
            }
        }
    }
}

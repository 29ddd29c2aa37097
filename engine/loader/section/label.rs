//! Reads labels of copies and spaces.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, Node};
use crate::loader::mistake::{out_of_range, wrong_type};
use crate::loader::section::draft::Draft;
use crate::model::{Label, Setting};

/// Expected form of a list of labels, for messages.
const LABELS: &str = "a list of numbers or words, without repetition and not empty";

impl Draft<'_> {
    /// Reads labels, which are given by a count, by a list, or by a param with a count or a list. `least` and `most` are the bounds of a
    /// count.
    pub(in crate::loader) fn labels(&self, name: &str, node: &Node, least: i64, most: i64) -> Option<Vec<Label>> {
        let node = self.for_players(name, node)?;
        match &node.data {
            Data::List(list) => self.label_list(name, node, list),
            Data::Text(param) => match self.params.get(param).map(|param| &param.value) {
                Some(Setting::List(list)) => self.labels_in_param(name, list, &node.place),
                _ => Some(numbered(self.amount_within(name, node, least, most)?)),
            },
            _ => Some(numbered(self.amount_within(name, node, least, most)?)),
        }
    }

    fn label_list(&self, name: &str, node: &Node, list: &[Node]) -> Option<Vec<Label>> {
        if list.is_empty() {
            self.mistake(wrong_type(name, LABELS, node));
            return None;
        }
        let mut labels = Vec::with_capacity(list.len());
        for entry in list {
            if let Some(label) = self.label(name, entry) {
                self.add_label(&mut labels, label, &entry.place);
            }
        }
        Some(labels)
    }

    /// Adds a label to a list. Reports a duplicate.
    pub(in crate::loader) fn add_label(&self, labels: &mut Vec<Label>, label: Label, place: &Place) {
        if labels.contains(&label) {
            self.mistake(label_twice(&label, place));
        } else {
            labels.push(label);
        }
    }

    /// Reads one label.
    pub(in crate::loader) fn label(&self, name: &str, node: &Node) -> Option<Label> {
        match &node.data {
            Data::Number(number) => Some(Label::Number(*number)),
            Data::Text(word) if !word.is_empty() => Some(Label::Word(word.clone())),
            _ => {
                self.mistake(wrong_type(name, "a number or a word", node));
                None
            }
        }
    }

    fn labels_in_param(&self, name: &str, list: &[Setting], place: &Place) -> Option<Vec<Label>> {
        let mut labels = Vec::with_capacity(list.len());
        for entry in list {
            match entry {
                Setting::Number(number) => self.add_label(&mut labels, Label::Number(*number), place),
                Setting::Word(word) => self.add_label(&mut labels, Label::Word(word.clone()), place),
                _ => {
                    self.mistake(not_labels(name, place));
                    return None;
                }
            }
        }
        if labels.is_empty() {
            self.mistake(not_labels(name, place));
            return None;
        }
        Some(labels)
    }

    /// Reads an axis of a grid: a count, or the first and the last coordinate. Returns the first and the last coordinate. `most` limits the
    /// count and the absolute values of the coordinates.
    pub(in crate::loader) fn read_axis(&self, name: &str, node: &Node, most: i64) -> Option<(i64, i64)> {
        let node = self.for_players(name, node)?;
        let Some([from, to]) = node.list() else {
            return Some((1, self.amount_within(name, node, 1, most)?));
        };
        let (first, last) = (self.amount_within(name, from, -most, most)?, self.amount_within(name, to, -most, most)?);
        if first <= last {
            return Some((first, last));
        }
        self.mistake(out_of_range(name, last, first, most, &to.place));
        None
    }
}

fn numbered(count: i64) -> Vec<Label> {
    (1..=count).map(Label::Number).collect()
}

fn label_twice(label: &Label, place: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-label", format!("the label `{label}` is given twice"))
        .mark(place.clone(), "the second time")
}

fn not_labels(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("wrong-type", format!("`{name}` must be {LABELS}")).mark(place.clone(), "this param is not")
}

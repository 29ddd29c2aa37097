//! Reads alterations: the quantities declared in `[altered]`, and the `alters` of component rows, which change these quantities.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, Node};
use crate::loader::keys::form::{Form, Key, NameSet, Needs, TableSpec};
use crate::loader::mistake::{unknown, wrong_type};
use crate::loader::name::check_name;
use crate::loader::section::draft::Draft;
use crate::model::{Alteration, FieldValue};
use std::sync::Arc;

const PLAIN: Form = Form::AnyOf(&[Form::Integer, Form::Flag, Form::Word]);

/// Expected form of `alters`, for messages.
const FORM: &str = "a list of tables with `what` and `add`, `multiply` or `set`";

/// Keys of an entry of `alters`. All other keys are conditions.
pub(in crate::loader) const ALTERATION: TableSpec = TableSpec {
    one: "an entry of `alters`",
    many: "entries of `alters`",
    keys: &[
        Key::new("what", "what it alters: a name under `[altered]`", Form::Name(NameSet::Section("altered"))),
        Key::new("add", "number to add", Form::Amount),
        Key::new("multiply", "factor, applied before anything is added", Form::Amount),
        Key::new("set", "new base value, set before anything is multiplied or added", PLAIN),
    ],
    also: &[],
    needs: Needs::Always(&["what"]),
    others: Some(&Form::AnyOf(&[PLAIN, Form::List(&PLAIN)])),
};

impl Draft<'_> {
    /// Reads the section `altered`, and the `alters` of all rows.
    pub(in crate::loader) fn read_alterations(&mut self) {
        for (name, entry) in self.section("altered") {
            check_name(name, "something that is altered", &entry.key, self.report);
            let text = self.text(name, &entry.node);
            self.altered.insert(name.clone(), text);
        }
        let tree = self.tree;
        for row in &tree.rows {
            let Some(entry) = row.node.table().and_then(|table| table.get("alters")) else { continue };
            let alters = self.alterations(&entry.node);
            if let Some(at) = row.id().and_then(|id| self.component_id(id)) {
                self.components[at.index()].alters = alters;
            }
        }
    }

    fn alterations(&self, node: &Node) -> Vec<Alteration> {
        let Some(list) = node.list() else {
            self.mistake(wrong_type("alters", FORM, node));
            return Vec::new();
        };
        list.iter().filter_map(|node| self.alteration(node)).collect()
    }

    fn alteration(&self, node: &Node) -> Option<Alteration> {
        let Some(table) = node.table() else {
            self.mistake(wrong_type("alters", FORM, node));
            return None;
        };
        let Some(what) = table.get("what").and_then(|entry| entry.node.text()) else {
            self.mistake(incomplete("what", "does not say `what` it alters", &node.place));
            return None;
        };
        if !self.altered.contains_key(what) {
            let known = self.altered.keys().map(|name| &**name);
            self.mistake(unknown("unknown-alteration", "alteration", what, &table["what"].node.place, known));
        }
        let [add, multiply, set] = ["add", "multiply", "set"].map(|key| table.get(key));
        if add.is_none() && multiply.is_none() && set.is_none() {
            self.mistake(incomplete("add", "needs `add`, `multiply` or `set`", &node.place));
        }
        let conditions = || table.iter().filter(|(key, _)| !ALTERATION.has(key));
        Some(Alteration {
            what: what.clone(),
            only: conditions()
                .map(|(name, entry)| (name.clone(), self.read_allowed_values(name, &entry.node)))
                .collect(),
            places: conditions().map(|(_, entry)| entry.key.clone()).collect(),
            set: set.and_then(|entry| self.plain("set", &entry.node)),
            multiply: multiply.and_then(|entry| self.amount("multiply", &entry.node)).unwrap_or(1),
            add: add.and_then(|entry| self.amount("add", &entry.node)).unwrap_or(0),
        })
    }

    /// Reads the values that a condition allows: one value, or a list of values.
    fn read_allowed_values(&self, name: &Arc<str>, node: &Node) -> Vec<FieldValue> {
        let list = node.list().unwrap_or(std::slice::from_ref(node));
        list.iter().filter_map(|node| self.plain(name, node)).collect()
    }

    fn plain(&self, name: &str, node: &Node) -> Option<FieldValue> {
        match &node.data {
            Data::Number(number) => Some(FieldValue::Number(*number)),
            Data::Flag(flag) => Some(FieldValue::Flag(*flag)),
            Data::Text(word) => Some(FieldValue::Word(word.clone())),
            _ => {
                self.mistake(wrong_type(name, "a number, a word, `true` or `false`", node));
                None
            }
        }
    }
}

fn incomplete(key: &str, lacks: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("an entry of `alters` {lacks}"))
        .mark(place.clone(), format!("no `{key}` here"))
}

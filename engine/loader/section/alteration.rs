//! Reads alterations: the quantities declared in `[altered]`, and the `alters` of component rows, which change these quantities.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, Node};
use crate::loader::keys::form::{Form, KeySpec, NameSet, Needs, TableSpec};
use crate::loader::keys::key::{Amount, Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown, wrong_type};
use crate::loader::name::check_name;
use crate::loader::section::draft::Draft;
use crate::model::{Alteration, FieldValue};
use std::sync::Arc;

const PLAIN: Form = Form::AnyOf(&[Form::Integer, Form::Flag, Form::Word]);

/// Expected form of `alters`, for messages.
const FORM: &str = "a list of tables with `what` and `add`, `multiply` or `set`";

declare_table! {
    /// Keys of an entry of `alters`. All other keys are conditions.
    pub(in crate::loader) const ALTERATION: TableSpec = TableSpec::new("an entry of `alters`", "entries of `alters`")
        .needs(Needs::Always(&[&WHAT.spec])).with_others(&Form::AnyOf(&[PLAIN, Form::List(&PLAIN)]));

    const WHAT: Key = Key::new(
        "what", "what it alters: a name under `[altered]`", Form::Name(NameSet::Section("altered")));
    const ADD: Key<Amount> = Key::amount("add", "number to add");
    const MULTIPLY: Key<Amount> = Key::amount("multiply", "factor, applied before anything is added");
    const SET: Key = Key::new("set", "new base value, set before anything is multiplied or added", PLAIN);
}

/// The alterations of a component.
pub(in crate::loader) const ALTERS: Key =
    Key::new("alters", "what it alters while it is in force", Form::List(&Form::Table(&ALTERATION)));

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
            let Some(node) = row.node.table().and_then(|table| ALTERS.value_in(table)) else { continue };
            let alters = self.alterations(node);
            if let Some(at) = row.id().and_then(|id| self.component_id(id)) {
                self.components[at.index()].alters = alters;
            }
        }
    }

    fn alterations(&self, node: &Node) -> Vec<Alteration> {
        let Some(list) = node.list() else {
            self.mistake(wrong_type(ALTERS.name, FORM, node));
            return Vec::new();
        };
        list.iter().filter_map(|node| self.alteration(node)).collect()
    }

    fn alteration(&self, node: &Node) -> Option<Alteration> {
        let Some(table) = node.table() else {
            self.mistake(wrong_type(ALTERS.name, FORM, node));
            return None;
        };
        let fields = Fields::open(self.report, ALTERS.name, &node.place, node, &ALTERATION)?;
        let given = fields.get(&WHAT).and_then(|node| Some((node.text()?, &node.place)));
        let Some((what, place)) = given else {
            self.mistake(incomplete(&WHAT, "does not say `what` it alters", &node.place));
            return None;
        };
        if !self.altered.contains_key(what) {
            let known = self.altered.keys().map(|name| &**name);
            self.mistake(unknown("unknown-alteration", "alteration", what, place, known));
        }
        if fields.get(&ADD).or(fields.get(&MULTIPLY)).or(fields.get(&SET)).is_none() {
            self.mistake(incomplete(&ADD, "needs `add`, `multiply` or `set`", &node.place));
        }
        let conditions = || table.iter().filter(|(key, _)| !ALTERATION.has(key));
        Some(Alteration {
            what: what.clone(),
            only: conditions()
                .map(|(name, entry)| (name.clone(), self.read_allowed_values(name, &entry.node)))
                .collect(),
            places: conditions().map(|(_, entry)| entry.key.clone()).collect(),
            set: fields.get(&SET).and_then(|node| self.plain(SET.name, node)),
            multiply: self.read_amount(&fields, &MULTIPLY).unwrap_or(1),
            add: self.read_amount(&fields, &ADD).unwrap_or(0),
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

fn incomplete(key: &KeySpec, lacks: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("an entry of `alters` {lacks}"))
        .mark(place.clone(), format!("no `{}` here", key.name))
}

//! Params: numbers a designer tweaks.

use super::draft::Draft;
use super::fields::{Fields, Sort};
use super::mistake::wrong_type;
use super::name::{Scope, check_script_name};
use super::node::{Data, Entry, Node, Table, is_by_players};
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Param, Setting};
use std::sync::Arc;

pub(super) const PARAM: Sort = Sort {
    one: "a param",
    many: "params",
    keys: &["value", "about"],
    also: &[("default", "value"), ("start", "value"), ("description", "about"), ("comment", "about")],
};

impl Draft<'_> {
    /// Reads the section `params`.
    pub(super) fn read_params(&mut self) {
        for (name, entry) in self.section("params") {
            check_script_name(name, "a param", &entry.key, self.report);
            self.names.give(Scope::Global, name, "a param", &entry.key, self.report);
            let param = self.param(name, entry);
            self.params.insert(name.clone(), param);
        }
    }

    fn param(&self, name: &Arc<str>, entry: &Entry) -> Param {
        let mut param = Param { id: name.clone(), value: Setting::Nothing, by_players: Vec::new(), about: None };
        match entry.node.table() {
            Some(table) if is_by_players(table) => {
                param.about = table.get("about").and_then(|entry| entry.node.text()).cloned();
                self.set_by_players(&mut param, table, &entry.node.place);
            }
            Some(_) => self.read_described(&mut param, name, entry),
            None => param.value = self.setting(name, &entry.node),
        }
        param
    }

    /// A param written as a table with its value and what is said about it.
    fn read_described(&self, param: &mut Param, name: &str, entry: &Entry) {
        let Some(fields) = Fields::read(self.report, name, entry, &PARAM) else { return };
        param.about = fields.word("about").map(|(about, _)| about.clone());
        let Some(node) = fields.need("value") else { return };
        match node.table() {
            Some(table) if is_by_players(table) => self.set_by_players(param, table, &node.place),
            _ => param.value = self.setting(name, node),
        }
    }

    fn set_by_players(&self, param: &mut Param, table: &Table, place: &Place) {
        let own = self.column(&param.id, table, place).map(|node| self.setting(&param.id, node));
        param.value = own.unwrap_or(Setting::Nothing);
        let columns = self.players.clone().filter_map(|count| Some((count, table.get(&*count.to_string())?)));
        param.by_players = columns.map(|(count, entry)| (count, self.setting(&param.id, &entry.node))).collect();
        if let Some((first, odd)) = mixed(table, &param.by_players) {
            self.mistake(mixed_columns(&param.id, odd, first));
        }
    }

    /// A number, word, yes or no, or a list of these.
    fn setting(&self, name: &str, node: &Node) -> Setting {
        match &node.data {
            Data::Number(number) => Setting::Number(*number),
            Data::Flag(flag) => Setting::Flag(*flag),
            Data::Text(word) => Setting::Word(word.clone()),
            Data::List(list) => Setting::List(list.iter().map(|entry| self.entry_setting(name, entry)).collect()),
            Data::Fraction(_) | Data::Table(_) => {
                self.mistake(wrong_type(name, "a number, a word, `true` or `false`, or a list of these", node));
                Setting::Nothing
            }
        }
    }

    fn entry_setting(&self, name: &str, node: &Node) -> Setting {
        if matches!(node.data, Data::List(_)) {
            self.mistake(wrong_type(name, "a plain list", node));
            return Setting::Nothing;
        }
        self.setting(name, node)
    }
}

/// The first column, and the first one that is of another sort, if any is.
fn mixed<'t>(table: &'t Table, columns: &[(u8, Setting)]) -> Option<(&'t Node, &'t Node)> {
    let (first_count, first) = columns.first()?;
    let odd = columns.iter().find(|(_, column)| {
        std::mem::discriminant(column) != std::mem::discriminant(first)
            && ![first, column].iter().any(|setting| matches!(setting, Setting::Nothing))
    });
    let node = |count: u8| table.get(&*count.to_string()).map(|entry| &entry.node);
    Some((node(*first_count)?, node(odd?.0)?))
}

fn mixed_columns(name: &str, odd: &Node, first: &Node) -> Diagnostic {
    Diagnostic::error(
        "mixed-types",
        format!("`{name}` is {} for some numbers of players and {} for others", first.sort(), odd.sort()),
    )
    .mark(odd.place.clone(), format!("this is {}", odd.sort()))
    .mark(first.place.clone(), format!("this is {}", first.sort()))
}

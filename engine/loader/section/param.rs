//! Reads params: numbers, words, flags and lists that designers adjust.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node, Table, is_by_players};
use crate::loader::keys::form::{Form, KeySpec, Needs, TableSpec};
use crate::loader::keys::key::{Amount, DisplayText, Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{inverted_range, misplaced_key, quoted_number, wrong_type};
use crate::loader::name::{Scope, check_script_name};
use crate::loader::section::draft::Draft;
use crate::model::{Bounds, Param, Setting};
use std::sync::Arc;

const SCALAR: Form = Form::AnyOf(&[Form::Integer, Form::Word, Form::Flag]);

/// Form of a plain param value: a scalar, or a list of scalars.
const SETTING: Form = Form::AnyOf(&[SCALAR, Form::List(&SCALAR)]);

/// Form of a param's `value`: a plain value, or a table from words to plain values.
const SETTING_OR_TABLE: Form = Form::AnyOf(&[SETTING, Form::Named(&SETTING)]);

/// Form of a param: a plain value, a table by number of players with optional bounds, or a table with `value` and other keys.
pub(in crate::loader) const PARAMS: Form =
    Form::AnyOf(&[Form::ByPlayersBeside(&SETTING, BOUNDS_AND_ABOUT), Form::Table(&PARAM)]);

declare_table! {
    pub(in crate::loader) const PARAM: TableSpec = TableSpec::new("a param", "params")
        .needs(Needs::InBaseGame(&[&VALUE.spec]))
        .also(&[("default", &VALUE.spec), ("start", &VALUE.spec), ("least", &MIN.spec), ("most", &MAX.spec),
            ("description", &ABOUT.spec), ("comment", &ABOUT.spec)]);

    const VALUE: Key = Key::new(
        "value", "its value: a number, word, list or table", Form::ByPlayers(&SETTING_OR_TABLE)).with_own_words();
    const MIN: Key<Amount> = Key::amount("min", "minimum for `--set`");
    const MAX: Key<Amount> = Key::amount("max", "maximum for `--set`");
    const ABOUT: Key<DisplayText> = Key::text("about", "description");
}

/// Keys of a param with a value for each number of players: all except `value`.
const BOUNDS_AND_ABOUT: &[KeySpec] = PARAM.keys.split_at(1).1;

impl Draft<'_> {
    /// Reads the section `params`.
    pub(in crate::loader) fn read_params(&mut self) {
        for (name, entry) in self.section("params") {
            check_script_name(name, "a param", &entry.key, self.report);
            self.names.declare(Scope::Global, name, "a param", &entry.key, self.report);
            let param = self.param(name, entry);
            self.params.insert(name.clone(), param);
        }
        // Bounds are read after all params, because they may name params that are declared later.
        for (name, entry) in self.section("params") {
            let Some(table) = entry.node.table() else { continue };
            let (bounds, by_players) = self.param_bounds(name, table);
            self.check_param(name, &bounds, entry);
            if let Some(param) = self.params.get_mut(name) {
                (param.bounds, param.bounds_by_players) = (bounds, by_players);
            }
        }
    }

    /// Returns the bounds of a param: those for this number of players, and those for each number of players if they differ.
    fn param_bounds(&self, name: &str, table: &Table) -> (Bounds, Vec<(u8, Bounds)>) {
        let bound = |key: &Key<Amount>| {
            let entry = table.get(key.name)?;
            if self.params.get(name).is_some_and(|param| !has_numbers(&param.value)) {
                self.mistake(misplaced_key(key.name, &entry.key, "only a number has bounds"));
                return None;
            }
            self.amount(key.name, &entry.node)
        };
        let bounds = Bounds { min: bound(&MIN), max: bound(&MAX) };
        if let (Some(min), Some(max)) = (bounds.min, bounds.max)
            && min > max
        {
            self.mistake(inverted_range(min, max, &table[MIN.name].node.place));
        }
        let column = |count: u8| {
            let bound = |key: &Key<Amount>| self.amount_for(count, key.value_in(table)?);
            (count, Bounds { min: bound(&MIN), max: bound(&MAX) })
        };
        let columns: Vec<(u8, Bounds)> = self.players.clone().map(column).collect();
        // Bounds by number of players are stored only if they differ between numbers of players.
        let is_alike = columns.iter().all(|(_, column)| *column == bounds);
        (bounds, if is_alike { Vec::new() } else { columns })
    }

    /// Returns the value of an amount for a number of players, if it can be read. Does not report mistakes, because they are reported
    /// elsewhere.
    fn amount_for(&self, count: u8, node: &Node) -> Option<i64> {
        match &node.data {
            Data::Number(number) => Some(*number),
            Data::Table(table) => self.amount_for(count, &table.get(&*count.to_string())?.node),
            Data::Text(param) => {
                let param = self.params.get(param)?;
                let own = param.by_players.iter().find(|(known, _)| *known == count).map(|(_, setting)| setting);
                match own.unwrap_or(&param.value) {
                    Setting::Number(number) => Some(*number),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Reports a param that is outside its bounds. For a list or table, reports the first number outside.
    fn check_param(&self, name: &str, bounds: &Bounds, entry: &KeyedNode) {
        let value = match entry.node.table() {
            Some(table) => VALUE.value_in(table).unwrap_or(&entry.node),
            None => return,
        };
        let column = |table: &'_ Table| table.get(&*self.seats.to_string()).map(|entry| entry.node.clone());
        let value = match value.table() {
            Some(table) if is_by_players(table) => column(table),
            _ => Some(value.clone()),
        };
        let Some(value) = value else { return };
        let mut all = Vec::new();
        numbers_in(&value, &mut all);
        if let Some((node, number)) = all.into_iter().find(|(_, number)| !bounds.contains(*number)) {
            self.mistake(self.out_of_bounds(name, number, bounds, node, entry));
        }
    }

    fn out_of_bounds(&self, name: &str, number: i64, bounds: &Bounds, node: &Node, entry: &KeyedNode) -> Diagnostic {
        let key = if bounds.min.is_some_and(|min| number < min) { MIN } else { MAX };
        let bound = entry.node.table().and_then(|table| key.value_in(table));
        let is_by_players = bound.and_then(Node::table).is_some_and(is_by_players);
        let players = if is_by_players { format!("with {} players ", self.seats) } else { String::new() };
        let must = bounds.describe().unwrap_or_default();
        let found = Diagnostic::error("out-of-range", format!("`{name}` is {number}, but {players}must be {must}"))
            .mark(node.place.clone(), format!("{number} here"));
        let found = match bound {
            Some(bound) => found.mark(bound.place.clone(), format!("its `{}`", key.name)),
            None => found,
        };
        found.help(format!("choose another number, or change `params.{name}.{}` too if the rules allow it", key.name))
    }

    fn param(&self, name: &Arc<str>, entry: &KeyedNode) -> Param {
        let mut param = Param {
            id: name.clone(),
            value: Setting::Nothing,
            by_players: Vec::new(),
            about: None,
            bounds: Bounds::default(),
            bounds_by_players: Vec::new(),
        };
        match entry.node.table() {
            Some(table) if is_by_players(table) => {
                param.about = ABOUT.value_in(table).map(|node| self.text(ABOUT.name, node));
                self.set_by_players(&mut param, &without_bounds(table), &entry.node.place);
            }
            Some(_) => self.read_described(&mut param, name, entry),
            None => param.value = self.setting(name, &entry.node),
        }
        param
    }

    /// Reads a param that is described by a table.
    fn read_described(&self, param: &mut Param, name: &str, entry: &KeyedNode) {
        let Some(fields) = Fields::from_entry(self.report, name, entry, &PARAM) else { return };
        param.about = fields.read(&ABOUT);
        let Some(node) = fields.require(&VALUE) else { return };
        // Bounds show that a number is meant. It is used, so that only the quotes are reported.
        let meant = node.text().filter(|_| fields.get(&MIN).or(fields.get(&MAX)).is_some());
        if let Some((word, number)) = meant.and_then(|word| Some((word, word.parse().ok()?))) {
            self.mistake(quoted_number(name, word, &node.place));
            param.value = Setting::Number(number);
            return;
        }
        match node.table() {
            Some(table) if is_by_players(table) => self.set_by_players(param, table, &node.place),
            _ => param.value = self.setting_or_table(name, node),
        }
    }

    fn set_by_players(&self, param: &mut Param, table: &Table, place: &Place) {
        let own = self.column(&param.id, table, place).map(|node| self.setting_or_table(&param.id, node));
        param.value = own.unwrap_or(Setting::Nothing);
        let columns = self.players.clone().filter_map(|count| Some((count, table.get(&*count.to_string())?)));
        param.by_players =
            columns.map(|(count, entry)| (count, self.setting_or_table(&param.id, &entry.node))).collect();
        if let Some((first, odd)) = find_mixed_types(table, &param.by_players) {
            self.mistake(mixed_columns(&param.id, odd, first));
        }
    }

    /// Reads a plain value, or a table from words to plain values.
    fn setting_or_table(&self, name: &str, node: &Node) -> Setting {
        match node.table() {
            Some(table) => {
                let parts = table.iter().map(|(word, entry)| (word.clone(), self.setting(word, &entry.node)));
                Setting::Table(parts.collect())
            }
            None => self.setting(name, node),
        }
    }

    /// Reads a plain value: a number, a word, a boolean, or a list of these.
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

/// Collects all numbers in a value, with their nodes.
fn numbers_in<'n>(node: &'n Node, found: &mut Vec<(&'n Node, i64)>) {
    match &node.data {
        Data::Number(number) => found.push((node, *number)),
        Data::List(list) => list.iter().for_each(|one| numbers_in(one, found)),
        Data::Table(table) => table.values().for_each(|entry| numbers_in(&entry.node, found)),
        _ => {}
    }
}

/// Returns a copy of a table by number of players, without its bounds.
fn without_bounds(table: &Table) -> Table {
    let is_bound = |key: &str| key == MIN.name || key == MAX.name;
    table.iter().filter(|(key, _)| !is_bound(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Returns whether a param consists of numbers. Also returns `true` for values that could not be read, because these may have been meant as
/// numbers.
fn has_numbers(setting: &Setting) -> bool {
    match setting {
        Setting::Number(_) | Setting::Nothing => true,
        Setting::List(list) => list.iter().all(|entry| matches!(entry, Setting::Number(_))),
        Setting::Table(parts) => parts.iter().all(|(_, one)| has_numbers(one)),
        _ => false,
    }
}

/// Returns the first of the values by number of players, and the first value of a different type. Returns `None` if all values have the
/// same type. Ignores values that could not be read.
fn find_mixed_types<'t>(table: &'t Table, columns: &[(u8, Setting)]) -> Option<(&'t Node, &'t Node)> {
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

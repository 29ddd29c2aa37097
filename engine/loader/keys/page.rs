//! The reference page of all TOML keys, in the order of the files.

use crate::loader::keys::form::{Form, KeySpec, NameSet, Needs, TableSpec};
use crate::loader::keys::sections::{GAME, ROWS};
use crate::loader::section::field::FIELD_TYPES;
use crate::loader::section::flow::STEP;
use crate::loader::section::target::{FIGURE, GROUPS};
use crate::loader::section::value::OWNERS;
use crate::model::Figure;

/// One row of the reference page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Path of the table that the key belongs to, such as `zones.NAME`.
    pub table: String,
    /// Name of the key.
    pub name: String,
    /// Meaning of the key, in one sentence.
    pub about: String,
    /// Values that the key takes, in words.
    pub written: String,
}

/// Returns all keys in the order of the reference page.
pub fn keys() -> Vec<Described> {
    let mut page = Page::default();
    page.table(&GAME, "");
    page.form(&ROWS, "KIND");
    page.keys
}

#[derive(Default)]
struct Page {
    keys: Vec<Described>,
    has_steps: bool,
}

impl Page {
    /// Adds the keys of a table, then those of the tables nested in it.
    fn table(&mut self, spec: &TableSpec, table: &str) {
        for key in spec.keys {
            let is_among = |needed: &[&KeySpec]| needed.iter().any(|one| one.name == key.name);
            let about = match &spec.needs {
                Needs::Always(needed) if is_among(needed) => format!("{}; required", key.about),
                Needs::InBaseGame(needed) if is_among(needed) => {
                    format!("{}; required, except in overlays", key.about)
                }
                _ => key.about.to_owned(),
            };
            self.key(table, key.name, &about, &key.form);
        }
        let above = table.trim_matches(['[', ']']);
        for KeySpec { name, form, .. } in spec.keys {
            self.form(form, &if above.is_empty() { (*name).to_owned() } else { format!("{above}.{name}") });
        }
    }

    fn key(&mut self, table: &str, name: &str, about: &str, form: &Form) {
        let (name, about, written) = (name.to_owned(), about.to_owned(), describe_form(form));
        self.keys.push(Described { table: table.to_owned(), name, about, written });
    }

    /// Adds the keys of all tables within a form. `path` is the path of the value that has this form.
    fn form(&mut self, form: &Form, path: &str) {
        match form {
            Form::Table(spec) => self.table(spec, path),
            Form::List(inner) | Form::Some(inner) | Form::Pair(inner) => self.form(inner, &format!("[{path}]")),
            Form::AnyOf(forms) => forms.iter().for_each(|form| self.form(form, path)),
            Form::ByPlayers(inner) | Form::ByPlayersBeside(inner, _) => self.form(inner, path),
            Form::Named(inner) | Form::NamedForScripts(inner) => self.form(inner, &format!("{path}.NAME")),
            // Steps can be nested in steps, so their keys are listed once, at the first phase.
            Form::Steps if !self.has_steps && path.contains("phases") => {
                self.has_steps = true;
                self.table(&STEP, &format!("[{path}]"));
            }
            Form::Values(inner) => {
                for (owner, about) in OWNERS {
                    self.key(path, owner, about, inner);
                }
                self.form(inner, &format!("{path}.*"));
            }
            Form::Targets(inner) => {
                for figure in Figure::words() {
                    self.key(path, figure, FIGURE, inner);
                }
                for (group, about) in GROUPS {
                    self.key(path, group, about, &Form::Named(&Form::Anything));
                }
                self.form(inner, &format!("{path}.*"));
                self.form(inner, &format!("{path}.*.NAME"));
            }
            _ => {}
        }
    }
}

/// Describes the values that a form allows.
fn describe_form(form: &Form) -> String {
    let mut ways = Vec::new();
    add_alternatives(form, &mut ways);
    ways.join(", ")
}

fn add_alternatives(form: &Form, ways: &mut Vec<String>) {
    let mut add = |way: &str| {
        if !ways.iter().any(|known| known == way) {
            ways.push(way.to_owned());
        }
    };
    match form {
        Form::Anything => add("anything"),
        Form::Text => add("text"),
        Form::Word
        | Form::Function
        | Form::WordOrName(..)
        | Form::Name(NameSet::Contents | NameSet::Carried | NameSet::Section(_)) => {
            add("a word");
        }
        Form::OneOf(list) => list.words().into_iter().for_each(|word| add(&format!("`{word}`"))),
        Form::Name(NameSet::Kinds) => add("a kind"),
        Form::Name(NameSet::Zones) => add("a zone"),
        Form::Integer | Form::Number => add("a number"),
        Form::Between(from, to) => add(&format!("a number from {from} to {to}")),
        Form::Flag => add("`true` or `false`"),
        Form::Amount => add("amount"),
        Form::Steps => add("steps"),
        Form::FieldType => {
            for (word, _) in &FIELD_TYPES {
                add(&format!("`{word}`"));
            }
            add("a kind");
            add("a list of one type");
            add("a table of parts with their types");
        }
        Form::List(_) | Form::Some(_) | Form::Pair(_) => add("a list"),
        Form::AnyOf(forms) => forms.iter().for_each(|form| add_alternatives(form, ways)),
        Form::ByPlayers(inner) | Form::ByPlayersBeside(inner, _) => {
            add_alternatives(inner, ways);
            add_alternatives(&Form::Named(inner), ways);
        }
        Form::Table(_) | Form::Named(_) | Form::NamedForScripts(_) | Form::Values(_) | Form::Targets(_) => {
            add("a table");
        }
    }
}

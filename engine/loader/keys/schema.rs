//! JSON Schemas of a game's files: what makes editors of TOML complete and check them. The keys are those the loader goes by;
//! for a game, its own kinds, fields, zones and other names too.

use crate::loader::document::node::Table;
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{Form, Names, Needs, TableSpec};
use crate::loader::keys::json::{
    any_of, by_players, described, flag, integer, list, named, named_for_scripts, provenance, reference, some, string,
    text, word,
};
use crate::loader::keys::sections::{COMPONENTS, GAME, OVERLAY};
use crate::loader::package::Package;
use crate::loader::section::component::ROW;
use crate::loader::section::field::FIELD_TYPES;
use crate::loader::section::flow::{STEP, step_kinds};
use crate::loader::section::target::{FIGURE, GROUPS as TARGET_GROUPS};
use crate::loader::section::value::OWNERS;
use crate::model::{BOX, FieldType, KindId, Language, Model, Target};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The dialect that editors of TOML understand.
const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// A schema for each sort of file.
#[derive(Debug, Clone, PartialEq)]
pub struct Schemas {
    /// For `game.toml`.
    pub game: Value,
    /// For the files in `components/`.
    pub components: Value,
    /// For the files in `overlays/`.
    pub overlay: Value,
}

/// The schemas of a game's files, or of any game's.
pub fn schemas(package: Option<&Package>) -> Schemas {
    let known = package.map_or_else(Known::default, Known::of);
    let whole = Writer { known: &known, is_whole: true };
    let part = Writer { known: &known, is_whole: false };
    Schemas { game: whole.game(), components: whole.components(), overlay: part.overlay() }
}

/// The names of a game; empty where any game is spoken of.
#[derive(Default)]
struct Known {
    model: Option<Model>,
    tree: Tree,
    kinds: IndexSet<Arc<str>>,
    zones: IndexSet<Arc<str>>,
    /// Params and options.
    amounts: IndexSet<Arc<str>>,
}

impl Known {
    fn of(package: &Package) -> Self {
        let tree = package.with_all_overlays();
        let names = |section: &str| tree.section(section).map(|(name, _)| name.clone()).collect::<Vec<_>>();
        Self {
            model: Some(package.outline()),
            kinds: tree.kind_names().into_iter().cloned().collect(),
            zones: names("zones").into_iter().chain([BOX.into()]).collect(),
            amounts: names("params").into_iter().chain(names("options")).collect(),
            tree,
        }
    }

    fn names(&self, section: &str) -> Vec<Arc<str>> {
        self.tree.section(section).map(|(name, _)| name.clone()).collect()
    }

    fn all(&self, names: Names) -> Vec<Arc<str>> {
        match names {
            Names::Kinds => self.kinds.iter().cloned().collect(),
            Names::Zones => self.zones.iter().cloned().collect(),
            Names::Contents => self.kinds.iter().cloned().chain(self.components(None)).collect(),
            Names::Section(section) => self.names(section),
        }
    }

    fn components(&self, kind: Option<&str>) -> Vec<Arc<str>> {
        let rows = self.tree.rows.iter().filter(|row| kind.is_none_or(|kind| *row.kind == *kind));
        rows.filter_map(|row| row.id().cloned()).collect()
    }
}

impl Known {
    /// What is printed on the components of a kind, whatever is chosen.
    fn fields(&self, kind: &str) -> IndexMap<Arc<str>, FieldType> {
        let mut fields = IndexMap::new();
        for model in
            self.model.iter().flat_map(|model| std::iter::once(model).chain(model.elsewhere.iter().map(|one| &**one)))
        {
            let Some(found) = model.find_kind(kind) else { continue };
            for (field, of) in &model.kinds[found.index()].fields {
                fields.entry(model.fields[field.index()].clone()).or_insert_with(|| of.clone());
            }
        }
        fields
    }

    /// Whether every row of a kind has a field, and the kind declares nothing for rows that leave it out.
    fn must_stand(&self, kind: &str, field: &str) -> bool {
        let has = |table: Option<&Table>, key: &str| table.is_some_and(|table| table.contains_key(key));
        let declared = self.tree.section("kinds").find(|(name, _)| ***name == *kind);
        let declared = declared.and_then(|(_, entry)| entry.node.table()?.get("fields")?.node.table()?.get(field));
        let has_default = declared.is_some_and(|entry| has(entry.node.table(), "default"));
        let mut rows = self.tree.rows.iter().filter(|row| *row.kind == *kind);
        !has_default && rows.all(|row| has(row.node.table(), field))
    }

    /// The name of a kind of the model for nothing chosen; overlays only add kinds behind those.
    fn kind_name(&self, kind: KindId) -> Option<&str> {
        self.kinds.get_index(kind.index()).map(|name| &**name)
    }
}

/// Writes schemas.
struct Writer<'k> {
    known: &'k Known,
    /// Whether tables are written whole; an overlay writes what it changes of them.
    is_whole: bool,
}

impl Writer<'_> {
    // ----- the files

    fn game(&self) -> Value {
        self.document("game.toml of a game", self.table(&GAME))
    }

    fn components(&self) -> Value {
        self.document("a component file of a game", self.with_rows(self.table(&COMPONENTS)))
    }

    fn overlay(&self) -> Value {
        self.document("an overlay of a game", self.with_rows(self.table(&OVERLAY)))
    }

    fn document(&self, title: &str, mut schema: Value) -> Value {
        let title = match &self.known.model {
            Some(model) => format!("{title}: {}", model.id),
            None => title.to_owned(),
        };
        let mut document = json!({ "$schema": DIALECT, "title": title });
        let definitions = json!({
            "text": text(),
            "amount": self.amount(),
            "kind": word(&self.known.kinds),
            "zone": word(&self.known.zones),
            "steps": any_of(vec![reference("step"), list(reference("step"))]),
            "step": self.step(),
            "field_type": self.field_type(),
            "row": self.table(&ROW),
        });
        let (document, schema) = (as_map(&mut document), as_map(&mut schema));
        document.append(schema);
        document.insert("definitions".to_owned(), definitions);
        Value::Object(std::mem::take(document))
    }

    /// Rows of components beside the sections: those of the game's kinds have its fields.
    fn with_rows(&self, mut schema: Value) -> Value {
        for kind in &self.known.kinds {
            schema["properties"][&**kind] = described(list(self.row(kind)), &self.about_kind(kind));
        }
        schema["additionalProperties"] = list(reference("row"));
        schema
    }

    // ----- forms

    fn form(&self, form: &Form) -> Value {
        match form {
            Form::Anything => json!({}),
            Form::Text => reference("text"),
            Form::Word => string(),
            Form::Matching(pattern) => json!({ "type": "string", "pattern": pattern }),
            Form::OneOf(words) => word(words()),
            Form::Name(Names::Kinds) => reference("kind"),
            Form::Name(Names::Zones) => reference("zone"),
            Form::Name(names) => word(self.known.all(*names)),
            Form::WordOrName(words, names) => {
                self.word_or(words, names.iter().flat_map(|names| self.known.all(*names)))
            }
            Form::Integer => integer(),
            Form::Between(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
            Form::Number => json!({ "type": "number" }),
            Form::Flag => flag(),
            Form::Amount => reference("amount"),
            Form::Steps => reference("steps"),
            Form::FieldType => reference("field_type"),
            Form::List(of) => list(self.form(of)),
            Form::Some(of) => some(self.form(of)),
            Form::Pair(of) => json!({ "type": "array", "items": self.form(of), "minItems": 2, "maxItems": 2 }),
            Form::AnyOf(forms) => any_of(forms.iter().map(|form| self.form(form)).collect()),
            Form::ByPlayers(of) => by_players(self.form(of), []),
            Form::ByPlayersBeside(of, keys) => {
                let beside = keys.iter().map(|key| (key.name, described(self.form(&key.form), key.about)));
                by_players(self.form(of), beside)
            }
            Form::Table(spec) => self.table(spec),
            Form::Named(of) => named(self.form(of)),
            Form::NamedForScripts(of) => named_for_scripts(self.form(of)),
            Form::Values(of) => self.values(self.form(of)),
            Form::Targets(of) => Self::targets(&self.form(of)),
        }
    }

    /// A table with its keys and `provenance`.
    fn table(&self, spec: &TableSpec) -> Value {
        let key = |key: &super::form::Key| (key.name.to_owned(), described(self.form(&key.form), key.about));
        let mut properties: Map<String, Value> = spec.keys.iter().map(key).collect();
        properties.insert("provenance".to_owned(), provenance());
        let mut schema = json!({ "type": "object", "properties": properties });
        match spec.others {
            None => schema["additionalProperties"] = json!(false),
            Some(Form::Anything) => {}
            Some(others) => schema["additionalProperties"] = self.form(others),
        }
        match spec.needs {
            Needs::Always(keys) if !keys.is_empty() => schema["required"] = json!(keys),
            Needs::Whole(keys) if self.is_whole => schema["required"] = json!(keys),
            _ => {}
        }
        schema
    }

    /// A word of the loader's or a name of the game; any word where the names are not known.
    fn word_or(&self, words: &[&str], names: impl IntoIterator<Item = Arc<str>>) -> Value {
        match self.known.model {
            None => string(),
            Some(_) => word(words.iter().map(|word| Arc::from(*word)).chain(names)),
        }
    }

    fn amount(&self) -> Value {
        by_players(any_of(vec![integer(), word(&self.known.amounts)]), [])
    }

    fn field_type(&self) -> Value {
        let record = json!({ "type": "object", "additionalProperties": reference("field_type") });
        let entries = json!({ "type": "array", "items": reference("field_type"), "minItems": 1, "maxItems": 1 });
        any_of(vec![self.word_or(&FIELD_TYPES, self.known.kinds.iter().cloned()), entries, record])
    }

    fn step(&self) -> Value {
        let mut step = self.table(&STEP);
        step["oneOf"] = step_kinds().map(|key| json!({ "required": [key] })).collect();
        any_of(vec![described(string(), "a function of the rules"), step])
    }

    fn values(&self, values: Value) -> Value {
        let kinds = self.known.kinds.iter().map(|kind| (&**kind, "what each component of the kind has"));
        let of = |(owner, about): (&str, &str)| (owner.to_owned(), described(values.clone(), about));
        let mut properties: Map<String, Value> = OWNERS.into_iter().chain(kinds).map(of).collect();
        properties.insert("provenance".to_owned(), string());
        let others = if self.known.model.is_some() { json!(false) } else { values };
        json!({ "type": "object", "properties": properties, "additionalProperties": others })
    }

    fn targets(target: &Value) -> Value {
        let of = |(figure, about): (&'static str, &str), of: Value| (figure.to_owned(), described(of, about));
        let figures = Target::FIGURES.into_iter().map(|figure| of((figure, FIGURE), target.clone()));
        let groups = TARGET_GROUPS.into_iter().map(|group| of(group, named(target.clone())));
        let mut properties: Map<String, Value> = figures.chain(groups).collect();
        properties.insert("provenance".to_owned(), string());
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    }

    // ----- rows of components

    /// A row of a kind, with its fields.
    fn row(&self, kind: &str) -> Value {
        let mut row = self.table(&ROW);
        let fields = self.known.fields(kind);
        for (name, of) in &fields {
            row["properties"][&**name] = described(by_players(self.field(of), []), &about_field(name, of));
            if self.is_whole && self.known.must_stand(kind, name) {
                row["required"].as_array_mut().expect("a row must have an id").push(json!(&**name));
            }
        }
        row["additionalProperties"] = json!(false);
        // What stands for many rows has fields in `each`, and room in its texts for them.
        let many = json!({ "required": ["each"], "properties": { "each": { "type": "object" } } });
        let each = json!({ "properties": { "each": row["properties"]["each"] } });
        json!({ "type": "object", "if": many, "then": each, "else": row })
    }

    /// A sentence about the rows of a kind.
    fn about_kind(&self, kind: &str) -> String {
        let name = |model: &Model| {
            let kind = &model.kinds[model.find_kind(kind)?.index()];
            Some(kind.name.get(Language::English).to_owned()).filter(|name| *name != *kind.id)
        };
        let called = self.known.model.as_ref().and_then(name).map_or_else(String::new, |name| format!(", \"{name}\""));
        format!("the components of the kind `{kind}`{called}: a row for each, with how many there are")
    }

    fn field(&self, of: &FieldType) -> Value {
        match of {
            FieldType::Number => integer(),
            FieldType::Flag => flag(),
            FieldType::Word | FieldType::Function => string(),
            FieldType::Component(kind) => word(self.known.components(kind.and_then(|kind| self.known.kind_name(kind)))),
            FieldType::List(of) => list(self.field(of)),
            FieldType::Record(parts) => {
                let properties: Map<String, Value> =
                    parts.iter().map(|(name, of)| (name.to_string(), self.field(of))).collect();
                json!({ "type": "object", "properties": properties, "additionalProperties": false })
            }
            FieldType::Unknown => json!({}),
        }
    }
}

/// A sentence about a field of a kind.
fn about_field(name: &str, of: &FieldType) -> String {
    let what = match of {
        FieldType::Number => "a number",
        FieldType::Flag => "yes or no",
        FieldType::Word => "a word",
        FieldType::Component(_) => "another component, by its id",
        FieldType::Function => "a function of the rules, by its name",
        FieldType::List(_) => "a list",
        FieldType::Record(_) => "several named parts",
        FieldType::Unknown => "anything",
    };
    match of {
        FieldType::Function => format!("{what}: rules call it as `piece.{name}(…)`"),
        _ => format!("printed on it, {what}: rules read it as `piece.{name}`"),
    }
}

fn as_map(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("it was written as a table")
}

//! Generates a JSON Schema of a game's TOML files, for editors and tools that do not know Parlour.

use crate::diagnostic::Role;
use crate::loader::document::node::PROVENANCE;
use crate::loader::keys::form::{Form, KeySpec, Needs, TableSpec};
use crate::loader::keys::sections::sections_of;
use crate::loader::section::flow::STEP;
use crate::loader::section::target::{FIGURE, GROUPS};
use crate::loader::section::value::OWNERS;
use crate::model::{Figure, Language};
use serde_json::{Map, Value, json};

/// The JSON Schema draft that TOML editors support.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Regular expression for keys that are a number of players.
const COUNT: &str = "^[0-9]{1,3}$";

/// Returns the JSON Schema (draft 7) for the TOML files that have the role `role`. Returns `None` if files with this role are not TOML.
///
/// The schema accepts every file that the reader accepts. The reader rejects more files, because the schema does not know the names that a
/// game declares.
pub fn schema(role: Role) -> Option<Value> {
    let spec = sections_of(role)?;
    let mut schema = Schema { is_overlay: role == Role::Overlay, known: Vec::new(), definitions: Map::new() };
    schema.define("text", text());
    schema.define("amount", amount());
    schema.define("type", field_type());
    schema.define("steps", steps());
    // Reserves the name before the table is visited, because steps can contain steps.
    schema.define("step", json!({}));
    let step = schema.table(&STEP);
    schema.define("step", step);
    let mut root = json!({ "$schema": DRAFT, "title": format!("{} of a game for Parlour", spec.one) });
    if let (Some(root), Value::Object(table)) = (root.as_object_mut(), schema.table(spec)) {
        root.extend(table);
        root.insert("definitions".to_owned(), Value::Object(schema.definitions));
    }
    Some(root)
}

struct Schema {
    /// Whether the schema is for overlays, whose tables may omit keys that are required in the base game.
    is_overlay: bool,
    /// Tables that already have a definition, each with the name of the definition.
    known: Vec<(&'static TableSpec, String)>,
    definitions: Map<String, Value>,
}

impl Schema {
    fn define(&mut self, name: &str, schema: Value) {
        self.definitions.insert(name.to_owned(), schema);
    }

    /// Returns a reference to the definition of a table. Adds the definition at the first use.
    fn define_once(&mut self, spec: &'static TableSpec) -> Value {
        if let Some((_, name)) = self.known.iter().find(|(known, _)| std::ptr::eq(*known, spec)) {
            return reference(name);
        }
        let word = defined_name(spec.one);
        let is_taken = |name: &str| self.definitions.contains_key(name);
        let numbered = (2..).map(|number| format!("{word}-{number}"));
        let name = std::iter::once(word.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(word);
        // Reserves the name before the table is visited, because tables can be recursive.
        self.define(&name, json!({}));
        self.known.push((spec, name.clone()));
        let schema = self.table(spec);
        self.define(&name, schema);
        reference(&name)
    }

    fn table(&mut self, spec: &'static TableSpec) -> Value {
        let needed = match spec.needs {
            Needs::Always(needed) => needed,
            Needs::InBaseGame(needed) if !self.is_overlay => needed,
            Needs::InBaseGame(_) => &[],
        };
        let others = spec.others.map(|form| self.form(form));
        let mut schema = table_schema(self.properties(spec.keys), others);
        if !needed.is_empty() {
            schema["required"] = json!(needed.iter().map(|key| key.name).collect::<Vec<_>>());
        }
        schema
    }

    /// Returns the schemas for the values of `keys`. Each schema has the key's description.
    fn properties(&mut self, keys: &'static [KeySpec]) -> Map<String, Value> {
        let property = |key: &'static KeySpec| (key.name.to_owned(), with_description(key.about, self.form(&key.form)));
        keys.iter().map(property).collect()
    }

    fn form(&mut self, form: &'static Form) -> Value {
        match form {
            Form::Anything => json!({}),
            Form::Text => reference("text"),
            Form::Word | Form::Function | Form::Name(_) | Form::WordOrName(..) => json!({ "type": "string" }),
            Form::OneOf(list) => json!({ "enum": list.words() }),
            Form::Integer => json!({ "type": "integer" }),
            Form::Between(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
            Form::Number => json!({ "type": "number" }),
            Form::Flag => json!({ "type": "boolean" }),
            Form::Amount => reference("amount"),
            Form::Steps => reference("steps"),
            Form::FieldType => reference("type"),
            Form::List(inner) => json!({ "type": "array", "items": self.form(inner) }),
            Form::Some(inner) => json!({ "type": "array", "items": self.form(inner), "minItems": 1 }),
            Form::Pair(inner) => json!({ "type": "array", "items": self.form(inner), "minItems": 2, "maxItems": 2 }),
            Form::AnyOf(forms) => json!({ "anyOf": forms.iter().map(|form| self.form(form)).collect::<Vec<_>>() }),
            Form::ByPlayers(inner) => self.by_players(inner, &[]),
            Form::ByPlayersBeside(inner, keys) => self.by_players(inner, keys),
            Form::Table(spec) => self.define_once(spec),
            Form::Named(inner) => table_schema(Map::new(), Some(self.form(inner))),
            Form::NamedForScripts(inner) => {
                let mut named = table_schema(Map::new(), Some(self.form(inner)));
                named["propertyNames"] = json!({ "pattern": "^[a-z][a-z0-9_]*$" });
                named
            }
            Form::Values(inner) => {
                let inner = self.form(inner);
                let owned = OWNERS.map(|(owner, about)| (owner.to_owned(), with_description(about, inner.clone())));
                table_schema(owned.into_iter().collect(), Some(inner))
            }
            Form::Targets(inner) => {
                let inner = self.form(inner);
                let figures =
                    Figure::words().map(|figure| (figure.to_owned(), with_description(FIGURE, inner.clone())));
                let group = |(group, about): (&str, &str)| {
                    (group.to_owned(), with_description(about, table_schema(Map::new(), Some(inner.clone()))))
                };
                table_schema(figures.into_iter().chain(GROUPS.map(group)).collect(), None)
            }
        }
    }

    fn by_players(&mut self, inner: &'static Form, beside: &'static [KeySpec]) -> Value {
        let same = self.form(inner);
        let columns = by_players_schema(&same, self.properties(beside));
        json!({ "anyOf": [same, columns] })
    }
}

/// Returns the name of a definition: the noun phrase `one` without articles, joined by hyphens. For example, `an entry of alters` becomes
/// `entry-of-alters`.
fn defined_name(one: &str) -> String {
    let articles = ["a", "an", "the"];
    let words = one.split([' ', '`']).filter(|word| !word.is_empty() && !articles.contains(word));
    words.collect::<Vec<_>>().join("-")
}

/// Returns a reference to a definition.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Adds a description to a schema. A `$ref` is wrapped in `allOf`, because draft 7 ignores all siblings of `$ref`.
fn with_description(about: &str, schema: Value) -> Value {
    if schema.get("$ref").is_some() {
        return json!({ "description": about, "allOf": [schema] });
    }
    let mut described = json!({ "description": about });
    if let (Some(described), Value::Object(schema)) = (described.as_object_mut(), schema) {
        described.extend(schema);
    }
    described
}

/// Returns the schema of a table with the given properties. The values of other keys must match `others`; if `others` is `None`, other keys
/// are forbidden. Every table may have `provenance`.
fn table_schema(mut properties: Map<String, Value>, others: Option<Value>) -> Value {
    properties.entry(PROVENANCE).or_insert_with(|| json!({ "description": "where its numbers come from" }));
    json!({ "type": "object", "properties": properties, "additionalProperties": others.unwrap_or(json!(false)) })
}

/// Returns the schema of a table with a value for each number of players. `inner` is the schema of the values, and `beside` has the schemas
/// of the other allowed keys.
fn by_players_schema(inner: &Value, mut beside: Map<String, Value>) -> Value {
    beside.entry("about").or_insert_with(|| json!({ "type": "string" }));
    let mut columns = table_schema(beside, None);
    columns["patternProperties"] = json!({ COUNT: inner });
    columns
}

/// Returns the schema of a display text: a string, or a table with a string for each language.
fn text() -> Value {
    let said = Language::ALL.map(|language| (language.tag().to_owned(), json!({ "type": "string" })));
    json!({ "anyOf": [{ "type": "string" }, table_schema(said.into_iter().collect(), None)] })
}

/// Returns the schema of a number, the name of a param or of an option, or a table with one of these for each number of players.
fn amount() -> Value {
    let plain = json!({ "type": ["integer", "string"] });
    json!({ "anyOf": [plain.clone(), by_players_schema(&plain, Map::new())] })
}

/// Returns the schema of a field's type: a word, a list with the type of its entries, or a record with the type of each part.
fn field_type() -> Value {
    let same = reference("type");
    json!({ "anyOf": [
        { "type": "string" },
        { "type": "array", "items": same },
        { "type": "object", "additionalProperties": same },
    ] })
}

/// Returns the schema of steps: a function name, a step table, or a list of these.
fn steps() -> Value {
    let one = [json!({ "type": "string" }), reference("step")];
    json!({ "anyOf": [one[0], one[1], { "type": "array", "items": { "anyOf": one } }] })
}

//! What JSON Schemas are put together from: the ways in which things are written in a game's files.

#![expect(clippy::needless_pass_by_value, reason = "forms are put together from forms that nobody else has")]

use crate::loader::keys::reading::TableSpec;
use crate::model::Language;
use serde_json::{Map, Value, json};

/// A key of a table: its name, a sentence about it, and how it is written.
pub(in crate::loader) type Key = (&'static str, &'static str, Value);

/// A table whose keys are known: those of the sort, which is what the loader goes by, and `provenance`.
pub(in crate::loader) fn table(sort: &TableSpec, keys: Vec<Key>) -> Value {
    let mut schema = open_table(sort, keys);
    schema["additionalProperties"] = json!(false);
    schema
}

/// The same for a table that may have other keys too.
pub(in crate::loader) fn open_table(sort: &TableSpec, keys: Vec<Key>) -> Value {
    let mut properties = Map::new();
    for (name, about, form) in keys {
        assert!(sort.keys.contains(&name), "the loader knows no key `{name}` of {}", sort.many);
        properties.insert(name.to_owned(), described(form, about));
    }
    let missing: Vec<&&str> = sort.keys.iter().filter(|key| !properties.contains_key(**key)).collect();
    assert!(missing.is_empty(), "the schema of {} lacks {missing:?}", sort.many);
    properties.insert("provenance".to_owned(), provenance());
    json!({ "type": "object", "properties": properties })
}

/// The same form with a sentence about it.
pub(in crate::loader) fn described(form: Value, about: &str) -> Value {
    match form {
        Value::Object(mut form) if !form.contains_key("$ref") => {
            form.insert("description".to_owned(), about.into());
            Value::Object(form)
        }
        // What stands beside a reference is passed over.
        form => json!({ "description": about, "allOf": [form] }),
    }
}

/// The same table, in which some keys must stand.
pub(in crate::loader) fn needing(mut table: Value, keys: &[&str]) -> Value {
    table["required"] = json!(keys);
    table
}

/// A table of names that the author gives.
pub(in crate::loader) fn named(entry: Value) -> Value {
    json!({
        "type": "object",
        "properties": { "provenance": provenance() },
        "additionalProperties": entry,
    })
}

/// The same, with names as scripts write them.
pub(in crate::loader) fn named_for_scripts(entry: Value) -> Value {
    let mut schema = named(entry);
    schema["propertyNames"] = json!({ "pattern": "^[a-z][a-z0-9_]*$" });
    schema
}

fn provenance() -> Value {
    json!({ "type": "string", "description": "where this is from: `seed`, `public: …`, `reconstructed: …`" })
}

/// A sentence, a path, a name that is declared nowhere.
pub(in crate::loader) fn string() -> Value {
    json!({ "type": "string" })
}

/// Yes or no.
pub(in crate::loader) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// A whole number.
pub(in crate::loader) fn integer() -> Value {
    json!({ "type": "integer" })
}

/// Something that is written in one of several ways.
pub(in crate::loader) fn any_of(forms: Vec<Value>) -> Value {
    json!({ "anyOf": forms })
}

/// A list of things.
pub(in crate::loader) fn list(entry: Value) -> Value {
    json!({ "type": "array", "items": entry })
}

/// A list of at least one thing.
pub(in crate::loader) fn some(entry: Value) -> Value {
    json!({ "type": "array", "items": entry, "minItems": 1 })
}

/// One of some words; any word where none is known.
pub(in crate::loader) fn word<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Value {
    let words: Vec<Value> = words.into_iter().map(|word| Value::String(word.as_ref().to_owned())).collect();
    if words.is_empty() { string() } else { json!({ "type": "string", "enum": words }) }
}

/// One of the words of a list that the loader goes by.
pub(in crate::loader) fn word_of<T>(words: &[(&str, T)]) -> Value {
    word(words.iter().map(|(word, _)| *word))
}

/// Something that may be written by number of players too.
pub(in crate::loader) fn by_players(form: Value) -> Value {
    by_players_beside(form, &[])
}

/// The same where other keys stand beside the columns.
pub(in crate::loader) fn by_players_beside(form: Value, others: &[(&str, Value)]) -> Value {
    let mut properties = json!({ "provenance": provenance(), "about": { "type": "string" } });
    for (key, other) in others {
        properties[*key] = other.clone();
    }
    let columns = json!({
        "type": "object",
        "properties": properties,
        "patternProperties": { "^[0-9]{1,3}$": form.clone() },
        "additionalProperties": false,
    });
    any_of(vec![form, columns])
}

/// A text for people: one for all languages, or one for each.
pub(in crate::loader) fn text() -> Value {
    let mut properties = Map::new();
    properties.extend(Language::ALL.into_iter().map(|language| (language.tag().to_owned(), string())));
    properties.insert("provenance".to_owned(), provenance());
    any_of(vec![string(), json!({ "type": "object", "properties": properties, "additionalProperties": false })])
}

/// What is written in another part of the same schema.
pub(in crate::loader) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

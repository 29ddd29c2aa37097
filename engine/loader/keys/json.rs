//! What JSON Schemas are put together from.

#![expect(clippy::needless_pass_by_value, reason = "forms are put together from forms that nobody else has")]

use crate::model::Language;
use serde_json::{Map, Value, json};

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

pub(in crate::loader) fn provenance() -> Value {
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

/// Something that may be written by number of players too, with other keys beside the columns.
pub(in crate::loader) fn by_players(form: Value, others: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut properties = json!({ "provenance": provenance(), "about": { "type": "string" } });
    for (key, other) in others {
        properties[key] = other;
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

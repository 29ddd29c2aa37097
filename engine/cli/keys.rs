//! The keys of a game's TOML files, as the schemas for editors describe them.

use crate::loader::schemas;
use serde_json::{Map, Value};
use std::fmt::Write;

/// One key.
pub(super) struct Key {
    /// The table it stands in, as it is written: `zones.NAME`.
    pub(super) table: String,
    /// What it is called.
    pub(super) name: String,
    /// What it says.
    pub(super) about: String,
    /// What may stand behind it.
    pub(super) written: String,
}

/// Stands for whatever the author calls a thing.
const NAME: &str = "NAME";

/// Stands for several keys behind which the same may stand.
const ANY: &str = "*";

/// Keys that may stand in every table, and are told once.
const EVERYWHERE: [&str; 2] = ["provenance", "about"];

const HEAD: &str = "\
# Keys of TOML files

Every key of `game.toml`, of the files in `components/` and so of those in `overlays/`, by the table it stands in. `NAME` is what you
call the thing, `*` each of several keys. `parlour reference lasts` prints one of them, and `parlour schema` makes editors know them all.

A **text** is what people read: a string, or one for each language, `{ en = \"deck\", zh-Hant = \"牌庫\" }`. An **amount** is a number, the
name of a param or of an option that is a number, or one of these for each number of players, `{ 2 = 8, 3 = 6, 4 = 5 }`. In any table
`provenance` says where its figures are from, `seed`, `public: …` or `reconstructed: …`. The figures of `[targets]` are defined among the
[measures](measures.md).

";

/// All keys, in the order of the files.
pub(super) fn keys() -> Vec<Key> {
    let game = schemas(None).game;
    let mut walk = Walk { keys: Vec::new(), definitions: game["definitions"].clone() };
    walk.table(&game, "");
    let row = walk.definitions["row"].clone();
    walk.table(&row, "[KIND]");
    walk.keys
}

/// The page of the guide.
pub(super) fn markdown(keys: &[Key]) -> String {
    let mut page = HEAD.to_owned();
    let mut table = None;
    for key in keys {
        if table != Some(&key.table) {
            let head =
                if key.table.is_empty() { "Sections of `game.toml`".to_owned() } else { format!("`[{}]`", key.table) };
            let gap = if table.is_some() { "\n" } else { "" };
            writeln!(page, "{gap}## {head}\n\n| key | what it says | written as |\n| --- | --- | --- |")
                .expect("a text takes a line");
            table = Some(&key.table);
        }
        writeln!(page, "| `{}` | {} | {} |", key.name, key.about, key.written).expect("a text takes a line");
    }
    page
}

/// Keys on the way through a schema.
struct Walk {
    keys: Vec<Key>,
    definitions: Value,
}

impl Walk {
    /// The keys of a table, those of its own tables behind them.
    fn table(&mut self, schema: &Value, table: &str) {
        let mut inner: Vec<(String, Value)> = Vec::new();
        let mut others: Option<Value> = None;
        for form in self.forms(schema) {
            if let Some(more) = form.get("additionalProperties").filter(|more| more.is_object()) {
                others.get_or_insert_with(|| more.clone());
            }
            let Some(properties) = form.get("properties").and_then(Value::as_object) else { continue };
            for (name, key) in properties.iter().filter(|(name, _)| !EVERYWHERE.contains(&name.as_str())) {
                self.key(table, name, key);
                inner.push((name.clone(), key.clone()));
            }
        }
        inner.extend(others.map(|others| (NAME.to_owned(), others)));
        let own_keys: Vec<Option<Value>> = inner.iter().map(|(_, key)| self.own_keys(key)).collect();
        let is_alike = |at: usize| own_keys.iter().filter(|keys| keys.is_some() && **keys == own_keys[at]).count() > 1;
        for (at, (name, key)) in inner.iter().enumerate() {
            if is_alike(at) && own_keys[..at].contains(&own_keys[at]) {
                continue;
            }
            let name = if is_alike(at) { ANY } else { name };
            let above = table.trim_matches(['[', ']']);
            let below = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
            self.table(key, &below);
            for item in self.forms(key).iter().filter_map(|form| form.get("items")) {
                self.table(item, &format!("[{below}]"));
            }
        }
    }

    fn key(&mut self, table: &str, name: &str, key: &Value) {
        let is_known = self.keys.iter().any(|known| known.table == table && known.name == name);
        if is_known || self.forms(key).is_empty() {
            return;
        }
        let about = key.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut ways = Vec::new();
        add_ways(key, &mut ways);
        self.keys.push(Key { table: table.to_owned(), name: name.to_owned(), about, written: ways.join(", ") });
    }

    /// The keys of a table, and of whatever the author names in it; nothing where there are none.
    fn own_keys(&self, schema: &Value) -> Option<Value> {
        let is_own = |name: &String| !EVERYWHERE.contains(&name.as_str());
        self.forms(schema).into_iter().find_map(|mut form| {
            let more = form.remove("additionalProperties").filter(Value::is_object);
            let mut keys = form.remove("properties").and_then(|keys| keys.as_object().cloned()).unwrap_or_default();
            keys.retain(|name, _| is_own(name));
            (more.is_some() || !keys.is_empty())
                .then(|| Value::Array(vec![Value::Object(keys), more.unwrap_or_default()]))
        })
    }

    /// The forms that something may have, without those of texts and amounts.
    fn forms(&self, schema: &Value) -> Vec<Map<String, Value>> {
        let Some(form) = schema.as_object() else { return Vec::new() };
        let several = ["anyOf", "allOf"].into_iter().filter_map(|word| form.get(word)?.as_array()).flatten();
        let mut all: Vec<Map<String, Value>> = several.flat_map(|one| self.forms(one)).collect();
        if form.contains_key("type") || form.contains_key("enum") || form.contains_key("properties") {
            all.push(form.clone());
        } else if let Some(name) = referred(schema) {
            let is_plain = matches!(name, "text" | "amount" | "kind" | "zone" | "steps" | "step" | "field_type");
            let mut inner = if is_plain { vec![Map::new()] } else { self.forms(&self.definitions[name]) };
            inner.truncate(1);
            all.extend(inner);
        }
        all
    }
}

/// What may stand behind a key.
fn add_ways(schema: &Value, ways: &mut Vec<String>) {
    let mut add = |way: String| {
        if !ways.contains(&way) {
            ways.push(way);
        }
    };
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        words.iter().filter_map(Value::as_str).for_each(|word| add(format!("`{word}`")));
        return;
    }
    if let Some(name) = referred(schema) {
        add(match name {
            "kind" => "a kind".to_owned(),
            "zone" => "a zone".to_owned(),
            "steps" | "step" => "steps".to_owned(),
            "text" | "amount" => name.to_owned(),
            "field_type" => "a type".to_owned(),
            _ => "a table".to_owned(),
        });
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => add("a word".to_owned()),
        Some("integer" | "number") => add("a number".to_owned()),
        Some("boolean") => add("`true` or `false`".to_owned()),
        Some("array") => add("a list".to_owned()),
        Some("object") => add("a table".to_owned()),
        _ => {}
    }
    for one in ["anyOf", "allOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten() {
        add_ways(one, ways);
    }
}

/// The definition that a schema refers to.
fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/definitions/")
}

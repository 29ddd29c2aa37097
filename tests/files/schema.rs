//! The JSON Schema of a game's files says of each file what the reader says: nothing of what is well, and of mistakes no more.

use crate::folder::{files, game, games};
use crate::keys;
use parlour::diagnostic::{Role, Severity};
use parlour::loader::{Files, Package, schema};
use serde_json::{Map, Value as Json};
use std::path::Path;
use toml::{Table, Value};

/// What of a value a schema refuses, if anything: the key words that schemas of ours are made of, as draft 7 defines them. (Crates that
/// know all of them turn on random numbers in the hashing that the walker's runs go by.)
fn wrong(whole: &Json, schema: &Json, value: &Json) -> Option<String> {
    let empty = Map::new();
    let parts = |key: &str| schema.get(key).and_then(Json::as_object).unwrap_or(&empty);
    let count = |key: &str| schema[key].as_u64().unwrap() as usize;
    let so = |is_so: bool, why: &str| (!is_so).then(|| format!("{value} {why}"));
    let check = |key: &String, said: &Json| match (key.as_str(), value) {
        ("$ref", _) => {
            let name = said.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
            wrong(whole, &whole["definitions"][name], value)
        }
        ("allOf", _) => said.as_array().unwrap().iter().find_map(|one| wrong(whole, one, value)),
        ("anyOf", _) => {
            let mut all = said.as_array().unwrap().iter().map(|one| wrong(whole, one, value));
            so(all.any(|wrong| wrong.is_none()), "is written in no way that there is")
        }
        ("type", _) => {
            let is = |sort: &Json| match sort.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "number" => value.is_number(),
                "integer" => value.is_i64(),
                other => panic!("no type: {other}"),
            };
            so(said.as_array().map_or_else(|| is(said), |sorts| sorts.iter().any(is)), &format!("is no {said}"))
        }
        ("enum", _) => so(said.as_array().unwrap().contains(value), &format!("is none of {said}")),
        ("minimum", Json::Number(number)) => so(number.as_f64() >= said.as_f64(), "is too small"),
        ("maximum", Json::Number(number)) => so(number.as_f64() <= said.as_f64(), "is too large"),
        ("minItems", Json::Array(list)) => so(list.len() >= count(key), "is too short"),
        ("maxItems", Json::Array(list)) => so(list.len() <= count(key), "is too long"),
        ("items", Json::Array(list)) => list.iter().find_map(|one| wrong(whole, said, one)),
        ("required", Json::Object(table)) => {
            let missing = said.as_array().unwrap().iter().find(|key| !table.contains_key(key.as_str().unwrap()));
            missing.map(|key| format!("{value} has no {key}"))
        }
        ("properties", Json::Object(table)) => {
            table.iter().find_map(|(key, value)| wrong(whole, said.get(key)?, value))
        }
        ("patternProperties", Json::Object(table)) => {
            let columns = &said[COUNT];
            table.iter().filter(|(key, _)| is_count(key)).find_map(|(_, value)| wrong(whole, columns, value))
        }
        ("additionalProperties", Json::Object(table)) => {
            let is_known = |key: &String| {
                parts("properties").contains_key(key) || is_count(key) && schema.get("patternProperties").is_some()
            };
            let mut others = table.iter().filter(|(key, _)| !is_known(key));
            others.find_map(|(key, value)| match said {
                Json::Bool(may) => (!may).then(|| format!("there is no key {key}")),
                said => wrong(whole, said, value),
            })
        }
        ("propertyNames", Json::Object(table)) => {
            assert_eq!(said["pattern"], NAME);
            let unlike = table.keys().find(|key| {
                !key.starts_with(|first: char| first.is_ascii_lowercase())
                    || key.contains(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '_'))
            });
            unlike.map(|key| format!("{key} is no name"))
        }
        (key, _) => {
            assert!(SAY_NOTHING.contains(&key) || OF_ONE_SORT.contains(&key), "no key word: {key}");
            None
        }
    };
    schema.as_object().unwrap().iter().find_map(|(key, said)| check(key, said))
}

/// Key words that refuse nothing.
const SAY_NOTHING: [&str; 4] = ["$schema", "title", "description", "definitions"];

/// Key words that refuse nothing of values of other sorts.
const OF_ONE_SORT: [&str; 10] = [
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "items",
    "required",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
];

/// The patterns in our schemas.
const COUNT: &str = "^[0-9]{1,3}$";
const NAME: &str = "^[a-z][a-z0-9_]*$";

fn is_count(key: &str) -> bool {
    (1..=3).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a schema refuses of a file.
fn wrong_in(schema: &Json, table: &Table) -> Option<String> {
    wrong(schema, schema, &serde_json::to_value(table).unwrap())
}

fn role(path: &Path) -> Option<Role> {
    let role = [Role::Components, Role::Overlay]
        .into_iter()
        .find(|role| path.parent().is_some_and(|folder| folder.ends_with(role.folder())));
    let is_game = path.ends_with("game.toml");
    role.or(is_game.then_some(Role::Game)).filter(|_| path.extension().is_some_and(|ending| ending == "toml"))
}

#[test]
fn every_file_of_every_game_fits_its_schema() {
    let held = [Role::Game, Role::Components, Role::Overlay].map(|role| (role, schema(role).unwrap()));
    let mut seen = [0; 3];
    for path in games().into_iter().flat_map(files) {
        let Some(role) = role(&path) else { continue };
        let at = held.iter().position(|(known, _)| *known == role).unwrap();
        let table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let wrong = wrong_in(&held[at].1, &table);
        assert!(wrong.is_none(), "{}: {}", path.display(), wrong.unwrap_or_default());
        seen[at] += 1;
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

/// All tables that differ from one in one thing: a key is misspelt, or something of another sort stands behind it.
fn slips(table: &Table) -> Vec<(String, Table)> {
    let others: Table =
        "a = true\nb = 1.5\nc = \"word\"\nd = []\ne = -7\nf = {}\ng = [true]\nh = { word = 3 }\n".parse().unwrap();
    let mut found = Vec::new();
    for (key, value) in table {
        let mut misspelt = table.clone();
        misspelt.remove(key);
        misspelt.insert(format!("{key}x"), value.clone());
        found.push((format!("{key}x"), misspelt));
        let with = |value: Value| {
            let mut table = table.clone();
            table.insert(key.clone(), value);
            table
        };
        found.extend(others.values().map(|other| (format!("{key} = {other}"), with(other.clone()))));
        found.extend(within(value).into_iter().map(|(slip, value)| (format!("{key}.{slip}"), with(value))));
    }
    found
}

fn within(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Table(table) => slips(table).into_iter().map(|(slip, table)| (slip, Value::Table(table))).collect(),
        // Of a list one entry stands for the others.
        Value::Array(list) => list
            .iter()
            .take(1)
            .flat_map(within)
            .map(|(slip, first)| {
                let list = std::iter::once(first).chain(list.iter().skip(1).cloned()).collect();
                (slip, Value::Array(list))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the reader finds something wrong with a game.
fn is_refused(texts: Vec<(String, String)>) -> bool {
    match Package::parse(Files::from_texts("slips", texts).unwrap()) {
        Err(_) => true,
        Ok(package) => package.check().0.iter().any(|found| found.severity == Severity::Error),
    }
}

#[test]
fn what_the_schema_refuses_the_reader_refuses() {
    let held = schema(Role::Game).unwrap();
    let sample = |name: &str| game(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games").join(name));
    let (mut both, mut reader, mut taken) = (0, 0, Vec::new());
    for texts in [keys::texts(), sample("peddlers"), sample("crosswinds")] {
        let at = texts.iter().position(|(path, _)| path == "game.toml").unwrap();
        let table: Table = texts[at].1.parse().unwrap();
        assert!(!is_refused(texts.clone()), "nothing is wrong with it yet");
        for (slip, table) in slips(&table) {
            let mut texts = texts.clone();
            texts[at].1 = toml::to_string(&table).unwrap();
            let (wrong, is_refused) = (wrong_in(&held, &table), is_refused(texts));
            if let Some(wrong) = wrong.as_ref().filter(|_| !is_refused) {
                taken.push(format!("{slip}: {wrong}"));
            }
            both += u32::from(wrong.is_some());
            reader += u32::from(is_refused);
        }
    }
    assert!(taken.is_empty(), "the reader takes what the schema refuses: {taken:#?}");
    assert!(reader > 2_000, "slips were made: {reader}");
    // The rest are names that nothing has, and keys that must not stand together.
    assert!(both * 100 > reader * 70, "of {reader} slips that the reader refuses the schema refuses {both}");
}

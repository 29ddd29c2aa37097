//! Compares the JSON Schemas of game files with the loader. The schemas accept all valid files, and refuse only files that the loader
//! refuses.

use crate::folder::{files, game_texts, games};
use crate::keys;
use parlour::diagnostic::{Role, Severity};
use parlour::loader::{Files, Package, schema};
use serde_json::{Map, Value as Json};
use std::path::Path;
use toml::{Table, Value};

/// Validates a value and describes the first violation. `whole` is the root schema, which contains the definitions.
///
/// Implements the keywords of draft 7 that our schemas use. Crates for JSON Schema are not used, because they enable a feature of a shared
/// dependency that randomizes hashing, and the results of the tree walker would then vary.
fn violation(whole: &Json, schema: &Json, value: &Json) -> Option<String> {
    let empty = Map::new();
    let parts = |key: &str| schema.get(key).and_then(Json::as_object).unwrap_or(&empty);
    let count = |key: &str| schema[key].as_u64().unwrap() as usize;
    let require = |is_valid: bool, why: &str| (!is_valid).then(|| format!("{value} {why}"));
    let check = |key: &String, rule: &Json| match (key.as_str(), value) {
        ("$ref", _) => {
            let name = rule.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
            violation(whole, &whole["definitions"][name], value)
        }
        ("allOf", _) => rule.as_array().unwrap().iter().find_map(|one| violation(whole, one, value)),
        ("anyOf", _) => {
            let mut all = rule.as_array().unwrap().iter().map(|one| violation(whole, one, value));
            require(all.any(|wrong| wrong.is_none()), "is written in no way that there is")
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
            require(rule.as_array().map_or_else(|| is(rule), |sorts| sorts.iter().any(is)), &format!("is no {rule}"))
        }
        ("enum", _) => require(rule.as_array().unwrap().contains(value), &format!("is none of {rule}")),
        ("minimum", Json::Number(number)) => require(number.as_f64() >= rule.as_f64(), "is too small"),
        ("maximum", Json::Number(number)) => require(number.as_f64() <= rule.as_f64(), "is too large"),
        ("minItems", Json::Array(list)) => require(list.len() >= count(key), "is too short"),
        ("maxItems", Json::Array(list)) => require(list.len() <= count(key), "is too long"),
        ("items", Json::Array(list)) => list.iter().find_map(|one| violation(whole, rule, one)),
        ("required", Json::Object(table)) => {
            let missing = rule.as_array().unwrap().iter().find(|key| !table.contains_key(key.as_str().unwrap()));
            missing.map(|key| format!("{value} has no {key}"))
        }
        ("properties", Json::Object(table)) => {
            table.iter().find_map(|(key, value)| violation(whole, rule.get(key)?, value))
        }
        ("patternProperties", Json::Object(table)) => {
            let columns = &rule[COUNT];
            table.iter().filter(|(key, _)| is_count(key)).find_map(|(_, value)| violation(whole, columns, value))
        }
        ("additionalProperties", Json::Object(table)) => {
            let is_known = |key: &String| {
                parts("properties").contains_key(key) || is_count(key) && schema.get("patternProperties").is_some()
            };
            let mut others = table.iter().filter(|(key, _)| !is_known(key));
            others.find_map(|(key, value)| match rule {
                Json::Bool(may) => (!may).then(|| format!("there is no key {key}")),
                rule => violation(whole, rule, value),
            })
        }
        ("propertyNames", Json::Object(table)) => {
            assert_eq!(rule["pattern"], NAME);
            let unlike = table.keys().find(|key| {
                !key.starts_with(|first: char| first.is_ascii_lowercase())
                    || key.contains(|c: char| !matches!(c, 'a'..='z' | '0'..='9' | '_'))
            });
            unlike.map(|key| format!("{key} is no name"))
        }
        (key, _) => {
            let is_known = IGNORED_KEYWORDS.contains(&key) || TYPE_SPECIFIC_KEYWORDS.contains(&key);
            assert!(is_known, "unsupported keyword: {key}");
            None
        }
    };
    schema.as_object().unwrap().iter().find_map(|(key, rule)| check(key, rule))
}

/// Keywords that only describe values and do not restrict them.
const IGNORED_KEYWORDS: [&str; 4] = ["$schema", "title", "description", "definitions"];

/// Keywords that restrict values of one type and ignore other values.
const TYPE_SPECIFIC_KEYWORDS: [&str; 10] = [
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

/// Pattern for numbers of players in the schemas.
const COUNT: &str = "^[0-9]{1,3}$";
const NAME: &str = "^[a-z][a-z0-9_]*$";

fn is_count(key: &str) -> bool {
    (1..=3).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Describes the first violation of a schema in a file.
fn file_violation(schema: &Json, table: &Table) -> Option<String> {
    violation(schema, schema, &serde_json::to_value(table).unwrap())
}

/// Returns the role of a TOML file that has a schema.
fn role(path: &Path) -> Option<Role> {
    let role = [Role::Components, Role::Overlay]
        .into_iter()
        .find(|role| path.parent().is_some_and(|folder| folder.ends_with(role.folder())));
    let is_game = path.ends_with("game.toml");
    role.or(is_game.then_some(Role::Game)).filter(|_| path.extension().is_some_and(|ending| ending == "toml"))
}

#[test]
fn files_of_all_games_match_their_schema() {
    let schemas = [Role::Game, Role::Components, Role::Overlay].map(|role| (role, schema(role).unwrap()));
    let mut seen = [0; 3];
    for path in games().into_iter().flat_map(files) {
        let Some(role) = role(&path) else { continue };
        let at = schemas.iter().position(|(known, _)| *known == role).unwrap();
        let table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let wrong = file_violation(&schemas[at].1, &table);
        assert!(wrong.is_none(), "{}: {}", path.display(), wrong.unwrap_or_default());
        seen[at] += 1;
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

/// Returns all variations of a table that differ in one key, which is misspelled or has a value of another type. Each variation has a
/// description.
fn variations(table: &Table) -> Vec<(String, Table)> {
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
        found.extend(
            variations_inside(value).into_iter().map(|(variation, value)| (format!("{key}.{variation}"), with(value))),
        );
    }
    found
}

fn variations_inside(value: &Value) -> Vec<(String, Value)> {
    match value {
        Value::Table(table) => {
            variations(table).into_iter().map(|(variation, table)| (variation, Value::Table(table))).collect()
        }
        // The entries of a list are alike, so only the first one is varied.
        Value::Array(list) => list
            .iter()
            .take(1)
            .flat_map(variations_inside)
            .map(|(variation, first)| {
                let list = std::iter::once(first).chain(list.iter().skip(1).cloned()).collect();
                (variation, Value::Array(list))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns whether the loader reports an error.
fn is_refused(texts: Vec<(String, String)>) -> bool {
    match Package::parse(Files::from_texts("slips", texts).unwrap()) {
        Err(_) => true,
        Ok(package) => package.check().0.iter().any(|found| found.severity == Severity::Error),
    }
}

#[test]
fn the_loader_refuses_what_the_schema_refuses() {
    let game_schema = schema(Role::Game).unwrap();
    let sample = |name: &str| game_texts(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/games").join(name));
    let (mut by_schema, mut by_loader, mut accepted) = (0, 0, Vec::new());
    for texts in [keys::texts(), sample("peddlers"), sample("crosswinds")] {
        let at = texts.iter().position(|(path, _)| path == "game.toml").unwrap();
        let table: Table = texts[at].1.parse().unwrap();
        assert!(!is_refused(texts.clone()), "the unchanged game is valid");
        for (variation, table) in variations(&table) {
            let mut texts = texts.clone();
            texts[at].1 = toml::to_string(&table).unwrap();
            let (wrong, is_refused) = (file_violation(&game_schema, &table), is_refused(texts));
            if let Some(wrong) = wrong.as_ref().filter(|_| !is_refused) {
                accepted.push(format!("{variation}: {wrong}"));
            }
            by_schema += u32::from(wrong.is_some());
            by_loader += u32::from(is_refused);
        }
    }
    assert!(accepted.is_empty(), "the loader accepts what the schema refuses: {accepted:#?}");
    assert!(by_loader > 2_000, "the loader refused only {by_loader} tables");
    // A schema cannot detect unknown names, or keys that exclude each other.
    assert!(by_schema * 100 > by_loader * 70, "the loader refuses {by_loader} tables, the schema {by_schema} of them");
}

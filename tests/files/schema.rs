//! The JSON Schemas of a game's files: they take what the loader takes, and find what people mistype.

use crate::folder::games;
use jsonschema::Validator;
use parlour::loader::{Files, Package, Schemas, schemas};
use serde_json::Value;
use std::path::Path;

fn schemas_of(folder: &Path) -> Schemas {
    schemas(Some(&Package::parse(Files::read(folder).unwrap()).unwrap()))
}

fn any_game() -> Schemas {
    schemas(None)
}

/// The schema for a file, by where it lies.
fn schema_for<'s>(schemas: &'s Schemas, path: &str) -> &'s Value {
    match path.split_once('/') {
        None => &schemas.game,
        Some(("components", _)) => &schemas.components,
        Some(_) => &schemas.overlay,
    }
}

fn toml(text: &str) -> Value {
    let table: toml::Table = text.parse().unwrap();
    serde_json::to_value(table).unwrap()
}

fn mistakes(schema: &Value, text: &str) -> Vec<String> {
    let validator: Validator = jsonschema::draft7::new(schema).unwrap();
    let text = toml(text);
    validator.iter_errors(&text).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn the_files_of_every_game_are_well_by_their_own_schema_and_by_that_of_any_game() {
    let mut files = 0;
    for folder in games() {
        let own = schemas_of(&folder);
        for source in Files::read(&folder).unwrap().sources.iter().filter(|source| !source.is_script()) {
            for schemas in [&own, &any_game()] {
                let found = mistakes(schema_for(schemas, &source.path), &source.text);
                assert!(found.is_empty(), "{}/{}:\n{}", folder.display(), source.path, found.join("\n"));
            }
            files += 1;
        }
    }
    assert!(files > 20, "the files were found");
}

#[test]
fn every_schema_is_one() {
    for schemas in games().iter().map(|folder| schemas_of(folder)).chain([any_game()]) {
        for schema in [&schemas.game, &schemas.components, &schemas.overlay] {
            jsonschema::draft7::meta::validate(schema).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// A change of a file: what stands there, what is written instead, and what is told of it.
const EDITS: [(&str, &str, &str, &str); 14] = [
    ("game.toml", "shape = \"pile\"", "shap = \"pile\"", "shap"),
    ("game.toml", "shape = \"pile\"", "shape = \"pyle\"", "pyle"),
    ("game.toml", "min = 2, max = 5", "min = 2, most = 5", "most"),
    ("game.toml", "accepts = [\"stock\", \"fee\", \"action\"]", "accepts = [\"stok\"]", "stok"),
    ("game.toml", "refill = \"discard\"", "refill = \"discards\"", "discards"),
    ("game.toml", "round = [\"information\"", "round = [\"infromation\"", "infromation"),
    ("game.toml", "{ each_seat = \"place_cards\" }", "{ each_saet = \"place_cards\" }", "each_saet"),
    ("game.toml", "type = \"price_track\"", "type = \"price_trakc\"", "price_trakc"),
    ("game.toml", "secret = true", "secret = \"yes\"", "yes"),
    ("game.toml", "[decisions.bid]", "[decisoins.bid]", "decisoins"),
    ("components/market.toml", "company = \"cosmic\"", "compny = \"cosmic\"", "compny"),
    ("components/market.toml", "company = \"cosmic\"", "company = \"cosmik\"", "cosmik"),
    ("components/market.toml", "count = 10", "count = true", "count"),
    ("overlays/investors.toml", "[params.start_cash]", "[parms.start_cash]", "parms"),
];

#[test]
fn what_people_mistype_is_found() {
    let folder = Path::new("games/stockpile");
    let schemas = schemas_of(folder);
    for (path, from, to, told) in EDITS {
        let Ok(text) = std::fs::read_to_string(folder.join(path)) else { panic!("no file {path}") };
        assert!(text.contains(from), "`{from}` stands in {path}");
        let found = mistakes(schema_for(&schemas, path), &text.replacen(from, to, 1));
        assert!(found.iter().any(|found| found.contains(told)), "{path}, {to}: {found:#?}");
    }
}

#[test]
fn the_schema_of_any_game_takes_any_names_but_only_known_keys() {
    let any = any_game();
    let game = "[game]\nid = \"x\"\nplayers = { min = 1, max = 2 }\n[flow]\nsetup = [\"begin\"]\n[zones.yard]\nshape = \"hand\"\naccepts = [\"cow\"]\n";
    assert_eq!(mistakes(&any.game, game), Vec::<String>::new());
    assert!(!mistakes(&any.game, &game.replace("accepts", "acepts")).is_empty());
    assert_eq!(mistakes(&any.components, "[[cow]]\nid = \"bella\"\nmilk = 3\n"), Vec::<String>::new());
    assert!(!mistakes(&any.components, "[[cow]]\nname = \"Bella\"\n").is_empty(), "a row has an id");
}

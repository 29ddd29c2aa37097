//! Tests that a game's own names take precedence. A game may define every name of the reference itself, except reserved names. It then
//! loads without a diagnostic, and the name refers to the game's definition.

use parlour::agents::FirstOption;
use parlour::diagnostic::Diagnostic;
use parlour::library::{Form, RESERVED_NAMES, RESERVED_PROPERTIES, reserved_properties};
use parlour::session::{Game, Player, Setup};
use parlour::syntax::keywords;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Maximum number of parameters of the functions that the tests declare. No library function has more.
const MAX_ARITY: usize = 6;

/// Game with one step for each seat and without rules.
const GAME: &str = r#"
[game]
format = 1
id = "own"
players = { min = 2, max = 2 }
[values.seat]
points_of_game = 0
[flow]
round = ["main"]
rounds = 1
[phases.main]
steps = [{ each_seat = "take_turn_of_game" }]
"#;

/// Returns the names of all functions, properties and global names in the reference that are valid identifiers.
fn names() -> BTreeSet<String> {
    let entries = parlour::script::Host::vocabulary();
    let named = entries.iter().filter(|entry| [Form::Function, Form::Property, Form::Name].contains(&entry.form));
    let is_word =
        |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase()) && keywords().all(|word| word != name);
    named.map(|entry| entry.name.clone()).filter(|name| is_word(name)).collect()
}

/// Loads a game, asserts that it has no diagnostics, and plays it. Returns the points of the first seat.
fn play(what: &str, game: &str, components: &str, rules: &str) -> i64 {
    let rules = format!("fn score(seat) {{ seat.points_of_game }}\n{rules}");
    let texts = [("game.toml", game), ("components/all.toml", components), ("rules/play.rhai", &rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
    let game = parlour::load_texts("own", texts).unwrap_or_else(|found| panic!("{what}: {found}"));
    assert_clean(what, &game);
    let players = (0..2).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    let outcome = game.play(&Setup::seats(2), players, false).unwrap().outcome;
    let outcome = outcome.unwrap_or_else(|found| panic!("{what}: {}", found.in_a_line()));
    outcome.standings[0].score
}

fn assert_clean(what: &str, game: &Game) {
    let (_, host) = game.host(&Setup::seats(2)).unwrap();
    let found: Vec<String> = host.warnings().iter().map(Diagnostic::in_a_line).collect();
    assert!(found.is_empty(), "{what}: {}", found.join("\n"));
}

#[test]
fn functions_hide_library_functions_of_the_same_arity() {
    let names = names();
    assert!(names.len() > 180, "{}", names.len());
    for arity in 0..=MAX_ARITY {
        let params = ["a", "b", "c", "d", "e", "f"][..arity].join(", ");
        let (mut rules, mut turn, mut expected) = (String::new(), String::new(), 0);
        for (number, name) in names.iter().enumerate() {
            let sum = params.replace(", ", " + ");
            let sum = if arity == 0 { String::new() } else { format!(" + {sum}") };
            writeln!(rules, "fn {name}({params}) {{ {number}{sum} }}").unwrap();
            let given = vec!["1"; arity].join(", ");
            writeln!(turn, "    sum_of_game += {name}({given});").unwrap();
            expected += number as i64 + arity as i64;
            if arity > 0 {
                let given = vec!["1"; arity - 1].join(", ");
                writeln!(turn, "    sum_of_game += one_of_game.{name}({given});").unwrap();
                writeln!(turn, "    sum_of_game += one_of_game?.{name}({given});").unwrap();
                expected += 2 * (number as i64 + arity as i64);
            }
        }
        let one = if arity == 0 { "" } else { "let one_of_game = 1;" };
        let turn = format!(
            "fn take_turn_of_game(it_of_game) {{\n    let sum_of_game = 0; {one}\n{turn}    it_of_game.points_of_game = sum_of_game;\n}}\n"
        );
        let points = play(&format!("functions of {arity} arguments"), GAME, "", &format!("{rules}{turn}"));
        assert_eq!(points, expected, "functions of {arity} arguments");
    }
}

#[test]
fn calls_with_another_arity_use_the_library_function() {
    let rules = "fn max(a, b, c) { 100 }\nfn take_turn_of_game(it_of_game) { it_of_game.points_of_game = max(1, 2, 3) + max(4, 5) + 7.max(8); }";
    assert_eq!(play("max", GAME, "", rules), 100 + 5 + 8);
}

#[test]
fn functions_of_the_library_do_not_call_functions_of_the_game() {
    // The library's `sum` reads the field itself and does not call the game's `fact`.
    let rules = "fn fact(a, b) { 100 }\nfn value(a) { 100 }\nfn min(a, b) { 100 }\n\
        fn take_turn_of_game(it_of_game) { it_of_game.points_of_game = components(\"card\").sum(\"worth\") + fact(1, 2) + value(1) + min(1, 2); }";
    let components = "[[card]]\nid = \"one\"\nworth = 3\n[[card]]\nid = \"two\"\nworth = 4\n";
    assert_eq!(play("facts", GAME, components, rules), 7 + 300);
}

#[test]
fn fields_have_any_name_that_is_not_reserved() {
    let reserved: BTreeSet<&str> =
        RESERVED_PROPERTIES.iter().take(2).flat_map(|(_, names)| names.iter().copied()).collect();
    let names: Vec<String> = names().into_iter().filter(|name| !reserved.contains(&**name)).collect();
    let mut components = "[[card]]\nid = \"one_of_game\"\n".to_owned();
    let (mut turn, mut expected) = (String::new(), 0);
    for (number, name) in names.iter().enumerate() {
        writeln!(components, "{name} = {number}").unwrap();
        writeln!(turn, "    sum_of_game += card_of_game.{name} + fact(card_of_game, \"{name}\");").unwrap();
        expected += 2 * number as i64;
    }
    let rules = format!(
        "fn take_turn_of_game(it_of_game) {{\n    let card_of_game = component(\"one_of_game\"); let sum_of_game = 0;\n{turn}    \
         it_of_game.points_of_game = sum_of_game;\n}}\n"
    );
    assert_eq!(play("fields", GAME, &components, &rules), expected);
}

#[test]
fn values_of_seats_have_any_name_that_is_not_reserved() {
    let reserved = reserved_properties(parlour::decision::Type::Seat);
    let names: Vec<String> = global_names().into_iter().filter(|name| !reserved.contains(&&**name)).collect();
    let (mut values, mut turn, mut expected) = (String::new(), String::new(), 0);
    for (number, name) in names.iter().enumerate() {
        writeln!(values, "{name} = 0").unwrap();
        writeln!(turn, "    it_of_game.{name} = {number}; sum_of_game += it_of_game.{name};").unwrap();
        expected += number as i64;
    }
    let game = GAME.replace("points_of_game = 0\n", &format!("points_of_game = 0\n{values}"));
    let rules = format!(
        "fn take_turn_of_game(it_of_game) {{\n    let sum_of_game = 0;\n{turn}    it_of_game.points_of_game = sum_of_game;\n}}\n"
    );
    assert_eq!(play("values", &game, "", &rules), expected);
}

/// Returns the names of the reference that are not reserved. Zones and params may have these names.
fn global_names() -> Vec<String> {
    names().into_iter().filter(|name| !RESERVED_NAMES.contains(&&**name)).collect()
}

#[test]
fn params_have_any_name_that_is_not_reserved() {
    let (mut params, mut turn, mut expected) = ("[params]\n".to_owned(), String::new(), 0);
    for (number, name) in global_names().iter().enumerate() {
        writeln!(params, "{name} = {number}").unwrap();
        writeln!(turn, "    sum_of_game += {name};").unwrap();
        expected += number as i64;
    }
    let rules = format!(
        "fn take_turn_of_game(it_of_game) {{\n    let sum_of_game = 0;\n{turn}    it_of_game.points_of_game = sum_of_game;\n}}\n"
    );
    assert_eq!(play("params", &format!("{GAME}{params}"), "", &rules), expected);
}

#[test]
fn zones_have_any_name_that_is_not_reserved() {
    let (mut zones, mut turn, mut expected) = (String::new(), String::new(), 0);
    for name in global_names() {
        writeln!(zones, "[zones.{name}]\nshape = \"hand\"\nstarts_with = [\"card\"]").unwrap();
        writeln!(turn, "    sum_of_game += {name}.count();").unwrap();
        expected += 2;
    }
    let rules = format!(
        "fn take_turn_of_game(it_of_game) {{\n    let sum_of_game = 0;\n{turn}    it_of_game.points_of_game = sum_of_game;\n}}\n"
    );
    let components = "[[card]]\nid = \"one_of_game\"\n[[card]]\nid = \"two_of_game\"\n";
    // Each card exists only once, so only the first zone starts with the cards.
    let zones = zones.replacen("starts_with", "begins_with", 1).replace("starts_with = [\"card\"]\n", "");
    let zones = zones.replace("begins_with", "starts_with");
    let points = play("zones", &format!("{GAME}{zones}"), components, &rules);
    assert!(points == 2 && expected > points, "the zones of the game are counted: {points}");
}

#[test]
fn variables_have_any_name() {
    let (mut rules, mut turn, mut expected) = (String::new(), String::new(), 0);
    for (number, name) in names().iter().enumerate() {
        writeln!(
            rules,
            "fn test_{number}_of_game({name}) {{ let twice_of_game = [1, 2].map(|{name}| {name} * 2); \
             for {name} in twice_of_game {{ return {name} + test_it_{number}_of_game(); }} {name} }}\n\
             fn test_it_{number}_of_game() {{ let {name} = {number}; {name} += 1; [1].map(|one_of_game| {name} + one_of_game)[0] }}"
        )
        .unwrap();
        writeln!(turn, "    sum_of_game += test_{number}_of_game(9);").unwrap();
        expected += 2 + number as i64 + 2;
    }
    let rules = format!(
        "{rules}fn take_turn_of_game(it_of_game) {{\n    let sum_of_game = 0;\n{turn}    it_of_game.points_of_game = sum_of_game;\n}}\n"
    );
    assert_eq!(play("variables", GAME, "", &rules), expected);
}

#[test]
fn variables_hide_functions_and_zones_of_the_game() {
    let game = format!("{GAME}[params]\nbonus = 7\n");
    let rules = "fn total(a) { a }\nfn hides(bonus) { [1].map(|one| bonus + one)[0] }\n\
        fn take_turn_of_game(it_of_game) { let total = 5; it_of_game.points_of_game = [1].map(|one| total + one)[0] + total(3) + hides(1) + reads(); }\n\
        fn reads() { bonus }\n";
    assert_eq!(play("hidden", &game, "", rules), 6 + 3 + 2 + 7);
}

#[test]
fn reserved_names_are_refused() {
    for (kind, names) in RESERVED_PROPERTIES.iter().take(2) {
        for name in names.iter().filter(|name| !["id", "count", "cells", "kind", "seats", "team"].contains(name)) {
            let texts = [
                ("game.toml", GAME.to_owned()),
                ("components/all.toml", format!("[[card]]\nid = \"one_of_game\"\n{name} = 1\n")),
                ("rules/play.rhai", "fn score(seat) { 1 }\nfn take_turn_of_game(it_of_game) {}".to_owned()),
            ];
            let texts = texts.map(|(path, text)| (path.to_owned(), text)).to_vec();
            let found = parlour::load_texts("own", texts).err().map(|found| found.to_string()).unwrap_or_default();
            assert!(found.contains("shared-name"), "{kind:?} {name}: {found}");
        }
    }
}

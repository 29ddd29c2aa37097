//! What the loader says about mistakes: every message with its place.

#![allow(
    clippy::unwrap_used,
    clippy::needless_raw_string_hashes,
    clippy::format_collect,
    reason = "tests are to be read"
)]

use parlour::diagnostic::Diagnostics;
use parlour::loader::{Choices, Files, Package};
use parlour::model::Model;

/// The end of every game's `game.toml`, which is about something else.
const REST: &str = r#"
[game]
id = "tiny"
name = "Tiny"
players = { min = 2, max = 4 }
[flow]
setup = ["set_up"]
"#;

fn package(game: &str, components: &str) -> Result<Package, Diagnostics> {
    let game = format!("{}{REST}", game.trim_start());
    let texts = [("game.toml", game), ("components/a.toml", components.trim_start().to_owned())];
    Package::parse(Files::from_texts("tiny", texts.map(|(path, text)| (path.to_owned(), text)))?)
}

/// Compares what is said about a game whose `game.toml` begins with a text.
fn check(game: &str, expected: &str) {
    check_components(game, "", expected);
}

/// The same with a file of components.
fn check_components(game: &str, components: &str, expected: &str) {
    let found = match package(game, components) {
        Err(found) => found.to_string(),
        Ok(package) => package.check().to_string(),
    };
    same(&found, expected);
}

fn same(found: &str, expected: &str) {
    let (found, expected) = (found.trim(), expected.trim());
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}\n");
}

#[test]
fn a_badly_written_name() {
    check(
        r#"
[params]
StartCash = 1
"#,
        r#"
error[bad-name]: `StartCash` cannot be the name of a param
 --> game.toml:2:1
  |
2 | StartCash = 1
  | ^^^^^^^^^ not small letters, digits and `_`
  = help: write `startcash`
"#,
    );
}

#[test]
fn a_component_twice() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
[[card]]
id = "a"
"#,
        r#"
error[duplicate-id]: the component `a` is declared twice
 --> components/a.toml:4:6
  |
2 | id = "a"
  |      --- the first time
3 | [[card]]
4 | id = "a"
  |      ^^^ the second time
"#,
    );
}

#[test]
fn a_count_out_of_range() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
count = 1001
"#,
        r#"
error[out-of-range]: `count` is 1001, and must lie between 0 and 1000
 --> components/a.toml:3:9
  |
3 | count = 1001
  |         ^^^^ 1001 here
"#,
    );
}

#[test]
fn a_declared_field_of_the_wrong_kind() {
    check_components(
        "",
        r#"
[kinds.card]
fields = { of = "stock", cost = "numbre" }
[[stock]]
id = "cosmic"
[[card]]
id = "a"
of = "a"
cost = 1
"#,
        r#"
error[unknown-type]: there is no type `numbre`
 --> components/a.toml:2:33
  |
2 | fields = { of = "stock", cost = "numbre" }
  |                                 ^^^^^^^^ not declared
  = help: did you mean `number`?
error[wrong-kind]: `a` is a `card`, and must be a `stock`
 --> components/a.toml:7:6
  |
7 | of = "a"
  |      ^^^ not a `stock`
"#,
    );
}

#[test]
fn a_field_and_a_value_of_one_name() {
    check_components(
        r#"
[values.card]
cost = 1
"#,
        r#"
[[card]]
id = "a"
cost = 1
"#,
        r#"
error[shared-name]: a value of components and a field share the name `cost` in scripts
 --> game.toml:2:1
  |
2 | cost = 1
  | ^^^^ a value of components
  |
 ::: components/a.toml:3:1
  |
3 | cost = 1
  | ^^^^ a field
  = help: give one of the two another name
"#,
    );
}

#[test]
fn a_field_in_one_row_alone() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
cuont = 1
[[card]]
id = "b"
[[card]]
id = "c"
"#,
        r#"
error[missing-field]: only one of the rows of `card` has `cuont`
 --> components/a.toml:3:1
  |
3 | cuont = 1
  | ^^^^^ the others lack it
  = help: did you mean `count`?
"#,
    );
}

#[test]
fn a_field_that_names_no_component() {
    check_components(
        "",
        r#"
[[stock]]
id = "cosmic"
[[stock]]
id = "epic"
[[card]]
id = "a"
of = "cosmic"
[[card]]
id = "b"
of = "epci"
"#,
        r#"
error[unknown-component]: there is no component `epci`
  --> components/a.toml:10:6
   |
10 | of = "epci"
   |      ^^^^^^ not declared
   = help: did you mean `epic`?
"#,
    );
}

#[test]
fn a_fraction() {
    check(
        r#"
[params]
cash = 1.5
day = 2024-01-01
"#,
        r#"
error[wrong-type]: there are whole numbers only
 --> game.toml:2:8
  |
2 | cash = 1.5
  |        ^^^ a number with a fraction
  = help: count in smaller units
error[wrong-type]: there are no dates in a game's files
 --> game.toml:3:7
  |
3 | day = 2024-01-01
  |       ^^^^^^^^^^ a date or a time
  = help: write it in quotes
"#,
    );
}

#[test]
fn a_function_that_cannot_be() {
    check(
        r#"
[phases.supply]
steps = ["fill lots"]
"#,
        r#"
error[bad-name]: `fill lots` cannot be the name of a function
 --> game.toml:2:10
  |
2 | steps = ["fill lots"]
  |          ^^^^^^^^^^^ not small letters, digits and `_`
  = help: write `fill_lots`
"#,
    );
}

#[test]
fn a_key_that_does_not_go_with_the_shape() {
    check(
        r#"
[zones.deck]
shape = "pile"
spaces = 3
"#,
        r#"
error[misplaced-key]: a pile, hand or bag is one stack
 --> game.toml:3:1
  |
3 | spaces = 3
  | ^^^^^^ `spaces` does not belong here
"#,
    );
}

#[test]
fn a_key_written_twice() {
    check(
        r#"
[params]
cash = 1
cash = 2
"#,
        r#"
error[duplicate-key]: `cash` is written twice in one table
 --> game.toml:3:1
  |
3 | cash = 2
  | ^^^^ the second time
  = help: take one of the two out
"#,
    );
}

#[test]
fn a_kind_that_is_a_word_of_the_engine() {
    check_components(
        "",
        r#"
[[seat]]
id = "a"
"#,
        r#"
error[reserved-name]: the name `seat` belongs to every game
 --> components/a.toml:1:3
  |
1 | [[seat]]
  |   ^^^^ a reserved name
  = help: write `seat_` or another name
"#,
    );
}

#[test]
fn a_label_twice() {
    check(
        r#"
[zones.track]
shape = "row"
spaces = [1, 2, 1]
"#,
        r#"
error[duplicate-label]: the label `1` is given twice
 --> game.toml:3:17
  |
3 | spaces = [1, 2, 1]
  |                 ^ the second time
"#,
    );
}

#[test]
fn a_list_of_unlike_records() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
moves = [{ by = 1, to = "x" }, { by = 2 }]
"#,
        r#"
error[missing-field]: one of the entries of `moves` lacks `to`
 --> components/a.toml:3:32
  |
3 | moves = [{ by = 1, to = "x" }, { by = 2 }]
  |                    --          ^^^^^^^^^^ no `to` here
  |                    |
  |                    given here
"#,
    );
}

#[test]
fn a_missing_overlay() {
    check(
        r#"
[options.board]
values = ["plain", "rich"]
overlay = { rihc = "overlays/rich.toml" }
"#,
        r#"
error[unknown-word]: `board` cannot be `rihc`
 --> game.toml:3:13
  |
3 | overlay = { rihc = "overlays/rich.toml" }
  |             ^^^^ not one of its words
  = help: did you mean `rich`?
error[missing-file]: there is no file `overlays/rich.toml`
 --> game.toml:3:20
  |
3 | overlay = { rihc = "overlays/rich.toml" }
  |                    ^^^^^^^^^^^^^^^^^^^^ not a file in `overlays/`
"#,
    );
}

#[test]
fn a_missing_shape() {
    check(
        r#"
[zones.hand]
per = "seat"
"#,
        r#"
error[missing-key]: a zone needs `shape`
 --> game.toml:1:8
  |
1 | [zones.hand]
  |        ^^^^ `hand` has no `shape`
"#,
    );
}

#[test]
fn a_number_too_large() {
    check(
        r#"
[params]
cash = 99999999999999
"#,
        r#"
error[out-of-range]: the number is too large
 --> game.toml:2:8
  |
2 | cash = 99999999999999
  |        ^^^^^^^^^^^^^^ beyond 10 to the power of 12
"#,
    );
}

#[test]
fn a_part_of_unknown_type() {
    check(
        r#"
[decisions.bid]
parts = { lot = "lost" }
[zones.lots]
shape = "pile"
"#,
        r#"
error[unknown-type]: there is no type `lost`
 --> game.toml:2:17
  |
2 | parts = { lot = "lost" }
  |                 ^^^^^^ not declared
  = help: did you mean `lots`?
"#,
    );
}

#[test]
fn a_reserved_name() {
    check(
        r#"
[params]
switch = 1
[zones.active]
shape = "pile"
"#,
        r#"
error[reserved-name]: the name `switch` belongs to the script language
 --> game.toml:2:1
  |
2 | switch = 1
  | ^^^^^^ a reserved name
  = help: write `switch_` or another name
error[reserved-name]: the name `active` belongs to every game
 --> game.toml:3:8
  |
3 | [zones.active]
  |        ^^^^^^ a reserved name
  = help: write `active_` or another name
"#,
    );
}

#[test]
fn a_row_that_lacks_a_field() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
cost = 1
[[card]]
id = "b"
cost = 2
[[card]]
id = "c"
"#,
        r#"
error[missing-field]: `c` lacks the field `cost`
 --> components/a.toml:8:6
  |
3 | cost = 1
  | ---- given here
...
8 | id = "c"
  |      ^^^ no `cost` here
"#,
    );
}

#[test]
fn a_row_without_id() {
    check_components(
        "",
        r#"
[[card]]
count = 3
"#,
        r#"
error[missing-key]: a row of components needs `id`
 --> components/a.toml:1:1
  |
1 | [[card]]
  | ^^^^^^^^ `card` has no `id`
"#,
    );
}

#[test]
fn a_shared_name() {
    check(
        r#"
[params]
lots = 1
[zones.lots]
shape = "pile"
"#,
        r#"
error[shared-name]: a zone and a param share the name `lots` in scripts
 --> game.toml:3:8
  |
2 | lots = 1
  | ---- a param
3 | [zones.lots]
  |        ^^^^ a zone
  = help: give one of the two another name
"#,
    );
}

#[test]
fn a_single_table_for_a_row() {
    check_components(
        "",
        r#"
[card]
id = "a"
"#,
        r#"
error[unknown-key]: component files have no key `card`
 --> components/a.toml:1:2
  |
1 | [card]
  |  ^^^^ not a key of a component file
  = help: write `[[card]]` for a row of the kind `card`
"#,
    );
}

#[test]
fn a_space_without_a_label() {
    check(
        r#"
[zones.track]
shape = "row"
spaces = [{ at = 1, pay = 2 }, { pay = 3 }]
"#,
        r#"
error[missing-key]: a space with fields needs `at`, its label
 --> game.toml:3:32
  |
3 | spaces = [{ at = 1, pay = 2 }, { pay = 3 }]
  |                                ^^^^^^^^^^^ no `at` here
"#,
    );
}

#[test]
fn a_start_nobody_owns() {
    check_components(
        r#"
[zones.hand]
shape = "hand"
per = "seat"
starts_with = ["card"]
[zones.lots]
shape = "pile"
copies = 2
starts_with = ["chip"]
"#,
        r#"
[[card]]
id = "a"
[[chip]]
id = "red"
"#,
        r#"
error[no-owner]: `hand` is one for each seat, and `a` belongs to no seat
 --> game.toml:4:16
  |
4 | starts_with = ["card"]
  |                ^^^^^^ in whose zone?
  = help: write `each = "seat"` in the row of `a`, or deal it in a script
error[which-zone]: `red` starts in one of the 2 zones `lots`, and nothing says in which
 --> game.toml:8:16
  |
8 | starts_with = ["chip"]
  |                ^^^^^^ in which of them?
  = help: let a script put it there
"#,
    );
}

#[test]
fn a_start_out_of_bounds() {
    check(
        r#"
[values.seat]
cash = { start = 5, min = 10 }
"#,
        r#"
error[start-out-of-bounds]: the value starts at 5, and must be at least 10
 --> game.toml:2:18
  |
2 | cash = { start = 5, min = 10 }
  |                  ^ 5 here
"#,
    );
}

#[test]
fn a_start_that_is_not_accepted() {
    check_components(
        r#"
[zones.deck]
shape = "pile"
starts_with = ["card"]
accepts = ["chip"]
"#,
        r#"
[[card]]
id = "a"
[[chip]]
id = "red"
"#,
        r#"
error[not-accepted]: the zone starts with `card`, which it does not accept
 --> game.toml:3:16
  |
3 | starts_with = ["card"]
  |                ^^^^^^ put here at the start
4 | accepts = ["chip"]
  |            ------ what is accepted
"#,
    );
}

#[test]
fn a_step_of_two_kinds() {
    check(
        r#"
[phases.supply]
steps = [{ each_seat = "a", turns = "b" }, { run = "c" }, 4]
"#,
        r#"
error[bad-step]: a step has one of `each_seat`, `turns` and `run`
 --> game.toml:2:10
  |
2 | steps = [{ each_seat = "a", turns = "b" }, { run = "c" }, 4]
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ more than one of them
error[missing-key]: a step needs `until`
 --> game.toml:2:44
  |
2 | steps = [{ each_seat = "a", turns = "b" }, { run = "c" }, 4]
  |                                            ^^^^^^^^^^^^^ `step` has no `until`
error[wrong-type]: `step` must be a function, or a table with `each_seat`, `turns` or `run`
 --> game.toml:2:59
  |
2 | steps = [{ each_seat = "a", turns = "b" }, { run = "c" }, 4]
  |                                                           ^ this is a number
"#,
    );
}

#[test]
fn a_value_and_a_zone_of_a_seat() {
    check(
        r#"
[zones.cash]
shape = "hand"
per = "seat"
[values.seat]
cash = 0
"#,
        r#"
error[shared-name]: a value of seats and a zone of each seat share the name `cash` in scripts
 --> game.toml:5:1
  |
1 | [zones.cash]
  |        ---- a zone of each seat
...
5 | cash = 0
  | ^^^^ a value of seats
  = help: give one of the two another name
"#,
    );
}

#[test]
fn a_value_without_type() {
    check(
        r#"
[values.seat]
cash = { min = 0 }
"#,
        r#"
error[missing-key]: a value needs `start` or `type`
 --> game.toml:2:1
  |
2 | cash = { min = 0 }
  | ^^^^ what may `cash` be?
"#,
    );
}

#[test]
fn a_wrong_type() {
    check(
        r#"
[zones.hand]
shape = 3
in_force = "yes"
"#,
        r#"
error[wrong-type]: `shape` must be a word
 --> game.toml:2:9
  |
2 | shape = 3
  |         ^ this is a number
error[wrong-type]: `in_force` must be `true` or `false`
 --> game.toml:3:12
  |
3 | in_force = "yes"
  |            ^^^^^ this is a word
"#,
    );
}

#[test]
fn a_zone_seen_by_an_owner_it_has_not() {
    check(
        r#"
[zones.deck]
shape = "pile"
seen_by = "owner"
"#,
        r#"
error[no-owner]: `deck` belongs to no seat, and so has no owner who could see it
 --> game.toml:3:11
  |
3 | seen_by = "owner"
  |           ^^^^^^^ whose?
  = help: write `per = "seat"`, or say `everybody` or `nobody`
"#,
    );
}

#[test]
fn an_ending_that_is_not_declared() {
    check(
        r#"
[endings]
rich = "Rich"
poor = "Poor"
"#,
        r#"
error[missing-key]: the flow runs out, and nothing says which ending that is
 --> game.toml:9:2
  |
9 | [flow]
  |  ^^^^ no `ending` here
  = help: write `ending = "rich"` or another of the endings
"#,
    );
}

#[test]
fn an_unknown_default_word() {
    check(
        r#"
[options.x]
values = ["a"]
default = "b"
"#,
        r#"
error[unknown-word]: `default` cannot be `b`
 --> game.toml:3:11
  |
3 | default = "b"
  |           ^^^ not one of its words
  = help: write `a`
"#,
    );
}

#[test]
fn an_unknown_key_of_a_zone() {
    check(
        r#"
[zones.hand]
shape = "hand"
per = "seat"
visable = "owner"
"#,
        r#"
error[unknown-key]: zones have no key `visable`
 --> game.toml:4:1
  |
4 | visable = "owner"
  | ^^^^^^^ not a key of a zone
  = help: did you mean `seen_by`?
"#,
    );
}

#[test]
fn an_unknown_kind_or_component() {
    check_components(
        r#"
[zones.deck]
shape = "pile"
starts_with = ["crad"]
"#,
        r#"
[[card]]
id = "a"
"#,
        r#"
error[unknown-component]: there is no kind or component `crad`
 --> game.toml:3:16
  |
3 | starts_with = ["crad"]
  |                ^^^^^^ not declared
  = help: did you mean `card`?
"#,
    );
}

#[test]
fn an_unknown_language() {
    check(
        r#"
[decisions.bid]
ask = { en = "Bid", zh = "競標" }
"#,
        r#"
error[unknown-language]: texts have no language `zh`
 --> game.toml:2:21
  |
2 | ask = { en = "Bid", zh = "競標" }
  |                     ^^ not a language of ours
  = help: write `en` or `zh-Hant`
"#,
    );
}

#[test]
fn an_unknown_owner_of_values() {
    check(
        r#"
[values.seats]
cash = 3
"#,
        r#"
error[unknown-kind]: there is no kind `seats`
 --> game.toml:1:9
  |
1 | [values.seats]
  |         ^^^^^ not declared
  = help: did you mean `seat`?
"#,
    );
}

#[test]
fn an_unknown_param() {
    check(
        r#"
[zones.lots]
shape = "pile"
copies = "lot_count"
[params]
lots_count = 3
"#,
        r#"
error[unknown-zone]: there is no zone or param `lot_count`
 --> game.toml:3:10
  |
3 | copies = "lot_count"
  |          ^^^^^^^^^^^ not declared
  = help: did you mean `lots_count`?
"#,
    );
}

#[test]
fn an_unknown_section() {
    check(
        r#"
[zone.hand]
shape = "hand"
"#,
        r#"
error[unknown-key]: game files have no key `zone`
 --> game.toml:1:2
  |
1 | [zone.hand]
  |  ^^^^ not a key of `game.toml`
  = help: did you mean `zones`?
"#,
    );
}

#[test]
fn an_unknown_shape() {
    check(
        r#"
[zones.hand]
shape = "hnad"
"#,
        r#"
error[unknown-word]: `shape` cannot be `hnad`
 --> game.toml:2:9
  |
2 | shape = "hnad"
  |         ^^^^^^ not one of its words
  = help: did you mean `hand`?
"#,
    );
}

#[test]
fn an_unknown_space_to_start_on() {
    check(
        r#"
[zones.track]
shape = "row"
spaces = 3
[values.seat]
place = { type = "track", start = 4 }
"#,
        r#"
error[unknown-space]: `track` has no space `4`
 --> game.toml:5:35
  |
5 | place = { type = "track", start = 4 }
  |                                   ^ no such label
"#,
    );
}

#[test]
fn an_unknown_word_of_a_value() {
    check(
        r#"
[values.game]
mood = { words = ["glad", "sad"], start = "gald" }
"#,
        r#"
error[unknown-word]: `start` cannot be `gald`
 --> game.toml:2:43
  |
2 | mood = { words = ["glad", "sad"], start = "gald" }
  |                                           ^^^^^^ not one of its words
  = help: did you mean `glad`?
"#,
    );
}

#[test]
fn an_unknown_word_of_three() {
    check(
        r#"
[zones.hand]
shape = "hand"
seen_by = "all"
"#,
        r#"
error[unknown-word]: `seen_by` cannot be `all`
 --> game.toml:3:11
  |
3 | seen_by = "all"
  |           ^^^^^ not one of its words
  = help: write `owner` or `everybody` or `nobody`
"#,
    );
}

#[test]
fn an_unknown_zone_to_lie_over() {
    check(
        r#"
[zones.map]
shape = "grid"
columns = 2
rows = 2
[zones.pawns]
over = "mpa"
"#,
        r#"
error[unknown-zone]: there is no zone `mpa`
 --> game.toml:6:8
  |
6 | over = "mpa"
  |        ^^^^^ not declared
  = help: did you mean `map`?
"#,
    );
}

#[test]
fn columns_of_different_types() {
    check(
        r#"
[params]
cash = { 2 = 30, 3 = "much", 4 = 10 }
"#,
        r#"
error[mixed-types]: `cash` is a number for some numbers of players and a word for others
 --> game.toml:2:22
  |
2 | cash = { 2 = 30, 3 = "much", 4 = 10 }
  |              --      ^^^^^^ this is a word
  |              |
  |              this is a number
"#,
    );
}

#[test]
fn fields_of_different_types() {
    check_components(
        "",
        r#"
[[card]]
id = "a"
cost = "two"
[[card]]
id = "b"
cost = 2
[[card]]
id = "c"
cost = 2
"#,
        r#"
error[mixed-types]: `cost` is a word here and a number elsewhere
 --> components/a.toml:3:8
  |
3 | cost = "two"
  |        ^^^^^ this is a word
...
6 | cost = 2
  |        - this is a number
"#,
    );
}

#[test]
fn numbers_missing_for_some_players() {
    check(
        r#"
[params]
cash = { 2 = 30, 5 = 3 }
"#,
        r#"
error[missing-count]: `cash` says nothing for 3 and 4 players
 --> game.toml:2:8
  |
2 | cash = { 2 = 30, 5 = 3 }
  |        ^^^^^^^^^^^^^^^^^ no entry for 3 and 4
error[out-of-range]: `cash` says something for 5 players, and the game is for 2 to 4
 --> game.toml:2:18
  |
2 | cash = { 2 = 30, 5 = 3 }
  |                  ^ never used
"#,
    );
}

#[test]
fn rows_of_components_in_game_toml() {
    check(
        r#"
[[stock]]
id = "cosmic"
"#,
        r#"
error[unknown-key]: game files have no key `stock`
 --> game.toml:1:3
  |
1 | [[stock]]
  |   ^^^^^ not a key of `game.toml`
  = help: put rows of components into a file `components/….toml`
"#,
    );
}

#[test]
fn text_that_is_not_toml() {
    check(
        r#"
[params]
cash = 
bonus = [1,
"#,
        r#"
error[toml-syntax]: this is not TOML: string values must be quoted, expected literal string
 --> game.toml:2:8
  |
2 | cash = 
  |        ^ here
"#,
    );
}

#[test]
fn two_zones_that_start_with_the_same() {
    check_components(
        r#"
[zones.deck]
shape = "pile"
starts_with = ["card"]
[zones.pile]
shape = "pile"
starts_with = ["card"]
"#,
        r#"
[[card]]
id = "a"
"#,
        r#"
error[two-starts]: two zones start with `card`
 --> game.toml:6:16
  |
3 | starts_with = ["card"]
  |                ------ the first zone
...
6 | starts_with = ["card"]
  |                ^^^^^^ the second zone
"#,
    );
}

#[test]
fn zones_over_each_other() {
    check(
        r#"
[zones.a]
over = "b"
[zones.b]
over = "a"
"#,
        r#"
error[circular-zone]: `a` is made like `b`, which is made like `a`
 --> game.toml:2:8
  |
2 | over = "b"
  |        ^^^ it leads back here
error[circular-zone]: `b` is made like `a`, which is made like `b`
 --> game.toml:4:8
  |
4 | over = "a"
  |        ^^^ it leads back here
"#,
    );
}

const CHOICES: &str = r#"
[options.board]
values = ["standard", "advanced"]
[options.length]
type = "number"
min = 1
max = 9
[params]
cash = 5
[zones.deck]
shape = "pile"
"#;

fn refused(choices: &Choices, expected: &str) {
    let rows = "[[card]]\nid = \"ace\"\n";
    let built: Result<Model, Diagnostics> = package(CHOICES, rows).and_then(|package| package.build(choices));
    match built {
        Ok(_) => panic!("it was not refused"),
        Err(found) => same(&found.to_string(), expected),
    }
}

fn refused_option(name: &str, value: &str, expected: &str) {
    let options = vec![(name.to_owned(), value.to_owned())];
    refused(&Choices { players: 2, options, sets: Vec::new() }, expected);
}

fn refused_set(path: &str, value: &str, expected: &str) {
    let sets = vec![(path.to_owned(), value.to_owned())];
    refused(&Choices { players: 2, options: Vec::new(), sets }, expected);
}

#[test]
fn a_wrong_number_of_players() {
    refused(
        &Choices { players: 5, ..Choices::default() },
        r"
error[out-of-range]: the game is for 2 to 4 players, not 5
 --> --players:1:1
  |
1 | 5
  | ^ not between 2 and 4
",
    );
}

#[test]
fn an_option_there_is_not() {
    refused_option(
        "bord",
        "advanced",
        r"
error[unknown-option]: there is no option `bord`
 --> --option:1:1
  |
1 | bord=advanced
  | ^^^^ not declared
  = help: did you mean `board`?
",
    );
}

#[test]
fn a_value_an_option_cannot_have() {
    refused_option(
        "board",
        "advance",
        r"
error[unknown-word]: `board` cannot be `advance`
 --> --option:1:7
  |
1 | board=advance
  |       ^^^^^^^ not one of its words
  = help: did you mean `advanced`?
",
    );
    refused_option(
        "length",
        "10",
        r"
error[out-of-range]: `length` must be a number between 1 and 9, not `10`
 --> --option:1:8
  |
1 | length=10
  |        ^^ not such a number
",
    );
}

#[test]
fn a_set_that_leads_nowhere() {
    refused_set(
        "params.cahs",
        "3",
        r"
error[unknown-path]: there is no entry of `params` called `cahs`
 --> --set:1:8
  |
1 | params.cahs=3
  |        ^^^^ not declared
  = help: did you mean `cash`?
",
    );
    refused_set(
        "cash",
        "3",
        r"
error[unknown-path]: there is no part of the game `cash`
 --> --set:1:1
  |
1 | cash=3
  | ^^^^ not declared
  = help: did you mean `params.cash`?
",
    );
    refused_set(
        "card.aec.count",
        "3",
        r"
error[unknown-path]: there is no card `aec`
 --> --set:1:6
  |
1 | card.aec.count=3
  |      ^^^ not declared
  = help: did you mean `ace`?
",
    );
    refused_set(
        "zones.deck.shap",
        "bag",
        r"
error[unknown-key]: zones have no key `shap`
 --> --set:1:12
  |
1 | zones.deck.shap=bag
  |            ^^^^ not a key of a zone
  = help: did you mean `shape`?
",
    );
    refused_set(
        "params.cash.more",
        "3",
        r"
error[unknown-path]: there is nothing inside `cash`, which is a number
 --> --set:1:13
  |
1 | params.cash.more=3
  |             ^^^^ the path goes on too far
",
    );
    refused_set(
        "params",
        "3",
        r"
error[unknown-path]: `params` is a whole table of the game
 --> --set:1:1
  |
1 | params=3
  | ^^^^^^ the path ends too early
  = help: go on with a name from it, as in `params.start_cash`
",
    );
}

#[test]
fn a_set_value_that_cannot_be_read() {
    refused_set(
        "params.cash",
        "[1",
        r"
error[toml-syntax]: this is not TOML: unclosed array, expected `]`
 --> --set:1:15
  |
1 | params.cash=[1
  |               ^ here
",
    );
    refused_set(
        "zones.deck.shape",
        "spiral",
        r"
error[unknown-word]: `shape` cannot be `spiral`
 --> --set:1:18
  |
1 | zones.deck.shape=spiral
  |                  ^^^^^^ not one of its words
  = help: write `pile` or `hand` or `bag` or `row` or `ring` or `grid`
",
    );
}

#[test]
fn an_overlay_with_mistakes() {
    let game = format!("[options.board]\nvalues = [\"a\", \"b\"]\noverlay = {{ b = \"overlays/b.toml\" }}\n{REST}");
    let overlay = "[options.x]\nvalues = [\"a\"]\n[[crad]]\nid = \"x\"\n[[card]]\nid = \"ac\"\ncount = 0\n";
    let files = [
        ("game.toml", game.as_str()),
        ("components/a.toml", "[[card]]\nid = \"ace\"\n"),
        ("overlays/b.toml", overlay),
        ("overlays/c.toml", "# nothing\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let found = Package::parse(Files::from_texts("tiny", files).unwrap()).unwrap().check();
    same(
        &found.to_string(),
        r#"
error[unknown-key]: overlays have no key `options`
 --> overlays/b.toml:1:2
  |
1 | [options.x]
  |  ^^^^^^^ not a key of an overlay
  = help: declare options in `game.toml`: an overlay is chosen by them
error[unknown-kind]: there is no kind `crad`
 --> overlays/b.toml:3:3
  |
3 | [[crad]]
  |   ^^^^ not declared
  = help: did you mean `card`?
error[unknown-component]: there is no card `ac`
 --> overlays/b.toml:6:6
  |
6 | id = "ac"
  |      ^^^^ not declared
  = help: did you mean `ace`?
warning[unused-overlay]: no option brings `overlays/c.toml`
 --> overlays/c.toml:1:1
  |
1 | # nothing
  | ^^^^^^^^^ never laid over the game
  = help: name it in the `overlay` table of an option
"#,
    );
}

#[test]
fn a_game_without_its_tables() {
    let files = [("game.toml".to_owned(), String::new())];
    let found = Package::parse(Files::from_texts("empty", files).unwrap()).unwrap().check();
    same(
        &found.to_string(),
        r"
error[missing-key]: `game.toml` has no table `game`
  = help: say what game it is: `[game]` with `id`, `name` and `players`
error[missing-key]: `game.toml` has no table `flow`
  = help: say what happens in order: `[flow]` with `setup`, `round` and `finish`
",
    );
}

#[test]
fn syntax_errors_of_all_files_come_together() {
    let files = [("game.toml", "a = \n"), ("components/a.toml", "b = \n"), ("components/b.toml", "[\n")];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let found = Package::parse(Files::from_texts("tiny", files).unwrap()).unwrap_err();
    let paths: Vec<&str> = found.0.iter().map(|found| &*found.marks[0].place.source.path).collect();
    assert_eq!(paths, ["components/a.toml", "components/b.toml", "game.toml"]);
}

#[test]
fn too_much_of_anything_is_refused_in_time() {
    let rows = |count: i64, number: usize| {
        (0..number).map(|at| format!("[[card]]\nid=\"a{at}\"\ncount={count}\n")).collect::<String>()
    };
    let cases = [
        (String::new(), rows(1000, 9), "9000 pieces"),
        ("[zones.a]\nshape=\"grid\"\ncolumns=16384\nrows=16384\n".to_owned(), String::new(), "268435456 spaces"),
        (
            "[zones.a]\nshape=\"pile\"\nper=[\"card\",\"chip\"]\n".to_owned(),
            rows(0, 200) + rows(0, 200).replace("card", "chip").replace("\"a", "\"b").as_str(),
            "8192 are allowed",
        ),
        ("[zones.a]\nshape=\"pile\"\ncopies=999999999999\n".to_owned(), String::new(), "between 0 and 1000"),
        (format!("[params]\na = {}1{}\n", "[".repeat(40), "]".repeat(40)), String::new(), "more than 32 deep"),
        (format!("[params]\na = {}\n", "[".repeat(30_000)), String::new(), "this is not TOML"),
        (format!("[params]\n{}a = 1\n", "a.".repeat(30_000)), String::new(), "more than 32 deep"),
        (format!("[{}a]\n", "a.".repeat(30_000)), String::new(), "more than 32 deep"),
        (
            format!("[params]\n{}", (0..5000).map(|at| format!("a{at}=1\n")).collect::<String>()),
            String::new(),
            "entries in `params`",
        ),
        (String::new(), (0..5000).map(|at| format!("[[k{at}]]\n")).collect(), "kinds"),
        (
            String::new(),
            format!("[[card]]\nid=\"a\"\n{}", (0..5000).map(|at| format!("f{at}=1\n")).collect::<String>()),
            "fields in one table",
        ),
        ("a".repeat(65_000), String::new(), "this is not TOML"),
    ];
    for (game, components, expected) in cases {
        let found = match package(&game, &components) {
            Err(found) => found.to_string(),
            Ok(package) => package.check().to_string(),
        };
        assert!(found.contains(expected), "{expected}: {}", &found[..found.len().min(500)]);
    }
}

#[test]
fn files_beyond_the_limits_are_refused() {
    let said = |texts: Vec<(String, String)>| Files::from_texts("x", texts).unwrap_err().to_string();
    let file = |path: &str, length: usize| (path.to_owned(), " ".repeat(length));
    assert!(said(vec![file("game.toml", 65_537)]).contains("`game.toml` has more than 64 KB"));
    assert!(said((0..300).map(|at| file(&format!("rules/{at}.rhai"), 1)).collect()).contains("more than 256 files"));
    assert!(said((0..20).map(|at| file(&format!("rules/{at}.rhai"), 65_000)).collect()).contains("more than 1024 KB"));
    assert!(said(vec![file("rules/a.rhai", 1)]).contains("`x` has no file `game.toml`"));
}

#[cfg(unix)]
#[test]
fn only_real_files_of_the_folder_are_read() {
    let folder = std::env::temp_dir().join(format!("parlour-loader-{}", std::process::id()));
    let game = folder.join("game");
    for name in ["rules", "plays", "overlays/a.toml"] {
        std::fs::create_dir_all(game.join(name)).unwrap();
    }
    std::fs::write(folder.join("secret.toml"), "secret = 1").unwrap();
    std::fs::write(game.join("plays/x.rhai"), "not read").unwrap();
    std::fs::write(game.join("rules/bad.rhai"), b"fine\n\xff\n").unwrap();
    std::fs::write(game.join("Game.toml"), REST).unwrap();
    std::os::unix::fs::symlink(folder.join("secret.toml"), game.join("rules/link.rhai")).unwrap();
    std::os::unix::fs::symlink(&folder, game.join("components")).unwrap();
    let found = Files::read(&game).unwrap_err().to_string();
    for expected in [
        "`components` is a symbolic link",
        "`rules/link.rhai` is a symbolic link",
        "`rules/bad.rhai` is not UTF-8 text: the first wrong byte is in line 2",
        "`overlays/a.toml` is not a file",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    for name in ["rules/link.rhai", "rules/bad.rhai", "components"] {
        std::fs::remove_file(game.join(name)).unwrap();
    }
    std::fs::remove_dir(game.join("overlays/a.toml")).unwrap();
    let found = Files::read(&game).unwrap_err().to_string();
    assert!(found.contains("help: rename `Game.toml` to `game.toml`"), "{found}");
    std::fs::rename(game.join("Game.toml"), game.join("game.toml")).unwrap();
    std::fs::write(game.join("rules/good.rhai"), "fn set_up() {}").unwrap();
    let files = Files::read(&game).unwrap();
    let paths: Vec<&str> = files.sources.iter().map(|source| &*source.path).collect();
    assert_eq!(paths, ["game.toml", "rules/good.rhai"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_alteration_of_nothing_known() {
    check_components(
        r#"
[altered]
upkeep = "What a seat pays"
"#,
        r#"
[[charm]]
id = "ring"
alters = [{ what = "upkep", add = 1 }, { what = "upkeep" }, { add = 2 }]
"#,
        r#"
error[unknown-alteration]: there is no alteration `upkep`
 --> components/a.toml:3:20
  |
3 | alters = [{ what = "upkep", add = 1 }, { what = "upkeep" }, { add = 2 }]
  |                    ^^^^^^^ not declared
  = help: did you mean `upkeep`?
error[missing-key]: an entry of `alters` needs `add` or `set`
 --> components/a.toml:3:40
  |
3 | alters = [{ what = "upkep", add = 1 }, { what = "upkeep" }, { add = 2 }]
  |                                        ^^^^^^^^^^^^^^^^^^^ no `add` here
error[missing-key]: an entry of `alters` does not say `what` it alters
 --> components/a.toml:3:61
  |
3 | alters = [{ what = "upkep", add = 1 }, { what = "upkeep" }, { add = 2 }]
  |                                                             ^^^^^^^^^^^ no `what` here
"#,
    );
}

#[test]
fn spaces_by_component() {
    check_components(
        r#"
[zones.track]
per = "share"
shape = "row"
[zones.track.spaces]
corn = [1, 2]
irn = [1, 2, 3]
[zones.path]
shape = "row"
spaces = { corn = 3 }
[values.share]
marker = { type = "track", reads = "price" }
[values.seat]
cash = { start = 1, reads = "price" }
"#,
        r#"
[[share]]
id = "corn"
[[share]]
id = "iron"
"#,
        r#"
error[missing-key]: the spaces of `track` are written by component, and `iron` has none
 --> game.toml:4:1
  |
4 | [zones.track.spaces]
  | ^^^^^^^^^^^^^^^^^^^^ no entry for `iron`
error[unknown-component]: there is no component `irn`
 --> game.toml:6:1
  |
6 | irn = [1, 2, 3]
  | ^^^ not declared
  = help: did you mean `iron`?
error[wrong-type]: `spaces` must be a number, a list, or a table by component where `per` is a kind
 --> game.toml:9:10
  |
9 | spaces = { corn = 3 }
  |          ^^^^^^^^^^^^ this is a table
error[unknown-field]: there is no field of a space `price`
  --> game.toml:11:36
   |
11 | marker = { type = "track", reads = "price" }
   |                                    ^^^^^^^ not declared
error[misplaced-key]: only a value that is a space of a zone is read by a field of the space
  --> game.toml:13:21
   |
13 | cash = { start = 1, reads = "price" }
   |                     ^^^^^ `reads` does not belong here
"#,
    );
}

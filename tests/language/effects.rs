//! Effects as data: records in fields, and fields that name functions of the rules.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::diagnostic::Diagnostics;
use parlour::session::{Player, Setup};

/// Cards with effects, beside what is in the sampler.
const SPELLS: &str = r#"
[kinds.spell.fields]
play = { type = "function", default = "nothing" }
moves = { type = [{ card = "card", by = "number" }], default = [] }
steps = { type = [{ act = "function", amount = "number" }], default = [] }

[[spell]]
id = "gift"
play = "give"
moves = [{ card = "ace", by = 2 }, { card = "two", by = -1 }]
[[spell]]
id = "tax"
play = "trade"
steps = [{ act = "earn", amount = 4 }, { act = "lose", amount = 1 }]
[[spell]]
id = "stone"
"#;

/// Rules that suit them.
const RULES: &str = r"
fn set_up() {}
fn turn_of(seat) {}
fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }
fn trade(spell, seat) { for step in spell.steps { step.act(seat); } }
fn earn(step, seat) { seat.cash += step.amount; }
fn lose(step, seat) { seat.cash -= step.amount; }
";

/// Cards that name several functions, and rules for them.
const CHARMS: &str = r#"
[kinds.charm.fields]
acts = { type = ["function"], default = [] }

[[charm]]
id = "storm"
acts = ["flood", "flood", "drain"]
[[charm]]
id = "calm"
"#;
const CHARM_RULES: &str = r"
fn flood(charm, seat) { seat.cash *= 2; seat.cash }
fn drain(charm, seat) { seat.cash -= 1; seat.cash }
";

fn texts(spells: &str, rules: &str) -> Vec<(String, String)> {
    let mut texts = sampler::texts(rules);
    texts.push(("components/spells.toml".to_owned(), spells.to_owned()));
    texts
}

/// What is said about a game with these cards and rules: before it is played, or else when it is.
fn said(spells: &str, rules: &str) -> String {
    let game = match parlour::load_texts("sampler", texts(spells, rules)) {
        Ok(game) => game,
        Err(found) => return found.to_string(),
    };
    let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
    match game.play(&Setup::seats(3), players, false).unwrap().outcome {
        Ok(_) => "nothing\n".to_owned(),
        Err(found) => Diagnostics(vec![*found]).to_string(),
    }
}

fn with_set_up(body: &str) -> String {
    RULES.replace("fn set_up() {}", &format!("fn set_up() {{ {body} }}"))
}

fn holds(body: &str) {
    assert_eq!(said(SPELLS, &with_set_up(body)), "nothing\n", "{body}");
}

fn is_told(spells: &str, rules: &str, expected: &str) {
    assert_eq!(said(spells, rules).trim(), expected.trim());
}

#[test]
fn a_function_that_a_component_names_is_called_with_it_and_what_is_given() {
    holds("component(\"gift\").play(first); ensure(first.cash == 25, \"2 × 11 − 1 × 2 more than 5\");");
}

#[test]
fn a_function_that_a_piece_names_is_called_with_the_piece() {
    holds(
        "box.find(\"component\", component(\"tax\")).move_to(discard); discard.top.play(first); ensure(first.cash == 8, \"4 − 1 more than 5\");",
    );
}

#[test]
fn a_field_that_names_a_function_can_be_read_and_may_name_none() {
    holds("ensure(component(\"gift\").play == \"give\", \"\"); ensure(component(\"stone\").play == (), \"\");");
}

#[test]
fn a_field_that_names_several_functions_calls_them_in_order() {
    let said_by = |body: &str| said(CHARMS, &format!("fn set_up() {{ {body} }}\nfn turn_of(seat) {{}}\n{CHARM_RULES}"));
    let storm = "ensure(component(\"storm\").acts(first) == 19 && first.cash == 19, \"5 doubled twice, less 1\");";
    assert_eq!(said_by(storm), "nothing\n");
    let calm = "ensure(component(\"calm\").acts(first) == () && first.cash == 5, \"nothing is done\");";
    assert_eq!(said_by(calm), "nothing\n");
}

#[test]
fn each_of_several_functions_is_looked_for_where_it_is_named() {
    is_told(
        &CHARMS.replace("\"drain\"", "\"brain\""),
        &format!("fn set_up() {{}}\nfn turn_of(seat) {{}}\n{CHARM_RULES}"),
        r#"
error[unknown-function]: `acts` names `brain`, which no script defines
 --> components/spells.toml:7:27
  |
7 | acts = ["flood", "flood", "brain"]
  |                           ^^^^^^^ not a function of the rules
  = help: did you mean `drain`?
"#,
    );
}

#[test]
fn an_empty_list_of_records_is_a_list() {
    holds("ensure(component(\"stone\").moves.len() == 0, \"\");");
}

#[test]
fn what_names_no_function_cannot_be_called() {
    is_told(
        SPELLS,
        &with_set_up("component(\"stone\").play(first);"),
        r#"
error[no-function]: `stone` names no function as its `play`
 --> rules/play.rhai:2:34
  |
2 | fn set_up() { component("stone").play(first); }
  |                                  ^^^^ nothing to call
  = in `set_up`
  = help: ask whether its `play` is `()` first
  = reproduce: parlour run sampler --players 3 --seed 0
"#,
    );
}

#[test]
fn a_function_that_nobody_wrote_is_found_where_it_is_named() {
    is_told(
        &SPELLS.replace("\"give\"", "\"giev\""),
        RULES,
        r#"
error[unknown-function]: `play` names `giev`, which no script defines
 --> components/spells.toml:9:8
  |
9 | play = "giev"
  |        ^^^^^^ not a function of the rules
  = help: did you mean `give`?
"#,
    );
}

#[test]
fn a_call_gives_every_named_function_what_it_takes() {
    is_told(
        SPELLS,
        &with_set_up("component(\"gift\").play(first, 3);")
            .replace("fn trade(spell, seat)", "fn trade(spell, seat, much)"),
        r#"
error[wrong-arity]: `give` takes 2 arguments, and `play` passes 3
 --> rules/play.rhai:2:33
  |
2 | fn set_up() { component("gift").play(first, 3); }
  |                                 ^^^^ passes 3, what stands before the dot first
3 | fn turn_of(seat) {}
4 | fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }
  |    ---- takes 2
  |
 ::: components/spells.toml:9:8
  |
9 | play = "give"
  |        ^^^^^^ named here
"#,
    );
}

#[test]
fn a_named_function_takes_what_names_it() {
    is_told(
        SPELLS,
        &RULES.replace(
            "fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }",
            "fn give() {}",
        ),
        r#"
error[wrong-arity]: `play` names `give`, which takes no argument
 --> components/spells.toml:9:8
  |
9 | play = "give"
  |        ^^^^^^ named here
  |
 ::: rules/play.rhai:4:4
  |
4 | fn give() {}
  |    ^^^^ takes no argument
  = help: let it take what names it: `fn give(card)`
"#,
    );
}

#[test]
fn a_field_that_names_functions_is_called_like_nothing_else() {
    is_told(
        SPELLS,
        &format!("{RULES}fn play(spell, seat) {{}}\n"),
        r#"
error[taken-name]: the field `play` names functions and is called like a function of the rules
 --> components/spells.toml:9:8
  |
9 | play = "give"
  |        ^^^^^^ a field that names a function
  |
 ::: rules/play.rhai:8:4
  |
8 | fn play(spell, seat) {}
  |    ^^^^ a function
  = help: give the field another name
"#,
    );
}

#[test]
fn records_are_checked_like_rows() {
    is_told(
        &SPELLS.replace("{ card = \"ace\", by = 2 }", "{ card = \"acre\", bye = 2 }"),
        RULES,
        r#"
error[missing-field]: one of the entries of `moves` lacks `by`
  --> components/spells.toml:10:10
   |
 4 | moves = { type = [{ card = "card", by = "number" }], default = [] }
   |                                    -- given here
...
10 | moves = [{ card = "acre", bye = 2 }, { card = "two", by = -1 }]
   |          ^^^^^^^^^^^^^^^^^^^^^^^^^^ no `by` here
error[unknown-component]: there is no component `acre`
  --> components/spells.toml:10:19
   |
10 | moves = [{ card = "acre", bye = 2 }, { card = "two", by = -1 }]
   |                   ^^^^^^ not declared
   = help: did you mean `ace`?
error[unknown-key]: there is no part `bye`
  --> components/spells.toml:10:27
   |
10 | moves = [{ card = "acre", bye = 2 }, { card = "two", by = -1 }]
   |                           ^^^ not declared
   = help: did you mean `by`?
"#,
    );
}

#[test]
fn a_part_that_names_functions_holds_a_name() {
    is_told(
        &SPELLS.replace("act = \"earn\"", "act = 3"),
        RULES,
        r#"
error[wrong-type]: `act` must be the name of a function of the rules
  --> components/spells.toml:14:18
   |
14 | steps = [{ act = 3, amount = 4 }, { act = "lose", amount = 1 }]
   |                  ^ this is a number
"#,
    );
}

#[test]
fn what_a_named_function_changes_is_seen_where_rules_may_only_look() {
    let told = said(SPELLS, &format!("{RULES}fn score(seat) {{ component(\"gift\").play(seat); seat.cash }}\n"));
    let expected = r#"
error[change-while-reading]: nothing can change here
 --> rules/play.rhai:4:55
  |
4 | fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }
  |                                                       ^^^^ changes the table
...
8 | fn score(seat) { component("gift").play(seat); seat.cash }
  |    ----- `score` is read-only
"#;
    assert!(told.starts_with(expected.trim()), "{told}");
}

#[test]
fn a_field_that_lists_components_is_a_list_to_ask() {
    let spells = SPELLS.replace("moves = { type", "likes = [\"card\"]\nmoves = { type");
    let spells = spells.replace("id = \"gift\"", "id = \"gift\"\nlikes = [\"ace\", \"king\"]");
    let spells = spells.replace("id = \"tax\"", "id = \"tax\"\nlikes = [\"two\"]");
    let spells = spells.replace("id = \"stone\"", "id = \"stone\"\nlikes = []");
    let body = "let gift = component(\"gift\"); \
        ensure(gift.likes.smallest(\"points\") == 5, \"\"); \
        ensure(gift.likes.without(component(\"ace\")).first == component(\"king\"), \"\"); \
        ensure(component(\"stone\").likes.is_empty(), \"\"); \
        for card in gift.likes { ensure(card.kind == \"card\", \"\"); }";
    assert_eq!(said(&spells, &with_set_up(body)), "nothing\n");
}

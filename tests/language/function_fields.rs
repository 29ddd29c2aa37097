//! Tests of component fields that contain records or name functions of the rules.

use crate::sampler;
use parlour::agents::FirstOption;
use parlour::diagnostic::Diagnostics;
use parlour::session::{Player, Setup};

/// Components that are added to the sampler.
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

/// Rules that define the functions named in [`SPELLS`].
const RULES: &str = r"
fn set_up() {}
fn turn_of(seat) {}
fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }
fn trade(spell, seat) { for step in spell.steps { step.act(seat); } }
fn earn(step, seat) { seat.cash += step.amount; }
fn lose(step, seat) { seat.cash -= step.amount; }
";

/// Components with a field that names several functions.
const CHARMS: &str = r#"
[kinds.charm.fields]
acts = { type = ["function"], default = [] }

[[charm]]
id = "storm"
acts = ["flood", "flood", "drain"]
[[charm]]
id = "calm"
"#;

/// Rules that define the functions named in [`CHARMS`].
const CHARM_RULES: &str = r"
fn flood(charm, seat) { seat.cash *= 2; seat.cash }
fn drain(charm, seat) { seat.cash -= 1; seat.cash }
";

/// Returns the files of the sampler with the given components and rules.
fn texts(spells: &str, rules: &str) -> Vec<(String, String)> {
    let mut texts = sampler::texts(rules);
    texts.push(("components/spells.toml".to_owned(), spells.to_owned()));
    texts
}

/// Loads and plays a game with the given components and rules. Returns its diagnostics, or `nothing\n`.
fn diagnostics(spells: &str, rules: &str) -> String {
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

/// Returns [`RULES`] with the given body of `set_up`.
fn with_set_up(body: &str) -> String {
    RULES.replace("fn set_up() {}", &format!("fn set_up() {{ {body} }}"))
}

/// Asserts that a body of `set_up` runs without a diagnostic.
fn assert_runs(body: &str) {
    assert_eq!(diagnostics(SPELLS, &with_set_up(body)), "nothing\n", "{body}");
}

/// Asserts the diagnostics of a game with the given components and rules.
fn assert_reports(spells: &str, rules: &str, expected: &str) {
    assert_eq!(diagnostics(spells, rules).trim(), expected.trim());
}

#[test]
fn calling_a_function_field_passes_the_component_and_the_arguments() {
    assert_runs("component(\"gift\").play(first); ensure(first.cash == 25, \"2 × 11 − 1 × 2 more than 5\");");
}

#[test]
fn calling_a_function_field_of_a_piece_passes_the_piece() {
    assert_runs(
        "box.find(\"component\", component(\"tax\")).move_to(discard); discard.top.play(first); ensure(first.cash == 8, \"4 − 1 more than 5\");",
    );
}

#[test]
fn function_fields_can_be_read_and_may_be_empty() {
    assert_runs("ensure(component(\"gift\").play == \"give\", \"\"); ensure(component(\"stone\").play == (), \"\");");
}

#[test]
fn a_list_of_functions_is_called_in_order() {
    let reported_by =
        |body: &str| diagnostics(CHARMS, &format!("fn set_up() {{ {body} }}\nfn turn_of(seat) {{}}\n{CHARM_RULES}"));
    let storm = "ensure(component(\"storm\").acts(first) == 19 && first.cash == 19, \"5 doubled twice, less 1\");";
    assert_eq!(reported_by(storm), "nothing\n");
    let calm = "ensure(component(\"calm\").acts(first) == () && first.cash == 5, \"nothing is done\");";
    assert_eq!(reported_by(calm), "nothing\n");
}

#[test]
fn unknown_functions_in_a_list_are_reported_at_their_entry() {
    assert_reports(
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
    assert_runs("ensure(component(\"stone\").moves.len() == 0, \"\");");
}

#[test]
fn calling_an_empty_function_field_is_a_fault() {
    assert_reports(
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
fn unknown_functions_in_fields_are_reported_at_the_field() {
    assert_reports(
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
fn calls_of_function_fields_check_the_arity_of_the_named_functions() {
    assert_reports(
        SPELLS,
        &with_set_up("component(\"gift\").play(first, 3);")
            .replace("fn trade(spell, seat)", "fn trade(spell, seat, much, more)"),
        r#"
error[wrong-arity]: `give` takes 2 arguments, and `play` passes 3
 --> rules/play.rhai:2:33
  |
2 | fn set_up() { component("gift").play(first, 3); }
  |                                 ^^^^ passes 3, what stands before the dot first
3 | fn turn_of(seat) {}
4 | fn give(spell, seat) { for move in spell.moves { seat.cash += move.by * move.card.points; } }
  |    ---- takes 2
error[wrong-arity]: `trade` takes 4 arguments, and `play` passes 3
 --> rules/play.rhai:2:33
  |
2 | fn set_up() { component("gift").play(first, 3); }
  |                                 ^^^^ passes 3, what stands before the dot first
...
5 | fn trade(spell, seat, much, more) { for step in spell.steps { step.act(seat); } }
  |    ----- takes 4
"#,
    );
}

#[test]
fn kinds_have_functions_of_their_own_arity() {
    let spells = format!(
        "{SPELLS}{}",
        "[kinds.curse.fields]\nplay = { type = \"function\", default = \"nothing\" }\n[[curse]]\nid = \"hex\"\nplay = \"bind\"\n"
    );
    let rules = with_set_up("component(\"gift\").play(first); component(\"hex\").play(first, 3);");
    assert_reports(
        &spells,
        &format!("{rules}fn bind(curse, seat, strength) {{ seat.cash += strength; }}\n"),
        "nothing\n",
    );
}

#[test]
fn named_functions_need_a_parameter_for_the_component() {
    assert_reports(
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
fn function_fields_must_not_share_a_name_with_a_function() {
    assert_reports(
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
    assert_reports(
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
fn function_parts_of_records_must_be_names() {
    assert_reports(
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
fn read_only_functions_must_not_call_function_fields_that_change_the_table() {
    let told = diagnostics(SPELLS, &format!("{RULES}fn score(seat) {{ component(\"gift\").play(seat); seat.cash }}\n"));
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
fn fields_with_lists_of_components_support_queries() {
    let spells = SPELLS.replace("moves = { type", "likes = [\"card\"]\nmoves = { type");
    let spells = spells.replace("id = \"gift\"", "id = \"gift\"\nlikes = [\"ace\", \"king\"]");
    let spells = spells.replace("id = \"tax\"", "id = \"tax\"\nlikes = [\"two\"]");
    let spells = spells.replace("id = \"stone\"", "id = \"stone\"\nlikes = []");
    let body = "let gift = component(\"gift\"); \
        ensure(gift.likes.smallest(\"points\") == 5, \"\"); \
        ensure(gift.likes.without(component(\"ace\")).first == component(\"king\"), \"\"); \
        ensure(component(\"stone\").likes.is_empty(), \"\"); \
        for card in gift.likes { ensure(card.kind == \"card\", \"\"); }";
    assert_eq!(diagnostics(&spells, &with_set_up(body)), "nothing\n");
}

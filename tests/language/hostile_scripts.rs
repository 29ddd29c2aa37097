//! Tests that hostile scripts do not hang, crash or exhaust memory. Each script completes or ends with a diagnostic that has a location.

use crate::sampler;
use crate::sampler_outcome::{check, check_turns, load_sampler, outcome, turn_rules};
use parlour::agents::FirstOption;
use parlour::session::{Player, Session, Setup, Status};

#[test]
fn endless_loops_are_stopped() {
    check_turns(&[
        ("loop { }", "endless"),
        ("while true { }", "endless"),
        ("let n = 0; while n >= 0 { n += 1; }", "endless"),
        ("do { } while true;", "endless"),
        ("let sum = 0; for n in 0..9223372036854775807 { sum = n; }", "endless"),
        ("let sum = 0; for n in range(0, 9223372036854775807) { sum = n; }", "endless"),
        ("let n = 0; loop { n += seat.cash; if n > 1000 { n = 0; } }", "endless"),
    ]);
}

#[test]
fn endless_loops_inside_functions_given_to_queries_are_stopped() {
    check_turns(&[
        ("[1].map(|x| { loop { } });", "endless"),
        ("deck.filter(|card| { loop { } });", "endless"),
        ("loop { [1, 2, 3].map(|x| x + 1); }", "endless"),
        ("loop { deck.filter(|card| card.points > 2); }", "endless"),
        ("[1, 2].filter(|x| [3, 4].some(|y| { loop { } }));", "endless"),
        ("[3, 1, 2].sort(|a, b| { loop { } });", "endless"),
        ("choose(seat, \"pick\", || { loop { } });", "endless"),
        ("together(seats, |seat| { loop { } });", "endless"),
        ("pairs_of(\"a\", \"b\", [1, 2], |one| { loop { } });", "endless"),
        ("let n = [1, 2].reduce(|sum, x| { loop { } }, 0);", "endless"),
    ]);
}

#[test]
fn exceeding_a_limit_cannot_be_caught() {
    check(&[
        ("fn turn_of(seat) { try { loop { } } catch { } }", "refused: forbidden-word"),
        ("fn turn_of(seat) { let list = [1, 2, 1]; list.dedup(|a, b| { loop { } }); }", "refused: wrong-arity"),
    ]);
}

#[test]
fn native_functions_are_charged() {
    check_turns(&[
        ("deck.move_to(discard); deck.draw(9223372036854775807, discard);", "too-few"),
        ("loop { deck.where(\"points\", \">\", 2); }", "endless"),
        ("loop { deck.sort_by(\"points\"); }", "endless"),
        ("loop { deck.move_to(discard); discard.move_to(deck); }", "endless"),
        ("loop { deck.shuffle(); }", "endless"),
        ("let many = deck.pieces; for n in 0..9 { many = many + many; } loop { many.turn_up(); }", "endless"),
        ("let many = deck.pieces; for n in 0..9 { many = many + many; } loop { many.reveal(); }", "endless"),
        ("let many = deck.pieces; for n in 0..9 { many = many + many; } loop { many.show(seat); }", "endless"),
        ("let many = deck.pieces; for n in 0..9 { many = many + many; } loop { many.any_of(); }", "endless"),
        ("let many = deck.pieces; for n in 0..9 { many = many + many; } loop { many.without(deck.top); }", "endless"),
        ("let n = 0; loop { tally(`k${n}`, 1); n += 1; }", "too-many-counters"),
        ("let many = deck.pieces; loop { many = many + many; }", "too-long"),
    ]);
}

/// If only loop iterations and calls were counted, each case would take minutes or exhaust memory.
#[test]
fn work_inside_loop_iterations_is_charged() {
    let statements = "n = n + 1; n = n - 1; ".repeat(50);
    let joined = |all: Vec<String>| all.join(", ");
    let cases = joined((0..199).map(|case| format!("{case} => {}", case + 1)).collect());
    let parts = joined((0..190).map(|part| format!("a{part}: 0")).collect());
    let texts = "let t = \"0123456789abcdef\"; for i in 0..9 { t += t; }";
    let list = "let big = []; for i in 0..999 { big.push(i); } let one = [1]; let b = big;";
    let map = "let m = #{}; for i in 0..999 { m[`k${i}`] = i; } let one = #{ k1: 1 }; let b = m;";
    check(&[
        (&turn_rules(&format!("let n = 0; for i in 0..200000 {{ {statements} }}")), "endless"),
        (
            &format!("fn strides(n) {{ {statements} n }} {}", turn_rules("for i in 0..200000 { strides(i); }")),
            "endless",
        ),
        (
            &turn_rules(&format!("let n = 0; for i in 0..1000 {{ range(0, 200, 1).map(|x| {{ {statements} x }}); }}")),
            "endless",
        ),
        (&turn_rules(&format!("let n = 0; for i in 0..300000 {{ n = switch n {{ {cases}, _ => 0 }}; }}")), "endless"),
        (&turn_rules(&format!("let l = #{{}}; for i in 0..50000 {{ l = #{{ {parts} }}; }}")), "endless"),
        (&turn_rules(&format!("{list} for i in 0..20000 {{ b = big; b += one; }}")), "endless"),
        (&turn_rules(&format!("{map} for i in 0..20000 {{ b = m; b += one; }}")), "endless"),
        (&turn_rules(&format!("{texts} let b = t; for i in 0..50000 {{ b = t; b += \"x\"; }}")), "endless"),
        (&turn_rules(&format!("{texts} let n = 0; for i in 0..100000 {{ n = t.len; }}")), "endless"),
        (&turn_rules(&format!("{texts} let n = 0; for i in 0..500 {{ for c in t {{ n += 1; }} }}")), "endless"),
    ]);
}

#[test]
fn ordinary_rules_stay_within_the_limits() {
    check_turns(&[
        ("for i in 0..40 { let l = []; for j in 0..999 { l.push(j); } }", "fine"),
        ("let b = []; for i in 0..50 { b.push(range(0, 999, 1)); } let z = 0; for i in 0..1000 { z += 1; }", "fine"),
        ("let n = 0; for i in 0..100000 { n = (n + i) % 7; if n == 3 { n += 1; } }", "fine"),
    ]);
}

#[test]
fn memory_of_all_stack_frames_is_limited() {
    let copies = (0..180).map(|at| format!("let a{at} = big; a{at} += one;")).collect::<Vec<_>>().join(" ");
    let rules = format!(
        "fn down(n, big, one) {{ {copies} if n < 250 {{ down(n + 1, big, one); }} }} {}",
        turn_rules("let big = []; for i in 0..999 { big.push(i); } down(0, big, [1]);")
    );
    check(&[(&rules, "too-large")]);
}

/// Dropping a deeply nested value recurses and could overflow the stack. The first two cases nest lists 200 levels deep without an
/// iteration, call or new list in between, which are the places where depth is usually measured.
#[test]
fn nesting_depth_is_limited_so_that_values_can_be_dropped() {
    let assign_deep = format!("a{} = m; m = a;", "[0]".repeat(200));
    let deep = "let t = []; for i in 0..200 { t = [t]; } let m = [1]; let a = t; for i in 0..110 { a = t; }";
    let rules = turn_rules(&format!("{deep} for i in 0..75 {{ {} }}", format!("a = t; {assign_deep} ").repeat(8)));
    let push_deep = turn_rules(&format!("{deep} for i in 0..75 {{ a = t; a{}.push(m); m = a; }}", "[0]".repeat(200)));
    let one_level_at_a_time = turn_rules("let l = [1]; for i in 0..300 { l = [l]; }");
    let nested_maps = turn_rules("let l = #{ a: 1 }; for i in 0..300 { l = #{ a: l }; }");
    let pushed = turn_rules("let l = [1]; for i in 0..300 { let k = []; k.push(l); l = k; }");
    let below_the_limit = turn_rules("let l = [1]; for i in 0..250 { l = [l]; }");
    check(&[
        (&rules, "too-large"),
        (&push_deep, "too-large"),
        (&one_level_at_a_time, "too-large"),
        (&nested_maps, "too-large"),
        (&pushed, "too-large"),
        (&below_the_limit, "fine"),
    ]);
}

/// A diagnostic prints variables recursively. The nesting of answers must therefore be limited like the nesting of lists.
#[test]
fn nested_answers_are_limited() {
    check(&[(&turn_rules("let l = [1]; loop { l = together(seats, |s| [l]); }"), "too-large")]);
}

/// The parser recurses into nested templates, so their depth is limited like other nesting.
#[test]
fn unterminated_templates_and_comments_are_refused_quickly() {
    let templates = turn_rules(&"`${".repeat(20_000));
    check(&[(&templates, "refused: too-deep")]);
    let comments = parlour::load_texts("sampler", sampler::texts(&"/* ".repeat(20_000))).err().unwrap();
    assert!(comments.0.iter().any(|found| found.code == "syntax" && found.message.contains("comment")));
}

/// Looking up a map entry compares its key, which may be long.
#[test]
fn comparing_long_map_keys_is_charged() {
    let long = "let k = \"a\"; for n in 0..13 { k += k; } let m = #{}; m[k] = 1;";
    let turns = |does: &str, name: &str| turn_rules(&format!("{long} for n in 0..40000 {{ {does} }} {name}"));
    check(&[
        (&turns("let it = m[k];", ""), "endless"),
        (&turns("m[k] = n;", ""), "endless"),
        (&turns("m[k] += 1;", ""), "endless"),
        (&turns("let it = m.len();", ""), "fine"),
    ]);
}

/// Measuring memory walks all values. If this work were not charged, each of these cases would run for many seconds, and some for hours.
#[test]
fn measuring_memory_is_charged() {
    let lists = (0..40).map(|at| format!("let a{at} = [n]; ")).collect::<Vec<_>>().concat();
    let calls = format!(
        "fn down(n, big, more) {{ {lists} if n > 0 {{ return down(n - 1, big, more); }} let x = 0; loop {{ x += 1; if x > 9 {{ x = 0; }} }} }}\n\
         fn turn_of(seat) {{ let big = []; for i in 0..999 {{ big.push(i); }} down(400, big, big); }}"
    );
    let held = "let l = []; for i in 0..60 { let k = []; for j in 0..500 { k.push([j]); } l.push(k); } let x = 0;";
    let texts =
        "let l = []; for i in 0..60 { let k = []; for j in 0..500 { k.push(`t${j}`); } l.push(k); } let x = [];";
    let in_turns = turn_rules(&format!("{held} loop {{ x = 1; }}"));
    let in_lists = turn_rules(&format!("{texts} loop {{ {} }}", "x = [1]; ".repeat(200)));
    let in_maps = turn_rules(&format!("{texts} loop {{ {} }}", "x = #{}; ".repeat(200)));
    check(&[(&calls, "endless"), (&in_turns, "endless"), (&in_lists, "endless"), (&in_maps, "endless")]);
}

/// A step can run each of these statements 300,000 times, but is stopped before it has run one of them 3,000,000 times.
#[test]
fn single_operations_cost_about_the_same_time() {
    let outcome_after = |statement: &str, turns: u32| {
        outcome(&turn_rules(&format!(
            "let n = 0; let m = #{{ a: 1 }}; let p = deck.pieces; let x = 0; loop {{ {} n += 1; if n > {turns} {{ break; }} }}",
            statement.repeat(100)
        )))
    };
    for statement in ["x = m.a; ", "m.a = x; ", "x = p[3].points; ", "x = deck.top.points; ", "x = `${n}`; "] {
        assert_eq!(outcome_after(statement, 3_000), "fine", "{statement}");
        assert_eq!(outcome_after(statement, 30_000), "endless", "{statement}");
    }
}

#[test]
fn iterating_over_options_and_sets_is_charged_per_element() {
    let some = "let l = []; for i in 0..30 { l.push(i); }";
    let often = |made: &str, again: &str| format!("{some} {made} for n in 0..2000 {{ {again} }}");
    let grid = "each_of(#{ a: l, b: l })";
    let cases = [
        (often(&format!("let o = {grid};"), "o + o;"), "endless"),
        (often(&format!("let o = {grid}; let q = {grid};"), "if o == q { seat.cash = 1; }"), "endless"),
        (
            often(
                "let many = deck.pieces; for n in 0..9 { many = many + many; }",
                "if many == many.reversed() { seat.cash = 1; }",
            ),
            "endless",
        ),
        (often("let t = []; for i in 0..900 { t.push(i); }", "for m in 0..9 { let text = `${t}`; }"), "endless"),
        (format!("{some} let o = {grid}; pairs_of(\"lot\", \"price\", o, |x| o);"), "too-many-options"),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(body, expected)| (body.as_str(), *expected)).collect();
    check_turns(&cases);
}

#[test]
fn events_of_a_step_are_limited() {
    for body in ["roll(6);", "cup.top.roll();", "deck.shuffle();", "deck.draw(1, discard); discard.draw(1, deck);"] {
        let game = load_sampler(&turn_rules(&format!("loop {{ {body} }}"))).unwrap();
        let session = Session::start(&game, &Setup::seats(3)).unwrap();
        assert!(matches!(session.status(), Status::Failed(found) if found.code == "endless"), "{body}");
        assert!(session.events().len() < 100_000, "{body}: {}", session.events().len());
    }
}

#[test]
fn deep_recursion_is_stopped() {
    check(&[
        ("fn turn_of(seat) { down(seat); } fn down(seat) { if seat.cash > 0 { down(seat); } }", "too-deep"),
        ("fn turn_of(seat) { one(1); } fn one(n) { if n > 0 { two(n + 1) } } fn two(n) { one(n + 1) }", "too-deep"),
        ("fn turn_of(seat) { down(1); } fn down(n) { [1].map(|x| down(x)); }", "too-deep"),
        ("fn turn_of(seat) { down(1); } fn down(n) { deck.filter(|card| { down(1); true }); }", "too-deep"),
        (
            "fn turn_of(seat) { down(1); } fn down(n) { if n > 0 { 1 + (1 + (1 + (1 + (1 + (1 + (1 + down(n))))))) } }",
            "too-deep",
        ),
        ("fn turn_of(seat) { down(1); } fn down(n) { [1, 2].sort(|a, b| { down(1); true }); }", "too-deep"),
        ("fn turn_of(seat) {} fn score(seat) { if seat.cash > 0 { score(seat) } else { 0 } }", "too-deep"),
        ("fn turn_of(seat) {} fn score(seat) { [1].map(|x| score(seat)); 1 }", "too-deep"),
    ]);
}

#[test]
fn deep_recursion_in_flow_functions_does_not_need_the_callers_stack() {
    let rules = "fn turn_of(seat) {} fn score(seat) { [1].map(|x| [2].map(|y| [3].map(|z| score(seat)))); 1 }";
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let found = small.spawn(move || {
        let game = parlour::load_texts("sampler", sampler::texts(&format!("fn set_up() {{}} {rules}"))).unwrap();
        let session = Session::start(&game, &Setup::seats(3)).unwrap();
        match session.status() {
            Status::Failed(found) => found.code,
            _ => "fine",
        }
    });
    assert_eq!(found.unwrap().join().unwrap(), "too-deep");
}

#[test]
fn sizes_of_texts_lists_and_maps_are_limited() {
    check_turns(&[
        ("let text = \"x\"; loop { text += text; }", "too-large"),
        ("let list = []; loop { list.push(1); }", "too-large"),
        ("let list = [1]; loop { list += list; }", "too-large"),
        ("let list = [1]; loop { list.append(list); }", "too-large"),
        ("let list = [1]; loop { list = [list, list]; }", "too-large"),
        ("let list = []; loop { list = [list]; }", "too-large"),
        ("let list = [1]; for i in 0..40 { list = [list, list]; } let same = list == list;", "too-large"),
        ("let list = [1]; for i in 0..40 { list = [list, list]; } let text = `${list}`;", "too-large"),
        ("let list = [1]; for i in 0..40 { list = [list, list]; } let at = [list].index_of(list);", "too-large"),
        ("let list = [1]; for i in 0..40 { list = [list, list]; } let all = options(list);", "too-large"),
        ("let dict = #{}; let n = 0; loop { dict[`k${n}`] = n; n += 1; }", "too-large"),
        ("let dict = #{ a: 1 }; loop { dict = #{ a: dict, b: dict }; }", "too-large"),
        ("let list = []; loop { list.insert(0, seat); }", "too-large"),
        ("let list = deck.pieces; loop { list += deck.pieces; }", "too-long"),
    ]);
}

/// The syntax tree of a chain of operators or method calls is as deep as the chain is long.
#[test]
fn long_operator_chains_and_deep_closures_are_refused() {
    let (sum, chain) = (vec!["1"; 8_000].join(" + "), format!("(1){}", ".abs()".repeat(8_000)));
    let (all, closures) = (vec!["true"; 8_000].join(" && "), format!("{}x", "|x| ".repeat(40)));
    for text in [sum, chain, all, closures] {
        let rules = format!("fn set_up() {{}} fn turn(seat) {{}} fn odd() {{ {text} }}");
        let found = parlour::load_texts("sampler", sampler::texts(&rules)).err().unwrap();
        assert!(found.0.iter().any(|found| found.code == "too-deep"), "{found}");
    }
}

#[test]
fn a_file_with_too_many_functions_is_reported_once() {
    let rules = (0..1_100).map(|n| format!("fn f{n}(x) {{ x }}\n")).collect::<Vec<_>>().concat();
    let found = parlour::load_texts("sampler", sampler::texts(&rules)).err().unwrap();
    assert_eq!(found.0.iter().filter(|found| found.code == "too-many").count(), 1, "{found}");
}

/// A chain of 490 operators, nearly the documented maximum, needs no more registers than a single operator.
#[test]
fn operator_chains_up_to_the_documented_length_work() {
    let row = |one: &str, between: &str| vec![one; 490].join(between);
    let chain: Vec<String> = (2..50).map(|n| format!("else if n == {n} {{ n = 0; }}")).collect();
    check_turns(&[
        (&format!("let n = 1; if {} != 490 {{ n = 1 / 0; }}", row("n", " + ")), "fine"),
        (&format!("let n = 1; n = {}; if n != -488 {{ n = 1 / 0; }}", row("n", " - ")), "fine"),
        (&format!("let n = 1; if {} {{ n = 1 / 0; }}", row("n == 2", " || ")), "fine"),
        (&format!("let n = 1; let m = (); if ({}) != () {{ n = 1 / 0; }}", row("m", " ?? ")), "fine"),
        (&format!("let n = 1; let text = {}; if text.len() != 490 {{ n = 1 / 0; }}", row("\"x\"", " + ")), "fine"),
        (&format!("let n = 1; if n == 1 {{ n = 2; }} {}", chain.join(" ")), "fine"),
    ]);
}

/// Game in which each event contains a list of 100 numbers.
const LISTS: &str = r#"
[game]
id = "lists"
players = { min = 2, max = 2 }
[values.seat]
plan = { type = ["number"], most = 100 }
[decisions.act]
ask = "What now?"
[flow]
rounds = 500
round = ["play"]
[phases.play]
steps = [{ each_seat = "act" }]
[endings.over]
name = "Over"
"#;

/// The memory limit includes the contents of events. The game faults at the same answer, whether or not its events are stored.
#[test]
fn memory_of_events_is_limited() {
    let rules = "fn act(seat) { let plan = []; for n in 0..100 { plan.push(n); } \
                 for n in 0..4000 { plan[0] = n; seat.plan = plan; } choose(seat, \"act\", [1, 2]); } fn score(seat) { 0 }";
    let texts = [("game.toml", LISTS), ("rules/play.rhai", rules)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let game = parlour::load_texts("lists", texts.to_vec()).unwrap_or_else(|found| panic!("{found}"));
    let play = |keeps: bool| {
        let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
        if !keeps {
            session.keep_no_way_back();
        }
        let mut answers = 0;
        while session.decision().is_some() {
            session.choose(0).unwrap();
            answers += 1;
        }
        let Status::Failed(found) = session.status() else { panic!("the game continued") };
        (found.code, answers, session.events().len())
    };
    let (code, answers, events) = play(true);
    assert_eq!(code, "too-large");
    assert!(events < 25_000, "{events}");
    assert_eq!(play(false), (code, answers, 0));
}

#[test]
fn messages_name_the_exceeded_limit() {
    let message = |rules: &str| {
        let game = load_sampler(rules).unwrap();
        let players = (0..3).map(|_| Box::new(FirstOption) as Box<dyn Player>).collect();
        let found = game.play(&Setup::seats(3), players, true).unwrap().outcome.err().unwrap();
        found.message
    };
    assert_eq!(
        message("fn turn_of(seat) { down(0); } fn down(n) { let list = [2, 1]; list.sort(|a, b| down(n + 1) > a); n }"),
        "functions of the library, as `sort`, that call functions lie within each other more than 64 levels deep"
    );
    assert_eq!(
        message("fn turn_of(seat) { down(0); } fn down(n) { if n >= 0 { down(n + 1); } }"),
        "functions call each other more than 512 levels deep"
    );
}

/// Returns blocks and expressions of several kinds, each nested `times` levels deep.
fn nested(times: usize) -> [String; 8] {
    let around = |begins: &str, inside: &str, ends: &str| [&begins.repeat(times), inside, &ends.repeat(times)].concat();
    [
        around("if n == 0 { ", "n += 1;", " }"),
        around("for x in 0..2 { ", "n += 1; if n > 9 { n = 0; }", " }"),
        around("while n < 9 { ", "n += 1;", " }"),
        around("do { ", "n += 1;", " } while n < 9;"),
        around("switch n { 0 => ", "1", ", _ => 2 }"),
        around("(", "n", ")"),
        around("[", "n", "]"),
        around("max(1, ", "n", ")"),
    ]
}

#[test]
fn nesting_of_syntax_is_limited() {
    let load = |text: &str| {
        let rules = format!("fn set_up() {{}} fn turn_of(seat) {{ odd(); }} fn odd() {{ let n = 0; {text} }}");
        parlour::load_texts("sampler", sampler::texts(&rules)).map_err(|found| found.to_string())
    };
    for text in nested(24) {
        assert!(load(&text).is_ok(), "{text}: {:?}", load(&text).err());
    }
    for text in nested(200) {
        let found = load(&text).err().unwrap_or_default();
        assert!(found.starts_with("error[too-deep]"), "{text}: {found}");
    }
}

#[test]
fn index_assignments_count_towards_memory() {
    let fill = "let big = []; for n in 0..999 { big.push(n); } let all = big; let most = big;";
    check_turns(&[
        (&format!("{fill} for n in 0..999 {{ all[n] = big; }}"), "too-large"),
        (
            &format!("{fill} loop {{ for n in 0..999 {{ all[n] = big; }} for n in 0..999 {{ most[n] = all; }} }}"),
            "too-large",
        ),
        (&format!("{fill} let dict = #{{}}; for n in 0..999 {{ dict[`k${{n}}`] = big; }}"), "too-large"),
        (&format!("{fill} let dict = #{{}}; for n in 0..100000 {{ dict[`k${{n}}`] = n; }}"), "too-large"),
        (
            "let text = \"0123456789abcdef\"; for n in 0..9 { text += text; } let dict = #{}; for n in 0..9999 { dict[`k${n}`] = text + n; }",
            "too-large",
        ),
    ]);
}

#[test]
fn numbers_of_options_are_limited() {
    check_turns(&[
        (
            "let n = 0; let some = options([]); loop { let list = []; for i in 0..1000 { list.push(n); n += 1; } some = some + options(list); }",
            "endless",
        ),
        ("let some = options([1, 2]); loop { some = each_of(#{ a: some }); }", "too-many-options"),
        ("let some = options([1, 2]); loop { some = each_of(#{ a: some, b: some }); }", "too-many-options"),
        ("choose_number(seat, \"pick\", 0, 9223372036854775807);", "too-many-options"),
        ("choose_number(seat, \"pick\", -9223372036854775807, 9223372036854775807);", "too-many-options"),
        (
            "let list = []; for n in 0..300 { list.push(n); } choose_some(seat, \"pick\", each_of(#{ a: list, b: list }), 1, 1);",
            "too-many-options",
        ),
        (
            "let list = []; for n in 0..100 { list.push(n); } choose(seat, \"pick\", each_of(#{ a: list, b: list, c: list, d: list, e: list, f: list, g: list, h: list, i: list, j: list }));",
            "too-many-options",
        ),
        (
            "let list = []; for n in 0..400 { list.push(n); } let all = pairs_of(\"a\", \"b\", list, |x| list); loop { all = all + all; }",
            "too-many-options",
        ),
    ]);
}

/// The operations between two answers are limited, but a step may ask many times. Each time, the options could get longer texts.
#[test]
fn texts_of_options_count_towards_memory() {
    let longer = "let l = []; for n in 0..60 { l.push(`${text}${k}`); k += 1; } some = some + options(l);";
    check_turns(&[(
        &format!(
            "let text = \"0123456789abcdef\"; for n in 0..9 {{ text += text; }} let some = options([]); let k = 0; \
             loop {{ {longer} choose(seat, \"pick\", [1, 2]); }}"
        ),
        "too-large",
    )]);
}

#[test]
fn comparison_functions_may_fault_but_not_ask() {
    check_turns(&[
        ("let list = [3, 1, 2]; list.sort(|a, b| fault(\"no\"));", "fault"),
        ("let list = [3, 1, 2]; list.sort(|a, b| a / 0 > b);", "arithmetic"),
        ("let list = [3, 1, 2]; list.sort(|a, b| confirm(seat, \"sure\"));", "refused: choice-out-of-place"),
        ("let list = [seat, seat]; let less = |a, b| confirm(a, \"sure\"); list.sort(less);", "choice-out-of-place"),
        ("let list = [3, 1, 2]; list.sort(|a, b| 1);", "refused: wrong-type"),
        ("let list = [3, \"x\", seat, ()]; list.sort(); ", "wrong-type"),
    ]);
}

#[test]
fn closures_must_not_be_stored() {
    check_turns(&[
        ("let f = || 0; loop { let g = f; f = || g; }", "refused: kept-function"),
        ("let dict = #{ f: 0 }; dict.f = || dict;", "refused: kept-function"),
        ("let list = []; list.push(|x| x + seat.cash);", "refused: kept-function"),
        ("let f = [1].map(|x| || seat);", "refused: kept-function"),
        ("loop { break |x| x + seat.cash; }", "refused: kept-function"),
        ("if seat.cash > 1 { return |x| x + seat.cash; }", "refused: kept-function"),
    ]);
}

#[test]
fn arithmetic_overflow_is_a_fault() {
    let most = "9223372036854775807";
    check_turns(&[
        (&format!("let n = {most} + seat.cash;"), "arithmetic"),
        (&format!("let n = -{most} - 1 - seat.cash;"), "arithmetic"),
        (&format!("let n = {most} * seat.cash;"), "arithmetic"),
        (&format!("let n = (-{most} - 1) / -1;"), "arithmetic"),
        (&format!("let n = divide_up(-{most} - 1, -1);"), "arithmetic"),
        (&format!("let n = divide_down(-{most} - 1, -1);"), "arithmetic"),
        ("let n = divide_up(1, 0);", "arithmetic"),
        (&format!("let n = abs(-{most} - 1);"), "arithmetic"),
        (&format!("for seat in seats {{ seat.cash = {most}; }} let all = seats.sum(\"cash\");"), "arithmetic"),
        (&format!("let list = [1]; let one = list[{most}];"), "out-of-range"),
        (&format!("let one = deck.pieces[{most}];"), "out-of-range"),
        (&format!("let next = track[1].along({most});"), "fine"),
        (&format!("let next = track[5].along(-{most});"), "fine"),
        (&format!("let n = roll({most});"), "no-faces"),
        ("let n = roll(0);", "no-faces"),
        (&format!("let column = board.column({most});"), "fine"),
        (&format!("for n in 0..9 {{ tally(\"much\", {most}); }}"), "fine"),
        (&format!("game.trend = {most}; game.trend += 1;"), "arithmetic"),
    ]);
}

#[test]
fn deeply_nested_lists_can_be_compared_chosen_and_dropped() {
    let nest = "let list = []; for n in 0..200 { list = [list]; }";
    check_turns(&[
        (&format!("{nest} let other = list; let same = list == other;"), "fine"),
        (&format!("{nest} let text = `${{list}}`;"), "fine"),
        (&format!("{nest} choose(seat, \"pick\", [1, list]);"), "fine"),
        (&format!("{nest} deck.where(\"points\", list);"), "fine"),
        ("let list = []; for n in 0..900 { list = [list]; }", "too-large"),
        (&format!("let list = []; {}", "list = [list]; ".repeat(900)), "too-large"),
        (&format!("let list = []; {}", "let next = []; next.push(list); list = next; ".repeat(100)), "fine"),
    ]);
}

#[test]
fn fault_and_ensure_stop_the_game() {
    check_turns(&[("fault(\"never\");", "fault"), ("ensure(false, \"never\");", "broken-invariant")]);
}

/// Repeats a text, with `N` replaced by the index, and joins the copies with `between`.
fn repeated(count: usize, what: &str, between: &str) -> String {
    (0..count).map(|at| what.replace('N', &at.to_string())).collect::<Vec<_>>().join(between)
}

#[test]
fn literals_up_to_the_limits_are_accepted() {
    let list = |count| format!("let l = [{}]; ensure(l.len() == {count}, \"\");", repeated(count, "N", ","));
    let map = |count| format!("let m = #{{{}}}; ensure(m.k99 == 99, \"\");", repeated(count, "kN: N", ","));
    let text = |count| format!("let a = 7; ensure(`{}`.len() == {count}, \"\");", repeated(count, "${a}", ""));
    let chain = |count, link| format!("let s = \"ab\"; ensure(s{}.len() == 2, \"\");", repeated(count, link, ""));
    let else_ifs = |count| format!("let n = 1; if n == 0 {{}} {}", repeated(count, "else if n == N { n = 2; }", ""));
    let blocks = |count: usize, before: &str, behind: &str| {
        format!("let n = 1; {}7{}", before.repeat(count), behind.repeat(count))
    };
    for (body, expected) in [
        (list(1_000), "fine"),
        (list(1_001), "refused: too-large"),
        (map(100), "fine"),
        (map(1_000), "fine"),
        (map(1_001), "refused: too-large"),
        (text(200), "fine"),
        (text(1_000), "fine"),
        (chain(498, ".to_upper()"), "fine"),
        (chain(60, ".sub_string(0)"), "fine"),
        (chain(200, ".sub_string(0)"), "refused: too-many"),
        (else_ifs(58), "fine"),
        (else_ifs(100), "refused: too-deep"),
        (blocks(29, "if n == 1 { ", "}"), "fine"),
        (blocks(100, "if n == 1 { ", "}"), "refused: too-deep"),
        (blocks(29, "switch n { 1 => { ", "}}"), "fine"),
        (blocks(100, "switch n { 1 => { ", "}}"), "refused: too-deep"),
    ] {
        check_turns(&[(&body, expected)]);
    }
}

#[test]
fn the_smallest_integer_literal_is_accepted_everywhere() {
    check_turns(&[
        (
            "let n = switch seat.number { _ => -9223372036854775808 }; ensure(n + 1 == -9223372036854775807, \"\");",
            "fine",
        ),
        ("let n = loop { break -9_223_372_036_854_775_808 }; ensure(n + 1 == -9223372036854775807, \"\");", "fine"),
        ("switch -9223372036854775808 { -9223372036854775808 => 1, _ => ensure(false, \"\") }", "fine"),
        ("let n = -9223372036854775809;", "refused: syntax"),
        ("let n = 0; n - 9223372036854775808", "refused: syntax"),
    ]);
}

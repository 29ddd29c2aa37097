//! Tests that an agent that rates options keeps the best-rated subset when it picks several of them.

use super::spec;
use parlour::session::{Game, Setup};

fn game(least: u32, most: u32, agent: &str) -> Game {
    let game = format!(
        r#"
[game]
id = "heur"
players = {{ min = 1, max = 1 }}
[zones.row]
shape = "row"
spaces = 4
[zones.bag_]
shape = "hand"
starts_with = ["card"]
[values.seat]
points = 0
[decisions.keep]
ask = "Which of them for {{worth}}?"
tell = "{{seat}} keeps {{choice}}"
[flow]
setup = ["lay_out"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{{ each_seat = "turn" }}]
[params]
least = {{ value = {least} }}
most = {{ value = {most} }}
"#
    );
    let cards = "[[card]]\nid = \"c{n}\"\neach.n = [9, 10, 8, 1]\n";
    let rules = "fn lay_out() {\n    let at = 1;\n    for n in [9, 10, 8, 1] { bag_.find(\"n\", n).move_to(row[at], \"up\"); at += 1; }\n}\n\
        fn turn(seat) { seat.points = choose_some(seat, \"keep\", #{ worth: 8 }, row.pieces, least, most).sum(\"n\"); }\n\
        fn score(seat) { seat.points }\n";
    let texts = [
        ("game.toml", &*game),
        ("components/card.toml", cards),
        ("rules/play.rhai", rules),
        ("agents/greedy.rhai", agent),
    ];
    parlour::load_texts("heur", texts.map(|(path, text)| (path.to_owned(), text.to_owned())))
        .unwrap_or_else(|found| panic!("{found}"))
}

/// Returns the scores of an agent for different seeds.
fn scores(least: u32, most: u32, agent: &str, name: &str) -> Vec<i64> {
    let game = game(least, most, agent);
    let score = |seed| {
        let players = vec![spec(&game, name).player(seed, 0)];
        let played = game.play(&Setup::seats(1).seed(seed), players, false).unwrap();
        played.outcome.unwrap_or_else(|fault| panic!("{}", fault.message)).standings[0].score
    };
    (0..8).map(score).collect()
}

const BY_NUMBER: &str = "fn rate_keep(seat, option) { if option == () { 0 } else { option.n } }\n";

#[test]
fn greedy_picks_the_best_rated_subset() {
    assert_eq!(scores(2, 2, BY_NUMBER, "greedy"), [19; 8], "18 before: 9 was given up for 10");
    assert_eq!(scores(0, 4, BY_NUMBER, "greedy"), [28; 8], "19 before");
}

#[test]
fn items_rated_below_done_are_picked_only_up_to_the_minimum() {
    let above_eight =
        "fn rate_keep(seat, option) { if option == () { 8 } else if option.n == 8 { 7 } else { option.n } }\n";
    assert_eq!(scores(0, 4, above_eight, "greedy"), [19; 8]);
    assert_eq!(scores(3, 4, above_eight, "greedy"), [27; 8]);
}

#[test]
fn ties_are_broken_at_random_unless_the_agent_defines_ties() {
    let alike = "fn rate_keep(seat, option) { 0 }\n";
    let mut drawn = scores(2, 2, alike, "greedy");
    drawn.sort_unstable();
    drawn.dedup();
    assert!(drawn.len() > 2, "{drawn:?}");
    let first = "fn rate_keep(seat, option) { 0 }\nfn ties() { \"first\" }\n";
    assert_eq!(scores(2, 2, first, "greedy"), [19; 8]);
    let other = "fn rate_keep(seat, option) { 0 }\nfn ties() { \"last\" }\n";
    let game = game(2, 2, other);
    let played = game.play(&Setup::seats(1), vec![spec(&game, "greedy").player(1, 0)], false).unwrap();
    assert!(played.outcome.unwrap_err().message.contains("`ties` must return"));
}

#[test]
fn subsets_are_rated_pick_by_pick() {
    // Even items are rated by their number and odd items by 1, so the two largest even items are kept.
    let agent =
        "fn rate_keep(seat, option) { if option == () { 0 } else if option.n % 2 == 0 { option.n } else { 1 } }\n";
    assert_eq!(scores(2, 2, agent, "greedy"), [18; 8]);
}

#[test]
fn rate_functions_can_take_the_facts_of_the_question() {
    let of_facts = "fn rate_keep(seat, option, facts) { if option == () { 0 } else { -abs(option.n - facts.worth) } }\n\
        fn abs(n) { if n < 0 { -n } else { n } }\n";
    assert_eq!(scores(1, 1, of_facts, "greedy"), [8; 8]);
    let considered = "fn consider_keep(seat, facts) { facts.worth }\n\
        fn rate_keep(seat, option, worth, facts) { if option == () { 0 } else if option.n == worth + facts.worth - 7 { 5 } else { 0 } }\n";
    assert_eq!(scores(1, 1, considered, "greedy"), [9; 8]);
}

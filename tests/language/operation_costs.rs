//! Checks that library functions are charged operations in proportion to the number of items over which they iterate.

use crate::sampler;
use crate::sampler_outcome::{load_sampler, play_inline, turn_rules};
use rayon::prelude::*;

/// 20,000 calls with large arguments exceed the operation limit of a step. With small arguments they do not, which is not checked for sets
/// of pieces.
#[test]
fn native_functions_cost_more_for_large_arguments() {
    let words = [
        "dict.keys()",
        "dict.values()",
        "dict.contains(\"k1\")",
        "dict.to_string()",
        "dict == dict",
        "dict + dict",
        "list.to_string()",
        "list.contains(-1)",
        "list.index_of(-1)",
        "list == list",
        "list != list",
        "list.sort()",
        "list.reverse()",
        "list.dedup()",
        "list.splice(0, 1, [0])",
        "list.extract(0)",
        "list.extract(1, 1)",
        "list.insert(0, list.pop())",
        "list.push(list.shift())",
        "list.remove(0); list.push(0)",
        "list.truncate(10000)",
        "list.chop(10000)",
        "-1 in list",
        "\"z\" in text",
        "list.count()",
        "list.any_of()",
        "options(list)",
        "text.to_upper()",
        "text.to_lower()",
        "text.trim()",
        "text.split(\"zz\")",
        "text.contains(\"zz\")",
        "text.index_of(\"zz\")",
        "text.starts_with(text)",
        "text.ends_with(text)",
        "text.sub_string(1)",
        "text.to_string()",
        "text == text + \"\"",
        "text < text",
        "`${text}`",
        "text.len()",
        "pieces.count()",
        "pieces.reversed()",
        "pieces.without(deck.top)",
        "pieces.without(pieces)",
        "pieces.contains(deck.top)",
        "pieces.take(1)",
        "pieces.first",
        "pieces.last",
        "pieces.sum(\"points\")",
        "pieces.sort_by(\"points\")",
        "pieces.different(\"points\")",
        "pieces.with_most(\"points\")",
        "pieces.with_least(\"points\")",
        "pieces.largest(\"points\")",
        "pieces.where(\"points\", 99)",
        "pieces.find(\"points\", 99)",
        "pieces.is_empty()",
        "pieces + pieces",
        "pieces.remove(deck.top)",
    ];
    let fill = |many: usize, text: usize| {
        format!(
            "let list = []; let dict = #{{}}; for n in 0..{many} {{ list.push(n); dict[`k${{n}}`] = n; }}
             let text = \"k,\"; for n in 0..{text} {{ text += text; }}
             let pieces = deck.pieces; for n in 0..{text} {{ if pieces.count() < 2000 {{ pieces = pieces + pieces; }} }}"
        )
    };
    let outcome_of_repeating = |word: &str, many, text| {
        let keep = if word.contains(';') { format!("{word};") } else { format!("let it = {word};") };
        let rules = turn_rules(&format!("{} for n in 0..20000 {{ {keep} }} end_game(\"over\");", fill(many, text)));
        load_sampler(&rules).map_or_else(|refused| refused, |game| play_inline(&game))
    };
    let wrong: Vec<String> = words
        .iter()
        .filter_map(|word| {
            let (large, small) = (outcome_of_repeating(word, 900, 12), outcome_of_repeating(word, 3, 1));
            let is_right = large == "endless" && (small == "fine" || word.contains("pieces."));
            (!is_right).then(|| format!("{word}: {large} with large arguments, {small} with small ones"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the files of the sampler with thousands of cards, a large board and map, long rows and many lots.
fn enlarged_sampler(rules: &str) -> Vec<(String, String)> {
    let grown = [
        ("[zones.lots]\nshape = \"pile\"\ncopies = 3", "[zones.lots]\nshape = \"pile\"\ncopies = 400"),
        ("spaces = 5", "spaces = 900"),
        ("columns = 3\nrows = 3", "columns = 40\nrows = 40"),
        ("columns = [-2, 3]\nrows = [-2, 3]", "columns = [-20, 20]\nrows = [-20, 20]"),
        ("count = 3", "count = 1000"),
        ("points = 2\nalters", "count = 1000\npoints = 2\nalters"),
        (
            "cells = [\"F F\", \"F W\"]\nroads = [\"grove\"]\ncount = 2",
            "cells = [\"F F\", \"F W\"]\nroads = [\"grove\"]\ncount = 300",
        ),
        ("fits = [\"blue\"]\ncount = 2", "fits = [\"blue\"]"),
    ];
    let mut texts = sampler::texts(rules);
    for (_, text) in &mut texts {
        for (small, large) in grown {
            *text = text.replace(small, large);
        }
    }
    texts
}

/// Functions that iterate, each with a call that iterates over a large collection. An entry with an empty call is not run.
const ITERATING: &[(&str, &str)] = &[
    ("choose", "choose(seat, \"pick\", [pieces])"),
    ("choose_if_any", "choose_if_any(seat, \"pick\", [pieces])"),
    ("choose_or_pass", "choose_or_pass(seat, \"pick\", [pieces].filter(|one| one.count() < 0))"),
    ("choose_some", "choose_some(seat, \"pick\", [pieces], 1, 1)"),
    ("choose_order", "choose_order(seat, \"pick\", [pieces])"),
    ("each_of", "each_of(#{ a: list, b: list })"),
    ("pairs_of", "pairs_of(\"a\", \"b\", [1], |one| list)"),
    ("options", "options(pieces)"),
    ("+", "pieces + pieces"),
    ("==", "pieces == deck.pieces"),
    ("!=", "pieces != deck.pieces"),
    ("pieces", "deck.pieces"),
    ("pieces", "deck.top.space.pieces"),
    ("pieces", "lots.pieces"),
    ("pieces", "board.spaces.pieces"),
    ("spaces", "board.spaces"),
    ("spaces", "lots.spaces"),
    ("empty", "board.empty"),
    ("empty", "board.spaces.empty"),
    ("beyond", "track.beyond"),
    ("labels", "board.spaces.labels"),
    ("is_full", "board.is_full()"),
    ("column", "board.column(1)"),
    ("row", "board.row(1)"),
    ("at", "board.at(1, 1)"),
    ("[]", "board[[40, 40]]"),
    ("count", "deck.count(\"suit\", \"red\")"),
    ("where", "deck.where(\"suit\", \"red\")"),
    ("find", "deck.find(\"points\", 99)"),
    ("sum", "deck.sum(\"points\")"),
    ("largest", "deck.largest(\"points\")"),
    ("smallest", "deck.smallest(\"points\")"),
    ("with_most", "deck.with_most(\"points\")"),
    ("with_least", "deck.with_least(\"points\")"),
    ("sort_by", "deck.sort_by(\"points\")"),
    ("different", "deck.different(\"points\")"),
    ("contains", "deck.contains(deck.bottom)"),
    ("in", "deck.bottom in deck"),
    ("!in", "deck.bottom !in deck"),
    ("without", "deck.without(deck.bottom)"),
    ("without", "pieces.without(pieces)"),
    ("take", "deck.take(2000)"),
    ("reversed", "deck.reversed()"),
    ("push", "pieces.push(pieces.shift())"),
    ("shift", "pieces.push(pieces.shift())"),
    ("remove", "pieces.remove(deck.bottom); pieces.push(deck.bottom)"),
    ("total", "total(#{ a: list })"),
    ("sort", "list.sort(|a, b| a < b)"),
    ("filter", "deck.filter(|card| false)"),
    ("some", "deck.some(|card| false)"),
    ("all", "deck.all(|card| true)"),
    ("map", "list.map(|one| one)"),
    ("best_assignment", "deck.take(40).best_assignment(\"fits\", |suit, many| many)"),
    ("components", "components(\"card\").within(9, \"roads\").count() + pieces.count()"),
    ("altered", "altered(\"upkeep\", 1, deck.pieces, #{})"),
    ("trigger", "trigger(\"struck\", first);"),
    ("suppose", "suppose(|| 1)"),
    ("respond", ""),
    ("altered", "altered(\"upkeep\", 1, first)"),
    ("altering", "altering(\"upkeep\", first, #{})"),
    ("move_to", "deck.move_to(discard); discard.move_to(deck)"),
    ("move_under", "deck.move_under(deck)"),
    ("swap", "swap(deck.top, deck.bottom)"),
    ("at_once", "at_once(|| deck.move_to(discard)); at_once(|| discard.move_to(deck))"),
    ("pass_left", "seats.pass_left(\"charms\");"),
    ("pass_right", "seats.pass_right(\"charms\");"),
    ("shuffle", "deck.shuffle()"),
    ("draw", "deck.draw(discard); discard.move_to(deck)"),
    ("draw_up_to", "deck.draw_up_to(9, discard); discard.move_to(deck)"),
    ("turn_up", "deck.turn_up(); deck.turn_down()"),
    ("turn_down", "deck.turn_up(); deck.turn_down()"),
    ("reveal", "deck.reveal()"),
    ("show", "deck.show(seat)"),
    ("narrow", "deck.narrow(\"card\")"),
    ("learn", "seats.learn(deck, || true);"),
    ("above", "track[1].above()"),
    ("resting", "board.resting(\"s\")"),
    ("steps", "steps(pieces, [\"n\", \"e\", \"s\", \"w\"], \"any\")"),
    ("laid", "map.laid"),
    ("standing_on", "pieces.standing_on(board.spaces)"),
    ("printed", "tiles.pieces.printed(\"land\", \"field\")"),
    ("region", "map.at(1, 1).region(\"land\")"),
    ("regions", "map.regions(\"land\")"),
    ("within", "board.at(1, 1).within(1, board.spaces)"),
    ("distance", "board.at(1, 1).distance(board.at(2, 3), board.spaces)"),
    ("connected", "board.at(1, 1).connected(board.spaces)"),
    ("placements", "placements(map, tiles.top, [\"beside\"])"),
    ("not_covering", "laying.not_covering(map.laid)"),
    ("keeping_size", "laying.keeping_size(\"land\", \"size\", map.laid)"),
    ("not_growing", "laying.not_growing(\"land\", \"size\", map.laid, map.laid)"),
    ("joining", "laying.joining(\"land\", map.laid, map.laid)"),
    ("not_joining", "laying.not_joining(\"land\", map.laid, map.laid)"),
    ("outcomes", "laying.outcomes(\"land\", \"size\", map.laid)"),
    ("region_after", "placing.region_after(\"land\", map.at(1, 1))"),
    ("seen_after", "placing.seen_after()"),
    ("covered_after", "placing.covered_after()"),
    ("any_of", "pieces.any_of()"),
    ("say", "say(\"pays\", #{ seat: seat, price: pieces })"),
    ("append", "let more = []; more.append(list)"),
    ("insert", "list.insert(0, 1); list.pop()"),
    ("pop", "let rest = list; rest.pop()"),
    ("truncate", "let rest = list; rest.truncate(1)"),
    ("chop", "let rest = list; rest.chop(1)"),
    ("splice", "let rest = []; rest.splice(0, 0, list)"),
    ("splice", "let rest = []; rest.splice(0..0, list)"),
    ("reverse", "list.reverse()"),
    ("dedup", "list.dedup()"),
    ("retain", "list.retain(|one| true)"),
    ("drain", "list.drain(|one| false)"),
    ("index_of", "list.index_of(-1)"),
    ("index_of", "list.index_of(|one| false)"),
    ("extract", "list.extract(0)"),
    ("extract", "list.extract(0..900)"),
    ("find_map", "list.find_map(|one| ())"),
    ("reduce", "list.reduce(|so_far, one| one)"),
    ("zip", "list.zip(list, |one, other| one)"),
    ("keys", "map_of_many.keys()"),
    ("values", "map_of_many.values()"),
    ("get", "text.get(8000)"),
    ("starts_with", "text.starts_with(text)"),
    ("ends_with", "text.ends_with(text)"),
    ("sub_string", "text.sub_string(1)"),
    ("split", "text.split(\"b\")"),
    ("to_upper", "text.to_upper()"),
    ("to_lower", "text.to_lower()"),
    ("trim", "let bare = text; bare.trim()"),
    ("to_string", "list.to_string()"),
    ("range", "range(0, 900, 1)"),
    ("stack", ""),
    ("put", ""),
    ("clear", ""),
];

/// Functions that access only a few items (seats, neighbors, one piece or one number), independent of the size of the game. `lay` and
/// `line` are limited by the size of a tile or a line.
const CONSTANT_TIME: &[&str] = &[
    "-",
    "*",
    "/",
    "%",
    "**",
    "..",
    "..=",
    "??",
    "!",
    "&&",
    "||",
    "<",
    "<=",
    ">",
    ">=",
    "choose_number",
    "confirm",
    "together",
    "is_empty",
    "len",
    "abs",
    "sign",
    "min",
    "max",
    "is_odd",
    "is_even",
    "is_zero",
    "start",
    "end",
    "turn_order",
    "next",
    "previous",
    "others",
    "set_first",
    "eliminate",
    "is_eliminated",
    "top",
    "bottom",
    "pieces_of",
    "first",
    "last",
    "component",
    "fact",
    "neighbors",
    "around",
    "step",
    "along",
    "ray",
    "line",
    "between",
    // The sampler has only two lanes. The search itself is charged and limited.
    "longest_path",
    "lay",
    "tile",
    "cells",
    "roll",
    "again",
    "next_turn",
    "last_round",
    "end_game",
    "ends_as",
    "tally",
    "fault",
    "ensure",
    "at_least",
    "at_most",
    "divide_up",
    "divide_down",
    "seats",
    "team",
    "teams",
    "players",
    "active",
    "round",
    "game",
    "number",
    "id",
    "kind",
    "owner",
    "zone",
    "space",
    "is_up",
    "turned",
    "shown",
    "label",
    "x",
    "y",
    "seat",
    "of",
];

/// Every function of the reference is in one of the two lists. 4,000 repetitions of a call in [`ITERATING`] exceed the operation limit of a
/// step.
#[test]
fn every_function_is_charged_for_what_it_iterates_over() {
    let words: std::collections::BTreeSet<String> = parlour::script::Host::vocabulary()
        .into_iter()
        .map(|word| if word.form == parlour::script::Form::Index { "[]".to_owned() } else { word.name })
        .collect();
    let listed =
        |word: &String| ITERATING.iter().any(|(known, _)| known == word) || CONSTANT_TIME.contains(&word.as_str());
    let unlisted: Vec<&String> = words.iter().filter(|word| !listed(word)).collect();
    assert!(unlisted.is_empty(), "add these to `ITERATING` or `CONSTANT_TIME`: {unlisted:?}");
    let outcome = |call: &str| {
        let keep = if call.contains(';') { format!("{call};") } else { format!("let it = {call};") };
        let rules = format!(
            "fn set_up() {{ tiles.top.lay(map.at(1, 1), 0, \"beside\"); deck.take(900).move_to(first.charms); }}
                 fn turn_of(seat) {{
                     for n in 0..890000 {{ }}
                     let list = []; for n in 0..900 {{ list.push(n); }}
                     let text = \"a\"; for n in 0..13 {{ text += text; }}
                     let map_of_many = #{{}}; for n in 0..900 {{ map_of_many[`${{n}}`] = n; }}
                     let pieces = deck.pieces;
                     let laying = placements(map, tiles.take(9), [\"beside\", \"over\", \"under\"]);
                     let placing = #{{ piece: tiles.top, to: map.at(1, 1), turned: 0, way: \"over\" }};
                     for n in 0..4000 {{ {keep} }}
                     end_game(\"over\");
                 }}"
        );
        let game =
            parlour::load_texts("sampler", enlarged_sampler(&rules)).unwrap_or_else(|found| panic!("{call}\n{found}"));
        play_inline(&game)
    };
    let calls = ITERATING.par_iter().filter(|(_, call)| !call.is_empty());
    let wrong = calls.filter(|(_, call)| outcome(call) != "endless").map(|(word, call)| format!("`{word}`: {call}"));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(outcome("seat.cash"), "fine", "calls in constant time do not exhaust a step");
}

/// Plays a game with a deck of 8,000 cards, which is nearly the maximum, and the given body of `set_up`. Returns `fine` or the code of the
/// fault.
fn play_with_large_deck(set_up: &str) -> String {
    const GAME: &str = "
[game]
id = \"many\"
players = { min = 3, max = 3 }
[zones.deck]
shape = \"pile\"
starts_with = [\"card\"]
[zones.hand]
per = \"seat\"
shape = \"hand\"
in_force = true
[altered]
upkeep = \"What a seat pays\"
[flow]
setup = [\"set_up\"]
round = [\"play\"]
[phases.play]
steps = [{ each_seat = \"turn_of\" }]
[endings.over]
";
    let cards = [1, 2, 3, 4, 5, 6, 7, 8].map(|card| format!("[[card]]\nid = \"card_{card}\"\ncount = 1000\n")).concat();
    let rules =
        format!("fn set_up() {{ {set_up} }}\nfn turn_of(seat) {{ end_game(\"over\"); }}\nfn score(seat) {{ 0 }}\n");
    let texts = [("game.toml", GAME), ("components/cards.toml", &cards), ("rules/play.rhai", &rules)];
    let game = parlour::load_texts("many", texts.map(|(path, text)| (path.to_owned(), text.to_owned())))
        .unwrap_or_else(|found| panic!("{found}"));
    play_inline(&game)
}

#[test]
fn large_decks_can_be_dealt_but_endless_loops_are_stopped() {
    let deal = "for seat in seats { deck.draw(2600, seat.hand); }";
    let again = format!("{deal} for seat in seats {{ seat.hand.move_to(deck); }} deck.shuffle(); {deal}");
    assert_eq!(play_with_large_deck(&again), "fine");
    let one_by_one = "while deck.count() > 200 { for seat in seats { deck.draw(seat.hand); } }";
    assert_eq!(play_with_large_deck(one_by_one), "fine");
    let without_end = "loop { deck.draw(2600, first.hand); first.hand.move_to(deck); }";
    assert_eq!(play_with_large_deck(without_end), "endless");
}

#[test]
fn searching_for_alterations_is_charged_once_per_search() {
    let outcome = |times| {
        play_with_large_deck(&format!(
            "deck.draw(4000, first.hand); for n in 0..{times} {{ altering(\"upkeep\", first, #{{}}); }}"
        ))
    };
    // Each search costs about 1,000 operations, and dealing costs some 100,000, so between 600 and 1,000 searches fit into a step.
    assert_eq!(outcome(600), "fine");
    assert_eq!(outcome(1000), "endless");
}

//! Each word of the library costs by what it goes through.

use crate::endings::{ends_inline, sample, turn};
use crate::sampler;
use rayon::prelude::*;

/// What each native word does with something large must be worth many operations, and with something small few: so many
/// calls in a row use up what a step may take, or do not.
#[test]
fn native_work_costs_by_the_size_of_what_it_works_on() {
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
    let repeated = |word: &str, many, text| {
        let keep = if word.contains(';') { format!("{word};") } else { format!("let it = {word};") };
        let rules = turn(&format!("{} for n in 0..20000 {{ {keep} }} end_game(\"over\");", fill(many, text)));
        sample(&rules).map_or_else(|refused| refused, |game| ends_inline(&game))
    };
    let wrong: Vec<String> = words
        .iter()
        .filter_map(|word| {
            let (large, small) = (repeated(word, 900, 12), repeated(word, 3, 1));
            let is_right = large == "endless" && (small == "fine" || word.contains("pieces."));
            (!is_right).then(|| format!("{word}: {large} of large ones, {small} of small ones"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sampler grown large: a pile of some thousand cards, a wide board and map, long rows, many lots.
fn large(rules: &str) -> Vec<(String, String)> {
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

/// Words that go through something, each with a call that goes through much of it.
const GOES_THROUGH: &[(&str, &str)] = &[
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

/// Words that look at a handful of things, however large the game is: seats, neighbors, one piece, one number. `lay` and `line`
/// go as far as a tile or a line does; texts of plays, which put and clear, are run once.
const IS_SMALL: &[&str] = &[
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
    // Of the few lanes there are; what it searches is charged, and bounded.
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

/// Every word of the reference is worth the work it does: thousands of calls that go through much use up what a step may take.
#[test]
fn every_word_costs_what_it_goes_through() {
    let words: std::collections::BTreeSet<String> = parlour::script::Host::vocabulary()
        .into_iter()
        .map(|word| if word.form == parlour::script::Form::Index { "[]".to_owned() } else { word.name })
        .collect();
    let listed =
        |word: &String| GOES_THROUGH.iter().any(|(known, _)| known == word) || IS_SMALL.contains(&word.as_str());
    let unlisted: Vec<&String> = words.iter().filter(|word| !listed(word)).collect();
    assert!(unlisted.is_empty(), "say of these whether they go through anything: {unlisted:?}");
    let ends = |call: &str| {
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
        let game = parlour::load_texts("sampler", large(&rules)).unwrap_or_else(|found| panic!("{call}\n{found}"));
        ends_inline(&game)
    };
    let calls = GOES_THROUGH.par_iter().filter(|(_, call)| !call.is_empty());
    let wrong = calls.filter(|(_, call)| ends(call) != "endless").map(|(word, call)| format!("`{word}`: {call}"));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(ends("seat.cash"), "fine", "what is small is no such work");
}

/// How a game with a deck of nearly as many cards as a box holds ends, whatever its rules do with it before anybody plays.
fn of_many_cards(set_up: &str) -> String {
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
    ends_inline(&game)
}

#[test]
fn many_cards_are_dealt_and_a_loop_is_stopped() {
    let deal = "for seat in seats { deck.draw(2600, seat.hand); }";
    let again = format!("{deal} for seat in seats {{ seat.hand.move_to(deck); }} deck.shuffle(); {deal}");
    assert_eq!(of_many_cards(&again), "fine");
    let one_by_one = "while deck.count() > 200 { for seat in seats { deck.draw(seat.hand); } }";
    assert_eq!(of_many_cards(one_by_one), "fine");
    let without_end = "loop { deck.draw(2600, first.hand); first.hand.move_to(deck); }";
    assert_eq!(of_many_cards(without_end), "endless");
}

#[test]
fn what_alters_something_is_looked_for_at_the_price_of_one_look() {
    let asked = |times| {
        of_many_cards(&format!(
            "deck.draw(4000, first.hand); for n in 0..{times} {{ altering(\"upkeep\", first, #{{}}); }}"
        ))
    };
    // A thousand operations each: with the deal, which takes some hundred thousand, so many fit in.
    assert_eq!(asked(600), "fine");
    assert_eq!(asked(1000), "endless");
}

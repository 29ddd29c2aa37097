//! Statistics of acquired components and chosen options from the perspective of the acting seat, and findings that authors expect.

use crate::dice_game::{figures, parlour, with_dice};
use parlour::report::{Weight, components, findings, options};
use parlour::session::{Game, Setup};
use parlour::simulation::{Figures, Measure};
use std::fmt::Write as _;

/// Game in which every seat has a pool of cubes, takes a card in each round, and moves a cube to the board and back.
const GAME: &str = r#"
[game]
id = "pools"
name = "Pools"
players = { min = 2, max = 4 }

[kinds.cube]
name = "Cube"

[kinds.coin]
name = "Coin"

[kinds.card]
name = "Card"

[kinds.color]
name = "Color"

[kinds.unused]
name = "Unused thing"

[zones.pool]
name = "Pool"
per = "seat"
shape = "hand"
starts_with = ["cube"]
accepts = ["cube"]

[zones.board]
name = "Board"
shape = "hand"
accepts = ["cube", "coin"]

[zones.purse]
name = "Purse"
per = "seat"
shape = "hand"
accepts = ["coin"]

[zones.deck]
name = "Deck"
shape = "pile"
starts_with = ["card"]
accepts = ["card"]

[zones.hand]
name = "Hand"
per = "seat"
shape = "hand"
accepts = ["card"]

[zones.attic]
name = "Attic"
shape = "hand"
accepts = ["unused"]

[values.color]
price = 0

[values.seat]
points = 0

[decisions.send]
ask = "Where does a cube go?"

[decisions.name]
ask = "What?"

[words]
big_one = "the big one"
good_cards = "Good cards"

[flow]
setup = ["prepare"]
round = ["taking"]
rounds = 3
ending = "done"

[phases.taking]
name = "Taking turns"
steps = [{ each_seat = "have_turn" }]

[endings]
done = "All is done"
"#;

const ROWS: &str = r#"
[[cube]]
id = "cube"
name = "cube"
each = "seat"
count = 3

[[coin]]
id = "coin"
name = "coin"
count = 40

[[unused]]
id = "unused"
name = "unused thing"

[[color]]
id = "red"
name = "red"

[[color]]
id = "blue"
name = "blue"
"#;

const RULES: &str = r#"
/// Cards are shuffled.
fn prepare() { deck.shuffle(); }

/// A seat takes a card, sends a cube to the board and back, gives one to a pool, and takes a coin.
fn have_turn(seat) {
    let card = deck.draw(seat.hand);
    seat.points += card.worth;
    tally("good_cards", seat, card.worth);
    let cube = seat.pool.top;
    cube.move_to(board);
    cube.move_to(seat.pool);
    box.find("kind", "coin").move_to(seat.purse);
    choose(seat, "send", seats.map(|other| other.pool));
    choose(seat, "name", ["big_one", "small"]);
    let red = component("red");
    red.price += 1;
}

/// Returns the seat's points, broken down by source.
fn score(seat) { #{ good_cards: seat.points } }
"#;

/// Returns the files of the game, with four copies of a card for each worth. `more` is appended to `game.toml`.
fn texts(worths: &[i64], more: &str) -> [(String, String); 3] {
    let mut rows = ROWS.to_owned();
    for (at, worth) in worths.iter().enumerate() {
        write!(rows, "\n[[card]]\nid = \"card_{at}\"\nname = \"card {at}\"\nworth = {worth}\ncount = 4\n").unwrap();
    }
    let files = [
        ("game.toml", format!("{GAME}\n{more}")),
        ("components/all.toml", rows),
        ("rules/play.rhai", RULES.to_owned()),
    ];
    files.map(|(path, text)| (path.to_owned(), text))
}

fn pools(worths: &[i64], more: &str) -> Game {
    match parlour::load_texts("pools", texts(worths, more)) {
        Ok(game) => game,
        Err(mistakes) => panic!("{mistakes}"),
    }
}

/// Returns the weight and the text of each finding.
fn findings_of(game: &Game, figures: &Figures) -> Vec<(Weight, String)> {
    let model = game.layout(&Setup::seats(figures.seats)).unwrap().model.clone();
    findings(&model, figures).into_iter().map(|finding| (finding.weight, finding.text)).collect()
}

const WORTHS: [i64; 6] = [1, 1, 2, 8, 9, 15];

#[test]
fn pieces_that_return_are_not_counted_as_acquired() {
    let game = pools(&WORTHS, "");
    let found = figures(&game, &Setup::seats(3), 1, 40);
    let model = game.layout(&Setup::seats(3)).unwrap().model.clone();
    let rows = components(&model, &found);
    let of = |id: &str| rows.iter().find(|row| row.id == id).map(|row| (row.offered, row.picked)).unwrap();
    assert_eq!(of("cube"), (40 * 3 * 3 * 2, 0), "moved out and back, and acquired by nobody");
    assert_eq!(of("coin"), (40 * 9, 40 * 9), "moved from the box to a purse");
    let cards: u64 = rows.iter().filter(|row| row.group == "Card").map(|row| row.picked).sum();
    assert_eq!(cards, 40 * 9);
}

#[test]
fn zones_of_seats_are_counted_relative_to_the_chooser() {
    let game = pools(&WORTHS, "");
    let found = figures(&game, &Setup::seats(3), 1, 40);
    let model = game.layout(&Setup::seats(3)).unwrap().model.clone();
    let rows = options(&model, &found);
    let send: Vec<_> = rows.iter().filter(|row| row.group == "send").collect();
    let names: Vec<&str> = send.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["own Pool", "Pool of the next seat", "Pool of the seat before"]);
    let ids: Vec<&str> = send.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["send.seat+0.pool", "send.seat+1.pool", "send.seat+2.pool"]);
    assert!(send.iter().all(|row| row.offered == 40 * 9), "each is offered in every decision");
    assert_eq!(send.iter().map(|row| row.picked).sum::<u64>(), 40 * 9);
}

#[test]
fn kinds_that_are_only_used_as_labels_are_not_reported_as_unused() {
    let game = pools(&WORTHS, "");
    let told = findings_of(&game, &figures(&game, &Setup::seats(3), 1, 40));
    let still: Vec<&str> =
        told.iter().map(|(_, text)| text.as_str()).filter(|text| text.contains("ever moved")).collect();
    assert_eq!(still.len(), 1, "{still:?}");
    assert!(still[0].starts_with("Kinds of which no component ever moved: Unused thing ("), "{still:?}");
    assert!(!told.iter().any(|(_, text)| text.contains("stay in the box")), "{told:#?}");
}

#[test]
fn expected_findings_are_folded_and_contradicted_ones_reported() {
    let setup = Setup::seats(3);
    let of = |worths: &[i64], more: &str| {
        let game = pools(worths, more);
        let figures = figures(&game, &setup, 2, 400);
        findings_of(&game, &figures)
    };
    let about_cards = |told: &[(Weight, String)], weight: Weight| {
        let is_about = |found: &&(Weight, String)| found.0 == weight && found.1.contains("for its kind");
        told.iter().filter(is_about).map(|found| found.1.clone()).collect::<Vec<_>>()
    };
    let plain = of(&WORTHS, "");
    let crowd = about_cards(&plain, Weight::Finding);
    assert!(crowd.len() > 2 && crowd.iter().any(|text| text.starts_with("card 5 is strong")), "{plain:#?}");
    let known = of(&WORTHS, "[expected]\ncard = \"worth\"\n");
    assert_eq!(about_cards(&known, Weight::Finding), [""; 0]);
    assert_eq!(about_cards(&known, Weight::Expected).len(), crowd.len());
    let one = of(&WORTHS, "[expected]\ncard_5 = \"strong\"\n");
    assert_eq!(about_cards(&one, Weight::Expected).len(), 1);
    assert_eq!(about_cards(&one, Weight::Finding).len(), crowd.len() - 1);
    let slip = of(&WORTHS, "[expected]\ncard_5 = \"weak\"\n");
    let contrary: Vec<String> = about_cards(&slip, Weight::Finding);
    assert!(contrary.iter().any(|text| text.starts_with("card 5") && text.ends_with("The contrary is expected.")));
    let unmet = "Expected (`expected.card_5`) is that seats win less with card 5 than with others of its kind: the games do not bear it out.";
    assert!(slip.iter().any(|found| *found == (Weight::Finding, unmet.to_owned())), "{slip:#?}");
    assert!(!known.iter().any(|found| found.1.contains("bear it out")), "{known:#?}");
}

#[test]
fn findings_within_a_target_are_expected() {
    let setup = Setup::seats(2);
    let of = |target: &str| {
        let game = crate::dice_game::game(&[("seat_win_gap = 0.2", target)]);
        let gift = setup.clone().set("params.gift", "2");
        let told = findings_of(&game, &figures(&game, &gift, 3, 400));
        let seat = told.into_iter().find(|found| found.1.starts_with("Seat 1 wins"));
        seat.unwrap().0
    };
    assert_eq!([of("seat_win_gap = 0.6"), of("ties = 0.9")], [Weight::Expected, Weight::Finding]);
}

#[test]
fn differences_are_findings_exactly_if_their_interval_excludes_0() {
    let (game, setup) = (pools(&WORTHS, ""), Setup::seats(3));
    let model = game.layout(&setup).unwrap().model.clone();
    let mut called = 0;
    for seed in 0..20 {
        let found = figures(&game, &setup, seed, 150);
        let rows: Vec<_> = components(&model, &found).into_iter().chain(options(&model, &found)).collect();
        for weighed in rows.iter().flat_map(|row| [row.difference, row.excess]).flatten() {
            called += u32::from(weighed.is_finding());
            assert_eq!(weighed.is_finding(), !weighed.estimate.interval.contains(0.0), "{weighed:?}");
        }
    }
    assert!(called > 20, "{called}");
}

#[test]
fn reports_show_names_and_tables_use_ids() {
    let game = pools(&WORTHS, "");
    let model = game.layout(&Setup::seats(2)).unwrap().model.clone();
    let found = figures(&game, &Setup::seats(2), 1, 20);
    let names: Vec<String> = found.measured().iter().map(|measure| measure.name(&model)).collect();
    for name in ["part of score Good cards, seat 1", "counter Good cards", "counter Good cards, seat 2"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert_eq!(Measure::Part("good_cards".into(), 0).word(), "part.good_cards.1");

    let folder = with_dice("named");
    for (path, text) in texts(&WORTHS, "") {
        let file = folder.at("pools").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let run_ok = |arguments: &str| {
        let (code, told, mistakes) = parlour(&folder, arguments);
        assert_eq!(code, 0, "{told}{mistakes}");
        told
    };
    run_ok("simulate pools --players 2 --games 30 --seed 1 --out run");
    folder.write("more.toml", "[[card]]\nid = \"card_0\"\nworth = 9\n");
    let compared = run_ok("compare pools --b more.toml --players 2 --games 30 --seed 1 --all --out compared");
    let (page, pair) = (folder.read("run/report.html"), folder.read("compared/compare.html"));
    for (text, what) in [(&page, "report"), (&pair, "page of a comparison"), (&compared, "comparison")] {
        assert!(!text.contains("good_cards") && text.contains("Good cards"), "{what}");
    }
    assert!(page.contains("<td>the big one</td>") && page.contains("<td>Taking turns</td>"));
    assert!(folder.read("run/measures.csv").contains("part.good_cards.1"));
    assert!(folder.read("run/items.csv").contains("name.big_one,the big one"));
    assert!(folder.read("compared/compare.csv").contains("tally.good_cards.2"));
}

/// Unless rules change the turn order, each seat's place in turn order is its seat number.
#[test]
fn results_by_turn_order_are_shown_only_if_rules_can_change_it() {
    let has_places = |rules: &str| {
        let game = crate::dice_game::game(&[("/// The points.", rules)]);
        figures(&game, &Setup::seats(2), 1, 5).measures.contains_key(&Measure::Place(0))
    };
    assert!(!has_places("// Nobody needs `set_first(seat)` here.\n/// The points."));
    assert!(has_places("fn later(seat) { set_first(seat); }\n/// The points."));
}

/// Game with a phase that has a random turn order of its own. The seat that acts second always wins.
const ORDERED: &str = r#"
[game]
id = "ordered"
players = { min = 3, max = 3 }
[values.seat]
pos = { start = 0 }
got = { start = 0 }
[flow]
setup = ["begin"]
round = ["r"]
rounds = 1
[phases.r]
order = "by_pos"
steps = [{ each_seat = "act_now" }]
"#;

const BY_POS: &str = r#"
fn begin() {
    let left = seats;
    for n in 1..=players { let s = any_of(left); left = left.without(s); s.pos = n; }
    set_first(by_pos().first);
}
fn by_pos() { seats.sort_by("pos") }
fn act_now(seat) { seat.got = if seat.pos == 2 { 5 } else { 0 }; }
fn score(seat) { seat.got }
"#;

#[test]
fn results_by_turn_order_follow_the_order_of_a_phase() {
    let texts = [("game.toml", ORDERED), ("rules/play.rhai", BY_POS)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let game = parlour::load_texts("ordered", texts).unwrap_or_else(|found| panic!("{found}"));
    let figures = figures(&game, &Setup::seats(3), 1, 60);
    let share = |place| format!("{:.2}", figures.estimate(&Measure::Place(place)).value);
    assert_eq!([0, 1, 2].map(share), ["0.00", "1.00", "0.00"]);
}

//! Tests of the SVG drawings of grids.

use parlour::model::{Language, Seat, ZoneId};
use parlour::session::{Session, Setup, Status};
use parlour::wording::Wording;

/// Asserts that no drawn piece overlaps another one or extends beyond the bottom of its space.
fn assert_pieces_lie_apart(drawing: &str) {
    let boxes: Vec<Vec<i32>> = drawing
        .split("<g transform=\"translate(")
        .skip(1)
        .map(|rest| {
            let numbers = rest.split(")\">").next().unwrap().replace(") scale(", " ").replace('.', "");
            numbers.split(' ').map(|number| number.parse().unwrap()).collect()
        })
        .collect();
    assert!(boxes.len() > 2, "{drawing}");
    for (at, one) in boxes.iter().enumerate() {
        let size = one[2] * 20 / 1000;
        assert!(one[1] % 40 + size / 2 <= 40 && one[1] % 40 - size / 2 >= 14, "{one:?} of {drawing}");
        for other in &boxes[at + 1..] {
            assert!((one[0] - other[0]).abs() >= size || (one[1] - other[1]).abs() >= size, "{one:?} and {other:?}");
        }
    }
}

/// Game with a drawn map, on which a tile lies with pieces of two kinds and of two seats on top.
const DRAWN: &str = r#"
[game]
id = "drawn"
name = "Drawn"
players = { min = 2, max = 2 }
[zones.map]
shape = "grid"
columns = [-1, 2]
rows = [-1, 2]
[zones.figures]
over = "map"
accepts = ["guard", "pawn"]
[zones.secrets]
per = "seat"
over = "map"
accepts = ["token"]
face = "down"
seen_by = "owner"
[zones.stock]
shape = "pile"
starts_with = ["tile", "guard"]
[zones.bags]
per = "seat"
shape = "hand"
starts_with = ["pawn", "token"]
[decisions.stop]
[flow]
setup = ["set_up"]
"#;

const PAINTED: &str = r##"
[cells]
A = { name = "ash & oak", color = "#202020" }
B = { name = "birch, beech", color = "#f0f0f0" }
[[tile]]
id = "tile"
cells = ["A B", "B B"]
[[guard]]
id = "guard"
[[pawn]]
id = "pawn"
each = "seat"
[[token]]
id = "token"
number = 7
each = "seat"
"##;

#[test]
fn drawings_distinguish_kinds_and_numbers_with_readable_contrast() {
    let rules = "fn set_up() {
        stock.find(\"kind\", \"tile\").lay(map.at(0, 0), 0, \"beside\");
        stock.find(\"kind\", \"guard\").move_to(figures.at(0, 0));
        for seat in seats {
            seat.bags.find(\"kind\", \"pawn\").move_to(figures.at(1, 0));
            seat.bags.find(\"kind\", \"token\").move_to(seat.secrets.at(1, 1));
        }
        choose_or_pass(first, \"stop\", [1, 2]);
    }
    fn score(seat) { 0 }";
    let texts = [("game.toml", DRAWN), ("components/tiles.toml", PAINTED), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("drawn", texts).unwrap();
    let setup = Setup::seats(2);
    let session = Session::start(&game, &setup).unwrap();
    assert!(session.decision().is_some(), "{:?}", session.status());
    let wording = Wording::new(session.model().clone(), setup, Language::English);
    let picture = session.table().pictures().remove(0);
    let drawing = wording.drawing(&picture, "A <title>");
    let count = |text: &str| drawing.matches(text).count();
    assert_eq!(count("<svg "), 1);
    assert_eq!(count("</svg>"), 1);
    assert_eq!(count("A &lt;title&gt;"), 1, "{drawing}");
    assert_eq!(count("fill=\"#202020\""), 1, "the dark cell: {drawing}");
    assert_eq!(count("fill=\"#f0f0f0\""), 3, "the light cells: {drawing}");
    assert_eq!(count("font-size=\"12\" fill=\"#ffffff\">A<"), 1, "light ink on it: {drawing}");
    assert_eq!(count("font-size=\"12\" fill=\"#222222\">B<"), 3, "dark ink on them: {drawing}");
    assert_eq!(count("<circle"), 1, "the guard: {drawing}");
    assert_eq!(count("h15v15h-15z"), 2, "the pawns: {drawing}");
    assert_eq!(count("l10 17h-20z"), 2, "the tokens: {drawing}");
    assert_eq!(count(">7</text>"), 2, "their numbers: {drawing}");
    assert_eq!(count("A = ash &amp; oak; B = birch, beech"), 1, "the signs: {drawing}");
    assert_pieces_lie_apart(&drawing);
    let of_ann = wording.clone().for_seat(Seat(0)).drawing(&picture, "");
    assert_eq!(of_ann.matches(">7</text>").count(), 1, "another's number is not told: {of_ann}");
}

#[test]
fn pieces_that_start_in_a_hand_are_known_only_to_its_owner() {
    let rules = "fn set_up() { choose_or_pass(first, \"stop\", [1, 2]); } fn score(seat) { 0 }";
    let texts = [("game.toml", DRAWN), ("components/tiles.toml", PAINTED), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("drawn", texts).unwrap();
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    let bags = session.model().family(session.model().find_family("bags").unwrap()).zones.start;
    for seat in 0..2 {
        for piece in session.table().pieces(ZoneId(bags + seat)) {
            assert_eq!(session.table().knowers(piece), 1 << seat, "only its owner knows it");
        }
    }
}

/// A grid that exists once for each component can have different printed fields for each component.
#[test]
fn each_component_grid_can_have_its_own_printed_fields() {
    let game = r#"
[game]
id = "labs"
players = { min = 2, max = 2 }
[zones.lab]
shape = "grid"
per = "team"
[zones.lab.printed.pays]
red = ["1 2 .", "3 . 4"]
blue = ["9 8 7", "6 5 4"]
[zones.lab.printed.is_last]
blue = [". . .", ". . true"]
[zones.dig]
shape = "hex"
columns = [0, 1]
rows = [0, 0]
per = "team"
[zones.dig.printed.ore]
red = ["iron ."]
blue = [". gold"]
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = ["look"]
[kinds.team]
[[team]]
id = "red"
[[team]]
id = "blue"
"#;
    let game = game.replace("team", "crew");
    let (data, rows) = game.split_at(game.find("[kinds.crew]").unwrap());
    let rules = r#"
fn look() {
    ensure(lab["red"].at(3, 2).pays == 4 && lab["red"].at(3, 1).pays == (), "red pays");
    ensure(lab["blue"].at(1, 1).pays == 9 && lab["blue"].at(3, 2).is_last && !lab["red"].at(3, 2).is_last, "blue pays");
    ensure(dig["red"].at(0, 0).ore == "iron" && dig["blue"].at(1, 0).ore == "gold" && dig["blue"].at(0, 0).ore == (), "ore");
}
fn score(seat) { 0 }
"#;
    let texts = [("game.toml", data), ("components/crews.toml", rows), ("rules/play.rhai", rules)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("labs", texts).unwrap_or_else(|found| panic!("{found}"));
    let session = Session::start(&game, &Setup::seats(2)).unwrap();
    assert!(matches!(session.status(), Status::Over(_)), "{:?}", session.status());
}

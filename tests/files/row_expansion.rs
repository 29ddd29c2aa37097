//! Rows with `each`, which expand to several rows: the game must be identical to one with the expanded rows.

use crate::folder::game_texts as texts_of;
use parlour::diagnostic::Diagnostics;
use parlour::loader::{Choices, Files, Package};
use parlour::model::{Language, Model};
use std::fmt::Write;

const GAME: &str = "
[game]
id = \"deck\"
name = \"Deck\"
players = { min = 2, max = 3 }
[options.small]
values = [\"no\", \"yes\"]
overlay = { yes = \"overlays/small.toml\" }
[params.copies]
value = 2
[words]
red = { en = \"red\", zh-Hant = \"紅\" }
[flow]
rounds = 1
round = [\"play\"]
[phases.play]
steps = [\"nothing\"]
[endings.over]
name = \"Over\"
";

fn game(cards: &str, overlay: &str) -> Vec<(String, String)> {
    crate::folder::owned_files([
        ("game.toml", GAME),
        ("components/cards.toml", cards),
        ("overlays/small.toml", overlay),
    ])
}

fn model(files: Vec<(String, String)>, options: &[(&str, &str)]) -> Result<Model, Diagnostics> {
    let package = Package::parse(Files::from_texts("deck", files).unwrap()).unwrap();
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    package.build(&Choices { players: *package.players().start(), options, sets: Vec::new() })
}

fn names(model: &Model, language: Language) -> Vec<String> {
    model.components.iter().map(|component| component.name.get(language).to_owned()).collect()
}

fn ids(model: &Model) -> Vec<&str> {
    model.components.iter().map(|component| &*component.id).collect()
}

#[test]
fn a_row_with_each_equals_its_expanded_rows() {
    let short = "
[[card]]
id = \"{suit}-{number}\"
name = \"{suit} {number}\"
each = { suit = [\"red\", \"deep_blue\"], number = \"2..4\" }
count = \"copies\"
worth = \"{number}\"
label = \"{suit}!\"
";
    let mut long = String::new();
    for (suit, en, zh) in [("red", "red", "紅"), ("deep_blue", "deep blue", "deep blue")] {
        for number in 2..=4 {
            let name = if suit == "red" {
                format!("{{ en = \"{en} {number}\", zh-Hant = \"{zh} {number}\" }}")
            } else {
                format!("\"{en} {number}\"")
            };
            write!(
                long,
                "[[card]]\nid = \"{suit}-{number}\"\nname = {name}\nsuit = \"{suit}\"\nnumber = {number}\n\
                 count = \"copies\"\nworth = {number}\nlabel = \"{suit}!\"\n"
            )
            .unwrap();
        }
    }
    let (short, long) = (model(game(short, ""), &[]).unwrap(), model(game(&long, ""), &[]).unwrap());
    assert_eq!(ids(&short), ["red-2", "red-3", "red-4", "deep_blue-2", "deep_blue-3", "deep_blue-4"]);
    assert_eq!(names(&short, Language::TraditionalChinese)[..2], ["紅 2", "紅 3"]);
    assert_eq!(short.pieces.len(), 12);
    assert_eq!(short.fingerprint, long.fingerprint);
    assert_eq!(format!("{:?}", short.components), format!("{:?}", long.components));
}

#[test]
fn overlays_can_change_single_or_several_expanded_rows() {
    let cards = "[[card]]\nid = \"c{number}\"\neach = { number = \"1..9\" }\ncount = 2\n";
    let overlay =
        "[[card]]\nid = \"c3\"\ncount = 0\n[[card]]\nid = \"c{number}\"\neach = { number = \"7..9\" }\ncount = 1\n";
    let plain = model(game(cards, overlay), &[]).unwrap();
    let small = model(game(cards, overlay), &[("small", "yes")]).unwrap();
    assert_eq!((plain.pieces.len(), small.pieces.len()), (18, 13));
    assert_eq!(ids(&plain), ids(&small));
    let package = Package::parse(Files::from_texts("deck", game(cards, overlay)).unwrap()).unwrap();
    let sets = vec![("card.c5.count".to_owned(), "9".to_owned())];
    let set = package.build(&Choices { players: 2, options: Vec::new(), sets }).unwrap();
    assert_eq!(set.pieces.len(), 25);
}

#[test]
fn rows_can_expand_over_a_kind_and_over_seats() {
    let cards = "
[[card]]
id = \"{shop}_{sign}_card\"
name = { en = \"{shop} {sign}\", zh-Hant = \"{shop}的{sign}\" }
each = { shop = \"shop\", sign = { sun = { en = \"Sun\", zh-Hant = \"日\" }, moon = \"Moon\" }, seat = true }
[[shop]]
id = \"shop{at}\"
name = { en = \"Shop {at}\", zh-Hant = \"店 {at}\" }
each = { at = [1, 2] }
";
    let model = model(game(cards, ""), &[]).unwrap();
    assert_eq!(
        ids(&model),
        ["shop1_sun_card", "shop1_moon_card", "shop2_sun_card", "shop2_moon_card", "shop1", "shop2"]
    );
    assert_eq!(names(&model, Language::English)[..2], ["Shop 1 Sun", "Shop 1 Moon"]);
    assert_eq!(names(&model, Language::TraditionalChinese)[..2], ["店 1的日", "店 1的Moon"]);
    assert_eq!(model.pieces.len(), 2 * 4 + 2);
}

#[test]
fn the_order_of_kinds_does_not_depend_on_files() {
    let rows = [("a", "[[b]]\nid = \"b1\"\n[[a]]\nid = \"a1\"\n[[b]]\nid = \"b2\"\n"), ("b", "[[c]]\nid = \"c1\"\n")];
    let other = [("a", "[[c]]\nid = \"c1\"\n[[b]]\nid = \"b1\"\n"), ("z", "[[b]]\nid = \"b2\"\n[[a]]\nid = \"a1\"\n")];
    let [one, other] = [rows, other].map(|files| {
        let mut all = game("[kinds.c]\n", "");
        all.extend(files.map(|(name, text)| (format!("components/{name}.toml"), text.to_owned())));
        model(all, &[]).unwrap()
    });
    assert_eq!(ids(&one), ["c1", "a1", "b1", "b2"]);
    assert_eq!(ids(&one), ids(&other));
    assert_eq!(one.fingerprint, other.fingerprint);
}

#[test]
fn comments_and_layout_do_not_change_the_fingerprint() {
    let plain = model(game("[[card]]\nid = \"a\"\nworth = 1\n", ""), &[]).unwrap().fingerprint;
    let other = |cards: &str| model(game(cards, ""), &[]).unwrap().fingerprint;
    assert_eq!(plain, other("# A card.\n[[card]]\nworth = 1\nid = \"a\"\nprovenance = \"seed\"\n"));
    assert_ne!(plain, other("[[card]]\nid = \"a\"\nworth = 2\n"));
    assert_ne!(plain, other("[[card]]\nid = \"a\"\nworth = \"1\"\n"));
    assert_ne!(plain, other("[[card]]\nid = \"a\"\nworth = [1]\n"));
}

#[test]
fn decks_of_the_sample_games_equal_their_expanded_rows() {
    let mut tricks = "[kinds.card]\nname = { en = \"Card\", zh-Hant = \"牌\" }\n".to_owned();
    for (color, chinese) in [("red", "紅"), ("green", "綠"), ("blue", "藍")] {
        for number in 1..=9 {
            write!(
                tricks,
                "[[card]]\nid = \"{color}_{number}\"\nname = {{ en = \"{color} {number}\", zh-Hant = \"{chinese} {number}\" }}\n\
                 color = \"{color}\"\nnumber = {number}\n"
            )
            .unwrap();
        }
    }
    let mut goofspiel = "[kinds.bid]\nname = { en = \"Bid card\", zh-Hant = \"競標牌\" }\n\
                         [kinds.prize]\nname = { en = \"Prize card\", zh-Hant = \"獎品牌\" }\n"
        .to_owned();
    for worth in 1..=13 {
        write!(goofspiel, "[[bid]]\nid = \"bid_{worth}\"\nname = \"{worth}\"\neach = \"seat\"\nworth = {worth}\n")
            .unwrap();
    }
    for worth in 1..=13 {
        write!(
            goofspiel,
            "[[prize]]\nid = \"prize_{worth}\"\nname = {{ en = \"prize {worth}\", zh-Hant = \"獎品 {worth}\" }}\nworth = {worth}\n"
        )
        .unwrap();
    }
    for (name, cards) in [("little-tricks", tricks), ("goofspiel", goofspiel)] {
        let texts = texts_of(format!("examples/games/{name}"));
        let long = texts.iter().cloned().map(|(path, text)| {
            let text = if path == "components/cards.toml" { cards.clone() } else { text };
            (path, text)
        });
        let long = model(long.collect(), &[]).unwrap();
        let short = model(texts, &[]).unwrap();
        assert_eq!(short.fingerprint, long.fingerprint, "{name}");
        assert_eq!(format!("{:?}", short.components), format!("{:?}", long.components), "{name}");
    }
}

//! Tests of the names of options, known pieces and maps, as shown to a seat.

use parlour::model::{Language, Seat};
use parlour::session::{Session, Setup};
use parlour::wording::{Offer, Wording};

/// Game with spaces in two towns that cannot be distinguished by their labels alone.
const TOWNS: &str = r#"
[game]
id = "towns"
players = { min = 2, max = 2 }
[zones.site]
shape = "row"
per = "town"
[zones.site.printed.takes]
leek = "coal cotton"
derby = "coal iron"
[zones.mine]
per = "seat"
shape = "hand"
starts_with = ["tile"]
seen_by = "everybody"
[decisions.build]
ask = "Where?"
tell = "{seat} builds {what} in {at}"
parts = { what = "tile", at = "site" }
[flow]
round = ["play"]
rounds = 2
[phases.play]
steps = [{ each_seat = "build_one" }]
"#;

const TILES: &str = r#"
[[town]]
id = "leek"
count = 0
[[town]]
id = "derby"
count = 0
[[tile]]
id = "tile"
each = "seat"
count = 2
"#;

const BUILD: &str = r#"
fn build_one(seat) {
    let build = choose(seat, "build", each_of(#{ what: seat.mine.pieces.take(1), at: site.spaces.empty }));
    build.what.move_to(build.at);
}
fn score(seat) { 0 }
"#;

fn start(texts: &[(&str, &str)]) -> Session {
    let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let game = parlour::load_texts("game", texts.collect::<Vec<_>>()).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(2).seed(1)).unwrap_or_else(|found| panic!("{found}"))
}

fn wording(session: &Session) -> Wording {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(Seat(0))
}

#[test]
fn spaces_with_several_owners_are_named_with_their_owner() {
    let mut session = start(&[("game.toml", TOWNS), ("components/box.toml", TILES), ("rules/play.rhai", BUILD)]);
    let offer = Offer::new(wording(&session), session.table(), session.decision().unwrap());
    let own = &session.setup().name(Seat(0)).to_owned();
    let written = ["site[leek][1]", "site[leek][2]", "site[derby][1]", "site[derby][2]"];
    assert_eq!(offer.all_written(), written.map(|at| format!("what={own}.tile at={at}")));
    assert_eq!(offer.all_worded()[2], format!("what {own}'s Tile, at Derby's Site (coal)"));
    let begun = session.events().len();
    session.choose(2).unwrap();
    let told = wording(&session).narrate(session.events().since(begun)).join("\n");
    assert!(told.contains(&format!("{own} builds {own}'s Tile in Derby's Site (coal)")), "{told}");
}

/// Starts a game with a pile. Everybody has seen its top `known` cards, but nobody knows their order.
fn sections(known: usize) -> Session {
    let data = format!(
        r#"
[game]
id = "sections"
players = {{ min = 2, max = 2 }}
[params]
known = {known}
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.discard]
shape = "pile"
[decisions.go]
ask = "Go on?"
[flow]
setup = ["deal"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{{ each_seat = "turn" }}]
"#
    );
    let rules = r#"
fn deal() {
    deck.shuffle();
    deck.draw(known, discard, "up");
    discard.turn_down();
    discard.shuffle();
    discard.move_to(deck, "down");
}
fn turn(seat) { confirm(seat, "go"); }
fn score(seat) { 0 }
"#;
    let cards = "[[card]]\nid = \"c_{number}\"\neach = { number = \"1..30\" }\n";
    start(&[("game.toml", &data), ("components/cards.toml", cards), ("rules/play.rhai", rules)])
}

#[test]
fn all_known_kinds_of_cards_in_a_pile_are_listed() {
    for known in [8, 9, 29] {
        let session = sections(known);
        let rows = session.listing(Some(Seat(0)));
        let deck = rows.iter().find(|row| row.place == "deck").unwrap();
        let (_, faces) = deck.content.split_once(" (among ?: ").unwrap_or_else(|| panic!("{}", deck.content));
        let listed = faces.split(')').next().unwrap().split(", ").count();
        assert_eq!(listed, known, "{}", deck.content);
    }
}

#[test]
fn sentences_about_options_begin_after_the_name_of_the_seat() {
    for between in [" ", ": ", "：", ", "] {
        let game = TOWNS.replace("{seat} builds", &format!("{{seat}}{between}builds"));
        let session = start(&[("game.toml", &game), ("components/box.toml", TILES), ("rules/play.rhai", BUILD)]);
        let decision = session.decision().unwrap();
        let offer = Offer::new(wording(&session), session.table(), decision);
        let sentence = offer.sentence(&decision.option(0)).unwrap();
        assert_eq!(sentence, "builds Ann's Tile in Leek's Site (coal)");
    }
}

//! What a log, a drawing and the end of a game say, on a small game made for it.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

use parlour::model::{Language, ZoneId};
use parlour::session::{Session, Setup};
use parlour::table::View;
use parlour::wording::{Statement, Wording, listing};

const GAME: &str = r#"
[game]
id = "market"
players = { min = 2, max = 2 }

[zones.stock]
shape = "pile"
starts_with = ["good", "cube"]
[zones.stalls]
shape = "row"
spaces = 4
face = "up"
[zones.yards]
shape = "hand"
per = "seat"
face = "up"
[zones.heap]
shape = "pile"
face = "up"
[zones.maps]
per = "seat"
shape = "grid"
columns = [1, 2]
rows = 2
[zones.marks]
per = "seat"
over = "maps"
face = "up"

[values.seat]
coins = { start = 0, name = "coins" }
luck = { start = 0, name = "good luck" }

[decisions.take]
ask = "What do you take?"
parts = { good = "good", from = "stalls" }

[flow]
setup = ["lay_out"]
round = ["market"]
rounds = 1
ending = "plain"
finish = ["settle"]

[phases.market]
steps = [{ each_seat = "take_good" }, "tidy"]

[endings]
plain = "It is over"
grand = { en = "A grand end", zh-Hant = "盛大結局" }

[words]
thrift = { en = "thrift", zh-Hant = "節儉" }
"#;

const GOODS: &str = r#"
[[good]]
id = "cotton"
name = "Cotton"
count = 8
[[cube]]
id = "cube"
name = "Cube"
faces = [3, 4, 5]
"#;

const RULES: &str = r#"
fn lay_out() {
    for stall in stalls.spaces { stock.find("kind", "good").move_to(stall); }
}
fn take_good(seat) {
    let taken = choose(seat, "take", [#{ good: component("cotton"), from: stalls[2] }]);
    taken.from.top.move_to(heap);
    stock.find("kind", "good").move_to(stalls[2]);
}
fn tidy() {
    for stall in stalls.spaces { stall.top.move_to(stock); }
    for seat in seats { seat.luck += seat.number; }
}
fn settle() { ends_as("grand"); }
fn score(seat) { #{ luck: 2, coins: seat.coins } }
fn rank(seat) { [2 + seat.coins, #{ thrift: -seat.luck }] }
"#;

fn texts(rules: &str) -> [(String, String); 3] {
    [("game.toml", GAME), ("components/goods.toml", GOODS), ("rules/play.rhai", rules)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
}

fn played() -> Session {
    let game = parlour::load_texts("market", texts(RULES)).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    assert!(session.outcome().is_some(), "{:?}", session.status());
    session
}

fn told(session: &Session, language: Language) -> Vec<String> {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
    wording.narrate(session.events()).iter().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_move_that_goes_elsewhere_than_the_answer_says_is_told() {
    let told = told(&played(), Language::English);
    let first = told.iter().find(|line| line.starts_with("Ann:")).unwrap();
    assert!(first.contains("Stalls (2) → Heap: Cotton"), "{told:#?}");
    assert!(first.contains("Stock → Stalls (2): Cotton"), "{told:#?}");
}

#[test]
fn equal_cards_of_different_spaces_are_told_apart_and_what_goes_back_is_told() {
    let told = told(&played(), Language::English);
    assert!(told.iter().any(|line| line.contains("Cotton (1), Cotton (2), Cotton (3), Cotton (4)")), "{told:#?}");
    assert!(
        told.iter().any(|line| line.contains("Stalls → Stock: Cotton (1), Cotton (2), Cotton (3), Cotton (4)")),
        "{told:#?}"
    );
}

#[test]
fn one_ending_is_announced_the_one_that_comes() {
    let session = played();
    let english = told(&session, Language::English);
    assert_eq!(english.iter().filter(|line| line.contains("A grand end")).count(), 1, "{english:#?}");
    assert!(!english.iter().any(|line| line.contains("It is over")), "{english:#?}");
    let chinese = told(&session, Language::TraditionalChinese);
    assert!(chinese.iter().any(|line| line.contains("盛大結局")), "{chinese:#?}");
}

#[test]
fn both_languages_say_the_same_of_the_table() {
    let session = played();
    let said = |language| {
        let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
        wording.statements(session.events())
    };
    let english = said(Language::English);
    assert!(english.iter().any(|said| matches!(said, Statement::Moved(_))));
    assert_eq!(english, said(Language::TraditionalChinese));
}

#[test]
fn what_decided_between_equal_scores_has_its_name() {
    let session = played();
    let outcome = session.outcome().unwrap();
    let [tie] = outcome.tie_breaks().try_into().unwrap();
    assert_eq!((tie.before.0, tie.after.0, &*tie.by), (0, 1, "thrift"));
    assert_eq!(tie.numbers, [1, 2], "less of it is better, and it is told without the minus");
    let model = session.model();
    assert_eq!(model.part_of_score("luck", Language::English), "good luck", "a value lends its name");
    assert_eq!(model.part_of_score("thrift", Language::TraditionalChinese), "節儉");
}

#[test]
fn a_zone_of_a_seat_lies_over_the_grid_of_that_seat() {
    let session = played();
    let (model, layout) = (session.model(), session.table().layout());
    let zones = |name: &str| model.family(model.find_family(name).unwrap()).zones.clone().map(ZoneId);
    for (marks, maps) in zones("marks").zip(zones("maps")) {
        assert_eq!(layout.zone_of(layout.ground_space(model.zone(marks).space())), maps);
    }
}

#[test]
fn a_die_is_listed_by_what_it_shows() {
    let session = played();
    let rows = listing(&View::whole(session.table()), session.setup());
    let stock = rows.iter().find(|row| row.place == "stock").unwrap();
    assert!(stock.content.contains("cube shown=3"), "{stock:?}");
}

#[test]
fn a_value_that_reads_as_before_is_told_by_its_space() {
    let mut texts = texts(RULES);
    let track = "[zones.track]\nshape = \"row\"\nspaces = [{ at = 7, worth = 4 }, { at = 8, worth = 4 }]\n\n[values.seat]\n\
                 price = { type = \"track\", reads = \"worth\", name = \"price\" }";
    texts[0].1 = texts[0].1.replace("[values.seat]", track);
    texts[2].1 =
        texts[2].1.replace("fn lay_out() {", "fn lay_out() {\n    for seat in seats { seat.price = track[7]; }");
    texts[2].1 = texts[2].1.replace("fn tidy() {", "fn tidy() {\n    for seat in seats { seat.price = track[8]; }");
    let game = parlour::load_texts("market", texts).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    for (language, wanted) in [
        (Language::English, "4 (space 7) → 4 (space 8)"),
        (Language::TraditionalChinese, "4（「7」格） → 4（「8」格）"),
    ] {
        let told = told(&session, language);
        assert!(told.iter().any(|line| line.replace('\n', " ").contains(wanted)), "{wanted}: {told:#?}");
    }
}

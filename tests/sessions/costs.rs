//! Tests of the costs and gains of options. They are calculated from the rules' numbers and from those alterations that the seat knows.

use parlour::agents::question;
use parlour::model::Language;
use parlour::session::{Session, Setup};

const GAME: &str = r#"
[game]
id = "stall"
players = { min = 2, max = 2 }

[zones.stock]
shape = "row"
spaces = 2
accepts = ["good"]
face = "up"
[zones.deck]
shape = "pile"
starts_with = ["good"]
face = "down"
[zones.friends]
per = "seat"
shape = "hand"
seen_by = "everybody"
in_force = true
[zones.helpers]
shape = "hand"
starts_with = ["helper"]
seen_by = "everybody"

[altered]
due = { en = "what a good costs", zh-Hant = "貨物的花費" }

[values.seat]
coins = { start = 9, name = { en = "coins", zh-Hant = "硬幣" } }

[decisions.buy]
ask = { en = "What do you buy?", zh-Hant = "買什麼？" }
costs = "costs_of"
pass = { en = "buy nothing", zh-Hant = "不買" }

[decisions.guess]
ask = { en = "Which space?", zh-Hant = "哪一格？" }
costs = "top_of_deck"

[flow]
setup = ["lay_out"]
round = ["market"]
rounds = 1
[phases.market]
steps = [{ each_seat = "trade" }]

[words]
fee = { en = "fee", zh-Hant = "費用" }
"#;

const GOODS: &str = r#"
[[good]]
id = "cloth"
name = { en = "cloth", zh-Hant = "布" }
price = 3
count = 2
[[good]]
id = "oil"
name = { en = "oil", zh-Hant = "油" }
price = 5
count = 2
[[helper]]
id = "butler"
name = { en = "butler", zh-Hant = "管家" }
alters = [{ what = "due", add = -2 }]
"#;

const RULES: &str = r#"
fn lay_out() {
    deck.find("price", 3).move_to(stock[1], "up");
    deck.find("price", 5).move_to(stock[2], "up");
    helpers.top.move_to(first.friends);
    deck.shuffle();
}
fn trade(seat) {
    let good = choose_or_pass(seat, "buy", stock.pieces);
    if good != () { seat.coins -= due_for(seat, good); }
    choose(seat, "guess", stock.spaces);
}
fn due_for(seat, good) { altered("due", good.price, seat) }
fn costs_of(seat, good) { if good.price > 3 { #{ fee: 1, coins: due_for(seat, good) } } else { due_for(seat, good) } }
fn top_of_deck(seat, space) { deck.top.price }
fn score(seat) { seat.coins }
"#;

fn begun() -> Session {
    let texts =
        crate::folder::owned_files([("game.toml", GAME), ("components/goods.toml", GOODS), ("rules/play.rhai", RULES)]);
    let game = parlour::load_texts("stall", texts).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(2)).unwrap_or_else(|found| panic!("{found}"))
}

/// Returns the cost of each option of the open decision, as shown to players.
fn costs(session: &Session, language: Language) -> Vec<Option<String>> {
    let observation = session.observation().unwrap();
    let decision = observation.decision();
    (0..decision.count()).map(|at| observation.worded_costs(&decision.option(at), language)).collect()
}

#[test]
fn options_show_their_cost_parts_and_alterations() {
    let mut session = begun();
    let english = [Some("costs 1 (butler −2)"), Some("fee 1, coins 3 (butler −2)"), None];
    assert_eq!(costs(&session, Language::English), english.map(|text| text.map(str::to_owned)));
    let chinese = [Some("花費 1（管家 −2）"), Some("費用 1、硬幣 3（管家 −2）"), None];
    assert_eq!(costs(&session, Language::TraditionalChinese), chinese.map(|text| text.map(str::to_owned)));
    let told = question(&session.observation().unwrap());
    assert_eq!(told["costs"][1]["parts"], serde_json::json!({ "coins": 3, "fee": 1 }));
    assert_eq!(told["costs"][1]["altered"], serde_json::json!([{ "component": "butler", "add": -2 }]));
    assert!(told["costs"][2].is_null(), "{told}");
    session.choose(0).unwrap();
    session.choose(0).unwrap();
    assert_eq!(costs(&session, Language::English)[0].as_deref(), Some("costs 3"), "the other seat has no butler");
}

#[test]
fn costs_that_depend_on_hidden_information_are_not_shown() {
    let mut session = begun();
    session.choose(2).unwrap();
    assert_eq!(costs(&session, Language::English), [None, None], "nobody has seen the top of the deck");
}

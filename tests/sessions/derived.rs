//! Tests of derived values, which are calculated for each viewer as far as the viewer can know them.

use parlour::agents::question;
use parlour::model::{Seat, Setup, ZoneId};
use parlour::session::Session;
use parlour::table::{Holder, View};

const GAME: &str = r#"
[game]
id = "worth"
name = "Worth"
players = { min = 2, max = 3 }

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"

[values.seat]
coins = 5
worth = { derived = "worth_of" }
in_hand = { derived = "in_hand_of" }
[values.suit]
out = { derived = "out_of" }
[values.piece]
weight = { derived = "weight_of", of = "card", on = ["hand"] }
[values.game]
coins_in_all = { derived = "coins_of_all" }
late = { derived = "late_bonus" }

[decisions.pay]
ask = "How much do you pay?"

[flow]
setup = ["deal"]
round = ["play"]
rounds = 3
[phases.play]
steps = [{ each_seat = "turn_of" }]

[[suit]]
id = "reds"
[[suit]]
id = "blues"
[[card]]
id = "red"
suit = "reds"
points = 1
count = 6
[[card]]
id = "blue"
suit = "blues"
points = 2
count = 6
"#;

const RULES: &str = r#"
fn deal() { deck.shuffle(); for seat in seats { deck.draw(2, seat.hand); } }
fn turn_of(seat) { seat.coins -= choose_number(seat, "pay", 0, 1); }
fn worth_of(seat) { 10 * seat.coins }
fn in_hand_of(seat) { seat.hand.sum("points") }
fn out_of(suit) { 6 - deck.pieces.filter(|card| card.suit == suit).count() }
fn weight_of(card) { 10 * card.points }
fn coins_of_all() { seats.sum("coins") }
fn late_bonus() { if round > 1 { round } else { () } }
fn score(seat) { worth_of(seat) + in_hand_of(seat) }
"#;

fn start() -> Session {
    let (data, cards) = GAME.split_at(GAME.find("[[suit]]").unwrap());
    let texts = [("game.toml", data), ("components/cards.toml", cards), ("rules/play.rhai", RULES)];
    let texts = crate::folder::owned_files(texts);
    let game = parlour::load_texts("worth", texts).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(2).seed(4)).unwrap_or_else(|found| panic!("{found}"))
}

/// Returns a derived value as it appears in a view.
fn shown(session: &Session, view: View<'_>, name: &str, holder: Holder) -> Option<i64> {
    let at = session.model().derived.iter().position(|derived| &*derived.id == name).unwrap();
    session.with_derived(view).derived(at, holder)
}

#[test]
fn derived_values_follow_the_table() {
    let mut session = start();
    let ann = Holder::Seat(Seat(0));
    let worth = |session: &Session| shown(session, session.view(Seat(1)), "worth", ann);
    assert_eq!(worth(&session), Some(50));
    session.choose(1).unwrap();
    assert_eq!(worth(&session), Some(40));
    assert_eq!(shown(&session, session.view(Seat(1)), "coins_in_all", Holder::Game), Some(9));
    assert_eq!(shown(&session, session.view(Seat(1)), "late", Holder::Game), None, "there is nothing to show");
    session.choose(0).unwrap();
    assert_eq!(shown(&session, session.view(Seat(1)), "late", Holder::Game), Some(2));
    session.undo().unwrap();
    session.undo().unwrap();
    assert_eq!(worth(&session), Some(50));
}

#[test]
fn derived_values_based_on_hidden_information_are_hidden() {
    let session = start();
    let [ann, ben] = [0, 1].map(|seat| Holder::Seat(Seat(seat)));
    let of_ann = |holder| shown(&session, session.view(Seat(0)), "in_hand", holder);
    let held = |seat: u8| {
        let whole = View::whole(session.table());
        shown(&session, whole, "in_hand", Holder::Seat(Seat(seat)))
    };
    assert!(held(0).is_some() && held(1).is_some(), "whoever runs the game sees all");
    assert_eq!(of_ann(ann), held(0));
    assert_eq!(of_ann(ben), None);
    assert_eq!(shown(&session, View::new(session.table(), None), "in_hand", ann), None, "an onlooker sees no hand");
    assert_eq!(shown(&session, View::new(session.table(), None), "worth", ann), Some(50));
    let reds = session.model().components.iter().position(|one| &*one.id == "reds").unwrap();
    let reds = Holder::Component(parlour::model::ComponentId::at(reds));
    assert_eq!(shown(&session, session.view(Seat(0)), "out", reds), None, "the deck lies face down");
}

#[test]
fn agent_programs_receive_only_derived_values_the_seat_can_know() {
    let session = start();
    let values = &question(&session.observation().unwrap())["view"]["values"];
    assert_eq!(values["worth"], serde_json::json!({ "1": 50, "2": 50 }));
    assert_eq!(values["coins_in_all"], serde_json::json!({ "game": 10 }));
    assert_eq!(values["in_hand"].as_object().unwrap().keys().collect::<Vec<_>>(), ["1"]);
}

#[test]
fn derived_values_of_pieces_are_visible_to_seats_that_know_them() {
    let session = start();
    let at = session.model().derived.iter().position(|derived| &*derived.id == "weight").unwrap();
    let weights = |view: View<'_>, zone: usize| {
        let view = session.with_derived(view);
        let space = session.model().zone(ZoneId::at(zone)).space();
        (0..view.height(space)).map(|place| view.derived_of_piece(at, space, place)).collect::<Vec<_>>()
    };
    let hand_of = |seat: u8| session.model().zones.iter().position(|zone| zone.seat == Some(Seat(seat))).unwrap();
    let deck = session.model().zones.iter().position(|zone| &*zone.path == "deck").unwrap();
    let [ann, ben] = [0, 1].map(hand_of);
    let points = |seat: u8| shown(&session, View::whole(session.table()), "in_hand", Holder::Seat(Seat(seat)));
    let own: Option<i64> = weights(session.view(Seat(0)), ann).into_iter().sum();
    assert_eq!(own, points(0).map(|points| 10 * points));
    assert_eq!(weights(session.view(Seat(0)), ben), [None, None]);
    assert!(weights(View::whole(session.table()), deck).iter().all(Option::is_none), "it is on hands alone");
    let told = question(&session.observation().unwrap()).to_string();
    assert_eq!(told.matches("\"weight\":").count(), 2, "{told}");
}

#[test]
fn computing_derived_values_changes_nothing() {
    let session = start();
    let before = (session.fingerprint(), session.events().len());
    session.with_derived(View::whole(session.table()));
    assert_eq!((session.fingerprint(), session.events().len()), before);
    assert!(session.observation().unwrap().check_derived().is_ok());
}

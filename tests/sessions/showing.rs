//! Tests of hands that are shown: which seats may choose from them, and for how long.

use parlour::model::{Language, Seat};
use parlour::session::{Choice, Decision, Game, Session, Setup};
use parlour::table::Chance;
use parlour::wording::Wording;

const GAME: &str = r#"
[game]
id = "showing"
name = "Showing"
players = { min = 3, max = 3 }

[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[zones.open]
shape = "pile"

[decisions.pick]
ask = "Pick one"
[decisions.sure]
ask = "Sure?"
[decisions.answer]
ask = "Do you answer?"
always = true
[decisions.lay]
ask = "Do you lay one?"

[flow]
setup = ["deal"]
round = ["play"]
rounds = 1
[phases.play]
steps = ["turn", "later"]
"#;

const CARDS: &str =
    "[[card]]\nid = \"one\"\n[[card]]\nid = \"two\"\n[[card]]\nid = \"three\"\n[[card]]\nid = \"four\"\n";

fn started(turn: &str, later: &str) -> Session {
    let rules = format!(
        "fn deal() {{ deck.shuffle(); deck.draw(3, next(first).hand); }}\nfn turn() {{ let other = next(first); {turn} }}\nfn later() {{ let other = next(first); {later} }}\n"
    );
    let texts = [("game.toml", GAME), ("components/cards.toml", CARDS), ("rules/play.rhai", &rules)];
    let texts = crate::folder::owned_files(texts);
    let game: Game = parlour::load_texts("showing", texts).unwrap_or_else(|found| panic!("{rules}\n{found}"));
    Session::start(&game, &Setup::seats(3)).unwrap()
}

fn pieces(decision: &Decision) -> Vec<parlour::model::PieceId> {
    decision.options.iter().filter_map(|one| if let Choice::Piece(piece) = one { Some(piece) } else { None }).collect()
}

/// Returns whether the options are the same pieces in each of twenty worlds that the first seat imagines. Asserts that this is so exactly
/// if the seat knows all of the pieces.
fn knows_its_options(session: &Session) -> bool {
    let decision = session.decision().unwrap();
    let seat = Seat::at(0);
    assert_eq!(decision.seat, seat);
    let offered = pieces(decision);
    assert_eq!(offered.len(), 3);
    let knows = |piece: &parlour::model::PieceId| session.table().knowers(*piece) & 1 != 0;
    let known = offered.iter().filter(|piece| knows(piece)).count();
    let mut chance = Chance::new(5, "worlds");
    let prints = |session: &Session| offered.iter().map(|piece| session.table().component(*piece)).collect::<Vec<_>>();
    let worlds = (0..20).map(|_| session.imagine(seat, &mut chance).unwrap());
    let are_same = worlds.filter(|world| prints(world) == prints(session)).count() == 20;
    assert_eq!(known == 3, are_same, "{known} are known");
    are_same
}

#[test]
fn a_seat_that_was_shown_a_hand_can_choose_from_it() {
    assert!(knows_its_options(&started("other.hand.show(first); choose(first, \"pick\", other.hand.pieces);", "")));
    assert!(knows_its_options(&started("other.hand.reveal(); choose(first, \"pick\", other.hand.pieces);", "")));
    assert!(!knows_its_options(&started("choose(first, \"pick\", other.hand.pieces);", "")));
    // The seat still sees the hand as long as no other seat is asked.
    let mut session =
        started("other.hand.show(first); confirm(first, \"sure\"); choose(first, \"pick\", other.hand.pieces);", "");
    session.choose(0).unwrap();
    assert!(knows_its_options(&session));
}

#[test]
fn a_seat_loses_track_of_a_shown_hand_after_other_actions_or_the_step() {
    for between in
        ["confirm(other, \"sure\");", "confirm(next(other), \"sure\");", "other.hand.top.move_to(other.hand);"]
    {
        let turn = format!("other.hand.show(first); {between} choose(first, \"pick\", other.hand.pieces);");
        let mut session = started(&turn, "");
        if between.contains("confirm") {
            session.choose(0).unwrap();
        }
        assert!(!knows_its_options(&session), "{between}");
    }
    let later = "choose(first, \"pick\", other.hand.pieces);";
    assert!(!knows_its_options(&started("other.hand.show(first);", later)));
}

/// Returns the log that the first seat reads.
fn heard(session: &Session) -> String {
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    wording.for_seat(Seat::at(0)).narrate(session.events()).join("\n")
}

#[test]
fn passing_is_logged_only_for_decisions_that_are_always_asked() {
    for (decision, is_heard) in [("answer", true), ("lay", false)] {
        let turn = format!("choose_or_pass(other, \"{decision}\", other.hand.pieces); confirm(first, \"sure\");");
        let mut session = started(&turn, "");
        session.choose(3).unwrap();
        assert_eq!(heard(&session).contains("Ben passes"), is_heard, "{}", heard(&session));
        let mut chance = Chance::new(5, "worlds");
        for _ in 0..20 {
            session.imagine(Seat::at(0), &mut chance).unwrap();
        }
    }
}

//! Tests of the duration of a turn, and of the log entries of answers.

use parlour::diagnostic::Source;
use parlour::model::Language;
use parlour::session::{ChooseError, Session, Setup, Status};
use parlour::wording::Wording;
use std::sync::Arc;

const GAME: &str = r#"
[game]
id = "turns"
players = { min = 2, max = 2 }

[values.seat]
moved = { type = "flag", lasts = "turn", quiet = true }
looked = 0

[decisions.act]
ask = "What now?"
parts = { walk = "number", wait = "number" }
tell = "{seat} does something"

[decisions.act.tells]
walk = { en = "{seat} goes {walk}", zh-Hant = "{seat}走 {walk} 步" }
rest = "{seat} rests"

[decisions.sure]
ask = "Sure?"

[decisions.sure.tells]
yes = "{seat} is sure"

[flow]
round = ["play"]
rounds = 2

[phases.play]
steps = [{ each_seat = ["act", { each_seat = "look" }, "after"] }, "nobody_moved"]
"#;

const RULES: &str = r#"
fn act(seat) {
    ensure(!seat.moved, "a turn begins afresh");
    seat.moved = true;
    choose(seat, "act", [#{ walk: 1 }, #{ wait: 2 }, "rest"]);
}
fn look(seat) { seat.looked += 1; }
fn after(seat) {
    ensure(seat.moved, "the turn has not ended yet");
    confirm(seat, "sure");
}
fn nobody_moved() {
    for seat in seats { ensure(!seat.moved, "the turns are over"); }
}
fn score(seat) { seat.looked }
"#;

fn begin() -> Session {
    let texts = crate::folder::owned_files([("game.toml", GAME), ("rules/play.rhai", RULES)]);
    let game = parlour::load_texts("turns", texts).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(2)).unwrap()
}

#[test]
fn values_that_last_a_turn_persist_through_all_its_steps() {
    let mut session = begin();
    while session.decision().is_some() {
        session.choose(0).unwrap();
    }
    assert!(matches!(session.status(), Status::Over(_)), "{:?}", session.status());
}

#[test]
fn undo_reverts_arrangements_made_after_the_undone_answer() {
    let moved = |session: &Session| session.listing(None);
    let mut session = begin();
    session.choose(0).unwrap();
    session.choose(0).unwrap();
    let source = Source { path: "arranged".to_owned(), text: "seats[1].looked = 5".to_owned() };
    session.arrange(&[Arc::new(source)]).unwrap();
    let arranged = moved(&session);
    for at in [1, 1, 2, 0] {
        session.choose(at).unwrap();
    }
    session.undo_to(2).unwrap();
    assert_eq!(moved(&session), arranged);
    session.undo().unwrap();
    assert_ne!(moved(&session), arranged);
    session.undo().unwrap();
    assert_eq!(session.undo(), Err(ChooseError::NothingToUndo));
    assert_eq!(moved(&session), moved(&begin()));
}

#[test]
fn answers_are_logged_by_chosen_word_or_part() {
    let mut session = begin();
    for at in [0, 0, 1, 1, 2, 0] {
        session.choose(at).unwrap();
    }
    let told = |language| {
        let wording = Wording::new(session.model().clone(), session.setup().clone(), language);
        let lines = wording.narrate(session.events());
        lines
            .iter()
            .map(|line| line.trim().to_owned())
            .filter(|line| line.starts_with("Ann") || line.starts_with("Ben"))
            .collect::<Vec<_>>()
    };
    let english = told(Language::English);
    assert_eq!(english[0], "Ann goes 1");
    assert_eq!(english[1], "Ann is sure");
    assert_eq!(english[2], "Ben does something");
    assert_eq!(english[3], "Ben: no (Sure?)");
    assert_eq!(english[4], "Ann rests");
    assert_eq!(told(Language::TraditionalChinese)[0], "Ann走 1 步");
}

#[test]
fn placeholders_in_tell_sentences_must_be_parts_of_the_answer() {
    let game = GAME.replace("{seat} rests", "{seat} rests {here}");
    let texts = crate::folder::owned_files([("game.toml", game.as_str()), ("rules/play.rhai", RULES)]);
    let found = parlour::load_texts("turns", texts).err().unwrap().to_string();
    assert!(found.starts_with("error[unknown-placeholder]: `{here}` is not a placeholder here"), "{found}");
}

//! Tests that answers in long games on large tables can be undone to any point, although only a few copies of the table are kept.

use parlour::session::{Session, Setup};

const GAME: &str = r#"
[game]
format = 1
id = "large"
players = { min = 2, max = 2 }
[zones.heap]
shape = "bag"
starts_with = ["chip"]
[values.seat]
sum = 0
[decisions.act]
ask = "What now?"
[flow]
rounds = 1000
round = ["play"]
[phases.play]
steps = [{ each_seat = "act" }]
[endings.over]
name = "Over"
"#;

const RULES: &str = r#"
fn act(seat) { seat.sum += choose(seat, "act", [1, 2]); }
fn score(seat) { seat.sum }
"#;

#[test]
fn undo_restores_any_earlier_state_of_a_large_table() {
    let rows: String =
        (0..8).map(|at| ["[[chip]]\nid = \"c", &at.to_string(), "\"\ncount = 1000\n"].concat()).collect();
    let texts = [("game.toml", GAME), ("rules/play.rhai", RULES), ("components/chips.toml", &rows)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let game = parlour::load_texts("large", texts).unwrap_or_else(|found| panic!("{found}"));
    let mut session = Session::start(&game, &Setup::seats(2)).unwrap_or_else(|found| panic!("{found}"));
    let mut before = Vec::new();
    for answer in 0..900 {
        before.push(session.fingerprint());
        session.choose(answer % 2).unwrap();
    }
    for answers in [899, 513, 7, 0] {
        session.undo_to(answers).unwrap();
        assert_eq!(session.fingerprint(), before[answers]);
    }
}

//! Checks that log entries are in the order in which the rules cause them.

use crate::sampler;
use parlour::model::Language;
use parlour::session::{Session, Setup};
use parlour::wording::{Statement, Wording};

/// An announcement also reveals the card that it names, but its log entry must not replace the earlier entry.
#[test]
fn showing_a_card_is_logged_before_an_announcement_that_names_it() {
    let rules = "fn set_up() { deck.draw(2, first.hand); } fn turn_of(seat) { if seat == first { first.hand.show(seats[1]); first.hand.show(seats[2]); say(\"lays\", #{ seat: seat, card: first.hand.top.component }); } }";
    let mut texts = sampler::texts(rules);
    for (_, text) in &mut texts {
        *text = text.replace("pays = \"{seat} pays {price}\"", "lays = \"{seat} lays {card}\"");
    }
    let game = parlour::load_texts("sampler", texts).unwrap();
    let session = Session::start(&game, &Setup::seats(3).seed(5)).unwrap();
    let model = session.model();
    let other = model.all_seats().find(|seat| *seat != session.table().position.first).unwrap();
    let wording = Wording::new(model.clone(), session.setup().clone(), Language::English).for_seat(other);
    let statements = wording.statements(session.events());
    let shown = statements.iter().filter(|statement| matches!(statement, Statement::Shown(_))).count();
    let lines = wording.narrate(session.events());
    assert!(shown > 0, "{statements:?}\n{lines:#?}");
    let announced = lines.iter().position(|line| line.contains("lays")).unwrap();
    assert!(lines[..announced].iter().any(|line| line.contains("Hand: 2 × One")), "{lines:#?}");
}

//! Tests that seats that are asked together can be asked in any order. Each seat has the same question, whatever the seats before it
//! answer.

use parlour::model::Seat;
use parlour::session::{Decision, Session, Setup};
use std::path::Path;

fn start(folder: &str, seats: u8, seed: u64) -> Session {
    let game = parlour::load(Path::new(folder)).unwrap_or_else(|found| panic!("{found}"));
    Session::start(&game, &Setup::seats(seats).seed(seed)).unwrap_or_else(|found| panic!("{found}"))
}

/// Plays games, and asserts that a question that a seat was asked ahead of its turn is the same when its turn comes. Returns the number of
/// comparisons.
fn compared(folder: &str, seats: u8) -> usize {
    let mut count = 0;
    for seed in 0..3_usize {
        let mut session = start(folder, seats, seed as u64);
        let mut ahead: Vec<(Seat, Decision)> = Vec::new();
        for step in 0..300_usize {
            let Some(decision) = session.decision().cloned() else { break };
            if session.is_asking_together() {
                if let Some(at) = ahead.iter().position(|(seat, _)| *seat == decision.seat) {
                    assert_eq!(ahead.remove(at).1, decision, "{folder}, seed {seed}, step {step}");
                    count += 1;
                } else if decision.picked.is_empty() {
                    let others = session.model().all_seats().filter(|seat| *seat != decision.seat);
                    let asked = |seat| Some((seat, session.ask_ahead(seat)?.decision()?.clone()));
                    ahead = others.filter_map(asked).collect();
                    assert_eq!(session.ask_ahead(decision.seat).unwrap().decision(), Some(&decision));
                }
            } else {
                ahead.clear();
                assert!(session.model().all_seats().all(|seat| session.ask_ahead(seat).is_none()));
            }
            session.choose((step * 31 + seed * 7) % decision.count()).unwrap();
        }
    }
    count
}

#[test]
fn questions_asked_ahead_equal_those_asked_in_turn() {
    for (folder, seats) in [
        ("examples/games/goofspiel", 3),
        ("examples/games/spice-caravan", 3),
        ("examples/gallery/cribbage", 2),
        ("examples/gallery/hearts", 4),
        ("games/last-will", 3),
    ] {
        let count = compared(folder, seats);
        assert!(count > 0, "{folder} asks nobody together");
    }
}

#[test]
fn sequential_questions_are_not_asked_ahead() {
    assert_eq!(compared("examples/games/little-tricks", 2), 0);
}

//! Tests that a list of answers determines a game, by replaying, forking and undoing games.

use crate::case::{cases, cases_of_long_tests};
use crate::random_walk::{State, audiences, walk, walks};

/// Interval, in answers, at which a game is continued on another thread, or several answers are undone at once.
const UNDO_EVERY: usize = 9;

#[test]
fn replaying_answers_repeats_the_game() {
    for case in cases() {
        for seed in 0..walks() {
            let mut states = Vec::new();
            let over = walk(&case, seed, |session, _| states.push(State::of(session)));
            states.push(State::of(&over));
            let mut again = case.start(seed);
            for (at, &answer) in over.answers().iter().enumerate() {
                assert_eq!(State::of(&again), states[at], "{}", case.at(&again));
                again.choose(answer as usize).unwrap();
            }
            assert_eq!(State::of(&again), states[over.answers().len()], "{}", case.at(&again));
            assert_eq!(again.events(), over.events(), "{}", case.at(&again));
        }
    }
}

#[test]
fn forks_continue_like_the_original() {
    for case in cases_of_long_tests() {
        for seed in 0..walks() {
            let mut continued: Option<(State, Vec<u16>)> = None;
            let over = walk(&case, seed, |session, next| {
                if let Some(continued) = continued.take() {
                    assert_eq!(continued, (State::of(session), audiences(session)), "{}", case.at(session));
                }
                let mut fork = session.fork();
                assert_eq!(State::of(&fork), State::of(session), "{}", case.at(session));
                let mut second = fork.fork();
                fork.choose(next).unwrap();
                second.choose(next).unwrap();
                assert_eq!(State::of(&fork), State::of(&second), "{}: a fork of a fork", case.at(session));
                continued = Some((State::of(&fork), audiences(&fork)));
            });
            assert_eq!(continued, Some((State::of(&over), audiences(&over))), "{}", case.at(&over));
        }
    }
}

#[test]
fn forks_can_continue_on_another_thread() {
    for case in cases_of_long_tests() {
        let mut expected: Option<(State, Vec<u16>)> = None;
        let over = walk(&case, 0, |session, next| {
            if let Some(expected) = expected.take() {
                assert_eq!(expected, (State::of(session), audiences(session)), "{}", case.at(session));
            }
            if session.answers().len().is_multiple_of(UNDO_EVERY) {
                let mut copy = session.fork();
                let thread = std::thread::spawn(move || {
                    copy.choose(next).unwrap();
                    copy
                });
                let returned = thread.join().unwrap();
                expected = Some((State::of(&returned), audiences(&returned)));
            }
        });
        if let Some(expected) = expected {
            assert_eq!(expected, (State::of(&over), audiences(&over)), "{}", case.at(&over));
        }
    }
}

#[test]
fn forks_do_not_change_the_original() {
    for case in cases_of_long_tests() {
        walk(&case, 0, |session, _| {
            let before = State::of(session);
            let last = session.decision().unwrap().count() - 1;
            session.fork().choose(last).unwrap();
            assert_eq!(State::of(session), before, "{}", case.at(session));
        });
    }
}

#[test]
fn undo_restores_the_previous_state() {
    for case in cases_of_long_tests() {
        let mut states = Vec::new();
        let over = walk(&case, 0, |session, next| {
            states.push((State::of(session), audiences(session), session.events().to_vec()));
            let mut fork = session.fork();
            fork.choose(next).unwrap();
            fork.undo().unwrap();
            assert!(
                states.last() == Some(&(State::of(&fork), audiences(&fork), fork.events().to_vec())),
                "{}",
                case.at(session)
            );
            if session.answers().len().is_multiple_of(UNDO_EVERY) {
                let to = session.answers().len() / 2;
                fork.undo_to(to).unwrap();
                assert!(
                    states[to] == (State::of(&fork), audiences(&fork), fork.events().to_vec()),
                    "{}",
                    case.at(&fork)
                );
            }
        });
        let mut back = over.fork();
        while back.undo().is_ok() {
            let state = (State::of(&back), audiences(&back), back.events().to_vec());
            assert!(states[back.answers().len()] == state, "{}", case.at(&back));
        }
        assert!(back.answers().is_empty(), "{}", case.at(&back));
    }
}

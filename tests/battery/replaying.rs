//! One list of answers, one game: replay, fork, undo.

use crate::case::cases;
use crate::walk::{State, told, walk, walks};

/// Several answers are taken back at one of so many decisions.
const UNDO_EVERY: usize = 9;

#[test]
fn replaying_the_answers_goes_the_same_way() {
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
fn a_fork_goes_on_like_what_it_was_forked_from() {
    for case in cases() {
        for seed in 0..walks() {
            let mut continued: Option<(State, Vec<u16>)> = None;
            let over = walk(&case, seed, |session, next| {
                if let Some(continued) = continued.take() {
                    assert_eq!(continued, (State::of(session), told(session)), "{}", case.at(session));
                }
                let mut fork = session.fork();
                assert_eq!(State::of(&fork), State::of(session), "{}", case.at(session));
                let mut second = fork.fork();
                fork.choose(next).unwrap();
                second.choose(next).unwrap();
                assert_eq!(State::of(&fork), State::of(&second), "{}: a fork of a fork", case.at(session));
                continued = Some((State::of(&fork), told(&fork)));
            });
            assert_eq!(continued, Some((State::of(&over), told(&over))), "{}", case.at(&over));
        }
    }
}

#[test]
fn a_step_that_waits_goes_to_another_thread() {
    for case in cases() {
        let mut there: Option<(State, Vec<u16>)> = None;
        let over = walk(&case, 0, |session, next| {
            if let Some(there) = there.take() {
                assert_eq!(there, (State::of(session), told(session)), "{}", case.at(session));
            }
            if session.answers().len().is_multiple_of(UNDO_EVERY) {
                let mut copy = session.fork();
                let gone = std::thread::spawn(move || {
                    copy.choose(next).unwrap();
                    copy
                });
                let back = gone.join().unwrap();
                there = Some((State::of(&back), told(&back)));
            }
        });
        if let Some(there) = there {
            assert_eq!(there, (State::of(&over), told(&over)), "{}", case.at(&over));
        }
    }
}

#[test]
fn a_fork_leaves_what_it_was_forked_from_as_it_was() {
    for case in cases() {
        walk(&case, 0, |session, _| {
            let before = State::of(session);
            let last = session.decision().unwrap().count() - 1;
            session.fork().choose(last).unwrap();
            assert_eq!(State::of(session), before, "{}", case.at(session));
        });
    }
}

#[test]
fn taking_an_answer_back_leads_to_the_state_before() {
    for case in cases() {
        let mut states = Vec::new();
        let over = walk(&case, 0, |session, next| {
            states.push((State::of(session), told(session), session.events().to_vec()));
            let mut fork = session.fork();
            fork.choose(next).unwrap();
            fork.undo().unwrap();
            assert!(
                states.last() == Some(&(State::of(&fork), told(&fork), fork.events().to_vec())),
                "{}",
                case.at(session)
            );
            if session.answers().len().is_multiple_of(UNDO_EVERY) {
                let to = session.answers().len() / 2;
                fork.undo_to(to).unwrap();
                assert!(states[to] == (State::of(&fork), told(&fork), fork.events().to_vec()), "{}", case.at(&fork));
            }
        });
        let mut back = over.fork();
        while back.undo().is_ok() {
            let state = (State::of(&back), told(&back), back.events().to_vec());
            assert!(states[back.answers().len()] == state, "{}", case.at(&back));
        }
        assert!(back.answers().is_empty(), "{}", case.at(&back));
    }
}

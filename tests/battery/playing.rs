//! Games come to an end, questions are fair, and the rules' own invariants hold.

use crate::case::{cases, in_words};
use crate::walk::{walk, walks, written};
use parlour::agents::{self, Random};
use parlour::session::{Player, Status};
use std::collections::BTreeSet;

/// Games played to their end for each case.
const GAMES: u64 = 8;

/// More questions than any game here may ask.
const MOST_QUESTIONS: u64 = 2_000;

#[test]
fn every_game_ends_in_a_declared_way_within_bounds() {
    for case in cases() {
        for seed in 0..GAMES {
            let seats = case.setup.seats as usize;
            let players = (0..seats).map(|seat| agents::named("random", seed, seat).unwrap()).collect();
            let played = case.game.play(&case.seeded(seed), players, false).unwrap();
            let outcome = played.outcome.unwrap_or_else(|diagnostic| panic!("{}", in_words(&diagnostic)));
            assert!(played.decisions + played.forced <= MOST_QUESTIONS, "{case} --seed {seed} asks too much");
            let layout = case.game.layout(&case.setup).unwrap();
            assert!(outcome.ending.index() < layout.model.endings.len());
            assert_eq!(outcome.standings.len(), seats);
            assert!(outcome.winners().count() > 0, "{case} --seed {seed}: somebody has the first rank");
        }
    }
}

#[test]
fn every_question_has_at_least_two_options_that_read_unlike() {
    for case in cases() {
        for seed in 0..walks() {
            walk(&case, seed, |session, _| {
                let decision = session.decision().unwrap();
                let is_always = session.model().decisions[decision.id.index()].is_always;
                assert!(decision.count() >= 2 || is_always && decision.pass.is_some(), "{}", case.at(session));
                let options: BTreeSet<_> = (0..decision.count()).map(|at| decision.option(at)).collect();
                assert_eq!(options.len(), decision.count(), "{}: an option twice", case.at(session));
                let written = written(session);
                let unlike: BTreeSet<_> = written.iter().collect();
                assert_eq!(unlike.len(), written.len(), "{}: options read alike: {written:?}", case.at(session));
            });
        }
    }
}

#[test]
fn the_invariants_of_the_rules_hold_at_every_question_and_at_the_end() {
    for case in cases() {
        for seed in 0..walks() {
            let mut over = walk(&case, seed, |session, _| {
                let held = session.check_invariants();
                held.unwrap_or_else(|diagnostic| panic!("{}\n{}", case.at(session), in_words(&diagnostic)));
            });
            let held = over.check_invariants();
            held.unwrap_or_else(|diagnostic| panic!("{}\n{}", case.at(&over), in_words(&diagnostic)));
        }
    }
}

#[test]
fn a_game_played_on_the_spot_ends_like_a_session_of_the_same_agents() {
    for case in cases() {
        for seed in 0..walks() {
            let seats = case.setup.seats as usize;
            let agents = || (0..seats).map(|seat| Random::new(seed, &format!("agent {seat}")));
            let players = agents().map(|agent| Box::new(agent) as Box<dyn Player>).collect();
            let played = case.game.play(&case.seeded(seed), players, true).unwrap();
            let mut agents: Vec<Random> = agents().collect();
            let mut session = case.start(seed);
            while let Status::Waiting(decision) = session.status() {
                let agent = &mut agents[decision.seat.index()];
                let at = agent.choose(&session.observation().unwrap()).unwrap();
                session.choose(at).unwrap();
            }
            assert_eq!(session.fingerprint(), played.fingerprint, "{}", case.at(&session));
            assert_eq!(session.outcome(), played.outcome.ok().as_ref(), "{}", case.at(&session));
            assert_eq!(session.answers().len() as u64, played.decisions, "{}", case.at(&session));
            assert_eq!(*session.events(), played.events, "{}", case.at(&session));
        }
    }
}

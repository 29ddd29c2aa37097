//! Random games end with a declared ending, decisions have different options, and the invariants of the rules hold.

use crate::case::{cases, render_plain};
use crate::random_walk::{option_texts, walk, walks};
use parlour::agents::{self, Random};
use parlour::session::{Player, Status};
use std::collections::BTreeSet;

/// Number of games per case.
const GAMES: u64 = 8;

/// Maximum number of questions in a game, including those with a single option.
const MAX_QUESTIONS: u64 = 2_000;

#[test]
fn every_game_ends_with_a_declared_ending() {
    for case in cases() {
        for seed in 0..GAMES {
            let seats = case.setup.seats as usize;
            let players = (0..seats).map(|seat| agents::named("random", seed, seat).unwrap()).collect();
            let played = case.game.play(&case.seeded(seed), players, false).unwrap();
            let outcome = played.outcome.unwrap_or_else(|diagnostic| panic!("{}", render_plain(&diagnostic)));
            assert!(played.decisions + played.forced <= MAX_QUESTIONS, "{case} --seed {seed} asks too many questions");
            let layout = case.game.layout(&case.setup).unwrap();
            assert!(outcome.ending.index() < layout.model.endings.len());
            assert_eq!(outcome.standings.len(), seats);
            assert!(outcome.winners().count() > 0, "{case} --seed {seed}: there is a winner");
        }
    }
}

#[test]
fn every_question_has_at_least_two_different_options() {
    for case in cases() {
        for seed in 0..walks() {
            walk(&case, seed, |session, _| {
                let decision = session.decision().unwrap();
                let is_always = session.model().decisions[decision.id.index()].is_always;
                assert!(decision.count() >= 2 || is_always && decision.pass.is_some(), "{}", case.at(session));
                let options: BTreeSet<_> = (0..decision.count()).map(|at| decision.option(at)).collect();
                assert_eq!(options.len(), decision.count(), "{}: duplicate option", case.at(session));
                let texts = option_texts(session);
                let distinct: BTreeSet<_> = texts.iter().collect();
                assert_eq!(
                    distinct.len(),
                    texts.len(),
                    "{}: two options have the same text: {texts:?}",
                    case.at(session)
                );
            });
        }
    }
}

#[test]
fn invariants_of_the_rules_hold_at_every_question() {
    for case in cases() {
        for seed in 0..walks() {
            let mut over = walk(&case, seed, |session, _| {
                let result = session.check_invariants();
                result.unwrap_or_else(|diagnostic| panic!("{}\n{}", case.at(session), render_plain(&diagnostic)));
            });
            let result = over.check_invariants();
            result.unwrap_or_else(|diagnostic| panic!("{}\n{}", case.at(&over), render_plain(&diagnostic)));
        }
    }
}

#[test]
fn play_and_sessions_have_the_same_result() {
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

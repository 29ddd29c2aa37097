//! Compiled rules come to what their tree comes to when the script engine walks it: the same questions with the same options, the
//! same log, the same table, decision by decision.
//!
//! `GAMES=20 cargo test --release --test battery lockstep` plays that many games of each case.

use crate::case::{Case, cases, in_words};
use crate::walk::{State, written};
use parlour::session::{Session, Status};
use parlour::table::Chance;

/// Games for each case, unless the environment says otherwise.
const GAMES: u64 = 2;

#[test]
fn compiled_rules_and_walked_ones_go_in_lock_step() {
    let games = std::env::var_os("GAMES").map_or(GAMES, |games| games.to_str().unwrap().parse().unwrap());
    for case in cases() {
        for seed in 0..games {
            lock_step(&case, seed);
        }
    }
}

fn lock_step(case: &Case, seed: u64) {
    let walked = Case { game: case.game.walked(), setup: case.setup.clone() };
    let (mut ours, mut theirs) = (case.start(seed), walked.start(seed));
    let mut chance = Chance::new(seed, "lock step");
    loop {
        told(case, &ours, &theirs);
        assert_eq!(State::of(&ours), State::of(&theirs), "{}", case.at(&ours));
        assert_eq!(written(&ours), written(&theirs), "{}", case.at(&ours));
        let Some(count) = ours.decision().map(parlour::decision::Decision::count) else { break };
        let at = chance.below(count as u32) as usize;
        ours.choose(at).unwrap();
        theirs.choose(at).unwrap();
    }
    assert_eq!(ours.events(), theirs.events(), "{}", case.at(&ours));
    assert_eq!(ours.outcome(), theirs.outcome(), "{}", case.at(&ours));
}

/// Neither failed.
fn told(case: &Case, ours: &Session, theirs: &Session) {
    for (which, session) in [("compiled", ours), ("walked", theirs)] {
        if let Status::Failed(why) = session.status() {
            panic!("{which}: {}\n{}", case.at(session), in_words(why));
        }
    }
}

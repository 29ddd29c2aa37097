//! Playing a game at random, with a look at every decision.

use crate::case::{Case, in_words};
use parlour::model::{Language, Seat};
use parlour::session::{Decision, Outcome, Session, Status};
use parlour::table::{Chance, View};
use parlour::wording::{Offer, Wording};

/// How many games are looked at decision by decision for each case: `WALKS`, or one.
pub(crate) fn walks() -> u64 {
    std::env::var_os("WALKS").map_or(1, |walks| walks.to_str().unwrap().parse().unwrap())
}

/// Plays a game at random. `look` is called at every decision, with the option that will be chosen.
pub(crate) fn walk(case: &Case, seed: u64, mut look: impl FnMut(&mut Session, usize)) -> Session {
    let mut session = case.start(seed);
    let mut chance = Chance::new(seed, "walk");
    while let Some(count) = open_options(case, &session) {
        let at = chance.below(count) as usize;
        look(&mut session, at);
        session.choose(at).unwrap_or_else(|error| panic!("{}: {error}", case.at(&session)));
    }
    session
}

/// How many options are open; nothing when the game is over.
fn open_options(case: &Case, session: &Session) -> Option<u32> {
    match session.status() {
        Status::Waiting(decision) => Some(decision.count() as u32),
        Status::Over(_) | Status::Resting => None,
        Status::Failed(diagnostic) => panic!("{}\n{}", case.at(session), in_words(diagnostic)),
    }
}

/// The options of the open question as the seat that is asked writes them.
pub(crate) fn written(session: &Session) -> Vec<String> {
    let Some(decision) = session.decision() else { return Vec::new() };
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let wording = wording.for_seat(decision.seat);
    Offer::new(wording, session.table(), decision).all_written()
}

/// All that can be told of a session from outside: the table, and what it waits for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    fingerprint: u64,
    open: Option<Decision>,
    outcome: Option<Outcome>,
    happened: usize,
}

impl State {
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            fingerprint: session.fingerprint(),
            open: session.decision().cloned(),
            outcome: session.outcome().cloned(),
            happened: session.events().len(),
        }
    }
}

/// What each seat has learned of what happened.
pub(crate) fn told(session: &Session) -> Vec<u16> {
    session.events().iter().map(|event| event.to).collect()
}

/// What a seat may see, and what it remembers.
pub(crate) fn known(session: &Session, seat: Seat) -> [u64; 2] {
    [session.view(seat).digest(), View::memory(session.table(), Some(seat)).digest()]
}

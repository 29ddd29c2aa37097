//! Plays games at random, with a callback at every decision.

use crate::case::{Case, render_plain};
use parlour::model::{Language, Seat};
use parlour::session::{Decision, Outcome, Session, Status};
use parlour::table::{Chance, View};
use parlour::wording::{Offer, Wording};

/// Returns the number of random games per case: the environment variable `WALKS`, or 1.
pub(crate) fn walks() -> u64 {
    std::env::var_os("WALKS").map_or(1, |walks| walks.to_str().unwrap().parse().unwrap())
}

/// Plays a game at random. Calls `look` at every decision, with the index of the option that will be chosen.
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

/// Returns the number of options of the open decision, or `None` if the game is over. Panics if the game has failed.
fn open_options(case: &Case, session: &Session) -> Option<u32> {
    match session.status() {
        Status::Waiting(decision) => Some(decision.count() as u32),
        Status::Over(_) | Status::Resting => None,
        Status::Failed(diagnostic) => panic!("{}\n{}", case.at(session), render_plain(diagnostic)),
    }
}

/// Returns the texts of the open decision's options, as they are written in playscripts.
pub(crate) fn option_texts(session: &Session) -> Vec<String> {
    let Some(decision) = session.decision() else { return Vec::new() };
    let wording = Wording::new(session.model().clone(), session.setup().clone(), Language::English);
    let wording = wording.for_seat(decision.seat);
    Offer::new(wording, session.table(), decision).all_written()
}

/// Observable state of a session: the table, the open decision, the outcome, and the number of events.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    fingerprint: u64,
    open: Option<Decision>,
    outcome: Option<Outcome>,
    events: usize,
}

impl State {
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            fingerprint: session.fingerprint(),
            open: session.decision().cloned(),
            outcome: session.outcome().cloned(),
            events: session.events().len(),
        }
    }
}

/// Returns, for each event, the seats that saw it.
pub(crate) fn audiences(session: &Session) -> Vec<u16> {
    session.events().iter().map(|event| event.audience).collect()
}

/// Returns the digests of what a seat sees and of what it remembers.
pub(crate) fn knowledge_digest(session: &Session, seat: Seat) -> [u64; 2] {
    [session.view(seat).digest(), View::memory(session.table(), Some(seat)).digest()]
}

//! Writing a game down as a playscript.

use super::play::{Play, Statement, What};
use crate::diagnostic::Diagnostics;
use crate::model::Language;
use crate::session::{ChooseError, Event, Game, Happening, Session, Setup, Status, Suspension, Wording};

/// Writes down the game that a list of answers leads through; `marked` adds the fingerprint after every choice.
///
/// # Errors
/// Every mistake in the game's files, and in the setup.
pub fn record(game: &Game, setup: &Setup, answers: &[u32], marked: bool) -> Result<Play, Diagnostics> {
    let mut session = Session::start_with(game, setup, Suspension::Coroutine)?;
    let mut head = header(game, setup, &session);
    let mut seen = 0;
    let mut picked: Vec<String> = Vec::new();
    for &answer in answers {
        let Status::Waiting(decision) = session.status() else { break };
        notes(&session, &mut seen, &mut head);
        let seat = decision.seat;
        let wording = Wording::new(session.model().clone(), setup.clone(), Language::English).for_seat(seat);
        let choice = decision.option(answer as usize);
        picked.push(wording.written(session.table(), decision, &choice));
        let (id, picks) = (decision.id, decision.picked.len());
        let name = session.model().decisions[id.index()].id.to_string();
        if choose(&mut session, answer).is_err() {
            break;
        }
        let goes_on = matches!(session.status(), Status::Waiting(next)
            if next.seat == seat && next.id == id && next.picked.len() == picks + 1);
        if goes_on {
            continue;
        }
        if picked.len() > 1 && picked.last().is_some_and(|last| last == crate::session::Pass::Done.word()) {
            picked.pop();
        }
        let what = What::Choice {
            seat: setup.name(seat).to_owned(),
            decision: name,
            answer: std::mem::take(&mut picked).join(" + "),
            mark: marked.then(|| session.fingerprint()),
        };
        head.push(statement(what));
    }
    if let Status::Over(outcome) = session.status() {
        let scores = outcome.standings.iter().map(|standing| (setup.name(standing.seat).to_owned(), standing.score));
        let ending = session.model().endings[outcome.ending.index()].id.to_string();
        let mark = marked.then(|| session.fingerprint());
        head.push(statement(What::End { ending: Some(ending), scores: scores.collect(), mark }));
    }
    Ok(Play { head, scenes: Vec::new() })
}

fn choose(session: &mut Session, answer: u32) -> Result<(), ChooseError> {
    session.choose(answer as usize)
}

fn statement(what: What) -> Statement {
    Statement { what, place: None }
}

fn header(game: &Game, setup: &Setup, session: &Session) -> Vec<Statement> {
    let names = session.model().all_seats().map(|seat| setup.name(seat).to_owned()).collect();
    let mut head = vec![What::Game(game.id().to_owned()), What::Players(names), What::Seed(setup.seed)];
    head.extend(setup.options.iter().map(|(name, value)| What::Option(name.clone(), value.clone())));
    head.extend(setup.sets.iter().map(|(path, value)| What::Set(path.clone(), value.clone())));
    head.into_iter().map(statement).collect()
}

/// Says where in the game the next choice is.
fn notes(session: &Session, seen: &mut usize, head: &mut Vec<Statement>) {
    let events: &[Event] = session.events();
    for event in &events[*seen..] {
        if let Happening::Round(round) = event.what {
            head.push(statement(What::Note(format!("Round {round}"))));
        }
    }
    *seen = events.len();
}

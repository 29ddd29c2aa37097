//! The game that the script engine is currently running. Library functions access it through a thread-local variable,
//! because the script engine cannot pass borrowed data to them.

use super::super::machine::{Machine, Progress};
use crate::decision::{Decision, Value};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::{Context, Stop};
use crate::library::entry::reply::Reply;
use crate::table::Table;
use std::cell::RefCell;
use std::sync::Arc;

/// Source of immediate answers to decisions.
pub trait Answerer {
    /// Returns the index of the chosen option.
    ///
    /// # Errors
    /// Returns the reason if there is no answer.
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>>;
}

/// State of the current game and the work done so far. While a library function borrows the game, `CURRENT_GAME` is empty.
struct CurrentGame {
    state: State,
    work: u64,
    stop: Option<Stop>,
}

thread_local! {
    static CURRENT_GAME: RefCell<Option<CurrentGame>> = const { RefCell::new(None) };
    static MACHINE: RefCell<Option<Arc<Machine>>> = const { RefCell::new(None) };
    static ANSWERER: RefCell<Option<Box<dyn Answerer>>> = const { RefCell::new(None) };
    /// Spare states. One of them replaces a state while that state is borrowed.
    static PLACEHOLDERS: RefCell<Vec<State>> = const { RefCell::new(Vec::new()) };
}

/// Calls `run`. Meanwhile, `answerer` answers all decisions.
pub fn answering<T>(answerer: Box<dyn Answerer>, run: impl FnOnce() -> T) -> T {
    let before = ANSWERER.replace(Some(answerer));
    let out = run();
    ANSWERER.set(before);
    out
}

fn take(state: &mut State) -> State {
    let placeholder = PLACEHOLDERS.with_borrow_mut(Vec::pop).unwrap_or_else(|| State::new(state.table.clone()));
    std::mem::replace(state, placeholder)
}

fn put_back(state: &mut State, held: State) {
    let placeholder = std::mem::replace(state, held);
    PLACEHOLDERS.with_borrow_mut(|unused| unused.push(placeholder));
}

/// Makes `state` the current game while `run` runs its rules.
pub(super) fn enter(
    state: &mut State,
    machine: &Arc<Machine>,
    run: impl FnOnce() -> Result<Value, Diagnostic>,
) -> Progress {
    let around = (CURRENT_GAME.take(), MACHINE.replace(Some(machine.clone())));
    CURRENT_GAME.set(Some(CurrentGame { state: take(state), work: 0, stop: None }));
    let result = run();
    let held = CURRENT_GAME.replace(around.0).expect("whoever takes a game gives it back");
    MACHINE.set(around.1);
    put_back(state, held.state);
    match (result, held.stop) {
        (Ok(value), _) => Progress::Done(value),
        (Err(_), Some(Stop::Ended)) => Progress::GameEnded,
        (Err(_), Some(Stop::NotOffered)) => Progress::NotOffered,
        (Err(fault), Some(Stop::Budget) | None) => Progress::Fault(Box::new(fault)),
    }
}

/// Gives `work` access to the current game.
///
/// # Panics
/// Panics if no rules are running, or if the game is already borrowed.
pub(super) fn with<T>(work: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let machine = MACHINE.with_borrow(Clone::clone).expect("rules run in a game");
    let mut held = CURRENT_GAME.take().expect("rules run in a game that nobody works on meanwhile");
    let mut ctx = Context::new(&mut held.state, machine.facts());
    ctx.work.set(held.work);
    ctx.stop = held.stop;
    let out = work(&mut ctx);
    (held.work, held.stop) = (ctx.work.get(), ctx.stop);
    CURRENT_GAME.set(Some(held));
    out
}

/// Returns a borrowed game to `CURRENT_GAME` while `run` runs rules, and then borrows it again.
pub(super) fn run_with_borrowed_game<T>(ctx: &mut Context<'_>, run: impl FnOnce() -> T) -> T {
    CURRENT_GAME.set(Some(CurrentGame { state: take(ctx.state), work: ctx.work.get(), stop: ctx.stop }));
    let out = run();
    let held = CURRENT_GAME.take().expect("whoever takes a game gives it back");
    put_back(ctx.state, held.state);
    ctx.work.set(held.work);
    ctx.stop = held.stop;
    out
}

/// Answers the questions of a library call immediately. Each answer resets the work budget.
pub(super) fn answer_now(ctx: &mut Context<'_>, mut reply: Reply) -> Answer<Value> {
    loop {
        let question = match reply {
            Reply::Value(value) => return Ok(value),
            Reply::Question(question) => question,
        };
        let mut answerer = ANSWERER.take().ok_or_else(|| Box::new(Failure::Stopped))?;
        let answer = answerer.answer(&ctx.table, question.decision());
        ANSWERER.set(Some(answerer));
        let at = answer.map_err(|why| Fault::new("no-answer", why.message, "asks here"))?;
        ctx.work.set(0);
        reply = question.resume(ctx, at)?;
    }
}

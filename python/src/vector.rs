//! Many games that are stepped together on a few threads, without calling Python in between.

use crate::agent::{Agent, LOOKS, Line, Stop, for_some};
use crate::data::Whole;
use crate::error;
use crate::game::{Game, seed_or_any};
use crate::session::{floats, returns};
use crate::tensor::Scheme;
use parlour::diagnostic::Diagnostic;
use parlour::model::{Language, Seat};
use parlour::session::{Game as Inner, Player, Session, Setup, Status};
use parlour::simulation::game_seed;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyMapping};
use send_wrapper::SendWrapper;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// Data that all games of a vector share.
struct Shared {
    game: Inner,
    setup: Setup,
    scheme: Arc<Scheme>,
    agents: Vec<Option<Arc<Agent>>>,
    stop: Arc<Stop>,
    /// Number of slots. Slot `i` plays the games `i`, `i + games`, `i + 2 * games` and so on.
    games: u64,
    rows: bool,
}

/// Reason why a game cannot continue.
enum Fault {
    Rules(Box<Diagnostic>),
    Agent(Box<Diagnostic>),
    Game(parlour::diagnostic::Diagnostics),
    /// `MAX_UNASKED` consecutive games have ended before a seat without an agent was asked.
    Unasked,
    /// A decision has too many options for rows.
    Options(String),
}

/// Arrays with the state of one thread's games after a step.
#[derive(Default)]
struct Part {
    seats: Vec<u8>,
    counts: Vec<u32>,
    observations: Vec<f32>,
    rows: Vec<f32>,
    /// Return of each seat of each game: the result if a game has just ended, otherwise 0.
    returns: Vec<f32>,
    dones: Vec<u8>,
}

/// Slot in which games are played one after another.
struct Slot {
    /// Index of the slot in the vector.
    number: u64,
    /// Number of games in the slot that have ended.
    played: u64,
    session: Session,
    players: Vec<Option<Box<dyn Player>>>,
}

/// Maximum number of consecutive games of a slot that end before a seat without an agent is asked.
const MAX_UNASKED: u64 = 1000;

impl Slot {
    /// Starts the next game of the slot in which a seat without an agent is asked. Skips the games before it.
    fn new(shared: &Shared, game: &Inner, number: u64, played: u64) -> Result<Self, Fault> {
        for played in played..played + MAX_UNASKED {
            let slot = Self::start(shared, game, number, played)?;
            // If the vector has been stopped, the caller raises the reason and does not use the slot.
            if slot.session.decision().is_some() || shared.stop.is_set() {
                return Ok(slot);
            }
        }
        Err(Fault::Unasked)
    }

    /// Starts a game, and plays up to the first decision of a seat without an agent, or to the end of the game.
    fn start(shared: &Shared, game: &Inner, number: u64, played: u64) -> Result<Self, Fault> {
        let setup = shared.setup.clone().seed(game_seed(shared.setup.seed, number + played * shared.games));
        let mut session = Session::start(game, &setup).map_err(Fault::Game)?;
        session.keep_no_way_back();
        let player = |(seat, agent): (usize, &Option<Arc<Agent>>)| {
            agent
                .as_ref()
                .map(|agent| agent.player((setup.seed, seat), &shared.stop, shared.stop.halt(), Language::English))
        };
        let players = shared.agents.iter().enumerate().map(player).collect();
        let mut slot = Self { number, played, session, players };
        slot.settle()?;
        Ok(slot)
    }

    /// Lets agents answer until a seat without an agent is asked, or the game is over.
    fn settle(&mut self) -> Result<(), Fault> {
        while let Some(observation) = self.session.observation() {
            let Some(player) = &mut self.players[observation.seat().index()] else { break };
            let at = player.choose(&observation).map_err(|why| Fault::Agent(why.diagnostic()))?;
            self.session.choose(at).expect("agents choose among the options");
        }
        match self.session.status() {
            Status::Failed(found) => Err(Fault::Rules(Box::new(found.clone()))),
            _ => Ok(()),
        }
    }

    /// Answers the open decision. If the game ends, starts the slot's next game, and returns the result of each seat in the game that ended.
    fn step(&mut self, shared: &Shared, game: &Inner, at: usize) -> Result<Option<Vec<f64>>, Fault> {
        self.session.choose(at).expect("the option was counted");
        self.settle()?;
        if self.session.decision().is_some() {
            return Ok(None);
        }
        // The result belongs to the answered game, even if games are skipped before the next question.
        let ended = returns(self.session.outcome(), shared.setup.seats);
        *self = Self::new(shared, game, self.number, self.played + 1)?;
        Ok(Some(ended))
    }

    /// Appends the state of this game to the arrays of a part.
    fn tell(&self, shared: &Shared, ended: Option<Vec<f64>>, part: &mut Part) -> Result<(), Fault> {
        let decision = self.session.decision();
        let seat = decision.map_or(Seat(0), |decision| decision.seat);
        part.seats.push(seat.0);
        part.counts.push(decision.map_or(0, |decision| u32::try_from(decision.count()).unwrap_or(u32::MAX)));
        shared.scheme.observe(&self.session, seat, &mut part.observations);
        if shared.rows {
            shared.scheme.options(&self.session, &mut part.rows).map_err(Fault::Options)?;
        }
        part.dones.push(u8::from(ended.is_some()));
        match ended {
            Some(got) => part.returns.extend(got.iter().map(|one| *one as f32)),
            None => part.returns.extend(std::iter::repeat_n(0.0, usize::from(shared.setup.seats))),
        }
        Ok(())
    }
}

/// Handle of a thread that steps some of the games.
struct Worker {
    answers: Option<Sender<Vec<usize>>>,
    parts: Receiver<Result<Part, Fault>>,
    games: usize,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn new(shared: Arc<Shared>, numbers: std::ops::Range<u64>) -> std::io::Result<Self> {
        let (answers, asked) = channel::<Vec<usize>>();
        let (tell, parts) = channel();
        let games = (numbers.end - numbers.start) as usize;
        let thread = std::thread::Builder::new().name("games of a vector".to_owned()).spawn(move || {
            let game = shared.game.apart();
            let is_wanted = |_: &u64| !shared.stop.is_set();
            let begun: Result<Vec<Slot>, Fault> =
                numbers.take_while(is_wanted).map(|number| Slot::new(&shared, &game, number, 0)).collect();
            let mut slots = match begun {
                Ok(slots) => slots,
                Err(fault) => {
                    let _ = tell.send(Err(fault));
                    shared.stop.nudge();
                    return;
                }
            };
            let mut first = Part::default();
            let told = slots.iter().try_for_each(|slot| slot.tell(&shared, None, &mut first));
            let is_broken = told.is_err();
            if tell.send(told.map(|()| first)).is_err() || is_broken {
                shared.stop.nudge();
                return;
            }
            shared.stop.nudge();
            for answers in asked {
                let mut part = Part::default();
                let stepped = slots.iter_mut().zip(answers).try_for_each(|(slot, at)| {
                    let ended = slot.step(&shared, &game, at)?;
                    slot.tell(&shared, ended, &mut part)
                });
                if tell.send(stepped.map(|()| part)).is_err() {
                    return;
                }
                shared.stop.nudge();
            }
        })?;
        Ok(Self { answers: Some(answers), parts, games, thread: Some(thread) })
    }
}

/// Maximum number of games. More games would fill the memory of most machines before the first step.
const MAX_GAMES: u64 = 1 << 17;

/// Slots in which many games are stepped together.
#[pyclass(module = "parlour", frozen)]
pub struct Vector {
    shared: Arc<Shared>,
    state: Mutex<State>,
    /// Id of the process that owns the threads. A forked process does not have them.
    process: u32,
}

struct State {
    workers: Vec<Worker>,
    line: Line,
    /// Number of options of each game, as last received.
    counts: Vec<u32>,
    /// Whether answers have been sent and their results have not been received yet.
    is_asked: bool,
    /// Whether the caller has closed the vector.
    is_closed: bool,
    process: u32,
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game, games, players=None, *, seed=None, options=None, sets=None, agents=None, threads=None, rows=true))]
    #[allow(clippy::too_many_arguments, reason = "what is named at the call")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        games: Whole<u64>,
        players: Option<i64>,
        seed: Option<Whole<u64>>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
        agents: Option<&Bound<'_, PyAny>>,
        threads: Option<Whole<usize>>,
        rows: bool,
    ) -> PyResult<Self> {
        let (game, games) = (game.get(), games.0);
        if games > MAX_GAMES {
            let message = format!(
                "a vector has {MAX_GAMES} games at most, and not {games}: step more of them one after the other"
            );
            return Err(error::of_argument(message));
        }
        let setup = game.setup(players, seed_or_any(py, seed)?, options, sets)?;
        let agents = for_some(game.inner(), setup.seats, agents)?;
        if games == 0 || agents.iter().all(Option::is_some) {
            return Err(error::of_argument("a vector has one game at least, and a seat that no agent has"));
        }
        let scheme = game.scheme(&setup)?;
        let (stop, line) = Stop::of_others();
        let shared = Arc::new(Shared { game: game.inner().clone(), setup, scheme, agents, stop, games, rows });
        let threads = threads
            .map(|threads| threads.0)
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let threads = (threads.max(1) as u64).min(games);
        let numbers = (0..threads).map(|at| games * at / threads..games * (at + 1) / threads);
        let workers = numbers.map(|numbers| Worker::new(shared.clone(), numbers)).collect::<std::io::Result<_>>()?;
        let process = std::process::id();
        let state = State { workers, line, counts: Vec::new(), is_asked: true, is_closed: false, process };
        Ok(Self { shared, state: Mutex::new(state), process })
    }

    /// Length of an observation.
    #[getter]
    fn width(&self) -> usize {
        self.shared.scheme.width()
    }

    /// Length of the vector of an option.
    #[getter]
    fn option_width(&self) -> usize {
        self.shared.scheme.option_width()
    }

    /// Number of seats.
    #[getter]
    fn players(&self) -> u8 {
        self.shared.setup.seats
    }

    /// Sends answers, one 64-bit integer for each game. If one of them is not offered, none of them is sent.
    fn send(&self, py: Python<'_>, answers: &[u8]) -> PyResult<()> {
        let all: Vec<i64> =
            answers.chunks_exact(8).map(|one| i64::from_ne_bytes(one.try_into().expect("8 bytes"))).collect();
        if all.len() as u64 != self.shared.games {
            let message = format!("{} answers are given for {} games", all.len(), self.shared.games);
            return Err(error::of_argument(message));
        }
        self.check_process()?;
        let mut state = self.state(py);
        if state.is_closed {
            return Err(error::of_use("the vector has been closed: make another one"));
        }
        if state.is_asked {
            return Err(error::of_use("the games have been answered already, on another thread"));
        }
        if state.workers.iter().any(|worker| worker.answers.is_none()) {
            return Err(ended());
        }
        let offered = |(game, (given, count)): (usize, (&i64, &u32))| {
            usize::try_from(*given).ok().filter(|at| *at < *count as usize).ok_or_else(|| {
                error::of_choice(format!("game {game}: there is no option {given}: {count} are offered"))
            })
        };
        let all: Vec<usize> = all.iter().zip(&state.counts).enumerate().map(offered).collect::<PyResult<_>>()?;
        let mut rest = &all[..];
        for worker in &state.workers {
            let (own, others) = rest.split_at(worker.games);
            rest = others;
            let sent = worker.answers.as_ref().map(|answers| answers.send(own.to_vec()));
            if !matches!(sent, Some(Ok(()))) {
                return Err(ended());
            }
        }
        state.is_asked = true;
        Ok(())
    }

    /// Waits until all games have been stepped. Returns arrays with the following data of each slot: the asked seat (from 0), the number of
    /// options, the observation, a vector for each option, whether a game has just ended, and the returns of its seats.
    #[allow(clippy::type_complexity, reason = "what Python unpacks")]
    fn receive<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
    )> {
        self.check_process()?;
        let mut state = self.state(py);
        if !state.is_asked {
            return Err(error::of_use("the games have been heard of already, on another thread"));
        }
        let mut whole = Part::default();
        for at in 0..state.workers.len() {
            let mut looked = Instant::now();
            let found = loop {
                let found = state.workers[at].parts.try_recv();
                if found.as_ref().err() != Some(&TryRecvError::Empty) {
                    break found;
                }
                let line = SendWrapper::new(&state.line);
                let stop = &self.shared.stop;
                py.detach(move || line.wait(stop));
                if looked.elapsed() >= LOOKS {
                    looked = Instant::now();
                    if let Err(raised) = py.check_signals() {
                        self.shared.stop.raise(raised);
                        state.close();
                    }
                }
            };
            let part = match found {
                Ok(Ok(part)) if !self.shared.stop.is_set() => part,
                Ok(found) => {
                    state.close();
                    state.is_asked = false;
                    let raised = self.shared.stop.raised();
                    return Err(raised.or_else(|| found.err().as_ref().map(raised_by)).unwrap_or_else(ended));
                }
                Err(_) => return Err(ended()),
            };
            whole.seats.extend(part.seats);
            whole.counts.extend(part.counts);
            whole.observations.extend(part.observations);
            whole.rows.extend(part.rows);
            whole.returns.extend(part.returns);
            whole.dones.extend(part.dones);
        }
        state.is_asked = false;
        state.line.clear();
        state.counts.clone_from(&whole.counts);
        let counts: Vec<u8> = whole.counts.iter().flat_map(|count| count.to_ne_bytes()).collect();
        Ok((
            PyBytes::new(py, &whole.seats),
            PyBytes::new(py, &counts),
            floats(py, &whole.observations),
            floats(py, &whole.rows),
            PyBytes::new(py, &whole.dones),
            floats(py, &whole.returns),
        ))
    }

    /// Ends all games and their threads.
    fn close(&self, py: Python<'_>) {
        if self.check_process().is_err() {
            return;
        }
        let mut state = self.state(py);
        state.is_closed = true;
        state.close();
    }
}

impl Vector {
    /// Fails in a forked process, in which no thread would ever answer.
    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(error::of_use("the vector belongs to the process that made it: make another one after `fork`"))
    }

    /// Locks the state. Waits while another thread steps the games.
    fn state(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn close(&mut self) {
        self.workers.iter_mut().for_each(|worker| worker.answers = None);
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The threads belong to another process, so the locks that they hold will never be released here.
            std::mem::forget(std::mem::take(&mut self.workers));
            return;
        }
        // A thread with a Python function waits for this thread to call it, so this thread must not join it.
        self.close();
        self.workers.iter_mut().for_each(|worker| drop(worker.thread.take()));
    }
}

/// Creates the exception for a vector that is used after it has ended with an error.
fn ended() -> PyErr {
    error::of_use("the vector has ended with an error before")
}

/// Creates the exception for a game that failed.
fn raised_by(fault: &Fault) -> PyErr {
    match fault {
        Fault::Rules(found) => error::of_rules(found),
        Fault::Agent(found) => error::of_agent(found),
        Fault::Game(found) => error::of_game(found),
        Fault::Options(why) => error::of_choice(why),
        Fault::Unasked => {
            error::of_use(format!("{MAX_UNASKED} games in a row have ended without asking a seat that no agent plays"))
        }
    }
}

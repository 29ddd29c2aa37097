//! Many games that are stepped at once, each on one of a few threads, without Python in between.

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

/// What all games of a vector share.
struct Shared {
    game: Inner,
    setup: Setup,
    scheme: Arc<Scheme>,
    agents: Vec<Option<Arc<Agent>>>,
    stop: Arc<Stop>,
    /// How many games there are: the games after the first of each slot are so far apart.
    games: u64,
    rows: bool,
}

/// Why a game cannot go on.
enum Fault {
    Rules(Box<Diagnostic>),
    Agent(Box<Diagnostic>),
    Game(parlour::diagnostic::Diagnostics),
}

/// What the games of a thread have come to.
#[derive(Default)]
struct Part {
    seats: Vec<u8>,
    counts: Vec<u32>,
    observations: Vec<f32>,
    rows: Vec<f32>,
    /// What each seat of a game that has just ended got; 0 elsewhere.
    returns: Vec<f32>,
    dones: Vec<u8>,
}

/// One place for games that follow each other.
struct Slot {
    number: u64,
    played: u64,
    session: Session,
    players: Vec<Option<Box<dyn Player>>>,
}

impl Slot {
    fn new(shared: &Shared, game: &Inner, number: u64, played: u64) -> Result<Self, Fault> {
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

    /// Lets agents answer.
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

    /// Answers, and begins another game where this one has ended; what each seat got then.
    fn step(&mut self, shared: &Shared, game: &Inner, at: usize) -> Result<Option<Vec<f64>>, Fault> {
        self.session.choose(at).expect("the option was counted");
        self.settle()?;
        let mut ended = None;
        // A game in which nobody is asked has ended as well.
        while self.session.decision().is_none() {
            ended = Some(returns(self.session.outcome(), shared.setup.seats));
            *self = Self::new(shared, game, self.number, self.played + 1)?;
        }
        Ok(ended)
    }

    fn tell(&self, shared: &Shared, ended: Option<Vec<f64>>, part: &mut Part) {
        let decision = self.session.decision();
        let seat = decision.map_or(Seat(0), |decision| decision.seat);
        part.seats.push(seat.0);
        part.counts.push(decision.map_or(0, |decision| u32::try_from(decision.count()).unwrap_or(u32::MAX)));
        shared.scheme.observe(&self.session, seat, &mut part.observations);
        if shared.rows {
            shared.scheme.options(&self.session, &mut part.rows);
        }
        part.dones.push(u8::from(ended.is_some()));
        match ended {
            Some(got) => part.returns.extend(got.iter().map(|one| *one as f32)),
            None => part.returns.extend(std::iter::repeat_n(0.0, usize::from(shared.setup.seats))),
        }
    }
}

/// A thread with its games.
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
            slots.iter().for_each(|slot| slot.tell(&shared, None, &mut first));
            if tell.send(Ok(first)).is_err() {
                return;
            }
            shared.stop.nudge();
            for answers in asked {
                let mut part = Part::default();
                let stepped = slots.iter_mut().zip(answers).try_for_each(|(slot, at)| {
                    let ended = slot.step(&shared, &game, at)?;
                    slot.tell(&shared, ended, &mut part);
                    Ok(())
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

/// More games at once than this would fill the memory of most machines before the first one is stepped.
const MAX_GAMES: u64 = 1 << 17;

/// Many games that are stepped at once.
#[pyclass(module = "parlour", frozen)]
pub struct Vector {
    shared: Arc<Shared>,
    state: Mutex<State>,
    /// The process that has the threads: a fork of it has none of them.
    process: u32,
}

struct State {
    workers: Vec<Worker>,
    line: Line,
    /// How many options each game has now, as they were told.
    counts: Vec<u32>,
    /// Whether the games have been answered, and not been heard of since.
    is_asked: bool,
    /// Whether they were ended by the caller, who stepped them.
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

    /// How many numbers tell what a seat knows.
    #[getter]
    fn width(&self) -> usize {
        self.shared.scheme.width()
    }

    /// How many numbers tell of an option.
    #[getter]
    fn option_width(&self) -> usize {
        self.shared.scheme.option_width()
    }

    /// How many seats there are.
    #[getter]
    fn players(&self) -> u8 {
        self.shared.setup.seats
    }

    /// Hands out answers, one for each game: 64-bit whole numbers. Where one is not offered, none is given.
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

    /// Waits for all games: seats that are asked (from 0), how many options each has, what it knows, a row for each option, whether
    /// the game before has just ended, and what each seat got in it.
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
    /// Refuses a fork of the process, where nobody would ever answer.
    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(error::of_use("the vector belongs to the process that made it: make another one after `fork`"))
    }

    /// Waits until no other thread steps the games.
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
            // The threads are those of another process, and locks that they held will never be given back.
            std::mem::forget(std::mem::take(&mut self.workers));
            return;
        }
        // A thread that plays a function of Python waits for it: nobody waits for the thread.
        self.close();
        self.workers.iter_mut().for_each(|worker| drop(worker.thread.take()));
    }
}

fn ended() -> PyErr {
    error::of_use("the vector has ended with an error before")
}

fn raised_by(fault: &Fault) -> PyErr {
    match fault {
        Fault::Rules(found) => error::of_rules(found),
        Fault::Agent(found) => error::of_agent(found),
        Fault::Game(found) => error::of_game(found),
    }
}

//! Players for seats: built-in or external agents given by name, and Python functions.

use crate::decision::Decision;
use crate::{data, error};
use parlour::agents::{Interruptible, Spec, view};
use parlour::model::Language;
use parlour::session::{EventPosition, Game, Halt, NoAnswer, Observation, Player};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Signal that aborts games. It is set by an interruption, or by an exception in the Python function of an agent.
#[derive(Default)]
pub struct Stop {
    is_set: AtomicBool,
    raised: Mutex<Option<PyErr>>,
    /// Channel to the thread that waits while other threads play; `None` if the games are played on the calling thread.
    line: Option<Sender<Option<Question>>>,
}

impl Stop {
    /// Creates a signal for games that other threads play, and the receiver through which this thread gets their questions.
    pub fn of_others() -> (Arc<Self>, Line) {
        let (line, heard) = channel();
        (Arc::new(Self { line: Some(line), ..Self::default() }), Line(heard))
    }

    /// Wakes the waiting thread, so that it checks whether the games have ended.
    pub fn nudge(&self) {
        if let Some(line) = &self.line {
            let _ = line.send(None);
        }
    }

    /// Aborts all games with this exception. Only the first exception is kept.
    pub fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// Returns whether the games are being aborted.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Takes the exception because of which games were aborted, if there is one.
    pub fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Like [`Self::raised`], but also resets the signal, so that games can be played again.
    pub fn taken_up(&self) -> Option<PyErr> {
        self.is_set.store(false, Ordering::SeqCst);
        self.raised()
    }

    /// Returns a halt signal that is set when games are aborted.
    pub fn halt(self: &Arc<Self>) -> Halt {
        let stop = self.clone();
        Halt::when(move || stop.is_set())
    }

    /// Like [`Self::halt`], for games that this thread plays itself: also checks for interruptions.
    pub fn listening_halt(self: &Arc<Self>) -> Halt {
        let (stop, own) = (self.clone(), std::thread::current().id());
        let looked = Mutex::new(Instant::now());
        Halt::when(move || {
            // Only this thread can check for signals. Threads that help with a search cannot.
            if std::thread::current().id() == own {
                let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
                if looked.elapsed() > LOOKS {
                    *looked = Instant::now();
                    if let Err(raised) = Python::attach(|py| py.check_signals()) {
                        stop.raise(raised);
                    }
                }
            }
            stop.is_set()
        })
    }
}

/// Call of a Python function that chooses an option: the function, its arguments, and the channel for the answer.
struct Question {
    function: Py<PyAny>,
    told: (Decision, Py<PyAny>),
    answer: Sender<i64>,
}

/// Receiver of questions from threads that play games. The waiting thread calls the Python functions itself, because Python delivers
/// interruptions only to its main thread.
pub struct Line(Receiver<Option<Question>>);

impl Line {
    /// Waits until the thread is woken or a question arrives, but at most [`LOOKS`]. Answers a question by calling its function.
    pub fn wait(&self, stop: &Stop) {
        let Ok(Some(Question { function, told, answer })) = self.0.recv_timeout(LOOKS) else { return };
        if stop.is_set() {
            return;
        }
        match Python::attach(|py| function.call1(py, told)?.extract(py)) {
            Ok(at) => {
                let _ = answer.send(at);
            }
            // Aborts the games at once, so that no further function is called.
            Err(raised) => stop.raise(raised),
        }
    }

    /// Discards all messages that have not been received.
    pub fn clear(&self) {
        self.0.try_iter().for_each(drop);
    }
}

/// Interval between checks for interruptions.
pub const LOOKS: Duration = Duration::from_millis(50);

/// Agent that plays a seat.
pub enum Agent {
    /// Agent that is specified by its name.
    Named(Spec),
    /// Python function that receives the decision and the view of its seat, and returns the index of an option.
    Function(Py<PyAny>),
}

impl Agent {
    /// Parses an agent: a string or a Python function.
    pub fn of(game: &Game, seats: u8, given: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        if let Ok(name) = given.cast::<PyString>() {
            let name = name.to_str()?.to_owned();
            let specs =
                parlour::desk::parse_agents(game, &[name]).map_err(|refusal| error::of_unknown_agent(&refusal))?;
            parlour::desk::check(game, seats, &specs).map_err(|found| error::of_game(&found))?;
            let spec = specs.into_iter().next().expect("one name is one agent");
            return Ok(Arc::new(Self::Named(spec)));
        }
        if given.is_callable() {
            return Ok(Arc::new(Self::Function(given.clone().unbind())));
        }
        let kind = given.get_type().name()?;
        Err(error::of_argument(format!("an agent is a name such as \"random\", or a function, and not a {kind}")))
    }

    /// Creates the player for a seat. `seed` is the seed of the game, `halt` stops the player's thinking, and a function receives texts in
    /// `language`.
    pub fn player(
        &self,
        (seed, seat): (u64, usize),
        stop: &Arc<Stop>,
        halt: Halt,
        language: Language,
    ) -> Box<dyn Player> {
        let inner: Box<dyn Player> = match self {
            Self::Named(spec) => spec.player(seed, seat),
            Self::Function(function) => {
                let function = Python::attach(|py| function.clone_ref(py));
                Box::new(Function { function, stop: stop.clone(), language, heard: EventPosition::default() })
            }
        };
        Box::new(Interruptible::new(inner, halt))
    }

    /// Returns whether the agent may think so long that other Python threads should run in the meantime. Always false for functions, which
    /// run in Python.
    pub const fn takes_long(&self) -> bool {
        matches!(self, Self::Named(Spec::Search(_) | Spec::Process(..)))
    }
}

/// Returns the same agent for each seat.
fn alike(agent: Agent, seats: u8) -> Vec<Arc<Agent>> {
    let agent = Arc::new(agent);
    (0..seats).map(|_| agent.clone()).collect()
}

/// Parses one agent for all seats, or a list with one for each seat. The default is a random player.
pub fn for_all(game: &Game, seats: u8, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Arc<Agent>>> {
    let Some(given) = given else { return Ok(alike(Agent::Named(Spec::Random), seats)) };
    if given.is_instance_of::<PyString>() || given.is_callable() {
        return Ok(vec![Agent::of(game, seats, given)?; seats as usize]);
    }
    let all = given.try_iter()?.map(|one| Agent::of(game, seats, &one?)).collect::<PyResult<Vec<_>>>()?;
    if all.len() != seats as usize {
        return Err(error::of_argument(format!("{} agents are given for {seats} seats", all.len())));
    }
    Ok(all)
}

/// Returns the number of agents in a list. Returns `None` for a single agent.
pub fn named_seats(given: Option<&Bound<'_, PyAny>>) -> Option<u8> {
    let given = given.filter(|given| !given.is_instance_of::<PyString>() && !given.is_callable())?;
    u8::try_from(given.len().ok()?).ok()
}

/// Parses the agents of some seats: one agent for all seats, a list with an agent or `None` for each seat, or a dictionary by seat number.
/// Seats without an agent are asked.
pub fn for_some(game: &Game, seats: u8, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Option<Arc<Agent>>>> {
    let mut all = vec![None; seats as usize];
    let Some(given) = given else { return Ok(all) };
    if let Ok(by_seat) = given.cast::<PyMapping>() {
        for pair in by_seat.items()? {
            let (seat, agent): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            all[data::seat(seat.extract()?, seats)?.index()] = Some(Agent::of(game, seats, &agent)?);
        }
        return Ok(all);
    }
    if given.is_instance_of::<PyString>() || given.is_callable() {
        return Ok(vec![Some(Agent::of(game, seats, given)?); seats as usize]);
    }
    let list: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
    if list.len() != seats as usize {
        return Err(error::of_argument(format!("{} agents are given for {seats} seats", list.len())));
    }
    for (at, agent) in list.iter().enumerate().filter(|(_, agent)| !agent.is_none()) {
        all[at] = Some(Agent::of(game, seats, agent)?);
    }
    Ok(all)
}

/// Player that calls a Python function.
struct Function {
    function: Py<PyAny>,
    stop: Arc<Stop>,
    language: Language,
    /// Position in the events up to which the function has received them.
    heard: EventPosition,
}

impl Function {
    /// Calls the function on the waiting thread. If no other thread waits, calls it on this thread.
    fn ask(&mut self, observation: &Observation<'_>) -> PyResult<i64> {
        let (function, told) = Python::attach(|py| {
            let decision = Decision::told(py, observation, self.language, &mut self.heard)?;
            let seen = data::of_json(py, &view(&observation.memory_with_derived()))?;
            Ok::<_, PyErr>((self.function.clone_ref(py), (decision, seen)))
        })?;
        let Some(line) = &self.stop.line else {
            return Python::attach(|py| function.call1(py, told)?.extract(py));
        };
        let (answer, answered) = channel();
        let _ = line.send(Some(Question { function, told, answer }));
        loop {
            match answered.recv_timeout(LOOKS) {
                Ok(at) => return Ok(at),
                Err(RecvTimeoutError::Timeout) if !self.stop.is_set() => {}
                Err(_) => return Err(error::of_use("the games were given up")),
            }
        }
    }
}

impl Player for Function {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let count = observation.decision().count();
        let asked = self.ask(observation).and_then(|at| {
            usize::try_from(at).ok().filter(|at| *at < count).ok_or_else(|| {
                error::of_choice(format!(
                    "the agent chooses option {at}, and options are counted from 0 to {}",
                    count - 1
                ))
            })
        });
        asked.map_err(|raised| {
            let message = format!("a function that chooses has raised {raised}");
            self.stop.raise(raised);
            NoAnswer::from(message)
        })
    }

    fn taken_up(&mut self, _answered: usize) {
        self.heard = EventPosition::default();
    }

    fn hears(&self) -> bool {
        true
    }
}

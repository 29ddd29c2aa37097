//! Who chooses for a seat: an agent that the program knows by a name, or a function of Python.

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

/// What ends games before their end: an interruption, or an exception in a function that chooses.
#[derive(Default)]
pub struct Stop {
    is_set: AtomicBool,
    raised: Mutex<Option<PyErr>>,
    /// To the thread that waits for others who play; nothing where it plays itself.
    line: Option<Sender<Option<Question>>>,
}

impl Stop {
    /// For games that other threads play, with what this one hears of them.
    pub fn of_others() -> (Arc<Self>, Line) {
        let (line, heard) = channel();
        (Arc::new(Self { line: Some(line), ..Self::default() }), Line(heard))
    }

    /// Has the thread that waits look whether what it waits for is there.
    pub fn nudge(&self) {
        if let Some(line) = &self.line {
            let _ = line.send(None);
        }
    }

    /// Gives all games up, for this reason; the first one counts.
    pub fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// Whether games are given up.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Why, once.
    pub fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The same, and from then on games may be played again.
    pub fn taken_up(&self) -> Option<PyErr> {
        self.is_set.store(false, Ordering::SeqCst);
        self.raised()
    }

    /// Asks this.
    pub fn halt(self: &Arc<Self>) -> Halt {
        let stop = self.clone();
        Halt::when(move || stop.is_set())
    }

    /// The same where this thread itself plays: it listens for an interruption meanwhile.
    pub fn listening_halt(self: &Arc<Self>) -> Halt {
        let (stop, own) = (self.clone(), std::thread::current().id());
        let looked = Mutex::new(Instant::now());
        Halt::when(move || {
            // Other threads that think for it hear of none.
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

/// What a function is asked.
struct Question {
    function: Py<PyAny>,
    told: (Decision, Py<PyAny>),
    answer: Sender<i64>,
}

/// What the thread that waits hears of those that play: it asks functions, since Python interrupts no other thread than its main one.
pub struct Line(Receiver<Option<Question>>);

impl Line {
    /// Waits until it is nudged or has asked a function, and not for long.
    pub fn wait(&self, stop: &Stop) {
        let Ok(Some(Question { function, told, answer })) = self.0.recv_timeout(LOOKS) else { return };
        if stop.is_set() {
            return;
        }
        match Python::attach(|py| function.call1(py, told)?.extract(py)) {
            Ok(at) => {
                let _ = answer.send(at);
            }
            // At once: nobody else is asked any more.
            Err(raised) => stop.raise(raised),
        }
    }

    /// Forgets what there was to look at.
    pub fn clear(&self) {
        self.0.try_iter().for_each(drop);
    }
}

/// How often it is looked whether somebody has interrupted.
pub const LOOKS: Duration = Duration::from_millis(50);

/// Who chooses for a seat.
pub enum Agent {
    /// An agent with a name.
    Named(Spec),
    /// A function of the decision and what its seat sees, which returns the position of an option.
    Function(Py<PyAny>),
}

impl Agent {
    /// An agent as it was given: a name, or a function.
    pub fn of(game: &Game, seats: u8, given: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        if let Ok(name) = given.cast::<PyString>() {
            let name = name.to_str()?.to_owned();
            let specs = parlour::desk::parse_agents(game, &[name]).map_err(|refusal| error::of_unknown_agent(&refusal))?;
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

    /// Whoever chooses for a seat of a game with a seed, until the games are given up; a function is told everything in a language.
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

    /// Whether it may think so long that others should go on meanwhile; a function is Python's own.
    pub const fn takes_long(&self) -> bool {
        matches!(self, Self::Named(Spec::Search(_) | Spec::Process(..)))
    }
}

/// The same agent for each seat.
fn alike(agent: Agent, seats: u8) -> Vec<Arc<Agent>> {
    let agent = Arc::new(agent);
    (0..seats).map(|_| agent.clone()).collect()
}

/// One agent for each seat, from one for all of them or one for each.
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

/// How many seats a list of agents is for, if it is one.
pub fn named_seats(given: Option<&Bound<'_, PyAny>>) -> Option<u8> {
    let given = given.filter(|given| !given.is_instance_of::<PyString>() && !given.is_callable())?;
    u8::try_from(given.len().ok()?).ok()
}

/// Agents of single seats, by their numbers; the others are asked.
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

/// Asks a function of Python.
struct Function {
    function: Py<PyAny>,
    stop: Arc<Stop>,
    language: Language,
    /// What it has been told of what has happened.
    heard: EventPosition,
}

impl Function {
    /// Asks on the thread that waits for this one, or on this one.
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

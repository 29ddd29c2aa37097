//! Who chooses for a seat: an agent that the program knows by a name, or a function of Python.

use crate::decision::Decision;
use crate::{data, error};
use parlour::agents::{Spec, view};
use parlour::session::{Game, NoAnswer, Outlook, Player};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What ends games before their end: an interruption, or an exception in a function that chooses.
#[derive(Default)]
pub struct Stop {
    is_set: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Stop {
    /// Ends all games at their next question, for this reason; the first one counts.
    pub fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// Whether games are given up.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Why, once.
    pub fn reason(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

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
            let specs = parlour::desk::written(game, &[name]).map_err(|refusal| error::of_unknown_agent(&refusal))?;
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

    /// Whoever chooses for a seat of a game with a seed.
    pub fn player(&self, seed: u64, seat: usize, stop: &Arc<Stop>) -> Box<dyn Player> {
        let inner: Box<dyn Player> = match self {
            Self::Named(spec) => spec.player(seed, seat),
            Self::Function(function) => {
                let function = Python::attach(|py| function.clone_ref(py));
                Box::new(Function { function, stop: stop.clone() })
            }
        };
        Box::new(Stopping { inner, stop: stop.clone() })
    }
}

/// One agent for each seat, from one for all of them or one for each.
pub fn for_all(game: &Game, seats: u8, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Arc<Agent>>> {
    let Some(given) = given else { return Ok(vec![Arc::new(Agent::Named(Spec::Random)); seats as usize]) };
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
    if let Ok(by_seat) = given.cast::<PyDict>() {
        for (seat, agent) in by_seat {
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

/// Chooses as another does, until the games are given up.
struct Stopping {
    inner: Box<dyn Player>,
    stop: Arc<Stop>,
}

impl Player for Stopping {
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, NoAnswer> {
        if self.stop.is_set() {
            return Err("the games are given up".to_owned().into());
        }
        self.inner.choose(outlook)
    }

    fn taken_up(&mut self, answered: usize) {
        self.inner.taken_up(answered);
    }

    fn imagines(&self) -> bool {
        self.inner.imagines()
    }
}

/// Asks a function of Python.
struct Function {
    function: Py<PyAny>,
    stop: Arc<Stop>,
}

impl Player for Function {
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, NoAnswer> {
        let asked = Python::attach(|py| {
            let decision = Decision::told(py, outlook)?;
            let seen = data::of_json(py, &view(&outlook.memory_with_derived()))?;
            let answer = self.function.call1(py, (decision, seen))?;
            let at: i64 = answer.bind(py).extract()?;
            let count = outlook.decision().count();
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
}

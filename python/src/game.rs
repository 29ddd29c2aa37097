//! Games that can be played.

use crate::agent::{for_some, named_seats};
use crate::data::Whole;
use crate::session::{Session, language_of};
use crate::tensor::Scheme;
use crate::{batch, data, error};
use parlour::session::{Game as Inner, Setup};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Playable game, from a folder or included in the module.
#[pyclass(module = "parlour", frozen)]
pub struct Game {
    /// Absolute path of the folder, or the name of an included game.
    source: PathBuf,
    inner: Inner,
    schemes: Mutex<Vec<(Setup, Arc<Scheme>)>>,
    mosts: Mutex<Vec<(Setup, u32)>>,
}

impl Game {
    /// Opens a game, given its folder or its name, and checks it.
    pub fn load(name: &str) -> PyResult<Self> {
        let inner = parlour::desk::open(name, &[]).map_err(|why| error::of_unopened(&why))?;
        let inner = parlour::check_game(inner).map_err(|found| error::of_game(&found))?;
        let is_folder = Path::new(name).exists();
        let whole = is_folder.then(|| std::path::absolute(name).ok()).flatten();
        Ok(Self {
            source: whole.unwrap_or_else(|| name.into()),
            inner,
            schemes: Mutex::default(),
            mosts: Mutex::default(),
        })
    }

    /// Returns the engine's game.
    pub const fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Returns the layout of observations for a setup.
    pub fn scheme(&self, setup: &Setup) -> PyResult<Arc<Scheme>> {
        let key = setup.clone().seed(0);
        let mut schemes = self.schemes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, scheme)) = schemes.iter().find(|(known, _)| *known == key) {
            return Ok(scheme.clone());
        }
        let layout = self.inner.layout(setup).map_err(|found| error::of_game(&found))?;
        let scheme = Arc::new(Scheme::new(&layout.model));
        keep(&mut schemes, (key, scheme.clone()));
        Ok(scheme)
    }

    /// Builds a setup from the arguments of a Python call.
    pub fn setup(
        &self,
        players: Option<i64>,
        seed: u64,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Setup> {
        let range = self.inner.players();
        let players = players.unwrap_or(i64::from(*range.start()));
        let seats = u8::try_from(players).ok().filter(|seats| range.contains(seats)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            error::of_argument(format!("`{}` is for {least} to {most} players, and not for {players}", self.inner.id()))
        })?;
        let mut setup = Setup::seats(seats).seed(seed);
        setup.options = pairs(options)?;
        setup.sets = pairs(sets)?;
        Ok(setup)
    }
}

/// Maximum number of setups whose layouts of observations, or numbers of options, a game keeps.
const MAX_KEPT: usize = 16;

/// Adds an entry to a list. Drops the oldest entry if the list is full.
fn keep<T>(list: &mut Vec<T>, entry: T) {
    if list.len() >= MAX_KEPT {
        list.remove(0);
    }
    list.push(entry);
}

/// Converts a mapping to pairs of names and values.
fn pairs(given: Option<&Bound<'_, PyMapping>>) -> PyResult<Vec<(String, String)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let pair = |pair: Bound<'_, PyAny>| {
        let (name, value): (String, Bound<'_, PyAny>) = pair.extract()?;
        Ok((name, written(&value)?))
    };
    given.items()?.iter().map(pair).collect()
}

/// Formats a value as it would be written on the command line.
fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    Ok(value.str()?.to_string())
}

/// Returns the given seed, or a random one if there is none. Random seeds have 53 bits, so that every JSON parser reads them exactly.
pub fn seed_or_any(py: Python<'_>, seed: Option<Whole<u64>>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(seed.0),
        None => py.import("secrets")?.call_method1("randbits", (53,))?.extract(),
    }
}

#[pymethods]
impl Game {
    /// Id of the game.
    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    /// Minimum and maximum number of players.
    #[getter]
    fn players(&self) -> (u8, u8) {
        (*self.inner.players().start(), *self.inner.players().end())
    }

    /// Options that can be chosen before play, each with the values worth trying.
    #[getter]
    fn options(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let told = PyDict::new(py);
        self.inner.option_values().into_iter().try_for_each(|(name, values)| told.set_item(name, values))?;
        Ok(told.unbind())
    }

    /// Names of the agents that belong to the game.
    #[getter]
    fn agents(&self) -> Vec<String> {
        let name = |path: &str| parlour::diagnostic::Role::Agent.name(path).to_owned();
        self.inner.agents().iter().map(|source| name(&source.path)).collect()
    }

    /// Starts a game and plays up to the first decision. `agents` is a name or function for all seats, a list with an entry for each seat,
    /// or a dictionary by seat number. Seats without an agent, and seats whose entry is `None`, are asked.
    #[pyo3(signature = (players=None, seed=None, *, options=None, sets=None, names=None, agents=None, language="en", answers=None))]
    #[allow(clippy::too_many_arguments, reason = "what is named at the call")]
    fn start(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        players: Option<i64>,
        seed: Option<Whole<u64>>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
        names: Option<Vec<String>>,
        agents: Option<&Bound<'_, PyAny>>,
        language: &str,
        answers: Option<Vec<Whole<usize>>>,
    ) -> PyResult<Session> {
        let this = slf.get();
        let seats =
            players.or_else(|| named_seats(agents.filter(|given| !given.is_instance_of::<PyMapping>())).map(i64::from));
        let mut setup = this.setup(seats, seed_or_any(py, seed)?, options, sets)?;
        setup.names = names.unwrap_or_default();
        if !setup.names.is_empty() && setup.names.len() != usize::from(setup.seats) {
            let message = format!("{} names are given for {} seats", setup.names.len(), setup.seats);
            return Err(error::of_argument(message));
        }
        let agents = for_some(&this.inner, setup.seats, agents)?;
        let answers = answers.unwrap_or_default().into_iter().map(|at| at.0).collect();
        Session::start(py, slf.clone().unbind(), &setup, agents, language_of(language)?, answers)
    }

    /// Plays many games with agents; see `Batch`.
    #[pyo3(signature = (games=1000, players=None, *, agents=None, seed=None, threads=None, options=None, sets=None, prospects=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "what is named at the call")]
    fn simulate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = data::count)] games: u64,
        players: Option<i64>,
        agents: Option<&Bound<'_, PyAny>>,
        seed: Option<Whole<u64>>,
        threads: Option<Whole<usize>>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
        prospects: Option<Whole<u32>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<batch::Batch> {
        let seats = players.or_else(|| named_seats(agents).map(i64::from));
        let setup = self.setup(seats, seed_or_any(py, seed)?, options, sets)?;
        batch::simulate(py, self, &batch::Asked::new(games, threads, prospects, agents, progress), &setup)
    }

    /// Plays this and another version with the same seeds, game by game. The other version is the game as another folder has it, or this
    /// game with `other_options` and `other_sets`.
    #[pyo3(signature = (other=None, games=1000, players=None, *, agents=None, seed=None, threads=None, options=None, sets=None, other_options=None, other_sets=None, prospects=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "what is named at the call")]
    fn compare(
        &self,
        py: Python<'_>,
        other: Option<&Bound<'_, Self>>,
        #[pyo3(from_py_with = data::count)] games: u64,
        players: Option<i64>,
        agents: Option<&Bound<'_, PyAny>>,
        seed: Option<Whole<u64>>,
        threads: Option<Whole<usize>>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
        other_options: Option<&Bound<'_, PyMapping>>,
        other_sets: Option<&Bound<'_, PyMapping>>,
        prospects: Option<Whole<u32>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<batch::Comparison> {
        let seats = players.or_else(|| named_seats(agents).map(i64::from));
        let seed = seed_or_any(py, seed)?;
        let two = other.map_or(self, Bound::get);
        let setups = [
            self.setup(seats, seed, options, sets)?,
            two.setup(seats, seed, other_options.or(options), other_sets.or(sets))?,
        ];
        batch::compare(py, [self, two], &batch::Asked::new(games, threads, prospects, agents, progress), &setups)
    }

    /// Returns the number of options that environments declare by default. It depends only on the game's files and its setup.
    #[pyo3(signature = (players=None, *, options=None, sets=None))]
    fn max_options(
        &self,
        py: Python<'_>,
        players: Option<i64>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<u32> {
        let setup = self.setup(players, 0, options, sets)?;
        let known = self.mosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, most)) = known.iter().find(|(known, _)| *known == setup) {
            return Ok(*most);
        }
        drop(known);
        let most = batch::max_options(py, self, &setup)?;
        keep(&mut self.mosts.lock().unwrap_or_else(PoisonError::into_inner), (setup, most));
        Ok(most)
    }

    /// Returns the layout of `session.observation`: pairs `(name, length)`, in order.
    #[pyo3(signature = (players=None, *, options=None, sets=None))]
    fn layout(
        &self,
        players: Option<i64>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Vec<(String, usize)>> {
        Ok(self.scheme(&self.setup(players, 0, options, sets)?)?.names())
    }

    /// Returns the layout of each row of `session.option_rows`: pairs `(name, length)`, in order.
    #[pyo3(signature = (players=None, *, options=None, sets=None))]
    fn option_layout(
        &self,
        players: Option<i64>,
        options: Option<&Bound<'_, PyMapping>>,
        sets: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Vec<(String, usize)>> {
        Ok(self.scheme(&self.setup(players, 0, options, sets)?)?.option_names())
    }

    /// Pickles the game as its name or its folder. Unpickling passes this string to `parlour.load`.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (PathBuf,))> {
        Ok((py.import("parlour")?.getattr("load")?.unbind(), (self.source.clone(),)))
    }

    fn __repr__(&self) -> String {
        let (least, most) = self.players();
        format!("<game {}: {least} to {most} players>", self.inner.id())
    }
}

/// Returns the properties that are printed on the spaces of boards, by place. They never change during a game.
#[pyfunction]
#[pyo3(signature = (game, players=None))]
pub fn printed(py: Python<'_>, game: &Bound<'_, Game>, players: Option<i64>) -> PyResult<Py<PyAny>> {
    let this = game.get();
    let setup = this.setup(players, 0, None, None)?;
    let layout = this.inner.layout(&setup).map_err(|found| error::of_game(&found))?;
    data::of_json(py, &parlour::agents::printed(&layout.model))
}

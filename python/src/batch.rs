//! Batches of games and their results as tables, which are dictionaries of columns.

use crate::agent::{Agent, LOOKS, Line, Stop, for_all};
use crate::data::Whole;
use crate::error;
use crate::game::Game;
use parlour::agents::Spec;
use parlour::model::{Language, Model, Seat};
use parlour::session::{Halt, NoAnswer, Observation, Player, Setup};
use parlour::simulation::{self, BatchError, Estimate, Figures, Follower, Margin, Measure, Record};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Parameters of a batch.
pub struct Asked<'a, 'py> {
    /// Number of games.
    pub games: u64,
    /// Number of threads; `None` for one per processor.
    pub threads: Option<usize>,
    /// Number of imagined worlds for each measurement of win probabilities; `None` if win probabilities are not measured.
    pub prospects: Option<u32>,
    /// Agents of the seats.
    pub agents: Option<&'a Bound<'py, PyAny>>,
    /// Function that is called with the number of finished games and the total number of games.
    pub progress: Option<Py<PyAny>>,
}

impl<'a, 'py> Asked<'a, 'py> {
    /// Creates the parameters from the arguments of a Python call.
    pub fn new(
        games: u64,
        threads: Option<Whole<usize>>,
        prospects: Option<Whole<u32>>,
        agents: Option<&'a Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> Self {
        let (threads, prospects) = (threads.map(|threads| threads.0), prospects.map(|worlds| worlds.0));
        Self { games, threads, prospects, agents, progress }
    }

    fn batch(&self, setup: &Setup) -> PyResult<simulation::Batch> {
        let jobs = match self.threads {
            Some(0) => return Err(error::of_argument("games are played on one thread at least")),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let prospects = match self.prospects {
            Some(few) if few < simulation::Prospects::LEAST => {
                let least = simulation::Prospects::LEAST;
                return Err(error::of_argument(format!("games are looked ahead in {least} worlds at least")));
            }
            worlds => worlds.map(|worlds| simulation::Prospects { worlds }),
        };
        Ok(simulation::Batch {
            games: 0..self.games,
            seed: setup.seed,
            jobs,
            setup: setup.clone(),
            prospects,
            campaigns: false,
        })
    }
}

/// Data that a batch keeps of one game.
struct Kept {
    game: u64,
    seed: u64,
    ending: Option<u16>,
    ranks: Vec<u8>,
    numbers: Vec<(Measure, i64)>,
    fingerprint: u64,
    fault: Option<String>,
}

impl Kept {
    fn of(record: &Record) -> Self {
        let outcome = record.outcome.as_ref();
        Self {
            game: record.game,
            seed: record.seed,
            ending: outcome.map(|outcome| outcome.ending.index() as u16),
            ranks: outcome.map(|outcome| outcome.standings.iter().map(|one| one.rank).collect()).unwrap_or_default(),
            numbers: record.numbers.clone(),
            fingerprint: record.fingerprint,
            fault: record.fault.as_ref().map(|fault| fault.message.clone()),
        }
    }
}

/// Follower that keeps the data of every game.
struct Keeping<'a> {
    stop: &'a Arc<Stop>,
    done: &'a AtomicU64,
    kept: Mutex<Vec<[Option<Kept>; 2]>>,
}

impl Follower for Keeping<'_> {
    type GameData = [Option<Kept>; 2];

    fn keep(&self, record: &Record) -> Self::GameData {
        self.done.fetch_add(1, Ordering::Relaxed);
        [Some(Kept::of(record)), None]
    }

    fn keep_pair(&self, one: &Record, two: &Record) -> Self::GameData {
        self.done.fetch_add(1, Ordering::Relaxed);
        [Some(Kept::of(one)), Some(Kept::of(two))]
    }

    fn take(&self, kept: Self::GameData) -> std::io::Result<()> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
        Ok(())
    }

    fn stops(&self) -> bool {
        self.stop.is_set()
    }

    fn halt(&self) -> Halt {
        self.stop.halt()
    }
}

/// Runs a function on another thread. In the meantime, this thread releases the Python interpreter lock, reports progress, and checks for
/// interruptions.
fn watched<T: Send>(
    py: Python<'_>,
    (stop, line): (&Stop, Line),
    tell: Option<&Py<PyAny>>,
    (done, all): (&AtomicU64, u64),
    run: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let told = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        tell.map_or(Ok(()), |tell| tell.call1(py, (done.load(Ordering::Relaxed), all)).map(drop))
    };
    let has_ended = &AtomicBool::new(false);
    let result = py.detach(|| {
        std::thread::scope(move |scope| {
            let running = scope.spawn(move || {
                let result = run();
                has_ended.store(true, Ordering::Release);
                stop.nudge();
                result
            });
            let mut looked = Instant::now();
            // If the thread has panicked, `has_ended` is never set.
            while !has_ended.load(Ordering::Acquire) && !running.is_finished() {
                line.wait(stop);
                if looked.elapsed() >= LOOKS {
                    looked = Instant::now();
                    if let Err(raised) = Python::attach(told) {
                        stop.raise(raised);
                    }
                }
            }
            running.join()
        })
    });
    if let Some(raised) = stop.raised() {
        return Err(raised);
    }
    told(py)?;
    result.map_err(|_| error::Error::new_err("a thread that plays has failed"))
}

/// Creates the exception for a batch that failed.
fn given_up(why: &BatchError) -> PyErr {
    match why {
        BatchError::Game(found) => error::of_game(found),
        BatchError::Output(found) => error::Error::new_err(found.to_string()),
    }
}

/// Returns a function that creates the player for a seat, given the game's seed.
fn players(agents: &[Arc<Agent>], stop: &Arc<Stop>) -> impl Fn(u64, Seat) -> Box<dyn Player> + Sync {
    move |seed, seat| agents[seat.index()].player((seed, seat.index()), stop, stop.halt(), Language::English)
}

/// Plays a batch.
pub fn simulate(py: Python<'_>, game: &Game, asked: &Asked<'_, '_>, setup: &Setup) -> PyResult<Batch> {
    let batch = asked.batch(setup)?;
    let agents = for_all(game.inner(), setup.seats, asked.agents)?;
    let ((stop, line), done) = (Stop::of_others(), AtomicU64::new(0));
    let keeping = Keeping { stop: &stop, done: &done, kept: Mutex::default() };
    let inner = game.inner();
    let figures = watched(py, (&stop, line), asked.progress.as_ref(), (&done, asked.games), || {
        simulation::simulate(inner, &batch, &players(&agents, &stop), &keeping)
    })?;
    let figures = figures.map_err(|why| given_up(&why))?;
    let layout = inner.layout(setup).map_err(|found| error::of_game(&found))?;
    let kept = keeping.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    let games = kept.into_iter().filter_map(|[one, _]| one).collect();
    Ok(Batch { figures, games, model: layout.model.clone(), seed: setup.seed })
}

/// Plays two versions of a game with the same seeds.
pub fn compare(py: Python<'_>, games: [&Game; 2], asked: &Asked<'_, '_>, setups: &[Setup; 2]) -> PyResult<Comparison> {
    let ids = [games[0].inner().id(), games[1].inner().id()];
    if ids[0] != ids[1] {
        let message = format!("`{}` and `{}` are two games: compare two versions of one", ids[0], ids[1]);
        return Err(error::of_argument(message));
    }
    let batches = [asked.batch(&setups[0])?, asked.batch(&setups[1])?];
    let agents = [
        for_all(games[0].inner(), setups[0].seats, asked.agents)?,
        for_all(games[1].inner(), setups[1].seats, asked.agents)?,
    ];
    let ((stop, line), done) = (Stop::of_others(), AtomicU64::new(0));
    let keeping = Keeping { stop: &stop, done: &done, kept: Mutex::default() };
    let inner = [games[0].inner(), games[1].inner()];
    let compared = watched(py, (&stop, line), asked.progress.as_ref(), (&done, asked.games), || {
        let (one, two) = (players(&agents[0], &stop), players(&agents[1], &stop));
        simulation::compare((inner[0], &batches[0]), (inner[1], &batches[1]), [&one, &two], &keeping)
    })?;
    let compared = compared.map_err(|why| given_up(&why))?;
    let model = |at: usize| -> PyResult<Arc<Model>> {
        Ok(inner[at].layout(&setups[at]).map_err(|found| error::of_game(&found))?.model.clone())
    };
    let kept = keeping.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    let games = kept.into_iter().filter_map(|[one, two]| Some((one?, two?))).collect();
    Ok(Comparison { compared, games, models: [model(0)?, model(1)?], seed: setups[0].seed })
}

/// Number of random games that determine the default number of options.
const GAMES: u64 = 12;

/// Minimum number of options that environments declare.
const FEWEST: u32 = 256;

/// Random player that records the largest number of options that it was offered.
struct Counting {
    inner: Box<dyn Player>,
    most: Arc<AtomicU64>,
}

impl Player for Counting {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.most.fetch_max(observation.decision().count() as u64, Ordering::Relaxed);
        self.inner.choose(observation)
    }
}

/// Returns the number of options that environments declare by default: a quarter more than the maximum in a few random games with fixed
/// seeds, rounded up to a power of 2, but at least `FEWEST`. The rounding keeps the size of a network constant while rules are tuned.
pub fn max_options(py: Python<'_>, game: &Game, setup: &Setup) -> PyResult<u32> {
    let asked = Asked { games: GAMES, threads: None, prospects: None, agents: None, progress: None };
    let batch = asked.batch(setup)?;
    let ((stop, line), done, most) = (Stop::of_others(), AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
    let keeping = Keeping { stop: &stop, done: &done, kept: Mutex::default() };
    let player = |seed: u64, seat: Seat| -> Box<dyn Player> {
        Box::new(Counting { inner: Spec::Random.player(seed, seat.index()), most: most.clone() })
    };
    let inner = game.inner();
    watched(py, (&stop, line), None, (&done, GAMES), || simulation::simulate(inner, &batch, &player, &keeping))?
        .map_err(|why| given_up(&why))?;
    let most = u32::try_from(most.load(Ordering::Relaxed)).unwrap_or(u32::MAX / 4);
    Ok((most + most / 4).next_power_of_two().max(FEWEST))
}

/// Table that is built column by column.
struct Columns<'py> {
    table: Bound<'py, PyDict>,
}

impl<'py> Columns<'py> {
    fn new(py: Python<'py>) -> Self {
        Self { table: PyDict::new(py) }
    }

    /// Adds a column as a list.
    fn put<T: IntoPyObject<'py>>(&self, name: &str, column: impl Iterator<Item = T>) -> PyResult<()> {
        let py = self.table.py();
        let list = PyList::empty(py);
        for entry in column {
            list.append(entry.into_py_any(py)?)?;
        }
        self.table.set_item(name, list)
    }
}

/// Returns the value of a measure in a game: an integer if the measure's unit is 1, otherwise a float. Returns Python's `None` if the game
/// has no value for the measure.
fn number(py: Python<'_>, game: &Kept, measure: &Measure, seats: u8) -> PyResult<Py<PyAny>> {
    let found = game.numbers.iter().find(|(known, _)| known == measure).map(|(_, number)| *number);
    let found = found.or((measure.defaults_to_zero() && game.fault.is_none()).then_some(0));
    match (found, measure.unit(seats)) {
        (None, _) => Ok(py.None()),
        (Some(number), 1) => number.into_py_any(py),
        (Some(number), unit) => (number as f64 / unit as f64).into_py_any(py),
    }
}

/// Adds the columns of games. `mark` is appended to each column name.
fn put_games(columns: &Columns<'_>, games: &[&Kept], model: &Model, mark: &str) -> PyResult<()> {
    let py = columns.table.py();
    let named = |name: &str| format!("{name}{mark}");
    let ending = |game: &&Kept| game.ending.map(|at| model.endings[usize::from(at)].id.to_string());
    columns.put(&named("ending"), games.iter().map(ending))?;
    let measures: BTreeSet<&Measure> = games.iter().flat_map(|game| game.numbers.iter().map(|(one, _)| one)).collect();
    for measure in measures.into_iter().filter(|one| !matches!(one, Measure::Ending(_) | Measure::Scores)) {
        let column = games.iter().map(|game| number(py, game, measure, model.seats)).collect::<PyResult<Vec<_>>>()?;
        columns.put(&named(&measure.word()), column.into_iter())?;
    }
    for seat in 0..usize::from(model.seats) {
        let rank = |game: &&Kept| game.ranks.get(seat).copied().map(u32::from);
        columns.put(&named(&format!("rank.{}", seat + 1)), games.iter().map(rank))?;
    }
    columns.put(&named("fingerprint"), games.iter().map(|game| format!("{:016x}", game.fingerprint)))?;
    columns.put(&named("fault"), games.iter().map(|game| game.fault.clone()))
}

/// Results of a batch of games that were played by agents.
#[pyclass(module = "parlour", frozen)]
pub struct Batch {
    figures: Figures,
    games: Vec<Kept>,
    model: Arc<Model>,
    /// Seed of the batch.
    #[pyo3(get)]
    seed: u64,
}

#[pymethods]
impl Batch {
    /// Number of games that were played.
    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Returns a row for each game, as a dictionary of columns.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Columns::new(py);
        columns.put("game", self.games.iter().map(|game| game.game))?;
        columns.put("seed", self.games.iter().map(|game| game.seed))?;
        put_games(&columns, &self.games.iter().collect::<Vec<_>>(), &self.model, "")?;
        Ok(columns.table)
    }

    /// Returns a row for each measure with its 95 % interval, as a dictionary of columns.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all: Vec<(&Measure, Estimate)> =
            self.figures.measured().into_iter().map(|measure| (measure, self.figures.estimate(measure))).collect();
        let gap = self.figures.seat_gap();
        let names = || all.iter().map(|(measure, _)| (measure.word(), measure.name(&self.model)));
        let estimates = || std::iter::once(&gap).chain(all.iter().map(|(_, estimate)| estimate));
        let gap_name = ("seat_win_gap".to_owned(), simulation::definition("seat_win_gap").name.to_owned());
        let columns = Columns::new(py);
        columns.put("measure", std::iter::once(gap_name.0).chain(names().map(|(word, _)| word)))?;
        columns.put("name", std::iter::once(gap_name.1).chain(names().map(|(_, name)| name)))?;
        columns.put("value", estimates().map(|one| one.value))?;
        columns.put("low", estimates().map(|one| one.interval.low))?;
        columns.put("high", estimates().map(|one| one.interval.high))?;
        columns.put("count", estimates().map(|one| one.count))?;
        Ok(columns.table)
    }

    /// Returns a row for each kind of failure: its code, its message as the program prints it, the number of games with this failure, and
    /// the first of these games.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let faults = &self.figures.faults;
        let columns = Columns::new(py);
        columns.put("code", faults.iter().map(|fault| fault.code.clone()))?;
        let text = |found: &parlour::diagnostic::Diagnostic| parlour::diagnostic::render(found, false);
        columns
            .put("message", faults.iter().map(|one| one.first.as_ref().map_or_else(|| one.message.clone(), text)))?;
        columns.put("games", faults.iter().map(|fault| fault.count))?;
        columns.put("first_game", faults.iter().map(|fault| fault.game))?;
        columns.put("first_seed", faults.iter().map(|fault| fault.seed))?;
        Ok(columns.table)
    }

    fn __repr__(&self) -> String {
        let (id, seats) = (&self.model.id, self.model.seats);
        format!("<{} games of {id} for {seats}, seed {}>", self.games.len(), self.seed)
    }
}

/// Results of two versions of a game that were played with the same seeds.
#[pyclass(module = "parlour", frozen)]
pub struct Comparison {
    compared: simulation::Comparison,
    games: Vec<(Kept, Kept)>,
    models: [Arc<Model>; 2],
    /// Seed of the batch.
    #[pyo3(get)]
    seed: u64,
}

#[pymethods]
impl Comparison {
    /// Number of pairs of games that were played.
    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Returns a row for each pair of games, as a dictionary of columns. Column names of the first version end in ` a`, and column names of
    /// the second version in ` b`.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Columns::new(py);
        columns.put("game", self.games.iter().map(|(one, _)| one.game))?;
        columns.put("seed", self.games.iter().map(|(one, _)| one.seed))?;
        put_games(&columns, &self.games.iter().map(|(one, _)| one).collect::<Vec<_>>(), &self.models[0], " a")?;
        put_games(&columns, &self.games.iter().map(|(_, two)| two).collect::<Vec<_>>(), &self.models[1], " b")?;
        Ok(columns.table)
    }

    /// Returns a row for each measure: its values in both versions, the difference with its interval, and the verdict.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.compared.rows(Margin::default());
        let word =
            |measure: &Option<Measure>| measure.as_ref().map_or_else(|| "seat_win_gap".to_owned(), Measure::word);
        let name = |measure: &Option<Measure>| match measure {
            Some(measure) => measure.name(&self.models[0]),
            None => simulation::definition("seat_win_gap").name.to_owned(),
        };
        let columns = Columns::new(py);
        columns.put("measure", rows.iter().map(|row| word(&row.measure)))?;
        columns.put("name", rows.iter().map(|row| name(&row.measure)))?;
        columns.put("a", rows.iter().map(|row| row.a.value))?;
        columns.put("b", rows.iter().map(|row| row.b.value))?;
        columns.put("difference", rows.iter().map(|row| row.difference.value))?;
        columns.put("low", rows.iter().map(|row| row.difference.interval.low))?;
        columns.put("high", rows.iter().map(|row| row.difference.interval.high))?;
        columns.put("verdict", rows.iter().map(|row| row.verdict.words()))?;
        columns.put("count", rows.iter().map(|row| row.difference.count))?;
        Ok(columns.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} pairs of games of {}, seed {}>", self.games.len(), self.models[0].id, self.seed)
    }
}

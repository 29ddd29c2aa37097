//! Games in progress.

use crate::agent::{Agent, Stop};
use crate::data::Whole;
use crate::decision::Decision;
use crate::game::Game;
use crate::home::Home;
use crate::tensor::Scheme;
use crate::{data, error};
use parlour::agents::view;
use parlour::model::{Language, Seat};
use parlour::session::{ChooseError, Observation, Outcome, Player, Session as Played, Setup, Standing, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use send_wrapper::SendWrapper;
use std::cell::Ref;
use std::sync::Arc;

/// Game in progress. It belongs to the thread that started it.
#[pyclass(module = "parlour", frozen)]
pub struct Session {
    game: Py<Game>,
    setup: Arc<Setup>,
    language: Language,
    agents: Vec<Option<Arc<Agent>>>,
    home: Home<Table>,
}

/// State of the game, and the agents of its seats.
pub struct Table {
    played: Played,
    agents: Vec<Option<Arc<Agent>>>,
    players: Vec<Option<Box<dyn Player>>>,
    stop: Arc<Stop>,
    /// Random numbers of the agents before each of their answers, with the number of answers before it and the agent's seat.
    drawn: Vec<(usize, usize, Chance)>,
    /// Number of changes to the game so far.
    turn: u64,
    /// Number of worlds imagined so far. Part of each world's seed, so that every world is different.
    imagined: u64,
    scheme: Option<Arc<Scheme>>,
}

/// Maximum number of worlds that are imagined to find one in which the seat has the same decision. In each world, other seats that are
/// asked at the same time answer at random.
const WORLDS: usize = 32;

impl Session {
    /// Starts a game, replays the answers, and plays up to the first decision of a seat without an agent.
    pub fn start(
        py: Python<'_>,
        game: Py<Game>,
        setup: &Setup,
        agents: Vec<Option<Arc<Agent>>>,
        language: Language,
        answers: Vec<usize>,
    ) -> PyResult<Self> {
        let mut played = Played::start(game.get().inner(), setup).map_err(|found| error::of_game(&found))?;
        // The answers include those of agents, so no agent is asked during the replay.
        for at in answers {
            played.choose(at).map_err(|why| error::of_choice(why.to_string()))?;
        }
        let session = Self::of(game, played, agents, language, None);
        session.home.open_mut()?.settle(py)?;
        Ok(session)
    }

    fn of(
        game: Py<Game>,
        played: Played,
        agents: Vec<Option<Arc<Agent>>>,
        language: Language,
        scheme: Option<Arc<Scheme>>,
    ) -> Self {
        let setup = Arc::new(played.setup().clone());
        let stop = Arc::new(Stop::default());
        let halt = stop.listening_halt();
        let player = |(seat, agent): (usize, &Option<Arc<Agent>>)| {
            agent.as_ref().map(|agent| agent.player((setup.seed, seat), &stop, halt.clone(), language))
        };
        let players = agents.iter().enumerate().map(player).collect();
        let mut table =
            Table { played, agents: agents.clone(), players, stop, drawn: Vec::new(), turn: 0, imagined: 0, scheme };
        table.take_up();
        Self { game, setup, language, agents, home: Home::new(table) }
    }

    /// Borrows the table. Fails on threads other than the session's, and while the table is borrowed mutably.
    pub fn open(&self) -> PyResult<Ref<'_, Table>> {
        self.home.open()
    }

    fn seat(&self, number: i64) -> PyResult<Seat> {
        data::seat(number, self.setup.seats)
    }

    fn copied(&self, py: Python<'_>, played: Played, scheme: Option<Arc<Scheme>>) -> Self {
        Self::of(self.game.clone_ref(py), played, self.agents.clone(), self.language, scheme)
    }
}

impl Table {
    /// Returns the observation of the asked seat; `None` if no decision is open.
    pub fn question(&self) -> Option<Observation<'_>> {
        self.played.observation()
    }

    /// Returns the number of changes so far.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Answers the open decision, and lets agents answer the decisions after it.
    fn answer(&mut self, py: Python<'_>, at: usize) -> PyResult<()> {
        self.played.choose(at).map_err(|why| error::of_choice(why.to_string()))?;
        self.turn += 1;
        self.settle(py)
    }

    /// Lets agents answer until a seat without an agent is asked, or the game is over.
    fn settle(&mut self, py: Python<'_>) -> PyResult<()> {
        while let Some(observation) = self.played.observation() {
            let seat = observation.seat().index();
            let Some(player) = &mut self.players[seat] else { break };
            if let Some(chance) = player.chance() {
                self.drawn.push((self.played.answers().len(), seat, chance.clone()));
            }
            let answer = if self.agents[seat].as_ref().is_some_and(|agent| agent.takes_long()) {
                // The agent thinks on this thread, while other Python threads may run.
                let thinking = SendWrapper::new((player, observation));
                py.detach(move || {
                    let (player, observation) = thinking.take();
                    player.choose(&observation)
                })
            } else {
                player.choose(&observation)
            };
            let at = match answer {
                Ok(at) => at,
                Err(why) => {
                    return Err(self.stop.taken_up().unwrap_or_else(|| error::of_agent(&why.diagnostic())));
                }
            };
            self.played.choose(at).map_err(|why| error::of_choice(format!("an agent's answer: {why}")))?;
            self.turn += 1;
            py.check_signals()?;
        }
        match self.played.status() {
            Status::Failed(found) => Err(error::of_rules(found)),
            _ => Ok(()),
        }
    }

    /// Takes back the random numbers that agents drew for answers that have been taken back.
    fn rewind_agents(&mut self) {
        let answers = self.played.answers().len();
        let kept = self.drawn.partition_point(|(before, ..)| *before < answers);
        for (_, seat, chance) in self.drawn.drain(kept..).rev() {
            if let Some(own) = self.players[seat].as_mut().and_then(|player| player.chance()) {
                *own = chance;
            }
        }
    }

    /// Tells the agents how many decisions they have already answered in this game.
    fn take_up(&mut self) {
        if self.players.iter().all(Option::is_none) {
            return;
        }
        let chosen = self.played.played().chosen;
        for (seat, player) in self.players.iter_mut().enumerate() {
            if let Some(player) = player {
                player.taken_up(chosen.iter().filter(|one| one.seat.index() == seat && one.offered > 1).count());
            }
        }
    }

    /// Imagines a world that a seat cannot distinguish from this game. If the seat is being asked, it has the same decision in the world.
    /// Returns `None` if no world is found.
    fn world(&self, seat: Seat, chance: &mut Chance) -> Option<Played> {
        let asked = self.played.observation().filter(|asked| asked.seat() == seat);
        for _ in 0..WORLDS {
            let mut world = self.played.imagine(seat, chance)?;
            let Some(asked) = asked else { return Some(world) };
            // Other seats that are asked at the same time answer first, at random, because the seat does not know their answers.
            while let Some(other) = world.decision().filter(|other| other.seat != seat) {
                let at = other.draw(chance);
                world.choose(at).ok()?;
            }
            let known = |session: &Played| View::memory(session.table(), Some(seat)).digest();
            let is_same = world.observation().is_some_and(|there| {
                there.decision().id == asked.decision().id
                    && sorted(there.option_codes()) == sorted(asked.option_codes())
            });
            if is_same && known(&world) == known(&self.played) {
                return Some(world);
            }
        }
        None
    }

    fn scheme(&mut self) -> Arc<Scheme> {
        let model = self.played.model();
        self.scheme.get_or_insert_with(|| Arc::new(Scheme::new(model))).clone()
    }
}

fn sorted(mut codes: Vec<u64>) -> Vec<u64> {
    codes.sort_unstable();
    codes
}

#[pymethods]
impl Session {
    /// Game that is being played.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Number of seats.
    #[getter]
    fn players(&self) -> u8 {
        self.setup.seats
    }

    /// Seed of the game.
    #[getter]
    fn seed(&self) -> u64 {
        self.setup.seed
    }

    /// Open decision; `None` when the game is over.
    #[getter]
    fn decision(slf: &Bound<'_, Self>) -> PyResult<Option<Decision>> {
        let table = slf.get().open()?;
        let decision = |observation: Observation<'_>| {
            Decision::of_session(&observation, slf.get().language, slf.clone().unbind(), table.turn)
        };
        Ok(table.question().map(decision))
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.open()?.played.outcome().is_some())
    }

    /// Indexes of all options chosen so far. Together with the game and the setup, they determine the whole session.
    #[getter]
    fn answers(&self) -> PyResult<Vec<u64>> {
        Ok(self.open()?.played.answers().iter().copied().collect())
    }

    /// Fingerprint of the table, in hexadecimal.
    #[getter]
    fn fingerprint(&self) -> PyResult<String> {
        Ok(format!("{:016x}", self.open()?.played.fingerprint()))
    }

    /// Result of the game: `ending`, `rounds`, `winners`, and for each seat `scores`, `ranks` and `breakdowns`; `None` before the end.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        let table = self.open()?;
        table.played.outcome().map(|outcome| table.told(py, outcome)).transpose()
    }

    /// Score of each seat; `None` before the end.
    #[getter]
    fn scores(&self) -> PyResult<Option<Vec<i64>>> {
        let scores = |outcome: &Outcome| outcome.standings.iter().map(|standing| standing.score).collect();
        Ok(self.open()?.played.outcome().map(scores))
    }

    /// Answers the open decision. `option` is the index of an option, counted from 0, or the option in the notation of playscripts.
    fn choose(&self, py: Python<'_>, option: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut table = self.home.open_mut()?;
        if let Ok(written) = option.cast::<PyString>() {
            let written = written.to_str()?;
            let Some(observation) = table.question() else {
                return Err(error::of_choice(ChooseError::NotAsked { state: "is over" }.to_string()));
            };
            let all = observation.written();
            let at = all.position_of(written).ok_or_else(|| {
                let some = all.some();
                let help = parlour::diagnostic::did_you_mean(written, some.iter().map(String::as_str));
                let help = help.map(|help| format!(": {help}")).unwrap_or_default();
                error::of_choice(format!("`{written}` is not among the {} options{help}", all.len()))
            })?;
            return table.answer(py, at);
        }
        match option.extract::<usize>() {
            Ok(at) => table.answer(py, at),
            Err(why) if why.is_instance_of::<PyOverflowError>(py) => {
                let count = table.played.decision().map_or(0, |decision| decision.count());
                Err(error::of_choice(format!("there is no option {option}: {count} are offered")))
            }
            Err(why) => Err(why),
        }
    }

    /// Takes back the last answer of a seat without an agent, and the answers of agents after it.
    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        let mut table = self.home.open_mut()?;
        let mut is_first = true;
        loop {
            match table.played.undo() {
                Ok(()) => table.turn += 1,
                Err(ChooseError::NothingToUndo) if !is_first => break,
                Err(why) => return Err(error::of_choice(why.to_string())),
            }
            is_first = false;
            if table.played.decision().is_some_and(|asked| self.agents[asked.seat.index()].is_none()) {
                break;
            }
        }
        table.rewind_agents();
        table.take_up();
        table.settle(py)
    }

    /// Returns the next game of the campaign as arguments of `Game.start`: `players`, `seed`, `options`, `sets` and `names`. Returns `None`
    /// if this game is not over or was the last one, or if the game has no campaign.
    fn next_game(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        let Some(next) = self.open()?.played.next_game().map_err(|found| error::of_rules(&found))? else {
            return Ok(None);
        };
        let told = PyDict::new(py);
        let pairs = |pairs: &[(String, String)]| -> PyResult<Py<PyDict>> {
            let dict = PyDict::new(py);
            pairs.iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
            Ok(dict.unbind())
        };
        told.set_item("players", next.seats)?;
        told.set_item("seed", next.seed)?;
        told.set_item("options", pairs(&next.options)?)?;
        told.set_item("sets", pairs(&next.sets)?)?;
        told.set_item("names", next.names)?;
        Ok(Some(told.unbind()))
    }

    /// Returns an independent copy at the current decision, with new agents.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let table = self.open()?;
        Ok(self.copied(py, table.played.fork(), table.scheme.clone()))
    }

    /// Returns a world that a seat cannot distinguish from this game: a copy in which everything that the seat does not know is dealt
    /// again. Other seats that are asked at the same time have given random answers in the copy. The same seed gives the same world.
    /// Without a seed, each world is different.
    #[pyo3(signature = (seat, seed=None))]
    fn imagine(&self, py: Python<'_>, seat: i64, seed: Option<Whole<u64>>) -> PyResult<Self> {
        let seat = self.seat(seat)?;
        let mut table = self.home.open_mut()?;
        if table.played.decision().is_none() {
            return Err(error::of_choice("nobody is asked anything now: worlds are imagined at a decision"));
        }
        let seed = seed.map_or_else(
            || {
                table.imagined += 1;
                self.setup.seed.wrapping_add(table.imagined)
            },
            |seed| seed.0,
        );
        let world = table.world(seat, &mut Chance::new(seed, "imagined")).ok_or_else(|| {
            error::of_choice(
                "no world can be imagined here: this one is a relaxed world, or a condition that was learned fails",
            )
        })?;
        Ok(self.copied(py, world, table.scheme.clone()))
    }

    /// Returns what a seat sees and remembers, in the format that agent programs receive. Without a seat, returns the whole table.
    #[pyo3(signature = (seat=None))]
    fn view(&self, py: Python<'_>, seat: Option<i64>) -> PyResult<Py<PyAny>> {
        let played = &self.open()?.played;
        let seen = match seat {
            Some(seat) => view(&played.with_derived(played.memory(Some(self.seat(seat)?)))),
            None => view(&played.with_derived(View::whole(played.table()))),
        };
        data::of_json(py, &seen)
    }

    /// Returns the lines of the log that a seat may read; without a seat, the lines that onlookers read.
    #[pyo3(signature = (seat=None, language=None))]
    fn log(&self, seat: Option<i64>, language: Option<&str>) -> PyResult<Vec<String>> {
        let language = language.map_or(Ok(self.language), language_of)?;
        let played = &self.open()?.played;
        let wording = Wording::new(played.model().clone(), played.setup().clone(), language);
        let wording = match seat {
            Some(seat) => wording.for_seat(self.seat(seat)?),
            None => wording.for_onlookers(),
        };
        Ok(wording.narrate(played.events().iter()))
    }

    /// Returns everything that a seat sees and remembers as 32-bit floats, in the order of `game.layout`.
    fn observation<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyBytes>> {
        let seat = self.seat(seat)?;
        let mut table = self.home.open_mut()?;
        let scheme = table.scheme();
        let mut row = Vec::new();
        scheme.observe(&table.played, seat, &mut row);
        Ok(floats(py, &row))
    }

    /// Returns 32-bit floats for each option of the open decision, one option after the other, in the order of `game.option_layout`.
    fn option_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut table = self.home.open_mut()?;
        let scheme = table.scheme();
        let mut rows = Vec::new();
        scheme.options(&table.played, &mut rows).map_err(error::of_choice)?;
        Ok(floats(py, &rows))
    }

    /// Return of each seat: 1 for winning alone, less for a shared win, and negative for losing. The returns of all seats add up to 0; in a
    /// team game, the returns of the teams do, and each seat has the return of its team. A single player or a single team gets 1 for a win
    /// and -1 for a loss. All returns are 0 before the end, and if nobody wins against others.
    #[getter]
    fn returns(&self) -> PyResult<Vec<f64>> {
        Ok(returns(self.open()?.played.outcome(), self.setup.seats))
    }

    fn __repr__(&self) -> PyResult<String> {
        let (table, setup) = (self.open()?, &self.setup);
        let state = match table.played.decision() {
            Some(asked) => format!("seat {} is asked", asked.seat.number()),
            None => "over".to_owned(),
        };
        Ok(format!("<{} for {}, seed {}: {state}>", table.played.model().id, setup.seats, setup.seed))
    }
}

impl Table {
    fn told(&self, py: Python<'_>, outcome: &Outcome) -> PyResult<Py<PyDict>> {
        let told = PyDict::new(py);
        let standings = || outcome.standings.iter();
        told.set_item("ending", &*self.played.model().endings[outcome.ending.index()].id)?;
        told.set_item("rounds", outcome.rounds)?;
        told.set_item("winners", outcome.winners().map(Seat::number).collect::<Vec<_>>())?;
        told.set_item("scores", standings().map(|one| one.score).collect::<Vec<_>>())?;
        told.set_item("ranks", standings().map(|one| u32::from(one.rank)).collect::<Vec<_>>())?;
        let breakdowns = PyList::empty(py);
        for standing in standings() {
            let parts = PyDict::new(py);
            standing.breakdown.iter().try_for_each(|(name, part)| parts.set_item(&**name, part))?;
            breakdowns.append(parts)?;
        }
        told.set_item("breakdowns", breakdowns)?;
        Ok(told.unbind())
    }
}

/// Calculates the return of each seat; see [`Session::returns`].
pub fn returns(outcome: Option<&Outcome>, seats: u8) -> Vec<f64> {
    let Some(outcome) = outcome else { return vec![0.0; usize::from(seats)] };
    // The seats of a team share a single win.
    let (sides, won) = (outcome.sides().count() as f64, outcome.winning_sides() as f64);
    let of = |standing: &Standing| match (standing.rank == 1, sides > 1.0) {
        // A single player, or a single team, wins or loses everything.
        (is_winner, false) => {
            if is_winner {
                1.0
            } else {
                -1.0
            }
        }
        _ if won == 0.0 => 0.0,
        (is_winner, true) => {
            let share = if is_winner { 1.0 / won } else { 0.0 };
            (share * sides - 1.0) / (sides - 1.0)
        }
    };
    outcome.standings.iter().map(of).collect()
}

/// Parses a language tag.
pub fn language_of(tag: &str) -> PyResult<Language> {
    Language::from_tag(tag).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.tag()).collect();
        error::of_argument(format!("there is no language `{tag}`: there are {}", known.join(", ")))
    })
}

/// Converts numbers to the bytes of 32-bit floats in native byte order.
pub fn floats<'py>(py: Python<'py>, numbers: &[f32]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    PyBytes::new(py, &bytes)
}

//! A game in progress.

use crate::agent::{Agent, Stop};
use crate::decision::Decision;
use crate::game::Game;
use crate::tensor::Scheme;
use crate::{data, error};
use parlour::agents::view;
use parlour::model::{Language, Seat};
use parlour::session::{ChooseError, Outcome, Outlook, Player, Session as Played, Setup, Standing, Status};
use parlour::table::{Chance, View};
use parlour::wording::Wording;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::sync::Arc;

/// One game being played. It belongs to the thread that began it.
#[pyclass(module = "parlour", unsendable)]
pub struct Session {
    game: Py<Game>,
    played: Played,
    language: Language,
    agents: Vec<Option<Arc<Agent>>>,
    players: Vec<Option<Box<dyn Player>>>,
    stop: Arc<Stop>,
    /// How often it has been changed.
    turn: u64,
    /// How many worlds were imagined, so that each is another.
    imagined: u64,
    scheme: Option<Arc<Scheme>>,
}

impl Session {
    /// Sits down and plays up to the first decision of a seat that no agent has.
    pub fn start(
        py: Python<'_>,
        game: Py<Game>,
        setup: &Setup,
        agents: Vec<Option<Arc<Agent>>>,
        language: Language,
    ) -> PyResult<Self> {
        let played = Played::start(game.get().inner(), setup).map_err(|found| error::of_game(&found))?;
        let mut session = Self::of(game, played, agents, language);
        session.settle(py)?;
        Ok(session)
    }

    fn of(game: Py<Game>, played: Played, agents: Vec<Option<Arc<Agent>>>, language: Language) -> Self {
        let stop = Arc::new(Stop::default());
        let seed = played.setup().seed;
        let player =
            |(seat, agent): (usize, &Option<Arc<Agent>>)| agent.as_ref().map(|agent| agent.player(seed, seat, &stop));
        let players = agents.iter().enumerate().map(player).collect();
        Self { game, played, language, agents, players, stop, turn: 0, imagined: 0, scheme: None }
    }

    /// What whoever is asked may go by.
    pub fn question(&self) -> Option<Outlook<'_>> {
        self.played.outlook()
    }

    /// How often it has been changed.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Answers the open decision, and those of agents after it.
    pub fn answer(&mut self, py: Python<'_>, at: usize) -> PyResult<()> {
        self.played.choose(at).map_err(|why| error::of_choice(why.to_string()))?;
        self.turn += 1;
        self.settle(py)
    }

    /// Lets agents answer until somebody else is asked, or the game is over.
    fn settle(&mut self, py: Python<'_>) -> PyResult<()> {
        while let Some(outlook) = self.played.outlook() {
            let Some(player) = &mut self.players[outlook.seat().index()] else { break };
            let at = match player.choose(&outlook) {
                Ok(at) => at,
                Err(why) => {
                    return Err(self.stop.reason().unwrap_or_else(|| error::of_agent(&why.diagnostic())));
                }
            };
            self.played.choose(at).map_err(|why| error::of_choice(format!("an agent's answer: {why}")))?;
            py.check_signals()?;
        }
        match self.played.status() {
            Status::Failed(found) => Err(error::of_rules(found)),
            _ => Ok(()),
        }
    }

    fn seat(&self, number: i64) -> PyResult<Seat> {
        data::seat(number, self.played.setup().seats)
    }

    fn copied(&self, py: Python<'_>, played: Played) -> Self {
        let mut copy = Self::of(self.game.clone_ref(py), played, self.agents.clone(), self.language);
        copy.scheme.clone_from(&self.scheme);
        copy
    }

    fn scheme(&mut self) -> Arc<Scheme> {
        let model = self.played.model();
        self.scheme.get_or_insert_with(|| Arc::new(Scheme::new(model))).clone()
    }
}

#[pymethods]
impl Session {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// How many seats there are.
    #[getter]
    fn players(&self) -> u8 {
        self.played.setup().seats
    }

    /// Where chance began.
    #[getter]
    fn seed(&self) -> u64 {
        self.played.setup().seed
    }

    /// What is asked; nothing when the game is over.
    #[getter]
    fn decision(slf: &Bound<'_, Self>) -> Option<Decision> {
        let this = slf.borrow();
        let outlook = this.played.outlook()?;
        Some(Decision::of_session(&outlook, this.language, slf.clone().unbind(), this.turn))
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.played.outcome().is_some()
    }

    /// The positions of all options chosen so far: with the game and the setup they determine everything.
    #[getter]
    fn answers(&self) -> Vec<u32> {
        self.played.answers().iter().copied().collect()
    }

    /// One stable number computed from the table, in hexadecimal.
    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:016x}", self.played.fingerprint())
    }

    /// How it ended: `ending`, `rounds`, `winners`, and for each seat its `scores`, `ranks` and `breakdowns`; nothing before.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        self.played.outcome().map(|outcome| self.told(py, outcome)).transpose()
    }

    /// The score of each seat; nothing before the end.
    #[getter]
    fn scores(&self) -> Option<Vec<i64>> {
        let outcome = self.played.outcome()?;
        Some(outcome.standings.iter().map(|standing| standing.score).collect())
    }

    /// Answers the open decision: by the position of an option, counted from 0, or by what plays write for it.
    fn choose(&mut self, py: Python<'_>, option: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(written) = option.cast::<PyString>() {
            let written = written.to_str()?;
            let Some(outlook) = self.played.outlook() else {
                return Err(error::of_choice(ChooseError::NotAsked { state: "is over" }.to_string()));
            };
            let all = outlook.written();
            let at = all.iter().position(|one| one == written).ok_or_else(|| {
                let help = parlour::diagnostic::did_you_mean(written, all.iter().map(String::as_str));
                let help = help.map(|help| format!(": {help}")).unwrap_or_default();
                error::of_choice(format!("`{written}` is not among the {} options{help}", all.len()))
            })?;
            return self.answer(py, at);
        }
        let at: i64 = option.extract()?;
        let count = self.played.decision().map_or(0, |decision| decision.count());
        let at = usize::try_from(at)
            .map_err(|_| error::of_choice(format!("there is no option {at}: {count} are offered")))?;
        self.answer(py, at)
    }

    /// Takes the last answer of a seat without an agent back, with those of agents behind it.
    fn undo(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut is_first = true;
        loop {
            match self.played.undo() {
                Ok(()) => self.turn += 1,
                Err(ChooseError::NothingToUndo) if !is_first => break,
                Err(why) => return Err(error::of_choice(why.to_string())),
            }
            is_first = false;
            if self.played.decision().is_some_and(|asked| self.agents[asked.seat.index()].is_none()) {
                break;
            }
        }
        let chosen = self.played.played().chosen;
        for (seat, player) in self.players.iter_mut().enumerate() {
            if let Some(player) = player {
                player.taken_up(chosen.iter().filter(|one| one.seat.index() == seat && one.offered > 1).count());
            }
        }
        self.settle(py)
    }

    /// What follows in the campaign, once the game is over, as `Game.start` takes it: `players`, `seed`, `options`, `sets` and `names`; nothing
    /// where this was the last game, or the game has no campaign.
    fn next_game(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        let Some(next) = self.played.next_game().map_err(|found| error::of_rules(&found))? else { return Ok(None) };
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

    /// An independent copy at the present decision. Agents sit there anew.
    fn fork(&self, py: Python<'_>) -> Self {
        self.copied(py, self.played.fork())
    }

    /// A world that a seat cannot tell from this one: a copy in which everything it does not know has been dealt again. The seed says
    /// how; without one every world is another.
    #[pyo3(signature = (seat, seed=None))]
    fn imagine(&mut self, py: Python<'_>, seat: i64, seed: Option<u64>) -> PyResult<Self> {
        let seat = self.seat(seat)?;
        if self.played.decision().is_none() {
            return Err(error::of_choice("nobody is asked anything now: worlds are imagined at a decision"));
        }
        let seed = seed.unwrap_or_else(|| {
            self.imagined += 1;
            self.played.setup().seed.wrapping_add(self.imagined)
        });
        let world = self.played.imagine(seat, &mut Chance::new(seed, "imagined"));
        let world = world.ok_or_else(|| {
            error::of_choice(
                "no world was found that explains what the seat knows: `parlour explain no-world` says why",
            )
        })?;
        Ok(self.copied(py, world))
    }

    /// What a seat sees and remembers, as agents of their own are told it; without a seat, the whole table.
    #[pyo3(signature = (seat=None))]
    fn view(&self, py: Python<'_>, seat: Option<i64>) -> PyResult<Py<PyAny>> {
        let seen = match seat {
            Some(seat) => view(&self.played.with_derived(View::memory(self.played.table(), Some(self.seat(seat)?)))),
            None => view(&self.played.with_derived(View::whole(self.played.table()))),
        };
        data::of_json(py, &seen)
    }

    /// What has happened, line by line, as a seat may read it; without a seat, as onlookers do.
    #[pyo3(signature = (seat=None, language=None))]
    fn log(&self, seat: Option<i64>, language: Option<&str>) -> PyResult<Vec<String>> {
        let language = language.map_or(Ok(self.language), language_of)?;
        let wording = Wording::new(self.played.model().clone(), self.played.setup().clone(), language);
        let wording = match seat {
            Some(seat) => wording.for_seat(self.seat(seat)?),
            None => wording.for_onlookers(),
        };
        Ok(wording.narrate(self.played.events().iter()))
    }

    /// What a seat knows as a fixed row of numbers: 32-bit floats in the order of `game.layout`.
    fn observation<'py>(&mut self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyBytes>> {
        let seat = self.seat(seat)?;
        let scheme = self.scheme();
        let mut row = Vec::new();
        scheme.observe(&self.played, seat, &mut row);
        Ok(floats(py, &row))
    }

    /// A row of numbers for each option of the open decision, one after the other: 32-bit floats in the order of `game.option_layout`.
    fn option_rows<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = self.scheme();
        let mut rows = Vec::new();
        scheme.options(&self.played, &mut rows);
        Ok(floats(py, &rows))
    }

    /// What each seat got: 1 for a seat that wins alone, less for a shared first place, and what others lose, so that all
    /// together is 0 (in a game of teams all teams together: each seat has what its team got); 0 for everybody before the end.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        returns(self.played.outcome(), self.played.setup().seats)
    }

    fn __repr__(&self) -> String {
        let setup = self.played.setup();
        let state = match self.played.decision() {
            Some(asked) => format!("seat {} is asked", asked.seat.number()),
            None => "over".to_owned(),
        };
        format!("<{} for {}, seed {}: {state}>", self.played.model().id, setup.seats, setup.seed)
    }
}

impl Session {
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

/// What each seat got of the first place: see [`Session::returns`].
pub fn returns(outcome: Option<&Outcome>, seats: u8) -> Vec<f64> {
    let Some(outcome) = outcome else { return vec![0.0; usize::from(seats)] };
    // A team wins as one.
    let (sides, won) = (outcome.sides().count() as f64, outcome.winning_sides() as f64);
    let of = |standing: &Standing| match (standing.rank == 1, sides > 1.0) {
        // Whoever plays alone has won or lost.
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

/// A language by its tag.
pub fn language_of(tag: &str) -> PyResult<Language> {
    Language::from_tag(tag).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.tag()).collect();
        error::of_argument(format!("there is no language `{tag}`: there are {}", known.join(", ")))
    })
}

/// Numbers as the bytes of 32-bit floats.
pub fn floats<'py>(py: Python<'py>, numbers: &[f32]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    PyBytes::new(py, &bytes)
}

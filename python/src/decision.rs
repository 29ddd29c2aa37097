//! Decisions with their options.

use crate::session::Session;
use crate::{data, error};
use parlour::agents::json;
use parlour::model::{DecisionId, Language, Model, Seat};
use parlour::session::{EventPosition, Observation};
use parlour::wording::Offer;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList};
use std::sync::Arc;

/// Maximum number of listed options. A longer list would take too much memory.
const MAX_LISTED: usize = 100_000;

/// Option of a decision.
#[pyclass(module = "parlour", frozen)]
pub struct Choice {
    /// Index of the option, from 0.
    #[pyo3(get)]
    index: usize,
    /// Text of the option, as people read it.
    #[pyo3(get)]
    text: String,
    /// Text of the option in the notation of playscripts.
    #[pyo3(get)]
    written: String,
    /// Option as data: a number, a string, or a dictionary of parts; `None` for a pass.
    #[pyo3(get)]
    parts: Py<PyAny>,
}

#[pymethods]
impl Choice {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.index, self.text)
    }
}

impl Choice {
    fn of(py: Python<'_>, observation: &Observation<'_>, at: usize, language: Language) -> PyResult<Self> {
        Self::in_offers(py, observation, at, &[observation.offer(language), observation.offer(Language::English)])
    }

    fn in_offers(
        py: Python<'_>,
        observation: &Observation<'_>,
        at: usize,
        [in_words, in_plays]: &[Offer<'_>; 2],
    ) -> PyResult<Self> {
        let choice = observation.decision().option(at);
        let parts = data::of_choice(py, observation, &choice)?;
        Ok(Self { index: at, text: in_words.worded(&choice), written: in_plays.written(&choice), parts })
    }

    fn all(py: Python<'_>, observation: &Observation<'_>, language: Language) -> PyResult<Py<PyList>> {
        let count = observation.decision().count();
        if count > MAX_LISTED {
            let name = &observation.model().decisions[observation.decision().id.index()].id;
            let message = format!("`{name}` has {count} options: look at single ones, as `decision[0]`");
            return Err(error::of_choice(message));
        }
        let offers = [observation.offer(language), observation.offer(Language::English)];
        let one = |at| Self::in_offers(py, observation, at, &offers);
        let all = (0..count).map(one).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, all)?.unbind())
    }
}

/// Decision that a seat is asked to make.
#[pyclass(module = "parlour", frozen)]
pub struct Decision {
    model: Arc<Model>,
    id: DecisionId,
    seat: Seat,
    count: usize,
    picks: Option<(u32, u32)>,
    language: Language,
    /// Session to which the decision belongs, and the session's number of changes when the decision was created; `None` if this object
    /// stores the options itself.
    session: Option<(Py<Session>, u64)>,
    options: PyOnceLock<Py<PyList>>,
    picked: PyOnceLock<Vec<String>>,
    /// Number of complete answers that each option leads to, as decimal digits; `None` if each option is one answer. Only used if this
    /// object stores the options itself.
    answers: Option<Vec<String>>,
    /// Events since the agent was last asked: as lines of its seat's log, and as data.
    news: Option<(Vec<String>, Py<PyAny>)>,
}

impl Decision {
    fn new(observation: &Observation<'_>, language: Language, session: Option<(Py<Session>, u64)>) -> Self {
        let decision = observation.decision();
        Self {
            model: observation.model().clone(),
            id: decision.id,
            seat: decision.seat,
            count: decision.count(),
            picks: decision.picks,
            language,
            session,
            options: PyOnceLock::new(),
            picked: PyOnceLock::new(),
            answers: None,
            news: None,
        }
    }

    /// Creates a decision of a session. Options and picks are read from the session when they are accessed.
    pub fn of_session(observation: &Observation<'_>, language: Language, session: Py<Session>, turn: u64) -> Self {
        Self::new(observation, language, Some((session, turn)))
    }

    /// Creates a decision for an agent. The decision stores its options, its picks, and the events since `heard`.
    pub fn told(
        py: Python<'_>,
        observation: &Observation<'_>,
        language: Language,
        heard: &mut EventPosition,
    ) -> PyResult<Self> {
        let mut told = Self::new(observation, language, None);
        let decision = observation.decision();
        let positions: Vec<usize> = decision.considered().iter().collect();
        let counts = decision.answer_counts(&positions);
        told.answers = counts.map(|counts| counts.iter().map(ToString::to_string).collect());
        let (log, events) = observation.news(heard);
        told.news = Some((log, data::of_json(py, &events.into_iter().map(json).collect())?));
        let options = positions.into_iter().map(|at| Choice::of(py, observation, at, language));
        let options = PyList::new(py, options.collect::<PyResult<Vec<_>>>()?)?.unbind();
        let _ = told.options.set(py, options);
        let _ = told.picked.set(py, observation.written_picks());
        Ok(told)
    }

    /// Calls a function with the session's observation. Fails if this decision is no longer open.
    fn asked<T>(&self, py: Python<'_>, look: impl FnOnce(&Observation<'_>) -> PyResult<T>) -> PyResult<T> {
        let (session, turn) = self.session.as_ref().expect("what is told has its options");
        let session = session.bind(py).get().open()?;
        match session.question().filter(|_| session.turn() == *turn) {
            Some(observation) => look(&observation),
            None => Err(error::of_choice("this decision is no longer open: ask the session for its `decision`")),
        }
    }
}

#[pymethods]
impl Decision {
    /// Number of the asked seat, from 1.
    #[getter]
    fn seat(&self) -> i64 {
        self.seat.number()
    }

    /// Id of the decision in the rules.
    #[getter]
    fn name(&self) -> &str {
        &self.model.decisions[self.id.index()].id
    }

    /// Text of the question, as people read it.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let declared = &self.model.decisions[self.id.index()];
        if declared.about.is_empty() || self.session.is_none() {
            return Ok(declared.ask.get(self.language).to_owned());
        }
        self.asked(py, |observation| Ok(observation.asked(self.language)))
    }

    /// Minimum number of picks, if the answer consists of several picks; otherwise `None`.
    #[getter]
    fn least(&self) -> Option<u32> {
        self.picks.map(|(least, _)| least)
    }

    /// Maximum number of picks, if the answer consists of several picks; otherwise `None`.
    #[getter]
    fn most(&self) -> Option<u32> {
        self.picks.map(|(_, most)| most)
    }

    /// Picks so far, in the notation of playscripts.
    #[getter]
    fn picked(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let picked =
            self.picked.get_or_try_init(py, || self.asked(py, |observation| Ok(observation.written_picks())))?;
        Ok(picked.clone())
    }

    /// Lines of the seat's log since the agent was last asked; empty for a decision of a session.
    #[getter]
    fn log(&self) -> Vec<String> {
        self.news.as_ref().map_or_else(Vec::new, |(log, _)| log.clone())
    }

    /// Events since the agent was last asked, as data; empty for a decision of a session.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.news {
            Some((_, events)) => Ok(events.clone_ref(py)),
            None => PyList::empty(py).into_py_any(py),
        }
    }

    /// Number of complete answers that each option leads to, as decimal digits; `None` if each option is one answer.
    #[getter]
    fn answers(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        if self.session.is_none() {
            return Ok(self.answers.clone());
        }
        self.asked(py, |observation| {
            let decision = observation.decision();
            let counts = decision.answer_counts(&decision.considered().iter().collect::<Vec<_>>());
            Ok(counts.map(|counts| counts.iter().map(ToString::to_string).collect()))
        })
    }

    /// All options in order; for an agent, a sample if there are too many. Fails if a decision of a session has more than 100,000 options.
    #[getter]
    fn options(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let all = || self.asked(py, |observation| Choice::all(py, observation, self.language));
        Ok(self.options.get_or_try_init(py, all)?.clone_ref(py))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__(&self, py: Python<'_>, at: isize) -> PyResult<Py<PyAny>> {
        let place = if at < 0 { at + self.count as isize } else { at };
        let place = usize::try_from(place).ok().filter(|place| *place < self.count);
        let place = place.ok_or_else(|| PyIndexError::new_err(format!("there are {} options", self.count)))?;
        if let Some(options) = self.options.get(py) {
            let options = options.bind(py);
            // The list contains either all options or, if there are too many, a sample.
            if options.len() == self.count {
                return Ok(options.get_item(place)?.unbind());
            }
            for number in 0..options.len() {
                let one = options.get_item(number)?;
                if one.cast::<Choice>()?.get().index == place {
                    return Ok(one.unbind());
                }
            }
            return Err(PyIndexError::new_err("this option is not in the sample that the agent is told"));
        }
        let one = self.asked(py, |observation| Choice::of(py, observation, place, self.language))?;
        Ok(Py::new(py, one)?.into_any())
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyIterator>> {
        Ok(self.options(py)?.bind(py).try_iter()?.unbind())
    }

    fn __repr__(&self) -> String {
        format!("<seat {} · {}: {} options>", self.seat.number(), self.name(), self.count)
    }
}

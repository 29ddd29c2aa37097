//! Conversion of views and choices to Python values: numbers, strings, lists and dictionaries.

use parlour::decision::Choice;
use parlour::model::{Model, Seat, ZoneId};
use parlour::session::{Observation, place};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

/// Converts JSON to Python values, like Python's module `json`.
pub fn of_json(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Null => Ok(py.None()),
        Value::Bool(flag) => flag.into_py_any(py),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_py_any(py),
            None => number.as_f64().into_py_any(py),
        },
        Value::String(text) => text.into_py_any(py),
        Value::Array(entries) => {
            let list = PyList::empty(py);
            entries.iter().try_for_each(|entry| list.append(of_json(py, entry)?))?;
            list.into_py_any(py)
        }
        Value::Object(parts) => {
            let map = PyDict::new(py);
            parts.iter().try_for_each(|(name, part)| map.set_item(name, of_json(py, part)?))?;
            map.into_py_any(py)
        }
    }
}

/// Converts a choice to a Python value. A piece is converted to the string that playscripts use.
pub fn of_choice(py: Python<'_>, observation: &Observation<'_>, choice: &Choice) -> PyResult<Py<PyAny>> {
    let model = observation.model();
    match choice {
        Choice::Nothing => Ok(py.None()),
        Choice::Flag(flag) => flag.into_py_any(py),
        Choice::Number(number) => number.into_py_any(py),
        Choice::Word(word) => word.as_str().into_py_any(py),
        Choice::Seat(seat) => seat.number().into_py_any(py),
        Choice::Zone(zone) => zone_path(model, *zone).into_py_any(py),
        Choice::Space(space) => place(model, *space).into_py_any(py),
        Choice::Component(component) => model.component(*component).id.to_string().into_py_any(py),
        Choice::Piece(_) => observation.written_one(choice).into_py_any(py),
        Choice::Parts(parts) => {
            let map = PyDict::new(py);
            parts.iter().try_for_each(|(name, part)| map.set_item(name.as_str(), of_choice(py, observation, part)?))?;
            map.into_py_any(py)
        }
        Choice::Many(all) => {
            let list = PyList::empty(py);
            all.iter().try_for_each(|one| list.append(of_choice(py, observation, one)?))?;
            list.into_py_any(py)
        }
    }
}

/// Non-negative integer.
#[derive(Clone, Copy)]
pub struct Whole<T>(pub T);

impl<'a, 'py, T: TryFrom<u64>> FromPyObject<'a, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let number = match given.extract::<u64>() {
            Err(why) if !why.is_instance_of::<PyOverflowError>(given.py()) => return Err(why),
            number => number.ok().and_then(|number| T::try_from(number).ok()),
        };
        number
            .map(Self)
            .ok_or_else(|| crate::error::of_argument(format!("{} is below 0, or too large a number", *given)))
    }
}

/// Extracts a non-negative integer from an argument. Used with `from_py_with`.
pub fn count(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    given.extract().map(|whole: Whole<u64>| whole.0)
}

fn zone_path(model: &Model, zone: ZoneId) -> String {
    let found = model.zone(zone);
    let seat = found.seat.map_or_else(String::new, |seat| format!("seat {}.", seat.number()));
    format!("{seat}{}", found.path)
}

/// Returns the seat with a number, counted from 1. Fails if there is no such seat.
pub fn seat(number: i64, seats: u8) -> PyResult<Seat> {
    if (1..=i64::from(seats)).contains(&number) {
        return Ok(Seat((number - 1) as u8));
    }
    Err(crate::error::of_argument(format!("there is no seat {number}: seats are counted from 1 to {seats}")))
}

//! Exceptions of the module. Each contains its diagnostic as the program prints it, and the code of the diagnostic.

use parlour::desk::{OpenError, Refusal};
use parlour::diagnostic::{Diagnostic, Diagnostics, render};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    parlour,
    Error,
    PyException,
    "What goes wrong in Parlour. `code` is the stable word for the sort of mistake, where it has one."
);
create_exception!(
    parlour,
    GameError,
    Error,
    "A game cannot be opened, or not be played with what was chosen: there are mistakes in its files."
);
create_exception!(parlour, RuleError, Error, "The rules of a game have made a mistake while they were played.");
create_exception!(parlour, AgentError, Error, "An agent is not there, or gave no answer.");
create_exception!(parlour, ChoiceError, Error, "What was chosen is not offered, or nobody is asked.");
create_exception!(parlour, OverflowError, Error, "A decision has more options than an environment has declared.");

/// Sets the attribute `code` of an exception.
fn coded(error: PyErr, code: Option<&str>) -> PyErr {
    Python::attach(|py| {
        // If this fails, the exception is still raised, but without a code.
        let _ = error.value(py).setattr("code", code);
    });
    error
}

/// Creates the exception for mistakes in a game's files or in its setup.
pub fn of_game(found: &Diagnostics) -> PyErr {
    let text = found.to_string();
    coded(GameError::new_err(text.trim_end().to_owned()), found.0.first().map(|one| one.code))
}

/// Creates the exception for a fault of the rules during a game.
pub fn of_rules(found: &Diagnostic) -> PyErr {
    coded(RuleError::new_err(render(found, false)), Some(found.code))
}

/// Creates the exception for an agent that did not answer.
pub fn of_agent(found: &Diagnostic) -> PyErr {
    coded(AgentError::new_err(render(found, false)), Some(found.code))
}

/// Creates the exception for a choice that is not offered.
pub fn of_choice(message: impl Into<String>) -> PyErr {
    coded(ChoiceError::new_err(message.into()), None)
}

/// Creates the exception for a call that is not possible in the current state.
pub fn of_use(message: impl Into<String>) -> PyErr {
    Error::new_err(message.into())
}

/// Creates the exception for invalid settings of a game.
pub fn of_refusal(refusal: &Refusal) -> PyErr {
    let help = refusal.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
    coded(GameError::new_err(format!("{}{help}", refusal.message)), None)
}

/// Creates the exception for an agent specification that is not valid, for example because the agent does not exist.
pub fn of_unknown_agent(refusal: &Refusal) -> PyErr {
    let help = refusal.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
    coded(AgentError::new_err(format!("{}{help}", refusal.message)), None)
}

/// Creates the exception for a game that cannot be opened.
pub fn of_unopened(why: &OpenError) -> PyErr {
    match why {
        OpenError::Refused(refusal) => of_refusal(refusal),
        OpenError::Mistakes(found) => of_game(found),
    }
}

/// Creates the exception for an invalid argument.
pub fn of_argument(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// Adds the exception types to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let all = py.get_type::<Error>();
    all.setattr("code", py.None())?;
    module.add("Error", all)?;
    module.add("GameError", py.get_type::<GameError>())?;
    module.add("RuleError", py.get_type::<RuleError>())?;
    module.add("AgentError", py.get_type::<AgentError>())?;
    module.add("ChoiceError", py.get_type::<ChoiceError>())?;
    module.add("OverflowError", py.get_type::<OverflowError>())
}

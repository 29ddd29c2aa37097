//! The `unknown-field` message, shared by the loader, the analysis, the faces and the running game.

use super::{Diagnostic, Place, did_you_mean};

/// Message about a missing field or property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// Headline of the message.
    pub message: String,
    /// Text at the marked place.
    pub note: String,
    /// Help line.
    pub help: Option<String>,
}

impl UnknownField {
    /// Code of the message.
    pub const CODE: &'static str = "unknown-field";

    /// Builds the message for a subject in the singular, such as `a seat` or `this`.
    pub fn of_one(who: &str, name: &str) -> Self {
        Self::new(format!("{who} has no `{name}`")).note(format!("not a field, value or zone of {who}"))
    }

    /// Builds the message for a subject in the plural, such as `cells` or `seats`.
    pub fn of_several(who: &str, name: &str) -> Self {
        Self::new(format!("{who} have no `{name}`")).note(format!("not a field, value or zone of {who}"))
    }

    /// Builds the message for a field that nothing in the game has.
    pub fn of_nothing(name: &str) -> Self {
        Self::new(format!("nothing has a `{name}`")).note("no field, value, zone or part has this name")
    }

    fn new(message: String) -> Self {
        Self { message, note: String::new(), help: None }
    }

    /// Replaces the text at the marked place.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Sets the help line.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Sets the help line to "did you mean", if one of the `known` words is similar to `written`.
    #[must_use]
    pub fn suggest<'k>(self, written: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        match did_you_mean(written, known) {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Converts the message to a diagnostic at `place`.
    pub fn at(self, place: Place) -> Diagnostic {
        let found = Diagnostic::error(Self::CODE, self.message).mark(place, self.note);
        self.help.into_iter().fold(found, Diagnostic::help)
    }
}

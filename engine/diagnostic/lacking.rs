//! What is said where something has nothing of a name: one sentence for a game's files, its rules, its faces, and a game that is played.

use super::{Diagnostic, Place, did_you_mean};

/// Something has nothing of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// What is there and what was expected.
    pub message: String,
    /// What is said at the place.
    pub note: String,
    /// What to do.
    pub help: Option<String>,
}

impl UnknownField {
    /// The code of the message.
    pub const CODE: &'static str = "unknown-field";

    /// Who has it not: `a seat`, `this`.
    pub fn of_one(who: &str, name: &str) -> Self {
        Self::new(format!("{who} has no `{name}`")).note(format!("not a field, value or zone of {who}"))
    }

    /// Several who have it not: `cells`, `seats`.
    pub fn of_several(who: &str, name: &str) -> Self {
        Self::new(format!("{who} have no `{name}`")).note(format!("not a field, value or zone of {who}"))
    }

    /// Nothing there is has it.
    pub fn of_nothing(name: &str) -> Self {
        Self::new(format!("nothing has a `{name}`")).note("no field, value, zone or part has this name")
    }

    fn new(message: String) -> Self {
        Self { message, note: String::new(), help: None }
    }

    /// The same with something else said at the place.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The same with a help line.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same with "did you mean", if any of the words known is near enough to the one written.
    #[must_use]
    pub fn suggest<'k>(self, written: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        match did_you_mean(written, known) {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// The mistake at a place.
    pub fn at(self, place: Place) -> Diagnostic {
        let found = Diagnostic::error(Self::CODE, self.message).mark(place, self.note);
        self.help.into_iter().fold(found, Diagnostic::help)
    }
}

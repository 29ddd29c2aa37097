//! Opens the session of a scene once its head is complete.

use super::chance::fix;
use super::errors::{CheckResult, fail, find_phase, find_seat, first_diagnostic, place_in_play, source_of, with_help};
use super::play::{PlayStatement, Role, StatementKind};
use super::runner::{Runner, rest_at};
use super::validation::code_fragments;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::session::{Game, Opening, Session, Start, mistakes_in_texts};
use crate::table::Fixed;
use std::sync::Arc;

impl Runner<'_> {
    /// Opens the session of the scene and applies the preceding `arrange` statements. Also collects the mistakes in the code of all
    /// statements in `from_here`.
    pub(super) fn open(&mut self, statement: &PlayStatement, from_here: &[&PlayStatement]) -> CheckResult {
        let Some(game) = self.game.clone() else {
            let found = fail(statement, "play-order", "no game is named", "which game?");
            return Err(with_help(found, Some("begin the file with `game` and the game's id".to_owned())));
        };
        if self.setup.names.is_empty() {
            self.setup.seats = *game.players().start();
        }
        self.find_mistakes(&game, from_here);
        let arranged = self.arrange.iter().map(|(statement, source)| self.check_code(statement, &source.text));
        arranged.collect::<CheckResult>()?;
        let opening = self.opening(statement, &game, from_here)?;
        let arrange_later = opening.start == Start::Setup;
        let opened = Session::open(&game, &self.setup, opening);
        let mut session = opened.map_err(|found| self.settings_error(statement, found))?;
        let sources: Vec<Arc<Source>> = self.arrange.iter().map(|(_, source)| source.clone()).collect();
        if arrange_later && !sources.is_empty() {
            session.arrange(&sources).map_err(|found| self.place_in_arrange(found))?;
        }
        self.seen = 0;
        self.session = Some(session);
        self.check_not_failed().map_err(|found| self.place_in_arrange(found))
    }

    /// Checks the code of the `arrange` statements so far and of all following statements, and stores the mistakes found.
    fn find_mistakes(&mut self, game: &Game, from_here: &[&PlayStatement]) {
        let of_one = |statement: &&PlayStatement| {
            code_fragments(&statement.what).into_iter().map(|text| source_of(statement, text)).collect::<Vec<_>>()
        };
        let following = from_here.iter().flat_map(of_one);
        let texts: Vec<Arc<Source>> = self.arrange.iter().map(|(_, source)| source.clone()).chain(following).collect();
        // Mistakes in the game and its settings are reported when the session is opened.
        let found = mistakes_in_texts(game, &self.setup, &texts).unwrap_or_default();
        let with_text = |found: Diagnostic| Some((found.marks.first()?.place.source.clone(), found));
        self.mistakes = found.into_iter().filter_map(with_text).collect();
    }

    /// Fails if [`find_mistakes`](Self::find_mistakes) has found a mistake in a code fragment.
    pub(super) fn check_code(&self, statement: &PlayStatement, text: &str) -> CheckResult {
        match self.mistakes.iter().find(|(known, _)| known.text == text) {
            Some((known, found)) => Err(place_in_play(statement, found.clone(), known)),
            None => Ok(()),
        }
    }

    /// Moves the marks of a diagnostic to the `arrange` statement that contains the code.
    fn place_in_arrange(&self, found: Box<Diagnostic>) -> Box<Diagnostic> {
        let is_in = |source: &Arc<Source>| found.marks.iter().any(|mark| Arc::ptr_eq(&mark.place.source, source));
        let statement = self.arrange.iter().find(|(_, source)| is_in(source)).or(self.arrange.last());
        match statement {
            Some((statement, source)) => place_in_play(statement, *found, source),
            None => found,
        }
    }

    /// Returns the first mistake in the settings of the game. It marks the statement that makes the setting or, if nothing else is marked,
    /// `statement`.
    pub(super) fn settings_error(&self, statement: &PlayStatement, found: Diagnostics) -> Box<Diagnostic> {
        let mut found = first_diagnostic(found);
        for mark in &mut found.marks {
            let source = &mark.place.source;
            let chose = self.head.iter().find(|statement| corresponds_to(&statement.what, &source.path, &source.text));
            if let Some(place) = chose.and_then(|statement| statement.place.clone()) {
                mark.place = place;
            }
        }
        match &statement.place {
            Some(place) if found.marks.is_empty() => Box::new(found.mark(place.clone(), "the game begins here")),
            _ => found,
        }
    }

    fn opening(
        &self,
        statement: &PlayStatement,
        game: &Game,
        from_here: &[&PlayStatement],
    ) -> Result<Opening, Box<Diagnostic>> {
        let layout = game.layout(&self.setup).map_err(|found| self.settings_error(statement, found))?;
        let model = &layout.model;
        let mut fixed = Fixed::default();
        for statement in &self.fixes {
            fix(&mut fixed, statement, model, &self.setup)?;
        }
        let start = match &self.start {
            Some(statement) => {
                let StatementKind::Start { phase, round, seat, after_setup } = &statement.what else {
                    unreachable!("only `start` is stored there")
                };
                let phase = find_phase(statement, phase, model)?;
                let seat = seat.as_ref().map(|name| find_seat(statement, name, model, &self.setup)).transpose()?;
                Start::Phase { phase, round: round.unwrap_or(1) as i64, seat, after_setup: *after_setup }
            }
            None if begins_with_do(from_here) => Start::Nowhere,
            None => Start::Setup,
        };
        let arrange = self.arrange.iter().filter(|_| start != Start::Setup).map(|(_, source)| source.clone()).collect();
        // If `arrange` statements run at the first decision, play must not stop before that decision.
        let rest = match &statement.what {
            StatementKind::Auto(until, _) if self.arrange.is_empty() || start != Start::Setup => {
                rest_at(statement, until, model)?
            }
            _ => None,
        };
        Ok(Opening { start, fixed, arrange, rest })
    }
}

/// Returns whether the first action of a scene is `do`. Such a scene never enters the flow.
fn begins_with_do(statements: &[&PlayStatement]) -> bool {
    let does = |what: &StatementKind| match what.role() {
        Role::Do => Some(true),
        Role::Choice | Role::Redeal | Role::Offer | Role::Auto => Some(false),
        // Not actions: they describe or check the state.
        Role::Head | Role::Start | Role::Arrange | Role::Chance | Role::Expect | Role::Record | Role::Note => None,
    };
    statements.iter().find_map(|statement| does(&statement.what)) == Some(true)
}

/// Returns whether a statement makes the same setting as a command-line argument. `argument` is the name of the argument, such as
/// `--option`. `text` is its value, which is ignored for `--players`.
fn corresponds_to(what: &StatementKind, argument: &str, text: &str) -> bool {
    let equals =
        |name: &str, value: &str| text.split_once('=').is_some_and(|(n, v)| n.trim() == name && v.trim() == value);
    match what {
        StatementKind::Players(_) => argument == "--players",
        StatementKind::Option(name, value) => argument == "--option" && equals(name, value),
        StatementKind::Set(path, value) => argument == "--set" && equals(path, value),
        _ => false,
    }
}

//! Beginning the session of a scene, once its head is known.

use super::chance::fix;
use super::failing::{Checked, fail, first_of, phase_named, placed_in, seat_named, source_of, with_help};
use super::play::{PlayStatement, Role, What};
use super::runner::{Runner, rest_at};
use super::validation::texts_of;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::session::{Game, Opening, Session, Start, mistakes_in_texts};
use crate::table::Fixed;
use std::sync::Arc;

impl Runner<'_> {
    /// Begins the session.
    pub(super) fn open(&mut self, statement: &PlayStatement, from_here: &[&PlayStatement]) -> Checked {
        let Some(game) = self.game.clone() else {
            let found = fail(statement, "play-order", "no game is named", "which game?");
            return Err(with_help(found, Some("begin the file with `game` and the game's id".to_owned())));
        };
        if self.setup.names.is_empty() {
            self.setup.seats = *game.players().start();
        }
        self.find_mistakes(&game, from_here);
        let arranged = self.arrange.iter().map(|(statement, source)| self.mistake_in(statement, &source.text));
        arranged.collect::<Checked>()?;
        let opening = self.opening(statement, &game, from_here)?;
        let arrange_later = opening.start == Start::Setup;
        let opened = Session::open(&game, &self.setup, opening);
        let mut session = opened.map_err(|found| self.refused(statement, found))?;
        let sources: Vec<Arc<Source>> = self.arrange.iter().map(|(_, source)| source.clone()).collect();
        if arrange_later && !sources.is_empty() {
            session.arrange(&sources).map_err(|found| self.placed_in_arrange(found))?;
        }
        self.seen = 0;
        self.session = Some(session);
        self.not_failed().map_err(|found| self.placed_in_arrange(found))
    }

    /// Finds what is wrong with the texts that are arranged before play, and with those of what follows.
    fn find_mistakes(&mut self, game: &Game, from_here: &[&PlayStatement]) {
        let of_one = |statement: &&PlayStatement| {
            texts_of(&statement.what).into_iter().map(|text| source_of(statement, text)).collect::<Vec<_>>()
        };
        let here = from_here.iter().flat_map(of_one);
        let texts: Vec<Arc<Source>> = self.arrange.iter().map(|(_, source)| source.clone()).chain(here).collect();
        // What is wrong with the game, and with what was chosen before it, is statement when it is opened.
        let found = mistakes_in_texts(game, &self.setup, &texts).unwrap_or_default();
        let with_text = |found: Diagnostic| Some((found.marks.first()?.place.source.clone(), found));
        self.mistakes = found.into_iter().filter_map(with_text).collect();
    }

    /// What is wrong with a text, as far as that is known before it is carried out.
    pub(super) fn mistake_in(&self, statement: &PlayStatement, text: &str) -> Checked {
        match self.mistakes.iter().find(|(known, _)| known.text == text) {
            Some((known, found)) => Err(placed_in(statement, found.clone(), known)),
            None => Ok(()),
        }
    }

    /// Moves the marks of a diagnostic to where in the play the arranging text stands.
    fn placed_in_arrange(&self, found: Box<Diagnostic>) -> Box<Diagnostic> {
        let is_in = |source: &Arc<Source>| found.marks.iter().any(|mark| Arc::ptr_eq(&mark.place.source, source));
        let statement = self.arrange.iter().find(|(_, source)| is_in(source)).or(self.arrange.last());
        match statement {
            Some((statement, source)) => placed_in(statement, *found, source),
            None => found,
        }
    }

    /// A mistake of what was chosen before play, statement at the line that chose it.
    pub(super) fn refused(&self, statement: &PlayStatement, found: Diagnostics) -> Box<Diagnostic> {
        let mut found = first_of(found);
        for mark in &mut found.marks {
            let source = &mark.place.source;
            let chose = self.head.iter().find(|statement| is_chosen_by(&statement.what, &source.path, &source.text));
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
        let layout = game.layout(&self.setup).map_err(|found| self.refused(statement, found))?;
        let model = &layout.model;
        let mut fixed = Fixed::default();
        for statement in &self.fixes {
            fix(&mut fixed, statement, model, &self.setup)?;
        }
        let start = match &self.start {
            Some(statement) => {
                let What::Start { phase, round, seat, after_setup } = &statement.what else {
                    unreachable!("only `start` is kept there")
                };
                let phase = phase_named(statement, phase, model)?;
                let seat = seat.as_ref().map(|name| seat_named(statement, name, model, &self.setup)).transpose()?;
                Start::Phase { phase, round: round.unwrap_or(1) as i64, seat, after_setup: *after_setup }
            }
            None if begins_with_do(from_here) => Start::Nowhere,
            None => Start::Setup,
        };
        let arrange = self.arrange.iter().filter(|_| start != Start::Setup).map(|(_, source)| source.clone()).collect();
        // What is arranged at the first decision is arranged before play rests anywhere.
        let rest = match &statement.what {
            What::Auto(until, _) if self.arrange.is_empty() || start != Start::Setup => {
                rest_at(statement, until, model)?
            }
            _ => None,
        };
        Ok(Opening { start, fixed, arrange, rest })
    }
}

/// Whether the first act of a scene carries a text out: such a scene never enters the flow.
fn begins_with_do(statements: &[&PlayStatement]) -> bool {
    let does = |what: &What| match what.role() {
        Role::Do => Some(true),
        Role::Choice | Role::Redeal | Role::Offer | Role::Auto => Some(false),
        // No act: it says what is there, or looks at it.
        Role::Head | Role::Start | Role::Arrange | Role::Chance | Role::Expect | Role::Record | Role::Note => None,
    };
    statements.iter().find_map(|statement| does(&statement.what)) == Some(true)
}

/// Whether a statement of a play chose what a mistake says of an argument of the command line: `--option` with its text.
fn is_chosen_by(what: &What, argument: &str, text: &str) -> bool {
    let is = |name: &str, value: &str| text.split_once('=').is_some_and(|(n, v)| n.trim() == name && v.trim() == value);
    match what {
        What::Players(_) => argument == "--players",
        What::Option(name, value) => argument == "--option" && is(name, value),
        What::Set(path, value) => argument == "--set" && is(path, value),
        _ => false,
    }
}

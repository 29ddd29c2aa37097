//! What is wrong with a play as it is written: the game, the options and the names it speaks of, without running it.

use super::cast::Cast;
use super::chance::fix;
use super::expecting::tally_named;
use super::failing::{
    Checked, decision_named, ending_named, phase_named, placed_in, seat_named, source_of, winners_named,
};
use super::play::{Expect, Play, PlayStatement, Until, What};
use super::run::{scenes, statements_of};
use super::runner::Runner;
use super::words::{self, OptionWords};
use crate::diagnostic::{Diagnostic, Source};
use crate::model::Model;
use crate::session::{Game, Setup, mistakes_in_texts};
use crate::table::Fixed;
use std::sync::Arc;

/// What is wrong with the names of a play, each mistake once.
pub fn mistakes(play: &Play, cast: &Cast<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for at in 0..scenes(play).len() {
        for one in Runner::new(cast, false).mistakes(&statements_of(play, at)) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// What a play says in the game's own vocabulary, each text with the byte it begins at.
pub fn texts(play: &Play) -> Vec<(&str, usize)> {
    let statements = play.head.iter().chain(play.scenes.iter().flat_map(|scene| &scene.statements));
    statements.flat_map(placed_texts).collect()
}

/// The texts of a statement in the game's own vocabulary, and where they begin.
fn placed_texts(statement: &PlayStatement) -> Vec<(&str, usize)> {
    let Some(place) = &statement.place else { return Vec::new() };
    let whole = &place.source.text[place.span.clone()];
    let texts = texts_of(&statement.what).into_iter();
    texts.filter_map(|text| Some((text, place.span.start + whole.find(text)?))).collect()
}

impl Runner<'_> {
    fn mistakes(&mut self, statements: &[&PlayStatement]) -> Vec<Diagnostic> {
        for (at, statement) in statements.iter().enumerate().filter(|(_, statement)| statement.what.is_head()) {
            if let Err(found) = self.statement(statement, &statements[at..]) {
                return vec![*found];
            }
        }
        let (Some(game), Some(first)) = (self.game.clone(), statements.first()) else { return Vec::new() };
        if self.setup.names.is_empty() {
            self.setup.seats = *game.players().start();
        }
        match game.layout(&self.setup) {
            // What is wrong with the game itself is statement of the game.
            Err(_) if game.layout(&Setup::seats(self.setup.seats)).is_err() => Vec::new(),
            Err(found) => vec![*self.refused(first, found)],
            Ok(layout) => {
                let names = |statement: &&PlayStatement| {
                    names(statement, &layout.model, &self.setup, &self.words)
                        .and_then(|()| self.agents_named(statement, &layout.model))
                };
                let misnamed = statements.iter().filter_map(|statement| names(statement).err()).map(|found| *found);
                let mut found: Vec<Diagnostic> = misnamed.chain(self.mistakes_in_texts(&game, statements)).collect();
                found.sort_by_key(|found| found.marks.first().map(|mark| mark.place.span.start));
                found
            }
        }
    }

    /// Whether the agents that a statement seats are there.
    fn agents_named(&self, statement: &PlayStatement, model: &Model) -> Checked {
        let named = match &statement.what {
            What::Agents(names) => names.as_slice(),
            What::Auto(_, Some(name)) => std::slice::from_ref(name),
            _ => &[],
        };
        named.iter().try_for_each(|name| self.agent(statement, &model.agents, name, 0).map(|_| ()))
    }

    /// What is wrong with the texts of statements, at their places.
    fn mistakes_in_texts(&self, game: &Game, statements: &[&PlayStatement]) -> Vec<Diagnostic> {
        let mut texts: Vec<(&PlayStatement, Arc<Source>)> = Vec::new();
        for statement in statements {
            texts.extend(texts_of(&statement.what).into_iter().map(|text| (*statement, source_of(statement, text))));
        }
        if texts.is_empty() {
            return Vec::new();
        }
        let sources: Vec<Arc<Source>> = texts.iter().map(|(_, source)| source.clone()).collect();
        let placed = |found: Diagnostic| {
            let is_in =
                |source: &Arc<Source>| found.marks.first().is_some_and(|m| Arc::ptr_eq(&m.place.source, source));
            let (statement, source) = texts.iter().find(|(_, source)| is_in(source))?;
            Some(*placed_in(statement, found, source))
        };
        // What is wrong with the game itself is statement of the game.
        let found = mistakes_in_texts(game, &self.setup, &sources).unwrap_or_default();
        found.into_iter().filter_map(placed).collect()
    }
}

/// What a statement says in the game's own vocabulary.
pub(super) fn texts_of(what: &What) -> Vec<&str> {
    match what {
        What::Arrange(text) | What::Do(text) => vec![text],
        What::Expect(expect) => super::expecting::texts_of(expect),
        _ => Vec::new(),
    }
}

/// Whether everything that a statement names is there.
fn names(statement: &PlayStatement, model: &Model, setup: &Setup, words: &OptionWords) -> Result<(), Box<Diagnostic>> {
    let seat = |name: &str| seat_named(statement, name, model, setup).map(|_| ());
    let decision = |name: &str| decision_named(statement, name, model).map(|_| ());
    let phase = |name: &str| phase_named(statement, name, model).map(|_| ());
    match &statement.what {
        What::Offers { seat: who, decision: what, .. } => seat(who).and_then(|()| decision(what)),
        What::Choice { seat: who, decision: what, answer, .. }
        | What::Forced { seat: who, decision: what, answer }
        | What::Allows { seat: who, decision: what, answer }
        | What::Reject { seat: who, decision: what, answer } => seat(who)
            .and_then(|()| decision(what))
            .and_then(|()| words::known(statement, (what, answer), (model, setup), words)),
        What::Expect(expect) => expected(statement, expect, model, setup, words),
        What::Start { phase: at, seat: who, .. } => phase(at).and_then(|()| who.as_deref().map_or(Ok(()), seat)),
        What::Redeal { by, .. } => by.as_deref().map_or(Ok(()), seat),
        What::Auto(Until::Phase(at), _) => phase(at),
        What::Auto(Until::Decision(what), _) => decision(what),
        What::Roll(..) | What::NextShuffle(..) | What::NextDraw(..) | What::NextFirst(_) => {
            fix(&mut Fixed::default(), statement, model, setup)
        }
        // What the game is opened with is statement of when it is opened; texts are looked at as rules are.
        What::Game(_) | What::Players(_) | What::Seed(_) | What::Option(..) | What::Set(..) | What::Agents(_) | What::Arrange(_) | What::Do(_)
        // No name of the game, or one that is asked for when it is carried out.
        | What::Auto(Until::Round(_) | Until::End, _) | What::Table { .. } | What::End { .. } | What::Note(_) => Ok(()),
    }
}

/// Whether everything that an expectation names is there.
fn expected(
    statement: &PlayStatement,
    expect: &Expect,
    model: &Model,
    setup: &Setup,
    words: &OptionWords,
) -> Result<(), Box<Diagnostic>> {
    let seat = |name: &str| seat_named(statement, name, model, setup).map(|_| ());
    let decision = |name: &str| decision_named(statement, name, model).map(|_| ());
    match expect {
        Expect::Not(inner) => expected(statement, inner, model, setup, words),
        Expect::Options { seat: who, decision: what, options } => {
            let known = |option: &String| words::known(statement, (what, option), (model, setup), words);
            seat(who).and_then(|()| decision(what)).and_then(|()| options.iter().try_for_each(known))
        }
        Expect::Asked(who, what) => seat(who).and_then(|()| what.as_deref().map_or(Ok(()), decision)),
        Expect::Winners(names) => {
            names.iter().try_for_each(|name| winners_named(statement, name, model, setup).map(|_| ()))
        }
        Expect::Score(who, _) | Expect::Rank(who, _) | Expect::Log(who, _) | Expect::Sight { seat: who, .. } => {
            seat(who)
        }
        Expect::Tally(tally, who, _) => {
            tally_named(statement, tally, model).and_then(|()| who.as_deref().map_or(Ok(()), seat))
        }
        Expect::Ending(ending) => ending_named(statement, ending, model),
        Expect::Phase(phase) => phase_named(statement, phase, model).map(|_| ()),
        Expect::That(_) => Ok(()),
    }
}

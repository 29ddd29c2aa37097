//! Validation without running: checks the game, options, names and code that a playscript refers to.

use super::cast::Cast;
use super::chance::fix;
use super::errors::{
    CheckResult, check_ending_name, find_decision, find_phase, find_seat, find_winners, place_in_play, source_of,
};
use super::expectations::check_tally_name;
use super::option_words::{self, OptionWords};
use super::play::{Expect, Play, PlayStatement, PlayUntil, StatementKind};
use super::run::{scene_statements, scenes};
use super::runner::Runner;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::model::Model;
use crate::session::{Game, Setup, mistakes_in_texts};
use crate::syntax::{self, assignment_in_condition, parse_statements};
use crate::table::Fixed;
use std::sync::Arc;

/// Returns the mistakes in a playscript, without duplicates.
pub fn mistakes(play: &Play, cast: &Cast<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for at in 0..scenes(play).len() {
        for one in Runner::new(cast, false).mistakes(&scene_statements(play, at)) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// Returns the code fragments in a playscript, each with its offset in bytes.
pub fn texts(play: &Play) -> Vec<(&str, usize)> {
    let statements = play.head.iter().chain(play.scenes.iter().flat_map(|scene| &scene.statements));
    statements.flat_map(placed_fragments).collect()
}

/// Returns the code fragments of a statement, with their offsets in the file.
fn placed_fragments(statement: &PlayStatement) -> Vec<(&str, usize)> {
    let Some(place) = &statement.place else { return Vec::new() };
    let whole = &place.source.text[place.span.clone()];
    let texts = code_fragments(&statement.what).into_iter();
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
            // Mistakes in the game itself are reported when the game is checked.
            Err(_) if game.layout(&Setup::seats(self.setup.seats)).is_err() => Vec::new(),
            Err(found) => vec![*self.settings_error(first, found)],
            Ok(layout) => {
                let names = |statement: &&PlayStatement| {
                    check_names(statement, &layout.model, &self.setup, &self.words)
                        .and_then(|()| self.check_agents(statement, &layout.model))
                };
                let misnamed = statements.iter().filter_map(|statement| names(statement).err()).map(|found| *found);
                let mut found: Vec<Diagnostic> = misnamed.chain(self.mistakes_in_texts(&game, statements)).collect();
                found.sort_by_key(|found| found.marks.first().map(|mark| mark.place.span.start));
                found
            }
        }
    }

    /// Checks that the agents named by a statement exist.
    fn check_agents(&self, statement: &PlayStatement, model: &Model) -> CheckResult {
        let named = match &statement.what {
            StatementKind::Agents(names) => names.as_slice(),
            StatementKind::Auto(_, Some(name)) => std::slice::from_ref(name),
            _ => &[],
        };
        named.iter().try_for_each(|name| self.agent(statement, &model.agents, name, 0).map(|_| ()))
    }

    /// Returns the mistakes in the code fragments of statements, each with its place in the playscript.
    fn mistakes_in_texts(&self, game: &Game, statements: &[&PlayStatement]) -> Vec<Diagnostic> {
        let mut texts: Vec<(&PlayStatement, Arc<Source>)> = Vec::new();
        for statement in statements {
            texts.extend(
                code_fragments(&statement.what).into_iter().map(|text| (*statement, source_of(statement, text))),
            );
        }
        if texts.is_empty() {
            return Vec::new();
        }
        let sources: Vec<Arc<Source>> = texts.iter().map(|(_, source)| source.clone()).collect();
        let placed = |found: Diagnostic| {
            let is_in =
                |source: &Arc<Source>| found.marks.first().is_some_and(|m| Arc::ptr_eq(&m.place.source, source));
            let (statement, source) = texts.iter().find(|(_, source)| is_in(source))?;
            Some(*place_in_play(statement, found, source))
        };
        // Mistakes in the game itself are reported when the game is checked.
        let mut found = mistakes_in_texts(game, &self.setup, &sources).unwrap_or_default();
        let expected = texts.iter().filter(|(statement, _)| matches!(statement.what, StatementKind::Expect(_)));
        found.extend(expected.filter_map(|(_, source)| assignment_in(source)));
        found.into_iter().filter_map(placed).collect()
    }
}

/// Returns the mistake in an expectation that assigns instead of comparing.
fn assignment_in(source: &Arc<Source>) -> Option<Diagnostic> {
    let statements = parse_statements(source, &mut 0).tree;
    let span = statements.iter().find_map(|statement| match &statement.kind {
        syntax::StatementKind::Assign { op: None, op_span, .. } => Some(*op_span),
        _ => None,
    })?;
    Some(assignment_in_condition().at(Place { source: source.clone(), span: span.range() }))
}

/// Returns the code fragments of a statement.
pub(super) fn code_fragments(what: &StatementKind) -> Vec<&str> {
    match what {
        StatementKind::Arrange(text) | StatementKind::Do(text) => vec![text],
        StatementKind::Expect(expect) => super::expectations::code_fragments(expect),
        _ => Vec::new(),
    }
}

/// Checks that all names in a statement exist.
fn check_names(
    statement: &PlayStatement,
    model: &Model,
    setup: &Setup,
    words: &OptionWords,
) -> Result<(), Box<Diagnostic>> {
    let seat = |name: &str| find_seat(statement, name, model, setup).map(|_| ());
    let decision = |name: &str| find_decision(statement, name, model).map(|_| ());
    let phase = |name: &str| find_phase(statement, name, model).map(|_| ());
    match &statement.what {
        StatementKind::Offers { seat: who, decision: what, .. } => seat(who).and_then(|()| decision(what)),
        StatementKind::Choice { seat: who, decision: what, answer, .. }
        | StatementKind::Forced { seat: who, decision: what, answer }
        | StatementKind::Allows { seat: who, decision: what, answer }
        | StatementKind::Reject { seat: who, decision: what, answer } => seat(who)
            .and_then(|()| decision(what))
            .and_then(|()| option_words::check(statement, what, answer, model, setup, words)),
        StatementKind::Expect(expect) => check_expectation_names(statement, expect, model, setup, words),
        StatementKind::Start { phase: at, seat: who, .. } => phase(at).and_then(|()| who.as_deref().map_or(Ok(()), seat)),
        StatementKind::Redeal { by, .. } => by.as_deref().map_or(Ok(()), seat),
        StatementKind::Auto(PlayUntil::Phase(at), _) => phase(at),
        StatementKind::Auto(PlayUntil::Decision(what), _) => decision(what),
        StatementKind::Roll(..) | StatementKind::NextShuffle(..) | StatementKind::NextDraw(..) | StatementKind::NextFirst(_) => {
            fix(&mut Fixed::default(), statement, model, setup)
        }
        // Settings are checked when the game is opened, and code fragments together with the rules.
        StatementKind::Game(_) | StatementKind::Players(_) | StatementKind::Seed(_) | StatementKind::Option(..) | StatementKind::Set(..) | StatementKind::Agents(_) | StatementKind::Arrange(_) | StatementKind::Do(_)
        // These have no names, or names that can only be checked while running.
        | StatementKind::Auto(PlayUntil::Round(_) | PlayUntil::End, _) | StatementKind::Table { .. } | StatementKind::End { .. } | StatementKind::Note(_) => Ok(()),
    }
}

/// Checks that all names in an expectation exist.
fn check_expectation_names(
    statement: &PlayStatement,
    expect: &Expect,
    model: &Model,
    setup: &Setup,
    words: &OptionWords,
) -> Result<(), Box<Diagnostic>> {
    let seat = |name: &str| find_seat(statement, name, model, setup).map(|_| ());
    let decision = |name: &str| find_decision(statement, name, model).map(|_| ());
    match expect {
        Expect::Not(inner) => check_expectation_names(statement, inner, model, setup, words),
        Expect::Options { seat: who, decision: what, options } => {
            let known = |option: &String| option_words::check(statement, what, option, model, setup, words);
            seat(who).and_then(|()| decision(what)).and_then(|()| options.iter().try_for_each(known))
        }
        Expect::Asked(who, what) => seat(who).and_then(|()| what.as_deref().map_or(Ok(()), decision)),
        Expect::Winners(names) => {
            names.iter().try_for_each(|name| find_winners(statement, name, model, setup).map(|_| ()))
        }
        Expect::Score(who, _) | Expect::Rank(who, _) | Expect::Log(who, _) | Expect::Sight { seat: who, .. } => {
            seat(who)
        }
        Expect::Tally(tally, who, _) => {
            check_tally_name(statement, tally, model).and_then(|()| who.as_deref().map_or(Ok(()), seat))
        }
        Expect::Ending(ending) => check_ending_name(statement, ending, model),
        Expect::Phase(phase) => find_phase(statement, phase, model).map(|_| ()),
        Expect::That(_) => Ok(()),
    }
}

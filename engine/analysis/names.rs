//! Names that stand alone: each must be a variable that is there, or something that every script knows.

use super::mistakes::{forbidden_word, not_called, out_of_reach, unknown_name};
use super::variables::{self, Met, Variable};
use crate::diagnostic::{Diagnostic, Place, Source, how_to_declare, nearest};
use crate::library::{NameRole, fixed_words};
use crate::model::Model;
use crate::syntax::{ExprKind, File, Name, Span, Statement, StatementKind, foreign_word};
use std::sync::Arc;

/// What texts of plays call the phase that is under way.
pub const PHASE: &str = "phase";

/// What texts of plays call how the game stands: the phase that is under way, what the rules have counted, and the ranks and
/// scores of the seats when the game is over.
pub const STANDING: [&str; 4] = [PHASE, "tallies", "ranks", "scores"];

/// What scripts may name without declaring it.
#[derive(Default)]
pub(crate) struct Names {
    /// Zones, params, options and what every game has.
    pub global: Vec<String>,
    /// Properties of things, each with a word for what has it.
    pub properties: Vec<(String, &'static str)>,
    /// The functions of all files.
    pub functions: Vec<String>,
    /// The functions of the library, with how many arguments each takes.
    pub words: Vec<(String, usize)>,
    /// What is named in quotes alone, each with a word for what it is.
    pub quoted: Vec<(String, &'static str)>,
}

/// What rules name in quotes alone: decisions, endings, texts, components, kinds and alterations of standing effects.
pub(crate) fn quoted_names(model: &Model) -> Vec<(String, &'static str)> {
    let all = || std::iter::once(model).chain(model.elsewhere().iter().map(|model| &**model));
    let named = |id: &str, what| (id.to_owned(), what);
    (all().flat_map(|model| model.decisions.iter().map(move |one| named(&one.id, "a decision"))))
        .chain(all().flat_map(|model| model.endings.iter().map(move |one| named(&one.id, "an ending"))))
        .chain(all().flat_map(|model| model.says.iter().map(move |one| named(&one.id, "a text"))))
        .chain(all().flat_map(|model| model.components.iter().map(move |one| named(&one.id, "a component"))))
        .chain(all().flat_map(|model| model.kinds.iter().map(move |one| named(&one.id, "a kind"))))
        .chain(all().flat_map(|model| model.altered.keys().map(move |id| named(id, "an entry of `[altered]`"))))
        .collect()
}

/// A name that stands for nothing.
pub(crate) struct Unknown {
    /// The name.
    pub name: Arc<str>,
    /// What is said about it.
    pub mistake: Diagnostic,
}

/// The unknown names of a file of functions, each once in a function.
pub(crate) fn in_file(source: &Arc<Source>, file: &File, known: &Names) -> Vec<Unknown> {
    let mut found = Vec::new();
    for function in &file.functions {
        let mut reader = NameReader::new(source, known, &function.body.statements);
        variables::in_function(function, &mut |met, there| reader.meet(&met, there));
        found.append(&mut reader.found);
    }
    found.extend(in_statements(source, &file.statements, known));
    found
}

/// The unknown names of statements that stand by themselves, each once.
pub(crate) fn in_statements(source: &Arc<Source>, statements: &[Statement], known: &Names) -> Vec<Unknown> {
    let mut reader = NameReader::new(source, known, statements);
    variables::in_statements(statements, &mut |met, there| reader.meet(&met, there));
    reader.found
}

/// The names of one function.
struct NameReader<'a> {
    source: &'a Arc<Source>,
    known: &'a Names,
    /// Every variable the function gives a name to, there or not.
    given: Vec<Name>,
    found: Vec<Unknown>,
}

impl<'a> NameReader<'a> {
    fn new(source: &'a Arc<Source>, known: &'a Names, statements: &[Statement]) -> Self {
        let mut given = Vec::new();
        gather(statements, &mut given);
        Self { source, known, given, found: Vec::new() }
    }

    fn meet(&mut self, met: &Met<'_>, there: &[Variable<'_>]) {
        let Met::Named { name, span, is_set } = *met else { return };
        let is_there = there.iter().any(|variable| variable.name.text == *name)
            || self.known.global.iter().any(|known| **known == **name)
            || self.known.functions.iter().any(|known| **known == **name);
        if is_there || self.found.iter().any(|known| known.name == *name) {
            return;
        }
        let mistake = self.unknown((name, span), is_set, there);
        self.found.push(Unknown { name: name.clone(), mistake });
    }

    fn unknown(&self, (name, span): (&str, Span), is_set: bool, there: &[Variable<'_>]) -> Diagnostic {
        let here = Place { source: self.source.clone(), span: span.range() };
        if let Some(help) = foreign_word(name) {
            return forbidden_word(name, here, help);
        }
        if let Some(given) = self.given.iter().find(|given| *given.text == *name) {
            return out_of_reach(name, here, Place { source: self.source.clone(), span: given.span.range() });
        }
        let found = unknown_name(name, here.clone());
        if is_set {
            return found.help(format!("write `let {name} = …` where a variable is given something first"));
        }
        if [NameRole::Side, NameRole::Way].iter().any(|role| fixed_words(*role).contains(&name)) {
            return found.help(format!("write `\"{name}\"`"));
        }
        if let Some((_, what)) = self.known.quoted.iter().find(|(known, _)| known == name) {
            let thing = if *what == "a component" { format!(", or `component(\"{name}\")`") } else { String::new() };
            return found.help(format!("write `\"{name}\"`{thing}: {what} is named in quotes"));
        }
        if let Some((_, owner)) = self.known.properties.iter().find(|(known, _)| known == name) {
            return found.help(format!("say whose it is: `….{name}`, of {owner}"));
        }
        let there = there.iter().map(|variable| variable.name);
        let known = there.chain(&self.given).map(|known| &*known.text);
        let known = known.chain(self.known.global.iter().map(String::as_str));
        match (nearest(name, known), self.known.words.iter().find(|(word, _)| word == name)) {
            (Some(near), _) => found.help(format!("did you mean `{near}`?")),
            (None, Some((_, takes))) => not_called(here, name, *takes),
            (None, None) => how_to_declare("unknown-name", name).into_iter().fold(found, Diagnostic::help),
        }
    }
}

/// Every variable that statements give a name to by `let` or `for`.
fn gather(statements: &[Statement], given: &mut Vec<Name>) {
    crate::syntax::each_statement(statements, &mut |statement| {
        if let StatementKind::Let { name, .. } = &statement.kind {
            given.push(name.clone());
        }
    });
    crate::syntax::each_expr(statements, &mut |expr| {
        if let ExprKind::For { name, counter, .. } = &expr.kind {
            given.extend(std::iter::once(name).chain(counter).cloned());
        }
    });
    given.sort_by_key(|name| name.span.start);
}

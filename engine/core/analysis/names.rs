//! Checks names that are used alone, without a receiver or an argument list. Each must be a variable in scope or a global name.

use super::mistakes::{forbidden_word, not_called, out_of_scope, unknown_name};
use super::variables::{self, Variable, VariableEvent};
use crate::diagnostic::{Diagnostic, MAX_REPORTED, Place, Source, did_you_mean, how_to_declare, nearest};
use crate::library::{NameRole, fixed_words};
use crate::model::{FieldValue, Model};
use crate::syntax::{ExprKind, File, Name, Span, Statement, StatementKind, foreign_word};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Name by which code in playscripts reads the current phase.
pub const PHASE: &str = "phase";

/// Names for the state of the game in playscript code: the current phase, the tallies of the rules, and the ranks and scores of the seats
/// once the game is over.
pub const STANDING: [&str; 4] = [PHASE, "tallies", "ranks", "scores"];

/// Names that scripts may use without declaring them first.
#[derive(Default)]
pub(crate) struct Names {
    /// Zones, params, options, and names that every game defines.
    pub global: Vec<String>,
    /// Names of properties, each with a noun phrase for the objects that have the property.
    pub properties: Vec<(String, &'static str)>,
    /// Names of the functions in all files.
    pub functions: Vec<String>,
    /// Names of the library functions, each with a number of arguments.
    pub words: Vec<(String, usize)>,
    /// Names that rules write in quotes, each with a noun phrase such as "a decision".
    pub quoted: Vec<(String, &'static str)>,
    /// Words that are the values of components' fields.
    pub words_of_data: Vec<Arc<str>>,
}

/// Returns the words that are the values of components' fields.
pub(crate) fn words_of_data(model: &Model) -> Vec<Arc<str>> {
    fn add(value: &FieldValue, found: &mut FxHashSet<Arc<str>>) {
        match value {
            FieldValue::Word(word) => drop(found.insert(word.clone())),
            FieldValue::List(list) => list.iter().for_each(|value| add(value, found)),
            FieldValue::Record(parts) => parts.values().for_each(|value| add(value, found)),
            _ => {}
        }
    }
    let mut found = FxHashSet::default();
    model.components.iter().flat_map(|component| component.fields.values()).for_each(|value| add(value, &mut found));
    found.into_iter().collect()
}

/// Returns the names that rules write only in quotes: decisions, endings, announcements, components, kinds and alterations.
pub(crate) fn quoted_names(model: &Model) -> Vec<(String, &'static str)> {
    let all = || std::iter::once(model).chain(model.variants_with_more_names().iter().map(|model| &**model));
    let named = |id: &str, what| (id.to_owned(), what);
    (all().flat_map(|model| model.decisions.iter().map(move |one| named(&one.id, "a decision"))))
        .chain(all().flat_map(|model| model.endings.iter().map(move |one| named(&one.id, "an ending"))))
        .chain(all().flat_map(|model| model.says.iter().map(move |one| named(&one.id, "a text"))))
        .chain(all().flat_map(|model| model.components.iter().map(move |one| named(&one.id, "a component"))))
        .chain(all().flat_map(|model| model.kinds.iter().map(move |one| named(&one.id, "a kind"))))
        .chain(all().flat_map(|model| model.altered.keys().map(move |id| named(id, "an entry of `[altered]`"))))
        .collect()
}

/// An unknown name with its diagnostic.
pub(crate) struct Unknown {
    pub name: Arc<str>,
    /// Diagnostic about the name.
    pub mistake: Diagnostic,
}

/// Returns the unknown names in a file: each name once for each function that uses it, and once for the statements outside functions.
/// Returns at most [`MAX_REPORTED`] names for each function.
pub(crate) fn unknown_names(source: &Arc<Source>, file: &File, known: &Names) -> Vec<Unknown> {
    let mut found = Vec::new();
    for function in &file.functions {
        let mut reader = NameReader::new(source, known, &function.body.statements);
        variables::visit_function(function, &mut |event, in_scope| reader.visit(&event, in_scope));
        found.append(&mut reader.found);
    }
    found.extend(unknown_in_statements(source, &file.statements, known));
    found
}

/// Returns the unknown names in statements outside functions, each once and at most [`MAX_REPORTED`].
pub(crate) fn unknown_in_statements(source: &Arc<Source>, statements: &[Statement], known: &Names) -> Vec<Unknown> {
    let mut reader = NameReader::new(source, known, statements);
    variables::visit_statements(statements, &mut |event, in_scope| reader.visit(&event, in_scope));
    reader.found
}

/// Collector of the unknown names in one function, or in the statements outside functions.
struct NameReader<'a> {
    source: &'a Arc<Source>,
    known: &'a Names,
    /// All variables that the code declares with `let` or `for`, whether they are in scope or not.
    declared: Vec<Name>,
    found: Vec<Unknown>,
}

impl<'a> NameReader<'a> {
    fn new(source: &'a Arc<Source>, known: &'a Names, statements: &[Statement]) -> Self {
        let mut declared = Vec::new();
        declared_variables(statements, &mut declared);
        Self { source, known, declared, found: Vec::new() }
    }

    fn visit(&mut self, event: &VariableEvent<'_>, in_scope: &[Variable<'_>]) {
        let VariableEvent::Used { name, span, is_set } = *event else { return };
        let is_known = in_scope.iter().any(|variable| variable.name.text == *name)
            || self.known.global.iter().any(|known| **known == **name)
            || self.known.functions.iter().any(|known| **known == **name);
        if is_known || self.found.iter().any(|known| known.name == *name) {
            return;
        }
        // Suggesting similar names is slow, so the search stops when enough mistakes have been found.
        if self.found.len() >= MAX_REPORTED {
            return;
        }
        let mistake = self.unknown(name, span, is_set, in_scope);
        self.found.push(Unknown { name: name.clone(), mistake });
    }

    fn unknown(&self, name: &str, span: Span, is_set: bool, in_scope: &[Variable<'_>]) -> Diagnostic {
        let here = Place { source: self.source.clone(), span: span.range() };
        if let Some(help) = foreign_word(name) {
            return forbidden_word(name, here, help);
        }
        if let Some(declared) = self.declared.iter().find(|declared| *declared.text == *name) {
            // The list of `for seat in seat` was probably meant to be another name.
            let between = self.source.text.get(declared.span.range().end..here.span.start);
            let known = self.known.global.iter().map(String::as_str);
            if between.is_some_and(|between| between.trim() == "in")
                && let Some(help) = did_you_mean(name, known)
            {
                return unknown_name(name, here).help(help);
            }
            return out_of_scope(name, here, Place { source: self.source.clone(), span: declared.span.range() });
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
        if self.known.words_of_data.iter().any(|known| **known == *name) {
            return found.help(format!("write `\"{name}\"`: words are written in quotes"));
        }
        if let Some((_, owner)) = self.known.properties.iter().find(|(known, _)| known == name) {
            return found.help(format!("say whose it is: `….{name}`, of {owner}"));
        }
        let in_scope = in_scope.iter().map(|variable| variable.name);
        let known = in_scope.chain(&self.declared).map(|known| &*known.text);
        let known = known.chain(self.known.global.iter().map(String::as_str));
        match (nearest(name, known), self.known.words.iter().find(|(word, _)| word == name)) {
            (Some(near), _) => found.help(format!("did you mean `{near}`?")),
            (None, Some((_, takes))) => not_called(here, name, *takes),
            (None, None) => how_to_declare("unknown-name", name).into_iter().fold(found, Diagnostic::help),
        }
    }
}

/// Collects all variables that the statements declare with `let` or `for`.
fn declared_variables(statements: &[Statement], declared: &mut Vec<Name>) {
    crate::syntax::each_statement(statements, &mut |statement| {
        if let StatementKind::Let { name, .. } = &statement.kind {
            declared.push(name.clone());
        }
    });
    crate::syntax::each_expr(statements, &mut |expr| {
        if let ExprKind::For { name, counter, .. } = &expr.kind {
            declared.extend(std::iter::once(name).chain(counter).cloned());
        }
    });
    declared.sort_by_key(|name| name.span.start);
}

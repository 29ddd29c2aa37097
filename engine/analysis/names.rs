//! Names that stand alone: each must be a variable that is there, or something that every script knows.

use super::mistakes::{forbidden_word, not_called, out_of_reach, unknown_name};
use crate::diagnostic::{Diagnostic, Place, Source, how_to_declare, nearest};
use crate::library::{NameRole, fixed_words};
use crate::model::Model;
use crate::syntax::{
    Block, Expr, ExprKind, File, Function, Name, Segment, Span, Statement, StatementKind, foreign_word,
};
use std::sync::Arc;

/// What texts of plays call how the game stands: the phase that is under way, what the rules have counted, and the ranks and
/// scores of the seats when the game is over.
pub const STANDING: [&str; 4] = ["phase", "tallies", "ranks", "scores"];

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

/// What rules name in quotes alone: decisions, endings, texts, components, kinds and questions of standing effects.
pub(crate) fn quoted_names(model: &Model) -> Vec<(String, &'static str)> {
    let all = || std::iter::once(model).chain(model.elsewhere().iter().map(|model| &**model));
    let named = |id: &str, what| (id.to_owned(), what);
    (all().flat_map(|model| model.decisions.iter().map(move |one| named(&one.id, "a decision"))))
        .chain(all().flat_map(|model| model.endings.iter().map(move |one| named(&one.id, "an ending"))))
        .chain(all().flat_map(|model| model.says.iter().map(move |one| named(&one.id, "a text"))))
        .chain(all().flat_map(|model| model.components.iter().map(move |one| named(&one.id, "a component"))))
        .chain(all().flat_map(|model| model.kinds.iter().map(move |one| named(&one.id, "a kind"))))
        .chain(all().flat_map(|model| model.altered.keys().map(move |id| named(id, "a question of `[altered]`"))))
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
        let mut reader = NameReader::new(source, known);
        reader.function(function);
        found.append(&mut reader.found);
    }
    found.extend(in_statements(source, &file.statements, known));
    found
}

/// The unknown names of statements that stand by themselves, each once.
pub(crate) fn in_statements(source: &Arc<Source>, statements: &[Statement], known: &Names) -> Vec<Unknown> {
    let mut reader = NameReader::new(source, known);
    reader.statements(statements);
    reader.found
}

/// One function, with the variables that are there.
struct NameReader<'a> {
    source: &'a Arc<Source>,
    known: &'a Names,
    /// The variables that are there, inner ones last.
    variables: Vec<Arc<str>>,
    /// Every variable the function gives a name to, there or not.
    given: Vec<Name>,
    found: Vec<Unknown>,
}

impl<'a> NameReader<'a> {
    fn new(source: &'a Arc<Source>, known: &'a Names) -> Self {
        Self { source, known, variables: Vec::new(), given: Vec::new(), found: Vec::new() }
    }

    fn function(&mut self, function: &Function) {
        gather(&function.body.statements, &mut self.given);
        self.variables.extend(function.params.iter().map(|param| param.text.clone()));
        self.block(&function.body);
    }

    fn block(&mut self, block: &Block) {
        let before = self.variables.len();
        self.all(&block.statements);
        self.variables.truncate(before);
    }

    fn statements(&mut self, statements: &[Statement]) {
        gather(statements, &mut self.given);
        self.all(statements);
    }

    fn all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { name, value, .. } => {
                self.each(value);
                self.variables.push(name.text.clone());
            }
            StatementKind::Assign { target, op, value, .. } => {
                match &target.kind {
                    ExprKind::Name(name) => self.name(name, target.span, op.is_none()),
                    _ => self.expr(target),
                }
                self.expr(value);
            }
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => self.each(value),
            StatementKind::Continue => {}
        }
    }

    /// Reads something in which more variables are there.
    fn inside(&mut self, names: &[&Name], read: impl FnOnce(&mut Self)) {
        let before = self.variables.len();
        self.variables.extend(names.iter().map(|name| name.text.clone()));
        read(self);
        self.variables.truncate(before);
    }

    fn each<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span, false),
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
            }
            ExprKind::List(items) => self.each(items),
            ExprKind::Map(parts) => self.each(parts.iter().map(|(_, value)| value)),
            ExprKind::Field { of, .. } => self.expr(of),
            ExprKind::Index { of, index, .. } => {
                self.expr(of);
                self.expr(index);
            }
            ExprKind::Call { arguments, .. } => self.each(arguments),
            ExprKind::Method { of, arguments, .. } => {
                self.expr(of);
                self.each(arguments);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Closure { params, body } => {
                let names: Vec<&Name> = params.iter().collect();
                self.inside(&names, |reader| reader.statement(body));
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.each(otherwise.as_deref());
            }
            ExprKind::Switch { subject, cases } => {
                self.expr(subject);
                for case in cases {
                    self.each(case.patterns.iter().chain(&case.condition));
                    self.inside(&[], |reader| reader.statement(&case.body));
                }
            }
            ExprKind::While { condition, body } => {
                self.each(condition.as_deref());
                self.block(body);
            }
            ExprKind::DoWhile { body, condition } => {
                self.block(body);
                self.expr(condition);
            }
            ExprKind::For { name, counter, list, body } => {
                self.expr(list);
                let names: Vec<&Name> = std::iter::once(name).chain(counter).collect();
                self.inside(&names, |reader| reader.block(body));
            }
            ExprKind::Missing | ExprKind::Unit | ExprKind::Flag(_) | ExprKind::Number(_) | ExprKind::Text(_) => {}
        }
    }

    /// A name that stands alone; `is_set` where a statement gives it something.
    fn name(&mut self, name: &Arc<str>, span: Span, is_set: bool) {
        let is_there = self.variables.contains(name)
            || self.known.global.iter().any(|known| **known == **name)
            || self.known.functions.iter().any(|known| **known == **name);
        if is_there || self.found.iter().any(|told| told.name == *name) {
            return;
        }
        let mistake = self.unknown(name, span, is_set);
        self.found.push(Unknown { name: name.clone(), mistake });
    }

    fn unknown(&self, name: &str, span: Span, is_set: bool) -> Diagnostic {
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
        let known = self.variables.iter().chain(self.given.iter().map(|given| &given.text)).map(|known| &**known);
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

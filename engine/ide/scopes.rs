//! Variables of rules: where each is given its name, and where it is used.

use crate::syntax::{Block, Expr, ExprKind, Function, Name, Node, Segment, Span, Statement, StatementKind};
use std::sync::Arc;

/// A name that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
    /// Where the variable it stands for got its name; nothing for what is no variable.
    pub given: Option<Span>,
    /// Whether that is a parameter.
    pub is_param: bool,
}

/// A variable that is there.
#[derive(Clone)]
struct Variable {
    name: Arc<str>,
    given: Span,
    is_param: bool,
}

/// Goes through rules with the variables that are there.
#[derive(Default)]
pub(super) struct Scopes {
    variables: Vec<Variable>,
    /// The names that were met.
    pub uses: Vec<Use>,
    /// The byte at which the variables are asked for, if they are.
    pub wanted: Option<u32>,
    /// The variables that are there, inner ones last.
    pub there: Vec<Arc<str>>,
}

/// The names that stand alone in a function.
pub(super) fn in_function(function: &Function) -> Vec<Use> {
    let mut scopes = Scopes::default();
    scopes.function(function);
    scopes.uses
}

/// The names that stand alone in statements.
pub(super) fn in_statements(statements: &[Statement]) -> Vec<Use> {
    let mut scopes = Scopes::default();
    scopes.all(statements);
    scopes.uses
}

/// The variables that are there at a byte of a function.
pub(super) fn variables_at(function: &Function, at: usize) -> Vec<Arc<str>> {
    let mut scopes = Scopes { wanted: Some(at as u32), ..Scopes::default() };
    scopes.function(function);
    scopes.there
}

/// The variables that are there at a byte of some statements.
pub(super) fn variables_in(statements: &[Statement], at: usize) -> Vec<Arc<str>> {
    let mut scopes = Scopes { wanted: Some(at as u32), ..Scopes::default() };
    scopes.all(statements);
    scopes.there
}

impl Scopes {
    fn function(&mut self, function: &Function) {
        for param in &function.params {
            self.give(param, true);
        }
        self.block(&function.body);
    }

    fn give(&mut self, name: &Name, is_param: bool) {
        if name.text.is_empty() {
            return;
        }
        let (text, span) = (name.text.clone(), name.span);
        self.variables.push(Variable { name: text.clone(), given: span, is_param });
        self.uses.push(Use { name: text, span, given: Some(span), is_param });
    }

    /// Notes what is there, if the byte that was asked for lies here: the innermost place wins, which comes last.
    fn note(&mut self, start: u32, end: u32) {
        if self.wanted.is_some_and(|at| start <= at && at <= end) {
            self.there = self.variables.iter().map(|variable| variable.name.clone()).collect();
        }
    }

    fn block(&mut self, block: &Block) {
        let before = self.variables.len();
        self.note(block.span.start, block.span.end);
        self.all(&block.statements);
        self.variables.truncate(before);
    }

    fn all(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
            if self.wanted.is_some_and(|at| at >= statement.span.end) {
                self.there = self.variables.iter().map(|variable| variable.name.clone()).collect();
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.note(statement.span.start, statement.span.end);
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.each(value);
                self.give(name, false);
            }
            StatementKind::Assign { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => {
                self.each(value);
            }
            StatementKind::Continue => {}
        }
    }

    fn inside(&mut self, names: impl Iterator<Item = (Name, bool)>, walk: impl FnOnce(&mut Self)) {
        let before = self.variables.len();
        for (name, is_param) in names {
            self.give(&name, is_param);
        }
        walk(self);
        self.variables.truncate(before);
    }

    fn each<'e, E: std::borrow::Borrow<Expr> + 'e>(&mut self, exprs: impl IntoIterator<Item = &'e E>) {
        for expr in exprs {
            self.expr(expr.borrow());
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                let found = self.variables.iter().rev().find(|variable| variable.name == *name);
                let (given, is_param) = found.map_or((None, false), |found| (Some(found.given), found.is_param));
                self.uses.push(Use { name: name.clone(), span: expr.span, given, is_param });
            }
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
            }
            ExprKind::Closure { params, body } => {
                self.inside(params.iter().map(|name| (name.clone(), true)), |scopes| {
                    scopes.note(expr.span.start, expr.span.end);
                    scopes.statement(body);
                });
            }
            ExprKind::For { name, counter, list, body } => {
                self.expr(list);
                let names = std::iter::once(name).chain(counter).map(|name| (name.clone(), false));
                self.inside(names, |scopes| scopes.block(body));
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.each(otherwise);
            }
            ExprKind::Switch { subject, cases } => {
                self.expr(subject);
                for case in cases {
                    self.each(case.patterns.iter().chain(&case.condition));
                    self.statement(&case.body);
                }
            }
            ExprKind::While { condition, body } => {
                self.each(condition);
                self.block(body);
            }
            ExprKind::DoWhile { body, condition } => {
                self.block(body);
                self.expr(condition);
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
            _ => {}
        }
    }
}

/// The expressions of a function that satisfy something, outer ones first.
pub(super) fn expressions<'t>(function: &'t Function) -> Vec<&'t Expr> {
    let mut found = Vec::new();
    function.each_node(&mut |node: Node<'t>| {
        if let Node::Expr(expr) = node {
            found.push(expr);
        }
    });
    found
}

//! Variables: rules read from top to bottom, with those that are there at each place.

use crate::syntax::{Block, Expr, ExprKind, Function, Name, Segment, Span, Statement, StatementKind};
use std::sync::Arc;

/// A variable that is there.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "system"), allow(dead_code, reason = "editors show parameters unlike others"))]
pub(crate) struct Variable<'t> {
    /// Its name, where it got it.
    pub name: &'t Name,
    /// Whether it is a parameter.
    pub is_param: bool,
}

/// What is met on the way.
#[cfg_attr(not(feature = "system"), allow(dead_code, reason = "editors ask where something begins and ends"))]
pub(crate) enum Met<'t> {
    /// A variable gets its name; it is there from now on.
    Given(Variable<'t>),
    /// A name stands alone.
    Named {
        /// The name.
        name: &'t Arc<str>,
        /// Where it stands.
        span: Span,
        /// Whether a statement gives it something, whatever it was before.
        is_set: bool,
    },
    /// A block, a statement or the inside of a function `|…|` begins.
    Begun(Span),
    /// A statement has ended.
    Ended(Span),
}

/// Goes through a function; each time with the variables that are there, inner ones last.
pub(crate) fn in_function<'t>(function: &'t Function, meet: &mut dyn FnMut(Met<'t>, &[Variable<'t>])) {
    let mut reader = VariableReader { there: Vec::new(), meet };
    reader.give(&function.params, true);
    reader.block(&function.body);
}

/// Goes through statements that stand by themselves, as [`in_function`] does.
pub(crate) fn in_statements<'t>(statements: &'t [Statement], meet: &mut dyn FnMut(Met<'t>, &[Variable<'t>])) {
    VariableReader { there: Vec::new(), meet }.statements(statements);
}

struct VariableReader<'t, 'm> {
    /// The variables that are there, inner ones last.
    there: Vec<Variable<'t>>,
    meet: &'m mut dyn FnMut(Met<'t>, &[Variable<'t>]),
}

impl<'t> VariableReader<'t, '_> {
    fn met(&mut self, met: Met<'t>) {
        (self.meet)(met, &self.there);
    }

    fn give(&mut self, names: impl IntoIterator<Item = &'t Name>, is_param: bool) {
        // Where a name is missing, nothing got one.
        for name in names.into_iter().filter(|name| !name.text.is_empty()) {
            let variable = Variable { name, is_param };
            self.there.push(variable);
            self.met(Met::Given(variable));
        }
    }

    /// Reads something whose variables are not there behind it.
    fn inside(&mut self, read: impl FnOnce(&mut Self)) {
        let before = self.there.len();
        read(self);
        self.there.truncate(before);
    }

    fn block(&mut self, block: &'t Block) {
        self.met(Met::Begun(block.span));
        self.inside(|reader| reader.statements(&block.statements));
    }

    fn statements(&mut self, statements: &'t [Statement]) {
        for statement in statements {
            self.statement(statement);
            self.met(Met::Ended(statement.span));
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        self.met(Met::Begun(statement.span));
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.each(value);
                self.give([name], false);
            }
            StatementKind::Assign { target, op, value, .. } => {
                match &target.kind {
                    ExprKind::Name(name) => self.met(Met::Named { name, span: target.span, is_set: op.is_none() }),
                    _ => self.expr(target),
                }
                self.expr(value);
            }
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => self.each(value),
            StatementKind::Continue => {}
        }
    }

    fn each(&mut self, exprs: impl IntoIterator<Item = &'t Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.met(Met::Named { name, span: expr.span, is_set: false }),
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
            ExprKind::Closure { params, body } => self.inside(|reader| {
                reader.give(params, true);
                reader.met(Met::Begun(expr.span));
                reader.statement(body);
            }),
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
                    self.inside(|reader| reader.statement(&case.body));
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
                self.inside(|reader| {
                    reader.give(std::iter::once(name).chain(counter), false);
                    reader.block(body);
                });
            }
            ExprKind::Missing | ExprKind::Unit | ExprKind::Flag(_) | ExprKind::Number(_) | ExprKind::Text(_) => {}
        }
    }
}

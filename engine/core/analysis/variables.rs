//! Walks through rules and tracks which variables are in scope at each place.

use crate::syntax::{Block, Expr, ExprKind, Function, Name, Segment, Span, Statement, StatementKind};
use std::sync::Arc;

/// A variable in scope.
#[derive(Clone, Copy)]
pub struct Variable<'t> {
    /// Name of the variable in its declaration, with its place.
    pub name: &'t Name,
    /// Whether the variable is a parameter.
    pub is_param: bool,
}

/// Event that is passed to the callback of [`visit_function`].
pub enum VariableEvent<'t> {
    /// The declaration of a variable, which is in scope from here on.
    Declared(Variable<'t>),
    /// A use of a name that is not preceded by a dot.
    Used {
        name: &'t Arc<str>,
        /// Place of the name.
        span: Span,
        /// Whether the statement assigns to the variable without reading it.
        is_set: bool,
    },
    /// The beginning of a block, of a statement or of the body of a closure.
    Starts(Span),
    /// The end of a statement.
    Ends(Span),
}

/// Walks through a function. Calls `visit` with each event and the variables in scope, from the outermost to the innermost.
pub fn visit_function<'t>(function: &'t Function, visit: &mut dyn FnMut(VariableEvent<'t>, &[Variable<'t>])) {
    let mut reader = VariableReader { in_scope: Vec::new(), visit };
    reader.declare(&function.params, true);
    reader.block(&function.body);
}

/// Walks through statements outside functions. Events are passed as in [`visit_function`].
pub fn visit_statements<'t>(statements: &'t [Statement], visit: &mut dyn FnMut(VariableEvent<'t>, &[Variable<'t>])) {
    VariableReader { in_scope: Vec::new(), visit }.statements(statements);
}

struct VariableReader<'t, 'm> {
    /// The variables in scope, from the outermost to the innermost.
    in_scope: Vec<Variable<'t>>,
    visit: &'m mut dyn FnMut(VariableEvent<'t>, &[Variable<'t>]),
}

impl<'t> VariableReader<'t, '_> {
    fn emit(&mut self, event: VariableEvent<'t>) {
        (self.visit)(event, &self.in_scope);
    }

    fn declare(&mut self, names: impl IntoIterator<Item = &'t Name>, is_param: bool) {
        // The name is empty if the parser did not find one.
        for name in names.into_iter().filter(|name| !name.text.is_empty()) {
            let variable = Variable { name, is_param };
            self.in_scope.push(variable);
            self.emit(VariableEvent::Declared(variable));
        }
    }

    /// Runs `read` in a separate scope.
    fn in_own_scope(&mut self, read: impl FnOnce(&mut Self)) {
        let before = self.in_scope.len();
        read(self);
        self.in_scope.truncate(before);
    }

    fn block(&mut self, block: &'t Block) {
        self.emit(VariableEvent::Starts(block.span));
        self.in_own_scope(|reader| reader.statements(&block.statements));
    }

    fn statements(&mut self, statements: &'t [Statement]) {
        for statement in statements {
            self.statement(statement);
            self.emit(VariableEvent::Ends(statement.span));
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        self.emit(VariableEvent::Starts(statement.span));
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.visit_all(value);
                self.declare([name], false);
            }
            StatementKind::Assign { target, op, value, .. } => {
                match &target.kind {
                    ExprKind::Name(name) => {
                        self.emit(VariableEvent::Used { name, span: target.span, is_set: op.is_none() });
                    }
                    _ => self.expr(target),
                }
                self.expr(value);
            }
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => self.visit_all(value),
            StatementKind::Continue => {}
        }
    }

    fn visit_all(&mut self, exprs: impl IntoIterator<Item = &'t Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.emit(VariableEvent::Used { name, span: expr.span, is_set: false }),
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
            }
            ExprKind::List(items) => self.visit_all(items),
            ExprKind::Map(parts) => self.visit_all(parts.iter().map(|(_, value)| value)),
            ExprKind::Field { receiver: of, .. } => self.expr(of),
            ExprKind::Index { receiver: of, index, .. } => {
                self.expr(of);
                self.expr(index);
            }
            ExprKind::Call { arguments, .. } | ExprKind::OwnCall { arguments, .. } => self.visit_all(arguments),
            ExprKind::Method { receiver: of, arguments, .. } => {
                self.expr(of);
                self.visit_all(arguments);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Closure { params, body } => self.in_own_scope(|reader| {
                reader.declare(params, true);
                reader.emit(VariableEvent::Starts(expr.span));
                reader.statement(body);
            }),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.visit_all(otherwise.as_deref());
            }
            ExprKind::Switch { subject, cases } => {
                self.expr(subject);
                for case in cases {
                    self.visit_all(case.patterns.iter().chain(&case.condition));
                    self.in_own_scope(|reader| reader.statement(&case.body));
                }
            }
            ExprKind::While { condition, body } => {
                self.visit_all(condition.as_deref());
                self.block(body);
            }
            ExprKind::DoWhile { body, condition } => {
                self.block(body);
                self.expr(condition);
            }
            ExprKind::For { name, counter, list, body } => {
                self.expr(list);
                self.in_own_scope(|reader| {
                    reader.declare(std::iter::once(name).chain(counter), false);
                    reader.block(body);
                });
            }
            ExprKind::Missing | ExprKind::Unit | ExprKind::Flag(_) | ExprKind::Number(_) | ExprKind::Text(_) => {}
        }
    }
}

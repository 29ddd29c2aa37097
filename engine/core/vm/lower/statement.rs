//! Compiles statements and blocks.

use super::super::code::{Op, Register};
use super::expression::writes_result_last;
use super::{Lowered, Lowering, ReturnTarget};
use crate::decision::Value;
use crate::syntax::{BinaryOp, Block, Expr, ExprKind, Span, Statement, StatementKind};

impl Lowering<'_, '_> {
    /// Compiles a block. Puts the value of the block into the register `into`, if there is one.
    pub(super) fn block(&mut self, block: &Block, into: Option<Register>) -> Lowered<()> {
        self.lower_in_scope(|lowering| lowering.statements(&block.statements, into))
    }

    /// Compiles statements. Puts the value of the last statement into the register `into`, if there is one.
    pub(super) fn statements(&mut self, statements: &[Statement], into: Option<Register>) -> Lowered<()> {
        let Some((last, before)) = statements.split_last() else {
            self.nothing(into);
            return Ok(());
        };
        for statement in before {
            self.statement(statement, None)?;
        }
        self.statement(last, into)
    }

    /// Emits an instruction that loads `()` into the register `into`, if there is one.
    pub(super) fn nothing(&mut self, into: Option<Register>) {
        if let Some(a) = into {
            self.constant(a, Value::Nothing);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement, into: Option<Register>) -> Lowered<()> {
        self.mark_statement(statement.span);
        match &statement.kind {
            StatementKind::Let { name, value, .. } => {
                let register = self.allocate_register()?;
                match value {
                    Some(value) => self.expr_to(value, register)?,
                    None => self.constant(register, Value::Nothing),
                }
                self.declare(&name.text, register);
                self.nothing(into);
                Ok(())
            }
            StatementKind::Assign { target, op, op_span, value } => {
                self.lower_in_scope(|lowering| lowering.assign(target, *op, *op_span, value))?;
                self.nothing(into);
                Ok(())
            }
            StatementKind::Expr(expr) => match into {
                Some(into) => self.expr_to(expr, into),
                None => self.lower_in_scope(|lowering| lowering.lower_effect(expr)),
            },
            StatementKind::Return(value) => self.lower_in_scope(|lowering| lowering.return_value(value.as_ref())),
            StatementKind::Break(value) => self.lower_in_scope(|lowering| lowering.leave_loop(value.as_ref())),
            StatementKind::Continue => {
                let jump = self.emit(Op::Jump { to: 0 });
                if let Some(inner) = self.loops.last_mut() {
                    inner.continues.push(jump);
                }
                Ok(())
            }
        }
    }

    /// Marks the start of a statement. If the statement is watched, the start is reported at run time.
    pub(super) fn mark_statement(&mut self, span: Span) {
        self.span = span;
        let watched = self.shared.watched.and_then(|watched| watched.get(&(self.number, span.range().start)));
        if let Some(point) = watched {
            self.emit(Op::Reached { point: *point });
        }
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Lowered<()> {
        let result = match self.return_targets.last() {
            Some(ReturnTarget::Inline { result, .. }) => *result,
            _ => self.allocate_register()?,
        };
        match value {
            Some(value) => self.expr_to(value, result)?,
            None => self.constant(result, Value::Nothing),
        }
        let op = match self.return_targets.last() {
            Some(ReturnTarget::Inline { .. }) => Op::Jump { to: 0 },
            Some(ReturnTarget::Native) => Op::EndClosure { a: result },
            _ => Op::Return { a: result },
        };
        let at = self.emit(op);
        if let Some(ReturnTarget::Inline { jumps, .. }) = self.return_targets.last_mut() {
            jumps.push(at);
        }
        Ok(())
    }

    fn leave_loop(&mut self, value: Option<&Expr>) -> Lowered<()> {
        let result = self.loops.last().and_then(|inner| inner.result);
        match (value, result) {
            (Some(value), Some(result)) => self.expr_to(value, result)?,
            (Some(value), None) => self.lower_effect(value)?,
            // The result register was set to `()` when the loop began.
            (None, _) => {}
        }
        let jump = self.emit(Op::Jump { to: 0 });
        if let Some(inner) = self.loops.last_mut() {
            inner.breaks.push(jump);
        }
        Ok(())
    }

    /// Compiles `target op= value`. The value is evaluated before the target.
    fn assign(&mut self, target: &Expr, op: Option<BinaryOp>, op_span: Span, value: &Expr) -> Lowered<()> {
        if let ExprKind::Name(name) = &target.kind
            && let Some(variable) = self.find(name)
        {
            return self.assign_variable(variable, op, op_span, value);
        }
        let result = self.allocate_register()?;
        self.expr_to(value, result)?;
        let place = self.place(target)?;
        if let Some(op) = op {
            let before = self.allocate_register()?;
            self.emit(Op::Get { a: before, root: place.root, path: place.path, indices: place.indices });
            self.span = op_span;
            if op == BinaryOp::Add {
                self.emit(Op::AddTo { a: before, b: result });
                self.emit(Op::Take { a: result, from: before });
            } else {
                self.emit(Op::Binary { a: result, op, b: before, c: result });
            }
        }
        self.span = match &target.kind {
            ExprKind::Field { name, .. } => name.span,
            ExprKind::Index { index, .. } => index.span,
            _ => target.span,
        };
        self.emit(Op::Set { value: result, root: place.root, path: place.path, indices: place.indices });
        Ok(())
    }

    fn assign_variable(
        &mut self,
        variable: Register,
        op: Option<BinaryOp>,
        op_span: Span,
        value: &Expr,
    ) -> Lowered<()> {
        let result = self.allocate_register()?;
        match op {
            // The value may refer to the variable, so the variable must be written last.
            None if writes_result_last(value) => self.expr_to(value, variable)?,
            None => {
                let from = self.expr(value, result)?;
                self.move_to(variable, from);
            }
            Some(op) => {
                let from = self.expr(value, result)?;
                self.span = op_span;
                if op == BinaryOp::Add && from != variable {
                    self.emit(Op::AddTo { a: variable, b: from });
                } else {
                    self.emit(Op::Binary { a: variable, op, b: variable, c: from });
                }
            }
        }
        Ok(())
    }
}

//! Compiles expressions.

use super::super::code::{ANONYMOUS, Op, Register, Step, Switch};
use super::{Body, Loop, Lowered, Lowering};
use crate::decision::{Map, Range, Value, intern_literal};
use crate::syntax::{
    self, BinaryOp, Block, CallForm, Case, Expr, ExprKind, Name, Segment, Span, Statement, StatementKind, UnaryOp,
};
use std::sync::Arc;

/// An assignable place: a variable, and a path to a part of it.
pub(super) struct TargetPlace {
    /// Register of the variable.
    pub root: Register,
    /// Index of the path.
    pub path: u16,
    /// First of the registers that contain the indices.
    pub indices: Register,
}

impl Lowering<'_, '_> {
    /// Compiles an expression and returns the register of its value. This is the register of the variable if the
    /// expression is a variable, otherwise `scratch`.
    pub(super) fn expr(&mut self, expr: &Expr, scratch: Register) -> Lowered<Register> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(variable) = self.find(name)
        {
            return Ok(variable);
        }
        self.expr_to(expr, scratch)?;
        Ok(scratch)
    }

    /// Compiles an expression for its effects only.
    pub(super) fn lower_effect(&mut self, expr: &Expr) -> Lowered<()> {
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => self.if_else(condition, then, otherwise.as_deref(), None),
            ExprKind::While { condition, body } => self.while_loop(condition.as_deref(), body, None),
            ExprKind::For { name, counter, list, body } => self.for_loop(name, counter.as_ref(), list, body, None),
            ExprKind::Block(block) => self.block(block, None),
            _ => {
                let scratch = self.allocate_register()?;
                self.expr_to(expr, scratch)
            }
        }
    }

    /// Compiles an expression into register `a`. The caller must ensure that the expression does not read `a`, unless
    /// [`writes_result_last`] holds for the expression.
    pub(super) fn expr_to(&mut self, expr: &Expr, a: Register) -> Lowered<()> {
        self.span = expr.span;
        match &expr.kind {
            ExprKind::Missing | ExprKind::Unit => self.constant(a, Value::Nothing),
            ExprKind::Flag(flag) => self.constant(a, Value::from(*flag)),
            ExprKind::Number(number) => self.constant(a, Value::Number(*number)),
            ExprKind::Text(text) => self.constant(a, Value::Text(intern_literal(text))),
            ExprKind::Name(name) => self.name(name, a),
            ExprKind::Template(segments) => return self.lower_in_scope(|lowering| lowering.template(segments, a)),
            ExprKind::List(items) => return self.lower_in_scope(|lowering| lowering.list(items, a)),
            ExprKind::Map(parts) => return self.lower_in_scope(|lowering| lowering.map(parts, a)),
            ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Method { .. } => {
                return self.lower_in_scope(|lowering| lowering.lower_chain(expr, a));
            }
            ExprKind::Call { name, arguments } => {
                return self.lower_in_scope(|lowering| lowering.call(expr, name, arguments, a));
            }
            ExprKind::OwnCall { name, key, arguments, form: CallForm::Plain } => {
                return self.lower_in_scope(|lowering| lowering.lower_own_call(name, key, arguments, a));
            }
            ExprKind::OwnCall { .. } => return self.lower_in_scope(|lowering| lowering.lower_chain(expr, a)),
            ExprKind::Unary { op, operand } => {
                return self.lower_in_scope(|lowering| lowering.unary(expr, *op, operand, a));
            }
            ExprKind::Binary { op, op_span, left, right } => {
                return self.lower_in_scope(|lowering| lowering.binary(*op, *op_span, left, right, a));
            }
            ExprKind::Closure { params, body } => return self.closure_value(params, body, a),
            ExprKind::Block(block) => return self.block(block, Some(a)),
            ExprKind::If { condition, then, otherwise } => {
                return self.if_else(condition, then, otherwise.as_deref(), Some(a));
            }
            ExprKind::Switch { subject, cases } => {
                return self.lower_in_scope(|lowering| lowering.switch(subject, cases, a));
            }
            ExprKind::While { condition, body } => return self.while_loop(condition.as_deref(), body, Some(a)),
            ExprKind::DoWhile { body, condition } => return self.do_loop(body, condition, a),
            ExprKind::For { name, counter, list, body } => {
                return self.for_loop(name, counter.as_ref(), list, body, Some(a));
            }
        }
        Ok(())
    }

    fn name(&mut self, name: &str, a: Register) {
        if let Some(variable) = self.find(name) {
            self.move_to(a, variable);
        } else if let Some(value) = self.shared.program.fixed_names.get(name).cloned() {
            self.constant(a, value);
        } else {
            let name = self.shared.name(name);
            self.emit(Op::Global { a, name });
        }
    }

    /// Compiles a template of any length with a limited number of registers. The segments are joined in chunks, and each later chunk begins
    /// with the text that has been joined so far.
    fn template(&mut self, segments: &[Segment], a: Register) -> Lowered<()> {
        /// Maximum number of texts that one instruction joins.
        const MAX_JOINED: usize = 32;
        let (span, from) = (self.span, self.allocate_registers(segments.len().min(MAX_JOINED))?);
        let (mut rest, mut begun) = (segments, 0);
        loop {
            let (now, later) = rest.split_at(rest.len().min(MAX_JOINED - begun));
            for (at, segment) in now.iter().enumerate() {
                let register = from + (begun + at) as Register;
                match segment {
                    Segment::Text(text) => self.constant(register, Value::text(text)),
                    Segment::Code(block) => self.block(block, Some(register))?,
                }
            }
            let into = if later.is_empty() { a } else { from };
            self.emit(Op::Join { a: into, from, count: (begun + now.len()) as u8 });
            if later.is_empty() {
                return Ok(());
            }
            self.span = span;
            (rest, begun) = (later, 1);
        }
    }

    /// Compiles a list of any length with a limited number of registers. The entries after the first chunk are pushed one at a time.
    fn list(&mut self, items: &[Expr], a: Register) -> Lowered<()> {
        /// Maximum number of entries in the first chunk.
        const MAX_FIRST: usize = 16;
        let (span, list) = (self.span, self.allocate_register()?);
        let from = self.allocate_registers(items.len().min(MAX_FIRST))?;
        let (first, rest) = items.split_at(items.len().min(MAX_FIRST));
        for (at, item) in first.iter().enumerate() {
            self.expr_to(item, from + at as Register)?;
        }
        self.span = span;
        self.emit(Op::List { a: list, from, count: first.len() as u8 });
        for item in rest {
            self.expr_to(item, from)?;
            self.span = span;
            self.emit(Op::Push { list, value: from });
        }
        self.emit(Op::Take { a, from: list });
        Ok(())
    }

    /// Compiles a map of any length with a limited number of registers. Each chunk after the first is added to the map.
    fn map(&mut self, parts: &[(Name, Expr)], a: Register) -> Lowered<()> {
        /// Maximum number of parts in a chunk.
        const MAX_PARTS: usize = 32;
        let from = self.allocate_registers(parts.len().min(MAX_PARTS))?;
        let (first, rest) = parts.split_at(parts.len().min(MAX_PARTS));
        if rest.is_empty() {
            return self.map_of(first, from, a);
        }
        let map = self.allocate_register()?;
        self.map_of(first, from, map)?;
        for some in rest.chunks(MAX_PARTS) {
            self.map_of(some, from, from)?;
            self.emit(Op::AddTo { a: map, b: from });
        }
        self.emit(Op::Take { a, from: map });
        Ok(())
    }

    /// Compiles a map whose values are in consecutive registers beginning with `from`.
    fn map_of(&mut self, parts: &[(Name, Expr)], from: Register, a: Register) -> Lowered<()> {
        let span = self.span;
        for (at, (_, value)) in parts.iter().enumerate() {
            self.expr_to(value, from + at as Register)?;
        }
        self.span = span;
        let names = Value::list(parts.iter().map(|(name, _)| Value::Text(intern_literal(&name.text))).collect());
        let names = self.shared.constant(names);
        self.emit(Op::Map { a, from, names });
        Ok(())
    }

    /// Compiles a left operand. If the right operand might change a variable before the operator runs, the left operand is copied to
    /// `scratch`.
    fn operand(&mut self, left: &Expr, right: &Expr, scratch: Register) -> Lowered<Register> {
        if may_change(right) {
            self.expr_to(left, scratch)?;
            return Ok(scratch);
        }
        self.expr(left, scratch)
    }

    fn unary(&mut self, expr: &Expr, op: UnaryOp, operand: &Expr, a: Register) -> Lowered<()> {
        let scratch = self.scratch_for(a)?;
        let b = self.expr(operand, scratch)?;
        self.span = expr.span;
        self.emit(match op {
            UnaryOp::Negate => Op::Negate { a, b },
            UnaryOp::Plus => Op::Plus { a, b },
            UnaryOp::Not => Op::Not { a, b },
        });
        Ok(())
    }

    /// Returns a register for intermediate values of an expression with the result register `a`. This is `a` itself, unless `a` belongs to
    /// a variable that the expression may still read.
    fn scratch_for(&mut self, a: Register) -> Lowered<Register> {
        if self.is_variable(a) { self.allocate_register() } else { Ok(a) }
    }

    fn binary(&mut self, op: BinaryOp, span: Span, left: &Expr, right: &Expr, a: Register) -> Lowered<()> {
        let scratch = self.scratch_for(a)?;
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.expr_to(left, scratch)?;
                self.span = left.span;
                let end = self.emit(Op::JumpIf { a: scratch, flag: op == BinaryOp::Or, to: 0 });
                self.lower_flag_to(right, scratch)?;
                self.patch_jump(end);
                self.move_to(a, scratch);
            }
            BinaryOp::Coalesce => {
                self.expr_to(left, scratch)?;
                let end = self.emit(Op::JumpIfSome { a: scratch, to: 0 });
                self.expr_to(right, scratch)?;
                self.patch_jump(end);
                self.move_to(a, scratch);
            }
            BinaryOp::Range | BinaryOp::RangeInclusive => {
                let (b, c) = self.lower_operands(left, right, scratch)?;
                self.span = span;
                self.emit(Op::Range { a, b, c, is_inclusive: op == BinaryOp::RangeInclusive });
            }
            _ => {
                let (b, c) = self.lower_operands(left, right, scratch)?;
                self.span = span;
                self.emit(Op::Binary { a, op, b, c });
            }
        }
        Ok(())
    }

    /// Compiles both operands. The register for the right operand is allocated after the left one is compiled, so that
    /// a long chain of operators needs only one such register.
    fn lower_operands(&mut self, left: &Expr, right: &Expr, scratch: Register) -> Lowered<(Register, Register)> {
        let b = self.operand(left, right, scratch)?;
        let other = self.allocate_register()?;
        Ok((b, self.expr(right, other)?))
    }

    /// Compiles a Boolean operand. Faults at run time if the value is not a Boolean.
    fn lower_flag_to(&mut self, condition: &Expr, a: Register) -> Lowered<()> {
        self.expr_to(condition, a)?;
        self.span = condition.span;
        if is_flag(condition) {
            return Ok(());
        }
        // The jump to the next instruction only checks the type.
        let here = self.here() + 1;
        self.emit(Op::JumpIf { a, flag: true, to: here });
        Ok(())
    }

    /// Compiles jumps that are taken if a condition equals `flag`, with short-circuit evaluation. Returns the jumps.
    fn jump_if(&mut self, condition: &Expr, flag: bool) -> Lowered<Vec<usize>> {
        match &condition.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } if is_flag(operand) => self.jump_if(operand, !flag),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } => {
                // If the left operand has this value, the right operand is not evaluated.
                let decides = *op == BinaryOp::Or;
                let mut jumps = self.jump_if(left, decides)?;
                if decides == flag {
                    jumps.extend(self.jump_if(right, flag)?);
                    return Ok(jumps);
                }
                let others = self.jump_if(right, flag)?;
                self.patch_jumps(jumps);
                Ok(others)
            }
            ExprKind::Binary { op, op_span, left, right } if is_comparison(*op) => {
                self.lower_in_scope(|lowering| Ok(vec![lowering.jump_on_comparison(*op, *op_span, left, right, flag)?]))
            }
            _ => self.lower_in_scope(|lowering| {
                let scratch = lowering.allocate_register()?;
                let a = lowering.expr(condition, scratch)?;
                lowering.span = condition.span;
                Ok(vec![lowering.emit(Op::JumpIf { a, flag, to: 0 })])
            }),
        }
    }

    /// Compiles a jump that is taken if a comparison yields `flag`.
    fn jump_on_comparison(
        &mut self,
        op: BinaryOp,
        span: Span,
        left: &Expr,
        right: &Expr,
        flag: bool,
    ) -> Lowered<usize> {
        let (scratch, other) = (self.allocate_register()?, self.allocate_register()?);
        let asked = match op {
            BinaryOp::Equal | BinaryOp::Unequal if right.kind == ExprKind::Unit => Some(left),
            BinaryOp::Equal | BinaryOp::Unequal if left.kind == ExprKind::Unit => Some(right),
            _ => None,
        };
        if let Some(asked) = asked {
            let a = self.expr(asked, scratch)?;
            self.span = span;
            let is_nothing = (op == BinaryOp::Equal) == flag;
            let op = if is_nothing { Op::JumpIfNothing { a, to: 0 } } else { Op::JumpIfSome { a, to: 0 } };
            return Ok(self.emit(op));
        }
        let b = self.operand(left, right, scratch)?;
        let c = self.expr(right, other)?;
        self.span = span;
        let op = if flag { Op::JumpIfTrue { op, b, c, to: 0 } } else { Op::JumpIfFalse { op, b, c, to: 0 } };
        Ok(self.emit(op))
    }

    /// Compiles jumps that are taken if a condition is false.
    fn jump_unless(&mut self, condition: &Expr) -> Lowered<Vec<usize>> {
        self.jump_if(condition, false)
    }

    fn if_else(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        into: Option<Register>,
    ) -> Lowered<()> {
        let otherwise_at = self.jump_unless(condition)?;
        self.block(then, into)?;
        if otherwise.is_none() && into.is_none() {
            self.patch_jumps(otherwise_at);
            return Ok(());
        }
        let end = self.emit(Op::Jump { to: 0 });
        self.patch_jumps(otherwise_at);
        if let Some(otherwise) = otherwise {
            self.mark_statement(otherwise.span);
        }
        match (otherwise, into) {
            (Some(otherwise), Some(a)) => self.expr_to(otherwise, a)?,
            (Some(otherwise), None) => self.lower_in_scope(|lowering| lowering.lower_effect(otherwise))?,
            (None, into) => self.nothing(into),
        }
        self.patch_jump(end);
        Ok(())
    }

    fn begin_loop(&mut self, into: Option<Register>) {
        self.nothing(into);
        self.loops.push(Loop { result: into, breaks: Vec::new(), continues: Vec::new() });
    }

    /// Sets the targets of the `continue` jumps of the innermost loop to the next instruction.
    fn patch_continues(&mut self) {
        let jumps = self.loops.last_mut().map(|inner| std::mem::take(&mut inner.continues)).unwrap_or_default();
        self.patch_jumps(jumps);
    }

    fn end_loop(&mut self) {
        let inner = self.loops.pop();
        self.patch_jumps(inner.map(|inner| inner.breaks).unwrap_or_default());
    }

    fn while_loop(&mut self, condition: Option<&Expr>, body: &Block, into: Option<Register>) -> Lowered<()> {
        // A separate register is used, because the result register may belong to a variable that the loop reads.
        let result = into.map(|_| self.allocate_register()).transpose()?;
        self.begin_loop(result);
        let start = self.here();
        // `break` and `continue` in the condition refer to the enclosing loop.
        let inner = self.loops.pop();
        let end = condition.map(|condition| self.jump_unless(condition)).transpose()?;
        self.loops.extend(inner);
        self.block(body, None)?;
        self.patch_continues();
        self.jump_back(start);
        self.patch_jumps(end.unwrap_or_default());
        self.end_loop();
        self.result(result, into);
        Ok(())
    }

    fn result(&mut self, from: Option<Register>, into: Option<Register>) {
        if let (Some(from), Some(a)) = (from, into) {
            self.move_to(a, from);
            self.free = self.free.min(usize::from(from).max(usize::from(a) + 1));
        }
    }

    fn do_loop(&mut self, body: &Block, condition: &Expr, a: Register) -> Lowered<()> {
        self.lower_in_scope(|lowering| {
            let result = lowering.allocate_register()?;
            lowering.begin_loop(Some(result));
            let start = lowering.here();
            lowering.block(body, None)?;
            lowering.patch_continues();
            let inner = lowering.loops.pop();
            let flag = lowering.allocate_register()?;
            lowering.lower_flag_to(condition, flag)?;
            lowering.loops.extend(inner);
            lowering.emit(Op::JumpIf { a: flag, flag: true, to: start });
            lowering.end_loop();
            lowering.move_to(a, result);
            Ok(())
        })
    }

    fn for_loop(
        &mut self,
        name: &Name,
        counter: Option<&Name>,
        list: &Expr,
        body: &Block,
        into: Option<Register>,
    ) -> Lowered<()> {
        self.lower_in_scope(|lowering| {
            let result = lowering.allocate_register()?;
            let state = lowering.allocate_registers(2)?;
            let b = lowering.expr(list, state)?;
            lowering.span = list.span;
            lowering.emit(Op::Iterate { a: state, b });
            lowering.begin_loop(into.map(|_| result));
            let start = lowering.here();
            lowering.lower_in_scope(|lowering| {
                if let Some(counter) = counter {
                    let register = lowering.variable(&counter.text)?;
                    lowering.emit(Op::Position { a: register, of: state });
                }
                let value = lowering.variable(&name.text)?;
                let end = lowering.emit(Op::Next { a: state, value, to: 0 });
                lowering.block(body, None)?;
                lowering.patch_continues();
                lowering.jump_back(start);
                lowering.patch_jump(end);
                Ok(())
            })?;
            lowering.end_loop();
            if let Some(a) = into {
                lowering.move_to(a, result);
            }
            Ok(())
        })
    }

    fn switch(&mut self, subject: &Expr, cases: &[Case], a: Register) -> Lowered<()> {
        let scratch = self.allocate_register()?;
        let (flag, result) = (self.allocate_register()?, self.allocate_register()?);
        self.expr_to(subject, scratch)?;
        let mut ends = Vec::new();
        let uses_jump_table = cases.iter().all(|case| case.condition.is_none() && case.patterns.iter().all(is_literal));
        if uses_jump_table {
            self.jump_table(scratch, cases, result, &mut ends)?;
        } else {
            for case in cases {
                self.case(scratch, flag, case, result, &mut ends)?;
            }
            self.constant(result, Value::Nothing);
        }
        self.patch_jumps(ends);
        self.move_to(a, result);
        Ok(())
    }

    fn jump_table(
        &mut self,
        subject: Register,
        cases: &[Case],
        result: Register,
        ends: &mut Vec<usize>,
    ) -> Lowered<()> {
        let at = self.shared.program.switches.len();
        self.shared.program.switches.push(Switch::default());
        self.emit(Op::Switch { a: subject, at: at as u16 });
        // The first of several equal patterns is used, as if the cases were tried in order.
        let mut table = Switch::default();
        let mut has_default = false;
        for case in cases {
            let here = self.here();
            for pattern in &case.patterns {
                if let Some(value) =
                    literal(pattern).filter(|value| !table.cases.iter().any(|(known, _)| known == value))
                {
                    table.cases.push((value, here));
                }
            }
            if case.patterns.is_empty() {
                (table.otherwise, has_default) = (here, true);
            }
            self.lower_in_scope(|lowering| lowering.statement(&case.body, Some(result)))?;
            ends.push(self.emit(Op::Jump { to: 0 }));
        }
        if !has_default {
            table.otherwise = self.here();
            self.constant(result, Value::Nothing);
        }
        self.shared.program.switches[at] = table;
        Ok(())
    }

    fn case(
        &mut self,
        subject: Register,
        flag: Register,
        case: &Case,
        result: Register,
        ends: &mut Vec<usize>,
    ) -> Lowered<()> {
        let mut hits = Vec::new();
        for pattern in &case.patterns {
            let at = literal(pattern).map_or(0, |value| self.shared.constant(value));
            self.emit(Op::Matches { a: flag, b: subject, at });
            hits.push(self.emit(Op::JumpIf { a: flag, flag: true, to: 0 }));
        }
        let mut misses = if case.patterns.is_empty() { Vec::new() } else { vec![self.emit(Op::Jump { to: 0 })] };
        self.patch_jumps(hits);
        if let Some(condition) = &case.condition {
            misses.extend(self.jump_unless(condition)?);
        }
        self.lower_in_scope(|lowering| lowering.statement(&case.body, Some(result)))?;
        ends.push(self.emit(Op::Jump { to: 0 }));
        self.patch_jumps(misses);
        Ok(())
    }

    /// Compiles a closure as a function value, which cannot access outer variables.
    pub(super) fn closure_value(&mut self, params: &[Name], body: &Statement, a: Register) -> Lowered<()> {
        let number = self.shared.program.functions.len();
        self.shared.program.functions.push(Arc::default());
        let (source, file) = (self.source, self.number);
        let lowered = Lowering::new(self.shared, source, file).function(ANONYMOUS, params, Body::One(body))?;
        self.shared.program.functions[number] = lowered.into();
        self.constant(a, Value::Function((number as u32).into()));
        Ok(())
    }

    /// Compiles an assignment target: a variable and a path. If the root is not a variable, it is evaluated into a
    /// temporary register.
    pub(super) fn place(&mut self, target: &Expr) -> Lowered<TargetPlace> {
        let (mut steps, mut indices) = (Vec::new(), Vec::new());
        let mut root = target;
        loop {
            match &root.kind {
                ExprKind::Field { receiver: of, name, .. } => {
                    steps.push(Step::Name(self.shared.name(&name.text)));
                    root = of;
                }
                ExprKind::Index { receiver: of, index, .. } => {
                    steps.push(Step::Index);
                    indices.push(&**index);
                    root = of;
                }
                _ => break,
            }
        }
        steps.reverse();
        indices.reverse();
        let scratch = self.allocate_register()?;
        let first = self.allocate_registers(indices.len())?;
        for (at, index) in indices.iter().enumerate() {
            self.expr_to(index, first + at as Register)?;
        }
        let root = self.expr(root, scratch)?;
        Ok(TargetPlace { root, path: self.shared.path(steps), indices: first })
    }
}

/// Returns whether an operator is a comparison, whose result is always a Boolean.
const fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::Unequal
            | BinaryOp::Less
            | BinaryOp::LessOrEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterOrEqual
            | BinaryOp::In
            | BinaryOp::NotIn
    )
}

/// Returns whether an expression always yields a Boolean.
fn is_flag(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Flag(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or),
        _ => false,
    }
}

/// Returns whether only the last instruction of the compiled expression writes the result, after it has read its operands.
pub(super) fn writes_result_last(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Field { .. }
        | ExprKind::Index { .. }
        | ExprKind::Method { .. }
        | ExprKind::Call { .. }
        | ExprKind::OwnCall { .. }
        | ExprKind::Unary { .. } => true,
        ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce),
        _ => false,
    }
}

/// Returns whether an expression may change a variable declared outside of the expression.
fn may_change(expr: &Expr) -> bool {
    let mut found = false;
    let statement = Statement { kind: StatementKind::Expr(expr.clone()), span: expr.span };
    syntax::each_node(std::slice::from_ref(&statement), &mut |node| {
        found |= match node {
            syntax::Node::Statement(statement) => matches!(statement.kind, StatementKind::Assign { .. }),
            syntax::Node::Expr(expr) => {
                matches!(expr.kind, ExprKind::Method { .. } | ExprKind::Call { .. } | ExprKind::OwnCall { .. })
            }
            syntax::Node::Block(_) => false,
        };
    });
    found
}

fn is_literal(pattern: &Expr) -> bool {
    !matches!(literal(pattern), None | Some(Value::Range(_)))
}

/// Returns the value of a constant pattern, or `None` if the pattern is not constant.
fn literal(pattern: &Expr) -> Option<Value> {
    Some(match &pattern.kind {
        ExprKind::Unit => Value::Nothing,
        ExprKind::Flag(flag) => Value::from(*flag),
        ExprKind::Number(number) => Value::Number(*number),
        ExprKind::Text(text) => Value::Text(intern_literal(text)),
        ExprKind::List(items) => Value::list(items.iter().map(literal).collect::<Option<_>>()?),
        ExprKind::Map(parts) => {
            let parts = parts.iter().map(|(name, value)| Some((name.text.as_ref().into(), literal(value)?)));
            Value::Map(Arc::new(Map::new(parts.collect::<Option<Vec<_>>>()?)))
        }
        ExprKind::Binary { op: op @ (BinaryOp::Range | BinaryOp::RangeInclusive), left, right, .. } => {
            match (literal(left)?, literal(right)?) {
                (Value::Number(start), Value::Number(end)) => {
                    Value::Range(Arc::new(Range { start, end, is_inclusive: *op == BinaryOp::RangeInclusive }))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

//! Compiles calls that take a closure. The closure is inlined as the body of a loop. Outer variables are then ordinary registers, and a
//! decision inside the closure can suspend the run like any other decision.

use super::super::code::{Op, Register};
use super::call::ClosureArguments;
use super::{Lowered, Lowering, ReturnTarget};
use crate::decision::{Value, intern_literal};
use crate::library::{
    CHOOSE_OR_PASS, Form, InlinedCall, LoopCode, LoopForms, builtin_codes, changes_in_place, inlined_call,
    needs_only_results,
};
use crate::syntax::{self, Expr, ExprKind, Name, Node, Statement, StatementKind};

/// Library function that begins a simultaneous decision. Scripts cannot call it, since its name is not an identifier.
pub const BEGINS_TOGETHER: &str = "together begins";

/// Keys of the map that a response window returns for each response.
const SEAT: &str = "seat";
const CHOICE: &str = "choice";

/// Library function that ends a simultaneous decision. Takes the seats and their answers.
pub const ENDS_TOGETHER: &str = "together ends";

/// Library function that opens a response window. Takes the seats that may respond.
pub const BEGINS_WINDOW: &str = "window begins";

/// Library function that makes the game read-only while a seat's possible responses are computed. Returns the previous permissions.
pub const BEGINS_READ_ONLY: &str = "read-only begins";

/// Library function that restores the permissions returned by [`BEGINS_READ_ONLY`].
pub const ENDS_READ_ONLY: &str = "read-only ends";

/// Library function that returns the next seat to ask in a response window. Takes the seats, the number of questions asked, the number of
/// consecutive passes and the number of responses.
pub const NEXT_IN_WINDOW: &str = "window goes on";

/// Library function that closes a response window. Takes the responses in order.
pub const ENDS_WINDOW: &str = "window ends";

/// Operation that runs a closure for each element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Query {
    /// An operation of the machine, which processes each result of the closure.
    Own(LoopCode),
    /// A library function that receives all results at the end. The field is the index of the call.
    Native(u16),
}

/// Parameters and body of a closure.
pub(super) type ClosureExpr<'t> = (&'t [Name], &'t Statement);

impl Lowering<'_, '_> {
    /// Compiles a response window: seats are asked in turn until all have passed.
    ///
    /// The seats are in register `from`. The next registers contain the decision and, if `is_about` is set, the subject of the decision.
    /// Both closures are inlined, so that decisions in them can suspend the run.
    pub(super) fn lower_respond(
        &mut self,
        options: ClosureExpr<'_>,
        answered: ClosureExpr<'_>,
        from: Register,
        is_about: bool,
        result: Register,
    ) -> Lowered<()> {
        let span = self.span;
        let (seats, answers, asked, passed, one) = (
            self.allocate_register()?,
            self.allocate_register()?,
            self.allocate_register()?,
            self.allocate_register()?,
            self.allocate_register()?,
        );
        let (given, seat, value, before) = (
            self.allocate_register()?,
            self.allocate_register()?,
            self.allocate_register()?,
            self.allocate_register()?,
        );
        // Library calls take their arguments from consecutive registers and leave the result in the first of these registers.
        let row = self.allocate_registers(4)?;
        let call = |lowering: &mut Self, name: &str, given: &[Register]| {
            for (at, register) in given.iter().enumerate() {
                lowering.move_to(row + at as Register, *register);
            }
            lowering.span = span;
            let (count, number) = (given.len() as u8, lowering.shared.call(name, given.len() as u8));
            lowering.emit(Op::Native { a: row, from: row, call: number, count });
        };
        call(self, BEGINS_WINDOW, &[from]);
        self.move_to(seats, row);
        self.empty_list(answers);
        self.constant(asked, Value::Number(0));
        self.constant(passed, Value::Number(0));
        self.constant(given, Value::Number(0));
        self.constant(one, Value::Number(1));
        let start = self.here();
        call(self, NEXT_IN_WINDOW, &[seats, asked, passed, given]);
        self.move_to(seat, row);
        let end = self.emit(Op::JumpIfNothing { a: seat, to: 0 });
        call(self, BEGINS_READ_ONLY, &[]);
        self.move_to(before, row);
        self.inline_with_arguments(options, &[seat, answers], value)?;
        call(self, ENDS_READ_ONLY, &[before]);
        if is_about {
            call(self, CHOOSE_OR_PASS, &[seat, from + 1, from + 2, value]);
        } else {
            call(self, CHOOSE_OR_PASS, &[seat, from + 1, value]);
        }
        self.emit(Op::AddTo { a: asked, b: one });
        let chosen = self.emit(Op::JumpIfSome { a: row, to: 0 });
        self.emit(Op::AddTo { a: passed, b: one });
        self.jump_back(start);
        self.patch_jump(chosen);
        // A seat does not respond to its own response, so it counts as the first seat to pass.
        self.move_to(passed, one);
        self.emit(Op::AddTo { a: given, b: one });
        self.lower_in_scope(|lowering| {
            let pair = lowering.allocate_registers(2)?;
            lowering.move_to(pair, seat);
            lowering.move_to(pair + 1, row);
            lowering.inline_with_arguments(answered, &[pair, pair + 1], value)?;
            let names = Value::list([SEAT, CHOICE].map(|name| Value::Text(intern_literal(name))).to_vec());
            let names = lowering.shared.constant(names);
            lowering.emit(Op::Map { a: value, from: pair, names });
            lowering.emit(Op::Push { list: answers, value });
            Ok(())
        })?;
        self.jump_back(start);
        self.patch_jump(end);
        call(self, ENDS_WINDOW, &[answers]);
        self.move_to(result, row);
        Ok(())
    }

    /// Inlines a closure whose arguments are in the given registers.
    fn inline_with_arguments(
        &mut self,
        (params, body): ClosureExpr<'_>,
        given: &[Register],
        value: Register,
    ) -> Lowered<()> {
        self.lower_in_scope(|lowering| {
            let start = lowering.here();
            for (param, register) in params.iter().zip(given) {
                let variable = lowering.variable(&param.text)?;
                lowering.move_to(variable, *register);
            }
            lowering.inline_body(body, value, start)
        })
    }

    /// Compiles a call that takes a closure. The closure is inlined, unless the library function must call it itself.
    pub(super) fn with_closure(
        &mut self,
        name: &str,
        params: &[Name],
        body: &Statement,
        arguments: ClosureArguments,
        result: Register,
    ) -> Lowered<()> {
        let ClosureArguments { from, count, .. } = arguments;
        if let (Some(InlinedCall::Together), 1, [seat]) = (inlined_call(name), count, params) {
            return self.lower_in_scope(|lowering| lowering.together(seat, body, from, result));
        }
        let own = builtin_codes(Form::Function, name).and_then(|own| own.looped);
        let is_form = |own: &LoopForms| {
            let fewest = if own.code == LoopCode::Zip { own.params } else { 1 };
            (own.least..=own.most).contains(&usize::from(count)) && (fewest..=own.params).contains(&params.len())
        };
        let query = match own.filter(is_form) {
            Some(own) => Query::Own(own.code),
            None if needs_only_results(name) && count == 1 && params.len() == 1 => {
                Query::Native(self.shared.call(name, 2))
            }
            None => return self.with_called_closure(name, params, body, arguments, result),
        };
        self.lower_in_scope(|lowering| match query {
            Query::Own(LoopCode::Zip) => lowering.lower_zip_loop(params, body, from, result),
            query => lowering.closure_loop(query, params, body, from, count, result),
        })
    }

    /// Compiles a simultaneous decision: asks each seat while the game is read-only, and combines the answers at the end.
    fn together(&mut self, param: &Name, body: &Statement, from: Register, result: Register) -> Lowered<()> {
        let state = self.allocate_registers(2)?;
        let (seats, whom, answers) =
            (self.allocate_registers(2)?, self.allocate_register()?, self.allocate_register()?);
        let (span, begins, ends) =
            (self.span, self.shared.call(BEGINS_TOGETHER, 1), self.shared.call(ENDS_TOGETHER, 2));
        self.move_to(seats, from);
        self.emit(Op::Native { a: seats, from: seats, call: begins, count: 1 });
        self.move_to(whom, seats);
        self.emit(Op::IterateElements { a: state, b: whom, is_list: false });
        self.empty_list(answers);
        let start = self.here();
        let (free, variables) = (self.free, self.variables.len());
        let (seat, value) = (self.variable(&param.text)?, self.allocate_register()?);
        let end = self.emit(Op::Next { a: state, value: seat, to: 0 });
        self.inline_body(body, value, start)?;
        self.emit(Op::Push { list: answers, value });
        self.free = free;
        self.end_variables(variables);
        self.jump_back(start);
        self.patch_jump(end);
        self.span = span;
        self.move_to(seats, whom);
        self.emit(Op::Take { a: seats + 1, from: answers });
        self.emit(Op::Native { a: seats, from: seats, call: ends, count: 2 });
        self.move_to(result, seats);
        Ok(())
    }

    /// Compiles `zip`: calls the closure with pairs of elements up to the end of the shorter list.
    fn lower_zip_loop(&mut self, params: &[Name], body: &Statement, from: Register, result: Register) -> Lowered<()> {
        let states = [self.allocate_registers(2)?, self.allocate_registers(2)?];
        let (collected, value) = (self.allocate_register()?, self.allocate_register()?);
        for (at, state) in states.into_iter().enumerate() {
            self.emit(Op::IterateElements { a: state, b: from + at as Register, is_list: true });
        }
        let query = Query::Own(LoopCode::Zip);
        self.init_result(query, from, 2, collected, states[0]);
        let start = self.here();
        let mut ends = Vec::new();
        self.lower_in_scope(|lowering| {
            for (param, state) in params.iter().zip(states) {
                let item = lowering.variable(&param.text)?;
                ends.push(lowering.emit(Op::Next { a: state, value: item, to: 0 }));
            }
            lowering.inline_body(body, value, start)
        })?;
        ends.extend(self.handle_result(query, value, value, collected, None, start));
        self.jump_back(start);
        self.patch_jumps(ends);
        self.emit(Op::Take { a: result, from: collected });
        Ok(())
    }

    fn closure_loop(
        &mut self,
        query: Query,
        params: &[Name],
        body: &Statement,
        from: Register,
        count: u8,
        result: Register,
    ) -> Lowered<()> {
        let (state, collected) = (self.allocate_registers(2)?, self.allocate_register()?);
        let (item, value) = (self.allocate_register()?, self.allocate_register()?);
        let is_index = query == Query::Own(LoopCode::IndexOf);
        let is_reduced = query == Query::Own(LoopCode::Reduce);
        let is_kept = matches!(query, Query::Own(LoopCode::Retain | LoopCode::Drain));
        let kept = is_kept.then(|| self.allocate_register()).transpose()?;
        if let Some(kept) = kept {
            self.empty_list(kept);
        }
        let is_list = params.len() > 1 || !query.accepts_game_collections();
        self.emit(Op::IterateElements { a: state, b: from, is_list });
        self.init_result(query, from, count, collected, state);
        if is_index && count == 2 {
            self.emit(Op::Seek { a: state, b: from + 1 });
        }
        let start = self.here();
        let (list_params, index) = if is_reduced { (1, params.get(2)) } else { (0, params.get(1)) };
        let (free, variables) = (self.free, self.variables.len());
        if let Some(index) = index {
            let register = self.variable(&index.text)?;
            self.emit(Op::Position { a: register, of: state });
        }
        let place = is_index.then(|| self.allocate_register()).transpose()?;
        if let Some(place) = place {
            self.emit(Op::Position { a: place, of: state });
        }
        let end = self.emit(Op::Next { a: state, value: item, to: 0 });
        let param = &params[list_params.min(params.len() - 1)].text;
        if may_be_changed(body, param) {
            // The element is copied, so that the list does not change if the closure changes its parameter.
            let own = self.variable(param)?;
            self.emit(Op::Move { a: own, from: item });
        } else {
            self.declare(param, item);
        }
        if is_reduced && params.len() > 1 {
            let before = self.variable(&params[0].text)?;
            self.emit(Op::Move { a: before, from: collected });
        }
        self.inline_body(body, value, start)?;
        self.free = free;
        self.end_variables(variables);
        let leave = self.handle_result(query, place.unwrap_or(item), value, collected, kept, start);
        self.jump_back(start);
        self.patch_jump(end);
        self.patch_jumps(leave);
        if let Some(kept) = kept {
            self.emit(Op::Take { a: from, from: kept });
        }
        self.emit(match query {
            Query::Native(call) => Op::NativeOnResults { a: result, call, entries: state, results: collected },
            Query::Own(LoopCode::Filter) => Op::RestoreType { a: result, from: collected, of: state },
            Query::Own(_) => Op::Take { a: result, from: collected },
        });
        Ok(())
    }

    /// Emits an instruction that loads the initial result of an operation into register `collected`.
    fn init_result(&mut self, query: Query, from: Register, count: u8, collected: Register, entries: Register) {
        match query {
            Query::Own(LoopCode::Filter) => drop(self.emit(Op::EmptyLike { a: collected, of: entries })),
            Query::Own(LoopCode::Map | LoopCode::Retain | LoopCode::Drain | LoopCode::Zip) | Query::Native(_) => {
                self.empty_list(collected);
            }
            Query::Own(LoopCode::Some) => self.constant(collected, Value::from(false)),
            Query::Own(LoopCode::All) => self.constant(collected, Value::from(true)),
            Query::Own(LoopCode::IndexOf) => self.constant(collected, Value::Number(-1)),
            Query::Own(LoopCode::Reduce) if count == 2 => self.move_to(collected, from + 1),
            Query::Own(LoopCode::Reduce | LoopCode::Find | LoopCode::FindMap) => {
                self.constant(collected, Value::Nothing);
            }
        }
    }

    /// Emits the code that processes one result of the closure. Returns the jumps that end the loop.
    fn handle_result(
        &mut self,
        query: Query,
        item: Register,
        value: Register,
        collected: Register,
        kept: Option<Register>,
        start: u32,
    ) -> Vec<usize> {
        let next = |lowering: &mut Self, flag: bool| lowering.emit(Op::JumpIf { a: value, flag, to: start });
        let Query::Own(code) = query else {
            self.emit(Op::Push { list: collected, value });
            return Vec::new();
        };
        match code {
            LoopCode::Map | LoopCode::Zip => drop(self.emit(Op::Push { list: collected, value })),
            LoopCode::Filter => {
                next(self, false);
                self.emit(Op::Push { list: collected, value: item });
            }
            LoopCode::Find | LoopCode::IndexOf => {
                next(self, false);
                self.emit(Op::Move { a: collected, from: item });
                return vec![self.emit(Op::Jump { to: 0 })];
            }
            LoopCode::FindMap => {
                self.emit(Op::JumpIfNothing { a: value, to: start });
                self.emit(Op::Move { a: collected, from: value });
                return vec![self.emit(Op::Jump { to: 0 })];
            }
            LoopCode::Some | LoopCode::All => {
                let flag = code == LoopCode::Some;
                next(self, !flag);
                self.constant(collected, Value::from(flag));
                return vec![self.emit(Op::Jump { to: 0 })];
            }
            LoopCode::Reduce => drop(self.emit(Op::Move { a: collected, from: value })),
            LoopCode::Retain | LoopCode::Drain => {
                let Some(kept) = kept else { return Vec::new() };
                let yes = self.emit(Op::JumpIf { a: value, flag: true, to: 0 });
                let (if_not, if_so) = if code == LoopCode::Retain { (collected, kept) } else { (kept, collected) };
                self.emit(Op::Push { list: if_not, value: item });
                self.emit(Op::Jump { to: start });
                self.patch_jump(yes);
                self.emit(Op::Push { list: if_so, value: item });
            }
        }
        Vec::new()
    }

    /// Inlines the body of a closure. `return` jumps to the end of the body. `start` is the first instruction at which the parameters
    /// exist.
    fn inline_body(&mut self, body: &Statement, result: Register, start: u32) -> Lowered<()> {
        let loops = std::mem::take(&mut self.loops);
        self.return_targets.push(ReturnTarget::Inline { result, jumps: Vec::new() });
        let call_site = self.span;
        self.lower_inlined(call_site, start, |lowering| {
            lowering.lower_in_scope(|lowering| lowering.statement(body, Some(result)))
        })?;
        self.span = call_site;
        if let Some(ReturnTarget::Inline { jumps, .. }) = self.return_targets.pop() {
            self.patch_jumps(jumps);
        }
        self.loops = loops;
        Ok(())
    }
}

impl Query {
    /// Returns whether the operation also accepts collections of game objects.
    fn accepts_game_collections(self) -> bool {
        matches!(
            self,
            Self::Native(_)
                | Self::Own(LoopCode::Map | LoopCode::Filter | LoopCode::Find | LoopCode::Some | LoopCode::All)
        )
    }
}

/// Returns whether the body may change the variable `name` or a part of it.
fn may_be_changed(body: &Statement, name: &str) -> bool {
    let is_it = |expr: &Expr| matches!(&root_of(expr).kind, ExprKind::Name(root) if **root == *name);
    let mut found = false;
    syntax::each_node(std::slice::from_ref(body), &mut |node| {
        found |= match node {
            Node::Statement(Statement { kind: StatementKind::Assign { target, .. }, .. }) => is_it(target),
            Node::Expr(Expr { kind: ExprKind::Method { receiver: of, name, .. }, .. }) => {
                changes_in_place(&name.text) && is_it(of)
            }
            Node::Expr(Expr { kind: ExprKind::Call { name, arguments }, .. }) => {
                changes_in_place(&name.text) && arguments.first().is_some_and(is_it)
            }
            _ => false,
        };
    });
    found
}

/// Returns the root of a chain.
fn root_of(mut expr: &Expr) -> &Expr {
    while let ExprKind::Field { receiver: of, .. }
    | ExprKind::Index { receiver: of, .. }
    | ExprKind::Method { receiver: of, .. } = &expr.kind
    {
        expr = of;
    }
    expr
}

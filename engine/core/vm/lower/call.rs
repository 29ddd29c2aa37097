//! Compiles calls, fields and indices.

use super::super::code::{ClosureCall, InPlaceUpdate, Op, Register, Step};
use super::{Lowered, Lowering, ReturnTarget};
use crate::decision::Value;
use crate::library::{InlinedCall, changes_in_place, inlined_call, stores_closure};
use crate::syntax::{CALL, CallForm, Expr, ExprKind, Name, Span, Statement};

/// A link in a chain: a field, an index or a method call.
struct Link<'t> {
    kind: LinkKind<'t>,
    is_optional: bool,
    span: Span,
}

/// Arguments of a call that takes a closure, without the closure itself.
#[derive(Clone, Copy)]
pub(super) struct ClosureArguments {
    /// Register of the first argument, which is the receiver. The other arguments are in the registers after it.
    pub from: Register,
    /// Number of arguments.
    pub count: u8,
    /// Index of the closure among the arguments.
    pub before: u8,
}

/// The receiver of a method call.
#[derive(Clone, Copy)]
struct Receiver {
    /// Register of the receiver.
    at: Register,
    /// Whether the register belongs to a variable.
    is_variable: bool,
}

enum LinkKind<'t> {
    Field(&'t Name),
    Index(&'t Expr),
    Method(&'t Name, &'t [Expr]),
    /// A call of one of the game's functions: the key of the function, and the arguments.
    OwnMethod(&'t str, &'t [Expr]),
}

impl Lowering<'_, '_> {
    /// Compiles `root.a[b].c(d)`. Indices and arguments are evaluated first, from left to right, then the chain from its root.
    pub(super) fn lower_chain(&mut self, chain: &Expr, a: Register) -> Lowered<()> {
        let (root, links) = split_chain(chain);
        // These registers are allocated before the arguments of calls, which must be in the topmost registers.
        let (scratch, result) = (self.allocate_register()?, self.allocate_register()?);
        let indices = links.iter().filter(|link| matches!(link.kind, LinkKind::Index(_))).count();
        let first_index = self.allocate_registers(indices)?;
        let (mut evaluated, mut next_index) = (Vec::new(), first_index);
        for link in &links {
            evaluated.push(self.evaluate_arguments(link, &mut next_index)?);
        }
        let may_end = links.iter().any(|link| link.is_optional);
        let receiver = if may_end { None } else { self.receiver(&links, &mut evaluated, 0)? };
        let start = self.expr(root, receiver.unwrap_or(scratch))?;
        let is_variable = matches!(&root.kind, ExprKind::Name(name) if self.find(name).is_some());
        let (mut current, mut steps, mut ends) = (start, Some(Vec::<Step>::new()), Vec::new());
        for (at, link) in links.iter().enumerate() {
            let into = match links.get(at + 1) {
                _ if may_end => result,
                None if link.changes() => result,
                None => a,
                Some(_) => self.receiver(&links, &mut evaluated, at + 1)?.unwrap_or(result),
            };
            self.span = link.span;
            if link.is_optional {
                self.move_to(result, current);
                ends.push(self.emit(Op::JumpIfNothing { a: result, to: 0 }));
            }
            current = match &link.kind {
                LinkKind::Field(name) => {
                    if let Some(steps) = &mut steps {
                        steps.push(Step::Name(self.shared.name(&name.text)));
                    }
                    let name = self.shared.name(&name.text);
                    self.emit(Op::Field { a: into, b: current, name });
                    into
                }
                LinkKind::Index(_) => {
                    if let Some(steps) = &mut steps {
                        steps.push(Step::Index);
                    }
                    let c = evaluated[at].unwrap_or(first_index);
                    self.emit(Op::Index { a: into, b: current, c });
                    into
                }
                LinkKind::Method(name, arguments) => {
                    // A computed root cannot be assigned to, but its fields may be assignable.
                    let steps = steps.take().filter(|steps| is_variable || !steps.is_empty());
                    let place = steps.map(|steps| (start, steps, first_index));
                    let receiver = Receiver { at: current, is_variable: is_variable && current == start };
                    // The registers of the call are released, so that a long chain needs no more registers than a single call.
                    let free = self.free;
                    self.lower_method(name, arguments, evaluated[at], receiver, place, into)?;
                    self.free = free;
                    into
                }
                LinkKind::OwnMethod(key, arguments) => {
                    steps = None;
                    let receiver = Receiver { at: current, is_variable: is_variable && current == start };
                    let free = self.free;
                    self.lower_own_method(key, arguments, evaluated[at], receiver, into)?;
                    self.free = free;
                    into
                }
            };
        }
        self.patch_jumps(ends);
        self.move_to(a, current);
        Ok(())
    }

    /// Returns the register from which the call at index `at` reads its receiver, so that the receiver can be computed directly into it.
    ///
    /// Returns `None` if the link is not a call or changes its receiver in place. Also returns `None` if the arguments of the call needed
    /// no registers and the previous link is a call.
    fn receiver(
        &mut self,
        links: &[Link<'_>],
        evaluated: &mut [Option<Register>],
        at: usize,
    ) -> Lowered<Option<Register>> {
        let is_call = |link: &Link<'_>| matches!(link.kind, LinkKind::Method(..) | LinkKind::OwnMethod(..));
        if !links.get(at).is_some_and(|link| is_call(link) && !link.changes()) {
            return Ok(None);
        }
        // If the previous link is a call, its arguments must stay topmost, so no register can be allocated now.
        if evaluated[at].is_none() && !links[..at].last().is_some_and(is_call) {
            evaluated[at] = Some(self.allocate_register()?);
        }
        Ok(evaluated[at])
    }

    /// Evaluates the index or the arguments of a link. Returns the register of the index, or the register before the arguments. Returns
    /// `None` if nothing needs to be evaluated.
    fn evaluate_arguments(&mut self, link: &Link<'_>, next_index: &mut Register) -> Lowered<Option<Register>> {
        match &link.kind {
            LinkKind::Field(_) => Ok(None),
            LinkKind::Index(index) => {
                let from = *next_index;
                *next_index += 1;
                self.expr_to(index, from)?;
                Ok(Some(from))
            }
            LinkKind::Method(_, arguments) | LinkKind::OwnMethod(_, arguments) => {
                // For a function of the game, a closure is an ordinary argument.
                let is_own = matches!(link.kind, LinkKind::OwnMethod(..));
                let plain: Vec<&Expr> = arguments.iter().filter(|argument| is_own || !is_closure(argument)).collect();
                if plain.is_empty() {
                    return Ok(None);
                }
                let from = self.allocate_registers(plain.len() + 1)?;
                for (at, argument) in plain.into_iter().enumerate() {
                    self.expr_to(argument, from + 1 + at as Register)?;
                }
                Ok(Some(from))
            }
        }
    }

    fn lower_method(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        evaluated: Option<Register>,
        receiver: Receiver,
        place: Option<(Register, Vec<Step>, Register)>,
        result: Register,
    ) -> Lowered<()> {
        let span = self.span;
        let closure = arguments.iter().find_map(closure_of);
        let count = arguments.len() as u8 + 1;
        let place = place.filter(|_| changes_in_place(&name.text));
        let plain = arguments.iter().filter(|argument| !is_closure(argument)).count();
        let from = match evaluated {
            Some(from) => self.move_above(from, plain + 1)?,
            None => self.allocate_register()?,
        };
        let start = self.here();
        let path = place.map(|(root, steps, indices)| (root, self.shared.path(steps), indices));
        match path {
            Some((root, path, indices)) => drop(self.emit(Op::Lift { a: from, root, path, indices })),
            None if receiver.at == from => {}
            None if receiver.is_variable => self.move_to(from, receiver.at),
            // The receiver is moved rather than copied. With a second owner, the value would have to be copied when it is changed.
            None => drop(self.emit(Op::Take { a: from, from: receiver.at })),
        }
        let mut written = arguments.iter().filter_map(closure_of);
        if let (Some(InlinedCall::Respond), Some(options), Some(answered), 2 | 3) =
            (inlined_call(&name.text), written.next(), written.next(), plain + 1)
        {
            return self.lower_in_scope(|lowering| lowering.lower_respond(options, answered, from, plain == 2, result));
        }
        match closure {
            Some((params, body)) => {
                let before = 1 + arguments.iter().take_while(|argument| !is_closure(argument)).count();
                self.with_closure(
                    &name.text,
                    params,
                    body,
                    ClosureArguments { from, count: count - 1, before: before as u8 },
                    result,
                )?;
            }
            None if &*name.text == CALL => {
                self.emit(Op::CallValue { a: from, count: count - 1 });
                self.move_to(result, from);
            }
            None => self.native(&name.text, arguments, from, count, result),
        }
        if let Some((root, path, indices)) = path {
            self.span = span;
            self.lifted.push(InPlaceUpdate { root, held: from, path, indices, start, end: self.here() });
            self.emit(Op::PutBack { value: from, root, path, indices });
        }
        Ok(())
    }

    /// Moves arguments above the arguments of later links, because a called function overwrites the registers after its arguments.
    fn move_above(&mut self, from: Register, count: usize) -> Lowered<Register> {
        if self.free == usize::from(from) + count {
            return Ok(from);
        }
        let above = self.allocate_registers(count)?;
        for at in 1..count as Register {
            self.emit(Op::Take { a: above + at, from: from + at });
        }
        Ok(above)
    }

    /// Emits a call of a library function whose arguments are already in registers. `written` are the source expressions of the arguments
    /// after the receiver.
    fn native(&mut self, name: &str, written: &[Expr], from: Register, count: u8, result: Register) {
        let changes = changes_in_place(name);
        let call = self.shared.call_as_written(name, count, written);
        if changes {
            self.emit(Op::Change { a: result, receiver: from, call, count });
        } else {
            self.emit(Op::Native { a: result, from, call, count });
        }
    }

    /// Compiles `name(arguments)` as a call of a library function.
    pub(super) fn call(&mut self, whole: &Expr, name: &Name, arguments: &[Expr], a: Register) -> Lowered<()> {
        if let Some((first, rest)) = arguments.split_first()
            && !is_closure(first)
            && (rest.iter().any(is_closure) || changes_in_place(&name.text))
        {
            // `filter(list, |x| …)` is equivalent to `list.filter(|x| …)`.
            let of = Box::new(first.clone());
            let kind =
                ExprKind::Method { receiver: of, name: name.clone(), arguments: rest.to_vec(), is_optional: false };
            return self.lower_chain(&Expr { kind, ..whole.clone() }, a);
        }
        if let [only] = arguments
            && let Some((params, body)) = closure_of(only)
        {
            let from = self.allocate_register()?;
            return self.with_closure(&name.text, params, body, ClosureArguments { from, count: 0, before: 0 }, a);
        }
        let from = self.allocate_registers(arguments.len().max(1))?;
        for (at, argument) in arguments.iter().enumerate() {
            self.expr_to(argument, from + at as Register)?;
        }
        self.span = name.span;
        let count = arguments.len() as u8;
        let call = self.shared.call_as_written(&name.text, count, arguments);
        self.emit(Op::Native { a, from, call, count });
        Ok(())
    }

    /// Compiles `name(arguments)` as a call of a function of the game.
    pub(super) fn lower_own_call(&mut self, name: &Name, key: &str, arguments: &[Expr], a: Register) -> Lowered<()> {
        let from = self.allocate_registers(arguments.len().max(1))?;
        for (at, argument) in arguments.iter().enumerate() {
            self.expr_to(argument, from + at as Register)?;
        }
        self.span = name.span;
        self.emit_own_call(key, from, arguments.len() as u8, a);
        Ok(())
    }

    /// Emits a call of a function of the game whose arguments are already in registers.
    fn emit_own_call(&mut self, key: &str, from: Register, count: u8, a: Register) {
        let function = self.shared.by_key[key];
        self.emit(Op::Call { a, from, function, count });
    }

    /// Compiles `receiver.name(arguments)` as a call of a function of the game. `evaluated` is the register before the evaluated arguments,
    /// if there are any.
    fn lower_own_method(
        &mut self,
        key: &str,
        arguments: &[Expr],
        evaluated: Option<Register>,
        receiver: Receiver,
        result: Register,
    ) -> Lowered<()> {
        let from = match evaluated {
            Some(from) => self.move_above(from, arguments.len() + 1)?,
            None => self.allocate_register()?,
        };
        match receiver {
            Receiver { at, .. } if at == from => {}
            Receiver { at, is_variable: true } => self.move_to(from, at),
            Receiver { at, .. } => drop(self.emit(Op::Take { a: from, from: at })),
        }
        self.emit_own_call(key, from, arguments.len() as u8 + 1, result);
        Ok(())
    }

    /// Compiles a call of a library function that calls its closure itself.
    pub(super) fn with_called_closure(
        &mut self,
        name: &str,
        params: &[Name],
        body: &Statement,
        ClosureArguments { from, count, before }: ClosureArguments,
        result: Register,
    ) -> Lowered<()> {
        let at = self.shared.program.closure_calls.len();
        // The closure counts as an argument.
        let call = self.shared.call(name, count + 1);
        let block =
            ClosureCall { call, from, count, before, params: 0, arity: params.len() as u8, captured: Vec::new() };
        self.shared.program.closure_calls.push(block);
        let outer = (self.variables.len(), stores_closure(name).then(|| self.read.replace(Some(Vec::new()))));
        self.emit(Op::NativeWithClosure { a: result, at: at as u16 });
        let end = self.emit(Op::Jump { to: 0 });
        self.lower_in_scope(|lowering| {
            let start = lowering.here();
            let registers = lowering.allocate_registers(params.len())?;
            for (number, param) in params.iter().enumerate() {
                lowering.declare(&param.text, registers + number as Register);
            }
            lowering.shared.program.closure_calls[at].params = registers;
            let value = lowering.allocate_register()?;
            let loops = std::mem::take(&mut lowering.loops);
            lowering.return_targets.push(ReturnTarget::Native);
            let call_site = lowering.span;
            lowering.lower_inlined(call_site, start, |lowering| lowering.statement(body, Some(value)))?;
            lowering.span = call_site;
            lowering.return_targets.pop();
            lowering.loops = loops;
            lowering.emit(Op::EndClosure { a: value });
            Ok(())
        })?;
        self.patch_jump(end);
        if let (known, Some(before)) = outer {
            let mut captured = self.read.replace(before).unwrap_or_default();
            captured.retain(|register| self.variables[..known].iter().any(|variable| variable.register == *register));
            captured.sort_unstable();
            captured.dedup();
            if let Some(read) = &mut *self.read.borrow_mut() {
                read.extend_from_slice(&captured);
            }
            self.shared.program.closure_calls[at].captured = captured;
        }
        Ok(())
    }

    /// Emits an instruction that loads an empty list into register `a`.
    pub(super) fn empty_list(&mut self, a: Register) {
        self.constant(a, Value::list(Vec::new()));
    }
}

impl Link<'_> {
    /// Returns whether the link changes its receiver in place.
    fn changes(&self) -> bool {
        matches!(&self.kind, LinkKind::Method(name, _) if changes_in_place(&name.text))
    }
}

/// Splits a chain into its root and its links.
fn split_chain(chain: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let (mut root, mut links) = (chain, Vec::new());
    loop {
        let (kind, of, is_optional, span): (_, &Expr, _, _) = match &root.kind {
            ExprKind::Field { receiver: of, name, is_optional } => (LinkKind::Field(name), of, *is_optional, name.span),
            ExprKind::Index { receiver: of, index, is_optional } => {
                (LinkKind::Index(index), of, *is_optional, index.span)
            }
            ExprKind::Method { receiver: of, name, arguments, is_optional } => {
                (LinkKind::Method(name, arguments), of, *is_optional, name.span)
            }
            ExprKind::OwnCall { name, key, arguments, form: form @ (CallForm::Method | CallForm::OptionalMethod) } => {
                let Some((of, rest)) = arguments.split_first() else { break };
                (LinkKind::OwnMethod(key, rest), of, *form == CallForm::OptionalMethod, name.span)
            }
            _ => break,
        };
        links.push(Link { kind, is_optional, span });
        root = of;
    }
    links.reverse();
    (root, links)
}

fn is_closure(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Closure { .. })
}

fn closure_of(expr: &Expr) -> Option<(&[Name], &Statement)> {
    match &expr.kind {
        ExprKind::Closure { params, body } => Some((params, body)),
        _ => None,
    }
}

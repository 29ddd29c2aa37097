//! The fast path of the machine: runs instructions that need only the registers of their function. Most executed instructions are of this
//! kind.

use super::code::{CompiledFunction, Op, Ops, Program, Register, Step};
use super::context::{Context, NativeResult};
use super::fault::{Answer, not_a_flag};
use super::meter::{CHEAP_WORK, Meter};
use super::operator;
use super::place;
use super::standard;
use crate::decision::{Range, Value};
use crate::diagnostic::Fault;
use crate::syntax::BinaryOp;
use std::sync::Arc;

/// Number of registers in a window. A register index can address all of them, so no bounds check is needed.
pub(super) const WINDOW: usize = 256;

/// Registers of a function, beginning with its first register.
pub(super) type Window = [Value; WINDOW];

/// Reason to leave the fast path.
pub(super) enum Exit {
    /// The instruction is not handled by the fast path.
    NeedsRun,
    /// The instruction calls a function of the program.
    Call,
    /// The frame ends. The value is in this register.
    Return(Register),
    /// Memory must be measured.
    MeasureMemory,
    /// Memory must be measured before a jump.
    MeasureThenJump {
        /// Target of the jump.
        to: usize,
    },
    /// A library call returned a result other than a value.
    Called(NativeResult),
    /// A fault.
    Fault(Box<Fault>),
}

impl From<Box<Fault>> for Exit {
    #[cold]
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

/// Sets a register. If dropping the old value does nothing, which is the usual case, it is skipped.
#[inline(always)]
pub(super) fn put(register: &mut Value, value: Value) {
    if register.is_droppable_for_free() {
        std::mem::forget(std::mem::replace(register, value));
    } else {
        *register = value;
    }
}

/// Runs one instruction. `ops` are the instructions after it. Returns an error if the fast path must be left.
#[inline(always)]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "it is read where it lies, part by part")]
pub(super) fn run_fast<'p, C: Context>(
    program: &Program,
    function: &'p CompiledFunction,
    context: &mut C,
    op: &Op,
    registers: &mut Window,
    meter: &mut Meter,
    ops: &mut Ops<'p>,
) -> Result<(), Exit> {
    let at = usize::from;
    match *op {
        Op::Constant { a, at: constant } => {
            let value = program.constants[usize::from(constant)].clone();
            put(&mut registers[at(a)], value);
        }
        Op::Number { a, number } => {
            let value = Value::Number(i64::from(number));
            put(&mut registers[at(a)], value);
        }
        Op::Nothing { a } => {
            let value = Value::Nothing;
            put(&mut registers[at(a)], value);
        }
        Op::Flag { a, flag } => {
            let value = Value::from(flag);
            put(&mut registers[at(a)], value);
        }
        Op::Move { a, from } => {
            let value = registers[at(from)].clone();
            put(&mut registers[at(a)], value);
        }
        Op::Take { a, from } => {
            let value = std::mem::take(&mut registers[at(from)]);
            put(&mut registers[at(a)], value);
        }
        Op::Global { a, name } => {
            let value = context.global(program.symbol(name))?;
            put(&mut registers[at(a)], value);
        }
        Op::Binary { a, op, b, c } => {
            let value = binary(meter, context, op, &registers[at(b)], &registers[at(c)])?;
            put(&mut registers[at(a)], value);
        }
        Op::Negate { a, b } => {
            let value = operator::negate(&registers[at(b)])?;
            put(&mut registers[at(a)], value);
        }
        Op::Plus { a, b } => {
            let value = operator::plus(&registers[at(b)])?;
            put(&mut registers[at(a)], value);
        }
        Op::Not { a, b } => {
            let value = operator::not(&registers[at(b)])?;
            put(&mut registers[at(a)], value);
        }
        Op::Jump { to } => return jump(meter, function, to, ops),
        Op::JumpIf { a, flag, to } => match &registers[at(a)] {
            Value::Flag(found) if found.get() == flag => return jump(meter, function, to, ops),
            Value::Flag(_) => {}
            other => return Err(not_a_flag(other).into()),
        },
        Op::JumpIfTrue { op, b, c, to } => {
            if compare(meter, context, op, &registers[at(b)], &registers[at(c)])? == Some(true) {
                return jump(meter, function, to, ops);
            }
        }
        Op::JumpIfFalse { op, b, c, to } => {
            if compare(meter, context, op, &registers[at(b)], &registers[at(c)])? == Some(false) {
                return jump(meter, function, to, ops);
            }
        }
        Op::JumpIfSome { a, to } => {
            if !matches!(registers[at(a)], Value::Nothing) {
                return jump(meter, function, to, ops);
            }
        }
        Op::JumpIfNothing { a, to } => {
            if matches!(registers[at(a)], Value::Nothing) {
                return jump(meter, function, to, ops);
            }
        }
        Op::Switch { a, at: table } => {
            let table = &program.switches[usize::from(table)];
            meter.spend(table.cases.len() / CHEAP_WORK)?;
            let found = table.cases.iter().find(|(value, _)| *value == registers[at(a)]);
            *ops = function.ops_from(found.map_or(table.otherwise, |(_, to)| *to) as usize);
        }
        Op::Matches { a, b, at: constant } => {
            let is_it = match (&program.constants[usize::from(constant)], &registers[at(b)]) {
                (Value::Range(range), Value::Number(number)) => range.contains(*number),
                (known, found) => known == found,
            };
            put(&mut registers[at(a)], Value::from(is_it));
        }
        Op::Field { a, b, name } => {
            let of = &registers[at(b)];
            let value = if operator::is_game_value(of) {
                context.field(of, program.symbol(name))?
            } else {
                meter.spend(text_lookup_cost(of))?;
                place::field(context, program, of, name)?
            };
            put(&mut registers[at(a)], value);
        }
        Op::QueriedPieces { a, b, name } => {
            let of = &registers[at(b)];
            let value = if matches!(of, Value::Zone(_) | Value::Space(_)) {
                context.queried_pieces(of, program.symbol(name))?
            } else {
                meter.spend(text_lookup_cost(of))?;
                place::field(context, program, of, name)?
            };
            put(&mut registers[at(a)], value);
        }
        Op::Index { a, b, c } => {
            meter.spend(text_lookup_cost(&registers[at(b)]) + text_lookup_cost(&registers[at(c)]))?;
            let value = place::index(context, &registers[at(b)], &registers[at(c)])?;
            put(&mut registers[at(a)], value);
        }
        Op::Get { a, root, path, indices } => {
            let mut value = registers[at(root)].clone();
            let mut index = at(indices);
            for step in &program.paths[usize::from(path)].0 {
                meter.spend(text_lookup_cost(&value))?;
                value = match step {
                    Step::Name(name) => place::field(context, program, &value, *name)?,
                    Step::Index => {
                        index += 1;
                        meter.spend(text_lookup_cost(&registers[index - 1]))?;
                        place::index(context, &value, &registers[index - 1])?
                    }
                };
            }
            put(&mut registers[at(a)], value);
        }
        Op::Range { a, b, c, is_inclusive } => {
            let (start, end) = (operator::bound(&registers[at(b)])?, operator::bound(&registers[at(c)])?);
            put(&mut registers[at(a)], Value::Range(Arc::new(Range { start, end, is_inclusive })));
        }
        Op::Join { a, from, count } => {
            let mut text = String::new();
            for value in &registers[at(from)..at(from) + usize::from(count)] {
                operator::write(value, &mut text);
            }
            meter.spend(usize::from(count) / 2 + text.len() / 16)?;
            registers[at(a)] = operator::text(text)?;
        }
        Op::Iterate { a, b } => {
            if let Value::Text(text) = &registers[at(b)] {
                meter.spend(text.len() / 4)?;
            }
            let list = operator::to_iterable(&registers[at(b)])?;
            put(&mut registers[at(a)], list);
            put(&mut registers[at(a) + 1], Value::Number(0));
        }
        Op::IterateElements { a, b, is_list } => {
            let of = &registers[at(b)];
            let entries = match of {
                Value::List(_) => Some(of.clone()),
                _ if is_list => None,
                of => context.elements(of),
            };
            let Some(entries) = entries else {
                return Err(operator::list_expected(of).into());
            };
            put(&mut registers[at(a)], entries);
            put(&mut registers[at(a) + 1], Value::Number(0));
        }
        Op::NativeOnResults { a, call, entries, results } => {
            let results = std::mem::take(&mut registers[at(results)]);
            let Value::List(results) = &results else { return Ok(()) };
            registers[at(a)] = context.native_on_results(program.callee(call), &registers[at(entries)], results)?;
        }
        Op::Reached { point } => context.reached(point),
        Op::EmptyLike { a, of } => {
            let value = operator::empty_like(&registers[at(of)]);
            put(&mut registers[at(a)], value);
        }
        Op::RestoreType { a, from, of } => {
            let gathered = std::mem::take(&mut registers[at(from)]);
            let value = operator::restore_type(&registers[at(of)], gathered);
            put(&mut registers[at(a)], value);
        }
        Op::Seek { a, b } => {
            if let (Value::List(items), Value::Number(start)) = (&registers[at(a)], &registers[at(b)]) {
                let start = standard::insert_position(*start, items.len());
                put(&mut registers[at(a) + 1], Value::Number(start as i64));
            }
        }
        Op::Position { a, of } => {
            let value = registers[at(of) + 1].clone();
            put(&mut registers[at(a)], value);
        }
        Op::Next { a, value, to } => {
            let Value::Number(position) = registers[at(a) + 1] else { return Ok(()) };
            match operator::entry(&registers[at(a)], position) {
                Some(entry) => {
                    put(&mut registers[at(value)], entry);
                    put(&mut registers[at(a) + 1], Value::Number(position + 1));
                }
                None => *ops = function.ops_from(to as usize),
            }
        }
        Op::Native { a, from, call, count } => {
            let given = &mut registers[at(from)..at(from) + usize::from(count)];
            let plain = if meter.fuel > 0 { context.call_plain(call, given) } else { None };
            let called = match plain {
                Some(called) => {
                    meter.fuel -= 1;
                    called?
                }
                None => call_any(program, context, meter, call, given)?,
            };
            if let Some(fuel) = context.take_refuel() {
                meter.fuel = fuel;
            }
            meter.spend_native_work(context)?;
            let NativeResult::Value(value) = called else {
                return Err(Exit::Called(called));
            };
            // The result may contain values that were nested in an argument and are now up to two levels deeper.
            let is_deep = value.is_nest() && !meter.note_nesting(2);
            put(&mut registers[at(a)], value);
            if from != a {
                release(&mut registers[at(from)]);
            }
            if is_deep {
                return Err(Exit::MeasureMemory);
            }
        }
        Op::AddTo { a, b } => {
            let (Value::Number(left), Value::Number(right)) = (&registers[at(a)], &registers[at(b)]) else {
                return Err(Exit::NeedsRun);
            };
            // The slow path measures memory.
            if meter.is_overdue() {
                return Err(Exit::NeedsRun);
            }
            registers[at(a)] = operator::numbers(BinaryOp::Add, *left, *right)?;
        }
        Op::Push { list, value } => {
            // A value with elements can make the list too deep, which the slow path checks.
            if registers[at(value)].is_nest() || meter.is_overdue() {
                return Err(Exit::NeedsRun);
            }
            meter.spend(1)?;
            let value = registers[at(value)].clone();
            operator::push(&mut registers[at(list)], value)?;
        }
        Op::Call { .. } => return Err(Exit::Call),
        Op::EndClosure { a } | Op::Return { a } => return Err(Exit::Return(a)),
        _ => return Err(Exit::NeedsRun),
    }
    Ok(())
}

/// Calls a library function that the context does not call as a plain one. A call with a function among its arguments leaves the fast path.
#[inline(never)]
fn call_any<C: Context>(
    program: &Program,
    context: &mut C,
    meter: &mut Meter,
    call: u16,
    given: &mut [Value],
) -> Result<NativeResult, Exit> {
    if given.iter().any(|given| matches!(given, Value::Function(_))) {
        return Err(Exit::NeedsRun);
    }
    meter.spend(1)?;
    Ok(context.native(program.callee(call), given)?)
}

/// Clears the register of an argument after a call. Another owner of the value can then change it without a copy.
#[inline(always)]
pub(super) fn release(register: &mut Value) {
    if !register.is_inline() {
        *register = Value::Nothing;
    }
}

/// Jumps to an instruction. A backward jump charges the fuel of an iteration.
#[inline(always)]
fn jump<'p>(meter: &mut Meter, function: &'p CompiledFunction, to: u32, ops: &mut Ops<'p>) -> Result<(), Exit> {
    let (to, next) = (to as usize, function.index_of(ops));
    if to < next {
        meter.spend(function.start_costs[next - 1] as usize)?;
        if meter.tick() {
            return Err(Exit::MeasureThenJump { to });
        }
    }
    *ops = function.ops_from(to);
    Ok(())
}

/// Computes `left op right`.
#[inline(always)]
fn binary<C: Context>(meter: &mut Meter, context: &mut C, op: BinaryOp, left: &Value, right: &Value) -> Answer<Value> {
    if let (Value::Number(left), Value::Number(right)) = (left, right) {
        return operator::numbers(op, *left, *right);
    }
    if matches!(op, BinaryOp::Equal | BinaryOp::Unequal)
        && let Some(is_equal) = operator::free_equality(left, right)
    {
        return Ok(Value::from(is_equal == (op == BinaryOp::Equal)));
    }
    if operator::is_game_operator(op, left, right) {
        return context.operate(op, left, right);
    }
    let work = operator::operand_cost(left)? + operator::operand_cost(right)?;
    let value = operator::binary(op, left, right)?;
    if work > 0 || matches!(value, Value::Text(_)) {
        meter.spend(1 + work)?;
    }
    Ok(value)
}

/// Returns the Boolean result of `left op right`, or `None` if the result is not a Boolean.
#[inline(always)]
fn compare<C: Context>(
    meter: &mut Meter,
    context: &mut C,
    op: BinaryOp,
    left: &Value,
    right: &Value,
) -> Answer<Option<bool>> {
    if let (Value::Number(left), Value::Number(right)) = (left, right)
        && let Some(holds) = operator::compare_numbers(op, *left, *right)
    {
        return Ok(Some(holds));
    }
    match binary(meter, context, op, left, right)? {
        Value::Flag(flag) => Ok(Some(flag.get())),
        _ => Ok(None),
    }
}

/// Returns the cost of searching for a character in a text, or of looking up the text as a key. The cost grows with the length of the text.
#[inline(always)]
pub(super) fn text_lookup_cost(value: &Value) -> usize {
    if let Value::Text(text) = value { text.len() / 256 } else { 0 }
}

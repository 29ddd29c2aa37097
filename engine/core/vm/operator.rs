//! Operators, and operations on lists, maps, texts and ranges that several instructions share.

use super::code::{Binary, Program, Step};
use super::fault::{Answer, boxed_fault};
use crate::decision::{
    ASK_FIRST, Choice, HandleList, MAX_ENTRIES, Map, OptionSet, SPLIT_LIST, TOO_HEAVY, Type, Value, iteration_help,
    operator_help,
};
use crate::diagnostic::{Fault, sentence};
use arcstr::ArcStr;
use std::cmp::Ordering;
use std::fmt::Write;
use std::sync::Arc;

/// Maximum length of a text in bytes.
const MAX_TEXT_BYTES: usize = 16_384;

/// Label for an operator that cannot compute its result.
const CANNOT: &str = sentence::CANNOT_BE_CALCULATED;

/// Checks that a list or map has at most [`MAX_ENTRIES`] entries.
pub(super) fn check_length(entries: usize) -> Answer<()> {
    if entries <= MAX_ENTRIES {
        return Ok(());
    }
    let message = format!("a list or map cannot have more than {MAX_ENTRIES} entries");
    Err(Fault::new("too-large", message, TOO_HEAVY[1]).help(SPLIT_LIST).into())
}

fn too_large(message: &str) -> Box<Fault> {
    let [_, note, help] = TOO_HEAVY;
    Fault::new("too-large", message, note).help(help).into()
}

/// Returns the fault for a value that is not a list where one is required.
pub(super) fn list_expected(of: &Value) -> Box<Fault> {
    Box::new(sentence::list_expected(&of.kind(), ask_first(of)))
}

/// Returns the help text for a fault if the operand is `()`.
fn ask_first(of: &Value) -> Option<&'static str> {
    (*of == Value::Nothing).then_some(ASK_FIRST)
}

/// Creates a text of one character.
pub(super) fn letter(c: char) -> Value {
    Value::text(c.encode_utf8(&mut [0; 4]))
}

/// Converts a string to a value. Faults if the string is too long.
pub(super) fn text(text: String) -> Answer<Value> {
    if text.len() <= MAX_TEXT_BYTES {
        Ok(Value::Text(text.into()))
    } else {
        Err(too_large(&format!("a text grew beyond {MAX_TEXT_BYTES} bytes")))
    }
}

/// Returns whether the game evaluates the operator instead of the machine. This is the case for `+` if the left operand belongs to the game
/// (see [`is_game_value`]) and the right one is not a text, and for `in` and `!in` if the right operand belongs to the game.
#[inline(always)]
pub(super) const fn is_game_operator(op: Binary, left: &Value, right: &Value) -> bool {
    match op {
        Binary::Add => is_game_value(left) && !matches!(right, Value::Text(_)),
        Binary::In | Binary::NotIn => is_game_value(right),
        _ => false,
    }
}

/// Returns whether a value is a game object or a collection of game objects, rather than a value of the language.
#[inline(always)]
pub(super) const fn is_game_value(value: &Value) -> bool {
    !matches!(
        value,
        Value::Nothing
            | Value::Flag(_)
            | Value::Number(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Range(_)
            | Value::Function(_)
    )
}

/// Length in bytes below which a text is compared without a charge.
const FREE_TEXT_BYTES: usize = 48;

/// Compares two values if the comparison is free, as it is for most values: numbers, Booleans, single game objects and short texts. Returns
/// `None` for all other values, and for functions, which cannot be compared.
#[inline(always)]
pub(super) fn free_equality(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => (a.len().max(b.len()) < FREE_TEXT_BYTES).then(|| a == b),
        (Value::Function(_), _) | (_, Value::Function(_)) => None,
        (a, b) if a.is_inline() && b.is_inline() => Some(a == b),
        _ => None,
    }
}

/// Returns the cost of reading an operand completely, in operations.
///
/// # Errors
/// Returns a fault if the operand exceeds the memory limits.
#[inline(always)]
pub(super) fn operand_cost(value: &Value) -> Answer<usize> {
    match value {
        Value::List(_) | Value::Map(_) | Value::Text(_) => value.cost_if_bounded().ok_or_else(too_heavy),
        value if value.is_inline() => Ok(0),
        value => value.entries_within().ok_or_else(too_heavy),
    }
}

/// Returns the fault for a value that exceeds the memory limits if its shared parts are counted at each occurrence.
#[cold]
pub(crate) fn too_heavy() -> Box<Fault> {
    too_large(TOO_HEAVY[0])
}

/// Returns the cost of `to += value`, in operations. A shared collection has to be copied.
#[inline(always)]
pub(super) fn addition_cost(to: &Value, value: &Value) -> usize {
    let own = match to {
        Value::List(items) if Arc::strong_count(items) > 1 => items.len() / MOVES_PER_COPY,
        Value::List(items) => items.len() / 64,
        Value::Map(map) if Arc::strong_count(map) > 1 => map.len() / MOVES_PER_COPY,
        Value::Map(map) => map.len() / 64,
        Value::Text(text) => text.len() / 64,
        _ => return 0,
    };
    let other = match value {
        Value::List(items) => items.len() / MOVES_PER_COPY,
        Value::Map(map) => map.len() / 2,
        Value::Text(text) => text.len() / 64,
        _ => 0,
    };
    own + other
}

/// Number of entries that can be moved in the time that it takes to copy one.
const MOVES_PER_COPY: usize = 4;

/// Returns the cost of changing the part at the end of `steps`, in copied entries. The entries of shared collections along the path are
/// copied. If a map gets a new key, its entries are only moved, which counts as a quarter.
pub(super) fn copy_cost(program: &Program, value: &Value, steps: &[Step], indices: &[Value]) -> usize {
    let Some((step, rest)) = steps.split_first() else { return 0 };
    match (step, value) {
        (Step::Name(name), Value::Map(map)) => {
            let part = map.get(&program.names[usize::from(*name)]);
            let inner = part.map_or(0, |part| copy_cost(program, part, rest, indices));
            inner + if Arc::strong_count(map) > 1 { map.len() } else { 0 }
        }
        (Step::Index, Value::List(items)) => {
            let entry = match indices.first() {
                Some(Value::Number(at)) => position(*at, items.len()).map(|at| &items[at]),
                _ => None,
            };
            let inner = entry.map_or(0, |entry| copy_cost(program, entry, rest, indices.get(1..).unwrap_or_default()));
            inner + if Arc::strong_count(items) > 1 { items.len() } else { 0 }
        }
        // Maps are sorted, so adding a key moves the keys after it.
        (Step::Index, Value::Map(map)) => {
            let is_known = matches!(indices.first(), Some(Value::Text(name)) if map.get(name).is_some());
            if Arc::strong_count(map) > 1 {
                map.len()
            } else if is_known {
                0
            } else {
                map.len() / MOVES_PER_COPY
            }
        }
        _ => 0,
    }
}

/// Appends an element to a list or to a collection of game objects.
#[inline(always)]
pub(super) fn push(list: &mut Value, entry: Value) -> Answer<()> {
    match (list, entry) {
        (Value::List(items), entry) => {
            check_length(items.len() + 1)?;
            Arc::make_mut(items).push(entry);
        }
        (Value::Pieces(set), Value::Piece(piece)) => set.to_mut().push(piece.get()),
        (Value::Spaces(set), Value::Space(space)) => set.to_mut().push(space.get()),
        (Value::Zones(set), Value::Zone(zone)) => set.to_mut().push(zone.get()),
        (Value::Components(set), Value::Component(component)) => set.to_mut().push(component.get()),
        (Value::Seats(set), Value::Seat(seat)) => set.to_mut().push(seat.get()),
        (list, entry) => {
            return Err(boxed_fault("wrong-type", format!("{} is no entry of {}", entry.kind(), list.kind())));
        }
    }
    Ok(())
}

/// Returns an empty collection of the same type as `value` if it is a collection of game objects, otherwise an empty list.
pub(super) fn empty_like(value: &Value) -> Value {
    match value {
        Value::Pieces(_) => Value::Pieces(HandleList::default()),
        Value::Spaces(_) => Value::Spaces(HandleList::default()),
        Value::Zones(_) => Value::Zones(HandleList::default()),
        Value::Components(_) => Value::Components(HandleList::default()),
        Value::Seats(_) => Value::Seats(HandleList::default()),
        _ => Value::list(Vec::new()),
    }
}

/// Converts a filtered list back to a set of options if `of` is a set of options. Otherwise, returns `gathered` unchanged.
pub(super) fn restore_type(of: &Value, gathered: Value) -> Value {
    match (of, &gathered) {
        (Value::Options(_), Value::List(list)) => {
            let kept = list.iter().filter_map(Choice::from_value).collect();
            Value::Options(Arc::new(OptionSet::List(kept)))
        }
        _ => gathered,
    }
}

/// Computes `left += right`.
pub(super) fn add_to(left: &mut Value, right: &Value) -> Answer<()> {
    if let (Value::List(items), Value::List(more)) = (&mut *left, right) {
        check_length(items.len() + more.len())?;
        Arc::make_mut(items).extend(more.iter().cloned());
        return Ok(());
    }
    // Without this check, `list + text` would silently turn a list variable into a text.
    if matches!(left, Value::List(_)) {
        return Err(operand_fault(Binary::Add, left, right));
    }
    *left = binary(Binary::Add, left, right)?;
    Ok(())
}

/// Computes `left op right`.
#[inline(always)]
pub(super) fn binary(op: Binary, left: &Value, right: &Value) -> Answer<Value> {
    if let (Value::Number(a), Value::Number(b)) = (left, right) {
        return numbers(op, *a, *b);
    }
    non_numbers(op, left, right)
}

/// Computes `a op b` for numbers.
#[inline(always)]
pub(super) fn numbers(op: Binary, a: i64, b: i64) -> Answer<Value> {
    Ok(Value::Number(match op {
        Binary::Equal => return Ok(Value::from(a == b)),
        Binary::Unequal => return Ok(Value::from(a != b)),
        Binary::Less => return Ok(Value::from(a < b)),
        Binary::LessOrEqual => return Ok(Value::from(a <= b)),
        Binary::Greater => return Ok(Value::from(a > b)),
        Binary::GreaterOrEqual => return Ok(Value::from(a >= b)),
        Binary::Add => a.checked_add(b).ok_or_else(|| overflow("+", a, b))?,
        Binary::Subtract => a.checked_sub(b).ok_or_else(|| overflow("-", a, b))?,
        Binary::Multiply => a.checked_mul(b).ok_or_else(|| overflow("*", a, b))?,
        Binary::Divide | Binary::Remainder if b == 0 => {
            return Err(Box::new(sentence::divided_by_nothing()));
        }
        Binary::Divide => a.checked_div(b).ok_or_else(|| overflow("/", a, b))?,
        Binary::Remainder => a.checked_rem(b).ok_or_else(|| overflow("%", a, b))?,
        Binary::Power => power(a, b)?,
        Binary::In | Binary::NotIn => {
            return Err(Box::new(crate::library::membership_error(Type::Number, Type::Number)));
        }
        Binary::And | Binary::Or | Binary::Coalesce | Binary::Range | Binary::RangeInclusive => {
            return Err(operand_fault(op, &Value::Number(a), &Value::Number(b)));
        }
    }))
}

/// Returns whether a comparison of numbers holds. Returns `None` if `op` is no comparison.
#[inline(always)]
pub(super) fn compare_numbers(op: Binary, a: i64, b: i64) -> Option<bool> {
    // A bit for each order of the operands: less, equal, greater. The table avoids a branch for each operator.
    let orders = match op {
        Binary::Less => 0b001,
        Binary::Equal => 0b010,
        Binary::LessOrEqual => 0b011,
        Binary::Greater => 0b100,
        Binary::Unequal => 0b101,
        Binary::GreaterOrEqual => 0b110,
        _ => 0,
    };
    (orders != 0).then_some(orders >> (a.cmp(&b) as i8 + 1) & 1 != 0)
}

fn power(a: i64, b: i64) -> Answer<i64> {
    let by = u32::try_from(b).map_err(|_| {
        let what = if b < 0 { "a power below 0" } else { "too large a power" };
        Fault::new("arithmetic", format!("`{a} ** {b}` is {what}"), CANNOT)
    })?;
    a.checked_pow(by).ok_or_else(|| overflow("**", a, b))
}

fn overflow(op: &str, a: i64, b: i64) -> Box<Fault> {
    Fault::new("arithmetic", format!("`{a} {op} {b}` is a larger number than rules can hold"), CANNOT).into()
}

fn operand_fault(op: Binary, left: &Value, right: &Value) -> Box<Fault> {
    let symbol = Binary::ALL.iter().find(|(known, ..)| *known == op).map_or("", |(_, symbol, _)| symbol);
    let help = operator_help(symbol, &[left.sort()], &[right.sort()]);
    Box::new(sentence::operator_between(symbol, &left.kind(), &right.kind(), help))
}

fn non_numbers(op: Binary, left: &Value, right: &Value) -> Answer<Value> {
    match op {
        Binary::Equal | Binary::Unequal if matches!((left, right), (Value::Function(_), Value::Function(_))) => {
            return Err(operand_fault(op, left, right));
        }
        Binary::Equal => return Ok(Value::from(equal(left, right))),
        Binary::Unequal => return Ok(Value::from(!equal(left, right))),
        Binary::In => return contains(right, left).map(Value::from),
        Binary::NotIn => return contains(right, left).map(|found| Value::from(!found)),
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
            let (Value::Text(left), Value::Text(right)) = (left, right) else {
                return Err(operand_fault(op, left, right));
            };
            let order = left.cmp(right);
            return Ok(Value::Flag(match op {
                Binary::Less => (order == Ordering::Less).into(),
                Binary::LessOrEqual => (order != Ordering::Greater).into(),
                Binary::Greater => (order == Ordering::Greater).into(),
                _ => (order != Ordering::Less).into(),
            }));
        }
        _ => {}
    }
    match (op, left, right) {
        (Binary::Add, Value::Text(_), _) | (Binary::Add, _, Value::Text(_)) => concatenate(left, right),
        (Binary::Add, Value::List(a), Value::List(b)) => {
            check_length(a.len() + b.len())?;
            Ok(Value::list(a.iter().chain(b.iter()).cloned().collect()))
        }
        (Binary::Add, Value::Map(a), Value::Map(b)) => {
            let all = a.iter().chain(b.iter()).map(|(name, value)| (name.clone(), value.clone()));
            let map = Map::new(all);
            check_length(map.len())?;
            Ok(Value::Map(Arc::new(map)))
        }
        _ => Err(operand_fault(op, left, right)),
    }
}

/// Concatenates two values as text.
fn concatenate(left: &Value, right: &Value) -> Answer<Value> {
    let mut whole = String::new();
    write(left, &mut whole);
    write(right, &mut whole);
    text(whole)
}

/// Returns whether two values are equal. Values of different types are never equal.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            let alike = |((a, one), (b, other)): ((&ArcStr, &Value), (&ArcStr, &Value))| a == b && equal(one, other);
            a.len() == b.len() && a.iter().zip(b.iter()).all(alike)
        }
        (a, b) => a == b,
    }
}

/// Returns whether a list, text or range contains a value, or a map contains a key.
pub(super) fn contains(of: &Value, item: &Value) -> Answer<bool> {
    match (of, item) {
        (Value::List(items), item) => Ok(items.iter().any(|one| equal(one, item))),
        (Value::Text(text), Value::Text(part)) => Ok(text.contains(part.as_str())),
        (Value::Map(map), Value::Text(name)) => Ok(map.get(name).is_some()),
        (Value::Range(range), Value::Number(number)) => Ok(range.contains(*number)),
        _ => Err(Box::new(crate::library::membership_error(item.sort(), of.sort()))),
    }
}

/// Computes `-value`.
pub(super) fn negate(value: &Value) -> Answer<Value> {
    match value {
        Value::Number(number) => number.checked_neg().map(Value::Number).ok_or_else(|| {
            let message = format!("`-{number}` is a larger number than rules can hold");
            Fault::new("arithmetic", message, CANNOT).into()
        }),
        other => Err(unary_fault("-", other)),
    }
}

/// Computes `+value`.
pub(super) fn plus(value: &Value) -> Answer<Value> {
    match value {
        Value::Number(number) => Ok(Value::Number(*number)),
        other => Err(unary_fault("+", other)),
    }
}

/// Computes `!value`.
pub(super) fn not(value: &Value) -> Answer<Value> {
    match value {
        Value::Flag(flag) => Ok((!flag.get()).into()),
        Value::Nothing => Err(Box::new(sentence::operator_before("!", &value.kind(), Some(sentence::END_IN_A_FLAG)))),
        other => Err(unary_fault("!", other)),
    }
}

/// Returns the fault for a unary operator that does not accept its operand.
fn unary_fault(symbol: &str, of: &Value) -> Box<Fault> {
    Box::new(sentence::operator_before(symbol, &of.kind(), ask_first(of)))
}

/// Converts a bound of a range to a number.
pub(super) fn bound(value: &Value) -> Answer<i64> {
    match value {
        Value::Number(number) => Ok(*number),
        other => {
            let message = format!("a range goes from number to number, not {}", other.kind());
            let help = (*other == Value::Nothing).then(|| ASK_FIRST.to_owned());
            Err(Fault::new("wrong-type", message, "here").maybe_help(help).into())
        }
    }
}

/// Converts an index used in a script to a non-negative index. Negative indices count from the end. Returns `None` if the index is out of
/// range.
pub(super) fn position(index: i64, length: usize) -> Option<usize> {
    let at = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(at).ok().filter(|at| *at < length)
}

/// Returns the value that a `for` loop over `value` iterates over: a list of characters for a text, otherwise the value itself.
///
/// # Errors
/// Returns a fault if `value` cannot be iterated over.
pub(super) fn to_iterable(value: &Value) -> Answer<Value> {
    match value {
        Value::List(_)
        | Value::Range(_)
        | Value::Pieces(_)
        | Value::Spaces(_)
        | Value::Zones(_)
        | Value::Components(_)
        | Value::Seats(_) => Ok(value.clone()),
        // Finding a character in a text takes linear time, so the text is split once.
        Value::Text(text) => Ok(Value::List(Arc::new(text.chars().map(letter).collect()))),
        _ => Err(Box::new(sentence::not_iterated(&value.kind(), iteration_help(&[value.sort()])))),
    }
}

/// Returns the element at a position of an iterated value.
#[inline(always)]
pub(super) fn entry(value: &Value, position: i64) -> Option<Value> {
    match value {
        Value::List(items) => items.get(position as usize).cloned(),
        Value::Range(range) => {
            let number = range.start.checked_add(position)?;
            range.contains(number).then_some(Value::Number(number))
        }
        Value::Text(text) => text.chars().nth(position as usize).map(letter),
        Value::Pieces(set) => set.get(position as usize).copied().map(Value::from),
        Value::Spaces(set) => set.get(position as usize).copied().map(Value::from),
        Value::Zones(set) => set.get(position as usize).copied().map(Value::from),
        Value::Components(set) => set.get(position as usize).copied().map(Value::from),
        Value::Seats(set) => set.get(position as usize).copied().map(Value::from),
        Value::Options(set) => {
            let position = usize::try_from(position).ok().filter(|position| *position < set.len())?;
            Some(set.get(position).to_value())
        }
        _ => None,
    }
}

/// Appends the text of a value to `into`.
pub(super) fn write(value: &Value, into: &mut String) {
    match value {
        Value::Nothing => {}
        Value::Text(text) => into.push_str(text),
        other => write_nested(other, into),
    }
}

/// Appends the text of a value that is nested in a list or map. Strings are written in quotes.
fn write_nested(value: &Value, into: &mut String) {
    // A longer text will be rejected anyway.
    if into.len() > MAX_TEXT_BYTES {
        return;
    }
    let done = match value {
        Value::Nothing => into.write_str("()"),
        Value::Flag(flag) => write!(into, "{}", flag.get()),
        Value::Number(number) => write!(into, "{number}"),
        Value::Text(text) => write!(into, "{:?}", text.as_str()),
        Value::List(items) => {
            into.push('[');
            for (at, item) in items.iter().enumerate() {
                into.push_str(if at > 0 { ", " } else { "" });
                write_nested(item, into);
            }
            into.write_str("]")
        }
        Value::Map(map) => {
            into.push_str("#{");
            for (at, (name, part)) in map.iter().enumerate() {
                into.push_str(if at > 0 { ", " } else { "" });
                let _ = write!(into, "{:?}: ", name.as_str());
                write_nested(part, into);
            }
            into.write_str("}")
        }
        Value::Range(range) => {
            write!(into, "{}{}{}", range.start, if range.is_inclusive { "..=" } else { ".." }, range.end)
        }
        other => into.write_str(other.sort().word()),
    };
    // Writing to a `String` cannot fail.
    debug_assert!(done.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_comparisons_agrees_with_the_operators() {
        for (op, ..) in Binary::ALL {
            for (a, b) in [(1, 2), (2, 2), (2, 1), (i64::MIN, i64::MAX)] {
                let expected = match numbers(op, a, b) {
                    Ok(Value::Flag(flag)) => Some(flag.get()),
                    _ => None,
                };
                assert_eq!(compare_numbers(op, a, b), expected, "{a} {op:?} {b}");
            }
        }
    }
}

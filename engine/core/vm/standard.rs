//! Functions of lists, maps, texts, numbers and ranges. They behave like the functions of the script engine (Rhai).

use super::fault::{Answer, boxed_fault, not_a_flag};
use super::operator::{check_length, contains, equal, letter, position, text, write};
use crate::decision::{Map, Range, Value};
use crate::diagnostic::Fault;
use crate::library::{
    BuiltinCodes, Form, ListCode, LoopCode, MapCode, NumberCode, PropertyCode, RangeCode, TextCode, builtin_codes,
};
use arcstr::ArcStr;
use std::sync::Arc;

/// Returns a property of a list, map, text, number or range. Returns `None` if the value has no such property.
pub(super) fn property(of: &Value, code: PropertyCode) -> Option<Value> {
    Some(match (code, of) {
        (PropertyCode::Len, of) => Value::Number(length(of)? as i64),
        (PropertyCode::IsEmpty, Value::Range(range)) => Value::from(!range.contains(range.start)),
        (PropertyCode::IsEmpty, of) => Value::from(length(of)? == 0),
        (PropertyCode::IsOdd, Value::Number(number)) => Value::from(number % 2 != 0),
        (PropertyCode::IsEven, Value::Number(number)) => Value::from(number % 2 == 0),
        (PropertyCode::IsZero, Value::Number(number)) => Value::from(*number == 0),
        (PropertyCode::Start, Value::Range(range)) => Value::Number(range.start),
        (PropertyCode::End, Value::Range(range)) => Value::Number(range.end),
        (
            PropertyCode::IsOdd | PropertyCode::IsEven | PropertyCode::IsZero | PropertyCode::Start | PropertyCode::End,
            _,
        ) => return None,
    })
}

fn length(of: &Value) -> Option<usize> {
    match of {
        Value::List(items) => Some(items.len()),
        Value::Map(map) => Some(map.len()),
        Value::Text(text) => Some(text.chars().count()),
        _ => None,
    }
}

/// Calls a function of a built-in type. Returns `None` if no overload accepts the arguments.
///
/// # Errors
/// Returns a fault if the function rejects the arguments.
pub fn native(own: BuiltinCodes, arguments: &mut [Value]) -> Answer<Option<Value>> {
    let Some((of, rest)) = arguments.split_first_mut() else { return Ok(None) };
    if rest.is_empty() {
        // Properties can also be called like functions without arguments.
        if let Some(value) = own.property.and_then(|code| property(of, code)) {
            return Ok(Some(value));
        }
        if own.is_written {
            return to_text(of);
        }
    }
    match of {
        Value::List(items) => {
            let Some(code) = own.list else { return Ok(None) };
            let done = list_function(code, items, rest);
            release_capacity(items);
            done
        }
        Value::Map(map) => Ok(own.map.and_then(|code| map_function(code, map, rest))),
        Value::Text(whole) => own.text.map_or(Ok(None), |code| text_function(code, whole, rest)),
        Value::Number(number) => own.number.map_or(Ok(None), |code| number_function(code, *number, rest)),
        Value::Range(range) => own.range.map_or(Ok(None), |code| range_function(code, range, rest)),
        _ => Ok(None),
    }
}

/// Releases the unused capacity of a list, if there is much of it and the list is not shared. The memory limit counts lengths, so it would
/// not account for unused capacity.
fn release_capacity(items: &mut Arc<Vec<Value>>) {
    let most = 4 * items.len() + 16;
    if items.capacity() > most
        && let Some(items) = Arc::get_mut(items)
    {
        items.shrink_to(items.len() * 2);
    }
}

/// Result of a function that is called for its effect.
const NOTHING: Option<Value> = Some(Value::Nothing);

/// Converts an index to an insertion position. Negative indices count from the end. An index out of range is clamped.
pub(super) fn insert_position(at: i64, length: usize) -> usize {
    if at < 0 {
        usize::try_from(at + length as i64).unwrap_or(0)
    } else {
        usize::try_from(at).unwrap_or(length).min(length)
    }
}

/// Converts a start and a count to a range of existing positions. A negative start counts from the end. The range is clamped to the length.
fn clamp_span(start: i64, count: i64, length: usize) -> std::ops::Range<usize> {
    let from = insert_position(start, length);
    let count = usize::try_from(count).unwrap_or(0).min(length - from);
    from..from + count
}

fn range_span(range: &Range, length: usize) -> std::ops::Range<usize> {
    let start = range.start.max(0);
    let end = range.exclusive_end().unwrap_or(i64::MAX).max(start);
    clamp_span(start, end - start, length)
}

fn list_function(code: ListCode, items: &mut Arc<Vec<Value>>, rest: &mut [Value]) -> Answer<Option<Value>> {
    let length = items.len();
    match (code, &mut *rest) {
        (ListCode::Push, [item]) => {
            check_length(length + 1)?;
            Arc::make_mut(items).push(std::mem::take(item));
            Ok(NOTHING)
        }
        (ListCode::Pop, []) => Ok(Some(Arc::make_mut(items).pop().unwrap_or_default())),
        (ListCode::Shift, []) => Ok(Some(if length == 0 { Value::Nothing } else { Arc::make_mut(items).remove(0) })),
        (ListCode::Insert, [Value::Number(at), item]) => {
            check_length(length + 1)?;
            Arc::make_mut(items).insert(insert_position(*at, length), std::mem::take(item));
            Ok(NOTHING)
        }
        (ListCode::Remove, [Value::Number(at)]) => {
            let at = position(*at, length);
            Ok(Some(at.map_or(Value::Nothing, |at| Arc::make_mut(items).remove(at))))
        }
        (ListCode::Clear, []) => {
            Arc::make_mut(items).clear();
            Ok(NOTHING)
        }
        (ListCode::Truncate, [Value::Number(count)]) => {
            Arc::make_mut(items).truncate(usize::try_from(*count).unwrap_or(0));
            Ok(NOTHING)
        }
        (ListCode::Chop, [Value::Number(count)]) => {
            let keep = usize::try_from(*count).unwrap_or(0).min(length);
            Arc::make_mut(items).drain(..length - keep);
            Ok(NOTHING)
        }
        (ListCode::Reverse, []) => {
            Arc::make_mut(items).reverse();
            Ok(NOTHING)
        }
        (ListCode::Append, [Value::List(more)]) => {
            check_length(length + more.len())?;
            Arc::make_mut(items).extend(more.iter().cloned());
            Ok(NOTHING)
        }
        (ListCode::Extract, [Value::Number(start)]) => Ok(Some(slice(items, clamp_span(*start, i64::MAX, length)))),
        (ListCode::Extract, [Value::Number(start), Value::Number(count)]) => {
            Ok(Some(slice(items, clamp_span(*start, *count, length))))
        }
        (ListCode::Extract, [Value::Range(range)]) => Ok(Some(slice(items, range_span(range, length)))),
        (ListCode::Splice, [Value::Number(start), Value::Number(count), Value::List(more)]) => {
            splice(items, clamp_span(*start, *count, length), more)
        }
        (ListCode::Splice, [Value::Range(range), Value::List(more)]) => splice(items, range_span(range, length), more),
        (ListCode::Contains, [item]) => Ok(Some(items.iter().any(|one| equal(one, item)).into())),
        (ListCode::IndexOf, [item]) => Ok(Some(index_of(items, item, 0))),
        (ListCode::IndexOf, [item, Value::Number(start)]) => {
            Ok(Some(index_of(items, item, insert_position(*start, length))))
        }
        (ListCode::Get, [Value::Number(at)]) => {
            Ok(Some(position(*at, length).map_or(Value::Nothing, |at| items[at].clone())))
        }
        (ListCode::Dedup, []) => {
            Arc::make_mut(items).dedup_by(|a, b| equal(b, a));
            Ok(NOTHING)
        }
        (ListCode::Sort, []) => sort(items),
        (
            ListCode::Append
            | ListCode::Chop
            | ListCode::Clear
            | ListCode::Contains
            | ListCode::Dedup
            | ListCode::Extract
            | ListCode::Get
            | ListCode::IndexOf
            | ListCode::Insert
            | ListCode::Pop
            | ListCode::Push
            | ListCode::Remove
            | ListCode::Reverse
            | ListCode::Shift
            | ListCode::Sort
            | ListCode::Splice
            | ListCode::Truncate,
            _,
        ) => Ok(None),
    }
}

fn slice(items: &[Value], range: std::ops::Range<usize>) -> Value {
    Value::list(items[range].to_vec())
}

fn splice(items: &mut Arc<Vec<Value>>, range: std::ops::Range<usize>, more: &[Value]) -> Answer<Option<Value>> {
    check_length(items.len() - range.len() + more.len())?;
    Arc::make_mut(items).splice(range, more.iter().cloned());
    Ok(NOTHING)
}

fn index_of(items: &[Value], item: &Value, from: usize) -> Value {
    let found = items.iter().skip(from).position(|one| equal(one, item));
    Value::Number(found.map_or(-1, |at| (at + from) as i64))
}

/// Sorts a list of numbers or a list of texts. Any other list is a fault if it has more than one element.
fn sort(items: &mut Arc<Vec<Value>>) -> Answer<Option<Value>> {
    let rank = |value: &Value| match value {
        Value::Number(_) => Some(0),
        Value::Text(_) => Some(1),
        _ => None,
    };
    let kinds: Vec<Option<i32>> = items.iter().map(rank).collect();
    if items.len() > 1 && (kinds.contains(&None) || kinds.windows(2).any(|pair| pair[0] != pair[1])) {
        return Err(Fault::new("wrong-type", "only numbers alone, or texts alone, are sorted", "here")
            .help("say what comes first: `list.sort(|a, b| a.cash > b.cash)`")
            .into());
    }
    Arc::make_mut(items).sort_by(|a, b| match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    Ok(NOTHING)
}

fn map_function(code: MapCode, map: &mut Arc<Map>, rest: &mut [Value]) -> Option<Value> {
    match (code, &*rest) {
        (MapCode::Keys, []) => Some(Value::list(map.iter().map(|(name, _)| Value::Text(name.clone())).collect())),
        (MapCode::Values, []) => Some(Value::list(map.iter().map(|(_, value)| value.clone()).collect())),
        (MapCode::Get, [Value::Text(part)]) => Some(map.get(part).cloned().unwrap_or_default()),
        (MapCode::Contains, [Value::Text(part)]) => Some(map.get(part).is_some().into()),
        (MapCode::Remove, [Value::Text(part)]) => Some(Arc::make_mut(map).remove(part).unwrap_or_default()),
        (MapCode::Clear, []) => {
            *map = Arc::default();
            NOTHING
        }
        (MapCode::Clear | MapCode::Contains | MapCode::Get | MapCode::Keys | MapCode::Remove | MapCode::Values, _) => {
            None
        }
    }
}

fn text_function(code: TextCode, whole: &mut ArcStr, rest: &mut [Value]) -> Answer<Option<Value>> {
    let value = match (code, &*rest) {
        (TextCode::Trim, []) => {
            *whole = whole.trim().into();
            Value::Nothing
        }
        (TextCode::StartsWith, [Value::Text(part)]) => whole.starts_with(part.as_str()).into(),
        (TextCode::EndsWith, [Value::Text(part)]) => whole.ends_with(part.as_str()).into(),
        (TextCode::Contains, [item]) => contains(&Value::Text(whole.clone()), item)?.into(),
        (TextCode::IndexOf, [Value::Text(_)]) if whole.is_empty() => Value::Number(-1),
        (TextCode::IndexOf, [Value::Text(part)]) => text_position(whole, part),
        (TextCode::ToUpper, []) => text(whole.to_uppercase())?,
        (TextCode::ToLower, []) => text(whole.to_lowercase())?,
        (TextCode::Get, [Value::Number(at)]) => {
            position(*at, whole.chars().count()).and_then(|at| whole.chars().nth(at)).map_or(Value::Nothing, letter)
        }
        (TextCode::SubString, [Value::Number(start)]) => sub_string(whole, *start, i64::MAX),
        (TextCode::SubString, [Value::Number(start), Value::Number(count)]) => sub_string(whole, *start, *count),
        (TextCode::SubString, [Value::Range(range)]) => {
            let start = range.start.max(0);
            sub_string(whole, start, range.exclusive_end().unwrap_or(i64::MAX).max(start) - start)
        }
        // As in the script engine (Rhai), splitting an empty text yields one empty part.
        (TextCode::Split, [] | [Value::Text(_)]) if whole.is_empty() => Value::list(vec![Value::text("")]),
        (TextCode::Split, []) => Value::list(whole.split_whitespace().map(Value::text).collect()),
        (TextCode::Split, [Value::Text(by)]) => Value::list(whole.split(by.as_str()).map(Value::text).collect()),
        (
            TextCode::EndsWith
            | TextCode::Get
            | TextCode::IndexOf
            | TextCode::Split
            | TextCode::StartsWith
            | TextCode::SubString
            | TextCode::ToLower
            | TextCode::ToUpper
            | TextCode::Trim
            | TextCode::Contains,
            _,
        ) => return Ok(None),
    };
    Ok(Some(value))
}

/// Returns the character index of the first occurrence of `part`, or -1 if there is none.
fn text_position(whole: &str, part: &str) -> Value {
    Value::Number(whole.find(part).map_or(-1, |at| whole[..at].chars().count() as i64))
}

fn sub_string(whole: &str, start: i64, count: i64) -> Value {
    let length = whole.chars().count();
    let range = clamp_span(start, count, length);
    Value::Text(whole.chars().skip(range.start).take(range.len()).collect::<String>().into())
}

fn number_function(code: NumberCode, number: i64, rest: &[Value]) -> Answer<Option<Value>> {
    Ok(Some(match (code, rest) {
        (NumberCode::Abs, []) => match number.checked_abs() {
            Some(number) => Value::Number(number),
            None => return Err(boxed_fault("arithmetic", "a larger number than rules can hold")),
        },
        (NumberCode::Sign, []) => Value::Number(number.signum()),
        (NumberCode::Min, [Value::Number(other)]) => Value::Number(number.min(*other)),
        (NumberCode::Max, [Value::Number(other)]) => Value::Number(number.max(*other)),
        (NumberCode::Range, [Value::Number(end), Value::Number(step)]) => stepped_range(number, *end, *step)?,
        (NumberCode::Range, [Value::Number(end)]) => {
            Value::Range(Arc::new(Range { start: number, end: *end, is_inclusive: false }))
        }
        (NumberCode::Abs | NumberCode::Max | NumberCode::Min | NumberCode::Range | NumberCode::Sign, _) => {
            return Ok(None);
        }
    }))
}

fn range_function(code: RangeCode, range: &Arc<Range>, rest: &[Value]) -> Answer<Option<Value>> {
    match (code, rest) {
        (RangeCode::Contains, [item]) => contains(&Value::Range(range.clone()), item).map(|found| Some(found.into())),
        (RangeCode::Contains, _) => Ok(None),
    }
}

/// Returns the numbers from `from` to `to` (exclusive) in steps, upward or downward.
fn stepped_range(from: i64, to: i64, step: i64) -> Answer<Value> {
    if step == 0 {
        return Err(boxed_fault("arithmetic", "a range in steps of 0 has no end"));
    }
    let mut numbers = Vec::new();
    let mut next = Some(from);
    while let Some(number) = next.filter(|number| if step > 0 { *number < to } else { *number > to }) {
        check_length(numbers.len() + 1)?;
        numbers.push(Value::Number(number));
        next = number.checked_add(step);
    }
    Ok(Value::list(numbers))
}

fn to_text(value: &Value) -> Answer<Option<Value>> {
    let mut whole = String::new();
    write(value, &mut whole);
    text(whole).map(Some)
}

/// Returns the arguments to pass to a callback. Omits the position if the callback has no parameter for it.
pub(super) fn callback_arguments<'a>(name: &str, given: &'a [Value], arity: usize) -> &'a [Value] {
    if given.len() == arity + 1 && gives_position(name) { &given[..arity] } else { given }
}

fn gives_position(name: &str) -> bool {
    builtin_codes(Form::Function, name).and_then(|own| own.looped).is_some_and(|own| own.gives_position)
}

/// Calls a function of a built-in type that takes a callback.
///
/// # Errors
/// Returns a fault if the function rejects the arguments, or the callback's fault.
pub fn native_with<C>(
    context: &mut C,
    own: Option<BuiltinCodes>,
    name: &str,
    arguments: &mut [Value],
    call: &mut dyn FnMut(&mut C, &[Value]) -> Answer<Value>,
) -> Answer<Value> {
    let (Some(looped), [Value::List(items), ..]) = (own.and_then(|own| own.looped), &mut *arguments) else {
        return Err(unknown(name));
    };
    let flag = |value: Value| match value {
        Value::Flag(flag) => Ok(flag.get()),
        other => Err(not_a_flag(&other)),
    };
    // The position is always passed. `call` drops it if the callback has no parameter for it.
    let mut call_with =
        |context: &mut C, item: &Value, at: usize| call(context, &[item.clone(), Value::Number(at as i64)]);
    let code = looped.code;
    match code {
        LoopCode::Map => {
            let all = items.clone();
            let results = all.iter().enumerate().map(|(at, item)| call_with(context, item, at));
            results.collect::<Answer<_>>().map(Value::list)
        }
        LoopCode::Filter => {
            let mut kept = Vec::new();
            for (at, item) in items.iter().enumerate() {
                if flag(call_with(context, item, at)?)? {
                    kept.push(item.clone());
                }
            }
            Ok(Value::list(kept))
        }
        LoopCode::Retain | LoopCode::Drain => {
            let (mut kept, mut out) = (Vec::new(), Vec::new());
            for (at, item) in items.iter().enumerate() {
                let is_kept = flag(call_with(context, item, at)?)? == (code == LoopCode::Retain);
                if is_kept { &mut kept } else { &mut out }.push(item.clone());
            }
            *items = Arc::new(kept);
            Ok(Value::list(out))
        }
        LoopCode::Find | LoopCode::Some | LoopCode::All => {
            for (at, item) in items.iter().enumerate() {
                if flag(call_with(context, item, at)?)? == (code != LoopCode::All) {
                    return Ok(if code == LoopCode::Find { item.clone() } else { Value::from(code == LoopCode::Some) });
                }
            }
            Ok(if code == LoopCode::Find { Value::Nothing } else { Value::from(code == LoopCode::All) })
        }
        LoopCode::FindMap => {
            for (at, item) in items.iter().enumerate() {
                let found = call_with(context, item, at)?;
                if found != Value::Nothing {
                    return Ok(found);
                }
            }
            Ok(Value::Nothing)
        }
        LoopCode::Reduce => {
            let items = items.clone();
            let mut so_far = arguments.get(2).cloned().unwrap_or_default();
            for (at, item) in items.iter().enumerate() {
                so_far = call(context, &[so_far, item.clone(), Value::Number(at as i64)])?;
            }
            Ok(so_far)
        }
        LoopCode::Zip => {
            let items = items.clone();
            let Some(Value::List(others)) = arguments.get(1).cloned() else { return Err(unknown(name)) };
            let pairs = items.iter().zip(others.iter());
            pairs.map(|(a, b)| call(context, &[a.clone(), b.clone()])).collect::<Answer<_>>().map(Value::list)
        }
        LoopCode::IndexOf => {
            let items = items.clone();
            // The arguments contain the callback only if it is not a closure, so the position of the number varies.
            let number = arguments[1..].iter().find_map(|argument| match argument {
                Value::Number(from) => Some(*from),
                _ => None,
            });
            let from = number.map_or(0, |from| insert_position(from, items.len()));
            for (at, item) in items.iter().enumerate().skip(from) {
                if flag(call(context, std::slice::from_ref(item))?)? {
                    return Ok(Value::Number(at as i64));
                }
            }
            Ok(Value::Number(-1))
        }
    }
}

/// Creates the fault for a function that does not exist for the given arguments.
pub(super) fn unknown(name: &str) -> Box<Fault> {
    boxed_fault("unknown-function", format!("there is no function `{name}` for this"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory limits count the length of a list and not its capacity, so unused capacity must be released.
    #[test]
    fn shortened_lists_release_their_capacity() {
        let long = || Value::list((0..1000).map(Value::Number).collect());
        let shorter = [
            ("clear", vec![long()]),
            ("truncate", vec![long(), Value::Number(3)]),
            ("chop", vec![long(), Value::Number(3)]),
            ("splice", vec![long(), Value::Number(3), Value::Number(1000), Value::list(Vec::new())]),
        ];
        for (name, mut arguments) in shorter {
            assert!(native(builtin_codes(Form::Function, name).unwrap(), &mut arguments).unwrap().is_some(), "{name}");
            let Value::List(items) = &arguments[0] else { panic!("{name}") };
            assert!(items.len() < 4 && items.capacity() <= 32, "{name}: {}", items.capacity());
        }
    }
}

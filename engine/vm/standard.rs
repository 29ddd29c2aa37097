//! The functions of the language's own lists, maps, texts, numbers and ranges: those of the script engine that rules may use.

use super::fault::{Answer, MachineFault, not_a_flag};
use super::operator::{contains, equal, letter, position, text, within, write};
use crate::decision::{Map, Range, Value};
use crate::library::gives_position;
use std::sync::Arc;

macro_rules! standard {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// A function of the language's own, by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is named as rules write it")]
        pub enum Standard {
            $($variant),*
        }

        /// Their names, as rules write them.
        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];

        impl Standard {
            /// The one with a name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

standard!(
    Len "len",
    IsEmpty "is_empty",
    IsOdd "is_odd",
    IsEven "is_even",
    IsZero "is_zero",
    Start "start",
    End "end",
    ToString "to_string",
    Push "push",
    Pop "pop",
    Shift "shift",
    Insert "insert",
    Remove "remove",
    Clear "clear",
    Truncate "truncate",
    Chop "chop",
    Reverse "reverse",
    Append "append",
    Extract "extract",
    Splice "splice",
    Contains "contains",
    IndexOf "index_of",
    Get "get",
    Dedup "dedup",
    Sort "sort",
    Keys "keys",
    Values "values",
    Trim "trim",
    StartsWith "starts_with",
    EndsWith "ends_with",
    ToUpper "to_upper",
    ToLower "to_lower",
    SubString "sub_string",
    Split "split",
    Abs "abs",
    Sign "sign",
    Min "min",
    Max "max",
    Range "range",
);

/// What a list, map, text, number or range has behind a dot.
pub(super) fn property(of: &Value, name: Standard) -> Option<Value> {
    Some(match (of, name) {
        (Value::List(_) | Value::Map(_) | Value::Text(_), Standard::Len) => Value::Number(length(of)? as i64),
        (Value::List(_) | Value::Map(_) | Value::Text(_), Standard::IsEmpty) => Value::from(length(of)? == 0),
        (Value::Number(number), Standard::IsOdd) => Value::from(number % 2 != 0),
        (Value::Number(number), Standard::IsEven) => Value::from(number % 2 == 0),
        (Value::Number(number), Standard::IsZero) => Value::from(*number == 0),
        (Value::Range(range), Standard::Start) => Value::Number(range.start),
        (Value::Range(range), Standard::End) => Value::Number(range.end),
        (Value::Range(range), Standard::IsEmpty) => Value::from(!range.contains(range.start)),
        _ => return None,
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

/// Calls a function of the language's own by its name; nothing where there is none of that name for such arguments.
///
/// # Errors
/// What is wrong with the arguments.
pub fn native(name: &str, arguments: &mut [Value]) -> Answer<Option<Value>> {
    Standard::named(name).map_or(Ok(None), |standard| standard.call(arguments))
}

impl Standard {
    /// Calls it; nothing where it does not take such arguments.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub fn call(self, arguments: &mut [Value]) -> Answer<Option<Value>> {
        if let [of] = arguments {
            if let Some(value) = property(of, self) {
                return Ok(Some(value));
            }
            if self == Self::ToString {
                return written(of);
            }
        }
        let Some((of, rest)) = arguments.split_first_mut() else { return Ok(None) };
        match of {
            Value::List(items) => {
                let done = list(self, items, rest);
                give_back(items);
                done
            }
            Value::Map(map) => Ok(parts(self, map, rest)),
            Value::Text(whole) if self == Self::Trim && rest.is_empty() => {
                *whole = whole.trim().into();
                Ok(NOTHING)
            }
            Value::Text(whole) => {
                let whole = whole.clone();
                words(self, &whole, rest)
            }
            Value::Number(number) => numbers(self, *number, rest),
            Value::Range(range) => match (self, rest) {
                (Self::Contains, [item]) => {
                    contains(&Value::Range(range.clone()), item).map(|found| Some(found.into()))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// What a list was long for, it holds no longer: what a step holds is weighed by lengths.
fn give_back(items: &mut Arc<Vec<Value>>) {
    let most = 4 * items.len() + 16;
    if items.capacity() > most
        && let Some(items) = Arc::get_mut(items)
    {
        items.shrink_to(items.len() * 2);
    }
}

/// What a function returns that is called for what it does.
const NOTHING: Option<Value> = Some(Value::Nothing);

/// A place to insert at: the end where it lies beyond.
pub(super) fn place(at: i64, length: usize) -> usize {
    if at < 0 {
        usize::try_from(at + length as i64).unwrap_or(0)
    } else {
        usize::try_from(at).unwrap_or(length).min(length)
    }
}

/// The first position and the number of entries that a start and a length mean.
fn span(start: i64, count: i64, length: usize) -> (usize, usize) {
    let from = place(start, length);
    let count = usize::try_from(count).unwrap_or(0).min(length - from);
    (from, count)
}

fn span_of(range: &Range, length: usize) -> (usize, usize) {
    let start = range.start.max(0);
    let end = range.behind().unwrap_or(i64::MAX).max(start);
    span(start, end - start, length)
}

fn list(name: Standard, items: &mut Arc<Vec<Value>>, rest: &mut [Value]) -> Answer<Option<Value>> {
    let length = items.len();
    match (name, &mut *rest) {
        (Standard::Push, [item]) => {
            within(length + 1)?;
            Arc::make_mut(items).push(std::mem::take(item));
            Ok(NOTHING)
        }
        (Standard::Pop, []) => Ok(Some(Arc::make_mut(items).pop().unwrap_or_default())),
        (Standard::Shift, []) => Ok(Some(if length == 0 { Value::Nothing } else { Arc::make_mut(items).remove(0) })),
        (Standard::Insert, [Value::Number(at), item]) => {
            within(length + 1)?;
            Arc::make_mut(items).insert(place(*at, length), std::mem::take(item));
            Ok(NOTHING)
        }
        (Standard::Remove, [Value::Number(at)]) => {
            let at = position(*at, length);
            Ok(Some(at.map_or(Value::Nothing, |at| Arc::make_mut(items).remove(at))))
        }
        (Standard::Clear, []) => {
            Arc::make_mut(items).clear();
            Ok(NOTHING)
        }
        (Standard::Truncate, [Value::Number(count)]) => {
            Arc::make_mut(items).truncate(usize::try_from(*count).unwrap_or(0));
            Ok(NOTHING)
        }
        (Standard::Chop, [Value::Number(count)]) => {
            let keep = usize::try_from(*count).unwrap_or(0).min(length);
            Arc::make_mut(items).drain(..length - keep);
            Ok(NOTHING)
        }
        (Standard::Reverse, []) => {
            Arc::make_mut(items).reverse();
            Ok(NOTHING)
        }
        (Standard::Append, [Value::List(more)]) => {
            within(length + more.len())?;
            Arc::make_mut(items).extend(more.iter().cloned());
            Ok(NOTHING)
        }
        (Standard::Extract, [Value::Number(start)]) => Ok(Some(cut(items, span(*start, i64::MAX, length)))),
        (Standard::Extract, [Value::Number(start), Value::Number(count)]) => {
            Ok(Some(cut(items, span(*start, *count, length))))
        }
        (Standard::Extract, [Value::Range(range)]) => Ok(Some(cut(items, span_of(range, length)))),
        (Standard::Splice, [Value::Number(start), Value::Number(count), Value::List(more)]) => {
            splice(items, span(*start, *count, length), more)
        }
        (Standard::Splice, [Value::Range(range), Value::List(more)]) => splice(items, span_of(range, length), more),
        (Standard::Contains, [item]) => Ok(Some(items.iter().any(|one| equal(one, item)).into())),
        (Standard::IndexOf, [item]) => Ok(Some(index_of(items, item, 0))),
        (Standard::IndexOf, [item, Value::Number(start)]) => Ok(Some(index_of(items, item, place(*start, length)))),
        (Standard::Get, [Value::Number(at)]) => {
            Ok(Some(position(*at, length).map_or(Value::Nothing, |at| items[at].clone())))
        }
        (Standard::Dedup, []) => {
            Arc::make_mut(items).dedup_by(|a, b| equal(b, a));
            Ok(NOTHING)
        }
        (Standard::Sort, []) => sort(items),
        _ => Ok(None),
    }
}

fn cut(items: &[Value], (from, count): (usize, usize)) -> Value {
    Value::list(items[from..from + count].to_vec())
}

fn splice(items: &mut Arc<Vec<Value>>, (from, count): (usize, usize), more: &[Value]) -> Answer<Option<Value>> {
    within(items.len() - count + more.len())?;
    Arc::make_mut(items).splice(from..from + count, more.iter().cloned());
    Ok(NOTHING)
}

fn index_of(items: &[Value], item: &Value, from: usize) -> Value {
    let found = items.iter().skip(from).position(|one| equal(one, item));
    Value::Number(found.map_or(-1, |at| (at + from) as i64))
}

/// Sorts entries of one type: numbers, texts, characters or flags.
fn sort(items: &mut Arc<Vec<Value>>) -> Answer<Option<Value>> {
    let rank = |value: &Value| match value {
        Value::Number(_) => Some(0),
        Value::Text(_) => Some(1),
        _ => None,
    };
    let kinds: Vec<Option<i32>> = items.iter().map(rank).collect();
    if items.len() > 1 && (kinds.contains(&None) || kinds.windows(2).any(|pair| pair[0] != pair[1])) {
        return Err(MachineFault::new("wrong-type", "only numbers alone, or texts alone, are sorted")
            .help("say what comes first: `list.sort(|a, b| a.cash > b.cash)`"));
    }
    Arc::make_mut(items).sort_by(|a, b| match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    Ok(NOTHING)
}

fn parts(name: Standard, map: &mut Arc<Map>, rest: &mut [Value]) -> Option<Value> {
    match (name, &*rest) {
        (Standard::Keys, []) => Some(Value::list(map.iter().map(|(name, _)| Value::Text(name.clone())).collect())),
        (Standard::Values, []) => Some(Value::list(map.iter().map(|(_, value)| value.clone()).collect())),
        (Standard::Get, [Value::Text(part)]) => Some(map.get(part).cloned().unwrap_or_default()),
        (Standard::Contains, [Value::Text(part)]) => Some(map.get(part).is_some().into()),
        (Standard::Remove, [Value::Text(part)]) => Some(Arc::make_mut(map).remove(part).unwrap_or_default()),
        (Standard::Clear, []) => {
            *map = Arc::default();
            NOTHING
        }
        _ => None,
    }
}

fn words(name: Standard, whole: &str, rest: &mut [Value]) -> Answer<Option<Value>> {
    let value = match (name, &*rest) {
        (Standard::StartsWith, [Value::Text(part)]) => whole.starts_with(part.as_str()).into(),
        (Standard::EndsWith, [Value::Text(part)]) => whole.ends_with(part.as_str()).into(),
        (Standard::Contains, [item]) => contains(&Value::text(whole), item)?.into(),
        (Standard::IndexOf, [Value::Text(_)]) if whole.is_empty() => Value::Number(-1),
        (Standard::IndexOf, [Value::Text(part)]) => found_at(whole, part),
        (Standard::ToUpper, []) => text(whole.to_uppercase())?,
        (Standard::ToLower, []) => text(whole.to_lowercase())?,
        (Standard::Get, [Value::Number(at)]) => {
            position(*at, whole.chars().count()).and_then(|at| whole.chars().nth(at)).map_or(Value::Nothing, letter)
        }
        (Standard::SubString, [Value::Number(start)]) => sub_string(whole, *start, i64::MAX),
        (Standard::SubString, [Value::Number(start), Value::Number(count)]) => sub_string(whole, *start, *count),
        (Standard::SubString, [Value::Range(range)]) => {
            let start = range.start.max(0);
            sub_string(whole, start, range.behind().unwrap_or(i64::MAX).max(start) - start)
        }
        // Of an empty text there is one part, which is empty.
        (Standard::Split, [] | [Value::Text(_)]) if whole.is_empty() => Value::list(vec![Value::text("")]),
        (Standard::Split, []) => Value::list(whole.split_whitespace().map(Value::text).collect()),
        (Standard::Split, [Value::Text(by)]) => Value::list(whole.split(by.as_str()).map(Value::text).collect()),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// The position of a part in a text, counted in characters, or -1.
fn found_at(whole: &str, part: &str) -> Value {
    Value::Number(whole.find(part).map_or(-1, |at| whole[..at].chars().count() as i64))
}

fn sub_string(whole: &str, start: i64, count: i64) -> Value {
    let length = whole.chars().count();
    let (from, count) = span(start, count, length);
    Value::Text(whole.chars().skip(from).take(count).collect::<String>().into())
}

fn numbers(name: Standard, number: i64, rest: &[Value]) -> Answer<Option<Value>> {
    Ok(Some(match (name, rest) {
        (Standard::Abs, []) => match number.checked_abs() {
            Some(number) => Value::Number(number),
            None => return Err(MachineFault::new("arithmetic", "a larger number than rules can hold")),
        },
        (Standard::Sign, []) => Value::Number(number.signum()),
        (Standard::Min, [Value::Number(other)]) => Value::Number(number.min(*other)),
        (Standard::Max, [Value::Number(other)]) => Value::Number(number.max(*other)),
        (Standard::Range, [Value::Number(end), Value::Number(step)]) => stepped(number, *end, *step)?,
        (Standard::Range, [Value::Number(end)]) => {
            Value::Range(Arc::new(Range { start: number, end: *end, is_inclusive: false }))
        }
        _ => return Ok(None),
    }))
}

/// The numbers from one up to another, or down to it, in steps.
fn stepped(from: i64, to: i64, step: i64) -> Answer<Value> {
    if step == 0 {
        return Err(MachineFault::new("arithmetic", "a range in steps of 0 has no end"));
    }
    let mut numbers = Vec::new();
    let mut next = Some(from);
    while let Some(number) = next.filter(|number| if step > 0 { *number < to } else { *number > to }) {
        within(numbers.len() + 1)?;
        numbers.push(Value::Number(number));
        next = number.checked_add(step);
    }
    Ok(Value::list(numbers))
}

fn written(value: &Value) -> Answer<Option<Value>> {
    let mut whole = String::new();
    write(value, &mut whole);
    text(whole).map(Some)
}

/// What a function of so many parameters is given by a function of the library: the position is left out where it is not wanted.
pub(super) fn wanted<'a>(name: &str, given: &'a [Value], arity: usize) -> &'a [Value] {
    if given.len() == arity + 1 && gives_position(name) { &given[..arity] } else { given }
}

/// Calls a function of the language's own that calls a function it is given.
///
/// # Errors
/// What is wrong with the arguments, and what is wrong in the function.
pub fn native_with<C>(
    context: &mut C,
    name: &str,
    arguments: &mut [Value],
    call: &mut dyn FnMut(&mut C, &[Value]) -> Answer<Value>,
) -> Answer<Value> {
    let [Value::List(items), ..] = arguments else { return Err(unknown(name)) };
    let flag = |value: Value| match value {
        Value::Flag(flag) => Ok(flag.get()),
        other => Err(not_a_flag(&other)),
    };
    // Those that may give the position too; who calls leaves out what the function does not take.
    let mut of = |context: &mut C, item: &Value, at: usize| call(context, &[item.clone(), Value::Number(at as i64)]);
    match name {
        "map" => {
            let all = items.clone();
            let results = all.iter().enumerate().map(|(at, item)| of(context, item, at));
            results.collect::<Answer<_>>().map(Value::list)
        }
        "filter" => {
            let mut kept = Vec::new();
            for (at, item) in items.iter().enumerate() {
                if flag(of(context, item, at)?)? {
                    kept.push(item.clone());
                }
            }
            Ok(Value::list(kept))
        }
        "retain" | "drain" => {
            let (mut kept, mut out) = (Vec::new(), Vec::new());
            for (at, item) in items.iter().enumerate() {
                let is_kept = flag(of(context, item, at)?)? == (name == "retain");
                if is_kept { &mut kept } else { &mut out }.push(item.clone());
            }
            *items = Arc::new(kept);
            Ok(Value::list(out))
        }
        "find" | "some" | "all" => {
            for (at, item) in items.iter().enumerate() {
                if flag(of(context, item, at)?)? == (name != "all") {
                    return Ok(if name == "find" { item.clone() } else { Value::from(name == "some") });
                }
            }
            Ok(if name == "find" { Value::Nothing } else { Value::from(name == "all") })
        }
        "find_map" => {
            for (at, item) in items.iter().enumerate() {
                let found = of(context, item, at)?;
                if found != Value::Nothing {
                    return Ok(found);
                }
            }
            Ok(Value::Nothing)
        }
        "reduce" => {
            let items = items.clone();
            let mut so_far = arguments.get(2).cloned().unwrap_or_default();
            for (at, item) in items.iter().enumerate() {
                so_far = call(context, &[so_far, item.clone(), Value::Number(at as i64)])?;
            }
            Ok(so_far)
        }
        "zip" => {
            let items = items.clone();
            let Some(Value::List(others)) = arguments.get(1).cloned() else { return Err(unknown(name)) };
            let pairs = items.iter().zip(others.iter());
            pairs.map(|(a, b)| call(context, &[a.clone(), b.clone()])).collect::<Answer<_>>().map(Value::list)
        }
        "sort" => {
            let sorted = merge_sort(items, &mut |a, b| match call(context, &[a.clone(), b.clone()])? {
                Value::Flag(is_less) => Ok(is_less.get()),
                Value::Number(order) => Ok(order < 0),
                other => Err(not_a_flag(&other)),
            })?;
            *items = Arc::new(sorted);
            Ok(Value::Nothing)
        }
        "index_of" => {
            let items = items.clone();
            // A function that stands in the call itself is no argument.
            let number = arguments[1..].iter().find_map(|argument| match argument {
                Value::Number(from) => Some(*from),
                _ => None,
            });
            let from = number.map_or(0, |from| place(from, items.len()));
            for (at, item) in items.iter().enumerate().skip(from) {
                if flag(call(context, std::slice::from_ref(item))?)? {
                    return Ok(Value::Number(at as i64));
                }
            }
            Ok(Value::Number(-1))
        }
        _ => Err(unknown(name)),
    }
}

pub(super) fn unknown(name: &str) -> Box<MachineFault> {
    MachineFault::new("unknown-function", format!("there is no function `{name}` for this"))
}

/// A list in an order that a function says: ours, because a comparison may fail.
///
/// # Errors
/// Those of the comparison.
pub(super) fn merge_sort(items: &[Value], less: &mut dyn FnMut(&Value, &Value) -> Answer<bool>) -> Answer<Vec<Value>> {
    if items.len() < 2 {
        return Ok(items.to_vec());
    }
    let (left, right) = items.split_at(items.len() / 2);
    let mut left = merge_sort(left, less)?.into_iter().peekable();
    let mut right = merge_sort(right, less)?.into_iter().peekable();
    let mut merged = Vec::with_capacity(items.len());
    loop {
        match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => merged.extend(if less(b, a)? { right.next() } else { left.next() }),
            (Some(_), None) => merged.extend(left.by_ref()),
            (None, _) => {
                merged.extend(right.by_ref());
                return Ok(merged);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::registry;

    /// What is held is weighed by lengths, so nothing is held for a length that was.
    #[test]
    fn a_list_that_has_become_short_holds_no_more_than_it_is_long() {
        let long = || Value::list((0..1000).map(Value::Number).collect());
        let shorter = [
            ("clear", vec![long()]),
            ("truncate", vec![long(), Value::Number(3)]),
            ("chop", vec![long(), Value::Number(3)]),
            ("splice", vec![long(), Value::Number(3), Value::Number(1000), Value::list(Vec::new())]),
        ];
        for (name, mut arguments) in shorter {
            assert!(native(name, &mut arguments).unwrap().is_some(), "{name}");
            let Value::List(items) = &arguments[0] else { panic!("{name}") };
            assert!(items.len() < 4 && items.capacity() <= 32, "{name}: {}", items.capacity());
        }
    }

    /// That each of the library's own has its code here, their examples show.
    #[test]
    fn whatever_has_code_here_is_in_the_library() {
        let own: Vec<&str> = registry().entries.iter().filter(|word| word.is_own).map(|word| &*word.name).collect();
        for name in NAMES {
            assert!(own.contains(name), "`{name}` is written down");
        }
    }
}

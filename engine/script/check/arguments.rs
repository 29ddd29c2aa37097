//! What words and signs are given: a thing of a type that they take, where the type is evident.

use super::super::vocabulary::{Form, Word};
use super::evident::{is_plain, takes};
use super::{Receiver, Visit, calls, place};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, Place};
use rhai::{Expr, FnCallExpr, Position};

/// The signs that work between numbers alone, but for what the vocabulary says.
const RECKONING: [&str; 9] = ["+", "-", "*", "/", "%", "<", "<=", ">", ">="];

/// The signs that ask whether two things are the same.
const EQUALS: [&str; 2] = ["==", "!="];

/// Types of one thing, no two of which are ever the same.
const SINGLE: [Type; 8] =
    [Type::Number, Type::Flag, Type::Text, Type::Seat, Type::Zone, Type::Space, Type::Component, Type::Piece];

/// What a call is given, the thing before the dot first.
struct Given<'c> {
    /// What is written, where it is written in brackets.
    written: Option<&'c Expr>,
    /// The type, where it is evident.
    kind: Option<Type>,
}

/// Checks the types of what a word is given.
pub(super) fn check(visit: &mut Visit<'_>, call: &FnCallExpr, at: Position, receiver: Option<Receiver>) {
    let (known, name) = (visit.known, call.name.as_str());
    let before = receiver.map(|Receiver(kind)| Given { written: None, kind });
    let args = call.args.iter().map(|arg| Given { written: Some(arg), kind: known.evident(arg, &visit.locals) });
    let given: Vec<Given<'_>> = before.into_iter().chain(args).collect();
    let forms: Vec<&Word> = known.functions_named(name).filter(|word| word.params.len() == given.len()).collect();
    let is_other = known.code(name).is_some() || known.function_fields.iter().any(|field| **field == *name);
    let on_plain = given.first().and_then(|first| first.kind).is_none_or(is_plain);
    if is_other || calls::is_standard(name, given.len()) && on_plain {
        return;
    }
    // The form that is meant is the one with the fewest misfits.
    let Some(misfits) = forms.iter().map(|word| misfits(word, &given)).min_by_key(Vec::len) else { return };
    let meant = forms.iter().filter(|word| self::misfits(word, &given) == misfits);
    let meant: Vec<&Word> = meant.copied().collect();
    if let (Some(first), false) = (misfits.first(), misfits.is_empty()) {
        let found = match in_order(meant[0], &given) {
            Some(order) => out_of_order(visit, call, at, meant[0], &order),
            None => wrong(visit, call, at, (&meant, *first), &given[*first]),
        };
        visit.found.push(found);
    }
}

/// The positions of what a form of a word does not take.
fn misfits(word: &Word, given: &[Given<'_>]) -> Vec<usize> {
    let fits = |at: usize| given[at].kind.is_none_or(|kind| takes(word.types[at], kind));
    (0..given.len()).filter(|at| !fits(*at)).collect()
}

/// How two of the things given would have to change places for all of them to fit.
fn in_order(word: &Word, given: &[Given<'_>]) -> Option<Vec<usize>> {
    let fits = |order: &Vec<usize>| {
        let all = order.iter().zip(&word.types);
        all.clone().all(|(at, wanted)| given[*at].kind.is_none_or(|kind| takes(*wanted, kind)))
            && all.filter(|(at, wanted)| given[**at].kind == Some(**wanted)).count() > 0
    };
    let certain = |at: usize| given[at].kind.is_some();
    let swapped = |one: usize, other: usize| {
        let mut order: Vec<usize> = (0..given.len()).collect();
        order.swap(one, other);
        order
    };
    let pairs = (0..given.len()).flat_map(|one| (one + 1..given.len()).map(move |other| (one, other)));
    let written = pairs.filter(|(one, _)| given[*one].written.is_some());
    written.filter(|(one, other)| certain(*one) || certain(*other)).map(|(one, other)| swapped(one, other)).find(fits)
}

fn out_of_order(visit: &Visit<'_>, call: &FnCallExpr, at: Position, word: &Word, order: &[usize]) -> Diagnostic {
    let wrong = order.iter().enumerate().filter(|(here, from)| here != *from).map(|(here, _)| here);
    let named: Vec<String> = wrong.map(|here| format!("`{}`", word.params[here])).collect();
    let name = &call.name;
    Diagnostic::error("wrong-arguments", format!("`{name}` is given {} in the wrong order", named.join(" and ")))
        .mark(place::of_name(visit.source, at, name), "given the right things in another order")
        .help(format!("write `{name}({})`", word.params.join(", ")))
}

fn wrong(
    visit: &Visit<'_>,
    call: &FnCallExpr,
    at: Position,
    (forms, wrong): (&[&Word], usize),
    given: &Given<'_>,
) -> Diagnostic {
    let name = call.name.as_str();
    let found = given.kind.unwrap_or(Type::Any);
    let mut wanted: Vec<Type> = forms.iter().map(|word| word.types[wrong]).collect();
    wanted.dedup();
    wanted.truncate(4);
    let param = &forms[0].params[wrong];
    let message = format!("`{name}` takes {} as `{param}`, not {}", any_of(&wanted), found.one());
    let here = match given.written {
        Some(expr) => place_of(visit, expr),
        None => place::of_name(visit.source, at, name),
    };
    let help = instead(visit, given, &wanted).unwrap_or_else(|| {
        let params =
            forms[0].params.iter().zip(&forms[0].types).map(|(param, kind)| format!("{param}: {}", kind.word()));
        format!("write `{name}({})`", params.collect::<Vec<_>>().join(", "))
    });
    let note = if given.written.is_some() { "of another type" } else { "asked of something else" };
    Diagnostic::error("wrong-arguments", message).mark(here, note).help(help)
}

/// "a zone or a space", "pieces, spaces or zones".
fn any_of(kinds: &[Type]) -> String {
    let words: Vec<String> = kinds.iter().map(|kind| kind.one()).collect();
    match words.as_slice() {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        words => words.concat(),
    }
}

/// What to write instead of what is given, where that is evident.
fn instead(visit: &Visit<'_>, given: &Given<'_>, wanted: &[Type]) -> Option<String> {
    match given.written? {
        Expr::StringConstant(text, _) if wanted == [Type::Number] && text.parse::<i64>().is_ok() => {
            Some(format!("write `{text}`"))
        }
        Expr::StringConstant(text, _)
            if visit.known.kind_of_global(text).is_some_and(|kind| wanted.contains(&kind)) =>
        {
            Some(format!("write `{text}` without quotes"))
        }
        Expr::IntegerConstant(..) if wanted.contains(&Type::Seat) => {
            Some("name a seat: `seat`, `first`, `active`, or one of `seats`".to_owned())
        }
        _ if given.kind == Some(Type::Nothing) => Some("ask first whether it is there: `if x != () { … }`".to_owned()),
        _ => None,
    }
}

/// Checks what a sign stands between.
pub(super) fn check_sign(visit: &mut Visit<'_>, call: &FnCallExpr, at: Position) {
    let (known, sign) = (visit.known, call.name.as_str());
    let kinds: Vec<Option<Type>> = call.args.iter().map(|arg| known.evident(arg, &visit.locals)).collect();
    let [Some(one_side), Some(other)] = kinds.as_slice() else { return };
    if EQUALS.contains(&sign) {
        return check_equals(visit, call, at, [*one_side, *other]);
    }
    if RECKONING.contains(&sign) && [one_side, other].contains(&&Type::Flag) && is_plain(*one_side) && is_plain(*other)
    {
        let message = format!("`{sign}` does not work between {} and {}", one_side.one(), other.one());
        let found = Diagnostic::error("wrong-type", message)
            .mark(place::of_sign(visit.source, at, sign), "cannot be worked out")
            .help("a comparison gives yes or no: join two of them with `&&`, as in `1 < x && x < 3`");
        return visit.found.push(found);
    }
    let is_thing = |kind: Type| !is_plain(kind);
    if !RECKONING.contains(&sign) || !is_thing(*one_side) && !is_thing(*other) {
        return;
    }
    let joins_text = [one_side, other].into_iter().any(|kind| matches!(kind, Type::Text | Type::Any | Type::List));
    let mut forms = known.words.iter().filter(|word| word.form == Form::Function && word.name == sign);
    if joins_text && sign == "+" || forms.any(|word| word.types == [*one_side, *other]) {
        return;
    }
    let message = format!("`{sign}` does not work between {} and {}", one_side.one(), other.one());
    let here = place::of_sign(visit.source, at, sign);
    visit.found.push(Diagnostic::error("wrong-type", message).mark(here, "cannot be worked out"));
}

/// Checks whether two things can be the same at all.
fn check_equals(visit: &mut Visit<'_>, call: &FnCallExpr, at: Position, kinds: [Type; 2]) {
    let [left, right] = kinds;
    let mut forms = visit.known.words.iter().filter(|word| word.form == Form::Function && *word.name == *call.name);
    if left == right || !kinds.iter().all(|kind| SINGLE.contains(kind)) || forms.any(|word| word.types == kinds) {
        return;
    }
    let has = |kind: Type| kinds.contains(&kind);
    let help = match kinds {
        _ if (has(Type::Piece) || has(Type::Component)) && has(Type::Text) => {
            "ask for its `kind`, or compare its component: `card.component == component(\"…\")`"
        }
        _ if has(Type::Piece) && has(Type::Component) => "compare its component: `card.component == …`",
        _ if has(Type::Seat) && has(Type::Number) => "compare its `number`, or name a seat",
        _ if has(Type::Seat) => "compare with a seat: `first`, `active`, or one of `seats`",
        _ if (has(Type::Zone) || has(Type::Space)) && has(Type::Number) => "compare how many lie there: `….count()`",
        _ if has(Type::Flag) => "a flag is asked by itself: `if x { … }`",
        _ if has(Type::Number) && has(Type::Text) => "write the number without quotes",
        _ => "compare things of one type",
    };
    let never = if call.name == "==" { "never" } else { "always other than" };
    let found = Diagnostic::error("wrong-type", format!("{} is {never} {}", left.one(), right.one()))
        .mark(place::of_sign(visit.source, at, &call.name), "compares things of two types")
        .help(help);
    visit.found.push(found);
}

/// Checks what `if` and `while` ask.
pub(super) fn check_condition(visit: &mut Visit<'_>, asked: &Expr) {
    let Some(kind) = visit.known.evident(asked, &visit.locals) else { return };
    // `loop` asks `()`.
    if matches!(kind, Type::Flag | Type::Any) || matches!(asked, Expr::Unit(_)) {
        return;
    }
    let found = Diagnostic::error("wrong-type", format!("a flag was expected, not {}", kind.one()))
        .mark(place_of(visit, asked), "of another type");
    visit.found.push(found.help("write a comparison: `x > 0`, `x != ()`"));
}

/// Where an expression begins.
fn place_of(visit: &Visit<'_>, expr: &Expr) -> Place {
    match expr {
        Expr::StringConstant(text, at) => place::of_text(visit.source, *at, text),
        other => place::at_position(visit.source, place::first_position(other)),
    }
}

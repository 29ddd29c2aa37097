//! What is set, and what is gone through: a value takes things of its type alone, a printed fact cannot be set, and `for`
//! goes through several things.

use super::super::vocabulary::{Fact, wanted};
use super::chain::{Link, Links};
use super::known::Known;
use super::{Visit, place};
use crate::decision::Type;
use crate::diagnostic::Diagnostic;
use crate::model::{Value, ValueType};
use rhai::{BinaryExpr, Expr, Position};

/// Checks `thing.name = given`.
pub(super) fn check(visit: &mut Visit<'_>, assignment: &BinaryExpr) {
    let (Expr::Dot(..) | Expr::Index(..)) = &assignment.lhs else { return };
    let links = Links::of(&assignment.lhs);
    let Some((Link::Dot(Expr::Property(property, at)), before)) = links.rest.split_last() else { return };
    let known = visit.known;
    let of = known.kind_before(&links, before, &visit.locals);
    let name = &*property.2;
    if of.is_none() && known.is_part(name) {
        return;
    }
    let values = values(known, of, name);
    let facts = known.facts_named(of, name).count();
    if facts > 0 && values.is_empty() {
        visit.found.push(fixed_field(visit, of, name, *at));
    } else if let [value] = values.as_slice()
        && let Some(given) = known.evident(&assignment.rhs, &visit.locals)
        && !takes(value, given)
    {
        visit.found.push(wrong_value(visit, value, given, &assignment.rhs, *at));
    }
}

/// The values of a name, over all things or those of one type.
pub(super) fn values<'k>(known: &Known<'k>, of: Option<Type>, name: &str) -> Vec<&'k Value> {
    let own = known.facts_named(of, name).filter_map(|(_, fact, model)| match fact {
        Fact::Value(id) => Some(model.value(*id)),
        _ => None,
    });
    let asks_game = of.is_none_or(|of| of == Type::Game);
    let game = known.values_of_game().filter(|value| asks_game && *value.id == *name);
    let mut values: Vec<&Value> = Vec::new();
    for value in own.chain(game) {
        // The same value of another option counts once.
        if !values.iter().any(|known| (known.owner, &known.kind) == (value.owner, &value.kind)) {
            values.push(value);
        }
    }
    values
}

/// Whether a value may become a thing of a type.
fn takes(value: &Value, given: Type) -> bool {
    match given {
        Type::Number => value.kind == ValueType::Number,
        Type::Flag => value.kind == ValueType::Flag,
        Type::Text => matches!(value.kind, ValueType::Word(_)),
        Type::Seat => value.kind == ValueType::Seat,
        Type::Component => matches!(value.kind, ValueType::Component(_)),
        Type::Space => matches!(value.kind, ValueType::Space(_)),
        Type::Nothing => matches!(value.kind, ValueType::Seat | ValueType::Component(_) | ValueType::Space(_)),
        Type::Any => true,
        _ => false,
    }
}

fn fixed_field(visit: &Visit<'_>, of: Option<Type>, name: &str, at: Position) -> Diagnostic {
    let whose = of.map_or_else(String::new, |of| format!(" of {}", of.one()));
    Diagnostic::error("fixed-field", format!("`{name}`{whose} cannot be set"))
        .mark(place::of_name(visit.source, at, name), "printed, or not a value")
        .help("declare a value of another name, or move the piece")
}

fn wrong_value(visit: &Visit<'_>, value: &Value, given: Type, rhs: &Expr, at: Position) -> Diagnostic {
    let written = match rhs {
        Expr::StringConstant(text, _) => format!("`\"{text}\"`"),
        Expr::IntegerConstant(number, _) => format!("`{number}`"),
        Expr::BoolConstant(flag, _) => format!("`{flag}`"),
        _ => given.one(),
    };
    let message = format!("`{}` is {}, not {written}", value.id, wanted(visit.known.model, value));
    Diagnostic::error("wrong-value", message).mark(place::of_name(visit.source, at, &value.id), "set to something else")
}

/// Checks what a `for` goes through.
pub(super) fn check_each(visit: &mut Visit<'_>, list: &Expr) {
    let Some(kind) = visit.known.evident(list, &visit.locals) else { return };
    let single =
        [Type::Zone, Type::Space, Type::Piece, Type::Component, Type::Seat, Type::Number, Type::Flag, Type::Nothing];
    if !single.contains(&kind) {
        return;
    }
    let links = Links::of(list);
    let (at, name) = match (links.rest.last(), links.start) {
        (Some(Link::Dot(Expr::Property(property, at))), _) => (*at, property.2.to_string()),
        (Some(Link::Dot(Expr::MethodCall(call, at))), _) => (*at, call.name.to_string()),
        (_, Expr::Variable(name, _, at)) => (*at, name.1.to_string()),
        (_, start) => (start.position(), String::new()),
    };
    let here =
        if name.is_empty() { place::at_position(visit.source, at) } else { place::of_name(visit.source, at, &name) };
    let found = Diagnostic::error("not-a-list", format!("`for` goes through several things, not {}", kind.one()))
        .mark(here, "not a list");
    visit.found.push(match kind {
        Type::Zone => found.help("ask for its `pieces` or `spaces`"),
        Type::Space => found.help("ask for its `pieces`"),
        Type::Number => found.help("write a range such as `0..n`"),
        _ => found,
    });
}

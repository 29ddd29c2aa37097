//! Words in quotes: where the vocabulary takes the name of something, that thing must be there.

use super::super::vocabulary::{Word, relation_names};
use super::chain::{Link, Links};
use super::evident::asked_for_facts;
use super::known::Known;
use super::{Receiver, Visit, place};
use crate::decision::Type;
use crate::diagnostic::{Diagnostic, did_you_mean, how_to_declare, how_to_give};
use crate::library::Role;
use crate::model::Language;
use crate::table::{Direction, Way};
use rhai::{BinaryExpr, Expr, FnCallExpr, Position, Stmt};

/// Checks the words in quotes that a call is given.
pub(super) fn check_call(visit: &mut Visit<'_>, call: &FnCallExpr, receiver: Option<Receiver>) {
    let name = call.name.as_str();
    let (shift, total) = (usize::from(receiver.is_some()), call.args.len() + usize::from(receiver.is_some()));
    if !visit.known.functions_named(name).any(|word| word.params.len() == total) {
        return;
    }
    let first = match receiver {
        Some(Receiver(kind)) => kind,
        None => call.args.first().and_then(|arg| visit.known.kind_of(arg, &visit.locals)),
    };
    let of = first.and_then(asked_for_facts);
    for (at, arg) in call.args.iter().enumerate() {
        let roles = roles(visit.known, name, total, at + shift);
        if !roles.is_empty() {
            for (word, at) in quoted(arg) {
                check_word(visit, &roles, of, word, at);
            }
        }
    }
    if name == "say" {
        check_facts(visit, call);
    }
    check_compared(visit, call, of, shift);
}

/// What all forms of a function that take a text at a position take the name of there.
fn roles(known: &Known<'_>, name: &str, total: usize, at: usize) -> Vec<Role> {
    let takes_text = |word: &&Word| matches!(word.types[at], Type::Text | Type::List | Type::Any);
    let forms = known.functions_named(name).filter(|word| word.params.len() == total);
    let mut all = forms.filter(takes_text).map(|word| word.takes[at].roles());
    let first = all.next().unwrap_or_default();
    if all.any(|roles| roles != first) { Vec::new() } else { first }
}

/// The words in quotes in an argument: itself, the entries of a list, or what an `if` gives.
fn quoted(arg: &Expr) -> Vec<(&str, Position)> {
    match arg {
        Expr::StringConstant(word, at) => vec![(word.as_str(), *at)],
        Expr::Array(entries, _) => entries.iter().flat_map(quoted).collect(),
        Expr::Stmt(block) => block.statements().last().map(given).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The words in quotes that a statement gives.
fn given(statement: &Stmt) -> Vec<(&str, Position)> {
    match statement {
        Stmt::Expr(expr) => quoted(expr),
        Stmt::Block(block) => block.statements().last().map(given).unwrap_or_default(),
        Stmt::If(flow, _) => {
            let branches = [&flow.body, &flow.branch].into_iter();
            branches.filter_map(|branch| branch.statements().last()).flat_map(given).collect()
        }
        _ => Vec::new(),
    }
}

fn check_word(visit: &mut Visit<'_>, roles: &[Role], of: Option<Type>, word: &str, at: Position) {
    let known = visit.known;
    let all = known.models();
    let components = || all.iter().flat_map(|model| model.components.iter().map(|c| &*c.id));
    let kinds = || all.iter().flat_map(|model| model.kinds.iter().map(|k| &*k.id));
    let (code, what, note, names): (_, _, _, Vec<&str>) = match roles[0] {
        Role::Question => (
            "unknown-alteration",
            "nothing is altered as",
            "not declared",
            all.iter().flat_map(|model| model.altered.keys().map(|name| &**name)).collect(),
        ),
        Role::Cell => {
            let fields = all.iter().flat_map(|model| model.cells.fields.keys().map(|name| &**name)).collect();
            ("unknown-field", "cells have no", "not a field of cells", fields)
        }
        Role::Component if roles.contains(&Role::Kind) => (
            "unknown-component",
            "there is no kind or component",
            "neither a kind nor a component",
            kinds().chain(components()).collect(),
        ),
        Role::Component => {
            ("unknown-component", "there is no component", "not the id of a component", components().collect())
        }
        Role::Decision => (
            "unknown-decision",
            "there is no decision",
            "not a decision of the game",
            all.iter().flat_map(|model| model.decisions.iter().map(|d| &*d.id)).collect(),
        ),
        Role::Direction => {
            ("unknown-direction", "no direction is called", "not a point of the compass", Direction::names().collect())
        }
        Role::Ending => (
            "unknown-ending",
            "there is no ending",
            "not an ending of the game",
            all.iter().flat_map(|model| model.endings.iter().map(|e| &*e.id)).collect(),
        ),
        Role::Fact => return check_fact(visit, of, word, at),
        // Any name will do.
        Role::Part => return,
        Role::Kind => ("unknown-kind", "there is no kind", "not a kind of component", kinds().collect()),
        Role::Onto => {
            ("unknown-target", "no spaces are called", "not a sort of space", vec!["empty", "hostile", "free", "any"])
        }
        Role::Relation => {
            ("unknown-relation", "nothing is compared with", "not a relation", relation_names().collect())
        }
        Role::Announcement => (
            "unknown-text",
            "there is no text",
            "not declared",
            all.iter().flat_map(|model| model.says.iter().map(|s| &*s.id)).collect(),
        ),
        Role::Side => ("unknown-side", "no side of a piece is called", "neither up nor down", vec!["up", "down"]),
        Role::Way => (
            "unknown-way",
            "no way to lay a piece is called",
            "not a way to lay a piece",
            Way::ALL.map(Way::word).to_vec(),
        ),
    };
    if names.contains(&word) {
        return;
    }
    let found = Diagnostic::error(code, format!("{what} `{word}`")).mark(place::of_text(visit.source, at, word), note);
    let help =
        did_you_mean(word, names.iter().copied()).or_else(|| how_to_declare(code, word)).or_else(|| listed(&names));
    visit.found.push(match help {
        Some(help) => found.help(help),
        None => found,
    });
}

/// The few words there are.
fn listed(names: &[&str]) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(name) {
            seen.push(name);
        }
    }
    let names: Vec<String> = seen.iter().map(|name| format!("`\"{name}\"`")).collect();
    match names.as_slice() {
        [one] => Some(format!("write {one}")),
        [several @ .., last] if names.len() <= 8 => Some(format!("write {} or {last}", several.join(", "))),
        _ => None,
    }
}

fn check_fact(visit: &mut Visit<'_>, of: Option<Type>, word: &str, at: Position) {
    let known = visit.known;
    if known.has_fact(of, word) {
        return;
    }
    let (message, note) = match of {
        Some(kind) => {
            (format!("a {} has no `{word}`", kind.word()), format!("not a field, value or zone of a {}", kind.word()))
        }
        None => (format!("nothing has a `{word}`"), "no field, value or zone has this name".to_owned()),
    };
    let found = Diagnostic::error("unknown-field", message).mark(place::of_text(visit.source, at, word), note);
    let help = did_you_mean(word, known.fact_names(of)).or_else(|| how_to_give(of?.word(), word));
    visit.found.push(help.into_iter().fold(found, Diagnostic::help));
}

/// `where("kind", "…")`: the second word must be one that the fact may be.
fn check_compared(visit: &mut Visit<'_>, call: &FnCallExpr, of: Option<Type>, shift: usize) {
    let param = |name: &str| {
        let mut words =
            visit.known.functions_named(&call.name).filter(|word| word.params.len() == call.args.len() + shift);
        words.find_map(|word| word.params.iter().position(|param| param == name)).and_then(|at| at.checked_sub(shift))
    };
    let (Some(name), Some(to)) = (param("name"), param("is").or_else(|| param("to"))) else { return };
    if let (Some(Expr::StringConstant(name, _)), Some(to)) = (call.args.get(name), call.args.get(to)) {
        let words = visit.known.words_of_fact(of, name);
        check_among(visit, name, words, to);
    }
}

/// `x.kind == "…"`: the word must be one that the fact, or the option of the game, may be.
pub(super) fn check_comparison(visit: &mut Visit<'_>, call: &FnCallExpr) {
    if !matches!(call.name.as_str(), "==" | "!=") || call.args.len() != 2 {
        return;
    }
    for (one, other) in [(0, 1), (1, 0)] {
        let (thing, to) = (&call.args[one], &call.args[other]);
        check_meant(visit, thing, to);
    }
}

/// `x.state = "…"`: the same; and what stands for something of the game cannot be set.
pub(super) fn check_assignment(visit: &mut Visit<'_>, assignment: &BinaryExpr) {
    if let Expr::Variable(name, short, at) = &assignment.lhs
        && name.0.is_none()
        && short.is_none()
        && visit.known.is_global(&name.1)
    {
        let found = Diagnostic::error("fixed-name", format!("`{}` cannot be set", name.1))
            .mark(place::of_name(visit.source, *at, &name.1), "stands for something of the game")
            .help("keep what changes in a value, or in a variable of another name");
        visit.found.push(found);
    }
    check_meant(visit, &assignment.lhs, &assignment.rhs);
}

fn check_meant(visit: &mut Visit<'_>, thing: &Expr, word: &Expr) {
    let known = visit.known;
    match thing {
        Expr::Variable(name, ..) if known.kind_of(thing, &visit.locals).is_none() && name.0.is_none() => {
            let words = known.words_of_option(&name.1);
            check_among(visit, &name.1, words, word);
        }
        Expr::Dot(..) | Expr::Index(..) => {
            let links = Links::of(thing);
            let Some((Link::Dot(Expr::Property(property, _)), before)) = links.rest.split_last() else { return };
            let of = known.kind_before(&links, before, &visit.locals);
            let words = known.words_of_fact(of, &property.2);
            check_among(visit, &property.2, words, word);
        }
        _ => {}
    }
}

fn check_among(visit: &mut Visit<'_>, name: &str, words: Option<Vec<&str>>, to: &Expr) {
    let Some(words) = words else { return };
    for (word, at) in quoted(to) {
        if words.contains(&word) {
            continue;
        }
        let found = Diagnostic::error("unknown-word", format!("`{name}` is never `\"{word}\"`"))
            .mark(place::of_text(visit.source, at, word), "not one of its words");
        let help = did_you_mean(word, words.iter().copied()).or_else(|| listed(&words));
        visit.found.push(match help {
            Some(help) => found.help(help),
            None => found,
        });
    }
}

/// Every name a text has room for must be given.
fn check_facts(visit: &mut Visit<'_>, call: &FnCallExpr) {
    let [text, Expr::Map(given, _), ..] = &*call.args else { return };
    let given: Vec<&str> = given.0.iter().map(|(name, _)| name.name.as_str()).collect();
    for (name, at) in quoted(text) {
        check_rooms(visit, name, at, &given);
    }
}

fn check_rooms(visit: &mut Visit<'_>, name: &str, at: Position, given: &[&str]) {
    let Some(say) = visit.known.models().iter().find_map(|model| model.says.iter().find(|say| *say.id == *name)) else {
        return;
    };
    let rooms: Vec<&str> = Language::ALL.into_iter().flat_map(|language| rooms(say.text.get(language))).collect();
    let Some(room) = rooms.iter().find(|room| !given.contains(room)) else { return };
    let idle = given.iter().copied().filter(|name| !rooms.contains(name));
    let help = match did_you_mean(room, idle) {
        Some(meant) => format!("in the text, {meant} It is given, and the text has no room for it"),
        None => format!("write `{room}: …` in the `#{{…}}`"),
    };
    let found = Diagnostic::error("unfilled-text", format!("the text `{name}` needs `{room}`, which is not given"))
        .mark(place::of_text(visit.source, at, name), format!("has room for `{{{room}}}`"))
        .help(help);
    visit.found.push(found);
}

/// The names in `{…}` of a text.
fn rooms(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

//! Conditions of standing effects: a row that alters something only where a fact holds is of use only if rules pass that fact
//! when they ask, and a value that the fact may have.

use super::code::{Code, times_given};
use super::known::Known;
use super::place;
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::model::{Alteration, FieldValue};
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// How many functions a question is followed through that they are handed.
const DEPTH: usize = 4;

/// The words that ask, each with how many arguments it takes with facts and where these stand.
const ASKING: [(&str, usize, usize); 2] = [("altered", 4, 3), ("altering", 3, 2)];

/// The facts passed with one question: for each, the words and numbers it may be, or nothing where these are open.
type Facts = BTreeMap<String, Option<BTreeSet<String>>>;

/// What rules pass with a question, over all places that ask it.
#[derive(Default)]
struct Question {
    facts: Facts,
    asked: Option<Place>,
    /// Whether some place passes facts that cannot be read there.
    is_open: bool,
}

/// Everything that rules ask for; nothing where a question itself cannot be read.
type Questions = Option<BTreeMap<String, Question>>;

/// Looks for conditions in `alters` that no question of the rules could meet.
pub(super) fn check(known: &Known<'_>, found: &mut Vec<Diagnostic>) {
    let Some(questions) = questions(known) else { return };
    let models = known.models().iter();
    for alteration in models.flat_map(|model| &model.components).flat_map(|component| &component.alters) {
        let Some(question) = questions.get(&*alteration.what).filter(|question| !question.is_open) else { continue };
        for one in unmet(alteration, question) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
}

fn unmet(alteration: &Alteration, question: &Question) -> Vec<Diagnostic> {
    let what = &alteration.what;
    let conditions = alteration.only.iter().zip(&alteration.places);
    let unmet = conditions.filter_map(|((fact, may_be), at)| match question.facts.get(&**fact) {
        None => Some(not_passed(what, fact, at, question)),
        Some(Some(words)) if !may_be.iter().any(|value| words.contains(&written(value))) => {
            Some(never_so(what, fact, words, at, question))
        }
        Some(_) => None,
    });
    unmet.collect()
}

fn not_passed(what: &str, fact: &str, at: &Place, question: &Question) -> Diagnostic {
    let message = format!("this asks for the fact `{fact}`, which no rule passes when it asks for `{what}`");
    let help = did_you_mean(fact, question.facts.keys().map(String::as_str));
    let pass = || format!("pass it where the rules ask, as `#{{ {fact}: … }}`, or leave the condition out");
    asked(Diagnostic::warning("unmet-condition", message).mark(at.clone(), "never holds"), question)
        .help(help.unwrap_or_else(pass))
}

fn never_so(what: &str, fact: &str, words: &BTreeSet<String>, at: &Place, question: &Question) -> Diagnostic {
    let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let message = format!("the fact `{fact}` is never so when rules ask for `{what}`");
    asked(Diagnostic::warning("unmet-condition", message).mark(at.clone(), "never holds"), question)
        .help(format!("what rules pass is {list}"))
}

fn asked(found: Diagnostic, question: &Question) -> Diagnostic {
    match &question.asked {
        Some(place) => found.mark(place.clone(), "asked here"),
        None => found,
    }
}

fn written(value: &FieldValue) -> String {
    match value {
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
        FieldValue::Word(word) => word.to_string(),
        other => format!("{other:?}"),
    }
}

fn questions(known: &Known<'_>) -> Questions {
    let mut questions = Some(BTreeMap::new());
    for code in known.codes.iter().filter(|code| known.is_rule(code)) {
        calls(code, &mut |call, at| {
            let Some((_, arity, facts_at)) = ASKING.iter().find(|(name, ..)| *name == &*call.name) else { return };
            let facts = (call.args.len() == *arity).then(|| &call.args[*facts_at]);
            let asked = place::at_position(&code.source, at);
            match call.args.first() {
                Some(question) => ask(known, code, (question, facts), &asked, DEPTH, &mut questions),
                None => questions = None,
            }
        });
        if has_method(code) {
            return None;
        }
    }
    questions
}

/// Notes what is passed with a question; one that a function is handed is looked for where that is called.
fn ask(
    known: &Known<'_>,
    code: &Code,
    (question, facts): (&Expr, Option<&Expr>),
    asked: &Place,
    depth: usize,
    questions: &mut Questions,
) {
    let Some(all) = questions else { return };
    if let Expr::StringConstant(name, _) = question {
        let entry = all.entry(name.to_string()).or_default();
        entry.asked.get_or_insert_with(|| asked.clone());
        match facts.map_or_else(|| Some(Facts::new()), |facts| read(known, code, facts, depth)) {
            Some(facts) => facts.into_iter().for_each(|(fact, words)| add(&mut entry.facts, fact, words)),
            None => entry.is_open = true,
        }
        return;
    }
    let handed = |expr: &Expr| match expr {
        Expr::Variable(variable, ..) => code.params.iter().position(|param| **param == *variable.1),
        _ => None,
    };
    let Some(at) = handed(question).filter(|_| depth > 0 && !code.is_unnamed()) else { return *questions = None };
    let facts_at = facts.and_then(handed);
    for caller in known.codes.iter().filter(|caller| known.is_rule(caller)) {
        calls(caller, &mut |call, position| {
            if *call.name != *code.name || call.args.len() != code.params.len() {
                return;
            }
            let facts = facts_at.map_or(facts, |at| Some(&call.args[at]));
            let asked = place::at_position(&caller.source, position);
            ask(known, caller, (&call.args[at], facts), &asked, depth - 1, questions);
        });
    }
}

fn add(facts: &mut Facts, fact: String, words: Option<BTreeSet<String>>) {
    let merged = match (facts.remove(&fact), words) {
        (None, words) => words,
        (Some(Some(known)), Some(words)) => Some(known.into_iter().chain(words).collect()),
        _ => None,
    };
    facts.insert(fact, merged);
}

/// The facts of a map, of what a function of the rules ends in, or of a variable that is given one of these and left as it is;
/// nothing where they cannot be read.
fn read(known: &Known<'_>, code: &Code, facts: &Expr, depth: usize) -> Option<Facts> {
    match facts {
        Expr::Map(map, _) => Some(map.0.iter().map(|(name, value)| (name.name.to_string(), constant(value))).collect()),
        Expr::FnCall(call, _) if depth > 0 => result(known, call, depth - 1),
        Expr::Variable(name, ..) if depth > 0 => read(known, code, &given(code, &name.1)?, depth - 1),
        _ => None,
    }
}

/// What a variable of a function is given, if that is once, and nothing of it is asked or changed afterwards.
fn given(code: &Code, name: &str) -> Option<Expr> {
    let (mut value, mut is_open) = (None, times_given(code).get(name) != Some(&1));
    code.walk(&mut |path| match path.last() {
        Some(ASTNode::Stmt(Stmt::Var(var, ..))) if var.0.name == name => value = Some(var.1.clone()),
        Some(ASTNode::Expr(Expr::Dot(sides, ..) | Expr::Index(sides, ..))) => {
            is_open |= matches!(&sides.lhs, Expr::Variable(of, ..) if of.1 == name);
        }
        _ => {}
    });
    value.filter(|_| !is_open)
}

/// What a function of one statement gives; in a longer one the map may have been changed on the way.
fn result(known: &Known<'_>, call: &FnCallExpr, depth: usize) -> Option<Facts> {
    let code = known.code(&call.name)?;
    let (mut statements, mut found) = (0, None);
    code.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements += 1;
            found = match statement {
                Stmt::Expr(expr) | Stmt::Return(Some(expr), ..) => read(known, code, expr, depth),
                Stmt::FnCall(call, _) if depth > 0 => result(known, call, depth - 1),
                _ => None,
            };
        }
    });
    found.filter(|_| statements == 1)
}

/// A word, a number or a flag that is written as such.
fn constant(value: &Expr) -> Option<BTreeSet<String>> {
    let written = match value {
        Expr::StringConstant(word, _) => word.to_string(),
        Expr::IntegerConstant(number, _) => number.to_string(),
        Expr::BoolConstant(flag, _) => flag.to_string(),
        _ => return None,
    };
    Some(BTreeSet::from([written]))
}

/// Every call in a function that is not made of a thing before a dot.
fn calls(code: &Code, work: &mut dyn FnMut(&FnCallExpr, Position)) {
    code.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) = path.last() {
            work(call, *at);
        }
    });
}

/// Whether a question is put as `question.altered(…)`, which nothing here reads.
fn has_method(code: &Code) -> bool {
    let mut has = false;
    code.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::MethodCall(call, _))) = path.last() {
            has |= ASKING.iter().any(|(name, ..)| *name == &*call.name);
        }
    });
    has
}

//! `unmet-condition`: an alteration has a condition that no call of `altered` can meet, because the rules never pass the fact, or never
//! pass it with this value.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::library::modifier_facts_position;
use crate::model::{Alteration, FieldValue};
use crate::syntax::{Expr, ExprKind, Name, Node, StatementKind, each_expr};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of calls and variables to follow when tracing the name of a quantity or the facts that are passed with it.
const MAX_DEPTH: usize = 4;

/// Facts passed with a quantity: the possible values of each fact as strings, or `None` if the values of the fact are unknown.
type Facts = BTreeMap<String, Option<BTreeSet<String>>>;

/// Facts that the rules pass with one quantity, combined over all calls.
#[derive(Default)]
struct PassedFacts {
    facts: Facts,
    asked: Option<Place>,
    /// Whether any call passes facts that cannot be determined.
    is_open: bool,
}

/// Facts that the rules pass with each quantity, by name of the quantity; `None` if some call cannot be analyzed.
type Questions = Option<BTreeMap<String, PassedFacts>>;

/// Reports conditions in `alters` that no call can meet.
pub(crate) fn report_unmet_conditions(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let Some(questions) = questions(program) else { return };
    let models = program.models.iter();
    for alteration in models.flat_map(|model| &model.components).flat_map(|component| &component.alters) {
        let Some(question) = questions.get(&*alteration.what).filter(|question| !question.is_open) else { continue };
        for one in unmet_condition_warnings(alteration, question) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
}

fn unmet_condition_warnings(alteration: &Alteration, question: &PassedFacts) -> Vec<Diagnostic> {
    let what = &alteration.what;
    let conditions = alteration.only.iter().zip(&alteration.places);
    let unmet = conditions.filter_map(|((fact, may_be), at)| match question.facts.get(&**fact) {
        None => Some(fact_never_passed(what, fact, at, question)),
        Some(Some(words)) if !may_be.iter().any(|value| words.contains(&value_text(value))) => {
            Some(value_never_passed(what, fact, words, at, question))
        }
        Some(_) => None,
    });
    unmet.collect()
}

fn fact_never_passed(what: &str, fact: &str, at: &Place, question: &PassedFacts) -> Diagnostic {
    let message = format!("this asks for the fact `{fact}`, which no rule passes when it asks for `{what}`");
    let help = did_you_mean(fact, question.facts.keys().map(String::as_str));
    let pass = || format!("pass it where the rules ask, as `#{{ {fact}: … }}`, or leave the condition out");
    mark_question(Diagnostic::warning("unmet-condition", message).mark(at.clone(), "never holds"), question)
        .help(help.unwrap_or_else(pass))
}

fn value_never_passed(
    what: &str,
    fact: &str,
    words: &BTreeSet<String>,
    at: &Place,
    question: &PassedFacts,
) -> Diagnostic {
    let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let message = format!("the fact `{fact}` is never so when rules ask for `{what}`");
    mark_question(Diagnostic::warning("unmet-condition", message).mark(at.clone(), "never holds"), question)
        .help(format!("what rules pass is {list}"))
}

fn mark_question(found: Diagnostic, question: &PassedFacts) -> Diagnostic {
    match &question.asked {
        Some(place) => found.mark(place.clone(), "asked here"),
        None => found,
    }
}

fn value_text(value: &FieldValue) -> String {
    match value {
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
        FieldValue::Word(word) => word.to_string(),
        other => format!("{other:?}"),
    }
}

fn questions(program: &Program<'_>) -> Questions {
    let mut questions = Some(BTreeMap::new());
    for code in program.rules() {
        visit_calls(code, &mut |name, arguments| {
            let Some(facts_at) = modifier_facts_position(&name.text, arguments.len()) else { return };
            let facts = facts_at.map(|at| &arguments[at]);
            match arguments.first() {
                Some(question) => {
                    record_call(program, code, question, facts, &code.at(name.span), MAX_DEPTH, &mut questions);
                }
                None => questions = None,
            }
        });
        if has_method_form(code) {
            return None;
        }
    }
    questions
}

/// Records the facts that a call passes. If the name of the quantity is a parameter of the calling function, examines the calls of that
/// function instead. Sets `questions` to `None` if the name cannot be determined.
fn record_call(
    program: &Program<'_>,
    code: &Code<'_>,
    question: &Expr,
    facts: Option<&Expr>,
    asked: &Place,
    depth: usize,
    questions: &mut Questions,
) {
    let Some(all) = questions else { return };
    if let ExprKind::Text(name) = &question.kind {
        let entry = all.entry(name.to_string()).or_default();
        entry.asked.get_or_insert_with(|| asked.clone());
        match facts.map_or_else(|| Some(Facts::new()), |facts| read_facts(program, code, facts, depth)) {
            Some(facts) => facts.into_iter().for_each(|(fact, words)| add_fact(&mut entry.facts, fact, words)),
            None => entry.is_open = true,
        }
        return;
    }
    let params = &code.tree.params;
    let handed = |expr: &Expr| match &expr.kind {
        ExprKind::Name(name) => params.iter().position(|param| param.text == *name),
        _ => None,
    };
    let Some(at) = handed(question).filter(|_| depth > 0) else { return *questions = None };
    let facts_at = facts.and_then(handed);
    for caller in program.rules() {
        visit_own_calls(caller, code.key(), &mut |name, arguments| {
            if arguments.len() != params.len() {
                return;
            }
            let facts = facts_at.map_or(facts, |at| Some(&arguments[at]));
            record_call(program, caller, &arguments[at], facts, &caller.at(name.span), depth - 1, questions);
        });
    }
}

fn add_fact(facts: &mut Facts, fact: String, words: Option<BTreeSet<String>>) {
    let merged = match (facts.remove(&fact), words) {
        (None, words) => words,
        (Some(Some(known)), Some(words)) => Some(known.into_iter().chain(words).collect()),
        _ => None,
    };
    facts.insert(fact, merged);
}

/// Determines the facts that a call passes. The expression `facts` may be a map literal, a call of a rule function that returns a map
/// literal, or a variable that never changes. Returns `None` if the facts cannot be determined.
fn read_facts(program: &Program<'_>, code: &Code<'_>, facts: &Expr, depth: usize) -> Option<Facts> {
    match &facts.kind {
        ExprKind::Map(map) => Some(map.iter().map(|(name, value)| (name.text.to_string(), constant(value))).collect()),
        ExprKind::OwnCall { key, .. } if depth > 0 => returned_facts(program, key, depth - 1),
        ExprKind::Name(name) if depth > 0 => read_facts(program, code, constant_variable(code, name)?, depth - 1),
        _ => None,
    }
}

/// Returns the initial value of the variable `name`. Returns `None` if the variable is declared twice or assigned again, or if a field,
/// index or method of it is used, because this could change its value.
fn constant_variable<'a>(code: &Code<'a>, name: &str) -> Option<&'a Expr> {
    let (mut assigned, mut is_open) = (None, code.assignment_counts().get(name) != Some(&1));
    code.tree.each_node(&mut |node| match node {
        Node::Statement(statement) => {
            if let StatementKind::Let { name: variable, value } = &statement.kind
                && *variable.text == *name
            {
                assigned = value.as_ref();
            }
        }
        Node::Expr(expr) => {
            if let ExprKind::Field { receiver: of, .. }
            | ExprKind::Index { receiver: of, .. }
            | ExprKind::Method { receiver: of, .. } = &expr.kind
            {
                is_open |= matches!(&of.kind, ExprKind::Name(of) if **of == *name);
            }
        }
        Node::Block(_) => {}
    });
    assigned.filter(|_| !is_open)
}

/// Returns the facts in the map that a function returns. Returns `None` if they cannot be determined, or if the function has more than one
/// statement, because an earlier statement could change the map.
fn returned_facts(program: &Program<'_>, key: &str, depth: usize) -> Option<Facts> {
    let code = program.code(key)?;
    let [statement] = code.tree.body.statements.as_slice() else { return None };
    match &statement.kind {
        StatementKind::Expr(expr) | StatementKind::Return(Some(expr)) => read_facts(program, code, expr, depth),
        _ => None,
    }
}

/// Returns the value of a literal as a set with one string. Returns `None` if the expression is not a literal.
fn constant(value: &Expr) -> Option<BTreeSet<String>> {
    let word = match &value.kind {
        ExprKind::Text(word) => word.to_string(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Flag(flag) => flag.to_string(),
        _ => return None,
    };
    Some(BTreeSet::from([word]))
}

/// Visits every call in `code` to the rule function whose key is `called`.
fn visit_own_calls<'a>(code: &Code<'a>, called: &str, work: &mut dyn FnMut(&'a Name, &'a [Expr])) {
    each_expr(&code.tree.body.statements, &mut |expr| {
        if let ExprKind::OwnCall { name, key, arguments, .. } = &expr.kind
            && **key == *called
        {
            work(name, arguments);
        }
    });
}

/// Visits every call of the form `name(…)` to a library function. Method calls are not visited.
fn visit_calls<'a>(code: &Code<'a>, work: &mut dyn FnMut(&'a Name, &'a [Expr])) {
    each_expr(&code.tree.body.statements, &mut |expr| {
        if let ExprKind::Call { name, arguments } = &expr.kind {
            work(name, arguments);
        }
    });
}

/// Returns whether a function contains a method call `name.altered(…)`. The facts in such a call are not analyzed.
fn has_method_form(code: &Code<'_>) -> bool {
    let mut has = false;
    each_expr(&code.tree.body.statements, &mut |expr| {
        if let ExprKind::Method { name, .. } = &expr.kind {
            has |= modifier_facts_position(&name.text, 0).is_some();
        }
    });
    has
}

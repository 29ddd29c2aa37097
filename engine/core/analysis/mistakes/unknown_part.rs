//! `unknown-part`: the rules use a part that the map never has, or create options with parts that their decision does not declare.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, Place, did_you_mean, nearest, sentence};
use crate::library::{NameRole, Pattern};
use crate::model::Decision;
use crate::syntax::{BinaryOp, Expr, ExprKind, Name, Statement, StatementKind, each_expr};
use std::sync::Arc;

/// Maximum nesting depth of the expressions and calls that are followed to find the parts of options.
const MAX_DEPTH: usize = 4;

/// Name and place of a part that the rules create, in a map or an option.
struct CreatedPart<'a> {
    name: &'a str,
    place: Place,
}

/// Reports parts of options that their decision does not declare. Also reports misspelled part names in pairs.
pub(crate) fn report_undeclared_parts(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    visit_calls(program, &mut |code, name, arguments| {
        let forms = program.language.functions(name).iter().filter(|word| word.takes.len() == arguments.len());
        for word in forms {
            let decision = word.takes.iter().position(|takes| *takes == Pattern::Name(NameRole::Decision));
            if let Some((decision, options)) = decision.zip(word.takes.iter().position(offers)) {
                check_offer(program, code, arguments[decision], arguments[options], found);
            }
        }
    });
    visit_calls(program, &mut |code, name, arguments| {
        if returns_pattern(program, name, &Pattern::Pair) {
            check_pair(program, code, arguments, found);
        }
    });
}

/// Returns whether a parameter takes a set of options, or a closure that returns a set of options.
fn offers(takes: &Pattern) -> bool {
    match takes {
        Pattern::Choices(_) => true,
        Pattern::Function(_, result, _) => offers(result),
        Pattern::Union(all) => all.iter().any(offers),
        _ => false,
    }
}

/// Returns whether a library function called `name` has the return pattern `result`.
fn returns_pattern(program: &Program<'_>, name: &str, result: &Pattern) -> bool {
    program.language.functions(name).iter().any(|word| word.returns == *result)
}

/// Visits every call of a library function with all its arguments. The receiver of a method call counts as the first argument.
fn visit_calls<'a>(program: &Program<'a>, work: &mut dyn FnMut(&Code<'a>, &'a str, &[&'a Expr])) {
    for code in &program.codes {
        each_expr(&code.tree.body.statements, &mut |expr| match &expr.kind {
            ExprKind::Call { name, arguments } => work(code, &name.text, &arguments.iter().collect::<Vec<_>>()),
            ExprKind::Method { receiver: of, name, arguments, .. } => {
                work(code, &name.text, &std::iter::once(&**of).chain(arguments).collect::<Vec<_>>());
            }
            _ => {}
        });
    }
}

fn check_offer<'a>(
    program: &Program<'a>,
    code: &Code<'a>,
    decision: &Expr,
    options: &'a Expr,
    found: &mut Vec<Diagnostic>,
) {
    let ExprKind::Text(name) = &decision.kind else { return };
    let mut models = program.models.iter();
    let Some(decision) = models.find_map(|model| model.decisions.iter().find(|decision| decision.id == *name)) else {
        return;
    };
    let declared: Vec<&str> = parts(decision).collect();
    if declared.is_empty() {
        return;
    }
    for part in offered_parts(program, code, options, MAX_DEPTH) {
        if !declared.contains(&part.name) {
            found.push(undeclared(&format!("the decision `{}` has no", decision.id), part, &declared));
        }
    }
}

/// Checks the part names of a pair without knowing its decision. If exactly one of the two names is declared by some decision, and the
/// other name resembles a declared one, reports the other name as misspelled.
fn check_pair(program: &Program<'_>, code: &Code<'_>, arguments: &[&Expr], found: &mut Vec<Diagnostic>) {
    let all: Vec<&str> = program.models.iter().flat_map(|model| &model.decisions).flat_map(parts).collect();
    let names = pair_names(code, arguments.iter().copied());
    let (known, unknown): (Vec<CreatedPart<'_>>, Vec<CreatedPart<'_>>) =
        names.into_iter().partition(|part| all.contains(&part.name));
    let ([_], Ok([part])) = (known.as_slice(), <[CreatedPart<'_>; 1]>::try_from(unknown)) else { return };
    let is_reported = found.iter().any(|found| found.marks.first().is_some_and(|mark| mark.place == part.place));
    if !is_reported && nearest(part.name, all.iter().copied()).is_some() {
        found.push(undeclared("no decision has a", part, &all));
    }
}

fn parts(decision: &Decision) -> impl Iterator<Item = &str> {
    decision.parts.iter().map(|(name, _)| &**name)
}

fn undeclared(whose: &str, part: CreatedPart<'_>, known: &[&str]) -> Diagnostic {
    let found = Diagnostic::error("unknown-part", format!("{whose} part `{}`", part.name))
        .mark(part.place, "not one of its `parts`");
    let list = || format!("its parts are `{}`: add this one in game.toml, or name one of them", known.join("`, `"));
    found.help(did_you_mean(part.name, known.iter().copied()).unwrap_or_else(list))
}

/// Returns the parts of the options that `expr` evaluates to, as far as they can be determined.
fn offered_parts<'a>(program: &Program<'a>, code: &Code<'a>, expr: &'a Expr, depth: usize) -> Vec<CreatedPart<'a>> {
    let Some(further) = depth.checked_sub(1) else { return Vec::new() };
    let all = |exprs: &'a [Expr]| exprs.iter().flat_map(|expr| offered_parts(program, code, expr, further)).collect();
    match &expr.kind {
        ExprKind::Map(map) => {
            let part = |name: &'a Name| CreatedPart { name: &name.text, place: code.at(name.span) };
            map.iter().map(|(name, _)| part(name)).collect()
        }
        ExprKind::List(entries) => all(entries),
        ExprKind::Binary { op: BinaryOp::Add, left, right, .. } => {
            let sides = [left, right].into_iter();
            sides.flat_map(|side| offered_parts(program, code, side, further)).collect()
        }
        ExprKind::Closure { body, .. } => result(program, code, Some(body), further),
        ExprKind::Block(block) => result(program, code, block.statements.last(), further),
        ExprKind::Call { name, arguments } => match program.language.functions(&name.text).first() {
            Some(word) => match word.returns {
                Pattern::Pair => pair_names(code, arguments),
                Pattern::Product | Pattern::OptionsOf(_) => all(arguments),
                _ => Vec::new(),
            },
            None => Vec::new(),
        },
        ExprKind::OwnCall { key, .. } => program
            .code(key)
            .map_or_else(Vec::new, |called| result(program, called, called.tree.body.statements.last(), further)),
        _ => Vec::new(),
    }
}

/// Returns the parts of the options that `last` evaluates to. `last` is the last statement of a function, closure or block.
fn result<'a>(
    program: &Program<'a>,
    code: &Code<'a>,
    last: Option<&'a Statement>,
    depth: usize,
) -> Vec<CreatedPart<'a>> {
    match last.map(|last| &last.kind) {
        Some(StatementKind::Expr(expr) | StatementKind::Return(Some(expr))) => {
            offered_parts(program, code, expr, depth)
        }
        _ => Vec::new(),
    }
}

/// Returns the part names in the arguments of a call that creates a pair, with their places. Omits arguments that are not string literals.
fn pair_names<'a>(code: &Code<'a>, arguments: impl IntoIterator<Item = &'a Expr>) -> Vec<CreatedPart<'a>> {
    let names = arguments.into_iter().take(2).filter_map(|argument| match &argument.kind {
        ExprKind::Text(name) => Some(CreatedPart { name, place: code.at(argument.span) }),
        _ => None,
    });
    names.collect()
}

/// Creates the diagnostic for an assignment to a part that the map did not have when it was created.
pub(crate) fn added_part(name: &str, parts: &[Arc<str>], here: Place) -> Diagnostic {
    let found = unknown_part(name, parts, here);
    let said = found.help.clone().unwrap_or_default();
    if said.starts_with("did you mean") {
        return found;
    }
    found.help(format!("{said}: give it another where it is made, `#{{ …, {name}: … }}`"))
}

pub(crate) fn unknown_part(name: &str, parts: &[Arc<str>], here: Place) -> Diagnostic {
    let found = sentence::unknown_part(name).at(here);
    let mut named: Vec<&str> = parts.iter().map(|part| &**part).collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return found;
    }
    let all = named.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ");
    found.help(format!("its parts are {all}")).suggest(name, named)
}

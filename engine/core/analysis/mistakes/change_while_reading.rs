//! `change-while-reading`, `change-while-asking`, `change-at-once`: a function or closure changes something although it must not.

use super::super::infer::CertainEffect;
use super::super::program::{Code, Program};
use super::choice_out_of_place::{AGENT_HELP, choice_out_of_place};
use crate::diagnostic::{
    Diagnostic, Place, change_at_once, change_while_asking, change_while_reading, choice_in_a_closure,
};
use crate::library::{Effects, INVARIANT, Pattern, is_agent_function};
use crate::model::SCORING;
use crate::syntax::{Expr, ExprKind, Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function or closure whose effects are restricted.
struct RestrictedFunction<'p, 'a> {
    code: &'p Code<'a>,
    /// Span of the closure, if the restriction applies to a closure.
    within: Option<Span>,
    place: Place,
    note: String,
    reason: Reason,
    /// Effects that the function must not have.
    forbidden: Effects,
}

/// Reason why the effects of a function are restricted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// The engine calls the function to check an invariant.
    Check,
    /// An agent calls the function in an imagined world.
    Agent,
    /// The function computes a number: a score, a derived value, the cost of an option, or its rating by an automa.
    Number,
    /// The flow calls the function, but not as a step: for example for `until`, `when` or `order`.
    Flow,
    /// The function is a closure that a library function calls.
    Library,
}

impl Reason {
    /// All reasons in order of precedence. A place with several reasons is reported with the first one.
    const ALL: [Self; 5] = [Self::Check, Self::Agent, Self::Number, Self::Flow, Self::Library];

    /// Returns the effects that this reason forbids.
    const fn forbids(self) -> Effects {
        let all = Effects::ASKS.union(Effects::CHANGES);
        match self {
            // Players would not see the announcement, or it would be repeated each time the number is computed.
            Self::Check | Self::Agent | Self::Number => all.union(Effects::ANNOUNCES),
            Self::Flow | Self::Library => all,
        }
    }
}

/// Reports forbidden effects in the functions for `until`, `when`, `order`, `costs`, `derived`, `score` and `rank`, in those that rate
/// options for automas, in invariants, agents and restricted closures, and in all functions that these call. Each place is reported once.
pub(crate) fn report_forbidden_effects(program: &Program<'_>, acts: &[CertainEffect], found: &mut Vec<Diagnostic>) {
    let all = restricted_functions(program);
    let mut seen: FxHashMap<Effects, FxHashSet<&str>> = FxHashMap::default();
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    for one in Reason::ALL.into_iter().flat_map(|reason| all.iter().filter(move |one| one.reason == reason)) {
        let seen = seen.entry(one.forbidden).or_default();
        let mut places = Vec::new();
        let mut roots = vec![one.code.key()];
        if let Some(span) = one.within {
            let is_within = |at: Span| span.start <= at.start && at.end <= span.end;
            let calls = program.effective_calls(one.code.key()).filter(|call| is_within(call.span));
            roots = calls.filter_map(|call| call.to.own()).collect();
            places.push((one.code, span));
        }
        let reached = program.reachable_on_real_table(roots, seen);
        places.extend(reached.into_iter().filter_map(|name| program.code(name)).map(|code| (code, code.tree.span)));
        for (place, effects) in places.into_iter().flat_map(|(code, within)| effects_in(program, acts, code, within)) {
            let Some(mistake) = out_of_place(one, effects, place) else { continue };
            if !mistakes.iter().any(|known| known.marks[0].place == mistake.marks[0].place) {
                mistakes.push(mistake.mark(one.place.clone(), one.note.clone()));
            }
        }
    }
    found.extend(mistakes);
}

/// Returns the effects that the code in `region` has in every case, each with its place. The effects are those of library calls, and those
/// in `acts`, which type inference has found.
fn effects_in(program: &Program<'_>, acts: &[CertainEffect], code: &Code<'_>, region: Span) -> Vec<(Place, Effects)> {
    let is_within = |at: Span| region.start <= at.start && at.end <= region.end;
    let calls = program.effective_calls(code.key()).filter(|call| is_within(call.span));
    let of_library = calls.filter_map(|call| {
        let words = program.language.functions(call.to.library()?).iter().map(|word| word.effects);
        Some((call.place(), words.reduce(Effects::intersection)?))
    });
    let is_here = |act: &&CertainEffect| {
        let (source, at) = (&act.place.source, &act.place.span);
        let span = Span { start: at.start as u32, end: at.end as u32 };
        std::sync::Arc::ptr_eq(source, code.source) && is_within(span) && !program.is_tried(code, span)
    };
    of_library.chain(acts.iter().filter(is_here).map(|act| (act.place.clone(), act.effects))).collect()
}

fn restricted_functions<'p, 'a>(program: &'p Program<'a>) -> Vec<RestrictedFunction<'p, 'a>> {
    let mut all = Vec::new();
    for code in &program.codes {
        if let Some(reason) = read_only_reason(program, code) {
            let note = format!("`{}` is read-only", code.name());
            all.push(RestrictedFunction {
                code,
                within: None,
                place: code.place(),
                note,
                reason,
                forbidden: reason.forbids(),
            });
        }
        code.tree.each_node(&mut |node| {
            let Node::Expr(expr) = node else { return };
            let (name, before, arguments) = match &expr.kind {
                ExprKind::Call { name, arguments } => (name, 0, arguments),
                ExprKind::Method { name, arguments, .. } => (name, 1, arguments),
                _ => return,
            };
            for (at, argument) in arguments.iter().enumerate() {
                let forbidden = forbidden(program, &name.text, before + arguments.len(), before + at, argument);
                if forbidden != Effects::NONE {
                    let (place, within) = (code.at(name.span), Some(argument.span));
                    let note = format!("what `{}` calls {}", name.text, restriction_text(forbidden));
                    all.push(RestrictedFunction { code, within, place, note, reason: Reason::Library, forbidden });
                }
            }
        });
    }
    all
}

/// Returns the effects that a closure must not have as the argument at index `at` of the library function `name`.
fn forbidden(program: &Program<'_>, name: &str, total: usize, at: usize, argument: &Expr) -> Effects {
    if !matches!(argument.kind, ExprKind::Closure { .. }) {
        return Effects::NONE;
    }
    let words = program.language.functions(name).iter().filter(|word| word.takes.len() == total);
    let called = words.map(|word| &word.takes[at]).filter(|takes| takes.may_be_function());
    called.map(Pattern::forbidden).reduce(Effects::intersection).unwrap_or_default()
}

/// Describes the restriction of a closure.
const fn restriction_text(forbidden: Effects) -> &'static str {
    match (forbidden.has(Effects::MOVES), forbidden.has(Effects::CHANGES_OTHERWISE), forbidden.has(Effects::ASKS)) {
        (_, false, _) => "asks nobody",
        (false, true, _) => "only moves",
        (true, true, false) => "changes nothing",
        (true, true, true) => "is read-only",
    }
}

fn read_only_reason(program: &Program<'_>, code: &Code<'_>) -> Option<Reason> {
    if code.is_agent {
        return is_agent_function(code.name()).then_some(Reason::Agent);
    }
    if code.name().starts_with(INVARIANT) {
        return Some(Reason::Check);
    }
    let all = program.models.iter().flat_map(|model| &model.flow.named);
    let mut named = all.filter(|named| *named.call.function == *code.name()).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    let by_options = || program.option_functions().iter().any(|named| *named.function == *code.name());
    let by_values = || program.derived().iter().any(|derived| *derived.named.function == *code.name());
    if SCORING.contains(&code.name()) || by_options() || by_values() {
        return Some(Reason::Number);
    }
    by_flow.then_some(Reason::Flow)
}

/// Creates the diagnostic for an effect, if it is forbidden.
fn out_of_place(one: &RestrictedFunction<'_, '_>, effects: Effects, place: Place) -> Option<Diagnostic> {
    let effects = effects.intersection(one.forbidden);
    if effects.has(Effects::ASKS) {
        return Some(match one.reason {
            Reason::Library => choice_in_a_closure().at(place),
            Reason::Agent => choice_out_of_place(place).help(AGENT_HELP),
            _ => choice_out_of_place(place)
                .help("ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look"),
        });
    }
    if effects.has(Effects::ANNOUNCES) {
        let found = Diagnostic::error("change-while-reading", "nobody is told anything here");
        return Some(match one.reason {
            Reason::Agent => found.mark(place, "has no effect").help(AGENT_HELP),
            Reason::Check => {
                found.mark(place, "has no effect").help("say what must hold with `ensure(…, \"…\")`, or take it out")
            }
            _ => {
                found.mark(place, "told each time that it is asked").help("say it in a step of a phase, or take it out")
            }
        });
    }
    if !effects.has(Effects::CHANGES) {
        return None;
    }
    let said = match (one.forbidden.has(Effects::MOVES), one.forbidden.has(Effects::ASKS)) {
        (false, _) => change_at_once(),
        (true, false) => change_while_asking(),
        (true, true) => change_while_reading(),
    };
    let found = said.at(place);
    Some(if one.reason == Reason::Agent { found.help(AGENT_HELP) } else { found })
}

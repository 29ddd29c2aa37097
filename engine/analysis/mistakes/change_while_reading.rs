//! `change-while-reading`, `change-while-asking`, `change-at-once`: what only reads, or may not do everything, does more.

use super::super::infer::Act;
use super::super::program::{Code, Program};
use super::choice_out_of_place::{AGENT_HELP, choice_out_of_place};
use crate::diagnostic::{
    Diagnostic, Place, change_at_once, change_while_asking, change_while_reading, choice_in_a_closure,
};
use crate::library::{Effects, INVARIANT, Pattern, is_agent_function};
use crate::model::SCORING;
use crate::syntax::{Expr, ExprKind, Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function that may not do everything.
struct Restrained<'p, 'a> {
    code: &'p Code<'a>,
    /// The function `|…|` in it, if that is meant.
    within: Option<Span>,
    place: Place,
    note: String,
    whose: Whose,
    /// What it may not do.
    forbidden: Effects,
}

/// Who asks for such a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The engine, which checks the invariants beside the game.
    Check,
    /// An agent, in a world it imagines.
    Agent,
    /// What wants to know a number: the scoring, what is derived, what options cost.
    Number,
    /// The flow.
    Flow,
    /// A function of the library, which calls it.
    Library,
}

impl Whose {
    /// Each of them: what several ask for is told as the first of these wants it.
    const ALL: [Self; 5] = [Self::Check, Self::Agent, Self::Number, Self::Flow, Self::Library];

    /// What it may not do.
    const fn forbids(self) -> Effects {
        let all = Effects::ASKS.union(Effects::CHANGES);
        match self {
            // Nobody is there to hear anything, or hears it each time that the number is wanted.
            Self::Check | Self::Agent | Self::Number => all.union(Effects::ANNOUNCES),
            Self::Flow | Self::Library => all,
        }
    }
}

/// Looks at everything that `until`, `when`, `order`, `costs`, `derived`, `score`, `rank`, invariants and agents call, and functions
/// `|…|` that may not do everything. What several of them do is reported once.
pub(crate) fn more_than_looks(program: &Program<'_>, acts: &[Act], found: &mut Vec<Diagnostic>) {
    let all = all(program);
    let mut seen: FxHashMap<Effects, FxHashSet<&str>> = FxHashMap::default();
    let mut asked: Vec<Diagnostic> = Vec::new();
    for one in Whose::ALL.into_iter().flat_map(|whose| all.iter().filter(move |one| one.whose == whose)) {
        let seen = seen.entry(one.forbidden).or_default();
        let mut places = Vec::new();
        let mut roots = vec![one.code.name()];
        if let Some(span) = one.within {
            let is_within = |at: Span| span.start <= at.start && at.end <= span.end;
            let calls = program.in_earnest(one.code.name()).filter(|call| is_within(call.span));
            roots = calls.map(|call| call.to).collect();
            places.push((one.code, span));
        }
        let reached = program.go_in_earnest(roots, seen);
        places.extend(reached.into_iter().filter_map(|name| program.code(name)).map(|code| (code, code.tree.span)));
        for (place, effects) in places.into_iter().flat_map(|(code, within)| done_in(program, acts, code, within)) {
            let Some(mistake) = out_of_place(one, effects, place) else { continue };
            if !asked.iter().any(|known| known.marks[0].place == mistake.marks[0].place) {
                asked.push(mistake.mark(one.place.clone(), one.note.clone()));
            }
        }
    }
    found.extend(asked);
}

/// What is done in a part of a function for certain: by functions of the library whatever they are given, and as types show.
fn done_in(program: &Program<'_>, acts: &[Act], code: &Code<'_>, within: Span) -> Vec<(Place, Effects)> {
    let is_within = |at: Span| within.start <= at.start && at.end <= within.end;
    let calls = program.in_earnest(code.name()).filter(|call| is_within(call.span) && program.code(call.to).is_none());
    let of_library = calls.filter_map(|call| {
        let words = program.language.functions(call.to).iter().map(|word| word.effects);
        Some((call.place(), words.reduce(Effects::intersection)?))
    });
    let is_here = |act: &&Act| {
        let (source, at) = (&act.place.source, &act.place.span);
        let span = Span { start: at.start as u32, end: at.end as u32 };
        std::sync::Arc::ptr_eq(source, code.source) && is_within(span) && !program.is_tried(code, span)
    };
    of_library.chain(acts.iter().filter(is_here).map(|act| (act.place.clone(), act.effects))).collect()
}

fn all<'p, 'a>(program: &'p Program<'a>) -> Vec<Restrained<'p, 'a>> {
    let mut all = Vec::new();
    for code in &program.codes {
        if let Some(whose) = only_looks(program, code) {
            let note = format!("`{}` is read-only", code.name());
            all.push(Restrained { code, within: None, place: code.place(), note, whose, forbidden: whose.forbids() });
        }
        code.tree.each_node(&mut |node| {
            let Node::Expr(expr) = node else { return };
            let (name, before, arguments) = match &expr.kind {
                ExprKind::Call { name, arguments } => (name, 0, arguments),
                ExprKind::Method { name, arguments, .. } => (name, 1, arguments),
                _ => return,
            };
            for (at, argument) in arguments.iter().enumerate() {
                let forbidden = forbidden(program, (&name.text, before + arguments.len()), before + at, argument);
                if forbidden != Effects::NONE {
                    let (place, within) = (code.at(name.span), Some(argument.span));
                    let note = format!("what `{}` calls {}", name.text, restraint(forbidden));
                    all.push(Restrained { code, within, place, note, whose: Whose::Library, forbidden });
                }
            }
        });
    }
    all
}

/// What a function `|…|` may not do that is an argument of one of the library.
fn forbidden(program: &Program<'_>, (name, total): (&str, usize), at: usize, argument: &Expr) -> Effects {
    if !matches!(argument.kind, ExprKind::Closure { .. }) {
        return Effects::NONE;
    }
    let words = program.language.functions(name).iter().filter(|word| word.takes.len() == total);
    let called = words.map(|word| &word.takes[at]).filter(|takes| takes.may_be_function());
    called.map(Pattern::forbidden).reduce(Effects::intersection).unwrap_or_default()
}

/// What a function `|…|` does that may not do everything, in words.
const fn restraint(forbidden: Effects) -> &'static str {
    match (forbidden.has(Effects::MOVES), forbidden.has(Effects::CHANGES_OTHERWISE), forbidden.has(Effects::ASKS)) {
        (_, false, _) => "asks nobody",
        (false, true, _) => "only moves",
        (true, true, false) => "changes nothing",
        (true, true, true) => "is read-only",
    }
}

fn only_looks(program: &Program<'_>, code: &Code<'_>) -> Option<Whose> {
    if code.is_agent {
        return is_agent_function(code.name()).then_some(Whose::Agent);
    }
    if code.name().starts_with(INVARIANT) {
        return Some(Whose::Check);
    }
    let all = program.models.iter().flat_map(|model| &model.flow.named);
    let mut named = all.filter(|named| *named.call.function == *code.name()).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    let by_options = || program.of_options().iter().any(|named| *named.function == *code.name());
    let by_values = || program.derived().iter().any(|derived| *derived.named.function == *code.name());
    if SCORING.contains(&code.name()) || by_options() || by_values() {
        return Some(Whose::Number);
    }
    by_flow.then_some(Whose::Flow)
}

/// What is wrong with something that is done, if anything.
fn out_of_place(one: &Restrained<'_, '_>, done: Effects, place: Place) -> Option<Diagnostic> {
    let done = done.intersection(one.forbidden);
    if done.has(Effects::ASKS) {
        return Some(match one.whose {
            Whose::Library => Diagnostic::said(choice_in_a_closure(), place),
            Whose::Agent => choice_out_of_place(place).help(AGENT_HELP),
            _ => choice_out_of_place(place)
                .help("ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look"),
        });
    }
    if done.has(Effects::ANNOUNCES) {
        let found = Diagnostic::error("change-while-reading", "nobody is told anything here");
        return Some(match one.whose {
            Whose::Agent => found.mark(place, "has no effect").help(AGENT_HELP),
            Whose::Check => {
                found.mark(place, "has no effect").help("say what must hold with `ensure(…, \"…\")`, or take it out")
            }
            _ => {
                found.mark(place, "told each time that it is asked").help("say it in a step of a phase, or take it out")
            }
        });
    }
    if !done.has(Effects::CHANGES) {
        return None;
    }
    let said = match (one.forbidden.has(Effects::MOVES), one.forbidden.has(Effects::ASKS)) {
        (false, _) => change_at_once(),
        (true, false) => change_while_asking(),
        (true, true) => change_while_reading(),
    };
    let found = Diagnostic::said(said, place);
    Some(if one.whose == Whose::Agent { found.help(AGENT_HELP) } else { found })
}

//! `change-while-reading`: a read-only function calls something that changes the table, or asks a seat.

use super::super::program::{Code, Program, ProgramCall};
use super::choice_out_of_place::{AGENT_HELP, choice_out_of_place};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::{Effects, INVARIANT, SCORING, is_asked_of_agents};
use crate::syntax::{Expr, ExprKind, Node, Span, StatementKind};
use rustc_hash::FxHashSet;

/// The function of the library that compares by a function of the rules.
const SORT: &str = "sort";

/// Asks for answers to an action.
const RESPOND: &str = "respond";

/// A function that may not do everything.
struct ReadOnly<'p, 'a> {
    code: &'p Code<'a>,
    /// The function `|…|` in it, if that is meant.
    within: Option<Span>,
    place: Place,
    note: String,
    whose: Whose,
}

/// Who asks for such a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The engine, which checks the invariants beside the game.
    Check,
    /// An agent, in a world it imagines.
    Agent,
    /// The flow, the scoring, or a decision of its options.
    Game,
    /// A question of what may be chosen.
    Options,
    /// A comparison, which may change the table.
    Comparison,
}

impl Whose {
    /// Whether nobody is there to hear anything.
    const fn is_alone(self) -> bool {
        matches!(self, Self::Check | Self::Agent)
    }
}

/// Looks at everything that `until`, `when`, `order`, `costs`, `derived`, `score`, `rank`, invariants, comparisons, functions that
/// list options and agents call. A function that
/// several of them call is told of once.
pub(crate) fn more_than_looks(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let all = all(program);
    let mut seen = FxHashSet::default();
    let asked_by = |whose: Whose| all.iter().filter(move |read_only| read_only.whose == whose);
    for read_only in
        [Whose::Check, Whose::Agent, Whose::Game, Whose::Options, Whose::Comparison].into_iter().flat_map(asked_by)
    {
        let here = match read_only.within {
            None => in_functions(program, read_only, vec![read_only.code.name()], &mut seen),
            // It has been checked with the function that it stands in.
            Some(_) if seen.contains(read_only.code.name()) => continue,
            Some(span) => {
                let is_within = |call: &&ProgramCall<'_>| span.start <= call.span.start && call.span.end <= span.end;
                let calls: Vec<ProgramCall<'_>> =
                    program.in_earnest(read_only.code.name()).filter(is_within).copied().collect();
                let mut here: Vec<Diagnostic> =
                    calls.iter().filter_map(|call| out_of_place(program, read_only, call)).collect();
                if read_only.whose != Whose::Comparison {
                    here.extend(sets_of(program, read_only, read_only.code, span));
                }
                let further = calls.iter().map(|call| call.to).collect();
                here.extend(in_functions(program, read_only, further, &mut seen));
                here
            }
        };
        found.extend(here.into_iter().map(|found| found.mark(read_only.place.clone(), read_only.note.clone())));
    }
}

/// What is wrong in some functions and in those that they call.
fn in_functions<'a>(
    program: &Program<'a>,
    read_only: &ReadOnly<'_, 'a>,
    roots: Vec<&'a str>,
    seen: &mut FxHashSet<&'a str>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in program.go_in_earnest(roots, seen) {
        found.extend(program.in_earnest(function).filter_map(|call| out_of_place(program, read_only, call)));
        if let Some(code) = program.code(function).filter(|_| read_only.whose != Whose::Comparison) {
            found.extend(sets_of(program, read_only, code, code.tree.span));
        }
    }
    found
}

fn all<'p, 'a>(program: &'p Program<'a>) -> Vec<ReadOnly<'p, 'a>> {
    let mut all = Vec::new();
    for code in &program.codes {
        if let Some(whose) = only_looks(program, code) {
            let note = format!("`{}` is read-only", code.name());
            all.push(ReadOnly { code, within: None, place: code.place(), note, whose });
        }
        code.tree.each_node(&mut |node| {
            let Node::Expr(expr) = node else { return };
            let (ExprKind::Call { name, arguments } | ExprKind::Method { name, arguments, .. }) = &expr.kind else {
                return;
            };
            let is_function = |argument: &&Expr| matches!(argument.kind, ExprKind::Closure { .. });
            let (read_only, note, whose) = if &*name.text == SORT {
                (arguments.last().filter(is_function), "a comparison is read-only", Whose::Comparison)
            } else if program.language.functions(&name.text).iter().any(|word| word.effects.has(Effects::ASKS)) {
                // Behind the options of `respond` stands what follows an answer.
                let is_window = &*name.text == RESPOND;
                let options =
                    if is_window { arguments.iter().rev().nth(1) } else { arguments.iter().find(is_function) };
                (options.filter(is_function), "what lists options is read-only", Whose::Options)
            } else {
                return;
            };
            if let Some(read_only) = read_only {
                let (place, within) = (code.at(name.span), Some(read_only.span));
                all.push(ReadOnly { code, within, place, note: note.to_owned(), whose });
            }
        });
    }
    all
}

fn only_looks(program: &Program<'_>, code: &Code<'_>) -> Option<Whose> {
    if code.is_agent {
        return is_asked_of_agents(code.name()).then_some(Whose::Agent);
    }
    if code.name().starts_with(INVARIANT) {
        return Some(Whose::Check);
    }
    let all = program.models.iter().flat_map(|model| &model.flow.named);
    let mut named = all.filter(|named| *named.call.function == *code.name()).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    let by_options = || program.of_options().iter().any(|named| *named.function == *code.name());
    let by_values = || program.derived().iter().any(|derived| *derived.named.function == *code.name());
    (by_flow || SCORING.contains(&code.name()) || by_options() || by_values()).then_some(Whose::Game)
}

fn out_of_place(program: &Program<'_>, read_only: &ReadOnly<'_, '_>, call: &ProgramCall<'_>) -> Option<Diagnostic> {
    if program.code(call.to).is_some() {
        return None;
    }
    let words = program.language.functions(call.to);
    let effects = words.first().map_or(Effects::NONE, |word| word.effects);
    if effects.has(Effects::ASKS) {
        return Some(choice_out_of_place(call.place()).help(match read_only.whose {
            Whose::Agent => AGENT_HELP,
            Whose::Options => "ask before, and list the options by the answer",
            _ => "ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look",
        }));
    }
    if effects.has(Effects::ANNOUNCES) && read_only.whose.is_alone() {
        let found = Diagnostic::error("change-while-reading", "nobody is told anything here")
            .mark(call.place(), "has no effect");
        return Some(found.help(match read_only.whose {
            Whose::Agent => AGENT_HELP,
            _ => "say what must hold with `ensure(…, \"…\")`, or take it out",
        }));
    }
    // A function that changes the table in one form and a list of the script's own in another, as `clear`, is left to the run.
    let changes = !words.is_empty() && words.iter().all(|word| word.effects.has(Effects::CHANGES));
    (changes && read_only.whose != Whose::Comparison).then(|| changing(read_only, call.place()))
}

/// Where values are set in a part of a function.
fn sets_of(program: &Program<'_>, read_only: &ReadOnly<'_, '_>, code: &Code<'_>, within: Span) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    code.tree.each_node(&mut |node| {
        let Node::Statement(statement) = node else { return };
        let StatementKind::Assign { target, .. } = &statement.kind else { return };
        if let ExprKind::Field { of, name, .. } = &target.kind
            && is_of_the_table(program, of, &name.text)
            && (within.start <= name.span.start && name.span.end <= within.end)
            && !program.is_tried(code, name.span)
        {
            found.push(changing(read_only, code.at(name.span)));
        }
    });
    found
}

/// Whether a name behind a dot is a value for certain, and not a part of a map.
fn is_of_the_table(program: &Program<'_>, of: &Expr, name: &str) -> bool {
    let is_game = |name: &str| program.language.name(name).is_some_and(|word| word.returns.tag() == Tag::Game);
    let is_of_game = matches!(&of.start().kind, ExprKind::Name(name) if is_game(name));
    is_of_game || !program.is_part(name) && program.is_value(name)
}

fn changing(read_only: &ReadOnly<'_, '_>, place: Place) -> Diagnostic {
    let found = Diagnostic::error("change-while-reading", "nothing can change here").mark(place, "changes the table");
    found.help(match read_only.whose {
        Whose::Agent => AGENT_HELP,
        Whose::Options => "change the table before, or after the answer",
        _ => "change the table in a step of a phase",
    })
}

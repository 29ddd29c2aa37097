//! Functions that may only look at the table: what they come to must neither ask a seat nor change anything.

use super::super::advice;
use super::chain::{Link, Links};
use super::code::{Code, Edge, Graph, unnamed};
use super::known::Known;
use super::place;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::{Effects, INVARIANT, SCORING};
use rhai::{ASTNode, Expr, Stmt};
use rustc_hash::FxHashSet;

/// The word that compares by a function of the rules.
const SORT: &str = "sort";

/// What to do where an agent's file does more than look.
const AGENT_HELP: &str = "take it out: an agent's file looks at the table, and gives a number";

/// A function that may not do everything.
struct Looking {
    name: String,
    place: Place,
    note: String,
    whose: Whose,
}

/// Who asks for such a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Whoever holds the invariants, beside the game.
    Check,
    /// An agent, in a world it imagines.
    Agent,
    /// The flow, or the scoring.
    Game,
    /// A comparison, which may change the table.
    Comparison,
}

impl Whose {
    /// Whether nobody is there to hear anything.
    const fn is_alone(self) -> bool {
        matches!(self, Self::Check | Self::Agent)
    }
}

/// Looks at everything that `until`, `when`, `order`, `score`, `rank`, invariants, comparisons and agents come to. A function that
/// several of them come to is told of once.
pub(super) fn check(known: &Known<'_>, graph: &Graph, found: &mut Vec<Diagnostic>) {
    let all = all(known);
    let mut seen = FxHashSet::default();
    let asked_by = |whose: Whose| all.iter().filter(move |looking| looking.whose == whose);
    for looking in [Whose::Check, Whose::Agent, Whose::Game, Whose::Comparison].into_iter().flat_map(asked_by) {
        for function in graph.go_from(&looking.name, &mut seen) {
            let calls = graph.from(function).filter_map(|edge| out_of_place(known, looking, edge));
            let sets = known.code(function).filter(|_| looking.whose != Whose::Comparison);
            let sets = sets.map(|code| sets_of(known, looking, code));
            let here = calls.chain(sets.into_iter().flatten());
            found.extend(here.map(|found| found.mark(looking.place.clone(), looking.note.clone())));
        }
    }
}

fn all(known: &Known<'_>) -> Vec<Looking> {
    let mut all = Vec::new();
    for code in known.codes {
        if let Some(whose) = only_looks(known, code) {
            let note = format!("`{}` may only look", code.name);
            all.push(Looking { name: code.name.clone(), place: code.place(), note, whose });
        }
    }
    for code in known.codes {
        code.walk(&mut |path| {
            let Some(ASTNode::Expr(Expr::MethodCall(call, at) | Expr::FnCall(call, at))) = path.last() else { return };
            if call.name == SORT
                && let Some(name) = call.args.last().and_then(unnamed)
            {
                let place = place::of_name(&code.source, *at, SORT);
                let note = "a comparison may only look".to_owned();
                all.push(Looking { name, place, note, whose: Whose::Comparison });
            }
        });
    }
    all
}

fn only_looks(known: &Known<'_>, code: &Code) -> Option<Whose> {
    if !known.is_rule(code) {
        return advice::is_asked(&code.name).then_some(Whose::Agent);
    }
    if code.name.starts_with(INVARIANT) {
        return Some(Whose::Check);
    }
    let all = known.models().iter().flat_map(|model| &model.flow.named);
    let mut named = all.filter(|named| *named.call.function == *code.name).peekable();
    let by_flow = named.peek().is_some() && named.all(|named| !named.is_step);
    (by_flow || SCORING.contains(&code.name.as_str())).then_some(Whose::Game)
}

fn out_of_place(known: &Known<'_>, looking: &Looking, edge: &Edge) -> Option<Diagnostic> {
    let name = edge.to.as_str();
    if known.code(name).is_some() {
        return None;
    }
    let mut words = known.functions_named(name).peekable();
    let effects = words.peek().map_or(Effects::NONE, |word| word.effects);
    if effects.has(Effects::ASKS) {
        let found =
            Diagnostic::error("choice-out-of-place", "no decision can be asked here").mark(edge.place(), "asks a seat");
        return Some(found.help(match looking.whose {
            Whose::Agent => AGENT_HELP,
            _ => "ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look",
        }));
    }
    if effects.has(Effects::ANNOUNCES) && looking.whose.is_alone() {
        let found = Diagnostic::error("change-while-looking", "nobody is told anything here")
            .mark(edge.place(), "comes to nothing");
        return Some(found.help(match looking.whose {
            Whose::Agent => AGENT_HELP,
            _ => "say what must hold with `ensure(…, \"…\")`, or take it out",
        }));
    }
    let changes = words.any(|word| word.effects.has(Effects::CHANGES));
    (changes && looking.whose != Whose::Comparison).then(|| changing(looking, edge.place()))
}

/// Where a function sets values.
fn sets_of(known: &Known<'_>, looking: &Looking, code: &Code) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    code.walk(&mut |path| {
        let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() else { return };
        let links = Links::of(&assignment.1.lhs);
        if let Some(Link::Dot(Expr::Property(property, at))) = links.rest.last()
            && is_of_the_table(known, links.start, &property.2)
        {
            found.push(changing(looking, place::of_name(&code.source, *at, &property.2)));
        }
    });
    found
}

/// Whether a name behind a dot is a value for certain, and not a part of a map.
fn is_of_the_table(known: &Known<'_>, start: &Expr, name: &str) -> bool {
    let is_game = matches!(start, Expr::Variable(variable, ..) if known.is_game(&variable.1));
    is_game || !known.is_part(name) && known.is_value(name)
}

fn changing(looking: &Looking, place: Place) -> Diagnostic {
    let found = Diagnostic::error("change-while-looking", "nothing can change here").mark(place, "changes the table");
    found.help(match looking.whose {
        Whose::Agent => AGENT_HELP,
        _ => "change the table in a step of a phase",
    })
}

//! What is there and does nothing: functions nobody calls, things nobody uses, a game without a score, statements that
//! come to nothing.

use super::super::vocabulary::Form;
use super::code::{Code, Graph, blocks, is_name_of_unnamed, unnamed};
use super::known::Known;
use super::place;
use crate::diagnostic::{Diagnostic, Place, Role, Source, is_one_slip_from, nearest};
use crate::library::{Effects, INVARIANT, SCORING, changes_in_place};
use crate::model::{BOX, Family, Kind, Mention, Model, Per, ZoneId};
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt, StmtBlock};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Looks for functions that nobody calls, and for a game that nobody wins.
pub(super) fn check(known: &Known<'_>, graph: &Graph, found: &mut Vec<Diagnostic>) {
    let mut reached = FxHashSet::default();
    for code in known.codes.iter().filter(|code| is_called_for(known, code)) {
        graph.go_from(&code.name, &mut reached);
    }
    for code in known.codes.iter().filter(|code| !code.is_unnamed() && known.is_rule(code)) {
        if !reached.contains(code.name.as_str()) && is_said_beside(known.model, &code.name) {
            graph.go_from(&code.name, &mut reached);
        }
    }
    for code in known.codes.iter().filter(|code| !code.is_unnamed()) {
        if !reached.contains(code.name.as_str()) {
            found.push(uncalled(known, graph, code));
        }
        check_statements(code, known, is_only_step(known, graph, code), found);
    }
    known.codes.iter().for_each(|code| check_names(code, found));
    if !known.functions.iter().any(|function| SCORING.contains(&function.name.as_str())) {
        found.extend(no_score(known));
    }
    check_declared(known, found);
    check_kinds(known, found);
    found.extend(never_in_force(known));
}

/// Rules that ask what is in force for a seat where no zone has what lies in it in force.
fn never_in_force(known: &Known<'_>) -> Option<Diagnostic> {
    let mut models = known.models().iter();
    if models.any(|model| model.families.iter().any(|family| family.in_force)) {
        return None;
    }
    let mut asked = None;
    for code in known.codes.iter().filter(|code| known.is_rule(code)) {
        code.walk(&mut |path| {
            if let Some(ASTNode::Expr(Expr::FnCall(call, at))) = path.last()
                && (&*call.name == "altering" || &*call.name == "altered" && call.args.len() == 3)
            {
                asked = asked.take().or_else(|| Some((call.name.clone(), place::at_position(&code.source, *at))));
            }
        });
    }
    let (word, at) = asked?;
    let found = Diagnostic::warning("never-in-force", format!("`{word}` never finds a piece that is in force"))
        .mark(at, "in no zone does what rows alter hold")
        .help("say `in_force = true` of the zones whose pieces alter something");
    Some(found)
}

/// Looks for things that the data declares and nothing ever names again.
fn check_declared(known: &Known<'_>, found: &mut Vec<Diagnostic>) {
    let near = |id: &str| nearest(id, known.model.mentions.keys().map(|name| &**name).filter(|name| *name != id));
    for (what, id, place) in unused_in(known.model) {
        let slip = near(id).filter(|_| is_overlay(place));
        found.push(unused(what, id, place).help(match slip {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use it in the rules, or take it out".to_owned(),
        }));
    }
    // What an overlay alone declares is a slip where it is nearly a name of the game.
    for model in known.models().iter().filter(|model| !std::ptr::eq(**model, known.model)) {
        let own = |id: &str| known.model.mentions.contains_key(id);
        for (what, id, place) in unused_in(model).filter(|(_, id, place)| is_overlay(place) && !own(id)) {
            let slip = near(id).map(|near| unused(what, id, place).help(format!("did you mean `{near}`?")));
            found.extend(slip.filter(|slip| !found.contains(slip)));
        }
    }
}

/// Kinds that have no rows, and kinds that nothing takes out of the box.
fn check_kinds(known: &Known<'_>, found: &mut Vec<Diagnostic>) {
    let all = || known.models().iter().flat_map(|model| model.kinds.iter().map(|kind| (*model, kind)));
    let mut said: FxHashSet<&str> = known.model.scripts.iter().flat_map(|source| words(&source.text)).collect();
    for kind in &known.model.kinds {
        let Some(mention) = known.model.mentions.get(&kind.id) else { continue };
        let of_kind = all().filter(|(_, other)| other.id == kind.id);
        if of_kind.clone().all(|(_, kind)| kind.components.is_empty()) {
            let others = all().map(|(_, other)| &*other.id).filter(|other| *other != &*kind.id);
            found.push(no_rows(&kind.id, mention, nearest(&kind.id, others)));
            continue;
        }
        if of_kind.clone().any(|(model, kind)| is_laid_out(model, kind)) {
            continue;
        }
        // The name of a kind that is nearly another's is that of a function or variable, if it is not in quotes.
        let others = known.model.kinds.iter().map(|other| &*other.id);
        let slip = nearest(&kind.id, others.filter(|other| *other != &*kind.id)).filter(|near| {
            is_one_slip_from(&kind.id, near) && !known.model.scripts.iter().any(|source| quotes(&source.text, &kind.id))
        });
        if slip.is_some() {
            said.remove(&*kind.id);
        }
        let is_named = of_kind.clone().any(|(model, kind)| is_named(model, kind, &said));
        if !is_named && (slip.is_some() || !said.contains(BOX)) {
            found.push(never_laid_out(&kind.id, mention, slip));
        }
    }
}

/// Whether a piece of a kind lies anywhere but in the box when a game begins.
fn is_laid_out(model: &Model, kind: &Kind) -> bool {
    let is_box = |zone: ZoneId| *model.family_of(zone).id == *BOX;
    model.pieces.iter().any(|piece| kind.components.contains(&piece.component) && !is_box(piece.zone))
}

/// Whether a kind, or one of its components, is named anywhere but at its rows.
fn is_named(model: &Model, kind: &Kind, said: &FxHashSet<&str>) -> bool {
    let is_named =
        |id: &str, own: usize| said.contains(id) || model.mentions.get(id).is_some_and(|mention| mention.times > own);
    let mut rows = kind.components.iter().map(|id| &model.component(*id).id);
    let this = model.find_kind(&kind.id);
    let labels = |family: &Family| family.per.iter().any(|per| matches!(per, Per::Kind(of) if Some(*of) == this));
    if model.families.iter().any(labels) {
        return true;
    }
    is_named(&kind.id, kind.components.len() + 1) || rows.any(|id| is_named(id, 1))
}

fn no_rows(kind: &str, mention: &Mention, near: Option<&str>) -> Diagnostic {
    Diagnostic::warning("unused", format!("no row is a `{kind}`"))
        .mark(mention.place.clone(), "there is none in the box")
        .help(match near {
            Some(near) => format!("write `[[{kind}]]` where `[[{near}]]` is written"),
            None => format!("write `[[{kind}]]` before each of them in a file of components/"),
        })
}

fn never_laid_out(kind: &str, mention: &Mention, slip: Option<&str>) -> Diagnostic {
    Diagnostic::warning("unused", format!("nothing uses the kind `{kind}`"))
        .mark(mention.place.clone(), "stays in the box")
        .help(match slip {
            Some(near) => format!("did you mean `[[{near}]]`?"),
            None => format!("let a zone start with them: `starts_with = [\"{kind}\"]`, or take them out"),
        })
}

/// Whether something is declared elsewhere than in the game itself: in one of its overlays, or one from elsewhere.
fn is_overlay(place: &Place) -> bool {
    !matches!(place.source.role(), Some(Role::Game | Role::Components))
}

fn unused(what: &str, id: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("unused", format!("nothing uses the {what} `{id}`")).mark(place.clone(), "named nowhere else")
}

/// The things that one model declares and nothing names again: what they are, their names, and where these stand.
fn unused_in(model: &Model) -> impl Iterator<Item = (&'static str, &Arc<str>, &Place)> {
    let said: FxHashSet<&str> = model.scripts.iter().flat_map(|source| words(&source.text)).collect();
    // What lies in force in a zone, and what `pieces_of` a seat finds, is used without the zone being named.
    let by_seat = said.contains("pieces_of");
    let is_unnamed = move |family: &&Family| family.in_force || by_seat && family.per.contains(&Per::Seat);
    let zones = model.families.iter().filter(move |family| &*family.id != BOX && !is_unnamed(family));
    let zones = zones.map(|family| ("zone", &family.id));
    let endings = model.endings.iter().filter(|ending| ending.id != model.endings[model.flow.ending.index()].id);
    let declared = (model.params.keys().map(|id| ("param", id)))
        .chain(model.options.keys().map(|id| ("option", id)))
        .chain(zones)
        .chain(model.values.iter().map(|value| ("value", &value.id)))
        .chain(model.decisions.iter().map(|decision| ("decision", &decision.id)))
        .chain(model.phases.iter().map(|phase| ("phase", &phase.id)))
        .chain(endings.map(|ending| ("ending", &ending.id)))
        .chain(model.says.iter().map(|say| ("text", &say.id)))
        .chain(model.altered.keys().map(|id| ("alteration", id)));
    // To choose an option, to set a param or to begin at a phase in a play is no use of it.
    let by_plays = |what: &str, id: &str| matches!(what, "value" | "zone") && is_said(&model.plays, id);
    declared.filter_map(move |(what, id)| match model.mentions.get(id) {
        Some(Mention { place, times: 1 })
            if !said.contains(&**id) && !is_said(&model.agents, id) && !by_plays(what, id) =>
        {
            Some((what, id, place))
        }
        _ => None,
    })
}

/// The words of a script, those in quotes included, those in comments left out.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
}

/// Whether a script says a word in quotes.
fn quotes(text: &str, word: &str) -> bool {
    text.contains(&format!("\"{word}\""))
}

/// Whether a function is called from outside the rules: by the engine, or by the data, which may name it in the flow or in a
/// fact of a component.
fn is_called_for(known: &Known<'_>, code: &Code) -> bool {
    let name = code.name.as_str();
    SCORING.contains(&name)
        || name.starts_with(INVARIANT)
        || known.models().iter().any(|model| is_mentioned(model, name))
}

/// Whether a word stands in what may use the rules without being part of them: a file of an agent, or a playscript.
fn is_said_beside(model: &Model, word: &str) -> bool {
    is_said(&model.agents, word) || is_said(&model.plays, word)
}

fn is_said(sources: &[Arc<Source>], word: &str) -> bool {
    sources.iter().any(|source| words(&source.text).any(|said| said == word))
}

/// Whether the data name something that has no name there of its own.
fn is_mentioned(model: &Model, name: &str) -> bool {
    let own = usize::from(model.components.iter().any(|component| *component.id == *name));
    model.mentions.get(name).is_some_and(|mention| mention.times > own)
}

/// The functions that call one, but for itself.
fn callers(graph: &Graph, code: &Code) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut reached = vec![code.name.as_str()];
    let mut callers: Vec<String> = Vec::new();
    while let Some(name) = reached.pop() {
        for edge in graph.to(name).filter(|edge| edge.from != code.name && seen.insert(edge.from.as_str())) {
            if is_name_of_unnamed(&edge.from) {
                reached.push(&edge.from);
            } else {
                callers.push(format!("`{}`", edge.from));
            }
        }
    }
    callers.sort();
    callers
}

fn uncalled(known: &Known<'_>, graph: &Graph, code: &Code) -> Diagnostic {
    let name = code.name.as_str();
    let callers = callers(graph, code);
    if !callers.is_empty() {
        let only = callers.join(" and ");
        let calls = if callers.len() == 1 { "calls" } else { "call" };
        return Diagnostic::warning(
            "unreached-function",
            format!("only {only} {calls} `{name}`, and nothing leads there"),
        )
        .mark(code.place(), "no step, score or field of the data comes to it")
        .help("call it from elsewhere, or take all of them out");
    }
    let found = Diagnostic::warning("unused-function", format!("nobody calls `{name}`"))
        .mark(code.place(), "named neither in the data nor by another function");
    let (beginning, rest) = name.split_once('_').unwrap_or((name, ""));
    let word = INVARIANT.trim_end_matches('_');
    if nearest(beginning, [word]).is_some() && beginning.len() + 2 >= word.len() {
        return found.help(format!("did you mean `{INVARIANT}{}`?", if rest.is_empty() { "…" } else { rest }));
    }
    let missing = SCORING.into_iter().filter(|word| !known.functions.iter().any(|function| function.name == *word));
    match nearest(name, missing) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("call it, or take it out"),
    }
}

fn no_score(known: &Known<'_>) -> Option<Diagnostic> {
    let place = known.model.flow.place.clone()?;
    let found =
        Diagnostic::warning("no-score", "the rules have neither `score` nor `rank`: all players share the first rank")
            .mark(place, "ends without a winner")
            .help("write `fn score(seat)` in a file of rules/");
    Some(found)
}

/// What comes after a `return`, and statements that work something out and drop it.
pub(super) fn check_statements(code: &Code, known: &Known<'_>, is_step: bool, found: &mut Vec<Diagnostic>) {
    let mut own = Sequence { code, known, has_left: false, dropped: None };
    code.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            own.next(statement, found);
        }
        for block in path.last().map(blocks).unwrap_or_default() {
            let mut sequence = Sequence { code, known, has_left: false, dropped: None };
            block.statements().iter().for_each(|statement| sequence.next(statement, found));
            // What the body of a loop comes to is for nobody; a text that is a block as a whole comes to what the block does.
            let is_body = matches!(path.last(), Some(ASTNode::Stmt(Stmt::For(..) | Stmt::While(..) | Stmt::Do(..))));
            let is_whole = is_step && matches!(path, [ASTNode::Stmt(Stmt::Block(_))]);
            found.extend(sequence.dropped.filter(|_| is_body || is_whole));
        }
    });
    // What a step comes to is for nobody.
    found.extend(own.dropped.filter(|_| is_step));
}

/// Whether a function is a step of the flow, and nothing else.
fn is_only_step(known: &Known<'_>, graph: &Graph, code: &Code) -> bool {
    let named: Vec<_> = known.model.flow.named.iter().filter(|named| *named.call.function == *code.name).collect();
    !named.is_empty() && named.iter().all(|named| named.is_step) && graph.to(&code.name).next().is_none()
}

/// The statements of a block, one after the other.
struct Sequence<'a> {
    code: &'a Code,
    known: &'a Known<'a>,
    /// Whether the one before leaves the block.
    has_left: bool,
    /// What to say of the one before if it is not the last, whose result is that of the block.
    dropped: Option<Diagnostic>,
}

impl Sequence<'_> {
    fn next(&mut self, statement: &Stmt, found: &mut Vec<Diagnostic>) {
        if matches!(statement, Stmt::Noop(_)) {
            return;
        }
        found.extend(self.dropped.take());
        if std::mem::take(&mut self.has_left) {
            found.push(self.unreachable(statement));
            return;
        }
        self.has_left = leaves(statement);
        self.dropped = self.without_effect(statement);
    }

    fn unreachable(&self, statement: &Stmt) -> Diagnostic {
        Diagnostic::warning("unreachable", "this is never carried out")
            .mark(place::at_position(&self.code.source, beginning(statement)), "comes after the way out")
            .help("take it out, or put what leaves before it into an `if`")
    }

    fn without_effect(&self, statement: &Stmt) -> Option<Diagnostic> {
        let Stmt::Expr(expr) = statement else { return None };
        if !is_idle(self.known, expr) || self.known.named_function(expr).is_some() {
            return None;
        }
        let found = Diagnostic::warning("no-effect", "this is worked out, and nothing is done with it")
            .mark(place::at_position(&self.code.source, beginning(statement)), "has no effect");
        Some(match &**expr {
            Expr::FnCall(call, _) if call.name == "==" => found.help("write `=` to set"),
            _ => found.help("take it out, or use what it gives"),
        })
    }
}

/// Whether nothing that follows a statement in its block is carried out.
fn leaves(statement: &Stmt) -> bool {
    let all_leave = |block: &StmtBlock| block.statements().last().is_some_and(leaves);
    match statement {
        Stmt::Return(..) | Stmt::BreakLoop(..) => true,
        Stmt::If(choice, _) => all_leave(&choice.body) && all_leave(&choice.branch),
        Stmt::Block(block) => all_leave(block),
        _ => false,
    }
}

/// Whether working an expression out changes nothing: every call in it only looks.
fn is_idle(known: &Known<'_>, expr: &Expr) -> bool {
    let mut idle = true;
    expr.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        idle &= match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => {
                call.is_operator_call() || only_looks(known, call)
            }
            Some(ASTNode::Expr(Expr::Stmt(_)) | ASTNode::Stmt(_)) => false,
            _ => true,
        };
        true
    });
    idle
}

/// Whether a call is one of a word that only looks, and is handed no function.
fn only_looks(known: &Known<'_>, call: &FnCallExpr) -> bool {
    let name = &*call.name;
    let mut words = known.words.iter().filter(|word| word.form == Form::Function && word.name == name).peekable();
    words.peek().is_some()
        && words.all(|word| word.effects == Effects::NONE)
        && !changes_in_place(name)
        && known.code(name).is_none()
        && call.args.iter().all(|arg| unnamed(arg).is_none())
}

/// Names that are given and never said again.
fn check_names(code: &Code, found: &mut Vec<Diagnostic>) {
    let (mut given, mut said) = (Vec::new(), FxHashSet::default());
    code.walk(&mut |path| match path.last() {
        Some(ASTNode::Stmt(Stmt::Var(variable, ..))) => given.push((variable.0.clone(), has_call(&variable.1))),
        Some(ASTNode::Stmt(Stmt::Share(shared))) => said.extend(shared.iter().map(|(name, ..)| name.name.clone())),
        Some(ASTNode::Expr(Expr::Variable(variable, ..))) => drop(said.insert(variable.1.clone())),
        _ => {}
    });
    for (name, has_call) in
        given.into_iter().filter(|(name, _)| !said.contains(&name.name) && !name.name.starts_with('_'))
    {
        let found_one = Diagnostic::warning("no-effect", format!("nothing uses `{}`", name.name))
            .mark(place::of_name(&code.source, name.pos, &name.name), "named nowhere else in the function");
        found.push(if has_call {
            found_one.help(format!("use it, or leave out `let {} =`", name.name))
        } else {
            found_one.help("use it, or take the line out")
        });
    }
}

/// Whether something is called to work an expression out.
fn has_call(expr: &Expr) -> bool {
    let mut has_call = false;
    expr.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        has_call |= match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => !call.is_operator_call(),
            _ => false,
        };
        true
    });
    has_call
}

/// Where a statement begins: of `a.b` the script engine gives the dot.
fn beginning(statement: &Stmt) -> Position {
    match statement {
        Stmt::Expr(expr) => place::first_position(expr),
        Stmt::Assignment(assignment) => place::first_position(&assignment.1.lhs),
        other => other.position(),
    }
}

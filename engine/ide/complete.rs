//! What may be written at a place, also where the text around it cannot be read.

use super::completion::{Completion, CompletionKind};
use super::describe::{call_around, describe, signature_of, written};
use super::knowledge::GameKnowledge;
use super::play_line::{self, players_before};
use super::scopes::{expressions, variables_at, variables_in};
use super::toml_line::spot;
use super::workbench::Workbench;
use crate::analysis::infer::inspection::{Inspection, Member, Origin};
use crate::analysis::language::Language;
use crate::analysis::names::{PHASE, STANDING};
use crate::decision::Type as Tag;
use crate::diagnostic::{Role as FileRole, Source};
use crate::library::{BuiltIn, NameRole, Pattern, built_in};
use crate::loader::{NameOf, offers};
use crate::playscript::Cast;
use crate::syntax::{
    BinaryOp, Expr, ExprKind, File, Function, Statement, StatementKind, each_expr, each_statement,
    keywords_in_functions, parse, parse_statements,
};
use std::sync::Arc;

/// Stands where something is being written, so that the text around can be read.
const HERE: &str = "parlour_is_asked_here";

/// What may be written at a byte of a file.
pub(crate) fn complete(bench: &mut Workbench, path: &str, at: usize, cast: &Cast<'_>) -> Vec<Completion> {
    let Some(text) = bench.text(path).map(str::to_owned) else { return Vec::new() };
    if !text.is_char_boundary(at) {
        return Vec::new();
    }
    let Ok(known) = bench.recent() else { return Vec::new() };
    match FileRole::of(path) {
        Some(FileRole::Rules | FileRole::Agent) => in_rules(&known, path, &text, at),
        Some(FileRole::Play) => match play_text(&text, at) {
            Some(start) => in_play_text(&known, &text, start, at),
            None => play_line::offered(&known, &text, at, cast).unwrap_or_else(|| {
                let line = text[..at].rfind('\n').map_or(0, |found| found + 1);
                let blanks = text[line..at].len() - text[line..at].trim_start().len();
                let word = text[line..at].trim_start().split(' ').next().map_or(0, str::len);
                in_play_text(&known, &text, line + blanks + word, at)
            }),
        },
        Some(role) => in_data(&known, role, &text, at),
        None => Vec::new(),
    }
}

fn in_data(known: &GameKnowledge, role: FileRole, text: &str, at: usize) -> Vec<Completion> {
    let here = spot(text, at);
    let found = offers(&known.package, role, &here.path, here.is_value).into_iter();
    let fits = found.filter(|offer| offer.is_key != here.is_value && (offer.is_quoted || !here.in_quotes));
    fits.map(|offer| {
        let sort = if offer.is_key { CompletionKind::Key } else { CompletionKind::Word };
        let mut one = Completion::new(sort, &offer.label, &offer.about, here.start);
        if offer.is_quoted && !here.in_quotes {
            one.insert = format!("\"{}\"", offer.label);
        }
        one
    })
    .collect()
}

// ----- rules

/// A text in which something stands where one writes, and where that begins.
struct Marked {
    text: String,
    start: usize,
    is_quoted: bool,
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Puts a name, or a text, where the author writes.
fn marked(text: &str, at: usize) -> Option<Marked> {
    let line_start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let line = &text[line_start..at];
    let mut quote = None;
    let mut chars = line.char_indices().peekable();
    while let Some((found, c)) = chars.next() {
        match c {
            '\\' if quote.is_some() => drop(chars.next()),
            '"' => quote = if quote.is_some() { None } else { Some(found) },
            '/' if quote.is_none() && chars.peek().is_some_and(|(_, next)| *next == '/') => return None,
            _ => {}
        }
    }
    let behind = &text[at..];
    if let Some(quote) = quote {
        let rest = behind.split('\n').next().unwrap_or_default();
        let word = rest.len() - rest.trim_start_matches(|c: char| is_part(c) || c == '-').len();
        let closes = usize::from(rest[word..].starts_with('"'));
        let open = line_start + quote;
        let marked = format!("{}\"{HERE}\"{}", &text[..open], &behind[word + closes..]);
        return Some(Marked { text: marked, start: open + 1, is_quoted: true });
    }
    let start = text[..at].char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(at, |(found, _)| found);
    let word = behind.len() - behind.trim_start_matches(is_part).len();
    let rest = &behind[word..];
    // What follows on another line is another statement.
    let ends = rest.split('\n').next().is_some_and(|line| line.trim().is_empty());
    let end = if ends { ";" } else { "" };
    Some(Marked { text: format!("{}{HERE}{end}{rest}", &text[..start]), start, is_quoted: false })
}

fn in_rules(known: &GameKnowledge, path: &str, text: &str, at: usize) -> Vec<Completion> {
    let Some(marked) = marked(text, at) else { return Vec::new() };
    let source = Arc::new(Source { path: path.to_owned(), text: marked.text.clone() });
    let tree = parse(&source, &mut 0).tree;
    let Some(function) = tree.functions.into_iter().find(|function| function.span.range().contains(&marked.start))
    else {
        return Vec::new();
    };
    let file = File { functions: vec![function], statements: Vec::new() };
    let inspection = known.inspection.beside(&source, &file, None);
    let Function { body, .. } = &file.functions[0];
    let exprs = expressions(&file.functions[0]);
    let variables = variables_at(&file.functions[0], marked.start);
    offered(&Here { known, inspection: &inspection, statements: &body.statements, exprs, variables, marked: &marked })
}

/// Where a text in the game's own vocabulary begins that a byte of a play lies in, where that is a block.
fn play_text(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind("arrange {")? + "arrange {".len();
    let inside = &text[start..at];
    let open = inside.matches('{').count() + 1;
    (open > inside.matches('}').count()).then_some(start)
}

fn in_play_text(known: &GameKnowledge, text: &str, start: usize, at: usize) -> Vec<Completion> {
    if start > at {
        return Vec::new();
    }
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    let Some(mut marked) = marked(&text[start..end], at - start) else { return Vec::new() };
    let source = Arc::new(Source { path: FileRole::Play.path("here"), text: marked.text.clone() });
    let statements: Vec<Statement> = parse_statements(&source, &mut 0).tree;
    let line = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let mut own: Vec<String> = players_before(&text[..line])
        .iter()
        .map(|name| name.trim_matches('"').replace(|c: char| !is_part(c), "_"))
        .collect();
    own.extend(STANDING.map(str::to_owned));
    let file = File { functions: Vec::new(), statements };
    let inspection = known.inspection.beside(&source, &file, Some(&own));
    let mut exprs = Vec::new();
    each_expr(&file.statements, &mut |expr| exprs.push(expr));
    let mut variables = variables_in(&file.statements, marked.start);
    variables.extend(own.iter().map(|name| Arc::from(name.as_str())));
    marked.start += start;
    offered(&Here { known, inspection: &inspection, statements: &file.statements, exprs, variables, marked: &marked })
}

/// A place in rules at which the author writes.
struct Here<'a> {
    known: &'a GameKnowledge,
    inspection: &'a Inspection,
    statements: &'a [Statement],
    exprs: Vec<&'a Expr>,
    variables: Vec<Arc<str>>,
    marked: &'a Marked,
}

fn offered(here: &Here<'_>) -> Vec<Completion> {
    if here.marked.is_quoted {
        return quoted(here);
    }
    let behind_dot = here.exprs.iter().find_map(|expr| match &expr.kind {
        ExprKind::Field { of, name, .. } | ExprKind::Method { of, name, .. } if *name.text == *HERE => Some(&**of),
        _ => None,
    });
    match behind_dot {
        Some(of) => here.inspection.members(of).iter().map(|member| completion(here, member)).collect(),
        None => alone(here),
    }
}

/// What may stand behind a dot.
fn completion(here: &Here<'_>, member: &Member) -> Completion {
    let start = here.marked.start;
    let of_game = || {
        let all = [NameOf::Value, NameOf::Zone, NameOf::Field];
        all.into_iter().find_map(|of| describe(here.known, of, &member.name)).unwrap_or_default()
    };
    match member.from {
        Origin::Game => {
            let is_zone = here.known.model.find_family(&member.name).is_some();
            let sort = if is_zone { CompletionKind::Zone } else { CompletionKind::Field };
            Completion::new(sort, &member.name, &member.is, start).about(of_game())
        }
        Origin::Part => Completion::new(CompletionKind::Field, &member.name, &member.is, start),
        Origin::Property(word) => {
            Completion::new(CompletionKind::Property, &member.name, &written(word), start).about(signature_of(word))
        }
        Origin::Function(word) => {
            Completion::new(CompletionKind::Function, &member.name, &written(word), start).about(signature_of(word))
        }
    }
}

/// What may stand alone.
fn alone(here: &Here<'_>) -> Vec<Completion> {
    let (known, start) = (here.known, here.marked.start);
    let mut found: Vec<Completion> = Vec::new();
    let mut variables = here.variables.clone();
    variables.retain(|name| **name != *HERE);
    variables.reverse();
    variables.dedup();
    found.extend(variables.iter().map(|name| Completion::new(CompletionKind::Variable, name, "a variable", start)));
    for model in known.models() {
        for family in model.families.iter().filter(|family| !family.per.contains(&crate::model::Per::Seat)) {
            add(&mut found, known, (CompletionKind::Zone, NameOf::Zone), &family.id, start);
        }
        for id in model.params.keys() {
            add(&mut found, known, (CompletionKind::Param, NameOf::Param), id, start);
        }
        for id in model.options.keys() {
            add(&mut found, known, (CompletionKind::Param, NameOf::Option), id, start);
        }
    }
    for word in Language::whole().names() {
        let one = Completion::new(CompletionKind::Variable, &word.name, &written(word), start);
        found.push(one.about(signature_of(word)));
    }
    for function in known.rules.iter().flat_map(|file| &file.tree.functions) {
        add(&mut found, known, (CompletionKind::Function, NameOf::Function), &function.name.text, start);
    }
    for name in Language::whole().function_names() {
        let is_name = name.starts_with(is_part);
        if let Some(word) = Language::whole().functions(name).first().filter(|_| is_name)
            && !found.iter().any(|one| one.label == name)
        {
            found
                .push(Completion::new(CompletionKind::Function, name, &written(word), start).about(signature_of(word)));
        }
    }
    found.extend(keywords_in_functions().map(|word| Completion::new(CompletionKind::Keyword, word, "", start)));
    found
}

fn add(
    found: &mut Vec<Completion>,
    known: &GameKnowledge,
    (sort, of): (CompletionKind, NameOf),
    name: &str,
    start: usize,
) {
    if !found.iter().any(|one| one.label == name) {
        let about = describe(known, of, name).unwrap_or_default();
        let detail = known.inspection.global(name).unwrap_or_default();
        found.push(Completion::new(sort, name, &detail, start).about(about));
    }
}

/// What may stand in quotes.
fn quoted(here: &Here<'_>) -> Vec<Completion> {
    let start = here.marked.start;
    let mut words: Vec<(Arc<str>, Option<NameOf>)> = Vec::new();
    let is_here = |expr: &Expr| matches!(&expr.kind, ExprKind::Text(text) if **text == *HERE);
    let holds = |expr: &Expr| is_here(expr) || matches!(&expr.kind, ExprKind::List(items) if items.iter().any(is_here));
    for expr in &here.exprs {
        let (name, arguments): (&str, Vec<&Expr>) = match &expr.kind {
            ExprKind::Call { name, arguments } => (&name.text, arguments.iter().collect()),
            ExprKind::Method { of, name, arguments, .. } => {
                (&name.text, std::iter::once(&**of).chain(arguments).collect())
            }
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Unequal, left, right, .. } => {
                let other = if is_here(left) {
                    right
                } else if is_here(right) {
                    left
                } else {
                    continue;
                };
                words.extend(compared(here, other));
                continue;
            }
            ExprKind::Index { of, index, .. } if is_here(index) => {
                words.extend(here.inspection.members(of).into_iter().map(|member| (member.name, None)));
                continue;
            }
            _ => continue,
        };
        let Some(at) = arguments.iter().position(|argument| holds(argument)) else { continue };
        words.extend(of_call(here, name, &arguments, at));
    }
    each_statement(here.statements, &mut |statement| {
        if let StatementKind::Assign { target, value, .. } = &statement.kind
            && is_here(value)
        {
            words.extend(compared(here, target));
        }
    });
    // Where the brackets cannot be read, what stands before them says enough.
    if words.is_empty()
        && let Some((name, at, is_method)) =
            call_around(&here.marked.text, here.marked.start.min(here.marked.text.len()))
    {
        let at = at + usize::from(is_method);
        words.extend(of_call(here, name, &[], at));
        let before = here.marked.text[..here.marked.start.saturating_sub(1)].trim_end().strip_suffix(',');
        let fact = before.and_then(|before| before.trim_end().strip_suffix('"')?.rsplit('"').next());
        if let Some(fact) = fact.filter(|_| is_compared(name, at)) {
            words.splice(0..0, of_fact(here, fact));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|(word, _)| **word != *HERE && seen.insert(word.clone()));
    let completion = |(word, of): (Arc<str>, Option<NameOf>)| {
        let about = of.and_then(|of| describe(here.known, of, &word)).unwrap_or_default();
        let detail = about.lines().last().unwrap_or_default().to_owned();
        Completion::new(CompletionKind::Word, &word, &detail, start).about(about)
    };
    words.into_iter().map(completion).collect()
}

/// The words that something may be which is compared or set.
fn compared(here: &Here<'_>, other: &Expr) -> Vec<(Arc<str>, Option<NameOf>)> {
    let plain = |words: Vec<Arc<str>>| words.into_iter().map(|word| (word, None)).collect::<Vec<_>>();
    let known = here.inspection.words(other);
    if !known.is_empty() {
        return plain(known);
    }
    match &other.kind {
        ExprKind::Name(name) if **name == *PHASE => {
            here.known.model.phases.iter().map(|phase| (phase.id.clone(), Some(NameOf::Phase))).collect()
        }
        ExprKind::Field { name, .. } => plain(here.inspection.words_of(&name.text)),
        ExprKind::Name(name) => plain(here.inspection.words_of(name)),
        _ => Vec::new(),
    }
}

/// The names that a function of the library wants in quotes at an argument.
fn of_call(here: &Here<'_>, name: &str, arguments: &[&Expr], at: usize) -> Vec<(Arc<str>, Option<NameOf>)> {
    let words = Language::whole().functions(name).iter();
    let mut roles: Vec<NameRole> = words.filter_map(|word| word.takes.get(at)).flat_map(Pattern::roles).collect();
    roles.sort_unstable();
    roles.dedup();
    let mut found = Vec::new();
    for role in roles {
        let first = arguments.first().copied().filter(|_| at > 0);
        let of = super::occurrences::meanings(role).first().copied().filter(|_| !role.is_fact());
        found.extend(here.inspection.quoted(role, first).into_iter().map(|name| (name, of)));
    }
    // What a fact is compared with.
    if let Some(ExprKind::Text(fact)) = at.checked_sub(1).and_then(|before| arguments.get(before)).map(|one| &one.kind)
        && (found.is_empty() || is_compared(name, at))
    {
        found.splice(0..0, of_fact(here, fact));
    }
    found
}

/// Whether a function of the library compares a fact with what stands at an argument, whose name stands before it.
fn is_compared(name: &str, at: usize) -> bool {
    let mut all = Language::whole().functions(name).iter();
    at.checked_sub(1).is_some_and(|before| {
        all.any(|one| one.takes.get(before).is_some_and(|takes| takes.roles().contains(&NameRole::Fact)))
    })
}

/// The words that a fact may be.
fn of_fact(here: &Here<'_>, fact: &str) -> Vec<(Arc<str>, Option<NameOf>)> {
    let mut found: Vec<_> = here.inspection.words_of(fact).into_iter().map(|word| (word, None)).collect();
    if built_in(Tag::Piece, fact) == Some(BuiltIn::Kind) {
        found.extend(here.inspection.quoted(NameRole::Kind, None).into_iter().map(|kind| (kind, Some(NameOf::Kind))));
    }
    found.extend(printed_words(here.known, fact).into_iter().map(|word| (word, None)));
    found
}

/// The words that are printed as a field.
fn printed_words(known: &GameKnowledge, field: &str) -> Vec<Arc<str>> {
    let mut words: Vec<Arc<str>> = Vec::new();
    for model in known.models() {
        let Some(id) = model.find_field(field) else { continue };
        for component in &model.components {
            if let Some(crate::model::FieldValue::Word(word)) = component.fields.get(&id)
                && !words.contains(word)
            {
                words.push(word.clone());
            }
        }
    }
    words
}

//! Completion, even if the text around the cursor cannot be parsed.

use super::completion::{Completion, CompletionKind};
use super::describe::{call_around, describe, signature_of, signature_text};
use super::game_knowledge::GameKnowledge;
use super::play_line::{self, players_before};
use super::scopes::{expressions, variables_at, variables_in};
use super::toml_line::locate;
use super::workbench::Workbench;
use crate::analysis::infer::inspection::{Inspection, Member, Origin};
use crate::analysis::language::Language;
use crate::analysis::names::{PHASE, STANDING};
use crate::decision::Type as Tag;
use crate::diagnostic::{Role as FileRole, Source};
use crate::library::{BuiltIn, NameRole, Pattern, built_in};
use crate::loader::{DeclaredNameKind, offers};
use crate::playscript::Cast;
use crate::syntax::{
    BinaryOp, Expr, ExprKind, File, Function, Statement, StatementKind, bind_agent, bind_file, bind_statements,
    each_expr, each_statement, keywords_in_functions, parse, parse_statements,
};
use std::sync::Arc;

/// Placeholder inserted at the cursor, so that the surrounding text can be parsed.
const PLACEHOLDER: &str = "parlour_is_asked_here";

/// Returns the completions at a byte offset of a file.
pub(crate) fn complete(bench: &mut Workbench, path: &str, at: usize, cast: &Cast<'_>) -> Vec<Completion> {
    let Some(text) = bench.text(path).map(str::to_owned) else { return Vec::new() };
    if !text.is_char_boundary(at) {
        return Vec::new();
    }
    let Ok(known) = bench.last_known() else { return Vec::new() };
    match FileRole::of(path) {
        Some(FileRole::Rules | FileRole::Agent) => complete_rules(&known, path, &text, at),
        Some(FileRole::Play) => match play_text(&text, at) {
            Some(start) => complete_play_text(&known, &text, start, at),
            None => play_line::completions(&known, &text, at, cast).unwrap_or_else(|| {
                let line = text[..at].rfind('\n').map_or(0, |found| found + 1);
                let blanks = text[line..at].len() - text[line..at].trim_start().len();
                let word = text[line..at].trim_start().split(' ').next().map_or(0, str::len);
                complete_play_text(&known, &text, line + blanks + word, at)
            }),
        },
        Some(role) => complete_data(&known, role, &text, at),
        None => Vec::new(),
    }
}

/// Returns the completions at a byte offset of a TOML file.
fn complete_data(known: &GameKnowledge, role: FileRole, text: &str, at: usize) -> Vec<Completion> {
    let spot = locate(text, at);
    let found = offers(&known.package, role, &spot.path, spot.is_value).into_iter();
    let fits = found.filter(|offer| offer.is_key != spot.is_value && (offer.is_quoted || !spot.in_quotes));
    fits.map(|offer| {
        let sort = if offer.is_key { CompletionKind::Key } else { CompletionKind::Word };
        let mut one = Completion::new(sort, &offer.label, &offer.about, spot.start);
        if offer.is_quoted && !spot.in_quotes {
            one.insert = format!("\"{}\"", offer.label);
        }
        one
    })
    .collect()
}

// ----- rules

/// Source text with the placeholder at the cursor, and the byte offset of the word that is completed.
struct MarkedText {
    text: String,
    start: usize,
    is_quoted: bool,
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Replaces the word at the cursor with the placeholder. In a string literal, also replaces everything from the opening quote to the
/// cursor. Returns `None` in a comment.
fn mark_cursor(text: &str, at: usize) -> Option<MarkedText> {
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
        let marked = format!("{}\"{PLACEHOLDER}\"{}", &text[..open], &behind[word + closes..]);
        return Some(MarkedText { text: marked, start: open + 1, is_quoted: true });
    }
    let start = text[..at].char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(at, |(found, _)| found);
    let word = behind.len() - behind.trim_start_matches(is_part).len();
    let rest = &behind[word..];
    // If nothing follows on the line, a semicolon separates the placeholder from the statement on the next line.
    let ends = rest.split('\n').next().is_some_and(|line| line.trim().is_empty());
    let end = if ends { ";" } else { "" };
    Some(MarkedText { text: format!("{}{PLACEHOLDER}{end}{rest}", &text[..start]), start, is_quoted: false })
}

/// Returns the completions at a byte offset of a file of rules or of an agent.
fn complete_rules(known: &GameKnowledge, path: &str, text: &str, at: usize) -> Vec<Completion> {
    let Some(marked) = mark_cursor(text, at) else { return Vec::new() };
    let source = Arc::new(Source { path: path.to_owned(), text: marked.text.clone() });
    let mut tree = parse(&source, &mut 0).tree;
    if known.rule_file(path).is_some_and(|file| file.is_agent) {
        bind_agent(&mut tree, &known.functions);
    } else {
        bind_file(&mut tree, &known.functions);
    }
    let Some(function) = tree.functions.into_iter().find(|function| function.span.range().contains(&marked.start))
    else {
        return Vec::new();
    };
    let file = File { functions: vec![function], statements: Vec::new() };
    let inspection = known.inspection.for_edited_file(&source, &file, None);
    let Function { body, .. } = &file.functions[0];
    let exprs = expressions(&file.functions[0]);
    let variables = variables_at(&file.functions[0], marked.start);
    completions(&CursorContext {
        known,
        inspection: &inspection,
        statements: &body.statements,
        exprs,
        variables,
        marked: &marked,
    })
}

/// Returns the byte offset where the content of the `arrange` block around the cursor starts; `None` outside of such a block.
fn play_text(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind("arrange {")? + "arrange {".len();
    let inside = &text[start..at];
    let open = inside.matches('{').count() + 1;
    (open > inside.matches('}').count()).then_some(start)
}

/// Returns the completions at byte `at` of a playscript, in the code that starts at byte `start`.
fn complete_play_text(known: &GameKnowledge, text: &str, start: usize, at: usize) -> Vec<Completion> {
    if start > at {
        return Vec::new();
    }
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    let Some(mut marked) = mark_cursor(&text[start..end], at - start) else { return Vec::new() };
    let source = Arc::new(Source { path: FileRole::Play.path("here"), text: marked.text.clone() });
    let mut statements: Vec<Statement> = parse_statements(&source, &mut 0).tree;
    bind_statements(&mut statements, &known.functions);
    let line = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let mut own: Vec<String> = players_before(&text[..line])
        .iter()
        .map(|name| name.trim_matches('"').replace(|c: char| !is_part(c), "_"))
        .collect();
    own.extend(STANDING.map(str::to_owned));
    let file = File { functions: Vec::new(), statements };
    let inspection = known.inspection.for_edited_file(&source, &file, Some(&own));
    let mut exprs = Vec::new();
    each_expr(&file.statements, &mut |expr| exprs.push(expr));
    let mut variables = variables_in(&file.statements, marked.start);
    variables.extend(own.iter().map(|name| Arc::from(name.as_str())));
    marked.start += start;
    completions(&CursorContext {
        known,
        inspection: &inspection,
        statements: &file.statements,
        exprs,
        variables,
        marked: &marked,
    })
}

/// Code around the cursor, for completion in rules and in the code of playscripts.
struct CursorContext<'a> {
    known: &'a GameKnowledge,
    inspection: &'a Inspection,
    statements: &'a [Statement],
    exprs: Vec<&'a Expr>,
    variables: Vec<Arc<str>>,
    marked: &'a MarkedText,
}

/// Returns the completions that fit the cursor: in quotes, after a dot, or for a name without a dot.
fn completions(context: &CursorContext<'_>) -> Vec<Completion> {
    if context.marked.is_quoted {
        return quoted(context);
    }
    let behind_dot = context.exprs.iter().find_map(|expr| match &expr.kind {
        ExprKind::Field { receiver: of, name, .. } | ExprKind::Method { receiver: of, name, .. }
            if *name.text == *PLACEHOLDER =>
        {
            Some(&**of)
        }
        _ => None,
    });
    match behind_dot {
        Some(of) => context.inspection.members(of).iter().map(|member| completion(context, member)).collect(),
        None => names_without_dot(context),
    }
}

/// Creates the completion for a member after a dot.
fn completion(context: &CursorContext<'_>, member: &Member) -> Completion {
    let start = context.marked.start;
    let of_game = || {
        let all = [DeclaredNameKind::Value, DeclaredNameKind::Zone, DeclaredNameKind::Field];
        all.into_iter().find_map(|category| describe(context.known, category, &member.name)).unwrap_or_default()
    };
    match member.from {
        Origin::Game => {
            let is_zone = context.known.model.find_family(&member.name).is_some();
            let sort = if is_zone { CompletionKind::Zone } else { CompletionKind::Field };
            Completion::new(sort, &member.name, &member.description, start).about(of_game())
        }
        Origin::Part => Completion::new(CompletionKind::Field, &member.name, &member.description, start),
        Origin::Property(word) => Completion::new(CompletionKind::Property, &member.name, &signature_text(word), start)
            .about(signature_of(word)),
        Origin::Function(word) => {
            // If a function of the game hides one of the library, the name refers to the function of the game.
            let own = context.known.functions.find(&member.name, word.params.len());
            match own.and_then(|key| describe(context.known, DeclaredNameKind::Function, key)) {
                Some(about) => Completion::new(CompletionKind::Function, &member.name, "a function of the game", start)
                    .about(about),
                None => Completion::new(CompletionKind::Function, &member.name, &signature_text(word), start)
                    .about(signature_of(word)),
            }
        }
    }
}

/// Returns completions for a name without a dot.
fn names_without_dot(context: &CursorContext<'_>) -> Vec<Completion> {
    let (known, start) = (context.known, context.marked.start);
    let mut found: Vec<Completion> = Vec::new();
    let mut variables = context.variables.clone();
    variables.retain(|name| **name != *PLACEHOLDER);
    variables.reverse();
    variables.dedup();
    found.extend(variables.iter().map(|name| Completion::new(CompletionKind::Variable, name, "a variable", start)));
    for model in known.models() {
        for family in model.families.iter().filter(|family| !family.per.contains(&crate::model::Per::Seat)) {
            add(&mut found, known, CompletionKind::Zone, DeclaredNameKind::Zone, &family.id, start);
        }
        for id in model.params.keys() {
            add(&mut found, known, CompletionKind::Param, DeclaredNameKind::Param, id, start);
        }
        for id in model.options.keys() {
            add(&mut found, known, CompletionKind::Param, DeclaredNameKind::Option, id, start);
        }
    }
    for word in Language::standard().names() {
        let one = Completion::new(CompletionKind::Variable, &word.name, &signature_text(word), start);
        found.push(one.about(signature_of(word)));
    }
    for function in known.rules.iter().flat_map(|file| &file.tree.functions) {
        add(&mut found, known, CompletionKind::Function, DeclaredNameKind::Function, &function.name.text, start);
    }
    for name in Language::standard().function_names() {
        let is_name = name.starts_with(is_part);
        if let Some(word) = Language::standard().functions(name).first().filter(|_| is_name)
            && !found.iter().any(|one| one.label == name)
        {
            found.push(
                Completion::new(CompletionKind::Function, name, &signature_text(word), start).about(signature_of(word)),
            );
        }
    }
    found.extend(keywords_in_functions().map(|word| Completion::new(CompletionKind::Keyword, word, "", start)));
    found
}

fn add(
    found: &mut Vec<Completion>,
    known: &GameKnowledge,
    kind: CompletionKind,
    category: DeclaredNameKind,
    name: &str,
    start: usize,
) {
    if !found.iter().any(|one| one.label == name) {
        let about = describe(known, category, name).unwrap_or_default();
        let detail = known.inspection.global(name).unwrap_or_default();
        found.push(Completion::new(kind, name, &detail, start).about(about));
    }
}

/// Returns completions for a name in quotes.
fn quoted(context: &CursorContext<'_>) -> Vec<Completion> {
    let start = context.marked.start;
    let mut words: Vec<(Arc<str>, Option<DeclaredNameKind>)> = Vec::new();
    let is_here = |expr: &Expr| matches!(&expr.kind, ExprKind::Text(text) if **text == *PLACEHOLDER);
    let holds = |expr: &Expr| is_here(expr) || matches!(&expr.kind, ExprKind::List(items) if items.iter().any(is_here));
    for expr in &context.exprs {
        let (name, arguments): (&str, Vec<&Expr>) = match &expr.kind {
            ExprKind::Call { name, arguments } => (&name.text, arguments.iter().collect()),
            ExprKind::Method { receiver: of, name, arguments, .. } => {
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
                words.extend(words_of_expr(context, other));
                continue;
            }
            ExprKind::Index { receiver: of, index, .. } if is_here(index) => {
                words.extend(context.inspection.members(of).into_iter().map(|member| (member.name, None)));
                continue;
            }
            _ => continue,
        };
        let Some(at) = arguments.iter().position(|argument| holds(argument)) else { continue };
        words.extend(names_for_argument(context, name, &arguments, at));
    }
    each_statement(context.statements, &mut |statement| {
        if let StatementKind::Assign { target, value, .. } = &statement.kind
            && is_here(value)
        {
            words.extend(words_of_expr(context, target));
        }
    });
    // If the arguments cannot be parsed, the text before the cursor still shows the function and the argument index.
    if words.is_empty()
        && let Some((name, at, is_method)) =
            call_around(&context.marked.text, context.marked.start.min(context.marked.text.len()))
    {
        let at = at + usize::from(is_method);
        words.extend(names_for_argument(context, name, &[], at));
        let before = context.marked.text[..context.marked.start.saturating_sub(1)].trim_end().strip_suffix(',');
        let fact = before.and_then(|before| before.trim_end().strip_suffix('"')?.rsplit('"').next());
        if let Some(fact) = fact.filter(|_| is_compared(name, at)) {
            words.splice(0..0, words_of_fact(context, fact));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|(word, _)| **word != *PLACEHOLDER && seen.insert(word.clone()));
    let completion = |(word, category): (Arc<str>, Option<DeclaredNameKind>)| {
        let about = category.and_then(|category| describe(context.known, category, &word)).unwrap_or_default();
        let detail = about.lines().last().unwrap_or_default().to_owned();
        Completion::new(CompletionKind::Word, &word, &detail, start).about(about)
    };
    words.into_iter().map(completion).collect()
}

/// Returns the words that may be compared with the expression `other`, or assigned to it.
fn words_of_expr(context: &CursorContext<'_>, other: &Expr) -> Vec<(Arc<str>, Option<DeclaredNameKind>)> {
    let plain = |words: Vec<Arc<str>>| words.into_iter().map(|word| (word, None)).collect::<Vec<_>>();
    let known = context.inspection.words(other);
    if !known.is_empty() {
        return plain(known);
    }
    match &other.kind {
        ExprKind::Name(name) if **name == *PHASE => {
            context.known.model.phases.iter().map(|phase| (phase.id.clone(), Some(DeclaredNameKind::Phase))).collect()
        }
        ExprKind::Field { name, .. } => plain(context.inspection.words_of(&name.text)),
        ExprKind::Name(name) => plain(context.inspection.words_of(name)),
        _ => Vec::new(),
    }
}

/// Returns the quoted names that a library function accepts as the argument at index `at`.
fn names_for_argument(
    context: &CursorContext<'_>,
    name: &str,
    arguments: &[&Expr],
    at: usize,
) -> Vec<(Arc<str>, Option<DeclaredNameKind>)> {
    let words = Language::standard().functions(name).iter();
    let mut roles: Vec<NameRole> = words.filter_map(|word| word.takes.get(at)).flat_map(Pattern::roles).collect();
    roles.sort_unstable();
    roles.dedup();
    let mut found = Vec::new();
    for role in roles {
        let first = arguments.first().copied().filter(|_| at > 0);
        let category = super::occurrences::meanings(role).first().copied().filter(|_| !role.is_fact());
        found.extend(context.inspection.quoted(role, first).into_iter().map(|name| (name, category)));
    }
    // The argument may be the value that a fact is compared with.
    if let Some(ExprKind::Text(fact)) = at.checked_sub(1).and_then(|before| arguments.get(before)).map(|one| &one.kind)
        && (found.is_empty() || is_compared(name, at))
    {
        found.splice(0..0, words_of_fact(context, fact));
    }
    found
}

/// Returns whether a function of the library compares a fact with the argument at an index. The name of the fact is the argument before it.
fn is_compared(name: &str, at: usize) -> bool {
    let mut all = Language::standard().functions(name).iter();
    at.checked_sub(1).is_some_and(|before| {
        all.any(|one| one.takes.get(before).is_some_and(|takes| takes.roles().contains(&NameRole::Fact)))
    })
}

/// Returns the words that can be the value of a fact.
fn words_of_fact(context: &CursorContext<'_>, fact: &str) -> Vec<(Arc<str>, Option<DeclaredNameKind>)> {
    let mut found: Vec<_> = context.inspection.words_of(fact).into_iter().map(|word| (word, None)).collect();
    if built_in(Tag::Piece, fact) == Some(BuiltIn::Kind) {
        found.extend(
            context
                .inspection
                .quoted(NameRole::Kind, None)
                .into_iter()
                .map(|kind| (kind, Some(DeclaredNameKind::Kind))),
        );
    }
    found.extend(printed_words(context.known, fact).into_iter().map(|word| (word, None)));
    found
}

/// Returns the words that occur as values of a field in components.
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

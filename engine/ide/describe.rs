//! Hover texts in Markdown, and signatures of calls.

use super::game_knowledge::Meaning;
use super::game_knowledge::{GameKnowledge, RuleFile};
use super::play_line::statement_at;
use super::scopes::expressions;
use crate::analysis::language::Language;
use crate::diagnostic::Place;
use crate::library::Entry;
use crate::loader::{DataMeaning, DeclaredNameKind, outline};
use crate::model::{
    FaceDownVisibility, FieldType, FieldValue, Label, Language as Tongue, Model, OptionType, Owner, Party, Per,
    Setting, Text, Value, ValueType,
};
use crate::syntax::{Expr, ExprKind, Function};
use std::fmt::Write;

/// Returns the place of the name or key at a byte offset, and a description in Markdown.
pub(crate) fn hover(known: &GameKnowledge, path: &str, at: usize) -> Option<(Place, String)> {
    let Some(here) = known.occurrence_at(path, at) else {
        return key(known, path, at)
            .or_else(|| built_in(known, path, at))
            .or_else(|| describe_play_keyword(known, path, at));
    };
    let text = match here.meaning {
        Meaning::Game(category) => describe(known, category, &here.name),
        Meaning::Library => Some(library(&here.name)),
        Meaning::Variable(_, is_param) => {
            let type_text = known
                .rule_file(path)
                .and_then(|file| file.tree.functions.iter().find(|function| function.span.range().contains(&at)))
                .and_then(|function| variable(known, function, &here.name, at));
            let what = if is_param { "a parameter" } else { "a variable" };
            Some(match type_text {
                Some(type_text) => format!("`{}`: {type_text}\n\n{what}", here.name),
                None => format!("`{}`\n\n{what}", here.name),
            })
        }
    };
    text.map(|text| (here.place.clone(), text))
}

/// Describes the playscript keyword at a byte offset.
fn describe_play_keyword(known: &GameKnowledge, path: &str, at: usize) -> Option<(Place, String)> {
    let source = &known.plays.iter().find(|play| play.source.path == path)?.source;
    let (span, word, about) = statement_at(&source.text, at)?;
    Some((Place { source: source.clone(), span }, format!("`{word}`\n\n{about}")))
}

/// Describes the type of a variable at the use nearest to a byte offset.
fn variable(known: &GameKnowledge, function: &Function, name: &str, at: usize) -> Option<String> {
    let uses =
        expressions(function).into_iter().filter(|expr| matches!(&expr.kind, ExprKind::Name(used) if **used == *name));
    let nearest = uses.min_by_key(|expr| (expr.span.start as usize).abs_diff(at));
    nearest.and_then(|expr| known.inspection.in_words(expr)).or_else(|| {
        let (params, _) = known.inspection.function(&function.key)?;
        let at = function.params.iter().position(|param| *param.text == *name)?;
        params.get(at)?.clone()
    })
}

/// Describes a key of the data format.
fn key(known: &GameKnowledge, path: &str, at: usize) -> Option<(Place, String)> {
    let source = known.data.iter().find(|source| source.path == path)?;
    let spots = outline(source, &known.model);
    let spot = spots.iter().find(|spot| spot.place.span.start <= at && at <= spot.place.span.end)?;
    let DataMeaning::Key(table, about) = &spot.what else { return None };
    let name = &source.text[spot.place.span.clone()];
    let owner = if table.is_empty() { String::new() } else { format!(" of {table}") };
    Some((spot.place.clone(), format!("`{name}`{owner}\n\n{about}")))
}

/// Describes a built-in name, or a member after a dot.
fn built_in(known: &GameKnowledge, path: &str, at: usize) -> Option<(Place, String)> {
    let file = known.rule_file(path)?;
    let function = file.tree.functions.iter().find(|function| function.span.range().contains(&at))?;
    let mut here: Option<(&Expr, crate::syntax::Span, String)> = None;
    for expr in expressions(function) {
        let (span, text) = match &expr.kind {
            ExprKind::Name(name) => (expr.span, Language::standard().name(name).map(signature_of)),
            ExprKind::Field { receiver: of, name, .. } => {
                let members = || known.inspection.members(of);
                let found = name.span.range().contains(&at) || name.span.end as usize == at;
                let member = found.then(members).and_then(|all| all.into_iter().find(|one| one.name == name.text));
                let text = member.map(|member| match member.from {
                    crate::analysis::infer::inspection::Origin::Property(word) => signature_of(word),
                    _ => format!("`{}`: {}", member.name, member.description),
                });
                (name.span, text)
            }
            _ => continue,
        };
        if let Some(text) = text
            && span.range().start <= at
            && at <= span.range().end
        {
            here = Some((expr, span, text));
        }
    }
    let (_, span, text) = here?;
    Some((Place { source: file.source.clone(), span: span.range() }, text))
}

// ----- the library

/// Returns the signature of an entry of the library, with types.
pub(super) fn signature_text(word: &Entry) -> String {
    let params = word.params.iter().zip(&word.types);
    let typed: Vec<String> = params.map(|(name, tag)| format!("{name}: {}", tag.word())).collect();
    match word.form {
        crate::library::Form::Function => format!("{}({}) -> {}", word.name, typed.join(", "), word.result.word()),
        crate::library::Form::Property => {
            format!("{}.{} -> {}", word.types.first().map_or("", |tag| tag.word()), word.name, word.result.word())
        }
        _ => format!("{} -> {}", word.name, word.result.word()),
    }
}

/// Describes one entry of the library: signature, documentation and example.
pub(super) fn signature_of(word: &Entry) -> String {
    let example = if word.example.is_empty() { String::new() } else { format!("\n\n```rhai\n{}\n```", word.example) };
    format!("```rhai\n{}\n```\n{}{example}", signature_text(word), word.doc)
}

/// Describes a function of the library with all its signatures and examples.
pub(super) fn library(name: &str) -> String {
    let words = Language::standard().functions(name);
    let mut text = String::new();
    if let Some(first) = words.first() {
        // Entries that differ only in whether the closure takes an index have the same signature.
        let mut all: Vec<String> = words.iter().map(|word| signature_text(word)).collect();
        all.dedup();
        let _ = write!(text, "```rhai\n{}\n```\n{}", all.join("\n"), first.doc);
        let examples: Vec<&str> = words.iter().map(|word| word.example).filter(|one| !one.is_empty()).collect();
        if !examples.is_empty() {
            let _ = write!(text, "\n\n```rhai\n{}\n```", examples.join("\n"));
        }
    }
    text
}

// ----- declarations of the game

/// Describes a name that the game declares.
pub(super) fn describe(known: &GameKnowledge, category: DeclaredNameKind, name: &str) -> Option<String> {
    if category == DeclaredNameKind::Function {
        return function(known, name);
    }
    known.models().find_map(|model| describe_in_model(known, model, category, name))
}

fn describe_in_model(known: &GameKnowledge, model: &Model, category: DeclaredNameKind, name: &str) -> Option<String> {
    let people = |text: &Text| text.get(Tongue::English).to_owned();
    Some(match category {
        DeclaredNameKind::Zone => zone(model, name)?,
        DeclaredNameKind::Param => param(known, name)?,
        DeclaredNameKind::Option => {
            let option = model.options.get(name)?;
            let kind = match &option.kind {
                OptionType::Word(words) => {
                    format!("one of {}", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
                }
                OptionType::Number { .. } => "a number".to_owned(),
                OptionType::Seat => "a seat".to_owned(),
            };
            format!(
                "`{name}`: an option, {kind}\n\n{}; {} where nobody chooses",
                people(&option.name),
                setting(&option.default)
            )
        }
        DeclaredNameKind::Value => value(model, model.values.iter().find(|value| *value.id == *name)?),
        DeclaredNameKind::Field => field(model, name)?,
        DeclaredNameKind::Kind => kind(model, name)?,
        DeclaredNameKind::Component => component(model, name)?,
        DeclaredNameKind::Decision => {
            let decision = &model.decisions[model.find_decision(name)?.index()];
            let parts: Vec<String> = decision.parts.iter().map(|(part, _)| format!("`{part}`")).collect();
            let parts = if parts.is_empty() { String::new() } else { format!("\n\nparts: {}", parts.join(", ")) };
            format!("`{name}`: a decision\n\n{}{parts}", people(&decision.ask))
        }
        DeclaredNameKind::Phase => {
            let phase = model.phases.iter().find(|phase| *phase.id == *name)?;
            format!("`{name}`: a phase\n\n{}", people(&phase.name))
        }
        DeclaredNameKind::Ending => {
            format!("`{name}`: an ending\n\n{}", people(&model.endings[model.find_ending(name)?.index()].name))
        }
        DeclaredNameKind::Announcement => {
            format!("`{name}`: what rules announce\n\n{}", people(&model.says[model.find_say(name)?.index()].text))
        }
        DeclaredNameKind::Alteration => {
            format!("`{name}`: what pieces in force may change\n\n{}", people(model.altered.get(name)?))
        }
        DeclaredNameKind::Function => return None,
    })
}

fn zone(model: &Model, name: &str) -> Option<String> {
    let family = model.family(model.find_family(name)?);
    let mut about = vec![format!("{:?}", family.shape).to_lowercase()];
    for per in &family.per {
        about.push(match per {
            Per::Seat => "one for each seat".to_owned(),
            Per::Kind(kind) => format!("one for each `{}`", model.kinds[kind.index()].id),
        });
    }
    if let Some(copies) = &family.copies {
        about.push(format!("{} of them", copies.len()));
    }
    about.push(if family.face_up { "face up" } else { "face down" }.to_owned());
    if !family.face_up {
        let who = match family.seen_by {
            FaceDownVisibility::Owner => "its owner",
            FaceDownVisibility::Team => "its team",
            FaceDownVisibility::Everybody => "everybody",
            FaceDownVisibility::Nobody => "nobody",
        };
        about.push(format!("seen by {who}"));
    }
    let spaces = family.zones.clone().next().map(|zone| &model.zones[usize::from(zone)]);
    let spaces = spaces.filter(|zone| zone.spaces.len() > 1).map(|zone| {
        let labels: Vec<String> = zone
            .spaces
            .clone()
            .take(12)
            .map(|space| match &model.spaces[usize::from(space)].label {
                Label::Number(number) => number.to_string(),
                Label::Word(word) => word.to_string(),
                Label::Cell(x, y) => format!("{x},{y}"),
            })
            .collect();
        let more = if zone.spaces.len() > labels.len() { ", …" } else { "" };
        format!("\n\nspaces: {}{more}", labels.join(", "))
    });
    let people = family.name.get(Tongue::English);
    Some(format!("`{name}`: a zone ({})\n\n{people}{}", about.join(", "), spaces.unwrap_or_default()))
}

/// Describes a param, with its values by number of players.
fn param(known: &GameKnowledge, name: &str) -> Option<String> {
    let param = known.models().find_map(|model| model.params.get(name))?;
    let mut text = format!("`{name}`: a param");
    if param.by_players.is_empty() {
        let _ = write!(text, ", {}", setting(&param.value));
    }
    if let Some(about) = &param.about {
        let _ = write!(text, "\n\n{}", about.get(Tongue::English));
    }
    if !param.by_players.is_empty() {
        let heads: Vec<String> = param.by_players.iter().map(|(players, _)| players.to_string()).collect();
        let values: Vec<String> = param.by_players.iter().map(|(_, value)| setting(value)).collect();
        let rule = vec!["---"; heads.len() + 1].join(" | ");
        let _ =
            write!(text, "\n\n| players | {} |\n| {rule} |\n| `{name}` | {} |", heads.join(" | "), values.join(" | "));
    }
    if let Some(bounds) = param.bounds.describe() {
        let _ = write!(text, "\n\n{bounds}");
    }
    Some(text)
}

fn setting(setting_: &Setting) -> String {
    match setting_ {
        Setting::Number(number) => number.to_string(),
        Setting::Flag(flag) => flag.to_string(),
        Setting::Word(word) => format!("`{word}`"),
        Setting::Seat(seat) => format!("seat {}", seat.index() + 1),
        Setting::Nothing => "`()`".to_owned(),
        Setting::List(all) => format!("[{}]", all.iter().map(setting).collect::<Vec<_>>().join(", ")),
        Setting::Table(parts) => {
            let parts = parts.iter().map(|(name, one)| format!("{name} = {}", setting(one)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

fn value(model: &Model, value: &Value) -> String {
    let kind = |kind: crate::model::KindId| format!("a `{}`", model.kinds[kind.index()].id);
    let owner = match value.owner {
        Owner::Game => "the game".to_owned(),
        Owner::Seat => "each seat".to_owned(),
        Owner::Component(kind) => format!("each component of the kind `{}`", model.kinds[kind.index()].id),
        Owner::Piece(Some(kind)) => format!("pieces of the kind `{}`", model.kinds[kind.index()].id),
        Owner::Piece(None) => "pieces".to_owned(),
        Owner::Space(family) => format!("spaces of `{}`", model.family(family).id),
        Owner::Pair(Party::Seat, _) => "each seat, an entry for each other".to_owned(),
        Owner::Pair(Party::Component(kind), _) => {
            format!("each component of the kind `{}`, by entries", model.kinds[kind.index()].id)
        }
    };
    let type_text = match &value.kind {
        ValueType::Number => "a number".to_owned(),
        ValueType::Flag => "yes or no".to_owned(),
        ValueType::Word(words) => {
            format!("one of {}", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
        }
        ValueType::Seat => "a seat".to_owned(),
        ValueType::Component(id) => id.map_or_else(|| "a component".to_owned(), kind),
        ValueType::Space(_) => "a space".to_owned(),
        ValueType::Piece => "a piece".to_owned(),
    };
    let type_text = if value.most.is_some() { format!("a list, each {type_text}") } else { type_text };
    let start = if value.is_number() && value.most.is_none() {
        format!(", {} at the start", value.start)
    } else {
        String::new()
    };
    format!("`{}`: a value of {owner}, {type_text}{start}\n\n{}", value.id, value.name.get(Tongue::English))
}

fn field_type(model: &Model, ty: &FieldType) -> String {
    match ty {
        FieldType::Number => "a number".to_owned(),
        FieldType::Flag => "yes or no".to_owned(),
        FieldType::Word => "a word".to_owned(),
        FieldType::Component(Some(kind)) => format!("a component of the kind `{}`", model.kinds[kind.index()].id),
        FieldType::Component(None) => "a component".to_owned(),
        FieldType::Function => "a function of the rules".to_owned(),
        FieldType::List(ty) => format!("a list, each {}", field_type(model, ty)),
        FieldType::Record(_) => "several named parts".to_owned(),
        FieldType::Unknown => "anything".to_owned(),
    }
}

fn field(model: &Model, name: &str) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(id) = model.find_field(name) {
        for kind in model.kinds.iter().filter(|kind| kind.fields.contains_key(&id)) {
            lines.push(format!("printed on each `{}`, {}", kind.id, field_type(model, &kind.fields[&id])));
        }
    }
    for family in model.families.iter().filter(|family| family.printed.contains_key(name)) {
        lines.push(format!("printed on the spaces of `{}`, {}", family.id, field_type(model, &family.printed[name])));
    }
    (!lines.is_empty()).then(|| format!("`{name}`: a field\n\n{}", lines.join("\n\n")))
}

fn kind(model: &Model, name: &str) -> Option<String> {
    let kind = &model.kinds[model.find_kind(name)?.index()];
    let mut text = format!(
        "`{name}`: a kind of components, {} of them\n\n{}",
        kind.components.len(),
        kind.name.get(Tongue::English)
    );
    for (id, ty) in &kind.fields {
        let _ = write!(text, "\n- `{}`: {}", model.fields[id.index()], field_type(model, ty));
    }
    Some(text)
}

fn component(model: &Model, name: &str) -> Option<String> {
    let component = model.component(model.find_component(name)?);
    let mut text = format!(
        "`{name}`: a `{}`, {} in the box\n\n{}",
        model.kinds[component.kind.index()].id,
        component.count,
        component.name.get(Tongue::English)
    );
    for (id, value) in &component.fields {
        let _ = write!(text, "\n- `{}`: {}", model.fields[id.index()], field_value(model, value));
    }
    Some(text)
}

fn field_value(model: &Model, value: &FieldValue) -> String {
    match value {
        FieldValue::Nothing => "`()`".to_owned(),
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(flag) => flag.to_string(),
        FieldValue::Word(word) | FieldValue::Function(word) => format!("`{word}`"),
        FieldValue::Component(id) => format!("`{}`", model.component(*id).id),
        FieldValue::List(all) => {
            format!("[{}]", all.iter().map(|one| field_value(model, one)).collect::<Vec<_>>().join(", "))
        }
        FieldValue::Record(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|(name, part)| format!("{name}: {}", field_value(model, part))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}

/// Describes a function of the rules: its signature and doc comment.
fn function(known: &GameKnowledge, key: &str) -> Option<String> {
    let (file, tree) =
        known.rules.iter().find_map(|file| Some((file, file.tree.functions.iter().find(|one| *one.key == *key)?)))?;
    let doc = tree.doc.map(|span| &file.source.text[span.range()]).unwrap_or_default();
    let lines: Vec<&str> = doc.lines().map(|line| line.trim().trim_start_matches('/').trim()).collect();
    let hidden = hidden_functions(known, file, tree);
    Some(format!("```rhai\n{}\n```\n{}{hidden}", header(known, tree), lines.join("\n")))
}

/// Returns a note about the functions that calls cannot reach because `tree` hides them: functions of the library, and in an agent's file a
/// function of the rules.
fn hidden_functions(known: &GameKnowledge, file: &RuleFile, tree: &Function) -> String {
    let arity = tree.params.len();
    let words = Language::standard().functions(&tree.name.text).iter();
    let of_library: Vec<String> =
        words.filter(|word| word.params.len() == arity).map(|word| format!("`{}`", signature_text(word))).collect();
    let mut hidden = String::new();
    if file.is_agent && known.functions.find(&tree.name.text, arity).is_some() {
        hidden.push_str("\n\nhides the function of the rules of this name, in this file");
    }
    if !of_library.is_empty() {
        let _ = write!(hidden, "\n\nhides the library's {}", of_library.join(", "));
    }
    hidden
}

/// Returns the signature of a function of the rules, with inferred types.
fn header(known: &GameKnowledge, tree: &Function) -> String {
    let (params, result) = known.inspection.function(&tree.key).unwrap_or_default();
    let typed = tree.params.iter().enumerate().map(|(at, param)| match params.get(at).and_then(Option::as_ref) {
        Some(type_text) => format!("{}: {type_text}", param.text),
        None => param.text.to_string(),
    });
    let typed: Vec<String> = typed.collect();
    let result = result.filter(|result| result != "`()`").map_or_else(String::new, |result| format!(" -> {result}"));
    format!("fn {}({}){result}", tree.name.text, typed.join(", "))
}

// ----- calls

/// Signature that the call around the cursor may refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The whole signature.
    pub label: String,
    /// Documentation of the function.
    pub about: String,
    /// Parameters, each as a substring of the label.
    pub params: Vec<String>,
}

/// Returns the signatures of the call around a byte offset, and the index of the argument at that offset.
pub(crate) fn signature(known: &GameKnowledge, text: &str, at: usize) -> Option<(Vec<Signature>, usize)> {
    let (name, before, is_method) = call_around(text, at)?;
    let mut found: Vec<Signature> = Vec::new();
    let of_rules = known.rules.iter().flat_map(|file| file.tree.functions.iter().map(move |tree| (file, tree)));
    for (file, tree) in of_rules.filter(|(_, tree)| *tree.name.text == *name) {
        let label = header(known, tree);
        let doc = tree.doc.map(|span| &file.source.text[span.range()]).unwrap_or_default();
        let about = doc.lines().map(|line| line.trim().trim_start_matches('/').trim()).collect::<Vec<_>>().join("\n");
        found.push(Signature { params: params_of(&label), label, about });
    }
    for word in Language::standard().functions(name) {
        let label = signature_text(word);
        let example = if word.example.is_empty() { String::new() } else { format!("\n{}", word.example) };
        found.push(Signature { params: params_of(&label), label, about: format!("{}{example}", word.doc) });
    }
    let given = before + usize::from(is_method);
    // Signatures with enough parameters come first.
    found.sort_by_key(|one| one.params.len() <= given && !(one.params.is_empty() && given == 0));
    (!found.is_empty()).then_some((found, given))
}

fn params_of(label: &str) -> Vec<String> {
    let inside = label.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map_or("", |(inside, _)| inside);
    inside.split(", ").filter(|param| !param.is_empty()).map(str::to_owned).collect()
}

/// Returns the innermost call whose parenthesis is open at a byte offset: its name, the number of commas before the offset, and whether it
/// is a method call.
pub(super) fn call_around(text: &str, at: usize) -> Option<(&str, usize, bool)> {
    let before = text.get(..at)?;
    // Only the last 2,000 characters are searched, which limits the time. Longer calls are not recognized.
    let from = before.char_indices().rev().nth(2_000).map_or(0, |(at, _)| at);
    let (mut depth, mut commas, mut in_text) = (0_u32, 0, false);
    for (start, c) in before[from..].char_indices().rev().map(|(start, c)| (start + from, c)) {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                let head = before[..start].trim_end();
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let name_at = head.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map(|(at, _)| at)?;
                let name = &head[name_at..];
                let is_method = head[..name_at].trim_end().ends_with('.');
                return Some((name, commas, is_method));
            }
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '{' | ';' if depth == 0 => return None,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

//! Definition files for the language server of the scripts: what scripts may write, with its types and what it does.

use super::host::Host;
use crate::decision::Type;
use crate::library::context::facts::{Fact, names_of};
use crate::library::context::names::{self, Name};
use crate::library::{Entry, Form, NAMES, Pattern};
use crate::model::{FieldType, Language, Model, Setting, Text, Value, ValueType};
use rhai::Engine;
use std::fmt::Write;
use std::sync::Arc;

/// How every such file begins: what follows is there without being asked for.
const HEAD: &str = "module static;\n";

/// A file of definitions: what it is called, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definitions {
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The vocabulary, and for a game what its scripts may name beside that.
pub fn definitions(model: Option<&Arc<Model>>) -> Vec<Definitions> {
    let vocabulary = Definitions { file: "vocabulary.d.rhai".to_owned(), text: of_vocabulary() };
    let game = model.map(|model| Definitions { file: "game.d.rhai".to_owned(), text: of_game(model) });
    std::iter::once(vocabulary).chain(game).collect()
}

// ----- the vocabulary

fn of_vocabulary() -> String {
    let mut text = HEAD.to_owned();
    let engine = Engine::new_raw();
    // Names that stand alone are declared with those of a game; what the language brings itself, every server of it knows.
    for word in Host::vocabulary().into_iter().filter(|word| word.form != Form::Name && !word.is_own) {
        let _ = write!(text, "\n{}{}\n", comment(&word), signature(&engine, &word));
    }
    text
}

fn comment(word: &Entry) -> String {
    let example = if word.example.is_empty() { String::new() } else { format!("///\n/// `{}`\n", word.example) };
    format!("/// {}\n{example}", word.doc)
}

fn signature(engine: &Engine, word: &Entry) -> String {
    let types: Vec<&str> = word.types.iter().map(|kind| written(*kind)).collect();
    let result = written(word.result);
    let is_operator = !word.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if word.form == Form::Function && is_operator {
        return format!("op {}({}) -> {result};", word.name, types.join(", "));
    }
    let typed = word.params.iter().zip(&types).map(|(name, kind)| format!("{}: {kind}", parameter(engine, name)));
    let params: Vec<String> = typed.collect();
    let name = match word.form {
        Form::Function | Form::Name => word.name.clone(),
        Form::Property => format!("get {}", word.name),
        Form::Setter => format!("set {}", word.name),
        Form::Index => "index$get$".to_owned(),
    };
    format!("fn {name}({}) -> {result};", params.join(", "))
}

/// The name of a parameter; what the language keeps for itself gets a `_`.
fn parameter(engine: &Engine, name: &str) -> String {
    let is_free = engine.compile(format!("fn f({name}) {{}}")).is_ok();
    if is_free { name.to_owned() } else { format!("{name}_") }
}

/// A type as definition files write it.
fn written(kind: Type) -> &'static str {
    match kind {
        Type::Any => "?",
        Type::Number => "int",
        Type::Flag => "bool",
        Type::Text => "String",
        Type::List => "Array",
        Type::Map => "Map",
        Type::Function => "Fn",
        Type::Nothing => "()",
        kind => kind.word(),
    }
}

// ----- a game

/// Whatever a game's scripts may name by itself, and what its things have behind a dot.
fn of_game(model: &Arc<Model>) -> String {
    let mut text = HEAD.to_owned();
    for (name, value) in names::names(model) {
        let (kind, about) = global(model, &name, &value);
        let about = if about.is_empty() { String::new() } else { format!("/// {about}\n") };
        let _ = write!(text, "\n{about}const {name}: {kind};\n");
    }
    for value in model.values.iter().filter(|value| value.owner == crate::model::Owner::Game) {
        add_fact(&mut text, &value.id, "game", (value_type(value), true), &english(&value.name));
    }
    for owner in [Type::Seat, Type::Component, Type::Piece, Type::Space, Type::Zone] {
        let mut known: Vec<Arc<str>> = Vec::new();
        for model in std::iter::once(&**model).chain(model.elsewhere.iter().map(|other| &**other)) {
            for (name, fact) in names_of(owner, model) {
                if known.contains(&name) || matches!(fact, Fact::BuiltIn(_)) {
                    continue;
                }
                let (kind, about) = fact_type(model, &fact);
                add_fact(&mut text, &name, owner.word(), (&kind, matches!(fact, Fact::Value(_))), &about);
                known.push(name);
            }
        }
    }
    text.push_str(&words_in_quotes(model));
    text
}

/// What stands behind a dot; what changes during play can be set.
fn add_fact(text: &mut String, name: &str, owner: &str, (kind, changes): (&str, bool), about: &str) {
    let about = if about.is_empty() { String::new() } else { format!("/// {about}\n") };
    let _ = write!(text, "\n{about}fn get {name}({owner}: {owner}) -> {kind};\n");
    if changes {
        let _ = write!(text, "\n{about}fn set {name}({owner}: {owner}, to: {kind});\n");
    }
}

/// The type of a name that stands by itself, and what it is.
fn global(model: &Model, name: &str, value: &Name) -> (&'static str, String) {
    let setting = |setting: &Setting| match setting {
        Setting::Number(_) => "int",
        Setting::Flag(_) => "bool",
        Setting::Word(_) => "String",
        Setting::List(_) => "Array",
        Setting::Seat(_) | Setting::Nothing => "seat",
    };
    if let Some(id) = model.find_family(name) {
        let family = model.family(id);
        let kind = if family.per.is_empty() && family.copies.is_none() { "zone" } else { "zones" };
        return (kind, english(&family.name));
    }
    if let Some(param) = model.params.get(name) {
        return (setting(&param.value), param.about.as_deref().unwrap_or_default().to_owned());
    }
    if let Some(option) = model.options.get(name) {
        return (setting(&option.value), english(&option.name));
    }
    if let Some((_, is, about, _)) = NAMES.iter().find(|(known, ..)| *known == name) {
        return (written(Pattern::read(is).there().tag()), (*about).to_owned());
    }
    match value {
        Name::Absent => ("?", "there with other options only".to_owned()),
        _ => ("?", String::new()),
    }
}

/// The type of a fact, and what it is.
fn fact_type(model: &Model, fact: &Fact) -> (String, String) {
    match fact {
        Fact::Field(id) => {
            let mut types = model.kinds.iter().filter_map(|kind| kind.fields.get(id)).map(|of| field_type(of));
            let first = types.next().unwrap_or("?");
            let of: Vec<&str> =
                model.kinds.iter().filter(|kind| kind.fields.contains_key(id)).map(|kind| &*kind.id).collect();
            let kind = if types.all(|other| other == first) { first } else { "?" };
            (kind.to_owned(), format!("printed on: {}", of.join(", ")))
        }
        Fact::Components(_) => ("components".to_owned(), "printed components".to_owned()),
        Fact::SpaceField(_) => ("?".to_owned(), "printed on a space".to_owned()),
        Fact::CellField(_) => ("?".to_owned(), "what is seen on a space of a grid".to_owned()),
        Fact::Value(id) => {
            let value = model.value(*id);
            (value_type(value).to_owned(), english(&value.name))
        }
        Fact::Entries(id) => ("entries".to_owned(), english(&model.value(*id).name)),
        Fact::Zones(id) => {
            let family = model.family(*id);
            let kind = if family.per.len() + usize::from(family.copies.is_some()) > 1 { "zones" } else { "zone" };
            (kind.to_owned(), english(&family.name))
        }
        Fact::BuiltIn(_) => ("?".to_owned(), String::new()),
    }
}

fn field_type(of: &FieldType) -> &'static str {
    match of {
        FieldType::Number => "int",
        FieldType::Flag => "bool",
        FieldType::Word => "String",
        FieldType::Component(_) => "component",
        FieldType::Function => "Fn",
        FieldType::List(_) => "Array",
        FieldType::Record(_) => "Map",
        FieldType::Unknown => "?",
    }
}

fn value_type(value: &Value) -> &'static str {
    match &value.kind {
        ValueType::Seat if value.most.is_some() => "seats",
        ValueType::Component(_) if value.most.is_some() => "components",
        ValueType::Space(_) if value.most.is_some() => "spaces",
        ValueType::Piece if value.most.is_some() => "pieces",
        _ if value.most.is_some() => "Array",
        ValueType::Piece => "piece",
        ValueType::Number => "int",
        ValueType::Flag => "bool",
        ValueType::Word(_) => "String",
        ValueType::Seat => "seat",
        ValueType::Component(_) => "component",
        ValueType::Space(_) => "space",
    }
}

/// Names that stand in quotes, which definitions have no form for.
fn words_in_quotes(model: &Model) -> String {
    let list = |names: Vec<&str>| names.join(", ");
    let lines = [
        ("phases", list(model.phases.iter().map(|phase| &*phase.id).collect())),
        ("decisions", list(model.decisions.iter().map(|decision| &*decision.id).collect())),
        ("announcements", list(model.says.iter().map(|say| &*say.id).collect())),
        ("endings", list(model.endings.iter().map(|ending| &*ending.id).collect())),
        ("kinds", list(model.kinds.iter().map(|kind| &*kind.id).collect())),
    ];
    let mut text = "\n// In quotes:\n".to_owned();
    for (what, names) in lines.iter().filter(|(_, names)| !names.is_empty()) {
        add_lines(&mut text, &format!("{what}: {names}"));
    }
    for kind in model.kinds.iter().filter(|kind| !kind.components.is_empty()) {
        let ids = kind.components.iter().map(|id| &*model.component(*id).id).collect();
        add_lines(&mut text, &format!("components of the kind `{}`: {}", kind.id, list(ids)));
    }
    text.push_str(&questions(model));
    text
}

/// What rules ask for with `altered`, with the facts that pieces in force go by.
fn questions(model: &Model) -> String {
    let mut text = String::new();
    for (id, name) in &model.altered {
        let alterations = model.components.iter().flat_map(|component| &component.alters);
        let mut facts: Vec<&str> = Vec::new();
        for (fact, _) in alterations.filter(|one| one.what == *id).flat_map(|one| &one.only) {
            if !facts.contains(&&**fact) {
                facts.push(fact);
            }
        }
        let given = if facts.is_empty() { String::new() } else { format!("; cards go by its {}", facts.join(", ")) };
        add_lines(&mut text, &format!("question of `altered`: {id} ({}){given}", english(name)));
    }
    text
}

/// The longest line of a list of names.
const WIDTH: usize = 120;

/// Notes of several lines where one would be too long.
fn add_lines(text: &mut String, note: &str) {
    let mut line = "//".to_owned();
    for word in note.split(' ') {
        if line.len() + word.len() >= WIDTH {
            let _ = writeln!(text, "{line}");
            "//  ".clone_into(&mut line);
        }
        let _ = write!(line, " {word}");
    }
    let _ = writeln!(text, "{line}");
}

fn english(text: &Text) -> String {
    text.get(Language::English).split_whitespace().collect::<Vec<_>>().join(" ")
}

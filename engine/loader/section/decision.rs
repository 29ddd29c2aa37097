//! Reads the sections `decisions`, `says` and `words`.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{KeyedNode, Node, entries_without_provenance};
use crate::loader::keys::form::{Form, Key, NameSet, TableSpec, WordList};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown_or_name, wrong_type};
use crate::loader::name::{check_function_name, check_name};
use crate::loader::section::draft::Draft;
use crate::loader::section::option::word_twice;
use crate::model::{Decision, NamedFunction, PartType, Say, TELLS_CHOICE, TELLS_SEAT, Text, rooms};
use indexmap::IndexMap;
use std::sync::Arc;

pub(in crate::loader) const DECISION: TableSpec = TableSpec {
    one: "a decision",
    many: "decisions",
    keys: &[
        Key::new("ask", "the question; `{seat}` and facts from the rules are placeholders", Form::Text),
        Key::new("tell", "sentence for the log; `{seat}`, `{choice}` and its parts are placeholders", Form::Text),
        Key::new("tells", "alternative sentences, by chosen word or by part of the answer", Form::Named(&Form::Text)),
        Key::new("pass", "name of the option to pass", Form::Text),
        Key::new("costs", "function that returns the costs and gains of an option", Form::Function),
        Key::new("automa", "function that rates an option for a seat that the rules play", Form::Function),
        Key::new(
            "parts",
            "parts of an answer: their names, or a table of names and types",
            Form::AnyOf(&[
                Form::List(&Form::Word),
                Form::Named(&Form::WordOrName(&PART_TYPES, &[NameSet::Kinds, NameSet::Zones])),
            ]),
        ),
        Key::new("secret", "whether question and answer are hidden from other seats", Form::Flag),
        Key::new(
            "always",
            "whether a seat is asked even if only one answer is possible, so that being asked reveals nothing",
            Form::Flag,
        ),
        Key::new("quiet", "whether answers are omitted from the log", Form::Flag),
    ],
    also: &[("name", "ask"), ("text", "ask"), ("question", "ask"), ("hidden", "secret")],
    ..TableSpec::PLAIN
};

/// Words for the types of an answer's parts. The names of zones and kinds are types as well.
const PART_TYPES: [(&str, PartType); 8] = [
    ("number", PartType::Number),
    ("flag", PartType::Flag),
    ("word", PartType::Word),
    ("seat", PartType::Seat),
    ("component", PartType::Component),
    ("piece", PartType::Piece),
    ("space", PartType::Space),
    ("any", PartType::Any),
];

impl Draft<'_> {
    /// Reads the section `decisions`.
    pub(in crate::loader) fn decisions(&self) -> Vec<Decision> {
        self.section("decisions").into_iter().filter_map(|(name, entry)| self.decision(name, entry)).collect()
    }

    fn decision(&self, name: &Arc<str>, entry: &KeyedNode) -> Option<Decision> {
        check_name(name, "a decision", &entry.key, self.report);
        let fields = Fields::read(self.report, name, entry, &DECISION)?;
        let parts = fields.get("parts").map(|node| self.parts(node)).unwrap_or_default();
        self.plain_sentence("pass", fields.get("pass"));
        let about = fields.get("ask").map(|ask| self.about(ask, &fields)).unwrap_or_default();
        Some(Decision {
            id: name.clone(),
            ask: self.text_or_name(fields.get("ask"), "ask", name),
            about,
            tell: fields.get("tell").map(|node| self.answer_sentence("tell", node, &parts)),
            tells: fields.get("tells").map(|node| self.answer_sentences(node, &parts)).unwrap_or_default(),
            is_quiet: fields.flag("quiet").unwrap_or(false),
            pass: fields.get("pass").map(|node| self.text("pass", node)),
            costs: self.option_function(&fields, "costs"),
            automa: self.option_function(&fields, "automa"),
            parts,
            is_secret: fields.flag("secret").unwrap_or(false),
            is_always: fields.flag("always").unwrap_or(false),
        })
    }

    /// Reads the name of a function that is called with each option of a decision.
    fn option_function(&self, fields: &Fields<'_>, key: &'static str) -> Option<NamedFunction> {
        let (function, place) = fields.word(key)?;
        check_function_name(function, place, self.report);
        let field = format!("decisions.{}.{key}", fields.name).into();
        Some(NamedFunction { field, function: function.clone(), place: place.clone() })
    }

    /// Returns the placeholders of a question, except the placeholder for the asked seat. If the log would repeat the question, reports the
    /// first of these placeholders, because their values are known only while the question is open.
    fn about(&self, ask: &Node, fields: &Fields<'_>) -> Vec<Arc<str>> {
        let mut about: Vec<Arc<str>> = Vec::new();
        let has_sentence = ["tell", "tells"].into_iter().any(|key| fields.get(key).is_some());
        let is_logged = !has_sentence && fields.flag("quiet") != Some(true);
        for text in ask.by_language() {
            for room in rooms(text.text().map_or("", |text| text)).filter(|room| *room != TELLS_SEAT) {
                if is_logged && about.is_empty() {
                    let message = format!("`ask` uses `{{{room}}}`, but there is no `tell` for the log");
                    let found = Diagnostic::error("unknown-placeholder", message)
                        .mark(text.place.clone(), "only known in the question, not in the log");
                    self.mistake(
                        found.help("add a `tell` to the decision, as \"{seat}: {choice}\", or `quiet = true`"),
                    );
                }
                if !about.iter().any(|known| **known == *room) {
                    about.push(room.into());
                }
            }
        }
        about
    }

    /// Reports all placeholders in a sentence in which placeholders are not allowed.
    fn plain_sentence(&self, key: &str, node: Option<&Node>) {
        for text in node.into_iter().flat_map(Node::by_language) {
            for name in rooms(text.text().map_or("", |text| text)) {
                let found =
                    Diagnostic::error("unknown-placeholder", format!("`{{{name}}}` is not a placeholder in `{key}`"))
                        .mark(text.place.clone(), "printed unchanged");
                self.mistake(found.help("remove it; `tell` has the placeholders of the seat and its answer"));
            }
        }
    }

    /// Reads the sentence that the log prints for an answer. Reports unknown placeholders.
    fn answer_sentence(&self, name: &str, node: &Node, parts: &[(Arc<str>, PartType)]) -> Text {
        let mut known = vec![TELLS_SEAT];
        match parts {
            [] => known.push(TELLS_CHOICE),
            parts => known.extend(parts.iter().map(|(name, _)| &**name)),
        }
        for text in node.by_language() {
            let template = text.text().map_or("", |text| text);
            for name in rooms(template).filter(|name| !known.contains(name)) {
                self.mistake(unknown_placeholder(name, &text.place, &known));
            }
        }
        self.text(name, node)
    }

    fn answer_sentences(&self, node: &Node, parts: &[(Arc<str>, PartType)]) -> Vec<(Arc<str>, Text)> {
        let Some(table) = node.table() else {
            self.mistake(wrong_type("tells", "a table of sentences by the word chosen or a part of the answer", node));
            return Vec::new();
        };
        let entries = entries_without_provenance(table);
        entries.map(|(name, entry)| (name.clone(), self.answer_sentence(name, &entry.node, parts))).collect()
    }

    fn parts(&self, node: &Node) -> Vec<(Arc<str>, PartType)> {
        if let Some(table) = node.table() {
            let parts = entries_without_provenance(table);
            return parts.map(|(name, entry)| (name.clone(), self.typed_part(name, entry))).collect();
        }
        let Some(list) = node.list() else {
            self.mistake(wrong_type("parts", "a list of words, or a table of types", node));
            return Vec::new();
        };
        let mut parts: Vec<(Arc<str>, PartType)> = Vec::new();
        for node in list {
            match node.text() {
                None => self.mistake(wrong_type("parts", "a list of words", node)),
                Some(name) if parts.iter().any(|(known, _)| known == name) => {
                    self.mistake(word_twice("parts", name, &node.place));
                }
                Some(name) => {
                    check_name(name, "a part", &node.place, self.report);
                    parts.push((name.clone(), PartType::Any));
                }
            }
        }
        parts
    }

    fn typed_part(&self, name: &str, entry: &KeyedNode) -> PartType {
        check_name(name, "a part", &entry.key, self.report);
        let Some(word) = entry.node.text() else {
            self.mistake(wrong_type(name, "a type", &entry.node));
            return PartType::Any;
        };
        if let Some((_, plain)) = PART_TYPES.into_iter().find(|(known, _)| **known == **word) {
            return plain;
        }
        let zone = self.family_id(word).map(PartType::Family);
        zone.or_else(|| self.kind_id(word).map(PartType::Kind)).unwrap_or_else(|| {
            let names = self.known_zones().chain(self.known_kinds());
            self.mistake(unknown_or_name(
                "unknown-type",
                "type",
                word,
                &entry.node.place,
                &PART_TYPES.words(),
                names,
                "a zone or kind",
            ));
            PartType::Any
        })
    }

    /// Reads the section `says`.
    pub(in crate::loader) fn says(&self) -> Vec<Say> {
        let say = |(name, entry): (&Arc<str>, &KeyedNode)| {
            check_name(name, "an announcement", &entry.key, self.report);
            Say { id: name.clone(), text: self.text(name, &entry.node) }
        };
        self.section("says").into_iter().map(say).collect()
    }

    /// Reads the section `words`.
    pub(in crate::loader) fn words_for_people(&self) -> IndexMap<Arc<str>, Text> {
        let word = |(name, entry): (&Arc<str>, &KeyedNode)| (name.clone(), self.text(name, &entry.node));
        self.section("words").into_iter().map(word).collect()
    }
}

fn unknown_placeholder(name: &str, place: &Place, known: &[&str]) -> Diagnostic {
    let found = Diagnostic::error("unknown-placeholder", format!("`{{{name}}}` is not a placeholder here"))
        .mark(place.clone(), "not the seat or a part of the answer");
    let found = found.suggest(name, known.iter().copied());
    if found.help.is_some() {
        return found;
    }
    let known: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
    found.help(format!("write {}", known.join(" or ")))
}

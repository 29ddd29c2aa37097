//! Reads the sections `decisions`, `says` and `words`.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{KeyedNode, Node, entries_without_provenance};
use crate::loader::keys::form::{Form, NameSet, TableSpec};
use crate::loader::keys::key::{DisplayText, Flag, Function, Key, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{unknown_or_name, word_twice, wrong_type};
use crate::loader::name::check_name;
use crate::loader::section::draft::Draft;
use crate::model::{Decision, NamedFunction, PartType, Say, TELLS_CHOICE, TELLS_SEAT, Text, rooms};
use indexmap::IndexMap;
use std::sync::Arc;

declare_table! {
    pub(in crate::loader) const DECISION: TableSpec = TableSpec::new("a decision", "decisions")
        .also(&[("name", &ASK.spec), ("text", &ASK.spec), ("question", &ASK.spec), ("hidden", &SECRET.spec)]);

    const ASK: Key<DisplayText> = Key::text("ask", "the question; `{seat}` and facts from the rules are placeholders");
    const TELL: Key<DisplayText> = Key::text(
        "tell", "sentence for the log; `{seat}`, `{choice}` and its parts are placeholders");
    const TELLS: Key = Key::new(
        "tells", "alternative sentences, by chosen word or by part of the answer", Form::Named(&Form::Text));
    const PASS: Key<DisplayText> = Key::text("pass", "name of the option to pass");
    const COSTS: Key<Function> = Key::function("costs", "function that returns the costs and gains of an option");
    const AUTOMA: Key<Function> = Key::function(
        "automa", "function that rates an option for a seat that the rules play");
    const PARTS: Key = Key::new(
        "parts", "parts of an answer: their names, or a table of names and types",
        Form::AnyOf(&[
            Form::List(&Form::Word),
            Form::Named(&Form::WordOrName(&PART_TYPES, &[NameSet::Kinds, NameSet::Zones])),
        ]));
    const SECRET: Key<Flag> = Key::flag("secret", "whether question and answer are hidden from other seats");
    const ALWAYS: Key<Flag> = Key::flag(
        "always", "whether a seat is asked even if only one answer is possible, so that being asked reveals nothing");
    const QUIET: Key<Flag> = Key::flag("quiet", "whether answers are omitted from the log");
}

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
        let fields = Fields::from_entry(self.report, name, entry, &DECISION)?;
        let parts = fields.get(&PARTS).map(|node| self.parts(node)).unwrap_or_default();
        self.plain_sentence(PASS.name, fields.get(&PASS));
        let about = fields.get(&ASK).map(|ask| self.about(ask, &fields)).unwrap_or_default();
        Some(Decision {
            id: name.clone(),
            ask: fields.text_or_id(&ASK, name),
            about,
            tell: fields.get(&TELL).map(|node| self.answer_sentence(TELL.name, node, &parts)),
            tells: fields.get(&TELLS).map(|node| self.answer_sentences(node, &parts)).unwrap_or_default(),
            is_quiet: fields.read(&QUIET).unwrap_or(false),
            pass: fields.read(&PASS),
            costs: Self::option_function(&fields, &COSTS),
            automa: Self::option_function(&fields, &AUTOMA),
            parts,
            is_secret: fields.read(&SECRET).unwrap_or(false),
            is_always: fields.read(&ALWAYS).unwrap_or(false),
        })
    }

    /// Reads the name of a function that is called with each option of a decision.
    fn option_function(fields: &Fields<'_>, key: &Key<Function>) -> Option<NamedFunction> {
        let (function, place) = fields.read(key)?;
        let field = format!("decisions.{}.{}", fields.name, key.name).into();
        Some(NamedFunction { field, function: function.clone(), place: place.clone() })
    }

    /// Returns the placeholders of a question, except the placeholder for the asked seat. If the log would repeat the question, reports the
    /// first of these placeholders, because their values are known only while the question is open.
    fn about(&self, ask: &Node, fields: &Fields<'_>) -> Vec<Arc<str>> {
        let mut about: Vec<Arc<str>> = Vec::new();
        let has_sentence = fields.get(&TELL).or(fields.get(&TELLS)).is_some();
        let is_logged = !has_sentence && fields.read(&QUIET) != Some(true);
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
            self.mistake(wrong_type(
                TELLS.name,
                "a table of sentences by the word chosen or a part of the answer",
                node,
            ));
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
            self.mistake(wrong_type(PARTS.name, "a list of words, or a table of types", node));
            return Vec::new();
        };
        let mut parts: Vec<(Arc<str>, PartType)> = Vec::new();
        for node in list {
            match node.text() {
                None => self.mistake(wrong_type(PARTS.name, "a list of words", node)),
                Some(name) if parts.iter().any(|(known, _)| known == name) => {
                    self.mistake(word_twice(PARTS.name, name, &node.place));
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
        let place = &entry.node.place;
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
            self.mistake(unknown_or_name("unknown-type", "type", word, place, &PART_TYPES, names, "a zone or kind"));
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

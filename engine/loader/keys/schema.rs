//! JSON Schemas of a game's files: what makes editors of TOML complete and check them. The keys are those the loader goes by;
//! for a game, its own kinds, fields, zones and other names too.

use crate::loader::document::node::Table;
use crate::loader::document::tree::{self, SECTIONS, Tree};
use crate::loader::keys::forms::{
    Key, any_of, by_players, by_players_beside, described, flag, integer, list, named, named_for_scripts, needing,
    open_table, reference, some, string, table, text, word, word_of,
};
use crate::loader::package::{self, PLAYERS, Package, SCORES};
use crate::loader::section::alteration::ALTERATION;
use crate::loader::section::cell::SIGN;
use crate::loader::section::component::{EACH, ROW};
use crate::loader::section::decision::{DECISION, PART_TYPES};
use crate::loader::section::ending::ENDING;
use crate::loader::section::field::{FIELD, FIELD_TYPES};
use crate::loader::section::flow::{FLOW, PHASE, STEP, STEP_KINDS};
use crate::loader::section::kind::KIND;
use crate::loader::section::option::{OPTION, OPTION_TYPES};
use crate::loader::section::param::PARAM;
use crate::loader::section::target::BOUNDS;
use crate::loader::section::value::{LASTS, OWNERS, SEEN_BY, VALUE, VALUE_TYPES};
use crate::loader::section::zone::{FACES, SEEN, SHOWS};
use crate::loader::section::zone_shape::{SHAPES, ZONE};
use crate::model::{BOX, FieldType, KindId, Language, MAX_SEATS, Model, Target, Winners};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The dialect that editors of TOML understand.
const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// What is said of every figure: each has its definition among the measures.
const FIGURE: &str = "what this figure of many games is to be";

/// A schema for each sort of file.
#[derive(Debug, Clone, PartialEq)]
pub struct Schemas {
    /// For `game.toml`.
    pub game: Value,
    /// For the files in `components/`.
    pub components: Value,
    /// For the files in `overlays/`.
    pub overlay: Value,
}

/// The schemas of a game's files, or of any game's.
pub fn schemas(package: Option<&Package>) -> Schemas {
    let known = package.map_or_else(Known::default, Known::of);
    let whole = Writer { known: &known, is_whole: true };
    let part = Writer { known: &known, is_whole: false };
    Schemas { game: whole.game(), components: whole.components(), overlay: part.overlay() }
}

/// The names of a game; empty where any game is spoken of.
#[derive(Default)]
struct Known {
    model: Option<Model>,
    tree: Tree,
    kinds: IndexSet<Arc<str>>,
    zones: IndexSet<Arc<str>>,
    /// Params and options.
    amounts: IndexSet<Arc<str>>,
}

impl Known {
    fn of(package: &Package) -> Self {
        let tree = package.with_all_overlays();
        let names = |section: &str| tree.section(section).map(|(name, _)| name.clone()).collect::<Vec<_>>();
        Self {
            model: Some(package.outline()),
            kinds: tree.kind_names().into_iter().cloned().collect(),
            zones: names("zones").into_iter().chain([BOX.into()]).collect(),
            amounts: names("params").into_iter().chain(names("options")).collect(),
            tree,
        }
    }

    fn names(&self, section: &str) -> Vec<Arc<str>> {
        self.tree.section(section).map(|(name, _)| name.clone()).collect()
    }

    fn components(&self, kind: Option<&str>) -> Vec<Arc<str>> {
        let rows = self.tree.rows.iter().filter(|row| kind.is_none_or(|kind| *row.kind == *kind));
        rows.filter_map(|row| row.id().cloned()).collect()
    }
}

impl Known {
    /// What is printed on the components of a kind, whatever is chosen.
    fn fields(&self, kind: &str) -> IndexMap<Arc<str>, FieldType> {
        let mut fields = IndexMap::new();
        for model in
            self.model.iter().flat_map(|model| std::iter::once(model).chain(model.elsewhere.iter().map(|one| &**one)))
        {
            let Some(found) = model.find_kind(kind) else { continue };
            for (field, of) in &model.kinds[found.index()].fields {
                fields.entry(model.fields[field.index()].clone()).or_insert_with(|| of.clone());
            }
        }
        fields
    }

    /// Whether every row of a kind has a field, and the kind declares nothing for rows that leave it out.
    fn must_stand(&self, kind: &str, field: &str) -> bool {
        let has = |table: Option<&Table>, key: &str| table.is_some_and(|table| table.contains_key(key));
        let declared = self.tree.section("kinds").find(|(name, _)| ***name == *kind);
        let declared = declared.and_then(|(_, entry)| entry.node.table()?.get("fields")?.node.table()?.get(field));
        let has_default = declared.is_some_and(|entry| has(entry.node.table(), "default"));
        let mut rows = self.tree.rows.iter().filter(|row| *row.kind == *kind);
        !has_default && rows.all(|row| has(row.node.table(), field))
    }

    /// The name of a kind of the model for nothing chosen; overlays only add kinds behind those.
    fn kind_name(&self, kind: KindId) -> Option<&str> {
        self.kinds.get_index(kind.index()).map(|name| &**name)
    }
}

/// Writes schemas.
struct Writer<'k> {
    known: &'k Known,
    /// Whether tables are written whole; an overlay writes what it changes of them.
    is_whole: bool,
}

impl Writer<'_> {
    // ----- the files

    fn game(&self) -> Value {
        let keys = SECTIONS.into_iter().map(|name| self.section(name)).collect();
        let schema = table(&tree::GAME, keys);
        self.document("game.toml of a game", needing(schema, &["game", "flow"]))
    }

    fn components(&self) -> Value {
        let keys = tree::COMPONENTS.keys.iter().map(|name| self.section(name)).collect();
        self.document("a component file of a game", self.with_rows(open_table(&tree::COMPONENTS, keys)))
    }

    fn overlay(&self) -> Value {
        let keys = tree::OVERLAY.keys.iter().map(|name| self.section(name)).collect();
        self.document("an overlay of a game", self.with_rows(open_table(&tree::OVERLAY, keys)))
    }

    fn document(&self, title: &str, mut schema: Value) -> Value {
        let title = match &self.known.model {
            Some(model) => format!("{title}: {}", model.id),
            None => title.to_owned(),
        };
        let mut document = json!({ "$schema": DIALECT, "title": title });
        let definitions = json!({
            "text": text(),
            "amount": self.amount(),
            "kind": self.kind_word(),
            "zone": word(&self.known.zones),
            "steps": any_of(vec![reference("step"), list(reference("step"))]),
            "step": Self::step(),
            "field_type": self.field_type(),
            "fields": Self::fields(),
            "row": self.row(None),
        });
        let (document, schema) = (as_map(&mut document), as_map(&mut schema));
        document.append(schema);
        document.insert("definitions".to_owned(), definitions);
        Value::Object(std::mem::take(document))
    }

    /// Rows of components beside the sections: those of the game's kinds have its fields.
    fn with_rows(&self, mut schema: Value) -> Value {
        for kind in &self.known.kinds {
            schema["properties"][&**kind] = described(list(self.row(Some(kind))), &self.about_kind(kind));
        }
        schema["additionalProperties"] = list(reference("row"));
        schema
    }

    fn section(&self, name: &'static str) -> Key {
        let (about, form) = match name {
            "game" => ("what the game is", Self::identity()),
            "options" => ("what players agree on before a game", named_for_scripts(Self::option())),
            "params" => ("the numbers to tweak", named_for_scripts(self.param())),
            "kinds" => ("the kinds of components", named_for_scripts(Self::kind())),
            "cells" => ("the signs that squares of pieces are written with", named(Self::sign())),
            "zones" => ("the places where pieces lie", named_for_scripts(self.zone())),
            "values" => ("facts that change during play, by whose they are", self.values()),
            "altered" => ("what pieces in force may change when rules ask for it", named(reference("text"))),
            "decisions" => ("what players are asked", named(self.decision())),
            "phases" => ("the parts of a round", named(self.phase())),
            "flow" => ("the order of play", self.flow()),
            "endings" => ("the ways in which the game ends", named(Self::ending())),
            "says" => ("what rules announce", named(reference("text"))),
            "words" => ("words of the rules, as people say them", named(reference("text"))),
            "targets" => ("what figures of many games are to be", Self::targets()),
            "expected" => (
                "who is known to win more, and is no finding: by kind or decision the number by which, by component which way",
                named(json!({ "type": "string" })),
            ),
            _ => unreachable!("`{name}` is no section"),
        };
        (name, about, form)
    }

    /// A table in which keys must stand where it is written whole.
    fn needing(&self, table: Value, keys: &[&str]) -> Value {
        if self.is_whole { needing(table, keys) } else { table }
    }

    // ----- forms with names of the game in them

    fn amount(&self) -> Value {
        by_players(any_of(vec![integer(), word(&self.known.amounts)]))
    }

    fn kind_word(&self) -> Value {
        word(&self.known.kinds)
    }

    /// A word of the loader's or a name of the game; any word where the names are not known.
    fn word_or<'n>(&self, words: &[&'n str], names: impl IntoIterator<Item = &'n Arc<str>>) -> Value {
        match self.known.model {
            None => string(),
            Some(_) => word(words.iter().copied().chain(names.into_iter().map(|name| &**name))),
        }
    }

    fn contents(&self) -> Value {
        let components = self.known.components(None);
        list(word(self.known.kinds.iter().chain(&components)))
    }

    // ----- the sections

    fn identity() -> Value {
        let players = table(
            &PLAYERS,
            vec![
                ("min", "the fewest players", json!({ "type": "integer", "minimum": 1, "maximum": MAX_SEATS })),
                ("max", "the most players", json!({ "type": "integer", "minimum": 1, "maximum": MAX_SEATS })),
            ],
        );
        let keys = vec![
            (
                "id",
                "the word for the game: small letters, digits, `-` and `_`",
                json!({ "type": "string", "pattern": "^[a-z][a-z0-9_-]*$" }),
            ),
            ("name", "what people call the game", reference("text")),
            ("players", "for how many players it is", needing(players, &["min", "max"])),
            ("score", "whether the most or the least score wins", word_of(&SCORES)),
        ];
        needing(table(&package::GAME, keys), &["id", "players"])
    }

    fn option() -> Value {
        let default = any_of(vec![string(), integer()]);
        table(
            &OPTION,
            vec![
                ("name", "what people call the option", reference("text")),
                ("values", "the words to choose from; the first one stands when nobody chooses", some(string())),
                ("type", "what is chosen; a word where nothing is said", word_of(&OPTION_TYPES)),
                ("min", "the smallest number to choose", reference("amount")),
                ("max", "the largest number to choose", reference("amount")),
                ("default", "what stands when nobody chooses", by_players(default)),
                ("overlay", "the file of changed data that a word brings", named(string())),
            ],
        )
    }

    fn param(&self) -> Value {
        let one = any_of(vec![integer(), string(), flag()]);
        let setting = any_of(vec![one.clone(), list(one)]);
        let keys = vec![
            ("value", "the number, word or list", by_players(setting.clone())),
            ("min", "the smallest number it may be set to", reference("amount")),
            ("max", "the largest number it may be set to", reference("amount")),
            ("about", "a sentence about it", string()),
        ];
        let in_full = self.needing(table(&PARAM, keys), &["value"]);
        let bound = |about| described(reference("amount"), about);
        let bounds = [
            ("min", bound("the smallest number it may be set to")),
            ("max", bound("the largest number it may be set to")),
        ];
        any_of(vec![by_players_beside(setting, &bounds), in_full])
    }

    fn kind() -> Value {
        table(
            &KIND,
            vec![
                ("name", "what people call a component of this kind", reference("text")),
                ("back", "the word for its back; kinds with one back cannot be told apart face down", string()),
                ("fields", "what is printed on a component, where the rows do not say enough", reference("fields")),
            ],
        )
    }

    /// Declarations of fields.
    fn fields() -> Value {
        let keys = vec![
            ("type", "what it must be", reference("field_type")),
            ("default", "what rows have that leave it out", json!({})),
        ];
        named_for_scripts(any_of(vec![reference("field_type"), table(&FIELD, keys)]))
    }

    fn field_type(&self) -> Value {
        let record = json!({ "type": "object", "additionalProperties": reference("field_type") });
        let entries = json!({ "type": "array", "items": reference("field_type"), "minItems": 1, "maxItems": 1 });
        any_of(vec![self.word_or(&FIELD_TYPES, &self.known.kinds), entries, record])
    }

    fn sign() -> Value {
        let color = json!({ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" });
        open_table(
            &SIGN,
            vec![
                ("name", "what people call it", reference("text")),
                ("color", "what it is painted with: `#` and six digits", color),
            ],
        )
    }

    fn zone(&self) -> Value {
        let per = self.word_or(&["seat"], &self.known.kinds);
        let label = any_of(vec![integer(), string()]);
        let space = json!({ "type": "object", "properties": { "at": described(label.clone(), "its label") }, "required": ["at"] });
        let labels = any_of(vec![integer(), string(), some(label), some(space)]);
        let axis = any_of(vec![
            reference("amount"),
            json!({ "type": "array", "items": reference("amount"), "minItems": 2, "maxItems": 2 }),
        ]);
        table(
            &ZONE,
            vec![
                ("name", "what people call the zone", reference("text")),
                ("shape", "how pieces lie in it", word_of(&SHAPES)),
                ("per", "what there is one for each of: `seat`, or a kind", any_of(vec![per.clone(), some(per)])),
                (
                    "copies",
                    "how many there are, or their labels, or the zone that has as many",
                    by_players(labels.clone()),
                ),
                ("spaces", "the spaces of a row or ring: how many, their labels, or tables with `at`", spaces(labels)),
                ("fields", "what is printed on the spaces", reference("fields")),
                ("columns", "the columns of a grid: how many, or the first and the last", by_players(axis.clone())),
                ("rows", "the rows of a grid: how many, or the first and the last", by_players(axis)),
                ("starts_with", "the kinds and components that are put here when the box is opened", self.contents()),
                (
                    "accepts",
                    "the kinds and components that may lie here; anything where nothing is said",
                    self.contents(),
                ),
                ("face", "how pieces arrive", word_of(&FACES)),
                ("seen_by", "who sees what lies face down", word_of(&SEEN)),
                ("shows", "whether all of a stack is seen, or its top", word_of(&SHOWS)),
                ("over", "the zone whose spaces it shares", reference("zone")),
                ("in_force", "whether what pieces in it say they alter holds", flag()),
                ("refill", "the zone that is shuffled into this one when it is empty", reference("zone")),
            ],
        )
    }

    fn values(&self) -> Value {
        let values = named_for_scripts(any_of(vec![flag(), reference("amount"), self.value()]));
        let owners = OWNERS.into_iter().chain(self.known.kinds.iter().map(|kind| &**kind));
        let about = |owner: &str| match owner {
            "game" => "what the game has once",
            "seat" => "what each seat has",
            "piece" => "what pieces have",
            "space" => "what spaces have",
            _ => "what each component of the kind has",
        };
        let of = |owner: &str| (owner.to_owned(), described(values.clone(), about(owner)));
        let mut properties: Map<String, Value> = owners.map(of).collect();
        properties.insert("provenance".to_owned(), string());
        let others = if self.known.model.is_some() { json!(false) } else { values };
        json!({ "type": "object", "properties": properties, "additionalProperties": others })
    }

    fn value(&self) -> Value {
        let start = any_of(vec![flag(), reference("amount"), string(), list(integer())]);
        table(
            &VALUE,
            vec![
                ("name", "what people call it", reference("text")),
                ("start", "what it is at the start", start),
                ("min", "the least it may be", reference("amount")),
                ("max", "the most it may be", reference("amount")),
                ("stops", "whether it stays at a bound that it would leave", flag()),
                (
                    "type",
                    "what it is, if the start does not say so: a kind for a component, a zone for a space",
                    self.word_or(&VALUE_TYPES, self.known.kinds.iter().chain(&self.known.zones)),
                ),
                ("words", "the words it may be", some(string())),
                ("lasts", "when it returns to its start by itself", word_of(&LASTS)),
                ("on", "the zones on which pieces have it", list(reference("zone"))),
                ("of", "the kind whose pieces have it", reference("kind")),
                ("in", "the zone whose spaces have it", reference("zone")),
                ("seen_by", "who sees it", word_of(&SEEN_BY)),
                ("quiet", "whether its changes are left out of what is told", flag()),
                ("reads", "the field of its spaces by which people read it", string()),
            ],
        )
    }

    fn decision(&self) -> Value {
        let part = self.word_or(&PART_TYPES, self.known.kinds.iter().chain(&self.known.zones));
        table(
            &DECISION,
            vec![
                ("ask", "the question", reference("text")),
                ("tell", "the sentence that tells an answer: `{seat}`, and `{choice}` or its parts", reference("text")),
                ("tells", "other sentences, by the word chosen or by a part of the answer", named(reference("text"))),
                ("pass", "what passing is called", reference("text")),
                (
                    "parts",
                    "the parts of an answer: their names, or their types by name",
                    any_of(vec![list(string()), named(part)]),
                ),
                ("secret", "whether nobody else learns of question and answer", flag()),
                ("quiet", "whether answers are left out of what is told", flag()),
            ],
        )
    }

    fn phase(&self) -> Value {
        let keys = vec![
            ("name", "what people call the phase", reference("text")),
            ("steps", "what happens, in order", reference("steps")),
            ("when", "the function that says whether there is such a phase now", string()),
            ("order", "the function that gives the seats in order", string()),
        ];
        self.needing(table(&PHASE, keys), &["steps"])
    }

    fn step() -> Value {
        let keys = vec![
            ("each_seat", "what happens once for each seat, in order", reference("steps")),
            ("turns", "what happens in turns, seat after seat, until something is so", reference("steps")),
            ("run", "what happens again and again until something is so", reference("steps")),
            ("until", "the function that says when that ends", string()),
        ];
        let mut step = table(&STEP, keys);
        let sorts = STEP.keys[..STEP_KINDS].iter().map(|key| json!({ "required": [key] }));
        step["oneOf"] = sorts.collect();
        any_of(vec![described(string(), "a function of the rules"), step])
    }

    fn flow(&self) -> Value {
        let phases = self.known.names("phases");
        let seats = self.known.names("options");
        table(
            &FLOW,
            vec![
                ("setup", "what happens before the first round", reference("steps")),
                ("round", "the phases of a round, in order", some(word(phases))),
                ("rounds", "how many rounds there are", reference("amount")),
                ("until", "the function that says after a round whether it was the last", string()),
                ("finish", "what happens after the last round", reference("steps")),
                (
                    "first",
                    "who is first: `first_seat`, `random`, or an option that is a seat",
                    self.word_or(&["first_seat", "random"], &seats),
                ),
                ("ending", "the ending of a game that runs out", word(self.known.names("endings"))),
            ],
        )
    }

    fn ending() -> Value {
        let words = Winners::WORDS.map(|(word, _)| word);
        let keys = vec![
            ("name", "what people call this ending", reference("text")),
            (
                "winners",
                "who has won then: those ahead of all others, or everybody or nobody",
                json!({ "enum": words }),
            ),
        ];
        any_of(vec![reference("text"), table(&ENDING, keys)])
    }

    fn targets() -> Value {
        let number = json!({ "type": "number" });
        let keys = vec![
            ("min", "the least the figure may be", number.clone()),
            ("max", "the most the figure may be", number.clone()),
        ];
        let target = any_of(vec![described(number, "the most the figure may be"), table(&BOUNDS, keys)]);
        let mut properties: Map<String, Value> =
            Target::FIGURES.into_iter().map(|figure| (figure.to_owned(), described(target.clone(), FIGURE))).collect();
        properties.insert("ending".to_owned(), described(named(target.clone()), "how often an ending comes about"));
        properties.insert("tally".to_owned(), described(named(target), "what a counter of the rules is"));
        properties.insert("provenance".to_owned(), string());
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    }

    // ----- rows of components

    /// A row of a kind, with its fields; of any kind where none is given.
    fn row(&self, kind: Option<&str>) -> Value {
        let mut row = open_table(
            &ROW,
            vec![
                ("id", "the word for the component", json!({ "type": "string", "pattern": "^[a-z][a-z0-9_-]*$" })),
                ("name", "what people call it", reference("text")),
                ("count", "how many there are in the box", reference("amount")),
                ("each", "whether there are as many for each seat", word_of(&EACH)),
                ("faces", "the faces of a die", some(json!({}))),
                ("cells", "the squares of a piece that takes up several spaces, a text for each row", some(string())),
                ("alters", "what it changes of what rules ask for while it is in force", list(self.alteration())),
            ],
        );
        let Some(kind) = kind else { return needing(row, &["id"]) };
        let mut required = vec!["id"];
        let fields = self.known.fields(kind);
        for (name, of) in &fields {
            row["properties"][&**name] = described(by_players(self.field(of)), &about_field(name, of));
            if self.is_whole && self.known.must_stand(kind, name) {
                required.push(name);
            }
        }
        row["additionalProperties"] = json!(false);
        needing(row, &required)
    }

    /// A sentence about the rows of a kind.
    fn about_kind(&self, kind: &str) -> String {
        let name = |model: &Model| {
            let kind = &model.kinds[model.find_kind(kind)?.index()];
            Some(kind.name.get(Language::English).to_owned()).filter(|name| *name != *kind.id)
        };
        let called = self.known.model.as_ref().and_then(name).map_or_else(String::new, |name| format!(", \"{name}\""));
        format!("the components of the kind `{kind}`{called}: a row for each, with how many there are")
    }

    fn alteration(&self) -> Value {
        let plain = any_of(vec![integer(), flag(), string()]);
        let keys = vec![
            ("what", "what it changes: a name under `[altered]`", word(self.known.names("altered"))),
            ("add", "how much it adds", reference("amount")),
            ("set", "what it makes of it", plain.clone()),
        ];
        let mut schema = open_table(&ALTERATION, keys);
        schema["additionalProperties"] = any_of(vec![plain.clone(), list(plain)]);
        needing(schema, &["what"])
    }

    fn field(&self, of: &FieldType) -> Value {
        match of {
            FieldType::Number => integer(),
            FieldType::Flag => flag(),
            FieldType::Word | FieldType::Function => string(),
            FieldType::Component(kind) => word(self.known.components(kind.and_then(|kind| self.known.kind_name(kind)))),
            FieldType::List(of) => list(self.field(of)),
            FieldType::Record(parts) => {
                let properties: Map<String, Value> =
                    parts.iter().map(|(name, of)| (name.to_string(), self.field(of))).collect();
                json!({ "type": "object", "properties": properties, "additionalProperties": false })
            }
            FieldType::Unknown => json!({}),
        }
    }
}

/// A sentence about a field of a kind.
fn about_field(name: &str, of: &FieldType) -> String {
    let what = match of {
        FieldType::Number => "a number",
        FieldType::Flag => "yes or no",
        FieldType::Word => "a word",
        FieldType::Component(_) => "another component, by its id",
        FieldType::Function => "a function of the rules, by its name",
        FieldType::List(_) => "a list",
        FieldType::Record(_) => "several named parts",
        FieldType::Unknown => "anything",
    };
    match of {
        FieldType::Function => format!("{what}: rules call it as `piece.{name}(…)`"),
        _ => format!("printed on it, {what}: rules read it as `piece.{name}`"),
    }
}

/// The spaces of a row or ring: for all its zones, or by the component it is `per`.
fn spaces(line: Value) -> Value {
    let by_component = json!({ "type": "object", "additionalProperties": by_players(line.clone()) });
    any_of(vec![by_players(line), by_component])
}

fn as_map(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("it was written as a table")
}

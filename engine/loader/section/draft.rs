//! Draft of a model, which is completed section by section.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::budget::Budget;
use crate::loader::document::node::{Data, KeyedNode, Node, entries_without_provenance};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{TableSpec, WordList};
use crate::loader::mistake::{unknown_or_name, wrong_type};
use crate::loader::name::DeclaredNames;
use crate::loader::report::Report;
use crate::loader::section::declared::{Declared, KindNames, Start};
use crate::model::{
    CellSheet, Component, ComponentId, Family, FamilyId, FlowFunctionName, GameOption, Kind, KindId, Language,
    MAX_SEATS, NamedFunction, Param, Space, Team, Text, Zone,
};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The parts of a model that have been read. Sections are read in the order of the fields. Each section uses only the fields above its own.
pub(in crate::loader) struct Draft<'a> {
    /// Report that receives the diagnostics.
    pub(in crate::loader) report: &'a Report,
    /// Number of bytes that the model may still allocate, in addition to the parsed data.
    pub(in crate::loader) budget: Budget,
    /// Data of the game, including the chosen overlays.
    pub(in crate::loader) tree: &'a Tree,
    /// Specification of the sections of a game's files. Kinds cannot have the name of a section.
    pub(in crate::loader) sections: &'static TableSpec,
    /// Number of seats of the model.
    pub(in crate::loader) seats: u8,
    /// The numbers of seats that the game allows.
    pub(in crate::loader) players: RangeInclusive<u8>,
    /// Whether the game declares its numbers of players. If not, `players` contains every possible number.
    pub(in crate::loader) knows_players: bool,
    /// Quantities that rules read with `altered`.
    pub(in crate::loader) altered: IndexMap<Arc<str>, Text>,
    pub(in crate::loader) params: IndexMap<Arc<str>, Param>,
    pub(in crate::loader) options: IndexMap<Arc<str>, GameOption>,
    /// Declared names, each of which must be unique in its scope.
    pub(in crate::loader) names: DeclaredNames,
    /// Field names, by id.
    pub(in crate::loader) fields: Vec<Arc<str>>,
    /// Rule functions that are the value of a field.
    pub(in crate::loader) named_functions: RefCell<Vec<NamedFunction>>,
    /// Kinds, by id.
    pub(in crate::loader) kinds: Vec<Kind>,
    /// Kinds, by name.
    pub(in crate::loader) kind_names: KindNames,
    /// Components, by id.
    pub(in crate::loader) components: Vec<Component>,
    /// Components by name, with the place of the name.
    pub(in crate::loader) component_names: IndexMap<Arc<str>, (ComponentId, Place)>,
    /// Teams that have seats with this number of players.
    pub(in crate::loader) teams: Vec<Team>,
    /// Symbols and distinct cells of pieces that cover several spaces.
    pub(in crate::loader) cells: CellSheet,
    /// Declared zones, by id.
    pub(in crate::loader) families: Vec<Family>,
    /// Declared zones by name, starting with the box, each with the spaces that have been read.
    pub(in crate::loader) declared: IndexMap<Arc<str>, Declared<'a>>,
    /// The initial contents of zones.
    pub(in crate::loader) starts: Vec<Start>,
    /// Zones on the table.
    pub(in crate::loader) zones: Vec<Zone>,
    /// Spaces on the table.
    pub(in crate::loader) spaces: Vec<Space>,
    /// Uses of rule functions in the flow, its phases and the campaign.
    pub(in crate::loader) named: RefCell<Vec<FlowFunctionName>>,
}

impl<'a> Draft<'a> {
    /// Creates an empty draft.
    pub(in crate::loader) fn new(
        report: &'a Report,
        tree: &'a Tree,
        sections: &'static TableSpec,
        seats: u8,
        players: Option<RangeInclusive<u8>>,
    ) -> Self {
        Self {
            report,
            budget: Budget::default(),
            tree,
            sections,
            seats,
            knows_players: players.is_some(),
            players: players.unwrap_or(ANY_PLAYERS),
            altered: IndexMap::new(),
            params: IndexMap::new(),
            options: IndexMap::new(),
            names: DeclaredNames::default(),
            fields: Vec::new(),
            named_functions: RefCell::default(),
            kinds: Vec::new(),
            kind_names: KindNames::default(),
            components: Vec::new(),
            component_names: IndexMap::new(),
            teams: Vec::new(),
            cells: CellSheet::default(),
            families: Vec::new(),
            declared: IndexMap::new(),
            starts: Vec::new(),
            zones: Vec::new(),
            spaces: Vec::new(),
            named: RefCell::default(),
        }
    }

    /// Charges bytes before they are allocated. Returns whether they fit in the budget. Reports the first charge that exceeds the budget.
    pub(in crate::loader) fn charge(&self, bytes: usize, place: &Place) -> bool {
        self.budget.charge(bytes, &|| place.clone(), self.report)
    }

    /// Adds a diagnostic to the report.
    pub(in crate::loader) fn mistake(&self, diagnostic: Diagnostic) {
        self.report.add(diagnostic);
    }

    /// Returns the entries of a section.
    pub(in crate::loader) fn section(&self, name: &str) -> Vec<(&'a Arc<str>, &'a KeyedNode)> {
        self.tree.section(name).collect()
    }

    /// Reads a text in one or several languages.
    pub(in crate::loader) fn text(&self, name: &str, node: &Node) -> Text {
        text(self.report, name, node)
    }

    /// Returns the id of the zone called `name`, if one is declared.
    pub(in crate::loader) fn family_id(&self, name: &str) -> Option<FamilyId> {
        self.declared.get_index_of(name).map(FamilyId::at)
    }

    /// Returns the id of the kind called `name`, if there is one.
    pub(in crate::loader) fn kind_id(&self, name: &str) -> Option<KindId> {
        self.kind_names.get_index_of(name).map(KindId::at)
    }

    /// Returns the id of the component called `name`, if there is one.
    pub(in crate::loader) fn component_id(&self, name: &str) -> Option<ComponentId> {
        self.component_names.get(name).map(|(id, _)| *id)
    }

    /// Returns the names of all kinds.
    pub(in crate::loader) fn known_kinds(&self) -> impl Iterator<Item = &str> {
        self.kind_names.keys().map(|name| &**name)
    }

    /// Creates the diagnostic for a word that is neither a kind nor one of `words`.
    pub(in crate::loader) fn unknown_kind(&self, word: &str, place: &Place, words: &dyn WordList) -> Diagnostic {
        unknown_or_name("unknown-kind", "kind", word, place, words, self.known_kinds(), "a kind")
    }

    /// Returns whether a value or zone called `word` is declared, even if its declaration has mistakes.
    pub(in crate::loader) fn declares_value_or_zone(&self, word: &str) -> bool {
        let values = self.section("values").into_iter().filter_map(|(_, entry)| entry.node.table());
        self.section("zones").iter().any(|(name, _)| ***name == *word) || { values }
            .any(|table| table.contains_key(word))
    }

    /// Returns the names of all zones, starting with the box.
    pub(in crate::loader) fn known_zones(&self) -> impl Iterator<Item = &str> {
        self.declared.keys().map(|name| &**name)
    }

    /// Returns the names of all components, or only of the components of a kind.
    pub(in crate::loader) fn known_components(&self, kind: Option<KindId>) -> impl Iterator<Item = &str> {
        let of_kind = self.components.iter().filter(move |component| kind.is_none_or(|kind| component.kind == kind));
        of_kind.map(|component| &*component.id)
    }
}

/// Numbers of seats assumed for a game that does not declare any.
pub(in crate::loader) const ANY_PLAYERS: RangeInclusive<u8> = 1..=MAX_SEATS as u8;

/// Reads a text in one or several languages.
pub(in crate::loader) fn text(report: &Report, name: &str, node: &Node) -> Text {
    if let Some(words) = node.text() {
        return Text::plain(&join_lines(words));
    }
    let Some(table) = node.table() else {
        report.add(not_a_text(name, node));
        return Text::plain(name);
    };
    let mut text = Text::default();
    for (tag, entry) in entries_without_provenance(table) {
        match (Language::ALL.into_iter().find(|language| language.tag() == &**tag), entry.node.text()) {
            (None, _) => report.add(unknown_language(tag, &entry.key)),
            (_, None) => report.add(wrong_type(tag, "a text", &entry.node)),
            (Some(language), Some(words)) => text = text.with(language, &join_lines(words)),
        }
    }
    text
}

/// Creates the diagnostic for a value that is neither a string nor a table of strings by language.
fn not_a_text(name: &str, node: &Node) -> Diagnostic {
    let found = wrong_type(name, "a text, or a table of texts by language", node);
    let literal = node.place.source.text.get(node.place.span.clone()).unwrap_or_default().trim();
    let is_toml = std::path::Path::new(&*node.place.source.path).extension().is_some_and(|end| end == "toml");
    match node.data {
        Data::Number(_) | Data::Flag(_) if is_toml => found.help(format!("write it in quotes: `\"{literal}\"`")),
        Data::Number(_) | Data::Flag(_) => found.help(format!("write `'{literal}`, which is a text")),
        _ => found,
    }
}

/// Replaces each run of whitespace with a space if `words` contains a line break or a tab. Otherwise, a name could imitate additional lines
/// of the log.
fn join_lines(words: &str) -> Cow<'_, str> {
    if words.contains(['\n', '\t']) {
        words.split_whitespace().collect::<Vec<_>>().join(" ").into()
    } else {
        words.into()
    }
}

/// Converts an id to a display name: `red_ace` becomes "Red ace".
pub(crate) fn humanize_id(id: &str) -> String {
    let words = id.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns an id in readable form, as the display name of something that has no name.
pub(in crate::loader) fn text_of_id(id: &str) -> Text {
    Text::plain(&humanize_id(id))
}

/// Creates the diagnostic for an unsupported language.
pub(in crate::loader) fn unknown_language(tag: &str, place: &Place) -> Diagnostic {
    let known = Language::ALL.map(Language::tag);
    let found = Diagnostic::error("unknown-language", format!("texts have no language `{tag}`"))
        .mark(place.clone(), "not a language of ours");
    // Suggest a supported language with the same primary subtag.
    let base_language = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    let found = match known.into_iter().find(|known| base_language(known) == base_language(tag)) {
        Some(meant) => found.help(format!("did you mean `{meant}`?")),
        None => found.suggest(tag, known),
    };
    let all = || known.map(|tag| format!("`{tag}`")).join(" or ");
    if found.help.is_some() { found } else { found.help(format!("write {}", all())) }
}

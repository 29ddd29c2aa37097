//! The model of a game: everything that its files declare, for one number of players and one set of options.
//!
//! The loader builds a model. It never changes afterwards and is shared by all sessions of the game. It contains the source text of
//! scripts, but no compiled code, file handles or random state.

mod areas;
mod campaign;
mod cell;
mod component;
mod decision;
mod derived;
mod expected;
mod field;
mod flow;
mod formula_escape;
mod id;
mod mention;
mod names;
mod scenarios;
mod setting;
mod setup;
mod sides;
mod target;
mod team;
mod tessellation;
mod text;
mod value;
mod variants;
mod zone;

pub use crate::phrases::Language;
pub use areas::{Area, AreaGrid, AreaItem, SEAT_COLORS, TableAreas};
pub use campaign::Campaign;
pub use cell::{Cell, CellPrint, CellSheet, CellSymbol};
pub use component::{Alteration, Component, Kind, NamedFunction};
pub use decision::{Decision, PartType, Say, TELLS_CHOICE, TELLS_SEAT};
pub use derived::Derived;
pub use expected::{Bias, Expected, Subject};
pub use field::{FieldType, FieldValue};
pub use flow::{
    Ending, First, Flow, FlowCall, FlowFunctionName, Op, Phase, RANK, SCORE, SCORING, STANDING_FUNCTION, TriggerOrder,
    Turns, Winners,
};
pub use formula_escape::{escape_formula, escape_formulas, is_formula};
pub use id::{
    ComponentId, DecisionId, EndingId, FamilyId, FieldId, KindId, PhaseId, PieceId, SayId, Seat, SpaceId, ValueId,
    ZoneId,
};
pub use mention::{Mention, NameCategories, NameCategory};
pub use setting::{Bounds, GameOption, OptionType, Param, Setting};
pub use setup::{Setup, quoted};
pub use target::{Figure, FigureGroup, Target};
pub use team::{TEAM, Team};
pub use tessellation::{HexOrientation, Tessellation};
pub(crate) use text::filled;
pub use text::{Text, capitalized, rooms, split_language_tag, split_section, text_in_language};
pub use value::{OnPaper, Owner, Party, ResetPeriod, Value, ValueType};
pub use variants::Variants;
pub use zone::{BOX, Content, FaceDownVisibility, Family, FirstSeat, GridLook, Label, Per, Shape, Space, Zone};

use crate::diagnostic::Source;
use indexmap::IndexMap;
use std::sync::Arc;

/// Name of the player in a seat that is played by the rules.
pub const AUTOMA: &str = "automa";

/// Word for an empty value in files: no function or component in a field, and an empty zone or reference in the carried state of a campaign.
pub const NOTHING: &str = "nothing";

/// Maximum number of seats at a table.
pub const MAX_SEATS: usize = 16;

/// A piece with its place at the start of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewPiece {
    /// The component that the piece is a copy of.
    pub component: ComponentId,
    /// The seat that owns the piece, if its component exists once for each seat.
    pub owner: Option<Seat>,
    /// The zone in which the piece starts.
    pub zone: ZoneId,
}

/// A game as its files describe it, for one number of players and one set of options.
#[derive(Debug, Clone)]
pub struct Model {
    /// Identifier of the game, used in files and on the command line.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Description of the game in a few sentences; `None` if the author gives none.
    pub about: Option<Text>,
    /// Supported numbers of players.
    pub players: std::ops::RangeInclusive<u8>,
    /// Number of seats of this model.
    pub seats: u8,
    /// Whether the lowest score wins.
    pub least_score_wins: bool,
    /// Sources of the game's data as the author noted them, keyed by the dotted path of the declaration, such as `zones.deck`,
    /// `values.seat.cash` or `card.ace`. The key of the game itself is `game`.
    pub provenance: IndexMap<String, Arc<str>>,
    /// Field names of all kinds, by id.
    pub fields: Vec<Arc<str>>,
    /// Rule functions that are named in fields, one entry for each place that names one.
    pub named_functions: Vec<NamedFunction>,
    /// Kinds, by id.
    pub kinds: Vec<Kind>,
    /// Components, by id. Components of one kind are not necessarily consecutive.
    pub components: Vec<Component>,
    /// Seats that are played by the rules instead of by a person or an agent.
    pub automas: Vec<Seat>,
    /// Teams with at least one seat, in the order of the files. Empty in games without teams.
    pub teams: Vec<Team>,
    /// Symbols and fields printed on the cells of pieces that cover several spaces.
    pub cells: CellSheet,
    /// Declared zones, by id. The first is [`BOX`].
    pub families: Vec<Family>,
    /// All zones on the table, by id. The zones of a family are consecutive.
    pub zones: Vec<Zone>,
    /// All spaces on the table, by id. The spaces of a zone are consecutive.
    pub spaces: Vec<Space>,
    /// All pieces, by id, in the order in which they are placed at the start: the bottom piece of a stack first.
    pub pieces: Vec<NewPiece>,
    /// Declared values, by id.
    pub values: Vec<Value>,
    /// Numbers that rule functions compute whenever a viewer looks at the table.
    pub derived: Vec<Derived>,
    /// Number of storage slots that all values need together.
    pub slots: usize,
    /// Declared phases, by id.
    pub phases: Vec<Phase>,
    /// The compiled order of play.
    pub flow: Flow,
    /// Declared decisions, by id.
    pub decisions: Vec<Decision>,
    /// Declared endings, by id. Never empty.
    pub endings: Vec<Ending>,
    /// Declared announcements, by id.
    pub says: Vec<Say>,
    /// Display names that the author has given to words in files and scripts.
    pub words: IndexMap<Arc<str>, Text>,
    /// Quantities that rules read with `altered`, with their display names.
    pub altered: IndexMap<Arc<str>, Text>,
    /// Parameters, by name.
    pub params: IndexMap<Arc<str>, Param>,
    /// Options, by name.
    pub options: IndexMap<Arc<str>, GameOption>,
    /// Arrangement of the table on the screen, if the author has made one.
    pub table: Option<TableAreas>,
    /// The campaign, if the game's files declare one.
    pub campaign: Option<Campaign>,
    /// The author's targets for measures of many games.
    pub targets: Vec<Target>,
    /// Advantages that the author has declared as intended.
    pub expected: Vec<Expected>,
    /// Words that occur in the game's files, each with its first place and its number of occurrences.
    pub mentions: IndexMap<Arc<str>, Mention>,
    /// Rule files, sorted by name.
    pub scripts: Vec<Arc<Source>>,
    /// Models of the same game with option values other than the defaults.
    pub variants: Variants<Self>,
    /// Agent scripts, sorted by name. They are not part of the rules.
    pub agents: Vec<Arc<Source>>,
    /// Playscripts. They are not part of the rules, but may be the only users of a rule function.
    pub plays: Vec<Arc<Source>>,
    /// Templates of component faces, sorted by name. They are not part of the rules.
    pub faces: Vec<Arc<Source>>,
    /// Hash of the game's data and rules, and of the choices made for this model. Agents are not included. Models with the same fingerprint
    /// play alike.
    pub fingerprint: u64,
}

impl Model {
    /// Returns the variants (models with other option values) that declare names which this model lacks. Scripts may refer to these names
    /// too.
    pub fn variants_with_more_names(&self) -> &[Arc<Self>] {
        self.variants.matching(|other| other.has_more_names_than(self))
    }

    /// Returns a copy without variants, or `None` if the variants are already built or there are none.
    pub fn without_variants(&self) -> Option<Self> {
        self.variants.is_pending().then(|| Self { variants: Variants::default(), ..self.clone() })
    }

    /// Returns an estimate of the memory in bytes that the model takes with the facts derived from it for play. Texts that all models of a
    /// game share are not counted.
    pub fn approximate_bytes(&self) -> usize {
        let parts =
            self.zones.len() + self.spaces.len() + self.pieces.len() + self.components.len() + self.mentions.len();
        let fields: usize = self.components.iter().map(|component| component.fields.len()).sum();
        256 * parts + 64 * fields + 16 * self.slots
    }

    /// Returns the names of all fields that hold rule functions, including fields inside records.
    pub fn function_fields(&self) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        for kind in &self.kinds {
            for (field, field_type) in &kind.fields {
                field_type.function_fields(&self.fields[field.index()], &mut found);
            }
        }
        for (name, field_type) in self.families.iter().flat_map(|family| &family.printed) {
            field_type.function_fields(name, &mut found);
        }
        found
    }

    /// Formats a printed field as in files. Returns an empty string for [`FieldValue::Nothing`].
    pub fn field_text(&self, value: &FieldValue) -> String {
        match value {
            FieldValue::Nothing => String::new(),
            FieldValue::Number(number) => number.to_string(),
            FieldValue::Flag(flag) => flag.to_string(),
            FieldValue::Word(word) | FieldValue::Function(word) => word.to_string(),
            FieldValue::Component(component) => self.component(*component).id.to_string(),
            FieldValue::List(list) => {
                format!("[{}]", list.iter().map(|value| self.field_text(value)).collect::<Vec<_>>().join(", "))
            }
            FieldValue::Record(parts) => {
                let parts = parts.iter().map(|(name, value)| format!("{name} = {}", self.field_text(value)));
                format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns a component by id.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// Returns the kind of a component.
    pub fn kind_of(&self, id: ComponentId) -> &Kind {
        &self.kinds[self.component(id).kind.index()]
    }

    /// Returns a zone by id.
    pub fn zone(&self, id: ZoneId) -> &Zone {
        &self.zones[id.index()]
    }

    /// Returns the declaration of a zone.
    pub fn family_of(&self, id: ZoneId) -> &Family {
        &self.families[self.zone(id).family.index()]
    }

    /// Returns whether the zone may ever hold the component.
    pub fn accepts(&self, zone: ZoneId, component: ComponentId) -> bool {
        let accepts = &self.family_of(zone).accepts;
        accepts.is_empty()
            || accepts.iter().any(|content| match *content {
                Content::Kind(kind) => self.component(component).kind == kind,
                Content::Component(id) => id == component,
            })
    }

    /// Returns the declaration of a family of zones.
    pub fn family(&self, id: FamilyId) -> &Family {
        &self.families[id.index()]
    }

    /// Returns a space by id.
    pub fn space(&self, id: SpaceId) -> &Space {
        &self.spaces[id.index()]
    }

    /// Returns the declaration of a value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// Finds a component by name.
    pub fn find_component(&self, name: &str) -> Option<ComponentId> {
        find(&self.components, |c| &c.id, name).map(ComponentId::at)
    }

    /// Finds a kind by name.
    pub fn find_kind(&self, name: &str) -> Option<KindId> {
        find(&self.kinds, |k| &k.id, name).map(KindId::at)
    }

    /// Finds a declared zone by name.
    pub fn find_family(&self, name: &str) -> Option<FamilyId> {
        find(&self.families, |f| &f.id, name).map(FamilyId::at)
    }

    /// Finds a field by name.
    pub fn find_field(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|field| &**field == name).map(FieldId::at)
    }

    /// Finds a decision by name.
    pub fn find_decision(&self, name: &str) -> Option<DecisionId> {
        find(&self.decisions, |d| &d.id, name).map(DecisionId::at)
    }

    /// Finds an ending by name.
    pub fn find_ending(&self, name: &str) -> Option<EndingId> {
        find(&self.endings, |e| &e.id, name).map(EndingId::at)
    }

    /// Finds an announcement by name.
    pub fn find_say(&self, name: &str) -> Option<SayId> {
        find(&self.says, |s| &s.id, name).map(SayId::at)
    }

    /// Returns the display name of a word. If the author gives none, returns the word with spaces instead of underscores.
    pub fn named_word(&self, word: &str, language: Language) -> String {
        self.words.get(word).map_or_else(|| word.replace('_', " "), |text| text.get(language).to_owned())
    }

    /// Returns the doc comment (`///`) of a rule function in a language, as one line. Falls back to English.
    pub fn sentence(&self, function: &str, language: Language) -> Option<String> {
        self.scripts.iter().find_map(|script| sentence(&script.text, function, language))
    }

    /// Returns the display name of a score part or tie-breaker. This is the display name of the value, component or word with the same
    /// name.
    pub fn part_of_score(&self, part: &str, language: Language) -> String {
        let value = self.values.iter().find(|value| &*value.id == part);
        let component = || self.components.iter().find(|component| &*component.id == part);
        let name = value.map(|value| &value.name).or_else(|| component().map(|component| &component.name));
        name.map_or_else(|| self.named_word(part, language), |name| name.get(language).to_owned())
    }

    /// Iterates over all seats in order.
    pub fn all_seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    /// Returns the number of zones of a family along each of its axes: one number for each entry of `per`, then one for copies.
    pub fn axes(&self, family: FamilyId) -> Vec<usize> {
        let family = self.family(family);
        let mut sizes: Vec<usize> = family
            .per
            .iter()
            .map(|per| match per {
                Per::Seat => self.seats as usize,
                Per::Kind(kind) => self.kinds[kind.index()].components.len(),
            })
            .collect();
        sizes.extend(family.copies.as_ref().map(Vec::len));
        sizes
    }
}

/// Returns the doc comment (`///`) of a function in the script `text`, as one line in a language. Falls back to English.
fn sentence(text: &str, function: &str, language: Language) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let defines = |rest: &str| {
            rest.trim_start().strip_prefix(function).is_some_and(|rest| rest.trim_start().starts_with('('))
        };
        match (line.strip_prefix("///"), line.strip_prefix("fn ")) {
            (Some(line), _) => lines.push(line.trim()),
            (None, Some(rest)) if defines(rest) => return Some(text_in_language(&lines, language)),
            // A doc comment belongs to the function directly below it.
            _ => lines.clear(),
        }
    }
    None
}

fn find<T>(list: &[T], id: impl Fn(&T) -> &Arc<str>, name: &str) -> Option<usize> {
    list.iter().position(|item| &**id(item) == name)
}

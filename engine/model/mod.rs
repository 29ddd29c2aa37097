//! A loaded game before anybody sits down: everything its files say, for one number of players and one set of options.
//!
//! A model knows no files, no scripts' meaning and no chance. It is built by the loader, never changes, and is shared
//! by every session of the game.

mod campaign;
mod carried;
mod cell;
mod component;
mod decision;
mod derived;
mod expected;
mod field;
mod flow;
mod harmless;
mod id;
mod mention;
mod names;
mod setting;
mod setup;
mod sides;
mod target;
mod team;
mod text;
mod value;
mod variants;
mod zone;

pub use crate::phrases::Language;
pub use campaign::Campaign;
pub use cell::{Cell, CellPrint, CellSheet, CellSymbol};
pub use component::{Alteration, Component, Kind, NamedFunction};
pub use decision::{Decision, PartType, Say, TELLS_CHOICE, TELLS_SEAT};
pub use derived::Derived;
pub use expected::{Bias, Expected, Subject};
pub use field::{FieldType, FieldValue};
pub use flow::{
    Ending, First, Flow, FlowCall, Named, Op, Phase, RANK, SCORE, SCORING, STANDING_OF, TriggerOrder, Turns, Winners,
};
pub use harmless::{harmless, is_formula};
pub use id::{
    ComponentId, DecisionId, EndingId, FamilyId, FieldId, KindId, PhaseId, PieceId, SayId, Seat, SpaceId, ValueId,
    ZoneId,
};
pub use mention::Mention;
pub use setting::{Bounds, GameOption, OptionType, Param, Setting};
pub use setup::{Setup, quoted};
pub use target::Target;
pub(crate) use target::{Figure, FigureGroup};
pub use team::{TEAM, Team};
pub use text::{Text, said_in, tagged};
pub(crate) use text::{filled, rooms};
pub use value::{Lasts, Owner, Party, Value, ValueType};
pub use variants::Variants;
pub use zone::{BOX, Content, Family, Label, Per, Seen, Shape, Space, Tops, Zone};

use crate::diagnostic::Source;
use indexmap::IndexMap;
use std::sync::Arc;

/// The name of the player in a seat that the rules play.
pub const AUTOMA: &str = "automa";

/// The word for no function and no component, where a field names one.
pub const NOTHING: &str = "nothing";

/// The most seats a table has.
pub const MAX_SEATS: usize = 16;

/// One piece as it comes out of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewPiece {
    /// What is printed on it.
    pub component: ComponentId,
    /// Whose color it has, if its component is one for each seat.
    pub owner: Option<Seat>,
    /// Where it starts.
    pub zone: ZoneId,
}

/// A game as its files describe it, for one number of players and one set of options.
#[derive(Debug, Clone)]
pub struct Model {
    /// The word for the game in files and on the command line.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// The fewest and the most seats it can be played with.
    pub players: std::ops::RangeInclusive<u8>,
    /// How many seats this model is for.
    pub seats: u8,
    /// Whether the smallest score wins.
    pub least_score_wins: bool,
    /// Where what is written comes from, as the author noted it: by the dotted path of the table, as `zones.deck`,
    /// `values.seat.cash` or `card.ace`; the game itself is `game`.
    pub provenance: IndexMap<String, Arc<str>>,
    /// Field names, over all kinds.
    pub fields: Vec<Arc<str>>,
    /// The functions of the rules that fields name, each once for every place that names it.
    pub named_functions: Vec<NamedFunction>,
    /// Kinds, by id.
    pub kinds: Vec<Kind>,
    /// Components, by id; the components of a kind need not follow each other.
    pub components: Vec<Component>,
    /// The seats that the rules play: nobody sits there.
    pub automas: Vec<Seat>,
    /// The teams that have seats, in the order of the files; none where everybody plays alone.
    pub teams: Vec<Team>,
    /// What the squares of pieces say that take up several spaces.
    pub cells: CellSheet,
    /// Declared zones, by id; the first is [`BOX`].
    pub families: Vec<Family>,
    /// Every zone on the table, by id; the zones of a family follow each other.
    pub zones: Vec<Zone>,
    /// Every space on the table, by id; the spaces of a zone follow each other.
    pub spaces: Vec<Space>,
    /// Every piece, by handle, in the order in which they are laid out, bottom first.
    pub pieces: Vec<NewPiece>,
    /// Declared values, by id.
    pub values: Vec<Value>,
    /// Numbers that functions of the rules calculate for each viewer of the table.
    pub derived: Vec<Derived>,
    /// How many slots all values take together.
    pub slots: usize,
    /// Declared phases, by id.
    pub phases: Vec<Phase>,
    /// The compiled flow.
    pub flow: Flow,
    /// Declared decisions, by id.
    pub decisions: Vec<Decision>,
    /// Declared endings, by id; at least one.
    pub endings: Vec<Ending>,
    /// Declared announcements, by id.
    pub says: Vec<Say>,
    /// What words of the files and scripts are called by people, where that is said.
    pub words: IndexMap<Arc<str>, Text>,
    /// What rules ask for with `altered`, and what people call it.
    pub altered: IndexMap<Arc<str>, Text>,
    /// Params, by name.
    pub params: IndexMap<Arc<str>, Param>,
    /// Options, by name.
    pub options: IndexMap<Arc<str>, GameOption>,
    /// How games of it follow each other, where they do.
    pub campaign: Option<Campaign>,
    /// What the author wants the figures of many games to be.
    pub targets: Vec<Target>,
    /// What the author knows of who wins.
    pub expected: Vec<Expected>,
    /// The words that the game's files write, with their places.
    pub mentions: IndexMap<Arc<str>, Mention>,
    /// The scripts, in the order of their names.
    pub scripts: Vec<Arc<Source>>,
    /// The same game with other options.
    pub variants: Variants<Self>,
    /// The files of agents, in the order of their names: not part of the rules.
    pub agents: Vec<Arc<Source>>,
    /// The playscripts: not part of the rules, which may hold what these alone ask for.
    pub plays: Vec<Arc<Source>>,
    /// The templates of faces, in the order of their names: not part of the rules.
    pub faces: Vec<Arc<Source>>,
    /// A number computed from everything in the game's files: two models with the same number play alike.
    pub fingerprint: u64,
}

impl Model {
    /// The same game with other options, where these bring names that this one lacks: scripts may speak of them too.
    pub fn elsewhere(&self) -> &[Arc<Self>] {
        self.variants.such(|other| other.has_more_names_than(self))
    }

    /// The same by itself; nothing where it is known already what is elsewhere, or that nothing is.
    pub fn alone(&self) -> Option<Self> {
        self.variants.is_open().then(|| Self { variants: Variants::default(), ..self.clone() })
    }

    /// The fields that name functions of the rules, those within records too.
    pub fn function_fields(&self) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        for kind in &self.kinds {
            for (field, of) in &kind.fields {
                of.function_fields(&self.fields[field.index()], &mut found);
            }
        }
        for (name, of) in self.families.iter().flat_map(|family| &family.printed) {
            of.function_fields(name, &mut found);
        }
        found
    }

    /// Returns a printed field as files write it; empty for [`FieldValue::Nothing`].
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

    /// A component.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// The kind of a component.
    pub fn kind_of(&self, id: ComponentId) -> &Kind {
        &self.kinds[self.component(id).kind.index()]
    }

    /// A zone.
    pub fn zone(&self, id: ZoneId) -> &Zone {
        &self.zones[id.index()]
    }

    /// The declaration of a zone.
    pub fn family_of(&self, id: ZoneId) -> &Family {
        &self.families[self.zone(id).family.index()]
    }

    /// Whether a zone may ever hold a component.
    pub fn accepts(&self, zone: ZoneId, component: ComponentId) -> bool {
        let accepts = &self.family_of(zone).accepts;
        accepts.is_empty()
            || accepts.iter().any(|content| match *content {
                Content::Kind(kind) => self.component(component).kind == kind,
                Content::Component(id) => id == component,
            })
    }

    /// The declaration of a family.
    pub fn family(&self, id: FamilyId) -> &Family {
        &self.families[id.index()]
    }

    /// A space.
    pub fn space(&self, id: SpaceId) -> &Space {
        &self.spaces[id.index()]
    }

    /// A declared value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// The component with a name.
    pub fn find_component(&self, name: &str) -> Option<ComponentId> {
        find(&self.components, |c| &c.id, name).map(ComponentId::at)
    }

    /// The kind with a name.
    pub fn find_kind(&self, name: &str) -> Option<KindId> {
        find(&self.kinds, |k| &k.id, name).map(KindId::at)
    }

    /// The declared zone with a name.
    pub fn find_family(&self, name: &str) -> Option<FamilyId> {
        find(&self.families, |f| &f.id, name).map(FamilyId::at)
    }

    /// The field with a name.
    pub fn find_field(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|field| &**field == name).map(FieldId::at)
    }

    /// The decision with a name.
    pub fn find_decision(&self, name: &str) -> Option<DecisionId> {
        find(&self.decisions, |d| &d.id, name).map(DecisionId::at)
    }

    /// The ending with a name.
    pub fn find_ending(&self, name: &str) -> Option<EndingId> {
        find(&self.endings, |e| &e.id, name).map(EndingId::at)
    }

    /// The announcement with a name.
    pub fn find_say(&self, name: &str) -> Option<SayId> {
        find(&self.says, |s| &s.id, name).map(SayId::at)
    }

    /// What a word of the game's files is called by people.
    pub fn named_word(&self, word: &str, language: Language) -> String {
        self.words.get(word).map_or_else(|| word.replace('_', " "), |text| text.get(language).to_owned())
    }

    /// What the `///` lines above a function of the rules say, as one line.
    pub fn sentence(&self, function: &str, language: Language) -> Option<String> {
        self.scripts.iter().find_map(|script| sentence(&script.text, function, language))
    }

    /// What a part of a score, or what ties are broken by, is called: like the value, the component or the word of that name.
    pub fn part_of_score(&self, part: &str, language: Language) -> String {
        let value = self.values.iter().find(|value| &*value.id == part);
        let component = || self.components.iter().find(|component| &*component.id == part);
        let name = value.map(|value| &value.name).or_else(|| component().map(|component| &component.name));
        name.map_or_else(|| self.named_word(part, language), |name| name.get(language).to_owned())
    }

    /// Every seat, in order.
    pub fn all_seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    /// How many zones of a family lie along each of its axes: one number for each of `per`, then one for copies.
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

/// What the `///` lines above a function say, as one line.
fn sentence(text: &str, function: &str, language: Language) -> Option<String> {
    let mut said: Vec<&str> = Vec::new();
    for line in text.lines() {
        let is_it = |rest: &str| {
            rest.trim_start().strip_prefix(function).is_some_and(|rest| rest.trim_start().starts_with('('))
        };
        match (line.strip_prefix("///"), line.strip_prefix("fn ")) {
            (Some(line), _) => said.push(line.trim()),
            (None, Some(rest)) if is_it(rest) => return Some(said_in(&said, language)),
            _ => said.clear(),
        }
    }
    None
}

fn find<T>(list: &[T], id: impl Fn(&T) -> &Arc<str>, name: &str) -> Option<usize> {
    list.iter().position(|item| &**id(item) == name)
}

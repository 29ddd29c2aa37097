//! The names of a game with their types, collected over all numbers of players and all options.

use super::language::Language;
use super::types::{ALL_IDS, IdSet, Tags, Type, Types, bit, set_tag_of};
use super::vocabulary::Vocabulary;
use crate::decision::Type as Tag;
use crate::library::{BuiltIn, GlobalName, built_in, global};
use crate::model::{
    Component, Content, Family, FieldType, FieldValue, KindId, Label, Model, Op, OptionType, Owner, Party, Per,
    Setting, Shape, TEAM, ValueType,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A field, value or zone that game objects of one type have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fact {
    /// Type of the game objects that have the fact.
    pub owner: Tag,
    /// The kinds or zones that have the fact.
    pub ids: IdSet,
    /// Type of the fact when it is read.
    pub ty: Type,
    /// The type that a value accepts in assignments; `None` for facts that are not values.
    pub accepts: Option<Type>,
}

/// A value that is a table with one entry for each key, such as a seat or a component.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValueTable {
    /// Name of the value.
    pub name: Arc<str>,
    /// Type of the table's owner.
    owner: Tag,
    /// Type of the keys.
    pub key: Type,
    /// Type of the entries when they are read.
    pub ty: Type,
    /// The type that entries accept in assignments.
    pub accepts: Type,
}

/// A zone as declared by the game.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ZoneSymbol {
    /// The kinds whose pieces may lie in the zone.
    pub contents: IdSet,
    /// The kinds whose components each have a copy of the zone.
    pub per_kinds: IdSet,
    /// Whether each seat has a copy of the zone.
    pub per_seat: bool,
    /// Number of axes along which the zone is copied, not counting seats.
    pub axes: usize,
    /// Whether the zone is a ring.
    pub is_ring: bool,
    /// Types of the labels of the zone's spaces and copies.
    pub labels: Labels,
}

/// The types of a zone's labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labels {
    /// Type of the labels of spaces.
    pub spaces: Type,
    /// Type of the labels of copies.
    pub copies: Type,
}

impl Default for Labels {
    fn default() -> Self {
        Self { spaces: Type::NEVER, copies: Type::NEVER }
    }
}

/// A function that a field names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldFunction {
    /// Name of the function.
    pub function: Arc<str>,
    /// The kinds that have a component whose field names the function.
    pub kinds: IdSet,
    /// The zones that have a space whose field names the function.
    pub zones: IdSet,
    /// Whether the function is named in a record within a field.
    pub in_record: bool,
}

/// Owners of a field that names a function: kinds of components, or zones of spaces. `in_record` tells whether the field is in a record.
#[derive(Clone, Copy)]
struct FieldOwners {
    kinds: IdSet,
    zones: IdSet,
    in_record: bool,
}

/// The kind of return value that the flow expects from a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedReturn {
    /// No value: the function is a step.
    Step,
    /// An order of seats.
    Order,
    /// A boolean.
    Flag,
    /// A scenario: a word of the campaign's option, or `()` for the end of the campaign.
    Scenario,
}

/// A derived value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DerivedValue {
    /// Name of the value.
    pub value: Arc<str>,
    /// Name of the function that computes the value.
    pub function: Arc<str>,
    /// Type of the function's argument. `None` for a value of the game, whose function has no argument.
    pub given: Option<Type>,
}

/// A function that the flow calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FlowFunction {
    /// Name of the function.
    pub function: Arc<str>,
    /// Whether the function is called with a seat.
    pub takes_seat: bool,
    /// The expected return value.
    pub wanted: ExpectedReturn,
}

/// The names that a game declares, with their types.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Symbols<'l> {
    language: &'l Language,
    kinds: Vec<Arc<str>>,
    zones: Vec<(Arc<str>, ZoneSymbol)>,
    /// Types of names that are used without a dot.
    globals: FxHashMap<Arc<str>, Type>,
    facts: FxHashMap<Arc<str>, Vec<Fact>>,
    tables: Vec<ValueTable>,
    /// The kinds whose pieces all have an owner.
    owned: IdSet,
    /// The kinds whose pieces never have an owner.
    unowned: IdSet,
    /// The kind of teams; the empty set if there are no teams. `has_teams` tells whether all variants have teams.
    teams: IdSet,
    has_teams: bool,
    /// The kind of each component, by id of the component.
    components: FxHashMap<Arc<str>, IdSet>,
    /// Types of the values to which alterations set quantities, by name of the quantity.
    altered: FxHashMap<Arc<str>, Type>,
    named: FxHashMap<Arc<str>, Vec<FieldFunction>>,
    called: Vec<FlowFunction>,
    /// Decisions whose options have a cost function: name of the decision, and name of the function.
    costs: Vec<(Arc<str>, Arc<str>)>,
    /// Decisions whose options a function rates for automas (seats without a player): name of the decision, and name of the function.
    automas: Vec<(Arc<str>, Arc<str>)>,
    derived: Vec<DerivedValue>,
    /// The decision in which seats choose the order of triggers.
    trigger_choice: Option<Arc<str>>,
    /// The scenarios of the campaign.
    scenarios: Vec<Arc<str>>,
    /// The names and words of the game that rules use in quotes, after a dot, or alone.
    pub(crate) vocabulary: Vocabulary,
}

impl<'l> Symbols<'l> {
    /// Collects the names of a game and of its variants.
    pub(crate) fn new(model: &Model, language: &'l Language, types: &mut Types) -> Self {
        let mut symbols = Self {
            language,
            kinds: Vec::new(),
            zones: Vec::new(),
            globals: FxHashMap::default(),
            facts: FxHashMap::default(),
            tables: Vec::new(),
            owned: ALL_IDS,
            unowned: ALL_IDS,
            teams: 0,
            has_teams: false,
            components: FxHashMap::default(),
            altered: FxHashMap::default(),
            named: FxHashMap::default(),
            called: Vec::new(),
            costs: Vec::new(),
            automas: Vec::new(),
            derived: Vec::new(),
            trigger_choice: model
                .flow
                .trigger_choice
                .and_then(|id| model.decisions.get(id.index()))
                .map(|one| one.id.clone()),
            scenarios: model.scenarios().unwrap_or_default(),
            vocabulary: Vocabulary::default(),
        };
        let models: Vec<&Model> =
            std::iter::once(model).chain(model.variants_with_more_names().iter().map(|other| &**other)).collect();
        symbols.vocabulary = Vocabulary::new(models.iter().copied(), language.relations());
        for model in &models {
            symbols.declare(model);
        }
        symbols.has_teams = models.iter().all(|model| !model.teams.is_empty());
        if models.iter().any(|model| !model.teams.is_empty()) {
            symbols.teams = symbols.kind(TEAM).unwrap_or(0);
        }
        for model in &models {
            symbols.add_zones(model, types);
            symbols.add_globals(model, types);
            symbols.add_kinds(model, types);
            symbols.add_values(model, types);
            symbols.add_derived(model, types);
            symbols.add_spaces(model, types);
            symbols.add_rules(model);
        }
        symbols
    }

    fn declare(&mut self, model: &Model) {
        for kind in &model.kinds {
            if !self.kinds.contains(&kind.id) {
                self.kinds.push(kind.id.clone());
            }
        }
        for family in &model.families {
            if !self.zones.iter().any(|(known, _)| *known == family.id) {
                self.zones.push((family.id.clone(), ZoneSymbol::default()));
            }
        }
    }

    // ----- queries

    /// Returns the index of the language's functions, properties and operators by name.
    pub(crate) fn language(&self) -> &'l Language {
        self.language
    }

    /// Returns the set that contains only the kind called `name`. Returns `None` if there is no such kind.
    pub(crate) fn kind(&self, name: &str) -> Option<IdSet> {
        self.kinds.iter().position(|kind| **kind == *name).map(bit)
    }

    /// Returns the names of the kinds in a set.
    pub(crate) fn kind_names(&self, ids: IdSet) -> Vec<Arc<str>> {
        self.kinds.iter().enumerate().filter(|(at, _)| ids & bit(*at) != 0).map(|(_, kind)| kind.clone()).collect()
    }

    /// Describes two types in words by their kinds or zones. Returns `None` unless both types are components, both are pieces, both are
    /// zones, or both are spaces.
    pub(crate) fn describe_difference(&self, one: Type, other: Type, types: &Types) -> Option<(String, String)> {
        let sorts = [Tag::Component, Tag::Piece, Tag::Zone, Tag::Space];
        let is_only = |ty: Type, tag: Tag| types.tags(ty) == Tags::new(&[tag]);
        let tag = sorts.into_iter().find(|tag| is_only(one, *tag) && is_only(other, *tag))?;
        let words = |ty: Type| {
            let ids = types.ids_of(ty, tag);
            let names: Vec<Arc<str>> = match tag {
                Tag::Component | Tag::Piece => self.kind_names(ids),
                _ => self.zones(ids).map(|(name, _)| name.clone()).collect(),
            };
            let names = names.join("` or `");
            match tag {
                Tag::Component | Tag::Piece => format!("{} of kind `{names}`", tag.one()),
                Tag::Zone => format!("the zone `{names}`"),
                _ => format!("{} of `{names}`", tag.one()),
            }
        };
        Some((words(one), words(other)))
    }

    /// Returns the set that contains only a zone.
    pub(crate) fn zone_bit(&self, name: &str) -> IdSet {
        self.zones.iter().position(|(zone, _)| **zone == *name).map_or(ALL_IDS, bit)
    }

    /// Iterates over the zones in a set, each with its name.
    pub(crate) fn zones(&self, ids: IdSet) -> impl Iterator<Item = (&Arc<str>, &ZoneSymbol)> {
        let all = self.zones.iter().enumerate();
        all.filter(move |(at, _)| ids & bit(*at) != 0).map(|(_, (name, zone))| (name, zone))
    }

    /// Returns the kinds whose pieces may lie in any of the zones.
    pub(crate) fn pieces_in(&self, ids: IdSet) -> IdSet {
        self.zones(ids).fold(0, |kinds, (_, zone)| kinds | zone.contents)
    }

    /// Returns the type of a name that is used without a dot.
    pub(crate) fn global(&self, name: &str) -> Option<Type> {
        self.globals.get(name).copied()
    }

    /// Returns the set that contains only the kind of the component `id`. Returns `None` if there is no such component.
    pub(crate) fn component(&self, id: &str) -> Option<IdSet> {
        self.components.get(id).copied()
    }

    /// Returns the type of the values to which alterations set the quantity `question`.
    pub(crate) fn alteration_type(&self, question: &str) -> Type {
        self.altered.get(question).copied().unwrap_or(Type::NEVER)
    }

    /// Returns the functions that a field names.
    pub(crate) fn named_by(&self, field: &str) -> Option<&[FieldFunction]> {
        self.named.get(field).map(Vec::as_slice)
    }

    /// Returns the decisions whose options have a cost function: name of the decision, and name of the function.
    pub(crate) fn costs(&self) -> &[(Arc<str>, Arc<str>)] {
        &self.costs
    }

    /// Returns the decisions whose options a function rates for automas (seats without a player): name of the decision, and name of the
    /// function.
    pub(crate) fn automas(&self) -> &[(Arc<str>, Arc<str>)] {
        &self.automas
    }

    /// Returns the derived values.
    pub(crate) fn derived(&self) -> &[DerivedValue] {
        &self.derived
    }

    /// Returns the decision in which seats choose the order of triggers.
    pub(crate) fn trigger_choice(&self) -> Option<&Arc<str>> {
        self.trigger_choice.as_ref()
    }

    /// Returns the scenarios of the campaign.
    pub(crate) fn scenarios(&self) -> &[Arc<str>] {
        &self.scenarios
    }

    /// Returns the functions that the flow calls.
    pub(crate) fn called(&self) -> &[FlowFunction] {
        &self.called
    }

    /// Returns the type of the argument that the engine passes to `score`: a team or a seat.
    pub(crate) fn score_argument_type(&self, types: &mut Types) -> Type {
        let team = types.thing(Tag::Component, self.teams);
        match (self.teams, self.has_teams) {
            (0, _) => Type::SEAT,
            (_, true) => team,
            (_, false) => types.join(Type::SEAT, team),
        }
    }

    /// Iterates over the names of the facts that game objects of the type `owner` have.
    pub(crate) fn fact_names(&self, owner: Tag) -> impl Iterator<Item = &str> {
        let named = self.facts.iter().filter(move |(_, facts)| facts.iter().any(|fact| fact.owner == owner));
        named.map(|(name, _)| &**name)
    }

    /// Returns all facts called `name`.
    pub(crate) fn facts(&self, name: &str) -> &[Fact] {
        self.facts.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the tables in a set.
    pub(crate) fn tables(&self, ids: IdSet) -> impl Iterator<Item = &ValueTable> {
        self.tables.iter().enumerate().filter(move |(at, _)| ids & bit(*at) != 0).map(|(_, table)| table)
    }

    /// Returns the type of the fact `name` for the kinds or zones in `ids`, and the set of kinds or zones that have the fact. This set may
    /// also contain kinds or zones outside `ids`. Returns `None` if none of `ids` has the fact.
    pub(crate) fn fact(&self, owner: Tag, ids: IdSet, name: &str, types: &mut Types) -> Option<(Type, IdSet)> {
        let here = self.facts(name).iter().filter(|fact| fact.owner == owner && fact.ids & ids != 0);
        let (mut all, mut known) = (Vec::new(), 0);
        for fact in here {
            all.push(fact.ty);
            known |= fact.ids;
        }
        // A fact that the game declares takes precedence over the built-in fact of the same name. The built-in fact counts only if some of
        // `ids` lack a declared one.
        if known & ids != ids
            && let Some(built_in) = self.built_in(owner, ids, name, types)
        {
            all.push(built_in);
            known = ALL_IDS;
        }
        // Types may differ by kind, which the union cannot express. The type is marked as weak, so that a mistake is reported only if it is
        // certain.
        (!all.is_empty()).then(|| (types.join_weakly(&all), known))
    }

    /// Returns the type of the built-in fact `name` for the kinds or zones in `ids`.
    fn built_in(&self, owner: Tag, ids: IdSet, name: &str, types: &mut Types) -> Option<Type> {
        let word = self.language.fact(owner, name)?;
        let meaning = built_in(owner, name)?;
        Some(match (owner, meaning) {
            (Tag::Component | Tag::Piece, BuiltIn::Kind) => types.words(self.kind_names(ids)),
            (Tag::Piece, BuiltIn::Component) => types.thing(Tag::Component, ids),
            (Tag::Piece, BuiltIn::Owner) if ids & !self.owned == 0 => Type::SEAT,
            (Tag::Piece, BuiltIn::Owner) if ids & !self.unowned == 0 => Type::NOTHING,
            (Tag::Space, BuiltIn::Zone) => types.thing(Tag::Zone, ids),
            (Tag::Space, BuiltIn::Label) => {
                let spaces: Vec<Type> = self.zones(ids).map(|(_, zone)| zone.labels.spaces).collect();
                types.join_weakly(&spaces)
            }
            (Tag::Zone, BuiltIn::Label) => {
                let copies: Vec<Type> = self.zones(ids).map(|(_, zone)| zone.labels.copies).collect();
                types.join_weakly(&copies)
            }
            (Tag::Seat, BuiltIn::Team) | (Tag::Component, BuiltIn::Seats) if self.teams == 0 => return None,
            (Tag::Seat, BuiltIn::Team) => types.thing(Tag::Component, self.teams),
            (Tag::Component, BuiltIn::Seats) if ids & self.teams == 0 => return None,
            (Tag::Zone, BuiltIn::Seat) if self.zones(ids).all(|(_, zone)| zone.per_seat) => Type::SEAT,
            (Tag::Zone, BuiltIn::Of) => {
                let kinds = self.zones(ids).fold(0, |kinds, (_, zone)| kinds | zone.per_kinds);
                let component = types.thing(Tag::Component, kinds);
                let all = self.zones(ids).all(|(_, zone)| zone.per_kinds != 0);
                if all { component } else { types.join(component, Type::PERHAPS) }
            }
            _ => types.plain(&word.returns),
        })
    }

    // ----- collecting

    fn add(&mut self, name: &Arc<str>, fact: Fact, types: &mut Types) {
        let all = self.facts.entry(name.clone()).or_default();
        let same = all.iter_mut().find(|known| {
            known.owner == fact.owner && known.ids == fact.ids && known.accepts.is_some() == fact.accepts.is_some()
        });
        match same {
            Some(known) => {
                known.ty = types.join(known.ty, fact.ty);
                known.accepts = known.accepts.zip(fact.accepts).map(|(one, other)| types.join(one, other));
            }
            None => all.push(fact),
        }
    }

    fn add_zones(&mut self, model: &Model, types: &mut Types) {
        for family in &model.families {
            let (contents, per_kinds) = (self.contents(model, family), self.per_kinds(model, family));
            let spaces = family.zones.clone().take(1).flat_map(|zone| model.zones[usize::from(zone)].spaces.clone());
            let labels: Vec<Type> = spaces.map(|space| label(&model.spaces[usize::from(space)].label, types)).collect();
            let spaces = types.join_all(labels);
            let copies: Vec<Type> = family.copies.iter().flatten().map(|copy| label(copy, types)).collect();
            // The label of a zone without copies is `()`.
            let copies = if family.copies.is_some() { types.join_all(copies) } else { Type::PERHAPS };
            let Some((_, zone)) = self.zones.iter_mut().find(|(known, _)| *known == family.id) else { continue };
            zone.contents |= contents;
            zone.per_kinds |= per_kinds;
            zone.per_seat |= family.per.contains(&Per::Seat);
            zone.is_ring |= family.shape == Shape::Ring;
            let per = family.per.iter().filter(|per| **per != Per::Seat).count();
            zone.axes = zone.axes.max(per + usize::from(family.copies.is_some()));
            zone.labels.spaces = types.join(zone.labels.spaces, spaces);
            zone.labels.copies = types.join(zone.labels.copies, copies);
        }
    }

    fn contents(&self, model: &Model, family: &Family) -> IdSet {
        if family.accepts.is_empty() {
            return ALL_IDS;
        }
        family.accepts.iter().fold(0, |ids, content| {
            let kind = match content {
                Content::Kind(kind) => *kind,
                Content::Component(component) => model.component(*component).kind,
            };
            ids | self.kind_bit(model, kind)
        })
    }

    fn per_kinds(&self, model: &Model, family: &Family) -> IdSet {
        family.per.iter().fold(0, |ids, per| match per {
            Per::Kind(kind) => ids | self.kind_bit(model, *kind),
            Per::Seat => ids,
        })
    }

    /// Returns the set that contains only a kind.
    pub(crate) fn kind_bit(&self, model: &Model, kind: KindId) -> IdSet {
        self.kind(&model.kinds[kind.index()].id).unwrap_or(ALL_IDS)
    }

    fn add_globals(&mut self, model: &Model, types: &mut Types) {
        let mut found: Vec<(Arc<str>, Type)> = Vec::new();
        for word in self.language.names() {
            let ty = match global(&word.name) {
                Some(GlobalName::Teams) if self.teams != 0 => types.thing(Tag::Components, self.teams),
                _ => types.plain(&word.returns),
            };
            found.push((word.name.as_str().into(), ty));
        }
        for family in model.families.iter().filter(|family| !family.per.contains(&Per::Seat)) {
            let is_single = family.per.is_empty() && family.copies.is_none();
            let tag = if is_single { Tag::Zone } else { Tag::Zones };
            found.push((family.id.clone(), types.thing(tag, self.zone_bit(&family.id))));
        }
        for param in model.params.values() {
            let all: Vec<Type> = std::iter::once(&param.value)
                .chain(param.by_players.iter().map(|(_, value)| value))
                .map(|value| setting(value, types))
                .collect();
            found.push((param.id.clone(), types.join_all(all)));
        }
        for option in model.options.values() {
            let ty = match &option.kind {
                OptionType::Word(words) => types.words(words.iter().cloned()),
                OptionType::Number { .. } => Type::NUMBER,
                OptionType::Seat => types.join(Type::SEAT, Type::PERHAPS),
            };
            found.push((option.id.clone(), ty));
        }
        for (name, ty) in found {
            let known = self.globals.get(&name).copied().unwrap_or(Type::NEVER);
            self.globals.insert(name, types.join(known, ty));
        }
    }

    fn add_kinds(&mut self, model: &Model, types: &mut Types) {
        for kind in &model.kinds {
            let ids = self.kind(&kind.id).unwrap_or(ALL_IDS);
            for (id, field_type) in &kind.fields {
                let name = model.fields[id.index()].clone();
                let values: Vec<&FieldValue> =
                    kind.components.iter().filter_map(|component| model.component(*component).fields.get(id)).collect();
                let are_components =
                    model.kinds.iter().filter_map(|kind| kind.fields.get(id)).all(|field_type| match field_type {
                        FieldType::List(inner) => matches!(**inner, FieldType::Component(_)),
                        _ => true,
                    });
                let ty = match field_type {
                    FieldType::List(inner) if are_components && matches!(**inner, FieldType::Component(_)) => {
                        let FieldType::Component(kind) = **inner else { continue };
                        let ids = kind.map_or(ALL_IDS, |kind| self.kind_bit(model, kind));
                        types.thing(Tag::Components, ids)
                    }
                    _ => self.field(model, field_type, &values, types),
                };
                let is_left_out = values.iter().any(|value| **value == FieldValue::Nothing);
                let ty = if is_left_out { types.join(ty, Type::PERHAPS) } else { ty };
                for owner in [Tag::Component, Tag::Piece] {
                    self.add(&name, Fact { owner, ids, ty, accepts: None }, types);
                }
                self.add_functions(&name, field_type, &values, FieldOwners { kinds: ids, zones: 0, in_record: false });
            }
            for component in kind.components.iter().map(|component| model.component(*component)) {
                self.add_component(component, ids, types);
            }
        }
        for family in &model.families {
            self.add_owned_zones(model, family, types);
        }
    }

    fn add_component(&mut self, component: &Component, ids: IdSet, types: &mut Types) {
        self.components.insert(component.id.clone(), ids);
        // Only pieces that exist once for each seat have an owner.
        if component.count > 0 && !component.each_seat {
            self.owned &= !ids;
        }
        if component.count > 0 && component.each_seat {
            self.unowned &= !ids;
        }
        for alteration in &component.alters {
            let set = alteration.set.as_ref().map_or(Type::NEVER, |set| value(set, types));
            let known = self.altered.get(&alteration.what).copied().unwrap_or(Type::NEVER);
            self.altered.insert(alteration.what.clone(), types.join(known, set));
        }
    }

    /// Adds a zone as a fact of the seats or components that each have a copy of it.
    fn add_owned_zones(&mut self, model: &Model, family: &Family, types: &mut Types) {
        let (owner, ids) = match family.per.first() {
            Some(Per::Seat) => (Tag::Seat, ALL_IDS),
            Some(Per::Kind(kind)) => (Tag::Component, self.kind_bit(model, *kind)),
            None => return,
        };
        let is_single = family.per.len() == 1 && family.copies.is_none();
        let ty = types.thing(if is_single { Tag::Zone } else { Tag::Zones }, self.zone_bit(&family.id));
        self.add(&family.id.clone(), Fact { owner, ids, ty, accepts: None }, types);
    }

    /// Returns the type of a printed field.
    fn field(&self, model: &Model, field_type: &FieldType, values: &[&FieldValue], types: &mut Types) -> Type {
        match field_type {
            FieldType::Number => Type::NUMBER,
            FieldType::Flag => Type::FLAG,
            FieldType::Word => {
                let words = values.iter().filter_map(|value| match value {
                    FieldValue::Word(word) => Some(word.clone()),
                    _ => None,
                });
                types.words(words)
            }
            FieldType::Function => Type::TEXT,
            FieldType::Component(kind) => {
                let ids = kind.map_or(ALL_IDS, |kind| self.kind_bit(model, kind));
                types.thing(Tag::Component, ids)
            }
            FieldType::List(entry_type) => {
                let inner: Vec<&FieldValue> = values.iter().flat_map(|value| entries(value)).collect();
                let entries = self.field(model, entry_type, &inner, types);
                types.list(entries)
            }
            FieldType::Record(parts) => {
                let part = |(name, part_type): (&Arc<str>, &FieldType)| {
                    let all = values.iter().map(|value| match value {
                        FieldValue::Record(parts) => parts.get(name),
                        _ => None,
                    });
                    let inner: Vec<&FieldValue> = all.flatten().collect();
                    let ty = self.field(model, part_type, &inner, types);
                    let is_left_out = inner.iter().any(|value| **value == FieldValue::Nothing);
                    (name.clone(), if is_left_out { types.join(ty, Type::PERHAPS) } else { ty })
                };
                let parts: Vec<(Arc<str>, Type)> = parts.iter().map(part).collect();
                types.map(parts, None)
            }
            FieldType::Unknown => Type::ANY,
        }
    }

    /// Adds the functions that a field names, including those in records.
    fn add_functions(&mut self, name: &Arc<str>, field_type: &FieldType, values: &[&FieldValue], owners: FieldOwners) {
        match field_type {
            FieldType::Function => {
                for value in values {
                    if let FieldValue::Function(function) = value {
                        self.add_named_function(name, function, owners);
                    }
                }
            }
            FieldType::List(entry_type) => {
                let inner: Vec<&FieldValue> = values.iter().flat_map(|value| entries(value)).collect();
                self.add_functions(name, entry_type, &inner, owners);
            }
            FieldType::Record(parts) => {
                for (part, part_type) in parts {
                    let all = values.iter().filter_map(|value| match value {
                        FieldValue::Record(parts) => parts.get(part),
                        _ => None,
                    });
                    let inner: Vec<&FieldValue> = all.collect();
                    self.add_functions(part, part_type, &inner, FieldOwners { in_record: true, ..owners });
                }
            }
            _ => {}
        }
    }

    fn add_named_function(&mut self, field: &Arc<str>, function: &Arc<str>, owners: FieldOwners) {
        let FieldOwners { kinds, zones, in_record } = owners;
        let all = self.named.entry(field.clone()).or_default();
        match all.iter_mut().find(|known| known.function == *function && known.in_record == in_record) {
            Some(known) => (known.kinds, known.zones) = (known.kinds | kinds, known.zones | zones),
            None => all.push(FieldFunction { function: function.clone(), kinds, zones, in_record }),
        }
    }

    fn add_derived(&mut self, model: &Model, types: &mut Types) {
        for derived in &model.derived {
            let given = match derived.owner {
                Owner::Seat => Some(Type::SEAT),
                Owner::Component(kind) => Some(types.thing(Tag::Component, self.kind_bit(model, kind))),
                Owner::Piece(kind) => {
                    let ids = kind.map_or(ALL_IDS, |kind| self.kind_bit(model, kind));
                    Some(types.thing(Tag::Piece, ids))
                }
                _ => None,
            };
            let one = DerivedValue { value: derived.id.clone(), function: derived.named.function.clone(), given };
            if !self.derived.contains(&one) {
                self.derived.push(one);
            }
        }
    }

    fn add_values(&mut self, model: &Model, types: &mut Types) {
        for value in &model.values {
            let (owner, ids) = match value.owner {
                Owner::Game => (Tag::Game, ALL_IDS),
                Owner::Seat | Owner::Pair(Party::Seat, _) => (Tag::Seat, ALL_IDS),
                Owner::Component(kind) | Owner::Pair(Party::Component(kind), _) => {
                    (Tag::Component, self.kind_bit(model, kind))
                }
                Owner::Piece(kind) => (Tag::Piece, kind.map_or(ALL_IDS, |kind| self.kind_bit(model, kind))),
                Owner::Space(family) => (Tag::Space, self.zone_bit(&model.family(family).id)),
            };
            let accepts = match &value.kind {
                ValueType::Number => Type::NUMBER,
                ValueType::Flag => Type::FLAG,
                ValueType::Word(words) => types.words(words.iter().cloned()),
                ValueType::Seat => types.join(Type::SEAT, Type::NOTHING),
                ValueType::Component(kind) => {
                    let ids = kind.map_or(ALL_IDS, |kind| self.kind_bit(model, kind));
                    let component = types.thing(Tag::Component, ids);
                    types.join(component, Type::NOTHING)
                }
                ValueType::Space(family) => {
                    let ids = family.map_or(ALL_IDS, |family| self.zone_bit(&model.family(family).id));
                    let space = types.thing(Tag::Space, ids);
                    types.join(space, Type::NOTHING)
                }
                ValueType::Piece => {
                    let piece = types.thing(Tag::Piece, ALL_IDS);
                    types.join(piece, Type::NOTHING)
                }
            };
            let (ty, accepts) = match value.most {
                None => (types.soften_nothing(accepts), accepts),
                Some(_) => list_types(accepts, types),
            };
            if let Owner::Pair(_, party) = value.owner {
                let key = match party {
                    Party::Seat => Type::SEAT,
                    Party::Component(kind) => {
                        let ids = self.kind_bit(model, kind);
                        let component = types.thing(Tag::Component, ids);
                        let piece = types.thing(Tag::Piece, ids);
                        types.join(component, piece)
                    }
                };
                let at = self.table_index(ValueTable { name: value.id.clone(), owner, key, ty, accepts });
                let ty = types.thing(Tag::Entries, bit(at));
                self.add(&value.id.clone(), Fact { owner, ids, ty, accepts: None }, types);
                continue;
            }
            self.add(&value.id.clone(), Fact { owner, ids, ty, accepts: Some(accepts) }, types);
        }
    }

    /// Returns the index of a table. Adds the table if it is new, and shares equal tables between variants.
    fn table_index(&mut self, table: ValueTable) -> usize {
        if let Some(at) = self.tables.iter().position(|known| *known == table) {
            return at;
        }
        self.tables.push(table);
        self.tables.len() - 1
    }

    fn add_spaces(&mut self, model: &Model, types: &mut Types) {
        for (at, family) in model.families.iter().enumerate() {
            let ids = self.zone_bit(&family.id);
            let own = |space: &&crate::model::Space| model.zone(space.zone).family == crate::model::FamilyId::at(at);
            for (name, field_type) in &family.printed {
                let values: Vec<&FieldValue> =
                    model.spaces.iter().filter(own).filter_map(|space| space.fields.get(name)).collect();
                let ty = self.field(model, field_type, &values, types);
                let is_blank = values.iter().any(|value| **value == FieldValue::Nothing);
                let ty = if is_blank { types.join(ty, Type::PERHAPS) } else { ty };
                self.add(name, Fact { owner: Tag::Space, ids, ty, accepts: None }, types);
                self.add_functions(name, field_type, &values, FieldOwners { kinds: 0, zones: ids, in_record: false });
            }
        }
        let grids = model.families.iter().filter(|family| family.shape.is_grid());
        let grids = grids.fold(0, |ids, family| ids | self.zone_bit(&family.id));
        for (name, field_type) in &model.cells.fields {
            let at = model.cells.find_field(name).unwrap_or_default();
            let values: Vec<&FieldValue> = model.cells.prints.iter().filter_map(|print| print.fields.get(at)).collect();
            let ty = self.field(model, field_type, &values, types);
            let ty = types.join(ty, Type::PERHAPS);
            self.add(name, Fact { owner: Tag::Space, ids: grids, ty, accepts: None }, types);
        }
    }

    fn add_rules(&mut self, model: &Model) {
        let next = model.campaign.as_ref().and_then(|campaign| campaign.next.as_ref()).map(|next| &*next.call.function);
        let wanted = |function: &str, is_step: bool| {
            let is_order = |op: &Op| match op {
                Op::EachSeat { order, .. } | Op::Turns { order } => order.as_deref() == Some(function),
                _ => false,
            };
            match is_step {
                true => ExpectedReturn::Step,
                false if next == Some(function) => ExpectedReturn::Scenario,
                false if model.flow.ops.iter().any(is_order) => ExpectedReturn::Order,
                false => ExpectedReturn::Flag,
            }
        };
        for decision in &model.decisions {
            for (named, all) in [(&decision.costs, &mut self.costs), (&decision.automa, &mut self.automas)] {
                let Some(named) = named else { continue };
                let pair = (decision.id.clone(), named.function.clone());
                if !all.contains(&pair) {
                    all.push(pair);
                }
            }
        }
        for named in &model.flow.named {
            let (function, takes_seat) = (named.call.function.clone(), named.call.takes_seat);
            let called = FlowFunction { wanted: wanted(&function, named.is_step), function, takes_seat };
            let is_known = |known: &FlowFunction| known.function == called.function && known.wanted == called.wanted;
            if !self.called.iter().any(is_known) {
                self.called.push(called);
            }
        }
    }
}

/// Returns the type of a list value when it is read, and the type that it accepts in assignments. Lists of game objects are read as sets.
fn list_types(entry: Type, types: &mut Types) -> (Type, Type) {
    let entry = types.without_nothing(entry);
    let list = types.list(entry);
    let things = [Tag::Seat, Tag::Component, Tag::Space, Tag::Piece];
    let Some(one) = things.into_iter().find(|tag| types.tags(entry).has(*tag)) else { return (list, list) };
    let Some(tag) = set_tag_of(one) else { return (list, list) };
    let ty = if tag == Tag::Seats { Type::SEATS } else { types.thing(tag, types.ids_of(entry, one)) };
    (ty, types.join(ty, list))
}

/// Returns the items of a list, or an empty slice for any other value.
fn entries(value: &FieldValue) -> &[FieldValue] {
    match value {
        FieldValue::List(all) => all,
        _ => &[],
    }
}

fn label(label: &Label, types: &mut Types) -> Type {
    match label {
        Label::Number(_) => Type::NUMBER,
        Label::Word(word) => types.words([word.clone()]),
        Label::Cell(..) => types.list(Type::NUMBER),
    }
}

fn setting(setting_: &Setting, types: &mut Types) -> Type {
    match setting_ {
        Setting::Number(_) => Type::NUMBER,
        Setting::Flag(_) => Type::FLAG,
        Setting::Word(_) => Type::TEXT,
        Setting::Seat(_) => Type::SEAT,
        Setting::Nothing => Type::PERHAPS,
        Setting::List(all) => {
            let entries: Vec<Type> = all.iter().map(|one| setting(one, types)).collect();
            let entries = types.join_all(entries);
            types.list(entries)
        }
        Setting::Table(parts) => {
            let parts: Vec<(Arc<str>, Type)> =
                parts.iter().map(|(name, one)| (name.clone(), setting(one, types))).collect();
            types.map(parts, None)
        }
    }
}

/// Returns the type of a field's value.
fn value(printed: &FieldValue, types: &mut Types) -> Type {
    match printed {
        FieldValue::Nothing => Type::PERHAPS,
        FieldValue::Number(_) => Type::NUMBER,
        FieldValue::Flag(_) => Type::FLAG,
        FieldValue::Word(word) => types.words([word.clone()]),
        FieldValue::Function(_) => Type::TEXT,
        FieldValue::Component(_) => types.thing(Tag::Component, ALL_IDS),
        FieldValue::List(all) => {
            let entries: Vec<Type> = all.iter().map(|one| value(one, types)).collect();
            let entries = types.join_all(entries);
            types.list(entries)
        }
        FieldValue::Record(parts) => {
            let parts: Vec<(Arc<str>, Type)> =
                parts.iter().map(|(name, part)| (name.clone(), value(part, types))).collect();
            types.map(parts, None)
        }
    }
}

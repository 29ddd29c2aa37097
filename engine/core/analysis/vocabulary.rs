//! Names and words that the rules of any variant of a game can use: in quotes, after a dot, or alone.

use crate::decision::Type as Tag;
use crate::library::{NameRole, fixed_words};
use crate::model::{FieldType, FieldValue, Language, Model, OptionType, Owner, Party, Per, ValueType, rooms};
use crate::table::Direction;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Type of a value's owner, and the words that the value may have. The words are `None` if the value is not a single word.
type ValueWords = (Tag, Option<Vec<Arc<str>>>);

/// The names and words of a game, without their types.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Vocabulary {
    /// Names that are written in quotes, by role.
    quoted: BTreeMap<NameRole, Vec<Arc<str>>>,
    /// Names that are used without a dot, each with a noun phrase for what it refers to.
    alone: FxHashMap<Arc<str>, &'static str>,
    /// Owner types and possible words of values, by name of the value.
    words: FxHashMap<Arc<str>, Vec<ValueWords>>,
    /// Words that components have in a field, by name of the field. `None` if some kind has values other than words in this field.
    printed: FxHashMap<Arc<str>, Option<FxHashSet<Arc<str>>>>,
    /// Allowed words of each word option, by name of the option.
    options: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// Placeholders in the text of each announcement, by name of the announcement.
    rooms: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// Placeholders in the question of each decision, by name of the decision.
    about: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// Names of the parts that decisions declare for their options, and of the parts of records in fields.
    pub(crate) parts: FxHashSet<Arc<str>>,
}

impl Vocabulary {
    /// Collects the names of all variants of a game. `relations` are the names of the relations that compare facts.
    pub(crate) fn new<'m>(models: impl Iterator<Item = &'m Model>, relations: &[&'static str]) -> Self {
        let mut names = Self::default();
        for model in models {
            names.add(model);
        }
        let fixed = |words: &[&str]| words.iter().map(|word| Arc::from(*word)).collect::<Vec<Arc<str>>>();
        let directions = || Direction::all_names().into_iter().map(Arc::from).collect();
        names.quoted.entry(NameRole::Direction).or_insert_with(directions);
        for role in [NameRole::Way, NameRole::Onto, NameRole::Side] {
            names.quoted.insert(role, fixed(&fixed_words(role)));
        }
        names.quoted.insert(NameRole::Relation, fixed(relations));
        names
    }

    fn add(&mut self, model: &Model) {
        let mut quote = |role: NameRole, id: &Arc<str>| {
            let all = self.quoted.entry(role).or_default();
            if !all.contains(id) {
                all.push(id.clone());
            }
        };
        let shapes = model.families.iter().map(|family| family.shape).filter(|shape| !shape.is_single());
        let directions = shapes.flat_map(|shape| Direction::names(shape.tessellation()));
        directions.for_each(|name| quote(NameRole::Direction, &name.into()));
        model.function_fields().iter().for_each(|field| quote(NameRole::Event, field));
        model.altered.keys().for_each(|id| quote(NameRole::Alteration, id));
        model.cells.fields.keys().for_each(|id| quote(NameRole::Cell, id));
        model.components.iter().for_each(|component| quote(NameRole::Component, &component.id));
        model.decisions.iter().for_each(|decision| quote(NameRole::Decision, &decision.id));
        model.endings.iter().for_each(|ending| quote(NameRole::Ending, &ending.id));
        model.kinds.iter().for_each(|kind| quote(NameRole::Kind, &kind.id));
        model
            .families
            .iter()
            .filter(|family| family.is_one_per_seat())
            .for_each(|family| quote(NameRole::Zone, &family.id));
        model.says.iter().for_each(|say| quote(NameRole::Announcement, &say.id));
        for decision in &model.decisions {
            self.about.entry(decision.id.clone()).or_insert_with(|| decision.about.clone());
        }
        for say in &model.says {
            let rooms = Language::ALL.into_iter().flat_map(|language| rooms(say.text.get(language)));
            self.rooms.entry(say.id.clone()).or_insert_with(|| rooms.map(Arc::from).collect());
        }
        let families = model.families.iter().filter(|family| !family.per.contains(&Per::Seat));
        let named = (families.map(|family| (&family.id, "the zone")))
            .chain(model.params.keys().map(|id| (id, "the param")))
            .chain(model.options.keys().map(|id| (id, "the option")));
        for (id, what) in named {
            self.alone.entry(id.clone()).or_insert(what);
        }
        for (id, option) in &model.options {
            if let OptionType::Word(words) = &option.kind {
                self.options.entry(id.clone()).or_insert_with(|| words.clone());
            }
        }
        for value in &model.values {
            let owner = match value.owner {
                Owner::Game => Tag::Game,
                Owner::Seat | Owner::Pair(Party::Seat, _) => Tag::Seat,
                Owner::Component(_) | Owner::Pair(Party::Component(_), _) => Tag::Component,
                Owner::Piece(_) => Tag::Piece,
                Owner::Space(_) => Tag::Space,
            };
            let words = match &value.kind {
                ValueType::Word(words) if value.most.is_none() => Some(words.clone()),
                _ => None,
            };
            self.words.entry(value.id.clone()).or_default().push((owner, words));
        }
        self.add_printed(model);
        for decision in &model.decisions {
            self.parts.extend(decision.parts.iter().map(|(name, _)| name.clone()));
        }
        let printed = model.families.iter().flat_map(|family| family.printed.values());
        for field in model.kinds.iter().flat_map(|kind| kind.fields.values()).chain(printed) {
            self.add_parts(field);
        }
    }

    fn add_printed(&mut self, model: &Model) {
        for kind in &model.kinds {
            for (id, field_type) in &kind.fields {
                let printed = self.printed.entry(model.fields[id.index()].clone());
                let printed = printed.or_insert_with(|| Some(FxHashSet::default()));
                let Some(words) = printed.as_mut().filter(|_| *field_type == FieldType::Word) else {
                    *printed = None;
                    continue;
                };
                let values = kind.components.iter().filter_map(|component| model.component(*component).fields.get(id));
                words.extend(values.filter_map(|value| match value {
                    FieldValue::Word(word) => Some(word.clone()),
                    _ => None,
                }));
            }
        }
    }

    fn add_parts(&mut self, field: &FieldType) {
        match field {
            FieldType::List(inner) => self.add_parts(inner),
            FieldType::Record(named) => {
                for (name, inner) in named {
                    self.parts.insert(name.clone());
                    self.add_parts(inner);
                }
            }
            _ => {}
        }
    }

    /// Returns the names that have the role `role`.
    pub(crate) fn quoted(&self, role: NameRole) -> &[Arc<str>] {
        self.quoted.get(&role).map_or(&[], Vec::as_slice)
    }

    /// Returns a noun phrase, such as "the zone", for a name that is used without a dot. Returns `None` if the game does not declare the
    /// name.
    pub(crate) fn global_description(&self, name: &str) -> Option<&'static str> {
        self.alone.get(name).copied()
    }

    /// Returns the words that a value may have. If `owner` is given, considers only values of this owner type. Returns `None` if the value
    /// is not restricted to words.
    pub(crate) fn words(&self, owner: Option<Tag>, name: &str) -> Option<Vec<Arc<str>>> {
        let mut all = Vec::new();
        let here = self.words.get(name)?.iter().filter(|(tag, _)| owner.is_none_or(|owner| owner == *tag));
        for (_, words) in here {
            all.extend(words.as_ref()?.iter().cloned());
        }
        (!all.is_empty()).then_some(all)
    }

    /// Returns the words that components have in a field, sorted. Returns `None` if there are no such words, or if the field may be
    /// something other than a word.
    pub(crate) fn printed(&self, field: &str) -> Option<Vec<Arc<str>>> {
        let mut words: Vec<Arc<str>> = self.printed.get(field)?.as_ref()?.iter().cloned().collect();
        words.sort_unstable();
        (!words.is_empty()).then_some(words)
    }

    /// Returns whether the game declares a value with this name.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        self.words.contains_key(name)
    }

    /// Returns the words that a word option allows. Returns `None` for any other name.
    pub(crate) fn words_of_option(&self, name: &str) -> Option<Vec<Arc<str>>> {
        self.options.get(name).cloned()
    }

    /// Returns the placeholders of a decision's question.
    pub(crate) fn about(&self, decision: &str) -> &[Arc<str>] {
        self.about.get(decision).map_or(&[], |about| about)
    }

    /// Returns the placeholders of an announcement.
    pub(crate) fn rooms(&self, text: &str) -> &[Arc<str>] {
        self.rooms.get(text).map_or(&[], Vec::as_slice)
    }
}

//! Colors and emblems of faces: which ones a component has goes by its fields, and stays what it is when others are added behind it.

use crate::model::{ComponentId, FieldId, FieldType, FieldValue, Kind, KindId, Model};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A color: what words call it, its ink, and the paper under it.
pub(super) type Tint = (&'static [&'static str], &'static str, &'static str);

/// The colors, first those that are given in turn. White letters on each ink are read well (contrast 4.5 and more).
pub(super) const TINTS: [Tint; 16] = [
    (&["blue"], "#27588c", "#eaf1f8"),
    (&["brick"], "#a2452f", "#faeeea"),
    (&["green"], "#3b6f43", "#ecf4ed"),
    (&["purple", "violet"], "#70467f", "#f4edf7"),
    (&["gold", "yellow"], "#8a6410", "#fbf4dc"),
    (&["teal", "turquoise", "cyan"], "#24706f", "#e7f3f3"),
    (&["rose", "pink", "magenta"], "#9c3a62", "#faeaf1"),
    (&["olive", "lime"], "#5f6425", "#f3f4e2"),
    (&["indigo"], "#464a95", "#ededf8"),
    (&["sienna"], "#7d4a2b", "#f7efe8"),
    (&["red"], "#b02a2a", "#fbebea"),
    (&["orange"], "#a8500f", "#fcf0e3"),
    (&["brown", "tan", "beige"], "#79572f", "#f6efe4"),
    (&["gray", "grey", "silver"], "#5a6169", "#f0f1f3"),
    (&["black"], "#26292d", "#ececed"),
    (&["white"], "#6b6a62", "#fbfaf5"),
];

/// How many of them are given in turn.
pub(super) const IN_TURN: usize = 10;

/// What belongs to several.
pub(super) const SEVERAL: usize = 13;

/// The colors of seats, in the order of seating.
pub(super) const SEATS: [usize; 8] = [10, 0, 2, 3, 11, 5, 6, 7];

/// Emblems of kinds, in a square of 24 units, in the order of the kinds.
const EMBLEMS: [&str; 12] = [
    "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z",
    "M12 1l11 11-11 11L1 12z",
    "M3 3h18v18H3z",
    "M12 2l11 19H1z",
    "M12 1l9.5 5.5v11L12 23l-9.500-5.500v-11z",
    "M12 1l3.200 7.300 7.800.800-5.900 5.300 1.700 7.800L12 18.100l-6.800 4.100 1.700-7.800L1 9.100l7.800-.800z",
    "M8.500 2h7v6.500H22v7h-6.500V22h-7v-6.500H2v-7h6.500z",
    "M12 1c4 6 7.500 9 7.500 13.500a7.500 7.500 0 0 1-15 0C4.500 10 8 7 12 1z",
    "M3 3c4 0 7-1 9-2 2 1 5 2 9 2v8c0 6-4 10-9 12-5-2-9-6-9-12z",
    "M16 2a10 10 0 1 0 6 15A9 9 0 0 1 16 2z",
    "M12 22C5 16 1 12.500 1 8a5.500 5.500 0 0 1 11-1.500A5.500 5.500 0 0 1 23 8c0 4.500-4 8-11 14z",
    "M2 8h11V2l10 10-10 10v-6H2z",
];

/// The sign of a kind; kinds with one back have the sign of the first.
pub(super) fn emblem(at: usize) -> String {
    format!(
        "<svg class=\"emblem\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"{}\"></path></svg>",
        EMBLEMS[at % EMBLEMS.len()]
    )
}

/// The first kind with the same back.
pub(super) fn first_of_back(model: &Model, kind: KindId) -> usize {
    let back = &model.kinds[kind.index()].back;
    model.kinds.iter().position(|other| other.back == *back).unwrap_or(kind.index())
}

/// What a component belongs to, and its color.
pub(super) struct Belongs {
    /// The color.
    pub(super) tint: usize,
    /// The field that the color goes by, if it goes by one.
    pub(super) by: Option<FieldId>,
}

/// The colors of a game's components. Each field of each kind is looked through once: the time is that of the size of the data.
#[derive(Debug)]
pub(super) struct Palette<'m> {
    model: &'m Model,
    kinds: Vec<KindColors<'m>>,
    /// The colors of components where others name them.
    own: Vec<usize>,
    /// The colors of words that put components into groups.
    words: FxHashMap<&'m str, usize>,
}

/// What the colors of a kind go by.
#[derive(Debug)]
struct KindColors<'m> {
    /// What each field says over the kind.
    fields: IndexMap<FieldId, FieldColors<'m>>,
    /// The first field that puts its components into a few groups.
    by: Option<FieldId>,
    /// Whether its components are what others belong to.
    is_named_by_others: bool,
}

/// What a field says over a kind.
#[derive(Debug)]
struct FieldColors<'m> {
    /// Whether it is not the same for all components.
    differs: bool,
    /// The value that more than half of the components have.
    usual: Option<&'m FieldValue>,
    /// Whether at least half of the components have a number other than 0.
    is_mostly_nonzero: bool,
}

impl<'m> Palette<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kinds = model.kinds.iter().enumerate().map(|(at, kind)| KindColors::new(model, KindId::at(at), kind));
        let kinds: Vec<KindColors<'m>> = kinds.collect();
        let mut own = vec![0; model.components.len()];
        for kind in &model.kinds {
            for (at, id) in kind.components.iter().enumerate() {
                own[id.index()] = named_own(model, *id).unwrap_or(at % IN_TURN);
            }
        }
        let words = word_tints(model, &kinds);
        Self { model, kinds, own, words }
    }

    /// The color of a component: that which a field names or which belongs to what a field names; else that of its kind.
    pub(super) fn belongs(&self, id: ComponentId) -> Belongs {
        let component = self.model.component(id);
        let is_single = self.model.kind_of(id).components.len() == 1;
        let named = component.fields.iter().filter(|(field, _)| is_single || self.differs(component.kind, **field));
        let named = named.into_iter().find_map(|(field, value)| Some((*field, named_color(self.model, value)?)));
        if let Some((by, tint)) = named {
            return Belongs { tint, by: Some(by) };
        }
        let colors = &self.kinds[component.kind.index()];
        if colors.is_named_by_others {
            return Belongs { tint: self.own_tint(id), by: None };
        }
        let tint = colors.by.and_then(|by| self.group_tint(component.fields.get(&by)?));
        match tint {
            Some(tint) => Belongs { tint, by: colors.by },
            None => Belongs { tint: first_of_back(self.model, component.kind) % IN_TURN, by: None },
        }
    }

    /// The color of a component where another one names it.
    pub(super) fn own_tint(&self, id: ComponentId) -> usize {
        self.own[id.index()]
    }

    /// Whether a field is not the same over a kind.
    pub(super) fn differs(&self, kind: KindId, field: FieldId) -> bool {
        self.kinds[kind.index()].fields.get(&field).is_some_and(|field| field.differs)
    }

    /// The value that more than half of the components of a kind have in a field.
    pub(super) fn usual(&self, kind: KindId, field: FieldId) -> Option<&'m FieldValue> {
        self.kinds[kind.index()].fields.get(&field)?.usual
    }

    /// Whether a field has a number other than 0 on at least half of the components of a kind: then 0 is a number like others, as a
    /// cost. In a field that few components have anything in, 0 is nothing.
    pub(super) fn is_mostly_nonzero(&self, kind: KindId, field: FieldId) -> bool {
        self.kinds[kind.index()].fields.get(&field).is_some_and(|field| field.is_mostly_nonzero)
    }

    fn group_tint(&self, value: &FieldValue) -> Option<usize> {
        match single(value) {
            FieldValue::Component(id) => Some(self.own_tint(*id)),
            FieldValue::Word(word) => self.words.get(&**word).copied(),
            FieldValue::List(_) => Some(SEVERAL),
            _ => None,
        }
    }
}

impl<'m> KindColors<'m> {
    fn new(model: &'m Model, id: KindId, kind: &'m Kind) -> Self {
        let fields = kind.fields.keys().map(|field| (*field, FieldColors::new(model, kind, *field))).collect();
        let by = kind.fields.keys().copied().find(|field| groups(model, kind, *field));
        Self { fields, by, is_named_by_others: is_named_by_others(model, id) }
    }
}

impl<'m> FieldColors<'m> {
    fn new(model: &'m Model, kind: &Kind, field: FieldId) -> Self {
        let values = || kind.components.iter().map(|id| model.component(*id).fields.get(&field));
        let first = values().next();
        // Boyer and Moore: each value that is unlike the candidate cancels one that is like it.
        let (mut candidate, mut lead) = (None, 0_usize);
        for value in values() {
            if lead == 0 {
                candidate = value;
            }
            lead = if value == candidate { lead + 1 } else { lead - 1 };
        }
        let is_most = values().filter(|value| *value == candidate).count() * 2 > kind.components.len();
        let is_nonzero = |value: Option<&FieldValue>| matches!(value, Some(FieldValue::Number(number)) if *number != 0);
        Self {
            differs: values().any(|value| Some(value) != first),
            usual: candidate.filter(|_| is_most),
            is_mostly_nonzero: values().filter(|value| is_nonzero(*value)).count() * 2 >= kind.components.len(),
        }
    }
}

/// The color that a component's word or id is the name of.
fn named_own(model: &Model, id: ComponentId) -> Option<usize> {
    let component = model.component(id);
    let named = component.fields.values().find_map(|value| match value {
        FieldValue::Word(word) => called(word),
        _ => None,
    });
    named.or_else(|| called(&component.id))
}

/// The color that a word is the name of.
fn called(word: &str) -> Option<usize> {
    TINTS.iter().position(|(names, ..)| names.contains(&word))
}

/// The color that a value names: a word that is one, or a component that has such a word.
fn named_color(model: &Model, value: &FieldValue) -> Option<usize> {
    match single(value) {
        FieldValue::Word(word) => called(word),
        FieldValue::Component(id) => model.component(*id).fields.values().find_map(|value| match value {
            FieldValue::Word(word) => called(word),
            _ => None,
        }),
        _ => None,
    }
}

/// A list of one entry is that entry.
fn single(value: &FieldValue) -> &FieldValue {
    match value {
        FieldValue::List(list) if list.len() == 1 => &list[0],
        value => value,
    }
}

/// Whether the components of a kind are what others belong to.
fn is_named_by_others(model: &Model, kind: KindId) -> bool {
    let names = |of: &FieldType| match of {
        FieldType::Component(Some(named)) => *named == kind,
        FieldType::List(inner) => matches!(**inner, FieldType::Component(Some(named)) if named == kind),
        _ => false,
    };
    let others = model.kinds.iter().enumerate().filter(|(at, _)| *at != kind.index());
    let size = model.kinds[kind.index()].components.len();
    (2..=IN_TURN).contains(&size) && others.flat_map(|(_, other)| other.fields.values()).any(names)
}

/// The name of a field that has the text of rules, whatever it says.
const RULES_TEXT: &str = "text";

/// A text with more letters is a sentence and not the name of a group.
const LONGEST_NAME: usize = 24;

/// Whether a character ends a sentence, in any script: full width marks have code points of their own.
fn is_sentence_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}')
}

/// Whether a word may be the name of a group: a short one, on one line, that does not end as a sentence does.
fn is_name(value: &FieldValue) -> bool {
    match value {
        FieldValue::Word(word) => {
            word.chars().count() <= LONGEST_NAME && !word.contains('\n') && !word.ends_with(is_sentence_end)
        }
        _ => true,
    }
}

/// Whether a field puts the components of a kind into a few groups.
fn groups(model: &Model, kind: &Kind, field: FieldId) -> bool {
    if &*model.fields[field.index()] == RULES_TEXT {
        return false;
    }
    let is_word = |of: &FieldType| matches!(of, FieldType::Word | FieldType::Component(_));
    let is_one = match &kind.fields[&field] {
        FieldType::List(inner) => is_word(inner),
        of => is_word(of),
    };
    let found = groups_of(model, kind, field);
    is_one && (2..=IN_TURN).contains(&found.len()) && found.into_iter().all(is_name)
}

/// The different values of a field, in the order of the files; of too many for colors, only the first.
fn groups_of<'m>(model: &'m Model, kind: &Kind, field: FieldId) -> Vec<&'m FieldValue> {
    let mut found = Vec::new();
    for id in &kind.components {
        let value = model.component(*id).fields.get(&field).map(single);
        let value = value.filter(|value| matches!(value, FieldValue::Word(_) | FieldValue::Component(_)));
        found.extend(value.filter(|value| !found.contains(value)));
        if found.len() > IN_TURN {
            break;
        }
    }
    found
}

/// The colors of words that put components into groups: the same wherever they do. Words of one field have unlike ones, and those
/// of a kind that shares none with others have them in turn.
fn word_tints<'m>(model: &'m Model, kinds: &[KindColors<'m>]) -> FxHashMap<&'m str, usize> {
    let mut given: FxHashMap<&str, usize> = FxHashMap::default();
    for (kind, colors) in model.kinds.iter().zip(kinds).filter(|(_, colors)| !colors.is_named_by_others) {
        let Some(by) = colors.by else { continue };
        let words = groups_of(model, kind, by).into_iter().filter_map(|value| match value {
            FieldValue::Word(word) => Some(&**word),
            _ => None,
        });
        let words: Vec<&str> = words.collect();
        for word in &words {
            if given.contains_key(word) {
                continue;
            }
            let is_free = |tint: &usize| !words.iter().any(|word| given.get(word) == Some(tint));
            let tint = (0..IN_TURN).find(is_free).unwrap_or(given.len() % IN_TURN);
            given.insert(word, tint);
        }
    }
    given
}

/// The word for what is behind a kind.
pub(super) fn back_word(kind: &Kind) -> Option<&Arc<str>> {
    (kind.back != kind.id).then_some(&kind.back)
}

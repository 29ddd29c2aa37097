//! Colors and emblems of faces. Colors come from the fields of a component or from its kind, emblems from its kind. Both are assigned in
//! the order of the files. Components added at the end therefore rarely change the colors and emblems of other components.

use crate::model::{ComponentId, FieldId, FieldType, FieldValue, Kind, KindId, Model};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A color: names, ink, and the color of the paper behind the ink.
pub(super) type Tint = (&'static [&'static str], &'static str, &'static str);

/// All colors, beginning with those that are assigned in turn. White text on each ink has a contrast ratio of at least 4.5.
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

/// Number of colors assigned in turn.
pub(super) const IN_TURN: usize = 10;

/// Index of the color for components that belong to several groups.
pub(super) const SEVERAL: usize = 13;

/// Indices in [`TINTS`] of the colors of seats, in seating order.
pub(super) const SEATS: [usize; 8] = [10, 0, 2, 3, 11, 5, 6, 7];

/// Emblems of kinds, as paths in a square of 24 units.
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

/// Returns the emblem at an index as SVG. Indices beyond the last emblem continue with the first one.
pub(super) fn emblem(at: usize) -> String {
    format!(
        "<svg class=\"emblem\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"{}\"></path></svg>",
        EMBLEMS[at % EMBLEMS.len()]
    )
}

/// Returns the index of the first kind with the same back.
pub(super) fn first_kind_with_same_back(model: &Model, kind: KindId) -> usize {
    let back = &model.kinds[kind.index()].back;
    model.kinds.iter().position(|other| other.back == *back).unwrap_or(kind.index())
}

/// Color of a component, and the reason for it.
pub(super) struct ComponentColor {
    /// Index of the color.
    pub(super) tint: usize,
    /// Field that determines the color, if there is one.
    pub(super) by: Option<FieldId>,
}

/// Colors of a game's components. Computed once per game, so that looking up a color is cheap.
#[derive(Debug)]
pub(super) struct Palette<'m> {
    model: &'m Model,
    kinds: Vec<KindColors<'m>>,
    /// Own color of each component. Other components show it where they refer to the component.
    own: Vec<usize>,
    /// Colors of the words that group components.
    words: FxHashMap<&'m str, usize>,
}

/// Facts about a kind that determine its colors.
#[derive(Debug)]
struct KindColors<'m> {
    /// Facts about each field.
    fields: IndexMap<FieldId, FieldColors<'m>>,
    /// First field that divides the components into few groups.
    by: Option<FieldId>,
    /// Whether components of other kinds refer to components of this kind as their groups.
    is_named_by_others: bool,
}

/// Facts about a field within a kind.
#[derive(Debug)]
struct FieldColors<'m> {
    /// Whether the components of the kind have different values in the field.
    differs: bool,
    /// Value that more than half of the components have, if there is one.
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
                own[id.index()] = own_color_name(model, *id).unwrap_or(at % IN_TURN);
            }
        }
        let words = word_tints(model, &kinds);
        Self { model, kinds, own, words }
    }

    /// Returns the color of a component. Tries in turn: a color that a field names, the component's own color if other kinds refer to its
    /// kind, the color of its group, and the color of its kind.
    pub(super) fn color_of(&self, id: ComponentId) -> ComponentColor {
        let component = self.model.component(id);
        let is_single = self.model.kind_of(id).components.len() == 1;
        let named = component.fields.iter().filter(|(field, _)| is_single || self.differs(component.kind, **field));
        let named = named.into_iter().find_map(|(field, value)| Some((*field, named_color(self.model, value)?)));
        if let Some((by, tint)) = named {
            return ComponentColor { tint, by: Some(by) };
        }
        let colors = &self.kinds[component.kind.index()];
        if colors.is_named_by_others {
            return ComponentColor { tint: self.own_tint(id), by: None };
        }
        let tint = colors.by.and_then(|by| self.group_tint(component.fields.get(&by)?));
        match tint {
            Some(tint) => ComponentColor { tint, by: colors.by },
            None => ComponentColor { tint: first_kind_with_same_back(self.model, component.kind) % IN_TURN, by: None },
        }
    }

    /// Returns a component's own color, which other components show where they refer to it.
    pub(super) fn own_tint(&self, id: ComponentId) -> usize {
        self.own[id.index()]
    }

    /// Returns whether the components of a kind differ in a field.
    pub(super) fn differs(&self, kind: KindId, field: FieldId) -> bool {
        self.kinds[kind.index()].fields.get(&field).is_some_and(|field| field.differs)
    }

    /// Returns the value that more than half of a kind's components have in a field, if there is one.
    pub(super) fn majority_value(&self, kind: KindId, field: FieldId) -> Option<&'m FieldValue> {
        self.kinds[kind.index()].fields.get(&field)?.usual
    }

    /// Returns whether at least half of a kind's components have a number other than 0 in a field. If so, 0 is a
    /// meaningful number, such as a cost of 0. Otherwise 0 means "none" and is not printed.
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
        let grouping_field = kind.fields.keys().copied().find(|field| is_grouping_field(model, kind, *field));
        Self { fields, by: grouping_field, is_named_by_others: is_named_by_others(model, id) }
    }
}

impl<'m> FieldColors<'m> {
    fn new(model: &'m Model, kind: &Kind, field: FieldId) -> Self {
        let values = || kind.components.iter().map(|id| model.component(*id).fields.get(&field));
        let first = values().next();
        // Boyer–Moore majority vote.
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

/// Returns the color that a word in one of the component's fields names or, if there is none, the color that the component's id names.
fn own_color_name(model: &Model, id: ComponentId) -> Option<usize> {
    let component = model.component(id);
    let named = component.fields.values().find_map(|value| match value {
        FieldValue::Word(word) => color_named(word),
        _ => None,
    });
    named.or_else(|| color_named(&component.id))
}

/// Returns the color that a word names.
pub(super) fn color_named(word: &str) -> Option<usize> {
    TINTS.iter().position(|(names, ..)| names.contains(&word))
}

/// Returns the color that a value names. A word may be the name of a color. A component names a color by a word in one of its fields.
fn named_color(model: &Model, value: &FieldValue) -> Option<usize> {
    match single(value) {
        FieldValue::Word(word) => color_named(word),
        FieldValue::Component(id) => model.component(*id).fields.values().find_map(|value| match value {
            FieldValue::Word(word) => color_named(word),
            _ => None,
        }),
        _ => None,
    }
}

/// Returns the entry of a list that has only one, and any other value unchanged.
fn single(value: &FieldValue) -> &FieldValue {
    match value {
        FieldValue::List(list) if list.len() == 1 => &list[0],
        value => value,
    }
}

/// Returns whether another kind has a field that refers to components of this kind, so that they can serve as groups. Kinds with fewer than
/// 2 or more than [`IN_TURN`] components cannot.
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

/// Name of the field that contains rules text and therefore never groups components.
const RULES_TEXT: &str = "text";

/// Maximum length of a group's name, in characters. Longer words are assumed to be sentences.
const LONGEST_NAME: usize = 24;

/// Returns whether a character ends a sentence, including full-width punctuation.
fn is_sentence_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}')
}

/// Returns whether a value can be the name of a group. A word must be short, on one line, and not end like a sentence. A component always
/// can.
fn is_name(value: &FieldValue) -> bool {
    match value {
        FieldValue::Word(word) => {
            word.chars().count() <= LONGEST_NAME && !word.contains('\n') && !word.ends_with(is_sentence_end)
        }
        _ => true,
    }
}

/// Returns whether a field divides a kind into 2 to [`IN_TURN`] groups with short names.
fn is_grouping_field(model: &Model, kind: &Kind, field: FieldId) -> bool {
    if &*model.fields[field.index()] == RULES_TEXT {
        return false;
    }
    let is_word = |of: &FieldType| matches!(of, FieldType::Word | FieldType::Component(_));
    let is_one = match &kind.fields[&field] {
        FieldType::List(inner) => is_word(inner),
        of => is_word(of),
    };
    let found = group_values(model, kind, field);
    is_one && (2..=IN_TURN).contains(&found.len()) && found.into_iter().all(is_name)
}

/// Returns the distinct words and components in a field, in the order of the files. Stops when there are too many for each to have its own
/// color.
fn group_values<'m>(model: &'m Model, kind: &Kind, field: FieldId) -> Vec<&'m FieldValue> {
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

/// Assigns colors to the words that group components. A word has the same color everywhere. The words of one field get different colors,
/// except for words that other kinds have already given the same color.
fn word_tints<'m>(model: &'m Model, kinds: &[KindColors<'m>]) -> FxHashMap<&'m str, usize> {
    let mut given: FxHashMap<&str, usize> = FxHashMap::default();
    for (kind, colors) in model.kinds.iter().zip(kinds).filter(|(_, colors)| !colors.is_named_by_others) {
        let Some(by) = colors.by else { continue };
        let words = group_values(model, kind, by).into_iter().filter_map(|value| match value {
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

/// Returns the name of a kind's back, unless the back is named after the kind.
pub(super) fn back_word(kind: &Kind) -> Option<&Arc<str>> {
    (kind.back != kind.id).then_some(&kind.back)
}

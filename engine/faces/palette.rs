//! Colors and emblems of faces: which ones a component has goes by its fields, and stays what it is when others are added behind it.

use crate::model::{ComponentId, FieldId, FieldType, FieldValue, Kind, KindId, Model};
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

/// The color of a component: that which a field names or which belongs to what a field names; else that of its kind.
pub(super) fn belongs(model: &Model, id: ComponentId) -> Belongs {
    let component = model.component(id);
    let kind = model.kind_of(id);
    let differs = |field: &FieldId| kind.components.len() == 1 || differs(model, kind, *field);
    let named = component.fields.iter().filter(|(field, _)| differs(field));
    let named = named.into_iter().find_map(|(field, value)| Some((*field, named_color(model, value)?)));
    if let Some((by, tint)) = named {
        return Belongs { tint, by: Some(by) };
    }
    if is_named_by_others(model, component.kind) {
        return Belongs { tint: own_tint(model, id), by: None };
    }
    let by = kind.fields.keys().copied().find(|field| groups(model, kind, *field));
    let tint = by.and_then(|by| group_tint(model, component.fields.get(&by)?));
    match tint {
        Some(tint) => Belongs { tint, by },
        None => Belongs { tint: first_of_back(model, component.kind) % IN_TURN, by: None },
    }
}

/// The color of a component where another one names it.
pub(super) fn own_tint(model: &Model, id: ComponentId) -> usize {
    let component = model.component(id);
    let named = component.fields.values().find_map(|value| match value {
        FieldValue::Word(word) => called(word),
        _ => None,
    });
    named.or_else(|| called(&component.id)).unwrap_or_else(|| {
        model.kinds[component.kind.index()].components.iter().position(|known| *known == id).unwrap_or(0) % IN_TURN
    })
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

/// Whether a field is not the same over a kind.
fn differs(model: &Model, kind: &Kind, field: FieldId) -> bool {
    let mut values = kind.components.iter().map(|id| model.component(*id).fields.get(&field));
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// Whether a field puts the components of a kind into a few groups.
fn groups(model: &Model, kind: &Kind, field: FieldId) -> bool {
    let is_word = |of: &FieldType| matches!(of, FieldType::Word | FieldType::Component(_));
    let is_one = match &kind.fields[&field] {
        FieldType::List(inner) => is_word(inner),
        of => is_word(of),
    };
    let number = groups_of(model, kind, field).len();
    is_one && (2..=IN_TURN).contains(&number)
}

/// The different values of a field, in the order of the files.
fn groups_of<'m>(model: &'m Model, kind: &Kind, field: FieldId) -> Vec<&'m FieldValue> {
    let mut found = Vec::new();
    for id in &kind.components {
        let value = model.component(*id).fields.get(&field).map(single);
        let value = value.filter(|value| matches!(value, FieldValue::Word(_) | FieldValue::Component(_)));
        found.extend(value.filter(|value| !found.contains(value)));
    }
    found
}

fn group_tint(model: &Model, value: &FieldValue) -> Option<usize> {
    match single(value) {
        FieldValue::Component(id) => Some(own_tint(model, *id)),
        FieldValue::Word(word) => word_tint(model, word),
        FieldValue::List(_) => Some(SEVERAL),
        _ => None,
    }
}

/// The color of a word that puts components into groups: the same wherever it does. Words of one field have unlike ones, and those
/// of a kind that shares none with others have them in turn.
fn word_tint(model: &Model, word: &str) -> Option<usize> {
    let mut given: Vec<(&str, usize)> = Vec::new();
    let grouped = model.kinds.iter().enumerate().filter(|(at, _)| !is_named_by_others(model, KindId::at(*at)));
    for (_, kind) in grouped {
        let Some(by) = kind.fields.keys().copied().find(|field| groups(model, kind, *field)) else { continue };
        let words = groups_of(model, kind, by).into_iter().filter_map(|value| match value {
            FieldValue::Word(word) => Some(&**word),
            _ => None,
        });
        let words: Vec<&str> = words.collect();
        for word in &words {
            if given.iter().any(|(known, _)| known == word) {
                continue;
            }
            let is_free = |tint: &usize| !given.iter().any(|(known, taken)| taken == tint && words.contains(known));
            let tint = (0..IN_TURN).find(is_free).unwrap_or(given.len() % IN_TURN);
            given.push((word, tint));
        }
    }
    given.iter().find(|(known, _)| *known == word).map(|(_, tint)| *tint)
}

/// The word for what is behind a kind.
pub(super) fn back_word(kind: &Kind) -> Option<&Arc<str>> {
    (kind.back != kind.id).then_some(&kind.back)
}

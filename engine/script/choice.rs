//! One thing a script can name: what options are made of, what a log keeps, what facts are compared with.

use super::set::Set;
use crate::model::{ComponentId, FieldValue, PieceId, Seat, Setting, SpaceId, ZoneId};
use rhai::{Array, Dynamic, ImmutableString, Map};
use std::sync::Arc;

/// A plain value without a script engine in it: it can be kept, compared and sent between threads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Choice {
    /// Nothing: a pass, or a fact that is not there.
    #[default]
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A word.
    Word(Arc<str>),
    /// A seat.
    Seat(Seat),
    /// A zone.
    Zone(ZoneId),
    /// A space.
    Space(SpaceId),
    /// A component.
    Component(ComponentId),
    /// A piece.
    Piece(PieceId),
    /// Named parts, in the order of their names.
    Parts(Arc<[(Arc<str>, Choice)]>),
    /// Several, in order.
    Many(Arc<[Choice]>),
}

impl Choice {
    /// The part with a name.
    pub fn part(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Parts(parts) => parts.iter().find(|(known, _)| &**known == name).map(|(_, part)| part),
            _ => None,
        }
    }

    /// Calls a function with every single thing in it, in order.
    pub fn each_leaf<'a>(&'a self, found: &mut impl FnMut(&'a Self)) {
        match self {
            Self::Parts(parts) => parts.iter().for_each(|(_, part)| part.each_leaf(found)),
            Self::Many(all) => all.iter().for_each(|one| one.each_leaf(found)),
            leaf => found(leaf),
        }
    }

    /// Every single thing in it, in order.
    pub fn leaves(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        self.each_leaf(&mut |leaf| found.push(leaf));
        found
    }

    /// Calls a function with every piece in it, in order.
    pub fn each_piece(&self, mut found: impl FnMut(PieceId)) {
        self.each_leaf(&mut |leaf| {
            if let Self::Piece(piece) = leaf {
                found(*piece);
            }
        });
    }

    /// What a script gets.
    pub(super) fn to_dynamic(&self) -> Dynamic {
        match self {
            Self::Nothing => Dynamic::UNIT,
            Self::Flag(flag) => (*flag).into(),
            Self::Number(number) => (*number).into(),
            Self::Word(word) => ImmutableString::from(&**word).into(),
            Self::Seat(seat) => Dynamic::from(*seat),
            Self::Zone(zone) => Dynamic::from(*zone),
            Self::Space(space) => Dynamic::from(*space),
            Self::Component(component) => Dynamic::from(*component),
            Self::Piece(piece) => Dynamic::from(*piece),
            Self::Parts(parts) => {
                parts.iter().map(|(name, part)| ((&**name).into(), part.to_dynamic())).collect::<Map>().into()
            }
            Self::Many(all) => all.iter().map(Self::to_dynamic).collect::<Array>().into(),
        }
    }

    /// What a script gave; nothing if it is of a type that cannot be chosen, kept or compared.
    pub(super) fn from_dynamic(value: &Dynamic) -> Option<Self> {
        if let Ok(number) = value.as_int() {
            return Some(Self::Number(number));
        }
        if let Ok(flag) = value.as_bool() {
            return Some(Self::Flag(flag));
        }
        if value.is_unit() {
            return Some(Self::Nothing);
        }
        if let Some(text) = value.read_lock::<ImmutableString>() {
            return Some(Self::Word(text.as_str().into()));
        }
        handle(value).or_else(|| several(value))
    }
}

fn handle(value: &Dynamic) -> Option<Choice> {
    fn read<T: Copy + 'static>(value: &Dynamic, wrap: fn(T) -> Choice) -> Option<Choice> {
        value.read_lock::<T>().map(|handle| wrap(*handle))
    }
    read(value, Choice::Piece)
        .or_else(|| read(value, Choice::Component))
        .or_else(|| read(value, Choice::Seat))
        .or_else(|| read(value, Choice::Space))
        .or_else(|| read(value, Choice::Zone))
}

fn several(value: &Dynamic) -> Option<Choice> {
    if let Some(map) = value.read_lock::<Map>() {
        let parts: Option<Vec<_>> =
            map.iter().map(|(name, part)| Some((name.as_str().into(), Choice::from_dynamic(part)?))).collect();
        return parts.map(|parts| Choice::Parts(parts.into()));
    }
    if let Some(list) = value.read_lock::<Array>() {
        let all: Option<Vec<_>> = list.iter().map(Choice::from_dynamic).collect();
        return all.map(|all| Choice::Many(all.into()));
    }
    None.or_else(|| many(value, Choice::Piece))
        .or_else(|| many(value, Choice::Space))
        .or_else(|| many(value, Choice::Zone))
        .or_else(|| many(value, Choice::Component))
        .or_else(|| many(value, Choice::Seat))
}

fn many<T: Copy + 'static>(value: &Dynamic, wrap: impl Fn(T) -> Choice) -> Option<Choice> {
    value.read_lock::<Set<T>>().map(|set| Choice::Many(set.iter().copied().map(wrap).collect()))
}

impl From<&FieldValue> for Choice {
    fn from(value: &FieldValue) -> Self {
        match value {
            FieldValue::Nothing => Self::Nothing,
            FieldValue::Number(number) => Self::Number(*number),
            FieldValue::Flag(flag) => Self::Flag(*flag),
            FieldValue::Word(word) | FieldValue::Function(word) => Self::Word(word.clone()),
            FieldValue::Component(component) => Self::Component(*component),
            FieldValue::List(list) => Self::Many(list.iter().map(Self::from).collect()),
            FieldValue::Record(parts) => {
                let mut parts: Vec<_> = parts.iter().map(|(name, part)| (name.clone(), Self::from(part))).collect();
                parts.sort_by(|a, b| a.0.cmp(&b.0));
                Self::Parts(parts.into())
            }
        }
    }
}

impl From<&Setting> for Choice {
    fn from(setting: &Setting) -> Self {
        match setting {
            Setting::Number(number) => Self::Number(*number),
            Setting::Flag(flag) => Self::Flag(*flag),
            Setting::Word(word) => Self::Word(word.clone()),
            Setting::Seat(seat) => Self::Seat(*seat),
            Setting::Nothing => Self::Nothing,
            Setting::List(list) => Self::Many(list.iter().map(Self::from).collect()),
        }
    }
}

//! Plain values as the script engine holds them.

use crate::decision::{Choice, Set};
use rhai::{Array, Dynamic, ImmutableString, Map};

/// A plain value that the script engine can hold.
pub(super) trait Scripted: Sized {
    /// What a script gets.
    fn to_dynamic(&self) -> Dynamic;

    /// What a script gave; nothing if it is of a type that cannot be chosen, kept or compared.
    fn from_dynamic(value: &Dynamic) -> Option<Self>;
}

impl Scripted for Choice {
    fn to_dynamic(&self) -> Dynamic {
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

    fn from_dynamic(value: &Dynamic) -> Option<Self> {
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

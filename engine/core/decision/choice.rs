//! A plain value: an option of a decision, an entry of a log, or an argument of a text.

use super::word::word;
use crate::model::{ComponentId, FieldValue, PieceId, Seat, Setting, SpaceId, ZoneId};
use arcstr::ArcStr;
use std::sync::Arc;

/// A plain value, independent of the virtual machine. It can be stored, compared and sent between threads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u64)]
pub enum Choice {
    /// A pass, or `()`.
    #[default]
    Nothing,
    /// A flag.
    Flag(bool),
    /// An integer.
    Number(i64),
    /// A string.
    Word(ArcStr),
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
    /// A map: named parts, sorted by name.
    Parts(Arc<[(ArcStr, Choice)]>),
    /// A list.
    Many(Arc<[Choice]>),
}

impl Choice {
    /// Returns the part called `name`. Returns `None` if the choice has no such part or is not a map.
    pub fn part(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Parts(parts) => parts.iter().find(|(known, _)| &**known == name).map(|(_, part)| part),
            _ => None,
        }
    }

    /// Returns the size of the choice in a log, in list entries: one for each leaf, plus one for each 16 bytes of a string.
    pub fn weight(&self) -> usize {
        let mut weight = 0;
        self.each_leaf(&mut |leaf| weight += if let Self::Word(word) = leaf { 1 + word.len() / 16 } else { 1 });
        weight
    }

    /// Returns the part of the [`weight`](Self::weight) that its texts have: one for each 16 bytes.
    pub(crate) fn text_weight(&self) -> usize {
        match self {
            Self::Word(word) => word.len() / 16,
            Self::Parts(parts) => parts.iter().map(|(_, part)| part.text_weight()).sum(),
            Self::Many(all) => all.iter().map(Self::text_weight).sum(),
            _ => 0,
        }
    }

    /// Calls `found` for each leaf, in order. A leaf is a value that is neither a map nor a list.
    pub fn each_leaf<'a>(&'a self, found: &mut impl FnMut(&'a Self)) {
        match self {
            Self::Parts(parts) => parts.iter().for_each(|(_, part)| part.each_leaf(found)),
            Self::Many(all) => all.iter().for_each(|one| one.each_leaf(found)),
            leaf => found(leaf),
        }
    }

    /// Returns all leaves, in order.
    pub fn leaves(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        self.each_leaf(&mut |leaf| found.push(leaf));
        found
    }

    /// Returns whether a piece is among the leaves.
    pub fn has_piece(&self) -> bool {
        let mut has_one = false;
        self.each_piece(|_| has_one = true);
        has_one
    }

    /// Calls `found` for every piece among the leaves, in order.
    pub fn each_piece(&self, mut found: impl FnMut(PieceId)) {
        self.each_leaf(&mut |leaf| {
            if let Self::Piece(piece) = leaf {
                found(*piece);
            }
        });
    }
}

impl From<&FieldValue> for Choice {
    fn from(value: &FieldValue) -> Self {
        match value {
            FieldValue::Nothing => Self::Nothing,
            FieldValue::Number(number) => Self::Number(*number),
            FieldValue::Flag(flag) => Self::Flag(*flag),
            FieldValue::Word(text) | FieldValue::Function(text) => Self::Word(word(text)),
            FieldValue::Component(component) => Self::Component(*component),
            FieldValue::List(list) => Self::Many(list.iter().map(Self::from).collect()),
            FieldValue::Record(parts) => {
                let mut parts: Vec<_> = parts.iter().map(|(name, part)| (word(name), Self::from(part))).collect();
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
            Setting::Word(text) => Self::Word(word(text)),
            Setting::Seat(seat) => Self::Seat(*seat),
            Setting::Nothing => Self::Nothing,
            Setting::List(list) => Self::Many(list.iter().map(Self::from).collect()),
            Setting::Table(parts) => {
                Self::Parts(parts.iter().map(|(name, one)| (word(name), Self::from(one))).collect())
            }
        }
    }
}

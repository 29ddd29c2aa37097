//! One thing a script can name: what options are made of, what a log keeps, what facts are compared with.

use super::word::word;
use crate::model::{ComponentId, FieldValue, PieceId, Seat, Setting, SpaceId, ZoneId};
use arcstr::ArcStr;
use std::sync::Arc;

/// A plain value without a script engine in it: it can be kept, compared and sent between threads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u64)]
pub enum Choice {
    /// Nothing: a pass, or a fact that is not there.
    #[default]
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A word.
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
    /// Named parts, in the order of their names.
    Parts(Arc<[(ArcStr, Choice)]>),
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

    /// What it takes in a log, in entries of a list: one for each thing in it, and for each 16 letters of a word.
    pub fn weight(&self) -> usize {
        let mut weight = 0;
        self.each_leaf(&mut |leaf| weight += if let Self::Word(word) = leaf { 1 + word.len() / 16 } else { 1 });
        weight
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

    /// Whether there is a piece in it.
    pub fn has_piece(&self) -> bool {
        let mut has_one = false;
        self.each_piece(|_| has_one = true);
        has_one
    }

    /// Calls a function with every piece in it, in order.
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

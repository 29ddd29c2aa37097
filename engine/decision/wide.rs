//! What is smaller than a word, kept in a whole one.

use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use std::fmt;
use std::marker::PhantomData;

/// Something smaller than a word that fills one, so that each sort of value is a word beside a word: two registers of a processor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wide<T>(u64, PhantomData<T>);

/// What fits into a word.
pub trait Narrow: Copy {
    /// It as a word.
    fn widened(self) -> u64;

    /// What a word is of it.
    fn narrowed(word: u64) -> Self;
}

impl<T: Narrow> Wide<T> {
    /// It as it is elsewhere.
    #[inline]
    pub fn get(self) -> T {
        T::narrowed(self.0)
    }
}

impl<T: Narrow> From<T> for Wide<T> {
    #[inline]
    fn from(one: T) -> Self {
        Self(one.widened(), PhantomData)
    }
}

impl<T: Narrow + fmt::Debug> fmt::Debug for Wide<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

macro_rules! numbers {
    ($($of:ident($as:ty)),*) => {
        $(impl Narrow for $of {
            #[inline]
            fn widened(self) -> u64 {
                u64::from(self.0)
            }

            #[inline]
            fn narrowed(word: u64) -> Self {
                Self(word as $as)
            }
        })*
    };
}

numbers!(Seat(u8), ZoneId(u16), SpaceId(u16), ComponentId(u16), PieceId(u16));

impl Narrow for bool {
    #[inline]
    fn widened(self) -> u64 {
        u64::from(self)
    }

    #[inline]
    fn narrowed(word: u64) -> Self {
        word != 0
    }
}

impl Narrow for u32 {
    #[inline]
    fn widened(self) -> u64 {
        u64::from(self)
    }

    #[inline]
    fn narrowed(word: u64) -> Self {
        word as Self
    }
}

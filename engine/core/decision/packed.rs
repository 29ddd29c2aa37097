//! Small values packed into a machine word.

use crate::model::{ComponentId, PieceId, Seat, SpaceId, ZoneId};
use std::fmt;
use std::marker::PhantomData;

/// A value of type `T` packed into 64 bits, so that [`Value`](super::Value) is a tag word and a payload word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Packed<T>(u64, PhantomData<T>);

/// Types that fit into 64 bits.
pub trait Pack: Copy {
    /// Converts the value to a word.
    fn pack(self) -> u64;

    /// Converts a word from [`pack`](Self::pack) back to the value.
    fn unpack(word: u64) -> Self;
}

impl<T: Pack> Packed<T> {
    /// Unpacks the value.
    #[inline]
    pub fn get(self) -> T {
        T::unpack(self.0)
    }

    /// Returns the packed word.
    #[inline]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// Creates a packed value from the word of another one.
    #[inline]
    pub(super) const fn from_word(word: u64) -> Self {
        Self(word, PhantomData)
    }
}

impl<T: Pack> From<T> for Packed<T> {
    #[inline]
    fn from(one: T) -> Self {
        Self(one.pack(), PhantomData)
    }
}

impl<T: Pack + fmt::Debug> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

macro_rules! pack_ids {
    ($($of:ident($as:ty)),*) => {
        $(impl Pack for $of {
            #[inline]
            fn pack(self) -> u64 {
                u64::from(self.0)
            }

            #[inline]
            fn unpack(word: u64) -> Self {
                Self(word as $as)
            }
        })*
    };
}

pack_ids!(Seat(u8), ZoneId(u16), SpaceId(u16), ComponentId(u16), PieceId(u16));

impl Pack for bool {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(self)
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        word != 0
    }
}

impl Pack for u32 {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(self)
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        word as Self
    }
}

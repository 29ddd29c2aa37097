//! What a function of the language does besides resulting in something.

/// Some effects, as a set; none where a function only reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Effects(u16);

impl Effects {
    /// It only reads.
    pub const NONE: Self = Self(0);
    /// It asks a seat.
    pub const ASKS: Self = Self(1);
    /// It moves pieces as they are, and does nothing else to the table.
    pub const MOVES: Self = Self(2);
    /// It changes the table otherwise, or how the game goes on.
    pub const CHANGES_OTHERWISE: Self = Self(2048);
    /// It changes the table, or how the game goes on.
    pub const CHANGES: Self = Self::MOVES.and(Self::CHANGES_OTHERWISE);
    /// It draws at random.
    pub const DRAWS: Self = Self(4);
    /// It tells people something.
    pub const ANNOUNCES: Self = Self(8);
    /// It ends the game.
    pub const ENDS: Self = Self(16);
    /// It may stop with a message.
    pub const STOPS: Self = Self(32);
    /// It arranges the table before a play.
    pub const ARRANGES: Self = Self(64);
    /// It counts something that only statistics see.
    pub const COUNTS: Self = Self(128);
    /// It changes what stands before its dot, which nobody else has: a list, a map, a text.
    pub const IN_PLACE: Self = Self(256);
    /// It keeps the function `|…|` that it is given, to call it later.
    pub const KEEPS: Self = Self(512);
    /// It carries the function `|…|` that it is given out on a copy of the table, and nothing of it stays.
    pub const TRIES: Self = Self(1024);

    /// Those in one of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether some of other effects are among them.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

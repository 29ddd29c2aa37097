//! Side effects of library functions.

/// A set of side effects. Empty for functions that only read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Effects(u16);

impl Effects {
    /// No effect.
    pub const NONE: Self = Self(0);
    /// Asks a seat.
    pub const ASKS: Self = Self(1);
    /// Moves pieces, and changes nothing else on the table.
    pub const MOVES: Self = Self(2);
    /// Changes something other than the places of pieces: the table, or the course of the game.
    pub const CHANGES_OTHERWISE: Self = Self(2048);
    /// Changes the table or the course of the game.
    pub const CHANGES: Self = Self::MOVES.union(Self::CHANGES_OTHERWISE);
    /// Uses random numbers.
    pub const DRAWS: Self = Self(4);
    /// Announces something to people.
    pub const ANNOUNCES: Self = Self(8);
    /// Ends the game.
    pub const ENDS: Self = Self(16);
    /// May stop with a message.
    pub const STOPS: Self = Self(32);
    /// Sets up the table before a play.
    pub const ARRANGES: Self = Self(64);
    /// Counts something for statistics.
    pub const COUNTS: Self = Self(128);
    /// Changes its receiver in place: a list, a map or a text.
    pub const IN_PLACE: Self = Self(256);
    /// Stores the closure that it is given, to call it later.
    pub const KEEPS: Self = Self(512);
    /// Runs its closure on a copy of the table and discards the changes.
    pub const TRIES: Self = Self(1024);

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns whether the sets have an effect in common.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

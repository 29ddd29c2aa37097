//! Side effects of library functions.

/// A set of side effects. Empty for functions that only read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Effects(u16);

impl Effects {
    /// No effect.
    pub const NONE: Self = Self(0);
    /// Asking a seat.
    pub const ASKS: Self = Self(1);
    /// Moving pieces, and changing nothing else on the table.
    pub const MOVES: Self = Self(2);
    /// Changing the table in other ways than by moving pieces, or changing the course of the game.
    pub const CHANGES_OTHERWISE: Self = Self(2048);
    /// Changing the table or the course of the game.
    pub const CHANGES: Self = Self::MOVES.union(Self::CHANGES_OTHERWISE);
    /// Using random numbers.
    pub const DRAWS: Self = Self(4);
    /// Announcing something to people.
    pub const ANNOUNCES: Self = Self(8);
    /// Ending the game.
    pub const ENDS: Self = Self(16);
    /// Stopping the game with an error message, always or under a condition.
    pub const STOPS: Self = Self(32);
    /// Setting up a position by hand, in the `arrange` statement of a playscript.
    pub const ARRANGES: Self = Self(64);
    /// Counting something for statistics.
    pub const COUNTS: Self = Self(128);
    /// Changing the receiver in place: a list, a map or a text.
    pub const IN_PLACE: Self = Self(256);
    /// Storing the passed closure, to call it later.
    pub const KEEPS: Self = Self(512);
    /// Running the passed closure on a copy of the table, whose changes are discarded.
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

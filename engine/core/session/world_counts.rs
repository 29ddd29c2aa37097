//! Counts of imagined worlds, and of those that do not explain everything the seat knows.

use crate::diagnostic::{Diagnostic, Place};

/// Reason why an imagined world does not explain everything the seat knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relaxation {
    /// Conditions that the seat has learned were left out.
    Unlearned,
    /// The waiting step was copied, although it has read something that the seat does not know.
    Copied,
}

impl Relaxation {
    /// Returns the reason as a clause that follows "because".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Unlearned => "no world was found that satisfies everything the seat has learned",
            Self::Copied => "no world was found in which the step leads to these options",
        }
    }

    /// Returns the label for the place in the rules that the reason refers to.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Unlearned => "was learned",
            Self::Copied => "depends on information hidden from the seat that is asked",
        }
    }

    /// Returns the help text for the author of the rules.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Unlearned => {
                "let seats learn about fewer hands or pieces at once, or about single pieces, as `|piece| …`"
            }
            Self::Copied => {
                "let the seat learn what its options reveal with `seat.learn(pieces, |piece| …)`, or ask in a separate step"
            }
        }
    }
}

/// Imagined worlds that were relaxed for the same reason at the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaxedWorlds {
    /// Reason why the worlds do not explain everything the seat knows.
    pub why: Relaxation,
    /// Place in the rules: the first condition that was left out, or the first point where the step reads something
    /// hidden. `None` if the reason has no place.
    pub place: Option<Place>,
    /// Number of worlds.
    pub count: u64,
}

/// Counts of the worlds that were imagined in a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorldCounts {
    /// Number of all worlds.
    pub imagined: u64,
    /// Worlds that do not explain everything the seat knows, by reason and place.
    pub relaxed: Vec<RelaxedWorlds>,
}

impl WorldCounts {
    /// Counts a world. If the world does not explain everything the seat knows, `relaxed` contains the reason and the place.
    pub(super) fn add(&mut self, relaxed: Option<&(Relaxation, Option<Place>)>) {
        self.imagined += 1;
        if let Some((why, place)) = relaxed {
            self.add_relaxed(RelaxedWorlds { why: *why, place: place.clone(), count: 1 });
        }
    }

    fn add_relaxed(&mut self, more: RelaxedWorlds) {
        match self.relaxed.iter_mut().find(|known| known.why == more.why && known.place == more.place) {
            Some(known) => known.count += more.count,
            None => self.relaxed.push(more),
        }
    }

    /// Adds the counts of another game.
    pub fn merge(&mut self, other: &Self) {
        self.imagined += other.imagined;
        other.relaxed.iter().for_each(|relaxed| self.add_relaxed(relaxed.clone()));
    }

    /// Returns the number of worlds that do not explain everything the seat knows.
    pub fn relaxed_count(&self) -> u64 {
        self.relaxed.iter().map(|relaxed| relaxed.count).sum()
    }

    /// Returns a warning for each reason and place, for the author of the rules.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let warning = |relaxed: &RelaxedWorlds| {
            let RelaxedWorlds { why, place, count } = relaxed;
            let message =
                format!("{count} of {} worlds that agents imagined were relaxed: {}", self.imagined, why.reason());
            let found = Diagnostic::warning("relaxed-worlds", message).help(why.help());
            match place {
                Some(place) => found.mark(place.clone(), why.label()),
                None => found,
            }
        };
        self.relaxed.iter().map(warning).collect()
    }
}

//! Occurrences of words in a game's files.

use crate::diagnostic::Place;

/// Category of a name that a game declares in its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameCategory {
    /// A param.
    Param,
    /// An option.
    Option,
    /// A kind of components.
    Kind,
    /// A component.
    Component,
    /// A zone.
    Zone,
    /// A value.
    Value,
    /// A decision.
    Decision,
    /// A phase.
    Phase,
    /// An ending.
    Ending,
    /// A text that the rules announce.
    Announcement,
    /// A number, flag or word that pieces can alter.
    Alteration,
}

/// A set of categories of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NameCategories(u16);

impl NameCategories {
    /// All categories.
    pub const ALL: Self = Self(u16::MAX);
    /// No category.
    pub const NONE: Self = Self(0);

    /// Creates the set of some categories.
    pub const fn of(categories: &[NameCategory]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < categories.len() {
            bits |= 1 << categories[at] as u16;
            at += 1;
        }
        Self(bits)
    }

    /// Returns whether the set contains a category.
    pub fn contains(self, category: NameCategory) -> bool {
        self.0 & (1 << category as u16) != 0
    }

    /// Returns the categories that are in one of two sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Occurrences of a word, as a key or as a quoted string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The first occurrence.
    pub place: Place,
    /// Number of occurrences.
    pub times: usize,
    /// Categories to which the word may refer where it is used. A place that declares the word does not use it.
    pub uses: NameCategories,
    /// The categories in which the word is declared, each with the place of the first declaration.
    pub declared: Vec<(NameCategory, Place)>,
}

impl Mention {
    /// Creates a mention with one occurrence.
    pub fn new(place: Place) -> Self {
        Self { place, times: 1, uses: NameCategories::NONE, declared: Vec::new() }
    }

    /// Returns the place where the word is declared as a name of a category.
    pub fn declaration(&self, category: NameCategory) -> Option<&Place> {
        self.declared.iter().find(|(known, _)| *known == category).map(|(_, place)| place)
    }
}

//! What single pictures of cards are for.

/// What the pictures are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// True to size with the bleed of the print, at this resolution in dots per inch.
    #[default]
    Plain,
    /// makeplayingcards.com: 300 dots per inch, 36 pixels of bleed.
    MakePlayingCards,
    /// thegamecrafter.com: 300 dots per inch, an eighth of an inch of bleed.
    GameCrafter,
    /// Tabletop Simulator: no bleed, in sheets of up to 70 cards.
    TabletopSimulator,
}

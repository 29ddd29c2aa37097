//! Presets for card images: bleed, resolution and layout, as required by card printers and other programs.

/// Target of exported card images. Determines their bleed, resolution and layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// True to size, with the bleed and resolution that the user has chosen for the print.
    #[default]
    Plain,
    /// makeplayingcards.com: 300 dots per inch, 36 pixels of bleed.
    MakePlayingCards,
    /// thegamecrafter.com: 300 dots per inch, an eighth of an inch of bleed.
    GameCrafter,
    /// Tabletop Simulator: no bleed, in sheets of up to 69 cards.
    TabletopSimulator,
}

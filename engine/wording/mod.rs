//! Texts for people, in each language: names, the log, lists of the table, options of decisions, and drawings of grids.

mod drawing;
#[cfg(feature = "web")]
mod label_placement;
mod listing;
mod log_phrases;
#[cfg(feature = "system")]
mod map_layout;
mod names;
mod narration;
mod offer;
mod option_texts;
#[cfg(feature = "system")]
mod place_map;
mod sentence;
mod statement;
#[cfg(feature = "web")]
mod terrain;
mod texts;
mod tiling;

#[cfg(feature = "system")]
pub(crate) use drawing::escaped;
#[cfg(feature = "web")]
pub(crate) use drawing::{DEFAULT_COLOR, breadth, edges, ink_on};
#[cfg(feature = "web")]
pub(crate) use label_placement::{LabelPlacer, Rect};
pub(crate) use listing::shown_word;
pub use listing::{Row, listing, table_lines};
#[cfg(feature = "web")]
pub(crate) use map_layout::distance as map_distance;
pub use names::{Wording, says_something};
pub use offer::Offer;
pub use option_texts::{Matcher, Matches, OptionTexts};
#[cfg(feature = "system")]
pub(crate) use place_map::PlaceMap;
#[cfg(feature = "web")]
pub(crate) use place_map::{PlaceLink, beside_middle, between};
#[cfg(feature = "web")]
pub(crate) use sentence::SentencePiece;
pub use statement::{Face, Lot, Statement};
#[cfg(feature = "web")]
pub(crate) use terrain::Terrain;
#[cfg(feature = "system")]
pub(crate) use tiling::{Tiling, hexagon_parts};

//! Texts for people, in each language: names, the log, lists of the table, options of decisions, and drawings of grids.

mod drawing;
#[cfg(feature = "page")]
mod label_placement;
mod listing;
mod log_phrases;
#[cfg(any(feature = "system", feature = "page"))]
mod map_layout;
mod names;
mod narration;
mod offer;
mod option_texts;
#[cfg(any(feature = "system", feature = "page"))]
mod place_map;
mod sentence;
mod statement;
#[cfg(feature = "page")]
mod terrain;
mod texts;
mod tiling;

#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use drawing::escaped;
#[cfg(feature = "page")]
pub(crate) use drawing::{DEFAULT_COLOR, contrasting_ink, edges, text_width};
#[cfg(feature = "page")]
pub(crate) use label_placement::{LabelPlacer, Rect};
pub(crate) use listing::shown_word;
pub use listing::{Row, listing, table_lines};
#[cfg(feature = "page")]
pub(crate) use map_layout::distance as map_distance;
pub use names::{Wording, says_something};
pub use offer::Offer;
pub use option_texts::{Matcher, Matches, OptionTexts};
#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use place_map::PlaceMap;
#[cfg(feature = "page")]
pub(crate) use place_map::{PlaceLink, beside_middle, between};
#[cfg(feature = "page")]
pub(crate) use sentence::SentencePiece;
pub use statement::{Face, Lot, Statement};
#[cfg(feature = "page")]
pub(crate) use terrain::Terrain;
#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use tiling::{Tiling, hexagon_parts};

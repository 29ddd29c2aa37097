//! Texts for people, in each language: names, the log, lists of the table, options of decisions, and drawings of grids.

mod drawing;
mod label_placement;
mod listing;
mod log_line;
mod log_phrases;
mod map_layout;
mod names;
mod narration;
mod offer;
mod option_texts;
mod place_map;
mod sentence;
mod statement;
mod svg;
mod terrain;
mod texts;
mod tiling;

pub use drawing::{DEFAULT_COLOR, contrasting_ink, edges, text_width};
pub use label_placement::{LabelPlacer, Rect};
pub use listing::{Row, listing, shown_word, table_lines};
pub use log_line::LogLine;
pub use map_layout::distance as map_distance;
pub use names::{Wording, says_something};
pub use offer::{Offer, PICK_SEPARATOR};
pub use option_texts::{Matcher, Matches, OptionTexts};
pub use place_map::{PlaceLink, PlaceMap, beside_middle, between};
pub use sentence::SentencePiece;
pub use statement::{Face, Lot, Statement};
pub use svg::{Element, Svg, escaped};
pub use terrain::Terrain;
pub use tiling::{AxisLabel, Tiling, hexagon_parts};

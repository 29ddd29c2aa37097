//! Texts for people, in each language: names, the log, lists of the table, options of decisions, and drawings of grids.

mod drawing;
mod listing;
mod log_phrases;
mod names;
mod narration;
mod offer;
mod option_texts;
mod sentence;
mod statement;
mod texts;
mod tiling;

#[cfg(feature = "system")]
pub(crate) use drawing::escaped;
#[cfg(feature = "web")]
pub(crate) use drawing::{DEFAULT_COLOR, breadth, edges, ink_on};
pub(crate) use listing::shown_word;
pub use listing::{Row, listing, table_lines};
pub use names::{Wording, says_something};
pub use offer::Offer;
pub use option_texts::{Matcher, Matches, OptionTexts};
#[cfg(feature = "web")]
pub(crate) use sentence::SentencePiece;
pub use statement::{Face, Lot, Statement};
#[cfg(feature = "system")]
pub(crate) use tiling::{Tiling, hexagon_lines};

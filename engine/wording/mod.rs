//! What people read of a game: names, the log, the table in rows, grids as drawings, in each language.

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
pub(crate) use drawing::{PLAIN, breadth, edges, ink_on};
pub(crate) use listing::shown_word;
pub use listing::{Row, listing, table_lines};
pub use names::{Wording, says_something};
pub use offer::Offer;
pub use option_texts::{Fits, FitsTexts, OptionTexts};
pub use statement::{Face, Lot, Statement};
#[cfg(feature = "system")]
pub(crate) use tiling::{Tiling, hexagons_in_lines};

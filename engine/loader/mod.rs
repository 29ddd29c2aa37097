//! Loads a game: reads its files and returns a model or diagnostics. Reports all mistakes of a game at once, each with its place.
//!
//! The loader parses TOML and spreadsheets into trees of nodes that carry their source places, merges overlays and `--set` changes into
//! them, and then reads the data section by section into a [`Model`](crate::model::Model). It does not know how a game is played.

mod document;
mod keys;
mod lint;
mod mistake;
mod name;
mod package;
mod report;
mod section;
mod spreadsheet;

pub use document::files::{FileContent, Files};
#[cfg(feature = "system")]
pub(crate) use document::folder::read_picture;
pub use document::number_edit::set_number;
pub use keys::outline::{DataMeaning, DataSpot, DeclaredNameKind, Offer, can_be_read, name_in_path, offers, outline};
pub use keys::page::{Described, keys};
pub use keys::schema::schema;
pub use package::{Choices, FORMAT, Package};
#[cfg(feature = "system")]
pub(crate) use section::draft::humanize_id;
pub use spreadsheet::{CellContent, WrittenSheet};
#[cfg(feature = "system")]
pub use spreadsheet::{ods, xlsx};

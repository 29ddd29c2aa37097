//! Files in, model and diagnostics out: every mistake of a game at once, each at its place.
//!
//! The loader reads TOML into trees of nodes that know their places, lays overlays and `--set` over them, and then reads
//! the data section by section into a [`Model`](crate::model::Model). It does not know how a game is played.

mod document;
mod keys;
mod lint;
mod mistake;
mod name;
mod package;
mod report;
mod section;

pub use document::files::Files;
#[cfg(feature = "system")]
pub(crate) use document::folder::read_picture;
pub use keys::page::{Described, keys};
pub use keys::schema::{Schemas, schemas};
pub use package::{Choices, Package};

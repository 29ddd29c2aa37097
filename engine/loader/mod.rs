//! Files in, model and diagnostics out: every mistake of a game at once, each at its place.
//!
//! The loader reads TOML into trees of nodes that know their places, lays overlays and `--set` over them, and then reads
//! the data section by section into a [`Model`](crate::model::Model). It does not know how a game is played.

mod alteration;
mod amount;
mod cell;
mod component;
mod decision;
mod draft;
mod ending;
mod expected;
mod field;
mod fields;
mod files;
mod flow;
mod free;
mod kind;
mod label;
mod lone;
mod mention;
mod merge;
mod mistake;
mod name;
mod node;
mod option;
mod package;
mod param;
mod piece;
mod report;
mod schema;
mod schema_forms;
mod set;
mod start;
mod stray;
mod syntax;
mod syntax_help;
mod target;
mod texts;
mod tree;
mod value;
mod zone;
mod zones;

pub use files::Files;
pub use package::{Choices, Package};
pub use schema::{Schemas, schemas};

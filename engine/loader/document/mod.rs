//! Files and data trees: reading files, parsing TOML with the place of every key and value, and merging overlays and `--set` changes.

pub(in crate::loader) mod board_patterns;
pub(in crate::loader) mod budget;
pub(in crate::loader) mod files;
pub(in crate::loader) mod fingerprint;
#[cfg(feature = "system")]
pub(in crate::loader) mod folder;
pub(in crate::loader) mod merge;
pub(in crate::loader) mod node;
pub(in crate::loader) mod number_edit;
pub(in crate::loader) mod overrides;
pub(in crate::loader) mod row_expansion;
pub(in crate::loader) mod toml_help;
pub(in crate::loader) mod toml_reader;
pub(in crate::loader) mod tree;
pub(in crate::loader) mod tree_builder;

//! Text and trees: the files of a game, TOML with the place of every key and value, overlays and `--set` laid over it.

pub(in crate::loader) mod adding;
pub(in crate::loader) mod budget;
pub(in crate::loader) mod each;
pub(in crate::loader) mod figures;
pub(in crate::loader) mod files;
pub(in crate::loader) mod fingerprint;
#[cfg(feature = "system")]
pub(in crate::loader) mod folder;
pub(in crate::loader) mod merge;
pub(in crate::loader) mod node;
pub(in crate::loader) mod overrides;
pub(in crate::loader) mod toml_help;
pub(in crate::loader) mod toml_text;
pub(in crate::loader) mod tree;

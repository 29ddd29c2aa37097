//! Editor support for writing games: mistakes and fixes, completion, hover texts, definitions, references and renaming.
//!
//! Everything works on texts in memory, saved or not, as far as they can be parsed. This module knows neither the language server protocol
//! nor the file system.

mod check;
mod colors;
mod complete;
mod completion;
mod describe;
mod fix;
mod game_knowledge;
mod occurrences;
mod outline;
mod play_line;
mod references;
mod rename;
mod scenes;
mod scopes;
mod toml_line;
mod workbench;

pub(crate) use check::{check_game, check_play};
pub(crate) use colors::{COLORS, colors};
pub(crate) use complete::complete;
pub(crate) use completion::{Completion, CompletionKind};
pub(crate) use describe::{Signature, hover, signature};
pub(crate) use fix::fixes;
pub(crate) use game_knowledge::{GameKnowledge, Meaning};
pub(crate) use outline::{EntrySort, OutlineEntry, entries, folding_ranges};
pub(crate) use references::{definition, references};
pub(crate) use rename::{renamable_place, rename};
pub(crate) use scenes::{results, scene_lines};
pub(crate) use workbench::Workbench;

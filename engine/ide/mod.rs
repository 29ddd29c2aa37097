//! What an editor asks about a game while its files are written: where names are, what they mean, what may stand at a place.
//!
//! Everything works on texts in memory, saved or not, and on what of them can be read. It knows no protocol and no files.

mod check;
mod colors;
mod complete;
mod completion;
mod describe;
mod fix;
mod found;
mod knowledge;
mod occurrences;
mod outline;
mod play_line;
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
pub(crate) use found::{definition, references};
pub(crate) use knowledge::{GameKnowledge, Meaning};
pub(crate) use outline::{EntrySort, OutlineEntry, entries, folds};
pub(crate) use rename::{nameable, rename};
pub(crate) use scenes::{results, scene_lines};
pub(crate) use workbench::Workbench;

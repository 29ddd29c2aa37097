//! Figures on paper: the folder of a run, tables for other programs, what the figures say in plain words, and one page that
//! shows it all. It knows no terminals.

mod changes;
mod checkpoint;
mod comparison;
mod comparison_summary;
mod expected;
mod finding;
mod findings;
mod folder;
mod game_lines;
mod holding;
mod item_row;
mod items;
mod manifest;
mod merge;
mod names;
mod number;
mod page;
mod plot;
mod rows;
mod run_file;
mod shelf;
mod success;
mod summary;
mod tables;
mod together;
mod unseen_strings;

pub use changes::changed_lines;
pub use checkpoint::{Checkpoint, RunJournal, RunRequest, command_of, unfinished};
pub use comparison::{
    Compared, comparison_document, comparison_page, comparison_table, differences_table, folded, overall, rule,
};
pub use finding::{Finding, Weight};
pub use findings::findings;
pub use folder::{Course, Folder};
pub use item_row::ItemRow;
pub use items::{components, options};
pub use manifest::{BatchManifest, FORMAT, Manifest, Shard};
pub use merge::merge;
pub use number::{amount, estimate_text, exact, grouped, percent, points, span};
pub use page::{page, story_word};
#[cfg(feature = "web")]
pub(crate) use rows::csv_line;
pub use rows::{GameRows, Rows};
pub use run_file::{FolderError, play_file};
pub use shelf::{Shelf, Story};
pub use tables::{SweepRow, arena_page, sweep_page, sweep_table};

//! Reports about runs: the run's folder, tables for other programs, findings in sentences, and HTML pages. This module does not depend on a
//! terminal.

mod batch_report;
mod campaigns;
mod changes;
#[cfg(feature = "system")]
mod checkpoint;
mod choice_summary;
mod choices;
mod compared;
mod comparison;
mod comparison_summary;
mod crews;
mod expected;
mod figure_names;
mod finding;
mod findings;
#[cfg(feature = "system")]
mod folder;
#[cfg(feature = "system")]
mod game_lines;
mod game_on_page;
mod grid;
mod heading;
mod item_row;
mod items;
mod manifest;
#[cfg(feature = "system")]
mod merge;
mod multiple_testing;
mod names;
mod number;
mod page;
mod plot;
mod rows;
#[cfg(feature = "system")]
mod run_consistency;
mod run_file;
mod strength_trend;
mod summary;
mod sweep_row;
mod sweep_summary;
mod tables;
mod tuning;
mod unseen_strings;
mod unused;

pub use batch_report::{BatchReport, GameLook, NotableGame};
pub use campaigns::scenario_table;
pub use changes::changed_lines;
#[cfg(feature = "system")]
pub use checkpoint::{Checkpoint, RunJournal, RunRequest, command_of, unfinished};
pub use choice_summary::{ExampleGames, choice_findings};
pub use choices::choices_page;
pub use compared::ComparedPlayers;
pub use comparison::{
    comparison_document, comparison_page, comparison_table, differences_table, overall, rule, summarize_rest,
};
pub use crews::{CrewRow, crews_page};
pub use figure_names::{figure_kind, figure_name};
pub use finding::{Finding, Weight};
pub use findings::findings;
#[cfg(feature = "system")]
pub use folder::{Folder, RunState};
pub use heading::Heading;
pub use item_row::ItemRow;
pub use items::{components, options};
pub use manifest::{BatchManifest, FORMAT, Manifest, Shard};
#[cfg(feature = "system")]
pub use merge::merge;
pub use names::decision_name;
pub use number::{amount, estimate_text, exact, grouped, percent, points, span};
#[cfg(feature = "system")]
pub(crate) use page::page_beginning;
pub use page::{page, story_word};
#[cfg(feature = "page")]
pub(crate) use rows::csv_line;
pub use rows::{GameRows, Rows};
pub use run_file::{FolderError, play_file};
pub use sweep_row::SweepRow;
pub use tables::{arena_page, sweep_page, sweep_table};
pub use tuning::{TunedRow, tuning_page};

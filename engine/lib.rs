//! A rules engine for tabletop games. A game is data: TOML files describe the components, and scripts in a small language
//! similar to Rhai describe the rules. No game is compiled into the engine.
//!
//! ```
//! use parlour::agents::Random;
//! use parlour::session::{Player, Session, Setup};
//!
//! let game = parlour::load("examples/games/tic-tac-toe")?;
//! let mut agents = [Random::new(7, "agent 1"), Random::new(7, "agent 2")];
//! let mut session = Session::start(&game, &Setup::seats(2).seed(7))?;
//! while let Some(observation) = session.observation() {
//!     let choice = agents[observation.seat().index()].choose(&observation)?;
//!     session.choose(choice)?;
//! }
//! println!("{:?}", session.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/rust/` contains two complete programs: `write_an_agent.rs` implements a [`Player`](session::Player), and
//! `run_a_batch.rs` plays many games and prints their statistics with [`simulate`](simulation::simulate).
//!
//! # Features
//!
//! - `system` (on by default): everything that needs an operating system with files, clocks, threads or processes: [`load`], agents,
//!   batches, reports, printing and the program `parlour`. Without it, games are loaded with [`load_texts`] and can be played
//!   in WebAssembly, for example.
//! - `page`: agents, batches, faces and the pages of a table. Without `system`, files are kept in memory, and `Workspace` plays
//!   a game in a page of a browser. Implied by `web`.
//! - `web` (on by default): the table in a browser, `parlour serve`. Implies `system`.
//! - `workbooks`: reads `.xlsx` and `.ods` files of a game. Without it such files are reported as errors. Implied by `system`.
//! - `fuzzing`: entry points for the fuzz targets in `fuzz/`.
//! - `walker`: runs rules with Rhai's own tree-walking interpreter. Only tests that compare the virtual machine with it need this.

#![cfg_attr(
    all(feature = "page", not(feature = "system")),
    allow(dead_code, unused_imports, reason = "what only the program calls is left in place")
)]

// The code that pest generates for the grammar of playscripts refers to `alloc`. Pest's feature `std` would add a stack guard
// written in assembly, which the grammar does not need because it has no recursive rule.
extern crate alloc;

#[cfg(any(feature = "system", feature = "page"))]
pub mod agents;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a terminal shows shares and seconds; `tests/house/layers.rs` holds the rest"
)]
pub mod cli;
#[cfg(any(feature = "system", feature = "page"))]
pub mod desk;
#[cfg(any(feature = "system", feature = "page"))]
pub mod faces;
#[cfg(any(feature = "system", feature = "page"))]
pub mod files;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
#[cfg(feature = "system")]
mod ide;
pub mod loader;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a check waits for whoever types; `tests/house/layers.rs` holds the rest"
)]
mod lsp;
mod open;
#[cfg(feature = "system")]
pub mod paper;
pub mod playscript;
#[cfg(any(feature = "system", feature = "page"))]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a page shows shares and means; `tests/house/layers.rs` holds the rest"
)]
pub mod report;
#[cfg(any(feature = "system", feature = "page"))]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "statistics are shares and means; `tests/house/layers.rs` holds the rest"
)]
pub mod simulation;
#[cfg(any(feature = "system", feature = "page"))]
mod system;
#[cfg(feature = "page")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a server has clocks, threads and a network; `tests/house/layers.rs` holds the rest"
)]
mod web;

// The code that plays games has its own crate, because the development profile optimizes that crate but not this one.
#[cfg(feature = "system")]
use parlour_core::analysis;
use parlour_core::phrases;
#[doc(inline)]
pub use parlour_core::{decision, diagnostic, library, model, script, session, syntax, table, vm, wording};

pub use open::{check_game, load_texts, open_files, open_texts_overlaid};
#[cfg(feature = "system")]
pub use open::{load, load_overlaid, open, open_overlaid};
#[cfg(all(feature = "page", not(feature = "system")))]
pub use web::{PageRequest, PageResponse, Workspace};

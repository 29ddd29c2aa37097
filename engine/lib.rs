//! A rules engine for tabletop games whose rules are data: TOML says what is in the box, a small language that reads
//! like Rhai says how it is played, and nothing about any game is compiled.
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
//! `examples/rust/` has two whole programs: `write_an_agent.rs`, an agent of your own, which is a
//! [`Player`](session::Player), and `run_a_batch.rs`, many games at once and their figures with
//! [`simulate`](simulation::simulate).
//!
//! # Features
//!
//! - `system` (on by default) has what asks an operating system for files, clocks, threads or processes: [`load`], agents,
//!   batches, reports, printing and the program `parlour`. Without it games are loaded from texts by [`load_texts`] and played,
//!   in WebAssembly for one.
//! - `web` (on by default) has the table in a browser, `parlour serve`; it brings `system`.
//! - `workbooks` reads `.xlsx` and `.ods` files of a game, which are reported and not read without it; `system` brings it.
//! - `fuzzing` has entry points for the fuzz targets in `fuzz/`, and nothing for anybody else.
//! - `walker` lets the script engine run rules by walking their tree: tests compare the machine with it, and nothing else needs it.

// What pest writes for the grammar of playscripts names it; its `std` would bring a stack guard in assembler for a grammar that calls
// no rule within itself.
extern crate alloc;

#[cfg(feature = "system")]
pub mod agents;
mod analysis;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a terminal shows shares and seconds; `tests/house/layers.rs` holds the rest"
)]
pub mod cli;
pub mod decision;
#[cfg(feature = "system")]
pub mod desk;
pub mod diagnostic;
#[cfg(feature = "system")]
pub mod faces;
#[cfg(feature = "system")]
pub mod files;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
#[cfg(feature = "system")]
mod ide;
pub mod library;
pub mod loader;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a check waits for whoever types; `tests/house/layers.rs` holds the rest"
)]
mod lsp;
pub mod model;
mod open;
#[cfg(feature = "system")]
pub mod paper;
mod phrases;
pub mod playscript;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a page shows shares and means; `tests/house/layers.rs` holds the rest"
)]
pub mod report;
pub mod script;
pub mod session;
#[cfg(feature = "system")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "statistics are shares and means; `tests/house/layers.rs` holds the rest"
)]
pub mod simulation;
pub mod syntax;
#[cfg(feature = "system")]
mod system;
pub mod table;
pub mod vm;
#[cfg(feature = "web")]
#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a server has clocks, threads and a network; `tests/house/layers.rs` holds the rest"
)]
mod web;
pub mod wording;

pub use open::{checked, load_texts, open_files, open_texts_overlaid};
#[cfg(feature = "system")]
pub use open::{load, load_overlaid, open, open_overlaid};

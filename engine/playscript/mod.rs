//! Scripted games: parse, run, record, format.
//!
//! Designers write them as tests and examples of their rules; a recording of a game is one too. A playscript knows no
//! terminals and no files: it is read from a text and run on a session.

pub mod matching;
mod parse;
mod play;
mod record;
mod run;

pub use parse::parse;
pub use play::{Expect, Play, Scene, Statement, Until, What};
pub use record::record;
pub use run::{Cast, Report, run};

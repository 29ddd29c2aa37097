//! Playscripts: games written down as text. They can be parsed, run, recorded and printed.
//!
//! Designers write playscripts as tests and examples of their rules. Recordings of games are playscripts too. This
//! module accesses neither terminals nor files: it parses text and runs it on a session.

mod answer_events;
mod cast;
mod cause;
mod chance;
mod choices;
mod coverage;
mod drawings;
mod errors;
mod expectations;
mod log_check;
pub mod matching;
mod offered_kinds;
mod opening;
mod option_words;
mod options;
mod picks;
mod play;
mod print;
mod read;
mod record;
mod rejection;
mod resume;
mod rule_trace;
mod run;
mod runner;
mod statements;
mod validation;

pub use cast::{AgentFactory, Cast, unknown_game};
pub use coverage::{Coverage, DeclarationKind, RuleLine};
pub use drawings::{SceneDrawings, draw_scenes};
pub use options::{PlayQuestion, question_at, table_at};
pub use play::{
    EXPECT_WORDS, Expect, OTHER, OperandKind, PERSON, Play, PlayStatement, PlayUntil, STATEMENTS, Scene, StatementForm,
    StatementKind, UNTIL_WORDS,
};
#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use print::name as written_name;
pub use record::{Recorder, record};
pub use rejection::Rejection;
#[cfg(feature = "page")]
pub(crate) use resume::repeat;
pub use resume::{RepeatedSession, Rerecorded, Resumed, is_recording, record_again, resume, with_head};
pub use run::{Report, run, run_scene, scenes};
#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use statements::{FORMAT, TextSize, excess};
pub use statements::{LARGEST, format_line, parse, with_format};
pub use validation::{mistakes, texts};

//! Scripted games: parse, run, record, print.
//!
//! Designers write them as tests and examples of their rules; a recording of a game is one too. A playscript knows no
//! terminals and no files: it is read from a text and run on a session.

mod answering;
mod blame;
mod cast;
mod chance;
mod choosing;
mod coverage;
mod drawn;
mod expecting;
mod failing;
mod held;
mod logged;
pub mod matching;
mod offering;
mod opening;
mod options;
mod picks;
mod play;
mod print;
mod read;
mod record;
mod resume;
mod run;
mod runner;
mod statements;
mod validation;
mod watch;
mod words;

pub use cast::{Cast, Named, unknown_game};
pub use coverage::{Coverage, DeclarationKind, RuleLine};
pub use drawn::{Drawn, drawn};
pub use held::Held;
pub use options::{PlayQuestion, question_at, table_at};
pub use play::{
    Behind, EXPECT_WORDS, Expect, OTHER, PERSON, Play, PlayStatement, STATEMENTS, Scene, StatementForm, UNTIL_WORDS,
    Until, What,
};
#[cfg(feature = "system")]
pub(crate) use print::name as written_name;
pub use record::{Recorder, record};
#[cfg(feature = "web")]
pub(crate) use resume::remake;
pub use resume::{Again, Remade, Resumed, is_recording, record_again, resume, with_head};
pub use run::{Report, run, run_scene, scenes};
#[cfg(feature = "system")]
pub(crate) use statements::{FORMAT, excess};
pub use statements::{LARGEST, format_line, parse, with_format};
pub use validation::{mistakes, texts};

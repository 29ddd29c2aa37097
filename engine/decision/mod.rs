//! What a seat is asked, what it may choose, and what is noted of a game: plain data, without a script engine in it.

mod answer_draw;
mod answer_log;
mod answers;
mod choice;
mod code;
mod considered;
#[expect(clippy::module_inception, reason = "the room is named after what is in its middle")]
mod decision;
mod equivalence;
mod event;
mod log;
mod observer;
mod offered;
mod options;
mod overlap;
mod placement;
mod redeal;
mod several;
mod subset_choice;
mod types;
mod unfit;
mod value;
mod wide;
mod word;

pub use answer_log::{AnswerLog, Chosen, ChosenFace, Given, Imagining, Rerun};
pub use answers::{AnswerSpace, Copies, Ordering, Subset};
pub use choice::Choice;
pub use considered::{Considered, MOST_CONSIDERED};
pub use decision::{About, Decision, Pass};
pub(crate) use equivalence::{folded, grouped};
pub use event::{Event, EventKind, Look, looks};
pub(crate) use event::{look, looks_among};
pub use log::Log;
pub use observer::{Observed, Observer};
pub(crate) use offered::{each_offered, offered_pieces};
pub(crate) use options::MOST_LISTED;
pub use options::OptionSet;
pub(crate) use overlap::{once, once_of};
pub(crate) use placement::placement_of;
#[cfg(feature = "system")]
pub(crate) use placement::{placement_names, way_word};
pub use redeal::{Act, Consent, Redeal};
pub use several::Several;
pub use types::Type;
pub(crate) use unfit::{ASK_FIRST, holds_some, index_help, iteration_help, operator_help};
pub use value::{Entries, List, Map, Range, Value};
pub(crate) use value::{MOST_HELD, MOST_NESTED, TOO_HEAVY};
pub use wide::{Narrow, Wide};
pub(crate) use word::written;
pub use word::{Name, word};

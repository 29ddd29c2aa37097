//! Decisions, options, answers and the event log: plain data, independent of the virtual machine.

mod answer_draw;
mod answer_log;
mod answer_space;
mod choice;
mod choice_code;
mod considered;
#[expect(clippy::module_inception, reason = "the module is named after its main type")]
mod decision;
mod equivalence;
mod event;
mod handle_list;
mod log;
mod observer;
mod offered;
mod operand_help;
mod option_union;
mod options;
mod packed;
mod placement;
mod redeal;
mod subset_choice;
mod types;
mod value;
mod word;

pub use answer_log::{AnswerLog, ChosenFace, Imagining, RecordedAnswer, Rerun, StepAnswer};
pub use answer_space::{AnswerSpace, Copies, Ordering, Subset};
pub use choice::Choice;
pub use considered::{Considered, MAX_CONSIDERED};
pub use decision::{About, Decision, Pass};
pub(crate) use equivalence::{group_equivalent, merge_equivalent};
pub use event::{Appearance, Event, EventKind, appearances};
pub(crate) use event::{appearances_among, look};
pub use handle_list::HandleList;
pub use log::Log;
pub use observer::{Observer, ObserverHandle};
pub(crate) use offered::{each_offered, offered_pieces};
pub(crate) use operand_help::{ASK_FIRST, holds_some, index_help, iteration_help, operator_help};
pub(crate) use option_union::{dedup, dedup_handles};
pub(crate) use options::MAX_LISTED;
pub use options::OptionSet;
pub use packed::{Pack, Packed};
pub(crate) use placement::placement_of;
#[cfg(any(feature = "system", feature = "page"))]
pub(crate) use placement::{placement_names, way_word};
pub use redeal::{Act, Consent, Redeal};
pub use types::Type;
pub use value::{Entries, List, Map, Range, Value};
pub(crate) use value::{MAX_HELD, MAX_NESTED, TOO_HEAVY, handle_list_cost};
pub(crate) use word::intern_literal;
pub use word::{Name, word};

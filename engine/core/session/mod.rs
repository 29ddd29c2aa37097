//! Sessions: a session is one game in progress, with its flow, decisions, choices, forks, undo and outcome.
//!
//! A session waits for a decision, rests, is over, or has failed with a diagnostic. It does not depend on agents, terminals or clocks.

mod by_text;
mod campaign;
mod campaign_state;
mod checkpoint;
mod costs;
mod derived;
mod event_data;
mod flow;
mod game;
mod halt;
mod imagine;
mod observation;
mod opening;
mod outcome;
mod past;
mod playout;
mod recent_variants;
mod redeal;
mod simultaneous;
mod status;
mod undo;
#[cfg(feature = "walker")]
mod walked;
mod world;
mod world_counts;
mod world_weights;

pub use crate::decision::{
    Act, Choice, Consent, Decision, Event, EventKind, Log, MAX_CONSIDERED, Observer, OptionSet, Pass, RecordedAnswer,
    Redeal, placement_names, placement_of, way_word,
};
pub use crate::library::{ESTIMATE, INVARIANT, RATE};
pub use crate::model::{Setup, quoted};
pub use crate::script::{Advice, CoverageDelta, LoggedFunction, Point, functions_of};
pub use by_text::{mistakes_in_texts, tallied_names, texts_of_rules, words_near};
pub use campaign::{MAX_GAMES, endless_campaign};
pub use costs::{Altered, Costs};
pub use event_data::{Datum, EventPosition, News, place};
pub use game::{Game, Models};
pub use halt::Halt;
pub use imagine::Imagination;
pub use observation::{GameOver, Observation};
pub use opening::{Opening, Rest, Start};
pub use outcome::{Outcome, Standing, TieBreak};
pub use playout::{MAX_DECISIONS, NoAnswer, PlayedGame, Player, without_end};
pub use redeal::DisclosedFaces;
pub use status::{ChooseError, Session, Status};
/// Maximum number of bytes that a game in progress takes, not counting search trees. There is no counter for all of them. Each part has
/// its own limit, which does not depend on the machine:
///
/// - the events: 100 MB (the game ends with a fault)
/// - the present table, the table before the step, and the tables of earlier steps: 50 MB (the oldest are dropped)
/// - the tables of learned conditions: 32 MB (the oldest are forgotten)
/// - the copies for undo: 32 MB (some are dropped)
/// - the values of its rules, triggered functions and counters: 32 MB (the game ends with a fault)
pub const MAX_MEMORY: usize = 256 << 20;

pub use world::{Finish, PlayoutPolicy, Ratings, World};
pub use world_counts::{Relaxation, RelaxedWorlds, WorldCounts};

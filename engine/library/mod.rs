//! The table of the language: what its functions take and result in. It knows no game and runs nothing.

mod built_in;
mod called;
mod effect;
mod order;
mod own;
mod pattern;
mod word;

pub use built_in::{FACTS, NAMES};
pub use called::{CONSIDER, ESTIMATE, INVARIANT, MOST_TAKEN, RATE, SCORING, is_asked_of_agents};
pub use effect::Effects;
pub use order::{ORDERED, without_order};
pub use own::{
    Own, changes_in_place, counts as own_counts, functions as own_functions, has_function, has_property,
    properties as own_properties,
};
pub use pattern::{Pattern, Role, Written};
pub use word::{Form, Said, Word};

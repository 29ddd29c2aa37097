//! Runs rules: compilation, bindings of names, and steps that wait for decisions.
//!
//! Scripts have no access to files or agents. Their values are handles; all lasting state is on the table.

mod advice;
mod advice_cache;
mod condition_checker;
mod coverage;
mod explain;
mod failed_condition;
mod fragment;
mod function;
mod function_log;
mod host;
mod invariants;
mod machine;
mod rule_file;
mod step;
mod trace;
mod types;
mod value_display;
#[cfg(feature = "walker")]
mod walker;

pub use crate::library::{Entry, Form};
pub use advice_cache::Advice;
pub use condition_checker::ConditionChecker;
pub use coverage::{CoverageDelta, Point};
pub use fragment::{PHASE, STANDING};
pub use function::RuleFunction;
pub use function_log::{FunctionLog, LoggedFunction};
pub use host::Host;
pub use invariants::invariants;
pub use rule_file::functions_of;
pub use step::{
    Call, Ended, Step, Waiting, advise, arrange, call, catch_panics, costs, evaluate, explain_trigger_cycle,
    takes_first_of_equals,
};
#[cfg(feature = "walker")]
pub use walker::{Answerer, answering};

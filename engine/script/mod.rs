//! Running rules: compilation, bindings of names, and steps that wait for decisions.
//!
//! Scripts have no access to files or agents. They hold handles; all lasting state is on the table.

mod advice;
mod advices;
mod broken;
mod cover;
mod explain;
mod function;
mod host;
mod invariants;
mod machine;
mod recalled;
mod rule_file;
mod showing;
mod step;
mod text;
mod trace;
mod types;
#[cfg(feature = "walker")]
mod walker;

pub use crate::library::{Entry, Form};
pub use advices::Advice;
pub use cover::{Covered, Point};
pub use function::RuleFunction;
pub use host::Host;
pub use invariants::invariants;
pub use recalled::Recalled;
pub use rule_file::functions_of;
pub use step::{
    Call, Ended, Step, Waiting, advise, arrange, call, costs, evaluate, guarded, name_circle, takes_first_of_equals,
};
pub use text::{PHASE, STANDING};
#[cfg(feature = "walker")]
pub use walker::{Answerer, answering};

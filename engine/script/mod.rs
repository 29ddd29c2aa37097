//! Rules that run: compiling, what their names stand for, and steps that wait.
//!
//! Scripts know no files and no agents. They hold handles; all that lasts lies on the table.

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

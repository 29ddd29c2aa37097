//! Checkpoints, from which a step can be run again.

use crate::script::Call;
use crate::table::Table;

/// The table before a step, and the call that the step runs.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub(super) table: Table,
    pub(super) call: Call,
}

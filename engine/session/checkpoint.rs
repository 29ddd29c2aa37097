//! Checkpoints, from which a step can be run again.

use crate::script::Call;
use crate::table::Table;

/// The call of the step under way and the table before it.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub(super) table: Table,
    pub(super) call: Call,
}

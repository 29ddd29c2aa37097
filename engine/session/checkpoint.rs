//! What it takes to run a step again.

use crate::script::Call;
use crate::table::Table;

/// The step under way, and the table as it was before it.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub(super) table: Table,
    pub(super) call: Call,
}

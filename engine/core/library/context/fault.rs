//! Faults of running rules. A fault does not have a place in a file yet.

use crate::decision::{MAX_ENTRIES, SPLIT_LIST};
pub(crate) use crate::diagnostic::Fault;
use crate::table::TableError;
use std::any::Any;
use std::fmt;

/// Reason why a library function has no result.
pub(crate) enum Failure {
    /// A mistake of the rules' author.
    Fault(Fault),
    /// The step is being stopped. The context's `stop` field has the reason.
    Stopped,
    /// A closure called by the function has failed. Contains the error of the machine or the script engine.
    Inside(Box<dyn Any>),
}

impl fmt::Debug for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(to),
            Self::Stopped => to.write_str("stopped"),
            Self::Inside(_) => to.write_str("failed inside"),
        }
    }
}

/// Result of a library function.
pub(crate) type Answer<T> = Result<T, Box<Failure>>;

impl From<Fault> for Box<Failure> {
    fn from(fault: Fault) -> Self {
        Self::new(Failure::Fault(fault))
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Self {
        let code = match &error {
            TableError::NotAccepted { .. } => "not-accepted",
            TableError::OffGrid { .. } => "off-grid",
            TableError::OutOfBounds { .. } => "out-of-bounds",
            TableError::TooLong { .. } => "too-long",
        };
        let note = match &error {
            TableError::NotAccepted { .. } => "this piece may not lie there",
            TableError::OffGrid { .. } => "part of it would lie beyond the edge",
            TableError::OutOfBounds { .. } => "the value exceeds its bounds here",
            TableError::TooLong { .. } => "too many entries",
        };
        let help = match &error {
            TableError::NotAccepted { .. } => "add it to `accepts` of the zone, or move it elsewhere",
            TableError::OffGrid { .. } => "use `placements(…)` to find where it fits",
            TableError::OutOfBounds { .. } => "check before the change, or add `stops = true` to the value",
            TableError::TooLong { most, .. } if usize::from(*most) >= MAX_ENTRIES => SPLIT_LIST,
            TableError::TooLong { .. } => "check its `count()` first, or raise `most` of the value",
        };
        Self::new(code, error.to_string(), note).help(help)
    }
}

/// Converts a table error in `result` to a fault.
pub(crate) fn table_result<T>(result: Result<T, TableError>) -> Answer<T> {
    result.map_err(|error| Fault::from(error).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_can_be_made_longer_than_the_longest() {
        let help = |most| Fault::from(TableError::TooLong { value: String::new(), length: 1_001, most }).help;
        assert!(help(999).unwrap().contains("raise `most`"));
        assert_eq!(help(1_000).as_deref(), Some(SPLIT_LIST));
    }
}

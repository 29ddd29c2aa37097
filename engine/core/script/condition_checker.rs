//! Checks conditions that seats have learned, in the worlds that a seat imagines.

use super::host::Host;
use super::machine::Progress;
use crate::decision::Value;
use crate::diagnostic::{Diagnostic, flag_expected};
use crate::library::entry::stored_closure::StoredClosure;
use crate::library::{Permissions, State};
use crate::model::PieceId;
use crate::table::{Condition, Judge, JudgeSource, Table};
use std::any::Any;
use std::sync::Arc;

/// Checker that evaluates learned conditions with the rules of a game.
pub struct ConditionChecker {
    host: Arc<Host>,
    /// State for running rules. Its table is replaced for each check.
    state: Option<State>,
}

impl ConditionChecker {
    /// Creates a checker for the rules of `host`.
    pub fn new(host: &Arc<Host>) -> Self {
        Self { host: host.clone(), state: None }
    }
}

impl JudgeSource for Arc<Host> {
    fn judge(&self) -> Box<dyn Judge + '_> {
        Box::new(ConditionChecker::new(self))
    }
}

impl Judge for ConditionChecker {
    fn holds(
        &mut self,
        condition: &dyn Condition,
        table: &mut Table,
        piece: Option<PieceId>,
    ) -> Result<bool, Box<Diagnostic>> {
        let Some(kept) = (condition as &dyn Any).downcast_ref::<StoredClosure>() else { return Ok(true) };
        let state = self
            .state
            .get_or_insert_with(|| State { permissions: Permissions::read_only(), ..State::new(table.clone()) });
        std::mem::swap(&mut state.table, table);
        let arguments: Vec<Value> = piece.map(Value::from).into_iter().collect();
        let progress = self.host.machine().call_stored(state, kept, &arguments);
        std::mem::swap(&mut state.table, table);
        state.journal.close();
        flag(progress, kept)
    }
}

fn flag(progress: Progress, kept: &StoredClosure) -> Result<bool, Box<Diagnostic>> {
    match progress.into_value() {
        Ok(Value::Flag(flag)) => Ok(flag.get()),
        Ok(other) => {
            let found = flag_expected(&other.kind(), other == Value::Nothing);
            Err(Box::new(match &kept.place {
                Some(place) => found.at(place.clone()),
                None => found.into(),
            }))
        }
        Err(fault) => Err(Box::new(fault)),
    }
}

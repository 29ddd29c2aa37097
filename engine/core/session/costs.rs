//! Costs and gains of an option, computed by functions of the rules, as far as the asked seat can know them.

use super::status::Session;
use crate::decision::{Choice, Decision};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::ComponentId;
use crate::script;
use std::sync::Arc;

/// Costs and gains of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    /// Amount of each named part, in the order of the rules, or a single amount without a name.
    pub parts: Vec<(Option<Arc<str>>, i64)>,
    /// Components of the pieces whose modifiers applied while the costs were computed, each with its change. No pair occurs twice.
    pub altered: Vec<(ComponentId, Altered)>,
}

/// Change that the modifier of a piece made to a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Altered {
    /// Amount added to the quantity.
    Added(i64),
    /// Factor by which the quantity was multiplied.
    Multiplied(i64),
    /// Value that replaced the quantity.
    Set(i64),
}

impl Session {
    /// Returns the costs and gains of an option of the open decision. Returns `None` for a pass, for decisions with several picks, and if
    /// the rules declare no function for the costs. Also returns `None` if the function reads something that the asked seat does not know,
    /// or returns no numbers.
    ///
    /// # Errors
    /// Returns the fault of the function.
    pub fn costs(&self, decision: &Decision, choice: &Choice) -> Result<Option<Costs>, Box<Diagnostic>> {
        let declared = &self.model().decisions[decision.id.index()];
        let Some(named) = declared.costs.as_ref().filter(|_| decision.picks.is_none() && *choice != Choice::Nothing)
        else {
            return Ok(None);
        };
        let mut aside = State::new(self.table().clone());
        aside.table.forget_reads();
        aside.altering = Some(Vec::new());
        let said = script::costs(&self.host, &mut aside, &named.function, decision.seat, choice);
        if !aside.table.is_read_as_known(decision.seat) {
            return Ok(None);
        }
        let mut parts = parts_of(&said.map_err(Box::new)?);
        let written = self.host.part_order();
        parts.sort_by_key(|(name, _)| {
            written.iter().position(|known| name.as_deref() == Some(&**known)).unwrap_or(written.len())
        });
        let altered = aside.altering.take().unwrap_or_default().into_iter().filter_map(|(piece, alteration)| {
            let made = match alteration.set.as_ref().map(Choice::from) {
                Some(Choice::Number(set)) => Altered::Set(set),
                _ if alteration.multiply != 1 => Altered::Multiplied(alteration.multiply),
                _ if alteration.add != 0 => Altered::Added(alteration.add),
                _ => return None,
            };
            Some((aside.table.component(piece), made))
        });
        let mut once: Vec<(ComponentId, Altered)> = Vec::new();
        for one in altered.collect::<Vec<_>>() {
            if !once.contains(&one) {
                once.push(one);
            }
        }
        Ok((!parts.is_empty()).then_some(Costs { parts, altered: once }))
    }
}

/// Returns the numbers in the return value of a function. Parts that are not numbers are omitted.
fn parts_of(said: &Choice) -> Vec<(Option<Arc<str>>, i64)> {
    match said {
        Choice::Number(number) => vec![(None, *number)],
        Choice::Parts(parts) => {
            let numbers = parts.iter().filter_map(|(name, part)| match part {
                Choice::Number(number) => Some((Some(Arc::from(&**name)), *number)),
                _ => None,
            });
            numbers.collect()
        }
        _ => Vec::new(),
    }
}

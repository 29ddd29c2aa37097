//! The agents of a contest, and the faults of its games.

use super::check::count_text;
use super::output::{Failure, Output};
use crate::agents::Spec;
use crate::session::quoted;
use crate::simulation::{Contest, ContestResult};

/// Different agents, and the entrants as indices into them.
pub(super) struct Entrants {
    pub(super) names: Vec<String>,
    pub(super) specs: Vec<Spec>,
    pub(super) indices: Vec<usize>,
}

/// Prints each fault with a command that repeats it.
pub(super) fn print_faults(
    field: &Entrants,
    contest: &Contest,
    ladder: &ContestResult,
    output: &mut Output,
) -> Result<(), Failure> {
    for fault in &ladder.faults {
        output.remark(format!("\n{} with this fault; the first:", count_text(fault.count as usize, "game")))?;
        let Some(mut first) = fault.first.clone() else { continue };
        if let Some(command) = &mut first.reproduce {
            // The agent of an automa's seat is never asked, but the command must name one.
            let name = |agent: Option<usize>| agent.map_or("first", |agent| &*field.names[agent]);
            let agents: Vec<&str> = contest.seated(fault.game).into_iter().map(name).collect();
            command.extend([" --agents ", &quoted(&agents.join(","))]);
        }
        output.diagnostic(&first)?;
    }
    Ok(())
}

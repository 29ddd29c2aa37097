//! Agents of a contest, its faults, and its JSON document.

use super::check::count_text;
use super::output::{Failure, Output};
use super::run::fault_document;
use crate::agents::Spec;
use crate::session::{Game, quoted};
use crate::simulation::{Contest, ContestResult};
use serde_json::{Value, json};

/// Entrants of a contest. An agent may enter several times, so entrants are stored as indices into the list of different agents.
pub(super) struct Entrants {
    /// Names of the different agents.
    pub(super) names: Vec<String>,
    /// Parsed specifications of the agents; empty if no games are played.
    pub(super) specs: Vec<Spec>,
    /// Index of the agent of each entrant.
    pub(super) indices: Vec<usize>,
}

/// Returns the JSON document of a contest, with its standings under the key `name`.
pub(super) fn contest_document(
    game: &Game,
    contest: &Contest,
    result: &ContestResult,
    name: &str,
    standings: &[Value],
) -> Value {
    let faults = result.faults.iter().map(
        |fault| json!({ "count": fault.count, "seed": fault.seed, "first": fault.first.as_ref().map(fault_document) }),
    );
    json!({
        "format": 1,
        "game": game.id(),
        "players": contest.setup.seats,
        "seed": contest.seed,
        "asked": contest.games,
        "games": result.games,
        "finished": result.finished,
        "stopped_early": result.stopped,
        (name): standings,
        "faults": faults.collect::<Vec<_>>(),
    })
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

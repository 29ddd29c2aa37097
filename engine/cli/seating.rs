//! Who sits where at the table: as was asked for, as a kept game says, or as is usual.

use super::arguments::parse_agents;
use super::output::{Failure, usage};
use crate::agents::{self, Spec};
use crate::diagnostic::Role;
use crate::model::Seat;
use crate::playscript::{OTHER, PERSON};
use crate::session::{Game, Player, Setup, quoted};

/// Who sits in a seat: nobody but a person, where there is no agent.
pub(super) type Sitting = Option<Box<dyn Player>>;

/// The sorts of agents that read a file or start a program: a file may come from a stranger, and must not say so.
const NOT_IN_FILES: [&str; 4] = ["cmd:", "cmd=", "script:", "playscript:"];

/// Who sits in each seat.
pub(super) struct Seating {
    names: Vec<String>,
    specs: Vec<Option<Spec>>,
}

impl Seating {
    /// As `given`, or else as in a `kept` game that a person sat at, or else a person first and agents in the other seats.
    pub(super) fn new(given: &[String], kept: &[String], game: &Game, setup: &Setup) -> Result<Self, Failure> {
        let seats = setup.seats as usize;
        if !given.is_empty() && given.len() != seats {
            let count = given.len();
            return Err(usage(format!("`--agents` names {count} for {seats} seats: name one for each seat")));
        }
        let names = if !given.is_empty() {
            given.to_vec()
        } else if kept.iter().any(|name| name == PERSON) {
            as_kept(kept, game, setup)?
        } else {
            usual(game, setup)
        };
        let spec = |name: &String| match name.as_str() {
            PERSON => Ok(None),
            _ => Ok(parse_agents(game, std::slice::from_ref(name))?.pop()),
        };
        let specs = names.iter().map(spec).collect::<Result<_, Failure>>()?;
        Ok(Self { names, specs })
    }

    /// Everybody who sits there, agents anew.
    pub(super) fn players(&self, seed: u64) -> Vec<Sitting> {
        let player = |(seat, spec): (usize, &Option<Spec>)| spec.as_ref().map(|spec| spec.player(seed, seat));
        self.specs.iter().enumerate().map(player).collect()
    }

    /// The names as a kept game says them: of some only that it is another.
    pub(super) fn written(&self) -> Vec<String> {
        let written = |name: &String| {
            let is_hidden =
                NOT_IN_FILES.iter().any(|sort| name.starts_with(sort)) || name.contains(char::is_whitespace);
            if is_hidden { OTHER.to_owned() } else { name.clone() }
        };
        self.names.iter().map(written).collect()
    }

    /// What a command needs to seat the same, beside what the kept game says.
    pub(super) fn words(&self) -> String {
        if self.written() == self.names {
            return String::new();
        }
        format!(" --agents {}", quoted(&self.names.join(",")))
    }
}

/// Who sat there when the game was kept: whoever the file does not name plays by lot, as in plays.
fn as_kept(kept: &[String], game: &Game, setup: &Setup) -> Result<Vec<String>, Failure> {
    let layout = game.layout(setup);
    let own = layout.map(|layout| layout.model.agents.clone()).unwrap_or_default();
    let name = |seat: usize| match kept {
        [one] => one.clone(),
        several => several.get(seat).cloned().unwrap_or_else(|| "random".to_owned()),
    };
    let names: Vec<String> = (0..setup.seats as usize).map(name).collect();
    for (seat, name) in names.iter().enumerate().filter(|(_, name)| *name != PERSON) {
        if name == OTHER {
            let message =
                format!("the file does not name the agent of {}: a program, or a file", setup.name(Seat(seat as u8)));
            let words: Vec<&str> = names.iter().map(|name| if name == OTHER { "…" } else { name }).collect();
            return Err(Failure::Usage(message, Some(format!("say who sits where: `--agents {}`", words.join(",")))));
        }
        agents::in_play(&own, name, setup.seed, seat).map_err(|found| {
            let help = "say who sits where with `--agents`".to_owned();
            Failure::Usage(format!("the file seats `{name}`: {}", found.message), Some(help))
        })?;
    }
    Ok(names)
}

/// A person first, and the game's own agent in the other seats.
fn usual(game: &Game, setup: &Setup) -> Vec<String> {
    let own = game.layout(setup).ok().and_then(|layout| {
        let path = layout.model.agents.first()?.path.clone();
        Some(Role::Agent.name(&path).to_owned())
    });
    let agent = own.unwrap_or_else(|| "search:200".to_owned());
    let others = std::iter::repeat_n(agent, (setup.seats as usize).saturating_sub(1));
    std::iter::once(PERSON.to_owned()).chain(others).collect()
}

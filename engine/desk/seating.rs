//! Assignment of agents and persons to seats: as requested, as in a saved game, or the default.

use super::agents::parse_agents;
use super::refusal::Refusal;
use crate::agents::{self, Spec};
use crate::diagnostic::Role;
use crate::model::Seat;
use crate::playscript::{OTHER, PERSON};
use crate::session::{Game, Player, Setup};

/// The agent in a seat, or `None` for a person.
pub(crate) type SeatAgent = Option<Box<dyn Player>>;

/// Reason why the seats cannot be assigned.
#[derive(Debug)]
pub(crate) enum SeatingError {
    /// The number of names differs from the number of seats.
    Count { given: usize, seats: usize },
    /// The agent of a seat is a program or a file, usually recorded as [`OTHER`]. A saved game cannot provide such an agent.
    Unnamed { seat: String, names: Vec<String> },
    /// The saved game names an agent that does not exist or is not valid.
    Unknown { name: String, why: String },
    /// A name is not a valid agent specification.
    Refused(Refusal),
}

impl SeatingError {
    /// Returns the message.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Count { given, seats } => {
                format!("{given} agents are listed for {seats} seats: list one for each seat")
            }
            Self::Unnamed { seat, .. } => format!("the file does not name the agent of {seat}: a program, or a file"),
            Self::Unknown { name, why } => format!("the file lists the agent `{name}`: {why}"),
            Self::Refused(refusal) => refusal.message.clone(),
        }
    }
}

impl From<Refusal> for SeatingError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Assignment of agents and persons to seats.
#[derive(Clone)]
pub(crate) struct Seating {
    names: Vec<String>,
    specs: Vec<Option<Spec>>,
}

impl Seating {
    /// Assigns the seats as listed in `given`, unless it is empty. Otherwise uses the agents of a saved game (`kept`) if a person took part
    /// in it, and the default assignment if not.
    pub(crate) fn new(given: &[String], kept: &[String], game: &Game, setup: &Setup) -> Result<Self, SeatingError> {
        let seats = setup.seats as usize;
        if !given.is_empty() && given.len() != seats {
            return Err(SeatingError::Count { given: given.len(), seats });
        }
        let mut names = if !given.is_empty() {
            given.to_vec()
        } else if kept.iter().any(|name| name == PERSON) {
            names_of_saved(kept, game, setup)?
        } else {
            default_names(game, setup)
        };
        // The rules play the seats of automas, so nobody is asked there. Such a seat can have any agent, but not a person.
        for seat in automas(game, setup) {
            if let Some(name) = names.get_mut(seat.index()).filter(|name| *name == PERSON) {
                "random".clone_into(name);
            }
        }
        let spec = |name: &String| match name.as_str() {
            PERSON => Ok(None),
            _ => Ok(parse_agents(game, std::slice::from_ref(name))?.pop()),
        };
        let specs = names.iter().map(spec).collect::<Result<_, Refusal>>()?;
        Ok(Self { names, specs })
    }

    /// Creates a new agent for each seat that is not assigned to a person.
    pub(crate) fn players(&self, seed: u64) -> Vec<SeatAgent> {
        let player = |(seat, spec): (usize, &Option<Spec>)| spec.as_ref().map(|spec| spec.player(seed, seat));
        self.specs.iter().enumerate().map(player).collect()
    }

    /// Returns the specifications of all seats.
    #[cfg(feature = "page")]
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Assigns a seat to an agent or a person.
    #[cfg(feature = "page")]
    pub(crate) fn give(&mut self, seat: Seat, name: &str, game: &Game) -> Result<(), Refusal> {
        let spec = match name {
            PERSON => None,
            _ => parse_agents(game, &[name.to_owned()])?.pop(),
        };
        name.clone_into(&mut self.names[seat.index()]);
        self.specs[seat.index()] = spec;
        Ok(())
    }

    /// Moves each player to the previous seat, and the player in the first seat to the last one.
    #[cfg(feature = "page")]
    pub(crate) fn rotate(&mut self) {
        self.names.rotate_left(1);
        self.specs.rotate_left(1);
    }

    /// Returns whether an agent plays a seat.
    #[cfg(feature = "page")]
    pub(crate) fn is_agent(&self, seat: Seat) -> bool {
        self.specs[seat.index()].is_some()
    }

    /// Returns the names for a saved game. Programs and files are replaced by [`OTHER`], because the user may pass the saved game on.
    pub(crate) fn names_to_save(&self) -> Vec<String> {
        let name_to_save = |name: &String| {
            let is_hidden = agents::is_outside(name) || name.contains(char::is_whitespace);
            if is_hidden { OTHER.to_owned() } else { name.clone() }
        };
        self.names.iter().map(name_to_save).collect()
    }

    /// Returns the names for web pages. For programs and files, omits folders and arguments.
    #[cfg(feature = "page")]
    pub(crate) fn shown(&self) -> Vec<String> {
        self.names.iter().map(|name| shown_name(name)).collect()
    }

    /// Returns the names if a saved game would not contain all of them.
    pub(crate) fn names_if_unsaved(&self) -> Option<&[String]> {
        (self.names_to_save() != self.names).then_some(&self.names)
    }
}

/// Returns a specification without the folders of a file and the arguments of a program.
#[cfg(feature = "page")]
fn shown_name(name: &str) -> String {
    let outside = name.split_once(':').filter(|_| agents::is_outside(name));
    let Some((sort, argument)) = outside else { return name.to_owned() };
    let first = argument.split_whitespace().next().unwrap_or_default();
    let file = first.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{}:{file}", sort.split('=').next().unwrap_or_default().trim())
}

/// Returns the agents and persons of a saved game. A single name in `kept` applies to all seats. Otherwise, seats without a name are played
/// at random, as in playscripts.
///
/// # Errors
/// Returns an error if an agent is a program or a file, or does not exist.
fn names_of_saved(kept: &[String], game: &Game, setup: &Setup) -> Result<Vec<String>, SeatingError> {
    let layout = game.layout(setup);
    let own = layout.map(|layout| layout.model.agents.clone()).unwrap_or_default();
    let name = |seat: usize| match kept {
        [one] => one.clone(),
        several => several.get(seat).cloned().unwrap_or_else(|| "random".to_owned()),
    };
    let names: Vec<String> = (0..setup.seats as usize).map(name).collect();
    for (seat, name) in names.iter().enumerate().filter(|(_, name)| *name != PERSON) {
        if name == OTHER || agents::is_outside(name) {
            let seat = setup.name(Seat(seat as u8)).to_owned();
            return Err(SeatingError::Unnamed { seat, names });
        }
        agents::in_play(&own, name, setup.seed, seat)
            .map_err(|found| SeatingError::Unknown { name: name.clone(), why: found.message.clone() })?;
    }
    Ok(names)
}

/// Returns the default assignment: a person in the first seat that the rules do not play, and in the others the game's first agent, or a
/// search if the game has none.
fn default_names(game: &Game, setup: &Setup) -> Vec<String> {
    let own = game.layout(setup).ok().and_then(|layout| {
        let path = layout.model.agents.first()?.path.clone();
        Some(Role::Agent.name(&path).to_owned())
    });
    let agent = own.unwrap_or_else(|| "search:200".to_owned());
    let mut names = vec![agent; usize::from(setup.seats)];
    let automas = automas(game, setup);
    let first = (0..names.len()).find(|seat| !automas.contains(&Seat(*seat as u8)));
    PERSON.clone_into(&mut names[first.unwrap_or(0)]);
    names
}

/// Returns the seats that the rules play.
fn automas(game: &Game, setup: &Setup) -> Vec<Seat> {
    game.layout(setup).map(|layout| layout.model.automas.clone()).unwrap_or_default()
}

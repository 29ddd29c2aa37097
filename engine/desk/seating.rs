//! Who sits where at the table: as was asked for, as a kept game says, or as is usual.

use super::agents::written;
use super::refusal::Refusal;
use crate::agents::{self, Spec};
use crate::diagnostic::Role;
use crate::model::Seat;
use crate::playscript::{OTHER, PERSON};
use crate::session::{Game, Player, Setup};

/// Who sits in a seat: nobody but a person, where there is no agent.
pub(crate) type Sitting = Option<Box<dyn Player>>;

/// Why nobody sits down.
pub(crate) enum Unseated {
    /// So many are named for so many seats.
    Count { given: usize, seats: usize },
    /// The kept game does not say who sat in a seat, by its name: `OTHER` among the names.
    Unnamed { seat: String, names: Vec<String> },
    /// The kept game names an agent that is not there.
    Unknown { name: String, why: String },
    /// One of the names is none.
    Refused(Refusal),
}

impl Unseated {
    /// What is wrong.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Count { given, seats } => format!("{given} are named for {seats} seats: name one for each seat"),
            Self::Unnamed { seat, .. } => format!("the file does not name the agent of {seat}: a program, or a file"),
            Self::Unknown { name, why } => format!("the file seats `{name}`: {why}"),
            Self::Refused(refusal) => refusal.message.clone(),
        }
    }
}

impl From<Refusal> for Unseated {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Who sits in each seat.
#[derive(Clone)]
pub(crate) struct Seating {
    names: Vec<String>,
    specs: Vec<Option<Spec>>,
}

impl Seating {
    /// As `given`, or else as in a `kept` game that a person sat at, or else a person first and agents in the other seats.
    pub(crate) fn new(given: &[String], kept: &[String], game: &Game, setup: &Setup) -> Result<Self, Unseated> {
        let seats = setup.seats as usize;
        if !given.is_empty() && given.len() != seats {
            return Err(Unseated::Count { given: given.len(), seats });
        }
        let mut names = if !given.is_empty() {
            given.to_vec()
        } else if kept.iter().any(|name| name == PERSON) {
            as_kept(kept, game, setup)?
        } else {
            usual(game, setup)
        };
        // No person sits where the rules play: the agent that is named there is never asked.
        for seat in automas(game, setup) {
            if let Some(name) = names.get_mut(seat.index()).filter(|name| *name == PERSON) {
                "random".clone_into(name);
            }
        }
        let spec = |name: &String| match name.as_str() {
            PERSON => Ok(None),
            _ => Ok(written(game, std::slice::from_ref(name))?.pop()),
        };
        let specs = names.iter().map(spec).collect::<Result<_, Refusal>>()?;
        Ok(Self { names, specs })
    }

    /// Everybody who sits there, agents anew.
    pub(crate) fn players(&self, seed: u64) -> Vec<Sitting> {
        let player = |(seat, spec): (usize, &Option<Spec>)| spec.as_ref().map(|spec| spec.player(seed, seat));
        self.specs.iter().enumerate().map(player).collect()
    }

    /// What each seat was given to, as it was written.
    #[cfg(feature = "web")]
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Gives a seat to an agent, or to a person.
    #[cfg(feature = "web")]
    pub(crate) fn give(&mut self, seat: Seat, name: &str, game: &Game) -> Result<(), Refusal> {
        let spec = match name {
            PERSON => None,
            _ => written(game, &[name.to_owned()])?.pop(),
        };
        name.clone_into(&mut self.names[seat.index()]);
        self.specs[seat.index()] = spec;
        Ok(())
    }

    /// Whether an agent sits in a seat.
    #[cfg(feature = "web")]
    pub(crate) fn is_agent(&self, seat: Seat) -> bool {
        self.specs[seat.index()].is_some()
    }

    /// The names as a kept game says them: of some only that it is another.
    pub(crate) fn written(&self) -> Vec<String> {
        let written = |name: &String| {
            let is_hidden = agents::is_outside(name) || name.contains(char::is_whitespace);
            if is_hidden { OTHER.to_owned() } else { name.clone() }
        };
        self.names.iter().map(written).collect()
    }

    /// The names as pages show them: of a program or a file no more than what it is called, without folders and arguments.
    #[cfg(feature = "web")]
    pub(crate) fn shown(&self) -> Vec<String> {
        self.names.iter().map(|name| shown_name(name)).collect()
    }

    /// The names, where a kept game does not say them all.
    pub(crate) fn unwritten(&self) -> Option<&[String]> {
        (self.written() != self.names).then_some(&self.names)
    }
}

#[cfg(feature = "web")]
fn shown_name(name: &str) -> String {
    let outside = name.split_once(':').filter(|_| agents::is_outside(name));
    let Some((sort, argument)) = outside else { return name.to_owned() };
    let first = argument.split_whitespace().next().unwrap_or_default();
    let file = first.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{}:{file}", sort.split('=').next().unwrap_or_default().trim())
}

/// Who sat there when the game was kept: a seat for which the file names no agent is played at random, as in plays.
fn as_kept(kept: &[String], game: &Game, setup: &Setup) -> Result<Vec<String>, Unseated> {
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
            return Err(Unseated::Unnamed { seat, names });
        }
        agents::in_play(&own, name, setup.seed, seat)
            .map_err(|found| Unseated::Unknown { name: name.clone(), why: found.message.clone() })?;
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
    let mut names = vec![agent; usize::from(setup.seats)];
    let automas = automas(game, setup);
    let first = (0..names.len()).find(|seat| !automas.contains(&Seat(*seat as u8)));
    PERSON.clone_into(&mut names[first.unwrap_or(0)]);
    names
}

/// The seats that the rules play.
fn automas(game: &Game, setup: &Setup) -> Vec<Seat> {
    game.layout(setup).map(|layout| layout.model.automas.clone()).unwrap_or_default()
}

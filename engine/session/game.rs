//! A game that can be played: where its models come from, and how its rules are run.

use crate::diagnostic::{Diagnostics, Source};
use crate::model::{Model, Setup};
use crate::script::Host;
use crate::table::Layout;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the models of a game come from: its files, for whatever is chosen before play.
pub trait Models: Send + Sync {
    /// The model for a number of seats, options and overrides.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics>;
    /// The same of a game in which nothing is wrong but that its flow is not written yet.
    fn sketch(&self, setup: &Setup) -> Option<Model>;
    /// The fewest and the most seats.
    fn players(&self) -> RangeInclusive<u8>;
    /// The word for the game.
    fn id(&self) -> &str;
    /// What the user calls its folder, for commands.
    fn path(&self) -> &str;
    /// Every option with the values worth trying.
    fn option_values(&self) -> Vec<(String, Vec<String>)>;
    /// The files of the game's own agents.
    fn agents(&self) -> &[Arc<Source>];
    /// The bytes of a file among the faces, by its name: no more than so many and one; nothing where there is none.
    fn picture(&self, name: &str, largest: usize) -> Option<Vec<u8>>;
    /// What is wrong with the data whatever is chosen, and what the author should look at though the game can be played.
    fn warnings(&self) -> Diagnostics;
}

type Key = (u8, Vec<(String, String)>, Vec<(String, String)>);

/// How the rules of a game are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Compiled: by the machine.
    Compiled,
    /// By the script engine, which walks their tree.
    #[cfg(feature = "walker")]
    Walked,
    /// By the machine, noting which statements ran.
    Watched,
}

/// A loaded game: its models are built when they are first asked for.
#[derive(Clone)]
pub struct Game {
    models: Arc<dyn Models>,
    runs: Runs,
    layouts: Arc<Mutex<Vec<(Key, Arc<Layout>)>>>,
    hosts: Arc<Mutex<Vec<Compiled>>>,
    holds_invariants: bool,
}

/// Compiled rules, with the fingerprint of their model, and how they are run.
type Compiled = ((u64, Runs), Arc<Host>);

/// How many compiled variants a game keeps.
const KEPT: usize = 16;

impl Game {
    /// A game with these models.
    pub fn new(models: Arc<dyn Models>) -> Self {
        Self { models, runs: Runs::Compiled, layouts: Arc::default(), hosts: Arc::default(), holds_invariants: false }
    }

    /// The same game with rules that are watched: its sessions can say which statements ran. No other game is watched with it.
    #[must_use]
    pub fn watched(&self) -> Self {
        Self { runs: Runs::Watched, ..self.apart() }
    }

    /// The same game with compiled rules of its own, for a thread that plays many games: each step counts references to the rules, and
    /// threads that count the same ones wait for each other.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { hosts: Arc::default(), ..self.clone() }
    }

    #[cfg(feature = "walker")]
    /// The same game with rules whose tree is walked instead of compiled: every result is to be the same.
    #[must_use]
    pub fn walked(&self) -> Self {
        Self { runs: Runs::Walked, ..self.clone() }
    }

    /// Whether the rules are walked.
    #[cfg(feature = "walker")]
    pub(super) fn is_walked(&self) -> bool {
        self.runs == Runs::Walked
    }

    /// The same game, whose playouts ask at every decision and at the end whether the invariants of the rules hold. This
    /// takes time: as much as the invariants look at.
    #[must_use]
    pub fn holding_invariants(mut self) -> Self {
        self.holds_invariants = true;
        self
    }

    /// Whether playouts ask if the invariants of the rules hold.
    pub(super) fn holds_invariants(&self) -> bool {
        self.holds_invariants
    }

    /// The word for the game.
    pub fn id(&self) -> &str {
        self.models.id()
    }

    /// What the user calls its folder, for commands.
    pub fn path(&self) -> &str {
        self.models.path()
    }

    /// The fewest and the most seats.
    pub fn players(&self) -> RangeInclusive<u8> {
        self.models.players()
    }

    /// Every option with the values worth trying.
    pub fn option_values(&self) -> Vec<(String, Vec<String>)> {
        self.models.option_values()
    }

    /// What is wrong with the data whatever is chosen, and what the author should look at though the game can be played. The first time
    /// this looks at every variant.
    pub fn warnings(&self) -> Diagnostics {
        self.models.warnings()
    }

    /// The files of the game's own agents.
    pub fn agents(&self) -> &[Arc<Source>] {
        self.models.agents()
    }

    /// The bytes of a file among the faces, by its name: no more than so many and one; nothing where there is none.
    pub fn picture(&self, name: &str, largest: usize) -> Option<Vec<u8>> {
        self.models.picture(name, largest)
    }

    /// Looks at an agent's file beside the rules for what was chosen. What is wrong with the rules is told where they are played.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn check_agent(&self, setup: &Setup, source: &Arc<Source>) -> Result<(), Diagnostics> {
        self.host(setup).map_or(Ok(()), |(_, host)| host.advice(source).map(drop))
    }

    /// The table's layout for what was chosen.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    pub fn layout(&self, setup: &Setup) -> Result<Arc<Layout>, Diagnostics> {
        let key = (setup.seats, setup.options.clone(), setup.data());
        let mut layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, layout)) = layouts.iter().find(|(known, _)| *known == key) {
            return Ok(layout.clone());
        }
        let layout = Arc::new(Layout::new(Arc::new(self.models.model(setup)?)));
        layouts.push((key, layout.clone()));
        Ok(layout)
    }

    /// How what is in the box lies before anybody has written what happens: nothing of a game that has a flow, or other mistakes. It is to be
    /// looked at, and not played.
    pub fn sketch(&self, setup: &Setup) -> Option<Layout> {
        self.models.sketch(setup).map(|model| Layout::new(Arc::new(model)))
    }

    /// The compiled rules for what was chosen.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    pub fn host(&self, setup: &Setup) -> Result<(Arc<Layout>, Arc<Host>), Diagnostics> {
        let layout = self.layout(setup)?;
        let key = (layout.model.fingerprint, self.runs);
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, host)) = hosts.iter().find(|(known, _)| *known == key) {
            return Ok((layout, host.clone()));
        }
        let model = layout.model.clone();
        let host = Arc::new(match self.runs {
            Runs::Compiled => Host::new(model)?,
            #[cfg(feature = "walker")]
            Runs::Walked => Host::interpreted(model)?,
            Runs::Watched => Host::recording_coverage(model)?,
        });
        if hosts.len() >= KEPT {
            hosts.remove(0);
        }
        hosts.push((key, host.clone()));
        Ok((layout, host))
    }
}

//! Loaded games: a source of models, and the compiled rules for each.

use super::recent_variants::RecentVariants;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::model::{Model, Setup};
use crate::script::{FunctionLog, Host, LoggedFunction};
use crate::table::Layout;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Source of the models of a game, one for each setup.
pub trait Models: Send + Sync {
    /// Builds the model for a setup: its number of seats, its options and its overrides.
    ///
    /// # Errors
    /// Returns all mistakes in the files and in the setup.
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics>;
    /// Builds the model of a game whose only mistake is that its flow is missing. Returns `None` if the game has a flow or other mistakes.
    fn sketch(&self, setup: &Setup) -> Option<Model>;
    /// Returns the supported numbers of players.
    fn players(&self) -> RangeInclusive<u8>;
    /// Returns the id of the game.
    fn id(&self) -> &str;
    /// Returns the path of the game's folder as the user wrote it, for commands in messages.
    fn path(&self) -> &str;
    /// Returns each option with the values to try in a check.
    fn option_values(&self) -> Vec<(String, Vec<String>)>;
    /// Returns the files in the game's folder `agents/`.
    fn agents(&self) -> &[Arc<Source>];
    /// Reads a picture for the faces of components. Reads at most `largest + 1` bytes. Returns `None` if there is no file with this name.
    fn picture(&self, name: &str, largest: usize) -> Option<Vec<u8>>;
    /// Returns the warnings about the game, and the mistakes in the data that occur with every setup.
    fn warnings(&self) -> Diagnostics;
}

/// Key of a layout: the number of seats, the options and the changes to the data.
type LayoutKey = (u8, Vec<(String, String)>, Vec<(String, String)>);

/// Key of compiled rules: the fingerprint of the model and the execution mode.
type RulesKey = (u64, Runs);

/// Execution mode of the rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Compiled to bytecode.
    Compiled,
    /// Interpreted by the script engine.
    #[cfg(feature = "walker")]
    Walked,
    /// Compiled to bytecode that records which statements ran.
    Watched,
}

/// A loaded game. Its models are built on demand.
#[derive(Clone)]
pub struct Game {
    models: Arc<dyn Models>,
    runs: Runs,
    layouts: Arc<Mutex<RecentVariants<LayoutKey, Layout>>>,
    hosts: Arc<Mutex<RecentVariants<RulesKey, Host>>>,
    holds_invariants: bool,
    /// Counter of the operations of the rules; `None` if they are not counted.
    operations: Option<Arc<AtomicU64>>,
    /// Log of the functions that run; `None` if they are not recorded.
    functions: Option<Arc<FunctionLog>>,
}

impl Game {
    /// Creates a game with a source of models.
    pub fn new(models: Arc<dyn Models>) -> Self {
        Self {
            models,
            runs: Runs::Compiled,
            layouts: Arc::default(),
            hosts: Arc::default(),
            holds_invariants: false,
            operations: None,
            functions: None,
        }
    }

    /// Returns a copy whose sessions record which statements ran. The copy does not share its record with this game.
    #[must_use]
    pub fn watched(&self) -> Self {
        Self { runs: Runs::Watched, ..self.apart() }
    }

    /// Returns a copy with its own compiled rules, for a thread that plays many games. Each step updates the reference count of the rules,
    /// and threads that share the counter slow each other down.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self { hosts: Arc::default(), ..self.clone() }
    }

    #[cfg(feature = "walker")]
    /// Returns a copy whose rules are interpreted instead of compiled. Interpreted rules must give the same results as compiled ones.
    #[must_use]
    pub fn walked(&self) -> Self {
        Self { runs: Runs::Walked, ..self.clone() }
    }

    /// Returns whether the rules are interpreted.
    #[cfg(feature = "walker")]
    pub(super) fn is_walked(&self) -> bool {
        self.runs == Runs::Walked
    }

    /// Returns a copy whose playouts check the invariants of the rules at every decision and at the end.
    #[must_use]
    pub fn holding_invariants(mut self) -> Self {
        self.holds_invariants = true;
        self
    }

    /// Returns a copy that counts the operations of the rules, both in its games and in the worlds imagined during these games.
    #[must_use]
    pub fn counting_operations(&self) -> Self {
        Self { operations: Some(Arc::default()), ..self.apart() }
    }

    /// Returns a copy that records which functions of the rules run, both in its games and in the worlds imagined during these games. Copies
    /// of the copy add to the same record.
    #[must_use]
    pub fn recording_functions(&self) -> Self {
        Self { functions: Some(Arc::default()), ..self.apart() }
    }

    /// Returns the functions of the rules that have not run in any variant, by file and position. Returns nothing if functions are not
    /// recorded.
    pub fn unreached_functions(&self) -> Vec<LoggedFunction> {
        self.functions.as_ref().map(|log| log.unreached()).unwrap_or_default()
    }

    /// Returns the number of operations counted so far.
    pub fn operations(&self) -> u64 {
        self.operations.as_ref().map_or(0, |operations| operations.load(Ordering::Relaxed))
    }

    /// Returns whether playouts check the invariants of the rules.
    pub(super) fn holds_invariants(&self) -> bool {
        self.holds_invariants
    }

    /// Returns the id of the game.
    pub fn id(&self) -> &str {
        self.models.id()
    }

    /// Returns the path of the game's folder as the user wrote it, for commands in messages.
    pub fn path(&self) -> &str {
        self.models.path()
    }

    /// Returns the supported numbers of players.
    pub fn players(&self) -> RangeInclusive<u8> {
        self.models.players()
    }

    /// Returns each option with the values to try in a check.
    pub fn option_values(&self) -> Vec<(String, Vec<String>)> {
        self.models.option_values()
    }

    /// Returns the warnings about the game, and the mistakes in the data that occur with every setup. The first call examines every
    /// variant.
    pub fn warnings(&self) -> Diagnostics {
        self.models.warnings()
    }

    /// Returns the files in the game's folder `agents/`.
    pub fn agents(&self) -> &[Arc<Source>] {
        self.models.agents()
    }

    /// Reads a picture for the faces of components. Reads at most `largest + 1` bytes. Returns `None` if there is no file with this name.
    pub fn picture(&self, name: &str, largest: usize) -> Option<Vec<u8>> {
        self.models.picture(name, largest)
    }

    /// Checks an agent's file against the rules for a setup. Mistakes in the rules are not reported.
    ///
    /// # Errors
    /// Returns all mistakes in the file.
    pub fn check_agent(&self, setup: &Setup, source: &Arc<Source>) -> Result<(), Diagnostics> {
        self.host(setup).map_or(Ok(()), |(_, host)| host.advice(source).map(drop))
    }

    /// Returns the warnings about the game's agents. Skips agents with errors. Returns nothing if the game has errors.
    pub fn agent_warnings(&self, setup: &Setup) -> Vec<Diagnostic> {
        let Ok((_, host)) = self.host(setup) else { return Vec::new() };
        let agents = self.agents().iter().filter_map(|agent| host.advice(agent).ok());
        agents.flat_map(|advice| advice.warnings().to_vec()).collect()
    }

    /// Returns the table's layout for a setup.
    ///
    /// # Errors
    /// Returns all mistakes in the files and in the setup.
    pub fn layout(&self, setup: &Setup) -> Result<Arc<Layout>, Diagnostics> {
        let key = (setup.seats, setup.options.clone(), setup.data());
        let layouts = || self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = layouts().find(&key) {
            return Ok(layout);
        }
        // The lock is not held while a variant is built, so that threads can build several variants at the same time.
        let layout = Arc::new(Layout::new(Arc::new(self.models.model(setup)?)));
        let size = layout.model.approximate_bytes();
        Ok(layouts().keep(key, layout, size))
    }

    /// Returns the initial layout of a game that has no flow yet, to be viewed but not played. Returns `None` if the
    /// game has a flow, or if it has other mistakes.
    pub fn sketch(&self, setup: &Setup) -> Option<Layout> {
        self.models.sketch(setup).map(|model| Layout::new(Arc::new(model)))
    }

    /// Returns the layout and the compiled rules for a setup.
    ///
    /// # Errors
    /// Returns all mistakes in the files and in the setup.
    pub fn host(&self, setup: &Setup) -> Result<(Arc<Layout>, Arc<Host>), Diagnostics> {
        let layout = self.layout(setup)?;
        let key = (layout.model.fingerprint, self.runs);
        let hosts = || self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts().find(&key) {
            return Ok((layout, host));
        }
        let model = layout.model.clone();
        let host = match self.runs {
            Runs::Compiled => match &self.functions {
                Some(log) => Host::recording_functions(model, log.clone())?,
                None => Host::new(model)?,
            },
            #[cfg(feature = "walker")]
            Runs::Walked => Host::interpreted(model)?,
            Runs::Watched => Host::recording_coverage(model)?,
        };
        let host = Arc::new(match &self.operations {
            Some(operations) => host.counting(operations.clone()),
            None => host,
        });
        let size = layout.model.approximate_bytes();
        let host = hosts().keep(key, host, size);
        Ok((layout, host))
    }
}

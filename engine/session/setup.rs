//! A game that can be played, and what is chosen before it is.

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::script::Host;
use crate::table::Layout;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Who sits down, with which options, overrides and seed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// How many seats there are.
    pub seats: u8,
    /// Where chance begins.
    pub seed: u64,
    /// Options, by name.
    pub options: Vec<(String, String)>,
    /// Changed data, by path.
    pub sets: Vec<(String, String)>,
    /// What the players are called, in order of seats; [`Setup::name`] fills up.
    pub names: Vec<String>,
}

/// What players are called who have no name.
const NAMES: [&str; 16] =
    ["Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned", "Oda", "Pia"];

impl Setup {
    /// A table with so many seats, seed 0, and nothing changed.
    pub fn seats(seats: u8) -> Self {
        Self { seats, seed: 0, options: Vec::new(), sets: Vec::new(), names: Vec::new() }
    }

    /// The same with a seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same with an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> Self {
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same with changed data.
    #[must_use]
    pub fn set(mut self, path: &str, value: &str) -> Self {
        self.sets.push((path.to_owned(), value.to_owned()));
        self
    }

    /// The command that plays a game with this setup, for a person to copy.
    pub fn command(&self, game: &str) -> String {
        let options =
            self.options.iter().map(|(name, value)| format!(" --option {}", quoted(&format!("{name}={value}"))));
        let sets = self.sets.iter().map(|(path, value)| format!(" --set {}", quoted(&format!("{path}={value}"))));
        let more: String = options.chain(sets).collect();
        format!("parlour run {} --players {} --seed {}{more}", quoted(game), self.seats, self.seed)
    }

    /// What the player in a seat is called.
    pub fn name(&self, seat: crate::model::Seat) -> &str {
        self.names.get(seat.index()).map_or(NAMES[seat.index() % NAMES.len()], String::as_str)
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// Where the models of a game come from: its files, for whatever is chosen before play.
pub trait Models: Send + Sync {
    /// The model for a number of seats, options and overrides.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics>;
    /// The fewest and the most seats.
    fn players(&self) -> RangeInclusive<u8>;
    /// The word for the game.
    fn id(&self) -> &str;
    /// What its folder is called by whoever plays, for commands.
    fn path(&self) -> &str;
    /// Every option with the values worth trying.
    fn option_values(&self) -> Vec<(String, Vec<String>)>;
    /// What the author should look at, though the game can be played.
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
    holds_invariants: bool,
}

thread_local! {
    /// Each with the fingerprint of its model, and how its rules are run.
    static HOSTS: RefCell<Vec<((u64, Runs), Rc<Host>)>> = const { RefCell::new(Vec::new()) };
}

/// How many compiled games a thread keeps.
const KEPT: usize = 16;

impl Game {
    /// A game with these models.
    pub fn new(models: Arc<dyn Models>) -> Self {
        Self { models, runs: Runs::Compiled, layouts: Arc::default(), holds_invariants: false }
    }

    /// The same game with rules that are watched: its sessions can say which statements ran.
    #[must_use]
    pub fn watched(&self) -> Self {
        Self { runs: Runs::Watched, ..self.clone() }
    }

    #[cfg(feature = "walker")]
    /// The same game with rules whose tree is walked instead of compiled: everything is to come to the same.
    #[must_use]
    pub fn walked(&self) -> Self {
        Self { runs: Runs::Walked, ..self.clone() }
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

    /// What its folder is called by whoever plays.
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

    /// What the author should look at, though the game can be played.
    pub fn warnings(&self) -> Diagnostics {
        self.models.warnings()
    }

    /// The table's layout for what was chosen.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    pub fn layout(&self, setup: &Setup) -> Result<Arc<Layout>, Diagnostics> {
        let key = (setup.seats, setup.options.clone(), setup.sets.clone());
        let mut layouts = self.layouts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, layout)) = layouts.iter().find(|(known, _)| *known == key) {
            return Ok(layout.clone());
        }
        let layout = Arc::new(Layout::new(Arc::new(self.models.model(setup)?)));
        layouts.push((key, layout.clone()));
        Ok(layout)
    }

    /// The compiled rules for what was chosen, on this thread.
    ///
    /// # Errors
    /// Every mistake in the files, and in what was chosen.
    pub fn host(&self, setup: &Setup) -> Result<(Arc<Layout>, Rc<Host>), Diagnostics> {
        let layout = self.layout(setup)?;
        let key = (layout.model.fingerprint, self.runs);
        let kept =
            HOSTS.with_borrow(|hosts| hosts.iter().find(|(known, _)| *known == key).map(|(_, host)| host.clone()));
        if let Some(host) = kept {
            return Ok((layout, host));
        }
        let model = layout.model.clone();
        let host = Rc::new(match self.runs {
            Runs::Compiled => Host::new(model)?,
            #[cfg(feature = "walker")]
            Runs::Walked => Host::walking(model)?,
            Runs::Watched => Host::watched(model)?,
        });
        HOSTS.with_borrow_mut(|hosts| {
            if hosts.len() >= KEPT {
                hosts.remove(0);
            }
            hosts.push((key, host.clone()));
        });
        Ok((layout, host))
    }
}

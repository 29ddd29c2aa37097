//! Arguments that several commands share.

use super::interruption::is_aborted;
use super::output::{Failure, Output, usage};
use crate::agents::{AgentShelf, Interruptible, Spec, is_outside};
use crate::desk;
use crate::diagnostic::{find_invisible, shortened, unseen_message};
use crate::files::read_named;
use crate::model::{AUTOMA, Language, Model, Seat};
use crate::phrases::{Phrases, filled};
use crate::session::{Game, Halt, Player, Setup, quoted};
use crate::simulation::{Prospects, content_hash};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Arguments that select a game and change its settings.
#[derive(Args, Debug)]
pub(super) struct GameSelection {
    /// A folder, or the name of a game that comes with the program
    pub(super) game: String,
    #[command(flatten)]
    pub(super) changes: Changes,
}

/// Like [`GameSelection`], but for commands that can resume a run. The folder of the resumed run names the game.
#[derive(Args, Debug, Clone, Serialize, Deserialize)]
pub(super) struct ChosenOrResumed {
    /// A folder, or the name of a game that comes with the program
    #[arg(default_value = "", hide_default_value = true, required_unless_present = "resume")]
    pub(super) game: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) changes: Changes,
}

/// Arguments that change the settings of a game.
#[derive(Args, Debug, Clone, Serialize, Deserialize)]
pub(super) struct Changes {
    /// Set an option of the game; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Change a value in the game's data, such as `params.start_cash=25`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = pair)]
    sets: Vec<(String, String)>,
}

impl GameSelection {
    /// Returns the setup for a number of seats, without a seed.
    pub(super) fn setup(&self, seats: u8) -> Setup {
        self.changes.setup(seats)
    }
}

impl ChosenOrResumed {
    /// Creates the selection from the recorded arguments of a run.
    pub(super) fn new(game: String, options: Vec<(String, String)>, sets: Vec<(String, String)>) -> Self {
        Self { game, changes: Changes { options, sets } }
    }

    /// Returns the setup for a number of seats, without a seed.
    pub(super) fn setup(&self, seats: u8) -> Setup {
        self.changes.setup(seats)
    }
}

impl Changes {
    /// Returns the setup for a number of seats, without a seed.
    pub(super) fn setup(&self, seats: u8) -> Setup {
        Setup { options: self.options.clone(), sets: self.sets.clone(), ..Setup::seats(seats) }
    }
}

/// Arguments for the players and the setup, shared by all commands with human players.
#[derive(Args, Debug)]
pub(super) struct SeatedPlayers {
    #[command(flatten)]
    pub(super) changes: Changes,
    /// Number of players [default: the number of agents that `--agents` lists, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    pub(super) players: Option<u8>,
    /// Random seed: the same seed gives the same shuffles [default: a random one]
    #[arg(long, short, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Players by seat: `human` for a person, or an agent as for `parlour run`
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) agents: Vec<String>,
    /// Names of the players, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) names: Vec<String>,
}

impl SeatedPlayers {
    /// Returns the setup of a new game.
    pub(super) fn setup(&self, game: &Game) -> Result<Setup, Failure> {
        let named = u8::try_from(self.agents.len()).ok().filter(|count| *count > 0);
        let players = self.players.or(named).unwrap_or(*game.players().start());
        check_players(game, players)?;
        check_names(&self.names, players)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        Ok(Setup { names: self.names.clone(), ..self.changes.setup(players).seed(seed) })
    }

    /// Returns whether any argument is given that would change the setup of a saved game.
    #[cfg(feature = "web")]
    pub(super) fn chooses_setup(&self) -> bool {
        let Changes { options, sets } = &self.changes;
        let is_seated = self.players.is_some() || self.seed.is_some() || !self.names.is_empty();
        is_seated || !options.is_empty() || !sets.is_empty()
    }
}

/// Returns an unused file name for a new saved game. The name contains `seed` if it is given.
pub(super) fn unused_file(game: &Game, seed: Option<u64>) -> PathBuf {
    let number = |at: u32| if at == 1 { String::new() } else { format!("-{at}") };
    let seed = seed.map_or_else(String::new, |seed| format!("-{seed}"));
    let name = |at| PathBuf::from(format!("{}{seed}{}.play", game.id(), number(at)));
    (1..=u32::MAX).map(name).find(|file| file.symlink_metadata().is_err()).expect("there are many numbers")
}

/// Returns an unused file name for the next game of a campaign, derived from the file of the first game: `evening-2.play`,
/// `evening-3.play`.
pub(super) fn unused_file_beside(first: &Path) -> PathBuf {
    let part = |text: Option<&OsStr>| text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, ending) = (part(first.file_stem()), part(first.extension()));
    let name = |at: u32| {
        first.with_file_name(if ending.is_empty() { format!("{stem}-{at}") } else { format!("{stem}-{at}.{ending}") })
    };
    (2..=u32::MAX).map(name).find(|file| !Path::exists(file)).expect("there are many numbers")
}

/// Format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Format {
    /// Human-readable text
    #[default]
    Text,
    /// JSON, for other programs
    Json,
}

/// Maximum size in bytes of files that are hashed to detect changes of an agent's program.
const LARGEST_AGENT_FILE: u64 = 16 << 20;

/// The `--agents` argument: one agent for all seats, or one for each.
#[derive(Args, Debug, Serialize, Deserialize)]
pub(super) struct Agents {
    /// Agents that play: one for all seats, or one for each seat. `random`, `first`, `search:400` (playouts per decision),
    /// `search:50ms`, the name of a file in the game's `agents/`, `script:FILE`, `playscript:FILE` or `cmd:PROGRAM`
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "random")]
    #[expect(clippy::struct_field_names, reason = "it is the name of the option and of the key in manifests")]
    agents: Vec<String>,
    #[arg(skip)]
    #[serde(skip)]
    specs: OnceLock<Vec<Spec>>,
    /// Whether the names come from the command line. Names from a file must not start programs or read files.
    #[arg(skip = true)]
    #[serde(skip)]
    is_given: bool,
    /// Additional folder in which files of agents are looked up, for resumed runs.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

impl Agents {
    /// Parses the names of the agents, and checks that these agents can play the game with the given number of seats.
    pub(super) fn check(&self, game: &Game, seats: u8, output: &mut Output) -> Result<(), Failure> {
        let specs = self.read(game)?;
        if self.agents.len() != 1 && self.agents.len() != seats as usize {
            let given = self.agents.len();
            return Err(usage(format!("`--agents` lists {given} agents for {seats} seats: list 1 or {seats}")));
        }
        desk::agents::check(game, seats, &specs).map_err(|mistakes| output.mistakes(&mistakes))?;
        self.specs.get_or_init(|| specs);
        Ok(())
    }

    /// Parses the names of the agents without checking their number.
    pub(super) fn parse(&self, game: &Game) -> Result<(), Failure> {
        let specs = self.read(game)?;
        self.specs.get_or_init(|| specs);
        Ok(())
    }

    fn read(&self, game: &Game) -> Result<Vec<Spec>, Failure> {
        if let Some(outside) = self.agents.iter().find(|name| !self.is_given && is_outside(name)) {
            return Err(usage(format!("`{}` is not named by the command line", shortened(outside))));
        }
        Ok(desk::agents::parse_agents_from(game, &self.agents, self.base.as_deref())?)
    }

    /// Creates agents that the command line has named. Files are also looked up in `base`.
    pub(super) fn from_command_line(agents: Vec<String>, base: Option<PathBuf>) -> Self {
        Self { agents, specs: OnceLock::new(), is_given: true, base }
    }

    /// Creates agents from the names recorded in a run's folder. They never start programs or read files outside the game.
    pub(super) fn recorded(agents: Vec<String>) -> Self {
        Self { agents, specs: OnceLock::new(), is_given: false, base: None }
    }

    /// Returns the same agents for another version of the game, which may define them differently.
    pub(super) fn for_other_version(&self) -> Self {
        Self { agents: self.agents.clone(), specs: OnceLock::new(), is_given: self.is_given, base: self.base.clone() }
    }

    /// Returns the agent files of the game that the agents use, each with a hash. Does not read files outside the game.
    pub(super) fn own_files(&self, game: &Game) -> Vec<(String, String)> {
        let shelf = AgentShelf { agents: game.agents(), ..AgentShelf::EMPTY };
        let specs =
            self.agents.iter().filter(|name| !is_outside(name)).filter_map(|name| Spec::parse(name, &shelf).ok());
        let scripts = specs.filter_map(|spec| spec.script().cloned());
        scripts.map(|source| (source.path.clone(), content_hash(source.text.as_bytes()))).collect()
    }

    /// Returns the default number of players: the number of agents if several are named, otherwise the minimum of the game.
    pub(super) fn usual_seats(&self, game: &Game) -> u8 {
        self.seats().unwrap_or(*game.players().start())
    }

    /// Returns the number of agents, or `None` if a single agent plays all seats.
    pub(super) fn seats(&self) -> Option<u8> {
        u8::try_from(self.agents.len()).ok().filter(|count| *count > 1)
    }

    /// Returns the names of the agents as given.
    pub(super) fn list(&self) -> &[String] {
        &self.agents
    }

    /// Returns whether all seats choose at random.
    pub(super) fn are_all_random(&self) -> bool {
        self.agents.iter().all(|name| name == "random")
    }

    /// Returns the files that the agents use, without duplicates. Each file has a hash of its content.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let number = |(path, text): (&str, Option<&str>)| {
            let text = text.map(str::as_bytes).map(<[u8]>::to_vec);
            // Arguments of a command that are not files are skipped.
            let held = text.or_else(|| read_named(Path::new(path), LARGEST_AGENT_FILE).ok())?;
            Some((path.to_owned(), content_hash(&held)))
        };
        let mut files: Vec<_> =
            self.specs.get().into_iter().flatten().flat_map(Spec::files).filter_map(number).collect();
        files.sort();
        files.dedup();
        files
    }

    /// Returns the name of a seat's agent, or [`AUTOMA`] for the seat of an automa.
    pub(super) fn name_at<'a>(&'a self, model: &Model, seat: Seat) -> &'a str {
        if model.automas.contains(&seat) { AUTOMA } else { self.name(seat) }
    }

    /// Returns the name of a seat's agent.
    pub(super) fn name(&self, seat: Seat) -> &str {
        if self.agents.len() == 1 { &self.agents[0] } else { &self.agents[seat.index()] }
    }

    /// Creates the agent of a seat for the game with the given seed.
    pub(super) fn player(&self, seed: u64, seat: Seat) -> Box<dyn Player> {
        let specs = self.specs.get().expect("names of agents are checked before play");
        let spec = if specs.len() == 1 { &specs[0] } else { &specs[seat.index()] };
        Box::new(Interruptible::new(spec.player(seed, seat.index()), Halt::when(is_aborted)))
    }

    /// Returns the argument that selects the same agents, with a leading space; empty for random agents.
    pub(super) fn arguments(&self) -> String {
        if self.are_all_random() { String::new() } else { format!(" --agents {}", quoted(&self.agents.join(","))) }
    }
}

/// Largest number of players that `--players` accepts. The game's own limit is checked separately.
const MAX_PLAYERS: u64 = u8::MAX as u64;

/// Parses a number of players.
pub(super) fn players(text: &str) -> Result<u8, String> {
    number::<1, MAX_PLAYERS>(text).map(|number| number as u8)
}

/// Parses a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    number::<0, { u64::MAX }>(text)
}

/// Parses a number of games or other repetitions.
pub(super) fn times(text: &str) -> Result<u64, String> {
    number::<1, { u64::MAX }>(text)
}

/// Parses a number of concurrent jobs.
pub(super) fn jobs(text: &str) -> Result<u16, String> {
    number::<1, 1024>(text).map(|number| number as u16)
}

/// Parses an integer between two bounds, inclusive.
pub(super) fn number<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| match MOST {
        u64::MAX => format!("write a whole number from {LEAST}"),
        _ => format!("write a whole number from {LEAST} to {MOST}"),
    })
}

/// Parses a name and a value separated by `=`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write a name, `=` and a value".to_owned()),
    }
}

/// The `--lang` argument.
#[derive(Debug, Args)]
pub(super) struct LanguageArgument {
    /// Language of names and sentences
    #[arg(long, alias = "language", value_name = "TAG", default_value = Language::default().tag(), value_parser = languages())]
    pub lang: Language,
}

/// Returns the parser for language tags.
fn languages() -> impl TypedValueParser<Value = Language> {
    let tags = Language::ALL.map(Language::tag);
    PossibleValuesParser::new(tags).map(|tag| Language::from_tag(&tag).unwrap_or_default())
}

/// Returns the remark about the default number of players.
pub(super) fn players_remark(game: &Game, players: u8, language: Language) -> String {
    let range = game.players();
    let given: [(&str, &dyn Display); 4] =
        [("players", &players), ("game", &game.id()), ("least", range.start()), ("most", range.end())];
    filled(Phrases::for_language(language).story.usual_players, &given)
}

/// Returns the remark about the seed that was drawn.
pub(super) fn seed_remark(seed: u64, language: Language) -> String {
    filled(Phrases::for_language(language).story.seed, &[("seed", &seed)])
}

/// Checks a number of players against the game's limits.
pub(super) fn check_players(game: &Game, players: u8) -> Result<(), Failure> {
    check_range(game, &(players..=players))
}

/// Checks the ends of a range of player counts against the game's limits.
pub(super) fn check_range(game: &Game, players: &RangeInclusive<u8>) -> Result<(), Failure> {
    let range = game.players();
    if range.contains(players.start()) && range.contains(players.end()) {
        return Ok(());
    }
    let span = |range: &RangeInclusive<u8>, between: &str| match (range.start(), range.end()) {
        (min, max) if min == max => format!("{min}"),
        (min, max) => format!("{min}{between}{max}"),
    };
    let message = format!("`{}` is for {} players, not {}", game.id(), span(&range, " to "), span(players, " to "));
    let both = *range.start().max(players.start())..=*range.end().min(players.end());
    let wanted = match (both.is_empty(), players.start() == players.end()) {
        (false, _) => both,
        (true, true) => *range.start()..=*range.start(),
        (true, false) => range,
    };
    Err(Failure::Usage(message, Some(format!("give `--players {}`", span(&wanted, "..")))))
}

/// Checks the names of players, if any are given.
pub(super) fn check_names(names: &[String], players: u8) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    if names.len() > usize::from(u8::MAX) {
        return Err(usage(format!("`--names` has {} names for {players} players", names.len())));
    }
    if let Some(at) = names.iter().position(|name| name.trim().is_empty()) {
        return Err(usage(format!("name {} of `--names` is empty", at + 1)));
    }
    if let Some(name) = names.iter().find(|name| name.trim() != **name) {
        return Err(usage(format!("a player cannot be called `{name}`: remove the blanks around it")));
    }
    if names.len() != players as usize {
        return Err(usage(format!("`--names` has {} names for {players} players", names.len())));
    }
    if let Some((_, character)) = names.iter().find_map(|name| find_invisible(name)) {
        return Err(usage(format!("this cannot be the name of a player: {}", unseen_message(character))));
    }
    if let Some(name) =
        names.iter().find(|name| name.contains(['"', '/', '@', '+', '|', '=']) || name.contains(char::is_control))
    {
        return Err(usage(format!("a player cannot be called `{name}`: leave out `\"`, `/`, `@`, `+`, `|` and `=`")));
    }
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(usage(format!("`--names` has `{name}` twice: players need different names")));
        }
        // A reader of the log would take one of the two players for the other.
        if let Some(similar) = names[..at].iter().find(|other| other.to_lowercase() == name.to_lowercase()) {
            return Err(usage(format!("`{similar}` and `{name}` differ only in case: players need different names")));
        }
    }
    Ok(())
}

/// Returns an arbitrary seed below 1,000,000, derived from the clock.
pub(super) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 % 1_000_000
}

/// The `--campaign` argument.
#[derive(Args, Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct CampaignArgument {
    /// Play whole campaigns: a campaign counts as one game, with the result of its last game
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) campaign: bool,
}

impl CampaignArgument {
    /// Fails if `--campaign` is given for a game without a campaign.
    pub(super) fn check(self, game: &Game, model: &Model) -> Result<(), Failure> {
        if !self.campaign || model.campaign.is_some() {
            return Ok(());
        }
        let help = "declare `[campaign]` in `game.toml`, or leave out `--campaign` to play single games".to_owned();
        Err(Failure::Usage(format!("`{}` has no campaign", game.id()), Some(help)))
    }
}

/// The `--prospects` argument.
#[derive(Args, Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct ProspectsArgument {
    /// Also estimate the winner's chance of winning over the course of the game, and whether players who can no longer win decide who does.
    /// Plays N imagined worlds per estimate, such as 20, and takes many times as long
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(Prospects::LEAST)..=i64::from(Prospects::MOST)))]
    pub(super) prospects: Option<u32>,
}

impl ProspectsArgument {
    /// Returns the parameters for estimating win probabilities, or `None` without `--prospects`.
    pub(super) fn setting(self) -> Option<Prospects> {
        self.prospects.map(|worlds| Prospects { worlds })
    }
}

#[cfg(test)]
mod tests {
    use super::unused_file_beside;
    use std::path::Path;

    #[test]
    fn the_next_game_of_a_campaign_is_saved_beside_the_first() {
        assert_eq!(unused_file_beside(Path::new("kept/evening.play")), Path::new("kept/evening-2.play"));
        assert_eq!(unused_file_beside(Path::new("evening")), Path::new("evening-2"));
    }
}

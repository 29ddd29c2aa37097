//! What agents are called on the command line and in plays.

use super::message::DEADLINE;
use super::search::usual_knowledge;
use super::{
    Aim, Budget, Cores, FirstOption, Heuristic, Knowledge, Plan, Process, Random, Recorded, Recording, Search,
};
use crate::diagnostic::{Diagnostic, Role, Source, did_you_mean};
use crate::playscript::{self, PERSON};
use crate::session::{Player, RATE, functions_of};
use std::sync::Arc;
use std::time::Duration;

/// A sort of agents.
struct Sort {
    /// The word it is written with.
    word: &'static str,
    /// What stands behind a colon, as an example.
    behind: Option<&'static str>,
    /// Whether it is an agent by its word alone.
    is_plain: bool,
    /// Whether people are offered it, beside the agents of a game.
    is_offered: bool,
}

const fn sort(word: &'static str, behind: Option<&'static str>) -> Sort {
    Sort { word, behind, is_plain: false, is_offered: false }
}

/// The sorts of agents there are.
const SORTS: [Sort; 6] = [
    Sort { is_plain: true, is_offered: true, ..sort("random", None) },
    Sort { is_plain: true, ..sort("first", None) },
    Sort { is_plain: true, is_offered: true, ..sort("search", Some("400")) },
    sort("script", Some("FILE")),
    sort("playscript", Some("FILE")),
    sort("cmd", Some("PROGRAM")),
];

impl Sort {
    /// How one of them is written, with something behind the colon where it takes that.
    fn written(&self, behind: Option<&str>) -> String {
        behind.map_or_else(|| self.word.to_owned(), |behind| format!("{}:{behind}", self.word))
    }
}

/// The agents that people are offered who write none down: a game's own, and those that every game has, a search by so many playouts.
pub fn offered(own: &[Arc<Source>], playouts: u32) -> Vec<String> {
    let playouts = playouts.to_string();
    let of_all = SORTS.iter().filter(|sort| sort.is_offered).map(|sort| sort.written(sort.behind.map(|_| &*playouts)));
    own.iter().map(|source| name_of(source).to_owned()).chain(of_all).collect()
}

/// Who chooses for a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spec {
    /// Takes any option.
    Random,
    /// Takes the first option.
    First,
    /// Takes what a file rates highest.
    Heuristic(Arc<Source>),
    /// Looks ahead.
    Search(Plan),
    /// Asks a program, which has so long for each answer.
    Process(String, Duration),
    /// Does what was recorded.
    Recorded(Arc<Recording>),
}

/// Why there is no agent of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Unknown {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Where files of agents are found.
pub struct AgentShelf<'a> {
    /// Those of the game.
    pub agents: &'a [Arc<Source>],
    /// The text of any other file, or why it cannot be read.
    pub read: &'a dyn Fn(&str) -> Result<Arc<Source>, String>,
}

impl AgentShelf<'_> {
    /// A shelf without any file.
    pub const EMPTY: AgentShelf<'static> =
        AgentShelf { agents: &[], read: &|path| Err(format!("no files are read here: {path}")) };

    fn names(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().map(|source| name_of(source))
    }

    fn find(&self, name: &str) -> Option<&Arc<Source>> {
        self.agents.iter().find(|source| name_of(source) == name)
    }

    /// A file of the game's agents by its name, or any by its path.
    fn file(&self, name: &str) -> Result<Arc<Source>, Unknown> {
        match self.find(name) {
            Some(source) => Ok(source.clone()),
            None => (self.read)(name).map_err(Unknown::new),
        }
    }
}

/// What a file of an agent is called: `agents/trader.rhai` is `trader`.
fn name_of(source: &Source) -> &str {
    Role::Agent.name(&source.path)
}

impl Spec {
    /// The agent that is written so.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str, shelf: &AgentShelf<'_>) -> Result<Self, Unknown> {
        let text = text.trim();
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("script" | "playscript", Some("")) => {
                Err(Unknown::new(format!("`{text}` names no file")).help(format!("write `{text}FILE`")))
            }
            ("random", None) => Ok(Self::Random),
            ("first", None) => Ok(Self::First),
            ("search", rest) => plan(rest.unwrap_or_default(), shelf).map(Self::Search),
            ("script", Some(file)) => shelf.file(file).map(Self::Heuristic),
            (kind, Some(command)) if is_program(kind) => program(kind, command),
            ("playscript", Some(file)) => recording(file, shelf),
            (name, None) if shelf.find(name).is_some() => shelf.file(name).map(Self::Heuristic),
            _ => Err(unknown(text, shelf)),
        }
    }

    /// The files that it is made of, with what they hold; the words of a command, which may be files, without.
    pub fn files(&self) -> Vec<(&str, Option<&str>)> {
        match self {
            Self::Random | Self::First | Self::Search(Plan { knowledge: Knowledge::None, .. }) => Vec::new(),
            Self::Heuristic(source) | Self::Search(Plan { knowledge: Knowledge::File(source), .. }) => {
                vec![(&source.path, Some(&source.text))]
            }
            Self::Recorded(recording) => vec![(recording.file(), Some(recording.text()))],
            Self::Process(command, _) => command.split_whitespace().map(|word| (word, None)).collect(),
        }
    }

    /// The file in the language of the rules that it goes by, if it does.
    pub fn script(&self) -> Option<&Arc<Source>> {
        match self {
            Self::Heuristic(source) | Self::Search(Plan { knowledge: Knowledge::File(source), .. }) => Some(source),
            _ => None,
        }
    }

    /// The agent for a seat of a game with a seed.
    pub fn player(&self, seed: u64, seat: usize) -> Box<dyn Player> {
        let stream = format!("agent {seat}");
        match self {
            Self::Random => Box::new(Random::new(seed, &stream)),
            Self::First => Box::new(FirstOption),
            Self::Heuristic(source) => Box::new(Heuristic::new(source.clone(), seed, &stream)),
            Self::Search(plan) => Box::new(Search::new(plan.clone(), seed, &stream)),
            Self::Process(command, deadline) => Box::new(Process::new(command, seed, &stream).within(*deadline)),
            Self::Recorded(recording) => Box::new(Recorded::new(recording.clone())),
        }
    }
}

/// The agent that needs no file, for a seat of a game with a seed.
pub fn named(name: &str, seed: u64, seat: usize) -> Option<Box<dyn Player>> {
    Spec::parse(name, &AgentShelf::EMPTY).ok().map(|spec| spec.player(seed, seat))
}

/// The agent that a playscript names: one that needs no file, or one of the game's own. A playscript may come from a
/// stranger, so it starts no programs and reads no other files.
///
/// # Errors
///
/// What is wrong with the name, without a place.
pub fn in_play(own: &[Arc<Source>], name: &str, seed: u64, seat: usize) -> Result<Box<dyn Player>, Box<Diagnostic>> {
    let shelf = AgentShelf { agents: own, ..AgentShelf::EMPTY };
    let spec = match Spec::parse(name, &shelf) {
        Ok(Spec::Process(..)) => Err(Unknown::new(format!("a play starts no program, as `{name}` would"))),
        found => found,
    };
    let as_message = |unknown: Unknown| {
        let found = Diagnostic::error("unknown-agent", unknown.message);
        Box::new(Diagnostic { help: unknown.help, ..found })
    };
    spec.map(|spec| spec.player(seed, seat)).map_err(as_message)
}

fn unknown(text: &str, shelf: &AgentShelf<'_>) -> Unknown {
    let plain = SORTS.iter().filter(|sort| sort.is_plain).map(|sort| sort.word).chain([PERSON]).chain(shelf.names());
    let all = || shelf.names().map(str::to_owned).chain(SORTS.iter().map(|sort| sort.written(sort.behind)));
    let help = did_you_mean(text, plain)
        .unwrap_or_else(|| format!("the agents are `{}`", all().collect::<Vec<_>>().join("`, `")));
    Unknown::new(format!("there is no agent `{text}`")).help(help)
}

/// Returns whether a name stands for an agent that starts a program or reads a file outside of the game. Files may come from a
/// stranger, so only the command line may name one.
pub fn is_outside(name: &str) -> bool {
    let kind = name.trim_start().split(':').next().unwrap_or_default().trim();
    matches!(kind, "script" | "playscript") || is_program(kind)
}

/// Whether an agent of that sort is a program: `cmd`, or `cmd=60s` with the time it has for each answer.
fn is_program(kind: &str) -> bool {
    kind == "cmd" || kind.starts_with("cmd=")
}

fn program(kind: &str, command: &str) -> Result<Spec, Unknown> {
    let command = command.trim();
    if command.is_empty() {
        return Err(Unknown::new(format!("`{kind}:` names no program")).help(format!("write `{kind}:PROGRAM`")));
    }
    let Some(time) = kind.strip_prefix("cmd=") else { return Ok(Spec::Process(command.to_owned(), DEADLINE)) };
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0).map(u64::from);
    let milliseconds = time.strip_suffix("ms").and_then(number).map(Duration::from_millis);
    let deadline = milliseconds.or_else(|| time.strip_suffix('s').and_then(number).map(Duration::from_secs));
    let unknown =
        || Unknown::new(format!("`{time}` is no time")).help("write `cmd=60s:PROGRAM` or `cmd=500ms:PROGRAM`");
    Ok(Spec::Process(command.to_owned(), deadline.ok_or_else(unknown)?))
}

fn recording(file: &str, shelf: &AgentShelf<'_>) -> Result<Spec, Unknown> {
    let source = (shelf.read)(file).map_err(Unknown::new)?;
    let play = playscript::parse(&source).map_err(|mistakes| {
        Unknown::new(format!("`{file}` is not a playscript: {}", super::heuristic::all(&mistakes)))
    })?;
    Ok(Spec::Recorded(Arc::new(Recording::of(file, &source.text, &play))))
}

/// The words behind a search, with what they set. No file of an agent is called so: they are among the [`AGENT_WORDS`](crate::diagnostic::AGENT_WORDS).
const SEARCH_WORDS: [(&str, fn(&mut Plan)); 4] = [
    ("score", |plan| plan.aim = Aim::Score),
    ("plain", |plan| plan.knowledge = Knowledge::None),
    ("cores", |plan| plan.cores = Some(Cores::All)),
    ("weighed", |plan| plan.weighs = true),
];

/// Reads `400`, `50ms`, and words behind them: `score`, `plain`, `cores`, `cores=4`, `weighed`, and the name of a file of an agent.
fn plan(text: &str, shelf: &AgentShelf<'_>) -> Result<Plan, Unknown> {
    let mut plan = Plan {
        budget: Budget::Playouts(400),
        cores: None,
        aim: Aim::Win,
        knowledge: usual_knowledge(shelf.agents).map_or(Knowledge::None, Knowledge::File),
        weighs: false,
    };
    let words = || text.split(':').map(str::trim).filter(|word| !word.is_empty());
    for (what, is_so) in [
        ("budgets", (|word, _| word.starts_with(|c: char| c.is_ascii_digit())) as fn(&str, &AgentShelf<'_>) -> bool),
        ("numbers of cores", |word, _| word.split('=').next() == Some("cores")),
        ("files to go by", |word, shelf| word == "plain" || shelf.find(word).is_some()),
    ] {
        if let [one, other, ..] = words().filter(|word| is_so(word, shelf)).collect::<Vec<&str>>()[..] {
            let found = Unknown::new(format!("search has two {what}, `{one}` and `{other}`"));
            return Err(found.help("leave one of them out"));
        }
    }
    for word in words() {
        match SEARCH_WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, set)) => set(&mut plan),
            None => plan_word(word, &mut plan, shelf)?,
        }
    }
    let rates = |source: &Arc<Source>| functions_of(source).iter().any(|function| function.starts_with(RATE));
    if plan.weighs && !matches!(&plan.knowledge, Knowledge::File(source) if rates(source)) {
        let found = Unknown::new(
            "search weighs worlds by a file of the game's agents that rates options, and goes by none".to_owned(),
        );
        return Err(found.help("name one that has `rate_…`, as `search:400:trader:weighed`, or leave `weighed` out"));
    }
    Ok(plan)
}

fn plan_word(word: &str, plan: &mut Plan, shelf: &AgentShelf<'_>) -> Result<(), Unknown> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    if let Some(count) = word.strip_prefix("cores=").and_then(number).filter(|count| *count <= 256) {
        plan.cores = Some(Cores::Count(count as usize));
    } else if let Some(milliseconds) = word.strip_suffix("ms").and_then(number) {
        plan.budget = Budget::Milliseconds(milliseconds);
    } else if let Some(playouts) = number(word) {
        plan.budget = Budget::Playouts(playouts);
    } else if let Some(source) = shelf.find(word) {
        plan.knowledge = Knowledge::File(source.clone());
    } else if word.trim_end_matches("ms").bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(Unknown::new(format!("search cannot go on for `{word}`")).help(format!("write 1 to {}", u32::MAX)));
    } else {
        let help = "write `search:400` playouts or `search:50ms`, then `:score`, `:plain`, `:cores`, `:weighed` or a file of the game's agents";
        return Err(Unknown::new(format!("search knows no `{word}`")).help(help));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::AGENT_WORDS;
    use crate::playscript::OTHER;

    #[test]
    fn searches_are_written_with_their_budget_and_words() {
        let Ok(Spec::Search(plan)) = Spec::parse("search:50ms:score:cores=3", &AgentShelf::EMPTY) else { panic!() };
        assert_eq!(plan.budget, Budget::Milliseconds(50));
        assert_eq!((plan.aim, plan.cores, plan.knowledge), (Aim::Score, Some(Cores::Count(3)), Knowledge::None));
        let Ok(Spec::Search(plan)) = Spec::parse("search", &AgentShelf::EMPTY) else { panic!() };
        assert_eq!(plan.budget, Budget::Playouts(400));
        assert!(Spec::parse("search:fast", &AgentShelf::EMPTY).is_err());
        assert!(Spec::parse("search:0", &AgentShelf::EMPTY).is_err());
        let two = Spec::parse("search:400:50ms", &AgentShelf::EMPTY).unwrap_err();
        assert_eq!(two.message, "search has two budgets, `400` and `50ms`");
        for (text, message) in [
            ("search:400:cores:cores=2", "search has two numbers of cores, `cores` and `cores=2`"),
            ("search:5000000000", "search cannot go on for `5000000000`"),
            (
                "search:9:weighed",
                "search weighs worlds by a file of the game's agents that rates options, and goes by none",
            ),
            ("search:0ms", "search cannot go on for `0ms`"),
            ("script:", "`script:` names no file"),
        ] {
            assert_eq!(Spec::parse(text, &AgentShelf::EMPTY).unwrap_err().message, message);
        }
    }

    #[test]
    fn no_file_of_an_agent_is_called_as_what_stands_for_something_else() {
        let sorts = SORTS.iter().map(|sort| sort.word);
        let mut words: Vec<&str> = sorts.chain(SEARCH_WORDS.map(|(word, _)| word)).chain([PERSON, OTHER]).collect();
        words.sort_unstable();
        assert_eq!(words, AGENT_WORDS);
    }

    #[test]
    fn every_sort_of_agents_is_read_as_it_is_written() {
        for sort in &SORTS {
            let found = Spec::parse(&sort.written(sort.behind), &AgentShelf::EMPTY).map_err(|unknown| unknown.message);
            assert!(found.is_ok() || found == Err("no files are read here: FILE".to_owned()), "{found:?}");
            assert_eq!(Spec::parse(sort.word, &AgentShelf::EMPTY).is_ok(), sort.is_plain, "{}", sort.word);
        }
        assert_eq!(offered(&[], 50), ["random", "search:50"]);
    }

    #[test]
    fn a_program_may_be_given_its_time() {
        let time = |text| match Spec::parse(text, &AgentShelf::EMPTY) {
            Ok(Spec::Process(command, deadline)) => Ok((command, deadline.as_millis())),
            found => Err(found.err().map(|unknown| unknown.message)),
        };
        assert_eq!(time("cmd:python3 a.py"), Ok(("python3 a.py".to_owned(), 10_000)));
        assert_eq!(time("cmd=60s:a"), Ok(("a".to_owned(), 60_000)));
        assert_eq!(time("cmd=500ms:a"), Ok(("a".to_owned(), 500)));
        assert_eq!(time("cmd=1m:a"), Err(Some("`1m` is no time".to_owned())));
        assert_eq!(time("cmd=9s:"), Err(Some("`cmd=9s:` names no program".to_owned())));
    }

    #[test]
    fn an_agent_that_does_not_exist_is_not_guessed() {
        let unknown = Spec::parse("randm", &AgentShelf::EMPTY).unwrap_err();
        assert_eq!(unknown.help.as_deref(), Some("did you mean `random`?"));
        assert!(Spec::parse("cmd:", &AgentShelf::EMPTY).is_err());
    }
}

//! Agent specifications: strings that select agents on the command line and in playscripts.

use super::message::DEADLINE;
use super::search::usual_knowledge;
use super::{
    Budget, Cores, FirstOption, Heuristic, Knowledge, Plan, Process, Random, RecordedAgent, Recording, Search,
    SearchObjective,
};
use crate::diagnostic::{Diagnostic, Role, Source, did_you_mean};
use crate::playscript::{self, PERSON};
use crate::session::{Player, RATE, functions_of};
use std::sync::Arc;
use std::time::Duration;

/// A kind of agent.
struct AgentKind {
    /// First word of the specification.
    word: &'static str,
    /// Example of the argument after the colon, if the kind takes one.
    argument: Option<&'static str>,
    /// Whether the word alone is a valid specification.
    is_plain: bool,
    /// Whether lists of suggested agents contain this kind, in addition to the game's own agents.
    is_suggested: bool,
}

const fn kind(word: &'static str, argument: Option<&'static str>) -> AgentKind {
    AgentKind { word, argument, is_plain: false, is_suggested: false }
}

/// All kinds of agents.
const AGENT_KINDS: [AgentKind; 6] = [
    AgentKind { is_plain: true, is_suggested: true, ..kind("random", None) },
    AgentKind { is_plain: true, ..kind("first", None) },
    AgentKind { is_plain: true, is_suggested: true, ..kind("search", Some("400")) },
    kind("script", Some("FILE")),
    kind("playscript", Some("FILE")),
    kind("cmd", Some("PROGRAM")),
];

impl AgentKind {
    /// Formats a specification of this kind.
    fn spec_text(&self, argument: Option<&str>) -> String {
        argument.map_or_else(|| self.word.to_owned(), |argument| format!("{}:{argument}", self.word))
    }
}

/// Returns the specifications to offer to people who do not type one: the game's own agents, and some agents available in every game.
/// `playouts` is the budget of the search agent.
pub fn suggested_agents(own: &[Arc<Source>], playouts: u32) -> Vec<String> {
    let playouts = playouts.to_string();
    let of_all = AGENT_KINDS
        .iter()
        .filter(|kind| kind.is_suggested)
        .map(|kind| kind.spec_text(kind.argument.map(|_| &*playouts)));
    own.iter().map(|source| name_of(source).to_owned()).chain(of_all).collect()
}

/// Parsed specification of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spec {
    /// Agent that chooses uniformly at random.
    Random,
    /// Agent that takes the first option.
    First,
    /// Agent that takes the option that a script rates highest.
    Heuristic(Arc<Source>),
    /// Agent that searches.
    Search(Plan),
    /// External program: its command and the time limit per message.
    Process(String, Duration),
    /// Agent that follows a recording.
    Recorded(Arc<Recording>),
}

/// Error from parsing an agent specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// Headline of the message.
    pub message: String,
    /// Help line.
    pub help: Option<String>,
}

impl SpecError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Agent files that a specification can refer to.
pub struct AgentShelf<'a> {
    /// Scripts of the game's own agents.
    pub agents: &'a [Arc<Source>],
    /// Function that reads any other file by its path, or returns the reason why the file cannot be read.
    pub read: &'a dyn Fn(&str) -> Result<Arc<Source>, String>,
}

impl AgentShelf<'_> {
    /// A shelf without any files.
    pub const EMPTY: AgentShelf<'static> =
        AgentShelf { agents: &[], read: &|path| Err(format!("files cannot be read here: {path}")) };

    fn names(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().map(|source| name_of(source))
    }

    fn find(&self, name: &str) -> Option<&Arc<Source>> {
        self.agents.iter().find(|source| name_of(source) == name)
    }

    /// Returns the script of the game's agent called `name`. If there is none, reads the file at the path `name`.
    fn file(&self, name: &str) -> Result<Arc<Source>, SpecError> {
        match self.find(name) {
            Some(source) => Ok(source.clone()),
            None => (self.read)(name).map_err(SpecError::new),
        }
    }
}

/// Returns the name of the agent in a file: `trader` for `agents/trader.rhai`.
fn name_of(source: &Source) -> &str {
    Role::Agent.name(&source.path)
}

impl Spec {
    /// Parses a specification.
    ///
    /// # Errors
    /// Returns the reason why the specification is not valid.
    pub fn parse(text: &str, shelf: &AgentShelf<'_>) -> Result<Self, SpecError> {
        let text = text.trim();
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("script" | "playscript", Some("")) => {
                Err(SpecError::new(format!("`{text}` does not name a file")).help(format!("write `{text}FILE`")))
            }
            ("random", None) => Ok(Self::Random),
            ("first", None) => Ok(Self::First),
            ("search", rest) => parse_plan(rest.unwrap_or_default(), shelf).map(Self::Search),
            ("script", Some(file)) => shelf.file(file).map(Self::Heuristic),
            (kind, Some(command)) if is_program(kind) => parse_program(kind, command),
            ("playscript", Some(file)) => read_recording(file, shelf),
            (name, None) if shelf.find(name).is_some() => shelf.file(name).map(Self::Heuristic),
            _ => Err(unknown_agent(text, shelf)),
        }
    }

    /// Returns the files that the agent depends on, with their contents. If the agent is a program, returns the words of its command
    /// without contents, because any of them may be a file.
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

    /// Returns the script that the agent uses, if any.
    pub fn script(&self) -> Option<&Arc<Source>> {
        match self {
            Self::Heuristic(source) | Self::Search(Plan { knowledge: Knowledge::File(source), .. }) => Some(source),
            _ => None,
        }
    }

    /// Creates the agent for a seat. Its random numbers depend only on `seed` and `seat`.
    pub fn player(&self, seed: u64, seat: usize) -> Box<dyn Player> {
        let stream = format!("agent {seat}");
        match self {
            Self::Random => Box::new(Random::new(seed, &stream)),
            Self::First => Box::new(FirstOption),
            Self::Heuristic(source) => Box::new(Heuristic::new(source.clone(), seed, &stream)),
            Self::Search(plan) => Box::new(Search::new(plan.clone(), seed, &stream)),
            Self::Process(command, deadline) => Box::new(Process::new(command, seed, &stream).with_deadline(*deadline)),
            Self::Recorded(recording) => Box::new(RecordedAgent::new(recording.clone())),
        }
    }
}

/// Creates an agent that needs no file, from its specification. Returns `None` if the specification is not valid or needs a file.
pub fn named(name: &str, seed: u64, seat: usize) -> Option<Box<dyn Player>> {
    Spec::parse(name, &AgentShelf::EMPTY).ok().map(|spec| spec.player(seed, seat))
}

/// Creates the agent that a playscript names: one that needs no file, or one of the game's own. A playscript may come from an untrusted
/// source, so it cannot start programs or read other files.
///
/// # Errors
/// Returns `unknown-agent`, without a place, if the name is not valid or stands for a program or another file.
pub fn in_play(own: &[Arc<Source>], name: &str, seed: u64, seat: usize) -> Result<Box<dyn Player>, Box<Diagnostic>> {
    let shelf = AgentShelf { agents: own, ..AgentShelf::EMPTY };
    let spec = match Spec::parse(name, &shelf) {
        Ok(Spec::Process(..)) => Err(SpecError::new(format!("playscripts cannot start programs, as `{name}` would"))),
        found => found,
    };
    let to_diagnostic = |error: SpecError| {
        let found = Diagnostic::error("unknown-agent", error.message);
        Box::new(Diagnostic { help: error.help, ..found })
    };
    spec.map(|spec| spec.player(seed, seat)).map_err(to_diagnostic)
}

fn unknown_agent(text: &str, shelf: &AgentShelf<'_>) -> SpecError {
    let plain =
        AGENT_KINDS.iter().filter(|kind| kind.is_plain).map(|kind| kind.word).chain([PERSON]).chain(shelf.names());
    let all = || shelf.names().map(str::to_owned).chain(AGENT_KINDS.iter().map(|kind| kind.spec_text(kind.argument)));
    let help = did_you_mean(text, plain)
        .unwrap_or_else(|| format!("the agents are `{}`", all().collect::<Vec<_>>().join("`, `")));
    SpecError::new(format!("there is no agent `{text}`")).help(help)
}

/// Returns whether a specification starts a program or may read a file outside of the game. Such a specification is only allowed on the
/// command line, because files may come from an untrusted source.
pub fn is_outside(name: &str) -> bool {
    let kind = name.trim_start().split(':').next().unwrap_or_default().trim();
    matches!(kind, "script" | "playscript") || is_program(kind)
}

/// Returns whether this kind is a program: `cmd`, or `cmd=60s` with a time limit.
fn is_program(kind: &str) -> bool {
    kind == "cmd" || kind.starts_with("cmd=")
}

fn parse_program(kind: &str, command: &str) -> Result<Spec, SpecError> {
    let command = command.trim();
    if command.is_empty() {
        return Err(
            SpecError::new(format!("`{kind}:` does not name a program")).help(format!("write `{kind}:PROGRAM`"))
        );
    }
    let Some(time) = kind.strip_prefix("cmd=") else { return Ok(Spec::Process(command.to_owned(), DEADLINE)) };
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0).map(u64::from);
    let milliseconds = time.strip_suffix("ms").and_then(number).map(Duration::from_millis);
    let deadline = milliseconds.or_else(|| time.strip_suffix('s').and_then(number).map(Duration::from_secs));
    let unknown =
        || SpecError::new(format!("`{time}` is not a duration")).help("write `cmd=60s:PROGRAM` or `cmd=500ms:PROGRAM`");
    Ok(Spec::Process(command.to_owned(), deadline.ok_or_else(unknown)?))
}

fn read_recording(file: &str, shelf: &AgentShelf<'_>) -> Result<Spec, SpecError> {
    let source = (shelf.read)(file).map_err(SpecError::new)?;
    let play = playscript::parse(&source).map_err(|mistakes| {
        SpecError::new(format!("`{file}` is not a playscript: {}", super::heuristic::join_in_one_line(&mistakes)))
    })?;
    Ok(Spec::Recorded(Arc::new(Recording::from_play(file, &source.text, &play))))
}

/// Words of a search specification with their effects. The words are reserved in [`AGENT_WORDS`](crate::diagnostic::AGENT_WORDS), so that
/// no agent file can be named after one of them.
const SEARCH_WORDS: [(&str, fn(&mut Plan)); 4] = [
    ("score", |plan| plan.aim = SearchObjective::Score),
    ("plain", |plan| plan.knowledge = Knowledge::None),
    ("cores", |plan| plan.cores = Some(Cores::All)),
    ("weighed", |plan| plan.weighs = true),
];

/// Parses the words of a search specification, separated by colons: `400` or `50ms`, `score`, `plain`, `cores`, `cores=4`, `weighed`, and
/// the name of one of the game's own agents.
fn parse_plan(text: &str, shelf: &AgentShelf<'_>) -> Result<Plan, SpecError> {
    let mut plan = Plan {
        budget: Budget::Playouts(400),
        cores: None,
        aim: SearchObjective::Win,
        knowledge: usual_knowledge(shelf.agents).map_or(Knowledge::None, Knowledge::File),
        weighs: false,
    };
    let words = || text.split(':').map(str::trim).filter(|word| !word.is_empty());
    for (what, is_so) in [
        ("budgets", (|word, _| word.starts_with(|c: char| c.is_ascii_digit())) as fn(&str, &AgentShelf<'_>) -> bool),
        ("numbers of cores", |word, _| word.split('=').next() == Some("cores")),
        ("agent files", |word, shelf| word == "plain" || shelf.find(word).is_some()),
    ] {
        if let [one, other, ..] = words().filter(|word| is_so(word, shelf)).collect::<Vec<&str>>()[..] {
            let found = SpecError::new(format!("search has two {what}, `{one}` and `{other}`"));
            return Err(found.help("remove one of them"));
        }
    }
    for word in words() {
        match SEARCH_WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, set)) => set(&mut plan),
            None => parse_plan_word(word, &mut plan, shelf)?,
        }
    }
    let rates = |source: &Arc<Source>| functions_of(source).iter().any(|function| function.starts_with(RATE));
    if plan.weighs && !matches!(&plan.knowledge, Knowledge::File(source) if rates(source)) {
        let found = SpecError::new("`weighed` needs a file of the game's agents that rates options".to_owned());
        return Err(
            found.help("name a file with `rate_…` functions, as `search:400:trader:weighed`, or remove `weighed`")
        );
    }
    Ok(plan)
}

fn parse_plan_word(word: &str, plan: &mut Plan, shelf: &AgentShelf<'_>) -> Result<(), SpecError> {
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
        return Err(
            SpecError::new(format!("search cannot go on for `{word}`")).help(format!("write 1 to {}", u32::MAX))
        );
    } else {
        let help = "write `search:400` playouts or `search:50ms`, then `:score`, `:plain`, `:cores`, `:weighed` or a file of the game's agents";
        return Err(SpecError::new(format!("search has no setting `{word}`")).help(help));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::AGENT_WORDS;
    use crate::playscript::OTHER;

    #[test]
    fn search_specifications_are_parsed() {
        let Ok(Spec::Search(plan)) = Spec::parse("search:50ms:score:cores=3", &AgentShelf::EMPTY) else { panic!() };
        assert_eq!(plan.budget, Budget::Milliseconds(50));
        assert_eq!(
            (plan.aim, plan.cores, plan.knowledge),
            (SearchObjective::Score, Some(Cores::Count(3)), Knowledge::None)
        );
        let Ok(Spec::Search(plan)) = Spec::parse("search", &AgentShelf::EMPTY) else { panic!() };
        assert_eq!(plan.budget, Budget::Playouts(400));
        assert!(Spec::parse("search:fast", &AgentShelf::EMPTY).is_err());
        assert!(Spec::parse("search:0", &AgentShelf::EMPTY).is_err());
        let two = Spec::parse("search:400:50ms", &AgentShelf::EMPTY).unwrap_err();
        assert_eq!(two.message, "search has two budgets, `400` and `50ms`");
        for (text, message) in [
            ("search:400:cores:cores=2", "search has two numbers of cores, `cores` and `cores=2`"),
            ("search:5000000000", "search cannot go on for `5000000000`"),
            ("search:9:weighed", "`weighed` needs a file of the game's agents that rates options"),
            ("search:0ms", "search cannot go on for `0ms`"),
            ("script:", "`script:` does not name a file"),
        ] {
            assert_eq!(Spec::parse(text, &AgentShelf::EMPTY).unwrap_err().message, message);
        }
    }

    #[test]
    fn reserved_words_cover_all_words_of_specifications() {
        let kinds = AGENT_KINDS.iter().map(|kind| kind.word);
        let mut words: Vec<&str> = kinds.chain(SEARCH_WORDS.map(|(word, _)| word)).chain([PERSON, OTHER]).collect();
        words.sort_unstable();
        assert_eq!(words, AGENT_WORDS);
    }

    #[test]
    fn every_kind_of_agent_is_parsed() {
        for kind in &AGENT_KINDS {
            let found =
                Spec::parse(&kind.spec_text(kind.argument), &AgentShelf::EMPTY).map_err(|unknown| unknown.message);
            assert!(found.is_ok() || found == Err("files cannot be read here: FILE".to_owned()), "{found:?}");
            assert_eq!(Spec::parse(kind.word, &AgentShelf::EMPTY).is_ok(), kind.is_plain, "{}", kind.word);
        }
        assert_eq!(suggested_agents(&[], 50), ["random", "search:50"]);
    }

    #[test]
    fn a_program_may_have_a_time_limit() {
        let time = |text| match Spec::parse(text, &AgentShelf::EMPTY) {
            Ok(Spec::Process(command, deadline)) => Ok((command, deadline.as_millis())),
            found => Err(found.err().map(|unknown| unknown.message)),
        };
        assert_eq!(time("cmd:python3 a.py"), Ok(("python3 a.py".to_owned(), 10_000)));
        assert_eq!(time("cmd=60s:a"), Ok(("a".to_owned(), 60_000)));
        assert_eq!(time("cmd=500ms:a"), Ok(("a".to_owned(), 500)));
        assert_eq!(time("cmd=1m:a"), Err(Some("`1m` is not a duration".to_owned())));
        assert_eq!(time("cmd=9s:"), Err(Some("`cmd=9s:` does not name a program".to_owned())));
    }

    #[test]
    fn an_unknown_agent_is_an_error_with_a_suggestion() {
        let unknown = Spec::parse("randm", &AgentShelf::EMPTY).unwrap_err();
        assert_eq!(unknown.help.as_deref(), Some("did you mean `random`?"));
        assert!(Spec::parse("cmd:", &AgentShelf::EMPTY).is_err());
    }
}

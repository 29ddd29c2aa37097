//! What a playscript says, statement by statement, and how it is printed.

use crate::diagnostic::Place;
use std::fmt::{self, Display, Formatter};

/// A file of scripted games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Play {
    /// What stands before the first scene: shared by all scenes, or the whole play.
    pub head: Vec<Statement>,
    /// The scenes.
    pub scenes: Vec<Scene>,
}

/// One game of a file that holds several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// What it says.
    pub statements: Vec<Statement>,
}

/// One statement and where it stands.
#[derive(Debug, Clone)]
pub struct Statement {
    /// What it says.
    pub what: What,
    /// Where it stands; nothing in a play that was not read from a text.
    pub place: Option<Place>,
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Eq for Statement {}

/// What a statement says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// `game sampler`
    Game(String),
    /// `players Ann Ben "Big Cho"`
    Players(Vec<String>),
    /// `seed 7`
    Seed(u64),
    /// `option board = advanced`
    Option(String, String),
    /// `set params.start_cash = 25`
    Set(String, String),
    /// `agents random`
    Agents(Vec<String>),
    /// `start at auction round 2 for Ann`
    Start {
        /// The phase.
        phase: String,
        /// The round.
        round: Option<u64>,
        /// Whose turn comes first.
        seat: Option<String>,
    },
    /// `arrange { Ann.cash = 9; }`
    Arrange(String),
    /// `roll die 3 5`
    Roll(Option<String>, Vec<i64>),
    /// `next shuffle of deck: ace, king`
    NextShuffle(String, Vec<String>),
    /// `next draw from bag: red`
    NextDraw(Option<String>, Vec<String>),
    /// `next first: Ann`
    NextFirst(String),
    /// `Ann: bid lot=2 price=10`
    Choice {
        /// Who chooses.
        seat: String,
        /// What is asked.
        decision: String,
        /// The option, or a part of its written form that is enough.
        answer: String,
        /// The fingerprint of the table afterwards, in a recording.
        mark: Option<u64>,
    },
    /// `reject Cho: bid lot=2 price=10`
    Reject {
        /// Who is asked.
        seat: String,
        /// What is asked.
        decision: String,
        /// What must not be offered.
        answer: String,
    },
    /// `offers Cho: bid 11`
    Offers {
        /// Who is asked.
        seat: String,
        /// What is asked.
        decision: String,
        /// How many options there must be.
        count: u64,
    },
    /// `expect …`
    Expect(Expect),
    /// `do pay(component("ace"), 2)`
    Do(String),
    /// `auto until phase scoring with random`
    Auto(Until, Option<String>),
    /// `note The deck runs low.`
    Note(String),
    /// `end last_round Ann 97 Ben 77 @ 0123456789abcdef`
    End {
        /// The ending.
        ending: Option<String>,
        /// The scores.
        scores: Vec<(String, i64)>,
        /// The fingerprint of the table.
        mark: Option<u64>,
    },
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// An expression of the game's own vocabulary is true.
    That(String),
    /// These are the options, in any order.
    Options {
        /// Who is asked.
        seat: String,
        /// What is asked.
        decision: String,
        /// The options.
        options: Vec<String>,
    },
    /// These players have the best rank.
    Winners(Vec<String>),
    /// A player has a score.
    Score(String, i64),
    /// The game ended in a declared way.
    Ending(String),
    /// A player reads this among what happened since the last choice.
    Log(String, String),
    /// A player sees (or knows) a piece, or does not.
    Sight {
        /// Whether it must be so.
        holds: bool,
        /// Who looks.
        seat: String,
        /// Whether what was seen before counts too.
        memory: bool,
        /// The piece, or pieces.
        what: String,
    },
}

/// How far agents play on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Until {
    /// To the first decision of a phase.
    Phase(String),
    /// To the first decision of a round.
    Round(u64),
    /// To a decision.
    Decision(String),
    /// To the end.
    End,
}

impl Display for Play {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for statement in &self.head {
            writeln!(f, "{}", statement.what)?;
        }
        for (at, scene) in self.scenes.iter().enumerate() {
            if at > 0 || !self.head.is_empty() {
                writeln!(f)?;
            }
            writeln!(f, "scene \"{}\" {{", scene.name)?;
            for statement in &scene.statements {
                writeln!(f, "    {}", statement.what)?;
            }
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl Display for What {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(game) => write!(f, "game {game}"),
            Self::Players(players) => write!(f, "players {}", spaced(players.iter().map(|player| name(player)))),
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::Option(option, value) => write!(f, "option {option} = {value}"),
            Self::Set(path, value) => write!(f, "set {path} = {value}"),
            Self::Agents(agents) => write!(f, "agents {}", agents.join(" ")),
            Self::Start { phase, round, seat } => {
                write!(f, "start at {phase}")?;
                round.map_or(Ok(()), |round| write!(f, " round {round}"))?;
                seat.as_ref().map_or(Ok(()), |seat| write!(f, " for {}", name(seat)))
            }
            Self::Arrange(code) => write!(f, "arrange {{{code}}}"),
            Self::Roll(die, rolls) => {
                let die = die.as_ref().map_or_else(String::new, |die| format!("{die} "));
                write!(f, "roll {die}{}", spaced(rolls.iter().map(i64::to_string)))
            }
            Self::NextShuffle(zone, top) => write!(f, "next shuffle of {zone}: {}", top.join(", ")),
            Self::NextDraw(zone, drawn) => {
                let zone = zone.as_ref().map_or_else(String::new, |zone| format!(" from {zone}"));
                write!(f, "next draw{zone}: {}", drawn.join(", "))
            }
            Self::NextFirst(seat) => write!(f, "next first: {}", name(seat)),
            Self::Choice { seat, decision, answer, mark } => {
                write!(f, "{}: {decision}{}", name(seat), after_space(answer))?;
                write_mark(f, *mark)
            }
            Self::Reject { seat, decision, answer } => {
                write!(f, "reject {}: {decision}{}", name(seat), after_space(answer))
            }
            Self::Offers { seat, decision, count } => write!(f, "offers {}: {decision} {count}", name(seat)),
            Self::Expect(expect) => write!(f, "expect {expect}"),
            Self::Do(code) => write!(f, "do {code}"),
            Self::Auto(until, agent) => {
                write!(f, "auto until {until}")?;
                agent.as_ref().map_or(Ok(()), |agent| write!(f, " with {agent}"))
            }
            Self::Note(text) => write!(f, "note {text}"),
            Self::End { ending, scores, mark } => {
                write!(f, "end")?;
                ending.as_ref().map_or(Ok(()), |ending| write!(f, " {ending}"))?;
                scores.iter().try_for_each(|(seat, score)| write!(f, " {} {score}", name(seat)))?;
                write_mark(f, *mark)
            }
        }
    }
}

impl Display for Expect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::That(expression) => write!(f, "{expression}"),
            Self::Options { seat, decision, options } => {
                write!(f, "options {}: {decision} {}", name(seat), options.join(" | "))
            }
            Self::Winners(winners) => {
                let word = if winners.len() == 1 { "winner" } else { "winners" };
                write!(f, "{word} {}", spaced(winners.iter().map(|winner| name(winner))))
            }
            Self::Score(seat, score) => write!(f, "score {} {score}", name(seat)),
            Self::Ending(ending) => write!(f, "ending {ending}"),
            Self::Log(seat, text) => write!(f, "log {}: {text}", name(seat)),
            Self::Sight { holds, seat, memory, what } => {
                let (not, sight) = (if *holds { "" } else { "not " }, if *memory { "knows" } else { "sees" });
                write!(f, "{not}{} {sight} {what}", name(seat))
            }
        }
    }
}

impl Display for Until {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phase(phase) => write!(f, "phase {phase}"),
            Self::Round(round) => write!(f, "round {round}"),
            Self::Decision(decision) => write!(f, "decision {decision}"),
            Self::End => write!(f, "end"),
        }
    }
}

/// The words that begin a statement: a player called like one is written in quotes.
pub(super) const WORDS: [&str; 18] = [
    "game", "players", "seed", "option", "set", "agents", "start", "arrange", "roll", "next", "reject", "offers",
    "expect", "do", "auto", "note", "end", "scene",
];

/// A player's name as it is written.
pub(super) fn name(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.contains(|c: char| c.is_whitespace() || ":\"=,|@/".contains(c))
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && !WORDS.contains(&name)
        && name != "not";
    if plain { name.to_owned() } else { format!("\"{name}\"") }
}

fn spaced(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn after_space(answer: &str) -> String {
    if answer.is_empty() { String::new() } else { format!(" {answer}") }
}

fn write_mark(f: &mut Formatter<'_>, mark: Option<u64>) -> fmt::Result {
    mark.map_or(Ok(()), |mark| write!(f, " @ {mark:016x}"))
}

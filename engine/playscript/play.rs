//! Statements of a playscript.

use crate::diagnostic::Place;
use crate::session::Consent;

/// A parsed playscript: a file with one or several scripted games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Play {
    /// Statements before the first scene. They belong to every scene; without scenes, they are the whole playscript.
    pub head: Vec<PlayStatement>,
    /// Scenes, in order.
    pub scenes: Vec<Scene>,
}

/// One of several games in a playscript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Name of the scene.
    pub name: String,
    /// Statements of the scene, without the statements of the head.
    pub statements: Vec<PlayStatement>,
}

/// A statement with its position in the file.
#[derive(Debug, Clone)]
pub struct PlayStatement {
    /// The statement itself.
    pub what: StatementKind,
    /// Position; `None` in a playscript that was not parsed from text.
    pub place: Option<Place>,
}

impl PartialEq for PlayStatement {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Eq for PlayStatement {}

/// A statement. The comment of each variant shows an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
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
        /// Phase to start at.
        phase: String,
        /// Round to start in.
        round: Option<u64>,
        /// Player whose turn comes first.
        seat: Option<String>,
        /// Whether the setup of the rules runs first.
        after_setup: bool,
    },
    /// `arrange { Ann.cash = 9; }`
    Arrange(String),
    /// `roll die 3 5`
    Roll(Option<String>, Vec<String>),
    /// `next shuffle of deck: ace, king`
    NextShuffle(String, Vec<String>),
    /// `next draw from bag: red`
    NextDraw(Option<String>, Vec<String>),
    /// `next first: Ann`
    NextFirst(String),
    /// `Ann: bid lot=2 price=10`
    Choice {
        /// Player who chooses.
        seat: String,
        /// Decision that is open.
        decision: String,
        /// Option, or a part of its written form that identifies it.
        answer: String,
        /// Fingerprint of the table after the choice. Recordings have one.
        mark: Option<u64>,
    },
    /// `forced Ann: bid lot=2 price=10`
    Forced {
        /// Player who had only one option.
        seat: String,
        /// Decision that was answered automatically.
        decision: String,
        /// Option that was taken automatically, or a part of its written form.
        answer: String,
    },
    /// `reject Cho: bid lot=2 price=10`
    Reject {
        /// Player who is asked.
        seat: String,
        /// Decision that is open.
        decision: String,
        /// Option that must not be offered.
        answer: String,
    },
    /// `allows Cho: bid lot=2 price=10`
    Allows {
        /// Player who is asked.
        seat: String,
        /// Decision that is open.
        decision: String,
        /// Option that must be offered.
        answer: String,
    },
    /// `offers Cho: bid 11`
    Offers {
        /// Player who is asked.
        seat: String,
        /// Decision that is open.
        decision: String,
        /// Required number of options.
        count: u64,
    },
    /// `expect …`
    Expect(Expect),
    /// `do pay(component("ace"), 2)`
    Do(String),
    /// `auto until phase scoring with random`
    Auto(PlayUntil, Option<String>),
    /// `redeal 42 by Ann agreed @ 0123456789abcdef`
    Redeal {
        /// Seed for the new deal and all later random events.
        seed: u64,
        /// Player who took back a choice.
        by: Option<String>,
        /// Consent to taking back the choice.
        consent: Consent,
        /// Fingerprint of the table afterwards.
        mark: Option<u64>,
    },
    /// `note The deck runs low.`
    Note(String),
    /// `table Ann.cash=20 | deck=ace, king`
    Table {
        /// Places and values with their contents.
        rows: Vec<(String, String)>,
        /// Fingerprint of the table.
        mark: Option<u64>,
    },
    /// `end last_round Ann 97 Ben 77 @ 0123456789abcdef`
    End {
        /// Id of the ending.
        ending: Option<String>,
        /// Final scores. Empty unless the ending is named.
        scores: Vec<(String, i64)>,
        /// Fingerprint of the table.
        mark: Option<u64>,
    },
}

/// Purpose of a statement, which determines where the statement is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Chooses the game, its players and settings.
    Head,
    /// Sets where play begins.
    Start,
    /// Changes the table before play.
    Arrange,
    /// Determines results of chance.
    Chance,
    /// Answers a decision, or checks an automatic answer.
    Choice,
    /// Checks which options are offered.
    Offer,
    /// Checks the state of the game.
    Expect,
    /// Runs rule code.
    Do,
    /// Lets agents play.
    Auto,
    /// Deals hidden pieces again after an undo.
    Redeal,
    /// Checks recorded facts.
    Record,
    /// Comment for people.
    Note,
}

impl StatementKind {
    /// Returns whether the statement chooses the game and its settings, or sets where play begins. Such statements belong before the first
    /// choice.
    pub fn is_head(&self) -> bool {
        matches!(self.role(), Role::Head | Role::Start)
    }

    /// Returns the purpose of the statement.
    pub(super) fn role(&self) -> Role {
        match self {
            Self::Game(_) | Self::Players(_) | Self::Seed(_) | Self::Option(..) | Self::Set(..) | Self::Agents(_) => {
                Role::Head
            }
            Self::Start { .. } => Role::Start,
            Self::Arrange(_) => Role::Arrange,
            Self::Roll(..) | Self::NextShuffle(..) | Self::NextDraw(..) | Self::NextFirst(_) => Role::Chance,
            Self::Choice { .. } | Self::Forced { .. } => Role::Choice,
            Self::Reject { .. } | Self::Allows { .. } | Self::Offers { .. } => Role::Offer,
            Self::Expect(_) => Role::Expect,
            Self::Do(_) => Role::Do,
            Self::Auto(..) => Role::Auto,
            Self::Redeal { .. } => Role::Redeal,
            Self::Table { .. } | Self::End { .. } => Role::Record,
            Self::Note(_) => Role::Note,
        }
    }
}

/// Condition of an `expect` statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// An expression in the game's rule language is true.
    That(String),
    /// The condition is false.
    Not(Box<Expect>),
    /// A player is being asked the given decision or, without one, any decision.
    Asked(String, Option<String>),
    /// A phase is running.
    Phase(String),
    /// A counter of the rules has a value: the counter of a player if one is named, otherwise the counter of the game.
    Tally(String, Option<String>, i64),
    /// A player has a rank; 1 is the best.
    Rank(String, u64),
    /// A decision offers exactly these options, in any order.
    Options {
        /// Player who is asked.
        seat: String,
        /// Decision that is open.
        decision: String,
        /// All options.
        options: Vec<String>,
    },
    /// Exactly these players or teams have won; nobody if empty.
    Winners(Vec<String>),
    /// A player has a score.
    Score(String, i64),
    /// The game has ended with an ending.
    Ending(String),
    /// Lines of a player's log since the last choice contain these strings, in this order.
    Log(String, Vec<String>),
    /// A player sees (or knows) certain pieces.
    Sight {
        /// Player whose knowledge is checked.
        seat: String,
        /// Whether remembered pieces count too (`knows` instead of `sees`).
        memory: bool,
        /// Expression for the pieces. If `place` is given, an expression for components that must be among the pieces
        /// of that place.
        what: String,
        /// Expression for the place.
        place: Option<String>,
    },
}

/// Point at which agents stop playing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayUntil {
    /// First decision in the phase, or the end of the phase if it has no decision.
    Phase(String),
    /// First decision in the round or a later one, or the end of the round if it has no decision.
    Round(u64),
    /// Point at which the named decision is open.
    Decision(String),
    /// End of the game.
    End,
}

/// Syntax of a statement, for help texts and completion.
pub struct StatementForm {
    /// Beginning of the statement.
    pub begins: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Example line.
    pub example: &'static str,
}

const fn form(begins: &'static str, about: &'static str, example: &'static str) -> StatementForm {
    StatementForm { begins, about, example }
}

/// Forms of all statements except choices. A choice begins with the name of a player, which is written in quotes if it equals the first
/// word of a statement.
pub const STATEMENTS: [StatementForm; 24] = [
    form("game", "the game's id", "game sampler"),
    form("players", "names of the players, by seat", "players Ann Ben \"Big Cho\""),
    form("seed", "random seed", "seed 7"),
    form("option", "an option of the game: `option board = advanced`", "option board = advanced"),
    form("set", "a changed number: `set params.start_cash = 25`", "set params.start_cash = 25"),
    form("agents", "agents for `auto`", "agents random"),
    form("start at", "phase where the scene begins", "start at auction round 2 for Ann"),
    form("arrange {", "sets up the position with rules", "arrange { … }"),
    form("roll", "results of the next rolls", "roll 3 5"),
    form("next shuffle of", "order after the next shuffle of a zone", "next shuffle of deck: ace, king"),
    form("next draw from", "pieces drawn next", "next draw from deck: ace, king"),
    form("next first:", "first seat", "next first: Ann"),
    form(
        "forced",
        "a choice that was made automatically because it was the only option",
        "forced Ann: bid lot=2 price=10",
    ),
    form("reject", "an option that must not be offered", "reject Ann: bid lot=2 price=10"),
    form("allows", "an option that must be offered", "allows Ann: bid lot=2 price=10"),
    form("offers", "expected number of options", "offers Ann: bid 11"),
    form("expect", "a condition that must hold", "expect Ann.cash == 5"),
    form("table", "the table as written in recordings", "table Ann.cash=20 | deck=3 pieces"),
    form("redeal", "a choice was undone, and information that nobody knew was dealt again", "redeal 42 by Ann agreed"),
    form("do", "runs rules", "do pay(Ann, 3)"),
    form("auto until", "lets agents continue the game", "auto until phase scoring with random"),
    form("note", "a note for readers", "note what happens here"),
    form("end", "the game has ended, with its ending and scores", "end last_round Ann 27 Ben 14"),
    form("scene \"", "a scene, which is a game of its own", "scene \"what is shown\" { … }"),
];

impl StatementForm {
    /// Returns the first word of the statement.
    pub fn word(&self) -> &'static str {
        first_word(self.begins)
    }

    /// Returns the form of the statement whose first word is `word`.
    pub(super) fn starting_with(word: &str) -> Option<&'static Self> {
        STATEMENTS.iter().find(|form| form.word() == word)
    }
}

/// Returns the first word of a line.
pub(super) fn first_word(line: &str) -> &str {
    line.split([' ', '\t', ':', '{', '"']).next().unwrap_or("")
}

/// Name in `agents` for a seat played by a person.
pub const PERSON: &str = "human";

/// Name in `agents` for an agent that playscripts must not name: a program, or a file outside the game.
pub const OTHER: &str = "other";

/// Word for "no player" in expectations about winners.
pub(super) const NOBODY: &str = "nobody";

/// Word for "all players" in expectations about winners.
pub(super) const EVERYBODY: &str = "everybody";

/// Kind of name that follows a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandKind {
    /// The name of a player.
    Seat,
    /// The name of a phase.
    Phase,
    /// The name of a decision.
    Decision,
    /// The name of an ending.
    Ending,
    /// Anything other than one of the names above.
    Other,
}

/// Keywords that may follow `expect`, each with the kind of name that follows it and a description.
pub const EXPECT_WORDS: [(&str, OperandKind, &str); 11] = [
    ("options", OperandKind::Seat, "the complete list of options, in any order"),
    ("asked", OperandKind::Seat, "a player is being asked"),
    ("winner", OperandKind::Seat, "the winner"),
    ("winners", OperandKind::Seat, "the winners"),
    ("score", OperandKind::Seat, "score of a player"),
    ("rank", OperandKind::Seat, "rank of a player"),
    ("ending", OperandKind::Ending, "ending of the game"),
    ("phase", OperandKind::Phase, "current phase"),
    ("tally", OperandKind::Other, "counter of the rules"),
    ("log", OperandKind::Seat, "log line that a player sees"),
    ("not", OperandKind::Other, "the opposite holds"),
];

/// Keywords that may follow `auto until`, each with the kind of name that follows it.
pub const UNTIL_WORDS: [(&str, OperandKind); 4] = [
    ("phase", OperandKind::Phase),
    ("round", OperandKind::Other),
    ("decision", OperandKind::Decision),
    ("end", OperandKind::Other),
];

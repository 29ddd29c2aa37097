//! What a playscript says, statement by statement.

use crate::diagnostic::Place;
use crate::session::Consent;

/// A file of scripted games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Play {
    /// What stands before the first scene: shared by all scenes, or the whole play.
    pub head: Vec<PlayStatement>,
    /// The scenes.
    pub scenes: Vec<Scene>,
}

/// One game of a file that holds several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// What it says.
    pub statements: Vec<PlayStatement>,
}

/// One statement and where it stands.
#[derive(Debug, Clone)]
pub struct PlayStatement {
    /// What it says.
    pub what: What,
    /// Where it stands; nothing in a play that was not read from a text.
    pub place: Option<Place>,
}

impl PartialEq for PlayStatement {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Eq for PlayStatement {}

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
        /// Whether the rules' own setup comes before it.
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
        /// Who chooses.
        seat: String,
        /// What is asked.
        decision: String,
        /// The option, or a part of its written form that is enough.
        answer: String,
        /// The fingerprint of the table afterwards, in a recording.
        mark: Option<u64>,
    },
    /// `forced Ann: bid lot=2 price=10`
    Forced {
        /// Who had no other choice.
        seat: String,
        /// What would have been asked.
        decision: String,
        /// What was chosen without being asked, or a part of its written form.
        answer: String,
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
    /// `allows Cho: bid lot=2 price=10`
    Allows {
        /// Who is asked.
        seat: String,
        /// What is asked.
        decision: String,
        /// What may be chosen.
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
    /// `redeal 42 by Ann agreed @ 0123456789abcdef`
    Redeal {
        /// Seed of what is dealt again, and of all chance from here on.
        seed: u64,
        /// The player who took a choice back.
        by: Option<String>,
        /// Who agreed.
        consent: Consent,
        /// Fingerprint of the table afterwards.
        mark: Option<u64>,
    },
    /// `note The deck runs low.`
    Note(String),
    /// `table Ann.cash=20 | deck=ace, king`
    Table {
        /// Places and values, each with what is there.
        rows: Vec<(String, String)>,
        /// The fingerprint of the table.
        mark: Option<u64>,
    },
    /// `end last_round Ann 97 Ben 77 @ 0123456789abcdef`
    End {
        /// The ending.
        ending: Option<String>,
        /// The scores; only an ending that is named has any.
        scores: Vec<(String, i64)>,
        /// The fingerprint of the table.
        mark: Option<u64>,
    },
}

/// What a statement does in a play, by which it stands in some places and not in others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Says which game it is, and of whom.
    Head,
    /// Says where play begins.
    Start,
    /// Changes the table before play.
    Arrange,
    /// Says what chance does.
    Chance,
    /// An answer.
    Choice,
    /// Holds what is offered, and what is not.
    Offer,
    /// Holds how the table stands.
    Expect,
    /// Carries a text out.
    Do,
    /// Lets agents play.
    Auto,
    /// Deals again what nobody knows.
    Redeal,
    /// Holds what was recorded.
    Record,
    /// A remark.
    Note,
}

impl What {
    /// Whether it belongs before the first choice.
    pub fn is_head(&self) -> bool {
        matches!(self.role(), Role::Head | Role::Start)
    }

    /// What it does in a play.
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

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// An expression of the game's own vocabulary is true.
    That(String),
    /// It is not so.
    Not(Box<Expect>),
    /// A player is being asked, this decision if one is named.
    Asked(String, Option<String>),
    /// A phase is under way.
    Phase(String),
    /// What the rules have counted under a name, for a player if one is named.
    Tally(String, Option<String>, i64),
    /// A player has a rank; 1 is the best.
    Rank(String, u64),
    /// These are the options, in any order.
    Options {
        /// Who is asked.
        seat: String,
        /// What is asked.
        decision: String,
        /// The options.
        options: Vec<String>,
    },
    /// These players have won; nobody, where there are none.
    Winners(Vec<String>),
    /// A player has a score.
    Score(String, i64),
    /// The game ended in a declared way.
    Ending(String),
    /// A player reads these, in this order, among what happened since the last choice.
    Log(String, Vec<String>),
    /// A player sees (or knows) a piece.
    Sight {
        /// Who looks.
        seat: String,
        /// Whether what was seen before counts too.
        memory: bool,
        /// The piece, or pieces; or the component, or components, to be among those of a place.
        what: String,
        /// That place.
        place: Option<String>,
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

/// A statement as it is written.
pub struct StatementForm {
    /// How it begins.
    pub begins: &'static str,
    /// What it says.
    pub about: &'static str,
    /// A line of it.
    pub example: &'static str,
}

const fn form(begins: &'static str, about: &'static str, example: &'static str) -> StatementForm {
    StatementForm { begins, about, example }
}

/// Every statement, but for the line that chooses. A player called like the first word of one is written in quotes.
pub const STATEMENTS: [StatementForm; 24] = [
    form("game", "the game's id", "game sampler"),
    form("players", "who sits where, in order", "players Ann Ben \"Big Cho\""),
    form("seed", "the seed of chance", "seed 7"),
    form("option", "what is agreed before: `option board = advanced`", "option board = advanced"),
    form("set", "another number: `set params.start_cash = 25`", "set params.start_cash = 25"),
    form("agents", "who plays where `auto` lets agents play on", "agents random"),
    form("start at", "the phase where it begins", "start at auction round 2 for Ann"),
    form("arrange {", "changes the position in the game's own words", "arrange { … }"),
    form("roll", "what dice will show", "roll 3 5"),
    form("next shuffle of", "how the next shuffle of a zone lies", "next shuffle of deck: ace, king"),
    form("next draw from", "what is drawn next", "next draw from deck: ace, king"),
    form("next first:", "who is first", "next first: Ann"),
    form("forced", "what a player had no other choice than", "forced Ann: bid lot=2 price=10"),
    form("reject", "what must not be offered", "reject Ann: bid lot=2 price=10"),
    form("allows", "what must be offered", "allows Ann: bid lot=2 price=10"),
    form("offers", "how many options there must be", "offers Ann: bid 11"),
    form("expect", "what must hold", "expect Ann.cash == 5"),
    form("table", "what lies on the table, as recordings say it", "table Ann.cash=20 | deck=3 pieces"),
    form("redeal", "a choice was taken back, and what nobody knew is dealt again", "redeal 42 by Ann agreed"),
    form("do", "carries out rules", "do pay(Ann, 3)"),
    form("auto until", "agents play on", "auto until phase scoring with random"),
    form("note", "what people should know here", "note what happens here"),
    form("end", "the game has ended, and how", "end last_round Ann 27 Ben 14"),
    form("scene \"", "a game of its own", "scene \"what is shown\" { … }"),
];

impl StatementForm {
    /// Its first word.
    pub fn word(&self) -> &'static str {
        first_word(self.begins)
    }

    /// The statements that begin with a word.
    pub(super) fn of(word: &str) -> Option<&'static Self> {
        STATEMENTS.iter().find(|form| form.word() == word)
    }
}

/// The word that a line begins with.
pub(super) fn first_word(line: &str) -> &str {
    line.split([' ', '\t', ':', '{', '"']).next().unwrap_or("")
}

/// Who sits in a seat that no agent plays in.
pub const PERSON: &str = "human";

/// An agent that a playscript must not name: a program, or a file of its own.
pub const OTHER: &str = "other";

/// The word for no player at all, where winners are named.
pub(super) const NOBODY: &str = "nobody";

/// The word for all players, where winners are named.
pub(super) const EVERYBODY: &str = "everybody";

/// What a word of a statement has behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// The name of a player.
    Seat,
    /// The name of a phase.
    Phase,
    /// The name of a decision.
    Decision,
    /// The name of an ending.
    Ending,
    /// What is no name of these.
    Other,
}

/// The words that begin what `expect` asks, where a player's name may stand too, each with what stands behind it and what it says.
pub const EXPECT_WORDS: [(&str, Behind, &str); 11] = [
    ("options", Behind::Seat, "these are the options, in any order"),
    ("asked", Behind::Seat, "a player is being asked"),
    ("winner", Behind::Seat, "who has won"),
    ("winners", Behind::Seat, "who have won"),
    ("score", Behind::Seat, "what score a player has"),
    ("rank", Behind::Seat, "which rank a player has"),
    ("ending", Behind::Ending, "how the game ended"),
    ("phase", Behind::Phase, "which phase is under way"),
    ("tally", Behind::Other, "what the rules have counted"),
    ("log", Behind::Seat, "what a player reads"),
    ("not", Behind::Other, "it is not so"),
];

/// The words that say how far `auto until` plays, each with what stands behind it.
pub const UNTIL_WORDS: [(&str, Behind); 4] =
    [("phase", Behind::Phase), ("round", Behind::Other), ("decision", Behind::Decision), ("end", Behind::Other)];

//! Measures of games, with their definitions.

use crate::model::{Language, Model};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// A quantity measured in games. Not every game has every measure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Measure {
    /// Whether everybody won. Exists in games that all players win or lose together.
    Success,
    /// Number of games of a campaign.
    CampaignGames,
    /// Number of games of a campaign that played this scenario.
    Attempts(Arc<str>),
    /// Whether a campaign won this scenario at any attempt. Exists for scenarios that all players win or lose together.
    ScenarioWon(Arc<str>),
    /// Amount that a campaign carries over after its last game of a scenario. The fields are the scenario and the value or zone. Values are
    /// summed over all seats; for a zone, the amount is its number of pieces.
    Carried(Arc<str>, Arc<str>),
    /// Share of first place that a seat has: 1 for a sole winner, a fraction for a tie, 0 otherwise. Seats are numbered from 0.
    Win(u8),
    /// Like [`Win`](Self::Win), but for the seat at this place in the turn order of the first round, from 0.
    Place(u8),
    /// Score of a seat.
    Score(u8),
    /// Mean score of all seats.
    Scores,
    /// Difference between the winner's score and the score of the best loser. 0 if the first place is shared.
    Margin,
    /// Difference between the winner's score and the score of the last-ranked seat.
    LastGap,
    /// Whether the first place was shared.
    Tie,
    /// Number of rounds.
    Rounds,
    /// Number of turns.
    Turns,
    /// Number of decisions with more than one option.
    Decisions,
    /// Number of decisions of a seat with more than one option.
    DecisionsOf(u8),
    /// Share of decisions with only one option.
    Forced,
    /// Mean number of options of a decision.
    Options,
    /// Number of changes of the sole leader.
    LeadChanges,
    /// Time of the last lead change, as a fraction of the game's decisions.
    LastLead,
    /// Share of first place of the seats that were leading after this many quarters of the game.
    LeaderWins(u8),
    /// Largest deficit of the winner during the game.
    Comeback,
    /// Estimated win probability of the winner after this many tenths of the game.
    WinnerChance(u8),
    /// Estimated win probability of the favorite after this many tenths of the game.
    FavoriteChance(u8),
    /// Smallest estimated win probability of the winner during the game.
    LeastChance,
    /// Number of teams (or seats) that could no longer win at their last decisions.
    Hopeless,
    /// Whether a team (or seat) that could no longer win decided who won.
    Kingmaking,
    /// Whether the game ended with this ending.
    Ending(Arc<str>),
    /// Part of a seat's score. The fields are the name of the part and the seat.
    Part(Arc<str>, u8),
    /// Tally that the rules count for a seat, or for the game if the seat is `None`.
    Tally(Arc<str>, Option<u8>),
}

/// Kind of a measure: share or amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasureKind {
    /// Fraction from 0 to 1.
    Share,
    /// Any other number.
    Amount,
}

/// Explanation of a measure for readers of a report.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// Identifier in files, targets and links.
    pub id: &'static str,
    /// Name that reports show.
    pub name: &'static str,
    /// Short explanation for designers.
    pub text: &'static str,
    /// Exact definition: special cases, intervals and tests. May be empty.
    pub details: &'static str,
}

/// Unit of measures that are given in thousandths.
const THOUSAND: i64 = 1000;

impl Measure {
    /// Returns the name that the rules have invented for the measure in play, if there is one.
    pub(super) fn invented_name(&self) -> Option<&str> {
        match self {
            Self::Part(name, _) | Self::Tally(name, _) => Some(name),
            _ => None,
        }
    }

    /// Returns the integer that represents 1 in the stored values of the measure (fixed-point scale). The scale is chosen such that shared
    /// wins are exact.
    pub fn unit(&self, seats: u8) -> i64 {
        self.unit_with(seats, win_unit(seats))
    }

    /// Like [`unit`](Self::unit), given the result of [`win_unit`] for these seats.
    pub(crate) fn unit_with(&self, seats: u8, win_unit: i64) -> i64 {
        match self {
            Self::Win(_) | Self::Place(_) => win_unit,
            Self::LeaderWins(_) => win_unit * win_unit,
            Self::Forced
            | Self::LastLead
            | Self::Options
            | Self::WinnerChance(_)
            | Self::FavoriteChance(_)
            | Self::LeastChance => THOUSAND,
            Self::Scores => i64::from(seats.max(1)),
            _ => 1,
        }
    }

    /// Returns whether the [word](Self::word) contains names from the game's files.
    pub(crate) fn has_names(&self) -> bool {
        matches!(
            self,
            Self::Attempts(_)
                | Self::ScenarioWon(_)
                | Self::Carried(..)
                | Self::Ending(_)
                | Self::Part(..)
                | Self::Tally(..)
        )
    }

    /// Returns whether the measure is a share or an amount.
    pub fn sort(&self) -> MeasureKind {
        match self {
            Self::Success
            | Self::ScenarioWon(_)
            | Self::Win(_)
            | Self::Place(_)
            | Self::Tie
            | Self::Forced
            | Self::LastLead
            | Self::LeaderWins(_)
            | Self::WinnerChance(_)
            | Self::FavoriteChance(_)
            | Self::LeastChance
            | Self::Kingmaking
            | Self::Ending(_) => MeasureKind::Share,
            _ => MeasureKind::Amount,
        }
    }

    /// Returns whether games without this measure count as 0. This holds for tallies, parts of scores, endings, and attempts at scenarios.
    pub fn defaults_to_zero(&self) -> bool {
        matches!(self, Self::Part(..) | Self::Tally(..) | Self::Ending(_) | Self::Attempts(_))
    }

    /// Returns whether the measure compares seats or teams and is thus meaningless in a game that all of them win or
    /// lose together.
    pub fn is_between_seats(&self) -> bool {
        matches!(
            self,
            Self::Win(_)
                | Self::Place(_)
                | Self::Margin
                | Self::LastGap
                | Self::Tie
                | Self::LeadChanges
                | Self::LastLead
                | Self::LeaderWins(_)
                | Self::Comeback
        )
    }

    /// Returns the identifier of the measure without its qualifier; see [`DEFINITIONS`].
    pub fn id(&self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::CampaignGames => "campaign_games",
            Self::Attempts(_) => "attempts",
            Self::ScenarioWon(_) => "scenario_won",
            Self::Carried(..) => "carried",
            Self::Win(_) => "win",
            Self::Place(_) => "place",
            Self::Score(_) | Self::Scores => "score",
            Self::Margin => "margin",
            Self::LastGap => "last_gap",
            Self::Tie => "ties",
            Self::Rounds => "rounds",
            Self::Turns => "turns",
            Self::Decisions => "decisions",
            Self::DecisionsOf(_) => "decisions_of",
            Self::Forced => "forced",
            Self::Options => "options",
            Self::LeadChanges => "lead_changes",
            Self::LastLead => "last_lead",
            Self::LeaderWins(1) => "leader_quarter",
            Self::LeaderWins(2) => "leader_half",
            Self::LeaderWins(_) => "leader_three_quarters",
            Self::Comeback => "comeback",
            Self::WinnerChance(_) => "winner_chance",
            Self::FavoriteChance(_) => "favorite_chance",
            Self::LeastChance => "least_chance",
            Self::Hopeless => "hopeless",
            Self::Kingmaking => "kingmaking",
            Self::Ending(_) => "ending",
            Self::Part(..) => "part",
            Self::Tally(..) => "tally",
        }
    }

    /// Returns the identifier with its qualifier, such as `win.1`, `ending.over` or `tally.trades.2`.
    pub fn word(&self) -> String {
        self.to_string()
    }

    /// Calls `put` with each piece of the measure's [word](Self::word) in order: the identifier, the dots, and the qualifiers.
    pub(crate) fn for_each_word_part(&self, mut put: impl FnMut(&str)) {
        put(self.id());
        let mut put_qualifier = |part: &str| {
            put(".");
            put(part);
        };
        match self.qualifier() {
            Qualifier::None => {}
            Qualifier::Number(number) => put_qualifier(itoa::Buffer::new().format(number)),
            Qualifier::Names(name, other) => [name, other].into_iter().for_each(put_qualifier),
            Qualifier::Name(name, seat) => {
                put_qualifier(name);
                if let Some(seat) = seat {
                    put_qualifier(itoa::Buffer::new().format(seat));
                }
            }
        }
    }

    fn qualifier(&self) -> Qualifier<'_> {
        match self {
            Self::Win(seat) | Self::Place(seat) | Self::Score(seat) | Self::DecisionsOf(seat) => {
                Qualifier::Number(seat + 1)
            }
            Self::WinnerChance(tenths) | Self::FavoriteChance(tenths) => Qualifier::Number(*tenths),
            Self::Part(name, seat) | Self::Tally(name, Some(seat)) => Qualifier::Name(name, Some(seat + 1)),
            Self::Ending(name) | Self::Tally(name, None) | Self::Attempts(name) | Self::ScenarioWon(name) => {
                Qualifier::Name(name, None)
            }
            Self::Carried(scenario, place) => Qualifier::Names(scenario, place),
            _ => Qualifier::None,
        }
    }

    /// Returns the English name that is shown to people.
    pub fn name(&self, model: &Model) -> String {
        let name = self.definition().name;
        match self {
            Self::Win(seat) | Self::Score(seat) => format!("{name}, seat {}", seat + 1),
            Self::DecisionsOf(seat) => format!("{}, seat {}", definition("decisions").name, seat + 1),
            Self::Place(place) => format!("{name}, place {}", place + 1),
            Self::Ending(ending) => {
                let known = model.find_ending(ending).map(|id| &model.endings[id.index()].name);
                format!("{name}: {}", known.map_or(&**ending, |name| name.get(Language::English)))
            }
            Self::Attempts(scenario) | Self::ScenarioWon(scenario) => {
                format!("{name}: {}", model.named_word(scenario, Language::English))
            }
            Self::Carried(scenario, place) => {
                let scenario = model.named_word(scenario, Language::English);
                format!("{} handed on after {scenario}", model.part_of_score(place, Language::English))
            }
            Self::Part(part, seat) => {
                format!("{name} {}, seat {}", model.part_of_score(part, Language::English), seat + 1)
            }
            Self::Tally(part, Some(seat)) => {
                format!("{name} {}, seat {}", model.named_word(part, Language::English), seat + 1)
            }
            Self::Tally(part, None) => format!("{name} {}", model.named_word(part, Language::English)),
            Self::Scores => format!("{name}, mean of the seats"),
            Self::WinnerChance(tenths) | Self::FavoriteChance(tenths) => format!("{name} after {tenths} tenths"),
            _ => name.to_owned(),
        }
    }

    /// Returns the definition of the measure.
    pub fn definition(&self) -> &'static Definition {
        definition(self.id())
    }
}

/// Formats the [word](Measure::word).
impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut written = Ok(());
        self.for_each_word_part(|part| written = written.and_then(|()| f.write_str(part)));
        written
    }
}

/// Part of a measure's word after the identifier.
enum Qualifier<'a> {
    /// The measure is about the whole game.
    None,
    /// A seat or place from 1, or tenths of the game.
    Number(u8),
    /// A name, and the number of a seat from 1 if the measure is about a seat.
    Name(&'a str, Option<u8>),
    /// The names of a scenario and of a value or zone.
    Names(&'a str, &'a str),
}

/// Returns the definition whose identifier is `id`.
///
/// # Panics
/// Panics if there is no such definition.
pub fn definition(id: &str) -> &'static Definition {
    DEFINITIONS.iter().find(|known| known.id == id).expect("every measure is defined")
}

/// Returns the integer that represents an undivided win. It is divisible by every possible number of winners.
pub fn win_unit(seats: u8) -> i64 {
    fn common(a: i64, b: i64) -> i64 {
        if b == 0 { a } else { common(b, a % b) }
    }
    (2..=i64::from(seats)).fold(1, |all, seat| all / common(all, seat) * seat)
}

/// Returns `part / whole` in thousandths, rounded to the nearest integer.
pub(super) fn thousandths(part: i128, whole: i128) -> i64 {
    ((part * i128::from(THOUSAND) * 2 + whole) / (whole * 2)) as i64
}

/// Definitions of all figures. The guide's page about measures and the explanations in reports are generated from this list.
pub const DEFINITIONS: &[Definition] = &[
    Definition {
        id: "win",
        name: "win share",
        text: "How often a seat wins, as a share of the finished games. With four players, a fair seat wins 25 % of \
               the games. The range behind the number shows what chance alone could explain: 27 % (24 to 30 %) is no \
               evidence against 25 %.",
        details: "If k seats share the first place, each gets 1/k of a win; the fair share is 1/n for n seats. Teams \
               win together: if k teams share the first place, each seat of these teams gets 1/k of a win, and the \
               fair share is 1/n for n teams. Only one seat of each team is tested, because the others have the same \
               results. The interval is Wilson's. Results with ties vary less; if there are ties, the number of games \
               is replaced by the number of games without ties that would vary as much. A seat is called better or \
               worse only if two tests agree: Pearson's test over all seats, and the exact test of the seat's own \
               share, corrected for the number of seats (Benjamini and Hochberg).",
    },
    Definition {
        id: "success",
        name: "success",
        text: "For games that all players win or lose together: how often they win, as a share of the finished games.",
        details: "Applies to games whose endings are won by everybody or by nobody. The seats of these games are not \
               compared: there are no win shares, margins, ties or leaders. The interval is Wilson's.",
    },
    Definition {
        id: "campaign_games",
        name: "games of a campaign",
        text: "How many games a campaign has. Wins, scores and success of a campaign are those of its last game; its rounds, \
               turns and decisions are summed.",
        details: "In campaigns, only these figures can have targets: `success`, `seat_win_gap`, `win`, `faults`, and those \
               that only campaigns have.",
    },
    Definition {
        id: "attempts",
        name: "attempts",
        text: "How many games of a campaign play this scenario. More than one means that the scenario is repeated.",
        details: "0 in campaigns that do not reach the scenario.",
    },
    Definition {
        id: "scenario_won",
        name: "scenario won",
        text: "How often a scenario that all players win or lose together is won, at any attempt: the share of the campaigns \
               that reach the scenario.",
        details: "",
    },
    Definition {
        id: "carried",
        name: "handed on",
        text: "What a campaign hands on after a scenario: a number that `[campaign]` carries, or the number of pieces in a \
               carried zone.",
        details: "Summed over all seats. If a scenario is repeated, its last game counts. The last game of a campaign \
               carries nothing over. Values that are not numbers are left out, and so are all places after the first \
               64.",
    },
    Definition {
        id: "place",
        name: "win share by turn order",
        text: "How often the player who goes first wins, the player who goes second, and so on, regardless of their \
               seats.",
        details: "The order is the turn order when the first round begins. This figure is reported only if a seat \
               other than the first may begin. If the first player is drawn at random, win shares of seats say nothing \
               about the advantage of going first. The interval and the fair share are calculated as for the win \
               share.",
    },
    Definition {
        id: "seat_win_gap",
        name: "seat gap",
        text: "How far the win share of the most unusual seat lies from the fair share. 0 means that all seats win \
               equally often.",
        details: "The interval is calculated from simultaneous intervals for all seats (Bonferroni).",
    },
    Definition {
        id: "score",
        name: "score",
        text: "What the rules' function `score` returns at the end of the game.",
        details: "Each seat of a team has the team's score. The mean over the seats is a single number for each game.",
    },
    Definition {
        id: "part",
        name: "part of score",
        text: "One entry of the map that `score` returns.",
        details: "0 in games whose score does not have the entry.",
    },
    Definition {
        id: "margin",
        name: "margin",
        text: "How far ahead the winner is: the distance from the winner's score to the nearest score of a seat that \
               lost.",
        details: "0 if several seats or teams share the first place. Games that nobody loses are left out.",
    },
    Definition {
        id: "last_gap",
        name: "gap to last",
        text: "The distance from the winner's score to the score of the last seat.",
        details: "Games that nobody loses are left out.",
    },
    Definition {
        id: "ties",
        name: "ties",
        text: "The share of games in which several seats, or several teams, share the first place.",
        details: "",
    },
    Definition { id: "rounds", name: "rounds", text: "The number of rounds that begin in a game.", details: "" },
    Definition {
        id: "turns",
        name: "turns",
        text: "The number of turns in a game, over all seats.",
        details: "A turn begins each time that the flow reaches a seat, regardless of how many steps the seat then \
               takes.",
    },
    Definition {
        id: "decisions",
        name: "decisions",
        text: "The number of questions in a game that have more than one answer.",
        details: "",
    },
    Definition {
        id: "decisions_of",
        name: "decisions of a seat",
        text: "The number of questions to one seat that have more than one answer.",
        details: "",
    },
    Definition {
        id: "forced",
        name: "forced share",
        text: "How often players have no choice: of all questions of a game, the share with only one answer, which is \
               taken without asking.",
        details: "Rounded to thousandths in each game.",
    },
    Definition {
        id: "options",
        name: "options",
        text: "How many options a question has on average, over the questions of a game that have more than one.",
        details: "A pass counts as an option.",
    },
    Definition {
        id: "lead_changes",
        name: "lead changes",
        text: "How often the lead passes from one sole leader to another.",
        details: "The lead is determined at the end of each round. In a game of a single round, it is determined after every \
               step if the rules have `standing`. The leader is the seat with the highest `standing(seat)`, or with the \
               highest `score` if the rules have no `standing`. A team leads as one.",
    },
    Definition {
        id: "last_lead",
        name: "last lead change",
        text: "When the last lead change happens, as a share of the game's decisions. A late change means that the \
               outcome stays open for a long time.",
        details: "Games without a lead change are left out.",
    },
    Definition {
        id: "leader_quarter",
        name: "leader at a quarter wins",
        text: "How often the seat that leads after a quarter of the game's decisions wins. By chance this is 1/n for n \
               seats or teams; close to 100 % means that the game is decided early.",
        details: "If several seats lead, their mean share of the first place counts. The leader is the seat that led \
               when the lead was last determined before that moment (see “lead changes”). Games in which the lead had \
               not been determined by then, or in which all seats were level, are left out.",
    },
    Definition {
        id: "leader_half",
        name: "leader at half wins",
        text: "How often the seat that leads after half of the game's decisions wins.",
        details: "Calculated like `leader_quarter`.",
    },
    Definition {
        id: "leader_three_quarters",
        name: "leader at three quarters wins",
        text: "How often the seat that leads after three quarters of the game's decisions wins.",
        details: "Calculated like `leader_quarter`.",
    },
    Definition {
        id: "comeback",
        name: "comeback",
        text: "The most that the eventual winner was behind the leader during the game.",
        details: "Measured whenever the lead is determined (see “lead changes”). If there are several winners, the \
               largest of their values counts.",
    },
    Definition {
        id: "winner_chance",
        name: "winner's chance",
        text: "With `--prospects N`: how likely the eventual winner was to win, after each tenth of the game's \
               decisions. A curve that rises late shows that games stay open to the end.",
        details: "If there are several winners, the mean of their chances counts. The game is replayed. At each tenth, \
               the seat that is asked imagines N worlds, in which everything that the seat cannot know is dealt again. \
               Each world is played to the end by the game's agent file that has an `estimate`, or at random if there \
               is none. If k seats share the first place in a world, each gets 1/k of a win. The chance is therefore \
               an estimate that the asked seat could make itself: it does not depend on the real places of hidden \
               cards.",
    },
    Definition {
        id: "favorite_chance",
        name: "favorite's chance",
        text: "The chance of the favorite, that is, of the seat or team that is most likely to win at that moment. It \
               is measured in the same worlds as the winner's chance.",
        details: "With few worlds, this chance is slightly too large, because it is the largest of several estimates.",
    },
    Definition {
        id: "least_chance",
        name: "comeback by chance",
        text: "The lowest chance that the eventual winner had after any tenth of the game's decisions. A small value \
               means that games are often turned around.",
        details: "",
    },
    Definition {
        id: "hopeless",
        name: "out of reach",
        text: "With `--prospects N`: how many seats or teams can no longer win at one of their last decisions, whatever they \
               choose.",
        details: "At each of the last three decisions of a seat, every option (or, if there are more than 16, 16 \
               evenly spaced ones) is tried in the same N worlds, and the worlds are played to the end as for the \
               winner's chance. A decision does not matter if every option gives each seat the same number of wins. If \
               fewer than three of these decisions matter, the three before them are examined too, and so on up to the \
               last twelve. A seat counts if, at one of these decisions, no option wins in any of the worlds. If no \
               win is seen in n worlds, the real chance may still be up to 3/n.",
    },
    Definition {
        id: "kingmaking",
        name: "kingmaking",
        text: "The share of games in which a player who can no longer win decides which of the others wins.",
        details: "At such decisions of a game, one half of the worlds selects the two options between which the result \
               of another seat or team differs most. In the other half, the results of these two options must differ \
               by at least half a win. Because selecting and measuring use different worlds, and happen only once in \
               each game, chance alone produces this in at most one of forty games with 20 worlds, and in one of \
               eighteen games with 10 worlds.",
    },
    Definition {
        id: "ending",
        name: "ending",
        text: "The share of finished games that end with this ending.",
        details: "",
    },
    Definition {
        id: "tally",
        name: "counter",
        text: "What the rules count with `tally(name, seat, number)` or `tally(name, number)`.",
        details: "0 in games that count nothing. The game's counter is a total: it includes the counters of all seats.",
    },
    Definition {
        id: "offered",
        name: "offered",
        text: "How many questions offered this option, or this part of an option.",
        details: "Only questions with more than one answer count. An option with parts counts for each of its parts. \
               If a question offers more than 256 values of a part, or more than 256 options without parts, these \
               values or options are not counted, neither as offered nor as picked. Questions with more than 4,096 \
               options are not counted either.",
    },
    Definition {
        id: "picked",
        name: "picked",
        text: "How many of the questions that offered this option or part were answered with it.",
        details: "The share has Wilson's interval.",
    },
    Definition {
        id: "acquired",
        name: "acquired",
        text: "How often a seat gets a piece of this component: drawn, bought, won or given.",
        details: "A piece counts when it comes into a zone of the seat from elsewhere, and counts again if it leaves \
               and returns. A seat's own piece (`each = \"seat\"`), or a piece that the seat received from the box, \
               does not count when it returns to its zone from a place that belongs to no seat. A team acquires a \
               piece that comes into one of its zones, unless the piece comes from another zone of the team or of its \
               seats.",
    },
    Definition {
        id: "win_with",
        name: "wins with and without",
        text: "How often seats that picked an option win, compared with seats that were offered it and never picked it; for \
               a component, seats that acquired it compared with seats that did not. This is a correlation, not a cause: a \
               player who is ahead can buy more.",
        details: "A component is counted once for each time it was acquired. Options that are seats or their zones are \
               named from the view of the player who chooses, such as the player's own or the next seat's. The seats \
               of a team are counted together. Games, not seats, are the independent samples. The p-value is from a \
               permutation test, which assigns the ranks in each game to its seats at random; the test's distribution \
               is approximated by its moments. If the results of the games vary more than this distribution, their own \
               variance is used. The test and the interval use the same distribution. All differences of a table are \
               tested together, and their intervals are widened accordingly (Benjamini and Yekutieli). A difference is \
               called a finding exactly if its interval does not contain 0. At most one in twenty findings may be due \
               to chance. `false findings` is the p-value adjusted for the number of differences (Benjamini and \
               Hochberg). Reports collapse the differences that the game declares as intended in `[expected]`.",
    },
    Definition {
        id: "matched",
        name: "taken against not taken",
        text: "How much more often seats win that take an option than seats in the same standing that were offered the \
               option and did not take it. A card, an opening or a move that looks strong only because leaders take it \
               is close to 0 here.",
        details: "Each game counts once, with the first seat that was offered the option, at its first offer. A seat \
               is compared with seats that had the same standing when the lead was last determined (see “lead \
               changes”): ahead of all others, level with the best, or behind. Before that, all seats are level. \
               Within each standing, win shares after taking and after not taking the offer are compared, and the \
               differences are averaged with the numbers of games as weights. Standings in which all seats did the \
               same are left out, and so are options that were taken in fewer than 30 games or declined in fewer than \
               30 games. The interval is that of a weighted mean (Welch and Satterthwaite), widened for many \
               comparisons as described under “wins with and without”. Agents know more than the standing, such as \
               their hand, and may still take an option more often when they are better off.",
    },
    Definition {
        id: "within_kind",
        name: "against its kind",
        text: "How much more often seats that acquired this component win than seats that acquired any component of \
               its kind. For a worthless card, the figure is negative.",
        details: "The figure (the within-kind excess) is the difference between these two win shares. A seat counts \
               once for each time that it acquired a component. Findings are decided as described under “wins with and \
               without”.",
    },
    Definition {
        id: "choices",
        name: "choice",
        text: "With `parlour choices`: how much it matters which option is taken. A choice is real if the options \
               differ and none stands out, obvious if one option stands out, equal if it makes no difference which \
               option is taken, and forced if there is hardly ever a second option.",
        details: "From each game, one question of each decision is drawn at random. The seat that is asked imagines \
               worlds, and in each world every option (or, if there are more than 16, 16 evenly spaced ones) is taken \
               and the game played to its end, as for the winner's chance. One half of the worlds selects the best, \
               the second and the worst option; the other half measures their win shares, so that chance does not make \
               options differ. A decision is equal if the interval of best against worst ends below 3 percentage \
               points; obvious if the interval of best against second begins above 10, or all options but one are \
               never worth taking; forced if nine of ten questions have one option; unclear if the interval of best \
               against worst contains 0, or fewer than 20 questions were examined. An option is never worth taking if \
               it is significantly worse than the best other option (Benjamini and Hochberg), and if it is the best \
               option in significantly less than 15 % of questions. Two options are the same if at least 100 worlds \
               were compared, in all questions together, and the two options had the same results in all of them. All \
               of these figures depend on the strength of the agents that continue the worlds.",
    },
    Definition {
        id: "dead",
        name: "dead",
        text: "Components whose pieces never moved, and options that were offered but never picked.",
        details: "Dice are not reported, nor are kinds that serve as labels: kinds that stay in the box, that no zone \
               accepts, and that zones, values or printed facts refer to. For an option, the largest share of picks \
               that is still compatible with seeing no pick is shown (95 %). An option is reported only if random \
               agents would surely have picked it: at most one in twenty of the reported options may be due to chance \
               (Benjamini and Hochberg).",
    },
    Definition {
        id: "bands",
        name: "values by round",
        text: "For each value of the game, at the end of each of the first 60 rounds: the median, and the ranges that \
               contain the middle half and the middle nine tenths of the games that lasted that long.",
        details: "Values of seats are taken over all seats together. Values of components are shown if their kind has \
               at most 24 components. If a value is a space, the number of the space in its zone is used, counted from \
               1.",
    },
    Definition {
        id: "spaces",
        name: "use of spaces",
        text: "The share of games in which a piece comes to lie on a space at least once, after the setup of the box.",
        details: "",
    },
    Definition {
        id: "coverage",
        name: "coverage",
        text: "In how many games each phase, step, decision, announcement and ending took part.",
        details: "",
    },
    Definition {
        id: "until",
        name: "until it is known",
        text: "With `--until`, a batch stops as soon as a figure is known as precisely as you asked. The requested precision \
               holds in at least 95 of 100 batches.",
        details: "The batch stops at the first whole thousand of games after which the interval of the figure extends \
               to either side by at most 39/40 of what was requested. A figure never counts as known if fewer than 100 \
               games have it. Stopping at the first narrow interval stops slightly too often when games happened to \
               vary too little. After the first thousand games, this effect is small (Chow and Robbins 1965), and the \
               factor of 39/40 compensates for it (as in Frey 2010). Tests verify the promise on shares from 0.003 to \
               0.5 and on means of numbers with a long tail. The intervals beside the figures are those of a batch \
               with a fixed number of games, and cover the true value in at least 94 of 100 cases, or in 93 if an \
               event is seen fewer than thirty times. With several figures, such as the win share of every seat, the \
               promise holds for all of them together: each has to be known so precisely that the probabilities of \
               error add up to that of one figure (Bonferroni).",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_can_be_shared_by_any_number_of_seats() {
        assert_eq!([1, 2, 3, 4, 5, 6, 16].map(win_unit), [1, 2, 6, 12, 60, 60, 720_720]);
    }

    #[test]
    fn every_measure_has_one_definition() {
        let mut ids: Vec<&str> = DEFINITIONS.iter().map(|known| known.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), DEFINITIONS.len());
        assert!(DEFINITIONS.iter().all(|known| known.text.ends_with('.')));
    }
}

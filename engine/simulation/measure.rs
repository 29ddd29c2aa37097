//! What is measured of every single game, and what each measure means.

use crate::model::{Language, Model};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// One number that every game gives (or some games do).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Measure {
    /// What a seat got of the first place: all of it, or its part of a tie.
    Win(u8),
    /// The same of the seat so many places behind the one that goes first in the first round.
    Place(u8),
    /// The score of a seat.
    Score(u8),
    /// The mean of the scores of all seats.
    Scores,
    /// How far the winner's score lies from the next.
    Margin,
    /// How far the winner's score lies from the last.
    LastGap,
    /// Whether several seats shared the first place.
    Tie,
    /// Rounds.
    Rounds,
    /// Turns of seats.
    Turns,
    /// Questions with more than one answer.
    Decisions,
    /// The same of one seat.
    DecisionsOf(u8),
    /// The share of questions with one answer.
    Forced,
    /// Options of a question, on the mean of the game.
    Options,
    /// How often the lead passed to another seat.
    LeadChanges,
    /// When the last lead change came, of the whole game.
    LastLead,
    /// What the leader after so many quarters got of the first place.
    LeaderWins(u8),
    /// How far the winner was behind at worst.
    Comeback,
    /// How likely the winner was to win after so many tenths of the game.
    WinnerChance(u8),
    /// How likely the seat that was most likely to win was to do so, after so many tenths.
    FavoriteChance(u8),
    /// How likely the winner was to win at worst.
    LeastChance,
    /// How many sides could not win any more when they were asked for the last times.
    Hopeless,
    /// Whether one of these decided who won.
    Kingmaking,
    /// Whether the game came to an ending; 0 in games that do not have it.
    Ending(Arc<str>),
    /// A part of a seat's score.
    Part(Arc<str>, u8),
    /// A counter of the rules, of the game or of a seat.
    Tally(Arc<str>, Option<u8>),
}

/// What the numbers of a measure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasureKind {
    /// A part of one, from 0 to 1.
    Share,
    /// An amount.
    Amount,
}

/// What a measure means, for the reader of a figure.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// The word for it in files, targets and links.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// What exactly is counted.
    pub text: &'static str,
}

/// Thousandths.
const THOUSAND: i64 = 1000;

impl Measure {
    /// How many units of the numbers make one.
    pub fn unit(&self, seats: u8) -> i64 {
        match self {
            Self::Win(_) | Self::Place(_) => whole_win(seats),
            Self::LeaderWins(_) => whole_win(seats) * whole_win(seats),
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

    /// Whether it is a share or an amount.
    pub fn sort(&self) -> MeasureKind {
        match self {
            Self::Win(_)
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

    /// Whether games without a number count as 0: counters, parts of scores and endings that a game does not mention.
    pub fn is_zero_unsaid(&self) -> bool {
        matches!(self, Self::Part(..) | Self::Tally(..) | Self::Ending(_))
    }

    /// The word for the sort of measure in files, targets and links; see [`DEFINITIONS`].
    pub fn id(&self) -> &'static str {
        match self {
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

    /// The word with what it is measured of: `win.1`, `ending.over`, `tally.trades.2`.
    pub fn word(&self) -> String {
        self.to_string()
    }

    /// The same, where that is the [`id`](Self::id) and nothing behind it.
    pub(crate) fn whole_word(&self) -> Option<&'static str> {
        matches!(self.of(), Of::All).then(|| self.id())
    }

    fn of(&self) -> Of<'_> {
        match self {
            Self::Win(seat) | Self::Place(seat) | Self::Score(seat) | Self::DecisionsOf(seat) => Of::Number(seat + 1),
            Self::WinnerChance(tenths) | Self::FavoriteChance(tenths) => Of::Number(*tenths),
            Self::Part(name, seat) | Self::Tally(name, Some(seat)) => Of::Name(name, Some(seat + 1)),
            Self::Ending(name) | Self::Tally(name, None) => Of::Name(name, None),
            _ => Of::All,
        }
    }

    /// What people call it.
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

    /// What it means.
    pub fn definition(&self) -> &'static Definition {
        definition(self.id())
    }
}

/// Its [word](Measure::word).
impl Display for Measure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())?;
        match self.of() {
            Of::All => Ok(()),
            Of::Number(number) => write!(f, ".{number}"),
            Of::Name(name, None) => write!(f, ".{name}"),
            Of::Name(name, Some(seat)) => write!(f, ".{name}.{seat}"),
        }
    }
}

/// What a number is of, behind the id of its measure.
enum Of<'a> {
    /// The whole game.
    All,
    /// A seat, or so many tenths of the game.
    Number(u8),
    /// Something of the game with a name, and the number of a seat.
    Name(&'a str, Option<u8>),
}

/// What a word of [`DEFINITIONS`] means.
pub fn definition(id: &str) -> &'static Definition {
    DEFINITIONS.iter().find(|known| known.id == id).expect("every measure is defined")
}

/// A first place, in units that every number of winners divides.
pub fn whole_win(seats: u8) -> i64 {
    fn common(a: i64, b: i64) -> i64 {
        if b == 0 { a } else { common(b, a % b) }
    }
    (2..=i64::from(seats)).fold(1, |all, seat| all / common(all, seat) * seat)
}

/// A part of a whole in thousandths, to the nearest.
pub(super) fn thousandths(part: i128, whole: i128) -> i64 {
    ((part * i128::from(THOUSAND) * 2 + whole) / (whole * 2)) as i64
}

/// What every figure means. The page of measures in the guide, and the report, are written from this list.
pub const DEFINITIONS: &[Definition] = &[
    Definition {
        id: "win",
        name: "win share",
        text: "The share of finished games that a seat wins. Where k seats share the first place, each gets 1/k of the game. The \
               fair share is 1/n for n seats. A team wins whole: each of its seats gets what the team gets, 1/k where k teams \
               share the first place, and the fair share is 1/n for n teams; of a team one seat is tested, and stands for it. The interval is Wilson's; with ties, which vary less, the games count as as many \
               plain ones as would vary alike. Whether seats matter at all is asked once for all of them, by Pearson's test; a \
               seat is called better or worse when besides the exact test of its own share says so, weighed by the number of \
               seats (Benjamini and Hochberg).",
    },
    Definition {
        id: "success",
        name: "success",
        text: "In a game whose endings are won by everybody or by nobody: the share of finished games that everybody won.",
    },
    Definition {
        id: "place",
        name: "win share by turn order",
        text: "The win share of whoever is first, second and so on in turn order when the first round begins, whichever seat that is. It is \
               told where another seat than the first may begin: seats alike by chance say nothing of who goes first. Interval and \
               fair share are those of the win share.",
    },
    Definition {
        id: "seat_win_gap",
        name: "seat gap",
        text: "How far the win share of the seat that is farthest from the fair share lies from it. The interval is made of \
               intervals of all seats that hold together (Bonferroni).",
    },
    Definition {
        id: "score",
        name: "score",
        text: "What the rules' function `score` returns at the end; of a team, for each of its seats. The mean of the seats is one \
               number for each game.",
    },
    Definition {
        id: "part",
        name: "part of score",
        text: "One entry of the map that `score` returns; 0 in games that do not mention it.",
    },
    Definition {
        id: "margin",
        name: "margin",
        text: "How far the winner's score lies from the nearest score of a seat that lost; 0 for a first place that several seats, \
               or teams, share. Games that nobody loses are left out.",
    },
    Definition {
        id: "last_gap",
        name: "gap to last",
        text: "How far the winner's score lies from the score of the last seat. Games that nobody loses are left out.",
    },
    Definition {
        id: "ties",
        name: "ties",
        text: "The share of games in which several seats, or several teams, share the first place.",
    },
    Definition { id: "rounds", name: "rounds", text: "How many rounds begin." },
    Definition {
        id: "turns",
        name: "turns",
        text: "How many turns seats have: one for each time the flow comes to a seat, however many steps it takes then.",
    },
    Definition { id: "decisions", name: "decisions", text: "Questions put to players that have more than one answer." },
    Definition {
        id: "decisions_of",
        name: "decisions of a seat",
        text: "Questions put to one seat that have more than one answer.",
    },
    Definition {
        id: "forced",
        name: "forced share",
        text: "Of all questions of a game, the share with only one answer: they are answered without asking. To the thousandth, in \
               each game.",
    },
    Definition {
        id: "options",
        name: "options",
        text: "How many options a question has, a pass included, over the questions of a game that have more than one.",
    },
    Definition {
        id: "lead_changes",
        name: "lead changes",
        text: "Looked at when a round ends: how often a seat that leads alone is another one than the seat that led alone \
               before. Who leads is told by the rules' function `standing(seat)`, larger is better, or by `score` where \
               there is none; a game of a single round is looked at after every step, if it has `standing`. \
               A team leads as one.",
    },
    Definition {
        id: "last_lead",
        name: "last lead change",
        text: "When the last lead change came, as a part of the game's decisions. Games without a lead change are left out.",
    },
    Definition {
        id: "leader_quarter",
        name: "leader at a quarter wins",
        text: "What the seat that leads when a quarter of the game's decisions have been made gets of the first place in the \
               end; of several leaders, their mean. It is looked up at the last look before that moment; games without one, or \
               in which all seats stand alike then, are left out. By chance it is 1/n, for n seats or teams.",
    },
    Definition { id: "leader_half", name: "leader at half wins", text: "The same at half of the game's decisions." },
    Definition {
        id: "leader_three_quarters",
        name: "leader at three quarters wins",
        text: "The same at three quarters of the game's decisions.",
    },
    Definition {
        id: "comeback",
        name: "comeback",
        text: "How far the winner was behind the leader at worst, at any look (see lead changes). With several winners, the \
               largest of theirs.",
    },
    Definition {
        id: "winner_chance",
        name: "winner's chance",
        text: "With `--prospects N`: how likely the winner was to win, after each tenth of the game's decisions; of several winners, the \
               mean. The game is played again by its answers; at that moment the seat that is asked imagines N worlds, and each is \
               played on by the game's own file of agents that has an `estimate`, or at random where there is none: what that seat \
               cannot know is dealt again. Where k share the first place of such a world, each gets 1/k of it. A line that rises late \
               tells of a game that is open to the end. It is how the seat that is asked would see it, not how it lies.",
    },
    Definition {
        id: "favorite_chance",
        name: "favorite's chance",
        text: "How likely the seat, or team, that is then most likely to win is to do so, in the same worlds. The largest of several figures from few \
               worlds is a little too large.",
    },
    Definition {
        id: "least_chance",
        name: "comeback by chance",
        text: "The least that the winner's chance was at any of these moments: the smaller, the more games are turned around.",
    },
    Definition {
        id: "hopeless",
        name: "out of reach",
        text: "With `--prospects N`: how many seats, or teams, cannot win any more when they are asked. At each of its last three \
               decisions every option (of more than 16, as many that lie evenly) is tried in the same N worlds, which are played on \
               as above. As long as fewer than three of them decide anything (the same seats win, as often, whatever is chosen), the three before are \
               looked at too, up to the last twelve. Who wins in none of the worlds of one of them, by no option, counts. That nothing was seen in n worlds leaves up to 3/n.",
    },
    Definition {
        id: "kingmaking",
        name: "kingmaking",
        text: "The share of games in which somebody who is out of reach decides who wins. Of all options at such decisions of a game, the two \
               that differ most for another seat or team are picked in one half of the worlds; they must differ by at least half of a \
               win in the other half. As picking and measuring are done in different worlds, and once a game, chance alone makes a king in \
               at most one game of forty with 20 worlds, and one of eighteen with 10.",
    },
    Definition { id: "ending", name: "ending", text: "The share of finished games that come to this ending." },
    Definition {
        id: "tally",
        name: "counter",
        text: "What the rules count with `tally(name, seat, number)` or `tally(name, number)`; 0 in games that count nothing. That \
               of the game holds what is counted for its seats too.",
    },
    Definition {
        id: "offered",
        name: "offered",
        text: "How many questions with more than one answer had this among their options. An option with parts counts for each \
               of its parts. In a question that offers more than 256 values of a part, or 256 options without parts, these are \
               left out, when offered and when picked; so is a list of more than 4,096 options.",
    },
    Definition {
        id: "picked",
        name: "picked",
        text: "How many of the questions that offered it were answered with it, and the share with Wilson's interval.",
    },
    Definition {
        id: "acquired",
        name: "acquired",
        text: "A component is acquired by a seat in a game when a piece of it comes into a zone of that seat from elsewhere: \
               drawn, bought, won or given. A piece that leaves and comes again counts again; but a seat's own pieces \
               (`each = \"seat\"`), and those that seats have from the box, only return when they come back to where they \
               belong from a place that is no seat's. A team acquires what comes into a zone of the team from elsewhere than its own zones \
               and those of its seats.",
    },
    Definition {
        id: "win_with",
        name: "wins with and without",
        text: "The win share of seats that picked an option, and of seats that were offered it and never picked it, in the same \
               batch; of components, that of seats that acquired it, counted once for each time, and of seats that did not. \
               Seats and their zones are options as the one who chooses sees them: its own, the next seat's. The seats of a team are counted together. A game, not a \
               seat, is what varies: the p-value is that of a permutation test, in which the places of each game are dealt \
               among its seats at random, approximated by its moments; where games were seen to vary more, that counts. Test \
               and interval both come from that one distribution. All differences of a table are looked at together, and \
               their intervals are so much wider (Benjamini and Yekutieli) that those that leave out 0, and no others, are \
               called findings; at most one in twenty of these may be chance: `false findings` is the p-value adjusted for \
               that (Benjamini and Hochberg). It is a correlation, not a \
               cause: who is ahead can buy more. What `[expected]` says of a game is by design, and folded.",
    },
    Definition {
        id: "within_kind",
        name: "against its kind",
        text: "The within-kind excess: the win share of seats that acquired a component, less that of seats that acquired \
               components of its kind, each counted once for each time. A worthless card is below its kind. The same rule says \
               what a finding is.",
    },
    Definition {
        id: "dead",
        name: "dead",
        text: "Components whose pieces never moved, but for dice and for kinds that are labels: that stay in the box, that no zone \
               names among what it takes, and that zones, values or printed facts go by. And options that were offered and never picked, with the largest share that \
               fits with that (95 %). An option is called so where random agents would surely have picked it: at most \
               one in twenty of those named may be chance (Benjamini and Hochberg).",
    },
    Definition {
        id: "bands",
        name: "values by round",
        text: "For each value of the game, at the end of each of the first 60 rounds: the median, the middle half and the middle \
               nine tenths over all games that came so far. Values of seats are taken of all seats together, those of components \
               where their kind has at most 24; a space counts by its number in its zone, from 1.",
    },
    Definition {
        id: "spaces",
        name: "use of spaces",
        text: "The share of games in which a piece comes to lie on a space at least once, after the box is opened.",
    },
    Definition {
        id: "coverage",
        name: "coverage",
        text: "In how many games each phase, step, decision, announcement and ending took part.",
    },
    Definition {
        id: "until",
        name: "until it is known",
        text: "With `--until` a batch stops at the first whole thousand of games after which the interval of the figure reaches no farther \
               than a fortieth less than what was asked, to either side; a figure that fewer than 100 games have is not known. \
               Whoever stops at the first narrow interval stops a little too often where games varied too little by chance. \
               From a thousand games on that costs little (Chow and Robbins 1965), and the stricter rule makes up for it \
               (as in Frey 2010): what was asked holds in at least 95 of 100 batches, which is tested on shares from 0.003 to 0.5 \
               and on means of numbers with a long tail. The intervals beside the figures are those of a batch \
               that was to have so many games, and cover at least 94 of 100 times; of what is seen fewer than thirty times, 93. \
               Of several figures, such as the win share of every seat, \
               it holds of all together: each is to be known so surely that the doubts of all add up to that of one (Bonferroni).",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_place_can_be_shared_by_any_number_of_seats() {
        assert_eq!([1, 2, 3, 4, 5, 6, 16].map(whole_win), [1, 2, 6, 12, 60, 60, 720_720]);
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

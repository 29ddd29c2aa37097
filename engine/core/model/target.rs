//! Targets: bounds that the author sets for measures over many games.

use std::sync::Arc;

/// A measure with the bounds that it should stay within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name of the measure: the identifier of a `Figure`, or the identifier of a `FigureGroup` followed by a dot and a member of the group,
    /// such as `ending.NAME` or `tally.NAME`.
    pub figure: Arc<str>,
    /// Lower bound in millionths.
    pub min: Option<i64>,
    /// Upper bound in millionths.
    pub max: Option<i64>,
}

impl Target {
    /// Factor by which a bound is multiplied to store it as an integer.
    pub const UNIT: i64 = 1_000_000;

    /// Returns whether the measure is a share between 0 and 1.
    pub fn is_share(figure: &str) -> bool {
        Figure::from_word(figure).is_some_and(|figure| figure.word_and_is_share().1)
            || FigureGroup::split(figure).is_some_and(|(group, _)| group.is_share())
    }

    /// Returns whether the measure compares seats or teams.
    pub fn is_between_seats(figure: &str) -> bool {
        let is_group = |group| matches!(group, FigureGroup::Win | FigureGroup::Place);
        let is_figure = |figure| {
            matches!(
                figure,
                Figure::SeatWinGap
                    | Figure::Ties
                    | Figure::Margin
                    | Figure::LastGap
                    | Figure::LeadChanges
                    | Figure::LastLead
                    | Figure::LeaderQuarter
                    | Figure::LeaderHalf
                    | Figure::LeaderThreeQuarters
                    | Figure::Comeback
            )
        };
        Figure::from_word(figure).is_some_and(is_figure)
            || FigureGroup::split(figure).is_some_and(|(group, _)| is_group(group))
    }

    /// Returns whether the measure exists for campaigns. Some of these measures exist only for campaigns. Others, such as success, also
    /// exist for single games.
    pub fn is_of_campaigns(figure: &str) -> bool {
        let is_general = |figure| matches!(figure, Figure::Success | Figure::SeatWinGap | Figure::Faults);
        Self::is_of_campaigns_only(figure)
            || Figure::from_word(figure).is_some_and(is_general)
            || matches!(FigureGroup::split(figure), Some((FigureGroup::Win, _)))
    }

    /// Returns whether the measure exists only for campaigns.
    pub fn is_of_campaigns_only(figure: &str) -> bool {
        let is_of_scenarios =
            |group| matches!(group, FigureGroup::Attempts | FigureGroup::ScenarioWon | FigureGroup::Carried);
        Figure::from_word(figure) == Some(Figure::CampaignGames)
            || FigureGroup::split(figure).is_some_and(|(group, _)| is_of_scenarios(group))
    }

    /// Returns whether the measure can be negative. This holds for scores, tallies and carried amounts.
    pub fn may_be_negative(figure: &str) -> bool {
        let is_score = Figure::from_word(figure) == Some(Figure::Score);
        is_score
            || matches!(
                FigureGroup::split(figure),
                Some((FigureGroup::Tally | FigureGroup::Score | FigureGroup::Carried, _))
            )
    }
}

/// A measure that the simulation computes and that can have a target. Each variant is named after the identifier of the measure in a game's
/// files.
#[allow(missing_docs, reason = "the variants are named after their words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Success,
    SeatWinGap,
    Ties,
    Rounds,
    Turns,
    Decisions,
    Forced,
    Options,
    Score,
    Margin,
    LastGap,
    LeadChanges,
    LastLead,
    LeaderQuarter,
    LeaderHalf,
    LeaderThreeQuarters,
    Comeback,
    Faults,
    CampaignGames,
}

/// A group of measures whose names contain a dot, such as `ending.NAME`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureGroup {
    /// Relative frequency of an ending.
    Ending,
    /// Mean of a tally.
    Tally,
    /// Win share of a seat.
    Win,
    /// Win share of a place in turn order.
    Place,
    /// Mean score of a seat.
    Score,
    /// Mean number of games that a campaign plays of a scenario.
    Attempts,
    /// Relative frequency with which campaigns win a scenario.
    ScenarioWon,
    /// Mean amount of a value, or mean number of pieces in a zone, that a campaign carries over after a scenario.
    Carried,
}

impl Figure {
    /// All variants, in the order in which messages list them.
    pub(crate) const ALL: [Self; 19] = [
        Self::Success,
        Self::SeatWinGap,
        Self::Ties,
        Self::Rounds,
        Self::Turns,
        Self::Decisions,
        Self::Forced,
        Self::Options,
        Self::Score,
        Self::Margin,
        Self::LastGap,
        Self::LeadChanges,
        Self::LastLead,
        Self::LeaderQuarter,
        Self::LeaderHalf,
        Self::LeaderThreeQuarters,
        Self::Comeback,
        Self::Faults,
        Self::CampaignGames,
    ];

    /// Returns the identifier of the measure, and whether the measure is a share between 0 and 1.
    const fn word_and_is_share(self) -> (&'static str, bool) {
        match self {
            Self::Success => ("success", true),
            Self::SeatWinGap => ("seat_win_gap", true),
            Self::Ties => ("ties", true),
            Self::Rounds => ("rounds", false),
            Self::Turns => ("turns", false),
            Self::Decisions => ("decisions", false),
            Self::Forced => ("forced", true),
            Self::Options => ("options", false),
            Self::Score => ("score", false),
            Self::Margin => ("margin", false),
            Self::LastGap => ("last_gap", false),
            Self::LeadChanges => ("lead_changes", false),
            Self::LastLead => ("last_lead", true),
            Self::LeaderQuarter => ("leader_quarter", true),
            Self::LeaderHalf => ("leader_half", true),
            Self::LeaderThreeQuarters => ("leader_three_quarters", true),
            Self::Comeback => ("comeback", false),
            Self::Faults => ("faults", true),
            Self::CampaignGames => ("campaign_games", false),
        }
    }

    /// Returns the identifier of the measure in a game's files.
    pub(crate) const fn word(self) -> &'static str {
        self.word_and_is_share().0
    }

    /// Returns the identifiers of all measures.
    pub fn words() -> [&'static str; Self::ALL.len()] {
        Self::ALL.map(Self::word)
    }

    /// Finds a measure by its identifier.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.word() == word)
    }
}

impl FigureGroup {
    /// All variants, in the order in which messages list them.
    pub const ALL: [Self; 8] = [
        Self::Ending,
        Self::Tally,
        Self::Win,
        Self::Place,
        Self::Score,
        Self::Attempts,
        Self::ScenarioWon,
        Self::Carried,
    ];

    /// Returns the identifier of the group, which stands before the dot.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ending => "ending",
            Self::Tally => "tally",
            Self::Win => "win",
            Self::Place => "place",
            Self::Score => "score",
            Self::Attempts => "attempts",
            Self::ScenarioWon => "scenario_won",
            Self::Carried => "carried",
        }
    }

    /// Returns the placeholder after the dot, for help texts.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Self::Ending | Self::Tally => "NAME",
            Self::Win | Self::Score => "SEAT",
            Self::Place => "NUMBER",
            Self::Attempts | Self::ScenarioWon => "SCENARIO",
            Self::Carried => "SCENARIO.NAME",
        }
    }

    /// Splits the name of a measure, such as `ending.NAME`, into its group and the rest. Returns `None` if there is no such group.
    pub fn split(word: &str) -> Option<(Self, &str)> {
        let (group, name) = word.split_once('.')?;
        Some((Self::ALL.into_iter().find(|known| known.word() == group)?, name))
    }

    const fn is_share(self) -> bool {
        match self {
            Self::Ending | Self::Win | Self::Place | Self::ScenarioWon => true,
            Self::Tally | Self::Score | Self::Attempts | Self::Carried => false,
        }
    }
}

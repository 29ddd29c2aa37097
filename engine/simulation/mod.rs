//! Plays many games: batches and their statistics, comparisons of versions, parameter sweeps, contests of agents, and
//! the search for faults by random play. Does not depend on a terminal. The caller chooses the agents.

mod arena;
mod batch;
mod batch_context;
mod batch_run;
mod campaign;
mod campaign_runner;
mod choice_map;
mod compare;
mod contrast;
mod crews;
mod difference;
mod estimate;
mod fault;
mod figure_check;
mod figures;
mod follower;
mod fuzz;
mod game;
mod game_measures;
mod game_observer;
#[cfg(feature = "system")]
mod game_tree;
mod histogram;
mod invented_names;
mod ledger;
mod matched;
mod measure;
#[cfg(not(feature = "system"))]
mod one_by_one;
mod option_stats;
mod pairs;
mod parallel;
mod precision;
#[cfg(feature = "system")]
mod queue;
mod ratio;
mod sweep;
mod target;
mod traces;
mod tune;
mod win_probability;

pub use arena::{Contest, ContestGame, ContestResult, Contestant, Spectator, arena, standings};
pub use batch::{Batch, BatchError, content_hash, game_seed};
pub use batch_run::{compare, replay_faults, simulate};
pub use campaign::{Campaigns, Scenario, simulate_campaigns};
pub use choice_map::{
    ChoiceClass, ChoiceFollower, ChoiceMap, ChoicePlan, ChoiceProgress, DecisionChoices, DominatedOption,
    DuplicateOptions, ExaminedQuestion, TriedOption, map_choices,
};
pub use compare::{ComparedMeasure, Comparison, FEWEST_PAIRS, Margin, Paired, Verdict};
pub use contrast::Contrast;
pub use crews::CrewLead;
pub use difference::{AdjustedDifference, Difference, adjust_differences, confidence_together};
pub use estimate::{
    CONFIDENCE, Estimate, FALSE_FINDINGS, Interval, false_discovery, games_to_precision, games_to_significance,
    p_values_of_shares, rule_of_three_bound, wilson, wilson_at,
};
pub use fault::FaultGroup;
pub use figures::{
    BandKey, DecisionStatistics, Figures, Interest, ItemStatistics, Notable, OccurrenceCount, RelaxedGroup,
};
pub use follower::Follower;
pub use fuzz::{
    DEFAULT_EFFORT, DEFAULT_GAMES, FoundFault, FuzzLimits, FuzzResult, Script, SetupFindings, check_other_setups,
    check_typical_setups, fuzz,
};
pub use game::{Record, SeatPlayer};
#[cfg(feature = "system")]
pub use game_tree::{CountDetails, CountError, GameTree, MAX_FIRST_ANSWERS, MAX_POSITIONS, PlyCount};
pub use histogram::Histogram;
pub use invented_names::InventedNames;
pub use matched::Matched;
pub use measure::{DEFINITIONS, Definition, Measure, MeasureKind, definition, win_unit};
pub use option_stats::{OWN_ROW, OptionKey, OptionReferent};
pub use parallel::in_parallel;
pub use precision::{InterimLook, LOOK, Precision};
pub use ratio::Ratio;
pub use sweep::{Dial, MAX_DIALS, MAX_SETTINGS, Setting, count_settings, distance, grid, search};
pub use target::{Judgment, TargetResult, check_figure, figure, judge};
pub use tune::{TargetDistance, TunableNumber, TunedSetting, change_size, tune};
pub use win_probability::{LookAtGame, PARTS, Prospects, looks_at_game};

//! Many games: batches, what is measured of them, comparison and search; and faults found by play. It knows no terminals and does
//! not choose who plays.

mod arena;
mod batch;
mod campaign;
mod compare;
mod contrast;
mod difference;
mod estimate;
mod fault;
mod figure_check;
mod figures;
mod follower;
mod game;
mod histogram;
mod ledger;
mod measure;
mod notebook;
mod numbers;
mod offered;
mod pairs;
mod parallel;
mod playing;
mod precision;
mod probe;
mod prospects;
mod queue;
mod ratio;
mod scheme;
mod sweep;
mod target;
mod traces;

pub use arena::{Bout, Contest, Contestant, Ladder, Spectator, arena, standings};
pub use batch::{Batch, BatchError, game_seed, number_of};
pub use campaign::{Campaigns, Scenario, simulate_campaigns};
pub use compare::{ComparedMeasure, Comparison, FEWEST_PAIRS, Margin, Paired, Verdict};
pub use contrast::Contrast;
pub use difference::{Difference, Weighed, confidence_together, weigh};
pub use estimate::{
    CONFIDENCE, Estimate, FALSE_FINDINGS, Interval, false_discovery, games_to_know, games_to_tell, never_seen,
    p_values_of_shares, wilson, wilson_at,
};
pub use fault::FaultGroup;
pub use figures::{BandKey, DecisionStatistics, Figures, Interest, ItemStatistics, Notable, RelaxedGroup, Times};
pub use follower::Follower;
pub use game::{Record, SeatPlayer};
pub use histogram::Histogram;
pub use measure::{DEFINITIONS, Definition, Measure, MeasureKind, definition, whole_win};
pub use offered::{OWN_ROW, OptionKey, Thing};
pub use parallel::in_parallel;
pub use playing::{compare, faults_again, simulate};
pub use precision::{InterimLook, LOOK, Precision};
pub use probe::{Findings, FoundFault, Script, probe};
pub use prospects::{PARTS, Prospects};
pub use ratio::Ratio;
pub use sweep::{Dial, MOST_SETTINGS, Setting, distance, grid, search};
pub use target::{Judged, Judgment, check_figure, figure, judge};

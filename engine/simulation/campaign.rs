//! Batches of campaigns. Each campaign is a sequence of games. Statistics are kept for each scenario and for campaigns
//! as a whole.

use super::batch::{Batch, BatchError, game_seed};
use super::campaign_runner::{CampaignGame, CampaignGames, CampaignRunner, merge_records};
use super::figures::Figures;
use super::follower::Follower;
use super::game::SeatPlayer;
use super::histogram::Histogram;
use super::ledger::Ledger;
#[cfg(not(feature = "system"))]
use super::one_by_one::run_in_order;
#[cfg(feature = "system")]
use super::queue::run_in_order;
use crate::diagnostic::Diagnostics;
use crate::session::Game;
use std::ops::Range;
use std::sync::Arc;

/// Results of a batch of campaigns.
#[derive(Debug, Clone)]
pub struct Campaigns {
    /// Figures in which a campaign counts as one game. The winner of its last game counts as the winner of the campaign; decisions, rounds
    /// and turns are summed.
    pub whole: Figures,
    /// Distribution of the number of games per campaign, over the campaigns that were completed.
    pub games: Histogram,
    /// The scenarios that were played, in declaration order.
    pub scenarios: Vec<Scenario>,
}

/// Statistics of one scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Name of the scenario.
    pub word: Arc<str>,
    /// Number of campaigns that played the scenario at least once.
    pub campaigns: u64,
    /// Figures of the scenario's games.
    pub figures: Figures,
}

/// Plays a batch of campaigns. `batch` specifies the number of campaigns and the setup of each campaign's first game. The follower receives
/// the last game of each campaign, but no figures. A game without a campaign is played as a campaign of one game.
///
/// # Errors
/// Returns mistakes in the game's files or the setup, or an error of the follower. Faults of single games are part of the figures.
pub fn simulate_campaigns<F: Follower>(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &F,
) -> Result<Campaigns, BatchError> {
    let (seats, halt) = (batch.setup.seats, follower.halt());
    let (layout, _) = game.host(&batch.setup).map_err(BatchError::Game)?;
    let words = layout.model.scenarios().unwrap_or_default();
    let runners: Vec<CampaignRunner<'_>> =
        batch.threads().map(|_| CampaignRunner::new(game.apart(), seat_player)).collect();
    let play =
        |thread: usize, range: Range<u64>| -> Result<(Vec<CampaignGames>, Vec<F::GameData>, bool), Diagnostics> {
            let (mut all, mut kept) = (Vec::new(), Vec::new());
            for at in range {
                if follower.stops() || halt.is_called() {
                    return Ok((all, kept, false));
                }
                let setup = batch.setup.clone().seed(game_seed(batch.seed, at));
                let played = runners[thread].play(setup, at)?;
                kept.extend(played.last().map(|last| follower.keep(&last.record)));
                all.push(played);
            }
            Ok((all, kept, true))
        };
    let mut counted =
        CampaignCounter { seats, whole: Ledger::new(seats), games: Histogram::default(), scenarios: Vec::new() };
    run_in_order(batch, &play, |(all, kept, is_whole)| {
        for played in &all {
            counted.add(played);
        }
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        Ok(is_whole)
    })?;
    let mut campaigns = counted.into_campaigns();
    campaigns.scenarios.sort_by_key(|scenario| words.iter().position(|word| *word == scenario.word));
    Ok(campaigns)
}

/// Accumulator of the results of campaigns.
struct CampaignCounter {
    seats: u8,
    whole: Ledger,
    games: Histogram,
    /// For each scenario: its name, the number of campaigns that played it, and the ledger of its games.
    scenarios: Vec<(Arc<str>, u64, Ledger)>,
}

impl CampaignCounter {
    /// Adds the games of a campaign.
    fn add(&mut self, played: &CampaignGames) {
        let mut seen: Vec<&Arc<str>> = Vec::new();
        for CampaignGame { scenario: word, record, .. } in played {
            let at = self.scenarios.iter().position(|(known, ..)| known == word).unwrap_or_else(|| {
                self.scenarios.push((word.clone(), 0, Ledger::new(self.seats)));
                self.scenarios.len() - 1
            });
            let (_, campaigns, ledger) = &mut self.scenarios[at];
            ledger.add(record);
            *campaigns += u64::from(!seen.contains(&word));
            seen.push(word);
        }
        let Some(CampaignGame { record: last, .. }) = played.last() else { return };
        if last.fault.is_none() {
            self.games.add(played.len() as i64);
        }
        self.whole.add(&merge_records(played, last));
    }

    /// Converts the counts to figures.
    fn into_campaigns(self) -> Campaigns {
        let scenarios = self.scenarios.into_iter();
        let scenarios = scenarios
            .map(|(word, campaigns, ledger)| Scenario { word, campaigns, figures: ledger.into_figures() })
            .collect();
        Campaigns { whole: self.whole.into_figures(), games: self.games, scenarios }
    }
}

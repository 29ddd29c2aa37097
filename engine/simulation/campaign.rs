//! Batches of campaigns. Each campaign is a sequence of games; statistics are kept for each scenario and for campaigns as wholes.

use super::batch::{Batch, BatchError, game_seed};
use super::batch_context::BatchContext;
use super::figures::Figures;
use super::follower::Follower;
use super::game::{self, Record, SeatPlayer};
use super::game_observer::GameObserver;
use super::histogram::Histogram;
use super::ledger::Ledger;
use super::measure::Measure;
use super::queue::run_in_order;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, MAX_GAMES, Setup, WorldCounts, endless_campaign};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Figures of many campaigns.
#[derive(Debug, Clone)]
pub struct Campaigns {
    /// Figures in which a campaign counts as one game: the winner is that of its last game; decisions, rounds and turns are summed.
    pub whole: Figures,
    /// Number of games of the campaigns that were completed.
    pub games: Histogram,
    /// The scenarios that were played, in declaration order.
    pub scenarios: Vec<Scenario>,
}

/// Games of one scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Word of the scenario.
    pub word: Arc<str>,
    /// Number of campaigns in which it was played at least once.
    pub campaigns: u64,
    /// Figures of its games.
    pub figures: Figures,
}

/// Games of one campaign in order, each with its scenario.
type CampaignGames = Vec<(Arc<str>, Record)>;

/// Plays campaigns. `batch` gives their number and the setup of their first games. The follower receives the last game of each
/// campaign, but no figures.
///
/// # Errors
/// Returns mistakes in the game's files or the setup, or that the game has no campaign. Faults of single games are part of the figures.
pub fn simulate_campaigns<F: Follower>(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &F,
) -> Result<Campaigns, BatchError> {
    let (seats, halt) = (batch.setup.seats, follower.halt());
    let (layout, _) = game.host(&batch.setup).map_err(BatchError::Game)?;
    let words = layout.model.scenarios().unwrap_or_default();
    let runners: Vec<CampaignRunner<'_>> = batch
        .threads()
        .map(|_| CampaignRunner { game: game.apart(), seat_player, contexts: Mutex::default() })
        .collect();
    let play =
        |thread: usize, range: Range<u64>| -> Result<(Vec<CampaignGames>, Vec<F::GameData>, bool), Diagnostics> {
            let (mut all, mut kept) = (Vec::new(), Vec::new());
            for at in range {
                if follower.stops() || halt.is_called() {
                    return Ok((all, kept, false));
                }
                let setup = batch.setup.clone().seed(game_seed(batch.seed, at));
                let played = runners[thread].play(setup, at)?;
                kept.extend(played.last().map(|(_, record)| follower.keep(record)));
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

/// Plays campaigns on one thread.
struct CampaignRunner<'a> {
    game: Game,
    seat_player: SeatPlayer<'a>,
    contexts: Mutex<FxHashMap<Arc<str>, Arc<BatchContext>>>,
}

impl CampaignRunner<'_> {
    /// Plays a campaign that begins with this setup.
    fn play(&self, mut setup: Setup, at: u64) -> Result<CampaignGames, Diagnostics> {
        let mut played = CampaignGames::new();
        loop {
            let (layout, host) = self.game.host(&setup)?;
            let word = layout.model.scenario().unwrap_or_else(|| "".into());
            let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
            let context = contexts
                .entry(word.clone())
                .or_insert_with(|| Arc::new(BatchContext::new(&layout.model, host.may_change_first_seat())))
                .clone();
            drop(contexts);
            let players = layout.model.all_seats().map(|seat| (self.seat_player)(setup.seed, seat)).collect();
            let mut record = game::play(&self.game, &setup, at, players, GameObserver::new(context))?;
            let next = record.next.take();
            if next.is_some() && played.len() + 1 >= MAX_GAMES {
                record.fault = Some(Box::new(endless_campaign()));
                record.outcome = None;
            }
            let is_last = record.fault.is_some();
            played.push((word, record));
            match next.filter(|_| !is_last) {
                Some(next) => setup = next,
                None => return Ok(played),
            }
        }
    }
}

/// Counts campaigns.
struct CampaignCounter {
    seats: u8,
    whole: Ledger,
    games: Histogram,
    /// For each scenario: its word, the number of campaigns with it, and its games.
    scenarios: Vec<(Arc<str>, u64, Ledger)>,
}

impl CampaignCounter {
    /// Counts a campaign.
    fn add(&mut self, played: &CampaignGames) {
        let mut seen: Vec<&Arc<str>> = Vec::new();
        for (word, record) in played {
            let at = self.scenarios.iter().position(|(known, ..)| known == word).unwrap_or_else(|| {
                self.scenarios.push((word.clone(), 0, Ledger::new(self.seats)));
                self.scenarios.len() - 1
            });
            let (_, campaigns, ledger) = &mut self.scenarios[at];
            ledger.add(record);
            *campaigns += u64::from(!seen.contains(&word));
            seen.push(word);
        }
        let Some((_, last)) = played.last() else { return };
        if last.fault.is_none() {
            self.games.add(played.len() as i64);
        }
        self.whole.add(&merged_record(played, last));
    }

    /// Returns the figures.
    fn into_campaigns(self) -> Campaigns {
        let scenarios = self.scenarios.into_iter();
        let scenarios = scenarios
            .map(|(word, campaigns, ledger)| Scenario { word, campaigns, figures: ledger.into_figures() })
            .collect();
        Campaigns { whole: self.whole.into_figures(), games: self.games, scenarios }
    }
}

/// Builds the record of a campaign as one game: the result of the last game, with summed counts.
fn merged_record(played: &CampaignGames, last: &Record) -> Record {
    let sum = |wanted: &Measure| -> i64 {
        let numbers = played.iter().flat_map(|(_, record)| &record.numbers);
        numbers.filter(|(measure, _)| measure == wanted).map(|(_, number)| number).sum()
    };
    let counted = |(measure, number): &(Measure, i64)| match measure {
        Measure::Win(_)
        | Measure::Place(_)
        | Measure::Score(_)
        | Measure::Scores
        | Measure::Margin
        | Measure::LastGap
        | Measure::Tie
        | Measure::Part(..)
        | Measure::Ending(_) => Some((measure.clone(), *number)),
        Measure::Rounds | Measure::Turns | Measure::Decisions | Measure::DecisionsOf(_) => {
            Some((measure.clone(), sum(measure)))
        }
        _ => None,
    };
    let total = |count: fn(&Record) -> u64| played.iter().map(|(_, record)| count(record)).sum();
    let mut worlds = WorldCounts::default();
    for (_, record) in played {
        worlds.merge(&record.worlds);
    }
    Record {
        game: last.game,
        seed: last.seed,
        outcome: last.outcome.clone(),
        fault: last.fault.clone(),
        decisions: total(|record| record.decisions),
        forced: total(|record| record.forced),
        numbers: last.numbers.iter().filter_map(counted).collect(),
        fingerprint: last.fingerprint,
        worlds,
        next: None,
        wins: last.wins.clone(),
        observer: {
            let mut observer = GameObserver::new(last.observer.context.clone());
            observer.stats.answers.clone_from(&last.stats().answers);
            observer
        },
    }
}

//! Whole campaigns: games that follow each other, played one after the other and counted by scenario and as one.

use super::batch::{Batch, BatchError, game_seed};
use super::figures::Figures;
use super::follower::Follower;
use super::game::{self, Record, SeatPlayer};
use super::histogram::Histogram;
use super::ledger::Ledger;
use super::measure::Measure;
use super::notebook::Notebook;
use super::queue::in_order;
use super::scheme::Scheme;
use crate::diagnostic::Diagnostics;
use crate::session::{Game, MOST_GAMES, Setup, WorldCounts, endless_campaign};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The figures of many campaigns.
#[derive(Debug, Clone)]
pub struct Campaigns {
    /// Each campaign as one game: who wins is who wins its last game, and decisions, rounds and turns are those of all its games.
    pub whole: Figures,
    /// How many games the campaigns have that were played to their end.
    pub games: Histogram,
    /// Every scenario that was played, in the order in which scenarios are declared: its word, and the games of it.
    pub scenarios: Vec<Scenario>,
}

/// The games of one scenario in many campaigns.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The word for it.
    pub word: Arc<str>,
    /// In how many campaigns it was played, once or more often.
    pub campaigns: u64,
    /// Its games.
    pub figures: Figures,
}

/// The games of one campaign, in their order, each with its scenario.
type CampaignGames = Vec<(Arc<str>, Record)>;

/// Plays campaigns: the batch says how many, and the setup of their first games. The follower is not given what is counted.
///
/// # Errors
/// Every mistake in the game's files, and in the setup, and that the game has no campaign; faults of single games are among the figures.
pub fn simulate_campaigns<F: Follower>(
    game: &Game,
    batch: &Batch,
    seat_player: SeatPlayer<'_>,
    follower: &F,
) -> Result<Campaigns, BatchError> {
    let (seats, halt) = (batch.setup.seats, follower.halt());
    let (layout, _) = game.host(&batch.setup).map_err(BatchError::Game)?;
    let words = layout.model.scenarios().unwrap_or_default();
    let tables: Vec<ThreadTable<'_>> =
        batch.threads().map(|_| ThreadTable { game: game.apart(), seat_player, schemes: Mutex::default() }).collect();
    let play = |thread: usize, range: Range<u64>| -> Result<(Vec<CampaignGames>, Vec<F::Kept>, bool), Diagnostics> {
        let (mut all, mut kept) = (Vec::new(), Vec::new());
        for at in range {
            if follower.stops() || halt.is_called() {
                return Ok((all, kept, false));
            }
            let setup = batch.setup.clone().seed(game_seed(batch.seed, at));
            let played = tables[thread].play(setup, at)?;
            kept.extend(played.last().map(|(_, record)| follower.keep(record)));
            all.push(played);
        }
        Ok((all, kept, true))
    };
    let mut counted = Counted { seats, whole: Ledger::new(seats), games: Histogram::default(), scenarios: Vec::new() };
    in_order(batch, &play, |(all, kept, is_whole)| {
        for played in &all {
            counted.add(played);
        }
        kept.into_iter().try_for_each(|kept| follower.take(kept))?;
        Ok(is_whole)
    })?;
    let mut campaigns = counted.close();
    campaigns.scenarios.sort_by_key(|scenario| words.iter().position(|word| *word == scenario.word));
    Ok(campaigns)
}

/// Where one thread plays.
struct ThreadTable<'a> {
    game: Game,
    seat_player: SeatPlayer<'a>,
    schemes: Mutex<FxHashMap<Arc<str>, Arc<Scheme>>>,
}

impl ThreadTable<'_> {
    /// Plays a campaign from the game with a setup on.
    fn play(&self, mut setup: Setup, at: u64) -> Result<CampaignGames, Diagnostics> {
        let mut played = CampaignGames::new();
        loop {
            let (layout, host) = self.game.host(&setup)?;
            let word = layout.model.scenario().unwrap_or_else(|| "".into());
            let mut schemes = self.schemes.lock().unwrap_or_else(PoisonError::into_inner);
            let scheme = schemes
                .entry(word.clone())
                .or_insert_with(|| Arc::new(Scheme::new(&layout.model, host.moves_first())))
                .clone();
            drop(schemes);
            let players = layout.model.all_seats().map(|seat| (self.seat_player)(setup.seed, seat)).collect();
            let mut record = game::play(&self.game, &setup, at, players, Notebook::new(scheme))?;
            let next = record.next.take();
            if next.is_some() && played.len() + 1 >= MOST_GAMES {
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

/// Campaigns that are counted one after the other.
struct Counted {
    seats: u8,
    whole: Ledger,
    games: Histogram,
    /// The games of each scenario by its word, and in how many campaigns it was played.
    scenarios: Vec<(Arc<str>, u64, Ledger)>,
}

impl Counted {
    /// One more campaign.
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
        self.whole.add(&as_one(played, last));
    }

    /// What all of them come to.
    fn close(self) -> Campaigns {
        let scenarios = self.scenarios.into_iter();
        let scenarios =
            scenarios.map(|(word, campaigns, ledger)| Scenario { word, campaigns, figures: ledger.close() }).collect();
        Campaigns { whole: self.whole.close(), games: self.games, scenarios }
    }
}

/// A campaign as one game: the end of its last, and what is counted over all.
fn as_one(played: &CampaignGames, last: &Record) -> Record {
    let sum = |of: &Measure| -> i64 {
        let numbers = played.iter().flat_map(|(_, record)| &record.numbers);
        numbers.filter(|(measure, _)| measure == of).map(|(_, number)| number).sum()
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
    let total = |of: fn(&Record) -> u64| played.iter().map(|(_, record)| of(record)).sum();
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
        notebook: {
            let mut notebook = Notebook::new(last.notebook.scheme.clone());
            notebook.notes.answers.clone_from(&last.notes().answers);
            notebook
        },
    }
}

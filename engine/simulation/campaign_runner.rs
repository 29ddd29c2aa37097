//! Plays campaigns. A campaign is recorded like a single game: with the result of its last game, summed counts, and measures of its
//! scenarios.

use super::batch_context::BatchContext;
use super::game::{self, Record, SeatPlayer};
use super::game_observer::GameObserver;
use super::measure::Measure;
use crate::diagnostic::Diagnostics;
use crate::model::{Model, NOTHING};
use crate::session::{Game, MAX_GAMES, Setup, WorldCounts, endless_campaign};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Games of one campaign, in the order in which they were played.
pub(super) type CampaignGames = Vec<CampaignGame>;

/// A game of a campaign.
pub(super) struct CampaignGame {
    /// Name of the scenario.
    pub(super) scenario: Arc<str>,
    pub(super) record: Record,
    /// Numbers carried over to the next game, keyed by the name of the value or zone.
    handed_on: BTreeMap<String, i64>,
}

/// Maximum number of values and zones per game whose carried numbers are recorded.
const MAX_PLACES: usize = 64;

/// Runner for campaigns on one thread.
pub(super) struct CampaignRunner<'a> {
    game: Game,
    seat_player: SeatPlayer<'a>,
    contexts: Mutex<FxHashMap<Arc<str>, Arc<BatchContext>>>,
}

impl<'a> CampaignRunner<'a> {
    pub(super) fn new(game: Game, seat_player: SeatPlayer<'a>) -> Self {
        Self { game, seat_player, contexts: Mutex::default() }
    }

    /// Plays a campaign and merges its games into one record.
    pub(super) fn play_whole(&self, setup: Setup, at: u64) -> Result<Record, Diagnostics> {
        let played = self.play(setup, at)?;
        let last = played.last().expect("a campaign has a game");
        Ok(merge_records(&played, &last.record))
    }

    /// Plays a campaign whose first game has the setup `setup`. Returns all its games.
    pub(super) fn play(&self, mut setup: Setup, at: u64) -> Result<CampaignGames, Diagnostics> {
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
            let handed_on = next.as_ref().map_or_else(BTreeMap::new, |next| carried_numbers(&layout.model, next));
            played.push(CampaignGame { scenario: word, record, handed_on });
            match next.filter(|_| !is_last) {
                Some(next) => setup = next,
                None => return Ok(played),
            }
        }
    }
}

/// Merges the games of a campaign into one record: the result of the last game, with counts summed over all games.
pub(super) fn merge_records(played: &CampaignGames, last: &Record) -> Record {
    let sum = |wanted: &Measure| -> i64 {
        let numbers = played.iter().flat_map(|game| &game.record.numbers);
        numbers.filter(|(measure, _)| measure == wanted).map(|(_, number)| number).sum()
    };
    let counted = |(measure, number): &(Measure, i64)| match measure {
        Measure::Success
        | Measure::Win(_)
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
        // All other measures describe single games and are left out.
        _ => None,
    };
    let total = |count: fn(&Record) -> u64| played.iter().map(|game| count(&game.record)).sum();
    let mut worlds = WorldCounts::default();
    for CampaignGame { record, .. } in played {
        worlds.merge(&record.worlds);
    }
    let mut numbers: Vec<(Measure, i64)> = last.numbers.iter().filter_map(counted).collect();
    if last.outcome.is_some() {
        numbers.extend(campaign_measures(played));
    }
    Record {
        game: last.game,
        // The seed of the first game, with which the campaign can be repeated.
        seed: played[0].record.seed,
        outcome: last.outcome.clone(),
        fault: last.fault.clone(),
        decisions: total(|record| record.decisions),
        forced: total(|record| record.forced),
        numbers,
        fingerprint: last.fingerprint,
        worlds,
        is_campaign: true,
        next: None,
        wins: last.wins.clone(),
        observer: {
            let mut observer = GameObserver::new(last.observer.context.clone());
            observer.stats.answers.clone_from(&last.stats().answers);
            observer
        },
    }
}

/// Returns the measures that only campaigns have.
fn campaign_measures(played: &CampaignGames) -> Vec<(Measure, i64)> {
    let mut scenarios: BTreeMap<&Arc<str>, (i64, Option<i64>, BTreeMap<&String, i64>)> = BTreeMap::new();
    for CampaignGame { scenario, record, handed_on } in played {
        let (attempts, won, carried) = scenarios.entry(scenario).or_default();
        *attempts += 1;
        let success =
            record.numbers.iter().find(|(measure, _)| *measure == Measure::Success).map(|(_, number)| *number);
        *won = (*won).max(success);
        carried.extend(handed_on.iter().map(|(place, number)| (place, *number)));
    }
    let mut found = vec![(Measure::CampaignGames, played.len() as i64)];
    for (scenario, (attempts, won, carried)) in scenarios {
        found.push((Measure::Attempts(scenario.clone()), attempts));
        found.extend(won.map(|won| (Measure::ScenarioWon(scenario.clone()), won)));
        let places = carried
            .into_iter()
            .map(|(place, number)| (Measure::Carried(scenario.clone(), place.as_str().into()), number));
        found.extend(places);
    }
    found
}

/// Returns the numbers that a game carries over to the next one, keyed by the name of the value or zone. Numbers with the same name are
/// summed over all seats. The number of a zone is the number of its pieces. Returns at most [`MAX_PLACES`] entries.
fn carried_numbers(model: &Model, next: &Setup) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    for (place, content) in next.carried() {
        let place = without_seat(place);
        let Some(number) = number_of(model, place, content) else { continue };
        if found.len() < MAX_PLACES || found.contains_key(place) {
            let sum: &mut i64 = found.entry(place.to_owned()).or_default();
            *sum = sum.saturating_add(number);
        }
    }
    found
}

/// Removes the seat from the name of a seat's value or zone, such as `seat1.coins`.
fn without_seat(place: &str) -> &str {
    let (first, rest) = place.split_once('.').unwrap_or((place, ""));
    let is_seat = first.strip_prefix("seat").is_some_and(|number| number.parse::<u8>().is_ok());
    if is_seat && !rest.is_empty() { rest } else { place }
}

/// Returns the value of a carried number, or the number of pieces in a carried zone. Returns `None` for values that are words, lists or
/// pieces.
fn number_of(model: &Model, place: &str, content: &str) -> Option<i64> {
    let families = model.campaign.iter().flat_map(|campaign| &campaign.families);
    let is_zone = families.into_iter().any(|family| {
        let id = &*model.family(*family).id;
        place == id || place.strip_prefix(id).is_some_and(|rest| rest.starts_with(['[', '.']))
    });
    if !is_zone {
        return content.parse().ok();
    }
    if content == NOTHING {
        return Some(0);
    }
    // Equal adjacent pieces are written as one entry that begins with their count.
    let count = |pieces: &str| pieces.split(' ').next().and_then(|word| word.parse::<i64>().ok()).unwrap_or(1);
    Some(content.split(", ").map(count).sum())
}

#[cfg(test)]
mod tests {
    use super::without_seat;

    #[test]
    fn places_of_seats_are_one_place() {
        let places = ["seat1.coins", "seat12.debt[red]", "coins", "seating", "seat1", "red.trust"];
        assert_eq!(places.map(without_seat), ["coins", "debt[red]", "coins", "seating", "seat1", "red.trust"]);
    }
}

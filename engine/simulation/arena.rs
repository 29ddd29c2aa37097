//! Contests of agents. Each selection of agents plays in every rotation of the seats with the same deals, so that no agent has an advantage
//! from its seat. If all seats are on one side, each agent plays the deals alone, as a crew.

use super::batch::{Batch, BatchError, game_seed};
use super::crews::{CrewLead, CrewPairs};
use super::estimate::{self, Estimate, Interval, wilson, wilson_at};
use super::fault::FaultGroup;
use super::histogram::Histogram;
#[cfg(not(feature = "system"))]
use super::one_by_one::run_in_order;
#[cfg(feature = "system")]
use super::queue::run_in_order;
use crate::agents::FirstOption;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::session::{Game, Outcome, Player, Setup};
use crate::table::Chance;
use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use std::ops::Range;

/// Parameters of a contest.
#[derive(Debug, Clone)]
pub struct Contest {
    /// Index of the agent of each entrant. The same index twice means that the agent takes part twice.
    pub entrants: Vec<usize>,
    /// Maximum number of games.
    pub games: u64,
    /// Whether to stop as soon as the ranking is significant.
    pub stops_early: bool,
    /// Seed from which the seeds of the games are derived.
    pub seed: u64,
    /// Number of threads.
    pub jobs: usize,
    /// Setup of every game; its seed is ignored.
    pub setup: Setup,
    /// Index of the team of each seat. Without teams, every seat has an index of its own. One agent plays all seats of
    /// a team, except those that the rules play. Teams that are played entirely by the rules come last. If all seats
    /// have the same index, each agent is a crew and plays every deal without the other agents.
    pub sides: Vec<usize>,
    /// Seats that the rules play.
    pub automas: Vec<Seat>,
}

/// Results of one agent in a contest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contestant {
    /// Number of finished games in which the agent took part. A game in which it played a whole team counts once.
    pub seated: u64,
    /// Number of games won. A tie counts as a fraction for each winner.
    pub wins: f64,
    /// Distribution of the agent's scores.
    pub scores: Histogram,
    /// Rating by the model of Weng and Lin (2011). An agent that is rated five points higher than another wins about two of three games.
    pub rating: f64,
    /// Standard deviation of the rating.
    pub uncertainty: f64,
}

/// Results of a contest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContestResult {
    /// Results by index of the agent.
    pub contestants: Vec<Contestant>,
    /// Number of games played, including failed ones.
    pub games: u64,
    /// Number of games that ended.
    pub finished: u64,
    /// Whether the contest ended early because the ranking was significant.
    pub stopped: bool,
    /// Faults of the failed games, grouped by kind and place.
    pub faults: Vec<FaultGroup>,
    /// One seat of each team, or every seat.
    leaders: Vec<usize>,
    /// For each pair of agents: the number of games in which the first one did better (a tie counts one half), and the number of games in
    /// which both took part.
    pairs: Vec<Vec<(f64, u64)>>,
    /// Results of crews on the same deals; `None` if agents play against each other.
    crews: Option<CrewPairs>,
}

/// Result of one game of a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestGame {
    /// Number of the game, from 0.
    pub game: u64,
    /// Seed of the game.
    pub seed: u64,
    /// Index of the agent on each seat; `None` for a seat that the rules play.
    pub agents: Vec<Option<usize>>,
    /// Rank of each seat; empty if the game failed.
    pub ranks: Vec<u8>,
    /// Score of each seat; empty if the game failed.
    pub scores: Vec<i64>,
    /// The fault, if the game failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultGroup>,
}

impl ContestGame {
    fn new(game: u64, seed: u64, agents: Vec<Option<usize>>, outcome: Result<Outcome, Box<Diagnostic>>) -> Self {
        let (mut ranks, mut scores, mut fault) = (Vec::new(), Vec::new(), None);
        match outcome {
            Ok(outcome) => {
                ranks.extend(outcome.standings.iter().map(|standing| standing.rank));
                scores.extend(outcome.standings.iter().map(|standing| standing.score));
            }
            Err(diagnostic) => fault = Some(FaultGroup::new(&diagnostic, game, seed, &[])),
        }
        Self { game, seed, agents, ranks, scores, fault }
    }
}

/// Index of the entrant that plays each team, or each seat if there are no teams.
type Seating = Vec<usize>;

/// Minimum number of games before the ranking is first checked. The check is repeated whenever the number of games has doubled.
const FIRST_CHECK: u64 = 16;

/// Number of standard deviations by which neighbors in the ranking must differ: 99.9 % confidence. Stricter than usual
/// because of the repeated checks.
const CLEAR_DEVIATIONS: f64 = 3.29;

/// Confidence level that corresponds to [`CLEAR_DEVIATIONS`].
const CLEAR_CONFIDENCE: f64 = 0.999;

/// Observer of a running contest, which can also stop the contest.
pub trait Spectator: Sync {
    /// Called after each game, on any thread, in any order.
    fn game_is_over(&self) {}

    /// Receives each result in order, before it is counted.
    ///
    /// # Errors
    /// An error aborts the contest.
    fn take(&self, _bout: &ContestGame) -> std::io::Result<()> {
        Ok(())
    }

    /// Returns whether to stop. Games in progress are finished.
    fn stops(&self) -> bool {
        false
    }

    /// Returns whether to abort. Results of games in progress are discarded.
    fn gives_up(&self) -> bool {
        false
    }
}

impl Spectator for () {}

/// Plays a contest. `player` creates the player for an agent's index, a game's seed, and a seat. `before` contains the results of the first
/// games, if they were played earlier.
///
/// # Errors
/// Returns mistakes in the game's files or the setup, and errors from the spectator. Faults of single games are part of the result.
///
/// # Panics
/// Panics if there are fewer entrants than seats or teams.
pub fn arena(
    game: &Game,
    contest: &Contest,
    player: &(dyn Fn(usize, u64, Seat) -> Box<dyn Player> + Sync),
    spectator: &dyn Spectator,
    before: Vec<ContestGame>,
) -> Result<ContestResult, BatchError> {
    game.layout(&contest.setup).map_err(BatchError::Game)?;
    let seatings = contest.seatings();
    let play = |game: &Game, at: u64| -> Result<ContestGame, Diagnostics> {
        let seating = &seatings[(at % seatings.len() as u64) as usize];
        let setup = contest.setup.clone().seed(game_seed(contest.seed, at / seatings.len() as u64));
        let agents = contest.agents(seating);
        let new_player = |(seat, agent): (usize, &Option<usize>)| match agent {
            Some(agent) => player(*agent, setup.seed, Seat(seat as u8)),
            // The rules play this seat; the player is never asked.
            None => Box::new(FirstOption),
        };
        let players = agents.iter().enumerate().map(new_player).collect();
        let played = game.play(&setup, players, false)?;
        Ok(ContestGame::new(at, setup.seed, agents, played.outcome))
    };
    let games_apart: Vec<Game> = (0..contest.jobs.max(1)).map(|_| game.apart()).collect();
    let play_all = |thread: usize, range: Range<u64>| -> Result<(Vec<ContestGame>, bool), Diagnostics> {
        let mut bouts = Vec::new();
        for at in range {
            if spectator.stops() {
                return Ok((bouts, false));
            }
            let bout = play(&games_apart[thread], at)?;
            if spectator.gives_up() {
                return Ok((bouts, false));
            }
            spectator.game_is_over();
            bouts.push(bout);
        }
        Ok((bouts, true))
    };
    let games = contest.games_in_full();
    let mut progress = Progress::new(contest);
    let goes_on = before.into_iter().all(|bout| progress.add(contest, bout));
    if goes_on {
        let (setup, jobs, seed) = (contest.setup.clone(), contest.jobs, contest.seed);
        let batch = Batch { games: progress.ladder.games..games, seed, jobs, setup, prospects: None, campaigns: false };
        run_in_order(&batch, &play_all, |(bouts, is_whole)| {
            for bout in bouts {
                spectator.take(&bout)?;
                if !progress.add(contest, bout) {
                    return Ok(false);
                }
            }
            Ok(is_whole)
        })?;
    }
    let mut ladder = progress.ladder;
    for group in ladder.faults.iter_mut().filter(|group| group.first.is_none()) {
        let again = play(game, group.game).map_err(BatchError::Game)?;
        group.first = again.fault.and_then(|fault| fault.first);
    }
    Ok(ladder)
}

/// Returns the result of a contest whose games have already been played.
pub fn standings(contest: &Contest, played: Vec<ContestGame>) -> ContestResult {
    let mut progress = Progress::new(contest);
    let _ = played.into_iter().all(|bout| progress.add(contest, bout));
    progress.ladder
}

/// Counter that takes results in the order of the games and determines when the contest stops.
struct Progress {
    ladder: ContestResult,
    /// Number of games at which the ranking is checked next.
    next_check: u64,
    /// Maximum number of games, rounded by [`Contest::games_in_full`].
    games: u64,
}

impl Progress {
    fn new(contest: &Contest) -> Self {
        let mut ladder = ContestResult::new(&contest.entrants, contest.leaders());
        ladder.crews = contest.is_of_crews().then(|| CrewPairs::new(ladder.contestants.len()));
        Self { ladder, next_check: contest.first_check(), games: contest.games_in_full() }
    }

    /// Counts a result. Returns whether there are more games to play.
    fn add(&mut self, contest: &Contest, bout: ContestGame) -> bool {
        self.ladder.add(bout);
        let played = self.ladder.games;
        if played == self.next_check {
            self.ladder.stopped = contest.stops_early && played < self.games && self.ladder.is_clear();
            self.next_check *= 2;
        }
        played < self.games && !self.ladder.stopped
    }
}

impl Contest {
    /// Returns the results at the beginning of `bouts` that belong to this contest and are in order. Drops all results from the first one
    /// that does not belong or is out of order.
    pub fn own(&self, bouts: impl IntoIterator<Item = ContestGame>) -> Vec<ContestGame> {
        let (seatings, games) = (self.seatings(), self.games_in_full());
        let is_own = |at: u64, bout: &ContestGame| {
            let count = seatings.len() as u64;
            let seating = self.agents(&seatings[(at % count) as usize]);
            let came_out = if bout.fault.is_some() { 0 } else { usize::from(self.setup.seats) };
            (bout.game, bout.seed) == (at, game_seed(self.seed, at / count))
                && bout.agents == seating
                && [bout.ranks.len(), bout.scores.len()] == [came_out; 2]
        };
        (0..games).zip(bouts).take_while(|(at, bout)| is_own(*at, bout)).map(|(_, bout)| bout).collect()
    }

    /// Returns the index of the agent on each seat of a game; `None` for a seat that the rules play.
    ///
    /// # Panics
    /// Panics if there are fewer entrants than seats or teams.
    pub fn seated(&self, game: u64) -> Vec<Option<usize>> {
        let seatings = self.seatings();
        self.agents(&seatings[(game % seatings.len() as u64) as usize])
    }

    fn agents(&self, seating: &Seating) -> Vec<Option<usize>> {
        let agent = |(seat, side): (usize, &usize)| (!self.is_automa(seat)).then(|| self.entrants[seating[*side]]);
        self.sides.iter().enumerate().map(agent).collect()
    }

    /// Returns whether all seats are on one side, so that each agent plays alone as a crew, without opponents.
    pub fn is_of_crews(&self) -> bool {
        self.side_count() == 1 && self.rivals() == 1
    }

    fn is_automa(&self, seat: usize) -> bool {
        self.automas.contains(&Seat(seat as u8))
    }

    /// Returns the number of teams (or seats without teams), including those that the rules play.
    pub fn rivals(&self) -> usize {
        self.sides.iter().max().map_or(0, |most| most + 1)
    }

    /// Returns the number of teams (or seats without teams) that agents play.
    pub fn side_count(&self) -> usize {
        let played = (0..self.sides.len()).filter(|seat| !self.is_automa(*seat));
        played.map(|seat| self.sides[seat] + 1).max().unwrap_or(0)
    }

    /// Returns one seat of each team, preferably one that an agent plays.
    fn leaders(&self) -> Vec<usize> {
        let mut seats: Vec<usize> = (0..self.sides.len()).collect();
        seats.sort_by_key(|seat| self.is_automa(*seat));
        let mut leaders: Vec<usize> = Vec::new();
        for seat in seats {
            if leaders.iter().all(|leader| self.sides[*leader] != self.sides[seat]) {
                leaders.push(seat);
            }
        }
        leaders
    }

    /// Returns the number of games before the first check. It is a multiple of the number of seatings, so that every agent has played every
    /// seat equally often by then.
    fn first_check(&self) -> u64 {
        FIRST_CHECK.next_multiple_of(self.seatings().len() as u64)
    }

    /// Returns the maximum number of games, rounded down to whole rotations: each selection of agents that plays at all plays every
    /// rotation. For crews, the number is rounded down so that all crews play the same deals. A number too small for a single block of
    /// games is not rounded.
    pub fn games_in_full(&self) -> u64 {
        let block = if self.is_of_crews() { self.entrants.len() } else { self.side_count() } as u64;
        if self.games < block { self.games } else { self.games - self.games % block }
    }

    /// Returns whether there are too many seatings to keep in memory.
    pub fn has_too_many_seatings(&self) -> bool {
        let (entrants, sides) = (self.entrants.len() as u64, self.side_count() as u64);
        let mut choices: u64 = 1;
        for at in 0..sides.min(entrants) {
            // The division is exact: the product of `at + 1` consecutive integers is divisible by `(at + 1)!`.
            choices = choices.saturating_mul(entrants - at) / (at + 1);
            if choices > MAX_SEATINGS {
                return true;
            }
        }
        choices.saturating_mul(sides) > MAX_SEATINGS
    }

    /// Returns the number of ways to choose agents for the seats or teams, and how many of them are played.
    pub fn choices(&self) -> (u64, u64) {
        let sides = self.side_count() as u64;
        let all = self.seatings().len() as u64 / sides;
        (all, all.min(self.games_in_full().div_ceil(sides)))
    }

    /// Returns all seatings: every choice of entrants in every rotation. If there are more seatings than games, the choices are shuffled,
    /// so that all agents play approximately equally often.
    fn seatings(&self) -> Vec<Seating> {
        let sides = self.side_count();
        let mut all = seatings(self.entrants.len(), sides);
        if all.len() as u64 > self.games {
            let mut choices: Vec<&[Seating]> = all.chunks(sides).collect();
            Chance::new(self.seed, "seatings").shuffle(&mut choices);
            all = choices.concat();
        }
        all
    }
}

/// Maximum number of seatings. All of them are kept in memory: 100,000 seatings of 6 seats take a few megabytes.
const MAX_SEATINGS: u64 = 100_000;

/// Returns every choice of `seats` entrants, each in every rotation.
fn seatings(entrants: usize, seats: usize) -> Vec<Seating> {
    assert!(entrants >= seats, "there is an entrant for every seat");
    let mut all = Vec::new();
    let mut chosen: Vec<usize> = (0..seats).collect();
    loop {
        all.extend((0..seats).map(|turn| (0..seats).map(|seat| chosen[(seat + turn) % seats]).collect()));
        let Some(at) = (0..seats).rev().find(|at| chosen[*at] < entrants - seats + at) else { return all };
        chosen[at] += 1;
        for next in at + 1..seats {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}

impl ContestResult {
    fn new(entrants: &[usize], leaders: Vec<usize>) -> Self {
        let count = entrants.iter().max().map_or(0, |most| most + 1);
        let new = WengLinRating::new();
        let contestant = Contestant { rating: new.rating, uncertainty: new.uncertainty, ..Contestant::default() };
        Self {
            contestants: vec![contestant; count],
            leaders,
            pairs: vec![vec![(0.0, 0); count]; count],
            ..Self::default()
        }
    }

    /// Returns the win share of an agent with its 95 % interval.
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    pub fn win_share(&self, agent: usize) -> (f64, Interval) {
        let Contestant { wins, seated, .. } = self.contestants[agent];
        (wins / seated.max(1) as f64, wilson(wins, seated))
    }

    /// Returns the mean score of an agent.
    pub fn mean_score(&self, agent: usize) -> Estimate {
        estimate::mean(&self.contestants[agent].scores, 1)
    }

    /// Returns the agents from best to worst, by win share. Agents with equal win shares are ordered by rating, and crews by mean score.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.contestants.len()).collect();
        let second = |agent: usize| match self.crews {
            Some(_) => self.mean_score(agent).value,
            None => self.contestants[agent].rating,
        };
        let strength = |agent: usize| (self.win_share(agent).0, second(agent));
        order.sort_by(|a, b| {
            let ((mine, my_rating), (other, other_rating)) = (strength(*a), strength(*b));
            other.total_cmp(&mine).then(other_rating.total_cmp(&my_rating))
        });
        order
    }

    /// Returns the share of games in which an agent did better than another one, among the games that both played, with its 95 % interval.
    /// A tie counts one half. Returns `None` if the two never met.
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    pub fn win_rate_against(&self, agent: usize, other: usize) -> Option<(f64, Interval)> {
        let (better, games) = self.pairs[agent][other];
        (games > 0).then(|| (better / games as f64, wilson(better, games)))
    }

    /// Returns the lead of each crew over the next one on the same deals, in [order](Self::order). Empty for other contests.
    pub fn crew_leads(&self) -> Vec<CrewLead> {
        self.crews.as_ref().map_or_else(Vec::new, |crews| crews.leads(&self.order()))
    }

    /// Returns whether each agent is significantly better than the next one, and no game failed.
    fn is_clear(&self) -> bool {
        if let Some(crews) = &self.crews {
            return self.faults.is_empty() && crews.is_clear(&self.order(), CLEAR_CONFIDENCE);
        }
        let surely = |pair: &[usize]| {
            let (better, games) = self.pairs[pair[0]][pair[1]];
            wilson_at(better, games, CLEAR_DEVIATIONS).low > 0.5
        };
        let order = self.order();
        self.faults.is_empty() && order.len() > 1 && order.windows(2).all(surely)
    }

    fn add(&mut self, bout: ContestGame) {
        self.games += 1;
        match bout.fault {
            Some(fault) => fault.add_to(&mut self.faults),
            None => self.finish(&bout),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "there are few seats")]
    fn finish(&mut self, bout: &ContestGame) {
        self.finished += 1;
        let winners = self.leaders.iter().map(|seat| f64::from(u8::from(bout.ranks[*seat] == 1))).sum::<f64>();
        let (leaders, agents): (Vec<usize>, Vec<usize>) =
            self.leaders.iter().filter_map(|seat| Some((*seat, bout.agents[*seat]?))).unzip();
        let ranks: Vec<u8> = leaders.iter().map(|seat| bout.ranks[*seat]).collect();
        let seats = || agents.iter().zip(&ranks);
        for ((agent, rank), score) in seats().zip(leaders.iter().map(|seat| bout.scores[*seat])) {
            let contestant = &mut self.contestants[*agent];
            contestant.seated += 1;
            contestant.scores.add(score);
            contestant.wins += if *rank == 1 { 1.0 / winners } else { 0.0 };
        }
        if let (Some(crews), [crew], [seat]) = (&mut self.crews, &agents[..], &leaders[..]) {
            crews.add(bout.seed, *crew, bout.ranks[*seat] == 1, bout.scores[*seat]);
            return;
        }
        for (a, one) in seats() {
            for (b, other) in seats() {
                if a != b {
                    let (better, games) = &mut self.pairs[*a][*b];
                    *games += 1;
                    *better += [1.0, 0.5, 0.0][(one.cmp(other) as i8 + 1) as usize];
                }
            }
        }
        self.rate(&agents, &ranks);
    }

    /// Updates the ratings. An agent that took part twice in the game gets the mean of both new ratings.
    #[allow(clippy::cast_precision_loss, reason = "there are few seats")]
    fn rate(&mut self, agents: &[usize], ranks: &[u8]) {
        let rating = |agent: usize| {
            let Contestant { rating, uncertainty, .. } = self.contestants[agent];
            [WengLinRating { rating, uncertainty }]
        };
        let teams: Vec<[WengLinRating; 1]> = agents.iter().map(|agent| rating(*agent)).collect();
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams
            .iter()
            .zip(ranks)
            .map(|(team, rank)| (team.as_slice(), MultiTeamOutcome::new(usize::from(*rank))))
            .collect();
        let moved = weng_lin_multi_team(&ranked, &WengLinConfig::new());
        for agent in 0..self.contestants.len() {
            let own: Vec<&WengLinRating> =
                agents.iter().zip(&moved).filter(|(seated, _)| **seated == agent).map(|(_, team)| &team[0]).collect();
            if !own.is_empty() {
                let contestant = &mut self.contestants[agent];
                contestant.rating = own.iter().map(|one| one.rating).sum::<f64>() / own.len() as f64;
                contestant.uncertainty = own.iter().map(|one| one.uncertainty).sum::<f64>() / own.len() as f64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EndingId;
    use crate::session::Standing;

    #[test]
    fn every_entrant_plays_every_seat() {
        assert_eq!(seatings(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(seatings(3, 2).len(), 6);
        let three = seatings(4, 3);
        assert_eq!(three.len(), 12);
        let sits = |entrant: usize, seat: usize| three.iter().filter(|seating| seating[seat] == entrant).count();
        assert!((0..4).all(|entrant| (0..3).all(|seat| sits(entrant, seat) == 3)));
    }

    fn outcome(ranks: [u8; 2]) -> Outcome {
        let standing = |(seat, rank): (usize, u8)| Standing {
            seat: Seat(seat as u8),
            team: None,
            score: 3 - i64::from(rank),
            rank,
            breakdown: Vec::new(),
            workings: Vec::new(),
            ranked_by: Vec::new(),
        };
        Outcome { ending: EndingId(0), standings: ranks.into_iter().enumerate().map(standing).collect(), rounds: 1 }
    }

    #[test]
    fn the_winner_is_ranked_first_and_the_ranking_becomes_clear() {
        let mut ladder = ContestResult::new(&[0, 1], vec![0, 1]);
        for game in 0..40 {
            ladder.add(ContestGame::new(game, game, vec![Some(1), Some(0)], Ok(outcome([1, 2]))));
        }
        assert_eq!(ladder.order(), [1, 0]);
        assert!(ladder.is_clear());
        assert!(ladder.contestants[1].rating > ladder.contestants[0].rating + 10.0);
        assert!((ladder.win_rate_against(1, 0).unwrap().0 - 1.0).abs() < 1e-9);
        ladder.add(ContestGame::new(
            40,
            40,
            vec![Some(0), Some(1)],
            Err(Box::new(Diagnostic::error("no-answer", "nothing"))),
        ));
        assert_eq!((ladder.games, ladder.finished, ladder.faults.len()), (41, 40, 1));
    }

    #[test]
    fn an_agent_against_itself_has_no_ranking() {
        let mut ladder = ContestResult::new(&[0, 0], vec![0, 1]);
        for game in 0..100 {
            ladder.add(ContestGame::new(game, game, vec![Some(0), Some(0)], Ok(outcome([1, 2]))));
        }
        assert!(!ladder.is_clear());
    }

    fn contest(entrants: usize, games: u64) -> Contest {
        let entrants = (0..entrants).collect();
        Contest {
            entrants,
            games,
            stops_early: true,
            seed: 1,
            jobs: 1,
            setup: Setup::seats(2),
            sides: vec![0, 1],
            automas: Vec::new(),
        }
    }

    #[test]
    fn every_choice_of_agents_plays_all_rotations() {
        let contest = contest(24, 201);
        assert_eq!((contest.games_in_full(), contest.choices()), (200, (276, 100)));
        let mut sat = [[0; 2]; 24];
        for game in 0..200 {
            for (seat, agent) in contest.seated(game).into_iter().enumerate() {
                sat[agent.unwrap()][seat] += 1;
            }
        }
        assert!(sat.iter().all(|[first, second]| first == second && (1..=16).contains(first)), "{sat:?}");
    }

    #[test]
    fn an_agent_plays_all_seats_of_a_team_and_counts_once() {
        let mut contest = contest(2, 8);
        (contest.setup, contest.sides) = (Setup::seats(4), vec![0, 1, 0, 1]);
        assert_eq!((contest.games_in_full(), contest.choices()), (8, (1, 1)));
        assert_eq!(
            [0, 1].map(|game| contest.seated(game)),
            [[0, 1, 0, 1], [1, 0, 1, 0]].map(|agents| agents.map(Some))
        );
        let mut ladder = ContestResult::new(&contest.entrants, contest.leaders());
        for game in 0..8 {
            let agents = contest.seated(game);
            // Agent 1 always wins, on both seats of its team.
            let rank = |agent: &Option<usize>| if *agent == Some(1) { 1 } else { 2 };
            let (ranks, scores) = (agents.iter().map(rank).collect(), vec![3; 4]);
            ladder.add(ContestGame { game, seed: game, agents, ranks, scores, fault: None });
        }
        assert_eq!(ladder.contestants[1].seated, 8);
        assert!((ladder.win_share(1).0 - 1.0).abs() < 1e-9);
        assert!((ladder.win_rate_against(1, 0).unwrap().0 - 1.0).abs() < 1e-9);
        // The ratings are the same as in games of two seats.
        let mut alone = ContestResult::new(&[0, 1], vec![0, 1]);
        for game in 0..8 {
            alone.add(ContestGame::new(game, game, vec![Some(1), Some(0)], Ok(outcome([1, 2]))));
        }
        let ratings = |ladder: &ContestResult| [0, 1].map(|agent: usize| ladder.contestants[agent].rating);
        let is_near = |(one, other): (f64, f64)| (one - other).abs() < 1e-9;
        assert!(ratings(&ladder).into_iter().zip(ratings(&alone)).all(is_near));
    }

    #[test]
    fn agents_rotate_over_the_seats_that_the_rules_do_not_play() {
        let mut contest = contest(2, 8);
        // The first two seats are a team, one seat of which is played by the rules. The third seat is an automa, and an
        // agent plays the fourth.
        contest.setup = Setup::seats(4);
        (contest.sides, contest.automas) = (vec![0, 0, 2, 1], vec![Seat(1), Seat(2)]);
        assert_eq!((contest.side_count(), contest.rivals(), contest.games_in_full()), (2, 3, 8));
        assert_eq!(contest.seated(0), [Some(0), None, None, Some(1)]);
        assert_eq!(contest.seated(1), [Some(1), None, None, Some(0)]);
        let mut ladder = ContestResult::new(&contest.entrants, contest.leaders());
        for game in 0..8 {
            let agents = contest.seated(game);
            // Agent 1 ties with the automa.
            let rank = |agent: &Option<usize>| if *agent == Some(0) { 3 } else { 1 };
            let (ranks, scores) = (agents.iter().map(rank).collect(), vec![3; 4]);
            ladder.add(ContestGame { game, seed: game, agents, ranks, scores, fault: None });
        }
        assert_eq!([0, 1].map(|agent: usize| ladder.contestants[agent].seated), [8, 8]);
        assert!((ladder.win_share(1).0 - 0.5).abs() < 1e-9 && ladder.win_share(0).0 < 1e-9);
        assert!((ladder.win_rate_against(1, 0).unwrap().0 - 1.0).abs() < 1e-9);
    }

    /// Returns the result of a contest of three crews. Crew 0 loses every deal. Crew 1 wins every second deal. Crew 2 wins the same deals
    /// as crew 1, and `more` of every ten deals that crew 1 loses.
    fn crews(deals: u64, more: u64) -> ContestResult {
        let mut contest = contest(3, deals * 3);
        (contest.stops_early, contest.sides) = (false, vec![0, 0]);
        assert_eq!((contest.is_of_crews(), contest.games_in_full()), (true, deals * 3));
        let games = (0..deals * 3).map(|game| {
            let agents = contest.seated(game);
            let (deal, crew) = (game / 3, agents[0].unwrap());
            assert_eq!(agents, [Some(crew); 2], "a crew plays all seats");
            let wins = crew > 0 && (deal % 2 == 0 || crew == 2 && deal / 2 % 10 < more);
            ContestGame {
                game,
                seed: deal,
                agents,
                ranks: vec![if wins { 1 } else { 2 }; 2],
                scores: vec![0; 2],
                fault: None,
            }
        });
        standings(&contest, games.collect())
    }

    #[test]
    fn crews_are_compared_on_the_same_deals() {
        let found = crews(200, 3);
        assert_eq!(found.order(), [2, 1, 0]);
        let leads = found.crew_leads();
        // Of 200 deals, crew 2 wins 30 that crew 1 loses, and loses none that crew 1 wins.
        assert!((leads[0].success.estimate.value - 0.15).abs() < 1e-9 && leads[0].success.is_finding());
        assert!(leads[0].success.estimate.interval.low > 0.05, "{:?}", leads[0].success);
        assert!(leads.iter().all(|lead| !lead.score.is_finding()), "all scores are equal");
        assert!(found.is_clear());
    }

    #[test]
    fn few_deals_that_differ_show_no_better_crew() {
        for deals in [10, 40, 200] {
            let lead = crews(deals, 1).crew_leads()[0];
            assert_eq!(lead.success.is_finding(), deals == 200, "{deals}: {lead:?}");
        }
    }

    #[test]
    fn ties_give_no_clear_ranking() {
        let mut ladder = ContestResult::new(&[0, 1], vec![0, 1]);
        for game in 0..1000 {
            ladder.add(ContestGame::new(game, game, vec![Some(0), Some(1)], Ok(outcome([1, 1]))));
        }
        assert!(!ladder.is_clear());
        assert!((ladder.win_share(0).0 - 0.5).abs() < 1e-9);
    }
}

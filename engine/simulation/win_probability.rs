//! Estimates win probabilities over the course of a game, and detects kingmaking: a seat that cannot win decides who
//! does.
//!
//! A finished game is replayed from its answers. After each tenth of its decisions, and at the last decisions of each
//! team, the seat that is asked imagines worlds, which are played to their end. The estimates thus use only what that
//! seat knows. If the last decisions of a team have no effect, the game is replayed again to examine earlier ones.

use super::measure::{Measure, thousandths, win_unit};
use crate::agents::{usual_knowledge, world_at_question};
use crate::diagnostic::Diagnostics;
use crate::session::{
    Advice, Decision, Finish, Game, Halt, NoAnswer, Observation, Outcome, Player, PlayoutPolicy, Setup, World,
};
use crate::table::Chance;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Number of parts into which a game is divided. Win probabilities are estimated after each part but the last.
pub const PARTS: u8 = 10;

/// Number of decisions of each team that one replay examines, the last ones first. A team is not examined in further replays once this many
/// of its decisions have affected who wins.
const LAST_DECISIONS: u64 = 3;

/// Maximum number of replays. Each examines earlier decisions than the one before.
const MAX_REPLAYS: u64 = 4;

/// Maximum number of options that are tried at a decision.
const MAX_TRIED: usize = 16;

/// Parameters for estimating win probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prospects {
    /// Number of worlds for each estimate; at least [`Prospects::LEAST`].
    pub worlds: u32,
}

impl Prospects {
    /// Minimum number of worlds. With fewer worlds, chance would look like kingmaking in many games.
    pub const LEAST: u32 = 10;

    /// Maximum number of worlds for each estimate.
    pub const MOST: u32 = 100_000;
}

/// Returns the measures of a finished game that are based on estimated win probabilities. `answers` are the indices of the chosen options,
/// and `asked` is the number of decisions of each seat.
pub(super) fn estimate(
    game: &Game,
    setup: &Setup,
    answers: &[u64],
    asked: &[u64],
    outcome: &Outcome,
    prospects: Prospects,
    halt: &Halt,
) -> Result<Vec<(Measure, i64)>, Diagnostics> {
    let Some(scout) = ReplayEstimator::new(game, setup, answers, prospects, halt)? else { return Ok(Vec::new()) };
    let sides = scout.sides.clone();
    let mut left = vec![0; scout.clear.len()];
    sides.iter().zip(asked).for_each(|(side, asked)| left[*side] += asked);
    let scout = Rc::new(RefCell::new(scout));
    for time in 0..MAX_REPLAYS {
        if !scout.borrow_mut().start_replay(time, &left) {
            break;
        }
        replay(game, setup, &scout)?;
        if halt.is_called() {
            break;
        }
    }
    let scout = scout.borrow();
    Ok(scout.measures(outcome))
}

/// Replays a game once.
fn replay(game: &Game, setup: &Setup, scout: &Rc<RefCell<ReplayEstimator>>) -> Result<(), Diagnostics> {
    let seats = scout.borrow().sides.len();
    let players = (0..seats).map(|_| Box::new(ReplayPlayer(scout.clone())) as Box<dyn Player>).collect();
    game.play(setup, players, false)?;
    Ok(())
}

/// Win probabilities at one moment of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct LookAtGame {
    /// Number of answers before the moment.
    pub answers: usize,
    /// Win probability of each team, or of each seat without teams, as estimated by the seat that is asked next.
    pub chances: Vec<f64>,
}

/// Estimates the win probabilities after each part of a finished game except the last. Returns an empty list if all seats win or lose
/// together, or if there is only one team or seat.
///
/// # Errors
/// Returns mistakes in the game's files or the setup.
pub fn looks_at_game(
    game: &Game,
    setup: &Setup,
    answers: &[u64],
    prospects: Prospects,
) -> Result<Vec<LookAtGame>, Diagnostics> {
    let halt = Halt::default();
    let Some(mut scout) = ReplayEstimator::new(game, setup, answers, prospects, &halt)? else { return Ok(Vec::new()) };
    // No team has decisions left to examine, so only win probabilities are estimated.
    let none_left = vec![0; scout.clear.len()];
    scout.start_replay(0, &none_left);
    let scout = Rc::new(RefCell::new(scout));
    replay(game, setup, &scout)?;
    let scout = scout.borrow();
    let look = |(part, won): (usize, &Option<WinSums>)| {
        let won = won.as_ref()?;
        let all = (won.worlds * scout.whole) as f64;
        let chances = won.sides.iter().map(|sum| *sum as f64 / all).collect();
        Some(LookAtGame { answers: answers.len() * part / usize::from(PARTS), chances })
    };
    Ok(scout.looks.iter().enumerate().filter_map(look).collect())
}

/// State of the win probability estimates over all replays of a game.
struct ReplayEstimator {
    /// Indices of the options that were chosen in the game.
    answers: Vec<u64>,
    /// Index of the next answer.
    next: usize,
    /// Number of decisions that each team still has in the current replay.
    left: Vec<u64>,
    /// Number of earlier replays.
    time: u64,
    /// For each team, the number of examined decisions that affected who wins.
    clear: Vec<u64>,
    /// For each team, whether its decisions are examined in this replay.
    is_sought: Vec<bool>,
    /// Integer that represents an undivided win.
    whole: i64,
    sides: Vec<usize>,
    prospects: Prospects,
    seed: u64,
    /// Script that chooses in imagined worlds; `None` for random choices.
    policy: Option<Arc<Advice>>,
    /// Estimate after each part of the game.
    looks: Vec<Option<WinSums>>,
    /// For each team, whether it was asked although it could no longer win.
    is_hopeless: Vec<bool>,
    /// Largest apparent effect of a decision by a team that could no longer win.
    crown: KingmakerEffect,
    /// Whether any decision was examined.
    has_tried: bool,
    /// Halt signal, polled before each world.
    halt: Halt,
}

/// Wins of each team over some worlds.
#[derive(Debug, Clone, Default)]
struct WinSums {
    /// Shares of first place, in units of the win unit, summed over worlds.
    sides: Vec<i64>,
    worlds: i64,
}

/// Change in another team's share of first place that a team's decision causes, in the unit of [`WinSums::mean`].
#[derive(Debug, Clone, Copy, Default)]
struct KingmakerEffect {
    /// Effect in the half of the worlds that was used to select the options. Biased, because the largest effect is selected.
    seems: i64,
    /// Effect of the same options in the other half of the worlds.
    held: i64,
}

/// Player that repeats the recorded answers of a seat in a replay.
struct ReplayPlayer(Rc<RefCell<ReplayEstimator>>);

impl Player for ReplayPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.0.borrow_mut().choose(observation)
    }

    fn imagines(&self) -> bool {
        true
    }
}

impl ReplayEstimator {
    /// Creates the state before the first replay. Returns `None` for cooperative games and games with only one side, since no seat can be
    /// ahead there.
    fn new(
        game: &Game,
        setup: &Setup,
        answers: &[u64],
        prospects: Prospects,
        halt: &Halt,
    ) -> Result<Option<Self>, Diagnostics> {
        let (layout, host) = game.host(setup)?;
        let sides = layout.model.side_indices();
        let count = sides.iter().max().map_or(0, |most| most + 1);
        if count < 2 || layout.model.is_cooperative() {
            return Ok(None);
        }
        let policy = usual_knowledge(game.agents()).map(|source| host.advice(&source)).transpose()?;
        Ok(Some(Self {
            answers: answers.to_vec(),
            next: 0,
            left: Vec::new(),
            time: 0,
            clear: vec![0; count],
            is_sought: Vec::new(),
            whole: win_unit(setup.seats),
            sides,
            prospects,
            seed: setup.seed,
            policy,
            looks: vec![None; usize::from(PARTS)],
            is_hopeless: vec![false; count],
            crown: KingmakerEffect::default(),
            has_tried: false,
            halt: halt.clone(),
        }))
    }

    /// Prepares a replay. Returns whether the replay has anything to examine.
    fn start_replay(&mut self, time: u64, left: &[u64]) -> bool {
        (self.time, self.next, self.left) = (time, 0, left.to_vec());
        let is_sought = |(clear, left): (&u64, &u64)| *clear < LAST_DECISIONS && *left > time * LAST_DECISIONS;
        self.is_sought = self.clear.iter().zip(left).map(is_sought).collect();
        time == 0 || self.is_sought.contains(&true)
    }

    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.halt.check()?;
        let answer =
            self.answers.get(self.next).copied().ok_or_else(|| "more is asked than was answered".to_owned())?;
        let parts = usize::from(PARTS);
        let due = (1..parts).filter(|part| self.answers.len() * part / parts == self.next);
        let due: Vec<usize> = due.collect();
        if self.time == 0 && !due.is_empty() {
            let won = self.estimate_wins(observation);
            for part in due {
                self.looks[part].clone_from(&won);
            }
        }
        let side = self.sides[observation.seat().index()];
        let after = self.time * LAST_DECISIONS;
        if self.is_sought[side] && (after + 1..=after + LAST_DECISIONS).contains(&self.left[side]) {
            self.try_options(observation, side);
        }
        self.left[side] = self.left[side].saturating_sub(1);
        self.next += 1;
        Ok(answer as usize)
    }

    /// Imagines worlds and calls `found` with each world's index, the world, the random number generator for playing it, and the playout
    /// policy. Skips worlds that cannot be imagined. Returns `None` if the observation does not allow imagining worlds.
    fn each_world(
        &self,
        observation: &Observation<'_>,
        mut found: impl FnMut(u32, World, &Chance, &PlayoutPolicy),
    ) -> Option<()> {
        let imagination = observation.imagination()?;
        let horizon = PlayoutPolicy { policy: self.policy.clone(), ..PlayoutPolicy::default() };
        for world in 0..self.prospects.worlds {
            if self.halt.is_called() {
                break;
            }
            let mut chance = Chance::new(self.seed ^ u64::from(world) << 32 ^ self.next as u64, "prospects");
            if let Ok(imagined) = world_at_question(&imagination, self.policy.as_ref(), &mut chance) {
                found(world, imagined, &chance, &horizon);
            }
        }
        Some(())
    }

    /// Estimates the wins of each team from the current position. Returns `None` if no world could be played to its end.
    fn estimate_wins(&self, observation: &Observation<'_>) -> Option<WinSums> {
        let mut won = WinSums::default();
        self.each_world(observation, |_, world, chance, horizon| {
            if let Ok(finish) = world.play_on(&mut chance.clone(), horizon) {
                won.add(&self.wins(&finish));
            }
        })?;
        (won.worlds > 0).then_some(won)
    }

    /// Tries the options of a decision in the same worlds, to find out whether the team can still win and whether its choice decides who
    /// wins.
    fn try_options(&mut self, observation: &Observation<'_>, side: usize) {
        let codes = observation.option_codes();
        let tried = evenly_spaced(codes.len());
        // One half of the worlds is used to select the options to compare. The other half measures their effect,
        // without selection bias.
        let mut halves = [vec![WinSums::default(); tried.len()], vec![WinSums::default(); tried.len()]];
        let has_imagined = self.each_world(observation, |at, world, chance, horizon| {
            let Some(considered) = world.decision().map(Decision::considered) else { return };
            let offered = world.option_codes();
            for (option, wanted) in tried.iter().enumerate() {
                let Some(position) = offered.iter().position(|code| *code == codes[*wanted]) else { continue };
                let mut fork = world.fork();
                if fork.choose(considered.position(position)).is_err() {
                    continue;
                }
                if let Ok(finish) = fork.play_on(&mut chance.clone(), horizon) {
                    halves[at as usize % 2][option].add(&self.wins(&finish));
                }
            }
        });
        let played = || halves.iter().flatten().filter(|won| won.worlds > 0);
        if has_imagined.is_none() || played().count() == 0 {
            return;
        }
        self.has_tried = true;
        self.clear[side] += u64::from(halves.iter().any(|half| has_effect(half)));
        if played().all(|won| won.sides[side] == 0) {
            self.is_hopeless[side] = true;
            // Keep only the decision with the largest apparent effect. Chance then has only one opportunity per game to look like
            // kingmaking.
            let found = kingmaker_effect(&halves, side);
            if found.seems > self.crown.seems {
                self.crown = found;
            }
        }
    }

    /// Returns each team's share of first place, in units of the win unit.
    fn wins(&self, finish: &Finish) -> Vec<i64> {
        let mut wins = vec![0; self.clear.len()];
        for (side, rank) in self.sides.iter().zip(&finish.ranks) {
            wins[*side] = i64::from(*rank == 1);
        }
        let winners = wins.iter().sum::<i64>().max(1);
        wins.iter().map(|win| win * self.whole / winners).collect()
    }

    /// Returns the measures that follow from the estimates.
    fn measures(&self, outcome: &Outcome) -> Vec<(Measure, i64)> {
        let mut numbers = Vec::new();
        let winners: Vec<usize> = outcome.winners().map(|seat| self.sides[seat.index()]).collect();
        let mut least: Option<i64> = None;
        for (part, won) in self.looks.iter().enumerate() {
            let Some(won) = won else { continue };
            let all = i128::from(won.worlds * self.whole);
            let chance = |side: usize| thousandths(won.sides[side].into(), all);
            let favorite = (0..won.sides.len()).map(chance).max().unwrap_or(0);
            numbers.push((Measure::FavoriteChance(part as u8), favorite));
            if winners.is_empty() {
                continue;
            }
            let of_winners = winners.iter().map(|side| chance(*side)).sum::<i64>() / winners.len() as i64;
            numbers.push((Measure::WinnerChance(part as u8), of_winners));
            least = Some(least.map_or(of_winners, |least| least.min(of_winners)));
        }
        numbers.extend(least.map(|least| (Measure::LeastChance, least)));
        if self.has_tried {
            let hopeless = self.is_hopeless.iter().filter(|is_hopeless| **is_hopeless).count();
            numbers.push((Measure::Hopeless, hopeless as i64));
            numbers.push((Measure::Kingmaking, i64::from(self.crown.is_decisive(self.whole))));
        }
        numbers
    }
}

impl WinSums {
    fn add(&mut self, wins: &[i64]) {
        self.sides.resize(wins.len(), 0);
        self.sides.iter_mut().zip(wins).for_each(|(sum, win)| *sum += win);
        self.worlds += 1;
    }

    /// Returns a team's mean share of first place, multiplied by 1000; `None` if no world was played.
    fn mean(&self, side: usize) -> Option<i64> {
        (self.worlds > 0).then(|| self.sides[side] * 1000 / self.worlds)
    }
}

/// Returns whether the choice of an option changes the mean share of any team.
fn has_effect(options: &[WinSums]) -> bool {
    let sides = options.iter().map(|won| won.sides.len()).max().unwrap_or(0);
    (0..sides).any(|side| {
        let mut means = options.iter().filter_map(|won| won.mean(side));
        let first = means.next();
        means.any(|mean| Some(mean) != first)
    })
}

/// Returns the indices of the options to try: all of them, or [`MAX_TRIED`] evenly spaced ones.
fn evenly_spaced(options: usize) -> Vec<usize> {
    let tried = options.min(MAX_TRIED);
    (0..tried).map(|at| at * options / tried).collect()
}

/// Returns the effect of a team's decision on other teams. The first half of the worlds selects the two options that
/// differ most for another team, and the second half measures their difference.
fn kingmaker_effect([first, second]: &[Vec<WinSums>; 2], side: usize) -> KingmakerEffect {
    let sides = first.iter().map(|won| won.sides.len()).max().unwrap_or(0);
    let of_rival = |rival: usize| {
        let by_option = || first.iter().enumerate().filter_map(|(at, won)| Some((won.mean(rival)?, at)));
        let (most, least) = (by_option().max()?, by_option().min()?);
        let held = second[most.1].mean(rival)? - second[least.1].mean(rival)?;
        Some(KingmakerEffect { seems: most.0 - least.0, held })
    };
    let rivals = (0..sides).filter(|rival| *rival != side);
    rivals.filter_map(of_rival).max_by_key(|effect| effect.seems).unwrap_or_default()
}

impl KingmakerEffect {
    /// Returns whether the effect is at least half of a win.
    fn is_decisive(self, win: i64) -> bool {
        self.seems > 0 && self.held * 2 >= win * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(first: [[i64; 3]; 2], second: [[i64; 3]; 2]) -> [Vec<WinSums>; 2] {
        [first, second].map(|half| half.map(|sides| WinSums { sides: sides.to_vec(), worlds: 10 }).to_vec())
    }

    #[test]
    fn a_choice_that_moves_the_win_between_two_others_is_kingmaking() {
        let decided = [[0, 60, 0], [0, 0, 60]];
        assert!(kingmaker_effect(&halves(decided, decided), 0).is_decisive(6));
        let alike = [[0, 33, 27], [0, 27, 33]];
        assert!(!kingmaker_effect(&halves(alike, alike), 0).is_decisive(6));
        assert!(!kingmaker_effect(&halves(decided, alike), 0).is_decisive(6), "the other half must confirm the effect");
    }

    #[test]
    fn tried_options_are_evenly_spaced() {
        assert_eq!(evenly_spaced(3), [0, 1, 2]);
        assert_eq!(evenly_spaced(64).len(), MAX_TRIED);
        assert_eq!(evenly_spaced(64)[..3], [0, 4, 8]);
    }
}

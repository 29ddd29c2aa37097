//! How likely it is over the course of a game that the winner wins, and whether a seat that cannot win decides who does.
//!
//! A game that was played is played again by its answers. After each tenth of its questions, and where a side is asked for one of the last
//! times, the seat that is asked imagines worlds, which are played on: what the table hides from that seat does not count. Where questions
//! come last that decide nothing, the game is played once more, for the questions before.

use super::measure::{Measure, thousandths, whole_win};
use crate::agents::{usual_knowledge, world_at_question};
use crate::diagnostic::Diagnostics;
use crate::session::{
    Advice, Decision, Finish, Game, Halt, Horizon, NoAnswer, Observation, Outcome, Player, Setup, World,
};
use crate::table::Chance;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A game is looked at after each of so many parts but the last.
pub const PARTS: u8 = 10;

/// So many of the last questions of a side that decide anything show whether it decides who wins.
const LAST_QUESTIONS: u64 = 3;

/// They are looked for so often, each time among as many questions before.
const TIMES: u64 = 4;

/// Of more options than these, as many are tried.
const MOST_TRIED: usize = 16;

/// In how many worlds each look and each option is played on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prospects {
    /// So many, from [`Prospects::LEAST`].
    pub worlds: u32,
}

impl Prospects {
    /// In fewer worlds chance alone would make kings in many games.
    pub const LEAST: u32 = 10;
}

/// What is measured of the prospects in a game that was played: its questions were answered so, and each seat had so many.
pub(super) fn numbers(
    game: &Game,
    setup: &Setup,
    (answers, asked): (&[u64], &[u64]),
    outcome: &Outcome,
    prospects: Prospects,
    halt: &Halt,
) -> Result<Vec<(Measure, i64)>, Diagnostics> {
    let (layout, host) = game.host(setup)?;
    let sides = layout.model.side_of_each();
    let count = sides.iter().max().map_or(0, |most| most + 1);
    // Where all win and lose together, nobody is ahead.
    if count < 2 {
        return Ok(Vec::new());
    }
    let policy = usual_knowledge(game.agents()).map(|source| host.advice(&source)).transpose()?;
    let mut left = vec![0; count];
    sides.iter().zip(asked).for_each(|(side, asked)| left[*side] += asked);
    let scout = Scout {
        answers: answers.to_vec(),
        next: 0,
        left: Vec::new(),
        time: 0,
        clear: vec![0; count],
        is_sought: Vec::new(),
        whole: whole_win(setup.seats),
        sides: sides.clone(),
        prospects,
        seed: setup.seed,
        policy,
        looks: vec![None; usize::from(PARTS)],
        is_hopeless: vec![false; count],
        crown: Crown::default(),
        has_tried: false,
        halt: halt.clone(),
    };
    let scout = Rc::new(RefCell::new(scout));
    for time in 0..TIMES {
        if !scout.borrow_mut().begins(time, &left) {
            break;
        }
        let players = sides.iter().map(|_| Box::new(Seated(scout.clone())) as Box<dyn Player>).collect();
        game.play(setup, players, false)?;
        if halt.is_called() {
            break;
        }
    }
    let scout = scout.borrow();
    Ok(scout.found(outcome))
}

/// What is found while a game is played again.
struct Scout {
    answers: Vec<u64>,
    next: usize,
    /// How many questions each side is still to be asked.
    left: Vec<u64>,
    /// How often the game was played again before.
    time: u64,
    /// How many questions of each side have decided something.
    clear: Vec<u64>,
    /// The sides of which such questions are looked for.
    is_sought: Vec<bool>,
    /// The units of a win.
    whole: i64,
    sides: Vec<usize>,
    prospects: Prospects,
    seed: u64,
    /// The file that worlds are played on by.
    policy: Option<Arc<Advice>>,
    /// What each side got of the first place in the worlds of each look, and how many these were.
    looks: Vec<Option<Won>>,
    /// The sides that cannot win any more and are still asked.
    is_hopeless: Vec<bool>,
    /// Of all that sides which cannot win any more may choose, what seems to move the win most.
    crown: Crown,
    /// Whether any side was tried at one of its last questions.
    has_tried: bool,
    /// Looked at before each world.
    halt: Halt,
}

/// What each side got of the first place, in units, and in how many worlds.
#[derive(Debug, Clone, Default)]
struct Won {
    sides: Vec<i64>,
    worlds: i64,
}

/// How much of the first place a choice moves between others, in the parts of [`Won::mean`].
#[derive(Debug, Clone, Copy, Default)]
struct Crown {
    /// In the worlds by which it was picked.
    seems: i64,
    /// In others: what it is held to.
    held: i64,
}

/// One seat of a game that is played again.
struct Seated(Rc<RefCell<Scout>>);

impl Player for Seated {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.0.borrow_mut().choose(observation)
    }

    fn imagines(&self) -> bool {
        true
    }
}

impl Scout {
    /// The game is played again, with so many questions for each side; whether anything is to be looked at in it.
    fn begins(&mut self, time: u64, left: &[u64]) -> bool {
        (self.time, self.next, self.left) = (time, 0, left.to_vec());
        let is_sought = |(clear, left): (&u64, &u64)| *clear < LAST_QUESTIONS && *left > time * LAST_QUESTIONS;
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
            let won = self.look(observation);
            for part in due {
                self.looks[part].clone_from(&won);
            }
        }
        let side = self.sides[observation.seat().index()];
        let after = self.time * LAST_QUESTIONS;
        if self.is_sought[side] && (after + 1..=after + LAST_QUESTIONS).contains(&self.left[side]) {
            self.try_options(observation, side);
        }
        self.left[side] = self.left[side].saturating_sub(1);
        self.next += 1;
        Ok(answer as usize)
    }

    /// The worlds that the seat which is asked imagines, with the random numbers they are played on by; those that break are left out.
    fn worlds(
        &self,
        observation: &Observation<'_>,
        mut found: impl FnMut(u32, World, &Chance, &Horizon),
    ) -> Option<()> {
        let imagination = observation.imagination()?;
        let horizon = Horizon { policy: self.policy.clone(), ..Horizon::default() };
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

    /// What each side wins when the game is played on from here.
    fn look(&self, observation: &Observation<'_>) -> Option<Won> {
        let mut won = Won::default();
        self.worlds(observation, |_, world, chance, horizon| {
            if let Ok(finish) = world.play_on(&mut chance.clone(), horizon) {
                won.add(&self.wins(&finish));
            }
        })?;
        (won.worlds > 0).then_some(won)
    }

    /// Tries every option that a side has, in the same worlds: whether it can still win, and whether what it chooses decides who does.
    fn try_options(&mut self, observation: &Observation<'_>, side: usize) {
        let codes = observation.option_codes();
        let tried = spaced(codes.len());
        // One half of the worlds says which options to hold against each other, the other what they then are worth.
        let mut halves = [vec![Won::default(); tried.len()], vec![Won::default(); tried.len()]];
        let has_imagined = self.worlds(observation, |at, world, chance, horizon| {
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
        self.clear[side] += u64::from(halves.iter().any(|half| is_clear(half)));
        if played().all(|won| won.sides[side] == 0) {
            self.is_hopeless[side] = true;
            // Of all such choices of a game one is picked by one half of the worlds, so that chance has one try at a king.
            let found = crown(&halves, side);
            if found.seems > self.crown.seems {
                self.crown = found;
            }
        }
    }

    /// What each side got of the first place.
    fn wins(&self, finish: &Finish) -> Vec<i64> {
        let mut wins = vec![0; self.clear.len()];
        for (side, rank) in self.sides.iter().zip(&finish.ranks) {
            wins[*side] = i64::from(*rank == 1);
        }
        let winners = wins.iter().sum::<i64>().max(1);
        wins.iter().map(|win| win * self.whole / winners).collect()
    }

    /// The numbers of the game.
    fn found(&self, outcome: &Outcome) -> Vec<(Measure, i64)> {
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
            numbers.push((Measure::Kingmaking, i64::from(self.crown.is_whole(self.whole))));
        }
        numbers
    }
}

impl Won {
    fn add(&mut self, wins: &[i64]) {
        self.sides.resize(wins.len(), 0);
        self.sides.iter_mut().zip(wins).for_each(|(sum, win)| *sum += win);
        self.worlds += 1;
    }

    /// What a side got on the mean, in parts of a unit that are fine enough to be compared.
    fn mean(&self, side: usize) -> Option<i64> {
        (self.worlds > 0).then(|| self.sides[side] * 1000 / self.worlds)
    }
}

/// Whether it is not the same, by what is chosen, who wins in some worlds.
fn is_clear(options: &[Won]) -> bool {
    let sides = options.iter().map(|won| won.sides.len()).max().unwrap_or(0);
    (0..sides).any(|side| {
        let mut means = options.iter().filter_map(|won| won.mean(side));
        let first = means.next();
        means.any(|mean| Some(mean) != first)
    })
}

/// The positions of the options to try: all, or some that lie evenly among them.
fn spaced(options: usize) -> Vec<usize> {
    let tried = options.min(MOST_TRIED);
    (0..tried).map(|at| at * options / tried).collect()
}

/// What a side may move between others by what it chooses: the two options that differ most for another one in the first half of the worlds.
fn crown([first, second]: &[Vec<Won>; 2], side: usize) -> Crown {
    let sides = first.iter().map(|won| won.sides.len()).max().unwrap_or(0);
    let of_rival = |rival: usize| {
        let by_option = || first.iter().enumerate().filter_map(|(at, won)| Some((won.mean(rival)?, at)));
        let (most, least) = (by_option().max()?, by_option().min()?);
        let held = second[most.1].mean(rival)? - second[least.1].mean(rival)?;
        Some(Crown { seems: most.0 - least.0, held })
    };
    (0..sides).filter(|rival| *rival != side).filter_map(of_rival).max_by_key(|crown| crown.seems).unwrap_or_default()
}

impl Crown {
    /// Whether it is at least half of a win.
    fn is_whole(self, win: i64) -> bool {
        self.seems > 0 && self.held * 2 >= win * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(first: [[i64; 3]; 2], second: [[i64; 3]; 2]) -> [Vec<Won>; 2] {
        [first, second].map(|half| half.map(|sides| Won { sides: sides.to_vec(), worlds: 10 }).to_vec())
    }

    #[test]
    fn a_choice_that_moves_the_win_between_two_others_is_kingmaking() {
        let decided = [[0, 60, 0], [0, 0, 60]];
        assert!(crown(&halves(decided, decided), 0).is_whole(6));
        let alike = [[0, 33, 27], [0, 27, 33]];
        assert!(!crown(&halves(alike, alike), 0).is_whole(6));
        assert!(!crown(&halves(decided, alike), 0).is_whole(6), "what one half shows the other must hold");
    }

    #[test]
    fn options_that_are_tried_lie_evenly() {
        assert_eq!(spaced(3), [0, 1, 2]);
        assert_eq!(spaced(64).len(), MOST_TRIED);
        assert_eq!(spaced(64)[..3], [0, 4, 8]);
    }
}

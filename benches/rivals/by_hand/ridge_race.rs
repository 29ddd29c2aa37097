//! Ridge Race with random players, by the rules of `ridge-race/README.md`.

use super::Ended;
use super::lots::Lots;

const RIDGES: usize = 13;
const LENGTH: [u8; RIDGES] = [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const CLIMBERS: usize = 3;
const RIDGES_TO_WIN: i64 = 3;

struct Game {
    /// Height of each player's camp on each ridge.
    camps: Vec<[u8; RIDGES]>,
    is_won: [bool; RIDGES],
    /// Number of ridges that each player has won.
    won: Vec<i64>,
    /// Climbers of the current turn, each with its ridge and height.
    climbers: Vec<(usize, u8)>,
    decisions: u64,
}

/// Plays a game.
pub(crate) fn play(players: usize, lots: &mut Lots) -> Ended {
    let mut game = Game {
        camps: vec![[0; RIDGES]; players],
        is_won: [false; RIDGES],
        won: vec![0; players],
        climbers: Vec::new(),
        decisions: 0,
    };
    let mut player = 0;
    loop {
        game.turn(player, lots);
        if game.won[player] >= RIDGES_TO_WIN {
            return Ended { decisions: game.decisions, scores: game.won };
        }
        player = (player + 1) % players;
    }
}

impl Game {
    /// Plays the turn of a player: rolls the dice until the player makes camp, or until no pairing allows a step and the climbers are lost.
    fn turn(&mut self, player: usize, lots: &mut Lots) {
        self.climbers.clear();
        loop {
            let dice: Vec<usize> = (0..4).map(|_| 1 + lots.below(6)).collect();
            let pairs = self.pairs(&dice);
            if pairs.is_empty() {
                return;
            }
            if pairs.len() > 1 {
                self.decisions += 1;
            }
            let (low, high) = lots.one_of(&pairs);
            self.advance(player, low);
            self.advance(player, high);
            self.decisions += 1;
            let camps = lots.one_of(&[true, false]);
            if camps {
                break;
            }
        }
        for (ridge, height) in &self.climbers {
            self.camps[player][*ridge] = *height;
            if *height == LENGTH[*ridge] {
                self.is_won[*ridge] = true;
                self.won[player] += 1;
            }
        }
    }

    /// Returns the distinct pairings of the dice that allow at least one step. Each pairing is a pair of sums, lower sum first.
    fn pairs(&self, dice: &[usize]) -> Vec<(usize, usize)> {
        let all: usize = dice.iter().sum();
        let mut pairs = Vec::new();
        for other in 1..4 {
            let sum = dice[0] + dice[other];
            let pair = (sum.min(all - sum), sum.max(all - sum));
            if !pairs.contains(&pair) && (self.can_advance(pair.0) || self.can_advance(pair.1)) {
                pairs.push(pair);
            }
        }
        pairs
    }

    fn can_advance(&self, ridge: usize) -> bool {
        if self.is_won[ridge] {
            return false;
        }
        match self.climbers.iter().find(|(on, _)| *on == ridge) {
            Some((_, height)) => *height < LENGTH[ridge],
            None => self.climbers.len() < CLIMBERS,
        }
    }

    /// Moves a climber one step up a ridge, if that is possible.
    fn advance(&mut self, player: usize, ridge: usize) {
        if !self.can_advance(ridge) {
            return;
        }
        match self.climbers.iter_mut().find(|(on, _)| *on == ridge) {
            Some((_, height)) => *height += 1,
            None => self.climbers.push((ridge, self.camps[player][ridge] + 1)),
        }
    }
}

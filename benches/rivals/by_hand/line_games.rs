//! Tic-tac-toe and Connect Four with random players, written in the straightforward way: list the legal moves, pick one at random, play it,
//! and look for a line.

use super::Ended;
use super::lots::Lots;

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Plays a game of tic-tac-toe.
pub(crate) fn tic_tac_toe(_players: usize, lots: &mut Lots) -> Ended {
    let mut decisions = 0;
    let mut board = [0_u8; 9];
    for turn in 0..9 {
        let empty: Vec<usize> = (0..9).filter(|at| board[*at] == 0).collect();
        decisions += u64::from(empty.len() > 1);
        let at = empty[lots.below(empty.len())];
        let mark = 1 + (turn % 2) as u8;
        board[at] = mark;
        if LINES.iter().any(|line| line.iter().all(|at| board[*at] == mark)) {
            return won_by(turn % 2, decisions);
        }
    }
    drawn(decisions)
}

/// Returns the result of a game with a winner.
fn won_by(player: usize, decisions: u64) -> Ended {
    let mut scores = vec![0, 0];
    scores[player] = 1;
    Ended { decisions, scores }
}

/// Returns the result of a draw.
fn drawn(decisions: u64) -> Ended {
    Ended { decisions, scores: vec![0, 0] }
}

const COLUMNS: usize = 7;
const ROWS: usize = 6;

/// Plays a game of Connect Four.
pub(crate) fn connect_four(_players: usize, lots: &mut Lots) -> Ended {
    let mut decisions = 0;
    let mut board = [[0_u8; COLUMNS]; ROWS];
    for turn in 0..COLUMNS * ROWS {
        let open: Vec<usize> = (0..COLUMNS).filter(|column| board[ROWS - 1][*column] == 0).collect();
        decisions += u64::from(open.len() > 1);
        let column = open[lots.below(open.len())];
        let row = (0..ROWS).find(|row| board[*row][column] == 0).expect("the column is open");
        let mark = 1 + (turn % 2) as u8;
        board[row][column] = mark;
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        if directions
            .iter()
            .any(|(up, right)| 1 + run(&board, row, column, *up, *right) + run(&board, row, column, -*up, -*right) >= 4)
        {
            return won_by(turn % 2, decisions);
        }
    }
    drawn(decisions)
}

/// Counts the consecutive disks of the same color next to a cell, in one direction.
fn run(board: &[[u8; COLUMNS]; ROWS], row: usize, column: usize, up: isize, right: isize) -> usize {
    let mark = board[row][column];
    let (mut row, mut column, mut length) = (row, column, 0);
    while let (Some(next_row), Some(next_column)) = (row.checked_add_signed(up), column.checked_add_signed(right))
        && next_row < ROWS
        && next_column < COLUMNS
        && board[next_row][next_column] == mark
    {
        (row, column, length) = (next_row, next_column, length + 1);
    }
    length
}

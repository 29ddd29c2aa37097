//! Random players of small games written by hand in Rust: what the engine is measured against.
//!
//! They do what any straightforward program does: list the legal moves, take one by lot, put it, look for a line.

/// A splitmix64 generator: one addition, two multiplications.
pub(super) struct Lots(pub(super) u64);

impl Lots {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * count as u128) >> 64) as usize
    }
}

/// A hand-written random game: its moves.
pub(super) type Rival = fn(&mut Lots) -> u32;

/// The games there is a rival for, by the name of their folder.
pub(super) const RIVALS: [(&str, Rival); 2] = [("tic-tac-toe", tic_tac_toe), ("connect-four", connect_four)];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn tic_tac_toe(lots: &mut Lots) -> u32 {
    let mut board = [0_u8; 9];
    for turn in 0..9 {
        let empty: Vec<usize> = (0..9).filter(|at| board[*at] == 0).collect();
        let at = empty[lots.below(empty.len())];
        let mark = 1 + (turn % 2) as u8;
        board[at] = mark;
        if LINES.iter().any(|line| line.iter().all(|at| board[*at] == mark)) {
            return turn + 1;
        }
    }
    9
}

const COLUMNS: usize = 7;
const ROWS: usize = 6;

fn connect_four(lots: &mut Lots) -> u32 {
    let mut board = [[0_u8; COLUMNS]; ROWS];
    let most = (COLUMNS * ROWS) as u32;
    for turn in 0..most {
        let open: Vec<usize> = (0..COLUMNS).filter(|column| board[ROWS - 1][*column] == 0).collect();
        let column = open[lots.below(open.len())];
        let row = (0..ROWS).find(|row| board[*row][column] == 0).expect("the column is open");
        let mark = 1 + (turn % 2) as u8;
        board[row][column] = mark;
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        if directions
            .iter()
            .any(|(up, right)| 1 + run(&board, row, column, *up, *right) + run(&board, row, column, -*up, -*right) >= 4)
        {
            return turn + 1;
        }
    }
    most
}

/// How many alike disks follow a cell in a direction.
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

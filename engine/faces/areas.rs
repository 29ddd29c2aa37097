//! CSS rules for a game table whose layout or seat colors the author has chosen: the grid of areas on the board, the grid of areas on each
//! player's mat, and the colors of the seats.

use crate::model::{AreaGrid, Model, SEAT_COLORS, Seat};

/// Minimum width of a window, in pixels, in which areas are side by side. In narrower windows, they are stacked.
const MIN_WIDTH: u16 = 701;

/// Returns the CSS rules for the areas and seat colors that the author has chosen; empty if there are none.
pub(super) fn style(model: &Model) -> String {
    let Some(table) = &model.table else { return String::new() };
    let board = table.shared.as_ref().map(|grid| rules(".board.arranged", 'b', grid));
    let mat = table.mat.as_ref().map(|grid| rules(".mat .strip.arranged > .zones", 'm', grid));
    let rules: String = board.into_iter().chain(mat).collect();
    let arranged = if rules.is_empty() { rules } else { format!("@media (min-width: {MIN_WIDTH}px) {{\n{rules}}}\n") };
    let color = |seat: Seat| {
        let color = table.color_of(seat);
        // Letters on light colors are dark.
        let ink =
            if matches!(SEAT_COLORS[color], "yellow" | "white" | "violet" | "orange") { "var(--ink)" } else { "#fff" };
        format!(".of-{} {{ --own: var(--s{color}); --own-ink: {ink}; }}\n", seat.index() % SEAT_COLORS.len())
    };
    let colored = if table.colors.is_empty() { String::new() } else { model.all_seats().map(color).collect() };
    [arranged, colored].concat()
}

fn rules(selector: &str, letter: char, grid: &AreaGrid) -> String {
    let cell = |area: &Option<usize>| area.map_or_else(|| ".".to_owned(), |area| format!("{letter}{area}"));
    let row = |row: &Vec<Option<usize>>| format!("\"{}\"", row.iter().map(cell).collect::<Vec<_>>().join(" "));
    let rows: Vec<String> = grid.rows.iter().map(row).collect();
    let area = |at: usize| format!("{selector} > .area-{at} {{ grid-area: {letter}{at}; }}\n");
    let areas: String = (0..grid.areas.len()).map(area).collect();
    format!("{selector} {{ display: grid; grid-template-areas: {}; }}\n{areas}", rows.join(" "))
}

#[cfg(test)]
mod tests {
    use super::rules;
    use crate::model::{Area, AreaGrid};

    #[test]
    fn areas_are_named_by_their_index() {
        let area = |name: &str| Area { name: name.into(), items: Vec::new() };
        let grid = AreaGrid {
            rows: vec![vec![Some(0), Some(0), None], vec![Some(1), Some(1), Some(1)]],
            areas: vec![area("prices"), area("lots")],
        };
        let rules = rules(".board.arranged", 'b', &grid);
        assert!(rules.contains("grid-template-areas: \"b0 b0 .\" \"b1 b1 b1\";"), "{rules}");
        assert!(rules.contains(".board.arranged > .area-1 { grid-area: b1; }"), "{rules}");
    }
}

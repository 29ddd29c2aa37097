//! Line wrapping, between words or East Asian characters.

/// Maximum line width.
const WIDTH: usize = 100;

/// Indentation of maps.
const MAP_INDENT: usize = 4;

/// Minimum line width. On narrower terminals lines overflow.
const MIN_WIDTH: usize = 40;

/// Wraps a line to the width of the terminal, at most [`WIDTH`]. Continuation lines are indented further.
pub(super) fn wrap_line(line: &str) -> Vec<String> {
    broken_at(line, columns())
}

/// Returns the maximum width of a line of a map, without its indentation. Maps are never wrapped.
pub(super) fn map_width() -> usize {
    columns() - MAP_INDENT
}

/// Returns the width of the terminal, but at least [`MIN_WIDTH`] and at most [`WIDTH`].
fn columns() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    terminal.map_or(WIDTH, |(width, _)| usize::from(width.0).clamp(MIN_WIDTH, WIDTH))
}

/// Wraps a line to a number of columns.
fn broken_at(line: &str, columns: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let (first, hanging) = (" ".repeat(indent), " ".repeat(indent + 4));
    let mut lines = vec![first];
    for piece in pieces(text) {
        let current = lines.last_mut().expect("there is a first line");
        let is_empty = current.trim_start().is_empty();
        if !is_empty && width(current) + width(piece.trim_end()) > columns {
            lines.push(format!("{hanging}{piece}"));
        } else {
            current.push_str(piece);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Splits a string into unbreakable pieces: words with the space after them, and East Asian characters with their punctuation.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let is_break = before.is_some_and(|before| {
            (before == ' ' && c != ' ' && !is_dash(c))
                || ((is_wide(before) || is_wide(c)) && !is_closing(c) && c != ' ' && !is_opening(before))
        });
        if is_break {
            found.push(&text[begin..at]);
            begin = at;
        }
        before = Some(c);
    }
    found.push(&text[begin..]);
    found
}

/// Returns whether a character is East Asian closing punctuation, a dash or an arrow. None of these may begin a line.
fn is_closing(c: char) -> bool {
    "，。、；：！？）」』—→".contains(c)
}

fn is_opening(c: char) -> bool {
    "（「『".contains(c)
}

/// Returns whether a character is a dash or an arrow. A line must not be broken before these, even after a space.
fn is_dash(c: char) -> bool {
    matches!(c, '—' | '→')
}

const fn is_wide(c: char) -> bool {
    c >= '\u{2e80}'
}

/// Returns the width of a string in columns. East Asian characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, broken_at, width};

    #[test]
    fn long_lines_are_broken_between_words_with_a_hanging_indent() {
        let line = format!("  {}", "four ".repeat(40));
        let lines = broken_at(&line, WIDTH);
        assert!(lines.len() == 3 && lines.iter().all(|line| width(line) <= WIDTH), "{lines:?}");
        assert!(lines[0].starts_with("  four") && lines[1].starts_with("      four"));
        assert!(broken_at(&line, 40).iter().all(|line| width(line) <= 40));
        assert_eq!(broken_at("    short", WIDTH), ["    short"]);
        assert_eq!(broken_at("\nRound 1", WIDTH), ["\nRound 1"]);
    }

    #[test]
    fn no_east_asian_line_begins_with_closing_punctuation() {
        let lines = broken_at(&"股票卡，".repeat(20), WIDTH);
        assert!(lines.len() == 2 && lines.iter().all(|line| width(line) <= WIDTH + 2), "{lines:?}");
        assert!(!lines[1].trim_start().starts_with('，'));
    }
}

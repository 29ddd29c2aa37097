//! Long lines broken for people, between words or East Asian characters.

/// The columns a line may take where nothing else is known.
const WIDTH: usize = 100;

/// So few columns are no use to anybody.
const NARROWEST: usize = 40;

/// The lines of a line, those after the first indented further: no wider than what is comfortably read, nor than the terminal.
pub(super) fn wrapped(line: &str) -> Vec<String> {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    broken(line, terminal.map_or(WIDTH, |(width, _)| usize::from(width.0).clamp(NARROWEST, WIDTH)))
}

fn broken(line: &str, columns: usize) -> Vec<String> {
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

/// The parts of a text between which it may be broken: a word with the blank after it, or one East Asian character with
/// the characters that must not begin a line.
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

/// Characters that stay with what stands before them.
fn is_closing(c: char) -> bool {
    "，。、；：！？）」』—→".contains(c)
}

fn is_opening(c: char) -> bool {
    "（「『".contains(c)
}

/// Dashes and arrows stay at the end of a line.
fn is_dash(c: char) -> bool {
    matches!(c, '—' | '→')
}

const fn is_wide(c: char) -> bool {
    c >= '\u{2e80}'
}

/// How many columns a text takes: two for each East Asian character.
fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, broken, width};

    #[test]
    fn a_long_line_is_broken_between_words_and_goes_on_further_in() {
        let line = format!("  {}", "four ".repeat(40));
        let lines = broken(&line, WIDTH);
        assert!(lines.len() == 3 && lines.iter().all(|line| width(line) <= WIDTH), "{lines:?}");
        assert!(lines[0].starts_with("  four") && lines[1].starts_with("      four"));
        assert!(broken(&line, 40).iter().all(|line| width(line) <= 40));
        assert_eq!(broken("    short", WIDTH), ["    short"]);
        assert_eq!(broken("\nRound 1", WIDTH), ["\nRound 1"]);
    }

    #[test]
    fn east_asian_lines_are_broken_before_no_closing_sign() {
        let lines = broken(&"股票卡，".repeat(20), WIDTH);
        assert!(lines.len() == 2 && lines.iter().all(|line| width(line) <= WIDTH + 2), "{lines:?}");
        assert!(!lines[1].trim_start().starts_with('，'));
    }
}

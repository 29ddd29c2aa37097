//! Suggests fixes for TOML syntax errors.

use crate::diagnostic::{Place, is_quote, plain};

/// A line with a syntax error, and the position where parsing stopped.
struct BrokenLine<'a> {
    /// The line without comments and without the contents of strings.
    bare: String,
    /// Whether the last string on the line is not closed.
    is_open: bool,
    /// Part of the line before the position.
    before: &'a str,
    /// Part of the line from the position on.
    rest: &'a str,
    /// Text that the parser marked as wrong.
    marked: &'a str,
    /// The closest previous line that is neither blank nor only a comment, without comments and without the contents of strings.
    last: String,
}

/// Returns a fix for a syntax error at a place, if the cause is recognized.
pub(in crate::loader) fn syntax_help(place: &Place) -> Option<String> {
    let text = &place.source.text;
    let (before, rest) = text.split_at(place.span.start);
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let (before, rest) = (&before[begin..], rest.lines().next().unwrap_or_default());
    let line = text[begin..].lines().next().unwrap_or_default();
    let (bare, is_open) = strip_strings_and_comment(line);
    let last = text[..begin]
        .lines()
        .map(|line| strip_strings_and_comment(line).0)
        .rfind(|line| !line.is_empty())
        .unwrap_or_default();
    let line = BrokenLine { bare, is_open, before, rest, marked: &text[place.span.clone()], last };
    let looks: [fn(&BrokenLine<'_>) -> Option<String>; 9] =
        [check_characters, check_comment, flag, check_separator, ending, comma, head, value, check_quotes];
    looks.into_iter().find_map(|look| look(&line))
}

/// Returns a line without comments and without the contents of its strings, and whether the last string on the line is not closed.
fn strip_strings_and_comment(line: &str) -> (String, bool) {
    let mut bare = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '#' => break,
            '"' | '\'' => {
                bare.extend(['"', '"']);
                let mut is_escaped = false;
                let closes = letters.by_ref().any(|other| {
                    let closes = other == letter && !is_escaped;
                    is_escaped = letter == '"' && other == '\\' && !is_escaped;
                    closes
                });
                if !closes {
                    return (bare, true);
                }
            }
            other => bare.push(other),
        }
    }
    (bare.trim().to_owned(), false)
}

fn check_characters(line: &BrokenLine<'_>) -> Option<String> {
    if line.bare.contains(is_quote) {
        return Some("write plain quotes: `\"…\"`".to_owned());
    }
    if line.rest.starts_with(|first| ('０'..='９').contains(&first)) {
        return Some("write plain digits: `0` to `9`".to_owned());
    }
    let unlike = line.bare.chars().find_map(plain)?;
    if unlike.ours == "`:`" {
        return Some(format!("write `=`, and not {}", unlike.theirs));
    }
    Some(format!("write {}, and not {}", unlike.ours, unlike.theirs))
}

fn check_comment(line: &BrokenLine<'_>) -> Option<String> {
    line.bare.contains("//").then(|| "begin a comment with `#`".to_owned())
}

fn flag(line: &BrokenLine<'_>) -> Option<String> {
    let word = word(line.rest);
    let flag = word.to_lowercase();
    (flag != word && matches!(flag.as_str(), "true" | "false")).then(|| format!("write `{flag}`"))
}

/// Detects a wrong separator between a key and its value.
fn check_separator(line: &BrokenLine<'_>) -> Option<String> {
    if line.bare.contains("==") {
        return Some("write one `=`".to_owned());
    }
    let key = line.bare.split([':', '=']).next().unwrap_or_default();
    let is_key = !key.is_empty() && key.trim_end().chars().all(|c| c.is_alphanumeric() || "_-.\"".contains(c));
    let is_colon = line.bare[key.len()..].starts_with(':') && is_key;
    (is_colon || line.rest.starts_with(':')).then(|| "write `=` between a key and its value".to_owned())
}

fn ending(line: &BrokenLine<'_>) -> Option<String> {
    let ending = line.bare.chars().last().filter(|last| matches!(last, ';' | ','))?;
    // In a list over several lines, each line may end with a comma, so a comma is reported only at the position of the error.
    let is_wrong = ending == ';' || line.rest.trim_start().starts_with(ending);
    is_wrong.then(|| format!("remove the `{ending}`: a line ends with the value"))
}

/// Detects a missing comma between two items.
fn comma(line: &BrokenLine<'_>) -> Option<String> {
    let count = |character: char| line.before.matches(character).count();
    let is_inside = count('{') > count('}') || count('[') > count(']') && line.before.contains('=');
    let is_behind = !line.before.trim_end().ends_with(['=', ',', '{', '[']);
    let is_other = line.rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || "_\"{[".contains(c));
    let are_two = line.marked.split_whitespace().count() > 1;
    (is_inside && (is_behind && is_other || are_two)).then(|| "put a `,` between the two".to_owned())
}

/// Detects a table header that is not closed, or an inline table that is not closed on its line.
fn head(line: &BrokenLine<'_>) -> Option<String> {
    let name = line.bare.trim_start_matches('[');
    let depth = line.bare.len() - name.len();
    if depth > 0 && !line.bare.contains('=') {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let name = name.trim_end_matches(']').trim();
        // A table header begins with a letter and contains no quotes. Other brackets belong to a nested list.
        let is_head = name.starts_with(char::is_alphabetic) && !name.contains('"');
        return (is_head && !line.bare.ends_with(&close)).then(|| format!("write `{open}{name}{close}`"));
    }
    let is_left_open = |line: &str| line.matches('{').count() > line.matches('}').count();
    if line.before.trim().is_empty() && is_left_open(&line.last) {
        return Some("close the table in the line before with `}`".to_owned());
    }
    (line.rest.trim().is_empty() && is_left_open(&line.bare)).then(|| "close the table with `}`".to_owned())
}

fn check_quotes(line: &BrokenLine<'_>) -> Option<String> {
    line.is_open.then(|| "end the text with the quote that it begins with".to_owned())
}

/// Detects a missing value, or a string without quotes.
fn value(line: &BrokenLine<'_>) -> Option<String> {
    let before = line.before.trim_end();
    if before.ends_with('=') && line.rest.trim().is_empty() {
        return Some("write a value after `=`".to_owned());
    }
    let is_word = line.rest.starts_with(char::is_alphabetic) && before.ends_with(['=', ',', '[']);
    is_word.then(|| format!("put a text in quotes: `\"{}\"`", word(line.rest)))
}

/// Returns the word at the beginning of `text`; empty if `text` does not begin with a word.
fn word(text: &str) -> &str {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).next().unwrap_or_default()
}

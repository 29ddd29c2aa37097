//! Locates the cursor in TOML text that may not be parsable: the keys that lead there, and the text being written.

/// Position of the cursor in TOML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TomlSpot<'t> {
    /// Keys of the enclosing tables, followed by the key of the value if a value is being written.
    pub path: Vec<&'t str>,
    /// Whether a value is being written, rather than a key.
    pub is_value: bool,
    /// Whether the cursor is in quotes.
    pub in_quotes: bool,
    /// Byte offset where the word being written starts.
    pub start: usize,
}

/// Locates a byte offset in TOML text.
pub(super) fn locate(text: &str, at: usize) -> TomlSpot<'_> {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |found| found + 1);
    let line = &before[line_start..];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let start = before.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map_or(at, |(found, _)| found);
    // A table header is being written.
    if line.trim_start().starts_with('[') && !line.contains(']') && !is_inside(text, line_start) {
        let keys = line.trim_start().trim_start_matches('[');
        let mut path: Vec<&str> = keys.split('.').map(str::trim).collect();
        path.pop();
        return TomlSpot { path, is_value: false, in_quotes: false, start };
    }
    let (header_end, mut path) = header(before);
    let context = open_context(before, header_end);
    path.extend(context.keys);
    TomlSpot { path, is_value: context.is_value, in_quotes: context.in_quotes, start }
}

/// Returns whether a line is inside brackets that were opened before it.
fn is_inside(text: &str, line_start: usize) -> bool {
    let (header_end, _) = header(&text[..line_start]);
    let context = open_context(&text[..line_start], header_end);
    context.depth > 0
}

/// Returns the last table header before the cursor: the offset after its line, and its keys.
fn header(before: &str) -> (usize, Vec<&str>) {
    let (mut end, mut keys, mut start) = (0, Vec::new(), 0);
    for line in before.split_inclusive('\n') {
        let trimmed = line.trim();
        // A line may also begin with a list. Unlike a list, a header contains only bare names, and only a comment may follow it.
        let is_header =
            line.starts_with('[') && trimmed.split('#').next().is_some_and(|line| line.trim_end().ends_with(']'));
        if is_header && !trimmed.contains(['"', ',', '=']) {
            let inner = trimmed.split(']').next().unwrap_or_default().trim_start_matches('[');
            keys = inner.split('.').map(str::trim).collect();
            end = start + line.len();
        }
        start += line.len();
    }
    (end.min(before.len()), keys)
}

/// The constructs that are open at the cursor.
struct OpenContext<'t> {
    keys: Vec<&'t str>,
    is_value: bool,
    in_quotes: bool,
    depth: usize,
}

/// Returns the constructs that are open at the end of `before`: keys with `=`, brackets and quotes. Text before the offset `from` is
/// ignored.
fn open_context(before: &str, from: usize) -> OpenContext<'_> {
    /// An open construct.
    enum Open<'t> {
        Table(Vec<&'t str>),
        List,
        Value(Vec<&'t str>),
    }
    let mut open: Vec<Open<'_>> = Vec::new();
    let (mut in_quotes, mut in_comment, mut key_start) = (None, false, from);
    for (at, c) in before[from..].char_indices().map(|(at, c)| (at + from, c)) {
        if in_comment {
            in_comment = c != '\n';
            if !in_comment {
                key_start = at + 1;
            }
            continue;
        }
        if let Some(quote) = in_quotes {
            if c == quote || c == '\n' {
                in_quotes = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => in_quotes = Some(c),
            '#' => in_comment = true,
            '=' => {
                let keys = before[key_start..at].split('.').map(|key| key.trim().trim_matches('"')).collect();
                open.push(Open::Value(keys));
            }
            '{' => {
                open.push(Open::Table(Vec::new()));
                key_start = at + 1;
            }
            '[' => open.push(Open::List),
            '}' => {
                while let Some(last) = open.pop() {
                    if matches!(last, Open::Table(_)) {
                        break;
                    }
                }
            }
            ']' => {
                while let Some(last) = open.pop() {
                    if matches!(last, Open::List) {
                        break;
                    }
                }
            }
            ',' => {
                if matches!(open.last(), Some(Open::Value(_))) {
                    open.pop();
                }
                key_start = at + 1;
            }
            '\n' => {
                // A value ends at the end of its line unless brackets are open.
                if matches!(open.last(), Some(Open::Value(_))) {
                    open.pop();
                }
                if open.is_empty() {
                    key_start = at + 1;
                }
            }
            _ => {}
        }
    }
    let is_value = matches!(open.last(), Some(Open::Value(_) | Open::List));
    let depth = open.iter().filter(|one| !matches!(one, Open::Value(_))).count();
    let keys = open.into_iter().flat_map(|one| match one {
        Open::Table(keys) | Open::Value(keys) => keys,
        Open::List => Vec::new(),
    });
    OpenContext { keys: keys.collect(), is_value, in_quotes: in_quotes.is_some(), depth }
}

#[cfg(test)]
mod tests {
    use super::locate;

    /// Returns the path at `|`, whether a value is being written, and the part of the word before `|`.
    fn at(text: &str) -> (String, bool, String) {
        let at = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let spot = locate(&text, at);
        (spot.path.join("."), spot.is_value, text[spot.start..at].to_owned())
    }

    #[test]
    fn the_cursor_is_located_by_the_keys_around_it() {
        for (text, path, is_value, typed) in [
            ("[zones.deck]\nsh|", "zones.deck", false, "sh"),
            ("[zones.deck]\nshape = \"pi|", "zones.deck.shape", true, "pi"),
            ("[zones.deck]\nshape = |\nface = 1", "zones.deck.shape", true, ""),
            ("[zones.deck]\nstarts_with = [\"a\", \"|", "zones.deck.starts_with", true, ""),
            ("[zo|", "", false, "zo"),
            ("[zones.de|", "zones", false, "de"),
            ("[phases.a]\nsteps = [\n  { each_seat = \"b\", un|", "phases.a.steps", false, "un"),
            ("[phases.a]\nsteps = [\n  { each_seat = \"b|", "phases.a.steps.each_seat", true, "b"),
            ("[[card]]\nid = \"x\"\nco|", "card", false, "co"),
            ("# a = [\n[game]\nna|", "game", false, "na"),
        ] {
            assert_eq!(at(text), (path.to_owned(), is_value, typed.to_owned()), "{text}");
        }
    }
}

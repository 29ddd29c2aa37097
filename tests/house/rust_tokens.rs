//! Minimal Rust tokenizer for tests that search source files for names and paths.

/// Replaces each comment and literal with a space. Keeps line breaks, so that line numbers remain correct.
pub(crate) fn strip_comments_and_literals(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some(next) = rest.chars().next() {
        let before = kept.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_len(rest),
            '"' => quoted_len(rest, '"'),
            '\'' if is_char_literal(rest) => quoted_len(rest, '\''),
            'r' if !before && rest[1..].trim_start_matches('#').starts_with('"') => raw_len(rest),
            _ => 0,
        };
        let (skipped, after) = rest.split_at(if length == 0 { next.len_utf8() } else { length });
        if length == 0 {
            kept.push(next);
        } else {
            kept.push(' ');
            kept.extend(skipped.chars().filter(|c| *c == '\n'));
        }
        rest = after;
    }
    kept
}

/// Returns the length of the block comment at the start of a text. Block comments nest.
fn comment_len(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Returns the length of the string or character literal at the start of a text.
fn quoted_len(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if next == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of the raw string at the start of a text.
fn raw_len(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// Returns whether the apostrophe at the start of a text begins a character literal rather than a lifetime.
fn is_char_literal(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    match letters.next() {
        Some('\\') => true,
        Some(_) => letters.next() == Some('\''),
        None => false,
    }
}

/// Splits a text into names, `::` and single punctuation characters, each with its line.
pub(crate) fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    let mut joins = false;
    for (at, line) in text.lines().enumerate() {
        for next in line.chars() {
            let in_name = next.is_alphanumeric() || next == '_';
            match tokens.last_mut() {
                Some((_, last)) if joins && (in_name || (next == ':' && last == ":")) => last.push(next),
                _ if next.is_whitespace() => {}
                _ => tokens.push((at + 1, next.to_string())),
            }
            joins = in_name || (next == ':' && tokens.last().is_some_and(|(_, last)| last == ":"));
        }
        joins = false;
    }
    tokens
}

/// Path in a source file.
pub(crate) struct Used {
    /// Line of the last segment.
    pub(crate) line: usize,
    /// Segments in order.
    pub(crate) path: Vec<String>,
    /// Name that a `use` declaration gives the path; `*` for a glob import.
    pub(crate) import: Option<String>,
    /// Whether the path is re-exported by `pub use`.
    pub(crate) is_reexport: bool,
}

/// Returns all paths with at least two segments, and all imported paths. A `use` tree is expanded into its paths.
pub(crate) fn paths(tokens: &[(usize, String)]) -> Vec<Used> {
    let mut found: Vec<Used> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after_join = at > 0 && tokens[at - 1].1 == "::";
        let joined = tokens.get(at + 1).is_some_and(|(_, next)| next == "::");
        let used = at > 0 && tokens[at - 1].1 == "use";
        if is_name(&tokens[at].1) && (joined || used) && !after_join {
            let begin = found.len();
            let is_reexport = used && at > 1 && ["pub", ")"].contains(&tokens[at - 2].1.as_str());
            at = tree(tokens, at, (&[], used), &mut found);
            found[begin..].iter_mut().for_each(|one| one.is_reexport = is_reexport);
        } else {
            at += 1;
        }
    }
    found
}

/// Parses a path or `use` tree that begins at token `start`. Returns the index of the token after it.
fn tree(tokens: &[(usize, String)], start: usize, (so_far, used): (&[String], bool), found: &mut Vec<Used>) -> usize {
    let mut path = so_far.to_vec();
    let word = |at: usize| tokens.get(at).map_or("", |(_, word)| word.as_str());
    let mut at = start;
    while at < tokens.len() && is_name(word(at)) {
        path.push(word(at).to_owned());
        at += 1;
        if word(at) != "::" {
            break;
        }
        at += 1;
    }
    if word(at) == "{" {
        return branches(tokens, at + 1, (&path, used), found);
    }
    let line = tokens[(at.max(start + 1) - 1).min(tokens.len() - 1)].0;
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let import = match word(at) {
        "*" => "*".to_owned(),
        "as" => word(at + 1).to_owned(),
        _ => path.last().cloned().unwrap_or_default(),
    };
    found.push(Used { line, path, import: used.then_some(import), is_reexport: false });
    at.max(start + 1)
}

/// Parses the comma-separated branches of a `use` tree after its opening brace. Returns the index of the token after the closing brace.
fn branches(tokens: &[(usize, String)], start: usize, (path, used): (&[String], bool), found: &mut Vec<Used>) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].1.as_str() {
            "}" => return at + 1,
            "as" => at += 2,
            name if is_name(name) => at = tree(tokens, at, (path, used), found),
            _ => at += 1,
        }
    }
    at
}

/// Returns whether a token is an identifier or a keyword.
pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

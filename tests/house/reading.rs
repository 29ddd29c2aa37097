//! Rust text read as far as tests of the house need it: without comments and literals, as tokens, and the paths in it.

/// The text with blanks for its comments and literals.
pub(crate) fn bare(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some(next) = rest.chars().next() {
        let before = kept.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment(rest),
            '"' => quoted(rest, '"'),
            '\'' if is_letter(rest) => quoted(rest, '\''),
            'r' if !before && rest[1..].trim_start_matches('#').starts_with('"') => raw(rest),
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

/// The length of the block comment a text begins with; comments nest.
fn comment(text: &str) -> usize {
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

/// The length of the literal a text begins with.
fn quoted(text: &str, mark: char) -> usize {
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

/// The length of the raw string a text begins with.
fn raw(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// Whether a quotation mark begins a letter rather than a lifetime.
fn is_letter(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    match letters.next() {
        Some('\\') => true,
        Some(_) => letters.next() == Some('\''),
        None => false,
    }
}

/// The names, `::`, braces, commas and other marks of a text, each with its line.
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

/// A path that is written somewhere.
pub(crate) struct Used {
    /// The line of its last name.
    pub(crate) line: usize,
    /// Its names in order.
    pub(crate) path: Vec<String>,
    /// What it is called from there on, where it is imported: `*` for all that is in it.
    pub(crate) import: Option<String>,
    /// Whether it is imported for others: `pub use`.
    pub(crate) is_given_on: bool,
}

/// Every path that tokens write, `use` trees spread out.
pub(crate) fn paths(tokens: &[(usize, String)]) -> Vec<Used> {
    let mut found: Vec<Used> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after_join = at > 0 && tokens[at - 1].1 == "::";
        let joined = tokens.get(at + 1).is_some_and(|(_, next)| next == "::");
        let used = at > 0 && tokens[at - 1].1 == "use";
        if is_name(&tokens[at].1) && (joined || used) && !after_join {
            let begin = found.len();
            let is_given_on = used && at > 1 && ["pub", ")"].contains(&tokens[at - 2].1.as_str());
            at = tree(tokens, at, (&[], used), &mut found);
            found[begin..].iter_mut().for_each(|one| one.is_given_on = is_given_on);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads one path, or a tree of them, that begins at a token; gives the token after it.
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
    found.push(Used { line, path, import: used.then_some(import), is_given_on: false });
    at.max(start + 1)
}

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

pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

//! The signs that look like those of rules and are others: Chinese brackets and commas, quotes that bend, spaces that do not
//! break.

use crate::diagnostic::{Diagnostic, Place, QUOTES, Source, is_quote, plain};
use std::ops::Range;
use std::sync::Arc;

/// A sign of another script.
struct Sign {
    /// Where it is.
    span: Range<usize>,
    /// What is written, as messages call it, a text in quotes shortened.
    theirs: String,
    /// What to write instead, likewise.
    ours: String,
}

/// What is said about such signs, line by line; those in texts and comments are well.
pub(super) fn told(source: &Arc<Source>, text: &str) -> Vec<Diagnostic> {
    let mut lines: Vec<(usize, Vec<Sign>)> = Vec::new();
    for sign in signs(text) {
        let line = text[..sign.span.start].matches('\n').count();
        match lines.last_mut() {
            Some((last, signs)) if *last == line => signs.push(sign),
            _ => lines.push((line, vec![sign])),
        }
    }
    lines.into_iter().map(|(_, signs)| in_line(source, &signs)).collect()
}

fn in_line(source: &Arc<Source>, signs: &[Sign]) -> Diagnostic {
    let theirs = unlike(signs.iter().map(|sign| sign.theirs.as_str()));
    let is = if theirs.len() == 1 { "is not a sign" } else { "are not signs" };
    let found = Diagnostic::error("syntax", format!("{} {is} of rules", listed(&theirs)));
    let mark = |found: Diagnostic, sign: &Sign| {
        found.mark(Place { source: source.clone(), span: sign.span.clone() }, "not as rules write it")
    };
    let ours = unlike(signs.iter().map(|sign| sign.ours.as_str()));
    signs.iter().fold(found, mark).help(format!("write {}", listed(&ours)))
}

/// Signs, each once.
fn unlike<'s>(signs: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for sign in signs {
        if !seen.iter().any(|known| known == sign) {
            seen.push(sign.to_owned());
        }
    }
    seen
}

/// "`（`, `，` and `）`".
fn listed(signs: &[String]) -> String {
    match signs {
        [several @ .., last] if !several.is_empty() => format!("{} and {last}", several.join(", ")),
        signs => signs.concat(),
    }
}

fn signs(text: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = skipped(rest).unwrap_or_else(|| {
            let sign = sign(rest, first);
            let length = sign.as_ref().map_or(first.len_utf8(), |sign| sign.span.end);
            signs.extend(sign.map(|sign| Sign { span: at..at + length, ..sign }));
            length
        });
        at += length;
    }
    signs
}

/// The length of a text or comment that begins here.
fn skipped(rest: &str) -> Option<usize> {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    match rest.chars().next()? {
        '"' => {
            let mut is_escaped = false;
            let end = rest[1..].find(|c| {
                let ends = (c == '"' && !is_escaped) || c == '\n';
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            Some(end.map_or(rest.len(), |end| end + 2))
        }
        '`' => Some(until(1, "`")),
        '/' if rest.starts_with("//") => Some(rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => Some(until(2, "*/")),
        _ => None,
    }
}

/// A sign of another script that a text begins with.
fn sign(rest: &str, first: char) -> Option<Sign> {
    let one = |theirs: String, ours: String| Sign { span: 0..first.len_utf8(), theirs, ours };
    let quote = || one(format!("`{first}`"), "`\"`".to_owned());
    if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first) {
        return Some(quoted(rest, first, *close).unwrap_or_else(quote));
    }
    let unlike = plain(first).map(|unlike| one(unlike.theirs, unlike.ours));
    unlike.or_else(|| is_quote(first).then(quote))
}

/// A text in quotes of another script, up to the end of the line.
fn quoted(rest: &str, open: char, close: char) -> Option<Sign> {
    let line = rest.lines().next()?;
    let inner = &line[open.len_utf8()..];
    let end = inner.find([close, open])?;
    let closing = inner[end..].chars().next()?;
    let span = 0..open.len_utf8() + end + closing.len_utf8();
    Some(Sign { span, theirs: format!("`{open}…{closing}`"), ours: format!("`\"{}\"`", &inner[..end]) })
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[test]
    fn signs_in_texts_and_comments_are_well() {
        let text = "say(\"（，\\\"）\"); // 「x」\n/* ， */ let x = `；`；";
        let found: Vec<String> = signs(text).into_iter().map(|sign| sign.theirs).collect();
        assert_eq!(found, ["`；`"]);
    }
}

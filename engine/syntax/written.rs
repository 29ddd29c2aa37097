//! Lexemes of rule text, for searches by word that need neither comments nor a tree.

use super::token::{TokenKind, tokens};
use super::tree::Span;

/// A token with content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written<'t> {
    /// A name, a keyword, or a number as written.
    Word(&'t str),
    /// Content of a quoted text.
    Quoted(String),
    /// Text of a template outside of `${…}`.
    Template(String),
    /// A symbol.
    Symbol(&'static str),
}

/// Splits a text into lexemes with their places, leaving out comments.
pub(crate) fn written(text: &str) -> Vec<(Written<'_>, Span)> {
    let (tokens, _) = tokens(text);
    let said = tokens.into_iter().filter_map(|token| {
        let what = match token.kind {
            TokenKind::Word | TokenKind::Number(_) => Written::Word(&text[token.span.range()]),
            TokenKind::Text(said) => Written::Quoted(said),
            TokenKind::TemplateText(said) => Written::Template(said),
            TokenKind::Symbol(symbol) => Written::Symbol(symbol),
            _ => return None,
        };
        Some((what, token.span))
    });
    said.collect()
}

/// Iterates over the words of a rule text, including those in quoted texts and templates.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    written(text).into_iter().flat_map(|(what, _)| match what {
        Written::Word(word) => vec![word.to_owned()],
        Written::Quoted(said) | Written::Template(said) => words_within(&said).map(str::to_owned).collect(),
        Written::Symbol(_) => Vec::new(),
    })
}

/// Iterates over the words of a plain text.
pub(crate) fn words_within(said: &str) -> impl Iterator<Item = &str> {
    said.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn comments_say_nothing_and_quotes_hide_none() {
        let text = "/// doc\nfn go() { /* not /* this */ */ ensure(\"http://x\" != \"\", `a ${late} b`); } // end";
        let said: Vec<String> = words(text).collect();
        assert_eq!(said, ["fn", "go", "ensure", "http", "x", "a", "late", "b"]);
    }
}

//! Lexemes of rule source code, for word searches that ignore comments and need no syntax tree.

use super::token::{TokenKind, tokens};
use super::tree::Span;

/// A token that is not a comment or white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lexeme<'t> {
    /// A name, a keyword, or a number as written.
    Word(&'t str),
    /// Content of a string literal.
    Quoted(String),
    /// Literal text in a template, outside of `${…}`.
    Template(String),
    /// A symbol.
    Symbol(&'static str),
}

/// Splits source code into lexemes with their spans. Skips comments.
pub fn lexemes(text: &str) -> Vec<(Lexeme<'_>, Span)> {
    let (tokens, _) = tokens(text);
    let lexemes = tokens.into_iter().filter_map(|token| {
        let lexeme = match token.kind {
            TokenKind::Word | TokenKind::Number(_) => Lexeme::Word(&text[token.span.range()]),
            TokenKind::Text(content) => Lexeme::Quoted(content),
            TokenKind::TemplateText(content) => Lexeme::Template(content),
            TokenKind::Symbol(symbol) => Lexeme::Symbol(symbol),
            _ => return None,
        };
        Some((lexeme, token.span))
    });
    lexemes.collect()
}

/// Iterates over the words of rule source code, including those in string literals and templates.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    lexemes(text).into_iter().flat_map(|(lexeme, _)| match lexeme {
        Lexeme::Word(word) => vec![word.to_owned()],
        Lexeme::Quoted(content) | Lexeme::Template(content) => words_within(&content).map(str::to_owned).collect(),
        Lexeme::Symbol(_) => Vec::new(),
    })
}

/// Iterates over the words of a string: runs of letters, digits and underscores.
pub fn words_within(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_skip_comments_and_include_quoted_texts() {
        let text = "/// doc\nfn go() { /* not /* this */ */ ensure(\"http://x\" != \"\", `a ${late} b`); } // end";
        let found: Vec<String> = words(text).collect();
        assert_eq!(found, ["fn", "go", "ensure", "http", "x", "a", "late", "b"]);
    }
}

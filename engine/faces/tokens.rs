//! Tokenizer for the code in templates, used to find names in it.

use crate::diagnostic::{Place, Source};
use std::ops::Range;
use std::sync::Arc;

/// Token of the code in a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    Text,
    Number,
    Symbol(char),
}

/// Tokenizes `text` from `start` to the closing delimiter `end`. Returns the tokens with their spans, and the offset after the delimiter.
pub(super) fn tokens<'t>(text: &'t str, start: usize, end: &str) -> (Vec<(Token<'t>, Range<usize>)>, usize) {
    let mut tokens = Vec::new();
    let mut at = start;
    // Number of unclosed braces of maps.
    let mut open = 0_i64;
    while let Some(character) = text[at..].chars().next() {
        if text[at..].starts_with(end) && !(end == "}}" && open > 0) {
            return (tokens, at + end.len());
        }
        let rest = &text[at..];
        let (token, length) = match character {
            '"' | '\'' => (Some(Token::Text), text_length(rest, character)),
            character if character.is_alphabetic() || character == '_' => {
                let length =
                    rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
                (Some(Token::Word(&rest[..length])), length)
            }
            character if character.is_ascii_digit() => {
                (Some(Token::Number), rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len()))
            }
            character if character.is_whitespace() => (None, character.len_utf8()),
            character => (Some(Token::Symbol(character)), character.len_utf8()),
        };
        open += match token {
            Some(Token::Symbol('{')) => 1,
            Some(Token::Symbol('}')) => -1,
            _ => 0,
        };
        tokens.extend(token.map(|token| (token, at..at + length)));
        at += length;
    }
    (tokens, text.len())
}

/// Returns the length of the string literal at the start of `rest`, including its quotes.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            character if character == quote => return at + character.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Returns the place where a name occurs in the code of a template. If there is none, returns the first occurrence anywhere in the
/// template.
pub(super) fn place_of(source: &Arc<Source>, name: &str) -> Place {
    let text = &source.text;
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|found| at + found) {
        let end = match text.as_bytes().get(start + 1) {
            Some(b'%') => "%}",
            Some(b'{') => "}}",
            _ => {
                at = start + 1;
                continue;
            }
        };
        let (tokens, stop) = tokens(text, start + 2, end);
        if let Some((_, span)) = tokens.iter().find(|(token, _)| *token == Token::Word(name)) {
            return Place { source: source.clone(), span: span.clone() };
        }
        at = stop;
    }
    let found = text.find(name).map_or(0..0, |at| at..at + name.len());
    Place { source: source.clone(), span: found }
}

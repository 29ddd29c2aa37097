//! Tokenizes a game's files into names, numbers and commas. Skips comments and prose.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Name in a script, for example of a variable, function, field or component.
    Name,
    /// Name of a function in its definition.
    Function,
    /// Single word in quotes in a script.
    Quoted,
    /// Key of a data file, in a table header or before `=`.
    Key,
    /// Single word in quotes in a data file, a cell of a grid, or a placeholder `{…}` in a text.
    Word,
    /// Integer.
    Number,
    Comma,
}

/// Token of a file.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Byte range in the file, without quotes.
    pub(crate) span: Range<usize>,
}

/// Keywords of the rules language.
const RESERVED: [&str; 17] = [
    "fn", "let", "const", "if", "else", "for", "in", "while", "loop", "do", "until", "break", "continue", "return",
    "switch", "true", "false",
];

/// Keys whose values are prose.
const FOR_PEOPLE: [&str; 8] = ["en", "zh-Hant", "name", "about", "provenance", "ask", "tell", "pass"];

/// Keys whose values are words separated by spaces.
const LISTS_OF_WORDS: [&str; 2] = ["cells", "base"];

fn is_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether a quoted text is a name rather than a sentence.
fn is_word(text: &str) -> bool {
    text.starts_with(is_start) && text.chars().all(|c| is_part(c) || c == '-')
}

/// Returns the length of the longest prefix whose characters satisfy a predicate.
fn length(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}

/// Returns the offset of the closing quote in the text after an opening quote.
fn end_of_quote(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped && quote == '"';
        ends
    });
    end.unwrap_or(text.len())
}

/// Tokenizes a script.
pub(crate) fn script(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut is_defined = false;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut add = |kind, length: usize| tokens.push(Token { kind, span: at..at + length });
        at += match first {
            '/' if rest.starts_with("//") => length(rest, |c| c != '\n'),
            '"' => {
                let end = end_of_quote(&rest[1..], '"');
                if is_word(&rest[1..=end]) {
                    tokens.push(Token { kind: TokenKind::Quoted, span: at + 1..at + 1 + end });
                }
                end + 2
            }
            '`' => {
                let end = end_of_quote(&rest[1..], '`');
                tokens.extend(interpolated(&rest[1..=end], at + 1));
                end + 2
            }
            ',' => {
                add(TokenKind::Comma, 1);
                1
            }
            c if c.is_ascii_digit() => {
                let digits = length(rest, |c| c.is_ascii_digit());
                add(TokenKind::Number, digits);
                digits
            }
            c if is_start(c) => {
                let word = length(rest, is_part);
                let name = &rest[..word];
                if !RESERVED.contains(&name) {
                    add(if is_defined { TokenKind::Function } else { TokenKind::Name }, word);
                }
                is_defined = name == "fn";
                word
            }
            other => other.len_utf8(),
        };
    }
    tokens
}

/// Returns the tokens inside the `${…}` of a template.
fn interpolated(text: &str, offset: usize) -> Vec<Token> {
    let pieces = text.match_indices("${").filter_map(|(at, _)| {
        let inner = at + 2;
        Some((inner, &text[inner..inner + text[inner..].find('}')?]))
    });
    let shifted = |(inner, piece)| {
        script(piece).into_iter().map(move |token| {
            let span = token.span.start + inner + offset..token.span.end + inner + offset;
            Token { span, ..token }
        })
    };
    pieces.flat_map(shifted).collect()
}

/// Tokenizes a TOML file.
pub(crate) fn data(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut key = "";
    // Keys of the enclosing lists and inline tables, from the outermost to the innermost.
    let mut outer: Vec<&str> = Vec::new();
    let mut heading = String::new();
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let begins_line = text[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        at += match first {
            '#' => length(rest, |c| c != '\n'),
            '[' if begins_line && outer.is_empty() => {
                let line = length(rest, |c| c != '\n');
                tokens.extend(keys_of_heading(&rest[..line], at));
                rest[..line].trim_matches(['[', ']', ' ']).clone_into(&mut heading);
                line
            }
            '"' => {
                let end = end_of_quote(&rest[1..], '"');
                let name = outer.last().copied().filter(|_| key.is_empty()).unwrap_or(key);
                tokens.extend(words(&rest[1..=end], at + 1, name, &heading));
                end + 2
            }
            '[' | '{' => {
                outer.push(if key.is_empty() { outer.last().copied().unwrap_or_default() } else { key });
                key = "";
                1
            }
            ']' | '}' => {
                outer.pop();
                key = "";
                1
            }
            ',' => {
                tokens.push(Token { kind: TokenKind::Comma, span: at..at + 1 });
                key = "";
                1
            }
            '\n' => {
                key = "";
                1
            }
            c if is_part(c) => {
                let word = length(rest, |c| is_part(c) || c == '-');
                let name = &rest[..word];
                let is_key = rest[word..].trim_start_matches(' ').starts_with(['=', '.']);
                if is_key {
                    key = name;
                }
                if is_key && name.starts_with(is_start) {
                    tokens.push(Token { kind: TokenKind::Key, span: at..at + word });
                } else if !is_key && name.chars().all(|c| c.is_ascii_digit()) {
                    tokens.push(Token { kind: TokenKind::Number, span: at..at + word });
                }
                word
            }
            other => other.len_utf8(),
        };
    }
    tokens
}

/// Returns the keys in a table header.
fn keys_of_heading(line: &str, offset: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let word = length(&line[at..], |c| is_part(c) || c == '-');
        if line[at..].starts_with(is_start) {
            tokens.push(Token { kind: TokenKind::Key, span: offset + at..offset + at + word });
        }
        at += word.max(line[at..].chars().next().map_or(1, char::len_utf8));
    }
    tokens
}

/// Returns the names in the string value of a key: placeholders, words of a list, or the whole text if it is a name.
fn words(text: &str, offset: usize, key: &str, heading: &str) -> Vec<Token> {
    let token = |from: usize, to: usize| Token { kind: TokenKind::Word, span: offset + from..offset + to };
    if text.contains('{') {
        let rooms = text.match_indices('{').filter_map(|(at, _)| Some((at + 1, at + 1 + text[at + 1..].find('}')?)));
        return rooms.map(|(from, to)| token(from, to)).collect();
    }
    if LISTS_OF_WORDS.contains(&key) {
        let mut at = 0;
        let words = text.split_inclusive(' ').map(|word| {
            at += word.len();
            (at - word.len(), at - word.len() + length(word, is_part))
        });
        return words
            .filter(|(from, to)| text[*from..*to].starts_with(is_start))
            .map(|(from, to)| token(from, to))
            .collect();
    }
    let is_for_people = FOR_PEOPLE.contains(&key) || ["altered", "says"].contains(&heading);
    if is_for_people || !is_word(text) { Vec::new() } else { vec![token(0, text.len())] }
}

//! Tokenizer of the rules language.

use super::confusables::{self, Confusable, ConfusableSymbol, Meaning};
use super::symbol::SYMBOLS;
use super::tree::Span;
use unicode_xid::UnicodeXID;

/// A token of the rules language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Kind of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// An unsigned integer. `None` if the number is invalid or too large.
    Number(Option<u64>),
    /// A string literal, with its escapes resolved.
    Text(String),
    /// Literal text in a template, up to the template's end or the next `${`.
    TemplateText(String),
    /// `${` in a template. Tokens of the expression and a `}` follow.
    TemplateCode,
    /// End of a template.
    TemplateEnd,
    /// An operator or punctuation mark of the rules language or of another language.
    Symbol(&'static str),
    /// The `///` lines before a function.
    Doc,
    /// A character that has no meaning in rules.
    Unknown(char),
    /// An invalid token, with the reason.
    Invalid(TokenError),
    /// End of the source.
    End,
}

/// Reason why a token is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenError {
    /// An unterminated string literal or template. The field is the missing terminator.
    UnclosedText(String),
    /// An unterminated comment.
    UnclosedComment,
    /// An unknown escape sequence.
    Escape(String),
    /// A single quote without a closing single quote.
    LoneApostrophe,
}

/// Splits source code into tokens. The last token is `End`. Confusable symbols are replaced by the tokens that they stand for, and are
/// listed separately.
pub(super) fn tokens(text: &str) -> (Vec<Token>, Vec<Confusable>) {
    let mut lexer = Lexer::new(text, 0);
    lexer.tokenize(false);
    if lexer.has_unclosed_template {
        // An unterminated template may have swallowed functions up to the next backtick. The source is tokenized again, and templates that
        // seem to contain a function end after their first line.
        lexer = Lexer::new(text, MAX_CUT_TEMPLATES);
        lexer.tokenize(false);
    }
    lexer.push(TokenKind::End, text.len());
    (lexer.tokens, lexer.confusables)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Number of templates with a `${…}` that encloses the current position.
    templates: u32,
    /// Number of unterminated comments so far.
    open_comments: u32,
    /// Number of templates that may still be ended after their first line. A template is ended there if one of its lines begins with `fn`,
    /// because it is then probably unterminated.
    templates_to_cut: u32,
    /// Whether an unterminated template was found.
    has_unclosed_template: bool,
    tokens: Vec<Token>,
    confusables: Vec<Confusable>,
}

/// Maximum nesting depth of templates in the tokenizer, which is higher than the limit of the parser. A `${` beyond this depth is treated
/// as literal text.
const MAX_TEMPLATE_DEPTH: u32 = 100;

/// Number of unterminated comments after which the rest of the source is skipped. Each unterminated comment is scanned to the end of the
/// source, so a large number would take quadratic time.
const MAX_OPEN_COMMENTS: u32 = 16;

/// Maximum number of templates that are ended after their first line. Each of these templates is scanned twice.
const MAX_CUT_TEMPLATES: u32 = 16;

impl<'t> Lexer<'t> {
    fn new(text: &'t str, templates_to_cut: u32) -> Self {
        Self {
            text,
            at: 0,
            templates: 0,
            open_comments: 0,
            templates_to_cut,
            has_unclosed_template: false,
            tokens: Vec::new(),
            confusables: Vec::new(),
        }
    }
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, span: Span::new(start, self.at.max(start)) });
    }

    /// Tokenizes to the end of the source. If `is_inside` is set, stops after the brace that closes the surrounding `${`.
    fn tokenize(&mut self, is_inside: bool) {
        let mut open = 0_u32;
        while self.skip_blank() {
            let start = self.at;
            let token = self.token();
            match token {
                TokenKind::Symbol("{" | "#{") => open += 1,
                TokenKind::Symbol("}") if is_inside && open == 0 => return self.push(token, start),
                TokenKind::Symbol("}") => open = open.saturating_sub(1),
                TokenKind::TemplateText(_) => {
                    self.template(token, start);
                    continue;
                }
                _ => {}
            }
            let is_open = matches!(token, TokenKind::Invalid(TokenError::UnclosedText(_)));
            self.push(token, start);
            // Only the opening quote of an unterminated string literal is marked.
            if let Some(last) = self.tokens.last_mut().filter(|_| is_open) {
                last.span.end = last.span.start + 1;
            }
        }
    }

    /// Skips white space and comments. Returns whether any source code is left.
    fn skip_blank(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("//") {
                self.line_comment();
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else {
                return !rest.is_empty();
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        let is_doc = self.rest().starts_with("///") && !self.rest().starts_with("////");
        self.at += line;
        if !is_doc {
            return;
        }
        match self.tokens.last_mut() {
            Some(Token { kind: TokenKind::Doc, span }) => span.end = self.at as u32,
            _ => self.push(TokenKind::Doc, start),
        }
    }

    /// Skips a block comment. Block comments nest.
    fn block_comment(&mut self) {
        let start = self.at;
        let mut open = 0;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                (open, self.at) = (open + 1, self.at + 2);
            } else if rest.starts_with("*/") {
                (open, self.at) = (open - 1, self.at + 2);
            } else {
                let Some(c) = rest.chars().next() else {
                    // Tokenizing continues after the `/*`, since the code after it may still contain functions.
                    self.open_comments += 1;
                    self.at = if self.open_comments < MAX_OPEN_COMMENTS { start + 2 } else { self.text.len() };
                    return self.push(TokenKind::Invalid(TokenError::UnclosedComment), start);
                };
                self.at += c.len_utf8();
            }
            if open == 0 {
                return;
            }
        }
    }

    fn token(&mut self) -> TokenKind {
        let Some(first) = self.peek() else { return TokenKind::End };
        if first.is_ascii_digit() {
            return self.number();
        }
        if let Some(found) = confusables::match_at_start(self.rest()) {
            return self.confusable(found);
        }
        if is_word_start(first) {
            self.at += word_length(self.rest());
            return TokenKind::Word;
        }
        match first {
            '"' => self.quoted_text('"'),
            '\'' => self.single_quoted_text(),
            '`' => {
                self.at += 1;
                // A line break right after the opening backtick is not part of the template.
                let line_end = ["\r\n", "\n"].iter().find(|end| self.rest().starts_with(**end));
                self.at += line_end.map_or(0, |end| end.len());
                TokenKind::TemplateText(String::new())
            }
            '#' if self.rest()[1..].trim_start_matches('#').starts_with('"') => self.raw_text(),
            _ => self.symbol(first),
        }
    }

    /// Returns the token that a confusable symbol stands for, and records the symbol. Consecutive digits form one number.
    fn confusable(&mut self, symbol: ConfusableSymbol) -> TokenKind {
        let start = self.at;
        self.at += symbol.length;
        self.confusables.push(Confusable {
            span: Span::new(start, self.at),
            found: symbol.found,
            replacement: symbol.replacement,
        });
        match symbol.meaning {
            Meaning::Symbol(symbol) => TokenKind::Symbol(symbol),
            Meaning::Text(text) => TokenKind::Text(text),
            Meaning::Digit(digit) => {
                let mut number = u64::from(digit);
                while let Some(ConfusableSymbol { meaning: Meaning::Digit(next), length, found, replacement }) =
                    confusables::match_at_start(self.rest())
                {
                    let span = Span::new(self.at, self.at + length);
                    self.at += length;
                    self.confusables.push(Confusable { span, found, replacement });
                    number = number.saturating_mul(10).saturating_add(u64::from(next));
                }
                TokenKind::Number(Some(number))
            }
        }
    }

    fn symbol(&mut self, first: char) -> TokenKind {
        // `!in` is an operator, but in `!index` the `!` negates a name.
        if let Some(behind) = self.rest().strip_prefix("!in")
            && !behind.starts_with(is_word_part)
        {
            self.at += 3;
            return TokenKind::Symbol("!in");
        }
        // Comparing the first byte before whole symbols is faster.
        let rest = self.rest();
        let matches = |symbol: &&&str| symbol.as_bytes()[0] == rest.as_bytes()[0] && rest.starts_with(**symbol);
        let found = SYMBOLS.iter().find(matches);
        self.at += found.map_or(first.len_utf8(), |symbol| symbol.len());
        found.map_or(TokenKind::Unknown(first), |symbol| TokenKind::Symbol(symbol))
    }

    fn number(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        let digits = rest.find(|c: char| c != '_' && !c.is_ascii_digit()).unwrap_or(rest.len());
        // Letters directly after the digits are part of the number, and make it invalid.
        let length = digits + suffix_length(&rest[digits..]);
        self.at += length;
        if length > digits {
            return TokenKind::Number(None);
        }
        let plain: String = rest[..digits].chars().filter(|c| *c != '_').collect();
        TokenKind::Number(plain.parse().ok())
    }

    /// Tokenizes a string literal. A doubled quote stands for the quote itself.
    fn quoted_text(&mut self, quote: char) -> TokenKind {
        self.at += quote.len_utf8();
        let mut text = String::new();
        let mut bad = None;
        loop {
            let Some(c) = self.peek() else { return TokenKind::Invalid(TokenError::UnclosedText(quote.into())) };
            match c {
                '\n' => return TokenKind::Invalid(TokenError::UnclosedText(quote.into())),
                '\r' if self.rest().starts_with("\r\n") => {
                    return TokenKind::Invalid(TokenError::UnclosedText(quote.into()));
                }
                '\\' => match self.escape() {
                    Ok(c) => text.extend(c),
                    Err(what) => bad = bad.or(Some(what)),
                },
                c if c == quote => {
                    self.at += c.len_utf8();
                    if !self.rest().starts_with(quote) {
                        break;
                    }
                    self.at += c.len_utf8();
                    text.push(quote);
                }
                c => {
                    self.at += c.len_utf8();
                    text.push(c);
                }
            }
        }
        bad.map_or(TokenKind::Text(text), |what| TokenKind::Invalid(TokenError::Escape(what)))
    }

    /// Resolves an escape sequence. A backslash at the end of a line yields nothing and skips the indentation of the next line.
    fn escape(&mut self) -> Result<Option<char>, String> {
        self.at += 1;
        let Some(c) = self.peek() else { return Ok(None) };
        self.at += c.len_utf8();
        let digits = match c {
            'n' => return Ok(Some('\n')),
            'r' => return Ok(Some('\r')),
            't' => return Ok(Some('\t')),
            '\\' | '"' | '\'' => return Ok(Some(c)),
            '\n' => {
                let line = self.rest();
                self.at += line.len() - line.trim_start_matches([' ', '\t']).len();
                return Ok(None);
            }
            'x' => 2,
            'u' => 4,
            'U' => 8,
            c => return Err(format!("\\{c}")),
        };
        let hex: String = self.rest().chars().take(digits).take_while(char::is_ascii_hexdigit).collect();
        self.at += hex.len();
        let found = u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == digits).and_then(char::from_u32);
        found.map(Some).ok_or_else(|| format!("\\{c}{hex}"))
    }

    /// Tokenizes a string literal in single quotes, which other languages use.
    fn single_quoted_text(&mut self) -> TokenKind {
        let start = self.at;
        match self.quoted_text('\'') {
            TokenKind::Text(text) => {
                let (found, replacement) = ("`'…'`".to_owned(), format!("`\"{text}\"`"));
                self.confusables.push(Confusable { span: Span::new(start, self.at), found, replacement });
                TokenKind::Text(text)
            }
            // A lone apostrophe has no meaning in rules.
            _ => TokenKind::Invalid(TokenError::LoneApostrophe),
        }
    }

    /// Tokenizes a raw string literal, such as `#"text"#`. Raw string literals have no escapes.
    fn raw_text(&mut self) -> TokenKind {
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let inner = self.at + hashes + 1;
        let Some(length) = self.text[inner..].find(&end) else {
            self.at = self.text.len();
            return TokenKind::Invalid(TokenError::UnclosedText(end));
        };
        self.at = inner + length + end.len();
        TokenKind::Text(self.text[inner..inner + length].to_owned())
    }

    /// Tokenizes a template after its opening backtick.
    fn template(&mut self, first: TokenKind, start: usize) {
        drop(first);
        let (mut text, mut from) = (String::new(), start);
        let before = (self.tokens.len(), self.confusables.len());
        loop {
            let rest = self.rest();
            // A line within a template that begins with `fn` is probably a function that an unterminated template has swallowed.
            let is_function = rest.starts_with("fn ") && self.text[..self.at].ends_with('\n');
            if is_function && self.templates == 0 && self.templates_to_cut > 0 {
                self.templates_to_cut -= 1;
                self.tokens.truncate(before.0);
                self.confusables.truncate(before.1);
                self.at = self.text[start..].find('\n').map_or(self.text.len(), |line| start + line);
                return self.unclosed_template(start);
            }
            if rest.starts_with("``") {
                text.push('`');
                self.at += 2;
            } else if rest.starts_with('`') {
                self.push(TokenKind::TemplateText(std::mem::take(&mut text)), from);
                let end = self.at;
                self.at += 1;
                return self.push(TokenKind::TemplateEnd, end);
            } else if rest.starts_with("\\${") {
                text.push('$');
                self.at += 2;
            } else if rest.starts_with("${") && self.templates < MAX_TEMPLATE_DEPTH {
                self.push(TokenKind::TemplateText(std::mem::take(&mut text)), from);
                let code = self.at;
                self.at += 2;
                self.push(TokenKind::TemplateCode, code);
                self.templates += 1;
                self.tokenize(true);
                self.templates -= 1;
                from = self.at;
            } else if let Some(c) = rest.chars().next() {
                if !rest.starts_with("\r\n") {
                    text.push(c);
                }
                self.at += c.len_utf8();
            } else {
                return self.unclosed_template(start);
            }
        }
    }

    /// Adds the token of an unterminated template.
    fn unclosed_template(&mut self, start: usize) {
        self.has_unclosed_template = true;
        self.tokens.push(Token {
            kind: TokenKind::Invalid(TokenError::UnclosedText('`'.into())),
            span: Span::new(start, start + 1),
        });
    }
}

/// Returns whether a name may begin with `c`.
fn is_word_start(c: char) -> bool {
    c == '_' || UnicodeXID::is_xid_start(c)
}

/// Returns whether a name may contain `c` after its first character.
fn is_word_part(c: char) -> bool {
    c == '_' || UnicodeXID::is_xid_continue(c)
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word_part(c)).unwrap_or(text.len())
}

/// Returns the length of the letters and digits that directly follow a number.
fn suffix_length(text: &str) -> usize {
    if text.starts_with(is_word_start) { word_length(text) } else { 0 }
}

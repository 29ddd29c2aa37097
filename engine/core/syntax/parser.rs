//! Token cursor of the parser: lookahead, expected tokens and error recovery.

use super::confusables;
use super::message::{self, syntax_fault};
use super::token::{Token, TokenError, TokenKind, tokens};
use super::tree::{Expr, ExprId, ExprKind, File, Name, Span, Statement};
use crate::diagnostic::Fault;
use crate::diagnostic::{Diagnostic, Place, Source};
use std::sync::Arc;

/// Maximum nesting depth of brackets, blocks and operators.
const MAX_DEPTH: u32 = 64;

/// A syntax tree with the errors found while parsing.
#[derive(Debug, Default)]
pub struct Parsed<T> {
    /// The tree, with [`ExprKind::Missing`] in place of code that could not be parsed.
    pub tree: T,
    /// Diagnostics for the syntax errors.
    pub mistakes: Vec<Diagnostic>,
}

/// Parses a rule file or an agent's file. Expression ids start at `ids`, which is advanced to the next unused id.
pub fn parse(source: &Arc<Source>, ids: &mut u32) -> Parsed<File> {
    read(source, ids, Parser::file)
}

/// Parses statements outside of a function, such as the code in a playscript. Expression ids are assigned as in [`parse`].
pub fn parse_statements(source: &Arc<Source>, ids: &mut u32) -> Parsed<Vec<Statement>> {
    read(source, ids, Parser::statements_until_end)
}

fn read<'s, T>(source: &'s Arc<Source>, ids: &mut u32, run: impl FnOnce(&mut Parser<'s>) -> T) -> Parsed<T> {
    let (tokens, symbols) = tokens(&source.text);
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        mistakes: Vec::new(),
        is_recovering: false,
        level: 0,
        loops: 0,
        closures: 0,
        ids: *ids,
    };
    let tree = run(&mut parser);
    *ids = parser.ids;
    let mut mistakes = parser.mistakes;
    for (line, found) in confusables::diagnose_by_line(source, &symbols) {
        // Other errors on a line with confusable symbols are probably consequences of these symbols.
        mistakes.retain(|other| {
            other.marks.first().is_none_or(|mark| {
                let span = Span::new(mark.place.span.start, mark.place.span.end);
                confusables::line_index(source, span) != line
            })
        });
        mistakes.push(found);
    }
    Parsed { tree, mistakes }
}

/// Parser state: the tokens, the position in them, and the errors so far.
pub(super) struct Parser<'s> {
    source: &'s Arc<Source>,
    tokens: Vec<Token>,
    at: usize,
    mistakes: Vec<Diagnostic>,
    /// Whether an error was reported and parsing has not yet resumed. Further errors are then consequences of the first error and are not
    /// reported.
    is_recovering: bool,
    level: u32,
    /// Number of loops that enclose the current token within the current function or closure.
    pub(super) loops: u32,
    /// Number of closures that enclose the current token.
    pub(super) closures: u32,
    ids: u32,
}

impl Parser<'_> {
    // ----- lookahead

    pub(super) fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Returns the source text of the next token.
    pub(super) fn text(&self) -> &str {
        &self.source.text[self.span().range()]
    }

    /// Returns the token `count` positions after the next one, or the end token.
    pub(super) fn peek_at(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    pub(super) fn text_ahead(&self, count: usize) -> &str {
        &self.source.text[self.peek_at(count).span.range()]
    }

    /// Returns the source text of the previous token.
    pub(super) fn previous_text(&self) -> &str {
        &self.source.text[self.previous_span().range()]
    }

    /// Returns the span of the previous token.
    pub(super) fn previous_span(&self) -> Span {
        if self.at == 0 { Span::default() } else { self.tokens[self.at - 1].span }
    }

    pub(super) fn is_end(&self) -> bool {
        *self.kind() == TokenKind::End
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Symbol(found) if *found == symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        *self.kind() == TokenKind::Word && self.text() == word
    }

    /// Returns whether the next token is a keyword that belongs in the given position.
    pub(super) fn is_keyword(&self, place: message::KeywordPlace) -> bool {
        *self.kind() == TokenKind::Word && message::keyword_place(self.text()) == Some(place)
    }

    /// Returns whether the next token is at the beginning of a line, without indentation.
    pub(super) fn is_at_line_start(&self) -> bool {
        let start = self.span().start as usize;
        start == 0 || self.source.text[..start].ends_with('\n')
    }

    /// Returns whether the next token is the first of its line, possibly indented.
    pub(super) fn is_first_of_line(&self) -> bool {
        self.source.text[self.previous_span().end as usize..self.span().start as usize].contains('\n')
    }

    /// Returns whether the next token is a word that begins a statement and cannot continue an expression.
    pub(super) fn begins_statement(&self) -> bool {
        *self.kind() == TokenKind::Word && message::begins_statement(self.text())
    }

    /// Returns whether a function definition begins at the next token.
    pub(super) fn is_function(&self) -> bool {
        self.is_word("fn") || (self.is_word("private") && self.text_ahead(1) == "fn")
    }

    // ----- advancing

    pub(super) fn next(&mut self) -> Span {
        let span = self.span();
        if !self.is_end() {
            self.at += 1;
        }
        span
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> Option<Span> {
        self.is_symbol(symbol).then(|| self.next())
    }

    pub(super) fn take_word(&mut self, word: &str) -> Option<Span> {
        self.is_word(word).then(|| self.next())
    }

    /// Consumes a required symbol and returns whether it was found. If not, reports that it is missing after the previous token.
    pub(super) fn expect(&mut self, symbol: &str, where_: &str) -> bool {
        if self.take_symbol(symbol).is_some() {
            return true;
        }
        if symbol == "{"
            && !self.is_recovering
            && let TokenKind::Symbol(stray @ (")" | "]")) = *self.kind()
            && self.peek_at(1).kind == TokenKind::Symbol("{")
        {
            self.report(self.span(), message::closes_nothing(stray));
            self.next();
            self.next();
            return true;
        }
        self.fail_missing(message::missing(symbol, where_));
        false
    }

    /// Parses the name in a declaration. `what` is a noun for the declared item, used in messages.
    pub(super) fn new_name(&mut self, what: &str) -> Name {
        if *self.kind() == TokenKind::Word {
            let name = Name { text: self.text().into(), span: self.span() };
            if message::is_reserved(&name.text) || &*name.text == "_" {
                self.fail(name.span, message::reserved_word(&name.text));
            }
            self.next();
            return name;
        }
        self.fail(self.span(), syntax_fault(format!("the name of {what} is missing"), "expected a name here"));
        Name { text: "".into(), span: Span { end: self.span().start, ..self.span() } }
    }

    // ----- tree nodes

    pub(super) fn expr(&mut self, kind: ExprKind, span: Span) -> Expr {
        let id = ExprId(self.ids);
        self.ids += 1;
        Expr { kind, span, id }
    }

    /// Creates a placeholder for an expression that could not be parsed.
    pub(super) fn missing(&mut self) -> Expr {
        let at = self.span().start;
        self.expr(ExprKind::Missing, Span { start: at, end: at })
    }

    /// Runs `read` one nesting level deeper. If the nesting exceeds the limit, reports an error and returns the result of `instead`.
    pub(super) fn parse_nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> T,
        instead: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.level >= MAX_DEPTH {
            self.fail(self.span(), message::too_deep());
            return instead(self);
        }
        self.level += 1;
        let found = read(self);
        self.level -= 1;
        found
    }

    /// Parses the body of a function or closure. In the body, `break` cannot leave loops around the function or closure.
    pub(super) fn parse_outside_loops<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let loops = std::mem::take(&mut self.loops);
        let found = read(self);
        self.loops = loops;
        found
    }

    // ----- errors

    /// Reports an error and starts recovery. Does nothing during recovery, because the error is then a consequence of
    /// the previous one.
    pub(super) fn fail(&mut self, span: Span, message: Fault) {
        if self.is_recovering {
            return;
        }
        self.is_recovering = true;
        self.report(span, message);
    }

    /// Reports an error after which parsing can continue without recovery.
    pub(super) fn report(&mut self, span: Span, fault: Fault) {
        self.mistakes.push(fault.at(Place { source: self.source.clone(), span: span.range() }));
    }

    /// Reports that a token is missing after the previous token. If the next token is invalid in any context, or is a keyword of another
    /// language, reports the next token instead, because it is the more likely cause.
    pub(super) fn fail_missing(&mut self, message: Fault) {
        if let Some(found) = self.invalid_token() {
            self.fail(self.span(), found);
            return;
        }
        if *self.kind() == TokenKind::Word
            && let Some(word) = message::foreign_keyword(self.text())
        {
            self.fail(self.span(), word);
            return;
        }
        self.fail_missing_after(message);
    }

    /// Reports that a token is missing after the previous token.
    pub(super) fn fail_missing_after(&mut self, message: Fault) {
        let text = &self.source.text[..self.previous_span().end as usize];
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        self.fail(Span::new(last, text.len()), message);
    }

    /// Returns the fault for the next token if it is invalid in any context.
    pub(super) fn invalid_token(&self) -> Option<Fault> {
        match self.kind() {
            TokenKind::Invalid(TokenError::UnclosedText(end)) => {
                let help = if end == "`" { "add a backtick".to_owned() } else { format!("add `{end}`") };
                Some(syntax_fault("unterminated text", "begins here").help(help))
            }
            TokenKind::Invalid(TokenError::UnclosedComment) => {
                Some(syntax_fault("unterminated comment", "no `*/` follows").help("add `*/` at its end"))
            }
            TokenKind::Invalid(TokenError::Escape(text)) => Some(
                syntax_fault(format!("`{text}` is not a known escape sequence"), "not known")
                    .help("write `\\\\` for a backslash"),
            ),
            TokenKind::Invalid(TokenError::LoneApostrophe) => {
                Some(syntax_fault("texts are written in `\"…\"`", "not a text").help("write `\"…\"`"))
            }
            TokenKind::Number(None) => Some(message::not_a_number(self.text())),
            TokenKind::Unknown(c) => Some(message::symbol(&c.to_string())),
            TokenKind::Word if (self.text() == "_" || message::is_reserved(self.text())) && !self.is_function() => {
                Some(message::reserved_word(self.text()))
            }
            TokenKind::Symbol(
                symbol @ ("++" | "--" | "===" | "!==" | ":=" | "->" | "<-" | "::" | "~" | "@" | "$" | "?" | "#"),
            ) => Some(message::symbol(symbol)),
            _ => None,
        }
    }

    /// Reports that the next token is not allowed here.
    pub(super) fn refuse_next(&mut self) {
        let span = self.span();
        let message = self.invalid_token().unwrap_or_else(|| match self.kind() {
            TokenKind::Symbol(symbol) => message::symbol(symbol),
            TokenKind::End => syntax_fault("the function ends too early", "something is not closed")
                .help("look for an unclosed `{`, `(` or `\"`"),
            TokenKind::Doc => syntax_fault("`///` must be followed by a function", "no function follows")
                .help("write `//` for other comments"),
            _ => message::missing(";", ""),
        });
        if *self.kind() == TokenKind::End {
            self.fail_missing(message);
        } else {
            self.fail(span, message);
        }
    }

    /// Skips to the next place where a statement can begin: after a semicolon, at the brace that closes the block, or at a function at the
    /// beginning of a line. Does nothing if the parser is not recovering.
    pub(super) fn recover(&mut self) {
        if !std::mem::take(&mut self.is_recovering) {
            return;
        }
        let mut open = 0_u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Word if self.is_function() && self.is_at_line_start() => return,
                TokenKind::Symbol("{" | "#{" | "(" | "[" | "?[") | TokenKind::TemplateCode => open += 1,
                TokenKind::Symbol("}") if open == 0 => return,
                TokenKind::Symbol("}" | ")" | "]") => open = open.saturating_sub(1),
                TokenKind::Symbol(";") if open == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    /// Returns whether errors are suppressed until parsing can resume.
    pub(super) fn is_recovering(&self) -> bool {
        self.is_recovering
    }

    /// Ends recovery, because the parser has reached a place where it can resume.
    pub(super) fn end_recovery(&mut self) {
        self.is_recovering = false;
    }
}

//! Parser of functions, blocks and statements.

use super::message::{self, syntax_fault};
use super::parser::Parser;
use super::token::TokenKind;
use super::tree::{BinaryOp, Block, Expr, ExprKind, File, Function, Name, Span, Statement, StatementKind};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while !self.is_end() {
            let doc = (*self.kind() == TokenKind::Doc).then(|| self.next());
            if self.is_function() {
                file.functions.extend(self.function(doc));
            } else if self.is_function_without_fn() {
                self.report(self.span(), message::no_fn(self.text()));
                file.functions.extend(self.function_named(doc, self.span()));
            } else if let Some(doc) = doc {
                self.report(
                    doc,
                    syntax_fault("`///` must be followed by a function", "no function follows")
                        .help("write `//` for other comments"),
                );
            } else if let Some(brace) = self.take_symbol("}") {
                self.report(brace, message::closes_nothing("}"));
            } else {
                file.statements.extend(self.statement_and_end());
            }
            self.recover();
        }
        file
    }

    /// Parses statements up to the end of the source.
    pub(super) fn statements_until_end(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.is_end() {
            if self.is_symbol("}") {
                self.refuse_next();
                self.next();
            }
            statements.extend(self.statement_and_end());
            self.recover();
        }
        statements
    }

    fn function(&mut self, doc: Option<Span>) -> Option<Function> {
        self.take_word("private");
        let start = self.next();
        self.function_named(doc, start)
    }

    /// Returns whether a function without `fn` begins here: a name at the beginning of a line, followed by `(…) {`.
    fn is_function_without_fn(&self) -> bool {
        let is_named = *self.kind() == TokenKind::Word && self.is_at_line_start() && !message::is_reserved(self.text());
        if !is_named || self.peek_at(1).kind != TokenKind::Symbol("(") {
            return false;
        }
        let mut behind = 2;
        while matches!(self.peek_at(behind).kind, TokenKind::Word | TokenKind::Symbol(",")) {
            behind += 1;
        }
        self.peek_at(behind).kind == TokenKind::Symbol(")") && self.peek_at(behind + 1).kind == TokenKind::Symbol("{")
    }

    /// Parses the rest of a function, beginning with its name.
    fn function_named(&mut self, doc: Option<Span>, start: Span) -> Option<Function> {
        if *self.kind() != TokenKind::Word {
            self.fail(self.span(), syntax_fault("the function has no name", "expected a name here"));
            return None;
        }
        let name = self.new_name("the function");
        self.end_recovery();
        if !self.is_symbol("(") {
            let headline = format!("`{}` has no `(…)`", name.text);
            let message = syntax_fault(headline, "expected `(` after this").help(format!("write `fn {}()`", name.text));
            self.fail_missing_after(message);
            return Some(self.incomplete_function(name, doc, start));
        }
        let params = self.params("(", ")", &name.text);
        let has_params = !self.is_recovering();
        let body = if self.is_symbol("{") {
            self.parse_outside_loops(Self::block)
        } else {
            let is_statement = *self.kind() == TokenKind::Word
                && (self.begins_statement() || self.is_first_of_line() && self.invalid_token().is_none())
                && !self.is_function();
            let is_forgotten = is_statement || self.is_symbol("}");
            let lacking = message::no_body(&name.text);
            if !is_forgotten {
                self.fail_missing(lacking);
                return Some(Function { params, has_params, ..self.incomplete_function(name, doc, start) });
            }
            // The code after the error is parsed as the body, so that errors in it are reported too.
            self.fail_missing_after(lacking);
            self.end_recovery();
            let behind = self.previous_span();
            self.parse_outside_loops(|parser| parser.block_inside(behind))
        };
        let span = start.to(body.span);
        Some(Function { key: name.text.clone(), name, params, has_params, body, doc, span })
    }

    /// Returns a function that could be parsed only up to its name. Its span extends to the place where parsing
    /// resumes.
    fn incomplete_function(&mut self, name: Name, doc: Option<Span>, start: Span) -> Function {
        self.recover();
        let span = start.to(self.previous_span());
        Function {
            key: name.text.clone(),
            name,
            params: Vec::new(),
            has_params: false,
            body: Block::default(),
            doc,
            span,
        }
    }

    /// Parses the parameter names between the brackets `open` and `close`. The names must be distinct. `function` is the name of the
    /// function for messages, or empty for closures.
    pub(super) fn params(&mut self, open: &str, close: &str, function: &str) -> Vec<Name> {
        let mut params: Vec<Name> = Vec::new();
        self.take_symbol(open);
        while !(self.is_symbol(close) || self.is_end() || self.is_function() && self.is_at_line_start()) {
            let name = self.new_name("a parameter");
            if params.iter().any(|known| known.text == name.text) && !name.text.is_empty() {
                let whose =
                    if function.is_empty() { "the function `|…|`".to_owned() } else { format!("`{function}`") };
                let headline = format!("{whose} has two parameters `{}`", name.text);
                let twice = syntax_fault(headline, "again here").code("duplicate-name");
                self.report(name.span, twice.help("give one of them another name"));
            }
            params.push(name);
            if self.is_recovering() || (self.take_symbol(",").is_none() && !self.is_symbol(close)) {
                break;
            }
        }
        self.expect(close, "after the parameters");
        params
    }

    /// Parses statements in braces.
    pub(super) fn block(&mut self) -> Block {
        let start = self.span();
        if !self.expect("{", "") {
            return Block { statements: Vec::new(), span: Span { end: start.start, ..start } };
        }
        self.parse_nested(|parser| parser.block_inside(start), |_| Block { statements: Vec::new(), span: start })
    }

    fn block_inside(&mut self, start: Span) -> Block {
        let mut statements = Vec::new();
        self.recover();
        while !self.is_symbol("}") {
            if self.is_end() || (self.is_function() && self.is_at_line_start()) || self.is_function_with_doc() {
                self.fail_missing(message::missing("}", ""));
                let span = start.to(self.previous_span());
                // The next function can be parsed in spite of this error.
                if !self.is_end() {
                    self.end_recovery();
                }
                return Block { statements, span };
            }
            // In a closure's block, `)` or `]` closes the call around the closure, so the brace is missing.
            if self.closures > 0 && (self.is_symbol(")") || self.is_symbol("]")) {
                self.fail_missing_after(message::missing("}", ""));
                self.end_recovery();
                return Block { statements, span: start.to(self.previous_span()) };
            }
            statements.extend(self.statement_and_end());
            self.recover();
        }
        let end = self.next();
        Block { statements, span: start.to(end) }
    }

    fn is_function_with_doc(&self) -> bool {
        let next = self.peek_at(1);
        *self.kind() == TokenKind::Doc && next.kind == TokenKind::Word && matches!(self.text_ahead(1), "fn" | "private")
    }

    /// Parses a statement with its semicolon, if the statement needs one. Returns `None` for an empty statement.
    pub(super) fn statement_and_end(&mut self) -> Option<Statement> {
        if self.take_symbol(";").is_some() {
            return None;
        }
        // `(if a { b })` is an ordinary expression and needs a semicolon, although `if a { b }` does not.
        let is_in_brackets = self.is_symbol("(");
        let statement = self.statement();
        if self.is_recovering() {
            return Some(statement);
        }
        let is_closed = statement.is_closed() && !is_in_brackets;
        if self.take_symbol(";").is_none() && !is_closed && !self.is_symbol("}") && !self.is_end() {
            self.report_missing_end(&statement);
        }
        Some(statement)
    }

    /// Reports that a statement lacks its semicolon. If a more likely mistake is recognized, such as a stray bracket, reports that mistake
    /// instead.
    fn report_missing_end(&mut self, statement: &Statement) {
        if self.is_symbol("=") && matches!(statement.kind, StatementKind::Assign { .. } | StatementKind::Let { .. }) {
            return self.fail(self.span(), message::symbol("="));
        }
        if self.is_symbol("==") {
            return self.fail(self.span(), message::comparison());
        }
        if let StatementKind::Expr(Expr { kind: ExprKind::Name(name), span, .. }) = &statement.kind
            && let Some(word) = message::foreign_keyword(name)
        {
            return self.fail(*span, word);
        }
        match *self.kind() {
            // The bracket closes the call around a closure. The missing brace of the closure's block is reported later.
            TokenKind::Symbol(")" | "]") if self.closures > 0 => return,
            TokenKind::Symbol(symbol @ (")" | "]")) => {
                self.fail(self.span(), message::closes_nothing(symbol));
                self.next();
                // The stray bracket is skipped, and parsing continues after it.
                self.end_recovery();
                self.take_symbol(";");
                return;
            }
            TokenKind::Symbol(symbol @ ("=>" | ":")) => return self.fail(self.span(), message::symbol(symbol)),
            _ => {}
        }
        if self.begins_statement() {
            self.fail_missing_after(message::missing(";", ""));
            return self.end_recovery();
        }
        self.fail_missing(message::missing(";", ""));
        // A new line probably begins a new statement.
        if self.is_first_of_line() {
            self.end_recovery();
        }
    }

    pub(super) fn statement(&mut self) -> Statement {
        let start = self.span();
        let is_word = *self.kind() == TokenKind::Word;
        let word = if is_word { self.text().to_owned() } else { String::new() };
        let kind = match &*word {
            "const" => {
                self.report(start, message::reserved_word(&word));
                self.let_statement()
            }
            "let" => self.let_statement(),
            "return" => {
                self.next();
                StatementKind::Return(self.optional_value())
            }
            "break" | "continue" => self.loop_jump(word == "break"),
            "fn" | "private" if self.is_function() => {
                let nested =
                    syntax_fault("a function is declared inside another one", "not at the beginning of a line");
                self.fail(start, nested.help("move it out, or look for a `}` missing before it"));
                StatementKind::Expr(self.missing())
            }
            _ if *self.kind() == TokenKind::Doc => {
                self.refuse_next();
                self.next();
                StatementKind::Expr(self.missing())
            }
            _ => self.expression_statement(),
        };
        Statement { kind, span: start.to(self.previous_span()) }
    }

    fn let_statement(&mut self) -> StatementKind {
        self.next();
        let name = self.new_name("the variable");
        let value = self.take_symbol("=").map(|_| self.expression());
        StatementKind::Let { name, value }
    }

    fn loop_jump(&mut self, is_break: bool) -> StatementKind {
        let span = self.next();
        if self.loops == 0 {
            let message = syntax_fault("`break` and `continue` are only allowed in loops", "not in a loop");
            self.report(span, message.help("write `return` to leave the function"));
        }
        if is_break { StatementKind::Break(self.optional_value()) } else { StatementKind::Continue }
    }

    /// Parses an expression unless the statement ends here.
    fn optional_value(&mut self) -> Option<Expr> {
        let is_over = matches!(self.kind(), TokenKind::End | TokenKind::Symbol(";" | "}" | "," | ")" | "]"));
        (!is_over).then(|| self.expression())
    }

    fn expression_statement(&mut self) -> StatementKind {
        let is_block = self.begins_block();
        let target = if is_block { self.block_like() } else { self.expression() };
        if is_block || self.is_recovering() {
            return StatementKind::Expr(target);
        }
        let Some((op, symbol)) = self.assignment() else { return StatementKind::Expr(target) };
        let op_span = self.next();
        if op.is_none() && symbol != "=" {
            self.report(op_span, message::symbol(symbol));
        }
        self.check_target(&target, symbol, op_span);
        self.check_reversed(symbol, op_span);
        let value = self.expression();
        StatementKind::Assign { target, op, op_span, value }
    }

    /// Reports `=+ 1`, `=+1` and `=- 1`, which would assign the signed number. The author probably meant `+=` or `-=`. Does not report
    /// `=-1`.
    fn check_reversed(&mut self, symbol: &str, op_span: Span) {
        let TokenKind::Symbol(reversed @ ("+" | "-")) = *self.kind() else { return };
        let span = self.span();
        let is_apart = || self.peek_at(1).span.start > span.end;
        if symbol == "=" && op_span.end == span.start && (reversed == "+" || is_apart()) {
            self.report(op_span.to(span), message::reversed(reversed));
        }
    }

    /// If the next token is an assignment operator, returns its binary operator and its symbol. The binary operator is `None` for `=` and
    /// for bitwise assignments such as `&=`.
    fn assignment(&self) -> Option<(Option<BinaryOp>, &'static str)> {
        let TokenKind::Symbol(symbol) = *self.kind() else { return None };
        if symbol == "=" {
            return Some((None, symbol));
        }
        let before = symbol.strip_suffix('=').filter(|_| !matches!(symbol, "==" | "!=" | "<=" | ">=" | "..="))?;
        if matches!(before, "&" | "|" | "^" | "<<" | ">>") {
            return Some((None, symbol));
        }
        Some((Some(BinaryOp::from_symbol(before)?.0), symbol))
    }

    /// Reports an assignment whose target is neither a variable nor a chain of fields and indices that begins with a variable.
    fn check_target(&mut self, target: &Expr, symbol: &'static str, op_span: Span) {
        match root(target) {
            Root::Variable => {}
            Root::Call(_) if matches!(target.kind, ExprKind::Call { .. } | ExprKind::Method { .. }) => {
                self.report(target.span, message::not_assignable());
            }
            Root::Call(name) => {
                let (text, span) = (name.text.clone(), name.span);
                self.report(span, message::assigned_call_result(&text));
            }
            Root::Other if symbol == "=" && is_condition(target) => {
                self.report(op_span, message::symbol("="));
            }
            Root::Other => self.report(target.span, message::not_assignable()),
        }
    }
}

/// Returns whether an expression probably yields a Boolean. If so, an `=` after the expression was probably meant as a comparison.
fn is_condition(expr: &Expr) -> bool {
    use BinaryOp::{And, Coalesce, Equal, Greater, GreaterOrEqual, In, Less, LessOrEqual, NotIn, Or, Unequal};
    let ExprKind::Binary { op, .. } = &expr.kind else { return false };
    [And, Or, Coalesce, Equal, Unequal, In, NotIn, Less, LessOrEqual, Greater, GreaterOrEqual].contains(op)
}

/// Category of the expression that an assignment target begins with.
enum Root<'e> {
    Variable,
    Call(&'e Name),
    Other,
}

fn root(target: &Expr) -> Root<'_> {
    match &target.kind {
        ExprKind::Name(_) | ExprKind::Missing => Root::Variable,
        ExprKind::Field { receiver: of, .. } | ExprKind::Index { receiver: of, .. } => root(of),
        ExprKind::Call { name, .. } | ExprKind::Method { name, .. } => Root::Call(name),
        _ => Root::Other,
    }
}

impl Statement {
    /// Returns whether the statement ends in its own brace and needs no semicolon.
    fn is_closed(&self) -> bool {
        match &self.kind {
            StatementKind::Expr(expr) => matches!(
                expr.kind,
                ExprKind::Block(_)
                    | ExprKind::If { .. }
                    | ExprKind::Switch { .. }
                    | ExprKind::While { .. }
                    | ExprKind::For { .. }
            ),
            _ => false,
        }
    }
}

//! Parser of expressions: precedence climbing for binary operators, then prefixes, postfixes and primary expressions.

use super::message::{self, KeywordPlace, syntax_fault};
use super::parser::Parser;
use super::token::TokenKind;
use super::tree::{BinaryOp, Block, Case, Expr, ExprKind, Name, Segment, Span, Statement, StatementKind, UnaryOp};
use crate::diagnostic::Fault;

/// Minimum precedence when a whole expression is parsed: every binary operator is allowed.
const LOWEST_PRECEDENCE: u8 = 1;

/// Maximum number of consecutive binary operators or postfixes. Each of them makes the tree one level deeper.
const MAX_CHAIN_LENGTH: usize = 500;

/// Maximum number of entries in a list or map literal. Equals the limit for values at run time.
const MAX_LITERAL_ENTRIES: usize = 1_000;

/// Maximum nesting depth of closures. Each analysis of a closure analyzes the closures inside it at least twice, so the time grows
/// exponentially with the depth.
const MAX_CLOSURE_DEPTH: u32 = 8;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        self.expression_with(true)
    }

    fn expression_with(&mut self, allows_pipe: bool) -> Expr {
        self.parse_nested(|parser| parser.binary(LOWEST_PRECEDENCE, allows_pipe), Self::missing)
    }

    /// Parses operands that are joined by binary operators with precedence `min_precedence` or higher.
    fn binary(&mut self, min_precedence: u8, allows_pipe: bool) -> Expr {
        let mut left = self.unary();
        let mut count = 0;
        while !self.is_recovering() {
            count += 1;
            if count > MAX_CHAIN_LENGTH {
                self.fail(self.span(), message::too_deep());
                break;
            }
            if let Some(word) = self.foreign_operator_message() {
                let span = self.span();
                self.report(span, word);
            }
            let bits = self.bit_operator(allows_pipe);
            let Some((op, precedence)) = self.operator().or(bits) else { break };
            if precedence < min_precedence {
                break;
            }
            if bits.is_some() {
                let symbol = self.text().to_owned();
                self.report(self.span(), message::symbol(&symbol));
            }
            let op_span = self.next();
            let right = if op == BinaryOp::Coalesce && self.is_jump() {
                self.parse_jump()
            } else if matches!(op, BinaryOp::Range | BinaryOp::RangeInclusive) && self.is_range_open() {
                let at = self.previous_span().end;
                self.expr(ExprKind::Unit, Span { start: at, end: at })
            } else {
                // `a ** b ** c` is `a ** (b ** c)`; all other operators are left-associative.
                let tighter = if op == BinaryOp::Power { precedence } else { precedence + 1 };
                self.parse_nested(|parser| parser.binary(tighter, allows_pipe), Self::missing)
            };
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) };
            left = self.expr(kind, span);
        }
        left
    }

    fn operator(&self) -> Option<(BinaryOp, u8)> {
        match self.kind() {
            TokenKind::Symbol(symbol) => BinaryOp::from_symbol(symbol),
            TokenKind::Word => BinaryOp::from_symbol(match self.text() {
                "in" => "in",
                "and" => "&&",
                "or" => "||",
                _ => return None,
            }),
            _ => None,
        }
    }

    /// Returns the operator that is parsed instead of a bitwise operator, and its precedence. Rules have no bitwise operators; the
    /// replacement lets parsing continue after the error. Returns `None` if the next token is not a bitwise operator.
    fn bit_operator(&self, allows_pipe: bool) -> Option<(BinaryOp, u8)> {
        BinaryOp::from_symbol(match self.kind() {
            TokenKind::Symbol("&") => "&&",
            TokenKind::Symbol("|") if allows_pipe => "||",
            TokenKind::Symbol("^") => "**",
            TokenKind::Symbol("<<") => "+",
            TokenKind::Symbol(">>") => "/",
            _ => return None,
        })
    }

    /// Returns the error about `and` or `or`, if one of these words follows.
    fn foreign_operator_message(&self) -> Option<Fault> {
        let is_it = self.is_word("and") || self.is_word("or");
        message::foreign_keyword(self.text()).filter(|_| is_it)
    }

    /// Returns whether `return`, `break` or `continue` follows, which is allowed after `??`.
    fn is_jump(&self) -> bool {
        self.is_keyword(KeywordPlace::Jump)
    }

    fn parse_jump(&mut self) -> Expr {
        let statement = self.statement();
        let span = statement.span;
        self.expr(ExprKind::Block(Block { statements: vec![statement], span }), span)
    }

    /// Returns whether a range ends here without an upper bound.
    fn is_range_open(&self) -> bool {
        matches!(self.kind(), TokenKind::Symbol("]" | ")" | "}" | "," | ";" | "=>"))
    }

    fn unary(&mut self) -> Expr {
        let op = match self.kind() {
            TokenKind::Symbol("-") => UnaryOp::Negate,
            TokenKind::Symbol("+") => UnaryOp::Plus,
            TokenKind::Symbol("!") => UnaryOp::Not,
            TokenKind::Word if self.text() == "not" && self.peek_at(1).kind == TokenKind::Word => {
                self.report(self.span(), message::foreign_keyword("not").unwrap_or_else(|| message::symbol("not")));
                UnaryOp::Not
            }
            _ => return self.parse_postfix(),
        };
        let start = self.next();
        if op == UnaryOp::Negate
            && let TokenKind::Number(Some(number)) = *self.kind()
            && self.span().start == start.end
        {
            return self.negative_number(number, start);
        }
        let operand = self.parse_nested(Self::unary, Self::missing);
        let span = start.to(operand.span);
        match (op, &operand.kind) {
            // As in the script engine, a sign before a number literal becomes part of the literal.
            (UnaryOp::Negate, ExprKind::Number(number)) => self.expr(ExprKind::Number(number.wrapping_neg()), span),
            (UnaryOp::Plus, ExprKind::Number(number)) => self.expr(ExprKind::Number(*number), span),
            _ => self.expr(ExprKind::Unary { op, operand: Box::new(operand) }, span),
        }
    }

    /// Parses a negative number with its postfixes. Reports `-5.abs()`, because it is unclear whether `abs` applies to 5 or to -5.
    fn negative_number(&mut self, number: u64, sign: Span) -> Expr {
        let span = sign.to(self.span());
        let value = 0_i64.checked_sub_unsigned(number);
        if value.is_none() {
            let text = format!("-{}", self.text());
            self.report(span, message::not_a_number(&text));
        }
        self.next();
        // After most tokens, the script engine applies the method to the signed number, but after some symbols it applies the method to the
        // unsigned number.
        if self.is_symbol(".") {
            let message = syntax_fault("a `-` before a number and `.` can be read in two ways", "of what?");
            self.report(span, message.help(format!("write `({}){}…`", value.unwrap_or(0), ".")));
        }
        let number = self.expr(ExprKind::Number(value.unwrap_or(0)), span);
        self.parse_postfixes(number)
    }

    fn parse_postfix(&mut self) -> Expr {
        let first = self.parse_primary();
        self.parse_postfixes(first)
    }

    /// Parses the postfixes of an expression: `.field`, `.method()`, `[index]`, and their optional forms `?.` and `?[`.
    fn parse_postfixes(&mut self, mut of: Expr) -> Expr {
        let mut count = 0;
        while !self.is_recovering() {
            let TokenKind::Symbol(symbol) = *self.kind() else { break };
            count += 1;
            if count > MAX_CHAIN_LENGTH {
                self.fail(self.span(), message::too_deep());
                break;
            }
            of = match symbol {
                "." | "?." => {
                    self.next();
                    self.member(of, symbol == "?.")
                }
                "[" | "?[" => {
                    self.next();
                    let index = self.expression();
                    self.expect("]", "after the index");
                    let span = of.span.to(self.previous_span());
                    let kind =
                        ExprKind::Index { receiver: Box::new(of), index: Box::new(index), is_optional: symbol == "?[" };
                    self.expr(kind, span)
                }
                _ => break,
            };
        }
        of
    }

    fn member(&mut self, of: Expr, is_optional: bool) -> Expr {
        let name = self.member_name();
        let start = of.span;
        if !self.is_symbol("(") || self.is_recovering() {
            let span = start.to(name.span);
            return self.expr(ExprKind::Field { receiver: Box::new(of), name, is_optional }, span);
        }
        let arguments = self.arguments(&name);
        let span = start.to(self.previous_span());
        self.expr(ExprKind::Method { receiver: Box::new(of), name, arguments, is_optional }, span)
    }

    fn member_name(&mut self) -> Name {
        match self.kind() {
            TokenKind::Word => {
                let name = Name { text: self.text().into(), span: self.span() };
                if (&*name.text == "_" || message::is_reserved(&name.text))
                    && !matches!(&*name.text, message::CALL | "type_of")
                {
                    self.fail(name.span, message::reserved_word(&name.text));
                }
                self.next();
                name
            }
            TokenKind::Number(_) => {
                self.fail(self.span(), message::fraction());
                Name { text: "".into(), span: self.previous_span() }
            }
            _ => {
                let span = self.span();
                self.fail(span, syntax_fault("the name of a property is missing", "expected a name here"));
                Name { text: "".into(), span: Span { end: span.start, ..span } }
            }
        }
    }

    /// Parses call arguments in parentheses.
    fn arguments(&mut self, function: &Name) -> Vec<Expr> {
        self.next();
        let mut arguments = Vec::new();
        while !self.is_symbol(")") && !self.is_recovering() {
            arguments.push(self.expression());
            if self.take_symbol(",").is_none() {
                break;
            }
        }
        if self.take_symbol(")").is_none() {
            self.unclosed_arguments(function);
        }
        arguments
    }

    fn unclosed_arguments(&mut self, function: &Name) {
        if self.is_symbol("=") {
            return self.fail(self.span(), message::symbol("="));
        }
        self.fail_missing(message::unclosed_call(&function.text));
    }

    /// Parses an operand without its postfixes.
    fn parse_primary(&mut self) -> Expr {
        let span = self.span();
        match self.kind().clone() {
            TokenKind::Number(Some(number)) => self.number(number),
            TokenKind::Text(text) => self.parse_leaf(ExprKind::Text(text.into())),
            TokenKind::TemplateText(_) => self.template(),
            TokenKind::Word => self.word(),
            TokenKind::Symbol("(") => self.parse_parentheses(),
            TokenKind::Symbol("[") => self.list(),
            TokenKind::Symbol("#{") => self.map(),
            TokenKind::Symbol("{") => self.block_expression(),
            TokenKind::Symbol("|" | "||") => self.closure(),
            // `..n` is `0..n`.
            TokenKind::Symbol(".." | "..=") => self.expr(ExprKind::Number(0), Span { end: span.start, ..span }),
            _ => {
                self.refuse_next();
                self.expr(ExprKind::Missing, Span { end: span.start, ..span })
            }
        }
    }

    fn parse_leaf(&mut self, kind: ExprKind) -> Expr {
        let span = self.next();
        self.expr(kind, span)
    }

    fn number(&mut self, number: u64) -> Expr {
        let value = i64::try_from(number);
        if value.is_err() {
            let text = self.text().to_owned();
            self.report(self.span(), message::not_a_number(&text));
        }
        self.parse_leaf(ExprKind::Number(value.unwrap_or(0)))
    }

    fn word(&mut self) -> Expr {
        match self.text() {
            "true" => self.parse_leaf(ExprKind::Flag(true)),
            "false" => self.parse_leaf(ExprKind::Flag(false)),
            "if" => self.if_expression(),
            "switch" => self.switch(),
            "while" | "loop" => self.while_loop(),
            "do" => self.do_loop(),
            "for" => self.for_loop(),
            word if (word == "_" || message::is_reserved(word))
                && !(word == "type_of" && self.text_ahead(1) == "(") =>
            {
                self.refuse_next();
                self.next();
                self.missing()
            }
            _ => self.name_or_call(),
        }
    }

    fn name_or_call(&mut self) -> Expr {
        let name = Name { text: self.text().into(), span: self.next() };
        if self.is_symbol("(") {
            let arguments = self.arguments(&name);
            let span = name.span.to(self.previous_span());
            return self.expr(ExprKind::Call { name, arguments }, span);
        }
        let span = name.span;
        self.expr(ExprKind::Name(name.text), span)
    }

    /// Parses `()` or an expression in parentheses, whose span includes the parentheses.
    fn parse_parentheses(&mut self) -> Expr {
        let start = self.next();
        let is_unit = self.is_symbol(")") && self.span().start == start.end;
        if is_unit {
            let end = self.next();
            return self.expr(ExprKind::Unit, start.to(end));
        }
        let mut inner = self.expression();
        self.expect(")", "behind this");
        inner.span = start.to(self.previous_span());
        inner
    }

    fn list(&mut self) -> Expr {
        let start = self.next();
        let mut items = Vec::new();
        while !self.is_symbol("]") && !self.is_recovering() {
            let item = self.expression();
            if items.len() == MAX_LITERAL_ENTRIES {
                self.report(item.span, message::too_many_entries("list", "entries", MAX_LITERAL_ENTRIES));
            }
            items.push(item);
            if self.take_symbol(",").is_none() {
                break;
            }
        }
        self.expect("]", "at the end of the list");
        self.expr(ExprKind::List(items), start.to(self.previous_span()))
    }

    fn map(&mut self) -> Expr {
        let start = self.next();
        let mut parts: Vec<(Name, Expr)> = Vec::new();
        while !self.is_symbol("}") && !self.is_recovering() {
            let name = self.part_name();
            if parts.iter().any(|(known, _)| known.text == name.text) && !name.text.is_empty() {
                let twice = syntax_fault(format!("the part `{}` is written twice", name.text), "again here");
                self.report(name.span, twice.code("duplicate-name").help("remove one of them"));
            }
            self.expect(":", "after the name of the part");
            let value = self.expression();
            if parts.len() == MAX_LITERAL_ENTRIES {
                self.report(name.span.to(value.span), message::too_many_entries("map", "parts", MAX_LITERAL_ENTRIES));
            }
            parts.push((name, value));
            if self.take_symbol(",").is_none() {
                break;
            }
        }
        self.expect("}", "");
        self.expr(ExprKind::Map(parts), start.to(self.previous_span()))
    }

    fn part_name(&mut self) -> Name {
        if let TokenKind::Text(text) = self.kind() {
            let text = text.as_str().into();
            return Name { text, span: self.next() };
        }
        self.new_name("a part")
    }

    fn template(&mut self) -> Expr {
        let start = self.span();
        let mut segments = Vec::new();
        loop {
            match self.kind().clone() {
                TokenKind::TemplateText(text) => {
                    self.next();
                    if !text.is_empty() {
                        segments.push(Segment::Text(text));
                    }
                }
                TokenKind::TemplateCode => segments.push(Segment::Code(self.template_code())),
                TokenKind::TemplateEnd => {
                    self.next();
                    break;
                }
                _ => {
                    self.refuse_next();
                    break;
                }
            }
        }
        self.expr(ExprKind::Template(segments), start.to(self.previous_span()))
    }

    fn template_code(&mut self) -> Block {
        let start = self.next();
        let mut statements = Vec::new();
        while !self.is_symbol("}") && !self.is_end() && !self.is_recovering() {
            statements.extend(self.statement_and_end());
        }
        self.expect("}", "");
        Block { statements, span: start.to(self.previous_span()) }
    }

    fn closure(&mut self) -> Expr {
        let start = self.span();
        let params = if self.take_symbol("||").is_some() { Vec::new() } else { self.params("|", "|", "") };
        self.closures += 1;
        let body = if self.closures > MAX_CLOSURE_DEPTH {
            self.fail(start, message::too_deep());
            self.no_statement()
        } else {
            self.parse_outside_loops(|parser| parser.parse_nested(Self::statement, Self::no_statement))
        };
        self.closures -= 1;
        self.expr(ExprKind::Closure { params, body: Box::new(body) }, start.to(self.previous_span()))
    }

    fn no_statement(&mut self) -> Statement {
        let missing = self.missing();
        let span = missing.span;
        Statement { kind: StatementKind::Expr(missing), span }
    }

    // ----- expressions that end in a brace

    /// Returns whether the next statement ends in its own brace, so that no operator can follow it.
    pub(super) fn begins_block(&self) -> bool {
        self.is_symbol("{") || self.is_keyword(KeywordPlace::Block)
    }

    /// Parses an expression that ends in its own brace, without postfixes. Each of these expressions counts as one nesting level; a plain
    /// block adds the level itself.
    pub(super) fn block_like(&mut self) -> Expr {
        if self.is_symbol("{") { self.parse_primary() } else { self.parse_nested(Self::parse_primary, Self::missing) }
    }

    fn block_expression(&mut self) -> Expr {
        let span = self.span();
        if self.is_map_without_hash() {
            self.report(span, message::without_hash());
            return self.map();
        }
        let block = self.block();
        let span = block.span;
        self.expr(ExprKind::Block(block), span)
    }

    /// Returns whether `{ name: …` follows: a map without its `#`.
    fn is_map_without_hash(&self) -> bool {
        let is_name = matches!(self.peek_at(1).kind, TokenKind::Word | TokenKind::Text(_));
        is_name && self.peek_at(2).kind == TokenKind::Symbol(":")
    }

    /// Parses a condition before a block. Reports a missing condition, and `=` or `=>` where a comparison was meant.
    fn condition(&mut self) -> Expr {
        if self.refuse_block() {
            self.end_recovery();
            return self.missing();
        }
        let condition = self.expression();
        if self.is_symbol("=") {
            self.fail(self.span(), message::symbol("="));
        } else if self.is_symbol("=>") {
            self.fail(self.span(), message::arrow_in_condition());
        }
        if self.is_recovering() {
            self.skip_to_block();
        }
        condition
    }

    /// Returns whether a block follows where a condition is expected. Reports the missing condition if so.
    fn refuse_block(&mut self) -> bool {
        let is_block = self.is_symbol("{");
        if is_block {
            self.fail(self.span(), syntax_fault("a condition is missing", "expected an expression here"));
        }
        is_block
    }

    /// Skips to the block after an error in a condition, if the block begins before the end of the statement.
    fn skip_to_block(&mut self) {
        let mut ahead = 0;
        loop {
            let token = self.peek_at(ahead);
            match token.kind {
                TokenKind::Symbol("{") => break,
                TokenKind::Symbol(";" | "}") | TokenKind::End => return,
                _ => ahead += 1,
            }
        }
        for _ in 0..ahead {
            self.next();
        }
        self.end_recovery();
    }

    fn if_expression(&mut self) -> Expr {
        let start = self.next();
        let condition = Box::new(self.condition());
        let then = self.block();
        let otherwise = self.take_word("else").map(|_| {
            let otherwise = if self.is_word("if") {
                self.parse_nested(Self::if_expression, Self::missing)
            } else {
                let block = self.block();
                let span = block.span;
                self.expr(ExprKind::Block(block), span)
            };
            Box::new(otherwise)
        });
        self.expr(ExprKind::If { condition, then, otherwise }, start.to(self.previous_span()))
    }

    fn while_loop(&mut self) -> Expr {
        let condition = self.is_word("while");
        let start = self.next();
        let condition = condition.then(|| Box::new(self.condition()));
        let body = self.loop_body();
        self.expr(ExprKind::While { condition, body }, start.to(self.previous_span()))
    }

    fn do_loop(&mut self) -> Expr {
        let start = self.next();
        let body = self.loop_body();
        if self.take_word("while").is_none() {
            self.fail_missing(message::missing("while", "after `do { … }`"));
        }
        let condition = Box::new(self.expression());
        self.expr(ExprKind::DoWhile { body, condition }, start.to(self.previous_span()))
    }

    fn for_loop(&mut self) -> Expr {
        let start = self.next();
        let (name, counter) = if self.take_symbol("(").is_some() {
            let name = self.new_name("a variable");
            self.expect(",", "after the name");
            let counter = self.new_name("a variable");
            if counter.text == name.text && !self.is_recovering() {
                let twice = syntax_fault(format!("`{}` is written twice", name.text), "again here");
                self.report(counter.span, twice.code("duplicate-name").help("give one of them another name"));
            }
            self.expect(")", "after the names");
            (name, Some(counter))
        } else {
            (self.new_name("a variable"), None)
        };
        if self.take_word("in").is_none() {
            self.fail_missing(message::missing("in", ""));
        }
        let list = Box::new(self.condition());
        let body = self.loop_body();
        self.expr(ExprKind::For { name, counter, list, body }, start.to(self.previous_span()))
    }

    fn loop_body(&mut self) -> Block {
        self.loops += 1;
        let body = self.block();
        self.loops -= 1;
        body
    }

    fn switch(&mut self) -> Expr {
        let start = self.next();
        let subject = Box::new(self.expression());
        let mut cases: Vec<Case> = Vec::new();
        if self.expect("{", "") {
            while !self.is_symbol("}") && !self.is_end() && !self.is_recovering() {
                if let Some(last) = cases.last().filter(|case| case.patterns.is_empty()) {
                    let span = last.span;
                    self.fail(span, syntax_fault("`_` must be the last case of a `switch`", "not the last case"));
                    break;
                }
                let case = self.case();
                let is_closed = case.body.span.end == self.previous_span().end && self.is_after_brace();
                cases.push(case);
                if self.take_symbol(",").is_none() && !self.is_symbol("}") && !is_closed {
                    self.fail_missing(message::missing(",", "between the cases of the `switch`"));
                }
            }
            self.expect("}", "");
        }
        self.expr(ExprKind::Switch { subject, cases }, start.to(self.previous_span()))
    }

    /// Returns whether the previous token is a closing brace.
    fn is_after_brace(&self) -> bool {
        self.previous_text() == "}"
    }

    fn case(&mut self) -> Case {
        let start = self.span();
        let mut patterns = Vec::new();
        if self.is_word("_") {
            self.next();
        } else {
            loop {
                let pattern = self.expression_with(false);
                if !is_pattern(&pattern) {
                    self.fail(pattern.span, message::invalid_pattern());
                }
                patterns.push(pattern);
                if self.take_symbol("|").is_none() || self.is_recovering() {
                    break;
                }
            }
        }
        let condition = self.take_word("if").map(|_| {
            self.refuse_block();
            self.expression()
        });
        self.expect("=>", "in this case of the `switch`");
        // A block adds a nesting level itself.
        let is_block = self.is_symbol("{");
        let body = if is_block { self.statement() } else { self.parse_nested(Self::statement, Self::no_statement) };
        Case { patterns, condition, body, span: start.to(self.previous_span()) }
    }
}

/// Returns whether an expression is a constant that is allowed before `=>`. Ranges are allowed only between numbers.
fn is_pattern(expr: &Expr) -> bool {
    let is_end = |end: &Expr| matches!(end.kind, ExprKind::Number(_) | ExprKind::Missing);
    match &expr.kind {
        ExprKind::Missing | ExprKind::Unit | ExprKind::Flag(_) | ExprKind::Number(_) | ExprKind::Text(_) => true,
        ExprKind::List(items) => items.iter().all(is_pattern),
        ExprKind::Map(parts) => parts.iter().all(|(_, part)| is_pattern(part)),
        ExprKind::Binary { op: BinaryOp::Range | BinaryOp::RangeInclusive, left, right, .. } => {
            is_end(left) && is_end(right)
        }
        _ => false,
    }
}

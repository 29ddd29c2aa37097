//! `too-deep`: functions that come to themselves whatever happens.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, Place};
use crate::library::Effects;
use crate::syntax::{BinaryOp, Block, Expr, ExprKind, Name, Segment, Statement, StatementKind};
use rustc_hash::FxHashSet;

/// A call that a function cannot get around.
struct Call<'p, 'a> {
    from: &'p Code<'a>,
    to: &'p Code<'a>,
    place: Place,
}

/// Looks for functions that come to themselves by calls they cannot get around.
pub(crate) fn endless_calls(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let leaving = program.leading_to(Effects::ENDS);
    let certain = |from| {
        let mut reader =
            Reader { program, from, leaving: &leaving, may_have_left: false, is_certain: true, calls: Vec::new() };
        reader.block(&from.tree.body);
        reader.calls
    };
    let calls: Vec<Call<'_, '_>> = program.codes.iter().flat_map(certain).collect();
    let mut told: Vec<&str> = Vec::new();
    for code in &program.codes {
        let Some(circle) = circle(&calls, code) else { continue };
        if circle.iter().any(|call| told.contains(&call.from.name())) {
            continue;
        }
        told.extend(circle.iter().map(|call| call.from.name()));
        found.push(endless(&circle));
    }
}

/// Reads a function for the calls that it carries out whenever it is called.
struct Reader<'p, 'a> {
    program: &'p Program<'a>,
    from: &'p Code<'a>,
    /// The functions that may end the game.
    leaving: &'p FxHashSet<&'a str>,
    may_have_left: bool,
    is_certain: bool,
    calls: Vec<Call<'p, 'a>>,
}

impl Reader<'_, '_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { value, .. } => self.each(value),
            StatementKind::Assign { target, value, .. } => self.each([target, value]),
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => {
                self.each(value);
                self.may_have_left = true;
            }
            StatementKind::Continue => self.may_have_left = true,
        }
    }

    fn each<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// Reads what may be left out.
    fn perhaps(&mut self, read: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_certain, false);
        read(self);
        self.is_certain = before;
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
            }
            ExprKind::List(items) => self.each(items),
            ExprKind::Map(parts) => self.each(parts.iter().map(|(_, value)| value)),
            ExprKind::Field { of, .. } | ExprKind::Unary { operand: of, .. } => self.expr(of),
            ExprKind::Index { of, index, is_optional } => {
                self.expr(of);
                self.unless(*is_optional, |reader| reader.expr(index));
            }
            ExprKind::Method { of, arguments, is_optional, .. } => {
                self.expr(of);
                self.unless(*is_optional, |reader| reader.each(arguments));
            }
            ExprKind::Call { name, arguments } => {
                self.each(arguments);
                self.call(name, arguments.len());
            }
            ExprKind::Binary { op, left, right, .. } => {
                self.expr(left);
                let is_lazy = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce);
                self.unless(is_lazy, |reader| reader.expr(right));
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.perhaps(|reader| {
                    reader.block(then);
                    reader.each(otherwise.as_deref());
                });
            }
            ExprKind::Switch { subject, cases } => {
                self.expr(subject);
                self.perhaps(|reader| {
                    for case in cases {
                        reader.each(case.patterns.iter().chain(&case.condition));
                        reader.statement(&case.body);
                    }
                });
            }
            ExprKind::While { condition, body } => self.perhaps(|reader| {
                reader.each(condition.as_deref());
                reader.block(body);
            }),
            ExprKind::DoWhile { body, condition, .. } => self.perhaps(|reader| {
                reader.block(body);
                reader.expr(condition);
            }),
            ExprKind::For { list, body, .. } => {
                self.expr(list);
                self.perhaps(|reader| reader.block(body));
            }
            ExprKind::Missing
            | ExprKind::Unit
            | ExprKind::Flag(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::Closure { .. } => {}
        }
    }

    fn unless(&mut self, may_be_left_out: bool, read: impl FnOnce(&mut Self)) {
        if may_be_left_out { self.perhaps(read) } else { read(self) }
    }

    fn call(&mut self, name: &Name, arguments: usize) {
        let program = self.program;
        let is_it = |code: &&Code<'_>| code.name() == &*name.text && code.tree.params.len() == arguments;
        if let Some(to) = program.codes.iter().find(is_it).filter(|_| self.is_certain && !self.may_have_left) {
            self.calls.push(Call { from: self.from, to, place: self.from.at(name.span) });
        }
        self.may_have_left |= self.leaving.contains(&*name.text);
    }
}

/// The shortest way by calls from a function to itself.
fn circle<'c, 'p, 'a>(calls: &'c [Call<'p, 'a>], code: &Code<'a>) -> Option<Vec<&'c Call<'p, 'a>>> {
    let mut ways: Vec<Vec<&Call<'_, '_>>> = vec![Vec::new()];
    let mut seen: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned() {
        let end = way.last().map_or(code, |call| call.to);
        for call in calls.iter().filter(|call| call.from.name() == end.name()) {
            let further: Vec<&Call<'_, '_>> = way.iter().copied().chain([call]).collect();
            if call.to.name() == code.name() {
                return Some(further);
            }
            if !seen.contains(&call.to.name()) {
                seen.push(call.to.name());
                ways.push(further);
            }
        }
        at += 1;
    }
    None
}

fn endless(circle: &[&Call<'_, '_>]) -> Diagnostic {
    let names: Vec<String> = circle.iter().map(|call| format!("`{}`", call.from.name())).collect();
    let (message, note) = match names.as_slice() {
        [several @ .., last] if !several.is_empty() => {
            (format!("{} and {last} call each other without end", several.join(", ")), "called whatever happens")
        }
        names => (format!("{} calls itself without end", names.concat()), "calls itself whatever happens"),
    };
    let found = Diagnostic::error("too-deep", message);
    let found = circle.iter().fold(found, |found, call| found.mark(call.place.clone(), note));
    found.help("return before this when there is nothing left to do")
}
